"""TABLEs of 8 bits equal the real functions that they represent."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from tosa_converter.legalize.quant import byte_tables, libm
from tosa_converter.legalize.quant.byte_tables import ByteTable
from tosa_converter.legalize.quant.elements import INT8_MAX, INT8_MIN, Affine, OutputQuant

F32 = np.float32
FUNCTIONS: dict[str, tuple[ByteTable, Callable[[float], float], float]] = {
    "logistic": (byte_tables.table_of_function(libm.logistic), lambda x: 1 / (1 + math.exp(-x)), 0.5),
    "tanh": (byte_tables.table_of_function(libm.TANH), math.tanh, 0.5),
    "elu": (byte_tables.table_of_function(libm.elu), lambda x: x if x >= 0 else math.expm1(x), 0.5),
    "gelu": (byte_tables.table_of_function(libm.gelu_erf), lambda x: x / 2 * math.erfc(-x / math.sqrt(2)), 0.5),
    "requantized": (byte_tables.requantized_values, lambda x: x, 0.5),
    "same reals": (byte_tables.activation_requantized_values, lambda x: x, 0.5),
    "leaky relu": (byte_tables.leaky_relu_table(0.3), lambda x: x if x >= 0 else float(F32(0.3)) * x, 0.625),
    "negative slope": (byte_tables.leaky_relu_table(-0.3), lambda x: x if x >= 0 else float(F32(-0.3)) * x, 0.625),
    "abs": (byte_tables.abs_table, abs, 0.5),
    "hard swish": (byte_tables.hard_swish_table, lambda x: x * min(max(x / 6 + 0.5, 0), 1), 1.0),
    "sqrt": (byte_tables.sqrt_table, lambda x: math.sqrt(max(x, 0)), 1.0),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("zero_points", [(0, 0), (-128, -128), (7, -20)])
def test_entries_are_the_function_rounded(name: str, zero_points: tuple[int, int]) -> None:
    """Entries are within half a step; fixed point of 15 bits and truncation within one.

    Slopes below 1/4 are rounded twice, the first time to a quarter of a step: 1/2 + 1/8.
    """
    table, function, error = FUNCTIONS[name]
    x, to = Affine(F32(0.04), zero_points[0]), OutputQuant(F32(0.05), zero_points[1], unsigned=False)
    entries = table(x, to)
    assert not entries.undefined.any()
    for stored, result in zip(range(INT8_MIN, INT8_MAX + 1), entries.stored, strict=True):
        real = float(x.scale) * (stored - x.zero_point)
        exact = function(real) / float(to.scale) + to.zero_point
        assert abs(result - exact) <= error + 1e-3 or not INT8_MIN <= exact <= INT8_MAX


def test_reciprocal_roots_are_rounded_and_the_largest_at_0() -> None:
    x, to = Affine(F32(0.04), -128), OutputQuant(F32(0.05), -128, unsigned=False)
    entries = byte_tables.rsqrt_table(x, to)
    assert entries.stored[0] == INT8_MAX
    for distance in range(1, 256):
        exact = 1 / math.sqrt(float(x.scale) * distance) / float(to.scale) + to.zero_point
        assert abs(entries.stored[distance] - exact) <= 0.501


def test_entries_that_depend_on_libm_are_undefined() -> None:
    """exp(0) / 2 is a tie; its neighbours aren't near one."""
    tie = OutputQuant(F32(2), 0, unsigned=False)
    entries = byte_tables.table_of_function(libm.EXP)(Affine(F32(1e-3), 0), tie)
    assert entries.undefined[128]
    assert np.count_nonzero(entries.undefined) < 5


def test_entries_that_overflow_in_c_are_undefined() -> None:
    entries = byte_tables.activation_requantized_values(Affine(F32(2.0**30), 0), OutputQuant(F32(1), 0, unsigned=False))
    assert entries.undefined[128 + 2]
    assert not entries.undefined[128]


def test_entries_are_clamped() -> None:
    x, to = Affine(F32(0.04), 0), OutputQuant(F32(0.05), 0, unsigned=False)
    stored = byte_tables.activation_requantized_values(x, to).clip(-3, 40).stored
    assert (stored.min(), stored.max()) == (-3, 40)
