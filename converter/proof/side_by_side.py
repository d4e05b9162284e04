"""A source and its conversion compared operator by operator, so that a difference is found where it arises.

The source's values are LiteRT's with every tensor preserved, the conversion's are this package's executor's. What an
operator gives is looked at twice: in the whole run, where what differs above goes on, and alone, on LiteRT's own values
of what it reads. Only what differs alone is held against an operator.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tosa_converter.engines import Arrays
from tosa_converter.engines.engine import initial_states, run_with_state
from tosa_converter.engines.litert import LiteRT
from tosa_converter.engines.stepped import stack_steps
from tosa_converter.errors import ConverterError, UnsupportedError
from tosa_converter.execute.limits import SECONDS
from tosa_converter.execute.plan import Context, Executable
from tosa_converter.formats import encode
from tosa_converter.ir import CONSTANTS, Array, Graph, Model, Op, Value
from tosa_converter.ir.edit import cut_at
from tosa_converter.proof.array_difference import difference
from tosa_converter.proof.compare import DIFFERS, EQUAL, FLOAT_TOLERANCE, SPREAD, renamed
from tosa_converter.proof.operators import (
    ABOVE,
    INSIDE,
    NOTHING,
    UNSEEN,
    Case,
    Clock,
    Difference,
    OperatorComparison,
    OperatorProof,
    OperatorReport,
    differing,
    sentence,
)
from tosa_converter.proof.places import (
    NO_NUMBERS,
    READ,
    SAME_ELEMENTS,
    Next,
    Place,
    computing,
    find_places,
    given_to,
    next_states,
)
from tosa_converter.proof.spread import FACTOR, FLIPS, MOVED, kernels, moved, moved_constants, rounds, same_arithmetic
from tosa_converter.proof.times import RUNS, by_operator, by_place
from tosa_converter.schemas.opsets import VARIABLE
from tosa_converter.schemas.tfl_ops import GRAPHS

Extract = Callable[[Model, Sequence[str], Sequence[str]], Model]
Undefined = Callable[[Model, LiteRT, Mapping[str, Array]], Mapping[Value, Array]]
NEAR = 0.99  # of a tolerance: what is below that in fp32 is within it in fp64


def compare_operators(
    source: Model,
    oracle: LiteRT,
    model: Model,
    steps: Sequence[Arrays],
    *,
    extract: Extract,
    undefined: Undefined = lambda _source, _oracle, _tensors: {},
    tolerance: float = FLOAT_TOLERANCE,
    bisect: bool = False,
    times: bool = False,
    seed: int | None = None,
    limit: float = SECONDS,
) -> OperatorComparison:
    """Compare every operator of a source's main graph with what its conversion computes.

    Args:
        source: a TFLite model.
        oracle: LiteRT with kernels that keep every tensor.
        model: its conversion.
        steps: the inputs of each run by the source's names; the last run is looked at.
        extract: makes a model of what computes tensors from others, all by name.
        undefined: of values the elements that LiteRT leaves open, from all its tensors by name.
        tolerance: on floats, relative to the largest element of the reference's value.
        bisect: look at every operator alone too; else only where the whole run differs.
        times: measure what operators take on both sides.
        seed: for the report.
        limit: of the executor.

    Raises:
        ConverterError: an engine fails.
    """
    comparing = _Comparing(source, oracle, model, extract, undefined, tolerance, bisect, times, seed, limit)
    found = comparing.over(steps)
    if found.guilty is None and found.parted is not None:  # what differs may come from the runs before
        earlier = (comparing.over(steps[:i]) for i in range(1, len(steps)))
        return next((one for one in earlier if one.guilty is not None), found)
    return found


def judge_operators(
    source: Model,
    oracle: LiteRT,
    model: Model,
    steps: Sequence[Arrays],
    *,
    extract: Extract,
    undefined: Undefined = lambda _source, _oracle, _tensors: {},
    tolerance: float = FLOAT_TOLERANCE,
    limit: float = SECONDS,
) -> tuple[OperatorProof, Callable[[], list[Array] | None]]:
    """Compare every operator on the source's own values, without the figures of `compare_operators`.

    Args:
        source: this and all else as for `compare_operators`.
        oracle: see there.
        model: see there.
        steps: see there.
        extract: see there.
        undefined: see there.
        tolerance: see there.
        limit: see there.

    Returns:
        What was compared, and a function that runs the rest of the source on the conversion's values where both sides
        part first: the source's outputs of that, or None.

    Raises:
        ConverterError: an engine fails.
    """
    comparing = _Comparing(source, oracle, model, extract, undefined, tolerance, True, False, None, limit)
    sides, whole, _ = comparing.sides(steps)
    pieces = whole.alone(sides)
    errors: dict[Value, float] = {}
    for place in sides.every():
        if place.value not in pieces or sides.given(place) is None or (len(steps) > 1 and _reads(place.source)):
            continue
        error = sides.relative_error(place, pieces[place.value])
        if not error < NEAR * tolerance:
            one = sides.difference(place, pieces[place.value])
            one = sides.looked_at(place.source, one) if _doubtful(one) else one
            if not one.verdict:
                return OperatorProof(0, 0.0, (), comparing.over(steps).sentence), lambda: None
            error = one.max_abs / (one.reference_max or 1.0)
        errors[place.source] = max(error, errors.get(place.source, 0.0))
    computed = {value for op in computing(source.main) for value in op.results}
    unseen = tuple(value.name for value in source.main.outputs if value in computed and value not in errors)
    proof = OperatorProof(len(errors), max(errors.values(), default=0.0), unseen)
    return proof, lambda: None if len(steps) > 1 else _resumed(sides, whole, steps[-1])


def _reads(value: Value) -> bool:
    return value.producer is not None and value.producer.name == READ


def _resumed(sides: "_Sides", whole: "_Whole", inputs: Arrays) -> list[Array] | None:
    """The source's outputs where it goes on from the conversion's values in front of the first operator that differs.

    Those are within the tolerance of its own: a rounding moved them. What a flip there does to the outputs, the source
    does by itself.
    """
    graph = sides.source.main
    differences = sides.differences(whole.found)
    parted = [
        i for i, op in enumerate(graph.ops) if any(v in differences and not differences[v].verdict for v in op.results)
    ]
    if not parted or not sides.kept.keys() >= {value for value in graph.outputs if value.producer is not None}:
        return None
    behind = {value for op in graph.ops[parted[0] :] for value in op.results}
    outputs = [value for value in graph.outputs if value in behind]
    arrays: dict[str, Array] = {}
    waiting = list(outputs)
    seen = set(waiting)
    for value in waiting:  # which grows meanwhile
        if value in behind and value.producer is not None:
            waiting += [operand for operand in given_to(value.producer) if operand not in seen]
            seen.update(waiting)
            continue
        array = sides.ours(value, whole.found) if value.producer is not None else inputs[value.name]
        if array is None:
            return None
        arrays[value.name] = array
    with suppress(ConverterError):
        tail = sides.parts.extract(sides.source, list(arrays), [value.name for value in outputs])
        results = dict(zip(outputs, sides.oracle.run(tail, arrays).values(), strict=True))
        return [results[value] if value in results else sides.kept[value] for value in graph.outputs]
    return None


class _Comparing(NamedTuple):
    """What a comparison of the last of some runs takes."""

    source: Model
    oracle: LiteRT
    model: Model
    extract: Extract
    undefined: Undefined
    tolerance: float
    bisect: bool
    times: bool
    seed: int | None
    limit: float

    def sides(self, steps: Sequence[Arrays]) -> "tuple[_Sides, _Whole, Next]":
        """LiteRT's values of the last of these runs, that run of the conversion, and the states behind it."""
        following = next_states(self.source.main)
        places = find_places(self.source, self.model, following)
        kept = _observed(self.source, self.oracle, steps, following)
        tensors = {**steps[-1], **{value.name: array for value, array in kept.items()}}
        masks = self.undefined(self.source, self.oracle, tensors)
        parts = Parts(self.source, self.extract, kept, steps, places, following)
        inputs = [renamed(self.source, self.model, arrays) for arrays in steps]
        whole = _Whole(self.model, inputs, places, self.limit)
        return _Sides(self.source, self.oracle, kept, places, masks, self.tolerance, parts), whole, following

    def over(self, steps: Sequence[Arrays]) -> OperatorComparison:
        """The comparison of the last of these runs."""
        sides, whole, following = self.sides(steps)
        kept, parts = sides.kept, sides.parts
        first = sides.differences(whole.found)
        alone: dict[Value, Difference] = {}
        if self.bisect or not all(difference.verdict for difference in first.values()):
            alone = sides.differences(whole.alone(sides))
        alone |= {value: sides.looked_at(value, one) for value, one in alone.items() if _doubtful(one)}
        sources, conversions, clock = self._timed(whole, kept, steps[-1]) if self.times else ({}, {}, None)
        rows = _Rows(sides, self.model, following, first, alone, len(steps) > 1, sources, conversions).all()
        found = OperatorComparison(
            self.oracle.name, "executor", len(steps), self.seed, tuple(rows), sentence(rows, len(steps)), clock=clock
        )
        if found.guilty is None:
            return found
        value = computing(self.source.main)[found.guilty.index].results[0]
        try:
            return replace(found, case=parts.case(value, self.oracle))
        except ConverterError as error:
            return replace(found, note=f"it can't be had by itself: {error}")

    def _timed(
        self, whole: "_Whole", kept: Mapping[Value, Array], given: Arrays
    ) -> tuple[Mapping[Op, float], Mapping[str, float], Clock]:
        """Seconds by operator of the source and by place of the conversion, and what sums them up."""
        inputs = {value: given[value.name] for value in self.source.main.inputs}
        kernels, source = by_operator(self.source, self.oracle, {**kept, **inputs})
        model = by_place(Executable(self.model.main, limit=self.limit), whole.given, whole.context_again)
        places = {op.location for op in computing(self.source.main)}
        elsewhere = sum(seconds for place, seconds in model.of.items() if place not in places)
        sums = [sum(side.of.values()) for side in (source, model)]
        clock = Clock(kernels, RUNS, sums[0], source.run, sums[1], elsewhere, model.run)
        return source.of, model.of, clock


