"""Elementwise operators of StableHLO: operands of one shape, no quantization, integers that wrap."""

from collections.abc import Callable

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import FLOATS, STORED, not_quantized
from tosa_converter.legalize.constant_operands import held_in_32_bits
from tosa_converter.legalize.tflite.float.cast import cast
from tosa_converter.rewriting import expr
from tosa_converter.rewriting.expr import Expr, emit, floor, intdiv, maximum, minimum, reciprocal, scalar, where
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


def wide(match: Match, key: int) -> Expr:
    """An operand, 8- and 16-bit integers as i32."""
    x = match[key]
    if x.dtype not in NARROW:
        return x
    x = x.cast(DType.I32)
    unsigned = match.source(key).type.dtype is DType.UI8
    return x & 255 if unsigned else x


def as_stored(match: Match, y: Expr) -> Expr:
    """A result in the type of the first operand: the lowest bits of an integer."""
    return held_in_32_bits(match, y.cast(match[0].dtype))


def _by(compute: Callable[..., Expr]) -> Build:
    """The build function of what is computed from the builder and the operands."""

    def elementwise(match: Match) -> Expr:
        operands = [wide(match, key) for key in range(len(match.op.inputs))]
        return as_stored(match, compute(*operands))

    return elementwise


def _one(row: OpDef) -> Build:
    def one(*operands: Expr) -> Expr:
        if len({x.type.shape for x in operands}) > 1:
            raise Decline(f"operands {' and '.join(str(x.type) for x in operands)} of different shapes")
        return emit(row, *operands)

    return _by(one)


def _divide(a: Expr, b: Expr) -> Expr:
    if a.dtype is DType.I32:
        return intdiv(a, b)
    return a * reciprocal(b)


def _remainder(a: Expr, b: Expr) -> Expr:
    """What is left of `a`, with its sign."""
    if a.dtype is DType.I32:
        return a - intdiv(a, b) * b
    size, step = abs(a), abs(b)
    count = floor(size * reciprocal(step))
    rest = size - count * step
    zero = scalar(0, rest)
    rest = where(zero > rest, rest + step, rest)
    rest = where(rest >= step, rest - step, rest)
    return where(zero > a, -rest, rest)


def _power(x: Expr, y: Expr) -> Expr:
    """POW is defined above 0: below, whole exponents give a sign and others no number; at 0 the exponent decides."""
    zero, one, two = (scalar(value, x) for value in (0, 1, 2))
    at_zero = x == zero
    power = expr.power(where(at_zero, one, abs(x)), y)
    rising, flat = y > zero, y == zero
    of_zero = where(rising, zero, where(flat, one, np.inf))
    half = y * reciprocal(two)
    whole = floor(y) == y
    even = floor(half) == half
    signed = where(even, power, -power)
    below = where(whole, signed, np.nan)
    power = where(zero > x, below, power)
    return where(at_zero, of_zero, power)


def _cube_root(x: Expr) -> Expr:
    root = expr.power(abs(x), 1 / 3)
    return where(x < 0, -root, root)


def _bits(logical: OpDef, bitwise: OpDef) -> Build:
    def bits(match: Match) -> Expr:
        row = logical if match[0].dtype is DType.BOOL else bitwise
        return expr.elementwise(row, match[0], match[1])

    return bits


def clamp(match: Match) -> Expr:
    """CLAMP between bounds of its own shape or single ones."""
    low, x, high = (wide(match, key) for key in range(3))
    return as_stored(match, minimum(maximum(low, x), high))


def compare(match: Match) -> Expr:
    """COMPARE in the order of IEEE 754, where nothing holds of a NaN but that it isn't equal."""
    a, b = wide(match, 0), wide(match, 1)
    direction = match.attributes(StablehloCompareOptions).comparison_direction
    if direction in (Direction.STABLEHLO_COMPARISON_DIRECTION_LT, Direction.STABLEHLO_COMPARISON_DIRECTION_LE):
        a, b = b, a
    if a.dtype is DType.BOOL:
        a, b = (x.cast(DType.I8).cast(DType.I32) for x in (a, b))
    holds = expr.elementwise(COMPARISONS[direction], a, b)
    unequal = direction == Direction.STABLEHLO_COMPARISON_DIRECTION_NE
    return ~holds if unequal else holds


COMPARISONS = {
    Direction.STABLEHLO_COMPARISON_DIRECTION_EQ: ops.EQUAL,
    Direction.STABLEHLO_COMPARISON_DIRECTION_NE: ops.EQUAL,
    Direction.STABLEHLO_COMPARISON_DIRECTION_GE: ops.GREATER_EQUAL,
    Direction.STABLEHLO_COMPARISON_DIRECTION_GT: ops.GREATER,
    Direction.STABLEHLO_COMPARISON_DIRECTION_LE: ops.GREATER_EQUAL,
    Direction.STABLEHLO_COMPARISON_DIRECTION_LT: ops.GREATER,
}


def select(match: Match) -> Expr:
    """SELECT by a condition of one element or of each."""
    return where(match["pred"], match["on_true"], match["on_false"])


def shift_left(match: Match) -> Expr:
    """SHIFT_LEFT; amounts below 0 or beyond the bits give 0."""
    x, amount = match["lhs"], match["rhs"]
    bits = scalar(x.dtype.bits, x)
    wide_amount, wide_bits = (value.cast(DType.I32) for value in (amount, bits))
    inside = (wide_bits > wide_amount) & (wide_amount >= 0)
    zero = scalar(0, x)
    shifted = x << where(inside, amount, zero)
    return where(inside, shifted, zero)


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
    "maximum": (f"{FLOATS} {INTEGERS}", _by(lambda a, b: maximum(a, b))),
    "minimum": (f"{FLOATS} {INTEGERS}", _by(lambda a, b: minimum(a, b))),
    "multiply": (f"{FLOATS} {INTEGERS}", _by(lambda a, b: a * b)),
    "negate": (f"{FLOATS} i32 i16 i8", _by(lambda x: -x)),
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
