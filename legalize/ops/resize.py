"""Resizing of images in NHWC: nearest pixels of every type, and bilinear interpolation of floats.

TOSA samples at exact rationals, the kernels of TFLite, XNNPACK and ATen at float32 positions. Where both are close
enough, checked for every position of the result, RESIZE is used; otherwise the kernels' own positions are gathered.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.limits import affordable
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.operators import gather, resize
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.schemas.tosa_target import LEVEL_8K

# How many pixels sampling positions may lie apart: where neighbours differ by 2 * max|x|, results move by 2e-6 * max|x|
# along each axis.
NEAR = 1e-6
LARGEST_IMAGE = 16384  # 2.12.1 RESIZE: ERROR_IF(max(OH,OW,IH,IW) >= 16384)


class ResizeAxis(NamedTuple):
    """How one axis is resized.

    With `align_corners` the first and last pixels of both images coincide, with `half_pixel` the outer edges of those
    pixels; with neither, only the first pixels' middles.
    """

    size: int
    outputs: int
    align_corners: bool
    half_pixel: bool


def image_axes(
    x: Expr, size: tuple[int, int], *, align_corners: bool, half_pixel: bool
) -> tuple[ResizeAxis, ResizeAxis]:
    """Returns how height and width of an image are resized to `size`.

    Raises:
        Decline: a size is beyond RESIZE's limit, and too large to be gathered.
    """
    if max(size) >= LARGEST_IMAGE:  # it will be gathered
        affordable(size)
    _, height, width, _ = x.shape
    return ResizeAxis(height, size[0], align_corners, half_pixel), ResizeAxis(width, size[1], align_corners, half_pixel)


class Sampling(NamedTuple):
    """RESIZE's parameters along one axis: output i samples the input at (i * d + offset) / n."""

    n: int
    d: int
    offset: int
    border: int

    @property
    def legal(self) -> bool:
        """Returns whether RESIZE's ERROR_IFs and LEVEL_CHECKs allow these parameters (2.12.1)."""
        return (
            self.n <= 1 << 11
            and self.n <= LEVEL_8K.MAX_SCALE * self.d
            and self.d < 16 * self.n
            and -self.n <= self.offset < 16 * self.n
            and -16 * self.n <= self.border < self.n
        )


def _exact_sampling(axis: ResizeAxis, shift: tuple[int, int] = (0, 1)) -> Sampling:
    """Returns the exact sampling of an axis in lowest terms, shifted by `shift`, (numerator, denominator) of a pixel.

    Output i samples at (i + c) * size / outputs - c + shift, with c = 1/2 for half pixels and 0 otherwise. The common
    denominator is n = 2 * outputs * shift[1]. From 4 to 6 pixels with c = 1/2: n = 12, d = 8, offset = -2, or in lowest
    terms 6, 4 and -1, so output 1 samples at (4 - 1) / 6 = 1.5 * 4 / 6 - 0.5.
    """
    size, outputs = axis.size, axis.outputs
    if axis.align_corners and outputs > 1:
        size, outputs = size - 1, outputs - 1
    n = 2 * outputs * shift[1]
    d = 2 * size * shift[1]
    offset = 2 * outputs * shift[0]
    if axis.half_pixel:
        offset += (size - outputs) * shift[1]
    common = math.gcd(n, d, offset)
    n, d, offset = n // common, max(d // common, 1), offset // common
    border = (axis.outputs - 1) * d + offset - (axis.size - 1) * n  # from the last pixel to the last position
    return Sampling(n, d, offset, border)


def _emit_resize(x: Expr, samplings: list[Sampling], mode: str) -> Expr:
    """Emits a RESIZE with the sampling parameters of the y axis and the x axis."""
    y_axis, x_axis = samplings
    return resize(
        x,
        mode=mode,
        scale=(y_axis.n, y_axis.d, x_axis.n, x_axis.d),
        offset=(y_axis.offset, x_axis.offset),
        border=(y_axis.border, x_axis.border),
    )


def _resize_accepts(axes: tuple[ResizeAxis, ResizeAxis], samplings: list[Sampling]) -> bool:
    """Returns whether a legal RESIZE exists for images of these sizes with these sampling parameters."""
    largest = max(max(axis.size, axis.outputs) for axis in axes)
    return largest < LARGEST_IMAGE and all(sampling.legal for sampling in samplings)


def _gather_pixels(x: Expr, rows: Array, columns: Array) -> Expr:
    """Gathers rows and columns of NHWC images: returns x[:, rows, columns, :]."""
    n, height, width, channels = x.shape
    affordable((n, len(rows), len(columns)))
    index = (rows[:, None] * width + columns[None, :]).reshape(1, -1)
    indices = const(np.repeat(index, n, axis=0), DType.I32)
    pixels = gather(x.reshape((n, height * width, channels)), indices)
    return pixels.reshape((n, len(rows), len(columns), channels))


# ** nearest pixels **


def nearest(x: Expr, axes: tuple[ResizeAxis, ResizeAxis]) -> Expr:
    """Returns an NHWC image resized to its nearest pixels: by RESIZE if it picks the kernel's, else by GATHER.

    RESIZE doesn't take i32.
    """
    samplings = [sampling for axis in axes if (sampling := _find_nearest_sampling(axis)) is not None]
    if len(samplings) == 2 and _resize_accepts(axes, samplings) and x.dtype is not DType.I32:
        return _emit_resize(x, samplings, "NEAREST_NEIGHBOR")
    return _gather_pixels(x, _kernel_nearest_pixels(axes[0]), _kernel_nearest_pixels(axes[1]))


