"""Sums of 8-bit products that leave LiteRT's 32 bits when its reference kernels scale them, which C leaves undefined.

They are computed from LiteRT's own operands in float64, which holds every sum below 2**53 exactly.
"""

from collections.abc import Sequence

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op
from tosa_converter.legalize.limits import normalized_axis
from tosa_converter.legalize.quant.multipliers import (
    INT32_MAX,
    INT32_MIN,
    Multiplier,
    multiply_each,
    quantize_multiplier,
    round_away,
    undefined_mask,
)
from tosa_converter.legalize.tflite.windows import Windowed, padding_1d
from tosa_converter.rewriting.match import Match


def may_overflow(op: Op) -> bool:
    """Returns whether an operator's output multiplier can exceed 1; up to 1, scaled 31-bit sums stay in 32 bits."""
    # The multiplier is input_scale * weight_scale / output_scale; a mean has no weight.
    quants = [value.type.quant for value in (*op.operands[:2], op.results[0])]
    scales = [quant.scale for quant in quants if quant is not None and quant.scale]
    return max(scales[0]) * (max(scales[1]) if len(scales) == 3 else 1.0) > min(scales[-1])


def overflowing_convolutions(match: Match, operands: Sequence[Array]) -> Array:
    """Returns a mask of a convolution's results whose sum times multiplier overflows 32 bits in LiteRT."""
    weight = _centered_weights(match, operands[1], keep_zero_point=False)
    if match.op.name == "tfl.depthwise_conv_2d":
        weight = weight.transpose(3, 1, 2, 0)
    sums = _convolve(_centered_operand(match, operands[0]), weight, match.attributes(Windowed)) + _bias(operands)
    return _overflow_mask(match, sums, quantize_multiplier(_real_scales(match)))


def overflowing_layers(match: Match, operands: Sequence[Array]) -> Array:
    """Returns a mask of FULLY_CONNECTED's results whose scaled sum, with or without the zero point, leaves 32 bits."""
    weight = _centered_weights(match, operands[1], keep_zero_point=True)
    x = _centered_operand(match, operands[0]).reshape(-1, weight.shape[1])
    level = round_away((x @ weight.T + _bias(operands)) * _real_scales(match))
    return _leaves_32_bits(level) | _leaves_32_bits(level + match.result_quant.zero_point[0])


def overflowing_means(match: Match, operands: Sequence[Array]) -> Array:
    """Returns a mask of MEAN's results whose sum times multiplier (with 1/n in it) overflows 32 bits in LiteRT."""
    x = _centered_operand(match, operands[0])
    axes = tuple(normalized_axis(int(axis), x.ndim) for axis in operands[1].reshape(-1))
    count = int(np.prod([x.shape[axis] for axis in {*axes}], dtype=np.int64))
    m, shift = quantize_multiplier(float(match.quant(0).scale[0]) / float(match.result_quant.scale[0]))
    # The kernel divides the multiplier by the count, shifted left as far as 64 bits and the shift allow, so that it
    # keeps its precision: for 9 elements by 3, (m << 3) // 9 with the shift less 3.
    left = min(count.bit_length() - 1, 32, 31 + int(shift[0]))
    return _overflow_mask(match, x.sum(tuple({*axes})), Multiplier((m << left) // count, shift - left))


def _overflow_mask(match: Match, sums: Array, multiplier: Multiplier) -> Array:
    """Returns for which sums LiteRT's left shift, or the scaled sum plus the zero point, leaves 32 bits."""
    whole = sums.astype(np.int64)
    product = multiply_each(whole, multiplier.m, multiplier.shift) + match.result_quant.zero_point[0]
    return undefined_mask(whole, multiplier) | _leaves_32_bits(product)


def _leaves_32_bits(x: Array) -> Array:
    """Returns which integers are outside int32."""
    return np.asarray((x < INT32_MIN) | (x > INT32_MAX))


def _centered_operand(match: Match, x: Array) -> Array:
    """Returns elements of the operator's first operand less its zero point, in float64."""
    return x.astype(np.float64) - match.quant(0).zero_point[0]


def _centered_weights(match: Match, weight: Array, *, keep_zero_point: bool) -> Array:
    """Returns weights less the zero point that LiteRT's kernels subtract, in float64.

    Kernels of uint8 subtract it. Kernels of int8 subtract one zero point for the whole tensor if `keep_zero_point`,
    which is False for convolutions, and ignore zero points per channel.
    """
    quant = match.quant(1)
    has_zero_point = match.source(1).type.dtype is DType.UI8 or (keep_zero_point and quant.per_tensor)
    return weight.astype(np.float64) - (quant.zero_point[0] if has_zero_point else 0)


def _bias(operands: Sequence[Array]) -> Array:
    """Returns the optional third operand of a layer, the bias, in float64; [0] if there is none."""
    return operands[2].reshape(-1).astype(np.float64) if len(operands) > 2 else np.zeros(1)


def _real_scales(match: Match) -> Array:
    """Returns a layer's multipliers of sums, input_scale * weight_scale / output_scale, one or one per channel.

    Convolutions of uint8 round the product of the scales to float32.
    """
    rounds_to_fp32 = match.source(0).type.dtype is DType.UI8 and match.op.name != "tfl.fully_connected"
    dtype = np.float32 if rounds_to_fp32 else np.float64
    products = np.asarray(match.quant(0).scale[0], dtype) * np.asarray(match.quant(1).scale, dtype)
    return np.asarray(products.astype(np.float64) / float(match.result_quant.scale[0]))


def _convolve(x: Array, weight: Array, window: Windowed) -> Array:
    """Returns the convolution of x [N,H,W,C] with weight [OC,KH,KW,C/groups], in float64: [N,OH,OW,OC]."""
    kernel = weight.shape[1:3]
    reach = [(size - 1) * dilation + 1 for size, dilation in zip(kernel, window.dilation, strict=True)]
    pad = [
        padding_1d(window.padding, *sizes)
        for sizes in zip(x.shape[1:3], kernel, window.stride, window.dilation, strict=True)
    ]
    padded = np.pad(x, [(0, 0), *pad, (0, 0)])
    by_rows = sliding_window_view(padded, reach[0], axis=1)
    windows = sliding_window_view(by_rows, reach[1], axis=2)
    (rows, columns), (down, across) = window.stride, window.dilation
    windows = windows[:, ::rows, ::columns, :, ::down, ::across]
    depth = weight.shape[3]
    groups = x.shape[3] // depth
    grouped = windows.reshape(*windows.shape[:3], groups, depth, *kernel)
    by_group = weight.reshape(groups, -1, *kernel, depth)
    sums = np.einsum("nhwgcij,goijc->nhwgo", grouped, by_group, optimize=True)
    return np.asarray(sums.reshape(*sums.shape[:3], -1))
