"""Quantized operands and results: checks, scales, the signed form of uint8, activation ranges.

Arithmetic is on int8 or int16. A uint8 tensor is computed as the int8 tensor of the same reals: elements and zero point
are 128 less, which flips the top bit. The kernels for both types compute the same unless a rule says otherwise.
"""

from collections.abc import Collection, Iterable
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Form, Origin, Quant, Value
from tosa_converter.legalize.quant.multipliers import Multiplier, round_away
from tosa_converter.legalize.quant.requantize import TIMES_ONE, requantize_to
from tosa_converter.legalize.quant.widths import WIDTHS
from tosa_converter.legalize.tflite.activation import Fused
from tosa_converter.rewriting import operators
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Key, Match
from tosa_converter.rewriting.operators import rescale
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Check, condition
from tosa_converter.schemas.tflite import ActivationFunctionType

INT8_MIN, INT8_MAX = -128, 127
VALUES = np.arange(INT8_MIN, INT8_MAX + 1)
NARROW = (DType.I8, DType.UI8)
LEFT = "computed as LiteRT's reference kernels do: its XNNPACK delegate has no kernel for this operator"
OR_NONE = ", or none"  # added to a condition on scales where the kernel ignores them

# Real bounds of the fused activations (CalculateActivationRangeQuantized, kernel_util.cc).
BOUNDS: dict[ActivationFunctionType, tuple[float | None, float | None]] = {
    ActivationFunctionType.RELU: (0.0, None),
    ActivationFunctionType.RELU6: (0.0, 6.0),
    ActivationFunctionType.RELU_N1_TO_1: (-1.0, 1.0),
}


class Affine(NamedTuple):
    """The scale and zero point of a tensor in its signed type; the scale is float32, as in the kernels."""

    scale: np.float32
    zero_point: int


class Quantized(NamedTuple):
    """An int8 or int16 tensor with its scale and zero point."""

    value: Expr
    scale: np.float32
    zero_point: int


class OutputQuant(NamedTuple):
    """The quantization of a result in its signed type, and whether the source's type is unsigned."""

    scale: np.float32
    zero_point: int
    unsigned: bool
    dtype: DType = DType.I8


# ** checks **


def eight_bit(*keys: Key, plain: bool = False) -> Check:
    """Returns a check that operands `keys` and the result have 8 bits and one scale; with `plain`, or no scale."""

    def why_not_8_bits(match: Match) -> str | None:
        """Returns what is wrong with the first operand (of `keys`) or result that isn't of 8 bits with one scale.

        Returns None if all are. With `plain`, integers of 8 bits without a scale are accepted too.
        """
        return not_of_bits(8, NARROW, _operands_and_result(match, keys), plain=plain)

    return Check(f"operands and result are of 8 bits with one scale each{OR_NONE * plain}", why_not_8_bits)


def sixteen_bit(*keys: Key, plain: bool = False, symmetric: bool = True) -> Check:
    """Returns a check that operands `keys` and the result are int16 with one scale; with `plain`, or no scale.

    With `symmetric`, zero points must be 0, which most int16 kernels demand.
    """

    def why_not_16_bits(match: Match) -> str | None:
        """Returns what is wrong with the first operand (of `keys`) or result that isn't int16 with one scale, or None.

        With `plain`, int16 without a scale is accepted; with `symmetric`, another zero point than 0 isn't.
        """
        values = _operands_and_result(match, keys)
        if symmetric:
            return not_sixteen_bit(values, plain=plain)
        return not_of_bits(16, (DType.I16,), values, plain=plain)

    zero = " and a zero point of 0" * symmetric
    return Check(f"operands and result are of 16 bits with one scale each{zero}{OR_NONE * plain}", why_not_16_bits)


def _operands_and_result(match: Match, keys: Iterable[Key]) -> tuple[Value, ...]:
    """Returns the source's values for the operands `keys` and the first result, whose types a check compares."""
    return (*map(match.source, keys), match.op.results[0])


def not_eight_bit(values: Iterable[Value]) -> str | None:
    """Returns what is wrong with the first value that isn't of 8 bits with one scale, or None."""
    return not_of_bits(8, NARROW, values)


def not_sixteen_bit(values: Iterable[Value], *, plain: bool = False) -> str | None:
    """Returns what is wrong with the first value that isn't int16 with one scale and a zero point of 0, or None."""
    values = list(values)
    reason = not_of_bits(16, (DType.I16,), values, plain=plain)
    if reason is not None:
        return reason
    for value in values:
        if value.type.quant is not None and value.type.quant.zero_point[0]:
            return f"expected {value.name!r} to have the zero point 0, found {value.type.quant.zero_point[0]}"
    return None


