"""CONV_2D, DEPTHWISE_CONV_2D and TRANSPOSE_CONV on 8-bit activations: an i32 accumulator, then RESCALE per channel.

What `sixteen_bit` shares is the accumulator: i48 for int16 activations.

The kernels are ConvPerChannel, DepthwiseConvPerChannel and TransposeConv of reference/integer_ops; multipliers are
those of PopulateConvolutionQuantizationParams (kernel_util.cc).
"""

from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.quant.elements import (
    INT8_MAX,
    INT8_MIN,
    Operand,
    Target8,
    as_reference,
    avoided,
    eight_bit,
    fused_range,
    operand,
    same_type,
    swap_signedness,
    target8,
    to_result_type,
)
from tosa_converter.legalize.quant.multipliers import INT32_MIN, Multiplier, multiply_each, quantize_multiplier
from tosa_converter.legalize.quant.requantize import requantized
from tosa_converter.legalize.tflite.quantized.phases import Axis, joined, phased
from tosa_converter.legalize.windows import Windowed, padding_2d, transposed_padding, transposed_size
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.operators import concat, conv2d, transpose_conv2d
from tosa_converter.rewriting.rewrite import Decline, Key, Match, Rewrite, condition

PAIRS = "i8*i8 i8*i4 ui8*ui8"  # activations and weights
UINT8_MAX = 255
ACCUMULATORS = {DType.I8: DType.I32, DType.I16: DType.I48}
LARGE = 1 << 29  # a bias from which on sums come near the limits of i32 and of RESCALE


@condition("weights are quantized with one zero point")
def weights_fit(match: Match) -> str | None:
    """Against other weights."""
    value = match.source(1)
    if value.type.quant is None:
        return f"{value.name!r} has no quantization parameters"
    if len(set(value.type.quant.zero_point)) > 1:
        return f"{value.name!r} has a zero point per channel"
    return None


class Convolution(NamedTuple):
    """What a convolution computes with: weights in the source's layout, the bias, a multiplier per channel."""

    x: Operand
    weight: Expr
    weight_zp: int
    bias: Expr
    bias_peak: int  # its largest magnitude, or i32's
    multiplier: Multiplier
    to: Target8


Accumulated = tuple[list[Expr], Convolution]  # a sum per group


def conv_2d(match: Match) -> Expr:
    """CONV_2D -> CONV2D, RESCALE; groups one by one, DEPTHWISE_CONV2D where each has one channel."""
    return convolved(match, *conv_2d_sums(match))


