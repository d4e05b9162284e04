"""What becomes of each input and output of a model: the record that screens, notes, JSON and pages show."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from tosa_converter.dtypes import SIGNLESS, DType
from tosa_converter.ir.graph import Graph, Value
from tosa_converter.ir.model import Border, Model
from tosa_converter.ir.types import Quant, TensorType

INPUT, OUTPUT = "input", "output"
CHANGED = "changed from"  # how a note begins that options of the conversion change an input or output
_UNSIGNED = (DType.UI8, DType.UI16, DType.UI32)
_LAYOUTS: dict[tuple[int, ...], str] = {
    (0, 3, 1, 2): "layout NHWC became NCHW",
    (0, 2, 3, 1): "layout NCHW became NHWC",
}


class BorderRow(NamedTuple):
    """An input or output of a source and of its conversion.

    Attributes:
        role: "input" or "output".
        graph: the name of the result's graph; of the source's, if there is no result.
        name: its name in the result; in the source, if there is no result.
        source: its name and type in the source; None if unknown, or if it is state that the source has inside.
        type: its type in the result; None if there is no result.
        stored: what the result's elements stand for: name, type, quantization and layout; None if unknown. It differs
            from `source` where the options of the conversion ask for another type.
        state: of an input that is state, the output that has its next value, and the other way round; else "".
    """

    role: str
    graph: str
    name: str
    source: Border | None
    type: TensorType | None
    stored: Border | None = None
    state: str = ""

    @property
    def place(self) -> str:
        """The role and name of the input or output, such as "input 'image'", for messages."""
        return f"{self.role} {self.name!r}"

    @property
    def quant(self) -> Quant | None:
        """The quantization of the result's elements; None if they have none, or if it is unknown.

        TOSA's types have none, so it is then that of `stored`, if the element type is the same. If only the bits are,
        it is None: uint8 200 with zero point 128 stands for 72 steps; its bits are -56 in int8, which no zero point
        turns into 72 for all elements.
        """
        if self.type is None or self.type.quant is not None or self.stored is None:
            return None if self.type is None else self.type.quant
        return self.stored.type.quant if self.stored.type.dtype is self.type.dtype else None

    @property
    def remark(self) -> str:
        """How the result's elements hold the source's, if the types alone don't tell that; else ""."""
        texts = []
        if self.stored is not None and self.type is not None:
            dtype, order = self.stored.type.dtype, self.stored.permutation
            if dtype in _UNSIGNED and self.type.dtype is SIGNLESS[dtype]:
                # Options of the conversion may ask for another type than the source's.
                is_other_type = self.source is not None and self.source.type != self.stored.type
                bits = f"those of {type_words(dtype, self.stored.type.quant)}" if is_other_type else "the same"
                texts.append(f"the bits are {bits}, so read them without sign")
            if dtype is DType.I64 and self.type.dtype is DType.I32 and self.role == INPUT:
                texts.append("`run` and `verify` refuse values beyond")
            if order:
                texts.append(_LAYOUTS.get(order, f"dimension i is dimension {list(order)}[i] of the source"))
        return "; ".join(texts)

    @property
    def change(self) -> str:
        """How the result's elements differ from the source's in type, quantization or layout; "" if they don't."""
        if self.source is None or self.type is None:
            return ""
        old, new = self.source.type, self.type._replace(quant=self.quant)
        quant_is_unknown = self.stored is None and new.quant is None
        if old.dtype is new.dtype and (quant_is_unknown or _plain_quant(old.quant) == _plain_quant(new.quant)):
            return self.remark
        # A remark tells that the bits are the source's: they keep its quantization, which then isn't named as changed.
        keeps_bits = self.stored is not None and self.stored.type.quant == old.quant and bool(self.remark)
        quants = (None, None) if new.quant is None and keeps_bits else (old.quant, new.quant)
        texts = [type_words(dtype, quant) for dtype, quant in zip((old.dtype, new.dtype), quants, strict=True)]
        became = " became ".join(texts)
        return f"{became}: {self.remark}" if self.remark else became

    @property
    def is_unchanged(self) -> bool:
        """Whether the result's elements are the source's in type, quantization and layout; False without a result."""
        return self.source is not None and self.type is not None and not self.change

    def figures(self) -> dict[str, Any]:
        """Returns the row as plain data, for JSON; None is an unknown type or dimension."""
        return {
            "role": self.role,
            "graph": self.graph,
            "name": self.name,
            "source_name": None if self.source is None else self.source.name,
            "source": None if self.source is None else _type_figures(self.source.type, self.source.type.quant),
            "result": None if self.type is None else _type_figures(self.type, self.quant),
            "permutation": list(self.stored.permutation) if self.stored is not None else [],
            "unchanged": self.is_unchanged,
            "change": self.change,
            "state": self.state,
        }


