"""SOFTMAX on int16 elements: two TABLEs, of exp and of the reciprocal (SoftmaxInt16, reference/softmax.h)."""

from collections.abc import Callable
from functools import cache

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.quant.elements import as_reference, operand, sixteen_bit
from tosa_converter.legalize.quant.multipliers import quantize_multiplier
from tosa_converter.legalize.quant.requantize import TIMES_ONE, requantized_to_i32
from tosa_converter.legalize.quant.tables import INT16_MAX, INT16_MIN, entries, interpolated
from tosa_converter.rewriting.expr import Expr, clz
from tosa_converter.rewriting.operators import reduce_max, reduce_sum, rescale
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tflite

RANGE = 65535
EXP_RANGE = 10.0  # exp() of less counts as that of -10
ROW_LIMIT = 1 << 16  # of so many columns the sum of exponentials overflows 32 bits


def softmax(match: Match) -> Expr:
    """SOFTMAX over the last dimension; exp in Q0.15, the sum in Q16.15, its reciprocal in Q0.15."""
    x = operand(match, "input")
    last = x.value.rank - 1
    columns = x.value.shape[last]
    if columns > ROW_LIMIT:
        raise Decline(f"rows of {columns} elements, whose sum overflows LiteRT's 32 bits and TOSA's")
    beta = match.attributes(tflite.SoftmaxOptions).beta
    if not beta >= 0:
        raise Decline(f"a beta of {beta}, where RESCALE multiplies by 0 or more")
    exp = _exponentials(match, x.value, last, x.scale * np.float32(beta))
    total = reduce_sum(exp, last) if columns > 1 else exp
    headroom = clz(total)
    high = total << headroom - 1
    fraction = high.shifted_right(14, round=True)
    fraction = rescale(fraction - (3 << 15), DType.I16, *TIMES_ONE)
    inverse = interpolated(fraction, reciprocals(), DType.I32)
    shift = 31 - headroom
    y = (exp * inverse).shifted_right(shift, round=True)
    return rescale(y, DType.I16, *TIMES_ONE)


def _exponentials(match: Match, x: Expr, axis: int, scale: np.float32) -> Expr:
    """exp() of the distance from the row's maximum, in i32: from 0 to -10 in 65535 steps."""
    largest = reduce_max(x, axis, nan_mode="PROPAGATE") if x.shape[axis] > 1 else x
    below = x.cast(DType.I32) - largest.cast(DType.I32)
    multiplier = quantize_multiplier(np.float64(scale) / (EXP_RANGE / RANGE))
    distance = requantized_to_i32(match, below, multiplier, peak=RANGE)
    centered = distance + INT16_MAX
    return interpolated(rescale(centered, DType.I16, *TIMES_ONE), exponentials(), DType.I32)


@cache
def exponentials() -> Array:
    """exp() of -10 to 0, in Q0.15."""
    return _table(np.exp, EXP_RANGE / RANGE, INT16_MAX)


@cache
def reciprocals() -> Array:
    """1 / (1 + x) of 0 to 1, in Q0.15."""
    return _table(lambda x: 1 / (1 + x), 1 / RANGE, INT16_MIN)


def _table(function: Callable[[Array], Array], scale: float, zero_point: int) -> Array:
    table = entries(function, np.float64(scale), zero_point, np.float64(2 / RANGE))
    table.flags.writeable = False
    return table


REWRITES: tuple[Rewrite, ...] = (Rewrite("tfl.softmax", "i16", softmax, (sixteen_bit(0), as_reference)),)
