"""Windows of convolutions and pools, and the convolutions of any type."""

from collections.abc import Sequence
from typing import NamedTuple

from tosa_converter.legalize.limits import I32
from tosa_converter.legalize.windows import padding_1d, spread
from tosa_converter.legalize.xnnpack.checks import require_rank, require_sizes
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.operators import concat, conv2d, transpose_conv2d
from tosa_converter.rewriting.rewrite import Decline, Match
from tosa_converter.schemas import xnnpack
from tosa_converter.schemas.tflite import Padding

AVERAGE = "xnn.avg_pooling_2d"  # in XNNPACK's the fields for dilation mean nothing; ExecuTorch writes 0


class Window(NamedTuple):
    """Height and width of each; `pad` is top, bottom, left, right, `adjustment` what a transposed one adds behind."""

    kernel: tuple[int, int]
    stride: tuple[int, int]
    dilation: tuple[int, int]
    pad: tuple[int, int, int, int]
    adjustment: tuple[int, int] = (0, 0)

    @property
    def reach(self) -> tuple[int, int]:
        """How far a window reaches, with what dilation leaves out."""
        height, width = ((size - 1) * step + 1 for size, step in zip(self.kernel, self.dilation, strict=True))
        return height, width


class Operands(NamedTuple):
    """What a convolution takes; the zero points are 0 for floats."""

    x: Expr
    weight: Expr
    bias: Expr
    x_zp: int = 0
    weight_zp: int = 0


class _Fields(xnnpack.Convolution, xnnpack.Pooling):
    """The fields of windows, under the names that convolutions and pools have."""


def window(match: Match, x: Expr) -> Window:
    """The window of a convolution or a pool over `x` in NHWC.

    Raises:
        Decline: it has no size, or doesn't fit.
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
        raise Decline(f"kernel {list(kernel)}, stride {list(stride)} and dilation {list(dilation)} must be positive")
    pad = (fields.padding_top, fields.padding_bottom, fields.padding_left, fields.padding_right)
    largest = max(*kernel, *stride, *dilation, *pad)
    if largest > I32.max:
        raise Decline(f"{largest} in a window, whose numbers have 32 bits with a sign in TOSA")
    adjustment = steps.get("adjustment_height", 0), steps.get("adjustment_width", 0)
    return Window(kernel, stride, dilation, pad, adjustment)


def forward(match: Match, x: Expr) -> Window:
    """The window of an operator that makes images smaller, with the padding that a flag may ask for.

    Raises:
        Decline: no window fits, or the flag comes with padding.
    """
    found = window(match, x)
    if match.op.attributes["flags"] & xnnpack.FLAG_TENSORFLOW_SAME_PADDING:
        if any(found.pad):
            raise Decline(f"padding {list(found.pad)} besides the flag for TensorFlow's")
        sizes = zip(x.shape[1:3], found.kernel, found.stride, found.dilation, strict=True)
        (top, bottom), (left, right) = (padding_1d(Padding.SAME, *size) for size in sizes)
        found = found._replace(pad=(top, bottom, left, right))
    height, width = x.shape[1:3]
    padded = height + sum(found.pad[:2]), width + sum(found.pad[2:])
    if any(size < reach for size, reach in zip(padded, found.reach, strict=True)):
        raise Decline(f"a window of {list(found.reach)} does not fit {x.type} with padding {list(found.pad)}")
    return found


def check_shapes(match: Match, it: Operands, kernel: Sequence[int], *, by_channel: bool = False) -> None:
    """Against a weight or a bias that doesn't fit the node's groups and channels.

    Raises:
        Decline: one doesn't.
    """
    fields = match.attributes(xnnpack.Convolution)
    groups, depth, outputs = fields.groups, fields.group_input_channels, fields.group_output_channels
    if min(groups, depth, outputs) < 1:
        raise Decline(f"{groups} groups of {depth} channels to {outputs}")
    require_rank(it.weight, 4)
    require_sizes("channels", it.x.shape[3:], [groups * depth])
    made = groups * outputs
    wanted = [1, *kernel, made // depth] if by_channel else [made, *kernel, depth]
    require_sizes("filter", it.weight.shape, wanted)
    if it.bias.size not in (1, made):
        raise Decline(f"a bias {it.bias.type} for {made} channels")


def convolved(match: Match, it: Operands, found: Window) -> Expr:
    """CONV2D; one for each group of channels, DEPTHWISE_CONV2D where each group has one."""
    groups = match.attributes(xnnpack.Convolution).groups
    if groups > 1 and it.weight.shape[3] == 1:
        return by_channel(it._replace(weight=it.weight.transpose((3, 1, 2, 0))), found)
    return concat([_convolved(part, found) for part in _groups(it, groups)], 3)


def _convolved(it: Operands, found: Window, *, depthwise: bool = False) -> Expr:
    return conv2d(
        it.x,
        it.weight,
        it.bias,
        pad=found.pad,
        stride=found.stride,
        dilation=found.dilation,
        input_zp=it.x_zp,
        weight_zp=it.weight_zp,
        depthwise=depthwise,
    )


def by_channel(it: Operands, found: Window) -> Expr:
    """DEPTHWISE_CONV2D of a weight [1,KH,KW,C*M], whose channels run over M first, as TOSA's [KH,KW,C,M]."""
    channels = it.x.shape[3]
    _, height, width, outputs = it.weight.shape
    weight = it.weight.reshape((height, width, channels, outputs // channels))
    return _convolved(it._replace(weight=weight), found, depthwise=True)


def transposed(match: Match, it: Operands, found: Window) -> Expr:
    """TRANSPOSE_CONV2D, for each group; between the weights' elements are zeros for dilation.

    Padding is cut off the result, in out_pad as far as that takes it (no more than a kernel less 1).
    """
    groups = match.attributes(xnnpack.Convolution).groups
    weight = it.weight
    for axis in (0, 1):
        weight = spread(weight, 1 + axis, found.dilation[axis], value=it.weight_zp)
    (top, bottom, left, right), (height, width) = found.pad, found.reach
    out_pad = (-top, found.adjustment[0] - bottom, -left, found.adjustment[1] - right)
    kept = tuple(max(pad, 1 - size) for pad, size in zip(out_pad, (height, height, width, width), strict=True))
    made = [
        transpose_conv2d(
            part.x, part.weight, part.bias, out_pad=kept, stride=found.stride, input_zp=it.x_zp, weight_zp=it.weight_zp
        )
        for part in _groups(it._replace(weight=weight), groups)
    ]
    y = concat(made, 3)
    cut = [have - wanted for have, wanted in zip(kept, out_pad, strict=True)]
    n, rows, columns, channels = y.shape
    size = (n, rows - cut[0] - cut[1], columns - cut[2] - cut[3], channels)
    if min(size) < 1:
        raise Decline(f"padding {list(found.pad)} leaves nothing")
    return y.slice((0, cut[0], cut[2], 0), size)


def _groups(it: Operands, groups: int) -> list[Operands]:
    """The operands of each group."""
    if groups == 1:
        return [it]
    outputs, _, _, depth = it.weight.shape
    share = outputs // groups
    return [
        it._replace(
            x=it.x.part(3, group * depth, depth),
            weight=it.weight.part(0, group * share, share),
            bias=it.bias.part(0, group * share, share) if it.bias.size > 1 else it.bias,
        )
        for group in range(groups)
    ]
