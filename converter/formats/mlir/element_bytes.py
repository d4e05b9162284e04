"""The elements of constants from their bytes, as hexadecimal strings of MLIR text and MLIR bytecode have them."""

from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError
from tosa_converter.formats.elements import EXPANSION, SPLATS, reshape_elements, unpack
from tosa_converter.formats.mlir.source import Source
from tosa_converter.ir import Array, TensorType


class Elements(NamedTuple):
    """The elements of a constant and the type that they are given."""

    type: TensorType
    values: Array


class ElementBytes:
    """Makes arrays of bytes, and bounds repeated elements, which take no memory until they are copied."""

    def __init__(self, source: Source, size: int) -> None:
        """Prepares to read the constants of an MLIR file of `size` bytes.

        `splats` is how many bytes constants of one repeated element may take in all; it grows with the file.
        """
        self.source = source
        self.splats = SPLATS + EXPANSION * size

    def decode(self, raw: Array, type: TensorType, at: int) -> Array:
        """Returns a constant's elements from their bytes, which may be those of one element that stands for all."""
        width = bytes_per_element(type.dtype)
        if raw.size == width and type.elements != 1:
            return self.repeat(self._unpack(raw, TensorType(type.dtype, ()), at), type, at)
        return self.decode_all(raw, type, at)

    def decode_all(self, raw: Array, type: TensorType, at: int) -> Array:
        """Returns a constant's elements from the bytes of all of them; a view of these where numpy has such elements.

        Raises FormatError for another number of bytes than the type takes.
        """
        byte_count = type.elements * bytes_per_element(type.dtype)
        if raw.size != byte_count:
            raise self.source.wrong(at, f"{byte_count} bytes for {type}", f"{raw.size}")
        return self._unpack(raw, type, at)

    def _unpack(self, raw: Array, type: TensorType, at: int) -> Array:
        """Returns a constant's elements from their bytes in MLIR, where an i4 takes a whole byte."""
        if type.dtype is DType.I4:  # a byte each, other than in files
            # Byte 0f or ff: 15 ^ 8 = 7, and 7 - 8 = -1. Only the lower half counts.
            return self.reshape((raw & 0xF ^ 8).view(np.int8) - np.int8(8), type, at)
        return self.reshape(unpack(raw, type.dtype, (type.elements,)), type, at)

    def spend(self, values: Array, at: int) -> None:
        """Deducts the bytes of repeated elements from their budget; raises UnsupportedError when it is used up."""
        self.splats -= values.nbytes
        if self.splats < 0:
            message = f"constants that repeat elements, of more than {SPLATS} bytes besides those of the file"
            raise self.source.unsupported(message, at)

    def repeat(self, element: Array, type: TensorType, at: int) -> Array:
        """Returns one element repeated to a type's shape as a view, and counts it against the budget."""
        try:
            values = np.broadcast_to(element, type.static)
        except ValueError as error:  # numpy can't hold such a shape
            raise self.source.wrong(at, "a shape that fits the memory", f"{type} ({error})") from None
        self.spend(values, at)
        return values

    def reshape(self, values: Array, type: TensorType, at: int) -> Array:
        """Returns a constant's elements in its type's shape; raises FormatError if their number differs."""
        if values.size != type.elements:
            raise self.source.wrong(at, f"{type.elements} elements for {type}", f"{values.size}")
        try:
            return reshape_elements(values, type.static)
        except FormatError as error:  # numpy can't hold such a shape, though it has no elements
            error.inside(self.source.place(at))
            raise


def bytes_per_element(dtype: DType) -> int:
    """Returns how many bytes an element takes in a hexadecimal string of MLIR; types below 8 bits take one."""
    return max(dtype.bits // 8, 1)
