"""StaticResizeBilinear2D of floats."""

from tosa_converter.legalize.ops.resize import Axis, bilinear, image_axes
from tosa_converter.legalize.sampling import accepts
from tosa_converter.legalize.xnnpack.checks import FLOATS, require_rank
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import xnnpack


def axes(match: Match, x: Expr) -> tuple[Axis, Axis]:
    """Returns height and width: the outer edges of pixels coincide unless a flag says otherwise.

    Raises:
        Decline: a size of 0.
    """
    require_rank(x, 4)
    attributes = match.attributes(xnnpack.XNNStaticResizeBilinear2D)
    size = attributes.new_height, attributes.new_width
    if min(size) < 1:
        raise Decline(f"an image of {size[0]} by {size[1]}")
    corners = bool(attributes.flags & xnnpack.FLAG_ALIGN_CORNERS)
    half = not corners and not attributes.flags & xnnpack.FLAG_TENSORFLOW_LEGACY_MODE
    return image_axes(x, size, align_corners=corners, half_pixel=half)


def static_resize_bilinear_2d(match: Match) -> Expr:
    """StaticResizeBilinear2D."""
    return bilinear(match["input"], axes(match, match["input"]), accepts(match))


REWRITES: tuple[Rewrite, ...] = (Rewrite("xnn.static_resize_bilinear_2d", FLOATS, static_resize_bilinear_2d),)
