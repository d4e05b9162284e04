"""Rules from several XNNPACK nodes to one: bounds, layers with a bias and without RESHAPEs around them."""

import math
from collections.abc import Sequence

from tosa_converter.ir import Model, Op, Value
from tosa_converter.legalize.tosa_to_tflite.templates import SOFTMAX_QUANT
from tosa_converter.legalize.tosa_to_xnn.builder import XnnBuilder, xnn_builder
from tosa_converter.rewriting.in_place import InPlacePass
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.report import Note, Options, Report
from tosa_converter.rewriting.rule import Rule, rule
from tosa_converter.schemas import xnn_ops

LAYERS = ("xnn.fully_connected", "xnn.conv_2d", "xnn.depthwise_conv_2d", "xnn.conv_transpose_2d")
BOUNDED = tuple(row.opcode for row in xnn_ops.OPERATORS if row.bounded)
BIAS = 2  # operand of layers
ROUNDED = "Softmax of floats, which XNNPACK has none of bytes: results may differ by 1 step"


@rule(pattern("xnn.clamp", pattern(BOUNDED, name="y")))
def bounds(m: Match) -> Value:
    """Clamp(Add(...)) -> Add with the bounds of both; likewise behind other nodes."""
    return _with_bounds(m)


@rule(pattern("xnn.clamp", pattern("xnn.static_reshape", pattern(BOUNDED, name="y"), name="shaped")))
def bounds_before_reshape(m: Match) -> Value:
    """Clamp(StaticReshape(Add(...))) -> StaticReshape of Add with the bounds of both; likewise behind other nodes."""
    m.require(m.only_reader("shaped"), "another node reads {shaped} too")
    return xnn_builder().reshape(_with_bounds(m), m.op.result.type.static)


def _with_bounds(m: Match) -> Value:
    node = m.producer("y")
    m.require(m.only_reader("y"), "another node reads {y} too")
    m.require(node.result.type.quant == m.op.result.type.quant, "it changes the quantization of {y}")
    low, high = (m.op.attributes[name] for name in ("output_min", "output_max"))
    least, most = node.attributes.get("output_min", -math.inf), node.attributes.get("output_max", math.inf)
    limits = {"output_min": min(max(least, low), high), "output_max": min(max(most, low), high)}
    return _changed(node, node.inputs, node.result, **limits)


@rule(pattern("xnn.add", pattern(LAYERS, name="y"), "bias", any_order=True), "fp32", of=("y",))
def bias_of_layer(m: Match) -> Value:
    """Add(FullyConnected(...), bias) -> FullyConnected with a bias; likewise other layers."""
    return _with_bias(m, m.source("y"))


@rule(
    pattern("xnn.add", pattern("xnn.static_reshape", pattern(LAYERS, name="y"), name="shaped"), "bias", any_order=True),
    "fp32",
    of=("y",),
)
def bias_behind_reshape(m: Match) -> Value:
    """Add(StaticReshape(FullyConnected(...)), bias) -> StaticReshape of FullyConnected with a bias."""
    m.require(m.only_reader("shaped"), "another node reads {shaped} too")
    return _with_bias(m, m.source("shaped"))


def _with_bias(m: Match, x: Value) -> Value:
    layer, bias, b = m.producer("y"), m.source("bias"), xnn_builder()
    channels = layer.result.type.static[-1:]
    m.require(m.only_reader("y"), "another node reads {y} too")
    m.require("output_min" not in m.op.attributes | layer.attributes, "it has bounds")
    m.require(layer.inputs[BIAS] is None, "the layer has a bias")
    m.require(bias.constant is not None, "the bias is not constant")
    fits = x.type.static[-1:] == channels == bias.type.static[-1:] and bias.type.elements == math.prod(channels)
    m.require(fits, "expected a bias for each channel of {y}, found {bias}")
    inputs = (*layer.inputs[:BIAS], b.reshape(bias, channels))
    return b.reshape(_changed(layer, inputs, layer.result), m.op.result.type.static)


@rule(pattern("xnn.static_reshape", "x", same_type=True))
def reshape_to_same_shape(m: Match) -> Value:
    """StaticReshape(x) to the shape of x -> x."""
    return m.source("x")


@rule(pattern("xnn.static_reshape", pattern("xnn.static_reshape", "x")))
def reshape_of_reshape(m: Match) -> Value:
    """StaticReshape(StaticReshape(x)) -> StaticReshape(x); where x has that shape: x."""
    return xnn_builder().reshape(m.source("x"), m.op.result.type.static)


@rule(pattern("xnn.fully_connected", pattern("xnn.static_reshape", "rows", name="x")))
def fully_connected_of_reshape(m: Match) -> Value:
    """FullyConnected(StaticReshape(rows)) -> StaticReshape(FullyConnected(rows)), where the rows are the same."""
    rows, type = m.source("rows").type, m.op.result.type
    m.require(rows.rank and rows.static[-1:] == m.source("x").type.static[-1:], "{rows} has other rows than {x}")
    result = Value(type._replace(shape=(*rows.static[:-1], type.static[-1])))
    return xnn_builder().reshape(_changed(m.op, (m.source("rows"), *m.op.inputs[1:]), result), type.static)


def _changed(op: Op, inputs: Sequence[Value | None], result: Value, **attributes: float) -> Value:
    """Appends a node with other operands and attributes, whose result has the type of another; returns the result."""
    changed = Op(op.name, inputs, [result.type], op.attributes | attributes, location=op.location)
    xnn_builder().graph.ops.append(changed)
    return changed.result


RULES: tuple[Rule, ...] = (
    bounds,
    bounds_before_reshape,
    bias_of_layer,
    bias_behind_reshape,
    reshape_to_same_shape,
    reshape_of_reshape,
    fully_connected_of_reshape,
)


class Tidy(InPlacePass):
    """The pass behind the one to XNNGraph."""

    def __init__(self) -> None:
        super().__init__("tidy", RULES, XnnBuilder)

    def run(self, model: Model, options: Options, report: Report) -> Model:
        """Changes the graphs in place, and notes what isn't exact."""
        for graph in model.graphs.values():
            report.notes += [Note(op.location, ROUNDED) for op in graph.ops if _is_rounded(op)]
        return super().run(model, options, report)


def _is_rounded(op: Op) -> bool:
    """Returns whether a node makes bytes of the result of Softmax."""
    source = op.operands[0].producer if op.name == "xnn.convert" else None
    return source is not None and source.name == "xnn.softmax" and op.results[0].type.quant == SOFTMAX_QUANT
