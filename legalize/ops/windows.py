"""Convolutions and pools of images in NHWC, and convolutions of volumes in NDHWC.

A weight is [outputs, height, width, inputs of a group], or with a depth before the height. The zero points of integers
stand beside the operands; those of floats are 0.
"""

import math
from typing import NamedTuple

from tosa_converter.dtypes import DType
from tosa_converter.ir import TensorType
from tosa_converter.rewriting.expr import Expr, const, maximum, reciprocal, rsqrt
from tosa_converter.rewriting.operators import (
    avg_pool2d,
    concat,
    conv2d,
    conv3d,
    max_pool2d,
    reduce_sum,
    transpose_conv2d,
)
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.schemas.tosa_target import LEVEL_8K


class Operands(NamedTuple):
    """The operands of a convolution or a dense layer: the bias has an element for each output, or one for all."""

    x: Expr
    weight: Expr
    bias: Expr
    x_zp: int = 0
    weight_zp: int = 0


class Window(NamedTuple):
    """The size, stride, dilation and padding of a window; fields have an entry per spatial dimension, `pad` has two.

    `pad` is how many elements are added to the input before and behind. For a transposed convolution they are added to
    the result, or cut off where negative.
    """

    kernel: tuple[int, ...]
    stride: tuple[int, ...] = (1, 1)
    dilation: tuple[int, ...] = (1, 1)
    pad: tuple[int, ...] = (0, 0, 0, 0)

    @property
    def reach(self) -> tuple[int, ...]:
        """Returns the size of a window along each dimension, with the gaps that dilation leaves."""
        return tuple((size - 1) * step + 1 for size, step in zip(self.kernel, self.dilation, strict=True))

    def window_counts(self, sizes: tuple[int, ...]) -> list[int]:
        """Returns how many windows fit along each dimension of an input of these sizes; below 1 if none does."""
        padded = [size + sum(self.pad[2 * i : 2 * i + 2]) for i, size in enumerate(sizes)]
        return [(size - reach) // step + 1 for size, reach, step in zip(padded, self.reach, self.stride, strict=True)]

    def require_fit(self, x: TensorType) -> None:
        """Declines the operator unless a window fits the padded input.

        Raises:
            Decline: it is larger.
        """
        if min(self.window_counts(x.static[1:-1])) < 1:
            raise Decline(f"expected a window that fits {x} with padding {list(self.pad)}, found {list(self.reach)}")


# ** convolutions **


def convolution(operands: Operands, window: Window, groups: int = 1) -> Expr:
    """Returns the convolution of an image or a volume, whose channels may be split into groups."""
    return concat(convolved_groups(operands, window, groups), operands.x.rank - 1)


def convolved_groups(operands: Operands, window: Window, groups: int) -> list[Expr]:
    """Returns the convolutions of all groups of channels, as a list; the caller concatenates them.

    Groups of a single channel of an image are one depthwise convolution.
    """
    if groups > 1 and operands.weight.shape[-1] == 1 and operands.x.rank == 4:
        by_channel = operands.weight.transpose((3, 1, 2, 0))
        return [depthwise_convolution(operands._replace(weight=by_channel), window)]
    return [_emit_convolution(part, window) for part in _split_groups(operands, groups)]


def _emit_convolution(operands: Operands, window: Window) -> Expr:
    """Emits the convolution of a plan: CONV3D for a volume [N,D,H,W,C], CONV2D for an image."""
    x, weight, bias, x_zp, weight_zp = operands
    if x.rank == 5:  # no volume has zero points
        return conv3d(x, weight, bias, pad=window.pad, stride=window.stride, dilation=window.dilation)
    return conv2d(
        x,
        weight,
        bias,
        pad=window.pad,
        stride=window.stride,
        dilation=window.dilation,
        input_zp=x_zp,
        weight_zp=weight_zp,
    )


def depthwise_convolution(operands: Operands, window: Window) -> Expr:
    """Returns the convolution of each channel of an image with its own kernels, by one DEPTHWISE_CONV2D.

    The weight is [1, height, width, outputs]; outputs c * M to c * M + M - 1, with M = outputs / channels, are those of
    channel c.
    """
    channels = operands.x.shape[3]
    _, height, width, outputs = operands.weight.shape
    return conv2d(
        operands.x,
        operands.weight.reshape((height, width, channels, outputs // channels)),
        operands.bias,
        pad=window.pad,
        stride=window.stride,
        dilation=window.dilation,
        input_zp=operands.x_zp,
        weight_zp=operands.weight_zp,
        depthwise=True,
    )


def transposed_convolution(operands: Operands, window: Window, groups: int = 1) -> Expr:
    """Returns the transposed convolution of an image, whose channels may be split into groups.

    A dilated weight gets elements of its zero point in between. TRANSPOSE_CONV2D cuts off less than a kernel at each
    side; a SLICE cuts off the rest.

    Raises:
        Decline: nothing is left.
    """
    weight = operands.weight
    for axis in (0, 1):
        weight = spread_axis(weight, 1 + axis, window.dilation[axis], value=operands.weight_zp)
    out_pad = [max(pad, 1 - window.reach[i // 2]) for i, pad in enumerate(window.pad)]
    parts = [
        transpose_conv2d(
            part.x,
            part.weight,
            part.bias,
            out_pad=out_pad,
            stride=window.stride,
            input_zp=part.x_zp,
            weight_zp=part.weight_zp,
        )
        for part in _split_groups(operands._replace(weight=weight), groups)
    ]
    y = concat(parts, 3)
    cut = [done - pad for done, pad in zip(out_pad, window.pad, strict=True)]  # negative paddings cut elements off
    n, rows, columns, channels = y.shape
    size = (n, rows - cut[0] - cut[1], columns - cut[2] - cut[3], channels)
    if min(size) < 1:
        raise Decline(f"expected padding that leaves an output, found {list(window.pad)}")
    return y.slice((0, cut[0], cut[2], 0), size)


def transposed_convolution_3d(operands: Operands, window: Window, sizes: tuple[int, ...]) -> Expr:
    """Returns the transposed convolution of a volume, cut or padded at the end to these sizes.

    It is a CONV3D with the kernel reversed, over the input with zeros between its elements: element i reaches the
    results i * stride + pad + k * dilation. The paddings behind in `window.pad` aren't read, because they follow from
    the sizes.
    """
    x, weight, pad = operands.x, operands.weight, list[int]()
    for i, (reach, stride) in enumerate(zip(window.reach, window.stride, strict=True)):
        read = sizes[i] - window.pad[2 * i]  # elements, zeros among them, that results depend on
        x = spread_axis(x, 1 + i, stride, read)
        pad += [reach - 1 + window.pad[2 * i], read - x.shape[1 + i]]
    for axis in range(3):
        weight = weight.reverse(1 + axis) if window.kernel[axis] > 1 else weight
    dense = Window(window.kernel, (1, 1, 1), window.dilation, tuple(pad))
    return _emit_convolution(operands._replace(x=x, weight=weight), dense)


def _split_groups(operands: Operands, groups: int) -> list[Operands]:
    """Splits the operands of a grouped convolution into those of each group of channels."""
    if groups == 1:
        return [operands]
    x, weight, bias = operands[:3]
    depth, share = weight.shape[-1], weight.shape[0] // groups
    return [
        operands._replace(
            x=x.part(x.rank - 1, group * depth, depth),
            weight=weight.part(0, group * share, share),
            bias=_bias_part(bias, group * share, share),
        )
        for group in range(groups)
    ]


def _bias_part(bias: Expr, begin: int, size: int) -> Expr:
    """Returns the bias of one group; one of a single element serves all groups as it is."""
    if bias.size == 1:
        return bias
    if bias.dtype is DType.I48 and bias.constant is not None:  # SLICE takes no i48
        return const(bias.constant[begin : begin + size], bias.dtype)
    return bias.part(0, begin, size)


def spread_axis(x: Expr, axis: int, stride: int, most: int = 0, value: float = 0) -> Expr:
    """Returns x with its elements along an axis `stride` apart, and `value` between them.

    Up to stride - 1 elements of `value` are added behind the last element, as long as the axis is shorter than `most`.
    """
    shape = x.shape
    size = shape[axis]
    if stride == 1 or size <= 1:
        return x
    apart = x.reshape((*shape[:axis], size, 1, *shape[axis + 1 :]))
    padded = apart.pad([(0, (stride - 1) * (i == axis + 1)) for i in range(len(shape) + 1)], value)
    joined = padded.reshape((*shape[:axis], size * stride, *shape[axis + 1 :]))
    length = min(size * stride, max(most, (size - 1) * stride + 1))
    return joined.slice((0,) * len(shape), (*shape[:axis], length, *shape[axis + 1 :]))


# ** pools **


def average_pool(x: Expr, window: Window, zp: int = 0) -> Expr:
    """Returns the mean of each window; padding isn't counted. `zp` is the zero point of input and result."""
    return avg_pool2d(x, kernel=window.kernel, stride=window.stride, pad=window.pad, zp=zp)


def l2_pool(x: Expr, window: Window) -> Expr:
    """Returns the root of the mean square of each window."""
    return reciprocal(rsqrt(average_pool(x * x, window)))


def global_average_pool(x: Expr) -> Expr:
    """Returns the mean of each channel, [N, 1, 1, C]: a sum where the image is beyond the level of AVG_POOL2D."""
    _, height, width, _ = x.shape
    if max(height, width) <= LEVEL_8K.MAX_KERNEL:
        return average_pool(x, Window((height, width)))
    total = x.cast(DType.FP32)
    for axis in (1, 2):
        total = reduce_sum(total, axis)
    return (total * (1 / (height * width))).cast(x.dtype)


def max_pool(x: Expr, window: Window, nan_mode: str = "PROPAGATE") -> Expr:
    """Returns the largest element of each window, of floats or integers.

    A dilated window is the maximum of shifted slices of the padded image, first of its rows, then of its columns. A
    MAX_POOL2D of 1 by 1 then takes every stride-th element.
    """
    if window.dilation == (1, 1):
        return max_pool2d(x, kernel=window.kernel, stride=window.stride, pad=window.pad, nan_mode=nan_mode)
    dtype, (top, bottom, left, right) = x.dtype, window.pad
    least = -math.inf if dtype.is_float else dtype.limits[0]
    x = x.pad(((0, 0), (top, bottom), (left, right), (0, 0)), least)
    x = x if dtype.is_float else x.cast(DType.I32)
    for axis in (0, 1):
        size = x.shape[1 + axis] - window.reach[axis] + 1
        parts = [x.part(1 + axis, i * window.dilation[axis], size) for i in range(window.kernel[axis])]
        x = parts[0]
        for part in parts[1:]:
            x = maximum(x, part, nan_mode if dtype.is_float else "PROPAGATE")
    x = x.cast(dtype)
    return x if window.stride == (1, 1) else max_pool2d(x, kernel=(1, 1), stride=window.stride, pad=(0, 0, 0, 0))


# ** padding **


def same_padding(size: int, kernel: int, stride: int, dilation: int = 1) -> tuple[int, int]:
    """Returns TFLite's SAME padding before and after one axis, with which ceil(size / stride) windows fit.

    The odd element goes behind. For 5 elements, a kernel of 3 and a stride of 2 there are 3 results, whose windows span
    (3 - 1) * 2 + 3 = 7 elements: 1 before and 1 after are added.
    """
    outputs = -(-size // stride)
    total = max((outputs - 1) * stride + (kernel - 1) * dilation + 1 - size, 0)
    return total // 2, total - total // 2


def valid_padding(size: int, kernel: int, _stride: int = 1, dilation: int = 1) -> tuple[int, int]:
    """Returns TFLite's VALID padding, which is none, after a check that a window fits; the stride doesn't matter.

    Raises:
        Decline: no window fits.
    """
    if size < (kernel - 1) * dilation + 1:
        raise Decline(f"expected a window of at most {size} elements, found {kernel}: TOSA has no empty tensors")
    return 0, 0