def _observed(source: Model, oracle: LiteRT, steps: Sequence[Arrays], following: Next) -> dict[Value, Array]:
    """What LiteRT keeps of the last run: results of operators, and variable tensors before and behind it."""
    every = [value for op in computing(source.main) for value in op.results]
    results = [value for value in every if value.type.dtype not in NO_NUMBERS]
    states = [pair for pairs in following.values() for pair in pairs]
    variables = [before.name for before, _ in states]
    tensors = _tensors(source, oracle, steps, [*(value.name for value in results), *variables])
    found = {value: tensors[value.name] for value in results if value.name in tensors}
    found |= {value: tensors[before.name] for before, value in states if before.name in tensors}
    if states and len(steps) > 1:
        tensors = _tensors(source, oracle, steps[:-1], variables)
        found |= {before: tensors[before.name] for before, _ in states if before.name in tensors}
    return found


def _tensors(source: Model, oracle: LiteRT, steps: Sequence[Arrays], names: Sequence[str]) -> dict[str, Array]:
    """LiteRT's tensors after the last run; of a file that has a name twice, those of one in which it is no more."""
    _, tensors = oracle.run_observed_steps(source, steps, names)
    missing = [name for name in names if name not in tensors]
    if missing and oracle.resolver != "BUILTIN":
        with suppress(UnsupportedError):  # not every file can be written
            content = b"".join(map(bytes, encode(source, ".tflite")))
            tensors |= oracle.run_observed_steps(source, steps, missing, content=content)[1]
    return tensors


