"""Every command ends with the exit statuses that docs/reference/errors.md states: one table of commands."""

import os
import re
from pathlib import Path

import pytest
from support import transcripts
from support.commands import ROOT, command, unwrapped

import tosa_converter as tc
from tosa_converter.cli.bare import COMMANDS
from tosa_converter.dtypes import DType
from tosa_converter.formats.tosa.writer import write_tosa
from tosa_converter.ir import Graph, Model, Op, TensorType, Value

DONE, DIFFERS, USAGE, MALFORMED, UNSUPPORTED = range(5)
STATUSES = (
    (DONE, "sum.tflite -o a.tosa"),
    (DONE, "sum.tflite --partial parts"),
    (DONE, "sum.tflite --explain all"),
    (USAGE, "sum.tflite"),
    (USAGE, "sum.tflite -o a.unknown"),
    (MALFORMED, "cut.tflite -o a.tosa"),
    (UNSUPPORTED, "mystery.tflite -o a.tosa"),
    (UNSUPPORTED, "sum.tflite -o a.tosa --target ethos-u55"),
    (UNSUPPORTED, "sum.tflite mystery.tflite -o folder"),
    (MALFORMED, "sum.tflite cut.tflite -o folder"),
    (USAGE, "sum.tflite missing.tflite -o folder"),
    (DONE, "convert sum.tflite -o a.tosa"),
    (DONE, "inspect sum.tflite"),
    (DONE, "inspect sum.tosa --check"),
    (USAGE, "inspect missing.tflite"),
    (MALFORMED, "inspect notes.txt"),
    (MALFORMED, "inspect illegal.tosa --check"),
    (UNSUPPORTED, "inspect mystery.tflite --check"),
    (DONE, "opt sum.tosa -o a.tosa"),
    (USAGE, "opt sum.tosa"),
    (MALFORMED, "opt notes.txt -o a.tosa"),
    (DONE, "run sum.tosa"),
    (DONE, "run sum.tosa --runs 2 --adversarial"),
    (DIFFERS, "run divide.tosa --range 0,0"),  # a REQUIRE of the specification is violated
    (USAGE, "run sum.tosa --against abacus"),
    (MALFORMED, "run cut.tflite"),
    (DONE, "verify sum.tosa --against tosa-reference-model"),
    (DIFFERS, "verify sum.tosa negative.tosa --against tosa-reference-model"),
    (USAGE, "verify sum.tflite --against abacus"),
    (MALFORMED, "verify cut.tflite"),
    (UNSUPPORTED, "verify mystery.tflite"),
    (DONE, "diff sum.tosa sum.tosa"),
    (DIFFERS, "diff sum.tosa negative.tosa"),
    (USAGE, "diff sum.tosa"),
    (USAGE, "diff sum.tosa sum.tosa --against litert"),
    (MALFORMED, "diff sum.tosa cut.tflite"),
    (DONE, "extract sum.tosa -o a.tosa"),
    (USAGE, "extract sum.tosa"),
    (MALFORMED, "extract cut.tflite -o a.tosa"),
    (DONE, "show sum.tosa --svg a.svg"),
    (USAGE, "show"),
    (MALFORMED, "show cut.tflite --svg a.svg"),
    (DONE, "ops"),
    (USAGE, "ops ADD extra"),
    (DONE, "doctor"),
    (USAGE, "doctor extra"),
    (DONE, "zoo list"),
    (USAGE, "zoo list --folder nothing"),
    (MALFORMED, "zoo list --manifest bad.toml"),
    (DONE, "zoo fetch --manifest two.toml"),
    (USAGE, "zoo fetch unknown --manifest two.toml"),
    (MALFORMED, "zoo fetch --manifest bad.toml"),
    (DONE, "zoo verify --manifest two.toml --jobs 1"),
    (DIFFERS, "zoo verify --folder folder-of-one --jobs 1"),
    (USAGE, "zoo verify --folder nothing"),
    (MALFORMED, "zoo verify --manifest bad.toml"),
    (DONE, "--version"),
    (DONE, "--help"),
    (USAGE, ""),
    (USAGE, "zoo"),
    (USAGE, "transmogrify"),
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    transcripts.write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name, operator, second in (
        ("sum", "tosa.add", (2,)),
        ("negative", "tosa.sub", (2,)),
        ("illegal", "tosa.add", (3,)),
    ):
        save(tmp_path / f"{name}.tosa", operator, second)
    save(tmp_path / "divide.tosa", "tosa.intdiv", (2,))
    (tmp_path / "folder-of-one").mkdir()
    (tmp_path / "folder-of-one" / "mystery.tflite").write_bytes((tmp_path / "mystery.tflite").read_bytes())
    return tmp_path


def save(path: Path, operator: str, second: tuple[int, ...]) -> None:
    """Writes a graph of one operator on two inputs, which may be illegal."""
    type = TensorType(DType.I32, (2,))
    a, b = Value(type, "a"), Value(TensorType(DType.I32, second), "b")
    op = Op(operator, [a, b], [type], result_names=["result"])
    path.write_bytes(b"".join(map(bytes, write_tosa(Model({"main": Graph("main", [a, b], [op.result], [op])})))))


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("status", "line"), STATUSES, ids=[line or "nothing" for _, line in STATUSES])
def test_exit_status(status: int, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = line.split()
    if words[:1] == ["verify"] or "two.toml --jobs" in line or "folder-of-one" in line:
        pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
        pytest.importorskip("tosa_reference_model", reason="tosa-tools is not installed")
    assert command(*words) == status
    out, err = map(unwrapped, capsys.readouterr())
    assert "Traceback" not in out + err
    is_report = words[:1] in (["verify"], ["diff"], ["zoo"], ["inspect"]) or "folder" in words or not words
    assert status == DONE or is_report or err.startswith("error: ")


def test_every_command_is_in_the_table() -> None:
    lines = [line.split() for _, line in STATUSES]
    assert {line[0] for line in lines if line} >= set(COMMANDS)
    assert {line[1] for line in lines if line[:1] == ["zoo"] and len(line) > 1} == {"list", "fetch", "verify"}
    for name in set(COMMANDS) - {"ops", "doctor", "convert"}:
        assert {DONE, USAGE, MALFORMED} <= {status for status, line in STATUSES if line.split()[:1] == [name]}


def test_the_page_states_the_same_statuses() -> None:
    page = (ROOT / "docs" / "reference" / "errors.md").read_text("utf-8")
    assert set(re.findall(r"^\| (\d+) \|", page, re.M)) >= {str(status) for status in range(5)}
    assert tc.UsageError.exit_status == USAGE
    assert tc.FormatError.exit_status == tc.VerifyError.exit_status == MALFORMED
    assert tc.UnsupportedError.exit_status == tc.PluginError.exit_status == UNSUPPORTED
    assert tc.UnpredictableError.exit_status == DIFFERS
    assert os.EX_SOFTWARE == 70
