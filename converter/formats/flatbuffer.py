"""One reader and one writer for every flatbuffer schema in `schemas/`.

The reader takes bytes from outside: each offset, vtable, length and union tag is checked against the buffer
before use, and a budget of decoded items, tied to the size of the file, bounds what shared offsets can multiply into.
Byte and number vectors come back as views of the buffer. The writer lays tables out first and large vectors last, and
returns the pieces to write, so that weights are never copied.
"""

import re
import struct
import sys
from array import array
from collections import deque
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain, cycle, repeat
from operator import is_not, ne
from typing import Any, NamedTuple, NoReturn, TypeAlias, TypeVar, cast

import numpy as np

from tosa_converter.errors import FormatError
from tosa_converter.schemas import flat
from tosa_converter.schemas.enumeration import IntEnum
from tosa_converter.schemas.flat import Table, Unknown

T = TypeVar("T", bound=Table)
K = TypeVar("K")
Bytes = bytes | bytearray | memoryview
_Int64 = np.ndarray[Any, np.dtype[np.int64]]
_Integers: TypeAlias = "array[int]"  # of 64 bits

_SCALARS = {
    "Bool": "?",
    "U8": "B",
    "I8": "b",
    "U16": "H",
    "I16": "h",
    "U32": "I",
    "I32": "i",
    "U64": "Q",
    "I64": "q",
    "F32": "f",
    "F64": "d",
}
_ENUM_STORAGE = {flat.ByteEnum: "b", flat.ShortEnum: "h", flat.IntEnum32: "i", flat.UIntEnum32: "I"}
# Vectors decoded to views: numpy type and the alignment of the first element.
_VIEWS: "dict[str, tuple[np.dtype[Any], int]]" = {
    "Blob": (np.dtype("u1"), 4),
    "Blob4": (np.dtype("u1"), 4),
    "Blob8": (np.dtype("u1"), 8),
    "Blob16": (np.dtype("u1"), 16),
    "ArrayI32": (np.dtype("<i4"), 4),
    "ArrayI64": (np.dtype("<i8"), 8),
    "ArrayU16": (np.dtype("<u2"), 4),
    "ArrayF32": (np.dtype("<f4"), 4),
}
_U32 = struct.Struct("<I")
_I32 = struct.Struct("<i")
_VTABLE = struct.Struct("<HH")

MOST_FORMS = 1024  # that are remembered: honest files have some dozens of vtables
MAX_SIZE = 0x7FFFFFFF  # flatbuffer offsets are 32-bit and the format's own tools stop at 2 GB


class Field(NamedTuple):
    """A compiled field: where its slot is, how it is stored, how what lies in the table (at a place) is decoded."""

    name: str
    id: int
    kind: str  # scalar, string, table, union, view, scalars, strings, tables
    code: str  # struct code of what lies inside the table
    default: Any
    decode: "_Decode | None"
    member: Any = None  # the table class, the union's members, the element's struct code, the view's type
    tags: "dict[type[Table], int] | None" = None  # of a union's members
    kept: bool = False  # is written even where it is empty


# Whether a kind is left out where it equals its default (True) or where it is empty (False); others are not.
_LEFT_OUT = {**dict.fromkeys(("scalar", "string"), True), **dict.fromkeys(("scalars", "strings", "tables"), False)}


class Slot(NamedTuple):
    """A vtable slot: a union fills two."""

    name: str  # empty for a union's tag
    packer: struct.Struct
    decode: "_Decode | None"  # None where the table has the value itself
    members: tuple[type[Table], ...] | None = None


class Layout(NamedTuple):
    """What a table class compiles to."""

    fields: tuple[Field, ...]
    slots: tuple[Slot | None, ...]  # by vtable slot; None where deprecated
    presence: dict[str, tuple[int, Any, bool | None]]  # for the writer: bit of the field, default, see _LEFT_OUT


_layouts: dict[type[Table], Layout] = {}


def layout(cls: type[Table]) -> Layout:
    """The compiled rows of a table class."""
    found = _layouts.get(cls)
    if found is None:
        found = _layouts[cls] = _compile(cls)
    return found


