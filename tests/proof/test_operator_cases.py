"""How far rounding may move one operator's result, and what proves operators equal: limits from both sides."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from tosa_converter.dtypes import DType
from tosa_converter.engines import Arrays
from tosa_converter.engines.litert import LiteRT
from tosa_converter.errors import ConverterError
from tosa_converter.ir import Array, Graph, Model, Op, TensorType, Value
from tosa_converter.proof import operator_cases, operator_proof
from tosa_converter.proof.judgement import Judgement, judge
from tosa_converter.proof.observation import ObservedRun
from tosa_converter.proof.operator_cases import _move_by_rounding, _rounding_spread, _variations, allow_for_rounding
from tosa_converter.proof.operators import Case
from tosa_converter.proof.places import Place
from tosa_converter.proof.rounding import move_floats
from tosa_converter.schemas.opsets import VARIABLE

F32, I8 = TensorType(DType.FP32, (2,)), TensorType(DType.I8, (2,))
REFERENCE = np.array([1.0, -8.0], np.float32)


def model_of(name: str = "abs", result: TensorType = F32) -> Model:
    x = Value(F32, "x")
    op = Op(f"tfl.{name}", [x], [result], result_names=["y"])
    return Model({"main": Graph("main", [x], [op.result], [op])}, opset="tfl")


def observed(model: Model, tolerance: float = 1e-5, arrays: Mapping[Value, Array] | None = None) -> ObservedRun:
    """Returns a run of a model that is its own conversion, without running it."""
    run = object.__new__(ObservedRun)
    run.source = run.model = model
    run.oracle, run.tolerance, run.steps = LiteRT(), tolerance, [{"x": REFERENCE}]
    run.following, run.undefined = {}, {}
    run.values = dict(arrays if arrays is not None else {model.main.outputs[0]: REFERENCE})
    run.places = [Place(value, value) for value in run.values]
    run.places_by_value = {value: [Place(value, value)] for value in run.values}
    return run


@pytest.mark.parametrize("tolerance", [1e-5, 2.0**-8, 2.0**-5])
def test_floats_are_rounded_by_their_type(tolerance: float) -> None:
    arrays = {"x": np.linspace(1, 2, 200, dtype=np.float32), "i": np.arange(200)}
    rounded = _move_by_rounding(arrays, 7, tolerance)
    np.testing.assert_array_equal(rounded["i"], arrays["i"])
    if tolerance == 1e-5:
        np.testing.assert_array_equal(rounded["x"], move_floats(arrays, 7)["x"])
        return
    ratios = rounded["x"].astype(np.float64) / arrays["x"]
    assert rounded["x"].dtype == np.float32
    assert set(np.round(ratios, 6).tolist()) == {round(1 - tolerance / 8, 6), round(1 + tolerance / 8, 6)}
    assert 60 < np.count_nonzero(ratios > 1) < 140


@pytest.mark.parametrize(
    ("error", "spread", "verdict", "bound"),
    [
        (0.0625, 0.0, True, 0.0625),  # the tolerance itself
        (0.125, 0.0, False, 0.0625),
        (0.125, 0.0625, True, 0.125),
        (0.125, 0.0624, False, 0.1248),
        (0.125, 0.03, False, 0.0625),
        (np.inf, 9.0, False, 0.0625),
    ],
)
def test_twice_what_litert_differs_by_is_allowed(
    monkeypatch: pytest.MonkeyPatch, error: float, spread: float, verdict: bool, bound: float
) -> None:
    model = model_of()
    asked: list[float] = []

    def measure(_run: ObservedRun, _value: Value, error: float) -> float:
        asked.append(error)
        return spread

    monkeypatch.setattr(operator_cases, "_rounding_spread", measure)
    judgement = judge(REFERENCE, REFERENCE + np.array([error, 0], np.float32), 2.0**-7)
    lenient_judgement = allow_for_rounding(observed(model), model.main.outputs[0], judgement)
    assert lenient_judgement.verdict == verdict
    assert lenient_judgement.tolerance == pytest.approx(bound)
    assert asked == ([error] if 0.0625 < error < np.inf else [])
    integers = judge(np.array([1, 2]), np.array([1, 3]), 0.0)
    assert allow_for_rounding(observed(model), model.main.outputs[0], integers) is integers


class Off(LiteRT):
    """Kernels whose results are off from the reference by one number after another."""

    def __init__(self, name: str, errors: list[float]) -> None:
        super().__init__(name)
        self.errors = errors

    def run_observed_steps(
        self, _model: Model, _steps: Sequence[Arrays], names: Sequence[str], *, content: bytes = b""
    ) -> tuple[list[list[Array]], dict[str, Array]]:
        """The next error; an engine fails on NaN."""
        assert not names
        assert not content
        error = self.errors.pop(0)
        if np.isnan(error):
            raise ConverterError("it refuses")
        return [[REFERENCE + np.float32(error)]], {}


@pytest.mark.parametrize(
    ("errors", "moved", "spread", "left"),
    [
        ([0.5, 0.25], [], 0.5, [0.25]),  # it explains the error of 1
        ([0.25, 0.5], [9.0], 0.5, []),
        ([0.25, 0.125], [0.375, 0.125], 0.375, []),
        ([0.0, np.nan], [0.0, 0.25], 0.25, []),
    ],
)
def test_runs_are_made_until_they_explain_an_error(
    monkeypatch: pytest.MonkeyPatch, errors: list[float], moved: list[float], spread: float, left: list[float]
) -> None:
    model = model_of()
    run = observed(model)
    first = [Off("litert-xnnpack", errors[:1]), Off("litert-optimized", errors[1:])]
    run.oracle = Off("litert", [*moved])
    monkeypatch.setattr(operator_cases, "litert_engines", lambda: [*first, run.oracle])
    assert _rounding_spread(run, model.main.outputs[0], 1.0) == spread
    assert [*first[0].errors, *first[1].errors] == left
    assert len(run.oracle.errors) == (1 if moved == [9.0] else 0)


def test_operands_without_dimensions_have_no_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    model = model_of()
    run = observed(model)
    run.oracle = Off("litert", [0.25, 0.5])
    monkeypatch.setattr(operator_cases, "litert_engines", lambda: [run.oracle])
    case = Case(model, {"x": np.float32(3).reshape(())}, {"y": REFERENCE}, 1)
    monkeypatch.setattr(operator_cases, "case_of", lambda *_: case)
    assert _rounding_spread(run, model.main.outputs[0], 9.0) == 0.5


class Stepping(LiteRT):
    """Kernels that leave a state: the reference and the number of steps, plus the inputs of the last one."""

    def run_observed_steps(
        self, _model: Model, steps: Sequence[Arrays], names: Sequence[str], *, content: bytes = b""
    ) -> tuple[list[list[Array]], dict[str, Array]]:
        assert not content
        assert names == ["s"]
        off = np.float32(len(steps) + round(float(steps[-1]["x"][0])))
        return [[REFERENCE + np.float32(90)]], {"s": REFERENCE + off}


def test_a_state_is_what_the_last_step_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the name of the variable, whose operator is run over all steps."""
    state = Op(VARIABLE, (), [F32], result_names=["s"])
    x, after = Value(F32, "x"), Value(F32, "s (next)")
    layer = Op("tfl.svdf", [x, state.result], [F32], result_names=["y"])
    model = Model({"main": Graph("main", [x], [layer.result], [state, layer])}, opset="tfl")
    run = observed(model, arrays={layer.result: REFERENCE, after: REFERENCE})
    run.following = {layer: [(state.result, after)]}
    run.oracle = Stepping("litert")
    asked: list[Value] = []

    def case_of(_run: ObservedRun, value: Value) -> Case:
        asked.append(value)
        return Case(model, {"x": np.array([[1, 1], [2, 2], [4, 4]], np.float32)}, {}, 3)

    monkeypatch.setattr(operator_cases, "case_of", case_of)
    monkeypatch.setattr(operator_cases, "litert_engines", lambda: [run.oracle])
    assert _rounding_spread(run, after, 100.0) == 7.0
    assert asked == [layer.result]


