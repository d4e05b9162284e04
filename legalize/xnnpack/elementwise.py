"""Functions and arithmetic on floats, element by element."""

import math
from collections.abc import Callable

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.exponentials import expm1_below_zero
from tosa_converter.legalize.tflite.float.activations import hard_swish, sloped
from tosa_converter.legalize.xnnpack.bounds import bounded
from tosa_converter.legalize.xnnpack.checks import FLOATS, require_broadcast
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import Build, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas import xnnpack
from tosa_converter.schemas.tosa_ops import OpDef

# ** one operator for one **


def _unary(row: OpDef) -> Build:
    def unary(match: Match) -> Value:
        return match.builder.unary(row, match["input"])

    return unary


def _binary(function: Callable[[Builder, Value, Value], Value]) -> Build:
    """Arithmetic with broadcast, kept to the node's bounds."""

    def binary(match: Match) -> Value:
        a, b = match["input1"], match["input2"]
        require_broadcast(a, b)
        return bounded(match, function(match.builder, a, b))

    return binary


# ** arithmetic **


def _quotient(build: Builder, a: Value, b: Value) -> Value:
    """By the reciprocal, at most 2 units in the last place off."""
    return build.mul(a, build.unary(ops.RECIPROCAL, b))


def clamp(match: Match) -> Value:
    """Clamp: the node's bounds alone."""
    return bounded(match, match["input"])


def _nan_mode(match: Match) -> str:
    """XNNPACK's comparisons take the second operand where one is NaN: a constant wins over it."""
    return "PROPAGATE" if match["input2"].constant is None else "IGNORE"


def maximum(match: Match) -> Value:
    """Maximum."""
    a, b = match["input1"], match["input2"]
    require_broadcast(a, b)
    return match.builder.maximum(a, b, _nan_mode(match))


def minimum(match: Match) -> Value:
    """Minimum."""
    a, b = match["input1"], match["input2"]
    require_broadcast(a, b)
    return match.builder.minimum(a, b, _nan_mode(match))


def negate(match: Match) -> Value:
    """Negate."""
    return match.builder.negate(match["input"])


def square(match: Match) -> Value:
    """Square."""
    return match.builder.mul(match["input"], match["input"])


def square_root(match: Match) -> Value:
    """SquareRoot as 1 / RSQRT(x), which is defined at 0 and infinity; POW isn't below 0."""
    return match.builder.unary(ops.RECIPROCAL, match.builder.unary(ops.RSQRT, match["input"]))


# ** activations **


def leaky_relu(match: Match) -> Value:
    """LeakyReLU: below 0 a part of x."""
    x = match["input"]
    return sloped(match.builder, x, match.builder.scalar(match.attributes(xnnpack.XNNLeakyReLU).negative_slope, x))


def prelu(match: Match) -> Value:
    """PReLU: below 0 a part of x that is an operand."""
    x, slope = match["input1"], match["input2"]
    require_broadcast(x, slope)
    return sloped(match.builder, x, match.builder.cast(slope, x.type.dtype))


def elu(match: Match) -> Value:
    """ELU: below 0 alpha * (exp(x) - 1)."""
    build, x = match.builder, match["input"]
    below = expm1_below_zero(match, x)
    alpha = match.attributes(xnnpack.XNNELU).alpha
    below = below if alpha == 1 else build.mul(below, build.scalar(alpha, x))
    return build.select(build.binary(ops.GREATER, build.scalar(0, x), x), below, x)


def gelu(match: Match) -> Value:
    """Gelu: x / 2 * (1 + erf(x / sqrt(2))), in fp32, as the sum cancels far below 0."""
    build, x = match.builder, match.builder.cast(match["input"], DType.FP32)
    gate = build.unary(ops.ERF, build.mul(x, build.scalar(math.sqrt(0.5), x)))
    made = build.mul(build.mul(x, build.scalar(0.5, x)), build.add(gate, build.scalar(1, x)))
    return build.cast(made, match["input"].type.dtype)


OPERATORS: dict[str, Build] = {
    "abs": _unary(ops.ABS),
    "add": _binary(Builder.add),
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
    "multiply": _binary(Builder.mul),
    "negate": negate,
    "prelu": prelu,
    "reciprocal_square_root": _unary(ops.RSQRT),
    "sigmoid": _unary(ops.SIGMOID),
    "sin": _unary(ops.SIN),
    "square": square,
    "square_root": square_root,
    "subtract": _binary(Builder.sub),
    "tanh": _unary(ops.TANH),
}

REWRITES: tuple[Rewrite, ...] = tuple(Rewrite(f"xnn.{name}", FLOATS, build) for name, build in OPERATORS.items())
