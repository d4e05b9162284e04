"""Functions on floats, and some on i32, that are sequences in TOSA: powers, quotients and remainders, rounding, angles.

Where one step decides between two results far apart (a remainder, a floor), the arithmetic is exact; 16-bit floats are
computed in fp32 there.
"""

import functools
import math
import operator
from collections.abc import Callable

import ml_dtypes
import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.activation import FLOAT_MAX
from tosa_converter.legalize.checks import FLOATS, no_narrow_integers
from tosa_converter.legalize.exponentials import expm1_below_zero
from tosa_converter.legalize.limits import affordable
from tosa_converter.rewriting import expr
from tosa_converter.rewriting.expr import (
    Expr,
    clamp,
    const,
    erf,
    exp,
    floor,
    log,
    maximum,
    minimum,
    reciprocal,
    rsqrt,
    same_rank,
    scalar,
    tanh,
    where,
)
from tosa_converter.rewriting.rewrite import Build, Decline, Match, Rewrite
from tosa_converter.schemas import tflite

LARGEST_EXPONENT = 16  # up to which a whole constant power is a product
STEP_BITS = 11  # of a quotient that are found at once: their product with half of a mantissa is exact
STEPS = 3
SMALLEST = 2.0**-126  # normal number, of which the reciprocal is finite
FINE = 2.0**114  # beyond, halving a mantissa overflows
# atan(x) / x on [0, 1] by powers of x * x, fitted at Chebyshev's nodes: within 2e-9
ATAN = (
    0.9999999975, -0.3333328230, 0.1999823064, -0.1426157368, 0.1094019896, -0.0837206394, 0.0574635578,
    -0.0307175088, 0.0106807194, -0.0017437011,
)  # fmt: skip


def in_fp32(function: Callable[[Expr, Expr], Expr]) -> Build:
    """A rewrite of two operands that is computed in fp32."""

    def build(match: Match) -> Expr:
        a, b = same_rank(match[0], match[1])
        wide = (x.cast(DType.FP32) for x in (a, b))
        return function(*wide).cast(a.dtype)

    return build


# ** quotients and remainders **


def floor_mod(x: Expr, y: Expr) -> Expr:
    """FLOOR_MOD: fmod(x, y), to which y is added if the signs differ (floor_mod.h); exact for quotients below 2**33."""
    rest = fmod(x, y)
    below = rest * _sign(y) < 0
    return where(below, rest + y, rest)


def fmod(x: Expr, y: Expr) -> Expr:
    """X less the largest whole multiple of y within it, with the sign of x; exact for quotients below 2**33."""
    rest = _rest(abs(x), abs(y))
    return where(x < 0, -rest, rest)


def _rest(x: Expr, y: Expr) -> Expr:
    """X mod y of positive numbers, by long division: y is halved so that each digit's products are exact."""
    y = minimum(y, FINE)
    spread = y * 4097
    high = spread - (spread - y)
    low = y - high
    inverse = reciprocal(y)
    for shift in range(STEP_BITS * (STEPS - 1), -1, -STEP_BITS):
        digits = x * inverse * 2.0 ** (-shift)
        quotient = floor(digits) * 2.0**shift
        x = x - quotient * high - quotient * low
    x = where(x < 0, x + y, x)
    return where(x >= y, x - y, x)


def _sign(x: Expr) -> Expr:
    """1, -1, or what is neither above nor below 0."""
    zero = scalar(0, x)
    below = where(zero > x, -1, x)
    return where(x > zero, 1, below)


def floor_div(x: Expr, y: Expr) -> Expr:
    """FLOOR_DIV, in double in the kernel: x less its FLOOR_MOD is a multiple of y, so the quotient is rounded."""
    quotient = (x - floor_mod(x, y)) * reciprocal(y)
    return nearest(quotient)


# ** rounding **


def nearest(x: Expr) -> Expr:
    """The nearest integer by CAST, ties to even; what has no fraction stays, and a NaN, which CAST refuses."""
    limit = 2.0**11 if x.dtype is DType.FP16 else 2.0**23
    kept = clamp(x, -limit, limit, nan_mode="IGNORE")
    whole = kept.cast(DType.I32).cast(x.dtype)
    return where(kept == x, whole, x)


def round_(match: Match) -> Expr:
    """ROUND, ties to even."""
    return nearest(match[0])


