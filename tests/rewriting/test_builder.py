"""The builder omits or merges operators; LiteRT judges the arithmetic."""

from typing import Any

import numpy as np
import pytest
from support.expressions import apply
from support.some import some
from support.tflite_models import Operator, Tensor, build, run_litert

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.formats import parse
from tosa_converter.ir import Graph, TensorType, Value
from tosa_converter.rewriting.builder import FOLD_ELEMENTS, SHIFTED_HALVES, Builder, widen_fp16
from tosa_converter.rewriting.operators import max_pool2d
from tosa_converter.schemas.tflite import BuiltinOperator, Padding


def fresh(dtype: DType = DType.FP32, shape: tuple[int, ...] = (2, 3)) -> tuple[Builder, Value]:
    value = Value(TensorType(dtype, shape), "x")
    return Builder(Graph("g", [value])), value


def padded_convolution(amounts: list[list[int]], dtype: str) -> bytes:
    """Returns PAD and a VALID convolution with stride 2."""
    rng = np.random.default_rng(3)
    quant: dict[str, Any] = {"scale": 0.1, "zero_point": 5} if dtype == "int8" else {}
    size = [7 + sum(amounts[1]), 7 + sum(amounts[2])]
    out = [(n - 3) // 2 + 1 for n in size]
    weights = rng.integers(-127, 128, (4, 3, 3, 2)) if dtype == "int8" else rng.normal(0, 1, (4, 3, 3, 2))
    tensors = [
        Tensor((1, 7, 7, 2), dtype, **quant),
        Tensor((4, 2), "int32", amounts),
        Tensor((1, *size, 2), dtype, **quant),
        Tensor((4, 3, 3, 2), dtype, weights, scale=0.02 if quant else None),
        Tensor((1, *out, 4), dtype, scale=0.3 if quant else None, zero_point=-7),
        Tensor((4,), "int32" if quant else dtype, np.arange(4), scale=0.002 if quant else None),
    ]
    options = {"padding": Padding.VALID, "stride_w": 2, "stride_h": 2}
    operators = [
        Operator(BuiltinOperator.PAD, (0, 1), (2,), version=2 if quant else 1),
        Operator(BuiltinOperator.CONV_2D, (2, 3, 5), (4,), options, version=3 if quant else 1),
    ]
    return build(tensors, operators, (0,), (4,))


@pytest.mark.parametrize("dtype", ["int8", "float32"])
@pytest.mark.parametrize(
    ("amounts", "folded"), [([[0, 0], [1, 1], [0, 2], [0, 0]], True), ([[0, 0], [3, 4], [1, 1], [0, 0]], True)]
)
def test_pad_of_the_zero_point_folds_into_conv(dtype: str, amounts: list[list[int]], folded: bool) -> None:
    content = padded_convolution(amounts, dtype)
    tosa = tc.convert(parse(content))
    assert any(op.name == "tosa.pad" for op in tosa.main.ops) is not folded
    rng = np.random.default_rng(0)
    x = rng.integers(-128, 128, (1, 7, 7, 2)).astype(dtype) if dtype == "int8" else rng.normal(0, 1, (1, 7, 7, 2))
    x = x.astype(dtype)
    (expected,) = run_litert(content, [x])
    (output,) = tc.run(tosa, {"t0": x}).values()
    if dtype == "int8":
        assert np.array_equal(output, expected)
    else:
        assert np.abs(output - expected).max() <= 1e-5 * np.abs(expected).max()


def test_operators_that_change_nothing_are_not_emitted() -> None:
    builder, x = fresh()
    assert builder.reshape(x, (2, 3)) is x
    assert builder.transpose(x, (0, 1)) is x
    assert builder.slice(x, (0, 0), (2, 3)) is x
    assert builder.pad(x, [(0, 0), (0, 0)]) is x
    assert builder.tile(x, (1, 1)) is x
    assert builder.concat([x], 0) is x
    assert builder.cast(x, DType.FP32) is x
    assert builder.graph.ops == []


def test_constants_fold() -> None:
    builder, _ = fresh()
    total = builder.add(builder.const([1, 2], DType.I32), builder.const([10, 20], DType.I32))
    assert some(total.constant).tolist() == [11, 22]


@pytest.mark.parametrize(("builtin", "dtype"), [(BuiltinOperator.ABS, "int16"), (BuiltinOperator.NEG, "int32")])
def test_a_folded_scalar_stays_a_scalar(builtin: BuiltinOperator, dtype: str) -> None:
    quant: dict[str, Any] = {"scale": 0.1} if dtype == "int16" else {}
    data = build(
        [Tensor((), dtype, np.array(-5), **quant), Tensor((), dtype, **quant)],
        [Operator(builtin, (0,), (1,))],
        (),
        (1,),
    )
    (got,) = tc.run(tc.convert(parse(data)), {}).values()
    (want,) = run_litert(data, [])
    assert got.shape == want.shape == ()
    assert got == want == 5


def test_constants_fold_while_they_stay_small() -> None:
    """The limit is FOLD_ELEMENTS, or four times the elements of the file."""
    for elements, times, folded in ((1, FOLD_ELEMENTS, True), (1, FOLD_ELEMENTS + 1, False), (2, FOLD_ELEMENTS, False)):
        builder, _ = fresh()
        assert (builder.tile(builder.const([1.0] * elements, DType.FP32), (times,)).constant is not None) == folded
    for times, folded in ((4, True), (5, False)):
        builder, _ = fresh()
        large = builder.const(np.arange(FOLD_ELEMENTS), DType.FP32)
        assert (builder.tile(large, (times,)).constant is not None) == folded


def test_more_parts_than_a_level_allows_are_joined_in_steps() -> None:
    builder, x = fresh()
    joined = builder.concat([x] * 130, 0)
    assert joined.type.shape == (260, 3)
    assert max(len(op.inputs) for op in builder.graph.ops) <= 64


def test_elements_that_no_window_reaches_are_cut_off() -> None:
    builder, x = fresh(DType.FP32, (1, 8, 9, 1))
    pooled = apply(builder, max_pool2d, x, kernel=(2, 2), stride=(3, 3), pad=(0, 1, 0, 0))
    assert pooled.type.shape == (1, 3, 3, 1)
    producer = some(pooled.producer)
    assert producer.attributes["pad"] == (0, 0, 0, 0)
    assert producer.operands[0].type.shape == (1, 8, 8, 1)


@pytest.mark.parametrize("count", [SHIFTED_HALVES - 1, SHIFTED_HALVES, 1 << 16])
@pytest.mark.parametrize("finite", [True, False])
def test_every_half_is_widened_as_in_numpy(count: int, finite: bool) -> None:
    every = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    halves = every[np.isfinite(every)] if finite else every[::-1]
    halves = np.resize(halves, count)
    for x in (halves, halves[::-1], halves[: count // 2 * 2].reshape(2, -1).T):
        widened = widen_fp16(x)
        assert widened.dtype == np.float32
        assert widened.shape == x.shape
        assert np.array_equal(widened.view(np.uint32), x.astype(np.float32).view(np.uint32))
