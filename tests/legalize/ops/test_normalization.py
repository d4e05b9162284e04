"""Normalization of floats equals numpy."""

import numpy as np
import pytest
from support.expressions import evaluate

from tosa_converter.ir import Array
from tosa_converter.legalize.ops.normalization import l2_normalize, layer_normalize, window_sums


def f32(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("shape", [(5,), (2, 3, 7), (4, 1)])
def test_l2_normalization_equals_numpy(shape: tuple[int, ...]) -> None:
    """A row of zeros stays 0; a row below the least norm is divided by that norm."""
    x = f32(*shape)
    x.reshape(-1, shape[-1])[0] *= 1e-9
    (y,) = evaluate(lambda x: l2_normalize(x, 1e-6), x)
    norm = np.sqrt((x.astype(np.float64) ** 2).sum(-1, keepdims=True))
    np.testing.assert_allclose(y, x / np.maximum(norm, 1e-6), rtol=1e-5)
    (y,) = evaluate(lambda x: l2_normalize(x, 1e-6), x * 0)
    assert not y.any()


@pytest.mark.parametrize("shape", [(1, 2, 8), (3, 5)])
def test_layer_normalization_equals_numpy(shape: tuple[int, ...]) -> None:
    x = f32(*shape) + np.float32(3)
    weight, bias = (f32(*(1,) * (len(shape) - 1), shape[-1], seed=seed) for seed in (1, 2))
    (y,) = evaluate(lambda x, weight, bias: layer_normalize(x, weight, bias, 1e-3), x, weight, bias)
    exact = x.astype(np.float64)
    centred = exact - exact.mean(-1, keepdims=True)
    expected = centred / np.sqrt(exact.var(-1, keepdims=True) + 1e-3) * weight + bias
    np.testing.assert_allclose(y, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("radius", [0, 1, 3, 9])
@pytest.mark.parametrize("shape", [(9,), (2, 3, 9)])
def test_sums_of_windows_equal_numpy(radius: int, shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(0).integers(-9, 9, shape).astype(np.float32)
    (y,) = evaluate(lambda x: window_sums(x, radius), x)
    sums = [x[..., max(0, i - radius) : i + radius + 1].sum(-1) for i in range(shape[-1])]
    np.testing.assert_array_equal(y, np.stack(sums, -1))
