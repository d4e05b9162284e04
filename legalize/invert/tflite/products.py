"""CONV_2D, DEPTHWISE_CONV_2D, TRANSPOSE_CONV and FULLY_CONNECTED: sums of products and the RESCALE behind."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Quant, Value
from tosa_converter.legalize.invert.tflite import windows
from tosa_converter.legalize.invert.tflite.builder import TflBuilder
from tosa_converter.legalize.invert.tflite.integers import Scale, limited
from tosa_converter.legalize.invert.tflite.ratios import weight_scales
from tosa_converter.legalize.invert.tflite.scales import Scales
from tosa_converter.legalize.invert.tflite.sites import ScaledSite, fused, on_scale_of, rounds_twice, scale_of
from tosa_converter.legalize.quant.multipliers import round_away
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tflite import ActivationFunctionType as Activation

NAMES = {
    ops.CONV2D: "conv_2d",
    ops.DEPTHWISE_CONV2D: "depthwise_conv_2d",
    ops.TRANSPOSE_CONV2D: "transpose_conv",
}
CONVOLUTIONS = frozenset(NAMES)
SHIFTS = 8, 46  # that the kernels of 16 bits have for multipliers of 15 bits
SILENT = 2.0**-60  # a scale that gives a multiplier of 0


@dataclass(frozen=True, eq=False)
class Product(ScaledSite):
    """A convolution or a layer."""

    core: Op
    silent: Array | None = None  # channels whose weights are all 0, so that any multiplier will do
    once: bool = False  # FULLY_CONNECTED, which rounds once

    def solved(self, scales: Scales) -> "Product | None":
        """Returns the site with scales of operand and result for which weights can have scales; None without any."""
        ends = self.inputs[0], self.root.result
        if not scales.agree(ends, self.zero_points):
            return None
        if self.root.results[0].type.dtype is DType.I16:
            return self if not any(self.zero_points) and _is_short(self.scale) else None
        if rounds_twice(self.scale) and scales.layer(*ends, *_heard(self)):
            return self
        if not _is_layer(self.core) or self.scale.double_round:
            return None
        chosen = scales.choose(*ends, lambda x, y: _layer_scales(self, x, y) is not None)
        return replace(self, once=True) if chosen else None

    def emit(self, b: TflBuilder) -> Value:
        """The layer with weights' scales."""
        return _emit(b, self)


def product(root: Op, core: Op, scale: Scale, bounds: tuple[int, int]) -> Product | None:
    """A convolution by constant weights that ends in a RESCALE to its operand's type."""
    x, weight, bias, input_zp, weight_zp = core.inputs
    constants = [value.constant if value is not None else None for value in (weight, bias, input_zp, weight_zp)]
    if x is None or weight is None or x.type.dtype is not scale.out or any(values is None for values in constants):
        return None
    kernel = weight.constant
    if kernel is None or weight.type.dtype is not DType.I8 or constants[3].any() or x.constant is not None:  # type: ignore[union-attr]
        return None
    if core.row is ops.TRANSPOSE_CONV2D and max(core.attributes["out_pad"]) > 0:
        return None  # elements that are the bias alone, which TFLite has no padding for
    channels = core.results[0].type.static[3]
    wide = scale._replace(
        multiplier=np.broadcast_to(scale.multiplier, channels), shift=np.broadcast_to(scale.shift, channels)
    )
    per_channel = wide if scale.multiplier.size > 1 else scale
    zero_points = (int(constants[2].reshape(-1)[0]), scale.output_zp)  # type: ignore[union-attr]
    by_channel = kernel.reshape(-1, channels).T if core.row is ops.DEPTHWISE_CONV2D else kernel.reshape(channels, -1)
    silent = ~by_channel.any(1)
    few = silent if silent.any() and not silent.all() and per_channel is wide else None
    return Product(root, (x,), zero_points, per_channel, bounds, core, few)


