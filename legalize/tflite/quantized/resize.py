"""RESIZE_BILINEAR: on int8 and int16 in the kernel's fixed point, on uint8 in its floats (resize_bilinear.h)."""

import operator
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.checks import same_quantization
from tosa_converter.legalize.constant_operands import image_size
from tosa_converter.legalize.limits import affordable
from tosa_converter.legalize.ops.resize import LARGEST_IMAGE, Sampling, bilinear_by_gather
from tosa_converter.legalize.quant.elements import (
    as_reference,
    eight_bit,
    sixteen_bit,
    stored_elements,
    target_avoids,
    to_result_type,
)
from tosa_converter.legalize.quant.resize_positions import RepeatedPixelWindow, ResizeAxis, Sides, resize_axis
from tosa_converter.legalize.tflite.float.resize import axes as image_axes
from tosa_converter.rewriting.expr import Expr, const, floor, minimum, where
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import concat, conv2d, gather, rescale, resize
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas import tflite

NARROW_BITS = 14  # of weights of int16 images, with which sums stay below 2**30
LOW_BITS = 10  # of wider weights that are summed apart

# ** int8 and uint8 **


def resize_bilinear(match: Match) -> Expr:
    """Lowers RESIZE_BILINEAR of int8 to RESIZE, or GATHERs beyond RESIZE's limits, then RESCALE by 2**-20."""
    return _resize_and_round(match, match[0], axes_with_note(match))


def _resize_and_round(match: Match, image: Expr, axes: list[ResizeAxis]) -> Expr:
    """Returns the resized image, rounded half away from zero; in compact numerics half up, as hardware rounds.

    It is computed by a RESCALE of RESIZE's weighted sums. The sums come from a convolution for targets that avoid
    RESIZE, if the factors allow it, and from GATHERs for sizes beyond RESIZE's limits.
    """
    # The sums count steps of 2**-20, and are at most 2**27. A RESCALE by (2**30 + 1) / 2**50 adds less than 2**-23 of a
    # result, so it moves ties below zero away from zero, and nothing else: -3 * 2**19 becomes -1.5 - 3 * 2**-31, or -2.
    total = enlarge_by_convolution(match, image, axes)
    if total is not None:
        bits = (axes[0].lowest_terms.unit * axes[1].lowest_terms.unit).bit_length() - 1
        return rescale(total, DType.I8, [(1 << 30) + 1], [30 + bits])
    sides = (axis.sides for axis in axes)
    total = emit_resize(image, axes) if resize_takes(axes) else weighted_sum(corners(image, *sides))
    compact = match.options.numerics == "compact"
    if compact:
        match.note("ties below 0 are rounded up, LiteRT rounds them away from 0: this operator may differ by 1 step")
    return rescale(total, DType.I8, [(1 << 30) + (not compact)], [50])


def unsigned_bilinear(match: Match) -> Expr:
    """Lowers RESIZE_BILINEAR of uint8: four GATHERs of floats by the kernel's weights in its order, rounded half up.

    In compact numerics it is computed as on int8. Else a target without floats is declined.
    """
    if match.options.numerics == "compact":
        match.note("this operator may differ by 1 step: the kernel computes positions and sums in floats")
        axes = _image_axes(match, match[0].shape)
        return to_result_type(match, _resize_and_round(match, stored_elements(match, 0), axes))
    target = match.options.target
    if target is not None and "PRO-FP" not in target.profiles:
        raise Decline(
            "expected a target with PRO-FP, in which the kernel's float sums can be computed, or compact numerics"
        )
    # Pixels of 0 to 255 times weights of at most 1 are below 2**8, so + 0.5 and floor round half up as the kernel does.
    pixels = match[0].cast(DType.I32) & 255
    total = bilinear_by_gather(pixels.cast(DType.FP32), image_axes(match))
    return floor(total + 0.5).cast(DType.I32).cast(DType.I8)


# ** int16 **


def resize_bilinear_i16(match: Match) -> Expr:
    """Lowers RESIZE_BILINEAR of int16 to RESIZE and RESCALE, or GATHERs beyond RESIZE's limits.

    The kernel rounds half away from 0, but RESCALE of i48 rounds half up. So if the sums don't fit i32, the image is
    resized twice: results below 0 are those of the inverted image, inverted again, which rounds half down.
    """
    axes = [axis.lowest_terms for axis in axes_with_note(match)]
    bits = (axes[0].unit * axes[1].unit).bit_length() - 1  # fraction bits of the weighted sums
    if not resize_takes(axes):
        return _resize_by_gathers_i16(match, axes, bits)
    if bits <= NARROW_BITS:
        total = enlarge_by_convolution(match, match[0], axes)
        total = rescale(emit_resize(match[0], axes) if total is None else total, DType.I32, [1 << 14], [14])
        return _divide_half_away(total, bits)
    up = rescale(emit_resize(match[0], axes), DType.I16, [1 << 14], [14 + bits])
    inverted = rescale(emit_resize(_invert(match[0]), axes), DType.I16, [1 << 14], [14 + bits])
    return where(up.cast(DType.I32) > 0, up, _invert(inverted))


