"""Integer arithmetic: what 32 bits can't hold is done in 64, whose upper word BITCAST and GATHER take out.

A function of one 8-bit operand is a GATHER from its 256 results.
"""

from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Value
from tosa_converter.legalize.invert.tflite.builder import TflBuilder, storage_type
from tosa_converter.legalize.invert.tflite.floats import tfl_builder
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule

WORD = 32
INTEGERS = "i8 i16 i32"


# ** tables **


def look_up(b: TflBuilder, x: Value, results: Array, dtype: DType) -> Value:
    """Appends TFLite's GATHER of `results`, which has an entry for each value of x's type, from the least one on."""
    half = x.type.dtype.limits[1] + 1
    index = b.cast(x, DType.I32)
    return b.gather(b.const(results.astype(dtype.numpy), dtype), b.add(index, b.scalar_like(half, index)))


def table(match: Match) -> Value:
    """Replaces TOSA's TABLE by GATHER; 513 entries of 16 bits are interpolated to 65536 first."""
    entries, dtype = match.constant(1).astype(np.int64), storage_type(match.op.results[0].type.dtype)
    if match.value(0).type.dtype is DType.I16:
        # Entries are 128 apart; the lower 7 bits of x interpolate between two of them.
        x = np.arange(-32768, 32768) + 32768
        step, fraction = x >> 7, x & 127
        entries = (entries[step] << 7) + (entries[step + 1] - entries[step]) * fraction
    return look_up(tfl_builder(), match.value(0), entries, dtype)


# ** 64 bits **


def upper_word(b: TflBuilder, x: Value) -> Value:
    """Returns the upper 32 bits of each i64: appends BITCAST to pairs of i32, and GATHER of the upper ones."""
    words = b.op("bitcast", [x], DType.I32, (*x.type.static, 2))
    at = b.const(np.asarray(1, np.int32), DType.I32)
    return b.op("gather", [words, at], shape=x.type.static, axis=x.type.rank)


def shift_down(b: TflBuilder, x: Value, shift: Array) -> Value:
    """Appends an arithmetic right shift of i64 by constants; the result, in i32, must fit 32 bits.

    The upper word is the number shifted by 32. Example: a shift of 30 multiplies by 4 first, one of 35 shifts the upper
    word by 3 more.
    """
    up, down = np.maximum(WORD - shift, 0), np.maximum(shift - WORD, 0)
    if up.any():
        x = b.mul(x, b.const(np.int64(1) << up, DType.I64))
    y = upper_word(b, x)
    return b.shift_right(y, b.const(down.astype(np.int32), DType.I32)) if down.any() else y


def multiply(match: Match) -> Value:
    """Replaces TOSA's MUL of integers; with a shift, by a product of 64 bits that is rounded and shifted."""
    b, shift = tfl_builder(), int(match.constant(2).reshape(-1)[0])
    wide = DType.I64 if shift else DType.I32
    product = b.mul(b.cast(match.value(0), wide), b.cast(match.value(1), wide))
    if not shift:
        return product
    return shift_down(b, b.add(product, b.scalar_like(1 << (shift - 1), product)), np.asarray(shift))


# ** RESCALE **


class RescaleParameters(NamedTuple):
    """The constants of a RESCALE; multipliers and shifts have one entry, or one per index of the last dimension."""

    multiplier: Array
    shift: Array
    input_zp: int
    output_zp: int
    double_round: bool
    unsigned: tuple[bool, bool]
    output_dtype: DType

    @property
    def limits(self) -> tuple[int, int]:
        """The smallest and the largest result that the RESCALE can have."""
        low, high = self.output_dtype.limits
        return (0, high - low) if self.unsigned[1] else (low, high)

    def apply(self, x: Array) -> Array:
        """Returns the RESCALE's results for an array of stored values in i64."""
        centered = x - self.input_zp
        rounding = np.int64(1) << (self.shift - 1)
        if self.double_round:  # for larger shifts, DOUBLE_ROUND also adds 2**30, away from 0 (apply_scale_32)
            rounding = rounding + np.where(self.shift > 31, np.where(centered >= 0, 1 << 30, -(1 << 30)), 0)
        y = (centered * self.multiplier + rounding >> self.shift) + self.output_zp
        return np.asarray(np.clip(y, *self.limits))