class _Whole:
    """The conversion's last run, and what it began with."""

    def __init__(
        self, model: Model, steps: Sequence[Arrays], places: Mapping[Value, Sequence[Place]], limit: float
    ) -> None:
        self.model, self.limit = model, limit
        values = [place.value for each in places.values() for place in each]
        self.inner = [value for value in dict.fromkeys(values) if value.producer is not None and value.constant is None]
        self.context = Context()
        self.given = {**initial_states(model), **steps[-1]}
        if len(steps) > 1:
            executable = Executable(model.main, limit=limit)
            runs = run_with_state(model, steps[:-1], lambda _, arrays: executable.run(arrays, context=self.context))
            self.given |= {state.input: runs[-1][state.output] for state in model.main_states}
        self.fixed = {value: value.constant for value in values if value.constant is not None}
        self.fixed |= {value: self.given[value.name] for value in values if value.producer is None}

    @cached_property
    def found(self) -> dict[Value, Array]:
        """The values that places hold in the whole run."""
        executable = Executable(self.model.main, keep=self.inner, limit=self.limit)
        results = executable.run(self.given, context=self.context_again())
        return {**{value: results[executable.names[value]] for value in self.inner}, **self.fixed}

    def context_again(self) -> Context:
        """A context like that of the last run before it."""
        return Context(dict(self.context.variables), dict(self.context.declared))

    def alone(self, sides: "_Sides") -> dict[Value, Array]:
        """What each operator makes of LiteRT's values."""
        given = {place.value: array for place in sides.every() if (array := sides.given(place)) is not None}
        piece = cut_at(self.model.main, [value for value in self.inner if value in given])
        inputs = {value.name: given.get(value, self.given[value.name]) for value in self.model.main.inputs}
        inputs |= {name: given[value] for value, name in piece.stand_ins.items()}
        executable = Executable(piece.graph, limit=self.limit)
        made = executable.run(inputs, context=self.context_again())
        return {**self.fixed, **{value: made[name] for value, name in piece.computed.items()}}


