"""Pools of floats, and of quantized elements where they are only compared."""

import math
from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.limits import affordable
from tosa_converter.legalize.xnnpack.bounds import bounded
from tosa_converter.legalize.xnnpack.checks import FLOATS, require_rank
from tosa_converter.legalize.xnnpack.windows import Window, forward, window
from tosa_converter.rewriting import expr
from tosa_converter.rewriting.expr import Expr, emit
from tosa_converter.rewriting.operators import avg_pool2d, concat, max_pool2d, reduce_max, reduce_sum
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas import xnnpack
from tosa_converter.schemas.tosa_target import LEVEL_8K


def avg_pooling_2d(match: Match) -> Expr:
    """AvgPooling2d: what lies in the padding isn't counted, here and there."""
    x = match["input"]
    found = _pool(match, x)
    y = avg_pool2d(x, kernel=found.kernel, stride=found.stride, pad=found.pad)
    return bounded(match, y)


def _pool(match: Match, x: Expr) -> Window:
    """The window of a pool.

    Raises:
        Decline: padding that TOSA's pools don't take, for a window may lie in it.
    """
    found = forward(match, x)
    reach = [size for size in found.reach for _ in range(2)]
    if any(pad >= size for pad, size in zip(found.pad, reach, strict=True)):
        raise Decline(f"padding {list(found.pad)} of a window of {list(found.reach)}, in which a window may lie")
    for axis in (0, 1) if found.dilation != (1, 1) else ():
        _require_taps(found, axis, x.shape[1 + axis])
    return found


def _require_taps(found: Window, axis: int, size: int) -> None:
    """Against windows whose elements, being apart, all lie in the padding: XNNPACK takes others for them.

    Raises:
        Decline: there is one.
    """
    before, after = found.pad[2 * axis : 2 * axis + 2]
    count = (size + before + after - found.reach[axis]) // found.stride[axis] + 1
    affordable((count, found.kernel[axis]))
    places = np.arange(count)[:, None] * found.stride[axis] - before
    taps = places + np.arange(found.kernel[axis]) * found.dilation[axis]
    if not ((taps >= 0) & (taps < size)).any(1).all():
        raise Decline(f"a window all of whose elements lie in the padding {list(found.pad)}")


def max_pooling_2d(match: Match) -> Expr:
    """MaxPooling2d."""
    return bounded(match, maximum(match, match["input"]))


def maximum(match: Match, x: Expr) -> Expr:
    """The maxima of MaxPooling2d, of any type.

    With dilation, of slices of the padded image for every row and then column of the window: a MAX_POOL2D of 1 by 1
    takes those that stride leaves.
    """
    found = _pool(match, x)
    if found.dilation == (1, 1):
        return max_pool2d(x, kernel=found.kernel, stride=found.stride, pad=found.pad, nan_mode="IGNORE")
    top, bottom, left, right = found.pad
    least = -math.inf if x.dtype.is_float else x.dtype.limits[0]
    dtype = x.dtype
    x = x.pad(((0, 0), (top, bottom), (left, right), (0, 0)), least)
    x = x if dtype.is_float else x.cast(DType.I32)
    for axis in (0, 1):
        size = x.shape[1 + axis] - found.reach[axis] + 1
        parts = [x.part(1 + axis, i * found.dilation[axis], size) for i in range(found.kernel[axis])]
        x = parts[0]
        for part in parts[1:]:
            x = expr.maximum(x, part, "IGNORE" if dtype.is_float else "PROPAGATE")
    x = x.cast(dtype)
    return x if found.stride == (1, 1) else max_pool2d(x, kernel=(1, 1), stride=found.stride, pad=(0, 0, 0, 0))


def global_avg_pooling_2d(match: Match) -> Expr:
    """GlobalAvgPooling2d: AVG_POOL2D of the whole image, or a sum where that is beyond the level."""
    x = match["input"]
    require_rank(x, 4)
    n, height, width, channels = x.shape
    if max(height, width) <= LEVEL_8K.MAX_KERNEL:
        y = avg_pool2d(x, kernel=(height, width), stride=(1, 1), pad=(0, 0, 0, 0))
    else:
        total = x.cast(DType.FP32)
        for axis in (1, 2):
            total = reduce_sum(total, axis)
        y = (total * (1 / (height * width))).cast(x.dtype)
    return bounded(match, y if keeps_dims(match) else y.reshape((n, channels)))


def keeps_dims(match: Match) -> bool:
    """Whether the result has dimensions of 1 for height and width."""
    return bool(match.op.attributes["flags"] & xnnpack.FLAG_KEEP_DIMS)


def arg_max_pooling_2d(match: Match) -> tuple[Expr, Expr]:
    """ArgMaxPooling2d: windows lie side by side; the index counts a window's elements, column by column.

    Where a window lies in the padding it takes the nearest pixel instead (xnn_indirection_init_maxpool2d).
    """
    x = match["input"]
    found = window(match, x)
    for axis in (0, 1):
        x = _edged(x, 1 + axis, found.pad[2 * axis : 2 * axis + 2])
    (height, width), (n, rows, columns, channels) = found.kernel, x.shape
    rows, columns = rows // height, columns // width
    if min(rows, columns) < 1:
        raise Decline(f"a window of {list(found.kernel)} does not fit {x.type}")
    x = x.slice((0, 0, 0, 0), (n, rows * height, columns * width, channels))
    x = x.reshape((n, rows, height, columns, width, channels)).transpose((0, 1, 3, 4, 2, 5))
    x = x.reshape((n * rows * columns, height * width, channels))
    index = emit(ops.ARGMAX, x, axis=1, nan_mode="IGNORE")
    largest = reduce_max(x, 1, nan_mode="IGNORE")
    return largest.reshape((n, rows, columns, channels)), index.reshape((n, rows, columns, channels))


def _edged(x: Expr, axis: int, pad: Sequence[int]) -> Expr:
    """The image with its first and last row or column repeated."""
    if not any(pad):
        return x
    ones = (1,) * x.rank
    first, last = (x.part(axis, place, 1) for place in (0, x.shape[axis] - 1))
    before, after = (
        edge.tile((*ones[:axis], count, *ones[axis + 1 :])) if count else None
        for edge, count in zip((first, last), pad, strict=True)
    )
    return concat([part for part in (before, x, after) if part is not None], axis)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("xnn.avg_pooling_2d", FLOATS, avg_pooling_2d),
    Rewrite("xnn.max_pooling_2d", FLOATS, max_pooling_2d),
    Rewrite("xnn.global_avg_pooling_2d", FLOATS, global_avg_pooling_2d),
    Rewrite("xnn.arg_max_pooling_2d", FLOATS, arg_max_pooling_2d),
)
