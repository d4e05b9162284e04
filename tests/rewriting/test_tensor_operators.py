"""TOSA's operators on whole tensors, as functions of expressions, equal their definitions in numpy."""

import inspect
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from support.expressions import evaluate
from support.some import some

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnpredictableError, UnsupportedError, VerifyError
from tosa_converter.ir import Array, Graph, TensorType, Value
from tosa_converter.rewriting import operators
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.operators import (
    argmax,
    avg_pool2d,
    concat,
    conv2d,
    conv3d,
    copy_tensor,
    empty,
    gather,
    interned_constant,
    matmul,
    matmul_t,
    max_pool2d,
    reduce,
    reduce_all,
    reduce_any,
    reduce_max,
    reduce_min,
    reduce_product,
    reduce_sum,
    rescale,
    resize,
    rfft2d,
    row_gather,
    scatter,
    table,
    transpose_conv2d,
)
from tosa_converter.schemas import tosa_ops as ops

RANDOM = np.random.default_rng(24)
TYPES = {"float32": DType.FP32, "int8": DType.I8, "int16": DType.I16, "int32": DType.I32}
ACCUMULATORS = {"float32": DType.FP32, "int8": DType.I32, "int16": DType.I48}


def computed(formula: Callable[..., Expr], *arrays: Array) -> Array:
    (result,) = evaluate(formula, *arrays)
    return result


def numbers(shape: Sequence[int], dtype: str, most: int = 100) -> Array:
    """Returns random integers, in floats too, so that sums of their products are exact."""
    return RANDOM.integers(-most, most + 1, shape).astype(dtype)


def static(shape: Sequence[int], dtype: DType = DType.FP32) -> Expr:
    return Expr(Value(TensorType(dtype, tuple(shape)), "x"))


def test_every_operator_is_tested() -> None:
    text = inspect.getsource(inspect.getmodule(test_every_operator_is_tested) or operators)
    functions = [
        name
        for name, value in vars(operators).items()
        if inspect.isfunction(value) and value.__module__ == operators.__name__ and not name.startswith("_")
    ]
    assert len(functions) > 20
    for name in functions:
        assert f" {name}(" in text or f"({name}(" in text or f"({name}," in text or f'"{name}"' in text, name
        assert (getattr(operators, name).__doc__ or "").startswith("Returns "), name


# ** constants and copies **


def test_empty_values_fold_away() -> None:
    with Builder(Graph("main")) as build:
        nothing = empty((0, 3), DType.FP32)
        joined = concat([nothing * 2, const(np.ones((1, 3)), DType.FP32)], 0)
        assert build.graph.ops == []
    assert (nothing.shape, joined.shape) == ((0, 3), (1, 3))
    assert nothing.constant is not None


def test_an_array_is_interned_once() -> None:
    array = np.arange(1000, dtype=np.float32)  # beyond the size that equal constants are shared up to
    with Builder(Graph("main")):
        assert interned_constant(array, DType.FP32).value is interned_constant(array, DType.FP32).value
        assert interned_constant(array.copy(), DType.FP32).value is not interned_constant(array, DType.FP32).value
        assert interned_constant(array, DType.FP32).constant is array


def test_a_separate_tensor_has_the_same_elements() -> None:
    x = numbers((2, 3), "int8")
    np.testing.assert_array_equal(computed(copy_tensor, x), x)
    with Builder(Graph("main")):
        three = const([3], DType.I8)
        copied = copy_tensor(three)
    assert copied.value is not three.value
    np.testing.assert_array_equal(some(copied.constant), [3])


# ** movement **


