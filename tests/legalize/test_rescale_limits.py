"""Multipliers and values at and beyond RESCALE's limits give predictable graphs and saturated results."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.legalizing import as_signless, compared, notes, reference_model
from support.quantized_models import (
    BASE,
    Draw,
    assert_exact,
    constant,
    converted,
    every_pair,
    every_value,
    model,
    origin,
    quantized,
)

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Graph, Model, Op, Quant, TensorType, Value
from tosa_converter.rules.target import Target
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import Padding

pytest.importorskip("ai_edge_litert.interpreter", reason="LiteRT is not installed")
TARGETS = pytest.mark.parametrize("target", [None, BASE], ids=["double", "base"])


def assert_saturates(data: bytes, arrays: list[Array], target: Target | None, folder: Path) -> Any:
    """Asserts a valid graph, and defined elements equal to LiteRT's; returns the comparison of the output."""
    reference_model(converted(data, target=target), [as_signless(array) for array in arrays])
    (output,) = compared(folder / "m.tflite", data, arrays, target=target)
    assert output.verdict
    return output


@pytest.mark.parametrize(("dtype", "target"), [("int8", None), ("uint8", BASE)], ids=["double", "base"])
@pytest.mark.parametrize("exponent", [-31, -30, -1, 0, 1, 14, 15, 29, 30, 40])
@pytest.mark.parametrize("builtin", [B.MUL, B.PRELU, B.SUB, B.DIV], ids=lambda op: op.name)
def test_products_and_squares_saturate(
    builtin: B, exponent: int, dtype: str, target: Target | None, tmp_path: Path
) -> None:
    """From 2**14 on, products of MUL exceed 32 bits and RESCALE's range."""
    x, y = (array[::5, ::3] for array in every_pair(dtype))
    zero = origin(dtype)
    x, y = (
        np.append(x[:-1], [[zero + 127] * x.shape[1]], 0).astype(dtype),
        np.where(y == zero, zero + 1, y).astype(dtype),
    )
    to = quantized(x.shape, 0.75 * 2.0 ** -(exponent + (builtin is B.SUB) * -19), zero + 5, dtype)
    version = 1 if builtin is B.PRELU else 2
    data, arrays = model(builtin, [quantized(x, 1.0, zero, dtype), quantized(y, 1.0, zero, dtype)], to, version)
    output = assert_saturates(data, arrays, target, tmp_path)
    assert output.undefined == 0 or any("LiteRT" in text for text in notes(data))


@TARGETS
@pytest.mark.parametrize("zero", [-7, 0, 7])
@pytest.mark.parametrize(
    "ratio", [2.0**-33, 2.0**-31, 0.7 * 2.0**-24, 0.3, 0.49, 0.5, 0.75, 1.0, 3.0, 1e4, 2.0**29, 2.0**31]
)
def test_quantize_of_i32_saturates(ratio: float, zero: int, target: Target | None, tmp_path: Path) -> None:
    """Any i32 is covered on both sides of the limits; a difference with the zero point mustn't overflow."""
    edges = np.array([0, 1, 2, 127, 255, 2**20, 2**24, 2**29, 2**30, 2**31 - 1])
    x = np.concatenate([sign * edges[None] + np.arange(-9, 10)[:, None] for sign in (1, -1)]).reshape(-1)
    x = np.concatenate([np.clip(x, -(2**31), 2**31 - 1), Draw(0).rng.integers(-(2**31), 2**31, 500)]).astype(np.int32)
    data, arrays = model(B.QUANTIZE, [quantized(x, ratio, zero, "int32")], quantized(x.shape, 1.0, 3), version=2)
    assert_saturates(data, arrays, target, tmp_path)


@TARGETS
@pytest.mark.parametrize("zero", [0, -7, 2**31 - 1])
@pytest.mark.parametrize("ratio", [2.0**-31, 0.3, 1.0, 3.0, 2.0**13, 2.0**14, 1e5, 333333.0, 2.0**29, 2.0**31, 1e12])
def test_quantize_from_16_to_32_bits_equals_litert(
    ratio: float, zero: int, target: Target | None, tmp_path: Path
) -> None:
    """For any i16, results over 32 bits equal LiteRT's; RESCALE gives those below 2**30."""
    x = np.arange(-(2**15), 2**15).astype(np.int16)
    to = quantized(x.shape, 1.0, zero, "int32")
    data, arrays = model(B.QUANTIZE, [quantized(x, ratio, 0, "int16")], to, version=2)
    output = assert_saturates(data, arrays, target, tmp_path)
    products = x * np.float64(ratio)
    fits = (np.abs(products) < 2**30) & (np.abs(products + zero) < 2**30)
    assert output.undefined <= np.count_nonzero(~fits)


