"""Rules that replace several float operators emit fewer operators with LiteRT's results, also for NaN."""

import numpy as np
import pytest
from support.golden_sources import float_patterns
from support.tflite_models import Operator, Tensor, build, run_litert

import tosa_converter as tc
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B

EXPECTED = {
    "bounds": ["clamp"],
    "leaky_relu_by_greater": ["mul", "maximum"],
    "leaky_relu_by_less": ["mul", "maximum"],
    "quotient_by_root": ["rsqrt", "mul"],
}
MODELS = dict(float_patterns())
SPECIAL = np.array([[np.nan, -0.0, np.inf], [-np.inf, 1e-40, -3.4e38]], np.float32)
X = np.array([[-7.25, -1.0, 0.0], [0.3, 1.9, 88.0]], np.float32)
Y = np.array([[0.25, 2.0, 1e-30], [3e38, 1.0, 0.0]], np.float32)


def operators(model: tc.Model) -> list[str]:
    return [op.name.removeprefix("tosa.") for op in model.main if "const" not in op.name]


def results(data: bytes, *inputs: Array) -> tuple[Array, Array]:
    """Returns the conversion's result and LiteRT's, both without infinities: LiteRT's MUL and DIV have none."""
    model = tc.convert(data)
    fed = {value.name: array for value, array in zip(model.main.inputs, inputs, strict=True)}
    (result,) = tc.run(model, fed).values()
    limits = np.finfo(np.float32)
    return np.clip(result, limits.min, limits.max), np.clip(run_litert(data, inputs)[0], limits.min, limits.max)


@pytest.mark.parametrize("name", EXPECTED)
def test_patterns_become_these_operators(name: str) -> None:
    assert operators(tc.convert(MODELS[name])) == EXPECTED[name]


@pytest.mark.parametrize("x", [X, SPECIAL], ids=["numbers", "special"])
@pytest.mark.parametrize("name", [name for name in EXPECTED if name != "quotient_by_root"])
def test_bits_equal_litert(name: str, x: Array) -> None:
    result, expected = results(MODELS[name], x)
    np.testing.assert_array_equal(result, expected)
    np.testing.assert_array_equal(np.signbit(result), np.signbit(expected))


@pytest.mark.parametrize("x", [X, SPECIAL], ids=["numbers", "special"])
def test_quotients_are_within_two_units_in_the_last_place(x: Array) -> None:
    with np.errstate(all="ignore"):
        result, expected = results(MODELS["quotient_by_root"], x, Y)
    np.testing.assert_allclose(result, expected, rtol=2**-22)


def clip(low: Array, high: Array, *, first: B = B.MAXIMUM) -> bytes:
    """Returns a model of two bounds in either order."""
    last = B.MINIMUM if first is B.MAXIMUM else B.MAXIMUM
    bounds = [Tensor(np.shape(bound), data=bound) for bound in ((low, high) if first is B.MAXIMUM else (high, low))]
    x = Tensor((2, 3))
    return build([x, *bounds, x, x], [Operator(first, [0, 1], [3]), Operator(last, [3, 2], [4])], [0], [4])


@pytest.mark.parametrize(
    ("low", "high", "first"),
    [
        (np.array([1], np.float32), np.array([-1], np.float32), B.MAXIMUM),
        (np.array([-1, 0, 1], np.float32), np.array([2], np.float32), B.MAXIMUM),
        (np.array([-1], np.float32), np.array([2], np.float32), B.MINIMUM),
    ],
    ids=["out of order", "a vector", "the other order"],
)
def test_bounds_without_the_pattern_stay(low: Array, high: Array, first: B) -> None:
    data = clip(low, high, first=first)
    assert "clamp" not in operators(tc.convert(data))
    for x in (X, SPECIAL):
        np.testing.assert_array_equal(*results(data, x))


@pytest.mark.parametrize(
    ("slopes", "is_taken"),
    [
        ([0.5, 0.25, 1.0], True),
        ([1.0, 1.0, 1.0], True),
        ([1.0, 1.5, 7.0], True),
        ([0.5, 0.25, 1.5], False),
        ([0.5, 0.25, 0.0], False),
        ([0.5, -0.25, 1.0], False),
        ([1.5, np.inf, 2.0], False),
        ([np.inf, np.inf, np.inf], False),
        ([0.5, np.nan, 0.5], False),
    ],
)
@pytest.mark.parametrize("builtin", [B.GREATER, B.GREATER_EQUAL, B.LESS, B.LESS_EQUAL])
def test_slopes_of_channels_are_positive_finite_and_on_one_side_of_1(
    slopes: list[float], is_taken: bool, builtin: B
) -> None:
    x, mask = Tensor((2, 3)), Tensor((2, 3), "bool")
    constants = [Tensor((3,), data=np.array(numbers, np.float32)) for numbers in ([0, 0, 0], slopes)]
    order = [1, 0, 4] if builtin in (B.GREATER, B.GREATER_EQUAL) else [1, 4, 0]
    ops = [Operator(builtin, [0, 2], [1]), Operator(B.MUL, [0, 3], [4]), Operator(B.SELECT_V2, order, [5])]
    data = build([x, mask, *constants, x, x], ops, [0], [5])
    assert ("select" not in operators(tc.convert(data))) == is_taken
    if np.isfinite(slopes).all():
        np.testing.assert_array_equal(*results(data, X))


@pytest.mark.parametrize(("threshold", "slope"), [(0.5, 0.1), (0, -0.1), (0, 0)])
def test_selections_without_the_pattern_stay(threshold: float, slope: float) -> None:
    x, mask = Tensor((2, 3)), Tensor((2, 3), "bool")
    constants = [Tensor((1,), data=np.array([number], np.float32)) for number in (threshold, slope)]
    ops = [Operator(B.GREATER, [0, 2], [1]), Operator(B.MUL, [0, 3], [4]), Operator(B.SELECT_V2, [1, 0, 4], [5])]
    data = build([x, mask, *constants, x, x], ops, [0], [5])
    assert "select" in operators(tc.convert(data))
    np.testing.assert_array_equal(*results(data, X))
