"""The kernels' functions in fixed point on values of the graph: i32 with 31 bits of fraction or fewer.

`fixed_point` has the same arithmetic on numpy arrays. A product `a.times(b, 31)` of Qm.n and Q0.31 is in Qm.n, ties up.
"""

import numpy as np

from tosa_converter.legalize.quant.fixed_point import ROOT_OF_HALF, SLOPE, START
from tosa_converter.legalize.quant.multipliers import INT32_MAX
from tosa_converter.legalize.quant.requantize import rounding_shift
from tosa_converter.legalize.quant.softmax_tables import SUM_BITS
from tosa_converter.rewriting.expr import Expr, clz, maximum, minimum, operand_as_expr, where

# ** rounding **


def divide_by_run_time_power(x: Expr, right: Expr) -> Expr:
    """Returns x / 2**right, ties away from zero, for run-time exponents."""
    # A shift rounds ties up: -6 / 2**2 = -1.5 would be -1. With 1 less below zero, (-7 + 2) >> 2 = -2.
    below = x >> 31
    nudge = where(right > 0, below, 0)
    return (x + nudge).shifted_right(right, round=True)


def double_saturating(x: Expr) -> Expr:
    """Returns 2 * x for i32 x > 0, at most the largest i32 (just below 1 in Q0.31)."""
    largest = (1 << 30) - 1
    bounded = minimum(x, largest)
    return where(x > largest, INT32_MAX, bounded + bounded)


# ** reciprocal **


def half_reciprocal(half: Expr) -> Expr:
    """Returns 1 / (1 + a) in Q1.30 for half = (1 + a) / 2 in Q0.31 (one_over_one_plus_x, before its last doubling)."""
    # Newton's method for 1 / d with d = (1 + a) / 2 in [1/2, 1), from the line 48/17 - 32/17 * d:
    #   x' = x + x * (1 - d * x)
    # The line is off by 1/17 at most, and a step squares the error: (1/17)**8 = 1.4e-10 after three, less than 2**-31.
    # d * x is in Q2.29 as Q0.31 times Q2.29 is shifted by 31, so 1 is 1 << 29; x * error comes in Q4.27, hence << 2.
    x = half.times(SLOPE, 31) + START
    for _ in range(3):
        error = (1 << 29) - half.times(x, 31)
        x = x + (x.times(error, 31) << 2)
    return x


# ** inverse square root **

NEWTON_STEPS = 5


def inverse_square_root(x: Expr) -> tuple[Expr, Expr]:
    """Returns 1 / sqrt(x) of i32 >= 0: a multiplier and a right shift (GetInvSqrtQuantizedMultiplierExp)."""
    # x is brought to [1/4, 1) in Q3.28 by pairs of bits: 100 shifted left by 2 * 11 - 1 is 209715200 = 0.78125.
    # Newton's y' = y * (3 - fixed * y**2) / 2 from 1 ends at 1 / sqrt(0.78125) = 1.1314, and the factor sqrt(1/2) makes
    # that 0.8 in Q3.28. Read as Q0.31 the multiplier is 0.1, with a shift to the right of 11 - 11 = 0. y**3 comes in
    # Q9.22, hence << 6; the rise of Q6.25 becomes Q3.28 by << 3.
    large = x >= 1 << 29
    fitted = where(large, x >> 2, x)
    headroom = clz(fitted) - 1
    pairs = (headroom >> 1) - 1
    shift = where(large, operand_as_expr(12, x), 11) - pairs
    fixed = (fitted << (pairs << 1)) >> 1
    half = fixed.shifted_right(1, round=True)
    y = operand_as_expr(1 << 28, x)
    for _ in range(NEWTON_STEPS):
        cube = y.times(y, 31).times(y, 31) << 6
        rise = operand_as_expr((1 << 28) + (1 << 27), x).times(y, 31)
        y = (rise - half.times(cube, 31)) << 3
    m = y.times(ROOT_OF_HALF, 31)
    m = m << maximum(-shift, 0)
    above_one = x > 1
    shift = where(above_one, maximum(shift, 0), 0)
    return where(above_one, m, INT32_MAX), shift


# ** logarithm **

ACCUMULATOR_BITS = 6  # whole bits of exponents, less the sign
LOG_OF_2, ROOT_OF_ROOT_OF_HALF, QUARTER = 1488522236, 1805811301, 1 << (31 - ACCUMULATOR_BITS - 2)
ALPHA_N, ALPHA_D, ALPHA_I, ALPHA_F = 117049297, 127690142, 1057819769, 638450708


def logarithm(z: Expr) -> Expr:
    """Returns log(z) in Q5.26 of z in Q12.19, z >= 1 (log_x_for_x_greater_than_or_equal_to_1, common.h).

    With z = 2**k * r and r around 1, it is k * log(2) + log(r). The kernel computes log(r) as a quotient of
    polynomials, whose constants are ALPHA_*.
    """
    r, exponent = _mantissa_and_exponent(z)
    p = (r >> 1) + ((ROOT_OF_ROOT_OF_HALF >> 1) + 1)
    q = r - ROOT_OF_ROOT_OF_HALF
    q = q + q
    square = q.times(q, 31)
    numerator = q.times(r, 31) + q.times(square, 31).times(ALPHA_N, 31)
    inner = ALPHA_I + q + square.times(ALPHA_D, 31)
    denominator = p.times(inner, 31) + q.times(ALPHA_F, 31)
    inverse = double_saturating(half_reciprocal((denominator >> 1) + (1 << 30)))
    numerator = rounding_shift(numerator, np.array([ACCUMULATOR_BITS]))
    result = exponent.times(LOG_OF_2, 31) + numerator.times(inverse, 31)
    return result + result


def _mantissa_and_exponent(z: Expr) -> tuple[Expr, Expr]:
    """Returns (mantissa in Q0.31, exponent in Q6.25) of z in Q12.19, at least 1: z = 2**(exponent + 1/4) * mantissa.

    LOG_SOFTMAX's kernel (log_x_for_x_greater_than_or_equal_to_1_impl, common.h) computes two candidates, from the
    leading zeros of z and of z * sqrt(1/2), and takes the smaller mantissa and the larger exponent. For z = 1 they are
    0.7071 * 2**(1/4 + 1/4) and 1 * 2**(-1/4 + 1/4).
    """

    def exponent(headroom: Expr, quarter: int) -> Expr:
        """Returns the exponent in Q6.25 for this many leading zeros, plus `quarter`, which is 1/4 or -1/4."""
        return (SUM_BITS - headroom << 31 - ACCUMULATOR_BITS) + quarter

    leading = clz(z)
    mantissa = double_saturating((z << leading - 1).times(ROOT_OF_HALF, 31))
    spare = clz(z.times(ROOT_OF_HALF, 31)) - 1
    limit = operand_as_expr(INT32_MAX, z) >> spare
    other_mantissa = where(z > limit, INT32_MAX, z << spare)
    return minimum(mantissa, other_mantissa), maximum(exponent(leading, QUARTER), exponent(spare, -QUARTER))
