"""Elementwise operators of two operands of 8 or 16 bits, with broadcast; some also of elements without scales.

ADD, SUB and SQUARED_DIFFERENCE bring both operands to one scale with some bits of headroom (add.cc, sub.cc,
squared_difference.cc; `quant.shared_scale`); MUL multiplies first (mul.cc). Between scales that are powers of two, ADD
and SUB of 16 bits shift one operand instead.
"""

import operator
from collections.abc import Callable

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Form
from tosa_converter.legalize.checks import BYTES
from tosa_converter.legalize.quant.elements import (
    INT8_MAX,
    INT8_MIN,
    NARROW,
    VALUES,
    OutputQuant,
    Quantized,
    affine,
    as_reference,
    eight_bit,
    fused_range,
    largest_magnitude,
    name_after_result,
    not_eight_bit,
    not_of_bits,
    operand,
    output_quant,
    requantized_result,
    rescale_operand,
    signed_dtype,
    sixteen_bit,
    stored_elements,
    subtract_zero_point,
    to_result_type,
    without_scales,
)
from tosa_converter.legalize.quant.multipliers import exact_log2, multiply, quantize_multiplier, undefined_mask
from tosa_converter.legalize.quant.quotients import (
    quotient_multiplier,
    quotient_table,
    reciprocal_mantissas,
)
from tosa_converter.legalize.quant.quotients import undefined_quotients as undefined_at_pairs
from tosa_converter.legalize.quant.requantize import OVERFLOW, TIMES_ONE, clamp_to_range, divide_by_power, requantize_to
from tosa_converter.legalize.quant.shared_scale import (
    SharedScale,
    operands_on_shared_scale,
    plan_square,
    plan_sum,
    require_below_one,
)
from tosa_converter.legalize.quant.widths import WIDTHS
from tosa_converter.legalize.tflite.activation import Fused
from tosa_converter.legalize.tflite.disagreements import note_disagreement
from tosa_converter.rewriting import expr, operators
from tosa_converter.rewriting.expr import Expr, clamp, clz, const, where
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import gather, rescale
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Build, Rule, condition
from tosa_converter.schemas.flat import Bool, Table
from tosa_converter.schemas.tflite import ActivationFunctionType

UNSCALED = OutputQuant(np.float32(1), 0, unsigned=False, dtype=DType.I16)  # a result that has no scale


class PowerOfTwo(Table):
    """The option of ADD and SUB that enables shifts for int16 scales that are powers of two."""

    pot_scale_int16: Bool = True


# ** sums and differences **


# 10 on a scale of 0.5 and 7 on 0.25, to a scale of 0.5: twice the larger scale is 1, so the shared scale is 2**-20. The
# operands are 10 * 2**20 / 2 = 5242880 and 7 * 2**20 / 4 = 1835008, their sum 7077888 stands for 6.75. The result is
# that times 2**-19: 13.5, a tie, which goes away from zero to 14. A sum of two halves of 255 * 2**20 is below 2**28.
def add(match: Match) -> Expr:
    """Lowers quantized ADD: RESCALEs both operands to one scale, adds, and RESCALEs to the result's."""
    shared = _shared_scale(match, plan_sum)
    require_below_one(shared.to_result)
    a, b = operands_on_shared_scale(match, shared)
    return requantized_result(match, a + b, shared.to_result, peak=shared.peak)


def sub(match: Match) -> Expr:
    """Lowers quantized SUB: RESCALEs both operands to one scale, subtracts, RESCALEs; notes results undefined in C."""
    shared = _shared_scale(match, plan_sum)
    if undefined_difference(match):
        match.note(
            "LiteRT shifts by a negative number of bits, which is undefined in C; the conversion gives the difference"
        )
    a, b = operands_on_shared_scale(match, shared)
    return requantized_result(match, a - b, shared.to_result, peak=shared.peak)


def squared_difference(match: Match) -> Expr:
    """Lowers quantized SQUARED_DIFFERENCE: RESCALEs both operands to one scale, SUB, MUL, RESCALE.

    LiteRT has no kernel for int16; there it is computed as in TensorFlow Lite Micro.
    """
    shared = _shared_scale(match, plan_square)
    if output_quant(match).dtype is DType.I16:
        match.note_once("LiteRT has no kernel for this on int16; computed as TensorFlow Lite Micro's does")
    a, b = operands_on_shared_scale(match, shared)
    difference = a - b
    return requantized_result(match, difference * difference, shared.to_result, peak=shared.peak)


