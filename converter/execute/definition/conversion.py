"""Type conversion (2.13)."""

from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.execute.definition.base import Call, widen
from tosa_converter.execute.definition.scaling import apply_scale_16, apply_scale_32
from tosa_converter.ir import Array


def cast(call: Call, x: Array) -> Array:
    """Computes CAST (2.13.1): floats round to nearest even and are clipped, integers keep their low bits."""
    if call.target is DType.BOOL:
        return np.asarray(x != 0)
    if call.target.is_float:
        return x if call.source.is_float else widen(x).astype(np.float64)
    if not call.source.is_float:
        return x
    call.require("!isNaN(in)", not np.isnan(widen(x)).any())
    return np.clip(np.rint(widen(x)), *call.target.limits)


def rescale(call: Call, x: Array, multiplier: Array, shift: Array, input_zp: Array, output_zp: Array) -> Array:
    """Computes RESCALE (2.13.2): ((x - input_zp) * multiplier) >> shift, rounded, plus output_zp, clipped.

    The rounding of INEXACT_ROUND is left open; here it is that of SINGLE_ROUND.
    """
    value = extend_to_int64(x, call["input_unsigned"]) - extend_to_int64(input_zp, call["input_unsigned"])[0]
    channels = slice(None) if call["per_channel"] else 0
    multipliers, shifts = widen(multiplier)[channels], widen(shift)[channels]
    if call["scale32"]:
        result = apply_scale_32(call, value, multipliers, shifts, call["rounding_mode"] == "DOUBLE_ROUND")
    else:
        result = apply_scale_16(call, value, multipliers, shifts)
    result = call.checked_sums(result + extend_to_int64(output_zp, call["output_unsigned"])[0], DType.I32)
    stored = unsigned_dtype(call.target) if call["output_unsigned"] else call.target.numpy
    return np.clip(result, np.iinfo(stored).min, np.iinfo(stored).max)


def unsigned_dtype(dtype: DType) -> "np.dtype[Any]":
    """Returns the unsigned numpy integer type as wide as `dtype`."""
    return np.dtype(f"u{dtype.numpy.itemsize}")


def extend_to_int64(x: Array, is_unsigned: bool) -> Array:
    """Converts integers to int64; their bits count as an unsigned number if `is_unsigned`."""
    return widen(x.view(f"u{x.itemsize}") if is_unsigned else x)
