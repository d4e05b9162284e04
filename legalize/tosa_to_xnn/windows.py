"""Convolutions, layers, products and pools of floats, and reductions as pools."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.tosa_to_xnn.builder import XnnBuilder, built
from tosa_converter.legalize.tosa_to_xnn.movement import picked
from tosa_converter.legalize.tosa_to_tflite.images import Axis
from tosa_converter.legalize.xnnpack.checks import FLOATS
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import xnnpack

SIDES = ("top", "bottom", "left", "right")


# ** convolutions **


def fields(
    kernel: Sequence[int],
    stride: Sequence[int],
    dilation: Sequence[int],
    pad: Sequence[int],
    groups: tuple[int, int, int],
) -> dict[str, Any]:
    """A convolution's attributes; `groups` are how many, and the channels of each before and behind."""
    spans = {"kernel": kernel, "subsampling": stride, "dilation": dilation}
    found = {f"{name}_{axis}": n for name, pair in spans.items() for axis, n in zip(("height", "width"), pair, strict=True)}
    found |= {f"padding_{side}": n for side, n in zip(SIDES, pad, strict=True)}
    names = ("groups", "group_input_channels", "group_output_channels")
    return found | dict(zip(names, groups, strict=True))


def bias_of(b: XnnBuilder, bias: Value, channels: int) -> Value | None:
    """A bias per channel of what may be one for all; none if it is 0."""
    if bias.constant is not None:
        full = np.broadcast_to(bias.constant, (channels,))
        return b.const(full.copy(), bias.type.dtype) if full.any() else None
    return bias if bias.type.static == (channels,) else b.mul(bias, b.const(np.ones(channels), bias.type.dtype))


def window_of(match: Match) -> dict[str, Any]:
    """Stride, dilation and padding of a convolution."""
    return {name: match.op.attributes[name] for name in ("stride", "dilation", "pad")}


def is_layer(x: Value, kernel: Sequence[int], pad: Sequence[int]) -> bool:
    """Whether a convolution is a layer: of images of one pixel."""
    return x.type.static[1:3] == (1, 1) and tuple(kernel) == (1, 1) and not any(pad)


def conv(match: Match) -> Value:
    """CONV2D: Conv2d, or FullyConnected on images of one pixel."""
    b, x, weight = built(match), match[0], match[1]
    outputs, *kernel, depth = weight.type.static
    bias, shape = bias_of(b, match[2], outputs), match.op.results[0].type.static
    if is_layer(x, kernel, match.op.attributes["pad"]):
        return b.op("fully_connected", [x, b.reshape(weight, (outputs, depth)), bias], shape)
    spans = fields(kernel, **window_of(match), groups=(1, depth, outputs))
    return b.op("conv_2d", [x, weight, bias], shape, **spans)


def depthwise(match: Match) -> Value:
    """DEPTHWISE_CONV2D: DepthwiseConv2d."""
    b, x, weight = built(match), match[0], match[1]
    *kernel, channels, each = weight.type.static
    bias, shape = bias_of(b, match[2], channels * each), match.op.results[0].type.static
    weight = b.reshape(weight, (1, *kernel, channels * each))
    spans = fields(kernel, **window_of(match), groups=(channels, 1, each))
    return b.op("depthwise_conv_2d", [x, weight, bias], shape, **spans)


def cut_and_grown(out_pad: Sequence[int], stride: Sequence[int]) -> tuple[list[int], list[int], list[int]]:
    """What TRANSPOSE_CONV2D's `out_pad` takes off each side, what XNNPACK adds behind, and what is left to add."""
    cut, rest = [max(-n, 0) for n in out_pad], [max(n, 0) for n in out_pad]
    added = [min(rest[1 + 2 * i], stride[i] - 1) for i in (0, 1)]
    for i in (0, 1):
        rest[1 + 2 * i] -= added[i]
    return cut, added, rest