def _invert(x: Expr) -> Expr:
    """Returns -1 - x. The mean of inverted pixels, rounded up and inverted again, is the mean rounded down."""
    return ~x


def _divide_half_away(total: Expr, bits: int) -> Expr:
    """Returns total / 2**bits in int16, ties away from zero, for sums below 2**30."""
    # 2**30 + 1 moves ties below zero away from zero, see `divide_by_power`; without bits of fraction there are none.
    return rescale(total, DType.I16, [(1 << 30) + (bits > 0)], [30 + bits])


def _resize_by_gathers_i16(match: Match, axes: list[ResizeAxis], bits: int) -> Expr:
    """Returns the resized image by GATHERs; sums that don't fit i32 are computed in two halves of the weights.

    Of the last 10 bits of the sum, it only matters whether they are all 0: that tells a tie from a larger sum.
    """
    parts = list(corners(match[0], *(axis.sides for axis in axes)))
    if bits <= NARROW_BITS:
        return _divide_half_away(weighted_sum(parts), bits)
    # The four weights sum to at most 2**20, so sums of pixels may reach 2**35. The upper 10 bits of the weights sum to
    # at most 2**10, which makes a high sum of at most 2**25; the low one is below 4 * 2**10 * 2**15 = 2**27. Twice the
    # high sum and a bit for the rest has the same ties: a rest of 0 makes an even number, any other an odd one.
    high = weighted_sum(((pixel, weight >> LOW_BITS) for pixel, weight in parts))
    low = weighted_sum(((pixel, weight & (1 << LOW_BITS) - 1) for pixel, weight in parts))
    high = high + (low >> LOW_BITS)
    remainder = minimum(low & (1 << LOW_BITS) - 1, 1)
    return _divide_half_away(high + high + remainder, bits - LOW_BITS + 1)


# ** positions and sums, of 8 and 16 bits **


def axes_with_note(match: Match) -> list[ResizeAxis]:
    """Returns how rows and columns are resized; notes if LiteRT's kernel reads past the image."""
    axes = _image_axes(match, match["input"].shape)
    if any(axis.first_outside < axis.out_size for axis in axes):
        match.note("LiteRT reads past the image, which is undefined in C; the conversion takes the last row or column")
    return axes


def resize_takes(axes: list[ResizeAxis]) -> bool:
    """Returns whether TOSA's RESIZE can have the scales and sizes of both axes."""
    return all(_sampling(axis).legal and max(axis.size, axis.out_size) < LARGEST_IMAGE for axis in axes)


def _sampling(axis: ResizeAxis) -> Sampling:
    """Returns RESIZE's parameters along an axis; the border is how far the last output is behind the last pixel."""
    border = (axis.out_size - 1) * axis.step - (axis.size - 1) * axis.unit + axis.start
    return Sampling(axis.unit, axis.step, axis.start, border)


def read_beyond(match: Match, x: Array) -> Array:
    """Returns a mask [H,W,1] of the output pixels for which LiteRT's kernel reads memory past the image.

    The kernel for uint8 reads none: it computes positions in floats and clamps them.
    """
    if match.source(0).type.dtype is DType.UI8:  # positions of floats
        return np.zeros((1, 1, 1), bool)
    rows, columns = (np.arange(axis.out_size) >= axis.first_outside for axis in _image_axes(match, x.shape))
    return (rows[:, None] | columns)[..., None]


def _image_axes(match: Match, shape: Sequence[int]) -> list[ResizeAxis]:
    """Returns how rows and columns of an image of `shape` are resized, by RESIZE_BILINEAR's options.

    Output sizes that are beyond RESIZE and too large for GATHER are declined.
    """
    options, out_sizes = match.attributes(tflite.ResizeBilinearOptions), image_size(match, 1)
    if max(out_sizes) >= LARGEST_IMAGE:  # it will be gathered
        affordable(out_sizes)
    corners, centers = options.align_corners, options.half_pixel_centers
    return [
        resize_axis(size, out_size, align_corners=corners, half_pixel_centers=centers)
        for size, out_size in zip(shape[1:3], out_sizes, strict=True)
    ]


