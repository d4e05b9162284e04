"""QUANTIZE from and to int16."""

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import BYTES
from tosa_converter.legalize.quant.elements import (
    LARGEST,
    NARROW,
    as_reference,
    not_of_bits,
    operand,
    rescalable,
    target8,
    widened,
)
from tosa_converter.legalize.quant.multipliers import INT32_MAX, INT32_MIN, Multiplier, undefined_at
from tosa_converter.legalize.quant.requantize import OVERFLOW, requantized, requantized_to_i32
from tosa_converter.legalize.tflite.quantized import borders as quantized
from tosa_converter.legalize.tflite.quantized.borders import centered_i32, scale_ratio
from tosa_converter.rewriting.expr import Expr, clamp
from tosa_converter.rewriting.rewrite import Match, Rewrite, condition


def requantize(match: Match) -> Expr:
    """QUANTIZE of integers (Requantize, requantize.h) -> RESCALE, with ADDs for zero points of 16 bits."""
    to, source = target8(match), match.source(0).type.dtype
    if source is DType.I32:
        x, peak = centered_i32(match), 1 << 31
    elif source is DType.I16:
        given = operand(match, 0)
        x, peak = rescalable(given)[0], LARGEST[DType.I16] + abs(given.zero_point)
    else:
        x, peak = widened(operand(match, 0)), LARGEST[DType.I8]
    if to.dtype is not DType.I32:
        return requantized(match, x, scale_ratio(match), to.zero_point, peak=peak, dtype=to.dtype)
    return _offset(_multiplied(match, x, scale_ratio(match), peak), to.zero_point)


def _multiplied(match: Match, x: Expr, multiplier: Multiplier, peak: int) -> Expr:
    """MultiplyByQuantizedMultiplier to all of i32 -> RESCALE, or MUL where that doesn't take all of `x`.

    A multiplier is m * 2**(shift - 31), with m of 31 bits. The kernel shifts x left, which has to fit 32 bits, and
    rounds x * 2**shift * m / 2**31. That is (x * m + 2**(30 - shift)) >> (31 - shift), as MUL has it. RESCALE takes |x|
    below 2**(30 - shift) alone: with 100,000 = 1,638,400,000 * 2**(17 - 31) it ends at 8,192, and 32 bits at 16,384.
    """
    shift = min(int(multiplier.shift.max()), 30)
    if peak < 1 << 30 - max(shift, 0):
        return requantized_to_i32(match, x, multiplier, peak=peak)
    if undefined_at(-peak, multiplier).any():
        match.note(OVERFLOW)
    x, limit = x.cast(DType.I32), 1 << 31 - shift
    x = clamp(x, -limit, limit - 1) if peak >= limit else x
    return x.times(int(multiplier.m.max()), 31 - shift)


def _offset(y: Expr, zero_point: int) -> Expr:
    """ADD of a zero point, which saturates: in i32 it must not overflow."""
    if not zero_point:
        return y
    low, high = max(INT32_MIN, INT32_MIN - zero_point), min(INT32_MAX, INT32_MAX - zero_point)
    return clamp(y, low, high) + zero_point


@condition("from or to 16 bits, one scale each")
def some_sixteen_bit(match: Match) -> str | None:
    """Against anything but quantized integers, of which one is of 16 bits."""
    values = match.source(0), match.op.results[0]
    if DType.I16 not in {value.type.dtype for value in values}:
        return "nothing is of 16 bits"
    return not_of_bits(8, (*NARROW, DType.I16, DType.I32), values)


@condition("to 16 bits with one scale")
def to_sixteen_bit(match: Match) -> str | None:
    """Against another result."""
    return not_of_bits(16, (DType.I16,), match.op.results)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.quantize", "fp32", quantized.quantize, (to_sixteen_bit, as_reference)),
    Rewrite("tfl.quantize", f"i16 i32 {BYTES}", requantize, (some_sixteen_bit, as_reference)),
)
