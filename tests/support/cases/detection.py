"""Cases of box selection by score: NON_MAX_SUPPRESSION and TFLite_Detection_PostProcess, as loops and unrolled.

No two scores are equal, as LiteRT's heap takes equal ones in an order of its own.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from support.cases.case import Case, Row, Rows, custom, ints, tensor
from support.cases.draw import Draw
from support.tflite_models import Tensor
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B

POST_PROCESS = "TFLite_Detection_PostProcess"
SCALES = {"y_scale": 10.0, "x_scale": 10.0, "h_scale": 5.0, "w_scale": 5.0}


def form(d: Draw) -> dict[str, str]:
    """Draws how a conversion treats loops."""
    return {"control_flow": d.among("keep", "flatten")}


def boxes(d: Draw, count: int) -> Array:
    """Draws corners anywhere or on a grid, where overlaps are simple fractions; some boxes are empty or reversed."""
    if d.whole(0, 1):
        return np.asarray(d.rng.integers(0, 5, (count, 4)) / d.among(1, 4), np.float32)
    low = d.rng.uniform(0, 1, (count, 2))
    corners = np.concatenate([low, low + d.rng.uniform(0.1, 0.5, (count, 2))], 1).astype(np.float32)
    return np.asarray(np.where(d.rng.integers(0, 4, (count, 1)) == 0, corners[:, [2, 1, 0, 3]], corners))


def scores(d: Draw, *shape: int) -> Array:
    """Draws distinct scores from 0 to 1."""
    count = int(np.prod(shape))
    return (d.rng.permutation(count).reshape(shape) / count).astype(np.float32)


def scalar(d: Draw, value: float) -> Tensor:
    return d.either(d.of(np.asarray(value, np.float32), "fp32"))


def suppression(d: Draw) -> Case:
    """Draws NON_MAX_SUPPRESSION_V4."""
    count = d.whole(1, 14)
    operands = [
        d.of(boxes(d, count)),
        d.of(scores(d, count)),
        d.ints(d.whole(1, 8)),
        scalar(d, d.among(0, 0.25, 1 / 3, 0.5, 1, 1.5)),
        scalar(d, d.among(-1, 0, 0.1, 0.4)),
    ]
    return Case(B.NON_MAX_SUPPRESSION_V4, operands, [d.result("i32"), d.result("i32")], conversion=form(d))


def soft_suppression(d: Draw) -> Case:
    """Draws NON_MAX_SUPPRESSION_V5; no score is below 0."""
    case = suppression(d)
    operands = [*case.operands, scalar(d, d.among(0, 0.2, 0.5, 1))]
    results = [d.result("i32"), d.result("fp32"), d.result("i32")]
    return replace(case, builtin=B.NON_MAX_SUPPRESSION_V5, operands=operands, results=results)


def post_process(d: Draw) -> Case:
    """Draws both kinds of suppression, with and without a background class, and with keypoints behind the boxes."""
    count, classes = d.whole(2, 16), d.whole(1, 4)
    options = {
        "max_detections": d.whole(1, 8),
        "max_classes_per_detection": d.whole(1, 3),
        "num_classes": classes,
        "nms_score_threshold": float(d.among(0, 0.2, 0.5)),
        "nms_iou_threshold": float(d.among(0.3, 0.5, 1)),
        **d.among(SCALES, dict.fromkeys(SCALES, 1.0)),
        "use_regular_nms": bool(d.whole(0, 1)),
        **({"detections_per_class": d.whole(1, 5)} if d.whole(0, 1) else {}),
    }
    sizes = d.rng.uniform(0.1, 0.5, (count, 2))
    anchors = np.concatenate([d.rng.uniform(0, 1, (count, 2)), sizes], 1).astype(np.float32)
    encoded = d.rng.uniform(-1, 1, (1, count, 4 + d.among(0, 3))).astype(np.float32) * np.float32(options["h_scale"])
    kinds = [d.types[0], d.types[1], d.types[0]]
    arrays = [encoded, scores(d, 1, count, classes + d.whole(0, 1)), anchors]
    fed = [_stored(d, array, kind) for array, kind in zip(arrays, kinds, strict=True)]
    return Case(
        B.CUSTOM,
        [*fed[:2], d.either(fed[2])],
        [d.result("fp32") for _ in range(4)],
        options,
        custom_code=POST_PROCESS,
        conversion=form(d),
        settled=lambda results: filled(options, results),
    )


def _stored(d: Draw, array: Array, type: str) -> Tensor:
    if type == "fp32":
        return d.of(array, type)
    low, high = min(array.min(), 0), max(array.max(), 0)
    scale = np.float32((high - low) / 255)
    zero_point = int(np.rint(-low / scale))
    levels = np.clip(np.rint(array / scale) + zero_point, 0, 255).astype(np.uint8)
    return d.of(levels, type, scale=scale, zero_point=zero_point)


def filled(options: dict[str, Any], results: list[Array]) -> list[Array]:
    """Returns the results with 0 where the kernel writes nothing."""
    corners, classes, scores, number = results
    size, classes_per_box = options["max_detections"], options["max_classes_per_detection"]
    if options["use_regular_nms"]:
        written = np.arange(size * classes_per_box) < size
    else:
        class_exists = np.arange(classes_per_box) < options["num_classes"]
        written = np.ravel((np.arange(size) < number)[:, None] & class_exists)
    shown = np.where(written[:, None], corners, 0)
    return [shown, *(np.where(written, x, 0) for x in (classes, scores)), number]


BOXES, SCORES, COUNT = tensor("float32", (3, 4)), tensor("float32", (3,)), ints(2, shape=())
IOU, SCORE, SIGMA = (Tensor((), data=np.array(value, np.float32)) for value in (0.5, 0.1, 0.5))
INDICES, KEPT_SCORES, KEPT = tensor("int32", (2,)), tensor("float32", (2,)), tensor("int32", ())
DETECTION = {
    "max_detections": 2, "max_classes_per_detection": 1, "num_classes": 2, "detections_per_class": 1,
    "nms_score_threshold": 0.1, "nms_iou_threshold": 0.5, **SCALES,
}  # fmt: skip
ROWS: Rows = {
    B.NON_MAX_SUPPRESSION_V4: Row(
        suppression, [Case(B.NON_MAX_SUPPRESSION_V4, (BOXES, SCORES, COUNT, IOU, SCORE), (INDICES, KEPT))]
    ),
    B.NON_MAX_SUPPRESSION_V5: Row(
        soft_suppression,
        [
            Case(
                B.NON_MAX_SUPPRESSION_V5,
                (BOXES, SCORES, COUNT, IOU, SCORE, SIGMA),
                (INDICES, KEPT_SCORES, KEPT),
            )
        ],
    ),
    f"custom.{POST_PROCESS}": Row(
        post_process,
        [
            custom(POST_PROCESS, [(1, 3, 4), (1, 3, 3), (3, 4)], {**DETECTION, "use_regular_nms": regular}, results=4)
            for regular in (False, True)
        ],
    ),
}
