"""The screen of `verify`: its exact lines, what is shown first, what fits, what `-v` adds."""

import json
import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import transcripts
from support.commands import FLOAT, INT8, MODELS, command
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.cli.columns import WIDTH, width
from tosa_converter.cli.diff import diff_lines
from tosa_converter.cli.next_step import compare_differing_operators
from tosa_converter.cli.operator_table import clause_lines, operator_lines
from tosa_converter.cli.output_table import MOST_ROWS, groups_of, output_lines
from tosa_converter.cli.printing import BAD, GOOD, Styled, plain
from tosa_converter.cli.verification_screen import verification_lines
from tosa_converter.engines.engine import Judge
from tosa_converter.errors import UsageError
from tosa_converter.proof.borders import BorderDifference
from tosa_converter.proof.compare import DIFFERS, EQUAL, SPREAD, Comparison, OutputReport
from tosa_converter.proof.diff import Change, Diff
from tosa_converter.proof.judgement import Judgement
from tosa_converter.proof.layers import LayerReport
from tosa_converter.proof.operators import (
    ABOVE,
    INSIDE,
    NOTHING,
    UNSEEN,
    Clock,
    OperatorComparison,
    OperatorProof,
    OperatorReport,
    uncompared,
)
from tosa_converter.proof.report import Verification
from tosa_converter.proof.spread import Distance, SecondLook
from tosa_converter.rewriting.report import Note
from tosa_converter.rules.target import Target
from tosa_converter.schemas.tflite import BuiltinOperator

LOOK = SecondLook(
    2,
    OperatorProof(7, 1.25e-6, ()),
    ("a", "b", "c", "d"),
    ("e: absent",),
    Distance(0.5, 0.25),
    Distance(0.125, 0.0625),
    "",
)
EQUAL_OUTPUT = OutputReport("x", "i8[?x10] <0.5:-3>", 10, 0, 0.0, 8.0, np.inf, 0.0, True, EQUAL)
NEAR = OutputReport("y", "fp32[2]", 6, 2, 0.125, 2.0, 40.5, 2e-5, True, "within 1e-05")
LOOKED_AT = replace(NEAR, rule=SPREAD, second_look=LOOK)
FAR = OutputReport("z", "ui8[2x3]", 123456, 3000, 4.0, 8.0, 3.25, 0.0, False, DIFFERS, 5, None, 2, first_set=7)
NEEDS = f"  needs    {Target()}"
SAME_BORDERS = "  inputs and outputs have the source's types and quantization"


def comparison(*outputs: OutputReport, engine: str = "executor", runs: int = 1, **fields: Any) -> Comparison:
    return Comparison("litert", engine, runs, outputs, **fields)


def verification(*comparisons: Comparison, **fields: Any) -> Verification:
    return replace(Verification("m.tflite", "reference", Target(), 0, comparisons, (), ()), **fields)


def screen(done: Verification, operators: Sequence[OperatorComparison] = (), **options: Any) -> list[str]:
    return [plain(line) for line in verification_lines(done, operators, **options)]


SAME = Judgement(24, 0, 0.0, 2.0, np.inf, 0.0, 0.0, True)
WRONG = Judgement(98304, 14352, 14.4, 30.0, 3.2, 5.0, 0.0, False, 0, (0, 3), 12.0, 16.0)


def row(index: int, rule: str = EQUAL, error: float = 0.0, **fields: Any) -> OperatorReport:
    """Returns the report of an operator with a relative error, in the whole run or by itself."""
    compared = replace(SAME, mismatches=int(error > 0), max_abs=2 * error)
    whole = None if rule in (INSIDE, NOTHING, UNSEEN) else compared
    verdict = None if whole is None else rule != DIFFERS
    place = index, "tfl.add", f"main:{index} ADD 't{index}'", f"t{index}", "i8[4]"
    return replace(OperatorReport(*place, {"tosa.add": 1, "tosa.rescale": 3}, whole, whole, verdict, rule), **fields)


def compared(*rows: OperatorReport, **fields: Any) -> OperatorComparison:
    return replace(OperatorComparison("litert", "executor", 0, 0, rows, "A sentence."), **fields)


# ** the verdict first **


