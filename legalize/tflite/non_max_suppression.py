"""NON_MAX_SUPPRESSION_V4 and V5 (non_max_suppression.h): boxes with the best scores that don't overlap a selected one.

A routine, no formula: each selected box changes the scores of the others, in a loop or unrolled (`select_boxes`).
"""

from collections.abc import Callable

from tosa_converter.dtypes import DType
from tosa_converter.legalize.constant_operands import constant_int
from tosa_converter.legalize.ops.boxes import (
    SelectionLimits,
    State,
    Step,
    intersection_over_union,
    measure_at,
    select_boxes,
    strike_out,
    with_areas,
)
from tosa_converter.legalize.quant.rows import quotient
from tosa_converter.rewriting.expr import Expr, exp, maximum, minimum, scalar, where
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import reduce_sum
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule

TIES = "of equal scores the first is chosen; LiteRT's order of equal ones is that of its heap, which C++ leaves open"
# Dekker's product in `quotient` needs 4097 times the union of two areas, and 2**-48 of what they share, to be floats.
AREA_RANGE = "overlaps are LiteRT's where areas lie between 1e-23 and 4e34: those of larger boxes overflow here"
RISING = "scores below 0 rise as they decay, and are compared when they have; LiteRT compares some before"
SIGMA = 5  # the operand that V5 has and V4 doesn't


def non_max_suppression(match: Match) -> list[Expr]:
    """Lowers NON_MAX_SUPPRESSION_V4, and V5, whose scores decay with the overlap (NonMaxSuppression).

    A selected box overlaps itself and is struck out with the others; a box without area isn't, and is selected in every
    round. No more boxes are selected than have scores above the threshold at first.
    """
    size, count = constant_int(match, "max_output_size"), _box_count(match)
    if size < 0:
        raise Decline(f"expected max_output_size of 0 or more, found {size}")
    scores = match["scores"].reshape((1, count, 1))
    threshold = match["score_threshold"].reshape((1, 1, 1))
    above_threshold = reduce_sum((scores > threshold).cast(DType.I32), 1)
    limits = SelectionLimits(size, min(size, count), threshold, above_threshold)
    selection = select_boxes(limits, [scores], _suppression(match), unroll=match.options.flatten)
    match.note(TIES)
    match.note(AREA_RANGE)
    indices, number = selection.indices.reshape((size,)), selection.number.reshape(())
    return [indices, number] if len(match.op.results) == 2 else [indices, selection.scores.reshape((size,)), number]


def _box_count(match: Match) -> int:
    """Returns the number of boxes of NMS, after checking that each has a score."""
    boxes, scores = match["boxes"], match["scores"]
    if boxes.shape[1] != 4 or boxes.shape[:1] != scores.shape:
        raise Decline(f"expected boxes [N,4] with scores [N], found {boxes.type} and {scores.type}")
    return boxes.shape[0]


def _suppression(match: Match) -> Step:
    """Returns NMS's step: after a box is selected, scores decay and boxes that overlap it too much are struck out."""
    boxes = match["boxes"].reshape((1, *match["boxes"].shape))
    corner, opposite = boxes.part(2, 0, 2), boxes.part(2, 2, 2)
    boxes = with_areas(minimum(corner, opposite), maximum(corner, opposite))
    overlap_with = measure_at(boxes, intersection_over_union, all_pairs=match.options.flatten)
    threshold = match["iou_threshold"].reshape((1, 1, 1))
    decay = _decay(match)

    def step(state: State, index: Expr) -> State:
        """Lets the scores decay, then strikes out the boxes that overlap the selected one (`index`) too much."""
        (scores,), overlap = state, overlap_with(index)
        decayed = scores if decay is None else scores * decay(overlap)
        return [strike_out(decayed, overlap >= threshold)]

    return step


def _decay(match: Match) -> Callable[[Expr], Expr] | None:
    """Returns the function from overlaps to score factors, exp(-overlap**2 / (2 sigma)); None if scores don't decay.

    The report notes that scores below 0 would rise, unless a constant threshold of 0 or more excludes them.
    """
    if not match.has(SIGMA):
        return None
    sigma = match[SIGMA].reshape((1, 1, 1))
    if sigma.constant is not None:
        if not sigma.constant.item() >= 0:
            raise Decline(f"expected a sigma of 0 or more, found {sigma.constant.item()}")
        if not sigma.constant.any():
            return None
    threshold = match["score_threshold"].constant
    if threshold is None or threshold.item() < 0:
        match.note(RISING)
    factor = where(sigma > 0, quotient(scalar(-0.5, sigma), sigma), 0)
    return lambda overlap: exp(overlap * factor * overlap)


RULES: tuple[Rule, ...] = (
    Rule("tfl.non_max_suppression_v4", "fp32", non_max_suppression),
    Rule("tfl.non_max_suppression_v5", "fp32", non_max_suppression),
)
