"""MEAN, SUM, REDUCE_MAX and REDUCE_MIN on int16 elements (reduce.cc, reference/reduce.h)."""

from tosa_converter.ir import Value
from tosa_converter.legalize.checks import same_quantization
from tosa_converter.legalize.tflite.quantized import reduce as quantized
from tosa_converter.legalize.tflite.quantized.common import as_reference
from tosa_converter.legalize.tflite.sixteen_bit.common import shared, sixteen_bit
from tosa_converter.rewriting.rewrite import Match, Rewrite


def sum_(match: Match) -> Value:
    """SUM -> RESCALE, REDUCE_SUM, RESCALE (QuantizedMeanOrSum, as the mean)."""
    match.note("LiteRT's reference kernel of before 2026 sums bytes and leaves half the result; this sums elements")
    return quantized.scaled_sum(match, 1)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.mean", "i16", shared(quantized.mean), (sixteen_bit(0), as_reference)),
    Rewrite("tfl.sum", "i16", sum_, (sixteen_bit(0), as_reference)),
    Rewrite("tfl.reduce_prod", "i16", shared(quantized.reduce_prod), (sixteen_bit(0), as_reference)),
    Rewrite("tfl.reduce_max", "i16", shared(quantized.reduce_max), (sixteen_bit(0, plain=True), same_quantization)),
    Rewrite("tfl.reduce_min", "i16", shared(quantized.reduce_min), (sixteen_bit(0, plain=True), same_quantization)),
)
