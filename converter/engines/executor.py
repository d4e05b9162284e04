"""The engine `executor`: this package's own."""

from typing import TYPE_CHECKING

from tosa_converter.engines.engine import Arrays
from tosa_converter.execute.limits import SECONDS
from tosa_converter.ir import Array, Model

if TYPE_CHECKING:
    from tosa_converter.execute.plan import Keep


class Executor:
    """The executor of this package, under a limit of estimated seconds; see `limits`."""

    name = "executor"
    opsets = frozenset({"tosa"})

    def __init__(self, limit: float = SECONDS) -> None:
        self.limit = limit

    def takes(self, model: Model) -> bool:
        """TOSA models."""
        return model.opset in self.opsets

    def run(self, model: Model, inputs: Arrays, *, keep: "Keep" = ()) -> dict[str, Array]:
        """Run a TOSA model; `keep` as for Executable."""
        from tosa_converter.execute.plan import run

        return run(model.main, inputs, keep=keep, limit=self.limit)