class _Sides(NamedTuple):
    """LiteRT's values and where the conversion holds them."""

    source: Model
    oracle: LiteRT
    kept: Mapping[Value, Array]
    places: Mapping[Value, Sequence[Place]]
    undefined: Mapping[Value, Array]
    tolerance: float
    parts: "Parts"

    def every(self) -> list[Place]:
        """All places."""
        return [place for each in self.places.values() for place in each]

    def given(self, place: Place) -> Array | None:
        """LiteRT's elements as the conversion holds them there."""
        array = self.kept.get(place.source)
        return None if array is None else place.given(array)

    def differences(self, found: Mapping[Value, Array]) -> dict[Value, Difference]:
        """By value of the source, the worst of what its places differ by."""
        made: dict[Value, Difference] = {}
        for place in self.every():
            if place.value in found and self.given(place) is not None:
                one = self.difference(place, found[place.value])
                made[place.source] = max(made.get(place.source, one), one, key=_weight)
        return made

    def difference(self, place: Place, array: Array) -> Difference:
        """How a place differs from LiteRT."""
        reference = self.kept[place.source]
        return differing(reference, place.found(array, reference), self.tolerance, self.undefined.get(place.source))

    def ours(self, value: Value, found: Mapping[Value, Array]) -> Array | None:
        """A value of the source as the conversion has it, else LiteRT's own."""
        for place in self.places.get(value, ()):
            if place.value in found and self.given(place) is not None:
                return place.found(found[place.value], self.kept[value])
        return self.kept.get(value)

    def relative_error(self, place: Place, array: Array) -> float:
        """The largest difference as a part of the reference's largest value, NaN or infinite unless both are finite.

        In the type of the arrays: it tells what is clearly within a tolerance, at a fifth of what `difference` takes.
        """
        reference = self.kept[place.source]
        found = place.found(array, reference)
        if reference.dtype != np.float32:
            return 0.0 if np.array_equal(reference, found) else np.inf
        if not reference.size:
            return 0.0
        with np.errstate(all="ignore"):
            largest = max(float(reference.max()), -float(reference.min()))
            distance = np.subtract(reference, found)
            error = max(float(distance.max()), -float(distance.min()))
            return error / largest if largest else (0.0 if error == 0 else np.inf)

    def looked_at(self, value: Value, one: Difference) -> Difference:
        """A second look at floats beyond the tolerance: LiteRT's own kernels may differ as much on this operator."""
        spread = self.parts.spread(self.oracle, value, self.tolerance, one.max_abs)
        bound = max(one.tolerance, FACTOR * spread)
        return replace(one, tolerance=bound, verdict=one.max_abs <= bound)


def _weight(one: Difference) -> tuple[float, int]:
    return one.max_abs, one.undefined


def _doubtful(one: Difference) -> bool:
    """Whether floats differ by more than the tolerance."""
    return one.ulp is not None and not one.verdict and math.isfinite(one.max_abs)


