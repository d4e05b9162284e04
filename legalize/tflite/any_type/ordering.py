"""TOPK_V2."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.indexing import take
from tosa_converter.legalize.operands import affordable, size_along
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.control import while_loop
from tosa_converter.rewriting.rewrite import SIGNLESS, Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops

COMPARED = 1 << 20  # pairs that are rather compared than searched one result after the other
RANKED = 1 << 12  # elements of a row of which all pairs are compared at most
ROUND, SEARCH = 12, 7  # operators on all elements in a round of a sorting network, and in a search of one result


def topk(match: Match) -> list[Value]:
    """TOPK_V2 along the last dimension: of equal elements the first comes first, NaN counts as -infinity."""
    return ordered_largest(match, match["input"], size_along(match, "k", match["input"].type.rank, -1))


def ordered_largest(match: Match, x: Value, count: int) -> list[Value]:
    """The largest elements along the last dimension, and where they are."""
    builder = match.builder
    size = x.type.static[-1] if x.type.rank else 0
    if count == 0 and x.type.rank:
        shape = (*x.type.static[:-1], 0)
        return [builder.empty(shape, x.type.dtype), builder.empty(shape, DType.I32)]
    if not 1 <= count <= size:
        raise Decline(f"{count} of the elements of {x.type}")
    rows = builder.reshape(x, (x.type.elements // size, size))
    keys = ordered(builder, rows, unsigned=match.source(0).type.dtype is DType.UI8)
    places = largest(match, keys, count)
    shape = (*x.type.static[:-1], count)
    found = take(builder, builder.reshape(rows, (*rows.type.static, 1)), places)
    dtype = match.op.results[1].type.dtype
    return [builder.reshape(found, shape), builder.cast(builder.reshape(places, shape), SIGNLESS.get(dtype, dtype))]


def largest(match: Match, keys: Value, count: int) -> Value:
    """The places [N,count] of the largest of each row [N,size], the first of equal ones first.

    All pairs are compared, unless they are many; then one after the other is searched, or a network sorts all.
    """
    size = keys.type.static[1]
    compared = size <= 8 * count or keys.type.elements * size <= COMPARED
    if count > 1 and compared and size <= RANKED:
        return by_rank(match.builder, keys, count)
    if count * SEARCH * size <= len(_rounds(size)) * ROUND << (size - 1).bit_length():
        return _one_by_one(match.builder, keys, count)
    return by_network(match, keys, count)


def sorted_places(match: Match, keys: Value) -> Value:
    """The places [N,size] of all keys of each row in order, the largest first."""
    size = keys.type.static[1]
    return by_rank(match.builder, keys, size) if size <= RANKED else by_network(match, keys, size)


# ** all pairs **


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


# ** a sorting network **


class _Round(NamedTuple):
    """Of the bitonic network: each element and the one `distance` away are put in order, by blocks one way or other."""

    block: int
    distance: int


def _rounds(size: int) -> list[_Round]:
    depth = (size - 1).bit_length()
    return [_Round(2 << i, 1 << j) for i in range(depth) for j in range(i, -1, -1)]


def by_network(match: Match, keys: Value, count: int) -> Value:
    """The places [N,count] of the largest keys [N,size] in order, by a bitonic network (Batcher).

    Every round compares all elements with their partners, so there are as many as the square of the size's logarithm;
    places tell equal keys apart. They are of one loop, or one behind the other where no control flow may be left.
    """
    builder, (n, size) = match.builder, keys.type.static
    padded = 1 << (size - 1).bit_length()
    affordable((padded, 1))
    keys = builder.pad(keys, [(0, 0), (0, padded - size)], _lowest(keys))
    keys = builder.reshape(builder.transpose(keys, (1, 0)), (1, padded, n))
    numbers = builder.const(np.arange(padded).reshape(1, padded), DType.I32)
    places = builder.tile(builder.reshape(numbers, (1, padded, 1)), (1, 1, n))
    if match.options.flatten:
        for one in _rounds(size):
            block, distance = (builder.const([[number]], DType.I32) for number in one)
            keys, places = _exchanged(builder, numbers, keys, places, block, distance)
    else:
        keys, places = _looped(builder, numbers, keys, places)
    found = builder.reshape(builder.part(places, 1, 0, count), (count, n))
    return builder.transpose(found, (1, 0))


def _looped(builder: Builder, numbers: Value, keys: Value, places: Value) -> tuple[Value, Value]:
    padded = keys.type.static[1]
    one, two = (builder.const([[number]], DType.I32) for number in (1, 2))

    def goes_on(inner: Builder, values: Sequence[Value]) -> Value:
        return inner.binary(ops.GREATER_EQUAL, inner.const([[padded]], DType.I32), values[0])

    def body(inner: Builder, values: Sequence[Value]) -> Sequence[Value]:
        block, distance, keys, places = values
        keys, places = _exchanged(inner, numbers, keys, places, block, distance)
        last = inner.binary(ops.EQUAL, distance, inner.const([[1]], DType.I32))
        half = inner.arithmetic_right_shift(distance, inner.const([[1]], DType.I32))
        twice = inner.add(block, block)
        return inner.select(last, twice, block), inner.select(last, block, half), keys, places

    _, _, keys, places = while_loop(builder, [two, one, keys, places], goes_on, body)
    return keys, places


def _exchanged(
    builder: Builder, numbers: Value, keys: Value, places: Value, block: Value, distance: Value
) -> tuple[Value, Value]:
    """Keys and places [1,P,N] after a round: of each pair the earlier comes first, or last in every other block."""
    partners = builder.binary(ops.BITWISE_XOR, numbers, distance)
    other_keys, other_places = builder.gather(keys, partners), builder.gather(places, partners)
    bits = (builder.binary(ops.BITWISE_AND, numbers, number) for number in (block, distance))
    second, upper = (builder.binary(ops.GREATER, bit, builder.scalar(0, bit)) for bit in bits)
    flipped = builder.reshape(builder.binary(ops.LOGICAL_XOR, second, upper), (1, numbers.type.static[1], 1))
    first = builder.binary(ops.GREATER, places, other_places)
    same = builder.binary(ops.LOGICAL_AND, builder.binary(ops.EQUAL, other_keys, keys), first)
    earlier = builder.binary(ops.LOGICAL_OR, builder.binary(ops.GREATER, other_keys, keys), same)
    taken = builder.binary(ops.LOGICAL_XOR, earlier, flipped)
    return builder.select(taken, other_keys, keys), builder.select(taken, other_places, places)


def _lowest(keys: Value) -> float:
    return -math.inf if keys.type.dtype.is_float else int(np.iinfo(np.int32).min)


# ** one result after the other **


def _one_by_one(builder: Builder, keys: Value, count: int) -> Value:
    """The first place of the largest element that is left, again and again: [N,count]."""
    size = keys.type.static[1]
    lowest = _lowest(keys)
    left = places = builder.const(np.arange(*affordable([size])).reshape(1, size), DType.I32)
    none, found = builder.scalar(size, places), []
    while True:
        largest = builder.binary(ops.EQUAL, keys, builder.reduce(ops.REDUCE_MAX, keys, 1, nan_mode="PROPAGATE"))
        found.append(builder.reduce(ops.REDUCE_MIN, builder.select(largest, left, none), 1, nan_mode="PROPAGATE"))
        if len(found) == count:
            return builder.concat(found, 1)
        taken = builder.binary(ops.EQUAL, places, found[-1])
        keys, left = builder.select(taken, builder.scalar(lowest, keys), keys), builder.select(taken, none, left)


REWRITES: tuple[Rewrite, ...] = (Rewrite("tfl.topk_v2", "fp32 ui8 i8 i16 i32 i64", topk),)
