"""The lines of reports: their exact text."""

from dataclasses import replace

import pytest

from tosa_converter.cli import report
from tosa_converter.cli.opt import Optimization
from tosa_converter.cli.run import OutputSummary, RunReport


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
