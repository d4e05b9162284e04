"""Windows as TFLite's options state them, with the padding that its kernels compute."""

from collections.abc import Sequence

from tosa_converter.legalize.constant_operands import result_sizes
from tosa_converter.legalize.ops.windows import Window, same_padding, valid_padding
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Key, Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.schemas.flat import I32, Table
from tosa_converter.schemas.tflite import Padding, Pool2DOptions


def padding_1d(kind: Padding, size: int, kernel: int, stride: int, dilation: int = 1) -> tuple[int, int]:
    """Returns the padding before and after along one axis, for SAME or VALID (ComputePaddingHeightWidth, padding.h).

    Raises:
        Decline: a stride, dilation or kernel isn't positive, or no window fits.
    """
    if min(kernel, stride, dilation) < 1:
        raise Decline(f"expected a kernel, stride and dilation of 1 or more, found {kernel}, {stride} and {dilation}")
    padding = valid_padding if kind == Padding.VALID else same_padding
    return padding(size, kernel, stride, dilation)


class Windowed(Table):
    """The fields that the options of every operator with a window share; pools have no dilation."""

    padding: Padding = Padding.SAME
    stride_w: I32 = 0
    stride_h: I32 = 0
    dilation_w_factor: I32 = 1
    dilation_h_factor: I32 = 1

    @property
    def stride(self) -> tuple[int, int]:
        """The strides of height and width, in this order."""
        return self.stride_h, self.stride_w

    @property
    def dilation(self) -> tuple[int, int]:
        """The dilations of height and width, in this order."""
        return self.dilation_h_factor, self.dilation_w_factor


def window(match: Match, key: Key) -> Window:
    """Returns the window of a convolution of "input" whose weight is operand `key`, [.., height, width, ..]."""
    return _window_of_image(match.attributes(Windowed), match["input"], _kernel_size(match, key))


def pool_window(match: Match) -> Window:
    """Returns the window of a pool of "input": kernel, stride and padding."""
    options = match.attributes(Pool2DOptions)
    return _window_of_image(match.attributes(Windowed), match["input"], (options.filter_height, options.filter_width))


def transposed_window(match: Match, key: Key) -> Window:
    """Returns the window of TRANSPOSE_CONV; its padding makes the result as large as the operand says.

    Raises:
        Decline: the result's size isn't known, or so small that whole kernels would be cut off.
    """
    options, kernel, inputs = match.attributes(Windowed), _kernel_size(match, key), match["input"].shape[1:3]
    out_pad = transposed_padding(options.padding, transposed_size(match), inputs, kernel, options.stride)
    return Window(kernel, options.stride, pad=tuple(out_pad))


def _kernel_size(match: Match, key: Key) -> tuple[int, int]:
    """Returns the height and width of the weight `key`; those of a constant are read from the file's shape."""
    constant = match.source(key).constant
    shape = match[key].shape if constant is None else constant.shape
    for sizes in (match["input"].shape, shape):
        if len(sizes) != 4:
            raise Decline(f"expected a tensor of rank 4, found shape {list(sizes)}")
    return shape[1], shape[2]


def _window_of_image(options: Windowed, x: Expr, kernel: tuple[int, int]) -> Window:
    """Returns the window of size `kernel` over image x, with the padding that the options ask for."""
    _, height, width, _ = x.shape
    rows = padding_1d(options.padding, height, kernel[0], options.stride_h, options.dilation_h_factor)
    columns = padding_1d(options.padding, width, kernel[1], options.stride_w, options.dilation_w_factor)
    return Window(kernel, options.stride, options.dilation, (*rows, *columns))


def transposed_padding(
    kind: Padding,
    output_size: Sequence[int],
    input_size: Sequence[int],
    kernel: Sequence[int],
    stride: Sequence[int],
) -> list[int]:
    """Returns how many rows and columns a transposed convolution adds to its result, or cuts off if negative.

    They are [top, bottom, left, right]. The sizes are (height, width) each. What the forward convolution would pad is
    cut off the result; what it would not reach is added.

    Raises:
        Decline: whole kernels would be cut off.
    """
    out_pad: list[int] = []
    for i in range(2):
        before, _ = padding_1d(kind, output_size[i], kernel[i], stride[i])
        after = output_size[i] - (input_size[i] - 1) * stride[i] - kernel[i] + before
        if min(-before, after) <= -kernel[i]:
            raise Decline(f"expected an output that keeps part of each kernel, found {list(output_size)}")
        out_pad += [-before, after]
    return out_pad


def transposed_size(match: Match) -> list[int]:
    """Returns the height and width of TRANSPOSE_CONV's result.

    Raises:
        Decline: its shape is not known, or not one of 4 sizes.
    """
    size = result_sizes(match, "output_shape")
    if len(size) != 4:
        raise Decline(f"expected an output shape of 4 sizes, found {size}")
    return size[1:3]