def test_a_conversion_that_is_equal() -> None:
    assert screen(verification(comparison(EQUAL_OUTPUT))) == [
        "PASS  m.tflite: the conversion computes the same as LiteRT",
        "  proof    every output is bit-identical (reference numerics, 1 random input)",
        "  output  type        differ   largest  allowed",
        "  x       int8[?,10]  0 of 10  0        0        equal",
        SAME_BORDERS,
        NEEDS,
    ]


def test_a_conversion_that_differs() -> None:
    guilty = row(11, DIFFERS, type="tfl.relu", tensor="a", location="main:11 RELU 'a'", alone=WRONG)
    inside = row(10, INSIDE, inside="a")
    done = verification(
        comparison(EQUAL_OUTPUT, FAR, runs=20, inputs="adversarial", steps=3),
        notes=(Note("main:11 RELU 'a'", "deviates"), Note("main:2", "odd")),
    )
    assert screen(done, [compared(inside, guilty, steps=3)], next_command="tflite-to-tosa verify m.tflite") == [
        "FAIL  m.tflite: 1 of 2 outputs differs from LiteRT",
        "  first difference  operator 11, RELU 'a' (main:11)",
        "                    element [0, 3] is 12 in the source and 16 in the conversion;",
        "                    14,352 of 98,304 elements differ, by 14.4 at most",
        "                    seen in input 7, step 2 (counted from 0)",
        "                    with ADD it becomes tosa.add, 3 tosa.rescale",
        "                    note: deviates",
        "  output  type        differ            largest  allowed",
        "  x       int8[?,10]  0 of 10           0        0        equal",
        "  z       uint8[2,3]  3,000 of 123,456  4        0        DIFFERS",
        "    first in input 7, step 2 (counted from 0)",
        "    5 more differ where LiteRT's result is undefined",
        "  run on   reference numerics, 20 adversarial inputs of 3 steps",
        SAME_BORDERS,
        NEEDS,
        "  note     main:2: odd",
        "next: tflite-to-tosa verify m.tflite",
    ]


def test_colours_are_of_verdicts() -> None:
    done = verification(comparison(EQUAL_OUTPUT, FAR))
    lines = verification_lines(done, next_command="tflite-to-tosa")
    parts = [part for line in lines if not isinstance(line, str) for part in line if isinstance(part, Styled)]
    styled = [part.text for part in parts if part.style in (GOOD, BAD)]
    assert styled == ["FAIL", "equal", "DIFFERS"]
    assert [part.style for part in parts if part.text == "equal"] == [GOOD]


def test_an_existing_file_is_named() -> None:
    source = tc.load(INT8)
    other = tc.convert(source)
    other.source = "other.tosa"
    done = verification(comparison(EQUAL_OUTPUT), sides=(source, other))
    assert screen(done)[0] == "PASS  m.tflite: other.tosa computes the same as LiteRT"
    failed = replace(done, comparisons=(comparison(FAR, EQUAL_OUTPUT),))
    assert screen(failed)[0] == "FAIL  m.tflite: 1 of 2 outputs of other.tosa differs from LiteRT"


@pytest.mark.parametrize(
    ("outputs", "digits", "proof"),
    [
        ([NEAR], 1.2, "every output is within its tolerance: 1.2 digits agree"),
        (
            [LOOKED_AT, replace(NEAR, max_abs=0.002, second_look=replace(LOOK, operators=OperatorProof(1, 1e-3, ())))],
            1.2,
            "every operator by itself computes the same, to 3.0 digits; the outputs agree to 1.2 digits, within twice "
            "the source's own rounding variation",
        ),
        (
            [LOOKED_AT, replace(NEAR, second_look=replace(LOOK, operators=None))],
            1.2,
            "the outputs agree to 1.2 digits, within twice the source's own rounding variation; "
            "the operators could not be compared",
        ),
        (
            [NEAR, replace(LOOKED_AT, verdict=False, second_look=replace(LOOK, refusal="it is farther"))],
            1.2,
            "it is farther",
        ),
        ([FAR, FAR, NEAR], 0.3, "2 outputs differ"),
        ([], 0.0, "every output is within its tolerance: 0.0 digits agree"),
    ],
)
def test_how_a_verdict_was_reached(outputs: list[OutputReport], digits: float, proof: str) -> None:
    done = verification(comparison(*outputs))
    assert done.digits == pytest.approx(digits, abs=0.01)
    assert done.proof == proof


