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

_MOST = 1e300


@dataclass(frozen=True, slots=True)
class IndexRow:
    """One model of an index; `page` is its own, beside the index, empty where there is none."""

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
    """The row of a verification's figures, as far as there are any; what is given has precedence."""
    outputs = [output for comparison in figures.get("comparisons", ()) for output in comparison["outputs"]]
    figures_of_row = {
        "kind": figures.get("numerics", ""),
        "verdict": "equivalent" if figures.get("verdict") else "different",
        "good": figures.get("verdict", False),
        "mismatches": sum(output["mismatches"] for output in outputs),
        "elements": sum(output["elements"] for output in outputs),
        "worst": max(map(_worst, outputs), default=0.0),
        "needs": figures.get("needs", ""),
    }
    return IndexRow(**{**figures_of_row, **columns})


def _worst(output: Mapping[str, Any]) -> float:
    """The largest difference as a part of the largest element; no number beyond what tables sort by."""
    worst = output["max_abs"]
    return _MOST if worst is None else min(worst / (output["reference_max"] or 1.0), _MOST)


def write_page(path: FilePath, verification: Verification) -> int:
    """Write the page of a model; returns its size in bytes.

    Raises:
        MissingExtra: what draws it is not installed.
        UsageError: the folder can't be written to.
    """
    facts = facts_of(verification)
    outputs = [output for comparison in verification.comparisons for output in comparison.outputs]
    tables = [comparison.operators for comparison in verification.operators]
    return _write(
        path,
        "page.html",
        name=os.path.basename(verification.file) or "a model",
        it=verification,
        facts=facts,
        judged=judged,
        histograms=[(output.name, _safe(plots.histogram(output))) for output in outputs if output.histogram],
        errors=[_safe(plots.error_by_operator(rows)) for rows in tables],
        worst=[max(rows, key=lambda row: relative(judged(row)), default=None) for rows in tables],
        times=[_safe(plots.times(*seconds_by_kind(rows))) for rows in tables],
        counts=_safe(plots.counts(facts.source_ops, facts.tosa_ops)),
    )


def write_index(path: FilePath, rows: Sequence[IndexRow]) -> int:
    """Write the page of many models, whose own pages are beside it; returns its size in bytes."""
    return _write(path, "index.html", rows=rows, bad=sum(not row.good for row in rows))


def _write(path: FilePath, template: str, **values: Any) -> int:
    try:
        import jinja2
    except ImportError:
        raise MissingExtra("a report", "report") from None
    loader = jinja2.FunctionLoader(lambda name: files(__name__).joinpath("templates", name).read_text("utf-8"))
    environment = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, finalize=_visible
    )
    date = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")
    text = environment.get_template(template).render(version=version("tosa-converter"), date=date, **values)
    return write_atomically(path, [text.encode("utf-8", "backslashreplace")])


def _visible(value: Any) -> Any:
    """Text as characters that can be seen: marks of direction would turn what stands around them."""
    return printable(value, None) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _safe(markup: str) -> Any:
    from markupsafe import Markup

    return Markup(markup)
