"""What a file or a user says is printed safely: it can't steer a terminal, forge a line or flood the screen."""

import ast
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.commands import COMMAND, FLOAT, INT8, ROOT, command, unwrapped
from support.tflite_models import Operator, Tensor, build
from support.tosa_graphs import model, tensor

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.errors import INTERNAL, LONGEST, printable
from tosa_converter.figures import as_json
from tosa_converter.schemas import tosa_ops
from tosa_converter.schemas.tflite import BuiltinOperator

# Clears the screen, forges lines in three ways of ending a line, turns the direction, hides, rings.
HOSTILE = "\x1b[2J\nforged\r\nforged\u2028forged\x85\u202egnp.exe\u200b\u200f\ufeff\x9b31m\x07\x7f\x00"


def safe(text: str) -> str:
    """Text that a command printed, after checking that it has no character but visible ones in lines of our own."""
    lines = text.split("\n")
    assert all(line.isprintable() for line in lines), text
    assert not any(line.startswith("forged") for line in lines)
    assert max(map(len, lines)) < 12 * LONGEST
    return text


Printed = Callable[..., str]


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Printed:
    """Runs a command that ends with one of the given statuses; what it printed on both streams, checked."""

    def run(statuses: list[int], *words: object) -> str:
        assert command(*words) in statuses
        out, err = capsys.readouterr()
        return unwrapped(safe(out) + safe(err))

    return run


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Größe 大小 😀 a\\b", "Größe 大小 😀 a\\b"),
        ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("\x00\x1b\x7f\x85\x9b", "\\x00\\x1b\\x7f\\x85\\x9b"),
        ("\u200b\u200e\u2028\u2029\u202e\u2066\ufeff", "\\u200b\\u200e\\u2028\\u2029\\u202e\\u2066\\ufeff"),
        ("\udcff \U000e0041", "\\udcff \\U000e0041"),
        ("head" + "x" * 100_000 + "tail", None),
    ],
    ids=["plain", "lines", "controls", "marks", "surrogates and tags", "long"],
)
def test_printable(text: str, shown: str | None) -> None:
    escaped = printable(text)
    assert escaped == (escaped if shown is None else shown)
    assert len(escaped) < LONGEST + 50
    assert shown or (escaped[:4], escaped[-4:]) == ("head", "tail")
    assert printable(text, None).isprintable()


def test_json_escapes_what_it_holds_and_keeps_its_value() -> None:
    figures = {HOSTILE: [HOSTILE, "\udcff", "x" * 10_000]}
    text = as_json(figures)
    assert json.loads(text) == figures
    assert safe(text[:500]).isascii()


GATES = ("printing.py", "progress.py")  # progress prints a label of ours


def test_nothing_is_printed_past_the_gate() -> None:
    for folder in ("cli", "converter", "legalize", "schemas"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Name | ast.Attribute) and path.name not in GATES:
                    assert ast.unparse(node) not in {"print", "sys.stdout", "sys.stderr"}, f"{path}:{node.lineno}"


def hostile_tflite(builtin: BuiltinOperator = BuiltinOperator.RELU, **options: Any) -> bytes:
    tensors = [Tensor((1, 4), name="in" + HOSTILE), Tensor((1, 4), name="out" + HOSTILE)]
    return build(tensors, [Operator(builtin, (0,), (1,), **options)], (0,), (1,))


def test_names_of_a_tflite_model(tmp_path: Path, printed: Printed) -> None:
    path, out = tmp_path / "m.tflite", tmp_path / "m.tosa"
    path.write_bytes(hostile_tflite())
    assert printed([0], "inspect", path, "--tensors").count("\\x1b[2J\\nforged\\r\\n") == 3
    named = ["--debug-info"] if out.suffix != ".tosa" else []
    for words in (["inspect", path], [path, "-o", out], [path, "-o", out, "-v"], [path, "-o", out, *named]):
        printed([0], *words)
    printed([4], path, "-o", out, "--target", "pro-int")
    printed([2], path, "-o", out, "--input-shape", f"{HOSTILE}=1,4")
    printed([0], path, "-o", out, "--dump-ir", tmp_path / "ir")
    for dump in (tmp_path / "ir").iterdir():
        safe(dump.read_text())
    assert json.loads(printed([0], "inspect", path, "--json"))["graphs"][0]["inputs"][0]["name"] == "in" + HOSTILE


def test_names_where_a_model_runs(tmp_path: Path, printed: Printed) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    path = tmp_path / "m.tflite"
    path.write_bytes(hostile_tflite())
    printed([0], "run", path)
    assert "the conversion computes the same as LiteRT" in printed([0], "verify", path, "--layers")
    printed([0], "verify", path, "--layers", "-v")
    printed([0], "verify", path, "--json")
    printed([2], "run", path, "-i", f"{HOSTILE}={tmp_path}/nothing.npy")
    printed([2], "run", path, "--against", HOSTILE)


