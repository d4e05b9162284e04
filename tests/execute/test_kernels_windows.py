"""Convolutions in blocks, phases and every way of gathering equal their definitions."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from support.kernel_cases import planned, single

from tosa_converter.dtypes import DType
from tosa_converter.execute.definition.table import bind_definition
from tosa_converter.execute.fast import convolution as conv
from tosa_converter.execute.fast import depthwise
from tosa_converter.execute.fast.depthwise import DepthwiseConvolution
from tosa_converter.ir import Array, Op, TensorType, Value
from tosa_converter.rules.inference import infer_types
from tosa_converter.schemas import tosa_ops as ops

I8, I16, I32 = np.int8, np.int16, np.int32
KINDS = {I8: DType.I8, I16: DType.I16, I32: DType.I32, np.int64: DType.I48}
IN_ZP, WEIGHT_ZP = 5, -3


def compare_with_definition(
    rng: np.random.Generator, x: Array, weight: Array, depthwise: bool, **attributes: Any
) -> None:
    """Compares a kernel with its definition, and the whole output with its blocks."""
    channels = weight.shape[2] * weight.shape[3] if depthwise else len(weight)
    out = I32 if x.dtype == I8 else np.int64
    bias = rng.integers(-(1 << 20), 1 << 20, channels).astype(out)
    zeros = [np.array([IN_ZP], I8), np.array([WEIGHT_ZP], I8)]
    if x.dtype == I16:
        zeros = [np.zeros(1, I16), np.zeros(1, I8)]
    operands = [x, weight, bias, *zeros]
    row = ops.DEPTHWISE_CONV2D if depthwise else ops.CONV2D
    values = [Value(TensorType(KINDS[v.dtype.type], v.shape)) for v in operands]
    attributes |= {"acc_type": "INT32" if x.dtype == I8 else "INT48"}
    op = Op(row.opcode, values, infer_types(row, values, attributes), attributes)
    expected = np.asarray(bind_definition(op)(*operands))
    kernel = planned(op)
    output = np.asarray(kernel(*operands))
    assert output.dtype == out
    np.testing.assert_array_equal(output, expected)
    pieces = np.zeros_like(output)
    for index, block in kernel.blocks(*operands):  # type: ignore[attr-defined]
        assert block.shape == pieces[index].shape
        pieces[index] = block
    np.testing.assert_array_equal(pieces, expected)


def fitting(outputs: int, kernel: int, stride: int, dilation: int, pad: tuple[int, int]) -> int:
    """Returns the size of an input axis, which the convolution has to use up."""
    return max(1, (outputs - 1) * stride + (kernel - 1) * dilation + 1 - sum(pad))


@pytest.fixture(params=[1 << 15, 64], ids=["whole", "blocks"])
def limits(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits how much the kernels compute at a time."""
    monkeypatch.setattr(conv, "_OUTPUT_ELEMENTS", request.param)
    monkeypatch.setattr(depthwise, "_OUTPUT_ELEMENTS", request.param)


WINDOWS = [*product((1, 2, 3), (1, 2, 3), (1, 2, 3, 5), ((0, 0), (1, 0), (2, 1)))]


@pytest.mark.usefixtures("limits")
@pytest.mark.parametrize("depthwise", [False, True], ids=["conv2d", "depthwise"])
@pytest.mark.parametrize("i", range(len(WINDOWS)))
def test_every_stride_and_dilation_equals_the_definition(i: int, depthwise: bool) -> None:
    rng = np.random.default_rng(i)
    rows, columns = WINDOWS[i], WINDOWS[-1 - i]  # the other axis has the same windows in another order
    shape = [fitting(n, k, s, d, p) for n, (s, d, k, p) in ((4, rows), (6, columns))]
    steps, gaps, sizes = zip(rows[:3], columns[:3], strict=True)
    channels = (1, 3, 8)[i % 3]
    x = rng.integers(-128, 128, (1 + i % 2, *shape, channels)).astype(I8)
    weight = rng.integers(-127, 128, (*sizes, channels, 1 + i % 2) if depthwise else (4, *sizes, channels))
    compare_with_definition(
        rng, x, weight.astype(I8), depthwise, pad=(*rows[3], *columns[3]), stride=steps, dilation=gaps
    )


@pytest.mark.usefixtures("limits")
@pytest.mark.parametrize("steps", [*product((1, 2, 3), repeat=2)], ids=str)
def test_windows_of_one_position_equal_the_definition_at_every_stride(steps: tuple[int, int]) -> None:
    rng = np.random.default_rng(5)
    x = rng.integers(-128, 128, (2, 4 * steps[0] + 1, 5 * steps[1] + 1, 3)).astype(I8)
    weight = rng.integers(-127, 128, (7, 1, 1, 3)).astype(I8)
    compare_with_definition(rng, x, weight, False, pad=(0, 0, 0, 0), stride=steps, dilation=(1, 1))


