"""Movement of elements to constant positions: ranges, splits, padding, gaps between elements, blocks of images."""

import math
from collections.abc import Sequence
from itertools import accumulate

from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.operators import concat
from tosa_converter.rewriting.reasons import Decline

# ** parts **


def take_range(x: Expr, axis: int, indices: range) -> Expr:
    """Returns the elements at a range of indices along an axis, by SLICE and REVERSE.

    For steps beyond 1, the axis is reshaped to rows as long as the step, and one column is taken: elements [0, 1, 2, 3,
    4, 5, 6] at range(1, 7, 3) are column 1 of [[0, 1, 2], [3, 4, 5]]. If the last row would reach beyond the end, the
    rows begin earlier, or the last one is padded.
    """
    size, count, stride = x.shape[axis], len(indices), abs(indices.step)
    if not count:
        return x.part(axis, 0, 0)
    first = min(indices[0], indices[-1])
    fits = count * stride <= size  # rows of a whole stride lie inside of x
    begin = min(first, size - count * stride) if fits else first
    x = x.part(axis, begin, count * stride if fits else (count - 1) * stride + 1)
    backwards = indices.step < 0 and count > 1
    if backwards:
        x = x.reverse(axis)
    if stride == 1:
        return x
    column = first - begin  # counted from the other end if the rows of a whole stride were reversed
    return _take_column(x, axis, stride - 1 - column if backwards and fits else column, (count, stride))


def _take_column(x: Expr, axis: int, column: int, block: tuple[int, int]) -> Expr:
    """Reshapes an axis to `block`, (rows, columns), padded with zeros if need be, and returns one column of it."""
    shape = x.shape
    missing = math.prod(block) - shape[axis]
    outer, inner = math.prod(shape[:axis]), math.prod(shape[axis + 1 :])
    rows = x.pad([(0, missing * (i == axis)) for i in range(x.rank)]).reshape((outer, *block, inner))
    taken = rows.slice((0, 0, column, 0), (outer, block[0], 1, inner))
    return taken.reshape((*shape[:axis], block[0], *shape[axis + 1 :]))


def split(x: Expr, axis: int, sizes: Sequence[int]) -> list[Expr]:
    """Returns consecutive parts of these sizes along an axis.

    Raises:
        Decline: a size is below zero, or the parts reach beyond the end.
    """
    if min(sizes, default=-1) < 0 or sum(sizes) > x.shape[axis]:
        raise Decline(f"expected piece sizes that add up to axis {axis} of {x.type}, found {list(sizes)}")
    return [x.part(axis, begin, size) for begin, size in zip(accumulate([0, *sizes]), sizes, strict=False)]


def join(parts: Sequence[Expr], axis: int) -> Expr:
    """Returns parts concatenated along an axis by CONCAT.

    Raises:
        Decline: the parts differ in another dimension.
    """
    shape = parts[0].shape
    for part in parts:
        if part.rank != len(shape) or part.shape != (*shape[:axis], part.shape[axis], *shape[axis + 1 :]):
            raise Decline(f"expected parts that differ along axis {axis} only, found {parts[0].type} and {part.type}")
    return concat(parts, axis)


def broadcast_to(x: Expr, shape: Sequence[int]) -> Expr:
    """Returns x repeated along dimensions of size 1 and along further dimensions in front: TILE.

    Raises:
        Decline: x doesn't broadcast to the shape.
    """
    pairs = zip(x.shape[::-1], shape[::-1], strict=False)
    if min(shape, default=0) < 0 or len(shape) < x.rank or any(size not in (1, whole) for size, whole in pairs):
        raise Decline(f"expected an operand that broadcasts to {list(shape)}, found {x.type}")
    return x.broadcast(shape)


# ** padding **


def pad_with(x: Expr, pairs: Sequence[tuple[int, int]], value: Expr | float) -> Expr:
    """Pads each dimension with a value of one element: PAD, or CONCAT for a run-time value.

    PAD takes only a constant (its Compile Time Constant Status).
    """
    if not isinstance(value, Expr):
        return x.pad(pairs, value)
    if value.constant is not None:
        return x.pad(pairs, value.constant.reshape(-1)[0])
    value = value.reshape((1,) * x.rank)
    for axis, amounts in enumerate(pairs):
        shape = x.shape
        before, after = (value.tile((*shape[:axis], n, *shape[axis + 1 :])) if n else None for n in amounts)
        x = concat([part for part in (before, x, after) if part is not None], axis)
    return x


def pad_with_gaps(x: Expr, value: Expr | float, low: Sequence[int], high: Sequence[int], gaps: Sequence[int]) -> Expr:
    """Pads x with a value between its elements, and before and after each dimension.

    Args:
        x: of any type.
        value: of one element.
        low: how many before each dimension; numbers below 0 cut elements off.
        high: how many after each dimension; numbers below 0 cut elements off.
        gaps: how many between neighbours along each dimension.

    Raises:
        Decline: no element would be left.
    """
    x = dilate(x, [gap + 1 for gap in gaps], value)
    begin = [max(-n, 0) for n in low]
    sizes = [n - a - max(-b, 0) for n, a, b in zip(x.shape, begin, high, strict=True)]
    if min(sizes, default=1) < 1:
        raise Decline(
            f"expected cropping that leaves elements of {x.type}, found {list(low)} before and {list(high)} after"
        )
    return pad_with(x.slice(begin, sizes), [(max(a, 0), max(b, 0)) for a, b in zip(low, high, strict=True)], value)


