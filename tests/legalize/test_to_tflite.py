"""TFLite written from TOSA: LiteRT's reference kernels equal the executor, and models come back."""

import contextlib
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.cases.case import Case as TfliteCase
from support.commands import MODELS, ROOT
from support.expressions import apply
from support.kernel_cases import COMBINATIONS_1_0, Case, cases_of, graph_of, variants
from support.tflite_coverage import table
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.conversion import count_ops
from tosa_converter.dtypes import DType
from tosa_converter.engines import engine_named
from tosa_converter.errors import UnsupportedError
from tosa_converter.execute.plan import Executable
from tosa_converter.formats import parse
from tosa_converter.ir import Array, Graph, Model, TensorType, Value
from tosa_converter.legalize.invert.tflite.pipeline import PASSES
from tosa_converter.legalize.invert.tflite.quantized import QuantizedOperators
from tosa_converter.legalize.invert.tflite.ratios import ratio_intervals, weight_scales
from tosa_converter.legalize.invert.tflite.scale_solver import ScaleSolver
from tosa_converter.legalize.invert.tflite.short_layers import upstream_operators
from tosa_converter.legalize.quant.multipliers import quantize_multiplier
from tosa_converter.rewriting import operators
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.control import cond_if, while_loop
from tosa_converter.rewriting.expr import Expr, clamp
from tosa_converter.rewriting.operators import conv2d, rescale, transpose_conv2d
from tosa_converter.rewriting.pipeline import legalization_pass
from tosa_converter.rewriting.reasons import Attempts
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas import xnn_ops
from tosa_converter.schemas.tflite import ActivationFunctionType
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tosa_ops import OpDef
from tosa_converter.schemas.tosa_target import VERSION

LITERT = engine_named("litert")
LARGEST = float(np.finfo(np.float32).max)
# Sums of fp16 and bf16 are made in fp32 here and in any order there.
TOLERANCES = {DType.FP32: 1e-5, DType.FP16: 2**-6, DType.BF16: 2**-6}
TAKEN = [(row, types) for row, types in COMBINATIONS_1_0 if "fp8" not in types]
IDS = [f"{row.name}-{types.replace(' ', '-')}" for row, types in TAKEN]
# The result of INEXACT_ROUND is not defined.
VARIANTS = [line for line in variants() if "inexact" not in line[0]]


def litert(graph: Graph, feed: list[Array]) -> list[Array]:
    """Returns LiteRT's outputs for the file."""
    pytest.importorskip("ai_edge_litert", reason="needs LiteRT")
    back = tc.load(b"".join(map(bytes, tc.formats.encode(tc.to_tflite(Model({"main": graph})), ".tflite"))))
    assert [value.name for value in back.main.inputs] == [value.name for value in graph.inputs]
    assert [value.name for value in back.main.outputs] == [value.name for value in graph.outputs]
    inputs = {value.name: array for value, array in zip(back.main.inputs, feed, strict=True)}
    return list(LITERT.run(back, inputs).values())


def agree(expected: Array, output: Array, value: Value) -> None:
    """Asserts equal integers, and floats within the tolerance; LiteRT keeps infinities finite."""
    assert output.shape == expected.shape
    if not value.type.dtype.is_float:
        np.testing.assert_array_equal(expected.astype(np.int64), output.astype(np.int64))
        return
    expected, output = (np.clip(x.astype(np.float64), -LARGEST, LARGEST) for x in (expected, output))
    np.testing.assert_array_equal(np.isnan(expected), np.isnan(output))
    finite = np.abs(expected) < 65000
    assert (np.sign(expected[~finite]) == np.sign(output[~finite])).all() or np.isnan(expected[~finite]).any()
    error = np.abs(expected - output)[finite].max(initial=0)
    assert error <= TOLERANCES[value.type.dtype] * np.abs(expected[finite]).max(initial=0)


def compare(row: OpDef, case: Case) -> None:
    graph, op, feed = graph_of(row, case)
    expected = Executable(graph).run(feed)
    for x, y, value in zip(expected.values(), litert(graph, feed), op.results, strict=True):
        agree(x, y, value)


@pytest.mark.parametrize(("row", "types"), TAKEN, ids=IDS)
def test_every_written_operator_equals_litert(row: OpDef, types: str) -> None:
    for case in cases_of(row, types):
        compare(row, case)


