"""Engines over several runs as one run: every array has the steps as its first dimension."""

from collections.abc import Sequence

import numpy as np

from tosa_converter.engines.engine import Arrays, Engine, Judge, other_judges
from tosa_converter.errors import UsageError
from tosa_converter.ir import Array, Model


class Stepped:
    """Runs a model several times in sequence, with its state passed from run to run.

    Inputs and outputs are [steps, ...]; states that are inputs and outputs are no one's business.
    """

    def __init__(self, engine: Engine, steps: int) -> None:
        self.engine = engine
        self.steps = steps
        self.name = engine.name
        self.opsets = engine.opsets

    def missing(self) -> list[str]:
        """What the engine lacks."""
        return self.engine.missing()

    def takes(self, model: Model) -> bool:
        """Returns whether the engine takes a model."""
        return self.engine.takes(model)

    def run(self, model: Model, inputs: Arrays) -> dict[str, Array]:
        """Runs all steps, as Engine.run."""
        steps = [{name: array[i] for name, array in inputs.items()} for i in range(self.steps)]
        runs = self.engine.run_steps(model, steps)
        hidden = {state.output for state in model.main_states}
        return {name: stack_steps(name, [run[name] for run in runs]) for name in runs[0] if name not in hidden}

    def find_judges(self, model: Model) -> tuple[Judge, ...]:
        """Returns the operators that the engine leaves to other kernels."""
        return other_judges(self.engine, model)

    def run_steps(self, model: Model, steps: Sequence[Arrays]) -> list[dict[str, Array]]:
        """Runs several times, each time anew and over several steps."""
        return [self.run(model, inputs) for inputs in steps]


def stack_steps(name: str, arrays: Sequence[Array]) -> Array:
    """Returns the arrays of all steps as one array.

    Raises:
        UsageError: another step has another shape.
    """
    if len({array.shape for array in arrays}) > 1:
        raise UsageError(f"expected output {name!r} to have one shape in all steps, found several")
    return np.stack(arrays)


def with_same_steps(pattern: Engine, engine: Engine) -> Engine:
    """Returns an engine over as many steps as `pattern`, if that has steps."""
    return Stepped(engine, pattern.steps) if isinstance(pattern, Stepped) else engine
