"""Element types equal numpy's and ml_dtypes', and the numbers in the specification's names."""

import re

import ml_dtypes
import numpy as np
import pytest

from tosa_converter.dtypes import SIGNLESS, DType

# The type that holds an element; strings, resources and variants have none.
HOLDERS = {
    DType.BOOL: np.bool_,
    DType.I2: np.int8,
    DType.I4: np.int8,
    DType.I8: np.int8,
    DType.I16: np.int16,
    DType.I32: np.int32,
    DType.I48: np.int64,
    DType.I64: np.int64,
    DType.UI4: np.uint8,
    DType.UI8: np.uint8,
    DType.UI16: np.uint16,
    DType.UI32: np.uint32,
    DType.UI64: np.uint64,
    DType.FP8E4M3: ml_dtypes.float8_e4m3fn,
    DType.FP8E5M2: ml_dtypes.float8_e5m2,
    DType.FP16: np.float16,
    DType.BF16: ml_dtypes.bfloat16,
    DType.FP32: np.float32,
    DType.FP64: np.float64,
    DType.COMPLEX64: np.complex64,
    DType.COMPLEX128: np.complex128,
    DType.SHAPE: np.int64,
}
NARROW = {DType.I2, DType.I4, DType.I48, DType.UI4}  # types with fewer bits than their numpy type


def test_the_table_has_every_type() -> None:
    assert set(DType) - set(HOLDERS) == {DType.STRING, DType.RESOURCE, DType.VARIANT}


@pytest.mark.parametrize("dtype", HOLDERS, ids=lambda dtype: dtype.value)
def test_bits_and_kinds_equal_numpys(dtype: DType) -> None:
    holder = np.dtype(HOLDERS[dtype])
    assert dtype.numpy == holder
    assert dtype.bits == (int(re.findall(r"\d+", dtype.value)[-1]) if dtype in NARROW else 8 * holder.itemsize)
    assert dtype.is_integer == (holder.kind in "iu" and dtype is not DType.SHAPE)
    assert dtype.is_float == (dtype.value.startswith(("fp", "bf")))
    if holder.kind == "i" and dtype not in NARROW:
        assert dtype.limits == (np.iinfo(holder).min, np.iinfo(holder).max)


def test_limits_of_types_without_a_numpy_type_follow_their_bits() -> None:
    """The limits are -2**(n-1) and 2**(n-1) - 1."""
    assert [dtype.limits for dtype in (DType.I2, DType.I4, DType.I48)] == [(-2, 1), (-8, 7), (-(2**47), 2**47 - 1)]


def test_types_without_a_sign_have_the_same_width() -> None:
    """64 bits are an exception, which become 32."""
    assert {old: new.bits - old.bits for old, new in SIGNLESS.items()} == {
        DType.UI8: 0,
        DType.UI16: 0,
        DType.UI32: 0,
        DType.I64: -32,
    }
