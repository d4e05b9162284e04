"""The places in a source file where faults can be planted, and the functions that show them."""

import ast
import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

ARITHMETIC = {"+": "-", "-": "+", "*": "//", "//": "*", "/": "*", "%": "//", "**": "*", "<<": ">>", ">>": "<<"}
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "in": "not in", "is": "is not"}
OPERATORS = ARITHMETIC | COMPARISONS | {"not in": "in", "is not": "is", "and": "or", "or": "and", "&": "|", "|": "&"}
NAMES = {"min": "max", "minimum": "maximum", "fmin": "fmax", "argmin": "argmax", "any": "all", "floor": "ceil"}
NAMES |= {after: before for before, after in NAMES.items()} | {"rint": "trunc", "trunc": "floor"}
MODES = {"SINGLE_ROUND": "DOUBLE_ROUND", "DOUBLE_ROUND": "SINGLE_ROUND", "INEXACT_ROUND": "SINGLE_ROUND"}
MODES |= {"PROPAGATE": "IGNORE", "IGNORE": "PROPAGATE"}
_SYMBOL = re.compile(rb"not\s+in|is\s+not|and|or|in|is|\*\*|//|<<|>>|[<>=!]=|[-+*/%<>&|]")

Functions = frozenset[tuple[str, str]]  # file and qualified name of a function or method, without what it encloses


def module_name(file: str) -> str:
    """Returns the name that a source file of the packages is imported by; `__init__` is part of it."""
    return "tosa_converter." + file.removesuffix(".py").removeprefix("converter/").replace("/", ".")


class Mutant(NamedTuple):
    """One fault: `before` at a byte offset of a file becomes `after`."""

    file: str
    line: int
    start: int
    before: str
    after: str

    def apply(self, source: bytes) -> bytes:
        """Returns the file with the fault in it."""
        return source[: self.start] + self.after.encode() + source[self.start + len(self.before.encode()) :]


def mutants(root: Path, file: str) -> list[list[Mutant]]:
    """Returns the faults of every place of a file."""
    source = (root / file).read_bytes()
    begins = [0]
    for text in source.splitlines(keepends=True):
        begins.append(begins[-1] + len(text))
    by_place = []
    tree = ast.parse(source)
    # The last element in place of the first is the same where there is one only, as in vectors of parameters.
    firsts = {id(node.slice) for node in ast.walk(tree) if isinstance(node, ast.Subscript)}
    # numpy takes any negative size for the unknown one.
    unknown = {id(size) for node in ast.walk(tree) for size in _unknown_sizes(node)}
    for node in _visited(tree):
        for start, end, afters in _changes(node, source, begins):
            line = bisect(begins, start)
            before = source[start:end].decode()
            places = afters[:1] if before == "0" and id(node) in firsts else afters
            places = places[1:] if before == "1" and id(node) in unknown else places
            by_place.append([Mutant(file, line, start, before, after) for after in places])
    return by_place


def _unknown_sizes(node: ast.AST) -> Iterator[ast.AST]:
    """Yields the numbers behind a minus in the shape argument of `reshape`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "reshape":
        parts = (part for argument in node.args for part in ast.walk(argument))
        yield from (part.operand for part in parts if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.USub))


def _visited(node: ast.AST) -> Iterator[ast.AST]:
    """Yields the nodes of a syntax tree without messages, type expressions and decorators."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_left_alone(child):
                yield from _visited(child)


def _is_left_alone(node: ast.AST) -> bool:
    """Returns whether a node is an error text, a format string, an isinstance call or a type name."""
    if isinstance(node, ast.AnnAssign):
        return ast.unparse(node.annotation) == "TypeAlias"
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) in ("isinstance", "cast")
    return isinstance(node, ast.Raise | ast.JoinedStr)


