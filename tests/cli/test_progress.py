"""The stages of work that takes longer than a moment, on a terminal and nowhere else."""

import io
import sys
import time
from collections.abc import Callable

import pytest

from tosa_converter.cli.progress import with_stages


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
