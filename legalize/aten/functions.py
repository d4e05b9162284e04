"""Functions that TOSA has no operator for: by exponentials, logarithms, sines, roots and arc tangents."""

import math
import operator
from collections.abc import Callable

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.aten.common import FLOATS, NUMBERS, number, promoted, result_dtype, rewrite
from tosa_converter.legalize.tflite.float import mathematics
from tosa_converter.legalize.xnnpack.checks import require_broadcast, require_sizes
from tosa_converter.rewriting.expr import (
    Expr,
    ceil,
    clamp,
    const,
    cos,
    exp,
    floor,
    intdiv,
    log,
    maximum,
    minimum,
    reciprocal,
    rsqrt,
    same_rank,
    scalar,
    sin,
    where,
)
from tosa_converter.rewriting.operators import reduce_max, reduce_sum
from tosa_converter.rewriting.rewrite import Build, Decline, Match, Rewrite

Function = Callable[[Expr], Expr]
# pi / 2 in three parts, of which the first two have 12 bits: n times each is exact for n below 2**12.
HALF_PI = 1.5703125, 4.83751296997070312e-4, 7.54978994876864800e-8
SMALL = 0.25  # below, a series has more digits than the closed form, which cancels


def _halves_by_fp32(function: Function) -> Build:
    """A function of one operand, computed in fp32."""

    def computed(match: Match) -> Expr:
        y = function(promoted(match, "self").cast(DType.FP32))
        return y.cast(result_dtype(match))

    return computed


def _scaled(x: Expr, factor: float) -> Expr:
    return x * factor


def _root(x: Expr) -> Expr:
    return reciprocal(rsqrt(x))


def _series(x: Expr, *factors: float) -> Expr:
    """Returns x * (1 + factors[0] * x**2 + factors[1] * x**4 ...)."""
    square, sum_ = x * x, scalar(factors[-1], x)
    for factor in (*factors[-2::-1], 1.0):
        sum_ = sum_ * square + factor
    return sum_ * x


def _near_zero(x: Expr, series: Expr, other: Expr) -> Expr:
    small = abs(x) < SMALL
    return where(small, series, other)


def _signed_as(x: Expr, y: Expr) -> Expr:
    """Y, negated where x is below 0."""
    return where(x < 0, -y, y)


# ** trigonometric **


def _tan(x: Expr) -> Expr:
    """Sine over cosine of what is left of x behind n quarters of a turn, or the other way round if n is odd.

    cos(x) itself would be a few units in the last place of 1 off where the tangent is largest: with x = 1.57, half of
    such a unit in a cosine of 0.0008 is 4e-5 of the result.
    """
    n = mathematics.nearest(_scaled(x, 2 / math.pi))
    rest = x
    for part in HALF_PI:
        rest = rest - _scaled(n, part)
    sine, cosine = sin(rest), cos(rest)
    halved = _scaled(n, 0.5)
    even = floor(halved) == halved
    above, below = where(even, sine, -cosine), where(even, cosine, sine)
    return above * reciprocal(below)


def _leg(x: Expr) -> Expr:
    """The root of 1 - x**2, without its cancellation."""
    one = scalar(1, x)
    return _root((one - x) * (one + x))


def _asin(x: Expr) -> Expr:
    return _outside(x, mathematics.atan2(x, _leg(x)))


def _acos(x: Expr) -> Expr:
    return _outside(x, mathematics.atan2(_leg(x), x))


def _outside(x: Expr, y: Expr) -> Expr:
    """NaN for magnitudes above 1."""
    outside = abs(x) > 1
    return where(outside, math.nan, y)


def _atan(x: Expr) -> Expr:
    return mathematics.atan2(x, const(np.ones(x.shape, np.float32), DType.FP32))


# ** hyperbolic **


def _halves_of_powers(x: Expr) -> tuple[Expr, Expr]:
    """exp(|x|) / 2 and exp(-|x|) / 2; the first by two roots, which are finite where it is."""
    root = exp(_scaled(abs(x), 0.5))
    large = _scaled(root, 0.5) * root
    inverse = reciprocal(root)
    return large, _scaled(inverse, 0.5) * inverse


def _sinh(x: Expr) -> Expr:
    half, inverse_half = _halves_of_powers(x)
    grown = _signed_as(x, half - inverse_half)
    return _near_zero(x, _series(x, 1 / 6, 1 / 120, 1 / 5040), grown)


def _cosh(x: Expr) -> Expr:
    half, inverse_half = _halves_of_powers(x)
    return half + inverse_half


def _asinh(x: Expr) -> Expr:
    """log(|x| + sqrt(x**2 + 1)); far out, where the square would overflow, log(2 |x|)."""
    size, one = abs(x), scalar(1, x)
    near = clamp(size, 0, 2.0**60)
    inner = log(near + _root(near * near + one))
    outer = log(size) + math.log(2)
    grown = where(size > 2.0**30, outer, inner)
    return _near_zero(x, _series(x, -1 / 6, 3 / 40, -15 / 336), _signed_as(x, grown))


