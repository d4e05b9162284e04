"""The page of a verification: what it says, hostile names, and its controls in a browser."""

import json
import re
import sys
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from support import chromium
from support.commands import FLOAT, INT8, MODELS, command
from support.partial import with_known, without

import tosa_converter as tc
from tosa_converter.errors import MissingExtra
from tosa_converter.ir import Array, Graph, Model, Op, TensorType, Value
from tosa_converter.proof.operators import OperatorReport
from tosa_converter.proof.page import IndexRow, index_row, plots, write_index
from tosa_converter.proof.page.facts import _stored, relative, seconds_by_kind

if TYPE_CHECKING:
    from playwright.sync_api import Page

NEEDED = "pip install '.[report]'"
pytest.importorskip("jinja2", reason=NEEDED)
pytest.importorskip("matplotlib", reason=NEEDED)
pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
EVIL = "<script>alert(1)</script>\x1b[31m$x$\ud800\u202e"


@pytest.fixture(scope="module")
def verification() -> tc.Verification:
    return tc.verify(FLOAT, layers=True)


def different(verification: tc.Verification) -> tc.Verification:
    """The same with an operator and an output that differ, in names that somebody chose."""
    (layers,) = verification.operators
    guilty = layers.operators[3]
    assert guilty.whole is not None
    worse = replace(guilty.whole, max_abs=7.0, verdict=False)
    rows = [replace(guilty, tensor=EVIL, location=EVIL, verdict=False, alone=worse, whole=worse)]
    operators = replace(
        layers, operators=(*layers.operators[:3], *rows, *layers.operators[4:]), sentence=f"They part at {EVIL}"
    )
    (comparison,) = verification.comparisons
    outputs = tuple(replace(output, name=EVIL, verdict=False) for output in comparison.outputs)
    changed = replace(
        verification, file=EVIL, operators=(operators,), comparisons=(replace(comparison, outputs=outputs),)
    )
    assert not changed.verdict
    return changed


def test_a_page_needs_nothing_besides_it(verification: tc.Verification, tmp_path: Path) -> None:
    size = tc.write_report(verification, tmp_path / "out.html")
    text = (tmp_path / "out.html").read_text("utf-8")
    assert size == len(text.encode())
    assert ">Equivalent" in text
    assert not re.search(r"(?:src|href)=[\"'](?!#)", text)
    for row in verification.operators[0].operators:
        assert row.tensor.replace("'", "&#39;") in text


def test_times(verification: tc.Verification, tmp_path: Path) -> None:
    tc.write_report(verification, tmp_path / "out.html")
    text = (tmp_path / "out.html").read_text("utf-8")
    assert "in <code>litert-optimized</code> (the values are of <code>litert</code>" in text
    assert "Times of the source&#x27;s operators by kind" in text
    (layers,) = verification.operators
    tc.write_report(replace(verification, operators=(replace(layers, clock=None),)), tmp_path / "out.html")
    text = (tmp_path / "out.html").read_text("utf-8")
    assert "litert-optimized" not in text
    assert "source, ms" not in text


def test_names_are_text(verification: tc.Verification, tmp_path: Path) -> None:
    tc.write_report(different(verification), tmp_path / "out.html")
    text = (tmp_path / "out.html").read_bytes()
    assert b"<script>alert" not in text
    assert b"&lt;script&gt;alert(1)&lt;/script&gt;\\x1b[31m$x$\\ud800\\u202e" in text
    assert b"\x1b" not in text
    assert "\u202e".encode() not in text


def test_the_command_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("verify", INT8, "--report", tmp_path / "r.html", "--json") == 0
    assert json.loads(capsys.readouterr().out)["operators"]
    assert (tmp_path / "r.html").stat().st_size > 10_000
    assert command("verify", INT8, "--report", tmp_path / "none" / "r.html") == 2


