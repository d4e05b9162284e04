"""XNNPACK's rounding equals numpy's float32 and exact integers."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, TensorType, Value
from tosa_converter.legalize.quant import xnnpack_rounding as rounding
from tosa_converter.legalize.quant.elements import Affine, OutputQuant, Quantized
from tosa_converter.rewriting.expr import Expr

F32 = np.float32
LEVELS = np.arange(-128, 128, dtype=np.int8)
SPECIAL = np.array([np.nan, np.inf, -np.inf, 1e30, -1e30, 0.0, -0.0], F32)
TARGETS = [
    OutputQuant(F32(scale), zero_point, unsigned)
    for scale in (0.1, 1.0, 3.7)
    for zero_point in (-128, 5, 127)
    for unsigned in (False, True)
]


def computed(formula: Callable[[Expr], Expr], x: Array, dtype: DType) -> Array:
    """Returns the result of a formula of one operand in our executor."""
    operand = Value(TensorType(dtype, x.shape), "x")
    with tc.Builder(tc.Graph("main", [operand])) as build:
        y = formula(Expr(operand))
    return tc.run(build.model(y=y.value), {"x": x})["y"]


def saturated(levels: Array) -> Array:
    return np.clip(levels, -128, 127).astype(np.int8)


def nearest(numerator: int, denominator: int) -> int:
    """Returns the quotient rounded half up."""
    return int((Fraction(numerator, denominator) + Fraction(1, 2)) // 1)


@pytest.mark.parametrize("zero_point", [-128, 0, 3, 127])
@pytest.mark.parametrize("scale", [0.5, 0.25, 1.5, 255.9, 1e-8])
def test_sums_times_a_float_equal_xnnpack(scale: float, zero_point: int) -> None:
    rng = np.random.default_rng(0)
    sums = np.concatenate([np.arange(-600, 600), rng.integers(-(2**31), 2**31, 500), [2**31 - 1, -(2**31)]])
    sums = sums.astype(np.int32)
    expected = np.rint(sums.astype(F32) * F32(scale)).astype(np.float64) + zero_point
    y = computed(
        lambda x: rounding.requantize_by_float(x, np.array([scale], F32), zero_point, 1 << 31), sums, DType.I32
    )
    np.testing.assert_array_equal(y, saturated(expected))


def test_sums_times_a_float_for_each_channel_equal_xnnpack() -> None:
    sums, scale = np.arange(-300, 300, dtype=np.int32).reshape(-1, 3), np.array([0.5, 0.1, 2.0], F32)
    y = computed(lambda x: rounding.requantize_by_float(x, scale, -7, 300), sums, DType.I32)
    np.testing.assert_array_equal(y, saturated(np.rint(sums.astype(F32) * scale) - 7))


def test_a_clamp_is_emitted_where_a_product_may_exceed_rescale() -> None:
    def operators(peak: int) -> list[str]:
        operand = Value(TensorType(DType.I32, (1,)), "x")
        with tc.Builder(tc.Graph("main", [operand])) as build:
            y = rounding.requantize_by_float(Expr(operand), np.array([2.0], F32), 0, peak)
        return [op.name for op in build.model(y=y.value).main if op.inputs]

    assert operators((1 << 28) - 1) == ["tosa.cast", "tosa.mul", "tosa.cast", "tosa.rescale"]
    assert operators(1 << 28) == ["tosa.cast", "tosa.mul", "tosa.clamp", "tosa.cast", "tosa.rescale"]


@pytest.mark.parametrize("to", TARGETS, ids=str)
def test_floats_by_convert_equal_xnnpack(to: OutputQuant) -> None:
    """The product with the reciprocal is saturated in floats, then rounded; NaN is the largest element."""
    steps = np.arange(-400, 400, dtype=F32) / F32(2)
    reals = np.concatenate([steps * to.scale, SPECIAL])
    with np.errstate(all="ignore"):
        expected = np.clip(reals * (F32(1) / to.scale), -128 - to.zero_point, 127 - to.zero_point)
    expected = np.where(np.isnan(reals), 127, np.rint(expected) + to.zero_point)
    y = computed(lambda x: rounding.quantize_by_convert(x, to), reals, DType.FP32)
    np.testing.assert_array_equal(y, saturated(expected))


@pytest.mark.parametrize("to", TARGETS, ids=str)
def test_floats_by_reference_kernels_equal_xnnpack(to: OutputQuant) -> None:
    """The stored type's zero point is added before rounding; graph and table form agree."""
    steps = np.arange(-400, 400, dtype=F32) / F32(2)
    reals = steps * to.scale
    stored = np.rint(reals * (F32(1) / to.scale) + F32(to.zero_point + 128 * to.unsigned))
    expected = np.clip(stored, *((0, 255) if to.unsigned else (-128, 127))) - 128 * to.unsigned
    y = computed(lambda x: rounding.quantize_by_reference(x, to), reals, DType.FP32)
    np.testing.assert_array_equal(y, expected.astype(np.int8))
    np.testing.assert_array_equal(rounding.quantized_levels(reals, to), y)


