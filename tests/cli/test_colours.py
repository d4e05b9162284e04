"""Colours: only the gate writes them, on terminals that show them, whatever names hold."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.commands import COMMAND, INT8
from support.tflite_models import Operator, Tensor, build

from tosa_converter.cli import printing
from tosa_converter.cli.printing import ADVICE, BAD, GOOD, Line, Styled, complain_of, plain, show
from tosa_converter.errors import UsageError
from tosa_converter.schemas.tflite import BuiltinOperator

REPORT: list[Line] = [[Styled("PASS", GOOD), "  m.tflite"], "plain"]
IN_COLOUR = "\x1b[1;32mPASS\x1b[0m  m.tflite\nplain\n"
IN_BLACK = "PASS  m.tflite\nplain\n"


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def shown(lines: list[Line], stream: io.StringIO, monkeypatch: pytest.MonkeyPatch, **environment: str) -> str:
    """Returns what a stream gets of a report; the environment has no other variable on colours."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", stream)
    show(lines)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("environment", "on_terminal", "in_pipe"),
    [
        ({"TERM": "xterm"}, IN_COLOUR, IN_BLACK),
        ({}, IN_COLOUR, IN_BLACK),
        ({"TERM": "xterm", "NO_COLOR": "1"}, IN_BLACK, IN_BLACK),
        ({"TERM": "xterm", "NO_COLOR": ""}, IN_COLOUR, IN_BLACK),
        ({"TERM": "dumb"}, IN_BLACK, IN_BLACK),
        ({"TERM": "xterm", "FORCE_COLOR": "1"}, IN_COLOUR, IN_COLOUR),
        ({"TERM": "xterm", "FORCE_COLOR": ""}, IN_BLACK, IN_BLACK),
        ({"TERM": "xterm", "FORCE_COLOR": "1", "NO_COLOR": "1"}, IN_BLACK, IN_BLACK),
    ],
    ids=str,
)
def test_where_colours_are_shown(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], on_terminal: str, in_pipe: str
) -> None:
    assert shown(REPORT, Terminal(), monkeypatch, **environment) == on_terminal
    assert shown(REPORT, io.StringIO(), monkeypatch, **environment) == in_pipe


def test_colours_are_those_of_the_library_that_prints_the_help(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library is the judge of when a stream shows colours."""
    from rich.console import Console

    for environment in ({}, {"TERM": "dumb"}, {"NO_COLOR": "1"}, {"FORCE_COLOR": "1"}, {"FORCE_COLOR": ""}):
        for stream in (Terminal(), io.StringIO()):
            ours = "\x1b" in shown(REPORT, stream, monkeypatch, **{"TERM": "xterm", **environment})
            console = Console(file=type(stream)())
            assert ours == (console.color_system is not None and not console.no_color), (environment, type(stream))


def test_a_name_can_not_colour_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    hostile = "\x1b[1;32mPASS\x1b[0m\r\nPASS"
    text = shown([[Styled(f"FAIL {hostile}", BAD), hostile], hostile], Terminal(), monkeypatch)
    assert re.findall(r"\x1b[^m]*m", text) == ["\x1b[1;31m", "\x1b[0m"]
    assert text.count("\n") == 2
    assert "\r" not in text


def test_an_error_and_its_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    assert complain_of(UsageError("wrong \x1b[0m", "a detail", "next: do \x1b[0m that", "  next: it")) == 2
    assert terminal.getvalue().splitlines() == [
        f"\x1b[{BAD}merror:\x1b[0m wrong \\x1b[0m",
        "  a detail",
        f"  \x1b[{ADVICE}mnext:\x1b[0m it",
        f"  \x1b[{ADVICE}mnext:\x1b[0m do \\x1b[0m that",
    ]


def test_the_text_of_a_line() -> None:
    assert plain("a") == "a"
    assert plain(["a", Styled("b", GOOD), "c"]) == "abc"


pty = pytest.importorskip("pty", reason="needs pseudo-terminals")


def on_terminal(words: Sequence[object], **environment: str) -> tuple[int, str]:
    """Returns the status of a command on a pseudo-terminal, and all that it writes there."""
    primary, secondary = pty.openpty()
    variables = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    variables |= {"TERM": "xterm", "COLUMNS": "80", **environment}
    with subprocess.Popen([*COMMAND, *map(str, words)], stdout=secondary, stderr=secondary, env=variables) as process:
        os.close(secondary)
        pieces = []
        while True:
            try:
                piece = os.read(primary, 65536)
            except OSError:  # Linux's answer when the other side is closed
                break
            if not piece:
                break
            pieces.append(piece)
    os.close(primary)
    return process.returncode, b"".join(pieces).decode()


def report_of(text: str, word: str) -> str:
    """Returns what a terminal gets from the verdict on: a progress bar may stand in front of it."""
    return text[text.index(word) :]


def test_verify_on_a_terminal(tmp_path: Path) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    status, text = on_terminal(["verify", INT8])
    assert status == 0
    assert report_of(text, "\x1b[1;32mPASS\x1b[0m  ").startswith(f"\x1b[1;32mPASS\x1b[0m  {INT8}")
    assert "\x1b[1;32mequal\x1b[0m" in text
    for words, environment in ((["verify", INT8], {"NO_COLOR": "1"}), (["verify", INT8, "--json"], {})):
        status, text = on_terminal(words, **environment)
        assert status == 0
        assert "\x1b[1;3" not in text
    done = subprocess.run([*COMMAND, "verify", INT8], capture_output=True, check=True, timeout=120)
    assert b"\x1b" not in done.stdout
    name = "\x1b[1;32mPASS\x1b[0m y"
    path = tmp_path / "m.tflite"
    tensors = [Tensor((4,), name=f"x{name}"), Tensor((4,), name=name)]
    path.write_bytes(build(tensors, [Operator(BuiltinOperator.NEG, (0,), (1,))], (0,), (1,)))
    status, text = on_terminal(["verify", path, "-v"])
    assert status == 0
    coloured = re.findall(r"\x1b\[1;32m(.*?)\x1b\[0m", report_of(text, "\x1b[1;32mPASS"))
    assert coloured == ["PASS", "equal"]
    assert "\\x1b[1;32mPASS\\x1b[0m y" in text


def test_the_gate_is_the_only_place_of_colours() -> None:
    """No other file of the command writes an escape character."""
    folder = Path(printing.__file__).parent
    names = [path.name for path in sorted(folder.glob("*.py")) if re.search(r"\\x1b|\\033|\\u001b", path.read_text())]
    assert names == ["printing.py"]
