"""Convolutions and layers; products and pools of floats, and reductions as pools."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Op, Value
from tosa_converter.legalize.invert.tflite.images import Axis
from tosa_converter.legalize.invert.xnnpack.builder import XnnBuilder, xnn_builder
from tosa_converter.legalize.invert.xnnpack.movement import picked, quantized
from tosa_converter.legalize.xnnpack.checks import FLOATS
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas import xnnpack

CONVOLUTIONS = (ops.CONV2D, ops.DEPTHWISE_CONV2D, ops.TRANSPOSE_CONV2D)
SIDES = ("top", "bottom", "left", "right")
NEAR = 1e-9  # of places in an image that are the same


# ** convolutions **


def fields(
    kernel: Sequence[int],
    stride: Sequence[int],
    dilation: Sequence[int],
    pad: Sequence[int],
    groups: tuple[int, int, int],
) -> dict[str, Any]:
    """A convolution's attributes; `groups` are how many, and the channels of each before and behind."""
    spans = spans_of({"kernel": kernel, "subsampling": stride, "dilation": dilation}, pad)
    names = ("groups", "group_input_channels", "group_output_channels")
    return spans | dict(zip(names, groups, strict=True))


def spans_of(pairs: dict[str, Sequence[int]], pad: Sequence[int]) -> dict[str, Any]:
    """Attributes along height and width."""
    spans = {f"{name}_{axis}": pair[i] for name, pair in pairs.items() for i, axis in enumerate(("height", "width"))}
    return spans | {f"padding_{side}": n for side, n in zip(SIDES, pad, strict=True)}


def bias_of(b: XnnBuilder, bias: Value, channels: int) -> Value | None:
    """A bias per channel of what may be one for all; none if it is 0."""
    if bias.constant is not None:
        full = np.broadcast_to(bias.constant, (channels,))
        return b.const(full.copy(), bias.type.dtype) if full.any() else None
    return bias if bias.type.static == (channels,) else b.mul(bias, b.const(np.ones(channels), bias.type.dtype))


def conv(match: Match) -> Value:
    """CONV2D, DEPTHWISE_CONV2D and TRANSPOSE_CONV2D."""
    return convolution_of_floats(match.op, *(match.value(i) for i in range(3)))


def convolution_of_floats(op: Op, x: Value, weight: Value, bias: Value) -> Value:
    """The node of a TOSA convolution on these operands, in fp32 where XNNPACK has none of fp16."""
    b, dtype = xnn_builder(), x.type.dtype
    computed = DType.FP32 if op.row is ops.TRANSPOSE_CONV2D else dtype  # XNNPACK has no ConvTranspose2d of fp16
    x, weight, bias = (b.convert(operand, computed) for operand in (x, weight, bias))
    bias_or_none = bias_of(b, bias, op.result.type.static[3])
    return b.convert(convolution(b, op, x, weight, bias_or_none), dtype)


