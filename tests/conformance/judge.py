"""The judge: expected results of the reference model, and the verdict of tosa-tools' own checker."""

import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tosa_converter.ir import Array

_SECONDS = 120


class ReferenceError(Exception):
    """Raised if the reference model gives no result for a test that it should pass."""


def reference_results(folder: Path, desc: dict[str, Any]) -> list[tuple[Array, Array | None]]:
    """Returns results in fp64, and bounds for dot products where the test needs them; they are computed once.

    Raises:
        ReferenceError: the reference model refuses the test.
    """
    paths = [folder / name for name in desc["ofm_file"]]
    if not all(path.is_file() for path in paths):
        command = [_tool("REF_MODEL"), "--test_desc", str(folder / "desc.json"), "--precise_mode=1"]
        done = subprocess.run([*command, "--tosa_level", "EIGHTK"], capture_output=True, text=True, timeout=_SECONDS)
        if done.returncode:
            raise ReferenceError(f"reference model: status {done.returncode}: {done.stderr[-200:]}")
    bounds = [folder / f"bounds_{path.name}" for path in paths]
    return [(np.load(p), np.load(b) if b.is_file() else None) for p, b in zip(paths, bounds, strict=True)]


def complies(desc: dict[str, Any], index: int, output: Array, expected: Array, bounds: Array | None) -> bool:
    """Returns whether one output lies within the limits of the compliance block."""
    ordered = np.ascontiguousarray
    name = desc["ofm_name"][index]
    bound = None if bounds is None else ordered(bounds)
    checked: bool = _library().verify_data(name, desc["meta"]["compliance"], ordered(output), ordered(expected), bound)
    return checked


@cache
def _library() -> Any:
    import schemavalidation.schemavalidation as validation
    from checker.verifier import VerifierLibrary

    validation.TestDescSchemaValidator.validate_config = lambda *_arguments, **_options: None
    return VerifierLibrary(Path(_tool("VERIFY_LIBRARY")))


@cache
def _tool(kind: str) -> str:
    import conformance.model_files as files

    return str(files.find_tosa_file(files.TosaFileType[kind], None, False))
