"""Convert between floats and quantized elements."""

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import BYTES
from tosa_converter.legalize.quant.elements import eight_bit, operand, output_quant, subtract_zero_point, to_result_type
from tosa_converter.legalize.quant.xnnpack_rounding import (
    convert_scale,
    quantize_by_convert,
    quantize_by_reference,
    scale_integers,
)
from tosa_converter.legalize.xnnpack.checks import CONVERT_RATIOS, FLOATS, scale_ratios
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Rule, condition


@condition("the result is of fp32 or fp16")
def to_floats(match: Match) -> str | None:
    """Returns the reason to decline a Convert whose result isn't of floats; None if it is."""
    result = match.op.results[0]
    return None if result.type.dtype.value in FLOATS.split() else f"expected a result of floats, found {result.type}"


def convert(match: Match) -> Expr:
    """Lowers XNNPACK's Convert from one float type to another."""
    return match["input"].cast(match.op.results[0].type.dtype)


def quantize(match: Match) -> Expr:
    """Lowers XNNPACK's Convert from floats to 8 bits; for fp16 to uint8 XNNPACK has only a reference kernel."""
    x, output = match["input"], output_quant(match)
    by_reference = x.dtype is DType.FP16 and output.unsigned
    return to_result_type(match, (quantize_by_reference if by_reference else quantize_by_convert)(x, output))


def dequantize(match: Match) -> Expr:
    """Lowers XNNPACK's Convert from 8 bits to floats: (x - zero_point) * scale."""
    x = operand(match, "input")
    return scale_integers(subtract_zero_point(x), x.scale).cast(match.op.results[0].type.dtype)


def requantize(match: Match) -> Expr:
    """Lowers XNNPACK's Convert from 8 bits to 8 bits with another scale or zero point."""
    return to_result_type(match, convert_scale(operand(match, "input"), output_quant(match)))


RULES: tuple[Rule, ...] = (
    Rule("xnn.convert", FLOATS, convert, (to_floats,)),
    Rule("xnn.convert", FLOATS, quantize, (eight_bit(),)),
    Rule("xnn.convert", BYTES, requantize, (eight_bit("input"), scale_ratios(CONVERT_RATIOS, "input"))),
    Rule("xnn.convert", BYTES, dequantize, (to_floats,)),
)
