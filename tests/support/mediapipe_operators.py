"""MediaPipe's custom operators in numpy, by their published definitions; no package has their kernels."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tosa_converter.ir import Array

F32 = np.float32


def rotation(angle: float) -> Array:
    """Returns a rotation of homogeneous points in the plane."""
    return np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])


def placed(x: float, y: float, by_x: float = 1, by_y: float = 1) -> Array:
    """Returns a matrix that scales and moves."""
    return np.array([[by_x, 0, x], [0, by_y, y], [0, 0, 1]])


def square(planar: Array) -> Array:
    """Returns a matrix of the plane as a batch of one 4 by 4 matrix."""
    square_matrix = np.eye(4)
    square_matrix[:2, :2], square_matrix[:2, 3] = planar[:2, :2], planar[:2, 2]
    return square_matrix[None].astype(F32)


def around(points: Array, subset: Sequence[int], angle: float) -> tuple[Array, Array]:
    """Returns center and size of the rectangle around the rotated points; the center is rotated back."""
    turned = rotation(angle)[:2, :2] @ points[list(subset), :2].T.astype(np.float64)
    low, high = turned.min(1), turned.max(1)
    return rotation(-angle)[:2, :2] @ ((low + high) / 2), high - low


def direction(points: Array, options: dict[str, Any]) -> Array:
    """Returns the direction from the left landmark to the right one."""
    return np.subtract(points[options["right_rotation_idx"], :2], points[options["left_rotation_idx"], :2])


def matrix_of_first(landmarks: Array, options: dict[str, Any]) -> Array:
    """Computes Landmarks2TransformMatrix, version 1."""
    points = landmarks.reshape(-1, 3)
    x, y = direction(points, options)
    angle = -np.arctan(y / x)
    middle, size = around(points, options["subset"], angle)
    size, span = size * options["bbox_size_multiplier"], options["landmarks_range"]
    (out_h, out_w), (in_h, in_w) = options["output_hw"], options["input_hw"]
    turn = rotation(-angle)
    turn[:2, 2] = middle / span * 2 - 1
    relative = placed(-1, -1, 2 / (out_w - 1), 2 / (out_h - 1))
    absolute = placed((in_w - 1) / 2, (in_h - 1) / 2, (in_w - 1) / 2, (in_h - 1) / 2)
    return square(absolute @ turn @ placed(0, 0, *(size / span)) @ relative)


def matrix(landmarks: Array, options: dict[str, Any]) -> Array:
    """Computes Landmarks2TransformMatrix, version 2."""
    points = landmarks.reshape(-1, 3)
    x, y = direction(points, options)
    angle = options["target_rotation_radians"] - np.arctan2(y, x)
    middle, size = around(points, options["subset_idxs"], angle)
    width, height = options["output_width"], options["output_height"]
    scale = placed(0, 0, options["scale_x"] * size[0] / width, options["scale_y"] * size[1] / height)
    return square(placed(*middle) @ rotation(-angle) @ scale @ placed(-width / 2, -height / 2))


def image(x: Array, matrix: Array, size: Sequence[int], half: float = 0.5) -> Array:
    """Computes TransformTensorBilinear, version 2; with `half` = 0, TransformTensor."""
    _, height, width, channels = x.shape
    (a, b, _, c), (d, e, _, f) = matrix.reshape(4, 4)[:2].astype(F32)
    if half:
        c, f = F32(c + (a * 0.5 + b * 0.5 - 0.5)), F32(f + (d * 0.5 + e * 0.5 - 0.5))
    padded = np.pad(x[0].astype(np.float64), ((0, 1), (0, 1), (0, 0)))
    sampled = np.zeros((1, *size, channels), F32)
    for row in range(size[0]):
        for column in range(size[1]):
            place_x, place_y = a * F32(column) + b * F32(row) + c, d * F32(column) + e * F32(row) + f
            if 0 <= place_x <= width - 1 and 0 <= place_y <= height - 1:
                left, top = int(place_x), int(place_y)
                right, lower = place_x - left, place_y - top
                upper = (1 - right) * padded[top, left] + right * padded[top, left + 1]
                below = (1 - right) * padded[top + 1, left] + right * padded[top + 1, left + 1]
                sampled[0, row, column] = (1 - lower) * upper + lower * below
    return sampled


def landmarks(x: Array, matrix: Array, dimensions: int, scale: float = 1) -> Array:
    """Computes TransformLandmarks."""
    points = x.reshape(-1, dimensions).astype(np.float64)
    rows = matrix.reshape(4, 4)[:2].astype(np.float64)
    moved = points.copy()
    moved[:, :2] = points[:, :2] @ rows[:, :2].T + rows[:, 3] * scale
    return moved.reshape(x.shape).astype(F32)


def pooled(
    x: Array, window: tuple[int, int], stride: tuple[int, int], *, same: bool, in_window: bool
) -> tuple[Array, Array]:
    """Returns the maxima and the positions of the first of them, in the window or in the image with its channels."""
    batch, *image, channels = x.shape
    spans = list(zip(image, window, stride, strict=True))
    size = [-(-n // s) if same else (n - k) // s + 1 for n, k, s in spans]
    before = [max((count - 1) * s + k - n, 0) // 2 for count, (n, k, s) in zip(size, spans, strict=True)]
    largest = np.zeros((batch, *size, channels), F32)
    places = np.zeros(largest.shape, F32 if in_window else np.int32)
    for at in np.ndindex(largest.shape):
        image_number, row, column, channel = at
        top, left = row * stride[0] - before[0], column * stride[1] - before[1]
        maximum = np.finfo(F32).min, 0
        for y in range(max(top, 0), min(top + window[0], image[0])):
            for z in range(max(left, 0), min(left + window[1], image[1])):
                inside, outside = (y - top) * window[1] + z - left, (y * image[1] + z) * channels + channel
                if x[image_number, y, z, channel] > maximum[0]:
                    maximum = x[image_number, y, z, channel], inside + 0.1 if in_window else outside
        largest[at], places[at] = maximum
    return largest, places


def unpooled(x: Array, places: Array, size: tuple[int, int]) -> Array:
    """Computes MaxUnpooling2D of positions in the image with its channels."""
    output = np.zeros((x.shape[0], size[0] * size[1] * x.shape[3]), F32)
    for number in range(len(x)):
        for element, place in zip(x[number].flat, places[number].flat, strict=True):
            output[number, place] = element
    return output.reshape(x.shape[0], *size, x.shape[3])


def unpooled_windows(x: Array, places: Array, window: tuple[int, int], stride: tuple[int, int]) -> Array:
    """Computes MaxUnpooling2D of positions in windows; the result has one window for each element."""
    output = np.zeros((x.shape[0], x.shape[1] * window[0], x.shape[2] * window[1], x.shape[3]), F32)
    for number, row, column, channel in np.ndindex(x.shape):
        y, z = divmod(int(places[number, row, column, channel]), window[1])
        output[number, row * stride[0] + y, column * stride[1] + z, channel] = x[number, row, column, channel]
    return output
