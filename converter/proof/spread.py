"""The second look at floats: what rounding does to the source, and whether the conversion stays within that.

A model may amplify rounding beyond any fixed tolerance. By how much is measured on the source alone: the *spread* of an
output is the largest distance between two runs of the source, among LiteRT's reference, optimized and XNNPACK kernels
and its reference on inputs moved by one unit in the last place. Over at least `INPUTS` sets of inputs,

(a) the conversion's run in fp64 lies within `FACTOR` spreads of the source's reference, in the largest difference and
    in RMS: where few elements amplify, the largest one says nothing about the others; and
(b) the engine's RMS distance from that run is at most `FACTOR` times that of the source's farthest run, or `FLOOR` of
    the largest value. The reference's own distance is no measure: where an output has few elements it is small by luck.

A source whose runs differ by more than `LIMIT` of the largest value, or in a NaN or an infinity, proves nothing.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import NamedTuple, TypeAlias

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.engines import ENGINES, Arrays, Engine
from tosa_converter.engines.builtin_form import builtin_form
from tosa_converter.engines.engine import handing_on
from tosa_converter.engines.litert import RESOLVERS, LiteRT, content_of
from tosa_converter.engines.stepped import Stepped, like
from tosa_converter.errors import ConverterError
from tosa_converter.execute.plan import Context, Executable
from tosa_converter.ir import CONSTANTS, Array, Graph, Model, Op, Value
from tosa_converter.proof.compare import Runs, difference, largest
from tosa_converter.schemas.tfl_ops import GRAPHS

INPUTS = 10
MOVED = 2  # runs on moved inputs, of each set
FACTOR = 2.0
FLOOR = 1e-6
LIMIT = 1e-2

Outputs: TypeAlias = list[Array]
_EXACT = "fp64"
_NARROW = {DType.I4, DType.UI4, DType.I8, DType.UI8, DType.I16, DType.UI16}


@dataclass(frozen=True, slots=True)
class SecondLook:
    """The figures that decide about an output, over all sets of inputs; pairs are largest difference and RMS."""

    inputs: int
    sources: tuple[str, ...]  # the source's runs that the spread lies between
    missing: tuple[str, ...]  # those that there are not, and why
    spread: tuple[float, float]
    conversion: tuple[float, float]  # its fp64 run from the source's reference
    engine_rms: float  # the engine from that fp64 run
    source_rms: float  # the source's farthest run from it
    refusal: str  # the condition that doesn't hold, if any


@dataclass(slots=True)
class Distance:
    """How far two runs are apart, over all inputs seen."""

    largest: float = 0.0
    squares: float = 0.0
    elements: int = 0

    def add(self, a: Array, b: Array) -> None:
        """Take one more pair of arrays."""
        d = difference(a, b) if a.shape == b.shape else np.full(1, np.inf)
        self.largest = max(self.largest, float(d.max(initial=0.0)))
        self.squares += float(np.sum(np.square(d)))
        self.elements += d.size

    @property
    def rms(self) -> float:
        """The root of the mean square."""
        return math.sqrt(self.squares / max(self.elements, 1))


@dataclass(frozen=True, slots=True)
class Amplification:
    """Runs of a source on the same inputs, and of its conversion in fp64.

    Args:
        oracle: the name of the source's reference.
        exact: the conversion's outputs in fp64, by set of inputs.
        largest: of the reference's values, by output.
        distances: between two runs by name, by output.
        missing: runs that there are not, and why.
    """

    oracle: str
    exact: Runs
    largest: dict[int, float]
    distances: dict[int, dict[tuple[str, str], Distance]]
    missing: dict[str, str]

    def judged(self, output: int, results: Runs) -> SecondLook:
        """What is to be said of an engine's output, given its runs on the same inputs."""
        engine = Distance()
        for exact, result in zip(self.exact, results, strict=True):
            engine.add(exact[output], result[output])
        pairs = self.distances[output]
        between = [distance for (a, _), distance in pairs.items() if a != _EXACT]
        from_exact = {b: distance for (a, b), distance in pairs.items() if a == _EXACT}
        conversion = from_exact[self.oracle]
        look = SecondLook(
            len(self.exact),
            tuple(from_exact),
            tuple(f"{name}: {why}" for name, why in self.missing.items()),
            (max((d.largest for d in between), default=0.0), max((d.rms for d in between), default=0.0)),
            (conversion.largest, conversion.rms),
            engine.rms,
            max(distance.rms for distance in from_exact.values()),
            "",
        )
        return replace(look, refusal=_refusal(look, self.largest[output]))


def _refusal(look: SecondLook, largest: float) -> str:
    """The first condition that doesn't hold; comparisons are such that NaN and infinity hold none."""
    if look.inputs < INPUTS:
        return f"expected {INPUTS} sets of inputs to measure the source's spread, found {look.inputs}"
    if not look.spread[0] <= LIMIT * largest:
        return f"the source's own runs differ by more than {LIMIT:.0%} of the largest value, which proves nothing"
    if not all(d <= FACTOR * s for d, s in zip(look.conversion, look.spread, strict=True)):
        return f"the conversion's fp64 run is more than {FACTOR:g} spreads from the source"
    if not look.engine_rms <= max(FACTOR * look.source_rms, FLOOR * largest):
        return f"the engine is more than {FACTOR:g} times as far from the fp64 run as the source"
    return ""


