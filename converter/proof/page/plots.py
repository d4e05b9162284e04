"""The plots of a page, as SVG that takes the page's colours."""

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from tosa_converter.errors import MissingExtra, printable
from tosa_converter.proof.compare import OutputReport
from tosa_converter.proof.operators import OperatorReport
from tosa_converter.proof.page.facts import judged, relative
from tosa_converter.schemas.opsets import base_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Colours that a stylesheet replaces: `currentColor` and variables are none that the library knows.
INK, GOOD, BAD = "#010203", "#040506", "#070809"
_NAMED = {INK: "currentColor", GOOD: "var(--good)", BAD: "var(--bad)"}
_FLOOR = 1e-9  # of relative differences: what is equal is drawn here


@contextmanager
def _open_figure(width: float, height: float) -> Iterator[tuple["Axes", io.StringIO]]:
    """Yields the axes of a figure of this size in inches, and a stream that gets its SVG at the end of the block."""
    try:
        from matplotlib import rc_context
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("a report's plots", "report") from None
    settings: Any = {"svg.fonttype": "none", "svg.hashsalt": "page", "font.family": "sans-serif"}
    settings |= dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), INK)
    settings |= {"axes.spines.top": False, "axes.spines.right": False, "font.size": 10, "text.parse_math": False}
    with rc_context(settings):
        figure = Figure(figsize=(width, height), layout="constrained", facecolor="none")
        stream = io.StringIO()
        yield figure.add_subplot(facecolor="none"), stream
        canvas: Any = FigureCanvasSVG(figure)
        canvas.print_svg(stream, metadata={"Date": None})


def _inline_svg(text: str, title: str) -> str:
    """Returns SVG as an inline element that takes the page's colours and has a name for screen readers."""
    from html import escape

    text = text[text.index("<svg") :]
    for colour, name in _NAMED.items():
        text = text.replace(colour, name)
    return text.replace("<svg", f'<svg role="img" aria-label="{escape(printable(title), quote=True)}"', 1)


def error_by_operator(rows: Sequence[OperatorReport]) -> str:
    """Returns an SVG plot of each result's largest relative difference; marks the worst, and operators that differ."""
    points = [(row, judged(row)) for row in rows]
    compared = [(row, relative(one)) for row, one in points if one is not None]
    if not compared:
        return ""
    title = "Largest difference of each operator as a part of its largest element"
    with _open_figure(9, 3.2) as (axes, stream):
        at = np.array([row.index for row, _ in compared])
        errors = np.array([min(max(error, _FLOOR), 1e9) for _, error in compared])
        axes.scatter(at, errors, s=14, color=GOOD, linewidths=0)
        guilty = np.array([row.verdict is False for row, _ in compared])
        axes.scatter(at[guilty], errors[guilty], s=40, color=BAD, marker="X", linewidths=0)
        worst = int(np.argmax(errors))
        if errors[worst] > _FLOOR:
            label = f"{compared[worst][0].index} {base_name(compared[worst][0].type)}"
            axes.annotate(label, (at[worst], errors[worst]), xytext=(6, 6), textcoords="offset points", color=INK)
        axes.set(yscale="log", xlabel="operator of the source", ylabel="max |d| / max |ref|")
        axes.yaxis.set_major_formatter("{x:.0e}")
        axes.set_ylim(_FLOOR / 3, max(float(errors.max()) * 10, 1e-5))
        axes.axhline(_FLOOR, color=INK, linewidth=0.5, linestyle=":")
        axes.text(0, _FLOOR * 1.2, "equal", color=INK, fontsize=8, transform=axes.get_yaxis_transform())
    return _inline_svg(stream.getvalue(), title)


def histogram(output: OutputReport) -> str:
    """Returns an SVG histogram of the differences of an output's elements, or "" if none differs."""
    if not output.histogram:
        return ""
    from matplotlib.ticker import LogLocator

    at, found = zip(*output.histogram, strict=True)
    # A bar covers a quarter of a power of ten: it begins at 10**x and is 10**x * (10**0.25 - 1) = 0.78 * 10**x wide.
    low = 10.0 ** np.array(at)
    with _open_figure(4.4, 2.4) as (axes, stream):
        axes.bar(low, found, width=low * (10**0.25 - 1), align="edge", color=GOOD)
        axes.set(xscale="log", xlabel=f"|d|, of {output.elements} elements", ylabel="elements")
        axes.set_xlim(low[0] / 2, low[-1] * 4)
        axes.xaxis.set_major_locator(LogLocator(numticks=5))
        axes.xaxis.set_major_formatter("{x:.0e}")
        axes.xaxis.set_minor_formatter("")
    return _inline_svg(stream.getvalue(), f"Histogram of the differences of {output.name}")


def counts(source: Mapping[str, int], tosa: Mapping[str, int]) -> str:
    """Returns an SVG bar chart of how many operators of each kind the source and the conversion have."""
    return _draw_side_by_side(source, tosa, "{}", "Operators of the source, left, and of the conversion, right")


def times(source: Mapping[str, float], tosa: Mapping[str, float]) -> str:
    """Returns an SVG bar chart of the milliseconds by kind of operator on both sides, or "" if none were measured."""
    if not any((*source.values(), *tosa.values())):
        return ""
    left, right = ({name: seconds * 1e3 for name, seconds in side.items()} for side in (source, tosa))
    title = "Times of the source's operators by kind, left, and of what they became, right"
    return _draw_side_by_side(left, right, "{:.3g} ms", title)


def _draw_side_by_side(left: Mapping[str, float], right: Mapping[str, float], form: str, title: str) -> str:
    """Returns an SVG chart with two sets of named numbers as bars to the left and to the right."""
    with _open_figure(9, 0.6 + 0.2 * max(len(left), len(right), 3)) as (axes, stream):
        rows = [(name, -count) for name, count in left.items()]
        rows += [(name, count) for name, count in right.items()]
        place = [*range(len(left)), *range(len(right))]
        axes.barh([-y for y in place], [count for _, count in rows], color=GOOD, height=0.7)
        for i, (y, (name, count)) in enumerate(zip(place, rows, strict=True)):
            number = form.format(abs(count))
            text, side = (f"{name}  {number} ", "right") if i < len(left) else (f" {number}  {name}", "left")
            axes.text(count, -y, text, ha=side, va="center", fontsize=8)
        # Names stand outside the bars: of each half, 2.1 times the longest bar, the bar takes 1 and its name 1.1.
        most = max((abs(count) for _, count in rows), default=1)
        axes.set_xlim(-2.1 * most, 2.1 * most)
        axes.axis("off")
    return _inline_svg(stream.getvalue(), title)
