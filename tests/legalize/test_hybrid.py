"""Hybrid operators quantize rows by the kernel's formula in double; further cases that the differential suite lacks."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from support.legalizing import compare
from support.some import some
from support.tflite_models import Operator, Tensor, build, run_litert

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Graph, Op, TensorType, Value
from tosa_converter.legalize.invert.tflite.hybrid import _matching_padding
from tosa_converter.legalize.quant import rows
from tosa_converter.legalize.quant.weights import UNQUANTIZED, measure_quantization_error
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.expr import const
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tflite import (
    ActivationFunctionType,
    DimensionMetadata,
    DimensionType,
    Padding,
    SparsityParameters,
    Uint8Vector,
)
from tosa_converter.schemas.tflite import BuiltinOperator as B

F32 = np.float32


def folded(x: Array, quantize: str) -> list[Array]:
    """Returns levels, scales and zero points of rows."""
    with Builder(Graph("rows")):
        quantized = getattr(rows, f"quantize_{quantize}")(const(x, DType.FP32))
    return [np.asarray(part.constant) for part in quantized if part is not None]


def rounded(x: Array) -> Array:
    """Rounds ties away from zero."""
    return np.asarray(np.trunc(x.astype(np.float64) + np.copysign(0.5, x)))


def symmetric(x: Array) -> list[Array]:
    """Computes PortableSymmetricQuantizeFloats of a row that isn't zero."""
    span = np.abs(x).max()
    return [np.clip(rounded(x * (F32(127) / span)), -127, 127), span / F32(127)]


def asymmetric(x: Array) -> list[Array]:
    """Computes PortableAsymmetricQuantizeFloats, in doubles as the kernel, of a row that isn't zero."""
    low, high = min(0.0, float(x.min())), max(0.0, float(x.max()))
    scale = (high - low) / 255.0
    from_low, from_high = -128 - low / scale, 127 - high / scale
    nearer = 128 + abs(low / scale) < 127 + abs(high / scale)
    exact = from_low if nearer else from_high
    zero_point = int(np.clip(math.copysign(math.floor(abs(exact) + 0.5), exact), -128, 127))
    levels = rounded(x * (F32(1) / F32(scale))) + zero_point
    return [np.clip(levels, -128, 127), np.asarray(scale, F32), np.asarray(zero_point, F32)]


