"""RESIZE_BILINEAR on floats and RESIZE_NEAREST_NEIGHBOR on every type."""

from tosa_converter.legalize.checks import FLOATS, not_quantized
from tosa_converter.legalize.constant_operands import image_size
from tosa_converter.legalize.ops.resize import ResizeAxis, bilinear, image_axes, nearest
from tosa_converter.legalize.sampling import accepts
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas import tflite


def axes(match: Match) -> tuple[ResizeAxis, ResizeAxis]:
    """Returns how RESIZE_BILINEAR or RESIZE_NEAREST_NEIGHBOR maps output to input rows, and output to input columns.

    The options of both operators have the same fields.
    """
    options = match.attributes(tflite.ResizeBilinearOptions)
    return image_axes(
        match["input"],
        image_size(match, 1),
        align_corners=options.align_corners,
        half_pixel=options.half_pixel_centers,
    )


def resize_bilinear(match: Match) -> Expr:
    """Lowers RESIZE_BILINEAR of floats to RESIZE, or to GATHERs if RESIZE samples too far from the kernel's points.

    Compact numerics accept any distance, with a note.
    """
    return bilinear(match["input"], axes(match), accepts(match))


def resize_nearest_neighbor(match: Match) -> Expr:
    """Lowers RESIZE_NEAREST_NEIGHBOR of any type."""
    return nearest(match["input"], axes(match))


RULES: tuple[Rule, ...] = (
    Rule("tfl.resize_bilinear", FLOATS, resize_bilinear, (not_quantized,)),
    Rule("tfl.resize_nearest_neighbor", f"{FLOATS} i8 ui8 i16 i32", resize_nearest_neighbor),
)
