"""Other borders for a TFLite graph: its inputs and outputs in another element type or layout.

What QUANTIZE or DEQUANTIZE does at a border is left out where the other type is the one behind it, else the operator
is added. The graph stays one of TFLite operators, so LiteRT runs it too.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import UsageError, did_you_mean, list_names
from tosa_converter.ir import Border, Graph, Model, Op, Quant, TensorType, Value
from tosa_converter.ir.borders import CHANGED
from tosa_converter.ir.edit import copy_model, substitute
from tosa_converter.schemas.opsets import TFL_CONSTANT

TYPES = {
    "keep": None,
    "float32": DType.FP32,
    "float16": DType.FP16,
    "int8": DType.I8,
    "uint8": DType.UI8,
    "int16": DType.I16,
}
Perm: TypeAlias = tuple[int, ...]


class InterfaceLayout(NamedTuple):
    """Permutations of dimensions: `to_graph` from the user's layout to that of the graph, `to_interface` back."""

    to_graph: Perm
    to_interface: Perm


LAYOUTS = {"nchw": InterfaceLayout((0, 2, 3, 1), (0, 3, 1, 2)), "nhwc": InterfaceLayout((0, 3, 1, 2), (0, 2, 3, 1))}
_REAL = (DType.FP32, DType.FP16)
_STORED = (DType.I8, DType.UI8, DType.I16)
_FINE, _COARSE = 128, 256  # 16-bit steps in one of 8 bits, of which 255 fit; and the other way round

T = TypeVar("T")


_OPTIONS = {"--io-type (io_types)": 0, "--io-layout (io_layouts)": 1}


def with_borders(model: Model, types: Mapping[str, str], layouts: Mapping[str, str]) -> Model:
    """Returns a TFLite model whose inputs and outputs have other types or layouts.

    Quantized inputs and outputs keep their scale. An int16 one in place of 8 bits gets a 128th of the scale, so that no
    level is lost; an 8-bit one in place of int16 gets 256 times the scale.

    Args:
        model: as it was read; it isn't changed.
        types: of `TYPES`, by name; the name "" stands for all other inputs and outputs whose elements represent reals.
        layouts: by name, of `LAYOUTS`, for images of rank 4.

    Raises:
        UsageError: a name, type or layout doesn't exist, or doesn't fit the graph.
    """
    if not types and not layouts:
        return model
    if model.opset != "tfl":
        options = " and ".join(name for name, value in _OPTIONS.items() if (types, layouts)[value])
        raise UsageError(f"{options}: expected a TFLite model, found a model of {model.opset} operators")
    if "" in layouts:
        raise UsageError(f"--io-layout (io_layouts): expected NAME={layouts['']}, found no name of an input or output")
    dtypes = {name: _choose_value(TYPES, "type", name, text) for name, text in types.items()}
    permutations = {name: _choose_value(LAYOUTS, "layout", name, text) for name, text in layouts.items()}
    new = copy_model(model)
    entry_graphs = dict.fromkeys([new.main, *(new.graphs[s.graph] for s in new.signatures.values())])
    names = {graph: _names_of_borders(new, graph) for graph in entry_graphs}
    _require_names([*types, *layouts], {name for own_names in names.values() for name in own_names})
    for graph, own_names in names.items():
        _InterfaceChange(
            new, graph, _key_by_tensor_name(dtypes, own_names), _key_by_tensor_name(permutations, own_names)
        ).change()
    new.edited = True
    return new


