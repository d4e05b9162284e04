"""Running passes: one sweep translates a graph into a new one, operands before their users."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import BrokenPassError, FormatError, UnsupportedError, VerifyError, listed, shortened
from tosa_converter.ir import CONSTANTS, Graph, Model, Op, Shape, TensorType, Value, moved_borders, unique_names
from tosa_converter.rewriting.builder import Builder, current
from tosa_converter.rewriting.rewrite import (
    CUSTOM,
    FOREIGN,
    SIGNLESS,
    Decline,
    Family,
    Fate,
    Match,
    Options,
    Report,
    Rewrite,
    root_of,
    translate_constant,
)
from tosa_converter.rules.conditions import EMPTY, Problem
from tosa_converter.schemas.tosa_ops import RESHAPE

MOST_INNER = 1 << 15  # operators of graphs in graphs that one pass translates


class Step(Protocol):
    """One pass of a pipeline."""

    @property
    def name(self) -> str:
        """Told with its figures."""

    def run(self, model: Model, options: Options, report: Report, /) -> Model:
        """The model after the pass, the same object if nothing changed."""


ShapeCheck = Callable[[Op, Sequence[Shape | None]], str | None]


class Pass:
    """Rewrites tried in order on every operator, and the opset of what may be left.

    `check` says what is wrong with an operator whose operands have these shapes: no rewrite meets it then. `prepare`
    makes the model that is swept. `more` gives the rewrites of installed packages, when no other takes an operator;
    `builder` makes the one of the new graphs.
    """

    __slots__ = ("_by_root", "_by_types", "_members", "builder", "check", "leaves", "more", "name", "prepare")

    def __init__(
        self,
        name: str,
        members: Sequence[Rewrite | Family],
        leaves: str = "tosa",
        check: ShapeCheck | None = None,
        prepare: Callable[[Model, Options], Model] = lambda model, _: model,
        more: Callable[[], tuple[Rewrite, ...]] = tuple,
        builder: Callable[[Graph], Builder] = Builder,
    ) -> None:
        self.name = name
        self.leaves = leaves
        self.check = check
        self.prepare = prepare
        self.more = more
        self.builder = builder
        self._members = members
        self._by_root: dict[tuple[str, str], tuple[Rewrite, ...]] = {}
        self._by_types: dict[tuple[str, str, tuple[DType | None, ...]], tuple[Rewrite, ...]] = {}

    def preferring(self, rewrites: Sequence[Rewrite]) -> "Pass":
        """The pass with further rewrites, which are tried first."""
        return Pass(
            self.name, (*rewrites, *self._members), self.leaves, self.check, self.prepare, self.more, self.builder
        )

    @property
    def rewrites(self) -> tuple[Rewrite, ...]:
        """All of them, in order."""
        return tuple(rewrite for member in self._members for rewrite in _loaded(member))

    def starting_from(self, root: str, numerics: str) -> tuple[Rewrite, ...]:
        """The rewrites that start from an operator, of whose families only those are imported that have some."""
        found = self._by_root.get((root, numerics))
        if found is None:
            members = [member for member in self._members if _asked_for(member, root, numerics)]
            found = tuple(rewrite for member in members for rewrite in _loaded(member) if rewrite.root == root)
            self._by_root[root, numerics] = found
        return found

    def taking(self, match: Match) -> tuple[Rewrite, ...]:
        """The rewrites that start from an operator and take its operands' types, in which it differs from others."""
        op = match.op
        root, numerics = root_of(op), match.options.numerics
        key = root, numerics, tuple([None if value is None else value.type.dtype for value in op.inputs])
        found = self._by_types.get(key)
        if found is None:
            found = tuple(rewrite for rewrite in self.starting_from(root, numerics) if rewrite.takes(match))
            self._by_types[key] = found
        return found

    def run(self, model: Model, options: Options, report: Report) -> Model:
        """One sweep over every graph of a model.

        Raises:
            UnsupportedError: operators that no rewrite accepts, all of them, each with every candidate's reason.
            FormatError: operators whose operands' shapes don't fit together.
        """
        return run_pass(model, self, options, report)


