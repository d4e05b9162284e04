"""Phases of transposed convolutions equal the definition in numpy."""

import itertools

import numpy as np
import pytest
from support.expressions import evaluate

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.ops.windows import Operands, Window
from tosa_converter.legalize.quant.phases import OutputPhase, TransposedAxis, join_phases, phase_sums, transposed_axes
from tosa_converter.rewriting.expr import Expr, const

RNG = np.random.default_rng(24)


def transposed(x: Array, weight: Array, bias: Array, window: Window) -> Array:
    """Returns the contributions of each element to the result; the window's padding is negative or 0."""
    (height, width), (n, rows, columns, _) = window.stride, x.shape
    y = np.zeros((n, (rows - 1) * height + window.kernel[0], (columns - 1) * width + window.kernel[1], len(weight)))
    for i, j in itertools.product(*map(range, window.kernel)):
        last = i + height * (rows - 1), j + width * (columns - 1)
        y[:, i : last[0] + 1 : height, j : last[1] + 1 : width] += x @ weight[:, i, j].T
    top, bottom, left, right = (-amount for amount in window.pad)
    return np.asarray(y[:, top : y.shape[1] - bottom, left : y.shape[2] - right] + bias)


@pytest.mark.parametrize(
    "window",
    [
        Window((2, 2), (2, 2)),
        Window((3, 3), (2, 2), pad=(0, -1, 0, -1)),
        Window((4, 3), (2, 3), pad=(-1, -1, 0, 0)),
        Window((5, 4), (3, 1), pad=(-1, -1, -2, -1)),
    ],
)
@pytest.mark.parametrize("bias_size", [1, 3])
def test_phases_make_a_transposed_convolution(window: Window, bias_size: int) -> None:
    x, weight = (RNG.integers(-128, 128, size).astype(np.int8) for size in ((2, 4, 5, 2), (3, *window.kernel, 2)))
    bias = RNG.integers(-99, 99, bias_size).astype(np.int32)

    def formula(x: Expr, b: Expr) -> Expr:
        axes = transposed_axes(x, window)
        sums = phase_sums(Operands(x, const(weight, DType.I8), b, 4, -3), *axes)
        assert sums is not None
        return join_phases(sums, *axes)

    (y,) = evaluate(formula, x, bias)
    np.testing.assert_array_equal(y, transposed(x.astype(int) - 4, weight.astype(int) + 3, bias, window))


def test_a_phase_without_taps_has_no_sums() -> None:
    """With a stride beyond the kernel, some results have no tap."""
    window = Window((2, 2), (3, 3))

    def formula(x: Expr, b: Expr) -> Expr:
        assert phase_sums(Operands(x, const(np.ones((1, 2, 2, 1)), DType.I8), b), *transposed_axes(x, window)) is None
        return x

    evaluate(formula, np.zeros((1, 2, 2, 1), np.int8), np.zeros(1, np.int32))


def test_run_time_weights_have_no_phases() -> None:
    def formula(x: Expr, weight: Expr, b: Expr) -> Expr:
        assert phase_sums(Operands(x, weight, b), *transposed_axes(x, Window((2, 2), (2, 2)))) is None
        return x

    evaluate(formula, *(np.zeros(shape, np.int8) for shape in ((1, 2, 2, 1), (1, 2, 2, 1))), np.zeros(1, np.int32))


def test_results_a_stride_apart_read_the_same_taps() -> None:
    """With a stride of 2 and a kernel of 3, even results read taps 0 and 2, odd ones tap 1."""
    assert TransposedAxis(4, 3, 2, 9, 0).phases == [OutputPhase(0, 2, 0), OutputPhase(1, 1, 0)]
    assert TransposedAxis(4, 3, 2, 8, -1).phases == [OutputPhase(1, 1, 0), OutputPhase(0, 2, 1)]
