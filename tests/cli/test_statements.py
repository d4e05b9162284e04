"""Options that a user states for nothing, twice or beside others: noted or refused before anything runs."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from support import transcripts
from support.commands import FLOAT, INT8, MODELS, command, unwrapped

import tosa_converter as tc
from tosa_converter.option_values import parse_bounds, parse_names, parse_shapes, plain_value, split_names
from tosa_converter.options import CompareOptions, ConvertOptions, InputOptions, options_from, stated
from tosa_converter.rules.target import Target


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    transcripts.write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("sum.tflite -o a.tosa --input-shape x=2,3 --input-shape x=3,3", "expected one value for 'x', found 2"),
        ("where.tflite -o a.tosa --bound rows=3 --bound rows=4", "expected one value for 'rows', found 2"),
        ("bytes.tflite -o a.tosa --io-type int8 --io-type uint8", "expected one value without a name, found 2"),
        ("zoo verify --folder samples --manifest two.toml", "--manifest can't be used together with --folder"),
        (
            "zoo verify --manifest two.toml --numerics exact",
            "expected one of reference, xnnpack, compact, found 'exact'",
        ),
        ("zoo verify --manifest two.toml --against abacus", "no engine is called 'abacus'"),
        ("sum.tflite -o a.tosa --target ethos-u99", "found 'ethos-u99'"),
        ("sum.tflite -o a.tosa --float fp8", "--float (float_type): expected one of fp16, bf16, found 'fp8'"),
    ],
)
def test_a_wrong_statement_ends_with_2_before_any_work(
    folder: Path, capsys: pytest.CaptureFixture[str], words: str, text: str
) -> None:
    assert command(*words.split()) == 2
    out, err = map(unwrapped, capsys.readouterr())
    assert out == ""
    assert text in err
    assert not (folder / "a.tosa").exists()


@pytest.mark.parametrize("names", ["litert,litert-optimized", "litert-optimized,litert", "executorch"])
def test_an_engine_that_would_not_run_is_refused(folder: Path, capsys: pytest.CaptureFixture[str], names: str) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    assert folder.exists()
    assert command("verify", "sum.tflite", "--against", names) == 2
    unused = names.rpartition(",")[2]
    assert f"--against (against): {unused} would not run: the source runs in litert" in unwrapped(
        capsys.readouterr().err
    )


@pytest.mark.parametrize("names", ["litert", "litert-optimized", "litert,executor", "tosa-reference-model,litert"])
def test_engines_that_run_are_accepted(names: str) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    pytest.importorskip("tosa_reference_model", reason="tosa-tools are not installed")
    verification = tc.verify(FLOAT, against=names)
    assert verification.reference == ("litert-optimized" if "optimized" in names else "litert")
    assert verification.options == {"--against": names.split(",")}


@pytest.mark.parametrize(("model", "noted"), [(INT8, True), (MODELS / "small" / "keywords.int8.tflite", False)])
def test_state_of_a_model_without_state_is_noted(model: Path, noted: bool) -> None:
    for form in ("io", "variables"):
        notes = [note.text for note in tc.convert(model, state=form).report.notes]
        assert any("--state (state) has no effect" in note for note in notes) == noted
    assert not any("--state" in note.text for note in tc.convert(model, target="ethos-u85").report.notes)


def test_graphs_of_an_earlier_conversion_are_removed(tmp_path: Path) -> None:
    folder = tmp_path / "ir"
    folder.mkdir()
    for name in ("99-simplify.mlir", "07-old-pass.mlir", "notes.mlir", "1-x.mlir", "00-import.txt"):
        (folder / name).write_text("")
    assert command(INT8, "-o", tmp_path / "m.tosa", "--dump-ir", folder) == 0
    names = {path.name for path in folder.iterdir()}
    assert {"notes.mlir", "1-x.mlir", "00-import.txt", "00-import.mlir"} <= names
    assert not names & {"99-simplify.mlir", "07-old-pass.mlir"}


def test_graphs_of_an_earlier_conversion_stay_after_a_failure(tmp_path: Path) -> None:
    folder = tmp_path / "ir"
    folder.mkdir()
    (folder / "99-simplify.mlir").write_text("")
    assert command(FLOAT, "-o", tmp_path / "m.tosa", "--dump-ir", folder, "--target", "pro-int") == 4
    assert (folder / "99-simplify.mlir").exists()


def test_a_sentence_stands_once_in_a_report(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    assert folder.exists()
    for words in (("--bisect",), ("--samples", "samples", "--bisect"), ("-i", "x-steps.npy", "--steps", 2, "--bisect")):
        assert command("verify", "sum.tflite", "--plugin", "wrong.py", *words) == 1
        assert len(re.findall("(?i)first difference", capsys.readouterr().out)) == 1


def test_another_difference_than_the_verdicts_is_told_apart() -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    verification = tc.verify(INT8, layers=True)
    sentence = "First difference at operator 2, ADD 'x' (main:2) in step 3: element [0] is 1"
    assert not verification.repeats(sentence)
    assert not replace(verification, comparisons=()).repeats("")


def test_engines_do_not_pass_on_information(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    assert folder.exists()
    assert command("run", "mystery.tflite", "--against", "litert-xnnpack") == 1
    error = unwrapped(capsys.readouterr().err)
    assert "Encountered unresolved custom op: Mystery" in error
    assert "INFO" not in error


def test_values_of_options() -> None:
    assert parse_names("scale", ["raw", "x=0..1", "a=b=c"]) == {"": "raw", "x": "0..1", "a=b": "c"}
    assert parse_shapes(["x=", "y=1,2", "a=b=3"]) == {"x": (), "y": (1, 2), "a=b": (3,)}
    assert parse_bounds(["x=999999999"]) == {"x": 999_999_999}
    for text in ("x", "x=", "=3", "x=-1", "x=1000000000", "x=\u0663"):
        with pytest.raises(tc.UsageError, match="bound: expected NAME=N"):
            parse_bounds([text])
    for text in ("x", "=1", "x=1,", "x=a"):
        with pytest.raises(tc.UsageError, match="input shape: expected NAME=1,224,224,3"):
            parse_shapes([text])
    assert split_names("") == ()
    assert split_names("a,b") == ["a", "b"]
    assert split_names(["a"]) == ["a"]


def test_stated_options_are_plain_data() -> None:
    arguments = {
        "target": "ethos-u85",
        "io_types": {"x": "int8"},
        "input_shapes": {"x": [1, 2]},
        "rules": [tc.Rule("tfl.abs", "fp32", lambda match: match[0]), Path("mine.py")],
        "runs": 3,
        "adversarial": False,
        "against": "executor",
        "progress": print,
        "inputs": [{}],
        "limit": 10.0,
    }
    groups = [options_from(group, arguments) for group in (ConvertOptions, InputOptions, CompareOptions)]
    echo = stated(*groups)
    assert str(Target.parse("ethos-u85")) == echo.pop("--target")
    assert echo.pop("--plugin")[1] == "mine.py"
    assert echo == {
        "--input-shape": {"x": [1, 2]},
        "--io-type": {"x": "int8"},
        "--runs": 3,
        "--against": ["executor"],
    }
    assert plain_value((True, 1.5, None, (2,))) == [True, 1.5, "None", [2]]


def test_a_zoo_has_a_folder_or_a_manifest(folder: Path) -> None:
    with pytest.raises(tc.UsageError, match=r"--manifest \(manifest\) can't be used together with --folder"):
        tc.Zoo(folder=folder / "samples", manifest=folder / "two.toml")
