"""Order: the indices of extremes, the largest elements, sorting, and how many boundaries an element reaches."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.limits import I32, affordable
from tosa_converter.legalize.ops.index import gather_rows
from tosa_converter.rewriting.control import while_loop
from tosa_converter.rewriting.expr import Expr, const, scalar, where
from tosa_converter.rewriting.operators import argmax, concat, empty, gather, reduce, reduce_max, reduce_min, reduce_sum
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.schemas import tosa_ops as ops

MAX_PAIRS = 1 << 20  # pairs of elements that are compared; beyond, results are searched or elements sorted
MAX_RANKED = 1 << 12  # elements of a row of which all pairs are compared
# Operators on all elements in a round of a sorting network, and in a search for one result.
OPS_PER_ROUND, OPS_PER_SEARCH = 12, 7

# ** indices of extremes **


def first_extreme(x: Expr, axis: int, *, smallest: bool = False, unsigned: bool = False) -> Expr:
    """Returns the index of the first largest or smallest element along an axis, which the result lacks; ignores NaN.

    ARGMAX finds the largest of floats and i8; the smallest has the opposite order. i8 that stands for unsigned bytes
    has its top bit flipped. i32 and booleans are not ARGMAX's types.

    Args:
        x: of floats, i32, i8 or bool.
        axis: of x.
        smallest: look for the smallest element.
        unsigned: the bits of i8 elements are those of unsigned bytes.
    """
    if x.dtype is DType.BOOL:
        x = x.cast(DType.I8)
    if x.dtype is DType.I32:
        return _first_extreme_i32(x, axis, smallest=smallest)
    if x.dtype is DType.I8:  # ~x has the opposite order of x, and x ^ 0x80 makes unsigned bytes signed
        flipped_bits = (-128 if unsigned else 0) ^ (-1 if smallest else 0)
        x = x ^ flipped_bits if flipped_bits else x
    elif smallest:
        x = -x
    return argmax(x, axis, nan_mode="IGNORE")


def _first_extreme_i32(x: Expr, axis: int, *, smallest: bool) -> Expr:
    """Returns the index of the first extreme of i32, which ARGMAX doesn't take: the smallest index that equals it."""
    size = x.shape[axis]
    extreme = reduce(ops.REDUCE_MIN if smallest else ops.REDUCE_MAX, x, axis, nan_mode="PROPAGATE")
    shape = [size if i == axis else 1 for i in range(x.rank)]
    indices = const(np.arange(size).reshape(affordable(shape)), DType.I32)
    first = reduce_min(where(x == extreme, indices, size), axis)
    return first.reshape([n for i, n in enumerate(x.shape) if i != axis])


def count_boundaries(x: Expr, boundaries: Sequence[float] | Array) -> Expr:
    """Lowers BUCKETIZE: returns how many ascending boundaries are at most each element, in fp32; for NaN all are."""
    column = x.cast(DType.FP32).reshape((x.size, 1))
    is_above = const(np.reshape(boundaries, (1, -1)), DType.FP32) > column
    counts = where(is_above, *(const([[number]], DType.I32) for number in (0, 1)))
    return reduce_sum(counts, 1).reshape(x.shape)


# ** the largest in order **


