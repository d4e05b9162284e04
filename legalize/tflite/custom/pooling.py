"""Pools that say where their largest elements were, and their inverse, and NumericVerify.

MaxPoolWithArgmax has LiteRT's form (kernels/perception): options as a map, positions in the image as i32.
MaxPoolingWithArgmax2D has MediaPipe's (mediapipe/util/tflite/operations): TfLitePoolParams, positions in the window as
floats. MaxUnpooling2D is of both, which its positions' type tells apart.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.activation import ACTIVATION_RANGES, FLOAT_MAX
from tosa_converter.legalize.operands import affordable
from tosa_converter.legalize.tflite.custom.options import integers, settings
from tosa_converter.legalize.tflite.quantized.borders import reals
from tosa_converter.legalize.tflite.windows import padding_1d
from tosa_converter.rewriting.expr import Expr, clamp, const, emit, floor, intdiv, maximum
from tosa_converter.rewriting.operators import concat, gather, reduce_max, scatter
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tflite import Padding

PADDING = {1: Padding.SAME, 2: Padding.VALID}  # TfLitePadding
TWICE = "positions outside of the result, or that elements of windows which don't overlap share, are unpredictable"
GROUP = 1 << 12  # elements that one more SCATTER is reckoned to need
POSITION = 0.1  # MediaPipe adds it to positions, so that they are cut to the right integers


class Pool(NamedTuple):
    """A window of height and width, its strides and padding, and the number of a fused activation."""

    kind: Padding
    window: tuple[int, int]
    stride: tuple[int, int]
    activation: int = 0


def _structure(match: Match) -> Pool:
    """TfLitePoolParams."""
    number, stride_w, stride_h, width, height, activation = integers(match, 6)
    if number not in PADDING or min(stride_w, stride_h, width, height) < 1:
        raise Decline(f"padding {number} of a window {height} by {width} with strides {stride_h} by {stride_w}")
    return Pool(PADDING[number], (height, width), (stride_h, stride_w), activation)


def _map(match: Match) -> Pool:
    options = settings(match)
    kind = {"SAME": Padding.SAME, "VALID": Padding.VALID}.get(str(options.values.get("padding")))
    window, stride = options.integers("ksize", 4), options.integers("strides", 4)
    if [window[0], window[3], stride[0], stride[3]] != [1] * 4 or kind is None:
        raise Decline(f"a window {window} with strides {stride}, {options.values.get('padding')}")
    if options.whole("include_batch_in_index"):
        raise Decline("positions that count images: LiteRT has none")
    return Pool(kind, (window[1], window[2]), (stride[1], stride[2]))


# ** pools **


class Windows(NamedTuple):
    """Where the elements of windows lie: lines and columns [outputs,window], as if those outside were the next inside.

    As the order of the others stays, the first of the largest is the same.
    """

    size: list[int]
    lines: Array
    columns: Array
    inside: Array  # their places in the window


def _windows(pool: Pool, image: Sequence[int]) -> Windows:
    spans = []
    for size, window, stride in zip(image, pool.window, pool.stride, strict=True):
        before, after = padding_1d(pool.kind, size, window, stride)
        count = (size + before + after - window) // stride + 1
        affordable((count, window))
        starts = np.arange(count)[:, None] * stride - before
        spans.append((starts, np.clip(starts + np.arange(window), 0, size - 1)))
    (tops, lines), (lefts, columns) = spans
    height, width = pool.window
    shape = affordable((len(lines), len(columns), height, width))
    lines, tops = (np.broadcast_to(x[:, None, :, None], shape) for x in (lines, np.broadcast_to(tops, lines.shape)))
    columns, lefts = (np.broadcast_to(x[:, None, :], shape) for x in (columns, np.broadcast_to(lefts, columns.shape)))
    flat = (len(lines) * shape[1], height * width)
    inside = (lines - tops) * width + columns - lefts
    return Windows(shape[:2], lines.reshape(flat), columns.reshape(flat), inside.reshape(flat))


def max_pool_with_argmax(match: Match) -> list[Expr]:
    """MaxPoolWithArgmax: positions of all channels of an image, one behind the other."""
    pool, x = _map(match), _image(match)
    windows, channels = _windows(pool, x.shape[1:3]), x.shape[3]
    largest, places = _largest(pool, x, windows, windows.lines * x.shape[2] + windows.columns, DType.I32)
    numbers = const(np.arange(channels).reshape(1, 1, 1, -1), DType.I32)
    return [largest, places * channels + numbers]


def max_pooling_with_argmax_2d(match: Match) -> list[Expr]:
    """MaxPoolingWithArgmax2D: positions in the window."""
    pool, x = _structure(match), _image(match)
    windows = _windows(pool, x.shape[1:3])
    return list(_largest(pool, x, windows, windows.inside + np.float32(POSITION), DType.FP32))


def _image(match: Match) -> Expr:
    x = match[0]
    if x.rank != 4 or not x.size:
        raise Decline(f"an image of shape {list(x.shape)}")
    return x


def _largest(pool: Pool, x: Expr, windows: Windows, told: Array, dtype: DType) -> tuple[Expr, Expr]:
    """The largest elements of windows, and what is `told` [outputs,window] of the first place that has them.

    NaN is passed over; the kernel's largest starts from the lowest finite number.
    """
    batch, height, width, channels = x.shape
    outputs, size = told.shape
    affordable((batch, outputs, size))
    rows = np.broadcast_to((windows.lines * width + windows.columns).reshape(1, -1), (batch, outputs * size))
    found = gather(x.reshape((batch, height * width, channels)), const(rows, DType.I32))
    found = found.reshape((batch * outputs, size, channels))
    largest = reduce_max(found, 1, nan_mode="IGNORE")
    ranges = (span for kind, span in ACTIVATION_RANGES.items() if kind == pool.activation)
    low, high = next(ranges, (-FLOAT_MAX, None))
    largest = clamp(largest, low, FLOAT_MAX if high is None else high, "IGNORE")
    place = emit(ops.ARGMAX, found, axis=1, nan_mode="IGNORE")
    starts = np.tile(np.arange(outputs) * size, batch)[:, None]
    place = (place + const(starts, DType.I32)).reshape((1, batch * outputs * channels))
    table = const(told.reshape(1, outputs * size, 1), dtype)
    shape = (batch, *windows.size, channels)
    return largest.reshape(shape), gather(table, place).reshape(shape)


# ** MaxUnpooling2D **


def max_unpooling_2d(match: Match) -> Expr:
    """MaxUnpooling2D: zeros but for the elements at their positions.

    As SCATTER takes a position once, windows that overlap are taken apart; the last element at a position stays.
    """
    pool, x, positions = _structure(match), _image(match), match[1]
    if positions.shape != x.shape:
        raise Decline(f"positions {positions.type} of {x.type}")
    match.note(TWICE)
    in_image = positions.dtype is DType.I32
    size = _unpooled(pool, x, as_windows=not in_image)
    places = positions if in_image else _from_window(pool, positions, size)
    batch, height, width, channels = x.shape
    count, rows = height * width * channels, math.prod(size) * channels
    x, places = x.reshape((batch, count, 1)), places.reshape((batch, count))
    apart = [-(-window // stride) for window, stride in zip(pool.window, pool.stride, strict=True)]
    if apart == [1, 1]:
        y = scatter(_zeros((batch, rows, 1), DType.FP32), places, x)
    else:
        last = _last(places, rows, _groups((height, width, channels), apart))
        y = gather(concat([_zeros((batch, 1, 1), DType.FP32), x], 1), last)
    return y.reshape((batch, *size, channels))


def _unpooled(pool: Pool, x: Expr, *, as_windows: bool) -> list[int]:
    """Height and width of the result: in MediaPipe's form a window for each element, in which strides must end."""
    spans = zip(x.shape[1:3], pool.window, pool.stride, strict=True)
    if not as_windows and pool.kind is Padding.VALID:
        return affordable([(size - 1) * stride + window for size, window, stride in spans])
    if as_windows and any(stride > window for _, window, stride in spans):
        raise Decline("positions outside of the result: the strides are larger than the window")
    units = pool.window if as_windows else pool.stride
    return affordable([size * unit for size, unit in zip(x.shape[1:3], units, strict=True)])


