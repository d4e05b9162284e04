"""The report of a verification: a conversion and how its runs compare with the source's."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from tosa_converter.ir import Model
from tosa_converter.proof.borders import BorderDifference
from tosa_converter.proof.compare import Comparison
from tosa_converter.proof.layers import LayerReport
from tosa_converter.proof.operators import OperatorComparison
from tosa_converter.rules.target import Target


@dataclass(frozen=True, slots=True)
class Verification:
    """One model, converted and run on both sides."""

    file: str
    numerics: str
    needs: Target
    seed: int
    comparisons: tuple[Comparison, ...]
    notes: Sequence[Any]  # of the conversion: location, text
    layers: tuple[LayerReport, ...]
    borders: tuple[BorderDifference, ...] = ()  # inputs and outputs that aren't as in the source
    operators: tuple[OperatorComparison, ...] = ()  # by signature, where they were asked for
    sides: tuple[Model, Model] | None = field(default=None, repr=False, compare=False)  # the source, its conversion
    # What compares operators where that wasn't asked for.
    later: Callable[[], tuple[OperatorComparison, ...]] = field(default=tuple, repr=False, compare=False)

    @property
    def reference(self) -> str:
        """What ran the source."""
        return self.comparisons[0].reference

    @property
    def verdict(self) -> bool:
        """Whether every output is within its tolerance, every operator within its clause, none other by itself."""
        agreed = all(c.verdict for c in self.comparisons) and all(it.verdict for it in self.operators)
        return agreed and all(layer.compliant for layer in self.layers)

    def figures(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "file": self.file,
            "numerics": self.numerics,
            "needs": str(self.needs),
            "reference": self.reference,
            "seed": self.seed,
            "comparisons": [{**asdict(c), "verdict": c.verdict} for c in self.comparisons],
            "notes": [note._asdict() for note in self.notes],
            "layers": [asdict(layer) for layer in self.layers],
            "operators": [operators.figures() for operators in self.operators],
            "borders": [border._asdict() for border in self.borders],
            "verdict": self.verdict,
        }