@pytest.mark.usefixtures("limits")
@pytest.mark.parametrize("depthwise", [False, True], ids=["conv2d", "depthwise"])
@pytest.mark.parametrize("channels", [2, 128, 129, 600])
@pytest.mark.parametrize("width", [1, 2, 11, 12, 49])
@pytest.mark.parametrize("stride", [1, 2])
def test_short_and_long_rows_equal_the_definition(stride: int, width: int, channels: int, depthwise: bool) -> None:
    rng = np.random.default_rng(width)
    x = rng.integers(-128, 128, (1, 5, (width - 1) * stride + 1, channels)).astype(I8)
    weight = rng.integers(-127, 128, (3, 3, channels, 1) if depthwise else (2, 3, 3, channels)).astype(I8)
    compare_with_definition(rng, x, weight, depthwise, pad=(1, 1, 1, 1), stride=(1, stride), dilation=(1, 1))


@pytest.mark.usefixtures("limits")
@pytest.mark.parametrize("channels", [1, 8, 11, 12, 13])
@pytest.mark.parametrize(
    ("stride", "dilation"), [((1, 1), (1, 1)), ((1, 2), (2, 1)), ((2, 1), (1, 1)), ((1, 1), (3, 2))]
)
def test_products_of_kernel_rows_are_added_up(
    stride: tuple[int, int], dilation: tuple[int, int], channels: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cases lie around one half of a window's row (3 * 8 elements) and the least size."""
    monkeypatch.setattr(conv, "_WORTH_ADDING", 13 * 9 * 72)
    rng = np.random.default_rng(channels)
    for height in (12, 13):
        size = [fitting(n, 3, s, d, (1, 1)) for n, s, d in zip((height, 9), stride, dilation, strict=True)]
        x = rng.integers(-128, 128, (2, *size, 8)).astype(I8)
        weight = rng.integers(-127, 128, (channels, 3, 3, 8)).astype(I8)
        compare_with_definition(rng, x, weight, False, pad=(1, 1, 1, 1), stride=stride, dilation=dilation)


def test_one_product_where_windows_are_the_input_cut_up(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(7)
    for gathered, limit in product((1 << 18, 40), (1 << 16, 40)):
        monkeypatch.setattr(conv, "_WINDOW_ELEMENTS", gathered)
        monkeypatch.setattr(conv, "_OUTPUT_ELEMENTS", limit)
        for size, kernel in (((3, 2), (3, 2)), ((1, 1), (1, 1)), ((3, 2), (1, 1)), ((4, 2), (3, 2)), ((3, 3), (2, 2))):
            x = rng.integers(-128, 128, (3, *size, 5)).astype(I8)
            weight = rng.integers(-127, 128, (6, *kernel, 5)).astype(I8)
            dilation = (2, 2) if size == (3, 3) else (1, 1)  # as large as the input, but with gaps
            compare_with_definition(rng, x, weight, False, pad=(0, 0, 0, 0), stride=(1, 1), dilation=dilation)


@pytest.mark.parametrize("depthwise", [False, True], ids=["conv2d", "depthwise"])
@pytest.mark.parametrize("dtype", [I8, I16])
@pytest.mark.parametrize("side", [32, 33, 40])
def test_sums_beyond_the_mantissa_of_fp32_are_exact(
    dtype: type[np.signedinteger[Any]], side: int, depthwise: bool
) -> None:
    """The sum of 32 x 32 products of -128 and -127 + 3 is below 2^24; that of 33 x 33 isn't."""
    rng = np.random.default_rng(side)
    lowest = np.iinfo(dtype).min
    x = np.full((1, side + 1, side + 2, 2), lowest, dtype)
    x[0, -1, :, 1] += 1  # an odd number at the end, which rounding would lose
    weight = np.full((side, side, 2, 1) if depthwise else (3, side, side, 2), -127, I8)
    compare_with_definition(rng, x, weight, depthwise, pad=(0, 0, 0, 0), stride=(1, 1), dilation=(1, 1))


def test_one_matrix_product_reads_strided_positions_without_padding() -> None:
    rng = np.random.default_rng(3)
    for stride in (1, 2, 3):
        x = rng.integers(-128, 128, (2, 4 * stride + 1, 2 * stride + 1, 7)).astype(I8)
        weight = rng.integers(-127, 128, (5, 1, 1, 7)).astype(I8)
        compare_with_definition(rng, x, weight, False, pad=(0, 0, 0, 0), stride=(stride, stride), dilation=(1, 1))
        compare_with_definition(
            rng, x, weight[:1].reshape(1, 1, 7, 1), True, pad=(0, 0, 0, 0), stride=(stride, stride), dilation=(1, 1)
        )


def test_inputs_may_have_any_layout() -> None:
    rng = np.random.default_rng(4)
    x = rng.integers(-128, 128, (3, 9, 8, 1)).astype(I8).transpose(3, 2, 1, 0)  # not contiguous
    weight = rng.integers(-127, 128, (2, 3, 3, 3)).astype(I8)
    for pad in ((0, 0, 0, 0), (1, 1, 1, 1)):
        compare_with_definition(rng, x, weight, False, pad=pad, stride=(1, 1), dilation=(1, 1))
        compare_with_definition(rng, x, weight.transpose(1, 2, 3, 0), True, pad=pad, stride=(1, 1), dilation=(1, 1))


@pytest.mark.usefixtures("limits")
@pytest.mark.parametrize("worth_adding", [1, 1 << 16])
@pytest.mark.parametrize("depthwise", [False, True], ids=["conv2d", "depthwise"])
@pytest.mark.parametrize(("stride", "pad"), [(1, (0, 0, 0, 0)), (2, (1, 0, 1, 0))])
def test_floats_are_near_to_fp64(
    stride: int, pad: tuple[int, ...], depthwise: bool, worth_adding: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conv, "_WORTH_ADDING", worth_adding)
    rng = np.random.default_rng(5)
    x, weight = (rng.standard_normal(s).astype(np.float32) for s in ((2, 12, 12, 8), (8, 3, 3, 8)))
    if depthwise:
        weight = weight[..., :1].transpose(1, 2, 0, 3)
    attributes = {"pad": pad, "stride": (stride, stride), "dilation": (1, 1)}
    size = (12 + pad[0] - 3) // stride + 1
    x = x[:, : (size - 1) * stride + 3 - pad[0], : (size - 1) * stride + 3 - pad[2]]
    row = ops.DEPTHWISE_CONV2D if depthwise else ops.CONV2D
    operands = [x, weight, rng.standard_normal(8).astype(np.float32), *(np.zeros(1, np.float32),) * 2]
    op = single(row, *operands, acc_type="FP32", local_bound=False, **attributes)
    expected = np.asarray(bind_definition(op, precise=True)(*(v.astype(np.float64) for v in operands)))
    output = np.asarray(planned(op)(*operands))
    np.testing.assert_allclose(output, expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize("worth_adding", [1, 1 << 30])
@pytest.mark.parametrize("stride", [1, 2])
def test_sums_in_several_parts_are_exact(worth_adding: int, stride: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The products with int8 exceed what fp32 holds exactly, so the matrix is cut, also where rows are added."""
    monkeypatch.setattr(conv, "_WORTH_ADDING", worth_adding)
    rng = np.random.default_rng(8)
    x = rng.choice(np.array([-128, 127], I8), (1, 7, 7, 160))
    weight = np.where(rng.random((2, 3, 3, 160)) < 0.5, -127, 127).astype(I8)
    weight[0] = np.sign(x[0, :3, :3]) * 127
    compare_with_definition(rng, x, weight, False, pad=(0, 0, 0, 0), stride=(stride, stride), dilation=(1, 1))


def test_most_depthwise_sums_take_fp32() -> None:
    rng = np.random.default_rng(6)
    x = rng.integers(-128, 128, (1, 8, 8, 4)).astype(I8)
    weight = rng.integers(-127, 128, (3, 3, 4, 1)).astype(I8)
    operands: list[Array] = [x, weight, np.zeros(4, I32), np.zeros(1, I8), np.zeros(1, I8)]
    attributes = {"pad": (1, 1, 1, 1), "stride": (1, 1), "dilation": (1, 1), "acc_type": "INT32", "local_bound": False}
    kernel = planned(single(ops.DEPTHWISE_CONV2D, *operands, **attributes))
    assert isinstance(kernel, DepthwiseConvolution)
    assert kernel.weights(tuple(operands)).values[0].weights.dtype == np.float32


def test_fusion_makes_a_new_kernel() -> None:
    rng = np.random.default_rng(7)
    operands = [rng.integers(-128, 128, s).astype(I8) for s in ((1, 6, 6, 3), (4, 3, 3, 3))]
    operands += [rng.integers(-99, 99, 4).astype(I32), np.zeros(1, I8), np.zeros(1, I8)]
    attributes = {"pad": (1, 1, 1, 1), "stride": (1, 1), "dilation": (1, 1), "acc_type": "INT32", "local_bound": False}
    kernel = planned(single(ops.CONV2D, *operands, **attributes))
    assert isinstance(kernel, conv.Im2colConvolution)
    before = kernel(*operands)
    fused = kernel.with_rescaler(lambda sums: np.zeros(sums.shape, I8))
    assert not fused(*operands).any()
    assert fused(*operands).dtype == I8
    np.testing.assert_array_equal(kernel(*operands), before)
