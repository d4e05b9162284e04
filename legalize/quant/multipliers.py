"""The integer arithmetic of LiteRT's reference kernels on numpy arrays, and its translation to RESCALE parameters.

A real multiplier is m * 2**(shift - 31) with m in [2**30, 2**31) (QuantizeMultiplier, quantization_util.cc); products
are rounded twice (MultiplyByQuantizedMultiplier, common.cc). All values are int64 here; where the kernel's 32 bits
overflow, which C leaves undefined (`undefined_mask`), values saturate.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.rewriting.reasons import Decline

INT64 = np.iinfo(np.int64)
INT32_MIN, INT32_MAX = DType.I32.limits
_INFINITE = "expected a finite ratio of scales, found infinity"


class Multiplier(NamedTuple):
    """m * 2**(shift - 31), one or one for each channel, as int64 arrays of rank 1."""

    m: Array
    shift: Array

    @property
    def tosa_shift(self) -> Array:
        """Returns RESCALE's shift; for a multiplier of 0 the largest, which takes every value."""
        return np.where(self.m == 0, 62, 31 - self.shift)


def quantize_multiplier(real: Any) -> Multiplier:
    """Returns 31 bits and a shift for a real multiplier, 0 where it is below 2**-32 (QuantizeMultiplier).

    Args:
        real: a number, or an array of one for each channel.

    Raises:
        Decline: a multiplier is infinite or no number, from scales at the ends of what a float can hold.

    Example:
        >>> quantize_multiplier(0.75)  # 0.75 = 1610612736 * 2**(0 - 31)
        Multiplier(m=array([1610612736]), shift=array([0]))
    """
    if isinstance(real, float):
        return _one_multiplier(real)
    multiplier = np.atleast_1d(np.asarray(real, np.float64))
    if multiplier.size == 1:
        return _one_multiplier(float(multiplier[0]))
    if not np.isfinite(multiplier).all():
        raise Decline(_INFINITE)
    fraction, shift = np.frexp(multiplier)
    m = np.floor(fraction * (1 << 31) + 0.5).astype(np.int64)
    shift = shift.astype(np.int64)
    if m.max() == 1 << 31:  # a fraction that was rounded up to 1
        carry = m == 1 << 31
        m, shift = m >> carry, shift + carry
    if shift.min() < -31 or m.min() == 0:
        tiny = (shift < -31) | (m == 0)
        m, shift = np.where(tiny, 0, m), np.where(tiny, 0, shift)
    return Multiplier(m, shift)


@lru_cache(4096)  # layers often share their scales
def _one_multiplier(real: float) -> Multiplier:
    """Returns 31 bits and a shift for one real multiplier (QuantizeMultiplier); results are cached and read-only.

    Those too small for a shift of 31 to the right become 0; infinity and NaN are declined.
    """
    if not math.isfinite(real):
        raise Decline(_INFINITE)
    fraction, shift = math.frexp(real)
    m = math.floor(fraction * (1 << 31) + 0.5)
    if m == 1 << 31:
        m, shift = m >> 1, shift + 1
    if shift < -31 or m == 0:
        m, shift = 0, 0
    multiplier = Multiplier(np.array([m]), np.array([shift]))
    for part in multiplier:
        part.flags.writeable = False
    return multiplier


def high_mul(a: Any, b: Any) -> Array:
    """Returns a * b / 2**31, ties up, saturated to int32 (SaturatingRoundingDoublingHighMul)."""
    product = (np.asarray(a, np.int64) * b + (1 << 30)) >> 31
    return np.asarray(np.minimum(product, INT32_MAX))


def divide_by_pot(x: Any, exponent: Any) -> Array:
    """Returns x / 2**exponent, ties away from zero (RoundingDivideByPOT)."""
    x = np.asarray(x, np.int64)
    return np.asarray(np.sign(x) * ((np.abs(x) + ((1 << np.asarray(exponent, np.int64)) >> 1)) >> exponent))


def multiply(x: Any, multiplier: Multiplier) -> Array:
    """Returns x times one multiplier, rounded twice (MultiplyByQuantizedMultiplier)."""
    return multiply_each(x, int(multiplier.m[0]), int(multiplier.shift[0]))


def multiply_each(x: Any, m: Any, shift: Any) -> Array:
    """Returns each x times its own multiplier, rounded twice (MultiplyByQuantizedMultiplier)."""
    return divide_by_pot(high_mul(clip_integers(_shift_left(x, shift), INT32_MIN, INT32_MAX), m), np.maximum(-shift, 0))


def undefined_mask(x: Any, multiplier: Multiplier) -> Array:
    """Returns a mask of the products that MultiplyByQuantizedMultiplier leaves undefined in C.

    That is a shift to the left beyond 32 bits, or to the right by over 31. On x86 the former wraps round and the latter
    shifts by 32 less.
    """
    shifted, shift = _shift_left(x, multiplier.shift), multiplier.shift
    beyond = (shifted < INT32_MIN) | (shifted > INT32_MAX) | ((shift > 30) & (shifted != 0))
    return np.asarray(beyond | (shift < -31))


