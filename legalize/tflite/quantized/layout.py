"""CONCATENATION of quantized tensors of 8 or 16 bits on several scales."""

from collections.abc import Callable

import numpy as np

from tosa_converter.ir import Array
from tosa_converter.legalize.checks import BYTES, same_quantization
from tosa_converter.legalize.limits import normalized_axis
from tosa_converter.legalize.quant.elements import (
    INT8_MAX,
    INT8_MIN,
    VALUES,
    Affine,
    OutputQuant,
    as_reference,
    emit_table,
    not_eight_bit,
    not_sixteen_bit,
    output_quant,
    per_tensor,
)
from tosa_converter.legalize.quant.multipliers import round_away
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Key, Match
from tosa_converter.rewriting.operators import concat
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule, condition
from tosa_converter.schemas import tflite
from tosa_converter.schemas.tflite import ActivationFunctionType


def concatenation(match: Match) -> Expr:
    """Lowers CONCATENATION to CONCAT; 8-bit operands on other scales than the result's go through a TABLE.

    LiteRT does so for uint8 (ConcatenationWithScaling, concatenation.h), and refuses int8, which is treated alike.
    """
    output = output_quant(match)
    return _join_operands(match, lambda i: _on_result_scale(match, i, output))


def concatenation_i16(match: Match) -> Expr:
    """Lowers CONCATENATION of several scales to CONCAT: LiteRT's kernel copies int16 elements whatever the scales.

    See concatenation.cc.
    """
    joined = _join_operands(match, match.__getitem__)
    match.note("operands with other scales than the output are copied without rescaling, as LiteRT's kernel does")
    return joined


def _join_operands(match: Match, part_of: Callable[[int], Expr]) -> Expr:
    """Returns CONCATENATION of part_of(i) for each operand number i; declines a fused activation."""
    options = match.attributes(tflite.ConcatenationOptions)
    if options.fused_activation_function is not ActivationFunctionType.NONE:
        raise Decline("expected no fused activation: LiteRT refuses it")
    parts = [part_of(i) for i in range(len(match.op.inputs))]
    return concat(parts, normalized_axis(options.axis, parts[0].rank))


def _on_result_scale(match: Match, key: Key, output: OutputQuant) -> Expr:
    """Returns an 8-bit operand brought to the result's scale by a TABLE, or unchanged if it has that scale."""
    x, quant = match[key], per_tensor(match.quant(key), output.unsigned)
    if quant == output[:2]:
        return x
    return emit_table(x, _requantized_values(quant, output), from_unsigned=output.unsigned, to_unsigned=output.unsigned)


def _requantized_values(x: Affine, output: OutputQuant) -> Array:
    """Returns the 256 TABLE entries from an operand's scale to the result's, in the kernel's float32."""
    # A stored 10 with zero point 2 on a scale of 0.5, to a scale of 1 and zero point 3: 10 * 0.5 + (-2 * 0.5) = 4, and
    # 7 is stored. The kernel rounds the bias, the product and their sum to float32 one by one.
    origin = 128 if output.unsigned else 0  # the kernel computes with stored values of 0 to 255 for uint8
    scale = x.scale * (np.float32(1) / output.scale)
    bias = np.float32(-(x.zero_point + origin)) * scale
    real = round_away((VALUES + origin).astype(np.float32) * scale + bias)
    return np.clip(real + output.zero_point, INT8_MIN, INT8_MAX).astype(np.int8)


@condition("operands and result are 8-bit with one scale each, not all the same")
def all_narrow(match: Match) -> str | None:
    """Declines CONCATENATION unless its tensors are of 8 bits with one scale each, and not all on the same one."""
    reason = not_eight_bit((*match.op.operands, match.op.results[0]))
    if reason is None and same_quantization(match) is None:
        return "expected operands that differ from the result in scale or zero point, found none"
    return reason


@condition("operands and result are of 16 bits with one scale each, not all the same")
def several_scales(match: Match) -> str | None:
    """Declines CONCATENATION unless its tensors are int16 with one scale each, and not all on the same one."""
    reason = not_sixteen_bit((*match.op.operands, match.op.results[0]))
    return (
        "expected operands that differ from the result in scale, found none"
        if reason is None and same_quantization(match) is None
        else reason
    )


RULES: tuple[Rule, ...] = (
    Rule("tfl.concatenation", BYTES, concatenation, (all_narrow, as_reference)),
    Rule("tfl.concatenation", "i16", concatenation_i16, (several_scales,)),
)
