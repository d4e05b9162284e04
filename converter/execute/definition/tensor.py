"""Tensor operators (2.3)."""

from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.execute.definition.base import Call, maximum, widen
from tosa_converter.execute.definition.scaling import apply_scale_32, reciprocal_scale
from tosa_converter.execute.definition.windows import read_windows
from tosa_converter.ir import Array


def argmax(call: Call, x: Array) -> Array:
    """Computes ARGMAX (2.3.1): the index of the first maximum along `axis`.

    NaN is the maximum unless nan_mode is IGNORE.
    """
    values = np.moveaxis(widen(x), call["axis"], 0)
    best = np.full_like(values[0], _search_start(call))
    position = np.zeros(best.shape, np.int64)
    for i, value in enumerate(values):
        result = maximum(call, value, best)
        # NaN != NaN is true: without the second condition each later NaN would move the position on from the first.
        better = (result != best) & ~(np.isnan(result) & np.isnan(best))
        best, position = np.where(better, result, best), np.where(better, i, position)
    return position


def _search_start(call: Call) -> float:
    """Returns the value that a search for the maximum starts from: the type's least, or NaN if NaN is ignored."""
    if not call.source.is_float:
        return call.source.limits[0]
    return np.nan if call.ignores_nan else -np.inf


def avg_pool2d(call: Call, x: Array, input_zp: Array, output_zp: Array) -> Array:
    """Computes AVG_POOL2D (2.3.2): the mean of each window, of elements within the input only, without padding."""
    acc, count = np.zeros(1, widen(x).dtype), np.zeros(1, np.int64)
    for _, read, inside in read_windows(
        widen(x) - widen(input_zp), call["kernel"], call["pad"], call["stride"], (1, 1)
    ):
        acc, count = acc + read, count + inside  # padding reads zeros
    return _average(call, acc, count, output_zp)


def avg_pool2d_adaptive(
    call: Call, x: Array, input_zp: Array, output_zp: Array, kernel: Array, stride: Array, pad: Array
) -> Array:
    """Computes AVG_POOL2D_ADAPTIVE: AVG_POOL2D whose kernel, stride and padding are operands."""
    acc, count = np.zeros(1, widen(x).dtype), np.zeros(1, np.int64)
    window = kernel.tolist(), pad.tolist(), stride.tolist(), (1, 1)
    for _, read, inside in read_windows(widen(x) - widen(input_zp), *window):
        acc, count = acc + read, count + inside
    return _average(call, acc, count, output_zp)


def _average(call: Call, acc: Array, count: Array, output_zp: Array) -> Array:
    """Returns the averages of windows from the sums of their elements and how many these are.

    Integers are divided by apply_scale_32, to which the zero point of the output is added.
    """
    if call.source.is_float:
        return acc / count
    scaled = apply_scale_32(call, call.checked_sums(acc, DType.I32), *reciprocal_scale(count))
    return np.clip(call.checked_sums(scaled + widen(output_zp), DType.I32), *call.target.limits)


def conv(call: Call, x: Array, weight: Array, bias: Array, input_zp: Array, weight_zp: Array) -> Array:
    """Computes CONV2D and CONV3D (2.3.3, 2.3.4): sums of products, plus bias; `weight` is [OC, K..., IC]."""
    weights, acc = widen(weight) - widen(weight_zp), np.zeros(1, widen(x).dtype)
    window = call["pad"], call["stride"], call["dilation"]
    for k, read, inside in read_windows(widen(x) - widen(input_zp), weight.shape[1:-1], *window):
        product = read @ weights[:, *k].T
        # tosa_extra_multiplies: the zeros of padding take part too, so that a weight of NaN or infinity gives NaN.
        acc = acc + (product if call.computes_error_bound else np.where(inside, product, 0))
    return call.checked_sums(acc + widen(bias))


def depthwise_conv2d(call: Call, x: Array, weight: Array, bias: Array, input_zp: Array, weight_zp: Array) -> Array:
    """Computes DEPTHWISE_CONV2D (2.3.5): each channel has its own windows and M weights; weight is [KH, KW, C, M]."""
    weights, acc = widen(weight) - widen(weight_zp), np.zeros(1, widen(x).dtype)
    window = call["pad"], call["stride"], call["dilation"]
    for k, read, inside in read_windows(widen(x) - widen(input_zp), weight.shape[:2], *window):
        product = (read[..., None] * weights[k]).reshape(*read.shape[:-1], -1)
        # tosa_extra_multiplies: the zeros of padding take part too, so that a weight of NaN or infinity gives NaN.
        acc = acc + (product if call.computes_error_bound else np.where(inside, product, 0))
    return call.checked_sums(acc + widen(bias))


def fft2d(call: Call, real: Array, imag: Array) -> tuple[Array, Array]:
    """Computes FFT2D (2.3.6), the two-dimensional Fourier transform by its sums; `inverse` changes the angle's sign."""
    real, imag = widen(real), widen(imag)
    to_real, to_imag = np.empty_like(real), np.empty_like(real)
    for oy, ox in np.ndindex(real.shape[1:]):
        ay, ax = _angle_indices(real.shape[1:], oy, ox)
        a = (-1.0 if call["inverse"] else 1.0) * 2 * np.pi * (ay / real.shape[1] + ax / real.shape[2])
        cos, sin, minus_sin = _magnitudes_for_error_bound(call, np.cos(a), np.sin(a), -np.sin(a))
        to_real[:, oy, ox] = (real * cos + imag * sin).sum(axis=(1, 2))
        to_imag[:, oy, ox] = (real * minus_sin + imag * cos).sum(axis=(1, 2))
    return to_real, to_imag


