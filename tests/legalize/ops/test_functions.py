"""Powers, exponentials, angles, hyperbolic functions and activations equal numpy in fp64."""

import functools
import math
from collections.abc import Callable

import numpy as np
import pytest
from support.expressions import evaluate

from tosa_converter.ir import Array
from tosa_converter.legalize.ops import functions
from tosa_converter.legalize.ops.casts import in_fp32
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.reasons import Decline

INFINITY, NAN = np.inf, np.nan
Unary = Callable[[Expr], Expr]
Judge = Callable[[Array], Array]


def f32(*numbers: float) -> Array:
    return np.array(numbers, np.float32)


def computed(formula: Callable[..., Expr], *arrays: Array) -> Array:
    (result,) = evaluate(formula, *arrays)
    return result


def both_signs(low: float, high: float, count: int = 2000) -> Array:
    """Returns numbers whose magnitudes are spread evenly over the exponents, and 0."""
    magnitudes = np.geomspace(low, high, count)
    return np.concatenate([-magnitudes[::-1], [0], magnitudes]).astype(np.float32)


def check_close(result: Array, expected: Array, rtol: float) -> None:
    """Asserts a bounded relative error; values beyond fp32 are infinite, and subnormal results may be 0."""
    with np.errstate(over="ignore"):
        expected = np.where(np.abs(expected) > np.finfo(np.float32).max, expected.astype(np.float32), expected)
    np.testing.assert_allclose(result, expected, rtol=rtol, atol=2.0**-126)


# ** powers **


def test_polynomials_equal_numpy() -> None:
    x = f32(-2, -0.5, 0, 1, 3)
    expected = np.polynomial.polynomial.polyval(x, [1, -2, 0, 0.5])
    np.testing.assert_array_equal(computed(lambda x: functions.polynomial(x, (1, -2, 0, 0.5)), x), expected)


def test_powers_of_floats_equal_numpy() -> None:
    base = np.concatenate([both_signs(1e-3, 1e3, 50), f32(-2, -1, 1, 2)])
    exponent = f32(-7, -3, -2.5, -1, -0.5, 0, 0.3, 1, 2, 3, 6, 10)
    a, b = base.reshape(-1, 1), exponent.reshape(1, -1)
    with np.errstate(all="ignore"):
        check_close(computed(functions.power, a, b), np.power(a.astype(np.float64), b), 2e-5)


def test_powers_of_special_numbers_equal_numpy() -> None:
    """Exceptions are a base of NaN with exponent 0, and a negative infinity with a fractional exponent."""
    base, exponent = f32(-INFINITY, -2, -1, -0.0, 0, 0.5, 1, 2, INFINITY, NAN), f32(-3, -2, -1, 0, 0.5, 1, 2, 3)
    a, b = np.broadcast_arrays(base.reshape(-1, 1), exponent.reshape(1, -1))
    with np.errstate(all="ignore"):
        expected = np.power(a.astype(np.float64), b)
    keep = ~((np.isneginf(a) | np.isclose(a, 0) & np.signbit(a)) & (b != np.rint(b)))
    result = computed(functions.power, a.copy(), b.copy())
    zero_or_finite = np.where(a == 0, np.abs(result), result)
    check_close(zero_or_finite[keep], np.where(a == 0, np.abs(expected), expected)[keep], 1e-6)


@pytest.mark.parametrize("exponent", [-20, -3, -2.5, -1, -0.5, 0, 0.25, 0.5, 1, 2, 3, 13, 16, 17, 40])
def test_constant_powers_equal_numpy(exponent: float) -> None:
    x = both_signs(0.05, 20, 300)
    x = x if float(exponent).is_integer() else x[x > 0]
    with np.errstate(all="ignore"):
        expected = np.power(x.astype(np.float64), exponent)
        for formula in (
            lambda x: functions.constant_power(x, float(exponent)),
            lambda x: functions.power(x, const([[exponent]], x.dtype)).reshape(x.shape),
        ):
            check_close(computed(formula, x), expected, 1e-5)


