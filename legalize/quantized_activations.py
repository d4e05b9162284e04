"""Operators of one 8-bit operand as one TABLE: any function of 256 values is exact that way.

Each entry is computed as the reference kernel computes it, in float32 or fixed point. Transcendental functions are
taken in double and rounded to float32, as a correctly rounded libm does; LiteRT uses the machine's, whose last bit may
differ.
"""

import math
from collections.abc import Callable

import numpy as np

from tosa_converter.ir import Array, DType, Value
from tosa_converter.legalize.quantized_arithmetic import (
    Multiplier,
    divide_by_pot,
    multiply,
    quantize_multiplier,
    round_away,
)
from tosa_converter.legalize.quantized_common import (
    INT8_MAX,
    INT8_MIN,
    Checker,
    Operand,
    Target8,
    clamped,
    finished,
    operand,
    per_tensor,
    reference_or_compact,
    tabulated,
    target8,
)
from tosa_converter.legalize.quantized_fixed_point import inverse_square_root
from tosa_converter.rewrite import Build, Decline, Match, Rewrite

F32 = np.float32
Real = Callable[[Array], Array]  # float32 to float32
Stored = Callable[[Match, Array, Operand, Target8], Array]  # stored - zero point to the stored result, in int64


def tabled(function: Stored) -> Build:
    """A rewrite of one operator to a TABLE."""

    def build(match: Match) -> Value:
        return table(match, function)

    build.__name__ = f"table_{getattr(function, '__name__', 'of')}"
    return build


def table(match: Match, function: Stored) -> Value:
    """One TABLE on the bits as they are; entries of uint8 tensors are in the order of their bits as int8."""
    from_unsigned = match.source(0).type.dtype is DType.UI8
    scale, zero_point = per_tensor(match.quant(0), from_unsigned)
    to = target8(match)
    x = match.input(0)
    stored = np.arange(INT8_MIN, INT8_MAX + 1)
    results = np.clip(function(match, stored - zero_point, Operand(x, scale, zero_point), to), INT8_MIN, INT8_MAX)
    return tabulated(match.builder, x, results, from_unsigned=from_unsigned, to_unsigned=to.unsigned)


# ** tables of a real function (LUTPopulate, common.h) **


def real(function: Real) -> Stored:
    """Dequantize, apply in float32, multiply by the reciprocal of the result's scale, round half away."""

    def stored(_: Match, x: Array, given: Operand, to: Target8) -> Array:
        return looked_up(x, given, to, function)

    stored.__name__ = getattr(function, "__name__", "real")
    return stored


def looked_up(x: Array, given: Operand, to: Target8, function: Real) -> Array:
    """LUTPopulate's entries for stored - zero point."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        result = function(given.scale * x.astype(F32)).astype(F32)
        rescaled = round_away(result * (F32(1) / to.scale)) + F32(to.zero_point)
    return np.asarray(np.clip(np.nan_to_num(rescaled), INT8_MIN, INT8_MAX), np.int64)


def in_double(function: Callable[[Array], Array]) -> Real:
    """A correctly rounded float32 function, nearly always: that of double, rounded."""

    def rounded(x: Array) -> Array:
        return np.asarray(function(x.astype(np.float64)).astype(F32))

    rounded.__name__ = function.__name__
    return rounded


_exp, _tanh, _expm1 = in_double(np.exp), in_double(np.tanh), in_double(np.expm1)
_erfc = in_double(np.vectorize(math.erfc, otypes=[np.float64]))


def logistic(x: Array) -> Array:
    """1 / (1 + exp(-x))."""
    return np.asarray(F32(1) / (F32(1) + _exp(-x)))


def elu(x: Array) -> Array:
    """expm1 below zero."""
    return np.where(x < 0, _expm1(np.minimum(x, 0)), x)


def gelu_erf(x: Array) -> Array:
    """The exact form, x / 2 * erfc(-x / sqrt(2))."""
    return np.asarray(F32(0.5) * x * _erfc(x * F32(-math.sqrt(0.5))))


def gelu_tanh(x: Array) -> Array:
    """The approximation x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x**3)))."""
    return np.asarray(F32(0.5) * x * (F32(1) + _tanh(F32(math.sqrt(2 / math.pi)) * (x + F32(0.044715) * x * x * x))))


def gelu(match: Match, x: Array, given: Operand, to: Target8) -> Array:
    """The approximate form if the options ask for it."""
    return looked_up(x, given, to, gelu_tanh if match.approximate else gelu_erf)


def log(_: Match, x: Array, given: Operand, to: Target8) -> Array:
    """log, the smallest result for what isn't positive (elementwise.cc)."""
    least = F32(INT8_MIN - to.zero_point) * to.scale
    return looked_up(x, given, to, lambda v: np.where(v > 0, in_double(np.log)(np.where(v > 0, v, 1)), least))


# ** tables of an integer function **


def requantize(_: Match, x: Array, given: Operand, to: Target8) -> Array:
    """Requantize (requantize.h): the multiplier is of doubles."""
    return multiply(x, quantize_multiplier(np.float64(given.scale) / np.float64(to.scale))) + to.zero_point


def leaky_relu(match: Match, x: Array, given: Operand, to: Target8) -> Array:
    """QuantizeLeakyRelu (leaky_relu.h); a negative alpha gives a negative multiplier."""
    alpha = given.scale * F32(match.alpha) / to.scale
    below = multiply(x, quantize_multiplier(abs(alpha))) * int(np.sign(alpha))
    return np.where(x >= 0, multiply(x, quantize_multiplier(given.scale / to.scale)), below) + to.zero_point


