"""The members of a container as a report: names, sizes, formats, and the signatures of TFLite models."""

from dataclasses import asdict, dataclass
from typing import Any

from tosa_converter.errors import FormatError
from tosa_converter.formats import find_container, flatbuffer
from tosa_converter.formats.containers.members import Member
from tosa_converter.formats.storage import WHOLE, Bytes, split_member
from tosa_converter.schemas import tflite


@dataclass(frozen=True, slots=True)
class MemberInspection:
    """A file within a container; `format` is that of a model, "" for other content."""

    name: str
    bytes: int
    kind: str  # what the container says of it: stored, compressed, encrypted, or the kind of a section
    format: str = ""
    signatures: tuple[str, ...] = ()
    weights: int = 0  # bytes of the model's external buffers in the container

    def figures(self) -> dict[str, Any]:
        """Returns the report as plain data, for JSON."""
        return asdict(self)


def list_members(data: Bytes, file: str) -> tuple[MemberInspection, ...]:
    """Returns the members of a container; () for another file, or if `file` names a member.

    Raises:
        FormatError: the container is malformed.
    """
    container = None if split_member(file)[1] else find_container(data, file)
    return () if container is None else tuple(map(_inspect_member, container.members))


def _inspect_member(member: Member) -> MemberInspection:
    """Returns the report of a member; a compressed model of 64 MB or more isn't unpacked for its signatures."""
    names: tuple[str, ...] = ()
    if member.format == "TFLite" and (member.is_stored or member.size < WHOLE):
        names = _signature_names(member)
    weights = 0 if member.weights is None else len(member.weights)
    return MemberInspection(member.name, member.size, member.kind, member.format, names, weights)


def _signature_names(member: Member) -> tuple[str, ...]:
    """Returns the names of a TFLite model's signatures; none of a malformed model, which a load will refuse."""
    try:
        root = flatbuffer.read(tflite.Model, member.read(), tflite.IDENTIFIER)
    except FormatError:
        return ()
    return tuple(definition.signature_key for definition in root.signature_defs)