# ** one operator by itself **


class Parts(NamedTuple):
    """What makes an operator of a source, with those inside of it, a model with LiteRT's values."""

    source: Model
    extract: Extract
    kept: Mapping[Value, Array]
    steps: Sequence[Arrays]
    judged: Collection[Value]  # values of which the conversion has its own
    following: Next

    def part(self, value: Value) -> tuple[Model, dict[str, Array]]:
        """What computes a value from others that LiteRT keeps, and these.

        Raises:
            ConverterError: it takes state that isn't its own.
        """
        arrays: dict[str, Array] = {}
        waiting, seen = [value], {value}
        for one in waiting:  # which grows meanwhile
            if one.producer is None:
                arrays[one.name] = self.steps[-1][one.name]
            elif one in self.judged and one in self.kept and one is not value:
                arrays[one.name] = self.kept[one]
            else:
                waiting += [operand for operand in given_to(one.producer) if operand not in seen]
                seen.update(waiting)
        return self.extract(self.source, list(arrays), [value.name]), arrays

    def case(self, value: Value, oracle: LiteRT) -> Case:
        """A value's part with what it takes and gives, over all steps if it has state.

        Raises:
            ConverterError: it takes state that isn't its own.
        """
        model, inputs = self.part(value)
        if not any(op.name == VARIABLE for op in model.main):
            return Case(model, inputs, {value.name: self.kept[value]}, 1)
        steps = self.steps
        names = [*inputs, value.name]
        every = [_tensors(self.source, oracle, steps[: i + 1], names) | dict(steps[i]) for i in range(len(steps))]
        stacks = {name: stack_steps(name, [arrays[name] for arrays in every]) for name in names}
        return Case(model, {name: stacks[name] for name in inputs}, {value.name: stacks[value.name]}, len(steps))

    def spread(self, oracle: LiteRT, value: Value, tolerance: float, error: float) -> float:
        """How far LiteRT's other kernels, and the same one on inputs moved by a rounding, are off at most.

        It ends as soon as that explains an error. What rounds to integers inside, as a recurrent layer of 8 bits does,
        has `FLIPS` more runs: whether a rounding flips is a matter of chance.
        """
        found = 0.0
        name, states = (
            value.name,
            {after: (op, before) for op, pairs in self.following.items() for before, after in pairs},
        )
        result = value
        if value in states:  # a state that the next run begins with
            op, before = states[value]
            name, result = before.name, op.results[0]
        with suppress(ConverterError):
            case = self.case(result, oracle)
            stateful = any(op.name == VARIABLE for op in case.model.main)
            flips = rounds(case.model)
            runs: list[tuple[LiteRT, Model, Arrays]] = [
                (engine, case.model, case.inputs)
                for engine in kernels()
                if engine.name != oracle.name and same_arithmetic(case.model, engine, oracle)
            ]
            runs += [
                (oracle, moved_constants(case.model, i) if flips else case.model, _rounded(case.inputs, i, tolerance))
                for i in range(MOVED + (FLIPS if flips else 0))
            ]
            for engine, model, inputs in runs:
                if FACTOR * found >= error:
                    break
                with suppress(ConverterError):
                    steps = [{name: array[i] for name, array in inputs.items()} for i in range(case.steps)]
                    runs_of_part = steps if stateful else [inputs]
                    outputs, tensors = engine.run_observed_steps(model, runs_of_part, [name] if value in states else [])
                    array = tensors.get(name, self.kept[value]) if value in states else outputs[-1][0]
                    found = max(found, float(difference(self.kept[value], array).max(initial=0.0)))
        return found


def _rounded(arrays: Arrays, seed: int, tolerance: float) -> Arrays:
    """Floats as another rounding leaves them: fp32's last place, or an eighth of a smaller type's tolerance."""
    if tolerance <= FLOAT_TOLERANCE:
        return moved(arrays, seed)
    rng = np.random.default_rng(seed)
    return {
        name: array * rng.choice([1 - tolerance / 8, 1 + tolerance / 8], array.shape).astype(array.dtype)
        if array.dtype.kind == "f"
        else array
        for name, array in arrays.items()
    }


