"""LiteRT's kernels of floats with integer weights: they quantize the input at run time.

Convolutions are EvalHybrid and EvalHybridPerChannel of conv.cc, depthwise_conv.cc and transpose_conv.cc. They quantize
each image by its own range: symmetric if one scale serves all weights of CONV_2D, with a zero point otherwise. Layers
are EvalHybridDense (fully_connected.cc), products EvalHybrid (batch_matmul.cc); both quantize each row.

In compact numerics the weights are dequantized once, and all is computed in floats.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from tosa_converter.dtypes import DType
from tosa_converter.legalize.later_operators import target_takes
from tosa_converter.legalize.ops.matrix import Product, row_count, row_shape
from tosa_converter.legalize.ops.windows import Operands, Window
from tosa_converter.legalize.quant import floats
from tosa_converter.legalize.quant.rows import QuantizedRows, quantize_asymmetric, quantize_symmetric
from tosa_converter.legalize.quant.scheme import (
    ConvolutionPlan,
    LayerPlan,
    OperandKeys,
    ProductPlan,
    Scheme,
    TransposeOperands,
)
from tosa_converter.legalize.quant.weights import (
    channel_sums,
    has_several_scales,
    real_weights,
    stored_weights,
    weight_scales,
)
from tosa_converter.legalize.tflite.activation import Fused, fused_activation, vector_activation
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import concat, reduce_sum
from tosa_converter.schemas.flat import Table
from tosa_converter.schemas.tflite import BatchMatMulOptions
from tosa_converter.schemas.tosa_ops import MATMUL_T

BATCHES = "each row is scaled by its own scale; with several batch dimensions LiteRT's kernel uses other rows' scales"
Planned = TypeVar("Planned", ConvolutionPlan, LayerPlan, ProductPlan)


class RowQuantizationOption(Table):
    """The option of TFLite's hybrid operators that tells whether rows are quantized with zero points."""

    asymmetric_quantize_inputs: bool = False


# ** convolutions **


def plan_convolution(match: Match, keys: OperandKeys, window: Window) -> ConvolutionPlan:
    """Plans a convolution of images that are quantized at run time, each with one scale, by integer weights.

    LiteRT has two kernels. The one for depthwise or grouped convolutions and for several weight scales pads the image
    with zeros, and quantizes it with a zero point. The other one quantizes with the zero point 0, and pads the
    quantized image.
    """
    x, weight = match[keys.x], stored_weights(match, keys.weight)
    scale = const(weight_scales(match, keys.weight), DType.FP32)
    depthwise, grouped = keys.axis == 3, x.shape[3] != weight.shape[3]
    if depthwise or grouped or has_several_scales(match, keys.weight):
        images, window = (
            _quantize_images(_pad_with_zeros(x, window), quantize_asymmetric),
            window._replace(pad=(0, 0, 0, 0)),
        )
    else:
        images = _quantize_images(x, quantize_symmetric)

    def dequantize_sums(*sums: Expr) -> Expr:
        """Converts the groups' i32 sums to floats, and adds the bias and the activation.

        The image's zero point is taken off, and the scale is weight scale * image scale.
        """
        levels = subtract_zero_point_products(concat(sums, 3), images.zero_point, weight, keys.axis)
        # Float products round, so the factors are multiplied in the order of each kernel.
        if images.zero_point is None:
            y = levels.cast(DType.FP32) * (images.scale * scale.slice((0,), (1,)))
        elif depthwise:
            factor = scale * images.scale
            y = levels.cast(DType.FP32) * factor
        else:
            y = levels.cast(DType.FP32) * scale * images.scale
        return fused_activation(match, _with_bias(match, keys, y))

    return ConvolutionPlan(
        Operands(images.levels.cast(DType.I8), weight, const([0], DType.I32)), window, dequantize_sums
    )


def plan_transposed_convolution(match: Match, keys: OperandKeys, window: Window) -> ConvolutionPlan:
    """Plans a transposed convolution in floats that hold the quantized integers, as LiteRT's kernel sums them."""
    images = _quantize_images(match[keys.x], quantize_asymmetric)
    assert images.zero_point is not None
    weight = stored_weights(match, keys.weight).cast(DType.FP32)

    def dequantize_sums(*sums: Expr) -> Expr:
        """Joins the groups' float sums, scales them by weight scale * image scale, adds the bias and the activation."""
        scale = const(weight_scales(match, keys.weight), DType.FP32) * images.scale
        return fused_activation(match, _with_bias(match, keys, concat(sums, 3) * scale))

    return ConvolutionPlan(
        Operands(images.levels - images.zero_point, weight, const([0], DType.FP32)), window, dequantize_sums
    )


def _pad_with_zeros(x: Expr, window: Window) -> Expr:
    """Pads the image with real zeros before it is quantized; 0 lies in every range, so they become the zero point."""
    top, bottom, left, right = window.pad
    return x.pad(((0, 0), (top, bottom), (left, right), (0, 0)))


def _quantize_images(x: Expr, quantize: Callable[[Expr], QuantizedRows]) -> QuantizedRows:
    """Quantizes each image [H,W,C] with one scale, as one row of all its elements, and returns them in their shape."""
    batch, *shape = x.shape
    rows = quantize(x.reshape((batch, 1, 1, math.prod(shape))))
    return rows._replace(levels=rows.levels.reshape((batch, *shape)))


def subtract_zero_point_products(sums: Expr, zero_point: Expr | None, weight: Expr, axis: int) -> Expr:
    """Converts sums of w * x to sums of w * (x - zero point); a zero point of None is 0.

    It is sum(w * x) - zero_point * sum(w), with the sum of each channel's weights along `axis`.
    """
    return sums if zero_point is None else sums - zero_point.cast(DType.I32) * channel_sums(weight, axis)


