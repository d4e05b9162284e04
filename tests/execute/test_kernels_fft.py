"""FFT2D and RFFT2D of NaN and infinity equal the pseudocode of 2.3.6 and 2.3.9 written out."""

import math

import numpy as np
import pytest
from support.kernel_cases import planned, single

from tosa_converter.ir import Array
from tosa_converter.schemas import tosa_ops as ops

ODD = (np.nan, np.inf, -np.inf)


def by_hand(real: Array, imag: Array | None, sign: int) -> tuple[Array, Array]:
    count, height, width = real.shape
    sums = np.zeros((2, count, height, width if imag is not None else width // 2 + 1))
    for (n, oy, ox), (iy, ix) in ((o, i) for o in np.ndindex(sums.shape[1:]) for i in np.ndindex(height, width)):
        ay, ax = iy * oy % height, ix * ox % width
        a = sign * 2 * math.pi * (ay / height + ax / width)
        value = float(real[n, iy, ix])
        sums[0, n, oy, ox] += value * math.cos(a)
        if imag is not None:
            other = float(imag[n, iy, ix])
            sums[0, n, oy, ox] += other * math.sin(a)
            sums[1, n, oy, ox] += -value * math.sin(a) + other * math.cos(a)
        elif (height > 1 and ay % (height // 2) > 0) or (width > 1 and ax % (width // 2) > 0):
            sums[1, n, oy, ox] += -value * math.sin(a)
    return sums[0], sums[1]


def spoiled(rng: np.random.Generator, shape: tuple[int, ...], count: int) -> Array:
    x = rng.uniform(-4, 4, shape).astype(np.float32)
    x.reshape(-1)[rng.permutation(x.size)[:count]] = rng.choice(ODD, min(count, x.size))
    return x


@pytest.mark.parametrize("shape", [(2, 4, 8), (3, 2, 2), (1, 1, 4), (1, 8, 1), (2, 1, 1)])
@pytest.mark.parametrize("count", [0, 1, 2, 100])
def test_nan_and_infinity_reach_every_sum_that_they_are_part_of(shape: tuple[int, ...], count: int) -> None:
    rng = np.random.default_rng([*shape, count])
    real, imag = spoiled(rng, shape, count), spoiled(rng, shape, count // 2)
    with np.errstate(invalid="ignore"):
        outputs = [
            planned(single(ops.FFT2D, real, imag, inverse=False))(real, imag),
            planned(single(ops.FFT2D, real, imag, inverse=True))(real, imag),
            planned(single(ops.RFFT2D, real))(real),
        ]
        sums_by_hand = [by_hand(real, imag, 1), by_hand(real, imag, -1), by_hand(real, None, 1)]
    for ours, theirs in zip(outputs, sums_by_hand, strict=True):
        for part, expected in zip(ours, theirs, strict=True):
            np.testing.assert_allclose(part, expected, rtol=1e-5, atol=1e-5)