# ** rows **


class _Rows(NamedTuple):
    """What the reports are made of."""

    sides: _Sides
    model: Model
    following: Next
    whole: Mapping[Value, Difference]
    alone: Mapping[Value, Difference]
    last_of_several: bool
    source_seconds: Mapping[Op, float]
    seconds: Mapping[str, float]

    def all(self) -> list[OperatorReport]:
        """One report for each result of each operator, in order."""
        source = self.sides.source
        made: dict[str, Counter[str]] = {}
        for op in self.model.main.walk():
            if op.name not in CONSTANTS:
                made.setdefault(op.location, Counter())[op.name] += 1
        holders = _holders(source.main, self.whole.keys())
        return [
            self._row(index, op, value, dict(made.get(op.location, ())), holders.get(value))
            for index, op in enumerate(computing(source.main))
            for value in (*op.results, *(value for _, value in self.following.get(op, ())))
        ]

    def _row(self, index: int, op: Op, value: Value, becomes: dict[str, int], holder: Value | None) -> OperatorReport:
        whole, alone = self.whole.get(value), self.alone.get(value)
        verdict, rule, note = self._judged(op, value, whole, alone)
        inside = ""
        if whole is None and not note and holder is not None:
            rule, inside = NOTHING if holder in op.operands else INSIDE, holder.name
        regions = sum(len(computing(graph)) for graph in _graphs(self.sides.source, op))
        return OperatorReport(
            index, op.name, op.location, value.name, str(value.type), becomes, whole, alone, verdict, rule, inside,
            regions, note, self.source_seconds.get(op), self.seconds.get(op.location),
        )  # fmt: skip

    def _judged(
        self, op: Op, value: Value, whole: Difference | None, alone: Difference | None
    ) -> tuple[bool | None, str, str]:
        """Verdict, rule and note of a result."""
        if whole is None:
            return None, *self._unseen(value)
        if op.name == READ and self.last_of_several:
            return True, EQUAL if not whole.mismatches else ABOVE, "" if whole.verdict else "from an earlier step"
        if alone is not None and not alone.verdict:
            return False, DIFFERS, ""
        if alone is not None and alone.ulp is not None and alone.max_abs > self.sides.tolerance * alone.reference_max:
            return True, SPREAD, ""
        if not whole.verdict:
            return True, ABOVE, ""
        return True, EQUAL if not whole.mismatches else f"within {self.sides.tolerance:g}", ""

    def _unseen(self, value: Value) -> tuple[str, str]:
        if value not in self.sides.places or value.type.dtype in NO_NUMBERS:
            return NOTHING, ""
        if value not in self.sides.kept:
            return UNSEEN, "LiteRT gives no tensor of this name"
        kept, place = self.sides.kept[value], self.sides.places[value][0]
        return UNSEEN, f"LiteRT's {kept.dtype}{list(kept.shape)} doesn't fit {place.value.type}"


def _holders(graph: Graph, judged: Collection[Value]) -> dict[Value, Value]:
    """By result that isn't judged the next one behind it that is, or the one in front of it with the same elements."""
    found: dict[Value, Value] = {}
    order = {value: i for i, op in enumerate(graph.ops) for value in op.results}
    users = graph.uses()
    for op in reversed(graph.ops):
        for value in op.results:
            behind = [result for user in users.get(value, ()) for result in user.results]
            known = [one if one in judged else found[one] for one in behind if one in judged or one in found]
            if value not in judged and known:
                found[value] = min(known, key=order.__getitem__)
    for op in graph.ops:
        if op.name in SAME_ELEMENTS and op.results[0] not in judged and op.operands[0] in judged:
            found[op.results[0]] = op.operands[0]
    return found


def _graphs(model: Model, op: Op) -> list[Graph]:
    """The graphs that an operator of TFLite has, those of its operators too, each once."""
    graphs, found = list(model.graphs.values()), dict[Graph, None]()
    waiting = [op]
    while waiting:
        op = waiting.pop()
        for name in GRAPHS.get(op.name, ()):
            for number in np.ravel(op.attributes[name]):
                if graphs[number] not in found:
                    found[graphs[number]] = None
                    waiting += graphs[number].ops
    return list(found)
