"""Padding of windows as TFLite computes it."""

from collections.abc import Sequence

from tosa_converter.legalize.constant_operands import result_sizes
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.rewrite import Decline, Match
from tosa_converter.schemas.flat import I32, Table
from tosa_converter.schemas.tflite import Padding, Pool2DOptions


def padding_1d(kind: Padding, size: int, kernel: int, stride: int, dilation: int = 1) -> tuple[int, int]:
    """Padding before and after along one axis; the odd element goes behind (ComputePaddingHeightWidth, padding.h).

    Raises:
        Decline: a stride, dilation or kernel that isn't positive.
    """
    if min(kernel, stride, dilation) < 1:
        raise Decline(f"kernel {kernel}, stride {stride} and dilation {dilation} must be positive")
    if kind == Padding.VALID:
        if size < (kernel - 1) * dilation + 1:
            raise Decline(f"a window of {kernel} on {size} elements: the result is empty, which no tensor of TOSA is")
        return 0, 0
    outputs = -(-size // stride)
    total = max((outputs - 1) * stride + (kernel - 1) * dilation + 1 - size, 0)
    return total // 2, total - total // 2


def transposed_padding(
    kind: Padding, size: Sequence[int], inputs: Sequence[int], kernel: Sequence[int], stride: Sequence[int]
) -> list[int]:
    """out_pad of a transposed convolution that makes `size` = (height, width).

    What the forward convolution would pad is cut off the output; what it would not reach is added.

    Raises:
        Decline: whole kernels would be cut off.
    """
    out_pad: list[int] = []
    for i in range(2):
        before, _ = padding_1d(kind, size[i], kernel[i], stride[i])
        after = size[i] - (inputs[i] - 1) * stride[i] - kernel[i] + before
        if min(-before, after) <= -kernel[i]:
            raise Decline(f"an output of {list(size)} cuts whole kernels off")
        out_pad += [-before, after]
    return out_pad


def transposed_size(match: Match) -> list[int]:
    """Height and width that TRANSPOSE_CONV is to make.

    Raises:
        Decline: the output's shape is not known, or not one of 4 sizes.
    """
    size = result_sizes(match, "output_shape")
    if len(size) != 4:
        raise Decline(f"expected an output shape of 4 sizes, found {size}")
    return size[1:3]


class Windowed(Table):
    """What the options of every operator with a window have, under the same names; pools have no dilation."""

    padding: Padding = Padding.SAME
    stride_w: I32 = 0
    stride_h: I32 = 0
    dilation_w_factor: I32 = 1
    dilation_h_factor: I32 = 1

    @property
    def stride(self) -> tuple[int, int]:
        """Of height and width."""
        return self.stride_h, self.stride_w

    @property
    def dilation(self) -> tuple[int, int]:
        """Of height and width."""
        return self.dilation_h_factor, self.dilation_w_factor


def pooled(match: Match) -> tuple[tuple[int, int], Windowed]:
    """The kernel's height and width of a pool, and its window."""
    options = match.attributes(Pool2DOptions)
    return (options.filter_height, options.filter_width), match.attributes(Windowed)


def padding_2d(options: Windowed, x: Expr, kernel: Sequence[int]) -> tuple[int, int, int, int]:
    """top, bottom, left, right for a window of `kernel` = (height, width) over `x` in NHWC, by the options."""
    dilation = options.dilation
    _, height, width, _ = x.shape
    rows = padding_1d(options.padding, height, kernel[0], options.stride_h, dilation[0])
    columns = padding_1d(options.padding, width, kernel[1], options.stride_w, dilation[1])
    return *rows, *columns


def spread(x: Expr, axis: int, stride: int, most: int = 0, value: float = 0) -> Expr:
    """Zeros behind the elements along an axis but the last, behind which there may be so many that `most` are there."""
    shape = x.shape
    size = shape[axis]
    if stride == 1 or size <= 1:
        return x
    apart = x.reshape((*shape[:axis], size, 1, *shape[axis + 1 :]))
    padded = apart.pad([(0, (stride - 1) * (i == axis + 1)) for i in range(len(shape) + 1)], value)
    joined = padded.reshape((*shape[:axis], size * stride, *shape[axis + 1 :]))
    kept = min(size * stride, max(most, (size - 1) * stride + 1))
    return joined.slice((0,) * len(shape), (*shape[:axis], kept, *shape[axis + 1 :]))
