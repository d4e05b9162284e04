"""SOFTMAX and LOG_SOFTMAX on 8 bits, in the fixed point of the reference kernels (softmax.h, log_softmax.h).

exp() depends on the distance from the row's maximum alone, so a GATHER of 256 words replaces it; the reciprocal or the
logarithm of the sum is a sequence on one number a row.
"""

import functools
from collections.abc import Callable

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.checks import BYTES
from tosa_converter.legalize.quant.elements import (
    INT8_MAX,
    INT8_MIN,
    as_reference,
    avoided,
    eight_bit,
    not_eight_bit,
    operand,
    to_result_type,
)
from tosa_converter.legalize.quant.fixed_point import ROOT_OF_HALF, SLOPE, START, exp_on_negative_values
from tosa_converter.legalize.quant.multipliers import INT32_MAX, divide_by_pot, high_mul, quantize_multiplier
from tosa_converter.legalize.quant.requantize import TIMES_ONE, rounding_shift
from tosa_converter.rewriting.expr import Expr, clz, const, lifted, maximum, minimum, where
from tosa_converter.rewriting.operators import gather, reduce_max, reduce_sum, rescale, table
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite, condition
from tosa_converter.schemas import tflite

SCALED_DIFF_BITS = 5
SUM_BITS = 12
OUTPUT_BITS = 4  # of LOG_SOFTMAX
FARTHEST = -20 << (31 - SCALED_DIFF_BITS)
# Of log_x_for_x_greater_than_or_equal_to_1 in Q0.31
ACCUMULATOR_BITS = 6
LOG_OF_2, ROOT_OF_ROOT_OF_HALF, QUARTER = 1488522236, 1805811301, 1 << (31 - ACCUMULATOR_BITS - 2)
ALPHA_N, ALPHA_D, ALPHA_I, ALPHA_F = 117049297, 127690142, 1057819769, 638450708
# From so many columns on, a row of equal elements makes the kernel abort.
ROW_LIMIT = 512


def softmax(match: Match) -> Expr:
    """SOFTMAX over the last dimension; exp in Q0.31, the sum in Q12.19, its reciprocal in Q0.31.

    The result has 8 bits or 16, of which the least stands for 0.
    """
    x, bits = operand(match, "input"), match.op.results[0].type.dtype.bits
    values = exponentials(np.float64(match.attributes(tflite.SoftmaxOptions).beta), np.float64(x.scale))
    row = x.value
    last, columns = row.rank - 1, row.shape[-1]
    exponential = gather_by_distance(match, row)(values)
    terms = exponential.shifted_right(SUM_BITS, round=True)
    total = reduce_sum(terms, last) if columns > 1 else terms
    headroom = clz(total)
    inverse = _reciprocal(total << headroom - 1)
    shift = SUM_BITS + 31 - bits - headroom
    if columns >= ROW_LIMIT:
        shift = minimum(shift, 31)
    if not _one_is_exact(values, bits):
        inverse = minimum(inverse, (1 << 30) - 1)
    y = exponential.times(inverse, 30).shifted_right(shift, round=True)
    if bits == 16:  # RESCALE takes no zero point there
        return rescale(y - (1 << 15), DType.I16, *TIMES_ONE)
    return to_result_type(match, rescale(y, DType.I8, *TIMES_ONE, output_zp=INT8_MIN))


def gather_by_distance(match: Match, x: Expr) -> Callable[[Array], Expr]:
    """Returns a function that gathers `words[row_max - x]` for each element; the distance is in 0..255."""
    last = x.rank - 1
    row_max = reduce_max(x, last) if x.shape[last] > 1 else x
    if avoided(match, "GATHER"):
        return functools.partial(_gather_by_tables, x, row_max)
    distance = row_max.cast(DType.I32) - x.cast(DType.I32)

    def gather_words(words: Array) -> Expr:
        rows = const(words.reshape(1, -1, 1), DType.I32)
        return gather(rows, distance.reshape((1, x.size))).reshape(x.shape)

    return gather_words


