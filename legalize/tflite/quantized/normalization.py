"""L2_NORMALIZATION on 8-bit elements (l2normalization.h): the inverse root of each row's sum by Newton's method."""

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import BYTES
from tosa_converter.legalize.quant.elements import (
    as_reference,
    eight_bit,
    operand,
    output_quant,
    subtract_zero_point,
    to_result_type,
)
from tosa_converter.legalize.quant.q31 import divide_by_run_time_power, inverse_square_root
from tosa_converter.legalize.quant.requantize import TIMES_ONE
from tosa_converter.rewriting.expr import Expr, maximum, scalar
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import reduce_sum, rescale
from tosa_converter.rewriting.rule import Rule

OUTPUT_SHIFT = 7  # the result's scale is 2**-7


# Elements 3 and 4: the sum of squares is 25, whose inverse root is the multiplier 429496726 = 0.2 with a shift of 0.
# (3 << 7) * 0.2 = 76.8 rounds to 77, and 0.6 on the scale 2**-7 is 76.8. Elements less zero points are below 2**8, so
# x << 7 is below 2**15, and a sum of squares fits 31 bits up to 2**15 elements.
def l2_normalization(match: Match) -> Expr:
    """Lowers L2_NORMALIZATION over the last dimension: x times the inverse root of the sum of squares.

    The result's scale is 2**-7. For uint8 the kernel shifts x left by 7 bits before the product and right behind it.
    For int8 it combines both to one shift, which goes to either side.
    """
    x = subtract_zero_point(operand(match, "input"))
    total = reduce_sum(x * x, x.rank - 1)
    root, right = inverse_square_root(total)
    if output_quant(match).unsigned:
        left = scalar(OUTPUT_SHIFT, right)
    else:
        left = OUTPUT_SHIFT - right
        right = -left
        left, right = maximum(left, 0), maximum(right, 0)
    product = (x << left).times(root, 31)
    return to_result_type(match, rescale(divide_by_run_time_power(product, right), DType.I8, *TIMES_ONE))


RULES: tuple[Rule, ...] = (Rule("tfl.l2_normalization", BYTES, l2_normalization, (eight_bit(0), as_reference)),)
