"""RESCALE to 8 bits as one multiplication and one addition in fp64, proven where the result steps up.

Neither scaling nor the float arithmetic ever decreases as the value grows, so the two agree everywhere if they agree on
both sides of each of the (at most 255) places where the result steps up. Nearly all of these lie farther from any
integer than fp64 can be wrong; at the few others both are tried.
"""

from typing import NamedTuple

import numpy as np

from tosa_converter.execute.definition.scaling import scale_and_round
from tosa_converter.execute.fast.base import clip
from tosa_converter.ir import Array

# No fp64 rounding is off by more than 2**-53 of a magnitude, and at most eight stand between a value and its result:
# of bias * factor, the three additions in `addend`, value * factor, and the additions of addend, `away` and `late`.
# Near a step all these numbers are below |addend| + 3 * _RAISED. Eight such errors are 2**-50 of it; four times as much
# also covers the roundings in `_find_doubtful_values`. With an addend of 256.5 that is 2**-48 * 1024.5 = 3.6e-12 of a
# step.
_UNIT = 2.0**-48
_MOST_TRIED = 1 << 16
_RAISED = 256.0  # added to every result: its 8 bits stay the same, and truncation rounds down
_LARGEST = 2.0**15 - 1  # of int16
_ROW = 1 << 11  # elements over which vectors are repeated: a short row costs a loop
_CHANNELS = 32  # to look for doubtful values in at a time
_SIGN = np.uint64(1 << 63)


class Scaling(NamedTuple):
    """The parameters of a RESCALE: apply_scale_32 of clause 4.5.5, plus an offset, clipped to [low, high]."""

    multiplier: Array
    shift: Array
    offset: int
    low: int
    high: int
    double_round: bool

    @property
    def factor(self) -> Array:
        """The number that values are multiplied by: multiplier / 2**shift."""
        return np.ldexp(self.multiplier.astype(np.float64), -self.shift)

    @property
    def away(self) -> Array:
        """The amount that DOUBLE_ROUND adds to the magnitude of a result, in units of the result; 0 without it."""
        # The specification adds 2**30 with the value's sign, for shifts above 31 only, before it divides by 2**shift.
        return np.where(self.shift > 31, np.exp2(30.0 - self.shift), 0.0) * self.double_round

    def compute_exactly(self, values: Array, channels: Array) -> Array:
        """Returns the specification's results, in int64, of values; `channels` has the channel of each."""
        scaled = scale_and_round(
            values.astype(np.int64), self.multiplier[channels], self.shift[channels], self.double_round
        )
        return np.clip(scaled + self.offset, self.low, self.high)