def stored_types(model: Model) -> dict[str, str]:
    """Maps float inputs that only QUANTIZE reads, and float outputs of DEQUANTIZE, to the integer type behind them.

    With these as requested types, the model's interface becomes integers. Keys are the names of inputs and outputs,
    values are names such as "int8".
    """
    names = {dtype: name for name, dtype in TYPES.items() if dtype in _STORED}
    stored_values: list[tuple[Value, Value]] = []  # floats at the interface, and the integers behind them
    for graph in dict.fromkeys([model.main, *(model.graphs[s.graph] for s in model.signatures.values())]):
        users = graph.uses()
        for value in graph.inputs:
            readers = users.get(value, [])
            stored = {op.result.type: op.result for op in readers if op.name == "tfl.quantize"}
            if len(stored) == 1 and all(op.name == "tfl.quantize" for op in readers):
                stored_values += [(value, result) for result in stored.values()]
        producers = [(value, value.producer) for value in graph.outputs]
        stored_values += [(value, op.operands[0]) for value, op in producers if op and op.name == "tfl.dequantize"]
    return {
        real.name: names[stored.type.dtype]
        for real, stored in stored_values
        if real.type.dtype in _REAL and stored.type.dtype in names
    }


def _names_of_borders(model: Model, graph: Graph) -> dict[str, str]:
    """Maps the names that options may use for a graph's inputs and outputs to those of their tensors.

    They are the names of tensors, or those that signatures have for them; "" stands for all.
    """
    borders = {*graph.inputs, *graph.outputs}
    called = [item for s in model.signatures.values() for item in (*s.inputs.items(), *s.outputs.items())]
    names = {name: value.name for name, value in called if value in borders}
    return names | {value.name: value.name for value in borders} | {"": ""}


def _key_by_tensor_name(chosen: Mapping[str, T], names: Mapping[str, str]) -> dict[str, T]:
    """Returns the options' choices by tensor name; `names` maps the options' names to tensors of one graph.

    Choices for names that aren't in `names`, which belong to other graphs, are left out.
    """
    return {names[name]: choice for name, choice in chosen.items() if name in names}


def _require_names(options: Sequence[str], names: Collection[str]) -> None:
    """Raises UsageError if an option has a name that no input or output has."""
    for name in options:
        if name not in names:
            expected = sorted(filter(None, names))
            raise UsageError(
                f"expected the name of an input or output, one of {list_names(expected)}, found {name!r}"
                f"{did_you_mean(name, expected)}"
            )


def _choose_value(values: Mapping[str, T], kind: str, name: str, text: str) -> T:
    """Returns the value that an option's text stands for; for another text, raises UsageError.

    `kind` (type or layout) and `name` (of an input or output, "" for all) are for the error.
    """
    if text not in values:
        place = f"input or output {name!r}" if name else "all inputs and outputs"
        similar = did_you_mean(text, values)
        raise UsageError(f"{place}: expected a {kind} of {', '.join(values)}, found {text!r}{similar}")
    return values[text]


