"""Corners that random mutations of models found: our conversion does what LiteRT's kernels do, or refuses."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from longer.special_values import cases, difference, keys
from support.legalizing import Const, check, executed, legalized, reference_model, single
from support.quantized_models import LEGALIZE, assert_exact, converted, model, plain, quantized
from support.tflite_models import Operator, Tensor, build, run_litert

import tosa_converter as tc
from tosa_converter.errors import UnsupportedError
from tosa_converter.formats.tflite.reader import read_tflite
from tosa_converter.ir import Array
from tosa_converter.rewriting.driver import run_pass
from tosa_converter.rewriting.report import Report
from tosa_converter.schemas.float_corners import CORNERS
from tosa_converter.schemas.tflite import ActivationFunctionType as Activation
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import Padding

RNG = np.random.default_rng(0)


def stored(*shape: int) -> Array:
    return RNG.integers(-128, 128, shape).astype(np.int8)


def ints(*values: int) -> Tensor:
    return Tensor((len(values),), "int32", np.array(values, np.int32))


def refusal(data: bytes) -> str:
    with pytest.raises(UnsupportedError) as refused:
        converted(data)
    return str(refused.value)


@pytest.mark.parametrize("builtin", [B.DEPTHWISE_CONV_2D, B.TRANSPOSE_CONV, B.FULLY_CONNECTED])
@pytest.mark.parametrize("channels", [1, 4])
def test_zero_points_of_int8_weights_equal_litert(builtin: B, channels: int) -> None:
    """FULLY_CONNECTED with one scale subtracts them. Other operators ignore them, and CONV_2D refuses to run."""
    scale = np.full(channels, 0.02, np.float32)
    dense, depthwise = builtin is B.FULLY_CONNECTED, builtin is B.DEPTHWISE_CONV_2D
    shape = (4, 4) if dense else (1, 2, 2, 4) if depthwise else (4, 2, 2, 4)
    weight = quantized(stored(*shape), scale, 5, axis=3 if depthwise else 0, constant=True)
    x = quantized(stored(1, 4) if dense else stored(1, 5, 5, 4), 0.05, 3)
    bias = quantized(np.arange(4, dtype=np.int32), scale * np.float32(0.05), dtype="int32", constant=True)
    options = {} if dense else {"stride_h": 1, "stride_w": 1} | ({"depth_multiplier": 1} if depthwise else {})
    result = quantized((1, 4) if dense else (1, 5, 5, 4), 0.1, -7)
    operands = [x, weight, bias]
    if builtin is B.TRANSPOSE_CONV:
        size = np.array([1, 5, 5, 4], np.int32)
        operands = [quantized(size, None, dtype="int32", constant=True), weight, x, bias]
    data, arrays = model(builtin, operands, result, **options)
    assert_exact(data, arrays)
    report = Report()
    run_pass(read_tflite(data), LEGALIZE, report=report)
    ignored = not dense or channels > 1
    assert ["zero point of 5 is ignored" in note.text for note in report.notes] == [True] * ignored


@pytest.mark.parametrize(
    ("end", "masks", "reason"),
    [
        ((1, 3), {"ellipsis_mask": 3}, "ellipsis_mask 3"),
        ((1, 3), {"ellipsis_mask": -1}, "ellipsis_mask -1"),
        ((1, 3), {"new_axis_mask": 4}, "new_axis_mask 4"),
        ((1, 9), {"offset": True}, "end mask, found offset 9 and stride 1"),
        ((1, -1), {"offset": True}, "end mask, found offset -1 and stride 1"),
        ((1, 1), {"offset": True, "end_mask": 2}, "no end mask, found offset 1 and"),
    ],
)
def test_inconsistent_strided_slices_are_refused(end: tuple[int, ...], masks: dict[str, int], reason: str) -> None:
    tensors = [Tensor((3, 4)), ints(0, 1), ints(*end), ints(1, 1), Tensor(())]
    data = build(tensors, [Operator(B.STRIDED_SLICE, (0, 1, 2, 3), (4,), masks)], (0,), (4,))
    assert reason in refusal(data)


def test_transpose_by_no_permutation_is_refused() -> None:
    data = build([Tensor((2, 2, 1)), ints(1, 2, -2), Tensor(())], [Operator(B.TRANSPOSE, (0, 1), (2,))], (0,), (2,))
    assert "expected a permutation of 3 dimensions" in refusal(data)


def test_concatenation_of_quantized_and_plain_tensors_is_refused() -> None:
    parts = [quantized((1, 4), 0.1, dtype="uint8"), quantized((1, 4), None, dtype="uint8")]
    tensors = [part.tensor for part in (*parts, parts[0])]
    data = build(tensors, [Operator(B.CONCATENATION, (0, 1), (2,), {"axis": 1})], (0, 1), (2,))
    assert "found a mixture" in refusal(data)


def test_hard_swish_on_scales_too_far_apart_is_refused() -> None:
    tensors = [quantized((1, 4), scale, dtype="uint8").tensor for scale in (0.01, 10.0)]
    data = build(tensors, [Operator(B.HARD_SWISH, (0,), (1,))], (0,), (1,))
    assert "too far apart" in refusal(data)


# ** infinities and NaN, as docs/reference/operators.md has them **

INF, NAN, LARGEST = np.inf, np.nan, float(np.finfo(np.float32).max)
Corner = tuple[B, Sequence[Array | Const], dict[str, Any], list[float], list[float]]
WINDOW: dict[str, Any] = {"filter_width": 2, "filter_height": 1, "stride_w": 1, "stride_h": 1, "padding": Padding.VALID}
LAST = Const(np.array([1], np.int32))


def floats(*values: float) -> Array:
    return np.array(values, np.float32)


def windows(*rows: tuple[float, float]) -> Array:
    return floats(*[value for row in rows for value in row]).reshape(len(rows), 1, 2, 1)


def overflowing_layer(builtin: B) -> Corner:
    shape = (1, 2) if builtin is B.FULLY_CONNECTED else (1, 1, 1, 2)
    ones = Const(np.ones((2, 2) if builtin is B.FULLY_CONNECTED else (2, *shape[1:]), np.float32))
    if builtin is B.DEPTHWISE_CONV_2D:
        ones = Const(np.full(shape, 2, np.float32))
    options = {} if builtin is B.FULLY_CONNECTED else {"stride_h": 1, "stride_w": 1, "padding": Padding.VALID}
    operands: list[Array | Const] = [floats(3e38, 3e38).reshape(shape), ones, Const(np.zeros(2, np.float32))]
    return builtin, operands, options, [LARGEST] * 2, [INF] * 2


# operator, operands, options, LiteRT's values, ours
CORNER_CASES = [
    (B.ADD, [floats(3e38, 1), floats(3e38, 2)], {}, [LARGEST, 3], [INF, 3]),
    (B.ADD_N, [floats(3e38, INF), floats(3e38, 2)], {}, [LARGEST, LARGEST], [INF, INF]),
    (B.SUB, [floats(-3e38, 1), floats(3e38, 2)], {}, [-LARGEST, -1], [-INF, -1]),
    (B.MUL, [floats(3e38, INF), floats(-3e38, 1)], {}, [-LARGEST, LARGEST], [-INF, INF]),
    (B.DIV, [floats(1, -1, 0), floats(0, 0, 0)], {}, [LARGEST, -LARGEST, NAN], [INF, -INF, NAN]),
    overflowing_layer(B.CONV_2D),
    overflowing_layer(B.DEPTHWISE_CONV_2D),
    overflowing_layer(B.FULLY_CONNECTED),
    (B.AVERAGE_POOL_2D, [windows((INF, INF), (-INF, -INF))], WINDOW, [LARGEST, -LARGEST], [INF, -INF]),
    (
        B.MAX_POOL_2D,
        [windows((INF, INF), (-INF, -INF), (NAN, NAN))],
        WINDOW,
        [LARGEST, -LARGEST, -LARGEST],
        [INF, -INF, NAN],
    ),
    (
        B.RESIZE_BILINEAR,
        [windows((1, NAN)), Const(np.array([1, 4], np.int32))],
        {},
        [1, NAN, NAN, NAN],
        [NAN, NAN, NAN, NAN],
    ),
    (B.REDUCE_MAX, [windows((NAN, NAN), (-INF, -INF)).reshape(2, 2), LAST], {}, [-LARGEST] * 2, [NAN, -INF]),
    (B.REDUCE_MIN, [windows((NAN, NAN), (INF, INF)).reshape(2, 2), LAST], {}, [LARGEST] * 2, [NAN, INF]),
    (B.POW, [floats(1, 1, -1, -INF), floats(NAN, INF, -INF, 0.5)], {}, [1, 1, 1, INF], [NAN] * 4),
    (B.ATAN2, [floats(3e38, 1), floats(INF, INF)], {}, [0, 0], [0.72256756, 2.938736e-39]),
    (B.FLOOR_DIV, [floats(1, 4), floats(-INF, 2)], {}, [0, 2], [NAN, 2]),
    (B.FLOOR_MOD, [floats(2.0**40, 2.0**36), floats(3.3, 3.3)], {}, [2.315381, 0.9697113], [2.9157953, 0.9697113]),
    (B.MAXIMUM, [floats(NAN, 1), floats(1, NAN)], {}, [1, NAN], [NAN, NAN]),
    (B.MINIMUM, [floats(NAN, 1), floats(1, NAN)], {}, [1, NAN], [NAN, NAN]),
]
EQUAL = [
    (
        B.POW,
        [floats(0, 0, 0, INF, INF, NAN, -8, -8), floats(0, 2, -1, -1, 0, 0, 3, 0.5)],
        {},
        [1, 0, INF, 0, 1, 1, -512, NAN],
    ),
    (B.POW, [floats(-INF, -INF, -3, NAN), floats(3, 2, 2, 2)], {}, [-INF, INF, 9, NAN]),
    (B.ATAN2, [floats(0, NAN, -0.0), floats(-0.0, 1, 1)], {}, [np.pi, NAN, 0]),
    (
        B.FLOOR_MOD,
        [floats(-7, 7, -7, 7, 5.5, 1, NAN, INF, 3), floats(3, -3, -3, 3, 0.1, 0, 1, 1, INF)],
        {},
        [2, -2, -1, 1, float(np.fmod(np.float32(5.5), np.float32(0.1))), NAN, NAN, NAN, 3],
    ),
    (B.FLOOR_DIV, [floats(-7, 7, -7, 9e6, 1), floats(2, -2, -2, 3, 0.1)], {}, [-4, -4, 3, 3e6, 9]),
    (B.SIGN, [floats(NAN, INF, -INF, -0.0, 1e-30)], {}, [NAN, 1, -1, 0, 1]),
    (
        B.FAKE_QUANT,
        [floats(NAN, INF, -INF)],
        {"min": -1.0, "max": 254.0, "num_bits": 8},
        [-1, 254, -1],
    ),
    (B.GELU, [floats(NAN, INF, -INF)], {"approximate": True}, [NAN, INF, NAN]),
    (B.CUMSUM, [floats(1, INF, 2, -INF, 1), Const(np.array([0], np.int32))], {}, [1, INF, INF, NAN, NAN]),
    (B.L2_NORMALIZATION, [floats(0, 0, 0)], {}, [0, 0, 0]),
    (B.RELU, [floats(NAN, INF, -INF, 3e38)], {}, [NAN, INF, 0, 3e38]),
    (B.RELU6, [floats(NAN, INF, -INF)], {}, [NAN, 6, 0]),
    (B.DIV, [floats(1, -1, 0), floats(0, 0, 0)], {"fused_activation_function": Activation.RELU}, [LARGEST, 0, NAN]),
    (B.MAX_POOL_2D, [windows((NAN, 1), (1, NAN))], WINDOW, [1, 1]),
    (B.REDUCE_MAX, [windows((NAN, 1), (INF, NAN)).reshape(2, 2), LAST], {}, [1, INF]),
    (B.REDUCE_MIN, [windows((NAN, 1), (-INF, NAN)).reshape(2, 2), LAST], {}, [1, -INF]),
    (B.MAXIMUM, [floats(NAN, 1), Const(floats(2, 2))], {}, [2, 2]),
    (B.MINIMUM, [Const(floats(2, 2)), floats(NAN, 1)], {}, [NAN, 1]),
]


@pytest.mark.parametrize(
    ("builtin", "operands", "options", "theirs", "ours"), [*CORNER_CASES, *((*case, case[-1]) for case in EQUAL)]
)
def test_floats_at_the_ends_of_their_range_have_the_stated_results(
    builtin: B, operands: list[Array | Const], options: dict[str, Any], theirs: list[float], ours: list[float]
) -> None:
    data, arrays = single(builtin, operands, **options)
    (want,) = run_litert(data, arrays)
    np.testing.assert_array_equal(want.reshape(-1), floats(*theirs))
    lowered = legalized(data)
    for outputs in (executed(lowered, arrays), reference_model(lowered, arrays)):
        np.testing.assert_array_equal(outputs[0].reshape(-1), floats(*ours))


def test_angles_of_the_smallest_numbers_equal_litert() -> None:
    tiny = float(np.finfo(np.float32).tiny)
    data, arrays = single(B.ATAN2, [floats(tiny, tiny, -tiny, 3e38, 1.5), floats(tiny, -3 * tiny, tiny / 2, 3e38, 1)])
    (want,) = run_litert(data, arrays)
    lowered = legalized(data)
    for outputs in (executed(lowered, arrays), reference_model(lowered, arrays)):
        np.testing.assert_allclose(outputs[0], want, rtol=4e-7)


# Operators of several results or of more operands than the cases above: drawn cases show them.
DRAWN = (
    "arg_max",
    "arg_min",
    "batch_matmul",
    "conv_3d",
    "conv_3d_transpose",
    "local_response_normalization",
    "non_max_suppression_v4",
    "quantize",
    "reduce_window",
    "transpose_conv",
    "unsorted_segment_max",
    "unsorted_segment_min",
)
# Rare among drawn cases; no model has COMPLEX_ABS alone (test_complex.py).
RARE = {"cast", "complex_abs", "non_max_suppression_v5", "topk_v2"}


def test_every_operator_whose_corners_differ_is_in_the_table() -> None:
    stated = {name for corner in CORNERS for name in corner.operators.split()}
    alone = {case[0].name.lower() for case in CORNER_CASES}
    assert stated == alone | {*DRAWN} | RARE


@pytest.mark.parametrize("name", DRAWN)
def test_drawn_cases_with_nan_or_an_infinity_differ(name: str) -> None:
    drawn = (case for key in keys([f"{name}:"]) if key[0] == f"tfl.{name}" for *_, case in cases(*key, 4))
    assert any(map(difference, drawn))


# ** 64-bit integers **


def wide(*values: int) -> Const:
    return Const(np.array(values, np.int64))


def scalars(*values: int) -> list[Const]:
    return [Const(np.array(value, np.int64)) for value in values]


@pytest.mark.parametrize(
    ("builtin", "operands", "reason"),
    [
        (B.RANGE, scalars(1 << 40, (1 << 40) + 3, 1), "expected constants that fit 32 bits, found 1099511627776"),
        (B.RANGE, scalars(1 << 30, (1 << 31) + 30, 1 << 29), "expected constants that fit 32 bits, found 2147483648"),
        (
            B.REDUCE_PROD,
            [wide(1 << 20, 1 << 20), Const(np.array([0], np.int32))],
            "expected constants that fit 32 bits, found 1099511627776",
        ),
        (B.MUL, [wide(1 << 20), wide(1 << 20)], "expected constants that fit 32 bits, found 1099511627776"),
        (B.ADD, [wide(1 << 30), wide(1 << 30)], "no defined result"),
        (B.SUB, [wide(-(1 << 31)), wide(1)], "no defined result"),
        (B.NEG, [wide(-(1 << 31))], "no defined result"),
        (
            B.SUM,
            [wide(1 << 30, 1 << 30), Const(np.array([0], np.int32))],
            "no defined result",
        ),
        (B.CAST, [Const(floats(1e12))], "expected constants that fit 32 bits, found 999999995904.0"),
    ],
)
def test_constants_beyond_32_bits_do_not_wrap(builtin: B, operands: list[Const], reason: str) -> None:
    with pytest.raises(UnsupportedError, match=reason):
        legalized(single(builtin, operands, ["int64"])[0])


@pytest.mark.parametrize(
    ("builtin", "operands"),
    [
        (B.RANGE, scalars(5, -7, -3)),
        (B.RANGE, scalars((1 << 31) - 3, 1 << 31, 1)),
        (B.REDUCE_PROD, [wide(1 << 20, -(1 << 11)), Const(np.array([0], np.int32))]),
        (B.MUL, [wide(1 << 20), wide(-(1 << 11))]),
        (B.CAST, [Const(floats(-2147483648.0, 1.75, -1.75))]),
    ],
)
def test_constants_of_64_bits_that_fit_are_exact(builtin: B, operands: list[Const]) -> None:
    check(builtin, operands, ["int64"])


def test_arithmetic_in_32_bits_is_noted_once() -> None:
    tensors = [Tensor((2,), "int64"), Tensor((2,), "int64"), Tensor((2,), "int64")]
    operators = [Operator(B.ADD, (0, 0), (1,)), Operator(B.MUL, (1, 0), (2,))]
    report = Report()
    legalized(build(tensors, operators, (0,), (2,)), report=report)
    (note,) = report.notes
    assert note.location == "main:0 ADD 't1'"
    assert "64-bit integers are computed in 32 bits" in note.text


# ** windows and slices **


@pytest.mark.parametrize("builtin", [B.MAX_POOL_2D, B.AVERAGE_POOL_2D])
def test_a_window_larger_than_a_constant_image_gives_nothing(builtin: B) -> None:
    image = Const(np.ones((1, 1, 2, 1), np.float32))
    data, _ = single(builtin, [image], **{**WINDOW, "filter_width": 3, "stride_w": 2})
    assert run_litert(data, [])[0].size == 0
    with pytest.raises(UnsupportedError, match="expected a window of at most 2 elements, found 3"):
        legalized(data)


def test_an_offset_with_an_ellipsis_is_refused() -> None:
    """The kernel takes sizes by the dimension of the result, whichever index they belong to."""
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    indices = [Const(np.array(values, np.int32)) for values in ([0, 1], [1, 2], [1, 1])]
    data, _ = single(B.STRIDED_SLICE, [x, *indices], ellipsis_mask=1, offset=True)
    assert run_litert(data, [x])[0].shape == (1, 2)  # x[..., 1:3] is 2x2
    with pytest.raises(UnsupportedError, match="LiteRT's kernel reads sizes of other dimensions"):
        legalized(data)


# ** what isn't known before the run **


def test_positions_of_a_run_time_condition_are_refused() -> None:
    data, _ = single(B.WHERE, [np.array([True, False])], ["int64"])
    assert "the number of true elements is known at run time only" in refusal(data)


def test_sums_of_run_time_segments_are_refused() -> None:
    data, _ = single(B.SEGMENT_SUM, [floats(1, 2), np.array([0, 1], np.int32)])
    assert "the number of segments is known at run time only" in refusal(data)


@pytest.mark.parametrize(("old_type", "new_type"), [("float32", "int32"), ("int32", "float32"), ("float32", "uint8")])
def test_bits_of_run_time_floats_are_refused(old_type: str, new_type: str) -> None:
    data, _ = single(B.BITCAST, [np.zeros(3, old_type)], [new_type])
    assert "TOSA can't reinterpret other bits" in refusal(data)


@pytest.mark.parametrize("segments", [1, 0, -1])
def test_segments_beyond_their_number_are_refused(segments: int) -> None:
    ids, count = (Const(np.array(values, np.int32)) for values in ([0, 1], segments))
    data, _ = single(B.UNSORTED_SEGMENT_SUM, [floats(1, 2), ids, count])
    assert "segment" in refusal(data)


VALUES = np.arange(-128, 128, dtype=np.int8)
PAIRS = VALUES.repeat(256), np.tile(VALUES, 256)


def test_comparisons_on_fine_scales_equal_litert() -> None:
    """Below 2**-8, elements that differ compare as equal."""
    a, b = quantized(PAIRS[0], 0.001, 3), quantized(PAIRS[1], 0.00101, -5)
    for builtin in (B.EQUAL, B.LESS):
        assert_exact(*model(builtin, [a, b], plain((65536,), "bool")))


def test_comparisons_on_coarse_scales_are_exact_with_a_note() -> None:
    """From 1 on, LiteRT shifts by a negative number; ours compares to 2**-8, with a note."""
    a, b = quantized(PAIRS[0], 1.5, 3), quantized(PAIRS[1], 1.75, -5)
    data, arrays = model(B.LESS, [a, b], plain((65536,), "bool"))
    report = Report()
    lowered = run_pass(read_tflite(data), LEGALIZE, report=report)
    reals = [(x.astype(float) - zero) * scale for x, zero, scale in zip(PAIRS, (3, -5), (1.5, 1.75), strict=True)]
    np.testing.assert_array_equal(executed(lowered, arrays)[0], reals[0] < reals[1])
    assert ["undefined in C" in note.text for note in report.notes] == [True]


@pytest.mark.parametrize(("builtin", "bound"), [(B.RELU6, 6.0)])
def test_bounds_of_2_to_the_31_steps_are_refused(builtin: B, bound: float) -> None:
    """The next larger scale has fewer steps, which 32 bits hold."""
    scale = np.float32(bound * 2.0**-31)
    for step, refused in ((scale, True), (np.nextafter(scale, np.float32(1)), False)):
        tensors = [Tensor((4,), "int8", scale=float(step), zero_point=0) for _ in range(2)]
        data = build(tensors, [Operator(builtin, [0], [1], version=2)], [0], [1])
        if refused:
            with pytest.raises(UnsupportedError, match=r"expected a scale on which .* fits 32 bits"):
                tc.convert(data)
        else:
            x = np.array([-128, -1, 0, 127], np.int8)
            (output,) = tc.run(tc.convert(data), {"t0": x}).values()
            np.testing.assert_array_equal(output, run_litert(data, [x])[0])