@pytest.mark.parametrize(("name", "result", "count"), [("abs", F32, 2), ("floor", F32, 10), ("quantize", I8, 10)])
def test_what_flips_has_more_variations(name: str, result: TensorType, count: int) -> None:
    model = model_of(name, result)
    case = Case(model, {"x": REFERENCE}, {"y": REFERENCE}, 1)
    variations = list(_variations(observed(model), case))
    engines = [engine.name for engine, _, _ in variations]
    assert engines == ["litert-xnnpack", "litert-optimized", *["litert"] * count]
    assert [(variant is model, inputs is case.inputs) for _, variant, inputs in variations[:2]] == [(True, True)] * 2
    assert {variant is model for _, variant, _ in variations[2:]} == {
        count == 2
    }  # constants move where something flips
    for i, (_, _, inputs) in enumerate(variations[2:]):
        np.testing.assert_array_equal(inputs["x"], move_floats(case.inputs, i)["x"])


# ** the proof of operators **


@pytest.mark.parametrize(
    ("error", "result"),
    [
        (0.0, 0.0),
        (0.005, 0.005),
        (0.00995, 0.00995),  # only the judge can tell
        (0.0102, 0.0102),  # within what LiteRT differs by, twice 0.0052
        (0.0106, None),
    ],
)
def test_errors_of_a_proof(monkeypatch: pytest.MonkeyPatch, error: float, result: float | None) -> None:
    model = model_of()
    monkeypatch.setattr(operator_cases, "_rounding_spread", lambda *_: 8 * 0.0052)
    run = observed(model, 0.01)
    value = model.main.outputs[0]
    errors = operator_proof._errors(run, {value: REFERENCE + np.array([0, 8 * error], np.float32)})
    if result is None:
        assert errors is None
    else:
        assert errors is not None
        assert errors[value] == pytest.approx(result, abs=1e-6)


