"""Numbers of lowerings, computed by hand: limits from both sides, slice entries, function constants, reasons."""

import itertools
import math

import numpy as np
import pytest
from support.expressions import evaluate
from support.legalizing import legalized, single
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError
from tosa_converter.ir import Op, Quant, TensorType, Value
from tosa_converter.legalize.limits import affordable, narrowed, normalized_axis
from tosa_converter.legalize.ops.resize import Sampling
from tosa_converter.legalize.quant import fixed_point, single_rounding
from tosa_converter.legalize.quant.multipliers import Multiplier, single_round
from tosa_converter.legalize.quant.requantize import _merge_equal
from tosa_converter.legalize.tflite.any_type.strided import _dimension_indices
from tosa_converter.legalize.tflite.overflow import may_overflow
from tosa_converter.legalize.tflite.windows import padding_1d, transposed_padding
from tosa_converter.legalize.xnnpack.pool import repeat_edges
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.schemas import tflite
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import Padding

# ** limits **


@pytest.mark.parametrize(
    ("sizes", "fits"),
    [([], True), ([0], True), ([1 << 24], True), ([(1 << 24) + 1], False), ([-1], False), ([4096, 4096], True)],
)
def test_constants_have_up_to_16_million_elements(sizes: list[int], fits: bool) -> None:
    if fits:
        assert affordable(sizes) == sizes
    else:
        with pytest.raises(Decline, match="expected a constant of at most 16777216 elements"):
            affordable(sizes)


@pytest.mark.parametrize("value", [-(2**31) - 1, -(2**31), 2**31 - 1, 2**31])
def test_constants_of_64_bits_fit_32(value: int) -> None:
    if -(2**31) <= value < 2**31:
        assert narrowed(np.array([0, value])).tolist() == [0, value]
    else:
        with pytest.raises(Decline, match=f"expected constants that fit 32 bits, found {value}"):
            narrowed(np.array([0, value]))


@pytest.mark.parametrize(("axis", "expected"), [(-3, 0), (-1, 2), (0, 0), (2, 2), (3, None), (-4, None)])
def test_axes_are_counted_from_both_ends(axis: int, expected: int | None) -> None:
    if expected is None:
        with pytest.raises(Decline, match=rf"expected an axis in \[-3, 3\), found {axis}"):
            normalized_axis(axis, 3)
    else:
        assert normalized_axis(axis, 3) == expected


@pytest.mark.parametrize(
    ("sampling", "legal"),
    [
        ((1, 1, 0, 0), True),
        ((2048, 2048, 0, 0), True),
        ((2049, 2049, 0, 0), False),
        ((256, 1, 0, 0), True),
        ((257, 1, 0, 0), False),
        ((1, 15, 0, 0), True),
        ((1, 16, 0, 0), False),
        ((2, 31, 0, 0), True),
        ((2, 32, 0, 0), False),
        ((2, 1, -2, 0), True),
        ((2, 1, -3, 0), False),
        ((2, 1, 31, 0), True),
        ((2, 1, 32, 0), False),
        ((2, 1, 0, -32), True),
        ((2, 1, 0, -33), False),
        ((2, 1, 0, 1), True),
        ((2, 1, 0, 2), False),
    ],
)
def test_resize_is_taken_within_its_limits(sampling: tuple[int, int, int, int], legal: bool) -> None:
    """Each number violates one ERROR_IF or LEVEL_CHECK of RESIZE (2.12.1) only."""
    assert Sampling(*sampling).legal == legal


@pytest.mark.parametrize(
    ("kind", "size", "inputs", "expected"),
    [
        (Padding.VALID, 7, 3, [0, 0]),  # (3 - 1) * 2 + 3 = 7
        (Padding.VALID, 8, 3, [0, 1]),
        (Padding.VALID, 5, 3, [0, -2]),
        (Padding.VALID, 4, 3, None),  # a whole kernel of 3
        (Padding.SAME, 6, 3, [0, -1]),
        (Padding.SAME, 5, 3, [-1, -1]),
        (Padding.SAME, 3, 3, None),
    ],
)
def test_a_transposed_convolution_pads_or_crops_its_result(
    kind: Padding, size: int, inputs: int, expected: list[int] | None
) -> None:
    """The kernel is 3 and the stride 2; the width isn't cut."""
    sizes, spans = ((size, 7), (inputs, 3)), ((3, 3), (2, 2))
    if expected is None:
        with pytest.raises(Decline, match=rf"expected an output that keeps part of each kernel, found \[{size}, 7\]"):
            transposed_padding(kind, *sizes, *spans)
        return
    assert transposed_padding(kind, *sizes, *spans)[:2] == expected
    before, _ = padding_1d(kind, size, 3, 2)
    assert expected[0] == -before


