"""The command: exit status, one clear error, nothing left behind; reports; determinism."""

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.commands import FLOAT, INT8, MODELS, command, refused, unwrapped
from support.some import some
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.engines import ENGINES
from tosa_converter.engines.litert import LiteRT
from tosa_converter.errors import ConverterError
from tosa_converter.execute.definition.base import Kernel
from tosa_converter.execute.fast.base import PlanContext
from tosa_converter.ir import Op
from tosa_converter.rewriting.match import Match
from tosa_converter.schemas.tflite import BuiltinOperator


def test_converts_by_default_and_says_what_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "digits.tosa"
    assert command(INT8, "-o", out) == 0
    text = capsys.readouterr().out
    assert "needs      PRO-INT, EXT-DOUBLEROUND" in text
    assert out.read_bytes()[4:8] == b"TOSA"
    assert os.listdir(tmp_path) == ["digits.tosa"]


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.tosa", "b.tosa"):
        script = "import sys; from tosa_converter.cli.main import main; main(sys.argv[1:])"
        environment = {**os.environ, "PYTHONHASHSEED": name.encode().hex()[:4].strip("abcdef") or "1"}
        words = [sys.executable, "-c", script, str(INT8), "-o", str(tmp_path / name)]
        subprocess.run(words, check=True, capture_output=True, env=environment, timeout=120)
    assert (tmp_path / "a.tosa").read_bytes() == (tmp_path / "b.tosa").read_bytes()


def test_json_report_and_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(FLOAT, "-o", tmp_path / "x.tosa", "--json") == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["needs"] == "PRO-FP"
    assert figures["source_ops"]["tfl.conv_2d"] == 3
    assert figures["output_bytes"] == (tmp_path / "x.tosa").stat().st_size
    assert command(FLOAT, "-o", tmp_path / "x.tosa", "-v") == 0
    assert "legalize" in capsys.readouterr().out


def test_dump_ir_writes_the_graph_after_every_pass(tmp_path: Path) -> None:
    folder = tmp_path / "made" / "ir"
    for _ in range(2):
        assert command(FLOAT, "-o", tmp_path / "x.tosa", "--dump-ir", folder) == 0
    names = sorted(os.listdir(folder))
    assert names[0] == "00-import.mlir"
    assert '"tfl.conv_2d"' in (folder / names[0]).read_text()
    assert '"tfl.' not in (folder / names[-1]).read_text()


def test_passes_that_had_nothing_to_do_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Calls, tensor lists and state have passes of their own; so have the ways out of TOSA."""

    def passes(model: Path, output: str) -> list[str]:
        assert command(model, "-o", tmp_path / output, "--json") == 0
        return [step["name"] for step in json.loads(capsys.readouterr().out)["passes"]]

    legalize = ["legalize", "reshape-propagation", "simplify", "common-subexpressions"]
    assert passes(FLOAT, "x.tosa") == legalize
    loop = MODELS / "loop_gru_float32.tflite"
    assert passes(loop, "x.tosa") == ["inline-calls", "tensor-lists", *legalize]
    out = ["expansions", "composed-operators", "quantized-operators", "to-tflite", "outline", "tidy", "borders"]
    assert passes(FLOAT, "x.tflite") == [*legalize, *out]
    out = ["expansions", "composed-nodes", "byte-scales", "quantized-nodes", "integers-in-floats", "to-xnngraph"]
    out += ["fused-layers", "fused-nodes", "borders"]
    assert passes(FLOAT, "x.xnn") == [*legalize, *out]


def test_dump_ir_writes_what_each_preparation_changed(tmp_path: Path) -> None:
    """A graph that is the same as before isn't written once more."""

    def dumped(model: Path, output: str) -> list[str]:
        folder = tmp_path / output.replace(".", "-")
        assert command(model, "-o", tmp_path / output, "--dump-ir", folder) == 0
        return sorted(os.listdir(folder))

    loop = MODELS / "loop_gru_float32.tflite"
    names = ["00-import", "01-inline-calls", "02-tensor-lists", "03-legalize", "04-reshape-propagation", "05-simplify"]
    assert dumped(loop, "loop.tosa") == [f"{name}.mlir" for name in names]
    before, after = ((tmp_path / "loop-tosa" / f"{name}.mlir").read_text() for name in names[1:3])
    assert '"tfl.dynamic_update_slice"' in after
    assert '"tfl.dynamic_update_slice"' not in before
    names = ["00-import", "01-legalize", "02-simplify", "03-quantized-operators", "04-to-tflite", "05-tidy"]
    assert dumped(INT8, "x.tflite") == [f"{name}.mlir" for name in names]


