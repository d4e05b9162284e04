"""The second look at outputs beyond their tolerance: a source that amplifies rounding differs so from itself.

A float sum that rounds otherwise is a last bit off. Behind it a network may amplify that beyond any fixed tolerance,
and a value that is quantized on the way may flip to the next integer. Such an output is equal if both of these hold:

(a) every operator is equal on the source's own values (`judge_operators`), so that nothing is wrong that adds up; and
(b) the output is within `FACTOR` times the source's own *spread*, in the largest difference and in RMS: the farthest
    that the source's other runs are from its reference on the same inputs. These are LiteRT's other kernels; the
    source that goes on from the conversion's values in front of the first operator where both sides part, where
    something rounds to integers; and its kernels on inputs moved by one unit in the last place.

Runs are made until they explain the difference, so that most outputs take one or two. Where no operators can be
compared, (b) has to hold over `INPUTS` sets of inputs, and proves nothing beyond `LIMIT` of the largest value.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import NamedTuple, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.engines import ENGINES, Arrays, Engine
from tosa_converter.engines.builtin_form import builtin_form
from tosa_converter.engines.litert import RESOLVERS, LiteRT, content_of
from tosa_converter.engines.stepped import Stepped, with_same_steps
from tosa_converter.errors import ConverterError
from tosa_converter.ir import CONSTANTS, Array, Graph, Model, Op, Value
from tosa_converter.ir.edit import cut_at
from tosa_converter.proof.array_difference import Runs, difference, largest
from tosa_converter.proof.operators import OperatorProof
from tosa_converter.schemas.tfl_ops import GRAPHS

INPUTS = 10
MOVED = 2  # runs on moved inputs of each set, in the reference
FLIPS = 8  # more of them, in the quickest kernels
FACTOR = 2.0
LIMIT = 1e-2

Outputs: TypeAlias = list[Array]
Resume: TypeAlias = Callable[[], Outputs | None]
JudgeOperators: TypeAlias = Callable[[Model, LiteRT, Model, Sequence[Arrays]], tuple[OperatorProof, Resume]]
Proofs: TypeAlias = dict[tuple[int, int], tuple[OperatorProof, Resume]]  # by set and number of steps
Progress: TypeAlias = Callable[[str], object]
XNNPACK = "litert-xnnpack"
RESUMED = "resumed from the conversion's values"
_COMPARISONS = {f"tfl.{name}" for name in ("equal", "greater", "greater_equal", "less", "less_equal", "not_equal")}
_STEPS = _COMPARISONS | {
    *("tfl.cast", "tfl.ceil", "tfl.fake_quant", "tfl.floor", "tfl.floor_div", "tfl.floor_mod", "tfl.round", "tfl.sign"),
    *("tfl.arg_max", "tfl.arg_min", "tfl.non_max_suppression_v4", "tfl.non_max_suppression_v5", "tfl.topk_v2"),
}
_NARROW = {DType.I4, DType.UI4, DType.I8, DType.UI8, DType.I16, DType.UI16}


@dataclass(frozen=True, slots=True)
class SecondLook:
    """The figures that decide about an output; pairs are the largest difference and RMS from the source's reference."""

    inputs: int  # sets that were looked at
    operators: OperatorProof | None
    sources: tuple[str, ...]  # the source's other runs
    missing: tuple[str, ...]  # what couldn't be run or compared, and why
    spread: "Distance"  # the farthest of the source's other runs
    distance: "Distance"  # the engine
    refusal: str  # the condition that doesn't hold, if any

    @property
    def decided(self) -> bool:
        """Whether the operators were compared, so that no more inputs are needed."""
        return self.operators is not None and (self.operators.complete or bool(self.operators.difference))


