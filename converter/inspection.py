"""What a file holds, as a report: tensors, operators, signatures, and the profiles and extensions that it needs."""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tosa_converter.conversion import Converted, count_ops
from tosa_converter.display import Summarized
from tosa_converter.errors import FormatError, UnsupportedError, VerifyError
from tosa_converter.formats.capacity import GIGABYTE, integer_bytes
from tosa_converter.formats.flexbuffer import decode
from tosa_converter.formats.spirv.constants import path_beside
from tosa_converter.ir import BorderRow, Graph, Model, Op, Quant, State, Value, border_rows
from tosa_converter.ir.state_pairs import find_state_pairs
from tosa_converter.rules.target import Target, needs

MOST_CONVERTED = 1 << 28  # bytes of integer constants of a source that is converted to see what it needs


@dataclass(frozen=True, slots=True)
class TensorInspection:
    """A tensor's name, type and quantization; None is an unknown dimension."""

    name: str
    dtype: str
    shape: tuple[int | None, ...]
    quantization: Quant | None
    op: str | None = None  # what makes it, and where that comes from
    location: str | None = None
    source: "TensorInspection | None" = None  # of an input or output of TOSA, what its source says
    permutation: tuple[int, ...] | None = None  # dimension i is dimension permutation[i] of the source's

    def __str__(self) -> str:
        """Returns the tensor on one line, with what the source says of it where that is known."""
        order = f" permuted by {list(self.permutation)}" if self.permutation else ""
        return self._text() if self.source is None else f"{self._text()}  from {self.source._text()}{order}"

    def _text(self) -> str:
        """Returns the tensor's own name, type and quantization as text, without those in the source."""
        dims = ",".join("?" if size is None else str(size) for size in self.shape)
        quant = self.quantization
        if quant is None:
            return f"{self.name}  {self.dtype}[{dims}]"
        if quant.rows:
            return f"{self.name}  {self.dtype}[{dims}]  quantized at run time"
        many = f" ({len(quant.scale)} along axis {quant.axis})" if len(quant.scale) > 1 else ""
        first = f"scale {quant.scale[0]:.6g} zero point {quant.zero_point[0]}"
        return f"{self.name}  {self.dtype}[{dims}]  {first}{many}"


@dataclass(frozen=True, slots=True)
class CustomInspection:
    """A custom operator; its options are decoded if they are a FlexBuffer's map, else their bytes in hexadecimal."""

    location: str
    custom_code: str
    options: dict[str, Any] | str


@dataclass(frozen=True, slots=True)
class GraphInspection:
    """One graph."""

    name: str
    ops: int  # constants left out
    constants: int
    constant_bytes: int
    inputs: tuple[TensorInspection, ...]
    outputs: tuple[TensorInspection, ...]
    custom: tuple[CustomInspection, ...]
    tensors: tuple[TensorInspection, ...]  # results of operators, in order
    states: tuple[tuple[str, str], ...] = ()  # inputs, and the outputs that are the next run's


@dataclass(frozen=True, slots=True, repr=False)
class Inspection(Summarized):
    """One file: `needs` is a target, or why the source can't be converted to one."""

    file: str
    bytes: int
    opset: str
    graphs: tuple[GraphInspection, ...]
    signatures: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]]  # graph, names of inputs, names of outputs
    ops: dict[str, int]
    needs: Target | str
    notes: tuple[tuple[str, str], ...] = ()  # of the reader: place, text
    borders: tuple[BorderRow, ...] = ()  # of the graphs that callers run; of a source, what a conversion makes of them

    def figures(self) -> dict[str, Any]:
        """Returns the report as plain data, for JSON."""
        figures: dict[str, Any] = asdict(replace(self, borders=()), dict_factory=_without_absent)
        for name, (graph, inputs, outputs) in self.signatures.items():
            figures["signatures"][name] = {"graph": graph, "inputs": inputs, "outputs": outputs}
        return figures | {"needs": str(self.needs), "borders": [row.figures() for row in self.borders]}


