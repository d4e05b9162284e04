"""Multipliers with one rounding, or else thresholds, give the results of the kernel's doubles."""

import numpy as np
import pytest
from support.expressions import evaluate

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.quant import single_rounding
from tosa_converter.rewriting.expr import Expr

RNG = np.random.default_rng(24)


def kernel(acc: Array, real: Array, low: int, high: int) -> Array:
    """Returns round(acc * real) in double, ties away from zero, clamped."""
    product = acc * real
    return np.asarray(np.clip(np.sign(product) * np.floor(np.abs(product) + 0.5), low, high))


def rescaled(acc: Array, m: Array, shift: Array) -> Array:
    """Returns the result of RESCALE with SINGLE_ROUND."""
    return np.asarray((acc.astype(object) * m + (1 << (shift.astype(object) - 1))) >> shift)


def ties(real: Array, low: int, high: int) -> Array:
    """Returns sums around the middles of results, [sums, channels]."""
    middle = (np.arange(low, high)[:, None] + 0.5) / real
    return np.asarray(np.concatenate([np.floor(middle) + offset for offset in range(-2, 4)]), np.int64)


def test_a_half_is_rounded_away_from_zero() -> None:
    """The nearest multiplier, 2**30, would round -0.5 up."""
    real = np.array([0.5])
    plan = single_rounding.single_multipliers(real, np.array([-1000]), np.array([1000]), -128, 127)
    assert plan is not None
    assert rescaled(np.arange(-3, 4), *plan).tolist() == [-2, -1, -1, 0, 1, 1, 2]


@pytest.mark.parametrize("decade", range(-5, 1))
def test_one_rounding_steps_where_the_kernel_does(decade: int) -> None:
    """Scales are random, or have few bits and therefore ties."""
    real = np.append(10.0 ** (decade + RNG.random(24)), np.ldexp(RNG.choice([1, 3, 5], 8), -RNG.integers(2, 12, 8)))
    acc = ties(real, -128, 127)
    exact = 0
    for channel, scale in enumerate(real):
        sums = acc[:, channel]
        ends = np.array([sums.min() - 5]), np.array([sums.max() + 5])
        plan = single_rounding.single_multipliers(np.array([scale]), *ends, -128, 127)
        if plan is not None:
            exact += 1
            expected = kernel(sums, scale, -128, 127)
            np.testing.assert_array_equal(rescaled(sums, *plan).clip(-128, 127), expected)
    assert exact == len(real)


@pytest.mark.parametrize("ends", [(-499, 499), (-500, 499), (-499, 500), (0, 0), (-1000, -1), (1, 1000)], ids=str)
@pytest.mark.parametrize("real", [1e-3, 1e-12, 1e-30, 1e-300])
def test_channels_of_zeros_only_are_multiplied_by_0(real: float, ends: tuple[int, int]) -> None:
    """RESCALE shifts by 62 at most, which is too little for multipliers below 2**-32 or so."""
    all_zero = max(map(abs, ends)) * real < 0.5
    plan = single_rounding.single_multipliers(
        np.array([0.25, real]), np.array([-9, ends[0]]), np.array([9, ends[1]]), -128, 127
    )
    assert plan is not None
    assert ((plan[0][1], plan[1][1]) == (0, 62)) == all_zero
    assert rescaled(np.array([-2, -1, 1, 2]), plan[0][:1], plan[1][:1]).tolist() == [-1, 0, 0, 1]
    sums = np.array([*ends, sum(ends) // 2])
    np.testing.assert_array_equal(rescaled(sums, plan[0][1:], plan[1][1:]), kernel(sums, np.array(real), -128, 127))


def test_channels_have_their_own_multipliers() -> None:
    real = 10.0 ** RNG.uniform(-5, 0, 40)
    acc = ties(real, -128, 127)
    plan = single_rounding.single_multipliers(real, acc.min(0), acc.max(0), -128, 127)
    assert plan is not None
    np.testing.assert_array_equal(rescaled(acc, *plan).clip(-128, 127), kernel(acc, real, -128, 127))


@pytest.mark.parametrize("zero_point", [0, -128, 17])
def test_thresholds_step_where_the_kernel_does(zero_point: int) -> None:
    real = np.append(10.0 ** RNG.uniform(-4, -0.5, 5), [0.5, 0.75, 0.125])
    low, high = -128 - zero_point, 127 - zero_point
    acc = ties(real, low, high).astype(np.int32)

    def formula(x: Expr) -> Expr:
        y = single_rounding.round_by_thresholds(x, real, int(np.abs(acc).max()), zero_point, low, high)
        assert y.dtype is DType.I8
        return y

    (y,) = evaluate(formula, acc)
    np.testing.assert_array_equal(y, kernel(acc, real, low, high) + zero_point)
