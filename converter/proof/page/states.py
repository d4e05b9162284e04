"""What a page shows of each operator in one word: whether it differs by itself, and if not, how it compares."""

from collections.abc import Sequence
from dataclasses import dataclass

from tosa_converter.errors import printable, shortened
from tosa_converter.proof.compare import SPREAD
from tosa_converter.proof.judgement import Judgement
from tosa_converter.proof.operators import UNSEEN, OperatorComparison, OperatorReport
from tosa_converter.schemas.opsets import base_name

LONGEST_NAME = 48  # of a tensor in a tooltip


@dataclass(frozen=True, slots=True)
class State:
    """How a result compares: a word for classes of the stylesheet, a sign, a text, and how bad it is."""

    word: str
    sign: str
    text: str
    badness: int


DIFFERS = State("differs", "✕", "differs by itself", 5)
INHERITS = State("inherits", "↓", "inherits a difference", 4)
NOT_COMPARED = State("unseen", "?", "not compared", 3)
CLOSE = State("close", "≈", "within its tolerance", 2)
EQUAL = State("equal", "=", "equal", 1)
PART = State("part", "·", "part of another result", 0)
STATES = (DIFFERS, INHERITS, NOT_COMPARED, CLOSE, EQUAL, PART)


def state_of(row: OperatorReport) -> State:
    """Returns how a result of an operator compares with the source's.

    DIFFERS if it differs on the source's own values, INHERITS if only the whole run differs, because of earlier
    operators. A result without a comparison is PART if a later result's covers it, and NOT_COMPARED if its value isn't
    known (UNSEEN). A difference within the source's own spread (SPREAD) is CLOSE.
    """
    if row.verdict is False:
        return DIFFERS
    if row.whole is None:
        return NOT_COMPARED if row.rule == UNSEEN else PART
    if not row.whole.verdict and row.rule != SPREAD:
        return INHERITS
    return CLOSE if row.whole.mismatches else EQUAL


def kind_of(name: str) -> str:
    """Returns the name of an operator in its own format, for a name with an opset: CONV_2D for tfl.conv_2d."""
    return base_name(name).upper()


def judgement_of(row: OperatorReport) -> Judgement | None:
    """Returns the judgement that the page shows of a result; None if the result isn't compared.

    That is the one on the source's own values if the operator differs there, else the one of the whole run.
    """
    return row.alone if row.verdict is False else row.whole


def relative(difference: Judgement | None) -> float:
    """Returns the largest difference as a part of the reference's largest element, 0 if nothing differs.

    If all of the reference is 0, it is the difference itself.
    """
    return (
        0.0
        if difference is None or not difference.mismatches
        else difference.max_abs / (difference.reference_max or 1.0)
    )


def row_ids(comparison: OperatorComparison, number: int) -> list[str]:
    """Returns the id of each row in the page: "r0-12" for the first result of operator 12, "r0-12.1" for its second."""
    ids: list[str] = []
    results: dict[int, int] = {}
    for row in comparison.operators:
        count = results[row.index] = results.get(row.index, -1) + 1
        ids.append(f"r{number}-{row.index}" + (f".{count}" if count else ""))
    return ids


def worst_rows(rows: Sequence[OperatorReport]) -> dict[int, OperatorReport]:
    """Returns for each operator, by its index, the row of its worst result."""
    worst: dict[int, OperatorReport] = {}
    for row in rows:
        if row.index not in worst or state_of(row).badness > state_of(worst[row.index]).badness:
            worst[row.index] = row
    return worst


def tooltip(row: OperatorReport) -> str:
    """Returns an operator, its result and how that compares, as a line of text."""
    difference = judgement_of(row)
    name = shortened(printable(row.tensor), LONGEST_NAME)
    parts = [f"{row.index} {kind_of(row.type)} {name}: {state_of(row).text}"]
    if difference is not None and difference.mismatches:
        share = f"{relative(difference):.3g} of the largest element"
        parts.append(f"{difference.mismatches} of {difference.elements} elements, by {difference.max_abs:.3g}, {share}")
    return "; ".join(parts)
