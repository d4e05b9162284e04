"""Cases of operators with weights: convolutions, fully connected layers, matrix products and look-ups."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from support.cases.case import FLOAT, MANY, WIDE, Case, Row, Rows, ints, tensor
from support.cases.draw import FUSED, NAMES, QUANTIZED, WORDS, Draw, window_count
from support.cases.sketch import Layer, Refused, Sketch
from support.tflite_models import Tensor
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import ActivationFunctionType, Padding, TensorType
from tosa_converter.schemas.tflite import BuiltinOperator as B

SPREAD = 74.0  # the standard deviation of drawn 8-bit integers
PACKED = frozenset({"i4", "i2"})  # types of less than a byte, which are always constant
BIASES = {"i8": "i32", "ui8": "i32", "i16": "i64"}
SHORT = {"quantized_bias_type": TensorType.INT32}  # for 16-bit activations, whose bias otherwise has 64 bits


def weights(d: Draw, shape: Sequence[int], axis: int) -> Tensor:
    """Draws weights, mostly constant; integers have one scale, or one for each index of `axis`.

    Hybrid ones are never -128, which TFLite's quantization leaves out: LiteRT's dot product on x86 mistakes its sign.
    """
    type, quant = d.types[1], weight_quant(d, shape[axis], axis) if d.types[1] in QUANTIZED else {}
    values = d.values(shape, type)
    drawn = d.of(
        np.where(values.view(np.int8) == -128, 1, values).astype(values.dtype) if hybrid(d) else values, type, **quant
    )
    return drawn.constant if type in PACKED or d.whole(0, 4) else drawn


def weight_quant(d: Draw, channels: int, axis: int) -> dict[str, Any]:
    """Draws symmetric scales; uint8 has one scale and a zero point."""
    if d.types[1] == "ui8":
        return {"scale": d.scale(0.002, 0.02), "zero_point": d.zero_point("ui8")}
    several = d.coin() and channels > 1
    return {"scale": d.scale(0.002, 0.02, channels if several else None), "zero_point": 0, "axis": axis}


def bias(d: Draw, x: Tensor, weight: Tensor, channels: int, *, often: int = 4, short: str = "") -> Tensor | None:
    """Draws a bias on the products' scale, constant or not, or none."""
    if d.whole(0, often) == 0:
        return None
    if d.type not in QUANTIZED:
        return d.either(d.fed((channels,)))
    type, axis = short or BIASES[d.type], {"axis": 0} if np.size(weight.scale) > 1 else {}
    addend = d.fed((channels,), type, scale=x.scale * weight.scale, zero_point=0, **axis)
    return d.either(addend)


def short_bias(d: Draw) -> str:
    """Returns int32 in some cases of 16-bit activations."""
    return "i32" if d.type == "i16" and d.coin() else ""


def product(d: Draw, x: Tensor, weight: Tensor, terms: int) -> Tensor:
    """Returns a result whose scale fits sums of `depth` products."""
    if d.type not in QUANTIZED:
        return d.result()
    spread = SPREAD * math.sqrt(terms) * d.scale(0.3, 3)
    scale = np.float32(x.scale * np.max(weight.scale) * spread)
    return d.result(scale=scale, zero_point=d.zero_point())


def window(d: Draw, kernel: Sequence[int], size: Sequence[int]) -> dict[str, Any]:
    """Draws options of a convolution; VALID only if the dilated kernel fits."""
    dilation = [d.among(1, 1, 2, 3) for _ in kernel]
    fits = all((k - 1) * by < n for k, by, n in zip(kernel, dilation, size, strict=True))
    return {
        "padding": d.among(Padding.SAME, Padding.VALID) if fits else Padding.SAME,
        "stride_h": d.whole(1, 3),
        "stride_w": d.whole(1, 3),
        "dilation_h_factor": dilation[0],
        "dilation_w_factor": dilation[1],
    }


def image(d: Draw, channels: int) -> Tensor:
    """Draws a batch of images."""
    return activations(d, (d.whole(1, 3), d.whole(1, 7), d.whole(1, 7), channels))


def activations(d: Draw, shape: Sequence[int]) -> Tensor:
    """Draws elements; for hybrid weights, rows of zeros, ties, one-sided and symmetric ranges, large numbers."""
    x = d.tensor(shape)
    return replace(x, array=edged(d, x.array)) if hybrid(d) else x


def edged(d: Draw, x: Array) -> Array:
    """Returns the elements, in most cases with such a special row or range."""
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
    """Draws height and width."""
    return d.whole(1, 3), d.whole(1, 3)