def sign(match: Match) -> Expr:
    """SIGN; a NaN stays one."""
    x = match[0]
    return clamp(x, -1, 1) if x.dtype is DType.I32 else _sign(x)


def fake_quant(match: Match) -> Expr:
    """FAKE_QUANT: clamped to a range with zero on a step, rounded to its steps, half up (NudgeQuantizationRange)."""
    x = match["input"].cast(DType.FP32)
    low, high, scale = _nudged(match.attributes(tflite.FakeQuantOptions))
    steps = clamp(x, low, high, nan_mode="IGNORE") - low
    steps = steps * float(np.float32(1) / np.float32(scale))
    whole = floor(steps)
    up = steps - whole >= 0.5
    whole = where(up, whole + 1, whole)
    made = whole * scale + low
    return made.cast(match["input"].dtype)


def _nudged(options: tflite.FakeQuantOptions) -> tuple[float, float, float]:
    """The range's ends and step in float32.

    Raises:
        Decline: the options make no range, or are ones that the kernel refuses.
    """
    if options.narrow_range or not 2 <= options.num_bits <= 16 or not 0 < options.max - options.min <= FLOAT_MAX:
        raise Decline(f"a range from {options.min} to {options.max} in {options.num_bits} bits, which makes no steps")
    most = np.float32((1 << options.num_bits) - 1)
    scale = (np.float32(options.max) - np.float32(options.min)) / most
    zero_point = np.floor(np.clip(np.float32(0) - np.float32(options.min) / scale, 0, most) + np.float32(0.5))
    return float((0 - zero_point) * scale), float((most - zero_point) * scale), float(scale)


# ** powers **


def pow_(match: Match) -> Expr:
    """POW: a product for a small whole constant exponent, else by the base's magnitude, as TOSA's takes no other."""
    x, y = same_rank(match["lhs"], match["rhs"])
    if x.dtype is DType.I32:
        return _integer_power(x, y)
    known = y.constant
    if known is not None and known.size and (known == known.flat[0]).all():
        return _broadcast(constant_power(x, float(known.flat[0])), y)
    return power(x, y)


def _broadcast(x: Expr, like: Expr) -> Expr:
    shape = np.broadcast_shapes(x.shape, like.shape)
    return x.broadcast(shape)


def constant_power(x: Expr, exponent: float) -> Expr:
    """X to one constant power."""
    if exponent == 0:
        return const(np.ones(affordable(x.shape), x.dtype.numpy), x.dtype)
    if exponent in (0.5, -0.5):
        root = rsqrt(x)
        return root if exponent < 0 else reciprocal(root)
    if not exponent.is_integer():
        return _magnitude(x, scalar(exponent, x))
    if abs(exponent) > LARGEST_EXPONENT:
        return power(x, scalar(exponent, x))
    product = _product(x, int(abs(exponent)))
    return product if exponent > 0 else reciprocal(product)


