"""Equivalence: run both sides on the same inputs and say by how much each output differs.

Integers must be equal, element by element. Floats may differ by what the order of a sum can do: the default is
max |d| <= 1e-5 * max |reference| for each output, some 80 units in the last place of its largest element. An output
that exceeds it gets a second look (`spread.py`): it is equal if every operator is equal on the source's own values and
the source itself amplifies rounding that much.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.engines import Arrays, Engine
from tosa_converter.engines.engine import Judge, other_judges
from tosa_converter.engines.stepped import Stepped
from tosa_converter.errors import UsageError
from tosa_converter.execute.inputs import narrow_to_int32
from tosa_converter.ir import Array, Model, Value
from tosa_converter.proof.array_difference import Runs, difference, largest, sqnr
from tosa_converter.proof.input_sets import given_inputs
from tosa_converter.proof.spread import (
    INPUTS,
    JudgeOperators,
    PairedRuns,
    Progress,
    Proofs,
    SecondLook,
    amplifying,
    look_again,
    moved,
)
from tosa_converter.schemas.tfl_ops import BOUND

FLOAT_TOLERANCE = 1e-5
TYPE_TOLERANCES = {"": FLOAT_TOLERANCE, "fp16": 2.0**-8, "bf16": 2.0**-5}  # some roundings to 24, 11 and 8 bits
HALF_TOLERANCE = 2e-3  # of fp16 that XNNPACK computes: its sums are rounded to it, TOSA's are in fp32
EQUAL, SPREAD, DIFFERS = "equal", "within the source's own spread", "differs"
Sets = Sequence[tuple[Arrays, Arrays]]  # of inputs, each by the source's names and by the conversion's
Substituted = Callable[[Model, Engine, Model, Engine, Sets], tuple[Runs, Runs] | None]


@dataclass(frozen=True, slots=True)
class OutputReport:
    """How one output compares, over all runs."""

    name: str
    type: str
    elements: int
    mismatches: int  # elements that differ at all
    max_abs: float  # largest |d|
    reference_max: float  # largest |reference|
    sqnr_db: float  # 10 log10(sum reference^2 / sum d^2), infinite where nothing differs
    tolerance: float  # on |d|
    verdict: bool
    rule: str  # what decided: EQUAL, "within 1e-05", SPREAD or DIFFERS
    undefined: int = 0  # elements that differ only by what LiteRT leaves undefined; the other figures leave them out
    second_look: SecondLook | None = None  # at floats that exceed the tolerance
    step: int | None = None  # of several, the first one with an element beyond the tolerance
    histogram: tuple[tuple[float, int], ...] = ()  # how many |d| lie from 10**x on, x in quarters

    @property
    def digits(self) -> float:
        """To how many decimal digits of its largest value the output agrees; infinite where it is bit-identical."""
        return digits(self.max_abs / self.reference_max if self.max_abs and self.reference_max else self.max_abs)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One engine against the source."""

    reference: str
    engine: str
    runs: int
    outputs: tuple[OutputReport, ...]
    steps: int = 0  # of each run, 0 where it has one
    signature: str = ""  # of the graph that was run, where a model has several
    inputs: str = "random"  # or given, or adversarial
    judges: tuple[Judge, ...] = ()  # of operators that the reference's kernels can't judge

    def of(self, signature: str) -> "Comparison":
        """The comparison as that of a signature's graph."""
        return replace(self, signature=signature)

    @property
    def verdict(self) -> bool:
        """Whether every output is within its tolerance."""
        return all(output.verdict for output in self.outputs)


def digits(error: float) -> float:
    """The decimal digits that an error leaves, as a part of the largest value."""
    return math.inf if not error else max(0.0, -math.log10(error))


