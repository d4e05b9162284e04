"""CONV_2D, DEPTHWISE_CONV_2D and TRANSPOSE_CONV on 8-bit activations: an i32 accumulator, then RESCALE per channel.

The kernels are ConvPerChannel, DepthwiseConvPerChannel and TransposeConv of reference/integer_ops; multipliers are
those of PopulateConvolutionQuantizationParams (kernel_util.cc).
"""

import numpy as np

from tosa_converter.ir import Array, DType, Value
from tosa_converter.legalize.common import constant_ints, padding_1d, padding_2d
from tosa_converter.legalize.quantized_arithmetic import Multiplier, quantize_multiplier
from tosa_converter.legalize.quantized_common import (
    Checker,
    Operand,
    Target8,
    finished,
    fused_range,
    operand,
    reference_or_compact,
    requantized,
    target8,
)
from tosa_converter.rewrite import Decline, Match, Rewrite

WEIGHTS = (DType.I8, DType.I4)


def symmetric_weights(index: int) -> "WeightCheck":
    """A check that operand `index` is int8 or int4 with zero points of 0."""
    return WeightCheck(index)


class WeightCheck:
    """Against weights that aren't symmetric int8 or int4."""

    def __init__(self, index: int) -> None:
        self.index = index

    def __call__(self, match: Match) -> str | None:
        """The reason against the rewrite."""
        value = match.source(self.index)
        if value.type.dtype not in WEIGHTS:
            return f"{value.name!r} is of type {value.type.dtype.value}, not i8 or i4"
        if value.type.quant is None:
            return f"{value.name!r} has no quantization parameters"
        if any(value.type.quant.zero_point):
            return f"{value.name!r} has zero points other than 0"
        return None


def conv_2d(match: Match) -> Value:
    """CONV_2D -> CONV2D, RESCALE; groups one by one, DEPTHWISE_CONV2D where each has one channel."""
    x, to = operand(match, 0), target8(match)
    weight = weights(match, 1)
    out, height, width, depth = weight.type.static
    groups = x.value.type.static[3] // depth
    bias = biases(match, 2, out)
    if groups == 1:
        acc = _window(match, x, weight, bias, depthwise=False)
    elif depth == 1:
        by_channel = match.builder.transpose(weight, (1, 2, 0, 3))
        per_group = match.builder.reshape(by_channel, (height, width, groups, out // groups))
        acc = _window(match, x, per_group, bias, depthwise=True)
    else:
        acc = _grouped(match, x, weight, bias, groups)
    return convolved(match, acc, scales(match, 1, x.scale, to), to)


def _grouped(match: Match, x: Operand, weight: Value, bias: Value, groups: int) -> Value:
    build = match.builder
    n, h, w, _ = x.value.type.static
    out, height, width, depth = weight.type.static
    share = out // groups
    parts = []
    for g in range(groups):
        part = build.slice(x.value, (0, 0, 0, g * depth), (n, h, w, depth))
        kernel = build.slice(weight, (g * share, 0, 0, 0), (share, height, width, depth))
        offset = bias if bias.type.static == (1,) else build.slice(bias, (g * share,), (share,))
        parts.append(_window(match, Operand(part, x.scale, x.zero_point), kernel, offset, depthwise=False))
    return build.concat(parts, 3)


def depthwise_conv_2d(match: Match) -> Value:
    """DEPTHWISE_CONV_2D -> DEPTHWISE_CONV2D, RESCALE; weights [1,H,W,C*M] hold the M of a channel side by side."""
    x, to = operand(match, 0), target8(match)
    weight = weights(match, 1)
    _, height, width, out = weight.type.static
    channels = x.value.type.static[3]
    weight = match.builder.reshape(weight, (height, width, channels, out // channels))
    acc = _window(match, x, weight, biases(match, 2, out), depthwise=True)
    return convolved(match, acc, scales(match, 1, x.scale, to), to)


def _window(match: Match, x: Operand, weight: Value, bias: Value, *, depthwise: bool) -> Value:
    kernel = weight.type.static[:2] if depthwise else weight.type.static[1:3]
    dilation = match.dilation_h_factor, match.dilation_w_factor
    return match.builder.conv2d(
        x.value,
        weight,
        bias,
        pad=padding_2d(match, x.value, kernel, dilation),
        stride=(match.stride_h, match.stride_w),
        dilation=dilation,
        input_zp=x.zero_point,
        depthwise=depthwise,
    )


def transpose_conv(match: Match) -> Value:
    """TRANSPOSE_CONV -> TRANSPOSE_CONV2D, RESCALE; the wanted size says how much to cut or add behind."""
    x, to = operand(match, 2), target8(match)
    weight = weights(match, 1)
    out, *kernel, _ = weight.type.static
    size = constant_ints(match, 0)
    stride = match.stride_h, match.stride_w
    out_pad: list[int] = []
    for i in range(2):
        before, _ = padding_1d(match.padding, size[1 + i], kernel[i], stride[i])
        whole = (x.value.type.static[1 + i] - 1) * stride[i] + kernel[i]
        out_pad += [-before, size[1 + i] - whole + before]
    if any(pad <= -kernel[i // 2] for i, pad in enumerate(out_pad)):
        raise Decline(f"an output of {size} cuts whole kernels off")
    acc = match.builder.transpose_conv2d(
        x.value, weight, biases(match, 3, out), out_pad=out_pad, stride=stride, input_zp=x.zero_point
    )
    return convolved(match, acc, scales(match, 1, x.scale, to), to)


# ** what the kernels share **


def weights(match: Match, index: int) -> Value:
    """Weights in i8; int4 ones are widened."""
    if match.source(index).type.dtype is DType.I4:
        return match.builder.const(match.constant(index).astype(np.int8), DType.I8)
    return match.input(index)


def biases(match: Match, index: int, channels: int) -> Value:
    """The i32 bias, or a single 0."""
    if not match.has(index):
        return match.builder.const([0], DType.I32)
    if match.source(index).type.dtype is not DType.I32:
        raise Decline(f"a bias of type {match.source(index).type.dtype.value}")
    return match.builder.reshape(match.input(index), (channels,))


def scales(match: Match, index: int, input_scale: np.float32, to: Target8) -> Array:
    """The scales input * weight / output in double, per tensor or channel."""
    weight = np.asarray(match.quant(index).scale, np.float32).astype(np.float64)
    return np.asarray(np.float64(input_scale) * weight / np.float64(to.scale))


def convolved(match: Match, acc: Value, real: Array, to: Target8) -> Value:
    """The accumulator on the result's scale."""
    multiplier: Multiplier = quantize_multiplier(real)
    return finished(match, requantized(match, acc, multiplier, to.zero_point, *fused_range(match, to)))


CHECKS = (Checker((0,), unsigned=False), symmetric_weights(1), reference_or_compact)
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.conv_2d", conv_2d, CHECKS),
    Rewrite("tfl.depthwise_conv_2d", depthwise_conv_2d, CHECKS),
    Rewrite("tfl.transpose_conv", transpose_conv, (Checker((2,), unsigned=False), symmetric_weights(1))),
)
