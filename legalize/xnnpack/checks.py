"""Conditions of XNNPACK's nodes, and their element types."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tosa_converter.ir import TensorType, Value
from tosa_converter.legalize.quant.elements import affine, output_quant
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Key, Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Check, condition

FLOATS = "fp32 fp16"
MOVED = f"{FLOATS} i8 ui8"  # element types of nodes that move elements as they are


def require_rank(type: TensorType, rank: int) -> None:
    """Declines an operand whose rank isn't the expected one.

    Raises:
        Decline: the rank is another.
    """
    if type.rank != rank:
        raise Decline(f"expected a tensor of rank {rank}, found {type}")


def require_broadcast(*values: Expr) -> None:
    """Declines operands whose shapes don't broadcast.

    Raises:
        Decline: two sizes along a dimension differ, and neither is 1.
    """
    try:
        np.broadcast_shapes(*(value.shape for value in values))
    except ValueError:
        types = " and ".join(str(value.type) for value in values)
        raise Decline(f"expected shapes that broadcast, found {types}") from None


def require_sizes(subject: str, sizes: Sequence[int], expected: Sequence[int]) -> None:
    """Declines sizes that differ from those that the other operands imply; `subject` names them in the reason.

    Raises:
        Decline: the sizes differ from those expected.
    """
    if list(sizes) != list(expected):
        raise Decline(f"{subject}: expected {list(expected)}, found {list(sizes)}")


def require_per_channel(subject: str, size: int, channels: int) -> None:
    """Declines a number of parameters that is neither 1, for all channels, nor the number of channels.

    Raises:
        Decline: `size`, the number of parameters, is another one.
    """
    if size not in (1, channels):
        raise Decline(f"expected 1 or {channels} {subject}, found {size}")


def require_product(left: Expr, right: Expr) -> None:
    """Declines matrices that can't be multiplied: [..., rows, depth] by [..., depth, columns].

    Raises:
        Decline: the depths differ, or the batches don't broadcast.
    """
    require_sizes("depth", right.shape[-2:-1], left.shape[-1:])
    require_broadcast(*(Expr(Value(x.type._replace(shape=x.type.shape[:-2]))) for x in (left, right)))


@condition("nothing is quantized at run time")
def not_dynamic(match: Match) -> str | None:
    """Returns the reason to decline an XNNPACK node with a tensor quantized at run time; None if there is none."""
    for value in (*match.op.operands, *match.op.results):
        if value.type.quant is not None and value.type.quant.rows:
            return f"expected {value.name!r} with a scale in the file, found it quantized at run time"
    return None


class ScaleRange(NamedTuple):
    """The interval of scales [2**low, 2**high), or [2**low, 2**high] if it is `closed`."""

    low: int
    high: int
    closed: bool = False

    def __contains__(self, scale: object) -> bool:
        """Returns whether a scale is in the interval."""
        assert isinstance(scale, float | np.floating)
        return bool(2.0**self.low <= scale < 2.0**self.high or (self.closed and scale == 2.0**self.high))

    def __str__(self) -> str:
        """Returns the interval in mathematical notation, such as [2^-10, 2^8)."""
        return f"[2^{self.low}, 2^{self.high}{']' if self.closed else ')'}"


SUM_RATIOS = ScaleRange(-10, 8)
CONVERT_RATIOS = ScaleRange(-8, 7, closed=True)


def scale_ratios(interval: ScaleRange, *keys: Key) -> Check:
    """Returns a check that declines an XNNPACK node if an operand's scale / result's scale is outside an interval.

    `keys` name the operands.
    """

    def reason(match: Match) -> str | None:
        """Returns why the operands' scale ratios are declined, or None."""
        output = output_quant(match)
        ratios = [affine(match, key).scale / output.scale for key in keys]
        if all(ratio in interval for ratio in ratios):
            return None
        subject = "input/output scale ratios" if len(keys) > 1 else "an input/output scale ratio"
        return f"expected {subject} in {interval}, found {' and '.join(f'{ratio:.5g}' for ratio in ratios)}"

    return Check(f"input/output scale ratios are in {interval}", reason)
