"""Pooling of floats."""

from tosa_converter.ir import Value
from tosa_converter.legalize.activation import fused_activation
from tosa_converter.legalize.checks import FLOATS, no_narrow_integers
from tosa_converter.legalize.windows import padding_2d, pooled
from tosa_converter.rewriting.rewrite import Match, Rewrite


def average_pool_2d(match: Match) -> Value:
    """AVERAGE_POOL_2D: what lies in the padding isn't counted, here and there."""
    x, (kernel, window) = match["input"], pooled(match)
    pad = padding_2d(window, x, kernel)
    return fused_activation(match, match.builder.avg_pool2d(x, kernel=kernel, stride=window.stride, pad=pad))


def max_pool_2d(match: Match) -> Value:
    """MAX_POOL_2D: a NaN never compares as greater, so the kernel passes it over."""
    x, (kernel, window) = match["input"], pooled(match)
    pad = padding_2d(window, x, kernel)
    y = match.builder.max_pool2d(x, kernel=kernel, stride=window.stride, pad=pad, nan_mode="IGNORE")
    return fused_activation(match, y)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.average_pool_2d", FLOATS, average_pool_2d, (no_narrow_integers,)),
    Rewrite("tfl.max_pool_2d", FLOATS, max_pool_2d, (no_narrow_integers,)),
)
