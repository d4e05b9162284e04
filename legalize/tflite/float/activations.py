"""Activations of TFLite on floats that are operators of their own, and SOFTMAX."""

import math

from tosa_converter.legalize.checks import FLOATS, no_narrow_integers
from tosa_converter.legalize.ops import functions
from tosa_converter.legalize.ops import softmax as softmaxes
from tosa_converter.legalize.wrappers import Lowering, binary, unary
from tosa_converter.rewriting.expr import Expr, clamp
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Build, Rule
from tosa_converter.schemas import tflite


def clamp_within(low: float, high: float) -> Lowering:
    """Returns a build function that clamps the operand to [low, high], for RELU and its variants."""
    return unary(lambda x: clamp(x, low, high))


def leaky_relu(match: Match) -> Expr:
    """Lowers LEAKY_RELU of floats: x, or alpha * x below 0."""
    return functions.leaky_relu(match["input"], match.attributes(tflite.LeakyReluOptions).alpha)


def softmax(match: Match) -> Expr:
    """Lowers SOFTMAX of floats over the last axis: exp(beta * x), divided by its sum."""
    return softmaxes.softmax(match["input"], match.attributes(tflite.SoftmaxOptions).beta)


OPERATORS: dict[str, Build] = {
    "relu": clamp_within(0.0, math.inf),
    "relu6": clamp_within(0.0, 6.0),
    "relu_n1_to_1": clamp_within(-1.0, 1.0),
    "relu_0_to_1": clamp_within(0.0, 1.0),
    "leaky_relu": leaky_relu,
    "prelu": binary(functions.leaky_relu),
    "hard_swish": unary(functions.hard_swish),
    "softmax": softmax,
    "log_softmax": unary(softmaxes.log_softmax),
}

RULES: tuple[Rule, ...] = tuple(
    Rule(f"tfl.{name}", FLOATS, build, (no_narrow_integers,)) for name, build in OPERATORS.items()
)
