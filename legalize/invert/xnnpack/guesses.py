"""Inverse rules of XNNPACK's nodes that are several operators in TOSA: proposed, lowered to TOSA and compared."""

import math
from collections.abc import Callable, Iterator
from typing import Any

from tosa_converter.dtypes import DType
from tosa_converter.ir import TensorType, Value
from tosa_converter.legalize.invert.confirmation import InverseRule, LoweringCheck
from tosa_converter.legalize.invert.equal_elements import have_equal_elements
from tosa_converter.legalize.invert.tflite.composed import GELU, HARD_SWISH, SOFTMAX
from tosa_converter.legalize.invert.xnnpack.builder import xnn_builder
from tosa_converter.legalize.invert.xnnpack.byte_tensors import byte_quant
from tosa_converter.legalize.invert.xnnpack.windows import RESIZE_FLAGS, window_fields
from tosa_converter.legalize.pipelines import XNN_TO_TOSA
from tosa_converter.legalize.xnnpack.checks import FLOATS
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pattern import Pattern, pattern
from tosa_converter.rewriting.report import Options
from tosa_converter.schemas import tosa_ops as ops


def _with_scale(type: TensorType) -> TensorType:
    """Returns an int8 type with the scale 1 and zero point 0 if it has no quantization; any other type itself.

    XNNPACK has no int8 tensor without a scale, but TOSA does.
    """
    return type._replace(quant=byte_quant(0)) if type.dtype is DType.I8 and type.quant is None else type


XNNPACK_LOWERING = LoweringCheck("xnn", XNN_TO_TOSA, Options("xnnpack"), have_equal_elements, _with_scale)


def _append_node(m: Match, name: str, *operands: Value, **attributes: Any) -> Value:
    """Appends an XNNPACK node whose result has the shape of the match's; attributes that aren't given are 0."""
    return xnn_builder().op(name, operands, m.op.result.type.static, **attributes)


# ** functions of floats **


def _propose_node(name: str) -> Callable[[Match], Iterator[Value]]:
    """Returns a function that yields one candidate: XNNPACK's node `name` of the matched operand x.

    It is kept if its lowering is the matched TOSA.
    """
    return lambda m: iter([_append_node(m, name, m.source("x"))])


def _propose_elu(m: Match) -> Iterator[Value]:
    """Yields one candidate, XNNPACK's ELU; it is kept if its lowering is the matched TOSA.

    Its alpha is the factor of the MUL below 0, or 1 without MUL.
    """
    producer = m.producer("below_zero")
    alpha = producer.operands[1].constant if producer.row is ops.MUL else None
    yield _append_node(m, "elu", m.source("x"), alpha=1.0 if alpha is None else float(alpha.flat[0]))


def _propose_leaky_relu(m: Match) -> Iterator[Value]:
    """Yields one candidate, XNNPACK's LeakyReLU with the one constant slope that the match has.

    The caller keeps it if its lowering is the matched TOSA.
    """
    slope = m.constant("slope")
    m.require(slope.size == 1, "expected one slope, found {slope}")
    yield _append_node(m, "leaky_relu", m.source("x"), negative_slope=float(slope.flat[0]))


def _propose_prelu(m: Match) -> Iterator[Value]:
    """Yields one candidate, XNNPACK's PReLU, with slopes that are constant or computed.

    The caller keeps it if its lowering is the matched TOSA; constant slopes are copied into the XNNPACK graph.
    """
    slopes = m.source("slopes")
    if slopes.constant is not None:
        slopes = xnn_builder().const(slopes.constant, slopes.type.dtype)
    yield _append_node(m, "prelu", m.source("x"), slopes)


def _prelu_operands(m: Match) -> list[Value]:
    """Returns the operands of a candidate PReLU: x, and the slopes unless they are constant.

    They are the inputs of the graph whose lowering is compared with the matched TOSA.
    """
    return [x for x in (m.source("x"), m.source("slopes")) if x.constant is None]


# ** images **


def _image_operands(m: Match) -> list[Value]:
    """Returns the operands of a candidate XNNPACK node: the matched image.

    It is the input of the graph whose lowering is compared with the matched TOSA.
    """
    return [m.source("image")]


def _propose_resize(m: Match) -> Iterator[Value]:
    """Yields candidates: XNNPACK's StaticResizeBilinear2D to the result's size, with each choice of flags.

    The candidate is kept whose lowering is the matched TOSA.
    """
    image, shape = m.source("image"), m.op.result.type.static
    m.require(image.type.rank == len(shape) == 4, "expected images, found {image}")
    for flags in RESIZE_FLAGS:
        size = {"new_height": shape[1], "new_width": shape[2]}
        yield _append_node(m, "static_resize_bilinear_2d", image, flags=flags, **size)


def _propose_dilated_max_pool(m: Match) -> Iterator[Value]:
    """Yields one candidate, XNNPACK's MaxPooling2d, for TOSA's MAXIMUM of slices of an image.

    The distance of the slices is the dilation; the node is kept if its lowering is the matched TOSA.
    """
    count = math.prod(m.op.attributes["kernel"])
    m.require(count == 1, f"expected a window of one element behind MAXIMUM, found {count}")
    _, starts = _sliced_image(m)
    image, padding = _pooled_image(m)
    # The offsets of a window's elements along height and width, such as 0, 2, 4: 3 elements with the dilation 2.
    axis_offsets = [sorted({start[axis] for start in starts}) for axis in (1, 2)]
    dilation = [offsets[1] if len(offsets) > 1 else 1 for offsets in axis_offsets]
    pairs = {"pooling": list(map(len, axis_offsets)), "stride": m.op.attributes["stride"], "dilation": dilation}
    yield _append_node(m, "max_pooling_2d", image, **window_fields(pairs, padding))


