"""Expressions: every line of their table and every function equal numpy; wrong operands are refused."""

import doctest
import inspect
import operator
import threading
from collections.abc import Callable, Sequence
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from support.expressions import evaluate
from support.some import some

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.errors import UnpredictableError, VerifyError
from tosa_converter.ir import Array, Graph, TensorType, Value
from tosa_converter.rewriting import builder, expr
from tosa_converter.rewriting.builder import Builder, current
from tosa_converter.rewriting.control import cond_if, while_loop
from tosa_converter.rewriting.expr import Expr
from tosa_converter.schemas import tosa_ops as ops


def f32(numbers: Sequence[float]) -> Array:
    return np.array(numbers, np.float32)


def i32(numbers: Sequence[int]) -> Array:
    return np.array(numbers, np.int32)


FLOATS = f32([-2.5, -1, -0.0, 0, 0.5, 1, 3, np.inf, -np.inf, np.nan])
INTEGERS = i32([-(2**31), -7, -1, 0, 1, 5, 12, 2**31 - 1, 100])
BOOLEANS = np.array([False, True])


def computed(formula: Callable[..., Expr], *arrays: Array) -> Array:
    (result,) = evaluate(formula, *arrays)
    return result


def pairs(values: Array) -> tuple[Array, Array]:
    return values.reshape(-1, 1), values.reshape(1, -1)


def operand(shape: Sequence[int] = (3,), dtype: DType = DType.FP32, name: str = "x") -> Value:
    return Value(TensorType(dtype, tuple(shape)), name)


def names(graph: Graph) -> list[str]:
    return [op.name.partition(".")[2] for op in graph.ops if op.name not in ("tosa.const", "tosa.const_shape")]


# ** arithmetic **


@pytest.mark.parametrize("function", [operator.add, operator.sub, operator.mul])
def test_arithmetic_equals_numpy(function: Callable[[Any, Any], Any]) -> None:
    a, b = pairs(FLOATS)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(computed(function, a, b), function(a, b))
        np.testing.assert_array_equal(computed(lambda x: function(1.5, x), FLOATS), function(np.float32(1.5), FLOATS))
    small = i32([-40000, -3, 0, 2, 30000])
    np.testing.assert_array_equal(computed(function, *pairs(small)), function(*pairs(small)))
    np.testing.assert_array_equal(computed(lambda x: function(2, x), small), function(np.int32(2), small))
    np.testing.assert_array_equal(computed(lambda x: function(x, 2), small), function(small, np.int32(2)))
    np.testing.assert_array_equal(computed(lambda x: function(small, x), small), function(small, small))
    np.testing.assert_array_equal(computed(lambda x: function(x, small), small), function(small, small))


@pytest.mark.parametrize("dtype", [DType.FP16, DType.BF16])
@pytest.mark.parametrize("function", [operator.add, operator.sub, operator.mul])
def test_arithmetic_of_narrow_floats_rounds_each_result(function: Callable[[Any, Any], Any], dtype: DType) -> None:
    x = f32([-3.1, 0.1, 0.7, 1000]).astype(dtype.numpy)
    wide = x.astype(np.float32)
    result = computed(lambda a, b: function(a.cast(dtype), b.cast(dtype)).cast(DType.FP32), *pairs(wide))
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(result, function(*pairs(x)).astype(np.float32))


@pytest.mark.parametrize("dtype", [np.int8, np.int16])
def test_products_of_narrow_integers_are_32_bits(dtype: type) -> None:
    ends: Array = np.array([np.iinfo(dtype).min, -3, 0, np.iinfo(dtype).max], dtype)
    result = computed(operator.mul, *pairs(ends))
    assert result.dtype == np.int32
    a, b = pairs(ends.astype(np.int32))
    np.testing.assert_array_equal(result, a * b)


