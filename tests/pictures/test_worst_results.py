"""An operator with several results shows the number of its worst one, in every column."""

import pytest

from tosa_converter.dtypes import DType
from tosa_converter.ir import Graph, Model, Op, TensorType, Value
from tosa_converter.pictures.overlay import overlays


def _numbers(name: str, figures: dict[str, object]) -> dict[str, list[float]]:
    """Returns the columns of a model of one operator with three results, by their names."""
    x = Value(TensorType(DType.FP32, (2,)), "x")
    op = Op(name, [x], [x.type] * 3, location="main:0")
    model = Model({"main": Graph("main", [x], list(op.results), [op])}, opset=name.partition(".")[0])
    return {measure.name: list(results.values()) for measure, (results,) in overlays(figures, model)}


ORIGIN = "2 differs by itself, 1 inherits a difference, 0 neither"
WHOLE, ALONE = {"mismatches": 5, "verdict": False}, {"mismatches": 3}


@pytest.mark.parametrize(
    ("verdict", "whole", "alone", "shown"),
    [
        (False, WHOLE, ALONE, {"mismatching elements": [3], ORIGIN: [2]}),
        (False, WHOLE, None, {"mismatching elements": [5], ORIGIN: [2]}),
        (True, WHOLE, ALONE, {"mismatching elements": [5], ORIGIN: [1]}),
        (None, WHOLE, ALONE, {"mismatching elements": [5], ORIGIN: [1]}),
        (True, WHOLE, None, {"mismatching elements": [5], ORIGIN: [1]}),
        (True, WHOLE | {"verdict": True}, ALONE, {"mismatching elements": [5], ORIGIN: [0]}),
        (False, None, ALONE, {"mismatching elements": [3]}),
        (True, None, ALONE, {}),
        (None, None, None, {}),
    ],
)
def test_an_operator_that_differs_by_itself_shows_the_numbers_of_its_own_run(
    verdict: bool | None, whole: object, alone: object, shown: dict[str, list[float]]
) -> None:
    row = {"type": "tfl.split", "location": "main:0", "whole": whole, "alone": alone, "verdict": verdict}
    assert _numbers("tfl.split", {"operators": [{"operators": [row]}]}) == shown


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_the_worst_result_is_shown(order: tuple[int, ...]) -> None:
    differences = [{"mismatches": 0, "sqnr_db": 90.0, "max_abs": 0.0}, {"mismatches": 4, "sqnr_db": 12.5, "max_abs": 1}]
    differences += [{"mismatches": 2, "sqnr_db": 40.0, "max_abs": 0.25}]
    rows = [
        {"type": "tfl.split", "location": "main:0", "whole": differences[i], "alone": None, "verdict": True}
        for i in order
    ]
    assert _numbers("tfl.split", {"operators": [{"operators": rows}]}) == {
        "mismatching elements": [4],
        "SQNR in dB": [12.5],
        "largest difference": [1],
    }
    layers = [{"op": "tosa.abs", "location": "main:0", "worst": (0.0, 1.5, 0.5)[i]} for i in order]
    assert _numbers("tosa.abs", {"layers": layers}) == {"error, 1 is what its clause allows": [1.5]}