def _shared_scale(match: Match, plan: Callable[[np.float32, np.float32, OutputQuant], SharedScale]) -> SharedScale:
    """Returns the scale on which both operands are added or subtracted; `plan` computes it from the three scales."""
    return plan(affine(match, 0).scale, affine(match, 1).scale, output_quant(match))


# ** scales that are powers of two: Add of reference/add.h, Sub16 of reference/sub.h **


def with_power_of_two_scales(general: Callable[[Match], Expr], combine: Callable[[Expr, Expr], Expr]) -> Build:
    """Returns a build function that shifts and combines operands if all scales are powers of two, else `general`."""

    def build(match: Match) -> Expr:
        """Shifts and combines the operands in i32 if `_right_shifts` returns shifts, else calls `general`."""
        shifts = _right_shifts(match)
        if shifts is None:
            return general(match)
        # Of 16 bits shifted right by 17 or more, 0 is left.
        shifted = [divide_by_power(operand(match, i).value, min(shift, 17)) for i, shift in enumerate(shifts)]
        a, b = (x.cast(DType.I32) for x in shifted)
        return clamp_to_range(rescale(combine(a, b), DType.I16, *TIMES_ONE), *fused_range(match, output_quant(match)))

    return build


def _right_shifts(match: Match) -> tuple[int, int] | None:
    """Returns how far operands are shifted right; None without pot_scale_int16, or if a scale is no power of two.

    Raises:
        Decline: an operand would be shifted left, or both right, which the kernels refuse.
    """
    exponents = [exact_log2(x.scale) for x in (affine(match, 0), affine(match, 1), output_quant(match))]
    if None in exponents or not match.attributes(PowerOfTwo).pot_scale_int16:
        return None
    a, b, output = (exponent or 0 for exponent in exponents)
    if min(output - a, output - b) != 0:
        raise Decline(
            "expected the output's scale to be that of an operand, the larger one, where all are powers of two: "
            "LiteRT refuses others"
        )
    return output - a, output - b


# ** products **


# 37 * 5 = 185 on scales of 0.1 and 0.2 stands for 3.7, which on a scale of 0.05 is 74: the multiplier 0.4 is
# 1717987072 * 2**(-1 - 31). A product of 8-bit elements is at most 255**2 < 2**16, one of 16-bit ones 2**30.
def mul(match: Match) -> Expr:
    """Lowers quantized MUL: subtracts zero points by RESCALE, multiplies in i32, and RESCALEs to the result's scale."""
    a, b, output = operand(match, "lhs"), operand(match, "rhs"), output_quant(match)
    multiplier = quantize_multiplier(a.scale * b.scale / output.scale)
    return requantized_result(match, product(a, b), multiplier, peak=WIDTHS[output.dtype].magnitude ** 2)


def product(a: Quantized, b: Quantized) -> Expr:
    """Returns the product of both operands less their zero points, in i32."""
    if a.value.dtype is b.value.dtype and a.zero_point == b.zero_point == 0:
        return a.value * b.value
    return subtract_zero_point(a) * subtract_zero_point(b)


def mul_to_words(match: Match) -> Expr:
    """Lowers MUL of int8 to int32: the unscaled product, less zero points; declines other scales and activations."""
    unscaled = np.float32(1), 0
    a, b = (operand(match, key) if match.source(key).type.quant else Quantized(match[key], *unscaled) for key in (0, 1))
    result = match.op.results[0]
    scale = a.scale * b.scale
    quant = result.type.quant
    if quant is not None and (np.float32(quant.scale[0]) != scale or any(quant.zero_point)):
        raise Decline(f"expected scale {scale:.6g} and zero point 0 of {result.name!r}, found {result.type}")
    if match.attributes(Fused).fused_activation_function is not ActivationFunctionType.NONE:
        raise Decline("expected no fused activation of a 32-bit product")
    note_disagreement(match)
    return product(a, b)


def mul_to_bytes(match: Match) -> Expr:
    """Lowers MUL of int16, as Q0.15, to 8 bits; rounds twice and doesn't read scales (Mul, integer_ops/mul.h).

    Raises:
        Decline: the operands broadcast, which the kernel doesn't.
    """
    output = output_quant(match)
    if match["lhs"].type.shape != match["rhs"].type.shape:
        raise Decline(
            f"expected operands of one shape, found {match['lhs'].type} and {match['rhs'].type}: "
            "the kernel of 8-bit results doesn't broadcast"
        )
    # 0.5 * 0.5 in Q0.15 is 16384 * 16384 / 2**15 = 8192, and in steps of 2**-7 it is 8192 / 2**8 = 32: 0.25.
    a, b = (match[i].cast(DType.I32) for i in range(2))
    y = rescale(divide_by_power(a.times(b, 15), 8), DType.I8, *TIMES_ONE, output_zp=output.zero_point)
    return to_result_type(match, clamp_to_range(y, *fused_range(match, output)))


