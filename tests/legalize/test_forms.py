"""Old forms that go away: counts by file that may only fall, and names that say nothing, by package and in the tests.

A lowering is a formula of expressions, an operation stands once in `legalize/ops`, and a dialect is a table of rows.
What isn't so yet is counted here. A count above its bound fails, and so does a lower one, until the bound follows by
`BURN_DOWN=write python -m pytest tests/legalize/test_forms.py`.

* The convolutions left are forms of other operators: a sum over an image, a resize by whole factors, a product of all
  steps of a sequence at once.
* The matrix products left are part of a routine: cells of recurrent operators, rotations of landmarks, filter banks,
  groups of weights with a scale each.
* The quotients, roots and powers left are one operator where no meaning of `ops` fits, as INTDIV by a known number.
* The builder is imported where an operator without results, or without a function, is appended, and by the driver.

Forms that are counted in all packages, with the reasons for what is left:

* A Value is one tensor of a graph. What is several is a `TensorRecord`.
* An opset, and what a value holds, are fields (`Op.opset`, `Value.origin`). The driver still compares the prefix with
  the opset that a pass leaves, and the index of rules looks for `custom.`, which is no opset of operators.
* Operators are put into graphs by `ir/edit.py`, the driver and passes. A builder and the graphs of control flow finish
  the graph that they make; borders of TFLite models, and signs at those of models that are written as TFLite, leave
  operators out where they stand.
"""

import ast
import functools
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.bounds import is_burning_down, write_bounds
from support.commands import ROOT

# ** bounds, written by BURN_DOWN=write **
BOUNDS: dict[str, dict[str, int]] = {
    "calls on a builder": {},
    "imports of the builder": {
        "tflite/any_type/control.py": 1,
        "tflite/any_type/sparse.py": 1,
        "tflite/any_type/state.py": 1,
        "tflite/undefined.py": 1,
    },
    "functions given another name": {},
    "convolutions outside ops": {
        "tflite/quantized/reduce.py": 1,
        "tflite/quantized/resize.py": 1,
        "tflite/recurrent/products.py": 1,
    },
    "matrix products outside ops": {
        "custom/audio.py": 2,
        "custom/landmarks.py": 3,
        "tflite/recurrent/basic_lstm.py": 2,
        "tflite/recurrent/integer_cell.py": 1,
        "tflite/recurrent/products.py": 3,
        "xnnpack/dynamic.py": 1,
    },
    "quotients, roots and powers outside ops": {
        "aten/reductions.py": 1,
        "custom/detection.py": 1,
        "custom/landmarks.py": 1,
        "custom/pooling.py": 1,
        "tflite/any_type/tables.py": 2,
        "tflite/float/patterns.py": 1,
        "tflite/recurrent/integer_norm.py": 2,
        "xnnpack/dynamic.py": 1,
    },
    "subclasses of Value, Op and Graph": {},
    "beginnings and ends of names": {},
    "operators put into graphs": {
        "converter/rewriting/builder.py": 1,
        "converter/rewriting/control.py": 2,
        "converter/rewriting/in_place.py": 1,
        "legalize/invert/tflite/borders.py": 1,
        "legalize/tflite/borders.py": 1,
        "legalize/tflite/carried_state.py": 1,
    },
    "names that say nothing": {
        "cli": 0,
        "converter": 1,
        "legalize": 1,
        "schemas": 0,
        "tests": 0,
    },
}
# ** end of bounds **

# Files and folders of legalize/ that keep a form, with the reason.
EXEMPT = {
    "ops/": "the one place where an operation on TOSA values is written",
    "quant/": "the one place where the arithmetic of quantized operators is written",
    "invert/": "it builds TFLite's operators and XNNPACK's nodes with builders of its own",
}
WORDS = {
    "found", "made", "given", "known", "it", "one", "others", "both", "what", "wanted", "each", "twice", "again",
    "said", "told", "kept", "held", "here", "there",
}  # fmt: skip
PACKAGES = ("schemas", "converter", "legalize", "cli")
NAMED_FOLDERS = (*PACKAGES, "tests")  # where names are counted
WRITE = "BURN_DOWN=write python -m pytest tests/legalize/test_forms.py"

# ** what is counted **


def builder_calls(tree: ast.Module) -> int:
    """Returns how many methods of a builder are called: of `builder`, `build`, `match.builder` and `current()`."""
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return sum(isinstance(function, ast.Attribute) and _is_builder(function.value) for function in calls)


