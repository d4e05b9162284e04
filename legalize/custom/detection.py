"""TFLite_Detection_PostProcess: boxes from anchors, selected by the scores of their classes (detection_postprocess.cc).

A routine, no formula: each selected box changes the scores of the others, in a loop or unrolled (`select_boxes`). Boxes
are computed in fp32, where the kernel has doubles; so overlaps are compared with the threshold without a division:
intersection > threshold * union.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

import tosa_converter as tc
from tosa_converter.ir import Array
from tosa_converter.legalize.custom.options import Settings, dequantize_operand, read_settings
from tosa_converter.legalize.limits import affordable
from tosa_converter.legalize.ops.boxes import (
    SelectionLimits,
    State,
    Step,
    decode_boxes,
    index_column,
    measure_at,
    overlap,
    select_boxes,
    strike_out,
    with_areas,
)
from tosa_converter.legalize.ops.order import sort_keys, top_indices
from tosa_converter.rewriting.expr import const, emit, intdiv, where
from tosa_converter.rewriting.operators import gather, reduce_max
from tosa_converter.schemas import tosa_ops as ops

BOXES, SCORES, ANCHORS = range(3)
DETECTIONS_PER_CLASS = 100  # the option's default (kNumDetectionsPerClass)
UNFILLED = "elements behind the last detection are 0; LiteRT leaves them uninitialized"


class Candidates(NamedTuple):
    """The boxes to select from: corners [1,N,4], scores [1,N,C] without the background, operator and options."""

    match: tc.Match
    corners: tc.Expr
    scores: tc.Expr
    options: Settings

    @property
    def box_count(self) -> int:
        """The number of boxes."""
        return self.corners.shape[1]

    @property
    def max_detections(self) -> int:
        """The largest number of boxes that are selected."""
        return self.options.integer("max_detections")

    def limits(self, most: int) -> SelectionLimits:
        """Returns the limits of NMS's selection: at most `most` boxes, with scores at or above the threshold."""
        # The kernel selects scores >= threshold, `select_boxes` those above it: the float below 0.5 is 0.49999997, and
        # a score of 0.5 is above that.
        threshold = np.nextafter(np.float32(self.options.real("nms_score_threshold")), np.float32(-np.inf))
        return SelectionLimits(self.max_detections, most, const([[[threshold]]], tc.DType.FP32))

    def suppression(self) -> Callable[[tc.Expr], tc.Expr]:
        """Returns a function from a selected box's index [1,1] to a mask [1,N,1] of the boxes it suppresses in NMS."""
        limit = self.options.real("nms_iou_threshold")
        boxes = with_areas(self.corners.part(2, 0, 2), self.corners.part(2, 2, 2))

        # Boxes [0, 0, 2, 2] and [0, 1, 2, 3] share 2 of a union of 6. A limit of 0.3 makes the excess 2 - 1.8 = 0.2, so
        # the second one is suppressed; a limit of 0.4 makes it -0.4. No quotient is rounded.
        def excess(a: tc.Expr, b: tc.Expr) -> tc.Expr:
            """Returns intersection - limit * union of two boxes, above 0 if they overlap too much."""
            areas = overlap(a, b)
            return areas.intersection - areas.union * limit

        excess_at = measure_at(boxes, excess, all_pairs=self.match.options.flatten)

        def suppression_mask(index: tc.Expr) -> tc.Expr:
            """Returns a mask of the box at an index and of those that overlap it too much."""
            excess = excess_at(index)
            return (index_column(self.box_count) == index) | (excess > 0)

        return suppression_mask


class Detections(NamedTuple):
    """The detections of an image: corners [...,4], classes and scores [...,1], 0 behind the last, and [1,1,1] boxes."""

    corners: tc.Expr
    classes: tc.Expr
    scores: tc.Expr
    number: tc.Expr


def detection_postprocess(match: tc.Match) -> list[tc.Expr]:
    """Lowers TFLite_Detection_PostProcess to the detections' boxes, classes and scores, and their number."""
    candidates = _read_candidates(match)
    classes_per_box = candidates.options.integer("max_classes_per_detection")
    count, *_ = affordable((candidates.max_detections * classes_per_box, 4))
    by_class = candidates.options.integer("use_regular_nms")
    if not by_class or classes_per_box > 1:
        match.note(UNFILLED)
    detections = (_select_by_class if by_class else _select_by_best_class)(candidates, classes_per_box)
    return [
        detections.corners.reshape((1, count, 4)),
        detections.classes.reshape((1, count)),
        detections.scores.reshape((1, count)),
        detections.number.cast(tc.DType.FP32).reshape((1,)),
    ]


