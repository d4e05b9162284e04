"""The notebook of the documentation: its cells run, give the stored outputs, and are on the site.

`PAGES=write python -m pytest tests/docs/test_notebooks.py` writes the outputs anew.
"""

import json
import os
import re
from pathlib import Path

import conf
import pytest
from support.commands import MODELS

from docs import pages
from docs.notebooks import read_notebook, run_cells, write_notebook

NOTEBOOK = pages.DOCS / "how-to" / "notebook.ipynb"


def test_the_stored_outputs_are_those_of_the_cells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    (tmp_path / "models").symlink_to(MODELS)
    monkeypatch.chdir(tmp_path)
    document = read_notebook(NOTEBOOK)
    outputs = run_cells(document)
    cells = [cell for cell in document["cells"] if cell["cell_type"] == "code"]
    if os.environ.get("PAGES") == "write":
        for number, (cell, cell_outputs) in enumerate(zip(cells, outputs, strict=True), 1):
            cell |= {"outputs": cell_outputs, "execution_count": number}
        write_notebook(NOTEBOOK, document)
        return
    for number, (cell, cell_outputs) in enumerate(zip(cells, outputs, strict=True), 1):
        stored, actual = (json.dumps(part, indent=1) for part in (cell["outputs"], cell_outputs))
        assert pages.matches(stored, actual), f"cell {number}:\n{actual}"
        assert cell["execution_count"] == number
        assert cell_outputs, f"cell {number} shows nothing"


def test_the_notebook_is_a_notebook() -> None:
    """Of format 4.5: the fields that readers need, and outputs without scripts, of a size to share."""
    document = read_notebook(NOTEBOOK)
    assert (document["nbformat"], document["nbformat_minor"]) == (4, 5)
    identifiers = [cell["id"] for cell in document["cells"]]
    assert len(set(identifiers)) == len(identifiers)
    assert all(re.fullmatch("[a-zA-Z0-9_-]{1,64}", name) for name in identifiers)
    for cell in document["cells"]:
        assert cell.keys() >= {"cell_type", "metadata", "source"}
        assert cell["cell_type"] == "markdown" or cell.keys() >= {"outputs", "execution_count"}
    text = NOTEBOOK.read_text("utf-8")
    assert "<script" not in text
    assert str(Path.home()) not in text
    assert len(text) < 200_000


def test_the_site_shows_every_cell_and_its_output() -> None:
    source = [(pages.DOCS / "how-to" / "notebook.md").read_text("utf-8")]
    conf.add_notebook(None, "how-to/notebook", source)
    for cell in read_notebook(NOTEBOOK)["cells"]:
        assert "".join(cell["source"]) in source[0]
        for output in cell.get("outputs", ()):
            shown = output["data"]["text/html"] if "data" in output else output["text"]
            assert "".join(shown) in source[0]
    before = list(source)
    conf.add_notebook(None, "how-to/python", source)
    assert source == before