class Distance(NamedTuple):
    """How far two arrays are apart."""

    largest: float = 0.0
    rms: float = 0.0

    @classmethod
    def between(cls, a: Array, b: Array) -> "Distance":
        """The distance of two arrays, infinite unless their shapes are equal."""
        if a.shape != b.shape:
            return cls(math.inf, math.inf)
        d = difference(a, b)
        return cls(float(d.max(initial=0.0)), math.sqrt(float(np.sum(np.square(d))) / max(d.size, 1)))

    def farthest(self, distance: "Distance") -> "Distance":
        """The larger one of each figure."""
        return Distance(max(self.largest, distance.largest), max(self.rms, distance.rms))

    def within(self, spread: "Distance", factor: float = FACTOR) -> bool:
        """Whether both figures are within so many spreads; NaN and infinity are not."""
        return all(math.isfinite(d) and d <= factor * s for d, s in zip(self, spread, strict=True))


@dataclass(frozen=True, slots=True)
class PairedRuns:
    """Runs of both sides on the same inputs, set by set."""

    source: Model
    oracle: Engine  # the source's reference
    model: Model
    inputs: Sequence[Arrays]  # by the source's names
    references: Runs
    results: Runs
    steps: int  # of each, 0 where it has one
    proofs: "Proofs"  # of operators on these inputs, which are filled in


@dataclass
class Look:
    """What is known of some outputs so far."""

    sets: PairedRuns
    tolerances: Mapping[int, float]  # of the outputs that are looked at, on |d|
    progress: Progress
    operators: OperatorProof | None = None
    inputs: int = 0
    sources: dict[str, None] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    spreads: dict[int, Distance] = field(default_factory=dict)

    @cached_property
    def flipping(self) -> set[int]:
        """The outputs in front of which something has steps."""
        return flipping(self.sets.source) & {*self.tolerances}

    def distances(self, number: int) -> dict[int, Distance]:
        """How far the engine is from the reference on one set, by output that exceeds its tolerance there."""
        pairs = zip(self.sets.references[number], self.sets.results[number], strict=True)
        distances = [Distance.between(reference, result.reshape(reference.shape)) for reference, result in pairs]
        return {i: distances[i] for i, bound in self.tolerances.items() if not distances[i].largest <= bound}

    @property
    def decided(self) -> bool:
        """Whether the operators are proved equal, on at least one set."""
        return self.operators is not None and self.operators.complete

    def explains(self, number: int) -> bool:
        """Whether the spread so far explains all differences of a set."""
        return all(d.within(self.spreads.get(i, Distance())) for i, d in self.distances(number).items())

    def add(self, name: str, number: int, outputs: Outputs) -> None:
        """Takes one more run of the source on a set; one that goes on from others' values tells of flips alone."""
        self.sources[name] = None
        for i in self.flipping if name.endswith(RESUMED) else self.tolerances:
            distance = Distance.between(self.sets.references[number][i], outputs[i])
            if math.isfinite(distance.largest):
                self.spreads[i] = self.spreads.get(i, Distance()).farthest(distance)

    def verdicts(self, refusals: Mapping[int, str]) -> dict[int, SecondLook]:
        """The figures of each output."""
        looks: dict[int, SecondLook] = {}
        for i in self.tolerances:
            farthest = Distance()
            for number in range(len(self.sets.results)):
                farthest = farthest.farthest(self.distances(number).get(i, Distance()))
            missing = tuple(f"{name}: {reason}" for name, reason in self.missing.items())
            spread = self.spreads.get(i, Distance())
            looks[i] = SecondLook(
                self.inputs, self.operators, tuple(self.sources), missing, spread, farthest, refusals.get(i, "")
            )
        return looks


def look_again(
    sets: PairedRuns, tolerances: Mapping[int, float], judge: JudgeOperators | None, progress: Progress = lambda _: None
) -> dict[int, SecondLook]:
    """Decide about outputs beyond their tolerance; one that isn't equal has a refusal.

    Args:
        sets: runs of both sides; `INPUTS` of them where there is no judge of operators.
        tolerances: on |d|, by output.
        judge: compares operators; None where there is none.
        progress: called with the name of each stage.

    Raises:
        ConverterError: an engine fails.
    """
    look = Look(sets, tolerances, progress)
    order = sorted(range(len(sets.inputs)), key=lambda number: _excess(look, number), reverse=True)
    for number in order:
        if look.decided and look.explains(number):
            continue
        look.inputs += 1
        resume = _judge(look, judge, number)
        if look.operators is not None and look.operators.difference:
            return look.verdicts(dict.fromkeys(tolerances, look.operators.difference))
        for name, outputs in _runs(look, number, resume):
            look.add(name, number, outputs)
            if look.explains(number):
                break
    return look.verdicts({i: refusal for i in tolerances if (refusal := _refusal(look, i))})


