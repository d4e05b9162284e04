"""The input of hybrid operators as their kernels quantize it at run time, row by row.

The kernels are PortableSymmetricQuantizeFloats and PortableAsymmetricQuantizeFloats (portable_tensor_utils.cc). TOSA
has no division and allows a RECIPROCAL one unit in the last place, so quotients are corrected by their exact
remainders: then the same elements are ties, and every integer is the kernel's. Numbers are first brought near 1 by a
power of two, for which no product here overflows. LiteRT 2.3.0 rounds an element before it adds the zero point; other
sources of it, after.
"""

from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.rewriting.builder import Builder
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

F32 = np.float32
MOST = 127
BELOW_HALF = float(np.nextafter(F32(0.5), F32(0)))  # added before a floor, it rounds ties up and nothing else
BELOW_ONE = 1 - 2.0**-24
PLACE = 2.0**-24 * (1 + 2.0**-10)  # of a float, is more than half its last place and less than one and a half
WHOLE = 1.5 * 2.0**23  # last places, added and taken off again, leave whole ones
SPLIT = float((1 << 12) + 1)  # Veltkamp's constant for halves of 12 bits


class Rows(NamedTuple):
    """An input [...,size] in integers of 8 bits, scales [...,1] and zero points [...,1], None for 0: all in fp32."""

    levels: Value
    scale: Value
    zero_point: Value | None


def symmetric(build: Builder, x: Value) -> Rows:
    """The largest magnitude is 127. A row of zeros has the scale 0, so that whatever becomes of it counts nothing."""
    span = _most(build, ops.REDUCE_MAX, build.unary(ops.ABS, x))
    power = _power(build, _large(build, span), -64)
    inverse = build.mul(quotient(build, MOST, build.mul(span, power)), power)
    scale = divided(build, span, MOST)
    return Rows(_rounded(build, build.mul(x, inverse), MOST), scale, None)


def asymmetric(build: Builder, x: Value) -> Rows:
    """The range and 0 are -128 to 127; the zero point is the nearest integer."""
    nothing = build.scalar(0, x)
    high = build.maximum(_most(build, ops.REDUCE_MAX, x), nothing)
    low = build.sub(nothing, build.minimum(_most(build, ops.REDUCE_MIN, x), nothing))
    large = _large(build, build.add(low, high))
    power, back = _power(build, large, -64), _power(build, large, 64)
    low, high = build.mul(low, power), build.mul(high, power)
    span = build.add(low, high)
    rest = build.sub(build.minimum(low, high), build.sub(span, build.maximum(low, high)))
    scale = divided(build, span, 255, rest)
    inverse = build.mul(quotient(build, 1, scale), power)
    zero_point = _zero_point(build, low, high, span)
    zero_point = build.select(_raised(build, low, high, span, scale), build.scalar(0, scale), zero_point)
    levels = build.add(_rounded(build, build.mul(x, inverse), 255), zero_point)
    return Rows(build.clamp(levels, -128.0, 127.0), build.mul(scale, back), zero_point)


def _most(build: Builder, row: OpDef, x: Value) -> Value:
    """The greatest or least of each row."""
    return build.reduce(row, x, x.type.rank - 1, nan_mode="PROPAGATE")


def _large(build: Builder, x: Value) -> Value:
    """Whether x is above 1, so that it is 2**-64, else 2**64, that brings it near."""
    return build.binary(ops.GREATER, x, build.scalar(1, x))


def _power(build: Builder, large: Value, exponent: int) -> Value:
    """2**exponent where it is, else the inverse."""
    powers = [build.const(np.full((1,) * large.type.rank, 2.0**one), DType.FP32) for one in (exponent, -exponent)]
    return build.select(large, *powers)


def divided(build: Builder, x: Value, by: int, rest: Value | None = None) -> Value:
    """(x + rest) / by for one less or one more than a power of two, rounded as a division is.

    With y near x / 127, x - 128 y and then + y are exact: the remainder, of which the last digit is made.
    """
    near = by + 1
    inverse = build.scalar(float(F32(1) / F32(by)), x)
    y = build.mul(x, inverse)
    remainder = build.add(build.sub(x, build.mul(y, build.scalar(near, x))), y)
    remainder = remainder if rest is None else build.add(remainder, rest)
    return build.add(y, build.mul(remainder, inverse))


