"""Comparisons with engines that give what a test says: tolerances, undefined elements, who gets a second look."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tosa_converter.dtypes import DType
from tosa_converter.engines import Arrays
from tosa_converter.engines.executor import Executor
from tosa_converter.engines.litert import LiteRT
from tosa_converter.execute.plan import Keep
from tosa_converter.ir import Array, Graph, Model, Op, TensorType, Value
from tosa_converter.proof import compare, operator_proof
from tosa_converter.proof.compare import DIFFERS, SPREAD, Comparison, compare_runs
from tosa_converter.proof.operators import OperatorProof
from tosa_converter.proof.spread import Distance, PairedRuns, SecondLook
from tosa_converter.schemas.tfl_ops import BOUND


class Giving(Executor):
    """An engine whose outputs are given."""

    def __init__(self, *outputs: Sequence[float], dtype: str = "float32") -> None:
        super().__init__()
        self.outputs = [np.array(output, dtype) for output in outputs]

    def run(self, model: Model, _inputs: Arrays, *, keep: Keep = ()) -> dict[str, Array]:
        assert keep == ()
        return {f"{i} of {model.opset}": output for i, output in enumerate(self.outputs)}


def model_of(opset: str, *dtypes: DType, **attributes: int) -> Model:
    """Returns a model with an output of each type, computed from the one input."""
    x = Value(TensorType(dtypes[0], (2,)), "x")
    types = [TensorType(dtype, (2,)) for dtype in dtypes]
    ops = [Op(f"{opset}.abs", [x], [type], attributes, result_names=[f"y{i}"]) for i, type in enumerate(types)]
    return Model({"main": Graph("main", [x], [op.result for op in ops], ops)}, opset=opset)


INPUTS = [{"x": np.zeros(2, np.float32)}]


def compared(source: Model, references: Giving, results: Giving, **options: Any) -> Comparison:
    opset = options.pop("opset", "tosa")
    conversion = model_of(opset, *(value.type.dtype for value in source.main.outputs))
    inputs = [{"x": np.zeros(2, source.main.inputs[0].type.dtype.numpy)}]
    (comparison,) = compare_runs(source, references, conversion, [results], inputs, **options)
    return comparison


@pytest.mark.parametrize(
    ("opset", "dtype", "error", "verdict"),
    [
        ("xnn", DType.FP16, 2.0, True),
        ("xnn", DType.FP16, 3.0, False),
        ("tfl", DType.FP16, 2.0, False),
        ("xnn", DType.FP32, 2.0, False),
    ],
)
def test_fp16_of_xnnpack_has_a_tolerance_of_its_own(opset: str, dtype: DType, error: float, verdict: bool) -> None:
    """0.002 of the largest element, which is 1000."""
    dtypes = {"dtype": str(dtype.numpy)}
    engines = Giving([1000, 0], **dtypes), Giving([1000, error], **dtypes)
    comparison = compared(model_of(opset, dtype), *engines, opset="tfl")
    assert comparison.verdict == verdict


def test_undefined_elements_are_asked_for_where_something_differs() -> None:
    """Also within a tolerance; the element that is LiteRT's once it has LiteRT's values is counted apart."""
    asked: list[int] = []

    def substituted(_source: Model, _oracle: Any, _model: Model, _engine: Any, sets: Any) -> Any:
        asked.append(len(sets))
        return [[np.array([8, 4], np.float32)]], [[np.array([8, 4], np.float32)]]

    source = model_of("tfl", DType.FP32)
    same = compared(source, Giving([8, 4]), Giving([8, 4]), substituted=substituted)
    assert (asked, same.outputs[0].undefined) == ([], 0)
    near = compared(source, Giving([8, 4]), Giving([8, 4 + 2**-20]), substituted=substituted)
    assert (asked, near.outputs[0].undefined, near.outputs[0].mismatches) == ([1], 1, 0)
    far = compared(source, Giving([8, 4]), Giving([8, 7]), substituted=substituted)
    assert (asked, far.verdict, far.outputs[0].undefined) == ([1, 1], True, 1)
    none = compared(source, Giving([8, 4]), Giving([8, 4 + 2**-20]), substituted=lambda *_: None)
    assert (none.outputs[0].undefined, none.outputs[0].mismatches) == (0, 1)


def look(*, refusal: str = "", proof: OperatorProof | None = None) -> SecondLook:
    return SecondLook(1, proof, (), (), Distance(), Distance(), refusal)


PROOF = OperatorProof(1, 0.0, ())


@pytest.mark.parametrize(
    ("error", "opset", "attributes", "asked"),
    [
        (1.0, "tosa", {}, True),
        (0.0, "tosa", {}, False),
        (math.inf, "tosa", {}, False),
        (math.nan, "tosa", {}, False),
        (1.0, "tfl", {}, False),
        (1.0, "tosa", {BOUND: 2}, False),
    ],
)
def test_who_gets_a_second_look(
    monkeypatch: pytest.MonkeyPatch, error: float, opset: str, attributes: dict[str, Any], asked: bool
) -> None:
    looks: list[dict[int, float]] = []

    def look_again(_pairs: PairedRuns, tolerances: dict[int, float], *_: Any) -> dict[int, SecondLook]:
        looks.append(dict(tolerances))
        return dict.fromkeys(tolerances, look(proof=PROOF))

    monkeypatch.setattr(compare, "look_again", look_again)
    source = model_of("tfl", DType.FP32, **attributes)
    comparison = compared(source, Giving([8, 4]), Giving([8, 4 + error]), opset=opset)
    assert looks == ([{0: pytest.approx(8e-5)}] if asked else [])
    assert comparison.verdict == (asked or error == 0)
    assert comparison.outputs[0].rule == (SPREAD if asked else "equal" if error == 0 else DIFFERS)


def test_only_floats_that_nothing_rounds_are_looked_at_on_more_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where operators decide nothing; integers keep the first look."""
    counts: list[tuple[list[int], int]] = []

    def look_again(pairs: PairedRuns, tolerances: dict[int, float], *_: Any) -> dict[int, SecondLook]:
        counts.append((sorted(tolerances), len(pairs.results)))
        assert len(pairs.references) == len(pairs.results)
        return dict.fromkeys(tolerances, look(refusal="first" if len(counts) == 1 else ""))

    monkeypatch.setattr(compare, "look_again", look_again)
    source = model_of("tfl", DType.FP32, DType.I8)
    comparison = compared(source, Giving([8, 4], [1, 2]), Giving([8, 5], [1, 3]))
    assert counts == [([0, 1], 1), ([0], 10)]
    assert [(output.verdict, output.rule) for output in comparison.outputs] == [(True, SPREAD), (False, DIFFERS)]
    assert comparison.runs == 1


