"""BATCH_MATMUL on int8: MATMUL, then RESCALE (BatchMatMul of reference/batch_matmul.h)."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.matrices import matrices, sides
from tosa_converter.legalize.quant.elements import as_reference, eight_bit, operand, target8
from tosa_converter.legalize.quant.multipliers import quantize_multiplier
from tosa_converter.legalize.quant.requantize import requantized
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.operators import matmul
from tosa_converter.rewriting.rewrite import Match, Rewrite, condition

PEAK = 255 * 255  # of a product of int8 less their zero points


def batch_matmul(match: Match) -> Expr:
    """BATCH_MATMUL; the product of the scales is rounded to float32 (GetQuantizedConvolutionMultipler)."""
    to = target8(match)
    x, y = operand(match, "x"), operand(match, "y")
    pair = matrices(*sides(match, x.value, y.value))
    acc = matmul(pair.left, pair.right, a_zp=x.zero_point, b_zp=y.zero_point)
    multiplier = quantize_multiplier(np.float64(x.scale * y.scale) / np.float64(to.scale))
    peak = min(pair.left.shape[2] * PEAK, 1 << 31)
    return requantized(match, acc, multiplier, to.zero_point, peak=peak).reshape(pair.shape)


def stored_product(match: Match) -> Expr:
    """BATCH_MATMUL with an i32 result: the product of the stored values, whatever their zero points."""
    pair = matrices(*sides(match, match["x"], match["y"]))
    return matmul(pair.left, pair.right).reshape(pair.shape)


@condition("the result is i32")
def to_i32(match: Match) -> str | None:
    """Against another result."""
    made = match.op.results[0].type.dtype
    return None if made is DType.I32 else f"the result is of type {made.value}"


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.batch_matmul", "i8*i8", batch_matmul, (eight_bit("x", "y"), as_reference), of=("x", "y")),
    Rewrite("tfl.batch_matmul", "i8*i8", stored_product, (to_i32, as_reference), of=("x", "y")),
)
