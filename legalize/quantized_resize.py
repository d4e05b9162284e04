"""RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR on 8-bit elements."""

from tosa_converter.ir import DType, Value
from tosa_converter.legalize.common import constant_ints, same_quantization
from tosa_converter.legalize.quantized_common import Checker, reference_or_compact
from tosa_converter.rewrite import Decline, Match, Rewrite

FRACTION_BITS = 10


def resize_bilinear(match: Match) -> Value:
    """RESIZE_BILINEAR -> RESIZE on a grid of 1/1024 pixels, RESCALE by 2**-20 with ties away from zero.

    ResizeBilinearInteger (resize_bilinear.h) steps by a multiple of 1/1024 too. A multiplier one over 2**30 turns the
    ties below zero away from it, and can't move anything else: sums are at most 2**27.
    """
    build = match.builder
    x = match.input(0)
    scale, offset, border = [], [], []
    for size, made in zip(x.type.static[1:3], constant_ints(match, 1), strict=True):
        step, start = _grid(size, made, align=match.align_corners, centers=match.half_pixel_centers)
        scale += [1 << FRACTION_BITS, step]
        offset.append(start)
        border.append((made - 1) * step - ((size - 1) << FRACTION_BITS) + start)
    total = build.resize(x, mode="BILINEAR", scale=scale, offset=offset, border=border)
    return build.rescale(total, DType.I8, [(1 << 30) + 1], [50])


def _grid(size: int, made: int, *, align: bool, centers: bool) -> tuple[int, int]:
    """Step and start in 1/1024 pixels."""
    if align and made > 1:
        size, made = size - 1, made - 1
    step = ((size << FRACTION_BITS) + made // 2) // made
    if step == 0:
        raise Decline("a step of less than 1/2048 pixel")
    return step, step // 2 - (1 << FRACTION_BITS) // 2 if centers else 0


SIGNED = (Checker((0,), unsigned=False), same_quantization, reference_or_compact)
REWRITES: tuple[Rewrite, ...] = (Rewrite("tfl.resize_bilinear", resize_bilinear, SIGNED),)