def _asked_for(member: Rewrite | Family, root: str, numerics: str) -> bool:
    return isinstance(member, Rewrite) or (root in member.roots and member.numerics in ("", numerics))


def _loaded(member: Rewrite | Family) -> tuple[Rewrite, ...]:
    return (member,) if isinstance(member, Rewrite) else member.load()


def run_pipeline(
    model: Model,
    steps: Sequence[Step],
    options: Options,
    report: Report,
    find_problems: Callable[[Model], list[Problem]],
) -> Model:
    """Apply passes in order; `find_problems` verifies what each of them changed.

    Raises:
        UnsupportedError: operators that no rewrite accepts, all of them, each with every candidate's reason; or a
            result that TOSA can't hold.
        FormatError: operators whose operands' shapes don't fit together.
        BrokenPassError: a pass made a graph that is illegal otherwise.
    """
    for step in steps:
        started = time.perf_counter()
        before, model = model, step.run(model, options, report)
        count = sum(len(graph.ops) for graph in model.graphs.values())
        report.passes.append((step.name, time.perf_counter() - started, count))
        if options.dump:
            options.dump(step.name, model)
        if model is not before:
            stop_at(find_problems(model), step.name)
    return model


def stop_at(problems: Sequence[Problem], step: str) -> None:
    """What a pass left illegal: too large or empty is what TOSA can't hold, all else is our mistake.

    Raises:
        UnsupportedError: level limits and empty tensors.
        BrokenPassError: anything else.
    """
    limits = [str(problem) for problem in problems if problem.kind == "level" or problem.condition == EMPTY]
    if limits:
        raise UnsupportedError("TOSA's level 8K can't hold", *listed(limits), places=limits)
    if problems:
        raise BrokenPassError(f"pass {step}", [str(problem) for problem in problems])


class _Failures:
    """Operators that no rewrite accepted. What fails only because its operands did is not the user's problem.

    Where all fates are wanted, operators behind a failure are tried on stand-ins of the types that the file says, with
    `shapes` where those have unknown dimensions.
    """

    def __init__(self, fates: list[Fate] | None = None, shapes: Mapping[Value, tuple[int, ...]] | None = None) -> None:
        self.fates = fates
        self.shapes = shapes or {}
        self.failures: list[tuple[str, str, str]] = []  # place, operator, why
        self.malformed: list[str] = []
        self.broken: set[Value] = set()

    def depends_on_failure(self, op: Op) -> bool:
        """Whether an operand was to come from an operator that failed."""
        return bool(self.broken) and not self.broken.isdisjoint(op.operands)

    def broken_results(self, op: Op) -> Sequence[Value]:
        """Stand-ins for results that can't be had."""
        if self.fates is not None:
            sizes = [tuple(1 if size is None else size for size in value.type.shape) for value in op.results]
            return [
                Value(signless(value.type, self.shapes.get(value) or shape), value.name)
                for value, shape in zip(op.results, sizes, strict=True)
            ]
        self.broken.update(op.results)
        return [Value(value.type, value.name) for value in op.results]

    def failed(self, op: Op, reasons: Sequence[str]) -> Sequence[Value]:
        """Note a failure, so that all are found before the conversion stops."""
        why = "; ".join(reasons).replace("\n", "; ") if reasons else _refusal(op)
        types, name = operand_types(op), op.attributes.get("custom_code") or op.name
        self.failures.append((f"{op.location}: {name}({types})", name, shortened(why)))
        if self.fates is not None:
            self.fates.append(Fate(op.location, name, types, reason=shortened(why)))
        return self.broken_results(op)

    def around(self, op: Op) -> Sequence[Value]:
        """Note an operator whose graphs hold failures, which have been noted."""
        if self.fates is not None:
            reason = "an operator of its graphs can't be converted"
            self.fates.append(Fate(op.location, op.name, operand_types(op), reason=reason))
        return self.broken_results(op)

    @property
    def clean(self) -> bool:
        """Whether nothing failed so far."""
        return not self.failures and not self.malformed

    @property
    def count(self) -> int:
        """How many operators failed so far."""
        return len(self.failures) + len(self.malformed)

    def foreign(self, value: Value, what: str) -> None:
        """Note a tensor of a type that TOSA doesn't have."""
        reason = f"TOSA has no type {value.type.dtype.value}"
        self.failures.append((f"{what} {value.name!r}", what, reason))
        if self.fates is None:
            self.broken.add(value)
        else:
            self.fates.append(Fate(f"{what} {value.name!r}", what, str(value.type), reason=reason))

    def refused(self, op: Op, problem: str) -> Sequence[Value]:
        """Note operands that don't fit together."""
        self.malformed.append(f"{op.location}: {problem}")
        if self.fates is not None:
            self.fates.append(Fate(op.location, op.name, operand_types(op), reason=problem))
        return self.broken_results(op)

    def stop(self, model: Model, options: Options) -> None:
        """Raise what was noted: what the file itself breaks, else what can't be converted, summed up by operator."""
        if self.malformed:
            if options.input_shapes or model.default_shapes:  # the file isn't to blame
                raise UnsupportedError("with these input shapes:", *listed(self.malformed), places=self.malformed)
            raise FormatError(*listed(self.malformed), file=model.source)
        if not self.failures:
            return
        places = [f"{place}: {why}" for place, _, why in self.failures]
        if len(places) == 1:
            raise UnsupportedError(*places, places=places)
        counts = Counter((name, shortened(why, 160)) for _, name, why in self.failures)
        summary = [f"{n:6d} {name}: {why}" for (name, why), n in counts.most_common()]
        raise UnsupportedError(f"{len(places)} operators can't be converted:", *listed(summary), places=places)


