"""Elementwise operators of StableHLO: operands of one shape, no quantization, integers that wrap."""

from collections.abc import Callable

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.checks import FLOATS, STORED, not_quantized
from tosa_converter.legalize.operands import held_in_32_bits
from tosa_converter.legalize.tflite.float.cast import cast
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import Build, Decline, Match, Rewrite, condition
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tflite import StablehloCompareOptions
from tosa_converter.schemas.tflite import StablehloComparisonDirection as Direction
from tosa_converter.schemas.tosa_ops import OpDef

INTEGERS = "i32 i64 i16 i8 ui8"
NARROW = (DType.I8, DType.I16)


@condition("operands of one shape")
def same_shapes(match: Match) -> str | None:
    """Against operands that would have to be broadcast, single elements left out: of them the operators say more."""
    shapes = {shape for shape in match.shapes if shape != ()}
    return f"operands of shapes {' and '.join(map(str, shapes))}" if len(shapes) > 1 else None


def wide(match: Match, key: int) -> Value:
    """An operand, 8- and 16-bit integers as i32."""
    x = match[key]
    if x.type.dtype not in NARROW:
        return x
    x = match.builder.cast(x, DType.I32)
    unsigned = match.source(key).type.dtype is DType.UI8
    return match.builder.binary(ops.BITWISE_AND, x, match.builder.scalar(0xFF, x)) if unsigned else x


def as_stored(match: Match, y: Value) -> Value:
    """A result in the type of the first operand: the lowest bits of an integer."""
    return held_in_32_bits(match, match.builder.cast(y, match[0].type.dtype))


def _by(compute: Callable[..., Value]) -> Build:
    """The build function of what is computed from the builder and the operands."""

    def elementwise(match: Match) -> Value:
        operands = [wide(match, key) for key in range(len(match.op.inputs))]
        return as_stored(match, compute(match.builder, *operands))

    return elementwise


def _one(row: OpDef) -> Build:
    def one(builder: Builder, *operands: Value) -> Value:
        if len({x.type.shape for x in operands}) > 1:
            raise Decline(f"operands {' and '.join(str(x.type) for x in operands)} of different shapes")
        return builder.emit(row, *operands)

    return _by(one)


def _divide(builder: Builder, a: Value, b: Value) -> Value:
    if a.type.dtype is DType.I32:
        return builder.binary(ops.INTDIV, a, b)
    return builder.mul(a, builder.unary(ops.RECIPROCAL, b))


def _remainder(builder: Builder, a: Value, b: Value) -> Value:
    """What is left of `a`, with its sign."""
    if a.type.dtype is DType.I32:
        return builder.sub(a, builder.mul(builder.binary(ops.INTDIV, a, b), b))
    size, step = builder.unary(ops.ABS, a), builder.unary(ops.ABS, b)
    count = builder.unary(ops.FLOOR, builder.mul(size, builder.unary(ops.RECIPROCAL, step)))
    rest = builder.sub(size, builder.mul(count, step))
    zero = builder.scalar(0, rest)
    rest = builder.select(builder.binary(ops.GREATER, zero, rest), builder.add(rest, step), rest)
    rest = builder.select(builder.binary(ops.GREATER_EQUAL, rest, step), builder.sub(rest, step), rest)
    return builder.select(builder.binary(ops.GREATER, zero, a), builder.negate(rest), rest)


def _power(builder: Builder, x: Value, y: Value) -> Value:
    """POW is defined above 0: below, whole exponents give a sign and others no number; at 0 the exponent decides."""
    zero, one, two = (builder.scalar(value, x) for value in (0, 1, 2))
    at_zero = builder.binary(ops.EQUAL, x, zero)
    power = builder.binary(ops.POW, builder.select(at_zero, one, builder.unary(ops.ABS, x)), y)
    rising, flat = builder.binary(ops.GREATER, y, zero), builder.binary(ops.EQUAL, y, zero)
    of_zero = builder.select(rising, zero, builder.select(flat, one, builder.scalar(np.inf, x)))
    half = builder.mul(y, builder.unary(ops.RECIPROCAL, two))
    whole = builder.binary(ops.EQUAL, builder.unary(ops.FLOOR, y), y)
    even = builder.binary(ops.EQUAL, builder.unary(ops.FLOOR, half), half)
    signed = builder.select(even, power, builder.negate(power))
    below = builder.select(whole, signed, builder.scalar(np.nan, x))
    power = builder.select(builder.binary(ops.GREATER, zero, x), below, power)
    return builder.select(at_zero, of_zero, power)


def _cube_root(builder: Builder, x: Value) -> Value:
    root = builder.binary(ops.POW, builder.unary(ops.ABS, x), builder.scalar(1 / 3, x))
    return builder.select(builder.binary(ops.GREATER, builder.scalar(0, x), x), builder.negate(root), root)


def _bits(logical: OpDef, bitwise: OpDef) -> Build:
    def bits(match: Match) -> Value:
        row = logical if match[0].type.dtype is DType.BOOL else bitwise
        return match.builder.binary(row, match[0], match[1])

    return bits


