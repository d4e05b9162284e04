"""Float convolutions, fully connected layers and matrix products equal LiteRT's reference kernels."""

import struct
from typing import Any

import numpy as np
import pytest
from support.legalizing import Const, check, compare, executed, legalized, single
from support.tflite_models import Operator, Tensor, build, run_litert

from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import ActivationFunctionType, BuiltinOperator, Padding

ACTIVATIONS = list(ActivationFunctionType)
# Sums are taken in other orders than the kernels' by our executor, and in theirs by the reference model.
SUMS = 1e-6


def floats(random: np.random.Generator, *shape: int) -> Array:
    return random.normal(size=shape).astype(np.float32)


def windows(random: np.random.Generator, seed: int) -> dict[str, Any]:
    """Draws strides or dilation: LiteRT takes both together, but most converters' errors show with one."""
    dilation = random.integers(1, 3, 2) if seed % 2 else (1, 1)
    stride = (1, 1) if seed % 3 == 0 else random.integers(1, 4, 2)
    return {
        "stride_h": int(stride[0]),
        "stride_w": int(stride[1]),
        "dilation_h_factor": int(dilation[0]),
        "dilation_w_factor": int(dilation[1]),
        "padding": Padding(int(random.integers(0, 2))),
        "fused_activation_function": ACTIVATIONS[seed % len(ACTIVATIONS)],
    }


@pytest.mark.parametrize("seed", range(24))
def test_conv_2d_equals_litert(seed: int) -> None:
    random = np.random.default_rng(seed)
    groups, depth, per_group = (int(n) for n in random.integers(1, 4, 3))
    kernel = random.integers(1, 4, 2)
    x = floats(random, int(random.integers(1, 3)), *random.integers(7, 12, 2), groups * depth)
    weight = floats(random, groups * per_group, *kernel, depth)
    operands = [x, Const(weight) if seed % 4 else weight, Const(floats(random, groups * per_group))]
    model = check(
        BuiltinOperator.CONV_2D, operands, tolerance=SUMS, by_reference_model=seed < 6, **windows(random, seed)
    )
    depthwise = depth == 1 and groups > 1
    assert any(op.name == "tosa.depthwise_conv2d" for op in model.main.ops) == depthwise


@pytest.mark.parametrize("seed", range(24))
def test_depthwise_conv_2d_equals_litert(seed: int) -> None:
    random = np.random.default_rng(seed)
    channels, multiplier = (int(n) for n in random.integers(1, 4, 2))
    options = windows(random, seed) | {"depth_multiplier": multiplier}
    options["stride_w"] = options["stride_h"]
    x = floats(random, 2, *random.integers(7, 12, 2), channels)
    weight = floats(random, 1, *random.integers(1, 4, 2), channels * multiplier)
    operands = [x, Const(weight) if seed % 4 else weight]
    if seed % 5:
        operands.append(Const(floats(random, channels * multiplier)))
    check(BuiltinOperator.DEPTHWISE_CONV_2D, operands, tolerance=SUMS, by_reference_model=seed < 6, **options)


def test_conv_2d_without_bias_has_a_bias_of_zero() -> None:
    """LiteRT's kernel demands a bias."""
    random = np.random.default_rng(0)
    x, weight = floats(random, 1, 5, 5, 2), Const(floats(random, 3, 2, 2, 2))
    zero = Const(np.zeros(3, np.float32))
    without, _ = single(BuiltinOperator.CONV_2D, [x, weight], stride_h=1, stride_w=1)
    with_bias, _ = single(BuiltinOperator.CONV_2D, [x, weight, zero], stride_h=1, stride_w=1)
    compare(executed(legalized(without), [x]), run_litert(with_bias, [x]), SUMS)


