"""The driver of rules: one sweep translates a graph into a new one, operands before their users."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import SIGNLESS, DType
from tosa_converter.errors import BrokenPassError, UnsupportedError, VerifyError
from tosa_converter.ir import CONSTANTS, Array, Graph, Model, Op, Shape, Value, moved_borders, unique_names
from tosa_converter.ir.edit import clone_op, live_ops, place_constants
from tosa_converter.rewriting.builder import Builder, current
from tosa_converter.rewriting.failures import Failures, operand_types
from tosa_converter.rewriting.match import CUSTOM, FOREIGN, Match, input_type, root_of, translate_constant
from tosa_converter.rewriting.reasons import Attempts, Decline, LoweringResult
from tosa_converter.rewriting.records import TensorRecord, Translation
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rewriting.rule import Family, Rule

MOST_INNER = 1 << 15  # operators of graphs in graphs that one pass translates


ShapeCheck = Callable[[Op, Sequence[Shape | None]], str | None]


class RulePass:
    """Rewrites tried in order on every operator, and the opset of what may be left.

    `check` says what is wrong with an operator whose operands have these shapes: no rewrite meets it then. `prepare`
    makes the model that is swept. `more` gives the rewrites of installed packages, when no other takes an operator;
    `builder` makes the one of the new graphs.
    """

    __slots__ = ("_by_root", "_by_types", "_members", "builder", "check", "leaves", "more", "name", "prepare")

    def __init__(
        self,
        name: str,
        members: Sequence[Rule | Family],
        leaves: str = "tosa",
        check: ShapeCheck | None = None,
        prepare: Callable[[Model, Options], Model] = lambda model, _: model,
        more: Callable[[], tuple[Rule, ...]] = tuple,
        builder: Callable[[Graph], Builder] = Builder,
    ) -> None:
        self.name = name
        self.leaves = leaves
        self.check = check
        self.prepare = prepare
        self.more = more
        self.builder = builder
        self._members = members
        self._by_root: dict[tuple[str, str], tuple[Rule, ...]] = {}
        self._by_types: dict[tuple[str, str, tuple[DType | None, ...]], tuple[Rule, ...]] = {}

    def preferring(self, rewrites: Sequence[Rule]) -> "RulePass":
        """The pass with further rewrites, which are tried first."""
        return RulePass(
            self.name, (*rewrites, *self._members), self.leaves, self.check, self.prepare, self.more, self.builder
        )

    @property
    def rewrites(self) -> tuple[Rule, ...]:
        """All of them, in order."""
        return tuple(rewrite for member in self._members for rewrite in _loaded(member))

    def starting_from(self, root: str, numerics: str) -> tuple[Rule, ...]:
        """The rewrites that start from an operator, of whose families only those are imported that have some."""
        found = self._by_root.get((root, numerics))
        if found is None:
            members = [member for member in self._members if _asked_for(member, root, numerics)]
            found = tuple(rule for member in members for rule in _loaded(member) if root in rule.roots)
            self._by_root[root, numerics] = found
        return found

    def taking(self, match: Match) -> tuple[Rule, ...]:
        """The rewrites that start from an operator and take its operands' types, in which it differs from others."""
        op = match.op
        root, numerics = root_of(op), match.options.numerics
        key = root, numerics, tuple([None if value is None else value.type.dtype for value in op.inputs])
        found = self._by_types.get(key)
        if found is None:
            rules = self.starting_from(root, numerics)
            found = tuple(rule for rule in rules if rule.types_by_pattern or rule.takes(match))
            self._by_types[key] = found
        return found

    def run(self, model: Model, options: Options, report: Report) -> Model:
        """One sweep over every graph of a model.

        Raises:
            UnsupportedError: operators that no rewrite accepts, all of them, each with every candidate's reason.
            FormatError: operators whose operands' shapes don't fit together.
        """
        return run_pass(model, self, options, report)


def _asked_for(member: Rule | Family, root: str, numerics: str) -> bool:
    return isinstance(member, Rule) or (root in member.roots and member.numerics in ("", numerics))


def _loaded(member: Rule | Family) -> tuple[Rule, ...]:
    return (member,) if isinstance(member, Rule) else member.load()


class _Run(NamedTuple):
    """One pass over a model.

    `inputs` and `outputs` map old values to new ones: an input that is an output has two. `inner` counts operators of
    graphs in graphs, each time that they are translated.
    """

    model: Model
    step: RulePass
    options: Options
    report: Report
    failures: Failures
    inputs: dict[Value, Value]
    outputs: dict[Value, Value]
    inner: Counter[str]