def _gather_by_tables(x: Expr, row_max: Expr, words: Array) -> Expr:
    """Looks up 32-bit words with four 8-bit TABLEs, for targets without GATHER.

    A word is split as high * factor + low; each half is assembled from two bytes. Each TABLE has a distance of its own,
    because NPUs join it to the operator in front only if that has no other reader.
    """

    def table_of(bytes_: Array) -> Expr:
        largest, element = (rescale(operand, DType.I32, *TIMES_ONE) for operand in (row_max, x))
        return table(rescale(largest - element, DType.I8, *TIMES_ONE, output_zp=INT8_MIN), bytes_.astype(np.int8))

    def sixteen_bits(halves: Array) -> Expr:
        high = rescale(table_of(halves >> 8), DType.I32, [1 << 30], [22])  # times 256
        low = rescale(table_of((halves & 0xFF) - 128), DType.I32, *TIMES_ONE, input_zp=INT8_MIN)
        return rescale(high + low, DType.I16, *TIMES_ONE).cast(DType.I32)

    factor = next(factor for factor in range((1 << 16) + 2, 1 << 17) if _splits(words, factor))
    high, low = np.divmod(words + (1 << 15), factor)
    return sixteen_bits(high) * factor + sixteen_bits(low - (1 << 15))


def _splits(words: Array, factor: int) -> bool:
    """Returns whether every word is high * factor + low with halves of 16 bits, and the product fits 32 bits."""
    high, low = np.divmod(words + (1 << 15), factor)
    return bool((low < 1 << 16).all() and (high * factor).max() <= INT32_MAX)


def exponentials(beta: np.float64, scale: np.float64) -> Array:
    """Returns exp(-distance * scale * beta) in Q0.31 for distances of 0 to 255.

    As PreprocessSoftmaxScaling and CalculateInputRadius have it.
    """
    in_reach, scaled = _distances(beta, scale)
    return np.where(in_reach, exp_on_negative_values(scaled, SCALED_DIFF_BITS), 0)


def _distances(beta: np.float64, scale: np.float64) -> tuple[Array, Array]:
    """Returns whether -distance * scale * beta is in the kernel's reach for 0 to 255, and its value in Q5.26."""
    real = min(float(beta * scale) * (1 << (31 - SCALED_DIFF_BITS)), 2.0**31 - 1)
    if not real > 1:
        raise Decline(f"scale times beta of {beta * scale:.3g}, which the kernel refuses")
    m, shift = (int(part[0]) for part in quantize_multiplier(real))
    radius = ((1 << SCALED_DIFF_BITS) - 1) * (1 << (31 - SCALED_DIFF_BITS)) // (1 << shift)
    distance = np.arange(256)
    in_reach = distance <= radius
    return in_reach, high_mul(-np.where(in_reach, distance, 0) << shift, m)


def _one_is_exact(values: Array, bits: int) -> bool:
    """Returns whether a reciprocal of exactly 1 leaves every result the same, where the kernel's saturates below 1."""
    shifts = np.arange(SUM_BITS + 31 - bits - 12, 32)
    above = values[values > 1 << 30, None]
    return not (above % (1 << shifts) == 1 << (shifts - 1)).any()


# Newton's method for 1 / d with d = (1 + a) / 2 in [1/2, 1), from the line 48/17 - 32/17 * d:
#   x' = x + x * (1 - d * x)
# The line is off by 1/17 at most, and a step squares the error: (1/17)**8 = 1.4e-10 after three, less than 2**-31.
# d * x is in Q2.29 as Q0.31 times Q2.29 is shifted by 31, so 1 is 1 << 29; x * error comes in Q4.27, hence << 2.
def _reciprocal(half: Expr) -> Expr:
    """Returns 1 / (2 * half) for half of 1 + a in Q0.31: one_over_one_plus_x before its last doubling, in Q1.30."""
    x = half.times(SLOPE, 31) + START
    for _ in range(3):
        error = (1 << 29) - half.times(x, 31)
        x = x + (x.times(error, 31) << 2)
    return x