def emit_resize(image: Expr, axes: list[ResizeAxis]) -> Expr:
    """Emits a bilinear RESIZE: sums of pixels times integer weights, not divided by their total; `axes` are (y, x)."""
    y, x = map(_sampling, axes)
    return resize(
        image, mode="BILINEAR", scale=(y.n, y.d, x.n, x.d), offset=(y.offset, x.offset), border=(y.border, x.border)
    )


def enlarge_by_convolution(match: Match, image: Expr, axes: Sequence[ResizeAxis]) -> Expr | None:
    """Returns RESIZE's weighted sums by repeated pixels and a DEPTHWISE_CONV2D, for targets that avoid RESIZE.

    Returns None for other targets, and unless both sizes grow by the same whole factor. The sums are in i32 for int8,
    else in i48, and their weights in lowest terms.
    """
    windows = [window for axis in axes if (window := axis.pixel_window)]
    if not target_avoids(match, "RESIZE") or len(windows) < 2 or windows[0].factor != windows[1].factor:
        return None
    channels = image.shape[3]
    repeated = _repeat_pixels(image, windows)
    weight = np.multiply.outer(*(window.weights for window in windows))[..., None, None]
    kernel = const(np.tile(weight, (1, 1, channels, 1)), DType.I8)
    bias = const([0], DType.I32 if image.dtype is DType.I8 else DType.I48)
    return conv2d(repeated, kernel, bias, pad=(0, 0, 0, 0), depthwise=True)


def _repeat_pixels(image: Expr, windows: Sequence[RepeatedPixelWindow]) -> Expr:
    """Repeats each pixel `factor` times along both axes by a nearest RESIZE, for a convolution that resizes bilinearly.

    If windows reach beyond the image, its edge pixels are copied first. The result is cut to the pixels that the
    windows cover.
    """
    for axis, window in enumerate(windows, 1):
        first, last = (image.part(axis, at, 1) for at in (0, image.shape[axis] - 1))
        image = concat([*[first] * window.edges[0], image, *[last] * window.edges[1]], axis)
    factor, (n, _, _, channels) = windows[0].factor, image.shape
    # Position i is at (2 * i + 1 - factor) / (2 * factor) pixels; positions 0 to factor - 1 are nearest to pixel 0.
    scale, offset, border = (2 * factor, 2) * 2, (1 - factor,) * 2, (factor - 1,) * 2
    image = resize(image, mode="NEAREST_NEIGHBOR", scale=scale, offset=offset, border=border)
    begin = [window.edges[0] * factor - window.before for window in windows]
    return image.slice((0, *begin, 0), (n, *(window.covered_pixels for window in windows), channels))


def corners(image: Expr, rows: Sides, columns: Sides) -> Iterator[tuple[Expr, Array]]:
    """Yields the four input pixels that bilinear RESIZE weights, as i32 [N,H,W,C], each with its weights [1,H,W,1].

    `rows` and `columns` each have two pairs, of the neighbour before and behind: the input index for each output
    position, and its integer weight. Sizes that are too large to gather are declined.
    """
    n, height, width, channels = image.shape
    size = len(rows[0][0]), len(columns[0][0])
    affordable((n, *size))
    pixels = image.reshape((n, height * width, channels))
    for row, row_weights in rows:
        for column, column_weights in columns:
            index = np.tile((row[:, None] * width + column).reshape(1, -1), (n, 1))
            corner = gather(pixels, const(index, DType.I32)).reshape((n, *size, channels))
            yield (corner.cast(DType.I32), (row_weights[:, None] * column_weights).reshape(1, *size, 1))


def weighted_sum(parts: Iterable[tuple[Expr, Array]]) -> Expr:
    """Returns the sum of pixels times their weights, in i32."""
    return reduce(operator.add, (pixel * const(weight, DType.I32) for pixel, weight in parts))


BYTE = (eight_bit(0, plain=True), same_quantization, as_reference)
WORD = (sixteen_bit(0, plain=True, symmetric=False), same_quantization, as_reference)
RULES: tuple[Rule, ...] = (
    Rule("tfl.resize_bilinear", "i8", resize_bilinear, BYTE),
    Rule("tfl.resize_bilinear", "ui8", unsigned_bilinear, BYTE),
    Rule("tfl.resize_bilinear", "i16", resize_bilinear_i16, WORD),
)
