"""Scatter/gather operators (2.11)."""

import numpy as np

from tosa_converter.execute.definition.base import Call
from tosa_converter.ir import Array


def gather(call: Call, values: Array, indices: Array) -> Array:
    """Computes GATHER (2.11.1)."""
    return np.asarray(values[_positions(call, values, indices)])


def scatter(call: Call, values: Array, indices: Array, updates: Array) -> Array:
    """Computes SCATTER (2.11.2)."""
    positions, ordered = _positions(call, values, indices), np.sort(indices, axis=1)
    call.require("output_modified[n,k,c] == false", not np.any(ordered[:, 1:] == ordered[:, :-1]))
    out = values.copy()
    out[positions] = updates
    return out


def _positions(call: Call, values: Array, indices: Array) -> tuple[Array, Array]:
    """Returns the batch and position of every index; indices out of range wrap around where REQUIREs aren't checked."""
    count, length = values.shape[:2]
    call.require("0 <= k && k < K", ((indices >= 0) & (indices < length)).all())
    return np.arange(count)[:, None], indices % length
