"""Arithmetic on quantized tensors: one function for each node, and the rows at the end."""

import math
import operator
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import BYTES, same_quantization
from tosa_converter.legalize.quant.elements import (
    VALUES,
    OutputQuant,
    Quantized,
    affine,
    eight_bit,
    operand,
    output_quant,
    stored_elements,
    subtract_zero_point,
    to_result_type,
)
from tosa_converter.legalize.quant.widths import LARGEST_PRODUCT
from tosa_converter.legalize.quant.xnnpack_rounding import (
    F32,
    multiply_centered,
    product_scale,
    quantize_by_reference,
    quantized_levels,
    reduced_zero_point,
    round_with_zero_point,
    saturate_to_int8,
    scale_integers,
    shift_to_int8,
    sum_multipliers,
)
from tosa_converter.legalize.xnnpack import pool
from tosa_converter.legalize.xnnpack.checks import SUM_RATIOS, require_broadcast, require_rank, scale_ratios
from tosa_converter.legalize.xnnpack.requantize import quantized_bounds, requantized, within_bounds
from tosa_converter.rewriting import expr
from tosa_converter.rewriting.expr import Expr, const, where
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import gather, reduce_sum
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Build, Rule

# Both operands and the quantization of the result -> int8 elements of the result, without the node's bounds.
Formula: TypeAlias = Callable[[Quantized, Quantized, OutputQuant], Expr]


def _operand_pair(match: Match) -> tuple[Quantized, Quantized]:
    """Returns an XNNPACK node's two quantized operands; declines shapes that don't broadcast."""
    a, b = operand(match, "input1"), operand(match, "input2")
    require_broadcast(a.value, b.value)
    return a, b


def two_operands(formula: Formula) -> Build:
    """Returns the build function of an XNNPACK node with two quantized operands, clamped to its output range."""

    def lower(match: Match) -> Expr:
        """Lowers the matched XNNPACK node by the formula, and clamps to the node's output range."""
        return within_bounds(match, formula(*_operand_pair(match), output_quant(match)))

    return lower


# ** in whole numbers **


def sum_formula(add: Callable[[Expr, Expr], Expr]) -> Formula:
    """Returns the formula of XNNPACK's int8 Add or Subtract: i32 sums of multiplied operands, rounded half up."""

    def formula(a: Quantized, b: Quantized, output: OutputQuant) -> Expr:
        """Returns the sum or difference (`add`) of both operands, each times its integer multiplier, as int8."""
        first, second, shift = sum_multipliers([float(x.scale / output.scale) for x in (a, b)])
        return shift_to_int8(add(multiply_centered(a, first), multiply_centered(b, second)), shift, output.zero_point)

    return formula


# ** requantized by floats **


def multiply(match: Match) -> Expr:
    """Lowers XNNPACK's Multiply of 8-bit elements: i32 products, requantized to the result's scale."""
    (a, b), output = _operand_pair(match), output_quant(match)
    return requantized(
        match,
        subtract_zero_point(a) * subtract_zero_point(b),
        product_scale(a.scale, b.scale, over=output.scale),
        peak=LARGEST_PRODUCT,
    )


def leaky_product(x: Quantized, slope: Quantized, output: OutputQuant) -> Expr:
    """Returns XNNPACK's 8-bit PReLU: x, or x * slope if x < 0, each rescaled by its own factor (xnn_qs8_vprelu)."""
    wide = subtract_zero_point(x)
    product = wide * subtract_zero_point(slope)
    negative = scale_integers(product, product_scale(x.scale, slope.scale, over=output.scale)[0])
    positive = scale_integers(wide, x.scale / output.scale)
    return saturate_to_int8(where(wide < 0, negative, positive), output.zero_point)


# ** as XNNPACK's reference kernels, on the reals that elements stand for **


def real_formula(function: Callable[[Expr, Expr], Expr]) -> Formula:
    """Returns the formula of an XNNPACK node that dequantizes both operands, applies `function`, and quantizes."""

    def formula(a: Quantized, b: Quantized, output: OutputQuant) -> Expr:
        """Returns the function of both dequantized operands, quantized as XNNPACK's reference kernels do."""
        return quantize_by_reference(
            function(*(scale_integers(subtract_zero_point(x), x.scale) for x in (a, b))), output
        )

    return formula


def quotient(a: Quantized, b: Quantized, output: OutputQuant) -> Expr:
    """Returns XNNPACK's 8-bit Div by a table of all 65536 pairs, because TOSA has no exact division of floats."""
    # The index of a pair is 256 * (a + 128) + (b + 128) = 256 * a + b + 128 * 257.
    wide_a, wide_b = (x.value.cast(DType.I32) for x in (a, b))
    index = wide_a * 256 + wide_b + 128 * 257
    dividends, divisors = ((VALUES - x.zero_point).astype(F32) * x.scale for x in (a, b))
    with np.errstate(all="ignore"):
        quotients = quantized_levels(dividends[:, None] / divisors, output)
    table = const(quotients.reshape(1, -1, 1), DType.I8)
    return gather(table, index.reshape((1, index.size))).reshape(index.shape)


