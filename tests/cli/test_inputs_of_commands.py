"""The commands that run models take the same inputs: run, verify, diff and zoo verify."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.commands import INT8, MODELS, command, unwrapped
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.cli import app, diff, run, verify, zoo
from tosa_converter.schemas.tflite import BuiltinOperator as B

OF_ONE_INPUT = ("input", "image", "audio")
INPUTS = (*OF_ONE_INPUT, "samples", "scale", "runs", "steps", "seed", "ranges", "adversarial")


@pytest.fixture(autouse=True)
def litert() -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with models that compute |x| and x, which are equal where x isn't negative, and x twice over."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    tensors = [Tensor((3,), name="x"), Tensor((3,), name="y")]
    for name, operator in (("absolute", B.ABS), ("rectified", B.RELU)):
        Path(f"{name}.tflite").write_bytes(build(tensors, [Operator(operator, (0,), (1,))], (0,), (1,)))
    np.save("positive.npy", np.array([1, 2, 3], np.float32))
    np.save("negative.npy", np.array([1, 2, -3], np.float32))
    Path("samples").mkdir()
    shutil.copy("positive.npy", "samples/a.npy")
    return tmp_path


def report(capsys: pytest.CaptureFixture[str], status: int, *words: object) -> Any:
    assert command(*words, "--json") == status
    return json.loads(capsys.readouterr().out)


def test_the_options_are_the_same() -> None:
    options = {function.__name__: app.parameters(function) for function in (run.run, verify.verify, diff.diff)}
    for fields in options.values():
        assert set(INPUTS) <= fields.keys()
    of_many = app.parameters(zoo.verify_models)
    assert set(INPUTS) - set(OF_ONE_INPUT) <= of_many.keys()
    for name in INPUTS:
        rows = [fields[name].flag for fields in (*options.values(), of_many) if name in fields]
        spelled = {(row.names, row.metavar, row.help, row.minimum, row.maximum) for row in rows}
        assert len(spelled) == 1, name


# ** run **


def test_runs_have_seeds_in_a_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures = report(capsys, 0, "run", INT8, "--runs", 3, "--seed", 5, "-o", tmp_path / "out.npy")
    assert (figures["runs"], figures["inputs"], figures["seed"]) == (3, "random", 5)
    outputs = np.load(tmp_path / "out.npy")
    for i in range(3):
        (expected,) = tc.run(INT8, tc.random_inputs(INT8, seed=5 + i)).values()
        np.testing.assert_array_equal(outputs[i], expected)


def test_a_run_on_adversarial_inputs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures = report(capsys, 0, "run", INT8, "--adversarial", "--runs", 2, "-o", tmp_path / "out.npy")
    assert (figures["runs"], figures["inputs"]) == (2, "adversarial")
    expected = [next(iter(tc.run(INT8, inputs).values())) for inputs in tc.adversarial_inputs(INT8, runs=2)]
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), expected)
    assert command("run", INT8, "--adversarial") == 0
    assert "on adversarial inputs of seed 0" in capsys.readouterr().out


def test_runs_of_steps_begin_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each set of a model with state starts from its initial state: the second set alone gives the same."""
    model = MODELS / "small" / "keywords.int8.tflite"
    report(capsys, 0, "run", model, "--runs", 2, "--steps", 3, "-o", tmp_path / "both.npy")
    report(capsys, 0, "run", model, "--steps", 3, "--seed", 3, "-o", tmp_path / "second.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "both.npy")[1], np.load(tmp_path / "second.npy"))


@pytest.mark.parametrize("name", ["run", "verify", "diff"])
def test_inputs_of_two_kinds(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    models = (INT8, INT8) if name == "diff" else (INT8,)
    for words, message in (
        (("--adversarial", "--range", "0,1"), "--range can't be used together with --adversarial"),
        (("--input", "x.npy", "--range", "0,1"), "--range can't be used together with --input"),
        (("--samples", "x", "--adversarial"), "--adversarial can't be used together with --samples"),
        (("--samples", "x", "--runs", "2"), "--runs can't be used together with --samples"),
    ):
        assert command(name, *models, *words) == 2
        assert message in unwrapped(capsys.readouterr().err)


# ** diff **


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ((), 1),
        (("--input", "positive.npy"), 0),
        (("--input", "x=negative.npy"), 1),
        (("--input", "positive.npy", "--steps", "2"), 0),
        (("--samples", "samples"), 0),
        (("--range", "0,1", "--runs", "3"), 0),
        (("--range", "x=-1,0"), 1),
        (("--adversarial", "--runs", "6"), 1),
        (("--input", "z=positive.npy"), 2),
    ],
    ids=str,
)
@pytest.mark.usefixtures("folder")
def test_a_difference_on_some_inputs(words: tuple[str, ...], status: int) -> None:
    assert command("diff", "absolute.tflite", "rectified.tflite", *words) == status