def test_what_differs_is_counted() -> None:
    layers = (LayerReport("tosa.add", "here", "a", False, 2.0, "far"),)
    failing = verification(
        comparison(EQUAL_OUTPUT), layers=layers, operators=(compared(row(0, DIFFERS), row(1, DIFFERS)),)
    )
    assert failing.proof == "2 operators differ by themselves, 1 result breaks its precision clause"
    text = " ".join(" ".join(screen(failing)[:2]).split())
    assert text == f"FAIL m.tflite: the outputs are as in LiteRT, but {failing.proof}"


# ** the first operator that differs **


def other_text(done: Verification, *operators: OperatorComparison) -> str:
    """Returns the words behind "first difference" on the screen."""
    text = " ".join("\n".join(screen(done, operators)).split())
    return text.partition("first difference ")[2].partition(" output type")[0]


def test_where_no_operator_is_to_blame() -> None:
    done = verification(comparison(FAR))
    sentence = "No operator differs by itself by more than rounding explains. In the whole run, results differ."
    assert other_text(done, compared(row(0), sentence=sentence)) == sentence
    look = replace(
        LOOK, operators=OperatorProof(0, 0.0, (), "First difference at operator 3, ADD 'y'"), refusal="First"
    )
    assert other_text(verification(comparison(replace(FAR, second_look=look)))).startswith("operator 3, ADD")
    elsewhere = verification(comparison(EQUAL_OUTPUT), comparison(FAR, engine="vulkan"))
    assert other_text(elsewhere).startswith("only in vulkan: this package's executor computes the same as the source")
    unknown = other_text(done, uncompared(tc.load(INT8), "executorch"))
    assert unknown.startswith("unknown: only LiteRT gives values between operators, executorch doesn't: outputs")
    refused = replace(FAR, second_look=replace(LOOK, refusal="the error exceeds twice the variation"))
    assert "  reason   the error exceeds twice the variation" in screen(verification(comparison(refused)))


def test_other_signatures_are_named() -> None:
    rules = {"a": EQUAL, "b": DIFFERS, "c": DIFFERS}
    rows = [compared(row(0, rule, alone=WRONG), signature=name) for name, rule in rules.items()]
    done = verification(*(comparison(FAR, signature=name) for name in "abc"))
    text = other_text(done, *rows)
    assert "seen in signature 'b'" in text
    assert text.endswith("operators differ too in signature 'c'")


def test_many_kinds_of_operators_are_counted() -> None:
    becomes = {f"tosa.op{i}": i + 1 for i in range(8)}
    text = other_text(verification(comparison(FAR)), compared(row(0, DIFFERS, becomes=becomes)))
    assert text.endswith("it becomes tosa.op0, 2 tosa.op1, 3 tosa.op2, 4 tosa.op3, 5 tosa.op4 and 3 more kinds")


def test_a_long_name_fits_and_is_whole_with_v() -> None:
    name = "functional_1/" + "conv2d/" * 30 + "Relu"
    guilty = row(0, DIFFERS, tensor=name, location=f"main:0 ADD {name!r}", alone=WRONG)
    done = verification(comparison(FAR))
    (line,) = (line for line in screen(done, [compared(guilty)]) if "operator 0, ADD" in line)
    assert width(line) == WIDTH
    assert line.endswith("Relu' (main:0)")
    assert any(name in line for line in screen(done, [compared(guilty)], verbose=True))


# ** outputs **


def table_of(*comparisons: Comparison, verbose: bool = False) -> list[str]:
    return [plain(line) for line in output_lines(groups_of(comparisons, verbose=verbose), verbose=verbose)]


