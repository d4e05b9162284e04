"""Writing by index equals loops over numpy arrays."""

from typing import Any

import numpy as np
import pytest
from support.expressions import evaluate

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.ops import reduce, scatter
from tosa_converter.legalize.ops.reduce import Reduction
from tosa_converter.rewriting.expr import const
from tosa_converter.rewriting.reasons import Decline

RNG = np.random.default_rng(24)


def numbered(*shape: int, dtype: str = "float32") -> Array:
    return np.arange(np.prod(shape)).reshape(shape).astype(dtype)


def ints(*numbers: Any) -> Array:
    return np.array(numbers, np.int32)


def same(result: list[Array], expected: Array) -> None:
    assert result[0].dtype == expected.dtype
    np.testing.assert_array_equal(result[0], expected)


@pytest.mark.parametrize("dtype", ["float32", "float16", "int32", "int16", "int8", "bool"])
def test_rows_of_every_type_are_written(dtype: str) -> None:
    x, rows = RNG.integers(-2, 3, (2, 5, 3)).astype(dtype), RNG.integers(-2, 3, (2, 2, 3)).astype(dtype)
    indices, expected = ints([4, 0], [1, 2]), x.copy()
    np.put_along_axis(expected, indices[..., None], rows, 1)
    same(evaluate(scatter.scatter_rows, x, indices, rows), expected)


@pytest.mark.parametrize("size", [(1, 1, 1), (2, 3, 2), (1, 4, 5), (2, 4, 5), (3, 4, 5)])
def test_updated_slices_are_moved_inside(size: tuple[int, ...]) -> None:
    x, update = numbered(3, 4, 5), -numbered(*size) - 1
    for begin in (ints(0, 0, 0), ints(-2, 9, 1), ints(1, 1, 4)):
        start, expected = np.clip(begin, 0, np.subtract(x.shape, size)), x.copy()
        expected[tuple(slice(b, b + n) for b, n in zip(start, size, strict=True))] = update
        same(evaluate(scatter.update_slice, x, update, begin), expected)


def test_an_update_larger_than_the_tensor_is_declined() -> None:
    with pytest.raises(Decline, match="expected a block of at most"):
        evaluate(scatter.update_slice, numbered(2, 2), numbered(2, 3), ints(0, 0))


def test_entries_are_replaced_along_an_axis() -> None:
    x, places = numbered(3, 6), np.array([5, 1, 2])
    expected = x.copy()
    expected[:, places] = -numbered(3, 3)
    same(evaluate(lambda x, y: scatter.replace_along(x, y, 1, places), x, -numbered(3, 3)), expected)


# ** sums **


def summed(indices: Array, updates: Array, shape: tuple[int, ...]) -> Array:
    y = np.zeros(shape, updates.dtype)
    np.add.at(y, tuple(np.moveaxis(indices, -1, 0)), updates)
    return y


@pytest.mark.parametrize("constant", [True, False])
@pytest.mark.parametrize("dtype", ["float32", "int32", "int8", "bool"])
@pytest.mark.parametrize(("shape", "depth", "outer"), [((4, 3), 1, (7,)), ((3, 4), 2, (2, 5)), ((5,), 1, (1,))])
def test_updates_of_one_place_add_up(
    constant: bool, dtype: str, shape: tuple[int, ...], depth: int, outer: tuple[int, ...]
) -> None:
    """int8 wraps; a boolean is true if any update is."""
    indices = np.stack([RNG.integers(0, size, outer) for size in shape[:depth]], -1).astype(np.int32)
    updates = RNG.integers(-100, 100, (*outer, *shape[depth:])).astype(dtype)
    if constant:
        result = evaluate(lambda u: scatter.scatter_nd(const(indices, DType.I32), u, shape), updates)
    else:
        result = evaluate(lambda i, u: scatter.scatter_nd(i, u, shape), indices, updates)
    same(result, summed(indices, updates, shape))


def test_sums_in_many_rows_equal_numpy() -> None:
    """More pairs exist than are compared, so equal updates are added up first."""
    shape, indices = (3000,), RNG.integers(0, 60, (400, 1)).astype(np.int32) * 50
    updates = RNG.integers(-99, 99, 400).astype(np.int32)
    assert shape[0] * updates.size > scatter.MAX_COMPARED
    same(evaluate(lambda i, u: scatter.scatter_nd(i, u, shape), indices, updates), summed(indices, updates, shape))


# ** the last update **


@pytest.mark.parametrize("constant", [True, False])
@pytest.mark.parametrize("count", [1, 6])
def test_the_last_of_sparse_values_counts(constant: bool, count: int) -> None:
    indices, values = RNG.integers(0, 2, (6, 2)).astype(np.int32), numbered(count) + 1
    expected = np.full((2, 3), -1, np.float32)
    for i, place in enumerate(indices):
        expected[tuple(place)] = values[min(i, count - 1)]
    default = np.array(-1, np.float32)
    if constant:
        formula = lambda v, d: scatter.sparse_to_dense(const(indices, DType.I32), v, d, (2, 3))  # noqa: E731
        same(evaluate(formula, values, default), expected)
    else:
        same(evaluate(lambda i, v, d: scatter.sparse_to_dense(i, v, d, (2, 3)), indices, values, default), expected)


@pytest.mark.parametrize("axis", [0, 1])
def test_elements_are_written_along_an_axis(axis: int) -> None:
    """Indices reach a part of the tensor only, and repeat."""
    x, shape = numbered(4, 5, dtype="int32"), [3, 4]
    shape[axis] = 6
    indices = RNG.integers(0, x.shape[axis], shape).astype(np.int32)
    src = RNG.integers(100, 200, shape).astype(np.int32)
    last, sums = x.copy(), x.copy()
    for place in np.ndindex(*shape):
        target = list(place)
        target[axis] = indices[place]
        last[tuple(target)] = src[place]
        sums[tuple(target)] += src[place]
    same(evaluate(lambda x, i, s: scatter.scatter_elements(x, i, s, axis), x, indices, src), last)
    same(evaluate(lambda x, i, s: scatter.scatter_add_elements(x, i, s, axis), x, indices, src), sums)


# ** windows **

CASES: list[tuple[str, Reduction | None]] = [("last", None), ("add", reduce.SUM), ("maximum", reduce.MAXIMUM)]


@pytest.mark.parametrize(("combine", "reduction"), CASES)
def test_windows_partly_outside_are_left_out(combine: str, reduction: Reduction | None) -> None:
    x, begin = numbered(4, 5, dtype="int32"), RNG.integers(-2, 5, (6, 2)).astype(np.int32)
    updates, expected = RNG.integers(-50, 50, (6, 2, 1)).astype(np.int32), x.copy()
    for vector, window in zip(begin, updates, strict=True):
        for offset in np.ndindex(2, 1):
            row, column = vector[1] + offset[0], vector[0] + offset[1]
            if 0 <= row < 4 and 0 <= column < 5:
                old, new = expected[row, column], window[offset]
                expected[row, column] = new if combine == "last" else getattr(np, combine)(old, new)
    result = evaluate(
        lambda x, b, u: scatter.scatter_at(
            x, scatter.window_numbers(b, (1, 0), (4, 5), (2, 1)).reshape((1, 12)), u.reshape((1, 12)), reduction
        ),
        x,
        begin,
        updates,
    )
    same(result, expected)
