"""Fixed-point functions of the graph equal the real ones."""

from fractions import Fraction

import numpy as np
from support.expressions import evaluate

from tosa_converter.legalize.quant import fixed_point, q31


def test_shifts_round_ties_away_from_zero() -> None:
    x = np.array([-7, -6, -5, -3, -2, -1, 0, 1, 2, 3, 5, 6, 7, 1 << 30, -(1 << 30)], np.int32)
    for right in (0, 1, 2, 5):
        (ours,) = evaluate(q31.divide_by_run_time_power, x, np.full(x.shape, right, np.int32))
        exact = [Fraction(int(value), 1 << right) for value in x]
        away = [int(abs(value) + Fraction(1, 2)) * (1 if value > 0 else -1) for value in exact]
        assert ours.tolist() == away


def test_doubled_numbers_saturate() -> None:
    x = np.array([0, 1, (1 << 30) - 1, 1 << 30, (1 << 31) - 1], np.int32)
    (ours,) = evaluate(q31.double_saturating, x)
    assert ours.tolist() == [0, 2, (1 << 31) - 2, (1 << 31) - 1, (1 << 31) - 1]


def test_reciprocals_equal_the_real_ones() -> None:
    """1 / (1 + a) is within 2**-28, the error of three Newton steps and their roundings."""
    half = np.random.default_rng(0).integers(1 << 30, 1 << 31, 5000).astype(np.int32)
    (ours,) = evaluate(q31.half_reciprocal, half)
    exact = 1 / (2 * (half / 2.0**31))
    assert np.abs(ours / 2.0**30 - exact).max() <= 2.0**-28


def test_inverse_square_roots_equal_the_real_ones() -> None:
    """For all magnitudes, the multiplier in Q0.31 and the right shift give 1 / sqrt(x)."""
    x = np.unique(np.floor(np.exp2(np.linspace(1, 30.99, 5000)))).astype(np.int32)
    m, shift = evaluate(q31.inverse_square_root, x)
    assert np.abs(m / 2.0**31 / np.exp2(shift) * np.sqrt(x) - 1).max() <= 2.0**-19  # five steps end there for 2


def test_inverse_square_roots_of_0_and_1_are_the_largest() -> None:
    m, shift = evaluate(q31.inverse_square_root, np.array([0, 1], np.int32))
    assert (m.tolist(), shift.tolist()) == ([(1 << 31) - 1] * 2, [0, 0])


def test_inverse_square_roots_equal_the_numpy_form() -> None:
    """The graph has the bits of the numpy form, from which RSQRT's tables are built."""
    x = np.array([1, 2, 3, 100, 255, 65535, 1 << 20, (1 << 29) - 1], np.int32)
    m, shift = evaluate(q31.inverse_square_root, x)
    expected, left = fixed_point.inverse_square_root(x.astype(np.int64))
    assert m.tolist() == expected.tolist()
    assert (-shift).tolist() == left.tolist()


def test_logarithms_equal_the_real_ones() -> None:
    """log(z) of Q12.19 is computed in Q5.26."""
    z = np.floor(np.exp2(np.linspace(19, 30.99, 3000))).astype(np.int32)
    (ours,) = evaluate(q31.logarithm, z)
    assert np.abs(ours / 2.0**26 - np.log(z / 2.0**19)).max() <= 2.0**-20