def test_dump_ir_where_no_folder_can_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "ir"):
        error = refused(capsys, tmp_path, 2, FLOAT, "-o", tmp_path / "x.tosa", "--dump-ir", folder)
        assert error.startswith(f"error: {folder}: ")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "an empty file"),
        (b"not a model at all", "18 bytes beginning with b'not a mo'"),
        (INT8.read_bytes()[:1000], ""),
        (b"\x1c\0\0\0TFL9" + INT8.read_bytes()[8:], "TFL9"),
    ],
    ids=["empty", "text", "truncated", "wrong identifier"],
)
def test_unreadable_files_exit_with_3(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, message: str
) -> None:
    model = tmp_path / "bad.tflite"
    model.write_bytes(content)
    error = refused(capsys, tmp_path, 3, model, "-o", tmp_path / "out.tosa")
    assert error.startswith(f"error: {model}")
    assert message in error


def unsupported_model() -> bytes:
    """A graph with two operators that nothing converts and one that could be."""
    tensors = [Tensor((4,)), Tensor((4,)), Tensor((4,)), Tensor((4,))]
    operators = [
        Operator(BuiltinOperator.CUSTOM, (0,), (1,), custom_code="Mystery"),
        Operator(BuiltinOperator.RELU, (1,), (2,)),
        Operator(BuiltinOperator.LSH_PROJECTION, (2,), (3,)),
    ]
    return build(tensors, operators, (0,), (3,))


def test_unsupported_operators_are_listed_all_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "model.tflite"
    model.write_bytes(unsupported_model())
    error = refused(capsys, tmp_path, 4, model, "-o", tmp_path / "out.tosa")
    assert "1 Mystery" in error
    assert "1 LSH_PROJECTION: " in error
    assert "relu" not in error
    error = refused(capsys, tmp_path, 4, model, "-o", tmp_path / "out.tosa", "-v")
    assert "main:0 CUSTOM 't1'" in error
    assert "main:2 LSH_PROJECTION 't3'" in error


def test_a_target_that_lacks_what_the_model_needs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error = refused(capsys, tmp_path, 4, FLOAT, "-o", tmp_path / "out.tosa", "--target", "pro-int")
    assert "is a float model, but PRO-INT computes int8 only" in error
    assert "CONV_2D" in error


@pytest.mark.parametrize(
    "words",
    [
        ("--input-shape", "serving_default_image:0=1,9,9,1"),
        ("--input-shape", "nobody=1,8,8,1"),
        ("--input-shape", "serving_default_image:0=1,8"),
        ("--input-shape", "serving_default_image:0=0,8,8,1"),
        ("--input-shape", "1,2,3"),
        ("--numerics", "approximate"),
        ("--target", "pro-everything"),
        ("--no-such-option",),
    ],
    ids=lambda words: " ".join(words),
)
def test_arguments_that_do_not_fit_exit_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    refused(capsys, tmp_path, 2, INT8, "-o", tmp_path / "out.tosa", *words)


