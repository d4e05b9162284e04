"""Pooling of floats."""

from tosa_converter.legalize.checks import FLOATS, no_narrow_integers
from tosa_converter.legalize.ops.elementwise import sqrt
from tosa_converter.legalize.tflite.activation import fused_activation
from tosa_converter.legalize.windows import padding_2d, pooled
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.operators import avg_pool2d, max_pool2d
from tosa_converter.rewriting.rewrite import Match, Rewrite


def average_pool_2d(match: Match) -> Expr:
    """AVERAGE_POOL_2D: what lies in the padding isn't counted, here and there."""
    x, (kernel, window) = match["input"], pooled(match)
    pad = padding_2d(window, x, kernel)
    return fused_activation(match, avg_pool2d(x, kernel=kernel, stride=window.stride, pad=pad))


def max_pool_2d(match: Match) -> Expr:
    """MAX_POOL_2D: a NaN never compares as greater, so the kernel passes it over."""
    x, (kernel, window) = match["input"], pooled(match)
    pad = padding_2d(window, x, kernel)
    y = max_pool2d(x, kernel=kernel, stride=window.stride, pad=pad, nan_mode="IGNORE")
    return fused_activation(match, y)


def l2_pool_2d(match: Match) -> Expr:
    """L2_POOL_2D: the root of the mean square, over what lies inside of the image (L2Pool, reference/pooling.h)."""
    x, (kernel, window) = match["input"], pooled(match)
    pad = padding_2d(window, x, kernel)
    mean = avg_pool2d(x * x, kernel=kernel, stride=window.stride, pad=pad)
    root = sqrt(mean)
    return fused_activation(match, root)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.average_pool_2d", FLOATS, average_pool_2d, (no_narrow_integers,)),
    Rewrite("tfl.max_pool_2d", FLOATS, max_pool_2d, (no_narrow_integers,)),
    Rewrite("tfl.l2_pool_2d", "fp32", l2_pool_2d),
)
