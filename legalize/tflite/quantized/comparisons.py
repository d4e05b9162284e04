"""Comparisons of 8-bit elements, and of int16 ones for equality (comparisons.cc).

The kernels bring both operands to the scale of 2**-8, each rounded as a product is, and compare that: elements on
scales below 2**-8 may be equal though they aren't.
"""

from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import BYTES
from tosa_converter.legalize.quant.elements import LARGEST, Operand, affine, as_reference, operand, rescalable
from tosa_converter.legalize.quant.multipliers import quantize_multiplier
from tosa_converter.legalize.quant.requantize import requantized_to_i32
from tosa_converter.legalize.tflite.quantized.elementwise import shared_scale
from tosa_converter.rewriting.expr import Expr, elementwise
from tosa_converter.rewriting.operators import rescale
from tosa_converter.rewriting.rewrite import Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

SHIFT = 8


class Comparison(NamedTuple):
    """An operator of TOSA, its operands in the other order, its result negated."""

    row: OpDef
    mirrored: bool = False
    negated: bool = False

    def of(self, a: Expr, b: Expr) -> Expr:
        """The comparison of two tensors."""
        found = elementwise(self.row, *((b, a) if self.mirrored else (a, b)))
        return ~found if self.negated else found


COMPARISONS = {
    "equal": Comparison(ops.EQUAL),
    "not_equal": Comparison(ops.EQUAL, negated=True),
    "greater": Comparison(ops.GREATER),
    "greater_equal": Comparison(ops.GREATER_EQUAL),
    "less": Comparison(ops.GREATER, mirrored=True),
    "less_equal": Comparison(ops.GREATER_EQUAL, mirrored=True),
}


def compare(match: Match) -> Expr:
    """Two RESCALEs or more, and the comparison."""
    a, b = (_scaled(match, operand(match, i)) for i in range(2))
    return COMPARISONS[match.op.name.removeprefix("tfl.")].of(a, b)


def _scaled(match: Match, x: Operand) -> Expr:
    """MultiplyByQuantizedMultiplier of 256 * (stored - zero point) by the scale."""
    if not _open(x.scale):
        return shared_scale(match, x, np.float64(1), SHIFT)
    match.note("LiteRT shifts by a negative number of bits, which is undefined in C; this compares the reals")
    value, zero = rescalable(x)
    shifted = rescale(value, DType.I32, [1 << 30], [30 - SHIFT], input_zp=zero)
    peak = (LARGEST[x.value.dtype] + abs(x.zero_point)) << SHIFT
    return requantized_to_i32(match, shifted, quantize_multiplier(np.float64(x.scale)), peak=peak)


def _open(scale: np.float32) -> bool:
    return bool(scale >= 1)


def undefined(match: Match) -> bool:
    """Whether LiteRT leaves the result undefined: its kernels divide by powers of two only."""
    return any(_open(affine(match, i).scale) for i in range(2))


REWRITES: tuple[Rewrite, ...] = tuple(Rewrite(f"tfl.{name}", BYTES, compare, (as_reference,)) for name in COMPARISONS)
