"""Which scales give multipliers: a search among floats for what QuantizeMultiplier takes to known 31 bits.

A channel's multiplier is m = round(rho * n) for the 24-bit mantissa n of its weights' scale and a factor rho that all
channels of a layer share: the input's scale by the output's. So m / rho is within half a step of an integer for all of
them, which few rho fulfil when there are many channels; among these is the one that the model was made with.
"""

import numpy as np

from tosa_converter.ir import Array
from tosa_converter.legalize.quant.multipliers import quantize_multiplier

MOST = 1 << 22  # intervals that are looked at
LEAST = 3  # multipliers that say anything about rho
LAST = 64  # multipliers are asked at most, the others by the test


def intervals(m: Array) -> Array | None:
    """Ranges [n,2] of 1 / rho, within a factor of two, in which every multiplier is an integer times rho.

    Args:
        m: multipliers in [2**30, 2**31).

    Returns:
        None where they are too few to say anything.
    """
    m = np.unique(m[m != 0])
    if m.size < LEAST:
        return None
    ranges = np.array([[1 / 128, 1 / 64]])
    differences = np.unique(np.diff(m))
    for step in differences[differences > 128][:LAST]:
        ranges = _narrowed(ranges, float(step), 1.0)
        if not 0 < len(ranges) <= MOST:
            return None
    for value in m[:LAST]:
        ranges = _narrowed(ranges, float(value), 0.5)
        if not 0 < len(ranges) <= MOST:
            return None
    return ranges


def _narrowed(ranges: Array, value: float, off: float) -> Array:
    """The parts of the ranges in which `value` / rho is within `off` / rho of an integer."""
    low, high = ranges[:, 0], ranges[:, 1]
    first = np.ceil(low * (value - off)).astype(np.int64)
    last = np.floor(high * (value + off)).astype(np.int64)
    count = np.maximum(last - first + 1, 0)
    if count.sum() > MOST:
        return np.zeros((MOST + 1, 2))
    row = np.repeat(np.arange(len(ranges)), count)
    k = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count) + first[row]
    low = np.maximum(low[row], k / (value + off))
    high = np.minimum(high[row], k / (value - off))
    return np.asarray(np.stack([low, high], 1)[low <= high])


def weight_scales(m: Array, shift: Array, input_scales: Array, output_scales: Array) -> tuple[Array, Array]:
    """Scales of weights [rows,channels] that give the multipliers, and the rows in which all channels have one.

    Args:
        m: multipliers of RESCALE, one per channel.
        shift: its shifts.
        input_scales: the operand's scale, one per row.
        output_scales: the result's scale, likewise.
    """
    rows = np.arange(len(input_scales))
    scales = np.zeros((len(input_scales), len(m)), np.float32)
    for channel, (factor, by) in enumerate(zip(m.tolist(), shift.tolist(), strict=True)):
        if not len(rows):
            break
        real = factor * 2.0**-by if factor else 2.0**-40
        near = (real * output_scales[rows] / input_scales[rows]).astype(np.float32)
        done = np.zeros(len(rows), bool)
        for candidate in (near, np.nextafter(near, np.float32(0)), np.nextafter(near, np.float32(np.inf))):
            fits = ~done & _gives(input_scales[rows] * candidate.astype(np.float64) / output_scales[rows], factor, by)
            scales[rows[fits], channel] = candidate[fits]
            done |= fits
        rows = rows[done]
    return scales, rows


def _gives(real: Array, factor: int, by: int) -> Array:
    """Where QuantizeMultiplier gives this multiplier; for 0 the shift says nothing."""
    fixed_point = quantize_multiplier(real)
    return np.asarray((fixed_point.m == factor) & ((fixed_point.tosa_shift == by) | (factor == 0)))
