"""Softmax and its logarithm equal numpy in fp64."""

import numpy as np
import pytest
from support.expressions import evaluate

from tosa_converter.ir import Array
from tosa_converter.legalize.ops.softmax import log_softmax, softmax


def expected(x: Array, beta: float, axis: int) -> Array:
    wide = x.astype(np.float64) * beta
    powers = np.exp(wide - wide.max(axis, keepdims=True))
    return np.asarray(powers / powers.sum(axis, keepdims=True))


@pytest.mark.parametrize("axis", [-1, 0, 1])
@pytest.mark.parametrize("beta", [1, 0.25, 3])
def test_softmax_equals_numpy(axis: int, beta: float) -> None:
    """The exponentials of some rows overflow."""
    x = np.random.default_rng(0).normal(0, 60, (5, 7, 3)).astype(np.float32)
    (result,) = evaluate(lambda x: softmax(x, beta, axis), x)
    np.testing.assert_allclose(result, expected(x, beta, axis), rtol=1e-4, atol=1e-37)


def test_the_last_axis_and_no_factor_are_the_default() -> None:
    x = np.random.default_rng(2).normal(0, 3, (4, 3)).astype(np.float32)
    (result,) = evaluate(softmax, x)
    np.testing.assert_allclose(result, expected(x, 1, -1), rtol=1e-5)


@pytest.mark.parametrize("axis", [-1, 0, 1])
def test_log_softmax_equals_numpy(axis: int) -> None:
    x = np.random.default_rng(1).normal(0, 30, (5, 7, 3)).astype(np.float32)
    (result,) = evaluate(lambda x: log_softmax(x, axis), x)
    wide = x - x.max(axis, keepdims=True).astype(np.float64)
    np.testing.assert_allclose(result, wide - np.log(np.exp(wide).sum(axis, keepdims=True)), rtol=1e-5, atol=1e-6)


def test_long_rows_of_fp16_equal_numpy() -> None:
    """The sum of 70,000 ones doesn't fit fp16."""
    (result,) = evaluate(softmax, np.zeros((1, 70000), np.float16))
    assert result.dtype == np.float16
    np.testing.assert_array_equal(result, np.full((1, 70000), 1 / 70000).astype(np.float16))


def test_a_mask_of_infinities_equals_numpy() -> None:
    x = np.array([[0, -np.inf, 0], [np.nan, 1, 2]], np.float32)
    (result,) = evaluate(softmax, x)
    np.testing.assert_array_equal(result, np.array([[0.5, 0, 0.5], [np.nan] * 3], np.float32))
