"""Equivalence in a project's own tests.

    from tosa_converter.testing import assert_equivalent

    def test_model():
        assert_equivalent("model.tflite", target="pro-int,ext-doubleround", runs=5)

As a plugin of pytest, by `addopts = "-p tosa_converter.testing"` in its settings, it has `--equivalence-report DIR`,
which keeps a page for each model that was compared, and an index. It isn't found by itself: pytest would rewrite the
assertions of the whole package for that.
"""

import json
import os
import re
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tosa_converter as tc
from tosa_converter.errors import printable
from tosa_converter.proof.page import IndexRow, index_row, write_index
from tosa_converter.proof.wording import differing_outputs

if TYPE_CHECKING:
    import pytest

_OPTION = "--equivalence-report"
_ROW = ".equivalence-row"  # the ending of what the index is made of
_LONGEST = 100  # characters of a model's name in that of its page
_folder: Path | None = None  # of the pages, while pytest runs with the option


def assert_equivalent(source: "tc.Model | tc.Source", **options: Any) -> tc.Verification:
    """Converts a model and compares both sides by `tosa_converter.verify`, whose report is returned.

    Args:
        source: a model, or what `load` takes.
        options: of `verify`.

    Raises:
        AssertionError: an output differs, or an operator where layers are compared; the message says where they part.
        ConverterError: as `verify`.
    """
    converted = not (options.get("partial") or options.get("written"))
    verification = tc.verify(source, **{"layers": _folder is not None and converted, **options})
    if _folder is not None:
        _keep(verification, _folder)
    if not verification.verdict:
        raise AssertionError("\n".join(map(printable, _differences(verification))))
    return verification


def _differences(verification: tc.Verification) -> list[str]:
    """Returns a line for each output that differs, the first operator that does, and broken precision clauses."""
    lines = [line for comparison in verification.comparisons for line in differing_outputs(comparison)]
    lines += [comparison.sentence for comparison in verification.operators or verification.later()]
    broken = [layer for layer in verification.layers if not layer.compliant]
    lines += [f"{layer.op} at {layer.location}: {layer.message}" for layer in broken]
    return [f"{verification.file or 'the model'} and its conversion differ", *(f"  {line}" for line in lines)]


def _keep(verification: tc.Verification, folder: Path) -> None:
    """Writes a verification's page and a file with its row of the index: tests may run in several processes."""
    stem = Path(verification.file).stem or "model"
    # 4 random bytes keep pages of pytest-xdist's workers apart: of 1000 pages of one name two are equal with a
    # probability of 1000**2 / 2 / 2**32 = 1.2e-4.
    name = f"{re.sub(r'[^A-Za-z0-9._-]+', '_', stem)[:_LONGEST]}-{os.urandom(4).hex()}"
    tc.write_report(verification, folder / f"{name}.html")
    row = index_row(verification.figures(), name=stem, page=f"{name}.html")
    (folder / f"{name}{_ROW}").write_text(json.dumps(asdict(row)), "utf-8")


# ** the plugin of pytest **


def pytest_addoption(parser: "pytest.Parser") -> None:
    """Adds the option --equivalence-report to pytest's command line."""
    parser.addoption(_OPTION, metavar="DIR", help="Keep a page for each model that assert_equivalent compares.")


def pytest_configure(config: "pytest.Config") -> None:
    """Creates the folder of --equivalence-report, and removes rows that an earlier session left there."""
    global _folder
    option = config.getoption(_OPTION)
    _folder = Path(option).absolute() if option else None
    if _folder is not None:
        _folder.mkdir(parents=True, exist_ok=True)
        if not hasattr(config, "workerinput"):
            _take_rows(_folder)  # a session that was killed leaves them


def pytest_sessionfinish(session: "pytest.Session") -> None:
    """Writes the index of pages, in the main process only: with pytest-xdist, workers don't."""
    if _folder is None or hasattr(session.config, "workerinput"):
        return
    rows = [IndexRow(**json.loads(text)) for text in _take_rows(_folder)]
    write_index(_folder / "index.html", sorted(rows, key=lambda row: (row.good, row.name)))


def _take_rows(folder: Path) -> list[str]:
    """Removes the files with rows of the index from a folder, and returns their texts."""
    paths = sorted(folder.glob(f"*{_ROW}"))
    texts = [path.read_text("utf-8") for path in paths]
    for path in paths:
        path.unlink()
    return texts
