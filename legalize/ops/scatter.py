"""Writing by index: updates that are written, added or combined at indices that are data.

SCATTER wants every index once. Where indices may repeat, the result is turned around: with constant indices each
element of the result gathers the updates that fall on it; with run-time indices it compares itself with all of them.
"""

import math
from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.limits import affordable
from tosa_converter.legalize.ops.index import (
    BlockRows,
    clamped_begin,
    gather_along,
    gather_rows,
    require_in_range,
    room_for,
    row_numbers,
    strides,
)
from tosa_converter.legalize.ops.reduce import Reduction, group_member_indices
from tosa_converter.rewriting.expr import Expr, const, maximum, where
from tosa_converter.rewriting.operators import concat, empty, reduce_any, reduce_max, reduce_sum, scatter

MAX_COMPARED = 1 << 20  # elements that are compared with every row; beyond, the updates are first added up


def scatter_rows(values: Expr, indices: Expr, rows: Expr) -> Expr:
    """Writes rows [N, W, C] of any type at distinct indices [N, W] of values [N, K, C]: SCATTER."""
    if values.dtype is not DType.BOOL:
        return scatter(values, indices, rows)
    values, rows = values.cast(DType.I8), rows.cast(DType.I8)
    return scatter(values, indices, rows).cast(DType.BOOL)


def update_slice(x: Expr, update: Expr, begin: Expr) -> Expr:
    """Writes a block over x at indices `begin` [rank], which are clamped so that the block lies inside.

    An empty block changes nothing; a block of x's shape is the result.

    Raises:
        Decline: the block is larger than x.
    """
    if 0 in update.shape and update.rank == x.rank:
        return x
    block = BlockRows.for_block(x.shape, update.shape)
    if block.rows == 1:  # the block is all of x
        return update
    numbers = block.numbers(clamped_begin(begin, room_for(x.shape, update.shape)), range(x.rank))
    rows = update.reshape((1, numbers.size, block.width))
    return scatter_rows(x.reshape((1, block.rows, block.width)), numbers, rows).reshape(x.shape)


def replace_along(x: Expr, update: Expr, axis: int, indices: Array) -> Expr:
    """Returns x with the entries at constant indices along an axis replaced by those of `update`, by one GATHER."""
    size = x.shape[axis]
    sources = np.arange(*affordable([size]))
    sources[indices] = size + np.arange(indices.size)
    return gather_along(concat([x, update], axis), const(sources, DType.I32), axis)


def replace_rows(x: Expr, numbers: Expr, rows: Expr, depth: int) -> Expr:
    """Returns x with some entries of its first `depth` dimensions replaced; the last update of an entry counts.

    Args:
        x: of any shape.
        numbers: run-time row-major numbers of the entries.
        rows: the updates, [*numbers.shape, *x.shape[depth:]].
        depth: how many dimensions the numbers count.
    """
    count, width = math.prod(x.shape[:depth]), math.prod(x.shape[depth:])
    flat = numbers.reshape((1, numbers.size))
    parts, whole = rows.reshape((1, numbers.size, width)), x.reshape((1, count, width))
    require_in_range(flat.constant, count)
    if numbers.size == 1:
        return scatter_rows(whole, flat, parts).reshape(x.shape)
    # An entry takes its last update, which stands behind the entries of x, or itself.
    last = last_rank(flat, np.arange(*affordable([numbers.size])) + 1, count)
    own = const(np.arange(count).reshape(1, -1), DType.I32)
    sources = where(last > 0, last + (count - 1), own)
    return gather_rows(concat([whole, parts], 1), sources).reshape(x.shape)


# ** sums of updates **


def scatter_nd(indices: Expr, updates: Expr, shape: Sequence[int]) -> Expr:
    """Lowers SCATTER_ND: adds updates to zeros at index vectors [..., depth] into the first dimensions.

    Updates at one index add up; narrow integers wrap, and booleans are combined by OR.
    """
    depth = indices.shape[-1]
    numbers = row_numbers(indices, affordable(shape)[:depth])
    rows, width = math.prod(shape[:depth]), math.prod(shape[depth:])
    if not rows * width:
        return empty(shape, updates.dtype)
    parts = updates.reshape((1, numbers.size, width))
    if numbers.constant is not None:
        return _sum_by_constant_row(parts, numbers.constant[0], rows).reshape(shape)
    if numbers.size == 1:
        zeros = const(np.zeros((1, rows, width)), parts.dtype)
        return scatter_rows(zeros, numbers, parts).reshape(shape)
    return _add_rows(parts, numbers, rows).reshape(shape)


