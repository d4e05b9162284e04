"""Copies of the packages with some changed sources, for processes that import them."""

import ast
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mutation.points import Mutant, module_name

ROOT = Path(__file__).parents[2]
FOLDERS = {"converter": "", "legalize": "legalize", "schemas": "schemas", "cli": "cli"}  # where each is imported
MARKS = "__reached__"  # the variable in which an instrumented source marks its statements
_IMPORT = f"from tosa_converter_marks import reached as {MARKS}"
_MARKS_MODULE = '''"""Marks that all processes of a test write to one file."""

import mmap
import os

with open(os.environ["MUTATION_MARKS"], "r+b") as stream:
    reached = mmap.mmap(stream.fileno(), 0)
'''


def package_files() -> list[str]:
    """Returns the sources of the four packages, as paths from the root of the repository."""
    return sorted(path.relative_to(ROOT).as_posix() for name in FOLDERS for path in ROOT.glob(f"{name}/**/*.py"))


def build(folder: Path, sources: dict[str, bytes]) -> None:
    """Writes the packages to `folder` for PYTHONPATH: `sources` as given, links to all other files."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, inside in FOLDERS.items():
        for path in (ROOT / name).rglob("*"):
            if path.is_dir() or "__pycache__" in path.parts:
                continue
            copy = folder / "tosa_converter" / inside / path.relative_to(ROOT / name)
            copy.parent.mkdir(parents=True, exist_ok=True)
            source = sources.get(path.relative_to(ROOT).as_posix())
            if source is None:
                copy.symlink_to(path)
            else:
                copy.write_bytes(source)


class PlantedTree:
    """Copies of the packages, one of which can hold a fault, for one process at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        build(folder, {})

    @contextmanager
    def planted(self, mutant: Mutant) -> Iterator[None]:
        """Plants the fault in its file."""
        path = self.folder / f"{module_name(mutant.file).replace('.', '/')}.py"
        source = ROOT / mutant.file
        compiled = [*(path.parent / "__pycache__").glob(f"{path.stem}.*")]
        for file in (path, *compiled):
            file.unlink()
        path.write_bytes(mutant.apply(source.read_bytes()))
        try:
            yield
        finally:
            for file in (path, *(path.parent / "__pycache__").glob(f"{path.stem}.*")):
                file.unlink()
            path.symlink_to(source)


def build_marked(folder: Path) -> list[str]:
    """Writes packages whose statements record that they run; returns the key of each mark."""
    keys: list[str] = []
    sources = {}
    for file in package_files():
        text = (ROOT / file).read_text()
        tree = ast.parse(text)
        lines = text.splitlines()
        for function, body in _bodies(tree.body):
            _mark(body, file, function, lines, keys)
        head = sum(isinstance(node, ast.Expr) or _is_future(node) for node in tree.body[:2])
        tree.body.insert(head, ast.parse(_IMPORT).body[0])
        sources[file] = ast.unparse(ast.fix_missing_locations(tree)).encode()
    build(folder, sources)
    (folder / "tosa_converter_marks.py").write_text(_MARKS_MODULE)
    (folder / "keys.json").write_text(json.dumps(keys))
    return keys


def key(file: str, function: str, line: str) -> str:
    """Returns the key of a statement: equal lines of a function share it, edits elsewhere leave it."""
    return f"{file}:{function}:{line.strip()}"


def _bodies(body: list[ast.stmt], within: str = "") -> Iterator[tuple[str, list[ast.stmt]]]:
    """Yields the outermost functions and methods with their bodies."""
    for node in body:
        if isinstance(node, ast.FunctionDef):
            yield within + node.name, node.body
        elif isinstance(node, ast.ClassDef):
            yield from _bodies(node.body, f"{within}{node.name}.")
        else:
            for inner in _blocks(node):
                yield from _bodies(inner, within)


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yields the blocks of statements directly inside a statement."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block
    for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield part.body


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _mark(block: list[ast.stmt], file: str, function: str, lines: list[str], keys: list[str]) -> None:
    statements = list(block)
    block.clear()
    for place, node in enumerate(statements):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not (place == 0 and is_text) and not isinstance(node, ast.Nonlocal | ast.Global):
            block.append(ast.parse(f"{MARKS}[{len(keys)}] = 1").body[0])
            keys.append(key(file, function, lines[node.lineno - 1]))
        block.append(node)
        for inner in _blocks(node):
            if inner:
                _mark(inner, file, function, lines, keys)
