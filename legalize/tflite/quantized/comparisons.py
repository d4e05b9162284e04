"""Comparisons of 8-bit elements (comparisons.cc).

The kernels bring both operands to the scale of 2**-8, each rounded as a product is, and compare that: elements on
scales below 2**-8 may be equal though they aren't.
"""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.checks import BYTES
from tosa_converter.legalize.tflite.quantized.arithmetic import quantize_multiplier
from tosa_converter.legalize.tflite.quantized.common import Operand, operand, reference_or_compact, requantized_to_i32
from tosa_converter.legalize.tflite.quantized.elementwise import shared_scale
from tosa_converter.rewriting.rewrite import Build, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

SHIFT = 8


def _compared(row: OpDef, *, mirrored: bool = False, negated: bool = False) -> Build:
    def compare(match: Match) -> Value:
        a, b = (_scaled(match, operand(match, i)) for i in range(2))
        found = match.builder.binary(row, *((b, a) if mirrored else (a, b)))
        return match.builder.unary(ops.LOGICAL_NOT, found) if negated else found

    return compare


def _scaled(match: Match, x: Operand) -> Value:
    """MultiplyByQuantizedMultiplier of 256 * (stored - zero point) by the scale."""
    if x.scale < 1:
        return shared_scale(match, x, np.float64(1), SHIFT)
    match.note("LiteRT shifts by a negative number of bits, which is undefined in C; this compares the reals")
    shifted = match.builder.rescale(x.value, DType.I32, [1 << 30], [30 - SHIFT], input_zp=x.zero_point)
    return requantized_to_i32(match, shifted, quantize_multiplier(np.float64(x.scale)), peak=255 << SHIFT)


COMPARISONS: dict[str, Build] = {
    "equal": _compared(ops.EQUAL),
    "not_equal": _compared(ops.EQUAL, negated=True),
    "greater": _compared(ops.GREATER),
    "greater_equal": _compared(ops.GREATER_EQUAL),
    "less": _compared(ops.GREATER, mirrored=True),
    "less_equal": _compared(ops.GREATER_EQUAL, mirrored=True),
}
REWRITES: tuple[Rewrite, ...] = tuple(
    Rewrite(f"tfl.{name}", BYTES, build, (reference_or_compact,)) for name, build in COMPARISONS.items()
)
