"""Converts attributes as read to those of an operator's record, with one function per kind of attribute."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.formats.mlir.attributes import Attribute, Number, Symbol, Word
from tosa_converter.formats.mlir.dense import Dense, Resource, round_to_dtype
from tosa_converter.formats.mlir.element_bytes import Elements
from tosa_converter.formats.mlir.source import Source
from tosa_converter.formats.mlir.types import ELEMENT_TYPES
from tosa_converter.formats.mlir.writer import LEFT_OUT
from tosa_converter.ir import Array, TensorType
from tosa_converter.rules.types import ACCUMULATORS
from tosa_converter.schemas.mlir_bytecode import mlir_name
from tosa_converter.schemas.tosa_ops import CONSTANTS, Attr, Kind, OpDef
from tosa_converter.schemas.tosa_target import ENUMERATIONS

_ACC_TYPES = {dtype: name for name, dtype in ACCUMULATORS.items()}


class Properties:
    """Decodes the attributes of operators by their rows; resources are resolved at the end of the text."""

    def __init__(self, source: Source) -> None:
        """Prepares to interpret the attributes of a file's operators.

        `awaited` lists attributes whose elements (resources) stand at the end of an MLIR text.
        """
        self.source = source
        self.awaited: list[tuple[dict[str, Any], str, Resource]] = []  # the attributes of operators, and which one

    def read_attributes(
        self, row: OpDef, attributes: Mapping[str, Attribute], element: DType | None, at: int
    ) -> dict[str, Any]:
        """Returns an operator's attributes by name as Python values; optional ones that are absent are left out.

        Graphs are left out too, as they are regions of the operator. `row` tells the attributes' kinds and defaults.
        `element` is the element type of the operator's first operand, for attributes of that type (Kind.ELEMENT).
        Raises FormatError for a wrong value, or if an attribute is absent that is neither optional nor has a default.
        """
        values: dict[str, Any] = {}
        for attr in row.attributes:
            attribute = attributes.get(mlir_name(row, attr.name))
            if attribute is None:
                if attr.default is not None:
                    values[attr.name] = attr.default
                elif not (attr.optional or attr.kind is Kind.GRAPH):
                    raise self.source.wrong(at, f"{row.opcode} with attribute {attr.name!r}", "none")
            elif attr.size is None:
                values[attr.name] = self.elements(row, attr, attribute, values)
            else:
                values[attr.name] = self._decode_attribute(row, attr, attribute, element)
        return values

    def resolve(self, resources: Mapping[str, tuple[int, int]], dense: Dense) -> None:
        """Sets the elements of constants that are resources at the end of an MLIR text, once that has been read.

        `resources` has the span of each resource's string in the text by key. Constants of one resource and type share
        an array. Each counts against the budget for repeated elements, because writers may copy it for each.
        """
        arrays: dict[tuple[str, TensorType], Array] = {}
        for attributes, name, resource in self.awaited:
            span = resources.get(resource.key)
            if span is None:
                found_there = "elements left out of the text" if resource.key == LEFT_OUT else "none"
                raise self.source.wrong(resource.at, f"a section with resource {resource.key!r}", found_there)
            values = arrays.get((resource.key, resource.type))
            if values is None:
                values = dense.blob(dense.lexer.text[slice(*span)], resource.type, span[0])
                arrays[resource.key, resource.type] = values
            dense.spend(values, resource.at)
            attributes[name] = values

    def await_same(self, attributes: dict[str, Any], copied: dict[str, Any]) -> None:
        """Has the elements set in a copy of a constant's attributes too, if they are a resource that is awaited."""
        self.awaited += [
            (copied, name, resource) for name, resource in attributes.items() if isinstance(resource, Resource)
        ]

    def _value_error(self, row: OpDef, attr: Attr, expected: str, attribute: Attribute) -> Exception:
        """Returns the error for an attribute whose value isn't what its operator expects."""
        return self.source.wrong(attribute.at, f"{row.opcode}: {attr.name} as {expected}")

    def _decode_attribute(self, row: OpDef, attr: Attr, attribute: Attribute, element: DType | None) -> Any:
        """Returns the Python value of an attribute by its kind; raises FormatError for a value of another kind."""
        if attr.is_list:
            value, expected = _decode_integers(attribute.value), "array<i64: ...>"
        elif attr.kind is Kind.ELEMENT:
            value, expected = (
                _decode_scalar(attribute.value, element),
                f"a number of {element.value if element else 'any type'}",
            )
        else:
            read, expected = _KINDS[attr.kind]
            value = read(attr, attribute.value)
        if value is None:
            names = f" of {', '.join(ENUMERATIONS[attr.of])}" if attr.kind is Kind.ENUMERANT else ""
            raise self._value_error(row, attr, expected + names, attribute)
        return (
            self.source.decode_utf8(value, attribute.at)
            if attr.kind is Kind.STR and isinstance(value, bytes)
            else value
        )

    def elements(self, row: OpDef, attr: Attr, attribute: Attribute, values: dict[str, Any]) -> Any:
        """Returns the value of an attribute with elements: an array for a constant, a tuple for a shape or a list.

        A resource, whose elements the text defines later, is returned as it is; `awaited` notes where in `values` to
        set them. Raises FormatError for any other value.
        """
        value = attribute.value
        if isinstance(value, Resource):
            self.awaited.append((values, attr.name, value))
            return value
        if isinstance(value, Elements):
            is_shape = attr.kind is Kind.I32
            if is_shape and (value.type.dtype is not DType.SHAPE or value.type.rank != 1):
                raise self._value_error(row, attr, "elements of tensor<...xindex>", attribute)
            return tuple(value.values.tolist()) if is_shape and row not in CONSTANTS else value.values
        if attr.kind is Kind.ELEMENT or row in CONSTANTS or type(value) is not tuple:
            raise self._value_error(
                row, attr, "dense<...>" if attr.kind is Kind.ELEMENT else "a list of integers", attribute
            )
        return value


