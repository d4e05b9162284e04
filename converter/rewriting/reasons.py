"""Results of rules: a reason to decline, new operators, and the attempts of a pass."""

import re
from typing import NamedTuple

from tosa_converter.ir import Op


class Decline(Exception):  # control flow of rules, not an error
    """A rule does not apply; the argument is the reason."""


class LoweringResult(NamedTuple):
    """The result of lowering one source operator: the operators that replace it, or why no rule accepts it."""

    location: str
    name: str
    operands: str  # their types
    new_ops: tuple[Op, ...] = ()  # with constants
    notes: tuple[str, ...] = ()
    reason: str = ""


class Attempts(NamedTuple):
    """The rules that one pass tried at one operator: those that declined with their reasons, and the accepted one.

    `accepted` is empty where every rule declined. `skipped` are rules that weren't tried, because of the operands'
    types or the numerics; `reason` is why none was tried.
    """

    pass_name: str
    location: str
    name: str
    operands: str  # their types
    accepted: str
    declined: tuple[tuple[str, str], ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    reason: str = ""


def place_of(location: str) -> str:
    """Returns the graph and number in the location of a source operator: "main:8" for "main:8 ADD 'sum'"."""
    match = re.match(r"(.*?:\d+)(?: |$)", location, re.DOTALL)
    return location if match is None else match[1]
