"""Data movement by amounts that only a run knows, to the shape that the file states for the result.

What a run brings is clamped to the amounts that give this shape, so that no index is out of range.
"""

import math
from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.indexing import strides, take
from tosa_converter.legalize.operands import affordable, padded
from tosa_converter.legalize.tflite.any_type.gather import gathered
from tosa_converter.rewriting.expr import Expr, const, maximum, minimum, scalar, where
from tosa_converter.rewriting.rewrite import Decline


def amount(amounts: Expr, index: int, least: int, most: int) -> Expr:
    """One of several amounts, [1] of i32, clamped."""
    flat = amounts.reshape((amounts.size,)).cast(DType.I32)
    one = flat.slice((index,), (1,))
    return minimum(maximum(one, least), most)


def padded_to(x: Expr, sizes: Sequence[int], amounts: Expr, value: Expr, first: int = 0) -> Expr:
    """PAD to these sizes of the dimensions from the first on.

    Each dimension that grows takes its elements, and the value from a place behind the last.
    """
    _require_growth(x.shape[first:], sizes, amounts)
    for axis, grown in enumerate(sizes, first):
        size = x.shape[axis]
        if size == grown:
            continue
        before = amount(amounts, 2 * (axis - first), 0, grown - size)
        place = _places(grown) - before
        behind = scalar(size, place)
        below = place < 0
        index = where(below, behind, minimum(place, behind))
        pairs = [(0, int(i == axis)) for i in range(x.rank)]
        x = gathered(padded(x, pairs, value), index, axis)
    return x


def mirrored_to(x: Expr, shape: Sequence[int], amounts: Expr, offset: int) -> Expr:
    """MIRROR_PAD to a shape; with an offset of 1 the outermost elements aren't repeated.

    Place p of the operand, p < 0 in front of it, shows -p for an offset of 1, -1 - p for 0; behind the end likewise:
    of [a, b, c] with offset 1, p = -1 shows 1 = b, and p = 3 shows 2 * 3 - 2 - 3 = 1 = b.
    """
    _require_growth(x.shape, shape, amounts)
    for axis, size in enumerate(x.shape):
        grown, most = shape[axis] - size, size - offset
        if grown > 2 * most:
            raise Decline(f"paddings of {grown} mirror more than the {size} elements along axis {axis}")
        if not grown:
            continue
        before = amount(amounts, 2 * axis, max(grown - most, 0), min(grown, most))
        place = _places(shape[axis]) - before
        place = maximum(place, offset - 1 - place)
        place = minimum(place, 2 * size - 1 - offset - place)
        x = gathered(x, place, axis)
    return x


def part_from(x: Expr, axis: int, start: Expr, size: int, stride: int = 1) -> Expr:
    """As many elements along an axis from `start` [1] on; it lies where all of them are inside."""
    return gathered(x, _places(size, stride) + start, axis)


def transposed_to(x: Expr, shape: Sequence[int], perms: Expr) -> Expr:
    """TRANSPOSE to a shape: dimensions of different sizes tell the permutation, else a GATHER of elements follows it.

    The element at [i, j] of the result is number i * stride[perm[0]] + j * stride[perm[1]] of the operand.
    """
    sizes, rank = x.shape, x.rank
    if sorted(sizes) != sorted(shape):
        raise Decline(f"{x.type} transposed does not have the shape {list(shape)}")
    moving = [size for size in sizes if size != 1]
    if len({*moving}) == len(moving):
        ones = iter([axis for axis, size in enumerate(sizes) if size == 1])
        order = [next(ones) if size == 1 else sizes.index(size) for size in shape]
        return x.transpose(order) if moving != [n for n in shape if n != 1] else x.reshape(shape)
    count = math.prod(affordable(sizes))
    steps = const(np.array(strides(sizes)).reshape(1, rank, 1), DType.I32)
    axes = perms.reshape((1, rank)).cast(DType.I32)
    below = axes < 0
    axes = where(below, axes + rank, axes)
    axes = minimum(maximum(axes, 0), rank - 1)
    named = take(steps, axes).reshape((rank,))
    index = const(np.zeros((1,) * rank), DType.I32)
    for axis, size in enumerate(shape):
        step = named.slice((axis,), (1,)).reshape((1,) * rank)
        places = const(np.arange(size).reshape([size if i == axis else 1 for i in range(rank)]), DType.I32)
        index = index + places * step
    index = minimum(index, count - 1)
    rows = x.reshape((1, count, 1))
    return take(rows, index.reshape((1, count))).reshape(shape)


def _places(size: int, stride: int = 1) -> Expr:
    return const(np.arange(*affordable((size,))) * stride, DType.I32)


def _require_growth(sizes: Sequence[int], padded: Sequence[int], amounts: Expr) -> None:
    if amounts.size != 2 * len(padded):
        raise Decline(f"expected {2 * len(padded)} amounts of padding, found {amounts.type}")
    if any(size > whole for size, whole in zip(sizes, padded, strict=False)):
        raise Decline(f"{list(sizes)} padded does not have the shape {list(padded)}")
