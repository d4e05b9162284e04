"""Checks the shapes of TFLite operators as LiteRT's kernels do in Prepare.

This happens once shapes are known: like LiteRT, we compute them from the inputs on, whatever the file states for
intermediate values. A check returns what is wrong, or None. Names in parentheses are functions of LiteRT's
kernels/*.cc.
"""

import math
from collections.abc import Callable, Sequence
from itertools import zip_longest

from tosa_converter.formats.tflite.prepare import signature
from tosa_converter.formats.tflite.prepare_quantization import BIAS, WEIGHT
from tosa_converter.formats.tflite.prepare_recurrent import LSTMS, RNNS, lstm_shapes, rnn_shapes, svdf_shapes
from tosa_converter.ir import Op, Shape

Shapes = Sequence[Shape | None]
ShapeCheck = Callable[[Op, Shapes], str | None]


def shape_problem(op: Op, shapes: Shapes) -> str | None:
    """Returns the first demand on shapes that an operator breaks; the shape of an absent operand is None."""
    demands = signature(op.name)
    if demands is None:
        return None
    for i, (kind, shape) in enumerate(zip(demands.operands, shapes, strict=False)):
        if kind.rank is not None and shape is not None and len(shape) != kind.rank:
            return f"operand {i} ({kind.name}): expected rank {kind.rank}, found shape {dims(shape)}"
    check = SHAPE_CHECKS.get(op.name)
    return None if check is None else check(op, shapes)


def dims(shape: Shape) -> str:
    """Returns a shape as text, such as `2x3`."""
    return "x".join(map(str, shape)) or "scalar"


def _check_broadcast(op: Op, shapes: Shapes) -> str | None:  # noqa: ARG001  # one signature for all
    """Checks that all shapes broadcast (CalculateShapeForBroadcast)."""
    present = [shape for shape in shapes if shape is not None]
    if all(shape == present[0] for shape in present):
        return None
    for sizes in zip_longest(*(shape[::-1] for shape in present), fillvalue=1):
        if len({*sizes} - {1}) > 1:
            return f"shapes {' and '.join(map(dims, present))} don't broadcast"
    return None


def _check_prelu(op: Op, shapes: Shapes) -> str | None:
    """Checks that the slope of PRELU broadcasts to the input, and isn't larger."""
    x, alpha = shapes
    assert x is not None
    assert alpha is not None
    wider = len(alpha) > len(x) or any(m == 1 != n for m, n in zip(x[::-1], alpha[::-1], strict=False))
    return f"a slope of shape {dims(alpha)} is wider than {dims(x)}" if wider else _check_broadcast(op, shapes)


def _check_select(op: Op, shapes: Shapes) -> str | None:  # noqa: ARG001
    """Checks SELECT: its condition has the operands' shape, or is a vector or scalar (kVersionOne)."""
    condition, x, y = (shape if shape is not None else () for shape in shapes)
    if condition == x == y or all(math.prod(s) == 1 for s in (condition, x, y)):  # type: ignore[arg-type]
        return None
    if x != y or (condition and condition != x[:1]):
        return f"shapes {dims(condition)}, {dims(x)} and {dims(y)} don't agree"
    return None


