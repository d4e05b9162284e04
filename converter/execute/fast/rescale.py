"""RESCALE (2.13.2).

Scaling runs in fp64. It is exact where the product of value and multiplier fits the 53 bits of fp64, or is clipped
anyway; `GuardedRescaler` proves it from the multipliers, shifts and limits. Elsewhere a result can only be wrong next
to the threshold between two integers: those few elements are computed again in int64, as in the specification.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnpredictableError
from tosa_converter.execute.definition.base import ADD_FITS, Kernel, require
from tosa_converter.execute.definition.conversion import extend_to_int64, unsigned_dtype
from tosa_converter.execute.definition.scaling import scale_and_round
from tosa_converter.execute.fast.base import LEAST_I32, MOST_I32, PlanContext, clip, prepare_once
from tosa_converter.execute.fast.lookup import bind_lookup
from tosa_converter.execute.fast.rescale_proof import MultiplyAddRescaler, Scaling, prove_multiply_add_rescaler
from tosa_converter.ir import Array, Op

_EXACT = 2.0**53
# Bit 63 is the sign of an fp64. The sign bit of a value ORed with the bits of a positive number is that number with the
# value's sign, as copysign gives it.
_SIGN = np.uint64(1 << 63)


@dataclass(frozen=True, slots=True)
class GuardedRescaler:
    """Computes RESCALE's scaling in fp64, and again in int64 for the few elements where fp64 may be wrong.

    Attributes:
        scaling: the multiplier, shift, offset and limits.
        guard: the distance from a threshold below which fp64 may be wrong; 0 where it is always exact.
        factor: multiplier / 2**shift.
        away: the bits of what DOUBLE_ROUND adds to positive values and subtracts from negative ones; None if nothing.
        rows: vectors over the channels, repeated over a row, by vector and row length.
    """

    scaling: Scaling
    guard: float
    factor: Array
    away: Array | None
    rows: dict[tuple[int, int], Array] = field(default_factory=dict)

    @classmethod
    def prepare(cls, scaling: Scaling, peak: int) -> "GuardedRescaler":
        """Returns a rescaler for values of magnitude up to `peak`.

        Its guard is the distance from a threshold of rounding below which fp64 may be wrong; 0 if fp64 is always exact.
        """
        offset, power = scaling.offset, np.exp2(scaling.shift)
        reach = max(abs(scaling.low - offset), abs(scaling.high - offset)) + 1
        # A bound of sums in units of 2**-shift: the product with the multiplier, unless it is clipped, and rounding.
        largest = np.minimum(float(peak) * scaling.multiplier, reach * power) + power
        # Three roundings follow: of the product, of what double rounding adds, and of 0.5 + offset. A result that isn't
        # clipped is below `reach`, so each is off by at most reach * 2**-53, all by less than 4 * reach * 2**-53: of
        # int32 2**-20, so 1 of some 500,000 results is computed again. Sums below 2**52 units of 2**-shift are exact.
        guard = 0.0 if np.all(largest <= _EXACT / 2) else 4 * reach / _EXACT
        away = scaling.away
        return cls(scaling, guard, scaling.factor, away.view(np.uint64) if away.any() else None)

    def __call__(self, values: Array, dtype: "np.dtype[Any]") -> Array:
        """Returns integers scaled, rounded, offset and clipped, as `dtype`; exact up to the peak given to `prepare`.

        Elements within `guard` of a threshold are computed again in int64 (`_repair`).
        """
        values = np.asarray(values)  # numpy makes scalars of arrays of rank 0
        scaled = values.astype(np.float64, order="C")
        # The sign bit of x | the bits of `away` is copysign(away, x), which DOUBLE_ROUND adds.
        signs = np.asarray(scaled.view(np.uint64) & _SIGN) if self.away is not None else None
        self._apply_by_rows(np.multiply, scaled, self.factor)
        if signs is not None and self.away is not None:
            self._apply_by_rows(np.bitwise_or, signs, self.away)
            scaled += signs.view(np.float64)
        scaled += 0.5 + self.scaling.offset
        whole = np.floor(scaled, out=np.empty_like(scaled) if self.guard else scaled)
        if self.guard:
            self._repair(values, scaled, whole)
        result = whole.astype(np.int32)
        if self.scaling.low > LEAST_I32 or self.scaling.high < MOST_I32:
            result.clip(self.scaling.low, self.scaling.high, out=result)
        return result.astype(dtype, copy=False)

    def _apply_by_rows(self, function: "np.ufunc", array: Array, vector: Array) -> None:
        """Computes function(array, vector) in place for a vector over the channels.

        The vector is repeated over a row of the array, because numpy is slow on short rows.
        """
        if vector.ndim != 1 or array.ndim < 2:
            function(array, vector, out=array)
            return
        key = id(vector), array.shape[-2]  # the vectors live as long as this object, so identities stay theirs
        row = self.rows.get(key)
        if row is None:
            row = self.rows[key] = np.tile(vector, array.shape[-2])
        rows = array.reshape(-1, row.size)
        function(rows, row, out=rows)

    def _repair(self, values: Array, scaled: Array, whole: Array) -> None:
        """Computes elements of `whole` again in int64 if they are so near to a threshold that fp64 may be wrong.

        `values` are the integers before scaling, `whole` is `scaled` rounded down, and `scaled` is overwritten.
        """
        scaled -= whole
        if scaled.size and (scaled.min() < self.guard or scaled.max() > 1 - self.guard):
            doubtful = (scaled < self.guard) | (scaled > 1 - self.guard)
            scaling = self.scaling
            multiplier, shift = (
                np.broadcast_to(x, scaled.shape)[doubtful] for x in (scaling.multiplier, scaling.shift)
            )
            whole[doubtful] = (
                scale_and_round(values[doubtful].astype(np.int64), multiplier, shift, scaling.double_round)
                + scaling.offset
            )


class _Parameters(NamedTuple):
    """RESCALE's operands after the first (multiplier, shift, zero points), as numbers.

    Attributes:
        scaling: multiplier, shift, output zero point and limits.
        zero: the input zero point.
        peak: a bound of |value - zero|.
        check: raises an error for values that break a REQUIRE; None if no value can.
    """

    scaling: Scaling
    zero: int
    peak: int
    check: Callable[[Array], None] | None


def rescale(op: Op, plan_context: PlanContext) -> Kernel:
    """Returns a function that computes RESCALE (2.13.2) by the fastest way that is exact for its parameters."""
    source, target = op.operands[0].type.dtype, op.result.type.dtype
    view_in = unsigned_dtype(source) if op.attributes["input_unsigned"] else source.numpy
    stored = unsigned_dtype(target) if op.attributes["output_unsigned"] else target.numpy

    def bind_rescale(*operands: Array) -> Callable[[Array], Array]:
        """Returns a function that computes this RESCALE by the fastest way that is exact for its parameters."""
        params = _read_parameters(op, plan_context, *operands)
        scaling = params.scaling
        # A multiplier is below 2**31, so one of 2**shift has a shift of 30 at most, for which DOUBLE_ROUND adds
        # nothing: (value * 2**s + 2**(s - 1)) >> s is the value itself.
        if params.check is None and source.bits <= 32 and np.all(scaling.multiplier == 1 << scaling.shift):
            return _replace_zero_point(params, view_in, stored)
        if source is DType.I8 and not op.attributes["per_channel"] and params.check is None:
            return bind_lookup(bind_guarded(params)(np.arange(256, dtype=np.uint8).view(np.int8)))
        fast = _find_multiply_add_rescaler(op, params, bias=np.zeros(1), peak=2.0 ** (source.bits - 1))
        return fast or bind_guarded(params)

    def bind_guarded(params: _Parameters) -> Callable[[Array], Array]:
        """Returns a function that computes this RESCALE in fp64, or in int64 where fp64 may be wrong (GuardedRescaler).

        It suits all parameters, where faster functions don't.
        """
        rescaler = GuardedRescaler.prepare(params.scaling, params.peak)

        def rescale_values(values: Array) -> Array:
            """Subtracts the input zero point, checks the values if the run checks REQUIREs, and rescales them.

            Unsigned integers are read and written by views, as TOSA stores their bits in signed types.
            """
            values = values.view(view_in)
            if params.zero:
                values = np.subtract(values, params.zero, dtype=np.int32)
            if params.check is not None:
                params.check(values)
            return rescaler(values, stored).view(target.numpy)

        return rescale_values

    function = prepare_once(op, plan_context, (1, 2, 3, 4), bind_rescale)
    return lambda *inputs: function(inputs)(inputs[0])


def _replace_zero_point(
    params: _Parameters, element: "np.dtype[Any]", stored: "np.dtype[Any]"
) -> Callable[[Array], Array]:
    """Returns a function that computes RESCALE by 1: replaces the input's zero point by the output's, and clips.

    `element` is the type that the input's bits are read as, `stored` the one that results are clipped to.
    """
    scaling = params.scaling
    # int8 with an output zero point of -5 and an input zero point of 3: value - 8 is in [-128, 127] for values in
    # [-120, 135]. Clipping comes first, so the sum can't leave int32.
    low, high = (limit - scaling.offset + params.zero for limit in (scaling.low, scaling.high))
    limits = np.iinfo(element)
    never_clips = low <= limits.min and limits.max <= high
    least, most, difference = (
        np.int32(max(low, LEAST_I32)),
        np.int32(min(high, MOST_I32)),
        np.int32(scaling.offset - params.zero),
    )

    signed = np.dtype(f"i{stored.itemsize}")

    def shift_and_clip(values: Array) -> Array:
        """Clips values and adds the difference of the zero points; returns the bits as a signed type."""
        wide = values.view(element).astype(np.int32, copy=False)
        if not never_clips:
            wide = clip(wide, least, most)
        if difference:
            wide = np.add(wide, difference)
        return wide.astype(stored, copy=False).view(signed)

    return shift_and_clip


def _read_parameters(
    op: Op, plan_context: PlanContext, multiplier: Array, shift: Array, input_zp: Array, output_zp: Array
) -> _Parameters:
    """Returns RESCALE's operands after the first as numbers, after checks of multiplier and shift if asked for."""
    attributes = op.attributes
    source, target = op.operands[0].type.dtype, op.result.type.dtype
    if plan_context.check:
        require(op, "multiplier >= 0", np.all(multiplier >= 0))
        require(op, "2 <= shift && shift <= 62", np.all((shift >= 2) & (shift <= 62)))
    if not attributes["per_channel"]:
        multiplier, shift = multiplier.reshape(-1)[0], shift.reshape(-1)[0]
    zero_in = _zero_point_number(input_zp, attributes["input_unsigned"])
    # int8 less its zero point is in [-255, 255], below 2**8; without one it is in [-128, 127], up to 2**7.
    peak = 1 << source.bits if attributes["input_unsigned"] or zero_in else 1 << (source.bits - 1)
    limits = np.iinfo(unsigned_dtype(target) if attributes["output_unsigned"] else target.numpy)
    scaling = Scaling(
        multiplier.astype(np.int64),
        shift.astype(np.int64),
        _zero_point_number(output_zp, attributes["output_unsigned"]),
        int(limits.min),
        int(limits.max),
        attributes["rounding_mode"] == "DOUBLE_ROUND",
    )
    check = _value_check(op, scaling, peak) if plan_context.check else None
    return _Parameters(scaling, zero_in, peak, check)