class _InterfaceChange:
    """Changes the types and layouts of one graph's inputs and outputs.

    `replaced` maps values that operators read to the values that they shall read instead.
    """

    def __init__(
        self, model: Model, graph: Graph, types: Mapping[str, DType | None], layouts: Mapping[str, InterfaceLayout]
    ) -> None:
        """Prepares to change types and layouts of one graph's inputs and outputs; both mappings are by name."""
        self.model = model
        self.graph = graph
        self.types = types
        self.layouts = layouts
        self.users = self.graph.uses()
        self.replaced: dict[Value, Value] = {}
        self.left_out: set[Op] = set()  # QUANTIZEs and DEQUANTIZEs that the new inputs and outputs replace
        self.ops: list[Op] = []  # those that are added

    def change(self) -> None:
        """Replaces the graph's inputs and outputs, adds the operators that convert them, and updates the signatures.

        Operators in `left_out` are removed unless something still reads their result.
        """
        graph = self.graph
        inputs = {value: self._replace_input(value) for value in graph.inputs}
        input_conversions, self.ops = self.ops, []
        outputs = {value: self._replace_output(value) for value in dict.fromkeys(graph.outputs)}
        for op in (*graph.ops, *self.ops):
            op.inputs = substitute(op.inputs, self.replaced)
        outputs = {old: self.replaced.get(new, new) for old, new in outputs.items()}
        graph.inputs, graph.outputs = [inputs[v] for v in graph.inputs], [outputs[v] for v in graph.outputs]
        ops = [*input_conversions, *graph.ops, *self.ops]
        read = {*graph.outputs, *(value for op in ops for value in op.inputs)}
        graph.ops = [op for op in ops if op not in self.left_out or op.result in read]
        for kind, values in (("input", inputs), ("output", outputs)):
            for old, new in values.items():
                if old.type != new.type:
                    self.model.notes.append((f"{kind} {new.name!r}", f"{CHANGED} {old.type} to {new.type}"))
        for name, s in self.model.signatures.items():
            self.model.signatures[name] = s.with_values(inputs, outputs)

    def _replace_input(self, value: Value) -> Value:
        """Returns the graph input that replaces `value` in the requested type and layout.

        Operators that convert it back are added. If the options ask for integers in place of floats, the new input
        replaces the results of the QUANTIZEs that read `value`.
        """
        dtype, replaced, inner_type = self._requested_dtype(value), [value], value.type
        if dtype in _STORED and inner_type.dtype in _REAL:
            quantizes = self._quantize_readers(value)
            replaced, inner_type = [op.result for op in quantizes], quantizes[0].result.type
            self.left_out.update(quantizes)
        outer = Value(_border_type(value.name, inner_type, dtype), value.name)
        layout = self.layouts.get(value.name)
        if layout is not None:
            # Records the type in the source's order of dimensions.
            self.model.borders[outer] = Border(value.name, outer.type, layout.to_interface)
            outer.type = _transposed_type(value.name, outer.type, layout.to_interface)
        x = outer if layout is None else self._transpose(outer, layout.to_graph)
        x = self._convert(x, inner_type)
        if x is outer and replaced == [value]:
            return value
        shape = self.model.default_shapes.pop(value, None)
        if shape is not None:
            self.model.default_shapes[outer] = shape if layout is None else tuple(shape[i] for i in layout.to_interface)
        self.replaced.update(dict.fromkeys(replaced, x))
        return outer

    def _replace_output(self, value: Value) -> Value:
        """Returns the graph output that replaces `value` in the requested type and layout; adds the conversion.

        If integers replace floats, the operand of the DEQUANTIZE that computes `value` becomes the output, and the
        DEQUANTIZE is left out. The output takes the name of `value`, which gets the suffix of its type; an input or a
        constant that becomes the output keeps its own name.
        """
        dtype, x = self._requested_dtype(value), value
        if dtype in _STORED and value.type.dtype in _REAL:
            producer = value.producer
            if producer is None or producer.name != "tfl.dequantize" or producer.operands[0].type.dtype not in _STORED:
                raise UsageError(
                    f"output {value.name!r}: expected a DEQUANTIZE that gives {value.type} its scale, found none"
                )
            self.left_out.add(producer)
            x = producer.operands[0]
        y = self._convert(x, _border_type(value.name, x.type, dtype))
        layout = self.layouts.get(value.name)
        if layout is not None:
            # Records the type in the source's order of dimensions.
            border = Border(value.name, y.type, layout.to_interface)
            y = self._transpose(y, layout.to_interface)
            self.model.borders[y] = border
        if y is not value and y.producer is not None and y.constant is None:
            value.name, y.name = f"{value.name}_{value.type.dtype.value}", value.name
        return y

    def _requested_dtype(self, value: Value) -> DType | None:
        """Returns the element type that the options ask for an input or output, None for no change.

        The name "" is the choice for all inputs and outputs that stand for reals.
        """
        if value.name in self.types:
            return self.types[value.name]
        represents_reals = value.type.dtype in _REAL or (value.type.dtype in _STORED and value.type.quant is not None)
        return self.types.get("") if represents_reals else None

    def _quantize_readers(self, value: Value) -> list[Op]:
        """Returns the operators that read a float input, after checking that they are QUANTIZE to one type.

        Only these tell the scale with which the input can become integers; other readers raise UsageError.
        """
        users = self.users.get(value, [])
        types = {op.result.type if op.name == "tfl.quantize" else None for op in users}
        if value in self.graph.outputs or len(types) != 1 or None in types:
            raise UsageError(
                f"input {value.name!r}: expected QUANTIZE alone to read {value.type} "
                "and give it a scale, found other readers"
            )
        return users

    def _convert(self, x: Value, to: TensorType) -> Value:
        """Adds TFLite operators that convert `x` to another type, fp16 by way of fp32; returns the result."""
        if x.type == to:
            return x
        source, target = x.type.dtype, to.dtype
        if DType.FP16 in (source, target) and DType.FP32 not in (source, target):
            return self._convert(self._convert(x, TensorType(DType.FP32, x.type.shape)), to)
        name = "tfl.quantize" if target in _STORED else "tfl.cast" if target is DType.FP16 else "tfl.dequantize"
        return self._append_op(name, [x], to, f"{x.name}_{target.value}")

    def _transpose(self, x: Value, perm: Perm) -> Value:
        """Adds a TFLite TRANSPOSE of the image x, and returns its result."""
        type = _transposed_type(x.name, x.type, perm)
        values = {"values": np.array(perm, np.int32)}
        self.ops.append(Op(TFL_CONSTANT, (), [TensorType(DType.I32, (4,))], values, result_names=[f"{x.name}_perm"]))
        return self._append_op("tfl.transpose", [x, self.ops[-1].result], type, f"{x.name}_turned")

    def _append_op(self, name: str, operands: Sequence[Value], type: TensorType, result: str) -> Value:
        """Adds a TFLite operator that converts an input or output of the graph; returns its result, named `result`."""
        self.ops.append(Op(name, operands, [type], location=f"border {operands[0].name!r}", result_names=[result]))
        return self.ops[-1].result


