"""Reductions: sums, means, products, extremes and booleans over axes, segments and windows; running sums; variance.

A reduction along an axis keeps it with size 1.
"""

import math
import operator
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.limits import I32, affordable
from tosa_converter.legalize.ops.layout import take_range
from tosa_converter.rewriting.expr import Expr, const, intdiv, maximum, minimum, rsqrt, where
from tosa_converter.rewriting.operators import (
    avg_pool2d,
    concat,
    gather,
    reduce_all,
    reduce_any,
    reduce_max,
    reduce_min,
    reduce_product,
    reduce_sum,
)
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.schemas.tosa_target import LEVEL_8K

AxisReduction: TypeAlias = Callable[[Expr, int], Expr]  # along an axis, which is kept with size 1

# ** along an axis **


def sum_along(x: Expr, axis: int, factor: float = 1) -> Expr:
    """Returns the sum along an axis, times a factor; 16-bit floats are summed in fp32."""
    is_half = x.dtype in (DType.FP16, DType.BF16)
    total = reduce_sum(x.cast(DType.FP32) if is_half else x, axis)
    total = total * factor if factor != 1 else total
    return total.cast(x.dtype)


def mean_along(x: Expr, axis: int) -> Expr:
    """Returns the mean of floats along an axis, which keeps size 1.

    Raises:
        Decline: there are no elements, or they aren't floats.
    """
    if not x.shape[axis]:
        raise Decline("expected at least 1 element to take the mean of, found 0")
    if not x.dtype.is_float:
        raise Decline(f"expected floats to take the mean of, found {x.dtype.value}")
    return sum_along(x, axis, 1 / x.shape[axis])


def product_along(x: Expr, axis: int) -> Expr:
    """Returns the product of the elements along an axis.

    REDUCE_PRODUCT doesn't take i32. The second half of i32 elements is multiplied with the first until one is left; the
    order doesn't matter, because products wrap.
    """
    size = x.shape[axis]
    if x.dtype is not DType.I32:
        return reduce_product(x, axis) if size > 1 else x
    while size > 1:
        half, odd = divmod(size, 2)
        folded = x.part(axis, 0, half) * x.part(axis, half, half)
        x = concat([folded, x.part(axis, size - 1, 1)], axis) if odd else folded
        size = half + odd
    return x


class Reduction(NamedTuple):
    """A reduction along an axis, the same between two values, and the number that changes no result."""

    along: AxisReduction
    combine: Callable[[Expr, Expr], Expr]
    identity: Callable[[DType], float]


# The highest finite numbers; bf16 has 8 bits of mantissa and the exponents of fp32.
HIGHEST = {
    DType.I32: int(I32.max),
    DType.FP32: float(np.finfo(np.float32).max),
    DType.FP16: float(np.finfo(np.float16).max),
    DType.BF16: (2 - 2.0**-7) * 2.0**127,
}


def highest(dtype: DType) -> float:
    """Returns the highest finite number of i32 or a float."""
    return HIGHEST[dtype]


def lowest(dtype: DType) -> float:
    """Returns the lowest finite number of i32 or a float."""
    return -HIGHEST[dtype] if dtype.is_float else int(I32.min)


def _no_lower_bound(dtype: DType) -> float:
    """Returns a number that no element is below: -infinity for floats, else i32's minimum, as integers are in i32.

    A maximum of no elements has this value.
    """
    return -math.inf if dtype.is_float else int(I32.min)


def _no_upper_bound(dtype: DType) -> float:
    """Returns a number that no element exceeds: infinity for floats, else i32's maximum, as integers are in i32.

    A minimum of no elements has this value.
    """
    return math.inf if dtype.is_float else int(I32.max)


SUM = Reduction(reduce_sum, operator.add, lambda _: 0)
PRODUCT = Reduction(product_along, operator.mul, lambda _: 1)
MAXIMUM = Reduction(reduce_max, maximum, _no_lower_bound)
MINIMUM = Reduction(reduce_min, minimum, _no_upper_bound)
ALL = Reduction(reduce_all, operator.and_, lambda _: 1)
ANY = Reduction(reduce_any, operator.or_, lambda _: 0)
# Sums of 16-bit floats in fp32; extremes that pass over NaN and begin at a finite number.
FP32_SUM = Reduction(sum_along, operator.add, lambda _: 0)
FINITE_MAXIMUM = Reduction(partial(reduce_max, nan_mode="IGNORE"), partial(maximum, nan_mode="IGNORE"), lowest)
FINITE_MINIMUM = Reduction(partial(reduce_min, nan_mode="IGNORE"), partial(minimum, nan_mode="IGNORE"), highest)