def test_constant_conv_weights_are_not_copied() -> None:
    weight = floats(np.random.default_rng(0), 40, 3, 3, 8)
    data, _ = single(
        BuiltinOperator.CONV_2D,
        [floats(np.random.default_rng(1), 1, 9, 9, 8), Const(weight)],
        stride_h=1,
        stride_w=1,
    )
    (conv,) = (op for op in legalized(data).main.ops if op.name == "tosa.conv2d")
    values = conv.operands[1].constant
    assert values is not None
    assert np.shares_memory(values, np.frombuffer(data, np.uint8))


@pytest.mark.parametrize("seed", range(24))
def test_transpose_conv_equals_litert(seed: int) -> None:
    random = np.random.default_rng(seed)
    stride, kernel, size = (random.integers(low, high, 2) for low, high in ((1, 4), (1, 5), (2, 6)))
    same = seed % 2 == 0
    extra = random.integers(1, stride + 1) if same else kernel + random.integers(0, stride)
    outputs = [int(n) for n in (size - 1) * stride + extra]
    weight = floats(random, 3, *kernel, 2)
    operands = [
        Const(np.array([1, *outputs, 3], np.int32)),
        Const(weight) if seed % 4 else weight,
        floats(random, 1, *size, 2),
    ]
    if seed % 3:
        operands.append(Const(floats(random, 3)))
    check(
        BuiltinOperator.TRANSPOSE_CONV,
        operands,
        tolerance=SUMS,
        by_reference_model=seed < 8,
        padding=Padding.SAME if same else Padding.VALID,
        stride_h=int(stride[0]),
        stride_w=int(stride[1]),
        fused_activation_function=ACTIVATIONS[seed % len(ACTIVATIONS)],
    )


@pytest.mark.parametrize(("padding", "kernel"), [(1, (2, 3)), (1, (3, 4)), (2, (3, 3))])
def test_convolution_2d_transpose_bias_equals_litert(padding: int, kernel: tuple[int, int]) -> None:
    """In LiteRT, only XNNPACK has MediaPipe's operator."""
    litert = pytest.importorskip("ai_edge_litert.interpreter", reason="LiteRT is not installed")
    random = np.random.default_rng(padding)
    x, weight, bias = floats(random, 1, 5, 4, 8), floats(random, 3, *kernel, 8), floats(random, 3)
    size = (10, 12) if padding == 1 else (4 * 2 + kernel[0], 3 * 3 + kernel[1])
    operator = Operator(
        BuiltinOperator.CUSTOM,
        [0, 1, 2],
        [3],
        custom_code="Convolution2DTransposeBias",
        custom_options=struct.pack("<3i", padding, 3, 2),
    )
    tensors = [
        Tensor(x.shape),
        Tensor(weight.shape, data=weight),
        Tensor(bias.shape, data=bias),
        Tensor((1, *size, 3)),
    ]
    data = build(tensors, [operator], [0], [3])
    interpreter = litert.Interpreter(model_content=data)
    interpreter.allocate_tensors()
    interpreter.set_tensor(0, x)
    interpreter.invoke()
    compare(executed(legalized(data), [x]), [interpreter.get_tensor(3)], SUMS)


@pytest.mark.parametrize("seed", range(12))
def test_fully_connected_equals_litert(seed: int) -> None:
    random = np.random.default_rng(seed)
    depth, outputs = (int(n) for n in random.integers(1, 9, 2))
    weight = floats(random, outputs, depth)
    operands = [
        floats(random, *[(3, depth), (2, 3, depth), (1, 2, 2, depth)][seed % 3]),
        Const(weight) if seed % 2 else weight,
        None if seed % 4 == 0 else Const(floats(random, outputs)),
    ]
    check(
        BuiltinOperator.FULLY_CONNECTED,
        operands,
        tolerance=SUMS,
        by_reference_model=seed < 4,
        keep_num_dims=bool(seed % 2),
        fused_activation_function=ACTIVATIONS[seed % 4],
    )


