"""Mistyped names: the message about each has the name that it is most like, and the exit status stays."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.commands import INT8, MODELS, command, unwrapped

import tosa_converter as tc
from tosa_converter.errors import LONGEST_COMPARED, MOST_COMPARED, closest_name, did_you_mean, list_names

SIGNATURES = MODELS / "signatures_int8.tflite"
MISTYPED = [
    (("version",), "did you mean '--version'?"),
    (("help",), "did you mean '--help'?"),
    (("verfy", "m.tosa"), "did you mean 'verify'?"),
    (("zoo", "lst"), "did you mean 'list'?"),
    ((INT8, "-o", "a.tosa", "--taget", "ethos-u85"), "did you mean '--target'?"),
    (("inspect", INT8, "--chek"), "did you mean '--check'?"),
    ((INT8, "-o", "a.tosa", "--target", "ethos-u58"), "found 'ethos-u58'; did you mean 'ethos-u85'?"),
    ((INT8, "-o", "a.tosa", "--target", "pro-int,ext-itn16"), "did you mean 'ext-int16'?"),
    ((INT8, "-o", "a.tosa", "--numerics", "refrence"), "did you mean 'reference'?"),
    ((INT8, "-o", "a.tosa", "--io-type", "flaot32"), "did you mean 'float32'?"),
    ((INT8, "-o", "a.tosa", "--io-type", "imag=int8"), "did you mean 'image'?"),
    ((INT8, "-o", "a.tosa", "--input-shape", "imgae=1,8,8,1"), "did you mean 'image'?"),
    ((INT8, "-o", "a.tos"), "did you mean '.tosa'?"),
    ((INT8, "--explain", "CNV_2D"), "did you mean 'CONV_2D'? There are"),
    ((SIGNATURES, "-o", "a.tosa", "--signature", "clasify"), "did you mean 'classify'?"),
    (("run", INT8, "--against", "litrt"), "did you mean 'litert'?"),
    (("run", INT8, "--input", f"imag={INT8}"), "did you mean 'image'?"),
    (("run", INT8, "--image", f"imag={INT8}"), "did you mean 'image'?"),
    (("verify", INT8, "--against", "executer"), "did you mean 'executor'?"),
    (("opt", "m.tosa", "-o", "n.tosa", "--passes", "simplfy"), "did you mean 'simplify'?"),
    (("ops", "CNV_2D"), "did you mean 'CONV_2D'?"),
]


@pytest.mark.parametrize(("words", "text"), MISTYPED, ids=[" ".join(map(str, row[0]))[-40:] for row in MISTYPED])
def test_mistyped_words(
    words: tuple[object, ...],
    text: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    tc.save(tc.convert(INT8), "m.tosa")
    assert command(*words) == 2
    assert text in unwrapped(capsys.readouterr().err)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.tosa"]


def test_a_missing_file_beside_one_of_a_similar_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert command("inspect", "modle.tflite") == 2
    assert unwrapped(capsys.readouterr().err) == "error: modle.tflite: No such file or directory\n"
    Path("model.tflite").write_bytes(b"")
    assert command("inspect", "modle.tflite") == 2
    assert unwrapped(capsys.readouterr().err).endswith("No such file or directory; did you mean 'model.tflite'?\n")
    with pytest.raises(tc.UsageError, match=f"did you mean '{tmp_path}/model.tflite'"):
        tc.load(tmp_path / "Model.tflit")
    with pytest.raises(tc.UsageError, match=r"No such file or directory$"):
        tc.load(tmp_path / "nowhere" / "model.tflite")


def test_operators_with_a_word_in_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("ops", "conv2d") == 0
    lines = capsys.readouterr().out.splitlines()
    assert all("conv" in line.split()[0].casefold() for line in lines if not line.split()[0].isdecimal())
    assert {line.split()[0] for line in lines} >= {"tfl.conv_2d", "xnn.conv_2d", "CONV2D", "TRANSPOSE_CONV2D"}


def test_names_are_compared_in_any_case_and_within_bounds() -> None:
    assert closest_name("CONV2D", ["conv_2d", "add"]) == "conv_2d"
    assert did_you_mean("xyz", ["add"]) == ""
    assert closest_name("x" * (LONGEST_COMPARED + 1), ["x" * LONGEST_COMPARED]) == ""
    assert closest_name("addd", ["x" * 1_000_000, "add"]) == "add"
    assert closest_name("addd", [*(f"{i:09}" for i in range(MOST_COMPARED)), "add"]) == ""


@pytest.mark.parametrize("count", [0, 1, 2, 9, 10, 11, 12])
def test_ten_names_are_listed(count: int) -> None:
    names = [f"n{i}" for i in range(min(count, 10))] + [f"and {count - 10} more"] * (count > 10)
    assert list_names(f"n{i}" for i in range(count)) == (", ".join(names) if count else "none")


def test_names_are_compared_only_in_failures() -> None:
    """`difflib` takes milliseconds to import."""
    words = f"'{INT8}', '-o', '/dev/null', '--format', 'tosa'"
    program = (
        f"import sys; from tosa_converter.cli.main import _status; print(_status([{words}]), 'difflib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "0 False"
