"""RESCALE (2.13.2), TABLE (2.5.17) and the scaling helpers of chapter 4.5.5.

A scaled value that will be clipped is mostly exact in fp64: the product of value and multiplier needs no more bits than
the result and the shift together, and larger products are clipped whatever their low bits are. `Scale` proves that
for its multipliers and shifts and falls back to int64, which is what the specification computes in.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tosa_converter.ir import Array, DType, Op
from tosa_converter.kernels_base import Mode, Run, prepared, require

_EXACT = 2.0**53
_I32 = np.iinfo(np.int32)


@dataclass(frozen=True, slots=True)
class Scale:
    """(value * multiplier + round) >> shift, plus `offset`, clipped to low..high.

    Multiplier and shift broadcast against the values. `peak` bounds the magnitude of every value.
    """

    multiplier: Array
    shift: Array
    offset: int
    low: int
    high: int
    double_round: bool
    exact_in_fp64: bool
    factor: Array  # multiplier / 2**shift
    rows: dict[int, Array] = field(default_factory=dict)  # `factor` repeated over so many positions

    @classmethod
    def prepare(
        cls,
        multiplier: Array,
        shift: Array,
        *,
        peak: int,
        limits: tuple[int, int],
        offset: int = 0,
        double_round: bool = False,
    ) -> "Scale":
        """Choose the arithmetic from the largest product that can reach the result unclipped."""
        multiplier, shift = multiplier.astype(np.int64), shift.astype(np.int64)
        low, high = limits
        reach = max(abs(low - offset), abs(high - offset)) + 1
        largest = np.minimum(float(peak) * multiplier, reach * np.exp2(shift))
        exact = bool(np.all(largest + np.exp2(shift) <= _EXACT / 2)) and bool(np.all((multiplier >= 0) & (shift > 1)))
        factor = np.ldexp(multiplier.astype(np.float64), -shift)
        return cls(multiplier, shift, offset, low, high, double_round, exact, factor)

    def __call__(self, values: Array, dtype: "np.dtype[Any]") -> Array:
        """Scale, clip and convert; `values` are integers of any numpy type."""
        return (self._fp64 if self.exact_in_fp64 else self._int64)(values).astype(dtype)

    def _fp64(self, values: Array) -> Array:
        scaled = values.astype(np.float64, order="C")
        signs = np.signbit(scaled) if self.double_round else None
        self._multiply(scaled)
        if signs is not None:
            away = np.where(self.shift > 31, np.exp2(30.0 - self.shift), 0.0)
            scaled += np.where(signs, -away, away)
        scaled += 0.5 + self.offset
        np.floor(scaled, out=scaled)
        np.maximum(scaled, self.low, out=scaled)
        return np.minimum(scaled, self.high, out=scaled)

    def _multiply(self, scaled: Array) -> None:
        """Multiply in place; channels by long rows, as short ones cost a loop each."""
        if self.factor.ndim != 1 or scaled.ndim < 2:
            scaled *= self.factor
            return
        width = scaled.shape[-2]
        row = self.rows.get(width)
        if row is None:
            row = self.rows[width] = np.tile(self.factor, width)
        rows = scaled.reshape(-1, row.size)
        rows *= row

    def _int64(self, values: Array) -> Array:
        scaled = self.unclipped(values)
        scaled += self.offset
        np.maximum(scaled, self.low, out=scaled)
        return np.minimum(scaled, self.high, out=scaled)

    def unclipped(self, values: Array) -> Array:
        """apply_scale_32 and apply_scale_16 to the letter, in int64."""
        wide = values.astype(np.int64)
        rounding = np.left_shift(np.int64(1), self.shift - 1)
        if self.double_round:
            away = np.where(self.shift > 31, np.int64(1 << 30), np.int64(0))
            rounding = rounding + np.where(wide >= 0, away, -away)
        wide = wide * self.multiplier
        wide += rounding
        wide >>= self.shift
        return wide


def rescale(op: Op, mode: Mode) -> Run:
    """2.13.2."""
    source, target = op.operands[0].type.dtype, op.result.type.dtype
    attributes = op.attributes
    scaling = prepared(op, mode, (1, 2, 3, 4), lambda *operands: _scaling(op, mode, *operands))
    unsigned_in = attributes["input_unsigned"]
    view_in = _unsigned(source) if unsigned_in else source.numpy
    stored = _unsigned(target) if attributes["output_unsigned"] else target.numpy

    def run(*inputs: Array) -> Array:
        input_zp, scale = scaling(inputs)
        values = inputs[0].view(view_in)
        if input_zp:
            values = np.subtract(values, input_zp, dtype=np.int32)
        if mode.check:
            _check_values(op, scale, values)
        return scale(values, stored).view(target.numpy)

    return run


def _unsigned(dtype: DType) -> "np.dtype[Any]":
    return np.dtype(f"u{dtype.numpy.itemsize}")


def _extended(zero_point: Array, unsigned: bool) -> int:
    value = int(zero_point.reshape(-1)[0])
    return value & ((1 << 8 * zero_point.dtype.itemsize) - 1) if unsigned else value


def _scaling(
    op: Op, mode: Mode, multiplier: Array, shift: Array, input_zp: Array, output_zp: Array
) -> tuple[int, Scale]:
    attributes = op.attributes
    source, target = op.operands[0].type.dtype, op.result.type.dtype
    if mode.check:
        require(op, "multiplier >= 0", np.all(multiplier >= 0))
        require(op, "2 <= shift && shift <= 62", np.all((shift >= 2) & (shift <= 62)))
    if not attributes["per_channel"]:
        multiplier, shift = multiplier.reshape(-1)[0], shift.reshape(-1)[0]
    zero_in = _extended(input_zp, attributes["input_unsigned"])
    limits = np.iinfo(_unsigned(target) if attributes["output_unsigned"] else target.numpy)
    scale = Scale.prepare(
        np.asarray(multiplier),
        np.asarray(shift),
        peak=1 << source.bits if attributes["input_unsigned"] or zero_in else 1 << (source.bits - 1),
        limits=(int(limits.min), int(limits.max)),
        offset=_extended(output_zp, attributes["output_unsigned"]),
        double_round=attributes["rounding_mode"] == "DOUBLE_ROUND",
    )
    return zero_in, scale


def _check_values(op: Op, scale: Scale, values: Array) -> None:
    """The conditions of apply_scale_32, apply_scale_16 and apply_add_s that depend on the values."""
    peak = 1 << (8 * values.dtype.itemsize - 1)
    if op.attributes["scale32"]:
        bound = 1 << int(scale.shift.min() - 1)
        if peak <= bound:
            return
        half = np.left_shift(np.int64(1), scale.shift - 1)
        condition = "value >= (-1 << (shift - 1)) && value < (1 << (shift - 1))"
        require(op, condition, np.all((values >= -half) & (values < half)))
        return
    if peak * float(scale.multiplier.max()) / 2.0 ** int(scale.shift.min()) < _I32.max:
        return
    result = scale.unclipped(values)
    fits = result.min() >= _I32.min and result.max() <= _I32.max
    require(op, "result >= minimum<int32_t> && result <= maximum<int32_t>", fits)


def table(op: Op, mode: Mode) -> Run:
    """2.5.17."""
    if op.operands[0].type.dtype is DType.I8:
        rolled = prepared(op, mode, (1,), lambda entries: np.roll(entries.view(np.uint8), 128).tobytes())
        return lambda *inputs: _translate(inputs[0], rolled(inputs))
    entries = prepared(op, mode, (1,), _interpolation)
    return lambda *inputs: _interpolate(op, mode, inputs[0], *entries(inputs))


def _translate(x: Array, entries: bytes) -> Array:
    """An int8 lookup; `entries` is in the order of the bytes 0..255."""
    return np.frombuffer(x.tobytes().translate(entries), np.int8).reshape(x.shape)


def _interpolation(entries: Array) -> tuple[Array, Array]:
    """Base values, scaled by 128, and slopes of the 512 intervals."""
    wide = entries.reshape(-1).astype(np.int32)
    return wide[:-1] << 7, np.diff(wide)


def _interpolate(op: Op, mode: Mode, x: Array, base: Array, slope: Array) -> Array:
    """apply_lookup_s of clause 1.12.5."""
    index = (x.astype(np.int32) + 32768) >> 7
    slopes = slope[index]
    if mode.check and (slope.min() < -32768 or slope.max() > 32767):
        fits = slopes.min() >= -32768 and slopes.max() <= 32767
        require(op, "slope >= minimum<int16_t> && slope <= maximum<int16_t>", fits)
    return np.asarray(base[index] + slopes * (x & 0x7F).astype(np.int32), np.int32)