@pytest.mark.usefixtures("folder")
def test_engines_of_a_diff(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("absolute.tflite", "-o", "absolute.tosa") == 0
    capsys.readouterr()
    pair = ("diff", "absolute.tflite", "absolute.tosa")
    assert report(capsys, 0, *pair)["engines"] == ["litert", "executor"]
    figures = report(capsys, 0, *pair, "--against", "litert-optimized,executor")
    assert figures["engines"] == ["litert-optimized", "executor"]
    figures = report(capsys, 0, "diff", "absolute.tflite", "absolute.tflite", "--against", "litert-xnnpack")
    assert figures["engines"] == ["litert-xnnpack", "litert-xnnpack"]
    error = report(capsys, 2, "diff", "absolute.tosa", "absolute.tosa", "--against", "litert")["error"]
    assert error["message"] == "--against (against): litert would run neither model: they are of tosa operators"
    assert "no engine is called 'abacus'" in report(capsys, 2, *pair, "--against", "abacus")["error"]["message"]


def test_arrays_of_a_diff() -> None:
    model = tc.convert(INT8)
    name = model.main.inputs[0].name
    image = np.zeros((1, 8, 8, 1), np.int8)
    assert tc.diff(model, model, inputs=[{name: image}]).same_function
    with pytest.raises(tc.UsageError, match="no input for"):
        tc.diff(model, model, inputs=[{}])
    with pytest.raises(tc.UsageError, match="expected int8, found float64"):
        tc.diff(model, model, inputs=[{name: image.astype(np.float64)}])
    with pytest.raises(tc.UsageError, match="found several"):
        tc.diff(model, model, inputs=[{name: image}], adversarial=True)
    several = tc.load(MODELS / "signatures_int8.tflite")
    with pytest.raises(tc.UsageError, match="expected a model with one signature"):
        tc.diff(several, several, inputs=[{}])


def test_a_diff_of_models_with_state_on_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = MODELS / "small" / "keywords.int8.tflite"
    (name, array), *_ = tc.random_inputs(model).items()
    np.save(tmp_path / "x.npy", np.stack([array, array]))
    assert command(model, "-o", tmp_path / "m.tosa", "--state", "io") == 0
    capsys.readouterr()
    figures = report(capsys, 0, "diff", tmp_path / "m.tosa", tmp_path / "m.tosa", "--adversarial")
    assert figures["same_function"]
    figures = report(capsys, 0, "diff", model, model, "--input", f"{name}={tmp_path / 'x.npy'}", "--steps", 2)
    assert figures["same_function"]


# ** zoo verify **


@pytest.mark.usefixtures("folder")
def test_samples_of_a_zoo(capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(INT8, "digits.tflite")
    rows = report(capsys, 1, "zoo", "verify", "--folder", ".", "--samples", "samples", "--jobs", "1")
    by_name = {row["name"]: row for row in rows}
    assert [by_name[name]["outcome"] for name in ("absolute", "rectified", "digits")] == ["equal", "equal", "failed"]
    comparison = by_name["absolute"]["verification"]["comparisons"][0]
    assert (comparison["inputs"], comparison["runs"]) == ("given", 1)
    assert by_name["absolute"]["identifier"] is None
    assert by_name["digits"]["identifier"].startswith("usage-error/")
    assert "expected i8[?x8x8x1]" in by_name["digits"]["errors"][0]
    assert command("zoo", "verify", "--folder", ".", "--samples", "samples", "--resume") == 2


@pytest.mark.usefixtures("folder")
def test_conversion_options_of_a_zoo(capsys: pytest.CaptureFixture[str]) -> None:
    Path("zoo").mkdir()
    shutil.copy(INT8, "zoo/digits.tflite")
    Path("rules.py").write_text("RULES = []\n")
    words = ("zoo", "verify", "--folder", "zoo", "--jobs", "1", "--runs", "1")
    options = ("--target", "pro-int,pro-fp,ext-doubleround,8k", "--io-type", "float32", "--plugin", "rules.py")
    (row,) = report(capsys, 0, *words, *options, "--seed", "3", "--range", "0,0.5")
    assert row["verification"]["seed"] == 3
    stated = row["verification"]["options"]
    assert stated["--io-type"] == "float32" or stated["--io-type"] == {"": "float32"}
    assert {"--target", "--plugin", "--range", "--seed"} <= stated.keys()
    (row,) = report(capsys, 1, *words, "--target", "ethos-u55", "--io-type", "float32")
    assert (row["outcome"], row["identifier"]) == ("refused", "unsupported-error/rewriting.refusals")


@pytest.mark.usefixtures("folder")
def test_a_resumed_run_says_what_it_reused(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("zoo", "verify", "--folder", ".", "--results", "r.jsonl", "--runs", "1", "--jobs", "1")
    assert command(*words, "--filter", "absolute") == 0
    assert "reused" not in capsys.readouterr().out
    assert command(*words, "--resume") == 0
    assert "reused 1 of 2 results" in capsys.readouterr().out.splitlines()
    rows = report(capsys, 0, *words, "--resume")
    assert [row["reused"] for row in rows] == [True, True]


# ** rows of several models **


@pytest.mark.usefixtures("folder")
def test_rows_of_several_conversions_have_identifiers(capsys: pytest.CaptureFixture[str]) -> None:
    tensors = [Tensor((3,)), Tensor((3,))]
    custom = Operator(B.CUSTOM, (0,), (1,), custom_code="Mystery")
    Path("mystery.tflite").write_bytes(build(tensors, [custom], (0,), (1,)))
    Path("cut.tflite").write_bytes(Path("absolute.tflite").read_bytes()[:60])
    rows = report(capsys, 4, "absolute.tflite", "mystery.tflite", "cut.tflite", "no.tflite", "-o", "out", "--jobs", "1")
    assert [(row["status"], (row["identifier"] or "").partition("/")[0]) for row in rows] == [
        (0, ""),
        (4, "unsupported-error"),
        (3, "format-error"),
        (2, "usage-error"),
    ]
    assert rows[1]["identifier"] == "unsupported-error/tfl.custom"
