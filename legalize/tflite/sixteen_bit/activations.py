"""Operators of one int16 operand.

Functions that LiteRT looks up with interpolation are a TABLE with its 513 entries and a RESCALE by 2**-7, which rounds
as LUTLookup (common.h) does. Multiples are RESCALEs. The others are a GATHER of all 65536 results: their kernels
interpolate between other points.
"""

import operator
from collections.abc import Callable

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.quant.elements import (
    LARGEST,
    Affine,
    Operand,
    affine,
    as_reference,
    avoided,
    operand,
    sixteen_bit,
    target8,
    without_scales,
)
from tosa_converter.legalize.quant.elements import quantized as level
from tosa_converter.legalize.quant.multipliers import INT32_MAX, logarithm, quantize_multiplier
from tosa_converter.legalize.quant.requantize import (
    TIMES_ONE,
    clamped,
    largest_product,
    requantized,
    requantized_to_i32,
    saturated,
)
from tosa_converter.legalize.quant.tables import (
    INT16_MAX,
    INT16_MIN,
    VALUES,
    between,
    by_gather,
    entries,
    gathered,
    interpolated,
    steep,
)
from tosa_converter.legalize.tflite.quantized import activations as quantized
from tosa_converter.rewriting.expr import Expr, maximum, minimum, where
from tosa_converter.rewriting.operators import rescale
from tosa_converter.rewriting.rewrite import Build, Decline, Match, Rewrite
from tosa_converter.schemas import tflite
from tosa_converter.schemas import tosa_ops as ops

F32 = np.float32
PEAK = LARGEST[DType.I16]

# ** functions that LiteRT tabulates **


def tabulated(function: Callable[[Match], quantized.Real]) -> Build:
    """A rewrite of a real function to TABLE, RESCALE; to a GATHER where it is too steep for TABLE."""

    def table(match: Match) -> Expr:
        real, x, to = function(match), affine(match, 0), target8(match)
        low, here, high = (
            entries(lambda v, ulps=ulps: real(v, ulps), x.scale, x.zero_point, to.scale)  # type: ignore[misc]
            for ulps in (-quantized.ULPS, 0, quantized.ULPS)
        )
        loose = np.count_nonzero(low != high)
        if loose:
            match.note(f"{loose} of 513 entries hang on the last bits of the machine's C library")
        if steep(here):
            return gathered(match[0], between(here))
        return interpolated(match[0], here, DType.I16)

    return table


def _gelu(match: Match) -> quantized.Real:
    return quantized.gelu_tanh if match.attributes(tflite.GeluOptions).approximate else quantized.gelu_erf


def _log(match: Match) -> quantized.Real:
    """The least result for what isn't positive (LogLUTPrepare, elementwise.cc)."""
    least = F32(INT16_MIN) * target8(match).scale

    def positive(v: Array, ulps: int) -> Array:
        return np.where(v > 0, quantized.LOG(np.where(v > 0, v, F32(1)), ulps), least)

    return positive


def _rsqrt(match: Match) -> quantized.Real:
    """The largest result for 0; the kernel refuses negative elements (elementwise.cc)."""
    most = F32(INT16_MAX) * target8(match).scale
    return lambda v, _: np.where(v > 0, F32(1) / np.sqrt(np.where(v > 0, v, F32(1))), most)


# ** functions by a GATHER **


def logistic(match: Match) -> Expr:
    """LOGISTIC -> GATHER."""
    return by_gather(match, match[0], sigmoid_entries(affine(match, 0)))


def tanh(match: Match) -> Expr:
    """TANH -> GATHER."""
    return by_gather(match, match[0], tanh_entries(affine(match, 0)))


def sigmoid_entries(x: Affine) -> Array:
    """Logistic (integer_ops/logistic.h) of all values: 512 steps between the entries of a table of its own."""
    value = _on_table_scale(x.scale, (0,))
    result = _sigmoid(np.abs(value), 9, INT16_MAX << 10)
    return np.asarray(np.where(value >= 0, result + (1 << 9), (1 << 25) - result + (1 << 9) - 1) >> 10)


def tanh_entries(x: Affine) -> Array:
    """Tanh (integer_ops/tanh.h) of all values, as 2 * sigmoid(2 * x) - 1: 256 steps between the entries."""
    value = _on_table_scale(x.scale, (0, 1))
    result = _sigmoid(np.abs(value), 8, 0xFFFF << 8) - (1 << 23)
    return np.asarray(np.where(value >= 0, result + (1 << 7), -result + (1 << 7) - 1) >> 8)


def _on_table_scale(scale: np.float32, shifts: tuple[int, ...]) -> Array:
    """All values times 3 * 4096 * scale (SigmoidPrepare, TanhPrepare): 2**17 stands for 10.7.

    Scales of 2**-12 times a power of two in `shifts` are exact; of others, the factor has 15 bits.
    """
    power = logarithm(scale)
    if power is not None and power + 12 in shifts:
        return np.asarray(VALUES * (3 << (power + 12)))
    factor, shift = float(scale) * 4096.0 * 3.0, 0
    while factor <= INT16_MAX / 2 and shift <= 30:
        factor, shift = factor * 2, shift + 1
    if factor > INT32_MAX:
        raise Decline(f"a scale of {scale:.3g}, of which the kernel makes more than 32 bits hold")
    return np.asarray((VALUES * int(factor) + ((1 << shift) >> 1)) >> shift)


