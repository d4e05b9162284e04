"""CAST between every pair of types that both formats have (cast.cc)."""

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.checks import STORED
from tosa_converter.legalize.operands import held_in_32_bits, narrowed
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import SIGNLESS, Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops

WIDE = (DType.I32, DType.I64)
UNSIGNED_MAX = {DType.UI8: 0xFF, DType.UI16: 0xFFFF}
FLOATS = (DType.FP32, DType.FP16, DType.BF16)


def cast(match: Match) -> Value:
    """CAST: floats are truncated towards zero and saturate as integers, integers wrap, bool is 0 or 1."""
    source, target = match.source("input").type.dtype, match.op.results[0].type.dtype
    for dtype in (source, target):
        if dtype not in (*FLOATS, *WIDE, *UNSIGNED_MAX, DType.BOOL, DType.I8, DType.I16):
            raise Decline(f"a cast between {source.value} and {target.value}")
    return converted(match, match["input"], source, target)


def converted(match: Match, x: Value, source: DType, target: DType) -> Value:
    """Elements of a type of the source in another one of its types."""
    builder = match.builder
    if source is DType.BOOL:
        return _from_bool(builder, x, SIGNLESS.get(target, target))
    if target is DType.BOOL:
        return _nonzero(builder, x)
    if {source, target} == {DType.FP16, DType.BF16}:  # no CAST between the two
        return builder.cast(builder.cast(x, DType.FP32), target)
    if source in FLOATS:
        if target is DType.I64 and x.constant is not None:
            return builder.const(narrowed(np.trunc(x.constant)), DType.I32)
        return builder.cast(x, target) if target in FLOATS else held_in_32_bits(match, _truncated(builder, x, target))
    if source in UNSIGNED_MAX and (target in FLOATS or target.bits > source.bits):
        x = builder.cast(x, DType.I32)
        x = builder.binary(ops.BITWISE_AND, x, builder.scalar(UNSIGNED_MAX[source], x))
    return builder.cast(x, SIGNLESS.get(target, target))


def _from_bool(builder: Builder, x: Value, target: DType) -> Value:
    if target not in FLOATS:
        return builder.cast(x, target)
    return builder.select(x, builder.const(1, target), builder.const(0, target))


def _nonzero(builder: Builder, x: Value) -> Value:
    if x.type.dtype not in FLOATS:
        return builder.cast(x, DType.BOOL)
    return builder.unary(ops.LOGICAL_NOT, builder.binary(ops.EQUAL, x, builder.scalar(0, x)))


def _truncated(builder: Builder, x: Value, target: DType) -> Value:
    """TOSA's CAST rounds to the nearest and saturates, so the fraction goes first."""
    positive = builder.binary(ops.GREATER_EQUAL, x, builder.scalar(0, x))
    whole = builder.select(positive, builder.unary(ops.FLOOR, x), builder.unary(ops.CEIL, x))
    if target in UNSIGNED_MAX:
        clamped = builder.clamp(builder.cast(whole, DType.I32), 0, UNSIGNED_MAX[target])
        return builder.cast(clamped, SIGNLESS[target])
    return builder.cast(whole, SIGNLESS.get(target, target))


REWRITES: tuple[Rewrite, ...] = (Rewrite("tfl.cast", f"{STORED} ui16", cast),)
