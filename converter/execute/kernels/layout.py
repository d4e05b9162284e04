"""Data layout (2.10), data nodes (2.14, 2.18) and scatter/gather (2.11): no arithmetic, views wherever possible."""

import numpy as np

from tosa_converter.execute.kernels.base import Mode, Run, prepared, require
from tosa_converter.ir import Array, Op


def constant(op: Op, mode: Mode) -> Run:
    """CONST and CONST_SHAPE."""
    values = mode.constant(op.result)
    assert values is not None
    return lambda: values


def identity(_op: Op, _mode: Mode) -> Run:
    """2.14.2."""
    return lambda x: x


def concat(op: Op, _mode: Mode) -> Run:
    """2.10.1."""
    axis = op.attributes["axis"]
    return lambda *parts: np.concatenate(parts, axis=axis)


def pad(_op: Op, _mode: Mode) -> Run:
    """2.10.2."""

    def run(x: Array, padding: Array, pad_const: Array) -> Array:
        pairs = np.asarray(padding).reshape(-1, 2).tolist()
        out = np.empty([a + n + b for n, (a, b) in zip(x.shape, pairs, strict=True)], x.dtype)
        out[...] = pad_const.reshape(-1)[0]
        out[tuple(slice(a, a + n) for n, (a, _) in zip(x.shape, pairs, strict=True))] = x
        return out

    return run


def reshape(op: Op, mode: Mode) -> Run:
    """2.10.3."""
    shape = prepared(op, mode, (1,), lambda values: tuple(values.tolist()))
    return lambda *inputs: inputs[0].reshape(shape(inputs))


def reverse(op: Op, _mode: Mode) -> Run:
    """2.10.4."""
    axis = op.attributes["axis"]
    return lambda x: np.flip(x, axis)


def slice_(op: Op, mode: Mode) -> Run:
    """2.10.5."""

    def window(start: Array, size: Array) -> tuple[slice, ...]:
        return tuple(slice(a, a + n) for a, n in zip(start.tolist(), size.tolist(), strict=True))

    index = prepared(op, mode, (1, 2), window)
    return lambda *inputs: inputs[0][index(inputs)]


def tile(_op: Op, _mode: Mode) -> Run:
    """2.10.6."""
    return lambda x, multiples: np.tile(x, multiples.tolist())


def transpose(op: Op, _mode: Mode) -> Run:
    """2.10.7."""
    perms = op.attributes["perms"]
    return lambda x: x.transpose(perms)


_IN_RANGE = "0 <= k && k < K"


def gather(op: Op, mode: Mode) -> Run:
    """2.11.1."""

    def run(values: Array, indices: Array) -> Array:
        _check_range(op, mode, indices, values.shape[1])
        if len(values) == 1:
            return np.asarray(values[0].take(indices, axis=0, mode="wrap"))  # the mode that numpy is fastest at
        return np.asarray(values[np.arange(len(values))[:, None], indices])

    return run


def scatter(op: Op, mode: Mode) -> Run:
    """2.11.2."""

    def run(values: Array, indices: Array, updates: Array) -> Array:
        _check_range(op, mode, indices, values.shape[1])
        if mode.check:
            ordered = np.sort(indices, axis=1)
            require(op, "output_modified[n,k,c] == false", not np.any(ordered[:, 1:] == ordered[:, :-1]))
        out = values.copy()
        out[np.arange(len(values))[:, None], indices] = updates
        return out

    return run


def _check_range(op: Op, mode: Mode, indices: Array, end: int) -> None:
    if mode.check:
        require(op, _IN_RANGE, indices.min() >= 0 and indices.max() < end)
