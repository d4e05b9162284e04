"""Elements that LiteRT leaves undefined are noted, computed by their definition, and counted apart; others aren't."""

import itertools
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from support.commands import command
from support.legalizing import compared, executed, notes, reference_model
from support.quantized_models import Draw, constant, converted, every_pair, every_value, model, origin, plain, quantized
from support.tflite_models import Operator, Tensor, build, run_litert

import tosa_converter as tc
from tosa_converter.engines import ENGINES
from tosa_converter.engines.litert import LiteRT
from tosa_converter.ir import Array, Model, Op
from tosa_converter.legalize.tflite.undefined import undefined_elements
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tflite import BuiltinOperator as B

pytest.importorskip("ai_edge_litert.interpreter", reason="LiteRT is not installed")
TYPES = ("int8", "uint8")


def quotients(dtype: str) -> tuple[list[Tensor], list[Operator], list[Array]]:
    """Returns all pairs in one DIV, without the divisor 0, which the kernel refuses."""
    x, y = every_pair(dtype)
    y = np.where(y == origin(dtype), origin(dtype) + 1, y).astype(dtype)
    quant: dict[str, Any] = {"scale": 0.05, "zero_point": origin(dtype)}
    tensors = [Tensor(x.shape, dtype, **quant), Tensor(x.shape, dtype, **quant), Tensor(x.shape, dtype, **quant)]
    return tensors, [Operator(B.DIV, (0, 1), (2,), version=2)], [x, y]


@pytest.mark.parametrize("dtype", TYPES)
def test_quotients_are_noted_and_counted_apart(dtype: str, tmp_path: Path) -> None:
    """DIV is alone, or in front of RESHAPE, TANH and DEQUANTIZE, whose results differ only by DIV."""
    tensors, operators, arrays = quotients(dtype)
    data = build(tensors, operators, (0, 1), (2,))
    assert ["undefined in C" in text for text in notes(data)] == [True]
    (want,), (got,) = run_litert(data, arrays), executed(converted(data), [array.view(np.int8) for array in arrays])
    (output,) = compared(tmp_path / "one.tflite", data, arrays)
    assert output.verdict
    assert output.mismatches == 0
    assert output.undefined == np.count_nonzero(got.view(want.dtype) != want) > 0
    zero = origin(dtype)
    tensors += [
        Tensor((65536,), dtype, scale=0.05, zero_point=zero),
        Tensor((1,), "int32", np.array([65536], np.int32)),
        Tensor((65536,), dtype, scale=1 / 128, zero_point=zero),
        Tensor((65536,)),
    ]
    operators += [
        Operator(B.RESHAPE, (2, 4), (3,)),
        Operator(B.TANH, (3,), (5,), version=2),
        Operator(B.DEQUANTIZE, (5,), (6,), version=2),
    ]
    outputs = compared(tmp_path / "chain.tflite", build(tensors, operators, (0, 1), (6, 2)), arrays)
    assert [(output.verdict, output.undefined > 0, output.mismatches) for output in outputs] == [(True, True, 0)] * 2
    source = tc.load(tmp_path / "chain.tflite")
    layers = tc.compare_layers(
        source, tc.convert(source), inputs=dict(zip([value.name for value in source.main.inputs], arrays, strict=True))
    )
    assert (layers.verdict, layers.parted is not None) == (True, True)
    left_out = [0 if row.alone is None else row.alone.undefined for row in layers.operators]
    assert left_out == [output.undefined, 0, 0, 0]