def _compile(cls: type[Table]) -> Layout:
    fields: list[Field] = []
    slots: list[Slot | None] = []
    namespace = vars(sys.modules[cls.__module__])
    for name, annotation in flat.rows(cls).items():
        if annotation == "Deprecated":
            slots.append(None)
            continue
        default = getattr(cls, name)
        field = _field(name, len(slots), annotation, default, namespace)
        fields.append(field)
        if field.kind == "union":
            slots.append(Slot("", struct.Struct("<B"), None))
        slots.append(Slot(name, struct.Struct("<" + field.code), field.decode, field.member if field.tags else None))
    presence = {f.name: (1 << i, f.default, None if f.kept else _LEFT_OUT.get(f.kind)) for i, f in enumerate(fields)}
    return Layout(tuple(fields), tuple(slots), presence)


def _field(name: str, id: int, annotation: str, default: Any, namespace: dict[str, Any]) -> Field:
    match = re.fullmatch(r"(?:(\w+)\[)?(\w+)\]?", annotation)
    if match is None:
        raise TypeError(f"field {name}: annotation {annotation!r} is not a row of a schema")
    outer, inner = match.groups()
    if outer == "Kept":
        return _field(name, id, f"Vec[{inner}]", None, namespace)._replace(kept=True)  # None: not given
    if outer == "OneOf":
        members = namespace[f"{inner}_MEMBERS"]
        tags = {member: tag for tag, member in enumerate(members, 1)}
        return Field(name, id, "union", "I", default, None, members, tags)
    if inner in _VIEWS:
        dtype, _ = _VIEWS[inner]
        return Field(name, id, "view", "I", default, _view_decoder(dtype), inner)
    if inner == "Str":
        if outer == "Vec":
            return Field(name, id, "strings", "I", default, _vector_decoder(Reader.string))
        return Field(name, id, "string", "I", default, Reader.string)
    scalar = _scalar_code(inner, namespace)
    if scalar is None:
        return _table_field(name, id, outer, namespace[inner], default)
    enum = namespace.get(inner) if inner not in _SCALARS else None
    if outer == "Vec":
        return Field(name, id, "scalars", "I", default, _scalars_decoder(scalar, enum), scalar)
    return Field(name, id, "scalar", scalar, default, None if enum is None else _enum_decoder(enum))


def _table_field(name: str, id: int, outer: str | None, cls: type[Table], default: Any) -> Field:
    def decode(reader: "Reader", place: int, offset: int) -> Table:
        return reader.table(cls, reader.follow(place, offset))

    if outer == "Vec":
        return Field(name, id, "tables", "I", default, _vector_decoder(decode), cls)
    return Field(name, id, "table", "I", default, decode, cls)


def _scalar_code(type_name: str, namespace: dict[str, Any]) -> str | None:
    if type_name in _SCALARS:
        return _SCALARS[type_name]
    for base, code in _ENUM_STORAGE.items():
        if issubclass(namespace[type_name], base):
            return code
    return None


def _enum_decoder(enum: type[IntEnum]) -> "_Decode":
    known = {member.value: member for member in enum}

    def decode(reader: "Reader", place: int, value: int) -> IntEnum:  # noqa: ARG001  # one signature for all
        member = known.get(value)
        if member is None:
            raise FormatError(f"{enum.__name__} has no value {value}", offset=place)
        return member

    return decode


def _scalars_decoder(code: str, enum: type[IntEnum] | None) -> "_Decode":
    size = struct.calcsize("<" + code)
    element = enum or code

    def decode(reader: "Reader", place: int, offset: int) -> tuple[Any, ...]:
        start, count = reader.vector(place, offset, size)
        found: tuple[Any, ...] | None = reader.shared.get((start, element))
        if found is not None:
            reader.spend_again(count, place)
            return found
        reader.spend(count, place)
        values = struct.unpack_from(f"<{count}{code}", reader.data, start)
        try:
            made = values if enum is None else tuple(enum(value) for value in values)
        except ValueError as error:
            raise FormatError(str(error), offset=start) from None
        reader.shared[start, element] = made
        return made

    return decode


def _vector_decoder(element: "_Decode") -> "_Decode":
    def decode(reader: "Reader", place: int, offset: int) -> tuple[Any, ...]:
        start, count = reader.vector(place, offset, 4)
        reader.spend(count, place)
        items: list[Any] = []
        try:
            for at, (inner,) in enumerate(_U32.iter_unpack(reader.data[start : start + 4 * count])):
                items.append(element(reader, start + 4 * at, inner))
        except FormatError as error:
            error.inside(f"[{len(items)}]")
            raise
        return tuple(items)

    return decode