def unwritten_detections(match: tc.Match, number: int) -> Array:
    """Returns a mask [M] of the detections that LiteRT's kernel leaves unwritten if it selects `number` boxes.

    With use_regular_nms it clears the first `max_detections` entries, but no further ones. Without it, it writes the
    classes of the selected boxes and nothing else.
    """
    options = read_settings(match)
    size, classes_per_box = options.integer("max_detections"), options.integer("max_classes_per_detection")
    positions = np.arange(*affordable([max(size, 0) * max(classes_per_box, 0)]))
    if options.integer("use_regular_nms"):
        return positions >= size
    return (positions >= number * classes_per_box) | (
        positions % max(classes_per_box, 1) >= options.integer("num_classes")
    )


def _read_candidates(match: tc.Match) -> Candidates:
    """Returns TFLite_Detection_PostProcess's decoded boxes and their scores, after checking operands and options.

    Raises:
        Decline: shapes that Prepare and Eval refuse, or options out of range.
    """
    options = read_settings(match)
    boxes, scores, anchors = (_read_floats(match, key) for key in (BOXES, SCORES, ANCHORS))
    classes = options.integer("num_classes")
    shapes = boxes.shape, scores.shape, anchors.shape
    types = f"boxes {boxes.type} with scores {scores.type} and anchors {anchors.type}"
    if list(map(len, shapes)) != [3, 3, 2] or shapes[0][:2] != shapes[1][:2] or shapes[0][2] < 4:
        raise tc.Decline(f"expected boxes [1,N,4 or more], scores [1,N,C] and anchors [N,4], found {types}")
    count, background = boxes.shape[1], scores.shape[2] - classes
    if boxes.shape[0] != 1 or anchors.shape != (count, 4) or not 0 <= background <= 1:
        raise tc.Decline(f"expected 1 image, anchors [N,4] and {classes} or {classes + 1} scores a box, found {types}")
    if not 0 < options.real("nms_iou_threshold") <= 1:
        raise tc.Decline(f"expected an nms_iou_threshold in (0, 1], found {options.real('nms_iou_threshold')}")
    for name in ("num_classes", "max_detections", "max_classes_per_detection"):
        if options.integer(name) < 1:
            raise tc.Decline(f"expected {name} of 1 or more, found {options.integer(name)}")
    scores = scores.part(2, background, classes)  # without the background, the first class if there is one
    scales = [options.real(f"{axis}_scale") for axis in "yxhw"]
    if not all(scales):
        raise tc.Decline(f"expected scales of coordinates other than 0, found {scales}")
    corners = decode_boxes(boxes.part(2, 0, 4), anchors, scales)
    return Candidates(match, corners, scores, options)


def _read_floats(match: tc.Match, key: int) -> tc.Expr:
    """Returns operand `key` as floats; uint8 is dequantized."""
    return dequantize_operand(match, key) if match.source(key).type.dtype is tc.DType.UI8 else match[key]


# ** by the best class of each box **


def _select_by_best_class(candidates: Candidates, classes_per_box: int) -> Detections:
    """Selects boxes by their best scores, as NonMaxSuppressionMultiClassFastHelper does.

    Each selected box gives `classes_per_box` detections, one for each of its best classes.
    """
    match, size, classes = candidates.match, candidates.max_detections, candidates.scores.shape[2]
    suppressed_by = candidates.suppression()
    best = reduce_max(candidates.scores, 2, nan_mode="IGNORE")

    def step(state: State, index: tc.Expr) -> State:
        """Returns the scores after the box at `index` is selected: -infinity for it and those that overlap it."""
        return [strike_out(state[0], suppressed_by(index))]

    limits = candidates.limits(min(size, candidates.box_count))
    selection = select_boxes(limits, [best], step, unroll=match.options.flatten)
    rows = selection.indices.reshape((1, size))
    scores = gather(candidates.scores, rows).reshape((size, classes))
    best_classes = _best_classes(match, scores, min(classes_per_box, classes))
    best_scores = gather(scores.reshape((size, classes, 1)), best_classes)
    is_filled, width = selection.is_filled().reshape((size, 1, 1)), best_classes.shape[1]
    corners = gather(candidates.corners, rows).reshape((size, 1, 4)).tile((1, width, 1))
    best_classes = best_classes.cast(tc.DType.FP32).reshape((size, width, 1))

    def zero_unused_boxes(x: tc.Expr) -> tc.Expr:
        """Sets boxes behind the last one to 0, and appends zeros if boxes have fewer classes than they may."""
        return where(is_filled, x, 0).pad([(0, 0), (0, classes_per_box - width), (0, 0)])

    return Detections(
        zero_unused_boxes(corners), zero_unused_boxes(best_classes), zero_unused_boxes(best_scores), selection.number
    )