# ** slices **


@pytest.mark.parametrize("stride", [-3, -2, -1, 1, 2, 3])
@pytest.mark.parametrize("size", [1, 4])
def test_entries_of_slices_equal_pythons(size: int, stride: int) -> None:
    """Every begin, end and mask is covered; in Python, an end before the first entry is None."""
    for begin, end, masks in itertools.product(range(-size - 2, size + 3), range(-size - 2, size + 3), range(4)):
        options = tflite.StridedSliceOptions(begin_mask=2 * (masks & 1), end_mask=masks & 2)
        entry = _dimension_indices(options, 1, size, begin, end, stride)
        expected = slice(None if masks & 1 else begin, None if masks & 2 else end, stride)
        assert list(entry.indices) == list(range(size))[expected]
        assert (entry.size, entry.dropped) == (size, False)


@pytest.mark.parametrize(("begin", "place"), [(-4, 0), (-1, 3), (0, 0), (3, 3), (4, None), (-5, 0)])
def test_a_dropped_dimension_has_one_place(begin: int, place: int | None) -> None:
    """An index before the first one is clamped to it, as in StartForAxis; one behind the last is refused."""
    options = tflite.StridedSliceOptions(shrink_axis_mask=4)
    if place is None:
        with pytest.raises(Decline, match=rf"expected an index in \[-4, 4\), found {begin}"):
            _dimension_indices(options, 2, 4, begin, 0, 1)
        return
    entry = _dimension_indices(options, 2, 4, begin, 0, 1)
    assert (list(entry.indices), entry.dropped) == ([place], True)
    with pytest.raises(
        Decline,
        match="expected a positive stride for the dropped dimension 2, found -1: LiteRT's kernel writes nothing",
    ):
        _dimension_indices(options, 2, 4, begin, 0, -1)


@pytest.mark.parametrize(
    ("begin", "count", "stride", "mask", "places"),
    [
        (1, 3, 1, 0, [1, 2, 3]),
        (1, 1, 1, 0, [1]),
        (-3, 2, 1, 0, [1, 2]),
        (0, 4, 3, 0, [0, 3]),
        (1, 0, 1, 0, None),
        (1, 4, 1, 0, None),
        (1, -1, 1, 0, None),
        (1, 2, -1, 0, None),
        (1, 2, 1, 1, None),
    ],
)
def test_ends_of_slices_may_be_counts(begin: int, count: int, stride: int, mask: int, places: list[int] | None) -> None:
    options = tflite.StridedSliceOptions(offset=True, end_mask=mask)
    if places is None:
        with pytest.raises(
            Decline, match=f"elements from 1 on, a positive stride and no end mask, found offset {count} and"
        ):
            _dimension_indices(options, 0, 4, begin, count, stride)
    else:
        assert list(_dimension_indices(options, 0, 4, begin, count, stride).indices) == places
    with pytest.raises(Decline, match="expected strides other than 0"):
        _dimension_indices(options, 0, 4, begin, count, 0)


# ** constants and multipliers **


def test_factors_of_exponentials() -> None:
    """Factors are exp(-2**n) in Q0.31, rounded; the series' constants are tested too."""
    expected = [(n, round(math.exp(-(2.0**n)) * 2**31)) for n in range(-2, 5)]
    assert [(n, value) for n, value in fixed_point._EXP_OF_POWERS] == expected
    assert round(math.exp(-1 / 8) * 2**31) == fixed_point._EXP_OF_EIGHTH
    assert round(2**31 / 3) == fixed_point._THIRD
    assert (round(48 / 17 * 2**29), round(-32 / 17 * 2**29)) == (fixed_point.START, fixed_point.SLOPE)
    assert round(math.sqrt(0.5) * 2**31) == fixed_point.ROOT_OF_HALF


@pytest.mark.parametrize(
    ("m", "shift", "merged"),
    [
        ([7], [3], ([7], [3])),
        ([7, 7], [3, 3], ([7], [3])),
        ([7, 7, 7], [3, 3, 3], ([7], [3])),
        ([7, 7], [3, 4], ([7, 7], [3, 4])),
        ([7, 8], [3, 3], ([7, 8], [3, 3])),
        ([7, 8, 7], [3, 3, 3], ([7, 8, 7], [3, 3, 3])),
        ([7, 7, 7], [3, 4, 3], ([7, 7, 7], [3, 4, 3])),
    ],
)
def test_equal_multipliers_are_one(m: list[int], shift: list[int], merged: tuple[list[int], list[int]]) -> None:
    multiplier = _merge_equal(Multiplier(np.array(m), np.array(shift)))
    assert (multiplier.m.tolist(), multiplier.shift.tolist()) == merged


