"""Positions of extremes, the largest elements, sorting, and results of data-dependent length equal numpy."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from support.expressions import evaluate

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.ops import compact, elementwise, integers, order
from tosa_converter.rewriting.reasons import Decline

RNG = np.random.default_rng(24)
NAN, INF = math.nan, math.inf
INT_MIN, INT_MAX = -(2**31), 2**31 - 1


def f32(*numbers: Any) -> Array:
    return np.array(numbers, np.float32)


def same(result: Sequence[Array], *expected: Array) -> None:
    for array, want in zip(result, expected, strict=True):
        np.testing.assert_array_equal(array, want)


# ** extremes **


@pytest.mark.parametrize("dtype", ["float32", "float16", "int32", "int8", "bool"])
@pytest.mark.parametrize("smallest", [False, True])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_first_extremes_equal_numpy(dtype: str, smallest: bool, axis: int) -> None:
    x = RNG.integers(-3, 4, (3, 5, 4)).astype(dtype)
    expected = (np.argmin if smallest else np.argmax)(x, axis)
    same(evaluate(lambda x: order.first_extreme(x, axis, smallest=smallest), x), expected)


def test_extremes_at_the_ends_of_types_equal_numpy() -> None:
    for x in (f32(INF, -INF, 0), np.array([INT_MAX, INT_MIN, 0], np.int32), np.array([127, -128, 0], np.int8)):
        same(evaluate(lambda x: order.first_extreme(x, 0), x), np.array(0))
        same(evaluate(lambda x: order.first_extreme(x, 0, smallest=True), x), np.array(1))
    unsigned = np.array([3, 255, 0, 128], np.uint8)
    for smallest, place in ((False, 1), (True, 2)):
        result = evaluate(
            lambda x, s=smallest: order.first_extreme(x, 0, smallest=s, unsigned=True), unsigned.view(np.int8)
        )
        same(result, np.array(place))


def test_extremes_pass_over_nan() -> None:
    x = f32(NAN, 2, NAN, 5, 1)
    same(evaluate(lambda x: order.first_extreme(x, 0), x), np.array(3))
    same(evaluate(lambda x: order.first_extreme(x, 0, smallest=True), x), np.array(4))


def test_bucketize_equals_numpy() -> None:
    boundaries, x = [-INF, 0.0, 1.0, 1.0, INF], f32([-INF, -1, -0.0], [0.5, 1, INF])
    same(evaluate(lambda x: order.count_boundaries(x, boundaries), x), np.searchsorted(boundaries, x, side="right"))
    same(evaluate(lambda x: order.count_boundaries(x, boundaries), f32(NAN)), np.array([5]))


# ** the largest **


def largest(x: Array, count: int) -> Array:
    """Returns the positions of the largest elements, in a stable order; NaN counts as -infinity."""
    keys = np.where(np.isnan(x), -INF, x) if x.dtype.kind == "f" else x
    return np.argsort(-keys.astype(np.float64), axis=-1, kind="stable")[..., :count]


@pytest.mark.parametrize("count", [1, 3, 7])
@pytest.mark.parametrize("dtype", ["float32", "float16", "int32", "int16", "int8"])
def test_largest_elements_equal_numpy(count: int, dtype: str) -> None:
    x = RNG.integers(-4, 4, (2, 3, 7)).astype(dtype)
    places = largest(x, count)
    result = evaluate(lambda x: order.top_k(x, count, unsigned=False, unrolled=False), x)
    same(result, np.take_along_axis(x, places, -1), places)


@pytest.mark.parametrize("unrolled", [False, True])
@pytest.mark.parametrize("method", ["_top_indices_by_rank", "_top_indices_by_search", "_top_indices_by_network"])
@pytest.mark.parametrize("size", [1, 2, 5, 8, 13])
def test_every_method_of_ordering_equals_numpy(method: str, size: int, unrolled: bool) -> None:
    """The rows have ties, infinities and the lowest integer; all positions are compared."""
    options = {"unrolled": unrolled} if method == "_top_indices_by_network" else {}
    floats = RNG.choice(f32(-INF, -1, 0, 2, INF), (3, size)).astype(np.float32)
    words = RNG.choice(np.array([INT_MIN, -1, 3, INT_MAX], np.int32), (3, size))
    for keys in (floats, words):
        result = evaluate(lambda x: getattr(order, method)(x, size, **options), keys)
        same(result, largest(keys, size))


def test_impossible_counts_are_declined() -> None:
    x = np.zeros((2, 3), np.float32)
    with pytest.raises(Decline, match="expected a count in \\[1, 3\\], found 4"):
        evaluate(lambda x: order.top_k(x, 4, unsigned=False, unrolled=False), x)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("ascending", [False, True])
@pytest.mark.parametrize("unsigned", [False, True])
def test_sorting_several_operands_equals_numpy(axis: int, ascending: bool, unsigned: bool) -> None:
    keys = RNG.integers(0, 256, (5, 6)).astype(np.uint8)
    keys[2] = keys[3]
    compared = keys.astype(int) if unsigned else keys.view(np.int8).astype(int)
    x = np.arange(30, dtype=np.float32).reshape(5, 6)
    places = np.argsort(compared if ascending else -compared, axis, kind="stable")
    result = evaluate(
        lambda x, k: order.sort_together([x, k], 1, axis, ascending=ascending, unsigned=unsigned, unrolled=False),
        x,
        keys.view(np.int8),
    )
    same(result, np.take_along_axis(x, places, axis), np.take_along_axis(keys.view(np.int8), places, axis))


@pytest.mark.parametrize(
    ("ascending", "expected"), [(False, f32(INF, 2, 0, NAN, -INF, NAN)), (True, f32(-INF, 0, 2, NAN, NAN, INF))]
)
def test_nan_is_sorted_as_the_last_infinity(ascending: bool, expected: Array) -> None:
    x = f32(NAN, 2, -INF, NAN, INF, 0)
    sort = {"ascending": ascending, "unsigned": False, "unrolled": False}
    same(evaluate(lambda x: order.sort_together([x], 0, 0, **sort), x), expected)


# ** results of data-dependent length **


@pytest.mark.parametrize("rows", [1, 3, 9])
@pytest.mark.parametrize("dtype", ["bool", "int32", "int8", "float32"])
def test_coordinates_of_nonzero_elements_equal_numpy(rows: int, dtype: str) -> None:
    """Zeros follow the last coordinates; surplus coordinates are left out."""
    x = RNG.integers(-1, 2, (3, 4)).astype(dtype)
    places = np.argwhere(x)[:rows]
    expected = np.zeros((rows, 2), np.int32)
    expected[: len(places)] = places
    same(evaluate(lambda x: compact.nonzero(x, rows), x), expected)


@pytest.mark.parametrize("rows", [2, 5, 8])
@pytest.mark.parametrize("dtype", ["int32", "int16", "int8", "float32"])
def test_different_elements_equal_numpy(rows: int, dtype: str) -> None:
    x = np.array([7, -2, 7, 0, -2, 5, 0, 7, 1], dtype)
    different = np.array([7, -2, 0, 5, 1], dtype)
    values = np.zeros(rows, dtype)
    values[: min(rows, 5)] = different[:rows]
    inverse = np.array([list(different).index(element) for element in x])
    same(evaluate(lambda x: compact.unique(x, rows), x), values, inverse)


# ** integers **


def test_floored_quotients_equal_numpy() -> None:
    a = np.array([INT_MIN, -8, -7, -1, 0, 1, 7, 8, INT_MAX], np.int32)[:, None]
    b = np.array([-5, -2, 1, 2, 3, INT_MAX], np.int32)[None]
    same(evaluate(elementwise.floor_div, a, b), np.floor_divide(a, b))
    same(evaluate(elementwise.floor_mod, a, b), np.mod(a, b))


@pytest.mark.parametrize(("narrow", "wide"), [("int8", "int16"), ("int8", "int32"), ("int16", "int32")])
def test_parts_of_integers_equal_numpys_views(narrow: str, wide: str) -> None:
    """The parts equal numpy's views of little-endian memory."""
    dtypes = {"int8": DType.I8, "int16": DType.I16, "int32": DType.I32}
    x = RNG.integers(np.iinfo(wide).min, np.iinfo(wide).max, (2, 5)).astype(wide)
    parts = x[..., None].view(narrow)
    same(evaluate(lambda x: integers.split_bits(x, parts.shape[-1], dtypes[narrow]), x), parts)
    bits = np.iinfo(narrow).bits
    same(evaluate(lambda x: integers.join_bits(x, bits, dtypes[wide]), parts), x)
