"""The command in odd surroundings: names that aren't Unicode, pipes, links, numbers that JSON lacks."""

import json
import math
import os
import subprocess
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest
from support.commands import COMMAND, FLOAT, INT8, command, refused
from support.tflite_models import Operator, Tensor, build

from tosa_converter.figures import as_json
from tosa_converter.schemas.tflite import BuiltinOperator


def strict(text: str) -> Any:
    """JSON without the three words that Python adds to it."""

    def refuse(word: str) -> NoReturn:
        raise AssertionError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)


def test_json_has_no_infinities(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert strict(as_json({"a": [math.inf, (-math.inf, 1.5)], "b": math.nan})) == {
        "a": [None, [None, 1.5]],
        "b": None,
    }
    model = tmp_path / "log.tflite"
    model.write_bytes(build([Tensor((1, 4)), Tensor((1, 4))], [Operator(BuiltinOperator.LOG, (0,), (1,))], (0,), (1,)))
    np.save(tmp_path / "x.npy", np.array([[0, -1, np.inf, 1]], np.float32))
    command(model, "-o", tmp_path / "log.tosa")
    capsys.readouterr()
    assert command("run", tmp_path / "log.tosa", "-i", tmp_path / "x.npy", "--json") == 0
    assert strict(capsys.readouterr().out)["outputs"][0]["max"] is None
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    assert command("verify", INT8, "--json") == 0
    assert strict(capsys.readouterr().out)["comparisons"][0]["outputs"][0]["sqnr_db"] is None


def test_names_that_are_not_unicode(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/digits\xff.tflite"
    with open(name, "wb") as file:
        file.write(INT8.read_bytes())
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    out = os.fsencode(tmp_path) + b"/\xfe.tosa"
    lines: list[list[str | bytes]] = [[name, "-o", out], ["inspect", name, "--json"], ["verify", name], ["run", name]]
    for words in lines:
        done = subprocess.run([*COMMAND, *words], capture_output=True, env=environment, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        assert b"digits\\udcff.tflite" in done.stdout
    assert os.path.exists(out)


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    def piped(*words: object) -> subprocess.CompletedProcess[bytes]:
        line = [*COMMAND, *map(str, words)]
        return subprocess.run(line, input=INT8.read_bytes(), capture_output=True, timeout=120, check=False)

    assert piped("/dev/stdin", "-o", tmp_path / "x.tosa").returncode == 0
    command(INT8, "-o", tmp_path / "y.tosa")
    assert (tmp_path / "x.tosa").read_bytes() == (tmp_path / "y.tosa").read_bytes()
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    verify_process = piped("verify", "/dev/stdin")
    assert verify_process.returncode == 2
    assert b"LiteRT opens it again" in verify_process.stderr


def test_a_link_keeps_leading_to_its_file(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "link.tosa").symlink_to("there/x.tosa")
    assert command(INT8, "-o", tmp_path / "link.tosa") == 0
    assert (tmp_path / "link.tosa").is_symlink()
    assert os.listdir(tmp_path / "there") == ["x.tosa"]


def test_long_names_and_endings_in_capitals(tmp_path: Path) -> None:
    assert command(INT8, "-o", tmp_path / ("a" * 245 + ".TOSA")) == 0


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 no archive", b"\x93NUMPY\x01\x00", b"text"])
def test_inputs_that_are_no_arrays(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes) -> None:
    command(INT8, "-o", tmp_path / "m.tosa")
    capsys.readouterr()
    (tmp_path / "x.npy").write_bytes(content)
    assert "x.npy" in refused(capsys, tmp_path, 2, "run", tmp_path / "m.tosa", "-i", tmp_path / "x.npy")


def test_inputs_by_the_names_of_the_signature_and_in_odd_folders(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    folder = tmp_path / "a=b"
    folder.mkdir()
    np.save(folder / "x.npy", np.zeros((2, 8, 8, 1), np.int8))
    for text in (folder / "x.npy", f"image={folder / 'x.npy'}", f"serving_default_image:0={folder / 'x.npy'}"):
        assert command("run", INT8, "-i", text, "--json") == 0
        assert json.loads(capsys.readouterr().out)["outputs"][0]["shape"] == [2, 10]
    assert command("run", INT8, "--input-shape", "image=3,8,8,1", "--json") == 0
    assert json.loads(capsys.readouterr().out)["outputs"][0]["shape"] == [3, 10]
    assert "'nobody'" in refused(capsys, tmp_path, 2, "run", INT8, "--input-shape", "nobody=1")
    assert "expected a shape of" in refused(capsys, tmp_path, 2, "run", INT8, "--input-shape", f"image={10**20},8,8,1")


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (("run", INT8, "--seed", "-1"), "--seed"),
        (("verify", INT8, "--seed", "-1"), "--seed"),
    ],
)
def test_options_that_make_no_sense(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[Path | str, ...], option: str
) -> None:
    assert option in refused(capsys, tmp_path, 2, *words)


def test_extensions_count_without_a_profile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command(INT8, "-o", tmp_path / "m.tosa")
    capsys.readouterr()
    assert command("inspect", tmp_path / "m.tosa", "--check", "--extension", "ext-doubleround") == 0
    assert command("inspect", tmp_path / "m.tosa", "--check", "--extension", "ext-int4") == 3
    assert command("inspect", tmp_path / "m.tosa", "--check", "--extension", "ext-nothing") == 2


def test_a_model_too_large_for_its_level_can_be_inspected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "large.tflite"
    shape = (1 << 16, 1 << 16)
    model.write_bytes(build([Tensor(shape), Tensor(shape)], [Operator(BuiltinOperator.RELU, (0,), (1,))], (0,), (1,)))
    assert command("inspect", model) == 0
    assert "can't be converted" in capsys.readouterr().out


def test_another_folder_gives_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command(FLOAT, "-o", tmp_path / "a.tosa")
    monkeypatch.chdir(FLOAT.parent)
    command(FLOAT.name, "-o", tmp_path / "b.tosa")
    assert (tmp_path / "a.tosa").read_bytes() == (tmp_path / "b.tosa").read_bytes()


def test_as_many_steps_as_there_is_memory_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "a run of 1000000000 steps needs" in refused(capsys, tmp_path, 2, "run", INT8, "--steps", 10**9)
