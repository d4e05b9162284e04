"""The demands on shapes that LiteRT's kernels check in Prepare.

Asked when the shapes are known: like us, LiteRT finds them anew from the inputs on, whatever the file says of values in
between. Names in parentheses are functions of LiteRT's kernels/*.cc.
"""

import math
from collections.abc import Callable, Sequence
from itertools import zip_longest

from tosa_converter.formats.tflite.prepare import kernel_signature
from tosa_converter.formats.tflite.prepare_quantization import BIAS, WEIGHT
from tosa_converter.formats.tflite.prepare_recurrent import (
    LSTMS,
    RNNS,
    lstm_shape_problem,
    rnn_shape_problem,
    svdf_shape_problem,
)
from tosa_converter.ir import Op, Shape

Shapes = Sequence[Shape | None]
ShapeCheck = Callable[[Op, Shapes], str | None]


def shape_problem(op: Op, shapes: Shapes) -> str | None:
    """Returns why LiteRT would refuse the shapes of an operator's operands.

    None if it takes them, or if its kernel's demands aren't known.
    """
    demands = kernel_signature(op.name)
    if demands is None:
        return None
    for i, (kind, shape) in enumerate(zip(demands.operands, shapes, strict=False)):
        if kind.rank is not None and shape is not None and len(shape) != kind.rank:
            return f"operand {i} ({kind.name}): expected rank {kind.rank}, found shape {dims(shape)}"
    check = SHAPE_CHECKS.get(op.name)
    return None if check is None else check(op, shapes)


def dims(shape: Shape) -> str:
    """Returns a shape as text for messages: 2x3, or "scalar"."""
    return "x".join(map(str, shape)) or "scalar"


def _broadcast_problem(op: Op, shapes: Shapes) -> str | None:  # noqa: ARG001  # one signature for all
    """Returns why the operands' shapes don't broadcast (CalculateShapeForBroadcast), or None if they do."""
    present = [shape for shape in shapes if shape is not None]
    if all(shape == present[0] for shape in present):
        return None
    # Aligned at the last dimension: 2x3 and 3 give (3, 3), (2, 1), which broadcast; 2x3 and 2 give (3, 2), which don't.
    for sizes in zip_longest(*(shape[::-1] for shape in present), fillvalue=1):
        if len({*sizes} - {1}) > 1:
            return f"shapes {' and '.join(map(dims, present))} don't broadcast"
    return None


def _prelu_problem(op: Op, shapes: Shapes) -> str | None:
    """Returns why the shape of PRELU's slopes doesn't broadcast to its input's, or None if it does."""
    x, alpha = shapes
    assert x is not None
    assert alpha is not None
    wider = len(alpha) > len(x) or any(m == 1 != n for m, n in zip(x[::-1], alpha[::-1], strict=False))
    return f"a slope of shape {dims(alpha)} is wider than {dims(x)}" if wider else _broadcast_problem(op, shapes)


def _select_problem(op: Op, shapes: Shapes) -> str | None:  # noqa: ARG001
    """Returns why the shapes don't suit SELECT (kVersionOne), or None.

    The kernel takes three equal shapes, one element each, or equal values with a condition that is a scalar or has one
    element per row.
    """
    condition, x, y = (shape if shape is not None else () for shape in shapes)
    if condition == x == y or all(math.prod(s) == 1 for s in (condition, x, y)):  # type: ignore[arg-type]
        return None
    if x != y or (condition and condition != x[:1]):
        return f"shapes {dims(condition)}, {dims(x)} and {dims(y)} don't agree"
    return None


