"""The flatbuffer writer: tables first, then pooled strings and small vectors, then large vectors."""

import struct
from array import array
from collections import deque
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, TypeAlias, TypeVar

import numpy as np

from tosa_converter.errors import UnsupportedError
from tosa_converter.formats.flatbuffer.checking import U32
from tosa_converter.formats.flatbuffer.columns import Columns, put_columns
from tosa_converter.formats.flatbuffer.layout import VIEWS, Field, layout
from tosa_converter.formats.shared import SharedArrays
from tosa_converter.formats.storage import Bytes
from tosa_converter.schemas.flat import MAX_SIZE, Table

K = TypeVar("K")
Integers: TypeAlias = "array[int]"  # of 64 bits

LARGE = 4096  # bytes from which on a vector is a piece of its own


def write(root: Table, identifier: bytes) -> list[Bytes]:
    """Encodes a whole flatbuffer and returns its pieces, which are written one after the other.

    Raises:
        UnsupportedError: the file would be larger than a flatbuffer can be.
    """
    return Writer().write(root, identifier)


class _Shape(NamedTuple):
    """The layout of a flatbuffer table with a given set of fields; offsets to its children are filled in later."""

    vtable: bytes
    packer: struct.Struct
    inline: "tuple[tuple[str, dict[type[Table], int] | None], ...]"  # the packer's fields, with tags for a union's tag
    children: "tuple[tuple[str, _Put, Any], ...]"  # fields outside of the table, with their writer and its `member`
    offsets: tuple[int, ...]  # where the children's offsets stand
    align: int


class _Offsets(NamedTuple):
    """The offsets in all objects of one layout, which the writer fills in at the end.

    `distances` are from an object's begin, `object_positions` the objects' positions, `targets` the numbers of the
    objects that they point to.
    """

    distances: Sequence[int]
    object_positions: Integers
    targets: Integers


class ShapedTables(NamedTuple):
    """All tables of one layout in a buffer, with the position of the vtable that they share."""

    shape: _Shape
    vtable: int
    offsets: _Offsets


class _Numbers(dict[K, int]):
    """Object numbers by key, each assigned when it is first asked for; a number is an index into `positions`."""

    def __init__(self, positions: Integers) -> None:
        """Prepares a table of object numbers by key, which are given out when a key is first asked for.

        `positions` is the writer's array of positions, which objects of other kinds share.
        """
        super().__init__()
        self.positions = positions

    def __missing__(self, key: K) -> int:
        """Returns the next number for a new object, and reserves its entry in `positions`, set when it is written."""
        number = self[key] = len(self.positions)
        self.positions.append(0)
        return number


