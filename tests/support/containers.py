"""Containers and files of data that tests damage: zip archives, LiteRT-LM bundles, ExecuTorch's data."""

import io
import struct
import zipfile
from collections.abc import Mapping, Sequence

from tosa_converter.formats import flatbuffer
from tosa_converter.schemas import flat_tensor, litertlm


def zip_of(members: Mapping[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    """Returns a zip archive as Python's standard library writes it."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, compress_type=method)
    return content.getvalue()


def section(kind: int, model_type: str = "") -> litertlm.SectionObject:
    """Returns a section of a LiteRT-LM bundle without a place."""
    pair = litertlm.KeyValuePair(
        key=litertlm.MODEL_TYPE, value=litertlm.StringValue(value=f"{litertlm.TYPE_PREFIX}{model_type}")
    )
    return litertlm.SectionObject(items=(pair,) if model_type else (), data_type=kind)


def litertlm_of(sections: Sequence[tuple[litertlm.SectionObject, bytes]], align: int = 64) -> bytes:
    """Returns a LiteRT-LM bundle; sections begin at multiples of `align`."""

    def table() -> bytes:
        objects = tuple(row for row, _ in sections)
        entry = litertlm.KeyValuePair(key="uuid", value=litertlm.StringValue(value="0"))
        root = litertlm.LiteRTLMMetaData(
            system_metadata=litertlm.SystemMetadata(entries=(entry,)),
            section_metadata=litertlm.SectionMetadata(objects=objects),
        )
        return b"".join(map(bytes, flatbuffer.write(root, b"")))

    for row, _ in sections:
        row.begin_offset = row.end_offset = 1  # a default would take no place in the table
    head = struct.calcsize(litertlm.HEADER)
    end = head + len(table())
    content = b""
    start = -(-end // align) * align
    for row, data in sections:
        content += bytes(-len(content) % align)
        row.begin_offset = start + len(content)
        content += data
        row.end_offset = start + len(content)
    header = struct.pack(litertlm.HEADER, litertlm.MAGIC, litertlm.VERSION, 7, 0, 0, end)
    return (header + table()).ljust(start, b"\0") + content


def ptd_of(data: Mapping[str, bytes], align: int = 16) -> bytes:
    """Returns a file of ExecuTorch's data, with a segment for each name."""
    segments, content = [], b""
    for values in data.values():
        content += bytes(-len(content) % align)
        segments.append(flat_tensor.DataSegment(offset=len(content), size=len(values)))
        content += values
    names = tuple(flat_tensor.NamedData(key=key, segment_index=i) for i, key in enumerate(data))
    root = flat_tensor.FlatTensor(segments=tuple(segments), named_data=names)
    table = b"".join(map(bytes, flatbuffer.write(root, flat_tensor.IDENTIFIER)))
    size = struct.calcsize(flat_tensor.HEADER)
    room = -(-size // 16) * 16  # what stands between the identifier and the rest moves the root by as much
    (place,) = struct.unpack_from("<I", table)
    begin = -(-(len(table) + room) // align) * align
    header = struct.pack(flat_tensor.HEADER, flat_tensor.HEADER_IDENTIFIER, size, room, len(table), begin, len(content))
    moved = struct.pack("<I", place + room) + table[4:8] + header.ljust(room, b"\0") + table[8:]
    return moved.ljust(begin, b"\0") + content
