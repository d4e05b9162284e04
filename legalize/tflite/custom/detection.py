"""TFLite_Detection_PostProcess: boxes out of anchors, chosen by their classes' scores (detection_postprocess.cc).

Boxes are computed in fp32, where the kernel has doubles; so whether two overlap too much is asked without a division.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.limits import affordable
from tosa_converter.legalize.ops.order import largest_places, sort_keys
from tosa_converter.legalize.tflite.custom.options import Settings, settings
from tosa_converter.legalize.tflite.custom.suppression import (
    Rounds,
    State,
    Step,
    areas,
    choose,
    neighbours,
    numbered,
    struck,
    table,
)
from tosa_converter.legalize.tflite.quantized.borders import reals
from tosa_converter.rewriting.expr import Expr, const, emit, exp, intdiv, scalar, where
from tosa_converter.rewriting.operators import concat, gather, reduce_max
from tosa_converter.rewriting.rewrite import Decline, Key, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops

BOXES, SCORES, ANCHORS = range(3)
PER_CLASS = 100  # detections, if the options don't say (kNumDetectionsPerClass)


class Task(NamedTuple):
    """Corners [1,N,4] of boxes, their scores [1,N,C] without the background, and the options."""

    match: Match
    corners: Expr
    scores: Expr
    options: Settings

    @property
    def boxes(self) -> int:
        """How many there are."""
        return self.corners.shape[1]

    @property
    def size(self) -> int:
        """How many are chosen at most."""
        return self.options.whole("max_detections")

    def rounds(self, most: int) -> Rounds:
        """A score of the threshold itself is above the float before it."""
        threshold = np.nextafter(np.float32(self.options.real("nms_score_threshold")), np.float32(-np.inf))
        return Rounds(self.size, most, const([[[threshold]]], DType.FP32))

    def near(self, excess: Expr, place: Expr) -> Expr:
        """Which boxes [1,N,1] aren't chosen any more: the one at a place [1,1], and those that overlap it too much."""
        same = numbered(self.boxes) == place
        return same | (excess > 0)


class Detections(NamedTuple):
    """Corners [...,4], classes and scores [...,1] of what is found, 0 behind it, and the number [1,1,1] of boxes."""

    corners: Expr
    classes: Expr
    scores: Expr
    number: Expr


def detection_postprocess(match: Match) -> list[Expr]:
    """Boxes, classes and scores of the detections, and how many there are: all of them floats."""
    task = _task(match)
    each = task.options.whole("max_classes_per_detection")
    count, *_ = affordable((task.size * each, 4))
    regular = task.options.whole("use_regular_nms")
    if not regular or each > 1:
        match.note("what no detection fills is 0; LiteRT leaves there what its memory was")
    found = _by_class(task, each) if regular else _by_best_class(task, each)
    return [
        found.corners.reshape((1, count, 4)),
        found.classes.reshape((1, count)),
        found.scores.reshape((1, count)),
        found.number.cast(DType.FP32).reshape((1,)),
    ]


def unfilled(match: Match, number: int) -> Array:
    """Which of the detections [M] the kernel leaves as its memory was, where it finds so many boxes.

    By class it clears as many as it gives; by the best class it writes what it finds.
    """
    options = settings(match)
    size, each = options.whole("max_detections"), options.whole("max_classes_per_detection")
    places = np.arange(*affordable([max(size, 0) * max(each, 0)]))
    if options.whole("use_regular_nms"):
        return places >= size
    return (places >= number * each) | (places % max(each, 1) >= options.whole("num_classes"))


def _task(match: Match) -> Task:
    """The operands of the sizes that Prepare and Eval demand.

    Raises:
        Decline: they have others, or the options are out of range.
    """
    options = settings(match)
    boxes, scores, anchors = (_floats(match, key) for key in (BOXES, SCORES, ANCHORS))
    classes, shapes = options.whole("num_classes"), [value.shape for value in (boxes, scores, anchors)]
    if list(map(len, shapes)) != [3, 3, 2] or shapes[0][:2] != shapes[1][:2] or shapes[0][2] < 4:
        raise Decline(f"boxes {boxes.type} with scores {scores.type} and anchors {anchors.type}")
    if shapes[0][0] != 1 or shapes[2] != (shapes[0][1], 4) or not 0 <= shapes[1][2] - classes <= 1:
        raise Decline(f"{classes} classes of boxes {boxes.type} with scores {scores.type} and anchors {anchors.type}")
    if not 0 < options.real("nms_iou_threshold") <= 1:
        raise Decline(f"a threshold of overlaps of {options.real('nms_iou_threshold')}")
    if min(classes, options.whole("max_detections"), options.whole("max_classes_per_detection")) < 1:
        raise Decline("no detections: no tensor of TOSA is empty")
    scores = scores.part(2, shapes[1][2] - classes, classes)
    return Task(match, _corners(boxes, anchors, options), scores, options)


def _floats(match: Match, key: Key) -> Expr:
    return reals(match, key) if match.source(key).type.dtype is DType.UI8 else match[key]