def test_the_worst_is_marked(verification: tc.Verification, tmp_path: Path) -> None:
    """By hand: the largest difference as a part of the result's largest element; none where nothing differs."""
    rows = [row for row in verification.operators[0].operators if row.whole]
    worst = max(rows, key=lambda row: row.whole.max_abs / row.whole.reference_max if row.whole else 0)
    tc.write_report(verification, tmp_path / "out.html")
    worst_indices = re.findall(
        r'<tr class="worst"[^>]*>\s*<td class="number" data-value="(\d+)"', (tmp_path / "out.html").read_text()
    )
    assert worst_indices == [str(worst.index)]
    tc.write_report(tc.verify(INT8, layers=True), tmp_path / "out.html")
    assert '<tr class="worst"' not in (tmp_path / "out.html").read_text()


def test_what_has_no_layers_has_a_page(tmp_path: Path) -> None:
    """A file that was written, and a chain: outputs, operators and needs; the clauses are a conversion's."""
    written, page = tmp_path / "back.tflite", tmp_path / "r.html"
    tc.save(tc.to_tflite(tc.convert(INT8)), written)
    assert command("verify", INT8, written, "--report", page) == 0
    text = page.read_text("utf-8")
    assert f"<dt>compared with</dt><dd>{written}</dd>" in text
    assert "<dd>9 of the source, 9 of the conversion</dd>" in text
    assert "<h2>What it became</h2>" in text
    assert "<h2>What it needs</h2>" not in text
    model, was = without(tc.load(INT8), 4)
    tc.save(with_known(tc.convert_partially(model), was), tmp_path / "manifest.json")
    assert command("verify", INT8, "--partial", tmp_path, "--report", page) == 0
    text = page.read_text("utf-8")
    assert "max_pool_2d" in text  # LiteRT's, in the middle
    assert "<h2>What it needs</h2>" in text  # of the TOSA pieces
    assert "Precision by TOSA" not in text
    assert command("verify", INT8, written, "--report", page, "--layers") == 0


def test_without_what_draws_it(verification: tc.Verification, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingExtra, match=r"\[report\]"):
        tc.write_report(verification, tmp_path / "out.html")
    assert list(tmp_path.iterdir()) == []


def test_models_with_state_and_signatures(tmp_path: Path) -> None:
    for name in ("small/keywords.int8", "signatures_int8"):
        model_verification = tc.verify(MODELS / f"{name}.tflite", layers=True)
        assert tc.write_report(model_verification, tmp_path / "out.html") > 10_000
        text = (tmp_path / "out.html").read_text("utf-8")
        assert "<dt>seed of the inputs</dt><dd>0</dd>" in text
        assert all(
            f"<td>{comparison.signature}: executor against litert, 1 random input" in text
            for comparison in model_verification.comparisons[1:]
        )
        assert all(
            len(output.histogram) == (output.mismatches > 0)
            for comparison in model_verification.comparisons
            for output in comparison.outputs
        )


def test_given_inputs_have_no_seed(tmp_path: Path) -> None:
    tc.write_report(tc.verify(INT8, inputs=[tc.random_inputs(INT8)]), tmp_path / "out.html")
    text = (tmp_path / "out.html").read_text("utf-8")
    assert "1 given input" in text
    assert "seed" not in text


def test_histograms_count_every_difference(verification: tc.Verification) -> None:
    (comparison,) = verification.comparisons
    for output in comparison.outputs:
        assert sum(count for _, count in output.histogram) == output.mismatches > 0
        at = [10**power for power, _ in output.histogram]
        assert at[-1] <= output.max_abs < at[-1] * 10**0.25


def test_times_of_a_kind_are_sums_over_its_operators(verification: tc.Verification) -> None:
    """Each operator counts with one of its results, the longest kinds come first."""
    (row, *_) = (row for row in verification.operators[0].operators if row.whole)
    rows = [
        replace(row, index=index, type=f"tfl.{name}", source_seconds=source, seconds=seconds)
        for index, name, source, seconds in [
            (0, "add", 1.0, 0.5),
            (1, "mul", 2.0, 8.0),
            (1, "mul", 2.0, 8.0),  # its second result
            (2, "add", 4.0, 0.25),
            (3, "sub", None, None),
            (4, "abs", 6.0, None),
        ]
    ]
    source, tosa = seconds_by_kind(rows)
    assert list(source.items()) == [("mul", 2.0), ("abs", 6.0), ("add", 5.0), ("sub", 0.0)]
    assert list(tosa.items()) == [("mul", 8.0), ("abs", 0.0), ("add", 0.75), ("sub", 0.0)]


