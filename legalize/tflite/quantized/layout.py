"""CONCATENATION of 8-bit quantized tensors."""

import numpy as np

from tosa_converter.ir import Array
from tosa_converter.legalize.checks import BYTES, same_quantization
from tosa_converter.legalize.limits import normalized_axis
from tosa_converter.legalize.quant.elements import (
    INT8_MAX,
    INT8_MIN,
    Operand,
    Target8,
    as_reference,
    emit_table,
    not_eight_bit,
    per_tensor,
    target8,
)
from tosa_converter.legalize.quant.multipliers import round_away
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.operators import concat
from tosa_converter.rewriting.rewrite import Decline, Key, Match, Rewrite, condition
from tosa_converter.schemas import tflite
from tosa_converter.schemas.tflite import ActivationFunctionType


def concatenation(match: Match) -> Expr:
    """CONCATENATION -> CONCAT; operands on another scale go through a TABLE.

    ConcatenationWithScaling (concatenation.h) does that for uint8. The int8 kernel refuses it; the same is done.
    """
    to, options = target8(match), match.attributes(tflite.ConcatenationOptions)
    if options.fused_activation_function is not ActivationFunctionType.NONE:
        raise Decline("a fused activation, which LiteRT refuses")
    parts = [requantized_operand(match, i, to) for i in range(len(match.op.inputs))]
    return concat(parts, normalized_axis(options.axis, parts[0].rank))


def requantized_operand(match: Match, index: Key, to: Target8) -> Expr:
    """The operand on the result's scale, in float32 as the kernel has it."""
    x = match[index]
    scale, zero_point = per_tensor(match.quant(index), to.unsigned)
    if (scale, zero_point) == (to.scale, to.zero_point):
        return x
    table = requantized_values(Operand(x, scale, zero_point), to)
    return emit_table(x, table, from_unsigned=to.unsigned, to_unsigned=to.unsigned)


def requantized_values(x: Operand, to: Target8) -> Array:
    """The stored results for the stored values -128 to 127; the float arithmetic is on those of uint8 if they are."""
    origin = 128 if to.unsigned else 0
    scale = x.scale * (np.float32(1) / to.scale)
    bias = np.float32(-(x.zero_point + origin)) * scale
    stored = np.arange(INT8_MIN, INT8_MAX + 1) + origin
    real = round_away(stored.astype(np.float32) * scale + bias)
    return np.clip(real + to.zero_point, INT8_MIN, INT8_MAX).astype(np.int8)


@condition("operands and result are 8-bit with one scale each, not all the same")
def all_narrow(match: Match) -> str | None:
    """Against operands or a result other than 8-bit with one scale, and against a single type and scale for all."""
    reason = not_eight_bit((*match.op.operands, match.op.results[0]))
    if reason is None and same_quantization(match) is None:
        return "all operands have the result's quantization"
    return reason


REWRITES: tuple[Rewrite, ...] = (Rewrite("tfl.concatenation", BYTES, concatenation, (all_narrow, as_reference)),)
