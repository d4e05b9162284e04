"""Layers of floats with integer weights that LiteRT's delegate takes: it quantizes their operand at run time."""

from tosa_converter.dtypes import DType
from tosa_converter.ir import Quant, TensorType, Value
from tosa_converter.legalize.tflite.delegated.node import asked, standing_for
from tosa_converter.legalize.tflite.delegated.windows import convolution, images, layer, rows, transposed
from tosa_converter.legalize.tflite.quantized.fully_connected import default_format
from tosa_converter.legalize.xnnpack import dynamic
from tosa_converter.rewriting.rewrite import Match, Rewrite, condition


def _at_run_time(match: Match, x: Value, dimensions: int) -> Value:
    """An operand whose levels a run finds, for each index of all dimensions but so many."""
    real = match.translate(x)
    kind = TensorType(DType.I8, real.type.shape, Quant((), (), rows=dimensions))
    return standing_for(match, dynamic.in_rows(match, real, dimensions), kind)


def fully_connected(match: Match) -> Value:
    """FULLY_CONNECTED -> Convert, FullyConnected."""
    return dynamic.fully_connected(layer(match, _at_run_time(match, rows(match), 1), match.source("filter")))


def conv_2d(match: Match) -> Value:
    """CONV_2D -> Convert, Conv2d."""
    return dynamic.conv_2d(convolution(match, _at_run_time(match, match.source("input"), 3)))


def transpose_conv(match: Match) -> Value:
    """TRANSPOSE_CONV -> Convert, ConvTranspose2d."""
    return dynamic.conv_transpose_2d(transposed(match, _at_run_time(match, match.source("input"), 3)))


@condition("operand and result are of fp32")
def floats(match: Match) -> str | None:
    """Against other results."""
    made = match.op.results[0].type
    return None if made.dtype is DType.FP32 else f"the result is {made}"


WINDOWED = (asked, floats, images)
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.conv_2d", "fp32*i8", conv_2d, WINDOWED, of=("input", "filter")),
    Rewrite("tfl.transpose_conv", "fp32*i8", transpose_conv, WINDOWED, of=("input", "weights")),
    Rewrite(
        "tfl.fully_connected",
        "fp32*i8 fp32*i4 fp32*i2",
        fully_connected,
        (asked, floats, default_format),
        of=("input", "filter"),
    ),
)
