"""SOFTMAX and LOG_SOFTMAX on 8 bits, in the fixed point of the reference kernels (softmax.h, log_softmax.h).

exp() depends on the distance from the row's maximum alone, so a GATHER of 256 words replaces it; the reciprocal or the
logarithm of the sum is a sequence on one number a row.
"""

import functools
from collections.abc import Callable

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Value
from tosa_converter.legalize.checks import BYTES
from tosa_converter.legalize.tflite.quantized.arithmetic import (
    INT32_MAX,
    divide_by_pot,
    high_mul,
    quantize_multiplier,
)
from tosa_converter.legalize.tflite.quantized.common import (
    INT8_MAX,
    INT8_MIN,
    TIMES_ONE,
    as_reference,
    avoided,
    eight_bit,
    not_eight_bit,
    operand,
    rounding_shift,
    to_result_type,
)
from tosa_converter.legalize.tflite.quantized.fixed_point import ROOT_OF_HALF, SLOPE, START, exp_on_negative_values
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite, condition
from tosa_converter.schemas import tflite
from tosa_converter.schemas import tosa_ops as ops

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


def softmax(match: Match) -> Value:
    """SOFTMAX over the last dimension; exp in Q0.31, the sum in Q12.19, its reciprocal in Q0.31.

    The result has 8 bits or 16, of which the least stands for 0.
    """
    build = match.builder
    x, bits = operand(match, "input"), match.op.results[0].type.dtype.bits
    shape = x.value.type.static
    last = len(shape) - 1
    look_up = _looking_up(match, x.value)
    values = exponentials(np.float64(match.attributes(tflite.SoftmaxOptions).beta), np.float64(x.scale))
    exp = look_up(values)
    terms = build.arithmetic_right_shift(exp, build.scalar(SUM_BITS, exp), round=True)
    total = build.reduce(ops.REDUCE_SUM, terms, last) if shape[last] > 1 else terms
    headroom = build.unary(ops.CLZ, total)
    half = build.binary(ops.LOGICAL_LEFT_SHIFT, total, build.sub(headroom, build.scalar(1, headroom)))
    inverse = _reciprocal(build, half)
    shift = build.sub(build.scalar(SUM_BITS + 31 - bits, headroom), headroom)
    if shape[last] >= ROW_LIMIT:
        shift = build.minimum(shift, build.scalar(31, shift))
    if not _one_is_exact(values, bits):
        inverse = build.minimum(inverse, build.scalar((1 << 30) - 1, inverse))
    y = build.arithmetic_right_shift(build.mul(exp, inverse, 30), shift, round=True)
    if bits == 16:  # RESCALE takes no zero point there
        return build.rescale(build.sub(y, build.scalar(1 << 15, y)), DType.I16, *TIMES_ONE)
    return to_result_type(match, build.rescale(y, DType.I8, *TIMES_ONE, output_zp=INT8_MIN))


def _looking_up(match: Match, x: Value) -> Callable[[Array], Value]:
    """What looks words up by how far each element is below its row's largest, 0 to 255."""
    builder, last = match.builder, x.type.rank - 1
    largest = builder.reduce(ops.REDUCE_MAX, x, last, nan_mode="PROPAGATE") if x.type.static[last] > 1 else x
    if avoided(match, "GATHER"):
        return functools.partial(_by_bytes, builder, x, largest)
    below = builder.sub(builder.cast(largest, DType.I32), builder.cast(x, DType.I32))

    def look_up(values: Array) -> Value:
        table = builder.const(values.reshape(1, -1, 1), DType.I32)
        return builder.reshape(builder.gather(table, builder.reshape(below, (1, x.type.elements))), x.type.static)

    return look_up


