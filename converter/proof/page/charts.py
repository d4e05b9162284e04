"""The charts of a page as SVG, which the page's stylesheet colours and whose marks lead to rows of its tables."""

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from tosa_converter.errors import printable
from tosa_converter.proof.compare import OutputReport
from tosa_converter.proof.operators import OperatorReport
from tosa_converter.proof.page.states import (
    CLOSE,
    DIFFERS,
    EQUAL,
    INHERITS,
    judgement_of,
    kind_of,
    relative,
    state_of,
    tooltip,
)

FLOOR, CEILING = 1e-9, 1e9  # of relative differences: what is equal is drawn at the floor
_LEFT, _RIGHT, _TOP, _BOTTOM = 64.0, 14.0, 16.0, 40.0  # around the area of a chart, for its axes


class _Scale:
    """A linear map from numbers to pixels."""

    def __init__(self, low: float, high: float, begin: float, end: float) -> None:
        """Creates the map of a chart's axis, which takes `low` to the pixel `begin` and `high` to `end`, linearly.

        A range of width 0 counts as 1.
        """
        self._low, self._begin = low, begin
        self._factor = (end - begin) / ((high - low) or 1.0)

    def __call__(self, number: float) -> float:
        """Returns the pixel to which the axis's scale maps a number."""
        return self._begin + (number - self._low) * self._factor


def error_by_operator(rows: Sequence[OperatorReport], ids: Sequence[str]) -> str:
    """Returns an SVG chart of each result's largest relative difference, on a logarithmic axis, or "" if none differs.

    Each point of a differing result links to the HTML id of its row, from `ids`. The first operator that differs by
    itself is labelled, else the one with the largest difference. A line marks the most frequent tolerance.
    """
    compared = [
        (row, id, relative(judgement_of(row)))
        for row, id in zip(rows, ids, strict=True)
        if judgement_of(row) is not None
    ]
    if not any(error for *_, error in compared):
        return ""
    width, height = 860.0, 300.0
    # The axis begins below FLOOR, where equal results are drawn, and ends a decade above the largest difference, but
    # beyond the tolerance and 1e-5.
    low = math.log10(FLOOR) - 0.5
    tolerance = _frequent_tolerance(compared)
    high = math.log10(min(max(max(error for *_, error in compared) * 10, tolerance * 3, 1e-5), CEILING * 10))
    x = _Scale(-0.5, rows[-1].index + 0.5, _LEFT, width - _RIGHT)
    y = _Scale(low, high, height - _BOTTOM, _TOP)

    def place(row: OperatorReport, error: float) -> tuple[float, float]:
        """Returns the pixels at which the chart marks an operator's result with this error, clamped to the axis."""
        return x(row.index), y(math.log10(min(max(error, FLOOR), CEILING)))

    elements = [*_decades(low, high, y, width), *_numbers(rows[-1].index, x, height)]
    elements += _rule(y(math.log10(FLOOR)), width, "equal", "axis")
    if FLOOR < tolerance < CEILING:
        elements += _rule(y(math.log10(tolerance)), width, f"tolerance {tolerance:.3g}", "tolerance")
    equal = [place(row, 0.0) for row, _, error in compared if not error]
    if equal:
        elements.append(f'<path class="dots" d="{"".join(f"M{a:.1f} {b:.1f}h.01" for a, b in equal)}"/>')
    culprit = next((point for point in compared if point[0].verdict is False), None)
    named, _, error = culprit or max(compared, key=lambda point: point[2])
    if culprit is not None:
        elements.append(f'<path class="culprit rule" d="M{x(named.index):.1f} 4V{height - _BOTTOM:.0f}"/>')
    # What is drawn last is on top: the worst state.
    points = sorted((point for point in compared if point[2]), key=lambda point: state_of(point[0]).badness)
    elements += [_point(row, id, *place(row, error)) for row, id, error in points]
    # The culprit's name is at the upper end of its vertical line, any other name beside its point.
    top = 20.0 if culprit is not None else place(named, error)[1]
    elements.append(_label(f"{named.index} {kind_of(named.type)}", x(named.index), top, width))
    elements.append(_text("operator of the source", (_LEFT + width - _RIGHT) / 2, height - 4, "middle"))
    elements.append(
        f'<text class="axis" transform="translate(12 {height / 2:.0f}) rotate(-90)">max |d| / max |ref|</text>'
    )
    title = "Largest difference of each operator as a part of its largest element"
    return _svg(width, height, title, elements)


def _decades(low: float, high: float, y: _Scale, width: float) -> Iterator[str]:
    """Yields the grid lines of a logarithmic scale with their powers of ten, ten at most."""
    first, last = math.ceil(low), math.floor(high)
    step = max(1, math.ceil((last - first) / 9))
    for power in range(last, first, -step):
        yield f'<path class="grid" d="M{_LEFT:.0f} {y(power):.1f}H{width - _RIGHT:.0f}"/>'
        yield _text(f"1e{power}", _LEFT - 6, y(power) + 4, "end")


def _numbers(last: int, x: _Scale, height: float) -> Iterator[str]:
    """Yields the numbers of operators below the axis: about ten, at multiples of 1, 2 or 5 times a power of ten."""
    raw = max(last / 10, 1.0)
    power = 10.0 ** math.floor(math.log10(raw))
    # 712 operators: 71.2 is 7.12 * 10, so the step is 10 * 10 = 100; 30 operators: 3.0 gives 5.
    step = int(next(factor for factor in (1, 2, 5, 10) if factor * power >= raw) * power)
    for number in range(0, last + 1, step):
        yield _text(str(number), x(number), height - _BOTTOM + 18, "middle")


