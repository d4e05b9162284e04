"""Compact numerics and forms for small NPUs equal LiteRT's reference kernels, or are within a step."""

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from support.cases.draw import Draw
from support.cases.table import drawing
from support.commands import MODELS
from support.legalizing import executed
from support.quantized_models import constant, converted, model, operators, quantized
from support.tflite_models import Operator, Tensor, build, run_litert

import tosa_converter as tc
from tosa_converter.errors import UnsupportedError
from tosa_converter.ir import Array
from tosa_converter.rules.target import Target
from tosa_converter.schemas.tflite import BuiltinOperator as Op
from tosa_converter.schemas.tflite import Padding

NPU, SMALL = Target.parse("ethos-u85"), Target.parse("ethos-u55")


def drawn(shape: Sequence[int], seed: int = 1) -> Array:
    return np.random.default_rng(seed).integers(-128, 128, shape).astype(np.int8)


def words(shape: Sequence[int], seed: int = 1) -> Array:
    return np.random.default_rng(seed).integers(-32768, 32768, shape).astype(np.int16)


def run_both_sides(data: bytes, arrays: Sequence[Array], target: Target) -> tuple[tc.Model, Array, Array]:
    """Returns the conversion, its outputs and LiteRT's."""
    ours = converted(data, target=target, numerics="compact")
    (got,), (want,) = executed(ours, list(arrays)), run_litert(data, list(arrays))
    return ours, got.astype(int), want.astype(int)


@pytest.mark.parametrize("axes", [[1, 2], [3], [1], [2, 3], [1, 3], [0, 1, 2, 3], [-1]], ids=str)
@pytest.mark.parametrize("keep_dims", [False, True])
def test_means_are_convolutions_and_exact(axes: list[int], keep_dims: bool) -> None:
    x = drawn((2, 5, 7, 3))
    full_shape = [1 if axis in [index % 4 for index in axes] else size for axis, size in enumerate(x.shape)]
    shape = (
        full_shape
        if keep_dims
        else [size for axis, size in enumerate(x.shape) if axis not in [index % 4 for index in axes]]
    )
    result = quantized(tuple(shape), 0.03, 5)
    data, arrays = model(Op.MEAN, [quantized(x, 0.1, -7), constant(axes)], result, version=2, keep_dims=keep_dims)
    ours, got, want = run_both_sides(data, arrays, NPU)
    assert "depthwise_conv2d" in operators(ours)
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("builtin", [Op.ADD, Op.SUB], ids=lambda op: op.name)
def test_addends_are_rounded_once(builtin: Op) -> None:
    a, b = np.meshgrid(np.arange(-128, 128), np.arange(-128, 128))
    operands = [quantized(a.astype(np.int8), 0.0713, 3), quantized(b.astype(np.int8), 0.0191, -20)]
    data, arrays = model(builtin, operands, quantized(a.shape, 0.05, 7))
    ours, got, want = run_both_sides(data, arrays, NPU)
    assert operators(ours) == ["rescale", "rescale", builtin.name.lower(), "rescale"]
    assert any("rounded once" in note.text for note in tc.convert(data, target=NPU).report.notes)
    assert np.abs(got - want).max() <= 1


@pytest.mark.parametrize("columns", [1, 2, 10, 300])
@pytest.mark.parametrize("scale", [1e-6, 0.001, 0.015496090423666457, 0.0625, 0.3])  # the third has another factor
def test_softmax_needs_no_look_ups_by_index(columns: int, scale: float) -> None:
    x = drawn((40, columns))
    x[:2] = [[127], [-128]]
    data, arrays = model(Op.SOFTMAX, [quantized(x, scale, 0)], quantized(x.shape, 1 / 256, -128), beta=1.0)
    ours, got, want = run_both_sides(data, arrays, SMALL)
    assert "gather" not in operators(ours)
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("scale", [0.001, 0.1, 0.4])
def test_log_softmax_needs_no_look_ups_by_index(scale: float) -> None:
    x = drawn((40, 12))
    data, arrays = model(Op.LOG_SOFTMAX, [quantized(x, scale, 0)], quantized(x.shape, 16 / 256, 127))
    ours, got, want = run_both_sides(data, arrays, SMALL)
    assert "gather" not in operators(ours)
    np.testing.assert_array_equal(got, want)


def test_ties_of_resizing_below_zero_equal_litert() -> None:
    x = drawn((1, 6, 5, 3))
    data, arrays = model(
        Op.RESIZE_BILINEAR, [quantized(x, 0.1, 0), constant([12, 10])], quantized((1, 12, 10, 3), 0.1, 0), version=3
    )
    _, got, want = run_both_sides(data, arrays, NPU)
    assert set(np.unique(got - want)) == {0, 1}


