"""Elementwise ternary operators (2.7)."""

import numpy as np

from tosa_converter.execute.definition.base import Call
from tosa_converter.ir import Array


def select(_call: Call, condition: Array, a: Array, b: Array) -> Array:
    """Computes SELECT (2.7.1): a where the condition is true, else b."""
    return np.where(condition, a, b)
