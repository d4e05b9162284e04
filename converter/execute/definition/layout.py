"""Data layout (2.10): no arithmetic, views wherever possible."""

import numpy as np

from tosa_converter.execute.definition.base import Call
from tosa_converter.ir import Array


def concat(call: Call, *parts: Array) -> Array:
    """Computes CONCAT (2.10.1): joins the operands along `axis`."""
    return np.concatenate(parts, axis=call["axis"])


def pad(_call: Call, x: Array, padding: Array, pad_const: Array) -> Array:
    """Computes PAD (2.10.2): surrounds x with pad_const; `padding` has (before, after) per axis."""
    pairs = padding.reshape(-1, 2).tolist()
    out = np.empty([a + n + b for n, (a, b) in zip(x.shape, pairs, strict=True)], x.dtype)
    out[...] = pad_const.reshape(-1)[0]
    # [4, 5] with padding (1, 2) and (0, 3) stands at [1:5, 0:5] of [7, 8].
    out[tuple(slice(a, a + n) for n, (a, _) in zip(x.shape, pairs, strict=True))] = x
    return out


def reshape(_call: Call, x: Array, shape: Array) -> Array:
    """Computes RESHAPE (2.10.3): the same elements, in row-major order, with another shape."""
    return x.reshape(shape.tolist())


def reverse(call: Call, x: Array) -> Array:
    """Computes REVERSE (2.10.4): the elements in opposite order along `axis`."""
    return np.flip(x, call["axis"])


def slice_(_call: Call, x: Array, start: Array, size: Array) -> Array:
    """Computes SLICE (2.10.5): `size` elements from `start` on, along each axis."""
    return x[tuple(slice(a, a + n) for a, n in zip(start.tolist(), size.tolist(), strict=True))]


def tile(_call: Call, x: Array, multiples: Array) -> Array:
    """Computes TILE (2.10.6): repeats x `multiples` times along each axis."""
    return np.tile(x, multiples.tolist())


def transpose(call: Call, x: Array) -> Array:
    """Computes TRANSPOSE (2.10.7): axis i of the result is axis perms[i] of x."""
    return x.transpose(call["perms"])
