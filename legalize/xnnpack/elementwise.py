"""Elementwise nodes of XNNPACK on floats."""

import operator

from tosa_converter.legalize.ops import functions
from tosa_converter.legalize.ops.casts import in_fp32
from tosa_converter.legalize.ops.elementwise import divide, larger, smaller, sqrt, square
from tosa_converter.legalize.wrappers import Binary, Lowering, is_compact, unary
from tosa_converter.legalize.xnnpack.bounds import clamp_to_bounds
from tosa_converter.legalize.xnnpack.checks import FLOATS, require_broadcast
from tosa_converter.rewriting.expr import Expr, ceil, cos, exp, floor, log, rsqrt, sigmoid, sin, tanh
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Build, Rule
from tosa_converter.schemas import xnnpack


def arithmetic(function: Binary) -> Lowering:
    """Returns the build function of an XNNPACK node `function` of two float operands, clamped to its output range."""

    def build(match: Match) -> Expr:
        """Lowers the matched XNNPACK node: applies the function, and clamps to the node's output range."""
        a, b = match["input1"], match["input2"]
        require_broadcast(a, b)
        return clamp_to_bounds(match, function(a, b))

    return build


def clamp(match: Match) -> Expr:
    """Lowers XNNPACK's Clamp: bounds the operand by `output_min` and `output_max`."""
    return clamp_to_bounds(match, match["input"])


def leaky_relu(match: Match) -> Expr:
    """Lowers XNNPACK's LeakyReLU: x, or x * negative_slope if x < 0."""
    return functions.leaky_relu(match["input"], match.attributes(xnnpack.XNNLeakyReLU).negative_slope)


def prelu(x: Expr, slope: Expr) -> Expr:
    """Returns XNNPACK's PReLU: x, or x * slope if x < 0."""
    return functions.leaky_relu(x, slope.cast(x.dtype))


def elu(match: Match) -> Expr:
    """Lowers XNNPACK's ELU: x, or alpha * (exp(x) - 1) if x < 0."""
    alpha = match.attributes(xnnpack.XNNELU).alpha
    return functions.elu(match["input"], alpha=alpha, compact=is_compact(match, "exp(x) - 1", "expm1"))


OPERATORS: dict[str, Build] = {
    "abs": unary(abs),
    "add": arithmetic(operator.add),
    "ceiling": unary(ceil),
    "clamp": clamp,
    "cos": unary(cos),
    "div": arithmetic(divide),
    "elu": elu,
    "exp": unary(exp),
    "floor": unary(floor),
    "gelu": unary(in_fp32(functions.gelu)),
    "hardswish": unary(functions.hard_swish),
    "leaky_relu": leaky_relu,
    "log": unary(log),
    "maximum": arithmetic(larger),
    "minimum": arithmetic(smaller),
    "multiply": arithmetic(operator.mul),
    "negate": unary(operator.neg),
    "prelu": arithmetic(prelu),
    "reciprocal_square_root": unary(rsqrt),
    "sigmoid": unary(sigmoid),
    "sin": unary(sin),
    "square": unary(square),
    "square_root": unary(sqrt),
    "subtract": arithmetic(operator.sub),
    "tanh": unary(tanh),
}

RULES: tuple[Rule, ...] = tuple(Rule(f"xnn.{name}", FLOATS, build) for name, build in OPERATORS.items())