@pytest.mark.parametrize(("row", "case"), [line[1:] for line in VARIANTS], ids=[line[0] for line in VARIANTS])
def test_further_ranks_and_modes_equal_litert(row: OpDef, case: Case) -> None:
    compare(row, case)


EXTREMES = (-(2**31), -129, -128, -1, 0, 1, 2, 31, 62, 127, 2**30, 2**31 - 1)


FIRST = {row: types for row, types in reversed(TAKEN) if "fp" not in types}


@pytest.mark.parametrize(("row", "types"), FIRST.items(), ids=[row.name for row in FIRST])
def test_extreme_constants_are_illegal_or_go(row: OpDef, types: str) -> None:
    """The constants include values that no tool writes."""
    case = next(iter(cases_of(row, types)))
    graph, op, _ = graph_of(row, case)
    for value in (value for value in op.operands if value.constant is not None and value.type.dtype.is_integer):
        assert value.producer is not None
        elements = value.producer.attributes["values"]
        for extreme in (
            number for number in EXTREMES if value.type.dtype.limits[0] <= number <= value.type.dtype.limits[1]
        ):
            value.producer.attributes["values"] = np.full_like(elements, extreme)
            with contextlib.suppress(UnsupportedError, tc.VerifyError):
                tc.to_tflite(Model({"main": graph}))
        value.producer.attributes["values"] = elements


# ** there and back **

# By model, how many operators come back at most for each of its own.
RETURNED = {
    "digits_int8": 1.2,
    "digits_float32": 1.2,
    "small/detector.float32": 1.5,
    "small/detector.int8": 1.5,
    "small/detector.uint8_io": 1.5,
    "small/torch_mobilenet_v2_small.int8": 1.5,
    "small/torch_convnext_small.int8": 1.5,
    "small/detector.int16x8": 1.5,
    "small/torch_mobilenet_v2_small.int16x8": 1.1,
}
BACK = "import sys, tosa_converter as tc; tc.save(tc.to_tflite(sys.argv[1]), sys.argv[2])"


@pytest.mark.parametrize("name", RETURNED)
def test_a_model_comes_back_from_the_bytes_of_its_tosa(name: str, tmp_path: Path) -> None:
    pytest.importorskip("ai_edge_litert", reason="needs LiteRT")
    source = tc.load(MODELS / f"{name}.tflite")
    tc.save(tc.convert(source), tmp_path / "m.tosa")
    words = [sys.executable, "-c", BACK, str(tmp_path / "m.tosa"), str(tmp_path / "m.tflite")]
    subprocess.run(words, check=True, timeout=300)
    assert tc.verify(source, tmp_path / "m.tflite").verdict
    back = tc.load(tmp_path / "m.tflite")
    most = RETURNED[name]
    assert most is None or count_ops(back).total() <= most * count_ops(source).total()


def test_the_command_writes_tflite(tmp_path: Path) -> None:
    from tosa_converter.cli import main

    words = [str(MODELS / "digits_int8.tflite"), "-o", str(tmp_path / "back.tflite"), "--json"]
    with pytest.raises(SystemExit) as status:
        main.main(words)
    assert not status.value.code
    assert tc.load(tmp_path / "back.tflite").opset == "tfl"


@pytest.mark.parametrize("depthwise", [False, True])
def test_kernels_are_written_in_parts_whose_sums_fp32_holds(depthwise: bool) -> None:
    """One channel has 4900 products."""
    rng = np.random.default_rng(0)
    x, builder = Value(tc.TensorType(DType.I8, (1, 72, 71, 1)), "x"), Builder(Graph("main"))
    builder.graph.inputs = [x]
    kernel, bias = rng.integers(-127, 128, (70, 70, 1, 1)), builder.const([7], DType.I32)
    weight = builder.const(kernel if depthwise else kernel.reshape(1, 70, 70, 1), DType.I8)
    sums = apply(builder, conv2d, x, weight, bias, pad=(0, 0, 0, 0), input_zp=-128, depthwise=depthwise)
    model, feed = builder.model(y=sums), np.full((1, 72, 71, 1), 127, np.int8)
    np.testing.assert_array_equal(tc.run(model, {"x": feed})["y"], litert(model.main, [feed])[0])


# ** verified **


