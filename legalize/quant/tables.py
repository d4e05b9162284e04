"""The 513 entries that LiteRT tabulates a real function with for int16 (LUTPopulateInt16, common.h)."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from tosa_converter.ir import Array
from tosa_converter.legalize.quant.multipliers import round_away
from tosa_converter.legalize.tflite.sixteen_bit.common import INT16_MAX, INT16_MIN

STEPS = 512
Real: TypeAlias = np.float32 | np.float64


def entries(function: Callable[[Array], Array], scale: Real, zero_point: int, to_scale: Real) -> Array:
    """Entries as int16, in the float type of the scales; what comes out has a zero point of 0.

    Each is moved by half of what a straight line to the next one is off in the middle.
    """
    real = type(scale)
    first, last = scale * real(INT16_MIN - zero_point), scale * real(INT16_MAX - zero_point)
    step = (last - first) / real(STEPS)
    inverse = real(1 << 16) / (to_scale * real(INT16_MAX) - to_scale * real(INT16_MIN))
    i: Array = np.arange(STEPS + 1).astype(real)
    with np.errstate(over="ignore", invalid="ignore"):
        start = function(first + i * step) * inverse
        middle = round_away(function(first + i[:-1] * step + step / real(2)) * inverse)
        sample = round_away(start)
        line = round_away((start[1:] + sample[:-1]) / real(2))
        sample[:-1] -= round_away((line - middle) / real(2))
        sample[-1] = round_away(function(np.asarray([last])) * inverse)[0]
        return np.nan_to_num(np.clip(sample, INT16_MIN, INT16_MAX)).astype(np.int16)
