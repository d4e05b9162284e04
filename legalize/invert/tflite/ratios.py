"""The search for scales that give multipliers: floats that QuantizeMultiplier takes to these 31 bits.

A channel's multiplier is m = round(rho * n) for the 24-bit mantissa n of its weights' scale and a factor rho that all
channels of a layer share: the input's scale by the output's. So m / rho is within 0.5 / rho of an integer for all of
them, which few rho fulfil when there are many channels; among these is the one that the model was made with.

Bound: n < 2**24 and m < 2**31, so rho is between 64 and 128 up to a power of two, and m / rho is within 1 / 128 of an
integer. An arbitrary rho passes that test with a probability of about 1 / 64 for each channel: of 2**23 ratios, 3
channels leave about 2**23 / 64**3 = 32, and 4 leave the right one and its neighbours.
Example: rho = 100.25 and n = 12345678 give m = round(1237654219.5) = 1237654220. m / 100.25 = 12345678.005 is 0.005
from an integer, so 100.25 passes; m / 100.26 = 12344446.64 is 0.36 from one, so 100.26 doesn't.
"""

from collections.abc import Iterator

import numpy as np

from tosa_converter.ir import Array
from tosa_converter.legalize.quant.multipliers import quantize_multiplier

MOST = 1 << 22  # intervals that are looked at
LEAST = 3  # multipliers that say anything about rho
LAST = 64  # multipliers are asked at most, the others by the test
MANTISSAS = 1 << 23
PART = 1 << 18  # mantissas that are looked at together
TRIES = 1 << 14  # output scales that are tried with one input scale
RANGES = 1 << 8  # ranges that are looked at
USUAL = -5  # exponent of a scale that nothing restricts
MOST_ROWS = 1 << 16  # candidates that a layer restricts


def ratio_intervals(m: Array) -> Array | None:
    """Returns the ranges [n, 2] of 1 / rho from which a layer's multipliers may come; None for any.

    rho is input scale / output scale, which all channels of a layer share: a multiplier is round(rho * n) for the
    24-bit mantissa n of the channel's weight scale. None stands for too few multipliers to restrict it, or for no range
    or too many.

    Args:
        m: multipliers in [2**30, 2**31).
    """
    m = np.unique(m[m != 0])
    if m.size < LEAST:
        return None
    ranges = np.array([[1 / 128, 1 / 64]])  # rho is between 64 and 128 up to a power of two (see the module)
    differences = np.unique(np.diff(m))
    # Multipliers are off by 0.5 at most, so their differences are off by 1. Differences come first: they are smaller,
    # so fewer integers k are near them and fewer parts arise. Those up to 128 leave wide parts and are skipped.
    for difference in differences[differences > 128][:LAST]:
        ranges = _narrow(ranges, float(difference), 1.0)
        if not 0 < len(ranges) <= MOST:
            return None
    for value in m[:LAST]:
        ranges = _narrow(ranges, float(value), 0.5)
        if not 0 < len(ranges) <= MOST:
            return None
    return ranges


def _narrow(ranges: Array, value: float, error: float) -> Array:
    """Returns the parts of the ranges of t = 1 / rho in which an integer k has |value * t - k| <= error * t.

    More than MOST parts are cut to MOST + 1 rows, which tells the caller to give up.
    """
    low, high = ranges[:, 0], ranges[:, 1]
    first = np.ceil(low * (value - error)).astype(np.int64)
    last = np.floor(high * (value + error)).astype(np.int64)
    count = np.maximum(last - first + 1, 0)
    if count.sum() > MOST:
        return np.zeros((MOST + 1, 2))
    # Each range has a part for each integer k that value * t may be near; `row` is the index of that range.
    row = np.repeat(np.arange(len(ranges)), count)
    k = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count) + first[row]
    low = np.maximum(low[row], k / (value + error))
    high = np.minimum(high[row], k / (value - error))
    return np.asarray(np.stack([low, high], 1)[low <= high])


def weight_scales(m: Array, shift: Array, input_scales: Array, output_scales: Array) -> tuple[Array, Array]:
    """Returns weight scales [rows, channels] that give a layer's multipliers, and the rows that have all of them.

    A row is one pair of an operand's and a result's scale; a row that a channel fails is searched no further.

    Args:
        m: the RESCALE's multipliers, one for each channel.
        shift: its shifts.
        input_scales: the operand's scale in each row.
        output_scales: the result's scale in each row.
    """
    rows = np.arange(len(input_scales))
    scales = np.zeros((len(input_scales), len(m)), np.float32)
    for channel, (factor, by) in enumerate(zip(m.tolist(), shift.tolist(), strict=True)):
        if not len(rows):
            break
        real = factor * 2.0**-by if factor else 2.0**-40  # LiteRT turns numbers below 2**-32 to 0
        # The kernel's product is rounded, so the float next below and next above the quotient are tried too.
        near = (real * output_scales[rows] / input_scales[rows]).astype(np.float32)
        done = np.zeros(len(rows), bool)
        for candidate in neighbours(near):
            fits = ~done & quantizes_to(
                input_scales[rows] * candidate.astype(np.float64) / output_scales[rows], factor, by
            )
            scales[rows[fits], channel] = candidate[fits]
            done |= fits
        rows = rows[done]
    return scales, rows


