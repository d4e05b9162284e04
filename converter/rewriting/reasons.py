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
