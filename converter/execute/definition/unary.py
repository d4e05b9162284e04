"""Elementwise unary operators (2.6)."""

import numpy as np

from tosa_converter.execute.definition.base import ABS_FITS, Call, widen
from tosa_converter.ir import Array


def abs(call: Call, x: Array) -> Array:
    """Computes ABS (2.6.1)."""
    result = np.abs(widen(x))
    if call.target.is_integer:
        call.require(ABS_FITS, (result <= call.target.limits[1]).all())
    return result


def clz(_call: Call, x: Array) -> Array:
    """Computes CLZ (2.6.5): the exponent of an exact fp64 is the number of significant bits."""
    return np.asarray(32 - np.frexp((widen(x) & 0xFFFFFFFF).astype(np.float64))[1])


def negate(call: Call, x: Array, input_zp: Array, output_zp: Array) -> Array:
    """Computes NEGATE (2.6.10): clips to the output's range; only i32 can overflow on the way."""
    value = -widen(x)
    if call.target.is_float:
        return value
    if call.target.bits == 32:
        call.require(ABS_FITS, (value <= call.target.limits[1]).all())
    return np.asarray(np.clip(value + widen(input_zp)[0] + widen(output_zp)[0], *call.target.limits))


def rsqrt(_call: Call, x: Array) -> Array:
    """Computes RSQRT (2.6.12)."""
    return np.asarray(1 / np.sqrt(widen(x)))