def test_a_written_file_is_compared_with_what_runs_its_source(tmp_path: Path) -> None:
    pytest.importorskip("ai_edge_litert", reason="needs LiteRT")
    pytest.importorskip("tosa_reference_model", reason="tosa-tools is not installed")
    source, written = MODELS / "signatures_int8.tflite", tmp_path / "back.tflite"
    tosa = tc.convert(source)
    tc.save(tc.to_tflite(tosa), written)
    for side in (source, tosa):
        done = tc.verify(side, written, runs=2)
        assert done.verdict
        assert [c.signature for c in done.comparisons] == ["classify", "encode", "mix"]
        assert {output.rule for c in done.comparisons for output in c.outputs} == {"equal"}
    done = tc.verify(tosa, written, against="litert,tosa-reference-model", signature="encode")
    assert [(c.reference, c.engine) for c in done.comparisons] == [
        ("executor", "litert"),
        ("tosa-reference-model", "litert"),
    ]


def test_a_written_file_that_computes_something_else_is_found(tmp_path: Path) -> None:
    pytest.importorskip("ai_edge_litert", reason="needs LiteRT")
    source = MODELS / "digits_int8.tflite"
    other = tc.to_tflite(tc.convert(source))
    (bias,) = [op.operands[2] for op in other.main.ops if op.name == "tfl.fully_connected"]
    assert bias.producer is not None
    bias.producer.attributes["values"] = bias.producer.attributes["values"] + 1000
    tc.save(other, tmp_path / "other.tflite")
    from tosa_converter.cli import main

    with pytest.raises(SystemExit) as status:
        main.main(["verify", str(source), str(tmp_path / "other.tflite")])
    assert status.value.code == 1
    (operators,) = tc.verify(source, other, layers=True).operators
    assert operators.guilty is not None
    assert operators.guilty.type == "tfl.fully_connected"
    with pytest.raises(tc.UsageError, match="expected a graph for each of the signatures"):
        tc.verify(MODELS / "signatures_int8.tflite", other)


# ** scales **


@pytest.mark.parametrize("channels", [3, 8, 64])
def test_scales_give_the_multipliers(channels: int) -> None:
    rng = np.random.default_rng(channels)
    input_scale, output_scale = (float(np.float32(rng.uniform(0.01, 0.1))) for _ in range(2))
    weights = rng.uniform(1e-4, 1e-2, channels).astype(np.float32)
    expected = quantize_multiplier(input_scale * weights.astype(np.float64) / output_scale)
    ranges = ratio_intervals(expected.m)
    assert ranges is not None
    share = np.ldexp(np.frexp(output_scale / input_scale)[0], -6)
    assert ((ranges[:, 0] <= share) & (share <= ranges[:, 1])).any()
    scales, rows = weight_scales(expected.m, expected.tosa_shift, np.array([input_scale]), np.array([output_scale]))
    assert rows.tolist() == [0]
    recomputed = quantize_multiplier(input_scale * scales[0].astype(np.float64) / output_scale)
    assert (recomputed.m == expected.m).all()
    assert (recomputed.shift == expected.shift).all()


@pytest.mark.parametrize("bounds", [(-128, 127), (-7, 127), (-90, 33)])
def test_layers_of_one_scale_come_back_with_their_bounds(bounds: tuple[int, int]) -> None:
    rng = np.random.default_rng(1)
    x, builder = Value(tc.TensorType(DType.I8, (1, 6, 6, 5)), "x"), Builder(Graph("main"))
    builder.graph.inputs = [x]
    weight, bias = builder.const(rng.integers(-127, 128, (4, 3, 3, 5)), DType.I8), builder.const([900], DType.I32)
    sums = apply(builder, conv2d, x, weight, bias, pad=(1, 1, 1, 1), input_zp=3)
    y = apply(builder, rescale, sums, DType.I8, [1300000001], [40], output_zp=-7, rounding_mode="DOUBLE_ROUND")
    sums = apply(
        builder, conv2d, apply(builder, clamp, y, *bounds), weight_of(builder, rng), bias, pad=(0, 2, 1, 0), input_zp=-7
    )
    z = apply(builder, rescale, sums, DType.I8, [1700000001], [39], output_zp=5, rounding_mode="DOUBLE_ROUND")
    model = builder.model(z=z)
    counts = count_ops(tc.to_tflite(model))
    assert counts["tfl.conv_2d"] == 2
    assert counts["tfl.cast"] == 0
    feed = tc.random_inputs(model, seed=1)
    np.testing.assert_array_equal(tc.run(model, feed)["z"], litert(model.main, list(feed.values()))[0])


