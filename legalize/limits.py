"""Limits that every lowering keeps: the size of constants, 32-bit integers, and the range of an axis."""

import math
from collections.abc import Sequence

import numpy as np

from tosa_converter.ir import Array
from tosa_converter.rewriting.reasons import Decline

I32 = np.iinfo(np.int32)
MAX_CONSTANT_ELEMENTS = (
    1 << 24
)  # of a constant that a lowering makes up: a few bytes of a file must not ask for gigabytes


def affordable(sizes: Sequence[int]) -> list[int]:
    """Returns the sizes as a list if a constant of that shape is small enough for a lowering to create.

    Raises:
        Decline: a size is below zero, or the constant is too large.
    """
    if min(sizes, default=0) < 0 or math.prod(sizes) > MAX_CONSTANT_ELEMENTS:
        raise Decline(f"expected a constant of at most {MAX_CONSTANT_ELEMENTS} elements, found shape {list(sizes)}")
    return list(sizes)


def narrowed(values: Array) -> Array:
    """Returns integers of any width as int32, since TOSA computes i64 in 32 bits.

    Raises:
        Decline: an integer doesn't fit.
    """
    too_wide = values[(values < I32.min) | (values > I32.max)]
    if too_wide.size:
        raise Decline(f"expected constants that fit 32 bits, found {too_wide[0]}")
    return values.astype(np.int32)


def normalized_axis(axis: int, rank: int) -> int:
    """Returns an axis counted from the front, where a negative one counts from the end.

    Raises:
        Decline: the axis is out of range.
    """
    if not -rank <= axis < rank:
        raise Decline(f"expected an axis in [{-rank}, {rank}), found {axis}")
    return axis % rank