# ** over axes **


def merge_axes(x: Expr, axes: Sequence[int]) -> Expr:
    """Returns x with the axes merged into one dimension: [outer, merged, inner].

    Only axes that other dimensions separate need a TRANSPOSE.
    """
    shape = x.shape
    merged = sorted(axis for axis in axes if shape[axis] != 1)
    first, last = (merged[0], merged[-1] + 1) if merged else (0, 0)
    size = math.prod(shape[axis] for axis in merged)
    if math.prod(shape[first:last]) == size:
        return x.reshape((math.prod(shape[:first]), size, math.prod(shape[last:])))
    remaining = [axis for axis in range(len(shape)) if axis not in merged]
    return x.transpose(remaining + merged).reshape((math.prod(shape[axis] for axis in remaining), size, 1))


def reduced_shape(shape: Sequence[int], axes: Sequence[int], *, keep: bool = True) -> tuple[int, ...]:
    """Returns the shape after a reduction: reduced axes are kept with size 1, or dropped."""
    return tuple(1 if axis in axes else size for axis, size in enumerate(shape) if keep or axis not in axes)


def reduce_over(x: Expr, axes: Sequence[int], reduction: AxisReduction, *, keep: bool = True) -> Expr:
    """Returns x reduced over several axes at once; they are kept with size 1, or dropped."""
    long = [axis for axis in axes if x.shape[axis] != 1]
    y = reduction(x, long[0]) if len(long) == 1 else reduction(merge_axes(x, axes), 1)
    return y.reshape(reduced_shape(x.shape, axes, keep=keep))


def mean_over(x: Expr, axes: Sequence[int], *, keep: bool = True, by_pool: bool) -> Expr:
    """Returns the mean over axes, which are kept with size 1, or dropped; i32 is rounded towards zero.

    AVG_POOL2D computes it if `by_pool` is set and a window may have that many elements. Otherwise the sum is multiplied
    by the reciprocal of the count. That is exact for a power of two, so a single axis of 2**n elements is always
    summed, unless it is already laid out as an image.
    """
    merged = merge_axes(x, axes)
    outer, count, inner = merged.shape
    is_image = list(axes) == [1, 2] and x.rank == 4
    long = [axis for axis in axes if x.shape[axis] != 1] or list(axes)
    if x.dtype is DType.I32:
        y = intdiv(reduce_sum(merged, 1), count)
    elif len(long) == 1 and count.bit_count() == 1 and not is_image and x.shape != (outer, count, 1, inner):
        y = sum_along(x, long[0], 1 / count)
    elif count > LEVEL_8K.MAX_KERNEL or not by_pool:
        y = sum_along(merged, 1, 1 / count)
    else:
        image = x if is_image else merged.reshape((outer, count, 1, inner))
        kernel = x.shape[1:3] if is_image else (count, 1)
        y = avg_pool2d(image, kernel=kernel, stride=(1, 1), pad=(0, 0, 0, 0))
    return y.reshape(reduced_shape(x.shape, axes, keep=keep))


# ** variance **


def variance(x: Expr, axes: Sequence[int], correction: float) -> Expr:
    """Returns the sum of squared distances from the mean, divided by (count - correction); axes keep size 1.

    Raises:
        Decline: the divisor isn't above 0.
    """
    divisor = math.prod(x.shape[axis] for axis in axes) - correction
    if not divisor > 0:
        raise Decline(f"expected a variance over at least 1 element, found {divisor}")
    distance = x - reduce_over(x, axes, mean_along)
    return reduce_over(distance * distance, axes, sum_along) * (1 / divisor)


def standardize(x: Expr, axes: Sequence[int], epsilon: float) -> tuple[Expr, Expr, Expr]:
    """Returns (x - mean) / sqrt(variance + epsilon) over axes, the mean, and the reciprocal standard deviation."""
    mean = reduce_over(x, axes, mean_along)
    distance = x - mean
    inverse_deviation = rsqrt(reduce_over(distance * distance, axes, mean_along) + epsilon)
    return distance * inverse_deviation, mean, inverse_deviation


# ** running sums **


def cumulative_sum(x: Expr, axis: int, *, exclusive: bool = False, reverse: bool = False) -> Expr:
    """Returns running sums along an axis, by doubling: round i adds the sum that ends 2**i elements before.

    With `exclusive` an element isn't in its own sum; with `reverse` sums run from each element to the end. The sums of
    [1, 2, 3, 4] grow from [1, 3, 5, 7] to [1, 3, 6, 10].
    """
    if exclusive:
        x = _shift_along(x, axis, 1, reverse=reverse)
    distance = 1
    while distance < x.shape[axis]:
        x = x + _shift_along(x, axis, distance, reverse=reverse)
        distance *= 2
    return x