def _sigmoid(x: Array, bits: int, most: int) -> Array:
    """The table at x / 2**bits, interpolated, with so many bits of fraction; `most` from its end on."""
    table = _sigmoid_table()
    index = np.minimum(x >> bits, 254)
    inside = (table[index] << bits) + (x & ((1 << bits) - 1)) * (table[index + 1] - table[index])
    return np.where(x >> bits >= 255, most, inside)


def _sigmoid_table() -> Array:
    """sigmoid_table_uint16 (common.h): sigmoid(i / 24) in Q0.16, less half of what a line is off in the middle."""
    i = np.arange(513) / 2
    real = (1 << 16) / (1 + np.exp(-i / 24))
    here, middle, after = real[:-1:2], real[1::2], real[2::2]
    table: Array = np.floor(here - ((here + after) / 2 - middle) / 2 + 0.5).astype(np.int64)
    table[-1] = 0xFFFF
    return table


def sqrt(match: Match) -> Expr:
    """SQRT -> GATHER (SqrtEvalQuantized, elementwise.cc): it truncates, and refuses negative elements."""
    x, to = affine(match, 0), target8(match)
    root = np.sqrt(x.scale * np.maximum(VALUES, 0).astype(F32)) / to.scale
    return by_gather(match, match[0], np.minimum(np.trunc(root), INT16_MAX))


# ** multiples **


def abs_(match: Match) -> Expr:
    """ABS -> CAST, ABS, RESCALE (AbsEvalQuantized, elementwise.cc)."""
    x, to = operand(match, 0), target8(match)
    magnitude = abs(x.value.cast(DType.I32))
    if x.scale == to.scale:
        return rescale(magnitude, DType.I16, *TIMES_ONE)
    return requantized(match, magnitude, quantize_multiplier(x.scale / to.scale), 0, peak=PEAK, dtype=DType.I16)


def plain_abs(match: Match) -> Expr:
    """ABS of numbers -> CAST, ABS, CAST: it wraps."""
    return abs(match[0].cast(DType.I32)).cast(DType.I16)


def neg(match: Match) -> Expr:
    """NEG -> CAST, NEGATE, CAST: the kernel (neg.cc) negates the stored value, looks at no scale, and wraps."""
    return (-match[0].cast(DType.I32)).cast(DType.I16)


def leaky_relu(match: Match) -> Expr:
    """LEAKY_RELU -> two RESCALEs, SELECT (QuantizeLeakyRelu, leaky_relu.h): negative alphas negate the product."""
    x, to = operand(match, 0), target8(match)
    alpha = x.scale * F32(match.attributes(tflite.LeakyReluOptions).alpha) / to.scale
    if avoided(match, ops.SELECT.name):
        return _leaky_sum(match, x, alpha)
    above = requantized(match, x.value, quantize_multiplier(x.scale / to.scale), 0, peak=PEAK, dtype=DType.I16)
    slope = quantize_multiplier(abs(alpha))
    if alpha < 0:
        below = -requantized_to_i32(match, x.value, slope, peak=PEAK)
        below = saturated(below, DType.I16, largest_product(slope, PEAK))
    else:
        below = requantized(match, x.value, slope, 0, peak=PEAK, dtype=DType.I16)
    wide = x.value.cast(DType.I32)
    return where(wide >= 0, above, below)


def _leaky_sum(match: Match, x: Operand, alpha: np.float32) -> Expr:
    """The sum of both sides, of which one is 0."""
    wide = x.value.cast(DType.I32)
    above, below = maximum(wide, 0), minimum(wide, 0)
    multipliers = quantize_multiplier(x.scale / target8(match).scale), quantize_multiplier(abs(alpha))
    above, below = (
        requantized_to_i32(match, side, multiplier, peak=PEAK)
        for side, multiplier in zip((above, below), multipliers, strict=True)
    )
    y = (operator.sub if alpha < 0 else operator.add)(above, below)
    return saturated(y, DType.I16, max(largest_product(multiplier, PEAK) for multiplier in multipliers))


def bounded(low: float, high: float | None) -> Build:
    """RELU and its kin -> CLAMP, behind a RESCALE between different scales (QuantizedReluX, activations.cc)."""

    def relu(match: Match) -> Expr:
        x, to = operand(match, 0), target8(match)
        least = max(INT16_MIN, level(low, to.scale, 0))
        most = INT16_MAX if high is None else min(INT16_MAX, level(high, to.scale, 0))
        least = min(least, most)
        if x.scale == to.scale:
            return clamped(x.value, least, most)
        multiplier = quantize_multiplier(x.scale / to.scale)
        return requantized(match, x.value, multiplier, 0, least, most, peak=PEAK, dtype=DType.I16)

    return relu


CHECKS = (sixteen_bit(0), as_reference)
BUILDS: dict[str, Build] = {
    "tfl.exp": tabulated(lambda _: quantized.EXP),
    "tfl.log": tabulated(_log),
    "tfl.rsqrt": tabulated(_rsqrt),
    "tfl.logistic": logistic,
    "tfl.tanh": tanh,
    "tfl.sqrt": sqrt,
    "tfl.abs": abs_,
    "tfl.leaky_relu": leaky_relu,
    "tfl.relu": bounded(0.0, None),
    "tfl.relu6": bounded(0.0, 6.0),
}
REWRITES: tuple[Rewrite, ...] = (
    *(Rewrite(root, "i16", build, CHECKS) for root, build in BUILDS.items()),
    Rewrite("tfl.gelu", "i16", tabulated(_gelu), (sixteen_bit(0, symmetric=False), as_reference)),
    Rewrite("tfl.abs", "i16", plain_abs, (without_scales,)),
    Rewrite("tfl.neg", "i16", neg, (sixteen_bit(0, plain=True, symmetric=False),)),
)