def rescale_parameters(match: Match) -> RescaleParameters:
    """Returns the constants of the matched RESCALE.

    Raises:
        Decline: they aren't constant.
    """
    parameters = rescale_parameters_of(match.op)
    if parameters is None:
        raise Decline("multipliers, shifts and zero points must be constant")
    return parameters


def rescale_parameters_of(op: Op) -> RescaleParameters | None:
    """Returns the constants of a RESCALE; None if one of its parameters isn't constant.

    Zero points of unsigned sides are read as unsigned: those of uint8 are in 0..255.
    """
    attributes = op.attributes
    unsigned = bool(attributes.get("input_unsigned")), bool(attributes.get("output_unsigned"))
    source, *operands = op.operands
    types = source.type.dtype, op.results[0].type.dtype
    constants = [value.constant for value in operands if value.constant is not None]
    if len(constants) != len(operands):
        return None
    input_zp, output_zp = (
        int(values.reshape(-1)[0]) & (dtype_mask(dtype) if flag else -1)
        for values, dtype, flag in zip(constants[2:], types, unsigned, strict=True)
    )
    return RescaleParameters(
        constants[0].astype(np.int64),
        constants[1].astype(np.int64),
        input_zp,
        output_zp,
        attributes["rounding_mode"] == "DOUBLE_ROUND",
        unsigned,
        types[1],
    )


def dtype_mask(dtype: DType) -> int:
    """Returns an integer with as many bits set as a type has."""
    return (1 << dtype.bits) - 1


def rescale(match: Match) -> Value:
    """Replaces TOSA's RESCALE exactly: by a table for 8 bits and one multiplier, else by arithmetic of 64 bits."""
    b, x, parameters = tfl_builder(), match.value(0), rescale_parameters(match)
    if x.type.dtype is DType.I8 and parameters.multiplier.size == 1:
        bits = np.arange(-128, 128)
        return look_up(b, x, parameters.apply(bits & 255 if parameters.unsigned[0] else bits), parameters.output_dtype)
    y = _multiply_and_shift(b, _subtract_zero_point(b, x, parameters, match.source(0).type.dtype), parameters)
    y = b.add(y, b.scalar_like(parameters.output_zp, y)) if parameters.output_zp else y
    return b.cast(
        clip(b, y, *parameters.limits) if parameters.output_dtype is not DType.I32 else y, parameters.output_dtype
    )


def _subtract_zero_point(b: TflBuilder, x: Value, parameters: RescaleParameters, dtype: DType) -> Value:
    """Appends x less the RESCALE's input zero point, in i32, or in i64 if x has more bits.

    `dtype` is TOSA's element type of x. If the RESCALE reads x as unsigned, elements below 0 stand for 2**bits more.
    """
    x = b.cast(x, DType.I32) if dtype.bits < WORD else x
    if parameters.unsigned[0]:
        x = as_unsigned(b, x, dtype_mask(dtype))
    return b.sub(x, b.scalar_like(parameters.input_zp, x)) if parameters.input_zp else x


def as_unsigned(b: TflBuilder, x: Value, mask: int) -> Value:
    """Appends a conversion of signed numbers in i32 to unsigned ones of n bits, where `mask` is 2**n - 1.

    To negative numbers, 2**n is added.
    """
    return b.choose(b.compare("less", x, b.scalar_like(0, x)), b.add(x, b.scalar_like(mask + 1, x)), x)


def _multiply_and_shift(b: TflBuilder, x: Value, parameters: RescaleParameters) -> Value:
    """Appends x * multiplier >> shift with the RESCALE's rounding, in i32; x itself if the factor is 1."""
    m, shift = parameters.multiplier, parameters.shift
    if (m == np.int64(1) << np.minimum(shift, 62)).all() and x.type.dtype is DType.I32:
        return x
    up = np.maximum(WORD - shift, 0)  # `shift_down` takes the upper word, so it shifts by 32 bits or more
    wide = b.cast(x, DType.I64)
    y = b.mul(wide, b.const(m << up, DType.I64))
    y = b.add(y, b.const(np.int64(1) << (shift - 1 + up), DType.I64))
    if parameters.double_round and (shift > 31).any():
        # DOUBLE_ROUND also adds 2**30 for larger shifts, away from 0 (apply_scale_32).
        extra = np.where(shift > 31, np.int64(1) << (30 + up), 0)
        negative = b.compare("less", wide, b.scalar_like(0, wide))
        y = b.add(y, b.choose(negative, b.const(-extra, DType.I64), b.const(extra, DType.I64)))
    return shift_down(b, y, np.maximum(shift, WORD))


