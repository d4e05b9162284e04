"""Equivalence: run both sides on the same inputs and say by how much each output differs.

Integers must be equal, element by element. Floats may differ by what the order of a sum can do: the default is
max |d| <= 1e-5 * max |reference| for each output, some 80 units in the last place of its largest element. An output
that exceeds it gets a second look (`spread.py`): it is equal if every operator is equal on the source's own values and
the source itself amplifies rounding that much. A tolerance that the user states (`tolerances.py`) replaces all of this.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, NoReturn

import numpy as np

from tosa_converter.display import Summarized
from tosa_converter.dtypes import DType
from tosa_converter.engines import Arrays, Engine
from tosa_converter.engines.engine import Judge, other_judges
from tosa_converter.errors import ConverterError
from tosa_converter.ir import Array, Model, Value
from tosa_converter.proof.input_sets import Sets
from tosa_converter.proof.judgement import Judgement, Runs, difference, digits, judge, view_in_type_of
from tosa_converter.proof.rounding import amplifying_outputs
from tosa_converter.proof.saved_runs import RunArrays, loaded_runs
from tosa_converter.proof.source_runs import SourceRuns
from tosa_converter.proof.spread import INPUTS, JudgeOperators, PairedRuns, Progress, Proofs, SecondLook, look_again
from tosa_converter.proof.tolerances import Tolerance
from tosa_converter.proof.top1 import Top1, top1_of_outputs

FLOAT_TOLERANCE = 1e-5
TYPE_TOLERANCES = {"": FLOAT_TOLERANCE, "fp16": 2.0**-8, "bf16": 2.0**-5}  # some roundings to 24, 11 and 8 bits
# A rounding to fp16 is off by a part of 2**-11 = 4.9e-4 at most, so 2e-3 are four of them.
HALF_TOLERANCE = 2e-3  # of fp16 that XNNPACK computes: its sums are rounded to it, TOSA's are in fp32
EQUAL, SPREAD, DIFFERS = "equal", "within the source's own spread", "differs"
Substituted = Callable[[Model, Engine, Model, Engine, Sets], tuple[Runs, Runs] | None]


@dataclass(frozen=True, slots=True)
class OutputReport:
    """How one output of a conversion compares with the source's, over all runs."""

    name: str
    type: str
    elements: int
    mismatches: int  # elements that differ at all
    max_abs: float  # largest |d|
    reference_max: float  # largest |reference|
    sqnr_db: float  # 10 log10(sum reference^2 / sum d^2), infinite where nothing differs
    tolerance: float  # on |d|
    verdict: bool
    rule: str  # what decided: EQUAL, "within 1e-05", "within atol 0.01, rtol 0", SPREAD, or what begins with DIFFERS
    undefined: int = 0  # elements that differ only by what LiteRT leaves undefined; the other figures leave them out
    second_look: SecondLook | None = None  # at floats that exceed the tolerance
    step: int | None = None  # of several, the first one with an element beyond the tolerance
    histogram: tuple[tuple[float, int], ...] = ()  # how many |d| lie from 10**x on, x in quarters
    atol: float | None = None  # with `rtol`, the tolerance that the user states; `tolerance` is its largest element
    rtol: float | None = None
    top1: Top1 | None = None  # of class scores, on samples
    first_set: int | None = None  # of several sets of inputs, the first with an element beyond the tolerance

    @property
    def digits(self) -> float:
        """Returns to how many decimal digits of its largest value the output agrees; infinite if bit-identical."""
        return digits(self.max_abs / self.reference_max if self.max_abs and self.reference_max else self.max_abs)


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Summarized):
    """The outputs of one engine that ran the conversion, compared with the source's."""

    reference: str
    engine: str
    runs: int
    outputs: tuple[OutputReport, ...]
    steps: int = 0  # of each run, 0 where it has one
    signature: str = ""  # of the graph that was run, where a model has several
    inputs: str = "random"  # or given, or adversarial
    judges: tuple[Judge, ...] = ()  # of operators that the reference's kernels can't judge

    def of(self, signature: str) -> "Comparison":
        """Returns a copy of this comparison that is labelled with the name of a model's signature."""
        return replace(self, signature=signature)

    @property
    def verdict(self) -> bool:
        """Returns whether every output is within its tolerance."""
        return all(output.verdict for output in self.outputs)


