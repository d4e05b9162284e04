"""Affine transforms of points and images equal numpy."""

import numpy as np
import pytest
from support.expressions import count_operators, evaluate

from tosa_converter.ir import Array
from tosa_converter.legalize.ops.affine import pixel_positions, sample_bilinear, transform_points
from tosa_converter.rewriting.expr import Expr

F32 = np.float32
ROWS = np.array([[[0.5, -0.25, 9, 2], [0.125, 1.5, 9, -3]]], F32)  # the third column is not used


@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("offset_scale", [1, 2.0])
def test_points_equal_numpy(dimensions: int, offset_scale: float) -> None:
    points = np.random.default_rng(0).integers(-9, 9, (1, 5, dimensions)).astype(F32)

    def formula(points: Expr, rows: Expr) -> Expr:
        return transform_points(points, rows, offset_scale)

    (y,) = evaluate(formula, points, ROWS)
    expected = points[0, :, :2] @ ROWS[0, :, :2].T + ROWS[0, :, 3] * F32(offset_scale)
    np.testing.assert_array_equal(y[0], expected)
    assert count_operators(formula, points, ROWS)["mul"] == 2 + (offset_scale != 1)


@pytest.mark.parametrize("centre", [0, 0.5])
def test_positions_of_pixels_equal_numpy(centre: float) -> None:
    (y,) = evaluate(lambda rows: pixel_positions(rows, (2, 3), centre), ROWS)
    pixels = np.array([[x, y] for y in range(2) for x in range(3)]) + centre
    expected = pixels @ ROWS[0, :, :2].T + ROWS[0, :, 3] - centre
    np.testing.assert_array_equal(y[0], expected.T)


def define_sample(image: Array, x: float, y: float) -> Array:
    """Returns the pixel of an image [H,W,C] at a position, by the definition of bilinear interpolation."""
    height, width, channels = image.shape
    if not (0 <= x <= width - 1 and 0 <= y <= height - 1):
        return np.zeros(channels)
    left, top = int(x), int(y)
    right, bottom = min(left + 1, width - 1), min(top + 1, height - 1)
    upper = image[top, left] * (1 - (x - left)) + image[top, right] * (x - left)
    lower = image[bottom, left] * (1 - (x - left)) + image[bottom, right] * (x - left)
    return np.asarray(upper * (1 - (y - top)) + lower * (y - top))


def test_samples_equal_numpy() -> None:
    """The positions are inside, on the edges, outside, NaN and infinite."""
    image = np.random.default_rng(0).integers(-9, 9, (1, 3, 4, 2)).astype(F32)
    edges = [-np.inf, -0.125, -0.0, 0, 0.5, 1.75, 2, 2.125, 3, 3.0625, np.inf, np.nan]
    positions = np.array([[x, y] for x in edges for y in edges], F32)
    (y,) = evaluate(sample_bilinear, image, positions.T[None].copy())
    expected = [define_sample(image[0], *position) for position in positions.tolist()]
    np.testing.assert_array_equal(y[0], expected)


def test_an_image_of_one_pixel_equals_numpy() -> None:
    (y,) = evaluate(sample_bilinear, np.full((1, 1, 1, 1), 7, F32), np.array([[[0, 0.5], [0, 0]]], F32))
    assert y.reshape(-1).tolist() == [7, 0]
