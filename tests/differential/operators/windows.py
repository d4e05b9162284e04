"""Convolutions, layers, products of matrices."""

from typing import Any

import numpy as np

from differential.case import NAMES, QUANTIZED, Case, Draw, Operand
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import ActivationFunctionType, Padding, TensorType
from tosa_converter.schemas.tflite import BuiltinOperator as B

FUSED = tuple(ActivationFunctionType[name] for name in ("NONE", "NONE", "RELU", "RELU6", "RELU_N1_TO_1"))
SHORT = TensorType.INT32


def padding(d: Draw) -> Padding:
    """Either."""
    return Padding(d.among(Padding.SAME, Padding.VALID))


def activations(d: Draw, shape: tuple[int, ...]) -> Operand:
    """The first type's."""
    return d.tensor(shape)


def weights(d: Draw, shape: tuple[int, ...], axis: int, *, several: bool) -> Operand:
    """Of the last type, mostly constants; a scale per channel if there may be `several`."""
    type = d.types[-1]
    quant: dict[str, Any] = {}
    if type in QUANTIZED:
        count = shape[axis] if several and type != "ui8" and d.coin() else None
        quant = {"scale": d.scale(size=count), "zero_point": 0, "axis": axis}
        if count is not None:
            quant["zero_point"] = [0] * count
        elif type == "ui8":
            quant["zero_point"] = d.whole(0, 255)
    operand = d.fed(shape, type, **quant)
    if type in ("i8", "i4") and operand.array is not None:
        operand = operand._replace(array=np.maximum(operand.array, -127 if type == "i8" else -7))
    return operand if d.whole(0, 3) == 0 and type != "i4" else operand.constant


def bias(d: Draw, x: Operand, weight: Operand, channels: int, *, long: bool = True) -> Operand:
    """On the scale of the products: i32, i64 of int16 activations, or of the activations' type."""
    if d.type not in QUANTIZED:
        return d.either(d.fed((channels,)))
    type = ("i64" if long else "i32") if d.type == "i16" else "i32"
    scale = np.asarray(np.float32(x.tensor.scale) * np.asarray(weight.tensor.scale, np.float32))
    peak = 1 << (12 if d.type != "i16" else 20)
    values: Array = d.rng.integers(-peak, peak, (channels,)).astype(NAMES[type])
    quant = {"scale": scale, "zero_point": np.zeros(scale.shape, int) if scale.ndim else 0}
    operand = d.of(values, type, **quant)
    return operand if d.whole(0, 3) == 0 else operand.constant


def result_scale(d: Draw, x: Operand, weight: Operand, taps: int) -> dict[str, Any]:
    """One that sums of so many products about fill."""
    if d.type not in QUANTIZED:
        return {}
    spread = float(np.sqrt(taps)) * {"i4": 4}.get(d.types[-1], 64) * float(np.max(weight.tensor.scale))
    low = float(x.tensor.scale) * spread
    return {"scale": d.scale(low / 2, low * 2), "zero_point": d.zero_point()}


def conv_2d(d: Draw) -> Case:
    """Groups, strides, dilations."""
    groups, share, depth = d.among(1, 1, 1, 2, 3), d.whole(1, 3), d.whole(1, 4)
    if d.types[-1] != d.type and d.type not in QUANTIZED:
        groups = 1
    x = activations(d, (d.whole(1, 2), d.whole(3, 8), d.whole(3, 8), groups * depth))
    kernel = d.whole(1, 3), d.whole(1, 3)
    weight = weights(d, (groups * share, *kernel, depth), 0, several=True)
    return _windowed(d, B.CONV_2D, x, weight, groups * share, kernel[0] * kernel[1] * depth)


def depthwise_conv_2d(d: Draw) -> Case:
    """Multipliers of depth, strides, dilations."""
    depth, multiplier = d.whole(1, 4), d.among(1, 1, 2, 3)
    x = activations(d, (d.whole(1, 2), d.whole(3, 8), d.whole(3, 8), depth))
    kernel = d.whole(1, 3), d.whole(1, 3)
    weight = weights(d, (1, *kernel, depth * multiplier), 3, several=True)
    case = _windowed(d, B.DEPTHWISE_CONV_2D, x, weight, depth * multiplier, kernel[0] * kernel[1])
    options = {name: value for name, value in case.options.items() if name != "quantized_bias_type"}
    return case._replace(options={**options, "depth_multiplier": multiplier})