@pytest.mark.parametrize("dtype", ["float32", "int8", "int16", "int32"])
def test_movements_of_elements_equal_numpy(dtype: str) -> None:
    a, b = numbers((2, 3), dtype), numbers((2, 1), dtype)
    np.testing.assert_array_equal(computed(lambda x, y: concat([x, y, x], 1), a, b), np.concatenate([a, b, a], 1))
    np.testing.assert_array_equal(computed(lambda x: concat([x], 0), a), a)
    parts = [numbers((1, 2), dtype) for _ in range(70)]  # more than one CONCAT of a level takes
    np.testing.assert_array_equal(computed(lambda *xs: concat(xs, 0), *parts), np.concatenate(parts))
    values = numbers((2, 5, 3), dtype)
    indices = np.array([[4, 0, 0, 2], [1, 1, 3, 4]], np.int32)
    expected = np.take_along_axis(values, indices[..., np.newaxis].astype(np.int64), 1)
    np.testing.assert_array_equal(computed(gather, values, indices), expected)
    np.testing.assert_array_equal(computed(row_gather, values, indices), expected)
    places, rows = np.array([[4, 0], [1, 3]], np.int32), numbers((2, 2, 3), dtype)
    scattered = values.copy()
    for n, w in itertools.product(range(2), range(2)):
        scattered[n, places[n, w]] = rows[n, w]
    np.testing.assert_array_equal(computed(scatter, values, places, rows), scattered)
    for read in (gather, row_gather):
        with pytest.raises(UnpredictableError):
            computed(read, values, indices + 1)


def test_tables_of_bytes_look_up_each_byte() -> None:
    every = np.arange(-128, 128).astype(np.int8)
    entries = RANDOM.integers(-128, 128, 256).astype(np.int8)
    result = computed(lambda x: table(x, entries), every)
    assert result.dtype == np.int8
    np.testing.assert_array_equal(result, entries)


def test_tables_of_16_bits_interpolate() -> None:
    every = np.arange(-(2**15), 2**15).astype(np.int16)
    entries = np.round(32767 * np.tanh(np.linspace(-4, 4, 513))).astype(np.int16)
    index, fraction = (every.astype(np.int64) >> 7) + 256, every.astype(np.int64) & 127
    base, following = entries[index].astype(np.int64), entries[index + 1].astype(np.int64)
    result = computed(lambda x: table(x, entries), every)
    assert result.dtype == np.int32
    np.testing.assert_array_equal(result, (base << 7) + (following - base) * fraction)


# ** reductions **


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_reductions_keep_the_dimension(axis: int) -> None:
    x, small = numbers((2, 3, 4), "float32"), numbers((2, 3, 4), "int32", 5)
    flags = RANDOM.random((2, 3, 4)) < 0.7
    for values in (x, small):
        np.testing.assert_array_equal(computed(lambda e: reduce_sum(e, axis), values), values.sum(axis, keepdims=True))
        np.testing.assert_array_equal(computed(lambda e: reduce_max(e, axis), values), values.max(axis, keepdims=True))
        np.testing.assert_array_equal(computed(lambda e: reduce_min(e, axis), values), values.min(axis, keepdims=True))
    halves = x / 64
    np.testing.assert_array_equal(
        computed(lambda e: reduce_product(e, axis), halves), halves.prod(axis, keepdims=True, dtype=np.float32)
    )
    np.testing.assert_array_equal(computed(lambda e: reduce_all(e, axis), flags), flags.all(axis, keepdims=True))
    np.testing.assert_array_equal(computed(lambda e: reduce_any(e, axis), flags), flags.any(axis, keepdims=True))
    np.testing.assert_array_equal(computed(lambda e: argmax(e, axis), x), x.argmax(axis))
    np.testing.assert_array_equal(
        computed(lambda e: reduce(ops.REDUCE_MAX, e, axis, nan_mode="IGNORE"), x), x.max(axis, keepdims=True)
    )


