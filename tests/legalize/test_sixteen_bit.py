"""int16 operators: every value of unary ones, ties, power-of-two scales, targets, and files."""

from pathlib import Path

import numpy as np
import pytest
from support.legalizing import compared, executed, notes, reference_model
from support.quantized_models import Operand, assert_exact, constant, converted, model, operators, plain, quantized
from support.tflite_models import run_litert

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.ir import Array, Graph, TensorType, Value
from tosa_converter.legalize.quant.multipliers import round_away
from tosa_converter.legalize.quant.product_in_parts import product_in_parts
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rules.target import Target
from tosa_converter.schemas.tflite import ActivationFunctionType as Activation
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import Padding
from tosa_converter.schemas.tflite import TensorType as Stored

pytest.importorskip("ai_edge_litert.interpreter", reason="LiteRT is not installed")
EVERY = np.arange(-32768, 32768).astype(np.int16).reshape(256, 256)
NOT_NEGATIVE = np.abs(np.arange(-32767, 32769)).clip(0, 32767).astype(np.int16).reshape(256, 256)
Q15 = 2.0**-15


def sixteen(array: Array, scale: float) -> Operand:
    return quantized(array, np.float32(scale), dtype="int16")


def result(shape: tuple[int, ...], scale: float) -> Operand:
    return quantized(shape, np.float32(scale), dtype="int16")


SCALES = (0.0003, 2.0**-12, 2.0**-11, 0.00024, 1e-5, 0.01)
UNARY = [
    *((op, scale, Q15) for op in (B.LOGISTIC, B.TANH) for scale in SCALES),
    *(
        (op, scale, to)
        for op in (B.EXP, B.GELU, B.ABS, B.NEG, B.RELU, B.RELU6)
        for scale, to in ((3e-4, 3e-4), (2e-4, 5e-4))
    ),
    *((op, scale, to) for op in (B.LOG, B.SQRT, B.RSQRT) for scale, to in ((3e-4, 3e-4), (2e-4, 5e-4), (0.02, 1e-3))),
    *((B.QUANTIZE, scale, 3e-4) for scale in (1e-4, 2.9e-4, 3e-4, 1e-3)),
]


@pytest.mark.parametrize(("builtin", "scale", "to"), UNARY)
def test_every_value_equals_litert(builtin: B, scale: float, to: float) -> None:
    array = NOT_NEGATIVE if builtin in (B.SQRT, B.RSQRT) else EVERY
    assert_exact(*model(builtin, [sixteen(array, scale)], result(EVERY.shape, to)))


@pytest.mark.parametrize("alpha", [0.3, -0.25, 0.0, 1.5])
def test_every_value_of_leaky_relu_equals_litert(alpha: float) -> None:
    assert_exact(*model(B.LEAKY_RELU, [sixteen(EVERY, 2e-4)], result(EVERY.shape, 3e-4), alpha=alpha))


def test_functions_that_a_table_gives_exactly_need_no_gather() -> None:
    ours = assert_exact(*model(B.EXP, [sixteen(EVERY, 1e-4)], result(EVERY.shape, 1e-3)))
    assert operators(ours) == ["table", "rescale"]


@pytest.mark.parametrize(("builtin", "scale", "to"), [(B.EXP, 0.198, 1.2e-4), (B.LOG, 0.3, 5e-5), (B.GELU, 4, 1e-4)])
def test_functions_too_steep_for_a_table_are_gathered(builtin: B, scale: float, to: float) -> None:
    ours = assert_exact(*model(builtin, [sixteen(EVERY, scale)], result(EVERY.shape, to)))
    assert "gather" in operators(ours)
    assert "table" not in operators(ours)


def test_products_that_leave_32_bits_in_litert_are_noted() -> None:
    x, weight = np.full((1, 4), 32767, np.int16), np.full((2, 4), 127, np.int8)
    data, _ = model(
        B.FULLY_CONNECTED, [sixteen(x, 0.1), quantized(weight, 0.1, constant=True), None], result((1, 2), 1e-7)
    )
    assert any("outside int32 saturate" in note for note in notes(data))


def test_compact_numerics_interpolate_and_note_the_error() -> None:
    data, (x,) = model(B.LOGISTIC, [sixteen(EVERY, 3e-4)], result(EVERY.shape, Q15))
    ours = tc.convert(tc.load(data), numerics="compact")
    (want,), (got,) = run_litert(data, [x]), executed(ours, [x])
    off = int(np.abs(got.astype(int) - want).max())
    assert 0 < off < 10
    assert f"may differ by {off} steps" in " ".join(note.text for note in ours.report.notes)


