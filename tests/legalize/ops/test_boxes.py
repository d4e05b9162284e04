"""Decoding, overlaps and greedy selection of boxes equal numpy."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from support.expressions import count_operators, evaluate

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.ops import boxes as module
from tosa_converter.legalize.ops.boxes import (
    SelectionLimits,
    State,
    decode_boxes,
    intersection_over_union,
    measure_at,
    overlap,
    select_boxes,
    strike_out,
    with_areas,
)
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.reasons import Decline

F32 = np.float32


def random_boxes(count: int) -> Array:
    """Returns low and high corners [count,4] of boxes, the last of which is empty."""
    low, size = np.random.default_rng(0).uniform(0, 1, (2, count, 2)).astype(F32)
    size[-1] = 0
    return np.concatenate([low, low + size], 1)


def with_area(boxes: Array) -> Array:
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    return np.asarray(np.concatenate([boxes, area[:, None]], 1)[None])


def exact_overlaps(a: Array, b: Array) -> tuple[Array, Array]:
    """Returns intersections and unions of all pairs, in fp64."""
    a, b = a.astype(np.float64)[:, None], b.astype(np.float64)[None]
    sides = np.minimum(a[..., 2:], b[..., 2:]) - np.maximum(a[..., :2], b[..., :2])
    intersection = np.maximum(sides, 0).prod(-1)
    areas = [(boxes[..., 2:] - boxes[..., :2]).prod(-1) for boxes in (a, b)]
    return intersection, areas[0] + areas[1] - intersection


def test_decoding_equals_numpy() -> None:
    rng = np.random.default_rng(0)
    boxes, anchors = rng.standard_normal((1, 9, 4)).astype(F32), rng.uniform(0.1, 1, (9, 4)).astype(F32)
    (corners,) = evaluate(lambda boxes, anchors: decode_boxes(boxes, anchors, (10, 10, 5, 2.5)), boxes, anchors)
    scaled = boxes[0].astype(np.float64) / (10, 10, 5, 2.5)
    centre = scaled[:, :2] * anchors[:, 2:] + anchors[:, :2]
    half = np.exp(scaled[:, 2:]) * anchors[:, 2:] / 2
    np.testing.assert_allclose(corners[0], np.concatenate([centre - half, centre + half], 1), rtol=1e-5, atol=1e-6)


def test_areas_equal_numpy() -> None:
    boxes = random_boxes(7)
    (rows,) = evaluate(with_areas, boxes[None, :, :2], boxes[None, :, 2:])
    np.testing.assert_array_equal(rows, with_area(boxes))


def test_overlaps_of_all_pairs_equal_numpy() -> None:
    """Boxes [N,1,5] and [1,N,5] broadcast; an empty box overlaps nothing, not even itself."""
    boxes = random_boxes(12)
    rows = with_area(boxes)
    columns = rows.reshape(12, 1, 5)
    intersection, union, smaller = evaluate(overlap, columns, rows)
    exact_intersection, exact_union = exact_overlaps(boxes, boxes)
    np.testing.assert_allclose(intersection[..., 0], exact_intersection, atol=1e-6)
    np.testing.assert_allclose(union[..., 0], exact_union, atol=1e-6)
    np.testing.assert_array_equal(smaller[..., 0], np.minimum(rows[0, :, 4][:, None], rows[0, :, 4]))
    (ratio,) = evaluate(intersection_over_union, columns, rows)
    np.testing.assert_array_equal(ratio[:-1, :-1], intersection[:-1, :-1] / union[:-1, :-1])
    assert not ratio[-1].any()
    assert not ratio[:, -1].any()


@pytest.mark.parametrize("all_pairs", [False, True])
def test_measures_at_an_index_equal_numpy(all_pairs: bool) -> None:
    boxes = random_boxes(6)

    def formula(boxes: Expr, index: Expr) -> Expr:
        return measure_at(boxes, intersection_over_union, all_pairs=all_pairs)(index)

    for index in range(6):
        (measures,) = evaluate(formula, with_area(boxes), np.array([[index]], np.int32))
        intersection, union = exact_overlaps(boxes, boxes[index : index + 1])
        expected = np.divide(intersection, union, out=np.zeros_like(union), where=intersection > 0)
        np.testing.assert_allclose(measures[0], expected, atol=1e-6)


@pytest.mark.parametrize(("all_pairs", "max_pairs", "measured"), [(False, 36, 2), (True, 36, 1), (True, 35, 2)])
def test_all_pairs_are_measured_once_unless_they_are_many(
    all_pairs: bool, max_pairs: int, measured: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_PAIRS", max_pairs)

    def formula(boxes: Expr, *indices: Expr) -> list[Expr]:
        measure = measure_at(boxes, lambda a, b: (a - b).part(2, 0, 1), all_pairs=all_pairs)
        return [measure(index) for index in indices]

    zero = np.zeros((1, 1), np.int32)
    assert count_operators(formula, with_area(random_boxes(6)), zero, zero)["sub"] == measured


def strike_neighbours(count: int) -> Callable[[State, Expr], State]:
    """Returns a step that removes the box at an index and the next one."""

    def step(state: State, index: Expr) -> State:
        indices = const(np.arange(count).reshape(1, count, 1), DType.I32)
        return [strike_out(state[0], (indices == index) | (indices == index + 1)), *state[1:]]

    return step


def select_in_numpy(scores: Array, size: int, most: int, threshold: float) -> tuple[list[int], list[float], int]:
    scores, indices, values = scores.copy(), [0] * size, [0.0] * size
    for i in range(most):
        if np.isnan(scores).all() or not np.nanmax(scores) > threshold:
            return indices, values, i
        index = int(np.nanargmax(scores))
        indices[i], values[i] = index, float(scores[index])
        scores[index : index + 2] = -np.inf
    return indices, values, most


SCORES = [
    [0.5, 0.9, 0.8, 0.7, 0.7, 0.6],
    [0.5] * 6,
    [np.nan, 0.5, np.inf, -np.inf, 0.25, 0.125],
    [np.nan] * 6,
    [-1.0, -2.0, -3.0, 0.0, 0.25, -0.0],
]


@pytest.mark.parametrize("unroll", [False, True])
@pytest.mark.parametrize("scores", SCORES, ids=str)
@pytest.mark.parametrize(("size", "most", "run_time_most"), [(6, 6, None), (2, 2, None), (8, 4, None), (5, 4, 2)])
@pytest.mark.parametrize("threshold", [0.25, -2.5])
def test_selection_equals_numpy(
    unroll: bool, scores: Sequence[float], size: int, most: int, run_time_most: int | None, threshold: float
) -> None:
    """The first of equal scores is selected; NaN and scores at the threshold never are."""

    def formula(scores: Expr, threshold: Expr, *bounds: Expr) -> Sequence[Expr]:
        limits = SelectionLimits(size, most, threshold, *bounds)
        selection = select_boxes(limits, [scores], strike_neighbours(6), unroll=unroll)
        return *selection, selection.is_filled()

    array = np.array(scores, F32)
    bounds = [] if run_time_most is None else [np.full((1, 1, 1), run_time_most, np.int32)]
    arrays = array.reshape(1, 6, 1), np.full((1, 1, 1), threshold, F32), *bounds
    assert count_operators(formula, *arrays)["while_loop"] == (not unroll)
    results = evaluate(formula, *arrays)
    most = most if run_time_most is None else min(most, run_time_most)
    indices, values, count = select_in_numpy(array, size, most, threshold)
    assert [x.reshape(-1).tolist() for x in results] == [indices, values, [count], [i < count for i in range(size)]]


def select_first(size: int, *, unroll: bool) -> Callable[[Expr], Sequence[Expr]]:
    def formula(scores: Expr) -> Sequence[Expr]:
        limits = SelectionLimits(size, size, const([[[0.0]]], DType.FP32))
        return select_boxes(limits, [scores], strike_neighbours(1), unroll=unroll)

    return formula


@pytest.mark.parametrize(
    ("size", "reason"), [(0, "TOSA has no empty tensors"), (1 << 24, "expected a constant of at most")]
)
@pytest.mark.parametrize("unroll", [False, True])
def test_zero_and_too_many_results_are_declined(size: int, reason: str, unroll: bool) -> None:
    with pytest.raises(Decline, match=reason):
        evaluate(select_first(size, unroll=unroll), np.ones((1, 1, 1), F32))


def test_rounds_are_unrolled_up_to_a_bound() -> None:
    """Each round costs as much as 4,096 of the 2**24 elements of a constant."""
    with pytest.raises(Decline, match=r"found shape \[4097, 4096\]"):
        evaluate(select_first(4097, unroll=True), np.ones((1, 1, 1), F32))
    indices, scores, number = evaluate(select_first(4097, unroll=False), np.ones((1, 1, 1), F32))
    assert [int(x.sum()) for x in (indices, scores, number)] == [0, 1, 1]
