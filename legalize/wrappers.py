"""Build functions of rows: an operation of `legalize.ops` on the operands of a match."""

from collections.abc import Callable

from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match

Unary = Callable[[Expr], Expr]
Binary = Callable[[Expr, Expr], Expr]
Lowering = Callable[[Match], Expr]  # a build function of one result


def unary(function: Unary) -> Lowering:
    """Returns a rule's build function, which applies `function` to the matched operator's first operand."""

    def build(match: Match) -> Expr:
        """Applies the function to the matched operator's first operand."""
        return function(match[0])

    return build


def binary(function: Binary) -> Lowering:
    """Returns a rule's build function, which applies `function` to the matched operator's first two operands."""

    def build(match: Match) -> Expr:
        """Applies the function to the matched operator's first two operands."""
        return function(match[0], match[1])

    return build


def is_compact(match: Match, formula: str, function: str) -> bool:
    """Returns whether numerics are "compact", so that `formula` may replace `function` though it loses digits near 0.

    The loss of precision is noted for the user.
    """
    compact = match.options.numerics == "compact"
    if compact:
        match.note(
            f"{formula} has an error of up to 2**-23, where the source's {function} is exact: small results have few "
            "digits"
        )
    return compact
