"""QUANTIZE of rows or integers as floats: its results are known, so the floats in front of it aren't computed.

A language model with static quantization begins so: its embedding is a table of floats, and the positions are integers.
Without these floats it runs on a target that has integers alone.
"""

import math

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.ops.index import gather_rows
from tosa_converter.legalize.quant.elements import OutputQuant, as_reference, output_quant, to_result_type
from tosa_converter.legalize.quant.libm import F32
from tosa_converter.legalize.quant.multipliers import round_away
from tosa_converter.legalize.tflite.any_type.embedding import rows_at
from tosa_converter.legalize.tflite.quantized.borders import UNDEFINED
from tosa_converter.rewriting.expr import Expr, const, maximum, minimum
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.rule import Rule, rule

ENTRIES = 1 << 16  # of a table for integers: 128 KB at most, of int16
EXACT = 1 << 24  # integers up to here are exact in float32


@rule(pattern("tfl.quantize", pattern("tfl.embedding_lookup", "indices", "table")), "fp32", as_reference)
def quantized_rows(match: Match) -> Expr:
    """EMBEDDING_LOOKUP, QUANTIZE -> GATHER of the table's rows, which are quantized before.

    A note tells if some element's quotient by the scale isn't finite, since C leaves its QUANTIZE undefined.
    """
    table, output = match.constant("table"), output_quant(match)
    match.require(table.dtype == np.float32, f"expected a table of floats, found {table.dtype}")
    if not np.isfinite(table / output.scale).all():
        match.note_once(UNDEFINED)
    levels = const(_quantize(table, output), output.dtype)
    return to_result_type(match, rows_at(match["indices"], levels))


@rule(pattern("tfl.quantize", pattern("tfl.cast", "x")), "fp32", as_reference)
def quantized_integers(match: Match) -> Expr:
    """CAST of int32 to floats, QUANTIZE -> GATHER of the results, at integers that MAXIMUM and MINIMUM bound."""
    source, output = match.source("x"), output_quant(match)
    match.require(source.type.dtype is DType.I32, f"expected a CAST of i32, found {source.type.dtype.value}")
    match.require(source.type.quant is None, "expected integers without a scale")
    low, high = bounds(output)
    match.require(
        low > -EXACT and high < EXACT and high - low < ENTRIES,
        f"expected at most {ENTRIES} integers between the least and the greatest result, found {high - low + 1}",
    )
    results = _quantize(np.arange(low, high + 1).astype(F32), output)
    index = (minimum(maximum(match["x"], low), high) - low).reshape((1, source.type.elements))
    levels = gather_rows(const(results.reshape(1, -1, 1), output.dtype), index)
    return to_result_type(match, levels.reshape(match["x"].shape))


def bounds(output: OutputQuant) -> tuple[int, int]:
    """Returns two integers: QUANTIZE gives its least result up to the first, and its greatest from the second on.

    For int8 with scale 0.064 and zero point -128, the least result -128 stands for 0, and the greatest for 255 * 0.064
    = 16.3. The bounds are -1 and 17: their quotients -15.6 and 265.6 are beyond 0 and 255 by more than float32 may
    round.
    """
    least, most = output.dtype.limits
    scale, zero_point = float(output.scale), output.zero_point
    return math.floor((least - zero_point - 1) * scale), math.ceil((most - zero_point + 1) * scale)


def _quantize(x: Array, output: OutputQuant) -> Array:
    """Returns QUANTIZE's results for floats: round(x / scale), ties away from zero, plus the zero point."""
    with np.errstate(all="ignore"):
        levels = round_away(x / output.scale) + F32(output.zero_point)
    least, most = output.dtype.limits
    return np.clip(np.nan_to_num(levels, nan=least), least, most).astype(output.dtype.numpy)


RULES: tuple[Rule, ...] = (quantized_rows, quantized_integers)
