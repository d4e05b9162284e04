"""Small networks as TFLite files: float, dynamic-range quantized, and trained for quantization in float."""

from collections.abc import Callable
from typing import Any

import numpy as np

from support.tflite_models import Operator, Tensor, build
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import ActivationFunctionType, Padding
from tosa_converter.schemas.tflite import BuiltinOperator as B

KINDS = ("float32", "dynamic", "fake_quant", "pairs")
RELU = {"fused_activation_function": ActivationFunctionType.RELU}


class Network:
    """A network under construction.

    Of the kind `dynamic` weights are int8 and activations floats; `fake_quant` and `pairs` round every activation to 8
    bits, by FAKE_QUANT or by QUANTIZE and DEQUANTIZE.
    """

    def __init__(self, kind: str, *shape: int, seed: int = 0) -> None:
        self.kind = kind
        self.random = np.random.default_rng(seed)
        self.tensors = [Tensor(shape)]
        self.operators: list[Operator] = []

    def shape(self, x: int) -> tuple[int, ...]:
        """Returns the shape of a tensor."""
        return tuple(self.tensors[x].shape)

    def floats(self, *shape: int, scale: float = 1.0) -> Array:
        """Returns normal random floats."""
        return (self.random.standard_normal(shape) * scale).astype(np.float32)

    def constant(self, array: Array) -> int:
        """Adds a constant tensor."""
        self.tensors.append(Tensor(array.shape, str(array.dtype), array))
        return len(self.tensors) - 1

    def add(self, builtin: B, inputs: list[int], shape: tuple[int, ...], **options: Any) -> int:
        """Adds an operator with one float result."""
        self.tensors.append(Tensor(shape))
        self.operators.append(Operator(builtin, inputs, [len(self.tensors) - 1], options))
        return len(self.tensors) - 1

    def weight(self, array: Array, axis: int = 0) -> int:
        """Adds a weight; of the kind `dynamic`, 8 bits with a scale per channel."""
        if self.kind != "dynamic":
            return self.constant(array)
        reduced_axes = tuple(i for i in range(array.ndim) if i != axis)
        scale = np.abs(array).max(axis=reduced_axes, keepdims=True) / np.float32(127)
        values = np.rint(array / scale).astype(np.int8)
        self.tensors.append(Tensor(array.shape, "int8", values, scale=scale.reshape(-1), zero_point=0, axis=axis))
        return len(self.tensors) - 1

    def rounded(self, x: int, limit: float = 8.0) -> int:
        """Returns an activation, rounded as the kind does it."""
        if self.kind == "fake_quant":
            return self.add(B.FAKE_QUANT, [x], self.shape(x), min=-limit, max=limit, num_bits=8, narrow_range=False)
        if self.kind == "pairs":
            self.tensors.append(Tensor(self.shape(x), "int8", scale=limit / 128))
            self.operators.append(Operator(B.QUANTIZE, [x], [len(self.tensors) - 1]))
            return self.add(B.DEQUANTIZE, [len(self.tensors) - 1], self.shape(x))
        return x

    def conv(self, x: int, channels: int, size: int = 3, stride: int = 1, *, relu: bool = True) -> int:
        """Adds a convolution with a bias."""
        n, height, width, depth = self.shape(x)
        weight = self.weight(self.floats(channels, size, size, depth, scale=(2 / (size * size * depth)) ** 0.5))
        options = {"padding": Padding.SAME, "stride_w": stride, "stride_h": stride, **(RELU if relu else {})}
        shape = (n, -(-height // stride), -(-width // stride), channels)
        bias = self.constant(self.floats(channels, scale=0.1))
        return self.rounded(self.add(B.CONV_2D, [x, weight, bias], shape, **options))

    def depthwise(self, x: int, size: int = 3) -> int:
        """Adds a depthwise convolution with a bias."""
        depth = self.shape(x)[3]
        weight = self.weight(self.floats(1, size, size, depth, scale=(2 / (size * size)) ** 0.5), 3)
        bias = self.constant(self.floats(depth, scale=0.1))
        options = {"padding": Padding.SAME, "stride_w": 1, "stride_h": 1, "depth_multiplier": 1, **RELU}
        return self.rounded(self.add(B.DEPTHWISE_CONV_2D, [x, weight, bias], self.shape(x), **options))

    def dense(self, x: int, channels: int, **options: Any) -> int:
        """Adds a fully connected layer over the last dimension."""
        *outer, depth = self.shape(x)
        weight = self.weight(self.floats(channels, depth, scale=depth**-0.5))
        bias = self.constant(self.floats(channels, scale=0.1))
        inputs = [x, weight, bias]
        return self.rounded(self.add(B.FULLY_CONNECTED, inputs, (*outer, channels), keep_num_dims=True, **options))

    def elementwise(self, builtin: B, x: int, y: int) -> int:
        """Adds an operator of two operands, the second of which may broadcast."""
        return self.rounded(self.add(builtin, [x, y], self.shape(x)))

    def normalized(self, x: int) -> int:
        """Adds a layer normalization of the last dimension."""
        shape = self.shape(x)
        axis = self.constant(np.array([len(shape) - 1], np.int32))
        mean = self.add(B.MEAN, [x, axis], (*shape[:-1], 1), keep_dims=True)
        away = self.add(B.SUB, [x, mean], shape)
        square = self.add(B.MUL, [away, away], shape)
        variance = self.add(B.MEAN, [square, axis], (*shape[:-1], 1), keep_dims=True)
        moved = self.add(B.ADD, [variance, self.constant(np.array([1e-5], np.float32))], (*shape[:-1], 1))
        scaled = self.add(B.MUL, [away, self.add(B.RSQRT, [moved], (*shape[:-1], 1))], shape)
        gamma = self.constant(1 + self.floats(shape[-1], scale=0.1))
        return self.rounded(self.add(B.ADD, [self.add(B.MUL, [scaled, gamma], shape), gamma], shape))

    def attention(self, x: int) -> int:
        """Adds attention of one head with its residual connection, x [1,words,depth]."""
        n, words, depth = self.shape(x)
        normal = self.normalized(x)
        query, key, value = (self.dense(normal, depth) for _ in range(3))
        scores = self.add(B.BATCH_MATMUL, [query, key], (n, words, words), adj_x=False, adj_y=True)
        weights = self.rounded(self.add(B.SOFTMAX, [scores], (n, words, words), beta=depth**-0.5), 1.0)
        mixed = self.add(B.BATCH_MATMUL, [weights, value], (n, words, depth), adj_x=False, adj_y=False)
        return self.elementwise(B.ADD, x, self.dense(mixed, depth))

    def reshaped(self, x: int, *shape: int) -> int:
        """Adds a reshape."""
        return self.add(B.RESHAPE, [x, self.constant(np.array(shape, np.int32))], shape, new_shape=shape)

    def written(self, *outputs: int) -> bytes:
        """Returns the file."""
        return build(self.tensors, self.operators, [0], list(outputs))


def unet(kind: str) -> bytes:
    """Returns a U-Net of two levels."""
    net = Network(kind, 1, 16, 16, 3)
    first = net.conv(0, 8)
    second = net.conv(first, 16, stride=2)
    middle = net.conv(net.conv(second, 24, stride=2), 24)
    x = middle
    for skip in (second, first):
        n, height, width, depth = net.shape(skip)
        size = net.constant(np.array([height, width], np.int32))
        large = net.add(B.RESIZE_NEAREST_NEIGHBOR, [x, size], (n, height, width, net.shape(x)[3]))
        joined = net.add(B.CONCATENATION, [large, skip], (n, height, width, net.shape(x)[3] + depth), axis=3)
        x = net.conv(joined, depth)
    return net.written(net.add(B.LOGISTIC, [net.conv(x, 2, 1, relu=False)], (1, 16, 16, 2)))


def mobile_vit(kind: str) -> bytes:
    """Returns convolutions, attention over their result, and convolutions."""
    net = Network(kind, 1, 16, 16, 3)
    x = net.depthwise(net.conv(0, 16, stride=2))
    words = net.reshaped(net.conv(x, 24, 1, relu=False), 1, 64, 24)
    for _ in range(2):
        words = net.attention(words)
        words = net.elementwise(B.ADD, words, net.dense(net.dense(net.normalized(words), 48, **RELU), 24))
    x = net.conv(net.reshaped(words, 1, 8, 8, 24), 32, stride=2)
    mean = net.add(B.MEAN, [x, net.constant(np.array([1, 2], np.int32))], (1, 32), keep_dims=False)
    return net.written(net.add(B.SOFTMAX, [net.dense(mean, 10)], (1, 10), beta=1.0))


def conformer(kind: str) -> bytes:
    """Returns feed forward, attention, a gated depthwise convolution, and feed forward."""
    net = Network(kind, 1, 24, 20)
    x = net.dense(0, 32)
    for _ in range(2):
        x = net.elementwise(B.ADD, x, net.dense(net.dense(net.normalized(x), 64, **RELU), 32))
        x = net.attention(x)
        normal = net.normalized(x)
        gate = net.add(B.LOGISTIC, [net.dense(normal, 32)], (1, 24, 32))
        gated = net.elementwise(B.MUL, net.dense(normal, 32), gate)
        x = net.elementwise(B.ADD, x, net.reshaped(net.depthwise(net.reshaped(gated, 1, 24, 1, 32)), 1, 24, 32))
        x = net.elementwise(B.ADD, x, net.dense(net.dense(net.normalized(x), 64, **RELU), 32))
    return net.written(net.dense(net.normalized(x), 12))


NETWORKS: dict[str, Callable[[str], bytes]] = {"unet": unet, "mobile_vit": mobile_vit, "conformer": conformer}
