"""Sentences about judgements, for reports and messages."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tosa_converter.proof.judgement import Judgement
from tosa_converter.proof.operators import UNSEEN, OperatorReport
from tosa_converter.schemas.opsets import base_name

if TYPE_CHECKING:
    from tosa_converter.proof.compare import Comparison

# Engines that have a name of their own in sentences.
_TITLES = {
    "litert": "LiteRT",
    "litert-optimized": "LiteRT's optimized kernels",
    "litert-xnnpack": "LiteRT with XNNPACK",
    "tosa-reference-model": "TOSA's reference model",
    "executor": "the source",  # as a reference: it runs a source that is TOSA itself
    "executorch": "ExecuTorch",
    "iree": "IREE",
    "vulkan": "Vulkan",
}


def engine_title(name: str) -> str:
    """Returns what a sentence calls an engine that ran a source."""
    return _TITLES.get(name, name)


def first_difference(rows: Sequence[OperatorReport], steps: int) -> str:
    """Returns sentences about the first operator that differs, or about how many were compared if none does."""
    guilty = next((row for row in rows if row.verdict is False), None)
    if guilty is not None and guilty.alone is not None:
        fused = operators_inside(rows, guilty)
        more = f" (fused with {', '.join(fused)})" if fused else ""
        step = f" in step {steps - 1}" if steps > 1 else ""
        element = element_text(guilty.alone)
        head = f"First difference at {describe_operator(guilty)}{more}{step}"
        return f"{head}: {element}. Its inputs were the source's own values."
    parted = next((row for row in rows if row.whole is not None and not row.whole.verdict), None)
    if parted is not None and parted.whole is not None:
        first = describe_operator(parted)
        whole = f"In the whole run, results differ from {first} on: {element_text(parted.whole)}."
        return f"No operator differs by itself by more than rounding explains. {whole}"
    compared, unseen = sum(row.whole is not None for row in rows), sum(row.rule == UNSEEN for row in rows)
    if rows and not compared:
        return "No operator is compared: the conversion holds no result as a value of its own."
    parts = len(rows) - compared - unseen
    counts = [f"{compared} of {len(rows)} results are compared"]
    counts += [f"{parts} {'is a part' if parts == 1 else 'are parts'} of these"] if parts else []
    counts += [f"{unseen} can't be"] if unseen else []
    return f"No operator differs: {', '.join(counts)}."


def operators_inside(rows: Sequence[OperatorReport], row: OperatorReport) -> list[str]:
    """Returns the names of earlier operators that the conversion fuses with `row`, whose verdict is also theirs."""
    inside = [part for part in rows if part.inside == row.tensor and part.index < row.index]
    return list(dict.fromkeys(map(operator_name, inside)))


def operator_name(row: OperatorReport) -> str:
    """Returns the name of a row's operator in its own format: CONV_2D for tfl.conv_2d."""
    return base_name(row.type).upper()


def operator_place(row: OperatorReport) -> str:
    """Returns an operator's location, such as "main:11", without the name and tensor that may follow it."""
    return row.location.partition(f" {operator_name(row)} '")[0]


def describe_operator(row: OperatorReport) -> str:
    """Returns an operator's number, name, result and location as text."""
    return f"operator {row.index}, {operator_name(row)} {row.tensor!r} ({operator_place(row)})"


def element_text(judgement: Judgement) -> str:
    """Returns the first differing element, how many differ and by how much, as text."""
    return (
        f"element {list(judgement.first or ())} is {judgement.expected:.9g} in the source and {judgement.found:.9g} in "
        f"the conversion; {judgement.mismatches:,} of {judgement.elements:,} elements differ, by "
        f"{judgement.max_abs:.3g} at most"
    )


def differing_outputs(comparison: "Comparison") -> list[str]:
    """Returns a line for each output of a comparison that differs by more than its tolerance."""
    return [
        f"{comparison.engine}, output {output.name!r}: {output.mismatches} of {output.elements} elements differ "
        f"by up to {output.max_abs:.4g}, allowed {output.tolerance:.4g}"
        for output in comparison.outputs
        if not output.verdict
    ]


def narrowed_difference(judgement: Judgement) -> str:
    """Returns how far an output computed in narrower floats is from fp32, as text; for integers, how many differ."""
    if judgement.ulp is None:
        count = f"{judgement.mismatches} of {judgement.elements} elements differ"
        return f"{count} from those in fp32 on random inputs"
    return (
        f"up to {judgement.max_abs:.3g} from fp32 on random inputs, whose largest value is "
        f"{judgement.reference_max:.3g}"
    )