def test_the_command_reports_undefined_elements(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The report names the operator; `verify` succeeds and counts undefined elements, in JSON too."""
    quant: dict[str, Any] = {"scale": 0.05, "zero_point": 0}
    divisor = Tensor((8,), "int8", np.array([1, -1, 100, -100, 127, -128, 2, 3], np.int8), **quant)
    tensors = [Tensor((999, 8), "int8", **quant), divisor, Tensor((999, 8), "int8", **quant)]
    path = tmp_path / "m.tflite"
    path.write_bytes(build(tensors, [Operator(B.DIV, (0, 1), (2,), version=2)], (0,), (2,)))
    assert command(path, "-o", tmp_path / "m.tosa") == 0
    assert "DIV 't2': for 260 of 65536 pairs" in capsys.readouterr().out
    assert command("verify", path) == 0
    text = capsys.readouterr().out
    assert "  0 of 7,992  " in text
    assert "more differ where LiteRT's result is undefined" in text
    assert command("verify", path, "--json") == 0
    (output,) = json.loads(capsys.readouterr().out)["comparisons"][0]["outputs"]
    assert output["undefined"] > 0


def test_the_quotient_is_the_true_one() -> None:
    """Every element is rounded to the nearest on the scale of 0.05."""
    tensors, operators, arrays = quotients("int8")
    (got,) = executed(converted(build(tensors, operators, (0, 1), (2,))), arrays)
    real = np.clip(arrays[0] / arrays[1].astype(float) / 0.05, -128, 127)
    assert np.abs(got - real).max() <= 0.5 + 1e-6


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("behind", [False, True], ids=["alone", "behind"])
def test_a_wrong_quotient_is_a_difference(behind: bool, dtype: str, tmp_path: Path) -> None:
    """One defined entry of the table is off by 2: the undefined ones excuse nothing."""
    tensors, operators, arrays = quotients(dtype)
    if behind:
        tensors.append(Tensor((256, 256), dtype, scale=0.05, zero_point=origin(dtype)))
        operators.append(Operator(B.RELU_N1_TO_1, (2,), (3,), version=1))

    def change(ours: Model) -> None:
        table = next(op for op in ours.main.ops if op.attributes.get("values", np.zeros(0)).size == 65536)
        values = table.attributes["values"].copy()
        values[0, 130 * 256 + 148] ^= 2  # 2 / 20 is 2 on the scale of 0.05
        table.attributes["values"] = values

    outputs = compared(tmp_path / "m.tflite", build(tensors, operators, (0, 1), (len(tensors) - 1,)), arrays, change)
    assert [(output.verdict, output.mismatches) for output in outputs] == [(False, 1)]
    assert outputs[0].undefined > 0


def test_nothing_is_excused_without_undefined_elements(tmp_path: Path) -> None:
    """A wrong ADD is a difference."""
    x, y = every_pair()
    data, arrays = model(B.ADD, [quantized(x, 0.1), quantized(y, 0.1)], quantized(x.shape, 0.2), version=2)

    def change(ours: Model) -> None:
        *_, last = (op for op in ours.main.ops if op.name == "tosa.rescale")
        multiplier = last.operands[1].producer
        assert multiplier is not None
        multiplier.attributes["values"] = multiplier.attributes["values"] ^ (1 << 22)

    (output,) = compared(tmp_path / "m.tflite", data, arrays, change)
    assert (output.verdict, output.undefined) == (False, 0)


# ** tables that hang on the machine's C library **

FUNCTIONS: dict[B, tuple[Callable[[Array], Array], float, int]] = {
    B.TANH: (np.tanh, 1 / 128, 0),
    B.LOGISTIC: (lambda x: 1 / (1 + np.exp(-x)), 1 / 256, -128),
}


def hanging(builtin: B) -> tuple[float, Array]:
    """Returns a scale at which the function comes within a float's last bits of a tie, and the position."""
    function, to, _ = FUNCTIONS[builtin]
    for scale in np.float32(0.01) + np.arange(40_000, dtype=np.float32) * np.float32(1e-6):
        level = function(scale.astype(float) * np.arange(-128, 128)) / to
        near = np.abs(np.abs(level - np.trunc(level)) - 0.5) < np.abs(level) * 2.0**-24
        if near.any():
            return float(scale), near
    raise AssertionError("no such scale")


@pytest.mark.parametrize("builtin", FUNCTIONS, ids=lambda op: op.name)
def test_entries_that_depend_on_libm_are_noted(builtin: B, tmp_path: Path) -> None:
    """Entries are rounded correctly; the verdict is the same for any result of LiteRT."""
    scale, near = hanging(builtin)
    _, to, zero = FUNCTIONS[builtin]
    data, arrays = model(builtin, [quantized(every_value(), scale)], quantized((1, 256), to, zero), version=2)
    assert any("the machine's C library" in text for text in notes(data))
    (output,) = compared(tmp_path / "m.tflite", data, arrays)
    assert output.verdict
    assert output.undefined <= np.count_nonzero(near) < 3


def test_overflowing_table_entries_are_undefined(tmp_path: Path) -> None:
    """EXP of 25 on a scale of 0.01 exceeds 32 bits: ours is the highest value, x86 gives the lowest."""
    data, arrays = model(B.EXP, [quantized(every_value(), 0.2)], quantized((1, 256), 0.01, 5), version=2)
    (got,) = executed(converted(data), arrays)
    assert (np.diff(np.roll(got[0], 128).astype(int)) >= 0).all()
    assert any("overflow in LiteRT" in text for text in notes(data))
    (output,) = compared(tmp_path / "m.tflite", data, arrays)
    assert output.verdict


def test_resize_behind_the_image_is_undefined(tmp_path: Path) -> None:
    """5 rows become 1,900: the rounded step passes the last one."""
    x = Draw(0).stored((1, 5, 3, 2))
    operands = [quantized(x, 0.1), constant([1900, 3])]
    data, arrays = model(B.RESIZE_BILINEAR, operands, quantized((1, 1900, 3, 2), 0.1), version=3)
    assert any("past the image" in text for text in notes(data))
    (got,) = executed(converted(data), arrays)
    np.testing.assert_array_equal(got[0, -1], x[0, -1])
    (output,) = compared(tmp_path / "m.tflite", data, arrays)
    assert output.verdict


# ** comparisons **

COMPARED: list[tuple[B, str, tuple[float, float]]] = [
    *((builtin, dtype, (2.0, 0.5)) for builtin in (B.EQUAL, B.NOT_EQUAL, B.LESS, B.GREATER_EQUAL) for dtype in TYPES),
    *((builtin, dtype, (0.5, 1.5)) for builtin in (B.EQUAL, B.NOT_EQUAL) for dtype in ("int8", "int16")),
]


@pytest.mark.parametrize(("builtin", "dtype", "scales"), COMPARED)
def test_comparisons_on_scales_above_1_are_undefined(
    builtin: B, dtype: str, scales: tuple[float, float], tmp_path: Path
) -> None:
    """On scales above 1, LiteRT shifts by a negative number. Ours compares the reals, alone and in front of CAST."""
    x, y = (array.astype(dtype) for array in every_pair("uint8" if dtype == "uint8" else "int8"))
    a, b = scales
    tensors = [
        Tensor(x.shape, dtype, scale=a),
        Tensor(x.shape, dtype, scale=b),
        Tensor(x.shape, "bool"),
        Tensor(x.shape),
    ]
    operators = [Operator(builtin, (0, 1), (2,)), Operator(B.CAST, (2,), (3,))]
    data = build(tensors, operators, (0, 1), (2, 3))
    assert any("undefined" in text for text in notes(data))
    got, _ = executed(converted(data), [array.view(np.int8) if dtype == "uint8" else array for array in (x, y)])
    left, right = x.astype(float) * a, y.astype(float) * b
    functions = {B.EQUAL: np.equal, B.NOT_EQUAL: np.not_equal, B.LESS: np.less, B.GREATER_EQUAL: np.greater_equal}
    np.testing.assert_array_equal(got, functions[builtin](left, right))
    outputs = compared(tmp_path / "m.tflite", data, [x, y])
    assert [(output.verdict, output.mismatches) for output in outputs] == [(True, 0)] * 2
    assert outputs[0].undefined == outputs[1].undefined


def test_not_equal_of_plain_int16_is_undefined(tmp_path: Path) -> None:
    """LiteRT's kernel writes nothing for int16 without scales."""
    x, y = (array.astype(np.int16) for array in every_pair())
    data, arrays = model(B.NOT_EQUAL, [plain(x, "int16"), plain(y, "int16")], plain(x.shape, "bool"))
    assert any("writes no result" in text for text in notes(data))
    np.testing.assert_array_equal(executed(converted(data), arrays)[0], x != y)
    (output,) = compared(tmp_path / "m.tflite", data, arrays)
    assert (output.verdict, output.mismatches) == (True, 0)


def test_comparisons_on_scales_below_1_are_judged(tmp_path: Path) -> None:
    """Changed elements of a constant are differences, and none is undefined."""
    x, y = every_pair()
    tensors = [Tensor(x.shape, "int8", scale=0.5), Tensor(x.shape, "int8", y, scale=0.7), Tensor(x.shape, "bool")]

    def change(ours: Model) -> None:
        constant = next(op for op in ours.main.ops if op.attributes.get("values", np.zeros(0)).size == 65536)
        constant.attributes["values"] = constant.attributes["values"] + 1

    data = build(tensors, [Operator(B.LESS, (0, 1), (2,))], (0,), (2,))
    (output,) = compared(tmp_path / "m.tflite", data, [x], change)
    assert not output.verdict
    assert output.undefined == 0


# ** floats that no 32 bits hold **

LARGE = (3e38, -3e38, 1e30, -1e30, 2.0**31, -(2.0**31))
ODD = np.array([np.nan, -np.nan, np.inf, -np.inf, *LARGE, 0.3, -0.3, 0, 1e-45], np.float32)


@pytest.mark.parametrize("numerics", ["reference", "compact"])
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("scale", [0.05, 1.0, 1e-9, 1e9])
def test_quantize_takes_any_float(scale: float, dtype: str, numerics: str, tmp_path: Path) -> None:
    """The graph is predictable; elements equal LiteRT's where C defines them, else are lowest or saturated."""
    data, _ = model(B.QUANTIZE, [plain(ODD)], quantized(ODD.shape, scale, 7 + origin(dtype), dtype))
    ours = converted(data, numerics=numerics)
    with np.errstate(over="ignore", invalid="ignore"):
        level = np.nan_to_num(np.rint(ODD.astype(float) / scale), nan=-np.inf) + 7
    want = np.clip(level, -128, 127).astype(np.int8) ^ np.int8(-128 if dtype == "uint8" else 0)
    for (got,) in (executed(ours, [ODD]), reference_model(ours, [ODD])):
        np.testing.assert_array_equal(got, want)
    (output,) = compared(tmp_path / "m.tflite", data, [ODD])
    assert output.verdict
    assert output.undefined <= np.count_nonzero(~(np.abs(level) < 2.0**31 - 8))


def test_quantize_is_noted_once() -> None:
    """The number of inputs doesn't matter."""
    quant: dict[str, Any] = {"scale": 0.1, "zero_point": 0}
    tensors = [Tensor((4,)), Tensor((4,)), Tensor((4,), "int8", **quant), Tensor((4,), "int8", **quant)]
    data = build(tensors, [Operator(B.QUANTIZE, (0,), (2,)), Operator(B.QUANTIZE, (1,), (3,))], (0, 1), (2, 3))
    assert len([text for text in notes(data) if "NaN" in text]) == 1


@pytest.mark.parametrize(
    ("source", "result"),
    [("int16", "int16"), ("int8", "int16"), ("uint8", "int16"), ("float32", "int16"), ("int16", "int8")],
)
def test_quantize_beyond_32_bits_is_counted_apart_in_a_network(source: str, result: str, tmp_path: Path) -> None:
    """The noted elements are counted apart, also behind another operator; a fault elsewhere is a difference."""
    x = np.arange(-128, 128) if source == "int8" else np.arange(256) if source == "uint8" else np.arange(-3000, 3000, 7)
    scale = None if source == "float32" else 1.0
    tensors = [
        Tensor(x.shape, source, scale=scale),
        *[Tensor(x.shape, result, scale=1e-9) for _ in range(2)],
    ]
    data = build(tensors, [Operator(B.QUANTIZE, (0,), (1,)), Operator(B.MAXIMUM, (1, 1), (2,))], (0,), (2,))
    (output,) = compared(tmp_path / "m.tflite", data, [x.astype(source)])
    assert output.verdict
    assert output.undefined > 0
    assert len(notes(data)) == 1

    def change(ours: Model) -> None:
        op = next(op for op in ours.main.ops if op.location.startswith("main:1 ") and len(op.operands) == 2)
        dtype = op.operands[1].type.dtype
        zeros = Op(ops.CONST, (), [op.operands[1].type], {"values": np.zeros(op.operands[1].type.static, dtype.numpy)})
        ours.main.ops.insert(ours.main.ops.index(op), zeros)
        op.inputs = (op.inputs[0], zeros.result)

    (output,) = compared(tmp_path / "m.tflite", data, [x.astype(source)], change)
    assert not output.verdict


@pytest.mark.parametrize(
    ("builtin", "options"),
    [(B.RELU, {}), (B.RELU6, {}), (B.ABS, {}), (B.LEAKY_RELU, {"alpha": 0.3}), (B.MUL, {}), (B.SUB, {})],
)
def test_products_beyond_32_bits_are_undefined(builtin: B, options: dict[str, Any], tmp_path: Path) -> None:
    operands = 2 if builtin in (B.MUL, B.SUB) else 1
    rng = np.random.default_rng(0)
    arrays = [rng.integers(-(1 << 15), 1 << 15, 400).astype(np.int16) for _ in range(operands)]
    tensors = [*[Tensor((400,), "int16", scale=1.0)] * operands, Tensor((400,), "int16", scale=1e-7)]
    data = build(tensors, [Operator(builtin, range(operands), [operands], options)], range(operands), [operands])
    (output,) = compared(tmp_path / "m.tflite", data, arrays)
    assert output.verdict
    assert output.undefined > 0


def test_undefined_quotients_are_counted_in_a_model_of_pieces(tmp_path: Path) -> None:
    """SUM of int8 has other kernels, so LiteRT runs three pieces; DIV reads the model's input in the first."""
    tensors, operators, arrays = quotients("int8")
    tensors += [
        Tensor((1,), "int32", np.array([1], np.int32)),
        Tensor((256,), "int8", scale=2.0),
        Tensor((256,), "int8", scale=2.0),
    ]
    operators += [Operator(B.SUM, (0, 3), (4,), version=2), Operator(B.MAXIMUM, (4, 4), (5,))]
    data = build(tensors, operators, (0, 1), (2, 5))
    alone, summed = compared(tmp_path / "m.tflite", data, arrays)
    assert (alone.verdict, alone.mismatches, alone.undefined > 0) == (True, 0, True)
    assert (summed.verdict, summed.mismatches, summed.undefined) == (True, 0, 0)


# ** sums beyond 32 bits **


class Layer(NamedTuple):
    """An operator on [1,9,8,4], the shape of its weights with the axis of channels, and the shape of its result."""

    builtin: B
    weights: tuple[int, ...]
    axis: int
    result: tuple[int, ...]
    options: dict[str, Any]


VALID = {"padding": 1, "stride_h": 2, "stride_w": 1, "dilation_h_factor": 1, "dilation_w_factor": 2}
SAME = {"padding": 0, "stride_h": 1, "stride_w": 3}
SUMS = {
    "conv": Layer(B.CONV_2D, (4, 3, 2, 4), 0, (1, 4, 6, 4), VALID),
    "padded": Layer(B.CONV_2D, (4, 2, 4, 4), 0, (1, 9, 3, 4), SAME),
    "grouped": Layer(B.CONV_2D, (4, 3, 2, 2), 0, (1, 4, 6, 4), VALID),
    "depthwise": Layer(B.DEPTHWISE_CONV_2D, (1, 3, 2, 8), 3, (1, 4, 6, 8), {**VALID, "depth_multiplier": 2}),
    "layer": Layer(B.FULLY_CONNECTED, (4, 4), 0, (72, 4), {}),
}


def sums(layer: Layer, dtype: str, *, exponent: int = 20) -> tuple[bytes, list[Array]]:
    """Returns a layer whose scales multiply a sum by 2**exponent; half of the channels have a bias beyond 2048."""
    draw, zero = Draw(1), origin(dtype)
    x = (draw.stored((1, 9, 8, 4)).astype(np.int16) // 16 + zero).astype(dtype)
    channels = layer.weights[layer.axis]
    weights = (draw.stored(layer.weights).astype(np.int16) // 16 + zero).astype(dtype)
    bias = np.resize(np.array([5, -3000, 3000, 7], np.int32), channels)
    tensors = [
        Tensor(x.shape, dtype, scale=1.0, zero_point=zero),
        Tensor(weights.shape, dtype, weights, scale=1.0, zero_point=zero),
        Tensor(bias.shape, "int32", bias, scale=1.0),
        Tensor(layer.result, dtype, scale=2.0**-exponent, zero_point=zero),
    ]
    data = build(tensors, [Operator(layer.builtin, (0, 1, 2), (3,), layer.options, version=3)], (0,), (3,))
    return data, [x]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", SUMS)
def test_sums_beyond_32_bits_are_undefined(name: str, dtype: str, tmp_path: Path) -> None:
    """Ours saturates; no element that LiteRT defines is counted, and none differs."""
    data, arrays = sums(SUMS[name], dtype)
    assert notes(data) == ["values outside int32 saturate; they overflow in LiteRT (undefined in C)"]
    (want,), (got,) = run_litert(data, arrays), executed(converted(data), [array.view(np.int8) for array in arrays])
    (output,) = compared(tmp_path / "m.tflite", data, arrays)
    assert (output.verdict, output.mismatches) == (True, 0)
    assert output.undefined == np.count_nonzero(want != got.view(want.dtype)) > 0


@pytest.mark.parametrize("name", SUMS)
def test_a_wrong_sum_is_a_difference(name: str, tmp_path: Path) -> None:
    """Channels of small sums get another bias: the overflow of others excuses nothing."""
    data, arrays = sums(SUMS[name], "int8")

    def change(ours: Model) -> None:
        bias = next(op for op in ours.main.ops if (op.attributes.get("values", np.zeros(1)) == -3000).any())
        bias.attributes["values"] = np.where(bias.attributes["values"] == 5, -600, bias.attributes["values"])

    (output,) = compared(tmp_path / "m.tflite", data, arrays, change)
    assert (output.verdict, output.undefined > 0) == (False, True)


@pytest.mark.parametrize("zero_point", [100, -100])
@pytest.mark.parametrize("builtin", [B.CONV_2D, B.FULLY_CONNECTED])
def test_a_zero_point_that_exceeds_32_bits_is_undefined(builtin: B, zero_point: int, tmp_path: Path) -> None:
    """Sums of 2**25 - 1 times 64 * (1 - 2**-31) are 2**31 - 65: adding the zero point 100 overflows."""
    step = 181 * 2.0**-23
    bias = np.array([2**25 - 1, -(2**25 - 1), 2**25 - 10], np.int32)
    window: dict[str, Any] = {"padding": 1, "stride_h": 1, "stride_w": 1} if builtin is B.CONV_2D else {}
    shape = (3, 1, 1, 1) if builtin is B.CONV_2D else (3, 1)
    tensors = [
        Tensor(shape, "int8", scale=1 - step, zero_point=0),
        Tensor(shape, "int8", np.zeros(shape, np.int8), scale=1 + step, zero_point=0),
        Tensor((3,), "int32", bias, scale=1.0),
        Tensor((*shape[:-1], 3), "int8", scale=2.0**-6, zero_point=zero_point),
    ]
    data = build(tensors, [Operator(builtin, (0, 1, 2), (3,), window, version=3)], (0,), (3,))
    (output,) = compared(tmp_path / "m.tflite", data, [np.zeros(shape, np.int8)])
    assert (output.verdict, output.mismatches, output.undefined) == (True, 0, 3)


@pytest.mark.parametrize("zero_point", [-2, -1, 0, 1, 2, 127])
def test_doubled_sums_of_layers_are_undefined_from_the_first_integer_beyond_int32(zero_point: int) -> None:
    """2**30 - 1 becomes 2**31 - 2, which is the largest int32 number with a zero point of 1."""
    bias = np.array([edge + step for edge in (2**30, -(2**30)) for step in range(-66, 67)], np.int32)
    zeros = np.zeros((len(bias), 1), np.int8)
    tensors = [
        Tensor((1, 1), "int8", scale=1.0),
        Tensor(zeros.shape, "int8", zeros, scale=1.0),
        Tensor(bias.shape, "int32", bias, scale=1.0),
        Tensor((1, len(bias)), "int8", scale=0.5, zero_point=zero_point),
    ]
    source = tc.load(build(tensors, [Operator(B.FULLY_CONNECTED, (0, 1, 2), (3,), version=4)], (0,), (3,)))
    oracle = ENGINES["litert"]
    assert isinstance(oracle, LiteRT)
    _, arrays = oracle.run_observed(source, {"t0": np.zeros((1, 1), np.int8)}, ["t0", "t3"])
    (mask,) = undefined_elements(source, oracle, arrays).values()
    level, limits = 2 * bias.astype(int), np.iinfo(np.int32)
    moved = level + zero_point
    below, above = np.minimum(level, moved) < limits.min, np.maximum(level, moved) > limits.max
    np.testing.assert_array_equal(mask, [below | above])
    np.testing.assert_array_equal(arrays["t3"][~mask], moved.clip(-128, 127)[~mask[0]])


def rounded_products(factors: Sequence[int], real: float, zero_point: int) -> list[int]:
    """Returns every number of QuantizedReduceProd in order, each of which the kernel keeps in 32 bits."""
    mantissa, exponent = math.frexp(real)
    m = min((round(mantissa * 2**31) + 2**15) >> 16, 0x7FFF)
    product, *rest = factors
    products = [product]
    for factor in [*rest, 1]:
        product = (product * factor * m + (1 << 14 - exponent)) >> 15 - exponent
        products.append(product)
    return [*products, product + zero_point]


@pytest.mark.parametrize("count", range(1, 7))
@pytest.mark.parametrize(("dtype", "zero_point"), [("int8", -128), ("int8", 0), ("int8", 100), ("int16", 0)])
def test_products_are_noted_if_some_exceed_32_bits(dtype: str, zero_point: int, count: int, tmp_path: Path) -> None:
    """The smallest result scale that needs no note, by trying it out with all combinations of extreme factors."""
    scale = float(np.float32(0.05))
    x = np.array([*itertools.product((np.iinfo(dtype).min, np.iinfo(dtype).max), repeat=count)])

    def overflows(result_scale: float) -> bool:
        real, limits = scale / float(np.float32(result_scale)) ** (1 / count), np.iinfo(np.int32)
        numbers = [n for row in x.tolist() for n in rounded_products([e - zero_point for e in row], real, zero_point)]
        return not limits.min <= min(numbers) <= max(numbers) <= limits.max

    low, high = count * math.log2(scale / 127), 60.0  # powers of 2; multipliers of 128 and more are refused
    while high - low > 1e-3:
        low, high = ((low + high) / 2, high) if overflows(2 ** ((low + high) / 2)) else (low, (low + high) / 2)
    is_found = overflows(2**low)
    # Two factors of 8 bits are too small, and one of 16.
    assert is_found is (count > (2 if dtype == "int8" else 1))
    for power, is_noted in ((low, is_found), (high, False)):
        operands = [quantized(x.astype(dtype), scale, zero_point, dtype), constant([1])]
        result = quantized((len(x),), 2**power, zero_point, dtype)
        data, arrays = model(B.REDUCE_PROD, operands, result, version=2)
        assert ("products beyond 32 bits" in " ".join(notes(data))) is is_noted
        if not is_noted:
            (output,) = compared(tmp_path / "m.tflite", data, arrays)
            assert (output.verdict, output.mismatches) == (True, 0)


@pytest.mark.parametrize("dtype", TYPES)
def test_means_beyond_32_bits_are_undefined(dtype: str, tmp_path: Path) -> None:
    """Sums of 6 are scaled by 2**26 / 6, a shift of 25: those from 64 on overflow."""
    x, zero = Draw(2).stored((1, 2000, 3, 2)) // 4, origin(dtype)
    stored = (x.astype(np.int16) + zero).astype(dtype)
    operands = [quantized(stored, 1.0, zero, dtype), constant([-2, 3])]
    data, arrays = model(B.MEAN, operands, quantized((1, 2000), 2.0**-26, zero, dtype), version=2)
    (output,) = compared(tmp_path / "m.tflite", data, arrays)
    assert (output.verdict, output.mismatches) == (True, 0)
    assert 0 < output.undefined < 2000
    source = tc.load(data)
    names = [value.name for op in source.main.ops for value in (*op.operands, *op.results)]
    oracle = ENGINES["litert"]
    assert isinstance(oracle, LiteRT)
    _, tensors = oracle.run_observed(source, {source.main.inputs[0].name: stored}, names)
    (mask,) = undefined_elements(source, oracle, tensors).values()
    sums = x.sum((2, 3), dtype=int)
    np.testing.assert_array_equal(mask, (sums >= 64) | (sums < -64))
    assert {63, 64, -64, -65} <= {*sums.reshape(-1).tolist()}