def test_reductions_of_nan_equal_the_definition() -> None:
    x = np.array([[1, np.nan, 3], [np.nan, np.nan, np.nan]], np.float32)
    for name, ignoring in (("reduce_max", [3, np.nan]), ("reduce_min", [1, np.nan])):
        function = getattr(operators, name)
        np.testing.assert_array_equal(computed(lambda e, f=function: f(e, 1), x), [[np.nan], [np.nan]])
        ignored = computed(lambda e, f=function: f(e, 1, "IGNORE"), x)
        np.testing.assert_array_equal(ignored[0], ignoring[:1])
    np.testing.assert_array_equal(computed(lambda e: argmax(e, 1), x), [1, 0])
    np.testing.assert_array_equal(computed(lambda e: argmax(e, 1, "IGNORE"), x)[:1], [2])
    assert np.isnan(computed(lambda e: reduce_sum(e, 1), x)).all()


def test_argmax_of_nothing_is_refused() -> None:
    with Builder(Graph("main")), pytest.raises(UnsupportedError, match="at least one element"):
        reduce_max(static((0, 3)), 0)


def test_argmax_returns_the_first_of_equal_elements() -> None:
    np.testing.assert_array_equal(computed(lambda x: argmax(x, 0), np.array([2, 7, 7, 1], np.float32)), 1)


# ** rescaling **


def rescaled(x: Array, multiplier: Array, shift: Array, input_zp: int, output_zp: int, double: bool = False) -> Array:
    """Returns apply_scale_32 or _16 of the specification (4.5.5) in integers of any size."""
    values, shifts = x.astype(object) - input_zp, shift.astype(object)
    half = 2 ** (shifts - 1)
    if double:
        half = half + np.where(shifts > 31, np.where(values >= 0, 1 << 30, -(1 << 30)), 0)
    result: Array = (values * multiplier.astype(object) + half) // 2**shifts + output_zp
    return result


EVERY_BYTE = np.arange(-128, 128).astype(np.int8)
ENDS = np.array([-(2**31), -(2**31) + 1, -(10**6), -3, -2, -1, 0, 1, 2, 3, 10**6, 2**31 - 2, 2**31 - 1], np.int32)


@pytest.mark.parametrize("multiplier", [1 << 30, 1518500250, 2**31 - 1])
@pytest.mark.parametrize("shift", [31, 32, 38, 62])
@pytest.mark.parametrize("mode", ["SINGLE_ROUND", "DOUBLE_ROUND"])
def test_rescaling_of_32_bits_equals_the_definition(multiplier: int, shift: int, mode: str) -> None:
    x = ENDS if shift >= 32 else ENDS // 4
    result = computed(lambda e: rescale(e, DType.I32, [multiplier], [shift], rounding_mode=mode), x)
    expected = rescaled(x, np.array([multiplier]), np.array([shift]), 0, 0, mode == "DOUBLE_ROUND")
    np.testing.assert_array_equal(result, expected.astype(np.int64))


@pytest.mark.parametrize(("dtype", "low", "high"), [(DType.I8, -128, 127), (DType.I16, -(2**15), 2**15 - 1)])
def test_rescaling_saturates_behind_the_zero_point(dtype: DType, low: int, high: int) -> None:
    zero_point = 5 if dtype is DType.I8 else 0  # only i8 has zero points
    formula = lambda e: rescale(e, dtype, [1 << 30], [34], output_zp=zero_point)  # noqa: E731
    result = computed(formula, ENDS)
    assert result.dtype == dtype.numpy
    expected = rescaled(ENDS, np.array([1 << 30]), np.array([34]), 0, zero_point).clip(low, high)
    np.testing.assert_array_equal(result, expected.astype(np.int64))


def test_rescaling_of_bytes_subtracts_the_zero_point() -> None:
    result = computed(lambda e: rescale(e, DType.I8, [3 << 29], [30], input_zp=-7, output_zp=11), EVERY_BYTE)
    expected = rescaled(EVERY_BYTE, np.array([3 << 29]), np.array([30]), -7, 11).clip(-128, 127)
    np.testing.assert_array_equal(result, expected.astype(np.int64))


