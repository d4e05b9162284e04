"""Figures of a comparison by hand: distances, decibels, histograms, steps; what random inputs hold."""

import math

import numpy as np
import pytest

from tosa_converter.dtypes import DType
from tosa_converter.errors import UsageError
from tosa_converter.ir import Array, Quant, TensorType, Value
from tosa_converter.proof import compare
from tosa_converter.proof import input_sets as input_sets_module
from tosa_converter.proof.compare import _nearer, _set_apart, compared_outputs
from tosa_converter.proof.input_sets import input_sets, random_inputs, require_runs
from tosa_converter.proof.judgement import difference, digits, largest, sqnr
from tosa_converter.proof.source_runs import _without_padding

NAN, INF = np.nan, np.inf


@pytest.mark.parametrize(
    ("error", "expected"), [(0.0, INF), (1e-3, 3.0), (0.5, 0.30103), (1.0, 0.0), (10.0, 0.0), (INF, 0.0)]
)
def test_digits_that_an_error_leaves(error: float, expected: float) -> None:
    assert digits(error) == pytest.approx(expected, abs=1e-5)


def test_differences_of_special_numbers() -> None:
    a = np.array([1, NAN, NAN, INF, INF, -INF, INF, 0, 3e38], np.float32)
    b = np.array([3, NAN, 1, INF, -INF, -INF, 1, -0.0, -3e38], np.float32)
    assert difference(a, b).tolist() == pytest.approx([2, 0, INF, 0, INF, 0, INF, 0, 6e38])
    assert difference(np.array([-128, 127], np.int8), np.array([127, -128], np.int8)).tolist() == [255, 255]
    assert largest(a) == pytest.approx(3e38)
    assert largest(np.array([NAN, -INF])) == 0
    assert largest(np.array([-7, 3], np.int8)) == 7
    assert largest(np.zeros(0)) == 0


def test_decibels() -> None:
    """By hand: a signal of 100 and a noise of 1 are 20 dB."""
    reference = np.array([6.0, 8.0, NAN, INF])
    assert sqnr(reference, np.array([1.0, 0, 0, 0])) == pytest.approx(20)
    assert sqnr(reference, np.array([0.6, 0.8, 0, 0])) == pytest.approx(20)
    assert sqnr(reference, np.zeros(4)) == INF
    assert sqnr(reference, np.array([INF, 0, 0, 0])) == -INF
    assert sqnr(np.zeros(2), np.ones(2)) == -INF


OUTPUT = Value(TensorType(DType.FP32, (2, 2)), "y")


def output(a: object, b: object, tolerance: float = 0.0, steps: int = 0, value: Value = OUTPUT) -> compare.OutputReport:
    dtype = value.type.dtype.numpy
    (report,) = compared_outputs(
        [value],
        [[np.array(run, dtype)] for run in a],  # type: ignore[attr-defined]  # lists of runs
        [[np.array(run, dtype)] for run in b],  # type: ignore[attr-defined]
        tolerance,
        steps,
    )
    return report


def test_the_figures_of_an_output() -> None:
    """Over two runs; the tolerance is a part of the largest finite element of all."""
    report = output([[[1, 2], [3, 4]], [[5, 6], [7, -8]]], [[[1, 2], [3, 4.5]], [[5, 6], [7.25, -8]]], 0.0625)
    assert (report.name, report.type, report.elements, report.mismatches) == ("y", str(OUTPUT.type), 8, 2)
    assert (report.max_abs, report.reference_max, report.tolerance) == (0.5, 8.0, 0.5)
    assert report.sqnr_db == pytest.approx(10 * math.log10(204 / 0.3125))
    assert (report.verdict, report.rule, report.step) == (True, "within 0.0625", None)
    assert report.histogram == ((-0.75, 1), (-0.5, 1))  # 0.25 lies from 0.178 on, 0.5 from 0.316
    assert report.digits == pytest.approx(-math.log10(0.5 / 8))
    less = output([[[1, 2], [3, 4]], [[5, 6], [7, -8]]], [[[1, 2], [3, 4.5]], [[5, 6], [7.25, -8]]], 0.0624)
    assert (less.verdict, less.rule) == (False, "differs")
    same = output([[[1, NAN], [INF, 4]]], [[[1, NAN], [INF, 4]]], 0.0)
    assert (same.verdict, same.rule, same.mismatches, same.sqnr_db, same.histogram) == (True, "equal", 0, INF, ())
    assert (same.reference_max, same.digits) == (4.0, INF)


