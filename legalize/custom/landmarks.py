"""MediaPipe's operators on landmarks (mediapipe/util/tflite/operations).

Landmarks2TransformMatrix computes the rotated rectangle around some landmarks, as a matrix; TransformTensorBilinear and
TransformTensor cut it out of an image; TransformLandmarks moves points out of it. Versions of an operator differ in
ranks and options.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

import tosa_converter as tc
from tosa_converter.legalize.custom.options import Settings, read_settings
from tosa_converter.legalize.limits import affordable
from tosa_converter.legalize.ops.affine import pixel_positions, sample_bilinear, transform_points
from tosa_converter.legalize.ops.index import gather_rows
from tosa_converter.rewriting.expr import const, rsqrt, where
from tosa_converter.rewriting.operators import concat, matmul, reduce_max, reduce_min, reduce_sum

# ** Landmarks2TransformMatrix **


class Crop(NamedTuple):
    """How points of an output image map to points of the input image, as (x, y) pairs.

    An output point p is moved to rotation((p + output_shift) * scale * size) + centre * centre_scale, where size and
    centre are those of the rectangle; all that times `input_scale` is the point of the input.
    """

    landmarks: Sequence[int]
    output_shift: tuple[float, float]
    scale: tuple[float, float]
    centre_scale: float = 1
    input_scale: tuple[float, float] = (1, 1)


def landmarks_to_matrix(match: tc.Match) -> tc.Expr:
    """Lowers Landmarks2TransformMatrix of [1,1,1,3N] (version 1) or [1,N,3] (version 2) to a matrix [1,4,4]."""
    x, options = match[0], read_settings(match)
    is_first_version = x.rank == 4
    if x.size % 3 or x.shape[:-1] != ((1, 1, 1) if is_first_version else (1, x.size // 3)):
        raise tc.Decline(f"expected landmarks of shape [1,1,1,3N] or [1,N,3], found {list(x.shape)}")
    points = x.reshape((1, x.size // 3, 3))
    ends = [options.integer(f"{side}_rotation_idx") for side in ("left", "right")]
    if is_first_version:
        return _crop_matrix(
            points, _rotation_matrix(points, ends, target=0, to_the_right=True), _read_first_crop(options)
        )
    rotation = _rotation_matrix(points, ends, options.real("target_rotation_radians"), to_the_right=False)
    return _crop_matrix(points, rotation, _read_crop(options))


def _read_crop(options: Settings) -> Crop:
    """Returns the rectangle (`Crop`) of Landmarks2TransformMatrix, version 2, from its options."""
    width, height = _positive_sizes(options, "output_width", "output_height")
    scale_x, scale_y = (options.real(f"scale_{axis}") for axis in "xy")
    if min(scale_x, scale_y) <= 0:
        raise tc.Decline(f"expected scale_x and scale_y above 0, found {scale_x} and {scale_y}")
    landmarks = options.integers("subset_idxs")
    return Crop(landmarks, output_shift=(-width / 2, -height / 2), scale=(scale_x / width, scale_y / height))


def _read_first_crop(options: Settings) -> Crop:
    """Returns the rectangle (`Crop`) of Landmarks2TransformMatrix, version 1, from its options.

    Both images are from -1 to 1 between the middles of their outermost pixels.
    """
    (height, width), (rows, columns) = (options.integers(f"{side}_hw", 2) for side in ("output", "input"))
    span, dimensions = options.integer("landmarks_range"), options.integer("dimensions")
    multiplier = options.real("bbox_size_multiplier")
    if min(width, height) < 2 or min(rows, columns, span) < 1 or not multiplier or dimensions != 3:
        raise tc.Decline(
            "expected output_hw of 2 or more, input_hw and landmarks_range of 1 or more, a bbox_size_multiplier other "
            f"than 0 and 3 dimensions, found {[height, width]}, {[rows, columns]}, {span}, {multiplier}, {dimensions}"
        )
    return Crop(
        options.integers("subset"),
        output_shift=(-(width - 1) / 2, -(height - 1) / 2),
        scale=(2 * multiplier / span / (width - 1), 2 * multiplier / span / (height - 1)),
        centre_scale=2 / span,  # landmarks_range is as long as the image: 2
        input_scale=((columns - 1) / 2, (rows - 1) / 2),
    )


def _positive_sizes(options: Settings, *keys: str) -> list[int]:
    """Returns the values of the options `keys`, sizes that must be 1 or more."""
    values = list(map(options.integer, keys))
    if min(values) < 1:
        raise tc.Decline(f"expected {' and '.join(keys)} of 1 or more, found {' and '.join(map(str, values))}")
    return affordable(values)


def _take_points(points: tc.Expr, indices: Sequence[int]) -> tc.Expr:
    """Gathers x and y of the points at `indices`: [1,N,3] gives [1,count,2]."""
    return gather_rows(points, const(np.array(indices).reshape(1, -1), tc.DType.I32)).part(2, 0, 2)


def _rotation_matrix(points: tc.Expr, ends: Sequence[int], target: float, *, to_the_right: bool) -> tc.Expr:
    """Returns the matrix [1,2,2] that turns the direction between two landmarks to the angle `target`.

    It is [[cos, sin], [-sin, cos]] of `target` less the direction's angle. With `to_the_right`, a direction to the left
    is reversed first: version 1 computes the angle as atan(dy / dx), which never points left. Two equal points have the
    direction of the x axis.
    """
    left, right = (_take_points(points, [end]) for end in ends)
    direction = right - left
    if to_the_right:
        direction = where(direction.part(2, 0, 1) < 0, -direction, direction)
    square = reduce_sum(direction * direction, 2)
    is_zero = square == 0
    direction = where(is_zero, const([[[1, 0]]], tc.DType.FP32), direction)
    unit = direction * rsqrt(where(is_zero, 1, square))
    # cos(t - a) = cos t * cos a + sin t * sin a; sin(t - a) = sin t * cos a - cos t * sin a
    cos, sin = np.cos(target), np.sin(target)
    difference = matmul(unit, const([[[cos, sin], [sin, -cos]]], tc.DType.FP32))
    second_row = concat([-difference.part(2, 1, 1), difference.part(2, 0, 1)], 2)
    return concat([difference, second_row], 1)


def _crop_matrix(points: tc.Expr, rotation: tc.Expr, crop: Crop) -> tc.Expr:
    """Returns the matrix [1,4,4] that maps output points into the rotated rectangle around the landmarks."""
    if not crop.landmarks:
        raise tc.Decline("expected 1 or more landmarks in the rectangle, found none")
    # The rectangle is upright in the rotated frame: its corners there are the least and largest coordinates. Its centre
    # goes back by the transposed rotation, which is the inverse one. With p + shift in output pixels and s = scale *
    # size, a point is moved to R * (s * (p + shift)) + c = (R * s) * p + (R * s) * shift + c: `linear` and `offset`.
    rotated = matmul(_take_points(points, crop.landmarks), rotation)
    low, high = reduce_min(rotated, 1), reduce_max(rotated, 1)
    centre = matmul((low + high) * (0.5 * crop.centre_scale), rotation.transpose((0, 2, 1)))
    size = (high - low) * const([[crop.scale]], tc.DType.FP32)
    linear = rotation * size
    offset = reduce_sum(linear * const([[crop.output_shift]], tc.DType.FP32), 2)
    offset = offset + centre.reshape((1, 2, 1))
    rows = concat([linear, const(np.zeros((1, 2, 1)), tc.DType.FP32), offset], 2)
    if crop.input_scale != (1, 1):  # to pixels of the input; the row for z stays
        rows = rows * const(np.reshape(crop.input_scale, (1, 2, 1)), tc.DType.FP32)
    return concat([rows, const(np.eye(4)[None, 2:], tc.DType.FP32)], 1)


# ** transforms by a matrix **


def _matrix_rows(match: tc.Match) -> tc.Expr:
    """Returns the first two rows, those for x and y, of the transform matrix in the second operand: [1,2,4]."""
    matrix = match[1]
    if matrix.size != 16:
        raise tc.Decline(f"expected a matrix of 16 elements, found shape {list(matrix.shape)}")
    return matrix.reshape((1, 4, 4)).part(1, 0, 2)


def transform_tensor_bilinear(match: tc.Match) -> tc.Expr:
    """Lowers TransformTensorBilinear, version 2: samples an image by a matrix; pixel centres lie at halves."""
    return _transform_image(match, _positive_sizes(read_settings(match), "output_height", "output_width"), 0.5)


def transform_tensor(match: tc.Match) -> tc.Expr:
    """Lowers TransformTensor: samples an image by a matrix; pixel centres lie at whole numbers."""
    options = read_settings(match)
    size, mode = options.integers("output_size", 2), options.values.get("mode", "bilinear")
    if min(size) < 1 or mode != "bilinear":
        raise tc.Decline(f"expected an output_size of 1 or more and the mode 'bilinear', found {size} and {mode!r}")
    return _transform_image(match, affordable(size), 0)


def _transform_image(match: tc.Match, size: Sequence[int], centre: float) -> tc.Expr:
    """Returns the image sampled at the positions to which the operand's matrix maps the pixels of an output of `size`.

    `centre` is where a pixel's centre lies: 0 or 0.5.
    """
    image, (height, width) = match[0], size
    if image.rank != 4 or image.shape[0] != 1:
        raise tc.Decline(f"expected an image of shape [1,H,W,C], found {list(image.shape)}")
    y = sample_bilinear(image, pixel_positions(_matrix_rows(match), size, centre))
    return y.reshape((1, height, width, image.shape[3]))


def transform_landmarks(match: tc.Match) -> tc.Expr:
    """Lowers TransformLandmarks: moves points by a matrix and leaves z.

    The points are [1,H,W,K * dimensions] in version 1, [1,N,dimensions] in version 2.
    """
    x, scale = match[0], 1.0
    size = x.shape[-1] if x.rank else 0
    if x.rank == 4:
        options = read_settings(match)
        size, scale = options.integer("dimensions", 3), options.real("scale", 1)
    fits = x.rank in (3, 4) and x.shape[0] == 1 and size in (2, 3) and not x.shape[-1] % size
    if not fits or not scale:
        raise tc.Decline(
            "expected landmarks of shape [1,H,W,K * dimensions] or [1,N,dimensions], 2 or 3 dimensions and a scale "
            f"other than 0, found {list(x.shape)}, {size} and {scale}"
        )
    points = x.reshape((1, x.size // size, size))
    y = transform_points(points, _matrix_rows(match), scale)
    y = y if size == 2 else concat([y, points.part(2, 2, 1)], 2)
    return y.reshape(x.shape)


RULES: tuple[tc.Rule, ...] = (
    tc.Rule("custom.Landmarks2TransformMatrix", "fp32", landmarks_to_matrix),
    tc.Rule("custom.TransformTensorBilinear", "fp32*fp32", transform_tensor_bilinear, of=(0, 1)),
    tc.Rule("custom.TransformTensor", "fp32*fp32", transform_tensor, of=(0, 1)),
    tc.Rule("custom.TransformLandmarks", "fp32*fp32", transform_landmarks, of=(0, 1)),
)
