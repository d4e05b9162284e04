"""Runs every command once on valid files, so that forked children import nothing."""

import contextlib
import gc
import io
import os
import tempfile
from pathlib import Path

import numpy as np
from hostile.judge import EVERYTHING
from hostile.seeds import SEEDS

from tosa_converter.cli.main import main

WORDS = ["inspect {} --tensors", "convert {} -o out.tosa", "convert {} -o out.mlir", "convert {} -o out.spv"]
WORDS += ["convert {} -o out.vgf", "inspect out.tosa --check " + " ".join(EVERYTHING), "run out.tosa -o out.npz"]


def warm() -> None:
    """Imports and compiles what commands need, then freezes memory, which children copy when they write to it."""
    with tempfile.TemporaryDirectory() as folder:
        previous_folder = os.getcwd()
        os.chdir(folder)
        for kind in ("tflite", "tosa", "spv", "vgf", "xnn", "mlir", "mlirbc", "pte"):
            for name, content in SEEDS[kind](np.random.default_rng(1)).items():
                Path(name).write_bytes(content)
            for words in WORDS:
                _quietly(words.format(f"m.{kind}").split())
        os.chdir(previous_folder)
    gc.freeze()
    gc.disable()


def _quietly(words: list[str]) -> None:
    quiet = io.StringIO()
    with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet), contextlib.suppress(SystemExit):
        main(words)