# ** elements as numbers: of 16 bits, without scales, results wrap **


def plain_add(match: Match) -> Expr:
    """Lowers ADD of int16 without scales: a sum of 32 bits, cut to the lower 16."""
    a, b = (match[i].cast(DType.I32) for i in range(2))
    return _wrap_to_i16(match, a + b)


def plain_mul(match: Match) -> Expr:
    """Lowers MUL of int16 to a result without scale: a product of 32 bits, cut to the lower 16."""
    return _wrap_to_i16(match, match["lhs"] * match["rhs"])


def _wrap_to_i16(match: Match, x: Expr) -> Expr:
    """Returns x cut to its lower 16 bits, clamped to the fused activation."""
    return clamp_to_range(x.cast(DType.I16), *fused_range(match, UNSCALED))


# ** PRELU **


# An element of -50 steps with an alpha of 30 steps, on scales of 0.1 and 0.02, to a scale of 0.1: -1500 * 0.02 = -30.
# The product is at most 255**2 in magnitude, far from what RESCALE takes.
def prelu(match: Match) -> Expr:
    """Lowers PRELU to a TABLE for elements from 0 on, MUL and RESCALE below, and SELECT; notes overflows in LiteRT."""
    x, alpha, output = operand(match, "input"), operand(match, "alpha"), output_quant(match)
    points = VALUES - x.zero_point
    multiplier = quantize_multiplier(x.scale / output.scale)
    if undefined_mask(points, multiplier).any():
        match.note(OVERFLOW)
    results = np.clip(multiply(points, multiplier) + output.zero_point, INT8_MIN, INT8_MAX)
    above = operators.table(x.value, results.astype(np.int8))
    centered = subtract_zero_point(x)
    slope = quantize_multiplier(x.scale * alpha.scale / output.scale)
    below = requantize_to(
        match, centered * subtract_zero_point(alpha), slope, output.zero_point, peak=WIDTHS[DType.I8].magnitude ** 2
    )
    return to_result_type(match, where(centered >= 0, above, below))


def prelu_i16(match: Match) -> Expr:
    """Lowers PRELU of int16 to RESCALE for elements from 0 on, MUL and RESCALE for those below, and SELECT."""
    x, alpha, output = operand(match, "input"), operand(match, "alpha"), output_quant(match)
    value, peak, zero = rescale_operand(x)[0], largest_magnitude(x), output.zero_point
    above = requantize_to(match, value, quantize_multiplier(x.scale / output.scale), zero, peak=peak, dtype=DType.I16)
    centered = value.cast(DType.I32)
    slope = quantize_multiplier(x.scale * alpha.scale / output.scale)
    peak *= WIDTHS[DType.I8].magnitude
    below = requantize_to(match, centered * subtract_zero_point(alpha), slope, zero, peak=peak, dtype=DType.I16)
    return where(centered >= 0, above, below)


# ** MAXIMUM and MINIMUM: the kernels look at no scale **


def maximum(match: Match) -> Expr:
    """Lowers MAXIMUM to that of the stored values: the kernel doesn't read scales."""
    return _choose_stored_values(match, expr.maximum)


def minimum(match: Match) -> Expr:
    """Lowers MINIMUM to that of the stored values: the kernel doesn't read scales."""
    return _choose_stored_values(match, expr.minimum)


def _choose_stored_values(match: Match, choose: Callable[[Expr, Expr], Expr]) -> Expr:
    """Returns MAXIMUM or MINIMUM of the stored values; `choose` is applied in i32."""
    a, b = (stored_elements(match, i).cast(DType.I32) for i in range(2))
    return to_result_type(match, choose(a, b).cast(signed_dtype(match.op.results[0])))


# ** quotients **


