"""Inverse rules of hybrid layers: floats by weights of 8 bits, whose kernels quantize the floats at run time.

The weights and scales around an int8 convolution propose the layer.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Quant, Value
from tosa_converter.ir.edit import equal_values
from tosa_converter.legalize.invert.confirmation import TFLITE_LOWERING, InverseRule
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


# ** scales and images **


def candidate_weight_scales(m: Match) -> Iterator[Array]:
    """Yields what may be a hybrid layer's weight scales: positive constant factors of the product behind its sums.

    At most 8 factors are looked at; constants are yielded as vectors.
    """
    for name in [name for name in ("weight_scale", "scale") if name in m.bindings]:
        factors = [m.source(name)]
        for factor in factors:
            op = factor.producer
            if factor.constant is not None:
                elements = factor.constant.reshape(-1)
                if ((elements > 0) & (elements < np.inf)).all():
                    yield elements
            elif op is not None and op.row is ops.MUL and len(factors) < MOST_FACTORS:
                factors += op.operands[:2]


def convolution_of(m: Match) -> Op:
    """Returns the convolution of integers (in fp32 if transposed) that computes the sums of a hybrid layer.

    A hybrid layer has float inputs and int8 weights; its kernel quantizes the inputs at run time. Between convolution
    and sums, SUB may subtract the zero points' products, or SLICE may crop a transposed convolution.

    Raises:
        Decline: there is none, or its weights aren't constant.
    """
    op = m.producer("sums")
    core = op.operands[0].producer if op.row in (ops.SUB, ops.SLICE) else op
    if core is None or core.row not in CONVOLUTIONS or core.operands[0].type.dtype is not CONVOLUTIONS[core.row]:
        raise Decline("no convolution of bytes computes the sums")
    if core.operands[1].constant is None:
        raise Decline("its weights are not constant")
    return core


def candidate_images(m: Match) -> list[Value]:
    """Returns the float images that may be a hybrid layer's input, the one in front of all others first.

    The kernel quantizes by the range of its input, so the nearest REDUCE_MAX in front of the convolution reads the
    input, or a value that ABS, RESHAPE or PAD computes from it. At most 64 values are searched.
    """
    core = convolution_of(m)
    values = [core.operands[0]]
    for value in values:
        op = value.producer
        if op is not None and op.row is ops.REDUCE_MAX:
            break
        values += [v for v in op.operands if v not in values] if op is not None and len(values) < MOST_VALUES else []
    else:
        return []
    candidates = [op.operands[0]]
    while (producer := candidates[-1].producer) is not None and producer.row in (ops.ABS, ops.RESHAPE, ops.PAD):
        candidates.append(producer.operands[0])
    depth = core.operands[0].type.static[3]
    return [x for x in reversed(candidates) if x.type.rank == 4 and x.type.static[3] == depth]


# ** inverse rules **


def propose_layers(m: Match) -> Iterator[Value]:
    """Proposes FULLY_CONNECTED and CONV_2D, or DEPTHWISE_CONV_2D, for each possible input image and weight scale.

    These are hybrid layers: of floats by int8 weights, whose kernel quantizes the floats at run time. The inverse rule
    keeps the first that lowers to the matched TOSA operators.
    """
    core, b, shape = convolution_of(m), tfl_builder(), m.op.result.type.static
    weights, channels = _weights_of(core), core.result.type.static[3]
    asymmetric = m.producer("sums") is not core  # a SUB subtracts the zero points' products from the sums
    depthwise = core.row is ops.DEPTHWISE_CONV2D
    kernel = weights.reshape(1, *weights.shape[:2], channels) if depthwise else weights
    for scale, x in product(_scales_for_channels(m, channels), candidate_images(m)):
        if weights.shape[1:3] == x.type.static[1:3] == (1, 1) and not depthwise:
            matrix = _with_scale(kernel.reshape(channels, -1), scale, axis=0)
            options: dict[str, Any] = {"keep_num_dims": True, "asymmetric_quantize_inputs": asymmetric}
            yield b.op("fully_connected", [x, matrix], shape=shape, **options)
        padding = _matching_padding(core, x)
        if padding is None:
            continue
        options = {"padding": padding, **window_of(core).options}
        if depthwise:
            options["depth_multiplier"] = channels // x.type.static[3]
        operands = [x, _with_scale(kernel, scale, axis=3 if depthwise else 0)]
        yield b.op("depthwise_conv_2d" if depthwise else "conv_2d", operands, shape=shape, **options)


def propose_transposed_layers(m: Match) -> Iterator[Value]:
    """Proposes TRANSPOSE_CONV for each possible input image, weight scale and kind of padding.

    It is a hybrid layer: of floats by int8 weights, whose kernel quantizes the floats at run time. The inverse rule
    keeps the first that lowers to the matched TOSA operators.
    """
    core, b, shape = convolution_of(m), tfl_builder(), m.op.result.type.static
    weights, (down, right) = _weights_of(core), core.attributes["stride"]
    whole = not (weights != np.rint(weights)).any() and np.abs(weights).max() <= -DType.I8.limits[0]
    m.require(whole, "its weights are not whole numbers of 8 bits")
    for scale in _scales_for_channels(m, core.result.type.static[3]):
        kernel = _with_scale(weights, scale, 0)
        for x, padding in product(candidate_images(m), (Padding.SAME, Padding.VALID)):
            options: dict[str, Any] = {"stride_h": down, "stride_w": right, "padding": padding}
            yield b.op("transpose_conv", [b.ints(shape), kernel, x], DType.FP32, shape, **options)


def _scales_for_channels(m: Match, channels: int) -> list[Array]:
    """Returns those of the possible weight scales that have one number, or one for each channel."""
    return [scale for scale in candidate_weight_scales(m) if scale.size in (1, channels)]


def _weights_of(core: Op) -> Array:
    """Returns the constant weights of a TOSA convolution, in TOSA's layout."""
    weights = core.operands[1].constant
    assert weights is not None
    return weights


