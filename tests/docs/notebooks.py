"""Runs a notebook's cells in order and returns their outputs as a notebook stores them, without Jupyter."""

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

Output = dict[str, Any]


def read_notebook(path: Path) -> dict[str, Any]:
    """Returns a notebook's document."""
    document: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return document


def write_notebook(path: Path, document: dict[str, Any]) -> None:
    """Writes a notebook's document as Jupyter does: indented by one, each line of a text by itself."""
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", "utf-8")


def run_cells(document: dict[str, Any]) -> list[list[Output]]:
    """Returns the outputs of the code cells, run in order in one namespace."""
    names: dict[str, Any] = {}
    cells = [cell for cell in document["cells"] if cell["cell_type"] == "code"]
    return [run_cell("".join(cell["source"]), names, number) for number, cell in enumerate(cells, 1)]


def run_cell(source: str, names: dict[str, Any], number: int) -> list[Output]:
    """Runs a cell and returns what it prints, and its last expression as text and as HTML."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    place = f"cell {number}"
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, place, "exec"), names)
        value = eval(compile(ast.Expression(last.value), place, "eval"), names) if isinstance(last, ast.Expr) else None
    outputs: list[Output] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines(printed.getvalue())})
    if value is not None:
        data = {"text/html": lines(value._repr_html_()), "text/plain": lines(repr(value))}
        outputs.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return outputs


def lines(text: str) -> list[str]:
    """Returns a text's lines with their ends, as a notebook stores them."""
    return text.splitlines(keepends=True)