def test_a_transposed_convolution_that_rounds_once_is_computed_in_parts() -> None:
    """LiteRT's TRANSPOSE_CONV rounds twice if a shift exceeds 31, so the operator can't become one."""
    rng = np.random.default_rng(5)
    x, builder = Value(tc.TensorType(DType.I8, (1, 3, 3, 2)), "x"), Builder(Graph("main"))
    builder.graph.inputs = [x]
    weight = builder.const(rng.integers(-127, 128, (2, 1, 1, 2)), DType.I8)
    sums = apply(
        builder,
        transpose_conv2d,
        x,
        weight,
        builder.const([70], DType.I32),
        out_pad=(0, 0, 0, 0),
        stride=(2, 2),
        input_zp=3,
    )
    y = apply(builder, rescale, sums, DType.I8, [1300000001], [37], output_zp=4, rounding_mode="SINGLE_ROUND")
    model = builder.model(y=y)
    back = tc.to_tflite(model)
    assert count_ops(back)["tfl.transpose_conv"] == 1
    assert back.main.inputs[0].type.dtype is DType.I8
    feed = tc.random_inputs(model, seed=1)
    np.testing.assert_array_equal(tc.run(model, feed)["y"], litert(model.main, list(feed.values()))[0])


FUNCTIONS = {
    B.QUANTIZE: "quantize",
    B.RELU: "relu",
    B.RELU6: "",  # whose bound differs with another scale
    B.LEAKY_RELU: "leaky_relu",
    B.LOGISTIC: "logistic",
    B.TANH: "tanh",
}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("builtin", FUNCTIONS)
def test_functions_of_a_layer_give_all_256_results(builtin: B, seed: int) -> None:
    """One CONV_2D, which states the zero point, is in front of the function and one behind."""
    rng = np.random.default_rng([seed, int(builtin)])
    fixed = {B.LOGISTIC: (1 / 256, -128), B.TANH: (1 / 128, 0)}
    scale, zero_point = fixed.get(builtin, (float(rng.uniform(0.01, 0.06)), int(rng.integers(-100, 60))))
    x, y = (
        Tensor((1, 16, 16, 1), "int8", scale=s, zero_point=z)
        for s, z in ((float(rng.uniform(0.01, 0.05)), int(rng.integers(-60, 60))), (scale, zero_point))
    )
    options = {"alpha": float(rng.uniform(0.01, 0.9))} if builtin is B.LEAKY_RELU else {}
    feed = np.arange(-128, 128).astype(np.int8).reshape(1, 16, 16, 1)
    entries = tc.run(tc.convert(TfliteCase(builtin, (x,), (y,), options).file()), {"t0": feed})["t1"]
    image, builder = Value(tc.TensorType(DType.I8, (1, 16, 16, 1)), "x"), Builder(Graph("main"))
    builder.graph.inputs = [image]

    def layer(operand: Value, input_zp: int, output_zp: int) -> Value:
        weight, bias = builder.const(np.ones((1, 1, 1, 1)), DType.I8), builder.const([0], DType.I32)
        sums = apply(builder, conv2d, operand, weight, bias, pad=(0, 0, 0, 0), input_zp=input_zp)
        return apply(
            builder, rescale, sums, DType.I8, [1 << 30], [30], output_zp=output_zp, rounding_mode="DOUBLE_ROUND"
        )

    looked_up = apply(builder, operators.table, layer(image, 0, x.zero_point), entries.reshape(-1))
    model = builder.model(y=layer(looked_up, zero_point, 0), z=looked_up)
    counts = count_ops(tc.to_tflite(model))
    assert counts[f"tfl.{FUNCTIONS[builtin]}"] == 1 or not FUNCTIONS[builtin]
    for a, b in zip(tc.run(model, {"x": feed}).values(), litert(model.main, [feed]), strict=True):
        np.testing.assert_array_equal(a, b)


PAIRS = {B.ADD: "add", B.SUB: "sub", B.MUL: "mul", B.SQUARED_DIFFERENCE: "squared_difference"}
SHORT = (B.ADD, B.SUB, B.MUL)  # LiteRT has no SQUARED_DIFFERENCE of 16 bits
SINGLE = {B.QUANTIZE: "quantize", B.RELU: "relu", B.LEAKY_RELU: "leaky_relu", B.MEAN: "mean", B.SOFTMAX: "softmax"}


