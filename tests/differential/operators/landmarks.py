"""MediaPipe's operators on landmarks, in both versions."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from flatbuffers import flexbuffers
from support import mediapipe_operators as published
from support.tflite_models import Tensor

from differential.case import Case, Draw, Network, Operand
from differential.operators import Drawing
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B


def network(
    code: str, operands: Sequence[Operand], options: dict[str, Any], *expected: Array, raw: bytes | None = None
) -> Network:
    """A custom operator with options as a map, or raw ones, and what a formula gives."""
    packed = bytes(flexbuffers.Dumps(options)) if options else b""
    results = [Operand(Tensor(array.shape, str(array.dtype))) for array in expected]
    case = Case(B.CUSTOM, operands, results, custom_code=code, custom_options=packed if raw is None else raw)
    return Network(*case.model(), list(expected))


def either_but_one(d: Draw, operands: list[Operand]) -> list[Operand]:
    """All but one of them may be constants."""
    kept = d.whole(0, len(operands) - 1)
    return [operand if i == kept else d.either(operand) for i, operand in enumerate(operands)]


def matrix(d: Draw) -> Network:
    """Landmarks in pixels; the first version turns by less than a right angle."""
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
    """A matrix that takes most of a small output into an image, or one that changes nothing."""
    if d.whole(0, 4) == 0:
        return np.eye(4, dtype=np.float32)[None]
    height, width = size
    turn = published.rotation(d.rng.uniform(-3, 3)) * d.rng.uniform(0.2, 1.5)
    move = published.placed(width / 2, height / 2)
    return published.square(move @ turn @ published.placed(-width / 4, -height / 4))


def tensor_bilinear(d: Draw) -> Network:
    """Parts of an image, some of them outside."""
    x = d.values((1, *d.shape(2, 2, 9), d.whole(1, 4)))
    turn, size = planar(d, x.shape[1:3]), d.shape(2, 2, 8)
    operands = either_but_one(d, [d.of(x), d.of(turn)])
    options = dict(zip(("output_height", "output_width"), size, strict=True))
    return network("TransformTensorBilinear", operands, options, published.image(x, turn, size))


def tensor(d: Draw) -> Network:
    """The same with the options of version 1."""
    x = d.values((1, *d.shape(2, 2, 9), d.whole(1, 4)))
    turn, size = planar(d, x.shape[1:3]), d.shape(2, 2, 8)
    operands = either_but_one(d, [d.of(x), d.of(turn)])
    options = {"output_size": list(size), "mode": "bilinear"}
    return network("TransformTensor", operands, options, published.image(x, turn, size, 0))


def points(d: Draw) -> Network:
    """In two or three dimensions, with a scale in version 1."""
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
DRAWS: dict[str, Drawing] = {
    f"custom.{MATRIX}": matrix,
    "custom.TransformTensorBilinear": tensor_bilinear,
    "custom.TransformTensor": tensor,
    "custom.TransformLandmarks": points,
}
