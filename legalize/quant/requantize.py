"""Brings sums to the scale of a result: RESCALE, or the base operators that round as the kernels do.

A multiplier of scales is m * 2**(shift - 31). The kernels round the product with m to 2**31 first, ties up, and then to
2**-shift, ties away from zero: RESCALE's DOUBLE_ROUND. Where no shift to the right is left, one rounding is the same.
"""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.quant.multipliers import Multiplier, undefined_mask
from tosa_converter.rewriting.expr import Expr, clamp, const, maximum, minimum
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import gather, rescale

TIMES_ONE = [1 << 30], [30]  # multiplier and shift of a RESCALE that changes the type only
OVERFLOW = "values outside int32 saturate; they overflow in LiteRT (undefined in C)"


def clamp_to_range(x: Expr, low: int, high: int) -> Expr:
    """Clamps int8 or int16 to a range; nothing is emitted for the full range of the type."""
    return x if (low, high) == x.dtype.limits else clamp(x, low, high)


def requantize_to(
    match: Match,
    x: Expr,
    multiplier: Multiplier,
    zero_point: int,
    low: int | None = None,
    high: int | None = None,
    *,
    peak: int = 1 << 31,
    dtype: DType = DType.I8,
) -> Expr:
    """Returns x times a multiplier (MultiplyByQuantizedMultiplier), plus a zero point, in int8 or int16.

    Args:
        match: the operator, for its options and notes.
        x: i32, or fewer bits with a zero point of 0.
        multiplier: one, or one for each channel of the last dimension.
        zero_point: of the result.
        low: the least result; the type's by default.
        high: the largest result; the type's by default.
        peak: the largest magnitude that `x` can have.
        dtype: of the result.
    """
    least, most = dtype.limits
    if zero_point and dtype is DType.I16:  # RESCALE takes no zero point of int16
        y = requantize_to_i32(match, x, multiplier, peak=peak)
        y = y + zero_point
        y = saturate_to(y, dtype, largest_product(multiplier, peak) + abs(zero_point))
    else:
        y = _emit_rescale(match, x, multiplier, dtype, zero_point, peak)
    return clamp_to_range(y, least if low is None else low, most if high is None else high)


def requantize_to_i32(match: Match, x: Expr, multiplier: Multiplier, *, peak: int) -> Expr:
    """Returns i32 x times a multiplier, in i32, rounded as MultiplyByQuantizedMultiplier does; `peak` bounds |x|.

    A magnitude of 2**28 or more may come out as any other one of at least 2**28.
    """
    return _emit_rescale(match, x, multiplier, DType.I32, 0, peak)


def _emit_rescale(match: Match, x: Expr, multiplier: Multiplier, dtype: DType, zero_point: int, peak: int) -> Expr:
    """Returns x times a multiplier, rounded as LiteRT does: by RESCALE, or base operators if it can't round twice.

    In compact numerics a target without EXT-DOUBLEROUND rounds once, with a note. `peak` bounds |x|; if it leaves
    products that overflow in LiteRT, a note says so.
    """
    multiplier = _merge_equal(multiplier)  # one for all channels takes fewer constants
    if multiplier.shift.max() > 0:
        if undefined_mask(-peak, multiplier).any():
            match.note(OVERFLOW)
        multiplier = _limit_to_rescale(multiplier)
    shifts = multiplier.tosa_shift
    mode = "SINGLE_ROUND"
    if multiplier.m[shifts > 31].any():
        if has_double_round(match):
            mode = "DOUBLE_ROUND"
        elif match.options.numerics == "compact":
            match.note(
                "rounded once instead of twice, because the target lacks EXT-DOUBLEROUND: "
                "this operator may differ by 1 step"
            )
        else:
            y = _round_twice(x, multiplier, peak)
            # RESCALE by 1, with a shift of 30, adds the zero point and saturates.
            y = clamp_for_rescale(y, np.array([30]), largest_product(multiplier, peak))
            return y if dtype is DType.I32 else rescale(y, dtype, *TIMES_ONE, output_zp=zero_point)
    x = clamp_for_rescale(x, shifts, peak)
    return rescale(x, dtype, multiplier.m, shifts, output_zp=zero_point, rounding_mode=mode)


def _limit_to_rescale(multiplier: Multiplier) -> Multiplier:
    """Returns the multiplier, limited to 2**28, because RESCALE has no shift for larger ones.

    The results are the same after saturation: with either multiplier, every x but 0 leaves 16 bits.
    """
    m, shift = multiplier
    large = shift > 29
    return Multiplier(np.where(large, 1 << 30, m), np.where(large, 29, shift))


def saturate_to(x: Expr, dtype: DType, peak: int) -> Expr:
    """Saturates i32 to 8 or 16 bits: RESCALE by 1. `peak` is the largest magnitude that x can have."""
    m, shift = TIMES_ONE
    return rescale(clamp_for_rescale(x, np.array(shift), peak), dtype, m, shift)


