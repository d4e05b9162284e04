"""Texts before and after a rewrite, read by a person: `GOLDEN=write python -m pytest -k golden` writes them anew."""

import os
from pathlib import Path

from tosa_converter.formats.mlir.writer import write_mlir
from tosa_converter.ir import Graph, Model


def text(graph: Graph) -> str:
    """The graph without the elements of large constants."""
    return write_mlir(Model({"main": graph}), elide=16)


def check(path: Path, before: str, after: str) -> None:
    """The file says the same, or does from now on."""
    same(path, f"// before\n{before}// after\n{after}")


def same(path: Path, found: str) -> None:
    """The file has this text, or does from now on."""
    if os.environ.get("GOLDEN") == "write":
        path.write_text(found)
    assert found == path.read_text()