def _is_builder(node: ast.expr) -> bool:
    match node:
        case ast.Name(id="builder" | "build") | ast.Attribute(attr="builder") | ast.Call(func=ast.Name(id="current")):
            return True
    return False


def builder_imports(tree: ast.Module) -> int:
    """Returns how many names are imported from `rewriting.builder`."""
    modules = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    return sum(len(node.names) for node in modules if (node.module or "").endswith("rewriting.builder"))


def renamed_functions(tree: ast.Module) -> int:
    """Returns how many times a `__name__`, `__qualname__` or `__module__` is assigned."""
    names = ("__name__", "__qualname__", "__module__")
    stored = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store))
    return sum(node.attr in names for node in stored)


def calls_of(*names: str) -> Callable[[ast.Module], int]:
    """Returns a function that counts a module's calls of TOSA operators."""

    def count(tree: ast.Module) -> int:
        functions = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
        called = [node.id if isinstance(node, ast.Name) else getattr(node, "attr", "") for node in functions]
        return sum(name in names for name in called)

    return count


FORMS: dict[str, Callable[[ast.Module], int]] = {
    "calls on a builder": builder_calls,
    "imports of the builder": builder_imports,
    "functions given another name": renamed_functions,
    "convolutions outside ops": calls_of("conv2d", "conv3d", "transpose_conv2d"),
    "matrix products outside ops": calls_of("matmul"),
    "quotients, roots and powers outside ops": calls_of("reciprocal", "rsqrt", "intdiv", "power"),
}
NAMES = "names that say nothing"


