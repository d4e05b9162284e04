"""The figures of a comparison operator by operator: what differs, where it arises, and that in words."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from tosa_converter.ir import Array, Model
from tosa_converter.proof.array_difference import difference, largest, sqnr

ABOVE, INSIDE, NOTHING, UNSEEN = "from above", "inside", "nothing to compute", "not kept"


@dataclass(frozen=True, slots=True)
class Difference:
    """How one result compares in one run."""

    elements: int
    mismatches: int  # elements that differ at all
    max_abs: float  # largest |d|
    reference_max: float  # largest |reference|
    sqnr_db: float
    ulp: float | None  # of floats, the largest difference in units in the last place of an element
    tolerance: float  # on |d|
    verdict: bool
    undefined: int = 0  # elements that LiteRT leaves open; the other figures leave them out
    first: tuple[int, ...] | None = None  # the first element beyond the tolerance, else the first that differs
    expected: float = 0.0  # there, in the source
    found: float = 0.0


@dataclass(frozen=True, slots=True)
class OperatorReport:
    """One result of one operator of the source's main graph.

    `verdict` is None where the result isn't judged by itself, for which `rule` says why: an operator inside of another
    one is judged with that.
    """

    index: int  # of the operator, constants left out
    type: str
    location: str
    tensor: str
    tensor_type: str
    becomes: dict[str, int]  # the TOSA operators by name
    whole: Difference | None
    alone: Difference | None
    verdict: bool | None
    rule: str
    inside: str = ""  # the result by whose comparison this one is judged
    regions: int = 0  # operators of its graphs, which its results stand for
    note: str = ""
    source_seconds: float | None = field(default=None, compare=False)  # that the operator takes, where it was timed
    seconds: float | None = field(default=None, compare=False)  # and what it became


@dataclass(frozen=True, slots=True)
class Clock:
    """Seconds of both sides in one thread, each the least of `runs`."""

    kernels: str  # the engine that ran the source's operators, each by itself
    runs: int
    source_operators: float  # of all that were timed
    source_run: float  # of the whole
    operators: float  # of the conversion, in its run: those that run together share their time by an estimate
    elsewhere: float  # of these, those of no place in the source's main graph, as what keeps state or replaces a call
    run: float


@dataclass(frozen=True, slots=True)
class OperatorComparison:
    """Every operator of a source's main graph against what it became."""

    reference: str  # what ran the source
    engine: str
    steps: int  # of the run; the operators are compared in the last one
    seed: int | None  # of the inputs, None where they were given
    operators: tuple[OperatorReport, ...]
    sentence: str
    case: "Case | None" = field(default=None, repr=False, compare=False)  # of the operator where they part
    signature: str = ""
    note: str = ""  # why operators aren't compared, or there is no case
    clock: Clock | None = field(default=None, compare=False)  # where they were timed

    @property
    def parted(self) -> OperatorReport | None:
        """The first one whose result differs in the whole run."""
        return next((it for it in self.operators if it.whole is not None and not it.whole.verdict), None)

    @property
    def guilty(self) -> OperatorReport | None:
        """The first one that differs on the source's own values."""
        return next((it for it in self.operators if it.verdict is False), None)

    @property
    def verdict(self) -> bool:
        """Whether no operator differs by itself."""
        return self.guilty is None

    @property
    def counts(self) -> dict[str, int]:
        """How many results each rule decided, and of how many operators of graphs no result is looked at."""
        found = Counter(it.rule for it in self.operators)
        return {**found, "inside regions": sum({it.index: it.regions for it in self.operators}.values())}

    def of(self, signature: str) -> "OperatorComparison":
        """The comparison as that of a signature's graph."""
        return replace(self, signature=signature)

    def figures(self) -> dict[str, Any]:
        """The report as plain data."""
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
    """The operators of a source on its own values, as a verdict has them."""

    compared: int  # results
    error: float  # the largest, as a part of its result's largest value
    unseen: tuple[str, ...]  # outputs that can't be compared so, and with them what is in front of them
    difference: str = ""  # the first operator that differs, in words

    @property
    def complete(self) -> bool:
        """Whether the operators are proved equal."""
        return bool(self.compared) and not self.unseen and not self.difference