def largest_product(multiplier: Multiplier, peak: int) -> int:
    """Returns an upper bound of the magnitude of x times a multiplier, rounded, for |x| up to `peak`."""
    return int((peak * multiplier.m.astype(np.float64) * np.exp2(multiplier.shift - 31.0)).max()) + 2


def clamp_for_rescale(x: Expr, shift: Array, peak: int) -> Expr:
    """Clamps `x` to the magnitudes that RESCALE takes with these shifts; nothing is emitted if `peak` fits.

    Args:
        x: i32 or fewer bits.
        shift: RESCALE's, one or one for each channel of the last dimension.
        peak: the largest magnitude that `x` can have.
    """
    # RESCALE requires |x| below 2**(shift - 1). With m of at least 2**30, an x of 2**(shift - 1) gives x * m / 2**shift
    # of at least 2**29, so clamping x changes only results that leave 16 bits anyway: with a shift of 20, 2**19 * m /
    # 2**20 = m / 2.
    if peak < 1 << int(shift.min()) - 1:
        return x
    limit = np.int64(1) << (np.minimum(shift, 32) - 1)
    x = x.cast(DType.I32)
    return minimum(maximum(x, _const_along_last_axis(x, -limit)), _const_along_last_axis(x, limit - 1))


def has_double_round(match: Match) -> bool:
    """Returns whether the target has RESCALE with two roundings (EXT-DOUBLEROUND); without a target, True."""
    target = match.options.target
    return target is None or "EXT-DOUBLEROUND" in target.supported


def _merge_equal(multiplier: Multiplier) -> Multiplier:
    """Returns one multiplier in place of those of all channels if they are equal, else all of them."""
    m, shift = multiplier
    if len(m) == 1 or m[0] != m[-1] or (m != m[0]).any() or (shift != shift[0]).any():
        return multiplier
    return Multiplier(m[:1], shift[:1])


def _round_twice(x: Expr, multiplier: Multiplier, peak: int) -> Expr:
    """Returns x * multiplier, rounded twice by base operators: to the product's high half, then by a right shift.

    The shift rounds ties away from zero. The high half comes from a RESCALE by at most 31 bits if |x| is below 2**30,
    else from MUL with a shift of 31.
    """
    right = np.where(multiplier.m == 0, 0, np.maximum(multiplier.tosa_shift - 31, 0))
    if peak < 1 << 30:
        shift = multiplier.tosa_shift - right
        high = rescale(clamp_for_rescale(x, shift, peak), DType.I32, multiplier.m, shift)
    else:
        x = clamp_for_rescale(x, multiplier.tosa_shift, peak)
        if (multiplier.shift > 0).any():
            x = x * _const_along_last_axis(x, 1 << np.maximum(multiplier.shift, 0))
        high = x.times(_const_along_last_axis(x, multiplier.m), 31)
    return rounding_shift(high, right)


def _const_along_last_axis(x: Expr, values: Array) -> Expr:
    """Returns integers as an i32 constant that broadcasts with `x`: one, or one per index of the last dimension."""
    return const(values.reshape((1,) * (x.rank - 1) + (-1,) if x.rank else ()), DType.I32)


def rounding_shift(x: Expr, exponent: Array) -> Expr:
    """Returns i32 / 2**exponent, ties away from zero; exponents are one, or one for each channel."""
    # -6 / 2**2 is -1.5. (-6 + 2) >> 2 would round it up to -1; with -1 added below zero, (-7 + 2) >> 2 is -2. -5 / 4,
    # no tie, stays (-6 + 2) >> 2 = -1.
    below = x >> 31
    if (exponent == 0).any():  # nothing to round there
        below = below & _const_along_last_axis(x, np.where(exponent == 0, 0, -1))
    return (x + below).shifted_right(_const_along_last_axis(x, exponent), round=True)


def divide_by_power(x: Expr, exponent: int) -> Expr:
    """Returns x / 2**exponent in i32, ties away from zero, for magnitudes of up to 2**30: RESCALE.

    The multiplier 2**30 + 1 adds |x| / 2**(30 + exponent), at most 2**-exponent: that moves a tie below zero away from
    it, and no other value across a tie. Above zero, ties go up anyway.
    """
    return rescale(x, DType.I32, [(1 << 30) + 1], [30 + exponent]) if exponent else x


def step_to_threshold(x: Expr, level: Expr, thresholds: Array) -> Expr:
    """Adds 1 to a level where x reaches the next level's threshold: level + (x >= thresholds[level]), in i32.

    `level` must be right or one too small.

    Args:
        x: compared with the thresholds, of their type.
        level: i32 of the same shape.
        thresholds: [levels], or [channels,levels] for a last dimension of channels.
    """
    shape = x.shape
    if thresholds.ndim == 2:
        offset = np.arange(len(thresholds)) * thresholds.shape[1]
        index = level + const(offset.reshape((1,) * (len(shape) - 1) + (-1,)), DType.I32)
    else:
        index = level
    table = const(thresholds.reshape(1, -1, 1), x.dtype)
    bound = gather(table, index.reshape((1, x.size))).reshape(shape)
    return level + (x >= bound).cast(DType.I32)
