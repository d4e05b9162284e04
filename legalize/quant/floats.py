"""LiteRT's kernels of floats."""

from functools import partial

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.ops.matrix import Product
from tosa_converter.legalize.ops.windows import Operands, Window
from tosa_converter.legalize.quant.scheme import (
    ConvolutionPlan,
    LayerPlan,
    OperandKeys,
    ProductPlan,
    Scheme,
    TransposeOperands,
)
from tosa_converter.legalize.tflite.activation import fused_activation
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.match import Key, Match
from tosa_converter.rewriting.operators import concat


def float_operands(match: Match, keys: OperandKeys) -> Operands:
    """Returns input, weight and bias of a layer in the input's type; fp16 weights of an fp32 input are widened."""
    x = match[keys.x]
    return Operands(x, match[keys.weight].cast(x.dtype), bias_or_zero(match, keys.bias, x))


def bias_or_zero(match: Match, key: Key, like: Expr) -> Expr:
    """Returns the bias as a vector in the type of `like`; without one, a zero that broadcasts."""
    bias = match.get(key)
    return const(np.zeros(1), like.dtype) if bias is None else bias.cast(like.dtype).reshape((bias.size,))


def plan_convolution(match: Match, keys: OperandKeys, window: Window) -> ConvolutionPlan:
    """Plans a float convolution: its operands, and a function that joins the groups' sums and activates them."""
    return float_convolution_plan(match, float_operands(match, keys), window)


def float_convolution_plan(match: Match, operands: Operands, window: Window) -> ConvolutionPlan:
    """Plans a float convolution of given operands; the groups' sums are concatenated and activated."""
    return ConvolutionPlan(operands, window, lambda *sums: fused_activation(match, concat(sums, sums[0].rank - 1)))


def plan_layer(match: Match, keys: OperandKeys) -> LayerPlan:
    """Plans a float dense layer: its operands, and a function that applies the fused activation to the sums."""
    return LayerPlan(float_operands(match, keys), partial(fused_activation, match))


def plan_product(match: Match, transpose_operands: TransposeOperands) -> ProductPlan:
    """Plans a float matrix product: its operands, and a function that casts the fp32 sums to their type.

    `transpose_operands` returns both operands as [..., rows, depth] and [..., depth, columns].
    """
    return plan_float_product(*transpose_operands(match["x"], match["y"]))


def plan_float_product(left: Expr, right: Expr) -> ProductPlan:
    """Plans a matrix product of floats with sums in fp32, which are cast back to the operands' type."""

    def cast_sums(product: Product) -> Expr:
        """Returns the fp32 sums in the operands' type and the result's shape."""
        return product.sums.cast(left.dtype).reshape(product.shape)

    return ProductPlan(left, right, cast_sums, dtype=DType.FP32)


FLOAT = Scheme(plan_convolution, plan_convolution, plan_layer, plan_product)
