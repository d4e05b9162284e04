"""exp(x) - 1 and log(1 + x), which cancel where x is small."""

from tosa_converter.rewriting.expr import Expr, exp, log, scalar, where
from tosa_converter.rewriting.rewrite import Match

NEAR = 0.125
# Near 0, these polynomials times x; the highest power comes first.
EXPM1 = (1 / 24, 1 / 6, 1 / 2, 1)
LOG1P = (-1 / 6, 1 / 5, -1 / 4, 1 / 3, -1 / 2, 1)
CANCELS = "{} is off by up to 2**-23 of 1, where the source's {} is exact: small results have few digits"


def expm1_below_zero(match: Match, x: Expr) -> Expr:
    """Returns exp(x) - 1 for x below 0, within 3e-6 of each result; in compact numerics EXP and SUB alone.

    Elements of 0 or more have any value.
    """
    # Down to -1/8 it is x + x**2/2 + x**3/6 + x**4/24. The first omitted term is x**5/120, for -1/8 a part of
    # (1/8)**4 / 120 = 2.1e-6 of x; four products and three sums, rounded to 2**-24 each, add 4e-7.
    # Further down, EXP may be off by (1 + |x|) * exp(x) * 2**-23 (2.6.6), at most 1.2e-7; SUB adds at most 6e-8. There
    # |exp(x) - 1| is at least 0.117, so that is a part of 1.6e-6.
    far = _exp_less_one(x)
    if match.options.numerics == "compact":
        match.note(CANCELS.format("exp(x) - 1", "expm1"))
        return far
    near = _polynomial(x, EXPM1)
    return where(x < -NEAR, far, near * x)


def expm1(match: Match, x: Expr) -> Expr:
    """Returns exp(x) - 1 within 3e-6 of each result below 1, further up within EXP's own precision."""
    # The series of `expm1_below_zero` is as near on both sides of 0. From 1/8 on, EXP is off by a part of
    # (1 + x) * 2**-23 of exp(x), which is 8.6 times exp(x) - 1 at 1/8 and ever less above: 1.2e-6 of the result.
    return _with_series(match, x, _exp_less_one(x), EXPM1, "exp(x) - 1", "expm1")


def log1p(match: Match, x: Expr) -> Expr:
    """Returns log(1 + x) within 3e-6 of each result."""
    # Within 1/8 of 0 it is x - x**2/2 + x**3/3 - x**4/4 + x**5/5 - x**6/6. What is omitted begins with x**7/7 and is at
    # most (1/8)**6 / 7 / (1 - 1/8) = 6.3e-7 of x, which is at most 1.07 times the result; the sums' rounding adds 4e-7.
    # Further out, 1 + x is rounded by a part of 2**-24, which moves the logarithm by 6e-8: at 1/8, where it is 0.118,
    # by 5.1e-7 of it; LOG may be off by 5 units in the last place (2.6.8), 6e-7 of the result.
    far = log(x + 1)
    return _with_series(match, x, far, LOG1P, "log(1 + x)", "log1p")


def _with_series(match: Match, x: Expr, far: Expr, series: tuple[float, ...], formula: str, function: str) -> Expr:
    """Returns a series times x near 0 and `far` elsewhere; in compact numerics `far` alone, with a note."""
    if match.options.numerics == "compact":
        match.note(CANCELS.format(formula, function))
        return far
    near = _polynomial(x, series)
    is_near = abs(x) < NEAR
    return where(is_near, near * x, far)


def _exp_less_one(x: Expr) -> Expr:
    return exp(x) - 1


def _polynomial(x: Expr, coefficients: tuple[float, ...]) -> Expr:
    """By Horner's rule, the highest power first."""
    first, *others = coefficients
    y = scalar(first, x)
    for coefficient in others:
        y = y * x + coefficient
    return y
