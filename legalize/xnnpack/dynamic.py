"""Layers whose input is quantized at run time, row by row or image by image, with integer weights (qdint8).

TOSA has no division and allows a RECIPROCAL one unit in the last place, so quotients are corrected by their remainders:
levels, zero points and sums are XNNPACK's. It adds the bias to the last product without rounding that; here it is.
"""

import math

from tosa_converter.dtypes import DType
from tosa_converter.ir import TensorType, Value
from tosa_converter.legalize.matrices import layout, matrices
from tosa_converter.legalize.quant.requantize import TIMES_ONE
from tosa_converter.legalize.quant.rows import quotient
from tosa_converter.legalize.quant.weights import channel_sums, scales, stored
from tosa_converter.legalize.xnnpack import windows
from tosa_converter.legalize.xnnpack.bounds import bounded
from tosa_converter.legalize.xnnpack.checks import FLOATS, require_rank, require_sizes
from tosa_converter.legalize.xnnpack.layers import in_shape, weight_of
from tosa_converter.legalize.xnnpack.windows import Operands, Window, check_shapes, forward, window
from tosa_converter.rewriting.expr import Expr, clamp, const, maximum, minimum, reciprocal, scalar, where
from tosa_converter.rewriting.operators import conv2d, matmul, reduce_max, reduce_min, reduce_sum, rescale
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite, condition

NO_PADDING = (0, 0, 0, 0)
STEPS = 255  # between the least and the largest level
FAINT = 2.0**-107  # ranges below it count as 0: for their quotients Dekker's product overflows


class Rows(Value):
    """A tensor quantized at run time: levels in i8, zero points in i32 and steps in fp32, both of 1 along its rows."""

    __slots__ = ("levels", "real", "step", "zero_point")

    def __init__(self, real: Expr, levels: Expr, zero_point: Expr, step: Expr) -> None:
        super().__init__(TensorType(DType.I8, real.type.shape))
        self.real = real
        self.levels = levels
        self.zero_point = zero_point
        self.step = step


@condition("the result is quantized at run time")
def _to_rows(match: Match) -> str | None:
    quant = match.op.results[0].type.quant
    return None if quant is not None and quant.rows else "its scale is known"


def quantize(match: Match) -> Rows:
    """Convert to qdint8."""
    return in_rows(match, match["input"], match.result_quant.rows)


def in_rows(match: Match, given: Expr, dimensions: int) -> Rows:
    """The last dimensions in steps of a 255th of their range, 0 among them.

    The zero point is nearest to the end whose error is smaller (xnn_f32_qd8_asymmetric_quantization_params).
    """
    kept = given.rank - dimensions
    outer, inner = given.shape[:kept], given.shape[kept:]
    x = given.cast(DType.FP32).reshape((*outer, math.prod(inner)))
    nothing = scalar(0, x)
    high = maximum(reduce_max(x, kept, nan_mode="PROPAGATE"), nothing)
    low = minimum(reduce_min(x, kept, nan_mode="PROPAGATE"), nothing)
    span = high - low
    flat = span < FAINT
    scale = where(flat, 1, _quotient(match, STEPS, span))
    low, high = (end * scale for end in (low, high))
    least, most = scalar(-128, x), scalar(127, x)
    upper = least + low + (most + high) > nothing
    zero_point = where(upper, least - low, most - high)
    zero_point = clamp(zero_point, -128.0, 127.0).cast(DType.I32)
    levels = (x * scale).cast(DType.I32) + zero_point
    levels = rescale(levels, DType.I8, *TIMES_ONE).reshape(given.shape)
    ones = (*outer, *(1 for _ in inner))
    step = _quotient(match, 1, scale).reshape(ones)
    return Rows(given, levels, zero_point.reshape(ones), step)


def _quotient(match: Match, dividend: int, x: Expr) -> Expr:
    """Rounded as a division is; in compact numerics as TOSA's reciprocal is."""
    if match.options.numerics != "compact":
        return quotient(dividend, x)
    match.note_once("rows are quantized by reciprocals that may be a unit in the last place off, and so may be levels")
    inverse = reciprocal(x)
    return inverse if dividend == 1 else inverse * dividend


# ** layers **


@condition("the input is quantized at run time")
def _from_rows(match: Match) -> str | None:
    quant = match.source("input1").type.quant
    return None if quant is not None and quant.rows else "the input's scale is known"


def _input(match: Match) -> Rows:
    x = match.value("input1")
    if not isinstance(x, Rows):
        raise Decline(f"{match.source('input1').name!r} isn't the result of a Convert")
    return x


def _operands(match: Match, x: Rows) -> Operands:
    """The input, weights of 8 bits, and nothing as a bias: it is added last."""
    return Operands(Expr(x), stored(match, "filter"), const([0], DType.I32))


def _finished(match: Match, sums: Expr, x: Rows, step: Expr) -> Expr:
    """Sums of whole products as floats: times the rows' steps and the channels' scales, with the bias."""
    scale = scales(match, "filter")
    if scale.size not in (1, sums.shape[-1]):
        raise Decline(f"{scale.size} scales for {sums.type}")
    y = sums.cast(DType.FP32) * step
    return _biased(match, y * const(scale, DType.FP32), x)


def _biased(match: Match, y: Expr, x: Rows) -> Expr:
    """The result with its bias and bounds, in the type of the floats that went in."""
    bias = match.get("bias")
    if bias is not None:
        require_sizes("bias", [bias.size], y.shape[-1:])
        y = y + bias.cast(DType.FP32).reshape((bias.size,))
    return bounded(match, y).cast(x.real.dtype)


