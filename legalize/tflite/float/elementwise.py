"""Elementwise arithmetic, comparisons and logic on floats, i32 and bool."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.activation import fused_activation
from tosa_converter.legalize.checks import FLOATS, NUMBERS, no_narrow_integers
from tosa_converter.legalize.constant_operands import held_in_32_bits
from tosa_converter.legalize.limits import narrowed
from tosa_converter.rewriting import expr
from tosa_converter.rewriting.expr import Expr, elementwise, intdiv, reciprocal, rsqrt
from tosa_converter.rewriting.rewrite import Build, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

# ** one operator for one **


def _unary(row: OpDef) -> Build:
    def unary(match: Match) -> Expr:
        return elementwise(row, match[0])

    return unary


def _binary(row: OpDef) -> Build:
    def binary(match: Match) -> Expr:
        return elementwise(row, match[0], match[1])

    return binary


def _mirrored(row: OpDef) -> Build:
    def mirrored(match: Match) -> Expr:
        return elementwise(row, match[1], match[0])

    return mirrored


# ** arithmetic **


def add(match: Match) -> Expr:
    """ADD."""
    return fused_activation(match, held_in_32_bits(match, match["lhs"] + match["rhs"]))


def sub(match: Match) -> Expr:
    """SUB."""
    return fused_activation(match, held_in_32_bits(match, match["lhs"] - match["rhs"]))


def mul(match: Match) -> Expr:
    """MUL."""
    a, b = match["lhs"], match["rhs"]
    if match.source("lhs").type.dtype is DType.I64 and a.constant is not None and b.constant is not None:
        narrowed(a.constant.astype(np.int64) * b.constant)  # TOSA's MUL would wrap
    return fused_activation(match, held_in_32_bits(match, a * b))


def div(match: Match) -> Expr:
    """DIV: on i32 towards zero; on floats by the reciprocal, at most 2 units in the last place off."""
    a, b = match["lhs"], match["rhs"]
    if a.dtype is DType.I32:
        return fused_activation(match, intdiv(a, b))
    return fused_activation(match, a * reciprocal(b))


def squared_difference(match: Match) -> Expr:
    """SQUARED_DIFFERENCE."""
    difference = match["lhs"] - match["rhs"]
    return difference * difference


def square(match: Match) -> Expr:
    """SQUARE."""
    return match["x"] * match["x"]


def sqrt(match: Match) -> Expr:
    """SQRT as 1 / RSQRT(x), which the specification defines at 0 and infinity; POW isn't below 0."""
    return reciprocal(rsqrt(match[0]))


def neg(match: Match) -> Expr:
    """NEG."""
    return held_in_32_bits(match, -match[0])


def _nan_mode(match: Match) -> str:
    """The kernels take `a` where it compares as better, else `b`: a constant `b` wins over a NaN."""
    return "PROPAGATE" if match[1].constant is None else "IGNORE"


def maximum(match: Match) -> Expr:
    """MAXIMUM."""
    return expr.maximum(match["lhs"], match["rhs"], _nan_mode(match))


def minimum(match: Match) -> Expr:
    """MINIMUM."""
    return expr.minimum(match["lhs"], match["rhs"], _nan_mode(match))


# ** comparisons **


def _equals(a: Expr, b: Expr) -> Expr:
    if a.dtype is DType.BOOL:
        return ~(a ^ b)
    return a == b


def equal(match: Match) -> Expr:
    """EQUAL, on bool too."""
    return _equals(match["x"], match["y"])


def not_equal(match: Match) -> Expr:
    """NOT_EQUAL: true of a NaN."""
    if match["lhs"].dtype is DType.BOOL:
        return match["lhs"] ^ match["rhs"]
    return ~_equals(match["lhs"], match["rhs"])


OPERATORS: dict[str, tuple[str, Build]] = {
    "abs": (f"{FLOATS} i32", _unary(ops.ABS)),
    "add": (NUMBERS, add),
    "ceil": (FLOATS, _unary(ops.CEIL)),
    "cos": (FLOATS, _unary(ops.COS)),
    "div": (f"{FLOATS} i32", div),
    "equal": (f"{NUMBERS} bool", equal),
    "exp": (FLOATS, _unary(ops.EXP)),
    "floor": (FLOATS, _unary(ops.FLOOR)),
    "greater": (NUMBERS, _binary(ops.GREATER)),
    "greater_equal": (NUMBERS, _binary(ops.GREATER_EQUAL)),
    "less": (NUMBERS, _mirrored(ops.GREATER)),
    "less_equal": (NUMBERS, _mirrored(ops.GREATER_EQUAL)),
    "log": (FLOATS, _unary(ops.LOG)),
    "logical_and": ("bool", _binary(ops.LOGICAL_AND)),
    "logical_not": ("bool", _unary(ops.LOGICAL_NOT)),
    "logical_or": ("bool", _binary(ops.LOGICAL_OR)),
    "logistic": (FLOATS, _unary(ops.SIGMOID)),
    "maximum": (NUMBERS, maximum),
    "minimum": (NUMBERS, minimum),
    "mul": (NUMBERS, mul),
    "neg": (NUMBERS, neg),
    "not_equal": (f"{NUMBERS} bool", not_equal),
    "rsqrt": (FLOATS, _unary(ops.RSQRT)),
    "sin": (FLOATS, _unary(ops.SIN)),
    "sqrt": (FLOATS, sqrt),
    "square": (FLOATS, square),
    "squared_difference": (f"{FLOATS} i32", squared_difference),
    "sub": (NUMBERS, sub),
    "tanh": (FLOATS, _unary(ops.TANH)),
}

REWRITES: tuple[Rewrite, ...] = (
    *(Rewrite(f"tfl.{name}", types, build, (no_narrow_integers,)) for name, (types, build) in OPERATORS.items()),
)