def quantizes_to(real: Array, multiplier: int, shift: int) -> Array:
    """Returns for which reals LiteRT's QuantizeMultiplier gives this multiplier, and this shift as TOSA counts it.

    A multiplier of 0 may have any shift.
    """
    fixed_point = quantize_multiplier(real.astype(np.float64))
    return np.asarray((fixed_point.m == multiplier) & ((fixed_point.tosa_shift == shift) | (multiplier == 0)))


def neighbours(base: Array) -> tuple[Array, Array, Array]:
    """Returns three arrays: fp32 numbers, the floats next below them, and the floats next above them."""
    return base, np.nextafter(base, np.float32(0)), np.nextafter(base, np.float32(np.inf))


def nearest_floats(x: float, count: int) -> Iterator[np.float32]:
    """Yields the float32 nearest to x, then alternately `count` next smaller and `count` next larger ones."""
    low = high = np.float32(x)
    yield low
    for _ in range(count):
        low, high = np.nextafter(low, np.float32(0)), np.nextafter(high, np.float32(np.inf))
        yield low
        yield high


# ** candidates **


def arbitrary_scales(count: int = 64) -> Array:
    """Returns `count` scales with random 24-bit mantissas, the same in each call, to try where any scale may do."""
    return np.random.default_rng(0).integers(MANTISSAS, 2 * MANTISSAS, count) * 2.0**-28


def fresh_scales(ranges: Array | None) -> tuple[Array, Array]:
    """Returns arrays of input and output scales, the pairs to try for a layer in which no tensor has a scale yet.

    With `ranges` of output / input from `ratio_intervals`, input scales are consecutive floats: the fewer ranges, the
    more of them. Without (None), 16 input scales are paired with arbitrary output scales.
    """
    if ranges is None:
        input_scales = np.ldexp(np.arange(MANTISSAS, 2 * MANTISSAS, MANTISSAS // 16, dtype=np.float64), -30)
        picked, output_scales = arbitrary_pairs(input_scales)
        return input_scales[picked], output_scales
    parts, end = [], MANTISSAS + MANTISSAS // min(len(ranges), RANGES)
    for begin in range(MANTISSAS, end, PART):
        input_scales = np.ldexp(np.arange(begin, min(begin + PART, end), dtype=np.float64), -30)
        picked, output_scales = scales_within(input_scales, ranges)
        parts.append((input_scales[picked], output_scales))
        if sum(len(output_scales) for _, output_scales in parts) >= MOST_ROWS:
            break
    inputs, outputs = zip(*parts, strict=True)
    return np.concatenate(inputs), np.concatenate(outputs)


def arbitrary_pairs(input_scales: Array) -> tuple[Array, Array]:
    """Returns pairs of scales to try if the layer's multipliers don't restrict output scale / input scale.

    Each of the first 16 input scales is paired with TRIES arbitrary fp32 output scales.

    Returns:
        Indices into `input_scales`, and as many output scales.
    """
    count = max(1, min(len(input_scales), 16))
    picked = np.repeat(np.arange(count), TRIES)
    output_scales = np.tile(arbitrary_scales(TRIES), count)
    return picked, output_scales.astype(np.float32).astype(np.float64)


def scales_within(input_scales: Array, ranges: Array) -> tuple[Array, Array]:
    """Returns pairs of scales to try whose quotient, output / input, is in one of the ranges.

    An output scale is the input scale times the middle of a range, rounded to fp32; pairs that the rounding moves out
    of the range are left out.

    Returns:
        Indices into `input_scales`, and as many output scales, times a power of two that brings them to a usual size.
        There are at most MOST_ROWS.
    """
    input_scales = input_scales[: max(1, MANTISSAS // min(len(ranges), RANGES))]
    parts = []
    for low, high in ranges[:RANGES]:
        output_scales = (input_scales * (0.5 * (low + high))).astype(np.float32).astype(np.float64)
        share = output_scales / input_scales
        parts.append((np.flatnonzero((share >= low) & (share <= high)), output_scales))
    picked = np.concatenate([rows for rows, _ in parts])[:MOST_ROWS]
    output_scales = np.concatenate([output_scales[rows] for rows, output_scales in parts])[:MOST_ROWS]
    return picked, np.ldexp(np.frexp(output_scales)[0], USUAL)  # weights take any power of two
