"""From TOSA to TOSA with windows as slices of the image, for compilers whose code for windows is slow.

Convolutions become products of matrices: a row of the left one holds what a window covers, in the order of the weights;
a column of the right one the weights of one output. Integers are bit for bit the same, and sums of floats have the same
terms. Pools become the MAXIMUM of slices.
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

MOST_SLICES = 128  # of one operator


@rule(pattern(ops.CONV2D, "x", "weights", "bias", "x_zp", "weights_zp"))
def conv2d_as_matmul(m: Match) -> Expr:
    """CONV2D(x) -> ADD(MATMUL(CONCAT(SLICE(PAD(x)), ...)), bias) where it `gains`."""
    m.require(gains(m.op), "the convolution is faster")
    x, weights, bias = m["x"], m["weights"], m["bias"]
    fill, shape, kernel = m.constant("x_zp").reshape(-1)[0], m.op.result.type.static, weights.shape[1:3]
    if math.prod((*kernel, *m.op.attributes["stride"])) > 1 or any(m.op.attributes["pad"]):
        x = concat(slices(m.op, kernel, fill, together=True), 4)
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
    """MAX_POOL2D(x) -> MAXIMUM(SLICE(PAD(x)), ...) of fp32 that ignores NaN, with which it begins."""
    kernel, mode = m.op.attributes["kernel"], m.op.attributes["nan_mode"]
    m.require(mode == "IGNORE", "it propagates NaN")
    m.require(math.prod(kernel) <= MOST_SLICES, f"its window has more than {MOST_SLICES} elements")
    largest = reduce(lambda a, b: maximum(a, b, mode), slices(m.op, kernel, math.nan))
    return largest.reshape(m.op.result.type.static)


def gains(op: Op) -> bool:
    """Returns whether the product is faster, as measured with IREE 3.13: docs/results/iree.md, "Speed".

    That of int8 is; that of fp32 where the window, the image or its channels have a size of 1.
    """
    (_, height, width, channels), dtype = op.operands[1].type.static, op.operands[1].type.dtype
    if height * width > MOST_SLICES:
        return False
    if DType.I8 is dtype is op.operands[0].type.dtype:
        return True
    return DType.FP32 is dtype and height * width > 1 and 1 in (height, width, channels, *op.result.type.static[1:3])


def slices(op: Op, kernel: Sequence[int], fill: float, *, together: bool = False) -> list[Expr]:
    """Returns what stands at each place of an operator's windows, [N, OH, 1, OW, C]; a row's may come `together`.

    The padded image is cut into cells as large as the stride, [N, rows, stride_y, columns, stride_x * C], of which
    each is a SLICE; neighbours in one cell are one, too.
    """
    (count, height, width, channels), (_, out_height, out_width, _) = op.operands[0].type.static, op.result.type.static
    (top, _, left, _), (stride_y, stride_x) = op.attributes["pad"], op.attributes["stride"]
    dilation_y, dilation_x = op.attributes.get("dilation", (1, 1))
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
