"""SOFTMAX's and LOG_SOFTMAX's tables: of exp by distances of 8-bit elements, of exp and 1 / x for int16."""

from collections.abc import Callable
from functools import cache

import numpy as np

from tosa_converter.ir import Array
from tosa_converter.legalize.quant.fixed_point import exp_on_negative_values
from tosa_converter.legalize.quant.multipliers import INT32_MAX, high_mul, quantize_multiplier
from tosa_converter.legalize.quant.tables import INT16_MAX, INT16_MIN, entries
from tosa_converter.rewriting.reasons import Decline

# ** 8 bits **

SCALED_DIFF_BITS = 5  # whole bits of a scaled distance: it is in Q5.26
SUM_BITS = 12  # whole bits of a sum of exponentials: it is in Q12.19


def exponentials(beta: np.float64, scale: np.float64) -> Array:
    """Returns SOFTMAX's table of exp(-distance * scale * beta) in Q0.31 for distances of 0 to 255 from the maximum.

    The kernel prepares it in PreprocessSoftmaxScaling and CalculateInputRadius (quantization_util.cc).
    """
    in_reach, scaled = scaled_distances(beta, scale)
    return np.where(in_reach, exp_on_negative_values(scaled, SCALED_DIFF_BITS), 0)


def scaled_distances(beta: np.float64, scale: np.float64) -> tuple[Array, Array]:
    """Returns the exponents that SOFTMAX's 8-bit kernel uses, for each distance 0 to 255 below a row's largest element.

    The first array is a mask of the distances that the kernel exponentiates; its exponentials of the others are 0. The
    second array is -distance * scale * beta in Q5.26 where the mask holds, else 0.

    Raises:
        Decline: the kernel refuses scale times beta.
    """
    # With scale * beta = 0.1, a step in Q5.26 is 0.1 * 2**26 = 6710886.4 = 1717986918 * 2**(23 - 31). The kernel shifts
    # a distance left by 23 before it multiplies, which fits as long as distance * 2**23 <= 31 * 2**26, so to a radius
    # of 248.
    real = min(float(beta * scale) * (1 << (31 - SCALED_DIFF_BITS)), 2.0**31 - 1)
    if not real > 1:
        raise Decline(f"expected a product of scale and beta that LiteRT's kernel accepts, found {beta * scale:.3g}")
    m, shift = (int(part[0]) for part in quantize_multiplier(real))
    radius = ((1 << SCALED_DIFF_BITS) - 1) * (1 << (31 - SCALED_DIFF_BITS)) // (1 << shift)
    distance = np.arange(256)
    in_reach = distance <= radius
    return in_reach, high_mul(-np.where(in_reach, distance, 0) << shift, m)


def is_one_exact(values: Array, bits: int) -> bool:
    """Returns whether a reciprocal of exactly 1 gives the same SOFTMAX results as the kernel's, which is 1 - 2**-31.

    The kernel saturates the reciprocal, because Q0.31 has no 1. If the results are the same, the conversion saves the
    operators that saturate it.

    Args:
        values: the exponentials in Q0.31, of distances 0 to 255.
        bits: of the result, 8 or 16.
    """
    # The rounded product of e with 1 - 2**-31 is e - 1 for e > 2**30, else e. A shift by s then gives another result
    # only if e is a tie, which is rounded up and e - 1 isn't: if e % 2**s == 2**(s - 1).
    shifts = np.arange(SUM_BITS + 31 - bits - 12, 32)
    above = values[values > 1 << 30, None]
    return not (above % (1 << shifts) == 1 << (shifts - 1)).any()


def splitting_factor(words: Array) -> int:
    """Returns the smallest factor that splits every word + 2**15 as `high * factor + low`, with halves of 16 bits.

    Targets without GATHER look up each half by 8-bit TABLEs; `high * factor` must fit int32.
    """
    return next(factor for factor in range((1 << 16) + 2, 1 << 17) if _splits(words, factor))


def _splits(words: Array, factor: int) -> bool:
    """Returns whether a factor splits every word as `splitting_factor` requires.

    Word + 2**15 is high * factor + low, with low below 2**16; high * factor must fit int32.
    """
    high, low = np.divmod(words + (1 << 15), factor)
    return bool((low < 1 << 16).all() and (high * factor).max() <= INT32_MAX)


# ** 16 bits (SoftmaxInt16, reference/softmax.h) **

RANGE = 65535  # steps that the int16 values of a table's operand cover
EXP_RANGE = 10.0  # exp() of -10 stands for that of less


@cache
def exp_entries() -> Array:
    """Returns TABLE's entries of exp(x) for x of -10 to 0, in Q0.15."""
    return _read_only_entries(np.exp, EXP_RANGE / RANGE, INT16_MAX)


@cache
def reciprocal_entries() -> Array:
    """Returns TABLE's entries of 1 / (1 + x) for x of 0 to 1, in Q0.15."""
    return _read_only_entries(lambda x: 1 / (1 + x), 1 / RANGE, INT16_MIN)


def _read_only_entries(function: Callable[[Array], Array], scale: float, zero_point: int) -> Array:
    """Returns the 513 entries of an int16 TABLE of a function, as a read-only array that may be cached.

    The function is sampled at scale * (x - zero_point) for int16 x; its results are in Q0.15.
    """
    table = entries(function, np.float64(scale), zero_point, np.float64(2 / RANGE))
    table.flags.writeable = False
    return table
