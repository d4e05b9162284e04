"""Scatter/gather operators (2.11)."""

import numpy as np

from tosa_converter.execute.definition.base import Call
from tosa_converter.ir import Array


def gather(call: Call, values: Array, indices: Array) -> Array:
    """Computes GATHER (2.11.1): out[n, w] = values[n, indices[n, w]]."""
    return np.asarray(values[_checked_positions(call, values, indices)])


def scatter(call: Call, values: Array, indices: Array, updates: Array) -> Array:
    """Computes SCATTER (2.11.2): a copy of `values` with out[n, indices[n, w]] = updates[n, w]; no index may repeat."""
    positions, ordered = _checked_positions(call, values, indices), np.sort(indices, axis=1)
    # Sorted, equal indices of a batch are neighbours: [2, 0, 2] becomes [0, 2, 2].
    call.require("output_modified[n,k,c] == false", not np.any(ordered[:, 1:] == ordered[:, :-1]))
    out = values.copy()
    out[positions] = updates
    return out


def _checked_positions(call: Call, values: Array, indices: Array) -> tuple[Array, Array]:
    """Returns the batch and the position in it that each index [N, W] selects in [N, K, C], for numpy indexing.

    Without checks, indices beyond K wrap around.
    """
    count, length = values.shape[:2]
    call.require("0 <= k && k < K", ((indices >= 0) & (indices < length)).all())
    return np.arange(count)[:, None], indices % length
