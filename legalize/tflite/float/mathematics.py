"""Functions on floats, and some on i32, that are sequences in TOSA: powers, quotients and remainders, rounding, angles.

Where one step decides between two results far apart (a remainder, a floor), the arithmetic is exact; 16-bit floats are
computed in fp32 there.
"""

import math
from collections.abc import Callable

import ml_dtypes
import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.activation import FLOAT_MAX
from tosa_converter.legalize.checks import FLOATS, no_narrow_integers
from tosa_converter.legalize.exponentials import expm1_below_zero
from tosa_converter.legalize.operands import affordable
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import Build, Decline, Match, Rewrite
from tosa_converter.schemas import tflite
from tosa_converter.schemas import tosa_ops as ops

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


def in_fp32(function: Callable[[Builder, Value, Value], Value]) -> Build:
    """A rewrite of two operands that is computed in fp32."""

    def build(match: Match) -> Value:
        a, b = match.builder.same_rank(match[0], match[1])
        wide = (match.builder.cast(x, DType.FP32) for x in (a, b))
        return match.builder.cast(function(match.builder, *wide), a.type.dtype)

    build.__name__ = function.__name__
    return build


# ** quotients and remainders **


def floor_mod(builder: Builder, x: Value, y: Value) -> Value:
    """FLOOR_MOD: fmod(x, y), to which y is added if the signs differ (floor_mod.h); exact for quotients below 2**33."""
    rest = fmod(builder, x, y)
    below = builder.binary(ops.GREATER, builder.scalar(0, rest), builder.mul(rest, _sign(builder, y)))
    return builder.select(below, builder.add(rest, y), rest)


def fmod(builder: Builder, x: Value, y: Value) -> Value:
    """X less the largest whole multiple of y within it, with the sign of x; exact for quotients below 2**33."""
    rest = _rest(builder, builder.unary(ops.ABS, x), builder.unary(ops.ABS, y))
    return builder.select(builder.binary(ops.GREATER, builder.scalar(0, x), x), builder.negate(rest), rest)


def _rest(builder: Builder, x: Value, y: Value) -> Value:
    """X mod y of positive numbers, by long division: y is halved so that each digit's products are exact."""
    y = builder.minimum(y, builder.scalar(FINE, y))
    spread = builder.mul(y, builder.scalar(4097, y))
    high = builder.sub(spread, builder.sub(spread, y))
    low = builder.sub(y, high)
    inverse = builder.unary(ops.RECIPROCAL, y)
    for shift in range(STEP_BITS * (STEPS - 1), -1, -STEP_BITS):
        digits = builder.mul(builder.mul(x, inverse), builder.scalar(2.0**-shift, x))
        quotient = builder.mul(builder.unary(ops.FLOOR, digits), builder.scalar(2.0**shift, x))
        x = builder.sub(builder.sub(x, builder.mul(quotient, high)), builder.mul(quotient, low))
    x = builder.select(builder.binary(ops.GREATER, builder.scalar(0, x), x), builder.add(x, y), x)
    return builder.select(builder.binary(ops.GREATER_EQUAL, x, y), builder.sub(x, y), x)


def _sign(builder: Builder, x: Value) -> Value:
    """1, -1, or what is neither above nor below 0."""
    zero = builder.scalar(0, x)
    below = builder.select(builder.binary(ops.GREATER, zero, x), builder.scalar(-1, x), x)
    return builder.select(builder.binary(ops.GREATER, x, zero), builder.scalar(1, x), below)


def floor_div(builder: Builder, x: Value, y: Value) -> Value:
    """FLOOR_DIV, in double in the kernel: x less its FLOOR_MOD is a multiple of y, so the quotient is rounded."""
    quotient = builder.mul(builder.sub(x, floor_mod(builder, x, y)), builder.unary(ops.RECIPROCAL, y))
    return nearest(builder, quotient)


# ** rounding **


def nearest(builder: Builder, x: Value) -> Value:
    """The nearest integer by CAST, ties to even; what has no fraction stays, and a NaN, which CAST refuses."""
    limit = 2.0**11 if x.type.dtype is DType.FP16 else 2.0**23
    kept = builder.clamp(x, -limit, limit, nan_mode="IGNORE")
    whole = builder.cast(builder.cast(kept, DType.I32), x.type.dtype)
    return builder.select(builder.binary(ops.EQUAL, kept, x), whole, x)


def round_(match: Match) -> Value:
    """ROUND, ties to even."""
    return nearest(match.builder, match[0])


def sign(match: Match) -> Value:
    """SIGN; a NaN stays one."""
    x = match[0]
    return match.builder.clamp(x, -1, 1) if x.type.dtype is DType.I32 else _sign(match.builder, x)


