"""Activation functions (2.4)."""

from math import erf as _erf

import numpy as np

from tosa_converter.execute.definition.base import Call, maximum, minimum, widen
from tosa_converter.ir import Array


def clamp(call: Call, x: Array) -> Array:
    """Computes CLAMP (2.4.1): min(max(x, min_val), max_val); the limits are rounded to the element type first."""
    low, high = (widen(np.array(call[key]).astype(call.target.numpy)) for key in ("min_val", "max_val"))
    return minimum(call, maximum(call, widen(x), low), high)


def erf(_call: Call, x: Array) -> Array:
    """Computes ERF (2.4.2), the error function, element by element with the standard library."""
    return np.array([_erf(value) for value in widen(x).ravel().tolist()]).reshape(x.shape)


def sigmoid(_call: Call, x: Array) -> Array:
    """Computes SIGMOID (2.4.3): 1 / (1 + exp(-x))."""
    return np.asarray(1 / (1 + np.exp(-widen(x))))