def _excess(look: Look, number: int) -> float:
    """By how many tolerances a set differs at most."""
    found = look.distances(number)
    return max((d.largest / (look.tolerances[i] or 1.0) for i, d in found.items()), default=0.0)


def _judge(look: Look, judge: JudgeOperators | None, number: int) -> Resume:
    """Compares the operators on one set."""
    sets = look.sets
    oracle = sets.oracle.engine if isinstance(sets.oracle, Stepped) else sets.oracle
    if judge is None or not isinstance(oracle, LiteRT) or sets.model.opset != "tosa":
        look.missing["operators"] = f"{oracle.name} gives no values between them"
        return lambda: None
    look.progress("comparing operators")
    arrays = sets.inputs[number]
    steps: list[Arrays] = [arrays]
    if sets.steps:
        steps = [{name: array[i] for name, array in arrays.items()} for i in range(_first_step(look, number) + 1)]
    key = number, len(steps)
    if key not in sets.proofs:
        try:
            sets.proofs[key] = judge(sets.source, oracle, sets.model, steps)
        except ConverterError as error:
            look.missing["operators"] = str(error).splitlines()[0]
            return lambda: None
    proof, resume = sets.proofs[key]
    look.operators = proof
    if proof.unseen:
        look.missing["operators"] = f"of output {proof.unseen[0]!r} they can't be compared"
    return resume


def _first_step(look: Look, number: int) -> int:
    """The first step in which an output exceeds its tolerance."""
    steps = []
    for i, bound in look.tolerances.items():
        reference, result = look.sets.references[number][i], look.sets.results[number][i]
        beyond = difference(reference, result.reshape(reference.shape)).reshape(look.sets.steps, -1) > bound
        steps += [int(np.argmax(beyond.any(axis=1)))] if beyond.any() else []
    return min(steps, default=look.sets.steps - 1)


def _refusal(look: Look, output: int) -> str:
    """The first condition that doesn't hold for an output."""
    count, spread = len(look.sets.inputs), look.spreads.get(output, Distance())
    if not look.decided:
        if count < INPUTS:
            return f"expected {INPUTS} sets of inputs to measure the source's rounding variation, found {count}"
        if not spread.largest <= LIMIT * max(largest(run[output]) for run in look.sets.references):
            return f"the source's own runs differ by more than {LIMIT:.0%} of the largest value, which proves nothing"
    found = [look.distances(number).get(output, Distance()) for number in range(count)]
    if not all(distance.within(spread) for distance in found):
        return "the error exceeds twice the source's own rounding variation"
    return ""


# ** runs of the source **

Kernel: TypeAlias = Callable[[], Outputs | None]


def _runs(look: Look, number: int, resume: Resume) -> Iterator[tuple[str, Outputs]]:
    """The outputs of the source's other runs on a set; what refuses is left out from then on."""
    for name, kernel in _kernels(look, number, resume):
        if name in look.missing:
            continue
        look.progress(f"running the source again: {name}")
        try:
            outputs = kernel()
        except ConverterError as error:
            look.missing[name] = str(error).splitlines()[0]
            continue
        if outputs is not None:
            yield name, outputs