class _Run(NamedTuple):
    """One pass over a model.

    `inputs` and `outputs` map old values to new ones: an input that is an output has two. `inner` counts operators of
    graphs in graphs, each time that they are translated.
    """

    model: Model
    step: Pass
    options: Options
    report: Report
    failures: _Failures
    inputs: dict[Value, Value]
    outputs: dict[Value, Value]
    inner: Counter[str]


def run_pass(model: Model, step: Pass, options: Options | None = None, report: Report | None = None) -> Model:
    """One pass over every graph of a model."""
    options = options or Options()
    model = step.prepare(model, options)
    run = _Run(model, step, options, report or Report(), _Failures(), {}, {}, Counter())
    with np.errstate(all="ignore"):  # what overflows is refused where it would matter
        graphs = {name: _sweep(run, graph) for name, graph in model.graphs.items()}
    run.failures.stop(model, run.options)
    signatures = {name: s.moved(run.inputs, run.outputs) for name, s in model.signatures.items()}
    swept = Model(graphs, signatures, model.metadata, model.source)
    swept.states = model.states
    swept.borders = moved_borders(model.borders, run.inputs, run.outputs)
    return swept


def find_fates(model: Model, step: Pass, options: Options) -> list[Fate]:
    """What one pass would make of every operator; those behind one that no rewrite accepts are tried all the same."""
    fates: list[Fate] = []
    model = step.prepare(model, options)
    run = _Run(model, step, options, Report(), _Failures(fates, model.default_shapes), {}, {}, Counter())
    with np.errstate(all="ignore"):
        for graph in model.graphs.values():
            _sweep(run, graph)
    return _once(fates)


def _once(fates: Sequence[Fate]) -> list[Fate]:
    """One fate for each operator, however often it was translated: as one of a loop's body, or of a graph of several.

    What its graphs made isn't what it made itself.
    """
    found: dict[tuple[str, str, int], Fate] = {}
    known: set[Op] = set()
    for i, fate in enumerate(fates):
        made = tuple(op for op in fate.made if op not in known)
        known.update(made)
        key = (fate.location, fate.name, -1 if fate.location else i)
        weight = (bool(fate.reason), len(made))
        if key not in found or weight > (bool(found[key].reason), len(found[key].made)):
            found[key] = fate._replace(made=made)
    return list(found.values())


