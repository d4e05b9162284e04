"""Equivalence in a project's own tests.

    from tosa_converter.testing import assert_equivalent

    def test_model():
        assert_equivalent("model.tflite", target="pro-int,ext-doubleround", runs=5)

`tosa_converter.pytest_plugin` has it as a fixture, and keeps a page for each model that was compared. As this module's
own assertions are raised with their messages, PYTEST_DONT_REWRITE.
"""

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import tosa_converter as tc
from tosa_converter.errors import ConverterError, UsageError, printable
from tosa_converter.options import GROUPS, options_from, stated
from tosa_converter.proof.page import IndexRow, index_row, write_index
from tosa_converter.proof.page.refusals import write_refusal_page
from tosa_converter.proof.wording import differing_outputs

pytest_plugins = ["tosa_converter.pytest_plugin"]  # for `-p tosa_converter.testing`

_ROW = ".equivalence-row"  # the ending of what the index is made of
_LONGEST = 100  # characters of a model's name in that of its page
_MOST_LINES = 8  # of a failure
_NEXT = "next: "  # how a line begins that says what to do
_folder: Path | None = None  # of the pages, while pytest runs with the option


def assert_equivalent(source: "tc.Model | tc.Source", **options: Any) -> tc.Verification:
    """Converts a model and compares both sides by `tosa_converter.verify`, whose report is returned.

    While pytest writes pages (--equivalence-report), layers are compared by default and a page is written for the
    model, even if it can't be compared.

    Args:
        source: a model, or what `load` takes.
        options: of `verify`.

    Raises:
        AssertionError: an output differs, or an operator if layers are compared; the message names the first
            difference.
        ConverterError: as `verify`.
    """
    __tracebackhide__ = True  # in a failing test, pytest shows the test's own lines
    converted = not (options.get("partial") or options.get("written"))
    try:
        verification = tc.verify(source, **{"layers": _folder is not None and converted, **options})
    except ConverterError as error:
        if _folder is not None and not isinstance(error, UsageError):  # which says nothing about the model
            _keep_refusal(_name_of(source), error, options, _folder)
        raise error.with_traceback(None) from None
    if _folder is not None:
        _keep(verification, _folder)
    if not verification.verdict:
        raise AssertionError(failure_text(_differences(verification)))
    return verification


def _differences(verification: tc.Verification) -> list[str]:
    """Returns a headline, the first operator that differs, each output that does, and broken precision clauses.

    If operators weren't compared, `later` does that now.
    """
    source, result = ("", "") if verification.sides is None else (side.source for side in verification.sides)
    other = "its conversion" if result in ("", source) else result
    lines = [f"{verification.file or 'the model'} and {other} differ"]
    lines += [comparison.sentence for comparison in verification.operators or verification.later()]
    lines += [line for comparison in verification.comparisons for line in differing_outputs(comparison)]
    broken = [layer for layer in verification.layers if not layer.compliant]
    return lines + [f"{layer.op} at {layer.location}: {layer.message}" for layer in broken]


def failure_text(lines: Sequence[str]) -> str:
    """Returns the lines of a failure as one text: the first one, some details, and all that say what to do next.

    Of more than _MOST_LINES details, the others are only counted.
    """
    steps = [line for line in lines[1:] if line.startswith(_NEXT)]
    details = [line for line in lines[1:] if not line.startswith(_NEXT)]
    rest = len(details) - _MOST_LINES
    shown = [*lines[:1], *details[:_MOST_LINES], *([f"... {rest} more lines"] if rest > 0 else []), *steps]
    return "\n  ".join(map(printable, shown))


# ** pages **


def begin_pages(folder: Path, *, is_worker: bool) -> None:
    """Creates the folder that gets the pages, and removes rows that an earlier session left there.

    Args:
        folder: the same for all processes of a session.
        is_worker: the process is one of several, whose main process removes the rows.
    """
    global _folder
    _folder = folder
    folder.mkdir(parents=True, exist_ok=True)
    if not is_worker:
        _take_rows(folder)  # a session that was killed leaves them


def finish_pages() -> None:
    """Writes the index of the pages that all processes have written, models that differ first.

    Nothing is written if pages weren't asked for.
    """
    global _folder
    if _folder is not None:
        rows = [IndexRow(**json.loads(text)) for text in _take_rows(_folder)]
        write_index(_folder / "index.html", sorted(rows, key=lambda row: (row.good, row.name)))
    _folder = None


def _keep(verification: tc.Verification, folder: Path) -> None:
    """Writes a verification's page and a file with its row of the index: tests may run in several processes."""
    stem = Path(verification.file).stem or "model"
    page = _page_name(stem)
    tc.write_report(verification, folder / page)
    _write_row(index_row(verification.figures(), name=stem, page=page), folder)


def _keep_refusal(file: str, error: ConverterError, options: Mapping[str, Any], folder: Path) -> None:
    """Writes the page of a model that can't be compared, and a file with its row of the index."""
    stem = Path(file).stem or "model"
    page = _page_name(stem)
    lines: Sequence[str] = error.lines
    chosen = stated(*(options_from(group, options) for group in GROUPS))
    write_refusal_page(folder / page, file, lines, options=chosen)
    _write_row(index_row({}, name=stem, page=page, verdict=f"refused; {printable(lines[0])}"), folder)


def _name_of(source: "tc.Model | tc.Source") -> str:
    """Returns the path of a source; of bytes and of a model without a file it is empty."""
    path = source.source if isinstance(source, tc.Model) else source
    return os.fsdecode(path) if isinstance(path, str | os.PathLike) else ""


def _page_name(stem: str) -> str:
    """Returns the name of a new page's file."""
    # 4 random bytes keep pages of pytest-xdist's workers apart: of 1000 pages of one name two are equal with a
    # probability of 1000**2 / 2 / 2**32 = 1.2e-4.
    return f"{re.sub(r'[^A-Za-z0-9._-]+', '_', stem)[:_LONGEST]}-{os.urandom(4).hex()}.html"


def _write_row(row: IndexRow, folder: Path) -> None:
    """Writes a row of the index of pages as JSON beside its page, for the process that writes the index."""
    (folder / row.page).with_suffix(_ROW).write_text(json.dumps(asdict(row)), "utf-8")


def _take_rows(folder: Path) -> list[str]:
    """Removes the files with rows of the index of pages from a folder, and returns their JSON texts."""
    paths = sorted(folder.glob(f"*{_ROW}"))
    texts = [path.read_text("utf-8") for path in paths]
    for path in paths:
        path.unlink()
    return texts
