"""Expressions: every line of their table against numpy, and what they refuse."""

import doctest
import operator
from collections.abc import Callable, Sequence
from typing import Any

import ml_dtypes  # noqa: F401  # numpy's bf16
import numpy as np
import pytest

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Graph, TensorType, Value
from tosa_converter.rewriting import expr, operators
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.expr import Expr


def f32(numbers: Sequence[float]) -> Array:
    return np.array(numbers, np.float32)


def i32(numbers: Sequence[int]) -> Array:
    return np.array(numbers, np.int32)


FLOATS = f32([-2.5, -1, -0.0, 0, 0.5, 1, 3, np.inf, np.nan])
TYPES = {dtype.numpy.name: dtype for dtype in (DType.BOOL, DType.I8, DType.I16, DType.I32, DType.FP32)}
INTEGERS = i32([-(2**31), -7, -1, 0, 1, 5, 12, 2**31 - 1, 100])


def computed(formula: Callable[..., Expr], *arrays: Array) -> Array:
    """What a formula computes of inputs."""
    inputs = [Value(TensorType(TYPES[array.dtype.name], array.shape), f"x{i}") for i, array in enumerate(arrays)]
    with Builder(Graph("main", inputs)) as builder:
        result = formula(*map(Expr, inputs))
    model = builder.model(y=result.value)
    return tc.run(model, {value.name: array for value, array in zip(inputs, arrays, strict=True)})["y"]


def pairs(values: Array) -> tuple[Array, Array]:
    return values.reshape(-1, 1), values.reshape(1, -1)


@pytest.mark.parametrize("function", [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne])
@pytest.mark.parametrize("values", [FLOATS, INTEGERS], ids=["fp32", "i32"])
def test_comparisons(function: Callable[[Any, Any], Any], values: Array) -> None:
    a, b = pairs(values)
    np.testing.assert_array_equal(computed(function, a, b), function(a, b))
    np.testing.assert_array_equal(computed(lambda x: function(x, 1), values), function(values, 1))


@pytest.mark.parametrize("function", [operator.add, operator.sub, operator.mul])
def test_arithmetic(function: Callable[[Any, Any], Any]) -> None:
    a, b = pairs(FLOATS)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(computed(function, a, b), function(a, b))
    small = i32([-40000, -3, 0, 2, 30000])
    np.testing.assert_array_equal(computed(function, *pairs(small)), function(*pairs(small)))
    np.testing.assert_array_equal(computed(lambda x: function(2, x), small), function(np.int32(2), small))
    np.testing.assert_array_equal(computed(lambda x: function(small, x), small), function(small, small))


@pytest.mark.parametrize("dtype", [np.int8, np.int16])
def test_products_of_narrow_integers_are_32_bits(dtype: type) -> None:
    ends: Array = np.array([np.iinfo(dtype).min, -3, 0, np.iinfo(dtype).max], dtype)
    result = computed(operator.mul, *pairs(ends))
    assert result.dtype == np.int32
    a, b = pairs(ends.astype(np.int32))
    np.testing.assert_array_equal(result, a * b)


