"""CONV_2D, DEPTHWISE_CONV_2D and TRANSPOSE_CONV on int16 activations with int8 weights: i48 sums, then RESCALE.

The kernels are the int16 ones of ConvPerChannel, DepthwiseConvPerChannel and TransposeConv (reference/integer_ops).
With a 64-bit bias or none, sums are scaled by a multiplier of 16 bits and rounded once, as RESCALE of i48 does it; with
a 32-bit bias that the options state, as those of int8 are.
"""

from collections.abc import Callable

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.formats.tflite.kernels import disagreement
from tosa_converter.ir import Array
from tosa_converter.legalize.quant.elements import LARGEST, as_reference, fused_range, same_type, sixteen_bit
from tosa_converter.legalize.quant.multipliers import Multiplier
from tosa_converter.legalize.quant.requantize import bounded, clamped, requantized
from tosa_converter.legalize.tflite.disagreements import note_disagreement
from tosa_converter.legalize.tflite.quantized import conv as quantized
from tosa_converter.legalize.tflite.quantized.conv import Accumulated, weights_fit
from tosa_converter.legalize.tflite.quantized.phases import joined
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.operators import concat, rescale
from tosa_converter.rewriting.rewrite import Decline, Key, Match, Rewrite
from tosa_converter.schemas.flat import Table
from tosa_converter.schemas.tflite import TensorType

LIMIT = 1 << 31
SCALE_BITS = 16  # that the kernels drop from a multiplier


class Biased(Table):
    """What the options of operators with a bias may say of it."""

    quantized_bias_type: TensorType = TensorType.FLOAT32


def convolution(sums: Callable[[Match], Accumulated], bias: Key, axis: int) -> Callable[[Match], Expr]:
    """A rewrite of one convolution; its weights have the channels along `axis`."""

    def convolve(match: Match) -> Expr:
        parts, it = sums(match)
        share = it.weight.shape[axis] // len(parts)
        peak = peaks(it.weight, it.bias, axis)
        scaled = []
        for i, part in enumerate(parts):
            channels = slice(i * share, (i + 1) * share)
            late = late_bias(match, bias, channels, it.weight.shape[axis])
            multiplier = Multiplier(*(each if len(each) == 1 else each[channels] for each in it.multiplier))
            scaled.append(requantized_sum(match, part, late, multiplier, peak, in_32_bits=has_short_bias(match, bias)))
        return clamped(concat(scaled, 3), *fused_range(match, it.to))

    return convolve


def transpose_conv(match: Match) -> Expr:
    """TRANSPOSE_CONV -> TRANSPOSE_CONV2D, RESCALE; or CONV2D, RESCALE of each phase of its stride."""
    late = match.has(3) and match.source(3).constant is None
    phases = None if late else quantized.by_phases(match)
    if phases is None:
        return WHOLE(match)
    sums, it, grid = phases
    peak, short = peaks(it.weight, it.bias, 0), has_short_bias(match, 3)
    scaled = [requantized_sum(match, acc, None, it.multiplier, peak, in_32_bits=short) for acc in sums]
    return clamped(joined(scaled, *grid), *fused_range(match, it.to))


def requantized_sum(
    match: Match, acc: Expr, late: Expr | None, multiplier: Multiplier, peak: int, *, in_32_bits: bool
) -> Expr:
    """MultiplyByQuantizedMultiplier (common.cc) of an i48 sum to int16; of 64 bits unless `in_32_bits`.

    `late` is a run-time bias, which TOSA's convolutions don't take in i48; `peak` the largest magnitude of the sum
    without it.
    """
    if late is None and not in_32_bits:
        return _scaled_once(match, acc, multiplier, peak)
    if peak >= LIMIT:
        match.note(f"sums of up to {peak:.3g} may leave 32 bits, where this is unpredictable")
    acc = rescale(acc, DType.I32, [1 << 14], [14])
    acc = acc if late is None else acc + late
    peak = LIMIT if late is not None else min(peak, LIMIT)
    if in_32_bits:
        return requantized(match, acc, multiplier, 0, peak=peak, dtype=DType.I16)
    m, shift = reduced(multiplier)
    m, shift = m << SCALE_BITS, np.where(m == 0, 62, shift + SCALE_BITS)
    return rescale(bounded(acc, shift, peak), DType.I16, m, shift)