def fake_quant(match: Match) -> Value:
    """FAKE_QUANT: clamped to a range with zero on a step, rounded to its steps, half up (NudgeQuantizationRange)."""
    build, x = match.builder, match.builder.cast(match["input"], DType.FP32)
    low, high, scale = _nudged(match.attributes(tflite.FakeQuantOptions))
    steps = build.sub(build.clamp(x, low, high, nan_mode="IGNORE"), build.scalar(low, x))
    steps = build.mul(steps, build.scalar(float(np.float32(1) / np.float32(scale)), x))
    whole = build.unary(ops.FLOOR, steps)
    up = build.binary(ops.GREATER_EQUAL, build.sub(steps, whole), build.scalar(0.5, x))
    whole = build.select(up, build.add(whole, build.scalar(1, x)), whole)
    made = build.add(build.mul(whole, build.scalar(scale, x)), build.scalar(low, x))
    return build.cast(made, match["input"].type.dtype)


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


def pow_(match: Match) -> Value:
    """POW: a product for a small whole constant exponent, else by the base's magnitude, as TOSA's takes no other."""
    x, y = match.builder.same_rank(match["lhs"], match["rhs"])
    if x.type.dtype is DType.I32:
        return _integer_power(match.builder, x, y)
    known = y.constant
    if known is not None and known.size and (known == known.flat[0]).all():
        return _broadcast(match.builder, constant_power(match.builder, x, float(known.flat[0])), y)
    return power(match.builder, x, y)


def _broadcast(builder: Builder, x: Value, like: Value) -> Value:
    shape = np.broadcast_shapes(x.type.static, like.type.static)
    return builder.broadcast(x, shape)


def constant_power(builder: Builder, x: Value, exponent: float) -> Value:
    """X to one constant power."""
    if exponent == 0:
        return builder.const(np.ones(affordable(x.type.static), x.type.dtype.numpy), x.type.dtype)
    if exponent in (0.5, -0.5):
        root = builder.unary(ops.RSQRT, x)
        return root if exponent < 0 else builder.unary(ops.RECIPROCAL, root)
    if not exponent.is_integer():
        return _magnitude(builder, x, builder.scalar(exponent, x))
    if abs(exponent) > LARGEST_EXPONENT:
        return power(builder, x, builder.scalar(exponent, x))
    product = _product(builder, x, int(abs(exponent)))
    return product if exponent > 0 else builder.unary(ops.RECIPROCAL, product)