def test_engines_with_equal_rows_share_them() -> None:
    rows = table_of(comparison(EQUAL_OUTPUT), comparison(EQUAL_OUTPUT, engine="iree"))
    assert [line.split()[0] for line in rows] == ["output", "x"]
    rows = table_of(
        comparison(EQUAL_OUTPUT), comparison(NEAR, engine="vulkan"), comparison(EQUAL_OUTPUT, engine="iree")
    )
    assert [" ".join(line.split()[:3]) for line in rows] == [
        "output type differ",
        "in executor, iree:",
        "x int8[?,10] 0",
        "in vulkan:",
        "y float32[2] 2",
    ]
    assert len(table_of(comparison(EQUAL_OUTPUT), comparison(EQUAL_OUTPUT, engine="iree"), verbose=True)) == 7


def test_signatures_have_headings() -> None:
    first, second = comparison(EQUAL_OUTPUT, signature="a b"), comparison(FAR, signature="c")
    assert [line for line in table_of(first, second) if line.endswith(":")] == [
        "  signature 'a b':",
        "  signature 'c':",
    ]
    optimized = replace(first, reference="litert-optimized")
    assert "  signature 'a b' against litert:" in table_of(first, optimized, second)


def test_ten_outputs_are_shown_those_that_differ_first() -> None:
    outputs = [replace(EQUAL_OUTPUT, name=f"x{i}") for i in range(30)]
    assert table_of(comparison(*outputs))[-1] == "  and 20 more outputs, none of them differs (-v lists all)"
    assert len(table_of(comparison(*outputs))) == 12
    outputs[25] = replace(FAR, name="far", step=None, undefined=0, first_set=None)
    rows = table_of(comparison(*outputs))
    assert [line.split()[0] for line in rows[1:]] == [*(f"x{i}" for i in range(9)), "far", "and"]
    many = [replace(outputs[25], name=f"z{i}") for i in range(12)]
    assert table_of(comparison(*many))[-1] == "  and 2 more outputs, 2 of them differ (-v lists all)"
    assert len(table_of(comparison(*outputs), verbose=True)) == 61


def test_another_shape_is_told() -> None:
    shape = replace(FAR, type="i64[?x1], found shape [2, 1]", step=None, undefined=0, max_abs=np.inf, first_set=None)
    assert table_of(comparison(shape))[1:] == [
        "  z       int64[?,1]  3,000 of 123,456  inf      0        DIFFERS",
        "    found shape [2, 1]",
    ]


def test_v_adds_the_second_look() -> None:
    text = table_of(comparison(LOOKED_AT), verbose=True)
    assert text[1:] == [
        "  y       float32[2]  2 of 6  0.125    2e-05    rounding",
        "    SQNR 40.5 dB, largest value 2, rule: within the source's own spread",
        "    operators: 7 results are equal on the source's own values, largest error",
        "    1.3e-06",
        "    error 0.125 (RMS 0.0625)",
        "    the source's own variation is 0.5 (RMS 0.25), twice that is allowed;",
        "    measured by a, b, c and 1 more run",
        "    not measured: e: absent",
    ]
    unproved = replace(LOOK, operators=OperatorProof(7, 0.0, ("y",)), sources=(), missing=(), refusal="too far")
    refused = replace(NEAR, second_look=unproved)
    assert table_of(comparison(refused), verbose=True)[-1] == "    refused: too far"


# ** operators **


def layers_of(*rows: OperatorReport, verbose: bool = False, **fields: Any) -> list[str]:
    return [plain(line) for line in operator_lines(compared(*rows, **fields), verbose)]


def test_the_culprit_comes_first_then_the_largest_errors() -> None:
    rows = [
        row(0),
        row(1, "within 1e-05", 1e-6),
        row(2, DIFFERS, 0.01),
        row(3, ABOVE, 0.5),
        row(4, INSIDE, inside="t5"),
        row(5, SPREAD, 1e-4),
        row(6, UNSEEN, note="no such tensor"),
    ]
    assert layers_of(*rows) == [
        "  layers   7 results compared with LiteRT: 1 differs by itself, 1 inherits a",
        "           difference, 1 is equal, 1 is a part of another, 1 can't be compared,",
        "           2 are within rounding",
        "    #  operator  result  differ   largest",
        "    2  ADD       t2      1 of 24  0.02     DIFFERS",
        "    3  ADD       t3      1 of 24  1        inherited",
        "    5  ADD       t5      1 of 24  0.0002   rounding",
        "    1  ADD       t1      1 of 24  2e-06    within",
        "    DIFFERS    it computes something else, also on the source's own values",
        "    inherited  it computes the same on the source's own values; the difference",
        "               comes from an earlier operator",
        "    rounding   LiteRT's own kernels differ as much",
    ]


