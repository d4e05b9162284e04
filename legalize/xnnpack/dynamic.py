"""XNNPACK's kernels whose input is quantized at run time, row by row or image by image, with integer weights (qdint8).

TOSA has no division and allows a RECIPROCAL one unit in the last place, so quotients are corrected by their remainders:
levels, zero points and sums are XNNPACK's. It adds the bias to the last product without rounding that; here it is.
"""

import math

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, TensorType, Value
from tosa_converter.legalize.ops.matrix import Product
from tosa_converter.legalize.ops.windows import Operands, Window
from tosa_converter.legalize.quant.hybrid import subtract_zero_point_products
from tosa_converter.legalize.quant.requantize import TIMES_ONE
from tosa_converter.legalize.quant.rows import quotient
from tosa_converter.legalize.quant.scheme import (
    ConvolutionPlan,
    LayerPlan,
    OperandKeys,
    ProductPlan,
    Scheme,
    TransposeOperands,
)
from tosa_converter.legalize.quant.weights import block_scales, stored_weights, weight_scales
from tosa_converter.legalize.xnnpack.bounds import clamp_to_bounds
from tosa_converter.legalize.xnnpack.checks import FLOATS, require_per_channel, require_sizes
from tosa_converter.legalize.xnnpack.schemes import layer_weight
from tosa_converter.rewriting.expr import Expr, clamp, const, maximum, minimum, reciprocal, scalar, where
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import concat, matmul, reduce_max, reduce_min, reduce_sum, rescale
from tosa_converter.rewriting.records import TensorRecord
from tosa_converter.rewriting.rule import Rule, condition

STEPS = 255  # between the least and the largest level
FAINT = 2.0**-107  # ranges below it count as 0: for their quotients Dekker's product overflows


class QuantizedRows(TensorRecord):
    """A tensor quantized at run time: real = (levels - zero_point) * step.

    `levels` are i8; `zero_point` (i32) and `step` (fp32) have size 1 in the dimensions that are quantized together.
    """

    __slots__ = ("levels", "real", "step", "zero_point")

    def __init__(self, real: Expr, levels: Expr, zero_point: Expr, step: Expr) -> None:
        """Makes a tensor that is quantized at run time: `real` floats, their int8 `levels`, zero points and steps."""
        super().__init__(TensorType(DType.I8, real.type.shape))
        self.real = real
        self.levels = levels
        self.zero_point = zero_point
        self.step = step


def _reason_not_dynamic(value: Value) -> str | None:
    """Returns the reason to decline a value that isn't quantized at run time; None if it is."""
    quant = value.type.quant
    return None if quant is not None and quant.rows else f"expected {value.name!r} quantized at run time"


@condition("the result is quantized at run time")
def _to_rows(match: Match) -> str | None:
    """Returns the reason to decline a Convert whose result isn't quantized at run time; None if it is."""
    return _reason_not_dynamic(match.op.results[0])


def quantize(match: Match) -> QuantizedRows:
    """Lowers XNNPACK's Convert from floats to qdint8, which is quantized at run time."""
    return quantize_at_run_time(match, match["input"], match.result_quant.rows)


def quantize_at_run_time(match: Match, real: Expr, dimensions: int) -> QuantizedRows:
    """Returns a tensor quantized at run time; its last `dimensions` dimensions share a step and a zero point.

    The step is a 255th of the range of the elements and 0. The zero point is nearest to the end whose error is smaller
    (xnn_f32_qd8_asymmetric_quantization_params). For a range of -1 to 3 the scale is 255 / 4 = 63.75 steps; the low end
    is -63.75 of them and the high end 191.25. From the low end the zero point is -128 + 63.75 = -64.25, from the high
    end 127 - 191.25 = -64.25: both ends agree, and the nearest integer is -64.
    """
    outer_rank = real.rank - dimensions
    outer, inner = real.shape[:outer_rank], real.shape[outer_rank:]
    x = real.cast(DType.FP32).reshape((*outer, math.prod(inner)))
    zero = scalar(0, x)
    high = maximum(reduce_max(x, outer_rank, nan_mode="PROPAGATE"), zero)
    low = minimum(reduce_min(x, outer_rank, nan_mode="PROPAGATE"), zero)
    span = high - low
    flat = span < FAINT  # counts as a range of 0, with a scale of 1
    scale = where(flat, 1, _quotient(match, STEPS, span))
    low, high = (end * scale for end in (low, high))
    lowest, highest = scalar(-128, x), scalar(127, x)
    from_low_end = lowest + low + (highest + high) > zero
    zero_point = where(from_low_end, lowest - low, highest - high)
    zero_point = clamp(zero_point, -128.0, 127.0).cast(DType.I32)
    levels = (x * scale).cast(DType.I32) + zero_point
    levels = rescale(levels, DType.I8, *TIMES_ONE).reshape(real.shape)
    ones = (*outer, *(1 for _ in inner))
    step = _quotient(match, 1, scale).reshape(ones)
    return QuantizedRows(real, levels, zero_point.reshape(ones), step)


