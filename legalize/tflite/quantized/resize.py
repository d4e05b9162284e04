"""RESIZE_BILINEAR on int8 in the kernel's fixed point, on uint8 in its floats (resize_bilinear.h)."""

import math
import operator
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import NamedTuple, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.checks import same_quantization
from tosa_converter.legalize.operands import affordable, image_size
from tosa_converter.legalize.ops.resize import LARGEST_IMAGE, Sampling, interpolated
from tosa_converter.legalize.quant.elements import as_reference, avoided, eight_bit, stored, to_result_type
from tosa_converter.legalize.tflite.float.resize import axes as image_axes
from tosa_converter.rewriting.expr import Expr, const, floor
from tosa_converter.rewriting.operators import concat, conv2d, gather, rescale, resize
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tflite

UNIT = 1 << 10  # positions are multiples of 1/1024 pixel


Sides: TypeAlias = tuple[tuple[Array, Array], tuple[Array, Array]]  # lower and upper pixels, each with their weights


class Window(NamedTuple):
    """One axis of so many equal pixels for each, over which a window moves; the first begins so many before them."""

    factor: int
    weights: Array
    before: int
    size: int  # of the original
    out_size: int

    @property
    def needed(self) -> int:
        """How many equal pixels the windows cover."""
        return self.out_size + len(self.weights) - 1

    @property
    def edges(self) -> tuple[int, int]:
        """How often the first pixel and the last have to be repeated before."""
        return int(self.before > 0), int(self.needed - self.before > self.size * self.factor)