def _convolution_problem(op: Op, shapes: Shapes) -> str | None:
    """Returns why a 2-D convolution's weight or bias doesn't fit its input's channels, or None.

    CONV_2D may have groups, TRANSPOSE_CONV has none.
    """
    x, weight = shapes[2 if op.name == "tfl.transpose_conv" else 0], shapes[WEIGHT]
    assert x is not None
    assert weight is not None
    (*_, channels), (outputs, *_, depth) = x, weight
    if op.name == "tfl.depthwise_conv_2d":
        # A weight of 1x3x3x16 gives each of 8 channels 2 results.
        fits = outputs == 1 and channels and depth % channels == 0  # type: ignore[operator]  # shapes are known
    elif op.name == "tfl.transpose_conv":
        fits = channels == depth
    else:
        # 8 channels and kernels of depth 4 are 2 groups, so the kernels must be even in number.
        fits = channels and depth and channels % depth == 0 and outputs % (channels // depth) == 0  # type: ignore[operator]
    return _bias_problem(op, shapes) if fits else f"a weight of {dims(weight)} doesn't fit the channels of {dims(x)}"


def _bias_problem(op: Op, shapes: Shapes) -> str | None:
    """Returns why a convolution or FULLY_CONNECTED hasn't a bias element or weight scale for each channel, or None.

    One scale may serve all channels.
    """
    index = BIAS.get(op.name, 2)
    weight, bias = shapes[WEIGHT], shapes[index] if len(shapes) > index else None
    if weight is None:
        return None
    channels, scales = weight[3 if op.name == "tfl.depthwise_conv_2d" else 0], _count_scales(op)
    if scales not in (0, 1, channels):
        return f"weight: expected 1 or {channels} scales, found {scales}"
    if bias is None:
        return None
    elements = math.prod(bias)  # type: ignore[arg-type]  # shapes are known
    return None if elements == channels else f"bias: expected {channels} elements, found {elements}"


def _conv_3d_problem(op: Op, shapes: Shapes) -> str | None:
    """Returns why a 3-D convolution's weight or bias doesn't fit its input's channels, or None.

    The weight has inputs before outputs, and CONV_3D_TRANSPOSE the reverse.
    """
    transposed = op.name == "tfl.conv_3d_transpose"  # its operands are shape, weight, input and bias
    input_index, bias_index = (2, 3) if transposed else (0, 2)
    x, weight = shapes[input_index], shapes[WEIGHT]
    bias = shapes[bias_index] if len(shapes) > bias_index else None
    assert x is not None
    assert weight is not None
    # A weight of 3x3x3x8x16 makes 16 channels of 8; transposed, [4:2:-1] reads the sizes backwards: 8 of 16.
    inputs, outputs = weight[3:5] if not transposed else weight[4:2:-1]
    if x[4] != inputs:
        return f"a weight of {dims(weight)} doesn't fit the channels of {dims(x)}"
    elements = outputs if bias is None else math.prod(bias)  # type: ignore[arg-type]  # shapes are known
    return None if elements == outputs else f"bias: expected {outputs} elements, found {elements}"


def _count_scales(op: Op) -> int:
    """Returns how many scales an operator's integer weight has; 0 for floats.

    It is 0 too for FULLY_CONNECTED with a float result, whose kernel (hybrid) doesn't compare them with the channels.
    """
    weight = op.operands[WEIGHT].type
    is_checked = op.name != "tfl.fully_connected" or not op.results[0].type.dtype.is_float
    return len(weight.quant.scale) if is_checked and weight.quant is not None and weight.dtype.is_integer else 0


def _fully_connected_problem(op: Op, shapes: Shapes) -> str | None:
    """Returns why FULLY_CONNECTED's weight or bias doesn't fit its input, or None.

    Only with the option keep_num_dims must the input's last dimension equal the weight's. Without it, the input's
    elements are divided into rows of the weight's depth.
    """
    x, weight = shapes[0], shapes[WEIGHT]
    if op.attributes["keep_num_dims"] and x is not None and weight is not None and x[-1:] != weight[-1:]:
        return f"a weight of {dims(weight)} doesn't fit rows of {dims(x)}"
    return _bias_problem(op, shapes)


def _minimum_rank_check(least: int, index: int = 0) -> ShapeCheck:
    """Returns a check that operand `index` has at least `least` dimensions."""

    def ranked(_op: Op, shapes: Shapes) -> str | None:
        """Returns why operand `index` is absent or has fewer than `least` dimensions, or None if it has enough."""
        shape = shapes[index]
        enough = shape is not None and len(shape) >= least
        return None if enough else f"operand {index}: expected rank {least} or more, found shape {dims(shape or ())}"

    return ranked


def _batch_matmul_problem(op: Op, shapes: Shapes) -> str | None:
    """Returns why BATCH_MATMUL's matrices differ in depth or their batches don't broadcast, or None.

    Both must have rank 2 to 5.
    """
    lhs, rhs = (shape if shape is not None else () for shape in shapes)
    for shape in (lhs, rhs):
        if not 2 <= len(shape) <= 5:
            return f"expected rank 2 to 5, found shape {dims(shape)}"
    depth = lhs[-2 if op.attributes["adj_x"] else -1], rhs[-1 if op.attributes["adj_y"] else -2]
    if depth[0] != depth[1]:
        return f"matrices of {dims(lhs)} and {dims(rhs)} have depths {depth[0]} and {depth[1]}"
    return _broadcast_problem(op, (lhs[:-2], rhs[:-2]))


def _same_shape_problem(op: Op, shapes: Shapes) -> str | None:
    """Returns why the operands' shapes differ, or None if they are equal; CONCATENATION's may differ along its axis."""
    first = shapes[0]
    assert first is not None
    axis = op.attributes["axis"] % len(first) if op.name == "tfl.concatenation" and first else -1
    for i, shape in enumerate(shapes):
        assert shape is not None
        if len(shape) != len(first) or any(
            n != m for k, (n, m) in enumerate(zip(shape, first, strict=True)) if k != axis
        ):
            exception = " but along the axis" if axis >= 0 else ""
            return f"operand {i}: expected shape {dims(first)}{exception}, found {dims(shape)}"
    return None


def _padding_value_problem(op: Op, shapes: Shapes) -> str | None:  # noqa: ARG001
    """Returns why PADV2's padding value isn't one element, or None."""
    value = shapes[2] if len(shapes) > 2 else None
    single = value is None or math.prod(value) == 1  # type: ignore[arg-type]  # shapes are known
    return None if single else f"operand 2 (constant_values): expected one element, found shape {dims(value or ())}"


def _default_value_problem(op: Op, shapes: Shapes) -> str | None:  # noqa: ARG001
    """Returns why SPARSE_TO_DENSE's default value isn't one element, or None."""
    single = math.prod(shapes[3] or ()) == 1  # type: ignore[arg-type]  # shapes are known
    return None if single else f"operand 3 (default_value): expected one element, found shape {dims(shapes[3] or ())}"


def _segment_count_problem(op: Op, shapes: Shapes) -> str | None:  # noqa: ARG001
    """Returns why UNSORTED_SEGMENT's number of segments isn't a scalar or one element, or None."""
    count = shapes[2] or ()
    return None if count in ((), (1,)) else f"operand 2 (num_segments): expected one element, found shape {dims(count)}"


def _unpack_problem(op: Op, shapes: Shapes) -> str | None:
    """Returns why UNPACK's axis hasn't as many elements as there are results, or None."""
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
    **dict.fromkeys((f"tfl.{name}" for name in BROADCASTING.split()), _broadcast_problem),
    **dict.fromkeys(("tfl.conv_2d", "tfl.depthwise_conv_2d", "tfl.transpose_conv"), _convolution_problem),
    "tfl.fully_connected": _fully_connected_problem,
    **dict.fromkeys(("tfl.softmax", "tfl.log_softmax", "tfl.l2_normalization"), _minimum_rank_check(1)),
    "tfl.embedding_lookup": _minimum_rank_check(2, 1),
    **dict.fromkeys(("tfl.conv_3d", "tfl.conv_3d_transpose"), _conv_3d_problem),
    **dict.fromkeys(("tfl.pad", "tfl.padv2"), _padding_value_problem),
    "tfl.unpack": _unpack_problem,
    "tfl.sparse_to_dense": _default_value_problem,
    **dict.fromkeys((f"tfl.unsorted_segment_{name}" for name in ("sum", "prod", "max", "min")), _segment_count_problem),
    "tfl.prelu": _prelu_problem,
    "tfl.select": _select_problem,
    "tfl.batch_matmul": _batch_matmul_problem,
    "tfl.concatenation": _same_shape_problem,
    **dict.fromkeys(("tfl.pack", "tfl.add_n", "tfl.atan2"), _same_shape_problem),
    **dict.fromkeys(LSTMS, lstm_shape_problem),
    **dict.fromkeys(RNNS, rnn_shape_problem),
    "tfl.svdf": svdf_shape_problem,
}
