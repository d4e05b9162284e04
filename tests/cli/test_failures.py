"""Failures as JSON: every command and status, the keys, and the page that documents them."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from support import transcripts
from support.commands import MODELS, ROOT, command, unwrapped
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.cli import main
from tosa_converter.cli.failure import failure_figures
from tosa_converter.dtypes import DType
from tosa_converter.formats.tosa.writer import write_tosa
from tosa_converter.identifiers import class_name, identifier
from tosa_converter.ir import Graph, Model, Op, TensorType, Value
from tosa_converter.schemas.tflite import BuiltinOperator as B

KEYS = ["identifier", "exit_status", "message", "details", "file", "place", "expected", "found", "next", "operators"]
PAGE = ROOT / "docs" / "reference" / "errors.md"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    transcripts.write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    type = TensorType(DType.I32, (2,))
    a, b = Value(type, "a"), Value(type, "b")
    divide = Op("tosa.intdiv", [a, b], [type], result_names=["q"])
    tc.save(Model({"main": Graph("main", [a, b], [divide.result], [divide])}), tmp_path / "divide.tosa")
    add = Op("tosa.add", [a, Value(TensorType(DType.I32, (3,)), "c")], [type], result_names=["sum"])
    illegal = Model({"main": Graph("main", [a, add.operands[1]], [add.result], [add])})
    (tmp_path / "illegal.tosa").write_bytes(b"".join(write_tosa(illegal)))
    tensors = [Tensor((2,), "int32", name=name) for name in ("a", "b", "q")]
    (tmp_path / "divide.tflite").write_bytes(build(tensors, [Operator(B.DIV, (0, 1), (2,))], (0, 1), (2,)))
    return tmp_path


def failure(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    """Returns the failure that a command prints as JSON, after checks against its text and exit status."""
    status = command(*words)
    out, err = map(unwrapped, capsys.readouterr())
    document = json.loads(out)
    assert list(document) == ["error"]
    error: dict[str, Any] = document["error"]
    assert list(error) == KEYS
    assert error["exit_status"] == status
    assert err.splitlines()[0] == f"error: {error['message']}"
    assert {line.strip() for line in error["details"]} <= {line.strip() for line in err.splitlines()[1:]}
    assert error["next"]
    return error


FAILURES = (
    (2, "usage-error/options", "convert sum.tflite -o a.tosa --numerics exact"),
    (2, "usage-error/cli.conversion", "sum.tflite -o a.txt"),
    (2, "usage-error/cli.app", "sum.tflite -o a.tosa --nonsense"),
    (2, "usage-error/formats.storage", "missing.tflite -o a.tosa"),
    (3, "format-error/formats.flatbuffer.checking", "cut.tflite -o a.tosa"),
    (3, "format-error/formats.flatbuffer.checking", "cut.tflite --partial parts"),
    (3, "format-error/formats.flatbuffer.checking", "cut.tflite --explain all"),
    (4, "unsupported-error/tfl.lsh_projection", "refused.tflite -o a.tosa"),
    (4, "unsupported-error/tfl.custom", "mystery.tflite -o a.tosa"),
    (4, "unsupported-error/rewriting.refusals", "sum.tflite -o a.tosa --target ethos-u55"),
    (4, "unsupported-error/partition", "refused.tflite --partial parts"),
    (2, "usage-error/formats.storage", "inspect missing.tflite"),
    (3, "format-error/formats", "inspect notes.txt"),
    (3, "verify-error/rules.graph", "inspect illegal.tosa --check"),
    (2, "usage-error/cli.app", "opt sum.tflite"),
    (2, "usage-error/conversion", "opt sum.tflite -o a.tosa"),
    (3, "format-error/formats", "opt notes.txt -o a.tosa"),
    (2, "usage-error/engines", "run sum.tflite --against abacus"),
    (3, "format-error/formats.flatbuffer.checking", "run cut.tflite"),
    (1, "unpredictable-error/execute.definition.base", "run divide.tosa --range 0,0"),
    (2, "usage-error/engines", "verify sum.tflite --against abacus"),
    (3, "format-error/formats.flatbuffer.checking", "verify cut.tflite"),
    (4, "unsupported-error/tfl.lsh_projection", "verify refused.tflite"),
    (1, "converter-error/engines.process", "verify divide.tflite --range 0,0"),
    (2, "usage-error/cli.app", "diff sum.tflite"),
    (3, "format-error/formats.flatbuffer.checking", "diff sum.tflite cut.tflite"),
    (2, "usage-error/cli.ops", "ops nonsense"),
    (2, "usage-error/cli.app", "doctor extra"),
    (2, "usage-error/zoo", "zoo list --folder nothing"),
    (3, "format-error/proof.zoo", "zoo list --manifest bad.toml"),
    (2, "usage-error/zoo", "zoo verify --folder nothing"),
    (3, "format-error/proof.zoo", "zoo verify --manifest bad.toml"),
    (2, "usage-error/cli.app", "zoo fetch --nonsense"),
    (2, "usage-error/cli.extract", "extract sum.tflite"),
    (3, "format-error/formats.flatbuffer.checking", "extract cut.tflite -o a.tflite"),
    (2, "usage-error/cli.app", "show"),
    (2, "usage-error/cli.applicable", "show sum.tflite"),
    (3, "format-error/formats.flatbuffer.checking", "show cut.tflite --svg a.svg"),
    (2, "usage-error/cli.app", "transmogrify"),
)


@pytest.mark.parametrize(("status", "expected", "line"), FAILURES, ids=[row[2] for row in FAILURES])
def test_every_command_fails_as_json(
    capsys: pytest.CaptureFixture[str], folder: Path, status: int, expected: str, line: str
) -> None:
    before = sorted(os.listdir(folder))
    error = failure(capsys, *line.split(), "--json")
    assert (error["exit_status"], error["identifier"]) == (status, expected)
    assert sorted(os.listdir(folder)) == before


@pytest.mark.usefixtures("folder")
def test_the_parts_of_a_message_are_keys(capsys: pytest.CaptureFixture[str]) -> None:
    error = failure(capsys, "notes.txt", "-o", "a.tosa", "--json")
    assert (error["file"], error["found"]) == ("notes.txt", "9 bytes beginning with b'no model'")
    assert error["expected"].startswith("TFLite (identifier TFL3), ")
    error = failure(capsys, "inspect", "cut.tflite", "--json")
    assert (error["file"], error["place"]) == ("cut.tflite", "Model.operator_codes at byte 56")
    error = failure(capsys, "missing.tflite", "-o", "a.tosa", "--json")
    assert error["file"] == "missing.tflite"


@pytest.mark.usefixtures("folder")
def test_unsupported_operators_are_listed_with_their_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    error = failure(capsys, "where.tflite", "-o", "a.tosa", "--json")
    assert error["place"] == "main:0 WHERE 'rows'"
    assert error["next"] == "tflite-to-tosa where.tflite --explain main:0"
    assert [(op["identifier"], op["place"]) for op in error["operators"]] == [
        ("unsupported-error/tfl.where", "main:0 WHERE 'rows'")
    ]
    assert "state a bound with --bound 'rows'=N" in error["operators"][0]["message"]


@pytest.mark.usefixtures("folder")
def test_an_explanation_has_the_failure_in_its_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("where.tflite", "--explain", "all", "--json") == 4
    out, err = map(unwrapped, capsys.readouterr())
    report = json.loads(out)
    assert list(report["refusal"]) == KEYS
    assert report["refusal"]["identifier"] == "unsupported-error/tfl.where"
    assert err.startswith("error: WHERE at main:0 ('rows') can't be converted\n")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("output", [["-o", "-"], ["--output", "-"], ["--output=-"]])
def test_json_never_goes_where_the_model_is_expected(capsys: pytest.CaptureFixture[str], output: list[str]) -> None:
    assert command("missing.tflite", *output, "--format", "mlir", "--json") == 2
    out, err = map(unwrapped, capsys.readouterr())
    assert out == ""
    assert json.loads(err)["error"]["file"] == "missing.tflite"


@pytest.mark.parametrize(
    ("error", "status", "expected"),
    [
        (MemoryError(), 1, "memory-error"),
        (FileNotFoundError(2, "No such file", "f"), 2, "os-error"),
        (KeyError("x"), 70, "bug"),
        (tc.MissingExtra("images", "media"), 2, "missing-extra"),
        (tc.PluginError("a"), 4, "plugin-error"),
    ],
    ids=repr,
)
def test_errors_of_all_kinds_have_an_identifier(error: Exception, status: int, expected: str) -> None:
    figures = failure_figures(error)
    assert (figures["exit_status"], figures["identifier"]) == (status, expected)


def test_an_error_that_is_raised_again_keeps_its_identifier() -> None:
    with pytest.raises(tc.UsageError) as first:
        tc.load("missing.tflite")
    with pytest.raises(tc.UsageError) as second:
        raise first.value
    assert identifier(second.value) == "usage-error/formats.storage"


def test_subclasses_go_by_the_public_class() -> None:
    class TooLongError(tc.UnsupportedError):
        """One of a module's own."""

    assert identifier(TooLongError("a")) == "unsupported-error"
    assert class_name("UnpredictableError") == "unpredictable-error"


def test_operators_of_several_kinds_go_by_the_module() -> None:
    error = tc.UnsupportedError("2 operators", places=["a", "b"], operators=[("main:0", "tfl.a"), ("main:1", "tfl.b")])
    try:
        raise error
    except tc.UnsupportedError:
        assert identifier(error) == "unsupported-error"
    assert [op["identifier"] for op in failure_figures(error)["operators"]] == [
        "unsupported-error/tfl.a",
        "unsupported-error/tfl.b",
    ]


def test_an_interrupt_prints_no_report(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_words: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(main, "_dispatch", interrupted)
    assert command("sum.tflite", "-o", "a.tosa", "--json") == 130
    assert capsys.readouterr() == ("", "interrupted\n")


def test_the_page_shows_a_real_failure(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "models").symlink_to(MODELS)
    block = PAGE.read_text("utf-8").partition("```console\n$ tflite-to-tosa ")[2].partition("```")[0]
    line, out = block.splitlines()
    words = line.removesuffix(" 2>/dev/null").split()
    assert failure(capsys, *words) == json.loads(out)["error"]
    rows = PAGE.read_text("utf-8").partition("| key | meaning |")[2].partition("\n\n")[0]
    assert all(f"`{key}`" in rows for key in KEYS)
