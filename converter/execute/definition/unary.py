"""Elementwise unary operators (2.6)."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.execute.definition.base import ABS_FITS, Call, widen
from tosa_converter.ir import Array


def abs(call: Call, x: Array) -> Array:
    """Computes ABS (2.6.1): |x|; for integers it must fit the type."""
    result = np.abs(widen(x))
    if call.target.is_integer:
        # |-2**63| wraps around to -2**63.
        call.require(ABS_FITS, ((result <= call.target.limits[1]) & (result >= 0)).all())
    return result


def clz(call: Call, x: Array) -> Array:
    """Computes CLZ (2.6.5), leading zeros of 32 or 64 bits; the exponent of the exact fp64 counts the other bits."""
    low = 32 - np.frexp((widen(x) & 0xFFFFFFFF).astype(np.float64))[1]
    if call.source is not DType.I64:
        return np.asarray(low)
    # The upper half decides unless it is 0, which has 32 leading zeros itself.
    high = 32 - np.frexp((widen(x) >> 32 & 0xFFFFFFFF).astype(np.float64))[1]
    return np.asarray(np.where(high < 32, high, 32 + low))


def negate(call: Call, x: Array, input_zp: Array, output_zp: Array) -> Array:
    """Computes NEGATE (2.6.10): -(x - input_zp) + output_zp, clipped to the type; i32 and i64 can overflow before."""
    value = -widen(x)
    if call.target.is_float:
        return value
    if call.target.bits >= 32:
        # -(-2**31) is 2**31 in int64, and -(-2**63) wraps around to itself.
        call.require(ABS_FITS, (widen(x) > call.target.limits[0]).all())
    return np.asarray(np.clip(value + widen(input_zp)[0] + widen(output_zp)[0], *call.target.limits))


def rsqrt(_call: Call, x: Array) -> Array:
    """Computes RSQRT (2.6.12): 1 / sqrt(x)."""
    return np.asarray(1 / np.sqrt(widen(x)))
