"""Windows of 8-bit elements equal LiteRT's delegate bit for bit: every padding, stride, kernel and size."""

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
from support.tflite_models import Operator, Tensor, build
from support.xnnpack_cases import ON_X86

import tosa_converter as tc
from tosa_converter.engines import engine_named
from tosa_converter.ir import Array
from tosa_converter.legalize.quant.elements import LEFT
from tosa_converter.schemas.tflite import ActivationFunctionType as Activation
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import Padding

pytestmark = ON_X86
DEPTH, OUTPUTS = 3, 4
KERNELS = ((1, 1), (2, 2), (3, 2), (2, 3), (4, 3))
STRIDES = ((1, 1), (2, 1), (1, 3), (3, 2))
ZERO_POINTS = {"int8": -9, "uint8": 119}


class Window(NamedTuple):
    """One operator of a table: its operands behind the input, the size of its result, and its options."""

    builtin: B
    weight: tuple[int, ...]
    size: tuple[int, int]
    options: dict[str, Any]
    channels: int = OUTPUTS


def windowed(size: int, kernel: int, stride: int, dilation: int, padding: Padding) -> int:
    """Returns the size of a convolution's or a pool's result."""
    if padding is Padding.SAME:
        return -(-size // stride)
    return (size - (kernel - 1) * dilation - 1) // stride + 1


def spans(stride: tuple[int, int], padding: Padding, **more: Any) -> dict[str, Any]:
    return {"padding": padding, "stride_h": stride[0], "stride_w": stride[1], **more}


def convolutions(builtin: B) -> Iterator[Window]:
    depthwise = builtin is B.DEPTHWISE_CONV_2D
    for kernel, stride, padding in itertools.product(KERNELS, STRIDES, Padding):
        for dilation in ((1, 1), (2, 1), (1, 2)) if stride == (1, 1) else ((1, 1),):
            size = tuple(map(windowed, (9, 8), kernel, stride, dilation, (padding, padding)))
            options = spans(stride, padding, dilation_h_factor=dilation[0], dilation_w_factor=dilation[1])
            options |= {"depth_multiplier": 2} if depthwise else {}
            weight = (1, *kernel, 2 * DEPTH) if depthwise else (OUTPUTS, *kernel, DEPTH)
            yield Window(builtin, weight, (size[0], size[1]), options, weight[-1] if depthwise else OUTPUTS)


def transposed() -> Iterator[Window]:
    """Yields every size from which a convolution computes the input's."""
    for kernel, stride, padding in itertools.product(KERNELS, STRIDES, Padding):
        if padding is Padding.SAME and (kernel[0] < stride[0] or kernel[1] < stride[1]):
            continue
        firsts = [
            (n - 1) * s + (1 if padding is Padding.SAME else k) for n, s, k in zip((9, 8), stride, kernel, strict=True)
        ]
        for more in itertools.product(*map(range, stride)):
            size = firsts[0] + more[0], firsts[1] + more[1]
            yield Window(B.TRANSPOSE_CONV, (OUTPUTS, *kernel, DEPTH), size, spans(stride, padding))


def pools() -> Iterator[Window]:
    for kernel, stride, padding in itertools.product(KERNELS, STRIDES, Padding):
        if kernel[0] >= stride[0] and kernel[1] >= stride[1]:
            size = tuple(map(windowed, (9, 8), kernel, stride, (1, 1), (padding, padding)))
            options = spans(stride, padding, filter_height=kernel[0], filter_width=kernel[1])
            yield Window(B.MAX_POOL_2D, (), (size[0], size[1]), options, DEPTH)


WINDOWS = {
    "conv_2d": lambda: convolutions(B.CONV_2D),
    "depthwise_conv_2d": lambda: convolutions(B.DEPTHWISE_CONV_2D),
    "transpose_conv": transposed,
    "max_pool_2d": pools,
}
ACTIVATIONS = (Activation.NONE, Activation.RELU, Activation.RELU6, Activation.RELU_N1_TO_1)


def model(windows: list[Window], dtype: str) -> bytes:
    """Returns a model of all operators on one input, with cycling bounds."""
    rng, unsigned = np.random.default_rng(len(windows)), dtype == "uint8"
    tensors = [Tensor((1, 9, 8, DEPTH), dtype, scale=0.03, zero_point=ZERO_POINTS[dtype])]
    operators = []

    def add(tensor: Tensor) -> int:
        tensors.append(tensor)
        return len(tensors) - 1

    for i, window in enumerate(windows):
        options = dict(window.options)
        if window.builtin is not B.TRANSPOSE_CONV:
            options["fused_activation_function"] = ACTIVATIONS[i % 4]
        inputs = [0]
        if window.weight:
            axis = 3 if window.builtin is B.DEPTHWISE_CONV_2D else 0
            count = window.weight[axis]
            scale = np.float32(0.01) if unsigned else rng.uniform(0.004, 0.02, count).astype(np.float32)
            data = rng.integers(0, 256, window.weight) if unsigned else rng.integers(-127, 128, window.weight)
            weight = add(
                Tensor(
                    window.weight,
                    dtype,
                    data.astype(dtype),
                    scale=scale,
                    zero_point=131 if unsigned else np.zeros(count, np.int64),
                    axis=axis,
                )
            )
            levels = rng.integers(-900, 900, count).astype(np.int32)
            bias = add(Tensor((count,), "int32", levels, scale=scale * np.float32(0.03), zero_point=0))
            inputs = [0, weight, bias]
        shape = (1, *window.size, window.channels)
        if window.builtin is B.TRANSPOSE_CONV:
            inputs = [add(Tensor((4,), "int32", np.array(shape, np.int32))), inputs[1], 0, inputs[2]]
        same = window.builtin is B.MAX_POOL_2D
        place = ZERO_POINTS[dtype] if same else ZERO_POINTS[dtype] + 20
        output = add(Tensor(shape, dtype, scale=0.03 if same else 0.05, zero_point=place))
        operators.append(Operator(window.builtin, inputs, [output], options, version=3))
    return build(tensors, operators, [0], [output for operator in operators for output in operator.outputs])


def differing(windows: list[Window], outputs: list[Array], expected: list[Array]) -> list[Window]:
    return [
        window
        for window, x, y in zip(windows, outputs, expected, strict=True)
        if not np.array_equal(x.view(y.dtype), y)
    ]


@pytest.mark.parametrize("dtype", ["int8", "uint8"])
@pytest.mark.parametrize("name", WINDOWS)
def test_every_window_equals_the_delegate(name: str, dtype: str) -> None:
    pytest.importorskip("ai_edge_litert", reason="needs LiteRT")
    windows = list(WINDOWS[name]())
    source = tc.load(model(windows, dtype))
    converted = tc.convert(source, numerics="xnnpack")
    assert not [note for note in converted.report.notes if note.text == LEFT]
    feed = tc.random_inputs(source, seed=4)
    expected = list(engine_named("litert-xnnpack").run(source, feed).values())
    signless = {key: x.view(np.int8) for key, x in feed.items()}
    assert differing(windows, list(tc.run(converted, signless).values()), expected) == []