def test_products_that_are_shifted_round_half_up() -> None:
    a, b = pairs(i32([-(2**31) + 1, -12345, -3, 0, 7, 99999, 2**31 - 1]))
    wide = a.astype(object) * b
    np.testing.assert_array_equal(computed(lambda x, y: x.times(y, 31), a, b), (wide + 2**30) // 2**31)


@pytest.mark.parametrize("function", [operator.and_, operator.or_, operator.xor])
def test_bits_and_booleans(function: Callable[[Any, Any], Any]) -> None:
    for values in (INTEGERS, np.array([False, True])):
        a, b = pairs(values)
        np.testing.assert_array_equal(computed(function, a, b), function(a, b))
        np.testing.assert_array_equal(computed(operator.invert, values), ~values)
        np.testing.assert_array_equal(computed(lambda x, v=values: function(v, x), values), function(values, values))


def test_shifts() -> None:
    bits = i32([0, 1, 5, 31])
    a, b = INTEGERS.reshape(-1, 1), bits.reshape(1, -1)
    np.testing.assert_array_equal(computed(operator.rshift, a, b), a >> b)
    left = (a.astype(np.int64) << b).astype(np.int32)
    np.testing.assert_array_equal(computed(operator.lshift, a, b), left)
    np.testing.assert_array_equal(computed(lambda x: 1 << x, bits), i32([1, 2, 32, -(2**31)]))
    rounded = np.array([[int(x) if s == 0 else (int(x) >> s) + (int(x) >> s - 1 & 1) for s in bits] for x in INTEGERS])
    np.testing.assert_array_equal(computed(lambda x, y: x.shifted_right(y, round=True), a, b), rounded)


def test_choices_and_bounds() -> None:
    kept = FLOATS[:-1]
    np.testing.assert_array_equal(
        computed(lambda x: expr.where(x < 0, 0.5 * x, x), kept), np.where(kept < 0, kept / 2, kept)
    )
    np.testing.assert_array_equal(computed(lambda x: expr.where(x > 1, 1, x), kept), np.minimum(kept, 1))
    np.testing.assert_array_equal(computed(lambda x: expr.maximum(x, 1), FLOATS), np.maximum(FLOATS, 1))
    np.testing.assert_array_equal(computed(lambda x: expr.minimum(x, 1, "IGNORE"), FLOATS), np.fmin(FLOATS, 1))
    for values in (kept, INTEGERS):
        np.testing.assert_array_equal(computed(lambda x: expr.clamp(x, -1, 4), values), np.clip(values, -1, 4))
    with pytest.raises(TypeError, match="found two numbers"):
        computed(lambda x: expr.where(x > 1, 1, 2), kept)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (operator.neg, np.negative), (abs, np.abs), (expr.exp, np.exp), (expr.floor, np.floor), (expr.ceil, np.ceil),
        (expr.tanh, np.tanh), (expr.sin, np.sin), (expr.cos, np.cos), (expr.reciprocal, np.reciprocal),
        (expr.sigmoid, lambda x: 1 / (1 + np.exp(-x))), (expr.rsqrt, lambda x: 1 / np.sqrt(x)), (expr.log, np.log),
        (lambda x: expr.power(x, 1.5), lambda x: x**1.5),
    ],
)  # fmt: skip
def test_functions(function: Callable[[Expr], Expr], expected: Callable[[Array], Array]) -> None:
    values = f32([0.25, 0.5, 1, 2.75, 7])
    np.testing.assert_allclose(computed(function, values), expected(values.astype(np.float64)), rtol=1e-6)


def test_counts_of_leading_zeros() -> None:
    np.testing.assert_array_equal(computed(expr.clz, i32([0, 1, 255, 2**31 - 1, -1])), [32, 31, 24, 1, 0])


def test_shapes() -> None:
    x = np.arange(12, dtype=np.float32).reshape(2, 6)
    np.testing.assert_array_equal(computed(lambda e: e.reshape((3, 4)).transpose((1, 0)), x), x.reshape(3, 4).T)
    halves = computed(lambda e: operators.concat([e.part(1, 3, 3), e.part(1, 0, 3)], 1), x)
    np.testing.assert_array_equal(halves, np.roll(x, 3, 1))
    np.testing.assert_array_equal(computed(lambda e: operators.reduce_sum(e, 0), x), x.sum(0, keepdims=True))
    np.testing.assert_array_equal(computed(lambda e: operators.reduce_max(e, 1), x), x.max(1, keepdims=True))
    np.testing.assert_array_equal(computed(lambda e: e.part(0, 1, 1).broadcast((4, 6)), x), np.tile(x[1:], (4, 1)))
    wide = computed(lambda e, row: e + row, x.reshape(1, 2, 6), f32([1, 2, 3, 4, 5, 6]))
    np.testing.assert_array_equal(wide, x.reshape(1, 2, 6) + f32([1, 2, 3, 4, 5, 6]))


def test_equal_constants_are_shared() -> None:
    x = Value(TensorType(DType.FP32, (3,)), "x")
    e = Expr(x)
    with Builder(Graph("main", [x])) as builder:
        y = (e + 2) * (e - 2) + f32([2])
    model = builder.model(y=y.value)
    assert sum(op.name == "tosa.const" and op.result.type.dtype is DType.FP32 for op in model.main) == 1


@pytest.mark.parametrize("number", [0.5, 2**31, np.nan, np.int64(-(2**40)), np.array([1.5, 2])])
def test_numbers_that_an_integer_type_lacks(number: Any) -> None:
    with pytest.raises((ValueError, OverflowError), match=r"expected numbers that i32 holds|too large|cannot convert"):
        computed(lambda x: x + number, INTEGERS)


REFUSED: Sequence[tuple[Callable[[Any], Any], str]] = (
    (bool, "truth"), (lambda x: 0 < x < 1, "truth"), (lambda x: 1 in x, "membership"), (hash, "unhashable"),
    (list, "not iterable"), (lambda x: x / 2, "unsupported operand"), (lambda x: x + "a", "ufunc|could not|expected"),
)  # fmt: skip


@pytest.mark.parametrize(("question", "words"), REFUSED)
def test_what_is_not_known_is_refused(question: Callable[[Expr], Any], words: str) -> None:
    x = Value(TensorType(DType.FP32, (3,)), "x")
    with Builder(Graph("main", [x])), pytest.raises((TypeError, ValueError), match=words):
        question(Expr(x))


def test_the_example_runs() -> None:
    results = doctest.testmod(expr)
    assert (results.failed, results.attempted > 5) == (0, True)
