"""LiteRT's kernels of int8 and uint8: i32 sums, brought back by multipliers of 31 bits.

Convolutions are ConvPerChannel, DepthwiseConvPerChannel and TransposeConv of reference/integer_ops; multipliers are
those of PopulateConvolutionQuantizationParams (kernel_util.cc). Layers scale their sums by a double and round once (the
overloads of FullyConnected and FullyConnectedPerChannel that take float scales, reference/fully_connected.h and
integer_ops/fully_connected.h). Products are BatchMatMul of reference/batch_matmul.h.
"""

from functools import partial

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.ops.matrix import Product
from tosa_converter.legalize.ops.windows import Operands, Window
from tosa_converter.legalize.quant import single_rounding
from tosa_converter.legalize.quant.elements import fused_range, operand, output_quant, to_result_type
from tosa_converter.legalize.quant.layer_operands import (
    IntegerOperands,
    accumulator_range,
    bias_peak,
    integer_operands,
    narrow_peak,
    real_scales,
)
from tosa_converter.legalize.quant.multipliers import (
    INT32_MAX,
    INT32_MIN,
    Multiplier,
    multiply_each,
    quantize_multiplier,
)
from tosa_converter.legalize.quant.requantize import OVERFLOW, clamp_for_rescale, clamp_to_range, requantize_to
from tosa_converter.legalize.quant.scheme import (
    ConvolutionPlan,
    LayerPlan,
    OperandKeys,
    ProductPlan,
    Scheme,
    TransposeOperands,
)
from tosa_converter.legalize.quant.widths import LARGEST_PRODUCT
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import concat, rescale

LARGE = 1 << 29  # a bias from which on sums come near the limits of i32 and of RESCALE
LARGEST_SCALE = 2.0**28  # RESCALE's largest factor for a value of 1, which is out of range by then anyway

# ** convolutions **


def plan_convolution(match: Match, keys: OperandKeys, window: Window) -> ConvolutionPlan:
    """Plans a convolution of int8: its operands, and a function that requantizes the i32 sums per channel.

    A channel whose huge constant bias alone decides its result loses its weights, so that no shift overflows.
    """
    integer = integer_operands(match, keys, symmetric=True)
    operands, multiplier = integer.operands, quantize_multiplier(conv_scales(match, keys, integer))
    if operands.bias.constant is not None and bias_peak(operands.bias) >= LARGE and len(multiplier.m) > 1:
        operands, multiplier = _without_constant_channels(integer, multiplier, keys.axis)
    peak = narrow_peak(operands, keys.axis)
    low, high = fused_range(match, integer.output)

    def requantize_groups(*sums: Expr) -> Expr:
        """Joins the groups' i32 sums, requantizes each channel and converts to the result's type."""
        y = concat(sums, 3)
        tiled = tiled_multiplier(multiplier, y.shape[3])
        return to_result_type(match, requantize_to(match, y, tiled, integer.output.zero_point, low, high, peak=peak))

    return ConvolutionPlan(operands, window, requantize_groups)


def conv_scales(match: Match, keys: OperandKeys, integer: IntegerOperands) -> Array:
    """Returns input scale * weight scale / output scale; uint8 rounds the product to float32.

    See GetQuantizedConvolutionMultipler (kernel_util.cc).
    """
    if not integer.output.unsigned:
        return real_scales(match, keys.weight, integer.input_scale, integer.output)
    product = integer.input_scale * np.asarray(match.quant(keys.weight).scale, np.float32)
    return np.asarray(product.astype(np.float64) / np.float64(integer.output.scale))


def tiled_multiplier(multiplier: Multiplier, channels: int) -> Multiplier:
    """Returns one multiplier for each channel of the result, or the only one as it is.

    Without TRANSPOSE_CONV2D, a convolution computes `stride` neighbouring columns of the result at once, side by side
    in its channels; the multipliers are repeated for each of these columns.
    """
    if len(multiplier.m) in (1, channels):
        return multiplier
    times = channels // len(multiplier.m)
    return Multiplier(np.tile(multiplier.m, times), np.tile(multiplier.shift, times))


