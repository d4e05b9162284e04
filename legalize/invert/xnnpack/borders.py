"""Inputs and outputs of an XNNGraph on the scales that the source of the TOSA graph states."""

from copy import copy

from tosa_converter.ir import Graph, Model, Quant, TensorType, Value
from tosa_converter.ir.edit import replace_borders
from tosa_converter.legalize.invert.xnnpack.builder import XnnBuilder
from tosa_converter.legalize.invert.xnnpack.byte_tensors import BYTES, reinterpret
from tosa_converter.rewriting.report import Options, Report


class Borders:
    """The pass that gives quantized inputs and outputs the source's scale; Multiply by 1 converts to the graph's."""

    # The graph's scale a and the source's b: XNNPACK multiplies q - zero_point, at most 255, by a * fp32(b / a) / b,
    # which is 1 within 2**-22. The product is off by 255 * 2**-22 = 6e-5 at most, and rounds to the same integer.

    name = "borders"

    def run(self, model: Model, _options: Options, _report: Report, /) -> Model:
        """Gives the quantized inputs and outputs of all graphs the source's scale, in place.

        A Multiply by 1 converts to the scale that the graph computes with. Returns a new `Model` if any changed.
        """
        changed = False
        for graph in model.graphs.values():
            values = dict.fromkeys((*graph.inputs, *graph.outputs))
            quants = {value: quant for value in values if (quant := _source_quant(model, value)) is not None}
            input_nodes, output_nodes = XnnBuilder(Graph("borders")), XnnBuilder(Graph("borders"))
            inputs = {x: _source_input(input_nodes, x, quants[x]) for x in graph.inputs if x in quants}
            outputs = {
                y: _source_output(output_nodes, y, quants[y]) for y in graph.outputs if y in quants and y not in inputs
            }
            changed |= bool(quants)
            replace_borders(model, graph, inputs, outputs, input_nodes.graph.ops, output_nodes.graph.ops)
        return copy(model) if changed else model


def _source_quant(model: Model, value: Value) -> Quant | None:
    """Returns the source's quantization of an 8-bit input or output if only the scale differs; else None."""
    border, quant = model.borders.get(value), value.type.quant
    source = border.type.quant if border is not None and border.type.dtype is value.type.dtype else None
    if value.type.dtype not in BYTES or source is None or quant is None or not (source.per_tensor and quant.per_tensor):
        return None
    return source if source.zero_point == quant.zero_point and source.scale != quant.scale else None


def _source_input(b: XnnBuilder, value: Value, quant: Quant) -> Value:
    """Returns a graph input with the source's quantization, in place of `value`.

    An appended XNNPACK node computes `value` from it; the new input takes its name.
    """
    assert value.type.quant is not None
    source_input = Value(TensorType(value.type.dtype, value.type.shape, quant), value.name)
    producer = reinterpret(b, source_input, value.type.quant.zero_point[0], value.type.quant.scale[0]).producer
    assert producer is not None
    value.name, value.producer = f"{value.name}_inner", producer
    producer.results = (value,)
    return source_input


def _source_output(b: XnnBuilder, value: Value, quant: Quant) -> Value:
    """Returns an output with the source's quantization, which an appended XNNPACK node computes from `value`.

    It takes the name of `value`, which gets the suffix `_inner`.
    """
    source_output = reinterpret(b, value, quant.zero_point[0], quant.scale[0])
    value.name, source_output.name = f"{value.name}_inner", value.name
    return source_output
