"""FULLY_CONNECTED of floats by weights of 4 or 2 bits with a scale for each block of a row.

LiteRT's optimized kernel and XNNPACK's (qd8_f32_qb4w) compute them alike: each row of the input is quantized to int8
with a zero point; then the integer sums of the blocks, each times its scale, are added. XNNPACK rounds the scales from
fp16 to bf16 first. The reference kernel gives zeros, and the optimized one forgets the fused activation.
"""

import math

from tosa_converter.dtypes import DType
from tosa_converter.legalize.ops.matrix import row_count
from tosa_converter.legalize.quant.weights import block_scales, has_blocks, stored_weights
from tosa_converter.legalize.tflite.activation import Fused, vector_activation
from tosa_converter.legalize.tflite.disagreements import note_disagreement
from tosa_converter.legalize.tflite.layers import default_format
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.rule import Rule, condition
from tosa_converter.schemas.tflite import FullyConnectedOptions


@condition("weights have a scale for each block of a row")
def scales_of_blocks(match: Match) -> str | None:
    """Declines FULLY_CONNECTED whose weights don't have a scale for each block of a row."""
    weight = match.source("filter")
    return None if has_blocks(match, "filter") else f"expected {weight.name!r} to have a scale for each block"


@condition("numerics are reference or xnnpack")
def exact_numerics(match: Match) -> str | None:
    """Declines compact numerics, in which blockwise weights are dequantized and multiplied as floats."""
    numerics = match.options.numerics
    return None if numerics != "compact" else f"expected the numerics reference or xnnpack, found {numerics}"


def fully_connected(match: Match) -> Expr:
    """Lowers FULLY_CONNECTED of floats by weights [outputs, depth] with a scale for each block of a row.

    Each row of the input is quantized at run time; the numerics xnnpack round the scales to bf16. The result is [rows,
    outputs], or keeps the input's dimensions.
    """
    # Every model with a FULLY_CONNECTED loads this module, and XNNPACK's rules take 10 ms to load.
    from tosa_converter.legalize.xnnpack.dynamic import blockwise_product, quantize_at_run_time

    note_disagreement(match)
    x, weight = match["input"], stored_weights(match, "filter")
    outputs, depth = weight.shape
    rows = quantize_at_run_time(match, x.reshape((row_count(x, depth), depth)), 1)
    scales = block_scales(match, "filter")
    if match.options.numerics == "xnnpack":
        scales = scales.astype(DType.BF16.numpy).astype(scales.dtype)
    y = blockwise_product(rows, weight, scales)
    bias = match.get("bias")
    y = y if bias is None else y + bias.reshape((outputs,))
    y = vector_activation(match.attributes(Fused).fused_activation_function, y)
    keep = match.attributes(FullyConnectedOptions).keep_num_dims
    return y.reshape((*(x.shape[:-1] if keep else (math.prod(y.shape[:-1]),)), outputs))


RULES: tuple[Rule, ...] = (
    Rule(
        "tfl.fully_connected",
        "fp32*i4 fp32*i2",
        fully_connected,
        (default_format, scales_of_blocks, exact_numerics),
        of=("input", "filter"),
    ),
)
