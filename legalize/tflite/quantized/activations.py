"""Operators of one 8-bit operand as one TABLE: any function of 256 values is exact that way.

Each entry is computed as the reference kernel computes it, in float32 or fixed point. Transcendental functions are
taken in double and rounded to float32, as a correctly rounded libm does; LiteRT uses the machine's, whose last bits may
differ. Which entries that can move, and which are undefined in C, the function beside each table says.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.checks import BYTES
from tosa_converter.legalize.quant.elements import (
    INT8_MAX,
    INT8_MIN,
    VALUES,
    Affine,
    Target8,
    affine,
    as_reference,
    eight_bit,
    emit_table,
    operand,
    quantized,
    target8,
    to_result_type,
)
from tosa_converter.legalize.quant.fixed_point import inverse_square_root
from tosa_converter.legalize.quant.multipliers import (
    Multiplier,
    divide_by_pot,
    multiply,
    multiply_each,
    quantize_multiplier,
    round_away,
    undefined_at,
)
from tosa_converter.legalize.quant.requantize import clamped
from tosa_converter.rewriting import operators
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.rewrite import Build, Decline, Match, Rewrite
from tosa_converter.schemas import tflite

F32 = np.float32
ULPS = 4  # glibc's manual has none of the float functions used here further off
REACH = 2.0**31  # of C's conversion from float to int


class Entries(NamedTuple):
    """A TABLE's results in int64, and which of them LiteRT leaves open."""

    stored: Array
    loose: Array


Table = Callable[[Match, Array, Affine, Target8], Entries]  # of stored - zero point
Real = Callable[[Array, int], Array]  # float32, and how many units in the last place libm is off, to float32


def by_table(function: Table) -> Build:
    """A rewrite of one operator to a TABLE."""

    def build(match: Match) -> Expr:
        return table(match, function)

    return build


def table(match: Match, function: Table) -> Expr:
    """One TABLE on the bits as they are; entries of uint8 tensors are in the order of their bits as int8."""
    made = entries(match, function)
    if made.loose.any():
        match.note(
            f"{np.count_nonzero(made.loose)} of 256 results overflow in LiteRT (undefined in C) or hang on the last "
            "bits of the machine's C library; this saturates, and rounds correctly"
        )
    results = np.clip(made.stored, INT8_MIN, INT8_MAX)
    from_unsigned = match.source(0).type.dtype is DType.UI8
    to_unsigned = match.op.results[0].type.dtype is DType.UI8
    return emit_table(match[0], results, from_unsigned=from_unsigned, to_unsigned=to_unsigned)


def entries(match: Match, function: Table) -> Entries:
    """The results for every stored value in order."""
    quant = affine(match, 0)
    return function(match, VALUES - quant.zero_point, quant, target8(match))


# ** tables of a real function (LUTPopulate, common.h) **


def real(function: Real) -> Table:
    """Dequantize, apply in float32, multiply by the reciprocal of the result's scale, round half away.

    A few last bits of libm may decide, or the conversion to int overflow.
    """

    def looked(_: Match, x: Array, quant: Affine, to: Target8) -> Entries:
        low, here, high = (table_values(x, quant, to, function, ulps) for ulps in (-ULPS, 0, ULPS))
        return Entries(_clipped(here), (_clipped(low) != _clipped(high)) | ~(np.abs(here) < REACH))

    return looked


