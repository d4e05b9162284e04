"""Sums along an axis and reductions of segments, of floats and integers."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.checks import FLOATS, no_narrow_integers
from tosa_converter.legalize.operands import (
    I32,
    affordable,
    constant_int,
    held_in_32_bits,
    normalized_axis,
    size_along,
)
from tosa_converter.legalize.tflite.float.reduce import product, summed
from tosa_converter.rewriting import operators
from tosa_converter.rewriting.bounds import bound_of
from tosa_converter.rewriting.expr import Expr, const, where
from tosa_converter.rewriting.operators import gather
from tosa_converter.rewriting.rewrite import Build, Decline, Match, Rewrite
from tosa_converter.schemas import tflite
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

Reduce = Callable[[Expr], Expr]  # along axis 1, which is kept

# ** running sums **


def cumsum(match: Match) -> Expr:
    """CUMSUM by doubling: to each sum of 2**i elements the one before it; exclusive ones are moved on by one first."""
    x = match["input"]
    axis = normalized_axis(constant_int(match, "axis"), x.rank)
    options = match.attributes(tflite.CumsumOptions)
    if options.exclusive:
        x = _moved(x, axis, 1, options.reverse)
    return held_in_32_bits(match, running_sums(x, axis, back=options.reverse))


def running_sums(x: Expr, axis: int, *, back: bool = False) -> Expr:
    """The sum of all elements up to each along an axis, or from each on."""
    distance = 1
    while distance < x.shape[axis]:
        x = x + _moved(x, axis, distance, back)
        distance *= 2
    return x


def _moved(x: Expr, axis: int, distance: int, back: bool) -> Expr:
    """The elements at so many places further on, or back, and zeros before them."""
    shape = list(x.shape)
    kept = shape[axis] - distance
    if kept < 1:
        return const(np.zeros(affordable(shape), x.dtype.numpy), x.dtype)
    start, padding = [0] * len(shape), [(0, 0)] * len(shape)
    start[axis], padding[axis] = (distance, (0, distance)) if back else (0, (distance, 0))
    shape[axis] = kept
    return x.slice(start, shape).pad(padding)


# ** segments **


class Operation(NamedTuple):
    """How segments are reduced, and what an empty one is."""

    reduce: Reduce
    empty: Callable[[DType], float]


def _by(row: OpDef, **attributes: str) -> Reduce:
    return lambda x: operators.reduce(row, x, 1, **attributes)


def _limit(name: str) -> Callable[[DType], float]:
    return lambda dtype: float(getattr(_limits(dtype), name))


def _limits(dtype: DType) -> Any:
    return I32 if dtype is DType.I32 else ml_dtypes.finfo(dtype.numpy)  # type: ignore[no-untyped-call]


SUM = Operation(lambda x: summed(x, 1), lambda _: 0)
PROD = Operation(product, lambda _: 1)
MAX = Operation(_by(ops.REDUCE_MAX, nan_mode="IGNORE"), _limit("min"))
MIN = Operation(_by(ops.REDUCE_MIN, nan_mode="IGNORE"), _limit("max"))


def segment_sum(match: Match) -> Expr:
    """SEGMENT_SUM, whose ids rise from 0 by steps of at most 1; at run time as many segments as the user states.

    Raises:
        Decline: the ids aren't constant, and no bound is stated.
    """
    ids = match["segment_ids"].constant
    if ids is None:
        return _segments(match, SUM, bound_of(match, "the number of segments"))
    if not ids.size or ids[0] != 0 or not np.isin(np.diff(ids), (0, 1)).all():
        raise Decline(f"segments {ids.tolist()[:8]}, which LiteRT refuses")
    return _segments(match, SUM, int(ids[-1]) + 1)


def _unsorted(operation: Operation) -> Build:
    def unsorted(match: Match) -> Expr:
        rank = match["input"].rank - match["segment_ids"].rank + 1
        return _segments(match, operation, size_along(match, "num_segments", rank, 0))

    return unsorted


def _segments(match: Match, operation: Operation, count: int) -> Expr:
    """The operation over the elements of each id; ids stand for the leading dimensions of x, negative ones for none."""
    x, ids = match["input"], match["segment_ids"]
    leading = ids.rank
    if ids.shape != x.shape[:leading] or count < 1 or not x.size:
        raise Decline(f"{count} segments by {ids.type} of {x.type}")
    affordable((count,))
    rest = x.shape[leading:]
    x = x.reshape((1, math.prod(ids.shape), math.prod(rest)))
    known = ids.constant
    if known is None:
        grouped = _selected(x, ids, count, operation)
    elif known.size and known.max() >= count:
        raise Decline(f"segment {known.max()} of {count}")
    else:
        grouped = _gathered(x, known.reshape(-1), count, operation)
    return operation.reduce(grouped).reshape((count, *rest))


def _gathered(x: Expr, ids: Array, count: int, operation: Operation) -> Expr:
    """[count, most, inner] of the elements of each segment, filled up with what changes nothing."""
    sizes = np.bincount(ids[ids >= 0], minlength=count)
    most = max(int(sizes.max()), 1)
    index = np.full(affordable((count, most)), ids.size)
    order = np.argsort(ids, kind="stable")[np.count_nonzero(ids < 0) :]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    index[ids[order], np.arange(order.size) - starts[ids[order]]] = order
    if (index == ids.size).any():
        x = x.pad(((0, 0), (0, 1), (0, 0)), operation.empty(x.dtype))
    picked = gather(x, const(index.reshape(1, -1), DType.I32))
    return picked.reshape((count, most, x.shape[2]))


def _selected(x: Expr, ids: Expr, count: int, operation: Operation) -> Expr:
    """[count, all, inner] of the elements of each segment, the others replaced by what changes nothing."""
    ids = ids.reshape((1, x.shape[1], 1))
    numbers = const(np.arange(count).reshape(affordable((count, 1, 1))), DType.I32)
    return where(ids == numbers, x, operation.empty(x.dtype))


TYPES = f"{FLOATS} i32"
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.cumsum", f"{TYPES} i64", cumsum, (no_narrow_integers,)),
    Rewrite("tfl.segment_sum", TYPES, segment_sum, (no_narrow_integers,)),
    Rewrite("tfl.unsorted_segment_sum", TYPES, _unsorted(SUM), (no_narrow_integers,)),
    Rewrite("tfl.unsorted_segment_prod", TYPES, _unsorted(PROD), (no_narrow_integers,)),
    Rewrite("tfl.unsorted_segment_max", TYPES, _unsorted(MAX), (no_narrow_integers,)),
    Rewrite("tfl.unsorted_segment_min", TYPES, _unsorted(MIN), (no_narrow_integers,)),
)
