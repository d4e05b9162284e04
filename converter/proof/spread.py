"""The second look at outputs beyond their tolerance: a source that amplifies rounding differs so from itself.

A float sum that rounds otherwise is a last bit off. Behind it a network may amplify that beyond any fixed tolerance,
and a value that is quantized on the way may flip to the next integer. Such an output is equal if both of these hold:

(a) every operator is equal on the source's own values (`judge_operators`), so that nothing is wrong that adds up; and
(b) the output is within `FACTOR` times the source's own *spread*, in the largest difference and in RMS: the farthest
    that the source's other runs are from its reference on the same inputs. These are LiteRT's other kernels; the
    source that goes on from the conversion's values in front of the first operator that differs, where something
    rounds to integers; and its kernels on inputs moved by one unit in the last place.

Runs are made until they explain the difference, so that most outputs take one or two. Where no operators can be
compared, (b) has to hold over `INPUTS` sets of inputs, and proves nothing beyond `LIMIT` of the largest value.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import NamedTuple, TypeAlias

import numpy as np

from tosa_converter.engines import Arrays
from tosa_converter.engines.litert import LiteRT
from tosa_converter.errors import ConverterError
from tosa_converter.ir import Array, Model
from tosa_converter.proof.judgement import Runs, difference, largest
from tosa_converter.proof.operators import OperatorProof
from tosa_converter.proof.rounding import flipping_outputs
from tosa_converter.proof.source_runs import Outputs, SourceRun, SourceRuns, other_runs

INPUTS = 10
# Two kernels that sum in other orders are off by up to e from the exact sum, each to its own side: the conversion is up
# to 2 * e from the reference where another kernel, which happens to be exact, is only e from it. Sums that are exactly
# 1.0, which the reference makes 1.0 - 3 ulp, the other kernel 1.0 and the conversion 1.0 + 3 ulp: spread 3, error 6.
FACTOR = 2.0
LIMIT = 1e-2  # of the largest value: a source that differs so from itself can hide an error of 2 %, and proves nothing

Resume: TypeAlias = Callable[[], Outputs | None]
JudgeOperators: TypeAlias = Callable[[Model, LiteRT, Model, Sequence[Arrays]], tuple[OperatorProof, Resume]]
Proofs: TypeAlias = dict[tuple[int, int], tuple[OperatorProof, Resume]]  # by set and number of steps
Progress: TypeAlias = Callable[[str], object]
RESUMED = "resumed from the conversion's values"


class Distance(NamedTuple):
    """The largest and the RMS difference of two arrays."""

    largest: float = 0.0
    rms: float = 0.0

    @classmethod
    def between(cls, a: Array, b: Array) -> "Distance":
        """Returns the distance of two arrays, infinite unless their shapes are equal."""
        if a.shape != b.shape:
            return cls(math.inf, math.inf)
        d = difference(a, b)
        return cls(float(d.max(initial=0.0)), math.sqrt(float(np.sum(np.square(d))) / max(d.size, 1)))

    def farthest(self, distance: "Distance") -> "Distance":
        """Returns the larger one of both largest differences, and of both RMS differences."""
        return Distance(max(self.largest, distance.largest), max(self.rms, distance.rms))

    def within(self, spread: "Distance", factor: float = FACTOR) -> bool:
        """Returns whether both figures are at most `factor` times those of the spread; NaN and infinity are not."""
        # A spread of 0, of a source that always gives the same bits, explains no difference at all: d <= 2 * 0 holds
        # for d = 0 only.
        return all(math.isfinite(d) and d <= factor * s for d, s in zip(self, spread, strict=True))


@dataclass(frozen=True, slots=True)
class SecondLook:
    """The figures that decide about an output; distances are from the source's reference."""

    inputs: int  # sets that were looked at
    operators: OperatorProof | None
    sources: tuple[str, ...]  # the source's other runs
    missing: tuple[str, ...]  # what couldn't be run or compared, and why
    spread: Distance  # the farthest of the source's other runs
    distance: Distance  # the engine
    refusal: str  # the condition that doesn't hold, if any

    @property
    def decided(self) -> bool:
        """Whether the operators were all compared, or one differs: more sets of inputs wouldn't change the verdict."""
        return self.operators is not None and (self.operators.complete or bool(self.operators.difference))


@dataclass(slots=True)
class PairedRuns:
    """Runs of a source and of its conversion on the same inputs, set by set."""

    source: SourceRuns
    references: Runs
    results: Runs
    proofs: Proofs  # of operators on these inputs, which are filled in


