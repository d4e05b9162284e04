"""Float activations that are operators of their own, and SOFTMAX."""

import math

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import FLOATS, no_narrow_integers
from tosa_converter.rewriting.expr import Expr, clamp, exp, log, maximum, minimum, reciprocal, same_rank, scalar, where
from tosa_converter.rewriting.operators import reduce_max, reduce_sum
from tosa_converter.rewriting.rewrite import Build, Match, Rewrite
from tosa_converter.schemas import tflite

RELU_BOUNDS: dict[str, tuple[float, float]] = {
    "relu": (0.0, math.inf),
    "relu6": (0.0, 6.0),
    "relu_n1_to_1": (-1.0, 1.0),
    "relu_0_to_1": (0.0, 1.0),
}


def _relu(low: float, high: float) -> Build:
    def relu(match: Match) -> Expr:
        return clamp(match[0], low, high)

    return relu


def leaky_relu(match: Match) -> Expr:
    """LEAKY_RELU: x above 0, else x * alpha."""
    x = match["input"]
    return sloped(x, scalar(match.attributes(tflite.LeakyReluOptions).alpha, x))


def prelu(match: Match) -> Expr:
    """PRELU: the slope below 0 is a tensor that broadcasts."""
    return sloped(match["input"], match["alpha"])


def sloped(x: Expr, slope: Expr) -> Expr:
    """Of x and x * slope the larger one where no slope is above 1, the smaller one where none is below; else a SELECT.

    Of zeros apply_max_s (4.2) takes x, as the kernel does. A slope of 0 makes a NaN of infinity, and so needs a SELECT.
    """
    x, slope = same_rank(x, slope)
    scaled = x * slope
    known = slope.constant
    if known is not None and np.all((known <= 1) & (known != 0)):
        return maximum(x, scaled)
    if known is not None and np.all(known >= 1):
        return minimum(x, scaled)
    return where(x >= 0, x, scaled)


def hard_swish(match: Match) -> Expr:
    """HARD_SWISH: x * min(6, max(0, x + 3)) / 6, in the kernel's order."""
    x = match["input"]
    gate = clamp(x + 3, 0.0, 6.0)
    return x * gate * (1 / 6)


def softmax(match: Match) -> Expr:
    """SOFTMAX over the last axis."""
    return normalized(match["input"], match.attributes(tflite.SoftmaxOptions).beta)


def normalized(given: Expr, beta: float = 1, axis: int = -1) -> Expr:
    """exp((x - max) * beta) / sum over an axis, in fp32, as fp16 doesn't hold the sum of long rows."""
    x = given.cast(DType.FP32)
    axis %= x.rank
    shifted = x - reduce_max(x, axis, nan_mode="PROPAGATE")
    if beta != 1:
        shifted = shifted * beta
    powers = exp(shifted)
    total = reduce_sum(powers, axis)
    return (powers * reciprocal(total)).cast(given.dtype)


def log_softmax(match: Match) -> Expr:
    """LOG_SOFTMAX over the last axis."""
    return logarithm(match["input"])


def logarithm(given: Expr, axis: int = -1) -> Expr:
    """The logarithm of what `normalized` gives: x - max - log(sum(exp(x - max))), in fp32 too."""
    x = given.cast(DType.FP32)
    axis %= x.rank
    shifted = x - reduce_max(x, axis, nan_mode="PROPAGATE")
    total = reduce_sum(exp(shifted), axis)
    return (shifted - log(total)).cast(given.dtype)


REWRITES: tuple[Rewrite, ...] = (
    *(Rewrite(f"tfl.{name}", FLOATS, _relu(*bounds), (no_narrow_integers,)) for name, bounds in RELU_BOUNDS.items()),
    Rewrite("tfl.leaky_relu", FLOATS, leaky_relu, (no_narrow_integers,)),
    Rewrite("tfl.prelu", FLOATS, prelu, (no_narrow_integers,)),
    Rewrite("tfl.hard_swish", FLOATS, hard_swish, (no_narrow_integers,)),
    Rewrite("tfl.softmax", FLOATS, softmax, (no_narrow_integers,)),
    Rewrite("tfl.log_softmax", FLOATS, log_softmax, (no_narrow_integers,)),
)
