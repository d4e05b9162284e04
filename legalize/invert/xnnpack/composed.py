"""Rules of nodes that are several operators in TOSA.

A pattern guesses the node, which is taken if the conversion makes the same operators of it.
"""

import math
from typing import Any

from tosa_converter.dtypes import DType
from tosa_converter.ir import TensorType, Value
from tosa_converter.legalize.invert.tflite.composed import GELU, HARD_SWISH, SOFTMAX
from tosa_converter.legalize.invert.xnnpack.builder import xnn_builder
from tosa_converter.legalize.invert.xnnpack.confirmation import XNNPACK
from tosa_converter.legalize.invert.xnnpack.windows import spans_of
from tosa_converter.legalize.xnnpack.checks import FLOATS
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import pattern
from tosa_converter.rewriting.rule import rule
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas import xnnpack

SIDE_BY_SIDE = (0, 1, 3, 4, 2, 5)  # from rows of windows' rows to windows, column by column

# ** functions of floats **


@rule(SOFTMAX, FLOATS, of=("x",))
def softmax(m: Match) -> Value:
    """MUL(EXP(SUB(x, REDUCE_MAX(x))), RECIPROCAL(...)) -> Softmax."""
    return _function(m, "softmax")


@rule(HARD_SWISH, FLOATS, of=("x",))
def hardswish(m: Match) -> Value:
    """MUL(MUL(x, CLAMP(ADD(x, 3))), 1/6) -> HardSwish."""
    return _function(m, "hardswish")


@rule(GELU, FLOATS, of=("x",))
def gelu(m: Match) -> Value:
    """MUL(MUL(x, 1/2), ADD(ERF(MUL(x, ...)), 1)) -> Gelu."""
    return _function(m, "gelu")


@rule(pattern(ops.SELECT, pattern(ops.GREATER, "", "x"), "below_zero", "x"), FLOATS, of=("x",))
def elu(m: Match) -> Value:
    """SELECT(GREATER(0, x), below_zero, x) -> ELU."""
    producer = m.producer("below_zero")
    alpha = producer.operands[1].constant if producer.row is ops.MUL else None
    return _function(m, "elu", alpha=1.0 if alpha is None else float(alpha.flat[0]))


def leaky_relu(m: Match) -> Value:
    """MAXIMUM(x, MUL(x, slope)) -> LeakyReLU, or PReLU of several slopes; MINIMUM or SELECT for other slopes."""
    slope = m.source("slope")
    if slope.constant is not None and slope.constant.size == 1:
        return _function(m, "leaky_relu", negative_slope=float(slope.constant.flat[0]))
    b, x = xnn_builder(), m.source("x")
    variables = [x]
    if slope.constant is None:
        variables.append(slope)
    else:
        slope = b.const(slope.constant, slope.type.dtype)
    return XNNPACK.first_confirmed(m, [b.op("prelu", [x, slope], m.op.result.type.static)], variables, "PReLU")


def _function(m: Match, name: str, **attributes: Any) -> Value:
    x = m.source("x")
    y = xnn_builder().op(name, [x], m.op.result.type.static, **attributes)
    return XNNPACK.first_confirmed(m, [y], [x], name)


# ** images **


@rule(
    pattern(
        ops.RESHAPE,
        pattern(
            ops.RESCALE,
            pattern(
                ops.ADD,
                "",
                pattern(ops.MUL, pattern(ops.CAST, pattern(ops.GATHER, pattern(ops.RESHAPE, "image")))),
            ),
        ),
    ),
    "i8",
    of=("image",),
)
def bilinear_resize_of_bytes(m: Match) -> Value:
    """RESHAPE(RESCALE(ADD(..., MUL(CAST(GATHER(RESHAPE(image))), ...)))) -> StaticResizeBilinear2D."""
    image, shape = m.source("image"), m.op.result.type.static
    m.require(image.type.rank == len(shape) == 4, "expected images, found {image}")
    size: dict[str, Any] = {"new_height": shape[1], "new_width": shape[2]}
    flags = 0, xnnpack.FLAG_ALIGN_CORNERS, xnnpack.FLAG_TENSORFLOW_LEGACY_MODE
    guesses = (xnn_builder().op("static_resize_bilinear_2d", [image], shape, flags=flag, **size) for flag in flags)
    return XNNPACK.first_confirmed(m, guesses, [image], "StaticResizeBilinear2D")


