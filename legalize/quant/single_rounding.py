"""FULLY_CONNECTED's one rounding of sums times a double, as RESCALE does it.

The kernels compute round(acc * real) in double, ties away from zero. A 31-bit multiplier is searched whose single
rounding gives the same steps for every sum that the weights can produce. Where there is none, a sum decides against a
table of thresholds.
"""

from collections.abc import Callable

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.quant.multipliers import (
    INT32_MAX,
    INT32_MIN,
    quantize_multiplier,
    round_away,
    single_round,
    smallest_arguments,
    step_points,
)
from tosa_converter.legalize.quant.requantize import clamp_for_rescale, step_to_threshold
from tosa_converter.rewriting.expr import Expr, clamp, const
from tosa_converter.rewriting.operators import rescale
from tosa_converter.rewriting.reasons import Decline


def single_multipliers(real: Array, first: Array, last: Array, low: int, high: int) -> tuple[Array, Array] | None:
    """Searches for each channel a multiplier and shift whose one rounding equals the kernel's round(acc * real).

    `first` and `last` are the smallest and largest sum, of each channel or of all; results are clamped to [low, high].
    Returns None if no multiplier of 31 bits does that for some channel.

    The nearest multiplier of 31 bits is tried first. For real = 0.5 it is exact, m = 2**30 and shift 31, but rounds
    -0.5 up to 0, where the kernel rounds away from zero to -1. A multiplier that is larger by one, 2**30 + 1, moves -1
    * m / 2**31 just below -0.5; sums up to 2**30 are too small for it to change any other result.
    """
    multiplier = quantize_multiplier(real)
    m, shift = multiplier.m, multiplier.tosa_shift
    is_always_0 = (round_away(first * real) == 0) & (round_away(last * real) == 0)
    m, shift = np.where(is_always_0, 0, m), np.where(is_always_0, 62, shift)  # RESCALE's largest shift takes every sum
    for i in np.flatnonzero(~_is_exact(m, shift, real, first, last, low, high) & ~is_always_0):
        scale, levels = float(real[i]), np.arange(low + 1, high + 1)
        # It is enough to compare the sums next to each step of the kernel's result.
        points = step_points(
            _kernel_rounding(scale, low, high), (levels - 0.5) / scale, levels, *_sum_limits(first, last, i)
        )
        exact = single_round(points, _kernel_rounding(scale, low, high)(points), scale, low, high)
        if exact is None:
            return None
        m[i], shift[i] = exact
    return m, shift


def _sum_limits(first: Array, last: Array, channel: int) -> tuple[int, int]:
    """Returns the smallest and largest sum of a channel as integers; the arrays have one entry per channel, or one."""
    return int(first[channel % len(first)]), int(last[channel % len(last)])


def _kernel_rounding(real: float, low: int, high: int) -> Callable[[Array], Array]:
    """Returns the function by which the kernel gets a result from a sum: round(acc * real), clamped to [low, high]."""
    return lambda acc: np.clip(round_away(acc * real), low, high).astype(np.int64)


def round_by_thresholds(acc: Expr, real: Array, peak: int, zero_point: int, low: int, high: int) -> Expr:
    """Returns round(acc * real) + zero_point in int8, by a RESCALE and a table of thresholds.

    The RESCALE of the sum less half a step gives a level that is right or one too small, however it rounds. The level
    rises by 1 if the sum reaches the threshold of the next level.

    Args:
        acc: the sums, i32 [..., channels].
        real: a factor for each channel, or one.
        peak: the largest magnitude of a sum.
        zero_point: of the result.
        low: the least result, less the zero point.
        high: the largest result, less the zero point.

    Raises:
        Decline: a sum less half a step leaves 32 bits.
    """
    shape = (1,) * (acc.rank - 1) + (-1,)
    half = np.rint(0.5 / real)
    peak += int(half.max())
    if peak > INT32_MAX:
        raise Decline(f"expected sums that fit 32 bits with half a step subtracted, found up to {peak:.3g}")
    multiplier = quantize_multiplier(real)
    lowered = acc - const(half.astype(np.int32).reshape(shape), DType.I32)
    lowered = clamp_for_rescale(lowered, multiplier.tosa_shift, peak)
    level = rescale(lowered, DType.I8, multiplier.m, multiplier.tosa_shift, output_zp=zero_point)
    level = clamp(level, low + zero_point, high + zero_point)
    thresholds = np.full((len(real), 256), INT32_MAX)
    levels = np.arange(low + 1, high + 1)
    for i, scale in enumerate(real.tolist()):
        at = smallest_arguments(_kernel_rounding(scale, low, high), (levels - 0.5) / scale, levels)
        thresholds[i, low + zero_point + 128 : high + zero_point + 128] = np.clip(at, INT32_MIN, INT32_MAX)
    # Levels of -128 to 127 are entries 0 to 255 of the table.
    index = level.cast(DType.I32) + const(np.full((1,) * acc.rank, 128), DType.I32)
    index = step_to_threshold(acc, index, thresholds if len(real) > 1 else thresholds[0])
    index = index - const(np.full((1,) * acc.rank, 128), DType.I32)
    return index.cast(DType.I8)


def _is_exact(m: Array, shift: Array, real: Array, first: Array, last: Array, low: int, high: int) -> Array:
    """Returns a mask of the channels whose multiplier gives the kernel's result for every sum.

    It does if both results rise to each level at the same sum. Sums are in [first, last], and results are clamped to
    [low, high].
    """
    level = np.arange(low + 1, high + 1)
    usable = (m > 0) & (shift <= 52)  # beyond, the products below overflow
    m, shift = np.where(usable, m, 1), np.where(usable, shift, 31)
    # `at` is the smallest sum that m rounds up to a level: 2 * at * m >= (2 * level - 1) * 2**shift. If `at` is in
    # [first, last], the kernel must reach the level at that sum, and not at the sum before it. If `at` is behind the
    # last sum, the kernel must not reach the level; if it is at or before the first sum, the kernel must reach it.
    at = -((-(2 * level - 1) << (shift[:, None] - 1)) // m[:, None])
    scale = real[:, None]
    reaches_at = (at > last[:, None]) | (round_away(at * scale) >= level)
    not_before_at = (at <= first[:, None]) | (round_away((at - 1) * scale) < level)
    not_at_last = (at <= last[:, None]) | (round_away(last[:, None] * scale) < level)
    reaches_at_first = (at > first[:, None]) | (round_away(first[:, None] * scale) >= level)
    return np.asarray(usable & (reaches_at & not_before_at & not_at_last & reaches_at_first).all(1))
