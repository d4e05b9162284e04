"""StaticResizeBilinear2D of floats."""

from tosa_converter.legalize.limits import affordable
from tosa_converter.legalize.tflite.float.resize import LARGEST_IMAGE, Axis, bilinear
from tosa_converter.legalize.xnnpack.checks import FLOATS, require_rank
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import xnnpack


def axes(match: Match, x: Expr) -> tuple[Axis, Axis]:
    """Height and width: pixels' middles lie over each other unless a flag says otherwise.

    Raises:
        Decline: a size of 0.
    """
    require_rank(x, 4)
    attributes = match.attributes(xnnpack.XNNStaticResizeBilinear2D)
    size = attributes.new_height, attributes.new_width
    if min(size) < 1:
        raise Decline(f"an image of {size[0]} by {size[1]}")
    if max(size) >= LARGEST_IMAGE:  # which is gathered
        affordable(size)
    corners = bool(attributes.flags & xnnpack.FLAG_ALIGN_CORNERS)
    half = not corners and not attributes.flags & xnnpack.FLAG_TENSORFLOW_LEGACY_MODE
    _, height, width, _ = x.shape
    return Axis(height, size[0], corners, half), Axis(width, size[1], corners, half)


def static_resize_bilinear_2d(match: Match) -> Expr:
    """StaticResizeBilinear2D."""
    return bilinear(match, match["input"], axes(match, match["input"]))


REWRITES: tuple[Rewrite, ...] = (Rewrite("xnn.static_resize_bilinear_2d", FLOATS, static_resize_bilinear_2d),)
