"""Integers as the bits that they are, whatever quantization they have: quotients, remainders, shifts, parts."""

from collections.abc import Callable

from tosa_converter.dtypes import DType
from tosa_converter.legalize.operands import held_in_32_bits
from tosa_converter.legalize.ops.elementwise import floor_div, floor_mod
from tosa_converter.rewriting.expr import (
    Expr,
    clamp,
    const,
    logical_right_shift,
    minimum,
    scalar,
    where,
)
from tosa_converter.rewriting.operators import reduce_sum
from tosa_converter.rewriting.rewrite import SIGNLESS, Build, Decline, Match, Rewrite

UNSIGNED = {DType.UI8: 0xFF, DType.UI16: 0xFFFF}  # the bits of those narrower than i32
SIGNED = "i8 i16 i32"
WORDS = f"{SIGNED} ui8 ui16 ui32"


def in_i32(function: Callable[[Expr, Expr], Expr]) -> Build:
    """A rewrite of two operands that is computed in i32; the result wraps."""

    def build(match: Match) -> Expr:
        a, b = (_widened(match, i) for i in range(2))
        narrow = SIGNLESS.get(match.source(0).type.dtype, match.source(0).type.dtype)
        return held_in_32_bits(match, function(a, b).cast(narrow))

    return build


def _widened(match: Match, index: int) -> Expr:
    dtype = match.source(index).type.dtype
    x = match[index].cast(DType.I32)
    return x & UNSIGNED[dtype] if dtype in UNSIGNED else x


def bitwise_xor(match: Match) -> Expr:
    """BITWISE_XOR."""
    return match["lhs"] ^ match["rhs"]


def right_shift(match: Match) -> Expr:
    """RIGHT_SHIFT in i32 by 0 to a bit less than the type has; the amount is kept within (right_shift.cc)."""
    dtype = match.source("lhs").type.dtype
    x, amount = _widened(match, 0), _widened(match, 1)
    most = scalar(dtype.bits - 1, amount)
    if dtype is DType.UI32:  # amounts from 2**31 on are below zero here
        small = amount >= 0
        amount = where(small, minimum(amount, most), most)
        return logical_right_shift(x, amount)
    amount = clamp(amount, 0, dtype.bits - 1)
    return (x >> amount).cast(SIGNLESS.get(dtype, dtype))


def bitcast(match: Match) -> Expr:
    """BITCAST between integers: to narrower ones their shifted parts, the lowest first; from narrower ones their sum.

    Raises:
        Decline: a float would have to be taken for bits, or elements of 64 bits, which TOSA doesn't have.
    """
    x = match["input"]
    source, target = match.source("input").type.dtype, match.op.results[0].type.dtype
    held = SIGNLESS.get(target, target)
    if x.constant is not None and source in BITS and target in BITS:
        return _of_constant(match, target)
    if source is target:
        return x
    if not (source in INTEGERS and target in INTEGERS):
        raise Decline(f"no operator of TOSA takes the bits of {source.value} for {target.value}")
    parts = max(source.bits, target.bits) // min(source.bits, target.bits)
    if parts == 1:
        return x
    return _split(x, parts, held) if source.bits > target.bits else _joined(match, parts, held)


INTEGERS = (DType.I8, DType.UI8, DType.I16, DType.UI16, DType.I32, DType.UI32)
BITS = (*INTEGERS, DType.FP32, DType.FP16, DType.BF16)


def _of_constant(match: Match, target: DType) -> Expr:
    x = match.constant("input")
    held = SIGNLESS.get(target, target)
    wide = target.bits > x.itemsize * 8
    if wide and (not x.ndim or x.shape[-1] * x.itemsize * 8 != target.bits):
        raise Decline(f"a last dimension of {x.shape[-1:]} elements don't make {target.value}")
    parts = x.itemsize * 8 // target.bits
    shape = x.shape[:-1] if wide else (*x.shape, parts) if parts > 1 else x.shape
    return const(x.reshape(-1).view(held.numpy).reshape(shape), held)


def _split(x: Expr, parts: int, held: DType) -> Expr:
    """[..., parts] of the low bits of x shifted right by the parts before."""
    x = x.cast(DType.I32).reshape((*x.shape, 1))
    amounts = const([held.bits * i for i in range(parts)], DType.I32)
    return (x >> amounts).cast(held)


def _joined(match: Match, parts: int, held: DType) -> Expr:
    """The sum over the last dimension of the low bits shifted left."""
    x = match["input"]
    bits = match.source("input").type.dtype.bits
    if not x.rank or x.shape[-1] != parts:
        raise Decline(f"{x.type} for elements of {parts} parts")
    x = x.cast(DType.I32)
    x = x & (1 << bits) - 1
    x = x << const([bits * i for i in range(parts)], DType.I32)
    whole = reduce_sum(x, x.rank - 1)
    return whole.cast(held).reshape(x.shape[:-1])


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.floor_div", SIGNED, in_i32(floor_div)),
    Rewrite("tfl.floor_mod", f"{SIGNED} i64", in_i32(floor_mod)),
    Rewrite("tfl.bitwise_xor", WORDS, bitwise_xor),
    Rewrite("tfl.right_shift", WORDS, right_shift),
    Rewrite("tfl.bitcast", f"{WORDS} fp32 fp16 bf16", bitcast),
)