def _kernels(look: Look, number: int, resume: Resume) -> Iterable[tuple[str, Kernel]]:
    """What else runs the source besides its reference, by name; the quick ones first."""
    source, oracle, arrays = look.sets.source, look.sets.oracle, look.sets.inputs[number]
    plain = oracle.engine if isinstance(oracle, Stepped) else oracle
    quickest = oracle
    if look.flipping:
        yield f"{oracle.name} {RESUMED}", resume
    if isinstance(plain, LiteRT):
        form = builtin_form(content_of(source))
        quickest = next((with_same_steps(oracle, engine) for engine in kernels() if engine.takes(source)), oracle)
        for engine in kernels():
            if engine.name == oracle.name:
                continue
            if engine.takes(source):
                yield engine.name, partial(_outputs, with_same_steps(oracle, engine), source, arrays)
            elif form and plain is oracle:
                yield engine.name, partial(_in_builtin_form, engine, plain, source, form, arrays)
            else:
                look.missing[engine.name] = "it lacks a custom operator"
    else:
        look.missing["other kernels"] = f"{oracle.name} has none"
    floats = any(value.type.dtype.is_float for value in source.main.inputs)
    if not floats and not rounds(source):
        look.missing["moved inputs"] = "no input is a float"
        return
    what = "inputs and constants" if rounds(source) else "inputs"
    for runner, count in {quickest.name: (quickest, FLIPS), oracle.name: (oracle, MOVED)}.values():
        for i in range(count):
            yield f"{runner.name}, {what} changed by 1 ulp ({i})", partial(_on_moved, runner, source, i, arrays)


def kernels() -> list[LiteRT]:
    """LiteRT with each set of its kernels, the quickest first."""
    return [engine for name in reversed(RESOLVERS) if isinstance(engine := ENGINES[name], LiteRT)]


def _in_builtin_form(engine: LiteRT, oracle: LiteRT, source: Model, form: bytes, arrays: Arrays) -> Outputs:
    """The outputs of kernels that lack the custom operator, where the oracle gives the same bits for both forms."""
    both = _outputs(oracle, source, arrays), oracle.run(source, arrays, content=form).values()
    if any(a.tobytes() != b.tobytes() for a, b in zip(*both, strict=True)):
        raise ConverterError(f"{oracle.name} gives other bits for the custom operator's builtin form")
    return list(engine.run(source, arrays, content=form).values())


def _outputs(engine: Engine, source: Model, arrays: Arrays) -> Outputs:
    return list(engine.run(source, arrays).values())


def _on_moved(engine: Engine, source: Model, seed: int, arrays: Arrays) -> Outputs:
    return _outputs(engine, moved_constants(source, seed) if rounds(source) else source, moved(arrays, seed))


def moved_constants(model: Model, seed: int) -> Model:
    """The model with the floats among the constants of its main graph moved by a rounding.

    Where inputs are quantized first, that leaves nothing of their own last bits. A rounding is one of the largest
    constant that an operator takes beside it: a recurrent layer adds biases of 0 and of 1 to sums alike.
    """
    graph = cut_at(model.main, []).graph
    rng = np.random.default_rng(seed)
    uses = graph.uses()
    for op in graph.ops:
        array = _float_constant(op.results[0]) if op.name in CONSTANTS else None
        if array is not None:
            beside = [_float_constant(value) for user in uses.get(op.results[0], ()) for value in user.operands]
            step = np.float32(max(largest(x) for x in (array, *beside) if x is not None) * np.finfo(np.float32).eps)
            op.attributes = {**op.attributes, "values": array + rng.choice((-step, step), array.shape)}
    result = model.with_graphs(model.graphs | {graph.name: graph})
    result.signatures, result.extras, result.edited = {}, model.extras, True
    return result


def _float_constant(value: Value) -> Array | None:
    array = value.constant
    return array if array is not None and array.dtype == np.float32 else None


def moved(arrays: Arrays, *seed: int) -> dict[str, Array]:
    """The arrays with every finite float one unit in the last place up or down, by the seed."""
    rng = np.random.default_rng(seed)
    return {name: _moved(np.asarray(array), rng) for name, array in arrays.items()}