@pytest.mark.parametrize(
    ("nominal", "points", "shift"),
    [
        (2.0**28, [0, 1], 2),  # 31 - 29
        (2.0**29, [0, 1], None),
        (2.0**-32, [0, 1], 62),
        (2.0**-33, [0, 1], None),
        (2.0**28, [-1, 1], 2),
        (2.0**28, [0, 2], None),  # which doesn't fit the shift: 2 is not below 1 << 1
        (0.0, [0], None),
        (-1.0, [0], None),
    ],
)
def test_shifts_of_a_single_rounding_are_2_to_62(nominal: float, points: list[int], shift: int | None) -> None:
    results = np.array([math.floor(abs(x) * nominal + 0.5) * (1 if x > 0 else -1) for x in points], np.int64)
    rounding = single_round(np.array(points), results, nominal)
    assert (None if rounding is None else rounding[1]) == shift
    if rounding is not None:
        m, by = rounding
        assert [(x * m + (1 << by - 1)) >> by for x in points] == results.tolist()


@pytest.mark.parametrize("real", [0.5, 0.25, 0.3, 3e-5, 0.999])
@pytest.mark.parametrize(("low", "high"), [(-3, 4), (-128, 127), (0, 1)])
def test_a_single_rounding_is_right_at_every_level(real: float, low: int, high: int) -> None:
    """Every sum is compared if there are few, else those around the middle of every two levels."""
    ends = int((low - 2) / real), int((high + 2) / real)
    plan = single_rounding.single_multipliers(np.array([real]), np.array([ends[0]]), np.array([ends[1]]), low, high)
    assert plan is not None
    middles = (np.arange(low, high)[:, None] + 0.5) / real + np.arange(-2, 3)
    sums = np.unique(np.floor(middles).astype(np.int64).clip(*ends))
    sums = np.arange(ends[0], ends[1] + 1) if ends[1] - ends[0] < 5000 else sums
    m, shift = (int(part[0]) for part in plan)
    levels = np.clip((sums * m + (1 << shift - 1)) >> shift, low, high)
    expected = np.clip(np.sign(sums) * np.floor(np.abs(sums * real) + 0.5), low, high)
    np.testing.assert_array_equal(levels, expected)


def test_the_last_levels_count_too() -> None:
    """With 1.5 / 2**28, every near multiplier misses a tie, on one side of 0 or at the highest levels."""
    real, low, high = 1.5 * 2.0**-28, -3, 4
    ends = int((low - 2) / real), int((high + 2) / real)
    first, last = (np.array([end]) for end in ends)
    assert single_rounding.single_multipliers(np.array([real]), first, last, low, high) is None
    middles = (np.arange(low, high)[:, None] + 0.5) / real + np.arange(-3, 4)
    sums = np.unique(np.floor(middles).astype(np.int64).clip(*ends))
    expected = np.clip(np.sign(sums) * np.floor(np.abs(sums * real) + 0.5), low, high)
    for m in range(3 * 2**29 - 8, 3 * 2**29 + 9):
        levels = np.array([(int(x) * m + (1 << 57)) >> 58 for x in sums]).clip(low, high)
        assert (levels != expected).any()


@pytest.mark.parametrize("pad", [(0, 0), (1, 0), (0, 2), (3, 1)])
@pytest.mark.parametrize("axis", [1, 2])
def test_edges_are_repeated(axis: int, pad: tuple[int, int]) -> None:
    x = np.random.default_rng(0).standard_normal((2, 3, 4, 5)).astype(np.float32)
    (padded,) = evaluate(lambda x: repeat_edges(x, axis, pad), x)
    np.testing.assert_array_equal(padded, np.pad(x, [pad if i == axis else (0, 0) for i in range(4)], "edge"))


def quantized(*scale: float) -> Value:
    return Value(TensorType(DType.I8, (2,), Quant(scale, (0,) * len(scale)) if scale else None))


