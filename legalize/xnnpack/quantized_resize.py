"""StaticResizeBilinear2D of quantized elements: interpolation by whole 2048ths (xnn_s8_ibilinear)."""

import numpy as np

from tosa_converter.legalize.checks import BYTES, same_quantization
from tosa_converter.legalize.quant.elements import eight_bit, stored, to_result_type
from tosa_converter.legalize.quant.xnnpack_rounding import F32, shifted_to_int8
from tosa_converter.legalize.tflite.float.resize import Axis, lerp
from tosa_converter.legalize.tflite.quantized.resize import Sides, corners, weighted
from tosa_converter.legalize.xnnpack.resize import axes
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.rewrite import Match, Rewrite

WEIGHT_BITS = 11
UNIT = 1 << WEIGHT_BITS


def static_resize_bilinear_2d(match: Match) -> Expr:
    """StaticResizeBilinear2D: four GATHERs, whose weighted sum is rounded half up."""
    x = stored(match, "input")
    rows, columns = (_sides(axis) for axis in axes(match, x))
    # The weights of a row and of a column add up to 2**11 each, so magnitudes of the sum are at most 2**7 * 2**22.
    return to_result_type(match, shifted_to_int8(weighted(corners(x, rows, columns)), 2 * WEIGHT_BITS))


def _sides(axis: Axis) -> Sides:
    """Returns the pixels on both sides of each position, with their whole weights."""
    _, samples = lerp(axis)
    upper_weight = np.rint(samples.weight * F32(UNIT)).astype(np.int64)
    return (samples.lower, UNIT - upper_weight), (samples.upper, upper_weight)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("xnn.static_resize_bilinear_2d", BYTES, static_resize_bilinear_2d, (eight_bit("input"), same_quantization)),
)