def _by_bytes(builder: Builder, x: Value, largest: Value, values: Array) -> Value:
    """The words by four TABLEs: of two bytes, ADD makes 16 bits, and a word is high * factor + low of these.

    Each TABLE has a distance of its own, as NPUs join it to what makes its operand if that has no other reader.
    """

    def looked_up(bytes_: Array) -> Value:
        row, here = (builder.rescale(it, DType.I32, *TIMES_ONE) for it in (largest, x))
        below = builder.rescale(builder.sub(row, here), DType.I8, *TIMES_ONE, output_zp=INT8_MIN)
        return builder.table(below, bytes_.astype(np.int8))

    def sixteen_bits(words: Array) -> Value:
        high = builder.rescale(looked_up(words >> 8), DType.I32, [1 << 30], [22])
        low = builder.rescale(looked_up((words & 0xFF) - 128), DType.I32, *TIMES_ONE, input_zp=INT8_MIN)
        return builder.cast(builder.rescale(builder.add(high, low), DType.I16, *TIMES_ONE), DType.I32)

    factor = next(it for it in range((1 << 16) + 2, 1 << 17) if _splits(values, it))
    high, low = np.divmod(values + (1 << 15), factor)
    wide = sixteen_bits(high)
    return builder.add(builder.mul(wide, builder.scalar(factor, wide)), sixteen_bits(low - (1 << 15)))


def _splits(values: Array, factor: int) -> bool:
    """Whether words are high * factor + low of 16 bits each, and the product is of 32."""
    high, low = np.divmod(values + (1 << 15), factor)
    return bool((low < 1 << 16).all() and (high * factor).max() <= INT32_MAX)


def exponentials(beta: np.float64, scale: np.float64) -> Array:
    """exp(-distance * scale * beta) in Q0.31 for 0 to 255 (PreprocessSoftmaxScaling, CalculateInputRadius)."""
    kept, scaled = _distances(beta, scale)
    return np.where(kept, exp_on_negative_values(scaled, SCALED_DIFF_BITS), 0)


def _distances(beta: np.float64, scale: np.float64) -> tuple[Array, Array]:
    """Whether -distance * scale * beta is in reach for 0 to 255, and what it is in Q5.26."""
    real = min(float(beta * scale) * (1 << (31 - SCALED_DIFF_BITS)), 2.0**31 - 1)
    if not real > 1:
        raise Decline(f"scale times beta of {beta * scale:.3g}, which the kernel refuses")
    m, shift = (int(part[0]) for part in quantize_multiplier(real))
    radius = ((1 << SCALED_DIFF_BITS) - 1) * (1 << (31 - SCALED_DIFF_BITS)) // (1 << shift)
    distance = np.arange(256)
    kept = distance <= radius
    return kept, high_mul(-np.where(kept, distance, 0) << shift, m)


def _one_is_exact(values: Array, bits: int) -> bool:
    """Whether a reciprocal of 1, where the kernel's saturates just below, leaves every result of a shift the same."""
    shifts = np.arange(SUM_BITS + 31 - bits - 12, 32)
    above = values[values > 1 << 30, None]
    return not (above % (1 << shifts) == 1 << (shifts - 1)).any()


def _reciprocal(build: Builder, half: Value) -> Value:
    """one_over_one_plus_x before its last doubling: by Newton's method from half of 1 + x in Q0.31, in Q1.30."""
    x = build.add(build.mul(half, build.scalar(SLOPE, half), 31), build.scalar(START, half))
    for _ in range(3):
        error = build.sub(build.scalar(1 << 29, half), build.mul(half, x, 31))
        change = build.binary(ops.LOGICAL_LEFT_SHIFT, build.mul(x, error, 31), build.scalar(2, half))
        x = build.add(x, change)
    return x


# ** LOG_SOFTMAX **


def log_softmax(match: Match) -> Value:
    """LOG_SOFTMAX over the last dimension: the distance from the largest, less the logarithm of the sum, in Q5.26.

    What the kernel sets to the least result is below -16 by then, where distances end so that nothing overflows.
    """
    build = match.builder
    x = operand(match, "input")
    shape = x.value.type.static
    if shape[-1] >= 1 << SUM_BITS:
        raise Decline(f"rows of {shape[-1]} elements, whose sum overflows in the kernel")
    kept, scaled = _distances(np.float64(1), np.float64(x.scale))
    look_up = _looking_up(match, x.value)
    terms = divide_by_pot(np.where(kept, exp_on_negative_values(scaled, SCALED_DIFF_BITS), 0), SUM_BITS)
    total = look_up(terms)
    total = build.reduce(ops.REDUCE_SUM, total, len(shape) - 1) if shape[-1] > 1 else total
    distance = look_up(np.maximum(np.where(kept, scaled, FARTHEST), FARTHEST))
    real = build.sub(distance, logarithm(build, total))
    y = rounding_shift(build, real, np.array([31 - SCALED_DIFF_BITS - OUTPUT_BITS]))
    return to_result_type(match, build.rescale(y, DType.I8, *TIMES_ONE, output_zp=INT8_MAX))


