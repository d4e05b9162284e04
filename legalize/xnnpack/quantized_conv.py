"""Convolutions and layers of quantized elements: sums in i32, then requantized channel by channel."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.matrices import layout
from tosa_converter.legalize.quant.elements import eight_bit, operand, swap_signedness, target8
from tosa_converter.legalize.quant.xnnpack_rounding import F32
from tosa_converter.legalize.xnnpack import windows
from tosa_converter.legalize.xnnpack.layers import in_shape, weight_of
from tosa_converter.legalize.xnnpack.requantize import requantized
from tosa_converter.legalize.xnnpack.windows import Operands, check_shapes, forward, window
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.operators import conv2d
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite

NO_PADDING = (0, 0, 0, 0)
LARGEST = 255 * 255  # magnitude of a product of elements less their zero points


def operands(match: Match) -> Operands:
    """Input, filter and bias of elements of 8 bits.

    Raises:
        Decline: a filter or bias that isn't quantized as XNNPACK wants it.
    """
    x, source = operand(match, "input1"), match.source("filter").type
    weight, weight_zp = match["filter"], match.quant("filter").zero_point[0]
    if source.dtype is DType.UI8:
        weight, weight_zp = swap_signedness(weight), weight_zp - 128
    bias = match.get("bias")
    if bias is None:
        return Operands(x.value, weight, const([0], DType.I32), x.zero_point, weight_zp)
    if bias.dtype is not DType.I32:
        raise Decline(f"a bias {bias.type}, not of i32")
    return Operands(x.value, weight, bias.reshape((bias.size,)), x.zero_point, weight_zp)


def _requantized(match: Match, it: Operands, acc: Expr) -> Expr:
    """The sums with a scale for each channel or for all."""
    weights = np.asarray(match.quant("filter").scale, F32)
    scale = np.asarray(operand(match, "input1").scale * weights / target8(match).scale, F32)
    channels = acc.shape[-1]
    if scale.size not in (1, channels):
        raise Decline(f"{scale.size} scales for {channels} channels")
    taps = it.weight.size // channels
    return requantized(match, acc, scale, min(taps * LARGEST + _peak(it.bias), 1 << 31))


def _peak(bias: Expr) -> int:
    known: Array | None = bias.constant
    return 1 << 31 if known is None else int(np.abs(known.astype(np.int64)).max(initial=0))


def conv_2d(match: Match) -> Expr:
    """Conv2d."""
    it = operands(match)
    found = forward(match, it.x)
    check_shapes(match, it, found.kernel)
    return _requantized(match, it, windows.convolved(match, it, found))


def depthwise_conv_2d(match: Match) -> Expr:
    """DepthwiseConv2d."""
    it = operands(match)
    found = forward(match, it.x)
    check_shapes(match, it, found.kernel, by_channel=True)
    return _requantized(match, it, windows.by_channel(it, found))


def conv_transpose_2d(match: Match) -> Expr:
    """ConvTranspose2d."""
    it = operands(match)
    found = window(match, it.x)
    check_shapes(match, it, found.kernel)
    return _requantized(match, it, windows.transposed(match, it, found))


def fully_connected(match: Match) -> Expr:
    """FullyConnected as a CONV2D of 1 by 1."""
    it = operands(match)
    weight = weight_of(match, it)
    outputs, depth = weight.shape
    rows, kernel = it.x.reshape(layout(it.x, depth)), weight.reshape((outputs, 1, 1, depth))
    acc = conv2d(rows, kernel, it.bias, pad=NO_PADDING, input_zp=it.x_zp, weight_zp=it.weight_zp)
    return in_shape(it.x, _requantized(match, it, acc))


CHECKS = (eight_bit("input1"),)
REWRITES: tuple[Rewrite, ...] = tuple(
    Rewrite(f"xnn.{build.__name__}", "i8*i8 ui8*ui8", build, CHECKS, of=("input1", "filter"))
    for build in (conv_2d, depthwise_conv_2d, conv_transpose_2d, fully_connected)
)
