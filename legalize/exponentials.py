"""exp(x) - 1 below 0, which cancels where x is small."""

from tosa_converter.ir import Value
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import Match
from tosa_converter.schemas import tosa_ops as ops

NEAR = 0.125
CANCELS = "exp(x) - 1 is off by up to 2**-23 of 1, where LiteRT's expm1 is exact: small results have few digits"


def expm1_below_zero(match: Match, x: Value) -> Value:
    """Returns exp(x) - 1 for x below 0, within 3e-6 of each result; in compact numerics EXP and SUB alone.

    Elements of 0 or more have any value.
    """
    # Down to -1/8 it is x + x**2/2 + x**3/6 + x**4/24. The first omitted term is x**5/120, for -1/8 a part of
    # (1/8)**4 / 120 = 2.1e-6 of x; four products and three sums, rounded to 2**-24 each, add 4e-7.
    # Further down, EXP may be off by (1 + |x|) * exp(x) * 2**-23 (2.6.6), at most 1.2e-7; SUB adds at most 6e-8. There
    # |exp(x) - 1| is at least 0.117, so that is a part of 1.6e-6.
    build = match.builder
    far = build.sub(build.unary(ops.EXP, x), build.scalar(1, x))
    if match.options.numerics == "compact":
        match.note(CANCELS)
        return far
    near = _polynomial(build, x, (1 / 24, 1 / 6, 1 / 2, 1))
    return build.select(build.binary(ops.GREATER, build.scalar(-NEAR, x), x), far, build.mul(near, x))


def _polynomial(build: Builder, x: Value, coefficients: tuple[float, ...]) -> Value:
    """By Horner's rule, the highest power first."""
    first, *others = coefficients
    y = build.scalar(first, x)
    for coefficient in others:
        y = build.add(build.mul(y, x), build.scalar(coefficient, x))
    return y
