"""Operators of one operand of 8 or 16 bits.

Of 8 bits, any function is one TABLE of 256 entries (`quant.byte_tables`). Of 16 bits, functions that LiteRT looks up
with interpolation are a TABLE with its 513 entries and a RESCALE by 2**-7, which rounds as LUTLookup (common.h) does;
multiples are RESCALEs; the others are a GATHER of all 65536 results, because their kernels interpolate between other
points.
"""

import operator
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.checks import BYTES
from tosa_converter.legalize.quant import byte_tables, libm
from tosa_converter.legalize.quant.byte_tables import ByteTable, TableEntries
from tosa_converter.legalize.quant.elements import (
    INT8_MAX,
    INT8_MIN,
    VALUES,
    OutputQuant,
    Quantized,
    affine,
    as_reference,
    eight_bit,
    emit_table,
    operand,
    output_quant,
    quantize_real,
    sixteen_bit,
    target_avoids,
    to_result_type,
    without_scales,
)
from tosa_converter.legalize.quant.libm import F32, ULPS, RealFunction
from tosa_converter.legalize.quant.multipliers import clip_integers, quantize_multiplier
from tosa_converter.legalize.quant.requantize import (
    TIMES_ONE,
    clamp_to_range,
    largest_product,
    requantize_to,
    requantize_to_i32,
    saturate_to,
)
from tosa_converter.legalize.quant.sigmoid import sigmoid_results, tanh_results
from tosa_converter.legalize.quant.tables import (
    INT16_MAX,
    gather_results,
    interpolate_table,
    is_too_steep,
    look_up,
    lut_lookup,
)
from tosa_converter.legalize.quant.tables import VALUES as VALUES_I16
from tosa_converter.legalize.quant.tables import entries as entries_i16
from tosa_converter.legalize.quant.widths import WIDTHS
from tosa_converter.rewriting import operators
from tosa_converter.rewriting.expr import Expr, maximum, minimum, where
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import rescale
from tosa_converter.rewriting.rule import Build, Rule
from tosa_converter.schemas import tflite
from tosa_converter.schemas import tosa_ops as ops

PEAK_I16 = WIDTHS[DType.I16].magnitude
TableOf: TypeAlias = Callable[[Match], ByteTable]  # reads the operator's options

# ** tables of 8 bits **


def lower_by_table(table_of: TableOf) -> Build:
    """Returns a build function that emits one TABLE of 256 results; `table_of` returns the operator's results.

    `table_of(match)` is a function from the operand's and the result's quantization to the entries.
    """
    return lambda match: _emit_lookup(match, table_results(match, table_of))


def table_results(match: Match, table_of: TableOf) -> TableEntries:
    """Returns the operator's results for the 256 stored values in order; `table_of` reads the operator's options."""
    return table_of(match)(affine(match, 0), output_quant(match))


def _emit_lookup(match: Match, results: TableEntries) -> Expr:
    """Emits a TABLE of the results for stored values from -128 to 127; the bits of uint8 are read as int8.

    A note counts the results that are undefined in LiteRT or depend on the last bits of the C library.
    """
    if results.undefined.any():
        match.note(
            f"{np.count_nonzero(results.undefined)} of 256 results overflow in LiteRT "
            "(undefined in C) or depend on the last "
            "bits of the machine's C library; the conversion saturates and rounds correctly"
        )
    stored = clip_integers(results.stored, INT8_MIN, INT8_MAX)
    unsigned = [value.type.dtype is DType.UI8 for value in (match.source(0), match.op.results[0])]
    return emit_table(match[0], stored, from_unsigned=unsigned[0], to_unsigned=unsigned[1])


# ** real functions, of 8 and 16 bits **


def gelu(match: Match) -> RealFunction:
    """Returns GELU as a function of reals: the approximation by tanh if the option says so, else by erf."""
    return libm.gelu(approximate=match.attributes(tflite.GeluOptions).approximate)


