"""Rewrites of XNNPACK's nodes."""

from itertools import zip_longest

from tosa_converter.ir import Value
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite


def add(match: Match) -> Value:
    """Add -> ADD, with broadcast; this schema has no output clamp."""
    a, b = match[0], match[1]
    pairs = zip_longest(a.type.static[::-1], b.type.static[::-1], fillvalue=1)
    if any(first != second and 1 not in (first, second) for first, second in pairs):
        raise Decline(f"expected shapes that broadcast, found {a.type} and {b.type}")
    return match.builder.add(a, b)


REWRITES: tuple[Rewrite, ...] = (Rewrite("xnn.add", add),)