def clamp(match: Match) -> Value:
    """CLAMP between bounds of its own shape or single ones."""
    low, x, high = (wide(match, key) for key in range(3))
    return as_stored(match, match.builder.minimum(match.builder.maximum(low, x), high))


def compare(match: Match) -> Value:
    """COMPARE in the order of IEEE 754, where nothing holds of a NaN but that it isn't equal."""
    builder, a, b = match.builder, wide(match, 0), wide(match, 1)
    direction = match.attributes(StablehloCompareOptions).comparison_direction
    if direction in (Direction.STABLEHLO_COMPARISON_DIRECTION_LT, Direction.STABLEHLO_COMPARISON_DIRECTION_LE):
        a, b = b, a
    if a.type.dtype is DType.BOOL:
        a, b = (builder.cast(builder.cast(x, DType.I8), DType.I32) for x in (a, b))
    holds = builder.binary(COMPARISONS[direction], a, b)
    unequal = direction == Direction.STABLEHLO_COMPARISON_DIRECTION_NE
    return builder.unary(ops.LOGICAL_NOT, holds) if unequal else holds


COMPARISONS = {
    Direction.STABLEHLO_COMPARISON_DIRECTION_EQ: ops.EQUAL,
    Direction.STABLEHLO_COMPARISON_DIRECTION_NE: ops.EQUAL,
    Direction.STABLEHLO_COMPARISON_DIRECTION_GE: ops.GREATER_EQUAL,
    Direction.STABLEHLO_COMPARISON_DIRECTION_GT: ops.GREATER,
    Direction.STABLEHLO_COMPARISON_DIRECTION_LE: ops.GREATER_EQUAL,
    Direction.STABLEHLO_COMPARISON_DIRECTION_LT: ops.GREATER,
}


def select(match: Match) -> Value:
    """SELECT by a condition of one element or of each."""
    return match.builder.select(match["pred"], match["on_true"], match["on_false"])


def shift_left(match: Match) -> Value:
    """SHIFT_LEFT; amounts below 0 or beyond the bits give 0."""
    builder, x, amount = match.builder, match["lhs"], match["rhs"]
    bits = builder.scalar(x.type.dtype.bits, x)
    wide_amount, wide_bits = (builder.cast(value, DType.I32) for value in (amount, bits))
    inside = builder.binary(
        ops.LOGICAL_AND,
        builder.binary(ops.GREATER, wide_bits, wide_amount),
        builder.binary(ops.GREATER_EQUAL, wide_amount, builder.scalar(0, wide_amount)),
    )
    zero = builder.scalar(0, x)
    shifted = builder.binary(ops.LOGICAL_LEFT_SHIFT, x, builder.select(inside, amount, zero))
    return builder.select(inside, shifted, zero)


OPERATORS: dict[str, tuple[str, Build]] = {
    "abs": (f"{FLOATS} i32 i16 i8", _one(ops.ABS)),
    "add": (f"{FLOATS} {INTEGERS}", _one(ops.ADD)),
    "and": (f"bool {INTEGERS}", _bits(ops.LOGICAL_AND, ops.BITWISE_AND)),
    "cbrt": (FLOATS, _by(_cube_root)),
    "clamp": (f"{FLOATS} {INTEGERS}", clamp),
    "compare": (f"{FLOATS} {INTEGERS} bool", compare),
    "cosine": (FLOATS, _one(ops.COS)),
    "divide": (f"{FLOATS} i32", _by(_divide)),
    "exponential": (FLOATS, _one(ops.EXP)),
    "floor": (FLOATS, _one(ops.FLOOR)),
    "log": (FLOATS, _one(ops.LOG)),
    "logistic": (FLOATS, _one(ops.SIGMOID)),
    "maximum": (f"{FLOATS} {INTEGERS}", _by(lambda builder, a, b: builder.maximum(a, b))),
    "minimum": (f"{FLOATS} {INTEGERS}", _by(lambda builder, a, b: builder.minimum(a, b))),
    "multiply": (f"{FLOATS} {INTEGERS}", _by(lambda builder, a, b: builder.mul(a, b))),
    "negate": (f"{FLOATS} i32 i16 i8", _by(lambda builder, x: builder.negate(x))),
    "or": (f"bool {INTEGERS}", _bits(ops.LOGICAL_OR, ops.BITWISE_OR)),
    "power": (FLOATS, _by(_power)),
    "remainder": (f"{FLOATS} i32", _by(_remainder)),
    "rsqrt": (FLOATS, _one(ops.RSQRT)),
    "subtract": (f"{FLOATS} {INTEGERS}", _one(ops.SUB)),
    "shift_left": ("i32 i16 i8", shift_left),
    "tanh": (FLOATS, _one(ops.TANH)),
}
CHECKS = (not_quantized, same_shapes)
REWRITES: tuple[Rewrite, ...] = (
    *(Rewrite(f"tfl.stablehlo_{name}", types, build, CHECKS) for name, (types, build) in OPERATORS.items()),
    Rewrite("tfl.stablehlo_convert", f"{STORED} ui16", cast, (not_quantized,)),
    Rewrite("tfl.stablehlo_select", STORED, select, (same_shapes,), of=("on_true",)),
)
