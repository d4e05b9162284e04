"""Scatter/gather operators (2.11)."""

import numpy as np

from tosa_converter.execute.definition.base import Call, widen
from tosa_converter.ir import Array


def gather(call: Call, values: Array, indices: Array) -> Array:
    """Computes GATHER (2.11.1): out[n, w] = values[n, indices[n, w]]."""
    return np.asarray(values[_checked_positions(call, values, indices)])


def row_gather(call: Call, values: Array, indices: Array, row_count: Array) -> Array:
    """Computes ROW_GATHER: row_count rows of values [N, K, C] from each index on; the result is [N, W*row_count, C]."""
    count, (batches, length, channels) = int(row_count[0]), values.shape
    call.require("0 <= k && (k+row_count) <= K", ((indices >= 0) & (indices <= length - count)).all())
    # Indices 4 and 0 with 2 rows each take rows 4, 5, 0, 1.
    rows = (widen(indices)[:, :, None] + np.arange(count)).reshape(batches, -1) % length
    return np.asarray(values[np.arange(batches)[:, None], rows].reshape(batches, -1, channels))


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