def test_ten_operators_are_shown() -> None:
    rows = [row(i, "within 1e-05", 1e-6 + i * 1e-8) for i in range(30)]
    lines = layers_of(*rows)
    assert len([line for line in lines if line.endswith("within")]) == MOST_ROWS
    assert lines[-1].strip() == "and 20 more results with smaller errors (-v lists all)"
    assert [line.split()[0] for line in lines[2:4]] == ["29", "28"]


def test_nothing_is_listed_where_all_is_equal() -> None:
    assert layers_of(row(0), row(1)) == ["  layers   2 results compared with LiteRT: 2 are equal"]
    place = operator_lines(compared(row(0), signature="s", steps=3), False, 20, 7)
    assert [" ".join(" ".join(map(plain, place)).split())] == [
        "layers signature 's': 1 result compared with LiteRT on input 7 in step 2: 1 is equal"
    ]


def test_v_lists_every_operator() -> None:
    clock = Clock("litert", 3, 1e-3, 2e-3, 1e-3, 0.0, 3e-3)
    timed = row(2, DIFFERS, 0.01, source_seconds=1.5e-3, seconds=0.25, regions=4)
    rows = [row(0), timed, row(4, INSIDE, inside="t5"), row(6, UNSEEN, note="no such tensor")]
    lines = layers_of(*rows, verbose=True, clock=clock)
    assert lines[3:] == [
        "  #  operator  differ  largest  SQNR  ulp  source ms   TOSA ms",
        "  0  ADD         0/24        0   inf    0",
        "      equal  't0'",
        "  2  ADD         1/24     0.02   inf    0        1.5       250",
        "      DIFFERS  't2'",
        "  4  ADD",
        "      part of 't5'  't4'",
        "  6  ADD",
        "      not seen  't6': no such tensor",
        "    DIFFERS    it computes something else, also on the source's own values",
        "    not seen   LiteRT or the conversion doesn't hold this result",
        "  times    the whole source takes 2 ms, the whole conversion 3 ms",
        "           the source's operators one by one take 1 ms (litert)",
        "           the conversion's operators take 1 ms",
        "           operators that run together have estimated shares",
    ]
    assert "4 operators of branches and loops are judged by the IF or WHILE" in " ".join(" ".join(lines[:3]).split())


def test_operators_that_are_not_compared() -> None:
    done = uncompared(tc.load(INT8), "executorch")
    text = " ".join(plain(line).strip() for line in operator_lines(done, False))
    assert text.startswith("layers   not compared: only LiteRT gives values between")


def test_broken_clauses_come_first() -> None:
    layers = (
        LayerReport("tosa.add", "here", "a", True, 0.25, ""),
        LayerReport("tosa.add", "there", "b", False, 1.5, "too far"),
        LayerReport("tosa.exp", "here", "c", True, 0.5, ""),
    )
    assert [plain(line) for line in clause_lines(layers, False)] == [
        "  BREAKS   tosa.add at there: too far",
        "  clauses  2 of 3 results of TOSA operators keep their precision clause; the",
        "           largest error is 150.00% of the bound (tosa.add)",
    ]
    assert [plain(line).rstrip() for line in clause_lines(layers, True)][3:] == [
        "    operator  results  largest error of the bound",
        "    tosa.add        2                     150.00%",
        "    tosa.exp        1                      50.00%",
    ]
    assert list(clause_lines((), True)) == []


# ** borders, judges and notes **


def test_notes_are_grouped_and_the_first_three_are_shown() -> None:
    notes = [Note(f"main:{i}", "rounds once") for i in range(5)]
    notes += [Note(f"main:{i}", f"is odd {i}") for i in range(5)]
    border = BorderDifference("input 'x'", "uint8 became int8")
    other = BorderDifference("output 'y'", "uint8 became int8")
    done = verification(
        comparison(EQUAL_OUTPUT, judges=(Judge("tfl.lrn", "main:1", "numpy", "wrong"),)),
        notes=(*notes, Note(*border[:2])),
        borders=(border, other),
    )
    assert screen(done)[4:] == [
        "  judged   by numpy: tfl.lrn at main:1: wrong",
        "  border   input 'x', output 'y': uint8 became int8",
        NEEDS,
        "  note     main:0 and 4 more: rounds once",
        "  note     main:0: is odd 0",
        "  note     main:1: is odd 1",
        "           and 3 more notes (-v lists all)",
    ]
    assert len([line for line in screen(done, verbose=True) if line.startswith("  note")]) == 10


