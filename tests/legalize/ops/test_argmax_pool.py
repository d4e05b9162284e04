"""Maximum pools with positions, and their inverse, equal numpy."""

import numpy as np
import pytest
from support.expressions import evaluate

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.ops.argmax_pool import disjoint_groups, max_with_positions, place_windows, scatter_last
from tosa_converter.rewriting.reasons import Decline

F32 = np.float32
Pair = tuple[int, int]
Case = tuple[Pair, Pair, Pair, tuple[Pair, Pair]]  # image, window, stride, padding
CASES: list[Case] = [
    ((4, 6), (2, 3), (2, 3), ((0, 0), (0, 0))),
    ((4, 6), (2, 3), (1, 2), ((0, 0), (0, 0))),
    ((5, 4), (3, 3), (2, 1), ((1, 1), (1, 1))),
    ((2, 2), (5, 4), (3, 3), ((2, 1), (1, 2))),
    ((1, 1), (1, 1), (1, 1), ((0, 0), (0, 0))),
]


def define_pool(x: Array, case: Case, channel: int) -> tuple[Array, Array, Array]:
    """Returns the maxima of one channel [H,W], their pixels in the image and their positions in the window."""
    (height, width), window, stride, padding = case
    sizes = [(n + sum(pad) - k) // s + 1 for n, k, s, pad in zip((height, width), window, stride, padding, strict=True)]
    results = np.zeros(sizes), np.zeros(sizes, int), np.zeros(sizes, int)
    for i, j in np.ndindex(*sizes):
        best = (-np.inf, 0, 0)
        for u, v in np.ndindex(*window):
            row, column = i * stride[0] - padding[0][0] + u, j * stride[1] - padding[1][0] + v
            inside = 0 <= row < height and 0 <= column < width
            if inside and x[row, column, channel] > best[0]:
                best = (x[row, column, channel], row * width + column, u * window[1] + v)
        for result, value in zip(results, best, strict=True):
            result[i, j] = value
    return results


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("values", ["distinct", "equal", "NaN"])
def test_maxima_and_their_positions_equal_numpy(case: Case, values: str) -> None:
    """The first of equal maxima counts; NaN never does."""
    image, window, stride, padding = case
    rng = np.random.default_rng(0)
    x = rng.integers(0, 3 if values == "equal" else 1000, (2, *image, 3)).astype(F32)
    if values == "NaN":
        x[:, 0, :-1] = np.nan
    windows = place_windows(image, window, stride, padding)
    pixels = windows.rows * image[1] + windows.columns
    largest, pixel = evaluate(lambda x: max_with_positions(x, windows, pixels, DType.I32, -np.inf, 500), x)
    _, position = evaluate(lambda x: max_with_positions(x, windows, windows.in_window, DType.FP32, -1, 1), x)
    for batch, channel in np.ndindex(2, 3):
        expected = define_pool(x[batch], case, channel)
        has_maximum = np.isfinite(expected[0])
        assert has_maximum.any()
        np.testing.assert_array_equal(
            largest[batch, ..., channel][has_maximum], np.minimum(expected[0], 500)[has_maximum]
        )
        np.testing.assert_array_equal(pixel[batch, ..., channel][has_maximum], expected[1][has_maximum])
        np.testing.assert_array_equal(position[batch, ..., channel][has_maximum], expected[2][has_maximum])


def test_windows_of_a_hostile_size_are_declined() -> None:
    with pytest.raises(Decline, match="expected a constant of at most"):
        place_windows((1 << 20, 1 << 20), (1, 1), (1, 1), ((0, 0), (0, 0)))


@pytest.mark.parametrize("steps", [(2, 2), (1, 3), (3, 1)])
def test_groups_have_every_element_once(steps: tuple[int, int]) -> None:
    groups = disjoint_groups((4, 5, 2), steps)
    assert np.sort(np.concatenate(groups)).tolist() == list(range(40))
    for group in groups:
        rows, columns = group // 10, group // 2 % 5
        assert len({*(rows % steps[0])}) == len({*(columns % steps[1])}) == 1


def test_groups_are_as_many_as_a_bound_allows() -> None:
    """Each group costs as much as 4,096 of the 2**24 elements of a constant."""
    assert len(disjoint_groups((64, 64, 1), (64, 64))) == 4096
    with pytest.raises(Decline, match=r"found shape \[65, 64, 4096\]"):
        disjoint_groups((65, 64, 1), (65, 64))


def test_the_last_element_at_a_position_stays() -> None:
    """Elements of different groups share positions; those of one group don't."""
    groups = disjoint_groups((2, 3, 1), (1, 2))
    positions = np.array([[4, 4, 2, 3, 3, 0], [0, 0, 1, 2, 1, 3]], np.int32)
    x = np.random.default_rng(0).standard_normal((2, 6, 1)).astype(F32)
    (y,) = evaluate(lambda x, positions: scatter_last(x, positions, 6, groups), x, positions)
    expected = np.zeros((2, 6, 1), F32)
    for batch, number in np.ndindex(2, 6):
        expected[batch, positions[batch, number]] = x[batch, number]
    np.testing.assert_array_equal(y, expected)
