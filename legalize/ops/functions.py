"""Functions that TOSA has no operator for: powers, roots, exponentials, angles, hyperbolic functions, activations.

Those with a fine structure near 0 or with large intermediate results are meant for fp32: `casts.in_fp32` computes fp16
and bf16 there.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.limits import affordable
from tosa_converter.legalize.ops.elementwise import (
    FLOAT_MAX,
    NORMAL_RANGE,
    divide,
    round_half_even,
    signed_as,
    sqrt,
    square,
)
from tosa_converter.rewriting import expr
from tosa_converter.rewriting.expr import (
    Expr,
    clamp,
    const,
    cos,
    erf,
    exp,
    floor,
    log,
    maximum,
    minimum,
    operand_as_expr,
    reciprocal,
    rsqrt,
    same_rank,
    scalar,
    sin,
    tanh,
    where,
)

LARGEST_PRODUCT_EXPONENT = 16  # up to which a whole constant power is a product


def polynomial(x: Expr, coefficients: Sequence[float]) -> Expr:
    """Returns coefficients[0] + coefficients[1] * x + coefficients[2] * x**2 ..., by Horner's rule."""
    y = scalar(coefficients[-1], x)
    for coefficient in coefficients[-2::-1]:
        y = y * x + coefficient
    return y


# ** powers **


def power(x: Expr, y: Expr) -> Expr:
    """Returns x ** y of i32 or floats.

    If all elements of a constant exponent are equal, it becomes products or roots. Other powers of floats are POW of
    |x|, others of i32 are products by the bits of y.
    """
    x, y = same_rank(x, y)
    exponent = _common_element(y.constant)
    if x.dtype is DType.I32:
        if exponent is not None and 0 < exponent <= LARGEST_PRODUCT_EXPONENT:
            return _broadcast_to_both(_power_by_squaring(x, int(exponent)), y)
        return _integer_power(x, y)
    return _real_power(x, y) if exponent is None else _broadcast_to_both(constant_power(x, exponent), y)


def _common_element(elements: Array | None) -> float | None:
    """Returns the number that all elements of a constant equal, or None if they differ or there is no constant."""
    if elements is None or not elements.size or (elements != elements.flat[0]).any():
        return None
    return float(elements.flat[0])


def _broadcast_to_both(x: Expr, y: Expr) -> Expr:
    """Returns x broadcast to the common shape of x and y."""
    return x.broadcast(np.broadcast_shapes(x.shape, y.shape))


def constant_power(x: Expr, exponent: float) -> Expr:
    """Returns x ** exponent of floats: by products, SQRT or RSQRT where they give it, else by POW."""
    if exponent == 0:
        return const(np.ones(affordable(x.shape), x.dtype.numpy), x.dtype)
    if exponent == 0.5:
        return sqrt(x)
    if exponent == -0.5:
        return rsqrt(x)
    if not exponent.is_integer():
        return _magnitude_power(x, scalar(exponent, x))
    if abs(exponent) > LARGEST_PRODUCT_EXPONENT:
        return _real_power(x, scalar(exponent, x))
    product = _power_by_squaring(x, int(abs(exponent)))
    return product if exponent > 0 else reciprocal(product)