def test_fully_connected_refuses_the_activations_that_the_kernel_refuses() -> None:
    x = floats(np.random.default_rng(0), 2, 3)
    data, _ = single(
        BuiltinOperator.FULLY_CONNECTED, [x, Const(x), None], fused_activation_function=ActivationFunctionType.TANH
    )
    with pytest.raises(UnsupportedError, match="expected no fused activation or a RELU, found TANH"):
        legalized(data)


BATCHES = [
    ((), ()),
    ((2,), (2,)),
    ((3,), (1,)),
    ((1,), (3,)),
    ((2, 3), (3,)),
    ((2, 1), (1, 3)),
    ((2, 3), ()),
    ((), (4,)),
]


@pytest.mark.parametrize("batches", BATCHES)
@pytest.mark.parametrize("adjoint", [(False, False), (True, False), (False, True), (True, True)])
def test_batch_matmul_equals_litert(batches: tuple[tuple[int, ...], ...], adjoint: tuple[bool, bool]) -> None:
    random = np.random.default_rng(0)
    left, right = ((3, 5) if adjoint[0] else (5, 3)), ((4, 3) if adjoint[1] else (3, 4))
    a, b = floats(random, *batches[0], *left), floats(random, *batches[1], *right)
    options: dict[str, Any] = {"adj_x": adjoint[0], "adj_y": adjoint[1]}
    check(BuiltinOperator.BATCH_MATMUL, [a, b], tolerance=SUMS, by_reference_model=not any(adjoint), **options)
    check(BuiltinOperator.BATCH_MATMUL, [a, Const(b)], tolerance=SUMS, **options)


def test_half_weights_are_widened_once() -> None:
    random = np.random.default_rng(0)
    half = random.normal(size=(4, 3, 3, 2)).astype(np.float16)
    x = floats(random, 1, 6, 6, 2)
    tensors = [
        Tensor(x.shape),
        Tensor(half.shape, "float16", half),
        Tensor(half.shape),
        Tensor((4,), data=floats(random, 4)),
        Tensor((1, 4, 4, 4)),
    ]
    operators = [
        Operator(BuiltinOperator.DEQUANTIZE, [1], [2]),
        Operator(BuiltinOperator.CONV_2D, [0, 2, 3], [4], {"padding": Padding.VALID, "stride_h": 1, "stride_w": 1}),
    ]
    data = build(tensors, operators, [0], [4])
    model = legalized(data)
    assert not any(op.name == "tosa.cast" for op in model.main.ops)
    compare(executed(model, [x]), run_litert(data, [x]), SUMS)


def test_half_activations_are_cast() -> None:
    x = np.random.default_rng(0).normal(size=(2, 3)).astype(np.float16)
    check(BuiltinOperator.DEQUANTIZE, [x], by_reference_model=True)


def test_quantized_operands_are_left_to_others() -> None:
    tensors = [
        Tensor((1, 4, 4, 1), "int8", scale=0.5),
        Tensor((1, 1, 1, 1), "int8", np.ones((1, 1, 1, 1)), scale=0.5),
        Tensor((1,), "int32", np.zeros(1), scale=0.25),
        Tensor((1, 4, 4, 1), "int8", scale=0.5),
    ]
    data = build(tensors, [Operator(BuiltinOperator.CONV_2D, [0, 1, 2], [3], {"stride_h": 1, "stride_w": 1})], [0], [3])
    with pytest.raises(UnsupportedError, match=r"operand input, filter: expected .*fp32\*fp32 .*, found i8\*i8"):
        legalized(data)


def test_weights_that_do_not_fit_are_refused() -> None:
    x = np.ones((1, 4, 4, 3), np.float32)
    data, _ = single(BuiltinOperator.CONV_2D, [x, Const(np.ones((1, 1, 1, 2), np.float32))], stride_h=1, stride_w=1)
    with pytest.raises(FormatError, match="a weight of 1x1x1x2 doesn't fit the channels of 1x4x4x3"):
        legalized(data)