def with_state_as_inputs(first: Model, second: Model) -> tuple[Model, Model]:
    """Returns copies of both models whose state counts as plain inputs and outputs.

    TOSA files don't hold initial values of state, so these become inputs. If the numbers of inputs differ, as when a
    TFLite model has variables instead, both models are returned as they are.
    """
    if len(first.main.inputs) != len(second.main.inputs):
        return first, second
    sides = copy(first), copy(second)
    for side in sides:
        side.states = dict.fromkeys(side.graphs, ())
    return sides


def compare_runs(
    source: Model,
    source_engine: Engine,
    model: Model,
    engines: Sequence[Engine],
    inputs: Sequence[Arrays],
    *,
    further: Callable[[int], Arrays] | None = None,
    tolerance: float = FLOAT_TOLERANCE,
    stated: Sequence[Tolerance | None] = (),
    substituted: Substituted | None = None,
    operators: JudgeOperators | None = None,
    loaded: Mapping[str, Arrays] | None = None,
    arrays: RunArrays | None = None,
    labels: Sequence[int] | None = None,
    progress: Progress = lambda _: None,
) -> list[Comparison]:
    """Runs the source and each engine on every set of inputs (by the source's names) and compares the outputs.

    Args:
        source: the model as it was read.
        source_engine: what runs it.
        model: its conversion, whose inputs and outputs are in the same order.
        engines: what runs the conversion.
        inputs: one or more sets of arrays.
        further: makes the i-th set, where `INPUTS` sets are needed to measure the source's own rounding; without it the
            given sets are moved by one unit in the last place.
        tolerance: on floats, relative to the largest element of the reference's output.
        stated: the user's tolerance of each output, which replaces `tolerance`; None for an output without one.
        substituted: runs the source again, and an engine with the source's values where those are undefined; None if
            none are.
        operators: compares operators on the source's own values, to decide about outputs beyond their tolerance; None
            where they can't be compared.
        loaded: outputs of runs made elsewhere on the same inputs, by the name of the run.
        arrays: gets the inputs and outputs of all runs.
        labels: the class of each sample, empty where it isn't known; None unless the inputs are samples.
        progress: called with the name of each stage.

    Raises:
        ConverterError: an engine fails.
        UsageError: loaded arrays or labels that don't fit the outputs.
    """
    progress(f"running the source in {source_engine.name}")
    runs = SourceRuns(source, source_engine, model, further)
    runs.add(inputs)
    if arrays is not None:
        arrays.add_inputs(inputs)
        arrays.add_outputs(source_engine.name, source, runs.outputs)
    columns = {name: loaded_runs(name, outputs, source, runs.outputs) for name, outputs in (loaded or {}).items()}
    comparing = _Comparing(runs, len(inputs), tolerance, stated, substituted, operators, labels, arrays, progress, {})
    comparisons = [comparing.compare(engine) for engine in engines]
    return [*comparisons, *(comparing.compare_loaded(name, results) for name, results in columns.items())]


