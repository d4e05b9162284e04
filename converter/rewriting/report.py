"""Notes and figures of a conversion, and its options."""

from collections import Counter
from typing import NamedTuple, TypeAlias

from tosa_converter.options import ConvertOptions
from tosa_converter.rules.target import Target

Options: TypeAlias = ConvertOptions


class Note(NamedTuple):
    """A deviation or an assumption at one operator that the user should know of."""

    location: str
    text: str


class Report:
    """The report of a conversion: notes of rules, figures, and each pass's name, seconds and number of operators."""

    __slots__ = ("needs", "notes", "passes", "seconds", "source_ops", "tosa_ops")

    def __init__(self) -> None:
        """Starts an empty report, which the passes of a conversion fill in."""
        self.source_ops: Counter[str] = Counter()  # operators by name
        self.tosa_ops: Counter[str] = Counter()
        self.needs = Target()
        self.notes: list[Note] = []
        self.passes: list[tuple[str, float, int]] = []  # name, seconds, operators afterwards
        self.seconds = 0.0
