"""Every option of every command on every kind of source: it changes what comes out, or is refused by its name."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.commands import COMMAND, INT8, MODELS, command
from support.tflite_models import Operator, Tensor, build
from support.xnnpack_cases import GROUPS, PROGRAMS, cases

import tosa_converter as tc
from tosa_converter.cli import app, bare
from tosa_converter.cli.applicable import require_applicable
from tosa_converter.cli.bare import command_line, plain_arguments
from tosa_converter.cli.configuration import PROJECT_OPTIONS
from tosa_converter.cli.fields import Field
from tosa_converter.schemas.tflite import BuiltinOperator as B

SMALL = MODELS / "small"
# A value of each option of a conversion, and the TFLite model that has what it is about.
VALUES: dict[str, tuple[tuple[object, ...], Path]] = {
    "target": (("--target", "ethos-u85"), INT8),
    "numerics": (("--numerics", "compact"), INT8),
    "input_shapes": (("--input-shape", "image=3,8,8,1"), INT8),
    "bounds": (("--bound", "t1=3"), Path("where.tflite")),
    "io_types": (("--io-type", "float32"), INT8),
    "io_layouts": (("--io-layout", "image=nchw"), INT8),
    "float_type": (("--float", "bf16"), SMALL / "keywords.float32.tflite"),
    "state": (("--state", "io"), SMALL / "keywords.int8.tflite"),
    "control_flow": (("--control-flow", "flatten"), MODELS / "loop_scan_float32.tflite"),
    "sequence": (("--sequence", "loop"), SMALL / "lstm.int8.tflite"),
    "weights": (("--weights", "stored"), SMALL / "detector.float16.tflite"),
    "rules": (("--plugin", "nothing.py"), INT8),
    "allow_custom": (("--allow-custom",), Path("custom.tflite")),
    "signature": (("--signature", "mix"), MODELS / "signatures_int8.tflite"),
    "dump_ir": (("--dump-ir", "ir"), INT8),
    "debug_info": (("--debug-info",), INT8),
    "constants": (("--constants", "inputs"), INT8),
    "delegate": (("--delegate", "0"), INT8),
    "iree_flag": (("--iree-flag", "--x"), INT8),
    "jobs": (("--jobs", "2"), INT8),
    "timeout": (("--timeout", "60"), INT8),
    "limit": (("--limit", "5"), INT8),
    "partial": (("--partial", "parts"), INT8),
    "explain": (("--explain", "all"), INT8),
    "format": (("--format", "mlir"), INT8),
    "verbose": (("-v",), INT8),
    "json": (("--json",), INT8),
}
KINDS = ("tflite", "xnn", "pte", "tosa", "spv", "vgf", "mlir")


def limits(field: Field) -> tuple[str, ...]:
    return (*field.flag.needs, *field.flag.excluded_by)


def source(kind: str, path: Path, folder: Path) -> Path:
    if kind == "tflite":
        return path
    if kind in ("xnn", "pte"):
        group = PROGRAMS[0] if kind == "pte" else GROUPS[0]
        program = folder / f"m.{kind}"
        program.write_bytes(next(iter(cases(group).values())).data)
        return program
    tc.save(tc.convert(INT8), folder / f"m.{kind}")
    return folder / f"m.{kind}"


def outcome(folder: Path, *words: object) -> tuple[int, dict[str, bytes]]:
    """The status and all that a command writes."""
    shutil.rmtree(folder / "out", ignore_errors=True)
    (folder / "out").mkdir()
    status = command(*words)
    files = {str(path.relative_to(folder)): path.read_bytes() for path in (folder / "out").rglob("*") if path.is_file()}
    return status, files


def test_every_option_of_a_conversion_is_walked() -> None:
    assert VALUES.keys() | {"models", "output", *PROJECT_OPTIONS} == app.parameters(app.convert).keys()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("option", VALUES)
def test_options_of_a_conversion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], option: str, kind: str
) -> None:
    """Written bytes, files or the report differ from those without it; else its name is in the refusal."""
    monkeypatch.chdir(tmp_path)
    words, path = VALUES[option]
    if option == "allow_custom":
        path.write_bytes(
            build([Tensor((1, 3))] * 2, [Operator(B.CUSTOM, (0,), (1,), custom_code="Mystery")], (0,), (1,))
        )
    if option == "bounds":
        path.write_bytes(
            build([Tensor((4,), "bool"), Tensor((), "int64")], [Operator(B.WHERE, (0,), (1,))], (0,), (1,))
        )
    model = source(kind, path, tmp_path)
    if option in ("dump_ir", "partial"):
        words = (words[0], f"out/{words[1]}")
    plain = outcome(tmp_path, model, "-o", "out/m.tosa")
    plain_report = scrubbed(capsys.readouterr().out)
    line = (model, *words) if option in ("partial", "explain") else (model, "-o", "out/m.tosa", *words)
    status, files = outcome(tmp_path, *line)
    out, err = capsys.readouterr()
    if status == 0:
        assert (files, scrubbed(out)) != (plain[1], plain_report), f"{option} does nothing to a .{kind}"
    else:
        assert status in (2, 4)
        assert not files
        assert named(words, err), err


def named(words: tuple[object, ...], text: str) -> bool:
    """Whether a refusal is about the option: by its name, its value or what it asks for."""
    flag, *values = map(str, words)
    names = [flag, flag.lstrip("-").replace("-", " "), *values, *(value.split("=")[0] for value in values)]
    return any(name in text for name in names)


def scrubbed(text: str) -> str:
    """A report without its times."""
    return re.sub(r"\d+(\.\d+)? m?s\b|[\d.]+ ms", "", text)


COMMANDS: dict[str, Any] = {name: getattr(app._module(name), name) for name in bare.COMMANDS if name != "zoo"}
COMMANDS |= {f"zoo {name}": getattr(app._module("zoo"), f"{name}_models") for name in ("list", "fetch", "verify")}
COMMANDS["convert"] = app.convert
FIELDS = {name: app.parameters(function) for name, function in COMMANDS.items()}
LIMITED = [(name, option) for name, fields in FIELDS.items() for option, field in fields.items() if limits(field)]


@pytest.mark.parametrize(("name", "option"), LIMITED)
def test_options_are_refused_beside_those_that_exclude_them(name: str, option: str) -> None:
    fields = FIELDS[name]
    flag = fields[option].flag
    needed = [other for other in flag.needs if other in fields]
    arguments: dict[str, Any] = {option: "x"} | ({needed[0]: "x"} if needed else {})
    require_applicable(name, fields, [option], arguments)
    for other in [other for other in flag.excluded_by if other in fields]:
        with pytest.raises(tc.UsageError, match=f"{flag.name} can't be used together with {fields[other].flag.name}$"):
            require_applicable(name, fields, [option], arguments | {other: "x"})
    if needed:
        with pytest.raises(tc.UsageError, match=f"{flag.name} needs {fields[needed[0]].flag.name}"):
            require_applicable(name, fields, [option], {option: "x"})


def test_limits_name_parameters_of_commands_that_have_the_option() -> None:
    for option in {option for _, option in LIMITED}:
        commands = [fields for fields in FIELDS.values() if option in fields]
        for other in {other for fields in commands for other in limits(fields[option])}:
            assert any(other in fields for fields in commands), (option, other)


REFUSED: dict[str, tuple[tuple[object, ...], str]] = {
    "layout of no name": ((INT8, "-o", "x.tosa", "--io-layout", "nchw"), "--io-layout"),
    "limit without float": ((INT8, "-o", "x.tosa", "--limit", 3), "--limit"),
    "jobs of one model": ((INT8, "-o", "x.tosa", "--jobs", 3), "--jobs"),
    "names in a .tosa": ((INT8, "-o", "x.tosa", "--debug-info"), "--debug-info"),
    "flags of a .spv": ((INT8, "-o", "x.spv", "--iree-flag", "--x"), "--iree-flag"),
    "flags of a chain": ((INT8, "--partial", "d", "--iree-flag", "--x"), "--iree-flag"),
    "a delegate of a chain": ((INT8, "--partial", "d", "--delegate", 0), "--delegate"),
    "a format of an explanation": ((INT8, "--explain", "all", "--format", "mlir"), "--format"),
    "numerics without a check": (("inspect", INT8, "--numerics", "compact"), "--numerics"),
    "a cross-check with a check": (("inspect", INT8, "--cross-check", "--check"), "--cross-check"),
    "tensors of a check": (("inspect", INT8, "--check", "--tensors"), "--tensors"),
    "profile and target": (("inspect", INT8, "--target", "pro-int", "--profile", "pro-int"), "--profile"),
    "assembly as JSON": (("inspect", INT8, "--asm", "--json"), "--json"),
    "seed of files": (("run", INT8, "-i", "x.npy", "--seed", 3), "--seed"),
    "scale of arrays": (("run", INT8, "-i", "x.npy", "--scale", "raw"), "--scale"),
    "limit of LiteRT": (("run", INT8, "--limit", 3), "--limit"),
    "runs of files": (("verify", INT8, "-i", "x.npy", "--runs", 3), "--runs"),
    "seed of compared files": (("verify", INT8, "-i", "x.npy", "--seed", 3), "--seed"),
    "state of a chain": (("verify", INT8, "--partial", "d", "--state", "io"), "--state"),
    "jobs of a cluster": (("zoo", "verify", "--jobs", 2, "--scheduler", "tcp://x"), "--jobs"),
    "a port of a drawing": (("show", INT8, "--svg", "x.svg", "--port", 9000), "--port"),
    "adapters of a drawing": (("show", INT8, "--svg", "x.svg", "--adapters"), "--adapters"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_options_that_do_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("x.npy", np.zeros((1, 8, 8, 1), np.int8))
    words, flag = REFUSED[name]
    if "limit of LiteRT" in name:
        pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    assert command(*words) == 2
    error = capsys.readouterr().err
    assert flag in error
    assert re.search("can't apply|can't be used|needs?|expected", error)
    assert [path.name for path in tmp_path.iterdir()] == ["x.npy"]


def test_the_options_of_the_interface_are_refused_alike() -> None:
    model = tc.convert(INT8)
    for settings in ({"numerics": "compact"}, {"state": "io"}, {"control_flow": "keep"}, {"rules": ["x"]}):
        for call in (tc.convert, *([tc.check] if {"numerics", "rules"} & settings.keys() else [])):
            with pytest.raises(tc.UsageError, match=f"\\({next(iter(settings))}\\) can't apply to a model of tosa"):
                call(model, **settings)  # type: ignore[operator]


FAULTY = """
from tosa_converter import Rule
def halved(match):
    return 0.5 * match[0]
