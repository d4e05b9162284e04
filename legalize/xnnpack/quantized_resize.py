"""StaticResizeBilinear2D of quantized elements: weights in 2048ths (xnn_s8_ibilinear)."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import same_quantization
from tosa_converter.legalize.ops.resize import Axis, lerp
from tosa_converter.legalize.quant.elements import eight_bit, stored, to_result_type
from tosa_converter.legalize.tflite.quantized.resize import Sides, corners, weighted
from tosa_converter.legalize.xnnpack.checks import BYTES
from tosa_converter.legalize.xnnpack.resize import axes
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.operators import rescale
from tosa_converter.rewriting.rewrite import Match, Rewrite

DIGITS = 11  # of a weight
UNIT = 1 << DIGITS


def static_resize_bilinear_2d(match: Match) -> Expr:
    """StaticResizeBilinear2D: four GATHERs, whose weighted sum is rounded half up."""
    x = stored(match, "input")
    total = weighted(corners(x, *map(_sides, axes(match, x))))
    return to_result_type(match, rescale(total, DType.I8, [1 << 30], [30 + 2 * DIGITS]))


def _sides(axis: Axis) -> Sides:
    """The pixels on both sides of each position, with their whole weights."""
    _, found = lerp(axis)
    after = np.rint(found.weight * np.float32(UNIT)).astype(np.int64)
    return (found.lower, UNIT - after), (found.upper, after)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("xnn.static_resize_bilinear_2d", BYTES, static_resize_bilinear_2d, (eight_bit("input"), same_quantization)),
)
