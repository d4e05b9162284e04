"""A container and its members, as the readers of the formats return them."""

from collections.abc import Callable
from typing import NamedTuple

from tosa_converter.formats.storage import Bytes

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