add, subtract = two_operands(sum_formula(operator.add)), two_operands(sum_formula(operator.sub))
div = two_operands(quotient)
maximum, minimum = two_operands(real_formula(expr.maximum)), two_operands(real_formula(expr.minimum))
prelu = two_operands(leaky_product)


# ** bounds **


def clamp(match: Match) -> Expr:
    """Lowers XNNPACK's Clamp of 8-bit elements; operand and result have the same quantization."""
    return within_bounds(match, stored_elements(match, "input"))


def max_pooling_2d(match: Match) -> Expr:
    """Lowers XNNPACK's MaxPooling2d of 8-bit elements; operand and result have the same quantization."""
    return within_bounds(match, pool.largest_of_windows(match, stored_elements(match, "input")))


# ** means and sums over axes **


def as_stored(x: Quantized, unsigned: bool) -> Expr:
    """Returns the stored values in i32: int8 as they are, uint8 (held as int8 less 128) in 0..255."""
    # int8 less -128 is the uint8 value.
    return subtract_zero_point(x._replace(zero_point=-128 * unsigned))


def converted_sum(match: Match, total: Expr, count: int, scale: np.float32) -> Expr:
    """Returns sums of stored elements requantized to an XNNPACK node's result, and clamped to its output range.

    The sums include the operand's zero point `count` times. It is taken off behind the multiplication by `scale`,
    together with adding the result's zero point, because XNNPACK rounds there.

    Args:
        match: the node, whose first operand is reduced.
        total: the sums in i32 of elements that `as_stored` returns.
        count: the number of elements in a sum.
        scale: by which a sum is multiplied, in steps of the result.
    """
    output = output_quant(match)
    zero_point = reduced_zero_point(affine(match, 0), output, count, scale)
    steps = scale_integers(total, scale)
    return to_result_type(
        match, round_with_zero_point(steps, zero_point, quantized_bounds(match, output), unsigned=output.unsigned)
    )


def global_avg_pooling_2d(match: Match) -> Expr:
    """Lowers XNNPACK's GlobalAvgPooling2d of 8 bits: the mean over height and width.

    Stored values are summed up, and `converted_sum` scales the sum in float, subtracts the zero point and rounds.
    Compact numerics sum up values less the zero point and use one RESCALE.
    """
    x, output = operand(match, "input"), output_quant(match)
    require_rank(x.value.type, 4)
    n, height, width, channels = x.value.shape
    count, compact = height * width, match.options.numerics == "compact"
    if 255 * count > DType.I32.limits[1]:
        raise Decline(f"expected sums that 32 bits hold, found sums of {count} elements")
    total = subtract_zero_point(x) if compact else as_stored(x, output.unsigned)
    for axis in (1, 2):
        total = reduce_sum(total, axis)
    total = total.reshape(total.shape if pool.keeps_dims(match) else (n, channels))
    scale = x.scale / output.scale * (F32(1) / F32(count))
    if compact:
        return requantized(match, total, np.array([scale], F32), peak=255 * count)
    return converted_sum(match, total, count, scale)


def static_reduce(*, mean: bool) -> Build:
    """Returns the build function of XNNPACK's 8-bit StaticMean (`mean`) or StaticSum.

    Its axes, `reduction_axes`, are an attribute that XNNGraph's schema lacks.
    """

    def lower(match: Match) -> Expr:
        """Lowers the matched StaticMean or StaticSum of 8-bit elements over `reduction_axes`.

        Stored values are summed up; `converted_sum` subtracts the zero point.
        """
        x, output = operand(match, 0), output_quant(match)
        axes = match.op.attributes["reduction_axes"]
        count = math.prod(x.value.shape[axis] for axis in axes)
        total = as_stored(x, output.unsigned)
        for axis in axes:
            total = reduce_sum(total, axis) if total.shape[axis] > 1 else total
        y = converted_sum(match, total, count, x.scale / output.scale * (F32(1) / F32(count if mean else 1)))
        shape = [size for axis, size in enumerate(x.value.shape) if axis not in axes]
        return y if pool.keeps_dims(match) else y.reshape(shape)

    return lower


static_mean, static_sum = static_reduce(mean=True), static_reduce(mean=False)


PAIR = (eight_bit("input1", "input2"),)
SUM = (*PAIR, scale_ratios(SUM_RATIOS, "input1", "input2"))
SAME = (eight_bit("input"), same_quantization)
RULES: tuple[Rule, ...] = (
    Rule("xnn.add", BYTES, add, SUM),
    Rule("xnn.subtract", BYTES, subtract, SUM),
    Rule("xnn.multiply", BYTES, multiply, PAIR),
    Rule("xnn.div", BYTES, div, PAIR),
    Rule("xnn.maximum", BYTES, maximum, PAIR),
    Rule("xnn.minimum", BYTES, minimum, PAIR),
    Rule("xnn.prelu", BYTES, prelu, PAIR),
    Rule("xnn.clamp", BYTES, clamp, SAME),
    Rule("xnn.max_pooling_2d", BYTES, max_pooling_2d, SAME),
    Rule("xnn.global_avg_pooling_2d", BYTES, global_avg_pooling_2d, (eight_bit("input"),)),
)
