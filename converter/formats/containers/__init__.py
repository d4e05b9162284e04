"""Files that hold models as members: zip archives (.zip, .task) and LiteRT-LM's bundles (.litertlm).

A member is named behind its file, as in `model.task:TF_LITE_PREFILL_DECODE`. Nothing is unpacked to a folder: a stored
member is a view of the file, a compressed one is unpacked in memory.
"""

from collections.abc import Callable
from typing import NamedTuple

from tosa_converter.errors import FormatError, UsageError, did_you_mean, list_names
from tosa_converter.formats.storage import Bytes, split_member

ZIP_MAGICS = (b"PK\x03\x04", b"PK\x05\x06")
LITERTLM_MAGIC = b"LITE"  # of LITERTLM, which the reader compares as a whole
CONTAINER_MAGICS = (*ZIP_MAGICS, LITERTLM_MAGIC)
HEAD = 16  # bytes of a member that tell its format
FindFormat = Callable[[Bytes, str], str]  # from a member's first bytes and its name to a format's name, "" for none


class Member(NamedTuple):
    """A file within a container."""

    name: str
    format: str  # of a model, such as TFLite; "" for what is no model
    kind: str  # what the container says of it
    size: int  # bytes when read
    is_stored: bool  # as it is, so that it can be mapped
    read: Callable[[], Bytes]
    weights: Bytes | None = None  # a second member that holds the model's external buffers


class Container(NamedTuple):
    """A file that holds members."""

    kind: str
    members: tuple[Member, ...]

    @property
    def models(self) -> list[Member]:
        """The members that are models."""
        return [member for member in self.members if member.format]


class Content(NamedTuple):
    """The bytes of a model, and those of its external buffers where the file around it has them."""

    data: Bytes
    weights: Bytes | None = None


def open_container(data: Bytes, file: str, find_format: FindFormat) -> Container | None:
    """Returns the members of a zip archive or a LiteRT-LM bundle; None for other files.

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
