"""Attributes of MLIR's builtin dialect in bytecode, each behind a code; locations are attributes too."""

from collections.abc import Callable
from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import MOST_PLACES, shortened
from tosa_converter.formats.mlir.attributes import Attribute, Number, Symbol, Word
from tosa_converter.formats.mlir.bytecode.cursor import Cursor
from tosa_converter.formats.mlir.bytecode.entries import Entries
from tosa_converter.formats.mlir.element_bytes import Elements
from tosa_converter.formats.mlir.locations import Location
from tosa_converter.formats.mlir.writer import LEFT_OUT, element_type
from tosa_converter.ir import Array, TensorType
from tosa_converter.schemas.mlir_bytecode import AttributeCode


def read_attribute(entries: Entries, cursor: Cursor) -> Any:
    """Reads an attribute of the builtin dialect behind its code, and returns its value as the text reader has it.

    It is None for one that TOSA has no use for.
    """
    read = _ATTRIBUTES.get(cursor.varint())
    if read is None:
        entries.pass_over(cursor)
        return None
    return read(entries, cursor)


# ** collections and words **


def _read_array(entries: Entries, cursor: Cursor) -> list[Attribute]:
    """Reads a list of attributes."""
    return [entries.attribute(cursor) for _ in range(cursor.count("attributes"))]


def _read_dictionary(entries: Entries, cursor: Cursor) -> dict[str, Attribute]:
    """Reads attributes by name."""
    values = {}
    for _ in range(cursor.count("attributes")):
        name = entries.string(cursor)
        values[entries.source.decode_utf8(name.value, name.at)] = entries.attribute(cursor)
    return values


def _read_string(entries: Entries, cursor: Cursor) -> bytes:
    """Reads a string."""
    return entries.tables.string(cursor)


def _read_typed_string(entries: Entries, cursor: Cursor) -> bytes:
    """Reads a string and its type, which is passed over."""
    string = entries.tables.string(cursor)
    entries.type(cursor)
    return string


def _read_symbol(entries: Entries, cursor: Cursor) -> Symbol:
    """Reads a symbol, which a string names."""
    name = entries.string(cursor)
    return Symbol(entries.source.decode_utf8(name.value, name.at))


def _read_type(entries: Entries, cursor: Cursor) -> Any:
    """Reads a type as an attribute; an element type is the word that text has for it."""
    type = entries.type(cursor)
    return Word(element_type(type)) if isinstance(type, DType) else type


def _read_unit(_entries: Entries, _cursor: Cursor) -> bool:
    """Returns true for an attribute without a value."""
    return True


# ** numbers **


def _read_bits(cursor: Cursor, width: int) -> int:
    """Reads an integer of a known width of at most 64 bits, as the bits of its two's complement."""
    value = cursor.byte() if width <= 8 else cursor.signed_varint()
    # -1 of 32 bits may be written as -1 or as 2**32 - 1: both have the same 32 lowest bits.
    return value & (1 << width) - 1


def _width(dtype: DType) -> int:
    """Returns how many bits MLIR gives an element of a type: bool has one."""
    return 1 if dtype is DType.BOOL else dtype.bits


def _read_integer(entries: Entries, cursor: Cursor) -> Number | bool | None:
    """Reads an integer behind its type; one of one bit is a boolean, and None one of a type that tensors don't have."""
    dtype = entries.type(cursor)
    if not isinstance(dtype, DType):
        entries.pass_over(cursor)
        return None
    width = _width(dtype)
    value = _read_bits(cursor, width)
    if dtype is DType.BOOL:
        return bool(value)
    # 0xFF of i8 is -1, as MLIR prints types without a stated sign: (255 ^ 128) - 128 = 127 - 128.
    sign = 0 if dtype.value.startswith("u") else 1 << width - 1
    return Number(str((value ^ sign) - sign), dtype)


def _read_float(entries: Entries, cursor: Cursor) -> Number | None:
    """Reads a float behind its type as its bits; None for one of a type that tensors don't have."""
    dtype = entries.type(cursor)
    if not (isinstance(dtype, DType) and dtype.is_float):
        entries.pass_over(cursor)
        return None
    return Number(f"0x{_read_bits(cursor, dtype.bits):X}", dtype)


# ** elements **


def _read_blob(cursor: Cursor) -> Array:
    """Reads how many bytes follow, and returns these as a view of the file."""
    size = cursor.varint()
    return _view(cursor, cursor.skip(size, "elements"), size)


def _view(cursor: Cursor, at: int, size: int) -> Array:
    """Returns bytes of the file as an array that shares them."""
    return np.frombuffer(cursor.data, np.uint8, size, at)


