"""Sizes that may only fall: functions and files, counted over the four packages.

The goals are: 99 of 100 functions have at most 30 lines without their docstrings, none has more than 60, and no file
has more than 450 lines unless it holds rows. What doesn't meet them yet is listed in `BOUNDS` with its size. A size
above its bound fails, and so does a lower one, until the bound follows by
`BURN_DOWN=write python -m pytest tests/test_ratchets.py`. Names that say nothing are counted in
tests/legalize/test_forms.py, in the same way.

A function's name is a verb phrase, or what the function returns. Functions that are named by a participle or an adverb
(`scaled`, `rounded_away`, `found`) are counted by package in the same way; the goal is fewer than 3 of 100.
"""

import ast
import math
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.bounds import is_burning_down, write_bounds
from support.commands import ROOT

# ** bounds, written by BURN_DOWN=write **
BOUNDS: dict[str, dict[str, int]] = {
    "99th percentile of functions": {},
    "functions": {},
    "files": {},
    "participles": {
        "cli": 1,
        "converter": 42,
        "legalize": 19,
        "schemas": 1,
    },
}
# ** end of bounds **

PACKAGES = ("schemas", "converter", "legalize", "cli")
LARGEST_FUNCTION, LARGEST_PERCENTILE, LARGEST_FILE = 60, 30, 450
ROWS = ("schemas/", "legalize/rule_index.py")  # files that hold rows
WRITE = "BURN_DOWN=write python -m pytest tests/test_ratchets.py"

# ** names of functions **


def word_set(text: str) -> frozenset[str]:
    """Returns the words of a text."""
    return frozenset(text.split())


PARTICIPLE = re.compile(r".{2,}(ed|ing|ly)")
IRREGULAR = word_set(
    "apart away begun bent born borne broken chosen done drawn fallen forth frozen found given gone here hidden kept "
    "lasting lost made meant met once otherwise paid ridden risen said seen sent shown spent spoken taken there "
    "together told twice undone worn written"
)
# Nouns and verbs that end as participles and adverbs do, and the field's adjectives.
NO_PARTICIPLES = word_set(
    "anything assembly beginning being casting ceiling crossing during embed encoding ending everything exceed family "
    "feed finding grouped indeed indexing listing loading mapping meaning multiply need nesting nothing opening "
    "ordering packing padding pooling proceed quantized reading reply rounding sampling scaling seed setting signed "
    "something spacing speed spelling string supply timing transposed unsigned warning wording writing"
)
OPERATORS = frozenset({"fully_connected"})
PREPOSITIONS = word_set(
    "across after against along around as at before behind below between beyond by down for from in inside into of off "
    "on out outside over per than through to under up with within without"
)
# Verbs that begin a name: `round_away`, `read_signed`.
VERBS = word_set(
    "add apply assert build call check clamp collect compare compute convert copy count cut decode declare divide "
    "double emit encode find format get install is join list load make mark measure merge move multiply note open "
    "parse print pull push put raise read record reduce refuse remove replace report require reshape resize resolve "
    "return round run scale select set shift show skip sort split start store sum take tell turn update use verify "
    "walk wrap write"
)
PREDICATES = word_set("are can has have is may must needs was were")


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


def is_named_by_participle(name: str) -> bool:
    """Returns whether a function's name ends with a participle or an adverb: `scaled`, `rounded_away`, `rows_padded`.

    What counts is the phrase before a preposition. Predicates such as `is_signed`, and verbs with an adverb such as
    `round_away`, are verb phrases.
    """
    words = name.strip("_").split("_")
    end = next((i for i, word in enumerate(words) if i and word in PREPOSITIONS), len(words))
    last = words[end - 1]
    if (
        name.strip("_") in OPERATORS
        or words[0] in PREDICATES
        or (end > 1 and words[0] in VERBS)
        or last in NO_PARTICIPLES
    ):
        return False
    return last in IRREGULAR or PARTICIPLE.fullmatch(last) is not None


