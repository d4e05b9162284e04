"""Inputs and outputs of a TFLite graph as the source of the TOSA graph has them: names, types and quantization."""

from collections.abc import Iterator, Sequence
from copy import copy
from typing import Any

from tosa_converter.dtypes import DType
from tosa_converter.ir import Border, Form, Graph, Model, Op, Quant, TensorType, Value, unique_names
from tosa_converter.ir.edit import replace_borders
from tosa_converter.legalize.invert.tflite.builder import TflBuilder
from tosa_converter.rewriting.report import Note, Options, Report

# Operators of which LiteRT asks neither scale nor zero point.
UNSCALED = frozenset({"tfl.bitcast", "tfl.cast"})
INNER = "_inner"  # names end so of what a border is made of, or what is made of it
SIGN = -128  # the bit in which int8 and uint8 of one quantization differ


class Borders:
    """The pass that gives a model's inputs and outputs the types and quantization that the source model had.

    An operator computes on the scales that its multipliers need. Where an input or output has another scale, a RESHAPE
    between them keeps the bits as they are. uint8 is converted by QUANTIZE, which is exact if the scales are equal.
    """

    name = "borders"

    def run(self, model: Model, _options: Options, report: Report, /) -> Model:
        """Gives inputs and outputs of all graphs the source's types, in place; returns a new `Model` if any were known.

        The report gets a note for each input and output whose scale the source doesn't give.
        """
        changed = False
        for graph in model.graphs.values():
            changed |= _Borders(model, graph).restore()
            report.notes += _unknown_scale_notes(model, graph)
        return copy(model) if changed else model


def _unknown_scale_notes(model: Model, graph: Graph) -> Iterator[Note]:
    """Yields a note for each input and output whose scale is 1 because the source gives no other."""
    for border_kind, values in (("input", graph.inputs), ("output", graph.outputs)):
        for value in values:
            border = model.border(value)
            if border is not None and not border.name and border.type.quant and border.type.quant.scale == (1.0,):
                yield Note(f"{border_kind} {value.name!r}", "its scale is not known: 1.0 stands for it")


def flips_sign(op: Op) -> bool:
    """Returns whether an operator is BITWISE_XOR with -128, which turns uint8 to int8 (value - 128), or back."""
    if op.name != "tfl.bitwise_xor":
        return False
    constants = [value.constant for value in op.operands if value.constant is not None]
    return len(constants) == 1 and constants[0].dtype.itemsize == 1 and bool((constants[0] == SIGN).all())


def signed(quant: Quant) -> Quant:
    """Returns the int8 quantization that represents the same real numbers as a uint8 one: zero points less 128."""
    return quant._replace(zero_point=tuple(zero_point + SIGN for zero_point in quant.zero_point))


