"""LiteRT's kernels of int16 by int8: i48 sums, brought back by multipliers of 15 bits.

Convolutions are the int16 ones of ConvPerChannel, DepthwiseConvPerChannel and TransposeConv (reference/integer_ops).
With a 64-bit bias or none, sums are scaled by a multiplier of 16 bits with its sign and rounded once, as RESCALE of i48
does it; with a 32-bit bias that the options state, as those of int8 are. Layers are those of
integer_ops/fully_connected.h that take float scales, products BatchMatMul of reference/batch_matmul.h.
"""

from functools import partial

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.formats.tflite.kernels import find_disagreement
from tosa_converter.ir import Array
from tosa_converter.legalize.ops.matrix import Product
from tosa_converter.legalize.ops.windows import Window
from tosa_converter.legalize.quant.elements import affine, fused_range, output_quant
from tosa_converter.legalize.quant.layer_operands import (
    IntegerOperands,
    integer_operands,
    real_scales,
    run_time_bias,
    wide_peak,
)
from tosa_converter.legalize.quant.litert_8 import tiled_multiplier
from tosa_converter.legalize.quant.multipliers import Multiplier, quantize_multiplier
from tosa_converter.legalize.quant.product_in_parts import LIMIT, product_in_parts
from tosa_converter.legalize.quant.requantize import OVERFLOW, clamp_for_rescale, clamp_to_range, requantize_to
from tosa_converter.legalize.quant.scheme import (
    ConvolutionPlan,
    LayerPlan,
    OperandKeys,
    ProductPlan,
    Scheme,
    TransposeOperands,
)
from tosa_converter.legalize.quant.widths import WIDTHS
from tosa_converter.legalize.tflite.disagreements import note_disagreement
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Key, Match
from tosa_converter.rewriting.operators import concat, rescale
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.schemas.flat import Table
from tosa_converter.schemas.tflite import TensorType

SCALE_BITS = 16  # that the kernels drop from a multiplier
SMALLEST_SCALE, LARGEST_SCALE = 2.0**-60, 2.0**15  # with which every sum is 0, or saturates from 1 on


class Biased(Table):
    """The option of convolutions and layers that states the type of the bias."""

    quantized_bias_type: TensorType = TensorType.FLOAT32


# ** convolutions **


def plan_convolution(match: Match, keys: OperandKeys, window: Window) -> ConvolutionPlan:
    """Plans a convolution of int16: each group's i48 sums are requantized by themselves, as CONCAT takes no i48."""
    integer = integer_operands(match, keys, symmetric=True)
    multiplier = quantize_multiplier(real_scales(match, keys.weight, integer.input_scale, integer.output))
    peak, count = wide_peak(integer.operands, keys.axis), integer.operands.weight.shape[keys.axis]

    def requantize_groups(*sums: Expr) -> Expr:
        """Requantizes the sums of each group with the multipliers of its channels, and concatenates the results.

        A bias that isn't constant is added to each group's sums.
        """
        parts, begin = [], 0
        sums_in_32_bits = has_short_bias(match, keys.bias)
        scales = tiled_multiplier(multiplier, max(count, sums[0].shape[3]))
        for acc in sums:
            channels = slice(begin, begin := begin + acc.shape[3])
            added_bias = run_time_bias(match, keys.bias, channels, count)
            scale = Multiplier(*(part if len(part) == 1 else part[channels] for part in scales))
            parts.append(requantized_sum(match, acc, added_bias, scale, peak, in_32_bits=sums_in_32_bits))
        return clamp_to_range(concat(parts, 3), *fused_range(match, integer.output))

    return ConvolutionPlan(integer.operands, window, requantize_groups)


def requantized_sum(
    match: Match, acc: Expr, added_bias: Expr | None, multiplier: Multiplier, peak: int, *, in_32_bits: bool
) -> Expr:
    """Requantizes an i48 sum to int16 as MultiplyByQuantizedMultiplier (common.cc) does for sums of 64 or 32 bits.

    The kernel sums in 32 bits if `in_32_bits`, else in 64. A bias that isn't constant is `added_bias`: it can't be
    given to the convolution in i48, so it is added after the sum was narrowed to i32. `peak` is the largest magnitude
    of the sum without that bias; a note tells if the sum may leave 32 bits.
    """
    if added_bias is None and not in_32_bits:
        return _scale_sum(match, acc, multiplier, peak)
    if peak >= LIMIT:
        match.note(f"sums reach up to {peak:.3g}: results outside int32 are unpredictable")
    acc = rescale(acc, DType.I32, [1 << 14], [14])  # times 1: RESCALE of i48 takes 16-bit multipliers only
    acc = acc if added_bias is None else acc + added_bias
    peak = LIMIT if added_bias is not None else min(peak, LIMIT)
    if in_32_bits:
        return requantize_to(match, acc, multiplier, 0, peak=peak, dtype=DType.I16)
    # The 64-bit kernel multiplies by the multiplier's upper 16 bits; for i32 they are shifted up to RESCALE's 31 again.
    # A multiplier of 0 takes the largest shift, with which RESCALE accepts every sum.
    m, shift = multiplier_of_16_bits(multiplier)
    m, shift = m << SCALE_BITS, np.where(m == 0, 62, shift + SCALE_BITS)
    return rescale(clamp_for_rescale(acc, shift, peak), DType.I16, m, shift)