class MultiplyAddRescaler:
    """Adds a bias to integers, [..., C], and scales them to int8, or to the bits of uint8, by an fp64 multiply-add."""

    __slots__ = ("addend", "away", "factor", "fits_int16", "high", "late_addend", "low", "repeated")

    def __init__(self, scaling: Scaling, bias: Array, peak: Array) -> None:
        """Prepares factor and addend by channel: a result is trunc(value * factor + addend), clipped, less 256.

        `scaling` has multiplier and shift by channel, [C], `bias` is added to the values first, and `peak` bounds them
        before.
        """
        self.factor, away = scaling.factor, scaling.away
        # Truncation is floor only for positive numbers. Results in [-128, 255] are in [128, 511] when raised by 256.
        # What stays negative is truncated up, -44.7 to -44, but the limits clip it anyway.
        raised = scaling.offset + 0.5 + _RAISED
        # Where the limits clip all results of negative products, DOUBLE_ROUND only ever adds, so `away` joins the
        # addend.
        needs_sign = bool(away.any()) and scaling.low < scaling.offset
        self.addend = bias * self.factor + (0.0 if needs_sign else away + raised)
        self.away = away.view(np.uint64) if needs_sign else None
        self.late_addend = np.float64(raised)  # with `needs_sign`: added after `away`, as it would hide the sign
        # int16 is clipped faster than fp64, if it holds all results before clipping.
        self.fits_int16 = bool(np.all(peak * self.factor + np.abs(self.addend) + 2 * _RAISED < _LARGEST))
        limits = np.int16 if self.fits_int16 else np.float64
        self.low, self.high = limits(scaling.low + _RAISED), limits(scaling.high + _RAISED)
        self.repeated: dict[int, tuple[Array, Array, Array | None]] = {}  # vectors by number of elements

    def __call__(self, values: Array) -> Array:
        """Returns the values [..., C] with bias, scaled and clipped to 8 bits, in a new array of the same shape.

        Vectors over C are repeated over several positions, because numpy is slow on short rows.
        """
        factor, addend, away = self.repeated.get(values.size) or self._repeat_vectors(values.size)
        scaled = np.asarray(values.astype(np.float64, "C"))
        if factor.ndim == 0 or factor.size == scaled.shape[-1]:
            return self._scale_and_round(scaled, factor, addend, away)
        return self._scale_and_round(scaled.reshape(-1, factor.size), factor, addend, away).reshape(values.shape)

    def _scale_and_round(self, scaled: Array, factor: Array, addend: Array, away: Array | None) -> Array:
        """Returns trunc(scaled * factor + addend + away * sign) in fp64, clipped to the limits, as int8.

        `scaled` is overwritten. `addend` raises results by 256, which makes them positive, so that truncation rounds
        down; int8 drops the 256.
        """
        np.multiply(scaled, factor, scaled)
        np.add(scaled, addend, scaled)
        if away is not None:
            # The sign bit of x | the bits of `away` is copysign(away, x), which DOUBLE_ROUND adds. It needs the sign
            # before the raise by 256, so that is added after it.
            signs = np.asarray(scaled.view(np.uint64) & _SIGN)
            np.bitwise_or(signs, away, signs)
            np.add(scaled, signs.view(np.float64), scaled)
            np.add(scaled, self.late_addend, scaled)
        if self.fits_int16:
            # int8 keeps the low 8 bits: -3 + 256 = 253 becomes -3, and 200 + 256 = 456 the bits of the uint8 200.
            short = scaled.astype(np.int16)
            return clip(short, self.low, self.high, short).astype(np.int8)  # type: ignore[no-any-return]
        return clip(scaled, self.low, self.high, scaled).astype(np.int16).astype(np.int8)  # type: ignore[no-any-return]

    def _repeat_vectors(self, size: int) -> tuple[Array, Array, Array | None]:
        """Returns and keeps (factor, addend, away) for arrays of `size` elements; scalars for one channel.

        The vectors over C are repeated to a length of up to _ROW that divides `size`.
        """
        channels = self.factor.size
        if channels == 1:
            away = None if self.away is None else self.away[0]
            vectors = self.repeated[size] = self.factor[0], self.addend[0], away
            return vectors
        count = size // channels
        # 49 positions of 64 channels: at most 2048 // 64 = 32 repeats, of which 7 is the largest divisor of 49. 1
        # divides every count, so `next` always finds one.
        repeats = next(n for n in range(max(1, min(count, _ROW // channels)), 0, -1) if count % n == 0)
        away = None if self.away is None else np.tile(self.away, repeats)
        vectors = self.repeated[size] = np.tile(self.factor, repeats), np.tile(self.addend, repeats), away
        return vectors

    def scale_values(self, values: Array, channels: Array) -> Array:
        """Returns the int8 results of single values, [n], to compare them with exact ones.

        `channels` has the channel of each.
        """
        away = None if self.away is None else self.away[channels]
        scaled = values.astype(np.float64)
        return self._scale_and_round(scaled, self.factor[channels], self.addend[channels], away)


def prove_multiply_add_rescaler(scaling: Scaling, bias: Array, peak: Array) -> MultiplyAddRescaler | None:
    """Returns a fast rescaler if it provably equals `scaling` for all integers up to `peak`; otherwise None.

    Args:
        scaling: multiplier and shift, [C], offset and limits.
        bias: [C], integers in fp64, added to the values first.
        peak: [C], a bound of the values without the bias.
    """
    if np.any(scaling.multiplier < 0) or np.any((scaling.shift < 2) | (scaling.shift > 62)):
        return None
    rescaler = MultiplyAddRescaler(scaling, bias, peak)
    unsure = _UNIT * (np.abs(rescaler.addend) + 3 * _RAISED)
    nearest, channels = _find_doubtful_values(scaling, bias, peak, unsure)
    if not channels.size:
        return rescaler
    # With `unsure` 3.6e-12 and a factor of 1e-3, values within 3.6e-9 of a step are doubtful. That is rounded up to 1,
    # and 1 is added because `nearest` is rounded: 2 values on each side are tried, 5 * 10240 = 51200 in all for 256
    # channels with 40 such steps.
    reach = np.ceil((unsure[channels] / scaling.factor[channels]).max()) + 1
    if channels.size * (2 * reach + 1) > _MOST_TRIED:
        return None
    around = np.arange(-reach, reach + 1)
    values, channels = (nearest[:, None] + around).astype(np.int64).ravel(), np.repeat(channels, around.size)
    expected = scaling.compute_exactly(values + bias[channels].astype(np.int64), channels)
    return rescaler if np.array_equal(rescaler.scale_values(values, channels), expected.astype(np.int8)) else None


def _find_doubtful_values(scaling: Scaling, bias: Array, peak: Array, unsure: Array) -> tuple[Array, Array]:
    """Returns integers so near to a step of the result that fp64 may round to the wrong side, and their channels.

    Args:
        scaling: multiplier and shift, [C], offset and limits.
        bias: [C], added to the values first.
        peak: [C], a bound of the values.
        unsure: [C], how near to a step, in units of the result, fp64 may be wrong.
    """
    # A result steps up where value * factor crosses n + 0.5: with a factor of 1/3 at the values 1.5, 4.5, ..., half a
    # unit from the next integer, where fp64 is right. A factor of 1/2 has steps at 1, 3, ...: those are doubtful.
    # `edges` are the values at which results step up: ties by the factor, less the bias and what DOUBLE_ROUND adds.
    ties = np.arange(scaling.low + 1, scaling.high + 1) - scaling.offset - 0.5
    parts = []
    with np.errstate(all="ignore"):  # of a multiplier of 0 the inverse is infinite
        inverse = (1 / scaling.factor)[:, None]
        near, away = unsure[:, None] * inverse, scaling.away[:, None] * inverse
        # Ties below 0 are met by negative products, from which DOUBLE_ROUND subtracts `away`, ties above 0 by positive.
        for side, moved in ((ties[ties < 0], away - bias[:, None]), (ties[ties > 0], -away - bias[:, None])):
            for start in range(0, bias.size if side.size else 0, _CHANNELS):
                part = slice(start, start + _CHANNELS)
                edges = inverse[part] * side
                edges += moved[part]
                nearest = np.rint(edges)
                edges -= nearest
                indices = np.flatnonzero(np.abs(edges, out=edges) <= near[part])
                parts.append((nearest.ravel()[indices], start + indices // side.size))
    nearest, channels = (np.concatenate(x) for x in zip(*parts, strict=True))
    reached = np.abs(nearest) <= peak[channels] + 1
    return nearest[reached], channels[reached]
