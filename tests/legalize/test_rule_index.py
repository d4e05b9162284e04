"""The index of rules lists every module with rules, and the operators that they start from.

`INDEX=write python -m pytest tests/legalize/test_rule_index.py` writes legalize/rule_index.py anew, from the modules'
`RULES`.
"""

import ast
import os
import textwrap
from collections import Counter
from collections.abc import Iterable
from importlib import import_module

import pytest
from support.commands import ROOT

from tosa_converter.legalize import rule_index, rule_modules

FOLDER, PACKAGE = ROOT / "legalize", "tosa_converter.legalize."
WRITE = "INDEX=write python -m pytest tests/legalize/test_rule_index.py"
HEADER = f'''"""The operators that the rules of each module start from.

Written by `{WRITE}`, from the modules' `RULES`.
"""
'''


def assigns_rules(text: str) -> bool:
    """Returns whether a module assigns `RULES`."""
    statements = ast.parse(text).body
    targets = [target for node in statements if isinstance(node, ast.Assign) for target in node.targets]
    targets += [node.target for node in statements if isinstance(node, ast.AnnAssign)]
    return any(isinstance(target, ast.Name) and target.id == "RULES" for target in targets)


def modules_with_rules() -> set[str]:
    """Returns the modules of legalize/ that assign `RULES`, without the package's name."""
    paths = [path for path in FOLDER.rglob("*.py") if assigns_rules(path.read_text("utf-8"))]
    return {".".join(path.relative_to(FOLDER).with_suffix("").parts) for path in paths}


def roots_of(module: str) -> frozenset[str]:
    """Returns the operators that a module's rules start from."""
    return frozenset(root for rule in import_module(PACKAGE + module).RULES for root in rule.roots)


def written(modules: Iterable[str]) -> str:
    """Returns the text of legalize/rule_index.py, as ruff formats it."""
    lines = [HEADER, "ROOTS = {"]
    for module in sorted(modules):
        roots = " ".join(sorted(roots_of(module)))
        row = f'    "{module}": "{roots}",'
        if len(row) > 120:
            parts = textwrap.wrap(roots, 108, break_long_words=False, break_on_hyphens=False)
            pieces = [f'        "{part} "' for part in parts[:-1]] + [f'        "{parts[-1]}"']
            row = "\n".join([f'    "{module}": (', *pieces, "    ),"])
        lines.append(row)
    return "\n".join([*lines, "}", ""])


def unlisted(modules: set[str], listed: Iterable[str]) -> list[str]:
    """Returns what to do about each module that has rules and isn't listed, or is listed and has none."""
    counts = Counter(listed)
    place = "legalize/rule_modules.py"
    lines = [f"legalize.{name} has RULES: add it to {place}, then run {WRITE}" for name in modules - counts.keys()]
    lines += [f"legalize.{name} has no RULES: take it out of {place}" for name in counts.keys() - modules]
    lines += [f"legalize.{name} is listed {count} times in {place}" for name, count in counts.items() if count > 1]
    return sorted(lines)


def listed_modules() -> list[str]:
    return [family.module.removeprefix(PACKAGE) for family in rule_modules.ALL]


def test_every_module_with_rules_is_listed() -> None:
    assert not unlisted(modules_with_rules(), listed_modules())


def test_the_index_lists_the_operators_that_rules_start_from() -> None:
    path = FOLDER / "rule_index.py"
    text = written(modules_with_rules())
    if os.environ.get("INDEX") == "write":
        path.write_text(text, "utf-8")
    wrong = {name for name in modules_with_rules() if {*rule_index.ROOTS.get(name, "").split()} != roots_of(name)}
    assert path.read_text("utf-8") == text, f"the roots of {', '.join(sorted(wrong))} changed: run {WRITE}"


def test_the_index_is_quick_to_import() -> None:
    """Every conversion waits for this import: one assignment of names."""
    docstring, assignment = ast.parse((FOLDER / "rule_index.py").read_text("utf-8")).body
    assert isinstance(docstring, ast.Expr)
    assert isinstance(assignment, ast.Assign)
    assert {*map(type, ast.literal_eval(assignment.value).values())} == {str}


@pytest.mark.parametrize(
    ("modules", "listed", "message"),
    [
        ({"tflite.new"}, [], "legalize.tflite.new has RULES: add it to legalize/rule_modules.py, then run INDEX=write"),
        (set(), ["tflite.old"], "legalize.tflite.old has no RULES: take it out"),
        ({"tflite.pool"}, ["tflite.pool"] * 2, "legalize.tflite.pool is listed 2 times"),
    ],
)
def test_a_module_that_is_not_listed_is_named(modules: set[str], listed: list[str], message: str) -> None:
    (line,) = unlisted(modules, listed)
    assert line.startswith(message)


def test_rules_are_found_however_they_are_assigned() -> None:
    assert assigns_rules("RULES = ()")
    assert assigns_rules("RULES: tuple[Rule, ...] = ()")
    assert not assigns_rules("def f():\n    RULES = ()")
    assert not assigns_rules("# RULES = ()\nRULE = 1")
