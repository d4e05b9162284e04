"""gemmlowp's fixed-point functions on int64 arrays, as LiteRT's kernels use them. Raw values are of int32."""

import numpy as np

from tosa_converter.ir import Array
from tosa_converter.legalize.tflite.quantized.arithmetic import INT32_MAX, divide_by_pot, high_mul

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


def exp_on_negative_values(a: Array, integer_bits: int) -> Array:
    """exp(a) in Q0.31 for a <= 0 with so many integer bits: the part below 1/4 by a polynomial, the rest by factors."""
    fraction_bits = 31 - integer_bits
    quarter = 1 << (fraction_bits - 2)
    small = (a & (quarter - 1)) - quarter
    result = _exp_on_last_quarter(small << integer_bits)
    remainder = small - a
    for exponent, factor in _EXP_OF_POWERS:
        if integer_bits > exponent:
            has = (remainder >> (fraction_bits + exponent)) & 1
            result = np.where(has != 0, high_mul(result, factor), result)
    return np.where(a == 0, INT32_MAX, result)


def _exp_on_last_quarter(a: Array) -> Array:
    """exp(a) in Q0.31 for -1/4 <= a < 0: Taylor's polynomial around -1/8."""
    x = a + (1 << 28)
    x2 = high_mul(x, x)
    x3 = high_mul(x2, x)
    x4 = high_mul(x2, x2)
    tail = divide_by_pot(high_mul(divide_by_pot(x4, 2) + x3, _THIRD) + x2, 1)
    return np.asarray(_EXP_OF_EIGHTH + high_mul(_EXP_OF_EIGHTH, x + tail))


def one_over_one_plus_x(a: Array) -> Array:
    """1 / (1 + a) in Q0.31 for 0 <= a < 1, by three Newton steps in Q2.29."""
    half = (a + INT32_MAX + 1) >> 1
    x = START + high_mul(half, SLOPE)
    for _ in range(3):
        x = x + (high_mul(x, (1 << 29) - high_mul(half, x)) << 2)
    return np.where(x > (1 << 30) - 1, INT32_MAX, x << 1)


def reciprocal(x: Array, integer_bits: int) -> tuple[Array, Array]:
    """GetReciprocal (common.h) of x > 0: a mantissa in Q0.31 and how many bits it is over 1."""
    headroom = 31 - np.floor(np.log2(x)).astype(np.int64)
    return one_over_one_plus_x((x << headroom) - (1 << 31)), integer_bits - headroom


def inverse_square_root(x: Array) -> tuple[Array, Array]:
    """GetInvSqrtQuantizedMultiplierExp (common.h) of x >= 1 with reverse_shift -1: a multiplier and its left shift."""
    x = np.asarray(x, np.int64)
    shift = np.full_like(x, 11)
    pairs = (30 - np.floor(np.log2(x)).astype(np.int64)) // 2 - 1
    fixed = (x << (2 * pairs)) >> 1  # Q3.28, 1/4 to 1
    half = divide_by_pot(fixed, 1)
    y = np.full_like(x, 1 << 28)
    for _ in range(5):
        cube = shift_left(high_mul(high_mul(y, y), y), 6)
        y = shift_left(high_mul((1 << 28) + (1 << 27), y) - high_mul(half, cube), 3)
    m = high_mul(y, ROOT_OF_HALF)
    shift = shift - pairs
    m = np.where(shift < 0, m << np.maximum(-shift, 0), m)
    one = x <= 1
    return np.where(one, INT32_MAX, m), np.where(one, 0, -np.maximum(shift, 0))


def shift_left(x: Array, exponent: int) -> Array:
    """SaturatingRoundingMultiplyByPOT with a positive exponent: a left shift that saturates."""
    return np.clip(x << exponent, -INT32_MAX - 1, INT32_MAX)