def comes_back_alone(case: TfliteCase, name: str) -> None:
    """Asserts that one operator comes back as itself, with LiteRT's results for the source."""
    pytest.importorskip("ai_edge_litert", reason="needs LiteRT")
    source = tc.load(case.file())
    model = tc.convert(source)
    counts = count_ops(tc.to_tflite(model))
    assert counts[f"tfl.{name}"] == 1
    assert counts.total() - counts["tfl.reshape"] == 1
    feed = tc.random_inputs(source, seed=1)
    expected = list(LITERT.run(source, feed).values())
    np.testing.assert_array_equal(expected[0], litert(model.main, list(feed.values()))[0])


def drawn(rng: np.random.Generator, dtype: str, shape: Sequence[int], low: float = 0.01) -> Tensor:
    zero_point = int(rng.integers(-100, 100)) if dtype == "int8" else 0
    return Tensor(shape, dtype, scale=float(np.float32(rng.uniform(low, 5 * low))), zero_point=zero_point)


@pytest.mark.parametrize("constant", [False, True])
@pytest.mark.parametrize(("builtin", "dtype"), [*((b, "int8") for b in PAIRS), *((b, "int16") for b in SHORT)])
def test_arithmetic_comes_back_as_itself(builtin: B, dtype: str, constant: bool) -> None:
    for seed in range(3):
        rng = np.random.default_rng([seed, int(builtin)])
        x, y = drawn(rng, dtype, (2, 16, 16, 3)), drawn(rng, dtype, (16, 1))
        z = drawn(rng, dtype, x.shape, 0.05)
        if constant and builtin in (B.ADD, B.SUB):
            most = np.iinfo(dtype).max
            y.data = rng.integers(-most, most + 1, y.shape).astype(dtype)
            y.data[0], y.zero_point = most, 0
        elif constant:
            y = Tensor(x.shape[1:], dtype, scale=x.scale, zero_point=x.zero_point)
        comes_back_alone(TfliteCase(builtin, (x, y) if seed else (y, x), (z,), {}), PAIRS[builtin])


@pytest.mark.parametrize("seed", range(3))
def test_products_of_matrices_come_back_as_themselves(seed: int) -> None:
    """Either operand and the result have a zero point."""
    rng = np.random.default_rng(seed)
    x, y, z = (
        drawn(rng, "int8", shape, low) for shape, low in (((2, 5, 7), 0.01), ((2, 7, 3), 0.01), ((2, 5, 3), 0.05))
    )
    comes_back_alone(TfliteCase(B.BATCH_MATMUL, (x, y), (z,), {}), "batch_matmul")


@pytest.mark.parametrize("builtin", SINGLE)
def test_functions_of_16_bits_come_back_as_themselves(builtin: B) -> None:
    for seed in range(3):
        rng = np.random.default_rng([seed, int(builtin)])
        x, y = drawn(rng, "int16", (1, 64, 16)), drawn(rng, "int16", (1, 64, 16))
        operands: tuple[Tensor, ...] = (x,)
        options: dict[str, float | bool] = {}
        if builtin is B.LEAKY_RELU:
            options = {"alpha": float(rng.uniform(0.01, 0.9))}
        if builtin is B.MEAN:
            operands, y.shape = (x, Tensor((1,), "int32", np.array([1], np.int32))), (1, 1, 16)
            options = {"keep_dims": True}
        if builtin is B.SOFTMAX:
            y.scale, options = 1 / 32768, {"beta": 1.0}
        comes_back_alone(TfliteCase(builtin, operands, (y,), options), SINGLE[builtin])


