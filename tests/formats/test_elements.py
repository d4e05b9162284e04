"""Elements are stored as computed by hand: nibbles, parts of a byte, six bytes of i48; short data is refused."""

import numpy as np
import pytest

from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError
from tosa_converter.formats.elements import pack, pack_nibbles, reshape_elements, round_element, unpack, unpack_parts
from tosa_converter.ir import Array


@pytest.mark.parametrize(
    ("dtype", "values", "data"),
    [
        (DType.BOOL, [True, False, True], [1, 0, 1]),
        (DType.I4, [1, -2, 7], [0xE1, 0x07]),
        (DType.I4, [-8, 7, -1, 0], [0x78, 0x0F]),
        (DType.I8, [-128, 127], [0x80, 0x7F]),
        (DType.I16, [-2, 258], [0xFE, 0xFF, 2, 1]),
        (DType.I32, [-2, 1], [0xFE, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0]),
        (DType.I48, [-2, 1 << 40], [0xFE, *[0xFF] * 5, 0, 0, 0, 0, 0, 1]),
        (DType.I48, [-(1 << 47), (1 << 47) - 1], [0, 0, 0, 0, 0, 0x80, *[0xFF] * 5, 0x7F]),
        (DType.FP16, [1.0], [0, 0x3C]),
        (DType.BF16, [1.0], [0x80, 0x3F]),
        (DType.FP32, [-2.0], [0, 0, 0, 0xC0]),
        (DType.SHAPE, [-1], [0xFF] * 8),
    ],
)
def test_elements_are_packed_into_their_bytes(dtype: DType, values: list[float], data: list[int]) -> None:
    array = np.array(values).astype(dtype.numpy)
    assert pack(array, dtype).tolist() == data
    raw = np.array(data, np.uint8)
    unpacked = unpack(raw, dtype, (len(values),))
    assert unpacked.dtype == dtype.numpy
    assert unpacked.tolist() == array.tolist()
    longer = np.append(raw, np.uint8(0xAA))
    assert unpack(longer, dtype, (1, len(values))).tolist() == [array.tolist()]
    message = rf"^expected {len(data)} bytes for {dtype.value}\[{len(values)}\], found {len(data) - 1}$"
    with pytest.raises(FormatError, match=message):
        unpack(raw[:-1], dtype, (len(values),))


@pytest.mark.parametrize(
    ("dtype", "values", "data"),
    [
        (DType.I2, [1, -2, 0, -1, 1], [0b11_00_10_01, 0b01]),
        (DType.I4, [1, -2, 7], [0xE1, 0x07]),
        (DType.UI4, [1, 14, 7], [0xE1, 0x07]),
    ],
)
def test_parts_of_a_byte_begin_with_the_low_one(dtype: DType, values: list[int], data: list[int]) -> None:
    array = np.array(values, dtype.numpy)
    assert pack(array, dtype).tolist() == data
    raw: Array = np.array(data, np.uint8)
    unpacked = unpack_parts(raw, len(values), dtype)
    assert (unpacked.dtype, unpacked.tolist()) == (dtype.numpy, values)


def test_an_odd_number_of_nibbles_ends_with_zeros() -> None:
    assert pack_nibbles(np.array([-1], np.int8)).tolist() == [0x0F]
    assert pack_nibbles(np.array([], np.int8)).tolist() == []
    assert pack_nibbles(np.array([-1, -1, -1], np.int8)).tolist() == [0xFF, 0x0F]


def test_arrays_of_any_memory_layout_are_packed_in_order() -> None:
    turned = np.arange(6, dtype=np.int16).reshape(2, 3).T
    assert pack(turned, DType.I16).view("<i2").tolist() == [0, 3, 1, 4, 2, 5]
    same = np.arange(6, dtype=np.int16)
    assert np.shares_memory(pack(same, DType.I16), same)


def test_one_element_is_rounded_and_may_be_infinite() -> None:
    assert round_element(1e39, DType.FP32).tolist() == [np.inf]
    assert round_element(0.1, DType.FP16).tolist() == [float(np.float16(0.1))]
    assert round_element(-5, DType.I8).tolist() == [-5]


def test_shapes_that_numpy_refuses_are_malformed() -> None:
    assert reshape_elements(np.zeros(0), (0, 5)).shape == (0, 5)
    with pytest.raises(FormatError, match=r"^a shape of \[0, 4611686018427387904, 4\]: "):
        reshape_elements(np.zeros(0), (0, 1 << 62, 4))