def clip(b: TflBuilder, x: Value, low: int, high: int) -> Value:
    """Appends TFLite's MAXIMUM and MINIMUM by integer bounds; a bound that the type has anyway is left out."""
    least, most = x.type.dtype.limits
    if low > least:
        x = b.elementwise("maximum", x, b.scalar_like(low, x))
    return b.elementwise("minimum", x, b.scalar_like(high, x)) if high < most else x


def clamp(match: Match) -> Value:
    """Replaces TOSA's CLAMP of integers by MAXIMUM and MINIMUM."""
    low, high = (int(match.op.attributes[name]) for name in ("min_val", "max_val"))
    return clip(tfl_builder(), match.value(0), low, high)


# ** one operand **


def negate(match: Match) -> Value:
    """Replaces TOSA's NEGATE by input_zp + output_zp - x, saturated."""
    b, dtype = tfl_builder(), match.value(0).type.dtype
    total = int(match.constant(1).reshape(-1)[0]) + int(match.constant(2).reshape(-1)[0])
    x = b.cast(match.value(0), DType.I32)
    y = b.sub(b.scalar_like(total, x), x)
    return b.cast(clip(b, y, *dtype.limits), dtype)


def clz(match: Match) -> Value:
    """Replaces TOSA's CLZ of i32 by 1 + the number of powers of two above x; of negative numbers by 0."""
    b, x = tfl_builder(), match.value(0)
    powers = b.const(np.int32(1) << np.arange(31, dtype=np.int32), DType.I32)
    row = b.reshape(x, (x.type.elements, 1))
    exceeding = b.cast(b.op("less", [row, powers], DType.BOOL, (x.type.elements, 31)), DType.I32)
    count = b.op("sum", [exceeding, b.ints([1])], shape=(x.type.elements,))
    count = b.add(b.reshape(count, x.type.static), b.scalar_like(1, x))
    return b.choose(b.compare("less", x, b.scalar_like(0, x)), b.scalar_like(0, x), count)


# ** bits **


def bitwise_not(match: Match) -> Value:
    """Replaces TOSA's BITWISE_NOT by BITWISE_XOR with -1."""
    b, x = tfl_builder(), match.value(0)
    return b.elementwise("bitwise_xor", x, b.scalar_like(-1, x))


def bitwise_xor(match: Match) -> Value:
    """Replaces TOSA's BITWISE_XOR by TFLite's."""
    return tfl_builder().elementwise("bitwise_xor", match.value(0), match.value(1))


def _bitwise_and_of_i32(b: TflBuilder, x: Value, y: Value) -> Value:
    """Returns x & y of i32 by additions and XOR, because TFLite has no AND.

    With a = x >> 1 and b = y >> 1 it is 2 * (a & b) plus the product of the lowest bits, where 2 * (a & b) = a + b - (a
    ^ b). a and b have 31 bits, so their sum doesn't overflow: 12 & 10 is (6 + 5) - (6 ^ 5) + 0 * 0 = 8.
    """
    bit = b.scalar_like(1, x)
    upper_x, upper_y = b.shift_right(x, bit), b.shift_right(y, bit)
    upper_bits = b.sub(b.add(upper_x, upper_y), b.elementwise("bitwise_xor", upper_x, upper_y))
    lowest = b.mul(b.sub(x, b.add(upper_x, upper_x)), b.sub(y, b.add(upper_y, upper_y)))
    return b.add(upper_bits, lowest)


def _bitwise_and_in_i32(b: TflBuilder, x: Value, y: Value) -> Value:
    """Returns x & y in i32; of 8 or 16 bits as (x + y - (x ^ y)) / 2, because 32 bits hold that sum."""
    if x.type.dtype is DType.I32:
        return _bitwise_and_of_i32(b, x, y)
    x, y = b.cast(x, DType.I32), b.cast(y, DType.I32)
    doubled = b.sub(b.add(x, y), b.elementwise("bitwise_xor", x, y))
    return b.shift_right(doubled, b.scalar_like(1, x))


