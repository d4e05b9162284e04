"""The modules of the four packages as files, and the imports of each."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from support.commands import ROOT

PACKAGE = "tosa_converter"
FOLDERS = {
    "schemas": f"{PACKAGE}.schemas",
    "converter": PACKAGE,
    "legalize": f"{PACKAGE}.legalize",
    "cli": f"{PACKAGE}.cli",
}


def modules() -> dict[str, Path]:
    """Returns the file of every module, by its name without "tosa_converter."; the facade's is empty."""
    files = {}
    for folder, name in FOLDERS.items():
        for path in (ROOT / folder).rglob("*.py"):
            parts = [*name.split("."), *path.relative_to(ROOT / folder).with_suffix("").parts]
            if parts[-1] == "__init__":
                parts.pop()
            files[".".join(parts[1:])] = path
    return files


class Import(NamedTuple):
    """An imported module, the line of the import, and whether that is within a function."""

    module: str
    line: int
    in_function: bool


def imports(path: Path, names: dict[str, Path]) -> Iterator[Import]:
    """Yields the imports of a file that happen when the program runs, from the modules of `names`."""
    yield from _imports(ast.parse(path.read_text("utf-8")), names, in_function=False)


def _imports(node: ast.AST, names: dict[str, Path], *, in_function: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue  # for annotations only
        for module in _imported(child, names):
            yield Import(module, child.lineno, in_function)  # type: ignore[attr-defined]  # a statement
        function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        yield from _imports(child, names, in_function=in_function or function)


def _imported(node: ast.AST, names: dict[str, Path]) -> list[str]:
    """Returns the modules that a statement imports, a name's own module where the name is one."""
    if isinstance(node, ast.Import):
        targets = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and node.module:
        inner = [f"{node.module}.{alias.name}" for alias in node.names]
        targets = [name if _relative(name) in names else node.module for name in inner]
    else:
        return []
    ours = (target for target in targets if target.partition(".")[0] == PACKAGE)
    return list(dict.fromkeys(map(_relative, ours)))


def _relative(name: str) -> str:
    return name.removeprefix(PACKAGE).removeprefix(".")


def circles(graph: dict[str, set[str]]) -> list[frozenset[str]]:
    """Returns the sets of modules that import each other, directly or through others."""
    reached = {module: _reached(graph, module) for module in graph}
    groups = {module: frozenset(other for other in reached[module] if module in reached[other]) for module in graph}
    return sorted({group for module, group in groups.items() if module in group}, key=sorted)


def _reached(graph: dict[str, set[str]], start: str) -> set[str]:
    """Returns every module that `start` imports, directly or through others."""
    imported: set[str] = set()
    ahead = [*graph[start]]
    while ahead:
        module = ahead.pop()
        if module not in imported:
            imported.add(module)
            ahead += graph[module]
    return imported