def test_outputs_of_another_shape_differ_in_every_element() -> None:
    report = output([[[1, 2], [3, 4]], [[1, 2], [3, 4]]], [[[1, 2], [3, 4]], [[1, 2, 3, 4]]], 1.0)
    assert (report.elements, report.mismatches, report.max_abs, report.verdict) == (8, 8, INF, False)
    assert (report.type, report.rule, report.sqnr_db) == (f"{OUTPUT.type}, found shape [1, 4]", "differs", -INF)


def test_integers_have_no_tolerance() -> None:
    value = Value(TensorType(DType.I8, (2, 2)), "y")
    report = output([[[1, 2], [3, 100]]], [[[1, 2], [3, 101]]], 0.5, value=value)
    assert (report.verdict, report.tolerance, report.max_abs) == (False, 0.0, 1.0)


@pytest.mark.parametrize(("places", "step"), [([(0, 2)], 2), ([(1, 0)], 0), ([(0, 2), (1, 1)], 1), ([], None)])
def test_the_first_step_of_any_run(places: list[tuple[int, int]], step: int | None) -> None:
    a, b = np.zeros((2, 3, 2), np.float32), np.zeros((2, 3, 2), np.float32)
    for run, at in places:
        b[run, at, 1] = 1
    report = output(a, b, 0.0, 3, Value(TensorType(DType.FP32, (3, 2)), "y"))
    assert report.step == step
    assert output(a, b, 0.0, 0, Value(TensorType(DType.FP32, (3, 2)), "y")).step is None


def test_tolerances_of_fp16() -> None:
    value = Value(TensorType(DType.FP16, (1,)), "y")
    for tolerance, halves, expected in ((1e-5, 2e-3, 2e-3), (1e-2, 2e-3, 1e-2), (1e-5, 0.0, 1e-5)):
        (report,) = compared_outputs(
            [value], [[np.ones(1, np.float16)]], [[np.ones(1, np.float16)]], tolerance, 0, fp16_tolerance=halves
        )
        assert report.tolerance == pytest.approx(expected)


def test_what_is_undefined_is_set_apart() -> None:
    """By hand: equal to the third, nearer to it, as near, farther."""
    reference = np.array([1, 10, 10, 10], np.int8)
    result = np.array([5, 20, 12, 11], np.int8)
    other = np.array([1, 15, 8, 20], np.int8)
    adjusted_reference, adjusted_result, count = _nearer(reference, result, other)
    assert (adjusted_reference.tolist(), adjusted_result.tolist(), count) == ([5, 10, 10, 10], [5, 15, 12, 11], 2)
    wanted_runs, kept_runs, counts = _set_apart([[reference]] * 2, [[result]] * 2, [[other], [other[:2]]])
    assert [run[0].tolist() for run in wanted_runs] == [adjusted_reference.tolist(), reference.tolist()]
    assert [run[0].tolist() for run in kept_runs] == [adjusted_result.tolist(), result.tolist()]
    assert counts == [2]


@pytest.mark.parametrize(
    ("shape", "reference", "expected"),
    [((4, 3), (2, 3), (2, 3)), ((4, 3), (4, 3), (4, 3)), ((4, 3), (5, 1), (4, 3)), ((4, 3), (2,), (4, 3))],
)
def test_bounded_results_are_cut_to_what_the_source_has(
    shape: tuple[int, ...], reference: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    result = np.arange(math.prod(shape)).reshape(shape)
    unpadded = _without_padding(result, np.zeros(reference))
    assert unpadded.shape == expected
    np.testing.assert_array_equal(unpadded, result[: expected[0], : expected[1]])


@pytest.mark.parametrize(("runs", "fits"), [(0, False), (1, True), (100_000, True), (100_001, False)])
def test_runs_are_1_to_100000(runs: int, fits: bool) -> None:
    if fits:
        require_runs(runs)
    else:
        with pytest.raises(UsageError, match=f"^expected 1 to 100000 runs, found {runs}$"):
            require_runs(runs)


def test_sets_of_inputs_have_room(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, int]] = []
    monkeypatch.setattr(input_sets_module, "require_memory", lambda subject, count: asked.append((subject, count)))
    sets = input_sets(lambda i: {"x": np.full(3, i, np.int32), "y": np.zeros(1, np.int8)}, 4)
    assert [arrays["x"][0] for arrays in sets] == [0, 1, 2, 3]
    assert asked == [("4 sets of inputs", 4 * 13)]
    asked.clear()
    random_inputs([OUTPUT, Value(TensorType(DType.I8, (3,)), "z")], {}, 0)
    assert asked == [("the inputs: all of them", 16 * (4 + 3))]


