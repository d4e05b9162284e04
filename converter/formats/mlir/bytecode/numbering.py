"""The tables of MLIR bytecode as they grow: strings, dialects, operators' names, attributes and types by number."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.formats.elements import round_element
from tosa_converter.formats.mlir.bytecode.builtin_types import UNKNOWN_SIZE
from tosa_converter.formats.mlir.bytecode.emitter import (
    Content,
    ElementContent,
    Part,
    number_with_flag,
    numbers,
    signed_varint,
    varint,
)
from tosa_converter.formats.mlir.writer import element_type
from tosa_converter.formats.shared import SharedArrays
from tosa_converter.ir import Array, TensorType
from tosa_converter.schemas.mlir_bytecode import BUILTIN, AttributeCode, TypeCode

SPLAT = 1 << 16  # bytes up to which equal elements are written as one


class _Row(NamedTuple):
    """An attribute or type: the number of its dialect, whether it is in that dialect's own form, and its bytes."""

    dialect: int
    custom: bool
    contents: tuple[Content, ...]

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        return sum(len(content) if isinstance(content, bytes) else content.size for content in self.contents)


class Numbering:
    """The tables of a file that is being written; what is asked for twice has one number."""

    def __init__(self) -> None:
        """Begins with empty tables."""
        self.strings: dict[bytes, int] = {}
        self.dialects: dict[str, int] = {}
        self.op_names: dict[str, int] = {}
        self.attributes: list[_Row] = []
        self.types: list[_Row] = []
        self._attribute_numbers: dict[_Row, int] = {}
        self._type_numbers: dict[_Row, int] = {}
        self._tensor_types: dict[TensorType, int] = {}
        self._shared = SharedArrays()

    # ** names **

    def string(self, text: str | bytes) -> int:
        """Returns the number of a string."""
        return self.strings.setdefault(text.encode() if isinstance(text, str) else text, len(self.strings))

    def dialect(self, name: str) -> int:
        """Returns the number of a dialect."""
        self.string(name)
        return self.dialects.setdefault(name, len(self.dialects))

    def op_name(self, name: str) -> int:
        """Returns the number of an operator's name, such as tosa.add."""
        dialect, _, base_name = name.partition(".")
        self.dialect(dialect)
        self.string(base_name)
        return self.op_names.setdefault(name, len(self.op_names))

    # ** types **

    def _type(self, row: _Row) -> int:
        """Returns the number of a type by its bytes."""
        number = self._type_numbers.setdefault(row, len(self.types))
        if number == len(self.types):
            self.types.append(row)
        return number

    def _builtin_type(self, code: TypeCode, content: bytes = b"") -> int:
        """Returns the number of a type of the builtin dialect by its code and what follows."""
        return self._type(_Row(self.dialect(BUILTIN), True, (varint(code) + content,)))

    def _text_type(self, dialect: str, text: str) -> int:
        """Returns the number of a type that is written as MLIR text."""
        return self._type(_Row(self.dialect(dialect), False, (text.encode() + b"\0",)))

    def element(self, dtype: DType) -> int:
        """Returns the number of the type of an element."""
        code = _FLOATS.get(dtype)
        if code is not None:
            return self._builtin_type(code)
        text = element_type(dtype)
        if dtype.is_integer or dtype is DType.BOOL:
            # ui8 is 8 << 2 | 2: the two lowest bits say that it has no sign, 0 that none is stated.
            width = int(text.lstrip("ui"))
            return self._builtin_type(TypeCode.INTEGER, varint(width << 2 | 2 * text.startswith("u")))
        return self._text_type(BUILTIN, text)  # floats of 8 bits, which only new readers have a code for

    def tensor(self, type: TensorType) -> int:
        """Returns the number of the type of a tensor or shape."""
        number = self._tensor_types.get(type)
        if number is None:
            if type.dtype is DType.SHAPE:
                number = self._text_type("tosa", f"!tosa.shape<{type.shape[0]}>")
            else:
                number = self._elements_type(type)
            self._tensor_types[type] = number
        return number

    def _elements_type(self, type: TensorType) -> int:
        """Returns the number of the type of a constant's elements; those of a shape are a tensor of indices."""
        sizes = b"".join(signed_varint(UNKNOWN_SIZE if size is None else size) for size in type.shape)
        return self._builtin_type(TypeCode.TENSOR, varint(type.rank) + sizes + varint(self.element(type.dtype)))

    def type_of_function(self, inputs: Sequence[TensorType], outputs: Sequence[TensorType]) -> int:
        """Returns the number of the type of a function, as an attribute."""
        sides = [numbers([self.tensor(type) for type in side]) for side in (inputs, outputs)]
        type = self._builtin_type(TypeCode.FUNCTION, b"".join(sides))
        return self._builtin(AttributeCode.TYPE, varint(type))

    # ** attributes **

    def _attribute(self, row: _Row) -> int:
        """Returns the number of an attribute by its bytes."""
        number = self._attribute_numbers.setdefault(row, len(self.attributes))
        if number == len(self.attributes):
            self.attributes.append(row)
        return number

    def _builtin(self, code: AttributeCode, content: bytes = b"") -> int:
        """Returns the number of an attribute of the builtin dialect by its code and what follows."""
        return self._attribute(_Row(self.dialect(BUILTIN), True, (varint(code) + content,)))

    def text_attribute(self, dialect: str, text: str) -> int:
        """Returns the number of an attribute that is written as MLIR text, such as `#tosa.nan_mode<IGNORE>`."""
        return self._attribute(_Row(self.dialect(dialect), False, (text.encode() + b"\0",)))

    def string_attribute(self, text: str | bytes) -> int:
        """Returns the number of a string as an attribute."""
        return self._builtin(AttributeCode.STRING, varint(self.string(text)))

    def type_attribute(self, dtype: DType) -> int:
        """Returns the number of the type of an element as an attribute."""
        return self._builtin(AttributeCode.TYPE, varint(self.element(dtype)))

    def array(self, attributes: Sequence[int]) -> int:
        """Returns the number of a list of attributes."""
        return self._builtin(AttributeCode.ARRAY, numbers(attributes))

    def dictionary(self, attributes: Mapping[str, int]) -> int:
        """Returns the number of attributes by name."""
        pairs = [varint(self.string_attribute(name)) + varint(value) for name, value in sorted(attributes.items())]
        return self._builtin(AttributeCode.DICTIONARY, varint(len(pairs)) + b"".join(pairs))

    def number(self, value: float, dtype: DType) -> int:
        """Returns the number of an integer or float attribute; one of one bit is a boolean."""
        if dtype.is_float:
            bits = int.from_bytes(round_element(value, dtype).tobytes(), "little")
        else:
            bits = int(value) & (1 << dtype.bits) - 1
        # -1 of 32 bits is 2**32 - 1; MLIR's tools write these bits as the positive number that they are, with a sign.
        content = bytes([bits]) if dtype.bits <= 8 else signed_varint(bits if dtype.bits < 64 else int(value))
        code = AttributeCode.FLOAT if dtype.is_float else AttributeCode.INTEGER
        return self._builtin(code, varint(self.element(dtype)) + content)

    def integers(self, values: Sequence[int], dtype: DType) -> int:
        """Returns the number of a list of integers of one type."""
        raw = np.array(values, dtype.numpy).tobytes()
        content = varint(self.element(dtype)) + varint(len(values)) + varint(len(raw)) + raw
        return self._builtin(AttributeCode.DENSE_ARRAY, content)

    def elements(self, values: Array, type: TensorType) -> int:
        """Adds the elements of a constant as an attribute, unless equal ones are there; returns the attribute's index.

        A larger array is written from its own memory. One of equal elements is stored as one element.
        """
        number = self._elements_type(type)
        begin = varint(AttributeCode.DENSE_ELEMENTS) + varint(number)
        small = values.nbytes <= SPLAT
        if small and values.size > 1 and _is_splat(values):
            values = values.reshape(-1)[:1]
            if type.dtype is DType.BOOL:  # one bit in a byte would be one element of several
                content = begin + varint(1) + (b"\xff" if values[0] else b"\0")
                return self._attribute(_Row(self.dialect(BUILTIN), True, (content,)))
        values = np.ascontiguousarray(values, type.dtype.numpy)
        elements = ElementContent(values, type.dtype)
        begin += varint(elements.size)
        if small:
            content = begin + b"".join(map(bytes, elements.pieces()))
            return self._attribute(_Row(self.dialect(BUILTIN), True, (content,)))

        def add() -> int:
            """Adds the elements as a new attribute."""
            self.attributes.append(_Row(self.dialect(BUILTIN), True, (begin, elements)))
            return len(self.attributes) - 1

        return self._shared.number(values.reshape(-1).view(np.uint8), add, kind=type)

    # ** locations **

    def location(self, text: str, names: Sequence[str] = ()) -> int:
        """Returns the number of a location: a text, "" for an unknown one, and the names of results."""
        place = self._builtin(AttributeCode.UNKNOWN_LOCATION)
        if text:
            place = self._builtin(AttributeCode.NAME_LOCATION, varint(self.string_attribute(text)) + varint(place))
        if not any(names):
            return place
        metadata = self.array([self.string_attribute(name) for name in names])
        return self._builtin(AttributeCode.FUSED_LOCATION_WITH_METADATA, numbers([place]) + varint(metadata))

    # ** sections **

    def string_section(self) -> Part:
        """Returns the content of the section of strings: the sizes, from the last one to the first, and the bytes."""
        sizes = [varint(len(text) + 1) for text in reversed(self.strings)]
        part = Part(varint(len(sizes)) + b"".join(sizes))
        for text in self.strings:
            part.add(text + b"\0")
        return part

    def dialect_section(self) -> Part:
        """Returns the content of the section of dialects and of the operators' names."""
        part = Part(varint(len(self.dialects)))
        for name in self.dialects:
            part.add(number_with_flag(self.string(name), False))
        part.add(varint(len(self.op_names)))
        names = [name.partition(".") for name in self.op_names]
        rows = [(self.dialects[dialect], varint(self.string(base))) for dialect, _, base in names]
        part.add(_groups(rows))
        return part

    def attribute_sections(self) -> tuple[Part, Part]:
        """Returns the contents of two sections: the sizes of all attributes and types, and their bytes."""
        offsets = Part(varint(len(self.attributes)) + varint(len(self.types)))
        content = Part()
        for rows in (self.attributes, self.types):
            offsets.add(_groups([(row.dialect, number_with_flag(row.size, row.custom)) for row in rows]))
            for piece in (piece for row in rows for piece in row.contents):
                add: Callable[..., None] = content.add if isinstance(piece, bytes) else content.add_elements
                add(piece)
        return offsets, content


_FLOATS = {
    DType.FP16: TypeCode.F16,
    DType.BF16: TypeCode.BF16,
    DType.FP32: TypeCode.F32,
    DType.FP64: TypeCode.F64,
    DType.SHAPE: TypeCode.INDEX,
}


def _is_splat(values: Array) -> bool:
    """Returns whether all elements of an array have the same bytes."""
    flat = np.ascontiguousarray(values).reshape(-1)
    raw = flat.view(np.uint8).reshape(flat.size, -1)
    return bool((raw == raw[0]).all())


def _groups(rows: Sequence[tuple[int, bytes]]) -> bytes:
    """Returns items of dialects in their order: each run of one dialect behind its number and length."""
    content = bytearray()
    begin = 0
    while begin < len(rows):
        end = begin
        while end < len(rows) and rows[end][0] == rows[begin][0]:
            end += 1
        content += varint(rows[begin][0]) + varint(end - begin) + b"".join(item for _, item in rows[begin:end])
        begin = end
    return bytes(content)
