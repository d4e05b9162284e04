"""Boxes: decoding, overlaps, and the greedy selection of those with the best scores.

Corners are y and x of the low corner, then of the high one. A box with its area is a row of five: [1,N,5].
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.limits import affordable
from tosa_converter.legalize.quant.rows import quotient
from tosa_converter.rewriting.control import while_loop
from tosa_converter.rewriting.expr import Expr, const, emit, exp, maximum, minimum, where
from tosa_converter.rewriting.operators import concat, gather, reduce_max, reduce_sum, scatter
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.schemas import tosa_ops as ops

MAX_PAIRS = 1 << 20  # pairs of boxes whose overlaps are computed at once, not in each round
ROUND_COST = 1 << 12  # elements that an unrolled round counts as, so that few bytes don't ask for millions of operators

Measure: TypeAlias = Callable[[Expr, Expr], Expr]
State: TypeAlias = Sequence[Expr]  # the remaining scores [1,K,1], and whatever else a step carries
Step: TypeAlias = Callable[[State, Expr], State]


def decode_boxes(boxes: Expr, anchors: Expr, scales: Sequence[float]) -> Expr:
    """Returns corners [1,N,4] of boxes relative to anchors.

    Args:
        boxes: y and x of the centre in sizes of the anchor, and the logarithms of height and width, [1,N,4].
        anchors: y and x of the centre, height and width, [N,4].
        scales: divisors of the four coordinates of `boxes`.
    """
    scaled = boxes * const(1 / np.reshape(scales, (1, 1, 4)), DType.FP32)
    anchors = anchors.reshape((1, *anchors.shape))
    anchor_centre, anchor_size = anchors.part(2, 0, 2), anchors.part(2, 2, 2)
    centre = scaled.part(2, 0, 2) * anchor_size + anchor_centre
    half_anchor = anchor_size * 0.5
    half_size = exp(scaled.part(2, 2, 2)) * half_anchor
    return concat([centre - half_size, centre + half_size], 2)


# ** overlaps **


def with_areas(low: Expr, high: Expr) -> Expr:
    """Returns boxes as rows of low corner, high corner and area [1,N,5], from their corners [1,N,2]."""
    sides = high - low
    area = sides.part(2, 0, 1) * sides.part(2, 1, 1)
    return concat([low, high, area], 2)


class Overlap(NamedTuple):
    """Areas of two boxes: their intersection, their union, and the smaller of the two."""

    intersection: Expr
    union: Expr
    smaller: Expr


def overlap(a: Expr, b: Expr) -> Overlap:
    """Returns the intersection, union and smaller area of pairs of boxes [...,5] that broadcast."""
    (low_a, high_a, area_a), (low_b, high_b, area_b) = (
        (boxes.part(2, 0, 2), boxes.part(2, 2, 2), boxes.part(2, 4, 1)) for boxes in (a, b)
    )
    sides = maximum(minimum(high_a, high_b) - maximum(low_a, low_b), 0)
    intersection = sides.part(2, 0, 1) * sides.part(2, 1, 1)
    return Overlap(intersection, area_a + area_b - intersection, minimum(area_a, area_b))


def intersection_over_union(a: Expr, b: Expr) -> Expr:
    """Returns intersection / union of pairs of boxes [...,5], rounded as a division is; 0 where an area is 0."""
    areas = overlap(a, b)
    return where(areas.smaller > 0, quotient(areas.intersection, areas.union), 0)


def measure_at(boxes: Expr, measure: Measure, *, all_pairs: bool) -> Callable[[Expr], Expr]:
    """Returns a function that compares all boxes [1,N,5] with the box at an index [1,1]; its result is [1,N,1].

    Args:
        boxes: with their areas, as `with_areas` returns them.
        measure: computes a number for each pair of boxes, such as their overlap.
        all_pairs: measures all pairs now, so that each call is only a GATHER; ignored for more than `MAX_PAIRS` pairs.
    """
    count = boxes.shape[1]
    if not all_pairs or count * count > MAX_PAIRS:
        return lambda index: measure(boxes, gather(boxes, index))
    pairs = measure(boxes.reshape((count, 1, 5)), boxes).reshape((1, count, count))
    return lambda index: gather(pairs, index).reshape((1, count, 1))


# ** greedy selection **


class SelectionLimits(NamedTuple):
    """How many boxes are selected.

    Attributes:
        size: the number of results.
        most: the largest number of boxes that are selected.
        threshold: a score must be above it [1,1,1].
        run_time_most: as `most`, a number [1,1,1] that only the run knows.
    """

    size: int
    most: int
    threshold: Expr
    run_time_most: Expr | None = None


class Selection(NamedTuple):
    """Indices and scores [1,size,1] of the selected boxes in their order, 0 behind them, and their number [1,1,1]."""

    indices: Expr
    scores: Expr
    number: Expr

    def is_filled(self) -> Expr:
        """Returns a mask [1,size,1] of the results that hold a selected box; the results behind them are zeros."""
        return self.number > index_column(self.indices.shape[1])


def select_boxes(limits: SelectionLimits, state: State, step: Step, *, unroll: bool) -> Selection:
    """Selects the box with the best score, round after round, until no score is above the threshold.

    TOSA has no sort: each round is an ARGMAX over the scores that remain. Of equal scores the first box is selected,
    and NaN never.

    Args:
        limits: how many boxes are selected, and the threshold.
        state: the scores [1,K,1] of all boxes, and further values that `step` needs.
        step: called with the state and the index [1,1] of the selected box; returns the state without the scores of
            the boxes that must not be selected any more.
        unroll: emits every round, instead of one WHILE_LOOP.

    Raises:
        Decline: no results, no boxes, or too many of them.
    """
    affordable((limits.size, 2))  # the results: indices and scores
    if not limits.size or not state[0].size:
        raise Decline(
            f"expected at least 1 selected box, found {limits.size} of {state[0].size}: TOSA has no empty tensors"
        )
    return (_select_without_loop if unroll else _select_in_loop)(limits, state, step)


def strike_out(scores: Expr, mask: Expr) -> Expr:
    """Returns the scores, with -infinity where the mask holds, so that these boxes are never selected."""
    return where(mask, -math.inf, scores)


def index_column(count: int) -> Expr:
    """Returns the constant 0, 1 ... count - 1 as a column [1,count,1]."""
    return const(np.arange(count).reshape(1, count, 1), DType.I32)


def _best_box(scores: Expr) -> tuple[Expr, Expr]:
    """Returns the index [1,1] and the score [1,1,1] of the box with the best score."""
    index = emit(ops.ARGMAX, scores, axis=1, nan_mode="IGNORE")
    return index, gather(scores, index)


def _select_in_loop(limits: SelectionLimits, state: State, step: Step) -> Selection:
    """Runs the rounds of a selection in one WHILE_LOOP, which writes each result by a SCATTER.

    The state begins with the scores, and `step` returns it after a box was selected.
    """
    indices, scores = (const(np.zeros((1, limits.size, 1)), dtype) for dtype in (DType.I32, DType.FP32))
    most = const([[[limits.most]]], DType.I32)
    most = most if limits.run_time_most is None else minimum(most, limits.run_time_most)

    def has_next(values: State) -> Expr:
        """Returns whether a score is above the threshold and fewer boxes than the limit are selected."""
        count, _, _, scores, *_ = values
        return (reduce_max(scores, 1, nan_mode="IGNORE") > limits.threshold) & (count < most)

    def body(values: State) -> State:
        """Selects the best box and returns the loop's values after it: count, indices, scores, and `step`'s state.

        The state begins with the scores of the boxes that are left.
        """
        count, indices, scores, *state = values
        index, score = _best_box(state[0])
        position = count.reshape((1, 1))
        indices = scatter(indices, position, index.reshape((1, 1, 1)))
        return count + 1, indices, scatter(scores, position, score), *step(state, index)

    count = const([[[0]]], DType.I32)
    count, indices, scores, *_ = while_loop((count, indices, scores, *state), has_next, body)
    return Selection(indices, scores, count)


def _select_without_loop(limits: SelectionLimits, state: State, step: Step) -> Selection:
    """Emits all rounds of a non-maximum suppression one by one, and clears results behind the last selected box.

    More rounds than a conversion can afford are declined. The state begins with the scores, and `step` returns it after
    a box was selected.
    """
    most = min(limits.most, limits.size)
    affordable((most, ROUND_COST))
    rounds = [_best_box(state[0])]
    while len(rounds) < most:
        state = step(state, rounds[-1][0])
        rounds.append(_best_box(state[0]))
    indices = concat([index.reshape((1, 1, 1)) for index, _ in rounds], 1)
    scores = concat([score for _, score in rounds], 1)
    is_filled = scores > limits.threshold
    if limits.run_time_most is not None:
        is_filled = is_filled & (limits.run_time_most > index_column(most))
    count = reduce_sum(is_filled.cast(DType.I32), 1)
    padding = [(0, 0), (0, limits.size - most), (0, 0)]
    indices, scores = (where(is_filled, x, 0).pad(padding) for x in (indices, scores))
    return Selection(indices, scores, count)