@dataclass
class Look:
    """The figures of a second look at some outputs, as runs of the source are added."""

    pairs: PairedRuns
    tolerances: Mapping[int, float]  # of the outputs that are looked at, on |d|
    progress: Progress
    operators: OperatorProof | None = None
    inputs: int = 0
    sources: dict[str, None] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    spreads: dict[int, Distance] = field(default_factory=dict)

    @cached_property
    def flipping(self) -> set[int]:
        """The outputs beyond their tolerance that rounding may change by a whole step, as behind CEIL."""
        return flipping_outputs(self.pairs.source.source) & {*self.tolerances}

    @property
    def proved(self) -> bool:
        """Whether on some set of inputs all operators were compared, alone on the source's values, and are equal."""
        return self.operators is not None and self.operators.complete

    def distances(self, number: int) -> dict[int, Distance]:
        """Returns the engine's distance from the reference on one set, by output that exceeds its tolerance there."""
        pairs = zip(self.pairs.references[number], self.pairs.results[number], strict=True)
        distances = [Distance.between(reference, result.reshape(reference.shape)) for reference, result in pairs]
        return {i: distances[i] for i, bound in self.tolerances.items() if not distances[i].largest <= bound}

    def excess(self, number: int) -> float:
        """Returns a set's largest difference in units of its tolerance, 0 if none exceeds it, to sort the sets."""
        distances = self.distances(number)
        return max((d.largest / (self.tolerances[i] or 1.0) for i, d in distances.items()), default=0.0)

    def explains(self, number: int) -> bool:
        """Returns whether the source's own rounding variation so far covers all differences on a set of inputs."""
        return all(d.within(self.spreads.get(i, Distance())) for i, d in self.distances(number).items())

    def add(self, name: str, number: int, outputs: Outputs) -> None:
        """Adds one more run of the source on a set of inputs to the spread of its outputs.

        A run that goes on from the conversion's values counts only for outputs that roundings may flip. Infinite
        differences don't count.
        """
        self.sources[name] = None
        for i in self.flipping if name.endswith(RESUMED) else self.tolerances:
            distance = Distance.between(self.pairs.references[number][i], outputs[i])
            if math.isfinite(distance.largest):
                self.spreads[i] = self.spreads.get(i, Distance()).farthest(distance)

    def refusal(self, output: int) -> str:
        """Returns why an output isn't accepted as equal: the first condition that doesn't hold; "" if all do.

        If the operators weren't all compared and equal, the source's rounding variation must be measured on `INPUTS`
        sets and be at most `LIMIT` of the largest value. In any case, the error on every set must be within `FACTOR`
        times that variation.
        """
        count, spread = len(self.pairs.results), self.spreads.get(output, Distance())
        if not self.proved:
            if count < INPUTS:
                return f"expected {INPUTS} sets of inputs to measure the source's rounding variation, found {count}"
            if not spread.largest <= LIMIT * max(largest(run[output]) for run in self.pairs.references):
                return (
                    f"the source's own runs differ by more than {LIMIT:.0%} of the largest value, which proves nothing"
                )
        distances = [self.distances(number).get(output, Distance()) for number in range(count)]
        if not all(distance.within(spread) for distance in distances):
            return "the error exceeds twice the source's own rounding variation"
        return ""

    def second_looks(self, refusals: Mapping[int, str]) -> dict[int, SecondLook]:
        """Returns the figures that decide about each output beyond its tolerance, by the output's index.

        They include the largest distance from the reference over all sets of inputs, and the source's own rounding
        variation (`spread`). `refusals` has the reason for each output that isn't accepted as equal.
        """
        looks: dict[int, SecondLook] = {}
        missing = tuple(f"{name}: {reason}" for name, reason in self.missing.items())
        for i in self.tolerances:
            farthest = Distance()
            for number in range(len(self.pairs.results)):
                farthest = farthest.farthest(self.distances(number).get(i, Distance()))
            spread = self.spreads.get(i, Distance())
            looks[i] = SecondLook(
                self.inputs, self.operators, tuple(self.sources), missing, spread, farthest, refusals.get(i, "")
            )
        return looks


