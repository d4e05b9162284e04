"""EMBEDDING_LOOKUP: rows of a table as they are, or of integers as floats (embedding_lookup.cc)."""

import math

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import STORED
from tosa_converter.legalize.constant_operands import held_in_32_bits
from tosa_converter.legalize.later_operators import target_takes
from tosa_converter.legalize.ops.index import gather_rows
from tosa_converter.legalize.quant.weights import block_scales, has_blocks, stored_weights, weight_scales
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Rule, condition
from tosa_converter.schemas.tosa_ops import ROW_GATHER


def rows(match: Match) -> Expr:
    """Lowers EMBEDDING_LOOKUP whose result has the table's element type to a GATHER of table rows."""
    return held_in_32_bits(match, lookup(match, match["value"]))


def real_rows(match: Match) -> Expr:
    """Lowers EMBEDDING_LOOKUP of a quantized table to floats: GATHER, CAST and MUL.

    Scales of rows are gathered too; so are those of blocks, of which a row [256] with blocks of 32 has 8.
    """
    table, result = stored_weights(match, "value"), match.op.results[0].type
    levels = lookup(match, table).cast(DType.FP32)
    if has_blocks(match, "value"):
        scale = lookup(match, const(block_scales(match, "value"), DType.FP32))
        rows, count = scale.shape
        real = levels.reshape((rows, count, levels.size // (rows * count))) * scale.reshape((rows, count, 1))
        return real.reshape(levels.shape).cast(result.dtype)
    scale = const(weight_scales(match, "value"), DType.FP32)
    if scale.size > 1:
        scale = lookup(match, scale.reshape((scale.size, *(1,) * (table.rank - 1))))
    return (levels * scale).cast(result.dtype)


def lookup(match: Match, table: Expr) -> Expr:
    """Returns the rows of `table` at EMBEDDING_LOOKUP's indices; LiteRT stops at an index out of range."""
    return rows_at(match["lookup"], table, by_row_gather=target_takes(match, ROW_GATHER, table.dtype, DType.I32))


def rows_at(indices: Expr, table: Expr, *, by_row_gather: bool = False) -> Expr:
    """Returns the rows of `table` [rows, ...] at indices [count] by GATHER, or by ROW_GATHER if the target has it."""
    (size, *columns), count = table.shape, indices.size
    rows = table.reshape((1, size, math.prod(columns)))
    return gather_rows(rows, indices.reshape((1, count)), by_row_gather=by_row_gather).reshape((count, *columns))


@condition("the result is of the table's type")
def same_type(match: Match) -> str | None:
    """Returns a reason to decline EMBEDDING_LOOKUP whose result has another type than the table, or None."""
    table, result = match.source("value").type.dtype, match.op.results[0].type.dtype
    return None if table is result else f"expected a result of {table.value}, found {result.value}"


@condition("the result is fp32 or fp16")
def to_float(match: Match) -> str | None:
    """Returns a reason to decline EMBEDDING_LOOKUP whose result isn't fp32 or fp16, or None."""
    result = match.op.results[0].type.dtype
    return None if result in (DType.FP32, DType.FP16) else f"expected a result of fp32 or fp16, found {result.value}"


RULES: tuple[Rule, ...] = (
    Rule("tfl.embedding_lookup", STORED, rows, (same_type,), of=("value",)),
    Rule("tfl.embedding_lookup", "i8 i4 i2 ui8", real_rows, (to_float,), of=("value",)),
)
