"""Arithmetic, rounding, extremes, comparisons and shifts equal numpy."""

import operator
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from support.expressions import evaluate

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.ops import elementwise
from tosa_converter.rewriting.expr import Expr, operand_as_expr

INFINITY, NAN = np.inf, np.nan
SPECIAL: Array = np.array([-INFINITY, -3.5, -1, -0.5, -0.0, 0, 0.5, 1, 2.5, 1e30, INFINITY, NAN], np.float32)
INT_MIN, INT_MAX = -(2**31), 2**31 - 1
INTEGERS: Array = np.array([INT_MIN, -(2**20), -7, -2, -1, 0, 1, 2, 5, 12, INT_MAX], np.int32)


def computed(formula: Callable[..., Expr], *arrays: Array) -> Array:
    (result,) = evaluate(formula, *arrays)
    return result


def f32(*numbers: float) -> Array:
    return np.array(numbers, np.float32)


def i32(*numbers: int) -> Array:
    return np.array(numbers, np.int32)


def pairs(a: Array, b: Array) -> tuple[Array, Array]:
    return a.reshape(-1, 1), b.reshape(1, -1)


def random_floats(seed: int, low: float, high: float, count: int = 4000) -> Array:
    """Returns numbers of both signs, with magnitudes spread evenly over the exponents."""
    rng = np.random.default_rng(seed)
    magnitudes = np.exp2(rng.uniform(np.log2(low), np.log2(high), count))
    return np.asarray(magnitudes * rng.choice([-1, 1], count), np.float32)


def divisors(values: Array) -> Array:
    """Returns divisors for which INTDIV is defined with any dividend."""
    return np.asarray(values[(values != 0) & (values != -1)])


# ** arithmetic **


def test_quotients_of_floats_equal_numpy() -> None:
    a, b = random_floats(0, 1e-18, 1e18), random_floats(1, 1e-18, 1e18)
    expected = a.astype(np.float64) / b
    assert np.abs(computed(elementwise.divide, a, b) / expected - 1).max() <= 2 * 2.0**-23


def test_quotients_of_zeros_and_infinities_equal_numpy() -> None:
    a, b = f32(1, -1, 0, 0, INFINITY, INFINITY, 1), f32(0, 0, 0, 2, INFINITY, -2, INFINITY)
    with np.errstate(divide="ignore", invalid="ignore"):
        np.testing.assert_array_equal(computed(elementwise.divide, a, b), a / b)


def test_quotients_of_integers_are_truncated() -> None:
    a, b = pairs(INTEGERS, divisors(INTEGERS))
    expected = np.trunc(a.astype(np.float64) / b)
    np.testing.assert_array_equal(computed(elementwise.divide, a, b), expected)


def test_squares_and_differences_equal_numpy() -> None:
    a, b = pairs(SPECIAL, SPECIAL)
    with np.errstate(over="ignore", invalid="ignore"):
        np.testing.assert_array_equal(computed(elementwise.squared_difference, a, b), (a - b) * (a - b))
        np.testing.assert_array_equal(computed(elementwise.square, SPECIAL), SPECIAL * SPECIAL)


def test_square_roots_equal_numpy() -> None:
    x = np.concatenate([np.abs(random_floats(2, 1e-37, 1e38)), f32(0, INFINITY, -1, NAN)])
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(computed(elementwise.sqrt, x), np.sqrt(x.astype(np.float64)), rtol=2.5e-7)


def test_signs_equal_numpy() -> None:
    np.testing.assert_array_equal(computed(elementwise.sign, SPECIAL), np.sign(SPECIAL))
    np.testing.assert_array_equal(computed(elementwise.sign, INTEGERS), np.sign(INTEGERS))
    magnitudes = np.abs(SPECIAL[:-1])
    np.testing.assert_array_equal(computed(elementwise.signed_as, SPECIAL[:-1], magnitudes), SPECIAL[:-1])


