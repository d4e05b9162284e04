"""AVERAGE_POOL_2D and MAX_POOL_2D on int16 elements.

The average is rounded half away from 0 as on int8; AVG_POOL2D's reciprocal, too large by up to 2**-30 of it, moves
nothing but ties for windows of less than 2**14 elements.
"""

from tosa_converter.legalize.quant.elements import as_reference, same_type, sixteen_bit
from tosa_converter.legalize.tflite.quantized import pool as quantized
from tosa_converter.legalize.windows import pooled
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.rewrite import Match, Rewrite

LARGEST_WINDOW = 1 << 14


def average_pool_2d(match: Match) -> Expr:
    """AVERAGE_POOL_2D -> AVG_POOL2D."""
    (height, width), _ = pooled(match)
    if height * width >= LARGEST_WINDOW:
        match.note("a window of 2**14 elements or more: the average may differ by 1 step")
    return quantized.average_pool_2d(match)


CHECKS = (sixteen_bit(0, plain=True, symmetric=False), same_type, as_reference)
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.average_pool_2d", "i16", average_pool_2d, CHECKS),
    Rewrite("tfl.max_pool_2d", "i16", quantized.max_pool_2d, CHECKS),
)
