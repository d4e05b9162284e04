"""TOPK_V2."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.indexing import take
from tosa_converter.legalize.operands import affordable, size_along
from tosa_converter.rewriting.control import while_loop
from tosa_converter.rewriting.expr import Expr, const, elementwise, scalar, where
from tosa_converter.rewriting.operators import concat, empty, gather, reduce_max, reduce_min, reduce_sum
from tosa_converter.rewriting.rewrite import SIGNLESS, Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops

COMPARED = 1 << 20  # pairs that are rather compared than searched one result after the other
RANKED = 1 << 12  # elements of a row of which all pairs are compared at most
ROUND, SEARCH = 12, 7  # operators on all elements in a round of a sorting network, and in a search of one result


def topk(match: Match) -> list[Expr]:
    """TOPK_V2 along the last dimension: of equal elements the first comes first, NaN counts as -infinity."""
    return ordered_largest(match, match["input"], size_along(match, "k", match["input"].rank, -1))


def ordered_largest(match: Match, x: Expr, count: int) -> list[Expr]:
    """The largest elements along the last dimension, and where they are."""
    size = x.shape[-1] if x.rank else 0
    if count == 0 and x.rank:
        shape = (*x.shape[:-1], 0)
        return [empty(shape, x.dtype), empty(shape, DType.I32)]
    if not 1 <= count <= size:
        raise Decline(f"{count} of the elements of {x.type}")
    rows = x.reshape((x.size // size, size))
    keys = ordered(rows, unsigned=match.source(0).type.dtype is DType.UI8)
    places = largest(match, keys, count)
    shape = (*x.shape[:-1], count)
    found = take(rows.reshape((*rows.shape, 1)), places)
    dtype = match.op.results[1].type.dtype
    return [found.reshape(shape), places.reshape(shape).cast(SIGNLESS.get(dtype, dtype))]


def largest(match: Match, keys: Expr, count: int) -> Expr:
    """The places [N,count] of the largest of each row [N,size], the first of equal ones first.

    All pairs are compared, unless they are many; then one after the other is searched, or a network sorts all.
    """
    size = keys.shape[1]
    compared = size <= 8 * count or keys.size * size <= COMPARED
    if count > 1 and compared and size <= RANKED:
        return by_rank(keys, count)
    if count * SEARCH * size <= len(_rounds(size)) * ROUND << (size - 1).bit_length():
        return _one_by_one(keys, count)
    return by_network(match, keys, count)


def sorted_places(match: Match, keys: Expr) -> Expr:
    """The places [N,size] of all keys of each row in order, the largest first."""
    size = keys.shape[1]
    return by_rank(keys, size) if size <= RANKED else by_network(match, keys, size)


# ** all pairs **


def ordered(x: Expr, *, unsigned: bool, rising: bool = False) -> Expr:
    """Elements in the same order in a type that comparisons take, or in the other if `rising`; NaN as -infinity."""
    if x.dtype.is_float:
        keys = -x if rising else x
        return where(x == x, keys, -math.inf)
    keys = x.cast(DType.I32)
    keys = keys & 255 if unsigned else keys
    return ~keys if rising else keys


def by_rank(keys: Expr, count: int) -> Expr:
    """The places of the largest keys in order: the element with so many before it takes that place: [N,count]."""
    n, size = keys.shape
    these, others = keys.reshape((n, size, 1)), keys.reshape((n, 1, size))
    affordable((size, size))
    earlier = const(np.tri(size, k=-1, dtype=bool).reshape(1, size, size), DType.BOOL)
    at_least, more = (elementwise(row, others, these) for row in (ops.GREATER_EQUAL, ops.GREATER))
    before = where(earlier, at_least, more).cast(DType.I32)
    rank = reduce_sum(before, 2).reshape((n, 1, size))
    wanted = const(np.arange(count).reshape(1, count, 1), DType.I32)
    places = const(np.arange(size).reshape(1, 1, size), DType.I32)
    chosen = where(rank == wanted, places, 0)
    return reduce_sum(chosen, 2).reshape((n, count))


# ** a sorting network **


class _Round(NamedTuple):
    """Of the bitonic network: each element and the one `distance` away are put in order, by blocks one way or other."""

    block: int
    distance: int


def _rounds(size: int) -> list[_Round]:
    depth = (size - 1).bit_length()
    return [_Round(2 << i, 1 << j) for i in range(depth) for j in range(i, -1, -1)]


def by_network(match: Match, keys: Expr, count: int) -> Expr:
    """The places [N,count] of the largest keys [N,size] in order, by a bitonic network (Batcher).

    Every round compares all elements with their partners, so there are as many as the square of the size's logarithm;
    places tell equal keys apart. They are of one loop, or one behind the other where no control flow may be left.
    """
    n, size = keys.shape
    padded = 1 << (size - 1).bit_length()
    affordable((padded, 1))
    keys = keys.pad([(0, 0), (0, padded - size)], _lowest(keys))
    keys = keys.transpose((1, 0)).reshape((1, padded, n))
    numbers = const(np.arange(padded).reshape(1, padded), DType.I32)
    places = numbers.reshape((1, padded, 1)).tile((1, 1, n))
    if match.options.flatten:
        for one in _rounds(size):
            block, distance = (const([[number]], DType.I32) for number in one)
            keys, places = _exchanged(numbers, keys, places, block, distance)
    else:
        keys, places = _looped(numbers, keys, places)
    found = places.part(1, 0, count).reshape((count, n))
    return found.transpose((1, 0))


def _looped(numbers: Expr, keys: Expr, places: Expr) -> tuple[Expr, Expr]:
    padded = keys.shape[1]
    one, two = (const([[number]], DType.I32) for number in (1, 2))

    def goes_on(values: Sequence[Expr]) -> Expr:
        return const([[padded]], DType.I32) >= values[0]

    def body(values: Sequence[Expr]) -> Sequence[Expr]:
        block, distance, keys, places = values
        keys, places = _exchanged(numbers, keys, places, block, distance)
        last = distance == const([[1]], DType.I32)
        half = distance >> const([[1]], DType.I32)
        twice = block + block
        return where(last, twice, block), where(last, block, half), keys, places

    _, _, keys, places = while_loop([two, one, keys, places], goes_on, body)
    return keys, places


def _exchanged(numbers: Expr, keys: Expr, places: Expr, block: Expr, distance: Expr) -> tuple[Expr, Expr]:
    """Keys and places [1,P,N] after a round: of each pair the earlier comes first, or last in every other block."""
    partners = numbers ^ distance
    other_keys, other_places = gather(keys, partners), gather(places, partners)
    bits = (numbers & number for number in (block, distance))
    second, upper = (bit > 0 for bit in bits)
    flipped = (second ^ upper).reshape((1, numbers.shape[1], 1))
    first = places > other_places
    same = (other_keys == keys) & first
    earlier = (other_keys > keys) | same
    taken = earlier ^ flipped
    return where(taken, other_keys, keys), where(taken, other_places, places)


def _lowest(keys: Expr) -> float:
    return -math.inf if keys.dtype.is_float else int(np.iinfo(np.int32).min)


# ** one result after the other **


def _one_by_one(keys: Expr, count: int) -> Expr:
    """The first place of the largest element that is left, again and again: [N,count]."""
    size = keys.shape[1]
    lowest = _lowest(keys)
    left = places = const(np.arange(*affordable([size])).reshape(1, size), DType.I32)
    none, found = scalar(size, places), []
    while True:
        largest = keys == reduce_max(keys, 1, nan_mode="PROPAGATE")
        found.append(reduce_min(where(largest, left, none), 1, nan_mode="PROPAGATE"))
        if len(found) == count:
            return concat(found, 1)
        taken = places == found[-1]
        keys, left = where(taken, lowest, keys), where(taken, none, left)


REWRITES: tuple[Rewrite, ...] = (Rewrite("tfl.topk_v2", "fp32 ui8 i8 i16 i32 i64", topk),)
