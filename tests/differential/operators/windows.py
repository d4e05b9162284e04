"""Convolutions, fully connected layers, matrix products and lookups: whatever has weights."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from differential.case import QUANTIZED, Case, Draw, Operand
from differential.operators import Drawing
from differential.operators.elementwise import FUSED
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import Padding, TensorType

SPREAD = 74.0  # of the 8-bit integers that are drawn
PACKED = frozenset({"i4", "i2"})  # of less than a byte, which no input is
BIASES = {"i8": "i32", "ui8": "i32", "i16": "i64"}
SHORT = {"quantized_bias_type": TensorType.INT32}  # of 16-bit activations, whose bias has 64 bits else


def weights(d: Draw, shape: Sequence[int], axis: int) -> Operand:
    """Random weights, constant more often than not; integers with a scale, or one for each index of `axis`.

    Hybrid ones are never -128, which TFLite's quantization leaves out: LiteRT's dot product on x86 mistakes its sign.
    """
    type, quant = d.types[1], weight_quant(d, shape[axis], axis) if d.types[1] in QUANTIZED else {}
    values = d.values(shape, type)
    made = d.of(
        np.where(values.view(np.int8) == -128, 1, values).astype(values.dtype) if hybrid(d) else values, type, **quant
    )
    return made.constant if type in PACKED or d.whole(0, 4) else made


def weight_quant(d: Draw, channels: int, axis: int) -> dict[str, Any]:
    """Symmetric scales; uint8 has one, and a zero point."""
    if d.types[1] == "ui8":
        return {"scale": d.scale(0.002, 0.02), "zero_point": d.zero_point("ui8")}
    several = d.coin() and channels > 1
    return {"scale": d.scale(0.002, 0.02, channels if several else None), "zero_point": 0, "axis": axis}


def bias(d: Draw, x: Operand, weight: Operand, channels: int, *, often: int = 4, short: str = "") -> Operand | None:
    """A bias for the products' scale, constant or not, now and then none."""
    if d.whole(0, often) == 0:
        return None
    if d.type not in QUANTIZED:
        return d.either(d.fed((channels,)))
    type, axis = short or BIASES[d.type], {"axis": 0} if np.size(weight.tensor.scale) > 1 else {}
    made = d.fed((channels,), type, scale=x.tensor.scale * weight.tensor.scale, zero_point=0, **axis)
    return d.either(made)


def short_bias(d: Draw) -> str:
    """The type of a bias of 32 bits, now and then, for 16-bit activations."""
    return "i32" if d.type == "i16" and d.coin() else ""


def product(d: Draw, x: Operand, weight: Operand, terms: int) -> Operand:
    """A result whose scale fits sums of so many products, more or less."""
    if d.type not in QUANTIZED:
        return d.result()
    spread = SPREAD * math.sqrt(terms) * d.scale(0.3, 3)
    scale = np.float32(x.tensor.scale * np.max(weight.tensor.scale) * spread)
    return d.result(scale=scale, zero_point=d.zero_point())


def activation(d: Draw) -> dict[str, Any]:
    """A fused activation."""
    return {"fused_activation_function": d.among(*FUSED)}


def window(d: Draw, kernel: Sequence[int], size: Sequence[int]) -> dict[str, Any]:
    """Options of a convolution; VALID only where the dilated kernel fits."""
    dilation = [d.among(1, 1, 2, 3) for _ in kernel]
    fits = all((k - 1) * by < n for k, by, n in zip(kernel, dilation, size, strict=True))
    return {
        "padding": d.among(Padding.SAME, Padding.VALID) if fits else Padding.SAME,
        "stride_h": d.whole(1, 3),
        "stride_w": d.whole(1, 3),
        "dilation_h_factor": dilation[0],
        "dilation_w_factor": dilation[1],
    }


def image(d: Draw, channels: int) -> Operand:
    """Images of some batches."""
    return activations(d, (d.whole(1, 3), d.whole(1, 7), d.whole(1, 7), channels))