@pytest.mark.parametrize("dtype", [DType.I8, DType.I16])
@pytest.mark.parametrize("function", [operator.add, operator.sub])
def test_sums_of_narrow_integers_need_a_cast(function: Callable[[Any, Any], Any], dtype: DType) -> None:
    x = np.array([-128, 5, 127], dtype.numpy)
    with pytest.raises(VerifyError, match="types must be one of"):
        computed(function, x, x)
    wide = computed(lambda a, b: function(a.cast(DType.I32), b.cast(DType.I32)), *pairs(x))
    np.testing.assert_array_equal(wide, function(*pairs(x.astype(np.int32))))


@pytest.mark.parametrize("function", [operator.add, operator.mul, operator.lt])
def test_operands_of_two_types_are_refused(function: Callable[[Any, Any], Any]) -> None:
    with pytest.raises(VerifyError, match="types must be one of"):
        computed(function, FLOATS, i32(range(len(FLOATS))))


@pytest.mark.parametrize("shift", [1, 7, 30, 31, 47, 62])
def test_products_that_are_shifted_round_half_up(shift: int) -> None:
    a, b = pairs(i32([-(2**31) + 1, -12345, -3, -2, -1, 0, 1, 2, 3, 7, 99999, 2**31 - 1]))
    rounded = (a.astype(object) * b + (1 << (shift - 1))) // (1 << shift)
    if np.abs(rounded).max() >= 2**31:
        with pytest.raises(UnpredictableError):
            computed(lambda x, y: x.times(y, shift), a, b)
        a, b = a // 2**16, b // 2**16
        rounded = (a.astype(object) * b + (1 << (shift - 1))) // (1 << shift)
    np.testing.assert_array_equal(computed(lambda x, y: x.times(y, shift), a, b), rounded.astype(np.int64))


def test_ties_of_shifted_products_are_rounded_up() -> None:
    x = i32([-6, -5, -3, -1, 1, 3, 5, 6])
    np.testing.assert_array_equal(computed(lambda e: e.times(1, 1), x), [-3, -2, -1, 0, 1, 2, 3, 3])
    np.testing.assert_array_equal(computed(lambda e: e.times(3, shift=2), x), (x * 3 + 2) // 4)


def test_a_sum_beyond_32_bits_is_unpredictable() -> None:
    with pytest.raises(UnpredictableError):
        computed(lambda x: x + 1, i32([2**31 - 1]))


@pytest.mark.parametrize("values", [FLOATS, i32([-(2**31) + 1, -1, 0, 7])], ids=["fp32", "i32"])
def test_signs_equal_numpy(values: Array) -> None:
    np.testing.assert_array_equal(computed(operator.neg, values), -values)
    np.testing.assert_array_equal(computed(abs, values), np.abs(values))
    assert (np.signbit(computed(operator.neg, values)) == np.signbit(-values)).all()


def test_narrow_integers_are_negated_within_their_type() -> None:
    x = np.array([-127, -1, 0, 127], np.int8)
    result = computed(operator.neg, x)
    assert result.dtype == np.int8
    np.testing.assert_array_equal(result, -x)


# ** comparisons **


@pytest.mark.parametrize("function", [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne])
@pytest.mark.parametrize("values", [FLOATS, INTEGERS], ids=["fp32", "i32"])
def test_comparisons_equal_numpy(function: Callable[[Any, Any], Any], values: Array) -> None:
    a, b = pairs(values)
    result = computed(function, a, b)
    assert result.dtype == np.bool_
    np.testing.assert_array_equal(result, function(a, b))
    np.testing.assert_array_equal(computed(lambda x: function(x, 1), values), function(values, 1))
    np.testing.assert_array_equal(computed(lambda x: function(1, x), values), function(1, values))
    np.testing.assert_array_equal(computed(lambda x: function(values[1], x), values), function(values[1], values))
    np.testing.assert_array_equal(computed(lambda x: function(values, x), values), function(values, values))


def test_only_unequal_holds_for_nan() -> None:
    nan = f32([np.nan])
    comparisons = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]
    holds = [bool(computed(function, nan, nan)[0]) for function in comparisons]
    assert holds == [False] * 5 + [True]


# ** bits **


