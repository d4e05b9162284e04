"""ExecuTorch's files of data (flat_tensor.fbs, .ptd) as rows, and the header that stands inside of them."""

from __future__ import annotations

from tosa_converter.schemas.executorch import ScalarType
from tosa_converter.schemas.flat import I32, U8, U32, U64, Opt, Str, Table, Vec

IDENTIFIER = b"FT01"
VERSION = 0  # the newest that ExecuTorch 1.5 knows

# Behind the identifier (flat_tensor_header.h): identifier, size of the header, place and size of the flatbuffer,
# place and size of the segments.
HEADER_IDENTIFIER = b"FH01"
HEADER_PLACE = 8
HEADER = "<4sIQQQQ"


class TensorLayout(Table):
    scalar_type: ScalarType = ScalarType.BYTE
    sizes: Vec[I32] = ()
    dim_order: Vec[U8] = ()


class DataSegment(Table):
    offset: U64 = 0
    size: U64 = 0


class NamedData(Table):
    key: Str = ""
    segment_index: U32 = 0
    tensor_layout: Opt[TensorLayout] = None


class FlatTensor(Table):
    version: U32 = 0
    segments: Vec[DataSegment] = ()
    named_data: Vec[NamedData] = ()
