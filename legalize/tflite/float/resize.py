"""RESIZE_BILINEAR on floats and RESIZE_NEAREST_NEIGHBOR on every type.

TOSA samples at exact rationals, the kernels at float32 positions. Where the two are close enough, checked for every
position of the result, RESIZE is used; otherwise the kernel's own positions are gathered.
"""

import math
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.checks import FLOATS, not_quantized
from tosa_converter.legalize.constant_operands import image_size
from tosa_converter.legalize.limits import affordable
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.operators import gather, resize
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tflite
from tosa_converter.schemas.tosa_target import LEVEL_8K

# How far the sampling positions may lie apart, in pixels: a pixel's step of 2 * max|x| then makes 4e-6 of it.
NEAR = 1e-6
LARGEST_IMAGE = 16384  # 2.12.1 RESIZE: ERROR_IF(max(OH,OW,IH,IW) >= 16384)


class Axis(NamedTuple):
    """How one axis is resized."""

    size: int
    outputs: int
    align_corners: bool
    half_pixel: bool


class Sampling(NamedTuple):
    """RESIZE's parameters along one axis: output i samples at (i * d + offset) / n."""

    n: int
    d: int
    offset: int
    border: int

    @property
    def legal(self) -> bool:
        """Whether no ERROR_IF of 2.12.1 holds, and its LEVEL_CHECKs do."""
        return (
            self.n <= 1 << 11
            and self.n <= LEVEL_8K.MAX_SCALE * self.d
            and self.d < 16 * self.n
            and -self.n <= self.offset < 16 * self.n
            and -16 * self.n <= self.border < self.n
        )


def _axes(match: Match, x: Expr) -> tuple[Axis, Axis]:
    size = image_size(match, 1)
    options = match.attributes(tflite.ResizeBilinearOptions)  # NEAREST_NEIGHBOR's has the same
    corners, half = options.align_corners, options.half_pixel_centers
    _, height, width, _ = x.shape
    if max(size) >= LARGEST_IMAGE:  # which is gathered
        affordable(size)
    return Axis(height, size[0], corners, half), Axis(width, size[1], corners, half)


def _sampling(axis: Axis, shift: tuple[int, int]) -> Sampling:
    """Exact sampling of an axis, `shift` = (numerator, denominator) pixels away, in lowest terms."""
    size, outputs = axis.size, axis.outputs
    if axis.align_corners and outputs > 1:
        size, outputs = size - 1, outputs - 1
    # (i + c) * size / outputs - c + shift over the common denominator 2 * outputs * shift's
    n = 2 * outputs * shift[1]
    d = 2 * size * shift[1]
    offset = 2 * outputs * shift[0]
    if axis.half_pixel:
        offset += (size - outputs) * shift[1]
    common = math.gcd(n, d, offset)
    n, d, offset = n // common, max(d // common, 1), offset // common
    border = (axis.outputs - 1) * d + offset - (axis.size - 1) * n
    return Sampling(n, d, offset, border)


def _resized(x: Expr, samplings: list[Sampling], mode: str) -> Expr:
    y_axis, x_axis = samplings
    return resize(
        x,
        mode=mode,
        scale=(y_axis.n, y_axis.d, x_axis.n, x_axis.d),
        offset=(y_axis.offset, x_axis.offset),
        border=(y_axis.border, x_axis.border),
    )


def _fits(axes: tuple[Axis, Axis], samplings: list[Sampling]) -> bool:
    largest = max(max(axis.size, axis.outputs) for axis in axes)
    return largest < LARGEST_IMAGE and all(sampling.legal for sampling in samplings)


def _pixels(x: Expr, rows: Array, columns: Array) -> Expr:
    """The image of x[:, rows, columns, :]."""
    n, height, width, channels = x.shape
    affordable((n, len(rows), len(columns)))
    index = (rows[:, None] * width + columns[None, :]).reshape(1, -1)
    indices = const(np.repeat(index, n, axis=0), DType.I32)
    taken = gather(x.reshape((n, height * width, channels)), indices)
    return taken.reshape((n, len(rows), len(columns), channels))


# ** nearest neighbor **


def _nearest(axis: Axis) -> Array:
    """The pixels that the kernel takes (resize_nearest_neighbor.h)."""
    corners = axis.align_corners and axis.outputs > 1
    scale = (
        np.float32(axis.size - 1) / np.float32(axis.outputs - 1)
        if corners
        else np.float32(axis.size) / np.float32(axis.outputs)
    )
    place = (np.arange(axis.outputs, dtype=np.float32) + np.float32(0.5 if axis.half_pixel else 0)) * scale
    # TfLiteRound goes away from zero at halves; places are never negative
    index = np.floor(place.astype(np.float64) + 0.5) if axis.align_corners else np.floor(place)
    pixels: Array = np.clip(index.astype(np.int64), 0, axis.size - 1)
    return pixels