def percentile_99(sizes: list[int]) -> int:
    """Returns the smallest size that 99 of 100 sizes don't exceed."""
    return sorted(sizes)[math.ceil(0.99 * len(sizes)) - 1]


def measure() -> dict[str, dict[str, int]]:
    """Returns the sizes that don't meet the goals, by goal and place."""
    functions: dict[str, int] = {}
    files: dict[str, int] = {}
    participles = dict.fromkeys(PACKAGES, 0)
    for path in (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))):
        place, text = path.relative_to(ROOT).as_posix(), path.read_text("utf-8")
        files[place] = text.count("\n")
        sizes = dict(function_sizes(ast.parse(text)))
        functions |= {f"{place}:{name}": size for name, size in sizes.items()}
        names = [name.rpartition(".")[2] for name in sizes]
        participles[place.partition("/")[0]] += sum(map(is_named_by_participle, names))
    percentile = percentile_99([*functions.values()])
    large_files = {place: n for place, n in files.items() if n > LARGEST_FILE and not place.startswith(ROWS)}
    return {
        "99th percentile of functions": {"lines": percentile} if percentile > LARGEST_PERCENTILE else {},
        "functions": {name: size for name, size in functions.items() if size > LARGEST_FUNCTION},
        "files": large_files,
        "participles": {package: count for package, count in participles.items() if count},
    }


def changes(sizes: dict[str, int], bounds: dict[str, int]) -> list[str]:
    """Returns a line for each size that isn't its bound; a place without a bound must meet the goal."""
    lines = []
    for place in sorted({*sizes, *bounds}):
        size, bound = sizes.get(place, 0), bounds.get(place, 0)
        if size > bound:
            lines.append(f"{place}: expected {f'at most {bound}' if bound else 'the goal'}, found {size}")
        elif size < bound:
            lines.append(f"{place}: expected {bound}, found {size}: lower the bound with {WRITE}")
    return lines


@pytest.fixture(scope="module")
def sizes() -> dict[str, dict[str, int]]:
    """Returns the sizes, which become the bounds with BURN_DOWN=write."""
    measured = measure()
    if is_burning_down():
        write_bounds(Path(__file__), measured)
        BOUNDS.update(measured)
    return measured


@pytest.mark.parametrize("goal", ["99th percentile of functions", "functions", "files", "participles"])
def test_sizes_only_fall(goal: str, sizes: dict[str, dict[str, int]]) -> None:
    assert not changes(sizes[goal], BOUNDS[goal])


def test_docstrings_do_not_count_and_inner_functions_do() -> None:
    text = 'class A:\n    def f(self):\n        """One.\n\n        Two."""\n        def g():\n            return 1\n'
    assert dict(function_sizes(ast.parse(text))) == {"A.f": 3, "A.f.g": 2}


def test_names_by_participles_and_adverbs() -> None:
    named = ["scaled", "_rounded_away", "rows_padded", "found", "scaled_by_one", "settled", "apart"]
    assert [name for name in named if not is_named_by_participle(name)] == []
    other_names = [
        "is_signed",
        "requantize_to_i32",
        "scaled_rows",
        "padding",
        "fully_connected",
        "split",
        "feed",
        "round_away",
        "signed",
    ]
    assert [name for name in other_names if is_named_by_participle(name)] == []


def test_the_percentile_leaves_out_one_of_a_hundred() -> None:
    assert percentile_99([*range(1, 101)]) == 99
    assert percentile_99([5]) == 5


def test_a_size_above_and_below_its_bound_is_named() -> None:
    assert changes({"a": 3, "b": 1, "d": 2, "e": 7}, {"a": 2, "b": 4, "c": 1, "d": 2}) == [
        "a: expected at most 2, found 3",
        f"b: expected 4, found 1: lower the bound with {WRITE}",
        f"c: expected 1, found 0: lower the bound with {WRITE}",
        "e: expected the goal, found 7",
    ]