def table_values(x: Array, quant: Affine, to: Target8, function: Real, ulps: int = 0) -> Array:
    """LUTPopulate's entries for stored - zero point, before the conversion to int."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        result = function(quant.scale * x.astype(F32), ulps).astype(F32)
        return np.asarray(round_away(result * (F32(1) / to.scale)) + F32(to.zero_point))


def _clipped(real: Array) -> Array:
    return np.asarray(np.clip(np.nan_to_num(real), INT8_MIN, INT8_MAX), np.int64)


def libm(function: Callable[[Array], Array]) -> Real:
    """A correctly rounded float32 function, nearly always: that of double, rounded; moved by `ulps` away from zero."""

    def rounded(x: Array, ulps: int = 0) -> Array:
        result = function(x.astype(np.float64)).astype(F32)
        moved = (result.view(np.int32) + ulps).view(F32)
        return np.where(np.isfinite(result) & (result != 0), moved, result)

    return rounded


EXP, _tanh, _expm1, LOG = libm(np.exp), libm(np.tanh), libm(np.expm1), libm(np.log)
_erfc = libm(np.vectorize(math.erfc, otypes=[np.float64]))


def logistic(x: Array, ulps: int) -> Array:
    """1 / (1 + exp(-x))."""
    return np.asarray(F32(1) / (F32(1) + EXP(-x, ulps)))


def elu(x: Array, ulps: int) -> Array:
    """expm1 below zero."""
    return np.where(x < 0, _expm1(np.minimum(x, 0), ulps), x)


def gelu_erf(x: Array, ulps: int) -> Array:
    """The exact form, x / 2 * erfc(-x / sqrt(2))."""
    return np.asarray(F32(0.5) * x * _erfc(x * F32(-math.sqrt(0.5)), ulps))


def gelu_tanh(x: Array, ulps: int) -> Array:
    """The approximation x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x**3)))."""
    inner = F32(math.sqrt(2 / math.pi)) * (x + F32(0.044715) * x * x * x)
    return np.asarray(F32(0.5) * x * (F32(1) + _tanh(inner, ulps)))


def gelu(match: Match, x: Array, quant: Affine, to: Target8) -> Entries:
    """The approximate form if the options ask for it."""
    return real(gelu_tanh if match.attributes(tflite.GeluOptions).approximate else gelu_erf)(match, x, quant, to)


def log(match: Match, x: Array, quant: Affine, to: Target8) -> Entries:
    """LOG, the least result for what isn't positive (elementwise.cc)."""
    least = F32(INT8_MIN - to.zero_point) * to.scale

    def positive(v: Array, ulps: int) -> Array:
        return np.where(v > 0, LOG(np.where(v > 0, v, 1), ulps), least)

    return real(positive)(match, x, quant, to)


# ** tables of an integer function **


def scaled(x: Array, multiplier: Multiplier, to: Target8) -> Entries:
    """MultiplyByQuantizedMultiplier, which may overflow, and the zero point."""
    return Entries(multiply(x, multiplier) + to.zero_point, undefined_at(x, multiplier))


def requantized_entries(_: Match, x: Array, quant: Affine, to: Target8) -> Entries:
    """Requantize (requantized_entries.h): the multiplier is of doubles."""
    return scaled(x, quantize_multiplier(np.float64(quant.scale) / np.float64(to.scale)), to)


def leaky_relu(match: Match, x: Array, quant: Affine, to: Target8) -> Entries:
    """QuantizeLeakyRelu (leaky_relu.h): a negative alpha changes the sign behind the product."""
    alpha = quant.scale * F32(match.attributes(tflite.LeakyReluOptions).alpha) / to.scale
    slope = quantize_multiplier(abs(alpha))
    above, below = identity(match, x, quant, to), multiply(x, slope) * int(np.sign(alpha)) + to.zero_point
    return Entries(np.where(x >= 0, above.stored, below), np.where(x >= 0, above.loose, undefined_at(x, slope)))


def abs_(_: Match, x: Array, quant: Affine, to: Target8) -> Entries:
    """AbsEvalQuantized (elementwise.cc)."""
    return scaled(np.abs(x), quantize_multiplier(quant.scale / to.scale), to)


def neg(match: Match) -> Expr:
    """NEG -> TABLE: the kernel (neg.cc) negates the stored value and wraps; it looks at no scale or zero point."""
    return operators.table(match[0], (-VALUES).astype(np.int8))


def _settled(stored: Array) -> Entries:
    return Entries(stored, np.zeros(stored.shape, bool))


def sqrt(_: Match, x: Array, quant: Affine, to: Target8) -> Entries:
    """SqrtEvalQuantized (elementwise.cc), which truncates; the kernel refuses negative elements."""
    root = np.sqrt(quant.scale * np.maximum(x, 0).astype(F32)) / to.scale
    return Entries(np.trunc(np.minimum(root, REACH)).astype(np.int64) + to.zero_point, root >= REACH)