def run_pass(model: Model, step: RulePass, options: Options | None = None, report: Report | None = None) -> Model:
    """One pass over every graph of a model."""
    options = options or Options()
    model = step.prepare(model, options)
    run = _Run(model, step, options, report or Report(), Failures(), {}, {}, Counter())
    with np.errstate(all="ignore"):  # what overflows is refused where it would matter
        graphs = {name: _sweep(run, graph) for name, graph in model.graphs.items()}
    run.failures.stop(model, run.options)
    signatures = {name: s.moved(run.inputs, run.outputs) for name, s in model.signatures.items()}
    swept = Model(graphs, signatures, model.metadata, model.source)
    swept.states = model.states
    swept.borders = moved_borders(model.borders, run.inputs, run.outputs)
    return swept


def lowering_results(model: Model, step: RulePass, options: Options) -> list[LoweringResult]:
    """What one pass would make of every operator; those behind one that no rewrite accepts are tried all the same."""
    fates: list[LoweringResult] = []
    model = step.prepare(model, options)
    run = _Run(model, step, options, Report(), Failures(fates, model.default_shapes), {}, {}, Counter())
    with np.errstate(all="ignore"):
        for graph in model.graphs.values():
            _sweep(run, graph)
    return _once(fates)


def _once(fates: Sequence[LoweringResult]) -> list[LoweringResult]:
    """One fate for each operator, however often it was translated: as one of a loop's body, or of a graph of several.

    What its graphs made isn't what it made itself.
    """
    found: dict[tuple[str, str, int], LoweringResult] = {}
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
    values: dict[Value, Translation] = {}
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
        run.inputs.update(zip(graph.inputs, new.inputs, strict=True))
        run.outputs.update(zip(graph.outputs, new.outputs, strict=True))
    return new


def _translate(run: _Run, graph: Graph, values: dict[Value, Translation], builder: Builder) -> None:
    """The operators of a graph, of whose inputs `values` knows what they are."""
    inner, evaluation = partial(_inner, run), partial(_evaluate, run)
    readers = Counter(chain(graph.outputs, *[op.inputs for op in graph.ops]))
    with builder:
        for op in graph.ops:
            if op.name in CONSTANTS:
                continue
            builder.location = op.location
            match = Match(op, values, run.options, run.report, inner, readers, evaluation)
            results = _translate_op(match, run.step, run.failures)
            for old, result in zip(op.results, results, strict=True):
                values[old] = result
                if isinstance(result, TensorRecord):
                    continue
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
    values: dict[Value, Translation] = dict(zip(graph.inputs, inputs, strict=True))
    _translate(run, graph, values, builder)
    builder.location = location
    if failures.count > before:
        raise _BrokenRegion
    return [_output(value, values, builder) for value in graph.outputs]


def _evaluate(run: _Run, ops: Sequence[Op], constants: Mapping[Value, Array]) -> tuple[Array, frozenset[str]]:
    """Returns the result of the last of some operators, in a graph of its own that folds constants, and their notes.

    Raises:
        Decline: no rule takes an operator, or the result isn't constant.
    """
    step, options, report = run.step, run.options._replace(trace=None), Report()
    builder = step.builder(Graph("constants"))
    values: dict[Value, Translation] = {
        value: builder.const(elements, SIGNLESS.get(value.type.dtype, value.type.dtype))
        for value, elements in constants.items()
    }
    with builder:
        for op in ops:
            match = Match(op, values, options, report, readers=Counter())  # of which no rule makes an island
            accepted = first_accepting(match, _in_turn(match, step, step.taking(match)), step.name)
            if accepted is None:
                raise Decline(f"no rule takes {op.name} at {op.location} on constants")
            values.update(zip(op.results, accepted.results, strict=True))
    result = values[ops[-1].results[0]]
    if isinstance(result, TensorRecord) or result.constant is None:
        raise Decline(f"{ops[-1].name} at {ops[-1].location} isn't constant on constants")
    return result.constant, frozenset(note.text for note in report.notes)


def _output(value: Value, values: Mapping[Value, Translation], builder: Builder) -> Value:
    """What an output of a graph is in the new one.

    Raises:
        Decline: a record of values, or a constant that TOSA can't hold.
    """
    translation = values[value] if value in values else translate_constant(value, builder)
    if isinstance(translation, TensorRecord):
        raise Decline(f"expected one tensor of TOSA for output {value.name!r}, found {len(translation.parts)}")
    return translation


class _BrokenRegion(Exception):  # control flow, not an error: the failures have been noted
    """A graph that an operator has holds operators that no rewrite accepted."""


class Accepted(NamedTuple):
    """The rule that took an operator, what replaces its results, and how many operators and notes there were before."""

    rule: Rule
    results: Sequence[Translation]
    ops: int
    notes: int


