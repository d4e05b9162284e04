"""RESIZE_BILINEAR on int16 in the kernel's fixed point (ResizeBilinearInteger, resize_bilinear.h)."""

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import same_quantization
from tosa_converter.legalize.quant.elements import as_reference, sixteen_bit
from tosa_converter.legalize.tflite.quantized.resize import Axis, corners, enlarged, fits, known_axes, resized, weighted
from tosa_converter.rewriting.expr import Expr, minimum, where
from tosa_converter.rewriting.operators import rescale
from tosa_converter.rewriting.rewrite import Match, Rewrite

NARROW_BITS = 14  # of weights, with which sums stay below 2**30
LOW_BITS = 10  # of weights that are summed apart


def resize_bilinear(match: Match) -> Expr:
    """RESIZE_BILINEAR -> RESIZE, RESCALE; GATHERs where RESIZE's limits are exceeded.

    The kernel rounds half away from 0. RESCALE of i48 rounds half up, so sums that i32 doesn't hold are also made of
    the inverted image, which rounds half down.
    """
    axes = [axis.reduced for axis in known_axes(match)]
    bits = (axes[0].unit * axes[1].unit).bit_length() - 1
    if not fits(axes):
        return _gathered(match, axes, bits)
    if bits <= NARROW_BITS:
        total = enlarged(match, match[0], axes)
        total = rescale(resized(match[0], axes) if total is None else total, DType.I32, [1 << 14], [14])
        return _half_away(total, bits)
    up = rescale(resized(match[0], axes), DType.I16, [1 << 14], [14 + bits])
    inverted = rescale(resized(_inverted(match[0]), axes), DType.I16, [1 << 14], [14 + bits])
    wide = up.cast(DType.I32)
    return where(wide > 0, up, _inverted(inverted))


def _inverted(x: Expr) -> Expr:
    """-1 - x: weights sum to 1."""
    return ~x


def _half_away(total: Expr, bits: int) -> Expr:
    """A sum below 2**30 divided by 2**bits: a multiplier one over 2**30 moves the ties below zero away from it."""
    return rescale(total, DType.I16, [(1 << 30) + (bits > 0)], [30 + bits])


def _gathered(match: Match, axes: list[Axis], bits: int) -> Expr:
    """Sums of pixels by weights; of wide weights in two halves, where the lower one's rest only tells ties apart."""
    parts = list(corners(match[0], *(axis.sides for axis in axes)))
    if bits <= NARROW_BITS:
        return _half_away(weighted(parts), bits)
    high = weighted(((pixel, weight >> LOW_BITS) for pixel, weight in parts))
    low = weighted(((pixel, weight & (1 << LOW_BITS) - 1) for pixel, weight in parts))
    high = high + (low >> LOW_BITS)
    rest = low & (1 << LOW_BITS) - 1
    rest = minimum(rest, 1)
    twice = high + high + rest
    return _half_away(twice, bits - LOW_BITS + 1)


CHECKS = (sixteen_bit(0, plain=True, symmetric=False), same_quantization, as_reference)
REWRITES: tuple[Rewrite, ...] = (Rewrite("tfl.resize_bilinear", "i16", resize_bilinear, CHECKS),)
