"""Files that hold models as members: zip archives (.zip, .task) and LiteRT-LM's bundles (.litertlm).

A member is named behind its file, as in `model.task:TF_LITE_PREFILL_DECODE`. Nothing is unpacked to a folder: a stored
member is a view of the file, a compressed one is unpacked in memory.
"""

from typing import NamedTuple

from tosa_converter.errors import FormatError, UsageError, did_you_mean, list_names
from tosa_converter.formats.containers.members import Container, FindFormat
from tosa_converter.formats.storage import Bytes, split_member

ZIP_MAGICS = (b"PK\x03\x04", b"PK\x05\x06")
LITERTLM_MAGIC = b"LITE"  # of LITERTLM, which the reader compares as a whole
CONTAINER_MAGICS = (*ZIP_MAGICS, LITERTLM_MAGIC)


class Content(NamedTuple):
    """The bytes of a model, and those of its external buffers where the file around it has them."""

    data: Bytes
    weights: Bytes | None = None


def open_container(data: Bytes, file: str, find_format: FindFormat) -> Container | None:
    """Returns the members of a zip archive or a LiteRT-LM bundle; None for other files.

    `find_format` returns the format of a member, by its first bytes and name.

    Raises:
        FormatError: the file is malformed.
    """
    begin = bytes(data[:4])
    try:
        if begin in ZIP_MAGICS:
            from tosa_converter.formats.containers.zip import read_zip

            return read_zip(data, find_format)
        if begin == LITERTLM_MAGIC:
            from tosa_converter.formats.containers.litertlm import read_litertlm

            return read_litertlm(data, find_format)
    except FormatError as error:
        error.file = file
        raise
    return None


def read_member(container: Container, file: str) -> Content | None:
    """Returns the content of the member that a file's name names, or of the only model; None if there is no model.

    Raises:
        UsageError: there is no such member, or several models and none is named.
        FormatError: the member is malformed.
    """
    path, name = split_member(file)
    members = {member.name: member for member in container.members}
    models = container.models
    if name and name not in members:
        raise UsageError(
            f"{path}: no member is called {name!r}; there are {list_names(members)}{did_you_mean(name, members)}"
        )
    if not name and len(models) > 1:
        raise UsageError(
            f"{path or container.kind}: expected one model, found {len(models)}: {list_names(m.name for m in models)}",
            f"next: name one of them, as in {path or 'FILE'}:{models[0].name}",
        )
    if not name and not models:
        return None
    member = members[name] if name else models[0]
    try:
        return Content(member.read(), member.weights)
    except FormatError as error:
        error.file = file
        raise
