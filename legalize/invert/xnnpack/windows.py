"""Convolutions and layers; products and pools of floats, and reductions as pools."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Value
from tosa_converter.ir.edit import equal_constants
from tosa_converter.legalize.invert.tflite.images import ResizeAxis
from tosa_converter.legalize.invert.xnnpack.builder import XnnBuilder, xnn_builder
from tosa_converter.legalize.invert.xnnpack.movement import has_quant, take_elements
from tosa_converter.legalize.xnnpack.checks import FLOATS
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule, rule
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas import xnnpack

CONVOLUTIONS = (ops.CONV2D, ops.DEPTHWISE_CONV2D, ops.TRANSPOSE_CONV2D)
GROUPED = (ops.CONV2D, ops.TRANSPOSE_CONV2D)
SIDES = ("top", "bottom", "left", "right")
# Of StaticResizeBilinear2D: centers of pixels aligned, corners aligned, or neither.
RESIZE_FLAGS = (0, xnnpack.FLAG_ALIGN_CORNERS, xnnpack.FLAG_TENSORFLOW_LEGACY_MODE)
TOLERANCE = 1e-9  # of pixels, within which two sampled positions are the same


# ** convolutions **


def convolution_fields(
    kernel: Sequence[int],
    stride: Sequence[int],
    dilation: Sequence[int],
    pad: Sequence[int],
    groups: tuple[int, int, int],
) -> dict[str, Any]:
    """Returns the attributes of XNNPACK's convolution nodes.

    Args:
        kernel: height and width, as of `stride` and `dilation`.
        stride: in pixels.
        dilation: 1 where the elements of a window lie side by side.
        pad: above, below, left and right of the image.
        groups: their number, and the channels of a group in the operand and in the result.
    """
    fields = window_fields({"kernel": kernel, "subsampling": stride, "dilation": dilation}, pad)
    names = ("groups", "group_input_channels", "group_output_channels")
    return fields | dict(zip(names, groups, strict=True))


def window_fields(pairs: dict[str, Sequence[int]], pad: Sequence[int]) -> dict[str, Any]:
    """Returns XNNPACK attributes: for each name in `pairs` its (height, width), and the padding of the four sides.

    `pad` is (top, bottom, left, right).
    """
    fields = {f"{name}_{axis}": pair[i] for name, pair in pairs.items() for i, axis in enumerate(("height", "width"))}
    return fields | {f"padding_{side}": n for side, n in zip(SIDES, pad, strict=True)}


def bias_or_none(b: XnnBuilder, bias: Value, channels: int) -> Value | None:
    """Returns a bias in XNNPACK's form, with an element for each channel; None for a constant of zeros."""
    if bias.constant is not None:
        full = np.broadcast_to(bias.constant, (channels,))
        return b.const(full.copy(), bias.type.dtype) if full.any() else None
    return bias if bias.type.static == (channels,) else b.mul(bias, b.const(np.ones(channels), bias.type.dtype))


def conv(match: Match) -> Value:
    """Converts TOSA's CONV2D, DEPTHWISE_CONV2D or TRANSPOSE_CONV2D of floats to the node of XNNPACK."""
    return convolution_of_floats(match.op, *(match.value(i) for i in range(3)))


def convolution_of_floats(op: Op, x: Value, weight: Value, bias: Value) -> Value:
    """Returns the result of XNNPACK's node for a TOSA convolution of floats; transposed ones are computed in fp32."""
    b, dtype = xnn_builder(), x.type.dtype
    computed = DType.FP32 if op.row is ops.TRANSPOSE_CONV2D else dtype  # XNNPACK has no ConvTranspose2d of fp16
    x, weight, bias = (b.convert(operand, computed) for operand in (x, weight, bias))
    y = convolution(b, op, x, weight, bias_or_none(b, bias, op.result.type.static[3]))
    return b.convert(y, dtype)


