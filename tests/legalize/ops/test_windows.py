"""Convolutions and pools equal their definitions in numpy: sums over the taps of a window."""

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from support.expressions import evaluate

from tosa_converter.ir import Array
from tosa_converter.legalize.ops import windows
from tosa_converter.legalize.ops.windows import Operands, Window
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.schemas.tosa_target import LEVEL_8K

RNG = np.random.default_rng(24)


def floats(*shape: int) -> Array:
    return RNG.normal(size=shape).astype(np.float32)


def levels(*shape: int) -> Array:
    return RNG.integers(-128, 128, shape).astype(np.int8)


# ** definitions **


def taps(window: Window) -> Iterator[tuple[int, ...]]:
    return itertools.product(*map(range, window.kernel))


def pairs(window: Window) -> list[tuple[int, int]]:
    return list(zip(window.pad[::2], window.pad[1::2], strict=True))


def grouped_product(x: Array, weight: Array, groups: int) -> Array:
    """Returns the product of [..., inputs] and weights [outputs, inputs of a group]."""
    share = len(weight) // groups
    parts = zip(np.split(x, groups, -1), (weight[i * share : (i + 1) * share] for i in range(groups)), strict=True)
    return np.concatenate([part @ kernel.T for part, kernel in parts], -1)


def tap_of(weight: Array, tap: tuple[int, ...]) -> Array:
    """Returns the weights of one tap, [outputs, inputs of a group]."""
    index: tuple[slice | int, ...] = (slice(None), *tap)
    return np.asarray(weight[index])


def convolution(x: Array, weight: Array, bias: Array, window: Window, groups: int = 1) -> Array:
    sizes = window.window_counts(x.shape[1:-1])
    padded = np.pad(x, [(0, 0), *pairs(window), (0, 0)])
    y = np.zeros((len(x), *sizes, len(weight)), x.dtype) + bias
    for tap in taps(window):
        steps = zip(tap, window.stride, window.dilation, sizes, strict=True)
        spans = [slice(k * d, k * d + s * (n - 1) + 1, s) for k, s, d, n in steps]
        y += grouped_product(padded[:, *spans], tap_of(weight, tap), groups)
    return y


def transposed(x: Array, weight: Array, bias: Array, window: Window, groups: int = 1) -> Array:
    """Returns the contributions of each element to the result; padding of the window cuts them off."""
    steps = list(zip(x.shape[1:-1], window.stride, window.reach, strict=True))
    y = np.zeros((len(x), *((n - 1) * stride + reach for n, stride, reach in steps), len(weight)), x.dtype)
    for tap in taps(window):
        offsets = zip(tap, window.dilation, steps, strict=True)
        spans = [slice(k * d, k * d + s * (n - 1) + 1, s) for k, d, (n, s, _) in offsets]
        y[:, *spans] += grouped_product(x, tap_of(weight, tap), groups)
    grown = np.pad(y, [(0, 0), *((max(a, 0), max(b, 0)) for a, b in pairs(window)), (0, 0)])
    spans = [slice(max(-a, 0), n - max(-b, 0)) for (a, b), n in zip(pairs(window), grown.shape[1:], strict=False)]
    return np.asarray(grown[:, *spans] + bias)


def windows_of(x: Array, window: Window, fill: float) -> Array:
    """Returns the elements of each window of an image, [taps, n, rows, columns, channels]."""
    padded = np.pad(x, [(0, 0), *pairs(window), (0, 0)], constant_values=fill)
    parts = []
    for tap in taps(window):
        steps = zip(tap, window.stride, window.dilation, window.window_counts(x.shape[1:-1]), strict=True)
        spans = [slice(k * d, k * d + s * (n - 1) + 1, s) for k, s, d, n in steps]
        parts.append(padded[:, *spans])
    return np.stack(parts)


# ** convolutions **

SPANS = [
    Window((1, 1)),
    Window((3, 2), (2, 1), (1, 1), (1, 1, 0, 1)),
    Window((2, 3), (1, 2), (2, 1), (0, 1, 2, 0)),
    Window((3, 3), (3, 2), (1, 2), (2, 0, 1, 1)),
]


