"""Many models in one command, folders of them, and models through pipes."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.commands import COMMAND, FLOAT, INT8, MODELS, command, refused, unwrapped
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.schemas.tflite import BuiltinOperator

SIGNATURES = MODELS / "signatures_int8.tflite"


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def single(folder: Path, source: Path, *words: str) -> bytes:
    """What one command makes of a model."""
    path = folder / f"single{'.spv' if 'spv' in words else '.tosa'}"
    assert command(source, "-o", path, *words) == 0
    return path.read_bytes()


def test_several_models(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same bytes as by single commands, a line for each in order, and a summary."""
    out = tmp_path / "new" / "out"
    assert command(INT8, FLOAT, "-o", out, "--jobs", "2") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0:3:2] for line in lines if line.startswith("converted ")] == [["converted", "ms"]] * 2
    words = " ".join(" ".join(lines).split())
    for source, counts in ((INT8, "9 -> 52 operators, needs PRO-INT, EXT-DOUBLEROUND"), (FLOAT, "9 -> ")):
        assert f"{source} -> {out}/{source.stem}.tosa {counts}" in words
    assert lines[-1].startswith("2 models: 2 converted in ")
    assert files(out) == {"digits_int8.tosa", "digits_float32.tosa"}
    for source in (INT8, FLOAT):
        assert (out / f"{source.stem}.tosa").read_bytes() == single(tmp_path, source)


def test_a_folder_with_folders_in_another_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "in"
    (source / "deep").mkdir(parents=True)
    shutil.copy(INT8, source / "a.tflite")
    shutil.copy(INT8, source / "deep" / "a.TFLITE")
    (source / "notes.txt").touch()
    assert command(source, "-o", tmp_path / "out", "--format", "spv", "--numerics=compact", "--json") == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["outcome"], row["status"], row["conversion"]["numerics"]) for row in rows] == [
        ("converted", 0, "compact")
    ] * 2
    constants = {"a.constants.npz", "deep/a.constants.npz"}
    assert files(tmp_path / "out") == {"a.spv", "deep/a.spv", *constants}
    expected = single(tmp_path, INT8, "--format", "spv", "--numerics", "compact")
    assert {(tmp_path / "out" / name).read_bytes() for name in ("a.spv", "deep/a.spv")} == {expected}


