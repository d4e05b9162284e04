"""A node's `output_min_max`: the bounds of its results."""

import math

from tosa_converter.rewriting.expr import Expr, clamp
from tosa_converter.rewriting.match import Match


def node_bounds(match: Match) -> tuple[float, float]:
    """Returns an XNNPACK node's `output_min` and `output_max`; infinite ones if it has no bounds.

    Raises:
        Decline: the lower bound is above the upper one, which XNNPACK refuses.
    """
    attributes = match.op.attributes
    low, high = attributes.get("output_min", -math.inf), attributes.get("output_max", math.inf)
    match.require(low <= high, f"expected a lower and an upper bound, found {low} and {high}")
    return low, high


def clamp_to_bounds(match: Match, y: Expr) -> Expr:
    """Returns floats clamped to the XNNPACK node's output range; NaN stays NaN, as in XNNPACK's kernels."""
    low, high = node_bounds(match)
    return y if (low, high) == (-math.inf, math.inf) else clamp(y, low, high)
