"""Results whose number of rows is data: rows that are chosen, places of elements that aren't 0, different elements.

The number of rows is bounded: behind the last row of a run are zeros, and further ones are left out.
"""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.limits import affordable
from tosa_converter.legalize.ops.reduce import cumulative_sum
from tosa_converter.rewriting.expr import Expr, const, where
from tosa_converter.rewriting.operators import argmax, gather, scatter


def compact_rows(values: Expr, chosen: Expr, rows: int) -> Expr:
    """Moves the chosen rows of values [1, W, C] to the front: [rows, C], with zeros behind the last.

    SCATTER takes every index once only, so each row that isn't taken gets an index of its own behind the result, which
    is cut off: with W = 3, rows = 1 and chosen = [no, yes, yes], the indices are [1 + 0, 0, 1 + 2].
    """
    _, count, width = values.shape
    numbers = cumulative_sum(chosen.cast(DType.I32), 0)
    is_taken = chosen & (numbers < rows + 1)
    behind = const(np.arange(count) + rows, DType.I32)
    index = where(is_taken, numbers - 1, behind)
    zeros = const(np.zeros(affordable((1, rows + count, width))), values.dtype)
    scattered = scatter(zeros, index.reshape((1, count)), values)
    return scattered.slice((0, 0, 0), (1, rows, width)).reshape((rows, width))


def nonzero(x: Expr, rows: int) -> Expr:
    """Lowers WHERE: returns the coordinates of the elements that aren't 0, in order: [rows, x.rank].

    `rows` is the maximum number of such elements: zeros follow the last one, and further ones are dropped.
    """
    if x.dtype is not DType.BOOL:
        # TOSA has no comparison for inequality; this one also counts NaN as not 0.
        x = ~((x.cast(DType.I32) if x.dtype.is_integer else x) == 0)
    shape = affordable(x.shape)
    coordinates = const(np.indices(shape).reshape(len(shape), -1).T[None], DType.I32)
    return compact_rows(coordinates, x.reshape((x.size,)), rows)


def unique(x: Expr, rows: int) -> tuple[Expr, Expr]:
    """Lowers UNIQUE: returns the distinct elements in order of appearance [rows], and each element's index in them [W].

    Each element is compared with all others, and gets the index of the first that is equal. `rows` is the maximum
    number of distinct elements: zeros follow the last one, and further ones are dropped.
    """
    count = x.size
    affordable((count, count))
    compared = x if x.dtype in (DType.FP32, DType.I32) else x.cast(DType.I32)
    equal = compared.reshape((count, 1)) == compared.reshape((1, count))
    first = argmax(equal.cast(DType.I8), 1)
    is_first = first == const(np.arange(count), DType.I32)
    numbers = (cumulative_sum(is_first.cast(DType.I32), 0) - 1).reshape((1, count, 1))
    inverse = gather(numbers, first.reshape((1, count))).reshape((count,))
    return compact_rows(x.reshape((1, count, 1)), is_first, rows).reshape((rows,)), inverse
