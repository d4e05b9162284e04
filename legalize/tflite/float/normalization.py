"""L2_NORMALIZATION and LOCAL_RESPONSE_NORMALIZATION of floats, in fp32, as fp16 doesn't hold the squares."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.checks import FLOATS, no_narrow_integers
from tosa_converter.legalize.tflite.disagreements import note_disagreement
from tosa_converter.legalize.tflite.float.mathematics import constant_power
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tflite
from tosa_converter.schemas import tosa_ops as ops

SMALLEST_NORM = 1e-6  # l2norm.cc


def l2_normalization(match: Match) -> Value:
    """L2_NORMALIZATION over the last dimension: x / max(sqrt(sum(x * x)), 1e-6)."""
    builder, x = match.builder, match.builder.cast(match["input"], DType.FP32)
    total = builder.reduce(ops.REDUCE_SUM, builder.mul(x, x), x.type.rank - 1)
    inverse = builder.unary(ops.RSQRT, builder.maximum(total, builder.scalar(SMALLEST_NORM**2, x)))
    return builder.cast(builder.mul(x, inverse), match["input"].type.dtype)


def local_response_normalization(match: Match) -> Value:
    """LOCAL_RESPONSE_NORMALIZATION: x * (bias + alpha * sum(x * x)) ** -beta.

    The sum runs from `radius` channels before to `radius` behind; a convolution with ones adds it.
    """
    note_disagreement(match)
    builder, x = match.builder, match.builder.cast(match["input"], DType.FP32)
    options = match.attributes(tflite.LocalResponseNormalizationOptions)
    *images, channels = x.type.static
    radius = min(options.radius, channels)
    if radius < 0:
        raise Decline(f"a radius of {radius}")
    total = builder.mul(x, x)
    if radius:
        column = builder.reshape(total, (int(np.prod(images)), channels, 1, 1))
        ones = builder.const(np.ones((1, 2 * radius + 1, 1, 1)), x.type.dtype)
        total = builder.conv2d(column, ones, builder.const([0], x.type.dtype), pad=(radius, radius, 0, 0))
        total = builder.reshape(total, x.type.static)
    base = builder.add(builder.mul(total, builder.scalar(options.alpha, x)), builder.scalar(options.bias, x))
    made = builder.mul(x, constant_power(builder, base, -float(options.beta)))
    return builder.cast(made, match["input"].type.dtype)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.l2_normalization", FLOATS, l2_normalization, (no_narrow_integers,)),
    Rewrite("tfl.local_response_normalization", FLOATS, local_response_normalization, (no_narrow_integers,)),
)