class _Comparing(NamedTuple):
    """Runs of a source on `sets` sets of inputs, and what it takes to compare engines that run its conversion."""

    source: SourceRuns
    sets: int
    tolerance: float
    stated: Sequence[Tolerance | None]
    substituted: Substituted | None
    operators: JudgeOperators | None
    labels: Sequence[int] | None
    arrays: RunArrays | None
    progress: Progress
    proofs: Proofs

    def compare(self, engine: Engine) -> Comparison:
        """Runs the conversion in an engine and compares every output with the source's.

        Differences are taken out and counted if they vanish when the conversion gets the source's values where the
        source's behaviour is undefined. Outputs that still exceed their tolerance are accepted if the source itself
        amplifies rounding as much (`_look_again`).
        """
        self.progress(f"running the conversion in {engine.name}")
        source, oracle = self.source, self.source.oracle
        results, references = source.run_conversion(engine, 0, self.sets), source.outputs[: self.sets]
        if self.arrays is not None:
            self.arrays.add_outputs(engine.name, source.source, results)
        outputs = self._judge(references, results)
        rerun = None
        if self.substituted is not None and any(output.mismatches for output in outputs):  # also within a tolerance
            rerun = self.substituted(source.source, oracle, source.model, engine, source.inputs[: self.sets])
        if rerun is not None:
            references, results, counts = _set_apart(rerun[0], results, rerun[1])
            outputs = self._judge(references, results)
            outputs = [replace(output, undefined=count) for output, count in zip(outputs, counts, strict=True)]
        doubtful = {i: output.tolerance for i, output in enumerate(outputs) if _is_doubtful(output)}
        if doubtful and source.model.opset == "tosa" and not source.has_bounds:
            looks = self._look_again(engine, doubtful, references, results)
            outputs = _with_looks(outputs, looks)
        return self._comparison(engine.name, outputs)

    def compare_loaded(self, run: str, results: Runs) -> Comparison:
        """Compares the outputs of a run made elsewhere with the source's, on the same inputs.

        Operators can't be compared, and the run can't be repeated. A float output beyond its tolerance is accepted if
        the source's own rounding explains it, provided that there are at least `INPUTS` sets of inputs.
        """
        source = self.source
        references = source.outputs[: self.sets]
        outputs = self._judge(references, results)
        amplified = amplifying_outputs(source.source)
        doubtful = {i: outputs[i].tolerance for i in sorted(amplified) if _is_doubtful(outputs[i])}
        if doubtful and self.sets >= INPUTS and not source.has_bounds:
            pairs = PairedRuns(source, references, results, {})
            outputs = _with_looks(outputs, look_again(pairs, doubtful, _refuse_operators, self.progress))
        return self._comparison(run, outputs)

    def _comparison(self, engine: str, outputs: Sequence[OutputReport]) -> Comparison:
        """Returns the outputs' reports as one engine's comparison.

        `judges` are the operators that the source's engine computes with other kernels than its own.
        """
        oracle, source = self.source.oracle, self.source.source
        judges = other_judges(oracle, source)
        return Comparison(oracle.name, engine, self.sets, tuple(outputs), self.source.steps, judges=judges)

    def _judge(self, references: Runs, results: Runs) -> list[OutputReport]:
        """Returns the report of every output by the user's tolerance or its type's, with top-1 counts for labels.

        XNNPACK graphs have a wider tolerance for fp16 outputs: their sums are rounded to fp16, TOSA's are in fp32.
        """
        fp16_tolerance = HALF_TOLERANCE if self.source.source.opset == "xnn" else 0.0
        source, steps = self.source.source, self.source.steps
        outputs = compared_outputs(
            source.main.outputs,
            references,
            results,
            self.tolerance,
            steps,
            fp16_tolerance=fp16_tolerance,
            stated=self.stated,
        )
        if self.labels is None:
            return outputs
        reports = top1_of_outputs(source, references, results, self.labels)
        return [replace(output, top1=report) for output, report in zip(outputs, reports, strict=True)]

    def _look_again(
        self, engine: Engine, tolerances: Mapping[int, float], references: Runs, results: Runs
    ) -> dict[int, SecondLook]:
        """Decides whether outputs beyond their tolerance are equal: whether the source amplifies rounding as much.

        Outputs are decided by their operators where these can be compared. Otherwise, float outputs that depend on no
        rounding to integers are decided on `INPUTS` sets of inputs, to which the missing sets are added.
        """
        source = self.source
        pairs = PairedRuns(source, references, results, self.proofs)
        looks = look_again(pairs, tolerances, self.operators, self.progress)
        amplified = amplifying_outputs(source.source)
        tolerances = {i: tolerance for i, tolerance in tolerances.items() if i in amplified}
        if all(look.decided for look in looks.values()) or not tolerances:
            return looks
        source.extend(self.sets, INPUTS)
        references = [*references, *source.outputs[len(references) :]]
        results = [*results, *source.run_conversion(engine, len(results), len(source.inputs))]
        pairs = PairedRuns(source, references, results, self.proofs)
        return looks | look_again(pairs, tolerances, self.operators, self.progress)


