"""Integers as the bits that they are, whatever quantization they have: quotients, remainders, shifts, parts."""

from collections.abc import Callable

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.legalize.operands import held_in_32_bits
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import SIGNLESS, Build, Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops

UNSIGNED = {DType.UI8: 0xFF, DType.UI16: 0xFFFF}  # the bits of those narrower than i32
SIGNED = "i8 i16 i32"
WORDS = f"{SIGNED} ui8 ui16 ui32"


def in_i32(function: Callable[[Builder, Value, Value], Value]) -> Build:
    """A rewrite of two operands that is computed in i32; the result wraps."""

    def build(match: Match) -> Value:
        a, b = (_widened(match, i) for i in range(2))
        narrow = SIGNLESS.get(match.source(0).type.dtype, match.source(0).type.dtype)
        return held_in_32_bits(match, match.builder.cast(function(match.builder, a, b), narrow))

    build.__name__ = function.__name__
    return build


def _widened(match: Match, index: int) -> Value:
    build, dtype = match.builder, match.source(index).type.dtype
    x = build.cast(match[index], DType.I32)
    return build.binary(ops.BITWISE_AND, x, build.scalar(UNSIGNED[dtype], x)) if dtype in UNSIGNED else x


def floor_div(builder: Builder, a: Value, b: Value) -> Value:
    """FLOOR_DIV: INTDIV, less one where a remainder has the other sign."""
    quotient, _, exact, opposed = _divided(builder, a, b)
    less = builder.sub(quotient, builder.cast(opposed, DType.I32))
    return builder.select(exact, quotient, less)


def floor_mod(builder: Builder, a: Value, b: Value) -> Value:
    """FLOOR_MOD: what INTDIV leaves, plus the divisor if that has the other sign."""
    _, rest, exact, opposed = _divided(builder, a, b)
    more = builder.select(opposed, builder.add(rest, b), rest)
    return builder.select(exact, rest, more)


def _divided(builder: Builder, a: Value, b: Value) -> tuple[Value, Value, Value, Value]:
    """INTDIV, its remainder, and whether that is 0, and of another sign than the divisor."""
    quotient = builder.binary(ops.INTDIV, a, b)
    rest = builder.sub(a, builder.mul(quotient, b))
    zero = builder.scalar(0, rest)
    opposed = builder.binary(ops.GREATER, zero, builder.binary(ops.BITWISE_XOR, rest, b))
    return quotient, rest, builder.binary(ops.EQUAL, rest, zero), opposed


def bitwise_xor(match: Match) -> Value:
    """BITWISE_XOR."""
    return match.builder.binary(ops.BITWISE_XOR, match["lhs"], match["rhs"])


def right_shift(match: Match) -> Value:
    """RIGHT_SHIFT in i32 by 0 to a bit less than the type has; the amount is kept within (right_shift.cc)."""
    build, dtype = match.builder, match.source("lhs").type.dtype
    x, amount = _widened(match, 0), _widened(match, 1)
    most = build.scalar(dtype.bits - 1, amount)
    if dtype is DType.UI32:  # amounts from 2**31 on are below zero here
        small = build.binary(ops.GREATER_EQUAL, amount, build.scalar(0, amount))
        amount = build.select(small, build.minimum(amount, most), most)
        return build.binary(ops.LOGICAL_RIGHT_SHIFT, x, amount)
    amount = build.clamp(amount, 0, dtype.bits - 1)
    return build.cast(build.arithmetic_right_shift(x, amount), SIGNLESS.get(dtype, dtype))


def bitcast(match: Match) -> Value:
    """BITCAST between integers: to narrower ones their shifted parts, the lowest first; from narrower ones their sum.

    Raises:
        Decline: a float would have to be taken for bits, or elements of 64 bits, which TOSA doesn't have.
    """
    build, x = match.builder, match["input"]
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
    return _split(build, x, parts, held) if source.bits > target.bits else _joined(match, parts, held)


INTEGERS = (DType.I8, DType.UI8, DType.I16, DType.UI16, DType.I32, DType.UI32)
BITS = (*INTEGERS, DType.FP32, DType.FP16, DType.BF16)


def _of_constant(match: Match, target: DType) -> Value:
    x = match.constant("input")
    held = SIGNLESS.get(target, target)
    wide = target.bits > x.itemsize * 8
    if wide and (not x.ndim or x.shape[-1] * x.itemsize * 8 != target.bits):
        raise Decline(f"a last dimension of {x.shape[-1:]} elements don't make {target.value}")
    parts = x.itemsize * 8 // target.bits
    shape = x.shape[:-1] if wide else (*x.shape, parts) if parts > 1 else x.shape
    return match.builder.const(x.reshape(-1).view(held.numpy).reshape(shape), held)


def _split(builder: Builder, x: Value, parts: int, held: DType) -> Value:
    """[..., parts] of the low bits of x shifted right by the parts before."""
    x = builder.reshape(builder.cast(x, DType.I32), (*x.type.static, 1))
    amounts = builder.const([held.bits * i for i in range(parts)], DType.I32)
    return builder.cast(builder.arithmetic_right_shift(x, *builder.same_rank(amounts, x)[:1]), held)


def _joined(match: Match, parts: int, held: DType) -> Value:
    """The sum over the last dimension of the low bits shifted left."""
    build, x = match.builder, match["input"]
    bits = match.source("input").type.dtype.bits
    if not x.type.rank or x.type.static[-1] != parts:
        raise Decline(f"{x.type} for elements of {parts} parts")
    x = build.cast(x, DType.I32)
    x = build.binary(ops.BITWISE_AND, x, build.scalar((1 << bits) - 1, x))
    x = build.binary(ops.LOGICAL_LEFT_SHIFT, x, build.const([bits * i for i in range(parts)], DType.I32))
    whole = build.reduce(ops.REDUCE_SUM, x, x.type.rank - 1)
    return build.reshape(build.cast(whole, held), x.type.static[:-1])


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.floor_div", SIGNED, in_i32(floor_div)),
    Rewrite("tfl.floor_mod", f"{SIGNED} i64", in_i32(floor_mod)),
    Rewrite("tfl.bitwise_xor", WORDS, bitwise_xor),
    Rewrite("tfl.right_shift", WORDS, right_shift),
    Rewrite("tfl.bitcast", f"{WORDS} fp32 fp16 bf16", bitcast),
)
