"""QUANTIZE from and to int16."""

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.checks import BYTES
from tosa_converter.legalize.tflite.quantized import borders as quantized
from tosa_converter.legalize.tflite.quantized.borders import centered_i32, scale_ratio
from tosa_converter.legalize.tflite.quantized.common import (
    LARGEST,
    NARROW,
    as_reference,
    not_of_bits,
    operand,
    requantized,
    requantized_to_i32,
    rescalable,
    target8,
    widened,
)
from tosa_converter.legalize.tflite.sixteen_bit.common import shared
from tosa_converter.rewriting.rewrite import Match, Rewrite, condition


def requantize(match: Match) -> Value:
    """QUANTIZE of integers (Requantize, requantize.h) -> RESCALE, with ADDs for zero points of 16 bits."""
    build, to, source = match.builder, target8(match), match.source(0).type.dtype
    if source is DType.I32:
        x, peak = centered_i32(match), 1 << 31
    elif source is DType.I16:
        given = operand(match, 0)
        x, peak = rescalable(build, given)[0], LARGEST[DType.I16] + abs(given.zero_point)
    else:
        x, peak = widened(build, operand(match, 0)), LARGEST[DType.I8]
    if to.dtype is not DType.I32:
        return requantized(match, x, scale_ratio(match), to.zero_point, peak=peak, dtype=to.dtype)
    y = requantized_to_i32(match, x, scale_ratio(match), peak=peak)
    return build.add(y, build.scalar(to.zero_point, y)) if to.zero_point else y


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
    Rewrite("tfl.quantize", "fp32", shared(quantized.quantize), (to_sixteen_bit, as_reference)),
    Rewrite("tfl.quantize", f"i16 i32 {BYTES}", requantize, (some_sixteen_bit, as_reference)),
)