def _corners(boxes: Expr, anchors: Expr, options: Settings) -> Expr:
    """Of a centre and the logarithm of a size relative to an anchor's (DecodeCenterSizeBoxes): [1,N,4]."""
    scales = [options.real(f"{axis}_scale") for axis in "yxhw"]
    if not all(scales):
        raise Decline(f"coordinates on scales of {scales}")
    inverse = const(1 / np.reshape(scales, (1, 1, 4)), DType.FP32)
    scaled = boxes.part(2, 0, 4) * inverse
    anchors = anchors.reshape((1, *anchors.shape))
    centre, size = anchors.part(2, 0, 2), anchors.part(2, 2, 2)
    middle = scaled.part(2, 0, 2) * size + centre
    half = size * 0.5
    half = exp(scaled.part(2, 2, 2)) * half
    return concat([middle - half, middle + half], 2)


def _excess(task: Task) -> Callable[[Expr], Expr]:
    """By how much each box's intersection with the one at a place is more than the threshold times their union."""
    limit = task.options.real("nms_iou_threshold")
    low, high = task.corners.part(2, 0, 2), task.corners.part(2, 2, 2)

    def measure(ones: Expr, others: Expr) -> Expr:
        common, union, _ = areas(ones, others)
        return common - union * limit

    return neighbours(task.match, table(low, high), measure)


# ** by the best class of each box **


def _by_best_class(task: Task, each: int) -> Detections:
    """Boxes are chosen by their best scores, and have their best classes (NonMaxSuppressionMultiClassFastHelper)."""
    excess = _excess(task)
    best = reduce_max(task.scores, 2, nan_mode="IGNORE")

    def step(state: State, place: Expr) -> State:
        return [struck(task.near(excess(place), place), state[0])]

    chosen = choose(task.match, task.rounds(min(task.size, task.boxes)), [best], step)
    rows = chosen.places.reshape((1, task.size))
    count = task.scores.shape[2]
    scores = gather(task.scores, rows).reshape((task.size, count))
    classes = _best_classes(task.match, scores, min(each, count))
    scores = gather(scores.reshape((task.size, count, 1)), classes)
    valid, kept = chosen.valid().reshape((task.size, 1, 1)), classes.shape[1]
    corners = gather(task.corners, rows).reshape((task.size, 1, 4)).tile((1, kept, 1))
    classes = classes.cast(DType.FP32).reshape((task.size, kept, 1))

    def shown(x: Expr) -> Expr:
        return where(valid, x, 0).pad([(0, 0), (0, each - kept), (0, 0)])

    return Detections(shown(corners), shown(classes), shown(scores), chosen.number)


def _best_classes(match: Match, scores: Expr, count: int) -> Expr:
    """Places [R,count] of the best scores of each row [R,C]."""
    if count > 1:
        return largest_places(sort_keys(scores, unsigned=False), count, unrolled=match.options.flatten)
    return emit(ops.ARGMAX, scores, axis=1, nan_mode="IGNORE").reshape((scores.shape[0], 1))


# ** by every class **


def _by_class(task: Task, each: int) -> Detections:
    """Every class chooses boxes of its own, and the best of all stay (NonMaxSuppressionMultiClassRegularHelper).

    The classes' scores stand one behind the other, so that of equal ones the first class has the first.
    """
    classes = task.scores.shape[2]
    share = min(task.options.whole("detections_per_class", PER_CLASS), task.size)
    if share < 1:
        raise Decline(f"{share} detections per class")
    every = task.scores.transpose((0, 2, 1)).reshape((1, classes * task.boxes, 1))
    counts = [const(np.zeros((1, classes, 1)), DType.I32)] if share < min(task.size, task.boxes) else []
    most = min(task.size, classes * min(share, task.boxes))
    chosen = choose(task.match, task.rounds(most), [every, *counts], _of_class(task, share))
    valid, (kind, box) = chosen.valid(), _class_and_box(chosen.places, task.boxes)
    corners = gather(task.corners, box.reshape((1, task.size)))

    def shown(x: Expr) -> Expr:
        shown = where(valid, x, 0)
        return shown.pad([(0, 0), (0, task.size * (each - 1)), (0, 0)])

    return Detections(shown(corners), shown(kind.cast(DType.FP32)), shown(chosen.scores), chosen.number)


def _of_class(task: Task, share: int) -> Step:
    """Boxes near the chosen one are struck out of its class; all of them are, if the class has its share."""
    excess, classes = _excess(task), task.scores.shape[2]

    def step(state: State, place: Expr) -> State:
        kind, box = _class_and_box(place, task.boxes)
        gone = task.near(excess(box), box).reshape((1, 1, task.boxes))
        same = numbered(classes) == kind
        rest = []
        if len(state) > 1:
            rest = [state[1] + same.cast(DType.I32)]
            full = rest[0] >= share
            gone = gone | full
        gone = (same & gone).reshape(state[0].shape)
        return [struck(gone, state[0]), *rest]

    return step


def _class_and_box(places: Expr, boxes: int) -> tuple[Expr, Expr]:
    size = scalar(boxes, places)
    kind = intdiv(places, size)
    return kind, places - kind * size


REWRITES: tuple[Rewrite, ...] = (
    Rewrite(
        "custom.TFLite_Detection_PostProcess",
        "fp32*fp32 ui8*ui8 fp32*ui8 ui8*fp32",
        detection_postprocess,
        of=(BOXES, SCORES),
    ),
)
