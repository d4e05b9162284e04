"""Quantized operands and results: checks, scales, the signed form of uint8, activation ranges.

Arithmetic is on int8 or int16. A uint8 tensor is the int8 tensor of the same reals whose elements and zero point are
128 less, which is the same bits with the top one flipped; the kernels for both types compute the same unless a rewrite
says so.
"""

from collections.abc import Collection, Iterable
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import FLIPPED, Array, Quant, Value
from tosa_converter.legalize.quant.multipliers import round_away
from tosa_converter.legalize.quant.requantize import TIMES_ONE
from tosa_converter.legalize.tflite.activation import Fused
from tosa_converter.rewriting import operators
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.operators import rescale
from tosa_converter.rewriting.rewrite import Check, Decline, Key, Match, condition
from tosa_converter.schemas.tflite import ActivationFunctionType

INT8_MIN, INT8_MAX = -128, 127
VALUES = np.arange(INT8_MIN, INT8_MAX + 1)
NARROW = (DType.I8, DType.UI8)
LARGEST = {DType.I8: 255, DType.I16: 1 << 15}  # magnitude of a stored value less the zero point
LEFT = "as LiteRT's reference kernels: its XNNPACK delegate leaves this operator to others"
OR_NONE = ", or none"  # of a scale: what kernels that look at none say of their operands


# The real bounds of fused activations that the kernels know (CalculateActivationRangeQuantized, kernel_util.cc).
BOUNDS: dict[ActivationFunctionType, tuple[float | None, float | None]] = {
    ActivationFunctionType.RELU: (0.0, None),
    ActivationFunctionType.RELU6: (0.0, 6.0),
    ActivationFunctionType.RELU_N1_TO_1: (-1.0, 1.0),
}


class Affine(NamedTuple):
    """One scale and zero point as those of int8; the scale is a float, as the kernels have it."""

    scale: np.float32
    zero_point: int


class Operand(NamedTuple):
    """An int8 or int16 tensor with its one scale and zero point."""

    value: Expr
    scale: np.float32
    zero_point: int


class Target8(NamedTuple):
    """The quantization of a result, as that of int8 for uint8."""

    scale: np.float32
    zero_point: int
    unsigned: bool
    dtype: DType = DType.I8


def eight_bit(*keys: Key, plain: bool = False) -> Check:
    """Against anything but 8-bit operands `keys` and an 8-bit result, each with one scale; `plain`: or none."""

    def reason(match: Match) -> str | None:
        values = (*map(match.source, keys), match.op.results[0])
        return not_of_bits(8, NARROW, values, plain=plain)

    return Check(f"operands and result are of 8 bits with one scale each{OR_NONE * plain}", reason)


def not_eight_bit(values: Iterable[Value]) -> str | None:
    """What is wrong with the first value that isn't of 8 bits with one scale."""
    return not_of_bits(8, NARROW, values)


def not_of_bits(bits: int, dtypes: Collection[DType], values: Iterable[Value], *, plain: bool = False) -> str | None:
    """What is wrong with the first value that isn't of these types, which have so many bits, with one scale.

    A value may have no scale if `plain`.
    """
    for value in values:
        if value.type.dtype not in dtypes:
            return f"{value.name!r} is of type {value.type.dtype.value}, not of {bits} bits"
        if value.type.quant is None:
            if plain:
                continue
            return f"{value.name!r} has no quantization parameters"
        if not value.type.quant.per_tensor:
            return f"{value.name!r} has a scale per channel"
    return None


@condition("neither operand nor result has a scale")
def without_scales(match: Match) -> str | None:
    """Against a scale of the first operand or the result."""
    scaled = [value for value in (match.source(0), match.op.results[0]) if value.type.quant is not None]
    return f"{scaled[0].name!r} has a scale" if scaled else None


@condition("computed as LiteRT's reference kernels do")
def as_reference(match: Match) -> str | None:
    """Against nothing: in numerics of XNNPACK's, whose rewrites are tried before, the user is told."""
    if match.options.numerics == "xnnpack":
        match.note(LEFT)
    return None


@condition("operand and result are of one type")
def same_type(match: Match) -> str | None:
    """Against an operand and a result of different types."""
    given, made = match.source(0).type.dtype, match.op.results[0].type.dtype
    return None if given is made else f"from {given.value} to {made.value}"


def signed(value: Value) -> DType:
    """The type that an operand or result is computed in: int8 for uint8."""
    dtype = value.type.dtype
    return DType.I8 if dtype is DType.UI8 else dtype


def per_tensor(quant: Quant, unsigned: bool, dtype: DType = DType.I8) -> Affine:
    """Scale and zero point as those of the signed type.

    Raises:
        Decline: there are several, the scale is 0, or the zero point is out of range.
    """
    if not quant.per_tensor:
        raise Decline("a scale per channel")
    if not quant.scale[0]:
        raise Decline("a scale of 0")
    zero_point = quant.zero_point[0] - (128 if unsigned else 0)
    least, most = dtype.limits
    if not least <= zero_point <= most:
        raise Decline(f"zero point {quant.zero_point[0]} is out of the type's range")
    return Affine(np.float32(quant.scale[0]), zero_point)


def affine(match: Match, index: Key) -> Affine:
    """Scale and zero point of operand `index` as those of its signed type."""
    value = match.source(index)
    return per_tensor(match.quant(index), value.type.dtype is DType.UI8, signed(value))


def operand(match: Match, index: Key) -> Operand:
    """Operand `index` in its signed type."""
    return Operand(stored(match, index), *affine(match, index))


