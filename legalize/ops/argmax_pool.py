"""Maximum pools with the positions of their maxima, and the inverse: SCATTER where positions repeat."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.limits import affordable
from tosa_converter.rewriting.expr import Expr, clamp, const, emit, maximum
from tosa_converter.rewriting.operators import concat, gather, reduce_max, scatter
from tosa_converter.schemas import tosa_ops as ops

GROUP_COST = 1 << 12  # elements that a group counts as, so that few bytes don't ask for millions of operators


class PoolWindows(NamedTuple):
    """The elements of all windows over an image; those outside are replaced by the nearest inside.

    Elements inside keep their order, so that the first of equal maxima stays the same.

    Attributes:
        size: height and width of the pool's result.
        rows: the elements' rows in the image, [outputs,window].
        columns: their columns.
        in_window: their positions in the window, row by row.
    """

    size: list[int]
    rows: Array
    columns: Array
    in_window: Array


def place_windows(
    image: Sequence[int], window: Sequence[int], stride: Sequence[int], padding: Sequence[tuple[int, int]]
) -> PoolWindows:
    """Returns the image elements that each window of a max pool covers; padding is (before, after) per axis.

    A position in the padding is replaced by the nearest one in the image. The window covers that anyway, so its maximum
    is the same.

    Raises:
        Decline: the windows have too many elements.
    """
    spans = []
    for size, length, step, (pad_before, pad_after) in zip(image, window, stride, padding, strict=True):
        count = (size + pad_before + pad_after - length) // step + 1
        affordable((count, length))
        starts = np.arange(count)[:, None] * step - pad_before
        spans.append((starts, np.clip(starts + np.arange(length), 0, size - 1)))
    (tops, rows), (lefts, columns) = spans
    shape = affordable((len(rows), len(columns), *window))
    rows, tops = (np.broadcast_to(x[:, None, :, None], shape) for x in (rows, np.broadcast_to(tops, rows.shape)))
    columns, lefts = (np.broadcast_to(x[:, None, :], shape) for x in (columns, np.broadcast_to(lefts, columns.shape)))
    in_window = (rows - tops) * window[1] + columns - lefts
    flat = (shape[0] * shape[1], shape[2] * shape[3])
    return PoolWindows(shape[:2], rows.reshape(flat), columns.reshape(flat), in_window.reshape(flat))


def max_with_positions(
    x: Expr, windows: PoolWindows, positions: Array, dtype: DType, low: float, high: float
) -> tuple[Expr, Expr]:
    """Lowers a max pool with argmax of [N,H,W,C]: returns the maxima of windows and the first position of each.

    Args:
        x: the images. NaN is passed over; a window of NaN has the maximum `low`.
        windows: their elements.
        positions: the number to return for each element if it is the maximum, [outputs,window].
        dtype: the positions' element type.
        low: the smallest result.
        high: the largest result.
    """
    batch, height, width, channels = x.shape
    outputs, size = positions.shape
    affordable((batch, outputs, size))
    pixels = np.broadcast_to((windows.rows * width + windows.columns).reshape(1, -1), (batch, outputs * size))
    elements = gather(x.reshape((batch, height * width, channels)), const(pixels, DType.I32))
    elements = elements.reshape((batch * outputs, size, channels))
    largest = clamp(reduce_max(elements, 1, nan_mode="IGNORE"), low, high, "IGNORE")
    index = emit(ops.ARGMAX, elements, axis=1, nan_mode="IGNORE")
    starts = np.tile(np.arange(outputs) * size, batch)[:, None]
    index = (index + const(starts, DType.I32)).reshape((1, batch * outputs * channels))
    table = const(positions.reshape(1, outputs * size, 1), dtype)
    shape = (batch, *windows.size, channels)
    return largest.reshape(shape), gather(table, index).reshape(shape)


# ** the inverse **


def zeros(shape: Sequence[int], dtype: DType) -> Expr:
    """Returns a constant of zeros.

    Raises:
        Decline: it would be too large.
    """
    return const(np.zeros(affordable(shape)), dtype)


def disjoint_groups(shape: Sequence[int], steps: Sequence[int]) -> list[Array]:
    """Divides the elements [H,W,C] into groups that hold every step-th row and column; returns their flat indices.

    Elements that lie so many steps apart come from windows that don't overlap, so no group has a position twice. Too
    many groups are declined.
    """
    numbers = np.arange(math.prod(affordable(shape))).reshape(shape)
    rows, columns = (range(min(step, size)) for step, size in zip(steps, shape, strict=False))
    affordable((len(rows), len(columns), GROUP_COST))
    return [numbers[row :: steps[0], column :: steps[1]].reshape(-1) for row in rows for column in columns]


def scatter_last(x: Expr, positions: Expr, size: int, groups: Sequence[Array]) -> Expr:
    """Returns zeros [N,size,1] with the elements x [N,W,1] at their positions [N,W]; the last at a position stays.

    SCATTER takes each position once only. So `groups` divide the numbers of the elements such that no group has a
    position twice. Each group scatters its elements' ranks, and the largest rank at a position chooses the element:
    positions [2, 0, 2] have the ranks [2, 0, 3], which choose elements 1, none and 2.
    """
    batch, count = positions.shape
    rows = positions.reshape((batch, count, 1))
    ranks = empty_ranks = zeros((batch, size, 1), DType.I32)
    for group in groups:
        numbers = const(np.tile(group, (batch, 1)), DType.I32)
        group_positions = gather(rows, numbers).reshape((batch, group.size))
        group_ranks = const(np.tile(group[:, None] + 1, (batch, 1, 1)), DType.I32)
        ranks = maximum(ranks, scatter(empty_ranks, group_positions, group_ranks))
    chosen = ranks.reshape((batch, size))
    return gather(concat([zeros((batch, 1, 1), x.dtype), x], 1), chosen)
