"""CAST of TFLite between every pair of types that both formats have (cast.cc)."""

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import STORED
from tosa_converter.legalize.constant_operands import held_in_32_bits
from tosa_converter.legalize.ops.casts import convert
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule, condition

CASTABLE = frozenset(map(DType, f"{STORED} ui16".split()))


def cast(match: Match) -> Expr:
    """Lowers CAST between the types that TFLite and TOSA share (cast.cc).

    Floats that become i64 are cast to 32 bits, with a note.
    """
    source, target = match.source("input").type.dtype, match.op.results[0].type.dtype
    for dtype in (source, target):
        if dtype not in CASTABLE:
            raise Decline(f"expected a cast between types of TOSA, found {source.value} to {target.value}")
    converted = convert(match["input"], source, target)
    return held_in_32_bits(match, converted) if source.is_float else converted


def dequantize_half(match: Match) -> Expr:
    """Lowers DEQUANTIZE of fp16 to a CAST; constant weights are folded."""
    return match["input"].cast(DType.FP32)


@condition("the operand is fp16")
def _is_half(match: Match) -> str | None:
    """Declines an operand that isn't fp16."""
    dtype = match.source(0).type.dtype
    return None if dtype is DType.FP16 else f"expected an operand of fp16, found {dtype.value}"


RULES: tuple[Rule, ...] = (
    Rule("tfl.cast", f"{STORED} ui16", cast),
    Rule("tfl.dequantize", "fp16", dequantize_half, (_is_half,)),
)