@pytest.mark.parametrize("dtype", elementwise.NORMAL_RANGE)
def test_ranges_of_normal_numbers_equal_numpy(dtype: DType) -> None:
    limits = ml_dtypes.finfo(dtype.numpy)  # type: ignore[no-untyped-call]
    assert elementwise.NORMAL_RANGE[dtype] == (float(limits.smallest_normal), float(limits.max))


# ** quotients and remainders **

DIVISIONS: list[tuple[Callable[[Expr, Expr], Expr], Callable[[Any, Any], Any]]] = [
    (elementwise.fmod, np.fmod), (elementwise.floor_mod, np.mod), (elementwise.floor_div, np.floor_divide),
]  # fmt: skip
IDS = ["fmod", "floor_mod", "floor_div"]


@pytest.mark.parametrize(("function", "judge"), DIVISIONS[:2], ids=IDS[:2])
def test_remainders_of_floats_are_exact(function: Callable[..., Expr], judge: Callable[..., Array]) -> None:
    """Quotients go up to 2**32; those of whole and decimal numbers lie next to a whole one."""
    divisor = random_floats(3, 1e-6, 1e6)
    dividend = divisor * random_floats(4, 2.0**-8, 2.0**32)
    np.testing.assert_array_equal(computed(function, dividend, divisor), judge(dividend, divisor))
    steps = np.arange(-60, 61, dtype=np.float32)
    a, b = pairs(steps / np.float32(10), steps[steps != 0] / np.float32(10))
    np.testing.assert_array_equal(computed(function, a, b), judge(a, b))


@pytest.mark.parametrize(("function", "judge"), DIVISIONS[:2], ids=IDS[:2])
def test_remainders_of_special_floats_equal_numpy(function: Callable[..., Expr], judge: Callable[..., Array]) -> None:
    a, b = pairs(SPECIAL, SPECIAL)
    quotients_fit = ~(np.abs(a) > 1e20) | ~np.isfinite(b)
    a, b = np.broadcast_arrays(a, b)
    a, b = a[quotients_fit & ~np.isinf(a)], b[quotients_fit & ~np.isinf(a)]
    keep = ~np.isinf(b) | (np.sign(a) * np.sign(b) >= 0) | (function is elementwise.fmod)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(computed(function, a[keep], b[keep]), judge(a[keep], b[keep]))


def test_floored_quotients_of_floats_equal_numpy() -> None:
    divisor = random_floats(5, 1e-6, 1e6)
    dividend = divisor * random_floats(6, 2.0**-8, 2.0**20)
    expected = np.floor_divide(dividend.astype(np.float64), divisor)
    np.testing.assert_array_equal(computed(elementwise.floor_div, dividend, divisor), expected)


@pytest.mark.parametrize(("function", "judge"), DIVISIONS, ids=IDS)
def test_divisions_of_integers_equal_numpy(function: Callable[..., Expr], judge: Callable[..., Array]) -> None:
    a, b = pairs(INTEGERS, divisors(INTEGERS))
    np.testing.assert_array_equal(computed(function, a, b), judge(a, b))


def test_halves_of_mantissas_equal_numpy() -> None:
    x = random_floats(7, 1e-20, 1e20)
    high, low = evaluate(elementwise.split_mantissa, x)
    np.testing.assert_array_equal(high.astype(np.float64) + low, x)
    for half in (high, low):
        mantissas, _ = np.frexp(half)
        scaled = mantissas * 2.0**12
        np.testing.assert_array_equal(scaled, np.rint(scaled))


# ** rounding **

TIES: Array = np.array([-3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 1023.5, 0.49999997, 8388607.5, 2.0**23 + 1], np.float32)


@pytest.mark.parametrize(
    ("function", "judge"), [(elementwise.truncate, np.trunc), (elementwise.round_half_even, np.rint)]
)
@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_rounding_equals_numpy(function: Callable[..., Expr], judge: Callable[..., Array], dtype: type) -> None:
    with np.errstate(over="ignore"):
        x = np.concatenate([TIES, SPECIAL, random_floats(8, 0.1, 2.0**25)]).astype(dtype)
    np.testing.assert_array_equal(computed(function, x), judge(x))


