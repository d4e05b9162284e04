"""Data movement by amounts that only a run knows, to the shape that the file states for the result.

What a run brings is clamped to the amounts that give this shape, so that no index is out of range.
"""

import math
from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.indexing import strides, take
from tosa_converter.legalize.operands import affordable, padded
from tosa_converter.legalize.tflite.any_type.gather import gathered
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import Decline
from tosa_converter.schemas import tosa_ops as ops


def amount(builder: Builder, amounts: Value, index: int, least: int, most: int) -> Value:
    """One of several amounts, [1] of i32, clamped."""
    flat = builder.cast(builder.reshape(amounts, (amounts.type.elements,)), DType.I32)
    one = builder.slice(flat, (index,), (1,))
    return builder.minimum(builder.maximum(one, builder.scalar(least, one)), builder.scalar(most, one))


def padded_to(builder: Builder, x: Value, sizes: Sequence[int], amounts: Value, value: Value, first: int = 0) -> Value:
    """PAD to these sizes of the dimensions from the first on.

    Each dimension that grows takes its elements, and the value from a place behind the last.
    """
    _require_growth(x.type.static[first:], sizes, amounts)
    for axis, grown in enumerate(sizes, first):
        size = x.type.static[axis]
        if size == grown:
            continue
        before = amount(builder, amounts, 2 * (axis - first), 0, grown - size)
        place = builder.sub(_places(builder, grown), before)
        behind = builder.scalar(size, place)
        below = builder.binary(ops.GREATER, builder.scalar(0, place), place)
        index = builder.select(below, behind, builder.minimum(place, behind))
        pairs = [(0, int(i == axis)) for i in range(x.type.rank)]
        x = gathered(builder, padded(builder, x, pairs, value), index, axis)
    return x


def mirrored_to(builder: Builder, x: Value, shape: Sequence[int], amounts: Value, offset: int) -> Value:
    """MIRROR_PAD to a shape; with an offset of 1 the outermost elements aren't repeated.

    Place p of the operand, p < 0 in front of it, shows -p for an offset of 1, -1 - p for 0; behind the end likewise:
    of [a, b, c] with offset 1, p = -1 shows 1 = b, and p = 3 shows 2 * 3 - 2 - 3 = 1 = b.
    """
    _require_growth(x.type.static, shape, amounts)
    for axis, size in enumerate(x.type.static):
        grown, most = shape[axis] - size, size - offset
        if grown > 2 * most:
            raise Decline(f"paddings of {grown} mirror more than the {size} elements along axis {axis}")
        if not grown:
            continue
        before = amount(builder, amounts, 2 * axis, max(grown - most, 0), min(grown, most))
        place = builder.sub(_places(builder, shape[axis]), before)
        place = builder.maximum(place, builder.sub(builder.scalar(offset - 1, place), place))
        place = builder.minimum(place, builder.sub(builder.scalar(2 * size - 1 - offset, place), place))
        x = gathered(builder, x, place, axis)
    return x


def part_from(builder: Builder, x: Value, axis: int, start: Value, size: int, stride: int = 1) -> Value:
    """As many elements along an axis from `start` [1] on; it lies where all of them are inside."""
    return gathered(builder, x, builder.add(_places(builder, size, stride), start), axis)


def transposed_to(builder: Builder, x: Value, shape: Sequence[int], perms: Value) -> Value:
    """TRANSPOSE to a shape: dimensions of different sizes tell the permutation, else a GATHER of elements follows it.

    The element at [i, j] of the result is number i * stride[perm[0]] + j * stride[perm[1]] of the operand.
    """
    sizes, rank = x.type.static, x.type.rank
    if sorted(sizes) != sorted(shape):
        raise Decline(f"{x.type} transposed does not have the shape {list(shape)}")
    moving = [size for size in sizes if size != 1]
    if len({*moving}) == len(moving):
        ones = iter([axis for axis, size in enumerate(sizes) if size == 1])
        order = [next(ones) if size == 1 else sizes.index(size) for size in shape]
        return builder.transpose(x, order) if moving != [n for n in shape if n != 1] else builder.reshape(x, shape)
    count = math.prod(affordable(sizes))
    steps = builder.const(np.array(strides(sizes)).reshape(1, rank, 1), DType.I32)
    axes = builder.cast(builder.reshape(perms, (1, rank)), DType.I32)
    below = builder.binary(ops.GREATER, builder.scalar(0, axes), axes)
    axes = builder.select(below, builder.add(axes, builder.scalar(rank, axes)), axes)
    axes = builder.minimum(builder.maximum(axes, builder.scalar(0, axes)), builder.scalar(rank - 1, axes))
    named = builder.reshape(take(builder, steps, axes), (rank,))
    index = builder.const(np.zeros((1,) * rank), DType.I32)
    for axis, size in enumerate(shape):
        step = builder.reshape(builder.slice(named, (axis,), (1,)), (1,) * rank)
        places = builder.const(np.arange(size).reshape([size if i == axis else 1 for i in range(rank)]), DType.I32)
        index = builder.add(index, builder.mul(places, step))
    index = builder.minimum(index, builder.scalar(count - 1, index))
    rows = builder.reshape(x, (1, count, 1))
    return builder.reshape(take(builder, rows, builder.reshape(index, (1, count))), shape)


def _places(builder: Builder, size: int, stride: int = 1) -> Value:
    return builder.const(np.arange(*affordable((size,))) * stride, DType.I32)


def _require_growth(sizes: Sequence[int], padded: Sequence[int], amounts: Value) -> None:
    if amounts.type.elements != 2 * len(padded):
        raise Decline(f"expected {2 * len(padded)} amounts of padding, found {amounts.type}")
    if any(size > whole for size, whole in zip(sizes, padded, strict=False)):
        raise Decline(f"{list(sizes)} padded does not have the shape {list(padded)}")