def _view_decoder(dtype: "np.dtype[Any]") -> "_Decode":
    def decode(reader: "Reader", place: int, offset: int) -> "np.ndarray[Any, Any]":
        start, count = reader.vector(place, offset, dtype.itemsize)
        reader.spend_again(count * dtype.itemsize, place)
        return np.frombuffer(reader.data, dtype, count, start)

    return decode


def _union_decoder(members: tuple[type[Table], ...], distance: int) -> "_Decode":
    """For a union whose tag lies at a distance from the offset."""

    def decode(reader: "Reader", place: int, offset: int) -> Table | None:
        tag = reader.data[place + distance]
        if tag == 0:
            return None
        if tag > len(members):
            return Unknown(tag=tag)
        return reader.table(members[tag - 1], reader.follow(place, offset))

    return decode


class _Form(NamedTuple):
    """How the tables of a class with one vtable are decoded."""

    size: int
    fields: "tuple[tuple[str, int, _Unpack, _Decode | None], ...]"  # name, distance, how what is there is read


def _form(cls: type[Table], offsets: Sequence[int], size: int) -> _Form:
    """By the contents of the vtable; fields may lie behind the end that it states.

    flatbuffers for Python up to 25.2 gives one vtable to tables of several sizes, and no other reader minds.
    """
    fields: list[Any] = []
    tag = 0
    for offset, slot in zip(offsets, layout(cls).slots, strict=False):
        if not offset or slot is None:
            continue
        size = max(size, offset + slot.packer.size)
        if not slot.name:
            tag = offset
        elif slot.members is None:
            fields.append((slot.name, offset, slot.packer.unpack_from, slot.decode))
        else:
            decode = _union_decoder(slot.members, tag - offset) if tag else _absent
            fields.append((slot.name, offset, slot.packer.unpack_from, decode))
            tag = 0
    return _Form(size, tuple(fields))


def _absent(reader: "Reader", place: int, offset: int) -> None:
    """A union without a tag."""


