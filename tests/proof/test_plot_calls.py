"""Everything that a page has matplotlib draw: each call with all of its arguments, in a file that a person reads.

`GOLDEN=write python -m pytest tests/proof/test_plot_calls.py` writes it anew.
"""

import functools
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.planted import SHAPE, model, planted

import tosa_converter as tc

FILE = Path(__file__).with_name("plot_calls.txt")
DRAWN = ("scatter", "annotate", "set", "set_ylim", "set_xlim", "axhline", "text", "bar", "barh", "axis")


def plain(value: Any) -> Any:
    """Numbers to four digits, arrays and tuples as lists; what is only an object by its type."""
    if isinstance(value, bool | str | None.__class__):
        return value
    if isinstance(value, int | float | np.generic):
        return f"{value:.4g}"
    if isinstance(value, np.ndarray | list | tuple):
        return [plain(item) for item in value]
    return type(value).__name__


def test_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    axes = pytest.importorskip("matplotlib.axes", reason="matplotlib is not installed").Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import LogLocator

    calls: list[str] = []
    depth = [0]

    def recorded(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(method)
        def call(self: Any, *args: Any, **options: Any) -> Any:
            if not depth[0]:
                calls.append(f"{name} {plain(args)} { {key: plain(value) for key, value in options.items()} }")
            depth[0] += 1
            try:
                return method(self, *args, **options)
            finally:
                depth[0] -= 1

        return call

    for name in DRAWN:
        monkeypatch.setattr(axes, name, recorded(name, getattr(axes, name)))
    for drawn in (Figure, LogLocator):
        monkeypatch.setattr(drawn, "__init__", recorded(drawn.__name__, drawn.__init__))
    x = np.array([1, -2, 4, 0.5, -0.25, 8], np.float32).reshape(SHAPE)
    error = np.array([0, 0.5, 0, 0, 0.25, 2], np.float32).reshape(SHAPE)
    for size in (0, 1):
        calls.append(f"# errors times {size}")
        verification = tc.verify(model(), inputs=[{"x": x}], rules=planted(error * np.float32(size)), layers=True)
        tc.write_report(verification, tmp_path / "page.html")
    figures = ("\n".join(calls) + "\n").split("\nFigure")
    text = "\nFigure".join(map(without_times, figures))
    if os.environ.get("GOLDEN") == "write":
        FILE.write_text(text)
    assert text == FILE.read_text()


def without_times(figure: str) -> str:
    """Times differ from run to run, and so do the bars for them."""
    if " ms" not in figure:
        return figure
    bars = re.sub(r"'-?\d[\d.e-]*(?=')(?='[^{]*\{'color)", "'N", figure)
    return re.sub(r"(text \[|set_xlim \[)[^{]*", r"\1N] ", bars)
