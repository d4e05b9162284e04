"""Engines over several runs as one run: every array has the steps as its first dimension."""

from collections.abc import Sequence

import numpy as np

from tosa_converter.engines.engine import Arrays, Engine, Judge, other_judges
from tosa_converter.errors import UsageError
from tosa_converter.ir import Array, Model


class MultiStepEngine:
    """Runs a model several times in sequence, as one run: each array has the steps as its first dimension.

    Inputs and outputs are [steps, ...]. States are passed from run to run, and don't appear among the outputs.
    """

    def __init__(self, engine: Engine, steps: int) -> None:
        """Prepares an engine that runs a model `steps` times in sequence as one run."""
        self.engine = engine
        self.steps = steps
        self.name = engine.name
        self.opsets = engine.opsets

    def missing(self) -> list[str]:
        """Returns what this machine lacks to run the engine, a line for each."""
        return self.engine.missing()

    def takes(self, model: Model) -> bool:
        """Returns whether the engine that runs the single steps takes a model."""
        return self.engine.takes(model)

    def run(self, model: Model, inputs: Arrays) -> dict[str, Array]:
        """Runs all steps in sequence; returns the outputs, without states, as arrays of [steps, ...] by name."""
        steps = [{name: array[i] for name, array in inputs.items()} for i in range(self.steps)]
        runs = self.engine.run_steps(model, steps)
        hidden = {state.output for state in model.main_states}
        return {name: stack_steps(name, [run[name] for run in runs]) for name in runs[0] if name not in hidden}

    def find_judges(self, model: Model) -> tuple[Judge, ...]:
        """Returns the operators that the engine of the single steps runs with other kernels than its own."""
        return other_judges(self.engine, model)

    def run_steps(self, model: Model, steps: Sequence[Arrays]) -> list[dict[str, Array]]:
        """Runs the model once for each set of inputs, which holds the arrays of all steps of a run.

        State isn't carried over from one set to the next.
        """
        return [self.run(model, inputs) for inputs in steps]


def stack_steps(name: str, arrays: Sequence[Array]) -> Array:
    """Returns one output's arrays of all steps as one array of [steps, ...].

    Raises:
        UsageError: another step has another shape.
    """
    if len({array.shape for array in arrays}) > 1:
        raise UsageError(f"expected output {name!r} to have one shape in all steps, found several")
    return np.stack(arrays)


def with_same_steps(other: Engine, engine: Engine) -> Engine:
    """Returns `engine` running as many steps as `other` does, or as it is if `other` runs a single step."""
    return MultiStepEngine(engine, other.steps) if isinstance(other, MultiStepEngine) else engine