def _add_rows(parts: Expr, numbers: Expr, rows: int) -> Expr:
    """Returns the sums [rows, 1, C] of all parts [1, W, C] with the same row number, given at run time [1, W].

    Few rows are each compared with all numbers. Otherwise each part is replaced by the sum of all parts with its
    number, and each row takes the last part that has its number.
    """
    _, count, width = parts.shape
    if rows <= count or rows * count * width <= MAX_COMPARED:
        return _sum_matching_parts(parts, _match_rows(numbers, const(np.arange(rows), DType.I32)))
    sums = _sum_matching_parts(parts, _match_rows(numbers, numbers)).reshape((1, count, width))
    last = last_rank(numbers, np.arange(count) + 1, rows)
    return gather_rows(sums.pad([(0, 0), (1, 0), (0, 0)]), last)


def _sum_matching_parts(parts: Expr, hits: Expr) -> Expr:
    """Returns for a scatter-add the sums [R, 1, C] of the parts [1, W, C] that `hits` [R, W] assigns to each row."""
    return _wrapping_sum(where(hits.reshape((*hits.shape, 1)), parts, 0), 1)


def _match_rows(numbers: Expr, rows: Expr) -> Expr:
    """Returns a mask [R, W] that tells which of the indices [1, W] equal each of the row numbers [R]."""
    return numbers == rows.reshape((rows.size, 1))


def _sum_by_constant_row(parts: Expr, numbers: Array, rows: int) -> Expr:
    """Returns the sums of the parts [1, W, C] of each row, for constant row numbers: gathers them, padded with zeros.

    Numbers [2, 0, 2] of 3 rows make the table [[1, 3], [3, 3], [0, 2]], of which part 3 is zeros.
    """
    table = group_member_indices(numbers, rows)
    if (table == numbers.size).any():
        parts = parts.pad([(0, 0), (0, 1), (0, 0)])
    gathered = gather_rows(parts, const(table.reshape(1, -1), DType.I32))
    most = table.shape[1]
    return gathered if most == 1 else _wrapping_sum(gathered.reshape((rows, most, parts.shape[2])), 1)


def _wrapping_sum(x: Expr, axis: int) -> Expr:
    """Returns the sum along an axis in the operand's type: i8 wraps, and booleans are combined by OR."""
    if x.dtype is DType.BOOL:
        return reduce_any(x, axis)
    if x.dtype is DType.I8:
        return reduce_sum(x.cast(DType.I32), axis).cast(DType.I8)
    return reduce_sum(x, axis)


# ** the last update of each index **


def last_rank(numbers: Expr, ranks: Array, rows: int) -> Expr:
    """Returns the rank of the last update of each of `rows` rows: [1, rows], or 0 for a row without one.

    `numbers` [1, W] are the rows that the updates write, `ranks` their constant numbers from 1 on.
    """
    if numbers.constant is not None:
        table = np.zeros(rows, np.int32)
        np.maximum.at(table, numbers.constant[0], ranks)
        return const(table.reshape(1, -1), DType.I32)
    ranked = const(ranks.reshape(1, -1), DType.I32)
    hits = _match_rows(numbers, const(np.arange(rows), DType.I32))
    return reduce_max(where(hits, ranked, 0), 1).reshape((1, rows))


def sparse_to_dense(indices: Expr, values: Expr, default: Expr, shape: Sequence[int]) -> Expr:
    """Lowers SPARSE_TO_DENSE: returns a tensor of `default` with the last value at each vector of indices [W, rank].

    Args:
        indices: of the elements; for a result of rank 1 they may also be [W], or a single index [].
        values: one for each vector of indices, or one for all.
        default: of one element.
        shape: of the result.
    """
    count = indices.size // max(len(shape), 1)
    ranks = np.minimum(np.arange(*affordable([count])), values.size - 1) + 1
    last = last_rank(row_numbers(indices, shape), ranks, math.prod(shape))
    choices = [part.reshape((1, part.size, 1)) for part in (default, values)]
    return gather_rows(concat(choices, 1), last).reshape(shape)


