"""The vocabulary in which flatbuffer schemas are written down as rows.

A table is a subclass of `Table`: its annotations are the fields in the order of their ids, its class values their
defaults. `converter/formats/flatbuffer` compiles reader and writer from the annotations, which are never evaluated
here.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, dataclass_transform

from tosa_converter.schemas.enumeration import IntEnum

if TYPE_CHECKING:
    import numpy as np

T = TypeVar("T")

MAX_SIZE = 0x7FFFFFFF  # bytes of a flatbuffer: its offsets have 32 bits, and the format's own tools stop at 2 GB

Bool: TypeAlias = bool
U8: TypeAlias = int
I8: TypeAlias = int
U16: TypeAlias = int
I16: TypeAlias = int
U32: TypeAlias = int
I32: TypeAlias = int
U64: TypeAlias = int
I64: TypeAlias = int
F32: TypeAlias = float
F64: TypeAlias = float
Str: TypeAlias = str

Vec: TypeAlias = tuple[T, ...]  # a vector, decoded to a tuple; scalars, strings or tables
Kept: TypeAlias = tuple[T, ...]  # a vector that is written even if it is empty, where it is given
Opt: TypeAlias = T | None  # a table that may be absent
OneOf: TypeAlias = T | None  # a union (its type takes the id before its value): T's subclasses, numbered as they stand
Deprecated: TypeAlias = None  # takes an id, is never read or written

# Vectors decoded to views of the file, with the width of the elements and the alignment of the first one.
ArrayI32: TypeAlias = "np.ndarray[Any, np.dtype[np.int32]]"
ArrayI64: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"
ArrayU16: TypeAlias = "np.ndarray[Any, np.dtype[np.uint16]]"
ArrayF32: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"
Blob: TypeAlias = "np.ndarray[Any, np.dtype[np.uint8]]"
Blob4: TypeAlias = Blob  # force_align: 4
Blob8: TypeAlias = Blob  # force_align: 8
Blob16: TypeAlias = Blob  # force_align: 16


class ByteEnum(IntEnum):
    """An enumeration stored as a signed byte."""


class ShortEnum(IntEnum):
    """An enumeration stored as a signed 16-bit integer."""


class IntEnum32(IntEnum):
    """An enumeration stored as a signed 32-bit integer."""


class UIntEnum32(IntEnum):
    """An enumeration stored as an unsigned 32-bit integer."""


@dataclass_transform(kw_only_default=True)
class Table:
    """One table of a flatbuffer; a field that is not given has its default."""

    def __init__(self, **fields: Any) -> None:
        """Creates a flatbuffer table with the given fields; the class attributes are the defaults of the others."""
        self.__dict__ = fields

    def fields(self) -> Mapping[str, Any]:
        """Returns every field's value by name, defaults included; deprecated fields are left out."""
        return {name: getattr(self, name) for name, row in field_annotations(type(self)).items() if row != "Deprecated"}

    def __repr__(self) -> str:
        """Returns the table with the fields that were given."""
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.__dict__.items())})"


_rows: dict[type[Table], Mapping[str, str]] = {}


def field_annotations(cls: type[Table]) -> Mapping[str, str]:
    """Returns the annotations of a table's fields by name, as text, from which readers and writers derive the layout.

    Fields of the tables that it extends come first.
    """
    annotations = _rows.get(cls)
    if annotations is None:
        bases = cls.__mro__[-3::-1]  # from the farthest base on, without `object` and Table at the end
        annotations = _rows[cls] = {name: str(row) for base in bases for name, row in base.__annotations__.items()}
    return annotations


class Unknown(Table):
    """A union member that the schema doesn't have; `tag` is its number. Format readers refuse it by name."""

    tag: U8 = 0