@pytest.mark.parametrize("builtin", [B.ADD, B.SUB])
@pytest.mark.parametrize(("a", "b"), [(-10, -10), (-13, -10), (-10, -12)])
def test_power_of_two_scales_equal_litert(builtin: B, a: int, b: int) -> None:
    """Ties below zero go away from it, and sums saturate."""
    rng = np.random.default_rng(-a - b)
    operands = [sixteen(EVERY, 2.0**a), sixteen(rng.integers(-32768, 32768, EVERY.shape).astype(np.int16), 2.0**b)]
    assert_exact(*model(builtin, operands, result(EVERY.shape, 2.0**-10)))
    assert_exact(*model(builtin, operands, result(EVERY.shape, 2.0**-10), pot_scale_int16=False))


@pytest.mark.parametrize("output", [-9, -11])
def test_power_of_two_scales_that_litert_refuses(output: int) -> None:
    """The output's scale is larger than both operands', or smaller than one."""
    data, arrays = model(B.ADD, [sixteen(EVERY, 2.0**-10), sixteen(EVERY, 2.0**-10)], result(EVERY.shape, 2.0**output))
    with pytest.raises((ValueError, RuntimeError), match="input1_shift"):
        run_litert(data, arrays)
    with pytest.raises(UnsupportedError, match="to be that of an operand, the larger one"):
        converted(data)


@pytest.mark.parametrize("size", [(2, 3), (3, 2), (40, 64), (80, 7)])
def test_bilinear_beyond_the_limits_of_resize_equals_litert(size: tuple[int, int]) -> None:
    """Some sizes are within RESIZE's limits, some are reduced by 20 or more."""
    rng = np.random.default_rng(size)
    image = rng.choice(np.array([-32768, -1, 0, 1, 32767, 12345], np.int16), (1, 40, 64, 2))
    data, arrays = model(
        B.RESIZE_BILINEAR,
        [sixteen(image, 0.01), constant(size)],
        result((1, *size, 2), 0.01),
        align_corners=False,
        half_pixel_centers=True,
    )
    assert_exact(data, arrays)


# ** what has or needs no scale **

LEFT = np.array([[-32768, -32768, 32767, -12345, 77, -1, 1, 300]], np.int16)
RIGHT = np.array([[32767, -32768, -32768, 23456, -78, 1, 0, -301]], np.int16)


@pytest.mark.parametrize(
    ("scales", "want"),
    [
        ((1e-3, 2e-3, 4.0), [2416, 268, 2416, 878, 0, 0, 0, 0]),
        ((3e-4, 3e-4, 0.02), [19327, 0, 19327, 5767, 0, 0, 0, 2]),
        ((5e-4, 1e-5, 3e-3), [32767, 32767, 32767, 13683, 1, 0, 0, 8]),
    ],
)
def test_squared_difference_equals_tensorflow_lite_micro(scales: tuple[float, float, float], want: list[int]) -> None:
    """Recorded from tflite-micro 0.dev20261023; LiteRT has no such kernel."""
    operands = [sixteen(LEFT, scales[0]), sixteen(RIGHT, scales[1])]
    data, arrays = model(B.SQUARED_DIFFERENCE, operands, result(LEFT.shape, scales[2]))
    assert any("TensorFlow Lite Micro" in note for note in notes(data))
    for (got,) in (executed(converted(data), arrays), reference_model(converted(data), arrays)):
        assert got.tolist() == [want]


@pytest.mark.parametrize("to", [1e-4, 1.0, 30.0, 3e4])
def test_quotients_of_every_value_equal_litert(to: float, tmp_path: Path) -> None:
    """Divisors are at the ends; quotients have from 2**15 steps to none."""
    divisors = np.array([[1], [-1], [3], [-7], [256], [12345], [32767], [-32768]], np.int16)
    operands = [sixteen(EVERY.reshape(1, -1), 0.3), sixteen(divisors, 0.01)]
    data, arrays = model(B.DIV, operands, result((8, 65536), to))
    (want,), (got,), (reread,) = (
        run_litert(data, arrays),
        executed(converted(data), arrays),
        reference_model(converted(data), arrays),
    )
    np.testing.assert_array_equal(got, reread)
    real = EVERY.reshape(1, -1).astype(float) * 0.3 / (divisors * 0.01) / to
    assert np.abs(got - np.clip(real, -32768, 32767)).max() < 0.51
    (output,) = compared(tmp_path / "m.tflite", data, arrays)
    assert output.verdict
    assert output.undefined == np.count_nonzero(got != want)


