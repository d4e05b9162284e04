"""Settings of the documentation's site: `pip install -e '.[docs]' && sphinx-build -W --keep-going docs build/site`."""

import json
import re
from collections.abc import Iterator
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any

project = "tosa-converter"
author = "tosa-converter developers"
version = release = installed_version("tosa-converter")
extensions = ["myst_parser"]
myst_heading_anchors = 3  # headings down to this level can be linked to, as on a code host
exclude_patterns = ["generate.py"]
smartquotes = False  # they would turn the two dashes of an option into one
html_theme = "furo"
html_title = "tosa-converter"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False


def add_navigation(_app: Any, name: str, source: list[str]) -> None:
    """Adds the navigation tree to the index: a hidden toctree for the links of each of its sections."""
    if name == "index":
        for section in re.split(r"^## ", source[0], flags=re.MULTILINE)[1:]:
            caption, pages = section.splitlines()[0], re.findall(r"\]\((\S+\.md)\)", section)
            lines = ["", "```{toctree}", ":hidden:", f":caption: {caption}", "", *pages, "```", ""]
            source[0] += "\n".join(lines)


def add_notebook(_app: Any, name: str, source: list[str]) -> None:
    """Adds the cells of a page's notebook, `notebook.ipynb` beside `notebook.md`, with their stored outputs."""
    path = Path(__file__).parent / f"{name}.ipynb"
    if path.exists():
        cells = json.loads(path.read_text("utf-8"))["cells"]
        source[0] += "".join(f"\n{piece}\n" for cell in cells for piece in _cell_pieces(cell))


def _cell_pieces(cell: dict[str, Any]) -> Iterator[str]:
    """Yields the source of a notebook's cell and its outputs as Markdown."""
    text = "".join(cell["source"])
    yield text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```"
    for output in cell.get("outputs", ()):
        if "data" in output:
            yield f"```{{raw}} html\n{''.join(output['data']['text/html'])}\n```"
        else:
            yield f"```text\n{''.join(output['text'])}```"


def setup(app: Any) -> None:
    """Registers the hooks."""
    app.connect("source-read", add_navigation)
    app.connect("source-read", add_notebook)
