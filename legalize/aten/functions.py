"""Functions that TOSA has no operator for: by exponentials, logarithms, sines, roots and arc tangents."""

import math
from collections.abc import Callable

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.aten.common import FLOATS, NUMBERS, number, promoted, result_dtype, rewrite
from tosa_converter.legalize.tflite.float import mathematics
from tosa_converter.legalize.xnnpack.checks import require_broadcast, require_sizes
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import Build, Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops

Function = Callable[[Builder, Value], Value]
# pi / 2 in three parts, of which the first two have 12 bits: n times each is exact for n below 2**12.
HALF_PI = 1.5703125, 4.83751296997070312e-4, 7.54978994876864800e-8
SMALL = 0.25  # below, a series has more digits than the closed form, which cancels


def _halves_by_fp32(function: Function) -> Build:
    """A function of one operand, computed in fp32."""

    def computed(match: Match) -> Value:
        y = function(match.builder, match.builder.cast(promoted(match, "self"), DType.FP32))
        return match.builder.cast(y, result_dtype(match))

    return computed


def _scaled(build: Builder, x: Value, factor: float) -> Value:
    return build.mul(x, build.scalar(factor, x))


def _root(build: Builder, x: Value) -> Value:
    return build.unary(ops.RECIPROCAL, build.unary(ops.RSQRT, x))


def _series(build: Builder, x: Value, *factors: float) -> Value:
    """Returns x * (1 + factors[0] * x**2 + factors[1] * x**4 ...)."""
    square, sum_ = build.mul(x, x), build.scalar(factors[-1], x)
    for factor in (*factors[-2::-1], 1.0):
        sum_ = build.add(build.mul(sum_, square), build.scalar(factor, x))
    return build.mul(sum_, x)


def _near_zero(build: Builder, x: Value, series: Value, other: Value) -> Value:
    small = build.binary(ops.GREATER, build.scalar(SMALL, x), build.unary(ops.ABS, x))
    return build.select(small, series, other)


def _signed_as(build: Builder, x: Value, y: Value) -> Value:
    """Y, negated where x is below 0."""
    return build.select(build.binary(ops.GREATER, build.scalar(0, x), x), build.negate(y), y)


# ** trigonometric **


def _tan(build: Builder, x: Value) -> Value:
    """Sine over cosine of what is left of x behind n quarters of a turn, or the other way round if n is odd.

    cos(x) itself would be a few units in the last place of 1 off where the tangent is largest: with x = 1.57, half of
    such a unit in a cosine of 0.0008 is 4e-5 of the result.
    """
    n = mathematics.nearest(build, _scaled(build, x, 2 / math.pi))
    rest = x
    for part in HALF_PI:
        rest = build.sub(rest, _scaled(build, n, part))
    sine, cosine = build.unary(ops.SIN, rest), build.unary(ops.COS, rest)
    halved = _scaled(build, n, 0.5)
    even = build.binary(ops.EQUAL, build.unary(ops.FLOOR, halved), halved)
    above, below = build.select(even, sine, build.negate(cosine)), build.select(even, cosine, sine)
    return build.mul(above, build.unary(ops.RECIPROCAL, below))


def _leg(build: Builder, x: Value) -> Value:
    """The root of 1 - x**2, without its cancellation."""
    one = build.scalar(1, x)
    return _root(build, build.mul(build.sub(one, x), build.add(one, x)))


def _asin(build: Builder, x: Value) -> Value:
    return _outside(build, x, mathematics.atan2(build, x, _leg(build, x)))


def _acos(build: Builder, x: Value) -> Value:
    return _outside(build, x, mathematics.atan2(build, _leg(build, x), x))


def _outside(build: Builder, x: Value, y: Value) -> Value:
    """NaN for magnitudes above 1."""
    outside = build.binary(ops.GREATER, build.unary(ops.ABS, x), build.scalar(1, x))
    return build.select(outside, build.scalar(math.nan, x), y)


def _atan(build: Builder, x: Value) -> Value:
    return mathematics.atan2(build, x, build.const(np.ones(x.type.static, np.float32), DType.FP32))


# ** hyperbolic **


def _halves_of_powers(build: Builder, x: Value) -> tuple[Value, Value]:
    """exp(|x|) / 2 and exp(-|x|) / 2; the first by two roots, which are finite where it is."""
    root = build.unary(ops.EXP, _scaled(build, build.unary(ops.ABS, x), 0.5))
    large = build.mul(_scaled(build, root, 0.5), root)
    inverse = build.unary(ops.RECIPROCAL, root)
    return large, build.mul(_scaled(build, inverse, 0.5), inverse)


