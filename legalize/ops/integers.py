"""Integers taken apart into narrower ones, and joined from them."""

from tosa_converter.dtypes import DType
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.operators import reduce_sum


def split_bits(x: Expr, parts: int, dtype: DType) -> Expr:
    """Splits integers [...] into parts of a narrower type [..., parts], the lowest bits first."""
    x = x.cast(DType.I32).reshape((*x.shape, 1))
    shifts = const([dtype.bits * i for i in range(parts)], DType.I32)
    return (x >> shifts).cast(dtype)


def join_bits(x: Expr, bits: int, dtype: DType) -> Expr:
    """Joins parts [..., parts] of `bits` bits to integers of a wider type, the lowest bits first."""
    low = x.cast(DType.I32) & (1 << bits) - 1
    shifted = low << const([bits * i for i in range(x.shape[-1])], DType.I32)
    return reduce_sum(shifted, x.rank - 1).cast(dtype).reshape(x.shape[:-1])
