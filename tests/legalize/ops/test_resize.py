"""Resizing equals its definition in numpy: the pixels at sampling positions in float32."""

import itertools

import numpy as np
import pytest
from support.expressions import evaluate

from tosa_converter.ir import Array
from tosa_converter.legalize.ops import resize
from tosa_converter.legalize.ops.resize import ResizeAxis
from tosa_converter.rewriting.expr import Expr

F32 = np.float32
SIZES = [(3, 6), (4, 6), (7, 3), (5, 5), (1, 4), (6, 1), (9, 31)]
MODES = [(False, False), (True, False), (False, True)]
CASES = list(itertools.product(SIZES, MODES))


def positions(axis: ResizeAxis) -> Array:
    scale = F32(axis.size) / F32(axis.outputs)
    if axis.align_corners and axis.outputs > 1:
        scale = F32(axis.size - 1) / F32(axis.outputs - 1)
    half = F32(0.5 * axis.half_pixel)
    return (np.arange(axis.outputs, dtype=F32) + half) * scale - half


def bilinear(x: Array, axes: tuple[ResizeAxis, ResizeAxis]) -> Array:
    y = x.astype(np.float64)
    for dimension, axis in enumerate(axes, 1):
        position = positions(axis).clip(0, axis.size - 1)
        lower = np.floor(position).astype(int)
        share = (position - lower).reshape([-1 if i == dimension else 1 for i in range(4)])
        upper = np.minimum(lower + 1, axis.size - 1)
        y = y.take(lower, dimension) * (1 - share) + y.take(upper, dimension) * share
    return y


def nearest(axis: ResizeAxis) -> Array:
    half = F32(0.5 * axis.half_pixel)
    position = positions(axis) + half
    index = np.floor(position + F32(0.5)) if axis.align_corners else np.floor(position)
    return np.asarray(index.astype(int).clip(0, axis.size - 1))


def axes_of(sizes: tuple[int, int], mode: tuple[bool, bool]) -> tuple[ResizeAxis, ResizeAxis]:
    return ResizeAxis(*sizes, *mode), ResizeAxis(4, 7, *mode)


@pytest.mark.parametrize(("sizes", "mode"), CASES)
@pytest.mark.parametrize("dtype", [np.float32, np.int8, np.int32])
def test_nearest_pixels_equal_numpy(sizes: tuple[int, int], mode: tuple[bool, bool], dtype: type) -> None:
    axes = axes_of(sizes, mode)
    x: Array = np.random.default_rng(0).integers(-128, 128, (2, sizes[0], 4, 3)).astype(dtype)
    (y,) = evaluate(lambda x: resize.nearest(x, axes), x)
    np.testing.assert_array_equal(y, x[:, nearest(axes[0])][:, :, nearest(axes[1])])


@pytest.mark.parametrize(("sizes", "mode"), CASES)
def test_bilinear_interpolation_equals_numpy(sizes: tuple[int, int], mode: tuple[bool, bool]) -> None:
    axes = axes_of(sizes, mode)
    x = np.random.default_rng(0).normal(size=(2, sizes[0], 4, 3)).astype(F32)
    expected = bilinear(x, axes)
    for formula in (lambda x: resize.bilinear(x, axes, lambda _: False), lambda x: resize.bilinear_by_gather(x, axes)):
        (y,) = evaluate(formula, x)
        np.testing.assert_allclose(y, expected, rtol=1e-5, atol=1e-5)


def test_positions_that_round_away_are_gathered_unless_accepted() -> None:
    """Over 2047 pixels, positions in float32 are off by more than `NEAR`."""
    asked: list[float] = []

    def accept(distance: float) -> bool:
        asked.append(distance)
        return len(asked) == 1

    axes = ResizeAxis(2047, 2045, False, True), ResizeAxis(1, 1, False, False)
    x = np.random.default_rng(0).normal(size=(1, 2047, 1, 1)).astype(F32)
    by_resize, by_gather = (evaluate(lambda x: resize.bilinear(x, axes, accept), x)[0] for _ in range(2))
    assert len(asked) == 2
    assert min(asked) > resize.NEAR
    np.testing.assert_array_equal(by_gather, evaluate(lambda x: resize.bilinear_by_gather(x, axes), x)[0])
    np.testing.assert_allclose(by_resize, by_gather, atol=10 * max(asked))


def test_axes_of_an_image_equal_numpy() -> None:
    axes: list[ResizeAxis] = []

    def formula(x: Expr) -> Expr:
        axes.extend(resize.image_axes(x, (5, 6), align_corners=True, half_pixel=False))
        return x

    evaluate(formula, np.zeros((1, 2, 3, 4), F32))
    assert axes == [ResizeAxis(2, 5, True, False), ResizeAxis(3, 6, True, False)]
