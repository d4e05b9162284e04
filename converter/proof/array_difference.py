"""How much two arrays differ: element by element, and as a signal-to-noise ratio."""

import math

import numpy as np

from tosa_converter.ir import Array

Runs = list[list[Array]]  # by run, by output


def difference(a: Array, b: Array) -> Array:
    """|a - b| per element in fp64, where NaN equals NaN only and an infinity itself only."""
    a, b = _in_fp64(a), _in_fp64(b)
    with np.errstate(invalid="ignore"):
        d = np.abs(a - b)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    return np.where(same, 0.0, np.where(np.isnan(d), np.inf, d))


def largest(array: Array) -> float:
    """The largest finite magnitude, 0 if there is none."""
    magnitudes = np.abs(_in_fp64(array))
    return float(magnitudes[np.isfinite(magnitudes)].max(initial=0.0))


def _in_fp64(array: Array) -> Array:
    """Numbers in fp64; memory that nothing was written to may hold signalling NaN, of which numpy warns."""
    with np.errstate(invalid="ignore"):
        return np.asarray(array, np.float64)


def sqnr(reference: Array, d: Array) -> float:
    """10 log10(sum reference^2 / sum d^2) of finite elements, infinite where nothing differs."""
    noise = float(np.sum(np.square(d)))
    if noise == 0:
        return math.inf
    numbers = _in_fp64(reference)
    signal = float(np.sum(np.square(numbers[np.isfinite(numbers)])))
    return 10 * math.log10(signal / noise) if signal and math.isfinite(noise) else -math.inf
