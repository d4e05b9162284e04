"""Reading by index: rows, elements, blocks and windows of a tensor whose indices are data.

GATHER sees a tensor as [N, K, C]: K rows of C elements, of which indices [N, W] name some. The functions here bring
every other form of reading by index to that. Constant indices must be in range; run-time ones that aren't have
unpredictable results, unless a function says that it clamps them.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.limits import affordable
from tosa_converter.rewriting.expr import Expr, const, maximum, minimum, scalar, where
from tosa_converter.rewriting.operators import gather, reduce_sum, row_gather
from tosa_converter.rewriting.reasons import Decline

# ** rows **


def gather_rows(values: Expr, indices: Expr, *, by_row_gather: bool = False) -> Expr:
    """Returns rows [N, W, C] of values [N, K, C] of any type by GATHER; booleans, which it doesn't take, as i8.

    `by_row_gather` says that the target has ROW_GATHER for these types, which is used then.

    Raises:
        Decline: a constant index is out of range.
    """
    require_in_range(indices.constant, values.shape[1])
    if by_row_gather:
        return row_gather(values, indices)
    if values.dtype is not DType.BOOL:
        return gather(values, indices)
    return gather(values.cast(DType.I8), indices).cast(DType.BOOL)


def require_in_range(indices: Array | None, limits: int | Array) -> None:
    """Raises Decline if a constant index is below 0 or not below its limit; None, a run-time operand, passes."""
    if indices is not None and ((indices < 0) | (indices >= limits)).any():
        raise Decline(f"expected indices inside the operand, found {indices.min()} to {indices.max()}")


def strides(sizes: Sequence[int]) -> list[int]:
    """Returns the distance in elements between neighbours along each dimension of a row-major tensor."""
    return [math.prod(sizes[axis + 1 :]) for axis in range(len(sizes))]


def weighted_index(indices: Expr, weights: Sequence[int]) -> Expr:
    """Returns one index [1, W] for each vector of indices [..., len(weights)]: its dot product with the weights."""
    count = indices.size // len(weights)
    vectors = indices.cast(DType.I32).reshape((1, count, len(weights)))
    if list(weights) != [1]:
        vectors = reduce_sum(vectors * const(np.reshape(weights, (1, 1, -1)), DType.I32), 2)
    return vectors.reshape((1, count))


def row_numbers(indices: Expr, sizes: Sequence[int]) -> Expr:
    """Returns the row-major numbers [1, W] of the rows at index vectors [..., len(sizes)] of a tensor [*sizes, C].

    Raises:
        Decline: a constant index is out of range.
    """
    require_in_range(indices.constant, np.array(sizes))
    return weighted_index(indices, strides(sizes))


def from_front(indices: Expr, size: int) -> Expr:
    """Returns indices that count from the front: negative ones count from the end of a dimension of this size."""
    if indices.constant is not None:
        return const(np.where(indices.constant < 0, indices.constant + size, indices.constant), DType.I32)
    return where(indices < 0, indices + size, indices)


# ** elements along an axis, or at indices **


def gather_along(x: Expr, indices: Expr, axis: int, batch_dims: int = 0, *, by_row_gather: bool = False) -> Expr:
    """Returns the entries of x at indices along an axis; the indices' dimensions replace it, as numpy's `take` does.

    Constant indices of consecutive entries become a SLICE, and are declined if they are out of range.

    Args:
        x: [*batch, *outer, K, *inner].
        indices: [*batch, *taken] of integers.
        axis: the dimension K.
        batch_dims: how many leading dimensions x and the indices share.
        by_row_gather: the target has ROW_GATHER for x.
    """
    shape, taken = x.shape, indices.shape[batch_dims:]
    result = (*shape[:axis], *taken, *shape[axis + 1 :])
    consecutive = _as_consecutive_range(indices) if batch_dims == 0 else None
    if consecutive is not None:
        require_in_range(np.array([consecutive[0], consecutive[-1]]), shape[axis])
        return x.part(axis, consecutive.start, len(consecutive)).reshape(result)
    batch, outer = math.prod(shape[:batch_dims]), math.prod(shape[batch_dims:axis])
    rows = x.reshape((batch * outer, shape[axis], math.prod(shape[axis + 1 :])))
    columns = indices.cast(DType.I32).reshape((batch, 1, math.prod(taken)))
    columns = columns.tile((1, outer, 1)).reshape((batch * outer, math.prod(taken)))
    return gather_rows(rows, columns, by_row_gather=by_row_gather).reshape(result)


def _as_consecutive_range(indices: Expr) -> range | None:
    """Returns constant indices as a range if they ascend by 1, else None."""
    if indices.constant is None or not indices.constant.size:
        return None
    flat = indices.constant.reshape(-1).astype(np.int64)
    return range(int(flat[0]), int(flat[0]) + flat.size) if bool(np.all(np.diff(flat) == 1)) else None


def gather_nd(x: Expr, indices: Expr) -> Expr:
    """Returns the parts of x at vectors of indices [..., depth] into its first dimensions: [..., *x.shape[depth:]]."""
    *outer, depth = indices.shape
    sizes, inner = x.shape[:depth], x.shape[depth:]
    rows = x.reshape((1, math.prod(sizes), math.prod(inner)))
    return gather_rows(rows, row_numbers(indices, sizes)).reshape((*outer, *inner))


def gather_elements(x: Expr, indices: Expr, axis: int) -> Expr:
    """Gathers single elements: each index replaces the position along one axis, as torch's `gather` does.

    The indices have x's rank, and along the other axes at most x's sizes. For x [2, 3] and axis 1, element [i, j] of
    the result is element i * 3 + indices[i, j] of x.
    """
    sizes, weights = affordable(indices.shape), strides(x.shape)
    offsets = np.zeros(sizes, np.int32)
    for i, size in enumerate(sizes):
        if i != axis:
            offsets += (np.arange(size) * weights[i]).reshape([-1 if i == j else 1 for j in range(len(sizes))])
    along_axis = indices * weights[axis] if weights else indices
    numbers = (along_axis + const(offsets, DType.I32)).reshape((1, indices.size))
    return gather_rows(x.reshape((1, x.size, 1)), numbers).reshape(sizes)


def gather_flat(x: Expr, indices: Array) -> Expr:
    """Returns the elements of x at constant row-major indices, in the shape of these indices."""
    numbers = const(indices.reshape(1, -1), DType.I32)
    return gather_rows(x.reshape((1, x.size, 1)), numbers).reshape(indices.shape)


def flat_index(indices: Sequence[Expr], sizes: Sequence[int]) -> Expr:
    """Returns the row-major numbers of elements, from a tensor of indices along each of the axes of these sizes."""
    # Indices 1 and 2 of sizes [3, 4] are element 1 * 4 + 2 = 6.
    if len(indices) == 1:
        return indices[0]
    numbers = scalar(0, indices[0])
    for index, stride in zip(indices, strides(sizes), strict=True):
        numbers = numbers + index * stride
    return numbers


def advanced_index(x: Expr, axes: Sequence[int], indices: Sequence[Expr]) -> Expr:
    """Indexes several axes with a tensor of indices each, as numpy's advanced indexing `x[...]` does.

    The indices broadcast. Their dimensions stand in place of the axes if these are neighbours, else in front.
    """
    if len(axes) == 1:
        return gather_along(x, indices[0], axes[0])
    remaining = [axis for axis in range(x.rank) if axis not in axes]
    sizes, rest = ([x.shape[axis] for axis in part] for part in (axes, remaining))
    rows = x.transpose((*axes, *remaining)).reshape((math.prod(sizes), *rest))
    numbers = flat_index(indices, sizes)
    taken = gather_along(rows, numbers, 0)
    count = numbers.rank
    in_front = axes[0] if axes[-1] - axes[0] == len(axes) - 1 else 0
    inner = range(count, taken.rank)
    return taken.transpose((*inner[:in_front], *range(count), *inner[in_front:]))


def reverse_sequences(x: Expr, lengths: Expr, axis: int, batch_axis: int) -> Expr:
    """Reverses the first `lengths[b]` elements along an axis, for each index b of the batch axis.

    It is one GATHER of rows, which are numbered over the dimensions from the first of the two axes to the second. In a
    sequence of length n, element p < n is read from n - 1 - 2 * p positions further: with n = 3, elements 0, 1, 2 are
    read from 2, 1, 0, and element 3 from itself.
    """
    shape = x.shape
    first, last = min(axis, batch_axis), max(axis, batch_axis)
    inside = affordable((shape[first], math.prod(shape[first + 1 : last]), shape[last]))
    outer, count, inner = math.prod(shape[:first]), math.prod(inside), math.prod(shape[last + 1 :])
    axis_first = axis == first
    moves = _offsets_to_mirror(lengths, shape[axis], axis_first=axis_first)
    if axis_first and inside[1] * inside[2] > 1:
        moves = moves * (inside[1] * inside[2])
    numbers = moves + const(np.arange(count).reshape(inside), DType.I32)
    numbers = numbers.reshape((1, count)).tile((outer, 1))
    return gather_rows(x.reshape((outer, count, inner)), numbers).reshape(shape)


def _offsets_to_mirror(lengths: Expr, size: int, *, axis_first: bool) -> Expr:
    """Returns the offset from each position p of a sequence to its mirror, length - 1 - 2 * p; 0 behind the length.

    The result is [size, 1, batch] if `axis_first`, else [batch, 1, size].
    """
    count = lengths.size
    lengths = lengths.cast(DType.I32).reshape((1, 1, count) if axis_first else (count, 1, 1))
    position = np.arange(size).reshape((size, 1, 1) if axis_first else (1, 1, size))
    inside = lengths > const(position, DType.I32)
    mirrored = lengths - const(2 * position + 1, DType.I32)
    return where(inside, mirrored, 0)


# ** blocks and windows **


class BlockRows(NamedTuple):
    """A block of a tensor as rows: the trailing dimensions that the block takes whole are one row.

    A block [1, 2, 5] of a tensor [3, 4, 5] has 12 rows of 5 elements; neighbours along the first dimension are 4 rows
    apart, and the block takes 1 * 2 rows.
    """

    rows: int
    width: int
    strides: list[int]  # in rows, for each dimension of the tensor; 0 for those within a row
    sizes: list[int]  # of the block, for the dimensions that aren't within a row

    @classmethod
    def for_block(cls, shape: Sequence[int], size: Sequence[int]) -> "BlockRows":
        """Divides a tensor of `shape` into rows: a row is the trailing dimensions that a block of `size` takes whole.

        Raises:
            Decline: the block has no elements, or doesn't fit.
        """
        if len(shape) != len(size) or any(not 0 < n <= whole for n, whole in zip(size, shape, strict=True)):
            raise Decline(f"expected a block of at most {list(shape)}, found {list(size)}")
        depth = max((axis + 1 for axis, whole in enumerate(shape) if size[axis] != whole), default=0)
        row_strides = strides(shape[:depth]) + [0] * (len(shape) - depth)
        return cls(math.prod(shape[:depth]), math.prod(shape[depth:]), row_strides, affordable(size[:depth]))

    def numbers(self, begin: Expr, axes: Sequence[int | None]) -> Expr:
        """Returns the row numbers [W, R] of the blocks that begin at W index vectors.

        Entry i of a vector is the begin along `axes[i]`, and is ignored if that is None; blocks begin at 0 along other
        axes.
        """
        offsets = np.zeros(1, np.int64)
        for size, stride in zip(self.sizes, self.strides, strict=False):
            offsets = np.add.outer(offsets, np.arange(size) * stride).reshape(-1)
        # `offsets` are the numbers of a block's rows relative to its first one.
        first = weighted_index(begin, [0 if axis is None else self.strides[axis] for axis in axes])
        first = first.reshape((first.size, 1))
        return first + const(offsets.reshape(1, -1), DType.I32) if offsets.size > 1 else first


def clamped_begin(begin: Expr, room: Sequence[int]) -> Expr:
    """Returns begin indices [..., axes] clamped to [0, room], where `room` is the largest at which a block fits."""
    most = const(np.array(room), DType.I32)
    return minimum(maximum(begin.cast(DType.I32), 0), most)


def room_for(shape: Sequence[int], size: Sequence[int]) -> list[int]:
    """Returns the largest begin index along each axis at which a block of `size` fits into a tensor of `shape`."""
    return [whole - n for whole, n in zip(shape, size, strict=True)]


def dynamic_slice(x: Expr, begin: Expr, size: Sequence[int]) -> Expr:
    """Returns the block of a size that begins at `begin` [rank], which must lie inside of x.

    A constant `begin` makes a SLICE, another one a GATHER of rows.
    """
    if begin.constant is not None:
        return x.slice(begin.constant.tolist(), size)
    block = BlockRows.for_block(x.shape, size)
    if block.rows == 1:  # the block is all of x
        return x
    rows = x.reshape((1, block.rows, block.width))
    return gather_rows(rows, block.numbers(begin, range(x.rank))).reshape(size)


def gather_windows(x: Expr, begin: Expr, axes: Sequence[int], size: Sequence[int]) -> Expr:
    """Returns the windows [W, *size] of x that begin at W vectors of indices [W, len(axes)].

    The indices are into these axes, and are clamped so that the windows lie inside; along the other axes windows begin
    at 0.
    """
    count, block = begin.shape[0], BlockRows.for_block(x.shape, size)
    if block.rows == 1:  # a window takes all of x
        return x.reshape((1, *size)).tile((count, *(1,) * x.rank))
    room = room_for(x.shape, size)
    numbers = block.numbers(clamped_begin(begin, [room[axis] for axis in axes]), axes)
    rows = gather_rows(x.reshape((1, block.rows, block.width)), numbers.reshape((1, numbers.size)))
    return rows.reshape((count, *size))


# ** choice by index **


def one_hot(indices: Expr, depth: int, axis: int, on: Expr, off: Expr) -> Expr:
    """Lowers ONE_HOT: returns `on` where the position along a new axis of size `depth` equals the index, else `off`."""
    shape = indices.shape
    positions = const(np.arange(*affordable([depth])).reshape(-1, *(1,) * (len(shape) - axis)), DType.I32)
    column = indices.reshape((*shape[:axis], 1, *shape[axis:]))
    on, off = on.reshape(()), off.reshape(())
    return where(column == positions, on, off)


def diagonal_matrix(diagonal: Expr) -> Expr:
    """Lowers MATRIX_DIAG: returns square matrices [..., n, n] of zeros with elements [..., n] on the diagonal."""
    column = diagonal.reshape((*diagonal.shape, 1))
    return where(_diagonal_mask(diagonal.shape[-1], diagonal.shape[-1]), column, 0)


def with_diagonal(x: Expr, diagonal: Expr) -> Expr:
    """Lowers MATRIX_SET_DIAG: returns matrices [..., rows, columns] with [..., min(rows, columns)] on the diagonal."""
    *outer, rows, columns = x.shape
    shape = (rows, 1) if rows <= columns else (1, columns)
    return where(_diagonal_mask(rows, columns), diagonal.reshape((*outer, *shape)), x)


def _diagonal_mask(rows: int, columns: int) -> Expr:
    """Returns a constant matrix of booleans that are true on the diagonal."""
    affordable((rows, columns))
    return const(np.eye(rows, columns, dtype=bool), DType.BOOL)
