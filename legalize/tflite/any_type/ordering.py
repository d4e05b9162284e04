"""TOPK_V2 and UNIQUE."""

import math

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.indexing import take
from tosa_converter.legalize.operands import affordable, constant_int, narrowed
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import SIGNLESS, Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops

COMPARED = 1 << 20  # pairs that are rather compared than searched one result after the other


def topk(match: Match) -> list[Value]:
    """TOPK_V2 along the last dimension: of equal elements the first comes first, NaN counts as -infinity.

    All pairs are compared, unless they are many and few results are asked for.
    """
    x, count, builder = match["input"], constant_int(match, "k"), match.builder
    size = x.type.static[-1] if x.type.rank else 0
    if not 1 <= count <= size:
        raise Decline(f"{count} of the elements of {x.type}")
    rows = builder.reshape(x, (x.type.elements // size, size))
    places = largest(builder, ordered(builder, rows, unsigned=match.source("input").type.dtype is DType.UI8), count)
    shape = (*x.type.static[:-1], count)
    found = take(builder, builder.reshape(rows, (*rows.type.static, 1)), places)
    dtype = match.op.results[1].type.dtype
    return [builder.reshape(found, shape), builder.cast(builder.reshape(places, shape), SIGNLESS.get(dtype, dtype))]


def largest(builder: Builder, keys: Value, count: int) -> Value:
    """The places [N,count] of the largest of each row [N,size], the first of equal ones first."""
    size = keys.type.static[1]
    compared = count > 1 and (size <= 8 * count or keys.type.elements * size <= COMPARED)
    return by_rank(builder, keys, count) if compared else _one_by_one(builder, keys, count)


def ordered(builder: Builder, x: Value, *, unsigned: bool, rising: bool = False) -> Value:
    """Elements in the same order in a type that comparisons take, or in the other if `rising`; NaN as -infinity."""
    if x.type.dtype.is_float:
        keys = builder.negate(x) if rising else x
        return builder.select(builder.binary(ops.EQUAL, x, x), keys, builder.scalar(-math.inf, x))
    keys = builder.cast(x, DType.I32)
    keys = builder.binary(ops.BITWISE_AND, keys, builder.scalar(0xFF, keys)) if unsigned else keys
    return builder.unary(ops.BITWISE_NOT, keys) if rising else keys


def by_rank(builder: Builder, keys: Value, count: int) -> Value:
    """The places of the largest keys in order: the element with so many before it takes that place: [N,count]."""
    n, size = keys.type.static
    these, others = builder.reshape(keys, (n, size, 1)), builder.reshape(keys, (n, 1, size))
    affordable((size, size))
    earlier = builder.const(np.tri(size, k=-1, dtype=bool).reshape(1, size, size), DType.BOOL)
    at_least, more = (builder.binary(row, others, these) for row in (ops.GREATER_EQUAL, ops.GREATER))
    before = builder.cast(builder.select(earlier, at_least, more), DType.I32)
    rank = builder.reshape(builder.reduce(ops.REDUCE_SUM, before, 2), (n, 1, size))
    wanted = builder.const(np.arange(count).reshape(1, count, 1), DType.I32)
    places = builder.const(np.arange(size).reshape(1, 1, size), DType.I32)
    chosen = builder.select(builder.binary(ops.EQUAL, rank, wanted), places, builder.scalar(0, places))
    return builder.reshape(builder.reduce(ops.REDUCE_SUM, chosen, 2), (n, count))


def _one_by_one(builder: Builder, keys: Value, count: int) -> Value:
    """The first place of the largest element that is left, again and again: [N,count]."""
    size = keys.type.static[1]
    lowest = -math.inf if keys.type.dtype.is_float else np.iinfo(np.int32).min
    left = places = builder.const(np.arange(*affordable([size])).reshape(1, size), DType.I32)
    none, found = builder.scalar(size, places), []
    while True:
        largest = builder.binary(ops.EQUAL, keys, builder.reduce(ops.REDUCE_MAX, keys, 1, nan_mode="PROPAGATE"))
        found.append(builder.reduce(ops.REDUCE_MIN, builder.select(largest, left, none), 1, nan_mode="PROPAGATE"))
        if len(found) == count:
            return builder.concat(found, 1)
        taken = builder.binary(ops.EQUAL, places, found[-1])
        keys, left = builder.select(taken, builder.scalar(lowest, keys), keys), builder.select(taken, none, left)


def unique(match: Match) -> list[Value]:
    """UNIQUE of a constant: its elements in the order in which they appear, and where each of all is among them."""
    if match["input"].constant is None:
        raise Decline("as many elements as the run finds, where shapes of TOSA are known before")
    elements, builder = match.constant("input").reshape(-1), match.builder
    if elements.dtype.kind == "f" and np.isnan(elements).any():
        raise Decline("NaN, which LiteRT's map takes for equal to anything")
    values, first, inverse = np.unique(elements, return_index=True, return_inverse=True)
    order = np.argsort(first)
    numbers = np.argsort(order)[inverse]
    source = match.source("input").type.dtype
    dtype = SIGNLESS.get(source, source)
    shown = values[order]
    stored = narrowed(shown) if source is DType.I64 else shown.view(dtype.numpy)
    return [builder.const(stored, dtype), builder.const(numbers, DType.I32)]


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.topk_v2", "fp32 ui8 i8 i16 i32 i64", topk),
    Rewrite("tfl.unique", "fp32 ui8 i8 i16 i32 i64", unique),
)