RULES = [Rule("tfl.tanh", "fp32", halved)]
"""


@pytest.mark.parametrize("batch", [None, -1])
def test_the_printed_command_shows_the_same_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], batch: int | None
) -> None:
    """What --extract prints is run by a shell's rules: with the plugin that is to blame, the fault is there again."""
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    folder = tmp_path / "it's a folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    Path("my rules.py").write_text(FAULTY)
    shape = Tensor((1, 5), signature=() if batch is None else (batch, 5))
    operators = [Operator(B.EXP, (0,), (1,)), Operator(B.TANH, (1,), (2,)), Operator(B.ABS, (2,), (3,))]
    Path("m.tflite").write_bytes(build([shape] * 4, operators, (0,), (3,)))
    words = ("verify", "m.tflite", "--plugin", "my rules.py", "--numerics", "compact", "--extract", "a case", "--json")
    assert command(*words) == 1
    figures = json.loads(capsys.readouterr().out)
    (line,) = figures["extracted"].values()
    assert Path("a case/command.txt").read_text() == line + "\n"
    call = shlex.split(line)
    assert call[:3] == ["tflite-to-tosa", "verify", "a case/operator.tflite"]
    for option, value in (("--plugin", "my rules.py"), ("--numerics", "compact")):
        assert call[call.index(option) + 1] == value
    done = subprocess.run([*COMMAND, *call[1:], "--json"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 1, done.stderr
    result, expected = json.loads(done.stdout)["comparisons"]
    (guilty,) = (
        row for row in figures["operators"][0]["operators"] if row["index"] == figures["operators"][0]["guilty"]
    )
    for figure in ("mismatches", "elements", "max_abs"):
        assert result["outputs"][0][figure] == guilty["alone"][figure]
    assert (expected["engine"], expected["outputs"][0]["mismatches"]) == ("a case/expected.npz", 0)
    inputs, values = (next(iter(dict(np.load(f"a case/{name}.npz")).values())) for name in ("inputs", "expected"))
    np.testing.assert_allclose(values, np.tanh(inputs), rtol=1e-6)
    assert result["outputs"][0]["max_abs"] == pytest.approx(np.abs(np.tanh(inputs) - inputs / 2).max(), rel=1e-5)


MOVED = """
from tosa_converter import Rule
from tosa_converter.legalize.tflite.any_type.positions import where
def moved(match):
    return where(match) + 1
RULES = [Rule("tfl.where", "bool", moved)]
"""


def test_printed_commands_have_the_bounds_of_their_operators(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    monkeypatch.chdir(tmp_path)
    Path("rules.py").write_text(MOVED)
    tensors = [Tensor((4,), "bool"), Tensor((1, 1), "int64", signature=(-1, 1))]
    Path("m.tflite").write_bytes(build(tensors, [Operator(B.WHERE, (0,), (1,))], (0,), (1,)))
    np.savez("all.npz", t0=np.ones(4, bool))
    words = ("verify", "m.tflite", "--plugin", "rules.py", "--bound", "t1=4", "--input", "all.npz")
    assert command(*words, "--extract", "case", "--json") == 1
    (line,) = json.loads(capsys.readouterr().out)["extracted"].values()
    call = shlex.split(line)[1:]
    assert call[call.index("--bound") + 1] == "t1=4"
    assert command(*call, "--json") == 1
    result, expected = json.loads(capsys.readouterr().out)["comparisons"]
    assert [output["mismatches"] for output in result["outputs"] + expected["outputs"]] == [4, 0]


def test_a_command_line_is_read_back_as_it_was_meant() -> None:
    options: dict[str, Any] = {
        "target": "pro-int,8k",
        "rules": ["a b.py", "c'd.py"],
        "allow_custom": True,
        "state": "",
    }
    line = shlex.split(command_line("m $(x).tflite", output="o\n.tosa", **options))
    assert line[:2] == ["tflite-to-tosa", "m $(x).tflite"]
    arguments = plain_arguments(line[1:])
    assert arguments == {
        "models": ["m $(x).tflite"],
        "output": "o\n.tosa",
        "target": "pro-int,8k",
        "rules": ["a b.py", "c'd.py"],
        "allow_custom": True,
    }