def _scale_sum(match: Match, acc: Expr, multiplier: Multiplier, peak: int) -> Expr:
    """Returns i48 sums in int16 by one RESCALE with the upper 16 bits of the multiplier.

    A note tells if results may leave int32, where they are unpredictable in TOSA and wrap in LiteRT.
    """
    m, shift = multiplier_of_16_bits(multiplier)
    if (peak * m.astype(np.float64) * np.exp2(-shift.astype(np.float64))).max() >= LIMIT:
        match.note("results outside int32 are unpredictable; LiteRT wraps them")
    return rescale(acc, DType.I16, m, shift)


def multiplier_of_16_bits(multiplier: Multiplier) -> tuple[Array, Array]:
    """Returns the upper 16 bits of a multiplier, and RESCALE's shift for them; one of each if all channels' are equal.

    A multiplier 0.75 is m = 3 * 2**29 and shift 0, so m becomes 3 * 2**13 and is shifted right by 15.

    Raises:
        Decline: it is 2**14 or more.
    """
    m = np.minimum((multiplier.m + (1 << 15)) >> SCALE_BITS, 0x7FFF)
    shift = np.where(multiplier.m == 0, 15, 15 - multiplier.shift)
    if (shift < 2).any():
        raise Decline("expected a multiplier below 2**14: RESCALE shifts by at least 2 bits")
    if (m == m[0]).all() and (shift == shift[0]).all():
        return m[:1], shift[:1]
    return m, shift


def has_short_bias(match: Match, key: Key) -> bool:
    """Returns whether LiteRT's int16 kernel sums in 32 bits: the options say so, or the bias is i32.

    Notes are added if only the bias says so: LiteRT's kernels then disagree, or refuse the operator.
    """
    if match.attributes(Biased).quantized_bias_type is TensorType.INT32:
        return True
    if not match.has(key) or match.source(key).type.dtype is not DType.I32:
        return False
    if find_disagreement(match.op) is None:
        match.note("the 32-bit bias is added to the 64-bit sums; LiteRT refuses it")
    note_disagreement(match)
    return True


# ** layers **


def plan_layer(match: Match, keys: OperandKeys) -> LayerPlan:
    """Plans a dense layer of int16: its operands, and a function that multiplies sums by a double, rounded once.

    The double is clamped to a range beyond which all sums become 0 or saturate. A note tells where LiteRT's kernels
    disagree.
    """
    note_disagreement(match)
    integer = integer_operands(match, keys, symmetric=False)
    real = real_scales(match, keys.weight, integer.input_scale, integer.output)
    real = np.clip(real, SMALLEST_SCALE, LARGEST_SCALE)
    return LayerPlan(integer.operands, partial(_requantize_layer_sums, match, keys, integer, real))


def _requantize_layer_sums(match: Match, keys: OperandKeys, integer: IntegerOperands, real: Array, sums: Expr) -> Expr:
    """Returns the outputs of a dense int16 layer: sums plus a run-time bias, times a double, rounded once, clamped.

    In compact numerics the double is rounded to a multiplier of 31 bits. Notes tell of this, and of sums or results
    that may leave int32.
    """
    added_bias = run_time_bias(match, keys.bias, slice(None), integer.operands.weight.shape[0])
    peak = wide_peak(integer.operands, keys.axis)
    if peak >= LIMIT:
        match.note(f"sums reach up to {peak:.3g}: results outside int32 are unpredictable")
    if (peak * real).max() >= 1 << 31:
        match.note(OVERFLOW)
    acc = rescale(sums, DType.I32, [1 << 14], [14])  # times 1: RESCALE of i48 takes 16-bit multipliers only
    acc, peak = (acc, min(peak, LIMIT)) if added_bias is None else (acc + added_bias, LIMIT)
    if match.options.numerics == "compact":
        match.note("the multiplier has 31 bits, LiteRT's 53: this operator may differ by 1 step")
        multiplier = quantize_multiplier(real)
        acc = clamp_for_rescale(acc, multiplier.tosa_shift, peak)
        y = rescale(acc, DType.I16, multiplier.m, multiplier.tosa_shift)
    else:
        y = product_in_parts(acc, real, peak)
    return clamp_to_range(y, *fused_range(match, integer.output))


# ** products **


def plan_product(match: Match, transpose_operands: TransposeOperands) -> ProductPlan:
    """Plans a matrix product of int16 by int16 or int8, and a function that requantizes the i48 sums.

    `transpose_operands` returns both operands as [..., rows, depth] and [..., depth, columns].
    """
    real = np.float64(affine(match, "x").scale * affine(match, "y").scale) / np.float64(output_quant(match).scale)

    def requantize_product(product: Product) -> Expr:
        """Requantizes the i48 sums to int16."""
        peak, multiplier = product.depth * WIDTHS[DType.I16].magnitude ** 2, quantize_multiplier(float(real))
        return requantized_sum(match, product.sums, None, multiplier, peak, in_32_bits=False).reshape(product.shape)

    return ProductPlan(*transpose_operands(match["x"], match["y"].cast(DType.I16)), requantize_product, dtype=DType.I48)


LITERT_16 = Scheme(plan_convolution, plan_convolution, plan_layer, plan_product)