def dilate(x: Expr, factors: Sequence[int], value: Expr | float) -> Expr:
    """Spreads elements so that neighbours lie `factors` apart along each dimension, with a value between them.

    Two axes are dilated at a time, which TOSA's six dimensions hold.
    """
    axes = [axis for axis, factor in enumerate(factors) if factor > 1 and x.shape[axis] > 1]
    for i in range(0, len(axes), 2):
        x = _dilate_axes(x, {axis: factors[axis] for axis in axes[i : i + 2]}, value)
    return x


def _dilate_axes(x: Expr, factors: dict[int, int], value: Expr | float) -> Expr:
    """Puts `value` between elements along one or two axes: element i goes to i * factor (`factors` by axis).

    A dimension of size 1 behind each axis is padded to the factor and merged with the axis; values behind the last
    element are cut off.
    """
    shape, view, padding, start = x.shape, [], [], 0
    for axis, factor in factors.items():
        view += [math.prod(shape[start : axis + 1]), 1]
        padding += [(0, 0), (0, factor - 1)]
        start = axis + 1
    columns = x.reshape((*view, math.prod(shape[start:])))
    dilated = pad_with(columns, [*padding, (0, 0)], value)
    whole = [size * factors.get(axis, 1) for axis, size in enumerate(shape)]
    sizes = [(size - 1) * factors.get(axis, 1) + 1 for axis, size in enumerate(shape)]
    return dilated.reshape(whole).slice([0] * len(shape), sizes)


def mirror_pad(x: Expr, pairs: Sequence[tuple[int, int]], offset: int) -> Expr:
    """Returns x with its ends mirrored before and after each dimension.

    Args:
        x: of any type.
        pairs: how many elements before and after each dimension.
        offset: 1 leaves the outermost elements out of the mirror image, 0 repeats them.

    Raises:
        Decline: more elements are asked for than there are to mirror.
    """
    for axis, (before, after) in enumerate(pairs):
        size = x.shape[axis]
        if max(before, after) > size - offset:
            raise Decline(
                f"expected mirrored padding of at most the {size} elements along "
                f"axis {axis}, found {before} and {after}"
            )
        front = _reverse_part(x, axis, offset, before)
        x = concat([*front, x, *_reverse_part(x, axis, size - offset - after, after)], axis)
    return x


def _reverse_part(x: Expr, axis: int, begin: int, size: int) -> list[Expr]:
    """Returns a list with the reversed elements begin ... begin + size - 1 of an axis, or an empty list for size 0."""
    if not size:
        return []
    part = x.part(axis, begin, size)
    return [part.reverse(axis) if size > 1 else part]


# ** blocks of images **


def depth_to_space(x: Expr, block: int) -> Expr:
    """Lowers DEPTH_TO_SPACE: moves channels [block, block, C] of NHWC images to blocks of block x block pixels.

    Channels that don't divide so are declined.
    """
    n, h, w, channels = x.shape
    if channels % (block * block):
        raise Decline(f"expected channels that divide into blocks of {block} by {block}, found {channels}")
    rows = x.reshape((n * h, w, block, channels // block))
    return rows.transpose((0, 2, 1, 3)).reshape((n, h * block, w * block, channels // (block * block)))


def space_to_depth(x: Expr, block: int) -> Expr:
    """Lowers SPACE_TO_DEPTH: moves blocks of block x block pixels of NHWC images to channels [block, block, C].

    Heights and widths that don't divide into blocks are declined.
    """
    n, h, w, channels = x.shape
    if h % block or w % block:
        raise Decline(f"expected a height and width that divide into blocks of {block} by {block}, found {x.type}")
    rows = x.reshape((n * (h // block), block, w // block, block * channels))
    return rows.transpose((0, 2, 1, 3)).reshape((n, h // block, w // block, block * block * channels))


def space_to_batch(x: Expr, blocks: Sequence[int]) -> Expr:
    """Lowers SPACE_TO_BATCH_ND without padding: a pixel's position in its block becomes the outer batch dimension.

    x is [N, *image, C]. Dimensions that don't divide into blocks are declined.
    """
    n, *image, channels = x.shape
    if any(size % block for size, block in zip(image, blocks, strict=True)):
        raise Decline(f"expected dimensions that divide into blocks of {list(blocks)}, found {x.type}")
    counts = [size // block for size, block in zip(image, blocks, strict=True)]
    split_image = x.reshape((n, *_interleave(counts, blocks), channels))
    in_block, blocks_of = range(2, 2 * len(blocks) + 1, 2), range(1, 2 * len(blocks), 2)
    moved = split_image.transpose((*in_block, 0, *blocks_of, 2 * len(blocks) + 1))
    return moved.reshape((n * math.prod(blocks), *counts, channels))


def batch_to_space(x: Expr, blocks: Sequence[int]) -> Expr:
    """Lowers BATCH_TO_SPACE_ND without cropping: the outer part of the batch becomes a pixel's position in its block.

    x is [N, *image, C]. A batch that doesn't divide into blocks is declined.
    """
    n, *image, channels = x.shape
    rank = len(blocks)
    if n % math.prod(blocks):
        raise Decline(f"expected batches that divide into blocks of {list(blocks)}, found {n}")
    split_batch = x.reshape((*blocks, n // math.prod(blocks), *image, channels))
    perms = (rank, *_interleave(range(rank + 1, 2 * rank + 1), range(rank)), 2 * rank + 1)
    sizes = [size * block for size, block in zip(image, blocks, strict=True)]
    return split_batch.transpose(perms).reshape((n // math.prod(blocks), *sizes, channels))


def _interleave(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """Returns the elements of two sequences in turn."""
    return [number for pair in zip(first, second, strict=True) for number in pair]