def _tosa_nearest(axis: Axis, sampling: Sampling) -> Array:
    """The pixels that RESIZE takes (2.12.1)."""
    place = np.arange(axis.outputs) * sampling.d + sampling.offset
    floor = place // sampling.n
    up = 2 * (place - floor * sampling.n) >= sampling.n
    taken: Array = np.where(up, np.minimum(floor + 1, axis.size - 1), np.maximum(floor, 0))
    return taken


def _nearest_sampling(axis: Axis) -> Sampling | None:
    """Parameters with which RESIZE takes the kernel's pixels: RESIZE rounds where the kernel floors."""
    wanted = _nearest(axis)
    plain = axis._replace(half_pixel=False)
    shifts = [(0, 1)] if axis.align_corners else [(-1, 2)]
    for shift in (*shifts, (0, 1), (-1, 2)):
        for candidate in (_sampling(axis, shift), _sampling(plain, shift)):
            if candidate.legal and np.array_equal(_tosa_nearest(axis, candidate), wanted):
                return candidate
    return None


def resize_nearest_neighbor(match: Match) -> Expr:
    """RESIZE_NEAREST_NEIGHBOR."""
    return nearest(match["input"], _axes(match, match["input"]))


def nearest(x: Expr, axes: tuple[Axis, Axis]) -> Expr:
    """An image in NHWC of the nearest pixels along both axes."""
    samplings = [sampling for axis in axes if (sampling := _nearest_sampling(axis)) is not None]
    if len(samplings) == 2 and _fits(axes, samplings) and x.dtype is not DType.I32:
        return _resized(x, samplings, "NEAREST_NEIGHBOR")
    return _pixels(x, _nearest(axes[0]), _nearest(axes[1]))


# ** bilinear **


class Lerp(NamedTuple):
    """The kernel's samples along one axis: lower and upper pixel, weight of the upper one."""

    lower: Array
    upper: Array
    weight: Array


def lerp(axis: Axis) -> tuple[Array, Lerp]:
    """The kernel's positions and samples, in float32 as it computes them (resize_bilinear.h)."""
    scale = np.float32(axis.size) / np.float32(axis.outputs)
    if axis.align_corners and axis.outputs > 1:
        scale = np.float32(axis.size - 1) / np.float32(axis.outputs - 1)
    half = np.float32(0.5 if axis.half_pixel else 0)
    place = (np.arange(axis.outputs, dtype=np.float32) + half) * scale - half
    lower = np.maximum(np.floor(place), 0).astype(np.int64)
    upper = np.minimum(np.ceil(place), axis.size - 1).astype(np.int64)
    return place, Lerp(lower, upper, place - lower.astype(np.float32))


def _distance(axis: Axis, sampling: Sampling, place: Array) -> float:
    """How far RESIZE samples from the kernel's places, at most."""
    exact = (np.arange(axis.outputs) * sampling.d + sampling.offset) / sampling.n
    return float(np.abs(exact - place).max())


def resize_bilinear(match: Match) -> Expr:
    """RESIZE_BILINEAR."""
    return bilinear(match, match["input"], _axes(match, match["input"]))


def bilinear(match: Match, x: Expr, axes: tuple[Axis, Axis]) -> Expr:
    """An image in NHWC resized along both axes."""
    samplings = [_sampling(axis, (0, 1)) for axis in axes]
    places, lerps = zip(*(lerp(axis) for axis in axes), strict=True)
    distance = max(_distance(*parts) for parts in zip(axes, samplings, places, strict=True))
    if _fits(axes, samplings) and (distance <= NEAR or match.options.numerics == "compact"):
        if distance > NEAR:
            match.note(f"RESIZE samples up to {distance:.1e} pixels away from where the kernel does")
        return _resized(x, samplings, "BILINEAR")
    return _interpolated(x, *lerps)


def interpolated(match: Match, x: Expr) -> Expr:
    """Sums of floats as the kernel has them, bit for bit."""
    return _interpolated(x, *(lerp(axis)[1] for axis in _axes(match, x)))


def _interpolated(x: Expr, rows: Lerp, columns: Lerp) -> Expr:
    """Four gathered images with the kernel's weights, added in its order."""
    one = np.float32(1)
    total: Expr | None = None
    for column, right in ((columns.lower, one - columns.weight), (columns.upper, columns.weight)):
        for row, down in ((rows.lower, one - rows.weight), (rows.upper, rows.weight)):
            part = _pixels(x, row, column) * const(down.reshape(1, -1, 1, 1), x.dtype)
            part = part * const(right.reshape(1, 1, -1, 1), x.dtype)
            total = part if total is None else total + part
    if total is None:
        raise Decline("an image without pixels")
    return total


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.resize_bilinear", FLOATS, resize_bilinear, (not_quantized,)),
    Rewrite("tfl.resize_nearest_neighbor", f"{FLOATS} i8 ui8 i16 i32", resize_nearest_neighbor),
)
