"""L2_NORMALIZATION and LOCAL_RESPONSE_NORMALIZATION of floats, in fp32, as fp16 doesn't hold the squares."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import FLOATS, no_narrow_integers
from tosa_converter.legalize.ops.functions import constant_power
from tosa_converter.legalize.tflite.disagreements import note_disagreement
from tosa_converter.rewriting.expr import Expr, const, maximum, rsqrt
from tosa_converter.rewriting.operators import conv2d, reduce_sum
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tflite

SMALLEST_NORM = 1e-6  # l2norm.cc


def l2_normalization(match: Match) -> Expr:
    """L2_NORMALIZATION over the last dimension: x / max(sqrt(sum(x * x)), 1e-6)."""
    x = match["input"].cast(DType.FP32)
    total = reduce_sum(x * x, x.rank - 1)
    inverse = rsqrt(maximum(total, SMALLEST_NORM**2))
    return (x * inverse).cast(match["input"].dtype)


def local_response_normalization(match: Match) -> Expr:
    """LOCAL_RESPONSE_NORMALIZATION: x * (bias + alpha * sum(x * x)) ** -beta.

    The sum runs from `radius` channels before to `radius` behind; a convolution with ones adds it.
    """
    note_disagreement(match)
    x = match["input"].cast(DType.FP32)
    options = match.attributes(tflite.LocalResponseNormalizationOptions)
    *images, channels = x.shape
    radius = min(options.radius, channels)
    if radius < 0:
        raise Decline(f"a radius of {radius}")
    total = x * x
    if radius:
        column = total.reshape((int(np.prod(images)), channels, 1, 1))
        ones = const(np.ones((1, 2 * radius + 1, 1, 1)), x.dtype)
        total = conv2d(column, ones, const([0], x.dtype), pad=(radius, radius, 0, 0))
        total = total.reshape(x.shape)
    base = total * options.alpha + options.bias
    made = x * constant_power(base, -float(options.beta))
    return made.cast(match["input"].dtype)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.l2_normalization", FLOATS, l2_normalization, (no_narrow_integers,)),
    Rewrite("tfl.local_response_normalization", FLOATS, local_response_normalization, (no_narrow_integers,)),
)