def _scaled_once(match: Match, acc: Expr, multiplier: Multiplier, peak: int) -> Expr:
    m, shift = reduced(multiplier)
    if (peak * m.astype(np.float64) * np.exp2(-shift.astype(np.float64))).max() >= LIMIT:
        match.note("results beyond 32 bits, which wrap in LiteRT, are unpredictable")
    return rescale(acc, DType.I16, m, shift)


def reduced(multiplier: Multiplier) -> tuple[Array, Array]:
    """The multiplier's upper 16 bits and RESCALE's shift.

    Raises:
        Decline: it is 2**14 or more.
    """
    m = np.minimum((multiplier.m + (1 << 15)) >> SCALE_BITS, 0x7FFF)
    shift = np.where(multiplier.m == 0, 15, 15 - multiplier.shift)
    if (shift < 2).any():
        raise Decline("a multiplier of 2**14 or more; RESCALE shifts by at least 2 bits")
    if (m == m[0]).all() and (shift == shift[0]).all():
        return m[:1], shift[:1]
    return m, shift


# ** biases **


def has_short_bias(match: Match, index: Key) -> bool:
    """Whether the kernel of 32-bit sums is meant: the options say so, or the bias is i32."""
    if match.attributes(Biased).quantized_bias_type is TensorType.INT32:
        return True
    if not match.has(index) or match.source(index).type.dtype is not DType.I32:
        return False
    if disagreement(match.op) is None:
        match.note("the bias of 32 bits, which LiteRT refuses here, is added as it is")
    note_disagreement(match)
    return True


def late_bias(match: Match, index: Key, channels: slice, count: int) -> Expr | None:
    """A bias that is no constant of the source, in i32, of a range of the `count` channels."""
    if not match.has(index) or match.source(index).constant is not None:
        return None
    bias = match[index].reshape((count,))
    start, stop, _ = channels.indices(count)
    return bias.slice((start,), (stop - start,)).reshape((1, 1, 1, stop - start))


def peaks(weight: Expr, bias: Expr, axis: int, weight_zp: int = 0) -> int:
    """At least the largest magnitude of a sum, with the bias that the convolution adds."""
    largest, channels = LARGEST[DType.I16], weight.shape[axis]
    count = weight.size // max(channels, 1)
    if weight.constant is None:
        taps = 128 * count
    else:
        others = tuple(i for i in range(weight.rank) if i != axis)
        positive = np.maximum(weight.constant, 0).sum(others, dtype=np.int64)
        taps = int((2 * positive - weight.constant.sum(others, dtype=np.int64)).max(initial=0))
    offset = 0 if bias.constant is None else int(np.abs(bias.constant).max(initial=0))
    return (taps + count * abs(weight_zp)) * largest + offset


WHOLE = convolution(quantized.transpose_conv_sums, 3, 0)
CHECKS = (sixteen_bit(0), same_type, weights_fit, as_reference)
TRANSPOSED = (sixteen_bit("input"), weights_fit, as_reference)
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.conv_2d", "i16*i8 i16*i4", convolution(quantized.conv_2d_sums, 2, 0), CHECKS, of=("input", "filter")),
    Rewrite(
        "tfl.depthwise_conv_2d",
        "i16*i8",
        convolution(quantized.depthwise_conv_2d_sums, 2, 3),
        CHECKS,
        of=("input", "filter"),
    ),
    Rewrite(
        "tfl.transpose_conv",
        "i16*i8",
        transpose_conv,
        TRANSPOSED,
        of=("input", "weights"),
    ),
)
