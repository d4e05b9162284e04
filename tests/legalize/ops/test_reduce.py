"""Reductions over axes, segments and windows, running sums and variance equal numpy."""

import itertools
import math
from collections.abc import Callable, Sequence

import ml_dtypes
import numpy as np
import pytest
from support.expressions import evaluate

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.ops import reduce
from tosa_converter.legalize.ops.reduce import Reduction
from tosa_converter.rewriting.expr import const
from tosa_converter.rewriting.operators import reduce_max
from tosa_converter.rewriting.reasons import Decline

RNG = np.random.default_rng(24)
NAN = math.nan
INTEGERS = RNG.integers(-9, 9, (3, 4, 2, 5)).astype(np.int32)
FLOATS = INTEGERS.astype(np.float32)
AXES = [axes for count in range(1, 5) for axes in itertools.combinations(range(4), count)]


def same(result: Sequence[Array], expected: Array) -> None:
    assert result[0].dtype == expected.dtype
    np.testing.assert_array_equal(result[0], expected)


# ** along an axis **


def test_sums_of_halves_are_exact() -> None:
    """Sums of 4,096 ones would stop at 2,048 if each were rounded to fp16."""
    x = np.ones((1, 4096), np.float16)
    same(evaluate(lambda x: reduce.sum_along(x, 1), x), np.array([[4096]], np.float16))
    same(evaluate(lambda x: reduce.sum_along(x, 1, 0.5), x), np.array([[2048]], np.float16))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8])
def test_products_wrap(size: int) -> None:
    x = RNG.integers(-(2**31), 2**31, (2, size, 3)).astype(np.int32)
    same(evaluate(lambda x: reduce.product_along(x, 1), x), x.prod(1, keepdims=True, dtype=np.int32))
    floats = RNG.integers(-3, 4, (2, size, 3)).astype(np.float32)
    same(evaluate(lambda x: reduce.product_along(x, 1), floats), floats.prod(1, keepdims=True))


def test_a_mean_of_nothing_is_declined() -> None:
    with pytest.raises(Decline, match="expected at least 1 element to take the mean of, found 0"):
        evaluate(lambda _: reduce.mean_along(const(np.zeros((0, 2)), DType.FP32), 0), FLOATS)


REDUCTIONS: list[tuple[Reduction, Callable[..., Array], Array]] = [
    (reduce.SUM, np.sum, INTEGERS),
    (reduce.FP32_SUM, np.sum, FLOATS),
    (reduce.PRODUCT, np.prod, INTEGERS),
    (reduce.MAXIMUM, np.max, FLOATS),
    (reduce.MINIMUM, np.min, INTEGERS),
    (reduce.FINITE_MAXIMUM, np.max, INTEGERS),
    (reduce.FINITE_MINIMUM, np.min, FLOATS),
    (reduce.ALL, np.all, INTEGERS > -7),
    (reduce.ANY, np.any, INTEGERS > 7),
]


@pytest.mark.parametrize(("reduction", "judge", "x"), REDUCTIONS)
@pytest.mark.parametrize("axes", AXES)
def test_reductions_over_axes_equal_numpy(
    reduction: Reduction, judge: Callable[..., Array], x: Array, axes: tuple[int, ...]
) -> None:
    for keep in (True, False):
        expected = judge(x, axis=axes, keepdims=keep).astype(x.dtype)
        same(evaluate(lambda x, keep=keep: reduce.reduce_over(x, axes, reduction.along, keep=keep), x), expected)


@pytest.mark.parametrize(("reduction", "judge", "x"), REDUCTIONS)
def test_identities_leave_elements_as_they_are(reduction: Reduction, judge: Callable[..., Array], x: Array) -> None:
    """An identity leaves elements as they are; those of finite extremes aren't infinite."""
    dtype = {"bool": DType.BOOL, "int32": DType.I32, "float32": DType.FP32}[x.dtype.name]
    number = reduction.identity(dtype)
    same(evaluate(lambda x: reduction.combine(x, const(np.full((1,) * 4, number), dtype)), x), x)
    assert judge(np.append(x.reshape(-1), np.array(number, x.dtype))) == judge(x)
    if reduction in (reduce.FINITE_MAXIMUM, reduce.FINITE_MINIMUM):
        assert math.isfinite(reduction.identity(DType.FP32))
        for dtype in (DType.FP16, DType.BF16):
            limits = ml_dtypes.finfo(dtype.numpy)  # type: ignore[no-untyped-call]
            assert reduction.identity(dtype) in (float(limits.min), float(limits.max))


def test_extremes_of_nan_equal_numpy() -> None:
    x = np.array([[1, NAN, 3], [NAN, NAN, NAN]], np.float32)
    same(evaluate(lambda x: reduce.MAXIMUM.along(x, 1), x), np.array([[NAN], [NAN]], np.float32))
    same(evaluate(lambda x: reduce.FINITE_MINIMUM.along(x, 1), x[:1]), np.array([[1]], np.float32))


