"""Rows of pages of many models, and reports of models that no process was started for: every field."""

import math
from pathlib import Path
from typing import Any

import pytest
from support.commands import INT8

import tosa_converter as tc
from tosa_converter.proof.page import index_row

OUTPUTS: list[tuple[float | None, float]] = [(0.0, 0.0), (0.25, 0.0), (0.5, 2.0), (3.0, 2.0), (0.5, 0.5), (1e30, 1e-30)]


def figures(outputs: list[tuple[float | None, float]]) -> dict[str, Any]:
    """Of a verification with these largest differences and elements."""
    rows = [{"mismatches": i + 1, "elements": 10, "max_abs": d, "reference_max": m} for i, (d, m) in enumerate(outputs)]
    halves = ({"outputs": rows[: len(rows) // 2]}, {"outputs": rows[len(rows) // 2 :]})
    return {"comparisons": halves, "numerics": "compact", "verdict": True, "needs": "PRO-INT"}


@pytest.mark.parametrize("count", range(1, len(OUTPUTS) + 1))
def test_a_row_has_the_worst_of_all_outputs(count: int) -> None:
    """As a part of the output's largest element; of outputs of zeros the difference itself."""
    row = index_row(figures(OUTPUTS[:count]), name="m")
    parts = [d / m if m else d for d, m in OUTPUTS[:count] if d is not None]
    assert (row.mismatches, row.elements) == (sum(range(count + 1)), 10 * count)
    assert row.worst == max(parts)
    assert (row.kind, row.verdict, row.good, row.needs) == ("compact", "equal", True, "PRO-INT")


def test_what_is_no_number_is_worse_than_any() -> None:
    """JSON has no infinities: None stands for one."""
    most = index_row(figures([(None, 1.0)]), name="m").worst
    assert math.isfinite(most)
    assert index_row(figures([(1e200, 1.0)]), name="m").worst == 1e200 < most
    assert index_row(figures([(1e308, 1e-300)]), name="m").worst == most


def test_a_row_without_figures() -> None:
    row = index_row({}, name="m")
    assert (row.mismatches, row.elements, row.worst, row.seconds, row.good) == (0, 0, 0.0, 0.0, False)
    assert (row.kind, row.verdict, row.needs, row.page) == ("", "differs", "", "")
    assert index_row(figures(OUTPUTS[:1]), name="m", good=False, seconds=2.5).seconds == 2.5


def test_models_without_a_file_and_with_another_one(tmp_path: Path) -> None:
    (tmp_path / "other.tflite").write_bytes(INT8.read_bytes())
    manifest = tmp_path / "m.toml"
    rows = "".join(
        f'[[model]]\nname = "{name}"\nsource = "file"\npath = "{name}.tflite"\nkind = "int8"\n{more}'
        for name, more in (("missing", ""), ("other", f'sha256 = "{"0" * 64}"\n'))
    )
    manifest.write_text(rows)
    reports = tc.Zoo(manifest=manifest).verify(jobs=1)
    assert [(report.name, report.outcome, report.expected, report.verdict) for report in reports] == [
        ("missing", "failed", "equal", False),
        ("other", "failed", "equal", False),
    ]
    assert [(report.key, report.seconds, report.verification) for report in reports] == [("", 0.0, None)] * 2
    assert all(all(line.startswith("next: ") for line in report.errors[1:]) for report in reports)
