"""Float convolutions, fully connected layers and matrix products."""

import struct
from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import FLOATS, no_narrow_integers
from tosa_converter.legalize.matrices import in_shape, layout, matrices, sides
from tosa_converter.legalize.tflite.activation import ACTIVATION_RANGES, fused_activation
from tosa_converter.legalize.windows import Windowed, padding_2d, transposed_padding, transposed_size
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.operators import concat, conv2d, matmul, transpose_conv2d
from tosa_converter.rewriting.rewrite import Decline, Key, Match, Rewrite, condition
from tosa_converter.schemas import tflite
from tosa_converter.schemas.tfl_ops import CUSTOM_PADDING, TRANSPOSE_BIAS
from tosa_converter.schemas.tflite import ActivationFunctionType, FullyConnectedOptionsWeightsFormat, Padding

# ** operands **


def _weight(match: Match, index: Key, like: Expr) -> Expr:
    """Operand `index` in the type of the activations: fp16 weights are widened once."""
    return match[index].cast(like.dtype)


def bias_or_zero(match: Match, index: Key, like: Expr) -> Expr:
    """The bias as a vector; without one, a zero that broadcasts."""
    if not match.has(index):
        return const(np.zeros(1), like.dtype)
    bias = _weight(match, index, like)
    return bias.reshape((bias.size,))


def _rank(value: Expr, rank: int) -> None:
    if value.rank != rank:
        raise Decline(f"expected a tensor of rank {rank}, found {value.type}")


# ** CONV_2D, DEPTHWISE_CONV_2D **


def conv_2d(match: Match) -> Expr:
    """CONV_2D; a weight [O,KH,KW,I/groups] splits the channels into groups."""
    return convolution(match, _weight(match, "filter", match["input"]))


def convolution(match: Match, weight: Expr) -> Expr:
    """CONV_2D of floats with a weight in their type."""
    x = match["input"]
    pad = padding_2d(match.attributes(Windowed), x, weight.shape[1:3])
    return fused_activation(match, grouped(match, x, weight, bias_or_zero(match, "bias", x), pad))


def grouped(match: Match, x: Expr, weight: Expr, bias: Expr, pad: Sequence[int]) -> Expr:
    """CONV2D of any type; one for each group of channels, DEPTHWISE_CONV2D where each group has one."""
    window = match.attributes(Windowed)
    outputs, *kernel, depth = weight.shape
    groups = x.shape[3] // depth
    if groups > 1 and depth == 1:
        return by_channel(match, x, weight.transpose((3, 1, 2, 0)), bias, pad)

    def convolved(x: Expr, weight: Expr, bias: Expr) -> Expr:
        return conv2d(x, weight, bias, pad=pad, stride=window.stride, dilation=window.dilation)

    if groups == 1:
        return convolved(x, weight, bias)
    share = outputs // groups
    parts = [
        convolved(
            x.slice((0, 0, 0, group * depth), (*x.shape[:3], depth)),
            weight.slice((group * share, 0, 0, 0), (share, *kernel, depth)),
            bias.slice((group * share,), (share,)) if bias.size > 1 else bias,
        )
        for group in range(groups)
    ]
    return concat(parts, 3)


def depthwise_conv_2d(match: Match) -> Expr:
    """DEPTHWISE_CONV_2D: weight [1,KH,KW,C*M], whose channels run over M first, as TOSA's [KH,KW,C,M]."""
    return depthwise_convolution(match, _weight(match, "filter", match["input"]))


def depthwise_convolution(match: Match, weight: Expr) -> Expr:
    """DEPTHWISE_CONV_2D of floats with a weight in their type."""
    x = match["input"]
    pad = padding_2d(match.attributes(Windowed), x, weight.shape[1:3])
    return fused_activation(match, by_channel(match, x, weight, bias_or_zero(match, "bias", x), pad))