def _without_absent(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Returns the fields of a report as a dict without None; a quantization becomes a dict of its fields."""
    fields = {key: value._asdict() if isinstance(value, Quant) else value for key, value in pairs}
    return {key: value for key, value in fields.items() if value is not None}


def inspect_model(model: Model, convert: Callable[[Model], Converted]) -> Inspection:
    """Returns the report of what a model holds.

    Args:
        model: of any opset.
        convert: returns the conversion of a source.
    """
    required, borders = _needs_and_borders(model, convert)
    return Inspection(
        model.source,
        os.path.getsize(model.source) if os.path.exists(model.source) else 0,
        model.opset,
        tuple(_graph(model, graph) for graph in model.graphs.values()),
        {name: (s.graph, tuple(s.inputs), tuple(s.outputs)) for name, s in model.signatures.items()},
        dict(count_ops(model).most_common()),
        required,
        (*model.notes, *_companion_notes(model)),
        tuple(borders),
    )


def _companion_notes(model: Model) -> Iterator[tuple[str, str]]:
    """Yields a note if constants of a SPIR-V module are in a second file beside it."""
    if model.source.endswith(".spv") and (path := path_beside(Path(model.source))).exists():
        yield model.source, f"constants are in {str(path)!r}"


def pieces(chain: Model) -> Model:
    """Returns the TOSA steps of a chain (a model converted in part) as one model of graphs named by their number."""
    parts: list[Model] = [op.attributes["model"] for op in chain.main]
    return Model({str(i): part.main for i, part in enumerate(parts) if part.opset == "tosa"})


def _needs_and_borders(model: Model, convert: Callable[[Model], Converted]) -> tuple[Target | str, Sequence[BorderRow]]:
    """Returns the target that a TOSA model or the conversion of a source needs, and the rows of inputs and outputs.

    In place of the target there is the reason if a source can't be converted, or is too large to try; its rows then
    have no result.
    """
    if model.opset in ("tosa", "chain"):
        return needs(model if model.opset == "tosa" else pieces(model)), border_rows(model)
    size = integer_bytes(model)
    if size > MOST_CONVERTED:
        # Rules look at every quantized weight, for the range of its sums: 6 GB of them take a minute.
        return f"not determined for {size / GIGABYTE:.1f} GB of quantized constants: a conversion tells", border_rows(
            model
        )
    try:
        report = convert(model).report
        return report.needs, report.borders
    except UnsupportedError as error:
        count = len(error.places)
        reason = f"can't be converted: {count} unsupported operator{'s' if count > 1 else ''}"
    except VerifyError as error:
        reason = f"can't be converted: {error.problems[0]}"
    return reason, border_rows(model)


def _graph(model: Model, graph: Graph) -> GraphInspection:
    """Returns the inspection of one graph."""
    constants = [op.attributes["values"].nbytes for op in graph.walk() if "values" in op.attributes]
    return GraphInspection(
        graph.name,
        sum(1 for op in graph.walk() if "values" not in op.attributes),
        len(constants),
        sum(constants),
        tuple(_input_or_output(model, value) for value in graph.inputs),
        tuple(_input_or_output(model, value) for value in graph.outputs),
        tuple(_custom(op) for op in graph.walk() if op.name == "tfl.custom"),
        tuple(_tensor(value, op) for op in graph.walk() for value in op.results),
        tuple((state.input, state.output) for state in _states(model, graph)),
    )


def _states(model: Model, graph: Graph) -> Sequence[State]:
    """Returns a graph's recorded states, or else the pairs of inputs and outputs that callers carry between runs."""
    return model.states.get(graph.name, ()) or find_state_pairs(model).get(graph.name, ())


def _input_or_output(model: Model, value: Value) -> TensorInspection:
    """Returns the inspection of a graph's input or output; for TOSA, with its name and type in the source."""
    border, tensor = model.border(value), _tensor(value)
    if border is None or model.opset != "tosa":
        return tensor
    source = TensorInspection(border.name, border.type.dtype.value, border.type.shape, border.type.quant)
    return replace(tensor, source=source, permutation=border.permutation or None)


def _tensor(value: Value, op: Op | None = None) -> TensorInspection:
    """Returns the inspection of a tensor, with the name and location of the operator that computes it."""
    producer = (None, None) if op is None else (op.name, op.location)
    return TensorInspection(value.name, value.type.dtype.value, value.type.shape, value.type.quant, *producer)


def _custom(op: Op) -> CustomInspection:
    """Returns the inspection of a custom operator; options that aren't a FlexBuffers map stay hexadecimal."""
    raw: bytes = op.attributes["custom_options"]
    try:
        options = decode(raw)
        json.dumps(options)
    except (FormatError, TypeError, ValueError):
        options = None
    return CustomInspection(
        op.location, op.attributes["custom_code"], options if isinstance(options, dict) else raw.hex()
    )
