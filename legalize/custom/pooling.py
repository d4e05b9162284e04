"""Maximum pools with the positions of their maxima, their inverse, and NumericVerify.

MaxPoolWithArgmax has LiteRT's form (kernels/perception): options as a map, positions in the image as i32.
MaxPoolingWithArgmax2D has MediaPipe's (mediapipe/util/tflite/operations): TfLitePoolParams, positions in the window as
floats. MaxUnpooling2D has both; the type of its positions decides.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

import tosa_converter as tc
from tosa_converter.legalize.custom.options import dequantize_operand, read_integers, read_settings
from tosa_converter.legalize.limits import affordable
from tosa_converter.legalize.ops.argmax_pool import (
    PoolWindows,
    disjoint_groups,
    max_with_positions,
    place_windows,
    scatter_last,
    zeros,
)
from tosa_converter.legalize.ops.elementwise import FLOAT_MAX
from tosa_converter.legalize.ops.windows import same_padding, valid_padding
from tosa_converter.rewriting.expr import const, floor, intdiv
from tosa_converter.rewriting.operators import scatter

PADDING = {1: "SAME", 2: "VALID"}  # TfLitePadding
ACTIVATION_RANGES = {1: (0, FLOAT_MAX), 2: (-1, 1), 3: (0, 6)}  # by TfLiteFusedActivation
REPEATED = "results are unpredictable if a position is outside the result or repeats in windows that don't overlap"
POSITION_OFFSET = 0.1  # MediaPipe adds it to positions, which are floats: truncation then gives the right integers


class Pool(NamedTuple):
    """Options of a pool: window and strides as (height, width), padding, and the number of a fused activation."""

    padding: str
    window: tuple[int, int]
    stride: tuple[int, int]
    activation: int = 0

    def windows(self, x: tc.Expr) -> PoolWindows:
        """Returns where the pool's windows lie over images [N,H,W,C]."""
        image = x.shape[1:3]
        if min(*self.window, *self.stride) < 1:
            raise tc.Decline(f"expected a window and strides of 1 or more, found {self.window} and {self.stride}")
        axes = zip(image, self.window, self.stride, strict=True)
        padding = [same_padding(*axis) if self.padding == "SAME" else valid_padding(*axis) for axis in axes]
        return place_windows(image, self.window, self.stride, padding)

    @property
    def bounds(self) -> tuple[float, float]:
        """The range (low, high) to which maxima are clamped: that of the fused activation, or all finite numbers."""
        return ACTIVATION_RANGES.get(self.activation, (-FLOAT_MAX, FLOAT_MAX))


def _read_structure(match: tc.Match) -> Pool:
    """Returns the pool options of MediaPipe's operators, a TfLitePoolParams structure."""
    padding, stride_w, stride_h, width, height, activation = read_integers(match, 6)
    if padding not in PADDING or min(stride_w, stride_h, width, height) < 1:
        raise tc.Decline(
            f"expected padding 1 or 2, a window and strides of 1 or more, found padding {padding} of a window "
            f"{height} by {width} with strides {stride_h} by {stride_w}"
        )
    return Pool(PADDING[padding], (height, width), (stride_h, stride_w), activation)


def _read_map(match: tc.Match) -> Pool:
    """Returns the pool options of LiteRT's MaxPoolWithArgmax, a FlexBuffers map."""
    options = read_settings(match)
    padding = str(options.values.get("padding"))
    window, stride = options.integers("ksize", 4), options.integers("strides", 4)
    if [window[0], window[3], stride[0], stride[3]] != [1] * 4 or padding not in PADDING.values():
        raise tc.Decline(
            "expected ksize and strides of 1 for batch and channels and padding SAME or VALID, "
            f"found {window}, {stride} and {padding!r}"
        )
    if options.integer("include_batch_in_index"):
        raise tc.Decline("expected include_batch_in_index to be false, found true: LiteRT has no kernel for it")
    return Pool(padding, (window[1], window[2]), (stride[1], stride[2]))


# ** pools **


def max_pool_with_argmax(match: tc.Match) -> list[tc.Expr]:
    """Lowers MaxPoolWithArgmax: returns maxima, and their flat indices into an image [H,W,C]."""
    pool, x = _read_map(match), _image_operand(match)
    windows, channels = pool.windows(x), x.shape[3]
    pixels = windows.rows * x.shape[2] + windows.columns
    largest, pixel = max_with_positions(x, windows, pixels, tc.DType.I32, *pool.bounds)
    channel = const(np.arange(channels).reshape(1, 1, 1, -1), tc.DType.I32)
    return [largest, pixel * channels + channel]


def max_pooling_with_argmax_2d(match: tc.Match) -> list[tc.Expr]:
    """Lowers MaxPoolingWithArgmax2D: returns the maxima, clamped to the activation's range, and their positions.

    A position counts through the window, as a float that POSITION_OFFSET has been added to.
    """
    pool, x = _read_structure(match), _image_operand(match)
    windows = pool.windows(x)
    positions = windows.in_window + np.float32(POSITION_OFFSET)
    return [*max_with_positions(x, windows, positions, tc.DType.FP32, *pool.bounds)]