def div(match: Match) -> Expr:
    """Lowers DIV to a GATHER of 65536 quotients: the kernel's reciprocal has no shorter form; notes undefined ones."""
    output = output_quant(match)
    quotients = quotient_table(affine(match, 0), affine(match, 1), output, *fused_range(match, output))
    if quotients.undefined.any():
        match.note(
            f"for {np.count_nonzero(quotients.undefined)} of 65536 pairs of elements LiteRT shifts by more than 31 "
            "bits, which is undefined in C; the conversion gives the quotient"
        )
    # Stored values of -128 to 127 are rows and columns 0 to 255: the quotient of 2 by -3 is entry 130 * 256 + 125.
    table = const(quotients.results.reshape(1, -1, 1), DType.I8)
    row, column = (rescale(stored_elements(match, i), DType.I32, *TIMES_ONE, input_zp=INT8_MIN) for i in range(2))
    index = row * const(256, DType.I32) + column
    return name_after_result(match, gather(table, index.reshape((1, index.size))), Form.FLAT).reshape(index.shape)


def div_i16(match: Match) -> Expr:
    """Lowers DIV of int16: a GATHER of fixed-point reciprocals, two MULs and a shift (see `quant.quotients`).

    The kernel's left shifts are left out: those quotients are above 2**28 steps, and saturate anyway.
    """
    output = output_quant(match)
    low, high = (bound - output.zero_point for bound in fused_range(match, output))
    m, shift = (int(part[0]) for part in quotient_multiplier(affine(match, 0), affine(match, 1), output))
    x, y = (rescale_operand(operand(match, i))[0].cast(DType.I32) for i in range(2))
    x = where(y < 0, -x, x)
    y = abs(y)
    zeros = clz(x ^ _sign_mask(x))  # one more than the leading sign bits
    normal = x << zeros - 1
    largest = WIDTHS[DType.I16].magnitude + abs(affine(match, 1).zero_point)
    quotient = normal.times(_gather_inverses(y, largest), 31).times(m, 31)
    # floor(log2 y) = 31 - clz(y), so the kernel's shift to the right is zeros - 1 + 31 - clz(y) - shift.
    exponent = zeros - clz(y) + (30 - shift)
    y = clamp(_shift_right(match, quotient, exponent, 30 - shift), low, high)
    y = y + output.zero_point if output.zero_point else y
    return y.cast(DType.I16)


def _gather_inverses(y: Expr, largest: int) -> Expr:
    """Returns 1 / y as fixed-point mantissas (the exponent is left out), gathered for y of 0 to `largest`."""
    table = const(reciprocal_mantissas(largest).reshape(1, -1, 1), DType.I32)
    return gather(table, y.reshape((1, y.size))).reshape(y.shape)


def _sign_mask(x: Expr) -> Expr:
    """Returns -1 where x is below 0, else 0."""
    return x >> 31


def _shift_right(match: Match, x: Expr, exponent: Expr, middle: int) -> Expr:
    """Returns x / 2**exponent, ties away from 0, for run-time exponents in [middle - 15, middle + 16] (int16 DIV).

    Exponents below 0 count as 0, because those quotients saturate; exponents above 31 give 0. C leaves both undefined,
    which a note says unless `middle` is 15.
    """
    if middle != 15:
        match.note(
            "LiteRT shifts some quotients by more than 31 bits or fewer than 0, which is "
            "undefined in C; the conversion gives the quotients"
        )
    shift = expr.maximum(exponent, 0) if middle <= 15 else expr.minimum(exponent, 31)
    y = (x + _sign_mask(x)).shifted_right(shift, round=True)
    return y if middle <= 15 else where(exponent > 31, 0, y)


# ** where LiteRT's results are undefined: over the operands' stored values in order, unless x and y are arguments **


def undefined_quotients(match: Match, x: Array, y: Array) -> Array:
    """Returns a mask of DIV's results that are undefined in LiteRT; x and y are stored values less zero points."""
    return undefined_at_pairs(quotient_multiplier(affine(match, 0), affine(match, 1), output_quant(match)), x, y)


def undefined_difference(match: Match) -> bool:
    """Returns whether SUB is undefined in LiteRT: its multiplier to the result needs a left shift, which SUB lacks."""
    return bool(_shared_scale(match, plan_sum).to_result.shift[0] > 0)


def undefined_products(match: Match) -> Array:
    """Returns a mask of MUL's results that are undefined in LiteRT, for all pairs of stored values [256,256]."""
    (a_scale, a_zero), (b_scale, b_zero) = affine(match, 0), affine(match, 1)
    products = np.multiply.outer(VALUES - a_zero, VALUES - b_zero)
    return undefined_mask(products, quantize_multiplier(a_scale * b_scale / output_quant(match).scale))