def _pooled_image(m: Match) -> tuple[Value, list[int]]:
    """Returns the unpadded image whose slices a match takes the maximum of, and its padding.

    The padding is (top, bottom, left, right), 0 if no PAD is in front of the slices.
    """
    image, _ = _sliced_image(m)
    pad = image.producer
    if pad is None or pad.row is not ops.PAD or pad.operands[1].constant is None:
        return image, [0, 0, 0, 0]
    return pad.operands[0], pad.operands[1].constant.reshape(-1)[2:6].tolist()


def _sliced_image(m: Match) -> tuple[Value, set[tuple[int, ...]]]:
    """Returns the one image whose slices a match takes the maximum of, and the set of the slices' starts.

    Raises:
        Decline: they are the maxima of several values, or of no slices.
    """
    starts: set[tuple[int, ...]] = set()
    images: set[Value] = set()
    values, seen = [m.source("maxima")], {m.source("maxima")}
    for value in values:
        op = value.producer
        if op is None or op.row not in (ops.MAXIMUM, ops.SLICE, ops.CAST):
            images.add(value)
            continue
        operands = [x for x in op.operands[: 2 if op.row is ops.MAXIMUM else 1] if x not in seen]
        values += operands
        seen.update(operands)
        if op.row is ops.SLICE and op.operands[1].constant is not None:
            starts.add(tuple(op.operands[1].constant.tolist()))
    m.require(len(images) == 1 and starts, f"expected the maximum of slices of one image, found {len(images)} images")
    return images.pop(), starts


def _propose_arg_max_pool(m: Match) -> Iterator[Value]:
    """Proposes XNNPACK's ArgMaxPooling2d for a maximum or ARGMAX over windows; both share one node.

    The match has the image as `cells` [n, rows, height, columns, width, channels], for windows of height by width. It
    yields the node's indices for ARGMAX, else its elements; the caller keeps the node if its lowering is the matched
    TOSA.
    """
    image, shape = m.source("image"), m.op.result.type.static
    m.require(m.source("cells").type.rank == 6, "expected rows of the rows of windows, found {cells}")
    m.require(image.type.rank == len(shape) == 4, "expected images, found {image}")
    _, _, height, _, width, _ = m.source("cells").type.static
    types = image.type._replace(shape=shape), TensorType(DType.I32, shape)
    size = {"pooling_height": height, "pooling_width": width}
    elements, indices = xnn_builder().find_or_append("arg_max_pooling_2d", image, types, **size)
    yield indices if m.producer("largest").row is ops.ARGMAX else elements


def _rectifier_patterns(slope: str) -> Iterator[tuple[str, Pattern]]:
    """Yields (suffix of rule names, TOSA pattern) for leaky rectifiers: x, or x * slope if x < 0."""
    product = pattern(ops.MUL, "x", slope)
    yield "", pattern((ops.MAXIMUM, ops.MINIMUM), "x", product)
    yield "_by_select", pattern(ops.SELECT, pattern(ops.GREATER_EQUAL, "x"), "x", product)


_INTERPOLATED = pattern(
    ops.RESCALE,
    pattern(ops.ADD, "", pattern(ops.MUL, pattern(ops.CAST, pattern(ops.GATHER, pattern(ops.RESHAPE, "image"))))),
)
_MAXIMA = pattern((ops.SLICE, ops.MAXIMUM, ops.CAST), name="maxima")
_WINDOWS = pattern(ops.RESHAPE, pattern(ops.TRANSPOSE, pattern(ops.RESHAPE, "image", name="cells")))
_LARGEST = pattern((ops.ARGMAX, ops.REDUCE_MAX), _WINDOWS, name="largest")
INVERSE_RULES = (
    InverseRule("softmax", SOFTMAX, FLOATS, _propose_node("softmax")),
    InverseRule("hardswish", HARD_SWISH, FLOATS, _propose_node("hardswish")),
    InverseRule("gelu", GELU, FLOATS, _propose_node("gelu")),
    InverseRule("elu", pattern(ops.SELECT, pattern(ops.GREATER, "", "x"), "below_zero", "x"), FLOATS, _propose_elu),
    *(
        InverseRule(f"leaky_relu{end}", choice, FLOATS, _propose_leaky_relu)
        for end, choice in _rectifier_patterns("slope")
    ),
    *(
        InverseRule(f"prelu{end}", choice, FLOATS, _propose_prelu, _prelu_operands)
        for end, choice in _rectifier_patterns("slopes")
    ),
    InverseRule(
        "resize_of_bytes", pattern(ops.RESHAPE, _INTERPOLATED), "i8", _propose_resize, _image_operands, ("image",)
    ),
    InverseRule(
        "dilated_max_pool",
        pattern(ops.MAX_POOL2D, _MAXIMA),
        f"{FLOATS} i8",
        _propose_dilated_max_pool,
        lambda m: [_pooled_image(m)[0]],
        (0,),
    ),
    InverseRule(
        "arg_max_pool", pattern(ops.RESHAPE, _LARGEST), FLOATS, _propose_arg_max_pool, _image_operands, ("image",)
    ),
)
COMPOSED = XNNPACK_LOWERING.rules(__name__, INVERSE_RULES)