def drawn(seed: int) -> Array:
    """Draws rows of all kinds: random, halves, symmetric, one-sided, large magnitudes."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((640, 24)) * 10
    x[::5] = np.rint(x[::5] * 2) / 2
    x[1::5, -1] = -x[1::5].max(1)
    x[2::5] = np.abs(x[2::5])
    x[3::5] *= 2.0 ** rng.integers(-110, 110, (128, 1))
    return x.astype(F32)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kernel", [symmetric, asymmetric])
def test_rows_are_quantized_as_the_kernel_does(kernel: Callable[[Array], list[Array]], seed: int) -> None:
    x = drawn(seed)
    parameters = folded(x, kernel.__name__)
    for i, row in enumerate(x):
        for ours, theirs in zip(parameters, kernel(row), strict=True):
            np.testing.assert_array_equal(ours[i].squeeze(), theirs, str(row))


@pytest.mark.parametrize("dividend", [1, 127])
def test_a_quotient_is_rounded_as_a_division_is(dividend: int) -> None:
    x = (np.arange(5, 1 << 23, 37, dtype=np.uint32) + np.uint32(127 << 23)).view(F32)
    with Builder(Graph("quotients")):
        quotient = rows.quotient(dividend, const(x, DType.FP32))
    np.testing.assert_array_equal(some(quotient.constant), F32(dividend) / x)


@pytest.mark.parametrize("quantize", ["symmetric", "asymmetric"])
def test_rows_of_zeros_and_nan_have_integers_too(quantize: str) -> None:
    x = np.zeros((3, 4), F32)
    x[1, 2], x[2, 1] = np.nan, np.inf
    levels, scales, *_ = folded(x, quantize)
    assert np.abs(levels).max() <= 128
    assert scales[0] == 0  # so that the row's own result adds nothing


def layer(x: Array, weight: Array, scale: Array, **options: object) -> tuple[bytes, Array]:
    """Returns FULLY_CONNECTED of float rows by int8 weights."""
    tensors = [Tensor(x.shape), Tensor(weight.shape, "int8", weight, scale=scale), Tensor((len(x), len(weight)))]
    operator = Operator(B.FULLY_CONNECTED, [0, 1, -1], [2], dict(options))
    return build(tensors, [operator], [0], [2]), run_litert(build(tensors, [operator], [0], [2]), [x])[0]


def operands(seed: int) -> tuple[Array, Array, Array]:
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((5, 32)).astype(F32)
    return x, rng.integers(-127, 128, (6, 32)).astype(np.int8), rng.uniform(0.01, 0.02, 6).astype(F32)


def test_a_layer_takes_tanh_and_sign_bit_as_activations() -> None:
    x, weight, scale = operands(0)
    for kind, bound in ((ActivationFunctionType.TANH, 1e-6), (ActivationFunctionType.SIGN_BIT, 0.0)):
        data, want = layer(x, weight, scale, fused_activation_function=kind)
        compare(list(tc.run(tc.convert(data), {"t0": x}).values()), [want], bound)


@pytest.mark.parametrize("numerics", ["reference", "compact"])
def test_compact_layers_equal_float_layers(numerics: str) -> None:
    x, weight, scale = operands(1)
    data, want = layer(x, weight, scale)
    model = tc.convert(data, numerics=numerics)
    got, real = tc.run(model, {"t0": x})["t2"], x @ (weight * scale[:, None]).T
    notes = [note.text for note in model.report.notes]
    if numerics == "compact":
        assert model.report.tosa_ops.total() == 3  # RESHAPE, CONV2D, RESHAPE
        np.testing.assert_allclose(got, real, atol=1e-5 * np.abs(real).max())
        assert [text.partition(": results differ")[0] for text in notes] == [UNQUANTIZED]
    else:
        np.testing.assert_allclose(got, want, atol=1e-6 * np.abs(want).max())
        assert not notes


@pytest.mark.parametrize("builtin", [B.CONV_2D, B.DEPTHWISE_CONV_2D, B.TRANSPOSE_CONV])
def test_compact_convolutions_equal_float_convolutions(builtin: B) -> None:
    rng = np.random.default_rng(2)
    x, shape = (
        rng.standard_normal((1, 5, 5, 4)).astype(F32),
        (1, 2, 2, 4) if builtin is B.DEPTHWISE_CONV_2D else (4, 2, 2, 4),
    )
    axis = 3 if builtin is B.DEPTHWISE_CONV_2D else 0
    weight, scale = rng.integers(-127, 128, shape).astype(np.int8), rng.uniform(0.01, 0.02, 4).astype(F32)
    real = weight * scale.reshape([-1 if i == axis else 1 for i in range(4)])
    window = {"stride_h": 1, "stride_w": 1, "padding": Padding.SAME}
    size = Tensor((4,), "int32", np.array([1, 5, 5, 4], np.int32))
    bias = Tensor((4,), data=np.ones(4, F32))
    outputs = []
    for kernel in (Tensor(shape, "int8", weight, scale=scale, axis=axis), Tensor(shape, data=real)):
        order = (
            [size, kernel, Tensor(x.shape), bias] if builtin is B.TRANSPOSE_CONV else [Tensor(x.shape), kernel, bias]
        )
        fed = 2 if builtin is B.TRANSPOSE_CONV else 0
        places = list(range(len(order)))
        data = build([*order, Tensor(())], [Operator(builtin, places, [len(order)], window)], [fed], [len(order)])
        outputs.append(tc.run(tc.convert(data, numerics="compact"), {f"t{fed}": x})[f"t{len(order)}"])
    np.testing.assert_array_equal(outputs[0], outputs[1])


def test_rows_of_several_batches_have_their_own_scales() -> None:
    rng = np.random.default_rng(3)
    x, weight = rng.standard_normal((2, 3, 4, 8)).astype(F32), rng.integers(-127, 128, (8, 5)).astype(np.int8)
    tensors = [Tensor(x.shape), Tensor(weight.shape, "int8", weight, scale=0.01), Tensor((2, 3, 4, 5))]
    model = tc.convert(build(tensors, [Operator(B.BATCH_MATMUL, [0, 1], [2])], [0], [2]))
    apart = [
        tc.run(model, {"t0": np.where(np.arange(2)[:, None, None, None] == i, x, 0).astype(F32)})["t2"][i]
        for i in (0, 1)
    ]
    np.testing.assert_array_equal(tc.run(model, {"t0": x})["t2"], np.stack(apart))
    assert ["several batch dimensions" in note.text for note in model.report.notes] == [True]


def test_run_time_weights_are_scaled_and_summed_at_run_time() -> None:
    x, weight, scale = operands(4)
    tensors = [Tensor(x.shape), Tensor(weight.shape, "int8", scale=scale), Tensor((5, 6))]
    options = {"asymmetric_quantize_inputs": True}
    data = build(tensors, [Operator(B.FULLY_CONNECTED, [0, 1, -1], [2], options)], [0, 1], [2])
    for numerics in ("reference", "compact"):
        got = tc.run(tc.convert(data, numerics=numerics), {"t0": x, "t1": weight})["t2"]
        real = x @ (weight * scale[:, None]).T
        np.testing.assert_allclose(got, real, atol=0.02 * np.abs(real).max())


def test_an_index_may_be_constant() -> None:
    table = np.arange(-6, 6).reshape(3, 4).astype(np.int8)
    tensors = [Tensor((2,), "int32", np.array([2, 0], np.int32)), Tensor((3, 4), "int8", table, scale=0.5)]
    for dtype in ("float32", "float16"):
        data = build([*tensors, Tensor((2, 4), dtype)], [Operator(B.EMBEDDING_LOOKUP, [0, 1], [2])], [], [2])
        got = tc.run(tc.convert(data), {})["t2"]
        assert got.dtype == dtype
        np.testing.assert_array_equal(got, table[[2, 0]] * 0.5)


@pytest.mark.parametrize("asymmetric", [False, True])
def test_sparse_weights_equal_dense_ones(asymmetric: bool) -> None:
    x, weight, scale = operands(5)
    block_columns = np.array([1, 0, 0, 1, 1, 0], np.uint8)  # the first or the second block of 16
    dense = np.where(np.arange(32) // 16 == block_columns[:, None], weight, 0).astype(np.int8)
    levels = (
        DimensionMetadata(dense_size=6),
        DimensionMetadata(
            format=DimensionType.SPARSE_CSR,
            array_segments=Uint8Vector(values=np.arange(7, dtype=np.uint8)),
            array_indices=Uint8Vector(values=block_columns),
        ),
        DimensionMetadata(dense_size=16),
    )
    sparsity = SparsityParameters(traversal_order=(0, 1, 2), block_map=(1,), dim_metadata=levels)
    stored = dense.reshape(6, 2, 16)[np.arange(6), block_columns].copy()
    tensors = [
        Tensor(x.shape),
        Tensor(weight.shape, "int8", raw=stored, sparsity=sparsity, scale=scale),
        Tensor((5, 6)),
    ]
    options = {"asymmetric_quantize_inputs": asymmetric}
    data = build(tensors, [Operator(B.FULLY_CONNECTED, [0, 1, -1], [2], options)], [0], [2])
    want = layer(x, dense, scale, **options)[1]
    compare(run_litert(data, [x]), [want], 1e-6)
    compare(list(tc.run(tc.convert(data), {"t0": x}).values()), [want], 1e-6)


@pytest.mark.parametrize("batches", [(), (3,), (1, 3), (3, 1), (1, 1), (2, 3), (2, 1, 3), (1, 2, 1)])
def test_batches_in_several_dimensions_alone_are_noted(batches: tuple[int, ...]) -> None:
    tensors = [
        Tensor((*batches, 4, 8)),
        Tensor((8, 5), "int8", np.ones((8, 5), np.int8), scale=0.01),
        Tensor((*batches, 4, 5)),
    ]
    model = tc.convert(build(tensors, [Operator(B.BATCH_MATMUL, [0, 1], [2])], [0], [2]))
    noted = any("several batch dimensions" in note.text for note in model.report.notes)
    assert noted == (sum(size > 1 for size in batches) > 1)


def test_rounding_inputs_moves_outputs_by_half_a_step() -> None:
    """Weights copy their inputs: the largest error is half a 127th of the largest input at most."""
    moved = measure_quantization_error(np.eye(64, dtype=F32))
    assert 0.95 * 0.5 / 127 < moved <= 0.5 / 127 * (1 + 1e-5)


def expected_size(size: int, kernel: int, stride: int, dilation: int, padding: Padding) -> int:
    """Returns the size of a convolution's result (ComputeOutSize, padding.h)."""
    if padding is Padding.SAME:
        return (size + stride - 1) // stride
    return (size + stride - ((kernel - 1) * dilation + 1)) // stride