def _windowed(d: Draw, builtin: B, x: Operand, weight: Operand, channels: int, taps: int) -> Case:
    stride, dilation = d.among((1, 1), (2, 2), (1, 2)), d.among((1, 1), (1, 1), (1, 2), (2, 1))
    if stride != (1, 1):
        dilation = (1, 1)
    short = builtin is B.CONV_2D and d.type == "i16" and d.coin()
    options: dict[str, Any] = {
        "stride_h": stride[0],
        "stride_w": stride[1],
        "dilation_h_factor": dilation[0],
        "dilation_w_factor": dilation[1],
        "padding": Padding.SAME if max(dilation) > 1 else padding(d),
        "fused_activation_function": d.among(*FUSED),
        **({"quantized_bias_type": SHORT} if short else {}),
    }
    offset = bias(d, x, weight, channels, long=not short)
    return Case(builtin, [x, weight, offset], [d.result(**result_scale(d, x, weight, taps))], options)


def transpose_conv(d: Draw) -> Case:
    """Strides; with a bias or without."""
    depth, channels, kernel, stride = d.whole(1, 4), d.whole(1, 4), d.whole(1, 4), d.whole(1, 3)
    size = d.whole(1, 5), d.whole(1, 5)
    x = activations(d, (d.whole(1, 2), *size, depth))
    kind = padding(d)
    # what the forward convolution takes to `size`
    grown = [n * stride if kind is Padding.SAME else (n - 1) * stride + kernel for n in size]
    weight = weights(d, (channels, kernel, kernel, depth), 0, several=True)
    short = d.type == "i16" and d.coin()
    options = {
        "stride_h": stride,
        "stride_w": stride,
        "padding": kind,
        **({"quantized_bias_type": SHORT} if short else {}),
    }
    shape = d.ints([x.tensor.shape[0], *grown, channels])
    operands: list[Operand | None] = [shape, weight, x]
    if d.coin():
        operands.append(bias(d, x, weight, channels, long=not short))
    taps = depth * max(1, kernel // stride) ** 2
    return Case(B.TRANSPOSE_CONV, operands, [d.result(**result_scale(d, x, weight, taps))], options, version=3)


def fully_connected(d: Draw) -> Case:
    """Rows of several ranks, with a bias or without."""
    depth, channels = d.whole(1, 12), d.whole(1, 6)
    x = activations(d, (*d.shape(1, 3), depth))
    weight = weights(d, (channels, depth), 0, several=True)
    short = d.type == "i16" and d.coin()
    options = {
        "fused_activation_function": d.among(*FUSED),
        "keep_num_dims": d.coin(),
        **({"quantized_bias_type": SHORT} if short else {}),
    }
    offset = bias(d, x, weight, channels, long=not short) if d.coin() else None
    return Case(B.FULLY_CONNECTED, [x, weight, offset], [d.result(**result_scale(d, x, weight, depth))], options)


def batch_matmul(d: Draw) -> Case:
    """Batches that broadcast, each side transposed or not."""
    rows, depth, columns = d.whole(1, 5), d.whole(1, 8), d.whole(1, 5)
    batch = d.shape(1, 2, most=3) if d.coin() else ()
    right_batch = d.broadcast(batch) if batch else ()
    adj_x, adj_y = d.coin(), d.coin()
    x = d.tensor((*batch, *((depth, rows) if adj_x else (rows, depth))))
    type = d.types[-1]
    quant = d.quant(type) if type in QUANTIZED else {}
    if d.type == "i16":
        quant["zero_point"] = 0
    y = d.either(d.fed((*right_batch, *((columns, depth) if adj_y else (depth, columns))), type, **quant))
    scale = {}
    if d.type in QUANTIZED:
        spread = float(np.sqrt(depth)) * (1 << (13 if type == "i16" else 6))
        middle = float(x.tensor.scale) * float(y.tensor.scale) * spread
        scale = {"scale": d.scale(middle / 2, middle * 2), "zero_point": d.zero_point()}
    return Case(B.BATCH_MATMUL, [x, y], [d.result(**scale)], {"adj_x": adj_x, "adj_y": adj_y}, version=4)


DRAWS = {
    B.CONV_2D: conv_2d,
    B.DEPTHWISE_CONV_2D: depthwise_conv_2d,
    B.TRANSPOSE_CONV: transpose_conv,
    B.FULLY_CONNECTED: fully_connected,
    B.BATCH_MATMUL: batch_matmul,
}
