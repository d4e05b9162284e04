"""Sums of nodes as 8-bit results: requantized as XNNPACK does, and kept to the node's bounds."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.quant.elements import OutputQuant, output_quant, to_result_type
from tosa_converter.legalize.quant.multipliers import quantize_multiplier
from tosa_converter.legalize.quant.requantize import clamp_for_rescale, clamp_to_range
from tosa_converter.legalize.quant.xnnpack_rounding import quantized_level, requantize_by_float
from tosa_converter.legalize.xnnpack.bounds import node_bounds
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import rescale
from tosa_converter.rewriting.reasons import Decline

COMPACT = "rounded once, where XNNPACK rounds the product to a float first: results may differ by 1 step at ties"


def quantized_bounds(match: Match, output: OutputQuant) -> tuple[int, int]:
    """Returns the XNNPACK node's output_min and output_max, quantized to int8 as its result is."""
    low, high = (quantized_level(bound, output) for bound in node_bounds(match))
    return low, high


def within_bounds(match: Match, y: Expr) -> Expr:
    """Returns int8 elements clamped to the XNNPACK node's output range, in the result's type (int8 or uint8)."""
    return to_result_type(match, clamp_to_range(y, *quantized_bounds(match, output_quant(match))))


def requantized(match: Match, sums: Expr, scale: Array, peak: int = 1 << 31) -> Expr:
    """Returns i32 sums requantized to the XNNPACK node's result (int8 or uint8), within its output range.

    In compact numerics the sums are rounded by one RESCALE.

    Args:
        match: the node.
        sums: in i32.
        scale: of rank 1 in float32, one or one for each channel of the last dimension.
        peak: a bound of the sums' magnitudes; larger ones than 2**31 count as 2**31.

    Raises:
        Decline: a scale of 256 or more, which XNNPACK refuses.
    """
    if not (scale < 256).all():
        raise Decline(f"expected scales of sums below 256, found {scale.max()}")
    zero_point, peak = output_quant(match).zero_point, min(peak, 1 << 31)
    if match.options.numerics == "compact":
        match.note(COMPACT)
        m, shift = quantize_multiplier(scale.astype(np.float64))[0], quantize_multiplier(scale).tosa_shift
        y = rescale(clamp_for_rescale(sums, shift, peak), DType.I8, m, shift, output_zp=zero_point)
    else:
        y = requantize_by_float(sums, scale, zero_point, peak)
    return within_bounds(match, y)