def test_rescaling_of_unsigned_bytes_equals_the_definition() -> None:
    """The elements are bit patterns; a zero point is read as an unsigned number."""
    unsigned = EVERY_BYTE.view(np.uint8).astype(np.int64)
    to_signed = computed(
        lambda e: rescale(e, DType.I8, [1 << 30], [30], input_zp=200, output_zp=72, input_unsigned=True), EVERY_BYTE
    )
    np.testing.assert_array_equal(to_signed, (unsigned - 200 + 72).clip(-128, 127))
    to_unsigned = computed(
        lambda e: rescale(e, DType.I8, [1 << 30], [30], input_zp=-3, output_zp=130, output_unsigned=True), EVERY_BYTE
    )
    np.testing.assert_array_equal(to_unsigned.view(np.uint8), (EVERY_BYTE.astype(int) + 3 + 130).clip(0, 255))


def test_each_channel_has_a_multiplier() -> None:
    x = numbers((2, 5, 3), "int32", 10**6)
    multiplier, shift = np.array([1 << 30, 1 << 29, 3 << 29]), np.array([32, 31, 40])
    result = computed(lambda e: rescale(e, DType.I32, multiplier, shift), x)
    np.testing.assert_array_equal(result, rescaled(x, multiplier, shift, 0, 0).astype(np.int64))


@pytest.mark.parametrize(("multiplier", "shift"), [(1 << 14, 15), (23170, 22), (2**15 - 1, 40)])
@pytest.mark.parametrize("dtype", [DType.I16, DType.I32])
def test_rescaling_of_48_bits_takes_16_bit_multipliers(multiplier: int, shift: int, dtype: DType) -> None:
    """Sums of i16 products are i48."""
    a, b = numbers((1, 6, 50), "int16", 2**13), numbers((1, 50, 4), "int16", 2**13)
    sums = a.astype(np.int64) @ b.astype(np.int64)
    expected = rescaled(sums, np.array([multiplier]), np.array([shift]), 0, 0).clip(*dtype.limits)
    assert np.abs(sums).max() > 2**28

    def formula(x: Expr, y: Expr) -> Expr:
        product = matmul(x, y)
        assert product.dtype is DType.I48
        return rescale(product, dtype, [multiplier], [shift])

    result = computed(formula, a, b)
    assert result.dtype == dtype.numpy
    np.testing.assert_array_equal(result, expected.astype(np.int64))


# ** products **


@pytest.mark.parametrize("dtype", ["float32", "int8", "int16"])
def test_matrix_products_equal_numpy(dtype: str) -> None:
    a, b = numbers((2, 3, 5), dtype), numbers((2, 5, 4), dtype)
    result = computed(lambda x, y: matmul(x, y), a, b)
    assert result.dtype == ACCUMULATORS[dtype].numpy
    np.testing.assert_array_equal(result, a.astype(np.int64) @ b.astype(np.int64))
    by_rows = np.ascontiguousarray(b.swapaxes(1, 2))
    out = DType.FP32 if dtype == "float32" else None  # floats leave a choice
    np.testing.assert_array_equal(computed(lambda x, y: matmul_t(x, y, dtype=out), a, by_rows), result)
    first = np.stack([a[0], a[0]])
    result_of_one = computed(lambda x, y: matmul_t(x, y, dtype=out), first, by_rows[:1])
    np.testing.assert_array_equal(result_of_one, np.stack([result[0], result[0]]))


def test_zero_points_of_matrix_products_are_subtracted() -> None:
    a, b = numbers((1, 3, 5), "int8"), numbers((1, 5, 4), "int8")
    result = computed(lambda x, y: matmul(x, y, a_zp=-3, b_zp=7), a, b)
    np.testing.assert_array_equal(result, (a.astype(np.int64) + 3) @ (b.astype(np.int64) - 7))
    by_rows = np.ascontiguousarray(b.swapaxes(1, 2))
    np.testing.assert_array_equal(computed(lambda x, y: matmul_t(x, y, a_zp=-3, b_zp=7), a, by_rows), result)


