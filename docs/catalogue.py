"""The catalogue of failures, read from the source: each message with its identifier, its next step and exit status.

A message is the text of a call that makes an error, or of a helper that returns one; `{name}` stands for what is known
when it is raised. A reason is the text with which a rule declines an operator: the message of an operator that no rule
accepts has the reasons of its rules.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tosa_converter import errors
from tosa_converter.errors import NEXT_STEP, ConverterError
from tosa_converter.identifiers import class_name
from tosa_converter.legalize.rule_index import ROOTS

ROOT = Path(__file__).parent.parent
FOLDERS = {"schemas": "schemas", "converter": "", "legalize": "legalize", "cli": "cli"}
CLASSES = {
    name: value for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, ConverterError)
}
REASONS = ("Decline", "require", "condition", "Check")  # what makes a reason, by the last part of its name


class Message(NamedTuple):
    """A failure that a user can see: where it is raised, and its lines with placeholders."""

    error: str  # the name of its class
    module: str
    lines: tuple[str, ...]

    @property
    def identifier(self) -> str:
        """How `--json` identifies it."""
        return f"{class_name(self.error)}/{self.module}"

    @property
    def exit_status(self) -> int:
        """The exit status that it ends a command with."""
        return CLASSES[self.error].exit_status

    @property
    def text(self) -> str:
        """What is wrong."""
        return "; ".join(line for line in self.lines if not line.startswith(NEXT_STEP))

    @property
    def is_placeholder(self) -> bool:
        """Whether its text is made elsewhere."""
        return re.fullmatch(r"\{\w+\}", self.text) is not None

    @property
    def next_step(self) -> str:
        """What the message itself says to do, if it does."""
        return next((line.removeprefix(NEXT_STEP) for line in self.lines if line.startswith(NEXT_STEP)), "")


class Reason(NamedTuple):
    """A text with which rules decline, and the operators that the rules of its module start from."""

    module: str
    text: str

    @property
    def operators(self) -> Sequence[str]:
        """The operators of the module's rules; none of a module that rules of others use."""
        return ROOTS.get(self.module.removeprefix("legalize."), "").split()


def source_modules() -> Iterator[tuple[str, ast.Module]]:
    """Yields every module of the packages, by its name without `tosa_converter.`, as a syntax tree."""
    for folder, package in FOLDERS.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = [*filter(None, [package]), *path.relative_to(ROOT / folder).with_suffix("").parts]
            yield ".".join(part for part in parts if part != "__init__"), ast.parse(path.read_text("utf-8"))


class Helper(NamedTuple):
    """A function that returns an error: the error's class, the function's parameters, and the lines of the error."""

    error: str
    parameters: tuple[str, ...]
    lines: tuple[str, ...]


def find_messages() -> list[Message]:
    """Returns every message, in the order of identifiers."""
    trees = dict(source_modules())
    helpers = {(module, name): helper for module, tree in trees.items() for name, helper in _helpers(tree)}
    messages = [message for module, tree in trees.items() for message in _messages(module, tree, helpers)]
    stated = {message.identifier for message in messages if not message.is_placeholder}
    rows = {message for message in messages if not (message.is_placeholder and message.identifier in stated)}
    return sorted(rows, key=lambda message: (message.identifier, message.text))


def _messages(module: str, tree: ast.Module, helpers: dict[tuple[str, str], Helper]) -> Iterator[Message]:
    origins = _imported_names(tree)
    inner = {id(call) for node in ast.walk(tree) if _is_helper(node) for call in _calls(node)}
    for call in _calls(tree):
        error = _error_name(call.func)
        name = _last_name(call.func)
        methods = [helper for (_, own), helper in helpers.items() if own == name and helper.parameters[:1] == ("self",)]
        helper = helpers.get((module, name)) or helpers.get((origins.get(name, ""), name)) or next(iter(methods), None)
        if error and id(call) not in inner:
            yield Message(error, module, tuple(_lines(call)))
        elif helper is not None and not error and (isinstance(call.func, ast.Name) or helper in methods):
            names = helper.parameters[helper.parameters[:1] == ("self",) :]
            texts = {key: _texts(argument) for key, argument in zip(names, call.args, strict=False)}
            lines = [_filled(line, texts) for line in helper.lines]
            yield Message(helper.error, module, tuple(lines))


def _helpers(tree: ast.Module) -> Iterator[tuple[str, Helper]]:
    for node in ast.walk(tree):
        if _is_helper(node):
            assert isinstance(node, ast.FunctionDef)
            calls = [call for call in _calls(node) if _error_name(call.func)]
            parameters = tuple(argument.arg for argument in node.args.args)
            lines = _lines(calls[-1]) if calls else [f"{{{parameters[-1]}}}"]
            yield node.name, Helper(_error_name(node.returns), parameters, tuple(lines))


def _is_helper(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef) and bool(_error_name(node.returns))


def _filled(line: str, texts: dict[str, list[str]]) -> str:
    """Returns a line with the texts of a call in place of the helper's parameters."""
    for name, values in texts.items():
        if len(values) == 1:
            line = line.replace(f"{{{name}}}", values[0])
    return line


def _imported_names(tree: ast.Module) -> dict[str, str]:
    """Returns the names that a module imports from others of the package, with the module of each."""
    return {
        alias.asname or alias.name: node.module.removeprefix("tosa_converter.")
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }


def find_reasons() -> list[Reason]:
    """Returns every reason of a rule, in the order of modules."""
    reasons = [
        Reason(module, text)
        for module, tree in source_modules()
        if module.startswith(("legalize.", "rewriting."))
        for call in _calls(tree)
        if _last_name(call.func) in REASONS
        for text in _lines(call)
        if " " in text
    ]
    return sorted(set(reasons))


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def _last_name(node: ast.expr | None) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _error_name(node: ast.expr | None) -> str:
    """Returns the class of errors that an expression names, if it does."""
    name = _last_name(node)
    return name if name in CLASSES else ""


def _lines(call: ast.Call) -> list[str]:
    """Returns the lines that a call states; of one without any text, a placeholder."""
    texts = [text for argument in call.args for text in _texts(argument) if re.search("[a-z]{2}", text)]
    if _last_name(call.func) == "MissingExtra" and texts:
        # As for a released package: `errors.install_hint` has another form in a checkout.
        return [f"{texts[0]} needs an optional package: pip install 'tosa-converter[{{extra}}]'"]
    return texts or [_piece(argument) for argument in call.args[:1]]


def _texts(node: ast.expr) -> list[str]:
    """Returns the texts that an expression may give; `{name}` stands for what isn't in the source."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.JoinedStr):
        return ["".join(_piece(value) for value in node.values)]
    if isinstance(node, ast.IfExp):
        return [*_texts(node.body), *_texts(node.orelse)]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [left + right for left in _texts(node.left) or [""] for right in _texts(node.right) or [""]]
    return []


def _piece(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    names = [part for part in ast.walk(node) if isinstance(part, ast.Attribute | ast.Name)]
    inner = [_last_name(part).strip("_") for part in names if not _is_called(part, node)]
    return f"{{{next(filter(None, inner), 'text')}}}"


def _is_called(name: ast.expr, node: ast.AST) -> bool:
    """Returns whether a name is that of a function that is called, or of a function's argument such as `map`."""
    return any(part.func is name for part in ast.walk(node) if isinstance(part, ast.Call))