def bitwise_and(match: Match) -> Value:
    """Replaces TOSA's BITWISE_AND by additions and BITWISE_XOR, because LiteRT has no AND."""
    b = tfl_builder()
    return b.cast(_bitwise_and_in_i32(b, match.value(0), match.value(1)), match.value(0).type.dtype)


def bitwise_or(match: Match) -> Value:
    """Replaces TOSA's BITWISE_OR by (x ^ y) + (x & y), because LiteRT has no OR."""
    b, x, y = tfl_builder(), match.value(0), match.value(1)
    exclusive = b.cast(b.elementwise("bitwise_xor", x, y), DType.I32)
    return b.cast(b.add(exclusive, _bitwise_and_in_i32(b, x, y)), x.type.dtype)


# ** shifts **


def arithmetic_right_shift(match: Match) -> Value:
    """Replaces TOSA's ARITHMETIC_RIGHT_SHIFT by RIGHT_SHIFT; rounding adds the last bit that is shifted out."""
    b, x, by = tfl_builder(), match.value(0), match.value(1)
    if not match.op.attributes["round"]:
        return b.shift_right(x, by)
    one, wide, amount = b.const(np.asarray(1, np.int32), DType.I32), b.cast(x, DType.I32), b.cast(by, DType.I32)
    shifted = b.shift_right(wide, amount)
    one_bit_more = b.shift_right(wide, b.sub(amount, one))
    # With the last bit r that is shifted out, one_bit_more = 2 * shifted + r; less shifted it is shifted + r.
    rounded = b.sub(one_bit_more, shifted)
    return b.cast(b.choose(b.compare("greater", amount, b.scalar_like(0, amount)), rounded, wide), x.type.dtype)


def logical_right_shift(match: Match) -> Value:
    """Replaces TOSA's LOGICAL_RIGHT_SHIFT by RIGHT_SHIFT of the same bits as an unsigned type."""
    b, dtype = tfl_builder(), match.value(0).type.dtype
    unsigned = {DType.I8: DType.UI8, DType.I16: DType.UI16, DType.I32: DType.UI32}[dtype]
    x, by = (b.op("bitcast", [match.value(i)], unsigned) for i in range(2))
    return b.op("bitcast", [b.shift_right(x, by)], dtype)


def logical_left_shift(match: Match) -> Value:
    """Replaces TOSA's LOGICAL_LEFT_SHIFT by MUL with a power of two in i64; CAST then keeps the lower bits."""
    b, dtype = tfl_builder(), match.value(0).type.dtype
    powers = b.const(np.int64(1) << np.arange(WORD), DType.I64)
    factor = b.gather(powers, b.cast(match.value(1), DType.I32))
    return b.cast(b.mul(b.cast(match.value(0), DType.I64), factor), dtype)


def intdiv(match: Match) -> Value:
    """Replaces TOSA's INTDIV by DIV, which truncates integers too."""
    return tfl_builder().elementwise("div", match.value(0), match.value(1))


RULES: tuple[Rule, ...] = (
    Rule("tosa.table", "i8 i16", table),
    Rule("tosa.mul", INTEGERS, multiply),
    Rule("tosa.rescale", "i8 i16 i32 i48", rescale),
    Rule("tosa.clamp", "i8 i16", clamp),
    Rule("tosa.negate", INTEGERS, negate),
    Rule("tosa.clz", "i32", clz),
    Rule("tosa.bitwise_not", INTEGERS, bitwise_not),
    Rule("tosa.bitwise_xor", INTEGERS, bitwise_xor),
    Rule("tosa.bitwise_and", INTEGERS, bitwise_and),
    Rule("tosa.bitwise_or", INTEGERS, bitwise_or),
    Rule("tosa.arithmetic_right_shift", INTEGERS, arithmetic_right_shift),
    Rule("tosa.logical_right_shift", INTEGERS, logical_right_shift),
    Rule("tosa.logical_left_shift", INTEGERS, logical_left_shift),
    Rule("tosa.intdiv", "i32", intdiv),
)
