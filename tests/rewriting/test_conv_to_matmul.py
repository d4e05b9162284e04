"""Windows as slices equal convolutions and pools for every window; other operators stay."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.commands import MODELS
from support.expressions import apply
from support.legalizing import executed, reference_model
from support.sketch import Sketch

import tosa_converter as tc
from tosa_converter.conversion import PASSES
from tosa_converter.dtypes import DType
from tosa_converter.ir import Model
from tosa_converter.proof.input_sets import random_inputs
from tosa_converter.rewriting.operators import conv2d
from tosa_converter.rewriting.passes.conv_to_matmul import CONV_TO_MATMUL
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rules.graph import verify
from tosa_converter.schemas import tosa_ops as ops

I8, I16, FP32 = DType.I8, DType.I16, DType.FP32
SUMS = {I8: DType.I32, I16: DType.I48, FP32: FP32}
PAIR = st.tuples(st.integers(1, 3), st.integers(1, 3))


def convolution(
    dtype: DType,
    outputs: tuple[int, int] = (4, 3),
    kernel: tuple[int, int] = (3, 3),
    stride: tuple[int, int] = (1, 1),
    dilation: tuple[int, int] = (1, 1),
    pad: tuple[int, int, int, int] = (0, 0, 0, 0),
    depth: tuple[int, int] = (2, 3),
    *,
    count: int = 1,
    depthwise: bool = False,
) -> Model:
    """Returns a model of one convolution; the image has the size that `outputs` needs."""
    reach = [(n - 1) * s + (k - 1) * d + 1 for n, k, s, d in zip(outputs, kernel, stride, dilation, strict=True)]
    height, width = reach[0] - pad[0] - pad[1], reach[1] - pad[2] - pad[3]
    sketch = Sketch(x=(dtype, (count, height, width, depth[0])))
    shape = (*kernel, *depth) if depthwise else (depth[1], *kernel, depth[0])
    weights = sketch.const(sketch.rng.integers(-128, 128, shape), FP32 if dtype is FP32 else I8)
    total = depth[0] * depth[1] if depthwise else depth[1]
    bias = sketch.const(sketch.rng.integers(-(2**20), 2**20, total), SUMS[dtype])
    x, zero = sketch.graph.inputs[0], -7 if dtype is I8 else 0
    sums = apply(
        sketch.builder,
        conv2d,
        x,
        weights,
        bias,
        pad=pad,
        stride=stride,
        dilation=dilation,
        input_zp=zero,
        depthwise=depthwise,
    )
    return Model({"main": sketch.done(sums)})


def run_passes(model: Model) -> None:
    """Runs the pass with the passes around it in a conversion."""
    for step in (PASSES["reshape-propagation"], CONV_TO_MATMUL, PASSES["common-subexpressions"]):
        step.run(model, Options(), Report())


def counted(model: Model) -> Counter[str]:
    return Counter(op.name for op in model.main.ops if not op.name.startswith("tosa.const"))


def rewritten(model: Model) -> Counter[str]:
    """Returns the operators after the pass, after checking that both graphs are legal and compute the same."""
    inputs = list(random_inputs(model.main.inputs, {}, 5).values())
    inputs = [np.rint(array * 100).astype(array.dtype) if array.dtype == np.float32 else array for array in inputs]
    verify(model)
    expected = executed(model, inputs)
    run_passes(model)
    verify(model)
    for outputs in (executed(model, inputs), reference_model(model, inputs)):
        np.testing.assert_array_equal(outputs, expected)
    return counted(model)


@given(
    st.sampled_from((I8, FP32)), PAIR, PAIR, PAIR, PAIR, st.tuples(*[st.integers(0, 1)] * 4), PAIR, st.integers(1, 2)
)
def test_the_product_equals_the_convolution(
    dtype: DType,
    outputs: tuple[int, int],
    kernel: tuple[int, int],
    stride: tuple[int, int],
    dilation: tuple[int, int],
    pad: tuple[int, int, int, int],
    depth: tuple[int, int],
    count: int,
) -> None:
    outputs = outputs[0] + 2, outputs[1] + 2  # so that the image isn't all padding
    unit = 1 in (*kernel, depth[0]) and kernel != (1, 1)
    left = rewritten(convolution(dtype, outputs, kernel, stride, dilation, pad, depth, count=count))
    assert left["tosa.matmul"] == (dtype is I8 or unit)
    assert left["tosa.matmul"] + left["tosa.conv2d"] == 1


@pytest.mark.parametrize("dtype", [I8, FP32])
def test_one_channel_with_many_filters_is_a_convolution(dtype: DType) -> None:
    left = rewritten(convolution(dtype, kernel=(2, 3), stride=(2, 2), pad=(1, 0, 1, 1), depth=(1, 4), depthwise=True))
    assert left["tosa.matmul"] == 1


def test_neighbours_in_a_cell_are_cut_out_together() -> None:
    assert rewritten(convolution(I8, kernel=(3, 3), stride=(2, 2)))["tosa.slice"] == 6
    assert rewritten(convolution(I8, kernel=(3, 3)))["tosa.slice"] == 9
    assert rewritten(convolution(I8, kernel=(1, 1))) == {"tosa.matmul": 1, "tosa.add": 1, "tosa.reshape": 2}


def pooling(mode: str, dtype: DType = FP32, kernel: tuple[int, int] = (3, 2)) -> Model:
    """Draws windows of padding, numbers and NaN, some of NaN alone."""
    sketch = Sketch(x=(dtype, (2, 2 * kernel[0], 7, 3)))
    x, pad = sketch.graph.inputs[0], (kernel[0] // 2, kernel[0] - kernel[0] // 2, 1, 0)
    stride = kernel[0], 1
    pooled = sketch.builder.emit(ops.MAX_POOL2D, x, kernel=kernel, stride=stride, pad=pad, nan_mode=mode)
    return Model({"main": sketch.done(pooled)})


def test_a_pool_that_ignores_nan_is_a_maximum() -> None:
    model = pooling("IGNORE")
    x = np.random.default_rng(2).standard_normal(model.main.inputs[0].type.static).astype(np.float32)
    x[0, :, :3], x[:, 1::2, ::3], x[1, 4, 4] = np.nan, np.nan, -np.inf
    expected = executed(model, [x])
    assert np.isnan(expected[0]).any()
    run_passes(model)
    verify(model)
    assert counted(model)["tosa.maximum"] == 5
    for outputs in (executed(model, [x]), reference_model(model, [x])):
        np.testing.assert_array_equal(outputs, expected)


@pytest.mark.parametrize(
    "model",
    [
        convolution(FP32),
        convolution(FP32, kernel=(1, 1)),
        convolution(I16, kernel=(1, 3)),
        convolution(I8, kernel=(13, 10)),
        convolution(I8, depth=(2, 2), depthwise=True),
        pooling("PROPAGATE"),
        pooling("IGNORE", I8),
        pooling("IGNORE", kernel=(65, 2)),
    ],
)
def test_operators_without_such_windows_stay(model: Model) -> None:
    before = counted(model)
    run_passes(model)
    assert counted(model) == before


def test_a_preset_enables_the_pass() -> None:
    path = MODELS / "digits_int8.tflite"
    for target, products in (("iree-cpu", True), ("iree-cuda", False)):
        counts = counted(tc.convert(path, target=target))
        assert (counts["tosa.matmul"] > 0) is products
        assert (counts["tosa.conv2d"] == 0) is products
