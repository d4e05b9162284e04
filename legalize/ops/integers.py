"""Arithmetic of i32 that rounds down, and integers taken apart into narrower ones."""

from tosa_converter.dtypes import DType
from tosa_converter.rewriting.expr import Expr, const, intdiv, where
from tosa_converter.rewriting.operators import reduce_sum


def floor_div(a: Expr, b: Expr) -> Expr:
    """Returns a / b rounded down: INTDIV, less 1 where the remainder has another sign than b: -7 / 2 is -3 - 1."""
    quotient, _, is_exact, is_opposed = _divide(a, b)
    return where(is_exact, quotient, quotient - is_opposed.cast(DType.I32))


def floor_mod(a: Expr, b: Expr) -> Expr:
    """Returns what the division that rounds down leaves, with the sign of b: -7 mod 2 is -1 + 2."""
    _, rest, is_exact, is_opposed = _divide(a, b)
    corrected = rest + where(is_opposed, b, 0)  # of equal signs, rest + b might overflow
    return where(is_exact, rest, corrected)


def _divide(a: Expr, b: Expr) -> tuple[Expr, Expr, Expr, Expr]:
    """Returns the quotient rounded towards 0, the remainder, whether that is 0, and whether its sign isn't b's."""
    quotient = intdiv(a, b)
    rest = a - quotient * b
    is_opposed = rest ^ b < 0
    return quotient, rest, rest == 0, is_opposed


def split_bits(x: Expr, parts: int, dtype: DType) -> Expr:
    """Returns integers [...] as parts [..., parts] of a narrower type, the lowest bits first."""
    x = x.cast(DType.I32).reshape((*x.shape, 1))
    shifts = const([dtype.bits * i for i in range(parts)], DType.I32)
    return (x >> shifts).cast(dtype)


def join_bits(x: Expr, bits: int, dtype: DType) -> Expr:
    """Returns integers of a wider type whose parts are the low `bits` of x [..., parts], the lowest first."""
    low = x.cast(DType.I32) & (1 << bits) - 1
    shifted = low << const([bits * i for i in range(x.shape[-1])], DType.I32)
    return reduce_sum(shifted, x.rank - 1).cast(dtype).reshape(x.shape[:-1])
