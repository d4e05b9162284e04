"""Integers as the bits that they are, whatever quantization they have: quotients, remainders, shifts, parts."""

from collections.abc import Callable

from tosa_converter.dtypes import SIGNLESS, DType
from tosa_converter.legalize.constant_operands import held_in_32_bits
from tosa_converter.legalize.ops.casts import convert
from tosa_converter.legalize.ops.elementwise import floor_div, floor_mod
from tosa_converter.legalize.ops.integers import join_bits, split_bits
from tosa_converter.rewriting.expr import Expr, clamp, const, logical_right_shift, minimum, scalar, where
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Build, Rule

SIGNED = "i8 i16 i32"
WORDS = f"{SIGNED} ui8 ui16 ui32"


def in_i32(function: Callable[[Expr, Expr], Expr]) -> Build:
    """Returns a build function that computes two operands in i32; the result wraps to the operand's type."""

    def build(match: Match) -> Expr:
        """Computes the function on both operands in i32, and converts the result to the first operand's type."""
        a, b = (_in_i32(match, i) for i in range(2))
        return held_in_32_bits(match, convert(function(a, b), DType.I32, match.source(0).type.dtype))

    return build


def _in_i32(match: Match, index: int) -> Expr:
    """Returns an operand in i32; unsigned integers keep their value, except ui32 from 2**31 on."""
    return convert(match[index], match.source(index).type.dtype, DType.I32)


def bitwise_xor(match: Match) -> Expr:
    """Lowers BITWISE_XOR to the same operator of TOSA."""
    return match["lhs"] ^ match["rhs"]


def right_shift(match: Match) -> Expr:
    """Lowers RIGHT_SHIFT; shift amounts are clamped to 0 and the type's bits less 1 (right_shift.cc)."""
    dtype = match.source("lhs").type.dtype
    x, amount = _in_i32(match, 0), _in_i32(match, 1)
    # As i32, the amounts from 2**31 on are negative; they count as the largest, 31, like every amount above it.
    if dtype is DType.UI32:
        most = scalar(dtype.bits - 1, amount)
        return logical_right_shift(x, where(amount >= 0, minimum(amount, most), most))
    return (x >> clamp(amount, 0, dtype.bits - 1)).cast(SIGNLESS.get(dtype, dtype))


def bitcast(match: Match) -> Expr:
    """Lowers BITCAST between integers: wide elements are split into parts, the lowest first, or joined from them.

    Raises:
        Decline: the bits of floats would have to be reinterpreted, or elements have 64 bits, which TOSA lacks.
    """
    x = match["input"]
    source, target = match.source("input").type.dtype, match.op.results[0].type.dtype
    dtype = SIGNLESS.get(target, target)
    if x.constant is not None and source in BITS and target in BITS:
        return _bitcast_constant(match, target)
    if source is target:
        return x
    if not (source in INTEGERS and target in INTEGERS):
        raise Decline(
            f"expected a cast between integers of up to 32 bits, found {source.value} to {target.value}: "
            "TOSA can't reinterpret other bits"
        )
    parts = max(source.bits, target.bits) // min(source.bits, target.bits)
    if parts == 1:
        return x
    if source.bits > target.bits:
        return split_bits(x, parts, dtype)
    if not x.rank or x.shape[-1] != parts:
        raise Decline(f"expected a last dimension of {parts} elements for each {target.value}, found {x.type}")
    return join_bits(x, source.bits, dtype)


INTEGERS = (DType.I8, DType.UI8, DType.I16, DType.UI16, DType.I32, DType.UI32)
BITS = (*INTEGERS, DType.FP32, DType.FP16, DType.BF16)


def _bitcast_constant(match: Match, target: DType) -> Expr:
    """Returns BITCAST of a constant: its bytes, read as elements of another type."""
    x, dtype = match.constant("input"), SIGNLESS.get(target, target)
    source_bits = x.itemsize * 8
    if target.bits > source_bits:
        if not x.ndim or x.shape[-1] * source_bits != target.bits:
            raise Decline(f"expected a last dimension that makes one {target.value}, found shape {list(x.shape)}")
        shape = x.shape[:-1]
    else:
        parts = source_bits // target.bits
        shape = (*x.shape, parts) if parts > 1 else x.shape
    return const(x.reshape(-1).view(dtype.numpy).reshape(shape), dtype)


RULES: tuple[Rule, ...] = (
    Rule("tfl.floor_div", SIGNED, in_i32(floor_div)),
    Rule("tfl.floor_mod", f"{SIGNED} i64", in_i32(floor_mod)),
    Rule("tfl.bitwise_xor", WORDS, bitwise_xor),
    Rule("tfl.right_shift", WORDS, right_shift),
    Rule("tfl.bitcast", f"{WORDS} fp32 fp16 bf16", bitcast),
)