def _refuse_operators(*_: object) -> NoReturn:
    """Raises ConverterError in place of comparing operators: a run made elsewhere has no values for that."""
    raise ConverterError("a run made elsewhere has no values between them")


def _is_doubtful(output: OutputReport) -> bool:
    """Returns whether an output is beyond its default tolerance by a finite difference.

    A second look may explain that. A tolerance that the user states is final.
    """
    return not output.verdict and math.isfinite(output.max_abs) and output.atol is None


def _with_looks(outputs: Sequence[OutputReport], looks: Mapping[int, SecondLook]) -> list[OutputReport]:
    """Returns the reports with new verdicts for the outputs in `looks`, by position.

    These exceeded their tolerance. An empty refusal accepts the output, because the source's own rounding explains it.
    """
    decided = list(outputs)
    for i, look in looks.items():
        rule = DIFFERS if look.refusal else SPREAD
        decided[i] = replace(outputs[i], verdict=not look.refusal, rule=rule, second_look=look)
    return decided


def compared_outputs(
    values: Sequence[Value],
    references: Runs,
    results: Runs,
    tolerance: float,
    steps: int,
    *,
    fp16_tolerance: float = 0.0,
    stated: Sequence[Tolerance | None] = (),
) -> list[OutputReport]:
    """Returns the report of every output over all runs.

    Floats may differ by `tolerance` of the output's largest element, fp16 by at least `fp16_tolerance`. `stated` has
    the user's tolerance for each output in place of these, None for none. `steps` is the number of steps in each run, 0
    for runs without.
    """
    bounds: list[float | Tolerance] = [
        max(tolerance, fp16_tolerance) if value.type.dtype is DType.FP16 else tolerance for value in values
    ]
    bounds = [bound or default for bound, default in zip(stated or bounds, bounds, strict=True)]
    return [
        _judge_output(value, [run[i] for run in references], [run[i] for run in results], bounds[i], steps)
        for i, value in enumerate(values)
    ]


def _set_apart(references: Runs, results: Runs, substitutes: Runs) -> tuple[Runs, Runs, list[int]]:
    """Returns both sides without differences that undefined behaviour explains, and their number by output.

    `substitutes` are the results of a run in which the source's own values stand where its behaviour is undefined.
    """
    counts = [0] * len(references[0])
    expected, actual = ([list(run) for run in runs] for runs in (references, results))
    for run, arrays_of_run in enumerate(zip(references, results, substitutes, strict=True)):
        for i, arrays in enumerate(zip(*arrays_of_run, strict=True)):
            # Arrays of unlike shapes stay as they are: `_judge_output` counts all of their elements as different.
            if len({array.shape for array in arrays}) == 1:
                expected[run][i], actual[run][i], count = _nearer(*arrays)
                counts[i] += count
    return expected, actual, counts


def _nearer(reference: Array, result: Array, substitute: Array) -> tuple[Array, Array, int]:
    """Returns reference and result without the differences that undefined behaviour explains, and how many there were.

    `substitute` is the result of a run with the source's own values where its behaviour is undefined. Where it is
    nearer to the reference, its element replaces the result's. Where it equals the reference, the result's element
    replaces the reference's instead: an arbitrary element then isn't taken for the reference's largest.
    """
    result, substitute = (view_in_type_of(reference, array) for array in (result, substitute))
    distance = difference(reference, substitute)
    nearer = distance < difference(reference, result)
    explained = nearer & (distance == 0)
    return (
        np.where(explained, result, reference),
        np.where(nearer & ~explained, substitute, result),
        int(np.count_nonzero(nearer)),
    )


