"""Sentences about judgements, for reports and messages."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tosa_converter.proof.judgement import Judgement
from tosa_converter.proof.operators import UNSEEN, OperatorReport

if TYPE_CHECKING:
    from tosa_converter.proof.compare import Comparison


def first_difference(rows: Sequence[OperatorReport], steps: int) -> str:
    """Returns a sentence about the first operator that differs, or about how many were compared if none does."""
    guilty = next((row for row in rows if row.verdict is False), None)
    if guilty is not None and guilty.alone is not None:
        inside = [row.type for row in rows if row.inside == guilty.tensor and row.index < guilty.index]
        more = f" (fused with {', '.join(dict.fromkeys(inside))})" if inside else ""
        step = f" in step {steps - 1}" if steps > 1 else ""
        element = _element_text(guilty.alone)
        return f"First difference at {placed(guilty)}{more}{step}: {element}, on the source's own values before it."
    parted = next((row for row in rows if row.whole is not None and not row.whole.verdict), None)
    if parted is not None and parted.whole is not None:
        alone = "alone, no operator differs by more than the tolerance or LiteRT's own kernels do"
        return f"First difference at {placed(parted)}: {_element_text(parted.whole)}; {alone}."
    counts = [sum(row.whole is not None for row in rows), sum(row.rule == UNSEEN for row in rows)]
    if rows and not counts[0]:
        return f"No operator is compared: of {len(rows)} results the conversion holds none in a way that can be."
    rest = len(rows) - sum(counts)
    unseen = f", {counts[1]} can't be" if counts[1] else ""
    return f"No operator differs: of {len(rows)} results {counts[0]} are compared, {rest} are parts of these{unseen}."


def placed(row: OperatorReport) -> str:
    """Returns an operator's number, type, result and location as text."""
    return f"operator {row.index}, {row.type} {row.tensor!r} ({row.location})"


def _element_text(judgement: Judgement) -> str:
    """Returns the first differing element, how many differ and by how much, as text."""
    return (
        f"element {list(judgement.first or ())} is {judgement.expected:.9g} in the source and {judgement.found:.9g} in "
        f"the conversion, {judgement.mismatches} of {judgement.elements} differ, by {judgement.max_abs:.3g} at most"
    )


def differing_outputs(comparison: "Comparison") -> list[str]:
    """Returns a line for each output of a comparison that differs."""
    return [
        f"{comparison.engine}, output {output.name!r}: {output.mismatches} of {output.elements} elements differ "
        f"by up to {output.max_abs:.4g}, allowed {output.tolerance:.4g}"
        for output in comparison.outputs
        if not output.verdict
    ]


def narrowed_difference(judgement: Judgement) -> str:
    """Returns how far an output computed in narrower floats is from fp32; integers are counted."""
    if judgement.ulp is None:
        count = f"{judgement.mismatches} of {judgement.elements} elements differ"
        return f"{count} from those in fp32 on random inputs"
    return (
        f"up to {judgement.max_abs:.3g} from fp32 on random inputs, whose largest value is "
        f"{judgement.reference_max:.3g}"
    )