@TARGETS
@pytest.mark.parametrize("zero", [0, 5])
@pytest.mark.parametrize("ratio", [0.3, 1.0, 1e5, 1e7, 2.0**31])
def test_quantize_from_32_to_16_bits_saturates(ratio: float, zero: int, target: Target | None, tmp_path: Path) -> None:
    """Values beyond 16 bits before the zero point is added saturate after it."""
    edges = np.array([0, 1, 2, 64, 127, 2**15, 2**20, 2**29, 2**31 - 1])
    x = np.concatenate([edges, -edges, Draw(0).rng.integers(-(2**31), 2**31, 500)]).astype(np.int32)
    to = quantized(x.shape, 1.0, zero, "int16")
    data, arrays = model(B.QUANTIZE, [quantized(x, ratio, 0, "int32")], to, version=2)
    assert_saturates(data, arrays, target, tmp_path)


@pytest.mark.parametrize("target", [None, "ethos-u85"])
@pytest.mark.parametrize("alpha", [-0.1, 0.1, -3e4, 3e4, -1e9])
@pytest.mark.parametrize("ratio", [1.0, 1e6])
def test_steep_slopes_of_16_bits_saturate(alpha: float, ratio: float, target: str | None, tmp_path: Path) -> None:
    """Products of a slope exceed 16 bits before they are negated or added to positive ones."""
    x = np.arange(-(2**15), 2**15).astype(np.int16)
    to = quantized(x.shape, 1.0, 0, "int16")
    data, arrays = model(B.LEAKY_RELU, [quantized(x, ratio, 0, "int16")], to, version=2, alpha=alpha)
    assert_saturates(data, arrays, Target.parse(target) if target else None, tmp_path)


@pytest.mark.parametrize("ratio", [2.0**22, 1e7, 3e7, 2.0**30, 1e12, 1e30])
@pytest.mark.parametrize("builtin", [B.RELU, B.RELU_N1_TO_1, B.LEAKY_RELU, B.ABS, B.QUANTIZE], ids=lambda op: op.name)
def test_table_results_saturate(builtin: B, ratio: float, tmp_path: Path) -> None:
    """Results are in order, whatever the multiplier."""
    options = {"alpha": 0.5} if builtin is B.LEAKY_RELU else {}
    to = quantized((1, 256), 1.0, 3)
    version = {B.RELU_N1_TO_1: 1, B.ABS: 3}.get(builtin, 2)
    data, arrays = model(builtin, [quantized(every_value(), ratio, -1)], to, version, **options)
    output = assert_saturates(data, arrays, None, tmp_path)
    assert (output.undefined > 0) <= any("overflow in LiteRT" in text for text in notes(data))


@TARGETS
@pytest.mark.parametrize("ratio", [2.0**-29, 0.3, 0.75, 1.5, 100.0])
def test_sums_with_a_run_time_bias_saturate(ratio: float, target: Target | None) -> None:
    """The bias is unknown, so sums may be near 2**30, with the smallest of multipliers."""
    x, weight = Draw(0).stored((1, 3, 3, 2)), Draw(1).stored((4, 1, 1, 2))
    bias = np.array([2**30, -(2**30), 2**29 - 5, 77], np.int32)
    operands = [
        quantized(x, 1.0, 3),
        quantized(weight, 1.0, 0, constant=True),
        quantized(bias, 1.0, 0, "int32"),
    ]
    to = quantized((1, 3, 3, 4), 1 / ratio, -4)
    data, arrays = model(B.CONV_2D, operands, to, 3, padding=Padding.VALID, stride_h=1, stride_w=1)
    if ratio < 1:
        assert_exact(data, arrays, target=target, by_reference_model=True)
    else:  # LiteRT's products overflow
        (got,) = reference_model(converted(data, target=target), arrays)
        np.testing.assert_array_equal(got[..., :3], np.broadcast_to([127, -128, 127], (1, 3, 3, 3)))


@TARGETS
@pytest.mark.parametrize("exponent", [-34, -30, 0, 1, 15, 28, 29, 40])
def test_sums_with_run_time_weights_saturate(exponent: int, target: Target | None) -> None:
    """Only the depth bounds FULLY_CONNECTED's accumulators: results are true sums, or the ends of the range."""
    x, weight = Draw(0).stored((3, 40)), Draw(1).stored((5, 40))
    operands = [quantized(x, 1.0, -128), quantized(weight, 1.0), None]
    data, arrays = model(B.FULLY_CONNECTED, operands, quantized((3, 5), 2.0**-exponent, 7), version=4)
    (got,) = reference_model(converted(data, target=target), arrays)
    total = (x.astype(np.int64) + 128) @ weight.T.astype(np.int64) * 2.0**exponent
    np.testing.assert_array_equal(got, np.clip(np.sign(total) * np.floor(np.abs(total) + 0.5) + 7, -128, 127))