def not_of_bits(bits: int, dtypes: Collection[DType], values: Iterable[Value], *, plain: bool = False) -> str | None:
    """Returns what is wrong with the first value that isn't of the types `dtypes` with one scale, or None.

    Args:
        bits: of the types, for the message.
        dtypes: the types that are allowed.
        values: of the source.
        plain: allows a value without a scale.
    """
    for value in values:
        if value.type.dtype not in dtypes:
            return f"expected {value.name!r} to have {bits} bits, found {value.type.dtype.value}"
        if value.type.quant is None:
            if plain:
                continue
            return f"expected {value.name!r} to have quantization parameters, found none"
        if not value.type.quant.per_tensor:
            return f"expected {value.name!r} to have one scale, found a scale per channel"
    return None


@condition("neither operand nor result has a scale")
def without_scales(match: Match) -> str | None:
    """Returns a reason to decline an operator whose first operand or result has a scale, or None."""
    scaled = [value for value in (match.source(0), match.op.results[0]) if value.type.quant is not None]
    return f"expected {scaled[0].name!r} to have no scale, found {scaled[0].type}" if scaled else None


@condition("computed as LiteRT's reference kernels do")
def as_reference(match: Match) -> str | None:
    """Returns None, which accepts every operator; with numerics xnnpack, notes that XNNPACK has no kernel for it."""
    if match.options.numerics == "xnnpack":
        match.note(LEFT)
    return None


@condition("operand and result are of one type")
def same_type(match: Match) -> str | None:
    """Returns a reason to decline an operator whose first operand and result differ in element type, or None."""
    source, result = match.source(0).type.dtype, match.op.results[0].type.dtype
    return None if source is result else f"expected a result of {source.value}, found {result.value}"


# ** scales **


def signed_dtype(value: Value) -> DType:
    """Returns the signed type in which an operand or result is computed: int8 for uint8."""
    dtype = value.type.dtype
    return DType.I8 if dtype is DType.UI8 else dtype


def per_tensor(quant: Quant, unsigned: bool, dtype: DType = DType.I8) -> Affine:
    """Returns the only scale and zero point of a tensor; the zero point of uint8 becomes that of int8, 128 less.

    Raises:
        Decline: there are several scales, the scale is 0, or the zero point is out of range.
    """
    if not quant.per_tensor:
        raise Decline("expected one scale, found a scale per channel")
    if not quant.scale[0]:
        raise Decline("expected a positive scale, found 0")
    zero_point = quant.zero_point[0] - (128 if unsigned else 0)
    least, most = dtype.limits
    if not least <= zero_point <= most:
        raise Decline(f"expected a zero point inside the range of its type, found {quant.zero_point[0]}")
    return Affine(np.float32(quant.scale[0]), zero_point)


def affine(match: Match, index: Key) -> Affine:
    """Returns the scale and zero point of an operand of the matched operator; uint8 counts as int8."""
    value = match.source(index)
    return per_tensor(match.quant(index), value.type.dtype is DType.UI8, signed_dtype(value))


def operand(match: Match, index: Key) -> Quantized:
    """Returns an operand of the matched operator in int8 or int16, with its scale and zero point; uint8 as int8."""
    return Quantized(stored_elements(match, index), *affine(match, index))


def stored_elements(match: Match, index: Key) -> Expr:
    """Returns the elements of an operand of the matched operator, uint8 as int8; its quantization isn't read."""
    value = match[index]
    return swap_signedness(value) if match.source(index).type.dtype is DType.UI8 else value


def output_quant(match: Match) -> OutputQuant:
    """Returns the scale and zero point of the matched operator's result; those of uint8 as of int8."""
    result = match.op.results[0]
    unsigned, dtype = result.type.dtype is DType.UI8, signed_dtype(result)
    return OutputQuant(*per_tensor(match.result_quant, unsigned, dtype), unsigned, dtype)


def largest_magnitude(x: Quantized) -> int:
    """Returns the largest |stored value - zero point| that an operand of its type can have."""
    # int8 has 255 whatever the zero point is; int16 has 2**15 for the usual zero point of 0.
    return WIDTHS[x.value.dtype].magnitude + (abs(x.zero_point) if x.value.dtype is DType.I16 else 0)


# ** the signed form, and back to the result **


def swap_signedness(x: Expr) -> Expr:
    """Returns uint8 as int8 of the same reals, or back: the top bit is flipped."""
    return x ^ INT8_MIN


def to_result_type(match: Match, x: Expr) -> Expr:
    """Returns int8 `x` in the result's own type: for uint8 its top bit is flipped, and `x` named after the result."""
    if match.op.results[0].type.dtype is not DType.UI8:
        return x
    return swap_signedness(name_after_result(match, x, Form.FLIPPED))


def name_after_result(match: Match, x: Expr, form: Form) -> Expr:
    """Names `x` after the operator's result that it holds in another form; verification finds it by that name.

    A value that has a name, or that no operator computes, stays as it is.
    """
    if not x.value.name and x.value.producer is not None:
        name = match.op.results[0].name
        x.value.name, x.value.origin = name + form.value, Origin(name, form)
    return x