@rule(pattern(ops.MAX_POOL2D, pattern((ops.SLICE, ops.MAXIMUM, ops.CAST), name="maxima")), f"{FLOATS} i8")
def dilated_max_pool(m: Match) -> Value:
    """MAX_POOL2D of one element of the MAXIMUM of slices -> MaxPooling2d whose windows' elements lie apart."""
    m.require(math.prod(m.op.attributes["kernel"]) == 1, "its window has several elements")
    image, starts = _slices(m, m.source("maxima"))
    padding = [0, 0, 0, 0]
    pad = image.producer
    if pad is not None and pad.row is ops.PAD and pad.operands[1].constant is not None:
        padding = pad.operands[1].constant.reshape(-1)[2:6].tolist()
        image = pad.operands[0]
    places = [sorted({start[axis] for start in starts}) for axis in (1, 2)]
    dilation = [place[1] if len(place) > 1 else 1 for place in places]
    pairs = {"pooling": list(map(len, places)), "stride": m.op.attributes["stride"], "dilation": dilation}
    y = xnn_builder().op("max_pooling_2d", [image], m.op.result.type.static, **spans_of(pairs, padding))
    return XNNPACK.first_confirmed(m, [y], [image], "MaxPooling2d")


def _slices(m: Match, maxima: Value) -> tuple[Value, set[tuple[int, ...]]]:
    """Returns the image whose slices have these maxima, and where they start.

    Raises:
        Decline: they are the maxima of several values, or of no slices.
    """
    starts: set[tuple[int, ...]] = set()
    images: set[Value] = set()
    seen, ahead = {maxima}, [maxima]
    while ahead:
        value = ahead.pop()
        op = value.producer
        if op is None or op.row not in (ops.MAXIMUM, ops.SLICE, ops.CAST):
            images.add(value)
            continue
        operands = op.operands[: 2 if op.row is ops.MAXIMUM else 1]
        ahead += [operand for operand in operands if operand not in seen]
        seen.update(operands)
        if op.row is ops.SLICE and op.operands[1].constant is not None:
            starts.add(tuple(op.operands[1].constant.tolist()))
    m.require(len(images) == 1 and starts, "it is not the maximum of slices of one image")
    return images.pop(), starts


@rule(
    pattern(
        ops.RESHAPE,
        pattern(
            (ops.ARGMAX, ops.REDUCE_MAX),
            pattern(ops.RESHAPE, pattern(ops.TRANSPOSE, pattern(ops.RESHAPE, "image", name="cells"), name="turned")),
            name="largest",
        ),
    ),
    FLOATS,
    of=("image",),
)
def arg_max_pool(m: Match) -> Value:
    """RESHAPE(ARGMAX|REDUCE_MAX(windows that lie side by side)) -> a result of ArgMaxPooling2d, one node for both.

    It has to be one node, because nothing else in XNNGraph could hold the indices.
    """
    image, largest = m.source("image"), m.producer("largest")
    m.require(m.source("cells").type.rank == 6, "expected rows of windows' rows, found {cells}")
    n, rows, height, columns, width, channels = m.source("cells").type.static
    whole = image.type.shape == (n, rows * height, columns * width, channels)
    m.require(whole, "the windows are not of a whole image")
    m.require(tuple(m.producer("turned").attributes["perms"]) == SIDE_BY_SIDE, "the windows do not lie side by side")
    flat = largest.operands[0].type.shape == (n * rows * columns, height * width, channels)
    m.require(flat and largest.attributes["axis"] == 1, "it is not the largest of every window")
    m.require(largest.attribute("nan_mode") == "IGNORE", "it propagates NaN")
    shape = n, rows, columns, channels
    m.require(m.op.result.type.shape == shape, "expected {image} by windows")
    types = image.type._replace(shape=shape), TensorType(DType.I32, shape)
    size = {"pooling_height": height, "pooling_width": width}
    elements, indices = xnn_builder().shared("arg_max_pooling_2d", image, types, **size)
    return indices if largest.row is ops.ARGMAX else elements


_SCALED = pattern(ops.MUL, "x", "slope")
COMPOSED = (
    softmax,
    hardswish,
    gelu,
    elu,
    rule(pattern((ops.MAXIMUM, ops.MINIMUM), "x", _SCALED), FLOATS, of=("x",))(leaky_relu),
    rule(pattern(ops.SELECT, pattern(ops.GREATER_EQUAL, "x"), "x", _SCALED), FLOATS, of=("x",))(leaky_relu)._replace(
        label="leaky_relu_by_choice"
    ),
    bilinear_resize_of_bytes,
    dilated_max_pool,
    arg_max_pool,
)