def _shift_along(x: Expr, axis: int, distance: int, *, reverse: bool) -> Expr:
    """Shifts elements along an axis to higher indices, or with `reverse` to lower ones, and fills with zeros."""
    size = x.shape[axis] - distance
    if size < 1:
        return const(np.zeros(affordable(x.shape), x.dtype.numpy), x.dtype)
    pair = (0, distance) if reverse else (distance, 0)
    return x.part(axis, distance if reverse else 0, size).pad([pair if i == axis else (0, 0) for i in range(x.rank)])


# ** segments **


def reduce_segments(x: Expr, ids: Expr, count: int, reduction: Reduction) -> Expr:
    """Reduces the entries of each segment; returns [count, *x.shape[ids.rank:]].

    Constant ids gather the entries of each segment; run-time ids are compared with all segment numbers.

    Args:
        x: its leading dimensions are those of the ids.
        ids: the segment of each entry; negative ones are in none.
        count: how many segments there are; an empty one has the reduction's identity.
        reduction: along axis 1.
    """
    affordable((count,))
    rest = x.shape[ids.rank :]
    x = x.reshape((1, math.prod(ids.shape), math.prod(rest)))
    if ids.constant is None:
        numbers = const(np.arange(count).reshape(affordable((count, 1, 1))), DType.I32)
        grouped = where(ids.reshape((1, x.shape[1], 1)) == numbers, x, reduction.identity(x.dtype))
    else:
        grouped = _gather_groups(x, ids.constant.reshape(-1), count, reduction)
    return reduction.along(grouped, 1).reshape((count, *rest))


def _gather_groups(x: Expr, ids: Array, count: int, reduction: Reduction) -> Expr:
    """Gathers the entries of each segment [count, most, inner] from x [1, entries, inner].

    Segment ids are constant; shorter segments than the longest are filled up with the reduction's identity.
    """
    table = group_member_indices(ids, count)
    if (table == ids.size).any():
        x = x.pad(((0, 0), (0, 1), (0, 0)), reduction.identity(x.dtype))
    return gather(x, const(table.reshape(1, -1), DType.I32)).reshape((*table.shape, x.shape[2]))


def group_member_indices(groups: Array, count: int) -> Array:
    """Returns the indices of each group's members in order, [count, most]; `groups.size` fills empty entries.

    Groups [2, 0, 2, -1] of 3 have the indices [[1, 4], [4, 4], [0, 2]]: group -1 has none.
    """
    sizes = np.bincount(groups[groups >= 0], minlength=count)
    most = max(int(sizes.max()), 1)
    table = np.full(affordable((count, most)), groups.size)
    order = np.argsort(groups, kind="stable")[np.count_nonzero(groups < 0) :]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    table[groups[order], np.arange(order.size) - starts[groups[order]]] = order
    return table


# ** windows **


def reduce_window(
    x: Expr, reduction: Reduction, sizes: Sequence[int], strides: Sequence[int], dilations: Sequence[int]
) -> Expr:
    """Reduces windows that lie inside of x, one axis after the other.

    Raises:
        Decline: a window is larger than x.
    """
    for axis, (size, stride, dilation) in enumerate(zip(sizes, strides, dilations, strict=True)):
        x = _reduce_window_along(x, reduction, axis, size, stride, dilation)
    return x


def _reduce_window_along(x: Expr, reduction: Reduction, axis: int, size: int, stride: int, dilation: int) -> Expr:
    """Reduces the windows along one axis, by combining slices: one slice has the same element of every window.

    A window larger than x is declined.
    """
    whole, span = x.shape[axis], (size - 1) * dilation + 1
    if span > whole:
        raise Decline(f"expected a window of at most {whole} elements, found {span}: TOSA has no empty tensors")
    if size == whole:
        return reduction.along(x, axis) if size > 1 else x
    reach = (whole - span) // stride * stride + 1
    parts = [take_range(x, axis, range(begin, begin + reach, stride)) for begin in range(0, span, dilation)]
    while len(parts) > 1:
        pairs = zip(parts[::2], parts[1::2], strict=False)
        parts = [reduction.combine(a, b) for a, b in pairs] + parts[len(parts) // 2 * 2 :]
    return parts[0]
