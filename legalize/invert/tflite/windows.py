"""Convolutions and pools of floats, and their padding, which TFLite has as SAME, VALID or an operator in front."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Op, Value
from tosa_converter.legalize.invert.tflite.builder import TflBuilder
from tosa_converter.legalize.invert.tflite.floats import FLOATS, narrowed, tfl_builder, widened
from tosa_converter.legalize.tflite.windows import padding_1d
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas.tflite import Padding


class Window(NamedTuple):
    """A window per spatial dimension, and padding before and after each."""

    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    pad: tuple[tuple[int, int], ...]

    def outputs(self, sizes: Sequence[int]) -> tuple[int, ...]:
        """How many windows there are."""
        rows = zip(sizes, self.pad, self.kernel, self.dilation, self.stride, strict=True)
        return tuple((n + sum(pad) - (k - 1) * d - 1) // s + 1 for n, pad, k, d, s in rows)


def window_of(match: Match, kernel: Sequence[int]) -> Window:
    """The window of the match's operator."""
    return window_from(match.op, kernel)


def window_from(op: Op, kernel: Sequence[int]) -> Window:
    """The window of an operator's attributes."""
    attributes = op.attributes
    pad = attributes["pad"]
    dilation = attributes.get("dilation", (1,) * len(kernel))
    pads = tuple((pad[2 * i], pad[2 * i + 1]) for i in range(len(kernel)))
    return Window(tuple(kernel), tuple(attributes["stride"]), tuple(dilation), pads)


def fits(sizes: Sequence[int], window: Window) -> bool:
    """Whether SAME or VALID has this padding."""
    rows = zip(sizes, window.kernel, window.stride, window.dilation, strict=True)
    return not any(map(any, window.pad)) or tuple(padding_1d(Padding.SAME, *row) for row in rows) == window.pad


def placed(b: TflBuilder, x: Value, window: Window, value: float = 0) -> tuple[Value, Padding]:
    """The operand and the kind of padding that give these windows."""
    if not any(map(any, window.pad)):
        return x, Padding.VALID
    if fits(x.type.static[1:-1], window):
        return x, Padding.SAME
    return b.pad(x, [(0, 0), *window.pad, (0, 0)], value), Padding.VALID


def options_of(window: Window) -> dict[str, Any]:
    """Strides and dilations by the names of options."""
    axes = "dhw"[-len(window.kernel) :]
    strides = {f"stride_{axis}": n for axis, n in zip(axes, window.stride, strict=True)}
    return strides | {f"dilation_{axis}_factor": n for axis, n in zip(axes, window.dilation, strict=True)}


def full_bias(b: TflBuilder, bias: Value, channels: int) -> Value:
    """A bias per channel of what may be one for all."""
    if bias.type.static == (channels,):
        return bias
    if bias.constant is not None:
        return b.const(np.broadcast_to(bias.constant, (channels,)).copy(), bias.type.dtype)
    return b.add(bias, b.const(np.zeros(channels, bias.type.dtype.numpy), bias.type.dtype))


def convolve(b: TflBuilder, x: Value, weight: Value, bias: Value, window: Window, **options: Any) -> Value:
    """CONV_2D, or CONV_3D on weights whose dimensions TFLite has in another order."""
    channels = weight.type.static[0]
    shape = (x.type.static[0], *window.outputs(x.type.static[1:-1]), channels)
    x, padding = placed(b, x, window)
    name = "conv_2d"
    if len(window.kernel) == 3:
        name, weight = "conv_3d", b.transpose(weight, (1, 2, 3, 4, 0))
    return b.op(name, [x, weight, bias], shape=shape, padding=padding, **options_of(window), **options)


def convolve_depthwise(b: TflBuilder, x: Value, weight: Value, bias: Value, window: Window, **options: Any) -> Value:
    """DEPTHWISE_CONV_2D on weights [KH,KW,C,M]."""
    *kernel, inputs, multiplier = weight.type.static
    shape = (x.type.static[0], *window.outputs(x.type.static[1:-1]), inputs * multiplier)
    x, padding = placed(b, x, window)
    weight = b.reshape(weight, (1, *kernel, inputs * multiplier))
    options = options_of(window) | {"depth_multiplier": multiplier} | options
    return b.op("depthwise_conv_2d", [x, weight, bias], shape=shape, padding=padding, **options)


def convolve_transposed(
    b: TflBuilder, x: Value, weight: Value, bias: Value | None, stride: Sequence[int], out_pad: Sequence[int]
) -> Value:
    """TRANSPOSE_CONV; what `out_pad` adds or takes is padded or cut, and a bias added behind what is padded."""
    n, *sizes, _ = x.type.static
    channels, *kernel, _ = weight.type.static
    full = [(size - 1) * s + k for size, s, k in zip(sizes, stride, kernel, strict=True)]
    pads = [(out_pad[0], out_pad[1]), (out_pad[2], out_pad[3])]
    sizes_out = [f + sum(pad) for f, pad in zip(full, pads, strict=True)]
    padding = Padding.VALID
    if any(map(any, pads)) and _is_same(sizes, sizes_out, kernel, stride, pads):
        padding, full, pads = Padding.SAME, sizes_out, [(0, 0), (0, 0)]
    grows = any(amount > 0 for pad in pads for amount in pad)
    operands = [weight, x] if bias is None or grows else [weight, x, bias]
    shape = (n, *full, channels)
    options: dict[str, Any] = {"stride_h": stride[0], "stride_w": stride[1], "padding": padding}
    y = b.op("transpose_conv", [b.ints(shape), *operands], x.type.dtype, shape, **options)
    begin = [0, *(max(-before, 0) for before, _ in pads), 0]
    size = [n, *(f + min(before, 0) + min(after, 0) for f, (before, after) in zip(full, pads, strict=True)), channels]
    y = b.slice(y, begin, size)
    y = b.pad(y, [(0, 0), *((max(before, 0), max(after, 0)) for before, after in pads), (0, 0)])
    return b.add(y, bias) if bias is not None and grows else y


