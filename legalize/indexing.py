"""GATHER and SCATTER on rows: a tensor seen as [N, K, C], rows of C elements that indices [N, W] name."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.operands import affordable
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.operators import gather, reduce_sum, scatter
from tosa_converter.rewriting.rewrite import Decline


def take(values: Expr, indices: Expr) -> Expr:
    """GATHER of rows [N,W,C], of bool by way of i8.

    Raises:
        Decline: a constant index is out of range, where LiteRT fails; at run time that is unpredictable.
    """
    require_within(indices.constant, values.shape[1])
    if values.dtype is not DType.BOOL:
        return gather(values, indices)
    return gather(values.cast(DType.I8), indices).cast(DType.BOOL)


def put(values: Expr, indices: Expr, rows: Expr) -> Expr:
    """SCATTER of rows [N,W,C] over the values; no index may repeat. Of bool by way of i8."""
    if values.dtype is not DType.BOOL:
        return scatter(values, indices, rows)
    values, rows = values.cast(DType.I8), rows.cast(DType.I8)
    return scatter(values, indices, rows).cast(DType.BOOL)


def require_within(indices: Array | None, limits: int | Array) -> None:
    """Every constant index from 0 to before its limit.

    Raises:
        Decline: one isn't.
    """
    if indices is not None and ((indices < 0) | (indices >= limits)).any():
        raise Decline(f"indices out of range, from {indices.min()} to {indices.max()}")


def strides(sizes: Sequence[int]) -> list[int]:
    """How far apart neighbours along each dimension lie."""
    return [math.prod(sizes[axis + 1 :]) for axis in range(len(sizes))]


def named_rows(indices: Expr, sizes: Sequence[int]) -> Expr:
    """Numbers [1,W] of the rows of a tensor [*sizes, C] that indices [..., len(sizes)] name.

    Raises:
        Decline: a constant index is out of range.
    """
    require_within(indices.constant, np.array(sizes))
    return positions(indices, strides(sizes))


def positions(indices: Expr, steps: Sequence[int]) -> Expr:
    """Sums [1,W] of indices [..., len(steps)] times the steps."""
    count = indices.size // len(steps)
    split = indices.cast(DType.I32).reshape((1, count, len(steps)))
    if list(steps) != [1]:
        scaled = split * const(np.reshape(steps, (1, 1, -1)), DType.I32)
        split = reduce_sum(scaled, 2)
    return split.reshape((1, count))


class Block(NamedTuple):
    """A part of a tensor as rows, which are as long as what it takes whole of the last dimensions.

    `steps` are the rows between neighbours along each dimension, `inside` the part's sizes that aren't in a row.
    """

    rows: int
    width: int
    steps: list[int]
    inside: list[int]

    @classmethod
    def of(cls, shape: Sequence[int], size: Sequence[int]) -> "Block":
        """A part [*size] of a tensor [*shape].

        Raises:
            Decline: it doesn't fit inside.
        """
        if len(shape) != len(size) or any(not 0 < n <= whole for n, whole in zip(size, shape, strict=True)):
            raise Decline(f"a part of shape {list(size)} of {list(shape)}")
        depth = max((axis + 1 for axis, whole in enumerate(shape) if size[axis] != whole), default=0)
        steps = strides(shape[:depth]) + [0] * (len(shape) - depth)
        return cls(math.prod(shape[:depth]), math.prod(shape[depth:]), steps, affordable(size[:depth]))

    def numbers(self, start: Expr, dims: Sequence[int | None] | None = None) -> Expr:
        """The rows [1,W] of the part that begins at `start`: an index into each dimension, or those in `dims`."""
        depth = len(self.inside)
        offsets = np.array(self.steps[:depth], np.int64) @ np.indices(self.inside).reshape(depth, -1)
        steps = [0 if dim is None else self.steps[dim] for dim in (range(len(self.steps)) if dims is None else dims)]
        return positions(start, steps) + const(offsets.reshape(1, -1), DType.I32)
