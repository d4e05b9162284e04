"""A verification as one page of HTML that needs nothing besides it, and an index of many."""

import datetime
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from tosa_converter.errors import MissingExtra, printable
from tosa_converter.formats.storage import FilePath, write_atomically
from tosa_converter.proof.page import plots
from tosa_converter.proof.page.facts import facts_of, judged, relative, seconds_by_kind
from tosa_converter.proof.report import Verification

# Beyond every ratio of two fp32 numbers, at most 3.4e38 / 1.4e-45 = 2.4e83, and finite, so that tables sort by it.
_MOST = 1e300


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
        "verdict": "equivalent" if figures.get("verdict") else "different",
        "good": figures.get("verdict", False),
        "mismatches": sum(output["mismatches"] for output in outputs),
        "elements": sum(output["elements"] for output in outputs),
        "worst": max(map(_worst_relative_error, outputs), default=0.0),
        "needs": figures.get("needs", ""),
    }
    return IndexRow(**{**figures_of_row, **columns})


def _worst_relative_error(output: Mapping[str, Any]) -> float:
    """Returns an output's largest difference as a part of its largest element, limited so that tables sort by it."""
    worst = output["max_abs"]
    return _MOST if worst is None else min(worst / (output["reference_max"] or 1.0), _MOST)


def write_page(path: FilePath, verification: Verification) -> int:
    """Writes a verification as one HTML page; returns its size in bytes.

    Raises:
        MissingExtra: what draws it is not installed.
        UsageError: the folder can't be written to.
    """
    facts = facts_of(verification)
    outputs = [output for comparison in verification.comparisons for output in comparison.outputs]
    tables = [comparison.operators for comparison in verification.operators]
    return _render(
        path,
        "page.html",
        name=os.path.basename(verification.file) or "a model",
        it=verification,
        facts=facts,
        judged=judged,
        histograms=[(output.name, _mark_safe(plots.histogram(output))) for output in outputs if output.histogram],
        errors=[_mark_safe(plots.error_by_operator(rows)) for rows in tables],
        worst=[max(rows, key=lambda row: relative(judged(row)), default=None) for rows in tables],
        times=[_mark_safe(plots.times(*seconds_by_kind(rows))) for rows in tables],
        counts=_mark_safe(plots.counts(facts.source_ops, facts.tosa_ops)),
    )


def write_index(path: FilePath, rows: Sequence[IndexRow]) -> int:
    """Writes the HTML index of many models, whose own pages are beside it; returns its size in bytes."""
    return _render(path, "index.html", rows=rows, bad=sum(not row.good for row in rows))


def _render(path: FilePath, template: str, **values: Any) -> int:
    """Writes a template, filled in with `values`, as an HTML file; returns its size in bytes."""
    try:
        import jinja2
    except ImportError:
        raise MissingExtra("a report", "report") from None
    loader = jinja2.FunctionLoader(lambda name: files(__name__).joinpath("templates", name).read_text("utf-8"))
    environment = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, finalize=_escape_invisible
    )
    date = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")
    text = environment.get_template(template).render(version=version("tosa-converter"), date=date, **values)
    return write_atomically(path, [text.encode("utf-8", "backslashreplace")])


def _escape_invisible(value: Any) -> Any:
    """Returns text with invisible characters escaped: marks of direction would reorder what stands around them."""
    return printable(value, None) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _mark_safe(markup: str) -> Any:
    """Returns SVG markup marked as safe, so that the template doesn't escape it."""
    from markupsafe import Markup

    return Markup(markup)