def test_a_row_of_an_index_is_of_all_outputs_and_runs() -> None:
    figures = {
        "numerics": "reference",
        "verdict": True,
        "needs": "PRO-INT",
        "comparisons": [
            {"outputs": [{"mismatches": 3, "elements": 10, "max_abs": 2.0, "reference_max": 8.0}]},
            {"outputs": [{"mismatches": 1, "elements": 5, "max_abs": 3.0, "reference_max": 6.0}] * 2},
        ],
    }
    row = index_row(figures, name="m", seconds=2.5)
    assert row == IndexRow("m", "reference", "equivalent", True, 5, 20, 0.5, "PRO-INT", 2.5, "")
    empty = index_row({}, name="m", verdict="malformed")
    assert empty == IndexRow("m", "", "malformed", False, 0, 0, 0.0, "", 0.0, "")
    assert IndexRow("m", "", "", False) == IndexRow("m", "", "", False, 0, 0, 0.0, "", 0.0, "")


def texts(svg: str) -> list[str]:
    return re.findall(r">([^<>]+)</text>", svg)


@pytest.mark.parametrize(
    ("mismatches", "max_abs", "reference_max", "expected"),
    [(0, 3.0, 2.0, 0.0), (1, 3.0, 2.0, 1.5), (1, 3.0, 0.0, 3.0)],
)
def test_a_difference_is_a_part_of_the_largest_element(
    verification: tc.Verification, mismatches: int, max_abs: float, reference_max: float, expected: float
) -> None:
    """Of nothing but zeros it is the difference itself."""
    whole = next(row.whole for row in verification.operators[0].operators if row.whole is not None)
    judgement = replace(whole, mismatches=mismatches, max_abs=max_abs, reference_max=reference_max)
    assert relative(judgement) == expected
    assert relative(None) == 0


def test_bars_of_both_sides_are_beside_each_other() -> None:
    svg = plots.counts({"add": 4, "mul": 1}, {"rescale": 2})
    assert texts(svg) == ["add  4 ", "mul  1 ", " 2  rescale"]
    assert svg.startswith('<svg role="img" aria-label="Operators of the source, left, and of the conversion, right"')
    bars = [[float(x) for x in re.findall(r"[-.\d]+", path)] for path in re.findall(r'<path d="(M[^"]*z)', svg, re.S)]
    widths = [(max(bar[::2]) - min(bar[::2])) for bar in bars if len(bar) == 8][-3:]
    assert [width / widths[2] for width in widths] == pytest.approx([2, 0.5, 1], rel=1e-4)


Box = tuple[float, float, float, float]


def boxes(svg: str) -> list[Box]:
    """Returns the left, right, upper and lower edges of all rectangles of a plot, in points."""
    edges = []
    for path in re.findall(r'<path d="(M[^"]*z)', svg):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", path)]
        x, y = numbers[::2], numbers[1::2]
        edges.append((min(x), max(x), min(y), max(y)))
    return edges


@pytest.mark.parametrize(
    ("left", "right"), [({"add": 4, "mul": 1}, {"rescale": 2}), ({"add": 1}, {"add": 3, "sub": 3, "abs": 2, "exp": 1})]
)
def test_bars_lead_from_the_middle_to_their_side(left: dict[str, int], right: dict[str, int]) -> None:
    """By hand: both sides are 2.1 times the longest bar wide; 3 of the 648 points are left free around all."""
    page, *bars = boxes(plots.counts(left, right))
    assert page == pytest.approx((0, 648, 0, 72 * (0.6 + 0.2 * max(3, len(right)))))
    unit = (648 - 2 * 3) / 2 / (2.1 * max(*left.values(), *right.values()))
    expected = [(324 - count * unit, 324.0) for count in left.values()]
    expected += [(324.0, 324 + count * unit) for count in right.values()]
    assert [edge for bar in bars for edge in bar[:2]] == pytest.approx([x for pair in expected for x in pair], rel=1e-4)
    rows = {round((upper + lower) / 2, 3): None for *_, upper, lower in bars[: len(left)]}
    assert sorted(rows) == list(rows)  # the first one is above the others


