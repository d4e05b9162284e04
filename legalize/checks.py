"""Checks of several families of rules: the reason against a rule, or None."""

from tosa_converter.dtypes import DType
from tosa_converter.ir import Value
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import condition

# Choices of element types, as rules state them.
FLOATS = "fp32 fp16 bf16"
NUMBERS = f"{FLOATS} i32 i64"
STORED = f"{NUMBERS} i8 ui8 i16 bool"  # what can be moved
MOVED = f"{STORED} ui16 ui32"  # what no operator computes with
BYTES = "i8 ui8"


def is_quantized(value: Value) -> bool:
    """Returns whether a value's elements represent real numbers: integers of at most 16 bits with a scale."""
    return value.type.quant is not None and value.type.dtype.is_integer and value.type.dtype.bits <= 16


@condition("nothing is quantized")
def not_quantized(match: Match) -> str | None:
    """Returns which operand or result of the matched operator is quantized, a reason to decline it, or None."""
    for value in (*match.op.operands, *match.op.results):
        if is_quantized(value):
            return f"{value.name!r} is quantized ({value.type})"
    return None


@condition("floats, bool or integers of 32 or 64 bits")
def no_narrow_integers(match: Match) -> str | None:
    """Returns which operand or result has integers other than i32 and i64, a reason to decline the operator, or None.

    Those are quantized, or of types that TOSA's arithmetic doesn't take.
    """
    for value in (*match.op.operands, *match.op.results):
        dtype = value.type.dtype
        if dtype.is_integer and dtype not in (DType.I32, DType.I64):
            return f"{value.name!r} is of type {dtype.value}"
    return None


@condition("operands and results share one quantization")
def same_quantization(match: Match) -> str | None:
    """Returns a reason to decline an operator whose quantized operands and results have unlike scales or zero points.

    It returns None if they are alike; otherwise the elements would have to be rescaled.
    """
    values = (*match.op.operands, *match.op.results)
    quants = {value.type.quant for value in values if is_quantized(value)}
    return "the operands and results differ in quantization" if len(quants) > 1 else None