def test_a_power_of_0_of_a_hostile_size_is_declined() -> None:
    with pytest.raises(Decline, match="expected a constant of at most"):
        evaluate(lambda x: functions.constant_power(x.reshape((1, 1)).broadcast((1 << 13, 1 << 13)), 0), f32(1))


@pytest.mark.parametrize("base", [[0.5, 2, 3], [-0.5, -2, 3]])
def test_powers_of_constants_equal_numpy(base: list[float]) -> None:
    exponent = f32(-2, 0, 1, 3, 2.5).reshape(-1, 1)
    with np.errstate(invalid="ignore"):
        expected = np.power(np.array(base), exponent.astype(np.float64))
    check_close(computed(lambda y: functions.power(const([base], y.dtype), y), exponent), expected, 1e-6)


def test_powers_of_integers_equal_numpy() -> None:
    bases, exponents = [-2, -1, 0, 1, 2, 3, 7], [0, 1, 2, 3, 8, 11, 30, 31]
    cases = [(a, b, a**b) for a in bases for b in exponents if -(2**31) <= a**b < 2**31]
    cases += [(-1, 2**31 - 1, -1), (1, 2**31 - 1, 1), (0, 2**31 - 1, 0), (0, 32, 0), (-1, 2**30, 1), (50000, 1, 50000)]
    base, exponent, expected = (np.array(column, np.int32) for column in zip(*cases, strict=True))
    np.testing.assert_array_equal(computed(functions.power, base, exponent), expected)
    for constant in (2, 3, 11):
        small = np.arange(-7, 8, dtype=np.int32)
        raised = computed(lambda x, n=constant: functions.power(x, const([n], x.dtype)), small)
        np.testing.assert_array_equal(raised, small**constant)


def test_cube_roots_equal_numpy() -> None:
    x = np.concatenate([both_signs(1e-30, 1e30), f32(INFINITY, -INFINITY, NAN)])
    check_close(computed(functions.cube_root, x), np.cbrt(x.astype(np.float64)), 1e-5)


# ** functions of one operand **

