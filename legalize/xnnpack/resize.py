"""StaticResizeBilinear2D of floats."""

from tosa_converter.legalize.operands import affordable
from tosa_converter.legalize.tflite.float.resize import LARGEST_IMAGE, Axis, bilinear
from tosa_converter.legalize.xnnpack.checks import FLOATS, require_rank
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import xnnpack


def axes(match: Match, x: Expr) -> tuple[Axis, Axis]:
    """Returns how height and width are resized: pixels' centers are aligned unless a flag says otherwise.

    Raises:
        Decline: `x` is no image, or a size is 0.
    """
    require_rank(x, 4)
    attributes = match.attributes(xnnpack.XNNStaticResizeBilinear2D)
    size = attributes.new_height, attributes.new_width
    if min(size) < 1:
        raise Decline(f"expected an image of at least 1 by 1, found {size[0]} by {size[1]}")
    if max(size) >= LARGEST_IMAGE:  # its pixels are gathered by constant indices
        affordable(size)
    corners = bool(attributes.flags & xnnpack.FLAG_ALIGN_CORNERS)
    half = not corners and not attributes.flags & xnnpack.FLAG_TENSORFLOW_LEGACY_MODE
    _, height, width, _ = x.shape
    return Axis(height, size[0], corners, half), Axis(width, size[1], corners, half)


def static_resize_bilinear_2d(match: Match) -> Expr:
    """StaticResizeBilinear2D: RESIZE, or four GATHERs where its samples are too far from XNNPACK's."""
    return bilinear(match, match["input"], axes(match, match["input"]))


REWRITES: tuple[Rewrite, ...] = (Rewrite("xnn.static_resize_bilinear_2d", FLOATS, static_resize_bilinear_2d),)
