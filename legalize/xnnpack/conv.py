"""Convolutions of floats."""

from tosa_converter.legalize.xnnpack.bounds import bounded
from tosa_converter.legalize.xnnpack.windows import (
    Operands,
    by_channel,
    check_shapes,
    convolved,
    forward,
    transposed,
    window,
)
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.rewrite import Match, Rewrite


def operands(match: Match) -> Operands:
    """Input, filter and bias in the input's type: with one of fp16, the others may be of fp32."""
    x = match["input1"]
    bias = match.get("bias")
    if bias is None:
        return Operands(x, match["filter"].cast(x.dtype), const([0], x.dtype))
    bias = bias.cast(x.dtype).reshape((bias.size,))
    return Operands(x, match["filter"].cast(x.dtype), bias)


def conv_2d(match: Match) -> Expr:
    """Conv2d."""
    it = operands(match)
    found = forward(match, it.x)
    check_shapes(match, it, found.kernel)
    return bounded(match, convolved(match, it, found))


def depthwise_conv_2d(match: Match) -> Expr:
    """DepthwiseConv2d."""
    it = operands(match)
    found = forward(match, it.x)
    check_shapes(match, it, found.kernel, by_channel=True)
    return bounded(match, by_channel(it, found))


def conv_transpose_2d(match: Match) -> Expr:
    """ConvTranspose2d."""
    it = operands(match)
    found = window(match, it.x)
    check_shapes(match, it, found.kernel)
    return bounded(match, transposed(match, it, found))


PAIRS = "fp32*fp32 fp16*fp16 fp16*fp32"
REWRITES: tuple[Rewrite, ...] = tuple(
    Rewrite(f"xnn.{build.__name__}", PAIRS, build, of=("input1", "filter"))
    for build in (conv_2d, depthwise_conv_2d, conv_transpose_2d)
)