@pytest.mark.parametrize("by_pool", [True, False])
@pytest.mark.parametrize("axes", AXES)
def test_means_equal_numpy(axes: tuple[int, ...], by_pool: bool) -> None:
    (y,) = evaluate(lambda x: reduce.mean_over(x, axes, keep=False, by_pool=by_pool), FLOATS)
    np.testing.assert_allclose(y, FLOATS.mean(axes), rtol=1e-6, atol=1e-6)
    totals, count = INTEGERS.sum(axes, keepdims=True), math.prod(INTEGERS.shape[axis] for axis in axes)
    expected = (np.sign(totals) * (np.abs(totals) // count)).astype(np.int32)
    same(evaluate(lambda x: reduce.mean_over(x, axes, by_pool=by_pool), INTEGERS), expected)


def test_means_of_more_than_a_window_equal_numpy() -> None:
    x = RNG.integers(-9, 9, (2, 9000)).astype(np.float32)
    (y,) = evaluate(lambda x: reduce.mean_over(x, [1], by_pool=True), x)
    np.testing.assert_allclose(y, x.mean(1, keepdims=True), rtol=1e-6)


# ** variance **


@pytest.mark.parametrize("correction", [0, 1, 2.5])
def test_variance_equals_numpy(correction: float) -> None:
    (y,) = evaluate(lambda x: reduce.variance(x, [1, 3], correction), FLOATS)
    expected = FLOATS.astype(np.float64).var((1, 3), ddof=correction, keepdims=True)
    np.testing.assert_allclose(y, expected, rtol=1e-5)
    with pytest.raises(Decline, match="expected a variance over at least 1 element, found 0"):
        evaluate(lambda x: reduce.variance(x, [1, 3], 20), FLOATS)


def test_standardization_equals_numpy() -> None:
    y, mean, inverse = evaluate(lambda x: reduce.standardize(x, [1, 3], 0.5), FLOATS)
    wide = FLOATS.astype(np.float64)
    expected_mean, deviation = wide.mean((1, 3), keepdims=True), np.sqrt(wide.var((1, 3), keepdims=True) + 0.5)
    np.testing.assert_allclose(mean, expected_mean, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(inverse, 1 / deviation, rtol=1e-5)
    np.testing.assert_allclose(y, (wide - expected_mean) / deviation, rtol=1e-5, atol=1e-5)


# ** running sums **


@pytest.mark.parametrize("size", [1, 2, 5, 8])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("exclusive", [False, True])
def test_running_sums_equal_numpy(size: int, reverse: bool, exclusive: bool) -> None:
    x = RNG.integers(-99, 99, (2, size, 3)).astype(np.int32)
    turned = x[:, ::-1] if reverse else x
    expected = turned.cumsum(1, dtype=np.int32) - (turned if exclusive else 0)
    expected = expected[:, ::-1] if reverse else expected
    same(evaluate(lambda x: reduce.cumulative_sum(x, 1, exclusive=exclusive, reverse=reverse), x), expected)


# ** segments **


@pytest.mark.parametrize("constant", [True, False])
@pytest.mark.parametrize(("reduction", "judge"), [(reduce.FP32_SUM, np.sum), (reduce.FINITE_MAXIMUM, np.max)])
@pytest.mark.parametrize("ids", [[0, 2, 2, 0, -1], [3, 3, 3, 3, 3], [[0, 1], [2, 0], [1, 1], [-2, 0], [1, 2]]])
def test_segments_equal_numpy(
    constant: bool, reduction: Reduction, judge: Callable[..., Array], ids: list[int]
) -> None:
    numbers, x = np.array(ids, np.int32), RNG.integers(-9, 9, (5, 2, 3)).astype(np.float32)
    rest = x.shape[numbers.ndim :]
    groups = [x[numbers == i] for i in range(4)]
    identity = np.full(rest, reduction.identity(DType.FP32), np.float32)
    expected = np.stack([judge(group, axis=0) if len(group) else identity for group in groups])
    if constant:
        result = evaluate(lambda x: reduce.reduce_segments(x, const(numbers, DType.I32), 4, reduction), x)
    else:
        result = evaluate(lambda x, ids: reduce.reduce_segments(x, ids, 4, reduction), x, numbers)
    same(result, expected)


# ** windows **


@pytest.mark.parametrize("sizes", [(1, 1), (2, 3), (5, 7), (3, 1)])
@pytest.mark.parametrize("strides", [(1, 1), (2, 3)])
@pytest.mark.parametrize("dilations", [(1, 1), (2, 1)])
@pytest.mark.parametrize(("reduction", "judge"), [(reduce.SUM, np.sum), (reduce.MAXIMUM, np.max)])
def test_windows_equal_numpy(
    sizes: tuple[int, int], strides: tuple[int, int], dilations: tuple[int, int], reduction: Reduction,
    judge: Callable[..., Array],
) -> None:  # fmt: skip
    x = RNG.integers(-9, 9, (5, 7)).astype(np.int32)
    spans = [(n - 1) * d + 1 for n, d in zip(sizes, dilations, strict=True)]
    if spans[0] > 5:
        with pytest.raises(Decline, match="expected a window of at most 5 elements, found 9"):
            evaluate(lambda x: reduce.reduce_window(x, reduction, sizes, strides, dilations), x)
        return
    windows = np.lib.stride_tricks.sliding_window_view(x, spans)[:: strides[0], :: strides[1]]
    windows = windows[:, :, :: dilations[0], :: dilations[1]]
    expected = judge(windows, axis=(2, 3)).astype(np.int32)
    same(evaluate(lambda x: reduce.reduce_window(x, reduction, sizes, strides, dilations), x), expected)


def test_axes_are_merged_in_the_order_of_the_elements() -> None:
    for axes in AXES:
        moved = np.moveaxis(FLOATS, axes, range(-len(axes), 0)).reshape(-1, math.prod(FLOATS.shape[i] for i in axes))
        (y,) = evaluate(lambda x, axes=axes: reduce.merge_axes(x, axes), FLOATS)
        np.testing.assert_array_equal(np.moveaxis(y, 1, 2).reshape(moved.shape), moved)
        same(evaluate(lambda x, axes=axes: reduce_max(reduce.merge_axes(x, axes), 1), FLOATS), y.max(1, keepdims=True))
