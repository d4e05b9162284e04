"""The smallest floats of each quantization level, found by bisection over the floats themselves.

QUANTIZE computes round(x / scale) with a float32 division, which TOSA doesn't have. A product with the reciprocal gives
the level or one less, and a comparison with the next level's smallest float decides.
"""

from functools import lru_cache

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.quant.libm import F32
from tosa_converter.legalize.quant.multipliers import round_away


@lru_cache(16)
def smallest_floats(scale: np.float32, zero_point: int, dtype: DType = DType.I8) -> Array:
    """Returns, for each stored value, the smallest float that is quantized to a larger one.

    For the last stored value it is infinity, because nothing is quantized to a larger one.
    """
    # Level n begins at the real (n - 1/2) * scale, and its smallest float is that real rounded, or a neighbour, because
    # the division rounds too: with scale = 0.1 the level 3 begins at float32(0.25), since float32(0.25) / float32(0.1)
    # is 2.49999996 exactly and 2.5 as a float32, which rounds to 3. The quotient of a bound is off by half a unit in
    # the last place and the bound itself by another half, so 8 units to each side are more than enough to bisect in.
    least, most = dtype.limits
    level = np.arange(least + 1, most + 1) - zero_point
    with np.errstate(over="ignore"):
        bound = _floats_to_ordered_ints(((level - 0.5) * np.float64(scale)).astype(F32))
        limit = _floats_to_ordered_ints(np.finfo(F32).max.reshape(1))
        low, high = (np.clip(bound + ulps, -limit, limit) for ulps in (-8, 8))
        while (low < high).any():
            middle = (low + high) >> 1
            reached = round_away(_ordered_ints_to_floats(middle) / scale) >= level
            low, high = np.where(reached, low, middle + 1), np.where(reached, middle, high)
    return np.append(_ordered_ints_to_floats(low), F32(np.inf))


def _floats_to_ordered_ints(x: Array) -> Array:
    """Converts float32 values to integers in the same order: neighbours differ by 1, and -0 and 0 are both 0."""
    bits = x.view(np.int32).astype(np.int64)
    return np.where(bits < 0, -(bits & 0x7FFFFFFF), bits)


def _ordered_ints_to_floats(order: Array) -> Array:
    """Converts integers that ascend as float32 values do back to those floats; inverse of `_floats_to_ordered_ints`."""
    bits = np.where(order < 0, -order | 0x80000000, order)
    return np.asarray(bits.astype(np.uint32).view(F32))
