"""Elementwise operators of StableHLO: operands of one shape, no quantization, integers that wrap."""

import operator
from collections.abc import Callable

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import FLOATS, STORED, not_quantized
from tosa_converter.legalize.constant_operands import held_in_32_bits
from tosa_converter.legalize.ops.casts import convert, in_fp32
from tosa_converter.legalize.ops.elementwise import clamp_between, divide, fmod, shift_left
from tosa_converter.legalize.ops.functions import cube_root, power
from tosa_converter.legalize.tflite.float.cast import cast
from tosa_converter.legalize.wrappers import binary
from tosa_converter.rewriting.expr import (
    Expr,
    cos,
    exp,
    floor,
    log,
    maximum,
    minimum,
    rsqrt,
    sigmoid,
    tanh,
    where,
)
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Build, Rule, condition
from tosa_converter.schemas.tflite import StablehloCompareOptions
from tosa_converter.schemas.tflite import StablehloComparisonDirection as Direction

INTEGERS = "i32 i64 i16 i8 ui8"
NARROW = (DType.I8, DType.I16)


@condition("operands of one shape")
def same_shapes(match: Match) -> str | None:
    """Declines StableHLO operands of different shapes, which would need broadcasting; scalars are allowed."""
    shapes = {shape for shape in match.shapes if shape != ()}
    return f"expected operands of one shape, found {' and '.join(map(str, shapes))}" if len(shapes) > 1 else None


def operand_in_i32(match: Match, key: int) -> Expr:
    """Returns operand `key`; i8 and i16 are widened to i32, all other types stay as they are."""
    # i8 values 127 + 1 are 128 in i32, of which CAST keeps the lowest 8 bits: -128, as StableHLO's integers wrap.
    x = match[key]
    return convert(x, match.source(key).type.dtype, DType.I32) if x.dtype in NARROW else x


def keep_low_bits(match: Match, y: Expr) -> Expr:
    """Returns y cast to the first operand's type; integers keep their lowest bits, as StableHLO's wrap."""
    return held_in_32_bits(match, y.cast(match[0].dtype))


def compute_in_i32(function: Callable[..., Expr]) -> Build:
    """Returns a build function that computes i8 and i16 in i32 and keeps the lowest bits, as StableHLO wraps."""

    def build(match: Match) -> Expr:
        """Computes `function` on operands widened to i32, and keeps the lowest bits."""
        operands = [operand_in_i32(match, key) for key in range(len(match.op.inputs))]
        return keep_low_bits(match, function(*operands))

    return build


def without_broadcast(function: Callable[..., Expr]) -> Callable[..., Expr]:
    """Returns `function`, but declines operands of different shapes, scalars too."""

    def compute(*operands: Expr) -> Expr:
        """Computes the function, or declines operands of different shapes."""
        if len({x.type.shape for x in operands}) > 1:
            raise Decline(f"expected operands of one shape, found {' and '.join(str(x.type) for x in operands)}")
        return function(*operands)

    return compute


COMPARISONS: dict[Direction, Callable[[Expr, Expr], Expr]] = {
    Direction.STABLEHLO_COMPARISON_DIRECTION_EQ: operator.eq,
    Direction.STABLEHLO_COMPARISON_DIRECTION_NE: operator.ne,
    Direction.STABLEHLO_COMPARISON_DIRECTION_GE: operator.ge,
    Direction.STABLEHLO_COMPARISON_DIRECTION_GT: operator.gt,
    Direction.STABLEHLO_COMPARISON_DIRECTION_LE: operator.le,
    Direction.STABLEHLO_COMPARISON_DIRECTION_LT: operator.lt,
}


def compare(match: Match) -> Expr:
    """Lowers StableHLO's COMPARE as IEEE 754 has it: with a NaN, NE is true and every other comparison false.

    Booleans are compared as 0 and 1.
    """
    a, b = operand_in_i32(match, 0), operand_in_i32(match, 1)
    if a.dtype is DType.BOOL:
        a, b = (x.cast(DType.I8).cast(DType.I32) for x in (a, b))
    direction = match.attributes(StablehloCompareOptions).comparison_direction
    return COMPARISONS[direction](a, b)


def select(match: Match) -> Expr:
    """Lowers StableHLO's SELECT; the condition has one element, or one for each element of the result."""
    return where(match["pred"], match["on_true"], match["on_false"])


OPERATORS: dict[str, tuple[str, Build]] = {
    "abs": (f"{FLOATS} i32 i16 i8", compute_in_i32(abs)),
    "add": (f"{FLOATS} {INTEGERS}", compute_in_i32(without_broadcast(operator.add))),
    "and": (f"bool {INTEGERS}", binary(operator.and_)),
    "cbrt": (FLOATS, compute_in_i32(cube_root)),
    "clamp": (f"{FLOATS} {INTEGERS}", compute_in_i32(clamp_between)),
    "compare": (f"{FLOATS} {INTEGERS} bool", compare),
    "cosine": (FLOATS, compute_in_i32(cos)),
    "divide": (f"{FLOATS} i32", compute_in_i32(divide)),
    "exponential": (FLOATS, compute_in_i32(exp)),
    "floor": (FLOATS, compute_in_i32(floor)),
    "log": (FLOATS, compute_in_i32(log)),
    "logistic": (FLOATS, compute_in_i32(sigmoid)),
    "maximum": (f"{FLOATS} {INTEGERS}", compute_in_i32(maximum)),
    "minimum": (f"{FLOATS} {INTEGERS}", compute_in_i32(minimum)),
    "multiply": (f"{FLOATS} {INTEGERS}", compute_in_i32(operator.mul)),
    "negate": (f"{FLOATS} i32 i16 i8", compute_in_i32(operator.neg)),
    "or": (f"bool {INTEGERS}", binary(operator.or_)),
    "power": (FLOATS, compute_in_i32(power)),
    "remainder": (f"{FLOATS} i32", compute_in_i32(in_fp32(fmod))),
    "rsqrt": (FLOATS, compute_in_i32(rsqrt)),
    "subtract": (f"{FLOATS} {INTEGERS}", compute_in_i32(without_broadcast(operator.sub))),
    "shift_left": ("i32 i16 i8", binary(shift_left)),
    "tanh": (FLOATS, compute_in_i32(tanh)),
}
CHECKS = (not_quantized, same_shapes)
RULES: tuple[Rule, ...] = (
    *(Rule(f"tfl.stablehlo_{name}", types, build, CHECKS) for name, (types, build) in OPERATORS.items()),
    Rule("tfl.stablehlo_convert", f"{STORED} ui16", cast, (not_quantized,)),
    Rule("tfl.stablehlo_select", STORED, select, (same_shapes,), of=("on_true",)),
)
