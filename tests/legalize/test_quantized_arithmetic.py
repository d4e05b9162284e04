"""Parts of the quantized arithmetic equal plain integers and fractions."""

import math
from fractions import Fraction

import numpy as np
import pytest
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.legalize.quant.multipliers import INT32_MAX, Multiplier, quantize_multiplier, single_round
from tosa_converter.legalize.quant.shared_scale import single_rounding
from tosa_converter.legalize.quant.thresholds import _floats_to_ordered_ints
from tosa_converter.schemas.tflite import BuiltinOperator


def multipliers(points: list[int], targets: list[int], shift: int, low: int, high: int) -> tuple[int, int]:
    """Returns the smallest and largest m for which (x * m + 2**(shift-1)) >> shift gives the targets, or saturates."""
    smallest, largest = 1, INT32_MAX
    for x, t in zip(points, targets, strict=True):
        half = Fraction(1 << shift, 2)
        least = (2 * t - 1) * half if t > low else -math.inf  # x * m lies in [least, most)
        most = (2 * t + 1) * half if t < high else math.inf
        if x == 0:
            smallest = smallest if least <= 0 < most else INT32_MAX + 1
        elif x > 0:
            smallest = max(smallest, math.ceil(least / x) if least > -math.inf else 1)
            largest = min(largest, math.ceil(most / x) - 1 if most < math.inf else INT32_MAX)
        else:
            smallest = max(smallest, math.floor(most / x) + 1 if most < math.inf else 1)
            largest = min(largest, math.floor(least / x) if least > -math.inf else INT32_MAX)
    return smallest, largest


@pytest.mark.parametrize("seed", range(60))
def test_a_single_rounding_is_found_exactly_where_there_is_one(seed: int) -> None:
    """The nominal multiplier may be off by some steps, as after the kernels' two roundings."""
    rng = np.random.default_rng(seed)
    outcomes = set()
    for _ in range(40):
        points = np.unique(rng.integers(-(1 << 12), 1 << 12, 30)) << int(rng.integers(0, 10))
        nominal = float(np.exp(rng.uniform(-8, 2)))
        shift = 31 - int(np.frexp(nominal)[1])
        m = round(nominal * 2**shift) + int(rng.integers(-(1 << 12), 1 << 12))
        expected = (points * m + (1 << shift - 1)) >> shift
        if seed % 2:
            expected = expected + (rng.random(len(points)) < 0.02)
        low, high = (-100, 90) if seed % 3 == 0 else (None, None)
        bounds = (-(1 << 62) if low is None else low, 1 << 62 if high is None else high)
        expected = np.clip(expected, *bounds)
        smallest, largest = multipliers(points.tolist(), expected.tolist(), shift, *bounds)
        rounding = single_round(points, expected, nominal, low, high)
        outcomes.add(rounding is not None)
        assert (rounding is not None) == (smallest <= largest)
        assert rounding is None or (rounding[1] == shift and smallest <= rounding[0] <= largest)
    assert outcomes == {True, False} if seed % 2 else outcomes == {True}


@pytest.mark.parametrize("left", [7, 20])
def test_two_roundings_of_a_scale_become_one_exactly_where_one_is_enough(left: int) -> None:
    """All stored values round as in common.cc: (x << left) * m / 2**31, ties up; over 2**e, ties away from zero."""
    rng = np.random.default_rng(left)
    outcomes = []
    for real in (0.5, 0.25, 2.0**-20, *rng.uniform(2.0**-9, 0.5, 30), *(rng.integers(1, 1 << 9, 30) / 2.0**10)):
        zero_point, (m, shift) = (
            int(rng.integers(-128, 128)),
            (int(part[0]) for part in quantize_multiplier(float(real))),
        )
        points = [x - zero_point for x in range(-128, 128)]
        high = [((x << left) * m + (1 << 30)) >> 31 for x in points]
        expected = [int(math.copysign((abs(x) + (1 << -shift >> 1)) >> -shift, x)) for x in high]
        at = 31 - math.frexp(real * 2**left)[1]
        smallest, largest = multipliers(points, expected, at, -(1 << 62), 1 << 62)
        rounding = single_rounding(float(real), zero_point, left, DType.I8)
        outcomes.append(rounding is not None)
        assert outcomes[-1] == (smallest <= largest)
        assert rounding is None or (rounding[1] == at and smallest <= rounding[0] <= largest)
    assert set(outcomes) == {True, False}


def test_one_multiplier_equals_that_of_an_array() -> None:
    """Both forms agree next to powers of two and at the ends."""
    reals = [s * 2.0**e for e in (-40, -33, -32, -31, -1, 0, 1, 30, 200) for s in (1, 1 - 2.0**-33, 1 + 2.0**-31, 1.5)]
    many = quantize_multiplier(np.array([*reals, 0.0]))
    for index, real in enumerate([*reals, 0.0]):
        multiplier = quantize_multiplier(real)
        assert isinstance(multiplier, Multiplier)
        assert (multiplier.m[0], multiplier.shift[0]) == (many.m[index], many.shift[index])
        assert not multiplier.m.flags.writeable


def test_floats_are_ordered_as_integers() -> None:
    values = np.array([-np.inf, -3e38, -2.5, -1e-40, -0.0, 0.0, 1e-40, 1.0, 3e38, np.inf], np.float32)
    ordered = _floats_to_ordered_ints(values)
    assert (np.diff(ordered) >= 0).all()
    assert ordered[4] == ordered[5] == 0
    assert len(set(ordered.tolist())) == len(values) - 1


def test_amounts_of_padding_that_do_not_fit_the_rank_are_declined() -> None:
    """A run-time input may have any rank in the file; the constant beside it may have another."""
    tensors = [
        Tensor((1, 4), "int8", scale=0.5),
        Tensor((3, 2), "int32", np.ones((3, 2))),
        Tensor((3, 6), "int8", scale=0.5),
    ]
    data = build(tensors, [Operator(BuiltinOperator.PAD, (0, 1), (2,))], (0,), (2,))
    with pytest.raises((FormatError, UnsupportedError), match="padding"):
        tc.convert(data)