def _product(builder: Builder, x: Value, exponent: int) -> Value:
    """By squares (IntegerExponentPow)."""
    if exponent == 1:
        return x
    half = _product(builder, x, exponent // 2)
    square = builder.mul(half, half)
    return builder.mul(x, square) if exponent % 2 else square


def _magnitude(builder: Builder, x: Value, y: Value) -> Value:
    """X ** y where POW is defined (2.5.15): x above 0, both finite; else exp(y * log(x)), which is exact there."""
    limits = ml_dtypes.finfo(x.type.dtype.numpy)  # type: ignore[no-untyped-call]
    largest = float(limits.max)
    base = builder.clamp(x, float(limits.smallest_normal), largest, nan_mode="IGNORE")
    exponent = builder.clamp(y, -largest, largest, nan_mode="IGNORE")
    defined = builder.binary(ops.EQUAL, base, x)
    if y.constant is None:
        defined = builder.binary(ops.LOGICAL_AND, defined, builder.binary(ops.EQUAL, exponent, y))
    beyond = builder.unary(ops.EXP, builder.mul(builder.unary(ops.LOG, x), y))
    return builder.select(defined, builder.binary(ops.POW, base, exponent), beyond)


def power(builder: Builder, x: Value, y: Value) -> Value:
    """|x| ** y, negated for a negative base and an odd exponent; a fraction of a negative base is no number."""
    zero, one = builder.scalar(0, x), builder.scalar(1, x)
    result = _magnitude(builder, builder.unary(ops.ABS, x), y)
    result = builder.select(builder.binary(ops.EQUAL, y, zero), one, result)
    if x.constant is not None and (x.constant >= 0).all():
        return result
    half = builder.mul(y, builder.scalar(0.5, y))
    even = builder.binary(ops.EQUAL, builder.unary(ops.FLOOR, half), half)
    whole = builder.binary(ops.EQUAL, builder.unary(ops.FLOOR, y), y)
    signed = builder.select(even, result, builder.select(whole, builder.negate(result), builder.scalar(math.nan, x)))
    return builder.select(builder.binary(ops.GREATER, zero, x), signed, result)


def _integer_power(builder: Builder, x: Value, y: Value) -> Value:
    """By squares, bit by bit: beyond 30 only powers of -1, 0 and 1 fit, for which an exponent's oddness is enough.

    A square that no bit needs isn't made; it might not fit.
    """
    zero, one = builder.scalar(0, x), builder.scalar(1, x)
    if y.constant is not None and y.constant.size and (y.constant == y.constant.flat[0]).all():
        exponent = int(y.constant.flat[0])
        if 0 < exponent <= LARGEST_EXPONENT:
            return _broadcast(builder, _product(builder, x, exponent), y)
    odd = builder.binary(ops.BITWISE_AND, y, one)
    y = builder.minimum(y, builder.binary(ops.BITWISE_OR, odd, builder.scalar(30, y)))
    result = one
    for bit in range(5):
        has = builder.binary(ops.EQUAL, builder.binary(ops.BITWISE_AND, y, builder.scalar(1 << bit, y)), zero)
        result = builder.select(has, result, builder.mul(result, x))
        if bit < 4:
            needed = builder.binary(ops.GREATER_EQUAL, y, builder.scalar(2 << bit, y))
            x = builder.select(needed, x, one)
            x = builder.mul(x, x)
    return result


# ** angles **


def atan2(builder: Builder, y: Value, x: Value) -> Value:
    """ATAN2: a polynomial of the smaller over the larger magnitude, turned into the octant; zeros keep their signs.

    Magnitudes end at the largest finite number, so that two infinities make 45 degrees; they are scaled so that neither
    they nor the reciprocal are subnormal.
    """
    a, b = (_finite(builder, builder.unary(ops.ABS, v)) for v in (y, x))
    large = builder.binary(ops.GREATER, builder.maximum(a, b), builder.scalar(1, x))
    scale = builder.select(large, builder.scalar(0.125, x), builder.scalar(2.0**24, x))
    a, b = builder.mul(a, scale), builder.mul(b, scale)
    larger = builder.maximum(builder.maximum(a, b), builder.scalar(SMALLEST, x))
    angle = _atan(builder, builder.mul(builder.minimum(a, b), builder.unary(ops.RECIPROCAL, larger)))
    steep = builder.binary(ops.GREATER, a, b)
    angle = builder.select(steep, builder.sub(builder.scalar(math.pi / 2, x), angle), angle)
    angle = builder.select(_negative(builder, x), builder.sub(builder.scalar(math.pi, x), angle), angle)
    return builder.select(_negative(builder, y), builder.negate(angle), angle)


def _finite(builder: Builder, x: Value) -> Value:
    return builder.clamp(x, -FLOAT_MAX, FLOAT_MAX)


def _negative(builder: Builder, x: Value) -> Value:
    """Below 0 or -0, whose reciprocal is minus infinity."""
    zero = builder.scalar(0, x)
    side = builder.select(builder.binary(ops.EQUAL, x, zero), builder.unary(ops.RECIPROCAL, x), x)
    return builder.binary(ops.GREATER, zero, side)


def _atan(builder: Builder, x: Value) -> Value:
    square = builder.mul(x, x)
    sum_ = builder.scalar(ATAN[-1], x)
    for factor in ATAN[-2::-1]:
        sum_ = builder.add(builder.mul(sum_, square), builder.scalar(factor, x))
    return builder.mul(sum_, x)


# ** activations **


def elu(match: Match) -> Value:
    """ELU: exp(x) - 1 below 0."""
    build, x = match.builder, match["x"]
    return build.select(build.binary(ops.GREATER, build.scalar(0, x), x), expm1_below_zero(match, x), x)


def gelu(match: Match) -> Value:
    """GELU: x / 2 * (1 + erf(x / sqrt(2))), or its approximation by tanh; in fp32, as the sum cancels far below 0.

    Where the kernel has erfc, which TOSA hasn't, small results have an absolute error of x * 2**-25.
    """
    x = match.builder.cast(match["input"], DType.FP32)
    made = gated(match.builder, x, approximate=match.attributes(tflite.GeluOptions).approximate)
    return match.builder.cast(made, match["input"].type.dtype)


def gated(build: Builder, x: Value, *, approximate: bool) -> Value:
    """GELU of fp32."""
    if approximate:
        cube = build.mul(build.mul(build.mul(x, x), x), build.scalar(0.044715, x))
        inner = build.mul(build.add(x, cube), build.scalar(math.sqrt(2 / math.pi), x))
        gate = build.unary(ops.TANH, inner)
    else:
        gate = build.unary(ops.ERF, build.mul(x, build.scalar(math.sqrt(0.5), x)))
    return build.mul(build.mul(x, build.scalar(0.5, x)), build.add(gate, build.scalar(1, x)))


def add_n(match: Match) -> Value:
    """ADD_N from the first to the last."""
    parts = [value for value in match.inputs if value is not None]
    total = parts[0]
    for part in parts[1:]:
        total = match.builder.add(total, part)
    return total


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