@pytest.mark.parametrize("function", [operator.and_, operator.or_, operator.xor])
@pytest.mark.parametrize(
    "values",
    [INTEGERS, BOOLEANS, np.array([-128, -1, 5], np.int8), np.array([-32768, 77], np.int16)],
    ids=lambda values: values.dtype.name,
)
def test_bits_and_booleans_equal_numpy(function: Callable[[Any, Any], Any], values: Array) -> None:
    a, b = pairs(values)
    result = computed(function, a, b)
    assert result.dtype == values.dtype
    np.testing.assert_array_equal(result, function(a, b))
    np.testing.assert_array_equal(computed(operator.invert, values), ~values)
    np.testing.assert_array_equal(computed(lambda x: function(values, x), values), function(values, values))
    np.testing.assert_array_equal(computed(lambda x: function(x, 1), values), function(values, values.dtype.type(1)))
    np.testing.assert_array_equal(computed(lambda x: function(1, x), values), function(values.dtype.type(1), values))


def test_left_shifts_equal_numpy() -> None:
    bits = i32([0, 1, 5, 31])
    a, b = INTEGERS.reshape(-1, 1), bits.reshape(1, -1)
    left = (a.astype(np.int64) << b).astype(np.int32)
    np.testing.assert_array_equal(computed(operator.lshift, a, b), left)
    np.testing.assert_array_equal(computed(lambda x: x << 5, INTEGERS), left[:, 2])
    np.testing.assert_array_equal(computed(lambda x: 1 << x, bits), i32([1, 2, 32, -(2**31)]))


