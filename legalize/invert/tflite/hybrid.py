"""Rules of hybrid layers: floats by weights of 8 bits, which quantize the floats as they run.

The weights and scales around a convolution of bytes guess the layer, which is taken if the conversion makes the same
operators of it.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Quant, Value
from tosa_converter.ir.edit import equal_values
from tosa_converter.legalize.invert.confirmation import TFLITE
from tosa_converter.legalize.invert.tflite.floats import tfl_builder
from tosa_converter.legalize.invert.tflite.windows import window_of
from tosa_converter.legalize.tflite.windows import padding_1d
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import rule
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tflite import Padding

# Convolutions of bytes, and the type that they have them in.
CONVOLUTIONS = {ops.CONV2D: DType.I8, ops.DEPTHWISE_CONV2D: DType.I8, ops.TRANSPOSE_CONV2D: DType.FP32}
MOST_FACTORS = 8  # of a sum's scale
MOST_VALUES = 64  # between a convolution and the range of its image
_SUMS = pattern(ops.CAST, pattern((ops.SUB, ops.CONV2D, ops.DEPTHWISE_CONV2D), name="sums"))


@rule(pattern(ops.MUL, _SUMS, "scale", any_order=True), "fp32")
def hybrid_layer(m: Match) -> Value:
    """MUL(CAST(CONV2D|DEPTHWISE_CONV2D(...)), scale) -> CONV_2D, DEPTHWISE_CONV_2D or FULLY_CONNECTED of floats."""
    m.require(m.source("scale").constant is None, "its scale is constant")
    return _layer(m, *_scales(m.source("scale")))


@rule(pattern(ops.MUL, pattern(ops.MUL, _SUMS, "weight_scale", any_order=True), "scale"), "fp32")
def hybrid_layer_of_scaled_sums(m: Match) -> Value:
    """MUL(MUL(CAST(CONV2D|DEPTHWISE_CONV2D(...)), weight_scale), scale) -> CONV_2D or DEPTHWISE_CONV_2D of floats."""
    return _layer(m, *_scales(m.source("weight_scale")), *_scales(m.source("scale")))


@rule(pattern(ops.MUL, pattern((ops.TRANSPOSE_CONV2D, ops.SLICE), name="sums"), "scale", any_order=True), "fp32")
def hybrid_transposed_layer(m: Match) -> Value:
    """MUL(TRANSPOSE_CONV2D(...), scale) -> TRANSPOSE_CONV of floats; likewise a SLICE of TRANSPOSE_CONV2D."""
    core, weights = _convolution(m)
    whole = not (weights != np.rint(weights)).any() and np.abs(weights).max() <= -DType.I8.limits[0]
    m.require(whole, "its weights are not whole numbers of 8 bits")
    candidates = (y for scale in _scales(m.source("scale")) for y in _transposed(m, core, weights, scale))
    return TFLITE.first_confirmed(m, candidates, list(_images(core)), "TRANSPOSE_CONV")


@rule(
    pattern(
        ops.ADD,
        pattern(("tfl.conv_2d", "tfl.depthwise_conv_2d", "tfl.fully_connected", "tfl.transpose_conv"), name="y"),
        "bias",
    ),
    "fp32",
)
def bias_of_hybrid_layer(m: Match) -> Value:
    """ADD(CONV_2D(...), bias) -> CONV_2D with a bias; likewise other layers of floats by weights of 8 bits."""
    layer, bias = m.producer("y"), m.constant("bias")
    channels = m.source("y").type.static[-1]
    m.require(m.only_reader("y"), "another operator reads {y} too")
    m.require(bias.size in (1, channels), "expected a bias for each channel of {y}, found {bias}")
    b = tfl_builder()
    added = b.const(np.broadcast_to(bias.reshape(-1), (channels,)), DType.FP32)
    with_bias = Op(layer.name, [*layer.inputs, added], [layer.result.type], layer.attributes, location=layer.location)
    b.graph.ops.append(with_bias)
    operands = [value for value in layer.operands if value.constant is None]
    old, new = (TFLITE.lowered(y, operands) for y in (m.op.result, with_bias.result))
    equal = old and new and equal_values(new.outputs[0], old.outputs[0], dict(zip(new.inputs, old.inputs, strict=True)))
    m.require(equal, "the conversion of a layer with a bias makes other operators")
    return with_bias.result


def _scales(scale: Value) -> Iterator[Array]:
    """Yields the constant factors of a scale that may be those of the weights."""
    factors = [scale]
    for factor in factors:
        op = factor.producer
        if factor.constant is not None:
            elements = factor.constant.reshape(-1)
            if ((elements > 0) & (elements < np.inf)).all():
                yield elements
        elif op is not None and op.row is ops.MUL and len(factors) < MOST_FACTORS:
            factors += op.operands[:2]


def _convolution(m: Match) -> tuple[Op, Array]:
    """Returns the convolution of bytes that computes the sums, and its weights.

    Raises:
        Decline: there is none, or its weights aren't constant.
    """
    op = m.producer("sums")
    core = op.operands[0].producer if op.row in (ops.SUB, ops.SLICE) else op
    if core is None or core.row not in CONVOLUTIONS or core.operands[0].type.dtype is not CONVOLUTIONS[core.row]:
        raise Decline("no convolution of bytes computes the sums")
    weights = core.operands[1].constant
    if weights is None:
        raise Decline("its weights are not constant")
    return core, weights


def _layer(m: Match, *scales: Array) -> Value:
    core, weights = _convolution(m)
    channels = core.result.type.static[3]
    fitting = [scale for scale in scales if scale.size in (1, channels)]
    asymmetric = m.producer("sums") is not core
    candidates = (y for scale in fitting for y in _layers(m, core, weights, scale, asymmetric=asymmetric))
    return TFLITE.first_confirmed(m, candidates, list(_images(core)), "layers of floats by bytes")


def _layers(m: Match, core: Op, weights: Array, scale: Array, *, asymmetric: bool) -> Iterator[Value]:
    b, shape, channels = tfl_builder(), m.op.result.type.static, core.result.type.static[3]
    depthwise = core.row is ops.DEPTHWISE_CONV2D
    kernel = weights.reshape(1, *weights.shape[:2], channels) if depthwise else weights
    for x in _images(core):
        if weights.shape[1:3] == x.type.static[1:3] == (1, 1) and not depthwise:
            matrix = _with_scale(kernel.reshape(channels, -1), scale, 0)
            options: dict[str, Any] = {"keep_num_dims": True, "asymmetric_quantize_inputs": asymmetric}
            yield b.op("fully_connected", [x, matrix], shape=shape, **options)
        padding = _padding(core, x)
        if padding is None:
            continue
        options = {"padding": padding, **window_of(core).options}
        if depthwise:
            options["depth_multiplier"] = channels // x.type.static[3]
        operands = [x, _with_scale(kernel, scale, 3 if depthwise else 0)]
        yield b.op("depthwise_conv_2d" if depthwise else "conv_2d", operands, shape=shape, **options)


def _transposed(m: Match, core: Op, weights: Array, scale: Array) -> Iterator[Value]:
    if scale.size not in (1, core.result.type.static[3]):
        return
    b, shape = tfl_builder(), m.op.result.type.static
    down, right = core.attributes["stride"]
    kernel = _with_scale(weights, scale, 0)
    for x in _images(core):
        for padding in (Padding.SAME, Padding.VALID):
            options: dict[str, Any] = {"stride_h": down, "stride_w": right, "padding": padding}
            yield b.op("transpose_conv", [b.ints(shape), kernel, x], DType.FP32, shape, **options)


def _with_scale(weights: Array, scale: Array, axis: int) -> Value:
    quant = Quant(tuple(scale.tolist()), (0,) * scale.size, axis if scale.size > 1 else None)
    b = tfl_builder()
    return b.with_quant(b.const(weights, DType.I8), quant)


def _images(core: Op) -> Iterator[Value]:
    """Yields the image whose range is measured for a convolution's operand, and what it was before padding, that first.

    The range is the nearest REDUCE_MAX, perhaps of absolute values.
    """
    values = [core.operands[0]]
    for value in values:
        op = value.producer
        if op is not None and op.row is ops.REDUCE_MAX:
            break
        values += [v for v in op.operands if v not in values] if op is not None and len(values) < MOST_VALUES else []
    else:
        return
    images = [op.operands[0]]
    while (producer := images[-1].producer) is not None and producer.row in (ops.ABS, ops.RESHAPE, ops.PAD):
        images.append(producer.operands[0])
    depth = core.operands[0].type.static[3]
    yield from (x for x in reversed(images) if x.type.rank == 4 and x.type.static[3] == depth)


def _padding(core: Op, x: Value) -> Padding | None:
    """Returns the padding with which a convolution of an image has as many results."""
    window = window_of(core)
    rows = list(zip(x.type.static[1:3], window.kernel, window.stride, window.dilation, strict=True))
    for padding in (Padding.VALID, Padding.SAME):
        sizes = [(n + sum(padding_1d(padding, n, k, s, d)) - (k - 1) * d - 1) // s + 1 for n, k, s, d in rows]
        if tuple(sizes) == core.result.type.static[1:3]:
            return padding
    return None


HYBRID = (hybrid_layer, hybrid_layer_of_scaled_sums, hybrid_transposed_layer, bias_of_hybrid_layer)