@pytest.mark.parametrize(
    ("operands", "result", "expected"),
    [
        (((0.5,), (0.5,)), (0.25,), False),
        (((0.5,), (0.5,)), (0.24,), True),
        (((0.5,), (0.25, 0.5)), (0.24,), True),
        (((0.5,), (0.25, 0.5)), (0.25,), False),
        (((0.5,), ()), (0.5,), False),  # one operand has a scale: the sum's is that
        (((0.5,), ()), (0.4,), True),
        (((0.5,), (0.5,)), (0.5, 0.24), True),
    ],
)
def test_sums_that_are_scaled_up_may_overflow(
    operands: tuple[tuple[float, ...], ...], result: tuple[float, ...], expected: bool
) -> None:
    op = Op("tfl.conv_2d", [quantized(*scale) for scale in operands], [quantized(*result).type])
    assert may_overflow(op) == expected


# ** functions **

FLOATS = np.array([-np.inf, -7, -6, -2, -1, -0.5, -0.0, 0, 0.5, 1, 2, 3, 5.5, 6, 7, np.inf], np.float32)
CLAMPS = {"RELU": (0, np.inf), "RELU6": (0, 6), "RELU_N1_TO_1": (-1, 1), "RELU_0_TO_1": (0, 1)}


@pytest.mark.parametrize("name", CLAMPS)
@pytest.mark.parametrize("rank", [0, 1, 3])
def test_activations_clamp(name: str, rank: int) -> None:
    x = FLOATS[12] if rank == 0 else FLOATS.reshape((-1,) if rank == 1 else (2, 1, 8))
    model = legalized(single(B[name], [np.asarray(x)])[0])
    np.testing.assert_array_equal(tc.run(model, {"t0": np.asarray(x)})["t1"], np.clip(x, *CLAMPS[name]))


@pytest.mark.parametrize("shape", [(4, 4), (8, 2), (3, 4, 8), (2, 3, 1, 2), (3, 5, 6)])
@pytest.mark.parametrize("lengths", [(4, 4), (2, 8), (1, 1), (3, 5), (6, 4)])
def test_fourier_transforms_may_have_any_batch(shape: tuple[int, ...], lengths: tuple[int, int]) -> None:
    """Only the lengths decide about RFFT2D, which takes powers of two."""
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    tensors = [Tensor(shape), Tensor((2,), "int32", np.array(lengths, np.int32))]
    result = (*shape[:-2], lengths[0], lengths[1] // 2 + 1)
    tensors += [Tensor(result, "complex64"), Tensor(result), Tensor(result)]
    ops = [Operator(B.RFFT2D, [0, 1], [2]), Operator(B.REAL, [2], [3]), Operator(B.IMAG, [2], [4])]
    model = tc.convert(build(tensors, ops, [0], [3, 4]))
    names = {op.name for op in model.main.ops}
    assert ("tosa.rfft2d" in names) == all(n & n - 1 == 0 for n in lengths)
    real, imag = tc.run(model, {"t0": x}).values()
    expected = np.fft.rfft2(x.astype(np.float64), lengths)
    np.testing.assert_allclose(real, expected.real, atol=1e-4)
    np.testing.assert_allclose(imag, expected.imag, atol=1e-4)


@pytest.mark.parametrize("lengths", [(4,), (4, 4, 4), (0, 4), (4, 8193), (8192, 1)])
def test_lengths_of_fourier_transforms_are_limited(lengths: tuple[int, ...]) -> None:
    tensors = [Tensor((1, 1)), Tensor((len(lengths),), "int32", np.array(lengths, np.int32))]
    tensors += [Tensor((1, 1), "complex64"), Tensor((1, 1))]
    ops = [Operator(B.RFFT2D, [0, 1], [2]), Operator(B.REAL, [2], [3])]
    data = build(tensors, ops, [0], [3])
    if lengths == (8192, 1):
        tc.convert(data)
        return
    with pytest.raises((UnsupportedError, tc.FormatError), match=r"expected 2 lengths in \[1, 8192\]|shape|lengths"):
        tc.convert(data)


def test_the_reason_states_the_shapes() -> None:
    """A shape may have no dimensions, or unknown ones."""
    scalar, unknown = Tensor(()), Tensor((1, 6), signature=(-1, 6))
    for text, result in (("none", scalar), ("[?, 6]", unknown)):
        tensors = [Tensor((2, 3)), Tensor((2,), "int32"), result]
        with pytest.raises(UnsupportedError) as refused:
            tc.convert(build(tensors, [Operator(B.RESHAPE, [0, 1], [2])], [0, 1], [2]))
        assert f"the file must state the result's shape of rank 2: found {text}" in str(refused.value)