def _kernel_nearest_pixels(axis: ResizeAxis) -> Array:
    """Returns the input pixel along an axis that the TFLite kernel takes for each output (resize_nearest_neighbor.h).

    Without aligned corners it floors. With them, TfLiteRound goes away from zero at halves; no position is negative.
    """
    corners = axis.align_corners and axis.outputs > 1
    scale = (
        np.float32(axis.size - 1) / np.float32(axis.outputs - 1)
        if corners
        else np.float32(axis.size) / np.float32(axis.outputs)
    )
    position = (np.arange(axis.outputs, dtype=np.float32) + np.float32(0.5 if axis.half_pixel else 0)) * scale
    index = np.floor(position.astype(np.float64) + 0.5) if axis.align_corners else np.floor(position)
    pixels: Array = np.clip(index.astype(np.int64), 0, axis.size - 1)
    return pixels


def _resize_nearest_pixels(axis: ResizeAxis, sampling: Sampling) -> Array:
    """Returns the input pixel along an axis that TOSA's RESIZE takes for each output (2.12.1)."""
    position = np.arange(axis.outputs) * sampling.d + sampling.offset
    floor = position // sampling.n
    up = 2 * (position - floor * sampling.n) >= sampling.n
    pixels: Array = np.where(up, np.minimum(floor + 1, axis.size - 1), np.maximum(floor, 0))
    return pixels


def _find_nearest_sampling(axis: ResizeAxis) -> Sampling | None:
    """Returns parameters with which RESIZE takes the same pixels as the TFLite kernel, or None if none are found.

    RESIZE rounds where the kernel floors: positions half a pixel earlier give the same pixels, but for ties.
    """
    pixels = _kernel_nearest_pixels(axis)
    plain = axis._replace(half_pixel=False)
    # The likelier shift first: with aligned corners the kernel rounds too.
    shifts = [(0, 1), (-1, 2)] if axis.align_corners else [(-1, 2), (0, 1)]
    for shift in shifts:
        for candidate in (_exact_sampling(axis, shift), _exact_sampling(plain, shift)):
            if candidate.legal and np.array_equal(_resize_nearest_pixels(axis, candidate), pixels):
                return candidate
    return None


# ** bilinear **


class Lerp(NamedTuple):
    """The kernel's samples along one axis: lower and upper pixel, weight of the upper one."""

    lower: Array
    upper: Array
    weight: Array


def lerp(axis: ResizeAxis) -> tuple[Array, Lerp]:
    """Returns the TFLite kernel's float32 positions along an axis, and two pixels and a weight for each.

    They are computed as in resize_bilinear.h.
    """
    scale = np.float32(axis.size) / np.float32(axis.outputs)
    if axis.align_corners and axis.outputs > 1:
        scale = np.float32(axis.size - 1) / np.float32(axis.outputs - 1)
    half = np.float32(0.5 if axis.half_pixel else 0)
    position = (np.arange(axis.outputs, dtype=np.float32) + half) * scale - half
    lower = np.maximum(np.floor(position), 0).astype(np.int64)
    upper = np.minimum(np.ceil(position), axis.size - 1).astype(np.int64)
    return position, Lerp(lower, upper, position - lower.astype(np.float32))


def bilinear(x: Expr, axes: tuple[ResizeAxis, ResizeAxis], accept: Callable[[float], bool]) -> Expr:
    """Resizes an image by bilinear interpolation: RESIZE if it samples close enough to the kernel, else GATHERs.

    Args:
        x: the image, of floats.
        axes: its height and width.
        accept: called with the largest distance in pixels between RESIZE's and the kernel's positions if it is above
            `NEAR`; returns whether RESIZE may be used.
    """
    samplings = [_exact_sampling(axis) for axis in axes]
    positions, lerps = zip(*(lerp(axis) for axis in axes), strict=True)
    if _resize_accepts(axes, samplings):
        distance = max(_largest_distance(*parts) for parts in zip(axes, samplings, positions, strict=True))
        if distance <= NEAR or accept(distance):
            return _emit_resize(x, samplings, "BILINEAR")
    return _weighted_pixel_sum(x, *lerps)


def _largest_distance(axis: ResizeAxis, sampling: Sampling, position: Array) -> float:
    """Returns the largest distance in pixels between RESIZE's and the kernel's positions."""
    exact = (np.arange(axis.outputs) * sampling.d + sampling.offset) / sampling.n
    return float(np.abs(exact - position).max())


def bilinear_by_gather(x: Expr, axes: tuple[ResizeAxis, ResizeAxis]) -> Expr:
    """Resizes an image by gathering pixels and summing them with the kernel's float weights, bit for bit as it does."""
    return _weighted_pixel_sum(x, *(lerp(axis)[1] for axis in axes))


def _weighted_pixel_sum(x: Expr, rows: Lerp, columns: Lerp) -> Expr:
    """Returns the bilinear sum of four gathered images times the TFLite kernel's weights, added in its order."""
    unit = np.float32(1)
    total: Expr | None = None
    for column, right in ((columns.lower, unit - columns.weight), (columns.upper, columns.weight)):
        for row, down in ((rows.lower, unit - rows.weight), (rows.upper, rows.weight)):
            part = _gather_pixels(x, row, column) * const(down.reshape(1, -1, 1, 1), x.dtype)
            part = part * const(right.reshape(1, 1, -1, 1), x.dtype)
            total = part if total is None else total + part
    if total is None:
        raise Decline("expected an image with pixels, found an empty one")
    return total