def abs_(_: Match, x: Array, given: Operand, to: Target8) -> Array:
    """AbsEvalQuantized (elementwise.cc)."""
    return multiply(np.abs(x), quantize_multiplier(given.scale / to.scale)) + to.zero_point


def neg(_: Match, x: Array, given: Operand, _to: Target8) -> Array:
    """The kernel (neg.cc) negates the stored value and wraps; it looks at no zero point."""
    return (-(x + given.zero_point)).astype(np.int8).astype(np.int64)


def sqrt(_: Match, x: Array, given: Operand, to: Target8) -> Array:
    """SqrtEvalQuantized (elementwise.cc), which truncates; the kernel refuses negative elements."""
    real_root = np.sqrt(given.scale * np.maximum(x, 0).astype(F32))
    return np.asarray(np.trunc(real_root / to.scale).astype(np.int64) + to.zero_point)


def rsqrt(_: Match, x: Array, given: Operand, to: Target8) -> Array:
    """RsqrtEvalQuantizedInt8 (elementwise.cc): 20 more bits in between; the kernel refuses negative elements."""
    m, shift = inverse_square_root(np.maximum(x, 1))
    raised = [int(multiply(1, Multiplier(m[i : i + 1], shift[i : i + 1] + 20))) for i in range(len(x))]
    root = np.sqrt(np.float64(given.scale))
    out = quantize_multiplier(1 / (np.float64(F32(root) * to.scale)))
    result = multiply(np.array(raised), Multiplier(out.m, out.shift - 20)) + to.zero_point
    return np.where(x <= 0, INT8_MAX, result)


def hard_swish(_: Match, x: Array, given: Operand, to: Target8) -> Array:
    """HardSwish on int16 (hard_swish.h): x on the result's scale times clamp(x / 3, -1, 1) / 2 + 1/2."""
    fine = F32(1 / 128) * given.scale
    out, out_shift = _multiplier16(fine / to.scale)
    slope, slope_shift = _multiplier16(fine / F32(3 / 32768))
    if out_shift > 0:
        raise Decline("the result's scale is too fine for the kernel")
    if min(out_shift, slope_shift) < -15:
        raise Decline("the scales are too far apart for the kernel's 16 bits")
    hires = x << 7
    scaled = _high_mul16(hires, out)
    gate = _saturate16(hires << max(slope_shift - 1, 0))
    gate = _high_mul16(gate, slope)
    gate = _saturate16(gate << 1) if slope_shift > 0 else divide_by_pot(gate, -slope_shift)
    gate = (gate + (1 << 15)) >> 1
    product = gate * scaled
    return np.asarray(divide_by_pot(np.sign(product) * (np.abs(product) >> 15), -out_shift) + to.zero_point)


def _multiplier16(real_multiplier: np.float32) -> tuple[int, int]:
    m, shift = (int(part[0]) for part in quantize_multiplier(np.float64(real_multiplier)))
    return min((m + (1 << 15)) >> 16, 32767), shift


def _high_mul16(a: Array, b: int) -> Array:
    """SaturatingRoundingDoublingHighMul of int16: truncated after a nudge of half."""
    product = a * b
    nudged = product + np.where(product >= 0, 1 << 14, 1 - (1 << 14))
    return np.asarray(np.sign(nudged) * (np.abs(nudged) >> 15))


def _saturate16(x: Array) -> Array:
    return np.clip(x, -32768, 32767)


# ** bounds **


def bounded(low: float, high: float | None) -> Build:
    """RELU and its kin (QuantizedReluX, activations.cc): a CLAMP where nothing is rescaled, otherwise a TABLE."""

    def relu(match: Match) -> Value:
        to = target8(match)
        least = max(INT8_MIN, to.zero_point + int(round_away(F32(low) / to.scale)))
        most = INT8_MAX if high is None else min(INT8_MAX, to.zero_point + int(round_away(F32(high) / to.scale)))
        least = min(least, most)
        if match.quant(0) == match.result_quant and match.source(0).type.dtype is match.op.results[0].type.dtype:
            return finished(match, clamped(match.builder, operand(match, 0).value, least, most))

        def stored(_: Match, x: Array, given: Operand, to: Target8) -> Array:
            scaled = multiply(x, quantize_multiplier(given.scale / to.scale)) + to.zero_point
            return np.clip(scaled, least, most)

        return table(match, stored)

    return relu


CHECKS = (Checker((0,)), reference_or_compact)
SIGNED = (Checker((0,), unsigned=False), reference_or_compact)
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.logistic", tabled(real(logistic)), CHECKS),
    Rewrite("tfl.tanh", tabled(real(_tanh)), CHECKS),
    Rewrite("tfl.exp", tabled(real(_exp)), SIGNED),
    Rewrite("tfl.elu", tabled(real(elu)), SIGNED),
    Rewrite("tfl.gelu", tabled(gelu), CHECKS),
    Rewrite("tfl.log", tabled(log), SIGNED),
    Rewrite("tfl.sqrt", tabled(sqrt), SIGNED),
    Rewrite("tfl.rsqrt", tabled(rsqrt), SIGNED),
    Rewrite("tfl.abs", tabled(abs_), SIGNED),
    Rewrite("tfl.neg", tabled(neg), SIGNED),
    Rewrite("tfl.leaky_relu", tabled(leaky_relu), CHECKS),
    Rewrite("tfl.hard_swish", tabled(hard_swish), CHECKS),
    Rewrite("tfl.relu", bounded(0.0, None), CHECKS),
    Rewrite("tfl.relu6", bounded(0.0, 6.0), CHECKS),
    Rewrite("tfl.relu_n1_to_1", bounded(-1.0, 1.0), CHECKS),
    Rewrite("tfl.relu_0_to_1", bounded(0.0, 1.0), CHECKS),
)
