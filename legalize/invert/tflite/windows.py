"""Convolutions and pools of floats, and their padding: SAME or VALID in TFLite, or PADV2 in front."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Op, Value
from tosa_converter.legalize.invert.tflite.builder import TflBuilder
from tosa_converter.legalize.invert.tflite.floats import FLOATS, narrow_result, tfl_builder, widen_operand
from tosa_converter.legalize.tflite.windows import padding_1d
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tflite import Padding


class Window(NamedTuple):
    """A pool's or convolution's window: kernel, stride, dilation and (before, after) padding for each spatial axis."""

    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    pad: tuple[tuple[int, int], ...]

    @property
    def options(self) -> dict[str, Any]:
        """TFLite's options for the strides and dilations of a convolution with this window."""
        axes = "dhw"[-len(self.kernel) :]
        strides = {f"stride_{axis}": n for axis, n in zip(axes, self.stride, strict=True)}
        return strides | {f"dilation_{axis}_factor": n for axis, n in zip(axes, self.dilation, strict=True)}

    @property
    def pool_options(self) -> dict[str, Any]:
        """TFLite's options for the kernel and strides of a pool with this window."""
        (height, width), (down, right) = self.kernel, self.stride
        return {"filter_height": height, "filter_width": width, "stride_h": down, "stride_w": right}


def window_of(op: Op) -> Window:
    """Returns the window of a TOSA pool, or of a TOSA convolution that isn't transposed."""
    attributes = op.attributes
    kernel, pad = spatial_sizes(op), attributes["pad"]
    dilation = attributes.get("dilation", (1,) * len(kernel))
    pads = tuple((pad[2 * i], pad[2 * i + 1]) for i in range(len(kernel)))
    return Window(kernel, tuple(attributes["stride"]), tuple(dilation), pads)


def spatial_sizes(op: Op) -> tuple[int, ...]:
    """Returns the kernel's spatial sizes of a TOSA pool or convolution."""
    if "kernel" in op.attributes:
        return tuple(op.attributes["kernel"])
    shape = op.operands[1].type.static
    return shape[:2] if op.row is ops.DEPTHWISE_CONV2D else shape[1:-1]


def has_tflite_padding(sizes: Sequence[int], window: Window) -> bool:
    """Returns whether TFLite's padding SAME or VALID pads an image of these sizes as the window does."""
    rows = zip(sizes, window.kernel, window.stride, window.dilation, strict=True)
    return not any(map(any, window.pad)) or tuple(padding_1d(Padding.SAME, *row) for row in rows) == window.pad


def pad_image(b: TflBuilder, x: Value, window: Window, fill: float = 0) -> tuple[Value, Padding]:
    """Returns the image and the padding (SAME or VALID) of a window; PADV2 pads the image if neither does it."""
    if not any(map(any, window.pad)):
        return x, Padding.VALID
    if has_tflite_padding(x.type.static[1:-1], window):
        return x, Padding.SAME
    return b.pad(x, [(0, 0), *window.pad, (0, 0)], fill), Padding.VALID


# ** convolutions **


def append_convolution(
    b: TflBuilder, op: Op, x: Value, weight: Value, bias: Value | None = None, fill: int = 0, **options: Any
) -> Value:
    """Appends TFLite's operator for a TOSA convolution `op`, on operands that may have other types or fewer channels.

    Args:
        b: the builder of the graph.
        op: CONV2D, CONV3D, DEPTHWISE_CONV2D or TRANSPOSE_CONV2D.
        x: the image; it may have fewer channels.
        weight: the kernel in TOSA's layout.
        bias: a number for each channel; None for zeros.
        fill: what stands around the image where PADV2 pads it.
        options: further options of TFLite's operator.
    """
    channels = op.result.type.static[-1]
    if op.row is ops.TRANSPOSE_CONV2D:
        return _convolve_transposed(b, op, x, weight, bias)
    bias = bias or b.const(np.zeros(channels, np.float32), DType.FP32)
    x, padding = pad_image(b, x, window := window_of(op), fill)
    name, options = "conv_2d", window.options | options
    if op.row is ops.CONV3D:
        name, weight = "conv_3d", b.transpose(weight, (1, 2, 3, 4, 0))
    elif op.row is ops.DEPTHWISE_CONV2D:
        name, weight = "depthwise_conv_2d", b.reshape(weight, (1, *window.kernel, channels))
        options["depth_multiplier"] = channels // x.type.static[3]
    return b.op(name, [x, weight, bias], shape=op.result.type.static, padding=padding, **options)


