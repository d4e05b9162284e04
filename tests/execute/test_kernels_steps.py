"""RESCALE to 8 bits equals the pseudocode on Python's integers wherever its result steps up."""

import numpy as np
import pytest

from tosa_converter.execute.definition.scaling import scale_and_round
from tosa_converter.execute.fast.rescale_proof import MultiplyAddRescaler, Scaling, prove_multiply_add_rescaler
from tosa_converter.ir import Array

MULTIPLIERS = [0, 1, 1 << 30, (1 << 30) + 1, 3 << 29, (1 << 31) - 1, 1999999973]
LIMITS = [(-128, 127), (0, 255), (-128, 40), (-20, 127)]


def literal(value: int, multiplier: int, shift: int, scaling: Scaling) -> int:
    """Computes apply_scale_32 of chapter 4.5.5, the offset and the limits."""
    rounding = 1 << (shift - 1)
    if scaling.double_round and shift > 31:
        rounding += 1 << 30 if value >= 0 else -(1 << 30)
    result = ((value * multiplier + rounding) >> shift) + scaling.offset
    return min(max(result, scaling.low), scaling.high)


def values_to_try(multiplier: int, shift: int, bias: int, peak: int, scaling: Scaling) -> list[int]:
    """Returns the values to try: both ends, the middle, and both sides of every possible step."""
    edges = {-peak, 1 - peak, peak - 1, peak, -bias - 1, -bias, 1 - bias, -1, 0, 1}
    for result in range(scaling.low - scaling.offset, scaling.high - scaling.offset + 2):
        for doubled in (-1, 0, 1) if scaling.double_round else (0,):
            edge = ((2 * result - 1) << (shift - 1)) + (doubled << 30)
            edges |= {edge // max(multiplier, 1) - bias + near for near in (-1, 0, 1, 2)}
    return [value for value in sorted(edges) if -peak <= value <= peak and abs(value + bias) < 1 << 31]


def columns(values: list[list[int]]) -> Array:
    """Returns the channels' lists as [N, C], padded to the longest."""
    longest = max(map(len, values))
    return np.array([column + column[-1:] * (longest - len(column)) for column in values]).T


@pytest.mark.parametrize("double_round", [False, True])
@pytest.mark.parametrize("peak", [1 << 17, 1 << 31])
@pytest.mark.parametrize("shift", range(2, 63))
def test_steps_equal_the_pseudocode(shift: int, peak: int, double_round: bool) -> None:
    rng = np.random.default_rng(shift)
    low, high = LIMITS[shift % 4]
    offset = [low, 0, 5, high][shift // 4 % 4]
    biases = [0, *rng.integers(-(1 << 20), 1 << 20, len(MULTIPLIERS) - 1).tolist()]
    shifts = [shift] * (len(MULTIPLIERS) - 2) + [max(2, shift - 1), min(62, shift + 1)]
    scaling = Scaling(np.array(MULTIPLIERS), np.array(shifts), offset, low, high, double_round)
    steps = prove_multiply_add_rescaler(scaling, np.array(biases, float), np.full(len(biases), float(peak)))
    assert steps is not None
    rows = list(zip(MULTIPLIERS, shifts, biases, strict=True))
    values = columns([values_to_try(*row, peak, scaling) for row in rows])
    expected = [
        [literal(v + bias, m, s, scaling) for v, (m, s, bias) in zip(line, rows, strict=True)]
        for line in values.tolist()
    ]
    output = steps(values)
    assert output.dtype == np.int8
    np.testing.assert_array_equal(output.view(np.int8 if low < 0 else np.uint8), expected)


@pytest.mark.parametrize(
    ("multiplier", "bias", "shift", "double_round"),
    [
        (1357110691, 0, 48, True),
        (1098247608, -178052, 50, True),
        (1887604616, 0, 52, False),
        (1348439859, 0, 54, False),
        (1096790604, 205002, 54, False),
        (1740836410, 127887, 54, True),
    ],
)
def test_scales_that_fp64_rounds_wrong_are_declined(multiplier: int, bias: int, shift: int, double_round: bool) -> None:
    """For some value, the product lies so near a tie that fp64 rounds it wrong."""
    scaling = Scaling(np.array([multiplier]), np.array([shift]), 5, -128, 127, double_round)
    peak = (1 << 31) - (1 << 21)
    values = values_to_try(multiplier, shift, bias, peak, scaling)
    naive = MultiplyAddRescaler(scaling, np.array([float(bias)]), np.array([float(peak)]))
    expected = [literal(value + bias, multiplier, shift, scaling) for value in values]
    assert naive(np.array(values)[:, None])[:, 0].tolist() != expected
    assert prove_multiply_add_rescaler(scaling, np.array([float(bias)]), np.array([float(peak)])) is None


@pytest.mark.parametrize(("multiplier", "shift"), [(-1, 30), (1 << 30, 1), (1 << 30, 63)])
def test_scales_that_the_specification_leaves_undefined_are_declined(multiplier: int, shift: int) -> None:
    scaling = Scaling(np.array([multiplier]), np.array([shift]), 0, -128, 127, False)
    assert prove_multiply_add_rescaler(scaling, np.zeros(1), np.ones(1)) is None


@pytest.mark.parametrize("shape", [(), (3,), (7, 3), (2, 5, 11, 3), (1, 600, 70, 3)])
@pytest.mark.parametrize("dtype", [np.int32, np.float32, np.float64])
def test_steps_take_any_shape_and_type(shape: tuple[int, ...], dtype: type[np.generic]) -> None:
    channels = shape[-1] if shape else 1
    multiplier = np.array([1 << 30, 3 << 29, 1500000001])[:channels]
    scaling = Scaling(multiplier, np.array([38, 39, 40])[:channels], -3, -128, 127, True)
    values = np.random.default_rng(1).integers(-50000, 50000, shape).astype(dtype)
    steps = prove_multiply_add_rescaler(scaling, np.zeros(channels), np.full(channels, 50000.0))
    assert isinstance(steps, MultiplyAddRescaler)
    expected = scale_and_round(np.asarray(values).astype(np.int64), multiplier, scaling.shift, True) - 3
    np.testing.assert_array_equal(steps(values), expected.clip(-128, 127).reshape(shape))
