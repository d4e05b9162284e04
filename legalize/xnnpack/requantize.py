"""Requantization as XNNPACK's fp32 kernels do it: the sum as a float, times a float, to the nearest integer.

In compact numerics it is a RESCALE, whose one rounding is that of the exact product.
"""

import math

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.quant.elements import Target8, target8, to_result_type
from tosa_converter.legalize.quant.multipliers import quantize_multiplier
from tosa_converter.legalize.quant.requantize import TIMES_ONE, bounded, clamped
from tosa_converter.legalize.xnnpack.bounds import bounds
from tosa_converter.rewriting.expr import Expr, clamp, const, minimum
from tosa_converter.rewriting.operators import rescale
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


def requantized(match: Match, acc: Expr, scale: Array, peak: int = 1 << 31) -> Expr:
    """Sums in i32 as elements of the result, kept to the node's bounds.

    Args:
        match: the node.
        acc: the sums.
        scale: of rank 1 in float32, one or one for each channel of the last dimension.
        peak: the largest magnitude of a sum.

    Raises:
        Decline: a scale that XNNPACK refuses.
    """
    to = target8(match)
    if not (scale < 256).all():
        raise Decline(f"a scale of {scale.max()} for sums, which XNNPACK wants below 256")
    if match.options.numerics == "compact":
        match.note(COMPACT)
        m, shift = quantize_multiplier(scale.astype(np.float64))[0], quantize_multiplier(scale).tosa_shift
        acc = bounded(acc, shift, peak)
        y = rescale(acc, DType.I8, m, shift, output_zp=to.zero_point)
    else:
        factor = const(scale.reshape((1,) * (acc.rank - 1) + (-1,)), DType.FP32)
        real = acc.cast(DType.FP32) * factor
        if peak * float(scale.max()) >= WIDE:
            real = clamp(real, -FAR, FAR)
        y = _moved(real, to.zero_point)
    return to_result_type(match, clamped(y, *levels(match, to)))


def _moved(real: Expr, zero_point: int) -> Expr:
    """Floats to the nearest integers, and to int8 with a zero point: beyond its range they saturate."""
    return rescale(real.cast(DType.I32), DType.I8, *TIMES_ONE, output_zp=zero_point)


def scaled(sums: Expr, scale: np.float32) -> Expr:
    """Integers as floats times a scale."""
    real = sums.cast(DType.FP32)
    return real * float(scale)


def rounded(match: Match, real: Expr) -> Expr:
    """Elements of the result that floats are in its steps from its zero point."""
    to = target8(match)
    low, high = (float(limit - to.zero_point) for limit in DType.I8.limits)
    return to_result_type(match, _moved(clamp(real, low, high, nan_mode="IGNORE"), to.zero_point))


def quantized(match: Match, real: Expr) -> Expr:
    """Floats as elements of the result: times the reciprocal of the scale, to the nearest integer (xnn_f32_qs8_vcvt).

    The reciprocal is of the floats' type. NaN becomes the largest element, which the minimum of the kernels for x86 is.
    """
    to = target8(match)
    inverse = float((F32(1) / to.scale).astype(real.dtype.numpy))
    real = real.cast(DType.FP32)
    steps = real * inverse
    return rounded(match, minimum(steps, DType.I8.limits[1] - to.zero_point, "IGNORE"))


def as_result(match: Match, real: Expr) -> Expr:
    """The same where XNNPACK has no kernel: the zero point, that of the stored type, is added before rounding."""
    to = target8(match)
    real = real.cast(DType.FP32)
    real = real * float(F32(1) / to.scale)
    return placed(match, real, to.zero_point + 128 * to.unsigned)


def placed(match: Match, real: Expr, zero_point: float, limits: tuple[int, int] = DType.I8.limits) -> Expr:
    """Floats in the result's steps as elements: to the nearest integer behind the stored type's zero point.

    `limits` are the least and the largest element, in int8.
    """
    to = target8(match)
    if zero_point:
        real = real + zero_point
    if not to.unsigned:
        return clamped(real.cast(DType.I8), *limits)
    y = _moved(clamp(real, 0.0, 255.0, nan_mode="IGNORE"), -128)
    return to_result_type(match, clamped(y, *limits))


def product_scale(*scales: np.float32, over: np.float32) -> Array:
    """The product of scales over another, in float32 in this order, of rank 1."""
    return np.atleast_1d(np.asarray(math.prod(scales[1:], start=scales[0]) / over, F32))
