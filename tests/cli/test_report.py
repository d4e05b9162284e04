"""The lines of reports: their exact text, columns that stand below each other, and which rows are marked."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tosa_converter.cli import report
from tosa_converter.cli.opt import Optimization
from tosa_converter.cli.report import _operator_lines
from tosa_converter.cli.run import OutputSummary, RunReport
from tosa_converter.engines.engine import Judge
from tosa_converter.proof.borders import BorderDifference
from tosa_converter.proof.compare import Comparison, OutputReport
from tosa_converter.proof.diff import Change, Diff
from tosa_converter.proof.judgement import Judgement
from tosa_converter.proof.layers import LayerReport
from tosa_converter.proof.operators import Clock, OperatorComparison, OperatorProof, OperatorReport
from tosa_converter.proof.report import Verification
from tosa_converter.proof.spread import Distance, SecondLook
from tosa_converter.rewriting.report import Note
from tosa_converter.rules.target import Target

SAME = Judgement(24, 0, 0.0, 2.0, np.inf, 0.0, 0.0, True)
CLOCK = Clock("litert", 3, 1e-3, 2e-3, 1e-3, 0.0, 3e-3)


def rows(*errors: float | None, failing: tuple[int, ...] = ()) -> tuple[OperatorReport, ...]:
    """Returns a row for each relative error; None is for a result that isn't compared."""
    reports = []
    for i, error in enumerate(errors):
        judgement = None if error is None else replace(SAME, mismatches=int(error > 0), max_abs=2 * error)
        verdict = None if error is None else i not in failing
        rule = "inside" if error is None else "differs" if i in failing else "equal"
        reports.append(
            OperatorReport(i, "tfl.add", "", "y", "", {}, judgement, judgement, verdict, rule, "z" * (error is None))
        )
    return tuple(reports)


def lines(operators: tuple[OperatorReport, ...], clock: Clock | None = None) -> list[str]:
    """Returns the table: its head and a line for each row."""
    done = OperatorComparison("litert", "executor", 1, 0, operators, "A sentence.", clock=clock)
    return _operator_lines(done)[1 : 2 + len(operators)]


@pytest.mark.parametrize(
    ("errors", "failing", "marks"),
    [
        ((0.0, 0.0), (), "  "),
        ((0.0, None), (), "  "),
        ((0.0, 1e-7, 1e-6, None), (), "  * "),
        ((1e-6, 0.0), (), "* "),
        ((1e-6, 1.0, 1e-5), (1,), " ! "),
        ((1.0, 2.0, 1e-5), (0, 1), "!! "),
    ],
)
def test_what_fails_and_the_largest_difference_are_marked(
    errors: tuple[float | None, ...], failing: tuple[int, ...], marks: str
) -> None:
    """Where nothing differs nothing is the largest."""
    assert "".join(line[2] for line in lines(rows(*errors, failing=failing))[1:]) == marks


@pytest.mark.parametrize(("verdict", "shown"), [(True, "3/24"), (None, "3/24"), (False, "5/24")])
def test_a_guilty_operator_has_the_figures_of_its_own_run(verdict: bool | None, shown: str) -> None:
    whole, alone = replace(SAME, mismatches=3), replace(SAME, mismatches=5)
    row = replace(rows(0.0)[0], whole=whole, alone=alone, verdict=verdict)
    assert shown in lines((row,))[1]


@pytest.mark.parametrize("clock", [None, CLOCK])
def test_columns_stand_below_their_heads(clock: Clock | None) -> None:
    head, *table = lines(rows(0.0, 1e-6, None, 0.5, failing=(3,)), clock)
    for line, rule in zip(table, ("equal", "equal", "inside", "differs"), strict=True):
        assert line.index(rule) == head.index("result")
        assert line.index("tfl.add") - 2 == head.index("operator")
    ends = [head.index(name) + len(name) for name in ("differ", "max |d|", "SQNR", "ulp")]
    assert [table[1][:end].split()[-1] for end in ends] == ["1/24", "2e-06", "inf", "0"]
    assert all(table[1][end] == " " for end in ends)
    assert set(table[2][ends[0] - 14 : head.index("result")]) == {" "}


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, ""), (1, "0"), (3, "0, 1, 2"), (4, "0, 1, 2 and 1 more runs"), (9, "0, 1, 2 and 6 more runs")],
)
def test_three_runs_are_listed(count: int, text: str) -> None:
    assert report._first_names([str(i) for i in range(count)]) == text