def _image_operand(match: tc.Match) -> tc.Expr:
    """Returns the first operand, which must be images of rank 4 with elements."""
    x = match[0]
    if x.rank != 4 or not x.size:
        raise tc.Decline(f"expected images of rank 4 with elements, found shape {list(x.shape)}")
    return x


# ** MaxUnpooling2D **


def max_unpooling_2d(match: tc.Match) -> tc.Expr:
    """Lowers MaxUnpooling2D: writes elements at their positions into zeros; of several at one position the last stays.

    Positions of i32 are flat indices into the result; floats count within each window, as MaxPoolingWithArgmax2D has
    them.
    """
    pool, x, positions = _read_structure(match), _image_operand(match), match[1]
    if positions.shape != x.shape:
        raise tc.Decline(f"expected a position for each element of {x.type}, found {positions.type}")
    match.note(REPEATED)
    in_image = positions.dtype is tc.DType.I32
    size = _unpooled_size(pool, x, in_image=in_image)
    positions = positions if in_image else _window_to_flat_index(pool, positions, size)
    batch, height, width, channels = x.shape
    count, result_count = height * width * channels, math.prod(size) * channels
    x, positions = x.reshape((batch, count, 1)), positions.reshape((batch, count))
    # Windows ceil(window / stride) apart don't overlap: a window of 3 with a stride of 2 overlaps the next one only.
    steps = [-(-window // stride) for window, stride in zip(pool.window, pool.stride, strict=True)]
    if steps == [1, 1]:  # windows don't overlap
        y = scatter(zeros((batch, result_count, 1), tc.DType.FP32), positions, x)
    else:
        y = scatter_last(x, positions, result_count, disjoint_groups((height, width, channels), steps))
    return y.reshape((batch, *size, channels))


def _unpooled_size(pool: Pool, x: tc.Expr, *, in_image: bool) -> list[int]:
    """Returns the height and width of MaxUnpooling2D's result.

    With `in_image`, positions count through the whole image, as LiteRT's MaxPoolWithArgmax has them. Without, they
    count within each window, as MediaPipe has them, and the result has a whole window for each element.

    Raises:
        Decline: the result is too large, or positions count within windows and a stride is larger than its window.
    """
    spans = zip(x.shape[1:3], pool.window, pool.stride, strict=True)
    if in_image and pool.padding == "VALID":
        return affordable([(size - 1) * stride + window for size, window, stride in spans])
    if not in_image and any(stride > window for _, window, stride in spans):
        raise tc.Decline(
            f"expected strides of at most the window {pool.window}, found "
            f"{pool.stride}: positions would leave the result"
        )
    units = pool.stride if in_image else pool.window
    return affordable([size * unit for size, unit in zip(x.shape[1:3], units, strict=True)])


def _window_to_flat_index(pool: Pool, positions: tc.Expr, size: Sequence[int]) -> tc.Expr:
    """Converts positions within windows, floats above whole numbers, to flat indices into the result [H,W,C].

    `size` is the result's height and width. In a window 2 wide and an image 6 wide, position 3 is row 1, column 1: 3 +
    1 * (6 - 2) = 7 pixels behind the window's first.
    """
    _, height, width, channels = positions.shape
    row_step, column_step = pool.stride[0] * size[1], pool.stride[1]
    # The pixel at which each element's window begins, then the flat index of that pixel's channels.
    starts = np.arange(height)[:, None, None] * row_step + np.arange(width)[:, None] * column_step
    starts = starts * channels + np.arange(channels)
    position = floor(positions).cast(tc.DType.I32)
    pixel = position + intdiv(position, pool.window[1]) * (size[1] - pool.window[1])
    return pixel * channels + const(starts[None], tc.DType.I32)


# ** NumericVerify **


def numeric_verify(match: tc.Match) -> tc.Expr:
    """Lowers NumericVerify: returns the dequantized operand less the float reference, the quantization error."""
    if read_settings(match).integer("log_if_failed"):
        match.note("LiteRT stops at differences beyond the tolerance; the conversion returns them")
    x, reference = dequantize_operand(match, 0), match[1]
    if x.shape != reference.shape:
        raise tc.Decline(f"expected a reference of shape {list(x.shape)}, found {list(reference.shape)}")
    return x - reference


RULES: tuple[tc.Rule, ...] = (
    tc.Rule("custom.MaxPoolWithArgmax", "fp32", max_pool_with_argmax),
    tc.Rule("custom.MaxPoolingWithArgmax2D", "fp32", max_pooling_with_argmax_2d),
    tc.Rule("custom.MaxUnpooling2D", "fp32*i32 fp32*fp32", max_unpooling_2d, of=(0, 1)),
    tc.Rule("custom.NumericVerify", "i8*fp32 ui8*fp32 i16*fp32 fp16*fp32", numeric_verify, of=(0, 1)),
)
