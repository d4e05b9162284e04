"""The screens of a conversion, of `inspect` and of its check: exact lines, 80 columns, hostile names, many of them."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.commands import FLOAT, MODELS, command
from support.commands import INT8 as INT8_MODEL
from support.tflite_models import Operator as Node
from support.tflite_models import Tensor, build

from tosa_converter.cli import conversion_screen as screen
from tosa_converter.cli.columns import WIDTH, size_words
from tosa_converter.cli.conversion import Conversion, FileBeside
from tosa_converter.conversion import PassReport, Report
from tosa_converter.coverage import Coverage, Operator
from tosa_converter.dtypes import DType
from tosa_converter.inspection import CustomInspection, GraphInspection, Inspection, TensorInspection
from tosa_converter.ir import Border, BorderRow, Quant, State, TensorType
from tosa_converter.rewriting.report import Note
from tosa_converter.rules.target import Target
from tosa_converter.schemas.tflite import BuiltinOperator as B


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.0 KB"),
        (1536, "1.5 KB"),
        (2**20 - 1, "1024.0 KB"),
        (2**20, "1.0 MB"),
        (5 * 2**29, "2.5 GB"),
        (2**30 - 2**20, "1023.0 MB"),
        (2**40, "1024.0 GB"),
    ],
)
def test_sizes(count: int, text: str) -> None:
    assert size_words(count) == text


INT8 = TensorType(DType.I8, (None, 10), Quant((0.5,), (-3,)))
PLAIN = INT8._replace(quant=None)


def row(role: str = "input", name: str = "x", type_before: TensorType | None = INT8, **fields: Any) -> BorderRow:
    """Returns the row of an input or output with one unknown dimension that became 1, and is otherwise unchanged."""
    border = None if type_before is None else Border(name, type_before)
    result = TensorType(DType.I8, (1, 10))
    return BorderRow(role, "main", name, border, result, border)._replace(**fields)


def line_of(row: BorderRow) -> str:
    """Returns the line of one row, without its label."""
    (line, *more) = screen.border_lines([row], verbose=False)
    return " ".join(part.strip() for part in (line[13:], *more))


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({}, "x  int8[?,10] -> int8[1,10] scale 0.5 zero point -3 (unchanged)"),
        ({"type": PLAIN}, "x  int8[?,10] scale 0.5 zero point -3 (unchanged)"),
        ({"type": None}, "x  int8[?,10] scale 0.5 zero point -3"),
        ({"source": None, "stored": None}, "x  int8[1,10]"),
        ({"state": "x.next"}, "x  int8[?,10] -> int8[1,10] scale 0.5 zero point -3 (state)"),
        (
            {"source": Border("x", INT8._replace(quant=Quant((0.5, 0.25), (0, 0), 1)))},
            "x  int8[?,10] 2 scales along axis 1 -> int8[1,10] scale 0.5 zero point -3",
        ),
        (
            {"stored": Border("x", INT8._replace(shape=(10, None)), (1, 0))},
            "x  int8[?,10] scale 0.5 zero point -3 -> int8[1,10] scale 0.5 zero point -3 "
            "(dimension i is dimension [1, 0][i] of the source)",
        ),
        ({"stored": None}, "x  int8[?,10] -> int8[1,10] scale 0.5 zero point -3 (unchanged)"),
        (
            {"type": TensorType(DType.FP32, (1, 10)), "stored": Border("x", TensorType(DType.FP32, (1, 10)))},
            "x  int8[?,10] scale 0.5 zero point -3 -> float32[1,10]",
        ),
    ],
)
def test_what_became_of_an_input(fields: dict[str, Any], text: str) -> None:
    assert line_of(row(**fields)) == text


@pytest.mark.parametrize(
    ("source", "result", "role", "text"),
    [
        (DType.UI8, DType.I8, "input", "uint8[2] -> int8[2] (the bits are the same, so read them without sign)"),
        (DType.I64, DType.I32, "input", "int64[2] -> int32[2] (`run` and `verify` refuse values beyond)"),
        (DType.I64, DType.I32, "output", "int64[2] -> int32[2]"),
        (DType.FP32, DType.BF16, "output", "float32[2] -> bfloat16[2]"),
        (DType.FP32, DType.FP32, "output", "float32[2] (unchanged)"),
    ],
)
def test_other_element_types(source: DType, result: DType, role: str, text: str) -> None:
    border = Border("x", TensorType(source, (2,)))
    changed = BorderRow(role, "main", "x", border, TensorType(result, (2,)), border)
    assert line_of(changed) == f"x  {text}"
    assert changed.is_unchanged == (source is result)
    assert changed.figures()["unchanged"] == (source is result)
    assert changed.figures()["change"].startswith("" if source is result else f"{source.plain_name} became")


def test_unsigned_integers_that_options_ask_for() -> None:
    asked = Border("x", TensorType(DType.UI8, (1, 10), Quant((0.5,), (125,))))
    changed = row(stored=asked)
    bits = "the bits are those of uint8 scale 0.5 zero point 125, so read them without sign"
    assert line_of(changed) == f"x  int8[?,10] scale 0.5 zero point -3 -> int8[1,10] ({bits})"
    assert changed.change == f"int8 scale 0.5 zero point -3 became int8: {bits}"


def test_a_scale_that_differs_in_its_last_digit_is_a_change() -> None:
    close = INT8._replace(quant=Quant((0.5000000001,), (-3,)))
    changed = row(stored=Border("x", close))
    assert changed.change == "int8 scale 0.5 zero point -3 became int8 scale 0.5000000001 zero point -3"
    assert "(unchanged)" not in line_of(changed)


@pytest.mark.parametrize("count", [10, 11, 10_000])
def test_the_first_ten_inputs_and_a_count(count: int) -> None:
    rows = [*(row(name=f"x{i}") for i in range(count)), row("output", "y")]
    lines = list(screen.border_lines(rows, verbose=False))
    more = [f"{'':13}and {count - 10} more: -v"] if count > 10 else []
    assert [line for line in lines if "more: -v" in line] == more
    assert lines[0].startswith("  inputs     x0  int8")
    assert lines[-1].startswith("  outputs    y   int8")
    assert sum("int8" in line for line in screen.border_lines(rows, verbose=True)) == count + 1


HOSTILE = "a\x1b[31m\u202e\n  needs      PRO-INT" + "\u00e4" * 100_000


def test_hostile_names_stay_on_their_line() -> None:
    rows = [row(name=HOSTILE, graph=HOSTILE), row("output", HOSTILE, graph="other", source=None)]
    for verbose in (False, True):
        lines = list(screen.border_lines(rows, verbose))
        assert all(line.isprintable() for line in lines)
        assert max(map(len, lines)) < (600 if verbose else 130)
        assert not [line for line in lines if line.startswith("  needs")]
    assert len(line_of(rows[1]).split("int8")) == 2


@pytest.mark.parametrize("length", [1, 24, 25, 60, 61])
def test_lines_have_80_columns_unless_a_name_is_longer(length: int) -> None:
    name = "n" * length
    rows = [row(name=name), row(name="x", stored=Border("x", INT8, (1, 0))), row("output", name)]
    lines = list(screen.border_lines(rows, verbose=True, names=True))
    assert max(len(line) for line in lines if len(line.split()) > 1) <= WIDTH
    column = {line.index("int8[?,10]") for line in lines if "int8[?,10]" in line}
    assert column == {13 + 2 + (length if length <= 24 else 1)}


def test_the_lines_of_an_inspection() -> None:
    x = TensorInspection("x", "i8", (None, 3), Quant((0.5,), (-3,)))
    w = TensorInspection("w", "i8", (2,), Quant((0.5, 0.25), (0, 1), 0), "tosa.const", "here")
    custom = (CustomInspection("main:3", "Mine", {"a": 1}),)
    graph = GraphInspection("main", 3, 2, 2048, (x,), (x,), custom, (w,), (("s", "s.next"),))
    body = GraphInspection("body", 1, 0, 0, (x,), (replace(x, name="y"),), (), ())
    source = Border("in", INT8)
    inspection = Inspection(
        "m.tosa",
        5000,
        "tosa",
        (graph, body),
        {"sig": ("main", ("x", "r"), ("y",))},
        {"add": 2},
        "nothing",
        (("main", "odd"),),
        (row(source=source), row("output", "y")),
    )
    lines = screen.inspection_lines(inspection, tensors=False, checked=False)
    assert lines == [
        "m.tosa  4.9 KB, tosa operators",
        "graph 'main': 3 operators, 2 constants of 2.0 KB",
        "  inputs     x  int8[?,10] -> int8[1,10] scale 0.5 zero point -3 (unchanged)",
        "                from 'in'",
        "  outputs    y  int8[?,10] -> int8[1,10] scale 0.5 zero point -3 (unchanged)",
        "  state: output 's.next' is the next run's input 's'",
        "  custom Mine at main:3: {'a': 1}",
        "graph 'body': 1 operator",
        "  in   x  i8[?,3]  scale 0.5 zero point -3",
        "  out  y  i8[?,3]  scale 0.5 zero point -3",
        "signature 'sig': x, r -> y",
        "       2  add",
        "note: main: odd",
        "needs  nothing",
    ]
    more = screen.inspection_lines(inspection, tensors=True, checked=True)
    assert [line for line in more if line not in lines] == [
        "  tosa.const              w  i8[2]  scale 0.5 zero point 0 (2 along axis 0)",
        "check  valid",
    ]


def conversion(states: list[State], **fields: Any) -> Conversion:
    notes, passes = [Note("main:0", "deviates")], [PassReport("simplify", 0.0015, 12)]
    done = Report("compact", Counter(conv=2, add=1), Counter(), Target(), notes, passes, 0.25, (), {}, (row(),))
    counts = Counter({"tosa.add": 1, "tosa.const": 3})
    result = Conversion("m.tflite", "m.tosa", ["a.spv", "b.spv"], 2048, 100, done, counts, 0.002, states)
    return result._replace(**fields)


def test_the_lines_of_a_conversion() -> None:
    head = ["m.tflite -> a.spv, b.spv", "  operators  3 -> 4", "  size       2.0 KB -> 100 B", "  numerics   compact"]
    head += ["  inputs     x  int8[?,10] -> int8[1,10] scale 0.5 zero point -3 (unchanged)", f"  needs      {Target()}"]
    note = "  note       main:0: deviates"
    assert screen.conversion_lines(conversion([]), verbose=False) == [*head, note]
    states = [State("s", "s.next", None), State("t", "u", None)]
    stateful = conversion(states, beside=[FileBeside("m.npz", "initial values of the state")], usage="run it")
    assert screen.conversion_lines(stateful, verbose=True) == [
        *head,
        "  time       252 ms",
        "  state      feed output s.next back into input s, feed output u back into input",
        "             t",
        "  beside     m.npz (initial values of the state)",
        "  run        run it",
        note,
        "  load                       2.0 ms",
        "  simplify                   1.5 ms     12 operators",
        "  tosa.const                       3",
        "  tosa.add                         1",
    ]
    assert "  state      feed output NAME.next back into input NAME" in screen.conversion_lines(
        conversion(states[:1]), verbose=False
    )
    reference = conversion([])
    reference = reference._replace(report=reference.report._replace(numerics="reference"))
    assert screen.conversion_lines(reference, verbose=False) == [*head[:3], *head[4:], note]


def test_notes_that_the_block_tells_already_are_left_out() -> None:
    changed = row(stored=Border("x", INT8._replace(dtype=DType.UI8)), type_before=INT8._replace(dtype=DType.UI8))
    notes = [Note("input 'x'", changed.change), Note("input 'x'", "changed from i8[1] to fp32[1]")]
    notes += [Note(f"main:{i}", "deviates") for i in range(12)]
    done = conversion([])
    done = done._replace(report=done.report._replace(notes=notes, borders=[changed]))
    lines = screen.conversion_lines(done, verbose=False)
    assert [line for line in lines if "note" in line] == [f"  note       main:{i}: deviates" for i in range(10)]
    assert lines[-1] == f"{'':13}and 2 more: -v"
    assert [note["location"] for note in done.figures()["notes"][:2]] == ["input 'x'"] * 2


def test_a_partial_conversion_has_its_inputs_and_outputs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tensors = [Tensor((2, 3), name=name) for name in ("x", "y", "z")]
    nodes = [Node(B.ABS, (0,), (1,)), Node(B.CUSTOM, (1,), (2,), custom_code="Mystery")]
    (tmp_path / "m.tflite").write_bytes(build(tensors, nodes, (0,), (2,)))
    assert command(tmp_path / "m.tflite", "--partial", tmp_path / "parts") == 0
    lines = capsys.readouterr().out.splitlines()
    assert "  inputs     x  float32[2,3] (unchanged)" in lines
    assert "  outputs    z  float32[2,3] (unchanged)" in lines
    assert command(tmp_path / "m.tflite", "--partial", tmp_path / "parts", "--json") == 0
    assert [row["name"] for row in json.loads(capsys.readouterr().out)["borders"]] == ["x", "z"]


def test_a_check_for_integers_says_to_quantize(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("inspect", FLOAT, "--target", "ethos-u85") == 4
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "next: this is a float model: quantize it first (docs: how-to/quantize)"
    assert command("inspect", INT8_MODEL, "--target", "ethos-u85") == 0
    assert "next:" not in capsys.readouterr().out


def test_ten_thousand_hostile_inputs_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tensors = [Tensor((1,), name=f"x{i}\x1b[31m\n" + "y" * 200) for i in range(10_000)]
    tensors.append(Tensor((1,), name="sum"))
    inputs = tuple(range(10_000))
    (tmp_path / "m.tflite").write_bytes(build(tensors, [Node(B.ADD_N, inputs, (10_000,))], inputs, (10_000,)))
    assert command(tmp_path / "m.tflite", "-o", tmp_path / "m.tosa") == 0
    screen_lines = capsys.readouterr().out.splitlines()
    assert all(line.isprintable() for line in screen_lines)
    assert [line.strip() for line in screen_lines if "more" in line] == ["and 9990 more: -v"]
    assert len(screen_lines) < 40
    assert command("inspect", tmp_path / "m.tflite", "--json") == 0
    figures = json.loads(capsys.readouterr().out)
    assert len(figures["borders"]) == 10_001
    assert figures["borders"][0]["result"] == {"dtype": "fp32", "shape": [1]}


def test_the_lines_of_a_coverage() -> None:
    ops = (
        Operator("main:0", "tfl.add", "", ("add", "rescale"), "exact", (), ""),
        Operator("main:1", "tfl.add", "", ("add", "rescale"), "exact", (), ""),
        Operator("main:2", "tfl.abs", "", (), "noted", ("odd",), ""),
        Operator("main:3", "tfl.sin", "", (), "can't", (), "too hard"),
    )
    coverage = Coverage("m.tflite", None, "reference", ops)
    counts = "2 exact, 1 noted, 1 can't"
    assert screen.coverage_lines(coverage, verbose=False) == [
        "m.tflite  reference numerics, for any target",
        "       1  tfl.sin  can't: too hard",
        "       2  tfl.add  -> add rescale  (exact)",
        "       1  tfl.abs  -> nothing to compute  (noted)",
        "          note: odd",
        f"1 of 4 operators can't be converted: {counts}",
    ]
    assert screen.coverage_lines(coverage._replace(operators=ops[:2]), verbose=True) == [
        "m.tflite  reference numerics, for any target",
        "  main:0  -> add rescale  (exact)",
        "  main:1  -> add rescale  (exact)",
        "2 operators, all can be converted: 2 exact",
    ]
    assert screen.coverage_lines(coverage._replace(operators=()), verbose=False)[-1] == ("no operators")


@pytest.mark.parametrize("path", ["programs/counter.pte", "small/lstm_stateful.dynamic.tflite"])
def test_a_model_with_state_is_written_as_tflite(path: str, tmp_path: Path) -> None:
    """The file has one more graph, which assigns the initial values."""
    assert command(MODELS / path, "-o", tmp_path / "m.tflite", "--json") == 0
    assert command("verify", tmp_path / "m.tflite", "--steps", "3") == 0
