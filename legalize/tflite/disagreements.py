"""Notes for operators that get their definition, because LiteRT's kernels disagree about them."""

from tosa_converter.formats.tflite.kernels import find_disagreement
from tosa_converter.rewriting.match import Match


def note_disagreement(match: Match) -> None:
    """Adds a note to the report if LiteRT's own kernels disagree about an operator by more than rounding."""
    row = find_disagreement(match.op)
    if row is not None:
        match.note(row.note)