def _judge_output(
    value: Value, references: Sequence[Array], results: Sequence[Array], bound: float | Tolerance, steps: int
) -> OutputReport:
    """Returns the report of one output over all runs; if its shape differs, every element does.

    `bound` is the part of the largest element by which floats may differ, or the tolerance that the user states.
    `steps` is the number of steps in each run, 0 for runs without.
    """
    reference, result = (np.concatenate([np.ravel(array) for array in arrays]) for arrays in (references, results))
    shapes = [(np.shape(a), np.shape(b)) for a, b in zip(references, results, strict=True)]
    size = reference.size
    stated = bound if isinstance(bound, Tolerance) else None
    figures: dict[str, Any] = {} if stated is None else stated._asdict()
    unlike = next((i for i, (expected, actual) in enumerate(shapes) if expected != actual), None)
    if unlike is not None:
        text = f"{value.type}, found shape {list(shapes[unlike][1])}"
        figures["first_set"] = unlike if len(shapes) > 1 else None
        return OutputReport(value.name, text, size, size, math.inf, 0.0, -math.inf, 0.0, False, DIFFERS, **figures)
    result = view_in_type_of(reference, result)
    allowed = None
    if stated is not None:
        allowed = np.concatenate([np.ravel(stated.bounds(value, array)) for array in references])
    tolerance = bound if not isinstance(bound, Tolerance) and value.type.dtype.is_float else 0.0
    judgement = judge(reference, result, tolerance, allowed=allowed)
    d = difference(reference, result)
    beyond = d > (judgement.tolerance if allowed is None else allowed)
    return OutputReport(
        value.name,
        str(value.type),
        size,
        judgement.mismatches,
        judgement.max_abs,
        judgement.reference_max,
        judgement.sqnr_db,
        judgement.tolerance,
        judgement.verdict,
        _rule(judgement, bound),
        step=_first_step(steps, len(references), beyond),
        histogram=_histogram(d),
        first_set=_first_set([array.size for array in references], beyond),
        **figures,
    )


def _rule(judgement: Judgement, bound: float | Tolerance) -> str:
    """Returns the rule that decided about an output, as text: equal, within its tolerance, or different."""
    if not judgement.mismatches:
        return EQUAL
    if isinstance(bound, Tolerance):
        return f"within {bound}" if judgement.verdict else f"{DIFFERS} by more than {bound}"
    return f"within {bound:g}" if judgement.verdict else DIFFERS


def _histogram(d: Array) -> tuple[tuple[float, int], ...]:
    """Returns how many differences lie in each quarter of a power of ten, as pairs (log10 of its start, count).

    Zeros and infinities are left out.
    """
    # 3e-6 has the logarithm -5.52, four times which is -22.1, rounded down to -23: its quarter begins at 10**-5.75 =
    # 1.8e-6 and ends at 10**-5.5 = 3.2e-6.
    off = d[np.isfinite(d) & (d > 0)]
    quarters, counts = np.unique(np.floor(np.log10(off) * 4), return_counts=True)
    return tuple((float(quarter) / 4, int(count)) for quarter, count in zip(quarters, counts, strict=True))


def _first_set(sizes: Sequence[int], beyond: Array) -> int | None:
    """Returns the first of several sets of inputs with an element beyond the tolerance, or None if there is none.

    Args:
        sizes: how many elements the output has in each set.
        beyond: a flag for each element, set by set.
    """
    if len(sizes) < 2 or not beyond.any():
        return None
    # Of sets of 4, 4 and 4 elements, which end before the elements 4, 8 and 12, element 5 is in the second one.
    return int(np.searchsorted(np.cumsum(sizes), np.argmax(beyond), side="right"))


def _first_step(steps: int, runs: int, beyond: Array) -> int | None:
    """Returns the first step, in any run, with an element beyond the tolerance; None without any or without steps."""
    if not steps or not beyond.any():
        return None
    # `beyond` is flat, run by run and in each of them step by step: 2 runs of 3 steps of 4 elements are 24 flags.
    return int(np.argmax(beyond.reshape(runs, steps, -1).any(axis=(0, 2))))
