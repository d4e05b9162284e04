"""Types and checks of several families."""

from collections.abc import Sequence

import numpy as np

from tosa_converter.ir import Value
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.rewrite import Decline, Match, condition

FLOATS = "fp32 fp16"
BYTES = "i8 ui8"
MOVED = f"{FLOATS} i8 ui8"  # what is moved as it is


def require_rank(value: Expr, rank: int) -> None:
    """Against operands of other ranks.

    Raises:
        Decline: the rank is another.
    """
    if value.rank != rank:
        raise Decline(f"expected a tensor of rank {rank}, found {value.type}")


def require_broadcast(*values: Expr) -> None:
    """Against operands whose shapes don't broadcast.

    Raises:
        Decline: they don't.
    """
    try:
        np.broadcast_shapes(*(value.shape for value in values))
    except ValueError:
        found = " and ".join(str(value.type) for value in values)
        raise Decline(f"expected shapes that broadcast, found {found}") from None


def require_sizes(subject: str, sizes: Sequence[int], expected: Sequence[int]) -> None:
    """Checks sizes that follow from those of other operands.

    Raises:
        Decline: they differ.
    """
    if list(sizes) != list(expected):
        raise Decline(f"{subject}: expected {list(expected)}, found {list(sizes)}")


def require_product(left: Expr, right: Expr) -> None:
    """Checks that [..., rows, depth] and [..., depth, columns] have one depth, and batches that broadcast.

    Raises:
        Decline: they don't.
    """
    require_sizes("depth", right.shape[-2:-1], left.shape[-1:])
    require_broadcast(*(Expr(Value(x.type._replace(shape=x.type.shape[:-2]))) for x in (left, right)))


@condition("nothing is quantized at run time")
def not_dynamic(match: Match) -> str | None:
    """Against operands and results whose scales a run finds."""
    for value in (*match.op.operands, *match.op.results):
        if value.type.quant is not None and value.type.quant.rows:
            return f"{value.name!r} is quantized at run time"
    return None
