"""FULLY_CONNECTED's one rounding of int16 sums times a double, half away from 0.

The kernels are those of integer_ops/fully_connected.h that take float scales. RESCALE's 31 bits of multiplier aren't
enough for results of 16 bits, so the sum and the scale are multiplied in parts: 42 bits of fraction are about what the
kernel's double has.
"""

import operator
from functools import reduce
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.quant.multipliers import quantize_multiplier
from tosa_converter.legalize.quant.requantize import TIMES_ONE
from tosa_converter.rewriting.expr import Expr, const, maximum, minimum
from tosa_converter.rewriting.operators import rescale

LIMIT = 1 << 31
BITS = 14  # of fraction in each part of a product
REACH = (1 << 15) + 2  # of the results that don't saturate


class SplitScale(NamedTuple):
    """A scale, one or one per channel, split so that i32 sums can be multiplied with it in parts.

    `high` is 2**split * scale, for the upper bits of a sum, and `low` the scale itself, each as integers and a rest.
    2**split * scale is between 1 and 2, as far as sums of 32 bits allow.
    """

    split: Array
    high: tuple[Array, Array, Array]  # of 2**split * scale: in 2**-14, in 2**-28, the rest in 2**-42
    low: tuple[Array, Array]  # of scale: in 2**-28, the rest in 2**-42


def split_scale(real: Array) -> SplitScale:
    """Splits scales into integer parts of 14 bits, so that sums can be multiplied with them in 32 bits.

    The upper bits of a sum, sum >> split, are multiplied with 2**split * real, and its lower bits with real. For real =
    0.3, split is 2: 2**2 * real = 1.2 is 19660 * 2**-14 + 13107 * 2**-28 + a rest, and 0.3 is 80530636 * 2**-28 + a
    rest.
    """
    split = np.clip(1 - np.frexp(real)[1], 0, 16).astype(np.int64)
    first, rest = _floor_and_rest(np.ldexp(real, split + BITS))
    second, rest = _floor_and_rest(np.ldexp(rest, BITS))
    low, low_rest = _floor_and_rest(np.where(split > 0, np.ldexp(real, 2 * BITS), 0))
    return SplitScale(split, (first, second, np.ldexp(rest, BITS)), (low, np.ldexp(low_rest, BITS)))


def _floor_and_rest(x: Array) -> tuple[Array, Array]:
    """Returns the floor of each number as an integer, and what is left."""
    whole = np.floor(x)
    return whole.astype(np.int64), x - whole


def product_in_parts(acc: Expr, real: Array, peak: int) -> Expr:
    """Returns round(acc * real) in int16, ties away from 0, by products of 32 bits.

    With sum = (high << split) + low, the product is high * (2**split * real) + low * real. Its 42 bits of fraction are
    computed in three parts of 14 bits, of which each carries over to the part above.

    Args:
        acc: the sums, i32.
        real: scales of rank 1, one or one for each index of the last dimension.
        peak: the largest magnitude of a sum; sums whose results saturate are clamped first if it is larger.
    """
    reach = np.minimum(np.ceil(REACH / real), LIMIT - 1).astype(np.int64)
    if (peak > reach).any():
        acc = minimum(maximum(acc, _const_along_last_axis(acc, -reach)), _const_along_last_axis(acc, reach))
    # Every part fits 32 bits. Results that don't saturate are below 2**15, so high * (2**split * real * 2**14) is below
    # 2**30. low is below 2**split and real * 2**28 below 2**(29 - split), so their product is below 2**29.
    scale = split_scale(real)
    high = acc >> _const_along_last_axis(acc, scale.split)
    low = acc & _const_along_last_axis(acc, (1 << scale.split) - 1)
    lowest_parts = [_times_fractions(x, rest) for x, rest in ((high, scale.high[2]), (low, scale.low[1])) if rest.any()]
    if _has_ties(real, reach):  # -1 in the last place moves a tie below zero away from zero
        lowest_parts.append(acc >> 31)
    second = _times_integers(high, scale.high[1]) + _times_integers(low, scale.low[0])
    if lowest_parts:
        second = second + _carry_over(reduce(operator.add, lowest_parts))
    first = _times_integers(high, scale.high[0]) + _carry_over(second)
    return rescale(_carry_over(first, round=True), DType.I16, *TIMES_ONE)


def _has_ties(real: Array, reach: Array) -> bool:
    """Returns whether a sum of magnitude up to `reach`, times its scale, can lie exactly in the middle of two results.

    A scale is an odd number times 2**-e, so the smallest such sum is 2**(e - 1): for 0.75 = 3 * 2**-2 it is 2, as 2 *
    0.75 = 1.5.
    """
    mantissa, exponent = np.frexp(real)
    odd = np.ldexp(mantissa, 53).astype(np.int64)
    zeros = np.log2((odd & -odd).astype(np.float64)).astype(np.int64)
    return bool((np.ldexp(0.5, (53 - zeros - exponent).clip(0, 60)) <= reach).any())


def _const_along_last_axis(x: Expr, values: Array) -> Expr:
    """Returns integers, one or one per channel, as an i32 constant that broadcasts along the last dimension of x."""
    return const(values.reshape((1,) * (x.rank - 1) + (-1,)), DType.I32)


def _times_integers(x: Expr, factor: Array) -> Expr:
    """Returns i32 x times integer factors, one or one per index of the last dimension."""
    return x * _const_along_last_axis(x, factor)


def _times_fractions(x: Expr, factor: Array) -> Expr:
    """Returns i32 x times real factors below 2**14, rounded, by RESCALE."""
    multiplier = quantize_multiplier(factor)
    return rescale(x, DType.I32, multiplier.m, multiplier.tosa_shift)


def _carry_over(x: Expr, *, round: bool = False) -> Expr:
    """Returns x / 2**14: what a 14-bit part of a product carries over to the part above; `round` rounds half up."""
    return x.shifted_right(BITS, round=round)
