"""Elementwise operators of two int16 operands, with broadcast.

ADD and SUB between scales that are powers of two shift one operand (Add of reference/add.h, Sub16 of reference/sub.h);
otherwise the arithmetic is that of 8 bits.
"""

from collections.abc import Callable

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.tflite.quantized import elementwise as quantized
from tosa_converter.legalize.tflite.quantized.arithmetic import quantize_multiplier
from tosa_converter.legalize.tflite.quantized.common import (
    LARGEST,
    TIMES_ONE,
    affine,
    clamped,
    divided,
    fused_range,
    operand,
    reference_or_compact,
    requantized,
    target8,
    widened,
)
from tosa_converter.legalize.tflite.sixteen_bit.common import logarithm, shared, sixteen_bit
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite, condition
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.flat import Bool, Table


class PowerOfTwo(Table):
    """What the options of ADD and SUB have."""

    pot_scale_int16: Bool = True


def add(match: Match) -> Value:
    """ADD -> two RESCALEs, ADD, RESCALE."""
    shifts = _shifts(match)
    return quantized.add(match) if shifts is None else _shifted(match, shifts, match.builder.add)


def sub(match: Match) -> Value:
    """SUB -> two RESCALEs, SUB, RESCALE."""
    shifts = _shifts(match)
    return quantized.sub(match) if shifts is None else _shifted(match, shifts, match.builder.sub)


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


def _shifted(match: Match, shifts: tuple[int, int], combine: Callable[[Value, Value], Value]) -> Value:
    build = match.builder
    both = (divided(build, operand(match, i).value, min(shift, 17)) for i, shift in enumerate(shifts))  # 0 from 17 on
    a, b = (build.cast(x, DType.I32) for x in both)
    total = build.rescale(combine(a, b), DType.I16, *TIMES_ONE)
    return clamped(build, total, *fused_range(match, target8(match)))


def prelu(match: Match) -> Value:
    """PRELU of an int8 alpha -> RESCALE for what isn't below zero, MUL and RESCALE for the rest, SELECT."""
    build, peak = match.builder, LARGEST[DType.I16]
    x, alpha, to = operand(match, "input"), operand(match, "alpha"), target8(match)
    above = requantized(match, x.value, quantize_multiplier(x.scale / to.scale), 0, peak=peak, dtype=DType.I16)
    wide = build.cast(x.value, DType.I32)
    product, slope = build.mul(wide, widened(build, alpha)), quantize_multiplier(x.scale * alpha.scale / to.scale)
    below = requantized(match, product, slope, 0, peak=peak * LARGEST[DType.I8], dtype=DType.I16)
    return build.select(build.binary(ops.GREATER_EQUAL, wide, build.scalar(0, wide)), above, below)


@condition("alpha is of 8 bits with one scale")
def alpha_of_eight_bits(match: Match) -> str | None:
    """Against another alpha: LiteRT's kernel takes int8."""
    alpha = match.source("alpha")
    one = alpha.type.quant is not None and alpha.type.quant.per_tensor
    return None if one else f"{alpha.name!r} is {alpha.type}"


CHECKS = (sixteen_bit(0, 1), reference_or_compact)
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.add", "i16", add, CHECKS),
    Rewrite("tfl.sub", "i16", sub, CHECKS),
    Rewrite("tfl.mul", "i16", shared(quantized.mul), CHECKS),
    Rewrite(
        "tfl.prelu",
        "i16*i8",
        prelu,
        (sixteen_bit("input"), alpha_of_eight_bits, reference_or_compact),
        of=("input", "alpha"),
    ),
    Rewrite("tfl.maximum", "i16", shared(quantized.maximum)),
    Rewrite("tfl.minimum", "i16", shared(quantized.minimum)),
)
