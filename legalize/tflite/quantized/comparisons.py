"""Comparisons of quantized elements (comparisons.cc).

For 8 bits, and for equality of 16, the kernels bring both operands to the scale of 2**-8, each rounded as a product is,
and compare that: elements on scales below 2**-8 may be equal though they aren't. Other int16 elements are compared as
they are stored.
"""

import operator
from collections.abc import Callable

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import BYTES
from tosa_converter.legalize.quant.elements import (
    Quantized,
    affine,
    as_reference,
    not_of_bits,
    operand,
    rescale_operand,
    without_scales,
)
from tosa_converter.legalize.quant.multipliers import quantize_multiplier
from tosa_converter.legalize.quant.requantize import requantize_to_i32
from tosa_converter.legalize.quant.shared_scale import move_to_scale
from tosa_converter.legalize.quant.widths import WIDTHS
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import rescale
from tosa_converter.rewriting.rule import Rule, condition

HEADROOM = 8  # bits that the kernels shift operands left by before they bring them to one scale
COMPARISONS: dict[str, Callable[[Expr, Expr], Expr]] = {
    "equal": operator.eq,
    "not_equal": operator.ne,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "less": operator.lt,
    "less_equal": operator.le,
}
SCALED_I16 = ("equal", "not_equal")  # the kernels of int16 that look at scales


def compare(match: Match) -> Expr:
    """Lowers a quantized comparison: RESCALEs of both operands to the scale 2**-8, and a comparison of i32."""
    a, b = (_on_common_scale(match, operand(match, i)) for i in range(2))
    return COMPARISONS[_operator_name(match)](a, b)


def compare_stored(match: Match) -> Expr:
    """Lowers a comparison of int16 to CASTs and a comparison of i32: LiteRT doesn't read the scales.

    For NOT_EQUAL without scales, where LiteRT writes nothing, a note says so.
    """
    if is_undefined(match):
        match.note("LiteRT's kernel writes no result for int16 without scales; the conversion compares the elements")
    a, b = (match[i].cast(DType.I32) for i in range(2))
    return COMPARISONS[_operator_name(match)](a, b)


def _operator_name(match: Match) -> str:
    """Returns the operator's name without the prefix "tfl."."""
    return match.op.base_name


# 4 on a scale of 0.1 and 2 on 0.2 are the same real. In steps of 2**-8 they are 102.4 and 102.4; the kernel's roundings
# make 102 of the one and 103 of the other, so they compare as unequal, and so must they here. One step of 0.001 is
# 0.256 of 2**-8, which rounds to 0: equal to 0.
def _on_common_scale(match: Match, x: Quantized) -> Expr:
    """Returns an operand on the scale 2**-8, as MultiplyByQuantizedMultiplier of 256 * (stored - zero point).

    For a scale of 1 or more, where LiteRT's shift is undefined in C, the multiplier is the scale's real value, with a
    note.
    """
    if not _shifts_left(x.scale):
        return move_to_scale(match, x, np.float64(1), HEADROOM)
    match.note(
        "LiteRT shifts by a negative number of bits, which is undefined in C; the conversion compares the real values"
    )
    value, zero = rescale_operand(x)
    shifted = rescale(value, DType.I32, [1 << 30], [30 - HEADROOM], input_zp=zero)
    peak = (WIDTHS[x.value.dtype].magnitude + abs(x.zero_point)) << HEADROOM
    return requantize_to_i32(match, shifted, quantize_multiplier(np.float64(x.scale)), peak=peak)


def _shifts_left(scale: np.float32) -> bool:
    """Returns whether a scale is 1 or more: LiteRT would then shift by a negative number, which C leaves undefined."""
    return bool(scale >= 1)


def is_undefined(match: Match) -> bool:
    """Returns whether LiteRT's result of the comparison is undefined.

    Kernels that read scales shift left by a negative number for a scale of 1 or more. NOT_EQUAL of int16 without scales
    writes no result.
    """
    if match.source(0).type.dtype is DType.I16:
        if match.source(0).type.quant is None:
            return _operator_name(match) == "not_equal"
        if _operator_name(match) not in SCALED_I16:
            return False
    return any(_shifts_left(affine(match, i).scale) for i in range(2))


@condition("operands are of 16 bits with one scale each")
def scaled_i16(match: Match) -> str | None:
    """Declines operands that aren't int16 with one scale each."""
    return not_of_bits(16, (DType.I16,), match.op.operands)


I16 = (scaled_i16, as_reference)
RULES: tuple[Rule, ...] = (
    *(Rule(f"tfl.{name}", BYTES, compare, (as_reference,)) for name in COMPARISONS),
    *(Rule(f"tfl.{name}", "i16", compare, I16, label="compare_i16") for name in SCALED_I16),
    *(Rule(f"tfl.{name}", "i16", compare_stored, (without_scales,)) for name in SCALED_I16),
    *(Rule(f"tfl.{name}", "i16", compare_stored) for name in COMPARISONS if name not in SCALED_I16),
)
