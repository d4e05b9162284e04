"""Layer normalization of 16-bit sums (ApplyLayerNorm, portable_tensor_utils.cc): 64 bits as digits of 10."""

from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.tflite.quantized.arithmetic import Multiplier
from tosa_converter.legalize.tflite.quantized.common import requantized, rounding_shift
from tosa_converter.legalize.tflite.quantized.normalization import inverse_square_root, rounded_away
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import Match
from tosa_converter.schemas import tosa_ops as ops

DIGIT = 10  # bits of a digit, and of the fraction that a mean has


class Norm(NamedTuple):
    """Of gates beside each other: coefficients and biases [1,gates,cells] in i32, the least variance [1,gates,1]."""

    weight: Value
    bias: Value
    least: Value
    scale: Multiplier


def normalized(match: Match, x: Value, norm: Norm) -> Value:
    """Sums [1,batch,gates * cells] in i32 of 16 bits, each gate's normalized."""
    build, shape = match.builder, x.type.static
    _, gates, size = norm.weight.type.static
    x = build.reshape(x, (shape[1], gates, size))
    mean, variance = moments(build, x)
    flat = build.binary(ops.GREATER, build.scalar(1, variance), variance)
    inverse, right = inverse_square_root(build, build.select(flat, norm.least, variance))
    centred = build.sub(build.mul(x, build.scalar(1 << DIGIT, x)), mean)
    scaled = rounded_away(build, build.mul(centred, inverse, 31), right)
    y = rounding_shift(build, build.add(build.mul(scaled, norm.weight), norm.bias), np.array([DIGIT]))
    peak = 1 << 31 - DIGIT
    return build.cast(requantized(match, build.reshape(y, shape), norm.scale, 0, peak=peak, dtype=DType.I16), DType.I32)


def moments(build: Builder, x: Value) -> tuple[Value, Value]:
    """The mean of the last dimension times 2**10, truncated, and the variance, rounded down.

    The kernel has sum(x * x) * (2**20 // size) - mean * mean in 64 bits, of which it takes the part above 2**20.
    """
    size = x.type.static[2]
    mean = _mean(build, build.reduce(ops.REDUCE_SUM, x, 2), size)
    share = (1 << 2 * DIGIT) // size
    sums = [build.reduce(ops.REDUCE_SUM, digit, 2) for digit in _digits(build, build.mul(x, x))]
    squares = [build.mul(total, build.scalar(share, total)) for total in sums]
    a, b, c = _digits(build, build.unary(ops.ABS, mean))
    ab, ac, bc = build.mul(a, b), build.mul(a, c), build.mul(b, c)
    rest = _carried(build, build.sub(squares[0], build.mul(a, a)))
    rest = build.add(rest, build.sub(squares[1], build.add(ab, ab)))
    rest = build.sub(_carried(build, rest), build.add(build.add(ac, ac), build.mul(b, b)))
    high = build.sub(squares[2], _shifted(build, build.mul(c, c), 2 * DIGIT))
    return mean, build.add(build.sub(high, _shifted(build, bc, DIGIT + 1)), rest)


def _mean(build: Builder, total: Value, size: int) -> Value:
    """The total * 2**10 / size, truncated."""
    if (1 << DIGIT) % size == 0:
        return build.mul(total, build.scalar((1 << DIGIT) // size, total))
    count = build.scalar(size, total)
    whole = build.binary(ops.INTDIV, total, count)
    rest = build.sub(total, build.mul(whole, count))
    return build.add(_shifted(build, whole, DIGIT), build.binary(ops.INTDIV, _shifted(build, rest, DIGIT), count))


def _digits(build: Builder, x: Value) -> list[Value]:
    """The lowest ten bits of x >= 0, the next, and what is above."""
    mask = build.scalar((1 << DIGIT) - 1, x)
    middle = build.binary(ops.BITWISE_AND, _carried(build, x), mask)
    high = build.arithmetic_right_shift(x, build.scalar(2 * DIGIT, x))
    return [build.binary(ops.BITWISE_AND, x, mask), middle, high]


def _carried(build: Builder, x: Value) -> Value:
    return build.arithmetic_right_shift(x, build.scalar(DIGIT, x))


def _shifted(build: Builder, x: Value, left: int) -> Value:
    return build.mul(x, build.scalar(1 << left, x))