def measure(
    source: Model,
    oracle: Engine,
    model: Model,
    inputs: Sequence[tuple[Arrays, Arrays]],
    references: Runs,
    outputs: Collection[int],
) -> Amplification:
    """Run a source in all that runs it, and its conversion in fp64.

    Args:
        source: the model as it was read.
        oracle: the source's reference.
        model: its conversion.
        inputs: sets of arrays, by the source's names and by the conversion's.
        references: the source's outputs in the reference, by set.
        outputs: the indices of the outputs to look at.

    Raises:
        ConverterError: the conversion fails in fp64.
    """
    precise = like(oracle, _Precise())
    kernels, missing = _kernels(source, oracle)
    amplification = Amplification(
        oracle.name, [], dict.fromkeys(outputs, 0.0), {i: defaultdict(Distance) for i in outputs}, missing
    )
    for (arrays, given), reference in zip(inputs, references, strict=True):
        amplification.exact.append(list(precise.run(model, given).values()))
        runs = {_EXACT: amplification.exact[-1], oracle.name: reference, **dict(_runs(kernels, arrays, missing))}
        for i in outputs:
            amplification.largest[i] = max(amplification.largest[i], largest(reference[i]))
            for (a, left), (b, right) in combinations(runs.items(), 2):
                amplification.distances[i][a, b].add(left[i], right[i])
    return amplification


class _Precise:
    """Our executor in fp64."""

    name = _EXACT
    opsets = frozenset({"tosa"})

    def takes(self, model: Model) -> bool:
        """TOSA models."""
        return model.opset in self.opsets

    def run(self, model: Model, inputs: Arrays) -> dict[str, Array]:
        """One run."""
        return self.run_steps(model, [inputs])[0]

    def run_steps(self, model: Model, steps: Sequence[Arrays]) -> list[dict[str, Array]]:
        """Runs with variables that last."""
        executable, context = Executable(model.main, check=False, precise=True, limit=math.inf), Context()
        return handing_on(model, steps, lambda _, arrays: executable.run(arrays, context=context))


# ** runs of the source **

Kernel: TypeAlias = Callable[[Arrays], Outputs]


def _runs(kernels: Mapping[str, Kernel], arrays: Arrays, missing: dict[str, str]) -> Iterator[tuple[str, Outputs]]:
    """The outputs of every kernel that doesn't refuse; one that does is told of and left out from then on."""
    for name, kernel in kernels.items():
        if name not in missing:
            try:
                yield name, kernel(arrays)
            except ConverterError as error:
                missing[name] = str(error).splitlines()[0]


def _kernels(source: Model, oracle: Engine) -> tuple[dict[str, Kernel], dict[str, str]]:
    """What else runs the source besides its reference, by name, and what doesn't with the reason."""
    kernels: dict[str, Kernel] = {}
    missing: dict[str, str] = {}
    plain = oracle.engine if isinstance(oracle, Stepped) else oracle
    if isinstance(plain, LiteRT):
        form = builtin_form(content_of(source))
        for name in RESOLVERS:
            engine = ENGINES[name]
            assert isinstance(engine, LiteRT)
            if engine.takes(source):
                kernels[name] = partial(_outputs, like(oracle, engine), source)
            elif form and plain is oracle:
                kernels[name] = partial(_in_builtin_form, engine, plain, source, form)
            else:
                missing[name] = "it lacks a custom operator"
        kernels.pop(oracle.name, None)
    else:
        missing["other kernels"] = f"{oracle.name} has none"
    if any(value.type.dtype.is_float for value in source.main.inputs):
        for i in range(MOVED):
            kernels[f"{oracle.name} moved {i}"] = partial(_on_moved, oracle, source, i)
    else:
        missing["moved inputs"] = "no input is a float"
    return kernels, missing


def _outputs(engine: Engine, source: Model, arrays: Arrays) -> Outputs:
    return list(engine.run(source, arrays).values())


def _on_moved(oracle: Engine, source: Model, seed: int, arrays: Arrays) -> Outputs:
    return _outputs(oracle, source, moved(arrays, seed))


def _in_builtin_form(engine: LiteRT, oracle: LiteRT, source: Model, form: bytes, arrays: Arrays) -> Outputs:
    """The outputs of kernels that lack the custom operator, where the oracle gives the same bits for both forms."""
    both = _outputs(oracle, source, arrays), oracle.run(source, arrays, content=form).values()
    if any(a.tobytes() != b.tobytes() for a, b in zip(*both, strict=True)):
        raise ConverterError(f"{oracle.name} gives other bits for the custom operator's builtin form")
    return list(engine.run(source, arrays, content=form).values())


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


# ** where the second look applies **


def amplifying(model: Model) -> set[int]:
    """The outputs that rounding may move as it likes: floats, with nothing before them that rounds to integers.

    What is quantized on the way has LiteRT's very integers or is wrong; how far its kernels differ there says nothing.
    """
    constant: set[Value] = set()
    rounded: set[Value] = set()
    rounding = _Rounding(list(model.graphs.values()), {})
    for op in model.main.ops:
        if op.name in CONSTANTS or (op.operands and constant.issuperset(op.operands)):
            constant.update(op.results)
        elif not rounded.isdisjoint(op.operands) or rounding.by(op):
            rounded.update(op.results)
    return {i for i, value in enumerate(model.main.outputs) if value.type.dtype.is_float and value not in rounded}


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
    """Whether an operator makes narrow integers, or takes some beside floats, as LiteRT's hybrid kernels do."""
    if op.name in CONSTANTS:
        return False
    taken = [value.type.dtype for value in op.operands]
    narrow = any(value.type.dtype in _NARROW for value in op.results)
    return narrow or (not _NARROW.isdisjoint(taken) and any(dtype.is_float for dtype in taken))
