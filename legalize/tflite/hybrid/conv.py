"""CONV_2D, DEPTHWISE_CONV_2D and TRANSPOSE_CONV of float images with integer weights.

The kernels are EvalHybrid and EvalHybridPerChannel of conv.cc, depthwise_conv.cc and transpose_conv.cc. They quantize
each image by its own range: symmetric if one scale serves all weights of CONV_2D, with a zero point otherwise.
"""

import math
from collections.abc import Callable

from tosa_converter.dtypes import DType
from tosa_converter.legalize.quant.elements import as_reference
from tosa_converter.legalize.quant.rows import Rows, asymmetric, symmetric
from tosa_converter.legalize.quant.weights import channel_sums, compact_or, real, scales, several, stored
from tosa_converter.legalize.tflite.activation import fused_activation
from tosa_converter.legalize.tflite.float import conv as floats
from tosa_converter.legalize.windows import Windowed, padding_2d, transposed_size
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.rewrite import Match, Rewrite

NO_PADDING = (0, 0, 0, 0)


def conv_2d(match: Match) -> Expr:
    """CONV_2D -> CONV2D on int8 between what quantizes the images and scales the sums."""
    x, weight = match["input"], stored(match, "filter")
    pad = padding_2d(match.attributes(Windowed), x, weight.shape[1:3])
    scale = const(scales(match, "filter"), DType.FP32)
    if several(match, "filter") or x.shape[3] != weight.shape[3]:
        images = _images(_padded(x, pad), asymmetric)
        sums = floats.grouped(match, images.levels.cast(DType.I8), weight, _nothing(), NO_PADDING)
        sums = less_zero_points(sums, images, weight, 0)
        real_sums = sums.cast(DType.FP32) * scale * images.scale
    else:
        images = _images(x, symmetric)
        sums = floats.grouped(match, images.levels.cast(DType.I8), weight, _nothing(), pad)
        one = scale.slice((0,), (1,))
        real_sums = sums.cast(DType.FP32) * (images.scale * one)
    return fused_activation(match, with_bias(match, real_sums))


def depthwise_conv_2d(match: Match) -> Expr:
    """DEPTHWISE_CONV_2D -> DEPTHWISE_CONV2D on int8."""
    x, weight = match["input"], stored(match, "filter")
    pad = padding_2d(match.attributes(Windowed), x, weight.shape[1:3])
    images = _images(_padded(x, pad), asymmetric)
    sums = floats.by_channel(match, images.levels.cast(DType.I8), weight, _nothing(), NO_PADDING)
    sums = less_zero_points(sums, images, weight, 3)
    scale = const(scales(match, "filter"), DType.FP32) * images.scale
    return fused_activation(match, with_bias(match, sums.cast(DType.FP32) * scale))


def transpose_conv(match: Match) -> Expr:
    """TRANSPOSE_CONV -> TRANSPOSE_CONV2D on floats that hold the integers: the kernel too sums them scaled."""
    x, window = match["input"], match.attributes(Windowed)
    images = _images(x, asymmetric)
    assert images.zero_point is not None
    weight = stored(match, "weights").cast(DType.FP32)
    sums = floats.transposed(
        images.levels - images.zero_point,
        weight,
        const([0], DType.FP32),
        size=transposed_size(match),
        stride=window.stride,
        kind=window.padding,
    )
    scale = const(scales(match, "weights"), DType.FP32) * images.scale
    return fused_activation(match, with_bias(match, sums * scale))


# ** parts **


def less_zero_points(sums: Expr, rows: Rows, weight: Expr, axis: int) -> Expr:
    """Sums of products with levels less their zero points: without the zero points times each channel's weights."""
    if rows.zero_point is None:
        return sums
    return sums - rows.zero_point.cast(DType.I32) * channel_sums(weight, axis)


def with_bias(match: Match, y: Expr) -> Expr:
    """The bias added, if there is one."""
    bias = match.get("bias")
    return y if bias is None else y + bias.reshape((bias.size,))


def _padded(x: Expr, pad: tuple[int, int, int, int]) -> Expr:
    """Padded with real zeros, which become the image's zero point; every range has 0 in it."""
    top, bottom, left, right = pad
    return x.pad(((0, 0), (top, bottom), (left, right), (0, 0)))


def _images(x: Expr, quantize: Callable[[Expr], Rows]) -> Rows:
    """Each image as one row."""
    batch, *shape = x.shape
    rows = quantize(x.reshape((batch, 1, 1, math.prod(shape))))
    return rows._replace(levels=rows.levels.reshape((batch, *shape)))


def _nothing() -> Expr:
    return const([0], DType.I32)


CONVOLVED = "fp32*i8 fp32*i4 fp32*ui8"
CONV = compact_or(conv_2d, lambda match: floats.convolution(match, real(match, "filter", 0)))
DEPTHWISE = compact_or(depthwise_conv_2d, lambda match: floats.depthwise_convolution(match, real(match, "filter", 3)))
TRANSPOSED = compact_or(transpose_conv, lambda match: floats.transposed_convolution(match, real(match, "weights", 0)))
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.conv_2d", CONVOLVED, CONV, (as_reference,), of=("input", "filter")),
    Rewrite("tfl.depthwise_conv_2d", "fp32*i8", DEPTHWISE, (as_reference,), of=("input", "filter")),
    Rewrite("tfl.transpose_conv", "fp32*i8", TRANSPOSED, (as_reference,), of=("input", "weights")),
)