def look_again(
    pairs: PairedRuns,
    tolerances: Mapping[int, float],
    judge: JudgeOperators | None,
    progress: Progress = lambda _: None,
) -> dict[int, SecondLook]:
    """Decides about outputs beyond their tolerance: accepted if the source amplifies rounding as much, else refused.

    For each set of inputs, the operators are compared first; one that differs ends the search. Then the source is run
    in other ways until its own variation explains the differences. Once the operators are proved equal, sets that are
    explained already are skipped.

    Args:
        pairs: runs of both sides; `INPUTS` of them where there is no `judge`.
        tolerances: the largest difference that is accepted, by the index of an output that exceeds it.
        judge: compares operators one by one; None where they can't be compared.
        progress: called with the name of each stage.

    Raises:
        ConverterError: an engine fails.
    """
    look = Look(pairs, tolerances, progress)
    # The set with the largest excess comes first: the spread that explains it mostly explains the others, which then
    # take no run of their own.
    for number in sorted(range(len(pairs.results)), key=look.excess, reverse=True):
        if look.proved and look.explains(number):
            continue
        look.inputs += 1
        resume = _judge_operators(look, judge, number)
        if look.operators is not None and look.operators.difference:
            return look.second_looks(dict.fromkeys(tolerances, look.operators.difference))
        # At most 13 runs: one that goes on from the conversion's values, 2 in LiteRT's other kernels, and FLIP_RUNS +
        # MOVED_RUNS = 10 on moved inputs.
        for name, outputs in _run_source_again(look, number, resume):
            look.add(name, number, outputs)
            if look.explains(number):
                break
    return look.second_looks({i: refusal for i in tolerances if (refusal := look.refusal(i))})


def _judge_operators(look: Look, judge: JudgeOperators | None, number: int) -> Resume:
    """Compares each source operator with its conversion on one set of inputs, both on the source's own values.

    `judge` does so, and its proof is kept in `proofs`: each set is compared once. The proof goes to `look.operators`.
    `look.missing` gets the reason if there is none, or if it leaves out an output.

    Returns a function for later. It runs the source on from the conversion's values before the first operator that
    differs, and returns the source's outputs, or None if no operator differs or none were compared.
    """
    source, proofs = look.pairs.source, look.pairs.proofs
    kernels = source.kernels
    if judge is None or not isinstance(kernels, LiteRT) or source.model.opset != "tosa":
        look.missing["operators"] = f"{kernels.name} gives no values between them"
        return lambda: None
    look.progress("comparing operators")
    arrays = source.inputs[number][0]
    steps: list[Arrays] = [arrays]
    if source.steps:
        steps = [{name: array[i] for name, array in arrays.items()} for i in range(_first_step(look, number) + 1)]
    key = number, len(steps)
    if key not in proofs:
        try:
            proofs[key] = judge(source.source, kernels, source.model, steps)
        except ConverterError as error:
            look.missing["operators"] = str(error).splitlines()[0]
            return lambda: None
    proof, resume = proofs[key]
    look.operators = proof
    if proof.unseen:
        look.missing["operators"] = f"of output {proof.unseen[0]!r} they can't be compared"
    return resume


def _first_step(look: Look, number: int) -> int:
    """Returns the first step of a run in which an output exceeds its tolerance, the last one if none does.

    Operators are compared in that step: later ones begin with state that is wrong already.
    """
    count, steps = look.pairs.source.steps, []
    for i, bound in look.tolerances.items():
        reference, result = look.pairs.references[number][i], look.pairs.results[number][i]
        beyond = difference(reference, result.reshape(reference.shape)).reshape(count, -1) > bound
        steps += [int(np.argmax(beyond.any(axis=1)))] if beyond.any() else []
    return min(steps, default=count - 1)


def _run_source_again(look: Look, number: int, resume: Resume) -> Iterator[tuple[str, Outputs]]:
    """Yields name and outputs of the source's other runs on a set of inputs, which show how far rounding moves it.

    It is run on from the conversion's values (by `resume`) if rounding may flip a value before an output, in other
    kernels, and on inputs changed by one unit in the last place. A run that fails is noted in `missing` and not tried
    again.
    """
    source = look.pairs.source
    resumed = [SourceRun(f"{source.oracle.name} {RESUMED}", resume)] if look.flipping else []
    for name, run in chain(resumed, other_runs(source, number, look.missing)):
        if name in look.missing:
            continue
        look.progress(f"running the source again: {name}")
        try:
            outputs = run()
        except ConverterError as error:
            look.missing[name] = str(error).splitlines()[0]
            continue
        if outputs is not None:
            yield name, outputs
