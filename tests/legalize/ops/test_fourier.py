"""Fourier transforms and spectra equal numpy's."""

import numpy as np
import pytest
from support.expressions import evaluate

from tosa_converter.ir import Array
from tosa_converter.legalize.ops.fourier import cosine_transform, dft_angles, real_dft_2d, spectra
from tosa_converter.rewriting.operators import rfft2d
from tosa_converter.rewriting.reasons import Decline


def f32(*shape: int) -> Array:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


def test_angles_are_exact_for_large_products() -> None:
    """The product is reduced as an integer: 999 * 999 of 1000 is the angle of 1."""
    angles = dft_angles(1000, 1000, 1000)
    assert angles[999, 999] == angles[1, 1] == 2 * np.pi / 1000
    assert angles[10, 100] == 0


def test_angles_of_a_hostile_size_are_declined() -> None:
    with pytest.raises(Decline, match="expected a constant of at most"):
        dft_angles(1 << 20, 1 << 20, 1)


@pytest.mark.parametrize("shape", [(1, 1, 1), (2, 1, 6), (2, 3, 5), (1, 7, 1), (3, 4, 8)])
def test_real_dft_equals_numpy(shape: tuple[int, ...]) -> None:
    x = f32(*shape)
    real, imag = evaluate(real_dft_2d, x)
    expected = np.fft.rfft2(x.astype(np.float64))
    np.testing.assert_allclose(real + 1j * imag, expected, atol=1e-5)


def test_the_formula_equals_the_operator() -> None:
    x = f32(2, 4, 8)
    for part, expected in zip(evaluate(rfft2d, x), evaluate(real_dft_2d, x), strict=True):
        np.testing.assert_allclose(part, expected, atol=1e-5)


@pytest.mark.parametrize(("window", "stride"), [(8, 8), (8, 3), (5, 2), (2, 1)])
@pytest.mark.parametrize("squared", [False, True])
def test_spectra_equal_numpy(window: int, stride: int, squared: bool) -> None:
    """Hann windows are filled with zeros to a power of two; an incomplete window is dropped."""
    x = f32(20, 2)
    (y,) = evaluate(lambda x: spectra(x, window, stride, squared=squared), x)
    starts = range(0, 20 - window + 1, stride)
    hann = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(window) / window)
    windows = np.stack([x[i : i + window].T * hann for i in starts], 1)
    expected = np.abs(np.fft.rfft(windows, 1 << (window - 1).bit_length()))
    np.testing.assert_allclose(y, expected**2 if squared else expected, atol=1e-4)


def test_cosine_transform_is_orthonormal_but_for_its_first_wave() -> None:
    waves = cosine_transform(8, 8)
    product = waves.T @ waves
    np.testing.assert_allclose(product, np.diag([2] + [1] * 7), atol=1e-12)
    assert cosine_transform(8, 3).tolist() == waves[:, :3].tolist()
