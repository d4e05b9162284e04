"""Models with weights of fp16, int8, int4 and int2, weight-only (behind a DEQUANTIZE) or read by hybrid kernels."""

from typing import Any, NamedTuple

import numpy as np

from support import blockwise_models
from support.tflite_models import Operator, Tensor, build
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import Padding

WITH_BIAS = (B.FULLY_CONNECTED, B.CONV_2D, B.DEPTHWISE_CONV_2D)
LIMITS = {"int8": (-127, 127), "int4": (-7, 7), "int2": (-2, 1)}


class Layer(NamedTuple):
    """An operator with weights: their shape and the axis of their scales, the input's and the result's shape."""

    builtin: B
    weight: tuple[int, ...]
    axis: int
    x: tuple[int, ...]
    result: tuple[int, ...]
    options: dict[str, Any]
    weight_first: bool = False


SAME: dict[str, Any] = {"padding": Padding.SAME, "stride_w": 1, "stride_h": 1}
LAYERS = {
    "fully_connected": Layer(B.FULLY_CONNECTED, (64, 96), 0, (3, 96), (3, 64), {}),
    "odd_depth": Layer(B.FULLY_CONNECTED, (65, 63), 0, (3, 63), (3, 65), {}),
    "conv_2d": Layer(B.CONV_2D, (24, 3, 3, 16), 0, (1, 7, 6, 16), (1, 7, 6, 24), SAME),
    "grouped": Layer(B.CONV_2D, (24, 3, 3, 8), 0, (1, 7, 6, 16), (1, 7, 6, 24), SAME),
    "depthwise": Layer(
        B.DEPTHWISE_CONV_2D, (1, 5, 5, 64), 3, (1, 7, 6, 64), (1, 7, 6, 64), {**SAME, "depth_multiplier": 1}
    ),
    "transpose_conv": Layer(B.TRANSPOSE_CONV, (16, 3, 3, 24), 0, (1, 5, 4, 24), (1, 5, 4, 16), SAME),
    "batch_matmul": Layer(B.BATCH_MATMUL, (48, 40), 1, (3, 48), (3, 40), {}),
    "transposed_matmul": Layer(B.BATCH_MATMUL, (40, 48), 0, (3, 48), (3, 40), {"adj_y": True}),
    "embedding": Layer(B.EMBEDDING_LOOKUP, (50, 64), 0, (5,), (5, 64), {}),
    "gather": Layer(B.GATHER, (50, 64), 0, (5,), (5, 64), {}, weight_first=True),
    "mul": Layer(B.MUL, (40, 64), 0, (3, 40, 64), (3, 40, 64), {}),
}


def levels(dtype: str, shape: tuple[int, ...]) -> Array:
    """Returns random weights of a type."""
    rng = np.random.default_rng(len(shape))
    if dtype == "float16":
        return rng.normal(size=shape).astype(np.float16)
    low, high = LIMITS[dtype]
    return rng.integers(low, high, shape, endpoint=True).astype(np.int8)


def scales(count: int) -> Array:
    """Returns a random scale for each channel."""
    return np.random.default_rng(count).uniform(0.01, 0.1, count).astype(np.float32)


def bias(channels: int, of_integers: bool) -> Tensor:
    """Returns the constant of a layer's bias."""
    if not of_integers:
        return Tensor([channels], data=np.random.default_rng(2).normal(size=channels).astype(np.float32))
    values = np.random.default_rng(2).integers(-500, 500, channels).astype(np.int32)
    return Tensor([channels], "int32", values, 0.03 * scales(channels))


def weights(layer: Layer, dtype: str, *, zero_point: int = 0, per_channel: bool = True) -> Tensor:
    """Returns the constant of a layer's weights."""
    if dtype == "float16":
        return Tensor(layer.weight, dtype, levels(dtype, layer.weight))
    scale = scales(layer.weight[layer.axis]) if per_channel else np.float32(0.05)
    return Tensor(layer.weight, dtype, levels(dtype, layer.weight), scale, zero_point, axis=layer.axis)


def weight_only(name: str, dtype: str, **quantization: Any) -> bytes:
    """Returns a model of a layer of floats whose weights a DEQUANTIZE expands."""
    layer = LAYERS[name]
    tensors = [weights(layer, dtype, **quantization), Tensor(layer.weight)]
    return _model(layer, tensors, [Operator(B.DEQUANTIZE, [0], [1])], 1)


def hybrid(name: str, dtype: str, *, per_channel: bool = True, **options: Any) -> bytes:
    """Returns a model of a layer whose kernel takes floats and integer weights."""
    layer = LAYERS[name]
    layer = layer._replace(options=layer.options | options)
    return _model(layer, [weights(layer, dtype, per_channel=per_channel)], [], 0)


def integer(name: str, dtype: str) -> bytes:
    """Returns a model of a layer of int8 with narrower weights."""
    layer = LAYERS[name]
    tensors = [weights(layer, dtype)]
    return _model(layer, tensors, [], 0, dtype="int8", scale=0.03)


def _model(layer: Layer, tensors: list[Tensor], operators: list[Operator], weight: int, **quantization: Any) -> bytes:
    """Returns a model of a layer behind other operators; `weight` is the number of its weights' tensor."""
    indexed = layer.builtin in (B.EMBEDDING_LOOKUP, B.GATHER)
    x = len(tensors)
    tensors = [*tensors, Tensor(layer.x, "int32") if indexed else Tensor(layer.x, **quantization)]
    inputs = [weight, x] if layer.weight_first else [x, weight]
    if layer.builtin is B.TRANSPOSE_CONV:
        tensors.append(Tensor([4], "int32", np.array(layer.result, np.int32)))
        inputs = [x + 1, weight, x]
    if layer.builtin in WITH_BIAS:
        inputs.append(len(tensors))
        tensors.append(bias(layer.weight[layer.axis], "dtype" in quantization))
    tensors.append(Tensor(layer.result, **quantization))
    y = len(tensors) - 1
    return build(tensors, [*operators, Operator(layer.builtin, inputs, [y], layer.options)], [x], [y])


def files() -> dict[str, bytes]:
    """Returns every model of this module, and those of blockwise weights, by name."""
    models = {
        f"weight_only.{name}.{dtype}": weight_only(name, dtype)
        for name in LAYERS
        for dtype in ("float16", "int8", "int4", "int2")
    }
    products = ("fully_connected", "odd_depth", "embedding")
    hybrids = {
        "int8": tuple(name for name in LAYERS if name not in ("gather", "mul")),
        "int4": (*products, "conv_2d", "grouped"),
        "int2": products,
    }
    models |= {f"hybrid.{name}.{dtype}": hybrid(name, dtype) for dtype, names in hybrids.items() for name in names}
    models |= {f"integer.{name}.int4": integer(name, "int4") for name in ("fully_connected", "conv_2d", "depthwise")}
    for bits in (4, 2):
        models[f"blockwise.fully_connected.int{bits}"] = blockwise_models.layer(bits, 32)
        models[f"blockwise.embedding.int{bits}"] = blockwise_models.embedding(bits, 32)
    return models