def activations(d: Draw, shape: Sequence[int]) -> Operand:
    """Random elements; for hybrid weights rows of zeros, ties, ranges on one side or alike on both, far magnitudes."""
    x = d.tensor(shape)
    return Operand(x.tensor, edged(d, x.array)) if hybrid(d) and x.array is not None else x


def edged(d: Draw, x: Array) -> Array:
    """One of these."""
    kind = d.whole(0, 9)
    if kind == 0:
        x[d.whole(0, len(x) - 1) if x.ndim else ...] = 0
    elif kind in (1, 2):  # halves of integers: with a range of 127 or 255, as many ties
        x = np.rint(x * 25) / 2
        x.reshape(-1)[: 1 + kind] = (127, 0, -128)[: min(1 + kind, x.size)]
    elif kind in (3, 4):
        x = abs(x) if kind == 3 else -abs(x)
    elif kind == 5 and x.size:
        x.reshape(-1)[-1] = -x.max()
    elif kind == 6:
        x = x * 2.0 ** d.among(-110, -60, 60, 100)
    return np.asarray(x, np.float32)


def kernel_size(d: Draw) -> tuple[int, int]:
    """Height and width."""
    return d.whole(1, 3), d.whole(1, 3)


def conv_2d(d: Draw) -> Case:
    """Also of groups, in which hybrid weights have a scale for each channel, uint8 none: the kernel takes it so."""
    groups, depth, share = d.among(1, 1, 1, 2, 3), d.whole(1, 5), d.whole(1, 4)
    groups = 1 if hybrid(d) and d.types[1] == "ui8" else groups
    x, kernel = image(d, groups * depth), kernel_size(d)
    out = groups * share
    weight = weights(d, (out, *kernel, depth), 0)
    if groups > 1 and hybrid(d):
        weight = per_channel(d, weight, out, 0)
    short = short_bias(d)
    options = {**window(d, kernel, x.tensor.shape[1:3]), **activation(d), **(SHORT if short else {})}
    return Case(
        B.CONV_2D,
        [x, weight, bias(d, x, weight, out, often=19, short=short)],
        [product(d, x, weight, math.prod(kernel) * depth)],
        options,
    )


def hybrid(d: Draw) -> bool:
    """Float activations with integer weights."""
    return d.type == "fp32" and d.types[1] in QUANTIZED


def per_channel(d: Draw, weight: Operand, channels: int, axis: int) -> Operand:
    """The weight with a scale for each channel."""
    quant = {"scale": d.scale(0.002, 0.02, channels), "zero_point": 0, "axis": axis}
    tensor = type(weight.tensor)(**{**vars(weight.tensor), **quant})
    return Operand(tensor, weight.array)


def depthwise_conv_2d(d: Draw) -> Case:
    """Hybrid weights have a scale for each channel: the kernel reads as many whatever the file says."""
    channels, multiplier = d.whole(1, 5), d.whole(1, 3)
    x, kernel = image(d, channels), kernel_size(d)
    out = channels * multiplier
    weight = weights(d, (1, *kernel, out), 3)
    if hybrid(d):
        weight = per_channel(d, weight, out, 3)
    options = {**window(d, kernel, x.tensor.shape[1:3]), **activation(d), "depth_multiplier": multiplier}
    results = [product(d, x, weight, math.prod(kernel))]
    return Case(B.DEPTHWISE_CONV_2D, [x, weight, bias(d, x, weight, out, often=19)], results, options)


def transpose_conv(d: Draw) -> Case:
    """Output sizes from which the forward convolution makes the input's."""
    depth, out, kernel = d.whole(1, 5), d.whole(1, 4), kernel_size(d)
    x = image(d, depth)
    weight = weights(d, (out, *kernel, depth), 0)
    padding, stride = d.among(Padding.SAME, Padding.VALID), (d.whole(1, 3), d.whole(1, 3))
    batch, *sizes = x.tensor.shape[:3]
    less = [d.whole(0, s - 1) for s in stride]
    if padding == Padding.SAME:
        size = [n * s - part for n, s, part in zip(sizes, stride, less, strict=True)]
    else:
        parts = zip(sizes, stride, kernel, less, strict=True)
        size = [(n - 1) * s + k + part for n, s, k, part in parts]
    shape = d.ints([batch, *size, out])
    short = short_bias(d)
    options = {"padding": padding, "stride_h": stride[0], "stride_w": stride[1], **activation(d)}
    options |= SHORT if short else {}
    results = [product(d, x, weight, math.prod(kernel) * depth)]
    return Case(B.TRANSPOSE_CONV, [shape, weight, x, bias(d, x, weight, out, short=short)], results, options, 3)


