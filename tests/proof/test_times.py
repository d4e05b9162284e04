"""How long operators take on both sides: which have a time, and how times add up."""

import json
import sys
from pathlib import Path

import pytest
from support.commands import FLOAT, INT8, MODELS, command

import tosa_converter as tc
from tosa_converter.engines import ENGINES
from tosa_converter.engines.litert import LiteRT

pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
SMALL = MODELS / "small"


@pytest.mark.parametrize(
    ("name", "untimed"),
    [
        ("detector.uint8_io", set()),
        ("detector.float16", set()),
        ("encoder.dynamic", set()),
        ("keywords.int8", set()),  # with state of its operators' own
        ("rnn.float32", set()),  # a loop, whose graphs run with it
        ("lstm_stateful.dynamic", {"tfl.var_handle", "tfl.read_variable"}),  # what they read or give is no array
    ],
)
def test_every_operator_that_is_compared_is_timed(name: str, untimed: set[str]) -> None:
    source = tc.load(SMALL / f"{name}.tflite")
    model = tc.convert(source)
    report = tc.compare_layers(source, model, steps=2 if model.stateful else 0, times=True)
    clock = report.clock
    assert clock is not None
    assert (clock.kernels, clock.runs) == ("litert-optimized", 3)
    assert {row.type for row in report.operators if row.source_seconds is None} == untimed
    compared = [row for row in report.operators if row.whole is not None and row.type not in untimed]
    assert all(row.source_seconds and row.seconds for row in compared if row.becomes)
    once = {row.index: row for row in report.operators}.values()
    assert clock.source_operators == pytest.approx(sum(row.source_seconds or 0 for row in once))
    assert clock.operators - clock.elsewhere == pytest.approx(sum(row.seconds or 0 for row in once))
    assert (clock.elsewhere > 0) == bool(model.stateful)


def test_operators_by_themselves_take_about_what_the_whole_takes() -> None:
    """Of the same order, whatever else the machine does meanwhile."""
    source = tc.load(SMALL / "detector.int16x8.tflite")
    clock = tc.compare_layers(source, tc.convert(source), times=True).clock
    assert clock is not None
    assert clock.source_run / 20 < clock.source_operators < 20 * clock.source_run


def test_xnnpack_is_timed_where_it_is_the_oracle() -> None:
    (report,) = tc.verify(INT8, numerics="xnnpack", layers=True).operators
    assert report.clock is not None
    assert report.clock.kernels == report.reference == "litert-xnnpack"
    assert all(row.source_seconds for row in report.operators if row.whole is not None)


def test_the_oracle_is_timed_where_others_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENGINES, "litert-optimized", refusing := LiteRT("litert-optimized"))
    monkeypatch.setattr(refusing._worker, "command", [sys.executable, "-c", "raise SystemExit(1)"])
    report = tc.compare_layers(INT8, tc.convert(INT8), times=True)
    assert report.clock is not None
    assert report.clock.kernels == "litert"


def test_nothing_is_measured_unless_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LiteRT, "seconds", None)
    report = tc.compare_layers(INT8, tc.convert(INT8))
    assert report.clock is None
    assert {(row.source_seconds, row.seconds) for row in report.operators} == {(None, None)}
    assert tc.verify(INT8).verdict


def test_the_table_has_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("verify", INT8, "--layers") == 0
    assert "  times    the whole source takes " in capsys.readouterr().out
    assert command("verify", INT8, "--layers", "-v") == 0
    lines = capsys.readouterr().out.splitlines()
    head = next(line for line in lines if "source ms" in line)
    row = next(line for line in lines if line.split()[:2] == ["0", "CONV_2D"])
    for column in ("source ms", "TOSA ms"):
        assert float(row[: head.index(column) + len(column)].split()[-1]) > 0
    assert any("the source's operators one by one take" in line for line in lines)
    assert command("verify", INT8, "--layers", "--json") == 0
    (operators,) = json.loads(capsys.readouterr().out)["operators"]
    assert operators["clock"]["run"] > 0
    assert operators["operators"][0]["source_seconds"] > 0


def test_sources_whose_operators_nothing_times(tmp_path: Path) -> None:
    assert command(FLOAT, "-o", tmp_path / "digits.xnn") == 0
    source = tc.load(tmp_path / "digits.xnn")
    report = tc.compare_layers(source, tc.convert(source), times=True)
    assert (report.clock, report.operators) == (None, ())
    assert report.note.endswith("outputs are compared only, and no operator is timed")
