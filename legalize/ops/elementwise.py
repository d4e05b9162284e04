"""Arithmetic, rounding, extremes, comparisons and shifts, element by element; operands broadcast."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.rewriting.expr import (
    Expr,
    ceil,
    clamp,
    floor,
    intdiv,
    maximum,
    minimum,
    reciprocal,
    rsqrt,
    where,
)

# The smallest and the largest normal number of each float type.
NORMAL_RANGE = {
    DType.FP32: (2.0**-126, 2.0**128 - 2.0**104),
    DType.FP16: (2.0**-14, 2.0**16 - 2.0**5),
    DType.BF16: (2.0**-126, 2.0**128 - 2.0**120),
}
FLOAT_MAX = NORMAL_RANGE[DType.FP32][1]
QUOTIENT_BITS = 11  # of a quotient in one step of long division
STEPS = 3
MANTISSA_SPLIT = 2.0**12 + 1
LARGEST_DIVISOR = 2.0**114  # above, its product with MANTISSA_SPLIT overflows

# ** arithmetic **


def divide(a: Expr, b: Expr) -> Expr:
    """Returns a / b: i32 is rounded towards zero, floats are at most 2 units in the last place off."""
    return intdiv(a, b) if a.dtype is DType.I32 else a * reciprocal(b)


def square(x: Expr) -> Expr:
    """Returns x * x."""
    return x * x


def squared_difference(a: Expr, b: Expr) -> Expr:
    """Returns (a - b) * (a - b)."""
    return square(a - b)


def sqrt(x: Expr) -> Expr:
    """Returns the square root as 1 / RSQRT(x), which is defined at 0 and infinity; POW isn't defined below 0."""
    return reciprocal(rsqrt(x))


def signed_as(x: Expr, magnitude: Expr) -> Expr:
    """Returns `magnitude`, negated where x is below 0."""
    return where(x < 0, -magnitude, magnitude)


def sign(x: Expr) -> Expr:
    """Returns 1 above 0, -1 below, and zeros and NaN as they are."""
    if x.dtype is DType.I32:
        return clamp(x, -1, 1)
    below = where(x < 0, -1, x)
    return where(x > 0, 1, below)


# ** quotients and remainders **


def fmod(x: Expr, y: Expr) -> Expr:
    """Returns x - trunc(x / y) * y, with the sign of x, of i32 or fp32.

    It is exact for quotients below 2**33 and divisors up to 2**114.
    """
    if x.dtype is DType.I32:
        return x - intdiv(x, y) * y
    return signed_as(x, _long_division_remainder(abs(x), abs(y)))


def _long_division_remainder(x: Expr, y: Expr) -> Expr:
    """Returns x mod y of positive fp32 numbers, by long division with 11 bits of the quotient in each step."""
    # The halves of y have 12 bits each, so their products with a quotient of up to 12 bits fit the 24 bits of fp32, and
    # the differences are exact. RECIPROCAL may be off by a unit in the last place, and a quotient by 1. The next step
    # corrects that; the last two lines correct the last step.
    # Example: x = 5.5 and y = 0.1, which is 0.100000001490116. The first two quotients are 0. The third one is
    # floor(5.5 * 10) = 55, which leaves -8.2e-8. It is below 0, so y is added: 0.09999992 is fmod(5.5, 0.1).
    y = minimum(y, LARGEST_DIVISOR)
    high, low = split_mantissa(y)
    inverse = reciprocal(y)
    for shift in range(QUOTIENT_BITS * (STEPS - 1), -1, -QUOTIENT_BITS):
        digits = x * inverse * 2.0 ** (-shift)
        quotient = floor(digits) * 2.0**shift
        x = x - quotient * high - quotient * low
    x = where(x < 0, x + y, x)
    return where(x >= y, x - y, x)


def split_mantissa(x: Expr) -> tuple[Expr, Expr]:
    """Splits fp32 numbers into a sum of two with 12 bits of mantissa each (Veltkamp's splitting)."""
    spread = x * MANTISSA_SPLIT
    high = spread - (spread - x)
    return high, x - high


