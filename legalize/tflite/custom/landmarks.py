"""MediaPipe's operators on landmarks (mediapipe/util/tflite/operations).

Landmarks2TransformMatrix finds the rotated rectangle around some landmarks, as a matrix; TransformTensorBilinear (and
TransformTensor, which counts pixels from their corners) cuts it out of an image; TransformLandmarks takes points out of
it. Versions are told apart by ranks and options, in which they differ.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.limits import affordable
from tosa_converter.legalize.ops.index import gather_rows
from tosa_converter.legalize.tflite.custom.options import Settings, settings
from tosa_converter.rewriting.expr import Expr, const, floor, maximum, minimum, rsqrt, scalar, where
from tosa_converter.rewriting.operators import concat, gather, matmul, reduce, reduce_all, reduce_sum
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops

# ** Landmarks2TransformMatrix **


class Crop(NamedTuple):
    """How the rectangle of landmarks and an output image lie on each other, by x and y.

    An output point plus `shift`, times `scale` and the rectangle's size, is rotated; `centre` times the rectangle's is
    added; all that times `unit` is the point of the input.
    """

    subset: Sequence[int]
    shift: tuple[float, float]
    scale: tuple[float, float]
    centre: float = 1
    unit: tuple[float, float] = (1, 1)


def landmarks_to_matrix(match: Match) -> Expr:
    """Landmarks2TransformMatrix of [1,1,1,3N] (version 1) or [1,N,3] (version 2): [1,4,4]."""
    x, options = match[0], settings(match)
    first = x.rank == 4
    if x.size % 3 or x.shape[:-1] != ((1, 1, 1) if first else (1, x.size // 3)):
        raise Decline(f"landmarks of shape {list(x.shape)}")
    points = x.reshape((1, x.size // 3, 3))
    ends = [options.whole(f"{side}_rotation_idx") for side in ("left", "right")]
    turn = _turn(points, ends, 0 if first else options.real("target_rotation_radians"), halved=first)
    return _matrix(points, turn, _crop_of_first(options) if first else _crop(options))


def _crop(options: Settings) -> Crop:
    width, height = size = _positive(options, "output_width", "output_height")
    scale = tuple(map(options.real, ("scale_x", "scale_y")))
    if min(scale) <= 0:
        raise Decline(f"a rectangle times {scale}")
    return Crop(options.integers("subset_idxs"), (-width / 2, -height / 2), (scale[0] / size[0], scale[1] / size[1]))


def _crop_of_first(options: Settings) -> Crop:
    """Both images are from -1 to 1 between the middles of their outermost pixels."""
    (height, width), (rows, columns) = (options.integers(f"{side}_hw", 2) for side in ("output", "input"))
    span, larger = options.whole("landmarks_range"), options.real("bbox_size_multiplier")
    if min(width, height) < 2 or min(rows, columns, span) < 1 or not larger or options.whole("dimensions") != 3:
        raise Decline("options that are out of range")
    return Crop(
        options.integers("subset"),
        (-(width - 1) / 2, -(height - 1) / 2),
        (2 * larger / span / (width - 1), 2 * larger / span / (height - 1)),
        2 / span,
        ((columns - 1) / 2, (rows - 1) / 2),
    )


def _positive(options: Settings, *keys: str) -> list[int]:
    values = list(map(options.whole, keys))
    if min(values) < 1:
        raise Decline(f"{' by '.join(map(str, values))} as {' by '.join(keys)}")
    return affordable(values)


def _points(points: Expr, numbers: Sequence[int]) -> Expr:
    """X and y of some of the points [1,N,3]."""
    indices = const(np.array(numbers).reshape(1, -1), DType.I32)
    return gather_rows(points, indices).part(2, 0, 2)


def _turn(points: Expr, ends: Sequence[int], target: float, *, halved: bool) -> Expr:
    """[[cos, sin], [-sin, cos]] of the angle to the target, [1,2,2], out of the direction from one point to the other.

    `halved` takes the direction to the right, as atan of a quotient has it. No direction is that of the x axis.
    """
    left, right = (_points(points, [end]) for end in ends)
    along = right - left
    if halved:
        rightwards = along.part(2, 0, 1) < 0
        along = where(rightwards, -along, along)
    square = reduce_sum(along * along, 2)
    nowhere = square == 0
    along = where(nowhere, const([[[1, 0]]], DType.FP32), along)
    inverse = rsqrt(where(nowhere, 1, square))
    cos, sin = np.cos(target), np.sin(target)
    rows = const([[[cos, sin], [sin, -cos]]], DType.FP32)  # cos and sin of target - angle, from those of angle
    angle = matmul(along * inverse, rows)
    other = concat([-angle.part(2, 1, 1), angle.part(2, 0, 1)], 2)
    return concat([angle, other], 1)


def _matrix(points: Expr, turn: Expr, crop: Crop) -> Expr:
    if not crop.subset:
        raise Decline("a rectangle around no landmarks")
    turned = matmul(_points(points, crop.subset), turn)
    low, high = (reduce(row, turned, 1, nan_mode="PROPAGATE") for row in (ops.REDUCE_MIN, ops.REDUCE_MAX))
    middle = (low + high) * (0.5 * crop.centre)
    middle = matmul(middle, turn.transpose((0, 2, 1)))
    spans = (high - low) * const([[crop.scale]], DType.FP32)
    linear = turn * spans
    moved = reduce_sum(linear * const([[crop.shift]], DType.FP32), 2)
    moved = moved + middle.reshape((1, 2, 1))
    upper = concat([linear, const(np.zeros((1, 2, 1)), DType.FP32), moved], 2)
    if crop.unit != (1, 1):
        upper = upper * const([[[unit] for unit in crop.unit]], DType.FP32)
    return concat([upper, const(np.eye(4)[None, 2:], DType.FP32)], 1)


# ** what a matrix does **


def _rows(match: Match) -> Expr:
    """The rows [1,2,4] of x and y."""
    matrix = match[1]
    if matrix.size != 16:
        raise Decline(f"a matrix of shape {list(matrix.shape)}")
    return matrix.reshape((1, 4, 4)).part(1, 0, 2)


def transform_tensor_bilinear(match: Match) -> Expr:
    """TransformTensorBilinear, version 2: the middles of pixels are at halves."""
    return _transformed(match, _positive(settings(match), "output_height", "output_width"), 0.5)


def transform_tensor(match: Match) -> Expr:
    """TransformTensor: pixels are at whole numbers."""
    options = settings(match)
    size = options.integers("output_size", 2)
    if min(size) < 1 or options.values.get("mode", "bilinear") != "bilinear":
        raise Decline(f"an output of {size}, {options.values.get('mode', 'bilinear')}")
    return _transformed(match, affordable(size), 0)


def _transformed(match: Match, size: Sequence[int], half: float) -> Expr:
    """The image at the output's pixels, each between four; outside of the outermost middles it is 0."""
    x, (height, width) = match[0], size
    if x.rank != 4 or x.shape[0] != 1:
        raise Decline(f"an image of shape {list(x.shape)}")
    places = _places(_rows(match), size, half)
    limits = const(np.array(x.shape[2:0:-1]).reshape(1, 2, 1) - 1, DType.FP32)
    zero, whole = scalar(0, places), floor(places)
    inside = (places >= zero) & (limits >= places)
    inside = reduce_all(inside, 1).reshape((1, height * width, 1))
    near = minimum(maximum(whole, zero, "IGNORE"), limits)
    far = minimum(near + 1, limits)
    y = _between(x, (near, far), places - whole)
    y = where(inside, y, 0)
    return y.reshape((1, height, width, x.shape[3]))


