"""The flatbuffer reader: tables, strings and vectors out of a checked buffer."""

import struct
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

import numpy as np

from tosa_converter.errors import FormatError
from tosa_converter.formats.flatbuffer.checking import U32, CheckedBuffer
from tosa_converter.formats.flatbuffer.layout import VIEWS, Field, layout
from tosa_converter.formats.storage import Bytes
from tosa_converter.schemas.enumeration import IntEnum
from tosa_converter.schemas.flat import Table, Unknown

T = TypeVar("T", bound=Table)

MAX_FORMS = 1024  # that are remembered: honest files have some dozens of vtables


def read(root: type[T], data: Bytes, identifier: bytes, *, file: str = "") -> T:
    """Decodes a whole flatbuffer.

    Args:
        root: the class of the root table.
        data: the file's bytes, usually a memory map; views in the result keep it alive.
        identifier: the four bytes expected at offset 4; empty for schemas that have none.
        file: the name used in errors.

    Raises:
        FormatError: anything in the bytes is out of place, with the table path and the offset.
    """
    try:
        reader = Reader(data)
        if len(data) >= 8 and identifier and data[4:8] != identifier:
            raise FormatError(f"expected file identifier {identifier!r}, found {bytes(data[4:8])!r}", offset=4)
        return cast(T, reader.table(root, reader.root()))
    except FormatError as error:
        error.inside(root.__name__)
        error.file = file
        raise


class _Form(NamedTuple):
    """The decoders for all tables of a class that share a vtable, and so have the same fields at the same distances."""

    size: int
    fields: "tuple[tuple[str, int, _Unpack, _Decoder | None], ...]"  # name, distance, reader and decoder of the slot