def _is_same(
    sizes: Sequence[int],
    sizes_out: Sequence[int],
    kernel: Sequence[int],
    stride: Sequence[int],
    pads: Sequence[tuple[int, int]],
) -> bool:
    """Whether SAME cuts so much off a transposed convolution."""
    for size, w, k, s, pad in zip(sizes, sizes_out, kernel, stride, pads, strict=True):
        before, _ = padding_1d(Padding.SAME, w, k, s)
        if -(-w // s) != size or pad != (-before, w - (size - 1) * s - k + before):
            return False
    return True


# ** floats **


def _operands(match: Match, channels: int) -> tuple[TflBuilder, Value, Value, Value]:
    b = tfl_builder()
    return b, widened(match, 0), widened(match, 1), full_bias(b, widened(match, 2), channels)


def conv(match: Match) -> Value:
    """CONV2D and CONV3D."""
    channels, *kernel, _ = match.value(1).type.static
    return narrowed(match, convolve(*_operands(match, channels), window_of(match, kernel)))


def depthwise(match: Match) -> Value:
    """DEPTHWISE_CONV2D."""
    *kernel, inputs, multiplier = match.value(1).type.static
    return narrowed(match, convolve_depthwise(*_operands(match, inputs * multiplier), window_of(match, kernel)))


def transposed(match: Match) -> Value:
    """TRANSPOSE_CONV2D: TRANSPOSE_CONV, without a bias of 0."""
    b, x, weight, bias = _operands(match, match.value(1).type.static[0])
    attributes, some = match.op.attributes, None if _is_zero(bias) else bias
    return narrowed(match, convolve_transposed(b, x, weight, some, attributes["stride"], attributes["out_pad"]))


def _is_zero(x: Value) -> bool:
    return x.constant is not None and not x.constant.any()


def multiply(b: TflBuilder, x: Value, y: Value) -> Value:
    """BATCH_MATMUL of [N,H,C] and [N,C,W]."""
    return b.op("batch_matmul", [x, y], shape=(*x.type.static[:2], y.type.static[2]))


def matmul(match: Match) -> Value:
    """MATMUL."""
    return narrowed(match, multiply(tfl_builder(), widened(match, 0), widened(match, 1)))


# ** pools **


def pooled(b: TflBuilder, name: str, x: Value, window: Window, value: float = 0) -> Value:
    """AVERAGE_POOL_2D or MAX_POOL_2D."""
    shape = (x.type.static[0], *window.outputs(x.type.static[1:-1]), x.type.static[3])
    x, padding = placed(b, x, window, value)
    (height, width), (down, right) = window.kernel, window.stride
    options: dict[str, Any] = {"filter_height": height, "filter_width": width, "stride_h": down, "stride_w": right}
    return b.op(name, [x], shape=shape, padding=padding, **options)


def max_pool(match: Match) -> Value:
    """MAX_POOL2D; LiteRT passes over NaN, for which PROPAGATE takes a second pool."""
    b, x = tfl_builder(), widened(match, 0)
    window = window_of(match, match.op.attributes["kernel"])
    low = -np.inf if x.type.dtype.is_float else x.type.dtype.limits[0]
    y = pooled(b, "max_pool_2d", x, window, low)
    if x.type.dtype.is_float and match.op.attribute("nan_mode") == "PROPAGATE":
        odd = pooled(b, "max_pool_2d", b.cast(b.is_nan(x), DType.FP32), window)
        y = b.choose(b.compare("greater", odd, b.one(0, odd)), b.one(np.nan, y), y)
    return narrowed(match, y)


def average_pool(match: Match) -> Value:
    """AVG_POOL2D: padding doesn't count, so what PAD adds is taken out of the divisor."""
    b, x = tfl_builder(), widened(match, 0)
    window = window_of(match, match.op.attributes["kernel"])
    y = pooled(b, "average_pool_2d", x, window)
    if y.producer is not None and y.producer.inputs[0] is not x:
        share = counts(window, x.type.static[1:3]) / np.prod(window.kernel)
        y = b.arithmetic("div", y, b.const(share.astype(np.float32)[None, :, :, None], DType.FP32))
    return narrowed(match, y)


def counts(window: Window, sizes: Sequence[int]) -> "np.ndarray[tuple[int, int], np.dtype[np.int64]]":
    """How many elements of the operand each window has, [height, width]."""
    per_axis = []
    for n, k, s, (before, _), count in zip(
        sizes, window.kernel, window.stride, window.pad, window.outputs(sizes), strict=True
    ):
        begin = np.arange(count) * s - before
        per_axis.append(np.minimum(begin + k, n) - np.maximum(begin, 0))
    return np.outer(*per_axis)


RULES: tuple[Rule, ...] = (
    Rule("tosa.conv2d", FLOATS, conv),
    Rule("tosa.conv3d", FLOATS, conv),
    Rule("tosa.depthwise_conv2d", FLOATS, depthwise),
    Rule("tosa.transpose_conv2d", FLOATS, transposed),
    Rule("tosa.matmul", FLOATS, matmul),
    Rule("tosa.max_pool2d", "bool i8 i16 i32 fp16 bf16 fp32", max_pool),
    Rule("tosa.avg_pool2d", FLOATS, average_pool),
)