def by_channel(match: Match, x: Expr, weight: Expr, bias: Expr, pad: Sequence[int]) -> Expr:
    """DEPTHWISE_CONV2D of any type."""
    window = match.attributes(Windowed)
    channels = x.shape[3]
    _, height, width, outputs = weight.shape
    return conv2d(
        x,
        weight.reshape((height, width, channels, outputs // channels)),
        bias,
        pad=pad,
        stride=window.stride,
        dilation=window.dilation,
        depthwise=True,
    )


# ** TRANSPOSE_CONV **


def transpose_conv(match: Match) -> Expr:
    """TRANSPOSE_CONV: the output's size is an operand."""
    return transposed_convolution(match, _weight(match, "weights", match["input"]))


def transposed_convolution(match: Match, weight: Expr) -> Expr:
    """TRANSPOSE_CONV of floats with a weight in their type."""
    window = match.attributes(Windowed)
    x = match["input"]
    y = transposed(
        x,
        weight,
        bias_or_zero(match, "bias", x),
        size=transposed_size(match),
        stride=window.stride,
        kind=window.padding,
    )
    return fused_activation(match, y)


def transposed(
    x: Expr, weight: Expr, bias: Expr, *, size: Sequence[int], stride: tuple[int, int], kind: Padding
) -> Expr:
    """TRANSPOSE_CONV2D of any type that makes `size` = (height, width)."""
    _rank(x, 4)
    _rank(weight, 4)
    out_pad = transposed_padding(kind, size, x.shape[1:3], weight.shape[1:3], stride)
    return transpose_conv2d(x, weight, bias, out_pad=out_pad, stride=stride)


def convolution_2d_transpose_bias(match: Match) -> Expr:
    """MediaPipe's Convolution2DTransposeBias: operands input, weight OHWI, bias; options padding, strides w, h."""
    options: bytes = match.op.attributes["custom_options"]
    if len(options) < 12:
        raise Decline(f"expected 12 bytes of custom options, found {len(options)}")
    number, stride_w, stride_h = struct.unpack_from("<3i", options)
    if number not in CUSTOM_PADDING or min(stride_w, stride_h) < 1:
        raise Decline(f"padding {number} with stride {stride_h} by {stride_w}")
    x = match[0]
    weight = _weight(match, 1, x)
    _rank(x, 4)
    _rank(weight, 4)
    bias = bias_or_zero(match, 2, x)
    if x.shape[3] != weight.shape[3] or bias.size not in (1, weight.shape[0]):
        raise Decline(f"a weight {weight.type} and a bias {bias.type} for {x.type}")
    kind, stride = CUSTOM_PADDING[number], (stride_h, stride_w)
    kernel, inputs = weight.shape[1:3], x.shape[1:3]
    same = [n * s for n, s in zip(inputs, stride, strict=True)]
    valid = [(n - 1) * s + k for n, s, k in zip(inputs, stride, kernel, strict=True)]
    height, width = same if kind == Padding.SAME else valid
    return transposed(x, weight, bias, size=(height, width), stride=stride, kind=kind)


# ** matrices **


def fully_connected(match: Match) -> Expr:
    """FULLY_CONNECTED as a CONV2D of 1 by 1: its weight [O,K] is in the right order."""
    x = match["input"]
    y = dense(x, _weight(match, "filter", x), bias_or_zero(match, "bias", x))
    return in_shape(match, x, fused_activation(match, y))


def dense(x: Expr, weight: Expr, bias: Expr) -> Expr:
    """A layer of any type as CONV2D: [...,O] in four dimensions."""
    outputs, depth = weight.shape
    rows = x.reshape(layout(x, depth))
    return conv2d(rows, weight.reshape((outputs, 1, 1, depth)), bias, pad=(0, 0, 0, 0))


@condition("weights aren't shuffled, the fused activation is one that the kernel has")
def plain(match: Match) -> str | None:
    """Against what the kernel refuses: shuffled weights, other activations."""
    options = match.attributes(tflite.FullyConnectedOptions)
    kind = options.fused_activation_function
    if options.weights_format != FullyConnectedOptionsWeightsFormat.DEFAULT:
        return f"weights of format {options.weights_format.name}"
    return None if kind == ActivationFunctionType.NONE or kind in ACTIVATION_RANGES else f"a fused {kind.name}"


def batch_matmul(match: Match) -> Expr:
    """BATCH_MATMUL."""
    return product(*sides(match, match["x"], match["y"]))


def product(left: Expr, right: Expr) -> Expr:
    """The matrix product of floats, whose sums are in fp32."""
    pair = matrices(left, right)
    made = matmul(pair.left, pair.right, dtype=DType.FP32)
    return made.cast(pair.left.dtype).reshape(pair.shape)


# ** DEQUANTIZE of fp16 **


def dequantize_half(match: Match) -> Expr:
    """DEQUANTIZE of fp16 elements widens them; constant weights are folded."""
    return match["input"].cast(DType.FP32)


@condition("from fp16")
def _is_half(match: Match) -> str | None:
    dtype = match.source(0).type.dtype
    return None if dtype is DType.FP16 else f"the operand is of type {dtype.value}, not fp16"


PAIRS = "fp32*fp32 fp16*fp16 bf16*bf16"
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.conv_2d", PAIRS, conv_2d, (no_narrow_integers,), of=("input", "filter")),
    Rewrite("tfl.depthwise_conv_2d", PAIRS, depthwise_conv_2d, (no_narrow_integers,), of=("input", "filter")),
    Rewrite("tfl.transpose_conv", PAIRS, transpose_conv, (no_narrow_integers,), of=("input", "weights")),
    Rewrite(f"custom.{TRANSPOSE_BIAS}", FLOATS, convolution_2d_transpose_bias, (no_narrow_integers,)),
    Rewrite("tfl.fully_connected", PAIRS, fully_connected, (no_narrow_integers, plain), of=("input", "filter")),
    Rewrite("tfl.batch_matmul", PAIRS, batch_matmul, (no_narrow_integers,), of=("x", "y")),
    Rewrite("tfl.dequantize", "fp16", dequantize_half, (_is_half,)),
)
