"""ATen's convolutions of lines and images, in every combination of attributes, transposed too, by loops in numpy."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from support.aten_cases import AtenCase

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array

BIAS = np.array([-3, 1, 4, 2], np.float32)


def convolved(x: Array, w: Array, stride: list[int], pad: list[int], dilation: list[int], groups: int) -> Array:
    """The sum over the window, for each place of the result; `x` is [N,C,H,W] and `w` [outputs,C/groups,H,W]."""
    x = np.pad(x, ((0, 0), (0, 0), *((p, p) for p in pad)))
    spans = [(k - 1) * d + 1 for k, d in zip(w.shape[2:], dilation, strict=True)]
    sizes = [(n - span) // s + 1 for n, span, s in zip(x.shape[2:], spans, stride, strict=True)]
    y = np.zeros((len(x), len(w), *sizes), np.float32)
    rows = len(w) // groups
    for o, i, j in product(range(len(w)), *map(range, sizes)):
        first = o // rows * w.shape[1]
        top, left = i * stride[0], j * stride[1]
        part = x[:, first : first + w.shape[1], top : top + spans[0], left : left + spans[1]]
        y[:, o, i, j] = np.sum(part[:, :, :: dilation[0], :: dilation[1]] * w[o], axis=(1, 2, 3))
    return y


def transposed(
    x: Array, w: Array, stride: list[int], pad: list[int], dilation: list[int], behind: list[int], groups: int
) -> Array:
    """Every element adds its window to the result; `w` is [inputs,outputs/groups,H,W]."""
    sizes = [
        (n - 1) * s + (k - 1) * d + 1 + extra
        for n, s, k, d, extra in zip(x.shape[2:], stride, w.shape[2:], dilation, behind, strict=True)
    ]
    y = np.zeros((len(x), w.shape[1] * groups, *sizes), np.float32)
    rows = x.shape[1] // groups
    for c, i, j, p, q in product(range(x.shape[1]), *map(range, x.shape[2:]), *map(range, w.shape[2:])):
        first = c // rows * w.shape[1]
        place = i * stride[0] + p * dilation[0], j * stride[1] + q * dilation[1]
        y[:, first : first + w.shape[1], place[0], place[1]] += x[:, c, i, j, None] * w[None, c, :, p, q]
    return y[:, :, pad[0] : sizes[0] - pad[0], pad[1] : sizes[1] - pad[1]]


def case(
    line: bool, turned: bool, groups: int, numbers: dict[str, list[int]], per_dimension: bool
) -> tuple[AtenCase, Array]:
    """The case, of attributes for each dimension or of one number for all, with its result."""
    rng = np.random.default_rng(4)
    x = rng.integers(-4, 5, (2, 4, 1 if line else 5, 6)).astype(np.float32)
    w = rng.integers(-4, 5, (4, 4 // groups, 1 if line else 2, 3)).astype(np.float32)
    bias = BIAS
    pairs = {name: [1 if name in ("stride", "dilation") else 0, n[-1]] if line else n for name, n in numbers.items()}
    stride, pad, dilation, behind = (pairs[key] for key in ("stride", "padding", "dilation", "output_padding"))
    y = (
        transposed(x, w, stride, pad, dilation, behind, groups)
        if turned
        else convolved(x, w, stride, pad, dilation, groups)
    )
    y = y + bias[:, None, None]

    def drop(array: Array) -> Array:
        return array[:, :, 0] if line else array

    attributes: dict[str, Any] = {
        name: tuple(n[-1:] if line or not per_dimension else n) for name, n in numbers.items()
    }
    operands = tuple((DType.FP32, array) for array in (drop(x), drop(w), bias))
    attributes |= {"transposed": turned, "groups": groups}
    return AtenCase("convolution.out", operands, attributes, ((DType.FP32, drop(y)),), (1, 2)), drop(y)


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("line", [False, True])
def test_every_combination(line: bool, turned: bool, groups: int) -> None:
    for stride, pad, dilation, behind, per_dimension in product(
        ([1, 1], [2, 3]), ([0, 0], [1, 2]), ([1, 1], [2, 1], [1, 2]), ([0, 0], [1, 2]), (True, False)
    ):
        numbers = {"stride": stride, "padding": pad, "dilation": dilation, "output_padding": behind}
        if not per_dimension and not line:
            numbers = {name: [n[-1]] * 2 for name, n in numbers.items()}
        if any(behind) and (
            not turned
            or any(
                b >= max(s, d)
                for b, s, d in zip(*(numbers[k] for k in ("output_padding", "stride", "dilation")), strict=True)
            )
        ):
            continue
        aten_case, expected = case(line, turned, groups, numbers, per_dimension)
        if dilation == [1, 1]:  # the bias is an optional operand
            aten_case = aten_case._replace(inputs=aten_case.inputs[:2], constants=(1,))
            expected = expected - BIAS.reshape(4, *(1,) * (expected.ndim - 2))
        (result,) = aten_case.run()
        assert result.shape == expected.shape, aten_case.label
        np.testing.assert_array_equal(result, expected, aten_case.label)