def _zero_point_number(zero_point: Array, is_unsigned: bool) -> int:
    """Returns a zero point, an array of one element, as a Python integer; its bits are unsigned if so declared."""
    return int(extend_to_int64(zero_point.reshape(-1), is_unsigned)[0])


def rescaler_of_sums(op: Op, plan_context: PlanContext, bias: Array, peak: float) -> MultiplyAddRescaler | None:
    """Returns a function that adds a convolution's bias to its sums and computes RESCALE to int8.

    None if that isn't proved exact, or if multiplier, shift or a zero point isn't constant.

    Args:
        op: the RESCALE.
        plan_context: which of its operands are constant.
        bias: [C], fp64 integers.
        peak: a bound of the sums without the bias.
    """
    parameters = [values for value in op.operands[1:] if (values := plan_context.constant(value)) is not None]
    if len(parameters) < 4:  # multiplier, shift and both zero points
        return None
    with suppress(UnpredictableError):  # an error only if the operator runs
        return _find_multiply_add_rescaler(op, _read_parameters(op, plan_context, *parameters), bias, peak)
    return None


def _find_multiply_add_rescaler(op: Op, params: _Parameters, bias: Array, peak: float) -> MultiplyAddRescaler | None:
    """Returns a function that computes RESCALE to int8 by one fp64 multiply-add; None where it isn't proved exact.

    It is never tried for a zero point of the input, unsigned input, other results than int8, or with checks. `bias`,
    [C], is added to the values first, and `peak` is a bound of their magnitude without it.
    """
    scaling = params.scaling
    if op.result.type.dtype is not DType.I8 or params.check or params.zero or op.attributes["input_unsigned"]:
        return None
    channels = max(scaling.multiplier.size, bias.size)
    multiplier, shift, bias = (np.broadcast_to(x, channels) for x in (scaling.multiplier, scaling.shift, bias))
    return prove_multiply_add_rescaler(
        scaling._replace(multiplier=multiplier, shift=shift), bias, np.full(channels, peak)
    )


