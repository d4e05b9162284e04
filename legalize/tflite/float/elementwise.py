"""Arithmetic, comparisons and logic of TFLite on floats, i32, i64 and bool."""

import operator

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import FLOATS, NUMBERS, no_narrow_integers
from tosa_converter.legalize.constant_operands import held_in_32_bits
from tosa_converter.legalize.limits import narrowed
from tosa_converter.legalize.ops.elementwise import (
    divide,
    equal,
    larger,
    not_equal,
    smaller,
    sqrt,
    square,
    squared_difference,
)
from tosa_converter.legalize.tflite.activation import fused_activation
from tosa_converter.legalize.tflite.float.masks import add
from tosa_converter.legalize.wrappers import Binary, Lowering, binary, unary
from tosa_converter.rewriting.expr import Expr, ceil, cos, exp, floor, log, rsqrt, sigmoid, sin, tanh
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Build, Rule


def with_activation(function: Binary) -> Lowering:
    """Returns a build function that computes `function` of two operands and applies the fused activation.

    64-bit results are computed in 32 bits, with a note.
    """

    def build(match: Match) -> Expr:
        """Computes `function` of the matched operator's two operands, and applies its fused activation."""
        return fused_activation(match, held_in_32_bits(match, function(match[0], match[1])))

    return build


def mul(match: Match) -> Expr:
    """Lowers MUL of floats and 32- or 64-bit integers, with its fused activation.

    Declines 64-bit constants whose product doesn't fit 32 bits, because TOSA's MUL would wrap.
    """
    a, b = match["lhs"], match["rhs"]
    if match.source("lhs").type.dtype is DType.I64 and a.constant is not None and b.constant is not None:
        narrowed(a.constant.astype(np.int64) * b.constant)  # declines a product that doesn't fit
    return with_activation(operator.mul)(match)


def neg(match: Match) -> Expr:
    """Lowers NEG; 64-bit integers are computed in 32 bits."""
    return held_in_32_bits(match, -match[0])


OPERATORS: dict[str, tuple[str, Build]] = {
    "abs": (f"{FLOATS} i32", unary(abs)),
    "add": (NUMBERS, add),
    "ceil": (FLOATS, unary(ceil)),
    "cos": (FLOATS, unary(cos)),
    "div": (f"{FLOATS} i32", with_activation(divide)),
    "equal": (f"{NUMBERS} bool", binary(equal)),
    "exp": (FLOATS, unary(exp)),
    "floor": (FLOATS, unary(floor)),
    "greater": (NUMBERS, binary(operator.gt)),
    "greater_equal": (NUMBERS, binary(operator.ge)),
    "less": (NUMBERS, binary(operator.lt)),
    "less_equal": (NUMBERS, binary(operator.le)),
    "log": (FLOATS, unary(log)),
    "logical_and": ("bool", binary(operator.and_)),
    "logical_not": ("bool", unary(operator.invert)),
    "logical_or": ("bool", binary(operator.or_)),
    "logistic": (FLOATS, unary(sigmoid)),
    "maximum": (NUMBERS, binary(larger)),
    "minimum": (NUMBERS, binary(smaller)),
    "mul": (NUMBERS, mul),
    "neg": (NUMBERS, neg),
    "not_equal": (f"{NUMBERS} bool", binary(not_equal)),
    "rsqrt": (FLOATS, unary(rsqrt)),
    "sin": (FLOATS, unary(sin)),
    "sqrt": (FLOATS, unary(sqrt)),
    "square": (FLOATS, unary(square)),
    "squared_difference": (f"{FLOATS} i32", binary(squared_difference)),
    "sub": (NUMBERS, with_activation(operator.sub)),
    "tanh": (FLOATS, unary(tanh)),
}

RULES: tuple[Rule, ...] = tuple(
    Rule(f"tfl.{name}", types, build, (no_narrow_integers,)) for name, (types, build) in OPERATORS.items()
)