def _places(rows: Expr, size: Sequence[int], half: float) -> Expr:
    """X and y in the input of the output's pixels [1,2,P], in the order of the kernel's sums."""
    by_x, by_y, offset = (rows.part(2, index, 1) for index in (0, 1, 3))
    if half:
        more = (by_x + by_y) * half - half
        offset = offset + more
    y, x = (const(axis.reshape(1, 1, -1), DType.FP32) for axis in np.indices(size))
    return by_x * x + by_y * y + offset


def _between(x: Expr, corners: Sequence[Expr], share: Expr) -> Expr:
    """The elements of an image between pixels at two corners [1,2,P], [1,P,C]."""
    _, height, width, channels = x.shape
    rows, count = x.reshape((1, height * width, channels)), share.shape[2]
    places = [corner.cast(DType.I32) for corner in corners]
    columns, lines = ([place.part(1, axis, 1) for place in places] for axis in (0, 1))
    starts = [line * width for line in lines]
    right, lower = (share.part(1, axis, 1).reshape((1, count, 1)) for axis in (0, 1))

    def mixed(a: Expr, b: Expr, weight: Expr) -> Expr:
        rest = 1 - weight
        return a * rest + b * weight

    def line(start: Expr) -> Expr:
        ends = ((start + column).reshape((1, count)) for column in columns)
        one, other = (gather(rows, end) for end in ends)
        return mixed(one, other, right)

    return mixed(line(starts[0]), line(starts[1]), lower)


def transform_landmarks(match: Match) -> Expr:
    """TransformLandmarks of [1,H,W,K * dimensions] (version 1) or [1,N,dimensions] (version 2); z stays as it is."""
    x, scale = match[0], 1.0
    size = x.shape[-1] if x.rank else 0
    if x.rank == 4:
        options = settings(match)
        size, scale = options.whole("dimensions", 3), options.real("scale", 1)
    fits = x.rank in (3, 4) and x.shape[0] == 1 and size in (2, 3) and not x.shape[-1] % size
    if not fits or not scale:
        raise Decline(f"landmarks of shape {list(x.shape)} in {size} dimensions, on a scale of {scale}")
    points = x.reshape((1, x.size // size, size))
    rows = _rows(match).transpose((0, 2, 1))
    by_x, by_y, offset = (rows.part(1, index, 1) for index in (0, 1, 3))
    offset = offset if scale == 1 else offset * scale
    across, down = (points.part(2, axis, 1) for axis in (0, 1))
    made = across * by_x + down * by_y + offset
    made = made if size == 2 else concat([made, points.part(2, 2, 1)], 2)
    return made.reshape(x.shape)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("custom.Landmarks2TransformMatrix", "fp32", landmarks_to_matrix),
    Rewrite("custom.TransformTensorBilinear", "fp32*fp32", transform_tensor_bilinear, of=(0, 1)),
    Rewrite("custom.TransformTensor", "fp32*fp32", transform_tensor, of=(0, 1)),
    Rewrite("custom.TransformLandmarks", "fp32*fp32", transform_landmarks, of=(0, 1)),
)