def _sweep(run: _Run, graph: Graph) -> Graph:
    new = Graph(graph.name)
    builder = run.step.builder(new)
    values: dict[Value, Value] = {}
    for value in graph.inputs:
        type = input_type(value, run.options, run.model.default_shapes)
        values[value] = translated = Value(type, value.name)
        builder.settle(value, translated)
        new.inputs.append(translated)
        if value.type.dtype in FOREIGN:
            run.failures.foreign(value, "graph input")
    _translate(run, graph, values, builder)
    if run.failures.clean:
        _finish(graph, new, values, builder, run.failures)
    if run.failures.clean:
        run.inputs.update((value, values[value]) for value in graph.inputs)
        run.outputs.update(zip(graph.outputs, new.outputs, strict=True))
    return new


def _translate(run: _Run, graph: Graph, values: dict[Value, Value], builder: Builder) -> None:
    """The operators of a graph, of whose inputs `values` knows what they are."""
    inner = partial(_inner, run)
    with builder:
        for op in graph.ops:
            if op.name in CONSTANTS:
                continue
            builder.location = op.location
            match = Match(op, values, run.options, run.report, inner)
            results = _rewrite(match, run.step, run.failures)
            for old, result in zip(op.results, results, strict=True):
                values[old] = result
                builder.settle(old, result)
                if not result.name and result.producer is not None:
                    result.name = old.name


def _inner(run: _Run, graph: Graph, inputs: Sequence[Value]) -> list[Value]:
    """The outputs of a graph that an operator has, where another graph is being made."""
    run.inner["operators"] += len(graph) + 1
    if run.inner["operators"] > MOST_INNER:
        raise Decline(f"its rounds in a row, or the graphs that it chooses from, are more than {MOST_INNER} operators")
    builder, failures = current(), run.failures
    location = builder.location
    before = failures.count
    values = dict(zip(graph.inputs, inputs, strict=True))
    _translate(run, graph, values, builder)
    builder.location = location
    if failures.count > before:
        raise _BrokenRegion
    return [values[value] if value in values else translate_constant(value, builder) for value in graph.outputs]


class _BrokenRegion(Exception):  # control flow, not an error: the failures have been noted
    """A graph that an operator has holds operators that no rewrite accepted."""


def _rewrite(match: Match, step: Pass, failures: _Failures) -> Sequence[Value]:
    """The results of the first rewrite that accepts; a failed operator stands for itself so that all are found."""
    op = match.op
    candidates = step.starting_from(root_of(op), match.options.numerics)
    if failures.depends_on_failure(op):
        known = candidates or op.name.startswith(step.leaves + ".")
        return failures.broken_results(op) if known else failures.failed(op, ())
    problem = step.check(op, match.shapes) if step.check is not None else None
    if problem is not None:
        return failures.refused(op, problem)
    fitting = step.taking(match)
    reasons = [_wrong_types(match, candidates)] if candidates and not fitting else []
    notes = match.report.notes
    for rewrite in _in_turn(match, step, fitting):
        mark, noted = len(current().graph.ops), len(notes)
        try:
            results = rewrite.apply(match)
            if rewrite.origin:
                _tell_replaced(match, rewrite, fitting)
            if failures.fates is not None:
                made, said = tuple(current().graph.ops[mark:]), tuple(note.text for note in notes[noted:])
                failures.fates.append(Fate(op.location, op.name, operand_types(op), made, said))
            return results
        except _BrokenRegion:
            return failures.around(op)
        except Decline as declined:
            reasons.append(f"{rewrite.name}: {declined}")
        except UnsupportedError as unsupported:
            reasons.append(f"{rewrite.name}: {unsupported}")
        except VerifyError as illegal:
            if not _beyond_tosa(match, illegal):
                raise BrokenPassError(f"rewrite {rewrite.name} of {op.name} at {op.location}", illegal.lines) from None
            reasons.append(f"{rewrite.name}: TOSA can't hold it: {illegal}")
        del current().graph.ops[mark:], notes[noted:]
    if op.name.startswith(step.leaves + "."):
        return _copy(match)
    return failures.failed(op, reasons)


