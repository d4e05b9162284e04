"""Casts between the element types of a source equal numpy."""

import ml_dtypes  # noqa: F401  # numpy's bf16
import numpy as np
import pytest
from support.expressions import evaluate

from tosa_converter.dtypes import SIGNLESS, DType
from tosa_converter.ir import Array
from tosa_converter.legalize.ops.casts import convert, in_fp32
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.reasons import Decline

FLOATS = (DType.FP32, DType.FP16, DType.BF16)
INTEGERS = (DType.I8, DType.UI8, DType.I16, DType.UI16, DType.I32, DType.I64)
TYPES = (*FLOATS, *INTEGERS, DType.BOOL)


def stored(x: Array, dtype: DType) -> Array:
    """Returns elements of a source's type as TOSA stores them: signless, and i64 in 32 bits."""
    if dtype is DType.I64:
        return x.astype(np.int32)
    return x.view(SIGNLESS[dtype].numpy) if dtype in SIGNLESS else x


def elements(dtype: DType) -> Array:
    """Returns the ends of an integer type, and numbers with fractions of a float type; all fit 32 bits."""
    if dtype is DType.BOOL:
        return np.array([False, True])
    if dtype.is_float:
        return np.array([-100.75, -2.5, -1.5, -0.5, 0, 0.5, 0.75, 1.5, 100.5], dtype.numpy)
    info = np.iinfo(np.int32 if dtype is DType.I64 else dtype.numpy)
    return np.array([info.min, info.min // 2, 0, 1, 77, info.max // 3, info.max], dtype.numpy)


def converted(x: Array, source: DType, target: DType) -> Array:
    """Returns the converted elements; bf16 comes back as fp32, since no input of these graphs has it."""
    wide = x.astype(np.float32) if source is DType.BF16 else stored(x, source)

    def formula(x: Expr) -> Expr:
        result = convert(x.cast(source) if source is DType.BF16 else x, source, target)
        return result.cast(DType.FP32) if target is DType.BF16 else result

    (result,) = evaluate(formula, wide)
    return result


@pytest.mark.parametrize("source", TYPES, ids=lambda dtype: dtype.value)
@pytest.mark.parametrize("target", TYPES, ids=lambda dtype: dtype.value)
def test_casts_equal_numpy(source: DType, target: DType) -> None:
    """Integers wrap, floats are truncated, and values beyond a float type become infinite."""
    x = elements(source)
    if source.is_float and target in (DType.UI8, DType.UI16):
        x = x[x >= 0]
    with np.errstate(over="ignore"):
        expected = x.astype(target.numpy)
    if target is DType.BF16:
        np.testing.assert_array_equal(converted(x, source, target), expected.astype(np.float32))
    else:
        np.testing.assert_array_equal(converted(x, source, target), stored(expected, target))


@pytest.mark.parametrize("target", INTEGERS, ids=lambda dtype: dtype.value)
def test_floats_beyond_an_integer_type_saturate(target: DType) -> None:
    info = np.iinfo(np.int32 if target is DType.I64 else target.numpy)
    expected = np.array([info.min, info.max, info.min, info.max], target.numpy)
    x = np.array([-1e10, 1e10, -np.inf, np.inf], np.float32)
    np.testing.assert_array_equal(converted(x, DType.FP32, target), stored(expected, target))


def test_a_constant_beyond_32_bits_is_declined() -> None:
    with pytest.raises(Decline, match="expected constants that fit 32 bits"):
        evaluate(lambda _: convert(const([3e9], DType.FP32), DType.FP32, DType.I64), np.zeros(1, np.float32))


def test_functions_in_fp32_equal_numpy() -> None:
    """16-bit floats are rounded once, operands of lower rank broadcast, and integers are computed in their own type."""
    a, b = np.array([[2049], [1000]], np.float32).astype(np.float16), np.array([0.5, 3], np.float16)
    (result,) = evaluate(in_fp32(lambda a, b: a * b + 1), a, b)
    assert result.dtype == np.float16
    np.testing.assert_array_equal(result, (a.astype(np.float32) * b.astype(np.float32) + 1).astype(np.float16))
    (integers,) = evaluate(in_fp32(lambda a: a + 1), np.array([2**30 + 1], np.int32))
    assert integers.tolist() == [2**30 + 2]