def convolution(b: XnnBuilder, op: Op, x: Value, weight: Value, bias: Value | None) -> Value:
    """The node of a TOSA convolution on these operands; FullyConnected on images of one pixel.

    Weights of fewer channels than x are those of groups.
    """
    shape = op.results[0].type.static
    if op.row is ops.TRANSPOSE_CONV2D:
        return _transposed(b, op, x, weight, bias)
    stride, dilation, pad = (op.attributes[name] for name in ("stride", "dilation", "pad"))
    if op.row is ops.DEPTHWISE_CONV2D:
        *kernel, channels, factor = weight.type.static
        spans = fields(kernel, stride, dilation, pad, (channels, 1, factor))
        return b.op("depthwise_conv_2d", [x, b.reshape(weight, (1, *kernel, shape[3])), bias], shape, **spans)
    outputs, *kernel, depth = weight.type.static
    groups = x.type.static[3] // depth
    if x.type.static[1:3] == (1, 1) and kernel == [1, 1] and not any(pad) and groups == 1:
        return b.op("fully_connected", [x, b.reshape(weight, (outputs, depth)), bias], shape)
    spans = fields(kernel, stride, dilation, pad, (groups, depth, outputs // groups))
    return b.op("conv_2d", [x, weight, bias], shape, **spans)


def _transposed(b: XnnBuilder, op: Op, x: Value, weight: Value, bias: Value | None) -> Value:
    """ConvTranspose2d; what it doesn't add to an image is padded, and then the bias added."""
    outputs, *kernel, depth = weight.type.static
    stride, out_pad = op.attributes["stride"], op.attributes["out_pad"]
    cut, rest = [max(-n, 0) for n in out_pad], [max(n, 0) for n in out_pad]
    added = [min(rest[1 + 2 * i], stride[i] - 1) for i in (0, 1)]
    rest = [rest[0], rest[1] - added[0], rest[2], rest[3] - added[1]]
    groups = x.type.static[3] // depth
    spans = fields(kernel, stride, (1, 1), cut, (groups, depth, outputs // groups))
    n, height, width, _ = op.results[0].type.static
    shape = (n, height - rest[0] - rest[1], width - rest[2] - rest[3], outputs)
    spans |= dict(zip(("adjustment_height", "adjustment_width"), added, strict=True))
    y = b.op("conv_transpose_2d", [x, weight, None if any(rest) else bias], shape, **spans)
    if not any(rest):
        return y
    if not x.type.dtype.is_float:
        raise Decline("an image with more around it than a stride, of bytes")
    pads: dict[str, Any] = {"pre_paddings": (0, rest[0], rest[2], 0), "post_paddings": (0, rest[1], rest[3], 0)}
    y = b.op("static_constant_pad", [y], (n, height, width, outputs), **pads)
    return y if bias is None else b.op("add", [y, bias])


def matmul(match: Match) -> Value:
    """MATMUL: BatchMatrixMultiply, or FullyConnected by a constant."""
    b, type = xnn_builder(), match.op.result.type
    left, right = (b.convert(match.value(i), type.dtype) for i in (0, 1))
    shape = type.static
    if right.constant is not None and right.type.static[0] == 1:
        weight = b.reshape(b.transpose(right, (0, 2, 1)), (shape[2], left.type.static[2]))
        return b.op("fully_connected", [left, weight, None], shape)
    return b.op("batch_matrix_multiply", [left, right], shape)


# ** pools **


def pooled(b: XnnBuilder, name: str, op: Op, x: Value) -> Value:
    """A pool of more than one element, which is the least that XNNPACK takes."""
    shape, kernel, stride, pad = op.results[0].type.static, *(op.attributes[n] for n in ("kernel", "stride", "pad"))
    if math.prod(kernel) > 1:
        return _pool(b, name, x, shape, kernel, stride, pad)
    if shape == x.type.shape:
        return x
    if not x.type.dtype.is_float:
        raise Decline("a pool of one element of bytes")
    ones = b.const(np.ones((1, 1, 1, shape[3])), x.type.dtype)
    spans = fields(kernel, stride, (1, 1), pad, (shape[3], 1, 1))
    return b.op("depthwise_conv_2d", [x, ones, None], shape, **spans)


def _pool(
    b: XnnBuilder,
    name: str,
    x: Value,
    shape: Sequence[int],
    kernel: Sequence[int],
    stride: Sequence[int] = (1, 1),
    pad: Sequence[int] = (0, 0, 0, 0),
) -> Value:
    spans = {"pooling": kernel, "stride": stride, "dilation": (1, 1)}
    return b.op(name, [x], shape, **spans_of(spans, pad))


def max_pool(match: Match) -> Value:
    """MAX_POOL2D: MaxPooling2d."""
    return pooled(xnn_builder(), "max_pooling_2d", match.op, match.value(0))


def average_pool(match: Match) -> Value:
    """AVG_POOL2D: AvgPooling2d, or GlobalAvgPooling2d of whole images."""
    attributes, x = match.op.attributes, match.value(0)
    if tuple(attributes["kernel"]) == x.type.static[1:3] and not any(attributes["pad"]):
        shape = match.op.result.type.static
        return xnn_builder().op("global_avg_pooling_2d", [x], shape, flags=xnnpack.FLAG_KEEP_DIMS)
    return pooled(xnn_builder(), "avg_pooling_2d", match.op, x)


# ** reductions **


def _columns(b: XnnBuilder, x: Value, axis: int) -> Value:
    """The elements along an axis as the height of an image."""
    shape = x.type.static
    return b.reshape(x, (math.prod(shape[:axis]), shape[axis], 1, math.prod(shape[axis + 1 :])))


def reduce_sum(match: Match) -> Value:
    """REDUCE_SUM: a layer of ones along the last axis, to which another is moved; integers in floats stay exact."""
    b, x, axis, shape = xnn_builder(), match.value(0), match.op.attributes["axis"], match.op.results[0].type.static
    outer, size, inner = math.prod(shape[:axis]), x.type.static[axis], math.prod(shape[axis + 1 :])
    if inner > 1:
        x = b.transpose(b.reshape(x, (outer, size, inner)), (0, 2, 1))
    rows = b.reshape(x, (outer * inner, size))
    ones = b.const(np.ones((1, size)), x.type.dtype)
    return b.reshape(b.op("fully_connected", [rows, ones, None], (outer * inner, 1)), shape)


def reduce_max(match: Match) -> Value:
    """REDUCE_MAX: MaxPooling2d."""
    return _largest(match, match.value(0))


def reduce_min(match: Match) -> Value:
    """REDUCE_MIN: Negate, MaxPooling2d and Negate."""
    b = xnn_builder()
    return b.op("negate", [_largest(match, b.op("negate", [match.value(0)]))])


def _largest(match: Match, x: Value) -> Value:
    b, axis, shape = xnn_builder(), match.op.attributes["axis"], match.op.results[0].type.static
    columns = _columns(b, x, axis)
    outer, size, _, inner = columns.type.static
    if size > 1:
        columns = _pool(b, "max_pooling_2d", columns, (outer, 1, 1, inner), (size, 1))
    return b.reshape(columns, shape)


# ** images **


def resize(match: Match) -> Value:
    """RESIZE: StaticResizeBilinear2D, with the flags that give its places; of the nearest, those elements."""
    b, x = xnn_builder(), match.value(0)
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
    sampled = (at * scale[1] + offset) / scale[0]
    return float(np.abs(np.clip(places, 0, size - 1) - np.clip(sampled, 0, size - 1)).max()) < NEAR


RULES: tuple[Rule, ...] = (
    *(Rule(row.opcode, FLOATS, conv) for row in CONVOLUTIONS),
    Rule("tosa.matmul", FLOATS, matmul),
    Rule("tosa.max_pool2d", f"{FLOATS} i8", max_pool, (quantized,)),
    Rule("tosa.avg_pool2d", FLOATS, average_pool),
    Rule("tosa.reduce_sum", FLOATS, reduce_sum),
    Rule("tosa.reduce_max", f"{FLOATS} i8", reduce_max, (quantized,)),
    Rule("tosa.reduce_min", FLOATS, reduce_min),
    Rule("tosa.resize", FLOATS, resize),
)
