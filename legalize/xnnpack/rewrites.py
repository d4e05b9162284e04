"""Rewrites of XNNPACK's nodes."""

import numpy as np

from tosa_converter.ir import Value
from tosa_converter.legalize.checks import FLOATS
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite


def add(match: Match) -> Value:
    """Add -> ADD, with broadcast; this schema has no output clamp."""
    a, b = match[0], match[1]
    try:
        np.broadcast_shapes(a.type.static, b.type.static)
    except ValueError:
        raise Decline(f"expected shapes that broadcast, found {a.type} and {b.type}") from None
    return match.builder.add(a, b)


REWRITES: tuple[Rewrite, ...] = (Rewrite("xnn.add", FLOATS, add),)