def floor_mod(x: Expr, y: Expr) -> Expr:
    """Returns x - floor(x / y) * y, with the sign of y, of i32 or fp32; exact where `fmod` is."""
    if x.dtype is DType.I32:
        _, rest, is_exact, signs_differ = _integer_division(x, y)
        corrected = rest + where(signs_differ, y, 0)  # of equal signs, rest + y might overflow
        return where(is_exact, rest, corrected)
    rest = fmod(x, y)
    signs_differ = rest * sign(y) < 0
    return where(signs_differ, rest + y, rest)


def floor_div(x: Expr, y: Expr) -> Expr:
    """Returns floor(x / y), of i32 or fp32."""
    if x.dtype is DType.I32:
        quotient, _, is_exact, signs_differ = _integer_division(x, y)
        corrected = quotient - signs_differ.cast(DType.I32)
        return where(is_exact, quotient, corrected)
    # x - floor_mod(x, y) is a multiple of y, so that its quotient is a whole number but for the reciprocal's error.
    return round_half_even(divide(x - floor_mod(x, y), y))


def _integer_division(a: Expr, b: Expr) -> tuple[Expr, Expr, Expr, Expr]:
    """Returns the truncated i32 quotient, its remainder, whether that is 0, and whether its sign differs from b's."""
    quotient = intdiv(a, b)
    rest = a - quotient * b
    signs_differ = rest ^ b < 0
    return quotient, rest, rest == 0, signs_differ


# ** rounding **


def truncate(x: Expr) -> Expr:
    """Returns floats rounded towards zero."""
    return where(x >= 0, floor(x), ceil(x))


def round_half_even(x: Expr) -> Expr:
    """Returns the nearest whole number, ties to even."""
    # CAST rounds so, but refuses NaN and what i32 can't hold. From 2**23 on (in fp16 2**11) floats have no fraction;
    # there, and for a NaN, the CLAMP changes x, and x is the result.
    limit = 2.0**11 if x.dtype is DType.FP16 else 2.0**23
    clamped = clamp(x, -limit, limit, nan_mode="IGNORE")
    rounded = clamped.cast(DType.I32).cast(x.dtype)
    return where(clamped == x, rounded, x)


def round_half_up(x: Expr) -> Expr:
    """Returns the nearest whole number, ties to the larger one."""
    whole = floor(x)
    return where(x - whole >= 0.5, whole + 1, whole)


# ** extremes **


def larger(a: Expr, b: Expr) -> Expr:
    """Returns `a > b ? a : b`, in which NaN propagates unless b is constant."""
    return maximum(a, b, _nan_mode(b))


def smaller(a: Expr, b: Expr) -> Expr:
    """Returns `a < b ? a : b`, in which NaN propagates unless b is constant."""
    return minimum(a, b, _nan_mode(b))


def _nan_mode(b: Expr) -> str:
    """Returns the nan_mode with which MAXIMUM or MINIMUM treats NaN as a kernel's `a > b ? a : b`.

    If a is NaN, the kernel's result is b. A constant b isn't NaN, and IGNORE returns it. A run-time b may be NaN
    itself, which must propagate, so the mode is PROPAGATE.
    """
    return "PROPAGATE" if b.constant is None else "IGNORE"


def clamp_between(low: Expr, x: Expr, high: Expr) -> Expr:
    """Returns x clamped to bounds that are tensors; where the lower bound is above the upper one, the upper one."""
    return minimum(maximum(low, x), high)


# ** comparisons **


def equal(a: Expr, b: Expr) -> Expr:
    """Returns whether a == b, of booleans too."""
    return ~(a ^ b) if a.dtype is DType.BOOL else a == b


def not_equal(a: Expr, b: Expr) -> Expr:
    """Returns whether a != b, of booleans too; true for a NaN."""
    return a ^ b if a.dtype is DType.BOOL else a != b


def is_nan(x: Expr) -> Expr:
    """Returns whether an element is a NaN, the only one that isn't equal to itself."""
    return x != x


def is_infinite(x: Expr) -> Expr:
    """Returns whether an element is infinite."""
    return abs(x) == np.inf


# ** shifts **


def shift_left(x: Expr, amount: Expr) -> Expr:
    """Returns x << amount; amounts below 0 or of all bits and more give 0."""
    wide_amount = amount.cast(DType.I32)
    is_inside = (wide_amount < x.dtype.bits) & (wide_amount >= 0)
    shifted = x << where(is_inside, amount, 0)
    return where(is_inside, shifted, 0)