def elements_type(attribute: Attribute | None) -> TensorType | None:
    """Returns the tensor type that MLIR text states for a constant's elements; None for any other attribute."""
    value = None if attribute is None else attribute.value
    return value.type if isinstance(value, Elements | Resource) else None


def _decode_integers(value: Any) -> Any:
    """Returns the value of an attribute if it is a tuple of integers, else None."""
    return value if type(value) is tuple else None


def _decode_scalar(value: Any, element: DType | None) -> Any:
    """Returns a number of the operator's element type: an integer, a float with a point, or the bits of a float.

    It returns None for any other value, such as a float without a point. The bounds of booleans, which MLIR's CLAMP
    takes and TOSA's doesn't, are `true` and `false`.
    """
    if isinstance(value, bool) and element is DType.BOOL:
        return value
    if not isinstance(value, Number) or element is None or value.type is not element:
        return None
    bits, width = value.text.startswith("0x"), element.bits
    if element.is_float and bits and len(value.text) <= 2 + width // 4:
        # 0x3C00 is 1.0 of 16 bits: 2 + 16 // 4 characters hold the bits, so more are refused and none overflow.
        return np.array([int(value.text, 16)], f"u{width // 8}").view(element.numpy)[0].item()
    if element.is_float:
        return round_to_dtype(np.array([float(value.text)]), element)[0].item() if "." in value.text else None
    return _parse_integer(value.text, *((0, (1 << width) - 1) if element.numpy.kind == "u" else element.limits))


def _parse_integer(text: str, low: int, high: int) -> int | None:
    """Returns the integer in [low, high] that a decimal or hexadecimal text states; None for any other number."""
    # -9223372036854775808 has 20 characters, the most of any 64-bit number; int() of long texts is quadratic.
    if len(text) > 20 or "." in text:
        return None
    number = int(text, 16 if "x" in text else 10)
    return number if low <= number <= high else None


def _decode_i32(_attr: Attr, value: Any) -> Any:
    """Returns the value of an attribute as a 32-bit integer, or None if it isn't one."""
    return _parse_integer(value.text, *DType.I32.limits) if isinstance(value, Number) else None


def _decode_bool(_attr: Attr, value: Any) -> Any:
    """Returns the value of an attribute if it is a boolean, `true` or `1 : i1`, else None."""
    if isinstance(value, Number) and value.type is DType.BOOL:
        return {"0": False, "1": True}.get(value.text)
    return value if isinstance(value, bool) else None


def _decode_string(_attr: Attr, value: Any) -> Any:
    """Returns the value of an attribute if it is a string, or the name if it is a symbol, else None."""
    return value.name if isinstance(value, Symbol) else value if isinstance(value, bytes) else None


def _decode_bytes(_attr: Attr, value: Any) -> Any:
    """Returns the value of an attribute if it is a byte string, else None."""
    return value if isinstance(value, bytes) else None


def _decode_dtype(_attr: Attr, value: Any) -> Any:
    """Returns the element type that a word names, or None if it names none."""
    return ELEMENT_TYPES.get(value.text) if isinstance(value, Word) and not value.of else None


def _decode_enumerant(attr: Attr, value: Any) -> Any:
    """Returns the member of the attribute's enumeration that a word of MLIR text names; None for any other value.

    An `acc_type` (an accumulator's type) is stated as an element type, such as `i32`.
    """
    if not isinstance(value, Word) or value.of not in ("", attr.of):
        return None
    if attr.of == "acc_type":
        return _ACC_TYPES.get(ELEMENT_TYPES.get(value.text, DType.STRING))  # no accumulator is a string: None
    return value.text if value.text in ENUMERATIONS[attr.of] else None


_KINDS: dict[Kind, tuple[Callable[[Attr, Any], Any], str]] = {
    Kind.I32: (_decode_i32, "an integer of i32"),
    Kind.BOOL: (_decode_bool, "true or false"),
    Kind.STR: (_decode_string, "a string"),
    Kind.BYTES: (_decode_bytes, "a string"),
    Kind.DTYPE: (_decode_dtype, "an element type"),
    Kind.ENUMERANT: (_decode_enumerant, "one"),
}