@pytest.mark.parametrize("window", SPANS)
@pytest.mark.parametrize(("groups", "depth", "outputs"), [(1, 3, 4), (2, 3, 4), (3, 1, 6)])
@pytest.mark.parametrize("one_bias", [False, True])
def test_convolutions_of_floats_equal_the_definition(
    window: Window, groups: int, depth: int, outputs: int, one_bias: bool
) -> None:
    x, weight = floats(2, 7, 8, groups * depth), floats(outputs, *window.kernel, depth)
    bias = floats(1 if one_bias else outputs)
    (y,) = evaluate(lambda x, w, b: windows.convolution(Operands(x, w, b), window, groups), x, weight, bias)
    wide = [array.astype(np.float64) for array in (x, weight, bias)]
    expected = convolution(wide[0], wide[1], wide[2], window, groups)
    np.testing.assert_allclose(y, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("window", SPANS)
@pytest.mark.parametrize(("groups", "depth"), [(1, 3), (2, 2), (4, 1)])
@pytest.mark.parametrize(("x_zp", "weight_zp"), [(0, 0), (-128, 0), (5, -7)])
def test_convolutions_of_integers_equal_the_definition(
    window: Window, groups: int, depth: int, x_zp: int, weight_zp: int
) -> None:
    """Padding is the zero point."""
    x, weight = levels(1, 7, 8, groups * depth), levels(4, *window.kernel, depth)
    bias = RNG.integers(-1000, 1000, 4).astype(np.int32)

    def formula(x: Expr, w: Expr, b: Expr) -> Expr:
        return windows.convolution(Operands(x, w, b, x_zp, weight_zp), window, groups)

    (y,) = evaluate(formula, x, weight, bias)
    wide = x.astype(np.int64) - x_zp, weight.astype(np.int64) - weight_zp, bias.astype(np.int64)
    np.testing.assert_array_equal(y, convolution(*wide, window, groups))


@pytest.mark.parametrize("groups", [1, 2])
def test_convolutions_of_volumes_equal_the_definition(groups: int) -> None:
    window = Window((2, 3, 1), (1, 2, 1), (2, 1, 1), (1, 0, 1, 1, 0, 0))
    x, weight, bias = floats(1, 5, 6, 4, groups * 2), floats(4, *window.kernel, 2), floats(4)
    (y,) = evaluate(lambda x, w, b: windows.convolution(Operands(x, w, b), window, groups), x, weight, bias)
    np.testing.assert_allclose(y, convolution(x, weight, bias, window, groups), rtol=1e-5, atol=1e-5)


def test_depthwise_convolutions_have_the_outputs_of_a_channel_side_by_side() -> None:
    window = SPANS[1]
    x, weight, bias = floats(1, 6, 5, 3), floats(1, *window.kernel, 6), floats(6)
    (y,) = evaluate(lambda x, w, b: windows.depthwise_convolution(Operands(x, w, b), window), x, weight, bias)
    expected = convolution(x, weight.transpose(3, 1, 2, 0), bias, window, 3)
    np.testing.assert_allclose(y, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    "window",
    [
        Window((3, 2), (2, 3)),
        Window((3, 3), (2, 2), pad=(-1, 0, -1, -1)),
        Window((2, 3), (3, 1), pad=(0, 2, 1, 0)),
        Window((2, 3), (1, 2), (3, 2), (-2, 1, 0, -3)),
        Window((2, 2), (2, 2), pad=(-3, -2, -4, 0)),  # more than TRANSPOSE_CONV2D cuts off
    ],
)
@pytest.mark.parametrize("groups", [1, 2])
def test_transposed_convolutions_equal_the_definition(window: Window, groups: int) -> None:
    x, weight, bias = levels(1, 4, 5, groups * 2), levels(4, *window.kernel, 2), np.arange(4, dtype=np.int32)

    def formula(x: Expr, w: Expr, b: Expr) -> Expr:
        return windows.transposed_convolution(Operands(x, w, b, 3, -2), window, groups)

    (y,) = evaluate(formula, x, weight, bias)
    expected = transposed(x.astype(np.int64) - 3, weight.astype(np.int64) + 2, bias, window, groups)
    np.testing.assert_array_equal(y, expected)


def test_a_transposed_convolution_of_nothing_is_declined() -> None:
    window, operands = Window((2, 2), pad=(-3, 0, 0, 0)), (floats(1, 2, 2, 1), floats(1, 2, 2, 1), floats(1))
    with pytest.raises(Decline, match=r"expected padding that leaves an output, found \[-3, 0, 0, 0\]"):
        evaluate(lambda *exprs: windows.transposed_convolution(Operands(*exprs), window), *operands)


@pytest.mark.parametrize(
    ("window", "behind"),
    [
        (Window((2, 3, 2), (2, 1, 3), (1, 1, 1), (0,) * 6), (0, 0, 0)),
        (Window((3, 2, 1), (2, 2, 1), (1, 2, 1), (-1, 0, -1, 0, 0, 0)), (1, 0, -1)),
    ],
)
def test_transposed_convolutions_of_volumes_equal_the_definition(window: Window, behind: tuple[int, ...]) -> None:
    x, weight, bias = floats(1, 3, 2, 3, 2), floats(3, *window.kernel, 2), floats(3)
    pad = [amount for before, after in zip(window.pad[::2], behind, strict=True) for amount in (before, after)]
    expected = transposed(x, weight, bias, window._replace(pad=tuple(pad)))
    sizes = expected.shape[1:4]
    operands = (x, weight, bias)
    (y,) = evaluate(lambda *exprs: windows.transposed_convolution_3d(Operands(*exprs), window, sizes), *operands)
    np.testing.assert_allclose(y, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("most", "length"), [(0, 7), (8, 8), (9, 9), (20, 9)])
def test_elements_are_spread_by_strides(most: int, length: int) -> None:
    x = np.arange(1, 7, dtype=np.int32).reshape(2, 3, 1)
    (y,) = evaluate(lambda x: windows.spread_axis(x, 1, 3, most, value=-1), x)
    expected = np.full((2, 9, 1), -1)
    expected[:, ::3] = x
    np.testing.assert_array_equal(y, expected[:, :length])


# ** pools **

POOLS = [Window((2, 2), (2, 2)), Window((3, 2), (1, 2), (1, 1), (1, 1, 0, 1)), Window((3, 3), (2, 1), pad=(2, 0, 1, 2))]


@pytest.mark.parametrize("window", POOLS)
def test_averages_do_not_count_padding(window: Window) -> None:
    x = floats(2, 6, 7, 3)
    (y,) = evaluate(lambda x: windows.average_pool(x, window), x)
    np.testing.assert_allclose(y, np.nanmean(windows_of(x, window, np.nan), 0), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("zero_point", [0, -128, 9])
def test_averages_of_integers_are_rounded(zero_point: int) -> None:
    """Ties go away from the zero point."""
    window, x = POOLS[1], levels(1, 6, 7, 3)
    (y,) = evaluate(lambda x: windows.average_pool(x, window, zero_point), x)
    mean = np.nanmean(windows_of(x - np.float64(zero_point), window, np.nan), 0)
    expected = np.sign(mean) * np.floor(np.abs(mean) + 0.5) + zero_point
    np.testing.assert_array_equal(y, expected)


def test_roots_of_mean_squares_equal_the_definition() -> None:
    window, x = POOLS[2], floats(1, 5, 6, 2)
    (y,) = evaluate(lambda x: windows.l2_pool(x, window), x)
    expected = np.sqrt(np.nanmean(windows_of(x, window, np.nan).astype(np.float64) ** 2, 0))
    np.testing.assert_allclose(y, expected, rtol=1e-5)


@pytest.mark.parametrize("shape", [(2, 5, 4, 3), (1, LEVEL_8K.MAX_KERNEL + 1, 1, 2)])
def test_global_averages_equal_the_definition(shape: tuple[int, ...]) -> None:
    x = floats(*shape)
    (y,) = evaluate(windows.global_average_pool, x)
    np.testing.assert_allclose(y, x.astype(np.float64).mean((1, 2), keepdims=True), rtol=1e-4, atol=1e-6)


DILATED = [*POOLS, Window((2, 3), (1, 1), (3, 2), (1, 0, 2, 1)), Window((3, 2), (2, 3), (2, 1), (2, 2, 0, 1))]


@pytest.mark.parametrize("window", DILATED)
@pytest.mark.parametrize("dtype", [np.float32, np.int8])
def test_maxima_equal_the_definition(window: Window, dtype: type) -> None:
    x: Array = (floats(1, 8, 9, 2) * 50).astype(dtype)
    (y,) = evaluate(lambda x: windows.max_pool(x, window), x)
    least = -np.inf if dtype is np.float32 else -128
    np.testing.assert_array_equal(y, windows_of(x, window, least).max(0))


@pytest.mark.parametrize("window", DILATED)
@pytest.mark.parametrize(("mode", "largest"), [("PROPAGATE", np.max), ("IGNORE", np.fmax.reduce)])
def test_maxima_of_nan_equal_the_definition(window: Window, mode: str, largest: np.ufunc) -> None:
    x = floats(1, 8, 9, 2)
    x[0, 3, 4, 0] = np.nan
    (y,) = evaluate(lambda x: windows.max_pool(x, window, mode), x)
    np.testing.assert_array_equal(y, largest(windows_of(x, window, -np.inf), axis=0))


# ** windows **


def test_windows_are_counted() -> None:
    window = Window((3, 2), (2, 1), (2, 1), (1, 1, 0, 0))
    assert window.reach == (5, 2)
    assert window.window_counts((7, 5)) == [3, 4]


@pytest.mark.parametrize(("sizes", "fits"), [((5, 1), True), ((2, 1), False), ((5, 0), False)])
def test_windows_that_do_not_fit_are_declined(sizes: Sequence[int], fits: bool) -> None:
    window = Window((3, 2), dilation=(2, 1), pad=(1, 1, 1, 0))

    def formula(x: Expr) -> Expr:
        window.require_fit(x.type)
        return x

    x = np.zeros((1, *sizes, 1), np.float32)
    if fits:
        evaluate(formula, x)
    else:
        with pytest.raises(
            Decline, match=r"expected a window that fits fp32\[1x\dx\dx1\] with padding .*, found \[5, 2\]"
        ):
            evaluate(formula, x)
