"""The engine `executor`: this package's own."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tosa_converter.engines.engine import Arrays, Engine, run_with_state
from tosa_converter.execute.limits import SECONDS
from tosa_converter.ir import Array, Model

if TYPE_CHECKING:
    from tosa_converter.execute.plan import Keep


class Executor(Engine):
    """The executor of this package, under a limit of estimated seconds; see `limits`."""

    name = "executor"
    opsets = frozenset({"tosa"})

    def __init__(self, limit: float = SECONDS) -> None:
        """Prepares this package's engine for TOSA; it refuses runs of more than `limit` estimated seconds."""
        self.limit = limit

    def missing(self) -> list[str]:
        """Returns nothing: the executor needs no other package."""
        return []

    def run(self, model: Model, inputs: Arrays, *, keep: "Keep" = ()) -> dict[str, Array]:
        """Runs a TOSA model once; returns its outputs, and the intermediate values that `keep` names, by name."""
        from tosa_converter.execute.plan import run

        return run(model.main, inputs, keep=keep, limit=self.limit)

    def run_observed_steps(
        self, model: Model, steps: Sequence[Arrays], names: Sequence[str]
    ) -> tuple[list[list[Array]], dict[str, Array]]:
        """Runs a TOSA model once for each step; returns outputs by step, and the last step's values of these names."""
        from tosa_converter.execute.plan import Context, Executable

        executable, context = Executable(model.main, keep=names, limit=self.limit), Context()
        runs = run_with_state(model, steps, lambda _, arrays: executable.run(arrays, context=context))
        outputs = [executable.names[value] for value in model.main.outputs]
        return [[results[name] for name in outputs] for results in runs], {name: runs[-1][name] for name in names}

    def run_steps(self, model: Model, steps: Sequence[Arrays]) -> list[dict[str, Array]]:
        """Runs a TOSA model once for each step; variables last from step to step, and the limit is for each step."""
        from tosa_converter.execute.plan import Context, Executable

        executable, context = Executable(model.main, limit=self.limit), Context()
        return run_with_state(model, steps, lambda _, arrays: executable.run(arrays, context=context))