def _convolve_transposed(b: TflBuilder, op: Op, x: Value, weight: Value, bias: Value | None) -> Value:
    """Appends TRANSPOSE_CONV for TOSA's TRANSPOSE_CONV2D; returns its result, to which `out_pad` is applied.

    A negative `out_pad` crops: TRANSPOSE_CONV's padding SAME does that or a SLICE. A positive one adds elements by
    PADV2; the bias is added after that, because these elements have it too.
    """
    n, *sizes, _ = x.type.static
    channels, *kernel, _ = weight.type.static
    stride, out_pad = op.attributes["stride"], op.attributes["out_pad"]
    full = [(size - 1) * s + k for size, s, k in zip(sizes, stride, kernel, strict=True)]
    pads = [(out_pad[0], out_pad[1]), (out_pad[2], out_pad[3])]
    sizes_out = [f + sum(pad) for f, pad in zip(full, pads, strict=True)]
    padding = Padding.VALID
    if any(map(any, pads)) and _same_padding_crops(sizes, sizes_out, kernel, stride, pads):
        padding, full, pads = Padding.SAME, sizes_out, [(0, 0), (0, 0)]  # nothing is left to crop
    adds_elements = any(amount > 0 for pad in pads for amount in pad)
    operands = [weight, x] if bias is None or adds_elements else [weight, x, bias]
    shape = (n, *full, channels)
    options: dict[str, Any] = {"stride_h": stride[0], "stride_w": stride[1], "padding": padding}
    y = b.op("transpose_conv", [b.ints(shape), *operands], x.type.dtype, shape, **options)
    begin = [0, *(max(-before, 0) for before, _ in pads), 0]
    size = [n, *(f + min(before, 0) + min(after, 0) for f, (before, after) in zip(full, pads, strict=True)), channels]
    y = b.slice(y, begin, size)
    y = b.pad(y, [(0, 0), *((max(before, 0), max(after, 0)) for before, after in pads), (0, 0)])
    return b.add(y, bias) if bias is not None and adds_elements else y