@pytest.mark.parametrize("kind", ["mlir", "tflite", "vgf", "xnn"])
def test_formats(tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    if kind == "vgf":
        pytest.importorskip("vgfpy", reason="the VGF library is not installed")
    (tmp_path / "out").mkdir()
    assert command(INT8, "-o", tmp_path / "out", "--format", kind) == 0
    opset = {"tflite": "tfl", "xnn": "xnn"}.get(kind, "tosa")
    assert tc.load(tmp_path / "out" / f"digits_int8.{kind}").opset == opset
    assert "1 converted" in capsys.readouterr().out


def test_the_status_is_the_worst(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    custom = Operator(BuiltinOperator.CUSTOM, (0,), (1,), custom_code="Mystery\x1b[2J\nforged")
    (tmp_path / "mystery.tflite").write_bytes(build([Tensor((4,)), Tensor((4,))], [custom], (0,), (1,)))
    (tmp_path / "damaged\x1b[2J\n.tflite").write_bytes(b"\0" * 64)
    models = (INT8, tmp_path / "missing.tflite", tmp_path / "damaged\x1b[2J\n.tflite", tmp_path / "mystery.tflite")
    assert command(*models, "-o", tmp_path / "out/") == 4
    out, error = map(unwrapped, capsys.readouterr())
    assert error == ""
    assert "\x1b" not in out
    lines = out.splitlines()
    assert [line.split()[0] for line in lines] == ["converted", "failed", "failed", "refused", "4"]
    assert "No such file" in lines[1]
    assert "beginning with" in lines[2]
    assert "'Mystery\\x1b[2J\\nforged' is not known" in lines[3]
    assert lines[4].startswith("4 models: 2 failed, 1 converted, 1 refused in ")
    assert files(tmp_path / "out") == {"digits_int8.tosa"}


def test_a_model_that_crashes_and_one_that_hangs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "hangs.tflite")
    custom = Operator(BuiltinOperator.CUSTOM, (0,), (1,), custom_code="Crash")
    (tmp_path / "crashes.tflite").write_bytes(build([Tensor((4,)), Tensor((4,))], [custom], (0,), (1,)))
    plugin = tmp_path / "plugin.py"
    plugin.write_text(
        "import os\nfrom tosa_converter import Rule\n"
        "RULES = [Rule('custom.Crash', 'fp32', lambda match: os.kill(os.getpid(), 11))]"
    )
    models = (tmp_path / "hangs.tflite", tmp_path / "crashes.tflite", INT8)
    assert command(*models, "-o", tmp_path / "out", "--plugin", plugin, "--timeout", "8", "--jobs", "2") == 1
    lines = unwrapped(capsys.readouterr().out).splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["timeout", "crashed", "converted"]
    assert lines[0].endswith("took more than 8 s")
    assert "SIGSEGV" in lines[1]
    assert files(tmp_path / "out") == {"digits_int8.tosa"}


def test_what_is_refused_before_anything_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder in ("a", "b", "empty"):
        (tmp_path / folder).mkdir()
    for name in ("a/m.tflite", "b/m.tflite"):
        shutil.copy(INT8, tmp_path / name)
    (tmp_path / "file").touch()
    a, b, out = tmp_path / "a" / "m.tflite", tmp_path / "b" / "m.tflite", tmp_path / "out"
    for words, message in (
        ((a, b, "-o", out), "m.tosa would also be that of "),
        ((a, a, "-o", out), "would also be that of"),
        ((tmp_path / "a", tmp_path / "b", "-o", out), "would also be that of"),
        ((a, INT8, "-o", tmp_path / "a", "--format", "tflite"), "would replace the model"),  # the source itself
        ((a, INT8, "-o", tmp_path / "out.tosa"), "out.tosa: expected a folder"),
        ((a, INT8, "-o", tmp_path / "file"), "file: expected a folder"),
        ((tmp_path / "a", "-o", tmp_path / "out.tosa"), "expected a folder"),
        ((tmp_path / "empty", "-o", out), "expected files ending in .tflite, .xnn, .pte, found none"),
        ((tmp_path / "none", "-o", f"{out}/", "--format", "onnx"), "found .onnx"),
        ((a, INT8, "-o", out, "--dump-ir", tmp_path / "ir"), "--dump-ir needs a single model"),
        ((a, INT8, "--partial", out), "--partial needs a single model"),
        ((a, "-", "-o", out), "-: standard input can't be one of several models"),
        ((a, INT8, "-o", "-", "--format", "tosa"), "-: expected a folder"),
        ((a, INT8, "-o", out, "--jobs", "-1"), "--jobs: expected a number from 0 on, found '-1'"),
    ):
        assert message in refused(capsys, tmp_path, 2, *words)
    assert files(tmp_path) == {"a/m.tflite", "b/m.tflite", "file"}


def test_files_of_signatures_are_nobody_elses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`m.tflite` becomes `m.encode.spv` and two more, which no other model may become, or be."""
    out = tmp_path / "out"
    for folder, name, source in (
        ("a", "m", SIGNATURES),
        ("a", "m.encode", INT8),
        ("b", "m", SIGNATURES),
        ("b", "m.int8", INT8),
        ("b", "other.mix", INT8),
        ("c", "m", SIGNATURES),
        ("c", "m.odd", INT8),
    ):
        (tmp_path / folder).mkdir(exist_ok=True)
        shutil.copy(source, tmp_path / folder / f"{name}.tflite")
    (tmp_path / "c" / "m.odd.tflite").write_bytes(b"nonsense")
    text = refused(capsys, tmp_path, 2, tmp_path / "a", "-o", out, "--format", "spv")
    assert "m.encode.spv would also be that of " in text
    assert command(tmp_path / "a", "-o", out) == 0  # .tosa has all in one
    assert files(out) == {"m.tosa", "m.encode.tosa"}
    out = tmp_path / "spv"
    assert command(tmp_path / "b", "-o", out, "--format", "spv") == 0
    modules = {name for name in files(out) if name.endswith(".spv")}
    assert modules == {"m.classify.spv", "m.encode.spv", "m.mix.spv", "m.int8.spv", "other.mix.spv"}
    place = tmp_path / "c"
    shutil.copy(out / "m.encode.spv", place)
    capsys.readouterr()
    text = refused(capsys, place, 2, place, place / "m.encode.spv", "-o", place, "--format", "spv")
    assert "m.encode.spv would replace the model " in text
    assert command(place, "-o", tmp_path / "odd", "--format", "spv") == 3  # of what can't be read


def test_folders_that_can_not_be_read_or_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "Not a directory" in refused(capsys, tmp_path, 2, INT8, FLOAT, "-o", "/dev/null/out")
    (tmp_path / "closed").mkdir()
    scandir = os.scandir

    def closed(path: str) -> object:  # root may read any
        if "closed" in path:
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr("tosa_converter.formats.storage.os.scandir", closed)
    error = refused(capsys, tmp_path, 2, tmp_path, "-o", tmp_path / "out")
    assert error == f"error: {tmp_path}/closed: Permission denied\n"


def test_a_folder_that_is_very_deep(tmp_path: Path) -> None:
    """As deep as paths go, which is more than Python's stack."""
    start_folder = os.getcwd()
    try:
        os.chdir(tmp_path)
        for _ in range(3000):
            os.mkdir("d")
            os.chdir("d")
    finally:
        os.chdir(start_folder)
    assert command(tmp_path, "-o", tmp_path / "out") == 2
    subprocess.run(["rm", "-rf", tmp_path / "d"], timeout=60, check=True)


# ** pipes **


def piped(*words: object, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*COMMAND, *map(str, words)], input=stdin, capture_output=True, timeout=60, check=False)