@pytest.mark.parametrize("builtin", [B.ADD, B.MUL])
@pytest.mark.parametrize("kind", [Activation.NONE, Activation.RELU, Activation.RELU6, Activation.RELU_N1_TO_1])
def test_plain_integers_wrap(builtin: B, kind: Activation) -> None:
    x, y = np.arange(-32768, 32768, 257, np.int16), np.array([[32767], [-32768], [-1], [181], [1]], np.int16)
    data, arrays = model(
        builtin, [plain(x, "int16"), plain(y, "int16")], plain((5, 256), "int16"), fused_activation_function=kind
    )
    assert_exact(data, arrays)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16"])
def test_pools_of_numbers_have_no_activation(dtype: str) -> None:
    """LiteRT divides the activation's bounds by the scale of 0."""
    x, pool = np.ones((1, 2, 2, 1), dtype), {"filter_height": 2, "filter_width": 2, "stride_h": 1, "stride_w": 1}
    data, _ = model(
        B.MAX_POOL_2D, [plain(x, dtype)], plain((1, 2, 2, 1), dtype), fused_activation_function=Activation.RELU6, **pool
    )
    with pytest.raises(UnsupportedError, match="expected no fused activation of elements without a scale"):
        converted(data)


# ** products in parts **


def _product(acc: Array, real: Array) -> Array:
    graph = Graph("main")
    x = Value(TensorType(DType.I32, (len(acc), len(real))), "x")
    graph.inputs = [x]
    with Builder(graph) as builder:
        y = product_in_parts(Expr(x), real, 1 << 31).value
    (got,) = executed(builder.model(y=y), [np.broadcast_to(acc[:, None], (len(acc), len(real))).astype(np.int32)])
    return got


def test_products_in_parts_equal_doubles() -> None:
    """Sums lie around the ties of each scale, over 13 decades, and at the ends of 32 bits."""
    rng = np.random.default_rng(16)
    for decade in range(-9, 4):
        real = 10.0 ** (decade + rng.random(8))
        levels = rng.integers(-32769, 32769, 500) + 0.5
        near = np.clip(np.rint(levels[:, None] / real + rng.integers(-1, 2, (500, 8))), -(2**31), 2**31 - 1)
        acc = np.concatenate([near.reshape(-1), [-(2.0**31), 2.0**31 - 1, 0, 1, -1]])
        want = np.clip(round_away(acc[:, None] * real), -32768, 32767)
        np.testing.assert_array_equal(_product(acc, real), want)


@pytest.mark.parametrize("real", [0.5, 2.0**-10, 3 * 2.0**-7, 1.0, 1.5, 2.0**-20])
def test_ties_of_products_go_away_from_zero(real: float) -> None:
    acc = np.arange(-2000, 2001) * max(1, int(0.5 / real))
    want = np.clip(round_away(acc * real), -32768, 32767)
    np.testing.assert_array_equal(_product(acc, np.array([real]))[:, 0], want)


# ** convolutions **


def convolution(*, late: bool = False, short: bool = False, stated: bool = True) -> tuple[bytes, list[Array]]:
    rng = np.random.default_rng(3)
    x = sixteen(rng.integers(-32768, 32768, (1, 4, 4, 2)).astype(np.int16), 0.001)
    scales = np.array([0.01, 0.02, 0.03], np.float32)
    weight = quantized(rng.integers(-127, 128, (3, 2, 2, 2)).astype(np.int8), scales, [0] * 3, constant=True)
    dtype = "int32" if short else "int64"
    bias = quantized(rng.integers(-9999, 9999, 3).astype(dtype), 0.001 * scales, [0] * 3, dtype, constant=not late)
    options = {"quantized_bias_type": Stored.INT32} if short and stated else {}
    return model(
        B.CONV_2D, [x, weight, bias], result((1, 4, 4, 3), 0.002), stride_h=1, stride_w=1, dilation_h_factor=1,
        dilation_w_factor=1, padding=Padding.SAME, **options,
    )  # fmt: skip


def test_sums_of_48_bits_are_scaled_by_16() -> None:
    assert operators(assert_exact(*convolution())) == ["conv2d", "rescale"]
    assert operators(assert_exact(*convolution(short=True))) == ["conv2d", "rescale", "rescale"]


def test_a_run_time_bias_is_added_after_the_product() -> None:
    assert operators(assert_exact(*convolution(late=True))) == ["conv2d", "reshape", "rescale", "add", "rescale"]
    assert_exact(*convolution(late=True, short=True))


def test_a_bias_of_32_bits_without_the_option_is_noted() -> None:
    data, (x,) = convolution(short=True, stated=False)
    assert any("read a bias of 32 bits as 64-bit integers" in note for note in notes(data))
    stated, _ = convolution(short=True)
    (output,) = tc.run(converted(data), {"t0": x}).values()
    np.testing.assert_array_equal(output, run_litert(stated, [x])[0])
    assert tc.verify(data).verdict