def first_accepting(
    match: Match, rules: Iterable[Rule], pass_name: str, declined: list[tuple[Rule, str]] | None = None
) -> Accepted | None:
    """Applies the first rule that accepts an operator; what others emitted before they declined is undone.

    Args:
        match: the operator; its results are appended to the graph of the current builder.
        rules: in the order to try them.
        pass_name: for `Options.trace`.
        declined: gets the rules that declined, with their reasons.

    Returns:
        None if every rule declined.

    Raises:
        BrokenPassError: a rule emitted an illegal operator.
    """
    ops, notes = current().graph.ops, match.report.notes
    tried: list[tuple[Rule, str]] = [] if declined is None else declined
    trace = match.options.trace
    accepted = None
    for rule in rules:
        mark, noted = len(ops), len(notes)
        if not rule.bind(match):
            if trace is not None and rule.pattern is not None:
                tried.append((rule, rule.pattern.mismatch(match.op)))
            continue
        try:
            accepted = Accepted(rule, rule.apply(match), mark, noted)
            break
        except Decline as reason:
            tried.append((rule, str(reason)))
        except UnsupportedError as unsupported:
            tried.append((rule, str(unsupported)))
        except VerifyError as illegal:
            if not _beyond_tosa(match, illegal):
                place = f"rule {rule.name} of {match.op.name} at {match.op.location}"
                raise BrokenPassError(place, illegal.lines) from None
            tried.append((rule, f"TOSA can't hold it: {illegal}"))
        del ops[mark:], notes[noted:]
    if trace is not None:
        reasons = tuple((rule.name, reason) for rule, reason in tried)
        name = "" if accepted is None else accepted.rule.name
        trace.append(Attempts(pass_name, match.op.location, match.op.name, operand_types(match.op), name, reasons))
    return accepted


def _translate_op(match: Match, step: RulePass, failures: Failures) -> Sequence[Translation]:
    """The results of the first rule that accepts; a failed operator stands for itself so that all are found."""
    op = match.op
    candidates = step.starting_from(root_of(op), match.options.numerics)
    if failures.depends_on_failure(op):
        known = candidates or op.name.startswith(step.leaves + ".")
        return failures.broken_results(op) if known else failures.failed(op, ())
    problem = step.check(op, match.shapes) if step.check is not None else None
    if problem is not None:
        return failures.refused(op, problem)
    fitting = step.taking(match)
    declined: list[tuple[Rule, str]] = []
    try:
        accepted = first_accepting(match, _in_turn(match, step, fitting), step.name, declined)
    except _BrokenRegion:
        return failures.around(op)
    if accepted is not None:
        if accepted.rule.origin:
            _tell_replaced(match, accepted.rule, fitting)
        if failures.fates is not None:
            new_ops = tuple(current().graph.ops[accepted.ops :])
            notes = tuple(note.text for note in match.report.notes[accepted.notes :])
            failures.fates.append(LoweringResult(op.location, op.name, operand_types(op), new_ops, notes))
        return accepted.results
    if op.name.startswith(step.leaves + "."):
        return _copy(match)
    reasons = [_wrong_types(match, candidates)] if candidates and not fitting else []
    return failures.failed(op, [*reasons, *(f"{rule.name}: {reason}" for rule, reason in declined)])


def _in_turn(match: Match, step: RulePass, fitting: Sequence[Rule]) -> Iterator[Rule]:
    """What may take an operator; packages are asked only when the rest declined."""
    yield from fitting
    op, root = match.op, root_of(match.op)
    if not op.name.startswith(step.leaves + "."):
        yield from (rule for rule in step.more() if rule.root == root and rule.takes(match))
    if match.options.allow_custom and op.name == CUSTOM:
        from tosa_converter.rewriting.custom import KEPT

        yield KEPT


def _tell_replaced(match: Match, rewrite: Rule, fitting: Sequence[Rule]) -> None:
    """Note which of our rewrites somebody else's stands for."""
    ours = [other.name for other in fitting if not other.origin] if rewrite in fitting else []
    if ours:
        match.note_once(f"{rewrite.name} of {rewrite.origin} in place of {', '.join(ours)}")


def _wrong_types(match: Match, candidates: Sequence[Rule]) -> str:
    known = dict.fromkeys(word for rewrite in candidates for word in rewrite.types.split())
    first = candidates[0]
    return f"operand {', '.join(map(str, first.of))}: expected {' or '.join(known)}, found {first.found(match)}"


def _beyond_tosa(match: Match, illegal: VerifyError) -> bool:
    """Whether TOSA, not the rewrite, lacks something: a type in an operator's table, or empty tensors."""
    return "type" in illegal.kinds or any(0 in (shape or ()) for shape in match.shapes)


def _copy(match: Match) -> Sequence[Value]:
    copied = clone_op(match.op, [None if value is None else match.translate(value) for value in match.op.inputs])
    current().graph.ops.append(copied)
    return copied.results


def _finish(
    graph: Graph, new: Graph, values: Mapping[Value, Translation], builder: Builder, failures: Failures
) -> None:
    """Outputs get tensors of their own under their own names; operators nobody needs are dropped."""
    seen: set[Value] = set(new.inputs)
    names = unique_names((old.name for old in graph.outputs), (value.name for value in graph.inputs))
    for old, name in zip(graph.outputs, names, strict=True):
        if old.type.dtype in FOREIGN:
            failures.foreign(old, "graph output")
            continue
        try:
            value = _output(old, values, builder)
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