def _from_window(pool: Pool, positions: Expr, size: Sequence[int]) -> Expr:
    """Positions in the window as those in the image: line y of the window is as many elements of the image further."""
    _, height, width, channels = positions.shape
    line, column = pool.stride[0] * size[1], pool.stride[1]
    starts = np.arange(height)[:, None, None] * line + np.arange(width)[:, None] * column
    starts = starts * channels + np.arange(channels)
    inside = floor(positions).cast(DType.I32)
    lines = intdiv(inside, pool.window[1])
    inside = inside + lines * (size[1] - pool.window[1])
    return inside * channels + const(starts[None], DType.I32)


def _groups(shape: Sequence[int], apart: Sequence[int]) -> list[Array]:
    """The numbers of the elements [H,W,C] of windows that don't overlap."""
    numbers = np.arange(math.prod(affordable(shape))).reshape(shape)
    rows, columns = (range(min(step, size)) for step, size in zip(apart, shape, strict=False))
    affordable((len(rows), len(columns), GROUP))
    return [numbers[y :: apart[0], x :: apart[1]].reshape(-1) for y in rows for x in columns]


def _last(places: Expr, rows: int, groups: Sequence[Array]) -> Expr:
    """The number of the last element at each place, from 1 on, 0 for none: [batch,rows]."""
    batch, count = places.shape
    places = places.reshape((batch, count, 1))
    last = _zeros((batch, rows, 1), DType.I32)
    nothing = last
    for group in groups:
        numbers = const(np.tile(group, (batch, 1)), DType.I32)
        at = gather(places, numbers).reshape((batch, group.size))
        ranks = const(np.tile(group[:, None] + 1, (batch, 1, 1)), DType.I32)
        last = maximum(last, scatter(nothing, at, ranks))
    return last.reshape((batch, rows))


def _zeros(shape: Sequence[int], dtype: DType) -> Expr:
    return const(np.zeros(affordable(shape)), dtype)


# ** NumericVerify **


def numeric_verify(match: Match) -> Expr:
    """NumericVerify: what an operand stands for, less the reference."""
    if settings(match).whole("log_if_failed"):
        match.note("differences beyond the tolerance, for which LiteRT stops, are results like others")
    half = match.source(0).type.dtype is DType.FP16
    x = match[0].cast(DType.FP32) if half else reals(match, 0)
    if x.shape != match[1].shape:
        raise Decline(f"a reference {match[1].type} for {x.type}")
    return x - match[1]


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("custom.MaxPoolWithArgmax", "fp32", max_pool_with_argmax),
    Rewrite("custom.MaxPoolingWithArgmax2D", "fp32", max_pooling_with_argmax_2d),
    Rewrite("custom.MaxUnpooling2D", "fp32*i32 fp32*fp32", max_unpooling_2d, of=(0, 1)),
    Rewrite("custom.NumericVerify", "i8*fp32 ui8*fp32 i16*fp32 fp16*fp32", numeric_verify, of=(0, 1)),
)
