"""Affine transforms of points, and images at transformed positions."""

from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.rewriting.expr import Expr, const, floor, maximum, minimum, where
from tosa_converter.rewriting.operators import gather, reduce_all


def transform_points(points: Expr, rows: Expr, offset_scale: float) -> Expr:
    """Returns x and y [1,N,2] of points [1,N,2 or 3], multiplied with two rows [1,2,4] of a 4 by 4 matrix.

    The offset, the last column, is multiplied with `offset_scale`; z isn't used.
    """
    columns = rows.transpose((0, 2, 1))
    x_factors, y_factors, offset = (columns.part(1, i, 1) for i in (0, 1, 3))
    offset = offset if offset_scale == 1 else offset * offset_scale
    x, y = (points.part(2, axis, 1) for axis in (0, 1))
    return x * x_factors + y * y_factors + offset


def pixel_positions(rows: Expr, size: Sequence[int], centre: float) -> Expr:
    """Returns where each pixel of an output image lies in the input image, x and y: [1,2,P].

    Args:
        rows: those of x and y of a 4 by 4 matrix, [1,2,4].
        size: height and width of the output.
        centre: where the middle of a pixel is, in both images: 0 or 0.5.
    """
    x_factors, y_factors, offset = (rows.part(2, i, 1) for i in (0, 1, 3))
    if centre:  # pixel middles are at x + centre: centre is added before the product, and subtracted behind it
        offset = offset + ((x_factors + y_factors) * centre - centre)
    y, x = (const(axis.reshape(1, 1, -1), DType.FP32) for axis in np.indices(size))
    return x_factors * x + y_factors * y + offset


def sample_bilinear(image: Expr, positions: Expr) -> Expr:
    """Returns an image [1,H,W,C] sampled at positions [1,2,P] of x and y, interpolated between four pixels: [1,P,C].

    Positions are between pixel middles, from 0 to W - 1 and H - 1. Samples at other positions, and at NaN, are 0.
    """
    last = const(np.array(image.shape[2:0:-1]).reshape(1, 2, 1) - 1, DType.FP32)
    corner = floor(positions)
    is_inside = reduce_all((positions >= 0) & (positions <= last), 1).reshape((1, positions.shape[2], 1))
    low = minimum(maximum(corner, 0, "IGNORE"), last)
    high = minimum(low + 1, last)
    return where(is_inside, _blend_pixels(image, low, high, positions - corner), 0)


def _blend_pixels(image: Expr, low: Expr, high: Expr, weight: Expr) -> Expr:
    """Returns pixels [1,P,C] interpolated between four neighbours, at the corners `low` and `high` and the two others.

    `low` and `high` [1,2,P] are the x and y indices of the upper left and the lower right neighbour, as floats.
    `weight` [1,2,P] is the weight of `high` along x and y.
    """
    _, height, width, channels = image.shape
    pixels, count = image.reshape((1, height * width, channels)), weight.shape[2]
    corners = [corner.cast(DType.I32) for corner in (low, high)]
    columns, rows = ([corner.part(1, axis, 1) for corner in corners] for axis in (0, 1))
    starts = [row * width for row in rows]
    column_weight, row_weight = (weight.part(1, axis, 1).reshape((1, count, 1)) for axis in (0, 1))

    def blend_row(start: Expr) -> Expr:
        """Returns the pixels of a row, interpolated along x between two columns; `start` is its flat index."""
        left, right = (gather(pixels, (start + column).reshape((1, count))) for column in columns)
        return _blend(left, right, column_weight)

    return _blend(blend_row(starts[0]), blend_row(starts[1]), row_weight)


def _blend(a: Expr, b: Expr, weight: Expr) -> Expr:
    """Returns a * (1 - weight) + b * weight."""
    return a * (1 - weight) + b * weight
