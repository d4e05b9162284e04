"""Layer normalization of 16-bit sums (ApplyLayerNorm, portable_tensor_utils.cc).

A routine, no formula: the kernel computes the variance in 64 bits. TOSA's integers have 32, so numbers are split into
digits of 10 bits: x = x0 + x1 * 2**10 + x2 * 2**20.
"""

from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.quant.multipliers import Multiplier
from tosa_converter.legalize.quant.q31 import divide_by_run_time_power, inverse_square_root
from tosa_converter.legalize.quant.requantize import requantize_to, rounding_shift
from tosa_converter.rewriting.expr import Expr, intdiv, where
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import reduce_sum

DIGIT_BITS = 10  # of a digit, and of the fraction of a mean


class IntegerNorm(NamedTuple):
    """Parameters of the layer normalization of an int8 LSTM's gate sums.

    Coefficients and biases are i32 [1,gates,cells]; `variance_for_zero` [1,gates,1] replaces a variance of 0.
    """

    coefficients: Expr
    bias: Expr
    variance_for_zero: Expr
    multiplier: Multiplier


def normalize_gates(match: Match, x: Expr, norm: IntegerNorm) -> Expr:
    """Returns an int8 LSTM's gate sums after layer normalization: (x - mean) / sqrt(variance) * coefficient + bias.

    The sums x, i32 within 16 bits, are [1,batch,gates * cells]; each gate has its own mean and variance. The result is
    i32 in Q3.12.
    """
    shape = x.shape
    _, gates, cells = norm.coefficients.shape
    x = x.reshape((shape[1], gates, cells))
    mean, variance = moments(x)
    inverse, right_shift = inverse_square_root(where(variance < 1, norm.variance_for_zero, variance))
    centred = x * (1 << DIGIT_BITS) - mean  # the mean is times 2**DIGIT_BITS too
    scaled = divide_by_run_time_power(centred.times(inverse, 31), right_shift)
    y = rounding_shift(scaled * norm.coefficients + norm.bias, np.array([DIGIT_BITS]))
    peak = 1 << 31 - DIGIT_BITS  # of an i32 that is shifted right by DIGIT_BITS
    return requantize_to(match, y.reshape(shape), norm.multiplier, 0, peak=peak, dtype=DType.I16).cast(DType.I32)


def moments(x: Expr) -> tuple[Expr, Expr]:
    """Returns the mean of the last dimension times 2**10, truncated, and the variance, rounded down.

    The kernel's variance is (scale * sum(x * x) - mean * mean) >> 20 in 64 bits, with scale = 2**20 // size.
    """
    # With s0, s1, s2 the sums of the digits of x * x, and the mean's magnitude a + b * 2**10 + c * 2**20:
    #   scale * s0 - a * a                                  in units of 2**0
    #   scale * s1 - 2 * a * b                              in units of 2**10
    #   scale * s2 - 2 * a * c - b * b                      in units of 2**20
    #            - 2 * b * c * 2**10 - c * c * 2**20        in units of 2**20
    # Each line takes the carry of the line above, rounded down. Digits are below 2**10, and |x| <= 2**15 bounds the
    # highest digit of x * x by 2**10 and c by 2**5: each scaled sum is at most 2**30, c * c * 2**20 too.
    # Example: x = [3, 4] has mean 3584 = 3.5 * 2**10, s0 = 9 + 16, scale = 2**19, a = 512, b = 3, c = 0.
    #   line 1: 25 * 2**19 - 512 * 512 = 12845056, carry 12544; line 2: -3072 + 12544 = 9472, carry 9;
    #   line 3: 9 - 9 = 0, the variance 0.25 rounded down.
    mean = _scaled_mean(reduce_sum(x, 2), x.shape[2])
    scale = (1 << 2 * DIGIT_BITS) // x.shape[2]
    sums = [reduce_sum(digit, 2) for digit in _split_digits(x * x)]
    low, middle, high = (digit_sum * scale for digit_sum in sums)
    a, b, c = _split_digits(abs(mean))
    ab, ac, bc = a * b, a * c, b * c
    carry = (low - a * a) >> DIGIT_BITS
    carry = (carry + (middle - (ab + ab))) >> DIGIT_BITS
    carry = carry - (ac + ac + b * b)
    high = high - c * c * (1 << 2 * DIGIT_BITS)
    return mean, high - bc * (1 << DIGIT_BITS + 1) + carry


def _scaled_mean(total: Expr, size: int) -> Expr:
    """Returns total * 2**10 / size, truncated, without leaving 32 bits: a mean as LiteRT's integer LSTM scales it.

    Where size doesn't divide 2**10, the remainder is scaled alone, as total * 2**10 may leave 32 bits. A total of -7
    over 3: quotient -2, remainder -1, and -2 * 2**10 + (-1024 / 3 truncated) = -2389.
    """
    if (1 << DIGIT_BITS) % size == 0:
        return total * ((1 << DIGIT_BITS) // size)
    quotient = intdiv(total, size)
    remainder = total - quotient * size
    return quotient * (1 << DIGIT_BITS) + intdiv(remainder * (1 << DIGIT_BITS), size)


def _split_digits(x: Expr) -> list[Expr]:
    """Splits x >= 0 into digits of base 1024: its lowest ten bits, the next ten, and the rest."""
    mask = (1 << DIGIT_BITS) - 1
    middle = (x >> DIGIT_BITS) & mask
    high = x >> 2 * DIGIT_BITS
    return [x & mask, middle, high]