def _same_padding_crops(
    sizes: Sequence[int],
    sizes_out: Sequence[int],
    kernel: Sequence[int],
    stride: Sequence[int],
    pads: Sequence[tuple[int, int]],
) -> bool:
    """Returns whether TFLite's padding SAME crops a transposed convolution as TOSA's `pads` do, which are negative.

    Each argument has an entry for each spatial axis: `sizes` are the operand's, `sizes_out` the result's, and `pads`
    are (before, after).
    """
    for size, w, k, s, pad in zip(sizes, sizes_out, kernel, stride, pads, strict=True):
        # Of the (size - 1) * s + k elements, SAME crops `before` in front, and behind all but the w of the result.
        before, _ = padding_1d(Padding.SAME, w, k, s)
        if -(-w // s) != size or pad != (-before, w - (size - 1) * s - k + before):
            return False
    return True


def conv(match: Match) -> Value:
    """Replaces TOSA's convolution of floats by TFLite's; a bias with one element is repeated for all channels.

    TRANSPOSE_CONV goes without a bias of zeros.
    """
    b, op, channels = tfl_builder(), match.op, match.op.result.type.static[-1]
    x, weight, bias = (widen_operand(match, i) for i in range(3))
    is_zero = bias.constant is not None and not bias.constant.any()
    if bias.type.static != (channels,):
        zeros = b.const(np.zeros(channels, bias.type.dtype.numpy), bias.type.dtype)
        constant = bias.constant
        bias = b.add(bias, zeros) if constant is None else b.const(zeros.constant + constant, bias.type.dtype)
    if op.row is ops.TRANSPOSE_CONV2D and is_zero:
        return narrow_result(match, append_convolution(b, op, x, weight))
    return narrow_result(match, append_convolution(b, op, x, weight, bias))


def append_matmul(b: TflBuilder, x: Value, y: Value) -> Value:
    """Appends TFLite's BATCH_MATMUL of [N, H, C] and [N, C, W]."""
    return b.op("batch_matmul", [x, y], shape=(*x.type.static[:2], y.type.static[2]))


def matmul(match: Match) -> Value:
    """Replaces TOSA's MATMUL of floats by BATCH_MATMUL."""
    return narrow_result(match, append_matmul(tfl_builder(), widen_operand(match, 0), widen_operand(match, 1)))


# ** pools **


def append_pool(b: TflBuilder, name: str, op: Op, x: Value, fill: float = 0) -> Value:
    """Appends AVERAGE_POOL_2D or MAX_POOL_2D (`name`) with the window of TOSA's pool `op`; returns its result.

    `fill` is the value of the elements with which PADV2 pads x, if TFLite's own padding can't.
    """
    x, padding = pad_image(b, x, window := window_of(op), fill)
    return b.op(name, [x], shape=op.result.type.static, padding=padding, **window.pool_options)


def max_pool(match: Match) -> Value:
    """Replaces TOSA's MAX_POOL2D; LiteRT ignores NaN, so PROPAGATE needs a second pool that finds them."""
    b, op, x = tfl_builder(), match.op, widen_operand(match, 0)
    low = -np.inf if x.type.dtype.is_float else x.type.dtype.limits[0]
    y = append_pool(b, "max_pool_2d", op, x, low)
    if x.type.dtype.is_float and op.attribute("nan_mode") == "PROPAGATE":
        nans = append_pool(b, "max_pool_2d", op, b.cast(b.is_nan(x), DType.FP32))
        y = b.choose(b.compare("greater", nans, b.scalar_like(0, nans)), b.scalar_like(np.nan, y), y)
    return narrow_result(match, y)


def average_pool(match: Match) -> Value:
    """Replaces TOSA's AVG_POOL2D of floats by AVERAGE_POOL_2D.

    TFLite's mean leaves the padding of SAME out, as TOSA's does, but counts what PADV2 adds; a division corrects that.
    """
    b, x = tfl_builder(), widen_operand(match, 0)
    y = append_pool(b, "average_pool_2d", match.op, x)
    if y.producer is not None and y.producer.inputs[0] is not x:
        window_fraction = window_element_counts(match.op) / np.prod(spatial_sizes(match.op))
        y = b.elementwise("div", y, b.const(window_fraction.astype(np.float32)[None, :, :, None], DType.FP32))
    return narrow_result(match, y)


def window_element_counts(op: Op) -> "np.ndarray[tuple[int, int], np.dtype[np.int64]]":
    """Returns how many elements of the image, without padding, each window of a pool has: [height, width]."""
    window, per_axis = window_of(op), []
    sizes, positions = op.operands[0].type.static[1:3], op.result.type.static[1:3]
    for n, k, s, (before, _), count in zip(sizes, window.kernel, window.stride, window.pad, positions, strict=True):
        begin = np.arange(count) * s - before
        per_axis.append(np.minimum(begin + k, n) - np.maximum(begin, 0))
    return np.outer(*per_axis)


RULES: tuple[Rule, ...] = (
    *(Rule(f"tosa.{name}", FLOATS, conv) for name in ("conv2d", "conv3d", "depthwise_conv2d", "transpose_conv2d")),
    Rule("tosa.matmul", FLOATS, matmul),
    Rule("tosa.max_pool2d", "bool i8 i16 i32 fp16 bf16 fp32", max_pool),
    Rule("tosa.avg_pool2d", FLOATS, average_pool),
)
