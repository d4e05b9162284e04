"""Type conversion (2.13)."""

from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.execute.definition.base import Call, wide
from tosa_converter.execute.definition.scaling import apply_scale_16, apply_scale_32
from tosa_converter.ir import Array


def cast(call: Call, x: Array) -> Array:
    """Computes CAST (2.13.1): a float is rounded to its type, and an integer's low bits are taken."""
    if call.target is DType.BOOL:
        return np.asarray(x != 0)
    if call.target.is_float:
        return x if call.source.is_float else wide(x).astype(np.float64)
    if not call.source.is_float:
        return x
    call.require("!isNaN(in)", not np.isnan(wide(x)).any())
    return np.clip(np.rint(wide(x)), *call.target.limits)


def rescale(call: Call, x: Array, multiplier: Array, shift: Array, input_zp: Array, output_zp: Array) -> Array:
    """Computes RESCALE (2.13.2); INEXACT_ROUND rounds like SINGLE_ROUND."""
    value = extended(x, call["input_unsigned"]) - extended(input_zp, call["input_unsigned"])[0]
    channels = slice(None) if call["per_channel"] else 0
    by, shifts = wide(multiplier)[channels], wide(shift)[channels]
    if call["scale32"]:
        result = apply_scale_32(call, value, by, shifts, call["rounding_mode"] == "DOUBLE_ROUND")
    else:
        result = apply_scale_16(call, value, by, shifts)
    result = call.added(result + extended(output_zp, call["output_unsigned"])[0], DType.I32)
    stored = unsigned(call.target) if call["output_unsigned"] else call.target.numpy
    return np.clip(result, np.iinfo(stored).min, np.iinfo(stored).max)


def unsigned(dtype: DType) -> "np.dtype[Any]":
    """Returns the numpy type of the same bits without a sign."""
    return np.dtype(f"u{dtype.numpy.itemsize}")


def extended(x: Array, zero: bool) -> Array:
    """Returns integers as int64: zero_extend of their bits, or sign_extend."""
    return wide(x.view(f"u{x.itemsize}") if zero else x)
