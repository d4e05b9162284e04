"""What everything that is drawn is drawn from."""

from collections.abc import Sequence
from typing import Any

import numpy as np


class Numbers:
    """Random numbers of a seed."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def whole(self, low: int, high: int) -> int:
        """From low to high."""
        return int(self.rng.integers(low, high + 1))

    def among(self, *values: Any) -> Any:
        """One of them."""
        return values[int(self.rng.integers(len(values)))]

    def options(self, **choices: Sequence[Any]) -> dict[str, Any]:
        """One value for each option."""
        return {name: self.among(*values) for name, values in choices.items()}

    def coin(self) -> bool:
        """True or false."""
        return bool(self.rng.integers(2))
