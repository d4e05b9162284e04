"""What an engine is: it takes arrays by input name and gives arrays by output name."""

from collections.abc import Mapping
from typing import Protocol

from tosa_converter.ir import Array, Model

Arrays = Mapping[str, Array]


class Engine(Protocol):
    """One engine."""

    name: str
    opsets: frozenset[str]  # of the models it takes

    def takes(self, model: Model) -> bool:
        """Whether the engine has what the model's operators need."""

    def run(self, model: Model, inputs: Arrays) -> dict[str, Array]:
        """The outputs of the main graph.

        Raises:
            MissingExtra: the package behind it is not installed.
            ConverterError: the engine refuses the model or fails on it.
        """
