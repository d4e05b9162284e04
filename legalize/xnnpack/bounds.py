"""What a node's `output_min_max` leaves of its result."""

import math

from tosa_converter.rewriting.expr import Expr, clamp
from tosa_converter.rewriting.rewrite import Decline, Match


def bounds(match: Match) -> tuple[float, float]:
    """The least and the largest result; infinite where the node has no bounds.

    Raises:
        Decline: they aren't a range, which XNNPACK refuses.
    """
    attributes = match.op.attributes
    low, high = attributes.get("output_min", -math.inf), attributes.get("output_max", math.inf)
    if not low <= high:
        raise Decline(f"bounds from {low} to {high}")
    return low, high


def bounded(match: Match, y: Expr) -> Expr:
    """Floats kept to the node's bounds; NaN stays, as with XNNPACK's maxima and minima."""
    low, high = bounds(match)
    return y if (low, high) == (-math.inf, math.inf) else clamp(y, low, high)
