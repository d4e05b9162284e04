"""Functions of one int16 value: TABLEs of 513 entries that are interpolated, or a GATHER of all 65536 results."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.quant.multipliers import round_away
from tosa_converter.rewriting import operators
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import gather, rescale

INT16_MIN, INT16_MAX = DType.I16.limits
VALUES = np.arange(INT16_MIN, INT16_MAX + 1)
TABLE_BITS = 7  # of fraction in TABLE's results, and of distance between its entries
STEPS = 512
Real: TypeAlias = np.float32 | np.float64

# ** entries, in numpy **


def entries(function: Callable[[Array], Array], scale: Real, zero_point: int, to_scale: Real) -> Array:
    """Returns the 513 int16 entries with which LUTPopulateInt16 (common.h) samples a real function.

    They are computed in the float type of the scales; the result has a zero point of 0.
    """
    # Linear interpolation is farthest off in the middle between two entries. The kernel corrects each entry by half of
    # that error: for exp with the neighbours 1 and e, the line's middle is 1.859 and the curve's 1.649, so the entry 1
    # becomes 1 - 0.21 / 2 = 0.895.
    real = type(scale)
    first, last = scale * real(INT16_MIN - zero_point), scale * real(INT16_MAX - zero_point)
    step = (last - first) / real(STEPS)
    inverse = real(1 << 16) / (to_scale * real(INT16_MAX) - to_scale * real(INT16_MIN))
    i: Array = np.arange(STEPS + 1).astype(real)
    with np.errstate(over="ignore", invalid="ignore"):
        start = function(first + i * step) * inverse
        middle = round_away(function(first + i[:-1] * step + step / real(2)) * inverse)
        sample = round_away(start)
        line = round_away((start[1:] + sample[:-1]) / real(2))
        sample[:-1] -= round_away((line - middle) / real(2))
        sample[-1] = round_away(function(np.asarray([last])) * inverse)[0]
        return np.nan_to_num(np.clip(sample, INT16_MIN, INT16_MAX)).astype(np.int16)


def table_of_results(results: Array) -> Array:
    """Returns the 513 entries of an int16 TABLE: every 128th of 65536 results, and the last one."""
    return np.append(results[:: 1 << TABLE_BITS], results[-1])


def is_too_steep(table: Array) -> bool:
    """Returns whether a slope between entries leaves 16 bits, where TABLE is unpredictable (apply_lookup_s, 1.12.5)."""
    slope = np.diff(table.astype(np.int64))
    return bool(((slope < INT16_MIN) | (slope > INT16_MAX)).any())


def lut_lookup(table: Array) -> Array:
    """Returns the results that LUTLookup (common.h) interpolates from a 513-entry table, for all int16 values in order.

    Slopes and sums wrap at 16 bits as in C, if a slope is too steep for TABLE.
    """
    entries_16 = table.astype(np.int16)
    slope, offset = np.diff(entries_16).astype(np.int32)[:, None], np.arange(1 << TABLE_BITS)
    half = 1 << (TABLE_BITS - 1)
    return np.asarray((entries_16[:-1, None] + ((slope * offset + half) >> TABLE_BITS)).astype(np.int16).reshape(-1))


# ** look-ups, in the graph **


def interpolate_table(x: Expr, table: Array, dtype: DType) -> Expr:
    """Returns TABLE's interpolated results, whose 7 bits of fraction a RESCALE rounds half up (LUTLookup)."""
    return rescale(operators.table(x, table), dtype, [1 << 30], [30 + TABLE_BITS])


def gather_results(x: Expr, results: Array) -> Expr:
    """Returns one of 65536 int16 results for each int16 element, by GATHER."""
    index = x.cast(DType.I32)
    index = (index + -INT16_MIN).reshape((1, x.size))
    return gather(const(results.reshape(1, -1, 1), DType.I16), index).reshape(x.shape)


def look_up(match: Match, x: Expr, results: Array) -> Expr:
    """Returns one of 65536 results for each int16 element: by TABLE if its interpolation gives them, else by GATHER.

    In compact numerics it is a TABLE unless the slopes are too steep; a note says how far it is off.
    """
    results = results.astype(np.int16)
    table = table_of_results(results)
    error = np.abs(lut_lookup(table).astype(np.int32) - results).max()
    if is_too_steep(table) or (error and match.options.numerics != "compact"):
        return gather_results(x, results)
    if error:
        match.note(f"interpolated between 513 points: this operator may differ by {error} steps")
    return interpolate_table(x, table, DType.I16)