def _with_scale(weights: Array, scale: Array, axis: int) -> Value:
    """Returns a TFLite constant of int8 weights with their scale, or one scale for each channel along an axis."""
    quant = Quant(tuple(scale.tolist()), (0,) * scale.size, axis if scale.size > 1 else None)
    b = tfl_builder()
    return b.with_quant(b.const(weights, DType.I8), quant)


def _matching_padding(core: Op, x: Value) -> Padding | None:
    """Returns the padding (VALID or SAME) with which a convolution of x has TOSA's output size; None if neither has."""
    window = window_of(core)
    rows = list(zip(x.type.static[1:3], window.kernel, window.stride, window.dilation, strict=True))
    for padding in (Padding.VALID, Padding.SAME):
        sizes = [(n + sum(padding_1d(padding, n, k, s, d)) - (k - 1) * d - 1) // s + 1 for n, k, s, d in rows]
        if tuple(sizes) == core.result.type.static[1:3]:
            return padding
    return None


# ** bias **


@rule(
    pattern(
        ops.ADD,
        pattern(("tfl.conv_2d", "tfl.depthwise_conv_2d", "tfl.fully_connected", "tfl.transpose_conv"), name="y"),
        "bias",
    ),
    "fp32",
)
def bias_of_hybrid_layer(m: Match) -> Value:
    """ADD(CONV_2D(...), bias) -> CONV_2D with a bias; likewise other layers of floats by weights of 8 bits.

    Both sides must lower to the same TOSA operators.
    """
    layer, bias = m.producer("y"), m.constant("bias")
    channels = m.source("y").type.static[-1]
    m.require(m.only_reader("y"), "another operator reads {y} too")
    m.require(bias.size in (1, channels), "expected a bias for each channel of {y}, found {bias}")
    b = tfl_builder()
    added = b.const(np.broadcast_to(bias.reshape(-1), (channels,)), DType.FP32)
    with_bias = Op(layer.name, [*layer.inputs, added], [layer.result.type], layer.attributes, location=layer.location)
    b.graph.ops.append(with_bias)
    operands = [value for value in layer.operands if value.constant is None]
    old, new = (TFLITE_LOWERING.lower(y, operands) for y in (m.op.result, with_bias.result))
    equal = old and new and equal_values(new.outputs[0], old.outputs[0], dict(zip(new.inputs, old.inputs, strict=True)))
    m.require(equal, "the conversion of a layer with a bias makes other operators")
    return with_bias.result


LAYER = pattern(ops.MUL, _SUMS, "scale", any_order=True)
LAYER_OF_SCALED_SUMS = pattern(ops.MUL, pattern(ops.MUL, _SUMS, "weight_scale", any_order=True), "scale")
_TRANSPOSED = pattern((ops.TRANSPOSE_CONV2D, ops.SLICE), name="sums")
TRANSPOSED_LAYER = pattern(ops.MUL, _TRANSPOSED, "scale", any_order=True)
_INVERSE_RULES = (
    InverseRule("hybrid_layer", LAYER, "fp32", propose_layers, candidate_images, (0,)),
    InverseRule("hybrid_layer_of_scaled_sums", LAYER_OF_SCALED_SUMS, "fp32", propose_layers, candidate_images, (0,)),
    InverseRule("hybrid_transposed_layer", TRANSPOSED_LAYER, "fp32", propose_transposed_layers, candidate_images, (0,)),
)
HYBRID = (*TFLITE_LOWERING.rules(__name__, _INVERSE_RULES), bias_of_hybrid_layer)
