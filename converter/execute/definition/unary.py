"""Elementwise unary operators (2.6)."""

import numpy as np

from tosa_converter.execute.definition.base import ABS_FITS, Call, widen
from tosa_converter.ir import Array


def abs(call: Call, x: Array) -> Array:
    """Computes ABS (2.6.1): |x|; for integers it must fit the type."""
    result = np.abs(widen(x))
    if call.target.is_integer:
        call.require(ABS_FITS, (result <= call.target.limits[1]).all())
    return result


def clz(_call: Call, x: Array) -> Array:
    """Computes CLZ (2.6.5), leading zeros of 32 bits; the exponent of the exact fp64 counts the other bits."""
    return np.asarray(32 - np.frexp((widen(x) & 0xFFFFFFFF).astype(np.float64))[1])


def negate(call: Call, x: Array, input_zp: Array, output_zp: Array) -> Array:
    """Computes NEGATE (2.6.10): -(x - input_zp) + output_zp, clipped to the type; only i32 can overflow before."""
    value = -widen(x)
    if call.target.is_float:
        return value
    if call.target.bits == 32:
        call.require(ABS_FITS, (value <= call.target.limits[1]).all())
    return np.asarray(np.clip(value + widen(input_zp)[0] + widen(output_zp)[0], *call.target.limits))


def rsqrt(_call: Call, x: Array) -> Array:
    """Computes RSQRT (2.6.12): 1 / sqrt(x)."""
    return np.asarray(1 / np.sqrt(widen(x)))
