"""LiteRT's kernels of floats."""

from functools import partial

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.ops.matrix import Product
from tosa_converter.legalize.ops.windows import Operands, Window
from tosa_converter.legalize.quant.scheme import LayerStep, Orient, ProductStep, Roles, Scheme, Step
from tosa_converter.legalize.tflite.activation import fused_activation
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.match import Key, Match
from tosa_converter.rewriting.operators import concat


def float_operands(match: Match, roles: Roles) -> Operands:
    """Returns input, weight and bias of a layer in the input's type; fp16 weights of an fp32 input are widened."""
    x = match[roles.x]
    return Operands(x, match[roles.weight].cast(x.dtype), bias_or_zero(match, roles.bias, x))


def bias_or_zero(match: Match, key: Key, like: Expr) -> Expr:
    """Returns the bias as a vector in the type of `like`; without one, a zero that broadcasts."""
    bias = match.get(key)
    return const(np.zeros(1), like.dtype) if bias is None else bias.cast(like.dtype).reshape((bias.size,))


def convolution(match: Match, roles: Roles, window: Window) -> Step:
    """Returns a float convolution: its operands, and a function that joins the groups' sums and activates them."""
    return float_step(match, float_operands(match, roles), window)


def float_step(match: Match, operands: Operands, window: Window) -> Step:
    """Returns a convolution, and a function that concatenates the groups' sums and applies the fused activation."""
    return Step(operands, window, lambda *sums: fused_activation(match, concat(sums, sums[0].rank - 1)))


def layer(match: Match, roles: Roles) -> LayerStep:
    """Returns a float dense layer: its operands, and a function that applies the fused activation to the sums."""
    return LayerStep(float_operands(match, roles), partial(fused_activation, match))


def product(match: Match, orient: Orient) -> ProductStep:
    """Returns a float matrix product: its operands, and a function that casts the fp32 sums to their type."""
    return real_product(*orient(match["x"], match["y"]))


def real_product(left: Expr, right: Expr) -> ProductStep:
    """Returns a matrix product of floats with sums in fp32, and a function that casts the sums back."""

    def cast_sums(product: Product) -> Expr:
        """Returns the fp32 sums in the operands' type and the result's shape."""
        return product.sums.cast(left.dtype).reshape(product.shape)

    return ProductStep(left, right, cast_sums, dtype=DType.FP32)


FLOAT = Scheme(convolution, convolution, layer, product)