@pytest.mark.parametrize("at", [(-3.0,), (-3.0, -2.75, -1.5), (-9.25, 2.0)])
def test_bars_of_a_histogram_are_a_quarter_of_a_decade_wide(
    at: tuple[float, ...], verification: tc.Verification
) -> None:
    """By hand: the axis is from half the lowest difference to four times the largest, in decades."""
    (output, *_) = verification.comparisons[0].outputs
    page, axes, *bars = boxes(plots.histogram(replace(output, histogram=tuple((x, i + 1) for i, x in enumerate(at)))))
    assert page == pytest.approx((0, 4.4 * 72, 0, 2.4 * 72))
    begin, decade = at[0] - np.log10(2), (axes[1] - axes[0]) / (at[-1] - at[0] + np.log10(8))
    expected = [(axes[0] + (x - begin) * decade, axes[0] + (x + 0.25 - begin) * decade) for x in at]
    assert [edge for bar in bars for edge in bar[:2]] == pytest.approx([x for pair in expected for x in pair], rel=1e-4)
    heights = [lower - upper for *_, upper, lower in bars]
    assert heights == pytest.approx([heights[0] * (i + 1) for i in range(len(at))], rel=1e-4)


def test_the_plot_of_operators_is_9_by_3_2_inches(verification: tc.Verification) -> None:
    assert boxes(plots.error_by_operator(verification.operators[0].operators))[0] == pytest.approx((0, 648, 0, 230.4))


@pytest.mark.parametrize(
    ("errors", "top"),
    [
        ((1e-3, 1e-4, 0.0), 1e-2),
        ((1e-8, 0.0), 1e-5),
        ((1.5e-6, 1e-9), 1.5e-5),
        ((np.inf, 3.0), 1e10),
        ((2e9, 1e9), 1e10),
    ],
)
def test_points_of_operators_are_on_a_logarithmic_scale(
    errors: tuple[float, ...], top: float, verification: tc.Verification
) -> None:
    """By hand: from a third of 1e-9, where equal ones are, up to ten times the largest, 1e-5 at least."""
    (row, *_) = (row for row in verification.operators[0].operators if row.whole)
    whole = row.whole
    assert whole is not None
    rows = [
        replace(row, index=i, whole=replace(whole, mismatches=int(error > 0), max_abs=2 * error, reference_max=2.0))
        for i, error in enumerate(errors)
    ]
    svg = plots.error_by_operator(rows)
    _, right, upper, lower = next(box for box in boxes(svg.replace("\n", "")) if box[0] > 0)
    points = re.findall(r'x="([\d.]+)" y="([\d.]+)" style="fill: var\(--good\)"', svg)
    assert len(points) == len(errors)
    decades = np.log10(top / (1e-9 / 3))
    for (_, y), error in zip(points, errors, strict=True):
        share = np.log10(np.clip(error, 1e-9, 1e9) / (1e-9 / 3)) / decades
        assert float(y) == pytest.approx(lower - share * (lower - upper), abs=0.01)
    assert right > 600


def test_bytes_of_constants_are_those_of_all_graphs() -> None:
    """By hand: 3 * 4 and 5 of the main graph, 2 * 2 of an operator's graph; what operators compute has none."""
    x = Value(TensorType(tc.DType.FP32, (3,)), "x")
    arrays: list[Array] = [np.ones(3, np.float32), np.ones(5, np.int8), np.ones(2, np.float16)]
    kinds = tc.DType.FP32, tc.DType.I8, tc.DType.FP16
    types = [TensorType(dtype, array.shape) for dtype, array in zip(kinds, arrays, strict=True)]
    consts = [Op("tosa.const", (), [t], {"values": v}) for t, v in zip(types, arrays, strict=True)]
    region = Graph("then", [], [consts[2].result], [consts[2]])
    branch = Op("tosa.cond_if", [x], [types[2]], regions=[region, region])
    total = Op("tosa.add", [x, consts[0].result], [x.type])
    graph = Graph("main", [x], [total.result, branch.result], [consts[0], consts[1], total, branch])
    assert _stored(Model({"main": graph})) == 3 * 4 + 5 + 2 * 2
    assert _stored(Model({"main": Graph("main", [x], [x])})) == 0