def clip_integers(x: Any, low: int, high: int) -> Array:
    """Clamps integers to [low, high], in a third of the time that np.clip takes."""
    return np.asarray(np.minimum(np.maximum(x, low), high))


def _shift_left(x: Any, shift: Any) -> Array:
    """Returns x << shift where the shift is positive, by 31 bits at most: more moves any x but 0 out of 32 bits."""
    return np.asarray(np.asarray(x, np.int64) << clip_integers(shift, 0, 31))


def round_away(x: Any) -> Array:
    """Returns C's round(): the nearest integer, ties away from zero, in the float type of the argument."""
    x = np.asarray(x)
    whole = np.trunc(x)
    return np.asarray(whole + np.where(np.abs(x - whole) >= 0.5, np.sign(x), 0), x.dtype)


def single_round(
    points: Array, results: Array, nominal: float, low: int | None = None, high: int | None = None
) -> tuple[int, int] | None:
    """Searches a multiplier and shift whose single rounding maps each point to its result; None if none does.

    The multiplier is the nearest to `nominal` that does so for every point.

    Args:
        points: integers before the product.
        results: what they become.
        nominal: the real multiplier.
        low: results up to `low` have no lower bound, because smaller ones are clamped to it.
        high: results from `high` on have no upper bound, because larger ones are clamped to it.
    """
    if not nominal > 0:
        return None
    shift, size = 31 - math.frexp(nominal)[1], np.abs(points)
    if not 2 <= shift <= 62 or size.max(initial=0) >= 1 << (shift - 1):
        return None
    has_lower_bound = results > (INT64.min if low is None else low)
    has_upper_bound = results < (INT64.max if high is None else high)
    # RESCALE gives the result t if (2 * t - 1) * half <= x * m < (2 * t + 1) * half, with half = 2**(shift - 1). Each
    # point so bounds |x| * m, by `least` and `most`, and all points bound m. For x = 3, t = 2 and a shift of 4,
    # 24 <= 3 * m < 40, so m is 8 to 13. For x = -3 and t = -2 it is 9 to 13: -3 * 8 is a tie, which RESCALE rounds up.
    half, negative, is_nonzero = 1 << (shift - 1), points < 0, size > 0
    odd = np.where(negative, -2 * results, 2 * results) - 1
    if (int(np.abs(odd).max(initial=0)) + 2) * half > INT64.max:
        odd = odd.astype(object)  # products beyond 64 bits
    least = odd * half + negative
    most = least + (2 * half - 1)
    if (~is_nonzero & ((has_lower_bound & (least > 0)) | (has_upper_bound & (most < 0)))).any():
        return None
    size = np.maximum(size, 1)
    bounded_below = is_nonzero & np.where(negative, has_upper_bound, has_lower_bound)
    bounded_above = is_nonzero & np.where(negative, has_lower_bound, has_upper_bound)
    smallest = int((-(-least // size)).max(where=bounded_below, initial=1))
    largest = int((most // size).min(where=bounded_above, initial=INT32_MAX))
    return (min(max(round(nominal * 2**shift), smallest), largest), shift) if smallest <= largest else None


def smallest_arguments(function: Callable[[Array], Array], estimates: Array, levels: Array) -> Array:
    """Returns, for each level, the smallest integer x with function(x) >= level, of a rising function.

    Args:
        function: from integers to integers.
        estimates: of the results, each at most 3 below its result, or less than 2 above it.
        levels: as many as estimates.

    Raises:
        Decline: an estimate is further off. This happens only with scales at the ends of a float's range.
    """
    near = np.floor(estimates).astype(np.int64)[:, None] + np.arange(-2, 4)
    reached = function(near) >= levels[:, None]
    if reached[:, 0].any() or not reached[:, -1].all():
        raise Decline("expected scales away from the ends of fp32's range: the multiplier is too far from 1")
    return np.asarray(near[np.arange(len(levels)), reached.argmax(1)])


def step_points(function: Callable[[Array], Array], estimates: Array, levels: Array, first: int, last: int) -> Array:
    """Returns the integers of [first, last] next to each step of a rising function, on both sides, and both ends.

    A multiplier that gives the right result at these gives it everywhere in between. `estimates` are of the arguments
    at which the function reaches the `levels`, each at most 3 below it, or less than 2 above.
    """
    at = smallest_arguments(function, estimates, levels)
    points = np.unique(np.concatenate([at, at - 1, [first, last]]))
    return np.asarray(points[(points >= first) & (points <= last)])


def exact_log2(scale: np.float32) -> int | None:
    """Returns the base-2 logarithm of a scale that is a power of two within 0.1 %, else None (CheckedLog2)."""
    exact = float(np.log2(scale))
    return round(exact) if abs(exact - round(exact)) < 1e-3 else None
