"""The sections of MLIR bytecode and the tables in them: strings, dialects, operators' names, resources, properties."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from tosa_converter.errors import FormatError
from tosa_converter.formats.mlir.bytecode.cursor import Bytecode, Cursor
from tosa_converter.schemas.mlir_bytecode import MAGIC, MAX_VERSION, PADDING, Resource, Section, Version

T = TypeVar("T")


class OpName(NamedTuple):
    """The name of an operator, and whether its dialect was registered with the tool that wrote the file."""

    name: str
    registered: bool


class Entry(NamedTuple):
    """The bytes of an attribute or type, the dialect that it is of, and whether they are of that dialect's own form.

    Else they are MLIR text, ended by a byte 0.
    """

    dialect: str
    begin: int
    end: int
    custom: bool


class Blob(NamedTuple):
    """A resource of a dialect: its key, and where its bytes are; None for one without bytes."""

    key: str
    span: tuple[int, int] | None


class Tables:
    """The tables of a file of MLIR bytecode; attributes and types are still bytes in them."""

    def __init__(self, source: Bytecode) -> None:
        """Reads the header, the sections and all tables but those of attributes, types and operators.

        Raises:
            FormatError: malformed bytes.
            UnsupportedError: a version of the format that is newer than this reader.
        """
        self.source = source
        cursor = Cursor(source, len(MAGIC), len(source.data))
        at = cursor.at
        self.version = cursor.varint()
        if self.version > MAX_VERSION:
            raise source.unsupported(
                f"MLIR bytecode of version {self.version}; this reader knows 0 to {MAX_VERSION}\n"
                f"  next: write it anew with --emit-bytecode-version={MAX_VERSION}",
                at,
            )
        self.producer = cursor.text().decode("utf-8", "replace")
        self._sections = self._read_sections(cursor)
        self.strings = self._read_strings()
        self.dialects: list[str] = []
        self.op_names: list[OpName] = []
        self._read_dialects()
        self.attributes: list[Entry] = []
        self.types: list[Entry] = []
        self._read_entries()
        self.resources: list[Blob] = []
        self._read_resources()
        self.properties = self._read_properties()

    # ** sections **

    def _read_sections(self, cursor: Cursor) -> dict[int, Cursor]:
        """Reads where each section begins and ends; a section may stand once, and the first six kinds must."""
        sections: dict[int, Cursor] = {}
        while cursor.at < cursor.end:
            at = cursor.at
            kind, section = read_section(cursor)
            if kind in sections:
                raise self.source.wrong(at, "a section of another kind", f"kind {kind} twice")
            sections[kind] = section
        missing = [kind for kind in _REQUIRED if kind not in sections]
        if missing:
            raise self.source.wrong(cursor.end, f"a section of kind {int(missing[0])}", "the end of the file")
        return sections

    def ir(self) -> Cursor:
        """Returns a cursor at the begin of the section of operators."""
        return self._sections[Section.IR]

    def attribute_section(self) -> Cursor:
        """Returns a cursor at the begin of the section of attributes and types."""
        return self._sections[Section.ATTR_TYPE]

    # ** strings **

    def _read_strings(self) -> list[bytes]:
        """Reads the strings; their sizes, each with the byte 0 at the end, stand first, the last one's before all."""
        cursor = self._sections[Section.STRING]
        sizes = [cursor.varint() for _ in range(cursor.count("strings"))][::-1]
        strings = []
        for size in sizes:
            at = cursor.skip(size, "a string")
            if not size or self.source.data[at + size - 1]:
                raise self.source.wrong(at, f"a string of {size} bytes with a byte 0 at its end")
            strings.append(bytes(self.source.data[at : at + size - 1]))
        cursor.require_end("the strings")
        return strings

    def string(self, cursor: Cursor) -> bytes:
        """Reads the index of a string, and returns the string."""
        return self.strings[cursor.index(len(self.strings), "strings")]

    def name(self, cursor: Cursor) -> str:
        """Reads the index of a string in UTF-8, and returns its text."""
        at = cursor.at
        return self.source.decode_utf8(self.string(cursor), at)

    # ** dialects **

    def _read_dialects(self) -> None:
        """Reads the names of dialects, whose versions are passed over, and those of their operators."""
        cursor = self._sections[Section.DIALECT]
        for _ in range(cursor.count("dialects")):
            at = cursor.at
            index, versioned = (
                cursor.number_and_flag() if self.version >= Version.DIALECTS else (cursor.varint(), False)
            )
            cursor.checked_index(index, len(self.strings), "strings", at)
            self.dialects.append(self.source.decode_utf8(self.strings[index], at))
            if versioned:
                read_section(cursor)
        if self.version >= Version.SHORT_ARGUMENTS:
            cursor.varint()  # how many names follow, to make room for them
        while cursor.at < cursor.end:
            self.op_names += self._read_group(cursor, self._read_op_name)

    def _read_op_name(self, cursor: Cursor, dialect: str) -> OpName:
        """Reads the name of an operator of a dialect."""
        at = cursor.at
        index, registered = cursor.number_and_flag() if self.version >= Version.PROPERTIES else (cursor.varint(), True)
        cursor.checked_index(index, len(self.strings), "strings", at)
        name = self.source.decode_utf8(self.strings[index], at)
        return OpName(f"{dialect}.{name}", registered)

    def _read_group(self, cursor: Cursor, read_item: Callable[[Cursor, str], T]) -> list[T]:
        """Reads a group of items of one dialect: its index, how many they are, and each by `read_item`."""
        dialect = self.dialects[cursor.index(len(self.dialects), "dialects")]
        return [read_item(cursor, dialect) for _ in range(cursor.count("items of a dialect"))]

    # ** attributes and types **

    def _read_entries(self) -> None:
        """Reads where the attributes and types begin and end: the attributes are first, in groups of a dialect each."""
        cursor = self._sections[Section.ATTR_TYPE_OFFSET]
        section = self.attribute_section()
        at = cursor.at
        counts = cursor.varint(), cursor.varint()
        begin = section.at

        def read_entry(cursor: Cursor, dialect: str) -> Entry:
            """Reads the size of an attribute or type, and the flag whether it is in the dialect's own form."""
            nonlocal begin
            entry_at = cursor.at
            size, custom = cursor.number_and_flag()
            if size > section.end - begin:
                raise self.source.wrong(entry_at, f"a size of at most {section.end - begin}", str(size))
            begin += size
            return Entry(dialect, begin - size, begin, custom)

        for entries, count in zip((self.attributes, self.types), counts, strict=True):
            while len(entries) < count and cursor.at < cursor.end:
                entries += self._read_group(cursor, read_entry)
            if len(entries) != count:
                raise self.source.wrong(at, f"{len(entries)} attributes or types, as the groups have them", str(count))
        cursor.require_end("the offsets")

    # ** resources **

    def _read_resources(self) -> None:
        """Reads the keys of the resources of dialects and where their bytes are; passes over other tools' resources."""
        cursor, section = self._sections.get(Section.RESOURCE_OFFSET), self._sections.get(Section.RESOURCE)
        if cursor is None or section is None:
            return
        for _ in range(cursor.count("groups of resources")):
            self.string(cursor)
            for _ in range(cursor.count("resources")):
                self._read_resource(cursor, section)
        while cursor.at < cursor.end:
            cursor.index(len(self.dialects), "dialects")
            for _ in range(cursor.count("resources")):
                key, content = self._read_resource(cursor, section)
                self.resources.append(Blob(key, _blob_span(content) if content else None))

    def _read_resource(self, cursor: Cursor, section: Cursor) -> tuple[str, Cursor | None]:
        """Reads the key, size and kind of a resource; returns the key, and its content in the other section.

        That is None for a resource whose content was left out or is no array of bytes.
        """
        key, size = self.name(cursor), cursor.varint()
        content = section.part(size, "a resource")
        return key, content if cursor.byte() == Resource.BLOB and size else None

    # ** properties **

    def _read_properties(self) -> list[tuple[int, int]]:
        """Reads where the properties of operators begin and end; the bytes mean what an operator makes of them."""
        cursor = self._sections.get(Section.PROPERTIES)
        if cursor is None:
            return []
        spans = []
        for _ in range(cursor.count("properties")):
            size = cursor.varint()
            at = cursor.skip(size, "properties")
            spans.append((at, at + size))
        cursor.require_end("the properties")
        return spans