def test_nothing_on_both_sides_is_drawn_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert texts(plots.counts({}, {})) == []


def test_times_are_in_milliseconds() -> None:
    assert texts(plots.times({"add": 0.25}, {"rescale": 0.0625})) == ["add  250 ms ", " 62.5 ms  rescale"]
    assert plots.times({"add": 0.0}, {"rescale": 0.0}) == ""
    assert plots.times({"add": 0.0}, {"rescale": 1.0}) != ""
    assert plots.times({}, {}) == ""


def test_equal_operators_stand_on_the_line_and_the_worst_has_its_name(verification: tc.Verification) -> None:
    (row, *_) = (row for row in verification.operators[0].operators if row.whole)
    whole = row.whole
    assert whole is not None

    def rows(*errors: float) -> list[OperatorReport]:
        return [
            replace(
                row,
                index=i,
                type="tfl.add",
                verdict=None,
                whole=replace(whole, mismatches=int(error > 0), max_abs=2 * error, reference_max=2.0),
            )
            for i, error in enumerate(errors)
        ]

    assert plots.error_by_operator([]) == ""
    assert "0 add" not in texts(plots.error_by_operator(rows(0.0, 0.0)))
    shown = texts(plots.error_by_operator(rows(0.0, 1e-3, 1e-5)))
    assert "1 add" in shown
    assert "equal" in shown
    assert "2 add" not in shown
    assert "1 add" in texts(plots.error_by_operator(rows(0.0, 1.5e-9)))
    assert "1 add" not in texts(plots.error_by_operator(rows(0.0, 1e-9)))  # where equal ones are drawn


# ** in a browser **


@pytest.fixture(scope="module")
def browser() -> Iterator["Page"]:
    yield from chromium.opened()


@pytest.fixture
def opened(browser: "Page") -> Iterator["Page"]:
    """What a page says to the console, or asks the network for, is an error."""
    wrong: list[str] = []
    asked: list[str] = []
    browser.on("console", lambda message: wrong.append(message.text))
    browser.on("pageerror", lambda error: wrong.append(str(error)))
    browser.on("request", lambda request: asked.append(request.url))
    yield browser
    assert wrong == [url for url in asked if not url.startswith("file:")] == []


def test_controls(opened: "Page", verification: tc.Verification, tmp_path: Path) -> None:
    tc.write_report(different(verification), tmp_path / "out.html")
    opened.goto((tmp_path / "out.html").as_uri())
    rows = opened.locator("table[data-sortable] tbody tr")
    count = rows.count()
    assert count == len(verification.operators[0].operators)
    assert opened.locator("tr.guilty:visible").count() == 1
    opened.get_by_role("searchbox").fill("softmax")
    assert opened.locator("table[data-sortable] tbody tr:visible").count() == 1
    opened.get_by_role("searchbox").fill("")
    for name, column in (("source, ms", -3), ("TOSA, ms", -2)):
        opened.get_by_role("button", name=name).press("Enter")
        cells = [row.locator("td").nth(column) for row in rows.all()]
        shown = [cell.inner_text() for cell in cells]
        assert all(map(float, shown))
        assert [float(cell.get_attribute("data-value") or 0) for cell in cells] == sorted(
            (row.source_seconds if column == -3 else row.seconds) or -1 for row in verification.operators[0].operators
        )
    opened.get_by_role("button", name="max |d|").press("Enter")
    opened.get_by_role("button", name="max |d|").press("Enter")
    assert "guilty" in (rows.first.get_attribute("class") or "")
    details = rows.first.locator("details").first
    details.locator("summary").press("Enter")
    assert details.get_attribute("open") is not None
    opened.get_by_role("checkbox").press("Space")
    assert opened.locator("output").inner_text() == f"{count} of {count}"


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_a_page_fits(opened: "Page", verification: tc.Verification, tmp_path: Path, width: int, scheme: str) -> None:
    tc.write_report(verification, tmp_path / "out.html")
    opened.set_viewport_size({"width": width, "height": 800})
    opened.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    opened.goto((tmp_path / "out.html").as_uri())
    assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")
    before = opened.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (before == "rgb(255, 255, 255)") == (scheme == "light")
    opened.get_by_role("button", name="Dark or light").click()
    assert opened.evaluate("getComputedStyle(document.body).backgroundColor") != before


