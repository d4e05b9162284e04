"""What writes elements at indices: SCATTER_ND, SPARSE_TO_DENSE, DYNAMIC_UPDATE_SLICE.

SCATTER of TOSA wants every index once. Constant indices turn around: each place of the result knows what it takes. Of
those known at run time each place compares all.
"""

import math

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.checks import MOVED
from tosa_converter.legalize.indexing import Block, named_rows, put, take
from tosa_converter.legalize.operands import affordable, result_sizes
from tosa_converter.rewriting.expr import Expr, const, maximum, minimum, where
from tosa_converter.rewriting.operators import concat, empty, reduce_any, reduce_max, reduce_sum
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite

COMPARED = 1 << 20  # elements that are rather compared with every row than summed up apart


def scatter_nd(match: Match) -> Expr:
    """SCATTER_ND: updates of one place add up; integers wrap, of bool any counts."""
    indices, updates, shape = match["indices"], match["updates"], result_sizes(match, "shape")
    *outer, depth = indices.shape or (0,)
    if not 0 < depth <= len(shape) or updates.type.shape != (*outer, *shape[depth:]):
        raise Decline(f"updates {updates.type} at indices {indices.type} of a tensor of shape {shape}")
    named = named_rows(indices, affordable(shape)[:depth])
    rows, width = math.prod(shape[:depth]), math.prod(shape[depth:])
    if not rows * width:
        return empty(shape, updates.dtype)
    parts = updates.reshape((1, named.size, width))
    if named.constant is not None:
        return _added(parts, named.constant[0], rows).reshape(shape)
    if named.size == 1:
        zeros = const(np.zeros((1, rows, width)), parts.dtype)
        return put(zeros, named, parts).reshape(shape)
    return _met(parts, named, rows).reshape(shape)


def _met(parts: Expr, named: Expr, rows: int) -> Expr:
    """The sums of the parts [1,W,C] for each row, of which only the run knows the numbers [1,W].

    Where rows are many, the sum of those that meet stands at each part, and a row takes it from the last that names it.
    """
    _, count, width = parts.shape
    if rows <= count or rows * count * width <= COMPARED:
        return _sum_of_hits(parts, _hits(named, const(np.arange(rows), DType.I32)))
    sums = _sum_of_hits(parts, _hits(named, named)).reshape((1, count, width))
    chosen = _last(named, np.arange(count) + 1, rows)
    return take(sums.pad([(0, 0), (1, 0), (0, 0)]), chosen)


def _sum_of_hits(parts: Expr, hits: Expr) -> Expr:
    """Sums [R,1,C] of those parts [1,W,C] that hits [R,W] choose."""
    chosen = where(hits.reshape((*hits.shape, 1)), parts, 0)
    return _sum(chosen, 1)


def _hits(named: Expr, rows: Expr) -> Expr:
    """Which of the numbers [1,W] are equal to each of R rows: [R,W]."""
    return named == rows.reshape((rows.size, 1))


def _added(parts: Expr, targets: Array, rows: int) -> Expr:
    """The sums of the parts [1,W,C] for each row: as many as the most that meet in one, zeros for those it lacks."""
    order, counts = np.argsort(targets, kind="stable"), np.bincount(targets, minlength=rows)
    ends = np.cumsum(counts)
    most = max(int(counts.max()), 1)
    table = np.full(affordable((rows, most)), targets.size)
    table[targets[order], np.arange(targets.size) - (ends - counts)[targets[order]]] = order
    if counts.min() < most:
        parts = parts.pad([(0, 0), (0, 1), (0, 0)])
    taken = take(parts, const(table.reshape(1, -1), DType.I32))
    return taken if most == 1 else _sum(taken.reshape((rows, most, parts.shape[2])), 1)


def _sum(x: Expr, axis: int) -> Expr:
    """REDUCE_SUM in the type of the operand, where narrow integers wrap."""
    if x.dtype is DType.BOOL:
        return reduce_any(x, axis)
    if x.dtype is DType.I8:
        return reduce_sum(x.cast(DType.I32), axis).cast(DType.I8)
    return reduce_sum(x, axis)


def sparse_to_dense(match: Match) -> Expr:
    """SPARSE_TO_DENSE: each place takes the last value that names it, or the default in front of them."""
    shape = affordable(result_sizes(match, "output_shape"))
    indices, values, default = match["sparse_indices"], match["sparse_values"], match["default_value"]
    depth = indices.shape[1] if indices.rank == 2 else 1
    count = indices.size // max(depth, 1)
    if depth != len(shape) or indices.rank > 2 or values.type.shape not in ((), (count,)):
        raise Decline(f"values {values.type} at indices {indices.type} of a tensor of shape {shape}")
    numbers = np.minimum(np.arange(*affordable([count])), values.size - 1) + 1
    chosen = _last(named_rows(indices, shape), numbers, math.prod(shape))
    choice = [part.reshape((1, part.size, 1)) for part in (default, values)]
    return take(concat(choice, 1), chosen).reshape(shape)


def _last(named: Expr, numbers: Array, rows: int) -> Expr:
    """For each row [1,rows] the largest of the numbers whose index names it, 0 for none."""
    if named.constant is not None:
        table = np.zeros(rows, np.int32)
        np.maximum.at(table, named.constant[0], numbers)
        return const(table.reshape(1, -1), DType.I32)
    ranked = const(numbers.reshape(1, -1), DType.I32)
    hits = _hits(named, const(np.arange(rows), DType.I32))
    met = where(hits, ranked, 0)
    return reduce_max(met, 1, nan_mode="PROPAGATE").reshape((1, rows))


def dynamic_update_slice(match: Match) -> Expr:
    """DYNAMIC_UPDATE_SLICE: a part written over the operand where it begins, moved so that it lies inside."""
    x, update, start = match["operand"], match["update"], match["start_indices"]
    shape, size = x.shape, update.shape
    if 0 in size and len(size) == len(shape):
        return x
    block = Block.of(shape, size)
    if start.type.shape != (x.rank,):
        raise Decline(f"starts {start.type} for {x.type}")
    if block.rows == 1:
        return update
    most = const(np.subtract(shape, size), DType.I32)
    begin = minimum(maximum(start.cast(DType.I32), 0), most)
    rows = block.numbers(begin)
    parts = update.reshape((1, rows.size, block.width))
    return put(x.reshape((1, block.rows, block.width)), rows, parts).reshape(shape)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.scatter_nd", "fp32 ui8 i8 i32 i64 bool", scatter_nd, of=("updates",)),
    Rewrite("tfl.sparse_to_dense", "fp32 ui8 i8 i32 i64", sparse_to_dense, of=("sparse_values",)),
    Rewrite("tfl.dynamic_update_slice", MOVED, dynamic_update_slice),
)
