"""StaticResizeBilinear2D of floats and of quantized elements."""

import numpy as np

from tosa_converter.legalize.checks import BYTES, same_quantization
from tosa_converter.legalize.ops.resize import ResizeAxis, bilinear, image_axes, lerp
from tosa_converter.legalize.quant.elements import eight_bit, stored_elements, to_result_type
from tosa_converter.legalize.quant.resize_positions import Sides
from tosa_converter.legalize.quant.xnnpack_rounding import F32, shift_to_int8
from tosa_converter.legalize.sampling import accepts
from tosa_converter.legalize.tflite.quantized.resize import corners, weighted_sum
from tosa_converter.legalize.xnnpack.checks import FLOATS, require_rank
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas import xnnpack

WEIGHT_BITS = 11
UNIT = 1 << WEIGHT_BITS


def axes(match: Match, x: Expr) -> tuple[ResizeAxis, ResizeAxis]:
    """Returns how XNNPACK resizes height and width: pixels' centers are aligned unless a flag says otherwise.

    Raises:
        Decline: `x` is no image, or a size is 0.
    """
    require_rank(x.type, 4)
    attributes = match.attributes(xnnpack.XNNStaticResizeBilinear2D)
    size = attributes.new_height, attributes.new_width
    match.require(min(size) >= 1, f"expected an image of at least 1 by 1, found {size[0]} by {size[1]}")
    align = bool(attributes.flags & xnnpack.FLAG_ALIGN_CORNERS)
    half_pixel = not align and not attributes.flags & xnnpack.FLAG_TENSORFLOW_LEGACY_MODE
    return image_axes(x, size, align_corners=align, half_pixel=half_pixel)


def static_resize_bilinear_2d(match: Match) -> Expr:
    """Lowers XNNPACK's StaticResizeBilinear2D to RESIZE, or to four GATHERs if RESIZE samples at other positions.

    Compact numerics accept these positions, with a note.
    """
    return bilinear(match["input"], axes(match, match["input"]), accepts(match))


def resize_quantized(match: Match) -> Expr:
    """Lowers XNNPACK's StaticResizeBilinear2D of 8 bits: four GATHERs with weights in 2048ths, rounded half up.

    That is what XNNPACK's kernels do (xnn_s8_ibilinear).
    """
    x = stored_elements(match, "input")
    rows, columns = (_weighted_neighbors(axis) for axis in axes(match, x))
    # The weights of a row and of a column add up to 2**11 each, so magnitudes of the sum are at most 2**7 * 2**22.
    return to_result_type(match, shift_to_int8(weighted_sum(corners(x, rows, columns)), 2 * WEIGHT_BITS))


def _weighted_neighbors(axis: ResizeAxis) -> Sides:
    """Returns, for each position, the lower and the upper neighbor along an axis, each with its weight in 2048ths."""
    _, samples = lerp(axis)
    upper_weight = np.rint(samples.weight * F32(UNIT)).astype(np.int64)
    return (samples.lower, UNIT - upper_weight), (samples.upper, upper_weight)


RULES: tuple[Rule, ...] = (
    Rule("xnn.static_resize_bilinear_2d", FLOATS, static_resize_bilinear_2d),
    Rule("xnn.static_resize_bilinear_2d", BYTES, resize_quantized, (eight_bit("input"), same_quantization)),
)
