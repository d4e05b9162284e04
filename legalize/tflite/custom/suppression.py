"""Boxes of which those with the best scores are chosen, and those that overlap a chosen one are not.

TOSA has no sort: in each round the best score is looked for, and those of the boxes that it overlaps are struck out.
The rounds are those of a WHILE_LOOP, or one behind the other.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.operands import affordable, constant_int
from tosa_converter.legalize.tflite.hybrid.rows import quotient
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.control import while_loop
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops

PAIRS = 1 << 20  # of boxes, whose overlaps are rather held than computed in each round
STEPS = 1 << 12  # elements that a round is reckoned to need, so that a few bytes don't ask for millions of operators
TIES = "of equal scores the first is chosen; LiteRT's order of equal ones is that of its heap, which C++ leaves open"
# Dekker's product in `quotient` needs 4097 times the union of two areas, and 2**-48 of what they share, to be floats.
LARGE_OR_SMALL = "overlaps are LiteRT's where areas lie between 1e-23 and 4e34: those of larger boxes overflow here"
RISING = "scores below 0 rise as they decay, and are compared when they have; LiteRT compares some before"
SIGMA = 5  # V5's operand more

State: TypeAlias = Sequence[Value]  # the scores [1,K,1] that are left, and what else lasts from round to round
Step: TypeAlias = Callable[[Builder, State, Value], State]
Measure: TypeAlias = Callable[[Builder, Value, Value], Value]

# ** boxes **


def table(builder: Builder, low: Value, high: Value) -> Value:
    """Boxes [1,N,5] of their lower and upper corners [1,N,2]: both, and the area."""
    sides = builder.sub(high, low)
    area = builder.mul(builder.part(sides, 2, 0, 1), builder.part(sides, 2, 1, 1))
    return builder.concat([low, high, area], 2)


def areas(builder: Builder, ones: Value, others: Value) -> tuple[Value, Value, Value]:
    """What boxes that broadcast have in common, their union, and the smaller one's area; what isn't used is dropped."""
    (low, high, area), (low_2, high_2, area_2) = (_parts(builder, boxes) for boxes in (ones, others))
    sides = builder.sub(builder.minimum(high, high_2), builder.maximum(low, low_2))
    sides = builder.maximum(sides, builder.scalar(0, sides))
    common = builder.mul(builder.part(sides, 2, 0, 1), builder.part(sides, 2, 1, 1))
    return common, builder.sub(builder.add(area, area_2), common), builder.minimum(area, area_2)


def overlaps(builder: Builder, ones: Value, others: Value) -> Value:
    """Intersection over union, 0 where an area is (ComputeIntersectionOverUnion, non_max_suppression.h)."""
    common, union, smaller = areas(builder, ones, others)
    none = builder.scalar(0, common)
    return builder.select(builder.binary(ops.GREATER, smaller, none), quotient(builder, common, union), none)


def _parts(builder: Builder, boxes: Value) -> tuple[Value, Value, Value]:
    return builder.part(boxes, 2, 0, 2), builder.part(boxes, 2, 2, 2), builder.part(boxes, 2, 4, 1)


def neighbours(match: Match, boxes: Value, measure: Measure) -> Callable[[Builder, Value], Value]:
    """The measure [1,N,1] of each box [1,N,5] and the one at a place [1,1]."""
    count = boxes.type.static[1]
    if not match.options.flatten or count * count > PAIRS:
        return lambda builder, place: measure(builder, boxes, builder.gather(boxes, place))
    build = match.builder
    pairs = build.reshape(measure(build, build.reshape(boxes, (count, 1, 5)), boxes), (1, count, count))
    return lambda builder, place: builder.reshape(builder.gather(pairs, place), (1, count, 1))


def struck(builder: Builder, which: Value, scores: Value) -> Value:
    """The scores without some: no threshold is below -infinity."""
    return builder.select(which, builder.scalar(-math.inf, scores), scores)


# ** rounds **


class Rounds(NamedTuple):
    """How many results there are, of which so many can be chosen, if scores are above a threshold [1,1,1].

    `limit` is a number [1,1,1] of them that only the run knows.
    """

    size: int
    most: int
    threshold: Value
    limit: Value | None = None


class Chosen(NamedTuple):
    """Places in the order of their scores, these scores, both [1,size,1] and 0 behind the chosen ones; their number."""

    places: Value
    scores: Value
    number: Value

    def valid(self, builder: Builder) -> Value:
        """Which of them are chosen: [1,size,1]."""
        return builder.binary(ops.GREATER, self.number, numbered(builder, self.places.type.static[1]))


def choose(match: Match, rounds: Rounds, state: State, step: Step) -> Chosen:
    """Round after round the place of the best score; `step` gives the state behind it."""
    affordable((rounds.size, 2))
    if not rounds.size or not state[0].type.elements:
        raise Decline(f"{rounds.size} of {state[0].type.elements} boxes: no tensor of TOSA is empty")
    arranged = _unrolled if match.options.flatten else _looped
    return arranged(match.builder, rounds, state, step)


def _best(builder: Builder, scores: Value) -> tuple[Value, Value]:
    place = builder.emit(ops.ARGMAX, scores, axis=1, nan_mode="IGNORE")
    return place, builder.gather(scores, place)


def _looped(build: Builder, rounds: Rounds, state: State, step: Step) -> Chosen:
    places, scores = (build.const(np.zeros((1, rounds.size, 1)), dtype) for dtype in (DType.I32, DType.FP32))
    limit = build.const([[[rounds.most]]], DType.I32)
    limit = limit if rounds.limit is None else build.minimum(limit, rounds.limit)

    def goes_on(builder: Builder, values: State) -> Value:
        best = builder.reduce(ops.REDUCE_MAX, values[3], 1, nan_mode="IGNORE")
        above = builder.binary(ops.GREATER, best, rounds.threshold)
        return builder.binary(ops.LOGICAL_AND, above, builder.binary(ops.GREATER, limit, values[0]))

    def body(builder: Builder, values: State) -> State:
        number, places, scores, *state = values
        place, score = _best(builder, state[0])
        at = builder.reshape(number, (1, 1))
        places = builder.scatter(places, at, builder.reshape(place, (1, 1, 1)))
        number_1 = builder.add(number, builder.scalar(1, number))
        return number_1, places, builder.scatter(scores, at, score), *step(builder, state, place)

    begin = build.const([[[0]]], DType.I32)
    count, places, scores, *_ = while_loop(build, (begin, places, scores, *state), goes_on, body)
    return Chosen(places, scores, count)


def _unrolled(build: Builder, rounds: Rounds, state: State, step: Step) -> Chosen:
    most = min(rounds.most, rounds.size)
    affordable((most, STEPS))
    found: list[tuple[Value, Value]] = []
    while True:
        found.append(_best(build, state[0]))
        if len(found) == most:
            break
        state = step(build, state, found[-1][0])
    places = build.concat([build.reshape(place, (1, 1, 1)) for place, _ in found], 1)
    scores = build.concat([score for _, score in found], 1)
    valid = build.binary(ops.GREATER, scores, rounds.threshold)
    if rounds.limit is not None:
        within = build.binary(ops.GREATER, rounds.limit, numbered(build, most))
        valid = build.binary(ops.LOGICAL_AND, valid, within)
    count = build.reduce(ops.REDUCE_SUM, build.cast(valid, DType.I32), 1)
    rest = [(0, 0), (0, rounds.size - most), (0, 0)]
    places, scores = (build.pad(build.select(valid, x, build.scalar(0, x)), rest) for x in (places, scores))
    return Chosen(places, scores, count)


def numbered(builder: Builder, count: int) -> Value:
    """The numbers below one: [1,count,1]."""
    return builder.const(np.arange(count).reshape(1, count, 1), DType.I32)


# ** NON_MAX_SUPPRESSION **


def non_max_suppression(match: Match) -> list[Value]:
    """NON_MAX_SUPPRESSION_V4, and V5, of which scores decay with the overlap (NonMaxSuppression).

    A chosen box stays until it is struck out as one that overlaps: one without an area is chosen again and again. No
    more are chosen than have scores above the threshold at first.
    """
    build, size = match.builder, constant_int(match, "max_output_size")
    count = _box_count(match)
    scores = build.reshape(match["scores"], (1, count, 1))
    threshold = build.reshape(match["score_threshold"], (1, 1, 1))
    above = build.cast(build.binary(ops.GREATER, scores, threshold), DType.I32)
    limit = build.reduce(ops.REDUCE_SUM, above, 1)
    chosen = choose(match, Rounds(size, min(size, count), threshold, limit), [scores], _suppression(match))
    match.note(TIES)
    match.note(LARGE_OR_SMALL)
    places, number = build.reshape(chosen.places, (size,)), build.reshape(chosen.number, ())
    return [places, number] if len(match.op.results) == 2 else [places, build.reshape(chosen.scores, (size,)), number]


def _box_count(match: Match) -> int:
    boxes, scores, size = match["boxes"].type, match["scores"].type, constant_int(match, "max_output_size")
    if boxes.static[1] != 4 or boxes.static[:1] != scores.static or size < 0:
        raise Decline(f"{size} of boxes {boxes} with scores {scores}")
    return boxes.static[0]


def _suppression(match: Match) -> Step:
    """Boxes that overlap the chosen one by the threshold are struck out."""
    build, (count, _) = match.builder, match["boxes"].type.static
    boxes = build.reshape(match["boxes"], (1, count, 4))
    one, other = build.part(boxes, 2, 0, 2), build.part(boxes, 2, 2, 2)
    around = neighbours(match, table(build, build.minimum(one, other), build.maximum(one, other)), overlaps)
    threshold = build.reshape(match["iou_threshold"], (1, 1, 1))
    decay = _decay(match)

    def step(builder: Builder, state: State, place: Value) -> State:
        (scores,), near = state, around(builder, place)
        decayed = scores if decay is None else builder.mul(scores, decay(builder, near))
        return [struck(builder, builder.binary(ops.GREATER_EQUAL, near, threshold), decayed)]

    return step


def _decay(match: Match) -> Callable[[Builder, Value], Value] | None:
    """exp(-overlap**2 / (2 sigma)), by which scores are multiplied; None without sigma, or if it is a constant 0."""
    if not match.has(SIGMA):
        return None
    build, sigma = match.builder, match.builder.reshape(match[SIGMA], (1, 1, 1))
    if sigma.constant is not None:
        if not sigma.constant.item() >= 0:
            raise Decline(f"a sigma of {sigma.constant.item()}")
        if not sigma.constant.any():
            return None
    threshold = match["score_threshold"].constant
    if threshold is None or threshold.item() < 0:
        match.note(RISING)
    zero = build.scalar(0, sigma)
    factor = quotient(build, build.scalar(-0.5, sigma), sigma)
    factor = build.select(build.binary(ops.GREATER, sigma, zero), factor, zero)
    return lambda builder, near: builder.unary(ops.EXP, builder.mul(builder.mul(near, factor), near))


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.non_max_suppression_v4", "fp32", non_max_suppression),
    Rewrite("tfl.non_max_suppression_v5", "fp32", non_max_suppression),
)
