"""Arrays are accepted as inputs, and converted, by fixed rules."""

import re

import numpy as np
import pytest

from tosa_converter.dtypes import DType
from tosa_converter.errors import UsageError
from tosa_converter.execute.inputs import convert_input, fits, require_fit
from tosa_converter.ir import TensorType

WIDE = np.array([1 << 40, -(1 << 47)])


@pytest.mark.parametrize("dtype", [DType.I48, DType.I64])
def test_types_of_64_bits_keep_their_values(dtype: DType) -> None:
    np.testing.assert_array_equal(convert_input("x", TensorType(dtype, (2,)), WIDE), WIDE)


def test_types_of_32_bits_take_only_values_that_fit() -> None:
    type = TensorType(DType.I32, (2,))
    assert convert_input("x", type, np.array([-(1 << 31), 7])).dtype == np.int32
    with pytest.raises(UsageError, match=r"'x': expected values from -2147483648 to 2147483647, found \d+ at \[0\]"):
        convert_input("x", type, WIDE)


TYPES = [dtype for dtype in DType if dtype is not DType.SHAPE and dtype not in (DType.RESOURCE, DType.VARIANT)]
ARRAYS = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "V1", "V2", "V4"]
# By width: types of the other sign up to 16 bits, bytes for types that numpy lacks, and int64 for 32 bits.
TWINS = {("u1", "i1"), ("u2", "i2"), ("V1", "V1"), ("V2", "V2")}


@pytest.mark.parametrize("array", ARRAYS)
@pytest.mark.parametrize("dtype", TYPES, ids=lambda dtype: dtype.value)
def test_arrays_are_taken_by_type(dtype: DType, array: str) -> None:
    try:
        expected = dtype.numpy
    except KeyError:
        with pytest.raises(UsageError, match="which numpy arrays can't hold"):
            require_fit("x", TensorType(dtype, (2,)), np.dtype(array), (2,))
        return
    pair = array, f"{expected.kind}{expected.itemsize}"
    fit = np.dtype(array) == expected or pair in TWINS or (array == "i8" and dtype is DType.I32)
    if fit:
        require_fit("x", TensorType(dtype, (2,)), np.dtype(array), (2,))
        return
    message = re.escape(f"input 'x': expected {TensorType(dtype, (2,))}, found {np.dtype(array)}[2]")
    with pytest.raises(UsageError, match=f"^{message}$"):
        require_fit("x", TensorType(dtype, (2,)), np.dtype(array), (2,))


@pytest.mark.parametrize(
    ("shape", "expected"),
    [((2, 3), True), ((2, 4), True), ((3, 3), False), ((2,), False), ((2, 3, 1), False), ((), False)],
)
def test_unknown_dimensions_take_any_size(shape: tuple[int, ...], expected: bool) -> None:
    assert fits(shape, TensorType(DType.I8, (2, None))) == expected


@pytest.mark.parametrize("value", [-(1 << 31), (1 << 31) - 1, -(1 << 31) - 1, 1 << 31])
def test_limits_of_32_bits_are_taken_and_values_beyond_refused(value: int) -> None:
    array = np.array([[0, 1], [value, 2]])
    if abs(value + 0.5) < 1 << 31:
        assert convert_input("x", TensorType(DType.I32, (2, 2)), array).tolist() == array.tolist()
        return
    with pytest.raises(UsageError, match=rf"expected values from -2147483648 to 2147483647, found {value} at \[1, 0\]"):
        convert_input("x", TensorType(DType.I32, (2, 2)), array)