def _in_turn(match: Match, step: Pass, fitting: Sequence[Rewrite]) -> Iterator[Rewrite]:
    """What may take an operator; packages are asked only when the rest declined."""
    yield from fitting
    op, root = match.op, root_of(match.op)
    if not op.name.startswith(step.leaves + "."):
        yield from (rewrite for rewrite in step.more() if rewrite.root == root and rewrite.takes(match))
    if match.options.allow_custom and op.name == CUSTOM:
        from tosa_converter.rewriting.custom import KEPT

        yield KEPT


def _tell_replaced(match: Match, rewrite: Rewrite, fitting: Sequence[Rewrite]) -> None:
    """Note which of our rewrites somebody else's stands for."""
    ours = [other.name for other in fitting if not other.origin] if rewrite in fitting else []
    if ours:
        match.note_once(f"{rewrite.name} of {rewrite.origin} in place of {', '.join(ours)}")


def _refusal(op: Op) -> str:
    from tosa_converter.schemas import tfl_refusals, xnn_ops

    if op.name == CUSTOM:
        code = op.attributes.get("custom_code")
        return f"the custom operator {code!r} is not known: --plugin adds it, --allow-custom keeps it"
    return (tfl_refusals.REFUSALS | xnn_ops.REFUSALS).get(op.name, "no rewrite starts from this operator")


def _wrong_types(match: Match, candidates: Sequence[Rewrite]) -> str:
    known = dict.fromkeys(word for rewrite in candidates for word in rewrite.types.split())
    first = candidates[0]
    return f"operand {', '.join(map(str, first.of))}: expected {' or '.join(known)}, found {first.found(match)}"


def operand_types(op: Op) -> str:
    """The types of an operator's operands, for messages."""
    return shortened(", ".join(str(value.type) for value in op.operands))


def _beyond_tosa(match: Match, illegal: VerifyError) -> bool:
    """Whether TOSA, not the rewrite, lacks something: a type in an operator's table, or empty tensors."""
    return "type" in illegal.kinds or any(0 in (shape or ()) for shape in match.shapes)


def _copy(match: Match) -> Sequence[Value]:
    copied = rebuilt(match.op, [None if value is None else match.translate(value) for value in match.op.inputs])
    current().graph.ops.append(copied)
    return copied.results


def rebuilt(op: Op, inputs: Sequence[Value | None], regions: Sequence[Graph] | None = None) -> Op:
    """An operator once more, with results of its own, on other operands."""
    return Op(
        op.row or op.name,
        inputs,
        [value.type for value in op.results],
        op.attributes,
        regions=op.regions if regions is None else regions,
        location=op.location,
        result_names=[value.name for value in op.results],
    )


def copied(model: Model) -> Model:
    """A model of its own: values, operators and graphs anew, constants' elements and attributes shared."""
    moved: dict[Value, Value] = {}
    graphs = {name: _copied(graph, moved) for name, graph in model.graphs.items()}
    signatures = {name: s.moved(moved, moved) for name, s in model.signatures.items()}
    shapes = {moved[value]: shape for value, shape in model.default_shapes.items()}
    new = Model(graphs, signatures, model.metadata, model.source, shapes, model.empty)
    new.notes += model.notes
    new.states = model.states
    new.borders = moved_borders(model.borders, moved)
    pairs = [
        pair for name, graph in model.graphs.items() for pair in zip(graph.walk(), graphs[name].walk(), strict=True)
    ]
    twins: dict[Any, Any] = {**moved, **dict(pairs)}
    new.extras = {twins.get(key, key): extra for key, extra in model.extras.items()}
    return new


