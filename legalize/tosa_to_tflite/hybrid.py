"""Convolutions and FULLY_CONNECTED of floats by weights of 8 bits, which quantize floats as they run.

Guessed of the weights and scales around a convolution of 8 bits, and confirmed as all templates.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, Quant, Value
from tosa_converter.legalize.tflite.windows import padding_1d
from tosa_converter.legalize.tosa_to_tflite.templates import Guess, constant
from tosa_converter.legalize.tosa_to_tflite.windows import options_of, window_from
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tflite import Padding

# What convolves the levels, and the type that it has them in.
CORES = {ops.CONV2D: DType.I8, ops.DEPTHWISE_CONV2D: DType.I8, ops.TRANSPOSE_CONV2D: DType.FP32}


def guesses(root: Op) -> Iterator[Guess]:
    """What a sum's scaling, or the bias behind it, may end."""
    if root.row not in (ops.MUL, ops.ADD) or root.results[0].type.dtype is not DType.FP32:
        return
    bias, scaling = None, root
    if root.row is ops.ADD:
        bias, product = root.operands[1].constant, root.operands[0].producer
        if bias is None or product is None or product.row is not ops.MUL:
            return
        scaling = product
    scales, sums = _scaled(scaling)
    core = _convolution(sums) if sums is not None else None
    if core is None or (bias is not None and bias.size not in (1, core.results[0].type.static[3])):
        return
    for scale in scales:
        if scale.size in (1, core.results[0].type.static[3]) and ((scale > 0) & (scale < np.inf)).all():
            if core.row is ops.TRANSPOSE_CONV2D:
                yield from _transposed(root, core, scale, bias)
            else:
                yield from _layers(root, core, scale, bias, asymmetric=sums is not core)


def _scaled(scaling: Op) -> tuple[list[Array], Op | None]:
    """Constant factors of a product of floats, and the operator whose integers are its other factor."""
    scales: list[Array] = []
    queue, sums = [*scaling.operands[:2]], None
    for value in queue:
        op = value.producer
        if value.constant is not None:
            scales.append(value.constant.reshape(-1))
        elif op is not None and op.row is ops.CAST and op.operands[0].type.dtype is DType.I32:
            sums = op.operands[0].producer
        elif op is not None and op.row in (ops.TRANSPOSE_CONV2D, ops.SLICE):
            sums = op
        elif op is not None and op.row is ops.MUL and len(queue) < 8:
            queue += op.operands[:2]
    return scales, sums


def _convolution(op: Op) -> Op | None:
    """The convolution by constant weights, less what zero points add to it or not."""
    core = op.operands[0].producer if op.row in (ops.SUB, ops.SLICE) else op
    if core is None or core.row not in CORES or core.operands[1].constant is None:
        return None
    return core if core.operands[0].type.dtype is CORES[core.row] else None


def _layers(root: Op, core: Op, scale: Array, bias: Array | None, *, asymmetric: bool) -> Iterator[Guess]:
    weight = core.operands[1].constant
    channels = core.results[0].type.static[3]
    assert weight is not None
    depthwise = core.row is ops.DEPTHWISE_CONV2D
    kernel = weight.reshape(1, *weight.shape[:2], channels) if depthwise else weight
    more = _bias(bias, channels)
    for x in _sources(core):
        shape = x.type.static
        if weight.shape[1:3] == shape[1:3] == (1, 1) and not depthwise:
            flat = kernel.reshape(channels, -1)
            options: dict[str, Any] = {"keep_num_dims": True, "asymmetric_quantize_inputs": asymmetric}
            yield Guess(root, "fully_connected", x, None, None, options, (_weights(flat, scale, 0), *more))
        padding = _padding(core, x, kernel.shape[1:3])
        if padding is None:
            continue
        options = {"padding": padding, **options_of(window_from(core, kernel.shape[1:3]))}
        if depthwise:
            options["depth_multiplier"] = channels // shape[3]
        values = _weights(kernel, scale, 3 if depthwise else 0)
        yield Guess(root, "depthwise_conv_2d" if depthwise else "conv_2d", x, None, None, options, (values, *more))


def _transposed(root: Op, core: Op, scale: Array, bias: Array | None) -> Iterator[Guess]:
    weight, shape = core.operands[1].constant, root.results[0].type.static
    assert weight is not None
    if (weight != np.rint(weight)).any() or np.abs(weight).max() > 128:
        return
    before = constant(np.array(shape), DType.I32), _weights(weight, scale, 0)
    down, right = core.attributes["stride"]
    for x in _sources(core):
        for padding in (Padding.SAME, Padding.VALID):
            options = {"stride_h": down, "stride_w": right, "padding": padding}
            more = _bias(bias, len(weight))
            yield Guess(root, "transpose_conv", x, None, None, options, more, before)


def _bias(bias: Array | None, channels: int) -> tuple[Value, ...]:
    return () if bias is None else (constant(np.broadcast_to(bias.reshape(-1), (channels,)), DType.FP32),)


def _weights(values: Array, scale: Array, axis: int) -> Value:
    quant = Quant(tuple(scale.tolist()), (0,) * scale.size, axis if scale.size > 1 else None)
    return constant(values, DType.I8, quant)


def _sources(core: Op, most: int = 64) -> Iterator[Value]:
    """The image whose range is measured for a convolution's operand, and what it was before padding, that first."""
    queue = [core.operands[0]]
    for value in queue:
        op = value.producer
        if op is not None and op.row is ops.REDUCE_MAX:
            break
        queue += [v for v in op.operands if v not in queue] if op is not None and len(queue) < most else []
    else:
        return
    found = [op.operands[0]]
    while (before := found[-1].producer) is not None and before.row in (ops.ABS, ops.RESHAPE, ops.PAD):
        found.append(before.operands[0])
    depth = core.operands[0].type.static[3]
    yield from (x for x in reversed(found) if x.type.rank == 4 and x.type.static[3] == depth)


def _padding(core: Op, x: Value, kernel: tuple[int, ...]) -> Padding | None:
    """With which a convolution of `x` has as many results."""
    window = window_from(core, kernel)
    rows = list(zip(x.type.static[1:3], window.kernel, window.stride, window.dilation, strict=True))
    made = core.results[0].type.static[1:3]
    for padding in (Padding.VALID, Padding.SAME):
        sizes = [(n + sum(padding_1d(padding, n, k, s, d)) - (k - 1) * d - 1) // s + 1 for n, k, s, d in rows]
        if tuple(sizes) == made:
            return padding
    return None
