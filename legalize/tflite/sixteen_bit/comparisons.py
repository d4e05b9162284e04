"""Comparisons of int16 elements (comparisons.cc): for equality on a shared scale, for order as they are stored."""

from tosa_converter.dtypes import DType
from tosa_converter.legalize.quant.elements import as_reference, not_of_bits, without_scales
from tosa_converter.legalize.tflite.quantized import comparisons as quantized
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.rewrite import Match, Rewrite, condition

SCALED = ("equal", "not_equal")  # in which the kernels look at scales


def compare_stored(match: Match) -> Expr:
    """Two CASTs to i32 and the comparison."""
    if undefined(match):
        match.note("LiteRT's kernel for int16 without scales writes no result; this compares the elements")
    a, b = (match[i].cast(DType.I32) for i in range(2))
    return quantized.COMPARISONS[match.op.name.removeprefix("tfl.")].of(a, b)


def undefined(match: Match) -> bool:
    """Whether LiteRT leaves the result undefined: NOT_EQUAL does nothing without scales."""
    if match.source(0).type.quant is None:
        return match.op.name == "tfl.not_equal"
    return match.op.name.removeprefix("tfl.") in SCALED and quantized.undefined(match)


@condition("operands are of 16 bits with one scale each")
def scaled(match: Match) -> str | None:
    """Against operands that aren't int16 with one scale."""
    return not_of_bits(16, (DType.I16,), match.op.operands)


REWRITES: tuple[Rewrite, ...] = (
    *(Rewrite(f"tfl.{name}", "i16", quantized.compare, (scaled, as_reference)) for name in SCALED),
    *(Rewrite(f"tfl.{name}", "i16", compare_stored, (without_scales,)) for name in SCALED),
    *(Rewrite(f"tfl.{name}", "i16", compare_stored) for name in quantized.COMPARISONS if name not in SCALED),
)
