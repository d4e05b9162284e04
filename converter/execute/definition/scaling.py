"""The scaling helpers of chapter 4.5.5."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.execute.definition.base import Call, all_fit
from tosa_converter.ir import Array


def scale_and_round(value: Array, multiplier: Array, shift: Array, double_round: bool) -> Array:
    """Computes (value * multiplier + round) >> shift of apply_scale_32 and apply_scale_16, in int64."""
    # For shifts above 31, DOUBLE_ROUND adds 2**30 more, with the sign of the value: ties, and values up to
    # 2**(30 - shift) below a tie, round away from zero. -100 times 2**30 >> 33 is -12.5: SINGLE_ROUND gives
    # floor(-12.5 + 0.5) = -12, DOUBLE_ROUND floor(-12.5 + 0.5 - 0.125) = -13.
    # int64 holds all of it: |value| is at most 2**31 with a multiplier below 2**31, or 2**47 with one below 2**15, so
    # the product is at most 2**62; round adds at most 2**61 + 2**30.
    away = np.where((shift > 31) & double_round, 1 << 30, 0)
    round = np.left_shift(np.int64(1), shift - 1) + np.where(value >= 0, away, -away)
    return np.asarray((value * multiplier + round) >> shift)


def apply_scale_32(call: Call, value: Array, multiplier: Array, shift: Array, double_round: bool = False) -> Array:
    """Computes apply_scale_32 of 4.5.5, (value * multiplier + round) >> shift; all operands are int64."""
    _require_scale(call, multiplier, shift)
    half = np.left_shift(np.int64(1), shift - 1)
    fits = (value >= -half) & (value < half)
    call.require("value >= (-1 << (shift - 1)) && value < (1 << (shift - 1))", fits.all())
    return scale_and_round(value, multiplier, shift, double_round=double_round)


def apply_scale_16(call: Call, value: Array, multiplier: Array, shift: Array) -> Array:
    """Computes apply_scale_16 of 4.5.5: as apply_scale_32 for 16-bit multipliers, but the result must fit int32."""
    _require_scale(call, multiplier, shift)
    result = scale_and_round(value, multiplier, shift, double_round=False)
    call.require("result >= minimum<int32_t> && result <= maximum<int32_t>", all_fit(result, DType.I32))
    return result


def _require_scale(call: Call, multiplier: Array, shift: Array) -> None:
    """Checks the REQUIREs of apply_scale_32 and apply_scale_16: multiplier >= 0 and 2 <= shift <= 62."""
    call.require("multiplier >= 0", (multiplier >= 0).all())
    call.require("2 <= shift && shift <= 62", ((shift >= 2) & (shift <= 62)).all())


def reciprocal_scale(value: Array) -> tuple[Array, Array]:
    """Returns the (multiplier, shift) by which a scaling divides by `value` >= 1: reciprocal_scale of 4.5.5."""
    # For 9: k = 4, as 8 has 4 bits; the multiplier is ((2**30 + 1) << 4) // 9 = 1908874355 and the shift 34.
    # A sum of 44 gives (44 * 1908874355 + 2**33) >> 34 = 5, for 44 / 9 = 4.89.
    k = np.frexp((value - 1).astype(np.float64))[1].astype(np.int64)  # 32 - count_leading_zeros(value - 1)
    return (((1 << 30) + 1) << k) // value, 30 + k
