"""Arithmetic on quantized elements: sums in fixed point, products and means requantized, the rest through floats."""

from collections.abc import Callable

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.checks import same_quantization
from tosa_converter.legalize.quant.elements import (
    VALUES,
    Operand,
    Target8,
    eight_bit,
    operand,
    stored,
    target8,
    to_result_type,
    widened,
)
from tosa_converter.legalize.quant.requantize import clamped
from tosa_converter.legalize.xnnpack import pool
from tosa_converter.legalize.xnnpack.checks import BYTES, require_broadcast, require_rank
from tosa_converter.legalize.xnnpack.requantize import (
    F32,
    as_result,
    levels,
    placed,
    product_scale,
    requantized,
    rounded,
    scaled,
)
from tosa_converter.rewriting.expr import Expr, const, elementwise, maximum, minimum, where
from tosa_converter.rewriting.operators import gather, reduce_sum, rescale
from tosa_converter.rewriting.rewrite import Build, Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

DIGITS = 20  # of the larger multiplier of a sum
ROUNDING = 30  # a RESCALE by 2**-30 more than its shift has a multiplier of 2**30


def _pair(match: Match) -> tuple[Operand, Operand]:
    a, b = operand(match, "input1"), operand(match, "input2")
    require_broadcast(a.value, b.value)
    return a, b


# ** sums and products **


def _sum(row: OpDef) -> Build:
    """Both operands times whole multipliers, the result rounded half up (xnn_init_qs8_add_minmax_params)."""

    def sum_(match: Match) -> Expr:
        (a, b), to = _pair(match), target8(match)
        ratios = [float(F32(x.scale / to.scale)) for x in (a, b)]
        if not 2.0**-10 <= min(ratios) <= max(ratios) < 2.0**8:
            raise Decline(f"scales {a.scale:.3g} and {b.scale:.3g} for {to.scale:.3g}, which XNNPACK doesn't add")
        shift = DIGITS - (int(np.frexp(max(ratios))[1]) - 1)
        first, second = (
            rescale(x.value, DType.I32, [round(ratio * 2.0**shift) << 9], [9], input_zp=x.zero_point)
            for x, ratio in zip((a, b), ratios, strict=True)
        )
        total = elementwise(row, first, second)
        y = rescale(total, DType.I8, [1 << ROUNDING], [shift + ROUNDING], output_zp=to.zero_point)
        return to_result_type(match, clamped(y, *levels(match, to)))

    return sum_


add, subtract = _sum(ops.ADD), _sum(ops.SUB)


def multiply(match: Match) -> Expr:
    """Multiply: products of at most 16 bits, requantized."""
    (a, b), to = _pair(match), target8(match)
    product = widened(a) * widened(b)
    return requantized(match, product, product_scale(a.scale, b.scale, over=to.scale), 255 * 255)


def prelu(match: Match) -> Expr:
    """PReLU: elements, or below 0 their products with the slopes, each times its scale (xnn_qs8_vprelu)."""
    (x, slope), to = _pair(match), target8(match)
    wide = widened(x)
    product = wide * widened(slope)
    below = scaled(product, product_scale(x.scale, slope.scale, over=to.scale)[0])
    above = scaled(wide, product_scale(x.scale, over=to.scale)[0])
    return rounded(match, where(wide < 0, below, above))


# ** through floats **


def _real(x: Operand) -> Expr:
    """The numbers that elements stand for."""
    return scaled(widened(x), x.scale)


def _through_floats(function: Callable[[Expr, Expr], Expr]) -> Build:
    """A function of two operands that XNNPACK computes on floats, for want of a kernel."""

    def through_floats(match: Match) -> Expr:
        a, b = _pair(match)
        return as_result(match, function(_real(a), _real(b)))

    return through_floats


def div(match: Match) -> Expr:
    """Div: TOSA doesn't divide floats, so all quotients of two bytes are looked up."""
    (a, b), to = _pair(match), target8(match)
    wide = [x.value.cast(DType.I32) for x in (a, b)]
    index = wide[0] * 256 + wide[1]
    index = index + 128 * 257
    shape = index.shape
    top, bottom = (((VALUES - x.zero_point).astype(F32) * x.scale) for x in (a, b))
    with np.errstate(all="ignore"):
        results = as_elements(top[:, None] / bottom, to)
    table = const(results.reshape(1, -1, 1), DType.I8)
    found = gather(table, index.reshape((1, index.size)))
    return to_result_type(match, clamped(found.reshape(shape), *levels(match, to)))


