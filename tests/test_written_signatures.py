"""The signatures and docstrings of the API's functions have the options as `converter/options.py` states them.

`SIGNATURES=write python -m pytest tests/test_written_signatures.py` writes them anew.
"""

import ast
import inspect
import os
import re
import textwrap
from collections.abc import Sequence
from typing import NamedTuple

import pytest
from support.commands import INT8, ROOT

import tosa_converter as tc
from tosa_converter import compare_options, options
from tosa_converter.cli.values import help_values
from tosa_converter.options import FLAGS, CompareOptions, ConvertOptions, InputOptions

WRITE = "SIGNATURES=write python -m pytest tests/test_written_signatures.py"
API = ROOT / "converter" / "api"
OF_RUNS = ("atol", "rtol", "loaded", "arrays", "labels")  # options of outputs alone, not of operators
OF_PASSES = ("dump", "trace")  # options that only one conversion has


class Function(NamedTuple):
    """A function of the API: its file, its keyword parameters, and defaults that are its own."""

    file: str
    name: str
    parameters: Sequence[str]
    defaults: dict[str, str]


CONVERSION = [name for name in ConvertOptions._fields if name not in ("allow_custom", "limit", *OF_PASSES)]
FUNCTIONS = (
    Function("converting.py", "convert", ConvertOptions._fields, {}),
    Function("inspecting.py", "check", ("input_shapes", "bounds", "numerics", "rules", "allow_custom"), {}),
    Function("verifying.py", "verify", (*CONVERSION, *InputOptions._fields, *CompareOptions._fields, "limit"), {}),
    Function(
        "comparing.py",
        "compare",
        (*InputOptions._fields, "against", *OF_RUNS, "float_type", "limit", "progress"),
        {"against": '("executor",)'},
    ),
    Function(
        "comparing.py",
        "compare_layers",
        ("seed", "against", "bisect", "float_type", "limit"),
        {"against": '("litert",)'},
    ),
    Function("comparing.py", "diff", ("runs", "seed", "limit"), {}),
    Function("running.py", "random_inputs", ("seed", "input_shapes", "ranges"), {}),
    Function("running.py", "adversarial_inputs", ("runs", "seed", "input_shapes"), {"runs": "10"}),
    Function("converting.py", "with_borders", ("io_types", "io_layouts"), {}),
)


def stated() -> dict[str, str]:
    """Returns each option as a parameter: its type and default, as the fields' source has them."""
    texts = {}
    modules = (ast.parse(inspect.getsource(module)) for module in (options, compare_options))
    for group in (group for module in modules for group in module.body):
        for field in group.body if isinstance(group, ast.ClassDef) and group.name.endswith("Options") else ():
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                assert isinstance(field.annotation, ast.Subscript)
                assert isinstance(field.annotation.slice, ast.Tuple)
                assert field.value is not None
                name, accepts = field.target.id, FLAGS[field.target.id].accepts
                type_name = accepts or ast.unparse(field.annotation.slice.elts[0]).replace("'", "")
                default = "None" if accepts.endswith("None") else ast.unparse(field.value).replace("'", '"')
                texts[name] = f"{name}: {type_name} = {default}"
    return texts


STATED = stated()


def written(source: str, function: Function) -> str:
    """Returns a module's text with the parameters and the documentation of one function as the options have them."""
    node = next(n for n in ast.parse(source).body if isinstance(n, ast.FunctionDef) and n.name == function.name)
    lines = source.splitlines(keepends=True)
    start, end = node.lineno - 1, node.body[0].lineno - 1
    parameters = dict(zip((argument.arg for argument in node.args.kwonlyargs), node.args.kwonlyargs, strict=True))
    own = [name for name in parameters if name not in function.parameters]
    signature = "".join(lines[start:end])
    first, star, _ = signature.partition("    *,\n")
    texts = [_own(lines, node, name) for name in own]
    for name in function.parameters:
        text = STATED[name]
        default = function.defaults.get(name)
        texts.append(f"{text.rpartition(' = ')[0]} = {default}" if default else text)
    returns = signature[signature.rindex(") ->") :]
    signature = first + star + "".join(f"    {text},\n" for text in texts) + returns
    stop = node.body[0].end_lineno
    docstring = _documented("".join(lines[end:stop]), function.parameters)
    return "".join([*lines[:start], signature, docstring, *lines[stop:]])


def _own(lines: list[str], node: ast.FunctionDef, name: str) -> str:
    (line,) = (lines[argument.lineno - 1] for argument in node.args.kwonlyargs if argument.arg == name)
    return line.strip().rstrip(",")


def _documented(docstring: str, names: Sequence[str]) -> str:
    """Returns a docstring whose section of arguments has the options behind the arguments of its own."""
    match = re.search(r"(?<=    Args:\n).*?(?=\n    \w+:\n)", docstring, re.DOTALL)
    assert match is not None
    entries = re.findall(r"^ {8}(\w+): (.*?)(?=^ {8}\w|\Z)", match[0], re.DOTALL | re.MULTILINE)
    texts = [(name, " ".join(text.split())) for name, text in entries if name not in names]
    texts += [(name, FLAGS[name].about) for name in names]
    section = "\n".join(
        textwrap.fill(
            f"{name}: {text}", 120, initial_indent=" " * 8, subsequent_indent=" " * 12, break_on_hyphens=False
        )
        for name, text in texts
    )
    return f"{docstring[: match.start()]}{section}\n{docstring[match.end() :]}"


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.name)
def test_signatures_are_those_of_the_options(function: Function) -> None:
    path = API / function.file
    source = path.read_text("utf-8")
    if os.environ.get("SIGNATURES") == "write":
        path.write_text(written(source, function), "utf-8")
    assert path.read_text("utf-8") == written(source, function), f"run {WRITE}"
    parameters = inspect.signature(getattr(tc, function.name)).parameters
    assert {*function.parameters} <= parameters.keys()


def test_every_option_is_documented_and_has_values_that_exist() -> None:
    values = help_values()
    for name, flag in FLAGS.items():
        assert flag.about.endswith("."), name
        assert bool(flag.names) == bool(flag.help), name
        assert not flag.values or flag.values in values, name
        flag.help.format(**values)


def test_type_checkers_see_names_and_types_of_options() -> None:
    """`mypy tests` fails if one of these lines has the right type, as it would with `**options: Any`."""
    with pytest.raises(TypeError):
        tc.convert(INT8, numerix="compact")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        tc.verify(INT8, run=2)  # type: ignore[call-arg]
    with pytest.raises(
        tc.UsageError, match=r"--numerics \(numerics\): expected one of reference, xnnpack, compact, found 8"
    ):
        tc.convert(INT8, numerics=8)  # type: ignore[arg-type]
    converted: tc.Converted = tc.convert(INT8, target="pro-int,ext-doubleround", numerics="reference")
    assert converted.report.numerics == "reference"
