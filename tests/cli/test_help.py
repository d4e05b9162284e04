"""Help that can be scanned, suggestions for mistyped words, and completion in shells."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.commands import INT8, MODELS, command, unwrapped

from tosa_converter.cli import app
from tosa_converter.cli.bare import COMMANDS
from tosa_converter.cli.fields import PANELS

PAGES = [(), *((name,) for name in COMMANDS), *(("zoo", name) for name in ("list", "fetch", "verify"))]


@pytest.mark.parametrize("words", PAGES, ids=" ".join)
def test_help_has_80_columns_and_no_types_of_python(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert command(*words, "--help") == 0
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 80
    for noise in ("<bool>", "<str>", "<int", "list[str]", "x>=", "<=x", "{MODEL", "…"):
        assert noise not in text


def test_panels_are_in_one_order(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    titles = {}
    for name in ("convert", "run", "verify", "diff"):
        command(name, "--help")
        lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("╭─ ")]
        titles[name] = [line.strip("╭╮─ ") for line in lines]
    assert titles == {
        "convert": ["Arguments", "Output", "Conversion", "Several models", "Report"],
        "run": ["Arguments", "Output", "Inputs", "Engine", "Report"],
        "verify": ["Arguments", "Inputs", "Conversion", "Comparison", "Report"],
        "diff": ["Arguments", "Inputs", "Comparison", "Report"],
    }


def test_every_panel_is_known() -> None:
    def leaves(group: Any) -> Any:
        for inner in group.commands.values():
            yield from leaves(inner) if hasattr(inner, "commands") else (inner,)

    shown = {parameter.rich_help_panel for leaf in leaves(app.every_command()) for parameter in leaf.params}
    assert shown - {None} == set(PANELS)


# ** suggestions **


@pytest.mark.parametrize(
    ("line", "message", "advice"),
    [
        ("version", "no command is called 'version'; did you mean '--version'?", "tflite-to-tosa --version"),
        ("help", "no command is called 'help'; did you mean '--help'?", "tflite-to-tosa --help"),
        ("verfy m.tflite", "did you mean 'verify'?", "tflite-to-tosa verify m.tflite"),
        ("list", "did you mean 'zoo list'?", "tflite-to-tosa zoo list"),
        ("zoo lst", "tflite-to-tosa zoo: no command is called 'lst'", "tflite-to-tosa zoo list"),
        ("transmogrify", "no command is called 'transmogrify'", "tflite-to-tosa --help"),
        ("m.tflite --tagret=x -o y", "did you mean '--target'?", "tflite-to-tosa m.tflite --target=x -o y"),
        ("run m.tflite --layers", "run: no option is called --layers", "--layers is an option of verify"),
        ("run m.tflite --backend x", "--backend is called --against now", "tflite-to-tosa run m.tflite --against x"),
        ("run m.tflite --backend=x", "--backend is called --against now", "tflite-to-tosa run m.tflite --against=x"),
        ("ops --nonsense", "no option is called --nonsense", "tflite-to-tosa ops --help"),
        ("verify", "expected MODEL, found none", "tflite-to-tosa verify --help"),
        (
            "verify m --runs",
            "--runs: expected a value, found none",
            "tflite-to-tosa verify --help",
        ),
        ("m.tflite -o", "convert: -o: expected a value, found none", "tflite-to-tosa convert --help"),
        ("verify m --runs x", "--runs: expected a number from 1 to 100000, found 'x'", ""),
        ("verify m --seed=-1", "--seed: expected a number from 0 on, found '-1'", ""),
    ],
)
def test_words_that_do_not_fit(line: str, message: str, advice: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(*line.split()) == 2
    first, *more = unwrapped(capsys.readouterr().err).splitlines()
    assert message in first
    assert len(more) == bool(advice)
    assert not advice or (more[0].strip().startswith("next: ") and advice in more[0])


def test_an_option_by_its_old_name_fails_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("run", INT8, "--backend", "litert", "--json") == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["message"] == "tflite-to-tosa run: --backend is called --against now"
    assert error["next"] == f"tflite-to-tosa run {INT8} --against litert --json"


# ** completion **

ENDS = [
    ("m.tflite -o m.tosa --tar", {"--target"}),
    ("-o m.tosa m.tflite --tar", {"--target"}),
    ("m.tflite -o m.tosa --target ethos-u5", {"ethos-u55"}),
    ("m.tflite -o m.tosa --target pro-int,ethos-u5", {"pro-int,ethos-u55"}),
    ("m.tflite -o m.tosa --float f", {"fp16"}),
    ("m.tflite -o m.tosa --control-flow k", {"keep"}),
    ("m.tflite -o m.to", set()),
    ("mod", set()),
    ("insp", {"inspect"}),
    ("--ver", {"--version"}),
    ("zoo verify --sam", {"--samples"}),
]


def completions(shell: str, line: str) -> str:
    """Returns what the script of a shell gets for a line: bash states words, the others the text."""
    words = ["tflite-to-tosa", *line.split(" ")]
    environment = {**os.environ, "_TFLITE_TO_TOSA_COMPLETE": f"complete_{shell}", "COMP_WORDS": "\n".join(words)}
    environment |= {"COMP_CWORD": str(len(words) - 1), "_TYPER_COMPLETE_ARGS": " ".join(words)}
    environment |= {"_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    code = "from tosa_converter.__main__ import process; process()"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_form_without_a_command_is_completed(shell: str) -> None:
    out = completions(shell, "m.tflite -o m.tosa --tar")
    assert "--target" in out
    assert "--tensors" not in out


@pytest.mark.parametrize(("line", "expected"), ENDS)
def test_completions(
    line: str, expected: set[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["tflite-to-tosa", *line.split(" ")]
    monkeypatch.setenv("_TFLITE_TO_TOSA_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "\n".join(words))
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    assert command() == 0
    assert set(capsys.readouterr().out.split()) == expected


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_completion_in_bash(tmp_path: Path) -> None:
    """The script that --show-completion prints is run by bash itself, as when a user types Tab."""
    program = tmp_path / "tflite-to-tosa"
    code = "from tosa_converter.__main__ import process; process()"
    program.write_text(f"#!/bin/sh\nexec {sys.executable} -c '{code}' \"$@\"\n")
    program.chmod(0o755)
    script = """
    eval "$(_TFLITE_TO_TOSA_COMPLETE=source_bash tflite-to-tosa)"
    COMP_WORDS=(tflite-to-tosa "$MODEL" -o m.tosa --tar)
    COMP_CWORD=4
    _tflite_to_tosa_completion tflite-to-tosa
    printf '%s\\n' "${COMPREPLY[@]}"
    complete -p tflite-to-tosa
    """
    environment = {
        **os.environ,
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "MODEL": str(MODELS / "digits_int8.tflite"),
    }
    bash = ["bash", "--norc", "-c", script]
    done = subprocess.run(bash, env=environment, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[0] == "--target"
    assert "-o default" in done.stdout.splitlines()[1]  # files where nothing completes
