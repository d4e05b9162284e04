"""MEAN, SUM, REDUCE_MAX and REDUCE_MIN on int16 elements (reduce.cc, reference/reduce.h)."""

from tosa_converter.legalize.checks import same_quantization
from tosa_converter.legalize.quant.elements import as_reference, sixteen_bit
from tosa_converter.legalize.tflite.quantized import reduce as quantized
from tosa_converter.rewriting.rewrite import Rewrite

REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.mean", "i16", quantized.mean, (sixteen_bit(0), as_reference)),
    Rewrite("tfl.sum", "i16", quantized.sum_, (sixteen_bit(0), as_reference)),
    Rewrite("tfl.reduce_prod", "i16", quantized.reduce_prod, (sixteen_bit(0), as_reference)),
    Rewrite("tfl.reduce_max", "i16", quantized.reduce_max, (sixteen_bit(0, plain=True), same_quantization)),
    Rewrite("tfl.reduce_min", "i16", quantized.reduce_min, (sixteen_bit(0, plain=True), same_quantization)),
)
