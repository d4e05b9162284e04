"""BATCH_MATMUL of int16 by int16 or int8: i48 sums, scaled by 16 bits (BatchMatMul, reference/batch_matmul.h)."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.matrices import matrices, sides
from tosa_converter.legalize.quant.elements import LARGEST, affine, as_reference, not_of_bits, sixteen_bit, target8
from tosa_converter.legalize.quant.multipliers import quantize_multiplier
from tosa_converter.legalize.tflite.sixteen_bit.conv import requantized_sum
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.operators import matmul
from tosa_converter.rewriting.rewrite import Match, Rewrite, condition


def batch_matmul(match: Match) -> Expr:
    """BATCH_MATMUL -> MATMUL, RESCALE between RESHAPEs; int8 is widened."""
    pair = matrices(*sides(match, match["x"], match["y"].cast(DType.I16)))
    acc = matmul(pair.left, pair.right, dtype=DType.I48)
    real = np.float64(affine(match, "x").scale * affine(match, "y").scale) / np.float64(target8(match).scale)
    peak = pair.left.shape[2] * LARGEST[DType.I16] ** 2
    y = requantized_sum(match, acc, None, quantize_multiplier(float(real)), peak, in_32_bits=False)
    return y.reshape(pair.shape)


@condition("the right side is of 8 or 16 bits with one scale")
def narrow_right(match: Match) -> str | None:
    """Against another right side."""
    return not_of_bits(16, (DType.I8, DType.I16), [match.source("y")])


CHECKS = (sixteen_bit("x"), narrow_right, as_reference)
REWRITES: tuple[Rewrite, ...] = (Rewrite("tfl.batch_matmul", "i16*i16 i16*i8", batch_matmul, CHECKS, of=("x", "y")),)
