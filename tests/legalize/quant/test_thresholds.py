"""The smallest float of each level equals the division that defines it."""

import numpy as np
import pytest

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.quant.thresholds import smallest_floats


def level(x: Array, scale: np.float32) -> Array:
    """Returns round(x / scale) in float32, ties away from zero."""
    quotient = (x / scale).astype(np.float64)
    return np.copysign(np.floor(np.abs(quotient) + 0.5), quotient)


@pytest.mark.parametrize("dtype", [DType.I8, DType.I16])
@pytest.mark.parametrize("scale", [0.1, 1 / 255, 1.0, 2.0**-7, 3e-5, 0.0173, 1e-40, 1e30])
def test_a_level_begins_at_its_float_and_not_before(scale: float, dtype: DType) -> None:
    low, high = dtype.limits
    for zero_point in (0, low, 5) if dtype is DType.I8 else (0,):
        begins = smallest_floats(np.float32(scale), zero_point, dtype)
        assert begins.shape == (high - low + 1,)
        assert begins[-1] == np.inf
        first = begins[:-1]
        levels = np.arange(low + 1, high + 1) - zero_point
        below = np.nextafter(first, np.float32(-np.inf))
        inside = np.abs(first) < np.finfo(np.float32).max
        assert (level(first, np.float32(scale)) >= levels)[inside].all()
        assert (level(below, np.float32(scale)) < levels)[inside].all()