@pytest.mark.parametrize("name", ["lstm.int8", "bidirectional.int8", "keywords.int8"])
def test_products_of_recurrent_cells_are_convolutions_and_exact(name: str) -> None:
    path = tc.load(MODELS / "small" / f"{name}.tflite")
    verification = tc.verify(path, numerics="compact", steps=3 if name.startswith("keywords") else 0)
    (by_executor,) = [comparison for comparison in verification.comparisons if comparison.engine == "executor"]
    assert [output.mismatches for output in by_executor.outputs] == [0]
    assert verification.sides is not None
    assert "tosa.conv2d" in {op.name for op in verification.sides[1].main.ops}


@pytest.mark.parametrize(
    ("size", "corners", "centers"),
    [((12, 10), False, True), ((12, 10), False, False), ((48, 40), False, True), ((11, 9), True, False)],
    ids=str,
)
def test_images_are_enlarged_without_bilinear_resize(size: tuple[int, int], corners: bool, centers: bool) -> None:
    options = {"align_corners": corners, "half_pixel_centers": centers}
    for x in (drawn((2, 6, 5, 3)), words((1, 6, 5, 2))):
        result = quantized((x.shape[0], *size, x.shape[3]), 0.1, 0, x.dtype.name)
        operands = [quantized(x, 0.1, 0, x.dtype.name), constant(size)]
        data, arrays = model(Op.RESIZE_BILINEAR, operands, result, version=3, **options)
        ours, got, want = run_both_sides(data, arrays, SMALL)
        assert [op.attributes["mode"] for op in ours.main.ops if op.name == "tosa.resize"] == ["NEAREST_NEIGHBOR"]
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("size", [(12, 5), (9, 8), (3, 3), (18, 15)], ids=str)
def test_other_sizes_of_images_keep_resize(size: tuple[int, int]) -> None:
    x = drawn((1, 6, 5, 3))
    operands = [quantized(x, 0.1, 0), constant(size)]
    data, arrays = model(Op.RESIZE_BILINEAR, operands, quantized((1, *size, 3), 0.1, 0), version=3)
    ours, got, want = run_both_sides(data, arrays, SMALL)
    assert "depthwise_conv2d" not in operators(ours)
    assert np.abs(got - want).max() <= 1  # ties below zero


@pytest.mark.parametrize("alpha", [0.1, -0.2, 1.5])
def test_slopes_need_no_booleans(alpha: float) -> None:
    x = np.arange(-32768, 32768).astype(np.int16)
    data, arrays = model(
        Op.LEAKY_RELU, [quantized(x, 0.001, 0, "int16")], quantized(x.shape, 0.0007, 0, "int16"), version=2, alpha=alpha
    )
    ours, got, want = run_both_sides(data, arrays, SMALL)
    assert "select" not in operators(ours)
    np.testing.assert_array_equal(got, want)


def test_addends_of_several_ranks_are_reshaped_before_their_scaling() -> None:
    a, b = words((1, 1, 16)), words((1, 16))
    operands = [quantized(a, 0.001, 0, "int16"), quantized(b, 0.0003, 0, "int16")]
    data, arrays = model(Op.ADD, operands, quantized(a.shape, 0.0012, 0, "int16"), version=2)
    ours, got, want = run_both_sides(data, arrays, NPU)
    assert operators(ours) == ["reshape", "rescale", "rescale", "add", "rescale"]
    assert np.abs(got - want).max() <= 1


def test_small_npus_get_rescales_for_each_operator() -> None:
    x, y = (Tensor((1, 8), "int16", scale=scale, zero_point=0) for scale in (0.001, 0.0003))
    results = [Tensor((1, 8), "int16", scale=0.0012, zero_point=0) for _ in range(2)]
    data = build(
        [x, y, *results],
        [Operator(Op.ADD, [0, 1], [2], version=2), Operator(Op.SUB, [0, 1], [3], version=2)],
        [0, 1],
        [2, 3],
    )
    shared, apart = (operators(tc.convert(data, target=target, numerics="compact")) for target in (None, NPU))
    assert (shared.count("rescale"), apart.count("rescale")) == (4, 6)


