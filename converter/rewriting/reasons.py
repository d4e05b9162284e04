"""What a rule says of an operator: why it declines, or what it made."""

from typing import NamedTuple

from tosa_converter.ir import Op


class Decline(Exception):  # control flow of a rewrite that finds out late, not an error
    """A rewrite does not apply; the argument is the reason."""


class LoweringResult(NamedTuple):
    """What becomes of one source operator: the operators that a rewrite made of it, or why none takes it."""

    location: str
    name: str
    operands: str  # their types
    made: tuple[Op, ...] = ()  # constants among them
    notes: tuple[str, ...] = ()
    reason: str = ""


class Attempts(NamedTuple):
    """The rules that one pass tried at one operator: those that declined with their reasons, and the one that took it.

    `accepted` is empty where every rule declined.
    """

    pass_name: str
    location: str
    name: str
    operands: str  # their types
    accepted: str
    declined: tuple[tuple[str, str], ...]
