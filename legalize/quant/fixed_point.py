"""gemmlowp's fixed-point functions on int64 arrays, as LiteRT's kernels use them.

Raw values are of int32 or int16: `bits` of 31 or 15 beside the sign. With n integer bits, 1 is 2**(bits - n).
"""

import numpy as np

from tosa_converter.ir import Array
from tosa_converter.legalize.quant.multipliers import INT32_MAX, divide_by_pot, high_mul

# exp(-2**exponent) in Q0.31
_EXP_OF_POWERS = (
    (-2, 1672461947),
    (-1, 1302514674),
    (0, 790015084),
    (1, 290630308),
    (2, 39332535),
    (3, 720401),
    (4, 242),
)
_EXP_OF_EIGHTH = 1895147668  # exp(-1/8)
_THIRD = 715827883
START, SLOPE = 1515870810, -1010580540  # 48/17 and -32/17 in Q2.29: the line that Newton's method starts from
ROOT_OF_HALF = 1518500250


def exp_on_negative_values(a: Array, integer_bits: int, bits: int = 31) -> Array:
    """Returns exp(a) in Q0.bits, for fixed-point a <= 0 with `integer_bits` bits before the point.

    `a` is split into a part in [-1/4, 0), whose exponential is a polynomial, and powers of two, whose exponentials are
    constants: exp(-1.3) = exp(-0.05) * exp(-1/4) * exp(-1).
    """
    fraction_bits = bits - integer_bits
    quarter = 1 << (fraction_bits - 2)
    small = (a & (quarter - 1)) - quarter
    result = _exp_on_last_quarter(small << integer_bits, bits)
    remainder = small - a
    for exponent, factor in _EXP_OF_POWERS:
        if integer_bits > exponent:
            bit = (remainder >> (fraction_bits + exponent)) & 1
            result = np.where(bit != 0, _rounded_product(result, _round_constant(factor, bits), bits), result)
    if integer_bits > 5:
        result = np.where(a < -32 << fraction_bits, 0, result)
    return np.where(a == 0, (1 << bits) - 1, result)


def _exp_on_last_quarter(a: Array, bits: int) -> Array:
    """Returns exp(a) for -1/4 <= a < 0, both in Q0.bits."""
    # Taylor series of exp around -1/8, with x = a + 1/8, so |x| <= 1/8:
    #   exp(a) = exp(-1/8) * (1 + x + x**2/2 + x**3/6 + x**4/24)
    # The first omitted term is at most (1/8)**5 / 120 = 2.5e-7, about 550 units of 2**-31. gemmlowp accepts that error,
    # and so must we: LiteRT's softmax is built on it (exp_on_interval_between_negative_one_quarter_and_0_excl in
    # fixedpoint.h).
    start = _round_constant(_EXP_OF_EIGHTH, bits)
    x = a + (1 << (bits - 3))
    x2 = _rounded_product(x, x, bits)
    x3 = _rounded_product(x2, x, bits)
    x4 = _rounded_product(x2, x2, bits)
    tail = divide_by_pot(_rounded_product(divide_by_pot(x4, 2) + x3, _round_constant(_THIRD, bits), bits) + x2, 1)
    return np.minimum(start + _rounded_product(start, x + tail, bits), (1 << bits) - 1)


def logistic(a: Array, integer_bits: int, bits: int = 15) -> Array:
    """Returns 1 / (1 + exp(-a)) in Q0.bits, for fixed-point a with `integer_bits` bits before the point."""
    above = one_over_one_plus_x(exp_on_negative_values(-np.abs(a), integer_bits, bits), bits)
    return np.where(a == 0, 1 << (bits - 1), np.where(a > 0, above, (1 << bits) - 1 - above))


