"""The reader of LiteRT-LM's bundles (.litertlm): models, their weights, tokenizers and metadata as sections."""

import struct
from collections.abc import Iterator
from functools import partial

from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.formats import flatbuffer
from tosa_converter.formats.containers.members import HEAD, Container, FindFormat, Member
from tosa_converter.formats.storage import Bytes
from tosa_converter.formats.xnnpack.values import check_spans
from tosa_converter.ir import unique_names
from tosa_converter.schemas import litertlm


def read_litertlm(data: Bytes, find_format: FindFormat) -> Container:
    """Returns the sections of a LiteRT-LM bundle.

    A model is called what its `model_type` says without the prefix, such as `prefill_decode`, and its weights
    `prefill_decode.weights`; other sections are called by their kind.

    Raises:
        FormatError: malformed bytes, or sections that overlap or lie outside of the file.
        UnsupportedError: a later version of the format.
    """
    table_end = _check_header(data)
    size = struct.calcsize(litertlm.HEADER)
    try:
        root = flatbuffer.read(litertlm.LiteRTLMMetaData, memoryview(data)[size:table_end], b"")
    except FormatError as error:
        error.offset = None if error.offset is None else error.offset + size
        raise
    sections = () if root.section_metadata is None else root.section_metadata.objects
    for i, section in enumerate(sections):
        if section.end_offset < section.begin_offset:
            message = f"expected an end behind byte {section.begin_offset}, found byte {section.end_offset}"
            raise FormatError(message, path=f"SectionMetadata.objects[{i}]")
    spans = [(0, table_end), *((s.begin_offset, s.end_offset - s.begin_offset) for s in sections)]
    if len({span for span in spans if span[1]}) != sum(1 for span in spans if span[1]):
        raise FormatError("expected each section to have its own bytes, found two alike", path="SectionMetadata")
    check_spans(spans, len(data), "SectionMetadata.objects")
    return Container("a LiteRT-LM bundle", tuple(_members(data, sections, find_format)))


def _check_header(data: Bytes) -> int:
    """Returns the end of the table of sections; raises unless this is a header of a version that is known."""
    size = struct.calcsize(litertlm.HEADER)
    if len(data) < size:
        raise FormatError(f"expected a header of {size} bytes, found {len(data)}")
    magic, major, minor, patch, _, end = struct.unpack_from(litertlm.HEADER, data)
    if magic != litertlm.MAGIC:
        raise FormatError(f"expected {litertlm.MAGIC!r}, found {magic!r}", offset=0)
    if major != litertlm.VERSION:
        version = f"{major}.{minor}.{patch}"
        raise UnsupportedError(f"expected a LiteRT-LM bundle of version {litertlm.VERSION}, found {version}")
    if not size < end <= min(len(data), litertlm.LONGEST_TABLE):
        limit = min(len(data), litertlm.LONGEST_TABLE)
        raise FormatError(f"expected the end of the table of sections within {limit} bytes, found {end}", offset=24)
    return int(end)


def _members(data: Bytes, sections: tuple[litertlm.SectionObject, ...], find_format: FindFormat) -> Iterator[Member]:
    """Yields a member for each section; a model has the weights of the same model type beside it."""
    view = memoryview(data)
    contents = [view[section.begin_offset : section.end_offset] for section in sections]
    types = [_model_type(section) for section in sections]
    weights = {
        type: content
        for section, type, content in zip(sections, types, contents, strict=True)
        if section.data_type == litertlm.TFLITE_WEIGHTS
    }
    names = unique_names(_section_name(section, type) for section, type in zip(sections, types, strict=True))
    for section, type, name, content in zip(sections, types, names, contents, strict=True):
        is_model = section.data_type == litertlm.TFLITE_MODEL
        kind = litertlm.KINDS.get(section.data_type, f"section of kind {section.data_type}")
        format = find_format(content[:HEAD], f"{name}.tflite") if is_model else ""
        yield Member(
            name,
            format,
            kind,
            len(content),
            is_stored=True,
            read=partial(_stored_bytes, content),
            weights=weights.get(type) if is_model else None,
        )


def _stored_bytes(content: memoryview) -> Bytes:
    """Returns a section's bytes as they are: the reader of a LiteRT-LM member, which is never compressed."""
    return content


def _section_name(section: litertlm.SectionObject, model_type: str) -> str:
    """Returns the name of a section: of a model its type, of others the type with `.weights` or the section's kind.

    Without a model type, it is the kind alone.
    """
    kind = litertlm.KINDS.get(section.data_type, f"section_{section.data_type}")
    if not model_type:
        return kind
    if section.data_type == litertlm.TFLITE_MODEL:
        return model_type
    return f"{model_type}.{'weights' if section.data_type == litertlm.TFLITE_WEIGHTS else kind}"


def _model_type(section: litertlm.SectionObject) -> str:
    """Returns what a section says that its model is for, such as prefill_decode; "" if it says nothing."""
    for item in section.items:
        if item.key == litertlm.MODEL_TYPE and isinstance(item.value, litertlm.StringValue):
            return item.value.value.removeprefix(litertlm.TYPE_PREFIX)
    return ""
