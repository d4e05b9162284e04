"""Elementwise operators of two int16 operands, with broadcast; without scales, ADD and MUL are those of numbers.

ADD and SUB between scales that are powers of two shift one operand (Add of reference/add.h, Sub16 of reference/sub.h);
otherwise the arithmetic is that of 8 bits.
"""

import operator
from collections.abc import Callable

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.quant.elements import (
    LARGEST,
    Target8,
    affine,
    as_reference,
    fused_range,
    not_eight_bit,
    operand,
    rescalable,
    sixteen_bit,
    target8,
    to_result_type,
    widened,
    without_scales,
)
from tosa_converter.legalize.quant.fixed_point import reciprocal
from tosa_converter.legalize.quant.multipliers import logarithm, quantize_multiplier
from tosa_converter.legalize.quant.requantize import TIMES_ONE, clamped, divided, requantized
from tosa_converter.legalize.tflite.quantized import elementwise as quantized
from tosa_converter.rewriting.expr import Expr, clamp, clz, const, maximum, minimum, where
from tosa_converter.rewriting.operators import gather, rescale
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite, condition
from tosa_converter.schemas.flat import Bool, Table

NUMBERS = Target8(np.float32(1), 0, unsigned=False, dtype=DType.I16)  # of what has no scale


class PowerOfTwo(Table):
    """What the options of ADD and SUB have."""

    pot_scale_int16: Bool = True


def add(match: Match) -> Expr:
    """ADD -> two RESCALEs, ADD, RESCALE."""
    shifts = _shifts(match)
    return quantized.add(match) if shifts is None else _shifted(match, shifts, operator.add)


def sub(match: Match) -> Expr:
    """SUB -> two RESCALEs, SUB, RESCALE."""
    shifts = _shifts(match)
    return quantized.sub(match) if shifts is None else _shifted(match, shifts, operator.sub)


def _shifts(match: Match) -> tuple[int, int] | None:
    """How far the operands are shifted right; None between scales that aren't all powers of two.

    Raises:
        Decline: one would be shifted left, or both right, which the kernels refuse.
    """
    logarithms = [logarithm(x.scale) for x in (affine(match, 0), affine(match, 1), target8(match))]
    if None in logarithms or not match.attributes(PowerOfTwo).pot_scale_int16:
        return None
    a, b, to = (int(each or 0) for each in logarithms)
    if min(to - a, to - b) != 0:
        raise Decline("scales that are powers of two, none of them or not the smallest the result's; LiteRT refuses it")
    return to - a, to - b


def _shifted(match: Match, shifts: tuple[int, int], combine: Callable[[Expr, Expr], Expr]) -> Expr:
    both = (divided(operand(match, i).value, min(shift, 17)) for i, shift in enumerate(shifts))  # 0 from 17 on
    a, b = (x.cast(DType.I32) for x in both)
    total = rescale(combine(a, b), DType.I16, *TIMES_ONE)
    return clamped(total, *fused_range(match, target8(match)))


def squared_difference(match: Match) -> Expr:
    """SQUARED_DIFFERENCE -> two RESCALEs, SUB, MUL, RESCALE, as TensorFlow Lite Micro's kernel: LiteRT has none."""
    match.note_once("LiteRT has no kernel for this on int16; computed as TensorFlow Lite Micro's does")
    return quantized.squared_difference(match)


# ** elements as numbers **


def plain_add(match: Match) -> Expr:
    """ADD in 32 bits, of which the lower 16 are left."""
    a, b = (match[i].cast(DType.I32) for i in range(2))
    return _wrapped(match, a + b)


def plain_mul(match: Match) -> Expr:
    """MUL into 32 bits, of which the lower 16 are left: if the result has no scale, the kernel looks at none."""
    return _wrapped(match, match["lhs"] * match["rhs"])


def mul_to_bytes(match: Match) -> Expr:
    """MUL of Q0.15 to 8 bits (Mul of integer_ops/mul.h and of mul.h), rounded twice; the kernel looks at no scale.

    Raises:
        Decline: the operands broadcast, of which the kernel knows nothing.
    """
    to = target8(match)
    if match["lhs"].type.shape != match["rhs"].type.shape:
        raise Decline(f"{match['lhs'].type} by {match['rhs'].type}: the kernel of 8-bit results doesn't broadcast")
    a, b = (match[i].cast(DType.I32) for i in range(2))
    y = rescale(divided(a.times(b, 15), 8), DType.I8, *TIMES_ONE, output_zp=to.zero_point)
    return to_result_type(match, clamped(y, *fused_range(match, to)))


def _wrapped(match: Match, x: Expr) -> Expr:
    return clamped(x.cast(DType.I16), *fused_range(match, NUMBERS))


# ** quotients **