def _moved(array: Array, rng: np.random.Generator) -> Array:
    if array.dtype.kind != "f":
        return array
    towards = np.where(rng.integers(0, 2, array.shape), np.inf, -np.inf).astype(array.dtype)
    with np.errstate(over="ignore", under="ignore"):
        near = np.nextafter(array, towards)
    return np.where(np.isfinite(array) & np.isfinite(near), near, array)


# ** what rounds to integers **


def rounds(model: Model) -> bool:
    """Whether something in the main graph rounds to integers or has steps, so that a last bit may flip a result."""
    rounding = _Rounding(list(model.graphs.values()), {})
    return any(_has_steps(op) or rounding.by(op) for op in model.main.ops if op.name not in CONSTANTS)


def amplifying(model: Model) -> set[int]:
    """The outputs that are floats with nothing before them that rounds to integers.

    Where operators aren't compared, only these get a second look: integers are LiteRT's very own or wrong.
    """
    floats = {i for i, value in enumerate(model.main.outputs) if value.type.dtype.is_float}
    return floats - _behind(model, lambda _: False)


def flipping(model: Model) -> set[int]:
    """The outputs with something before them that has steps."""
    return _behind(model, _has_steps)


def _behind(model: Model, step: Callable[[Op], bool]) -> set[int]:
    """The outputs behind an operator that rounds to integers or is such a step."""
    constant: set[Value] = set()
    rounded: set[Value] = set()
    rounding = _Rounding(list(model.graphs.values()), {})
    for op in model.main.ops:
        if op.name in CONSTANTS or (op.operands and constant.issuperset(op.operands)):
            constant.update(op.results)
        elif not rounded.isdisjoint(op.operands) or step(op) or rounding.by(op):
            rounded.update(op.results)
    return {i for i, value in enumerate(model.main.outputs) if value in rounded}


def _has_steps(op: Op) -> bool:
    """Whether a last bit of a float operand may change a result by a whole step."""
    return op.name in _STEPS and any(value.type.dtype.is_float for value in op.operands)


class _Rounding(NamedTuple):
    """What rounds to integers, among the graphs of a model that operators name by number; those looked at so far."""

    graphs: Sequence[Graph]
    known: dict[Graph, bool]

    def by(self, op: Op) -> bool:
        """Whether an operator rounds, or one in its graphs; what a variable holds is rounded if anything is."""
        if op.name == "tfl.read_variable":
            return any(_rounds(each) for graph in self.graphs for each in graph.ops)
        return _rounds(op) or any(map(self.inside, (*op.regions, *self.named(op))))

    def named(self, op: Op) -> Iterator[Graph]:
        """The graphs that an operator names."""
        for name in GRAPHS.get(op.name, ()):
            yield from (self.graphs[number] for number in np.ravel(op.attributes[name]))

    def inside(self, graph: Graph) -> bool:
        """Whether an operator of a graph rounds."""
        if graph not in self.known:
            self.known[graph] = any(map(self.by, graph.ops))
        return self.known[graph]


def _rounds(op: Op) -> bool:
    """Whether an operator makes narrow integers, or rounds floats to some inside."""
    return op.name not in CONSTANTS and (
        any(value.type.dtype in _NARROW for value in op.results) or _quantizes_as_it_runs(op)
    )


def _quantizes_as_it_runs(op: Op) -> bool:
    """Whether an operator takes narrow integers beside floats, as LiteRT's hybrid kernels do."""
    taken = [value.type.dtype for value in op.operands]
    return not _NARROW.isdisjoint(taken) and any(dtype.is_float for dtype in taken)


def same_arithmetic(model: Model, engine: Engine, oracle: Engine) -> bool:
    """Whether two of LiteRT's kernels compute a model's operators by one definition, up to rounding.

    XNNPACK quantizes the floats of a dynamic-range layer with a zero point, LiteRT's own kernels without one. They are
    0.5 % apart, which is no rounding: an error of 1 % in a layer's scales would pass as that.
    """
    hybrid = any(_quantizes_as_it_runs(op) for graph in model.graphs.values() for op in graph.walk())
    return not hybrid or (engine.name == XNNPACK) == (oracle.name == XNNPACK)
