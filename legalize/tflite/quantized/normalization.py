"""L2_NORMALIZATION on 8-bit elements (l2normalization.h): the reciprocal root of each row's sum by Newton's method."""

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.checks import BYTES
from tosa_converter.legalize.tflite.quantized.arithmetic import INT32_MAX
from tosa_converter.legalize.tflite.quantized.common import (
    TIMES_ONE,
    as_reference,
    eight_bit,
    operand,
    target8,
    to_result_type,
    widened,
)
from tosa_converter.legalize.tflite.quantized.fixed_point import ROOT_OF_HALF
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops

OUTPUT_SHIFT = 7  # the result's scale is 2**-7
NEWTON_STEPS = 5


def l2_normalization(match: Match) -> Value:
    """L2_NORMALIZATION over the last dimension; uint8 takes 2**7 into the product, int8 into the shift behind it."""
    build = match.builder
    x = widened(build, operand(match, "input"))
    total = build.reduce(ops.REDUCE_SUM, build.mul(x, x), x.type.rank - 1)
    root, right = inverse_square_root(build, total)
    if target8(match).unsigned:
        left = build.scalar(OUTPUT_SHIFT, right)
    else:
        left = build.sub(build.scalar(OUTPUT_SHIFT, right), right)
        left, right = (build.maximum(v, build.scalar(0, v)) for v in (left, build.negate(left)))
    product = build.mul(build.binary(ops.LOGICAL_LEFT_SHIFT, x, left), root, 31)
    return to_result_type(match, build.rescale(rounded_away(build, product, right), DType.I8, *TIMES_ONE))


def inverse_square_root(builder: Builder, x: Value) -> tuple[Value, Value]:
    """GetInvSqrtQuantizedMultiplierExp (common.h) of i32 >= 0: a multiplier and its right shift."""

    def number(value: int) -> Value:
        return builder.scalar(value, x)

    def left(value: Value, amount: Value) -> Value:
        return builder.binary(ops.LOGICAL_LEFT_SHIFT, value, amount)

    large = builder.binary(ops.GREATER_EQUAL, x, number(1 << 29))
    fitted = builder.select(large, builder.arithmetic_right_shift(x, number(2)), x)
    headroom = builder.sub(builder.unary(ops.CLZ, fitted), number(1))
    pairs = builder.sub(builder.arithmetic_right_shift(headroom, number(1)), number(1))
    shift = builder.sub(builder.select(large, number(12), number(11)), pairs)
    fixed = builder.arithmetic_right_shift(left(fitted, left(pairs, number(1))), number(1))  # Q3.28, 1/4 to 1
    half = builder.arithmetic_right_shift(fixed, number(1), round=True)
    y = number(1 << 28)
    for _ in range(NEWTON_STEPS):
        cube = left(builder.mul(builder.mul(y, y, 31), y, 31), number(6))
        rise = builder.mul(number((1 << 28) + (1 << 27)), y, 31)
        y = left(builder.sub(rise, builder.mul(half, cube, 31)), number(3))
    m = builder.mul(y, number(ROOT_OF_HALF), 31)
    m = left(m, builder.maximum(builder.negate(shift), number(0)))
    above_one = builder.binary(ops.GREATER, x, number(1))
    shift = builder.select(above_one, builder.maximum(shift, number(0)), number(0))
    return builder.select(above_one, m, number(INT32_MAX)), shift


def rounded_away(builder: Builder, x: Value, right: Value) -> Value:
    """X / 2**right, ties away from zero, for a shift known at run time."""
    zero = builder.scalar(0, x)
    below = builder.arithmetic_right_shift(x, builder.scalar(31, x))
    nudge = builder.select(builder.binary(ops.GREATER, right, zero), below, zero)
    return builder.arithmetic_right_shift(builder.add(x, nudge), right, round=True)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.l2_normalization", BYTES, l2_normalization, (eight_bit(0), as_reference)),
)
