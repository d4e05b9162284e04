"""Boxes of which those with the best scores are chosen, and those that overlap a chosen one are not.

TOSA has no sort: in each round the best score is looked for, and those of the boxes that it overlaps are struck out.
The rounds are those of a WHILE_LOOP, or one behind the other.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.constant_operands import constant_int
from tosa_converter.legalize.limits import affordable
from tosa_converter.legalize.quant.rows import quotient
from tosa_converter.rewriting.control import while_loop
from tosa_converter.rewriting.expr import Expr, const, emit, exp, maximum, minimum, scalar, where
from tosa_converter.rewriting.operators import concat, gather, reduce_max, reduce_sum, scatter
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops

PAIRS = 1 << 20  # of boxes, whose overlaps are rather held than computed in each round
STEPS = 1 << 12  # elements that a round is reckoned to need, so that a few bytes don't ask for millions of operators
TIES = "of equal scores the first is chosen; LiteRT's order of equal ones is that of its heap, which C++ leaves open"
# Dekker's product in `quotient` needs 4097 times the union of two areas, and 2**-48 of what they share, to be floats.
LARGE_OR_SMALL = "overlaps are LiteRT's where areas lie between 1e-23 and 4e34: those of larger boxes overflow here"
RISING = "scores below 0 rise as they decay, and are compared when they have; LiteRT compares some before"
SIGMA = 5  # V5's operand more

State: TypeAlias = Sequence[Expr]  # the scores [1,K,1] that are left, and what else lasts from round to round
Step: TypeAlias = Callable[[State, Expr], State]
Measure: TypeAlias = Callable[[Expr, Expr], Expr]

# ** boxes **


def table(low: Expr, high: Expr) -> Expr:
    """Boxes [1,N,5] of their lower and upper corners [1,N,2]: both, and the area."""
    sides = high - low
    area = sides.part(2, 0, 1) * sides.part(2, 1, 1)
    return concat([low, high, area], 2)


def areas(ones: Expr, others: Expr) -> tuple[Expr, Expr, Expr]:
    """What boxes that broadcast have in common, their union, and the smaller one's area; what isn't used is dropped."""
    (low, high, area), (low_2, high_2, area_2) = (_parts(boxes) for boxes in (ones, others))
    sides = minimum(high, high_2) - maximum(low, low_2)
    sides = maximum(sides, 0)
    common = sides.part(2, 0, 1) * sides.part(2, 1, 1)
    return common, area + area_2 - common, minimum(area, area_2)


def overlaps(ones: Expr, others: Expr) -> Expr:
    """Intersection over union, 0 where an area is (ComputeIntersectionOverUnion, non_max_suppression.h)."""
    common, union, smaller = areas(ones, others)
    none = scalar(0, common)
    return where(smaller > none, quotient(common, union), none)


def _parts(boxes: Expr) -> tuple[Expr, Expr, Expr]:
    return boxes.part(2, 0, 2), boxes.part(2, 2, 2), boxes.part(2, 4, 1)


def neighbours(match: Match, boxes: Expr, measure: Measure) -> Callable[[Expr], Expr]:
    """The measure [1,N,1] of each box [1,N,5] and the one at a place [1,1]."""
    count = boxes.shape[1]
    if not match.options.flatten or count * count > PAIRS:
        return lambda place: measure(boxes, gather(boxes, place))
    pairs = measure(boxes.reshape((count, 1, 5)), boxes).reshape((1, count, count))
    return lambda place: gather(pairs, place).reshape((1, count, 1))


def struck(which: Expr, scores: Expr) -> Expr:
    """The scores without some: no threshold is below -infinity."""
    return where(which, -math.inf, scores)


# ** rounds **


class Rounds(NamedTuple):
    """How many results there are, of which so many can be chosen, if scores are above a threshold [1,1,1].

    `limit` is a number [1,1,1] of them that only the run knows.
    """

    size: int
    most: int
    threshold: Expr
    limit: Expr | None = None


class Chosen(NamedTuple):
    """Places in the order of their scores, these scores, both [1,size,1] and 0 behind the chosen ones; their number."""

    places: Expr
    scores: Expr
    number: Expr

    def valid(self) -> Expr:
        """Which of them are chosen: [1,size,1]."""
        return self.number > numbered(self.places.shape[1])


def choose(match: Match, rounds: Rounds, state: State, step: Step) -> Chosen:
    """Round after round the place of the best score; `step` gives the state behind it."""
    affordable((rounds.size, 2))
    if not rounds.size or not state[0].size:
        raise Decline(f"{rounds.size} of {state[0].size} boxes: no tensor of TOSA is empty")
    arranged = _unrolled if match.options.flatten else _looped
    return arranged(rounds, state, step)


def _best(scores: Expr) -> tuple[Expr, Expr]:
    place = emit(ops.ARGMAX, scores, axis=1, nan_mode="IGNORE")
    return place, gather(scores, place)


def _looped(rounds: Rounds, state: State, step: Step) -> Chosen:
    places, scores = (const(np.zeros((1, rounds.size, 1)), dtype) for dtype in (DType.I32, DType.FP32))
    limit = const([[[rounds.most]]], DType.I32)
    limit = limit if rounds.limit is None else minimum(limit, rounds.limit)

    def goes_on(values: State) -> Expr:
        best = reduce_max(values[3], 1, nan_mode="IGNORE")
        above = best > rounds.threshold
        return above & (limit > values[0])

    def body(values: State) -> State:
        number, places, scores, *state = values
        place, score = _best(state[0])
        at = number.reshape((1, 1))
        places = scatter(places, at, place.reshape((1, 1, 1)))
        number_1 = number + 1
        return number_1, places, scatter(scores, at, score), *step(state, place)

    begin = const([[[0]]], DType.I32)
    count, places, scores, *_ = while_loop((begin, places, scores, *state), goes_on, body)
    return Chosen(places, scores, count)


def _unrolled(rounds: Rounds, state: State, step: Step) -> Chosen:
    most = min(rounds.most, rounds.size)
    affordable((most, STEPS))
    found: list[tuple[Expr, Expr]] = []
    while True:
        found.append(_best(state[0]))
        if len(found) == most:
            break
        state = step(state, found[-1][0])
    places = concat([place.reshape((1, 1, 1)) for place, _ in found], 1)
    scores = concat([score for _, score in found], 1)
    valid = scores > rounds.threshold
    if rounds.limit is not None:
        within = rounds.limit > numbered(most)
        valid = valid & within
    count = reduce_sum(valid.cast(DType.I32), 1)
    rest = [(0, 0), (0, rounds.size - most), (0, 0)]
    places, scores = (where(valid, x, 0).pad(rest) for x in (places, scores))
    return Chosen(places, scores, count)


def numbered(count: int) -> Expr:
    """The numbers below one: [1,count,1]."""
    return const(np.arange(count).reshape(1, count, 1), DType.I32)


# ** NON_MAX_SUPPRESSION **


def non_max_suppression(match: Match) -> list[Expr]:
    """NON_MAX_SUPPRESSION_V4, and V5, of which scores decay with the overlap (NonMaxSuppression).

    A chosen box stays until it is struck out as one that overlaps: one without an area is chosen again and again. No
    more are chosen than have scores above the threshold at first.
    """
    size = constant_int(match, "max_output_size")
    count = _box_count(match)
    scores = match["scores"].reshape((1, count, 1))
    threshold = match["score_threshold"].reshape((1, 1, 1))
    above = (scores > threshold).cast(DType.I32)
    limit = reduce_sum(above, 1)
    chosen = choose(match, Rounds(size, min(size, count), threshold, limit), [scores], _suppression(match))
    match.note(TIES)
    match.note(LARGE_OR_SMALL)
    places, number = chosen.places.reshape((size,)), chosen.number.reshape(())
    return [places, number] if len(match.op.results) == 2 else [places, chosen.scores.reshape((size,)), number]


def _box_count(match: Match) -> int:
    boxes, scores, size = match["boxes"].type, match["scores"].type, constant_int(match, "max_output_size")
    if boxes.static[1] != 4 or boxes.static[:1] != scores.static or size < 0:
        raise Decline(f"{size} of boxes {boxes} with scores {scores}")
    return boxes.static[0]


def _suppression(match: Match) -> Step:
    """Boxes that overlap the chosen one by the threshold are struck out."""
    count, _ = match["boxes"].shape
    boxes = match["boxes"].reshape((1, count, 4))
    one, other = boxes.part(2, 0, 2), boxes.part(2, 2, 2)
    around = neighbours(match, table(minimum(one, other), maximum(one, other)), overlaps)
    threshold = match["iou_threshold"].reshape((1, 1, 1))
    decay = _decay(match)

    def step(state: State, place: Expr) -> State:
        (scores,), near = state, around(place)
        decayed = scores if decay is None else scores * decay(near)
        return [struck(near >= threshold, decayed)]

    return step


def _decay(match: Match) -> Callable[[Expr], Expr] | None:
    """exp(-overlap**2 / (2 sigma)), by which scores are multiplied; None without sigma, or if it is a constant 0."""
    if not match.has(SIGMA):
        return None
    sigma = match[SIGMA].reshape((1, 1, 1))
    if sigma.constant is not None:
        if not sigma.constant.item() >= 0:
            raise Decline(f"a sigma of {sigma.constant.item()}")
        if not sigma.constant.any():
            return None
    threshold = match["score_threshold"].constant
    if threshold is None or threshold.item() < 0:
        match.note(RISING)
    zero = scalar(0, sigma)
    factor = quotient(scalar(-0.5, sigma), sigma)
    factor = where(sigma > zero, factor, zero)
    return lambda near: exp(near * factor * near)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.non_max_suppression_v4", "fp32", non_max_suppression),
    Rewrite("tfl.non_max_suppression_v5", "fp32", non_max_suppression),
)
