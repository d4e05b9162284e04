"""What writes elements at indices: SCATTER_ND, SPARSE_TO_DENSE, DYNAMIC_UPDATE_SLICE.

SCATTER of TOSA wants every index once. Constant indices turn around: each place of the result knows what it takes. Of
those known at run time each place compares all.
"""

import math

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Value
from tosa_converter.legalize.checks import MOVED
from tosa_converter.legalize.indexing import Block, named_rows, put, take
from tosa_converter.legalize.operands import affordable, result_sizes
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops

COMPARED = 1 << 20  # elements that are rather compared with every row than summed up apart


def scatter_nd(match: Match) -> Value:
    """SCATTER_ND: updates of one place add up; integers wrap, of bool any counts."""
    indices, updates, shape, builder = match["indices"], match["updates"], result_sizes(match, "shape"), match.builder
    *outer, depth = indices.type.static or (0,)
    if not 0 < depth <= len(shape) or updates.type.shape != (*outer, *shape[depth:]):
        raise Decline(f"updates {updates.type} at indices {indices.type} of a tensor of shape {shape}")
    named = named_rows(builder, indices, affordable(shape)[:depth])
    rows, width = math.prod(shape[:depth]), math.prod(shape[depth:])
    if not rows * width:
        return builder.empty(shape, updates.type.dtype)
    parts = builder.reshape(updates, (1, named.type.elements, width))
    if named.constant is not None:
        return builder.reshape(_added(builder, parts, named.constant[0], rows), shape)
    if named.type.elements == 1:
        zeros = builder.const(np.zeros((1, rows, width)), parts.type.dtype)
        return builder.reshape(put(builder, zeros, named, parts), shape)
    return builder.reshape(_met(builder, parts, named, rows), shape)


def _met(builder: Builder, parts: Value, named: Value, rows: int) -> Value:
    """The sums of the parts [1,W,C] for each row, of which only the run knows the numbers [1,W].

    Where rows are many, the sum of those that meet stands at each part, and a row takes it from the last that names it.
    """
    _, count, width = parts.type.static
    if rows <= count or rows * count * width <= COMPARED:
        return _sum_of_hits(builder, parts, _hits(builder, named, builder.const(np.arange(rows), DType.I32)))
    sums = builder.reshape(_sum_of_hits(builder, parts, _hits(builder, named, named)), (1, count, width))
    chosen = _last(builder, named, np.arange(count) + 1, rows)
    return take(builder, builder.pad(sums, [(0, 0), (1, 0), (0, 0)]), chosen)


def _sum_of_hits(builder: Builder, parts: Value, hits: Value) -> Value:
    """Sums [R,1,C] of those parts [1,W,C] that hits [R,W] choose."""
    chosen = builder.select(builder.reshape(hits, (*hits.type.static, 1)), parts, builder.scalar(0, parts))
    return _sum(builder, chosen, 1)


def _hits(builder: Builder, named: Value, rows: Value) -> Value:
    """Which of the numbers [1,W] are equal to each of R rows: [R,W]."""
    return builder.binary(ops.EQUAL, named, builder.reshape(rows, (rows.type.elements, 1)))


def _added(builder: Builder, parts: Value, targets: Array, rows: int) -> Value:
    """The sums of the parts [1,W,C] for each row: as many as the most that meet in one, zeros for those it lacks."""
    order, counts = np.argsort(targets, kind="stable"), np.bincount(targets, minlength=rows)
    ends = np.cumsum(counts)
    most = max(int(counts.max()), 1)
    table = np.full(affordable((rows, most)), targets.size)
    table[targets[order], np.arange(targets.size) - (ends - counts)[targets[order]]] = order
    if counts.min() < most:
        parts = builder.pad(parts, [(0, 0), (0, 1), (0, 0)])
    taken = take(builder, parts, builder.const(table.reshape(1, -1), DType.I32))
    return taken if most == 1 else _sum(builder, builder.reshape(taken, (rows, most, parts.type.static[2])), 1)


def _sum(builder: Builder, x: Value, axis: int) -> Value:
    """REDUCE_SUM in the type of the operand, where narrow integers wrap."""
    if x.type.dtype is DType.BOOL:
        return builder.reduce(ops.REDUCE_ANY, x, axis)
    if x.type.dtype is DType.I8:
        return builder.cast(builder.reduce(ops.REDUCE_SUM, builder.cast(x, DType.I32), axis), DType.I8)
    return builder.reduce(ops.REDUCE_SUM, x, axis)


def sparse_to_dense(match: Match) -> Value:
    """SPARSE_TO_DENSE: each place takes the last value that names it, or the default in front of them."""
    builder, shape = match.builder, affordable(result_sizes(match, "output_shape"))
    indices, values, default = match["sparse_indices"], match["sparse_values"], match["default_value"]
    depth = indices.type.static[1] if indices.type.rank == 2 else 1
    count = indices.type.elements // max(depth, 1)
    if depth != len(shape) or indices.type.rank > 2 or values.type.shape not in ((), (count,)):
        raise Decline(f"values {values.type} at indices {indices.type} of a tensor of shape {shape}")
    numbers = np.minimum(np.arange(*affordable([count])), values.type.elements - 1) + 1
    chosen = _last(builder, named_rows(builder, indices, shape), numbers, math.prod(shape))
    choice = [builder.reshape(part, (1, part.type.elements, 1)) for part in (default, values)]
    return builder.reshape(take(builder, builder.concat(choice, 1), chosen), shape)


def _last(builder: Builder, named: Value, numbers: Array, rows: int) -> Value:
    """For each row [1,rows] the largest of the numbers whose index names it, 0 for none."""
    if named.constant is not None:
        table = np.zeros(rows, np.int32)
        np.maximum.at(table, named.constant[0], numbers)
        return builder.const(table.reshape(1, -1), DType.I32)
    ranked = builder.const(numbers.reshape(1, -1), DType.I32)
    hits = _hits(builder, named, builder.const(np.arange(rows), DType.I32))
    met = builder.select(hits, ranked, builder.scalar(0, ranked))
    return builder.reshape(builder.reduce(ops.REDUCE_MAX, met, 1, nan_mode="PROPAGATE"), (1, rows))


def dynamic_update_slice(match: Match) -> Value:
    """DYNAMIC_UPDATE_SLICE: a part written over the operand where it begins, moved so that it lies inside."""
    x, update, start, builder = match["operand"], match["update"], match["start_indices"], match.builder
    shape, size = x.type.static, update.type.static
    if 0 in size and len(size) == len(shape):
        return x
    block = Block.of(shape, size)
    if start.type.shape != (x.type.rank,):
        raise Decline(f"starts {start.type} for {x.type}")
    if block.rows == 1:
        return update
    most = builder.const(np.subtract(shape, size), DType.I32)
    begin = builder.minimum(builder.maximum(builder.cast(start, DType.I32), builder.scalar(0, most)), most)
    rows = block.numbers(builder, begin)
    parts = builder.reshape(update, (1, rows.type.elements, block.width))
    return builder.reshape(put(builder, builder.reshape(x, (1, block.rows, block.width)), rows, parts), shape)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.scatter_nd", "fp32 ui8 i8 i32 i64 bool", scatter_nd, of=("updates",)),
    Rewrite("tfl.sparse_to_dense", "fp32 ui8 i8 i32 i64", sparse_to_dense, of=("sparse_values",)),
    Rewrite("tfl.dynamic_update_slice", MOVED, dynamic_update_slice),
)