def top_k(x: Expr, count: int, *, unsigned: bool, unrolled: bool) -> tuple[Expr, Expr]:
    """Lowers TOPK_V2: returns the `count` largest elements along the last dimension, descending, and their indices.

    Of equal elements the first comes first.

    Args:
        x: of floats or integers; NaN counts as -infinity.
        count: how many elements.
        unsigned: the bits of i8 elements are those of unsigned bytes.
        unrolled: emit no loops.

    Raises:
        Decline: x is a scalar, or the dimension has fewer than `count` elements.
    """
    size = x.shape[-1] if x.rank else 0
    if count == 0 and x.rank:
        shape = (*x.shape[:-1], 0)
        return empty(shape, x.dtype), empty(shape, DType.I32)
    if not 1 <= count <= size:
        raise Decline(f"expected a count in [1, {size}], found {count}")
    rows = x.reshape((x.size // size, size))
    indices = top_indices(sort_keys(rows, unsigned=unsigned), count, unrolled=unrolled)
    shape = (*x.shape[:-1], count)
    return gather_rows(rows.reshape((*rows.shape, 1)), indices).reshape(shape), indices.reshape(shape)


def sort_keys(x: Expr, *, unsigned: bool, ascending: bool = False) -> Expr:
    """Returns floats or i32 whose descending order is the requested order of x; a NaN becomes -infinity, the last.

    The order is descending unless `ascending`; `unsigned` reads i8 elements as unsigned bytes.
    """
    if x.dtype.is_float:
        keys = -x if ascending else x
        return where(x == x, keys, -math.inf)
    keys = x.cast(DType.I32)
    keys = keys & 255 if unsigned else keys
    return ~keys if ascending else keys


def top_indices(keys: Expr, count: int, *, unrolled: bool) -> Expr:
    """Returns the indices [N, count] of the largest keys of each row [N, size], in descending order; ties by index.

    Several results of few pairs of elements are ranked by comparing all pairs. Otherwise one result after the other is
    searched, or a bitonic network sorts all, whichever takes fewer operations. `unrolled` emits no loop.
    """
    size = keys.shape[1]
    few_pairs = size <= 8 * count or keys.size * size <= MAX_PAIRS
    if count > 1 and few_pairs and size <= MAX_RANKED:
        return _top_indices_by_rank(keys, count)
    if count * OPS_PER_SEARCH * size <= len(_rounds(size)) * OPS_PER_ROUND << (size - 1).bit_length():
        return _top_indices_by_search(keys, count)
    return _top_indices_by_network(keys, count, unrolled=unrolled)


def sort_permutation(keys: Expr, *, unrolled: bool) -> Expr:
    """Returns the indices [N, size] that sort each row of keys in descending order; ties by index.

    `unrolled` emits no loop.
    """
    size = keys.shape[1]
    return (
        _top_indices_by_rank(keys, size)
        if size <= MAX_RANKED
        else _top_indices_by_network(keys, size, unrolled=unrolled)
    )


def sort_together(
    operands: Sequence[Expr], key: int, axis: int, *, ascending: bool, unsigned: bool, unrolled: bool
) -> list[Expr]:
    """Sorts several operands of one shape along an axis by the elements of one of them; ties keep their order.

    Args:
        operands: of any types; the key is of floats or integers. NaN counts as the infinity that comes last.
        key: the number of the operand that decides.
        axis: along which all are sorted.
        ascending: the smallest element of the key comes first.
        unsigned: the bits of i8 keys are those of unsigned bytes.
        unrolled: emit no loops.
    """
    shape = operands[0].shape
    axis_last = [*(i for i in range(len(shape)) if i != axis), axis]
    size = shape[axis]
    rows = [x.transpose(axis_last).reshape((x.size // size, size)) for x in operands]
    indices = sort_permutation(sort_keys(rows[key], unsigned=unsigned, ascending=ascending), unrolled=unrolled)
    results = [gather_rows(x.reshape((*x.shape, 1)), indices) for x in rows]
    moved = [x.reshape([shape[i] for i in axis_last]) for x in results]
    return [x.transpose([axis_last.index(i) for i in range(len(shape))]) for x in moved]


# ** all pairs **


def _top_indices_by_rank(keys: Expr, count: int) -> Expr:
    """Returns the indices [N, count] of the largest keys in descending order; a key's rank counts those before it.

    Larger keys come before, and equal ones that are earlier: keys [5, 7, 5] have the ranks [1, 0, 2], so index 1 comes
    first, then 0, then 2.
    """
    n, size = keys.shape
    column, row = keys.reshape((n, size, 1)), keys.reshape((n, 1, size))
    affordable((size, size))
    is_earlier = const(np.tri(size, k=-1, dtype=bool).reshape(1, size, size), DType.BOOL)
    at_least, more = row >= column, row > column
    comes_before = where(is_earlier, at_least, more).cast(DType.I32)
    rank = reduce_sum(comes_before, 2).reshape((n, 1, size))
    result_rank = const(np.arange(count).reshape(1, count, 1), DType.I32)
    indices = const(np.arange(size).reshape(1, 1, size), DType.I32)
    return reduce_sum(where(rank == result_rank, indices, 0), 2).reshape((n, count))


# ** a sorting network **


class _Round(NamedTuple):
    """A round of the bitonic network: compares elements `distance` apart; every other block is sorted backwards."""

    block: int
    distance: int


def _rounds(size: int) -> list[_Round]:
    """Returns the rounds of a bitonic network for `size` elements, each with its block size and distance."""
    depth = (size - 1).bit_length()
    return [_Round(2 << i, 1 << j) for i in range(depth) for j in range(i, -1, -1)]


def _top_indices_by_network(keys: Expr, count: int, *, unrolled: bool) -> Expr:
    """Returns the indices [N, count] of the largest keys [N, size] in descending order, by Batcher's bitonic network.

    Every round compares all elements with their partners; for 2**d elements there are d * (d + 1) / 2 rounds: 4500 are
    padded to 2**13 and take 91. Indices tell equal keys apart. The rounds are a loop, or unrolled.
    """
    n, size = keys.shape
    padded = 1 << (size - 1).bit_length()
    affordable((padded, 1))
    keys = keys.pad([(0, 0), (0, padded - size)], _lowest_key(keys))
    keys = keys.transpose((1, 0)).reshape((1, padded, n))
    numbers = const(np.arange(padded).reshape(1, padded), DType.I32)
    indices = numbers.reshape((1, padded, 1)).tile((1, 1, n))
    if unrolled:
        for step in _rounds(size):
            block, distance = (const([[number]], DType.I32) for number in step)
            keys, indices = _compare_and_exchange(numbers, keys, indices, block, distance)
    else:
        indices = _loop_rounds(numbers, keys, indices)
    return indices.part(1, 0, count).reshape((count, n)).transpose((1, 0))


def _loop_rounds(numbers: Expr, keys: Expr, indices: Expr) -> Expr:
    """Returns the sorted indices [1, P, N] after a WHILE_LOOP over all rounds of the bitonic network.

    The distance halves down to 1, then the block doubles, up to all P elements.
    """
    padded = keys.shape[1]
    first_distance, first_block = (const([[number]], DType.I32) for number in (1, 2))

    def has_next(values: Sequence[Expr]) -> Expr:
        """Returns whether a round is left: the block size, values[0], isn't above the `padded` elements yet."""
        return const([[padded]], DType.I32) >= values[0]

    def body(values: Sequence[Expr]) -> Sequence[Expr]:
        """Runs one round of the bitonic sort; returns the next block size and distance, keys and indices."""
        block, distance, keys, indices = values
        keys, indices = _compare_and_exchange(numbers, keys, indices, block, distance)
        is_last = distance == 1
        half, double = distance >> 1, block + block
        return where(is_last, double, block), where(is_last, block, half), keys, indices

    return while_loop([first_block, first_distance, keys, indices], has_next, body)[3]


def _compare_and_exchange(numbers: Expr, keys: Expr, indices: Expr, block: Expr, distance: Expr) -> tuple[Expr, Expr]:
    """Runs one round of a bitonic sort: returns the keys and indices after comparing pairs of elements.

    Keys and indices are [1, P, N]: N columns of P elements at positions `numbers` [1, P]. The elements of a pair are
    `distance` apart. The larger key comes first, except in every second block of `block` positions, where it comes
    last; of equal keys, the one with the lower index counts as larger.
    """
    partners = numbers ^ distance
    partner_keys, partner_indices = gather(keys, partners), gather(indices, partners)
    in_backward_block, is_second = (numbers & block) > 0, (numbers & distance) > 0
    is_flipped = (in_backward_block ^ is_second).reshape((1, numbers.shape[1], 1))
    is_tie_before = (partner_keys == keys) & (indices > partner_indices)
    partner_comes_first = (partner_keys > keys) | is_tie_before
    is_swapped = partner_comes_first ^ is_flipped
    return where(is_swapped, partner_keys, keys), where(is_swapped, partner_indices, indices)


def _lowest_key(keys: Expr) -> float:
    """Returns the key that sorts behind all others."""
    return -math.inf if keys.dtype.is_float else int(I32.min)


# ** one result after the other **


def _top_indices_by_search(keys: Expr, count: int) -> Expr:
    """Returns the indices [N, count] of the largest keys in descending order: repeatedly finds the first largest.

    After each search, the key found is replaced by the lowest key, and its index by one that is never the smallest.
    """
    size = keys.shape[1]
    lowest = _lowest_key(keys)
    remaining = indices = const(np.arange(*affordable([size])).reshape(1, size), DType.I32)
    none, results = scalar(size, indices), list[Expr]()
    while True:
        is_largest = keys == reduce_max(keys, 1)
        results.append(reduce_min(where(is_largest, remaining, none), 1))
        if len(results) == count:
            return concat(results, 1)
        is_taken = indices == results[-1]
        keys, remaining = where(is_taken, lowest, keys), where(is_taken, none, remaining)
