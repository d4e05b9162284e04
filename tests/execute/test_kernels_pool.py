"""AVG_POOL2D of integers equals the specification's pseudocode on Python's integers, also at changes of the type."""

from typing import Any

import numpy as np
import pytest
from support.kernel_cases import planned, single

from tosa_converter.errors import UnpredictableError
from tosa_converter.ir import Array
from tosa_converter.schemas import tosa_ops as ops


def averaged(total: int, count: int, output_zp: int, limits: tuple[int, int]) -> int:
    """Computes apply_scale_32 by reciprocal_scale (chapters 4.5.5 and 2.3.2)."""
    k = (count - 1).bit_length()
    multiplier, shift = (((1 << 30) + 1) << k) // count, 30 + k
    value = (total * multiplier + (1 << (shift - 1))) >> shift
    return min(max(value + output_zp, limits[0]), limits[1])


def by_hand(
    x: Array, zero_points: tuple[int, int], kernel: tuple[int, int], stride: int, pad: tuple[int, ...]
) -> list[int]:
    limits = int(np.iinfo(x.dtype).min), int(np.iinfo(x.dtype).max)
    size = [(x.shape[i + 1] + sum(pad[2 * i : 2 * i + 2]) - kernel[i]) // stride + 1 for i in range(2)]
    averages = []
    for n, oy, ox, c in np.ndindex(len(x), *size, x.shape[3]):
        (top, left) = (o * stride - pad[2 * i] for i, o in enumerate((oy, ox)))
        window = x[n, max(top, 0) : top + kernel[0], max(left, 0) : left + kernel[1], c]
        total = sum(int(value) - zero_points[0] for value in window.reshape(-1))
        averages.append(averaged(total, window.size, zero_points[1], limits))
    return averages


@pytest.mark.parametrize("dtype", [np.int8, np.int16])
@pytest.mark.parametrize("pad", [(0, 0, 0, 0), (1, 0, 0, 2)])
@pytest.mark.parametrize("kernel", [(1, 1), (2, 2), (3, 7), (15, 17), (16, 16), (23, 12)])
def test_averages_of_integers_equal_the_pseudocode(
    kernel: tuple[int, int], pad: tuple[int, ...], dtype: type[np.signedinteger[Any]]
) -> None:
    rng = np.random.default_rng(kernel)
    pad = tuple(min(n, kernel[i // 2] - 1) for i, n in enumerate(pad))  # no window is all padding
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    size = [kernel[i] + 2 - sum(pad[2 * i : 2 * i + 2]) for i in range(2)]
    random = rng.integers(low, high, (1, *size, 3), endpoint=True)
    random[..., 1], random[..., 2] = low, high  # where sums are the greatest
    for zero_points in ((0, 0), (-128, 127), (127, -128), (-7, 5)) if dtype is np.int8 else ((0, 0),):
        operands = [random.astype(dtype), *(np.array([zero], dtype) for zero in zero_points)]
        attributes = {"kernel": kernel, "stride": (1, 1), "pad": pad, "acc_type": "INT32"}
        op = single(ops.AVG_POOL2D, *operands, **attributes)
        averages = np.asarray(planned(op)(*operands))
        assert averages.dtype == dtype
        assert averages.reshape(-1).tolist() == by_hand(operands[0], zero_points, kernel, 1, pad)


@pytest.mark.parametrize(("dtype", "zero", "side"), [(np.int16, 0, 257), (np.int8, -128, 2903)])
def test_sums_beyond_the_accumulator_are_unpredictable(
    dtype: type[np.signedinteger[Any]], zero: int, side: int
) -> None:
    """Sums are added by apply_add_s in i32 (2.3.2): 256 * 256 * 32767 fits, 257 * 257 * 32767 doesn't."""
    attributes = {"kernel": (side, side), "stride": (1, 1), "pad": (0, 0, 0, 0), "acc_type": "INT32"}
    point, high = np.array([zero], dtype), np.iinfo(dtype).max
    x = np.full((1, side, side, 1), high, dtype)
    op = single(ops.AVG_POOL2D, x, point, point, **attributes)
    with pytest.raises(
        UnpredictableError, match=r"c >= minimum_s<in_t>\(\) && c <= maximum_s<in_t>\(\) of apply_add_s"
    ):
        planned(op)(x, point, point)
    x[:, -10 * side // 257 :] = zero
    total = int((x.astype(np.int64) - zero).sum())
    assert total <= np.iinfo(np.int32).max
    averages = np.asarray(planned(op)(x, point, point))
    assert averages.reshape(-1).tolist() == [averaged(total, side * side, zero, (int(np.iinfo(dtype).min), int(high)))]
