"""Imports between our own modules: no circles, and in functions only for reasons in docs/explanation/start-up.md.

`IMPORTS=write python -m pytest tests/test_imports.py` writes the modules into the page's table anew; reasons are
written by hand.
"""

import os
import re
from itertools import chain
from typing import NamedTuple

import pytest
from support.commands import ROOT
from support.source_modules import PACKAGE, circles, imports, modules

import tosa_converter as tc
from tosa_converter.cli.bare import COMMANDS
from tosa_converter.formats.table import FORMATS
from tosa_converter.legalize import rule_modules
from tosa_converter.legalize.invert.tflite.pipeline import PASSES as TO_TFLITE
from tosa_converter.legalize.invert.xnnpack.pipeline import PASSES as TO_XNN
from tosa_converter.legalize.pipelines import PIPELINES
from tosa_converter.rewriting.pipeline import LazyPass, Pass

WRITE = "IMPORTS=write python -m pytest tests/test_imports.py"
PAGE = ROOT / "docs" / "explanation" / "start-up.md"
FACADE = ""  # its name behind the package's
FILES = modules()


PASSES: tuple[tuple[str, tuple[Pass, ...]], ...] = (
    ("legalize.pipelines", tuple(chain.from_iterable(PIPELINES.values()))),
    ("legalize.invert.tflite.pipeline", TO_TFLITE),
    ("legalize.invert.xnnpack.pipeline", TO_XNN),
)


def relative(module: str) -> str:
    return module.removeprefix(f"{PACKAGE}.")


def by_name() -> dict[str, set[str]]:
    """Returns the modules that are imported by a name in a table, by the module that imports them."""
    functions = chain.from_iterable((row.read, row.write, row.save, row.recognize) for row in FORMATS)
    return {
        FACADE: {tc._PLACES.get(name, "errors") for name in tc.__all__},
        "formats": {f"formats.{function.partition(':')[0]}" for function in functions if function},
        "legalize.rule_modules": {relative(family.module) for family in rule_modules.ALL},
        "cli.app": {f"cli.{name}" for name in COMMANDS},
        **{name: {relative(step.module) for step in passes if isinstance(step, LazyPass)} for name, passes in PASSES},
    }


# Files that import other packages by name.
OTHER_PACKAGES = {"converter/pictures/server.py", "converter/proof/runner.py"}


def graph() -> dict[str, set[str]]:
    """Returns the modules that each module imports, in functions and by name too."""
    edges = {name: {imported.module for imported in imports(path, FILES)} - {name} for name, path in FILES.items()}
    for name, targets in by_name().items():
        edges[name] |= targets
    for name in edges:
        if name.startswith("legalize.custom."):  # as a user's plug-in, imported behind the facade
            edges[name].discard(FACADE)
    return edges


def test_no_modules_import_each_other() -> None:
    assert circles(graph()) == []


def test_names_in_tables_are_modules() -> None:
    assert set(chain.from_iterable(by_name().values())) <= FILES.keys()


def test_the_page_lists_every_import_by_name() -> None:
    """An import by a text would hide a circle, so the tables of names are read above."""
    calls = re.compile(r"\b(import_module|__import__)\(")
    files = {str(path.relative_to(ROOT)) for path in FILES.values() if calls.search(path.read_text("utf-8"))}
    table = PAGE.read_text("utf-8").partition("| file | table |")[2].partition("\n\n")[0]
    assert files - OTHER_PACKAGES == set(re.findall(r"^\| `(\S+\.py)` \|", table, re.MULTILINE))


@pytest.mark.parametrize(
    ("edges", "groups"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"a"}, "c": {"a"}}, [{"a", "b"}]),
        ({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"e", "a"}, "e": {"d"}}, [{"a", "b", "c"}, {"d", "e"}]),
    ],
)
def test_circles_are_found(edges: dict[str, set[str]], groups: list[set[str]]) -> None:
    assert circles(edges) == groups


# ** imports in functions **


class Row(NamedTuple):
    """A row of the page's table: a file, the modules that its functions import, and why these wait."""

    file: str
    modules: str
    reason: str


ROW = re.compile(r"^\| `(\S+\.py)` \| (.*?) \| (.*?) \|$", re.MULTILINE)
TABLE = re.compile(r"(?<=\| file \| modules \| why they wait \|\n\| --- \| --- \| --- \|\n).*?(?=\n\n)", re.DOTALL)


def waiting() -> dict[str, str]:
    """Returns the modules that functions import, by file as the page names it; the facade may import any."""
    names = {}
    for name, path in sorted(FILES.items()):
        targets = sorted({imported.module for imported in imports(path, FILES) if imported.in_function})
        if targets:
            listed = ", ".join(f"`{target or PACKAGE}`" for target in targets)
            names[str(path.relative_to(ROOT))] = "any" if name == FACADE else listed
    return dict(sorted(names.items()))


def page_rows() -> list[Row]:
    """Returns the rows of the page's table."""
    table = TABLE.search(PAGE.read_text("utf-8"))
    assert table is not None
    return [Row(*row) for row in ROW.findall(table[0])]


def test_the_page_lists_every_import_in_a_function() -> None:
    if os.environ.get("IMPORTS") == "write":
        reasons = {row.file: row.reason for row in page_rows()}
        lines = [f"| `{file}` | {names} | {reasons.get(file, '?')} |" for file, names in waiting().items()]
        PAGE.write_text(TABLE.sub(lambda _: "\n".join(lines), PAGE.read_text("utf-8"), count=1), "utf-8")
    listed = {row.file: row.modules for row in page_rows()}
    hint = f"import it at the top of the file; if start-up would pay for that, run {WRITE} and write the reason"
    assert listed == waiting(), hint
    assert not [row.file for row in page_rows() if len(row.reason.split()) < 3], f"write the reason in {PAGE.name}"
