"""QUANTIZE and DEQUANTIZE: the borders between reals and elements of 8 or 16 bits."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.checks import BYTES
from tosa_converter.legalize.quant import byte_tables
from tosa_converter.legalize.quant.elements import (
    NARROW,
    Quantized,
    affine,
    as_reference,
    eight_bit,
    largest_magnitude,
    not_eight_bit,
    not_of_bits,
    operand,
    output_quant,
    per_tensor,
    rescale_operand,
    subtract_zero_point,
    to_result_type,
)
from tosa_converter.legalize.quant.libm import F32
from tosa_converter.legalize.quant.multipliers import (
    INT32_MAX,
    INT32_MIN,
    Multiplier,
    quantize_multiplier,
    round_away,
    undefined_mask,
)
from tosa_converter.legalize.quant.requantize import (
    OVERFLOW,
    TIMES_ONE,
    requantize_to,
    requantize_to_i32,
    step_to_threshold,
)
from tosa_converter.legalize.quant.thresholds import smallest_floats
from tosa_converter.legalize.quant.widths import WIDTHS
from tosa_converter.legalize.tflite.quantized.activations import lower_by_table
from tosa_converter.rewriting.expr import Expr, clamp, const, maximum, minimum
from tosa_converter.rewriting.match import Key, Match
from tosa_converter.rewriting.operators import rescale
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule, condition

UNDEFINED = "NaN gives the lowest value and values outside int32 saturate; LiteRT leaves both undefined"


# ** QUANTIZE **


# TOSA has no float division, and its CAST rounds ties to even. So x * reciprocal is lowered by half a step, counted
# from the least level: with scale 0.1 and zero point 0 of int8, x = 0.25 is 2.5 + 128 - 0.5 = 130, cast to 130, which
# stands for 2. A cast moves a level by half a step at most and the product's error is far less, so the level is right
# or one too small. 0.25 has reached level 3's smallest float, hence 131, the stored value 3 as round(0.25 / 0.1) has
# it.
def quantize(match: Match) -> Expr:
    """Lowers QUANTIZE of floats: round(x / scale), ties away from zero, plus the zero point (AffineQuantize).

    In compact numerics it is a product with the reciprocal and ties go to even, with a note. A scale without a finite
    reciprocal is declined.
    """
    x, output = match["input"], output_quant(match)
    least, most = output.dtype.limits
    with np.errstate(over="ignore"):
        reciprocal = float(F32(1) / output.scale)
    if not np.isfinite(reciprocal):
        raise Decline(f"expected a scale with a finite reciprocal, found {output.scale:.3g}")
    match.note_once(UNDEFINED)
    scaled = x * reciprocal
    if match.options.numerics == "compact":
        match.note("the scale's reciprocal is multiplied, ties go to even: this operator may differ by 1 step")
        moved = scaled + output.zero_point if output.zero_point else scaled
        return to_result_type(match, clamp(moved, least, most, nan_mode="IGNORE").cast(output.dtype))
    # The kernel divides by the scale, which rounds otherwise than a product with its reciprocal. With half a step less,
    # the level is right or one too small, and the exact threshold of the next level decides.
    lowered = scaled + (output.zero_point - least - 0.5)
    level = clamp(lowered, 0.0, float(most - least), nan_mode="IGNORE").cast(DType.I32)
    level = step_to_threshold(x, level, smallest_floats(output.scale, output.zero_point, output.dtype))
    if output.dtype is DType.I8:
        return to_result_type(match, rescale(level, DType.I8, *TIMES_ONE, output_zp=least))
    return (level + least).cast(output.dtype)


def undefined_floats(match: Match, x: Array) -> Array:
    """Returns a mask of the floats that QUANTIZE leaves undefined: x / scale, or that + zero point, leaves int32."""
    with np.errstate(all="ignore"):
        level = round_away(x / F32(match.result_quant.scale[0])).astype(np.float64)
    return ~(np.maximum(np.abs(level), np.abs(level + match.result_quant.zero_point[0])) < 1 << 31)


def requantize(match: Match) -> Expr:
    """Lowers QUANTIZE of integers to RESCALE, with ADDs for zero points of 16 and 32 bits (Requantize)."""
    output, source = output_quant(match), match.source(0).type.dtype
    if source is DType.I32:
        x, peak = centered_i32(match), 1 << 31
    elif source is DType.I16:
        stored = operand(match, 0)
        x, peak = rescale_operand(stored)[0], largest_magnitude(stored)
    else:
        x, peak = subtract_zero_point(operand(match, 0)), WIDTHS[DType.I8].magnitude
    multiplier = scale_ratio(match)
    if output.dtype is not DType.I32:
        return to_result_type(
            match, requantize_to(match, x, multiplier, output.zero_point, peak=peak, dtype=output.dtype)
        )
    return _add_zero_point(_multiply_to_i32(match, x, multiplier, peak), output.zero_point)


def centered_i32(match: Match) -> Expr:
    """Returns the i32 input less its zero point; differences beyond int32 saturate."""
    x = match["input"]
    zero = per_tensor(match.quant("input"), unsigned=False, dtype=DType.I32).zero_point
    if zero:
        x = maximum(x, INT32_MIN + zero) if zero > 0 else x
        x = minimum(x, INT32_MAX + zero) if zero < 0 else x
        x = x - zero
    return x


def _multiply_to_i32(match: Match, x: Expr, multiplier: Multiplier, peak: int) -> Expr:
    """Returns x times a multiplier in i32, as MultiplyByQuantizedMultiplier: RESCALE, or MUL if x may be too large.

    The multiplier is m * 2**(shift - 31), with m of 31 bits. The kernel shifts x left, which has to fit 32 bits, and
    rounds the product: (x * m + 2**(30 - shift)) >> (31 - shift), as MUL does. A note tells if the kernel's shift may
    overflow.
    """
    # RESCALE takes |x| below 2**(30 - shift) only. For the multiplier 100,000 = 1,638,400,000 * 2**(17 - 31), that is
    # 8,192, though products fit 32 bits up to 16,384.
    shift = min(int(multiplier.shift.max()), 30)
    if peak < 1 << 30 - max(shift, 0):
        return requantize_to_i32(match, x, multiplier, peak=peak)
    if undefined_mask(-peak, multiplier).any():
        match.note(OVERFLOW)
    x, limit = x.cast(DType.I32), 1 << 31 - shift
    x = clamp(x, -limit, limit - 1) if peak >= limit else x
    return x.times(int(multiplier.m.max()), 31 - shift)


def _add_zero_point(y: Expr, zero_point: int) -> Expr:
    """Returns y plus a zero point; sums beyond int32 saturate."""
    if not zero_point:
        return y
    low, high = max(INT32_MIN, INT32_MIN - zero_point), min(INT32_MAX, INT32_MAX - zero_point)
    return clamp(y, low, high) + zero_point


def undefined_integers(match: Match, x: Array) -> Array:
    """Returns a mask of the integers whose QUANTIZE is undefined in C: a difference, product or sum overflows."""
    centered = x.astype(np.int64) - match.quant(0).zero_point[0]
    overflows = (centered < INT32_MIN) | (centered > INT32_MAX)
    ratio = np.float64(F32(match.quant(0).scale[0])) / np.float64(F32(match.result_quant.scale[0]))
    centered = np.where(overflows, 0, centered)
    results = centered * ratio + match.result_quant.zero_point[0]
    overflows |= (results < INT32_MIN) | (results > INT32_MAX)
    return overflows | undefined_mask(centered, quantize_multiplier(ratio))


def other_signedness(match: Match) -> Expr:
    """Lowers QUANTIZE between int8 and uint8 of the same reals to RESCALE by 1."""
    unsigned = match.source(0).type.dtype is DType.UI8
    zero_points = match.quant(0).zero_point[0], match.result_quant.zero_point[0]
    return rescale(
        match[0],
        DType.I8,
        *TIMES_ONE,
        input_zp=zero_points[0],
        output_zp=zero_points[1],
        input_unsigned=unsigned,
        output_unsigned=not unsigned,
    )


def scale_ratio(match: Match) -> Multiplier:
    """Returns input scale / output scale as a fixed-point multiplier (Requantize, requantize.h)."""
    return quantize_multiplier(np.float64(F32(match.quant(0).scale[0])) / np.float64(output_quant(match).scale))


# ** DEQUANTIZE **


def dequantize(match: Match) -> Expr:
    """Lowers DEQUANTIZE to CAST and MUL, after a RESCALE or SUB that takes a zero point away."""
    return real_values(match, "input")


def real_values(match: Match, key: Key) -> Expr:
    """Returns the reals of an operand: scale * (stored - zero point), in float32.

    The kernel multiplies in double and rounds to float32. The result is the same, as the difference is exact in float32
    and the product is rounded once.
    """
    quant, dtype = match.quant(key), match.source(key).type.dtype
    if quant.per_tensor and dtype in NARROW and (dtype is DType.UI8 or any(quant.zero_point)):
        x = operand(match, key)  # a RESCALE takes the zero point off, and reads uint8
        return subtract_zero_point(x).cast(DType.FP32) * _scale_constant(x)
    is_packed = dtype in (DType.I4, DType.I2)  # several elements in a byte
    stored = const(match.constant(key), DType.I8) if is_packed else match[key]
    shape = [-1 if i == quant.axis else 1 for i in range(stored.rank)]
    real = stored.cast(DType.FP32)
    if any(quant.zero_point):
        real = real - const(np.reshape(np.array(quant.zero_point, F32), shape), DType.FP32)
    return real * const(np.reshape(np.array(quant.scale, F32), shape), DType.FP32)


def _scale_constant(x: Quantized) -> Expr:
    """Returns the scale of x as an fp32 constant of one element that broadcasts to it."""
    return const(np.full((1,) * x.value.rank, x.scale), DType.FP32)


# ** checks **


@condition("the operand is fp32, the result of 8 bits with one scale")
def from_float(match: Match) -> str | None:
    """Declines QUANTIZE unless its operand is float32 and its result has 8 bits with one scale."""
    return _require_dtype(match, DType.FP32) or not_eight_bit([match.op.results[0]])


@condition("the operand is quantized i32, the result of 8 bits with one scale")
def from_i32(match: Match) -> str | None:
    """Declines QUANTIZE unless its operand is quantized i32 and its result has 8 bits with one scale."""
    if match.source(0).type.quant is None:
        return f"expected quantization parameters of {match.source(0).name!r}, found none"
    return _require_dtype(match, DType.I32) or not_eight_bit([match.op.results[0]])


@condition("one type is int8 and the other uint8, with zero points 128 apart")
def same_steps(match: Match) -> str | None:
    """Declines QUANTIZE unless it is int8 to uint8 or back, with the same scale and zero points 128 apart."""
    types = match.source(0).type.dtype, match.op.results[0].type.dtype
    if set(types) != set(NARROW):
        return f"expected int8 to uint8 or the reverse, found {types[0].value} to {types[1].value}"
    return (
        None
        if affine(match, 0) == output_quant(match)[:2]  # both read uint8 as int8, so zero points 128 apart are equal
        else "expected the same scale and zero points 128 apart, found others"
    )


def _require_dtype(match: Match, dtype: DType) -> str | None:
    """Returns what is wrong if the first operand isn't of `dtype`, or None."""
    source = match.source(0)
    actual = source.type.dtype
    return None if actual is dtype else f"expected {source.name!r} to be of {dtype.value}, found {actual.value}"


