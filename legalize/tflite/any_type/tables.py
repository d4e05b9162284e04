"""Tables that indices or keys look rows up in."""

import math

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.checks import STORED
from tosa_converter.legalize.operands import affordable, constant_ints
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tflite import CombinerType, EmbeddingLookupSparseOptions


def _rows(builder: Builder, table: Value, indices: Value) -> Value:
    """The rows of a table as [1, indices, elements of a row]."""
    dtype, (rows, *row) = table.type.dtype, table.type.static
    values = builder.reshape(table, (1, rows, math.prod(row)))
    indices = builder.reshape(indices, (1, indices.type.elements))
    if dtype is not DType.BOOL:
        return builder.gather(values, indices)
    return builder.cast(builder.gather(builder.cast(values, DType.I8), indices), DType.BOOL)


def hashtable_lookup(match: Match) -> list[Value]:
    """HASHTABLE_LOOKUP: every key is compared; rows of keys that aren't there are zeros (hashtable_lookup.cc)."""
    builder, lookup, keys, table = match.builder, match["lookup"], match["key"], match["value"]
    wanted, known, *row = lookup.type.elements, *(table.type.static or (0,))
    if keys.type.static != (known,):
        raise Decline(f"{keys.type.elements} keys for {known} rows")
    affordable((known,))
    if keys.constant is not None and np.any(np.diff(keys.constant.astype(np.int64)) <= 0):
        raise Decline("the keys don't ascend, which the kernel's search asks for")
    equal = builder.binary(ops.EQUAL, builder.reshape(lookup, (wanted, 1)), builder.reshape(keys, (1, known)))
    place = builder.const(np.arange(known)[None], DType.I32)
    index = builder.reduce(
        ops.REDUCE_MAX, builder.select(equal, place, builder.scalar(0, place)), 1, nan_mode="PROPAGATE"
    )
    hit = builder.reshape(builder.reduce(ops.REDUCE_ANY, equal, 1), (1, wanted, 1))
    found = _rows(builder, table, index)
    rows = builder.select(hit, found, builder.scalar(0, found))
    hits = builder.cast(builder.reshape(hit, (wanted,)), DType.I8)
    return [builder.reshape(rows, (wanted, *row)), hits]


def embedding_lookup_sparse(match: Match) -> Value:
    """EMBEDDING_LOOKUP_SPARSE: the weighted rows of a table, added up by the places that `indices` names.

    Those of one place must follow each other for their mean, as a sparse tensor has them (FinalizeAggregation).
    """
    builder, table, weights = match.builder, match["value"], match["weights"]
    shape = affordable(constant_ints(match, "dense_shape"))
    count, axes = match["indices"].type.static
    if len(shape) != axes or not shape:
        raise Decline(f"{axes} indices into a shape of {len(shape)} dimensions")
    if {match["ids"].type.elements, weights.type.elements} != {count}:
        raise Decline(f"{count} indices, {match['ids'].type} of rows and weights {weights.type}")
    places, combiner = math.prod(shape[:-1]), match.attributes(EmbeddingLookupSparseOptions).combiner
    place = builder.const(np.arange(places).reshape(places, 1, 1), DType.I32)
    here = builder.binary(ops.EQUAL, place, _places(match, shape))
    weights = builder.reshape(weights, (1, count, 1))
    found = _rows(builder, table, match["ids"])
    total = _sum_where(builder, here, builder.mul(found, weights))
    if combiner != CombinerType.SUM:
        squared = combiner == CombinerType.SQRTN
        divisor = _sum_where(builder, here, builder.mul(weights, weights) if squared else weights)
        inverse = builder.unary(ops.RSQRT if squared else ops.RECIPROCAL, divisor)
        some = builder.reduce(ops.REDUCE_ANY, here, 1)
        total = builder.mul(total, builder.select(some, inverse, builder.scalar(1, inverse)))
    return builder.reshape(total, (*shape[:-1], *table.type.static[1:]))


def _places(match: Match, shape: list[int]) -> Value:
    """The row of the result that each index belongs to, as [1, count, 1]."""
    builder, indices = match.builder, match["indices"]
    count, axes = indices.type.static
    if axes == 1:
        return builder.const(np.zeros((1, count, 1)), DType.I32)
    strides = np.append(np.cumprod(shape[-2:0:-1])[::-1], 1)[None]
    columns = builder.slice(indices, (0, 0), (count, axes - 1))
    if axes > 2:
        columns = builder.reduce(ops.REDUCE_SUM, builder.mul(columns, builder.const(strides, DType.I32)), 1)
    if columns.constant is not None:
        changes = np.flatnonzero(np.diff(columns.constant.reshape(-1)))
        if len({*columns.constant.reshape(-1).tolist()}) != changes.size + 1:
            raise Decline("indices of one place that don't follow each other")
    return builder.reshape(columns, (1, count, 1))


def _sum_where(builder: Builder, here: Value, values: Value) -> Value:
    """Sums of the values of each place, [places, 1, elements]."""
    return builder.reduce(ops.REDUCE_SUM, builder.select(here, values, builder.scalar(0, values)), 1)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.hashtable_lookup", STORED, hashtable_lookup, of=("value",)),
    Rewrite("tfl.embedding_lookup_sparse", "fp32", embedding_lookup_sparse, of=("value",)),
)
