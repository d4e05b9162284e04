"""Sentences about judgements: which outputs and elements they name."""

import numpy as np
import pytest

from tosa_converter.proof.compare import Comparison, OutputReport
from tosa_converter.proof.judgement import judge
from tosa_converter.proof.operators import INSIDE, OperatorReport
from tosa_converter.proof.wording import differing_outputs, first_difference, narrowed_difference


def output(name: str, verdict: bool) -> OutputReport:
    return OutputReport(name, "fp32[4]", 4, 2, 0.5, 8.0, 20.0, 0.25, verdict, "differs")


def test_outputs_that_differ_are_named() -> None:
    comparison = Comparison("litert", "executor", 1, (output("a", True), output("b", False), output("c", False)))
    line = "2 of 4 elements differ by up to 0.5, allowed 0.25"
    assert differing_outputs(comparison) == [f"executor, output 'b': {line}", f"executor, output 'c': {line}"]


@pytest.mark.parametrize(
    ("dtype", "text"),
    [
        ("float32", "up to 0.5 from fp32 on random inputs, whose largest value is 8"),
        ("int8", "1 of 3 elements differ from those in fp32 on random inputs"),
    ],
)
def test_differences_of_narrower_floats(dtype: str, text: str) -> None:
    reference = np.array([1, -8, 2], dtype)
    result = reference + np.array([0, 0, 0.5 if dtype == "float32" else 1], dtype)
    assert narrowed_difference(judge(reference, result, 0.0)) == text


def row(
    index: int, *, verdict: bool | None, whole: bool, alone: bool | None = None, inside: str = ""
) -> OperatorReport:
    reference = np.array([[1, 2], [3, 4]], np.float32)
    wrong, right = (judge(reference, reference + np.array([[0, 0], [shift, 0]]), 0.0) for shift in (2, 0))
    judged = None if alone is None else right if alone else wrong
    rule = INSIDE if inside else "equal"
    place = index, f"tfl.op{index}", f"main:{index}", f"t{index}", ""
    return OperatorReport(*place, {}, right if whole else wrong, judged, verdict, rule, inside)


ELEMENT = "element [1, 0] is 3 in the source and 5 in the conversion; 1 of 4 elements differ, by 2 at most"
ITS_INPUTS = "Its inputs were the source's own values."


@pytest.mark.parametrize(
    ("rows", "steps", "sentence"),
    [
        (
            [row(0, verdict=True, whole=True), row(1, verdict=False, whole=False, alone=False)],
            1,
            f"First difference at operator 1, OP1 't1' (main:1): {ELEMENT}. {ITS_INPUTS}",
        ),
        (
            [row(0, verdict=True, whole=False), row(1, verdict=False, whole=False, alone=False)],
            3,
            f"First difference at operator 1, OP1 't1' (main:1) in step 2: {ELEMENT}. {ITS_INPUTS}",
        ),
        (
            [
                row(0, verdict=None, whole=True, inside="t2"),
                row(1, verdict=None, whole=True, inside="t3"),
                row(2, verdict=False, whole=False, alone=False),
                row(3, verdict=None, whole=True, inside="t2"),
            ],
            1,
            f"First difference at operator 2, OP2 't2' (main:2) (fused with OP0): {ELEMENT}. {ITS_INPUTS}",
        ),
        (
            [row(0, verdict=True, whole=True), row(1, verdict=True, whole=False, alone=True)],
            1,
            "No operator differs by itself by more than rounding explains. In the whole run, results differ from "
            f"operator 1, OP1 't1' (main:1) on: {ELEMENT}.",
        ),
    ],
    ids=["alone", "step", "fused", "whole"],
)
def test_the_first_difference(rows: list[OperatorReport], steps: int, sentence: str) -> None:
    assert first_difference(rows, steps) == sentence
