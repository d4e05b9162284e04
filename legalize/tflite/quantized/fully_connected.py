"""FULLY_CONNECTED on 8-bit elements: CONV2D with a 1x1 kernel, then RESCALE.

The reference kernels scale the accumulator by a double and round once (the overloads of FullyConnected and
FullyConnectedPerChannel that take float scales, reference/fully_connected.h and integer_ops/fully_connected.h). A
31-bit multiplier is chosen whose single rounding gives the same steps for every accumulator that the weights can
produce.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.matrices import in_shape, layout
from tosa_converter.legalize.quant.elements import (
    Operand,
    as_reference,
    eight_bit,
    fused_range,
    operand,
    same_type,
    target8,
    to_result_type,
)
from tosa_converter.legalize.quant.multipliers import (
    INT32_MAX,
    INT32_MIN,
    first_reached,
    quantize_multiplier,
    round_away,
    single_round,
    steps,
)
from tosa_converter.legalize.quant.requantize import OVERFLOW, bounded, clamped, stepped
from tosa_converter.legalize.tflite.quantized.conv import (
    PAIRS,
    accumulator_range,
    biases,
    real_scales,
    weights,
    weights_fit,
)
from tosa_converter.rewriting.expr import Expr, clamp, const
from tosa_converter.rewriting.operators import conv2d, rescale
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite, condition
from tosa_converter.schemas import tflite
from tosa_converter.schemas.tflite import FullyConnectedOptionsWeightsFormat

LARGEST = 2.0**28  # RESCALE's largest factor for a value of 1, which is out of range by then anyway


@condition("weights aren't shuffled")
def default_format(match: Match) -> str | None:
    """Against shuffled weights."""
    kind = match.attributes(tflite.FullyConnectedOptions).weights_format
    if kind != FullyConnectedOptionsWeightsFormat.DEFAULT:
        return f"weights in the format {kind.name}"
    return None


class Layer(NamedTuple):
    """What a layer computes with, and its sums of shape [...,out]."""

    x: Operand
    weight: Expr
    weight_zp: int
    bias: Expr
    acc: Expr


def layer(match: Match) -> Layer:
    """The sums of FULLY_CONNECTED: CONV2D between RESHAPEs."""
    x = operand(match, "input")
    weight, weight_zp = weights(match, "filter", symmetric=False)
    out, depth = weight.shape
    bias = biases(match, "bias", out, x.value.dtype)
    acc = conv2d(
        x.value.reshape(layout(x.value, depth)),
        weight.reshape((out, 1, 1, depth)),
        bias,
        pad=(0, 0, 0, 0),
        input_zp=x.zero_point,
        weight_zp=weight_zp,
    )
    return Layer(x, weight, weight_zp, bias, acc)


def fully_connected(match: Match) -> Expr:
    """FULLY_CONNECTED -> CONV2D, RESCALE between RESHAPEs."""
    it, to = layer(match), target8(match)
    acc, real = it.acc, np.minimum(real_scales(match, "filter", it.x.scale, to), LARGEST)
    low, high = fused_range(match, to)
    first, last = _range(it, per_channel=len(real) > 1)
    peaks = np.maximum(-first, last)
    if (peaks * real >= -INT32_MIN).any():
        match.note(OVERFLOW)
    ends = low - to.zero_point, high - to.zero_point
    most = (1 << (np.minimum(quantize_multiplier(real).tosa_shift, 32) - 1)) - 1
    found = single_multipliers(real, np.maximum(first, -most), np.minimum(last, most), *ends)
    if found is None:
        y = _by_thresholds(acc, real, int(peaks.max()), to.zero_point, *ends)
    else:
        acc = bounded(acc, quantize_multiplier(real).tosa_shift, int(peaks.max()))
        y = clamped(rescale(acc, DType.I8, *found, output_zp=to.zero_point), low, high)
    return in_shape(match, it.x.value, to_result_type(match, y))


def _range(it: Layer, *, per_channel: bool) -> tuple[Array, Array]:
    """The smallest and largest accumulator, per channel or of all; i32's own range if the bias isn't constant."""
    weight, bias = it.weight, it.bias
    if bias.constant is None:
        return np.full(1, INT32_MIN), np.full(1, INT32_MAX)
    if weight.constant is None:
        peak = weight.shape[1] * 255 * 255 + int(np.abs(bias.constant.astype(np.int64)).max())
        return np.full(1, -peak), np.full(1, peak)
    taps = weight.constant.astype(np.int16) - np.int16(it.weight_zp) if it.weight_zp else weight.constant
    first, last = accumulator_range(it.x, taps, bias.constant)
    return (first, last) if per_channel else (first.min(keepdims=True), last.max(keepdims=True))


def single_multipliers(real: Array, first: Array, last: Array, low: int, high: int) -> tuple[Array, Array] | None:
    """Per channel, m and shift whose single rounding of [first, last], clamped to [low, high], is round(acc * real).

    None when no multiplier of 31 bits does that for some channel.
    """
    multiplier = quantize_multiplier(real)
    m, shift = multiplier.m, multiplier.tosa_shift
    nothing = (round_away(first * real) == 0) & (round_away(last * real) == 0)
    m, shift = np.where(nothing, 0, m), np.where(nothing, 62, shift)
    for i in np.flatnonzero(~_exact(m, shift, real, first, last, low, high) & ~nothing):
        scale, levels = float(real[i]), np.arange(low + 1, high + 1)
        points = steps(_kernel(scale, low, high), (levels - 0.5) / scale, levels, *_ends(first, last, i))
        found = single_round(points, _kernel(scale, low, high)(points), scale, low, high)
        if found is None:
            return None
        m[i], shift[i] = found
    return m, shift


def _ends(first: Array, last: Array, channel: int) -> tuple[int, int]:
    return int(first[channel % len(first)]), int(last[channel % len(last)])


def _kernel(real: float, low: int, high: int) -> Callable[[Array], Array]:
    return lambda acc: np.clip(round_away(acc * real), low, high).astype(np.int64)


def _by_thresholds(acc: Expr, real: Array, peak: int, zero_point: int, low: int, high: int) -> Expr:
    """Half a step less gives a level that is right or one too small; the accumulator decides which."""
    shape = (1,) * (acc.rank - 1) + (-1,)
    half = np.rint(0.5 / real)
    peak += int(half.max())
    if peak > INT32_MAX:
        raise Decline(f"sums of up to {peak:.3g} half a step below leave 32 bits")
    multiplier = quantize_multiplier(real)
    lowered = acc - const(half.astype(np.int32).reshape(shape), DType.I32)
    lowered = bounded(lowered, multiplier.tosa_shift, peak)
    level = rescale(lowered, DType.I8, multiplier.m, multiplier.tosa_shift, output_zp=zero_point)
    level = clamp(level, low + zero_point, high + zero_point)
    thresholds = np.full((len(real), 256), INT32_MAX)
    levels = np.arange(low + 1, high + 1)
    for i, scale in enumerate(real.tolist()):
        at = first_reached(_kernel(scale, low, high), (levels - 0.5) / scale, levels)
        thresholds[i, low + zero_point + 128 : high + zero_point + 128] = np.clip(at, INT32_MIN, INT32_MAX)
    index = level.cast(DType.I32) + const(np.full((1,) * acc.rank, 128), DType.I32)
    index = stepped(acc, index, thresholds if len(real) > 1 else thresholds[0])
    index = index - const(np.full((1,) * acc.rank, 128), DType.I32)
    return index.cast(DType.I8)


def _exact(m: Array, shift: Array, real: Array, first: Array, last: Array, low: int, high: int) -> Array:
    """Whether each multiplier steps from one result to the next where the kernel does."""
    level = np.arange(low + 1, high + 1)
    usable = (m > 0) & (shift <= 52)  # beyond, the products below overflow
    m, shift = np.where(usable, m, 1), np.where(usable, shift, 31)
    at = -((-(2 * level - 1) << (shift[:, None] - 1)) // m[:, None])
    scale = real[:, None]
    reached = (at > last[:, None]) | (round_away(at * scale) >= level)
    unreached = (at <= first[:, None]) | (round_away((at - 1) * scale) < level)
    before = (at <= last[:, None]) | (round_away(last[:, None] * scale) < level)
    behind = (at > first[:, None]) | (round_away(first[:, None] * scale) >= level)
    return np.asarray(usable & (reached & unreached & before & behind).all(1))


REWRITES: tuple[Rewrite, ...] = (
    Rewrite(
        "tfl.fully_connected",
        f"{PAIRS} i8*i2",
        fully_connected,
        (eight_bit(0), same_type, weights_fit, default_format, as_reference),
        of=("input", "filter"),
    ),
)
