"""`verify` with saved runs: what --save-outputs writes, --load-outputs compares; tolerances on the command line."""

import json
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.commands import FLOAT, INT8, MODELS, command, unwrapped

import tosa_converter as tc

pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
STREAM = MODELS / "small" / "keywords.int8.tflite"
SIGNATURES = MODELS / "signatures_int8.tflite"


def figures(capsys: pytest.CaptureFixture[str], status: int, *words: object) -> Any:
    """The report of `verify --json`."""
    assert command("verify", *words, "--json") == status
    return json.loads(capsys.readouterr().out)


def change_one(path: Path, changed: Path) -> str:
    """Writes a copy of a file of outputs with one element changed, and returns the output's name."""
    arrays = dict(np.load(path))
    name = str(list(arrays)[-1])
    arrays[name].reshape(-1)[0] += 1
    np.savez_compressed(changed, **arrays)
    return name


@pytest.mark.parametrize(
    ("model", "options"),
    [(INT8, ()), (INT8, ("--runs", 3)), (FLOAT, ("--seed", 7)), (STREAM, ("--steps", 3)), (STREAM, ("--runs", 2))],
)
def test_a_saved_run_is_compared_later(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], model: Path, options: tuple[object, ...]
) -> None:
    folder = tmp_path / "a new" / "folder"
    done = figures(capsys, 0, model, *options, "--save-outputs", folder)
    assert done["saved"] == [str(folder / f"{name}.npz") for name in ("inputs", "litert", "executor")]
    first = {path.name: path.read_bytes() for path in folder.iterdir()}
    same = figures(capsys, 0, model, *options, "--load-outputs", folder / "executor.npz", "--save-outputs", folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == first
    assert [c["engine"] for c in same["comparisons"]] == ["executor", str(folder / "executor.npz")]
    name = change_one(folder / "executor.npz", tmp_path / "device.npz")
    words = (model, *options, "--load-outputs", folder / "executor.npz", "--load-outputs", tmp_path / "device.npz")
    changed = figures(capsys, 1, *words)
    verdicts = [(c["engine"], c["verdict"]) for c in changed["comparisons"]]
    assert verdicts[1:] == [(str(folder / "executor.npz"), True), (str(tmp_path / "device.npz"), False)]
    outputs = changed["comparisons"][-1]["outputs"]
    assert [(output["verdict"], output["mismatches"] >= 1) for output in outputs] == [(False, True)]
    assert outputs[0]["name"] == tc.load(model).main.outputs[0].name
    assert command("verify", *words) == 1
    assert "device.npz: this package's executor computes the same" in " ".join(capsys.readouterr().out.split())
    allowed = figures(capsys, 0, *words, "--atol", f"{name}=1.5")
    assert allowed["options"]["--atol"] == {name: 1.5}
    assert allowed["comparisons"][-1]["outputs"][-1]["rule"] == "within atol 1.5, rtol 0"


def test_the_saved_inputs_run_in_a_conversion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As the how-to has it: arrays have the names of the signature, which the .tosa has too."""
    monkeypatch.chdir(tmp_path)
    assert command(INT8, "-o", "m.tosa") == 0
    assert command("verify", INT8, "--runs", 3, "--save-outputs", "saved") == 0
    assert list(np.load("saved/inputs.npz")) == ["image"]
    assert command("run", "m.tosa", "--input", "saved/inputs.npz", "-o", "device.npz") == 0
    capsys.readouterr()
    assert command("verify", INT8, "--runs", 3, "--load-outputs", "device.npz") == 0
    report = capsys.readouterr().out
    assert report.startswith("PASS")
    assert "3 random inputs" in report


def test_the_saved_inputs_run_elsewhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As on a device: the conversion runs on the saved inputs, one by one, and its outputs are compared by position."""
    assert command("verify", INT8, "--runs", 3, "--save-outputs", tmp_path) == 0
    ((_, inputs),) = np.load(tmp_path / "inputs.npz").items()
    model = tc.convert(INT8)
    outputs = [next(iter(tc.run(model, {model.main.inputs[0].name: x}).values())) for x in inputs]
    np.savez(tmp_path / "device.npz", np.stack(outputs))
    np.save(tmp_path / "device.npy", np.stack(outputs))
    for name in ("device.npz", "device.npy"):
        assert command("verify", INT8, "--runs", 3, "--load-outputs", tmp_path / name) == 0
    loaded = ("--load-outputs", tmp_path / "device.npz")
    assert command("verify", INT8, "--input", tmp_path / "inputs.npz", *loaded) == 0
    assert command("verify", INT8, "--runs", 3, "--seed", 1, *loaded) == 1
    capsys.readouterr()
    for words, reason in (
        ((), "expected int8[1, 10] of one run, found int8[3, 1, 10]"),
        (("--runs", 2), "expected int8[2, 1, 10] of 2 runs, found int8[3, 1, 10]"),
    ):
        assert command("verify", INT8, *words, *loaded) == 2
        assert reason in unwrapped(capsys.readouterr().err)


def test_signatures_have_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = list(tc.load(SIGNATURES).signatures)
    done = figures(capsys, 0, SIGNATURES, "--save-outputs", tmp_path)
    assert done["saved"] == [
        str(tmp_path / name / f"{part}.npz") for name in names for part in ("inputs", "litert", "executor")
    ]
    for name in names:
        loaded = ("--load-outputs", tmp_path / name / "executor.npz")
        assert command("verify", SIGNATURES, "--signature", name, *loaded) == 0
    capsys.readouterr()
    assert command("verify", SIGNATURES, "--load-outputs", tmp_path / names[0] / "litert.npz") == 2
    assert f"expected the signature that the outputs or labels are for, one of {', '.join(names)}" in (
        unwrapped(capsys.readouterr().err)
    )


def test_a_written_file_and_a_saved_run_are_both_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(INT8, "-o", tmp_path / "m.tosa") == 0
    assert command("verify", INT8, "--save-outputs", tmp_path) == 0
    capsys.readouterr()
    words = (INT8, tmp_path / "m.tosa", "--load-outputs", tmp_path / "litert.npz")
    assert [c["verdict"] for c in figures(capsys, 0, *words)["comparisons"]] == [True, True]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--atol", "x"), "atol: expected [NAME=]X with a number X, found 'x'"),
        (("--atol", "1", "--atol", "2"), "atol: expected one value without a name, found 2"),
        (("--rtol", "nan"), "--rtol (rtol): expected a finite number from 0 on, found nan"),
        (("--rtol=-1",), "--rtol (rtol): expected a finite number from 0 on, found -1.0"),
        (("--atol", "scores=1"), "--atol (atol): expected the name of an output, one of 'StatefulPartitionedCall_1:0'"),
        (("--load-outputs", "none.npz"), "outputs none.npz: No such file or directory"),
        (("--load-outputs", "text.npz"), "expected an array as numpy saves it"),
        (("--save-outputs", "text.npz"), "text.npz"),
        (("--labels", "text.npz"), "--labels needs --samples"),
    ],
)
def test_refusals(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    reason: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text.npz").write_text("text")
    assert command("verify", INT8, *words) == 2
    out, err = map(unwrapped, capsys.readouterr())
    assert out == ""
    assert reason in err
    assert len(err.splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["text.npz"]


def test_the_next_step_about_a_device_cuts_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its values are compared on the saved inputs; then the cut lies in front of the first that differs."""
    monkeypatch.chdir(tmp_path)
    assert command("verify", FLOAT, "--runs", "2", "--save-outputs", "saved") == 0
    change_one(Path("saved/executor.npz"), Path("device.npz"))
    capsys.readouterr()
    model, device, lengths = str(FLOAT), "device.npz", []
    for _ in range(2):
        assert command("verify", model, "-i", "saved/inputs.npz", "--load-outputs", device) == 1
        screen = capsys.readouterr().out
        assert "to find the operator, run values between operators there too" in " ".join(screen.split())
        words = shlex.split(screen[screen.index("\nnext: ") + len("\nnext: ") :].replace("\\\n", ""))
        assert words[:3] == ["tflite-to-tosa", "extract", model]
        assert command(*words[1:]) == 0
        model, device = words[-1], "device-2.npz"
        lengths.append(words.count("--to"))
        assert command("verify", model, "-i", "saved/inputs.npz", "--save-outputs", "saved-2") == 0
        arrays = dict(np.load("saved-2/executor.npz"))
        arrays[list(arrays)[-1 if lengths[1:] else 1]] += 1  # the second value is the first that differs
        np.savez(device, **arrays)
        capsys.readouterr()
    assert model == f"{FLOAT.stem}-values-values.tflite"
    assert lengths[0] == 4
    names = [value.name for value in tc.load(f"{FLOAT.stem}-values.tflite").main.outputs]
    between = [value.name for value in tc.load(model).main.outputs]
    order = [op.result.name for op in tc.load(FLOAT).main if len(op.results) == 1]
    assert order.index(names[0]) < order.index(between[0]) <= order.index(between[-1]) < order.index(names[1])