@condition("the operand is quantized with 2, 4, 8 or 16 bits, the result is fp32")
def to_float(match: Match) -> str | None:
    """Declines DEQUANTIZE unless its operand is quantized with 2, 4, 8 or 16 bits and its result is float32.

    Only signed types may have a scale per channel.
    """
    type = match.source(0).type
    if type.dtype not in (*NARROW, DType.I2, DType.I4, DType.I16) or type.quant is None:
        return f"expected {match.source(0).name!r} to be quantized with 2, 4, 8 or 16 bits, found {type}"
    if type.dtype is DType.UI8 and not type.quant.per_tensor:
        return f"expected one scale of {match.source(0).name!r}, which is uint8, found a scale per channel"
    result = match.op.results[0].type.dtype
    return None if result is DType.FP32 else f"expected a result of fp32, found {result.value}"


@condition("the operand or the result is of 16 bits, both have one scale")
def some_sixteen_bit(match: Match) -> str | None:
    """Declines QUANTIZE unless its operand or its result is int16, and both are integers with one scale each."""
    values = match.source(0), match.op.results[0]
    if DType.I16 not in {value.type.dtype for value in values}:
        return "expected an operand or result of 16 bits, found other types"
    return not_of_bits(8, (*NARROW, DType.I16, DType.I32), values)


@condition("the result is of 16 bits with one scale")
def to_sixteen_bit(match: Match) -> str | None:
    """Declines QUANTIZE whose result isn't int16 with one scale."""
    return not_of_bits(16, (DType.I16,), match.op.results)


TO_BYTES = lower_by_table(lambda _: byte_tables.requantized_values)
RULES: tuple[Rule, ...] = (
    Rule("tfl.quantize", "fp32", quantize, (from_float, as_reference)),
    Rule("tfl.quantize", "i32", requantize, (from_i32, as_reference), label="quantize_i32"),
    Rule("tfl.quantize", BYTES, other_signedness, (eight_bit(0), same_steps)),
    Rule("tfl.quantize", BYTES, TO_BYTES, (eight_bit(0), as_reference), label="requantize"),
    Rule("tfl.quantize", "fp32", quantize, (to_sixteen_bit, as_reference), label="quantize_i16"),
    Rule("tfl.quantize", f"i16 i32 {BYTES}", requantize, (some_sixteen_bit, as_reference), label="requantize_i16"),
    Rule("tfl.dequantize", "i2 i4 i8 ui8 i16", dequantize, (to_float,)),
)
