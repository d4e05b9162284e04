"""Reductions (2.9) and ARGMAX (2.3.1)."""

from collections.abc import Callable

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.execute.definition.base import ADD_FITS, Kernel, require
from tosa_converter.execute.fast.base import BindKernel, PlanContext, compute_dtype, in_compute_dtype
from tosa_converter.ir import Array, Op

_I32 = np.iinfo(np.int32)
_RUN = 128  # floats that are added one after the other


def reduction(function: "np.ufunc", ignoring: "np.ufunc | None" = None) -> BindKernel:
    """Returns the plan (operator to kernel) of a reduction by `function`, or by `ignoring` if nan_mode is IGNORE."""

    def bind_reduction(op: Op, _plan_context: PlanContext) -> Kernel:
        """Returns a function that reduces an array along the operator's axis, in its compute type."""
        chosen = ignoring if ignoring is not None and op.attributes.get("nan_mode") == "IGNORE" else function
        axis = op.attributes["axis"]
        return in_compute_dtype(op, lambda x: chosen.reduce(x, axis=axis, keepdims=True))

    return bind_reduction


def reduce_sum(op: Op, plan_context: PlanContext) -> Kernel | None:
    """Returns a function that computes REDUCE_SUM (2.9.6); with checks, i32 partial sums must not overflow.

    None for i64, whose sums nothing wider checks.
    """
    axis = op.attributes["axis"]
    if op.result.type.dtype is DType.I64:
        return None
    if op.result.type.dtype.is_float:
        return in_compute_dtype(op, lambda x: _sum_in_runs(x, axis))

    def sum_integers(x: Array) -> Array:
        """Sums i32 along the axis; with checks, raises if a partial sum doesn't fit i32."""
        # 1000 elements of at most 2**21 stay below 1000 * 2**21 = 2097152000 < 2**31 in every partial sum, so the
        # running sums are computed only for larger ones.
        if plan_context.check and _largest_magnitude(x) * x.shape[axis] > _I32.max:
            partial = np.cumsum(x, axis=axis, dtype=np.int64)
            fits = partial.min() >= _I32.min and partial.max() <= _I32.max
            require(op, ADD_FITS, fits)
        return np.asarray(np.add.reduce(x, axis=axis, keepdims=True, dtype=np.int32))

    return sum_integers


def _sum_in_runs(x: Array, axis: int) -> Array:
    """Sums floats along an axis so that rounding errors don't grow with the number of terms.

    numpy adds pairwise along the last axis, but one term after the other along any other: that is cut into runs.
    """
    # n terms added one after the other may be off by (n - 1) * 2**-24 of the sum of their magnitudes in fp32. 16,384
    # terms: 16383 * 2**-24 = 9.8e-4; as 128 runs of 128, whose sums are added, (127 + 127) * 2**-24 = 1.5e-5.
    count = x.shape[axis]
    if count <= 2 * _RUN or axis == x.ndim - 1:
        return np.asarray(np.add.reduce(x, axis=axis, keepdims=True))
    # 1000 terms: 7 runs of 128 are summed side by side, then their 7 sums, then the 104 terms that remain.
    before, whole = (slice(None),) * axis, count - count % _RUN
    runs = x[(*before, slice(whole))].reshape(*x.shape[:axis], -1, _RUN, *x.shape[axis + 1 :])
    total = _sum_in_runs(np.add.reduce(runs, axis=axis + 1), axis)
    total += np.add.reduce(x[(*before, slice(whole, count))], axis=axis, keepdims=True)
    return total


def _largest_magnitude(x: Array) -> int:
    """Returns the largest |x| of an integer array as a Python integer, which can't overflow."""
    return max(int(x.max()), -int(x.min()))


def argmax(op: Op, _plan_context: PlanContext) -> Kernel:
    """Returns a function that computes ARGMAX (2.3.1): the first of equal maxima; NaN is the largest unless ignored."""
    axis = op.attributes["axis"]
    dtype = op.operands[0].type.dtype
    work = compute_dtype(dtype)
    ignore = dtype.is_float and op.attributes.get("nan_mode") == "IGNORE"
    find: Callable[[Array, int], Array] = _argmax_ignoring_nan if ignore else _argmax
    index_dtype = op.result.type.dtype.numpy
    return lambda x: find(x.astype(work, copy=False), axis).astype(index_dtype)


def _argmax(x: Array, axis: int) -> Array:
    """Returns the first index of the largest element along an axis; NaN counts as the largest."""
    return np.asarray(np.argmax(x, axis=axis))


def _argmax_ignoring_nan(x: Array, axis: int) -> Array:
    """Returns the first index of the largest element along an axis; NaN counts as the least."""
    valid = ~np.isnan(x)
    masked = np.where(valid, x, -np.inf)
    position = np.argmax(masked, axis=axis, keepdims=True)
    # Among NaN and -infinity only, the first -infinity is the maximum.
    first_valid = np.argmax(valid, axis=axis, keepdims=True)
    hit = np.take_along_axis(valid, position, axis)
    return np.asarray(np.squeeze(np.where(hit, position, first_valid), axis))
