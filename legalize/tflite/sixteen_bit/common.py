"""What rewrites of int16 operators share: checks, and functions of one operand.

Zero points are 0 where LiteRT's kernels say so, or don't look at them.
"""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.rewriting import operators
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.operators import gather, rescale
from tosa_converter.rewriting.rewrite import Match

INT16_MIN, INT16_MAX = DType.I16.limits
VALUES = np.arange(INT16_MIN, INT16_MAX + 1)
TABLE_BITS = 7  # of the fraction that a TABLE's results have


def interpolated(x: Expr, table: Array, dtype: DType) -> Expr:
    """LUTLookup (common.h): TABLE interpolates as it does, and RESCALE rounds the 7 bits of fraction half up."""
    return rescale(operators.table(x, table), dtype, [1 << 30], [30 + TABLE_BITS])


def by_gather(match: Match, x: Expr, results: Array) -> Expr:
    """A GATHER of the 65536 results: any function of one int16 value.

    If 513 of them lead to the same by interpolation, or for compact numerics, a TABLE.
    """
    results = results.astype(np.int16)
    table = points(results)
    off = np.abs(between(table).astype(np.int32) - results).max()
    if steep(table) or (off and match.options.numerics != "compact"):
        return gathered(x, results)
    if off:
        match.note(f"interpolated between 513 points: this operator may differ by {off} steps")
    return interpolated(x, table, DType.I16)


def points(results: Array) -> Array:
    """What TABLE interpolates between, of the results for all values in order."""
    return np.append(results[:: 1 << TABLE_BITS], results[-1])


def gathered(x: Expr, results: Array) -> Expr:
    """A GATHER of the results, int16, for all values in order."""
    index = x.cast(DType.I32)
    index = (index + -INT16_MIN).reshape((1, x.size))
    return gather(const(results.reshape(1, -1, 1), DType.I16), index).reshape(x.shape)


def steep(table: Array) -> bool:
    """Whether a slope between entries leaves 16 bits, where TABLE is unpredictable (apply_lookup_s, 1.12.5)."""
    slope = np.diff(table.astype(np.int64))
    return bool(((slope < INT16_MIN) | (slope > INT16_MAX)).any())


def between(table: Array) -> Array:
    """LUTLookup (common.h) of all values in order, as int16: slopes and sums wrap, but none wraps in TABLE's range."""
    fine = table.astype(np.int16)
    slope, offset = np.diff(fine).astype(np.int32)[:, None], np.arange(1 << TABLE_BITS)
    half = 1 << (TABLE_BITS - 1)
    return np.asarray((fine[:-1, None] + ((slope * offset + half) >> TABLE_BITS)).astype(np.int16).reshape(-1))


def logarithm(scale: np.float32) -> int | None:
    """CheckedLog2 (kernel_util.cc): the logarithm to base 2 of what is nearly a power of two."""
    exact = float(np.log2(scale))
    return round(exact) if abs(exact - round(exact)) < 1e-3 else None