class Reader(CheckedBuffer):
    """Decodes tables out of one buffer; strings and vectors of numbers that several tables share are decoded once."""

    def __init__(self, data: Bytes) -> None:
        """Prepares a reader of flatbuffer tables; nothing is decoded yet."""
        super().__init__(data)
        self.shared: dict[tuple[int, object], Any] = {}  # strings and vectors by position and kind of elements
        self.forms: dict[tuple[type[Table], int], _Form] = {}  # by class and position of the vtable

    def table(self, cls: type[Table], position: int) -> Table:
        """Decodes the flatbuffer table of class `cls` at `position`, where the file has at least 4 bytes.

        The decoders of its fields are kept by vtable, because many tables share one.
        """
        data = self.data
        vtable = self.vtable_of(position)
        form = self.forms.get((cls, vtable))
        if form is None:
            if len(self.forms) == MAX_FORMS:
                self.forms.clear()
            form = self.forms[cls, vtable] = _make_form(cls, *self.vtable(position))
        if position + form.size > self.size:
            self.table_ends_outside(form.size, position)
        self.spend(1, position)
        table = cls.__new__(cls)
        table.__dict__ = values = {}
        try:
            for name, distance, unpack_from, decode in form.fields:
                (value,) = unpack_from(data, position + distance)
                values[name] = value if decode is None else decode(self, position + distance, value)
        except FormatError as error:
            error.inside(name)
            raise
        return table

    def string(self, field_position: int, offset: int) -> str:
        """Decodes the UTF-8 string to which the offset stored at `field_position` points.

        A string that several offsets point to is decoded once.
        """
        start, count = self.vector(field_position, offset, 1)
        shared: str | None = self.shared.get((start, str))
        if shared is not None:
            self.spend_repeats(count, field_position)
            return shared
        # The budget has an item for 2 bytes. A text of 80 bytes takes 85 or more (length, text, zero), and spends 11.
        self.spend(1 + count // 8, field_position)
        try:
            text = self.shared[start, str] = str(self.data[start : start + count], "utf-8")
        except UnicodeDecodeError:
            raise FormatError("a string is not UTF-8", offset=start) from None
        return text


_Unpack: TypeAlias = Callable[[Bytes, int], tuple[Any, ...]]
# Takes the position in the table and the number that stands there: a scalar or an offset.
_Decoder: TypeAlias = Callable[[Reader, int, Any], Any]


def _make_form(cls: type[Table], distances: Sequence[int], size: int) -> _Form:
    """Returns the decoders for all flatbuffer tables that share a vtable.

    The vtable states each field's distance from the table's begin, 0 for an absent field, and the table's `size`.
    Fields may lie beyond that size: flatbuffers for Python up to 25.2 lets tables of several sizes share one vtable,
    and other readers accept it.
    """
    fields: list[tuple[str, int, _Unpack, _Decoder | None]] = []
    tag = 0
    for distance, slot in zip(distances, layout(cls).slots, strict=False):
        if not distance or slot is None:
            continue
        field, is_tag = slot
        number = struct.Struct("<B" if is_tag else "<" + field.code)
        # Where the vtable states 8 bytes and an offset at byte 8, the table counts as 8 + 4 = 12 bytes, which `table`
        # compares with the file's size.
        size = max(size, distance + number.size)
        if is_tag:
            tag = distance
            continue
        if field.kind == "union":
            union_decoder = _union_decoder(field.member, tag - distance) if tag else _decode_absent_union
            fields.append((field.name, distance, number.unpack_from, union_decoder))
            tag = 0
        else:
            fields.append((field.name, distance, number.unpack_from, _field_decoder(field)))
    return _Form(size, tuple(fields))


def _field_decoder(field: Field) -> _Decoder | None:
    """Returns the decoder of a flatbuffer field that isn't a union; None for a number, which needs none."""
    if field.kind == "scalar":
        return None if field.enum is None else _enum_decoder(field.enum)
    if field.kind == "scalars":
        return _scalars_decoder(field.member, field.enum)
    if field.kind == "view":
        return _view_decoder(VIEWS[field.member][0])
    decode = Reader.string if field.kind.startswith("string") else _table_decoder(field.member)
    return _vector_decoder(decode) if field.kind.endswith("s") else decode


def _enum_decoder(enum: type[IntEnum]) -> _Decoder:
    """Returns a function that decodes an enumeration's value in a flatbuffer.

    It raises FormatError for an unknown one.
    """
    members = {member.value: member for member in enum}

    def decode(reader: Reader, field_position: int, value: int) -> IntEnum:  # noqa: ARG001  # one signature for all
        """Returns the enumeration's member of a stored number; `field_position` is its position in the file."""
        member = members.get(value)
        if member is None:
            raise FormatError(f"{enum.__name__} has no value {value}", offset=field_position)
        return member

    return decode


def _scalars_decoder(code: str, enum: type[IntEnum] | None) -> _Decoder:
    """Returns a function that decodes a flatbuffer vector of numbers or enumeration values into a tuple.

    Shared vectors are decoded once. All elements count against the reader's limits for a file of this size.
    """
    size = struct.calcsize("<" + code)
    element = enum or code

    def decode(reader: Reader, field_position: int, offset: int) -> tuple[Any, ...]:
        """Decodes the vector of numbers to which the offset stored at `field_position` points.

        A vector that several offsets point to is decoded once.
        """
        start, count = reader.vector(field_position, offset, size)
        shared: tuple[Any, ...] | None = reader.shared.get((start, element))
        if shared is not None:
            reader.spend_repeats(count, field_position)
            return shared
        reader.spend(count, field_position)
        numbers = struct.unpack_from(f"<{count}{code}", reader.data, start)
        try:
            numbers = numbers if enum is None else tuple(map(enum, numbers))
        except ValueError as error:
            raise FormatError(str(error), offset=start) from None
        reader.shared[start, element] = numbers
        return numbers

    return decode


def _vector_decoder(decode_element: _Decoder) -> _Decoder:
    """Returns a function that decodes a flatbuffer vector of strings or tables, each with `decode_element`."""

    def decode(reader: Reader, field_position: int, offset: int) -> tuple[Any, ...]:
        """Decodes the elements of the vector of offsets to which the offset stored at `field_position` points."""
        start, count = reader.vector(field_position, offset, 4)
        reader.spend(count, field_position)
        items: list[Any] = []
        try:
            for position, (inner,) in enumerate(U32.iter_unpack(reader.data[start : start + 4 * count])):
                items.append(decode_element(reader, start + 4 * position, inner))
        except FormatError as error:
            error.inside(f"[{len(items)}]")
            raise
        return tuple(items)

    return decode


def _view_decoder(dtype: "np.dtype[Any]") -> _Decoder:
    """Returns a function that decodes a flatbuffer vector of numbers as a numpy view of the file, without a copy."""

    def decode(reader: Reader, field_position: int, offset: int) -> "np.ndarray[Any, Any]":
        """Returns a numpy view of the vector to which the offset stored at `field_position` points."""
        start, count = reader.vector(field_position, offset, dtype.itemsize)
        reader.spend_repeats(count * dtype.itemsize, field_position)
        return np.frombuffer(reader.data, dtype, count, start)

    return decode


def _table_decoder(cls: type[Table]) -> _Decoder:
    """Returns a function that decodes the flatbuffer table to which an offset points."""

    def decode(reader: Reader, field_position: int, offset: int) -> Table:
        """Decodes the table to which the offset stored at `field_position` points."""
        return reader.table(cls, reader.follow(field_position, offset))

    return decode


def _union_decoder(members: tuple[type[Table], ...], tag_distance: int) -> _Decoder:
    """Returns a function that decodes a flatbuffer union.

    Its tag, `tag_distance` bytes from its offset, selects the table class. Tag 0 gives None, an unknown one `Unknown`.
    """

    def decode(reader: Reader, field_position: int, offset: int) -> Table | None:
        """Decodes the union whose offset is stored at `field_position`: a table of `members`, chosen by the tag.

        Tag 0 gives None, and an unknown tag `Unknown`.
        """
        # A tag at byte 5 of a table, with the offset at byte 8, has a distance of -3 from it.
        tag = reader.data[field_position + tag_distance]
        if tag == 0:
            return None
        if tag > len(members):
            return Unknown(tag=tag)
        return reader.table(members[tag - 1], reader.follow(field_position, offset))

    return decode


def _decode_absent_union(reader: Reader, field_position: int, offset: int) -> None:
    """Decodes a union whose tag is absent: always None."""
