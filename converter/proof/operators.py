"""Reports of a comparison operator by operator: which results differ, and where a difference arises."""

from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

from tosa_converter.display import Summarized
from tosa_converter.ir import Array, Model
from tosa_converter.proof.judgement import Judgement

ABOVE, INSIDE, NOTHING, UNSEEN = "from above", "inside", "nothing to compute", "not kept"


@dataclass(frozen=True, slots=True)
class OperatorReport:
    """How one result of one operator of the source's main graph compares with the conversion's.

    `verdict` is None where the result isn't judged by itself, for which `rule` says why: an operator inside of another
    one is judged with that.
    """

    index: int  # of the operator, constants left out
    type: str
    location: str
    tensor: str
    tensor_type: str
    becomes: dict[str, int]  # the TOSA operators by name
    whole: Judgement | None
    alone: Judgement | None
    verdict: bool | None
    rule: str
    inside: str = ""  # the result by whose comparison this one is judged
    regions: int = 0  # operators of its graphs, which its results stand for
    note: str = ""
    source_seconds: float | None = field(default=None, compare=False)  # that the operator takes, where it was timed
    seconds: float | None = field(default=None, compare=False)  # and what it became
    matched: str = ""  # how the value of an existing file was found: name, location, equal values, position ...


@dataclass(frozen=True, slots=True)
class Clock:
    """Seconds that the source and the conversion take in one thread, each the least of `runs`."""

    kernels: str  # the engine that ran the source's operators, each by itself
    runs: int
    source_operators: float  # of all that were timed
    source_run: float  # of the whole
    operators: float  # of the conversion, in its run: those that run together share their time by an estimate
    elsewhere: float  # of these, those of no place in the source's main graph, as what keeps state or replaces a call
    run: float


@dataclass(frozen=True, slots=True, repr=False)
class OperatorComparison(Summarized):
    """The results of every operator of a source's main graph, compared with the conversion's."""

    reference: str  # what ran the source
    engine: str
    steps: int  # of the run; the operators are compared in the last one
    seed: int | None  # of the inputs, None where they were given
    operators: tuple[OperatorReport, ...]
    sentence: str
    case: "Case | None" = field(default=None, repr=False, compare=False)  # of the first operator that differs by itself
    signature: str = ""
    note: str = ""  # why operators aren't compared, or there is no case
    clock: Clock | None = field(default=None, compare=False)  # where they were timed

    @property
    def parted(self) -> OperatorReport | None:
        """Returns the first operator whose result differs in the whole run, which earlier ones may cause, or None."""
        return next((row for row in self.operators if row.whole is not None and not row.whole.verdict), None)

    @property
    def guilty(self) -> OperatorReport | None:
        """Returns the first operator that differs even on the source's own values, or None."""
        return next((row for row in self.operators if row.verdict is False), None)

    @property
    def verdict(self) -> bool:
        """Returns whether every operator that is run alone, on the source's own values, gives the source's result."""
        return self.guilty is None

    @property
    def counts(self) -> dict[str, int]:
        """Returns how many results each rule decided, and how many operators are inside of others' graphs."""
        rules = Counter(row.rule for row in self.operators)
        return {**rules, "inside regions": sum({row.index: row.regions for row in self.operators}.values())}

    def of(self, signature: str) -> "OperatorComparison":
        """Returns a copy of this comparison that is labelled with the name of a model's signature."""
        return replace(self, signature=signature)

    def figures(self) -> dict[str, Any]:
        """Returns the report as plain data."""
        guilty, parted = self.guilty, self.parted
        return {
            **asdict(replace(self, case=None)),
            "parted": None if parted is None else parted.index,
            "guilty": None if guilty is None else guilty.index,
            "counts": self.counts,
            "verdict": self.verdict,
        }


@dataclass(frozen=True, slots=True)
class OperatorProof:
    """The result of comparing a source's operators on its own values, as a verdict on outputs uses it."""

    compared: int  # results
    error: float  # the largest, as a part of its result's largest value
    unseen: tuple[str, ...]  # outputs that can't be compared so, and with them what is in front of them
    difference: str = ""  # the first operator that differs, in words

    @property
    def complete(self) -> bool:
        """Returns whether the operators are proved equal: some were compared, none differs, no output is left out."""
        return bool(self.compared) and not self.unseen and not self.difference


class Case(NamedTuple):
    """A model that computes one result of a source, with LiteRT's values of its inputs and result, to report a fault.

    With state of its own there are several steps, and arrays are [steps, ...]. `result_model` is the part of an
    existing file that computes the result, with the same names and shapes; None of a fresh conversion, or where it
    can't be cut. Then `computed` has what the file computes there, for a single step.
    """

    model: Model
    inputs: dict[str, Array]
    expected: dict[str, Array]
    steps: int
    result_model: Model | None = None
    computed: dict[str, Array] | None = None


def uncompared(model: Model, engine: str) -> OperatorComparison:
    """Returns a comparison without operators, with the reason: the engine doesn't expose intermediate values."""
    reason = f"only LiteRT gives values between operators, {engine} doesn't"
    if model.opset == "chain":
        reason = "a chain has its steps, not its operators"
    note = f"{reason}: outputs are compared only, and no operator is timed"
    return OperatorComparison(engine, "executor", 0, None, (), note, note=note)