def test_right_shifts_round_down() -> None:
    bits = i32([0, 1, 5, 31])
    a, b = INTEGERS.reshape(-1, 1), bits.reshape(1, -1)
    np.testing.assert_array_equal(computed(operator.rshift, a, b), a >> b)
    np.testing.assert_array_equal(computed(lambda x: x >> 5, INTEGERS), INTEGERS >> 5)
    np.testing.assert_array_equal(computed(lambda x: -64 >> x, bits), [-64, -32, -2, -1])
    zeros_from_the_left = (a.view(np.uint32) >> b.view(np.uint32)).view(np.int32)
    np.testing.assert_array_equal(computed(expr.logical_right_shift, a, b), zeros_from_the_left)
    np.testing.assert_array_equal(
        computed(lambda x: expr.logical_right_shift(x, 5), INTEGERS), zeros_from_the_left[:, 2]
    )
    np.testing.assert_array_equal(computed(lambda x: expr.logical_right_shift(64, x), bits), [64, 32, 2, 0])


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32])
def test_rounded_right_shifts_add_the_last_bit_that_is_shifted_out(dtype: type) -> None:
    """Ties go up: -1.5 becomes -1, 2.5 becomes 3."""
    ends: Any = np.iinfo(dtype)
    x: Array = np.array([ends.min, -7, -6, -5, -3, -1, 0, 1, 3, 5, 6, 7, ends.max], dtype)
    bits: Array = np.array([0, 1, 2, ends.bits - 1], dtype)
    a, b = x.reshape(-1, 1).astype(object), bits.reshape(1, -1).astype(object)
    nearest = np.where(b == 0, a, (a + 2 ** np.maximum(b - 1, 0)) // 2**b).astype(np.int64)
    rounded = computed(lambda e, s: e.shifted_right(s, round=True), *(x.reshape(-1, 1), bits.reshape(1, -1)))
    assert rounded.dtype == dtype
    np.testing.assert_array_equal(rounded, nearest)
    if dtype is np.int32:
        np.testing.assert_array_equal(computed(lambda e: e.shifted_right(1, round=True), i32([-3, 5])), [-1, 3])


def test_counts_of_leading_zeros_equal_pythons() -> None:
    np.testing.assert_array_equal(computed(expr.clz, i32([0, 1, 255, 2**31 - 1, -1])), [32, 31, 24, 1, 0])


# ** choices, bounds and functions **


def test_choices_equal_numpy() -> None:
    np.testing.assert_array_equal(
        computed(lambda x: expr.where(x < 0, 0.5 * x, x), FLOATS), np.where(FLOATS < 0, FLOATS / 2, FLOATS)
    )
    np.testing.assert_array_equal(computed(lambda x: expr.where(x > 1, 1, x), FLOATS), np.where(FLOATS > 1, 1, FLOATS))
    np.testing.assert_array_equal(computed(lambda x: expr.where(x > 1, x, 1), FLOATS), np.where(FLOATS > 1, FLOATS, 1))
    a, b = pairs(INTEGERS)
    np.testing.assert_array_equal(computed(lambda x, y: expr.where(x == y, y, x), a, b), np.where(a == b, b, a))
    np.testing.assert_array_equal(
        computed(lambda x, y: expr.where(x, ~y, y), *pairs(BOOLEANS)), [[False, True], [True, False]]
    )
    row, image = f32([1, 2, 3]), np.arange(12, dtype=np.float32).reshape(2, 2, 3)
    chosen = computed(lambda x, y: expr.where(x > 4, x, y), image, row)  # all three broadcast
    np.testing.assert_array_equal(chosen, np.where(image > 4, image, row))
    with pytest.raises(TypeError, match="found two numbers"):
        computed(lambda x: expr.where(x > 1, 1, 2), FLOATS)


@pytest.mark.parametrize(
    ("name", "propagating", "ignoring"), [("maximum", np.maximum, np.fmax), ("minimum", np.minimum, np.fmin)]
)
def test_extremes_equal_numpy(
    name: str, propagating: Callable[[Array, Array], Array], ignoring: Callable[[Array, Array], Array]
) -> None:
    function = getattr(expr, name)
    a, b = pairs(FLOATS)
    np.testing.assert_array_equal(computed(function, a, b), propagating(a, b))
    np.testing.assert_array_equal(computed(lambda x, y: function(x, y, "IGNORE"), a, b), ignoring(a, b))
    np.testing.assert_array_equal(computed(lambda x: function(x, 1), FLOATS), propagating(FLOATS, f32([1])))
    np.testing.assert_array_equal(computed(function, *pairs(INTEGERS)), propagating(*pairs(INTEGERS)))


@pytest.mark.parametrize(
    "values", [FLOATS, INTEGERS, np.array([-128, -1, 0, 3, 127], np.int8)], ids=lambda values: values.dtype.name
)
def test_bounds_equal_numpy(values: Array) -> None:
    result = computed(lambda x: expr.clamp(x, -1, 4), values)
    assert result.dtype == values.dtype
    np.testing.assert_array_equal(result, np.clip(values, -1, 4))


def test_bounds_that_ignore_nan() -> None:
    result = computed(lambda x: expr.clamp(x, -1, 4, "IGNORE"), FLOATS)
    np.testing.assert_array_equal(result, np.clip(np.where(np.isnan(FLOATS), -1, FLOATS), -1, 4))


FUNCTIONS: Sequence[tuple[str, Callable[[Expr], Expr], Callable[[Array], Array]]] = (
    ("exp", expr.exp, np.exp), ("log", expr.log, np.log), ("floor", expr.floor, np.floor),
    ("ceil", expr.ceil, np.ceil), ("reciprocal", expr.reciprocal, np.reciprocal),
    ("rsqrt", expr.rsqrt, lambda x: 1 / np.sqrt(x)), ("tanh", expr.tanh, np.tanh),
    ("sigmoid", expr.sigmoid, lambda x: 1 / (1 + np.exp(-x))), ("sin", expr.sin, np.sin), ("cos", expr.cos, np.cos),
    ("power", lambda x: expr.power(x, 1.5), lambda x: x**1.5),
)  # fmt: skip


@pytest.mark.parametrize(("function", "expected"), [row[1:] for row in FUNCTIONS], ids=[row[0] for row in FUNCTIONS])
def test_functions_equal_numpy(function: Callable[[Expr], Expr], expected: Callable[[Array], Array]) -> None:
    values = f32([0.25, 0.5, 1, 2.75, 7])
    np.testing.assert_allclose(computed(function, values), expected(values.astype(np.float64)), rtol=1e-6)
    if function is not FUNCTIONS[-1][1]:  # POW must not be asked for a power of NaN
        assert np.isnan(computed(function, f32([np.nan]))[0])


def test_erf_equals_the_table() -> None:
    """The values are from Abramowitz and Stegun, table 7.1."""
    values = computed(expr.erf, f32([-np.inf, -1, 0, 0.5, 2, np.nan]))
    np.testing.assert_allclose(values, [-1, -0.8427007929, 0, 0.5204998778, 0.9953222650, np.nan], rtol=1e-6)


def test_quotients_are_rounded_towards_zero() -> None:
    a, b = i32([-7, -6, -1, 0, 1, 6, 7]), i32([-4, -1, 1, 3])
    quotients = np.trunc(a.reshape(-1, 1) / b).astype(np.int64)
    np.testing.assert_array_equal(computed(expr.intdiv, a.reshape(-1, 1), b.reshape(1, -1)), quotients)
    np.testing.assert_array_equal(computed(lambda x: expr.intdiv(x, 3), a), quotients[:, 3])
    np.testing.assert_array_equal(computed(lambda x: expr.intdiv(7, x), b), [-1, -7, 7, 2])
    with pytest.raises(UnpredictableError):
        computed(lambda x: expr.intdiv(7, x), i32([0]))


# ** types and shapes **


CASTS = (
    (FLOATS, DType.FP16, np.float16), (f32([0.1, 1e30]), DType.BF16, ml_dtypes.bfloat16),
    (INTEGERS, DType.FP32, np.float32), (INTEGERS, DType.I8, np.int8), (INTEGERS, DType.BOOL, np.bool_),
    (BOOLEANS, DType.I32, np.int32), (np.array([-128, 127], np.int8), DType.I16, np.int16),
)  # fmt: skip


@pytest.mark.parametrize(("values", "dtype", "expected"), CASTS)
def test_casts_equal_numpy(values: Array, dtype: DType, expected: Any) -> None:
    with np.errstate(over="ignore"):
        converted = values.astype(expected)
    back = dtype if dtype not in (DType.BF16,) else DType.FP32
    np.testing.assert_array_equal(computed(lambda x: x.cast(dtype).cast(back), values), converted.astype(back.numpy))


def test_floats_become_the_nearest_integers_ties_to_even() -> None:
    x = f32([-2.5, -1.5, -0.5, 0.4, 0.5, 1.5, 2.5, 300, -300])
    np.testing.assert_array_equal(computed(lambda e: e.cast(DType.I32), x), np.rint(x))
    np.testing.assert_array_equal(computed(lambda e: e.cast(DType.I8), x), np.clip(np.rint(x), -128, 127))


def test_an_expression_has_type_and_shape_of_its_value() -> None:
    x = Expr(operand((2, 3)))
    with Builder(Graph("main", [x.value])):
        y, two = x < 0, expr.const([2, 3], DType.I8)
    assert (x.type, x.dtype, x.shape, x.rank, x.size) == (x.value.type, DType.FP32, (2, 3), 2, 6)
    assert (y.dtype, y.shape) == (DType.BOOL, (2, 3))
    assert x.constant is None
    np.testing.assert_array_equal(some(two.constant), [2, 3])
    assert repr(x) == "<Expr %x: fp32[2x3]>"


IMAGE = np.arange(12, dtype=np.float32).reshape(2, 6)
SHAPES: Sequence[tuple[Callable[[Expr], Expr], Array]] = (
    (lambda x: x.reshape((3, 4)), IMAGE.reshape(3, 4)),
    (lambda x: x.reshape((3, 2, 2)).transpose((2, 0, 1)), IMAGE.reshape(3, 2, 2).transpose(2, 0, 1)),
    (lambda x: x.transpose([0, 1]), IMAGE),
    (lambda x: x.part(0, 1, 1).broadcast((4, 6)), np.tile(IMAGE[1:], (4, 1))),
    (lambda x: x.broadcast((3, 2, 6)), np.broadcast_to(IMAGE, (3, 2, 6))),
    (lambda x: x.tile((2, 3)), np.tile(IMAGE, (2, 3))),
    (lambda x: x.slice((1, 2), (1, 3)), IMAGE[1:, 2:5]),
    (lambda x: x.part(1, 3, 2), IMAGE[:, 3:5]),
    (lambda x: x.pad([(1, 0), (0, 2)]), np.pad(IMAGE, [(1, 0), (0, 2)])),
    (lambda x: x.pad([(0, 1), (0, 0)], -1.5), np.pad(IMAGE, [(0, 1), (0, 0)], constant_values=-1.5)),
    (lambda x: x.reverse(1), IMAGE[:, ::-1]),
    (lambda x: x + expr.emit(ops.REVERSE, x, axis=0), IMAGE + IMAGE[::-1]),
    (lambda x: expr.elementwise(ops.MAXIMUM, x, expr.scalar(4, x), nan_mode="IGNORE"), np.maximum(IMAGE, 4)),
    (lambda x: expr.elementwise(ops.EXP, x - x), np.ones((2, 6))),
)  # fmt: skip


@pytest.mark.parametrize(("formula", "expected"), SHAPES)
def test_shapes_equal_numpy(formula: Callable[[Expr], Expr], expected: Array) -> None:
    result = computed(formula, IMAGE)
    assert result.dtype == np.float32
    np.testing.assert_array_equal(result, expected)


def test_operands_of_lower_rank_broadcast() -> None:
    a = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    shapes: Sequence[tuple[int, ...]] = ((4,), (3, 1), (1, 1, 1), (1,), (2, 1, 4), ())
    for shape in shapes:
        b = np.arange(1, 1 + np.prod(shape, dtype=int), dtype=np.float32).reshape(shape)
        np.testing.assert_array_equal(computed(operator.sub, a, b), a - b)
        np.testing.assert_array_equal(computed(operator.sub, b, a), b - a)
        np.testing.assert_array_equal(computed(operator.mul, b, a), b * a)
        np.testing.assert_array_equal(computed(expr.maximum, b, a), np.maximum(b, a))
    with pytest.raises(VerifyError, match=r"ERROR_IF\(shape2"):
        computed(operator.add, a, f32([1, 2]))


def test_ranks_are_made_equal() -> None:
    values = [operand((4,), name="a"), operand((2, 3, 4), name="b")]
    with Builder(Graph("main", values)):
        a, b = expr.same_rank(*map(Expr, values))
    assert (a.shape, b.value) == ((1, 1, 4), values[1])


def test_expressions_have_any_number_of_dimensions() -> None:
    with Builder(Graph("main", [x := operand((2**8,))])):
        product = Expr(x).reshape((2,) * 8) * np.arange(4, dtype=np.float32).reshape(2, 2, 1, 1)
        assert product.transpose((4, 5, 6, 7, 0, 1, 2, 3)).shape == (2,) * 8


# ** constants **


def test_equal_constants_are_shared() -> None:
    x = operand()
    e = Expr(x)
    with Builder(Graph("main", [x])) as build:
        y = (e + 2) * (e - 2) + f32([2])
    model = build.model(y=y)
    assert sum(op.name == "tosa.const" and op.result.type.dtype is DType.FP32 for op in model.main) == 1


def test_constants_fold() -> None:
    with Builder(Graph("main")) as build:
        y = expr.where(expr.const([1.0, -2.0], DType.FP32) < 0, 0, expr.const([3.0, 4.0], DType.FP32)) * 2
        assert build.graph.ops == []
    np.testing.assert_array_equal(some(y.constant), [6, 0])


def test_a_scalar_broadcasts_with_its_model() -> None:
    with Builder(Graph("main")):
        zero = expr.scalar(7, Expr(operand((2, 3), DType.I16)))
    assert (zero.dtype, zero.shape) == (DType.I16, (1, 1))
    np.testing.assert_array_equal(some(zero.constant), [[7]])


def test_operands_are_lifted() -> None:
    like = Expr(operand((2, 3), DType.I8))
    with Builder(Graph("main")):
        assert expr.operand_as_expr(like, like) is like
        assert expr.operand_as_expr(5, like).shape == (1, 1)
        assert expr.operand_as_expr(np.float32(5), like).dtype is DType.I8
        assert expr.operand_as_expr(i32([5, 6]), like).shape == (2,)  # an array keeps its shape
    assert expr.as_expr(like) is like
    assert expr.as_expr(like.value).value is like.value


@pytest.mark.parametrize("number", [0.5, 2**31, 2**70, 10**400, np.nan, np.inf, np.int64(-(2**40)), np.array([1.5, 2])])
@pytest.mark.parametrize("function", [operator.add, operator.lt, expr.maximum, lambda x, y: expr.where(x > 0, x, y)])
def test_numbers_beyond_an_integer_type_are_refused(function: Callable[[Any, Any], Expr], number: Any) -> None:
    with pytest.raises(ValueError, match=r"expected numbers that i32 holds, found"):
        computed(lambda x: function(x, number), INTEGERS)


@pytest.mark.parametrize("number", [2, -1, 0.5])
def test_numbers_other_than_0_and_1_are_no_booleans(number: float) -> None:
    with pytest.raises(ValueError, match="expected numbers that bool holds, found"):
        computed(lambda x: x & number, BOOLEANS)


# ** what is refused **


NOTHING: Any = object()
REFUSED: Sequence[tuple[Callable[[Any], Any], str]] = (
    (bool, "truth"), (lambda x: 0 < x < 1, "truth"), (lambda x: x and x, "truth"), (lambda x: not x, "truth"),
    (lambda x: 1 if x > 0 else 0, "truth"), (lambda x: 1 in x, "has no elements"), (hash, "unhashable"),
    (lambda x: {x: 1}, "unhashable"), (list, "not iterable"), (lambda x: x[0], "not subscriptable"),
    (lambda x: x / 2, "unsupported operand"), (lambda x: x // 2, "unsupported operand"),
    (lambda x: x**2, "unsupported operand"), (lambda x: x @ x, "unsupported operand"),
    (lambda x: x + "1", "expected a number, an array or an expression, found '1'"),
    (lambda x: x < None, "expected a number, an array or an expression, found None"),
    (lambda x: x * 1j, "expected a number, an array or an expression, found 1j"),
    (lambda x: expr.maximum(x, NOTHING), "expected a number, an array or an expression, found <object"),
    (len, "has no len"), (float, "must be"), (np.exp, "ufunc"),
)  # fmt: skip


@pytest.mark.parametrize(("question", "words"), REFUSED)
def test_python_operators_without_a_meaning_are_refused(question: Callable[[Expr], Any], words: str) -> None:
    x = operand()
    with Builder(Graph("main", [x])), pytest.raises((TypeError, ValueError), match=words):
        question(Expr(x))


OPERATIONS: Sequence[Callable[[Expr], Any]] = (
    lambda x: x + x, lambda x: 1 - x, lambda x: -x, lambda x: x < 0, lambda x: expr.where(x, x, x),
    lambda x: x.cast(DType.FP16), lambda x: x.reverse(0), expr.exp, lambda x: expr.const([1], x.dtype),
)  # fmt: skip


@pytest.mark.parametrize("operation", OPERATIONS)
def test_operators_need_a_builder(operation: Callable[[Expr], Any]) -> None:
    x = operand()
    words = "expected a `with builder:` block around an expression, found none"
    with pytest.raises(RuntimeError, match=words):
        operation(Expr(x))
    with Builder(Graph("main", [x])):
        expr.exp(Expr(x))
    with pytest.raises(RuntimeError, match=words):  # the block has ended
        operation(Expr(x))


# ** where operators go **


def test_operators_go_to_the_nearest_builder() -> None:
    x, z = operand(), operand()
    with Builder(Graph("outer", [x])) as outer:
        expr.exp(Expr(x))
        with Builder(Graph("inner", [z])) as inner:
            assert current() is inner
            expr.floor(Expr(z))
            with outer:  # a block may be opened again
                expr.ceil(Expr(x))
            expr.sin(Expr(z))
        assert current() is outer
        expr.cos(Expr(x))
    assert names(outer.graph) == ["exp", "ceil", "cos"]
    assert names(inner.graph) == ["floor", "sin"]


def test_an_exception_closes_the_block() -> None:
    with Builder(Graph("outer")) as outer:
        with pytest.raises(ZeroDivisionError), Builder(Graph("inner")):
            _ = 1 // 0
        assert current() is outer


def test_threads_have_builders_of_their_own() -> None:
    barrier = threading.Barrier(3)
    graphs = [Graph(str(i), [operand()]) for i in range(3)]
    errors: list[RuntimeError] = []

    def build(graph: Graph) -> None:
        try:
            expr.exp(Expr(graph.inputs[0]))  # the main thread's block isn't this one's
        except RuntimeError as error:
            errors.append(error)
        with Builder(graph):
            y = Expr(graph.inputs[0])
            for _ in range(50):
                barrier.wait(timeout=30)
                y = y + 1
        graph.outputs = [y.value]

    with Builder(Graph("main")) as builder_of_main:
        threads = [threading.Thread(target=build, args=[graph]) for graph in graphs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=60)
    assert len(errors) == 3
    assert builder_of_main.graph.ops == []
    for graph in graphs:
        assert names(graph) == ["add"] * 50
        assert graph.ops[0].inputs[0] is graph.inputs[0]


def test_a_loop_computes_in_its_own_graph() -> None:
    """The body uses an outer value; operators on it run in each round."""
    values = [operand((1,), DType.I32, "count"), operand((1,), DType.I32, "limit")]
    with Builder(Graph("main", values)) as build:
        count, limit = map(Expr, values)
        doubled = limit * 2
        (last,) = while_loop([count], lambda now: now[0] < doubled, lambda now: [now[0] + (limit + 3)])
        model = build.model(y=last)
    assert names(model.main) == ["mul", "while_loop"]
    condition, body = model.main.ops[-1].regions
    assert (names(condition)[0], names(body)[:2]) == ("greater", ["add", "add"])
    for start, most in ((0, 10), (100, 10), (-50, 4)):
        expected = start
        while expected < 2 * most:
            expected += most + 3
        assert tc.run(model, {"count": i32([start]), "limit": i32([most])})["y"].tolist() == [expected]


def test_a_branch_computes_in_its_own_graph() -> None:
    x = operand((2,))
    with Builder(Graph("main", [x])) as build:
        e = Expr(x)
        (y,) = cond_if(e.part(0, 0, 1) > 0, lambda: [e * 2], lambda: while_loop([e], below, lambda now: [now[0] + 1]))
        model = build.model(y=y)
    assert names(model.main) == ["slice", "greater", "reshape", "cond_if"]
    then, otherwise = model.main.ops[-1].regions
    assert (names(then)[0], names(otherwise)[0]) == ("mul", "while_loop")
    assert tc.run(model, {"x": f32([1, 5])})["y"].tolist() == [2, 10]
    assert tc.run(model, {"x": f32([-1.5, 5])})["y"].tolist() == [0.5, 7]


def below(now: Sequence[Expr]) -> Expr:
    return now[0].part(0, 0, 1) < 0


def test_an_operand_of_another_graph_is_refused() -> None:
    x, stranger = operand(), operand(name="stranger")
    with Builder(Graph("main", [x])) as build:
        model = build.model(y=Expr(x) + Expr(stranger))
    with pytest.raises(VerifyError, match="stranger"):
        tc.run(model, {"x": f32([1, 2, 3])})


# ** documentation **


@pytest.mark.parametrize("module", [expr, builder])
def test_the_examples_run(module: Any) -> None:
    results = doctest.testmod(module)
    assert (results.failed, results.attempted > 3) == (0, True)


def test_every_function_has_a_docstring() -> None:
    for name, value in vars(expr).items():
        if inspect.isfunction(value) and value.__module__ == expr.__name__ and not name.startswith("_"):
            assert (value.__doc__ or "").startswith("Returns "), name