def _quotient(match: Match, dividend: int, x: Expr) -> Expr:
    """Returns dividend / x, correctly rounded as XNNPACK's; compact numerics multiply by the less exact RECIPROCAL."""
    if match.options.numerics != "compact":
        return quotient(dividend, x)
    match.note_once("rows are quantized by reciprocals, not by quotients: levels may differ by 1 step")
    inverse = reciprocal(x)
    return inverse if dividend == 1 else inverse * dividend


# ** convolutions and layers **


@condition("the input is quantized at run time")
def from_rows(match: Match) -> str | None:
    """Returns the reason to decline an XNNPACK layer whose input isn't quantized at run time; None if it is."""
    return _reason_not_dynamic(match.source("input1"))


def _scale_and_add_bias(match: Match, keys: OperandKeys, sums: Expr, x: QuantizedRows, step: Expr) -> Expr:
    """Returns a layer's floats from its integer sums: sums * step of the input * scales of the weights + bias."""
    scale = weight_scales(match, keys.weight)
    require_per_channel("scales of weights", scale.size, sums.shape[-1])
    y = sums.cast(DType.FP32) * step
    return _add_bias(match, keys, y * const(scale, DType.FP32), x)


def _add_bias(match: Match, keys: OperandKeys, y: Expr, x: QuantizedRows) -> Expr:
    """Returns y plus the bias, if any, clamped to the XNNPACK node's output range, in the original float type."""
    bias = match.get(keys.bias)
    if bias is not None:
        require_sizes("bias", [bias.size], y.shape[-1:])
        y = y + bias.cast(DType.FP32).reshape((bias.size,))
    return clamp_to_bounds(match, y).cast(x.real.dtype)


def _plan_convolution(match: Match, keys: OperandKeys, window: Window) -> ConvolutionPlan:
    """Plans XNNPACK's convolution of an input quantized at run time: operands, and how sums become floats.

    The image is padded before it is quantized, so that the level of padding is the zero point.
    """
    x = match.record("input1", QuantizedRows)
    if any(window.pad):
        top, bottom, left, right = window.pad
        padded = x.real.pad(((0, 0), (top, bottom), (left, right), (0, 0)))
        x = quantize_at_run_time(match, padded, match.quant(keys.x).rows)
    weight = stored_weights(match, keys.weight)
    _require_one_scale_an_image(x)

    def dequantize_sums(*sums: Expr) -> Expr:
        """Returns the floats of all groups' sums: subtracts the zero points' products, scales, and adds the bias."""
        levels = subtract_zero_point_products(concat(sums, 3), x.zero_point, weight, keys.axis)
        return _scale_and_add_bias(match, keys, levels, x, x.step)

    return ConvolutionPlan(
        Operands(x.levels, weight, const([0], DType.I32)), window._replace(pad=(0, 0, 0, 0)), dequantize_sums
    )


def _require_one_scale_an_image(x: QuantizedRows) -> None:
    """Declines images that don't have one scale each, but one for each line or pixel."""
    require_sizes("scales of images", [x.step.type.elements], [x.type.static[0]])


def _plan_transposed_convolution(match: Match, keys: OperandKeys, window: Window) -> ConvolutionPlan:
    """Plans XNNPACK's transposed convolution of an input quantized at run time, in floats that hold the integers.

    Each result sums up another number of weights, so the zero point's share differs by position. It is subtracted from
    the input instead.
    """
    x = match.record("input1", QuantizedRows)
    _require_one_scale_an_image(x)
    levels = (x.levels.cast(DType.I32) - x.zero_point).cast(DType.FP32)
    operands = Operands(levels, stored_weights(match, keys.weight).cast(DType.FP32), const([0], DType.FP32))
    return ConvolutionPlan(operands, window, lambda *sums: _scale_and_add_bias(match, keys, concat(sums, 3), x, x.step))