def _check_windows(op: Op, shapes: Shapes) -> str | None:
    """Checks that the channels of input and weight agree; TRANSPOSE_CONV has no groups."""
    x, weight = shapes[2 if op.name == "tfl.transpose_conv" else 0], shapes[WEIGHT]
    assert x is not None
    assert weight is not None
    (*_, channels), (outputs, *_, depth) = x, weight
    if op.name == "tfl.depthwise_conv_2d":
        fits = outputs == 1 and channels and depth % channels == 0  # type: ignore[operator]  # shapes are known
    elif op.name == "tfl.transpose_conv":
        fits = channels == depth
    else:
        fits = channels and depth and channels % depth == 0 and outputs % (channels // depth) == 0  # type: ignore[operator]
    return _check_bias(op, shapes) if fits else f"a weight of {dims(weight)} doesn't fit the channels of {dims(x)}"


def _check_bias(op: Op, shapes: Shapes) -> str | None:
    """Checks that there is one bias element for each channel, and one scale or as many as channels."""
    index = BIAS.get(op.name, 2)
    weight, bias = shapes[WEIGHT], shapes[index] if len(shapes) > index else None
    if weight is None:
        return None
    channels, scales = weight[3 if op.name == "tfl.depthwise_conv_2d" else 0], _scales(op)
    if scales not in (0, 1, channels):
        return f"weight: expected 1 or {channels} scales, found {scales}"
    if bias is None:
        return None
    elements = math.prod(bias)  # type: ignore[arg-type]  # shapes are known
    return None if elements == channels else f"bias: expected {channels} elements, found {elements}"


def _check_volumes(op: Op, shapes: Shapes) -> str | None:
    """Checks the channels of a 3D convolution's input, weight and bias."""
    transposed = op.name == "tfl.conv_3d_transpose"
    x, weight, bias = (
        shapes[2 * transposed],
        shapes[WEIGHT],
        shapes[2 + transposed] if len(shapes) > 2 + transposed else None,
    )
    assert x is not None
    assert weight is not None
    inputs, outputs = weight[3:5] if not transposed else weight[4:2:-1]
    if x[4] != inputs:
        return f"a weight of {dims(weight)} doesn't fit the channels of {dims(x)}"
    elements = outputs if bias is None else math.prod(bias)  # type: ignore[arg-type]  # shapes are known
    return None if elements == outputs else f"bias: expected {outputs} elements, found {elements}"


def _scales(op: Op) -> int:
    """Returns the number of scales of an integer weight, 0 if the kernel doesn't read them."""
    weight = op.operands[WEIGHT].type
    asked = op.name != "tfl.fully_connected" or not op.results[0].type.dtype.is_float
    return len(weight.quant.scale) if asked and weight.quant is not None and weight.dtype.is_integer else 0


def _check_layer(op: Op, shapes: Shapes) -> str | None:
    """Checks FULLY_CONNECTED: if dimensions are kept, rows must have the weight's depth."""
    x, weight = shapes[0], shapes[WEIGHT]
    if op.attributes["keep_num_dims"] and x is not None and weight is not None and x[-1:] != weight[-1:]:
        return f"a weight of {dims(weight)} doesn't fit rows of {dims(x)}"
    return _check_bias(op, shapes)


def _check_rank(least: int, index: int = 0) -> ShapeCheck:
    """Returns a check that an operand has at least so many dimensions."""

    def check(_op: Op, shapes: Shapes) -> str | None:
        shape = shapes[index]
        enough = shape is not None and len(shape) >= least
        return None if enough else f"operand {index}: expected rank {least} or more, found shape {dims(shape or ())}"

    return check


def _check_batches(op: Op, shapes: Shapes) -> str | None:
    """Checks BATCH_MATMUL: one depth, and batches that broadcast."""
    lhs, rhs = (shape if shape is not None else () for shape in shapes)
    for shape in (lhs, rhs):
        if not 2 <= len(shape) <= 5:
            return f"expected rank 2 to 5, found shape {dims(shape)}"
    depth = lhs[-2 if op.attributes["adj_x"] else -1], rhs[-1 if op.attributes["adj_y"] else -2]
    if depth[0] != depth[1]:
        return f"matrices of {dims(lhs)} and {dims(rhs)} have depths {depth[0]} and {depth[1]}"
    return _check_broadcast(op, (lhs[:-2], rhs[:-2]))


def _check_same_shape(op: Op, shapes: Shapes) -> str | None:
    """Checks that all operands have one shape, except along the axis of CONCATENATION."""
    first = shapes[0]
    assert first is not None
    axis = op.attributes["axis"] % len(first) if op.name == "tfl.concatenation" and first else -1
    for i, shape in enumerate(shapes):
        assert shape is not None
        if len(shape) != len(first) or any(
            n != m for k, (n, m) in enumerate(zip(shape, first, strict=True)) if k != axis
        ):
            return (
                f"operand {i}: expected shape {dims(first)}{' but along the axis' * (axis >= 0)}, found {dims(shape)}"
            )
    return None


def _check_padding_value(op: Op, shapes: Shapes) -> str | None:  # noqa: ARG001
    """Checks that PADV2's value is one element."""
    value = shapes[2] if len(shapes) > 2 else None
    single = value is None or math.prod(value) == 1  # type: ignore[arg-type]  # shapes are known
    return None if single else f"operand 2 (constant_values): expected one element, found shape {dims(value or ())}"


def _check_default(op: Op, shapes: Shapes) -> str | None:  # noqa: ARG001
    """Checks that SPARSE_TO_DENSE's default value is one element."""
    single = math.prod(shapes[3] or ()) == 1  # type: ignore[arg-type]  # shapes are known
    return None if single else f"operand 3 (default_value): expected one element, found shape {dims(shapes[3] or ())}"


def _check_segment_count(op: Op, shapes: Shapes) -> str | None:  # noqa: ARG001
    """Checks that the number of segments is one element."""
    count = shapes[2] or ()
    return None if count in ((), (1,)) else f"operand 2 (num_segments): expected one element, found shape {dims(count)}"


def _check_unpack(op: Op, shapes: Shapes) -> str | None:
    """Checks that UNPACK's axis has as many elements as there are results."""
    x, axis = shapes[0], op.attributes["axis"]
    assert x is not None
    if -len(x) <= axis < len(x) and x[axis] == len(op.results):
        return None
    return f"expected {len(op.results)} elements along axis {axis}, found shape {dims(x)}"


BROADCASTING = (
    "add sub mul div floor_div floor_mod pow maximum minimum squared_difference equal not_equal greater "
    "greater_equal less less_equal logical_and logical_or select_v2 bitwise_xor right_shift"
)
SHAPE_CHECKS: dict[str, ShapeCheck] = {
    **dict.fromkeys((f"tfl.{name}" for name in BROADCASTING.split()), _check_broadcast),
    **dict.fromkeys(("tfl.conv_2d", "tfl.depthwise_conv_2d", "tfl.transpose_conv"), _check_windows),
    "tfl.fully_connected": _check_layer,
    **dict.fromkeys(("tfl.softmax", "tfl.log_softmax", "tfl.l2_normalization"), _check_rank(1)),
    "tfl.embedding_lookup": _check_rank(2, 1),
    **dict.fromkeys(("tfl.conv_3d", "tfl.conv_3d_transpose"), _check_volumes),
    **dict.fromkeys(("tfl.pad", "tfl.padv2"), _check_padding_value),
    "tfl.unpack": _check_unpack,
    "tfl.sparse_to_dense": _check_default,
    **dict.fromkeys((f"tfl.unsorted_segment_{name}" for name in ("sum", "prod", "max", "min")), _check_segment_count),
    "tfl.prelu": _check_prelu,
    "tfl.select": _check_select,
    "tfl.batch_matmul": _check_batches,
    "tfl.concatenation": _check_same_shape,
    **dict.fromkeys(("tfl.pack", "tfl.add_n", "tfl.atan2"), _check_same_shape),
    **dict.fromkeys(LSTMS, lstm_shapes),
    **dict.fromkeys(RNNS, rnn_shapes),
    "tfl.svdf": svdf_shapes,
}
