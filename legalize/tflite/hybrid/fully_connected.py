"""FULLY_CONNECTED of float rows with integer weights (EvalHybridDense, fully_connected.cc)."""

from tosa_converter.dtypes import DType
from tosa_converter.legalize.matrices import in_shape, layout
from tosa_converter.legalize.quant.elements import as_reference
from tosa_converter.legalize.quant.rows import asymmetric, symmetric
from tosa_converter.legalize.quant.weights import compact_or, real, scales, stored
from tosa_converter.legalize.tflite.activation import Fused, vector_activation
from tosa_converter.legalize.tflite.float import conv as floats
from tosa_converter.legalize.tflite.hybrid.conv import less_zero_points, with_bias
from tosa_converter.legalize.tflite.quantized.fully_connected import default_format
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.rewrite import Match, Rewrite, condition
from tosa_converter.schemas.tflite import FullyConnectedOptions


def fully_connected(match: Match) -> Expr:
    """FULLY_CONNECTED -> CONV2D on int8; each row has a scale of its own."""
    x, weight = match["input"], stored(match, "filter")
    quantize = asymmetric if match.attributes(FullyConnectedOptions).asymmetric_quantize_inputs else symmetric
    rows = quantize(x.reshape(layout(x, weight.shape[1])))
    sums = floats.dense(rows.levels.cast(DType.I8), weight, const([0], DType.I32))
    sums = less_zero_points(sums, rows, weight, 0)
    scale = const(scales(match, "filter"), DType.FP32) * rows.scale
    y = with_bias(match, sums.cast(DType.FP32) * scale)
    return in_shape(match, x, activated(match, y))


def activated(match: Match, y: Expr) -> Expr:
    """The fused activation."""
    return vector_activation(match.attributes(Fused).fused_activation_function, y)


def compact(match: Match) -> Expr:
    """The layer on floats."""
    x = match["input"]
    y = floats.dense(x, real(match, "filter", 0), floats.bias_or_zero(match, "bias", x))
    return in_shape(match, x, activated(match, y))


@condition("scales are those of rows")
def by_row(match: Match) -> str | None:
    """Against scales along the depth, which the kernel takes for those of rows, or reads past their end."""
    quant = match.quant("filter")
    return f"{match.source('filter').name!r} has scales along axis {quant.axis}" if quant.axis else None


REWRITES: tuple[Rewrite, ...] = (
    Rewrite(
        "tfl.fully_connected",
        "fp32*i8 fp32*i4 fp32*i2 fp32*ui8",
        compact_or(fully_connected, compact),
        (default_format, by_row, as_reference),
        of=("input", "filter"),
    ),
)