FUNCTIONS: dict[str, tuple[Unary, Judge, Array, float]] = {
    "expm1": (functions.expm1, np.expm1, both_signs(1e-30, 85), 1e-5),
    "expm1_below_zero": (functions.expm1_below_zero, np.expm1, -np.geomspace(1e-30, 85, 4000).astype(np.float32), 3e-6),
    "log1p": (functions.log1p, np.log1p, np.concatenate([both_signs(1e-30, 0.99), np.geomspace(1, 1e30, 999)]), 3e-6),
    "log2": (functions.logarithm(2), np.log2, np.geomspace(1e-30, 0.9, 999), 3e-6),
    "log10": (functions.logarithm(10), np.log10, np.geomspace(1.1, 1e30, 999), 3e-6),
    "tan": (functions.tan, np.tan, np.concatenate([both_signs(1e-20, 100), np.linspace(1.5, 1.64, 999)]), 3e-6),
    "arctan": (functions.arctan, np.arctan, both_signs(1e-20, 1e20), 1e-6),
    "arcsin": (functions.arcsin, np.arcsin, both_signs(1e-20, 1), 2e-6),
    "arccos": (functions.arccos, np.arccos, np.linspace(-1, 0.999, 1999), 2e-6),
    "sinh": (functions.sinh, np.sinh, both_signs(1e-20, 89), 2e-5),
    "cosh": (functions.cosh, np.cosh, both_signs(1e-20, 89), 2e-5),
    "arcsinh": (functions.arcsinh, np.arcsinh, both_signs(1e-20, 3e38), 3e-6),
    "arccosh": (functions.arccosh, np.arccosh, np.geomspace(1.5, 3e38, 1999), 3e-6),
    "arctanh": (functions.arctanh, np.arctanh, both_signs(1e-20, 0.99), 3e-6),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_equal_numpy(name: str) -> None:
    function, judge, x, rtol = FUNCTIONS[name]
    x = x.astype(np.float32)
    check_close(computed(function, x), judge(x.astype(np.float64)), rtol)


@pytest.mark.parametrize("name", ["sinh", "cosh", "expm1"])
def test_exponentials_of_small_numbers_equal_numpy(name: str) -> None:
    """Further out, EXP may be off by (1 + x) * 2**-23 of its result."""
    function, judge, _, _ = FUNCTIONS[name]
    x = both_signs(1e-3, 0.5)
    check_close(computed(function, x), judge(x.astype(np.float64)), 2.5e-6 if name == "expm1" else 1e-6)


SPECIAL: dict[str, tuple[list[float], list[float]]] = {
    "expm1": ([-INFINITY, 0, INFINITY, NAN], [-1, 0, INFINITY, NAN]),
    "log1p": ([-2, -1, 0, INFINITY, NAN], [NAN, -INFINITY, 0, INFINITY, NAN]),
    "log2": ([-1, 0, 1, INFINITY, NAN], [NAN, -INFINITY, 0, INFINITY, NAN]),
    "arctan": ([-INFINITY, INFINITY, NAN], [-math.pi / 2, math.pi / 2, NAN]),
    "arcsin": ([-1.5, -1, 1, INFINITY, NAN], [NAN, -math.pi / 2, math.pi / 2, NAN, NAN]),
    "arccos": ([-1.5, -1, 1, INFINITY, NAN], [NAN, math.pi, 0, NAN, NAN]),
    "sinh": ([-INFINITY, INFINITY, NAN], [-INFINITY, INFINITY, NAN]),
    "cosh": ([-INFINITY, 0, INFINITY, NAN], [INFINITY, 1, INFINITY, NAN]),
    "arcsinh": ([-INFINITY, INFINITY, NAN], [-INFINITY, INFINITY, NAN]),
    "arccosh": ([0.5, 1, INFINITY, NAN], [NAN, 0, INFINITY, NAN]),
    "arctanh": ([-2, -1, 1, NAN], [NAN, -INFINITY, INFINITY, NAN]),
}


@pytest.mark.parametrize("name", SPECIAL)
def test_functions_of_special_numbers_equal_numpy(name: str) -> None:
    numbers, expected = SPECIAL[name]
    np.testing.assert_allclose(computed(FUNCTIONS[name][0], f32(*numbers)), expected, rtol=3e-7)


@pytest.mark.parametrize("name", ["expm1", "expm1_below_zero", "log1p"])
def test_compact_forms_are_off_by_a_part_of_1(name: str) -> None:
    _, judge, x, _ = FUNCTIONS[name]
    x = x[np.abs(x) < 0.5].astype(np.float32)
    result = computed(functools.partial(getattr(functions, name), compact=True), x)
    assert np.abs(result - judge(x.astype(np.float64))).max() <= 2.0**-23


def test_angles_of_points_equal_numpy() -> None:
    """The points lie in all octants, on the axes with both zeros, and far out. Infinity is the largest number."""
    numbers = f32(-INFINITY, -1e38, -3, -1, -1e-30, -0.0, 0.0, 1e-38, 0.3, 1, 2, 1e20, INFINITY)
    y, x = np.broadcast_arrays(numbers.reshape(-1, 1), numbers.reshape(1, -1))
    result = computed(functions.atan2, y.copy(), x.copy())
    largest = np.finfo(np.float32).max
    expected = np.arctan2(np.clip(y, -largest, largest).astype(np.float64), np.clip(x, -largest, largest))
    np.testing.assert_allclose(result, expected, rtol=5e-7, atol=2e-38)
    np.testing.assert_array_equal(np.signbit(result), np.signbit(expected))
    np.testing.assert_array_equal(computed(functions.atan2, numbers.reshape(-1, 1), numbers.reshape(1, -1)), result)


@pytest.mark.parametrize("name", ["arcsinh", "sinh", "expm1", "arctan"])
def test_fp16_is_computed_in_fp32(name: str) -> None:
    """The result is rounded once: to the nearest fp16 number or, beside a tie, the next one."""
    function, judge, _, _ = FUNCTIONS[name]
    x = np.linspace(-4, 4, 3001).astype(np.float16)
    expected = judge(x.astype(np.float64)).astype(np.float16)
    steps = np.abs(computed(in_fp32(function), x).view(np.int16).astype(int) - expected.view(np.int16))
    assert steps.max() <= 1


# ** activations **


def elu(x: Array, alpha: float, scale: float, input_scale: float) -> Array:
    wide = x.astype(np.float64)
    return np.where(wide > 0, scale * wide, alpha * scale * np.expm1(input_scale * np.minimum(wide, 0)))


@pytest.mark.parametrize(("alpha", "scale", "input_scale"), [(1, 1, 1), (0.75, 1.5, 2), (1.5, 1, 0.5), (1, 1, -0.5)])
def test_elu_equals_numpy(alpha: float, scale: float, input_scale: float) -> None:
    x = np.concatenate([both_signs(1e-20, 80), f32(INFINITY, NAN)])
    formula = functools.partial(functions.elu, alpha=alpha, scale=scale, input_scale=input_scale)
    check_close(computed(formula, x), elu(x, alpha, scale, input_scale), 1e-5)


@pytest.mark.parametrize("approximate", [False, True])
def test_gelu_equals_numpy(approximate: bool) -> None:
    x = both_signs(1e-6, 10)
    wide = x.astype(np.float64)
    cubic = np.tanh(np.sqrt(2 / np.pi) * (wide + 0.044715 * wide**3))
    gate = cubic if approximate else np.array([math.erf(element / math.sqrt(2)) for element in wide])
    result = computed(functools.partial(functions.gelu, approximate=approximate), x)
    np.testing.assert_allclose(result, wide / 2 * (1 + gate), rtol=1e-6, atol=1e-6)


def test_hard_swish_equals_numpy() -> None:
    x = np.linspace(-5, 5, 999).astype(np.float32)
    expected = x.astype(np.float64) * np.clip(x + 3.0, 0, 6) / 6
    np.testing.assert_allclose(computed(functions.hard_swish, x), expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("slope", [-0.5, 0, 0.01, 1, 3])
def test_leaky_relu_equals_numpy(slope: float) -> None:
    """A slope of 0 gives no NaN for infinity; zeros keep their signs."""
    x = f32(-INFINITY, -3, -1, -0.0, 0, 0.5, 7, INFINITY) if slope else f32(-3, -1, -0.0, 0, 0.5, 7, INFINITY)
    with np.errstate(invalid="ignore"):
        expected = np.where(x >= 0, x, x * np.float32(slope))
    result = computed(lambda x: functions.leaky_relu(x, slope), x)
    np.testing.assert_array_equal(result, expected)
    if slope >= 0:
        np.testing.assert_array_equal(np.signbit(result), np.signbit(expected))
    assert np.isnan(computed(lambda x: functions.leaky_relu(x, slope), f32(NAN))).all()


@pytest.mark.parametrize("slopes", [f32(0.1, 0.5, 1), f32(1, 2, 3), f32(0.5, 2, 0), f32(-1, 0.25, 0.5)])
@pytest.mark.parametrize("constant", [True, False])
def test_slopes_that_broadcast_equal_numpy(slopes: Array, constant: bool) -> None:
    x = np.linspace(-4, 4, 12, dtype=np.float32).reshape(4, 3)
    if constant:
        result = computed(lambda x: functions.leaky_relu(x, const(slopes, x.dtype)), x)
    else:
        result = computed(functions.leaky_relu, x, slopes)
    np.testing.assert_array_equal(result, np.where(x >= 0, x, x * slopes))