def _copied(graph: Graph, moved: dict[Value, Value]) -> Graph:
    moved.update((value, Value(value.type, value.name)) for value in graph.inputs)
    new = Graph(graph.name, [moved[value] for value in graph.inputs])
    for op in graph.ops:
        regions = [_copied(region, moved) for region in op.regions]
        new.ops.append(rebuilt(op, [None if value is None else moved[value] for value in op.inputs], regions))
        moved.update(zip(op.results, new.ops[-1].results, strict=True))
    new.outputs = [moved[value] for value in graph.outputs]
    return new


def input_type(value: Value, options: Options, default_shapes: Mapping[Value, tuple[int, ...]]) -> TensorType:
    """The TOSA type of a graph input: the user's shape where one is given, 8- and 16-bit types signless."""
    shape = options.input_shapes.get(value.name) or default_shapes.get(value) or value.type.shape
    return signless(value.type, shape)


def signless(type: TensorType, shape: Shape) -> TensorType:
    """The TOSA type of a tensor of the source; TOSA's integers have no sign, and no 64 bits."""
    return TensorType(SIGNLESS.get(type.dtype, type.dtype), tuple(shape))


def _finish(graph: Graph, new: Graph, values: dict[Value, Value], builder: Builder, failures: _Failures) -> None:
    """Outputs get tensors of their own under their own names; operators nobody needs are dropped."""
    seen: set[Value] = set(new.inputs)
    names = unique_names((old.name for old in graph.outputs), (value.name for value in graph.inputs))
    for old, name in zip(graph.outputs, names, strict=True):
        if old.type.dtype in FOREIGN:
            failures.foreign(old, "graph output")
            continue
        try:
            value = values[old] if old in values else translate_constant(old, builder)
        except Decline as declined:
            failures.failures.append((f"graph output {name!r}", "graph output", str(declined)))
            continue
        if 0 in value.type.shape:
            reason = f"{value.type} has no elements, and TOSA has no empty tensors"
            failures.failures.append((f"graph output {name!r}", "graph output", reason))
            continue
        new.outputs.append(settled(value, name, builder, seen))
    new.ops = place_constants(new.outputs, live_ops(new))


def settled(value: Value, name: str, builder: Builder, seen: set[Value]) -> Value:
    """A graph output under its own name: one that is constant, or among `seen`, gets a tensor of its own."""
    if value.constant is not None or value in seen:
        builder.location = "output"
        value = builder.apart(value)
    value.name = name
    seen.add(value)
    return value


def live_ops(graph: Graph) -> list[Op]:
    """The operators that an output or a side effect depends on; a RESHAPE that goes leaves its name to its operand."""
    needed: set[Value | None] = set(graph.outputs)
    kept: list[Op] = []
    for op in reversed(graph.ops):
        effect = not op.results or (op.row is not None and op.row.effect)
        if effect or not needed.isdisjoint(op.results):
            needed.update(op.inputs)
            for region in op.regions:
                needed.update(value for inner in region.walk() for value in inner.inputs)
            kept.append(op)
        elif op.row is RESHAPE:
            op.operands[0].name = op.operands[0].name or op.result.name
    return kept[::-1]


def place_constants(outputs: Sequence[Value], ops: Sequence[Op]) -> list[Op]:
    """The operators with each constant right before its first user."""
    placed: set[Op] = set()
    ordered: list[Op] = []

    def place(values: Sequence[Value | None]) -> None:
        for value in values:
            op = None if value is None else value.producer
            if op is not None and op not in placed and op.name in CONSTANTS:
                placed.add(op)
                ordered.append(op)

    for op in ops:
        if op.name not in CONSTANTS:
            place(op.inputs)
            placed.add(op)
            ordered.append(op)
    place(outputs)
    return ordered
