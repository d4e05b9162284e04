"""Image operators (2.12)."""

from typing import NamedTuple

import numpy as np

from tosa_converter.execute.definition.base import Call, widen
from tosa_converter.ir import Array


class _Axis(NamedTuple):
    """For each output position of an image axis, the two input positions that RESIZE interpolates, with weights.

    Attributes:
        first: iy0 of the pseudocode, the position before.
        second: iy1, the position after.
        d: dy, the distance from the first.
        unit: unit_y, the distance between the two.
        nearest: the position that NEAREST_NEIGHBOR reads.
    """

    first: Array
    second: Array
    d: Array
    unit: float
    nearest: Array


def _resize_axis(size: int, scale_n: int, scale_d: int, offset: int, border: int, *, is_float: bool) -> _Axis:
    """Returns, for RESIZE, the input positions and weights of every output position along one image axis.

    The weights of floats are fractions; those of integers are counted in 1 / scale_n.
    """
    # 3 positions, scale 2/1, offset and border 0: output positions 0 to 4 stand at 0, 0.5, 1, 1.5 and 2 of the input;
    # index is 0, 0, 1, 1, 2, and rest 0, 1, 0, 1, 0 halves.
    position = np.arange(((size - 1) * scale_n - offset + border) // scale_d + 1) * scale_d + offset
    index = position // scale_n
    rest = position - index * scale_n
    first, second = np.maximum(index, 0), np.minimum(index + 1, size - 1)
    nearest = np.where(2 * rest >= scale_n, second, first)
    return _Axis(first, second, rest / scale_n if is_float else rest, 1.0 if is_float else scale_n, nearest)


def resize(call: Call, x: Array, scale: Array, offset: Array, border: Array) -> Array:
    """Computes RESIZE (2.12.1) of [N, H, W, C]: nearest neighbour or bilinear.

    Bilinear results of integers are sums times integer weights; as the specification has it, they aren't divided by the
    weights' sum.
    """
    (_, height, width, _), is_float = x.shape, call.source.is_float
    (y_n, y_d, x_n, x_d), (offset_y, offset_x), (border_y, border_x) = scale.tolist(), offset.tolist(), border.tolist()
    rows = _resize_axis(height, y_n, y_d, offset_y, border_y, is_float=is_float)
    columns = _resize_axis(width, x_n, x_d, offset_x, border_x, is_float=is_float)
    if call["mode"] == "NEAREST_NEIGHBOR":
        return np.asarray(x[:, rows.nearest][:, :, columns.nearest])
    above, below = widen(x[:, rows.first]), widen(x[:, rows.second])
    dy, dx = rows.d[:, None, None], columns.d[:, None]
    acc = above[:, :, columns.first] * (rows.unit - dy) * (columns.unit - dx)
    acc += above[:, :, columns.second] * (rows.unit - dy) * dx
    acc += below[:, :, columns.first] * dy * (columns.unit - dx)
    acc += below[:, :, columns.second] * dy * dx
    return np.asarray(acc)