def _plan_layer(match: Match, keys: OperandKeys) -> LayerPlan:
    """Plans XNNPACK's FullyConnected of an input quantized at run time: operands, and how sums become floats."""
    x, operands = _layer_operands(match, keys)

    def dequantize_sums(sums: Expr) -> Expr:
        """Returns the floats of i32 sums: subtracts the zero points' products, scales them and adds the bias."""
        step, zero_point = (part.reshape((*sums.shape[:3], 1)) for part in (x.step, x.zero_point))
        levels = subtract_zero_point_products(sums, zero_point, operands.weight, keys.axis)
        return _scale_and_add_bias(match, keys, levels, x, step)

    return LayerPlan(operands, dequantize_sums)


def _layer_operands(match: Match, keys: OperandKeys) -> tuple[QuantizedRows, Operands]:
    """Returns the input quantized at run time row by row, and the layer's operands.

    The operands are the input's int8 levels, the int8 weights, and a bias of 0.
    """
    x = match.record("input1", QuantizedRows)
    operands = layer_weight(match, Operands(x.levels, stored_weights(match, keys.weight), const([0], DType.I32)))
    rows = x.type.elements // operands.weight.shape[1]
    require_sizes("scales of rows", [x.step.size], [rows])
    return x, operands


def blockwise_layer(match: Match, keys: OperandKeys) -> Expr:
    """Returns FullyConnected's result [1, rows, outputs] for weights with a scale per block of an output's inputs."""
    x, operands = _layer_operands(match, keys)
    return _add_bias(match, keys, blockwise_product(x, operands.weight, block_scales(match, keys.weight)), x)


def blockwise_product(x: QuantizedRows, weight: Expr, scales: Array) -> Expr:
    """Returns x @ weight.T [1, rows, outputs], for rows quantized at run time and weights with a scale per block.

    `weight` is [outputs, depth] in int8, `scales` [outputs, blocks]. It is a batched MATMUL with a batch for each
    block; the sums, each times its scale, are added up.
    """
    (outputs, depth), (_, count), rows = weight.shape, scales.shape, x.step.size
    parts = x.levels.reshape((rows, count, depth // count)).transpose((1, 0, 2))
    weights = weight.reshape((outputs, count, depth // count)).transpose((1, 2, 0))
    sums = matmul(parts, weights, dtype=DType.I32)
    weight_sums = reduce_sum(weights.cast(DType.I32), 1)  # the sums of a zero point of 1
    sums = sums - x.zero_point.reshape((1, rows, 1)) * weight_sums
    total = reduce_sum(sums.cast(DType.FP32) * const(scales.T[:, None], DType.FP32), 0)
    return total * x.step.reshape((1, rows, 1))


def _plan_product(match: Match, transpose_operands: TransposeOperands) -> ProductPlan:
    """Plans XNNPACK's matrix product of an input quantized at run time and weights with one scale or one per column.

    `transpose_operands` takes both sides and returns them as [..., rows, depth] and [..., depth, columns].
    """
    x = match.record("input1", QuantizedRows)
    left, weight = transpose_operands(x.levels, stored_weights(match, "input2"))

    def dequantize_sums(product: Product) -> Expr:
        """Converts the i32 sums to floats: subtracts the zero points' products, then multiplies by both scales."""
        sums = product.sums.reshape(product.shape)
        columns = reduce_sum(weight.cast(DType.I32), weight.rank - 2)
        sums = sums - x.zero_point * columns
        y = sums.cast(DType.FP32) * x.step
        scale = weight_scales(match, "input2")
        require_per_channel("scales of weights", scale.size, weight.shape[-1])
        return (y * const(scale, DType.FP32)).cast(x.real.dtype)

    return ProductPlan(left, weight, dequantize_sums, dtype=DType.I32)


XNNPACK_DYNAMIC = Scheme(_plan_convolution, _plan_transposed_convolution, _plan_layer, _plan_product)
RULES: tuple[Rule, ...] = (Rule("xnn.convert", FLOATS, quantize, (_to_rows,)),)
