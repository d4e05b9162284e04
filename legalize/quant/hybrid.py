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
from tosa_converter.legalize.ops.matrix import Product, row_shape
from tosa_converter.legalize.ops.windows import Operands, Window
from tosa_converter.legalize.quant import floats
from tosa_converter.legalize.quant.rows import Rows, quantize_asymmetric, quantize_symmetric
from tosa_converter.legalize.quant.scheme import LayerStep, Orient, ProductStep, Roles, Scheme, Step
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

BATCHES = "each row is scaled by its own scale; with several batch dimensions LiteRT's kernel uses other rows' scales"
Planned = TypeVar("Planned", Step, LayerStep, ProductStep)


class Quantizing(Table):
    """The option of layers, products and recurrent operators that tells whether rows are quantized with zero points."""

    asymmetric_quantize_inputs: bool = False


# ** convolutions **


def convolution(match: Match, roles: Roles, window: Window) -> Step:
    """Returns a convolution of images that are quantized at run time, each with one scale."""
    x, weight = match[roles.x], stored_weights(match, roles.weight)
    scale = const(weight_scales(match, roles.weight), DType.FP32)
    depthwise, grouped = roles.axis == 3, x.shape[3] != weight.shape[3]
    if depthwise or grouped or has_several_scales(match, roles.weight):
        images, window = (
            _quantize_images(_pad_with_zeros(x, window), quantize_asymmetric),
            window._replace(pad=(0, 0, 0, 0)),
        )
    else:
        images = _quantize_images(x, quantize_symmetric)

    def dequantize_sums(*sums: Expr) -> Expr:
        """Joins the groups' i32 sums, scales them by weight scale * image scale, adds the bias and the activation."""
        levels = subtract_zero_point_share(concat(sums, 3), images.zero_point, weight, roles.axis)
        if images.zero_point is None:
            y = levels.cast(DType.FP32) * (images.scale * scale.slice((0,), (1,)))
        elif depthwise:
            factor = scale * images.scale
            y = levels.cast(DType.FP32) * factor
        else:
            y = levels.cast(DType.FP32) * scale * images.scale
        return fused_activation(match, _with_bias(match, roles, y))

    return Step(Operands(images.levels.cast(DType.I8), weight, const([0], DType.I32)), window, dequantize_sums)


def transposed(match: Match, roles: Roles, window: Window) -> Step:
    """Returns a transposed convolution in floats that hold the quantized integers, as LiteRT's kernel sums them."""
    images = _quantize_images(match[roles.x], quantize_asymmetric)
    assert images.zero_point is not None
    weight = stored_weights(match, roles.weight).cast(DType.FP32)

    def dequantize_sums(*sums: Expr) -> Expr:
        """Joins the groups' float sums, scales them by weight scale * image scale, adds the bias and the activation."""
        scale = const(weight_scales(match, roles.weight), DType.FP32) * images.scale
        return fused_activation(match, _with_bias(match, roles, concat(sums, 3) * scale))

    return Step(Operands(images.levels - images.zero_point, weight, const([0], DType.FP32)), window, dequantize_sums)


def _pad_with_zeros(x: Expr, window: Window) -> Expr:
    """Pads the image with real zeros before it is quantized; 0 lies in every range, so they become the zero point."""
    top, bottom, left, right = window.pad
    return x.pad(((0, 0), (top, bottom), (left, right), (0, 0)))


def _quantize_images(x: Expr, quantize: Callable[[Expr], Rows]) -> Rows:
    """Quantizes each image [H,W,C] with one scale, as one row of all its elements, and returns them in their shape."""
    batch, *shape = x.shape
    rows = quantize(x.reshape((batch, 1, 1, math.prod(shape))))
    return rows._replace(levels=rows.levels.reshape((batch, *shape)))


def subtract_zero_point_share(sums: Expr, zero_point: Expr | None, weight: Expr, axis: int) -> Expr:
    """Converts sums of w * x to sums of w * (x - zero point); a zero point of None is 0.

    It is sum(w * x) - zero_point * sum(w), with the sum of each channel's weights along `axis`.
    """
    return sums if zero_point is None else sums - zero_point.cast(DType.I32) * channel_sums(weight, axis)


def _with_bias(match: Match, roles: Roles, y: Expr) -> Expr:
    """Returns y plus the bias, if the operator has one."""
    bias = match.get(roles.bias)
    return y if bias is None else y + bias.reshape((bias.size,))