def _power_by_squaring(x: Expr, exponent: int) -> Expr:
    """Returns x ** exponent as a product of squares, for exponents of 1 or more: x ** 13 is x * ((x * x**2)**2)**2."""
    if exponent == 1:
        return x
    squared = square(_power_by_squaring(x, exponent // 2))
    return x * squared if exponent % 2 else squared


def _magnitude_power(x: Expr, y: Expr) -> Expr:
    """Returns x ** y of x that isn't negative: POW where that is defined, exp(y * log(x)) for 0 and infinities."""
    # POW (2.5.15) is defined for finite x > 0 and finite y. Elsewhere exp(y * log(x)) is exact: with x = 0, log(x) is
    # -inf, so that the result is 0 for y > 0 and inf for y < 0; with x = inf it is inf or 0.
    smallest, largest = NORMAL_RANGE[x.dtype]
    base = clamp(x, smallest, largest, nan_mode="IGNORE")
    exponent = clamp(y, -largest, largest, nan_mode="IGNORE")
    is_defined = base == x
    if y.constant is None:
        is_defined = is_defined & (exponent == y)
    by_logarithm = exp(log(x) * y)
    return where(is_defined, expr.power(base, exponent), by_logarithm)


def _real_power(x: Expr, y: Expr) -> Expr:
    """Returns x ** y of floats: |x| ** y, negated for x < 0 and odd y, and NaN for x < 0 and y with a fraction.

    x ** 0 is 1. For a constant x without negative elements, only |x| ** y is computed.
    """
    result = _magnitude_power(abs(x), y)
    result = where(y == 0, 1, result)
    if x.constant is not None and (x.constant >= 0).all():
        return result
    half = y * 0.5
    is_even = floor(half) == half
    is_whole = floor(y) == y
    of_negative = where(is_even, result, where(is_whole, -result, math.nan))
    return where(x < 0, of_negative, result)


def _integer_power(x: Expr, y: Expr) -> Expr:
    """Returns x ** y of i32 that fits 32 bits, for y of 0 and more."""
    # By squares, from the lowest bit of y on. For |x| > 1 and y = 32 the power leaves 32 bits. So x is -1, 0 or 1 if y
    # is above 31, and it only matters whether y is odd: 30 or 31 replaces it. A square that no higher bit of y needs
    # might overflow, so 1 is squared instead: 50000 ** 1 needs no 50000 ** 2.
    is_odd = y & 1
    y = minimum(y, is_odd | 30)
    result = scalar(1, x)
    for bit in range(5):
        bit_is_clear = y & 1 << bit == 0
        result = where(bit_is_clear, result, result * x)
        if bit < 4:
            x = square(where(y >= 2 << bit, x, 1))
    return result


def cube_root(x: Expr) -> Expr:
    """Returns the real cube root, negative for negative x."""
    return signed_as(x, _magnitude_power(abs(x), scalar(1 / 3, x)))


# ** exponentials and logarithms **

SERIES_LIMIT = 0.125  # magnitudes up to which the next two series are used, times x
EXPM1 = (1, 1 / 2, 1 / 6, 1 / 24)
LOG1P = (1, -1 / 2, 1 / 3, -1 / 4, 1 / 5, -1 / 6)


def expm1(x: Expr, *, compact: bool = False) -> Expr:
    """Returns exp(x) - 1 of fp32 within 3e-6 of each result below 1, further up within EXP's own precision.

    Args:
        x: fp32.
        compact: EXP and SUB alone, which are off by up to 2**-23 of 1 where results are small.
    """
    # The series of `expm1_below_zero` is as near on both sides of 0. From 1/8 on, EXP is off by a part of
    # (1 + x) * 2**-23 of exp(x), which is 8.6 times exp(x) - 1 at 1/8 and ever less above: 1.2e-6 of the result.
    by_exp = exp(x) - 1
    return by_exp if compact else _series_near_zero(x, EXPM1, by_exp)


def expm1_below_zero(x: Expr, *, compact: bool = False) -> Expr:
    """Returns exp(x) - 1 for x below 0, within 3e-6 of each result; elements of 0 or more have any value.

    Args:
        x: a float type.
        compact: EXP and SUB alone, which are off by up to 2**-23 of 1 where results are small.
    """
    # Down to -1/8 it is x + x**2/2 + x**3/6 + x**4/24. The first omitted term is x**5/120, for -1/8 a part of
    # (1/8)**4 / 120 = 2.1e-6 of x; four products and three sums, rounded to 2**-24 each, add 4e-7.
    # Further down, EXP may be off by (1 + |x|) * exp(x) * 2**-23 (2.6.6), at most 1.2e-7; SUB adds at most 6e-8. There
    # |exp(x) - 1| is at least 0.117, so that is a part of 1.6e-6.
    by_exp = exp(x) - 1
    if compact:
        return by_exp
    by_series = polynomial(x, EXPM1)
    return where(x < -SERIES_LIMIT, by_exp, by_series * x)


def log1p(x: Expr, *, compact: bool = False) -> Expr:
    """Returns log(1 + x) of fp32 within 3e-6 of each result.

    Args:
        x: fp32.
        compact: ADD and LOG alone, which are off by up to 2**-23 of 1 where results are small.
    """
    # Within 1/8 of 0 it is x - x**2/2 + x**3/3 - x**4/4 + x**5/5 - x**6/6. What is omitted begins with x**7/7 and is at
    # most (1/8)**6 / 7 / (1 - 1/8) = 6.3e-7 of x, which is at most 1.07 times the result; the sums' rounding adds 4e-7.
    # Further out, 1 + x is rounded by a part of 2**-24, which moves the logarithm by 6e-8: at 1/8, where it is 0.118,
    # by 5.1e-7 of it; LOG may be off by 5 units in the last place (2.6.8), 6e-7 of the result.
    by_log = log(x + 1)
    return by_log if compact else _series_near_zero(x, LOG1P, by_log)


def _series_near_zero(x: Expr, coefficients: Sequence[float], otherwise: Expr) -> Expr:
    """Returns x * polynomial(x) where |x| < 1/8, and `otherwise` elsewhere."""
    by_series = polynomial(x, coefficients)
    is_near_zero = abs(x) < SERIES_LIMIT
    return where(is_near_zero, by_series * x, otherwise)


def logarithm(base: float) -> Callable[[Expr], Expr]:
    """Returns the function that computes the logarithm to a base."""
    return lambda x: log(x) * (1 / math.log(base))


# ** trigonometric **

# atan(x) / x on [0, 1] by powers of x * x, fitted at Chebyshev's nodes: within 2e-9
ARCTAN = (
    0.9999999975, -0.3333328230, 0.1999823064, -0.1426157368, 0.1094019896, -0.0837206394, 0.0574635578,
    -0.0307175088, 0.0106807194, -0.0017437011,
)  # fmt: skip
# pi / 2 in three parts, of which the first two have 12 bits: n times each is exact for n below 2**12.
HALF_PI = 1.5703125, 4.83751296997070312e-4, 7.54978994876864800e-8


def tan(x: Expr) -> Expr:
    """Returns the tangent of fp32 radians; up to 6,000 it is a few units in the last place off."""
    # With n = round(x / (pi / 2)) and r = x - n * pi / 2 it is sin(r) / cos(r) for even n, and -cos(r) / sin(r) for odd
    # n. sin(x) / cos(x) would be inexact where cos(x) is near 0, because cos is off by a part of 1, not of its result:
    # with x = 1.57, an error of 2**-25 in a cosine of 0.0008 is 4e-5 of the result.
    quarters = round_half_even(x * (2 / math.pi))
    rest = x
    for part in HALF_PI:
        rest = rest - quarters * part
    sine, cosine = sin(rest), cos(rest)
    half = quarters * 0.5
    is_even = floor(half) == half
    return divide(where(is_even, sine, -cosine), where(is_even, cosine, sine))


def atan2(y: Expr, x: Expr) -> Expr:
    """Returns the angle of the point (x, y) of fp32; zeros keep their signs.

    An infinity counts as the largest finite number, so that two of them make 45 degrees.
    """
    # The polynomial of the smaller over the larger magnitude gives an angle of 0 to 45 degrees, which is then turned to
    # its octant. Magnitudes end at the largest finite number, so that inf / inf is 1. They are scaled so that neither
    # they nor the reciprocal are subnormal.
    opposite, adjacent = (clamp(abs(leg), -FLOAT_MAX, FLOAT_MAX) for leg in (y, x))
    is_large = maximum(opposite, adjacent) > 1
    scale = where(is_large, 0.125, scalar(2.0**24, x))
    opposite, adjacent = opposite * scale, adjacent * scale
    smallest_normal, _ = NORMAL_RANGE[DType.FP32]
    longer_leg = maximum(maximum(opposite, adjacent), smallest_normal)
    ratio = divide(minimum(opposite, adjacent), longer_leg)
    angle = polynomial(square(ratio), ARCTAN) * ratio
    angle = where(opposite > adjacent, math.pi / 2 - angle, angle)
    angle = where(_has_sign(x), math.pi - angle, angle)
    return where(_has_sign(y), -angle, angle)


def _has_sign(x: Expr) -> Expr:
    """Returns whether x is negative or -0, whose reciprocal is minus infinity."""
    return where(x == 0, reciprocal(x), x) < 0


def arctan(x: Expr) -> Expr:
    """Returns the angle in radians with this tangent, of fp32: atan2(x, 1)."""
    return atan2(x, scalar(1, x))


def arcsin(x: Expr) -> Expr:
    """Returns the angle with this sine, of fp32; NaN for magnitudes above 1."""
    return _nan_outside_one(x, atan2(x, _sqrt_one_minus_square(x)))


def arccos(x: Expr) -> Expr:
    """Returns the angle with this cosine, of fp32; NaN for magnitudes above 1."""
    return _nan_outside_one(x, atan2(_sqrt_one_minus_square(x), x))


def _sqrt_one_minus_square(x: Expr) -> Expr:
    """Returns sqrt(1 - x**2), factored as (1 - x) * (1 + x) so that no digits cancel near 1."""
    return sqrt((1 - x) * (1 + x))


def _nan_outside_one(x: Expr, y: Expr) -> Expr:
    """Returns y, and NaN where the magnitude of x is above 1."""
    return where(abs(x) > 1, math.nan, y)


# ** hyperbolic **

CLOSED_FORM_LIMIT = 0.25  # magnitudes from which the closed forms, which cancel, have more digits than the series


def _series_or_closed_form(x: Expr, coefficients: Sequence[float], closed_form: Expr) -> Expr:
    """Returns an odd function of x: by its power series where |x| < 1/4, by the closed form elsewhere.

    Near 0 the closed form loses digits. The series is x * (1 + coefficients[0] * x**2 + coefficients[1] * x**4 ...).
    """
    by_series = polynomial(square(x), (1.0, *coefficients)) * x
    return where(abs(x) < CLOSED_FORM_LIMIT, by_series, closed_form)


def sinh(x: Expr) -> Expr:
    """Returns the hyperbolic sine of fp32."""
    half_exp, half_inverse = _half_exponentials(x)
    return _series_or_closed_form(x, (1 / 6, 1 / 120, 1 / 5040), signed_as(x, half_exp - half_inverse))


def cosh(x: Expr) -> Expr:
    """Returns the hyperbolic cosine of fp32."""
    half_exp, half_inverse = _half_exponentials(x)
    return half_exp + half_inverse


def _half_exponentials(x: Expr) -> tuple[Expr, Expr]:
    """Returns exp(|x|) / 2 and exp(-|x|) / 2 without overflow: exp(89) overflows, exp(89) / 2 doesn't."""
    root = exp(abs(x) * 0.5)
    half_exp = root * 0.5 * root
    inverse = reciprocal(root)
    return half_exp, inverse * 0.5 * inverse


def arcsinh(x: Expr) -> Expr:
    """Returns the inverse hyperbolic sine of fp32."""
    # log(|x| + sqrt(x**2 + 1)). Above 2**30 the 1 doesn't change the sum, and the square may overflow: log(2 * |x|).
    size = abs(x)
    bounded = clamp(size, 0, 2.0**60)
    by_root = log(bounded + sqrt(square(bounded) + 1))
    by_double = log(size) + math.log(2)
    closed_form = where(size > 2.0**30, by_double, by_root)
    return _series_or_closed_form(x, (-1 / 6, 3 / 40, -15 / 336), signed_as(x, closed_form))


def arccosh(x: Expr) -> Expr:
    """Returns the inverse hyperbolic cosine of fp32: 2 * log(sqrt((x + 1) / 2) + sqrt((x - 1) / 2)), no overflow."""
    return log(sqrt((x + 1) * 0.5) + sqrt((x - 1) * 0.5)) * 2


def arctanh(x: Expr) -> Expr:
    """Returns the inverse hyperbolic tangent of fp32: log((1 + x) / (1 - x)) / 2."""
    closed_form = log(divide(1 + x, 1 - x)) * 0.5
    return _series_or_closed_form(x, (1 / 3, 1 / 5, 1 / 7, 1 / 9, 1 / 11), closed_form)


# ** activations **


def elu(x: Expr, *, alpha: float = 1, scale: float = 1, input_scale: float = 1, compact: bool = False) -> Expr:
    """Returns ELU: x * scale for x >= 0, and (exp(x * input_scale) - 1) * alpha * scale for x < 0.

    With `compact`, exp(x) - 1 is EXP and SUB alone, which has few digits where results are small.
    """
    # Only x < 0 needs the exponential: its argument is then below 0 too, if input_scale is above 0.
    exponential = expm1_below_zero if input_scale > 0 else expm1
    return where(
        x < 0,
        _multiply_unless_one(exponential(_multiply_unless_one(x, input_scale), compact=compact), alpha * scale),
        _multiply_unless_one(x, scale),
    )


def _multiply_unless_one(x: Expr, factor: float) -> Expr:
    """Returns x * factor, or x itself for a factor of 1."""
    return x if factor == 1 else x * factor


def gelu(x: Expr, *, approximate: bool = False) -> Expr:
    """Returns x / 2 * (1 + erf(x / sqrt(2))) of fp32, or its approximation by tanh.

    Some kernels compute it by erfc, which TOSA lacks. Compared with theirs, results near 0 of negative x are off by up
    to |x| * 2**-25.
    """
    if approximate:
        cubic = x + x * x * x * 0.044715
        gate = tanh(cubic * math.sqrt(2 / math.pi))
    else:
        gate = erf(x * math.sqrt(0.5))
    return x * 0.5 * (gate + 1)


def hard_swish(x: Expr) -> Expr:
    """Returns x * min(6, max(0, x + 3)) / 6, computed in the order of LiteRT's and XNNPACK's kernels."""
    return x * clamp(x + 3, 0.0, 6.0) * (1 / 6)


def leaky_relu(x: Expr, slope: Expr | float) -> Expr:
    """Returns x where it is 0 or more, else x * slope; the slope is a number, or broadcasts."""
    # If no slope is above 1, the result is the larger of x and x * slope; if none is below 1, the smaller. Of equal
    # zeros apply_max_s (4.2) takes x, as the kernels do. A slope of 0 turns infinity into NaN, so it needs a SELECT.
    x, slope = same_rank(x, operand_as_expr(slope, x))
    scaled = x * slope
    slopes = slope.constant
    if slopes is not None and np.all((slopes <= 1) & (slopes != 0)):
        return maximum(x, scaled)
    if slopes is not None and np.all(slopes >= 1):
        return minimum(x, scaled)
    return where(x >= 0, x, scaled)
