"""One reader and one writer for every flatbuffer schema in `schemas/`.

* `layout` compiles the rows of a table class into fields.
* `checking` follows offsets in bytes from outside: each offset, vtable and length is compared with the buffer first.
* `reading` decodes tables out of a checked buffer. Byte and number vectors are views of it.
* `writing` encodes tables. Large vectors are pieces of their own, so weights are never copied.
* `columns` encodes a vector of many tables of one class at once.
"""

from tosa_converter.formats.flatbuffer.checking import EXPANSION
from tosa_converter.formats.flatbuffer.columns import Columns
from tosa_converter.formats.flatbuffer.layout import Field, layout
from tosa_converter.formats.flatbuffer.reading import Reader, read
from tosa_converter.formats.flatbuffer.writing import write
from tosa_converter.formats.storage import Bytes
from tosa_converter.schemas.flat import MAX_SIZE

__all__ = ["EXPANSION", "MAX_SIZE", "Bytes", "Columns", "Field", "Reader", "layout", "read", "write"]
