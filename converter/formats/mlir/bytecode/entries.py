"""Attributes and types of MLIR bytecode: decoded when they are first asked for, and then kept."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from tosa_converter.dtypes import DType
from tosa_converter.errors import shortened
from tosa_converter.formats.mlir.attributes import Attribute, Attributes
from tosa_converter.formats.mlir.bytecode.cursor import Cursor
from tosa_converter.formats.mlir.bytecode.tables import Entry, Tables
from tosa_converter.formats.mlir.element_bytes import ElementBytes, Elements
from tosa_converter.formats.mlir.lexer import MAX_NESTING, Lexer
from tosa_converter.formats.mlir.locations import Location, Locations
from tosa_converter.formats.mlir.types import FunctionType, Types
from tosa_converter.ir import TensorType
from tosa_converter.schemas.mlir_bytecode import BUILTIN

T = TypeVar("T")


class OtherType(NamedTuple):
    """A type that TOSA doesn't have, which is refused where a tensor or an element has it."""

    description: str


Type = TensorType | DType | FunctionType | OtherType


class Dialect(NamedTuple):
    """How a dialect's own form of attributes and of types is read; None for one that has no such form."""

    read_attribute: "Callable[[Entries, Cursor], Any] | None"
    read_type: "Callable[[Entries, Cursor], Type]"


class EmbeddedText(Lexer):
    """MLIR text within bytecode: messages name the byte of the file."""

    def __init__(self, text: str, begin: int) -> None:
        """Prepares to read tokens of a text that begins at a byte of the file."""
        self.offset = begin
        super().__init__(text)

    def place(self, at: int) -> str:
        """Returns how messages call a position of the text: the byte of the file."""
        return f"byte {self.offset + at}"