def _less_zero_points(sums: Expr, zero_point: Expr, weight: Expr, axis: int) -> Expr:
    """Sums of levels' products without those of their zero points."""
    return sums - zero_point * channel_sums(weight, axis)


def fully_connected(match: Match) -> Expr:
    """FullyConnected -> CONV2D of 1 by 1; with a scale for every group of weights, MATMULs of the groups."""
    x = _input(match)
    weight = weight_of(match, _operands(match, x))
    outputs, depth = weight.shape
    rows = x.type.elements // depth
    if x.step.size != rows:
        raise Decline(f"{x.step.size} scales for {rows} rows")
    if match.quant("filter").block:
        return in_shape(Expr(x), _grouped(match, x, weight, rows))
    levels, kernel = x.levels.reshape(layout(Expr(x), depth)), weight.reshape((outputs, 1, 1, depth))
    sums = conv2d(levels, kernel, const([0], DType.I32), pad=NO_PADDING)
    step, zero_point = (part.reshape((*sums.shape[:3], 1)) for part in (x.step, x.zero_point))
    return in_shape(Expr(x), _finished(match, _less_zero_points(sums, zero_point, weight, 0), x, step))


def _grouped(match: Match, x: Rows, weight: Expr, rows: int) -> Expr:
    """[1,rows,outputs]: the groups' sums, each with its scale, added up."""
    (outputs, depth), block = weight.shape, match.quant("filter").block
    groups = depth // block
    parts = x.levels.reshape((rows, groups, block)).transpose((1, 0, 2))
    weights = weight.reshape((outputs, groups, block)).transpose((1, 2, 0))
    sums = matmul(parts, weights, dtype=DType.I32)
    ones = reduce_sum(weights.cast(DType.I32), 1)
    sums = sums - x.zero_point.reshape((1, rows, 1)) * ones
    scale = const(scales(match, "filter").reshape(outputs, groups).T[:, None], DType.FP32)
    total = reduce_sum(sums.cast(DType.FP32) * scale, 0)
    return _biased(match, total * x.step.reshape((1, rows, 1)), x)


def conv_2d(match: Match) -> Expr:
    """Conv2d -> CONV2D of the padded image: a 0 in its padding has the zero point as level."""
    found = forward(match, Expr(_input(match)))
    top, bottom, left, right = found.pad
    given = _input(match)
    x = given
    if any(found.pad):
        padded = given.real.pad(((0, 0), (top, bottom), (left, right), (0, 0)))
        x = in_rows(match, padded, match.quant("input1").rows)
    it = _operands(match, x)
    check_shapes(match, it, found.kernel)
    _one_scale_an_image(x)
    sums = windows.convolved(match, it._replace(x=x.levels), found._replace(pad=NO_PADDING))
    return _finished(match, _less_zero_points(sums, x.zero_point, it.weight, 0), given, x.step)


def _one_scale_an_image(x: Rows) -> None:
    if x.step.type.elements != x.type.static[0]:
        raise Decline(f"{x.step.type.elements} scales for {x.type.static[0]} images")


def conv_transpose_2d(match: Match) -> Expr:
    """ConvTranspose2d -> TRANSPOSE_CONV2D on floats that hold the integers: how many of them meet differs by place."""
    x = _input(match)
    found: Window = window(match, Expr(x))
    it = _operands(match, x)
    check_shapes(match, it, found.kernel)
    _one_scale_an_image(x)
    whole = (x.levels.cast(DType.I32) - x.zero_point).cast(DType.FP32)
    real = Operands(whole, it.weight.cast(DType.FP32), const([0], DType.FP32))
    return _finished(match, windows.transposed(match, real, found), x, x.step)


def batch_matrix_multiply(match: Match) -> Expr:
    """BatchMatrixMultiply with a scale for each column; XNNPACK would read one for each of every batch."""
    x, weight = _input(match), stored(match, "input2")
    require_rank(weight, x.type.rank)
    if x.type.rank < 2 or match.op.attributes["flags"]:
        raise Decline(f"operands {x.type} and {weight.type} with flags {match.op.attributes['flags']}")
    require_sizes("operand", weight.type.static[:-1], (*(1 for _ in x.type.static[:-2]), x.type.static[-1]))
    return product(match)


def product(match: Match) -> Expr:
    """MATMUL, whose columns have a scale each or one for all."""
    x, weight = _input(match), stored(match, "input2")
    pair = matrices(x.levels, weight)
    sums = matmul(pair.left, pair.right, dtype=DType.I32).reshape(pair.shape)
    columns = reduce_sum(weight.cast(DType.I32), weight.rank - 2)
    sums = sums - x.zero_point * columns
    y = sums.cast(DType.FP32) * x.step
    scale = scales(match, "input2")
    if scale.size not in (1, weight.shape[-1]):
        raise Decline(f"{scale.size} scales for {weight.type}")
    return (y * const(scale, DType.FP32)).cast(x.real.dtype)


CHECKS = (_from_rows,)
REWRITES: tuple[Rewrite, ...] = (
    Rewrite("xnn.convert", FLOATS, quantize, (_to_rows,)),
    Rewrite("xnn.fully_connected", "i8*i8 i8*i4", fully_connected, CHECKS, of=("input1", "filter")),
    Rewrite("xnn.conv_2d", "i8*i8", conv_2d, CHECKS, of=("input1", "filter")),
    Rewrite("xnn.conv_transpose_2d", "i8*i8", conv_transpose_2d, CHECKS, of=("input1", "filter")),
    Rewrite("xnn.batch_matrix_multiply", "i8*i8", batch_matrix_multiply, CHECKS, of=("input1", "input2")),
)