def test_output_folder_missing_or_output_of_an_unknown_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "No such file" in refused(capsys, tmp_path, 2, INT8, "-o", tmp_path / "missing" / "out.tosa")
    for ending in ("onnx", "pte"):
        error = refused(capsys, tmp_path, 2, tmp_path / "nothing.tflite", "-o", tmp_path / f"out.{ending}")
        assert f"ending in .tosa, .spv, .vgf, .mlir, .mlirbc, .vmfb, .tflite, .xnn, found .{ending}" in error
    assert "No such file" in refused(capsys, tmp_path, 2, tmp_path / "nothing.tflite", "-o", tmp_path / "out.tosa")


def test_output_folder_read_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tmp_path.chmod(0o500)
    folder = tmp_path if os.geteuid() else Path("/proc/self")  # root may write to any folder but such
    refused(capsys, tmp_path, 2, INT8, "-o", folder / "out.tosa")
    tmp_path.chmod(0o700)


def test_output_is_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "out.tosa").mkdir()
    refused(capsys, tmp_path, 2, INT8, "-o", tmp_path / "out.tosa")


def test_a_failed_conversion_leaves_the_old_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, out = tmp_path / "model.tflite", tmp_path / "out.tosa"
    model.write_bytes(unsupported_model())
    out.write_bytes(b"precious")
    refused(capsys, tmp_path, 4, model, "-o", out)
    assert out.read_bytes() == b"precious"


def test_input_shape_changes_the_batch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(INT8, "-o", tmp_path / "b.tosa", "--input-shape", "image=4,8,8,1") == 0
    assert command("inspect", tmp_path / "b.tosa", "--json") == 0
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert figures["graphs"][0]["inputs"][0]["shape"] == [4, 8, 8, 1]
    assert figures["graphs"][0]["outputs"][0]["shape"] == [4, 10]


def test_inspect_any_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command(INT8, "-o", tmp_path / "m.tosa")
    capsys.readouterr()
    assert command("inspect", INT8, "--tensors") == 0
    text = capsys.readouterr().out
    assert "tfl.conv_2d" in text
    assert "needs  PRO-INT, EXT-DOUBLEROUND" in text
    assert command("inspect", tmp_path / "m.tosa", "--check") == 0
    assert "check  valid" in capsys.readouterr().out
    assert command("inspect", tmp_path / "m.tosa", "--check", "--profile", "pro-fp") == 3
    assert "needs" in unwrapped(capsys.readouterr().err)
    assert command("inspect", tmp_path / "m.tosa", "--check", "--level", "none") == 0
    assert command("inspect", tmp_path / "m.tosa", "--check", "--level", "16k") == 2


@pytest.mark.parametrize(
    ("option", "status"), [("--profile=pro-fp", 3), ("--extension=ext-int4", 3), ("--level=8k", 0)]
)
def test_what_a_check_allows_asks_for_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str, status: int
) -> None:
    command(INT8, "-o", tmp_path / "m.tosa")
    capsys.readouterr()
    assert command("inspect", tmp_path / "m.tosa", option) == status
    assert ("check  valid" in capsys.readouterr().out) == (status == 0)
    assert "a source has a --target" in refused(capsys, tmp_path, 2, "inspect", INT8, option)


