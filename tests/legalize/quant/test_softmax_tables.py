"""SOFTMAX's tables equal exp and 1 / x, and both searches equal their definitions."""

import numpy as np
import pytest

from tosa_converter.legalize.quant.softmax_tables import (
    exp_entries,
    exponentials,
    is_one_exact,
    reciprocal_entries,
    splitting_factor,
)
from tosa_converter.rewriting.reasons import Decline


@pytest.mark.parametrize("step", [0.003, 0.02, 0.1, 0.125, 1.0])
def test_exponentials_are_those_of_distances(step: float) -> None:
    """Errors are below 600 units of 2**-31, the limit of Taylor's polynomial of four terms; 0 beyond the reach."""
    table = exponentials(np.float64(1), np.float64(step))
    exact = np.exp(-step * np.arange(256)) * 2.0**31
    assert np.abs(table - exact).max() <= 600 + exact[-1]


def test_a_step_too_small_is_declined() -> None:
    with pytest.raises(Decline, match="that LiteRT's kernel accepts"):
        exponentials(np.float64(1), np.float64(2.0**-27))


@pytest.mark.parametrize("step", [0.003, 0.02, 0.1, 1.0])
def test_words_are_halves_by_a_factor(step: float) -> None:
    words = exponentials(np.float64(1), np.float64(step))
    words[255] = 3 * 65538 + 65537 - (1 << 15)  # the least factor leaves 17 bits of it
    factor = splitting_factor(words)
    high, low = np.divmod(words + (1 << 15), factor)
    assert (high * factor + low - (1 << 15) == words).all()
    for half in (high, low):
        assert ((half >= 0) & (half < 1 << 16)).all()
    assert (high * factor).max() < 1 << 31


def rounded(x: int, shift: int) -> int:
    return (x + (1 << shift - 1)) >> shift


@pytest.mark.parametrize("bits", [8, 16])
def test_a_reciprocal_of_1_is_exact_unless_it_makes_a_difference(bits: int) -> None:
    """Products with 1 and with the kernel's 1 - 2**-31, the largest number of Q0.31, are compared for every shift."""
    rng = np.random.default_rng(bits)
    ties = [(1 << 30) + (odd << place) + more for place in range(11, 30) for odd in (1, 3, 5) for more in (0, 1)]
    values = [value for value in (*ties, *rng.integers(0, 1 << 31, 200).tolist()) if value < 1 << 31]
    outcomes = set()
    for value in values:
        below = (value * ((1 << 31) - 1) + (1 << 30)) >> 31
        shifts = range(12 + 31 - bits - 12, 32)
        same = all(rounded(value, shift) == rounded(below, shift) for shift in shifts)
        assert is_one_exact(np.array([value]), bits) == same
        outcomes.add(same)
    assert outcomes == {True, False}


def test_tables_of_16_bits_equal_the_functions() -> None:
    """Entries are lowered by half of the line's deviation: less than a step."""
    i = np.arange(513)
    exact = np.exp((i - 512) / 512 * 10) * 32768
    assert np.abs(exp_entries() - np.minimum(exact, 32767)).max() <= 2
    exact = 32768 / (1 + i / 512)
    assert np.abs(reciprocal_entries() - np.minimum(exact, 32767)).max() <= 1
    for table in (exp_entries(), reciprocal_entries()):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 0