def transposed(match: Match) -> Value:
    """TRANSPOSE_CONV2D: ConvTranspose2d; what it doesn't add to an image is padded, and then the bias added."""
    b, x, weight = built(match), match[0], match[1]
    outputs, *kernel, depth = weight.type.static
    stride, bias = match.op.attributes["stride"], bias_of(b, match[2], outputs)
    cut, added, rest = cut_and_grown(match.op.attributes["out_pad"], stride)
    spans = fields(kernel, stride, (1, 1), cut, (1, depth, outputs))
    n, height, width, _ = match.op.results[0].type.static
    shape = (n, height - rest[0] - rest[1], width - rest[2] - rest[3], outputs)
    grown = dict(zip(("adjustment_height", "adjustment_width"), added, strict=True))
    y = b.op("conv_transpose_2d", [x, weight, None if any(rest) else bias], shape, **spans, **grown)
    if not any(rest):
        return y
    pads = {"pre_paddings": (0, rest[0], rest[2], 0), "post_paddings": (0, rest[1], rest[3], 0)}
    y = b.op("static_constant_pad", [y], (n, height, width, outputs), **pads)
    return y if bias is None else b.op("add", [y, bias])


def matmul(match: Match) -> Value:
    """MATMUL: BatchMatrixMultiply, or FullyConnected by a constant."""
    b, left, right = built(match), match[0], match[1]
    shape = match.op.results[0].type.static
    if right.constant is not None and right.type.static[0] == 1:
        weight = b.reshape(b.transpose(right, (0, 2, 1)), (shape[2], left.type.static[2]))
        return b.op("fully_connected", [left, weight, None], shape)
    return b.op("batch_matrix_multiply", [left, right], shape)


# ** pools **


