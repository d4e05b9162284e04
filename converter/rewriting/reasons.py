"""Results of rules: a reason to decline, new operators, and the attempts of a pass."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from tosa_converter.ir import Op


class Decline(Exception):  # control flow of rules, not an error
    """Raised by a rule that doesn't apply to an operator; the argument is the reason."""


class LoweringResult(NamedTuple):
    """The result of lowering one source operator: the operators that replace it, or the reason of its refusal.

    Attributes:
        location: the source operator's location.
        name: its name.
        operands: the types of its operands.
        new_ops: the operators that replace it, with their constants.
        notes: texts of the notes about it.
        reason: why no rule accepts it; empty if one does.
    """

    location: str
    name: str
    operands: str
    new_ops: tuple[Op, ...] = ()
    notes: tuple[str, ...] = ()
    reason: str = ""


def unique_results(results: Sequence[LoweringResult]) -> list[LoweringResult]:
    """Returns one result for each operator: a refusal if there is one, else the result with the most new operators.

    A loop's body or a shared graph may be translated several times. Operators of an operator's regions have results of
    their own, and aren't counted as its new operators.
    """
    best: dict[tuple[str, str, int], LoweringResult] = {}
    reported: set[Op] = set()
    for i, result in enumerate(results):
        new_ops = tuple(op for op in result.new_ops if op not in reported)
        reported.update(new_ops)
        key = (result.location, result.name, -1 if result.location else i)  # without a location each is its own
        # A refusal has a larger weight than any conversion, as True is above False; among conversions the longer one
        # wins.
        weight = (bool(result.reason), len(new_ops))
        if key not in best or weight > (bool(best[key].reason), len(best[key].new_ops)):
            best[key] = result._replace(new_ops=new_ops)
    return list(best.values())


class Attempts(NamedTuple):
    """The rules that one pass tried at one operator.

    Attributes:
        pass_name: the name of the pass.
        location: the operator's location.
        name: its name.
        operands: the types of its operands.
        accepted: the name of the rule that accepted it; empty if every rule declined.
        declined: the rules that declined, with their reasons.
        skipped: the rules that weren't tried because of the operands' types or the numerics, with reasons.
        reason: why no rule was tried; empty if one was.
    """

    pass_name: str
    location: str
    name: str
    operands: str
    accepted: str
    declined: tuple[tuple[str, str], ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    reason: str = ""


def graph_and_number(location: str) -> str:
    """Returns the graph and number of a source operator from its location: "main:8" for "main:8 ADD 'sum'"."""
    match = re.match(r"(.*?:\d+)(?: |$)", location, re.DOTALL)
    return location if match is None else match[1]
