"""A verification as one page of HTML that needs nothing besides it, and an index of many."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tosa_converter.formats.storage import FilePath
from tosa_converter.proof.compare import DIFFERS, EQUAL, Comparison, OutputReport
from tosa_converter.proof.page import charts
from tosa_converter.proof.page.facts import facts_of
from tosa_converter.proof.page.provenance import command, provenance
from tosa_converter.proof.page.refusals import write_refusal_page as write_refusal_page
from tosa_converter.proof.page.rendering import mark_safe, render
from tosa_converter.proof.page.sections import sections_of
from tosa_converter.proof.report import Verification
from tosa_converter.proof.wording import engine_title

# Beyond every ratio of two fp32 numbers, at most 3.4e38 / 1.4e-45 = 2.4e83, and finite, so that tables sort by it.
_MOST = 1e300
MOST_HISTOGRAMS = 6  # of outputs


@dataclass(frozen=True, slots=True)
class IndexRow:
    """One model in the index of reports; `page` is the file of its own report beside the index, or empty."""

    name: str
    kind: str
    verdict: str
    good: bool
    mismatches: int = 0
    elements: int = 0
    worst: float = 0.0  # the largest difference as a part of its output's largest element
    needs: str = ""
    seconds: float = 0.0
    page: str = ""


def index_row(figures: Mapping[str, Any], **columns: Any) -> IndexRow:
    """Returns a model's row of the index from its verification's figures; `columns` override them."""
    outputs = [output for comparison in figures.get("comparisons", ()) for output in comparison["outputs"]]
    figures_of_row = {
        "kind": figures.get("numerics", ""),
        "verdict": EQUAL if figures.get("verdict") else DIFFERS,
        "good": figures.get("verdict", False),
        "mismatches": sum(output["mismatches"] for output in outputs),
        "elements": sum(output["elements"] for output in outputs),
        "worst": max(map(_worst_relative_error, outputs), default=0.0),
        "needs": figures.get("needs", ""),
    }
    return IndexRow(**{**figures_of_row, **columns})


def _worst_relative_error(output: Mapping[str, Any]) -> float:
    """Returns an output's largest difference as a part of its largest element; `_MOST` at most, to sort tables by.

    A report as JSON has null for an infinite difference.
    """
    worst = output["max_abs"]
    return _MOST if worst is None else min(worst / (output["reference_max"] or 1.0), _MOST)


def write_page(path: FilePath, verification: Verification) -> int:
    """Writes a verification as one HTML page; returns its size in bytes.

    Raises:
        MissingExtra: the template library that draws it is not installed.
        UsageError: the folder can't be written to.
    """
    assert verification.sides is not None
    outputs = [
        Output(comparison, output, f"o{i}-{j}")
        for i, comparison in enumerate(verification.comparisons)
        for j, output in enumerate(comparison.outputs)
    ]
    sections = sections_of(verification.sides[0], verification.operators)
    name = os.path.basename(verification.file) or "a model"
    folder = f"{os.path.splitext(name)[0]}-difference"
    options = verification.options
    source, model = verification.sides
    files = [verification.file, *([model.source] if model.source != source.source else [])]
    # The page's command repeats the options. The user must add the input files, which aren't options.
    is_given = any(comparison.inputs == "given" for comparison in verification.comparisons)
    same_inputs = "; add the inputs of this run" if is_given else ""
    # Only a case, an operator cut out with its inputs, can be extracted.
    has_case = any(comparison.case is not None for comparison in verification.operators)
    return render(
        path,
        "page.html",
        name=name,
        verification=verification,
        reference=engine_title(verification.reference),
        facts=facts_of(verification),
        sections=sections,
        outputs=outputs,
        # Those that differ come first among the few that are drawn.
        drawn_outputs=sorted(
            (output for output in outputs if output.report.histogram), key=lambda output: output.report.verdict
        )[:MOST_HISTOGRAMS],
        wrong=[output for output in outputs if not output.report.verdict],
        same_inputs=same_inputs,
        provenance=provenance(verification.file, options),
        command=command("verify", *files, options=options),
        extract=command("verify", *files, options=options, more=("--extract", folder)) if has_case else "",
        mark_safe=mark_safe,
    )


class Output(NamedTuple):
    """An output of a comparison, with the id of its row in the page."""

    comparison: Comparison
    report: OutputReport
    id: str

    @property
    def histogram(self) -> str:
        """A chart of how large the differences of its elements are."""
        return charts.histogram(self.report)


def write_index(path: FilePath, rows: Sequence[IndexRow]) -> int:
    """Writes the HTML index of many models, whose own pages are beside it; returns its size in bytes.

    It counts the models by outcome, the part of a row's verdict before a semicolon.
    """
    outcomes = Counter(row.verdict.partition(";")[0] for row in rows)
    return render(path, "index.html", rows=rows, bad=sum(not row.good for row in rows), outcomes=outcomes.most_common())
