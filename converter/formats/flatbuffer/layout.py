"""Table classes of `schemas/` compiled to fields, for the reader and the writer."""

import re
import sys
from typing import Any, NamedTuple

import numpy as np

from tosa_converter.schemas import flat
from tosa_converter.schemas.enumeration import IntEnum
from tosa_converter.schemas.flat import Table

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
# Vectors that are read as views: numpy type and the alignment of the first element.
VIEWS: "dict[str, tuple[np.dtype[Any], int]]" = {
    "Blob": (np.dtype("u1"), 4),
    "Blob4": (np.dtype("u1"), 4),
    "Blob8": (np.dtype("u1"), 8),
    "Blob16": (np.dtype("u1"), 16),
    "ArrayI32": (np.dtype("<i4"), 4),
    "ArrayI64": (np.dtype("<i8"), 8),
    "ArrayU16": (np.dtype("<u2"), 4),
    "ArrayF32": (np.dtype("<f4"), 4),
}


class Field(NamedTuple):
    """A field of a flatbuffer table class: its vtable slot, its type and its default."""

    name: str
    id: int  # the number of its vtable slot; a union's tag has the slot, its offset the next one
    kind: str  # scalar, string, table, union, view, scalars, strings, tables
    code: str  # struct code of the bytes in the table: the scalar or an offset
    default: Any
    member: Any = None  # the table class, the union's members, the elements' struct code, the view's type
    enum: type[IntEnum] | None = None  # of a scalar or of scalars
    tags: "dict[type[Table], int] | None" = None  # of a union's members
    written_if_empty: bool = False

    @property
    def omits_default(self) -> bool | None:
        """Which values the writer omits: those equal to the default (True), empty ones (False), or neither kind (None).

        With None, it omits only the very object of the default.
        """
        if self.kind in ("scalar", "string"):
            return True
        return False if self.kind in ("scalars", "strings", "tables") and not self.written_if_empty else None


class Layout(NamedTuple):
    """The fields and vtable slots of a flatbuffer table class."""

    fields: tuple[Field, ...]
    slots: tuple[tuple[Field, bool] | None, ...]  # by vtable slot, whether it is a union's tag; None where deprecated
    presence: dict[str, tuple[int, Any, bool | None]]  # for the writer: the field's bit, default and `omits_default`


_layouts: dict[type[Table], Layout] = {}


def layout(cls: type[Table]) -> Layout:
    """Returns the compiled fields and vtable slots of a flatbuffer table class, cached by class."""
    compiled = _layouts.get(cls)
    if compiled is None:
        compiled = _layouts[cls] = _compile_table(cls)
    return compiled


def _compile_table(cls: type[Table]) -> Layout:
    """Compiles a flatbuffer table class: returns its fields and vtable slots, from its annotations."""
    fields: list[Field] = []
    slots: list[tuple[Field, bool] | None] = []
    namespace = vars(sys.modules[cls.__module__])
    for name, annotation in flat.field_annotations(cls).items():
        if annotation == "Deprecated":
            slots.append(None)
            continue
        field = _compile_field(name, len(slots), annotation, getattr(cls, name), namespace)
        fields.append(field)
        # A union takes two slots: in Operator, whose `builtin_options` follow three fields, the tag has slot 3
        # and the offset slot 4, so `custom_options` has slot 5.
        slots += [(field, True), (field, False)] if field.kind == "union" else [(field, False)]
    presence = {field.name: (1 << i, field.default, field.omits_default) for i, field in enumerate(fields)}
    return Layout(tuple(fields), tuple(slots), presence)


def _compile_field(name: str, id: int, annotation: str, default: Any, namespace: dict[str, Any]) -> Field:
    """Returns a field of a flatbuffer table class from its annotation, such as `Vec[Tensor]`; `id` is its slot.

    `Vec` is a vector, `Kept` one that is written even if it is empty, and `OneOf` a union of the class's subclasses.
    """
    match = re.fullmatch(r"(?:(\w+)\[)?(\w+)\]?", annotation)
    if match is None:
        raise TypeError(f"field {name}: annotation {annotation!r} is not a row of a schema")
    outer, inner = match.groups()
    if outer == "Kept":
        return _compile_field(name, id, f"Vec[{inner}]", None, namespace)._replace(written_if_empty=True)
    if outer == "OneOf":
        members = tuple(namespace[inner].__subclasses__())
        # Tag 0 is NONE in every union of a flatbuffer, so members count from 1 in the order of the schema.
        tags = {member: tag for tag, member in enumerate(members, 1)}
        return Field(name, id, "union", "I", default, members, tags=tags)
    if inner in VIEWS:
        return Field(name, id, "view", "I", default, inner)
    many = "s" if outer == "Vec" else ""
    if inner == "Str":
        return Field(name, id, f"string{many}", "I", default)
    code = _scalar_code(inner, namespace)
    if code is None:
        return Field(name, id, f"table{many}", "I", default, namespace[inner])
    enum = None if inner in _SCALARS else namespace[inner]
    if many:
        return Field(name, id, "scalars", "I", default, code, enum)
    return Field(name, id, "scalar", code, default, enum=enum)


def _scalar_code(type_name: str, namespace: dict[str, Any]) -> str | None:
    """Returns the `struct` code of a number or enumeration by its type's name; None for a table."""
    if type_name in _SCALARS:
        return _SCALARS[type_name]
    return next((code for base, code in _ENUM_STORAGE.items() if issubclass(namespace[type_name], base)), None)