def convolution(b: XnnBuilder, op: Op, x: Value, weight: Value, bias: Value | None) -> Value:
    """Returns the result of XNNPACK's node for a TOSA convolution; FullyConnected if images have one pixel.

    Weights with fewer channels than x are those of a convolution with groups.
    """
    shape = op.results[0].type.static
    if op.row is ops.TRANSPOSE_CONV2D:
        return _transposed_convolution(b, op, x, weight, bias)
    stride, dilation, pad = (op.attributes[name] for name in ("stride", "dilation", "pad"))
    if op.row is ops.DEPTHWISE_CONV2D:
        *kernel, channels, factor = weight.type.static
        fields = convolution_fields(kernel, stride, dilation, pad, (channels, 1, factor))
        return b.op("depthwise_conv_2d", [x, b.reshape(weight, (1, *kernel, shape[3])), bias], shape, **fields)
    outputs, *kernel, depth = weight.type.static
    groups = x.type.static[3] // depth
    if x.type.static[1:3] == (1, 1) and kernel == [1, 1] and not any(pad) and groups == 1:
        return b.op("fully_connected", [x, b.reshape(weight, (outputs, depth)), bias], shape)
    fields = convolution_fields(kernel, stride, dilation, pad, (groups, depth, outputs // groups))
    return b.op("conv_2d", [x, weight, bias], shape, **fields)


def _transposed_convolution(b: XnnBuilder, op: Op, x: Value, weight: Value, bias: Value | None) -> Value:
    """Appends XNNPACK's ConvTranspose2d for TOSA's TRANSPOSE_CONV2D, and a pad for the rest of `out_pad`.

    Returns the result. `out_pad` is (top, bottom, left, right). The bias is added behind a pad, because padded elements
    have it too; bytes that need a pad are declined.
    """
    outputs, *kernel, depth = weight.type.static
    stride, out_pad = op.attributes["stride"], op.attributes["out_pad"]
    # A negative out_pad crops, which is the node's padding. A positive one below or on the right is its adjustment,
    # up to the stride less 1; StaticConstantPad adds the rest.
    crop, added = [max(-n, 0) for n in out_pad], [max(n, 0) for n in out_pad]
    adjustment = [min(added[1 + 2 * i], stride[i] - 1) for i in (0, 1)]
    added = [added[0], added[1] - adjustment[0], added[2], added[3] - adjustment[1]]
    groups = x.type.static[3] // depth
    fields = convolution_fields(kernel, stride, (1, 1), crop, (groups, depth, outputs // groups))
    fields |= dict(zip(("adjustment_height", "adjustment_width"), adjustment, strict=True))
    n, height, width, _ = op.results[0].type.static
    shape = (n, height - added[0] - added[1], width - added[2] - added[3], outputs)
    y = b.op("conv_transpose_2d", [x, weight, None if any(added) else bias], shape, **fields)
    if not any(added):
        return y
    if not x.type.dtype.is_float:
        raise Decline(f"expected an out_pad below the stride for bytes, found {list(out_pad)}")
    pads: dict[str, Any] = {"pre_paddings": (0, added[0], added[2], 0), "post_paddings": (0, added[1], added[3], 0)}
    y = b.op("static_constant_pad", [y], (n, height, width, outputs), **pads)
    return y if bias is None else b.op("add", [y, bias])


# ** groups of channels, which are a convolution each in TOSA **


@rule(pattern(ops.CONCAT, pattern(GROUPED, pattern(ops.SLICE, "x"))), FLOATS, of=("x",))
def grouped_convolution(m: Match) -> Value:
    """CONCAT(CONV2D|TRANSPOSE_CONV2D(SLICE(x), weights, bias), ...) -> XNNPACK's convolution with groups.

    TOSA has no groups: it has a convolution for each group of channels.
    """
    joined = merge_group_convolutions(m.op)
    return convolution_of_floats(joined, *map(m.translate, joined.operands[:3]))


def merge_group_convolutions(concat: Op) -> Op:
    """Returns one convolution for those that CONCAT joins, each of which computes a group of the image's channels.

    Its weights have fewer channels than the image, which TOSA doesn't allow: it stands for XNNPACK's groups only.

    Raises:
        Decline: the operator doesn't join the convolutions of all groups.
    """
    convolutions = [value.producer for value in concat.operands]
    first, axis = convolutions[0], concat.attributes["axis"]
    if first is None or first.row not in GROUPED or axis != 3 or len(convolutions) < 2:
        raise Decline("expected CONCAT of the channels of convolutions")
    weights, biases, slices = [], [], []
    share = first.result.type.static[3]
    for op in convolutions:
        if op is None or not _differs_in_weights_alone(op, first):
            raise Decline("expected convolutions that differ in weights and biases alone")
        slices.append(op.operands[0].producer)
        weights.append(np.asarray(op.operands[1].constant))
        biases.append(np.broadcast_to(np.asarray(op.operands[2].constant), (share,)))
    x = _whole_image(slices)
    weight, bias = (
        _constant_like(first.operands[i], np.concatenate(parts)) for i, parts in ((1, weights), (2, biases))
    )
    inputs = (x, weight, bias, *first.inputs[3:])
    return Op(first.row, inputs, [concat.result.type], first.attributes, location=concat.location)


def _constant_like(like: Value, elements: Array) -> Value:
    """Returns a TOSA constant of these elements, with the element type of `like`."""
    return Op(ops.CONST, (), [like.type._replace(shape=elements.shape)], {"values": elements}).result


def _whole_image(slices: list[Op | None]) -> Value:
    """Returns the image that these SLICEs (None: another operator) cut into equal groups of channels, in order.

    Raises:
        Decline: a group is left out or has another size or only some pixels, or the SLICEs are of several images.
    """
    image, sizes, end = None, set(), 0
    for op in slices:
        start = op.operands[1].constant if op is not None and op.row is ops.SLICE else None
        if op is None or start is None or image not in (None, op.operands[0]) or start.tolist() != [0, 0, 0, end]:
            raise Decline("expected SLICEs of the groups of channels in their order")
        image, size = op.operands[0], op.result.type.static
        sizes.add(size)
        if size[:3] != image.type.static[:3] or len(sizes) > 1:
            raise Decline(f"expected groups of one size with all pixels of {image.type}")
        end += size[3]
    if image is None or end != image.type.static[3]:
        raise Decline(f"expected groups that have all channels of the image, found {end} channels")
    return image


def _differs_in_weights_alone(op: Op, first: Op) -> bool:
    """Returns whether a TOSA convolution equals `first` but for constant weights and bias.

    Both may then become groups of one convolution.
    """
    if op.row is not first.row or op.attributes != first.attributes or op.operands[1].type != first.operands[1].type:
        return False
    if any(operand.constant is None for operand in op.operands[1:]):
        return False
    return all(map(equal_constants, op.operands[3:], first.operands[3:]))


# ** products **


def matmul(match: Match) -> Value:
    """Converts TOSA's MATMUL to XNNPACK's BatchMatrixMultiply, or to FullyConnected by a constant matrix."""
    b, type = xnn_builder(), match.op.result.type
    left, right = (b.convert(match.value(i), type.dtype) for i in (0, 1))
    shape = type.static
    if right.constant is not None and right.type.static[0] == 1:
        weight = b.reshape(b.transpose(right, (0, 2, 1)), (shape[2], left.type.static[2]))
        return b.op("fully_connected", [left, weight, None], shape)
    return b.op("batch_matrix_multiply", [left, right], shape)


# ** pools **


def _append_pool(b: XnnBuilder, name: str, op: Op, x: Value) -> Value:
    """Appends XNNPACK's pool `name` for a TOSA pool; returns its result.

    XNNPACK refuses windows of one element: these become DepthwiseConv2d with ones, or nothing if no pixel is skipped.

    Raises:
        Decline: such a window of bytes.
    """
    shape, kernel, stride, pad = op.results[0].type.static, *(op.attributes[n] for n in ("kernel", "stride", "pad"))
    if math.prod(kernel) > 1:
        return b.op(name, [x], shape, **_pool_fields(kernel, stride, pad))
    if shape == x.type.shape:
        return x
    if not x.type.dtype.is_float:
        raise Decline("expected windows of several elements for bytes, found one of 1 by 1")
    ones = b.const(np.ones((1, 1, 1, shape[3])), x.type.dtype)
    fields = convolution_fields(kernel, stride, (1, 1), pad, (shape[3], 1, 1))
    return b.op("depthwise_conv_2d", [x, ones, None], shape, **fields)


def _pool_fields(
    kernel: Sequence[int], stride: Sequence[int] = (1, 1), pad: Sequence[int] = (0, 0, 0, 0)
) -> dict[str, Any]:
    """Returns the attributes of XNNPACK's pool nodes."""
    return window_fields({"pooling": kernel, "stride": stride, "dilation": (1, 1)}, pad)


def max_pool(match: Match) -> Value:
    """Converts TOSA's MAX_POOL2D to XNNPACK's MaxPooling2d."""
    return _append_pool(xnn_builder(), "max_pooling_2d", match.op, match.value(0))


def average_pool(match: Match) -> Value:
    """Converts TOSA's AVG_POOL2D to XNNPACK's AvgPooling2d, or to GlobalAvgPooling2d of whole images."""
    attributes, x = match.op.attributes, match.value(0)
    if tuple(attributes["kernel"]) == x.type.static[1:3] and not any(attributes["pad"]):
        shape = match.op.result.type.static
        return xnn_builder().op("global_avg_pooling_2d", [x], shape, flags=xnnpack.FLAG_KEEP_DIMS)
    return _append_pool(xnn_builder(), "avg_pooling_2d", match.op, x)


# ** reductions **


def reduce_sum(match: Match) -> Value:
    """Converts TOSA's REDUCE_SUM to XNNPACK's FullyConnected with ones, for which the axis is moved to the end."""
    b, x, axis, shape = xnn_builder(), match.value(0), match.op.attributes["axis"], match.op.results[0].type.static
    outer, size, inner = _sizes_around_axis(x, axis)
    if inner > 1:
        x = b.transpose(b.reshape(x, (outer, size, inner)), (0, 2, 1))
    rows = b.reshape(x, (outer * inner, size))
    ones = b.const(np.ones((1, size)), x.type.dtype)
    return b.reshape(b.op("fully_connected", [rows, ones, None], (outer * inner, 1)), shape)


def _sizes_around_axis(x: Value, axis: int) -> tuple[int, int, int]:
    """Returns the number of elements in front of an axis, along it, and behind it."""
    shape = x.type.static
    return math.prod(shape[:axis]), shape[axis], math.prod(shape[axis + 1 :])


def reduce_max(match: Match) -> Value:
    """Converts TOSA's REDUCE_MAX to XNNPACK's MaxPooling2d over the whole axis."""
    return _append_maxima(match, match.value(0))


def reduce_min(match: Match) -> Value:
    """Converts TOSA's REDUCE_MIN to XNNPACK's -MaxPooling2d(-x) over the whole axis."""
    b = xnn_builder()
    return b.op("negate", [_append_maxima(match, b.op("negate", [match.value(0)]))])


def _append_maxima(match: Match, x: Value) -> Value:
    """Appends XNNPACK's MaxPooling2d of x reshaped so that the reduced axis is the height of an image."""
    b = xnn_builder()
    outer, size, inner = _sizes_around_axis(x, match.op.attributes["axis"])
    y = b.reshape(x, (outer, size, 1, inner))
    if size > 1:
        y = b.op("max_pooling_2d", [y], (outer, 1, 1, inner), **_pool_fields((size, 1)))
    return b.reshape(y, match.op.results[0].type.static)


# ** images **


def resize(match: Match) -> Value:
    """Converts TOSA's RESIZE to StaticResizeBilinear2D, whose flags choose the positions; NEAREST to slices.

    Declines positions that no flags have.
    """
    b, x = xnn_builder(), match.value(0)
    scale, offset = match.constant(1).tolist(), match.constant(2).tolist()
    _, *sizes, _ = x.type.static
    shape = match.op.results[0].type.static
    scales = [(scale[2 * i], scale[2 * i + 1]) for i in (0, 1)]
    if match.op.attributes["mode"] == "NEAREST_NEIGHBOR":
        for i in (0, 1):
            x = take_elements(b, x, 1 + i, ResizeAxis(sizes[i], shape[1 + i], scales[i], offset[i]).nearest())
        return x
    for flags in RESIZE_FLAGS:
        if all(_samples_equal(flags, sizes[i], shape[1 + i], scales[i], offset[i]) for i in (0, 1)):
            return b.op("static_resize_bilinear_2d", [x], shape, new_height=shape[1], new_width=shape[2], flags=flags)
    raise Decline(f"expected a scale and offset of StaticResizeBilinear2D's flags, found {scale} and {offset}")


def _samples_equal(flags: int, size: int, outputs: int, scale: tuple[int, int], offset: int) -> bool:
    """Returns whether StaticResizeBilinear2D with these flags samples an axis at the positions of RESIZE."""
    # RESIZE samples at (i * scale_d + offset) / scale_n, which is a multiple of 1 / scale_n, and the quotients of sizes
    # that the flags stand for are rounded in fp64: equal positions differ by a few 2**-52 of an image's size.
    # Example: 4 pixels to 6 by centers samples at (i + 0.5) * 4 / 6 - 0.5 = -1/6, 1/2, ..., as scale 12 / 8, offset -2.
    i = np.arange(outputs)
    if flags == xnnpack.FLAG_ALIGN_CORNERS and outputs > 1:
        positions = i * (size - 1) / (outputs - 1)
    else:
        half = 0.0 if flags else 0.5
        positions = (i + half) * size / outputs - half
    sampled = (i * scale[1] + offset) / scale[0]
    return float(np.abs(np.clip(positions, 0, size - 1) - np.clip(sampled, 0, size - 1)).max()) < TOLERANCE


RULES: tuple[Rule, ...] = (
    grouped_convolution,
    *(Rule(row.opcode, FLOATS, conv) for row in CONVOLUTIONS),
    Rule("tosa.matmul", FLOATS, matmul),
    Rule("tosa.max_pool2d", f"{FLOATS} i8", max_pool, (has_quant,)),
    Rule("tosa.avg_pool2d", FLOATS, average_pool),
    Rule("tosa.reduce_sum", FLOATS, reduce_sum),
    Rule("tosa.reduce_max", f"{FLOATS} i8", reduce_max, (has_quant,)),
    Rule("tosa.reduce_min", FLOATS, reduce_min),
    Rule("tosa.resize", FLOATS, resize),
)
