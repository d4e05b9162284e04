"""Comparisons of conversions with a known error: every figure and verdict by its definition in numpy.

The source is NEG, then ABS; the conversion adds an error to some elements behind NEG.
"""

import math
from typing import Any

import numpy as np
import pytest
from support.planted import SHAPE, model, planted

import tosa_converter as tc
from tosa_converter.ir import Array

INPUTS = {
    "zeros": [0, 0, 0, 0, 0, 0],
    "one": [0, 0, 0, 0, 0, 1],
    "mixed": [1, -2, 4, 0.5, -0.25, 8],
    "negative": [-1, -2, -4, -1, -2, -4],
    "large": [1e30, -2e30, 1, 0, 4e30, -1e30],
    "tiny": [1e-30, -2e-30, 0, 4e-30, 1e-30, 0],
    "infinite": [np.inf, 1, -np.inf, 2, 3, 4],
    "no number": [np.nan, 1, 2, -3, 4, 5],
}
ERRORS = {
    "none": (0.0, ()),
    "first within": (0.5e-5, (0,)),
    "last within": (-0.5e-5, (5,)),
    "first beyond": (4e-5, (0,)),
    "last beyond": (-4e-5, (5,)),
    "all beyond": (1e-2, tuple(range(6))),
    "far": (3.0, (1, 4)),
}


def difference(reference: Array, result: Array) -> Array:
    with np.errstate(invalid="ignore"):
        d = np.abs(reference.astype(np.float64) - result)
    same = (reference == result) | (np.isnan(reference) & np.isnan(result))
    return np.where(same, 0.0, np.where(np.isnan(d), np.inf, d))


def expected(reference: Array, result: Array) -> dict[str, Any]:
    """The figures of one result."""
    d = difference(reference, result)
    finite = reference[np.isfinite(reference)].astype(np.float64)
    scale = float(np.abs(finite).max(initial=0.0))
    noise, signal = float(np.sum(d**2)), float(np.sum(finite**2))
    return {
        "elements": 6,
        "mismatches": int(np.count_nonzero(d)),
        "max_abs": float(d.max()),
        "reference_max": scale,
        "tolerance": pytest.approx(1e-5 * scale),
        "verdict": bool(d.max() <= 1e-5 * scale),
        "sqnr_db": math.inf
        if noise == 0
        else pytest.approx(10 * math.log10(signal / noise))
        if signal and math.isfinite(noise)
        else -math.inf,
    }


@pytest.mark.parametrize("layers", [False, True])
@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("name", INPUTS)
def test_figures_are_those_of_their_definition(name: str, error: str, layers: bool) -> None:
    x = np.array(INPUTS[name], np.float32).reshape(SHAPE)
    size, places = ERRORS[error]
    finite = np.abs(x[np.isfinite(x)])
    delta = np.zeros(6, np.float32)
    delta[list(places)] = size * float(finite.max(initial=0.0) or 1.0)
    delta = delta.reshape(SHAPE)
    with np.errstate(invalid="ignore"):
        z, wrong = -x, np.float32(-1) * x + delta
        y, wrong_y = np.abs(z), np.abs(wrong)
    verification = tc.verify(model(), inputs=[{"x": x}], rules=planted(delta), layers=layers)
    ((comparison,),) = ([c for c in verification.figures()["comparisons"] if c["engine"] == "executor"],)
    (output,) = comparison["outputs"]
    figures = expected(y, wrong_y)
    assert {key: output[key] for key in figures} == figures
    assert comparison["verdict"] == figures["verdict"]
    if layers:
        check_operators(verification.figures()["operators"], {0: (z, wrong), 1: (y, wrong_y)}, {0: expected(z, wrong)})
    elif figures["verdict"]:
        assert verification.verdict


def check_operators(graphs: list[dict[str, Any]], whole: dict[int, tuple[Array, Array]], alone: dict[int, Any]) -> None:
    """The first operator is judged by itself, and the second one on the source's own values is right."""
    (graph,) = graphs
    rows = {row["index"]: row for row in graph["operators"]}
    assert rows.keys() == whole.keys()
    for index, pair in whole.items():
        figures = expected(*pair)
        assert {key: rows[index]["whole"][key] for key in figures} == figures
        element = rows[index]["whole"]["first"]
        d = difference(*pair)
        bound = 1e-5 * figures["reference_max"]
        beyond = d > (bound if d.max() > bound else 0)
        assert element == (tuple(np.argwhere(beyond)[0].tolist()) if figures["mismatches"] else None)
        if element is not None:
            np.testing.assert_equal(
                [rows[index]["whole"][key] for key in ("expected", "found")], [x[element] for x in pair]
            )
    guilty = not alone[0]["verdict"]
    assert (rows[0]["verdict"] is False) == guilty
    assert rows[1]["verdict"] is not False
    assert graph["guilty"] == (0 if guilty else None)
    assert graph["parted"] == next((i for i, pair in whole.items() if not expected(*pair)["verdict"]), None)
    assert graph["verdict"] != guilty