# ** LOG_SOFTMAX **


def log_softmax(match: Match) -> Expr:
    """LOG_SOFTMAX over the last dimension: the distance from the largest, less the logarithm of the sum, in Q5.26.

    What the kernel sets to the least result is below -16 by then, where distances end so that nothing overflows.
    """
    x = operand(match, "input")
    shape = x.value.shape
    if shape[-1] >= 1 << SUM_BITS:
        raise Decline(f"rows of {shape[-1]} elements, whose sum overflows in the kernel")
    in_reach, scaled = _distances(np.float64(1), np.float64(x.scale))
    gather_words = gather_by_distance(match, x.value)
    exponential = np.where(in_reach, exp_on_negative_values(scaled, SCALED_DIFF_BITS), 0)
    total = gather_words(divide_by_pot(exponential, SUM_BITS))
    total = reduce_sum(total, len(shape) - 1) if shape[-1] > 1 else total
    distance = gather_words(np.maximum(np.where(in_reach, scaled, FARTHEST), FARTHEST))
    y = rounding_shift(distance - logarithm(total), np.array([31 - SCALED_DIFF_BITS - OUTPUT_BITS]))
    return to_result_type(match, rescale(y, DType.I8, *TIMES_ONE, output_zp=INT8_MAX))


def logarithm(z: Expr) -> Expr:
    """Returns log(z) of Q12.19 in Q5.26 for z >= 1: log_x_for_x_greater_than_or_equal_to_1 (common.h).

    z is 2**k * r with r around 1, found with whole k and with k + 1/2; log(r) is a quotient of polynomials.
    """
    r, exponent = _normalized(z)
    p = (r >> 1) + ((ROOT_OF_ROOT_OF_HALF >> 1) + 1)
    q = r - ROOT_OF_ROOT_OF_HALF
    q = q + q
    square = q.times(q, 31)
    numerator = q.times(r, 31) + q.times(square, 31).times(ALPHA_N, 31)
    inner = ALPHA_I + q + square.times(ALPHA_D, 31)
    denominator = p.times(inner, 31) + q.times(ALPHA_F, 31)
    inverse = q31_doubled(_reciprocal((denominator >> 1) + (1 << 30)))
    numerator = rounding_shift(numerator, np.array([ACCUMULATOR_BITS]))
    result = exponent.times(LOG_OF_2, 31) + numerator.times(inverse, 31)
    return result + result


def _normalized(z: Expr) -> tuple[Expr, Expr]:
    """Returns z as a mantissa in Q0.31 and an exponent in Q6.25: the smaller mantissa, the larger exponent of both."""

    def exponent(headroom: Expr, quarter: int) -> Expr:
        return (SUM_BITS - headroom << 31 - ACCUMULATOR_BITS) + quarter

    leading = clz(z)
    mantissa = q31_doubled((z << leading - 1).times(ROOT_OF_HALF, 31))
    spare = clz(z.times(ROOT_OF_HALF, 31)) - 1
    limit = lifted(INT32_MAX, z) >> spare
    other_mantissa = where(z > limit, INT32_MAX, z << spare)
    return minimum(mantissa, other_mantissa), maximum(exponent(leading, QUARTER), exponent(spare, -QUARTER))


def q31_doubled(x: Expr) -> Expr:
    """Returns twice a positive number of Q0.31, saturated."""
    largest = (1 << 30) - 1
    bounded = minimum(x, largest)
    return where(x > largest, INT32_MAX, bounded + bounded)


@condition("the operand has one scale")
def one_scale(match: Match) -> str | None:
    """Against an operand that isn't of 8 bits with one scale."""
    return not_eight_bit((match.source("input"),))


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.softmax", BYTES, softmax, (one_scale, as_reference)),
    Rewrite("tfl.log_softmax", BYTES, log_softmax, (eight_bit(0), as_reference)),
)