def _value_check(op: Op, scaling: Scaling, peak: int) -> Callable[[Array], None] | None:
    """Returns a function that raises if values break a REQUIRE of apply_scale_32 or apply_scale_16.

    None if no value up to `peak` in magnitude can break one.
    """
    # scale32 with a shift of 31 takes values in [-2**30, 2**30): int16 always fits, int32 doesn't. scale16 with
    # multiplier 2**14, shift 14 and offset 0 keeps values: int16 stays below 2**31, i48 may not.
    if op.attributes["scale32"]:
        half = np.left_shift(np.int64(1), scaling.shift - 1)
        condition = "value >= (-1 << (shift - 1)) && value < (1 << (shift - 1))"
        if np.all(half >= peak):
            return None
        return lambda values: require(op, condition, np.all((values >= -half) & (values < half)))
    if np.all(peak * scaling.factor + abs(scaling.offset) < MOST_I32):
        return None

    def check(values: Array) -> None:
        """Raises UnpredictableError if a scaled value, or that plus the offset, doesn't fit i32."""
        result = scale_and_round(values.astype(np.int64), scaling.multiplier, scaling.shift, scaling.double_round)
        fits = result.min() >= LEAST_I32 and result.max() <= MOST_I32
        require(op, "result >= minimum<int32_t> && result <= maximum<int32_t>", fits)
        fits = result.min() + scaling.offset >= LEAST_I32 and result.max() + scaling.offset <= MOST_I32
        require(op, ADD_FITS, fits)

    return check
