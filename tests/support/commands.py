"""The command in this process, and the small models that it is tried on."""

import os
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
    """The exit status of the command, in this process."""
    with pytest.raises(SystemExit) as exit:
        main([str(word) for word in words])
    return int(exit.value.code or 0)


def heeding() -> None:
    """Before a child begins: interrupts count in it, also where this process was started with them ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def refused(capsys: pytest.CaptureFixture[str], folder: Path, status: int, *words: object) -> str:
    """A command that must fail: its error, after checking that it left nothing behind."""
    before = sorted(os.listdir(folder)) if folder.exists() else None
    assert command(*words) == status
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    assert (sorted(os.listdir(folder)) if folder.exists() else None) == before
    return err
