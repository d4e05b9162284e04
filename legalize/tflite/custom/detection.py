"""TFLite_Detection_PostProcess: boxes out of anchors, chosen by their classes' scores (detection_postprocess.cc).

Boxes are computed in fp32, where the kernel has doubles; so whether two overlap too much is asked without a division.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Value
from tosa_converter.legalize.operands import affordable
from tosa_converter.legalize.tflite.any_type.ordering import largest, ordered
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
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import Decline, Key, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops

BOXES, SCORES, ANCHORS = range(3)
PER_CLASS = 100  # detections, if the options don't say (kNumDetectionsPerClass)


class Task(NamedTuple):
    """Corners [1,N,4] of boxes, their scores [1,N,C] without the background, and the options."""

    match: Match
    corners: Value
    scores: Value
    options: Settings

    @property
    def boxes(self) -> int:
        """How many there are."""
        return self.corners.type.static[1]

    @property
    def size(self) -> int:
        """How many are chosen at most."""
        return self.options.whole("max_detections")

    def rounds(self, most: int) -> Rounds:
        """A score of the threshold itself is above the float before it."""
        threshold = np.nextafter(np.float32(self.options.real("nms_score_threshold")), np.float32(-np.inf))
        return Rounds(self.size, most, self.match.builder.const([[[threshold]]], DType.FP32))

    def near(self, builder: Builder, excess: Value, place: Value) -> Value:
        """Which boxes [1,N,1] aren't chosen any more: the one at a place [1,1], and those that overlap it too much."""
        same = builder.binary(ops.EQUAL, numbered(builder, self.boxes), place)
        return builder.binary(ops.LOGICAL_OR, same, builder.binary(ops.GREATER, excess, builder.scalar(0, excess)))


class Detections(NamedTuple):
    """Corners [...,4], classes and scores [...,1] of what is found, 0 behind it, and the number [1,1,1] of boxes."""

    corners: Value
    classes: Value
    scores: Value
    number: Value


