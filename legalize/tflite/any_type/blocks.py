"""Blocks of images moved to other dimensions, and elements apart: SPACE_TO_DEPTH, SPACE_TO_BATCH_ND, DILATE ..."""

import math
from collections.abc import Sequence

from tosa_converter.legalize.checks import MOVED
from tosa_converter.legalize.operands import at_run_time, constant_ints, pad_element, padded, stated_shape
from tosa_converter.legalize.tflite.any_type.stated import amount, padded_to, part_from
from tosa_converter.rewriting.expr import Expr, scalar
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tflite


def _image(match: Match) -> tuple[Expr, int]:
    x, block = match[0], match.attributes(tflite.SpaceToDepthOptions).block_size  # as DEPTH_TO_SPACE has it
    if block < 1:
        raise Decline(f"a block size of {block}")
    return x, block


def depth_to_space(match: Match) -> Expr:
    """DEPTH_TO_SPACE: [N*H, W, block, block*C] with its middle dimensions exchanged."""
    x, block = _image(match)
    n, h, w, channels = x.shape
    if channels % (block * block):
        raise Decline(f"{channels} channels do not divide into blocks of {block} by {block}")
    split = x.reshape((n * h, w, block, channels // block))
    moved = split.transpose((0, 2, 1, 3))
    return moved.reshape((n, h * block, w * block, channels // (block * block)))


def space_to_depth(match: Match) -> Expr:
    """SPACE_TO_DEPTH, the inverse."""
    x, block = _image(match)
    n, h, w, channels = x.shape
    if h % block or w % block:
        raise Decline(f"{x.type} does not divide into blocks of {block} by {block}")
    split = x.reshape((n * (h // block), block, w // block, block * channels))
    moved = split.transpose((0, 2, 1, 3))
    return moved.reshape((n, h // block, w // block, block * block * channels))


def _blocks(match: Match, amounts: str) -> tuple[Expr, list[int]]:
    """An image of one or two spatial dimensions, and the block along each; two amounts are for each of them."""
    x, blocks = match["input"], constant_ints(match, "block_shape")
    if not 3 <= x.rank <= 4 or len(blocks) != x.rank - 2 or match[amounts].size != 2 * len(blocks):
        raise Decline(f"blocks {blocks} with {amounts} {match[amounts].type} for {x.type}")
    if min(blocks) < 1:
        raise Decline(f"blocks {blocks}")
    return x, blocks


def _pairs(match: Match, amounts: str) -> list[tuple[int, int]]:
    """Two constant amounts along every dimension."""
    flat = constant_ints(match, amounts)
    if min(flat) < 0:
        raise Decline(f"{amounts} {flat}")
    return [(0, 0), *zip(flat[::2], flat[1::2], strict=True), (0, 0)]


def space_to_batch(match: Match) -> Expr:
    """SPACE_TO_BATCH_ND -> PAD, and the place inside of the block becomes the outer part of the batch."""
    x, blocks = _blocks(match, "paddings")
    if at_run_time(match, "paddings"):
        _, *counts, _ = stated_shape(match, "paddings", x.rank)
        sizes = [size * block for size, block in zip(counts, blocks, strict=True)]
        x = padded_to(x, sizes, match["paddings"], scalar(pad_element(match), x), first=1)
    else:
        x = x.pad(_pairs(match, "paddings"), pad_element(match))
    n, *image, channels = x.shape
    if any(size % block for size, block in zip(image, blocks, strict=True)):
        raise Decline(f"{x.type} does not divide into blocks of {blocks}")
    counts = [size // block for size, block in zip(image, blocks, strict=True)]
    split = x.reshape((n, *_interleaved(counts, blocks), channels))
    inside, whole = range(2, 2 * len(blocks) + 1, 2), range(1, 2 * len(blocks), 2)
    moved = split.transpose((*inside, 0, *whole, 2 * len(blocks) + 1))
    return moved.reshape((n * math.prod(blocks), *counts, channels))


def batch_to_space(match: Match) -> Expr:
    """BATCH_TO_SPACE_ND, the inverse, and a SLICE for the crops."""
    x, blocks = _blocks(match, "indices")
    n, *image, channels = x.shape
    rank = len(blocks)
    if n % math.prod(blocks):
        raise Decline(f"{n} batches do not divide into blocks of {blocks}")
    split = x.reshape((*blocks, n // math.prod(blocks), *image, channels))
    perms = (rank, *_interleaved(range(rank + 1, 2 * rank + 1), range(rank)), 2 * rank + 1)
    sizes = [size * block for size, block in zip(image, blocks, strict=True)]
    full = (n // math.prod(blocks), *sizes, channels)
    whole = split.transpose(perms).reshape(full)
    if at_run_time(match, "indices"):
        return _cropped_to(match, whole, stated_shape(match, "indices", x.rank))
    crops = _pairs(match, "indices")
    kept = [size - before - after for size, (before, after) in zip(full, crops, strict=True)]
    if min(kept) < 1:
        raise Decline(f"crops {crops[1:-1]} of {whole.type}")
    return whole.slice([before for before, _ in crops], kept)


def _cropped_to(match: Match, x: Expr, shape: Sequence[int]) -> Expr:
    """The part of an image of a shape that begins where a run says."""
    for axis, (size, whole) in enumerate(zip(shape, x.shape, strict=True)):
        if size > whole or (size < whole and axis in (0, len(shape) - 1)):
            raise Decline(f"{x.type} cropped does not have the shape {list(shape)}")
        if size < whole:
            start = amount(match["indices"], 2 * (axis - 1), 0, whole - size)
            x = part_from(x, axis, start, size)
    return x


def _interleaved(first: Sequence[int], second: Sequence[int]) -> list[int]:
    return [value for pair in zip(first, second, strict=True) for value in pair]


def dilate(match: Match) -> Expr:
    """DILATE: elements come apart along two axes at a time, which six dimensions hold."""
    x, factors, value = match["input"], constant_ints(match, "dilations"), match["padding_value"]
    if len(factors) != x.rank or min(factors, default=0) < 1 or value.size != 1:
        raise Decline(f"dilations {factors} by {value.type} for {x.type}")
    axes = [axis for axis, factor in enumerate(factors) if factor > 1 and x.shape[axis] > 1]
    for i in range(0, len(axes), 2):
        x = _apart(x, {axis: factors[axis] for axis in axes[i : i + 2]}, value)
    return x


def _apart(x: Expr, factors: dict[int, int], value: Expr) -> Expr:
    """[outer, size, inner] as [outer * size, 1, inner], padded behind; what is behind the last element is cut off."""
    shape, view, padding, start = x.shape, [], [], 0
    for axis, factor in factors.items():
        view += [math.prod(shape[start : axis + 1]), 1]
        padding += [(0, 0), (0, factor - 1)]
        start = axis + 1
    split = x.reshape((*view, math.prod(shape[start:])))
    apart = padded(split, [*padding, (0, 0)], value)
    grown = [size * factors.get(axis, 1) for axis, size in enumerate(shape)]
    kept = [(size - 1) * factors.get(axis, 1) + 1 for axis, size in enumerate(shape)]
    return apart.reshape(grown).slice([0] * len(shape), kept)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.depth_to_space", "fp32 ui8 i8 i32 i64", depth_to_space),
    Rewrite("tfl.space_to_depth", "fp32 ui8 i8 i32 i64", space_to_depth),
    Rewrite("tfl.space_to_batch_nd", MOVED, space_to_batch),
    Rewrite("tfl.batch_to_space_nd", MOVED, batch_to_space),
    Rewrite("tfl.dilate", MOVED, dilate),
)