def scatter_elements(x: Expr, indices: Expr, src: Expr, axis: int) -> Expr:
    """Writes elements at indices along an axis; of several at one index the last one counts.

    Indices and `src` have one shape, of x's rank; along the other axes it has at most x's sizes.
    """
    hits, rows = _match_along_axis(x, indices, src, axis)
    count = hits.shape[2]
    ranks = const(np.arange(1, count + 1).reshape(1, 1, count), DType.I32)
    last = reduce_max(where(hits, ranks, 0), 2)
    last = last.reshape(last.shape[:2])
    choices = rows.pad([(0, 0), (1, 0)]).reshape((rows.shape[0], count + 1, 1))
    written = _lines_to_shape(x, indices.shape, axis, gather_rows(choices, last).reshape(last.shape))
    mask = _lines_to_shape(x, indices.shape, axis, (last > 0).cast(DType.I8))
    return where(mask.cast(DType.BOOL), written, x)


def scatter_add_elements(x: Expr, indices: Expr, src: Expr, axis: int) -> Expr:
    """Adds elements to x at indices along an axis, as torch's `scatter_add` does; repeated indices add up.

    Indices and `src` have one shape, of x's rank; along the other axes it has at most x's sizes.
    """
    hits, rows = _match_along_axis(x, indices, src, axis)
    parts = rows.reshape((rows.shape[0], 1, rows.shape[1]))
    sums = reduce_sum(where(hits, parts, 0), 2)
    return x + _lines_to_shape(x, indices.shape, axis, sums.reshape(sums.shape[:2]))


def _match_along_axis(x: Expr, indices: Expr, src: Expr, axis: int) -> tuple[Expr, Expr]:
    """Returns a mask [N, K, J] that tells which elements j are written at index k of line n, and the elements [N, J].

    Lines run along the axis. Scatters choose or add up by the mask, because SCATTER writes to no index twice.
    """
    shape = indices.shape
    axis_last = [*(i for i in range(len(shape)) if i != axis), axis]
    indices, src = (value.transpose(axis_last) for value in (indices, src))
    lines, count, size = math.prod(shape) // max(shape[axis], 1), shape[axis], x.shape[axis]
    affordable((lines, size, count))
    positions = const(np.arange(size).reshape(1, size, 1), DType.I32)
    hits = indices.reshape((lines, 1, count)) == positions
    return hits, src.reshape((lines, count))


def _lines_to_shape(x: Expr, shape: Sequence[int], axis: int, lines: Expr) -> Expr:
    """Returns lines [N, K] along an axis in the shape of x, with zeros where the indices don't reach.

    `shape` is that of the indices.
    """
    remaining = [i for i in range(x.rank) if i != axis]
    y = lines.reshape((*(shape[i] for i in remaining), x.shape[axis]))
    y = y.transpose([[*remaining, axis].index(i) for i in range(x.rank)])
    return y.pad([(0, whole - size) for whole, size in zip(x.shape, y.shape, strict=True)])


# ** windows **


def window_numbers(begin: Expr, axes: Sequence[int], shape: Sequence[int], size: Sequence[int]) -> Expr:
    """Returns the row-major index of every element of W windows: [W, elements], -1 for those outside of `shape`.

    The windows have `size`. Vector w of `begin` [W, len(axes)] says where window w begins along `axes`; along other
    axes it begins at 0.
    """
    count = begin.shape[0]
    offsets = np.indices(affordable(size)).reshape(len(size), -1)
    columns = [const(np.zeros((count, 1)), DType.I32)] * len(shape)
    for entry, axis in enumerate(axes):
        columns[axis] = begin.slice((0, entry), (count, 1))
    number, inside = const(np.zeros((1, 1)), DType.I32), const(np.ones((1, 1)), DType.BOOL)
    for axis, stride in enumerate(strides(shape)):
        index = columns[axis] + const(offsets[axis][None], DType.I32)
        number = number + index * stride
        inside = inside & ((index >= 0) & (index < shape[axis]))
    return where(inside, number, -1)


def scatter_at(x: Expr, numbers: Expr, updates: Expr, reduction: Reduction | None) -> Expr:
    """Returns x combined with the updates [1, W] at row-major indices `numbers` [1, W]; an update at -1 is dropped.

    Without a reduction the last update of an element replaces it.
    """
    flat = x.reshape((x.size, 1))
    hits = const(np.arange(x.size)[:, None], DType.I32) == numbers
    if reduction is not None:
        chosen = where(hits, updates, reduction.identity(x.dtype))
        return reduction.combine(flat, reduction.along(chosen, 1)).reshape(x.shape)
    ranks = const(np.arange(1, updates.size + 1)[None], DType.I32)
    last = reduce_max(where(hits, ranks, 0), 1)
    index = maximum(last - 1, 0).reshape((1, x.size))
    latest = gather_rows(updates.reshape((1, updates.size, 1)), index).reshape(last.shape)
    return where(last > 0, latest, flat).reshape(x.shape)