def test_matrix_products_of_fp16_accumulate_in_either_type() -> None:
    a, b = numbers((1, 3, 5), "float16", 8), numbers((1, 5, 4), "float16", 8)
    for dtype in (DType.FP16, DType.FP32):
        result = computed(lambda x, y, out=dtype: matmul(x, y, dtype=out), a, b)
        assert result.dtype == dtype.numpy
        np.testing.assert_array_equal(result, a.astype(np.float32) @ b.astype(np.float32))


# ** windows **


def patches(x: Array, kernel: Sequence[int], stride: Sequence[int], dilation: Sequence[int]) -> Array:
    """Returns the windows of [N, spatial..., C] that fit: [N, places..., kernel..., C]."""
    spatial = range(len(kernel))
    counts = [
        (x.shape[1 + i] - (kernel[i] - 1) * dilation[i] - 1) // stride[i] + 1 for i in spatial
    ]  # what the last window doesn't reach is left out
    windows = np.zeros((x.shape[0], *counts, *kernel, x.shape[-1]), x.dtype)
    for place in itertools.product(*map(range, counts)):
        block = tuple(
            slice(place[i] * stride[i], place[i] * stride[i] + (kernel[i] - 1) * dilation[i] + 1, dilation[i])
            for i in spatial
        )
        windows[(slice(None), *place)] = x[(slice(None), *block)]
    return windows