def conv_2d(d: Draw) -> Case:
    """Draws groups too, for which the kernel takes hybrid weights with a scale per channel, and uint8 ones with one."""
    groups, depth, share = d.among(1, 1, 1, 2, 3), d.whole(1, 5), d.whole(1, 4)
    groups = 1 if hybrid(d) and d.types[1] == "ui8" else groups
    x, kernel = image(d, groups * depth), kernel_size(d)
    out = groups * share
    weight = weights(d, (out, *kernel, depth), 0)
    if groups > 1 and hybrid(d):
        weight = per_channel(d, weight, out, 0)
    short = short_bias(d)
    options = {**window(d, kernel, x.shape[1:3]), **d.options(**FUSED), **(SHORT if short else {})}
    return Case(
        B.CONV_2D,
        [x, weight, bias(d, x, weight, out, often=19, short=short)],
        [product(d, x, weight, math.prod(kernel) * depth)],
        options,
    )


def hybrid(d: Draw) -> bool:
    """Returns whether the operator has float activations and integer weights."""
    return d.type == "fp32" and d.types[1] in QUANTIZED


def per_channel(d: Draw, weight: Tensor, channels: int, axis: int) -> Tensor:
    """Returns the weight with a scale for each channel."""
    return replace(weight, scale=d.scale(0.002, 0.02, channels), zero_point=0, axis=axis)


def depthwise_conv_2d(d: Draw) -> Case:
    """Draws hybrid weights with a scale per channel: the kernel reads that many whatever the file says."""
    channels, multiplier = d.whole(1, 5), d.whole(1, 3)
    x, kernel = image(d, channels), kernel_size(d)
    out = channels * multiplier
    weight = weights(d, (1, *kernel, out), 3)
    if hybrid(d):
        weight = per_channel(d, weight, out, 3)
    options = {**window(d, kernel, x.shape[1:3]), **d.options(**FUSED), "depth_multiplier": multiplier}
    results = [product(d, x, weight, math.prod(kernel))]
    return Case(B.DEPTHWISE_CONV_2D, [x, weight, bias(d, x, weight, out, often=19)], results, options)


def transpose_conv(d: Draw) -> Case:
    """Draws output sizes for which the forward convolution returns the input's size."""
    depth, out, kernel = d.whole(1, 5), d.whole(1, 4), kernel_size(d)
    x = image(d, depth)
    weight = weights(d, (out, *kernel, depth), 0)
    padding, stride = d.among(Padding.SAME, Padding.VALID), (d.whole(1, 3), d.whole(1, 3))
    batch, *sizes = x.shape[:3]
    less = [d.whole(0, s - 1) for s in stride]
    if padding == Padding.SAME:
        size = [n * s - part for n, s, part in zip(sizes, stride, less, strict=True)]
    else:
        parts = zip(sizes, stride, kernel, less, strict=True)
        size = [(n - 1) * s + k + part for n, s, k, part in parts]
    shape = d.ints([batch, *size, out])
    short = short_bias(d)
    options = {"padding": padding, "stride_h": stride[0], "stride_w": stride[1], **d.options(**FUSED)}
    options |= SHORT if short else {}
    results = [product(d, x, weight, math.prod(kernel) * depth)]
    return Case(B.TRANSPOSE_CONV, [shape, weight, x, bias(d, x, weight, out, short=short)], results, options, version=3)