def _border_type(name: str, type: TensorType, dtype: DType | None) -> TensorType:
    """Returns the type of the input or output `name` with element type `dtype`; None keeps the type.

    Floats become other floats. Integers of 8 or 16 bits with one scale become floats, or each other with their scale
    adapted. All else raises UsageError.
    """
    quant = type.quant
    if dtype is None or dtype is type.dtype:
        return type
    if type.dtype in _REAL and dtype in _REAL:
        return TensorType(dtype, type.shape)
    if type.dtype not in _STORED or quant is None or not quant.per_tensor:
        raise UsageError(
            f"input or output {name!r}: expected floats, or 8 or 16 bits with a "
            f"scale, to become {dtype.value}, found {type}"
        )
    return TensorType(dtype, type.shape, None if dtype in _REAL else _border_quant(quant, type.dtype, dtype))


def _border_quant(quant: Quant, source: DType, target: DType) -> Quant:
    """Returns the quantization for a graph's input or output that changes from type `source` to `target`.

    uint8 has zero points 128 above those of int8. A step of 8 bits has 128 steps of int16, so that all 255 fit, and a
    step of int16 becomes 1/256 of one of 8 bits.
    """
    scale, zero_point = quant.scale[0], quant.zero_point[0]
    if target is DType.I16:
        return Quant((scale / _FINE,), (0,))
    zero_point = 0 if source is DType.I16 else zero_point - (128 if source is DType.UI8 else 0)
    return Quant(
        (scale * (_COARSE if source is DType.I16 else 1),), (zero_point + (128 if target is DType.UI8 else 0),)
    )


def _transposed_type(name: str, type: TensorType, perm: Perm) -> TensorType:
    """Returns the type of an image with its dimensions permuted; other ranks raise UsageError."""
    if type.rank != 4:
        raise UsageError(f"input or output {name!r}: expected an image of rank 4 for a layout, found {type}")
    return type._replace(shape=tuple(type.shape[i] for i in perm))