@pytest.mark.parametrize("proof", [PROOF, OperatorProof(1, 0.0, ("y",), "an operator differs")])
def test_operators_that_decide_end_the_look(monkeypatch: pytest.MonkeyPatch, proof: OperatorProof) -> None:
    counts: list[int] = []

    def look_again(pairs: PairedRuns, tolerances: dict[int, float], *_: Any) -> dict[int, SecondLook]:
        counts.append(len(pairs.results))
        return dict.fromkeys(tolerances, look(refusal="no", proof=proof))

    monkeypatch.setattr(compare, "look_again", look_again)
    assert not compared(model_of("tfl", DType.FP32), Giving([8, 4]), Giving([8, 5])).verdict
    assert counts == [1]


def test_a_proof_of_a_difference_has_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Comparing:
        sentence = "an operator differs"

    class Run:
        def __init__(self, *_: Any, **_options: Any) -> None: ...

        def values_alone(self) -> None: ...

    monkeypatch.setattr(operator_proof, "ObservedRun", Run)
    monkeypatch.setattr(operator_proof, "_errors", lambda *_: None)
    monkeypatch.setattr(operator_proof, "compare_observed", lambda *_, **_options: Comparing())
    model = model_of("tfl", DType.FP32)
    proof, resume = operator_proof.judge_operators(model, LiteRT(), model, INPUTS)
    assert proof == OperatorProof(0, 0.0, (), "an operator differs")
    assert (proof.complete, resume()) == (False, None)


@pytest.mark.parametrize(
    ("errors", "unseen", "error"), [((0.25, 0.5), (), 0.5), ((0.25,), ("y1",), 0.25), ((), ("y0", "y1"), 0.0)]
)
def test_outputs_that_no_proof_covers(
    monkeypatch: pytest.MonkeyPatch, errors: tuple[float, ...], unseen: tuple[str, ...], error: float
) -> None:
    model = model_of("tfl", DType.FP32, DType.FP32)
    errors_by_output = dict(zip(model.main.outputs, errors, strict=False))

    class Run:
        def __init__(self, *_: Any, **_options: Any) -> None: ...

        def values_alone(self) -> None: ...

    monkeypatch.setattr(operator_proof, "ObservedRun", Run)
    monkeypatch.setattr(operator_proof, "_errors", lambda *_: errors_by_output)
    monkeypatch.setattr(operator_proof, "_resume", lambda _run: [np.zeros(2)])
    for steps in (1, 2):
        proof, resume = operator_proof.judge_operators(model, LiteRT(), model, INPUTS * steps)
        assert (proof.compared, proof.error, proof.unseen) == (len(errors), error, unseen)
        assert proof.complete == (not unseen)
        assert (resume() is None) == (steps > 1)
