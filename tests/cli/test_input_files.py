"""Inputs of `verify` and `run`: images, sounds, folders, ranges, steps."""

import json
import struct
import wave
from pathlib import Path

import numpy as np
import pytest
from support.commands import MODELS, command, unwrapped
from support.tflite_models import Operator, Tensor, build

from tosa_converter.schemas.tflite import BuiltinOperator as B

pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
STREAM = MODELS / "small" / "keywords.int8.tflite"


@pytest.fixture
def doubled(tmp_path: Path) -> Path:
    """x + x, of an image of floats."""
    tensors = [Tensor((1, 4, 6, 3), name="x"), Tensor((1, 4, 6, 3), name="y")]
    (tmp_path / "m.tflite").write_bytes(build(tensors, [Operator(B.ADD, (0, 0), (1,))], (0,), (1,)))
    return tmp_path / "m.tflite"


def picture(path: Path, level: int) -> Path:
    image.new("RGB", (6, 4), (level, 0, 0)).save(path)
    return path


def sound(path: Path, samples: list[int]) -> Path:
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 16000, len(samples), "NONE", ""))
        file.writeframes(struct.pack(f"<{len(samples)}h", *samples))
    return path


def ran(tmp_path: Path, *words: object) -> np.ndarray:  # type: ignore[type-arg]
    assert command("run", *words, "-o", tmp_path / "out.npy") == 0
    output = np.load(tmp_path / "out.npy")
    assert isinstance(output, np.ndarray)
    return output


def test_an_image_is_an_input(doubled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = picture(tmp_path / "red.png", 51)
    output = ran(tmp_path, doubled, "--image", path)
    np.testing.assert_allclose(output[0, 2, 3], [0.4, 0, 0], rtol=1e-6)
    output = ran(tmp_path, doubled, "--image", f"x={path}", "--scale", "x=raw")
    assert output[0, 0, 0].tolist() == [102, 0, 0]
    assert command("verify", doubled, "--image", path, "--scale=-1..1", "--json") == 0
    (comparison,) = json.loads(capsys.readouterr().out.splitlines()[-1])["comparisons"]
    assert (comparison["runs"], comparison["outputs"][0]["reference_max"]) == (1, 2.0)


def test_every_file_of_a_folder_is_a_run(doubled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "samples"
    folder.mkdir()
    for level in (0, 51, 255):
        picture(folder / f"{level:03}.png", level)
    np.save(folder / "z.npy", np.full((1, 4, 6, 3), 7, np.float32))
    (folder / "labels.txt").write_text("left out")
    outputs = ran(tmp_path, doubled, "--samples", folder)
    assert outputs.shape == (4, 1, 4, 6, 3)
    np.testing.assert_allclose(outputs[:, 0, 0, 0, 0], [0, 0.4, 2, 14], rtol=1e-6)
    capsys.readouterr()
    assert command("verify", doubled, "--samples", folder, "--json") == 0
    assert json.loads(capsys.readouterr().out)["comparisons"][0]["runs"] == 4
    np.savez(folder / "z.npz", y=np.zeros(1))
    for words, reason in (
        ((folder,), "no input is called 'y'; there are x"),
        ((folder / "none",), "No such file"),
        ((tmp_path / "empty",), "expected files ending in .npy"),
        ((folder, "--image", folder / "000.png"), "a folder or files for the inputs, found both"),
    ):
        (tmp_path / "empty").mkdir(exist_ok=True)
        assert command("verify", doubled, "--samples", *words) == 2
        assert reason in unwrapped(capsys.readouterr().err)


def test_arrays_are_inputs_of_a_comparison(doubled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save(tmp_path / "x.npy", np.full((1, 4, 6, 3), 3, np.float32))
    assert command("verify", doubled, "-i", tmp_path / "x.npy", "--json") == 0
    assert json.loads(capsys.readouterr().out)["comparisons"][0]["outputs"][0]["reference_max"] == 6
    for words, reason in (
        (("-i", tmp_path / "x.npy", "--adversarial"), "--adversarial can't be used together with --input"),
        (("-i", tmp_path / "x.npy", "--image", tmp_path / "x.npy"), "expected one array for 'x', found two"),
        (("--image", f"z={tmp_path / 'x.npy'}"), "no input is called 'z'; there are x"),
        (("--image", tmp_path / "x.npy"), "expected a whole BMP"),
        (("--audio", tmp_path / "x.npy"), "expected one dimension of samples"),
        (("--scale", "raw"), "--scale needs --image, --audio or --samples"),
        (("--image", tmp_path / "x.npy", "--scale", "raw", "--scale", "0..1"), "expected one value without a name"),
        (("--range", "1"), "expected [NAME=]LOW,HIGH, found '1'"),
        (("--range", "3,1"), "LOW not beyond HIGH"),
        (("--range", "y=1,2"), "no input is called 'y'"),
    ):
        assert command("verify", doubled, *words) == 2
        assert reason in unwrapped(capsys.readouterr().err)


def test_random_inputs_of_a_range(doubled: Path, tmp_path: Path) -> None:
    output = ran(tmp_path, doubled, "--range", "x=5,6")
    assert output.min() >= 10
    assert 10.9 < output.mean() < 11.1
    assert command("verify", doubled, "--range=-3,3", "--runs", 2) == 0


def test_files_and_a_range(doubled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = picture(tmp_path / "red.png", 51)
    for name in ("run", "verify"):
        assert command(name, doubled, "--image", path, "--range", "0,1") == 2
        assert "range" in unwrapped(capsys.readouterr().err)


def test_windows_of_a_sound_are_steps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tensors = [Tensor((1, 4), name="x"), Tensor((1, 4), name="y")]
    (tmp_path / "m.tflite").write_bytes(build(tensors, [Operator(B.ABS, (0,), (1,))], (0,), (1,)))
    path = sound(tmp_path / "s.wav", [100 * i for i in range(-5, 5)])
    outputs = ran(tmp_path, tmp_path / "m.tflite", "--audio", path, "--scale", "raw")
    assert outputs.reshape(-1).tolist() == [500, 400, 300, 200, 100, 0, 100, 200, 300, 400, 0, 0]
    for steps in (1, 2):
        assert ran(tmp_path, tmp_path / "m.tflite", "--audio", path, "--steps", steps).shape == (steps, 1, 4)
    capsys.readouterr()
    assert command("verify", tmp_path / "m.tflite", "--audio", path, "--json") == 0
    (comparison,) = json.loads(capsys.readouterr().out)["comparisons"]
    assert (comparison["runs"], comparison["steps"]) == (3, 0)


def test_models_with_state_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every step another window, in one run."""
    import tosa_converter as tc

    (x,) = tc.load(STREAM).main.inputs
    drawn = np.stack([tc.random_inputs(STREAM, seed=i)[x.name] for i in range(3)])
    np.save(tmp_path / "x.npy", drawn)
    assert command("verify", STREAM, "-i", tmp_path / "x.npy", "--steps", 3, "--json") == 0
    (comparison,) = json.loads(capsys.readouterr().out)["comparisons"]
    assert (comparison["runs"], comparison["steps"]) == (1, 3)
    assert tc.verify(STREAM, inputs=[{x.name: drawn}]).comparisons[0].steps == 3
    with pytest.raises(tc.UsageError, match="found 2, 3"):
        tc.verify(STREAM, inputs=[{x.name: drawn}, {x.name: drawn[:2]}])


def test_inputs_are_those_of_one_signature(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.zeros(1))
    assert command("verify", MODELS / "signatures_int8.tflite", "-i", tmp_path / "x.npy") == 2
    assert "expected" in unwrapped(capsys.readouterr().err)
