"""The second look: up to which step operators are compared, and what an output is refused for."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tosa_converter.dtypes import DType
from tosa_converter.engines import Arrays, Engine
from tosa_converter.engines.executor import Executor
from tosa_converter.engines.litert import LiteRT
from tosa_converter.engines.stepped import MultiStepEngine
from tosa_converter.ir import Array, Graph, Model, Op, TensorType, Value
from tosa_converter.proof import spread
from tosa_converter.proof.operators import OperatorProof
from tosa_converter.proof.source_runs import SourceRun, SourceRuns
from tosa_converter.proof.spread import RESUMED, Distance, Look, PairedRuns, _judge_operators, look_again

STEPS = 4


def run_of(steps: Sequence[int], size: float) -> Array:
    """Returns [STEPS, 2] zeros with a number in some steps."""
    array = np.zeros((STEPS, 2), np.float32)
    array[list(steps), 1] = size
    return array


@pytest.mark.parametrize(
    ("beyond", "expected"),
    [
        (([0], []), 1),
        (([1], []), 2),
        (([1, 3], []), 2),
        (([STEPS - 1], []), STEPS),
        (([3], [2]), 3),
        (([], [0]), 1),
        (([], []), STEPS),
    ],
)
def test_operators_are_compared_in_the_first_step_beyond_a_tolerance(
    beyond: tuple[list[int], list[int]], expected: int
) -> None:
    """With the inputs of all steps up to it; in the last one if no step is beyond."""
    lengths: list[list[float]] = []

    def judge(_source: Model, _oracle: LiteRT, _model: Model, steps: Sequence[Arrays]) -> tuple[OperatorProof, None]:
        lengths.append([float(step["x"][0]) for step in steps])
        return OperatorProof(1, 0.0, ()), None

    source = Model({"main": Graph("main")}, opset="tfl")
    model = Model({"main": Graph("main")}, opset="tosa")
    inputs = {"x": np.arange(STEPS, dtype=np.float32).reshape(STEPS, 1)}
    results = [run_of(steps, 2.0) + run_of(range(STEPS), 0.5) for steps in beyond]
    references = [np.zeros((STEPS, 2), np.float32) for _ in beyond]
    runs = SourceRuns(source, MultiStepEngine(LiteRT(), STEPS), model)
    runs.inputs.append((inputs, inputs))
    pairs = PairedRuns(runs, [references], [results], {})
    _judge_operators(Look(pairs, {0: 1.0, 1: 1.0}, lambda _: None), judge, 0)  # type: ignore[arg-type]  # nothing is resumed
    assert lengths == [[float(i) for i in range(expected)]]


# ** limits of the second look **


def pairs_of(distances: Sequence[float], largest: float = 100.0, *, name: str = "abs") -> PairedRuns:
    """Returns runs of one output [largest, 0], off by each of the distances in its second element."""
    x = Value(TensorType(DType.FP32, (2,)), "x")
    op = Op(f"tfl.{name}", [x], [x.type])
    source = Model({"main": Graph("main", [x], [op.result], [op])}, opset="tfl")
    reference = np.array([largest, 0])
    results = [[np.array([largest, distance])] for distance in distances]
    return PairedRuns(SourceRuns(source, LiteRT(), source), [[reference]] * len(distances), results, {})


def look_at(pairs: PairedRuns, farthest: float, *, proof: OperatorProof | None = None, tolerance: float = 0.0) -> Look:
    look = Look(pairs, {0: tolerance}, lambda _: None, operators=proof)
    look.spreads[0] = Distance(farthest, farthest)
    return look


PROOF = OperatorProof(3, 1e-7, ())
FEW = "expected 10 sets of inputs to measure the source's rounding variation, found 9"
LARGE = "the source's own runs differ by more than 1% of the largest value, which proves nothing"
FAR = "the error exceeds twice the source's own rounding variation"


@pytest.mark.parametrize(
    ("sets", "proof", "distance", "farthest", "refusal"),
    [
        (10, None, 0.5, 0.25, ""),
        (9, None, 0.5, 0.25, FEW),
        (1, PROOF, 0.5, 0.25, ""),
        (10, None, 0.5, 1.0, ""),  # 1 % of 100
        (10, None, 0.5, 1.0 + 1e-9, LARGE),
        (1, PROOF, 0.5, 1.0 + 1e-9, ""),  # with operators it may be as much as it is
        (10, None, 0.5, 0.25 - 1e-9, FAR),
        (1, PROOF, 0.5, 0.25 - 1e-9, FAR),
        (9, OperatorProof(0, 0.0, ()), 0.5, 0.25, FEW),  # nothing was compared
        (9, OperatorProof(3, 1e-7, ("y",)), 0.5, 0.25, FEW),
        (9, OperatorProof(3, 1e-7, (), "an operator differs"), 0.5, 0.25, FEW),
    ],
)
def test_what_an_output_is_refused_for(
    sets: int, proof: OperatorProof | None, distance: float, farthest: float, refusal: str
) -> None:
    assert look_at(pairs_of([distance] * sets), farthest, proof=proof).refusal(0) == refusal


def test_the_farthest_set_decides() -> None:
    for distances in ([0.1] * 9 + [0.6], [0.6] + [0.1] * 9):
        assert look_at(pairs_of(distances), 0.25).refusal(0) == FAR
        assert look_at(pairs_of(distances), 0.3).refusal(0) == ""
        assert look_at(pairs_of(distances), 0.3).second_looks({})[0].distance.largest == 0.6


@pytest.mark.parametrize("order", [1, -1])
def test_the_largest_value_of_all_sets_limits_the_spread(order: int) -> None:
    pairs = pairs_of([0.0] * 10)
    pairs.references[:] = [[np.array([size, 0.0])] for size in (100.0, *[1.0] * 9)][::order]
    assert look_at(pairs, 1.0, tolerance=1000.0).refusal(0) == ""
    assert look_at(pairs, 1.1, tolerance=1000.0).refusal(0) == LARGE


@pytest.mark.parametrize(
    ("engine", "opset", "has_judge", "compared"),
    [
        (LiteRT(), "tosa", True, True),
        (LiteRT(), "tosa", False, False),
        (LiteRT(), "tfl", True, False),
        (Executor(), "tosa", True, False),
    ],
)
def test_what_operators_are_compared_of(engine: Engine, opset: str, has_judge: bool, compared: bool) -> None:
    def judge(*_: Any) -> tuple[OperatorProof, Any]:
        return PROOF, lambda: [np.zeros(2)]

    pairs = pairs_of([0.5])
    source = SourceRuns(pairs.source.source, engine, Model({"main": pairs.source.source.main}, opset=opset))
    source.inputs.append(({}, {}))
    look = Look(PairedRuns(source, pairs.references, pairs.results, {}), {0: 0.0}, lambda _: None)
    resume = _judge_operators(look, judge if has_judge else None, 0)
    assert (look.operators, resume() is not None) == ((PROOF, True) if compared else (None, False))
    assert look.missing == ({} if compared else {"operators": f"{engine.name} gives no values between them"})


def test_a_set_within_the_tolerance_needs_no_explanation() -> None:
    pairs = pairs_of([0.5, 0.5 + 1e-9])
    look = look_at(pairs, 0.0, tolerance=0.5)
    assert [sorted(look.distances(i)) for i in range(2)] == [[], [0]]
    assert [look.explains(i) for i in range(2)] == [True, False]
    assert [look.excess(i) for i in range(2)] == [0.0, pytest.approx(1.0)]


def test_distances_are_the_largest_and_the_rms() -> None:
    """By hand: the RMS of 3 and 4 in four elements is 5/2."""
    assert Distance.between(np.zeros(4), np.array([3, 0, 0, -4])) == (4.0, 2.5)
    assert Distance.between(np.zeros(0), np.zeros(0)) == (0.0, 0.0)
    assert Distance.between(np.zeros(4), np.zeros((2, 2))) == (np.inf, np.inf)
    assert Distance() == (0.0, 0.0)
    assert Distance(1.0, 4.0).farthest(Distance(2.0, 3.0)) == (2.0, 4.0)


def test_runs_add_to_the_spread() -> None:
    look = Look(pairs_of([1.0]), {0: 0.0}, lambda _: None)
    for name, distance, largest in (("a", 0.5, 0.5), ("b", 0.25, 0.5), ("c", np.nan, 0.5), ("d", 0.75, 0.75)):
        look.add(name, 0, [np.array([100, distance])])
        assert look.spreads[0].largest == largest
    assert [*look.sources] == ["a", "b", "c", "d"]


@pytest.mark.parametrize(("name", "largest"), [("abs", 0.0), ("floor", 0.5)])
def test_a_resumed_run_tells_of_flips_alone(name: str, largest: float) -> None:
    look = Look(pairs_of([1.0], name=name), {0: 0.0}, lambda _: None)
    look.add(f"litert {RESUMED}", 0, [np.array([100, 0.5])])
    assert look.spreads.get(0, Distance()).largest == largest


@pytest.mark.parametrize(
    ("proof", "decided"),
    [
        (None, False),
        (PROOF, True),
        (OperatorProof(0, 0.0, ()), False),
        (OperatorProof(3, 0.0, ("y",)), False),
        (OperatorProof(3, 0.0, ("y",), "it differs"), True),
    ],
)
def test_operators_decide_where_they_were_compared(proof: OperatorProof | None, decided: bool) -> None:
    look = look_at(pairs_of([0.5]), 0.25, proof=proof)
    assert look.second_looks({})[0].decided == decided


def test_the_set_with_the_largest_error_is_looked_at_first() -> None:
    """What explains it explains the others, which are then left out."""
    seen: list[int] = []

    def judge(_source: Model, _oracle: LiteRT, _model: Model, steps: Sequence[Arrays]) -> tuple[OperatorProof, Any]:
        seen.append(int(steps[0]["x"][0]))
        return PROOF, lambda: None

    pairs = pairs_of([0.1, 0.4, 0.2])
    source = pairs.source
    source.model = Model({"main": source.source.main}, opset="tosa")
    source.inputs = [({"x": np.full(2, i, np.float32)}, {}) for i in range(3)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spread, "other_runs", lambda *_: [SourceRun("other", lambda: [np.array([100, 0.2])])])
        (look,) = look_again(pairs, {0: 0.0}, judge).values()
    assert (seen, look.inputs, look.refusal, look.spread.largest) == ([1], 1, "", 0.2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spread, "other_runs", lambda *_: [SourceRun("other", lambda: [np.array([100, 0.04])])])
        (look,) = look_again(pairs, {0: 0.0}, judge).values()
    assert (seen, look.inputs, look.refusal, look.spread.largest) == ([1, 2, 0], 3, FAR, 0.04)