def log(match: Match) -> RealFunction:
    """Returns LOG as a function of reals, with the output type's lowest value for elements that aren't positive."""
    output = output_quant(match)
    return libm.log_or(F32(output.dtype.limits[0] - output.zero_point) * output.scale)


def rsqrt_i16(match: Match) -> RealFunction:
    """Returns RSQRT as a function of reals, with the output type's highest value for 0; LiteRT refuses negatives."""
    return libm.rsqrt_or(F32(INT16_MAX) * output_quant(match).scale)


def _table_of_function(function: Callable[[Match], RealFunction]) -> TableOf:
    """Returns a function from an operator to its TABLE, for the float32 function that suits the operator's options."""
    return lambda match: byte_tables.table_of_function(function(match))


def _table_for_all(table: ByteTable) -> TableOf:
    """Returns a function from an operator to its TABLE, for tables that don't depend on the operator's options."""
    return lambda _: table


def tabulated_i16(function: Callable[[Match], RealFunction]) -> Build:
    """Returns a build function for int16: an interpolating TABLE and RESCALE, or a GATHER if that is too steep.

    `function` returns the real function that suits an operator's options.
    """

    def build(match: Match) -> Expr:
        """Emits a TABLE of the function, or a GATHER if it is too steep; notes entries that libm's last bits decide."""
        real, x, output = function(match), affine(match, 0), output_quant(match)

        def entries_off_by(ulps: int) -> Array:
            """Returns the 513 TABLE entries if the C library's results are off by so many ulps."""
            return entries_i16(lambda values: real(values, ulps), x.scale, x.zero_point, output.scale)

        low, table, high = (entries_off_by(ulps) for ulps in (-ULPS, 0, ULPS))
        loose = np.count_nonzero(low != high)
        if loose:
            match.note(f"{loose} of 513 table entries depend on the last bits of the C library")
        if is_too_steep(table):
            return gather_results(match[0], lut_lookup(table))
        return interpolate_table(match[0], table, DType.I16)

    return build


# ** functions by a GATHER, of 16 bits **


def logistic_i16(match: Match) -> Expr:
    """Lowers LOGISTIC of int16 to a lookup of the results for all 65536 stored values (`look_up`: TABLE or GATHER)."""
    return look_up(match, match[0], sigmoid_results(affine(match, 0)))


def tanh_i16(match: Match) -> Expr:
    """Lowers TANH of int16 to a lookup of the results for all 65536 stored values (`look_up`: TABLE or GATHER)."""
    return look_up(match, match[0], tanh_results(affine(match, 0)))


def sqrt_i16(match: Match) -> Expr:
    """Lowers SQRT to a lookup of the results for all stored values (SqrtEvalQuantized, elementwise.cc).

    The kernel truncates, and refuses negative elements.
    """
    x, output = affine(match, 0), output_quant(match)
    root = np.sqrt(x.scale * np.maximum(VALUES_I16, 0).astype(F32)) / output.scale
    return look_up(match, match[0], np.minimum(np.trunc(root), INT16_MAX))


# ** RELU and its kin, of 8 and 16 bits **


def relu_within(low: float, high: float | None) -> Build:
    """Returns a build function for a quantized RELU with real bounds; a `high` of None is no bound (QuantizedReluX)."""

    def build(match: Match) -> Expr:
        """Emits a CLAMP to the activation's range if operand and result have equal quantization and type.

        Else it emits a TABLE for a result of 8 bits, and a RESCALE for int16.
        """
        x, output = affine(match, 0), output_quant(match)
        least, most = _stored_bounds(low, high, output)
        if x == output[:2] and match.source(0).type.dtype is match.op.results[0].type.dtype:
            return to_result_type(match, clamp_to_range(operand(match, 0).value, least, most))
        if output.dtype is DType.I8:
            return _emit_lookup(match, byte_tables.activation_requantized_values(x, output).clip(least, most))
        multiplier = quantize_multiplier(x.scale / output.scale)
        return requantize_to(match, match[0], multiplier, 0, least, most, peak=PEAK_I16, dtype=DType.I16)

    return build