@TARGETS
@pytest.mark.parametrize("exponent", [-33, -1, 0, 1, 12, 22, 29, 35])
@pytest.mark.parametrize("builtin", [B.MEAN, B.SUM], ids=lambda op: op.name)
def test_sums_of_elements_saturate(builtin: B, exponent: int, target: Target | None) -> None:
    """Sums of 300 elements equal LiteRT's, or are the ends of the range where its 32 bits overflow."""
    x = np.stack([np.full(300, value) for value in range(256)]).astype(np.uint8)
    operands = [quantized(x, 1.0, 128, "uint8"), constant([1])]
    data, arrays = model(builtin, operands, quantized((256,), 2.0**-exponent, 100, "uint8"), version=2)
    if exponent < 12:
        assert_exact(data, arrays, target=target, by_reference_model=True)
    else:
        (got,) = reference_model(converted(data, target=target), [as_signless(array) for array in arrays])
        want = np.select([x[:, 0] < 128, x[:, 0] > 128], [0, 255], 100)
        np.testing.assert_array_equal(got.view(np.uint8), want)


@pytest.mark.parametrize("zero", [0, 255])
@pytest.mark.parametrize("taps", [1, 3])
def test_sums_of_one_sign_round_their_ties_as_litert(zero: int, taps: int) -> None:
    """The zero point of the weights is at an end, so all sums have one sign, and half of them are ties."""
    x = np.repeat(np.arange(256, dtype=np.uint8)[:, None], taps, 1)
    weight = np.abs(zero - np.ones((1, taps))).astype(np.uint8)
    operands = [quantized(x, 1.0, 0, "uint8"), quantized(weight, 1.0, zero, "uint8", constant=True), None]
    to = quantized((256, 1), 2.0 * taps, zero, "uint8")
    data, arrays = model(B.FULLY_CONNECTED, operands, to, version=4)
    assert_exact(data, arrays, by_reference_model=True)


@pytest.mark.parametrize("size", [64, 136])
@pytest.mark.parametrize("element", [-128, 0, 127])
def test_means_of_large_images_saturate(size: int, element: int) -> None:
    """In XNNPACK's compact numerics, a sum may exceed RESCALE's range with a multiplier near 256."""
    types = [
        TensorType(DType.I8, shape, Quant((scale,), (-128,)))
        for shape, scale in (((1, size, size, 1), 250.0 * size * size), ((1, 1, 1, 1), 1.0))
    ]
    x = Value(types[0], "x")
    node = Op("xnn.global_avg_pooling_2d", [x], types[1:], {"flags": 64}, result_names=["y"])
    source = Model({"main": Graph("main", [x], node.results, [node])}, opset="xnn")
    image = np.full(types[0].static, element, np.int8)
    (got,) = reference_model(tc.convert(source, numerics="compact"), [image])
    assert got.item() == (127 if element > -128 else -128)


@pytest.mark.parametrize(("count", "is_taken"), [(8421504, True), (8421505, False)])
def test_a_mean_is_of_as_many_elements_as_32_bits_sum(count: int, is_taken: bool) -> None:
    """255 times 8,421,504 is below 2**31; nothing is run."""
    types = [TensorType(DType.I8, shape, Quant((1.0,), (0,))) for shape in ((1, count, 1, 1), (1, 1, 1, 1))]
    x = Value(types[0], "x")
    node = Op("xnn.global_avg_pooling_2d", [x], types[1:], {"flags": 64}, result_names=["y"])
    source = Model({"main": Graph("main", [x], node.results, [node])}, opset="xnn")
    target = Target.parse("pro-int,pro-fp,none")
    if is_taken:
        assert tc.convert(source, target=target).report
    else:
        with pytest.raises(tc.UnsupportedError, match="expected sums that 32 bits hold"):
            tc.convert(source, target=target)


@TARGETS
@pytest.mark.parametrize("dtype", ["int8", "uint8"])
@pytest.mark.parametrize("builtin", [B.CONV_2D, B.DEPTHWISE_CONV_2D], ids=lambda op: op.name)
def test_sums_with_a_small_bias_saturate(builtin: B, dtype: str, target: Target | None, tmp_path: Path) -> None:
    """Products alone exceed the 17 bits that RESCALE takes with a shift of 18: 36 of 127 * 127, or of 255 * 255."""
    top, zero = np.iinfo(dtype).max, origin(dtype)
    shape = (1, 6, 6, 1)
    x, weight = (Draw(i).stored(shape, dtype) for i in range(2))
    x[:, 3:], weight[:, 3:] = top, top
    operands = [
        quantized(x, 1.0, zero, dtype),
        quantized(weight, 1.0, zero, dtype, constant=True, axis=3 if builtin is B.DEPTHWISE_CONV_2D else 0),
        quantized(np.array([3], np.int32), 1.0, 0, "int32", constant=True),
    ]
    to = quantized((1, 6, 6, 1), 0.75 * 2.0**-13, zero, dtype)
    window = {"padding": Padding.SAME, "stride_h": 1, "stride_w": 1}
    window |= {"depth_multiplier": 1} if builtin is B.DEPTHWISE_CONV_2D else {}
    data, arrays = model(builtin, operands, to, 3, **window)
    assert_saturates(data, arrays, target, tmp_path)
    assert any("overflow" in text for text in notes(data))
