"""Movement by run-time amounts to constant shapes.

The amounts are clamped to those that give the shape, so that no index is out of range.
"""

import math
from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.limits import affordable
from tosa_converter.legalize.ops.index import from_front, gather_along, gather_rows, strides
from tosa_converter.legalize.ops.layout import pad_with
from tosa_converter.rewriting.expr import Expr, const, maximum, minimum, scalar, where
from tosa_converter.rewriting.reasons import Decline


def clamped_amount(amounts: Expr, index: int, low: int, high: int) -> Expr:
    """Returns element `index` of run-time start indices or paddings, clamped to [low, high]: an i32 tensor [1].

    The bounds are those for which the result has its constant shape and no index is out of range.
    """
    flat = amounts.reshape((amounts.size,)).cast(DType.I32)
    return minimum(maximum(flat.slice((index,), (1,)), low), high)


def slice_from(x: Expr, axis: int, start: Expr, size: int, stride: int = 1) -> Expr:
    """Returns `size` elements along an axis, `stride` apart, from a run-time index `start` [1] on.

    All must be inside of x.
    """
    return gather_along(x, _const_indices(size, stride) + start, axis)


def pad_to(x: Expr, sizes: Sequence[int], amounts: Expr, value: Expr | float, first: int = 0) -> Expr:
    """Returns x padded by run-time amounts to constant sizes, for its dimensions from `first` on.

    Along a dimension that grows, one padding element is appended and the result is gathered: its index is that of an
    element of x, or of the appended one.

    Args:
        x: of any type.
        sizes: of the result.
        amounts: (before, after) for each of `sizes`; `after` isn't read, because it follows from the sizes.
        value: of one element.
        first: the first dimension that may grow.

    Raises:
        Decline: a dimension would have to shrink.
    """
    _require_growth(x.shape[first:], sizes, amounts)
    for axis, padded_size in enumerate(sizes, first):
        size = x.shape[axis]
        if size == padded_size:
            continue
        before = clamped_amount(amounts, 2 * (axis - first), 0, padded_size - size)
        position = _const_indices(padded_size) - before
        behind = scalar(size, position)
        index = where(position < 0, behind, minimum(position, behind))
        pairs = [(0, int(i == axis)) for i in range(x.rank)]
        x = gather_along(pad_with(x, pairs, value), index, axis)
    return x


def mirror_pad_to(x: Expr, shape: Sequence[int], amounts: Expr, offset: int) -> Expr:
    """Returns x padded with its mirror image, by run-time amounts to a constant shape.

    With offset 1 the mirror image leaves out the outermost element, with 0 it repeats it. Position -1 in front of [a,
    b, c] reads b with offset 1 and a with offset 0; position 3 behind it reads b or c.

    Raises:
        Decline: a dimension would have to shrink, or there are too few elements to mirror.
    """
    _require_growth(x.shape, shape, amounts)
    for axis, size in enumerate(x.shape):
        growth, most = shape[axis] - size, size - offset
        if growth > 2 * most:
            raise Decline(f"expected mirrored padding of at most the {size} elements along axis {axis}, found {growth}")
        if not growth:
            continue
        # At most `most` elements can be mirrored on each side.
        before = clamped_amount(amounts, 2 * axis, max(growth - most, 0), min(growth, most))
        position = _const_indices(shape[axis]) - before
        position = maximum(position, offset - 1 - position)
        position = minimum(position, 2 * size - 1 - offset - position)
        x = gather_along(x, position, axis)
    return x


def transpose_to(x: Expr, shape: Sequence[int], perms: Expr) -> Expr:
    """Returns x transposed by a run-time permutation to a constant shape.

    If the dimensions have different sizes, the shape tells the permutation; else the elements are gathered: the element
    at [i, j] of the result is number i * strides[perms[0]] + j * strides[perms[1]] of x.

    Raises:
        Decline: no permutation of x's dimensions gives the shape.
    """
    sizes, rank = x.shape, x.rank
    if sorted(sizes) != sorted(shape):
        raise Decline(f"expected a permutation of {x.type} to the shape {list(shape)}")
    moving = [size for size in sizes if size != 1]
    if len({*moving}) == len(moving):
        ones = iter([axis for axis, size in enumerate(sizes) if size == 1])
        return x.transpose([next(ones) if size == 1 else sizes.index(size) for size in shape])
    count = math.prod(affordable(sizes))
    axis_strides = const(np.array(strides(sizes)).reshape(1, rank, 1), DType.I32)
    axes = from_front(perms.reshape((1, rank)).cast(DType.I32), rank)
    axes = minimum(maximum(axes, 0), rank - 1)  # so that a permutation that isn't one reads inside of x too
    result_strides = gather_rows(axis_strides, axes).reshape((rank,))
    number = const(np.zeros((1,) * rank), DType.I32)
    for axis, size in enumerate(shape):
        stride = result_strides.slice((axis,), (1,)).reshape((1,) * rank)
        positions = const(np.arange(size).reshape([size if i == axis else 1 for i in range(rank)]), DType.I32)
        number = number + positions * stride
    number = minimum(number, count - 1)
    return gather_rows(x.reshape((1, count, 1)), number.reshape((1, count))).reshape(shape)


def _const_indices(size: int, stride: int = 1) -> Expr:
    """Returns the constant indices 0, stride, 2 * stride ..., `size` of them."""
    return const(np.arange(*affordable((size,))) * stride, DType.I32)


def _require_growth(sizes: Sequence[int], padded: Sequence[int], amounts: Expr) -> None:
    """Raises Decline unless `amounts` has two paddings for each dimension and no dimension shrinks."""
    if amounts.size != 2 * len(padded):
        raise Decline(f"expected {2 * len(padded)} amounts of padding, found {amounts.type}")
    if any(size > whole for size, whole in zip(sizes, padded, strict=False)):
        raise Decline(f"expected a padded shape of at least {list(sizes)}, found {list(padded)}")