def requantized_result(match: Match, x: Expr, multiplier: Multiplier, *, peak: int) -> Expr:
    """Converts a sum or product to the operator's result: its scale, zero point, fused activation and type.

    Args:
        match: the operator.
        x: in i32.
        multiplier: the scale of `x` over the result's.
        peak: the largest magnitude that `x` can have.
    """
    output = output_quant(match)
    low, high = fused_range(match, output)
    y = requantize_to(match, x, multiplier, output.zero_point, low, high, peak=peak, dtype=output.dtype)
    return to_result_type(match, y)


def subtract_zero_point(x: Quantized) -> Expr:
    """Returns stored value - zero point in i32: by RESCALE, or CAST and SUB for int16 with a zero point."""
    value, zero = rescale_operand(x)
    return value if value is not x.value else rescale(value, DType.I32, *TIMES_ONE, input_zp=zero)


def rescale_operand(x: Quantized) -> tuple[Expr, int]:
    """Returns the value and zero point to give to RESCALE: for int16 it allows a zero point of 0 only (TOSA 2.13.2)."""
    if not x.zero_point or x.value.dtype is not DType.I16:
        return x.value, x.zero_point
    wide = x.value.cast(DType.I32)
    return wide - x.zero_point, 0


def emit_table(x: Expr, results: Array, *, from_unsigned: bool, to_unsigned: bool) -> Expr:
    """Emits a TABLE that looks up a result for each 8-bit element; uint8 tensors are indexed by their bits.

    Args:
        x: int8 elements, or uint8 ones with the bits of the source.
        results: in int8 for stored values of -128 to 127 in order.
        from_unsigned: whether `x` has the bits of uint8.
        to_unsigned: whether the result shall have the bits of uint8.
    """
    results = np.asarray(results, np.int8)
    if from_unsigned:  # TABLE reads bits 0 to 127 as 0 to 127, but they stand for the stored values -128 to -1
        results = np.roll(results, 128)
    # The bits of uint8 are those of int8 with the top bit flipped.
    return operators.table(x, results ^ np.int8(INT8_MIN) if to_unsigned else results)


# ** activation ranges **


def activation_range(
    kind: ActivationFunctionType, scale: np.float32, zero_point: int, dtype: DType = DType.I8
) -> tuple[int, int]:
    """Returns the least and largest stored value of a fused activation (CalculateActivationRangeQuantized).

    TANH and SIGN_BIT bound nothing, as in the kernels.
    """
    below, above = BOUNDS.get(kind, (None, None))
    least, most = dtype.limits
    low = least if below is None else max(least, quantize_real(below, scale, zero_point))
    high = most if above is None else min(most, quantize_real(above, scale, zero_point))
    return min(low, high), high  # of bounds that cross, the upper one counts, as in the kernels


def quantize_real(real: float, scale: np.float32, zero_point: int) -> int:
    """Returns the stored value that represents a real number.

    Raises:
        Decline: it doesn't fit 32 bits, which the kernels refuse or leave undefined.
    """
    level = float(round_away(np.float32(real) / scale))
    if not abs(level) < 1 << 31:
        raise Decline(f"expected a scale on which {real} fits 32 bits, found {scale:.3g}")
    return zero_point + int(level)


def fused_range(match: Match, output: OutputQuant) -> tuple[int, int]:
    """Returns the least and largest stored value by the operator's fused activation; notes one that LiteRT ignores."""
    kind = match.attributes(Fused).fused_activation_function
    if kind not in BOUNDS and kind is not ActivationFunctionType.NONE:
        match.note(f"the fused activation {kind.name} is ignored, as in LiteRT's kernels")
    return activation_range(kind, output.scale, output.zero_point, output.dtype)


def stored_range(match: Match) -> tuple[int, int]:
    """Returns the least and largest stored value by the fused activation, or the type's if the result has no scale.

    Raises:
        Decline: there is an activation but no scale, and LiteRT's kernels divide by 0.
    """
    result = match.op.results[0]
    if result.type.quant is not None:
        return fused_range(match, output_quant(match))
    if match.attributes(Fused).fused_activation_function in BOUNDS:
        raise Decline("expected no fused activation of elements without a scale")
    return signed_dtype(result).limits


# ** targets **


def target_avoids(match: Match, name: str) -> bool:
    """Returns whether the target's hardware lacks an operator of TOSA, so that another form is emitted."""
    target = match.options.target
    return target is not None and target.preset is not None and name in target.preset.avoids


def has_int16(match: Match) -> bool:
    """Returns whether the target supports EXT-INT16; without a target, everything is supported."""
    target = match.options.target
    return target is None or "EXT-INT16" in target.supported