def padded(x: Array, pad: Sequence[int], zero: int = 0) -> Array:
    pairs = [(pad[2 * i], pad[2 * i + 1]) for i in range(len(pad) // 2)]
    return np.pad(x, [(0, 0), *pairs, (0, 0)], constant_values=zero)


SPANS: Sequence[dict[str, Any]] = (
    {"pad": (0, 0, 0, 0)},
    {"pad": (1, 0, 2, 1), "stride": (2, 1)},
    {"pad": (0, 1, 1, 0), "stride": (3, 2), "dilation": (1, 2)},  # the last row of windows ends before the input does
)


@pytest.mark.parametrize("dtype", ["float32", "int8", "int16"])
@pytest.mark.parametrize("spans", SPANS)
@pytest.mark.parametrize("depthwise", [False, True])
def test_convolutions_equal_the_definition(dtype: str, spans: dict[str, Any], depthwise: bool) -> None:
    x = numbers((2, 7, 8, 3), dtype)
    kernel = (2, 3)
    weight = numbers((*kernel, 3, 2) if depthwise else (5, *kernel, 3), dtype if dtype != "int16" else "int8")
    input_zp, weight_zp = (-4, 5) if dtype == "int8" else (0, 0)
    accumulator = ACCUMULATORS[dtype]
    channels = 6 if depthwise else 5
    bias = numbers((channels,), "int32", 10**4)

    def formula(e: Expr) -> Expr:
        zero_points: dict[str, Any] = {"input_zp": input_zp, "weight_zp": weight_zp}
        addend = const(bias, accumulator)
        return conv2d(e, const(weight, TYPES[weight.dtype.name]), addend, depthwise=depthwise, **spans, **zero_points)

    result = computed(formula, x)
    stride, dilation = spans.get("stride", (1, 1)), spans.get("dilation", (1, 1))
    windows = patches(padded(x.astype(np.int64) - input_zp, spans["pad"]), kernel, stride, dilation)
    distances = weight.astype(np.int64) - weight_zp
    if depthwise:
        expected = np.einsum("nyxhwc,hwcm->nyxcm", windows, distances)
        expected = expected.reshape(*expected.shape[:3], channels)
    else:
        expected = np.einsum("nyxhwc,ohwc->nyxo", windows, distances)
    assert result.dtype == accumulator.numpy
    np.testing.assert_array_equal(result, expected + bias)


@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_convolutions_of_volumes_equal_the_definition(dtype: str) -> None:
    x, weight = numbers((1, 5, 4, 6, 2), dtype), numbers((3, 2, 2, 3, 2), dtype)
    spans = {"pad": (1, 0, 0, 1, 0, 0), "stride": (2, 1, 2), "dilation": (1, 2, 1)}
    kind, accumulator = TYPES[dtype], ACCUMULATORS[dtype]
    result = computed(lambda e: conv3d(e, const(weight, kind), const([1, 2, 3], accumulator), **spans), x)
    windows = patches(padded(x.astype(np.int64), spans["pad"]), (2, 2, 3), spans["stride"], spans["dilation"])
    sums = np.einsum("nzyxdhwc,odhwc->nzyxo", windows, weight.astype(np.int64))
    np.testing.assert_array_equal(result, sums + np.array([1, 2, 3]))


@pytest.mark.parametrize("dtype", ["float32", "int8", "int16"])
@pytest.mark.parametrize("out_pad", [(0, 0, 0, 0), (-1, 1, 2, -1)])
def test_transposed_convolutions_equal_the_definition(dtype: str, out_pad: tuple[int, int, int, int]) -> None:
    x, stride = numbers((1, 3, 4, 2), dtype), (2, 3)
    weight = numbers((3, 3, 2, 2), dtype if dtype != "int16" else "int8")
    input_zp = 9 if dtype == "int8" else 0
    height, width = (3 - 1) * 2 + 3, (4 - 1) * 3 + 2
    full = np.zeros((1, height + 4, width + 4, 3), np.int64)  # 2 more on each side, from which out_pad cuts
    for y, column in itertools.product(range(3), range(4)):
        rows = np.einsum("nc,ohwc->nhwo", x[:, y, column].astype(np.int64) - input_zp, weight.astype(np.int64))
        full[:, 2 + 2 * y : 5 + 2 * y, 2 + 3 * column : 4 + 3 * column] += rows
    top, bottom, left, right = out_pad
    expected = full[:, 2 - top : 2 + height + bottom, 2 - left : 2 + width + right] + [10, -20, 30]

    def formula(e: Expr) -> Expr:
        kernel, bias = const(weight, TYPES[weight.dtype.name]), const([10, -20, 30], ACCUMULATORS[dtype])
        return transpose_conv2d(e, kernel, bias, out_pad=out_pad, stride=stride, input_zp=input_zp)

    np.testing.assert_array_equal(computed(formula, x), expected)


@pytest.mark.parametrize("dtype", ["float32", "int8", "int16"])
def test_max_pools_equal_the_definition(dtype: str) -> None:
    x = numbers((2, 6, 7, 3), dtype)
    result = computed(lambda e: max_pool2d(e, kernel=(3, 2), stride=(2, 2), pad=(1, 1, 1, 0)), x)
    assert result.dtype == x.dtype
    least = -np.inf if dtype == "float32" else np.iinfo(dtype).min
    windows = patches(padded(x.astype(np.float64), (1, 1, 1, 0), least), (3, 2), (2, 2), (1, 1))  # type: ignore[arg-type]
    np.testing.assert_array_equal(result, windows.max((3, 4)))


def test_max_pools_of_nan_equal_the_definition() -> None:
    x = np.array([1, np.nan, 3, 2], np.float32).reshape(1, 1, 4, 1)
    sizes: dict[str, Any] = {"kernel": (1, 2), "stride": (1, 1), "pad": (0, 0, 0, 0)}
    np.testing.assert_array_equal(computed(lambda e: max_pool2d(e, **sizes), x).ravel(), [np.nan, np.nan, 3])
    ignoring = computed(lambda e: max_pool2d(e, nan_mode="IGNORE", **sizes), x)
    np.testing.assert_array_equal(ignoring.ravel(), [1, 3, 3])


@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_means_of_windows_count_what_is_inside(dtype: str) -> None:
    x = numbers((1, 5, 6, 2), dtype)
    zero_point = 3 if dtype == "int8" else 0
    result = computed(lambda e: avg_pool2d(e, kernel=(2, 3), stride=(2, 3), pad=(1, 0, 0, 0), zp=zero_point), x)
    sums = patches(padded(x.astype(np.int64) - zero_point, (1, 0, 0, 0)), (2, 3), (2, 3), (1, 1)).sum((3, 4))
    counts = patches(padded(np.ones_like(x, np.int64), (1, 0, 0, 0)), (2, 3), (2, 3), (1, 1)).sum((3, 4))
    if dtype == "float32":
        np.testing.assert_allclose(result, sums / counts, rtol=1e-6)
    else:
        assert np.abs(result - (sums / counts + zero_point)).max() <= 0.5 + 1e-6  # rounded to the nearest


def test_a_window_that_does_not_fit_is_refused() -> None:
    with Builder(Graph("main")), pytest.raises(UnsupportedError, match="does not fit"):
        max_pool2d(static((1, 2, 2, 1)), kernel=(3, 3), stride=(4, 4), pad=(0, 0, 0, 0))


# ** images **


def resized(x: Array, mode: str, scale: Sequence[int], offset: Sequence[int], border: Sequence[int]) -> Array:
    """Returns RESIZE of integers as the specification (2.12.1) defines it."""
    sizes = x.shape[1:3]
    lengths = [((sizes[i] - 1) * scale[2 * i] - offset[i] + border[i]) // scale[2 * i + 1] + 1 for i in range(2)]
    result = np.zeros((x.shape[0], *lengths, x.shape[3]), object)
    for oy, ox in itertools.product(*map(range, lengths)):
        positions = [place * scale[2 * i + 1] + offset[i] for i, place in enumerate((oy, ox))]
        (iy, dy), (ix, dx) = (divmod(position, scale[2 * i]) for i, position in enumerate(positions))
        ys, xs = [max(iy, 0), min(iy + 1, sizes[0] - 1)], [max(ix, 0), min(ix + 1, sizes[1] - 1)]
        if mode == "NEAREST_NEIGHBOR":
            result[:, oy, ox] = x[:, ys[2 * dy >= scale[0]], xs[2 * dx >= scale[2]]]
            continue
        for row, of_row in zip(ys, (scale[0] - dy, dy), strict=True):
            for column, of_column in zip(xs, (scale[2] - dx, dx), strict=True):
                result[:, oy, ox] += x[:, row, column].astype(object) * of_row * of_column
    return result


@pytest.mark.parametrize("mode", ["NEAREST_NEIGHBOR", "BILINEAR"])
@pytest.mark.parametrize(
    ("dtype", "wide"), [("int8", np.int32), ("int16", np.int64), ("float32", np.float32)], ids=["i8", "i16", "fp32"]
)
def test_images_are_resized(mode: str, dtype: str, wide: type) -> None:
    x = numbers((2, 4, 5, 2), dtype)
    sizes: dict[str, Any] = {"scale": (4, 2, 6, 3), "offset": (-1, 0), "border": (1, 3)}
    result = computed(lambda e: resize(e, mode=mode, **sizes), x)
    assert result.dtype == (wide if mode == "BILINEAR" else x.dtype)
    expected = resized(x, mode, **sizes).astype(np.float64)
    if (dtype, mode) == ("float32", "BILINEAR"):  # results of floats aren't multiplied by the scales
        np.testing.assert_allclose(result, expected / (4 * 6), rtol=1e-6, atol=1e-5)
    else:
        np.testing.assert_array_equal(result, expected)


def test_an_operator_that_tosa_forbids_is_refused() -> None:
    with Builder(Graph("main")), pytest.raises(VerifyError):
        concat([static((2, 3)), static((2, 3, 1))], 0)


def test_rfft2d_equals_numpy() -> None:
    images = RANDOM.standard_normal((2, 4, 8)).astype(np.float32)
    real, imag = evaluate(lambda x: rfft2d(x), images)
    expected = np.fft.rfft2(images.astype(np.float64))
    np.testing.assert_allclose(real, expected.real, atol=1e-5)
    np.testing.assert_allclose(imag, expected.imag, atol=1e-5)
