"""The second look: up to which step operators are compared."""

from collections.abc import Sequence

import numpy as np
import pytest

from tosa_converter.engines import Arrays
from tosa_converter.engines.litert import LiteRT
from tosa_converter.engines.stepped import Stepped
from tosa_converter.ir import Array, Graph, Model
from tosa_converter.proof.operators import OperatorProof
from tosa_converter.proof.source_runs import SourceRuns
from tosa_converter.proof.spread import Look, PairedRuns, _judge_operators

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
    runs = SourceRuns(source, Stepped(LiteRT(), STEPS), model)
    runs.inputs.append((inputs, inputs))
    pairs = PairedRuns(runs, [references], [results], {})
    _judge_operators(Look(pairs, {0: 1.0, 1: 1.0}, lambda _: None), judge, 0)  # type: ignore[arg-type]  # nothing is resumed
    assert lengths == [[float(i) for i in range(expected)]]
