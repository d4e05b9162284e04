"""DIV's tables equal fractions, except where the last shift of the kernel is undefined."""

import math

import numpy as np
import pytest

from tosa_converter.legalize.quant.elements import INT8_MAX, INT8_MIN, Affine, OutputQuant
from tosa_converter.legalize.quant.quotients import (
    quotient_multiplier,
    quotient_table,
    reciprocal_mantissas,
    undefined_quotients,
)

F32 = np.float32
QUOTIENTS = [
    (Affine(F32(0.5), 3), Affine(F32(0.1), -7), OutputQuant(F32(0.25), 10, unsigned=False)),
    (Affine(F32(0.02), 0), Affine(F32(0.9), 0), OutputQuant(F32(0.01), 0, unsigned=True)),
    (Affine(F32(1.0), -128), Affine(F32(1.0), 127), OutputQuant(F32(1.0), 0, unsigned=False)),
]


@pytest.mark.parametrize(("x", "y", "to"), QUOTIENTS)
def test_results_are_the_quotients_rounded(x: Affine, y: Affine, to: OutputQuant) -> None:
    """Entries are within a thousandth of a step of the tie, as the fixed-point reciprocal allows."""
    table = quotient_table(x, y, to, INT8_MIN, INT8_MAX)
    stored = table.results ^ np.int8(INT8_MIN if to.unsigned else 0)
    for i in range(0, 256, 3):
        for j in range(256):
            dividend, divisor = i - 128 - x.zero_point, j - 128 - y.zero_point
            if divisor == 0:
                assert stored[i, j] == to.zero_point
                continue
            exact = dividend * float(x.scale) / (divisor * float(y.scale) * float(to.scale)) + to.zero_point
            nearest = min(max(stored[i, j], INT8_MIN), INT8_MAX)
            assert abs(nearest - min(max(exact, INT8_MIN), INT8_MAX)) <= 0.501


def test_results_keep_to_the_fused_range() -> None:
    x, y, to = QUOTIENTS[0]
    table = quotient_table(x, y, to, -5, 60)
    assert (table.results.min(), table.results.max()) == (-5, 60)


FINE = (Affine(F32(1.0), 0), Affine(F32(1.0), 0), OutputQuant(F32(2.0**-24), 0, unsigned=False))  # shifts to the left


@pytest.mark.parametrize(("x", "y", "to"), [*QUOTIENTS, FINE])
def test_a_shift_to_the_left_or_by_over_31_is_undefined(x: Affine, y: Affine, to: OutputQuant) -> None:
    multiplier = quotient_multiplier(x, y, to)
    for dividend in (-255, -6, -1, 0, 1, 3, 200):
        for divisor in (-255, -3, -1, 1, 2, 7, 255):
            size = dividend if divisor > 0 else -dividend
            leading = 31 - (size if size >= 0 else ~size).bit_length()
            shift = int(multiplier.shift[0]) - math.floor(math.log2(abs(divisor))) - leading
            undefined = undefined_quotients(multiplier, np.array(dividend), np.array(divisor))
            assert bool(undefined.reshape(-1)[0]) is not (-31 <= shift <= 0)


def test_reciprocals_are_fractions_of_31_bits() -> None:
    mantissas = reciprocal_mantissas(1 << 12)
    for y in (1, 2, 3, 5, 7, 100, 4095):
        exact = 2.0 ** math.floor(math.log2(y)) / y
        assert abs(mantissas[y] / 2.0**31 - exact) <= 2.0**-28
