"""Windows of convolutions and pools as the fields of XNNPACK's nodes state them."""

from collections.abc import Sequence

from tosa_converter.ir import TensorType
from tosa_converter.legalize.limits import I32
from tosa_converter.legalize.ops.windows import Operands, Window
from tosa_converter.legalize.tflite.windows import padding_1d
from tosa_converter.legalize.xnnpack.checks import require_per_channel, require_rank, require_sizes
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.schemas import xnnpack
from tosa_converter.schemas.tflite import Padding

AVERAGE = "xnn.avg_pooling_2d"  # in XNNPACK's the fields for dilation mean nothing; ExecuTorch writes 0


class _Fields(xnnpack.Convolution, xnnpack.Pooling):
    """The window attributes of nodes, under the names that convolutions and those that pools have."""


def window(match: Match, x: TensorType) -> Window:
    """Returns the window of an XNNPACK convolution or pool over the NHWC image `x`.

    A pool without strides steps by its window's size; AvgPooling2d has no dilation.

    Raises:
        Decline: a size isn't positive, or exceeds 32 bits.
    """
    require_rank(x, 4)
    fields = match.attributes(_Fields)
    if "pooling_height" in match.op.attributes:
        kernel = fields.pooling_height, fields.pooling_width
        stride = match.op.attributes.get("stride_height", kernel[0]), match.op.attributes.get("stride_width", kernel[1])
    else:
        kernel = fields.kernel_height, fields.kernel_width
        stride = fields.subsampling_height, fields.subsampling_width
    steps = match.op.attributes
    dilation = steps.get("dilation_height", 1), steps.get("dilation_width", 1)
    if match.op.name == AVERAGE:
        dilation = 1, 1
    if min(*kernel, *stride, *dilation) < 1:
        raise Decline(f"expected positive sizes, found kernel {kernel}, stride {stride}, dilation {dilation}")
    pad = (fields.padding_top, fields.padding_bottom, fields.padding_left, fields.padding_right)
    largest = max(*kernel, *stride, *dilation, *pad)
    match.require(largest <= I32.max, f"expected sizes of a window up to {I32.max}, found {largest}")
    return Window(kernel, stride, dilation, pad)


def forward_window(match: Match, x: TensorType) -> Window:
    """Returns the window of an XNNPACK convolution or pool that isn't transposed; a flag may ask for SAME padding.

    Raises:
        Decline: no window fits, or the flag comes with padding.
    """
    stated = window(match, x)
    if match.op.attributes["flags"] & xnnpack.FLAG_TENSORFLOW_SAME_PADDING:
        match.require(not any(stated.pad), f"expected no padding beside TensorFlow's, found {list(stated.pad)}")
        sizes = zip(x.static[1:3], stated.kernel, stated.stride, stated.dilation, strict=True)
        (top, bottom), (left, right) = (padding_1d(Padding.SAME, *size) for size in sizes)
        stated = stated._replace(pad=(top, bottom, left, right))
    stated.require_fit(x)
    return stated


def transposed_window(match: Match, x: TensorType) -> Window:
    """Returns the window of ConvTranspose2d, whose padding becomes TOSA's `out_pad`.

    XNNPACK's padding crops the result, so `out_pad` is negative; the adjustment adds rows and columns at the end.
    """
    stated = window(match, x)
    top, bottom, left, right = stated.pad
    below, beside = (match.op.attributes.get(f"adjustment_{name}", 0) for name in ("height", "width"))
    return stated._replace(pad=(-top, below - bottom, -left, beside - right))


def check_shapes(match: Match, operands: Operands, kernel: Sequence[int], *, by_channel: bool = False) -> int:
    """Returns the number of groups of an XNNPACK convolution; declines operands that don't fit its channels.

    `by_channel` is for DepthwiseConv2d, whose weights are [1, height, width, channels].

    Raises:
        Decline: the weight or the bias doesn't fit.
    """
    fields = match.attributes(xnnpack.Convolution)
    groups, depth, outputs = fields.groups, fields.group_input_channels, fields.group_output_channels
    is_positive = min(groups, depth, outputs) >= 1
    match.require(is_positive, f"expected groups with channels, found {groups} of {depth} channels to {outputs}")
    require_rank(operands.weight.type, 4)
    require_sizes("channels", operands.x.shape[3:], [groups * depth])
    channels = groups * outputs
    sizes = [1, *kernel, channels // depth] if by_channel else [channels, *kernel, depth]
    require_sizes("filter", operands.weight.shape, sizes)
    require_per_channel("biases", operands.bias.size, channels)
    return groups