def test_custom_operators_and_their_options(tmp_path: Path, printed: Printed) -> None:
    path = tmp_path / "m.tflite"
    flexbuffer = b"\x01\x00\x1b\x00\x02\x04\x01\x01\x06\x04\x14\x24\x01"
    for options in (b"", b"raw\x1b", flexbuffer):
        path.write_bytes(hostile_tflite(BuiltinOperator.CUSTOM, custom_code="C" + HOSTILE, custom_options=options))
        printed([0], "inspect", path)
        printed([0], "inspect", path, "--json")
        assert "C\\x1b[2J\\nforged" in printed([4], path, "-o", tmp_path / "m.tosa")


@pytest.mark.parametrize("ending", [".tosa", ".spv", ".vgf"])
def test_names_of_tosa_in_every_format(tmp_path: Path, printed: Printed, ending: str) -> None:
    if ending == ".vgf":
        pytest.importorskip("vgfpy", reason="the VGF library is not installed")
    name = HOSTILE.replace("\0", "")  # SPIR-V's strings end there
    x, y = tensor(DType.I32, 4), tensor(DType.I32, 4)
    x.name, y.name = "in" + name, "out" + name
    graph = model(tosa_ops.CLZ, [x], [y.type])
    graph.main.outputs[0].name = y.name
    graph.main.ops[-1].location = "at" + name
    path = tmp_path / f"m{ending}"
    tc.save(graph, path, debug=path.suffix != ".tosa")
    assert "in\\x1b[2J\\nforged" in printed([0], "inspect", path, "--tensors", "--check")
    printed([0], "run", path)
    printed([0], path, "-o", tmp_path / "m.mlir")
    safe((tmp_path / "m.mlir").read_text())
    printed([3], "inspect", path, "--check", "--profile", "pro-fp")
    if ending != ".tosa":
        assert "in\\x1b[2J" in printed([0], "inspect", path, "--asm")


def test_paths_and_words_of_the_user(tmp_path: Path, printed: Printed) -> None:
    folder = tmp_path / HOSTILE.replace("\0", "").replace("/", "")
    folder.mkdir()
    path = folder / "m.tflite"
    path.write_bytes(INT8.read_bytes())
    printed([0], path, "-o", folder / "m.tosa")
    printed([0], "inspect", path)
    path.write_bytes(b"no model")
    printed([3], "inspect", path)
    printed([2], "inspect", folder / "nothing")
    printed([2], "inspect", INT8, HOSTILE)
    printed([2], "run", INT8, "--seed", HOSTILE)
    printed([2], "zoo", HOSTILE)
    printed([2], INT8, "-o", tmp_path / "m.tosa", "--target", HOSTILE)
    printed([2], INT8, "-o", tmp_path / "m.tosa", "--numerics", HOSTILE)
    printed([2], INT8, "-o", tmp_path / f"m.{HOSTILE}")


def test_an_operator_of_100_000_operands_is_one_short_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The message itself was 1.1 MB."""
    operator = Operator(BuiltinOperator.CUSTOM, (0,) * 100_000, (1,), custom_code="Mystery")
    path = tmp_path / "m.tflite"
    path.write_bytes(build([Tensor((4,)), Tensor((4,))], [operator], (0,), (1,)))
    assert command(path, "-o", tmp_path / "m.tosa") == 4
    error = unwrapped(capsys.readouterr().err)
    assert "Mystery" in error
    assert len(error) < 2 * LONGEST


def test_a_bug_of_ours_asks_to_be_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **_delegate: object) -> None:
        raise TypeError("unsupported operand" + HOSTILE)

    monkeypatch.setattr("tosa_converter.cli.conversion.read_model", broken)
    assert command(FLOAT, "-o", tmp_path / "m.tosa") == INTERNAL == 70
    first, *places, last = safe(unwrapped(capsys.readouterr().err)).splitlines()
    assert first.startswith("internal error: TypeError: unsupported operand\\x1b[2J\\nforged")
    assert places[-1].startswith("  test_cli_printing.py:")
    assert "in convert_file" in places[-2]
    assert f"tosa-converter {tc.__version__}: please report it" in last


def test_a_machine_without_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **_delegate: object) -> None:
        raise MemoryError

    monkeypatch.setattr("tosa_converter.cli.conversion.read_model", broken)
    assert command(FLOAT, "-o", tmp_path / "m.tosa") == 1
    assert unwrapped(capsys.readouterr().err) == "error: not enough memory\n"


def test_a_terminal_that_knows_little(tmp_path: Path) -> None:
    path = tmp_path / "m.tflite"
    path.write_bytes(
        build([Tensor((4,), name="größe"), Tensor((4,))], [Operator(BuiltinOperator.RELU, (0,), (1,))], (0,), (1,))
    )
    environment = {"PYTHONIOENCODING": "ascii:strict"}
    done = subprocess.run([*COMMAND, "inspect", path], capture_output=True, env=environment, timeout=60, check=True)
    assert b"gr\\xf6\\xdfe" in done.stdout
