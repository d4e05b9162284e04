"""Two operands on one scale, as ADD, SUB, SQUARED_DIFFERENCE and comparisons bring them there.

The kernels (add.cc, sub.cc, squared_difference.cc, comparisons.cc) shift `stored - zero point` left by some bits of
headroom and multiply it by its scale over twice the larger scale, which is at most 1/2. That rounds twice: the high
half of the product, ties up, then a division by a power of two, ties away from zero. Often one multiplier exists whose
single rounding gives the same for every value of the type, so that one RESCALE is enough; it is searched for here.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.quant.elements import OutputQuant, Quantized, operand, rescale_operand
from tosa_converter.legalize.quant.multipliers import (
    Multiplier,
    divide_by_pot,
    high_mul,
    quantize_multiplier,
    single_round,
)
from tosa_converter.legalize.quant.requantize import divide_by_power
from tosa_converter.legalize.quant.widths import WIDTHS
from tosa_converter.rewriting.expr import Expr, same_rank
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import rescale
from tosa_converter.rewriting.reasons import Decline


class SharedScale(NamedTuple):
    """A scale for two operands, and the way from there to the result.

    Args:
        scale: twice the larger scale of both; an operand on it is `real / scale * 2**headroom`.
        headroom: bits that operands are shifted left by.
        to_result: the multiplier of a sum, or of a square.
        peak: the largest magnitude that the sum or square can have.
    """

    scale: np.float64
    headroom: int
    to_result: Multiplier
    peak: int


def plan_sum(a_scale: np.float32, b_scale: np.float32, output: OutputQuant) -> SharedScale:
    """Returns the shared scale on which LiteRT's ADD and SUB compute, and the multiplier from there to the result.

    The scale is twice the larger operand scale, so that both operands are multiplied by at most 1/2. Operands are first
    shifted left by the `headroom` of their type.
    """
    width = WIDTHS[output.dtype]
    scale = np.float64(2 * max(a_scale, b_scale))
    multiplier = _result_multiplier(scale, width.headroom, output.scale)
    return SharedScale(scale, width.headroom, multiplier, width.magnitude << width.headroom)


def plan_square(a_scale: np.float32, b_scale: np.float32, output: OutputQuant) -> SharedScale:
    """Returns the shared scale on which SQUARED_DIFFERENCE computes, and the multiplier from there to the result.

    The square has the square of the scale, and twice the headroom.

    Raises:
        Decline: the multiplier is 1 or more, which the kernel for 8 bits doesn't take.
    """
    width = WIDTHS[output.dtype]
    scale, headroom = np.float64(2 * max(a_scale, b_scale)), width.square_headroom
    multiplier = _result_multiplier(scale * scale, 2 * headroom, output.scale)
    if width.square_below_one:
        require_below_one(multiplier)
    return SharedScale(scale, headroom, multiplier, (width.magnitude << headroom) ** 2)


def _result_multiplier(scale: np.float64, headroom: int, output_scale: np.float32) -> Multiplier:
    """Returns the multiplier from the shared scale, with its bits of headroom, to the result's scale."""
    return quantize_multiplier(scale / np.float64(np.float32(1 << headroom) * output_scale))


def require_below_one(multiplier: Multiplier) -> None:
    """Declines a multiplier of 1 or more, which QuantizeMultiplierSmallerThanOneExp refuses.

    Raises:
        Decline: it is 1 or more.
    """
    if multiplier.shift[0] > 0:
        raise Decline("expected an output scale that LiteRT's kernel accepts, found a finer one")


def operands_on_shared_scale(match: Match, shared: SharedScale) -> tuple[Expr, Expr]:
    """Returns both operands of the matched operator in i32, rescaled to the shared scale."""
    a, b = _operands(match)
    return move_to_scale(match, a, shared.scale, shared.headroom), move_to_scale(
        match, b, shared.scale, shared.headroom
    )


def _operands(match: Match) -> tuple[Quantized, Quantized]:
    """Returns the first two operands with their quantization.

    In compact numerics they get one rank, because a RESHAPE would keep hardware from fusing operators.
    """
    a, b = operand(match, 0), operand(match, 1)
    if match.options.numerics != "compact":
        return a, b
    first, second = same_rank(a.value, b.value)
    return a._replace(value=first), b._replace(value=second)


def move_to_scale(match: Match, x: Quantized, scale: np.float64, headroom: int) -> Expr:
    """Returns `(stored - zero point) << headroom`, rescaled to `scale` as LiteRT's ADD and SUB do, in i32.

    The kernel rounds twice. One RESCALE is emitted if it gives the same results for all stored values, else two.
    Compact numerics have one in any case; a note says if its results may differ.
    """
    ratio = float(np.float64(x.scale) / scale)
    single = single_rounding(ratio, x.zero_point, headroom, x.value.dtype)
    value, zero = rescale_operand(x)
    if single is not None:
        m, shift = single
        return rescale(value, DType.I32, [m], [shift], input_zp=zero)
    multiplier = quantize_multiplier(ratio)
    if match.options.numerics == "compact":
        match.note("operands are rounded once instead of twice: this operator may differ by 1 step")
        return rescale(value, DType.I32, multiplier.m, multiplier.tosa_shift - headroom, input_zp=zero)
    high = rescale(value, DType.I32, multiplier.m, [31 - headroom], input_zp=zero)
    return divide_by_power(high, -int(multiplier.shift[0]))


@lru_cache(1024)  # layers often share their scales
def single_rounding(ratio: float, zero_point: int, headroom: int, dtype: DType) -> tuple[int, int] | None:
    """Searches a multiplier and shift for one RESCALE of `stored - zero_point` instead of the kernel's two roundings.

    The kernel multiplies `(stored - zero_point) << headroom` by `ratio`. Returns None if no single rounding gives its
    result for all stored values of the type.
    """
    # A ratio of 1/2 is m = 2**30 with a shift of 0: the high half of x << 20 times m is x << 19, which nothing rounds,
    # so m = 2**30 and a shift of 11 do the same in one RESCALE. A ratio of 0.3 has m = 0.6 * 2**31 and a shift of -1.
    # Its high half for x = 3 is round(3 * 2**20 * 0.6) = 1887437, and half of that is a tie, which goes away from zero
    # to 943719. The product rounded once is round(943718.4) = 943718: only another multiplier, if any, gives 943719.
    multiplier = quantize_multiplier(ratio)
    points, reach = _values_and_tolerances(zero_point, dtype)
    results = divide_by_pot(high_mul(points << headroom, multiplier.m[0]), -int(multiplier.shift[0]))
    nominal, middle = ratio * 2**headroom, results / points
    # The multiplier must be within `reach` of results / points for each point. Most ratios have no such multiplier,
    # which floats show faster than `single_round`. The slack of 2**-48 is more than the error of the floats.
    if (middle - reach).max() > (middle + reach).min() + nominal * 2**-48:
        return None
    return single_round(points, results, nominal)


@lru_cache(256)
def _values_and_tolerances(zero_point: int, dtype: DType) -> tuple[Array, Array]:
    """Returns all values of a type less the zero point, without 0, and how far a multiplier may be off for each.

    They show quickly that no multiplier gives certain results: one that is off by 0.5 / |value| moves the product by
    1/2.
    """
    points = WIDTHS[dtype].values - zero_point
    points = points[points != 0]  # every multiplier takes 0 to 0
    return points, 0.5 / np.abs(points)