# ** random inputs **


def drawn(
    dtype: DType, *, quant: Quant | None = None, range: tuple[float, float] | None = None, seed: int = 0
) -> Array:
    value = Value(TensorType(dtype, (4000,), quant), "x")
    (array,) = random_inputs([value], {}, seed, {} if range is None else {"x": range}).values()
    assert array.dtype == dtype.numpy
    return array


@pytest.mark.parametrize(
    ("dtype", "low", "high"),
    [
        (DType.I8, -128, 127),
        (DType.UI8, 0, 255),
        (DType.I16, -32768, 32767),
        (DType.UI16, 0, 65535),
        (DType.I32, -1000, 1000),
        (DType.UI32, 0, 1000),
        (DType.I64, -1000, 1000),
    ],
)
def test_integers_are_of_their_whole_range_or_to_1000(dtype: DType, low: int, high: int) -> None:
    elements = np.concatenate([drawn(dtype, seed=seed) for seed in range(5)]).astype(np.int64)
    assert elements.min() >= low
    assert elements.max() <= high
    near = (high - low) // 500
    assert elements.min() <= low + near
    assert elements.max() >= high - near
    assert abs(elements.mean() - (low + high) / 2) < (high - low) / 50


def test_floats_are_normal_and_truths_fair() -> None:
    for dtype in (DType.FP32, DType.FP16):
        elements = drawn(dtype).astype(np.float64)
        assert abs(elements.mean()) < 0.05
        assert abs(elements.std() - 1) < 0.05
    assert 0.45 < drawn(DType.BOOL).mean() < 0.55


@pytest.mark.parametrize(
    ("dtype", "quant", "range", "ends"),
    [
        (DType.FP32, None, (-2.0, 3.0), (-2, 3)),
        (DType.I32, None, (-2.5, 3.5), (-2, 3)),
        (DType.I32, None, (5, 5), (5, 5)),
        (DType.I8, None, (-1000, 2), (-128, 2)),
        (DType.I8, None, (100, 1000), (100, 127)),
        (DType.I8, Quant((0.5,), (3,)), (-2.0, 3.0), (-1, 9)),  # reals over 0.5 and 3 more
    ],
)
def test_ranges(dtype: DType, quant: Quant | None, range: tuple[float, float], ends: tuple[int, int]) -> None:
    elements = drawn(dtype, quant=quant, range=range).astype(np.float64)
    assert ends[0] <= elements.min() <= ends[0] + 0.05
    assert ends[1] - 0.05 <= elements.max() <= ends[1]


@pytest.mark.parametrize(
    ("range", "message"),
    [
        ((3, 2), "range: expected LOW,HIGH, finite and LOW not beyond HIGH, found 3,2"),
        ((0, INF), "range: expected LOW,HIGH, finite and LOW not beyond HIGH, found 0,inf"),
        ((NAN, 1), "range: expected LOW,HIGH, finite and LOW not beyond HIGH, found nan,1"),
        ((0.25, 0.75), r"input 'x': i8\[4000\] has no number in the range 0.25,0.75"),
        ((128, 200), r"input 'x': i8\[4000\] has no number in the range 128,200"),
    ],
)
def test_ranges_that_are_none(range: tuple[float, float], message: str) -> None:
    with pytest.raises(UsageError, match=f"^{message}$"):
        drawn(DType.I8, range=range)


def test_what_has_no_random_values() -> None:
    with pytest.raises(UsageError, match=r"^seed: expected one from 0 on, found -1$"):
        random_inputs([OUTPUT], {}, -1)
    for dtype in (DType.STRING, DType.RESOURCE, DType.VARIANT):
        with pytest.raises(UsageError, match="there are no random values of "):
            random_inputs([Value(TensorType(dtype, (1,)), "x")], {}, 0)
    unknown = Value(TensorType(DType.FP32, (None, 2)), "x")
    with pytest.raises(UsageError, match=r"expected a shape for fp32\[\?x2\]\nnext: add --input-shape "):
        random_inputs([unknown], {}, 0)
    assert random_inputs([unknown], {"x": (3, 2)}, 0)["x"].shape == (3, 2)


def test_a_range_without_a_name_is_for_all_others() -> None:
    values = [Value(TensorType(DType.FP32, (100,)), name) for name in "xy"]
    arrays = random_inputs(values, {}, 0, {"": (5.0, 6.0), "y": (8.0, 9.0)})
    assert 5 <= arrays["x"].min() <= arrays["x"].max() <= 6
    assert 8 <= arrays["y"].min() <= arrays["y"].max() <= 9