@pytest.mark.parametrize(
    ("words", "listed"),
    [
        (("--help",), ("convert ", "verify ", "zoo")),
        (("convert", "--help"), ("pro-int,ext-doubleround,8k", "ethos-u85", "reference, xnnpack, compact")),
        (("inspect", "--help"), ("pro-int, pro-fp", "ext-controlflow", "8k, none")),
        (("run", "--help"), tuple(ENGINES)),
        (("verify", "-h"), (*ENGINES, "compact")),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_help_lists_the_values_of_options(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], listed: tuple[str, ...]
) -> None:
    assert command(*words) == 0
    text = " ".join(capsys.readouterr().out.replace("│", " ").split())  # whatever the width
    assert [value for value in listed if value not in text] == []


def test_run_on_files_and_at_random(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command(INT8, "-o", tmp_path / "m.tosa")
    image = np.arange(-128, -64, dtype=np.int8).reshape(1, 8, 8, 1)
    np.save(tmp_path / "image.npy", image)
    assert command("run", tmp_path / "m.tosa", "-i", tmp_path / "image.npy", "-o", tmp_path / "out.npz") == 0
    with np.load(tmp_path / "out.npz") as outputs:
        (result,) = outputs.values()
    assert result.shape == (1, 10)
    capsys.readouterr()
    assert command("run", tmp_path / "m.tosa", "--seed", "3", "--json") == 0
    assert json.loads(capsys.readouterr().out)["outputs"][0]["shape"] == [1, 10]
    assert command("run", tmp_path / "m.tosa", "-i", f"nobody={tmp_path / 'image.npy'}") == 2
    assert command("run", tmp_path / "m.tosa", "-i", tmp_path / "missing.npy") == 2


def test_verify_passes(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    assert command("verify", INT8, "--runs", "3", "--json") == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["verdict"]
    (comparison,) = figures["comparisons"]
    assert comparison["outputs"][0]["mismatches"] == 0
    assert comparison["outputs"][0]["elements"] == 30


@pytest.mark.parametrize(("kind", "allowed"), [("fp16", 2.0**-8), ("bf16", 2.0**-5)])
def test_verify_in_another_type_of_floats(kind: str, allowed: float, capsys: pytest.CaptureFixture[str]) -> None:
    """Through the same conversion as `convert --float`, held to some roundings of that type."""
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    assert command("verify", FLOAT, "--float", kind, "--json") == 0
    (output,) = json.loads(capsys.readouterr().out)["comparisons"][0]["outputs"]
    assert 1e-5 < output["max_abs"] / output["reference_max"] < allowed == output["tolerance"] / output["reference_max"]
    assert command("verify", FLOAT, "--float", "fp8") == 2
    assert "expected one of fp16, bf16, found 'fp8'" in unwrapped(capsys.readouterr().err)


def test_run_refuses_what_32_bits_do_not_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tensors = [Tensor((2,), "int64", name="ids"), Tensor((2,), "int64")]
    (tmp_path / "m.tflite").write_bytes(build(tensors, [Operator(BuiltinOperator.NEG, (0,), (1,))], (0,), (1,)))
    assert command(tmp_path / "m.tflite", "-o", tmp_path / "m.tosa") == 0
    assert "(`run` and `verify` refuse values beyond)" in " ".join(capsys.readouterr().out.split())
    for values, status in (([1, 2**31 - 1], 0), ([1, 2**31], 2)):
        np.save(tmp_path / "x.npy", np.array(values))
        assert command("run", tmp_path / "m.tosa", "-i", tmp_path / "x.npy") == status
    assert "found 2147483648 at [1]" in unwrapped(capsys.readouterr().err)


def test_verify_judges_every_operator_by_its_clause(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    assert command("verify", FLOAT, "--layers", "--json") == 0
    layers = json.loads(capsys.readouterr().out)["layers"]
    assert {"tosa.conv2d", "tosa.exp", "tosa.clamp"} <= {row["op"] for row in layers}
    assert all(row["compliant"] for row in layers)
    assert max(row["worst"] for row in layers) > 0  # fp32 is not fp64


def test_a_kernel_that_breaks_its_clause_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    from tosa_converter.execute.fast import plans
    from tosa_converter.schemas.tosa_ops import EXP

    honest = plans.FAST[EXP]

    def sloppy(op: Op, plan_context: PlanContext) -> Kernel:
        exact = some(honest(op, plan_context))
        return lambda x: np.asarray(exact(x)) * np.float32(1.0001)

    monkeypatch.setitem(plans.FAST, EXP, sloppy)
    assert command("verify", FLOAT, "--layers") == 1
    assert "  BREAKS   tosa.exp at main:8 SOFTMAX" in capsys.readouterr().out


def test_verify_against_the_reference_model(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    pytest.importorskip("tosa_reference_model", reason="tosa-tools is not installed")
    assert command("verify", FLOAT, "--against", "litert,tosa-reference-model", "--json") == 0
    figures = json.loads(capsys.readouterr().out)
    assert [c["engine"] for c in figures["comparisons"]] == ["executor", "tosa-reference-model"]


def test_a_wrong_rule_is_caught(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The check can fail: an addition legalized as a subtraction makes `verify` exit with 1."""
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    from tosa_converter.legalize import pipelines
    from tosa_converter.rewriting.pipeline import prefer_rules
    from tosa_converter.rewriting.rule import Rule

    def wrong(match: Match) -> tc.Expr:
        return match[0] - match[1]

    rigged = prefer_rules([Rule("tfl.add", "", wrong)], pipelines.PIPELINES["tfl"])
    monkeypatch.setitem(pipelines.PIPELINES, "tfl", rigged)
    assert command("verify", FLOAT) == 1
    assert capsys.readouterr().out.split()[2:9] == ["1", "of", "1", "output", "differs", "from", "LiteRT"]
    _is_extracted(tmp_path / "case", capsys)


def _is_extracted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The addition is named and marked, and is a folder whose printed command shows the same difference."""
    assert command("verify", FLOAT, "--extract", folder) == 1
    text = capsys.readouterr().out
    assert "  first difference  operator 3, ADD " in text
    assert [line.split()[:2] for line in text.splitlines() if line.endswith("  DIFFERS")][1:] == [["3", "ADD"]]
    lines = text.replace("\\\n", "").splitlines()  # a backslash goes on in the next line
    (words,) = (shlex.split(line)[1:] for line in lines if line.startswith("  tflite-to-tosa "))
    assert (folder / "command.txt").read_text() == f"{shlex.join(['tflite-to-tosa', *words])}\n"
    assert command("verify", FLOAT, "--extract", folder, "--json") == 1
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert list(figures["extracted"]) == [str(folder / "operator.tflite")]
    assert figures["operators"][0]["guilty"] == 3
    assert command(*words, "--json") == 1
    result, expected = json.loads(capsys.readouterr().out)["comparisons"]
    alone = figures["operators"][0]["operators"][3]["alone"]
    assert [result["outputs"][0][name] for name in ("mismatches", "max_abs")] == [alone["mismatches"], alone["max_abs"]]
    assert expected["outputs"][0]["mismatches"] == 0


def test_an_illegal_rule_is_a_bug_of_ours(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 70 and where it was, not "a graph that the specification forbids" of the user's."""
    from tosa_converter.legalize import pipelines
    from tosa_converter.rewriting.pipeline import prefer_rules
    from tosa_converter.rewriting.rule import Rule

    rigged = prefer_rules([Rule("tfl.add", "", lambda match: match[0].reverse(9))], pipelines.PIPELINES["tfl"])
    monkeypatch.setitem(pipelines.PIPELINES, "tfl", rigged)
    assert command("verify", FLOAT) == 70
    message = unwrapped(capsys.readouterr().err)
    assert "internal error: BrokenPassError: rule test_cli.add of tfl.add at main:" in message
    assert "please report it" in message


def test_a_crash_of_litert_is_an_error_and_no_more() -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    model = tc.load(INT8)
    inputs = {model.main.inputs[0].name: np.zeros((1, 8, 8, 1), np.int8)}
    engine = LiteRT()
    expected = engine.run(model, inputs)
    os.kill(some(engine._worker.process).pid, signal.SIGKILL)
    with pytest.raises(ConverterError, match=rf"the LiteRT worker ended with status -9 \(SIGKILL\) on {INT8}"):
        engine.run(model, inputs)
    outputs = engine.run(model, inputs)
    assert [np.array_equal(outputs[name], array) for name, array in expected.items()] == [True]
    engine._worker.close()
