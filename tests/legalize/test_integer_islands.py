"""QUANTIZE of embedded rows and of integers needs no floats, and equals LiteRT's kernels."""

import numpy as np
import pytest
from support.tflite_models import Operator, Tensor, build, run_litert

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.quant.elements import OutputQuant
from tosa_converter.legalize.tflite.quantized.integer_islands import bounds
from tosa_converter.schemas.tflite import BuiltinOperator as B

QUANTS = [("int8", 0.064, -128), ("int8", 3.7, 5), ("uint8", 0.5, 128), ("int16", 0.002, 0), ("int16", 0.9, 0)]
ENDS = np.array([0, 1, -1, 1 << 24, (1 << 24) + 1, -(1 << 30), np.iinfo(np.int32).min, np.iinfo(np.int32).max])


def embedding(table: Array, count: int, dtype: str, scale: float, zero_point: int) -> bytes:
    """Rows of a table of floats, quantized."""
    tensors = [
        Tensor((count,), "int32"),
        Tensor(table.shape, data=table),
        Tensor((count, *table.shape[1:])),
        Tensor((count, *table.shape[1:]), dtype, scale=scale, zero_point=zero_point),
    ]
    operators = [Operator(B.EMBEDDING_LOOKUP, (0, 1), (2,)), Operator(B.QUANTIZE, (2,), (3,))]
    return build(tensors, operators, (0,), (3,))


def positions(shape: tuple[int, ...], dtype: str, scale: float, zero_point: int, source: str = "int32") -> bytes:
    """Integers as floats, quantized."""
    quantized = Tensor(shape, dtype, scale=scale, zero_point=zero_point)
    operators = [Operator(B.CAST, (0,), (1,)), Operator(B.QUANTIZE, (1,), (2,))]
    return build([Tensor(shape, source), Tensor(shape), quantized], operators, (0,), (2,))


def stored_bounds(dtype: str, scale: float, zero_point: int) -> tuple[int, int]:
    """The bounds of integers whose results are looked up; those of uint8 are of its int8 form."""
    unsigned = dtype == "uint8"
    output = OutputQuant(
        np.float32(scale), zero_point - 128 * unsigned, unsigned, DType.I16 if dtype == "int16" else DType.I8
    )
    return bounds(output)


@pytest.mark.parametrize(("dtype", "scale", "zero_point"), QUANTS)
def test_rows_of_a_table(dtype: str, scale: float, zero_point: int) -> None:
    """With ties of the scale, values beyond the type's range, and columns of two dimensions."""
    rng = np.random.default_rng(3)
    limits = np.iinfo(dtype)
    levels = rng.integers(2 * limits.min - limits.max, 2 * limits.max - limits.min, (11, 3, 40)) + 0.5
    table = ((levels - zero_point) * scale).astype(np.float32)
    table = np.nextafter(table, table + rng.integers(-1, 2, table.shape)).astype(np.float32)
    content = embedding(table, 9, dtype, scale, zero_point)
    model = tc.convert(content)
    assert not any(value.type.dtype.is_float for op in model.main for value in op.results)
    arrays = {"t0": rng.integers(0, 11, 9).astype(np.int32)}
    (result,) = tc.run(model, arrays).values()
    (expected,) = run_litert(content, [arrays["t0"]])
    np.testing.assert_array_equal(result.view(expected.dtype), expected)


@pytest.mark.parametrize(("dtype", "scale", "zero_point"), QUANTS)
def test_integers(dtype: str, scale: float, zero_point: int) -> None:
    """At every integer up to the bounds and some beyond, and at the ends of int32 that LiteRT defines."""
    low, high = stored_bounds(dtype, scale, zero_point)
    width = min(high - low, 70_000)
    x = np.concatenate([np.arange(low - 3, low + width), np.arange(high - 300, high + 300), ENDS]).astype(np.int32)
    content = positions((1, x.size), dtype, scale, zero_point)
    model = tc.convert(content)
    assert not any(value.type.dtype.is_float for op in model.main for value in op.results)
    (result,) = tc.run(model, {"t0": x[None]}).values()
    (expected,) = run_litert(content, [x[None]])
    defined = np.abs(x / scale) < 2**31 - 1 - abs(zero_point)
    np.testing.assert_array_equal(result.view(expected.dtype)[0, defined], expected[0, defined])


def test_what_stays_in_floats() -> None:
    """Integers with too many results between the bounds, other integers, and other tables than of floats."""
    for content in (
        positions((1, 3), "int16", 2.0, 0),
        positions((1, 3), "int8", 1e6, 0),
        positions((1, 3), "int8", 0.1, 0, "int16"),
    ):
        assert any(value.type.dtype is DType.FP32 for op in tc.convert(content).main for value in op.results)


def test_a_reader_of_the_floats_gets_them() -> None:
    """A graph output in front of QUANTIZE: the rows are looked up in both tables."""
    table = np.linspace(-3, 3, 28, dtype=np.float32).reshape(7, 4)
    tensors = [Tensor((2,), "int32"), Tensor((7, 4), data=table), Tensor((2, 4)), Tensor((2, 4), "int8", scale=0.02)]
    operators = [Operator(B.EMBEDDING_LOOKUP, (0, 1), (2,)), Operator(B.QUANTIZE, (2,), (3,))]
    content = build(tensors, operators, (0,), (2, 3))
    rows = np.array([5, 0], np.int32)
    results = tc.run(tc.convert(content), {"t0": rows}).values()
    for result, expected in zip(results, run_litert(content, [rows]), strict=True):
        np.testing.assert_array_equal(result.view(expected.dtype), expected)


@pytest.mark.parametrize("target", ["ethos-u85", "pro-int"])
def test_a_target_of_integers_takes_them(target: str) -> None:
    tc.convert(positions((1, 3), "int8", 0.1, 0), target=target)
    tc.convert(embedding(np.ones((5, 4), np.float32), 2, "int8", 0.1, 0), target=target)
