"""Layer normalization of 16-bit sums (ApplyLayerNorm, portable_tensor_utils.cc): 64 bits as digits of 10."""

from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.quant.multipliers import Multiplier
from tosa_converter.legalize.quant.q31 import inverse_square_root, rounded_away
from tosa_converter.legalize.quant.requantize import requantized, rounding_shift
from tosa_converter.rewriting.expr import Expr, intdiv, scalar, where
from tosa_converter.rewriting.operators import reduce_sum
from tosa_converter.rewriting.rewrite import Match

DIGIT = 10  # bits of a digit, and of the fraction that a mean has


class Norm(NamedTuple):
    """Of gates beside each other: coefficients and biases [1,gates,cells] in i32, the least variance [1,gates,1]."""

    weight: Expr
    bias: Expr
    least: Expr
    scale: Multiplier


def normalized(match: Match, x: Expr, norm: Norm) -> Expr:
    """Sums [1,batch,gates * cells] in i32 of 16 bits, each gate's normalized."""
    shape = x.shape
    _, gates, size = norm.weight.shape
    x = x.reshape((shape[1], gates, size))
    mean, variance = moments(x)
    flat = variance < 1
    inverse, right = inverse_square_root(where(flat, norm.least, variance))
    centred = x * (1 << DIGIT) - mean
    scaled = rounded_away(centred.times(inverse, 31), right)
    y = rounding_shift(scaled * norm.weight + norm.bias, np.array([DIGIT]))
    peak = 1 << 31 - DIGIT
    return requantized(match, y.reshape(shape), norm.scale, 0, peak=peak, dtype=DType.I16).cast(DType.I32)


def moments(x: Expr) -> tuple[Expr, Expr]:
    """The mean of the last dimension times 2**10, truncated, and the variance, rounded down.

    The kernel has sum(x * x) * (2**20 // size) - mean * mean in 64 bits, of which it takes the part above 2**20.
    """
    size = x.shape[2]
    mean = _mean(reduce_sum(x, 2), size)
    share = (1 << 2 * DIGIT) // size
    sums = [reduce_sum(digit, 2) for digit in _digits(x * x)]
    squares = [total * share for total in sums]
    a, b, c = _digits(abs(mean))
    ab, ac, bc = a * b, a * c, b * c
    rest = _carried(squares[0] - a * a)
    rest = rest + (squares[1] - (ab + ab))
    rest = _carried(rest) - (ac + ac + b * b)
    high = squares[2] - _shifted(c * c, 2 * DIGIT)
    return mean, high - _shifted(bc, DIGIT + 1) + rest


def _mean(total: Expr, size: int) -> Expr:
    """The total * 2**10 / size, truncated."""
    if (1 << DIGIT) % size == 0:
        return total * ((1 << DIGIT) // size)
    count = scalar(size, total)
    whole = intdiv(total, count)
    rest = total - whole * count
    return _shifted(whole, DIGIT) + intdiv(_shifted(rest, DIGIT), count)


def _digits(x: Expr) -> list[Expr]:
    """The lowest ten bits of x >= 0, the next, and what is above."""
    mask = scalar((1 << DIGIT) - 1, x)
    middle = _carried(x) & mask
    high = x >> 2 * DIGIT
    return [x & mask, middle, high]


def _carried(x: Expr) -> Expr:
    return x >> DIGIT


def _shifted(x: Expr, left: int) -> Expr:
    return x * (1 << left)
