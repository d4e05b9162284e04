"""The charts of a page: where marks are, by hand, what they lead to, and what they say."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from support.commands import FLOAT

import tosa_converter as tc
from tosa_converter.proof.judgement import Judgement
from tosa_converter.proof.operators import ABOVE, INSIDE, UNSEEN, OperatorReport
from tosa_converter.proof.page import charts
from tosa_converter.proof.page.sections import Row
from tosa_converter.proof.page.states import (
    CLOSE,
    DIFFERS,
    EQUAL,
    INHERITS,
    NOT_COMPARED,
    PART,
    relative,
    state_of,
    tooltip,
    worst_rows,
)

pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")


@pytest.fixture(scope="module")
def verification() -> tc.Verification:
    return tc.verify(FLOAT, layers=True)


def judgement(error: float, tolerance: float = 1e-5) -> Judgement:
    """Of an array whose largest element is 2, and whose largest difference is a part `error` of it."""
    return Judgement(8, int(error > 0), 2 * error, 2.0, 20.0, 1.0, 2 * tolerance, error <= tolerance)


def report(index: int, error: float, *, differs: bool = False, tensor: str = "t") -> OperatorReport:
    whole = judgement(error)
    verdict = not differs
    return OperatorReport(
        index, "tfl.add", f"main:{index}", tensor, "fp32[8]", {}, whole, whole if differs else None, verdict, ""
    )


def chart(*rows: OperatorReport) -> str:
    return charts.error_by_operator(rows, [f"r0-{row.index}" for row in rows])


def texts(svg: str) -> list[str]:
    return re.findall(r">([^<>]+)</text>", svg)


def points(svg: str) -> dict[str, tuple[str, float, float]]:
    """The state and the place of each mark, by the row that it leads to."""
    marks = re.findall(r'<a class="point (\w+)" href="#([^"]+)" transform="translate\(([\d.]+) ([\d.]+)\)"', svg)
    return {row: (state, float(x), float(y)) for state, row, x, y in marks}


def test_nothing_that_differs_is_no_chart() -> None:
    assert charts.error_by_operator([], []) == ""
    assert chart(report(0, 0.0), report(1, 0.0)) == ""
    assert chart(replace(report(0, 0.5), whole=None)) == ""


@pytest.mark.parametrize(
    ("errors", "top"),
    [((1e-3, 1e-4, 0.0), 1e-2), ((1e-8, 0.0), 3e-5), ((math.inf, 3.0), 1e10), ((2e9, 1e9), 1e10)],
)
def test_marks_are_on_a_logarithmic_scale(errors: tuple[float, ...], top: float) -> None:
    """By hand: from half a decade below 1e-9 to ten times the largest, above the tolerance; 16 to 260 pixels down."""
    rows = [report(i, error) for i, error in enumerate(errors)]
    marks = points(chart(*rows))
    assert len(marks) == sum(error > 0 for error in errors)
    lowest = 10**-9.5
    for row, error in zip(rows, errors, strict=True):
        if error:
            state, x, y = marks[f"r0-{row.index}"]
            share = np.log10(min(max(error, 1e-9), 1e9) / lowest) / np.log10(top / lowest)
            assert y == pytest.approx(260 - share * (260 - 16), abs=0.06)
            assert x == pytest.approx(64 + (860 - 14 - 64) * (row.index + 0.5) / len(errors), abs=0.06)
            assert state == ("inherits" if error > 1e-5 else "close")


def test_the_culprit_has_its_name_even_if_another_error_is_larger() -> None:
    rows = report(0, 0.0), report(1, 1e-3, differs=True), report(2, 0.5)
    svg = chart(*rows)
    assert "1 ADD" in texts(svg)
    assert "2 ADD" not in texts(svg)
    assert svg.count("culprit rule") == 1
    assert points(svg)["r0-1"][0] == "differs"
    assert "0 ADD" in texts(chart(report(0, 1e-7), report(1, 1e-8)))  # without a culprit, the largest
    assert "culprit rule" not in chart(report(0, 1e-7))


def test_a_line_is_at_the_tolerance_of_floats() -> None:
    svg = chart(report(0, 1e-7), report(1, 1e-3))
    assert "tolerance 1e-05" in texts(svg)
    (line,) = re.findall(r'class="tolerance rule" d="M\d+ ([\d.]+)H', svg)
    below, above = (points(svg)[row][2] for row in ("r0-0", "r0-1"))
    # -7, -5 and -3 are as far apart on a scale of decades.
    assert float(line) == pytest.approx((above + below) / 2, abs=0.1)
    exact = judgement(0.5, tolerance=0.0)
    assert "tolerance" not in chart(replace(report(0, 0.5), whole=exact))  # integers must be equal


def test_equal_results_are_dots_on_their_line() -> None:
    svg = chart(report(0, 0.0), report(1, 1e-3), report(2, 0.0))
    (path,) = re.findall(r'<path class="dots" d="([^"]+)"', svg)
    assert path.count("M") == 2
    assert "equal" in texts(svg)


@pytest.mark.parametrize(("last", "step"), [(3, 1), (11, 2), (30, 5), (100, 10), (712, 100), (9999, 1000)])
def test_about_ten_operators_are_numbered(last: int, step: int) -> None:
    rows = [report(i, 1e-7) for i in (0, last)]
    numbers = [text for text in texts(chart(*rows)) if text.isdigit()]
    assert numbers == [str(number) for number in range(0, last + 1, step)]


def test_states() -> None:
    base = report(0, 0.5)
    assert state_of(report(0, 0.5, differs=True)) is DIFFERS
    assert state_of(replace(base, rule=ABOVE)) is INHERITS
    assert state_of(replace(base, rule="within the source's own spread")) is CLOSE
    assert state_of(report(0, 1e-7)) is CLOSE
    assert state_of(report(0, 0.0)) is EQUAL
    assert state_of(replace(base, whole=None, verdict=None, rule=UNSEEN)) is NOT_COMPARED
    assert state_of(replace(base, whole=None, verdict=None, rule=INSIDE)) is PART


def test_an_operator_is_as_bad_as_its_worst_result() -> None:
    rows = [report(0, 0.0, tensor="a"), report(0, 0.5, tensor="b"), report(0, 1e-7, tensor="c"), report(1, 0.0)]
    assert {index: row.tensor for index, row in worst_rows(rows).items()} == {0: "b", 1: "t"}


def test_a_tooltip_says_by_how_much() -> None:
    assert tooltip(report(3, 0.0)) == "3 ADD t: equal"
    text = "3 ADD t: differs by itself; 1 of 8 elements, by 0.5, 0.25 of the largest element"
    assert tooltip(report(3, 0.25, differs=True)) == text


@pytest.mark.parametrize(
    ("mismatches", "max_abs", "reference_max", "expected"),
    [(0, 3.0, 2.0, 0.0), (1, 3.0, 2.0, 1.5), (1, 3.0, 0.0, 3.0)],
)
def test_a_difference_is_a_part_of_the_largest_element(
    mismatches: int, max_abs: float, reference_max: float, expected: float
) -> None:
    """Of nothing but zeros it is the difference itself."""
    changed = replace(judgement(0.5), mismatches=mismatches, max_abs=max_abs, reference_max=reference_max)
    assert relative(changed) == expected
    assert relative(None) == 0


@pytest.mark.parametrize("at", [(-3.0,), (-3.0, -2.75, -1.5), (-9.25, 2.0)])
def test_bars_of_a_histogram_are_a_quarter_of_a_decade_wide(
    at: tuple[float, ...], verification: tc.Verification
) -> None:
    """By hand: the axis is from a quarter of a decade below the lowest bar to half a decade above the largest."""
    (output, *_) = verification.comparisons[0].outputs
    histogram = tuple((x, i + 1) for i, x in enumerate(at))
    svg = charts.histogram(replace(output, histogram=histogram))
    bars = [
        tuple(map(float, bar))
        for bar in re.findall(r'class="bar" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', svg)
    ]
    decade = (420 - 14 - 64) / (at[-1] - at[0] + 0.75)
    assert [x for x, *_ in bars] == pytest.approx([64 + (x - at[0] + 0.25) * decade for x in at], abs=0.06)
    assert [width for *_, width, _ in bars] == pytest.approx([0.25 * decade] * len(at), abs=0.11)
    heights = [height for *_, height in bars]
    assert heights == pytest.approx([(210 - 40 - 16) * (i + 1) / len(at) for i in range(len(at))], abs=0.06)
    assert svg.count("elements differ by") == len(at)
    assert charts.histogram(replace(output, histogram=())) == ""


def test_times_are_in_milliseconds() -> None:
    svg = charts.times({"ADD": 0.25, "MUL": 0.5}, {"ADD": 0.0625})
    assert texts(svg) == ["ADD", "250 ms", "62.5 ms", "MUL", "500 ms", "0 ms"]
    widths = [float(width) for width in re.findall(r'<rect class="(?:before|after)"[^>]* width="([\d.]+)"', svg)]
    assert [width / widths[2] for width in widths] == pytest.approx([0.5, 0.125, 1, 0], abs=1e-3)
    assert charts.times({"ADD": 0.0}, {"ADD": 0.0}) == ""
    assert charts.times({}, {}) == ""


# ** the place of every text and line, by hand **


def placed(svg: str) -> dict[str, tuple[object, ...]]:
    """The anchor and the place of each text."""
    pattern = r'<text class="\w+" text-anchor="(\w+)" x="([-\d.]+)" y="([-\d.]+)">([^<]*)</text>'
    return {text: (anchor, float(x), float(y)) for anchor, x, y, text in re.findall(pattern, svg)}


@pytest.mark.parametrize(
    ("low", "high", "powers"),
    [
        (-9.5, -4.0, [-4, -5, -6, -7, -8]),  # -9 is the floor, which has a line of its own
        (-9.5, -0.5, [-1, -2, -3, -4, -5, -6, -7, -8]),
        (-9.5, 0.0, [0, -1, -2, -3, -4, -5, -6, -7, -8]),
        (-9.5, 0.5, [0, -1, -2, -3, -4, -5, -6, -7, -8]),
        (-9.5, 1.0, [1, -1, -3, -5, -7]),
        (-9.5, 9.0, [9, 7, 5, 3, 1, -1, -3, -5, -7]),
        (-9.5, 9.5, [9, 7, 5, 3, 1, -1, -3, -5, -7]),
        (-9.5, 10.0, [10, 7, 4, 1, -2, -5, -8]),
        (-9.0, -9.0, []),
    ],
)
def test_up_to_nine_powers_of_ten_have_a_line(low: float, high: float, powers: list[int]) -> None:
    elements = "".join(charts._decades(low, high, charts._Scale(0, 1, 100, 110), 500))
    assert placed(elements) == {f"1e{n}": ("end", 58.0, 104.0 + 10 * n) for n in powers}
    assert re.findall(r'd="M64 ([-\d.]+)H486"', elements) == [f"{100 + 10 * n:.1f}" for n in powers]


@pytest.mark.parametrize(("x", "right"), [(0, True), (429.9, True), (430, False), (859, False), (861, False)])
def test_a_label_is_where_there_is_more_room(x: float, right: bool) -> None:
    line = charts._label("3 A\n", x, 50, 860)
    assert 'class="label"' in line
    (text,) = re.findall(r">([^<]*)<", line)
    assert text == "3 A\\n"
    assert placed(line) == {text: ("start" if right else "end", round(x + (10 if right else -10), 1), 42.0)}


def test_every_text_of_the_chart_of_errors_has_its_place() -> None:
    """Three operators from 64 to 846 pixels: one takes 260 2/3. The scale is from -9.5 to -2 on 260 to 16 pixels."""
    rows = report(0, 0.0), report(1, 1e-3, differs=True), report(2, 1e-7)

    def y(power: float) -> float:
        return 260 - (power + 9.5) / 7.5 * 244

    svg = chart(*rows)
    decades = {f"1e{n}": ("end", 58, y(n) + 4) for n in range(-8, -1)}
    numbers = {str(i): ("middle", 64 + 782 / 3 * (i + 0.5), 278) for i in range(3)}
    label = {"1 ADD": ("end", 455 - 10, 20 - 8)}
    axis = {"operator of the source": ("middle", 455, 296)}
    texts = placed(svg)
    assert set(texts) == {*decades, *numbers, *label, *axis}
    for text, (anchor, left, top) in (decades | numbers | label | axis).items():
        assert texts[text] == (anchor, pytest.approx(left, abs=0.06), pytest.approx(top, abs=0.06)), text
    rules = re.findall(r'<path class="(\w+) rule" d="([^"]+)"', svg)
    assert rules == [
        ("axis", f"M64 {y(-9):.1f}H846"), ("tolerance", f"M64 {y(-5):.1f}H846"), ("culprit", "M455.0 4V260"),
    ]  # fmt: skip
    lines = re.findall(r'<text class="(\w+)" x="([\d.]+)" y="([\d.]+)">([^<]*)<', svg)
    assert lines == [
        ("axis", "68", f"{y(-9) - 4:.1f}", "equal"), ("tolerance", "68", f"{y(-5) - 4:.1f}", "tolerance 1e-05"),
    ]  # fmt: skip
    assert re.findall(r'class="dots" d="([^"]+)"', svg) == [f"M{64 + 782 / 6:.1f} {y(-9):.1f}h.01"]
    assert 'transform="translate(12 150) rotate(-90)">max |d| / max |ref|</text>' in svg


def test_every_text_of_a_histogram_has_its_place(verification: tc.Verification) -> None:
    """Powers from -3.25 to -1 are on 64 to 406 pixels, counts from 0 to 1,200 on 170 to 16."""
    (output, *_) = verification.comparisons[0].outputs
    svg = charts.histogram(replace(output, histogram=((-3.0, 1200), (-1.5, 3)), elements=5000))
    decade = 342 / 2.25
    expected = {
        "0": ("end", 58, 174),
        "1,200": ("end", 58, 20),
        "1e-3": ("middle", 64 + decade / 4, 188),
        "1e-2": ("middle", 64 + decade * 1.25, 188),
        "|d|, of 5,000 elements": ("middle", 235, 206),
    }
    assert placed(svg) == {text: (a, pytest.approx(x, abs=0.06), y) for text, (a, x, y) in expected.items()}
    assert re.findall(r"<title>([^<]+)</title>", svg)[-2:] == [
        "1200 of 5000 elements differ by 0.001 to 0.0018",
        "3 of 5000 elements differ by 0.032 to 0.056",
    ]
    assert '<path class="axis rule" d="M64 170.0H406"/>' in svg


@pytest.mark.parametrize(("first", "last", "step"), [(-6.0, -1.25, 1), (-6.0, -1.0, 1), (-6.0, 0.0, 2), (-9.0, 2.0, 3)])
def test_up_to_six_powers_are_below_a_histogram(
    first: float, last: float, step: int, verification: tc.Verification
) -> None:
    (output, *_) = verification.comparisons[0].outputs
    svg = charts.histogram(replace(output, histogram=((first, 1), (last, 1))))
    powers = [text for text in texts(svg) if text.startswith("1e")]
    assert powers == [f"1e{n}" for n in range(math.ceil(first), math.floor(last + 0.25) + 1, step)]


def test_every_bar_of_the_times_has_its_place() -> None:
    """The longest takes 860 - 190 - 90 pixels; rows of 34 pixels have two bars of 12."""
    svg = charts.times({"ADD": 0.25, "MUL": 0.5}, {"ADD": 0.0625})
    bars = re.findall(r'<rect class="(\w+)" x="(\d+)" y="(\d+)" width="([\d.]+)" height="(\d+)"/>', svg)
    assert bars == [
        ("before", "190", "3", "290.0", "12"),
        ("after", "190", "16", "72.5", "12"),
        ("before", "190", "37", "580.0", "12"),
        ("after", "190", "50", "0.0", "12"),
    ]
    assert placed(svg) == {
        "ADD": ("end", 182.0, 20.0),
        "250 ms": ("start", 485.0, 13.0),
        "62.5 ms": ("start", 267.5, 26.0),
        "MUL": ("end", 182.0, 54.0),
        "500 ms": ("start", 775.0, 47.0),
        "0 ms": ("start", 195.0, 60.0),
    }


@pytest.mark.parametrize("length", [1, 159, 160, 161, 1000])
def test_names_in_a_table_have_up_to_160_characters(length: int) -> None:
    name = "n" * length
    text = name if length <= 160 else f"{'n' * 160}... ({length} characters)"
    row = Row(replace(report(0, 0.0), tensor=name, location=name, inside=name), "r", "", None, EQUAL, None, False)
    assert (row.tensor, row.place, row.inside) == (text, text, text)
    for location, place in ((f"m:0 ADD {name!r}", "m:0"), ("m:0 ADD", "m:0"), ("m:0", "m:0")):
        assert Row(replace(row.report, location=location), "r", "", None, EQUAL, None, False).place == place
