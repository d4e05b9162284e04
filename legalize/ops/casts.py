"""Casts between the element types of a source, and functions that are computed in fp32."""

from collections.abc import Callable

import numpy as np

from tosa_converter.dtypes import SIGNLESS, DType
from tosa_converter.legalize.limits import narrowed
from tosa_converter.legalize.ops.elementwise import truncate
from tosa_converter.rewriting.expr import Expr, clamp, const, same_rank, where

UNSIGNED_MAX = {DType.UI8: 0xFF, DType.UI16: 0xFFFF}


def in_fp32(function: Callable[..., Expr]) -> Callable[..., Expr]:
    """Returns a function that computes fp16 and bf16 operands in fp32; integers are computed as they are."""

    def compute(*operands: Expr) -> Expr:
        """Computes the function in fp32 and casts the result to the first operand's type."""
        dtype = operands[0].dtype
        if not dtype.is_float:
            return function(*operands)
        return function(*(operand.cast(DType.FP32) for operand in same_rank(*operands))).cast(dtype)

    return compute


def convert(x: Expr, source: DType, target: DType) -> Expr:
    """Casts elements from one source type to another; TOSA stores i64 as i32 and has no unsigned types.

    Floats are truncated towards zero and saturate as integers, integers wrap, and booleans are 0 and 1.

    Args:
        x: the elements, in the type that stands for `source`.
        source: the type that the source states for them.
        target: the type that it states for the result.

    Raises:
        Decline: a constant doesn't fit 32 bits.
    """
    stored = SIGNLESS.get(target, target)
    if source is DType.BOOL:
        return where(x, const(1, target), const(0, target)) if target.is_float else x.cast(stored)
    if target is DType.BOOL:
        return x != 0 if source.is_float else x.cast(DType.BOOL)
    if {source, target} == {DType.FP16, DType.BF16}:  # TOSA has no CAST between them
        return x.cast(DType.FP32).cast(target)
    if source.is_float and not target.is_float:
        if target is DType.I64 and x.constant is not None:
            return const(narrowed(np.trunc(x.constant)), DType.I32)
        return _truncate_to(x, target)
    if source in UNSIGNED_MAX and (target.is_float or target.bits > source.bits):
        x = x.cast(DType.I32) & UNSIGNED_MAX[source]
    return x.cast(stored)


def _truncate_to(x: Expr, target: DType) -> Expr:
    """Returns floats as integers; TOSA's CAST rounds to the nearest and saturates, so the fraction goes first."""
    whole = truncate(x)
    if target in UNSIGNED_MAX:
        whole = clamp(whole.cast(DType.I32), 0, UNSIGNED_MAX[target])
    return whole.cast(SIGNLESS.get(target, target))