def _stored_bounds(low: float, high: float | None, output: OutputQuant) -> tuple[int, int]:
    """Returns the stored values of an activation's real bounds, within the type's limits."""
    first, last = output.dtype.limits
    least = max(first, quantize_real(low, output.scale, output.zero_point))
    most = last if high is None else min(last, quantize_real(high, output.scale, output.zero_point))
    return min(least, most), most  # of bounds that cross, the upper one counts, as in the kernels


# ** LEAKY_RELU, ABS and NEG **


def leaky_relu(match: Match) -> ByteTable:
    """Returns LEAKY_RELU's table of 8 bits, with alpha from the operator's options."""
    return byte_tables.leaky_relu_table(match.attributes(tflite.LeakyReluOptions).alpha)


# -1005 with an alpha of 0.1 on equal scales: 0.1 is 1717987072 * 2**(-3 - 31), and -100.5 is a tie. The product
# with 0.8 is -804, and -804 / 8 = -100.5 goes away from zero: -101.
def leaky_relu_i16(match: Match) -> Expr:
    """Lowers LEAKY_RELU to two RESCALEs and SELECT, or to others for targets without SELECT (QuantizeLeakyRelu).

    For a negative alpha, the kernel multiplies by |alpha| and negates the product.
    """
    x, output = operand(match, 0), output_quant(match)
    alpha = x.scale * F32(match.attributes(tflite.LeakyReluOptions).alpha) / output.scale
    if target_avoids(match, ops.SELECT.name):
        return _leaky_relu_without_select(match, x, alpha)
    above = requantize_to(
        match, x.value, quantize_multiplier(x.scale / output.scale), 0, peak=PEAK_I16, dtype=DType.I16
    )
    slope = quantize_multiplier(abs(alpha))
    if alpha < 0:
        below = -requantize_to_i32(match, x.value, slope, peak=PEAK_I16)
        below = saturate_to(below, DType.I16, largest_product(slope, PEAK_I16))
    else:
        below = requantize_to(match, x.value, slope, 0, peak=PEAK_I16, dtype=DType.I16)
    return where(x.value.cast(DType.I32) >= 0, above, below)


def _leaky_relu_without_select(match: Match, x: Quantized, slope: np.float32) -> Expr:
    """Returns LEAKY_RELU for targets without SELECT: max(x, 0) and min(x, 0), each times its multiplier, are added.

    `slope` is alpha times the input's scale over the result's. If it is negative, |slope| is multiplied and the product
    subtracted.
    """
    element = x.value.cast(DType.I32)
    sides = maximum(element, 0), minimum(element, 0)
    multipliers = quantize_multiplier(x.scale / output_quant(match).scale), quantize_multiplier(abs(slope))
    above, below = (
        requantize_to_i32(match, side, multiplier, peak=PEAK_I16)
        for side, multiplier in zip(sides, multipliers, strict=True)
    )
    y = (operator.sub if slope < 0 else operator.add)(above, below)
    return saturate_to(y, DType.I16, max(largest_product(multiplier, PEAK_I16) for multiplier in multipliers))


def abs_i16(match: Match) -> Expr:
    """Lowers ABS of int16 to CAST, ABS and RESCALE (AbsEvalQuantized, elementwise.cc).

    If operand and result have one scale, the RESCALE only saturates.
    """
    x, output = operand(match, 0), output_quant(match)
    magnitude = abs(x.value.cast(DType.I32))
    if x.scale == output.scale:
        return rescale(magnitude, DType.I16, *TIMES_ONE)
    return requantize_to(
        match, magnitude, quantize_multiplier(x.scale / output.scale), 0, peak=PEAK_I16, dtype=DType.I16
    )