class Reader:
    """Decodes tables out of one buffer."""

    def __init__(self, data: Bytes) -> None:
        self.data = data
        self.size = len(data)
        # Shared offsets can make a small file describe an exponential tree: no honest file decodes to more items.
        self.budget = self.size // 2 + 4096
        # Strings and vectors of numbers are decoded once, by place and kind of elements, and byte vectors not at all;
        # who prints or unpacks them at each of their uses spends time and memory all the same.
        self.shared: dict[tuple[int, object], Any] = {}
        self.forms: dict[tuple[type[Table], int], _Form] = {}  # by class and place of the vtable
        self.again = 4 * self.size + (1 << 26)

    def root_slots(self) -> tuple[int, ...]:
        """The vtable of the root table.

        Raises:
            FormatError: these bytes are no flatbuffer.
        """
        if self.size < 8:
            raise FormatError(f"expected a flatbuffer, found {self.size} bytes")
        position = self.root()
        return self._vtable(position - _I32.unpack_from(self.data, position)[0], position)[0]

    def spend(self, items: int, position: int) -> None:
        """Count decoded items."""
        self.budget -= items
        if self.budget < 0:
            raise FormatError(f"offsets are shared until {self.size} bytes describe too many items", offset=position)

    def spend_again(self, elements: int, position: int) -> None:
        """Count uses of what costs nothing to decode, in elements or bytes."""
        self.again -= elements
        if self.again < 0:
            raise FormatError(f"offsets are shared until {self.size} bytes describe too much data", offset=position)

    def root(self) -> int:
        """The place of the root table."""
        return self.follow(0, _U32.unpack_from(self.data, 0)[0])

    def follow(self, place: int, offset: int) -> int:
        """The place that the offset stored at a place (known to be inside) points to."""
        target = place + offset
        if not offset or target + 4 > self.size:
            raise FormatError(f"offset leads to byte {target}, the file has {self.size} bytes", offset=place)
        return target

    def vector(self, place: int, offset: int, element_size: int) -> tuple[int, int]:
        """Start and length of the vector that the offset stored at a place points to."""
        start = self.follow(place, offset) + 4
        count: int = _U32.unpack_from(self.data, start - 4)[0]
        if start + count * element_size > self.size:
            raise FormatError(
                f"a vector of {count} elements of {element_size} bytes starts at byte {start}, "
                f"the file has {self.size} bytes",
                offset=place,
            )
        return start, count

    def string(self, place: int, offset: int) -> str:
        """The UTF-8 string that the offset stored at a place points to."""
        start, count = self.vector(place, offset, 1)
        found: str | None = self.shared.get((start, str))
        if found is not None:
            self.spend_again(count, place)
            return found
        self.spend(1 + count // 8, place)
        try:
            text = self.shared[start, str] = str(self.data[start : start + count], "utf-8")
        except UnicodeDecodeError:
            raise FormatError("a string is not UTF-8", offset=start) from None
        return text

    def table(self, cls: type[Table], position: int) -> Table:
        """The table of class `cls` that starts at `position` (known to have 4 bytes)."""
        data = self.data
        vtable = position - _I32.unpack_from(data, position)[0]
        form = self.forms.get((cls, vtable))
        if form is None:
            if len(self.forms) == MOST_FORMS:
                self.forms.clear()
            form = self.forms[cls, vtable] = _form(cls, *self._vtable(vtable, position))
        if position + form.size > self.size:
            self._ends_outside(form.size, position)
        self.spend(1, position)
        made = cls.__new__(cls)
        made.__dict__ = values = {}
        try:
            for name, offset, unpack_from, decode in form.fields:
                (value,) = unpack_from(data, position + offset)
                values[name] = value if decode is None else decode(self, position + offset, value)
        except FormatError as error:
            error.inside(name)
            raise
        return made

    def _vtable(self, vtable: int, position: int) -> tuple[tuple[int, ...], int]:
        """The places of the fields, and the size, of the table at a position."""
        data = self.data
        if not 0 <= vtable <= self.size - 4:
            raise FormatError(f"vtable at byte {vtable}, the file has {self.size} bytes", offset=position)
        vtable_size, table_size = _VTABLE.unpack_from(data, vtable)
        if vtable_size < 4 or vtable_size % 2 or vtable + vtable_size > self.size:
            raise FormatError(f"a vtable of {vtable_size} bytes", offset=vtable)
        if table_size < 4 or position + table_size > self.size:
            self._ends_outside(table_size, position)
        return struct.unpack_from(f"<{vtable_size // 2 - 2}H", data, vtable + 4), table_size

    def _ends_outside(self, size: int, position: int) -> NoReturn:
        raise FormatError(f"a table of {size} bytes ends outside the file", offset=position)


_Unpack = Callable[[Bytes, int], tuple[Any, ...]]
_Decode = Callable[[Reader, int, Any], Any]  # by the place in the table and what it holds


def read(root: type[T], data: Bytes, identifier: bytes, *, file: str = "") -> T:
    """Decode a whole flatbuffer.

    Args:
        root: the class of the root table.
        data: the file's bytes, usually a memory map; views in the result keep it alive.
        identifier: the four bytes expected at offset 4; empty for schemas that have none.
        file: the name used in errors.

    Raises:
        FormatError: anything in the bytes is out of place, with the table path and the offset.
    """
    try:
        if len(data) < 8:
            raise FormatError(f"expected a flatbuffer, found {len(data)} bytes")
        found = bytes(data[4:8])
        if identifier and found != identifier:
            raise FormatError(f"expected file identifier {identifier!r}, found {found!r}", offset=4)
        reader = Reader(data)
        return cast(T, reader.table(root, reader.root()))
    except FormatError as error:
        error.inside(root.__name__)
        error.file = file
        raise


class _Shape(NamedTuple):
    """How a table with a given set of fields is laid out; offsets are left open."""

    vtable: bytes
    packer: struct.Struct
    inline: "tuple[tuple[str, dict[type[Table], int] | None], ...]"  # what the packer takes: field, for a tag its tags
    children: "tuple[tuple[str, _Put, Any], ...]"  # what lies elsewhere: field, what writes it, of which kind
    offsets: tuple[int, ...]  # where the children's stand
    align: int


class _Offsets(NamedTuple):
    """The offsets in things of one form: how far in they stand, where the things lie, the numbers of all targets."""

    distances: Sequence[int]
    places: _Integers
    targets: _Integers


class _Tables(NamedTuple):
    """The tables of one shape in a buffer."""

    shape: _Shape
    vtable: int  # where it lies
    offsets: _Offsets


class Columns(NamedTuple):
    """A vector of tables of one class by their fields, each with the values of all tables: many are encoded at once.

    No field is a vector of tables or needs more than 4 bytes, vectors of strings are of those that are kept, and beside
    them there are no strings.
    """

    table: type[Table]
    fields: dict[str, Sequence[Any]]


class _Numbers(dict[K, int]):
    """What is referred to, each with its number, given when it is first asked for: the index of its position."""

    def __init__(self, positions: _Integers) -> None:
        super().__init__()
        self.positions = positions

    def __missing__(self, key: K) -> int:
        number = self[key] = len(self.positions)
        self.positions.append(0)
        return number


class Writer:
    """Encodes tables into one flatbuffer: tables, then pooled strings and small vectors, then large vectors.

    What a table refers to must lie behind it. Tables inside a vector follow it at once; single ones wait until those
    are written, and one that several tables have in common is written once. Whatever is referred to has a number, by
    which offsets are filled in at the end.
    """

    LARGE = 4096

    def __init__(self) -> None:
        self.head = bytearray()
        self.vtables: dict[bytes, int] = {}
        self.tables: dict[tuple[type[Table], int], _Tables] = {}  # by class and present fields
        self.queue: deque[Table] = deque()
        self.waiting: dict[int, int] = {}  # the numbers of those in the queue, by identity
        self.positions = _integers()  # by number
        self.strings: _Numbers[str] = _Numbers(self.positions)
        self.pool: _Numbers[tuple[int, int, bytes]] = _Numbers(self.positions)  # vectors: length, alignment, content
        self.integers: dict[tuple[str, Sequence[int]], int] = {}  # vectors in the pool, by code and values
        self.large: list[tuple[int, int, int, memoryview]] = []  # number, length, alignment, content
        self.vectors: dict[int, _Offsets] = {}  # of offsets, by length

    def write(self, root: Table, identifier: bytes) -> list[Bytes]:
        """The pieces of the file, in order."""
        self.head += b"\0\0\0\0" + (identifier or b"\0\0\0\0")
        self._put_table(root, None)  # as number 0
        positions = self.positions
        while self.queue:
            table = self.queue.popleft()
            number = self.waiting.pop(id(table))
            positions[number] = self._table(table)
        self._put_texts()
        for vector, number in self.pool.items():
            positions[number] = self._vector(*vector)
        return self._append_large()

    def _put_texts(self) -> None:
        """Append the strings, which a zero ends."""
        head, contents = self.head, [text.encode() for text in self.strings]
        head += bytes(-len(head) % 4)
        sizes = np.fromiter(map(len, contents), np.int64, len(contents)) // 4 * 4 + 8
        numbers = np.fromiter(self.strings.values(), np.int64, len(contents))
        np.frombuffer(self.positions, np.int64)[numbers] = np.cumsum(sizes) - sizes + len(head)
        head += b"".join([_U32.pack(n := len(content)) + content + bytes(4 - n % 4) for content in contents])

    def _append_large(self) -> list[Bytes]:
        pieces: list[Bytes] = [self.head]
        position = len(self.head)
        for number, count, align, content in self.large:
            padding = -(position + 4) % align
            self.positions[number] = position + padding
            pieces += [b"\0" * padding + _U32.pack(count), content]
            position += padding + 4 + len(content)
        if position > MAX_SIZE:
            raise FormatError(f"the file would have {position} bytes, a flatbuffer holds {MAX_SIZE}")
        self._fill_in()
        return pieces

    def _fill_in(self) -> None:
        """Write the offsets, all of which are aligned to their size."""
        head = np.frombuffer(self.head, "<u4", len(self.head) // 4)
        positions = np.asarray(self.positions)
        head[0] = positions[0]
        for offsets in (*self.vectors.values(), *(tables.offsets for tables in self.tables.values())):
            places = np.add.outer(offsets.places, np.array(offsets.distances, np.int64)).reshape(-1)
            head[places // 4] = positions[np.asarray(offsets.targets)] - places

    def _number(self, position: int) -> int:
        """A number for what lies at a position; it may be set later."""
        self.positions.append(position)
        return len(self.positions) - 1

    def _vector(self, count: int, align: int, content: bytes) -> int:
        """Append a vector; where its length stands."""
        head = self.head
        head += b"\0" * (-(len(head) + 4) % align) + _U32.pack(count) + content
        return len(head) - len(content) - 4

    def _table(self, table: Table) -> int:
        cls, head, given = type(table), self.head, table.__dict__
        present, checks = 0, layout(cls).presence
        for name, value in given.items():
            bit, default, kind = checks[name]
            if value is not default and (kind is None or (value != default if kind else value)):
                present |= bit
        found = self.tables.get((cls, present)) or self.begin(cls, present)
        shape = found.shape
        if len(head) % shape.align:
            head += bytes(-len(head) % shape.align)
        position = len(head)
        inline = [given[name] if tags is None else tags[type(given[name])] for name, tags in shape.inline]
        head += shape.packer.pack(position - found.vtable, *inline)
        children = [put(self, given[name], member) for name, put, member in shape.children]
        found.offsets.places.append(position)
        found.offsets.targets.extend(children)
        return position

    def begin(self, cls: type[Table], present: int) -> _Tables:
        """The tables of a class with some fields, none so far; their vtable is written when it is first needed."""
        shape = _lay_out([field for i, field in enumerate(layout(cls).fields) if present >> i & 1])
        vtable = self.vtables.get(shape.vtable)
        if vtable is None:
            self.head += b"\0" * (len(self.head) % 2)
            vtable = self.vtables[shape.vtable] = len(self.head)
            self.head += shape.vtable
        made = self.tables[cls, present] = _Tables(shape, vtable, _offsets(shape.offsets))
        return made

    # ** what a table refers to, by value and the field's member; each returns its number **

    def _put_string(self, value: str, _: Any) -> int:
        return self.strings[value]

    def _put_table(self, value: Table, _: Any) -> int:
        found = self.waiting.get(id(value))
        if found is None:
            found = self.waiting[id(value)] = self._number(0)
            self.queue.append(value)
        return found

    def _put_scalars(self, value: Sequence[Any], code: str) -> int:
        if code in "fd" or type(value) is not tuple:  # 0 and -0 are equal
            return self._pooled(value, code)
        found = self.integers.get((code, value))
        if found is None:
            found = self.integers[code, value] = self._pooled(value, code)
        return found

    def _pooled(self, value: Sequence[Any], code: str) -> int:
        content = _vector_struct(code, len(value)).pack(*value)
        return self.pool[len(value), max(4, struct.calcsize("<" + code)), content]

    def _put_view(self, elements: "np.ndarray[Any, Any]", view: str) -> int:
        dtype, align = _VIEWS[view]
        if elements.nbytes < self.LARGE:
            kept = elements if elements.dtype == dtype else elements.astype(dtype)
            return self.pool[elements.size, align, kept.tobytes()]
        elements = np.ascontiguousarray(elements, dtype).reshape(-1)
        number = self._number(0)
        self.large.append((number, elements.size, align, elements.view(np.uint8).data))
        return number

    def _put_strings(self, items: Sequence[str], _: Any) -> int:
        number, offsets = self.put_offsets(len(items))
        offsets.targets.extend(map(self.strings.__getitem__, items))
        return number

    def _put_tables(self, items: Sequence[Table] | Columns, _: Any) -> int:
        if isinstance(items, Columns):
            return _Rows(self, items).put()
        number, offsets = self.put_offsets(len(items))
        offsets.targets.extend(range(number + 1, number + 1 + len(items)))
        self.positions.extend(_integers(len(items)))
        for i, item in enumerate(items, number + 1):
            self.positions[i] = self._table(item)
        return number

    def put_offsets(self, count: int) -> tuple[int, _Offsets]:
        """A vector of offsets, whose targets are to be given."""
        offsets = self.vectors.get(count)
        if offsets is None:
            offsets = self.vectors[count] = _offsets(range(4, 4 * count + 4, 4))
        start = self._vector(count, 4, bytes(4 * count))
        offsets.places.append(start)
        return self._number(start), offsets


def _offsets(distances: Sequence[int]) -> _Offsets:
    return _Offsets(distances, _integers(), _integers())


def _integers(count: int = 0) -> _Integers:
    """So many zeros."""
    return array("q", bytes(8 * count))


def _extend(integers: _Integers, more: _Int64) -> None:
    integers.frombytes(more.tobytes())


class _Rows:
    """The tables of `Columns` on their way into a writer's buffer, where they lie as if they were put one by one.

    Attributes:
        present: [tables], the fields that each has as bits.
        lists: the names of the vectors of strings.
        lengths: [tables, lists], how many strings each has.
        texts: [sum of lengths], the numbers of all of them, in order.
        numbers: by field, [tables], those of what lies elsewhere.
    """

    def __init__(self, writer: Writer, columns: Columns) -> None:
        self.writer = writer
        self.table, self.values = columns
        self.present = _presence(columns)
        fields = [field for field in layout(self.table).fields if field.name in self.values]
        self.lists = [field.name for field in fields if field.kind == "strings"]
        vectors = list(chain.from_iterable(zip(*[self.values[name] for name in self.lists], strict=True)))
        self.lengths = np.fromiter(map(len, vectors), np.int64, len(vectors)).reshape(len(self.present), -1)
        count = int(self.lengths.sum())
        self.texts = np.fromiter(map(writer.strings.__getitem__, chain.from_iterable(vectors)), np.int64, count)
        self.numbers = self._numbered([field for field in fields if field.kind not in ("scalar", "strings")])

    def _numbered(self, outside: Sequence[Field]) -> dict[str, _Int64]:
        """What the fields refer to, one table after the other."""
        writer, puts = self.writer, [(_PUTS[field.kind], field.member) for field in outside]
        values = chain.from_iterable(zip(*map(self._given, outside), strict=True))
        numbers = [
            0 if value is None else put(writer, value, member)
            for value, (put, member) in zip(values, cycle(puts), strict=False)
        ]
        columns = np.fromiter(numbers, np.int64, len(numbers)).reshape(-1, len(outside)).T
        return {field.name: column for field, column in zip(outside, columns, strict=True)}

    def _given(self, field: Field) -> Sequence[Any]:
        """The values of a field, None where a table hasn't it."""
        values, given = self.values[field.name], self.present & layout(self.table).presence[field.name][0] != 0
        return values if given.all() else [v if g else None for v, g in zip(values, given.tolist(), strict=True)]

    def put(self) -> int:
        """Append all; the number of the vector."""
        writer, count = self.writer, len(self.present)
        number, offsets = writer.put_offsets(count)
        offsets.targets.extend(range(number + 1, number + 1 + count))
        writer.positions.extend(_integers(count))
        starts = sorted(np.unique(self.present, return_index=True)[1].tolist())
        for start, end in zip(starts, [*starts[1:], count], strict=True):
            positions = self._append(slice(start, end))
            writer.positions[number + 1 + start : number + 1 + end] = array("q", positions.tobytes())
        return number

    def _append(self, part: slice) -> _Int64:
        """The positions of some tables, of which only the first may be of a shape that there wasn't yet."""
        writer, present = self.writer, self.present[part]
        kinds = [
            (np.flatnonzero(present == bits), writer.tables.get((self.table, bits)) or writer.begin(self.table, bits))
            for bits in dict.fromkeys(present.tolist())
        ]
        sizes = np.zeros(len(present), np.int64)
        for rows, tables in kinds:
            sizes[rows] = tables.shape.packer.size
        head = writer.head
        head += bytes(-len(head) % 4)
        vectors = 4 + 4 * self.lengths[part]
        whole = sizes + -sizes % 4
        ends = np.cumsum(whole + vectors.sum(1))
        starts: _Int64 = ends - vectors.sum(1) - whole + len(head)
        block = np.zeros(ends[-1], np.uint8)
        if self.lists:
            places = (starts + whole)[:, None] + np.cumsum(vectors, 1) - vectors
            block.view("<u4")[(places - len(head)) // 4] = self.lengths[part]
            self._place_lists(part, places)
        for rows, tables in kinds:
            self._pack(tables, rows + part.start, starts[rows], block, len(head))
        head += block.data[: None if self.lists else starts[-1] + sizes[-1] - len(head)]
        return starts

    def _place_lists(self, part: slice, places: _Int64) -> None:
        """Number the vectors of strings of some tables and note their offsets."""
        positions, lengths, before = self.writer.positions, self.lengths[part].reshape(-1), self.lengths[: part.start]
        numbers = len(positions) + np.arange(places.size).reshape(places.shape)
        for name, column in zip(self.lists, numbers.T, strict=True):
            self.numbers.setdefault(name, np.zeros(len(self.present), np.int64))[part] = column
        _extend(positions, places)
        offsets = self.writer.vectors.setdefault(-1, _offsets((4,)))  # one by one, behind vectors of any length
        firsts = places.reshape(-1) - 4 * (np.cumsum(lengths) - lengths)
        _extend(offsets.places, np.repeat(firsts, lengths) + 4 * np.arange(lengths.sum()))
        _extend(offsets.targets, self.texts[before.sum() :][: lengths.sum()])

    def _pack(self, tables: _Tables, rows: _Int64, positions: _Int64, block: "np.ndarray[Any, Any]", base: int) -> None:
        """Write tables of one shape into a block of the buffer that begins at `base`."""
        shape, chosen = tables.shape, rows.tolist()
        inline = [
            [value if tags is None else tags[type(value)] for value in map(self.values[name].__getitem__, chosen)]
            for name, tags in shape.inline
        ]
        packed = b"".join(map(shape.packer.pack, (positions - tables.vtable).tolist(), *inline))
        places = np.add.outer(positions - base, np.arange(shape.packer.size))
        block[places] = np.frombuffer(packed, np.uint8).reshape(places.shape)
        _extend(tables.offsets.places, positions)
        targets = [self.numbers[name][rows] for name, _, _ in shape.children]
        _extend(tables.offsets.targets, np.array(targets, np.int64).T)


def _presence(columns: Columns) -> _Int64:
    """The fields that each table has, as bits."""
    cls, values = columns
    present = np.zeros(len(next(iter(values.values()))), np.int64)
    for name, column in values.items():
        bit, default, kind = layout(cls).presence[name]
        if kind is None:
            given = map(is_not, column, repeat(default))
        else:
            given = map(ne, column, repeat(default)) if kind else map(bool, column)
        present += bit * np.fromiter(given, bool, len(present))
    return present


_Put = Callable[[Writer, Any, Any], int]
_PUTS: dict[str, _Put] = {
    "string": Writer._put_string,
    "table": Writer._put_table,
    "union": Writer._put_table,
    "scalars": Writer._put_scalars,
    "view": Writer._put_view,
    "strings": Writer._put_strings,
    "tables": Writer._put_tables,
}


@lru_cache(256)
def _vector_struct(code: str, count: int) -> struct.Struct:
    return struct.Struct(f"<{count}{code}")


def _lay_out(fields: Sequence[Field]) -> _Shape:
    """Largest fields first, each on its own alignment, behind the offset of the vtable."""
    slots: list[tuple[int, int, str, Field | None]] = []  # slot, size, code, the field itself (None: a union's tag)
    inline: list[tuple[str, dict[type[Table], int] | None] | None] = []  # of the slots, None for an offset
    for field in fields:
        if field.kind == "union":
            slots.append((field.id, 1, "B", None))
            inline.append((field.name, field.tags))
        scalar = field.kind == "scalar"
        size = struct.calcsize("<" + field.code)
        slots.append((field.id + (field.kind == "union"), size, field.code if scalar else f"{size}x", field))
        inline.append((field.name, None) if scalar else None)
    order = sorted(range(len(slots)), key=lambda i: -slots[i][1])
    places: dict[int, int] = {}
    code, position = "<i", 4
    for i in order:
        size = slots[i][1]
        code += "x" * (-position % size) + slots[i][2]
        position += -position % size
        places[i] = position
        position += size
    entries = [0] * (max((slot[0] for slot in slots), default=-1) + 1)
    for i, slot in enumerate(slots):
        entries[slot[0]] = places[i]
    vtable = struct.pack(f"<{len(entries) + 2}H", 4 + 2 * len(entries), position, *entries)
    held = [(slot[3], places[i]) for i, slot in enumerate(slots)]
    outside = [(f, at) for f, at in held if f is not None and f.kind != "scalar"]
    children = tuple([(field.name, _PUTS[field.kind], field.member) for field, _ in outside])
    align = max([4, *(slot[1] for slot in slots)])
    taken = [found for i in order if (found := inline[i]) is not None]
    return _Shape(vtable, struct.Struct(code), tuple(taken), children, tuple([at for _, at in outside]), align)


def write(root: Table, identifier: bytes) -> list[Bytes]:
    """Encode a whole flatbuffer; the pieces are to be written one after the other.

    Raises:
        FormatError: the file would be larger than a flatbuffer can be.
    """
    return Writer().write(root, identifier)
