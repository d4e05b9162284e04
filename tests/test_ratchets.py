"""Sizes that may only fall: functions and files, counted over the four packages.

The goals are: 99 of 100 functions have at most 30 lines without their docstrings, none has more than 60, and no file
has more than 450 lines unless it holds rows. What doesn't meet them yet is listed in `BOUNDS` with its size. A size
above its bound fails, and so does a lower one, until the bound follows by
`BURN_DOWN=write python -m pytest tests/test_ratchets.py`. Names that say nothing are counted in
tests/legalize/test_forms.py, in the same way.
"""

import ast
import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.bounds import is_burning_down, write_bounds
from support.commands import ROOT

# ** bounds, written by BURN_DOWN=write **
BOUNDS: dict[str, dict[str, int]] = {
    "99th percentile of functions": {},
    "functions": {
        "converter/api/comparing.py:verify": 87,
    },
    "files": {
        "converter/options.py": 468,
        "converter/proof/side_by_side.py": 589,
        "converter/proof/spread.py": 451,
        "converter/rewriting/passes/state.py": 472,
        "legalize/tflite/recurrent/integer_lstm.py": 486,
    },
}
# ** end of bounds **

PACKAGES = ("schemas", "converter", "legalize", "cli")
LARGEST_FUNCTION, LARGEST_PERCENTILE, LARGEST_FILE = 60, 30, 450
ROWS = ("schemas/", "legalize/rule_index.py")  # files that hold rows
WRITE = "BURN_DOWN=write python -m pytest tests/test_ratchets.py"


def function_sizes(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, int]]:
    """Yields the functions of a module, with their lines from `def` to the end, without their docstrings."""
    for node in ast.iter_child_nodes(tree):
        name = prefix
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{prefix}.{node.name}".strip(".")
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield name, lines_of(node) - docstring_lines(node)
        yield from function_sizes(node, name)


def lines_of(node: ast.stmt) -> int:
    """Returns how many lines a statement has."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def docstring_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Returns how many lines the docstring of a function has."""
    return 0 if ast.get_docstring(node, clean=False) is None else lines_of(node.body[0])


def percentile_99(sizes: list[int]) -> int:
    """Returns the smallest size that 99 of 100 sizes don't exceed."""
    return sorted(sizes)[math.ceil(0.99 * len(sizes)) - 1]


def measure() -> dict[str, dict[str, int]]:
    """Returns the sizes that don't meet the goals, by goal and place."""
    functions: dict[str, int] = {}
    files: dict[str, int] = {}
    for path in (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))):
        place, text = path.relative_to(ROOT).as_posix(), path.read_text("utf-8")
        files[place] = text.count("\n")
        functions |= {f"{place}:{name}": size for name, size in function_sizes(ast.parse(text))}
    percentile = percentile_99([*functions.values()])
    large_files = {place: n for place, n in files.items() if n > LARGEST_FILE and not place.startswith(ROWS)}
    return {
        "99th percentile of functions": {"lines": percentile} if percentile > LARGEST_PERCENTILE else {},
        "functions": {name: size for name, size in functions.items() if size > LARGEST_FUNCTION},
        "files": large_files,
    }


def changes(sizes: dict[str, int], bounds: dict[str, int]) -> list[str]:
    """Returns a line for each size that isn't its bound; a place without a bound must meet the goal."""
    lines = []
    for place in sorted({*sizes, *bounds}):
        size, bound = sizes.get(place, 0), bounds.get(place, 0)
        if size > bound:
            lines.append(f"{place}: expected {f'at most {bound} lines' if bound else 'the goal'}, found {size} lines")
        elif size < bound:
            lines.append(f"{place}: smaller than {bound} lines: lower the bound with {WRITE}")
    return lines


@pytest.fixture(scope="module")
def sizes() -> dict[str, dict[str, int]]:
    """The sizes, which are the new bounds with BURN_DOWN=write."""
    measured = measure()
    if is_burning_down():
        write_bounds(Path(__file__), measured)
        BOUNDS.update(measured)
    return measured


@pytest.mark.parametrize("goal", ["99th percentile of functions", "functions", "files"])
def test_sizes_only_fall(goal: str, sizes: dict[str, dict[str, int]]) -> None:
    assert not changes(sizes[goal], BOUNDS[goal])


def test_docstrings_do_not_count_and_inner_functions_do() -> None:
    text = 'class A:\n    def f(self):\n        """One.\n\n        Two."""\n        def g():\n            return 1\n'
    assert dict(function_sizes(ast.parse(text))) == {"A.f": 3, "A.f.g": 2}


def test_the_percentile_leaves_out_one_of_a_hundred() -> None:
    assert percentile_99([*range(1, 101)]) == 99
    assert percentile_99([5]) == 5


def test_a_size_above_and_below_its_bound_is_named() -> None:
    assert changes({"a": 3, "b": 1, "d": 2, "e": 7}, {"a": 2, "b": 4, "c": 1, "d": 2}) == [
        "a: expected at most 2 lines, found 3 lines",
        f"b: smaller than 4 lines: lower the bound with {WRITE}",
        f"c: smaller than 1 lines: lower the bound with {WRITE}",
        "e: expected the goal, found 7 lines",
    ]
