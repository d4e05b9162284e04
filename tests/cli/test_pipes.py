"""A dash as a model reads standard input, and as an output writes to standard output, in every command."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.commands import INT8, command, unwrapped

import tosa_converter as tc

Piped = Callable[..., int]


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch) -> Piped:
    """Returns a function that runs a command with a file as standard input."""

    def run(path: Path, *words: object) -> int:
        with open(path) as stream:
            monkeypatch.setattr(sys, "stdin", stream)
            return command(*words)

    return run


@pytest.fixture
def tosa(tmp_path: Path) -> Path:
    tc.save(tc.convert(INT8), tmp_path / "m.tosa")
    return tmp_path / "m.tosa"


COMMANDS: dict[str, tuple[object, ...]] = {
    "convert": ("-", "-o", "out.tosa"),
    "convert --partial": ("-", "--partial", "parts"),
    "convert --explain": ("-", "--explain", "0"),
    "inspect": ("inspect", "-"),
    "inspect --check": ("inspect", "-", "--check"),
    "run": ("run", "-"),
    "verify": ("verify", "-"),
    "verify of two": ("verify", "-", "m.tosa"),
    "diff, the first": ("diff", "-", "m.tosa"),
    "diff, the second": ("diff", INT8, "-"),
    "extract": ("extract", "-", "-o", "out.tflite"),
    "show": ("show", "-", "--svg", "out.svg"),
    "show of two": ("show", "m.tosa", "-", "--svg", "out.svg"),
}


@pytest.mark.usefixtures("tosa")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_model_from_standard_input(
    name: str, piped: Piped, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The report is that of the file, with - for its name."""
    if not {"verify", "diff"}.isdisjoint(name.replace(",", "").split()) or name == "run":
        pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("time.perf_counter", lambda: 0.0)
    assert piped(INT8, *COMMANDS[name]) == 0
    piped_report = capsys.readouterr().out
    assert command(*(INT8 if word == "-" else word for word in COMMANDS[name])) == 0
    # A shorter name breaks lines elsewhere.
    report = capsys.readouterr().out.replace(str(INT8), "-")
    assert piped_report.replace(str(INT8), "-").split() == report.split()
    assert "standard-input" not in piped_report


@pytest.mark.parametrize(
    "words", [("opt", "-", "-o", "out.tosa"), ("run", "-"), ("inspect", "-", "--check")], ids=" ".join
)
def test_tosa_from_standard_input(
    words: tuple[str, ...], tosa: Path, piped: Piped, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert piped(tosa, *words) == 0


def test_a_second_model_from_standard_input(tosa: Path, piped: Piped, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    assert piped(tosa, "verify", INT8, "-") == 0
    assert "standard-input" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "words", [("diff", "-", "-"), ("verify", "-", "-"), ("show", "-", "-", "--svg", "a.svg")], ids=" ".join
)
def test_standard_input_is_read_once(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert command(*words) == 2
    assert unwrapped(capsys.readouterr().err) == "error: -: standard input can be only one of the models\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_malformed_standard_input(
    name: str, piped: Piped, tosa: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tosa.parent)
    Path("cut").write_bytes(INT8.read_bytes()[:100])
    assert piped(Path("cut"), *COMMANDS[name]) == 3
    assert unwrapped(capsys.readouterr().err).startswith("error: -: Model.")
    assert {path.name for path in tosa.parent.iterdir()} == {"cut", "m.tosa"}


@pytest.mark.parametrize("command_name", ["opt", "extract"])
def test_a_model_to_standard_output(
    command_name: str, tosa: Path, piped: Piped, capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    assert command(command_name, tosa, "-o", tmp_path / "expected.tosa") == 0
    capfdbinary.readouterr()
    assert piped(tosa, command_name, "-", "-o", "-", "--format", "tosa", "--json") == 0
    content, report = capfdbinary.readouterr()
    assert content == (tmp_path / "expected.tosa").read_bytes()
    figures = json.loads(report)
    assert (figures["source"], figures["output"]) == ("-", "-")


def test_a_drawing_to_standard_output(capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path) -> None:
    assert command("show", INT8, "--svg", tmp_path / "a.svg") == 0
    capfdbinary.readouterr()
    assert command("show", INT8, "--svg", "-", "--json") == 0
    content, report = capfdbinary.readouterr()
    assert content == (tmp_path / "a.svg").read_bytes()
    assert json.loads(report) == {"models": [str(INT8)], "output": "-", "output_bytes": len(content)}


@pytest.mark.parametrize("words", [("opt", "-", "-o", "-"), ("extract", "-", "-o", "-")], ids=" ".join)
def test_standard_output_needs_a_format(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert command(*words) == 2
    assert "expected --format" in unwrapped(capsys.readouterr().err)


def test_a_module_whose_constants_are_in_another_file(
    tmp_path: Path, piped: Piped, capsys: pytest.CaptureFixture[str]
) -> None:
    tc.save(tc.convert(INT8), tmp_path / "m.spv")
    assert piped(tmp_path / "m.spv", "inspect", "-") == 3
    first, second = unwrapped(capsys.readouterr().err).splitlines()
    assert first.startswith("error: -: the module has graph constants")
    assert second == "  next: give the module's path, or write a .vgf, which holds its constants"
    tc.save(tc.convert(INT8), tmp_path / "m.vgf")
    assert piped(tmp_path / "m.vgf", "inspect", "-", "--asm") == 0


def test_adapters_read_a_file_of_standard_input(tosa: Path, piped: Piped, monkeypatch: pytest.MonkeyPatch) -> None:
    served: dict[str, Any] = {}
    monkeypatch.setattr("tosa_converter.cli.show.serve", lambda _files, **options: served.update(options))
    assert piped(tosa, "show", "-", "--adapters") == 0
    assert Path(served["paths"][0]).read_bytes() == tosa.read_bytes()


def test_a_page_replaces_no_model(tosa: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nor does a picture; and a page doesn't go to standard output, where the report is."""
    content = tosa.read_bytes()
    for words in (
        ("verify", INT8, tosa, "--report", tosa),
        ("verify", tosa, "--report", tmp_path / "." / "m.tosa"),
        ("show", tosa, "--svg", tosa),
        ("show", INT8, tosa, "--svg", tosa),
        ("verify", INT8, "--report", "-"),
    ):
        assert command(*words) == 2
        assert tosa.read_bytes() == content
    assert "expected a file for the page, found -" in unwrapped(capsys.readouterr().err)