def with_state_as_inputs(first: Model, second: Model) -> tuple[Model, Model]:
    """Both models with state that is inputs and outputs like any others: no file of TOSA holds what it begins with.

    Where only one of them has such inputs (a TFLite model has variables), they stay state.
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
    substituted: Substituted | None = None,
    operators: JudgeOperators | None = None,
    progress: Progress = lambda _: None,
) -> list[Comparison]:
    """Run the source and each engine on every set of inputs (by the source's names) and compare the outputs.

    Args:
        source: the model as it was read.
        source_engine: what runs it.
        model: its conversion, whose inputs and outputs are in the same order.
        engines: what runs the conversion.
        inputs: one or more sets of arrays.
        further: makes the i-th set, for a second look without operators, which takes at least 10; without it the sets
            given are moved by one unit in the last place.
        tolerance: on floats, relative to the largest element of the reference's output.
        substituted: runs the source again, and an engine with the source's values where those are undefined; None if
            none are.
        operators: compares operators on the source's own values, for the second look; None where nothing can.
        progress: called with the name of each stage.

    Raises:
        ConverterError: an engine fails.
    """
    progress(f"running the source in {source_engine.name}")
    sides = _Sides(source, source_engine, model, inputs, further)
    return [_compared(sides, engine, tolerance, substituted, operators, progress) for engine in engines]


class _Sides:
    """The source's outputs, and the inputs by the names of either side; a second look adds to both."""

    def __init__(
        self,
        source: Model,
        oracle: Engine,
        model: Model,
        inputs: Sequence[Arrays],
        further: Callable[[int], Arrays] | None,
    ) -> None:
        self.source, self.oracle, self.model, self.further = source, oracle, model, further
        self.count = len(inputs)
        self.steps = oracle.steps if isinstance(oracle, Stepped) else 0
        self.sets: list[tuple[Arrays, Arrays]] = []
        self.references: Runs = []
        self.proofs: Proofs = {}
        self._add(inputs)

    def _add(self, inputs: Iterable[Arrays]) -> None:
        for arrays in inputs:
            self.sets.append((arrays, renamed(self.source, self.model, arrays)))
            self.references.append(list(self.oracle.run(self.source, arrays).values()))

    def run(self, engine: Engine, first: int, last: int) -> Runs:
        """What an engine makes of the inputs of these numbers; of results with bounds the rows that the source has."""
        results = [list(engine.run(self.model, given).values()) for _, given in self.sets[first:last]]
        if not self.bounded:
            return results
        pairs = zip(results, self.references[first:last], strict=True)
        return [[_part_of(*arrays) for arrays in zip(run, reference, strict=True)] for run, reference in pairs]

    @cached_property
    def bounded(self) -> bool:
        """Whether results may have more rows than the source gives."""
        return any(BOUND in op.attributes for graph in self.source.graphs.values() for op in graph.walk())

    def extend(self) -> None:
        """Adds sets of inputs, until they are enough for a second look without operators."""
        floats = any(value.type.dtype.is_float for value in self.source.main.inputs)
        for i in range(len(self.sets), INPUTS):
            if self.further is not None:
                self._add([self.further(i)])
            elif floats:
                self._add([moved(self.sets[i % self.count][0], self.count, i)])


def _part_of(result: Array, reference: Array) -> Array:
    """The first elements of a result along each dimension, as many as the reference has; all if it has more."""
    pairs = zip(result.shape, reference.shape, strict=False)
    if result.ndim != reference.ndim or any(have < size for have, size in pairs):
        return result
    return np.asarray(result[tuple(slice(size) for size in reference.shape)])


def _compared(
    sides: _Sides,
    engine: Engine,
    tolerance: float,
    substituted: Substituted | None,
    operators: JudgeOperators | None,
    progress: Progress,
) -> Comparison:
    """Every output within the tolerance, or else the second look."""
    progress(f"running the conversion in {engine.name}")
    results, references = sides.run(engine, 0, sides.count), sides.references[: sides.count]
    values = sides.source.main.outputs
    halves = HALF_TOLERANCE if sides.source.opset == "xnn" else 0.0
    outputs = compared_outputs(values, references, results, tolerance, sides.steps, halves=halves)
    found = None
    if substituted is not None and any(output.mismatches for output in outputs):  # of floats also within a tolerance
        found = substituted(sides.source, sides.oracle, sides.model, engine, sides.sets[: sides.count])
    if found is not None:
        references, results, counts = _set_apart(found[0], results, found[1])
        outputs = compared_outputs(values, references, results, tolerance, sides.steps, halves=halves)
        outputs = [replace(output, undefined=count) for output, count in zip(outputs, counts, strict=True)]
    doubtful = {i: output.tolerance for i, output in enumerate(outputs) if _doubtful(output)}
    if doubtful and sides.model.opset == "tosa" and not sides.bounded:
        for i, look in _second_look(sides, engine, doubtful, references, results, operators, progress).items():
            outputs[i] = _looked_at(outputs[i], look)
    judges = other_judges(sides.oracle, sides.source)
    return Comparison(sides.oracle.name, engine.name, sides.count, tuple(outputs), sides.steps, judges=judges)


def _doubtful(output: OutputReport) -> bool:
    return not output.verdict and math.isfinite(output.max_abs)


def _second_look(
    sides: _Sides,
    engine: Engine,
    tolerances: Mapping[int, float],
    references: Runs,
    results: Runs,
    operators: JudgeOperators | None,
    progress: Progress,
) -> dict[int, SecondLook]:
    """The second look at some outputs, on more sets of inputs where operators can't be compared."""

    def sets() -> PairedRuns:
        inputs = [arrays for arrays, _ in sides.sets[: len(results)]]
        return PairedRuns(
            sides.source, sides.oracle, sides.model, inputs, references, results, sides.steps, sides.proofs
        )

    looks = look_again(sets(), tolerances, operators, progress)
    if all(look.decided for look in looks.values()):
        return looks
    tolerances = {i: tolerance for i, tolerance in tolerances.items() if i in amplifying(sides.source)}
    if not tolerances:
        return looks
    sides.extend()
    references = [*references, *sides.references[len(references) :]]
    results = [*results, *sides.run(engine, len(results), len(sides.sets))]
    return looks | look_again(sets(), tolerances, operators, progress)


def compared_outputs(
    values: Sequence[Value], references: Runs, results: Runs, tolerance: float, steps: int, *, halves: float = 0.0
) -> list[OutputReport]:
    """Every output over all runs; `halves` is the least tolerance of fp16."""
    bounds = [max(tolerance, halves) if value.type.dtype is DType.FP16 else tolerance for value in values]
    return [
        _output(value, [run[i] for run in references], [run[i] for run in results], bounds[i], steps)
        for i, value in enumerate(values)
    ]


def _set_apart(references: Runs, results: Runs, others: Runs) -> tuple[Runs, Runs, list[int]]:
    """Both sides with others' values where undefined behaviour explains them; how many those are, by output."""
    counts = [0] * len(references[0])
    wanted, kept = ([list(run) for run in runs] for runs in (references, results))
    for run, (reference, result, other) in enumerate(zip(references, results, others, strict=True)):
        for i, arrays in enumerate(zip(reference, result, other, strict=True)):
            if len({array.shape for array in arrays}) == 1:
                wanted[run][i], kept[run][i], count = _nearer(*arrays)
                counts[i] += count
    return wanted, kept, counts


def _nearer(reference: Array, result: Array, other: Array) -> tuple[Array, Array, int]:
    """The elements of `other` where they are nearer to the reference, else those of `result`; how many of `other`.

    Where they are the reference's, both sides are `result`: the largest element is none that is anything.
    """
    result, other = (_alike(array, reference) for array in (result, other))
    off = difference(reference, other)
    nearer = off < difference(reference, result)
    explained = nearer & (off == 0)
    return (
        np.where(explained, result, reference),
        np.where(nearer & ~explained, other, result),
        int(np.count_nonzero(nearer)),
    )


def _alike(array: Array, reference: Array) -> Array:
    """The array's bits in the reference's type, if they are as many: TOSA's integers are signless."""
    return array.view(reference.dtype) if array.dtype.itemsize == reference.dtype.itemsize else array


def _looked_at(output: OutputReport, look: SecondLook) -> OutputReport:
    verdict = not look.refusal
    return replace(output, verdict=verdict, rule=SPREAD if verdict else DIFFERS, second_look=look)


def renamed(source: Model, model: Model, arrays: Arrays) -> dict[str, Array]:
    """The arrays under the converted model's names and in its types, bit for bit: TOSA's integers are signless.

    Raises:
        UsageError: one is missing, or has a value that the type can't hold.
    """
    renamed: dict[str, Array] = {}
    for old, new in zip(source.main.inputs, given_inputs(model), strict=True):
        if old.name not in arrays:
            raise UsageError(f"no input for {old.name!r}")
        array, target = arrays[old.name], new.type.dtype.numpy
        if array.dtype == np.int64 and target == np.int32:
            renamed[new.name] = narrow_to_int32(old.name, array)
        else:
            renamed[new.name] = array.view(target) if array.dtype.itemsize == target.itemsize else array.astype(target)
    return renamed


def _output(
    value: Value, references: Sequence[Array], results: Sequence[Array], tolerance: float, steps: int
) -> OutputReport:
    reference = np.concatenate([np.asarray(array).reshape(-1) for array in references])
    result = np.concatenate([np.asarray(array).reshape(-1) for array in results])
    result = _alike(result, reference)
    shapes = [(np.shape(a), np.shape(b)) for a, b in zip(references, results, strict=True)]
    size = reference.size
    unlike = next((found for wanted, found in shapes if wanted != found), None)
    if unlike is not None:
        what = f"{value.type}, found shape {list(unlike)}"
        return OutputReport(value.name, what, size, size, math.inf, 0.0, -math.inf, 0.0, False, DIFFERS)
    d, scale = difference(reference, result), largest(reference)
    bound = tolerance * scale if value.type.dtype.is_float else 0.0
    worst, mismatches = float(d.max(initial=0.0)), int(np.count_nonzero(d))
    rule = EQUAL if not mismatches else f"within {tolerance:g}" if worst <= bound else DIFFERS
    step = _first_step(steps, len(references), d > bound)
    verdict = worst <= bound
    return OutputReport(
        value.name,
        str(value.type),
        size,
        mismatches,
        worst,
        scale,
        sqnr(reference, d),
        bound,
        verdict,
        rule,
        step=step,
        histogram=_histogram(d),
    )


def _histogram(d: Array) -> tuple[tuple[float, int], ...]:
    """How many differences lie in each quarter of a power of ten, zeros and infinities left out."""
    off = d[np.isfinite(d) & (d > 0)]
    quarters, found = np.unique(np.floor(np.log10(off) * 4), return_counts=True)
    return tuple((float(quarter) / 4, int(count)) for quarter, count in zip(quarters, found, strict=True))


def _first_step(steps: int, runs: int, beyond: Array) -> int | None:
    """The first step of a run in which an element is beyond the tolerance, of several steps."""
    if not steps or not beyond.any():
        return None
    return int(np.argmax(beyond.reshape(runs, steps, -1).any(axis=(0, 2))))