def fully_connected(d: Draw) -> Case:
    """Draws rows in one dimension or several, kept or flattened, or cut from other dimensions."""
    depth, out = d.whole(1, 24), d.whole(1, 9)
    rows = d.shape(0, 3, 4)
    split = depth % 2 == 0 and d.whole(0, 3) == 0
    x = activations(d, (*rows, 2, depth // 2) if split else (*rows, depth))
    weight = weights(d, (out, depth), 0)
    options = {"keep_num_dims": not split and d.coin(), "asymmetric_quantize_inputs": d.coin(), **d.options(**FUSED)}
    short = short_bias(d)
    options |= SHORT if short else {}
    output = product(d, x, weight, depth)
    return Case(B.FULLY_CONNECTED, [x, weight, bias(d, x, weight, out, short=short)], [output], options)


def batch_matmul(d: Draw) -> Case:
    """Draws up to three batch dimensions that broadcast on both sides; hybrid where the kernel is correct."""
    rows, depth, columns = d.whole(1, 5), d.whole(1, 12), d.whole(1, 5)
    batch = d.shape(0, 1 if hybrid(d) else 3, 3)
    left, right = (d.broadcast(batch), batch) if d.coin() else (batch, d.broadcast(batch))
    adj_x, adj_y = d.coin(), d.coin()
    x = activations(d, (*left, depth, rows) if adj_x else (*left, rows, depth))
    y = matrix(d, (*right, columns, depth) if adj_y else (*right, depth, columns), adjoint=adj_y)
    operands = [d.either(x), y if y.data is not None else d.either(y)]
    options = {"adj_x": adj_x, "adj_y": adj_y, "asymmetric_quantize_inputs": d.coin()}
    stored = d.type == "i8" and d.whole(0, 4) == 0
    return Case(B.BATCH_MATMUL, operands, [d.result("i32") if stored else product(d, x, y, depth)], options)


def matrix(d: Draw, shape: Sequence[int], *, adjoint: bool) -> Tensor:
    """Draws the right side: of the left side's type, or hybrid weights."""
    if not hybrid(d):
        return d.tensor(shape, d.types[1])
    axis = len(shape) - (2 if adjoint else 1)
    return weights(d, shape, axis)


def embedding_lookup(d: Draw) -> Case:
    """Draws rows of a table: as stored, or integers with one scale or one per row that become floats."""
    size, columns = d.whole(1, 9), (*d.shape(0, 2, 3), 4 * d.whole(1, 3))
    real = d.type in PACKED or (d.type in ("i8", "ui8") and d.coin())
    row_count = size if real and d.coin() and size > 1 else None
    quant = {"scale": d.scale(size=row_count), "zero_point": 0} if real else d.quant()
    table = d.fed((size, *columns), **quant)
    indices = d.of(d.rng.integers(0, size, d.whole(1, 6)).astype(np.int32), "i32")
    table = table.constant if d.type in PACKED else d.either(table)
    result = d.result("fp32") if real else d.result(**quant)
    return Case(B.EMBEDDING_LOOKUP, [d.either(indices), table], [result])


# ** layers of networks **


def conv_layer(s: Sketch, x: int) -> None:
    """Adds CONV_2D, some of them grouped."""
    n, h, w, c = s.image(x)
    ky, kx = s.whole(1, 4), s.whole(1, 4)
    sy, sx = s.whole(1, 3), s.whole(1, 3)
    dy, dx = (s.whole(1, 2), s.whole(1, 2)) if sy == sx == 1 else (1, 1)
    padding = s.among(*Padding)
    out = s.among(1, 3, 4, 8)
    weight, scale = s.weights((out, ky, kx, c), ky * kx * c, out, 0)
    rows = window_count(padding, h, (ky - 1) * dy + 1, sy)
    columns = window_count(padding, w, (kx - 1) * dx + 1, sx)
    bias = s.bias(x, scale, out)
    options = {"stride_h": sy, "stride_w": sx, "dilation_h_factor": dy, "dilation_w_factor": dx, "padding": padding}
    y = s.tensor((n, rows, columns, out), **s.quant())
    s.emit(B.CONV_2D, [x, weight, bias], y, **s.options(**FUSED), **options)


def depthwise_layer(s: Sketch, x: int) -> None:
    """Adds DEPTHWISE_CONV_2D with a multiplier of 1 or more."""
    n, h, w, c = s.image(x)
    ky, kx, m = s.whole(1, 4), s.whole(1, 4), s.among(1, 1, 2)
    sy, sx = s.whole(1, 3), s.whole(1, 3)
    padding = s.among(*Padding)
    weight, scale = s.weights((1, ky, kx, c * m), ky * kx, c * m, 3)
    bias = s.bias(x, scale, c * m)
    options = {"stride_h": sy, "stride_w": sx, "depth_multiplier": m, "padding": padding}
    y = s.tensor((n, window_count(padding, h, ky, sy), window_count(padding, w, kx, sx), c * m), **s.quant())
    s.emit(B.DEPTHWISE_CONV_2D, [x, weight, bias], y, **s.options(**FUSED), **options)


def transpose_conv_layer(s: Sketch, x: int) -> None:
    """Adds TRANSPOSE_CONV to one of the sizes that its padding allows."""
    n, h, w, c = s.image(x)
    if s.free:  # the size is a constant, batch and all
        raise Refused
    ky, kx, out = s.whole(1, 4), s.whole(1, 4), s.among(1, 2, 4)
    stride = s.whole(1, 3)
    padding = s.among(*Padding)
    if padding is Padding.SAME:
        rows, columns = h * stride, w * stride
    else:
        rows, columns = (h - 1) * stride + ky, (w - 1) * stride + kx
    weight, scale = s.weights((out, ky, kx, c), ky * kx * c, out, 0)
    bias = s.bias(x, scale, out)
    operands = [s.constant([n, rows, columns, out]), weight, x] + ([bias] if s.coin() else [])
    y = s.tensor((n, rows, columns, out), **s.quant())
    s.emit(B.TRANSPOSE_CONV, operands, y, stride_h=stride, stride_w=stride, padding=padding)


def dense_layer(s: Sketch, x: int) -> None:
    """Adds FULLY_CONNECTED, which flattens or keeps the dimensions."""
    *outer, depth = s.shape(x)
    if s.free and not outer:  # the depth is the batch
        raise Refused
    out = s.among(1, 3, 10)
    keep = s.coin() or (s.free and len(outer) > 1)
    weight, scale = s.weights((out, depth), depth, out, 0)
    shape = (*outer, out) if keep else (int(np.prod(outer)), out)
    bias = s.bias(x, scale, out) if s.coin() else -1
    y = s.tensor(shape, **s.quant())
    s.emit(B.FULLY_CONNECTED, [x, weight, bias], y, keep_num_dims=keep, **s.options(**FUSED))


def batch_matmul_layer(s: Sketch, x: int) -> None:
    """Adds a product with a constant or with the tensor itself."""
    shape = s.shape(x)
    if len(shape) < 3:
        raise Refused
    *outer, rows, depth = shape
    if s.coin():
        y = s.tensor((*outer, rows, rows), **s.quant())
        s.emit(B.BATCH_MATMUL, [x, x], y, adj_y=True)
        return
    out, adjoint = s.whole(1, 5), s.coin()
    other = s.constant(s.rng.standard_normal((out, depth) if adjoint else (depth, out)) / np.sqrt(depth), "float32")
    y = s.tensor((*outer, rows, out))
    s.emit(B.BATCH_MATMUL, [x, other], y, adj_y=adjoint)


# ** fixed cases **


def weight_and_bias(shape: tuple[int, ...], dtype: str, count: int) -> tuple[Tensor, Tensor]:
    """Returns constants of the types that the kernels take for activations of `dtype`."""
    rng = np.random.default_rng(len(shape) * 7 + count)
    if dtype == "float32":
        return (
            Tensor(shape, dtype, rng.standard_normal(shape).astype(dtype)),
            Tensor((count,), dtype, np.ones(count, dtype)),
        )
    kind = "int8" if dtype == "int16" else dtype
    weight = Tensor(shape, kind, rng.integers(0, 100, shape).astype(kind), scale=0.02)
    wide = NAMES[BIASES[WORDS[dtype]]]
    return weight, Tensor((count,), wide, np.ones(count, wide), scale=0.05 * 0.02)


def hybrid_weight(*shape: int, axis: int = 0, dtype: str = "int8") -> Tensor:
    """Returns integer weights for float activations, with a scale for each index of an axis."""
    scale = np.linspace(0.01, 0.02, shape[axis], dtype=np.float32)
    return Tensor(shape, dtype, np.arange(np.prod(shape)).reshape(shape) % 7 - 3, scale=scale, axis=axis)


STEPS = {"stride_h": 1, "stride_w": 1, "padding": Padding.SAME}
OPTIONS = {**STEPS, "dilation_h_factor": 1, "dilation_w_factor": 1}
DEPTHWISE = {**OPTIONS, "depth_multiplier": 2}
DOUBLED = {"stride_h": 2, "stride_w": 2, "padding": Padding.SAME}
ONE_SCALE = Tensor((3, 2, 2, 2), "int8", np.ones((3, 2, 2, 2)), scale=0.02)
SIZE, X, ROWS_OF_8 = ints(1, 8, 8, 3), tensor("float32"), tensor("float32", (2, 8))
BIAS_OF_3, BIAS_OF_4 = (Tensor((count,), data=np.ones(count, np.float32)) for count in (3, 4))
ASYMMETRIC: tuple[dict[str, Any], ...] = tuple({"asymmetric_quantize_inputs": flag} for flag in (False, True))


def per_channel_conv() -> Case:
    """Returns CONV_2D of 8 bits with a scale per channel and a fused activation."""
    scales = np.array([0.01, 0.02, 0.03])
    weight = Tensor((3, 1, 1, 2), "int8", np.arange(6).reshape(3, 1, 1, 2), scale=scales)
    bias = Tensor((3,), "int32", np.array([7, 0, -7]), scale=0.05 * scales)
    options = {**OPTIONS, "fused_activation_function": ActivationFunctionType.RELU6}
    return Case(B.CONV_2D, (tensor("int8"), weight, bias), (tensor("int8"),), options)


def matmul_cases() -> Iterator[Case]:
    """Yields BATCH_MATMUL with hybrid weights, of two activations, and with 32-bit sums."""
    for options in ASYMMETRIC:
        yield Case(B.BATCH_MATMUL, (ROWS_OF_8, hybrid_weight(8, 3, axis=1)), (ROWS_OF_8,), options)
    for dtype, y in (*((dtype, tensor(dtype, (1, 3, 5))) for dtype in WIDE), ("int8", Tensor((1, 3, 5), "int32"))):
        yield Case(B.BATCH_MATMUL, (tensor(dtype, (1, 3, 4)), tensor(dtype, (1, 4, 5))), (y,))


def dense_cases() -> Iterator[Case]:
    """Yields FULLY_CONNECTED of each type, then with hybrid weights."""
    for dtype in MANY:
        operands = (tensor(dtype, (2, 8)), *weight_and_bias((3, 8), dtype, 3))
        yield Case(B.FULLY_CONNECTED, operands, (tensor(dtype, (2, 3)),))
    for options in ASYMMETRIC:
        operands = (ROWS_OF_8, hybrid_weight(3, 8, dtype="int4"), BIAS_OF_3)
        yield Case(B.FULLY_CONNECTED, operands, (ROWS_OF_8,), options)
    levels, scales = np.arange(3 * 64).reshape(3, 64) % 15 - 7, np.full((3, 2), 0.125)
    operands = (tensor("float32", (2, 64)), Tensor((3, 64), "int4", levels, block_scales=scales), BIAS_OF_3)
    yield Case(B.FULLY_CONNECTED, operands, (tensor("float32", (2, 3)),))


ROWS: Rows = {
    B.CONV_2D: Row(
        conv_2d,
        [
            *(Case(B.CONV_2D, (tensor(t), *weight_and_bias((3, 2, 2, 2), t, 3)), (tensor(t),), OPTIONS) for t in MANY),
            Case(B.CONV_2D, (X, hybrid_weight(3, 2, 2, 2), BIAS_OF_3), (X,), OPTIONS),
            Case(
                B.CONV_2D,
                (X, ONE_SCALE, BIAS_OF_3),
                (X,),
                OPTIONS,
            ),
        ],
        [per_channel_conv()],
        [Layer(conv_layer, weight=2)],
    ),
    B.DEPTHWISE_CONV_2D: Row(
        depthwise_conv_2d,
        [
            *(
                Case(B.DEPTHWISE_CONV_2D, (tensor(t), *weight_and_bias((1, 2, 2, 4), t, 4)), (tensor(t),), DEPTHWISE)
                for t in MANY
            ),
            Case(B.DEPTHWISE_CONV_2D, (X, hybrid_weight(1, 2, 2, 4, axis=3), BIAS_OF_4), (X,), DEPTHWISE),
        ],
        layers=[Layer(depthwise_layer, weight=2)],
    ),
    B.TRANSPOSE_CONV: Row(
        transpose_conv,
        [
            *(
                Case(B.TRANSPOSE_CONV, (SIZE, weight, tensor(t), bias), (tensor(t),), DOUBLED)
                for t in MANY
                for weight, bias in [weight_and_bias((3, 2, 2, 2), t, 3)]
            ),
            Case(B.TRANSPOSE_CONV, (SIZE, hybrid_weight(3, 2, 2, 2), X, BIAS_OF_3), (X,), DOUBLED),
        ],
        layers=[Layer(transpose_conv_layer)],
    ),
    B.FULLY_CONNECTED: Row(fully_connected, [*dense_cases()], layers=[Layer(dense_layer, weight=2)]),
    B.BATCH_MATMUL: Row(batch_matmul, [*matmul_cases()], layers=[Layer(batch_matmul_layer, FLOAT)]),
    B.EMBEDDING_LOOKUP: Row(
        embedding_lookup,
        [
            Case(B.EMBEDDING_LOOKUP, (Tensor((2,), "int32"), table), (ROWS_OF_8,))
            for table in (hybrid_weight(3, 8), tensor("float32", (3, 8)))
        ],
    ),
}
