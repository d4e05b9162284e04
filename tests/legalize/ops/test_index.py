"""Reading by index equals numpy's own indexing."""

from typing import Any

import numpy as np
import pytest
from support.expressions import evaluate

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.ops import index
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.reasons import Decline

RNG = np.random.default_rng(24)
TYPES = ["float32", "float16", "int32", "int16", "int8", "bool"]


def numbered(*shape: int, dtype: str = "float32") -> Array:
    return np.arange(np.prod(shape)).reshape(shape).astype(dtype)


def ints(*numbers: Any) -> Array:
    return np.array(numbers, np.int32)


def constant(array: Array) -> Expr:
    return const(array, DType.I32)


def same(result: list[Array], expected: Array) -> None:
    assert result[0].dtype == expected.dtype
    np.testing.assert_array_equal(result[0], expected)


# ** rows and elements **


@pytest.mark.parametrize("dtype", TYPES)
def test_rows_of_every_type_are_gathered(dtype: str) -> None:
    x, indices = RNG.integers(-2, 3, (2, 5, 3)).astype(dtype), RNG.integers(0, 5, (2, 4)).astype(np.int32)
    same(evaluate(index.gather_rows, x, indices), np.take_along_axis(x, indices[..., None], 1))


@pytest.mark.parametrize("bad", [-1, 5])
def test_constant_indices_out_of_range_are_declined(bad: int) -> None:
    with pytest.raises(Decline, match="expected indices inside the operand"):
        evaluate(lambda x: index.gather_rows(x, constant(ints([bad]))), numbered(1, 5, 1))
    with pytest.raises(Decline, match="expected indices inside the operand"):
        evaluate(lambda x: index.gather_along(x, constant(ints(bad, bad + 1)), 0), numbered(5))


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("indices", [ints(1), ints(1, 0, 1), ints([0, 1], [1, 1]), ints(0, 1), np.int32(1)])
def test_gathering_along_an_axis_equals_numpy(axis: int, indices: Array) -> None:
    """Indices are run-time values and constants; ascending constants become a slice."""
    x = numbered(2, 3, 4)
    same(evaluate(lambda x, i: index.gather_along(x, i, axis), x, np.asarray(indices)), np.take(x, indices, axis))
    same(evaluate(lambda x: index.gather_along(x, constant(indices), axis), x), np.take(x, indices, axis))


def test_gathering_with_batches_equals_numpy() -> None:
    x, indices = numbered(2, 3, 4, 5), RNG.integers(0, 4, (2, 6)).astype(np.int32)
    expected = np.stack([np.take(part, row, 1) for part, row in zip(x, indices, strict=True)])
    same(evaluate(lambda x, i: index.gather_along(x, i, 2, batch_dims=1), x, indices), expected)


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("outer", [(), (4,), (2, 3)])
def test_vectors_of_indices_equal_numpy(depth: int, outer: tuple[int, ...]) -> None:
    x = numbered(3, 4, 5)
    indices = np.stack([RNG.integers(0, size, outer) for size in x.shape[:depth]], -1).astype(np.int32)
    same(evaluate(index.gather_nd, x, indices), x[tuple(np.moveaxis(indices, -1, 0))])


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_take_along_axis_equals_numpy(axis: int) -> None:
    x, shape = numbered(3, 4, 2), [2, 3, 2]
    shape[axis] = 5
    indices = RNG.integers(0, x.shape[axis], shape).astype(np.int32)
    reached = x[tuple(slice(None) if i == axis else slice(n) for i, n in enumerate(shape))]
    expected = np.take_along_axis(reached, indices, axis)
    same(evaluate(lambda x, i: index.gather_elements(x, i, axis), x, indices), expected)


def test_constant_places_equal_numpy() -> None:
    x, places = numbered(3, 4), RNG.integers(0, 12, (2, 5))
    same(evaluate(lambda x: index.gather_flat(x, places), x), x.reshape(-1)[places])


@pytest.mark.parametrize("axes", [(0,), (2,), (0, 1), (1, 2), (0, 2), (1, 3), (0, 1, 3)])
def test_several_tensors_of_indices_equal_numpy(axes: tuple[int, ...]) -> None:
    """They broadcast; their dimensions come first unless the axes are neighbours."""
    x = numbered(3, 4, 2, 5)
    shapes = [(2, 1), (3,), (2, 3)]
    indices = [RNG.integers(0, x.shape[axis], shapes[i]).astype(np.int32) for i, axis in enumerate(axes)]
    key: list[Any] = [slice(None)] * 4
    for axis, part in zip(axes, indices, strict=True):
        key[axis] = part
    same(evaluate(lambda x, *parts: index.advanced_index(x, axes, parts), x, *indices), x[tuple(key)])