def stored(match: Match, index: Key) -> Expr:
    """Operand `index` as int8 elements in the order of the source's, whatever their quantization."""
    value = match[index]
    return swap_signedness(value) if match.source(index).type.dtype is DType.UI8 else value


def target8(match: Match) -> Target8:
    """The result's quantization as that of its signed type."""
    result = match.op.results[0]
    unsigned, dtype = result.type.dtype is DType.UI8, signed(result)
    return Target8(*per_tensor(match.result_quant, unsigned, dtype), unsigned, dtype)


def swap_signedness(x: Expr) -> Expr:
    """int8 for uint8 and back: the top bit flipped."""
    return x ^ INT8_MIN


def to_result_type(match: Match, x: Expr) -> Expr:
    """The int8 result as the source's type; what flips it back reads it under a name of its own."""
    if match.op.results[0].type.dtype is not DType.UI8:
        return x
    return swap_signedness(named(match, x, FLIPPED))


def named(match: Match, x: Expr, suffix: str) -> Expr:
    """The operator's result in another form, unless it has a name; `undefined.py` finds it by that."""
    if not x.value.name and x.value.producer is not None:
        x.value.name = match.op.results[0].name + suffix
    return x


def widened(x: Operand) -> Expr:
    """The stored value less the zero point, in i32."""
    value, zero = rescalable(x)
    return value if value is not x.value else rescale(value, DType.I32, *TIMES_ONE, input_zp=zero)


def rescalable(x: Operand) -> tuple[Expr, int]:
    """A value and its zero point for RESCALE, which takes none of int16 (2.13.2)."""
    if not x.zero_point or x.value.dtype is not DType.I16:
        return x.value, x.zero_point
    wide = x.value.cast(DType.I32)
    return wide - x.zero_point, 0


def emit_table(x: Expr, results: Array, *, from_unsigned: bool, to_unsigned: bool) -> Expr:
    """TABLE of the results for -128 to 127 in int8, on the bits of the types that operand and result have."""
    results = np.asarray(results, np.int8)
    if from_unsigned:  # the bits 0 to 127 are those of the lower half
        results = np.roll(results, 128)
    return operators.table(x, results ^ np.int8(INT8_MIN) if to_unsigned else results)


def activation_range(
    kind: ActivationFunctionType, scale: np.float32, zero_point: int, dtype: DType = DType.I8
) -> tuple[int, int]:
    """The stored values that a fused activation leaves (CalculateActivationRangeQuantized).

    TANH and SIGN_BIT bound nothing, as in the kernels.
    """
    below, above = BOUNDS.get(kind, (None, None))
    least, most = dtype.limits
    low = least if below is None else max(least, quantized(below, scale, zero_point))
    high = most if above is None else min(most, quantized(above, scale, zero_point))
    return min(low, high), high


def quantized(real: float, scale: np.float32, zero_point: int) -> int:
    """A bound as stored value.

    Raises:
        Decline: it doesn't fit 32 bits, which the kernels refuse or leave undefined.
    """
    level = float(round_away(np.float32(real) / scale))
    if not abs(level) < 1 << 31:
        raise Decline(f"a scale of {scale:.3g}, on which {real} doesn't fit 32 bits")
    return zero_point + int(level)


def fused_range(match: Match, to: Target8) -> tuple[int, int]:
    """The range of the operator's fused activation, noting those that the kernels ignore."""
    kind = match.attributes(Fused).fused_activation_function
    if kind not in BOUNDS and kind is not ActivationFunctionType.NONE:
        match.note(f"the fused activation {kind.name} is ignored, as LiteRT's kernels do")
    return activation_range(kind, to.scale, to.zero_point, to.dtype)


def stored_range(match: Match) -> tuple[int, int]:
    """The range of a fused activation, which a result without a scale doesn't have.

    Raises:
        Decline: it has, and LiteRT's kernels divide by 0.
    """
    result = match.op.results[0]
    if result.type.quant is not None:
        return fused_range(match, target8(match))
    if match.attributes(Fused).fused_activation_function in BOUNDS:
        raise Decline("a fused activation of elements that have no scale")
    return signed(result).limits


def avoided(match: Match, name: str) -> bool:
    """Whether an operator of TOSA is to give way to another form."""
    target = match.options.target
    return target is not None and target.preset is not None and name in target.preset.avoids


def int16(match: Match) -> bool:
    """Whether operators may have the i16 that EXT-INT16 gives them."""
    target = match.options.target
    return target is None or "EXT-INT16" in target.supported


def sixteen_bit(*keys: Key, plain: bool = False, symmetric: bool = True) -> Check:
    """Against anything but int16 operands `keys` and an int16 result, each with one scale and a zero point of 0.

    `plain`: or without scale; not `symmetric`: with any zero point.
    """
    zero = " and a zero point of 0" * symmetric

    def reason(match: Match) -> str | None:
        values = (*map(match.source, keys), match.op.results[0])
        if not symmetric:
            return not_of_bits(16, (DType.I16,), values, plain=plain)
        return not_sixteen_bit(values, plain=plain)

    return Check(f"operands and result are of 16 bits with one scale each{zero}{OR_NONE * plain}", reason)


def not_sixteen_bit(values: Iterable[Value], *, plain: bool = False) -> str | None:
    """What is wrong with the first value that isn't int16 with one scale and a zero point of 0; `plain`: or none."""
    values = list(values)
    reason = not_of_bits(16, (DType.I16,), values, plain=plain)
    if reason is not None:
        return reason
    for value in values:
        if value.type.quant is not None and value.type.quant.zero_point[0]:
            return f"{value.name!r} has a zero point of {value.type.quant.zero_point[0]}, not 0"
    return None