def subclasses(tree: ast.Module) -> int:
    """Returns how many classes are derived from those of the graph."""
    classes = (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    return sum(isinstance(base, ast.Name) and base.id in ("Value", "Op", "Graph") for c in classes for base in c.bases)


def name_tests(tree: ast.Module) -> int:
    """Returns how often a decision is taken by the beginning or end of an operator's or a value's name."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    return sum(_is_name_test(call.func, call.args) for call in calls if isinstance(call.func, ast.Attribute))


def _is_name_test(method: ast.Attribute, arguments: list[ast.expr]) -> bool:
    if method.attr not in ("startswith", "endswith", "removeprefix", "removesuffix"):
        return False
    literals = (node.value for argument in arguments for node in ast.walk(argument) if isinstance(node, ast.Constant))
    if any(isinstance(text, str) and re.match(r"(tfl|xnn|aten|tosa|custom)\.", text) for text in literals):
        return True
    match method.value:
        case ast.Attribute(value=ast.Name(id="entry" | "content")):  # of a file
            return False
        case ast.Attribute(attr="name" | "opcode" | "root") | ast.Name(id="opcode" | "root"):
            return True
    return False


def operator_lists(tree: ast.Module) -> int:
    """Returns how often the operators of a graph are replaced; an object's own `ops` are other lists."""
    targets = (target for node in ast.walk(tree) if isinstance(node, ast.Assign) for target in node.targets)
    stored = [item for target in targets for item in ast.walk(target) if isinstance(item, ast.Attribute)]
    return sum(item.attr == "ops" and isinstance(item.ctx, ast.Store) and not _is_self(item.value) for item in stored)


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


EVERYWHERE: dict[str, Callable[[ast.Module], int]] = {
    "subclasses of Value, Op and Graph": subclasses,
    "beginnings and ends of names": name_tests,
    "operators put into graphs": operator_lists,
}
EDITORS = ("converter/ir/edit.py", "converter/rewriting/driver.py", "converter/rewriting/passes/")


def names_of(tree: ast.Module) -> Iterator[str]:
    """Yields the names that are assigned and those of parameters, without underscores at their ends."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id.strip("_")
        elif isinstance(node, ast.arg):
            yield node.arg.strip("_")


# ** counts **


@functools.cache
def trees(folder: str) -> dict[str, ast.Module]:
    """Returns the syntax trees of a package's modules by their paths in it."""
    paths = sorted((ROOT / folder).rglob("*.py"))
    return {path.relative_to(ROOT / folder).as_posix(): ast.parse(path.read_text("utf-8")) for path in paths}


def counted(form: str) -> dict[str, int]:
    """Returns the counts of a form by file of legalize/, where it isn't 0."""
    counts = {path: FORMS[form](tree) for path, tree in trees("legalize").items() if not path.startswith((*EXEMPT,))}
    return {path: count for path, count in counts.items() if count}


def counted_everywhere(form: str) -> dict[str, int]:
    """Returns the counts of a form by file of all packages, where it isn't 0; editors may put operators into graphs."""
    exempt = EDITORS if form == "operators put into graphs" else ()
    counts = {f"{folder}/{path}": EVERYWHERE[form](tree) for folder in PACKAGES for path, tree in trees(folder).items()}
    return {path: count for path, count in counts.items() if count and not path.startswith((*exempt,))}


def counted_names() -> dict[str, int]:
    """Returns how many names of each package, and of the tests, are one of `WORDS`."""
    return {folder: sum(name in WORDS for name in all_names(folder)) for folder in NAMED_FOLDERS}


def all_names(folder: str) -> Iterator[str]:
    """Yields the names that the modules of a folder assign, and those of parameters."""
    for tree in trees(folder).values():
        yield from names_of(tree)


def changes(counts: dict[str, int], bounds: dict[str, int]) -> list[str]:
    """Returns a line for each count that isn't its bound."""
    lines = []
    for place in sorted({*counts, *bounds}):
        count, bound = counts.get(place, 0), bounds.get(place, 0)
        if count > bound:
            lines.append(f"{place}: expected {bound} at most, found {count}")
        elif count < bound:
            lines.append(f"{place}: found {count}, fewer than {bound}: lower the bound with {WRITE}")
    return lines


@pytest.fixture(scope="module", autouse=True)
def _write_bounds() -> None:
    if is_burning_down():
        counts = {form: counted(form) for form in FORMS}
        counts |= {form: counted_everywhere(form) for form in EVERYWHERE} | {NAMES: counted_names()}
        write_bounds(Path(__file__), counts)
        BOUNDS.update(counts)


@pytest.mark.parametrize("form", FORMS)
def test_old_forms_only_become_fewer(form: str) -> None:
    assert not changes(counted(form), BOUNDS[form])


@pytest.mark.parametrize("form", EVERYWHERE)
def test_forms_of_all_packages_only_become_fewer(form: str) -> None:
    assert not changes(counted_everywhere(form), BOUNDS[form])


def test_names_that_say_nothing_only_become_fewer() -> None:
    """The rule is about 1,000 names; bounds are counts, which don't move when other names come and go."""
    counts = counted_names()
    every_name = sum(1 for folder in NAMED_FOLDERS for _ in all_names(folder))
    share = 1000 * sum(counts.values()) / every_name
    assert not changes(counts, BOUNDS[NAMES]), f"{share:.1f} of 1,000 names"


def test_the_table_has_every_form() -> None:
    assert [*BOUNDS] == [*FORMS, *EVERYWHERE, NAMES]
    for path in (*(f"legalize/{path}" for path in EXEMPT), *EDITORS):
        assert (ROOT / path).exists(), path


SAMPLE = """
from tosa_converter.rewriting.builder import Builder, current
def conv_2d(match, given):
    builder = match.builder
    made, shape_ = match.builder.add(given, 1), current().shape(())
    build.__name__ = "conv"
    return builder.mul(made, shape_)
def _dense(x): return matmul(x, operators.conv2d(x)) + reciprocal(current().graph.ops)
def squared_difference(*, it_=0): pass
class Sums(NamedTuple):
    def add(self, values): return [held for held in values]
class Pair(Value):
    def put(self, graph, op):
        self.ops, graph.ops, self.graph.ops = [], graph.ops, []
        opcode = op.name.removeprefix(PREFIX) if op.name.startswith("tfl.") else entry.name.removesuffix(".tosa")
        return opcode.endswith("_int8") or text.startswith(("xnn.", "")) or field.endswith("_id")
"""


def test_forms_are_counted() -> None:
    tree = ast.parse(SAMPLE)
    assert {form: count(tree) for form, count in FORMS.items()} == {
        "calls on a builder": 3,
        "imports of the builder": 2,
        "functions given another name": 1,
        "convolutions outside ops": 1,
        "matrix products outside ops": 1,
        "quotients, roots and powers outside ops": 1,
    }
    assert {form: count(tree) for form, count in EVERYWHERE.items()} == {
        "subclasses of Value, Op and Graph": 1,
        "beginnings and ends of names": 4,
        "operators put into graphs": 2,
    }
    assert sorted(name for name in names_of(tree) if name in WORDS) == ["given", "held", "it", "made"]


def test_changes_are_named() -> None:
    lines = changes({"a.py": 3, "b.py": 1, "d.py": 2}, {"a.py": 2, "b.py": 4, "c.py": 1, "d.py": 2})
    assert lines == [
        "a.py: expected 2 at most, found 3",
        f"b.py: found 1, fewer than 4: lower the bound with {WRITE}",
        f"c.py: found 0, fewer than 1: lower the bound with {WRITE}",
    ]