def detection_postprocess(match: Match) -> list[Value]:
    """Boxes, classes and scores of the detections, and how many there are: all of them floats."""
    build, task = match.builder, _task(match)
    each = task.options.whole("max_classes_per_detection")
    count, *_ = affordable((task.size * each, 4))
    regular = task.options.whole("use_regular_nms")
    if not regular or each > 1:
        match.note("what no detection fills is 0; LiteRT leaves there what its memory was")
    found = _by_class(task, each) if regular else _by_best_class(task, each)
    return [
        build.reshape(found.corners, (1, count, 4)),
        build.reshape(found.classes, (1, count)),
        build.reshape(found.scores, (1, count)),
        build.reshape(build.cast(found.number, DType.FP32), (1,)),
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
    options, build = settings(match), match.builder
    boxes, scores, anchors = (_floats(match, key) for key in (BOXES, SCORES, ANCHORS))
    classes, shapes = options.whole("num_classes"), [value.type.static for value in (boxes, scores, anchors)]
    if list(map(len, shapes)) != [3, 3, 2] or shapes[0][:2] != shapes[1][:2] or shapes[0][2] < 4:
        raise Decline(f"boxes {boxes.type} with scores {scores.type} and anchors {anchors.type}")
    if shapes[0][0] != 1 or shapes[2] != (shapes[0][1], 4) or not 0 <= shapes[1][2] - classes <= 1:
        raise Decline(f"{classes} classes of boxes {boxes.type} with scores {scores.type} and anchors {anchors.type}")
    if not 0 < options.real("nms_iou_threshold") <= 1:
        raise Decline(f"a threshold of overlaps of {options.real('nms_iou_threshold')}")
    if min(classes, options.whole("max_detections"), options.whole("max_classes_per_detection")) < 1:
        raise Decline("no detections: no tensor of TOSA is empty")
    scores = build.part(scores, 2, shapes[1][2] - classes, classes)
    return Task(match, _corners(build, boxes, anchors, options), scores, options)


def _floats(match: Match, key: Key) -> Value:
    return reals(match, key) if match.source(key).type.dtype is DType.UI8 else match[key]


def _corners(builder: Builder, boxes: Value, anchors: Value, options: Settings) -> Value:
    """Of a centre and the logarithm of a size relative to an anchor's (DecodeCenterSizeBoxes): [1,N,4]."""
    scales = [options.real(f"{axis}_scale") for axis in "yxhw"]
    if not all(scales):
        raise Decline(f"coordinates on scales of {scales}")
    inverse = builder.const(1 / np.reshape(scales, (1, 1, 4)), DType.FP32)
    scaled = builder.mul(builder.part(boxes, 2, 0, 4), inverse)
    anchors = builder.reshape(anchors, (1, *anchors.type.static))
    centre, size = builder.part(anchors, 2, 0, 2), builder.part(anchors, 2, 2, 2)
    middle = builder.add(builder.mul(builder.part(scaled, 2, 0, 2), size), centre)
    half = builder.mul(size, builder.scalar(0.5, size))
    half = builder.mul(builder.unary(ops.EXP, builder.part(scaled, 2, 2, 2)), half)
    return builder.concat([builder.sub(middle, half), builder.add(middle, half)], 2)


def _excess(task: Task) -> Callable[[Builder, Value], Value]:
    """By how much each box's intersection with the one at a place is more than the threshold times their union."""
    build, limit = task.match.builder, task.options.real("nms_iou_threshold")
    low, high = build.part(task.corners, 2, 0, 2), build.part(task.corners, 2, 2, 2)

    def measure(builder: Builder, ones: Value, others: Value) -> Value:
        common, union, _ = areas(builder, ones, others)
        return builder.sub(common, builder.mul(union, builder.scalar(limit, union)))

    return neighbours(task.match, table(build, low, high), measure)


# ** by the best class of each box **


def _by_best_class(task: Task, each: int) -> Detections:
    """Boxes are chosen by their best scores, and have their best classes (NonMaxSuppressionMultiClassFastHelper)."""
    build, excess = task.match.builder, _excess(task)
    best = build.reduce(ops.REDUCE_MAX, task.scores, 2, nan_mode="IGNORE")

    def step(builder: Builder, state: State, place: Value) -> State:
        return [struck(builder, task.near(builder, excess(builder, place), place), state[0])]

    chosen = choose(task.match, task.rounds(min(task.size, task.boxes)), [best], step)
    rows = build.reshape(chosen.places, (1, task.size))
    count = task.scores.type.static[2]
    scores = build.reshape(build.gather(task.scores, rows), (task.size, count))
    classes = _best_classes(task.match, scores, min(each, count))
    scores = build.gather(build.reshape(scores, (task.size, count, 1)), classes)
    valid, kept = build.reshape(chosen.valid(build), (task.size, 1, 1)), classes.type.static[1]
    corners = build.tile(build.reshape(build.gather(task.corners, rows), (task.size, 1, 4)), (1, kept, 1))
    classes = build.reshape(build.cast(classes, DType.FP32), (task.size, kept, 1))

    def shown(x: Value) -> Value:
        return build.pad(build.select(valid, x, build.scalar(0, x)), [(0, 0), (0, each - kept), (0, 0)])

    return Detections(shown(corners), shown(classes), shown(scores), chosen.number)


def _best_classes(match: Match, scores: Value, count: int) -> Value:
    """Places [R,count] of the best scores of each row [R,C]."""
    builder = match.builder
    if count > 1:
        return largest(match, ordered(builder, scores, unsigned=False), count)
    return builder.reshape(builder.emit(ops.ARGMAX, scores, axis=1, nan_mode="IGNORE"), (scores.type.static[0], 1))


# ** by every class **


def _by_class(task: Task, each: int) -> Detections:
    """Every class chooses boxes of its own, and the best of all stay (NonMaxSuppressionMultiClassRegularHelper).

    The classes' scores stand one behind the other, so that of equal ones the first class has the first.
    """
    build, classes = task.match.builder, task.scores.type.static[2]
    share = min(task.options.whole("detections_per_class", PER_CLASS), task.size)
    if share < 1:
        raise Decline(f"{share} detections per class")
    every = build.reshape(build.transpose(task.scores, (0, 2, 1)), (1, classes * task.boxes, 1))
    counts = [build.const(np.zeros((1, classes, 1)), DType.I32)] if share < min(task.size, task.boxes) else []
    most = min(task.size, classes * min(share, task.boxes))
    chosen = choose(task.match, task.rounds(most), [every, *counts], _of_class(task, share))
    valid, (kind, box) = chosen.valid(build), _class_and_box(build, chosen.places, task.boxes)
    corners = build.gather(task.corners, build.reshape(box, (1, task.size)))

    def shown(x: Value) -> Value:
        shown = build.select(valid, x, build.scalar(0, x))
        return build.pad(shown, [(0, 0), (0, task.size * (each - 1)), (0, 0)])

    return Detections(shown(corners), shown(build.cast(kind, DType.FP32)), shown(chosen.scores), chosen.number)


def _of_class(task: Task, share: int) -> Step:
    """Boxes near the chosen one are struck out of its class; all of them are, if the class has its share."""
    excess, classes = _excess(task), task.scores.type.static[2]

    def step(builder: Builder, state: State, place: Value) -> State:
        kind, box = _class_and_box(builder, place, task.boxes)
        gone = builder.reshape(task.near(builder, excess(builder, box), box), (1, 1, task.boxes))
        same = builder.binary(ops.EQUAL, numbered(builder, classes), kind)
        rest = []
        if len(state) > 1:
            rest = [builder.add(state[1], builder.cast(same, DType.I32))]
            full = builder.binary(ops.GREATER_EQUAL, rest[0], builder.scalar(share, rest[0]))
            gone = builder.binary(ops.LOGICAL_OR, gone, full)
        gone = builder.reshape(builder.binary(ops.LOGICAL_AND, same, gone), state[0].type.static)
        return [struck(builder, gone, state[0]), *rest]

    return step


def _class_and_box(builder: Builder, places: Value, boxes: int) -> tuple[Value, Value]:
    size = builder.scalar(boxes, places)
    kind = builder.binary(ops.INTDIV, places, size)
    return kind, builder.sub(places, builder.mul(kind, size))


REWRITES: tuple[Rewrite, ...] = (
    Rewrite(
        "custom.TFLite_Detection_PostProcess",
        "fp32*fp32 ui8*ui8 fp32*ui8 ui8*fp32",
        detection_postprocess,
        of=(BOXES, SCORES),
    ),
)