def logarithm(builder: Builder, z: Value) -> Value:
    """log_x_for_x_greater_than_or_equal_to_1 (common.h) of Q12.19 to Q5.26.

    z is 2**k * r with r around 1, found with whole k and with k + 1/2; log(r) is a quotient of polynomials.
    """

    def number(value: int) -> Value:
        return builder.scalar(value, z)

    def product(a: Value, b: Value | int) -> Value:
        return builder.mul(a, number(b) if isinstance(b, int) else b, 31)

    r, exponent = _normalized(builder, z)
    p = builder.add(builder.arithmetic_right_shift(r, number(1)), number((ROOT_OF_ROOT_OF_HALF >> 1) + 1))
    q = builder.sub(r, number(ROOT_OF_ROOT_OF_HALF))
    q = builder.add(q, q)
    square = product(q, q)
    numerator = builder.add(product(q, r), product(product(q, square), ALPHA_N))
    inner = builder.add(builder.add(number(ALPHA_I), q), product(square, ALPHA_D))
    denominator = builder.add(product(p, inner), product(q, ALPHA_F))
    half = builder.add(builder.arithmetic_right_shift(denominator, number(1)), number(1 << 30))
    inverse = _doubled(builder, _reciprocal(builder, half))
    fine = product(rounding_shift(builder, numerator, np.array([ACCUMULATOR_BITS])), inverse)
    whole = builder.add(product(exponent, LOG_OF_2), fine)
    return builder.add(whole, whole)


def _normalized(builder: Builder, z: Value) -> tuple[Value, Value]:
    """Z as r in Q0.31 and an exponent in Q6.25: the smaller r, the larger exponent of both."""

    def number(value: int) -> Value:
        return builder.scalar(value, z)

    def exponent(headroom: Value, quarter: int) -> Value:
        whole = builder.sub(number(SUM_BITS), headroom)
        whole = builder.binary(ops.LOGICAL_LEFT_SHIFT, whole, number(31 - ACCUMULATOR_BITS))
        return builder.add(whole, number(quarter))

    leading = builder.unary(ops.CLZ, z)
    scaled = builder.binary(ops.LOGICAL_LEFT_SHIFT, z, builder.sub(leading, number(1)))
    a = _doubled(builder, builder.mul(scaled, number(ROOT_OF_HALF), 31))
    spare = builder.sub(builder.unary(ops.CLZ, builder.mul(z, number(ROOT_OF_HALF), 31)), number(1))
    over = builder.binary(ops.GREATER, z, builder.arithmetic_right_shift(number(INT32_MAX), spare))
    b = builder.select(over, number(INT32_MAX), builder.binary(ops.LOGICAL_LEFT_SHIFT, z, spare))
    larger = builder.maximum(exponent(leading, QUARTER), exponent(spare, -QUARTER))
    return builder.minimum(a, b), larger


def _doubled(builder: Builder, x: Value) -> Value:
    """Twice a positive number, saturated."""
    over = builder.binary(ops.GREATER, x, builder.scalar((1 << 30) - 1, x))
    kept = builder.minimum(x, builder.scalar((1 << 30) - 1, x))
    return builder.select(over, builder.scalar(INT32_MAX, x), builder.add(kept, kept))


@condition("the operand has one scale")
def one_scale(match: Match) -> str | None:
    """Against an operand that isn't of 8 bits with one scale."""
    return not_eight_bit((match.source("input"),))


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.softmax", BYTES, softmax, (one_scale, as_reference)),
    Rewrite("tfl.log_softmax", BYTES, log_softmax, (eight_bit(0), as_reference)),
)