def rfft2d(call: Call, x: Array) -> tuple[Array, Array]:
    """Computes RFFT2D (2.3.9), the two-dimensional Fourier transform of real input: the first W // 2 + 1 columns."""
    x, (count, height, width) = widen(x), x.shape
    to_real, to_imag = np.empty((2, count, height, width // 2 + 1))
    for oy, ox in np.ndindex(to_real.shape[1:]):
        ay, ax = _angle_indices((height, width), oy, ox)
        a = 2 * np.pi * (ay / height + ax / width)
        cos, minus_sin = _magnitudes_for_error_bound(call, np.cos(a), -np.sin(a))
        to_real[:, oy, ox] = (x * cos).sum(axis=(1, 2))
        # Where both angles are multiples of half a turn the sine is 0, but np.sin(np.pi) is 1.2e-16. So the product is
        # left out; for the error bound it is x * 0, which is NaN for an infinite x (tosa_extra_multiplies).
        imaginary = (ay % max(1, height // 2) > 0) | (ax % max(1, width // 2) > 0)
        skipped = -x * 0.0 if call.computes_error_bound else 0.0
        to_imag[:, oy, ox] = np.where(imaginary, x * minus_sin, skipped).sum(axis=(1, 2))
    return to_real, to_imag


def _angle_indices(shape: Sequence[int], oy: int, ox: int) -> tuple[Array, Array]:
    """Returns ay and ax of the pseudocode for every input position: numerators of the angle, less whole turns."""
    # (iy * oy) % height keeps the angle below one turn, where cos is exact to an ulp: for height 8, iy = 7 and oy = 5
    # 35 eighths of a turn are 3 eighths.
    height, width = shape
    return (np.arange(height) * oy % height)[:, None], np.arange(width) * ox % width


def _magnitudes_for_error_bound(call: Call, *values: Array) -> tuple[Array, ...]:
    """Returns the constant factors `values`, or their magnitudes if the call computes the error bound (TOSA 1.10.3)."""
    return tuple(map(np.abs, values)) if call.computes_error_bound else values


def matmul(call: Call, a: Array, b: Array, a_zp: Array, b_zp: Array) -> Array:
    """Computes MATMUL (2.3.7): [N, H, C] @ [N, C, W], each less its zero point."""
    return call.checked_sums((widen(a) - widen(a_zp)) @ (widen(b) - widen(b_zp)))


def matmul_t(call: Call, a: Array, b: Array, a_zp: Array, b_zp: Array) -> Array:
    """Computes MATMUL_T: [N, H, C] by the transpose of [D, W, C], each less its zero point; D = 1 is broadcast."""
    return call.checked_sums((widen(a) - widen(a_zp)) @ (widen(b) - widen(b_zp)).swapaxes(1, 2))


def max_pool2d(call: Call, x: Array) -> Array:
    """Computes MAX_POOL2D (2.3.8): the maximum of each window; padding doesn't count."""
    return _maximum_of_windows(call, x, call["kernel"], call["stride"], call["pad"])


def max_pool2d_adaptive(call: Call, x: Array, kernel: Array, stride: Array, pad: Array) -> Array:
    """Computes MAX_POOL2D_ADAPTIVE: MAX_POOL2D whose kernel, stride and padding are operands."""
    return _maximum_of_windows(call, x, kernel.tolist(), stride.tolist(), pad.tolist())


def _maximum_of_windows(
    call: Call, x: Array, kernel: Sequence[int], stride: Sequence[int], pad: Sequence[int]
) -> Array:
    """Returns the maximum of each window of [N, H, W, C]; kernel and stride are (y, x), pad 4 sides."""
    acc = np.full(1, _search_start(call), widen(x).dtype)
    for _, read, inside in read_windows(widen(x), kernel, pad, stride, (1, 1)):
        acc = np.where(inside, maximum(call, acc, read), acc)
    return acc


def transpose_conv2d(call: Call, x: Array, weight: Array, bias: Array, input_zp: Array, weight_zp: Array) -> Array:
    """Computes TRANSPOSE_CONV2D (2.3.10): a convolution of the reversed kernel with the input spread by the stride."""
    (_, height, width, _), (_, kernel_y, kernel_x, _) = x.shape, weight.shape
    stride_y, stride_x = call["stride"]
    top, bottom, left, right = call["out_pad"]
    # 3 rows with stride 2 are spread over (3 - 1) * 2 + 1 = 5. Padded by kernel - 1 = 2 on both sides for a kernel of
    # 3, they give 5 + 4 - 2 = 7 output rows.
    value = np.zeros((len(x), (height - 1) * stride_y + 1, (width - 1) * stride_x + 1, x.shape[3]), widen(x).dtype)
    value[:, ::stride_y, ::stride_x] = widen(x) - widen(input_zp)
    data = np.zeros(value.shape[1:3], bool)
    data[::stride_y, ::stride_x] = True
    pad = kernel_y - 1 + top, kernel_y - 1 + bottom, kernel_x - 1 + left, kernel_x - 1 + right
    weights, acc = (widen(weight) - widen(weight_zp))[:, ::-1, ::-1], np.zeros(1, value.dtype)
    for k, read, inside in read_windows(value, (kernel_y, kernel_x), pad, (1, 1), (1, 1), data):
        product = read @ weights[:, *k].T
        # tosa_extra_multiplies: the zeros of padding take part too, so that a weight of NaN or infinity gives NaN.
        acc = acc + (product if call.computes_error_bound else np.where(inside, product, 0))
    return call.checked_sums(acc + widen(bias))
