"""Equal values of both sides, by hand: which pairs count, in which forms, and how much their elements tell."""

import numpy as np
import pytest

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Graph, Op, TensorType, Value
from tosa_converter.proof.equal_values import (
    EqualValues,
    Orders,
    comparable,
    information,
    is_distinctive,
    orders_of_dimensions,
)
from tosa_converter.schemas.tosa_ops import TRANSPOSE

TOLERANCE = 1e-5
RNG = np.random.default_rng(0)
BYTES = RNG.integers(-128, 128, (2, 3, 4, 5)).astype(np.int8)
FLOATS = RNG.standard_normal((2, 3, 4, 5)).astype(np.float32)


def value(dtype: DType, array: Array, shape: tuple[int, ...] | None = None) -> Value:
    return Value(TensorType(dtype, array.shape if shape is None else shape))


def places(
    source: Array, dtype: DType, result: Array, result_dtype: DType, orders: Orders
) -> list[tuple[bool, object]]:
    target = value(result_dtype, result)
    index = EqualValues({target: result}, orders, TOLERANCE)
    return [(place.flipped, place.axes) for place in index.places(value(dtype, source), source)]


@pytest.mark.parametrize(
    ("array", "bits"),
    [
        (np.zeros(4096, np.int8), 0),
        (np.tile([0, 1], 2048).astype(np.int8), 4096),
        (np.arange(256, dtype=np.uint8), 256 * 8),
        (np.arange(8, dtype=np.float32), 8 * 3),
        (np.array([1, 1 + 1e-6, 1 - 1e-6, 1], np.float32), 0),  # equal within the tolerance
        (np.array([np.inf, np.nan, 1, 2], np.float32), 2),
        (np.zeros((0, 3), np.float32), 0),
    ],
)
def test_information_is_the_entropy_times_the_number_of_elements(array: Array, bits: float) -> None:
    assert information(array, TOLERANCE) == pytest.approx(bits)


def test_few_elements_or_equal_ones_tell_nothing() -> None:
    assert is_distinctive(BYTES, TOLERANCE)
    assert not is_distinctive(BYTES.reshape(-1)[:16], TOLERANCE)
    assert not is_distinctive(np.where(np.arange(1000) == 7, 3, 0), TOLERANCE)


@pytest.mark.parametrize(
    ("source", "dtype", "result", "result_dtype", "flipped"),
    [
        (BYTES, DType.I8, BYTES.reshape(6, 20), DType.I8, False),
        (BYTES.view(np.uint8), DType.UI8, BYTES, DType.I8, False),
        (BYTES.view(np.uint8), DType.UI8, BYTES ^ np.int8(-128), DType.I8, True),
        (BYTES.astype(np.int64), DType.I64, BYTES.astype(np.int32), DType.I32, False),
        (BYTES.astype(np.int64), DType.I64, BYTES.astype(np.int64), DType.I64, False),
        (FLOATS, DType.FP32, FLOATS + np.float32(1e-6), DType.FP32, False),
    ],
)
def test_forms_of_one_value(source: Array, dtype: DType, result: Array, result_dtype: DType, flipped: bool) -> None:
    assert places(source, dtype, result, result_dtype, {}) == [(flipped, ())]


@pytest.mark.parametrize(
    ("source", "result"),
    [
        (BYTES, BYTES.astype(np.int32)),  # another width
        (BYTES, np.where(BYTES.max() == BYTES, BYTES - 1, BYTES)),
        (FLOATS, FLOATS + np.float32(1e-3)),
        (FLOATS, np.where(FLOATS.max() == FLOATS, np.float32(np.nan), FLOATS)),
        (FLOATS, FLOATS[::-1]),  # as large, and as small, but in another order
    ],
)
def test_unequal_values(source: Array, result: Array) -> None:
    dtypes = [
        {"int8": DType.I8, "int32": DType.I32, "float32": DType.FP32}[str(side.dtype)] for side in (source, result)
    ]
    assert places(source, dtypes[0], result, dtypes[1], {}) == []


@pytest.mark.parametrize("array", [BYTES, FLOATS])
def test_an_order_of_dimensions_that_the_file_has(array: Array) -> None:
    dtype = DType.I8 if array.dtype == np.int8 else DType.FP32
    x = value(dtype, array)
    op = Op(TRANSPOSE, [x], [TensorType(dtype, (2, 5, 3, 4))], {"perms": (0, 3, 1, 2)})
    orders = orders_of_dimensions(Graph("main", [x], op.results, [op]))
    assert set(orders[4]) == {(0, 3, 1, 2), (0, 2, 3, 1)}
    for axes in orders[4]:
        result = np.ascontiguousarray(array.transpose(axes))
        if dtype is DType.FP32:
            result = result + np.float32(1e-7)
        assert places(array, dtype, result, dtype, orders) == [(False, axes)]
        assert places(array, dtype, result, dtype, {}) == []


def test_only_values_that_numpy_compares_are_candidates() -> None:
    shapes = [((2, 3), DType.I8), ((6,), DType.FP32), ((7,), DType.I8), ((None, 3), DType.I8), ((6,), DType.BF16)]
    values = [Value(TensorType(dtype, shape)) for shape, dtype in shapes]
    assert comparable(values, {6}) == values[:2]
