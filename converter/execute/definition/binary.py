"""Elementwise binary operators (2.5)."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.execute.definition.base import SUB_FITS, Call, all_fit, require, widen
from tosa_converter.ir import Array
from tosa_converter.rules.shapes.elementwise import TABLE_SIZES


def add(call: Call, a: Array, b: Array) -> Array:
    """Computes ADD (2.5.1): a + b; integer sums must fit the type."""
    return call.checked_sum(widen(a), widen(b))


def arithmetic_right_shift(call: Call, a: Array, b: Array) -> Array:
    """Computes ARITHMETIC_RIGHT_SHIFT (2.5.2): a >> b, plus the last bit shifted out if `round` is set."""
    value, amount = widen(a), _checked_shift(call, b)
    last_bit_out = (value >> np.maximum(amount - 1, 0)) & (amount > 0)
    return (value >> amount) + (last_bit_out if call["round"] else 0)


def _checked_shift(call: Call, b: Array) -> Array:
    """Returns the shift amounts as int64, after the REQUIRE that they are in [0, bits of the type)."""
    last = call.target.bits - 1
    call.require(f"0 <= value2 && value2 <= {last}", ((b >= 0) & (b <= last)).all())
    return widen(b)


def intdiv(call: Call, a: Array, b: Array) -> Array:
    """Computes INTDIV (2.5.6): the integer quotient a / b, truncated towards zero."""
    call.require("value2 != 0", b.all())
    x, y = widen(a), widen(b)
    # The least number has no opposite, so only it by -1 doesn't fit.
    call.require("c <= maximum_s<in_t>() of apply_intdiv_s", not ((x == call.target.limits[0]) & (y == -1)).any())
    # numpy's quotient is rounded down: -7 by 2 is -4 with a remainder of 1, truncated -3.
    quotient, remainder = np.divmod(x, y)
    return np.asarray(quotient + ((remainder != 0) & ((x < 0) != (y < 0))))


def logical_left_shift(call: Call, a: Array, b: Array) -> Array:
    """Computes LOGICAL_LEFT_SHIFT (2.5.8): a << b; the result keeps the low bits."""
    return np.asarray(widen(a) << _checked_shift(call, b))


def logical_right_shift(call: Call, a: Array, b: Array) -> Array:
    """Computes LOGICAL_RIGHT_SHIFT (2.5.9): a >> b on the unsigned bits, which shifts in zeros."""
    # -1 as int8 is the byte 255, which a shift by 4 makes 15; the result has the type's bits again.
    unsigned = np.ascontiguousarray(a).view(f"u{a.itemsize}").astype(np.uint64)
    return np.asarray((unsigned >> _checked_shift(call, b).astype(np.uint64)).view(np.int64))


def mul(call: Call, a: Array, b: Array, shift: Array) -> Array:
    """Computes MUL (2.5.14): a * b; for i32 also a rounding right shift by `shift`."""
    amount, product = int(shift.reshape(-1)[0]), np.multiply(widen(a), widen(b))
    if call.source.is_float:
        return product
    call.require("0 <= shift && shift <= 63", 0 <= amount <= 63)
    call.require("is_same<in_t,int32_t>() || shift == 0", call.source is DType.I32 or amount == 0)
    if amount == 0:
        return product
    product = np.asarray((product + np.left_shift(np.int64(1), amount - 1)) >> amount)
    call.require("product >= minimum_s<i32_t>() && product <= maximum_s<i32_t>()", all_fit(product, DType.I32))
    return product


def pow(call: Call, a: Array, b: Array) -> Array:
    """Computes POW (2.5.15): a ** b, for finite a >= 0 and finite b; 0 ** b needs b > 0."""
    x, y = widen(a), widen(b)
    call.require("!isNaN(value1) && !isNaN(value2)", not (np.isnan(x).any() or np.isnan(y).any()))
    call.require("value1 >= 0", (x >= 0).all())
    call.require("value1 > 0 || value2 > 0", ((x > 0) | (y > 0)).all())
    call.require("is_finite(value1) && is_finite(value2)", np.isfinite(x).all() and np.isfinite(y).all())
    return np.asarray(np.power(x, y))


def sub(call: Call, a: Array, b: Array) -> Array:
    """Computes SUB (2.5.16): a - b; integer differences must fit the type."""
    difference = widen(a) - widen(b)
    if call.target is DType.I64:
        # int64 wraps around: the operands' signs differ, and the difference's isn't that of the first one.
        call.require(SUB_FITS, not (((a ^ b) & (a ^ difference)) < 0).any())
    elif call.target.is_integer:
        call.require(SUB_FITS, all_fit(difference, call.target))
    return difference


def table(call: Call, x: Array, entries: Array) -> Array:
    """Computes TABLE (2.5.17): int8 looks entries up, int16 interpolates; a wrong length is always an error."""
    require(call.op, "length(table) == TABLE_SIZE", entries.size == TABLE_SIZES[call.source])
    value, entries = widen(x), widen(entries)
    return entries[value + 128] if call.source is DType.I8 else _apply_lookup_s(call, entries, value)


def _apply_lookup_s(call: Call, entries: Array, value: Array) -> Array:
    """Interpolates between the entries of a table of i16: apply_lookup_s of clause 1.12.5."""
    # 513 entries stand for the values -32768, -32640, ..., 32768. The value 100 lies between entry 256, for 0, and
    # entry 257, for 128: index = 32868 >> 7 = 256, fraction = 100, and the result is 128 times the entry there.
    index, fraction = (value + 32768) >> 7, value & 0x7F
    base, slope = entries[index], entries[index + 1] - entries[index]
    call.require("slope >= minimum<int16_t> && slope <= maximum<int16_t>", all_fit(slope, DType.I16))
    return np.asarray((base << 7) + slope * fraction)