@pytest.mark.parametrize("stride", [(1, 1), (2, 1), (1, 3), (3, 2)], ids=str)
@pytest.mark.parametrize("dilation", [(1, 1), (2, 1), (1, 2)], ids=str)
@pytest.mark.parametrize("depthwise", [False, True])
def test_the_padding_of_a_layer_follows_from_its_size(
    stride: tuple[int, int], dilation: tuple[int, int], depthwise: bool
) -> None:
    image, sums = TensorType(DType.FP32, (1, 9, 8, 2)), DType.I32
    row = ops.DEPTHWISE_CONV2D if depthwise else ops.CONV2D
    for kernel in ((1, 1), (2, 3), (3, 2)):
        weight = Value(TensorType(DType.I8, (*kernel, 2, 1) if depthwise else (2, *kernel, 2)))
        rows = list(zip((9, 8), kernel, stride, dilation, strict=True))
        valid, same = (tuple(expected_size(*sizes, kind) for sizes in rows) for kind in (Padding.VALID, Padding.SAME))
        for size in {valid, same, (valid[0], same[1] + 1), (same[0] + 1, valid[1])}:
            attributes = {"pad": (0, 0, 0, 0), "stride": stride, "dilation": dilation}
            core = Op(row, [Value(image), weight], [TensorType(sums, (1, *size, 2))], attributes)
            expected = Padding.VALID if size == valid else Padding.SAME if size == same else None
            assert _matching_padding(core, Value(image)) is expected
