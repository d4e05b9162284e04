"""Tables whose rows are looked up by key or number: HASHTABLE_LOOKUP, EMBEDDING_LOOKUP_SPARSE."""

import math

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import STORED
from tosa_converter.legalize.constant_operands import constant_ints
from tosa_converter.legalize.limits import affordable
from tosa_converter.legalize.ops.index import gather_rows
from tosa_converter.rewriting.expr import Expr, const, reciprocal, rsqrt, where
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import reduce_any, reduce_max, reduce_sum
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas.tflite import CombinerType, EmbeddingLookupSparseOptions


def _gather_table_rows(table: Expr, row_indices: Expr) -> Expr:
    """Gathers the rows of a table at `row_indices`, flattened: [1, indices, elements of a row]."""
    rows, *row_shape = table.shape
    return gather_rows(table.reshape((1, rows, math.prod(row_shape))), row_indices.reshape((1, row_indices.size)))


def hashtable_lookup(match: Match) -> list[Expr]:
    """Lowers HASHTABLE_LOOKUP: compares each looked-up value with all keys; absent keys give rows of zeros.

    Returns the rows, and 1 for each key that was found, else 0. LiteRT searches by bisection (hashtable_lookup.cc):
    constant keys that don't ascend are declined, and keys known at run time are assumed to ascend.
    """
    lookup, keys, table = match["lookup"], match["key"], match["value"]
    count, rows, *row_shape = lookup.size, *(table.shape or (0,))
    if keys.shape != (rows,):
        raise Decline(f"expected {rows} keys, one for each row of the table, found {keys.type}")
    affordable((rows,))
    if keys.constant is not None and np.any(np.diff(keys.constant.astype(np.int64)) <= 0):
        raise Decline("expected ascending keys, as LiteRT's binary search requires, found unsorted keys")
    equal = lookup.reshape((count, 1)) == keys.reshape((1, rows))
    row_numbers = const(np.arange(rows)[None], DType.I32)
    number = reduce_max(where(equal, row_numbers, 0), 1)
    is_found = reduce_any(equal, 1).reshape((1, count, 1))
    values = where(is_found, _gather_table_rows(table, number), 0)
    return [values.reshape((count, *row_shape)), is_found.reshape((count,)).cast(DType.I8)]


def embedding_lookup_sparse(match: Match) -> Expr:
    """Lowers EMBEDDING_LOOKUP_SPARSE: adds weighted rows of a table at the output rows that `indices` names.

    Indices of one output row must be adjacent, because the kernel combines each run of them (FinalizeAggregation).
    """
    table, weights = match["value"], match["weights"]
    shape = affordable(constant_ints(match, "dense_shape"))
    count, axes = match["indices"].shape
    if len(shape) != axes or not shape:
        raise Decline(f"expected indices of {len(shape)} entries for the dense shape {shape}, found {axes}")
    if {match["ids"].size, weights.size} != {count}:
        raise Decline(
            f"expected {count} row ids and weights, one for each index, found {match['ids'].type} and {weights.type}"
        )
    row_count, combiner = math.prod(shape[:-1]), match.attributes(EmbeddingLookupSparseOptions).combiner
    row_numbers = const(np.arange(row_count).reshape(row_count, 1, 1), DType.I32)
    belongs_to_row = row_numbers == _result_rows(match, shape)
    weights = weights.reshape((1, count, 1))
    total = _sum_by_row(belongs_to_row, _gather_table_rows(table, match["ids"]) * weights)
    if combiner != CombinerType.SUM:
        # MEAN divides by the sum of the weights, SQRTN by the root of the sum of their squares: weights 3 and 4 give 7
        # and 5. A row that no index names has the divisor 0, and stays 0.
        is_root = combiner == CombinerType.SQRTN
        divisor = _sum_by_row(belongs_to_row, weights * weights if is_root else weights)
        inverse = rsqrt(divisor) if is_root else reciprocal(divisor)
        total = total * where(reduce_any(belongs_to_row, 1), inverse, 1)
    return total.reshape((*shape[:-1], *table.shape[1:]))


def _result_rows(match: Match, shape: list[int]) -> Expr:
    """Returns the output row of EMBEDDING_LOOKUP_SPARSE to which each index belongs, [1, count, 1].

    Raises:
        Decline: constant indices of one row aren't adjacent; the kernel combines each run of them, so that a later run
            would replace the row. Indices known at run time only are taken to be adjacent.
    """
    indices = match["indices"]
    count, axes = indices.shape
    if axes == 1:
        return const(np.zeros((1, count, 1)), DType.I32)
    # An index [i, j, k] into the dense shape [2, 3, 4] belongs to row i * 3 + j of the result: the strides are [3, 1].
    strides = np.append(np.cumprod(shape[-2:0:-1])[::-1], 1)[None]
    rows = indices.slice((0, 0), (count, axes - 1))
    if axes > 2:
        rows = reduce_sum(rows * const(strides, DType.I32), 1)
    if rows.constant is not None:
        changes = np.flatnonzero(np.diff(rows.constant.reshape(-1)))
        if len({*rows.constant.reshape(-1).tolist()}) != changes.size + 1:
            raise Decline("expected indices of one output row to be adjacent, found them scattered")
    return rows.reshape((1, count, 1))


def _sum_by_row(condition: Expr, values: Expr) -> Expr:
    """Returns for each output row the sum of `values` [1, count, elements] for which the condition holds.

    `condition` is [rows, count, 1], and the result [rows, 1, elements].
    """
    return reduce_sum(where(condition, values, 0), 1)


RULES: tuple[Rule, ...] = (
    Rule("tfl.hashtable_lookup", STORED, hashtable_lookup, of=("value",)),
    Rule("tfl.embedding_lookup_sparse", "fp32", embedding_lookup_sparse, of=("value",)),
)
