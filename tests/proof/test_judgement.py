"""The judge of two arrays, by hand: what counts as different, which element is named, what a quick look may decide."""

import numpy as np
import pytest

from tosa_converter.ir import Array
from tosa_converter.proof.judgement import CLEARLY, difference, judge, quick_relative_error

NAN, INF = np.nan, np.inf


@pytest.mark.parametrize(
    ("dtype", "has_tolerance"),
    [
        ("bool", False),
        ("int8", False),
        ("uint8", False),
        ("int16", False),
        ("uint16", False),
        ("int32", False),
        ("uint32", False),
        ("int64", False),
        ("uint64", False),
        ("float16", True),
        ("float32", True),
        ("float64", True),
    ],
)
def test_floats_alone_have_a_tolerance(dtype: str, has_tolerance: bool) -> None:
    judgement = judge(np.array([0, 1], dtype), np.array([1, 1], dtype), 1.0)
    assert (judgement.verdict, judgement.tolerance) == (has_tolerance, float(has_tolerance))
    assert (judgement.mismatches, judgement.max_abs, judgement.reference_max) == (1, 1.0, 1.0)
    assert (judgement.ulp is not None) == has_tolerance


@pytest.mark.parametrize("dtype", ["int64", "uint64"])
@pytest.mark.parametrize("power", [52, 53, 62])
def test_large_integers_that_differ_by_one_are_not_equal(dtype: str, power: int) -> None:
    """fp64 takes 2**53 and 2**53 + 1 for the same number."""
    number = 2**power
    a, b = np.array([number, number], dtype), np.array([number, number + 1], dtype)
    assert difference(a, b).tolist() == [0.0, 1.0]
    judgement = judge(a, b, 0.0)
    assert (judgement.verdict, judgement.mismatches, judgement.first) == (False, 1, (1,))
    assert judge(a, a, 0.0).verdict


def test_integers_of_other_types_and_signs_are_compared_by_their_numbers() -> None:
    assert difference(np.array([-1, 7], np.int32), np.array([-1, 5], np.int64)).tolist() == [0, 2]
    assert difference(np.array([-1], np.int8), np.array([255], np.uint8)).tolist() == [256]


@pytest.mark.parametrize(
    ("result", "tolerance", "first", "verdict"),
    [
        ([8.0, 4.0, 2.0], 0.125, None, True),
        ([8.0, 4.5, 2.5], 0.125, (1,), True),  # none is beyond: the first that differs
        ([8.0, 4.5, 4.0], 0.125, (2,), False),  # the first beyond the tolerance of 1
        ([8.0, 5.0, 3.5], 0.125, (2,), False),  # what is off by the tolerance isn't beyond it
        ([9.0, 5.0, 3.0], 0.125, (0,), True),
        ([9.5, 5.5, 3.5], 0.125, (0,), False),
    ],
)
def test_the_element_that_is_named(
    result: list[float], tolerance: float, first: tuple[int] | None, verdict: bool
) -> None:
    judgement = judge(np.array([8.0, 4.0, 2.0], np.float32), np.array(result, np.float32), tolerance)
    assert (judgement.first, judgement.verdict) == (first, verdict)
    if first is not None:
        assert (judgement.expected, judgement.found) == ([8.0, 4.0, 2.0][first[0]], result[first[0]])


def test_equal_arrays_name_no_element() -> None:
    judgement = judge(np.array([8.0, 4.0], np.float32), np.array([8.0, 4.0], np.float32), 0.5)
    assert (judgement.first, judgement.expected, judgement.found) == (None, 0.0, 0.0)
    assert (judgement.mismatches, judgement.max_abs, judgement.sqnr_db) == (0, 0.0, INF)
    empty = judge(np.zeros((0, 2), np.float32), np.zeros((0, 2), np.float32), 0.5)
    assert (empty.elements, empty.verdict, empty.reference_max, empty.max_abs) == (0, True, 0.0, 0.0)


