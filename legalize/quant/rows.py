"""The input of hybrid operators as their kernels quantize it at run time, row by row.

The kernels are PortableSymmetricQuantizeFloats and PortableAsymmetricQuantizeFloats (portable_tensor_utils.cc). TOSA
has no division and allows RECIPROCAL an error of one unit in the last place, so quotients are corrected by their exact
remainders: then the same elements are ties, and every integer is the kernel's. Numbers are first brought near 1 by a
power of two, so that no product overflows. LiteRT 2.3.0 rounds an element before it adds the zero point; other versions
round the sum.
"""

from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.ops.elementwise import divide, split_mantissa
from tosa_converter.rewriting.expr import (
    Expr,
    ceil,
    clamp,
    const,
    emit,
    floor,
    maximum,
    minimum,
    reciprocal,
    scalar,
    where,
)
from tosa_converter.rewriting.operators import reduce
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

F32 = np.float32
MOST = 127  # the largest magnitude of an element, and the last level of a zero point below 0
BELOW_HALF = float(np.nextafter(F32(0.5), F32(0)))  # added before a floor, it takes ties up and no number below them
BELOW_ONE = 1 - 2.0**-24
PLACE = 2.0**-24 * (1 + 2.0**-10)  # times a float: more than half its last place, less than one and a half
WHOLE = 1.5 * 2.0**23  # in last places: added and subtracted, it rounds to whole places


class QuantizedRows(NamedTuple):
    """A float input quantized by rows: 8-bit integers [...,size], scales and zero points [...,1]; all in fp32.

    A zero point of None is 0.
    """

    levels: Expr
    scale: Expr
    zero_point: Expr | None


def quantize_symmetric(x: Expr) -> QuantizedRows:
    """Quantizes each row of floats to integers of -127 to 127 with the zero point 0, as LiteRT's hybrid kernels do.

    A row of zeros has the scale 0, so its products are 0.
    """
    span = _row_extreme(ops.REDUCE_MAX, abs(x))
    power = _power_of_two(_is_large(span), -64)
    inverse = quotient(MOST, span * power) * power
    scale = divide_exactly(span, MOST)
    return QuantizedRows(_round_away(x * inverse, MOST), scale, None)


def quantize_asymmetric(x: Expr) -> QuantizedRows:
    """Quantizes each row to integers of -128 to 127 with a zero point, as PortableAsymmetricQuantizeFloats does.

    A row's range is extended to 0, so that 0 has an exact integer.
    """
    nothing = scalar(0, x)
    high = maximum(_row_extreme(ops.REDUCE_MAX, x), nothing)
    low = nothing - minimum(_row_extreme(ops.REDUCE_MIN, x), nothing)
    # A power of two brings the range near 1, so that no product overflows; the scale is brought back at the end.
    large = _is_large(low + high)
    power, back = _power_of_two(large, -64), _power_of_two(large, 64)
    low, high = low * power, high * power
    span = low + high
    rest = minimum(low, high) - (span - maximum(low, high))  # what rounding took off low + high, exactly
    scale = divide_exactly(span, 255, rest)
    inverse = quotient(1, scale) * power
    zero_point = _zero_point(low, high, span)
    # With low == high, the kernel's double may round to 0 where the exact value, -1/2, rounds to -1.
    zero_point = where(_has_zero_point_0(low, high, span, scale), 0, zero_point)
    levels = _round_away(x * inverse, 255) + zero_point
    return QuantizedRows(clamp(levels, -128.0, 127.0), scale * back, zero_point)


def _row_extreme(row: OpDef, x: Expr) -> Expr:
    """Returns the largest or smallest element of each row by the reduction `row`, [...,1]."""
    return reduce(row, x, x.rank - 1, nan_mode="PROPAGATE")


def _is_large(x: Expr) -> Expr:
    """Returns a mask of x above 1; such rows are scaled by 2**-64, others by 2**64, so that no product overflows."""
    return x > 1


def _power_of_two(large: Expr, exponent: int) -> Expr:
    """Returns 2**exponent where the mask `large` holds, 2**-exponent elsewhere."""
    powers = [const(np.full((1,) * large.rank, 2.0**e), DType.FP32) for e in (exponent, -exponent)]
    return where(large, *powers)


