"""Inputs and outputs of an XNNGraph on the scales that the source of the TOSA graph states."""

from copy import copy

from tosa_converter.ir import Graph, Model, Quant, TensorType, Value
from tosa_converter.ir.edit import replace_borders
from tosa_converter.legalize.invert.xnnpack.builder import XnnBuilder
from tosa_converter.legalize.invert.xnnpack.labels import BYTES, read
from tosa_converter.rewriting.report import Options, Report


class Borders:
    """The pass that gives bytes at the borders the source's scale; a Multiply by 1 takes them to the graph's own."""

    # Scales a and b: XNNPACK multiplies q - zero_point, at most 255, by a * fp32(b / a) / b, which is 1 within 2**-22.
    # The product is off by 255 * 2**-22 = 6e-5 at most, and rounds to the same integer.

    name = "borders"

    def run(self, model: Model, _options: Options, _report: Report, /) -> Model:
        """Changes the graphs in place: inputs and outputs on other scales are replaced."""
        changed = False
        for graph in model.graphs.values():
            first, last = XnnBuilder(Graph("borders")), XnnBuilder(Graph("borders"))
            inputs = {
                value: _input(first, value, quant)
                for value in graph.inputs
                if (quant := _quant(model, value)) is not None
            }
            outputs = {
                value: _output(last, value, quant)
                for value in graph.outputs
                if value not in inputs and (quant := _quant(model, value)) is not None
            }
            changed |= bool(inputs or outputs)
            replace_borders(model, graph, inputs, outputs, first.graph.ops, last.graph.ops)
        return copy(model) if changed else model


def _quant(model: Model, value: Value) -> Quant | None:
    """The source's quantization of bytes that have another one of the same zero point."""
    border, own = model.borders.get(value), value.type.quant
    quant = border.type.quant if border is not None and border.type.dtype is value.type.dtype else None
    if value.type.dtype not in BYTES or quant is None or own is None or not quant.per_tensor or not own.per_tensor:
        return None
    return quant if quant.zero_point == own.zero_point and quant.scale != own.scale else None


def _input(b: XnnBuilder, value: Value, quant: Quant) -> Value:
    """Returns the source's input, from which a node computes the graph's value."""
    assert value.type.quant is not None
    outer = Value(TensorType(value.type.dtype, value.type.shape, quant), value.name)
    producer = read(b, outer, value.type.quant.zero_point[0], value.type.quant.scale[0]).producer
    assert producer is not None
    value.name, value.producer = f"{value.name}_inner", producer
    producer.results = (value,)
    return outer


def _output(b: XnnBuilder, value: Value, quant: Quant) -> Value:
    """Returns the source's output, which a node computes from the graph's value."""
    outer = read(b, value, quant.zero_point[0], quant.scale[0])
    value.name, outer.name = f"{value.name}_inner", value.name
    return outer
