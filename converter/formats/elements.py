"""Elements as flatbuffers store them: little endian; below 8 bits several in a byte, the first one low."""

from typing import Any, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError
from tosa_converter.ir import Array

Bytes: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]

# Constants nested or repeated out of shared parts can claim far more elements than the file has.
EXPANSION = 16  # times what the file has
SPLATS = 1 << 27  # bytes of all constants that repeat one element, besides as many as the file has


def pack(values: Array, dtype: DType) -> Bytes:
    """Returns the bytes of a constant in a flatbuffer: little endian, i48 in 6 bytes, types below 8 bits packed.

    They are a view of `values` where no conversion is needed.
    """
    flat = np.ascontiguousarray(values, dtype.numpy).reshape(-1)
    if dtype.bits < 8 and dtype is not DType.BOOL:
        return pack_nibbles(flat) if dtype.bits == 4 else _pack_parts(flat, dtype.bits)
    raw: Bytes = flat.view(np.uint8)
    if dtype is DType.I48:
        # -2 and 1 are fe ff ff ff ff ff and 01 00 00 00 00 00: the lower 6 of the 8 bytes that numpy has for each.
        return np.ascontiguousarray(raw.reshape(-1, 8)[:, :6]).reshape(-1)
    return raw


def round_element(value: float, dtype: DType) -> Array:
    """Returns one element rounded to a type; numbers beyond the range of floats become infinite, as for CLAMP."""
    with np.errstate(over="ignore"):
        return np.array([value]).astype(dtype.numpy)


def unpack(data: Array, dtype: DType, shape: tuple[int, ...]) -> Array:
    """Returns the elements of a constant from its bytes in a flatbuffer.

    The result is a view of `data` for types that numpy stores in the same way.

    Raises:
        FormatError: fewer bytes than the shape asks for, or a shape that numpy can't hold.
    """
    count = 1
    for size in shape:
        count *= size
    # Three elements of 4 bits take (12 + 7) // 8 = 2 bytes, of 48 bits (144 + 7) // 8 = 18.
    byte_count = (count * dtype.bits + 7) // 8
    if data.size < byte_count:
        raise FormatError(f"expected {byte_count} bytes for {dtype.value}{list(shape)}, found {data.size}")
    data = data[:byte_count]
    if dtype is DType.I4:
        return reshape_elements(unpack_nibbles(data, count), shape)
    if dtype is DType.I48:
        # Little-endian bytes fe ff ff ff ff ff are -2: the sign is bit 7 of the sixth byte, copied to the upper two.
        wide = np.zeros((count, 8), np.uint8)
        wide[:, :6] = data.reshape(-1, 6)
        wide[:, 6:] = (wide[:, 5:6] >> 7) * 0xFF  # the sign
        return reshape_elements(wide.view(np.int64), shape)
    return reshape_elements(data != 0 if dtype is DType.BOOL else data.view(dtype.numpy), shape)


def reshape_elements(elements: Array, shape: tuple[int, ...]) -> Array:
    """Reshapes the elements of a constant.

    Raises FormatError where numpy refuses, as for a 0 beside too large sizes.
    """
    try:
        return elements.reshape(shape)
    except ValueError as error:
        raise FormatError(f"a shape of {list(shape)}: {error}") from None


def pack_nibbles(values: Array) -> Bytes:
    """Returns 4-bit elements packed two to a byte, the first one in the low half."""
    nibbles = np.zeros(values.size + values.size % 2, np.uint8)
    # -1, 2, -8 are the nibbles f, 2, 8: bytes 2f 08, the last half byte 0.
    nibbles[: values.size] = values.view(np.uint8) & 0xF
    return np.asarray(nibbles[0::2] | nibbles[1::2] << 4, np.uint8)


def unpack_nibbles(data: Array, count: int) -> "np.ndarray[tuple[int], np.dtype[np.int8]]":
    """Returns the first `count` signed 4-bit elements, one int8 each; a byte holds two, the earlier in its low half."""
    nibbles = np.empty(2 * data.size, np.uint8)
    nibbles[0::2] = data & 0xF
    nibbles[1::2] = data >> 4
    # x ^ 8 moves [-8, 7] to [0, 15] in order: nibble f becomes 7, and 7 - 8 is -1.
    return np.asarray((nibbles[:count] ^ 8).astype(np.int8) - np.int8(8), np.int8)


def unpack_parts(data: Array, count: int, dtype: DType) -> Array:
    """Returns elements of 1, 2 or 4 bits from packed bytes, one byte each.

    The lowest bits of a byte are the first element.
    """
    if dtype is DType.I4:
        return unpack_nibbles(data, count)
    # Byte 87 has four elements of 2 bits, from the lowest on: 3, 1, 0, 2. With a sign, bit 1 weighs -2, and
    # (x ^ 2) - 2 makes that -1, 1, 0, -2.
    shifts = np.arange(0, 8, dtype.bits, dtype=np.uint8)
    parts = (data[:, None] >> shifts & np.uint8((1 << dtype.bits) - 1)).reshape(-1)[:count]
    if dtype.numpy.kind == "u":
        return parts
    sign = np.uint8(1 << dtype.bits - 1)
    return np.asarray((parts ^ sign).view(np.int8) - sign.view(np.int8), np.int8)


def _pack_parts(values: Array, bits: int) -> Bytes:
    """Returns elements of 1, 2 or 4 bits packed into bytes, the first one in the lowest bits."""
    per_byte = 8 // bits
    # Five elements of 2 bits take -(-5 // 4) = 2 bytes; the three places left are 0.
    parts = np.zeros(-(-values.size // per_byte) * per_byte, np.uint8)
    parts[: values.size] = values.view(np.uint8) & np.uint8((1 << bits) - 1)
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    return np.asarray(np.bitwise_or.reduce(parts.reshape(-1, per_byte) << shifts, axis=1), np.uint8)