def _read_dense_array(entries: Entries, cursor: Cursor) -> tuple[int, ...] | None:
    """Reads a list of integers of one type; None for a list of other elements."""
    dtype = entries.type(cursor)
    at = cursor.at
    count, raw = cursor.varint(), _read_blob(cursor)
    if not isinstance(dtype, DType) or not dtype.is_integer or dtype.bits not in (8, 16, 32, 64):
        return None
    values = raw[: raw.size - raw.size % (dtype.bits // 8)].view(dtype.numpy)
    if values.size != count or values.nbytes != raw.size:
        raise cursor.source.wrong(at, f"{count} integers of {dtype.value}", f"{raw.size} bytes")
    return tuple(values.tolist())


def _read_elements(entries: Entries, cursor: Cursor) -> Elements | None:
    """Reads the type and elements of a constant; booleans are bits, the first one the lowest of the first byte.

    It is None for another type than a tensor's.
    """
    at = cursor.at
    type = _read_known_type(entries, cursor)
    raw = _read_blob(cursor)
    if type is None:
        return None
    if type.dtype is DType.BOOL:
        raw = _unpack_bits(raw, type, cursor, at)
    return Elements(type, entries.elements.decode(raw, type, at))


def _unpack_bits(raw: Array, type: TensorType, cursor: Cursor, at: int) -> Array:
    """Returns a byte for each boolean of a constant, or one byte where a byte 00 or ff stands for all of them."""
    if raw.size == 1 and raw[0] in (0, 0xFF):
        return raw & 1
    # 10 booleans take (10 + 7) // 8 = 2 bytes, with 6 bits unused.
    if raw.size != (type.elements + 7) // 8:
        raise cursor.source.wrong(at, f"{(type.elements + 7) // 8} bytes for {type}", str(raw.size))
    return np.unpackbits(raw, count=type.elements, bitorder="little")


def _read_resource(entries: Entries, cursor: Cursor) -> Elements | None:
    """Reads the type of a constant and the number of the resource that holds its elements."""
    at = cursor.at
    type = _read_known_type(entries, cursor)
    resource = entries.tables.resources[cursor.index(len(entries.tables.resources), "resources")]
    if type is None:
        return None
    if resource.span is None:
        actual = "elements left out of the file" if resource.key == LEFT_OUT else "none"
        raise cursor.source.wrong(at, f"a resource {shortened(resource.key)!r} with its content", actual)
    begin, end = resource.span
    return Elements(type, entries.elements.decode_all(_view(cursor, begin, end - begin), type, at))


def _read_known_type(entries: Entries, cursor: Cursor) -> TensorType | None:
    """Reads the type of a constant, whose dimensions must be known; None for another type than a tensor's."""
    at = cursor.at
    type = entries.type(cursor)
    if not isinstance(type, TensorType):
        return None
    if None in type.shape:
        raise cursor.source.wrong(at, "known dimensions", str(type))
    return type


# ** locations **


def _join(parts: list[Location], joint: str, names: tuple[str, ...] = ()) -> Location:
    """Returns a location of several parts as one text; a long one is shortened, and has the first parts only."""
    texts = [part.text for part in parts[:MOST_PLACES]]
    return Location(shortened(joint.join(filter(None, texts))), names=names)


def _read_call_site(entries: Entries, cursor: Cursor) -> Location:
    """Reads the location of a call: the called one, and the caller's."""
    return _join([entries.location(cursor), entries.location(cursor)], " at ")


def _read_file_location(entries: Entries, cursor: Cursor) -> Location:
    """Reads the location in a file: its name, the line and the column."""
    name = entries.string(cursor)
    file = entries.source.decode_utf8(name.value, name.at)
    return Location(f"{file}:{cursor.varint()}:{cursor.varint()}")


def _read_file_range(entries: Entries, cursor: Cursor) -> Location:
    """Reads a range in a file: its name, and how many of line, column, last line and last column are stated."""
    name = entries.string(cursor)
    file = entries.source.decode_utf8(name.value, name.at)
    numbers = [cursor.varint() for _ in range(cursor.count("numbers"))]
    texts = [str(number) for number in [*numbers, 0, 0][: max(len(numbers), 2)]]
    end = {3: f" to :{texts[-1]}", 4: f" to {':'.join(texts[-2:])}"}.get(len(numbers), "")
    return Location(f"{file}:{texts[0]}:{texts[1]}{end}")


def _read_fused(entries: Entries, cursor: Cursor) -> Location:
    """Reads the location of what several operators became."""
    return _join([entries.location(cursor) for _ in range(cursor.count("locations"))], "; ")


def _read_fused_with_metadata(entries: Entries, cursor: Cursor) -> Location:
    """Reads a fused location with metadata, which is passed over unless it is a list of names, those of results."""
    parts = [entries.location(cursor) for _ in range(cursor.count("locations"))]
    metadata = entries.attribute(cursor).value
    names: tuple[str, ...] = ()
    if isinstance(metadata, list) and all(isinstance(item.value, bytes) for item in metadata):
        names = tuple(entries.source.decode_utf8(item.value, item.at) for item in metadata)
    return _join(parts, "; ", names)


def _read_named(entries: Entries, cursor: Cursor) -> Location:
    """Reads a location with a name, and the location that it is a part of."""
    name = entries.string(cursor)
    text = entries.source.decode_utf8(name.value, name.at)
    child = entries.location(cursor)
    return _join([Location(text), child], " at ") if child.text else Location(text)


def _read_unknown(_entries: Entries, _cursor: Cursor) -> Location:
    """Returns the location of something whose origin is unknown."""
    return Location()


_ATTRIBUTES: dict[int, Callable[[Entries, Cursor], Any]] = {
    AttributeCode.ARRAY: _read_array,
    AttributeCode.DICTIONARY: _read_dictionary,
    AttributeCode.STRING: _read_string,
    AttributeCode.TYPED_STRING: _read_typed_string,
    AttributeCode.FLAT_SYMBOL: _read_symbol,
    AttributeCode.TYPE: _read_type,
    AttributeCode.UNIT: _read_unit,
    AttributeCode.INTEGER: _read_integer,
    AttributeCode.FLOAT: _read_float,
    AttributeCode.DENSE_ARRAY: _read_dense_array,
    AttributeCode.DENSE_ELEMENTS: _read_elements,
    AttributeCode.DENSE_RESOURCE: _read_resource,
    AttributeCode.CALL_SITE_LOCATION: _read_call_site,
    AttributeCode.FILE_LOCATION: _read_file_location,
    AttributeCode.FILE_RANGE_LOCATION: _read_file_range,
    AttributeCode.FUSED_LOCATION: _read_fused,
    AttributeCode.FUSED_LOCATION_WITH_METADATA: _read_fused_with_metadata,
    AttributeCode.NAME_LOCATION: _read_named,
    AttributeCode.UNKNOWN_LOCATION: _read_unknown,
}
