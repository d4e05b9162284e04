"""CAST: TOSA rounds floats to the nearest even integer and saturates, LiteRT cuts them off."""

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.invert.tflite.builder import TflBuilder
from tosa_converter.legalize.invert.tflite.floats import clip_floats, tfl_builder, widen_operand
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule

# Adding this to a float of less than half of it, and taking it off again, leaves the nearest even integer.
WHOLE = 1.5 * 2**23


def cast(match: Match) -> Value:
    """Replaces TOSA's CAST by TFLite's; floats are first rounded to the nearest even integer and saturated."""
    b, x, dtype = tfl_builder(), match.value(0), match.op.results[0].type.dtype
    if dtype in (DType.FP8E4M3, DType.FP8E5M2):
        raise Decline(f"a result of {dtype.value}, which LiteRT is built without")
    if x.type.dtype.is_float and dtype.is_integer:
        return _to_integer(b, widen_operand(match, 0), dtype)
    if x.type.dtype is DType.I32 and dtype is DType.BF16:
        return _cast_to_bf16_rounding_once(b, x)
    if x.type.dtype is DType.FP32 or dtype is DType.FP32 or not (x.type.dtype.is_float and dtype.is_float):
        return b.cast(x, dtype)
    return b.cast(b.cast(x, DType.FP32), dtype)


def _to_integer(b: TflBuilder, x: Value, dtype: DType) -> Value:
    """Appends TFLite's CAST of fp32 to integers, behind a rounding to nearest even and a clip as TOSA's CAST has them.

    Floats at 1.5 * 2**23 are whole numbers, so adding it rounds: 2.5 becomes 12582914, which is 2 after the
    subtraction, and 3.5 becomes 12582916 (4). For i32, 2**23 with the element's sign is added, and floats from 2**23 on
    are integers already.
    """
    if dtype.bits < 32:
        low, high = dtype.limits
        x = clip_floats(b, x, float(low), float(high))
        return b.cast(b.sub(b.add(x, b.scalar_like(WHOLE, x)), b.scalar_like(WHOLE, x)), dtype)
    zero, most = b.scalar_like(0, x), b.scalar_like(2.0**23, x)
    away = b.choose(b.compare("less", x, zero), b.scalar_like(-(2.0**23), x), most)
    rounded = b.sub(b.add(x, away), away)
    small = b.compare("less", b.op("abs", [x]), most)
    return b.cast(b.choose(small, rounded, x), dtype)


def _cast_to_bf16_rounding_once(b: TflBuilder, x: Value) -> Value:
    """Appends a CAST of i32 to bf16 that rounds only once: fp32 on the way must not round large numbers.

    Of numbers of more than 24 bits, the lowest 8 bits become one that is set if any of them is; so fp32 holds the rest
    exactly. Example: 2**24 + 3 becomes 2 * 65536 + 1, times 128.
    """
    high = b.shift_right(x, b.scalar_like(8, x))
    rest = b.sub(x, b.mul(high, b.scalar_like(256, x)))
    sticky = b.cast(b.compare("greater", rest, b.scalar_like(0, x)), DType.I32)
    upper_and_sticky = b.cast(b.add(b.add(high, high), sticky), DType.FP32)
    # All bits from the 24th on are the sign.
    fits_24_bits = b.compare("equal", b.shift_right(x, b.scalar_like(24, x)), b.shift_right(x, b.scalar_like(31, x)))
    return b.cast(
        b.choose(fits_24_bits, b.cast(x, DType.FP32), b.mul(upper_and_sticky, b.scalar_like(128, upper_and_sticky))),
        DType.BF16,
    )


RULES: tuple[Rule, ...] = (Rule("tosa.cast", "bool i8 i16 i32 fp16 bf16 fp32", cast),)