def _product(x: Expr, exponent: int) -> Expr:
    """By squares (IntegerExponentPow)."""
    if exponent == 1:
        return x
    half = _product(x, exponent // 2)
    square = half * half
    return x * square if exponent % 2 else square


def _magnitude(x: Expr, y: Expr) -> Expr:
    """X ** y where POW is defined (2.5.15): x above 0, both finite; else exp(y * log(x)), which is exact there."""
    limits = ml_dtypes.finfo(x.dtype.numpy)  # type: ignore[no-untyped-call]
    largest = float(limits.max)
    base = clamp(x, float(limits.smallest_normal), largest, nan_mode="IGNORE")
    exponent = clamp(y, -largest, largest, nan_mode="IGNORE")
    defined = base == x
    if y.constant is None:
        defined = defined & (exponent == y)
    beyond = exp(log(x) * y)
    return where(defined, expr.power(base, exponent), beyond)


def power(x: Expr, y: Expr) -> Expr:
    """|x| ** y, negated for a negative base and an odd exponent; a fraction of a negative base is no number."""
    zero, one = scalar(0, x), scalar(1, x)
    result = _magnitude(abs(x), y)
    result = where(y == zero, one, result)
    if x.constant is not None and (x.constant >= 0).all():
        return result
    half = y * 0.5
    even = floor(half) == half
    whole = floor(y) == y
    signed = where(even, result, where(whole, -result, math.nan))
    return where(zero > x, signed, result)


def _integer_power(x: Expr, y: Expr) -> Expr:
    """By squares, bit by bit: beyond 30 only powers of -1, 0 and 1 fit, for which an exponent's oddness is enough.

    A square that no bit needs isn't made; it might not fit.
    """
    zero, one = scalar(0, x), scalar(1, x)
    if y.constant is not None and y.constant.size and (y.constant == y.constant.flat[0]).all():
        exponent = int(y.constant.flat[0])
        if 0 < exponent <= LARGEST_EXPONENT:
            return _broadcast(_product(x, exponent), y)
    odd = y & one
    y = minimum(y, odd | 30)
    result = one
    for bit in range(5):
        has = y & 1 << bit == zero
        result = where(has, result, result * x)
        if bit < 4:
            needed = y >= 2 << bit
            x = where(needed, x, one)
            x = x * x
    return result


# ** angles **


def atan2(y: Expr, x: Expr) -> Expr:
    """ATAN2: a polynomial of the smaller over the larger magnitude, turned into the octant; zeros keep their signs.

    Magnitudes end at the largest finite number, so that two infinities make 45 degrees; they are scaled so that neither
    they nor the reciprocal are subnormal.
    """
    a, b = (_finite(abs(v)) for v in (y, x))
    large = maximum(a, b) > 1
    scale = where(large, 0.125, scalar(2.0**24, x))
    a, b = a * scale, b * scale
    larger = maximum(maximum(a, b), SMALLEST)
    angle = _atan(minimum(a, b) * reciprocal(larger))
    steep = a > b
    angle = where(steep, math.pi / 2 - angle, angle)
    angle = where(_negative(x), math.pi - angle, angle)
    return where(_negative(y), -angle, angle)


def _finite(x: Expr) -> Expr:
    return clamp(x, -FLOAT_MAX, FLOAT_MAX)


def _negative(x: Expr) -> Expr:
    """Below 0 or -0, whose reciprocal is minus infinity."""
    zero = scalar(0, x)
    side = where(x == zero, reciprocal(x), x)
    return zero > side


def _atan(x: Expr) -> Expr:
    square = x * x
    sum_ = scalar(ATAN[-1], x)
    for factor in ATAN[-2::-1]:
        sum_ = sum_ * square + factor
    return sum_ * x


# ** activations **


def elu(match: Match) -> Expr:
    """ELU: exp(x) - 1 below 0."""
    x = match["x"]
    return where(x < 0, expm1_below_zero(match, x), x)


def gelu(match: Match) -> Expr:
    """GELU: x / 2 * (1 + erf(x / sqrt(2))), or its approximation by tanh; in fp32, as the sum cancels far below 0.

    Where the kernel has erfc, which TOSA hasn't, small results have an absolute error of x * 2**-25.
    """
    x = match["input"].cast(DType.FP32)
    made = gated(x, approximate=match.attributes(tflite.GeluOptions).approximate)
    return made.cast(match["input"].dtype)


def gated(x: Expr, *, approximate: bool) -> Expr:
    """GELU of fp32."""
    if approximate:
        cube = x * x * x * 0.044715
        inner = (x + cube) * math.sqrt(2 / math.pi)
        gate = tanh(inner)
    else:
        gate = erf(x * math.sqrt(0.5))
    return x * 0.5 * (gate + 1)


def add_n(match: Match) -> Expr:
    """ADD_N from the first to the last."""
    return functools.reduce(operator.add, match.operands)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.floor_mod", FLOATS, in_fp32(floor_mod), (no_narrow_integers,)),
    Rewrite("tfl.floor_div", FLOATS, in_fp32(floor_div), (no_narrow_integers,)),
    Rewrite("tfl.atan2", FLOATS, in_fp32(atan2), (no_narrow_integers,)),
    Rewrite("tfl.round", FLOATS, round_, (no_narrow_integers,)),
    Rewrite("tfl.sign", f"{FLOATS} i32", sign, (no_narrow_integers,)),
    Rewrite("tfl.fake_quant", FLOATS, fake_quant, (no_narrow_integers,)),
    Rewrite("tfl.pow", f"{FLOATS} i32", pow_, (no_narrow_integers,)),
    Rewrite("tfl.elu", FLOATS, elu, (no_narrow_integers,)),
    Rewrite("tfl.gelu", FLOATS, gelu, (no_narrow_integers,)),
    Rewrite("tfl.add_n", f"{FLOATS} i32", add_n, (no_narrow_integers,)),
)