class Axis(NamedTuple):
    """One axis: result i samples at (i * step + start) / unit."""

    size: int
    out_size: int
    step: int
    start: int
    unit: int = UNIT

    @property
    def reduced(self) -> "Axis":
        """The same in lowest terms."""
        common = math.gcd(self.step, self.start, self.unit)
        parts = (part // common for part in (self.step, self.start, self.unit))
        return Axis(self.size, self.out_size, *parts)

    @property
    def sampling(self) -> Sampling:
        """The same for RESIZE."""
        border = (self.out_size - 1) * self.step - (self.size - 1) * self.unit + self.start
        return Sampling(self.unit, self.step, self.start, border)

    @property
    def sides(self) -> Sides:
        """The pixels on both sides of each position, with their weights in 1/unit."""
        place = np.arange(self.out_size) * self.step + self.start
        below, after = place // self.unit, place % self.unit
        last = self.size - 1
        return (np.clip(below, 0, last), self.unit - after), (np.clip(below + 1, 0, last), after)

    @property
    def window(self) -> Window | None:
        """The same on pixels that are repeated, if results divide each in whole parts, 2 to 8 of them."""
        _, _, step, start, unit = self.reduced
        factor = unit // step if step else 0
        weights = np.ones(factor, np.int8)
        if unit != step * factor or not 2 <= factor <= 8 or start not in (0, 1 - factor):
            return None
        if start:  # half of a part before
            return Window(factor, np.convolve(weights, [1, 1]), factor // 2, self.size, self.out_size)
        return Window(factor, weights, 0, self.size, self.out_size)

    @property
    def within(self) -> int:
        """From which result on the kernel takes pixels from behind the image: it bounds the lower one only below."""
        return min(self.out_size, -(-(self.size * self.unit - self.start) // self.step)) if self.step else self.out_size


def resize_bilinear(match: Match) -> Expr:
    """RESIZE_BILINEAR on int8 -> RESIZE, or four GATHERs where RESIZE's limits are exceeded; then RESCALE by 2**-20."""
    return _rounded(match, match[0], known_axes(match))


def _rounded(match: Match, image: Expr, axes: list[Axis]) -> Expr:
    """A multiplier one over 2**30 turns the ties below zero away from it.

    It can't move anything else: sums are at most 2**27. In compact numerics it is a shift, as hardware has it.
    """
    total = enlarged(match, image, axes)
    if total is not None:
        bits = (axes[0].reduced.unit * axes[1].reduced.unit).bit_length() - 1
        return rescale(total, DType.I8, [(1 << 30) + 1], [30 + bits])
    sides = (axis.sides for axis in axes)
    total = resized(image, axes) if fits(axes) else weighted(corners(image, *sides))
    compact = match.options.numerics == "compact"
    if compact:
        match.note("what is halfway between two steps below zero is rounded up")
    return rescale(total, DType.I8, [(1 << 30) + (not compact)], [50])


def unsigned_bilinear(match: Match) -> Expr:
    """RESIZE_BILINEAR on uint8: four GATHERs of floats by the kernel's weights in its order, rounded half up.

    In compact numerics as on int8.
    """
    if match.options.numerics == "compact":
        match.note("may differ by a step: the kernel's positions and sums are of floats")
        axes = _axes(match, match[0].shape)
        return to_result_type(match, _rounded(match, stored(match, 0), axes))
    target = match.options.target
    if target is not None and "PRO-FP" not in target.profiles:
        raise Decline("the kernel's sums are of floats, which take PRO-FP; those of compact numerics don't")
    whole = match[0].cast(DType.I32)
    bits = whole & 255
    total = interpolated(bits.cast(DType.FP32), image_axes(match))
    found = floor(total + 0.5)
    return found.cast(DType.I32).cast(DType.I8)


def known_axes(match: Match) -> list[Axis]:
    """Both axes, telling where the kernel reads what isn't there."""
    axes = _axes(match, match["input"].shape)
    if any(axis.within < axis.out_size for axis in axes):
        match.note("where LiteRT reads behind the image (undefined in C), this takes its last row or column")
    return axes


def fits(axes: list[Axis]) -> bool:
    """Whether RESIZE takes them."""
    return all(axis.sampling.legal and max(axis.size, axis.out_size) < LARGEST_IMAGE for axis in axes)


def read_beyond(match: Match, x: Array) -> Array:
    """Where the kernel reads behind the image, [H,W,1]."""
    if match.source(0).type.dtype is DType.UI8:  # positions of floats
        return np.zeros((1, 1, 1), bool)
    rows, columns = (np.arange(axis.out_size) >= axis.within for axis in _axes(match, x.shape))
    return (rows[:, None] | columns)[..., None]


def _axes(match: Match, shape: Sequence[int]) -> list[Axis]:
    options, made = match.attributes(tflite.ResizeBilinearOptions), image_size(match, 1)
    if max(made) >= LARGEST_IMAGE:  # which is gathered
        affordable(made)
    return [
        _axis(size, out_size, align=options.align_corners, centers=options.half_pixel_centers)
        for size, out_size in zip(shape[1:3], made, strict=True)
    ]


def _axis(size: int, out_size: int, *, align: bool, centers: bool) -> Axis:
    span, steps = (size - 1, out_size - 1) if align and out_size > 1 else (size, out_size)
    step = (span * UNIT + steps // 2) // steps
    return Axis(size, out_size, step, step // 2 - UNIT // 2 if centers else 0)


def resized(image: Expr, axes: list[Axis]) -> Expr:
    """RESIZE."""
    y, x = (axis.sampling for axis in axes)
    return resize(
        image, mode="BILINEAR", scale=(y.n, y.d, x.n, x.d), offset=(y.offset, x.offset), border=(y.border, x.border)
    )


def enlarged(match: Match, image: Expr, axes: Sequence[Axis]) -> Expr | None:
    """The sums in lowest terms, i32 or i48, by DEPTHWISE_CONV2D, where RESIZE is avoided and these are multiples."""
    windows = [window for axis in axes if (window := axis.window)]
    if not avoided(match, "RESIZE") or len(windows) < 2 or windows[0].factor != windows[1].factor:
        return None
    channels = image.shape[3]
    repeated = _repeated(image, windows)
    weight = np.multiply.outer(*(window.weights for window in windows))[..., None, None]
    kernel = const(np.tile(weight, (1, 1, channels, 1)), DType.I8)
    bias = const([0], DType.I32 if image.dtype is DType.I8 else DType.I48)
    return conv2d(repeated, kernel, bias, pad=(0, 0, 0, 0), depthwise=True)


def _repeated(image: Expr, windows: Sequence[Window]) -> Expr:
    """What windows cover: pixels repeated by a RESIZE to the nearest."""
    for axis, window in enumerate(windows, 1):
        first, last = (image.part(axis, at, 1) for at in (0, image.shape[axis] - 1))
        image = concat([*[first] * window.edges[0], image, *[last] * window.edges[1]], axis)
    factor, (n, _, _, channels) = windows[0].factor, image.shape
    scale, offset, border = (2 * factor, 2) * 2, (1 - factor,) * 2, (factor - 1,) * 2
    image = resize(image, mode="NEAREST_NEIGHBOR", scale=scale, offset=offset, border=border)
    begin = [window.edges[0] * factor - window.before for window in windows]
    return image.slice((0, *begin, 0), (n, *(window.needed for window in windows), channels))


def corners(image: Expr, rows: Sides, columns: Sides) -> Iterator[tuple[Expr, Array]]:
    """The four pixels around each position, in i32, with their weights [1,H,W,1]: four GATHERs."""
    n, height, width, channels = image.shape
    size = len(rows[0][0]), len(columns[0][0])
    affordable((n, *size))
    pixels = image.reshape((n, height * width, channels))
    for row, row_weights in rows:
        for column, column_weights in columns:
            index = np.tile((row[:, None] * width + column).reshape(1, -1), (n, 1))
            taken = gather(pixels, const(index, DType.I32)).reshape((n, *size, channels))
            yield (taken.cast(DType.I32), (row_weights[:, None] * column_weights).reshape(1, *size, 1))


def weighted(parts: Iterable[tuple[Expr, Array]]) -> Expr:
    """The sum of pixels by weights, in i32."""
    return reduce(operator.add, (pixel * const(weight, DType.I32) for pixel, weight in parts))


CHECKS = (eight_bit(0, plain=True), same_quantization, as_reference)
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.resize_bilinear", "i8", resize_bilinear, CHECKS),
    Rewrite("tfl.resize_bilinear", "ui8", unsigned_bilinear, CHECKS),
)
