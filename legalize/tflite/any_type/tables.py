"""Tables that indices or keys look rows up in."""

import math

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import STORED
from tosa_converter.legalize.operands import affordable, constant_ints
from tosa_converter.rewriting.expr import Expr, const, elementwise, where
from tosa_converter.rewriting.operators import gather, reduce_any, reduce_max, reduce_sum
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tflite import CombinerType, EmbeddingLookupSparseOptions


def _rows(table: Expr, indices: Expr) -> Expr:
    """The rows of a table as [1, indices, elements of a row]."""
    dtype, (rows, *row) = table.dtype, table.shape
    values = table.reshape((1, rows, math.prod(row)))
    indices = indices.reshape((1, indices.size))
    if dtype is not DType.BOOL:
        return gather(values, indices)
    return gather(values.cast(DType.I8), indices).cast(DType.BOOL)


def hashtable_lookup(match: Match) -> list[Expr]:
    """HASHTABLE_LOOKUP: every key is compared; rows of keys that aren't there are zeros (hashtable_lookup.cc)."""
    lookup, keys, table = match["lookup"], match["key"], match["value"]
    wanted, known, *row = lookup.size, *(table.shape or (0,))
    if keys.shape != (known,):
        raise Decline(f"{keys.size} keys for {known} rows")
    affordable((known,))
    if keys.constant is not None and np.any(np.diff(keys.constant.astype(np.int64)) <= 0):
        raise Decline("the keys don't ascend, which the kernel's search asks for")
    equal = lookup.reshape((wanted, 1)) == keys.reshape((1, known))
    place = const(np.arange(known)[None], DType.I32)
    index = reduce_max(where(equal, place, 0), 1, nan_mode="PROPAGATE")
    hit = reduce_any(equal, 1).reshape((1, wanted, 1))
    found = _rows(table, index)
    rows = where(hit, found, 0)
    hits = hit.reshape((wanted,)).cast(DType.I8)
    return [rows.reshape((wanted, *row)), hits]


def embedding_lookup_sparse(match: Match) -> Expr:
    """EMBEDDING_LOOKUP_SPARSE: the weighted rows of a table, added up by the places that `indices` names.

    Those of one place must follow each other for their mean, as a sparse tensor has them (FinalizeAggregation).
    """
    table, weights = match["value"], match["weights"]
    shape = affordable(constant_ints(match, "dense_shape"))
    count, axes = match["indices"].shape
    if len(shape) != axes or not shape:
        raise Decline(f"{axes} indices into a shape of {len(shape)} dimensions")
    if {match["ids"].size, weights.size} != {count}:
        raise Decline(f"{count} indices, {match['ids'].type} of rows and weights {weights.type}")
    places, combiner = math.prod(shape[:-1]), match.attributes(EmbeddingLookupSparseOptions).combiner
    place = const(np.arange(places).reshape(places, 1, 1), DType.I32)
    here = place == _places(match, shape)
    weights = weights.reshape((1, count, 1))
    found = _rows(table, match["ids"])
    total = _sum_where(here, found * weights)
    if combiner != CombinerType.SUM:
        squared = combiner == CombinerType.SQRTN
        divisor = _sum_where(here, weights * weights if squared else weights)
        inverse = elementwise(ops.RSQRT if squared else ops.RECIPROCAL, divisor)
        some = reduce_any(here, 1)
        total = total * where(some, inverse, 1)
    return total.reshape((*shape[:-1], *table.shape[1:]))


def _places(match: Match, shape: list[int]) -> Expr:
    """The row of the result that each index belongs to, as [1, count, 1]."""
    indices = match["indices"]
    count, axes = indices.shape
    if axes == 1:
        return const(np.zeros((1, count, 1)), DType.I32)
    strides = np.append(np.cumprod(shape[-2:0:-1])[::-1], 1)[None]
    columns = indices.slice((0, 0), (count, axes - 1))
    if axes > 2:
        columns = reduce_sum(columns * const(strides, DType.I32), 1)
    if columns.constant is not None:
        changes = np.flatnonzero(np.diff(columns.constant.reshape(-1)))
        if len({*columns.constant.reshape(-1).tolist()}) != changes.size + 1:
            raise Decline("indices of one place that don't follow each other")
    return columns.reshape((1, count, 1))


def _sum_where(here: Expr, values: Expr) -> Expr:
    """Sums of the values of each place, [places, 1, elements]."""
    return reduce_sum(where(here, values, 0), 1)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.hashtable_lookup", STORED, hashtable_lookup, of=("value",)),
    Rewrite("tfl.embedding_lookup_sparse", "fp32", embedding_lookup_sparse, of=("value",)),
)
