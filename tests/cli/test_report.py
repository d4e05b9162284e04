"""The lines of reports: columns that stand below each other, and which rows are marked."""

from dataclasses import replace

import numpy as np
import pytest

from tosa_converter.cli.report import _operator_lines
from tosa_converter.proof.operators import Clock, Difference, OperatorComparison, OperatorReport

SAME = Difference(24, 0, 0.0, 2.0, np.inf, 0.0, 0.0, True)
CLOCK = Clock("litert", 3, 1e-3, 2e-3, 1e-3, 0.0, 3e-3)


def rows(*errors: float | None, failing: tuple[int, ...] = ()) -> tuple[OperatorReport, ...]:
    """Returns a row for each relative error; None is for a result that isn't compared."""
    found = []
    for i, error in enumerate(errors):
        one = None if error is None else replace(SAME, mismatches=int(error > 0), max_abs=2 * error)
        verdict = None if error is None else i not in failing
        rule = "inside" if error is None else "differs" if i in failing else "equal"
        found.append(OperatorReport(i, "tfl.add", "", "y", "", {}, one, one, verdict, rule, "z" * (error is None)))
    return tuple(found)


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
