"""Convolutions of volumes."""

from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.constant_operands import result_sizes
from tosa_converter.legalize.tflite.activation import fused_activation
from tosa_converter.legalize.windows import padding_1d, spread
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.operators import conv3d
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas.tflite import Conv3DOptions


def _bias(match: Match) -> Expr:
    if not match.has("bias"):
        return const(np.zeros(1), DType.FP32)
    return match["bias"].reshape((match["bias"].size,))


def _steps(options: Conv3DOptions) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Strides and dilations of depth, height and width."""
    return (
        (options.stride_d, options.stride_h, options.stride_w),
        (options.dilation_d_factor, options.dilation_h_factor, options.dilation_w_factor),
    )


def _pads(match: Match, sizes: Sequence[int], kernel: Sequence[int]) -> list[tuple[int, int]]:
    """Before and after depth, height and width (ComputePadding3DValues)."""
    options = match.attributes(Conv3DOptions)
    steps = zip(sizes, kernel, *_steps(options), strict=True)
    return [padding_1d(options.padding, *step) for step in steps]


def conv_3d(match: Match) -> Expr:
    """CONV_3D: weight [KD,KH,KW,I,O] as TOSA's [O,KD,KH,KW,I]; there are no groups."""
    x, weight = match["input"], match["filter"]
    *kernel, depth, _ = weight.shape
    if x.shape[4] != depth:
        raise Decline(f"a weight of {depth} channels on {x.type}")
    stride, dilation = _steps(match.attributes(Conv3DOptions))
    pad = [amount for pair in _pads(match, x.shape[1:4], kernel) for amount in pair]
    weight = weight.transpose((4, 0, 1, 2, 3))
    y = conv3d(x, weight, _bias(match), pad=pad, stride=stride, dilation=dilation)
    return fused_activation(match, y)


def conv_3d_transpose(match: Match) -> Expr:
    """CONV_3D_TRANSPOSE as a CONV3D, with the kernel reversed, over the input with zeros between its elements.

    An element i reaches the outputs i * stride - before + k * dilation.
    """
    x, weight = match["input"], match["filter"]
    size, (*kernel, _, depth) = result_sizes(match, "output_shape"), weight.shape
    if len(size) != 5 or size[0] != x.shape[0] or depth != x.shape[4]:
        raise Decline(f"an output of shape {size} from {x.type} by {weight.type}")
    stride, dilation = _steps(match.attributes(Conv3DOptions))
    pad: list[int] = []
    for i, (before, after) in enumerate(_pads(match, size[1:4], kernel)):
        reach, inputs = (kernel[i] - 1) * dilation[i], x.shape[1 + i]
        if (size[1 + i] + before + after - reach - 1) // stride[i] + 1 != inputs:
            raise Decline(f"an output of shape {size} from {x.type} by {weight.type}")
        read = size[1 + i] + before  # of the input and zeros behind it
        x = spread(x, 1 + i, stride[i], read)
        pad += [reach - before, read - x.shape[1 + i]]
    for axis in range(3):
        weight = weight.reverse(axis) if kernel[axis] > 1 else weight
    weight = weight.transpose((3, 0, 1, 2, 4))
    return fused_activation(match, conv3d(x, weight, _bias(match), pad=pad, stride=(1, 1, 1), dilation=dilation))


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.conv_3d", "fp32", conv_3d),
    Rewrite("tfl.conv_3d_transpose", "fp32", conv_3d_transpose, of=("input",)),
)