def _with_bias(match: Match, keys: OperandKeys, y: Expr) -> Expr:
    """Returns y plus the bias, if the operator has one."""
    bias = match.get(keys.bias)
    return y if bias is None else y + bias.reshape((bias.size,))


# ** layers and products **


def plan_layer(match: Match, keys: OperandKeys) -> LayerPlan:
    """Plans a dense layer of rows that are quantized at run time, each with its own scale, by integer weights.

    The rows have the shape of the layer's sums: [1, rows, depth] where they are by MATMUL_T, else as for CONV2D.
    """
    x, weight = match[keys.x], stored_weights(match, keys.weight)
    depth = weight.shape[1]
    by_product = target_takes(match, MATMUL_T, DType.I8, weight.dtype)
    rows = row_quantizer(match)(x.reshape((1, row_count(x, depth), depth) if by_product else row_shape(x, depth)))

    def dequantize_sums(sums: Expr) -> Expr:
        """Converts i32 sums to floats: takes off the rows' zero points, scales, adds the bias and activates.

        The scale is weight scale * row scale.
        """
        levels = subtract_zero_point_products(sums, rows.zero_point, weight, keys.axis)
        scale = const(weight_scales(match, keys.weight), DType.FP32) * rows.scale
        return _apply_activation(match, _with_bias(match, keys, levels.cast(DType.FP32) * scale))

    return LayerPlan(Operands(rows.levels.cast(DType.I8), weight, const([0], DType.I32)), dequantize_sums)


def row_quantizer(match: Match) -> Callable[[Expr], QuantizedRows]:
    """Returns the function that quantizes rows, with zero points or symmetrically as the operator's option says."""
    return (
        quantize_asymmetric
        if match.attributes(RowQuantizationOption).asymmetric_quantize_inputs
        else quantize_symmetric
    )


def _apply_activation(match: Match, y: Expr) -> Expr:
    """Returns y after the fused activation of a layer, as `vector_activation` computes it."""
    return vector_activation(match.attributes(Fused).fused_activation_function, y)


def plan_product(match: Match, transpose_operands: TransposeOperands) -> ProductPlan:
    """Plans a matrix product whose left rows are quantized at run time, each with its own scale.

    A note tells of several batch dimensions, for which LiteRT's kernel confuses the rows' scales. `transpose_operands`
    returns both operands as [..., rows, depth] and [..., depth, columns].
    """
    left, right = transpose_operands(match["x"], stored_weights(match, "y"))
    if sum(n > 1 for n in left.shape[:-2]) > 1:
        match.note(BATCHES)
    rows = row_quantizer(match)(left)

    def dequantize_sums(product: Product) -> Expr:
        """Converts i32 sums to floats: takes off the rows' zero points times the columns' sums, and scales.

        The scale is weight scale * row scale. Symmetrically quantized rows have no zero points.
        """
        sums = product.sums.reshape(product.shape)
        if rows.zero_point is not None:
            columns = reduce_sum(right.cast(DType.I32), right.rank - 2)
            sums = sums - rows.zero_point.cast(DType.I32) * columns
        scale = rows.scale * const(weight_scales(match, "y"), DType.FP32)
        return sums.cast(DType.FP32) * scale

    return ProductPlan(rows.levels.cast(DType.I8), right, dequantize_sums)


# ** compact numerics **


def _plan_float_convolution(match: Match, keys: OperandKeys, window: Window) -> ConvolutionPlan:
    """Plans a convolution in floats with the integer weights dequantized at conversion, for compact numerics."""
    return floats.float_convolution_plan(match, _float_operands(match, keys), window)


def _plan_float_layer(match: Match, keys: OperandKeys) -> LayerPlan:
    """Plans a dense layer in floats with the integer weights dequantized at conversion, for compact numerics."""
    return LayerPlan(_float_operands(match, keys), partial(_apply_activation, match))


def _float_operands(match: Match, keys: OperandKeys) -> Operands:
    """Returns the operands of a float convolution or layer, with the integer weights dequantized at conversion."""
    x = match[keys.x]
    return Operands(x, real_weights(match, keys.weight, keys.axis), floats.bias_or_zero(match, keys.bias, x))


def _plan_float_product(match: Match, transpose_operands: TransposeOperands) -> ProductPlan:
    """Plans a matrix product in floats with the integer weights dequantized at conversion, for compact numerics.

    `transpose_operands` returns both operands as [..., rows, depth] and [..., depth, columns].
    """
    return floats.plan_float_product(*transpose_operands(match["x"], real_weights(match, "y", column_axis(match))))


def column_axis(match: Match) -> int:
    """Returns the dimension of BATCH_MATMUL's right operand that counts columns, which adj_y moves."""
    return match.source("y").type.rank - (2 if match.attributes(BatchMatMulOptions).adj_y else 1)


def _unless_compact(exact: Callable[..., Planned], compact: Callable[..., Planned]) -> Callable[..., Planned]:
    """Returns a scheme's function that calls `compact` if the option numerics is "compact", and `exact` otherwise."""

    def plan(match: Match, *arguments: object) -> Planned:
        """Calls the compact function with compact numerics, else the exact one."""
        return (compact if match.options.numerics == "compact" else exact)(match, *arguments)

    return plan


HYBRID = Scheme(
    _unless_compact(plan_convolution, _plan_float_convolution),
    _unless_compact(plan_transposed_convolution, _plan_float_convolution),
    _unless_compact(plan_layer, _plan_float_layer),
    _unless_compact(plan_product, _plan_float_product),
)
