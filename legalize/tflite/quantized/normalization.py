"""L2_NORMALIZATION on 8-bit elements (l2normalization.h): the reciprocal root of each row's sum by Newton's method."""

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import BYTES
from tosa_converter.legalize.quant.elements import as_reference, eight_bit, operand, target8, to_result_type, widened
from tosa_converter.legalize.quant.fixed_point import ROOT_OF_HALF
from tosa_converter.legalize.quant.multipliers import INT32_MAX
from tosa_converter.legalize.quant.requantize import TIMES_ONE
from tosa_converter.rewriting.expr import Expr, clz, maximum, scalar, where
from tosa_converter.rewriting.operators import reduce_sum, rescale
from tosa_converter.rewriting.rewrite import Match, Rewrite

OUTPUT_SHIFT = 7  # the result's scale is 2**-7
NEWTON_STEPS = 5


def l2_normalization(match: Match) -> Expr:
    """L2_NORMALIZATION over the last dimension; uint8 takes 2**7 into the product, int8 into the shift behind it."""
    x = widened(operand(match, "input"))
    total = reduce_sum(x * x, x.rank - 1)
    root, right = inverse_square_root(total)
    if target8(match).unsigned:
        left = scalar(OUTPUT_SHIFT, right)
    else:
        left = OUTPUT_SHIFT - right
        left, right = (maximum(v, 0) for v in (left, -left))
    product = (x << left).times(root, 31)
    return to_result_type(match, rescale(rounded_away(product, right), DType.I8, *TIMES_ONE))


def inverse_square_root(x: Expr) -> tuple[Expr, Expr]:
    """GetInvSqrtQuantizedMultiplierExp (common.h) of i32 >= 0: a multiplier and its right shift."""

    def number(value: int) -> Expr:
        return scalar(value, x)

    def left(value: Expr, amount: Expr) -> Expr:
        return value << amount

    large = x >= number(1 << 29)
    fitted = where(large, x >> number(2), x)
    headroom = clz(fitted) - number(1)
    pairs = (headroom >> number(1)) - number(1)
    shift = where(large, number(12), number(11)) - pairs
    fixed = left(fitted, left(pairs, number(1))) >> number(1)  # Q3.28, 1/4 to 1
    half = fixed.shifted_right(number(1), round=True)
    y = number(1 << 28)
    for _ in range(NEWTON_STEPS):
        cube = left(y.times(y, 31).times(y, 31), number(6))
        rise = number((1 << 28) + (1 << 27)).times(y, 31)
        y = left(rise - half.times(cube, 31), number(3))
    m = y.times(number(ROOT_OF_HALF), 31)
    m = left(m, maximum(-shift, number(0)))
    above_one = x > number(1)
    shift = where(above_one, maximum(shift, number(0)), number(0))
    return where(above_one, m, number(INT32_MAX)), shift


def rounded_away(x: Expr, right: Expr) -> Expr:
    """X / 2**right, ties away from zero, for a shift known at run time."""
    zero = scalar(0, x)
    below = x >> 31
    nudge = where(right > zero, below, zero)
    return (x + nudge).shifted_right(right, round=True)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.l2_normalization", BYTES, l2_normalization, (eight_bit(0), as_reference)),
)