def _without_constant_channels(
    integer: IntegerOperands, multiplier: Multiplier, axis: int
) -> tuple[Operands, Multiplier]:
    """Returns operands and multipliers in which channels whose huge bias alone decides the result have no weights.

    A weight scale near 0 gives a bias of huge steps: the sums are beyond 2**29, where the shifts of other channels
    might overflow, but they all have the same result. Operands with weights or a bias that aren't constant are returned
    unchanged.
    """
    operands = integer.operands
    if operands.weight.constant is None or operands.bias.constant is None:
        return operands, multiplier
    kernel, offset = operands.weight.constant.copy(), operands.bias.constant.astype(np.int64)
    m, shift = (part.copy() for part in multiplier)
    channels = np.moveaxis(kernel, axis, 0)
    first, last = accumulator_range(integer.x, channels.reshape(len(channels), -1), offset)
    lowest, highest = multiply_each(first, m, shift), multiply_each(last, m, shift)
    alone = (np.abs(offset) >= LARGE) & (lowest == highest)
    # Without weights the sum is the bias, which becomes the result itself, times 2**30 * 2**(1 - 31) = 1.
    channels[alone], offset[alone], m[alone], shift[alone] = 0, lowest[alone], 1 << 30, 1
    smaller = operands._replace(weight=const(kernel, DType.I8), bias=const(offset, DType.I32))
    return smaller, Multiplier(m, shift)


# ** layers **


def plan_layer(match: Match, keys: OperandKeys) -> LayerPlan:
    """Plans a dense layer of int8: its operands, and a function that multiplies sums by a double, rounded once.

    The double is clamped to a limit beyond which every sum but 0 saturates.
    """
    integer = integer_operands(match, keys, symmetric=False)
    real = np.minimum(real_scales(match, keys.weight, integer.input_scale, integer.output), LARGEST_SCALE)
    return LayerPlan(integer.operands, partial(_requantize_layer_sums, match, integer, real))


def _requantize_layer_sums(match: Match, integer: IntegerOperands, real: Array, acc: Expr) -> Expr:
    """Returns the outputs of a dense int8 layer: i32 sums times a double, rounded once, clamped to the activation.

    One RESCALE is enough if a multiplier rounds every possible sum as the double does; else a table of thresholds is
    added. A note tells if results may leave int32.
    """
    low, high = fused_range(match, integer.output)
    first, last = _sum_range(integer, per_channel=len(real) > 1)
    peaks, zero_point = np.maximum(-first, last), integer.output.zero_point
    if (peaks * real >= -INT32_MIN).any():
        match.note(OVERFLOW)
    bounds = low - zero_point, high - zero_point
    # RESCALE takes magnitudes below 2**(shift - 1); sums beyond are clamped, so the search stops there.
    most = (1 << (np.minimum(quantize_multiplier(real).tosa_shift, 32) - 1)) - 1
    plan = single_rounding.single_multipliers(real, np.maximum(first, -most), np.minimum(last, most), *bounds)
    if plan is None:
        y = single_rounding.round_by_thresholds(acc, real, int(peaks.max()), zero_point, *bounds)
    else:
        acc = clamp_for_rescale(acc, quantize_multiplier(real).tosa_shift, int(peaks.max()))
        y = clamp_to_range(rescale(acc, DType.I8, *plan, output_zp=zero_point), low, high)
    return to_result_type(match, y)


def _sum_range(integer: IntegerOperands, *, per_channel: bool) -> tuple[Array, Array]:
    """Returns the smallest and the largest sum of each channel if `per_channel`, else of all channels.

    Without constant weights it is one range for all channels. Without a constant bias it is that of i32.
    """
    _, weight, bias, _, weight_zp = integer.operands
    if bias.constant is None:
        return np.full(1, INT32_MIN), np.full(1, INT32_MAX)
    if weight.constant is None:
        peak = weight.shape[1] * LARGEST_PRODUCT + bias_peak(bias)
        return np.full(1, -peak), np.full(1, peak)
    taps = weight.constant.astype(np.int16) - np.int16(weight_zp) if weight_zp else weight.constant
    first, last = accumulator_range(integer.x, taps, bias.constant)
    return (first, last) if per_channel else (first.min(keepdims=True), last.max(keepdims=True))


# ** products **


def plan_product(match: Match, transpose_operands: TransposeOperands) -> ProductPlan:
    """Plans a matrix product of int8: its operands, and a function that requantizes the i32 sums.

    LiteRT's kernel rounds the product of the scales to float32. `transpose_operands` returns both operands as [...,
    rows, depth] and [..., depth, columns].
    """
    output, x, y = output_quant(match), operand(match, "x"), operand(match, "y")

    def requantize_product(product: Product) -> Expr:
        """Requantizes the i32 sums to int8 and reshapes them."""
        multiplier = quantize_multiplier(np.float64(x.scale * y.scale) / np.float64(output.scale))
        peak = min(product.depth * LARGEST_PRODUCT, -INT32_MIN)
        return requantize_to(match, product.sums, multiplier, output.zero_point, peak=peak).reshape(product.shape)

    return ProductPlan(*transpose_operands(x.value, y.value), requantize_product, x.zero_point, y.zero_point)


LITERT_8 = Scheme(plan_convolution, plan_convolution, plan_layer, plan_product)