def test_special_values_of_tables_equal_xnnpack() -> None:
    for unsigned, stored_zero in ((False, 0), (True, -128)):
        levels = rounding.quantized_levels(SPECIAL, OutputQuant(F32(1), 9, unsigned))
        assert levels.tolist() == [stored_zero, 127, -128, 127, -128, 9, 9]


@pytest.mark.parametrize("unsigned", [False, True])
def test_bounds(unsigned: bool) -> None:
    to, reals = OutputQuant(F32(1), 9, unsigned), (np.nan, np.inf, -np.inf, 2.5, 3.5, 500.0)
    assert [rounding.quantized_level(real, to) for real in reals] == [-128, 127, -128, 12, 12, 127]


def test_the_zero_point_of_uint8_is_added_as_it_is_stored() -> None:
    """6 is 61.500008 steps, and float32 rounds the sum with 109 to 170.5."""
    assert rounding.quantized_level(6.0, OutputQuant(F32(0.097560965), -19, unsigned=True)) + 128 == 170


def test_ties_depend_on_when_the_zero_point_is_added() -> None:
    """The examples are those of the module's table."""
    sums = np.array([5], np.int32)
    by_float = computed(lambda x: rounding.requantize_by_float(x, np.array([0.5], F32), 1, 5), sums, DType.I32)
    to = OutputQuant(F32(1), 1, unsigned=False)
    by_reference = computed(lambda x: rounding.quantize_by_reference(x, to), np.array([2.5], F32), DType.FP32)
    assert (by_float.tolist(), by_reference.tolist()) == ([3], [4])


@pytest.mark.parametrize(
    ("ratios", "expected"),
    [
        ((0.5, 0.3), (1 << 20, 629146, 21)),
        ((2.0**-10, 2.0**-10), (1 << 20, 1 << 20, 30)),
        ((255.9, 2.0**-10), (round(255.9 * 2**13), 8, 13)),
    ],
)
def test_multipliers_of_a_sum_equal_xnnpack(ratios: tuple[float, float], expected: tuple[int, int, int]) -> None:
    assert rounding.sum_multipliers(ratios) == expected


@pytest.mark.parametrize("zero_point", [-128, 0, 127])
@pytest.mark.parametrize("multiplier", [1, 3, (1 << 21) - 1, 1 << 21])
def test_elements_times_a_multiplier_equal_xnnpack(multiplier: int, zero_point: int) -> None:
    y = computed(lambda x: rounding.multiply_centered(Quantized(x, F32(1), zero_point), multiplier), LEVELS, DType.I8)
    assert y.tolist() == [(int(level) - zero_point) * multiplier for level in LEVELS]


@pytest.mark.parametrize("shift", [13, 30])
def test_shifts_round_half_up(shift: int) -> None:
    half = 1 << shift - 1
    x = [value for k in range(-3, 3) for value in (k * half, k * half - 1, k * half + 1) if abs(value) < 1 << 30]
    y = computed(lambda e: rounding.shift_to_int8(e, shift, 5), np.array(x, np.int32), DType.I32)
    assert y.tolist() == [max(-128, min(nearest(value, 1 << shift) + 5, 127)) for value in x]


@pytest.mark.parametrize("ratio", [2.0**-8, 0.3, 1.0, 2.7, 2.0**7])
def test_elements_on_another_scale_equal_xnnpack(ratio: float) -> None:
    to, zero_point = OutputQuant(F32(1), -3, unsigned=False), 11
    y = computed(lambda x: rounding.convert_scale(Quantized(x, F32(ratio), zero_point), to), LEVELS, DType.I8)
    multiplier = int(np.rint(F32(ratio) * F32(256)))
    expected = [nearest((int(level) - zero_point) * multiplier, 256) - 3 for level in LEVELS]
    np.testing.assert_array_equal(y, saturated(np.array(expected)))


def test_the_zero_point_of_a_mean_is_applied_before_rounding() -> None:
    """Four elements of zero point 5 that add up to 18: 18/4 + (1 - 5) is 0.5, which rounds to 0."""
    x, to = Affine(F32(1), 5), OutputQuant(F32(1), 1, unsigned=False)
    zero_point = rounding.reduced_zero_point(x, to, 4, F32(0.25))
    assert zero_point == -4
    y = computed(
        lambda total: rounding.round_with_zero_point(
            rounding.scale_integers(total, F32(0.25)), zero_point, unsigned=False
        ),
        np.array([18, 22], np.int32),
        DType.I32,
    )
    assert y.tolist() == [0, 2]


@pytest.mark.parametrize("unsigned", [False, True])
def test_limits_of_a_mean(unsigned: bool) -> None:
    steps = np.array([-1e9, -0.5, 0.5, 3.5, 1e9, np.nan], F32)

    def formula(x: Expr) -> Expr:
        return rounding.round_with_zero_point(x, 128.0 * unsigned, (-1, 3), unsigned=unsigned)

    finite = computed(formula, steps[:5], DType.FP32)
    assert finite.tolist() == [-1, 0, 0, 3, 3]


def test_products_of_scales_round_at_each_step() -> None:
    a, b, c = F32(0.1), F32(0.7), F32(0.3)
    (scale,) = rounding.product_scale(a, b, over=c)
    assert scale == F32(F32(a * b) / c)
    assert scale.dtype == np.float32
