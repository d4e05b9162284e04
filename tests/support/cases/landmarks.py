"""Cases of MediaPipe's operators on landmarks, in both versions."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from support import mediapipe_operators as published
from support.cases.case import IMAGE, Case, Network, Row, Rows, custom
from support.cases.draw import Draw
from support.tflite_models import Tensor
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B


def network(
    code: str, operands: Sequence[Tensor], options: dict[str, Any], *expected: Array, raw: bytes | None = None
) -> Network:
    """Returns a custom operator with options as a map, or raw ones, and the result of a formula."""
    results = [Tensor(array.shape, str(array.dtype)) for array in expected]
    case = Case(B.CUSTOM, operands, results, options, custom_code=code, custom_options=raw if options or raw else b"")
    return Network(*case.model(), list(expected))


def either_but_one(d: Draw, operands: list[Tensor]) -> list[Tensor]:
    """Returns the operands, all but one of which may be constants."""
    unchanged = d.whole(0, len(operands) - 1)
    return [operand if i == unchanged else d.either(operand) for i, operand in enumerate(operands)]


def matrix(d: Draw) -> Network:
    """Draws landmarks in pixels; the first version rotates by less than a right angle."""
    count = d.whole(4, 20)
    points = d.rng.uniform(0, 192, (count, 3)).astype(np.float32)
    left, right, *_ = d.rng.permutation(count)
    ends = {"left_rotation_idx": int(left), "right_rotation_idx": int(right)}
    subset = d.rng.integers(0, count, d.whole(2, 9)).tolist()
    if d.whole(0, 1):
        options = {
            **ends,
            "dimensions": 3,
            "landmarks_range": 192,
            "bbox_size_multiplier": 1.5,
            "input_hw": [d.whole(2, 64), d.whole(2, 64)],
            "output_hw": [d.whole(2, 16), d.whole(2, 16)],
            "subset": subset,
        }
        x = points.reshape(1, 1, 1, -1)
        return network(MATRIX, [d.of(x)], options, published.matrix_of_first(x, options))
    options = {
        **ends,
        "target_rotation_radians": float(d.among(0, 0.5, -2)),
        "output_height": d.whole(1, 16),
        "output_width": d.whole(1, 16),
        "scale_x": 1.5,
        "scale_y": float(d.among(1, 2.5)),
        "subset_idxs": subset,
    }
    return network(MATRIX, [d.of(points[None])], options, published.matrix(points, options))


def planar(d: Draw, size: Sequence[int]) -> Array:
    """Draws a matrix that maps most of a small output into an image, or the identity."""
    if d.whole(0, 4) == 0:
        return np.eye(4, dtype=np.float32)[None]
    height, width = size
    turn = published.rotation(d.rng.uniform(-3, 3)) * d.rng.uniform(0.2, 1.5)
    move = published.placed(width / 2, height / 2)
    return published.square(move @ turn @ published.placed(-width / 4, -height / 4))


def tensor_bilinear(d: Draw) -> Network:
    """Draws parts of an image, some of them outside."""
    x = d.values((1, *d.shape(2, 2, 9), d.whole(1, 4)))
    turn, size = planar(d, x.shape[1:3]), d.shape(2, 2, 8)
    operands = either_but_one(d, [d.of(x), d.of(turn)])
    options = dict(zip(("output_height", "output_width"), size, strict=True))
    return network("TransformTensorBilinear", operands, options, published.image(x, turn, size))


def tensor(d: Draw) -> Network:
    """Draws parts of an image with the options of version 1."""
    x = d.values((1, *d.shape(2, 2, 9), d.whole(1, 4)))
    turn, size = planar(d, x.shape[1:3]), d.shape(2, 2, 8)
    operands = either_but_one(d, [d.of(x), d.of(turn)])
    options = {"output_size": list(size), "mode": "bilinear"}
    return network("TransformTensor", operands, options, published.image(x, turn, size, 0))


def points(d: Draw) -> Network:
    """Draws points of two or three dimensions; version 1 scales them."""
    count, dimensions = d.whole(1, 20), d.whole(2, 3)
    turn = planar(d, (48, 48))
    if d.whole(0, 1):
        x = d.values((1, d.whole(1, 2), 1, count * dimensions))
        options = {"dimensions": dimensions, "scale": float(d.among(1, 0.5, 192))}
        expected = published.landmarks(x, turn, dimensions, options["scale"])
    else:
        x, options = d.values((1, count, dimensions)), {}
        expected = published.landmarks(x, turn, dimensions)
    return network("TransformLandmarks", either_but_one(d, [d.of(x), d.of(turn)]), options, expected)


MATRIX = "Landmarks2TransformMatrix"
MATRIX = "Landmarks2TransformMatrix"
ENDS = {"left_rotation_idx": 0, "right_rotation_idx": 1}
BOX = {"output_height": 2, "output_width": 3}
TURN: dict[str, Any] = {**ENDS, **BOX, "target_rotation_radians": 0.0, "scale_x": 1.5, "scale_y": 1.5}
SIZES = {"input_hw": (4, 4), "output_hw": (2, 3), "subset": (0, 2)}
FIRST: dict[str, Any] = {**ENDS, "dimensions": 3, "landmarks_range": 8, "bbox_size_multiplier": 1.5, **SIZES}
ROWS: Rows = {
    f"custom.{MATRIX}": Row(
        matrix,
        [custom(MATRIX, [(1, 3, 3)], {**TURN, "subset_idxs": (0, 1, 2)}), custom(MATRIX, [(1, 1, 1, 9)], FIRST)],
    ),
    "custom.TransformTensorBilinear": Row(
        tensor_bilinear, [custom("TransformTensorBilinear", [IMAGE, (1, 4, 4)], BOX)]
    ),
    "custom.TransformTensor": Row(
        tensor,
        [custom("TransformTensor", [IMAGE, (1, 4, 4)], {"output_size": (2, 3), "mode": "bilinear"})],
    ),
    "custom.TransformLandmarks": Row(
        points,
        [
            custom("TransformLandmarks", [(1, 3, 2), (1, 4, 4)], {}),
            custom("TransformLandmarks", [(1, 1, 1, 6), (1, 4, 4)], {"dimensions": 3, "scale": 2.0}),
        ],
    ),
}
