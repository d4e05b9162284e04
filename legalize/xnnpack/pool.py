"""Pools of floats, and of quantized elements where they are only compared."""

from collections.abc import Sequence

import numpy as np

from tosa_converter.legalize.limits import affordable
from tosa_converter.legalize.ops import windows
from tosa_converter.legalize.ops.windows import Window
from tosa_converter.legalize.xnnpack.bounds import clamp_to_bounds
from tosa_converter.legalize.xnnpack.checks import FLOATS, require_rank
from tosa_converter.legalize.xnnpack.windows import forward_window, window
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import argmax, concat, reduce_max
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas import xnnpack


def avg_pooling_2d(match: Match) -> Expr:
    """Lowers XNNPACK's AvgPooling2d to AVG_POOL2D; the means of both leave padding out."""
    x = match["input"]
    return clamp_to_bounds(match, windows.average_pool(x, _pool_window(match, x)))


def _pool_window(match: Match, x: Expr) -> Window:
    """Returns the window of an XNNPACK pool; declines windows that may lie in the padding alone.

    TOSA's pools don't allow padding as large as the window. Of dilated windows, each must also have an element in the
    image.

    Raises:
        Decline: a window may lie in the padding alone.
    """
    window = forward_window(match, x.type)
    reach = [size for size in window.reach for _ in range(2)]
    if any(pad >= size for pad, size in zip(window.pad, reach, strict=True)):
        raise Decline(f"expected padding below the window's size {list(window.reach)}, found {list(window.pad)}")
    for axis in (0, 1) if window.dilation != (1, 1) else ():
        _require_taps(window, axis, x.shape[1 + axis])
    return window


def _require_taps(window: Window, axis: int, size: int) -> None:
    """Declines dilated windows whose elements all lie in the padding: XNNPACK reads other pixels for them.

    Raises:
        Decline: there is such a window.
    """
    before, after = window.pad[2 * axis : 2 * axis + 2]
    count = (size + before + after - window.reach[axis]) // window.stride[axis] + 1
    affordable((count, window.kernel[axis]))
    first = np.arange(count)[:, None] * window.stride[axis] - before
    taps = first + np.arange(window.kernel[axis]) * window.dilation[axis]
    if not ((taps >= 0) & (taps < size)).any(1).all():
        raise Decline(f"expected pixels in every window, found one that lies in the padding {list(window.pad)}")


def max_pooling_2d(match: Match) -> Expr:
    """Lowers XNNPACK's MaxPooling2d of floats."""
    return clamp_to_bounds(match, largest_of_windows(match, match["input"]))


def largest_of_windows(match: Match, x: Expr) -> Expr:
    """Returns the maximum of each window of MaxPooling2d, for any element type; NaN is ignored."""
    return windows.max_pool(x, _pool_window(match, x), "IGNORE")


def global_avg_pooling_2d(match: Match) -> Expr:
    """Lowers XNNPACK's GlobalAvgPooling2d of floats: the mean over height and width."""
    x = match["input"]
    require_rank(x.type, 4)
    y = windows.global_average_pool(x)
    return clamp_to_bounds(match, y if keeps_dims(match) else y.reshape((x.shape[0], x.shape[3])))


def keeps_dims(match: Match) -> bool:
    """Returns whether an XNNPACK node's result keeps height and width as dimensions of size 1."""
    return bool(match.op.attributes["flags"] & xnnpack.FLAG_KEEP_DIMS)


def arg_max_pooling_2d(match: Match) -> tuple[Expr, Expr]:
    """Lowers XNNPACK's ArgMaxPooling2d: the maximum of each window, and its index in the window, x * height + y.

    The windows don't overlap. In the padding they take the nearest pixel (xnn_indirection_init_maxpool2d).
    """
    x = match["input"]
    pool = window(match, x.type)
    for axis in (0, 1):
        x = repeat_edges(x, 1 + axis, pool.pad[2 * axis : 2 * axis + 2])
    (height, width), (n, rows, columns, channels) = pool.kernel, x.shape
    rows, columns = rows // height, columns // width
    match.require(min(rows, columns) >= 1, f"expected a window inside {x.type}, found {list(pool.kernel)}")
    x = x.slice((0, 0, 0, 0), (n, rows * height, columns * width, channels))
    x = x.reshape((n, rows, height, columns, width, channels)).transpose((0, 1, 3, 4, 2, 5))
    x = x.reshape((n * rows * columns, height * width, channels))
    index = argmax(x, 1, nan_mode="IGNORE")
    largest = reduce_max(x, 1, nan_mode="IGNORE")
    return largest.reshape((n, rows, columns, channels)), index.reshape((n, rows, columns, channels))


def repeat_edges(x: Expr, axis: int, pad: Sequence[int]) -> Expr:
    """Returns an image padded along an axis with copies of its first and last row or column."""
    if not any(pad):
        return x
    ones = (1,) * x.rank
    first, last = (x.part(axis, index, 1) for index in (0, x.shape[axis] - 1))
    before, after = (
        edge.tile((*ones[:axis], count, *ones[axis + 1 :])) if count else None
        for edge, count in zip((first, last), pad, strict=True)
    )
    return concat([part for part in (before, x, after) if part is not None], axis)


RULES: tuple[Rule, ...] = (
    Rule("xnn.avg_pooling_2d", FLOATS, avg_pooling_2d),
    Rule("xnn.max_pooling_2d", FLOATS, max_pooling_2d),
    Rule("xnn.global_avg_pooling_2d", FLOATS, global_avg_pooling_2d),
    Rule("xnn.arg_max_pooling_2d", FLOATS, arg_max_pooling_2d),
)