@pytest.mark.parametrize("builtin", [B.CONV_2D, B.DEPTHWISE_CONV_2D, B.TRANSPOSE_CONV, B.FULLY_CONNECTED])
def test_layers_of_16_bits_come_back_as_themselves(builtin: B) -> None:
    """Weights have a scale per channel, and the bias has 64 bits."""
    rng = np.random.default_rng(int(builtin))
    axis, shape = {B.DEPTHWISE_CONV_2D: (3, (1, 3, 3, 8)), B.FULLY_CONNECTED: (0, (8, 8))}.get(
        builtin, (0, (8, 3, 3, 8))
    )
    x = drawn(rng, "int16", (5, 8) if builtin is B.FULLY_CONNECTED else (1, 6, 6, 8), 1e-4)
    y = drawn(rng, "int16", (5, 8) if builtin is B.FULLY_CONNECTED else (1, 6, 6, 8), 2e-4)
    scales = rng.uniform(1e-3, 4e-3, 8).astype(np.float32)
    kernel = rng.integers(-127, 128, shape).astype(np.int8)
    weight = Tensor(shape, "int8", kernel, scale=scales, zero_point=np.zeros(8, int), axis=axis)
    added = rng.integers(-(1 << 20), 1 << 20, 8)
    bias = Tensor((8,), "int64", added, scale=np.float32(x.scale) * scales, zero_point=np.zeros(8, int))
    strides = {"stride_h": 1, "stride_w": 1}
    if builtin is B.TRANSPOSE_CONV:
        size = Tensor((4,), "int32", np.array(y.shape, np.int32))
        case = TfliteCase(builtin, (size, weight, x, bias), (y,), strides)
    elif builtin is B.FULLY_CONNECTED:
        case = TfliteCase(builtin, (x, weight, bias), (y,), {})
    else:
        more = {"depth_multiplier": 1} if builtin is B.DEPTHWISE_CONV_2D else {}
        dilation = {"dilation_h_factor": 1, "dilation_w_factor": 1}
        case = TfliteCase(builtin, (x, weight, bias), (y,), strides | dilation | more)
    comes_back_alone(case, builtin.name.lower())


def weight_of(builder: Builder, rng: np.random.Generator) -> Value:
    return builder.const(rng.integers(-127, 128, (6, 3, 2, 4)), DType.I8)


def test_multipliers_without_scales_become_arithmetic() -> None:
    """No floats give these 31-bit multipliers in all channels; the result is still exact."""
    rng = np.random.default_rng(0)
    x, builder = Value(tc.TensorType(DType.I8, (1, 6, 6, 5)), "x"), Builder(Graph("main"))
    builder.graph.inputs = [x]
    weight = builder.const(rng.integers(-127, 128, (40, 3, 3, 5)), DType.I8)
    bias = builder.const(rng.integers(-900, 900, 40), DType.I32)
    sums = apply(builder, conv2d, x, weight, bias, pad=(1, 1, 1, 1), input_zp=3)
    m = rng.integers(1 << 30, 1 << 31, 40)
    y = apply(builder, rescale, sums, DType.I8, m, np.full(40, 40), output_zp=-7, rounding_mode="DOUBLE_ROUND")
    model = builder.model(y=y)
    assert "tfl.bitcast" in count_ops(tc.to_tflite(model))
    feed = tc.random_inputs(model, seed=1)
    np.testing.assert_array_equal(tc.run(model, feed)["y"], litert(model.main, list(feed.values()))[0])


# ** control flow and variables **


def test_control_flow_becomes_graphs_of_the_model() -> None:
    x = Value(tc.TensorType(DType.I32, (1,)), "x")
    with Builder(Graph("main", [x])) as builder:
        (y,) = while_loop(
            [Expr(x)],
            lambda values: (values[0] < 100).reshape((1, 1)),
            lambda values: [values[0] + (values[0] + 1)],
        )
        (z,) = cond_if(y < 120, lambda: [y + 1], lambda: [y - 100])
    model = builder.model(y=y.value, z=z.value)
    for number in (0, 3, 99, 500):
        feed = [np.array([number], np.int32)]
        for a, b in zip(Executable(model.main).run(feed).values(), litert(model.main, feed), strict=True):
            np.testing.assert_array_equal(a, b)


def test_variables_last_from_run_to_run() -> None:
    pytest.importorskip("ai_edge_litert", reason="needs LiteRT")
    x, type = Value(tc.TensorType(DType.FP32, (3,)), "x"), tc.TensorType(DType.FP32, (3,))
    declared = {"name": "sum", "var_shape": (3,), "type": DType.FP32, "initial_value": np.array([1, 2, 3], np.float32)}
    read = tc.Op(ops.VARIABLE_READ, (), [type], {"name": "sum"})
    total = tc.Op(ops.ADD, [read.result, x], [type], result_names=["y"])
    write = tc.Op(ops.VARIABLE_WRITE, [total.result], (), {"name": "sum"})
    graph = Graph("main", [x], total.results, [tc.Op(ops.VARIABLE, (), (), declared), read, total, write])
    model, steps = Model({"main": graph}), [{"x": np.array([i, 1, 0.5], np.float32)} for i in range(4)]
    expected, outputs = tc.run_steps(model, steps), tc.run_steps(tc.to_tflite(model), steps, engine="litert")
    for a, b in zip(expected, outputs, strict=True):
        np.testing.assert_array_equal(a["y"], b["y"])
    (comparison,) = tc.verify(model, tc.to_tflite(model)).comparisons
    assert comparison.verdict
    assert comparison.steps == 10


