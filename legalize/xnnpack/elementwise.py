"""Functions and arithmetic on floats, element by element."""

import math
import operator
from collections.abc import Callable

from tosa_converter.dtypes import DType
from tosa_converter.legalize.exponentials import expm1_below_zero
from tosa_converter.legalize.tflite.float.activations import hard_swish, sloped
from tosa_converter.legalize.xnnpack.bounds import bounded
from tosa_converter.legalize.xnnpack.checks import FLOATS, require_broadcast
from tosa_converter.rewriting import expr
from tosa_converter.rewriting.expr import Expr, elementwise, erf, reciprocal, rsqrt, scalar, where
from tosa_converter.rewriting.rewrite import Build, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas import xnnpack
from tosa_converter.schemas.tosa_ops import OpDef

# ** one operator for one **


def _unary(row: OpDef) -> Build:
    def unary(match: Match) -> Expr:
        return elementwise(row, match["input"])

    return unary


def _binary(function: Callable[[Expr, Expr], Expr]) -> Build:
    """Arithmetic with broadcast, kept to the node's bounds."""

    def binary(match: Match) -> Expr:
        a, b = match["input1"], match["input2"]
        require_broadcast(a, b)
        return bounded(match, function(a, b))

    return binary


# ** arithmetic **


def _quotient(a: Expr, b: Expr) -> Expr:
    """By the reciprocal, at most 2 units in the last place off."""
    return a * reciprocal(b)


def clamp(match: Match) -> Expr:
    """Clamp: the node's bounds alone."""
    return bounded(match, match["input"])


def _nan_mode(match: Match) -> str:
    """XNNPACK's comparisons take the second operand where one is NaN: a constant wins over it."""
    return "PROPAGATE" if match["input2"].constant is None else "IGNORE"


def maximum(match: Match) -> Expr:
    """Maximum."""
    a, b = match["input1"], match["input2"]
    require_broadcast(a, b)
    return expr.maximum(a, b, _nan_mode(match))


def minimum(match: Match) -> Expr:
    """Minimum."""
    a, b = match["input1"], match["input2"]
    require_broadcast(a, b)
    return expr.minimum(a, b, _nan_mode(match))


def negate(match: Match) -> Expr:
    """Negate."""
    return -match["input"]


def square(match: Match) -> Expr:
    """Square."""
    return match["input"] * match["input"]


def square_root(match: Match) -> Expr:
    """SquareRoot as 1 / RSQRT(x), which is defined at 0 and infinity; POW isn't below 0."""
    return reciprocal(rsqrt(match["input"]))


# ** activations **


def leaky_relu(match: Match) -> Expr:
    """LeakyReLU: below 0 a part of x."""
    x = match["input"]
    return sloped(x, scalar(match.attributes(xnnpack.XNNLeakyReLU).negative_slope, x))


def prelu(match: Match) -> Expr:
    """PReLU: below 0 a part of x that is an operand."""
    x, slope = match["input1"], match["input2"]
    require_broadcast(x, slope)
    return sloped(x, slope.cast(x.dtype))


def elu(match: Match) -> Expr:
    """ELU: below 0 alpha * (exp(x) - 1)."""
    x = match["input"]
    below = expm1_below_zero(match, x)
    alpha = match.attributes(xnnpack.XNNELU).alpha
    below = below if alpha == 1 else below * alpha
    return where(x < 0, below, x)


def gelu(match: Match) -> Expr:
    """Gelu: x / 2 * (1 + erf(x / sqrt(2))), in fp32, as the sum cancels far below 0."""
    x = match["input"].cast(DType.FP32)
    gate = erf(x * math.sqrt(0.5))
    made = x * 0.5 * (gate + 1)
    return made.cast(match["input"].dtype)


OPERATORS: dict[str, Build] = {
    "abs": _unary(ops.ABS),
    "add": _binary(operator.add),
    "ceiling": _unary(ops.CEIL),
    "clamp": clamp,
    "cos": _unary(ops.COS),
    "div": _binary(_quotient),
    "elu": elu,
    "exp": _unary(ops.EXP),
    "floor": _unary(ops.FLOOR),
    "gelu": gelu,
    "hardswish": hard_swish,
    "leaky_relu": leaky_relu,
    "log": _unary(ops.LOG),
    "maximum": maximum,
    "minimum": minimum,
    "multiply": _binary(operator.mul),
    "negate": negate,
    "prelu": prelu,
    "reciprocal_square_root": _unary(ops.RSQRT),
    "sigmoid": _unary(ops.SIGMOID),
    "sin": _unary(ops.SIN),
    "square": square,
    "square_root": square_root,
    "subtract": _binary(operator.sub),
    "tanh": _unary(ops.TANH),
}

REWRITES: tuple[Rewrite, ...] = tuple(Rewrite(f"xnn.{name}", FLOATS, build) for name, build in OPERATORS.items())
