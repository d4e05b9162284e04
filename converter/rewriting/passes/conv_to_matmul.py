"""Replaces convolutions by matrix products, and poolings by MAXIMUM, for compilers with slow code for windows.

A row of the left matrix holds the elements of a window, in the order of the weights; a column of the right one holds
the weights of one output channel. Integers are equal bit for bit, and sums of floats have the same terms. A pooling
becomes the MAXIMUM of slices of the image.
"""

import math
from collections.abc import Sequence
from functools import reduce

from tosa_converter.dtypes import DType
from tosa_converter.ir import Op
from tosa_converter.rewriting.expr import Expr, emit, maximum
from tosa_converter.rewriting.in_place import InPlacePass
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import concat
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.rule import rule
from tosa_converter.schemas import tosa_ops as ops

MOST_SLICES = 128  # slices that may replace one operator


@rule(pattern(ops.CONV2D, "x", "weights", "bias", "x_zp", "weights_zp"))
def conv2d_as_matmul(m: Match) -> Expr:
    """CONV2D(x) -> ADD(MATMUL(CONCAT(SLICE(PAD(x)), ...)), bias) where that is faster."""
    m.require(is_faster_as_matmul(m.op), "the convolution is faster")
    x, weights, bias = m["x"], m["weights"], m["bias"]
    fill, shape, kernel = m.constant("x_zp").reshape(-1)[0], m.op.result.type.static, weights.shape[1:3]
    # A window of one element, with stride 1 and no padding, is the image itself.
    if math.prod((*kernel, *m.op.attributes["stride"])) > 1 or any(m.op.attributes["pad"]):
        x = concat(window_slices(m.op, kernel, fill, together=True), 4)
    depth = weights.size // shape[3]
    rows = x.reshape((1, math.prod(shape[:3]), depth))
    columns = weights.reshape((1, shape[3], depth)).transpose((0, 2, 1))
    product = emit(ops.MATMUL, rows, columns, m["x_zp"], m["weights_zp"], dtype=m.op.result.type.dtype)
    return (product + bias.reshape((1, 1, bias.shape[0]))).reshape(shape)


@rule(pattern(ops.DEPTHWISE_CONV2D, "x", "weights", "bias", "x_zp", "weights_zp"))
def depthwise_of_one_channel(m: Match) -> Expr:
    """DEPTHWISE_CONV2D of one channel -> CONV2D."""
    m.require(m["weights"].type.shape[2] == 1, "the image has several channels")
    operands = (m["x"], m["weights"].transpose((3, 0, 1, 2)), m["bias"], m["x_zp"], m["weights_zp"])
    return emit(ops.CONV2D, *operands, dtype=m.op.result.type.dtype, **m.op.attributes)


@rule(pattern(ops.MAX_POOL2D, "x"), "fp32")
def max_pool_as_maximum(m: Match) -> Expr:
    """MAX_POOL2D(x) -> MAXIMUM(SLICE(PAD(x)), ...) for fp32 where NaN is ignored; NaN pads the image."""
    kernel, mode = m.op.attributes["kernel"], m.op.attributes["nan_mode"]
    m.require(mode == "IGNORE", "it propagates NaN")
    m.require(math.prod(kernel) <= MOST_SLICES, f"its window has more than {MOST_SLICES} elements")
    largest = reduce(lambda a, b: maximum(a, b, mode), window_slices(m.op, kernel, math.nan))
    return largest.reshape(m.op.result.type.static)


def is_faster_as_matmul(op: Op) -> bool:
    """Returns whether a matrix product is faster than a convolution, as measured with IREE 3.13.

    It is faster for int8, and for fp32 if the window, the image or its channels have a size of 1; see "Speed" in
    docs/results/iree.md. A window of more than `MOST_SLICES` elements would take too many slices.
    """
    (_, height, width, channels), dtype = op.operands[1].type.static, op.operands[1].type.dtype
    if height * width > MOST_SLICES:
        return False
    if DType.I8 is dtype is op.operands[0].type.dtype:
        return True
    return DType.FP32 is dtype and height * width > 1 and 1 in (height, width, channels, *op.result.type.static[1:3])


def window_slices(op: Op, kernel: Sequence[int], fill: float, *, together: bool = False) -> list[Expr]:
    """Returns the elements at each position of an operator's windows, [N, OH, 1, OW, C], as slices of the image.

    The padded image is cut into cells as large as the stride, [N, rows, stride_y, columns, stride_x * C]; a position of
    the windows is a SLICE of all cells.

    Args:
        op: the convolution or pooling.
        kernel: the size of its window, [height, width].
        fill: the value of padding.
        together: neighbouring positions in one cell share a slice, which has the channels of all of them.
    """
    # A kernel of 3 columns with stride 2: position 2 of window 0 is column 2, which is position 0 of cell 1. So the
    # SLICE for position 2 begins at cell 2 // 2 = 1, at 2 % 2 = 0 within the cells, and has one column of each cell.
    (count, height, width, channels), (_, out_height, out_width, _) = op.operands[0].type.static, op.result.type.static
    (top, _, left, _), (stride_y, stride_x) = op.attributes["pad"], op.attributes["stride"]
    dilation_y, dilation_x = op.attributes.get("dilation", (1, 1))
    # The windows reach (out - 1) * stride + (kernel - 1) * dilation + 1 elements, and the cells have up to stride - 1
    # more, never less: 4 windows of 3 with stride 2 reach 9 elements, and 2 // 2 + 4 = 5 cells of 2 have 10. So what is
    # padded behind the image is at least the operator's own padding there.
    rows = (kernel[0] - 1) * dilation_y // stride_y + out_height
    columns = (kernel[1] - 1) * dilation_x // stride_x + out_width
    padding = [(0, 0), (top, rows * stride_y - top - height), (left, columns * stride_x - left - width), (0, 0)]
    image = Expr(op.operands[0]).pad(padding, fill)
    cells = image.reshape((count, rows, stride_y, columns, stride_x * channels))
    step = stride_x if together and dilation_x == 1 else 1
    parts = []
    for y in range(0, kernel[0] * dilation_y, dilation_y):
        for i in range(0, kernel[1], step):
            start = 0, y // stride_y, y % stride_y, i * dilation_x // stride_x, i * dilation_x % stride_x * channels
            size = count, out_height, 1, out_width, min(step, kernel[1] - i) * channels
            parts.append(cells.slice(start, size))
    return parts


CONV_TO_MATMUL = InPlacePass("conv-to-matmul", (conv2d_as_matmul, depthwise_of_one_channel, max_pool_as_maximum))