def _type_figures(type: TensorType, quant: Quant | None) -> dict[str, Any]:
    """Returns a type's element type and shape, and a quantization if there is one, as plain data for JSON."""
    figures: dict[str, Any] = {"dtype": type.dtype.value, "shape": list(type.shape)}
    if quant is not None:
        figures |= {"scale": list(quant.scale), "zero_point": list(quant.zero_point), "axis": quant.axis}
    return figures


def _plain_quant(quant: Quant | None) -> Quant | None:
    """Returns a quantization per tensor or axis; None for scales by block or at run time, as in `Border.of`."""
    return None if quant is None or quant.block or quant.rows else quant


def type_words(dtype: DType, quant: Quant | None) -> str:
    """Returns an element type with its quantization to the last digit: "int8 scale 0.5 zero point -128"."""
    return f"{dtype.plain_name} {quant_words(quant, repr)}" if quant is not None else dtype.plain_name


def quant_words(quant: Quant | None, number: Callable[[float], str] = "{:.6g}".format) -> str:
    """Returns a quantization in words: "scale 0.5 zero point -128", "" for none; `number` formats a scale."""
    if quant is None:
        return ""
    if quant.rows:
        return "quantized at run time"
    if not quant.per_tensor:
        return f"{len(quant.scale)} scales along axis {quant.axis}"
    return f"scale {number(quant.scale[0])} zero point {quant.zero_point[0]}"


def shape_words(type: TensorType) -> str:
    """Returns an element type with its shape, "?" for unknown dimensions: "int8[?,10]"."""
    return f"{type.dtype.plain_name}[{','.join('?' if size is None else str(size) for size in type.shape)}]"


def border_rows(model: Model, originals: Mapping[Graph, Graph] | None = None) -> list[BorderRow]:
    """Returns a row for each input and output of the graphs of a model that callers run.

    Args:
        model: a conversion, or a model as it was read. The rows' `source` is what `model.border` returns. A model of
            another opset than TOSA without such a record is a source itself: its rows have no result.
        originals: the source's graph by the model's graph; it replaces the record. Inputs and outputs of both are in
            the same order; those for state come last.
    """
    return [row for graph in _entry_graphs(model) for row in _rows(model, graph, (originals or {}).get(graph))]


def _entry_graphs(model: Model) -> list[Graph]:
    """Returns the graphs that callers run: the main graph and those of signatures; of TOSA, every graph."""
    if model.opset == "tosa":
        return list(model.graphs.values())
    names = {model.main.name, *(signature.graph for signature in model.signatures.values())}
    return [graph for name, graph in model.graphs.items() if name in names]


def _rows(model: Model, graph: Graph, original: Graph | None) -> Iterator[BorderRow]:
    """Yields the rows of one graph, inputs first; `original` is the source's graph, None if there is none.

    State that the source keeps inside is an input and an output of `graph` without counterparts in `original`.
    """
    states = model.states.get(graph.name, ()) or (model.main_states if graph is model.main else ())
    inner = {name for state in states if not state.carried for name in (state.input, state.output)}
    inputs, outputs = ((), ()) if original is None else (original.inputs, original.outputs)
    partners = {state.input: state.output for state in states}
    names = model.caller_names(graph)
    for role, values, old_values, pairs in (
        (INPUT, graph.inputs, inputs, partners),
        (OUTPUT, graph.outputs, outputs, {output: name for name, output in partners.items()}),
    ):
        source_values = iter(old_values)
        for value in values:
            state = pairs.get(value.name, "")
            old = None if value.name in inner else next(source_values, None)
            yield _row(model, value, old)._replace(role=role, graph=graph.name, name=names[value], state=state)


def _row(model: Model, value: Value, old: Value | None) -> BorderRow:
    """Returns the row of an input or output, without name and role; `old` is the source's value or None.

    `stored` is what the elements of `value` stand for. For TOSA that is the recorded `Border`, for other operators the
    value's own type. A value of a model that is a source itself has no result.
    """
    record = model.border(value)
    source = record if old is None else Border(old.name, old.type)
    stored = record
    if model.opset == "chain" and old is not None:
        stored = record or Border.of(old)
    elif model.opset not in ("tosa", "chain"):
        stored = Border.of(value)._replace(permutation=record.permutation if record is not None else ())
        if source is None:
            return BorderRow("", "", "", Border(value.name, value.type), None)
    return BorderRow("", "", "", source, value.type, stored)