# ** what there is and what there isn't **


def test_every_operator_has_a_rule_or_is_refused() -> None:
    step = legalization_pass(PASSES)
    roots = {rule.root for rule in step.rules}
    missing = {row for row in ops.OPERATORS if row.opcode not in roots and row not in ops.CONSTANTS}
    assert missing == {ops.CUSTOM, *(row for row in ops.OPERATORS if row.since > VERSION)}
    assert {row.opcode for row in missing} <= set(xnn_ops.REFUSALS)


def test_the_page_lists_what_every_operator_becomes() -> None:
    """`python -m longer.tflite_out` writes the page."""
    assert "\n".join(table()) in (ROOT / "docs" / "results" / "tflite-out.md").read_text()


def test_all_unsupported_operators_are_refused_at_once() -> None:
    x, builder = Value(tc.TensorType(DType.FP8E4M3, (2, 3)), "x"), Builder(Graph("main"))
    builder.graph.inputs = [x]
    y, z = builder.cast(x, DType.FP16), apply(builder, Expr.reverse, x, 0)
    with pytest.raises(UnsupportedError, match="fp8e4m3") as refused:
        tc.to_tflite(builder.model(y=y, z=z))
    assert "2 operators" in str(refused.value)
    assert "1 REVERSE: operand 0: expected bool or" in str(refused.value)


def test_a_source_has_to_be_converted_first() -> None:
    with pytest.raises(tc.UsageError, match="expected a model of TOSA operators"):
        tc.to_tflite(MODELS / "digits_int8.tflite")


def test_a_graph_without_operators_is_written(tmp_path: Path) -> None:
    """Only the target format decides the opset; an XNNGraph can't be empty."""
    empty = Model({"main": Graph("main")})
    tc.save(tc.to_tflite(empty), tmp_path / "empty.tflite")
    assert not tc.load(tmp_path / "empty.tflite").main.ops
    with pytest.raises(UnsupportedError, match="at least one output"):
        tc.save(tc.to_xnn(empty), tmp_path / "empty.xnn")


@pytest.mark.parametrize("rows", [1, 5])
def test_a_layer_of_floats_and_bytes_comes_back_as_one(rows: int) -> None:
    """It is also a convolution, but doesn't become one."""
    rng = np.random.default_rng(0)
    weight = Tensor((6, 32), "int8", rng.integers(-127, 128, (6, 32)).astype(np.int8), scale=0.02)
    case = TfliteCase(B.FULLY_CONNECTED, (Tensor((rows, 32)), weight, None), (Tensor((rows, 6)),))
    counts = count_ops(tc.to_tflite(tc.convert(case.file())))
    assert counts["tfl.fully_connected"] == 1
    assert counts.total() - counts["tfl.reshape"] == 1


def names_of(model: Model) -> list[str]:
    """Returns the names of a model's operators, without constants."""
    return [op.base_name for op in model.main if "const" not in op.name]


def softmax_and_floats(factor: float) -> Model:
    """Returns TOSA of SOFTMAX and DEQUANTIZE of the same bytes, on `factor` times the scale of SOFTMAX."""
    x = Tensor((2, 10), "int8", scale=0.125, zero_point=-7)
    tensors = [x, replace(x, scale=1 / 256, zero_point=-128), Tensor((2, 10), "float32")]
    operators = [Operator(B.SOFTMAX, (0,), (1,), {"beta": 1.0}), Operator(B.DEQUANTIZE, (0,), (2,))]
    model = tc.convert(parse(build(tensors, operators, (0,), (1, 2))))
    product = next(op for op in model.main if op.row is ops.MUL and op.result.type.dtype is DType.FP32)
    constant = product.operands[1].producer
    assert constant is not None
    constant.attributes["values"] = constant.attributes["values"] * np.float32(factor)
    return model


