"""The random numbers of everything that tests draw."""

from collections.abc import Sequence
from typing import Any

import numpy as np


class Numbers:
    """Random numbers of a seed."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def whole(self, low: int, high: int) -> int:
        """Returns an integer from low to high."""
        return int(self.rng.integers(low, high + 1))

    def among(self, *values: Any) -> Any:
        """Returns one of the choices."""
        return values[int(self.rng.integers(len(values)))]

    def options(self, **choices: Sequence[Any]) -> dict[str, Any]:
        """Returns one value for each option."""
        return {name: self.among(*values) for name, values in choices.items()}

    def coin(self) -> bool:
        """Returns true or false."""
        return bool(self.rng.integers(2))
