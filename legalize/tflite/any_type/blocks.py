"""Blocks of images, and gaps between elements: SPACE_TO_DEPTH, SPACE_TO_BATCH_ND, their inverses, DILATE."""

from collections.abc import Callable, Sequence

from tosa_converter.legalize.checks import MOVED
from tosa_converter.legalize.constant_operands import at_run_time, constant_ints, stated_shape
from tosa_converter.legalize.ops import layout
from tosa_converter.legalize.ops.dynamic_layout import clamped_amount, pad_to, slice_from
from tosa_converter.legalize.tflite.any_type.layout import zero_element
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Build, Rule
from tosa_converter.schemas import tflite


def _lower_by_block_size(rearrange: Callable[[Expr, int], Expr]) -> Build:
    """Returns the lowering of SPACE_TO_DEPTH or DEPTH_TO_SPACE: `rearrange` gets the operand and the block size."""

    def build(match: Match) -> Expr:
        """Lowers SPACE_TO_DEPTH or DEPTH_TO_SPACE by `rearrange`; declines a block size below 1."""
        block = match.attributes(tflite.SpaceToDepthOptions).block_size
        if block < 1:
            raise Decline(f"expected a block size of at least 1, found {block}")
        return rearrange(match[0], block)

    return build


def _image_and_blocks(match: Match, amounts: str) -> tuple[Expr, list[int]]:
    """Returns the image of SPACE_TO_BATCH_ND or its inverse, and the block size of each spatial dimension.

    `amounts` names the operand of paddings or crops.

    Raises:
        Decline: there aren't one or two spatial dimensions, with a block size and two amounts for each.
    """
    x, blocks = match["input"], constant_ints(match, "block_shape")
    if not 3 <= x.rank <= 4 or len(blocks) != x.rank - 2 or match[amounts].size != 2 * len(blocks):
        raise Decline(
            f"expected rank 3 or 4, a block size and two {amounts} for each spatial dimension, "
            f"found {x.type} with block sizes {blocks} and {amounts} {match[amounts].type}"
        )
    if min(blocks) < 1:
        raise Decline(f"expected block sizes of at least 1, found {blocks}")
    return x, blocks


def _constant_pairs(match: Match, amounts: str) -> list[tuple[int, int]]:
    """Returns the operand `amounts`, constant paddings or crops, as (before, after) for each dimension of the image.

    Batch and channels have (0, 0).

    Raises:
        Decline: they aren't constant, or one is below zero.
    """
    flat = constant_ints(match, amounts)
    if min(flat) < 0:
        raise Decline(f"expected {amounts} of at least 0, found {flat}")
    return [(0, 0), *zip(flat[::2], flat[1::2], strict=True), (0, 0)]


def space_to_batch(match: Match) -> Expr:
    """Lowers SPACE_TO_BATCH_ND: pads the image, then moves blocks of pixels to the batch.

    Padding known at run time only fills the image up to the result shape that the file states.
    """
    x, blocks = _image_and_blocks(match, "paddings")
    if at_run_time(match, "paddings"):
        # The result has the counts of blocks: 3 by 5 blocks of 2 by 2 are of an image of 6 by 10, which it is padded
        # to.
        _, *counts, _ = stated_shape(match, "paddings", x.rank)
        sizes = [size * block for size, block in zip(counts, blocks, strict=True)]
        x = pad_to(x, sizes, match["paddings"], zero_element(match), first=1)
    else:
        x = x.pad(_constant_pairs(match, "paddings"), zero_element(match))
    return layout.space_to_batch(x, blocks)


def batch_to_space(match: Match) -> Expr:
    """Lowers BATCH_TO_SPACE_ND: moves the batch to blocks of pixels, then crops the image by SLICE.

    For crops known at run time only, the file must state the result's shape.
    """
    x, blocks = _image_and_blocks(match, "indices")
    image = layout.batch_to_space(x, blocks)
    if at_run_time(match, "indices"):
        return _crop_to(match, image, stated_shape(match, "indices", x.rank))
    crops = _constant_pairs(match, "indices")
    sizes = [size - before - after for size, (before, after) in zip(image.shape, crops, strict=True)]
    if min(sizes) < 1:
        raise Decline(f"expected crops that leave elements of {image.type}, found {crops[1:-1]}")
    return image.slice([before for before, _ in crops], sizes)


def _crop_to(match: Match, image: Expr, shape: Sequence[int]) -> Expr:
    """Crops the image of BATCH_TO_SPACE_ND to the shape that the file states, for crops known at run time only.

    Batch and channels aren't cropped.
    """
    for axis, (size, whole) in enumerate(zip(shape, image.shape, strict=True)):
        if size > whole or (size < whole and axis in (0, len(shape) - 1)):
            raise Decline(f"expected an output shape that crops {image.type}, found {list(shape)}")
        if size < whole:
            # The crops [spatial axes, 2] are (before, after); the one after follows from the size.
            start = clamped_amount(match["indices"], 2 * (axis - 1), 0, whole - size)
            image = slice_from(image, axis, start, size)
    return image


def dilate(match: Match) -> Expr:
    """Lowers DILATE: puts copies of a padding value between neighbouring elements along each dimension."""
    x, factors, value = match["input"], constant_ints(match, "dilations"), match["padding_value"]
    if len(factors) != x.rank or min(factors, default=0) < 1 or value.size != 1:
        raise Decline(
            f"expected {x.rank} dilations of at least 1 and a padding value of one element, "
            f"found {factors} and {value.type}"
        )
    return layout.dilate(x, factors, value)


RULES: tuple[Rule, ...] = (
    Rule("tfl.depth_to_space", "fp32 ui8 i8 i32 i64", _lower_by_block_size(layout.depth_to_space)),
    Rule("tfl.space_to_depth", "fp32 ui8 i8 i32 i64", _lower_by_block_size(layout.space_to_depth)),
    Rule("tfl.space_to_batch_nd", MOVED, space_to_batch),
    Rule("tfl.batch_to_space_nd", MOVED, batch_to_space),
    Rule("tfl.dilate", MOVED, dilate),
)