class Writer:
    """Encodes tables into one flatbuffer.

    An offset points forward, so an object lies behind the tables that refer to it. Tables inside a vector follow it at
    once. Single ones wait until those are written, and one that several tables share is written once. Every object
    has a number, and offsets are filled in by number at the end.
    """

    PUTS: "ClassVar[dict[str, _Put]]"

    def __init__(self) -> None:
        """Prepares a writer of one flatbuffer file, which is empty yet."""
        self.head = bytearray()
        self.vtables: dict[bytes, int] = {}
        self.tables: dict[tuple[type[Table], int], ShapedTables] = {}  # by class and present fields
        self.queue: deque[Table] = deque()  # single tables that are written next
        self.waiting: dict[int, int] = {}  # the object numbers of the tables in the queue, by identity
        self.positions = _zeros()  # of all objects, by object number
        self.strings: _Numbers[str] = _Numbers(self.positions)
        self.pool: _Numbers[tuple[int, int, bytes]] = _Numbers(self.positions)  # vectors: length, alignment, content
        self.integers: dict[tuple[str, Sequence[int]], int] = {}  # vectors in the pool, by code and values
        # Vectors behind all tables, which aren't copied: object number, length, alignment, content.
        self.large: list[tuple[int, int, int, memoryview]] = []
        self.shared = SharedArrays()  # finds large vectors that are equal
        self.vectors: dict[int, _Offsets] = {}  # vectors of offsets, by length

    def write(self, root: Table, identifier: bytes) -> list[Bytes]:
        """Encodes the root table and all that it refers to, and returns the pieces of the file in order."""
        self.head += b"\0\0\0\0" + (identifier or b"\0\0\0\0")
        self._put_table(root, None)  # as number 0
        positions = self.positions
        while self.queue:
            table = self.queue.popleft()
            number = self.waiting.pop(id(table))
            positions[number] = self._append_table(table)
        self._append_strings()
        for vector, number in self.pool.items():
            positions[number] = self._append_vector(*vector)
        return self._append_large()

    def _append_strings(self) -> None:
        """Appends all strings in UTF-8: each behind its length, with a zero byte at its end, padded to 4 bytes."""
        head, contents = self.head, [text.encode() for text in self.strings]
        head += bytes(-len(head) % 4)
        # A length of 4 bytes, the text and 1 to 4 zero bytes: 3 characters take 8 bytes (3 // 4 * 4 + 8), 4 take 12.
        sizes = np.fromiter(map(len, contents), np.int64, len(contents)) // 4 * 4 + 8
        numbers = np.fromiter(self.strings.values(), np.int64, len(contents))
        np.frombuffer(self.positions, np.int64)[numbers] = np.cumsum(sizes) - sizes + len(head)
        head += b"".join([U32.pack(n := len(content)) + content + bytes(4 - n % 4) for content in contents])

    def _append_large(self) -> list[Bytes]:
        """Places the large vectors behind the buffer, fills in all offsets, and returns the pieces of the file.

        Raises:
            UnsupportedError: the file would be larger than a flatbuffer can be.
        """
        pieces: list[Bytes] = [self.head]
        position = len(self.head)
        for number, count, align, content in self.large:
            # The elements are aligned, not the length in front of them: at position 100 with align 16, padding is
            # -104 % 16 = 8, the length stands at 108 and the elements begin at 112.
            padding = -(position + 4) % align
            self.positions[number] = position + padding
            pieces += [b"\0" * padding + U32.pack(count), content]
            position += padding + 4 + len(content)
        if position > MAX_SIZE:
            raise UnsupportedError(f"the file would have {position} bytes, a flatbuffer holds {MAX_SIZE}")
        self._fill_in_offsets()
        return pieces

    def _fill_in_offsets(self) -> None:
        """Writes all offsets, now that every object's position is known; each is aligned to its 4 bytes."""
        head = np.frombuffer(self.head, "<u4", len(self.head) // 4)
        positions = np.asarray(self.positions)
        # The root is number 0; bytes 0 to 3 lead to it.
        head[0] = positions[0]
        for offsets in (*self.vectors.values(), *(tables.offsets for tables in self.tables.values())):
            object_positions = np.add.outer(offsets.object_positions, np.array(offsets.distances, np.int64)).reshape(-1)
            # An offset counts from its own place: one at byte 20 to a vector at byte 28 is 8. Places are multiples
            # of 4, because tables and vectors are aligned to 4 and the fields of a table to their sizes.
            head[object_positions // 4] = positions[np.asarray(offsets.targets)] - object_positions

    def _add_position(self, position: int) -> int:
        """Returns the number of a new object, its index in `positions`; a position of 0 may be set later."""
        self.positions.append(position)
        return len(self.positions) - 1

    def _append_vector(self, count: int, align: int, content: bytes) -> int:
        """Appends a vector of `count` elements and returns its position, where its length stands."""
        head = self.head
        # Bytes 0, 1, 2 for alignment 16 behind 24 bytes: -28 % 16 = 4 zeros, 03 00 00 00 at 28, and 00 01 02 at 32.
        head += b"\0" * (-(len(head) + 4) % align) + U32.pack(count) + content
        return len(head) - len(content) - 4

    def _append_table(self, table: Table) -> int:
        """Appends a table and returns its position; fields with their default are omitted.

        The objects that it refers to are numbered or appended behind it.
        """
        cls, head, values = type(table), self.head, table.__dict__
        present, presence = 0, layout(cls).presence
        for name, value in values.items():
            bit, default, omits_default = presence[name]
            # A field with its default is omitted; see `Field.omits_default`.
            if value is not default and (omits_default is None or (value != default if omits_default else value)):
                present |= bit
        tables = self.tables.get((cls, present)) or self.begin_shape(cls, present)
        shape = tables.shape
        if len(head) % shape.align:
            head += bytes(-len(head) % shape.align)
        position = len(head)
        inline = [values[name] if tags is None else tags[type(values[name])] for name, tags in shape.inline]
        head += shape.packer.pack(position - tables.vtable, *inline)
        children = [put(self, values[name], member) for name, put, member in shape.children]
        tables.offsets.object_positions.append(position)
        tables.offsets.targets.extend(children)
        return position

    def begin_shape(self, cls: type[Table], present: int) -> ShapedTables:
        """Writes the vtable of tables with these fields, and returns an empty list for such tables of the class.

        `present` has a bit for each field, as `Layout.presence` numbers them. Equal vtables are written once.
        """
        shape = _lay_out_table([field for i, field in enumerate(layout(cls).fields) if present >> i & 1])
        vtable = self.vtables.get(shape.vtable)
        if vtable is None:
            # A vtable consists of 16-bit numbers, so it begins at an even byte.
            self.head += b"\0" * (len(self.head) % 2)
            vtable = self.vtables[shape.vtable] = len(self.head)
            self.head += shape.vtable
        tables = self.tables[cls, present] = ShapedTables(shape, vtable, _empty_offsets(shape.offsets))
        return tables

    # ** objects outside of a table, by value and the field's member; each returns a number **

    def _put_string(self, text: str, _: Any) -> int:
        """Returns the object number of a string; equal strings are written once."""
        return self.strings[text]

    def _put_table(self, table: Table, _: Any) -> int:
        """Returns the object number of a table, which is written after the present one.

        A table that is referred to twice is written once.
        """
        # An identity stays valid while the table is in the queue, which refers to it; no other table can have it.
        number = self.waiting.get(id(table))
        if number is None:
            number = self.waiting[id(table)] = self._add_position(0)
            self.queue.append(table)
        return number

    def _put_scalars(self, numbers: tuple[Any, ...], code: str) -> int:
        """Returns the object number of a vector of numbers; equal vectors are written once."""
        if code in "fd":  # as keys of `integers`, 0.0 and -0.0 would be one
            return self._pool_numbers(numbers, code)
        number = self.integers.get((code, numbers))
        if number is None:
            number = self.integers[code, numbers] = self._pool_numbers(numbers, code)
        return number

    def _pool_numbers(self, numbers: Sequence[Any], code: str) -> int:
        """Packs numbers into the pool of small vectors and returns the object number; equal bytes share one."""
        content = _vector_struct(code, len(numbers)).pack(*numbers)
        return self.pool[len(numbers), max(4, struct.calcsize("<" + code)), content]

    def _put_view(self, elements: "np.ndarray[Any, Any]", view: str) -> int:
        """Returns the object number of a numpy array's vector; equal vectors are written once.

        Large ones are written behind all tables, without a copy.
        """
        dtype, align = VIEWS[view]
        if elements.nbytes < LARGE:
            stored = elements if elements.dtype == dtype else elements.astype(dtype)
            return self.pool[elements.size, align, stored.tobytes()]
        elements = np.ascontiguousarray(elements, dtype).reshape(-1)
        content = elements.view(np.uint8)

        def add() -> int:
            """Appends the vector to those that are written behind all tables; returns its object number."""
            number = self._add_position(0)
            self.large.append((number, elements.size, align, content.data))
            return number

        return self.shared.number(content, add, align)

    def _put_strings(self, texts: Sequence[str], _: Any) -> int:
        """Appends a vector of strings and returns its object number; equal strings of a file are stored once."""
        number, offsets = self._put_offsets(len(texts))
        offsets.targets.extend(map(self.strings.__getitem__, texts))
        return number

    def _put_tables(self, tables: Sequence[Table] | Columns, _: Any) -> int:
        """Appends a vector of tables and directly behind it the tables, and returns the vector's object number.

        Tables that are held as columns are written all at once, by numpy.
        """
        if isinstance(tables, Columns):
            return put_columns(self, tables)
        number = self.put_pending(len(tables))
        for i, table in enumerate(tables, number + 1):
            self.positions[i] = self._append_table(table)
        return number

    def put_pending(self, count: int) -> int:
        """Appends a vector of `count` tables that the caller writes next, and returns its object number.

        The tables have the numbers that follow it.
        """
        number, offsets = self._put_offsets(count)
        offsets.targets.extend(range(number + 1, number + 1 + count))
        self.positions.extend(_zeros(count))
        return number

    def _put_offsets(self, count: int) -> tuple[int, _Offsets]:
        """Appends a vector of `count` offsets, which the writer fills in at the end.

        Returns its object number, and the `_Offsets` to whose targets the caller adds the numbers of the objects that
        they lead to.
        """
        offsets = self.vectors.get(count) or self.offsets_of(count, range(4, 4 * count + 4, 4))
        start = self._append_vector(count, 4, bytes(4 * count))
        offsets.object_positions.append(start)
        return self._add_position(start), offsets

    def offsets_of(self, form: int, distances: Sequence[int]) -> _Offsets:
        """Returns the offsets, to be filled in, of all vectors with `form` elements; -1 is for single offsets.

        `distances` are their positions from the begin of each vector.
        """
        return self.vectors.setdefault(form, _empty_offsets(distances))


_Put: TypeAlias = Callable[[Writer, Any, Any], int]
Writer.PUTS = {
    "string": Writer._put_string,
    "table": Writer._put_table,
    "union": Writer._put_table,
    "scalars": Writer._put_scalars,
    "view": Writer._put_view,
    "strings": Writer._put_strings,
    "tables": Writer._put_tables,
}


def _empty_offsets(distances: Sequence[int]) -> _Offsets:
    """Returns an empty list of offsets to be filled in, which stand at these distances from the begin of an object.

    The writer fills the offsets in at the end, when all positions are known.
    """
    return _Offsets(distances, _zeros(), _zeros())


def _zeros(count: int = 0) -> Integers:
    """Returns an `array` of `count` zeros of 64 bits."""
    return array("q", bytes(8 * count))


@lru_cache(256)
def _vector_struct(code: str, count: int) -> struct.Struct:
    """Returns the cached `struct.Struct` that packs `count` numbers of this code, little endian."""
    return struct.Struct(f"<{count}{code}")


class _Item(NamedTuple):
    """An entry of a table: the vtable slot, its size and struct code, and the field; `tags` for a union's tag."""

    slot: int
    size: int
    code: str
    field: Field
    tags: "dict[type[Table], int] | None" = None

    @property
    def is_inline(self) -> bool:
        """Whether the table holds the value itself: a scalar or a tag."""
        return self.tags is not None or self.field.kind == "scalar"


def _field_entries(field: Field) -> list[_Item]:
    """Returns the entries that a field takes in a flatbuffer table: tag and offset for a union, else one."""
    size = struct.calcsize("<" + field.code)
    # Offsets are packed as zero bytes (`4x`), and filled in at the end.
    if field.kind == "union":
        return [_Item(field.id, 1, "B", field, field.tags), _Item(field.id + 1, size, f"{size}x", field)]
    return [_Item(field.id, size, field.code if field.kind == "scalar" else f"{size}x", field)]


def _lay_out_table(fields: Sequence[Field]) -> _Shape:
    """Lays out a flatbuffer table with these fields.

    The offset to the vtable comes first, then the fields, the largest first, each aligned to its size.
    """
    items = [item for field in fields for item in _field_entries(field)]
    # A Tensor with shape, type, buffer and name has the offset to the vtable at 0, shape, buffer and name at 4, 8 and
    # 12, and the byte of type at 16. The vtable has 12 bytes: its own size 0c00, the table's size 1100 (17), and the
    # distance of each slot, 0400 1000 0800 0c00.
    ordered = sorted(items, key=lambda item: -item.size)
    entries = [0] * (max((item.slot for item in items), default=-1) + 1)
    code, size = "<i", 4
    for item in ordered:
        padding = -size % item.size
        code += "x" * padding + item.code
        entries[item.slot] = size + padding
        size += padding + item.size
    outside = [item for item in items if not item.is_inline]
    return _Shape(
        vtable=struct.pack(f"<{len(entries) + 2}H", 4 + 2 * len(entries), size, *entries),
        packer=struct.Struct(code),
        inline=tuple([(item.field.name, item.tags) for item in ordered if item.is_inline]),
        children=tuple([(item.field.name, Writer.PUTS[item.field.kind], item.field.member) for item in outside]),
        offsets=tuple([entries[item.slot] for item in outside]),
        align=max([4, *(item.size for item in items)]),
    )