def _acosh(x: Expr) -> Expr:
    """2 log(sqrt((x + 1) / 2) + sqrt((x - 1) / 2)), which doesn't overflow."""
    one = scalar(1, x)
    parts = [_root(_scaled(part, 0.5)) for part in (x + one, x - one)]
    return _scaled(log(operator.add(*parts)), 2)


def _atanh(x: Expr) -> Expr:
    one = scalar(1, x)
    ratio = (one + x) * reciprocal(one - x)
    grown = _scaled(log(ratio), 0.5)
    return _near_zero(x, _series(x, 1 / 3, 1 / 5, 1 / 7, 1 / 9, 1 / 11), grown)


def _logarithm(base: float) -> Function:
    return lambda x: _scaled(log(x), 1 / math.log(base))


# ** rounding, remainders, bounds **


def trunc(match: Match) -> Expr:
    """Trunc: towards 0."""
    x = match["self"]
    below = x < 0
    return where(below, ceil(x), floor(x))


def isinf(match: Match) -> Expr:
    """Whether an element is infinite."""
    size = abs(match["self"])
    return size == math.inf


def _pair(match: Match, second: str = "other") -> tuple[Expr, Expr]:
    """Both operands in the result's type, or a number in the place of the second."""
    x = promoted(match, "self")
    if second in match.op.attributes:
        return x, number(match.op.attributes[second], x)
    other = promoted(match, second)
    require_broadcast(x, other)
    return x, other


def fmod(match: Match) -> Expr:
    """Fmod: what truncated division leaves, with the sign of the dividend."""
    x, y = _pair(match)
    if x.dtype.is_float:
        made = mathematics.fmod(*(v.cast(DType.FP32) for v in same_rank(x, y)))
        return made.cast(x.dtype)
    return _truncated_rest(x, y)


def remainder(match: Match) -> Expr:
    """Remainder: what floored division leaves; of integers ExecuTorch has the truncated one (math_util.h)."""
    x, y = _pair(match)
    if x.dtype.is_float:
        wide = (operand.cast(DType.FP32) for operand in same_rank(x, y))
        return mathematics.floor_mod(*wide).cast(x.dtype)
    match.note_once("the remainder of integers has the dividend's sign, as in ExecuTorch; in PyTorch the divisor's")
    return _truncated_rest(x, y)


def _truncated_rest(x: Expr, y: Expr) -> Expr:
    return x - intdiv(x, y) * y


def power(match: Match) -> Expr:
    """Pow of two tensors, or of a number to each exponent."""
    if "self" not in match.op.attributes:
        base, exponent = _pair(match, "exponent")
    else:
        exponent = promoted(match, "exponent")
        base = number(match.op.attributes["self"], exponent)
    base, exponent = (v.cast(DType.FP32) for v in same_rank(base, exponent))
    return mathematics.power(base, exponent).cast(result_dtype(match))


def atan2(match: Match) -> Expr:
    """atan2."""
    y, x = (v.cast(DType.FP32) for v in same_rank(*_pair(match)))
    shape = np.broadcast_shapes(y.shape, x.shape)
    y, x = (v.broadcast(shape) for v in (y, x))
    return mathematics.atan2(y, x).cast(result_dtype(match))


def clamp_by_tensors(match: Match) -> Expr:
    """Clamp between two tensors, or on one side."""
    y = promoted(match, "self")
    for name, bounded in (("min", maximum), ("max", minimum)):
        if match.has(name):
            bound = promoted(match, name)
            require_broadcast(y, bound)
            y = bounded(y, bound)
    return y


# ** distances **


def cdist(match: Match) -> Expr:
    """_cdist_forward: the distance of each row of one to each row of the other, by the norm p."""
    p = float(match.op.attributes["p"])
    a, b = (match[name].cast(DType.FP32) for name in ("x1", "x2"))
    if a.rank < 2 or b.rank < 2 or not p >= 0:
        raise Decline(f"distances of {a.type} and {b.type} by the norm {p}")
    require_sizes("columns", b.shape[-1:], a.shape[-1:])
    (*outer, rows, width), (*_, columns, _) = a.shape, b.shape
    require_broadcast(*(const(np.zeros(shape[:-2]), DType.FP32) for shape in (a.shape, b.shape)))
    a = a.reshape((*outer, rows, 1, width))
    b = b.reshape((*b.shape[:-2], 1, columns, width))
    away = abs(a - b)
    axis = away.rank - 1
    if p == math.inf:
        norm = reduce_max(away, axis, nan_mode="PROPAGATE")
    else:
        norm = _norm(away, axis, p)
    return norm.reshape(norm.shape[:-1]).cast(result_dtype(match))


def _norm(size: Expr, axis: int, p: float) -> Expr:
    """The norm p of magnitudes along an axis."""
    if p == 0:
        apart = size > 0
        return reduce_sum(where(apart, 1, scalar(0, size)), axis)
    powers = size if p == 1 else size * size if p == 2 else mathematics.constant_power(size, p)
    total = reduce_sum(powers, axis)
    return total if p == 1 else _root(total) if p == 2 else mathematics.constant_power(total, 1 / p)


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