# ** two files **


def test_the_lines_of_a_difference() -> None:
    changes = (
        Change("structure", "main", "", "tosa.add"),
        Change("values", "main", "a", "b", "axis 1, 2"),
        Change("values", "then", "c", "d"),
    )
    diff = Diff("a.tosa", "b.tosa", ("executor", "litert"), (NEAR,), changes)
    lines = [plain(line) for line in diff_lines(diff)]
    assert lines == [
        "PASS  a.tosa, b.tosa: the same function; operators differ: 1 in structure, 2 in",
        "      values",
        "  run by     executor and litert",
        "  output  type        differ  largest  allowed",
        "  y       float32[2]  2 of 6  0.125    2e-05    within",
        "  structure  main: - | tosa.add",
        "  values     main: a | b: axis 1, 2",
        "  values     then: c | d",
    ]
    border = BorderDifference("input x", "changed")
    other = replace(diff, outputs=(FAR,), changes=(), borders=(border,), note="not compared")
    lines = [plain(line) for line in diff_lines(other)]
    assert lines[0] == "FAIL  a.tosa, b.tosa: not the same function"
    assert lines[-2:] == ["  border     input x: changed", "  note       not compared"]
    nothing = [plain(line) for line in diff_lines(replace(other, outputs=(), note=""))]
    assert nothing[0] == "FAIL  a.tosa, b.tosa: not run; the same operators"


# ** as the command prints it **


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    transcripts.write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, list[str]]:
    """Returns the status of `verify` and its lines; nothing else is printed."""
    status = command("verify", *words)
    out, err = capsys.readouterr()
    assert err == ""
    return status, out.splitlines()


MODELS_ON_A_SCREEN = [
    (INT8,),
    (FLOAT, "--layers"),
    (FLOAT, "-v"),
    (FLOAT, "--bisect", "-v"),
    (MODELS / "signatures_int8.tflite",),
    (MODELS / "small" / "detector.uint8_io.tflite",),
    (MODELS / "small" / "keywords.int8.tflite", "--steps", 2, "--layers"),
    (MODELS / "small" / "lstm_stateful.dynamic.tflite",),
    (MODELS / "loop_scan_float32.tflite", "--layers"),
    (INT8, "--against", "litert-optimized,executor"),
    (INT8, "--adversarial", "--runs", 20, "--target", "ethos-u85"),
]


@pytest.mark.parametrize("words", MODELS_ON_A_SCREEN, ids=lambda words: " ".join(map(str, words)).rpartition("/")[2])
def test_a_screen_has_80_columns(capsys: pytest.CaptureFixture[str], words: tuple[object, ...]) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    status, lines = printed(capsys, *words)
    assert status == 0
    assert lines[0].startswith("PASS  ")
    wide = [line for line in lines if width(line) > WIDTH]
    assert not [line for line in wide if max(map(len, line.split())) < WIDTH - 11]  # a name is longer by itself
    assert len(lines) <= 24 or "-v" in words


def test_the_folder_of_a_chain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    assert command(INT8, "--partial", tmp_path / "parts") == 0
    capsys.readouterr()
    status, lines = printed(capsys, INT8, "--partial", tmp_path / "parts")
    assert (status, lines[0][:6]) == (0, "PASS  ")
    assert "computes the same as LiteRT" in " ".join(" ".join(lines[:4]).split())


def next_words(lines: list[str]) -> list[str]:
    """Returns the words of the command that a screen suggests, as a shell reads them."""
    (start,) = (i for i, line in enumerate(lines) if line.startswith("next: "))
    text = "\n".join(lines[start:]).removeprefix("next: ").replace("\\\n", "")
    return shlex.split(text)[1:]


