"""Bytes of MLIR bytecode as they are written: numbers of variable width, and content that arrays lend until the end."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.formats.elements import pack
from tosa_converter.formats.mlir.element_bytes import bytes_per_element
from tosa_converter.formats.storage import Bytes
from tosa_converter.ir import Array

PIECE = 1 << 20  # elements of a constant whose bytes are made at a time where its array has others


def varint(value: int) -> bytes:
    """Returns an unsigned integer of 64 bits in 1 to 9 bytes: zeros below the lowest 1 say how many bytes follow.

    >>> varint(5).hex(), varint(0x4A4).hex(), varint(1 << 63).hex()
    ('0b', '9212', '000000000000000080')
    """
    # Each byte holds 7 bits of the number: 0x4A4 has 11 bits, so it takes 2 bytes, (0x4A4 << 1 | 1) << 1 = 0x1292.
    if value < 1 << 7:
        return bytes((value << 1 | 1,))
    size = -(-value.bit_length() // 7)
    if size > 8:
        return b"\0" + value.to_bytes(8, "little")
    return ((value << 1 | 1) << size - 1).to_bytes(size, "little")


def signed_varint(value: int) -> bytes:
    """Returns a signed integer of 64 bits: 0, -1, 1, -2 are written as 0, 1, 2, 3."""
    return varint(value << 1 if value >= 0 else ~value << 1 | 1)


def number_with_flag(value: int, flag: bool) -> bytes:
    """Returns an integer with a flag below its lowest bit."""
    return varint(value << 1 | flag)


def numbers(values: Iterable[int]) -> bytes:
    """Returns how many integers there are, and the integers."""
    encoded = [varint(value) for value in values]
    return varint(len(encoded)) + b"".join(encoded)


class ElementContent(NamedTuple):
    """The elements of a constant, in order in memory, whose bytes are made when they are written."""

    values: Array
    dtype: DType

    @property
    def size(self) -> int:
        """How many bytes the elements take."""
        if self.dtype is DType.BOOL:
            return (self.values.size + 7) // 8
        return self.values.size * bytes_per_element(self.dtype)

    def pieces(self) -> Iterator[Bytes]:
        """Yields the bytes: those of the array itself where it has them in order, else made piece by piece."""
        flat = self.values.reshape(-1)
        step = PIECE if self.dtype in _CHANGED else max(flat.size, 1)  # 8 booleans are a byte, so a multiple of 8
        for begin in range(0, flat.size, step):
            yield _element_bytes(flat[begin : begin + step], self.dtype)


_CHANGED = (DType.BOOL, DType.I4, DType.I48)  # types whose elements have other bytes in numpy


def _element_bytes(values: Array, dtype: DType) -> memoryview:
    """Returns the bytes of elements as MLIR keeps them: 8 booleans in a byte, the first one lowest; i4 in a byte each.

    Those of other types are a view of the array.
    """
    if dtype is DType.BOOL:
        return np.packbits(values, bitorder="little").data
    return (values.view(np.uint8) & 0xF if dtype is DType.I4 else pack(values, dtype)).data


Content = bytes | ElementContent


class Part:
    """Bytes of a section as they are collected, with their number."""

    def __init__(self, content: bytes = b"") -> None:
        """Begins with some bytes."""
        self.contents: list[Content] = []
        self.size = 0
        self._bytes = bytearray()
        self.add(content)

    def add(self, content: bytes) -> None:
        """Appends bytes."""
        self._bytes += content
        self.size += len(content)

    def add_part(self, part: "Part") -> None:
        """Appends the content of another part, which must not be changed afterwards."""
        for content in part.all_contents():
            if isinstance(content, bytes):
                self.add(content)
            else:
                self.add_elements(content)

    def add_elements(self, elements: ElementContent) -> None:
        """Appends the elements of a constant, whose bytes are made when the file is written."""
        self.contents += [bytes(self._bytes), elements]
        self._bytes = bytearray()
        self.size += elements.size

    def all_contents(self) -> list[Content]:
        """Returns all content in order."""
        return [*self.contents, bytes(self._bytes)]


def section(kind: int, part: Part) -> Part:
    """Returns a section: its kind, its size, and its content."""
    whole = Part(bytes([kind]) + varint(part.size))
    whole.add_part(part)
    return whole
