"""Results in narrow types are rounded once from fp64, to nearest with ties to even, judged by exact fractions."""

from fractions import Fraction

import numpy as np
import pytest

from tosa_converter.dtypes import DType
from tosa_converter.execute.definition.base import narrow
from tosa_converter.execute.plan import Executable
from tosa_converter.ir import Array, Graph, Op, TensorType, Value
from tosa_converter.schemas import tosa_ops as ops

# By type the numbers of bits of the fraction, the least exponent of a normal number, and the largest finite number.
FORMATS = {
    DType.FP32: (23, -126, (2 - 2.0**-23) * 2.0**127),
    DType.FP16: (10, -14, 65504.0),
    DType.BF16: (7, -126, (2 - 2.0**-7) * 2.0**127),
    DType.FP8E4M3: (3, -6, 448.0),
    DType.FP8E5M2: (2, -14, 57344.0),
}


def nearest(x: float, bits: int, least: int) -> float:
    """Rounds a number to `bits` of fraction by exact arithmetic; ties go to even."""
    if not x:
        return x
    exponent = max(int(np.frexp(x)[1]) - 1, least)
    step = Fraction(2) ** (exponent - bits)
    return float(round(Fraction(x) / step) * step)


def between(dtype: DType) -> Array:
    """Returns ties between neighbours with an even and an odd lower one, numbers next to them, and the neighbours."""
    bits, least, largest = FORMATS[dtype]
    steps = np.arange(2 ** min(bits, 6), 2 ** (min(bits, 6) + 1)) * 2.0 ** -min(bits, 6)
    tops = np.array([1 + k * 2.0**-bits for k in (0, 1, 2, 3)] + [2 - 2.0**-bits, 2 - 2.0 ** (1 - bits)])
    tiny = np.arange(8) * 2.0 ** (least - bits)
    exponents = np.array([least, least + 1, -3, 0, 5, int(np.log2(largest)) - 1])
    values = np.concatenate([np.outer(np.concatenate([steps, tops]), 2.0**exponents).ravel(), tiny])
    values = values[values < largest / 2]
    gaps = 2.0 ** (np.maximum(np.frexp(values)[1] - 1, least) - bits)
    ties = values + gaps / 2
    # So near a tie that fp32, whose next number is 2**-23 further, would lose on which side of it a number is.
    near = 2.0 ** np.array([-40.0, -25, -24, -23.4, -23, -22.5])
    beside = np.outer(np.concatenate([1 + near, 1 - near]), ties).ravel()
    values = np.concatenate([values, ties, beside, values + gaps / 4, values + gaps * 0.75])
    return np.concatenate([values, -values])


@pytest.mark.parametrize("dtype", FORMATS)
def test_results_are_rounded_once(dtype: DType) -> None:
    bits, least, _ = FORMATS[dtype]
    values = between(dtype)
    expected = np.array([nearest(float(x), bits, least) for x in values])
    assert np.array_equal(narrow(values, dtype.numpy).astype(np.float64), expected)


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("dtype", [DType.FP16, DType.BF16, DType.FP8E4M3, DType.FP8E5M2])
def test_casts_round_once(dtype: DType, fast: bool) -> None:
    bits, least, largest = FORMATS[dtype]
    exact = between(dtype)
    values = np.concatenate([exact.astype(np.float32), np.nextafter(exact.astype(np.float32), np.float32(0))])
    values = values[np.abs(values) < min(largest / 2, 1e30)]
    x = Value(TensorType(DType.FP32, values.shape), "x")
    op = Op(ops.CAST, [x], [TensorType(dtype, x.type.shape)])
    (rounded,) = Executable(Graph("main", [x], [op.result], [op]), fast=fast).run({x.name: values}).values()
    expected = [nearest(float(value), bits, least) for value in values]
    assert np.array_equal(rounded.astype(np.float64), expected)


@pytest.mark.parametrize("dtype", [DType.FP32, DType.FP16, DType.BF16, DType.FP8E5M2])
def test_infinities_and_nan_stay(dtype: DType) -> None:
    values = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0])
    with np.errstate(invalid="ignore"):  # as where graphs run
        narrowed = narrow(values, dtype.numpy).astype(np.float64)
    assert np.array_equal(narrowed, values, equal_nan=True)
    assert np.array_equal(np.signbit(narrowed), np.signbit(values))


@pytest.mark.parametrize("dtype", [DType.I8, DType.I16, DType.I32])
def test_integers_are_cut_to_their_low_bits(dtype: DType) -> None:
    values = np.array([0, 1, -1, 127, 128, -129, 32768, 2**31, -(2**31) - 1, 2**40 + 5])
    modulus = 1 << dtype.bits
    expected = [(int(x) + modulus // 2) % modulus - modulus // 2 for x in values]
    assert narrow(values, dtype.numpy).tolist() == expected
