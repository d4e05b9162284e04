"""CAST between every pair of types that both formats have (cast.cc)."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import STORED
from tosa_converter.legalize.operands import held_in_32_bits, narrowed
from tosa_converter.rewriting.expr import Expr, ceil, clamp, const, floor, where
from tosa_converter.rewriting.rewrite import SIGNLESS, Decline, Match, Rewrite, condition

WIDE = (DType.I32, DType.I64)
UNSIGNED_MAX = {DType.UI8: 0xFF, DType.UI16: 0xFFFF}
FLOATS = (DType.FP32, DType.FP16, DType.BF16)


def cast(match: Match) -> Expr:
    """CAST: floats are truncated towards zero and saturate as integers, integers wrap, bool is 0 or 1."""
    source, target = match.source("input").type.dtype, match.op.results[0].type.dtype
    for dtype in (source, target):
        if dtype not in (*FLOATS, *WIDE, *UNSIGNED_MAX, DType.BOOL, DType.I8, DType.I16):
            raise Decline(f"a cast between {source.value} and {target.value}")
    return converted(match, match["input"], source, target)


def converted(match: Match, x: Expr, source: DType, target: DType) -> Expr:
    """Elements of a type of the source in another one of its types."""
    if source is DType.BOOL:
        return _from_bool(x, SIGNLESS.get(target, target))
    if target is DType.BOOL:
        return _nonzero(x)
    if {source, target} == {DType.FP16, DType.BF16}:  # no CAST between the two
        return x.cast(DType.FP32).cast(target)
    if source in FLOATS:
        if target is DType.I64 and x.constant is not None:
            return const(narrowed(np.trunc(x.constant)), DType.I32)
        return x.cast(target) if target in FLOATS else held_in_32_bits(match, _truncated(x, target))
    if source in UNSIGNED_MAX and (target in FLOATS or target.bits > source.bits):
        x = x.cast(DType.I32)
        x = x & UNSIGNED_MAX[source]
    return x.cast(SIGNLESS.get(target, target))


def _from_bool(x: Expr, target: DType) -> Expr:
    if target not in FLOATS:
        return x.cast(target)
    return where(x, const(1, target), const(0, target))


def _nonzero(x: Expr) -> Expr:
    if x.dtype not in FLOATS:
        return x.cast(DType.BOOL)
    return ~(x == 0)


def _truncated(x: Expr, target: DType) -> Expr:
    """TOSA's CAST rounds to the nearest and saturates, so the fraction goes first."""
    positive = x >= 0
    whole = where(positive, floor(x), ceil(x))
    if target in UNSIGNED_MAX:
        clamped = clamp(whole.cast(DType.I32), 0, UNSIGNED_MAX[target])
        return clamped.cast(SIGNLESS[target])
    return whole.cast(SIGNLESS.get(target, target))


def dequantize_half(match: Match) -> Expr:
    """DEQUANTIZE of fp16 elements widens them; constant weights are folded."""
    return match["input"].cast(DType.FP32)


@condition("from fp16")
def _is_half(match: Match) -> str | None:
    dtype = match.source(0).type.dtype
    return None if dtype is DType.FP16 else f"the operand is of type {dtype.value}, not fp16"


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.cast", f"{STORED} ui16", cast),
    Rewrite("tfl.dequantize", "fp16", dequantize_half, (_is_half,)),
)