class _Borders:
    """Restores the types of one graph's inputs and outputs; `ops` are the conversions that are added for them."""

    def __init__(self, model: Model, graph: Graph) -> None:
        """Prepares to give a graph's inputs and outputs the names and types that they have in the source.

        `ops` collects the conversions that are added for them.
        """
        self.model = model
        self.graph = graph
        self.users = graph.uses()
        self.ops: list[Op] = []

    def restore(self) -> bool:
        """Restores the source's inputs and outputs, and their names; returns whether any source type is known."""
        graph = self.graph
        borders = {v: border for v in (*graph.inputs, *graph.outputs) if (border := self.model.border(v)) is not None}
        if not borders:
            return False
        inputs = {value: self._source_input(value, borders[value]) for value in graph.inputs if value in borders}
        # `ops` has collected the operators behind new inputs; from here on it collects those in front of new outputs.
        input_conversions, self.ops = self.ops, []
        outputs = {value: self._source_output(value, borders[value]) for value in graph.outputs if value in borders}
        replace_borders(self.model, graph, inputs, outputs, input_conversions, self.ops)
        values = list(dict.fromkeys((*graph.inputs, *graph.outputs)))
        sources = [self.model.borders.get(value) for value in values]
        names = unique_names(
            border.name if border is not None and border.name else v.name
            for v, border in zip(values, sources, strict=True)
        )
        renamed = dict(zip((value.name for value in values), names, strict=True))
        for value, name in zip(values, names, strict=True):
            value.name = name
        states = self.model.states.get(graph.name, ())
        if states:
            moved = [s._replace(input=renamed[s.input], output=renamed[s.output]) for s in states]
            self.model.states = {**self.model.states, graph.name: tuple(moved)}
        return True

    def _source_input(self, value: Value, border: Border) -> Value:
        """Returns an input of the source's type: `value` itself if it has that type or can get it, else a new value.

        The new value takes the name, and `value` gets the suffix INNER. The new value's bits are copied to `value`; but
        readers that turn uint8 to int8 by BITWISE_XOR are replaced by QUANTIZE of the new value.
        """
        source_input, readers = Value(_source_type(value, border), value.name), self.users.get(value, [])
        if self._has_or_gets_type(value, source_input.type, readers):
            return value
        value.name += INNER
        sign_conversions = [op for op in readers if _is_scaled_uint8(source_input) and flips_sign(op)]
        for op in sign_conversions:
            self._append_quantize(source_input, op.result)
        self.graph.ops = [op for op in self.graph.ops if op not in sign_conversions]
        if len(sign_conversions) < len(readers) or value in self.graph.outputs:
            self._append_bit_copy(source_input, value)
        return source_input

    def _source_output(self, value: Value, border: Border) -> Value:
        """Returns an output of the source's type: `value` itself if it has that type or can get it, else a new value.

        The new value takes the name, and `value` gets the suffix INNER. Its bits are copied to the new value; but if a
        BITWISE_XOR turned int8 to uint8, QUANTIZE takes its place.
        """
        source_output, producer = Value(_source_type(value, border), value.name), value.producer
        if self._has_or_gets_type(
            value, source_output.type, [*self.users.get(value, []), *([producer] if producer else [])]
        ):
            return value
        value.name += INNER
        if _is_scaled_uint8(source_output) and producer is not None and flips_sign(producer):
            self._append_quantize(next(x for x in producer.operands if x.constant is None), source_output)
        else:
            self._append_bit_copy(value, source_output)
        return source_output

    def _has_or_gets_type(self, value: Value, type: TensorType, around: Sequence[Op]) -> bool:
        """Returns whether a value has a type; a value of this element type without quantization gets it if it may.

        It may if all operators `around` it, which read or compute it, are in `UNSCALED`: LiteRT doesn't read its scale
        then.
        """
        if (
            value.type.dtype is type.dtype
            and value.type.quant is None
            and UNSCALED.issuperset(op.name for op in around)
        ):
            value.type = type
        return value.type == type

    def _append_quantize(self, x: Value, result: Value) -> None:
        """Appends QUANTIZE from a uint8 value x to an int8 result, or from int8 to uint8.

        QUANTIZE needs an int8 value of the same scale. If the int8 value has another type and can't get that one, a new
        value is converted, and its bits are copied to or from the int8 value.
        """
        unsigned = x if x.type.dtype is DType.UI8 else result
        assert unsigned.type.quant is not None
        inner = TensorType(DType.I8, x.type.shape, signed(unsigned.type.quant))
        if x is unsigned:
            y = (
                result
                if self._has_or_gets_type(result, inner, self.users.get(result, []))
                else Value(inner, x.name + Form.FLIPPED.value)
            )
            self._append_op("quantize", x, y)
            if y is not result:
                self._append_bit_copy(y, result)
            return
        if not self._has_or_gets_type(x, inner, [*self.users.get(x, []), *([x.producer] if x.producer else [])]):
            y = Value(inner, result.name + Form.FLIPPED.value)
            self._append_bit_copy(x, y)
            x = y
        self._append_op("quantize", x, result)

    def _append_bit_copy(self, x: Value, result: Value) -> None:
        """Appends a copy of the bits: RESHAPE to another scale, BITCAST to another sign, CAST to another width."""
        if x.type.dtype is result.type.dtype:
            shape = result.type.static
            sizes = TflBuilder(Graph("borders")).ints(shape)
            self._append_op("reshape", x, result, sizes, new_shape=shape)
        else:
            self._append_op("bitcast" if x.type.dtype.bits == result.type.dtype.bits else "cast", x, result)

    def _append_op(self, name: str, x: Value, result: Value, *constants: Value, **options: Any) -> None:
        """Adds a TFLite operator `name` of x that computes an existing value, `result`, in place of its producer."""
        op = Op(f"tfl.{name}", [x, *constants], [result.type], options, location=f"border {result.name!r}")
        op.results, result.producer = (result,), op
        self.ops.append(op)


def _source_type(value: Value, border: Border) -> TensorType:
    """Returns the type that an input or output gets: the source's, but the graph's for floats and 4-bit elements."""
    type = border.type
    if type.dtype.is_float or type.dtype is DType.I4:
        return value.type
    return TensorType(type.dtype, value.type.shape, type.quant)


def _is_scaled_uint8(outer: Value) -> bool:
    """Returns whether an input or output is uint8 with one scale: QUANTIZE converts it to int8."""
    return outer.type.dtype is DType.UI8 and outer.type.quant is not None and outer.type.quant.per_tensor
