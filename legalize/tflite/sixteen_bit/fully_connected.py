"""FULLY_CONNECTED on int16 activations with int8 weights: an i48 sum times a double, rounded once, half away from 0.

The kernels are those of integer_ops/fully_connected.h that take float scales. RESCALE's 31 bits of multiplier aren't
enough for results of 16 bits, so the sum and the scale are multiplied in parts: 41 bits of fraction are about what the
kernel's double has.
"""

import operator
from functools import reduce
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.matrices import in_shape
from tosa_converter.legalize.quant.elements import as_reference, fused_range, same_type, sixteen_bit, target8
from tosa_converter.legalize.quant.multipliers import quantize_multiplier
from tosa_converter.legalize.quant.requantize import OVERFLOW, TIMES_ONE, bounded, clamped
from tosa_converter.legalize.tflite.disagreements import note_disagreement
from tosa_converter.legalize.tflite.quantized.conv import real_scales, weights_fit
from tosa_converter.legalize.tflite.quantized.fully_connected import default_format, layer
from tosa_converter.legalize.tflite.sixteen_bit.conv import LIMIT, late_bias, peaks
from tosa_converter.rewriting.expr import Expr, const, maximum, minimum
from tosa_converter.rewriting.operators import rescale
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite

SMALLEST_SCALE, LARGEST_SCALE = 2.0**-60, 2.0**15  # with which every sum is 0, or saturates from 1 on
BITS = 14  # of fraction in each part of a product
REACH = (1 << 15) + 2  # of the results that don't saturate


def fully_connected(match: Match) -> Expr:
    """FULLY_CONNECTED -> CONV2D, RESCALE and the product in parts, between RESHAPEs."""
    note_disagreement(match)
    it, to = layer(match), target8(match)
    real = real_scales(match, "filter", it.x.scale, to)
    if not np.isfinite(real).all():
        raise Decline("a multiplier between scales is infinite")
    real = np.clip(real, SMALLEST_SCALE, LARGEST_SCALE)
    out = it.weight.shape[0]
    late, peak = late_bias(match, "bias", slice(None), out), peaks(it.weight, it.bias, 0, it.weight_zp)
    if peak >= LIMIT:
        match.note(f"sums of up to {peak:.3g} may leave 32 bits, where this is unpredictable")
    if (peak * real).max() >= 1 << 31:
        match.note(OVERFLOW)
    acc = rescale(it.acc, DType.I32, [1 << 14], [14])
    acc, peak = (acc, min(peak, LIMIT)) if late is None else (acc + late, LIMIT)
    y = _rounded_once(match, acc, real, peak) if match.options.numerics == "compact" else product(acc, real, peak)
    return in_shape(match, it.x.value, clamped(y, *fused_range(match, to)))


def _rounded_once(match: Match, acc: Expr, real: Array, peak: int) -> Expr:
    match.note("scaled by 31 bits: this operator may differ by 1 step")
    m, shift = quantize_multiplier(real).m, quantize_multiplier(real).tosa_shift
    return rescale(bounded(acc, shift, peak), DType.I16, m, shift)


class Parts(NamedTuple):
    """A scale, one or one per channel, times 2**split and itself: each a sum of two integers and a rest.

    2**split * scale is between 1 and 2, as far as sums of 32 bits allow.
    """

    split: Array
    high: tuple[Array, Array, Array]  # of 2**split * scale: in 2**-14, in 2**-28, the rest in 2**-42
    low: tuple[Array, Array]  # of scale: in 2**-28, the rest in 2**-42


def parts(real: Array) -> Parts:
    """How to multiply by scales."""
    split = np.clip(1 - np.frexp(real)[1], 0, 16).astype(np.int64)
    first, rest = _cut(np.ldexp(real, split + BITS))
    second, rest = _cut(np.ldexp(rest, BITS))
    low, low_rest = _cut(np.where(split > 0, np.ldexp(real, 2 * BITS), 0))
    return Parts(split, (first, second, np.ldexp(rest, BITS)), (low, np.ldexp(low_rest, BITS)))


def _cut(x: Array) -> tuple[Array, Array]:
    whole = np.floor(x)
    return whole.astype(np.int64), x - whole


def product(acc: Expr, real: Array, peak: int) -> Expr:
    """round(acc * real) in i16, ties away from 0: 42 bits of fraction, of which 14 at a time are carried over."""
    reach = np.minimum(np.ceil(REACH / real), LIMIT - 1).astype(np.int64)
    if (peak > reach).any():
        acc = minimum(maximum(acc, _last(acc, -reach)), _last(acc, reach))
    scale = parts(real)
    high = acc >> _last(acc, scale.split)
    low = acc & _last(acc, (1 << scale.split) - 1)
    thirds = [_times(x, rest) for x, rest in ((high, scale.high[2]), (low, scale.low[1])) if rest.any()]
    if _has_ties(real, reach):  # those below zero are moved away from it
        thirds.append(acc >> 31)
    second = _product(high, scale.high[1]) + _product(low, scale.low[0])
    if thirds:
        second = second + _carried(reduce(operator.add, thirds))
    first = _product(high, scale.high[0]) + _carried(second)
    return rescale(_carried(first, round=True), DType.I16, *TIMES_ONE)


def _has_ties(real: Array, reach: Array) -> bool:
    """Whether a sum may lie in the middle of two results: the scale is an odd number times 2**-e, the sum 2**(e-1)."""
    mantissa, exponent = np.frexp(real)
    odd = np.ldexp(mantissa, 53).astype(np.int64)
    zeros = np.log2((odd & -odd).astype(np.float64)).astype(np.int64)
    return bool((np.ldexp(0.5, (53 - zeros - exponent).clip(0, 60)) <= reach).any())


def _last(x: Expr, values: Array) -> Expr:
    return const(values.reshape((1,) * (x.rank - 1) + (-1,)), DType.I32)


def _product(x: Expr, factor: Array) -> Expr:
    return x * _last(x, factor)


def _times(x: Expr, factor: Array) -> Expr:
    """The product with factors of less than 2**14 that are no integers, rounded."""
    multiplier = quantize_multiplier(factor)
    return rescale(x, DType.I32, multiplier.m, multiplier.tosa_shift)


def _carried(x: Expr, *, round: bool = False) -> Expr:
    return x.shifted_right(BITS, round=round)


CHECKS = (sixteen_bit(0), same_type, weights_fit, default_format, as_reference)
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.fully_connected", "i16*i8 i16*i4", fully_connected, CHECKS, of=("input", "filter")),
)
