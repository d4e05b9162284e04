"""Brings sums to the scale of a result: RESCALE, or the base operators that round as the kernels do."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.quant.multipliers import Multiplier, undefined_at
from tosa_converter.rewriting.expr import Expr, clamp, const, maximum, minimum
from tosa_converter.rewriting.operators import gather, rescale
from tosa_converter.rewriting.rewrite import Match

TIMES_ONE = [1 << 30], [30]  # multiplier and shift of a RESCALE that changes the type only
OVERFLOW = "where LiteRT's 32 bits overflow (undefined in C), this saturates"


def clamped(x: Expr, low: int, high: int) -> Expr:
    """CLAMP on int8 or int16, nothing for the full range."""
    return x if (low, high) == x.dtype.limits else clamp(x, low, high)


def requantized(
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
    """MultiplyByQuantizedMultiplier to int8 or int16, per channel of the last dimension with several multipliers.

    `x` is of i32, or of fewer bits with a zero point of 0; `peak` is the largest magnitude that it can have.
    """
    least, most = dtype.limits
    if zero_point and dtype is DType.I16:
        y = requantized_to_i32(match, x, multiplier, peak=peak)
        y = y + zero_point
        y = saturated(y, dtype, largest_product(multiplier, peak) + abs(zero_point))
    else:
        y = _scaled(match, x, multiplier, dtype, zero_point, peak)
    return clamped(y, least if low is None else low, most if high is None else high)


def requantized_to_i32(match: Match, x: Expr, multiplier: Multiplier, *, peak: int) -> Expr:
    """MultiplyByQuantizedMultiplier of i32 to i32; magnitudes from 2**28 on may be any others from there on."""
    return _scaled(match, x, multiplier, DType.I32, 0, peak)


def _scaled(match: Match, x: Expr, multiplier: Multiplier, dtype: DType, zero_point: int, peak: int) -> Expr:
    """RESCALE with DOUBLE_ROUND rounds as the kernels do; where no shift exceeds 31, one rounding is the same."""
    multiplier = _merged(multiplier)
    if multiplier.shift.max() > 0:
        if undefined_at(-peak, multiplier).any():
            match.note(OVERFLOW)
        multiplier = _within_range(multiplier)
    shifts = multiplier.tosa_shift
    mode = "SINGLE_ROUND"
    if multiplier.m[shifts > 31].any():
        if double_round(match):
            mode = "DOUBLE_ROUND"
        elif match.options.numerics == "compact":
            match.note("rounded once, not twice, for want of EXT-DOUBLEROUND: this operator may differ by 1 step")
        else:
            y = _rounded_twice(x, multiplier, peak)
            y = bounded(y, np.array([30]), largest_product(multiplier, peak))
            return y if dtype is DType.I32 else rescale(y, dtype, *TIMES_ONE, output_zp=zero_point)
    x = bounded(x, shifts, peak)
    return rescale(x, dtype, multiplier.m, shifts, output_zp=zero_point, rounding_mode=mode)


def _within_range(multiplier: Multiplier) -> Multiplier:
    """The multiplier with 2**28 for what is larger, beyond RESCALE's shifts: the result is out of range either way."""
    m, shift = multiplier
    large = shift > 29
    return Multiplier(np.where(large, 1 << 30, m), np.where(large, 29, shift))


def saturated(x: Expr, dtype: DType, peak: int) -> Expr:
    """RESCALE by 1 of an i32 to 8 or 16 bits; `peak` is the largest magnitude that it can have."""
    m, shift = TIMES_ONE
    return rescale(bounded(x, np.array(shift), peak), dtype, m, shift)


def largest_product(multiplier: Multiplier, peak: int) -> int:
    """At least the largest magnitude of a product."""
    return int((peak * multiplier.m.astype(np.float64) * np.exp2(multiplier.shift - 31.0)).max()) + 2


def bounded(x: Expr, shift: Array, peak: int) -> Expr:
    """`x` in i32, kept to what RESCALE takes with these shifts: beyond, results exceed 2**27, so 16 bits saturate.

    `shift` is one, or one per channel of the last dimension; nothing is emitted where `peak` needs nothing.
    """
    if peak < 1 << int(shift.min()) - 1:
        return x
    limit = np.int64(1) << (np.minimum(shift, 32) - 1)
    x = x.cast(DType.I32)
    return minimum(maximum(x, _last_axis(x, -limit)), _last_axis(x, limit - 1))


def double_round(match: Match) -> bool:
    """Whether RESCALE may round twice."""
    target = match.options.target
    return target is None or "EXT-DOUBLEROUND" in target.supported


def _merged(multiplier: Multiplier) -> Multiplier:
    """One multiplier for many equal ones."""
    m, shift = multiplier
    if len(m) == 1 or m[0] != m[-1] or (m != m[0]).any() or (shift != shift[0]).any():
        return multiplier
    return Multiplier(m[:1], shift[:1])


def _rounded_twice(x: Expr, multiplier: Multiplier, peak: int) -> Expr:
    """Double rounding in base operators: the high half of the product, then a division with ties away from zero.

    RESCALE by 31 bits takes values below 2**30; beyond, MUL with a shift of 31 does the same.
    """
    right = np.where(multiplier.m == 0, 0, np.maximum(multiplier.tosa_shift - 31, 0))
    if peak < 1 << 30:
        shift = multiplier.tosa_shift - right
        high = rescale(bounded(x, shift, peak), DType.I32, multiplier.m, shift)
    else:
        x = bounded(x, multiplier.tosa_shift, peak)
        if (multiplier.shift > 0).any():
            x = x * _last_axis(x, 1 << np.maximum(multiplier.shift, 0))
        high = x.times(_last_axis(x, multiplier.m), 31)
    return rounding_shift(high, right)


def _last_axis(x: Expr, values: Array) -> Expr:
    """i32 constants, one or one per index of the last dimension, that broadcast with `x`."""
    return const(values.reshape((1,) * (x.rank - 1) + (-1,) if x.rank else ()), DType.I32)


def rounding_shift(x: Expr, exponent: Array) -> Expr:
    """i32 / 2**exponent, ties away from zero: one less below zero makes "up at half" round away."""
    below = x >> 31
    if (exponent == 0).any():  # nothing to round there
        below = below & _last_axis(x, np.where(exponent == 0, 0, -1))
    return (x + below).shifted_right(_last_axis(x, exponent), round=True)


def divided(x: Expr, exponent: int) -> Expr:
    """A RESCALE to i32 by 2**-exponent, ties away from zero, for magnitudes of up to 2**30.

    A multiplier one over 2**30 moves the ties below zero away from it, and nothing else.
    """
    return rescale(x, DType.I32, [(1 << 30) + 1], [30 + exponent]) if exponent else x


def stepped(x: Expr, level: Expr, thresholds: Array) -> Expr:
    """The sum level + (x >= thresholds[level]) in i32, whatever rounding made `level` one too small.

    `thresholds` are [levels], or [channels,levels] for a last dimension of channels.
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