def _best_classes(match: tc.Match, scores: tc.Expr, count: int) -> tc.Expr:
    """Returns the indices [R,count] of the largest scores in each row of [R,C]."""
    if count > 1:
        return top_indices(sort_keys(scores, unsigned=False), count, unrolled=match.options.flatten)
    return emit(ops.ARGMAX, scores, axis=1, nan_mode="IGNORE").reshape((scores.shape[0], 1))


# ** by every class **


def _select_by_class(candidates: Candidates, classes_per_box: int) -> Detections:
    """Selects pairs of a class and a box by their scores, as NonMaxSuppressionMultiClassRegularHelper does.

    Scores are listed class by class; of equal scores the first is selected.
    """
    match, size, classes = candidates.match, candidates.max_detections, candidates.scores.shape[2]
    per_class = min(candidates.options.integer("detections_per_class", DETECTIONS_PER_CLASS), size)
    if per_class < 1:
        raise tc.Decline(f"expected detections_per_class of 1 or more, found {per_class}")
    scores = candidates.scores.transpose((0, 2, 1)).reshape((1, classes * candidates.box_count, 1))
    # How many boxes of each class are selected: counted only if a class may be full before the selection ends.
    counts = [const(np.zeros((1, classes, 1)), tc.DType.I32)] if per_class < min(size, candidates.box_count) else []
    limits = candidates.limits(min(size, classes * min(per_class, candidates.box_count)))
    step = _class_step(candidates, per_class)
    selection = select_boxes(limits, [scores, *counts], step, unroll=match.options.flatten)
    is_filled, (class_index, box) = selection.is_filled(), _class_and_box(selection.indices, candidates.box_count)
    corners = gather(candidates.corners, box.reshape((1, size)))

    def zero_unused_boxes(x: tc.Expr) -> tc.Expr:
        """Sets detections behind the last one to 0, and appends zeros up to size * classes_per_box of them."""
        return where(is_filled, x, 0).pad([(0, 0), (0, size * (classes_per_box - 1)), (0, 0)])

    return Detections(
        zero_unused_boxes(corners),
        zero_unused_boxes(class_index.cast(tc.DType.FP32)),
        zero_unused_boxes(selection.scores),
        selection.number,
    )


def _class_step(candidates: Candidates, per_class: int) -> Step:
    """Returns the step of NMS for several classes: it updates the state after a box of a class is selected.

    The state is the scores [1,classes * boxes,1] and, if `per_class` can stop a class before all boxes are selected,
    the number of boxes selected of each class [1,classes,1].
    """
    suppressed_by, classes = candidates.suppression(), candidates.scores.shape[2]

    def step(state: State, index: tc.Expr) -> State:
        """Strikes out boxes of the selected class: those that overlap the selected one, or all of a full class."""
        scores, *counts = state
        class_index, box = _class_and_box(index, candidates.box_count)
        mask = suppressed_by(box).reshape((1, 1, candidates.box_count))
        is_selected_class = index_column(classes) == class_index
        if counts:
            counts = [counts[0] + is_selected_class.cast(tc.DType.I32)]
            mask = mask | (counts[0] >= per_class)
        return [strike_out(scores, (is_selected_class & mask).reshape(scores.shape)), *counts]

    return step


def _class_and_box(index: tc.Expr, count: int) -> tuple[tc.Expr, tc.Expr]:
    """Splits an index into scores [classes * boxes] into class and box; `count` is the number of boxes."""
    # Scores lie class by class: of 100 boxes, index 230 is box 30 of class 2.
    class_index = intdiv(index, count)
    return class_index, index - class_index * count


RULES: tuple[tc.Rule, ...] = (
    tc.Rule(
        "custom.TFLite_Detection_PostProcess",
        "fp32*fp32 ui8*ui8 fp32*ui8 ui8*fp32",
        detection_postprocess,
        of=(BOXES, SCORES),
    ),
)