_REQUIRED = (Section.STRING, Section.DIALECT, Section.ATTR_TYPE, Section.ATTR_TYPE_OFFSET, Section.IR)


def read_section(cursor: Cursor) -> tuple[int, Cursor]:
    """Reads a section of MLIR bytecode; returns its kind, and a cursor that reads its content.

    Its first byte is the kind, whose highest bit says that an alignment and padding stand behind the size.
    """
    first, size = cursor.byte(), cursor.varint()
    if first & _ALIGNED:
        at = cursor.at
        alignment = cursor.varint()
        skip_padding(cursor, alignment, at)
    return first & ~_ALIGNED, cursor.part(size, "a section")


_ALIGNED = 0x80


def skip_padding(cursor: Cursor, alignment: int, at: int) -> None:
    """Advances past the bytes of padding up to a multiple of the alignment, which stands at `at`."""
    if not alignment or alignment & alignment - 1 or alignment > _MAX_ALIGNMENT:
        raise cursor.source.wrong(at, f"a power of two up to {_MAX_ALIGNMENT} as alignment", str(alignment))
    # At 13 with an alignment of 8, -13 % 8 = 3 bytes lead to 16.
    size = -cursor.at % alignment
    begin = cursor.skip(size, "padding")
    if bytes(cursor.data[begin : begin + size]) != bytes([PADDING]) * size:
        raise cursor.source.wrong(begin, f"{size} bytes {PADDING:02x} of padding")


_MAX_ALIGNMENT = 1 << 16


def _blob_span(content: Cursor) -> tuple[int, int]:
    """Returns where the bytes of a resource begin and end, behind its alignment, its size and padding."""
    at = content.at
    alignment, size = content.varint(), content.varint()
    skip_padding(content, alignment, at)
    begin = content.skip(size, "a resource's content")
    content.require_end("a resource")
    return begin, begin + size


def require_magic(source: Bytecode) -> None:
    """Raises FormatError unless a file begins as MLIR bytecode does."""
    if bytes(source.data[: len(MAGIC)]) != MAGIC:
        raise FormatError(f"expected {MAGIC!r}, found {bytes(source.data[: len(MAGIC)])!r}", path=source.place(0))