def rsqrt(_: Match, x: Array, quant: Affine, to: Target8) -> Entries:
    """RsqrtEvalQuantizedInt8 (elementwise.cc): 20 more bits in between; the kernel refuses negative elements."""
    m, shift = inverse_square_root(np.maximum(x, 1))
    root = np.sqrt(np.float64(quant.scale))
    out = quantize_multiplier(1 / (np.float64(F32(root) * to.scale)))
    stored, loose = scaled(multiply_each(1, m, shift + 20), Multiplier(out.m, out.shift - 20), to)
    return Entries(np.where(x <= 0, INT8_MAX, stored), loose & (x > 0))


def hard_swish(_: Match, x: Array, quant: Affine, to: Target8) -> Entries:
    """HardSwish on int16 (hard_swish.h): x on the result's scale times clamp(x / 3, -1, 1) / 2 + 1/2."""
    fine = F32(1 / 128) * quant.scale
    out, out_shift = _multiplier16(fine / to.scale)
    slope, slope_shift = _multiplier16(fine / F32(3 / 32768))
    if out_shift > 0:
        raise Decline("the result's scale is too fine for the kernel")
    if min(out_shift, slope_shift) < -15:
        raise Decline("the scales are too far apart for the kernel's 16 bits")
    hires = x << 7
    linear = _high_mul16(hires, out)
    gate = _saturate16(hires << max(slope_shift - 1, 0))
    gate = _high_mul16(gate, slope)
    gate = _saturate16(gate << 1) if slope_shift > 0 else divide_by_pot(gate, -slope_shift)
    gate = (gate + (1 << 15)) >> 1
    product = gate * linear
    return _settled(divide_by_pot(np.sign(product) * (np.abs(product) >> 15), -out_shift) + to.zero_point)


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

    def relu(match: Match) -> Expr:
        to = target8(match)
        least = max(INT8_MIN, quantized(low, to.scale, to.zero_point))
        most = INT8_MAX if high is None else min(INT8_MAX, quantized(high, to.scale, to.zero_point))
        least = min(least, most)
        if match.quant(0) == match.result_quant and match.source(0).type.dtype is match.op.results[0].type.dtype:
            return to_result_type(match, clamped(operand(match, 0).value, least, most))

        def within(match: Match, x: Array, quant: Affine, to: Target8) -> Entries:
            stored, loose = identity(match, x, quant, to)
            return Entries(np.clip(stored, least, most), loose)

        return table(match, within)

    return relu


def identity(_: Match, x: Array, quant: Affine, to: Target8) -> Entries:
    """The operand on the result's scale; the multiplier is of floats."""
    return scaled(x, quantize_multiplier(quant.scale / to.scale), to)


CHECKS = (eight_bit(0), as_reference)
TABLES = {
    "tfl.logistic": (BYTES, real(logistic)),
    "tfl.tanh": (BYTES, real(_tanh)),
    "tfl.exp": ("i8", real(EXP)),
    "tfl.elu": ("i8", real(elu)),
    "tfl.gelu": (BYTES, gelu),
    "tfl.log": ("i8", log),
    "tfl.sqrt": ("i8", sqrt),
    "tfl.rsqrt": ("i8", rsqrt),
    "tfl.abs": ("i8", abs_),
    "tfl.leaky_relu": (BYTES, leaky_relu),
    "tfl.hard_swish": (BYTES, hard_swish),
}
REWRITES: tuple[Rewrite, ...] = (
    *(Rewrite(root, types, by_table(function), CHECKS) for root, (types, function) in TABLES.items()),
    Rewrite("tfl.neg", "i8", neg, (eight_bit(0, plain=True),)),
    Rewrite("tfl.relu", BYTES, bounded(0.0, None), CHECKS),
    Rewrite("tfl.relu6", BYTES, bounded(0.0, 6.0), CHECKS),
    Rewrite("tfl.relu_n1_to_1", BYTES, bounded(-1.0, 1.0), CHECKS),
    Rewrite("tfl.relu_0_to_1", BYTES, bounded(0.0, 1.0), CHECKS),
)