def test_from_a_pipe_to_a_pipe(tmp_path: Path) -> None:
    expected = single(tmp_path, INT8)
    done = piped("-", "-o", "-", "--format", "tosa", stdin=INT8.read_bytes())
    assert (done.returncode, done.stdout) == (0, expected)
    lines = done.stderr.decode().splitlines()
    assert lines[0] == "- -> -"
    assert f"{INT8.stat().st_size / 1024:.1f} KB -> {len(expected) / 1024:.1f} KB" in lines[2]
    typer = piped("convert", "-", "-o", "-", "--format=tosa", "--json", stdin=INT8.read_bytes())
    assert typer.stdout == expected
    assert json.loads(typer.stderr)["output"] == "-"
    text = piped(INT8, "-o", "-", "--format", "mlir").stdout
    (tmp_path / "m.mlir").write_bytes(text)
    assert tc.load(tmp_path / "m.mlir").opset == "tosa"
    done = piped("-", "-o", tmp_path / "x.bin", "--format", "tosa", stdin=INT8.read_bytes())
    assert (done.returncode, (tmp_path / "x.bin").read_bytes()) == (0, expected)


@pytest.mark.parametrize(
    ("words", "stdin", "status", "message"),
    [
        (("-", "-o", "-"), b"", 2, "-: standard output has no ending: expected --format"),
        (("-", "-o", "-", "--format", "tosa"), b"", 3, "an empty file"),
        (("-", "-o", "-", "--format", "tosa"), bytes(1 << 16), 3, "found 65536 bytes beginning with"),
        ((INT8, "-o", "-", "--format", "spv"), b"", 2, "a .spv has files beside it"),
        (
            (MODELS / "small" / "keywords.int8.tflite", "-o", "-", "--format", "tosa", "--state", "io"),
            b"",
            2,
            "-o FILE",
        ),
        (("nothing.tflite", "-o", "-", "--format", "tosa"), b"", 2, "No such file"),
    ],
)
def test_pipes_that_get_nothing(words: tuple[object, ...], stdin: bytes, status: int, message: str) -> None:
    done = piped(*words, stdin=stdin)
    assert (done.returncode, done.stdout) == (status, b"")
    error, *more = unwrapped(done.stderr.decode()).splitlines()
    assert message in error
    assert all(line.strip().startswith("next: ") for line in more)


def test_a_reader_that_has_had_enough_and_a_full_disk() -> None:
    line = [*COMMAND, str(SIGNATURES), "-o", "-", "--format", "tosa"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as done:
        assert done.stdout is not None
        done.stdout.close()
        assert done.wait(timeout=60) == 0
    if Path("/dev/full").exists():
        with open("/dev/full", "wb") as full:
            full_disk_run = subprocess.run(line, stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
        assert (full_disk_run.returncode, full_disk_run.stderr.count(b"\n")) == (2, 1)


def test_an_input_without_end() -> None:
    """What doesn't fit into memory is refused; a limit stands for a machine that has little. Devices aren't read."""
    code = "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
    code += "from tosa_converter.__main__ import process\nprocess()"
    line = [sys.executable, "-c", code, "-", "-o", "-", "--format", "tosa"]
    with open("/dev/zero", "rb") as zero:
        done = subprocess.run(line, stdin=zero, capture_output=True, timeout=60, check=False)
    assert done.stderr == b"error: standard input: expected a file or a pipe, found a device\n"
    with subprocess.Popen(["cat", "/dev/zero"], stdout=subprocess.PIPE) as endless:
        done = subprocess.run(line, stdin=endless.stdout, capture_output=True, timeout=60, check=False)
        endless.kill()
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) in ((1, b"", 1), (2, b"", 1))
    assert b"memory" in done.stderr