LOOK = SecondLook(
    2,
    OperatorProof(7, 1.25e-6, ()),
    ("a", "b", "c", "d"),
    ("e: absent",),
    Distance(0.5, 0.25),
    Distance(0.125, 0.0625),
    "",
)
NEAR = OutputReport("y", "fp32[2]", 6, 2, 0.125, 2.0, 40.5, 1e-5, True, "within", second_look=LOOK)
FAR = OutputReport("z", "i8[2]", 6, 3, 4.0, 8.0, 3.25, 0.0, False, "differs", 5, None, 2)


def test_the_lines_of_an_output() -> None:
    assert report._output_lines(FAR) == [
        "DIFFERS z i8[2]: 3 of 6 elements differ, max |d| 4 (must be equal), SQNR 3.2 dB: differs, first in step 2; "
        "5 more differ where LiteRT's result is undefined"
    ]
    assert report._output_lines(replace(FAR, step=0))[0].count(", first in step 0; 5 more") == 1
    assert report._output_lines(replace(FAR, step=None, undefined=0))[0].endswith("dB: differs")
    indent = " " * 10
    head, *look = report._output_lines(NEAR)
    assert head == ("ok      y fp32[2]: 2 of 6 elements differ, max |d| 0.125 (allowed 1e-05), SQNR 40.5 dB: within")
    assert look == [
        f"{indent}operators: 7 results equal on the source's own values, max error 1.3e-06",
        f"{indent}error 0.125 (RMS 0.0625)",
        f"{indent}source's own variation 0.5 (RMS 0.25), twice that allowed: a, b, c and 1 more runs",
        f"{indent}not measured: e: absent",
    ]
    unproved = replace(LOOK, operators=OperatorProof(7, 0.0, ("y",)), sources=(), missing=(), refusal="too far")
    assert report._look_lines(unproved) == [f"{indent}FAIL: too far"]
    assert report._look_lines(replace(unproved, operators=None, refusal="")) == []


def verification(*comparisons: Comparison, **fields: Any) -> Verification:
    return Verification("m.tflite", "reference", Target(), 0, comparisons, (), (), **fields)


def test_the_lines_of_a_verification() -> None:
    comparison = Comparison("litert", "executor", 1, (replace(NEAR, second_look=None),))
    many = Comparison("litert", "vulkan", 3, (FAR,), 4, "s", "given", (Judge("tfl.lrn", "main:1", "numpy", "wrong"),))
    full_verification = replace(
        verification(comparison, many),
        notes=(Note("main:2", "deviates"),),
        layers=(
            LayerReport("tosa.add", "here", "a", True, 0.25, ""),
            LayerReport("tosa.add", "there", "b", False, 1.5, "too far"),
            LayerReport("tosa.exp", "here", "c", True, 0.5, ""),
        ),
        borders=(BorderDifference("input x", "changed"), BorderDifference("output y", "changed too")),
    )
    needs = str(Target())
    assert report.verification_lines(full_verification) == [
        f"m.tflite  numerics reference, needs {needs}",
        "executor against litert on 1 random input:",
        "  ok      y fp32[2]: 2 of 6 elements differ, max |d| 0.125 (allowed 1e-05), SQNR 40.5 dB: within",
        "signature 's': vulkan against litert on 3 given inputs of 4 steps:",
        "  DIFFERS z i8[2]: 3 of 6 elements differ, max |d| 4 (must be equal), SQNR 3.2 dB: differs, first in step 2; "
        "5 more differ where LiteRT's result is undefined",
        "  judged by numpy: tfl.lrn at main:1: wrong",
        "  NOT COMPLIANT tosa.add at there: too far",
        "  tosa.add                        2 results, largest error 150.00% of the bound",
        "  tosa.exp                        1 results, largest error 50.00% of the bound",
        "note: main:2: deviates",
        "borders: input x changed; output y changed too",
        "FAIL: an output, an operator or its precision clause differs",
        "DIFFERENT",
    ]
    same = verification(Comparison("litert", "executor", 1, (replace(NEAR, mismatches=0, max_abs=0.0),)))
    assert report.verification_lines(same)[-3:] == [
        "borders: inputs and outputs have the source's types and quantization",
        "PASS: every output is bit-identical",
        "equivalent",
    ]