def test_a_target_without_int16_refuses() -> None:
    data, _ = convolution()
    assert "EXT-INT16" in str(tc.convert(tc.load(data)).report.needs)
    assert not Target.parse("pro-int,ext-int16").problems(converted(data, target=Target.parse("pro-int,ext-int16")))
    with pytest.raises(UnsupportedError, match="EXT-INT16"):
        tc.convert(tc.load(data), target="pro-int")


@pytest.mark.parametrize("ending", ["tosa", "spv"])
def test_files_keep_48_bits(tmp_path: Path, ending: str) -> None:
    data, (x,) = convolution()
    path = tmp_path / f"conv.{ending}"
    tc.save(tc.convert(tc.load(data)), path)
    read = tc.load(path)
    (want,) = run_litert(data, [x])
    (got,) = tc.run(read, {read.main.inputs[0].name: x}).values()
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize(("weight", "bias", "is_noted"), [(16, 0, True), (15, 32767, False), (15, 32768, True)])
def test_results_that_wrap_in_litert_are_noted_from_2_to_the_31_on(weight: int, bias: int, is_noted: bool) -> None:
    """The sum of -32768 times the weight and the bias, times 2**12, is undefined in TOSA beyond 32 bits."""
    operands = [
        sixteen(np.zeros((1, 1, 1, 1), np.int16), 1.0),
        quantized(np.full((1, 1, 1, 1), -weight, np.int8), 1.0, 0, constant=True),
        quantized(np.array([bias], np.int64), 1.0, 0, "int64", constant=True),
    ]
    data, _ = model(
        B.CONV_2D, operands, result((1, 1, 1, 1), 2.0**-12), stride_h=1, stride_w=1, dilation_h_factor=1,
        dilation_w_factor=1, padding=Padding.SAME,
    )  # fmt: skip
    assert any("outside int32" in note for note in notes(data)) == is_noted


@pytest.mark.parametrize(("scale", "is_noted"), [(2.0**9, False), (2.0**10, True)])
def test_a_layer_notes_results_that_wrap_in_litert_from_2_to_the_31_on(scale: float, is_noted: bool) -> None:
    """The result is a sum of up to 64 times 32768, times the scale."""
    operands = [
        sixteen(np.zeros((1, 1), np.int16), 1.0),
        quantized(np.full((1, 1), 64, np.int8), 1.0, 0, constant=True),
        quantized(np.zeros(1, np.int64), 1.0, 0, "int64", constant=True),
    ]
    data, _ = model(B.FULLY_CONNECTED, operands, result((1, 1), 1 / scale), version=7)
    assert any("overflow" in note for note in notes(data)) == is_noted


@pytest.mark.parametrize(
    ("builtin", "scale", "to"), [(B.EXP, 1e-4, 1e-3), (B.LOG, 3e-4, 3e-4), (B.RSQRT, 3e-4, 3e-4), (B.SQRT, 3e-4, 3e-4)]
)
def test_tables_that_no_libm_changes_have_no_note(builtin: B, scale: float, to: float) -> None:
    assert notes(model(builtin, [sixteen(EVERY, scale)], result(EVERY.shape, to))[0]) == []


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("builtin", [B.ADD, B.SUB, B.MUL, B.SQUARED_DIFFERENCE])
def test_operands_with_zero_points_are_refused(builtin: B, place: int) -> None:
    """LiteRT refuses a zero point of either operand."""
    zeros = np.zeros((2, 3), np.int16)
    operands = [quantized(zeros, 0.1, 3 if i == place else 0, "int16") for i in range(2)]
    data, _ = model(builtin, operands, result((2, 3), 0.1))
    with pytest.raises((UnsupportedError, FormatError), match="zero point"):
        tc.convert(data)


@pytest.mark.parametrize("scale", [2.0**-59, 2.0**-61, 1e-30, 1e-38])
def test_layers_of_tiny_scales_are_zeros(scale: float) -> None:
    rng = np.random.default_rng(0)
    x, weight = rng.integers(-32768, 32768, (5, 64)).astype(np.int16), rng.integers(-127, 128, (4, 64)).astype(np.int8)
    operands = [
        sixteen(x, scale),
        quantized(weight, np.float32(scale), 0, constant=True),
        quantized(np.arange(4), None, 0, "int64", constant=True),
    ]
    data, arrays = model(B.FULLY_CONNECTED, operands, result((5, 4), 1.0), version=7)
    (output,) = executed(converted(data), arrays)
    np.testing.assert_array_equal(output, np.zeros((5, 4)))
