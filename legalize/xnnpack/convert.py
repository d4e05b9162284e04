"""Convert between floats and quantized elements."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.quant.elements import eight_bit, operand, target8, to_result_type, widened
from tosa_converter.legalize.xnnpack.checks import BYTES, FLOATS
from tosa_converter.legalize.xnnpack.requantize import as_result, quantized, scaled
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.operators import rescale
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite

UNIT = 1 << 8  # multipliers from elements to elements are whole 256ths


def convert(match: Match) -> Expr:
    """Convert from one float type to another."""
    dtype = match.op.results[0].type.dtype
    if dtype.value not in FLOATS.split():
        raise Decline(f"to {match.op.results[0].type}, which is quantized")
    return match["input"].cast(dtype)


def quantize(match: Match) -> Expr:
    """Convert from floats to elements with one scale; XNNPACK has no kernel from fp16 to uint8."""
    x = match["input"]
    plain = x.type.dtype is DType.FP16 and match.op.results[0].type.dtype is DType.UI8
    return as_result(match, x) if plain else quantized(match, x)


def dequantize(match: Match) -> Expr:
    """Convert from elements to the floats that they stand for."""
    x = operand(match, "input")
    dtype = match.op.results[0].type.dtype
    if dtype.value not in FLOATS.split():
        raise Decline(f"to {match.op.results[0].type}, which is quantized")
    return scaled(widened(x), x.scale).cast(dtype)


def requantize(match: Match) -> Expr:
    """Convert from elements to others: a multiplier of 8 bits behind the point, rounded half up (xnn_qs8_cvt)."""
    x, to = operand(match, "input"), target8(match)
    ratio = x.scale / to.scale
    if not 2.0**-8 <= ratio <= 2.0**7:
        raise Decline(f"a ratio of scales of {ratio:.3g}, which XNNPACK wants from 1/256 to 128")
    multiplier = int(np.rint(ratio * np.float32(UNIT)))
    y = rescale(x.value, DType.I8, [multiplier << 15], [23], input_zp=x.zero_point, output_zp=to.zero_point)
    return to_result_type(match, y)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("xnn.convert", FLOATS, convert),
    Rewrite("xnn.convert", FLOATS, quantize, (eight_bit(),)),
    Rewrite("xnn.convert", BYTES, requantize, (eight_bit("input"),)),
    Rewrite("xnn.convert", BYTES, dequantize),
)