def test_an_index(opened: "Page", tmp_path: Path) -> None:
    rows = [IndexRow(f"m{i}", "int8", "equal", i != 2, i, 10, i / 7, "PRO-INT", 0.5, f"m {i}.html") for i in range(4)]
    write_index(tmp_path / "index.html", [*rows, IndexRow(EVIL, "", "refused", True, 0, 0, 0.0, "", 0.0)])
    for row in rows:
        (tmp_path / row.page).write_text(row.name)
    opened.goto((tmp_path / "index.html").as_uri())
    assert opened.locator(".verdict").inner_text() == "4 of 5 as expected"
    opened.get_by_role("checkbox").check()
    assert opened.locator("tbody tr:visible").count() == 1
    opened.get_by_role("link", name="m2").click()
    assert opened.locator("body").inner_text() == "m2"


def test_numbers_that_are_none(tmp_path: Path, verification: tc.Verification) -> None:
    (comparison,) = verification.comparisons
    outputs = tuple(replace(output, max_abs=np.inf, sqnr_db=-np.inf, histogram=()) for output in comparison.outputs)
    odd = replace(verification, comparisons=(replace(comparison, outputs=outputs),))
    assert tc.write_report(odd, tmp_path / "out.html") > 10_000


def test_numbers_beyond_all_are_sorted(opened: "Page", verification: tc.Verification, tmp_path: Path) -> None:
    """The operator that gives NaN is the last one by its difference, the first by its SQNR, wherever it stands."""
    (layers,) = verification.operators
    rows = list(layers.operators)
    for i in (2, 5):
        whole = rows[i].whole
        assert whole is not None
        rows[i] = replace(rows[i], whole=replace(whole, max_abs=np.inf, sqnr_db=-np.inf, mismatches=1))
    tc.write_report(replace(verification, operators=(replace(layers, operators=tuple(rows)),)), tmp_path / "out.html")
    opened.goto((tmp_path / "out.html").as_uri())
    numbers = opened.locator("table[data-sortable] tbody tr td:first-child")
    opened.get_by_role("button", name="max |d|").press("Enter")
    assert numbers.all_inner_texts()[-2:] == ["2", "5"]
    opened.get_by_role("button", name="SQNR, dB").press("Enter")
    assert numbers.all_inner_texts()[:2] == ["2", "5"]


def test_many_models_have_an_index(tmp_path: Path) -> None:
    models, pages = tmp_path / "models", tmp_path / "pages"
    models.mkdir()
    for source in (INT8, FLOAT):
        (models / source.name).write_bytes(source.read_bytes())
    (models / "broken &<b>.tflite").write_bytes(b"nonsense")
    results = tmp_path / "results"
    line = ("zoo", "verify", "--folder", models, "--report", pages, "--runs", "1", "--results", results)
    assert command(*line) == 1
    names = sorted(path.name for path in pages.iterdir())
    assert names == ["001-digits_float32.html", "002-digits_int8.html", "index.html"]
    text = (pages / "index.html").read_text("utf-8")
    assert "2 of 3 as expected" in text
    assert "broken &amp;&lt;b&gt;" in text
    assert all(f'href="{name}"' in text for name in names[:2])
    assert command(*line, "--resume") == 1
    assert (pages / "index.html").read_text("utf-8").count("href=") == 2
    (models / INT8.name).write_bytes(b"nonsense")  # whose page is of what it was
    assert command(*line) == 1
    assert (pages / "index.html").read_text("utf-8").count("href=") == 1