def pooled(b: XnnBuilder, name: str, x: Value, kernel: Sequence[int], stride: Sequence[int], pad: Sequence[int]) -> Value:
    """A pool of more than one element, which is the least that XNNPACK takes."""
    spans = fields(kernel, stride, (1, 1), pad, (0, 0, 0))
    sizes = zip(x.type.static[1:3], pad[::2], pad[1::2], kernel, stride, strict=True)
    made = [(n + before + after - k) // s + 1 for n, before, after, k, s in sizes]
    shape = (x.type.static[0], *made, x.type.static[3])
    if math.prod(kernel) == 1:
        if not x.type.dtype.is_float:
            raise Decline("a pool of one element")
        channels = shape[3]
        ones = b.const(np.ones((1, 1, 1, channels)), x.type.dtype)
        spans = fields((1, 1), stride, (1, 1), pad, (channels, 1, 1))
        return x if shape == x.type.shape else b.op("depthwise_conv_2d", [x, ones, None], shape, **spans)
    known = {key.replace("kernel", "pooling").replace("subsampling", "stride"): n for key, n in spans.items() if "group" not in key}
    return b.op(name, [x], shape, **known)


def max_pool(match: Match) -> Value:
    """MAX_POOL2D: MaxPooling2d."""
    attributes = match.op.attributes
    spans = [attributes[name] for name in ("kernel", "stride", "pad")]
    return pooled(built(match), "max_pooling_2d", match[0], *spans)


def average_pool(match: Match) -> Value:
    """AVG_POOL2D: AvgPooling2d, or GlobalAvgPooling2d of whole images."""
    attributes, x = match.op.attributes, match[0]
    spans = [attributes[name] for name in ("kernel", "stride", "pad")]
    if tuple(spans[0]) == x.type.static[1:3] and not any(spans[2]):
        return averaged(built(match), x)
    return pooled(built(match), "avg_pooling_2d", x, *spans)


def averaged(b: XnnBuilder, x: Value) -> Value:
    """The means of images; of such as only had another shape before, those."""
    n, _, _, channels = x.type.static
    made = x.producer
    if made is not None and made.name == "xnn.static_reshape":
        before = made.operands[0]
        if before.type.rank == 4 and before.type.static[::3] == (n, channels):
            x = before
    return b.op("global_avg_pooling_2d", [x], (n, 1, 1, channels), flags=xnnpack.FLAG_KEEP_DIMS)


# ** reductions **


def _columns(b: XnnBuilder, x: Value, axis: int) -> Value:
    """The elements along an axis as the height of an image."""
    shape = x.type.static
    return b.reshape(x, (math.prod(shape[:axis]), shape[axis], 1, math.prod(shape[axis + 1 :])))


def reduce_sum(match: Match) -> Value:
    """REDUCE_SUM: a layer of ones along the last axis, the mean times its number of elements along another."""
    b, x, axis, shape = built(match), match[0], match.op.attributes["axis"], match.op.results[0].type.static
    size = x.type.static[axis]
    if math.prod(x.type.static[axis + 1 :]) == 1:
        rows = b.reshape(x, (x.type.elements // size, size))
        ones = b.const(np.ones((1, size)), x.type.dtype)
        return b.reshape(b.op("fully_connected", [rows, ones, None], (rows.type.static[0], 1)), shape)
    mean = averaged(b, _columns(b, x, axis))
    return b.reshape(b.mul(mean, b.scalar(size, mean)), shape)


def reduce_max(match: Match) -> Value:
    """REDUCE_MAX: MaxPooling2d."""
    return _largest(match, match[0])


def reduce_min(match: Match) -> Value:
    """REDUCE_MIN: Negate, MaxPooling2d and Negate."""
    b = built(match)
    return b.op("negate", [_largest(match, b.op("negate", [match[0]]))])


def _largest(match: Match, x: Value) -> Value:
    b, axis = built(match), match.op.attributes["axis"]
    y = pooled(b, "max_pooling_2d", _columns(b, x, axis), (x.type.static[axis], 1), (1, 1), (0, 0, 0, 0))
    return b.reshape(y, match.op.results[0].type.static)


# ** images **


def resize(match: Match) -> Value:
    """RESIZE: StaticResizeBilinear2D, with the flags that give its places; of the nearest, those elements."""
    b, x = built(match), match[0]
    scale, offset = match.constant(1).tolist(), match.constant(2).tolist()
    _, *sizes, _ = x.type.static
    shape = match.op.results[0].type.static
    scales = [(scale[2 * i], scale[2 * i + 1]) for i in (0, 1)]
    if match.op.attributes["mode"] == "NEAREST_NEIGHBOR":
        for i in (0, 1):
            x = picked(b, x, 1 + i, Axis(sizes[i], shape[1 + i], scales[i], offset[i]).nearest())
        return x
    for flags in (0, xnnpack.FLAG_ALIGN_CORNERS, xnnpack.FLAG_TENSORFLOW_LEGACY_MODE):
        if all(_samples(flags, sizes[i], shape[1 + i], scales[i], offset[i]) for i in (0, 1)):
            return b.op("static_resize_bilinear_2d", [x], shape, new_height=shape[1], new_width=shape[2], flags=flags)
    raise Decline("places that no flag of StaticResizeBilinear2D gives")


def _samples(flags: int, size: int, outputs: int, scale: tuple[int, int], offset: int) -> bool:
    """Whether StaticResizeBilinear2D samples an axis where RESIZE does."""
    at = np.arange(outputs)
    if flags == xnnpack.FLAG_ALIGN_CORNERS and outputs > 1:
        places = at * (size - 1) / (outputs - 1)
    else:
        half = 0.0 if flags else 0.5
        places = (at + half) * size / outputs - half
    wanted = (at * scale[1] + offset) / scale[0]
    return bool(np.allclose(*(np.clip(x, 0, size - 1) for x in (places, wanted)), 0, 1e-9))


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tosa.conv2d", FLOATS, conv),
    Rewrite("tosa.depthwise_conv2d", FLOATS, depthwise),
    Rewrite("tosa.transpose_conv2d", FLOATS, transposed),
    Rewrite("tosa.matmul", FLOATS, matmul),
    Rewrite("tosa.max_pool2d", f"{FLOATS} i8", max_pool),
    Rewrite("tosa.avg_pool2d", FLOATS, average_pool),
    Rewrite("tosa.reduce_sum", FLOATS, reduce_sum),
    Rewrite("tosa.reduce_max", FLOATS, reduce_max),
    Rewrite("tosa.reduce_min", FLOATS, reduce_min),
    Rewrite("tosa.resize", FLOATS, resize),
)