def as_elements(real: Array, to: Target8) -> Array:
    """Numbers as int8 elements of a result, as XNNPACK's functions of one number give them: NaN is a stored 0."""
    low, high = DType.I8.limits
    level = np.rint(np.asarray(real, F32) * (F32(1) / to.scale) + F32(to.zero_point))
    nothing = low if to.unsigned else 0
    return np.asarray(np.clip(np.nan_to_num(level, nan=nothing, posinf=high, neginf=low), low, high), np.int8)


# ** bounds and means **


def clamp(match: Match) -> Expr:
    """Clamp on elements of one quantization."""
    return to_result_type(match, clamped(stored(match, "input"), *levels(match, target8(match))))


def max_pooling_2d(match: Match) -> Expr:
    """MaxPooling2d on elements of one quantization."""
    y = pool.largest_of_windows(match, stored(match, "input"))
    return to_result_type(match, clamped(y, *levels(match, target8(match))))


def averaged(
    match: Match, total: Expr, count: int, scale: np.float32, limits: tuple[int, int] = DType.I8.limits
) -> Expr:
    """Sums of stored elements, in i32, as elements of the result: scaled floats, behind one zero point for both.

    XNNPACK's mean and sum convert the sum as if it were quantized (reshape_reduce_nd): the operand's zero point takes
    `count * zero_point * scale` off the result's, in float32, before the one rounding. With zero points subtracted
    first a tie rounds the other way. Four int8 of zero point 5 and sum 18, scales of 1, a result of zero point 1:
    18/4 + (1 - 5) is 0.5, which rounds to 0; the centered mean is -0.5, which rounds to 0 and becomes 1.

    Args:
        match: the node, whose operand is `input`.
        total: the sums as the stored type counts, unsigned elements from 0.
        count: of elements in a sum.
        scale: of a sum, in steps of the result.
        limits: the least and the largest element of the result, in int8.
    """
    x, to = operand(match, "input"), target8(match)
    origin = 128 * to.unsigned
    zero_point = F32(to.zero_point + origin) - F32(count * (x.zero_point + origin)) * scale
    return placed(match, scaled(total, scale), float(zero_point), limits)


def as_stored(match: Match) -> Expr:
    """The operand `input` in i32 as its stored type counts: unsigned elements from 0."""
    x = operand(match, "input")
    return widened(x._replace(zero_point=-128 * target8(match).unsigned))


def global_avg_pooling_2d(match: Match) -> Expr:
    """GlobalAvgPooling2d: the mean over both axes of an image; in compact numerics a RESCALE of the sum."""
    x, to = operand(match, "input"), target8(match)
    require_rank(x.value, 4)
    n, height, width, channels = x.value.shape
    count, compact = height * width, match.options.numerics == "compact"
    if 255 * count > DType.I32.limits[1]:
        raise Decline(f"sums of {count} elements, which 32 bits may not hold")
    total = widened(x) if compact else as_stored(match)
    for axis in (1, 2):
        total = reduce_sum(total, axis)
    total = total.reshape(total.shape if pool.keeps_dims(match) else (n, channels))
    scale = x.scale / to.scale * (F32(1) / F32(count))
    if compact:
        return requantized(match, total, np.array([scale], F32), 255 * count)
    return averaged(match, total, count, scale, levels(match, to))


PAIR = (eight_bit("input1", "input2"),)
SAME = (eight_bit("input"), same_quantization)
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("xnn.add", BYTES, add, PAIR),
    Rewrite("xnn.subtract", BYTES, subtract, PAIR),
    Rewrite("xnn.multiply", BYTES, multiply, PAIR),
    Rewrite("xnn.div", BYTES, div, PAIR),
    Rewrite("xnn.maximum", BYTES, _through_floats(maximum), PAIR),
    Rewrite("xnn.minimum", BYTES, _through_floats(minimum), PAIR),
    Rewrite("xnn.prelu", BYTES, prelu, PAIR),
    Rewrite("xnn.clamp", BYTES, clamp, SAME),
    Rewrite("xnn.max_pooling_2d", BYTES, max_pooling_2d, SAME),
    Rewrite("xnn.global_avg_pooling_2d", BYTES, global_avg_pooling_2d, (eight_bit("input"),)),
)
