"""CONCATENATION of quantized int16 tensors."""

from tosa_converter.legalize.checks import same_quantization
from tosa_converter.legalize.limits import normalized_axis
from tosa_converter.legalize.quant.elements import not_sixteen_bit
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.operators import concat
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite, condition
from tosa_converter.schemas import tflite
from tosa_converter.schemas.tflite import ActivationFunctionType


def concatenation(match: Match) -> Expr:
    """CONCATENATION -> CONCAT: the kernel (concatenation.cc) copies the stored values whatever their scales."""
    options = match.attributes(tflite.ConcatenationOptions)
    if options.fused_activation_function is not ActivationFunctionType.NONE:
        raise Decline("a fused activation, which LiteRT refuses")
    match.note("operands on other scales than the result's are copied as they are, as LiteRT's kernel does")
    parts = [match[i] for i in range(len(match.op.inputs))]
    return concat(parts, normalized_axis(options.axis, parts[0].rank))


@condition("operands and result are of 16 bits with one scale each, not all the same")
def several_scales(match: Match) -> str | None:
    """Against other operands, and against one scale for all, which is another rewrite's."""
    reason = not_sixteen_bit((*match.op.operands, match.op.results[0]))
    return "all operands have the result's scale" if reason is None and same_quantization(match) is None else reason


REWRITES: tuple[Rewrite, ...] = (Rewrite("tfl.concatenation", "i16", concatenation, (several_scales,)),)
