"""Layers of floats with integer weights that LiteRT's delegate takes: it quantizes their operand at run time."""

from tosa_converter.dtypes import DType
from tosa_converter.ir import Quant, TensorType, Value
from tosa_converter.legalize.tflite.delegated.node import asked, node, standing_for, static
from tosa_converter.legalize.tflite.delegated.windows import convolution, images, layer, rows, scaled_along, transposed
from tosa_converter.legalize.tflite.layers import default_format, sides
from tosa_converter.legalize.xnnpack import convolution as nodes
from tosa_converter.legalize.xnnpack import layers
from tosa_converter.legalize.xnnpack.dynamic import XNNPACK_DYNAMIC, in_rows
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.rewrite import Match, Rewrite, condition
from tosa_converter.schemas import tflite


def _at_run_time(match: Match, x: Expr, dimensions: int) -> Value:
    """An operand whose levels a run finds, for each index of all dimensions but so many."""
    kind = TensorType(DType.I8, x.type.shape, Quant((), (), rows=dimensions))
    return standing_for(match, Expr(in_rows(match, x, dimensions)), kind)


def fully_connected(match: Match) -> Expr:
    """FULLY_CONNECTED -> Convert, FullyConnected."""
    x = _at_run_time(match, Expr(match.translate(rows(match))), 1)
    return layers.fully_connected(layer(match, x, match.source("filter")), XNNPACK_DYNAMIC)


def conv_2d(match: Match) -> Expr:
    """CONV_2D -> Convert, Conv2d."""
    return nodes.conv_2d(convolution(match, _at_run_time(match, match["input"], 3)), XNNPACK_DYNAMIC)


def transpose_conv(match: Match) -> Expr:
    """TRANSPOSE_CONV -> Convert, ConvTranspose2d."""
    return nodes.conv_transpose_2d(transposed(match, _at_run_time(match, match["input"], 3)), XNNPACK_DYNAMIC)


def batch_matmul(match: Match) -> Expr:
    """BATCH_MATMUL -> Convert, BatchMatrixMultiply with a right side whose batches share their scales.

    One that is computed LiteRT's delegate reads before it is there: declined.
    """
    turned = match.attributes(tflite.BatchMatMulOptions).adj_y
    y = static(match, "y")
    scaled_along(y.type.rank - (2 if turned else 1), y)
    left, right = sides(match, match["x"], match["y"])
    operands = _at_run_time(match, left, 1), standing_for(match, right, y.type)
    return layers.batch_matrix_multiply(node("batch_matrix_multiply", match, *operands), XNNPACK_DYNAMIC)


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
    Rewrite("tfl.batch_matmul", "fp32*i8", batch_matmul, (asked, floats), of=("x", "y")),
)
