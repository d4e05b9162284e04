"""Rewrites of XNNPACK's nodes."""

from tosa_converter.ir import Value
from tosa_converter.rewriting.rewrite import Match, Rewrite


def add(match: Match) -> Value:
    """Add -> ADD, with broadcast; this schema has no output clamp."""
    return match.builder.add(match[0], match[1])


REWRITES: tuple[Rewrite, ...] = (Rewrite("xnn.add", add),)
