"""The lines of reports: their exact text."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from tosa_converter.cli import report
from tosa_converter.cli.conversion import Conversion
from tosa_converter.cli.opt import Optimization
from tosa_converter.cli.run import OutputSummary, RunReport
from tosa_converter.conversion import PassReport, Report
from tosa_converter.coverage import Coverage, Operator
from tosa_converter.inspection import CustomInspection, GraphInspection, Inspection, TensorInspection
from tosa_converter.ir import Quant, State
from tosa_converter.rewriting.report import Note
from tosa_converter.rules.target import Target


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
    assert report._size(count) == text


def test_the_lines_of_an_inspection() -> None:
    x = TensorInspection("x", "i8", (None, 3), Quant((0.5,), (-3,)))
    w = TensorInspection("w", "i8", (2,), Quant((0.5, 0.25), (0, 1), 0), "tosa.const", "here")
    turned = TensorInspection("y", "fp32", (2, 1), None, source=replace(x, name="in"), permutation=(1, 0))
    rows = TensorInspection("r", "i8", (4,), Quant((1.0,), (0,), rows=1))
    custom = (CustomInspection("main:3", "Mine", {"a": 1}),)
    graph = GraphInspection("main", 3, 2, 2048, (x, rows), (turned,), custom, (w,), (("s", "s.next"),))
    inspection = Inspection(
        "m.tosa",
        5000,
        "tosa",
        (graph,),
        {"sig": ("main", ("x", "r"), ("y",))},
        {"add": 2},
        "nothing",
        (("main", "odd"),),
    )
    lines = report.inspection_lines(inspection, tensors=False, checked=False)
    assert lines == [
        "m.tosa  4.9 KB, tosa operators",
        "graph 'main': 3 operators, 2 constants of 2.0 KB",
        "  in   x  i8[?,3]  scale 0.5 zero point -3",
        "  in   r  i8[4]  quantized at run time",
        "  out  y  fp32[2,1]  from in  i8[?,3]  scale 0.5 zero point -3 permuted by [1, 0]",
        "  state: output 's.next' is the next run's input 's'",
        "  custom Mine at main:3: {'a': 1}",
        "signature 'sig': x, r -> y",
        "       2  add",
        "note: main: odd",
        "needs  nothing",
    ]
    more = report.inspection_lines(inspection, tensors=True, checked=True)
    assert [line for line in more if line not in lines] == [
        "  tosa.const              w  i8[2]  scale 0.5 zero point 0 (2 along axis 0)",
        "check  valid",
    ]


def test_the_lines_of_a_run() -> None:
    rows = (OutputSummary("y", "int8", (2, 3), -1.5, 2.0, 1 / 3), OutputSummary("z", "int8", (), 0, 0, 0, "out_1"))
    run_report = RunReport("m.tosa", "executor", 0.0125, 1, 7, rows)
    tail = ["  y  int8[2,3]  min -1.5  max 2  mean 0.333333", "  z  int8[]  min 0  max 0  mean 0  saved as out_1"]
    assert report.run_lines(run_report) == ["m.tosa in executor on random inputs of seed 7: 12.5 ms", *tail]
    assert report.run_lines(replace(run_report, steps=2, seed=None)) == [
        "m.tosa in executor in 2 steps: 12.5 ms",
        *tail,
    ]


def conversion(states: list[State], **fields: Any) -> Conversion:
    notes, passes = [Note("main:0", "deviates")], [PassReport("simplify", 0.0015, 12)]
    done = Report("compact", Counter(conv=2, add=1), Counter(), Target(), notes, passes, 0.25, (), {})
    counts = Counter({"tosa.add": 1, "tosa.const": 3})
    row = Conversion("m.tflite", "m.tosa", ["a.spv", "b.spv"], 2048, 100, done, counts, 0.002, states)
    return row._replace(**fields)


def test_the_lines_of_a_conversion() -> None:
    head = ["m.tflite -> a.spv, b.spv", "  operators  3 -> 4", "  size       2.0 KB -> 100 B"]
    rest = ["  numerics   compact", f"  needs      {Target()}", "  time       252 ms"]
    note = "  note       main:0: deviates"
    assert report.conversion_lines(conversion([]), verbose=False) == [*head, *rest, note]
    states = [State("s", "s.next", None), State("t", "u", None)]
    stateful = conversion(states, initial="m.npz", usage="run it")
    assert report.conversion_lines(stateful, verbose=True) == [
        *head,
        *rest,
        "  state      feed output s.next back into input s, feed output u back into input t; initial values: m.npz",
        "  run        run it",
        note,
        "  load                       2.0 ms",
        "  simplify                   1.5 ms     12 operators",
        "  tosa.const                       3",
        "  tosa.add                         1",
    ]
    plain = conversion(states[:1], initial="m.npz")
    assert report.conversion_lines(plain, verbose=False)[-2] == (
        "  state      feed output NAME.next back into input NAME; initial values: m.npz"
    )


def test_the_lines_of_an_optimization() -> None:
    done = Optimization("a.tosa", "b.tosa", {"tosa.add": 2, "tosa.mul": 1}, {"tosa.add": 2, "tosa.abs": 3}, [])
    assert report.optimization_lines(done) == [
        "a.tosa -> b.tosa",
        "  operators  3 -> 5",
        "  tosa.mul                         1 -> 0",
        "  tosa.abs                         0 -> 3",
    ]


def test_the_lines_of_a_coverage() -> None:
    ops = (
        Operator("main:0", "tfl.add", "", ("add", "rescale"), "exact", (), ""),
        Operator("main:1", "tfl.add", "", ("add", "rescale"), "exact", (), ""),
        Operator("main:2", "tfl.abs", "", (), "noted", ("odd",), ""),
        Operator("main:3", "tfl.sin", "", (), "can't", (), "too hard"),
    )
    coverage = Coverage("m.tflite", None, "reference", ops)
    counts = "2 exact, 1 noted, 1 can't"
    assert report.coverage_lines(coverage, verbose=False) == [
        "m.tflite  reference numerics, for any target",
        "       1  tfl.sin  can't: too hard",
        "       2  tfl.add  -> add rescale  (exact)",
        "       1  tfl.abs  -> nothing to compute  (noted)",
        "          note: odd",
        f"1 of 4 operators can't be converted: {counts}",
    ]
    assert report.coverage_lines(coverage._replace(operators=ops[:2]), verbose=True) == [
        "m.tflite  reference numerics, for any target",
        "  main:0  -> add rescale  (exact)",
        "  main:1  -> add rescale  (exact)",
        "2 operators, all can be converted: 2 exact",
    ]
    assert report.coverage_lines(coverage._replace(operators=()), verbose=False)[-1] == ("no operators")


@pytest.mark.parametrize(
    ("becomes", "text"),
    [((), "no operator"), (("add",), "add"), (("add", "add", "mul", "add"), "2 add mul add")],
)
def test_repeated_operators_are_counted(becomes: tuple[str, ...], text: str) -> None:
    assert report.sequence_of({"becomes": becomes}) == text
