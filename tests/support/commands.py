"""Runs the command in this process, on small models."""

import os
import re
import signal
import sys
from pathlib import Path

import pytest

from tosa_converter.cli.main import main

ROOT = Path(__file__).parents[2]
MODELS = ROOT / "models"
FLOAT, INT8 = MODELS / "digits_float32.tflite", MODELS / "digits_int8.tflite"
COMMAND = (sys.executable, "-m", "tosa_converter")


def command(*words: object) -> int:
    """Returns the exit status of the command, run in this process."""
    with pytest.raises(SystemExit) as exit:
        main([str(word) for word in words])
    return int(exit.value.code or 0)


def restore_interrupts() -> None:
    """Lets interrupts and hang-ups end a child process, even if this process was started with them ignored."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def unwrapped(text: str) -> str:
    """Returns what a command prints with lines joined that go on in the next one."""
    return re.sub(r"(?: \\)?\n {4,}", " ", text)


def refused(capsys: pytest.CaptureFixture[str], folder: Path, status: int, *words: object) -> str:
    """Returns the error of a command that must fail, after checking that it left no file."""
    before = sorted(os.listdir(folder)) if folder.exists() else None
    assert command(*words) == status
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    assert (sorted(os.listdir(folder)) if folder.exists() else None) == before
    return unwrapped(err)
