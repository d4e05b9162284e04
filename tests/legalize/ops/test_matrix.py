"""Dense layers and matrix products equal numpy."""

import numpy as np
import pytest
from support.expressions import evaluate

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.ops import matrix
from tosa_converter.legalize.ops.windows import Operands
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.reasons import Decline

RNG = np.random.default_rng(24)


@pytest.mark.parametrize("shape", [(6,), (5, 6), (2, 5, 6), (2, 3, 4, 6), (2, 2, 2, 3, 6), (3, 2), (2, 3, 4, 2)])
def test_layers_of_floats_equal_numpy(shape: tuple[int, ...]) -> None:
    """If the last dimension isn't the depth, the elements are cut into rows."""
    x, weight, bias = (RNG.normal(size=size).astype(np.float32) for size in (shape, (4, 6), (4,)))
    (y,) = evaluate(lambda *operands: matrix.dense(Operands(*operands)), x, weight, bias)
    expected = x.reshape(-1, 6) @ weight.T + bias
    np.testing.assert_allclose(y, expected.reshape(y.shape), rtol=1e-5, atol=1e-5)
    assert y.ndim == 4


@pytest.mark.parametrize(("x_zp", "weight_zp"), [(0, 0), (-128, 3)])
def test_layers_of_integers_equal_numpy(x_zp: int, weight_zp: int) -> None:
    x, weight = (RNG.integers(-128, 128, size).astype(np.int8) for size in ((3, 5), (2, 5)))
    bias = RNG.integers(-999, 999, 2).astype(np.int32)
    (y,) = evaluate(lambda x, w, b: matrix.dense(Operands(x, w, b, x_zp, weight_zp)), x, weight, bias)
    expected = (x.astype(np.int64) - x_zp) @ (weight.astype(np.int64) - weight_zp).T + bias
    np.testing.assert_array_equal(y.reshape(3, 2), expected)


def test_an_input_that_is_not_made_of_rows_is_declined() -> None:
    x, weight, bias = np.zeros((2, 5), np.float32), np.zeros((1, 3), np.float32), np.zeros(1, np.float32)
    with pytest.raises(Decline, match="expected elements that divide into rows of 3, found fp32\\[2x5\\]"):
        evaluate(lambda *operands: matrix.dense(Operands(*operands)), x, weight, bias)


SHAPES = [
    ((3, 4), (4, 5)),
    ((2, 3, 4), (2, 4, 5)),
    ((2, 3, 4), (4, 5)),
    ((3, 4), (2, 4, 5)),
    ((2, 1, 3, 4), (3, 4, 5)),
    ((2, 3, 1, 4), (1, 1, 4, 1)),
]


@pytest.mark.parametrize(("left", "right"), SHAPES)
@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_products_of_floats_equal_numpy(left: tuple[int, ...], right: tuple[int, ...], dtype: type) -> None:
    a: Array = RNG.integers(-9, 9, left).astype(dtype)
    b: Array = RNG.integers(-9, 9, right).astype(dtype)
    (y,) = evaluate(matrix.float_product, a, b)
    assert y.dtype == dtype
    np.testing.assert_array_equal(y, np.matmul(a, b))


@pytest.mark.parametrize(("left", "right"), SHAPES)
def test_products_of_integers_equal_numpy(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    a, b = (RNG.integers(-128, 128, shape).astype(np.int8) for shape in (left, right))

    def formula(a: Expr, b: Expr) -> Expr:
        product = matrix.batched_product(a, b, left_zp=-5, right_zp=7, dtype=DType.I32)
        assert product.depth == left[-1]
        return product.sums.reshape(product.shape)

    (y,) = evaluate(formula, a, b)
    np.testing.assert_array_equal(y, np.matmul(a.astype(np.int64) + 5, b.astype(np.int64) - 7))


def test_matrices_are_transposed() -> None:
    x = RNG.normal(size=(2, 3, 4)).astype(np.float32)
    np.testing.assert_array_equal(evaluate(matrix.swap_last_axes, x)[0], x.swapaxes(1, 2))
