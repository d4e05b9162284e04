"""XNNPACK's kernels of floats, and of 8-bit elements: sums in i32, requantized channel by channel."""

from functools import partial

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.ops.matrix import Product
from tosa_converter.legalize.ops.windows import Operands, Window
from tosa_converter.legalize.quant.elements import operand, output_quant, swap_signedness
from tosa_converter.legalize.quant.floats import float_operands, plan_float_product
from tosa_converter.legalize.quant.layer_operands import bias_peak
from tosa_converter.legalize.quant.scheme import (
    ConvolutionPlan,
    LayerPlan,
    OperandKeys,
    ProductPlan,
    Scheme,
    TransposeOperands,
)
from tosa_converter.legalize.quant.widths import LARGEST_PRODUCT
from tosa_converter.legalize.quant.xnnpack_rounding import F32, product_scale
from tosa_converter.legalize.xnnpack.bounds import clamp_to_bounds
from tosa_converter.legalize.xnnpack.checks import require_per_channel, require_rank, require_sizes
from tosa_converter.legalize.xnnpack.requantize import requantized
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import concat
from tosa_converter.schemas import xnnpack

PAIRS = "fp32*fp32 fp16*fp16 fp16*fp32"


def join_groups(*sums: Expr) -> Expr:
    """Returns the NHWC sums of all groups of a convolution, concatenated along the channels."""
    return concat(sums, 3)


def layer_weight(match: Match, operands: Operands) -> Operands:
    """Returns FullyConnected's operands with the weight as [outputs, depth]; a flag says that it is stored transposed.

    Raises:
        Decline: the weight doesn't fit the input, or the bias doesn't fit the weight.
    """
    require_rank(operands.weight.type, 2)
    turned = match.op.attributes["flags"] & xnnpack.FLAG_TRANSPOSE_WEIGHTS
    weight = operands.weight.transpose((1, 0)) if turned else operands.weight
    require_sizes("depth", operands.x.shape[-1:], weight.shape[1:])
    require_per_channel("biases", operands.bias.size, weight.shape[0])
    return operands._replace(weight=weight)


# ** floats **


def _plan_float_convolution(match: Match, keys: OperandKeys, window: Window) -> ConvolutionPlan:
    """Plans XNNPACK's convolution of floats: its operands, window, and how its sums are clamped to the output range.

    `keys` are the operands' names in the match.
    """
    return ConvolutionPlan(
        float_operands(match, keys), window, lambda *sums: clamp_to_bounds(match, join_groups(*sums))
    )


def _plan_float_layer(match: Match, keys: OperandKeys) -> LayerPlan:
    """Plans XNNPACK's FullyConnected of floats: its operands, and how its sums are clamped to the output range.

    `keys` are the operands' names in the match.
    """
    operands = layer_weight(match, float_operands(match, keys))
    shape = (*operands.x.shape[:-1], operands.weight.shape[0])
    return LayerPlan(operands, lambda sums: clamp_to_bounds(match, sums.reshape(shape)))


def _plan_float_product(match: Match, transpose_operands: TransposeOperands) -> ProductPlan:
    """Plans XNNPACK's matrix product of two float operands.

    `transpose_operands` takes both operands and returns them as [..., rows, depth] and [..., depth, columns].
    """
    return plan_float_product(*transpose_operands(match["input1"], match["input2"]))


XNNPACK_FLOAT = Scheme(_plan_float_convolution, _plan_float_convolution, _plan_float_layer, _plan_float_product)

# ** elements of 8 bits **


def _integer_operands(match: Match, keys: OperandKeys) -> Operands:
    """Returns input, filter and bias of an 8-bit XNNPACK layer, with zero points, as int8 (uint8 less 128).

    `keys` are the operands' names in the match. An absent bias is 0.

    Raises:
        Decline: a bias that isn't of i32.
    """
    x = operand(match, keys.x)
    weight, weight_zp = match[keys.weight], match.quant(keys.weight).zero_point[0]
    if match.source(keys.weight).type.dtype is DType.UI8:
        weight, weight_zp = swap_signedness(weight), weight_zp - 128
    bias = match.get(keys.bias)
    if bias is None:
        return Operands(x.value, weight, const([0], DType.I32), x.zero_point, weight_zp)
    match.require(bias.dtype is DType.I32, f"expected a bias of i32, found {bias.type}")
    return Operands(x.value, weight, bias.reshape((bias.size,)), x.zero_point, weight_zp)


def _requantize_sums(match: Match, keys: OperandKeys, operands: Operands, acc: Expr) -> Expr:
    """Returns a layer's i32 sums requantized to the XNNPACK node's result; weights have one or per-channel scales."""
    weights = np.asarray(match.quant(keys.weight).scale, F32)
    scale = np.asarray(operand(match, keys.x).scale * weights / output_quant(match).scale, F32)
    channels = acc.shape[-1]
    require_per_channel("scales of weights", scale.size, channels)
    # A sum has that many products, each of two bytes less a zero point, and a bias.
    taps = operands.weight.size // channels
    return requantized(match, acc, scale, peak=taps * LARGEST_PRODUCT + bias_peak(operands.bias))


def _plan_integer_convolution(match: Match, keys: OperandKeys, window: Window) -> ConvolutionPlan:
    """Plans XNNPACK's 8-bit convolution: its operands, window, and how its sums are requantized.

    `keys` are the operands' names in the match.
    """
    operands = _integer_operands(match, keys)
    return ConvolutionPlan(operands, window, lambda *sums: _requantize_sums(match, keys, operands, join_groups(*sums)))


def _plan_integer_layer(match: Match, keys: OperandKeys) -> LayerPlan:
    """Plans XNNPACK's 8-bit FullyConnected: its operands, by their names in `keys`, and how sums are requantized."""
    operands = layer_weight(match, _integer_operands(match, keys))
    return LayerPlan(operands, partial(_requantize_sums, match, keys, operands))


def _plan_integer_product(match: Match, transpose_operands: TransposeOperands) -> ProductPlan:
    """Plans XNNPACK's matrix product of two 8-bit operands, whose sums are requantized.

    `transpose_operands` takes both operands and returns them as [..., rows, depth] and [..., depth, columns].
    """
    x, y = operand(match, "input1"), operand(match, "input2")

    def requantize_sums(product: Product) -> Expr:
        """Returns the product's i32 sums requantized to the XNNPACK node's result."""
        scale = product_scale(x.scale, y.scale, over=output_quant(match).scale)
        return requantized(match, product.sums, scale, peak=product.depth * LARGEST_PRODUCT).reshape(product.shape)

    return ProductPlan(*transpose_operands(x.value, y.value), requantize_sums, x.zero_point, y.zero_point)


XNNPACK_8 = Scheme(_plan_integer_convolution, _plan_integer_convolution, _plan_integer_layer, _plan_integer_product)
