"""QUANTIZE and DEQUANTIZE: the borders between reals and 8-bit elements."""

from functools import lru_cache

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.checks import BYTES
from tosa_converter.legalize.quant.elements import (
    NARROW,
    Operand,
    affine,
    as_reference,
    eight_bit,
    not_eight_bit,
    operand,
    per_tensor,
    target8,
    to_result_type,
    widened,
)
from tosa_converter.legalize.quant.multipliers import (
    INT32_MAX,
    INT32_MIN,
    Multiplier,
    quantize_multiplier,
    round_away,
    undefined_at,
)
from tosa_converter.legalize.quant.requantize import TIMES_ONE, requantized, stepped
from tosa_converter.legalize.tflite.quantized.activations import by_table, requantized_entries
from tosa_converter.rewriting.expr import Expr, clamp, const, maximum, minimum
from tosa_converter.rewriting.operators import rescale
from tosa_converter.rewriting.rewrite import Decline, Key, Match, Rewrite, condition

F32 = np.float32


UNDEFINED = "NaN gives the lowest value and values outside int32 saturate; LiteRT leaves both undefined"


def quantize(match: Match) -> Expr:
    """QUANTIZE of floats: round(x / scale), ties away from zero, plus the zero point (AffineQuantize, quantize.h).

    TOSA has no float division, and its CAST rounds ties to even. Multiplied by the reciprocal and lowered by half a
    step, x gives a level that is right or one too small; comparing x with the next level's smallest float decides.
    """
    x, to = match["input"], target8(match)
    least, most = to.dtype.limits
    with np.errstate(over="ignore"):
        reciprocal = float(F32(1) / to.scale)
    if not np.isfinite(reciprocal):
        raise Decline(f"a scale of {to.scale:.3g}, whose reciprocal no float holds")
    match.note_once(UNDEFINED)
    scaled = x * reciprocal
    if match.options.numerics == "compact":
        match.note("multiplied by the reciprocal scale, ties to even: this operator may differ by 1 step")
        moved = scaled + to.zero_point if to.zero_point else scaled
        return to_result_type(match, clamp(moved, least, most, nan_mode="IGNORE").cast(to.dtype))
    lowered = scaled + (to.zero_point - least - 0.5)
    level = clamp(lowered, 0.0, float(most - least), nan_mode="IGNORE").cast(DType.I32)
    level = stepped(x, level, smallest_floats(to.scale, to.zero_point, to.dtype))
    if to.dtype is DType.I8:
        return to_result_type(match, rescale(level, DType.I8, *TIMES_ONE, output_zp=least))
    return (level + least).cast(to.dtype)


def undefined_floats(match: Match, x: Array) -> Array:
    """Where the kernel's conversion to int, or adding the zero point to it, is undefined."""
    with np.errstate(all="ignore"):
        level = round_away(x / F32(match.result_quant.scale[0])).astype(np.float64)
    return ~(np.maximum(np.abs(level), np.abs(level + match.result_quant.zero_point[0])) < 1 << 31)


@lru_cache(16)
def smallest_floats(scale: np.float32, zero_point: int, dtype: DType = DType.I8) -> Array:
    """For each stored value from the least on the smallest float that is quantized to more; infinity for the last.

    Rounded once, the quotient of a level's bound is within few units in the last place of it.
    """
    least, most = dtype.limits
    level = np.arange(least + 1, most + 1) - zero_point
    with np.errstate(over="ignore"):
        bound = _ordered(((level - 0.5) * np.float64(scale)).astype(F32))
        limit = _ordered(np.finfo(F32).max.reshape(1))
        low, high = (np.clip(bound + ulps, -limit, limit) for ulps in (-8, 8))
        while (low < high).any():  # the smallest float of each that reaches the level
            middle = (low + high) >> 1
            reached = round_away(_float(middle) / scale) >= level
            low, high = np.where(reached, low, middle + 1), np.where(reached, middle, high)
    return np.append(_float(low), F32(np.inf))


def _ordered(x: Array) -> Array:
    """Floats as integers in the same order."""
    bits = x.view(np.int32).astype(np.int64)
    return np.where(bits < 0, -(bits & 0x7FFFFFFF), bits)


def _float(order: Array) -> Array:
    bits = np.where(order < 0, -order | 0x80000000, order)
    return np.asarray(bits.astype(np.uint32).view(F32))


def quantize_i32(match: Match) -> Expr:
    """QUANTIZE of i32 (Requantize, requantized_entries.h): RESCALE."""
    x, to = centered_i32(match), target8(match)
    return to_result_type(match, requantized(match, x, scale_ratio(match), to.zero_point, dtype=to.dtype))