def tanh(a: Array, integer_bits: int, bits: int = 15) -> Array:
    """Returns the hyperbolic tangent in Q0.bits, for fixed-point a with `integer_bits` bits before the point."""
    exponential = exp_on_negative_values(-np.abs(a), integer_bits + 1, bits)
    above = shift_left(_two_over_one_plus_x(exponential, bits) - (1 << (bits - 2)), 2, bits)
    return np.where(a == 0, 0, np.where(a > 0, above, -above))


def one_over_one_plus_x(a: Array, bits: int = 31) -> Array:
    """Returns 1 / (1 + a) for 0 <= a < 1, both in Q0.bits."""
    return shift_left(_two_over_one_plus_x(a, bits), 1, bits)


def _two_over_one_plus_x(a: Array, bits: int) -> Array:
    """Returns 2 / (1 + a) in Q2 for 0 <= a < 1 by three Newton steps; `q31.half_reciprocal` has the error bound."""
    half = (a + (1 << bits)) >> 1
    x = _round_constant(START, bits) + _rounded_product(half, _round_constant(SLOPE, bits), bits)
    for _ in range(3):
        change = _rounded_product(x, (1 << (bits - 2)) - _rounded_product(half, x, bits), bits)
        x = x + shift_left(change, 2, bits)
    return x


def _round_constant(raw: int, bits: int) -> int:
    """Returns a constant of Q0.31 rounded to Q0.bits (RescaleConstantInitializer)."""
    return int(divide_by_pot(raw, 31 - bits))


def _rounded_product(a: Array | int, b: Array | int, bits: int) -> Array:
    """Returns the fixed-point product a * b / 2**bits, halves rounded up, at most the largest value.

    gemmlowp's SaturatingRoundingDoublingHighMul rounds so for negative products too.
    """
    return np.asarray(np.minimum((a * b + (1 << (bits - 1))) >> bits, (1 << bits) - 1))


def reciprocal(x: Array, integer_bits: int) -> tuple[Array, Array]:
    """Returns 1 / x for x > 0: a mantissa in Q0.31, and how many bits x is above 1 (GetReciprocal, common.h).

    x has `integer_bits` bits before the point. 3 is 1.5 * 2**1, so its mantissa is 2/3 in Q0.31, 1431655765.
    """
    headroom = 31 - np.floor(np.log2(x)).astype(np.int64)
    return one_over_one_plus_x((x << headroom) - (1 << 31)), integer_bits - headroom


def inverse_square_root(x: Array) -> tuple[Array, Array]:
    """Returns 1 / sqrt(x) for x >= 1 as a multiplier and a left shift (GetInvSqrtQuantizedMultiplierExp, common.h).

    `q31.inverse_square_root` has the same on values of the graph, and a worked example.
    """
    x = np.asarray(x, np.int64)
    shift = np.full_like(x, 11)
    # x is shifted left by `pairs` pairs of bits, so that the root of the shift is a whole power of two.
    pairs = (30 - np.floor(np.log2(x)).astype(np.int64)) // 2 - 1
    fixed = (x << (2 * pairs)) >> 1  # Q3.28, 1/4 to 1
    half = divide_by_pot(fixed, 1)
    y = np.full_like(x, 1 << 28)
    for _ in range(5):  # Newton: y * (3 - fixed * y**2) / 2
        cube = shift_left(high_mul(high_mul(y, y), y), 6)
        y = shift_left(high_mul((1 << 28) + (1 << 27), y) - high_mul(half, cube), 3)
    m = high_mul(y, ROOT_OF_HALF)
    shift = shift - pairs
    m = np.where(shift < 0, m << np.maximum(-shift, 0), m)
    saturated = x <= 1
    return np.where(saturated, INT32_MAX, m), np.where(saturated, 0, -np.maximum(shift, 0))


def shift_left(x: Array, exponent: int, bits: int = 31) -> Array:
    """Returns x << exponent, saturated (SaturatingRoundingMultiplyByPOT)."""
    return np.clip(x << exponent, -1 << bits, (1 << bits) - 1)
