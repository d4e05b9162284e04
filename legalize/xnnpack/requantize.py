"""Requantization as XNNPACK's fp32 kernels do it: the sum as a float, times a float, to the nearest integer.

In compact numerics it is a RESCALE, whose one rounding is that of the exact product.
"""

import math

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Value
from tosa_converter.legalize.tflite.quantized.arithmetic import quantize_multiplier
from tosa_converter.legalize.tflite.quantized.common import (
    TIMES_ONE,
    Target8,
    bounded,
    clamped,
    target8,
    to_result_type,
)
from tosa_converter.legalize.xnnpack.bounds import bounds
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import Decline, Match

F32 = np.float32
WIDE = 1 << 29  # magnitudes below it are what RESCALE by TIMES_ONE takes
FAR = 1024.0  # more than any element less any zero point
COMPACT = "rounded once, where XNNPACK rounds the product to a float first: results may differ by 1 step at ties"


def level(value: float, scale: np.float32, zero_point: int) -> int:
    """A number as a quantized element (xnn_qs8_quantize): what is beyond saturates."""
    low, high = DType.I8.limits
    real = F32(value) / scale + F32(zero_point)
    return int(np.rint(np.clip(np.nan_to_num(real, nan=low), low, high)))


def levels(match: Match, to: Target8) -> tuple[int, int]:
    """The node's bounds as elements."""
    low, high = bounds(match)
    return level(low, to.scale, to.zero_point), level(high, to.scale, to.zero_point)


def requantized(match: Match, acc: Value, scale: Array, peak: int = 1 << 31) -> Value:
    """Sums in i32 as elements of the result, kept to the node's bounds.

    Args:
        match: the node.
        acc: the sums.
        scale: of rank 1 in float32, one or one for each channel of the last dimension.
        peak: the largest magnitude of a sum.

    Raises:
        Decline: a scale that XNNPACK refuses.
    """
    build, to = match.builder, target8(match)
    if not (scale < 256).all():
        raise Decline(f"a scale of {scale.max()} for sums, which XNNPACK wants below 256")
    if match.options.numerics == "compact":
        match.note(COMPACT)
        m, shift = quantize_multiplier(scale.astype(np.float64))[0], quantize_multiplier(scale).tosa_shift
        acc = bounded(build, acc, shift, peak)
        y = build.rescale(acc, DType.I8, m, shift, output_zp=to.zero_point)
    else:
        factor = build.const(scale.reshape((1,) * (acc.type.rank - 1) + (-1,)), DType.FP32)
        real = build.mul(build.cast(acc, DType.FP32), factor)
        if peak * float(scale.max()) >= WIDE:
            real = build.clamp(real, -FAR, FAR)
        y = _moved(build, real, to.zero_point)
    return to_result_type(match, clamped(build, y, *levels(match, to)))


def _moved(build: Builder, real: Value, zero_point: int) -> Value:
    """Floats to the nearest integers, and to int8 with a zero point: beyond its range they saturate."""
    return build.rescale(build.cast(real, DType.I32), DType.I8, *TIMES_ONE, output_zp=zero_point)


def scaled(build: Builder, sums: Value, scale: np.float32) -> Value:
    """Integers as floats times a scale."""
    real = build.cast(sums, DType.FP32)
    return build.mul(real, build.scalar(float(scale), real))


def rounded(match: Match, real: Value) -> Value:
    """Elements of the result that floats are in its steps from its zero point."""
    build, to = match.builder, target8(match)
    low, high = (float(limit - to.zero_point) for limit in DType.I8.limits)
    return to_result_type(match, _moved(build, build.clamp(real, low, high, nan_mode="IGNORE"), to.zero_point))


def quantized(match: Match, real: Value) -> Value:
    """Floats as elements of the result: times the reciprocal of the scale, to the nearest integer (xnn_f32_qs8_vcvt).

    The reciprocal is of the floats' type. NaN becomes the largest element, which the minimum of the kernels for x86 is.
    """
    build, to = match.builder, target8(match)
    inverse = float((F32(1) / to.scale).astype(real.type.dtype.numpy))
    real = build.cast(real, DType.FP32)
    steps = build.mul(real, build.scalar(inverse, real))
    return rounded(match, build.minimum(steps, build.scalar(DType.I8.limits[1] - to.zero_point, steps), "IGNORE"))


def as_result(match: Match, real: Value) -> Value:
    """The same where XNNPACK has no kernel: the zero point, that of the stored type, is added before rounding."""
    build, to = match.builder, target8(match)
    real = build.cast(real, DType.FP32)
    real = build.mul(real, build.scalar(float(F32(1) / to.scale), real))
    return placed(match, real, to.zero_point + 128 * to.unsigned)


def placed(match: Match, real: Value, zero_point: float, limits: tuple[int, int] = DType.I8.limits) -> Value:
    """Floats in the result's steps as elements: to the nearest integer behind the stored type's zero point.

    `limits` are the least and the largest element, in int8.
    """
    build, to = match.builder, target8(match)
    if zero_point:
        real = build.add(real, build.scalar(zero_point, real))
    if not to.unsigned:
        return clamped(build, build.cast(real, DType.I8), *limits)
    y = _moved(build, build.clamp(real, 0.0, 255.0, nan_mode="IGNORE"), -128)
    return to_result_type(match, clamped(build, y, *limits))


def product_scale(*scales: np.float32, over: np.float32) -> Array:
    """The product of scales over another, in float32 in this order, of rank 1."""
    return np.atleast_1d(np.asarray(math.prod(scales[1:], start=scales[0]) / over, F32))