@pytest.mark.parametrize(
    ("outputs", "digits", "proof"),
    [
        ([replace(NEAR, second_look=None)], 1.2, "every output is within its tolerance, to 1.2 digits"),
        (
            [NEAR, replace(NEAR, max_abs=0.002, second_look=replace(LOOK, operators=OperatorProof(1, 1e-3, ())))],
            1.2,
            "every operator is equal on the source's own values, to 3.0 digits; the outputs agree to 1.2 digits, "
            "within twice the source's own rounding variation",
        ),
        (
            [NEAR, replace(NEAR, second_look=replace(LOOK, operators=None))],
            1.2,
            "the outputs agree to 1.2 digits, within twice the source's own rounding variation; "
            "operators could not be compared",
        ),
        (
            [NEAR, replace(NEAR, verdict=False, second_look=replace(LOOK, refusal="it is farther"))],
            1.2,
            "it is farther",
        ),
        ([], 0.0, "every output is within its tolerance, to 0.0 digits"),
    ],
)
def test_how_a_verdict_was_reached(outputs: list[OutputReport], digits: float, proof: str) -> None:
    verification_of_outputs = verification(Comparison("litert", "executor", 1, tuple(outputs)))
    assert verification_of_outputs.digits == pytest.approx(digits, abs=0.01)
    assert verification_of_outputs.proof == proof


def test_the_lines_of_a_difference() -> None:
    changes = (
        Change("structure", "main", "", "tosa.add"),
        Change("values", "main", "a", "b", "axis 1, 2"),
        Change("values", "then", "c", "d"),
    )
    diff = Diff("a.tosa", "b.tosa", ("executor", "litert"), (replace(NEAR, second_look=None),), changes)
    lines = report.diff_lines(diff)
    assert lines == [
        "a.tosa in executor",
        "b.tosa in litert",
        "  ok      y fp32[2]: 2 of 6 elements differ, max |d| 0.125 (allowed 1e-05), SQNR 40.5 dB: within",
        "  structure  main: - | tosa.add",
        "  values     main: a | b: axis 1, 2",
        "  values     then: c | d",
        "the same function; operators differ: 1 in structure, 2 in values",
    ]
    border = BorderDifference("input x", "changed")
    other = replace(diff, outputs=(FAR,), changes=(), borders=(border,), note="not compared")
    assert report.diff_lines(other)[3:] == [
        "  border     input x: changed",
        "note: not compared",
        "NOT the same function",
    ]
    assert report.diff_lines(replace(other, outputs=(), note=""))[-1] == "not run; the same operators"


def test_the_lines_of_a_run() -> None:
    rows = (OutputSummary("y", "int8", (2, 3), -1.5, 2.0, 1 / 3), OutputSummary("z", "int8", (), 0, 0, 0, "out_1"))
    run_report = RunReport("m.tosa", "executor", 0.0125, 1, 7, rows)
    tail = ["  y  int8[2,3]  min -1.5  max 2  mean 0.333333", "  z  int8[]  min 0  max 0  mean 0  saved as out_1"]
    assert report.run_lines(run_report) == ["m.tosa in executor on random inputs of seed 7: 12.5 ms", *tail]
    assert report.run_lines(replace(run_report, steps=2, seed=None)) == [
        "m.tosa in executor in 2 steps: 12.5 ms",
        *tail,
    ]


def test_the_lines_of_an_optimization() -> None:
    done = Optimization("a.tosa", "b.tosa", {"tosa.add": 2, "tosa.mul": 1}, {"tosa.add": 2, "tosa.abs": 3}, [])
    assert report.optimization_lines(done) == [
        "a.tosa -> b.tosa",
        "  operators  3 -> 5",
        "  tosa.mul                         1 -> 0",
        "  tosa.abs                         0 -> 3",
    ]


@pytest.mark.parametrize(
    ("becomes", "text"),
    [((), "no operator"), (("add",), "add"), (("add", "add", "mul", "add"), "2 add mul add")],
)
def test_repeated_operators_are_counted(becomes: tuple[str, ...], text: str) -> None:
    assert report.sequence_of({"becomes": becomes}) == text