@pytest.mark.parametrize("kernel", [(3, 3), (2, 2), (4, 5)], ids=str)
@pytest.mark.parametrize("stride", [(2, 2), (1, 2), (2, 1)], ids=str)
@pytest.mark.parametrize("odd", [0, 1])  # sizes for which the forward convolution has a result
@pytest.mark.parametrize("biased", [False, True])
def test_transposed_convolutions_become_phases(
    kernel: tuple[int, int], stride: tuple[int, int], odd: int, biased: bool
) -> None:
    weight, bias = drawn((2, *kernel, 3), 2), np.array([700, -3000])
    for padding, x in itertools.product(Padding, (drawn((2, 5, 4, 3)), words((2, 5, 4, 3)))):
        whole = [(n - 1) * s + k + odd * (s - 1) for n, s, k in zip((5, 4), stride, kernel, strict=True)]
        same = [n * s - odd * (s - 1) for n, s in zip((5, 4), stride, strict=True)]
        shape = (2, *(same if padding is Padding.SAME else whole), 2)
        name, zero_point = x.dtype.name, 9 if x.dtype == np.int8 else 0
        scale = 0.2 if zero_point else 40
        operands = [constant(shape), quantized(weight, [0.02, 0.03], [0, 0], constant=True)]
        operands.append(quantized(x, 0.05, zero_point, name))
        if biased:
            wide = "int32" if zero_point else "int64"
            operands.append(quantized(bias.astype(wide), [0.001, 0.0015], [0, 0], wide, constant=True))
        options = {"padding": padding, "stride_h": stride[0], "stride_w": stride[1]}
        result = quantized(shape, scale, -zero_point, name)
        data, arrays = model(Op.TRANSPOSE_CONV, operands, result, version=3, **options)
        ours, got, want = run_both_sides(data, arrays, NPU)
        assert "transpose_conv2d" not in operators(ours)
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("late", [False, True])
def test_transposed_convolutions_with_a_run_time_bias_stay(late: bool) -> None:
    """It is added to the sums of all channels, not of phases."""
    x, weight, shape = words((1, 3, 3, 3)), drawn((2, 2, 2, 3), 2), (1, 6, 6, 2)
    bias = quantized(np.array([70000, -300000]), [0.001, 0.0015], [0, 0], "int64", constant=not late)
    operands = [constant(shape), quantized(weight, [0.02, 0.03], [0, 0], constant=True), quantized(x, 0.05, 0, "int16")]
    options = {"padding": Padding.SAME, "stride_h": 2, "stride_w": 2}
    data, arrays = model(Op.TRANSPOSE_CONV, [*operands, bias], quantized(shape, 40, 0, "int16"), version=3, **options)
    ours, got, want = run_both_sides(data, arrays, NPU)
    assert ("transpose_conv2d" in operators(ours)) == late
    np.testing.assert_array_equal(got, want)


def test_transposed_convolutions_of_phases_without_taps_stay() -> None:
    x, weight, shape = drawn((1, 3, 3, 2)), drawn((2, 2, 2, 2), 2), (1, 9, 9, 2)
    operands = [constant(shape), quantized(weight, 0.02, 0, constant=True), quantized(x, 0.05, 9)]
    options = {"padding": Padding.SAME, "stride_h": 3, "stride_w": 3}
    data, arrays = model(Op.TRANSPOSE_CONV, operands, quantized(shape, 0.2, -11), version=1, **options)
    ours, got, want = run_both_sides(data, arrays, NPU)
    assert "transpose_conv2d" in operators(ours)
    np.testing.assert_array_equal(got, want)


def test_a_huge_stride_is_refused() -> None:
    x, weight, shape = drawn((1, 1, 1, 2)), drawn((2, 2, 2, 2), 2), (1, 2, 2, 2)
    operands = [constant(shape), quantized(weight, 0.02, 0, constant=True), quantized(x, 0.05, 9)]
    options = {"padding": Padding.SAME, "stride_h": 1 << 30, "stride_w": 1 << 30}
    data, _ = model(Op.TRANSPOSE_CONV, operands, quantized(shape, 0.2, -11), version=1, **options)
    with pytest.raises(UnsupportedError):
        tc.convert(data, target=NPU)


@pytest.mark.parametrize("target", [NPU, SMALL], ids=["ethos-u85", "ethos-u55"])
@pytest.mark.parametrize("name", ["lstm.int8", "bidirectional.int8"])
def test_gates_by_table_are_within_a_step(name: str, target: Target) -> None:
    verification = tc.verify(tc.load(MODELS / "small" / f"{name}.tflite"), target=target)
    (by_executor,) = [comparison for comparison in verification.comparisons if comparison.engine == "executor"]
    assert [output.max_abs <= 1 and output.mismatches * 16 < output.elements for output in by_executor.outputs] == [
        True
    ]
    assert verification.sides is not None
    assert not {"tosa.gather", "tosa.select"} & {op.name for op in verification.sides[1].main.ops}


@pytest.mark.parametrize("name", ["tfl.unidirectional_sequence_lstm", "tfl.lstm"])
@pytest.mark.parametrize("seed", range(12))
def test_drawn_cells_by_table_are_within_a_step(name: str, seed: int) -> None:
    """Interpolation is off by steps of 1/32768, far below those of 8 bits."""
    data, _ = drawing(name, "i8*i8")(Draw(seed, "i8*i8")).model()
    verification = tc.verify(data, target=NPU, steps=2)
    assert (
        max(
            output.max_abs
            for comparison in verification.comparisons
            if comparison.engine == "executor"
            for output in comparison.outputs
        )
        <= 1
    )