def _heard(site: Product) -> tuple[Array, Array]:
    """Multipliers and shifts of the channels that hear of the operand."""
    m, shift = site.scale.multiplier, site.scale.shift
    return (m, shift) if site.silent is None else (m[~site.silent], shift[~site.silent])


def _is_layer(core: Op) -> bool:
    """Returns whether FULLY_CONNECTED computes a convolution: CONV2D of a 1x1 kernel."""
    if core.row is not ops.CONV2D or core.operands[1].type.static[1:3] != (1, 1):
        return False
    return not any(core.attributes["pad"]) and set(core.attributes["stride"]) == {1}


def _reach(site: Product) -> tuple[Array, Array]:
    """The smallest and largest accumulator of each channel."""
    weight, bias = (value.constant.astype(np.int64) for value in site.core.inputs[1:3])  # type: ignore[union-attr]
    flat = weight.reshape(len(weight), -1)
    positive, negative = np.maximum(flat, 0).sum(1), np.minimum(flat, 0).sum(1)
    low, high = -128 - site.zero_points[0], 127 - site.zero_points[0]
    return positive * low + negative * high + bias, positive * high + negative * low + bias


def _layer_scales(site: Product, input_scale: float, output_scale: float) -> Array | None:
    """Scales of weights with which FULLY_CONNECTED rounds every accumulator as the RESCALE does.

    The reference kernel multiplies by a double and rounds once, ties away from zero (reference/fully_connected.h).
    """
    scale = site.scale
    first, last = _reach(site)
    if scale.multiplier.size == 1:
        first, last = first.min(keepdims=True), last.max(keepdims=True)
    channel_scales = np.zeros(scale.multiplier.size, np.float32)
    for i, (m, shift) in enumerate(zip(scale.multiplier.tolist(), scale.shift.tolist(), strict=True)):
        steps = _steps(site, m, shift, int(first[i]), int(last[i]))
        low, high = (
            _range_of_reals(steps, m, shift) if m else (0.0, 0.5 / max(abs(int(first[i])), abs(int(last[i])), 1))
        )
        acc = np.array([*{at for at, _ in steps}, first[i], last[i]], np.int64)
        expected = np.clip((acc * m + (1 << shift - 1) >> shift) + scale.output_zp, *site.bounds)
        for weight in _neighbours(np.float32(0.5 * (low + high) * output_scale / input_scale)):
            levels = round_away(acc * (np.float64(input_scale) * np.float64(weight) / np.float64(output_scale)))
            if (np.clip(levels + scale.output_zp, *site.bounds) == expected).all():
                channel_scales[i] = weight
                break
        else:
            return None
    return channel_scales