def _rule(y: float, width: float, text: str, kind: str) -> list[str]:
    """Returns a horizontal line with its text at the left, above it."""
    line = f'<path class="{kind} rule" d="M{_LEFT:.0f} {y:.1f}H{width - _RIGHT:.0f}"/>'
    return [line, f'<text class="{kind}" x="{_LEFT + 4:.0f}" y="{y - 4:.1f}">{escape(text)}</text>']


def _frequent_tolerance(compared: Sequence[tuple[OperatorReport, str, float]]) -> float:
    """Returns the most frequent tolerance of results, as a part of the reference's largest element; 0 if there is none.

    `compared` has the results of operators, each with its id and its error. Tolerances that agree in three digits count
    as equal.
    """
    judgements = [judgement_of(row) for row, *_ in compared]
    shares = [f"{j.tolerance / j.reference_max:.3g}" for j in judgements if j and j.tolerance and j.reference_max]
    return float(max(dict.fromkeys(shares), key=shares.count, default="0"))


_SHAPES = {  # a sign of its own for each state, since colours alone say nothing to some readers
    DIFFERS: "M-6 -6L6 6M-6 6L6 -6",
    INHERITS: "M-5 -4H5L0 5Z",
    CLOSE: "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0",
    EQUAL: "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0",
}


def _point(row: OperatorReport, id: str, x: float, y: float) -> str:
    """Returns the mark of a result: a link to its row, with a tooltip; its shape and class are those of its state."""
    state = state_of(row)
    shape = f'<path d="{_SHAPES.get(state, _SHAPES[CLOSE])}"/>'
    title = f"<title>{escape(printable(tooltip(row)))}</title>"
    return f'<a class="point {state.word}" href="#{id}" transform="translate({x:.1f} {y:.1f})">{title}{shape}</a>'


def _label(text: str, x: float, y: float, width: float) -> str:
    """Returns the name of a point beside it, on the side where there is more room."""
    right = x < width / 2
    text = printable(text)
    return _text(text, x + (10 if right else -10), y - 8, "start" if right else "end", "label")


def histogram(output: OutputReport) -> str:
    """Returns a histogram of the differences of an output's elements, or "" if none differs.

    A bar is for a quarter of a power of ten, from 10**x to 10**(x + 0.25).
    """
    if not output.histogram:
        return ""
    width, height = 420.0, 210.0
    powers = [power for power, _ in output.histogram]
    most = max(count for _, count in output.histogram)
    # Bars are 0.25 wide; as much is free at both ends of the axis.
    x = _Scale(powers[0] - 0.25, powers[-1] + 0.5, _LEFT, width - _RIGHT)
    y = _Scale(0, most, height - _BOTTOM, _TOP)
    elements = [f'<path class="axis rule" d="M{_LEFT:.0f} {y(0):.1f}H{width - _RIGHT:.0f}"/>']
    elements += [_text(f"{number:,}", _LEFT - 6, y(number) + 4, "end") for number in (0, most)]
    for power, count in output.histogram:
        words = f"{count} of {output.elements} elements differ by {10**power:.2g} to {10 ** (power + 0.25):.2g}"
        left, right = x(power), x(power + 0.25)
        elements.append(
            f'<rect class="bar" x="{left:.1f}" y="{y(count):.1f}" width="{right - left:.1f}" '
            f'height="{y(0) - y(count):.1f}"><title>{words}</title></rect>'
        )
    first, last = math.ceil(powers[0]), math.floor(powers[-1] + 0.25)
    step = max(1, math.ceil((last - first) / 5))
    elements += [_text(f"1e{at}", x(at), height - _BOTTOM + 18, "middle") for at in range(first, last + 1, step)]
    elements.append(_text(f"|d|, of {output.elements:,} elements", (_LEFT + width - _RIGHT) / 2, height - 4, "middle"))
    return _svg(width, height, f"Histogram of the differences of {output.name}", elements)


def times(source: Mapping[str, float], tosa: Mapping[str, float]) -> str:
    """Returns a bar chart of the milliseconds by kind of the source's operators, or "" if none were measured.

    Below the bar of a kind is the one of what its operators became.
    """
    if not any((*source.values(), *tosa.values())):
        return ""
    names = list(dict.fromkeys((*source, *tosa)))
    row, name_width, width = 34.0, 190.0, 860.0
    # The longest bar takes what its number, about 80 pixels, leaves of the right part.
    length = _Scale(0, max((*source.values(), *tosa.values())), 0, width - name_width - 90)
    elements = []
    for i, name in enumerate(names):
        elements.append(_text(printable(name), name_width - 8, i * row + 20, "end"))
        for side, kind, top in ((source, "before", 3.0), (tosa, "after", 16.0)):
            seconds = side.get(name, 0.0)
            bar = f'<rect class="{kind}" x="{name_width:.0f}" y="{i * row + top:.0f}" width="{length(seconds):.1f}" '
            elements.append(f'{bar}height="12"/>')
            at = name_width + length(seconds) + 5
            elements.append(_text(f"{seconds * 1e3:.3g} ms", at, i * row + top + 10, "start"))
    title = "Times of the source's operators by kind, above, and of what they became, below"
    return _svg(width, len(names) * row, title, elements)


def _text(text: str, x: float, y: float, anchor: str, kind: str = "axis") -> str:
    """Returns a line of text; `anchor` says which end of it is at (x, y)."""
    return f'<text class="{kind}" text-anchor="{anchor}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _svg(width: float, height: float, title: str, elements: Sequence[str]) -> str:
    """Returns an inline SVG element with a name for screen readers."""
    name = escape(printable(title), quote=True)
    begin = f'<svg role="group" aria-label="{name}" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}"'
    return "\n".join([f'{begin} height="{height:.0f}">', *elements, "</svg>"])