def _sinh(build: Builder, x: Value) -> Value:
    grown = _signed_as(build, x, build.sub(*_halves_of_powers(build, x)))
    return _near_zero(build, x, _series(build, x, 1 / 6, 1 / 120, 1 / 5040), grown)


def _cosh(build: Builder, x: Value) -> Value:
    return build.add(*_halves_of_powers(build, x))


def _asinh(build: Builder, x: Value) -> Value:
    """log(|x| + sqrt(x**2 + 1)); far out, where the square would overflow, log(2 |x|)."""
    size, one = build.unary(ops.ABS, x), build.scalar(1, x)
    near = build.clamp(size, 0, 2.0**60)
    inner = build.unary(ops.LOG, build.add(near, _root(build, build.add(build.mul(near, near), one))))
    outer = build.add(build.unary(ops.LOG, size), build.scalar(math.log(2), x))
    grown = build.select(build.binary(ops.GREATER, size, build.scalar(2.0**30, x)), outer, inner)
    return _near_zero(build, x, _series(build, x, -1 / 6, 3 / 40, -15 / 336), _signed_as(build, x, grown))


def _acosh(build: Builder, x: Value) -> Value:
    """2 log(sqrt((x + 1) / 2) + sqrt((x - 1) / 2)), which doesn't overflow."""
    one = build.scalar(1, x)
    parts = [_root(build, _scaled(build, part, 0.5)) for part in (build.add(x, one), build.sub(x, one))]
    return _scaled(build, build.unary(ops.LOG, build.add(*parts)), 2)


def _atanh(build: Builder, x: Value) -> Value:
    one = build.scalar(1, x)
    ratio = build.mul(build.add(one, x), build.unary(ops.RECIPROCAL, build.sub(one, x)))
    grown = _scaled(build, build.unary(ops.LOG, ratio), 0.5)
    return _near_zero(build, x, _series(build, x, 1 / 3, 1 / 5, 1 / 7, 1 / 9, 1 / 11), grown)


def _logarithm(base: float) -> Function:
    return lambda build, x: _scaled(build, build.unary(ops.LOG, x), 1 / math.log(base))


# ** rounding, remainders, bounds **


def trunc(match: Match) -> Value:
    """Trunc: towards 0."""
    build, x = match.builder, match["self"]
    below = build.binary(ops.GREATER, build.scalar(0, x), x)
    return build.select(below, build.unary(ops.CEIL, x), build.unary(ops.FLOOR, x))


def isinf(match: Match) -> Value:
    """Whether an element is infinite."""
    size = match.builder.unary(ops.ABS, match["self"])
    return match.builder.binary(ops.EQUAL, size, match.builder.scalar(math.inf, size))


def _pair(match: Match, second: str = "other") -> tuple[Value, Value]:
    """Both operands in the result's type, or a number in the place of the second."""
    x = promoted(match, "self")
    if second in match.op.attributes:
        return x, number(match.builder, match.op.attributes[second], x)
    other = promoted(match, second)
    require_broadcast(x, other)
    return x, other


def fmod(match: Match) -> Value:
    """Fmod: what truncated division leaves, with the sign of the dividend."""
    build, (x, y) = match.builder, _pair(match)
    if x.type.dtype.is_float:
        made = mathematics.fmod(build, *(build.cast(v, DType.FP32) for v in build.same_rank(x, y)))
        return build.cast(made, x.type.dtype)
    return _truncated_rest(build, x, y)


def remainder(match: Match) -> Value:
    """Remainder: what floored division leaves; of integers ExecuTorch has the truncated one (math_util.h)."""
    x, y = _pair(match)
    if x.type.dtype.is_float:
        wide = (match.builder.cast(operand, DType.FP32) for operand in match.builder.same_rank(x, y))
        return match.builder.cast(mathematics.floor_mod(match.builder, *wide), x.type.dtype)
    match.note_once("the remainder of integers has the dividend's sign, as in ExecuTorch; in PyTorch the divisor's")
    return _truncated_rest(match.builder, x, y)


def _truncated_rest(build: Builder, x: Value, y: Value) -> Value:
    return build.sub(x, build.mul(build.binary(ops.INTDIV, x, y), y))


