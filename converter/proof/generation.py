"""The report of a generation: the tokens that two sides choose greedily, and how far their logits are apart."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tosa_converter.ir import Array


@dataclass(frozen=True, slots=True)
class Generation:
    """The tokens that follow a prompt, by a source and by an engine that runs its conversion.

    Attributes:
        reference: the engine that ran the source.
        engine: the engine that ran the conversion.
        prompt: the numbers of the prompt's tokens.
        tokens: those that the source chose, up to the first that differs.
        conversion_tokens: those that the conversion chose.
        distances: by step, the largest difference between two logits.
        largest: the largest absolute logit of the source.
        margin: where the tokens part, how much larger the source's logit of its own token is than that of the other
            one; 0 if they don't part.
        text: what a tokenizer makes of the source's tokens; "" without a tokenizer.
    """

    reference: str
    engine: str
    prompt: tuple[int, ...]
    tokens: tuple[int, ...]
    conversion_tokens: tuple[int, ...]
    distances: tuple[float, ...]
    largest: float
    margin: float = 0.0
    text: str = ""

    @property
    def verdict(self) -> bool:
        """Whether both sides chose the same tokens."""
        return self.tokens == self.conversion_tokens

    @property
    def sentence(self) -> str:
        """Says whether both models generate the same tokens, or at which step they differ and by how much."""
        count, farthest = len(self.tokens), max(self.distances, default=0.0)
        if self.verdict:
            apart = (
                f"the logits differ by {farthest:.3g} at most, of {self.largest:.3g}" if farthest else "equal logits"
            )
            return f"{count} of {count} tokens are the same ({apart})"
        step = count - 1
        token, other = self.tokens[step], self.conversion_tokens[step]
        parted = f"token {step} (counted from 0) is {token} in the source and {other} in the conversion"
        distance = f"the logits differ there by {self.distances[step]:.3g} at most"
        return f"{parted}: {distance}; the source prefers its token by {self.margin:.3g}"

    def figures(self) -> dict[str, Any]:
        """Returns the report as plain data, for JSON."""
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        plain = {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()}
        return {**plain, "verdict": self.verdict, "sentence": self.sentence}


def compare_logits(
    engines: tuple[str, str], prompt: Sequence[int], first: Sequence[Array], second: Sequence[Array]
) -> Generation:
    """Returns the report of two sides that were fed the same tokens, from their dequantized logits.

    The steps end with the first at which the tokens differ.

    Args:
        engines: the names of what ran the source and the conversion.
        prompt: the tokens in front.
        first: the source's logits by step.
        second: those of the conversion.
    """
    tokens, converted = ([int(row.argmax()) for row in side] for side in (first, second))
    steps = next(
        (i + 1 for i, pair in enumerate(zip(tokens, converted, strict=True)) if pair[0] != pair[1]), len(tokens)
    )
    pairs = list(zip(first, second, strict=True))[:steps]
    # 2.5 for the source's token and 2.4 for the other one: a distance of 0.1 is enough for them to part.
    margin = float(first[steps - 1][tokens[steps - 1]] - first[steps - 1][converted[steps - 1]]) if steps else 0.0
    return Generation(
        *engines,
        tuple(prompt),
        tuple(tokens[:steps]),
        tuple(converted[:steps]),
        tuple(float(np.abs(a - b).max()) for a, b in pairs),
        max((float(np.abs(a).max()) for a, _ in pairs), default=0.0),
        margin,
    )
