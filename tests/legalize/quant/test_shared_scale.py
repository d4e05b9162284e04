"""Two operands on one scale: the plan equals fractions, the operators equal the kernel's integers."""

from fractions import Fraction

import numpy as np
import pytest
from support.expressions import evaluate

from tosa_converter.dtypes import DType
from tosa_converter.ir import Op, TensorType
from tosa_converter.legalize.quant.elements import OutputQuant, Quantized
from tosa_converter.legalize.quant.multipliers import quantize_multiplier
from tosa_converter.legalize.quant.shared_scale import SharedScale, move_to_scale, plan_square, plan_sum
from tosa_converter.legalize.quant.widths import WIDTHS
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.report import Options

F32 = np.float32
BITS = (DType.I8, DType.I16)


def result_of(scale: float | np.float32, dtype: DType) -> OutputQuant:
    return OutputQuant(F32(scale), 0, unsigned=False, dtype=dtype)


def factor(plan: SharedScale) -> Fraction:
    return int(plan.to_result.m[0]) * Fraction(2) ** (int(plan.to_result.shift[0]) - 31)


@pytest.mark.parametrize(("dtype", "headroom"), [(DType.I8, 20), (DType.I16, 15)])
def test_a_sum_comes_back_on_the_scale_of_the_result(dtype: DType, headroom: int) -> None:
    """The multiplier has 31 bits of 2 * max(a, b) / (2**headroom * out)."""
    for seed in range(50):
        a, b, out = (F32(scale) for scale in np.random.default_rng(seed).uniform(1e-4, 1, 3))
        plan = plan_sum(a, b, result_of(out, dtype))
        exact = 2 * Fraction(float(max(a, b))) / (Fraction(float(out)) * 2**headroom)
        assert plan.headroom == headroom
        assert abs(factor(plan) / exact - 1) <= Fraction(1, 2**30)


@pytest.mark.parametrize(("dtype", "headroom"), [(DType.I8, 7), (DType.I16, 0)])
def test_a_square_comes_back_on_the_scale_of_the_result(dtype: DType, headroom: int) -> None:
    for seed in range(50):
        a, b = (F32(scale) for scale in np.random.default_rng(seed).uniform(1e-4, 1, 2))
        plan = plan_square(a, b, result_of(9.0, dtype))
        exact = (2 * Fraction(float(max(a, b)))) ** 2 / (9 * Fraction(2) ** (2 * headroom))
        assert abs(factor(plan) / exact - 1) <= Fraction(1, 2**30)


def test_a_square_on_a_scale_too_fine_is_refused_on_8_bits_alone() -> None:
    fine = 2.0**-16
    with pytest.raises(Decline, match="found a finer one"):
        plan_square(F32(1), F32(1), result_of(fine, DType.I8))
    assert plan_square(F32(1), F32(1), result_of(fine, DType.I16)).to_result.shift[0] > 0


@pytest.mark.parametrize("dtype", BITS)
def test_sums_and_squares_keep_below_their_peak(dtype: DType) -> None:
    """Each operand takes half of the scale at most, so the largest sum is the peak."""
    farthest = WIDTHS[dtype].magnitude
    for plan, power in ((plan_sum, 1), (plan_square, 2)):
        shared = plan(F32(0.5), F32(0.5), result_of(50.0, dtype))
        operand = Fraction(farthest * 2**shared.headroom, 2)
        assert (2 * operand) ** power == shared.peak


def kernel(x: int, headroom: int, m: int, shift: int) -> int:
    """Returns MultiplyByQuantizedMultiplierSmallerThanOneExp of x << headroom."""
    high = ((x << headroom) * m + (1 << 30)) >> 31
    magnitude = (abs(high) + (1 << -shift >> 1)) >> -shift
    return magnitude if high >= 0 else -magnitude


@pytest.mark.parametrize("numerics", ["reference", "compact"])
@pytest.mark.parametrize(("dtype", "headroom"), [(DType.I8, 20), (DType.I8, 7), (DType.I8, 8), (DType.I16, 15)])
def test_operands_are_rescaled_as_in_the_kernel(dtype: DType, headroom: int, numerics: str) -> None:
    """All values are compared; compact numerics may be off by one."""
    values = WIDTHS[dtype].values
    rng = np.random.default_rng(headroom)
    for ratio in (0.5, 2.0**-9, *rng.uniform(2.0**-8, 0.5, 8)):
        zero_point = int(rng.integers(-128, 128)) if dtype is DType.I8 else 0
        m, shift = (int(part[0]) for part in quantize_multiplier(float(np.float64(F32(ratio)))))
        match = Match(Op("tfl.add", (), [TensorType(dtype, (1,))]), {}, Options(numerics))

        def formula(x: Expr, match: Match = match, ratio: float = ratio, zero_point: int = zero_point) -> Expr:
            return move_to_scale(match, Quantized(x, F32(ratio), zero_point), np.float64(1), headroom)

        (ours,) = evaluate(formula, values.astype(dtype.numpy))
        exact = [kernel(int(x) - zero_point, headroom, m, shift) for x in values]
        error = np.abs(ours.astype(np.int64) - exact).max()
        assert error == 0 if numerics == "reference" else error <= 1
