"""The form of the command that Typer doesn't see prints, writes and exits as the same words through Typer."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest
from support.commands import FLOAT, INT8, unwrapped
from support.tflite_models import Operator, Tensor, build

from tosa_converter.cli import main as cli
from tosa_converter.cli.app import parse
from tosa_converter.cli.bare import COMMANDS, FLAGS, LISTS, VALUES, plain_arguments
from tosa_converter.schemas.tflite import BuiltinOperator

Both = Callable[..., tuple[int, str, str, dict[str, bytes]]]
HOSTILE = "\x1b[2J\nforged\u202e"


@pytest.fixture
def run_both_ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Both:
    """Runs words in both ways: (status, stdout, stderr, files) of each, times left out."""
    import time

    monkeypatch.setattr(time, "perf_counter", lambda: 0.0)

    def once(folder: Path, words: list[str], taken: bool) -> tuple[int, str, str, dict[str, bytes]]:
        folder.mkdir()
        monkeypatch.chdir(folder)
        assert (plain_arguments(words) is not None) or not taken
        monkeypatch.setattr(cli, "plain_arguments", plain_arguments if taken else lambda _: None)
        with pytest.raises(SystemExit) as exit:
            cli.main(words)
        files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        return int(exit.value.code or 0), *capsys.readouterr(), files

    def run(*words: object) -> tuple[int, str, str, dict[str, bytes]]:
        texts = [str(word) for word in words]
        bare, typer = once(tmp_path / "bare", texts, True), once(tmp_path / "typer", texts, False)
        assert bare == typer
        return bare

    return run


def unsupported(folder: Path) -> Path:
    custom = Operator(BuiltinOperator.CUSTOM, (0,), (1,), custom_code=f"Mystery{HOSTILE}")
    (folder / "custom.tflite").write_bytes(build([Tensor((4,)), Tensor((4,))], [custom], (0,), (1,)))
    return folder / "custom.tflite"


@pytest.mark.parametrize(
    "words",
    [
        (INT8, "-o", "m.tosa"),
        ("-o", "m.spv", FLOAT, "--debug-info"),
        (FLOAT, "--output=m.mlir", "--verbose", "--json"),
        (INT8, "-o", "m.tosa", "--io-type", "uint8", "--io-type=output_0=float32", "--io-layout", "image=nchw"),
        (FLOAT, "-o", "m.tosa", "--float", "bf16"),
        (FLOAT, "-o", "m.bin", "--format=mlir"),
        (INT8, "--partial", "m.parts"),
        (INT8, "-v", "-o", "m.tosa", "--input-shape", "image=2,8,8,1", "--target=pro-int,ext-doubleround,8k"),
        (INT8, "-o", "first.tosa", "-o", "m.tosa", "--numerics", "compact", "--dump-ir", "ir"),
        (INT8, "-o", "m.tosa", "--input-shape=image=3,8,8,1", "--numerics=", "--target", ""),
    ],
)
def test_conversions(run_both_ways: Both, words: tuple[Path | str, ...]) -> None:
    status, out, err, files = run_both_ways(*words)
    assert (status, err) == (0, "")
    assert out
    assert any(name.startswith("m.") for name in files)


@pytest.mark.parametrize("words", [("--explain", "main:0"), ("--json", "--explain=main:0")])
def test_explanations(run_both_ways: Both, words: tuple[str, ...]) -> None:
    status, out, err, files = run_both_ways(INT8, *words)
    assert (status, err, files) == (0, "", {})
    assert "accepted" in out


def test_an_explanation_of_a_model_that_is_refused(run_both_ways: Both, tmp_path: Path) -> None:
    assert run_both_ways(unsupported(tmp_path), "--explain", "all")[0] == 4


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ((INT8, "--explain", HOSTILE), 2),
        ((INT8, "--explain", ""), 2),
        (("nothing.tflite", "-o", "m.tosa"), 2),
        ((f"nothing{HOSTILE}", "-o", "m.tosa"), 2),
        (("", "-o", "m.tosa"), 2),
        ((INT8, "-o", "m.onnx"), 2),
        ((INT8, "-o", "m.tosa", "--format", "onnx"), 2),
        ((INT8, INT8, "-o", "m"), 2),
        ((INT8, "-o", "-"), 2),
        ((INT8, "-o", ""), 2),
        ((INT8, "-o", f"m.{HOSTILE}"), 2),
        ((INT8, "-o", "missing/m.tosa"), 2),
        ((INT8, "-o", "m.tosa", "--target", f"pro-{HOSTILE}"), 2),
        ((INT8, "-o", "m.tosa", "--numerics", HOSTILE), 2),
        ((INT8, "-o", "m.tosa", "--input-shape", "image"), 2),
        ((INT8, "-o", "m.tosa", "--input-shape", "nobody=1"), 2),
        ((INT8, "-o", "m.tosa", "--dump-ir", INT8), 2),
        ((__file__, "-o", "m.tosa"), 3),
        ((FLOAT, "-o", "m.tosa", "--target", "pro-int"), 4),
    ],
)
def test_refusals(run_both_ways: Both, words: tuple[Path | str, ...], status: int) -> None:
    assert run_both_ways(*words)[0] == status


def test_models_that_are_refused(run_both_ways: Both, tmp_path: Path) -> None:
    assert run_both_ways(unsupported(tmp_path), "-o", "m.tosa")[0] == 4


def test_bugs_and_a_machine_without_memory(run_both_ways: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(error: Exception) -> Callable[[object], NoReturn]:
        def load(*_: object, **_delegate: object) -> NoReturn:
            raise error

        return load

    for error, status in ((TypeError(HOSTILE), 70), (MemoryError(), 1)):
        monkeypatch.setattr("tosa_converter.cli.conversion.read_model", failing(error))
        monkeypatch.setattr("tosa_converter.errors.FRAMES", 2)  # those further out differ
        assert run_both_ways(INT8, "-o", "m.tosa")[0] == status
        for folder in ("bare", "typer"):
            os.rmdir(Path.cwd().parent / folder)


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--help",),
        ("m.tflite",),
        ("m.tflite", "-o"),
        ("m.tflite", "-o", "--json"),
        ("m.tflite", "-o", "m.tosa", "--help"),
        ("m.tflite", "-o", "m.tosa", "--verb"),
        ("m.tflite", "-o", "m.tosa", "--json=yes"),
        ("m.tflite", "-om.tosa"),
        ("m.tflite", "-o", "m.tosa", "--"),
        *((command, "-o", "m.tosa") for command in COMMANDS),
    ],
)
def test_what_is_left_to_typer(words: tuple[str, ...]) -> None:
    assert plain_arguments(words) is None


def test_every_option_of_a_conversion_is_known() -> None:
    import typer

    from tosa_converter.cli.app import _app

    group = typer.main.get_command(_app(["convert"]))
    assert isinstance(group, typer.core.TyperGroup)
    flags = {flag for option in group.commands["convert"].params for flag in option.opts if flag.startswith("-")}
    assert flags == {
        *VALUES,
        *LISTS,
        *FLAGS,
        "--delegate",
        "--jobs",
        "--limit",
        "--timeout",  # whose numbers Typer checks
        "--show-config",
        "--no-config",
    }


def test_typer_stays_out(tmp_path: Path) -> None:
    import subprocess

    code = "import sys, atexit; atexit.register(lambda: print('typer' in sys.modules, 'argparse' in sys.modules))\n"
    code += "from tosa_converter.cli.main import main; main(sys.argv[1:])"
    line = [sys.executable, "-c", code, str(INT8), "-o", str(tmp_path / "m.tosa")]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.splitlines()[-1] == "False False"


# ** what only Typer does **


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("inspct", "m.tosa"), 2, "error: tflite-to-tosa: no command is called 'inspct'; did you mean 'inspect'?"),
        (("m.tflite",), 2, "error: tflite-to-tosa convert: expected one of -o, --partial, --explain, found none"),
        (("inspect", INT8, "--tensor"), 2, "--tensors"),
        (("inspect",), 2, "error: tflite-to-tosa inspect: expected MODEL, found none"),
        (("inspect", INT8, HOSTILE), 2, "\\x1b[2J"),
        (("zoo", HOSTILE), 2, "error: tflite-to-tosa zoo: no command is called '\\x1b[2J"),
        (
            ("verify", INT8, "--runs", "0"),
            2,
            "error: tflite-to-tosa verify: --runs: expected a number from 1 to 100000, found '0'",
        ),
    ],
)
def test_usage_errors_are_a_line_and_what_to_do_next(
    capsys: pytest.CaptureFixture[str], words: tuple[Path | str, ...], status: int, message: str
) -> None:
    with pytest.raises(SystemExit) as exit:
        cli.main([str(word) for word in words])
    out, err = map(unwrapped, capsys.readouterr())
    first, *more = err.splitlines()
    assert (exit.value.code, out) == (status, "")
    assert message in first
    assert [line.strip()[:6] for line in more] in ([], ["next: "])
    assert err.startswith("error: ")


def test_help_without_words_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ([], ["zoo"]):
        assert parse(words)() == 2
        assert "COMMAND" in capsys.readouterr().out


def test_completion(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for line, expected in (
        ("tflite-to-tosa insp", "inspect"),
        ("tflite-to-tosa verify m --against litert,vul", "vulkan"),
    ):
        monkeypatch.setenv("_TFLITE_TO_TOSA_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
        monkeypatch.setenv("_TYPER_COMPLETE_ARGS", line)
        with pytest.raises(SystemExit) as exit:
            cli.main([])
        assert exit.value.code in (0, None)
        assert expected in capsys.readouterr().out