def quotient(build: Builder, dividend: int | Value, x: Value) -> Value:
    """Of a dividend by x, rounded as a division is.

    Dekker's product of y and x is exact in two parts, so that the remainder of y near dividend / x is. For dividends 1
    and 127 no mantissa's quotient is rounded otherwise, if RECIPROCAL is rounded; 30 of 2**23 if it is a unit off.
    """
    inverse = build.unary(ops.RECIPROCAL, x)
    top = dividend if isinstance(dividend, Value) else build.scalar(dividend, x)
    y = build.mul(inverse, top)
    product = build.mul(y, x)
    (y_high, y_low), (x_high, x_low) = halves(build, y), halves(build, x)
    beyond = build.sub(build.mul(y_high, x_high), product)
    for a, b in ((y_high, x_low), (y_low, x_high), (y_low, x_low)):
        beyond = build.add(beyond, build.mul(a, b))
    remainder = build.sub(build.sub(top, product), beyond)
    return build.add(y, build.mul(remainder, build.mul(inverse, build.scalar(BELOW_ONE, x))))


def halves(build: Builder, x: Value) -> tuple[Value, Value]:
    """The upper 12 bits and the rest (Veltkamp)."""
    wide = build.mul(x, build.scalar(SPLIT, x))
    high = build.sub(wide, build.sub(wide, x))
    return high, build.sub(x, high)


def _zero_point(build: Builder, low: Value, high: Value, span: Value) -> Value:
    """round(255 * low / span - 128), ties away from 0: below the half, the sign of an exact difference decides."""
    share = build.mul(build.mul(low, build.unary(ops.RECIPROCAL, span)), build.scalar(255, low))
    level = build.emit(ops.CLAMP, build.unary(ops.FLOOR, share), min_val=0.0, max_val=255.0, nan_mode="IGNORE")
    odd = build.add(build.add(level, level), build.scalar(1, level))
    other = build.sub(build.scalar(510, level), odd)
    parts = zip(halves(build, low), halves(build, high), strict=True)
    upper, lower = (build.sub(build.mul(other, a), build.mul(odd, b)) for a, b in parts)
    beyond, zero = build.add(upper, lower), build.scalar(0, level)
    positive = build.binary(ops.GREATER, level, build.scalar(MOST, level))
    up = build.select(positive, build.binary(ops.GREATER_EQUAL, beyond, zero), build.binary(ops.GREATER, beyond, zero))
    step = build.select(up, build.scalar(-MOST, level), build.scalar(-MOST - 1, level))
    return build.add(level, step)


def _raised(build: Builder, low: Value, high: Value, span: Value, scale: Value) -> Value:
    """Where a range alike on both sides has the zero point 0, not -1.

    Its exact value is -0.5. The kernel computes it in double as 127 - high / scale, which is more if the scale was
    rounded up by over 32 / 127.5 of its last place there, relative to its leading one. The scale's error in float32 is
    a multiple of 1 / 255 of its last place, so 29 bits further down the rest is that of 32 times this multiple.
    """
    error = build.add(build.sub(span, build.mul(scale, build.scalar(256, scale))), scale)
    place = build.sub(build.add(scale, build.mul(scale, build.scalar(PLACE, scale))), scale)
    rest = build.mul(error, build.scalar(32 / 255, error))
    whole = build.mul(place, build.scalar(WHOLE, place))
    up = build.sub(build.sub(build.add(rest, whole), whole), rest)
    bound = build.mul(scale, build.scalar(2.0**-23 * 32 / 127.5, scale))
    return build.binary(ops.LOGICAL_AND, build.binary(ops.GREATER, up, bound), build.binary(ops.EQUAL, low, high))


def _rounded(build: Builder, x: Value, most: int) -> Value:
    """Nearest integers of magnitudes up to `most`, ties away from 0; each sign on its own, of which NaN is none."""
    half = build.scalar(BELOW_HALF, x)
    above, below = build.unary(ops.FLOOR, build.add(x, half)), build.unary(ops.CEIL, build.sub(x, half))
    above = build.clamp(above, 0.0, float(most), nan_mode="IGNORE")
    return build.add(above, build.clamp(below, float(-most), 0.0, nan_mode="IGNORE"))