def test_the_worst_place_of_a_value_counts() -> None:
    """In a proof and in a judgement; of equal errors the one with more undefined elements."""
    model = model_of()
    run = observed(model, 0.5)
    value = model.main.outputs[0]
    copies = [Value(F32, f"y{i}") for i in range(3)]
    run.places = [Place(value, copy) for copy in copies]
    for shifts in ((1.0, 2.0, 0.5), (2.0, 1.0, 0.0), (0.0, 0.0, 2.0)):
        arrays = {copy: REFERENCE + np.float32(shift) for copy, shift in zip(copies, shifts, strict=True)}
        assert operator_proof._errors(run, arrays) == {value: 0.25}
        assert run.judge(arrays)[value].max_abs == 2.0
    run.undefined = {value: np.array([True, False])}
    arrays = {copies[0]: REFERENCE, copies[1]: REFERENCE + np.array([1, 0], np.float32)}
    assert run.judge(arrays)[value].undefined == 1
    assert run.judge(dict(reversed([*arrays.items()])))[value].undefined == 1


@pytest.mark.parametrize(("steps", "compared"), [(1, 1), (2, 0)])
def test_state_of_an_earlier_step_is_no_operators_result(steps: int, compared: int) -> None:
    model = model_of("read_variable")
    run = observed(model)
    run.steps = [{"x": REFERENCE}] * steps
    errors = operator_proof._errors(run, {model.main.outputs[0]: REFERENCE})
    assert errors is not None
    assert len(errors) == compared


def branches() -> tuple[Model, list[Value]]:
    """x -> a -> b -> c and a -> d; outputs are c, d."""
    x = Value(F32, "x")
    a = Op("tfl.abs", [x], [F32], result_names=["a"])
    b = Op("tfl.abs", [a.result], [F32], result_names=["b"])
    c = Op("tfl.add", [b.result, x], [F32], result_names=["c"])
    d = Op("tfl.abs", [a.result], [F32], result_names=["d"])
    ops = [a, d, b, c]
    return Model({"main": Graph("main", [x], [c.result, d.result], ops)}, opset="tfl"), [
        op.result for op in (a, b, c, d)
    ]


class Recording(LiteRT):
    """It records what it runs, and gives 5 for every output."""

    def run(self, model: Model, inputs: Arrays, *, content: bytes = b"") -> dict[str, Array]:
        assert not content
        self.inputs, self.operators = dict(inputs), [op.result.name for op in model.main.ops]
        return {value.name: np.full(2, 5, np.float32) for value in model.main.outputs}


class Arrayed:
    """Stands for the run of a conversion by its values."""

    def __init__(self, values: Mapping[Value, Array]) -> None:
        self.values = values


@pytest.mark.parametrize(
    ("wrong", "operators", "inputs", "outputs"),
    [
        ("b", ["b", "c"], {"a": 1.5, "x": 9.0}, [5.0, 4.0]),
        ("c", ["c"], {"b": 2.5, "x": 9.0}, [5.0, 4.0]),
        ("a", ["a", "d", "b", "c"], {"x": 9.0}, [5.0, 5.0]),
        ("d", ["d", "b", "c"], {"a": 1.5, "x": 9.0}, [5.0, 5.0]),
        ("", None, {}, None),
    ],
)
def test_a_source_goes_on_in_front_of_the_first_difference(
    wrong: str, operators: list[str] | None, inputs: dict[str, float], outputs: list[float] | None
) -> None:
    """With the conversion's values, each half a tolerance off; what isn't behind keeps the source's own."""
    model, values = branches()
    arrays = {value: np.full(2, i + 1, np.float32) for i, value in enumerate(values)}
    run: Any = observed(model, 1.0, arrays)
    run.steps = [{"x": np.full(2, 9, np.float32)}]
    run.oracle = oracle = Recording()
    run.conversion = Arrayed({value: arrays[value] + (100 if value.name == wrong else 0.5) for value in values})
    resumed_outputs = operator_proof._resume(run)
    assert (None if resumed_outputs is None else [array[0] for array in resumed_outputs]) == outputs
    if operators is not None:
        assert oracle.operators == operators
        assert {name: array[0] for name, array in oracle.inputs.items()} == inputs


def test_a_source_does_not_go_on_without_all_outputs() -> None:
    model, values = branches()
    arrays = {value: np.full(2, 1, np.float32) for value in values[:3]}  # not of d
    run: Any = observed(model, 1.0, arrays)
    run.conversion = Arrayed({value: array + 100 for value, array in arrays.items()})
    assert operator_proof._resume(run) is None


def test_a_judgement_of_a_proof_is_the_judges() -> None:
    judgement = judge(REFERENCE, REFERENCE + np.array([0, 2], np.float32), 0.5)
    assert isinstance(judgement, Judgement)
    assert judgement.relative_error == 0.25