def div(match: Match) -> Expr:
    """DivElementwise (reference/div.h): by a GATHER of reciprocals, then as many bits to the right as the sizes demand.

    The kernel shifts to the left where a quotient exceeds 2**28 steps; unshifted it is beyond 16 bits too.
    """
    to = target8(match)
    low, high = (bound - to.zero_point for bound in fused_range(match, to))
    m, shift = (int(part[0]) for part in quantized.quotient_multiplier(match))
    x, y = (rescalable(operand(match, i))[0].cast(DType.I32) for i in range(2))
    x = where(y < 0, -x, x)
    y = abs(y)
    zeros = clz(x ^ _sign(x))
    normal = x << zeros - 1
    quotient = normal.times(_reciprocals(y, LARGEST[DType.I16] + abs(affine(match, 1).zero_point)), 31).times(m, 31)
    exponent = zeros - clz(y) + (30 - shift)
    rounded = clamp(_shifted_right(match, quotient, exponent, 30 - shift), low, high)
    rounded = rounded + to.zero_point if to.zero_point else rounded
    return rounded.cast(DType.I16)


def _sign(x: Expr) -> Expr:
    """-1 below 0, else 0."""
    return x >> 31


def _shifted_right(match: Match, x: Expr, exponent: Expr, middle: int) -> Expr:
    """The quotient x / 2**exponent, ties away from 0; exponents are at most 15 below `middle` and 16 above.

    Below 0 they count as 0, where nothing need be exact; above 31 the result is 0.
    """
    if middle != 15:
        match.note("some quotients LiteRT shifts by more than 31 bits or below 0, undefined in C; this gives them")
    shift = exponent
    if middle <= 15:
        shift = maximum(shift, 0)
    if middle > 15:
        shift = minimum(shift, 31)
    y = (x + _sign(x)).shifted_right(shift, round=True)
    if middle <= 15:
        return y
    return where(exponent > 31, 0, y)


def _reciprocals(y: Expr, largest: int) -> Expr:
    """The mantissas of 1 / y for 1 to the largest; what 0 gives, which the kernel refuses, is not defined."""
    mantissas, _ = reciprocal(np.maximum(np.arange(largest + 1), 1), 31)
    table = const(mantissas.reshape(1, -1, 1), DType.I32)
    return gather(table, y.reshape((1, y.size))).reshape(y.shape)


def prelu(match: Match) -> Expr:
    """PRELU of an int8 alpha -> RESCALE for what isn't below zero, MUL and RESCALE for the rest, SELECT."""
    x, alpha, to = operand(match, "input"), operand(match, "alpha"), target8(match)
    value, peak, zero = rescalable(x)[0], LARGEST[DType.I16] + abs(x.zero_point), to.zero_point
    above = requantized(match, value, quantize_multiplier(x.scale / to.scale), zero, peak=peak, dtype=DType.I16)
    wide = value.cast(DType.I32)
    product, slope = wide * widened(alpha), quantize_multiplier(x.scale * alpha.scale / to.scale)
    below = requantized(match, product, slope, zero, peak=peak * LARGEST[DType.I8], dtype=DType.I16)
    return where(wide >= 0, above, below)


@condition("the result is of 8 bits with one scale")
def to_eight_bit(match: Match) -> str | None:
    """Against another result."""
    return not_eight_bit(match.op.results)


@condition("the result is of 16 bits without a scale")
def to_plain(match: Match) -> str | None:
    """Against another result."""
    result = match.op.results[0]
    return None if result.type.dtype is DType.I16 and result.type.quant is None else f"{result.name!r} is {result.type}"


@condition("alpha is of 8 bits with one scale")
def alpha_of_eight_bits(match: Match) -> str | None:
    """Against another alpha: LiteRT's kernel takes int8."""
    alpha = match.source("alpha")
    one = alpha.type.quant is not None and alpha.type.quant.per_tensor
    return None if one else f"{alpha.name!r} is {alpha.type}"


CHECKS = (sixteen_bit(0, 1), as_reference)
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.add", "i16", add, CHECKS),
    Rewrite("tfl.sub", "i16", sub, CHECKS),
    Rewrite("tfl.mul", "i16", quantized.mul, CHECKS),
    Rewrite("tfl.add", "i16", plain_add, (without_scales,)),
    Rewrite("tfl.mul", "i16", plain_mul, (to_plain,)),
    Rewrite("tfl.mul", "i16", mul_to_bytes, (to_eight_bit, as_reference)),
    Rewrite("tfl.div", "i16", div, (sixteen_bit(0, 1, symmetric=False), as_reference)),
    Rewrite("tfl.squared_difference", "i16", squared_difference, CHECKS),
    Rewrite(
        "tfl.prelu",
        "i16*i8",
        prelu,
        (sixteen_bit("input", symmetric=False), alpha_of_eight_bits, as_reference),
        of=("input", "alpha"),
    ),
    Rewrite("tfl.maximum", "i16", quantized.maximum),
    Rewrite("tfl.minimum", "i16", quantized.minimum),
)
