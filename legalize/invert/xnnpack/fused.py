"""Rules of what XNNPACK has in one node: bounds, layers with a bias, layers without StaticReshape around them."""

import math

from tosa_converter.dtypes import DType
from tosa_converter.ir import Op, TensorType, Value
from tosa_converter.legalize.invert.xnnpack.builder import xnn_builder
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.rule import rule
from tosa_converter.schemas import xnn_ops

LAYERS = ("xnn.fully_connected", "xnn.conv_2d", "xnn.depthwise_conv_2d", "xnn.conv_transpose_2d")
BOUNDED = tuple(row.opcode for row in xnn_ops.OPERATORS if row.bounded)
RESHAPE = "xnn.static_reshape"


def _append_changed(op: Op, inputs: tuple[Value | None, ...], type: TensorType, **changes: float) -> Value:
    """Appends a copy of an XNNPACK node with other operands, result type and attributes; returns its result."""
    node = Op(op.name, inputs, [type], op.attributes | changes, location=op.location)
    xnn_builder().graph.ops.append(node)
    return node.result


def _require_only_reader(m: Match, name: str) -> Op:
    """Returns the XNNPACK node that computes the value `name` of a match, if only the match reads that value.

    Only the match may read the result of its StaticReshape, "reshaped", too, if it has one.

    Raises:
        Decline: another node reads one of them.
    """
    read_once = all(map(m.only_reader, m.bindings.keys() & {name, "reshaped"}))
    m.require(read_once, f"expected one reader of {m.source(name).name!r}, found several")
    return m.producer(name)


def bias(m: Match) -> Value:
    """Add(layer, bias) of floats -> the layer with the bias.

    Both are XNNPACK nodes; a StaticReshape between them is applied to the layer's result instead.
    """
    layer, x, elements = _require_only_reader(m, "layer"), m.source("layer"), m.constant("bias")
    has_bounds = "output_min" in m.op.attributes or "output_min" in layer.attributes
    m.require(not has_bounds, "expected a sum and a layer without bounds")
    m.require(x.type.dtype is DType.FP32, "expected a layer of fp32, found {layer}")
    m.require(layer.inputs[2] is None, "expected a layer without a bias")
    channels = x.type.static[-1:]
    # The bias, and the reshaped result if there is one, must have the channels last too.
    sides = (m.source(name) for name in ("bias", "reshaped") if name in m.bindings)
    per_channel = all(side.type.static[-1:] == channels for side in sides) and elements.size == math.prod(channels)
    m.require(per_channel, f"expected a constant for each of {math.prod(channels)} channels, found {elements.size}")
    b = xnn_builder()
    y = _append_changed(layer, (*layer.inputs[:2], b.reshape(m.source("bias"), channels)), x.type)
    return b.reshape(y, m.op.result.type.static)


def bounds(m: Match) -> Value:
    """Clamp(node) of an XNNPACK node that has bounds -> the node with the narrower bounds of both.

    Most of XNNPACK's nodes have `output_min` and `output_max`, so Clamp behind them is not needed.
    """
    node, x, clamp = _require_only_reader(m, "node"), m.source("node"), m.op.attributes
    m.require(x.type.quant == m.op.result.type.quant, "expected Clamp that keeps the scale and zero point")
    low, high = clamp["output_min"], clamp["output_max"]
    least, most = node.attributes.get("output_min", -math.inf), node.attributes.get("output_max", math.inf)
    ends = {"output_min": min(max(least, low), high), "output_max": min(max(most, low), high)}
    return xnn_builder().reshape(_append_changed(node, node.inputs, x.type, **ends), m.op.result.type.static)


@rule(pattern(RESHAPE, pattern(RESHAPE, "x", name="reshaped")))
def reshape_of_reshape(m: Match) -> Value:
    """StaticReshape(StaticReshape(x)) -> StaticReshape(x), or the node that computes x.

    If the result has the shape of x and nothing else reads x, the node that computes x is appended in its place.
    """
    x, type = m.source("x"), m.op.result.type
    node = x.producer if m.only_reader("x") and m.only_reader("reshaped") else None
    if x.type == type and node is not None and len(node.results) == 1:
        return _append_changed(node, node.inputs, type)
    return xnn_builder().reshape(x, type.static)


@rule(pattern("xnn.fully_connected", pattern(RESHAPE, "x")))
def layer_of_rows(m: Match) -> Value:
    """FullyConnected(StaticReshape(x)) whose rows are those of x -> StaticReshape(FullyConnected(x))."""
    x, type, depth = m.source("x"), m.op.result.type, m.op.operands[0].type.static[-1]
    m.require(x.type.static[-1:] == (depth,), f"expected rows of {depth} elements, found {x.type}")
    rows = type._replace(shape=(*x.type.static[:-1], type.static[-1]))
    return xnn_builder().reshape(_append_changed(m.op, (x, *m.op.inputs[1:]), rows), type.static)


@rule(pattern("xnn.global_avg_pooling_2d", pattern(RESHAPE, "x")))
def mean_of_image(m: Match) -> Value:
    """GlobalAveragePooling2d(StaticReshape(x)) of an image in another shape -> GlobalAveragePooling2d(x)."""
    x, type = m.source("x"), m.op.result.type
    m.require(
        x.type.rank == 4 and x.type.static[::3] == type.static[::3],
        "expected an image with the batch and channels of the result, found {x}",
    )
    return _append_changed(m.op, (x,), type)


_LAYER, _NODE = pattern(LAYERS, name="layer"), pattern(BOUNDED, name="node")
FUSED_LAYERS = (
    rule(pattern("xnn.add", _LAYER, "bias", any_order=True))(bias),
    rule(pattern("xnn.add", pattern(RESHAPE, _LAYER, name="reshaped"), "bias", any_order=True))(bias)._replace(
        label="bias_behind_reshape"
    ),
    layer_of_rows,
)
FUSED_NODES = (
    rule(pattern("xnn.clamp", _NODE))(bounds),
    rule(pattern("xnn.clamp", pattern(RESHAPE, _NODE, name="reshaped")))(bounds)._replace(
        label="bounds_behind_reshape"
    ),
    reshape_of_reshape,
    mean_of_image,
)