def test_a_fault_is_found_by_what_the_screen_says(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command that it suggests has the user's options, and writes the operator that differs."""
    typed = ["sum.tflite", "-i", "x.npy", "--plugin", "wrong.py", "--numerics", "compact", "--io-type", "keep"]
    status, lines = printed(capsys, *typed)
    assert status == 1
    assert lines[:2] == [
        "FAIL  sum.tflite: 1 of 1 output differs from LiteRT",
        "  first difference  operator 1, RELU 'z' (main:1)",
    ]
    words = next_words(lines)
    assert words[:2] == ["verify", "sum.tflite"]
    assert words[-2:] == ["--extract", "sum-difference"]
    assert command(*words) == 1
    assert {path.name for path in (folder / "sum-difference").iterdir()} >= {"operator.tflite", "inputs.npz"}
    capsys.readouterr()
    assert printed(capsys, *typed) == (1, lines)


def test_the_suggested_command_repeats_every_option(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert folder.exists()
    typed = ["--plugin=wrong.py", "--range=-2,-1", "--runs=3", "--seed=5", "--limit=20", "--layers", "--state=io"]
    status, lines = printed(capsys, "sum.tflite", *typed)
    assert status == 1
    words = next_words(lines)
    joined = {f"{word}={value}" for word, value in zip(words, [*words[1:], ""], strict=True)} | set(words)
    assert {*typed, "--extract=sum-difference"} <= joined
    assert command(*words, "--json") == 1
    options = json.loads(capsys.readouterr().out)["options"]
    assert options["--range"] == {"": [-2.0, -1.0]}


def test_the_set_of_inputs_that_differs_is_looked_at(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Twice the RELU is right where its input is below 0, as in the first two samples."""
    faulty = folder / "below.py"
    faulty.write_text(
        "from tosa_converter.rewriting.expr import maximum\nfrom tosa_converter.rewriting.rule import Rule\n"
        "RULES = [Rule('tfl.relu', '', lambda match: maximum(match[0], 0.0) * 2.0)]\n"
    )
    inputs = folder / "sets"
    inputs.mkdir()
    for i, sign in enumerate((-1, -1, 1)):
        np.savez(inputs / f"{i}.npz", x=np.full((2, 3), sign * 100, np.float32))
    status, lines = printed(capsys, "sum.tflite", "--samples", "sets", "--plugin", "below.py")
    assert status == 1
    assert lines[1] == "  first difference  operator 1, RELU 'z' (main:1)"
    assert "                    seen in input 2 (counted from 0)" in lines
    assert command(*next_words(lines)) == 1
    capsys.readouterr()
    assert np.load(folder / "sum-difference" / "inputs.npz")["y"].min() > 0


def test_operators_that_cannot_be_compared_have_a_note() -> None:
    def fail() -> None:
        raise UsageError("no values between operators", "next: something")

    done = verification(comparison(FAR), later=fail)
    (result,) = compare_differing_operators(done, lambda _: None)
    assert (result.engine, result.steps, result.operators) == ("executor", 0, ())
    assert result.sentence == result.note == "no values between operators"


def test_names_of_a_hostile_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They break no line, are no column of the table, and reach the terminal escaped."""
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    name = "PASS\nnext: rm  int8[1]  0 of 1\x1b[2J\u202e" + "long" * 50
    path = tmp_path / "m.tflite"
    tensors = [Tensor((4,), name=f"x{name}"), Tensor((4,), name=name)]
    path.write_bytes(build(tensors, [Operator(BuiltinOperator.NEG, (0,), (1,))], (0,), (1,)))
    for words in ((), ("-v",), ("--layers",), ("--layers", "-v")):
        status, lines = printed(capsys, path, *words)
        assert status == 0
        assert "".join(lines).isprintable()
        assert [line for line in lines if line.startswith(("PASS", "next:"))] == lines[:1]
        (output,) = (line for line in lines if line.startswith("  'PASS\\n"))
        if words == ("--layers", "-v"):
            assert width(next(line for line in lines if line.startswith("      ") and "long" in line)) == WIDTH
        assert re.split(r"  +", output)[-4:] == ["0 of 4", "0", output.split()[-2], "equal"]