# ** layers and products **


def layer(match: Match, roles: Roles) -> LayerStep:
    """Returns a dense layer of rows that are quantized at run time, each with its own scale."""
    weight = stored_weights(match, roles.weight)
    rows = row_quantizer(match)(match[roles.x].reshape(row_shape(match[roles.x], weight.shape[1])))

    def dequantize_sums(sums: Expr) -> Expr:
        """Scales i32 sums by weight scale * row scale, and adds the bias and the activation."""
        levels = subtract_zero_point_share(sums, rows.zero_point, weight, roles.axis)
        scale = const(weight_scales(match, roles.weight), DType.FP32) * rows.scale
        return _apply_activation(match, _with_bias(match, roles, levels.cast(DType.FP32) * scale))

    return LayerStep(Operands(rows.levels.cast(DType.I8), weight, const([0], DType.I32)), dequantize_sums)


def row_quantizer(match: Match) -> Callable[[Expr], Rows]:
    """Returns the function that quantizes rows, with zero points or symmetrically as the operator's option says."""
    return quantize_asymmetric if match.attributes(Quantizing).asymmetric_quantize_inputs else quantize_symmetric


def _apply_activation(match: Match, y: Expr) -> Expr:
    """Returns y after the fused activation of a layer, as `vector_activation` computes it."""
    return vector_activation(match.attributes(Fused).fused_activation_function, y)


def product(match: Match, orient: Orient) -> ProductStep:
    """Returns a matrix product whose left rows are quantized at run time, each with its own scale."""
    left, right = orient(match["x"], stored_weights(match, "y"))
    if sum(n > 1 for n in left.shape[:-2]) > 1:
        match.note(BATCHES)
    rows = row_quantizer(match)(left)

    def dequantize_sums(product: Product) -> Expr:
        """Scales i32 sums by weight scale * row scale."""
        sums = product.sums.reshape(product.shape)
        if rows.zero_point is not None:
            columns = reduce_sum(right.cast(DType.I32), right.rank - 2)
            sums = sums - rows.zero_point.cast(DType.I32) * columns
        scale = rows.scale * const(weight_scales(match, "y"), DType.FP32)
        return sums.cast(DType.FP32) * scale

    return ProductStep(rows.levels.cast(DType.I8), right, dequantize_sums)


# ** compact numerics **


def _real_convolution(match: Match, roles: Roles, window: Window) -> Step:
    """Returns a convolution in floats with the integer weights dequantized at conversion, for compact numerics."""
    return floats.float_step(match, _real_operands(match, roles), window)


def _real_layer(match: Match, roles: Roles) -> LayerStep:
    """Returns a dense layer in floats with the integer weights dequantized at conversion, for compact numerics."""
    return LayerStep(_real_operands(match, roles), partial(_apply_activation, match))


def _real_operands(match: Match, roles: Roles) -> Operands:
    """Returns the operands of a float convolution or layer, with the integer weights dequantized at conversion."""
    x = match[roles.x]
    return Operands(x, real_weights(match, roles.weight, roles.axis), floats.bias_or_zero(match, roles.bias, x))


def _real_product(match: Match, orient: Orient) -> ProductStep:
    """Returns a matrix product in floats with the integer weights dequantized at conversion, for compact numerics."""
    return floats.real_product(*orient(match["x"], real_weights(match, "y", columns_axis(match))))


def columns_axis(match: Match) -> int:
    """Returns the dimension of BATCH_MATMUL's right operand that counts columns, which adj_y moves."""
    return match.source("y").type.rank - (2 if match.attributes(BatchMatMulOptions).adj_y else 1)


def _unless_compact(exact: Callable[..., Planned], compact: Callable[..., Planned]) -> Callable[..., Planned]:
    """Returns a scheme's function that calls `compact` if the option numerics is "compact", and `exact` otherwise."""

    def plan(match: Match, *arguments: object) -> Planned:
        """Calls the compact function with compact numerics, else the exact one."""
        return (compact if match.options.numerics == "compact" else exact)(match, *arguments)

    return plan


HYBRID = Scheme(
    _unless_compact(convolution, _real_convolution),
    _unless_compact(transposed, _real_convolution),
    _unless_compact(layer, _real_layer),
    _unless_compact(product, _real_product),
)