def _changes(node: ast.AST, source: bytes, begins: list[int]) -> Iterator[tuple[int, int, list[str]]]:
    """Yields begin and end of the text to replace, and its replacements."""

    def start(part: ast.expr) -> int:
        return begins[part.lineno - 1] + part.col_offset

    def end(part: ast.expr) -> int:
        return begins[(part.end_lineno or 0) - 1] + (part.end_col_offset or 0)

    def between(left: ast.expr, right: ast.expr) -> Iterator[tuple[int, int, list[str]]]:
        symbol = _SYMBOL.search(source, end(left), start(right))
        if symbol and (after := OPERATORS.get(" ".join(symbol[0].decode().split()))):
            yield symbol.start(), symbol.end(), [after]

    match node:
        case ast.Constant(value=str(text)) if text in MODES:
            yield start(node), end(node), [f'"{MODES[text]}"']
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            yield start(node), end(node), [str(number + 1), str(number - 1)]
        case ast.Constant(value=float(number)):
            yield start(node), end(node), [repr(number * 1.001), repr(number * 2)] if number else ["1.0"]
        case ast.UnaryOp(op=ast.Not()):
            yield start(node), start(node) + len("not"), [""]
        case ast.UnaryOp(op=ast.USub() | ast.Invert()):
            yield start(node), start(node) + 1, [""]
        case ast.BinOp():
            yield from between(node.left, node.right)
        case ast.AugAssign():
            yield from between(node.target, node.value)
        case ast.Compare():
            for pair in pairwise([node.left, *node.comparators]):
                yield from between(*pair)
        case ast.BoolOp():
            for pair in pairwise(node.values):
                yield from between(*pair)
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in NAMES:
            yield end(node) - len(name), end(node), [NAMES[name]]


class Uses:
    """The functions that contain a line or, for a line outside of functions, use it."""

    def __init__(self, root: Path, files: Iterable[str]) -> None:
        texts = {file: (root / file).read_text() for file in files}
        self._trees = {file: ast.parse(text) for file, text in texts.items()}
        self._lines = {file: text.splitlines() for file, text in texts.items()}
        self._mentions: dict[str, set[tuple[str, str, bool]]] = defaultdict(set)
        for file, tree in self._trees.items():
            for owner, is_function, node in _owners(tree.body):
                for name in {getattr(part, "id", None) or getattr(part, "attr", None) for part in ast.walk(node)}:
                    if isinstance(name, str):
                        self._mentions[name].add((file, owner, is_function))

    def statement(self, mutant: Mutant) -> tuple[str, str]:
        """Returns the outermost function with a fault and the first line of its statement; none outside of one."""
        owners = [
            (owner, node)
            for owner, is_function, node in _owners(self._trees[mutant.file].body)
            if is_function and node.lineno <= mutant.line <= (node.end_lineno or 0)
        ]
        if not owners:
            return "", ""
        owner, node = owners[0]
        inside = [
            part
            for part in ast.walk(node)
            if isinstance(part, ast.stmt) and part is not node and part.lineno <= mutant.line <= (part.end_lineno or 0)
        ]
        if not inside:
            return "", ""
        return owner, self._lines[mutant.file][max(part.lineno for part in inside) - 1]

    def of(self, mutant: Mutant) -> Iterator[Functions]:
        """Yields the functions to test, the nearest users first."""
        names: set[str] = set()
        for owner, is_function, node in _owners(self._trees[mutant.file].body):
            first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
            if first <= mutant.line <= last:
                if is_function:
                    yield frozenset([(mutant.file, owner)])
                names |= {owner.rpartition(".")[2]}
        seen: set[str] = set()
        while names - seen:
            users = {user for name in names - seen for user in self._mentions.get(name, ())}
            seen |= names
            yield frozenset((file, owner) for file, owner, is_function in users if is_function)
            names = {owner.rpartition(".")[2] for _, owner, _ in users}


def _owners(body: Iterable[ast.stmt], within: str = "") -> Iterator[tuple[str, bool, ast.stmt]]:
    """Yields every function, and every statement outside of functions, with the names that it binds."""
    for node in body:
        match node:
            case ast.FunctionDef(name=name):
                yield within + name, True, node
            case ast.ClassDef(name=name, body=inner):
                yield from _owners(inner, f"{within}{name}.")
            case ast.Assign(targets=targets):
                for target in targets:
                    yield from ((part.id, False, node) for part in ast.walk(target) if isinstance(part, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.AugAssign(target=ast.Name(id=name)):
                yield name, False, node
