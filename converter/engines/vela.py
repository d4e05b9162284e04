"""Vela, the compiler for Arm's Ethos-U: checks whether it takes a file, and estimates how long a run would take.

It computes nothing, so it is no engine.
"""

import csv
import shutil
import sys
from collections import Counter
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from tosa_converter.errors import MissingExtra, UnsupportedError, install_hint
from tosa_converter.formats.storage import temporary_folder
from tosa_converter.processes import output_of

# The number behind a name is that of multiplications in a cycle: ethos-u55-128 has 128.
ACCELERATORS = {"ethos-u55": "ethos-u55-128", "ethos-u65": "ethos-u65-256", "ethos-u85": "ethos-u85-256"}
BORDERS = ("Quantize", "Dequantize")  # they convert float inputs and outputs, on the CPU
SECONDS = 600  # for one file


class Estimate(NamedTuple):
    """The cycles of one run, as Vela estimates them, and the operators that it leaves to the CPU, counted by name."""

    cycles: float
    left: Counter[str]

    @property
    def whole(self) -> bool:
        """Whether nothing is left to the CPU, except QUANTIZE of float inputs and DEQUANTIZE of float outputs."""
        return not self.left.keys() - set(BORDERS)


def missing() -> list[str]:
    """Returns what this machine lacks to run Vela."""
    return [] if _command() else [f"Python package ethos-u-vela: {install_hint('vela')}"]


def _command() -> str | None:
    """Returns the path of the `vela` command, next to this Python or on the search path; None if there is none."""
    beside = Path(sys.executable).parent / "vela"
    return str(beside) if beside.exists() else shutil.which("vela")


def compile_file(path: str | PathLike[str], target: str) -> Estimate:
    """Compiles a file for an Ethos-U target (a key of `ACCELERATORS`) with Vela; returns its estimate of a run.

    The estimate comes from two tables that Vela writes: the cycles, and the operators that it leaves to the CPU.

    Raises:
        MissingExtra: Vela isn't installed.
        UnsupportedError: Vela refuses the file or fails.
    """
    command = _command()
    if command is None:
        raise MissingExtra("compiling for Ethos-U", "vela")
    with temporary_folder() as folder:
        arguments = [command, path, "--accelerator-config", ACCELERATORS[target], "--output-dir", folder]
        process = output_of([*arguments, "--verbose-performance"], timeout=SECONDS)
        if process.returncode:
            lines = [
                line.strip()
                for line in (process.stdout + process.stderr).decode(errors="replace").splitlines()
                if line.strip()
            ]
            raise UnsupportedError(f"Vela refuses {path}", *lines[-1:])
        (summary,) = Path(folder).glob("*_summary_*.csv")
        (layers,) = Path(folder).glob("*_per-layer.csv")
        left = Counter(row["Original Operator"] for row in _read_csv(layers) if row["Target"] == "CPU")
        return Estimate(float(_read_csv(summary)[0]["cycles_total"]), left)


def _read_csv(path: Path) -> list[dict[str, str]]:
    """Returns the rows of a CSV file, each as a dictionary by column name."""
    with path.open(newline="") as file:
        return list(csv.DictReader(file))
