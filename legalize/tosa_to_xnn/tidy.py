"""What XNNPACK has in one node: bounds, layers without RESHAPEs around them, RESHAPEs of RESHAPEs."""

import math

from tosa_converter.dtypes import DType
from tosa_converter.ir import Graph, Model, Op, Value
from tosa_converter.legalize.tosa_to_tflite.tidy import Once, apply
from tosa_converter.legalize.tosa_to_xnn.builder import XnnBuilder
from tosa_converter.legalize.tosa_to_xnn.labels import SOFTMAX
from tosa_converter.rewriting.pipeline import change_graphs
from tosa_converter.rewriting.report import Note, Options, Report
from tosa_converter.schemas import xnn_ops

LAYERS = frozenset({"xnn.fully_connected", "xnn.conv_2d", "xnn.depthwise_conv_2d", "xnn.conv_transpose_2d"})
BOUNDED = frozenset(row.opcode for row in xnn_ops.OPERATORS if row.bounded)
ROUNDED = "Softmax of floats, which XNNPACK has none of bytes: results may differ by 1 step"


class Tidy:
    """The pass behind the one to XNNGraph."""

    name = "tidy"

    def run(self, model: Model, _options: Options, report: Report, /) -> Model:
        """Changes the graphs in place, and notes what isn't exact."""
        for graph in model.graphs.values():
            report.notes += [Note(op.location, ROUNDED) for op in graph.ops if _is_rounded(op)]
        return change_graphs(model, _tidy)


def _tidy(graph: Graph) -> bool:
    changed = [apply(graph, rule, XnnBuilder) for rule in (_bias, _reshape, _layer, _reshape, _bound)]
    return any(changed)


def _is_rounded(op: Op) -> bool:
    """Whether a node makes what a softmax of bytes does of what Softmax made of floats."""
    before = op.operands[0].producer if op.name == "xnn.convert" else None
    return before is not None and before.name == "xnn.softmax" and op.results[0].type.quant == SOFTMAX


def _again(b: XnnBuilder, op: Op, x: Value, result: Value, **changed: float) -> Value:
    """A node once more, of another first operand, with a result like another."""
    made = Op(op.name, (x, *op.inputs[1:]), [result.type], op.attributes | changed, location=op.location)
    b.graph.ops.append(made)
    return made.results[0]


def _bound(b: XnnBuilder, op: Op, once: Once) -> Value | None:
    """A Clamp behind a node that has bounds, or behind what only gives its result another shape: those of both."""
    if op.name != "xnn.clamp":
        return None
    x, moved = op.operands[0], None
    if x.producer is not None and x.producer.name == "xnn.static_reshape" and once(x):
        x, moved = x.producer.operands[0], x
    before = x.producer
    if before is None or not once(x) or before.name not in BOUNDED or x.type.quant != op.results[0].type.quant:
        return None
    low, high = (op.attributes[name] for name in ("output_min", "output_max"))
    least, most = before.attributes.get("output_min", -math.inf), before.attributes.get("output_max", math.inf)
    bounds = {"output_min": min(max(least, low), high), "output_max": min(max(most, low), high)}
    y = _again(b, before, before.operands[0], x, **bounds)
    return y if moved is None else b.reshape(y, moved.type.static)


def _bias(b: XnnBuilder, op: Op, once: Once) -> Value | None:
    """An Add of a constant for each channel behind a layer of floats that has no bias: that."""
    if op.name != "xnn.add" or "output_min" in op.attributes:
        return None
    x, bias = op.operands
    x, bias = (bias, x) if x.constant is not None else (x, bias)
    layer = _before_reshape(x, once)
    made = layer.producer
    channels = layer.type.static[-1:]
    if made is None or made.name not in LAYERS or made.inputs[2] is not None or "output_min" in made.attributes:
        return None
    alike = x.type.static[-1:] == channels == bias.type.static[-1:] and bias.type.elements == math.prod(channels)
    if not alike or bias.constant is None or x.type.dtype is not DType.FP32 or not once(x):
        return None
    y = Op(
        made.name, (*made.inputs[:2], b.reshape(bias, channels)), [layer.type], made.attributes, location=op.location
    )
    b.graph.ops.append(y)
    return b.reshape(y.results[0], op.results[0].type.static)


def _before_reshape(x: Value, once: Once) -> Value:
    """What a StaticReshape that nobody else reads was made of."""
    moved = x.producer is not None and x.producer.name == "xnn.static_reshape" and once(x)
    return x.producer.operands[0] if moved and x.producer is not None else x


def _reshape(b: XnnBuilder, op: Op, once: Once) -> Value | None:
    """A StaticReshape of a StaticReshape, or to the shape that is there."""
    if op.name != "xnn.static_reshape":
        return None
    x, wanted = op.operands[0], op.results[0].type
    if x.type == wanted:
        return x
    if x.producer is None or x.producer.name != op.name:
        return None
    source = x.producer.operands[0]
    if source.type == wanted and source.producer is not None and once(x) and once(source):
        return _again(b, source.producer, source.producer.operands[0], source)  # which may make an output
    return b.reshape(source, wanted.static)


def _layer(b: XnnBuilder, op: Op, _once: Once) -> Value | None:
    """A layer of rows that only had another shape before."""
    x = op.operands[0] if op.name == "xnn.fully_connected" else None
    if x is None or x.producer is None or x.producer.name != "xnn.static_reshape":
        return None
    before, wanted = x.producer.operands[0], op.results[0].type
    if not before.type.rank or before.type.static[-1] != x.type.static[-1]:
        return None
    rows = Value(wanted._replace(shape=(*before.type.static[:-1], wanted.static[-1])))
    return b.reshape(_again(b, op, before, rows), wanted.static)