def plain_abs(match: Match) -> Expr:
    """Lowers ABS of int16 without scales to CAST, ABS, CAST, which wraps."""
    return abs(match[0].cast(DType.I32)).cast(DType.I16)


def neg(match: Match) -> Expr:
    """Lowers NEG to TABLE: the kernel (neg.cc) negates the stored value and wraps, whatever its zero point."""
    return operators.table(match[0], (-VALUES).astype(np.int8))


def neg_i16(match: Match) -> Expr:
    """Lowers NEG of int16 to CAST, NEGATE, CAST: like the 8-bit kernel it negates the stored value and wraps."""
    return (-match[0].cast(DType.I32)).cast(DType.I16)


BYTE = (eight_bit(0), as_reference)
WORD = (sixteen_bit(0), as_reference)
WORD_ANY_ZERO = (sixteen_bit(0, symmetric=False), as_reference)
TABLES: dict[str, tuple[str, TableOf]] = {
    "tfl.logistic": (BYTES, _table_of_function(lambda _: libm.logistic)),
    "tfl.tanh": (BYTES, _table_of_function(lambda _: libm.TANH)),
    "tfl.exp": ("i8", _table_of_function(lambda _: libm.EXP)),
    "tfl.elu": ("i8", _table_of_function(lambda _: libm.elu)),
    "tfl.gelu": (BYTES, _table_of_function(gelu)),
    "tfl.log": ("i8", _table_of_function(log)),
    "tfl.sqrt": ("i8", _table_for_all(byte_tables.sqrt_table)),
    "tfl.rsqrt": ("i8", _table_for_all(byte_tables.rsqrt_table)),
    "tfl.abs": ("i8", _table_for_all(byte_tables.abs_table)),
    "tfl.leaky_relu": (BYTES, leaky_relu),
    "tfl.hard_swish": (BYTES, _table_for_all(byte_tables.hard_swish_table)),
}
RULES: tuple[Rule, ...] = (
    *(Rule(root, types, lower_by_table(table_of), BYTE) for root, (types, table_of) in TABLES.items()),
    Rule("tfl.neg", "i8", neg, (eight_bit(0, plain=True),)),
    Rule("tfl.relu", BYTES, relu_within(0.0, None), BYTE),
    Rule("tfl.relu6", BYTES, relu_within(0.0, 6.0), BYTE),
    Rule("tfl.relu_n1_to_1", BYTES, relu_within(-1.0, 1.0), BYTE),
    Rule("tfl.relu_0_to_1", BYTES, relu_within(0.0, 1.0), BYTE),
    Rule("tfl.exp", "i16", tabulated_i16(lambda _: libm.EXP), WORD, label="exp_i16"),
    Rule("tfl.log", "i16", tabulated_i16(log), WORD, label="log_i16"),
    Rule("tfl.rsqrt", "i16", tabulated_i16(rsqrt_i16), WORD, label="rsqrt_i16"),
    Rule("tfl.logistic", "i16", logistic_i16, WORD),
    Rule("tfl.tanh", "i16", tanh_i16, WORD),
    Rule("tfl.sqrt", "i16", sqrt_i16, WORD),
    Rule("tfl.abs", "i16", abs_i16, WORD),
    Rule("tfl.leaky_relu", "i16", leaky_relu_i16, WORD),
    Rule("tfl.relu", "i16", relu_within(0.0, None), WORD, label="relu_i16"),
    Rule("tfl.relu6", "i16", relu_within(0.0, 6.0), WORD, label="relu6_i16"),
    Rule("tfl.gelu", "i16", tabulated_i16(gelu), WORD_ANY_ZERO, label="gelu_i16"),
    Rule("tfl.abs", "i16", plain_abs, (without_scales,)),
    Rule("tfl.neg", "i16", neg_i16, (sixteen_bit(0, plain=True, symmetric=False),)),
)