@pytest.mark.parametrize(("factor", "names"), [(1, "softmax dequantize"), (2, "softmax reshape dequantize")])
def test_a_tensor_with_two_scales_is_read_through_a_reshape(factor: float, names: str) -> None:
    model = softmax_and_floats(factor)
    model.borders.clear()
    assert names_of(tc.to_tflite(model)) == names.split()
    feed = [np.random.default_rng(0).integers(-128, 128, (2, 10)).astype(np.int8)]
    results = zip(Executable(model.main).run(feed).values(), litert(model.main, feed), model.main.outputs, strict=True)
    for expected, result, output in results:
        agree(expected, result, output)


def test_the_trace_says_which_rule_found_a_quantized_operator() -> None:
    """A quantized operator is searched once, however often its scales are solved."""
    trace: list[Attempts] = []
    QuantizedOperators().run(softmax_and_floats(1), Options(trace=trace), Report())
    accepted = [attempts.accepted for attempts in trace if attempts.accepted]
    assert accepted == ["tflite.stated_scales.softmax_of_bytes", "tflite.stated_scales.dequantize"]
    declined = dict(pair for attempts in trace for pair in attempts.declined)
    assert declined["tflite.stated_scales.quantize"].startswith("expected ADD(CAST(CLAMP(")


def test_an_activation_behind_a_reshape_is_fused() -> None:
    x, y = Tensor((2, 6)), Tensor((3, 4))
    operators = [Operator(B.ADD, (0, 1), (2,)), Operator(B.RESHAPE, (2, 3), (4,)), Operator(B.RELU, (4,), (5,))]
    tensors = [x, x, x, Tensor((2,), "int32", np.array([3, 4], np.int32)), y, y]
    model = tc.convert(parse(build(tensors, operators, (0, 1), (5,))))
    back = tc.to_tflite(model)
    assert names_of(back) == ["add", "reshape"]
    added = next(op for op in back.main if op.base_name == "add")
    assert added.attributes["fused_activation_function"] == ActivationFunctionType.RELU
    feed = [np.random.default_rng(i).normal(size=(2, 6)).astype(np.float32) for i in range(2)]
    (expected,), (result,) = Executable(model.main).run(feed).values(), litert(model.main, feed)
    agree(expected, result, model.main.outputs[0])


def two_scales() -> tuple[ScaleSolver, Value, Value]:
    solver = ScaleSolver()
    x, y = (Value(TensorType(DType.I8, (2,)), name) for name in "xy")
    return solver, x, y


def test_a_trial_is_of_the_first_candidates() -> None:
    """Only these candidates are kept."""
    solver, x, y = two_scales()
    solver.set_candidates(x, np.array([0.5, 0.25]))
    solver.set_candidates(y, np.array([2.0, 3.0]))
    assert not solver.restrict_to_one_pair(x, y, lambda a, b: (a, b) == (0.25, 2.0))
    assert not solver.restrict_to_one_pair(x, y, lambda a, b: (a, b) == (0.5, 3.0))
    assert solver.restrict_to_one_pair(x, y, lambda a, b: (a, b) == (0.5, 2.0))
    assert (solver.chosen_scale(x), solver.chosen_scale(y)) == (0.5, 2.0)


@pytest.mark.parametrize("stated", ["", "x", "y", "xy"])
def test_a_scale_that_is_stated_does_not_move(stated: str) -> None:
    """The other scale moves, the first one if none is stated: 8 * 0.75 / 0.5 is nearest to 2**4."""
    solver, x, y = two_scales()
    for value, scale in ((x, 0.5), (y, 0.75)):
        solver.set_candidates(value, np.array([scale]), stated=value.name in stated)
    assert solver.align_powers(x, y, 8.0) == (stated != "xy")
    moved = {"": (8.0, 0.75), "x": (0.5, 0.75 / 16), "y": (8.0, 0.75), "xy": (0.5, 0.75)}
    assert (solver.chosen_scale(x), solver.chosen_scale(y)) == moved[stated]


@pytest.mark.parametrize("most", [1, 2, 5, 9])
def test_a_guess_follows_a_chain_up_to_its_limit(most: int) -> None:
    graph = Graph("main", [Value(TensorType(DType.FP32, (2,)), "x")])
    with Builder(graph):
        y = Expr(graph.inputs[0])
        for _ in range(7):
            y = abs(-y)
    root = y.value.producer
    assert root is not None
    upstream = upstream_operators(root, most)
    assert [op.name for op in upstream] == ["tosa.abs", "tosa.negate"] * (most // 2) + ["tosa.abs"] * (most % 2)