def test_undefined_elements_count_only_where_they_differ() -> None:
    reference, result = np.array([[1, 2], [3, 4]], np.int8), np.array([[1, 9], [7, 4]], np.int8)
    mask = np.array([[True, True], [False, True]])
    judgement = judge(reference, result, 0.0, mask)
    assert (judgement.undefined, judgement.mismatches, judgement.max_abs) == (1, 1, 4.0)
    assert (judgement.elements, judgement.first) == (4, (1, 0))
    assert judge(reference, result, 0.0, np.ones((2, 2), bool)).verdict


@pytest.mark.parametrize(
    ("a", "b", "ulp"),
    [
        (1.0, 1.0 + 2**-23, 1.0),
        (1.0, 1.0 - 2**-24, 1.0),
        (-1.0, -1.0 - 2**-22, 2.0),
        (-(2.0**-149), 2.0**-149, 2.0),
        (0.0, 2.0**-149, 1.0),
        (-0.0, 2.0**-149, 1.0),
    ],
)
def test_units_in_the_last_place(a: float, b: float, ulp: float) -> None:
    reference, result = (np.array([x, 3.0], np.float32) for x in (a, b))
    assert judge(reference, result, 1.0).ulp == judge(result, reference, 1.0).ulp == ulp
    assert judge(reference, reference, 1.0).ulp == 0.0


def test_an_error_relative_to_nothing_is_absolute() -> None:
    assert judge(np.zeros(2, np.float32), np.array([0, 0.5], np.float32), 0.0).relative_error == 0.5
    assert judge(np.array([-4, 0], np.float32), np.array([-4, 0.5], np.float32), 0.0).relative_error == 0.125


@pytest.mark.parametrize(
    ("reference", "result", "error"),
    [
        ([1, -8, 2], [1, -8, 2], 0.0),
        ([1, -8, 2], [1, -8, 6], 0.5),
        ([1, -8, 2], [1, -8, -2], 0.5),
        ([1, 8, 2], [1, 4, 2], 0.5),
        ([-1, -2], [-1, -3], 0.5),
        ([0, 0], [0, 0], 0.0),
        ([0, 0], [0, 1e-30], INF),
        ([], [], 0.0),
        ([1, NAN], [1, NAN], NAN),
        ([1, 2], [1, NAN], NAN),
        ([1, 2], [1, INF], INF),
        ([1, 2], [1, -INF], INF),
    ],
)
def test_the_quick_look(reference: list[float], result: list[float], error: float) -> None:
    quick_error = quick_relative_error(np.array(reference, np.float32), np.array(result, np.float32))
    np.testing.assert_equal(quick_error, error)


def test_the_quick_look_at_other_types_asks_for_equality() -> None:
    for dtype in ("int8", "float16", "float64"):
        x = np.array([1, 100], dtype)
        assert quick_relative_error(x, x.copy()) == 0.0
        assert quick_relative_error(x, np.array([1, 101], dtype)) == INF


@pytest.mark.parametrize("tolerance", [1e-5, 2.0**-8, 2.0**-5])
def test_what_the_quick_look_lets_pass_is_within_the_tolerance(tolerance: float) -> None:
    """On errors about the tolerance, to both sides of it."""
    rng = np.random.default_rng(0)
    passed = 0
    for _ in range(200):
        reference = rng.normal(size=50).astype(np.float32)
        size = tolerance * np.abs(reference).max() * rng.uniform(0.9, 1.1)
        result = reference.copy()
        result[rng.integers(50)] += np.float32(size)
        quickly = quick_relative_error(reference, result) < CLEARLY * tolerance
        judgement = judge(reference, result, tolerance)
        assert judgement.verdict or not quickly
        passed += quickly
    assert 50 < passed < 150  # nor does it leave everything to the judge


def array(*numbers: float) -> Array:
    return np.array(numbers, np.float32)


def test_numbers_that_are_none_differ_from_all_others() -> None:
    judgement = judge(array(NAN, 1, INF, -INF), array(NAN, NAN, INF, INF), 1.0)
    assert (judgement.mismatches, judgement.max_abs, judgement.verdict) == (2, INF, False)
    assert judgement.first == (1,)