def _steps(site: Product, m: int, shift: int, first: int, last: int) -> list[tuple[int, int]]:
    """Accumulators at which the RESCALE reaches a level, and those before, each with its rounded level.

    Two functions that grow with the accumulator are equal where they are at these and at both ends.
    """
    if not m:
        return []
    zero_point, half = site.scale.output_zp, 1 << shift - 1
    levels = range(site.bounds[0] - zero_point + 1, site.bounds[1] - zero_point + 1)
    reached = [(-((half - (level << shift)) // m), level) for level in levels]
    return [
        (at, n) for step, level in reached for at, n in ((step, level), (step - 1, level - 1)) if first <= at <= last
    ]


def _range_of_reals(steps: list[tuple[int, int]], m: int, shift: int) -> tuple[float, float]:
    """About between which factors each of these accumulators is rounded to its level."""
    low, high = m * 2.0**-shift * (1 - 2.0**-20), m * 2.0**-shift * (1 + 2.0**-20)
    for at, level in steps:
        if at:
            ends = sorted(((level - 0.5) / at, (level + 0.5) / at))
            low, high = max(low, ends[0]), min(high, ends[1])
    return low, high


def _neighbours(x: np.float32, reach: int = 2) -> list[np.float32]:
    """A float and the next ones on both sides, the nearest first."""
    neighbours, low, high = [x], x, x
    for _ in range(reach):
        low, high = np.nextafter(low, np.float32(0)), np.nextafter(high, np.float32(np.inf))
        neighbours += [low, high]
    return neighbours


def _emit(b: TflBuilder, site: Product) -> Value:
    result, (_, weight, bias) = site.root.results[0], site.core.operands[:3]
    input_scale, output_scale = scale_of(site.inputs[0]), scale_of(result)
    assert weight.constant is not None
    assert bias.constant is not None
    if site.once:
        layer_scales = _layer_scales(site, input_scale, output_scale)
        assert layer_scales is not None
        scales, offsets = layer_scales, bias.constant
    elif result.type.dtype is DType.I16:
        scales, offsets = _short_scales(site.scale, input_scale, output_scale), bias.constant
    else:
        scales, offsets = _channel_scales(site, input_scale, output_scale)
    core, zeros = site.core, (0,) * len(scales)
    wide = DType.I64 if result.type.dtype is DType.I16 else DType.I32
    elements = b.const(np.broadcast_to(offsets, core.result.type.static[3]).astype(wide.numpy), wide)
    full = b.with_quant(elements, Quant(tuple((np.float32(input_scale) * scales).tolist()), zeros, 0))
    kernel = b.const(weight.constant.reshape(len(weight.constant), -1) if site.once else weight.constant, DType.I8)
    quant = Quant(tuple(scales.tolist()), zeros, 3 if core.row is ops.DEPTHWISE_CONV2D else 0)
    operands = site.inputs[0], b.with_quant(kernel, quant), full
    fitting = fused(result, site.zero_points[1], site.bounds)
    fused_here = fitting is not None and (core.row is not ops.TRANSPOSE_CONV2D or fitting is Activation.NONE)
    activation = fitting if fused_here else Activation.NONE
    if site.once:
        options: dict[str, Any] = {"keep_num_dims": True, "fused_activation_function": activation}
        y = b.op("fully_connected", operands, shape=core.result.type.static, **options)
    else:
        y = windows.convolution(b, core, *operands, site.zero_points[0], fused_activation_function=activation)
    on_scale_of(b, result, "fully_connected" if site.once else NAMES[core.row])
    return y if fused_here else limited(b, y, *site.bounds)


def _is_short(scale: Scale) -> bool:
    """Whether LiteRT has these multipliers of 16 bits (MultiplyByQuantizedMultiplier of 64 bits, common.cc)."""
    bits = np.frexp(scale.multiplier.astype(np.float64))[1]
    shift = (scale.shift + 15 - bits)[scale.multiplier != 0]
    return bool((bits <= 15).all() and ((shift >= SHIFTS[0]) & (shift <= SHIFTS[1])).all()) and not scale.double_round


def _short_scales(scale: Scale, input_scale: float, output_scale: float) -> Array:
    """Scales of weights for multipliers of 16 bits, the upper ones of LiteRT's: 24 bits always give them."""
    real = scale.multiplier * np.exp2(-scale.shift.astype(np.float64)) * output_scale / input_scale
    return np.asarray(np.where(scale.multiplier == 0, SILENT, real), np.float32)


def _channel_scales(site: Product, input_scale: float, output_scale: float) -> tuple[Array, Array]:
    """Scales of all channels' weights, and biases: of a channel without weights, what gives its one result."""
    m, shift = _heard(site)
    channel_scales = weight_scales(m, shift, np.array([input_scale]), np.array([output_scale]))[0][0]
    bias = site.core.operands[2].constant
    assert bias is not None
    if site.silent is None:
        return channel_scales, bias
    scales = np.full(site.silent.shape, channel_scales.max(), np.float32)
    scales[~site.silent] = channel_scales
    offsets = np.broadcast_to(bias, scales.shape).astype(np.int64)
    level = site.scale.of(offsets) - site.scale.output_zp
    real = input_scale * float(channel_scales.max()) / output_scale
    offsets[site.silent] = np.round(level[site.silent] / real)
    return scales, offsets
