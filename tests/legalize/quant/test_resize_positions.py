"""Positions of RESIZE_BILINEAR equal their real definition."""

import numpy as np
import pytest

from tosa_converter.legalize.quant.resize_positions import UNIT, resize_axis

SIZES = [(4, 8), (4, 2), (5, 13), (1, 3), (7, 1), (3, 24), (8, 8), (6, 18)]
OPTIONS = [(False, False), (True, False), (False, True)]


@pytest.mark.parametrize(("corners", "centers"), OPTIONS)
@pytest.mark.parametrize(("size", "out_size"), SIZES)
def test_positions_are_the_real_ones_in_1024ths(size: int, out_size: int, corners: bool, centers: bool) -> None:
    axis = resize_axis(size, out_size, align_corners=corners, half_pixel_centers=centers)
    i = np.arange(out_size)
    ratio = (size - 1) / (out_size - 1) if corners and out_size > 1 else size / out_size
    real = (i + 0.5) * ratio - 0.5 if centers else i * ratio
    positions = (i * axis.step + axis.start) / UNIT
    assert np.abs(positions - real).max() <= (out_size + 1) / 2 / UNIT + 1 / UNIT


@pytest.mark.parametrize(("corners", "centers"), OPTIONS)
@pytest.mark.parametrize(("size", "out_size"), SIZES)
def test_sides_interpolate_between_pixels(size: int, out_size: int, corners: bool, centers: bool) -> None:
    """numpy's interpolation gives the same; it also repeats the last pixel on either side."""
    axis = resize_axis(size, out_size, align_corners=corners, half_pixel_centers=centers)
    pixels = np.random.default_rng(size).normal(size=size)
    positions = (np.arange(out_size) * axis.step + axis.start) / axis.unit
    for form in (axis, axis.lowest_terms):
        (low, low_weight), (high, high_weight) = form.sides
        ours = (pixels[low] * low_weight + pixels[high] * high_weight) / form.unit
        np.testing.assert_allclose(ours, np.interp(positions, np.arange(size), pixels), atol=1e-12)


@pytest.mark.parametrize(("corners", "centers"), OPTIONS)
@pytest.mark.parametrize(("size", "out_size"), [(4, 8), (6, 18), (3, 24), (5, 13), (4, 4)])
def test_windows_give_the_same_sums(size: int, out_size: int, corners: bool, centers: bool) -> None:
    axis = resize_axis(size, out_size, align_corners=corners, half_pixel_centers=centers).lowest_terms
    window = axis.pixel_window
    if window is None:
        assert corners or out_size / size not in (2, 4, 8)  # other factors are no whole 1024ths
        return
    pixels = np.random.default_rng(size).integers(-128, 128, size)
    padded = np.concatenate([pixels[:1]] * window.edges[0] + [pixels] + [pixels[-1:]] * window.edges[1])
    begin = window.edges[0] * window.factor - window.before
    repeated = np.repeat(padded, window.factor)[begin : begin + window.covered_pixels]
    sums = np.convolve(repeated, window.weights[::-1], "valid")
    (low, low_weight), (high, high_weight) = axis.sides
    exact = (pixels[low] * low_weight + pixels[high] * high_weight) / axis.unit
    np.testing.assert_allclose(sums / window.weights.sum(), exact)


def test_results_behind_the_image_are_listed() -> None:
    """Rounded steps may pass the last pixel: 3 to 7 has steps of 439/1024, 7 * 439 = 3073 > 3 * 1024."""
    for size, out_size in SIZES:
        axis = resize_axis(size, out_size, align_corners=False, half_pixel_centers=False)
        behind = [i for i in range(out_size) if (i * axis.step + axis.start) // UNIT >= size]
        assert axis.first_outside == (behind[0] if behind else out_size)