def undefined_slopes(match: Match) -> Array:
    """Returns a mask of PRELU's results that are undefined in LiteRT, for all pairs of stored values [256,256]."""
    (scale, zero), alpha, output = affine(match, 0), affine(match, 1), output_quant(match)
    x = (VALUES - zero)[:, None]
    above = undefined_mask(x, quantize_multiplier(scale / output.scale))
    below = undefined_mask(x * (VALUES - alpha.zero_point), quantize_multiplier(scale * alpha.scale / output.scale))
    return np.where(x >= 0, above, below)


# ** checks **


@condition("elements are 8-bit integers")
def eight_bits(match: Match) -> str | None:
    """Declines elements that aren't 8-bit integers, quantized or not."""
    for value in (*match.op.operands, *match.op.results):
        if value.type.dtype not in NARROW:
            return f"expected {value.name!r} to have 8 bits, found {value.type.dtype.value}"
    return None


@condition("operands are of int8 with one scale or none, the result is of int32")
def to_words(match: Match) -> str | None:
    """Declines results other than int32, and operands other than int8."""
    result = match.op.results[0].type
    if result.dtype is not DType.I32:
        return f"expected a result of i32, found {result}"
    return not_of_bits(8, (DType.I8,), match.op.operands, plain=True)


@condition("the result is of 8 bits with one scale")
def to_eight_bit(match: Match) -> str | None:
    """Declines a result that isn't of 8 bits with one scale."""
    return not_eight_bit(match.op.results)


@condition("the result is of 16 bits without a scale")
def to_plain_i16(match: Match) -> str | None:
    """Declines MUL of int16 unless its result is int16 without quantization parameters."""
    result = match.op.results[0]
    return (
        None
        if result.type.dtype is DType.I16 and result.type.quant is None
        else f"expected {result.name!r} to be i16 without a scale, found {result.type}"
    )


@condition("alpha is of 8 bits with one scale")
def alpha_of_eight_bits(match: Match) -> str | None:
    """Declines PRELU of int16 if alpha isn't quantized with one scale; the rule's types require int8."""
    alpha = match.source("alpha")
    per_tensor = alpha.type.quant is not None and alpha.type.quant.per_tensor
    return None if per_tensor else f"expected {alpha.name!r} to have one scale, found {alpha.type}"


BYTE = (eight_bit(0, 1), as_reference)
WORD = (sixteen_bit(0, 1), as_reference)
WORD_ANY_ZERO = (sixteen_bit(0, 1, symmetric=False), as_reference)
PRELU_I16 = (sixteen_bit("input", symmetric=False), alpha_of_eight_bits, as_reference)
RULES: tuple[Rule, ...] = (
    Rule("tfl.add", BYTES, add, BYTE),
    Rule("tfl.add", "i16", with_power_of_two_scales(add, operator.add), WORD, label="add_i16"),
    Rule("tfl.add", "i16", plain_add, (without_scales,)),
    Rule("tfl.sub", BYTES, sub, BYTE),
    Rule("tfl.sub", "i16", with_power_of_two_scales(sub, operator.sub), WORD, label="sub_i16"),
    Rule("tfl.squared_difference", "i8", squared_difference, BYTE),
    Rule("tfl.squared_difference", "i16", squared_difference, WORD, label="squared_difference_i16"),
    Rule("tfl.mul", BYTES, mul, BYTE),
    Rule("tfl.mul", "i8", mul_to_words, (to_words,)),
    Rule("tfl.mul", "i16", mul, WORD, label="mul_i16"),
    Rule("tfl.mul", "i16", plain_mul, (to_plain_i16,)),
    Rule("tfl.mul", "i16", mul_to_bytes, (to_eight_bit, as_reference)),
    Rule("tfl.div", BYTES, div, BYTE),
    Rule("tfl.div", "i16", div_i16, WORD_ANY_ZERO),
    Rule("tfl.prelu", BYTES, prelu, BYTE),
    Rule("tfl.prelu", "i16*i8", prelu_i16, PRELU_I16, of=("input", "alpha")),
    Rule("tfl.maximum", BYTES, maximum, (eight_bits,)),
    Rule("tfl.maximum", "i16", maximum, label="maximum_i16"),
    Rule("tfl.minimum", BYTES, minimum, (eight_bits,)),
    Rule("tfl.minimum", "i16", minimum, label="minimum_i16"),
)