class Entries:
    """The attributes and types of a file of MLIR bytecode, by their numbers."""

    def __init__(self, tables: Tables, dialects: Mapping[str, Dialect]) -> None:
        """Prepares to decode the attributes and types of a file's tables, by the dialects whose own form is known."""
        self.tables = tables
        self.dialects = dialects
        self.source = tables.source
        self.elements = ElementBytes(tables.source, len(tables.source.data))
        self.quantized = ""  # where quantization parameters were passed over
        self._attributes: dict[int, Attribute] = {}
        self._types: dict[int, Type] = {}
        self._depth = 0

    # ** by number **

    def attribute(self, cursor: Cursor) -> Attribute:
        """Reads the number of an attribute, and returns the attribute."""
        return self.numbered_attribute(cursor.index(len(self.tables.attributes), "attributes"))

    def optional_attribute(self, cursor: Cursor) -> Attribute | None:
        """Reads the number of an attribute and a flag, or 0 for none, and returns the attribute."""
        at = cursor.at
        index, stated = cursor.number_and_flag()
        if not stated and not index:
            return None
        return self.numbered_attribute(cursor.checked_index(index, len(self.tables.attributes), "attributes", at))

    def numbered_attribute(self, index: int) -> Attribute:
        """Returns an attribute by its number, which the table has.

        Elements that several operators have count against the budget of repeated ones, because writers may copy them
        for each.
        """
        attribute = self._attributes.get(index)
        if attribute is None:
            entry = self.tables.attributes[index]
            value = self._decode(entry, self._read_attribute_text, self._read_custom_attribute)
            attribute = self._attributes[index] = Attribute(value, entry.begin)
        elif isinstance(attribute.value, Elements):
            self.elements.spend(attribute.value.values, attribute.at)
        return attribute

    def type(self, cursor: Cursor) -> Type:
        """Reads the number of a type, and returns the type."""
        return self._numbered_type(cursor.index(len(self.tables.types), "types"))

    def _numbered_type(self, index: int) -> Type:
        """Returns a type by its number, which the table has."""
        type = self._types.get(index)
        if type is None:
            entry = self.tables.types[index]
            type = self._types[index] = self._decode(entry, self._read_type_text, self._read_custom_type)
        return type

    def _decode(
        self, entry: Entry, read_text: Callable[[EmbeddedText], T], read_custom: Callable[[Entry, Cursor], T]
    ) -> T:
        """Decodes an attribute or type; raises UnsupportedError if it consists of others deeper than lists may nest.

        One that consists of itself nests without end.
        """
        if self._depth >= MAX_NESTING:
            raise self.source.unsupported(f"attributes or types nest deeper than {MAX_NESTING}", entry.begin)
        self._depth += 1
        if entry.custom:
            cursor = Cursor(self.source, entry.begin, entry.end)
            value = read_custom(entry, cursor)
            cursor.require_end("an attribute or type")
        else:
            value = self._read_text(entry, read_text)
        self._depth -= 1
        return value

    def _read_custom_attribute(self, entry: Entry, cursor: Cursor) -> Any:
        """Reads an attribute in its dialect's own form; returns None for a form that TOSA has no use for."""
        dialect = self.dialects.get(entry.dialect)
        if dialect is not None and dialect.read_attribute is not None:
            return dialect.read_attribute(self, cursor)
        return self.pass_over(cursor)

    def _read_custom_type(self, entry: Entry, cursor: Cursor) -> Type:
        """Reads a type in its dialect's own form."""
        dialect = self.dialects.get(entry.dialect)
        if dialect is not None:
            return dialect.read_type(self, cursor)
        self.pass_over(cursor)
        return OtherType(f"a type of the dialect {shortened(entry.dialect)!r}")

    def pass_over(self, cursor: Cursor) -> None:
        """Advances past an attribute or type that TOSA has no use for."""
        cursor.at = cursor.end

    # ** as text **

    def _read_text(self, entry: Entry, read: Callable[[EmbeddedText], T]) -> T:
        """Reads an attribute or type that is MLIR text, ended by a byte 0."""
        raw = bytes(self.source.data[entry.begin : entry.end])
        if not raw.endswith(b"\0"):
            raise self.source.wrong(entry.begin, "MLIR text with a byte 0 at its end")
        lexer = EmbeddedText(str(raw[:-1], "latin-1"), entry.begin)
        value = read(lexer)
        if lexer.kind != "end":
            raise lexer.error("the end of an attribute or type")
        return value

    def _read_attribute_text(self, lexer: EmbeddedText) -> Any:
        """Reads an attribute or a location that is MLIR text, and returns its value."""
        types, locations = Types(lexer), Locations(lexer)
        location = locations.read_if_next()
        if location is not None:
            return Location(locations.text(location), names=location.names)
        value = Attributes(lexer, types, locations).any().value
        if isinstance(value, Elements):
            self.elements.spend(value.values, lexer.offset)
        self.quantized = self.quantized or types.quantized
        return value

    def _read_type_text(self, lexer: EmbeddedText) -> Type:
        """Reads a type that is MLIR text."""
        types = Types(lexer)
        type = types.any()
        self.quantized = self.quantized or types.quantized
        return type

    # ** of a kind **

    def numbered_tensor(self, number: int, at: int) -> TensorType:
        """Returns a type by its number, which stands at `at`; it must be that of a tensor or of a shape."""
        self._require_number(number, len(self.tables.types), "types", at)
        type = self._numbered_type(number)
        if isinstance(type, OtherType):
            raise self.source.unsupported(f"{type.description} is not part of TOSA 1.0", at)
        if not isinstance(type, TensorType):
            actual = "the type of a function" if isinstance(type, FunctionType) else str(type)
            raise self.source.wrong(at, "the type of a tensor", actual)
        if type.dtype is DType.SHAPE and self.tables.types[number].dialect == BUILTIN:
            raise self.source.wrong(at, "!tosa.shape<...> for a shape", str(type))
        return type

    def string(self, cursor: Cursor) -> Attribute:
        """Reads the number of an attribute, which must be a string."""
        at = cursor.at
        attribute = self.attribute(cursor)
        if not isinstance(attribute.value, bytes):
            raise cursor.source.wrong(at, "the number of a string")
        return attribute

    def location(self, cursor: Cursor) -> Location:
        """Reads the number of an attribute, which must be a location."""
        at = cursor.at
        return self.numbered_location(cursor.varint(), at)

    def numbered_location(self, number: int, at: int) -> Location:
        """Returns a location by the number of its attribute, which stands at `at`."""
        self._require_number(number, len(self.tables.attributes), "attributes", at)
        value = self.numbered_attribute(number).value
        if not isinstance(value, Location):
            raise self.source.wrong(at, "the number of a location", f"that of another attribute, {number}")
        return value

    def _require_number(self, number: int, size: int, subject: str, at: int) -> None:
        """Raises FormatError, with the place `at`, unless a table of `size` items has a number."""
        if number >= size:
            raise self.source.wrong(at, f"one of {size} {subject}", f"number {number}")