def divide_exactly(x: Expr, by: int, rest: Expr | None = None) -> Expr:
    """Returns (x + rest) / by, rounded correctly, for `by` one less than a power of two.

    `rest` is what rounding took off x. The remainder x - by * y of a first quotient y is exact when it is computed as x
    - (by + 1) * y + y, and corrects the last place of y.
    """
    power_of_two = by + 1
    inverse = scalar(float(F32(1) / F32(by)), x)
    y = x * inverse
    remainder = x - y * power_of_two + y
    remainder = remainder if rest is None else remainder + rest
    return y + remainder * inverse


def quotient(dividend: int | Expr, x: Expr) -> Expr:
    """Returns dividend / x, rounded as a float division is, although TOSA has only RECIPROCAL.

    Dekker's product gives y * x exactly, as a sum of two floats. So the remainder of a first quotient y is exact, and
    corrects y. If RECIPROCAL is rounded correctly, the results for the dividends 1 and 127 are right for all 2**23
    mantissas; if it is a unit off, 30 of them differ.
    """
    inverse = reciprocal(x)
    top = dividend if isinstance(dividend, Expr) else scalar(dividend, x)
    y = inverse * top
    product = y * x
    (y_high, y_low), (x_high, x_low) = split_mantissa(y), split_mantissa(x)
    error = y_high * x_high - product
    for a, b in ((y_high, x_low), (y_low, x_high), (y_low, x_low)):
        error = error + a * b
    remainder = top - product - error
    return y + remainder * (inverse * BELOW_ONE)


def _zero_point(low: Expr, high: Expr, span: Expr) -> Expr:
    """Returns the zero point of each row, round(255 * low / span - 128), ties away from 0.

    The row's range is [-low, high], and span = low + high. With n = floor(255 * low / span), the quotient is at least n
    + 1/2 if (510 - (2 * n + 1)) * low >= (2 * n + 1) * high. These products are exact: the factors have 9 bits, and
    `low` and `high` are split into halves of 12 bits.
    """
    share = divide(low, span) * 255
    level = emit(ops.CLAMP, floor(share), min_val=0.0, max_val=255.0, nan_mode="IGNORE")
    odd = level + level + 1
    complement = 510 - odd
    upper, lower = (complement * a - odd * b for a, b in zip(split_mantissa(low), split_mantissa(high), strict=True))
    difference, zero = upper + lower, scalar(0, level)
    positive = level > MOST  # a tie goes away from 0: up for results of 0 or more, down for others
    up = where(positive, difference >= zero, difference > zero)
    step = where(up, -MOST, scalar(-MOST - 1, level))
    return level + step


def _has_zero_point_0(low: Expr, high: Expr, span: Expr, scale: Expr) -> Expr:
    """Returns a mask of the rows with low == high for which LiteRT's kernel gets the zero point 0 instead of -1.

    The exact value is -0.5, which is rounded away from 0 to -1. The kernel computes 127 - high / scale in double. If
    rounding raised its scale by enough, this is above -0.5 and becomes 0.
    """
    # The kernel's scale, span / 255 in double, has 29 bits more than the one in float32. So it is the float32 scale
    # plus error * 2**29 / 255 of its own last places, rounded. 2**29 is 32 modulo 255, so the fraction of that is the
    # fraction of error * 32 / 255. `up` is by how much rounding raises it, in float32's places. The zero point is 0
    # for more than 32 / 127.5 last places, relative to the scale's leading bit.
    error = span - scale * 256 + scale  # span - 255 * scale
    place = scale + scale * PLACE - scale  # the scale's last place
    rest = error * (32 / 255)
    whole = place * WHOLE
    up = rest + whole - whole - rest  # `rest` rounded to whole places, less `rest`
    bound = scale * (2.0 ** (-23) * 32 / 127.5)
    return (up > bound) & (low == high)


def _round_away(x: Expr, most: int) -> Expr:
    """Rounds to the nearest integers, ties away from 0, clamped to magnitudes up to `most`; NaN becomes 0.

    Numbers above and below 0 are rounded apart and added.
    """
    # 0.5 - 2**-25 is added, the largest float below 1/2. The tie 0.5 still becomes 1, as the sum rounds to 1. The
    # number 0.5 - 2**-25 becomes floor(1 - 2**-24) = 0; with 0.5 added, the sum would round to 1.
    half = scalar(BELOW_HALF, x)
    above, below = floor(x + half), ceil(x - half)
    above = clamp(above, 0.0, float(most), nan_mode="IGNORE")
    return above + clamp(below, float(-most), 0.0, nan_mode="IGNORE")