def test_negative_indices_count_from_the_end() -> None:
    indices = ints(-3, -1, 0, 2)
    same(evaluate(lambda i: index.from_front(i, 3), indices), indices % 3)
    same(evaluate(lambda: index.from_front(constant(indices), 3)), indices % 3)


@pytest.mark.parametrize(("axis", "batch_axis"), [(1, 0), (0, 1), (2, 0), (0, 2), (1, 2), (3, 1)])
def test_reversed_sequences_equal_numpy(axis: int, batch_axis: int) -> None:
    x = numbered(3, 4, 5, 2)
    lengths = RNG.integers(0, x.shape[axis] + 1, x.shape[batch_axis]).astype(np.int32)
    expected = np.moveaxis(x, (batch_axis, axis), (0, 1)).copy()
    for part, length in zip(expected, lengths, strict=True):
        part[:length] = part[:length][::-1].copy()
    expected = np.moveaxis(expected, (0, 1), (batch_axis, axis))
    same(evaluate(lambda x, n: index.reverse_sequences(x, n, axis, batch_axis), x, lengths), expected)


# ** blocks and windows **


@pytest.mark.parametrize("size", [(1, 1, 1), (2, 3, 2), (3, 4, 1), (1, 4, 5), (2, 4, 5), (3, 4, 5)])
def test_slices_at_run_time_equal_numpy(size: tuple[int, ...]) -> None:
    x = numbered(3, 4, 5)
    room = np.subtract(x.shape, size)
    for begin in (room * 0, room, RNG.integers(0, room + 1)):
        expected = x[tuple(slice(b, b + n) for b, n in zip(begin, size, strict=True))]
        same(evaluate(lambda x, b: index.dynamic_slice(x, b, size), x, begin.astype(np.int32)), expected)
        same(evaluate(lambda x, b=begin: index.dynamic_slice(x, constant(b), size), x), expected)


@pytest.mark.parametrize("size", [(0, 4), (4, 4), (3,)])
def test_blocks_that_do_not_fit_are_declined(size: tuple[int, ...]) -> None:
    with pytest.raises(Decline, match="expected a block of at most"):
        evaluate(lambda x, b: index.dynamic_slice(x, b, size), numbered(3, 4), ints(0, 0))


@pytest.mark.parametrize("size", [(1, 1, 1), (2, 2, 2), (3, 1, 5), (3, 4, 5), (1, 4, 5)])
@pytest.mark.parametrize("axes", [(0,), (2, 0), (1, 0, 2)])
def test_windows_are_moved_inside(size: tuple[int, ...], axes: tuple[int, ...]) -> None:
    x, begin = numbered(3, 4, 5), RNG.integers(-3, 7, (6, len(axes))).astype(np.int32)
    windows = []
    for vector in begin:
        start = [0, 0, 0]
        for axis, place in zip(axes, vector, strict=True):
            start[axis] = min(max(place, 0), x.shape[axis] - size[axis])
        windows.append(x[tuple(slice(b, b + n) for b, n in zip(start, size, strict=True))])
    same(evaluate(lambda x, b: index.gather_windows(x, b, axes, size), x, begin), np.stack(windows))


# ** choice by index **


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_one_hot_equals_numpy(axis: int) -> None:
    """Indices out of range choose nothing."""
    indices, on, off = ints([0, 3, -1], [2, 4, 1]), np.float32(5), np.float32(-2)
    places = np.moveaxis(indices[..., None] == np.arange(4), -1, axis)
    result = evaluate(lambda i, on, off: index.one_hot(i, 4, axis, on, off), indices, np.array(on), np.array(off))
    same(result, np.where(places, on, off))


def test_diagonals_equal_numpy() -> None:
    same(evaluate(index.diagonal_matrix, numbered(2, 3)), np.stack([np.diag(row) for row in numbered(2, 3)]))
    for rows, columns in ((3, 3), (2, 4), (4, 2)):
        x, diagonal = numbered(2, rows, columns), -numbered(2, min(rows, columns)) - 1
        expected = x.copy()
        for i in range(min(rows, columns)):
            expected[:, i, i] = diagonal[:, i]
        same(evaluate(index.with_diagonal, x, diagonal), expected)