def power(match: Match) -> Value:
    """Pow of two tensors, or of a number to each exponent."""
    build = match.builder
    if "self" not in match.op.attributes:
        base, exponent = _pair(match, "exponent")
    else:
        exponent = promoted(match, "exponent")
        base = number(build, match.op.attributes["self"], exponent)
    base, exponent = (build.cast(v, DType.FP32) for v in build.same_rank(base, exponent))
    return build.cast(mathematics.power(build, base, exponent), result_dtype(match))


def atan2(match: Match) -> Value:
    """atan2."""
    build = match.builder
    y, x = (build.cast(v, DType.FP32) for v in build.same_rank(*_pair(match)))
    shape = np.broadcast_shapes(y.type.static, x.type.static)
    y, x = (build.broadcast(v, shape) for v in (y, x))
    return build.cast(mathematics.atan2(build, y, x), result_dtype(match))


def clamp_by_tensors(match: Match) -> Value:
    """Clamp between two tensors, or on one side."""
    build, y = match.builder, promoted(match, "self")
    for name, bounded in (("min", build.maximum), ("max", build.minimum)):
        if match.has(name):
            bound = promoted(match, name)
            require_broadcast(y, bound)
            y = bounded(y, bound)
    return y


# ** distances **


def cdist(match: Match) -> Value:
    """_cdist_forward: the distance of each row of one to each row of the other, by the norm p."""
    build, p = match.builder, float(match.op.attributes["p"])
    a, b = (build.cast(match[name], DType.FP32) for name in ("x1", "x2"))
    if a.type.rank < 2 or b.type.rank < 2 or not p >= 0:
        raise Decline(f"distances of {a.type} and {b.type} by the norm {p}")
    require_sizes("columns", b.type.static[-1:], a.type.static[-1:])
    (*outer, rows, width), (*_, columns, _) = a.type.static, b.type.static
    require_broadcast(*(build.const(np.zeros(shape[:-2]), DType.FP32) for shape in (a.type.static, b.type.static)))
    a = build.reshape(a, (*outer, rows, 1, width))
    b = build.reshape(b, (*b.type.static[:-2], 1, columns, width))
    away = build.unary(ops.ABS, build.sub(a, b))
    axis = away.type.rank - 1
    if p == math.inf:
        norm = build.reduce(ops.REDUCE_MAX, away, axis, nan_mode="PROPAGATE")
    else:
        norm = _norm(build, away, axis, p)
    return build.cast(build.reshape(norm, norm.type.static[:-1]), result_dtype(match))


def _norm(build: Builder, size: Value, axis: int, p: float) -> Value:
    """The norm p of magnitudes along an axis."""
    if p == 0:
        apart = build.binary(ops.GREATER, size, build.scalar(0, size))
        return build.reduce(ops.REDUCE_SUM, build.select(apart, build.scalar(1, size), build.scalar(0, size)), axis)
    powers = size if p == 1 else build.mul(size, size) if p == 2 else mathematics.constant_power(build, size, p)
    total = build.reduce(ops.REDUCE_SUM, powers, axis)
    return total if p == 1 else _root(build, total) if p == 2 else mathematics.constant_power(build, total, 1 / p)


UNARY: dict[str, Function] = {
    "acos": _acos,
    "acosh": _acosh,
    "asin": _asin,
    "asinh": _asinh,
    "atan": _atan,
    "atanh": _atanh,
    "cosh": _cosh,
    "log10": _logarithm(10),
    "log2": _logarithm(2),
    "sinh": _sinh,
    "tan": _tan,
}
REWRITES: tuple[Rewrite, ...] = (
    *(rewrite(f"{name}.out", NUMBERS, _halves_by_fp32(function)) for name, function in UNARY.items()),
    rewrite("trunc.out", FLOATS, trunc),
    rewrite("isinf.out", FLOATS, isinf),
    *(rewrite(f"fmod.{form}_out", NUMBERS, fmod) for form in ("Tensor", "Scalar")),
    *(rewrite(f"remainder.{form}_out", NUMBERS, remainder) for form in ("Tensor", "Scalar")),
    rewrite("pow.Tensor_Tensor_out", FLOATS, power),
    rewrite("pow.Scalar_out", FLOATS, power),
    rewrite("atan2.out", FLOATS, atan2),
    rewrite("clamp.Tensor_out", NUMBERS, clamp_by_tensors),
    rewrite("_cdist_forward.out", FLOATS, cdist),
)
