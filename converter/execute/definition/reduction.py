"""Reductions (2.9)."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.execute.definition.base import Call, Definition, widen
from tosa_converter.ir import Array


def reduction(function: "np.ufunc", ignoring: "np.ufunc | None" = None) -> Definition:
    """Returns the definition of a reduction by the numpy function `function`, or `ignoring` if nan_mode is IGNORE."""

    def reduce_along_axis(call: Call, x: Array) -> Array:
        """Reduces x along the operator's axis, which keeps size 1."""
        chosen = ignoring if ignoring is not None and call.ignores_nan else function
        return np.asarray(chosen.reduce(widen(x), axis=call["axis"], keepdims=True))

    return reduce_along_axis


def reduce_sum(call: Call, x: Array) -> Array:
    """Computes REDUCE_SUM (2.9.6) along `axis`; with checks, no partial sum of integers may overflow."""
    axis, value = call["axis"], widen(x)
    sums = np.cumsum(value, axis=axis)
    if call.target is DType.I64:
        # Each partial sum is the one before plus an element: where int64 wraps around, its sign differs from both.
        before = np.moveaxis(sums, axis, 0)[:-1]
        call.checked_sum(before, np.moveaxis(value, axis, 0)[1:])
    call.checked_sums(sums)
    return np.asarray(value.sum(axis=axis, keepdims=True))