class Case(NamedTuple):
    """What computes one result of the source, LiteRT's values that it begins with and its own: a report of a fault.

    With state of its own there are several steps, and arrays are [steps, ...].
    """

    model: Model
    inputs: dict[str, Array]
    expected: dict[str, Array]
    steps: int


def uncompared(model: Model, engine: str) -> OperatorComparison:
    """What to say where nothing keeps the values between operators."""
    what = f"of the engines LiteRT gives values between operators, not {engine}"
    if model.opset == "chain":
        what = "a chain has its steps, not its operators"
    note = f"{what}: outputs are compared only, and no operator is timed"
    return OperatorComparison(engine, "executor", 0, None, (), note, note=note)


def differing(reference: Array, found: Array, tolerance: float, undefined: Array | None = None) -> Difference:
    """How an array differs from LiteRT's of the same shape, leaving out elements that are undefined."""
    d, floats = difference(reference, found), reference.dtype.kind == "f"
    left_out = 0
    if undefined is not None:
        left_out = int(np.count_nonzero(undefined & (d > 0)))
        d = np.where(undefined, 0.0, d)
    scale = largest(reference)
    bound = tolerance * scale if floats else 0.0
    worst, mismatches = float(d.max(initial=0.0)), int(np.count_nonzero(d))
    ulp = _ulp(reference, found, d) if floats else None
    made = Difference(d.size, mismatches, worst, scale, sqnr(reference, d), ulp, bound, worst <= bound, left_out)
    if not mismatches:
        return made
    index = tuple(int(i) for i in np.unravel_index(np.argmax(d > (bound if worst > bound else 0)), d.shape))
    return replace(made, first=index, expected=float(reference[index]), found=float(found[index]))


def _ulp(reference: Array, found: Array, d: Array) -> float:
    """The largest distance of two elements that differ, counted in numbers of their type."""
    with np.errstate(all="ignore"):
        pair = [_ordered(array.astype(reference.dtype)[d > 0]) for array in (reference, found)]
    return float(np.abs(pair[0] - pair[1]).max(initial=0.0))


def _ordered(array: Array) -> Array:
    """Floats as numbers of their place among all of their type."""
    bits = array.view(f"i{array.dtype.itemsize}").astype(np.float64)
    return np.where(bits < 0, -(2.0 ** (8 * array.dtype.itemsize - 1)) - bits, bits)


# ** in words **


def sentence(rows: Sequence[OperatorReport], steps: int) -> str:
    """Where both sides part first."""
    guilty = next((row for row in rows if row.verdict is False), None)
    if guilty is not None and guilty.alone is not None:
        inside = [row.type for row in rows if row.inside == guilty.tensor and row.index < guilty.index]
        more = f" (fused with {', '.join(dict.fromkeys(inside))})" if inside else ""
        step = f" in step {steps - 1}" if steps > 1 else ""
        element = _element(guilty.alone)
        return f"First difference at {placed(guilty)}{more}{step}: {element}, on the source's own values before it."
    parted = next((row for row in rows if row.whole is not None and not row.whole.verdict), None)
    if parted is not None and parted.whole is not None:
        alone = "alone, no operator differs by more than the tolerance or LiteRT's own kernels do"
        return f"First difference at {placed(parted)}: {_element(parted.whole)}; {alone}."
    counts = [sum(row.whole is not None for row in rows), sum(row.rule == UNSEEN for row in rows)]
    if rows and not counts[0]:
        return f"No operator is compared: of {len(rows)} results the conversion holds none in a way that can be."
    rest = len(rows) - sum(counts)
    unseen = f", {counts[1]} can't be" if counts[1] else ""
    return f"No operator differs: of {len(rows)} results {counts[0]} are compared, {rest} are parts of these{unseen}."


def placed(row: OperatorReport) -> str:
    """An operator as sentences name it."""
    return f"operator {row.index}, {row.type} {row.tensor!r} ({row.location})"


def _element(one: Difference) -> str:
    return (
        f"element {list(one.first or ())} is {one.expected:.9g} in the source and {one.found:.9g} in the conversion, "
        f"{one.mismatches} of {one.elements} differ, by {one.max_abs:.3g} at most"
    )
