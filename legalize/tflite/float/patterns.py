"""Several float operators that TOSA computes with fewer: bounds, leaky RELUs, quotients by square roots."""

import numpy as np

from tosa_converter.legalize.checks import FLOATS
from tosa_converter.legalize.ops import functions
from tosa_converter.legalize.tflite.activation import fused_activation
from tosa_converter.rewriting.expr import Expr, clamp, rsqrt
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.rule import Rule, rule
from tosa_converter.schemas.tflite import ActivationFunctionType

NONE = ActivationFunctionType.NONE


# A NaN becomes `low`, as the kernels' `x > low ? x : low` has it and CLAMP that ignores NaN. The other order,
# MAXIMUM(MINIMUM(x, high), low), makes `high` of a NaN, which no CLAMP does.
@rule(pattern("tfl.minimum", pattern("tfl.maximum", "x", "low"), "high"), FLOATS, of=("x",))
def bounds(m: Match) -> Expr:
    """MINIMUM(MAXIMUM(x, low), high) of TFLite -> CLAMP of TOSA."""
    x, low, high = m["x"], m.constant("low"), m.constant("high")
    m.require(low.size == high.size == 1, "expected bounds of one element, found {low} and {high}")
    m.require(max(low.ndim, high.ndim) <= x.rank, "expected bounds of at most the rank of {x}")
    m.require(low.item() <= high.item(), "expected a lower bound below the upper one, found {low} and {high}")
    return clamp(x, low.item(), high.item(), nan_mode="IGNORE")


_SELECTS = ("tfl.select", "tfl.select_v2")
_SCALED = pattern("tfl.mul", "x", "slope", name="scaled", any_order=True)


@rule(pattern(_SELECTS, pattern(("tfl.greater", "tfl.greater_equal"), "x", "zero"), "x", _SCALED), FLOATS, of=("x",))
def leaky_relu_by_greater(m: Match) -> Expr:
    """SELECT(GREATER(x, 0), x, MUL(x, slope)) of TFLite -> MAXIMUM(x, MUL(x, slope)); MINIMUM for slopes above 1."""
    return _leaky_relu(m)


@rule(pattern(_SELECTS, pattern(("tfl.less", "tfl.less_equal"), "x", "zero"), _SCALED, "x"), FLOATS, of=("x",))
def leaky_relu_by_less(m: Match) -> Expr:
    """SELECT(LESS(x, 0), MUL(x, slope), x) of TFLite -> MAXIMUM(x, MUL(x, slope)); MINIMUM for slopes above 1."""
    return _leaky_relu(m)


# For a slope in (0, 1] and x > 0, x * slope is at most x; for x < 0, at least x, also after rounding. Zeros keep their
# sign in both, and a NaN stays one. A slope that isn't positive would turn +0 into -0.
def _leaky_relu(m: Match) -> Expr:
    """Returns MAXIMUM or MINIMUM for a TFLite SELECT of x and x * slope by the sign of x, if its constants allow it."""
    x, slope, zero = m["x"], m.constant("slope"), m.constant("zero")
    m.require(not zero.any(), "expected a comparison with 0, found {zero}")
    m.require((slope > 0).all() and np.isfinite(slope).all(), "expected a positive slope, found {slope}")
    m.require(
        (slope <= 1).all() or (slope >= 1).all(), "expected slopes on one side of 1, found slopes above and below"
    )
    kind = m.producer("scaled").attributes.get("fused_activation_function", NONE)
    m.require(kind is NONE, "expected a product without a fused activation")
    m.require(m.op.results[0].type.shape == m.source("x").type.shape, "expected operands that broadcast to {x}")
    return functions.leaky_relu(x, m["slope"])


@rule(pattern("tfl.div", "x", pattern("tfl.sqrt", "y")), FLOATS, of=("x",))
def quotient_by_root(m: Match) -> Expr:
    """DIV(x, SQRT(y)) of TFLite -> MUL(x, RSQRT(y)): two TOSA operators that round in place of four."""
    return fused_activation(m, m["x"] * rsqrt(m["y"]))


RULES: tuple[Rule, ...] = (
    bounds,
    leaky_relu_by_greater,
    leaky_relu_by_less,
    quotient_by_root,
)
