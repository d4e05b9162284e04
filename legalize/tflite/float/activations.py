"""Float activations that are operators of their own, and SOFTMAX."""

import math

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.checks import FLOATS, no_narrow_integers
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import Build, Match, Rewrite
from tosa_converter.schemas import tflite
from tosa_converter.schemas import tosa_ops as ops

RELU_BOUNDS: dict[str, tuple[float, float]] = {
    "relu": (0.0, math.inf),
    "relu6": (0.0, 6.0),
    "relu_n1_to_1": (-1.0, 1.0),
    "relu_0_to_1": (0.0, 1.0),
}


def _relu(low: float, high: float) -> Build:
    def relu(match: Match) -> Value:
        return match.builder.clamp(match[0], low, high)

    return relu


def leaky_relu(match: Match) -> Value:
    """LEAKY_RELU: x above 0, else x * alpha."""
    x = match["input"]
    return sloped(match.builder, x, match.builder.scalar(match.attributes(tflite.LeakyReluOptions).alpha, x))


def prelu(match: Match) -> Value:
    """PRELU: the slope below 0 is a tensor that broadcasts."""
    return sloped(match.builder, match["input"], match["alpha"])


def sloped(builder: Builder, x: Value, slope: Value) -> Value:
    """Of x and x * slope the larger one where no slope is above 1, the smaller one where none is below; else a SELECT.

    Of zeros apply_max_s (4.2) takes x, as the kernel does. A slope of 0 makes a NaN of infinity, and so needs a SELECT.
    """
    x, slope = builder.same_rank(x, slope)
    scaled = builder.mul(x, slope)
    known = slope.constant
    if known is not None and np.all((known <= 1) & (known != 0)):
        return builder.maximum(x, scaled)
    if known is not None and np.all(known >= 1):
        return builder.minimum(x, scaled)
    return builder.select(builder.binary(ops.GREATER_EQUAL, x, builder.scalar(0, x)), x, scaled)


def hard_swish(match: Match) -> Value:
    """HARD_SWISH: x * min(6, max(0, x + 3)) / 6, in the kernel's order."""
    builder = match.builder
    x = match["input"]
    gate = builder.clamp(builder.add(x, builder.scalar(3, x)), 0.0, 6.0)
    return builder.mul(builder.mul(x, gate), builder.scalar(1 / 6, x))


def softmax(match: Match) -> Value:
    """SOFTMAX over the last axis."""
    return normalized(match.builder, match["input"], match.attributes(tflite.SoftmaxOptions).beta)


def normalized(builder: Builder, given: Value, beta: float = 1, axis: int = -1) -> Value:
    """exp((x - max) * beta) / sum over an axis, in fp32, as fp16 doesn't hold the sum of long rows."""
    x = builder.cast(given, DType.FP32)
    axis %= x.type.rank
    shifted = builder.sub(x, builder.reduce(ops.REDUCE_MAX, x, axis, nan_mode="PROPAGATE"))
    if beta != 1:
        shifted = builder.mul(shifted, builder.scalar(beta, x))
    powers = builder.unary(ops.EXP, shifted)
    total = builder.reduce(ops.REDUCE_SUM, powers, axis)
    return builder.cast(builder.mul(powers, builder.unary(ops.RECIPROCAL, total)), given.type.dtype)


def log_softmax(match: Match) -> Value:
    """LOG_SOFTMAX over the last axis."""
    return logarithm(match.builder, match["input"])


def logarithm(builder: Builder, given: Value, axis: int = -1) -> Value:
    """The logarithm of what `normalized` gives: x - max - log(sum(exp(x - max))), in fp32 too."""
    x = builder.cast(given, DType.FP32)
    axis %= x.type.rank
    shifted = builder.sub(x, builder.reduce(ops.REDUCE_MAX, x, axis, nan_mode="PROPAGATE"))
    total = builder.reduce(ops.REDUCE_SUM, builder.unary(ops.EXP, shifted), axis)
    return builder.cast(builder.sub(shifted, builder.unary(ops.LOG, total)), given.type.dtype)


REWRITES: tuple[Rewrite, ...] = (
    *(Rewrite(f"tfl.{name}", FLOATS, _relu(*bounds), (no_narrow_integers,)) for name, bounds in RELU_BOUNDS.items()),
    Rewrite("tfl.leaky_relu", FLOATS, leaky_relu, (no_narrow_integers,)),
    Rewrite("tfl.prelu", FLOATS, prelu, (no_narrow_integers,)),
    Rewrite("tfl.hard_swish", FLOATS, hard_swish, (no_narrow_integers,)),
    Rewrite("tfl.softmax", FLOATS, softmax, (no_narrow_integers,)),
    Rewrite("tfl.log_softmax", FLOATS, log_softmax, (no_narrow_integers,)),
)
