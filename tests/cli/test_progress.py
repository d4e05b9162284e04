"""The stages of work that takes longer than a moment, on a terminal and nowhere else."""

import io
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from support import transcripts
from support.commands import command

import tosa_converter as tc
from tosa_converter.cli import verify
from tosa_converter.cli.progress import with_stages


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    transcripts.write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def work(seconds: float) -> Callable[..., str]:
    """A function of two stages."""

    def run(name: str, progress: Callable[[str], object] = lambda _: None) -> str:
        for stage in ("comparing operators", "running the source again"):
            progress(stage)
            time.sleep(seconds)
        return name

    return run


def on_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Standard error as a terminal, from now on: what captures output sets it anew before each test."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    return terminal


def test_a_stage_that_takes_long_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    assert with_stages(work(0.5), 0.1)("m") == "m"
    text = terminal.getvalue()
    assert text.index("comparing operators") < text.index("running the source again")


def test_what_is_quick_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    assert with_stages(work(0.0), 5)("m") == "m"
    assert terminal.getvalue() == ""


def test_what_is_piped_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert with_stages(work(0.1), 0.01)("m") == "m"
    assert capsys.readouterr() == ("", "")


def test_an_error_takes_the_bar_away(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)

    def fails(progress: Callable[[str], object]) -> None:
        progress("a stage")
        time.sleep(0.3)
        raise ValueError("wrong")

    with pytest.raises(ValueError, match="wrong"):
        with_stages(fails, 0.05)()
    assert "a stage" in terminal.getvalue()
    assert terminal.getvalue().count("\x1b[?25l") == terminal.getvalue().count("\x1b[?25h")  # the cursor


def test_every_stage_of_a_verification_has_a_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A difference makes further stages: the second look, and the comparison of operators for the screen."""
    assert folder.exists()
    stages: list[str] = []
    tc.verify("sum.tflite", layers=True, progress=stages.append)
    running = ["loading the model", "converting", "running the source in litert", "running the conversion in executor"]
    assert stages == [*running, "checking precision clauses", "comparing operators"]
    monkeypatch.setattr(verify, "with_stages", lambda function: partial(function, progress=stages.append))
    stages.clear()
    assert command("verify", "sum.tflite", "--plugin", "wrong.py") == 1
    assert list(dict.fromkeys(stages)) == [*running, "comparing operators"]
    stages.clear()
    assert command("verify", "sum.tflite", "-i", "x.npy", "--report", "page.html", "--extract", "parts") == 0
    assert stages[0] == "reading inputs"
    assert stages[-2:] == ["writing the page", "writing the operators that differ"]
