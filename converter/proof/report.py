"""The report of a verification: a conversion and how its runs compare with the source's."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from tosa_converter.display import Summarized
from tosa_converter.ir import BorderRow, Model
from tosa_converter.proof.borders import BorderDifference
from tosa_converter.proof.compare import Comparison, OutputReport
from tosa_converter.proof.generation import Generation
from tosa_converter.proof.judgement import digits
from tosa_converter.proof.layers import LayerReport
from tosa_converter.proof.operators import OperatorComparison
from tosa_converter.rules.target import Target


@dataclass(frozen=True, slots=True, repr=False)
class Verification(Summarized):
    """The results of converting a model and running it on both sides."""

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
    options: Mapping[str, Any] = field(default_factory=dict)  # those that aren't at their defaults, by their flags
    border_rows: tuple[BorderRow, ...] = ()  # every input and output, in the source and in the conversion
    generations: tuple[Generation, ...] = ()  # of a language model, by each engine that runs the conversion

    @property
    def reference(self) -> str:
        """Returns the name of the engine that ran the source."""
        return self.comparisons[0].reference

    @property
    def verdict(self) -> bool:
        """Returns whether every output is within its tolerance and every operator equal and within its clause.

        If the user states a tolerance for every output that differs, operators don't count.
        """
        differing = [output for output in self.outputs if output.mismatches]
        is_stated = bool(differing) and all(output.atol is not None for output in differing)
        operators = () if is_stated else self.operators
        verdicts = [*(row.verdict for row in self.comparisons), *(row.verdict for row in operators)]
        verdicts += [generation.verdict for generation in self.generations]
        return all(verdicts) and all(layer.compliant for layer in self.layers)

    @property
    def digits(self) -> float:
        """Returns to how many decimal digits of its largest value every output agrees; infinite if bit-identical."""
        return min((output.digits for output in self.outputs), default=0.0)

    @property
    def outputs(self) -> list[OutputReport]:
        """Returns the reports of the outputs of all comparisons."""
        return [output for comparison in self.comparisons for output in comparison.outputs]

    @property
    def proof(self) -> str:
        """Returns a sentence on how the verdict was reached, and to how many digits."""
        looks = [output.second_look for output in self.outputs if output.second_look is not None]
        if not self.verdict:
            refusals = [look.refusal for look in looks if look.refusal]
            return next(iter(refusals), ", ".join(self._failures()))
        if math.isinf(self.digits):
            return "every output is bit-identical"
        if not looks:
            return f"every output is within its tolerance: {self.digits:.1f} digits agree"
        whole = f"the outputs agree to {self.digits:.1f} digits, within twice the source's own rounding variation"
        proofs = [look.operators for look in looks if look.operators is not None and look.operators.complete]
        if len(proofs) < len(looks):
            return f"{whole}; the operators could not be compared"
        error = max(proof.error for proof in proofs)
        return f"every operator by itself computes the same, to {digits(error):.1f} digits; {whole}"

    def _failures(self) -> Iterator[str]:
        """Yields what differs: how many outputs, operators by themselves, and results under their precision clause."""
        yield from _number_of(sum(not output.verdict for output in self.outputs), "output differs", "outputs differ")
        guilty = sum(row.verdict is False for comparison in self.operators for row in comparison.operators)
        yield from _number_of(guilty, "operator differs by itself", "operators differ by themselves")
        broken = sum(not layer.compliant for layer in self.layers)
        yield from _number_of(broken, "result breaks its precision clause", "results break their precision clause")

        parted = sum(not generation.verdict for generation in self.generations)
        yield from _number_of(parted, "generation parts from the source's", "generations part from the source's")

    def repeats(self, sentence: str) -> bool:
        """Returns whether a sentence names the first difference that `proof` names; step and element may differ."""
        place, proven = (re.sub(r"( in step \d+)?: element .*", "", text) for text in (sentence, self.proof))
        return place == proven

    def figures(self) -> dict[str, Any]:
        """Returns the report as plain data."""
        return {
            "file": self.file,
            "numerics": self.numerics,
            "needs": str(self.needs),
            "reference": self.reference,
            "seed": self.seed,
            "options": dict(self.options),
            "comparisons": [{**asdict(c), "verdict": c.verdict} for c in self.comparisons],
            "notes": [note._asdict() for note in self.notes],
            "layers": [asdict(layer) for layer in self.layers],
            "operators": [operators.figures() for operators in self.operators],
            "borders": [border._asdict() for border in self.borders],
            "border_rows": [row.figures() for row in self.border_rows],
            "generations": [generation.figures() for generation in self.generations],
            "verdict": self.verdict,
            "proof": self.proof,
            "digits": self.digits,
        }


def _number_of(number: int, singular: str, plural: str) -> Iterator[str]:
    """Yields a number with words in the singular or the plural, nothing for 0."""
    if number:
        yield f"{number} {singular if number == 1 else plural}"