def test_rounding_of_bf16_equals_numpy() -> None:
    x = np.concatenate([TIES, SPECIAL, random_floats(9, 0.1, 2.0**25)]).astype(ml_dtypes.bfloat16).astype(np.float32)
    rounded = computed(lambda x: elementwise.round_half_even(x.cast(DType.BF16)).cast(DType.FP32), x)
    np.testing.assert_array_equal(rounded, np.rint(x).astype(ml_dtypes.bfloat16).astype(np.float32))


def test_rounding_takes_ties_up() -> None:
    x = np.concatenate([TIES, SPECIAL[1:-2], random_floats(10, 0.1, 2.0**25)])
    np.testing.assert_array_equal(computed(elementwise.round_half_up, x), np.floor(x.astype(np.float64) + 0.5))


# ** extremes **


@pytest.mark.parametrize(("function", "judge"), [(elementwise.larger, np.maximum), (elementwise.smaller, np.minimum)])
def test_extremes_equal_numpy(function: Callable[..., Expr], judge: Callable[..., Array]) -> None:
    """A constant wins over a NaN; a NaN and a computed value give NaN."""
    a, b = pairs(SPECIAL, SPECIAL)
    np.testing.assert_array_equal(computed(function, a, b), judge(a, b))
    np.testing.assert_array_equal(computed(function, *pairs(INTEGERS, INTEGERS)), judge(*pairs(INTEGERS, INTEGERS)))
    expected = np.where(np.isnan(SPECIAL), np.float32(1.5), judge(SPECIAL, np.float32(1.5)))
    np.testing.assert_array_equal(computed(lambda x: function(x, operand_as_expr(1.5, x)), SPECIAL), expected)


def test_tensors_as_bounds_equal_numpy() -> None:
    low, high = i32(-5, 3, 4, 2, 1), i32(-1, 9, 4, 0, 2)
    x = np.arange(-10, 11, dtype=np.int32).reshape(-1, 1)
    np.testing.assert_array_equal(computed(elementwise.clamp_between, low, x, high), np.clip(x, low, high))


# ** comparisons **


@pytest.mark.parametrize(
    ("function", "judge"), [(elementwise.equal, operator.eq), (elementwise.not_equal, operator.ne)]
)
@pytest.mark.parametrize("values", [SPECIAL, INTEGERS, np.array([False, True])], ids=["fp32", "i32", "bool"])
def test_equality_equals_numpy(function: Callable[..., Expr], judge: Callable[..., Array], values: Array) -> None:
    a, b = pairs(values, values)
    np.testing.assert_array_equal(computed(function, a, b), judge(a, b))


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_kinds_of_floats_equal_numpy(dtype: type) -> None:
    x: Array = np.where(SPECIAL > 1e4, np.inf, SPECIAL).astype(dtype)
    np.testing.assert_array_equal(computed(elementwise.is_nan, x), np.isnan(x))
    np.testing.assert_array_equal(computed(elementwise.is_infinite, x), np.isinf(x))


# ** shifts **


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32])
def test_left_shifts_equal_numpy(dtype: type) -> None:
    """Amounts beyond the bits and below 0 give 0; bits that are shifted out are lost."""
    bits = np.dtype(dtype).itemsize * 8
    x, amount = pairs(
        np.array([-128, -1, 0, 1, 85, 127], dtype), np.array([-128, -1, 0, 1, 7, 8, 15, 31, 32, 127], dtype)
    )
    inside = (amount >= 0) & (amount < bits)
    expected: Array = np.where(inside, x.astype(np.int64) << np.where(inside, amount, 0).astype(np.int64), 0).astype(
        dtype
    )
    np.testing.assert_array_equal(computed(elementwise.shift_left, x, amount), expected)