def fully_connected(d: Draw) -> Case:
    """Rows in one dimension or several, kept or not; or rows that other dimensions make up."""
    depth, out = d.whole(1, 24), d.whole(1, 9)
    rows = d.shape(0, 3, 4)
    split = depth % 2 == 0 and d.whole(0, 3) == 0
    x = activations(d, (*rows, 2, depth // 2) if split else (*rows, depth))
    weight = weights(d, (out, depth), 0)
    options = {"keep_num_dims": not split and d.coin(), "asymmetric_quantize_inputs": d.coin(), **activation(d)}
    short = short_bias(d)
    options |= SHORT if short else {}
    made = product(d, x, weight, depth)
    return Case(B.FULLY_CONNECTED, [x, weight, bias(d, x, weight, out, short=short)], [made], options)


def batch_matmul(d: Draw) -> Case:
    """Batches of up to three dimensions that broadcast, on both sides; hybrid ones as far as the kernel is right."""
    rows, depth, columns = d.whole(1, 5), d.whole(1, 12), d.whole(1, 5)
    batch = d.shape(0, 1 if hybrid(d) else 3, 3)
    left, right = (d.broadcast(batch), batch) if d.coin() else (batch, d.broadcast(batch))
    adj_x, adj_y = d.coin(), d.coin()
    x = activations(d, (*left, depth, rows) if adj_x else (*left, rows, depth))
    y = matrix(d, (*right, columns, depth) if adj_y else (*right, depth, columns), adjoint=adj_y)
    operands = [d.either(x), y if y.tensor.data is not None else d.either(y)]
    options = {"adj_x": adj_x, "adj_y": adj_y, "asymmetric_quantize_inputs": d.coin()}
    stored = d.type == "i8" and d.whole(0, 4) == 0
    return Case(B.BATCH_MATMUL, operands, [d.result("i32") if stored else product(d, x, y, depth)], options)


def matrix(d: Draw, shape: Sequence[int], *, adjoint: bool) -> Operand:
    """The right side: as the left one, or hybrid weights."""
    if not hybrid(d):
        return d.tensor(shape, d.types[1])
    axis = len(shape) - (2 if adjoint else 1)
    return weights(d, shape, axis)


def embedding_lookup(d: Draw) -> Case:
    """Rows of a table in its own type, or integers as floats by one scale or one for each row."""
    size, columns = d.whole(1, 9), (*d.shape(0, 2, 3), 4 * d.whole(1, 3))
    real = d.type in PACKED or (d.type in ("i8", "ui8") and d.coin())
    each = size if real and d.coin() and size > 1 else None
    quant = {"scale": d.scale(size=each), "zero_point": 0} if real else d.quant()
    table = d.fed((size, *columns), **quant)
    indices = d.of(d.rng.integers(0, size, d.whole(1, 6)).astype(np.int32), "i32")
    table = table.constant if d.type in PACKED else d.either(table)
    result = d.result("fp32") if real else d.result(**quant)
    return Case(B.EMBEDDING_LOOKUP, [d.either(indices), table], [result])


DRAWS: dict[B, Drawing] = {
    B.CONV_2D: conv_2d,
    B.DEPTHWISE_CONV_2D: depthwise_conv_2d,
    B.TRANSPOSE_CONV: transpose_conv,
    B.FULLY_CONNECTED: fully_connected,
    B.BATCH_MATMUL: batch_matmul,
    B.EMBEDDING_LOOKUP: embedding_lookup,
}
