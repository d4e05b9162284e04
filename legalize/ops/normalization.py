"""Normalization of floats along a dimension."""

import numpy as np

from tosa_converter.rewriting.expr import Expr, const, maximum, rsqrt
from tosa_converter.rewriting.operators import conv2d, reduce_sum


def l2_normalize(x: Expr, least_norm: float) -> Expr:
    """Returns x / max(sqrt(sum(x * x)), least_norm) over the last dimension."""
    squares = reduce_sum(x * x, x.rank - 1)
    return x * rsqrt(maximum(squares, least_norm**2))


def layer_normalize(x: Expr, weight: Expr, bias: Expr, epsilon: float) -> Expr:
    """Returns (x - mean) / sqrt(variance + epsilon) * weight + bias over the last dimension."""
    axis, per_element = x.rank - 1, 1 / x.shape[-1]
    centred = x - reduce_sum(x, axis) * per_element
    variance = reduce_sum(centred * centred, axis) * per_element
    return centred * rsqrt(variance + epsilon) * weight + bias


def window_sums(x: Expr, radius: int) -> Expr:
    """Returns the sum of `radius` elements before, the element and `radius` behind it, along the last dimension."""
    if not radius:
        return x
    *outer, size = x.shape
    column = x.reshape((int(np.prod(outer)), size, 1, 1))
    kernel = const(np.ones((1, 2 * radius + 1, 1, 1)), x.dtype)
    return conv2d(column, kernel, const([0], x.dtype), pad=(radius, radius, 0, 0)).reshape(x.shape)