def centered_i32(match: Match) -> Expr:
    """An i32 operand less its zero point, which saturates."""
    x = match["input"]
    zero = per_tensor(match.quant("input"), unsigned=False, dtype=DType.I32).zero_point
    if zero:
        x = maximum(x, INT32_MIN + zero) if zero > 0 else x
        x = minimum(x, INT32_MAX + zero) if zero < 0 else x
        x = x - zero
    return x


def undefined_integers(match: Match, x: Array) -> Array:
    """Where the difference, the product or its sum with the zero point overflows."""
    centered = x.astype(np.int64) - match.quant(0).zero_point[0]
    beyond = (centered < INT32_MIN) | (centered > INT32_MAX)
    ratio = np.float64(F32(match.quant(0).scale[0])) / np.float64(F32(match.result_quant.scale[0]))
    centered = np.where(beyond, 0, centered)
    results = centered * ratio + match.result_quant.zero_point[0]
    beyond |= (results < INT32_MIN) | (results > INT32_MAX)
    return beyond | undefined_at(centered, quantize_multiplier(ratio))


def other_signedness(match: Match) -> Expr:
    """QUANTIZE of the same steps, signed for unsigned or the other way round -> RESCALE by 1."""
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
    """The multiplier of Requantize."""
    return quantize_multiplier(np.float64(F32(match.quant(0).scale[0])) / np.float64(target8(match).scale))


def dequantize(match: Match) -> Expr:
    """DEQUANTIZE."""
    return reals(match, "input")


def reals(match: Match, key: Key) -> Expr:
    """The reals of an operand: scale * (stored - zero point), one float32 product that is rounded as a double's."""
    quant, dtype = match.quant(key), match.source(key).type.dtype
    if quant.per_tensor and dtype in NARROW and (dtype is DType.UI8 or any(quant.zero_point)):
        x = operand(match, key)
        return widened(x).cast(DType.FP32) * _float_scalar(x)
    small = dtype in (DType.I4, DType.I2)
    stored = const(match.constant(key), DType.I8) if small else match[key]
    shape = [-1 if i == quant.axis else 1 for i in range(stored.rank)]
    real = stored.cast(DType.FP32)
    if any(quant.zero_point):
        real = real - const(np.reshape(np.array(quant.zero_point, F32), shape), DType.FP32)
    return real * const(np.reshape(np.array(quant.scale, F32), shape), DType.FP32)


def _float_scalar(x: Operand) -> Expr:
    return const(np.full((1,) * x.value.rank, x.scale), DType.FP32)


# ** checks **


@condition("from fp32 to 8 bits with one scale")
def from_float(match: Match) -> str | None:
    """Against anything but float32 to 8 bits with one scale."""
    return _from(match, DType.FP32) or not_eight_bit([match.op.results[0]])


@condition("from quantized i32 to 8 bits with one scale")
def from_i32(match: Match) -> str | None:
    """Against anything but quantized i32 to 8 bits with one scale."""
    if match.source(0).type.quant is None:
        return f"{match.source(0).name!r} has no quantization parameters"
    return _from(match, DType.I32) or not_eight_bit([match.op.results[0]])


@condition("the elements of one type 128 more than those of the other")
def same_steps(match: Match) -> str | None:
    """Against anything but the same scale and zero points 128 apart."""
    types = match.source(0).type.dtype, match.op.results[0].type.dtype
    if set(types) != set(NARROW):
        return f"from {types[0].value} to {types[1].value}"
    return None if affine(match, 0) == target8(match)[:2] else "the scale or zero point changes"


def _from(match: Match, dtype: DType) -> str | None:
    given = match.source(0).type.dtype
    return None if given is dtype else f"{match.source(0).name!r} is of type {given.value}, not {dtype.value}"


@condition("from 2, 4, 8 or 16 quantized bits to fp32")
def to_float(match: Match) -> str | None:
    """Against anything but 2, 4, 8 or 16 bits to float32, with scales per channel for signed types only."""
    type = match.source(0).type
    if type.dtype not in (*NARROW, DType.I2, DType.I4, DType.I16) or type.quant is None:
        return f"{match.source(0).name!r} is {type}, not quantized i8"
    if type.dtype is DType.UI8 and not type.quant.per_tensor:
        return f"{match.source(0).name!r} is of uint8 with a scale per channel"
    made = match.op.results[0].type.dtype
    return None if made is DType.FP32 else f"the result is of type {made.value}"


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.quantize", "fp32", quantize, (from_float, as_reference)),
    Rewrite("tfl.quantize", "i32", quantize_i32, (from_i32, as_reference)),
    Rewrite("tfl.quantize", BYTES, other_signedness, (eight_bit(0), same_steps)),
    Rewrite("tfl.quantize", BYTES, by_table(requantized_entries), (eight_bit(0), as_reference), label="requantize"),
    Rewrite("tfl.dequantize", "i2 i4 i8 ui8 i16", dequantize, (to_float,)),
)
