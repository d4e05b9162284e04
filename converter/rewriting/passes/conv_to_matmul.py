"""From TOSA to TOSA with windows as slices of the image, for compilers whose code for windows is slow.

Convolutions become products of matrices: a row of the left one holds what a window covers, in the order of the weights;
a column of the right one the weights of one output. Integers are bit for bit the same, and sums of floats have the same
terms. Pools become the MAXIMUM of slices.
"""

import math
from collections.abc import Sequence
from functools import reduce

from tosa_converter.dtypes import DType
from tosa_converter.ir import Op, Value
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.passes.simplify import Pattern, Simplify, Site
from tosa_converter.schemas import tosa_ops as ops

MOST_SLICES = 128  # of one operator


def as_product(op: Op, site: Site) -> Value | None:
    """CONV2D(x) -> ADD(MATMUL(CONCAT(SLICE(PAD(x)), ...)), bias) where it `gains`."""
    x, weights, bias, zero, weights_zero = op.operands
    if not gains(op) or zero.constant is None:
        return None
    build, shape, kernel = site.builder, op.result.type.static, weights.type.static[1:3]
    if math.prod((*kernel, *op.attributes["stride"])) > 1 or any(op.attributes["pad"]):
        x = build.concat(slices(build, op, kernel, zero.constant.reshape(-1)[0], together=True), 4)
    depth = weights.type.elements // shape[3]
    rows = build.reshape(x, (1, math.prod(shape[:3]), depth))
    columns = build.transpose(build.reshape(weights, (1, shape[3], depth)), (0, 2, 1))
    product = build.emit(ops.MATMUL, rows, columns, zero, weights_zero, dtype=op.result.type.dtype)
    return build.reshape(build.add(product, build.reshape(bias, (1, 1, bias.type.static[0]))), shape)


def of_one_channel(op: Op, site: Site) -> Value | None:
    """DEPTHWISE_CONV2D of one channel -> CONV2D."""
    x, weights, *others = op.operands
    if weights.type.shape[2] != 1:
        return None
    filters = site.builder.transpose(weights, (3, 0, 1, 2))
    return site.builder.emit(ops.CONV2D, x, filters, *others, dtype=op.result.type.dtype, **op.attributes)


def as_maximum(op: Op, site: Site) -> Value | None:
    """MAX_POOL2D(x) -> MAXIMUM(SLICE(PAD(x)), ...) of fp32 that ignores NaN, with which it begins."""
    kernel, mode = op.attributes["kernel"], op.attributes["nan_mode"]
    if op.result.type.dtype is not DType.FP32 or mode != "IGNORE" or math.prod(kernel) > MOST_SLICES:
        return None
    parts = slices(site.builder, op, kernel, math.nan)
    largest = reduce(lambda a, b: site.builder.maximum(a, b, mode), parts)
    return site.builder.reshape(largest, op.result.type.static)


def gains(op: Op) -> bool:
    """Whether the product is the faster one, as measured with IREE 3.13: docs/results/iree.md, "Speed".

    That of int8 is; that of fp32 where the window, the image or its channels have a size of 1.
    """
    (_, height, width, channels), dtype = op.operands[1].type.static, op.operands[1].type.dtype
    if height * width > MOST_SLICES:
        return False
    if DType.I8 is dtype is op.operands[0].type.dtype:
        return True
    return DType.FP32 is dtype and height * width > 1 and 1 in (height, width, channels, *op.result.type.static[1:3])


def slices(build: Builder, op: Op, kernel: Sequence[int], padded: float, *, together: bool = False) -> list[Value]:
    """What stands at each place of an operator's windows, [N, OH, 1, OW, C]; places in a row may come `together`.

    The padded image is cut into cells as large as the stride, [N, rows, stride_y, columns, stride_x * C], of which
    each is a SLICE; neighbours in one cell are one, too.
    """
    (count, height, width, channels), (_, out_height, out_width, _) = op.operands[0].type.static, op.result.type.static
    (top, _, left, _), (stride_y, stride_x) = op.attributes["pad"], op.attributes["stride"]
    dilation_y, dilation_x = op.attributes.get("dilation", (1, 1))
    rows = (kernel[0] - 1) * dilation_y // stride_y + out_height
    columns = (kernel[1] - 1) * dilation_x // stride_x + out_width
    padding = [(0, 0), (top, rows * stride_y - top - height), (left, columns * stride_x - left - width), (0, 0)]
    image = build.pad(op.operands[0], padding, padded)
    cells = build.reshape(image, (count, rows, stride_y, columns, stride_x * channels))
    step = stride_x if together and dilation_x == 1 else 1
    parts = []
    for y in range(0, kernel[0] * dilation_y, dilation_y):
        for i in range(0, kernel[1], step):
            start = 0, y // stride_y, y % stride_y, i * dilation_x // stride_x, i * dilation_x % stride_x * channels
            size = count, out_height, 1, out_width, min(step, kernel[1] - i) * channels
            parts.append(build.slice(cells, start, size))
    return parts


COLUMNS = Simplify(
    "columns",
    {
        ops.CONV2D: [Pattern(ops.CONV2D, as_product)],
        ops.DEPTHWISE_CONV2D: [Pattern(ops.DEPTHWISE_CONV2D, of_one_channel)],
        ops.MAX_POOL2D: [Pattern(ops.MAX_POOL2D, as_maximum)],
    },
)