def conv_2d_sums(match: Match) -> Accumulated:
    """The sums of CONV_2D."""
    it = convolution(match, 0, channel_axis=0)
    out, height, width, depth = it.weight.shape
    groups = it.x.value.shape[3] // depth
    if groups == 1:
        sums = [_window(match, it, it.x, it.weight, it.bias, depthwise=False)]
    elif depth == 1:
        by_channel = it.weight.transpose((1, 2, 0, 3))
        per_group = by_channel.reshape((height, width, groups, out // groups))
        sums = [_window(match, it, it.x, per_group, it.bias, depthwise=True)]
    else:
        sums = _grouped(match, it, groups)
    return sums, it


def _grouped(match: Match, it: Convolution, groups: int) -> list[Expr]:
    n, h, w, _ = it.x.value.shape
    out, height, width, depth = it.weight.shape
    share = out // groups
    parts = []
    for g in range(groups):
        part = Operand(it.x.value.slice((0, 0, 0, g * depth), (n, h, w, depth)), it.x.scale, it.x.zero_point)
        kernel = it.weight.slice((g * share, 0, 0, 0), (share, height, width, depth))
        bias = _part(it.bias, g * share, share)
        parts.append(_window(match, it, part, kernel, bias, depthwise=False))
    return parts


def _part(bias: Expr, start: int, size: int) -> Expr:
    if bias.shape == (1,):
        return bias
    if bias.constant is not None:  # SLICE takes no i48
        return const(bias.constant[start : start + size], bias.dtype)
    return bias.slice((start,), (size,))


def depthwise_conv_2d(match: Match) -> Expr:
    """DEPTHWISE_CONV_2D -> DEPTHWISE_CONV2D, RESCALE."""
    return convolved(match, *depthwise_conv_2d_sums(match))


def depthwise_conv_2d_sums(match: Match) -> Accumulated:
    """The sums of DEPTHWISE_CONV_2D; weights [1,H,W,C*M] hold the M of a channel side by side."""
    it = convolution(match, 0, channel_axis=3)
    _, height, width, out = it.weight.shape
    channels = it.x.value.shape[3]
    weight = it.weight.reshape((height, width, channels, out // channels))
    return [_window(match, it, it.x, weight, it.bias, depthwise=True)], it


def _window(match: Match, it: Convolution, x: Operand, weight: Expr, bias: Expr, *, depthwise: bool) -> Expr:
    kernel = weight.shape[:2] if depthwise else weight.shape[1:3]
    window = match.attributes(Windowed)
    return conv2d(
        x.value,
        weight,
        bias,
        pad=padding_2d(window, x.value, kernel),
        stride=window.stride,
        dilation=window.dilation,
        input_zp=x.zero_point,
        weight_zp=it.weight_zp,
        depthwise=depthwise,
    )


def transpose_conv(match: Match) -> Expr:
    """TRANSPOSE_CONV -> TRANSPOSE_CONV2D, RESCALE; or CONV2D, RESCALE of each phase of its stride."""
    phases = by_phases(match)
    if phases is None:
        return convolved(match, *transpose_conv_sums(match))
    sums, it, grid = phases
    return joined([convolved(match, [acc], it) for acc in sums], *grid)


def by_phases(match: Match) -> tuple[list[Expr], Convolution, tuple[Axis, Axis]] | None:
    """Where TRANSPOSE_CONV2D is avoided, what `phased` makes, what that is scaled by, and how it is `joined`.

    None where weights aren't constant, or where a phase has no taps or doesn't see the whole image.
    """
    if not avoided(match, "TRANSPOSE_CONV2D"):
        return None
    it, window, size = convolution(match, 2, channel_axis=0), match.attributes(Windowed), transposed_size(match)
    inputs, (out, *kernel, _) = it.x.value.shape[1:3], it.weight.shape
    out_pad = transposed_padding(window.padding, size, inputs, kernel, window.stride)
    rows, columns = map(Axis, inputs, kernel, window.stride, size, out_pad[::2])
    tapless = any(axis.stride > axis.kernel for axis in (rows, columns))
    if tapless or it.weight.constant is None or it.bias.size not in (1, out):
        return None
    sums = phased(it.x.value, it.x.zero_point, it.weight.constant, it.weight_zp, it.bias, rows, columns)
    if sums is None:
        return None
    times = columns.stride if len(it.multiplier.m) > 1 else 1
    m, shift = (np.tile(part, times) for part in it.multiplier)
    return sums, it._replace(multiplier=Multiplier(m, shift)), (rows, columns)


def transpose_conv_sums(match: Match) -> Accumulated:
    """The sums of TRANSPOSE_CONV; the wanted size says how much to cut or add behind."""
    it = convolution(match, 2, channel_axis=0)
    window, inputs, kernel = match.attributes(Windowed), it.x.value.shape[1:3], it.weight.shape[1:3]
    out_pad = transposed_padding(window.padding, transposed_size(match), inputs, kernel, window.stride)
    acc = transpose_conv2d(
        it.x.value,
        it.weight,
        it.bias,
        out_pad=out_pad,
        stride=window.stride,
        input_zp=it.x.zero_point,
        weight_zp=it.weight_zp,
    )
    return [acc], it


# ** what the kernels share **


def weights(match: Match, index: Key, *, symmetric: bool) -> tuple[Expr, int]:
    """Weights in i8 with their zero point; int4 and int2 ones are widened, uint8 ones are flipped."""
    dtype, zero_point = match.source(index).type.dtype, match.quant(index).zero_point[0]
    if zero_point and dtype is not DType.UI8 and (symmetric or not match.quant(index).per_tensor):
        match.note(f"the weights' zero point of {zero_point} is ignored, as LiteRT's kernels do")
        zero_point = 0
    least, most = (0, UINT8_MAX) if dtype is DType.UI8 else (INT8_MIN, INT8_MAX)
    if not least <= zero_point <= most:
        raise Decline(f"zero point {zero_point} is out of the type's range")
    if dtype in (DType.I4, DType.I2):
        return const(match.constant(index).astype(np.int8), DType.I8), zero_point
    if dtype is DType.UI8:
        return swap_signedness(match[index]), zero_point - 128
    return match[index], zero_point


def biases(match: Match, index: Key, channels: int, dtype: DType) -> Expr:
    """The bias that a convolution of int8 or int16 can have, i32 or constants of i48, or a single 0.

    Raises:
        Decline: it is of another type, or beyond 48 bits.
    """
    if not match.has(index):
        return const([0], ACCUMULATORS[dtype])
    if dtype is DType.I16:
        return _wide_bias(match, index, channels)
    if match.source(index).type.dtype is not DType.I32:
        raise Decline(f"a bias of type {match.source(index).type.dtype.value}")
    return match[index].reshape((channels,))


def _wide_bias(match: Match, index: Key, channels: int) -> Expr:
    """The bias in i48, a single 0 unless it is constant."""
    constant = match.source(index).constant
    if constant is None:
        return const([0], DType.I48)
    if np.abs(constant).max(initial=0) > DType.I48.limits[1]:
        raise Decline("a bias beyond 48 bits, the most that TOSA's convolutions add")
    return const(constant.reshape(channels), DType.I48)


def real_scales(match: Match, index: Key, input_scale: np.float32, to: Target8) -> Array:
    """The scales input * weight / output in double, per tensor or channel."""
    weight = np.asarray(match.quant(index).scale, np.float32).astype(np.float64)
    return np.asarray(np.float64(input_scale) * weight / np.float64(to.scale))


def _conv_scales(match: Match, input_scale: np.float32, to: Target8) -> Array:
    """The real scales; for uint8, the product in float32 (GetQuantizedConvolutionMultipler, kernel_util.cc)."""
    if not to.unsigned:
        return real_scales(match, 1, input_scale, to)
    product = input_scale * np.asarray(match.quant(1).scale, np.float32)
    return np.asarray(product.astype(np.float64) / np.float64(to.scale))


def convolution(match: Match, index: int, *, channel_axis: int) -> Convolution:
    """The operands: activations at `index`, weights at 1, the bias behind both."""
    x, to = operand(match, index), target8(match)
    weight, weight_zp = weights(match, 1, symmetric=True)
    bias = biases(match, max(index, 1) + 1, weight.shape[channel_axis], to.dtype)
    multiplier = quantize_multiplier(_conv_scales(match, x.scale, to))
    peak = _magnitude(bias)
    if bias.dtype is DType.I48:
        return Convolution(x, weight, weight_zp, bias, peak, multiplier, to)
    if bias.constant is not None and peak >= LARGE and len(multiplier.m) > 1:
        weight, bias, multiplier = _without_constant_channels(x, weight, bias, multiplier, channel_axis)
        peak = _magnitude(bias)
    return Convolution(x, weight, weight_zp, bias, peak, multiplier, to)


def _magnitude(bias: Expr) -> int:
    """The largest of a constant's elements, i32's if it isn't constant."""
    return -INT32_MIN if bias.constant is None else int(np.abs(bias.constant.astype(np.int64)).max())


def _without_constant_channels(
    x: Operand, weight: Expr, bias: Expr, multiplier: Multiplier, axis: int
) -> tuple[Expr, Expr, Multiplier]:
    """Channels of tiny weights, which a huge bias decides alone, as a small bias: theirs might overflow elsewhere."""
    if weight.constant is None or bias.constant is None:
        return weight, bias, multiplier
    kernel, offset = weight.constant.copy(), bias.constant.astype(np.int64)
    m, shift = (part.copy() for part in multiplier)
    channels = np.moveaxis(kernel, axis, 0)
    first, last = accumulator_range(x, channels.reshape(len(channels), -1), offset)
    lowest, highest = multiply_each(first, m, shift), multiply_each(last, m, shift)
    alone = (np.abs(offset) >= LARGE) & (lowest == highest)
    channels[alone], offset[alone], m[alone], shift[alone] = 0, lowest[alone], 1 << 30, 1
    return const(kernel, DType.I8), const(offset, DType.I32), Multiplier(m, shift)


def accumulator_range(x: Operand, weight: Array, bias: Array) -> tuple[Array, Array]:
    """The smallest and largest accumulator of each channel for weights [channels, taps], zero point taken off."""
    positive = np.maximum(weight, 0).sum(1, dtype=np.int32).astype(np.int64)
    negative = weight.sum(1, dtype=np.int32) - positive
    low, high = (limit - x.zero_point for limit in x.value.dtype.limits)
    return positive * low + negative * high + bias, positive * high + negative * low + bias


def convolved(match: Match, sums: list[Expr], it: Convolution) -> Expr:
    """The sums on the result's scale."""
    acc = concat(sums, 3)
    low, high = fused_range(match, it.to)
    return to_result_type(
        match, requantized(match, acc, it.multiplier, it.to.zero_point, low, high, peak=_peak(it, acc))
    )


def _peak(it: Convolution, acc: Expr) -> int:
    """At least the largest magnitude of an accumulator."""
    taps = it.weight.size // acc.shape[-1]
    return min(taps * 255 * (255 if it.weight_zp else 128) + it.bias_peak, -INT32_MIN)


CHECKS = (eight_bit(0), same_type, weights_fit, as_reference)
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.conv_2d", PAIRS, conv_2d, CHECKS, of=("input", "filter")),
    Rewrite("tfl.depthwise_conv_2d", PAIRS, depthwise_conv_2d, CHECKS, of=("input", "filter")),
    Rewrite(
        "tfl.transpose_conv",
        "i8*i8 ui8*ui8",
        transpose_conv,
        (eight_bit("input"), weights_fit, as_reference),
        of=("input", "weights"),
    ),
)
