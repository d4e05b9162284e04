"""The driver of rules. A sweep translates a graph into a new one, operands before their readers."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import SIGNLESS, DType
from tosa_converter.ir import CONSTANTS, Array, Graph, Model, Op, Shape, Value, unique_names
from tosa_converter.ir.edit import arrange, clone_op
from tosa_converter.rewriting.accepting import Declined, first_accepting
from tosa_converter.rewriting.builder import Builder, current
from tosa_converter.rewriting.failures import Failures, operand_types
from tosa_converter.rewriting.match import CUSTOM, FOREIGN, Match, input_type, root_of, translate_constant
from tosa_converter.rewriting.reasons import Attempts, Decline, LoweringResult
from tosa_converter.rewriting.records import TensorRecord, Translation
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rewriting.rule import Family, Rule, type_mismatch

MOST_INNER = 1 << 15  # operators of graphs in graphs that one pass translates


ShapeCheck = Callable[[Op, Sequence[Shape | None]], str | None]


class RulePass:
    """A pass that applies rules: translates a model into another opset.

    Rules are tried in order on every operator.

    Args:
        name: of the pass.
        members: rules, and families of rules that are imported on demand.
        leaves: the opset of the result; operators of it that no rule accepts are copied.
        check: returns why an operator's operands have invalid shapes; its rules aren't tried then.
        more: returns the rules of installed packages, for operators that the pass's own rules decline.
        signature: returns why an operator that a rule puts in place has invalid operands or attributes.
        builder: makes the builders of the new graphs.
    """

    __slots__ = ("_by_root", "_by_types", "_members", "builder", "check", "leaves", "more", "name", "signature")

    def __init__(
        self,
        name: str,
        members: Sequence[Rule | Family],
        leaves: str = "tosa",
        check: ShapeCheck | None = None,
        more: Callable[[], tuple[Rule, ...]] = tuple,
        builder: Callable[[Graph], Builder] = Builder,
        signature: Callable[[Op], str | None] = lambda _: None,
    ) -> None:
        self.name = name
        self.leaves = leaves
        self.check = check
        self.more = more
        self.builder = builder
        self.signature = signature
        self._members = members
        self._by_root: dict[tuple[str, str], tuple[Rule, ...]] = {}
        self._by_types: dict[tuple[str, str, tuple[DType | None, ...]], tuple[Rule, ...]] = {}

    def preferring(self, rules: Sequence[Rule]) -> "RulePass":
        """Returns the pass with more rules, which are tried first."""
        members = (*rules, *self._members)
        return RulePass(self.name, members, self.leaves, self.check, self.more, self.builder, self.signature)

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All rules, in order."""
        return tuple(rule for member in self._members for rule in _loaded(member))

    def starting_from(self, root: str, numerics: str) -> tuple[Rule, ...]:
        """Returns the rules that start from an operator; imports only the families that have some."""
        rules = self._by_root.get((root, numerics))
        if rules is None:
            members = [member for member in self._members if _asked_for(member, root, numerics)]
            rules = tuple(rule for member in members for rule in _loaded(member) if root in rule.roots)
            self._by_root[root, numerics] = rules
        return rules

    def taking(self, match: Match) -> tuple[Rule, ...]:
        """Returns the rules that start from an operator and accept its operands' types."""
        op = match.op
        root, numerics = root_of(op), match.options.numerics
        key = root, numerics, tuple([None if value is None else value.type.dtype for value in op.inputs])
        rules = self._by_types.get(key)
        if rules is None:
            rules = self.starting_from(root, numerics)
            rules = tuple(rule for rule in rules if rule.types_by_pattern or rule.takes(match))
            self._by_types[key] = rules
        return rules

    def skipping(self, match: Match) -> Iterator[tuple[Rule, str]]:
        """Yields the rules that start from an operator but are for other types or numerics, with the reason."""
        root = root_of(match.op)
        for member in (member for member in self._members if root in member.roots):
            numerics = "" if isinstance(member, Rule) else member.numerics
            for rule in (rule for rule in _loaded(member) if root in rule.roots):
                if numerics not in ("", match.options.numerics):
                    yield rule, f"only with --numerics {numerics}"
                elif not rule.types_by_pattern and not rule.takes(match):
                    yield rule, type_mismatch([rule], match)

    def run(self, model: Model, options: Options, report: Report) -> Model:
        """Sweeps every graph of a model once.

        Raises:
            UnsupportedError: operators that no rule accepts, all of them, each with every candidate's reason.
            FormatError: operators whose operands' shapes don't fit together.
        """
        return run_pass(model, self, options, report)


def _asked_for(member: Rule | Family, root: str, numerics: str) -> bool:
    """Returns whether a member may have rules for an operator in these numerics."""
    return isinstance(member, Rule) or (root in member.roots and member.numerics in ("", numerics))


def _loaded(member: Rule | Family) -> tuple[Rule, ...]:
    """Returns the rules of a member, which is imported for them."""
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
    """Returns the model after a pass over every graph."""
    options = options or Options()
    run = _Run(model, step, options, report or Report(), Failures(), {}, {}, Counter())
    with np.errstate(all="ignore"):  # rules decline overflows that matter
        graphs = {name: _sweep(run, graph) for name, graph in model.graphs.items()}
    run.failures.stop(model, run.options)
    return model.with_graphs(graphs, run.inputs, run.outputs, opset=step.leaves)


def lowering_results(model: Model, step: RulePass, options: Options) -> list[LoweringResult]:
    """Returns what a pass makes of every operator, also of those behind one that no rule accepts."""
    results: list[LoweringResult] = []
    run = _Run(model, step, options, Report(), Failures(results, model.default_shapes), {}, {}, Counter())
    with np.errstate(all="ignore"):
        for graph in model.graphs.values():
            _sweep(run, graph)
    return _unique(results)


def _unique(results: Sequence[LoweringResult]) -> list[LoweringResult]:
    """Returns one result for each operator; a loop's body or a shared graph is translated several times.

    The operators of an operator's regions are results of their own, and not counted as its new operators.
    """
    best: dict[tuple[str, str, int], LoweringResult] = {}
    reported: set[Op] = set()
    for i, result in enumerate(results):
        new_ops = tuple(op for op in result.new_ops if op not in reported)
        reported.update(new_ops)
        key = (result.location, result.name, -1 if result.location else i)
        weight = (bool(result.reason), len(new_ops))
        if key not in best or weight > (bool(best[key].reason), len(best[key].new_ops)):
            best[key] = result._replace(new_ops=new_ops)
    return list(best.values())


def _sweep(run: _Run, graph: Graph) -> Graph:
    """Returns a graph translated into a new one."""
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
    """Translates the operators of a graph; `values` has its inputs."""
    inner, evaluation = partial(_inner, run), partial(_evaluate, run)
    readers = Counter(chain(graph.outputs, *[op.inputs for op in graph.ops]))

    def match_of(op: Op) -> Match:
        return Match(op, values, run.options, run.report, inner, readers, evaluation, lowering)

    def lowering(op: Op) -> Sequence[Translation]:
        return _lower_builtin(match_of(op), run.step)

    with builder:
        for op in graph.ops:
            if op.name in CONSTANTS:
                continue
            builder.location = op.location
            results = _translate_op(match_of(op), run.step, run.failures)
            for old, result in zip(op.results, results, strict=True):
                values[old] = result
                if isinstance(result, TensorRecord):
                    continue
                builder.settle(old, result)
                if not result.name and result.producer is not None:
                    result.name = old.name


def _lower_builtin(match: Match, step: RulePass) -> Sequence[Translation]:
    """Returns the results of the first rule that accepts an operator that another rule puts in place.

    Raises:
        Decline: no rule accepts it, or its operands or attributes are invalid.
        _InvalidShapes: its operands' shapes don't fit together.
    """
    op = match.op
    problem = step.signature(op)
    if problem is not None:
        raise Decline(f"{op.name}: {problem}")
    problem = step.check(op, match.shapes) if step.check is not None else None
    if problem is not None:
        raise _InvalidShapes(problem)
    fitting = step.taking(match)
    declined: list[Declined] = []
    accepted = first_accepting(match, _in_turn(match, step, fitting), step.name, declined)
    if accepted is None:
        candidates = step.starting_from(op.name, match.options.numerics)
        reasons = [type_mismatch(candidates, match)] if candidates and not fitting else []
        raise Decline("; ".join([op.name, *reasons, *(f"{rule.name}: {reason}" for rule, reason in declined)]))
    if accepted.rule.origin:
        _note_replaced(match, accepted.rule, fitting)
    return accepted.results


def _inner(run: _Run, graph: Graph, inputs: Sequence[Value]) -> list[Value]:
    """Returns the outputs of an operator's graph, translated into the graph under construction."""
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
    """Returns an output of a graph as a value of the new graph.

    Raises:
        Decline: a record of values, or a constant that TOSA can't hold.
    """
    translation = values[value] if value in values else translate_constant(value, builder)
    if isinstance(translation, TensorRecord):
        raise Decline(f"expected one tensor of TOSA for output {value.name!r}, found {len(translation.parts)}")
    return translation


class _BrokenRegion(Exception):  # control flow, not an error: the failures have been noted
    """No rule accepted some operators of an operator's graph."""


class _InvalidShapes(Exception):  # control flow, not an error
    """The operands of an operator that a rule puts in place don't fit together; the argument says why."""


def _trace_untried(match: Match, step: RulePass, reason: str) -> None:
    """Notes for `Options.trace` why no rule was tried at an operator."""
    if match.options.trace is not None:
        op = match.op
        match.options.trace.append(Attempts(step.name, op.location, op.name, operand_types(op), "", reason=reason))


def _translate_op(match: Match, step: RulePass, failures: Failures) -> Sequence[Translation]:
    """Returns the results of the first rule that accepts, or stand-ins, so that one error lists all failures."""
    op = match.op
    candidates = step.starting_from(root_of(op), match.options.numerics)
    if failures.depends_on_failure(op):
        _trace_untried(match, step, "an operand comes from an operator that can't be converted")
        has_rules = candidates or op.opset == step.leaves
        return failures.broken_results(op) if has_rules else failures.failed(op, ())
    problem = step.check(op, match.shapes) if step.check is not None else None
    if problem is not None:
        _trace_untried(match, step, problem)
        return failures.refused(op, problem)
    fitting = step.taking(match)
    skipped = () if match.options.trace is None else step.skipping(match)
    declined: list[Declined] = []
    try:
        accepted = first_accepting(match, _in_turn(match, step, fitting), step.name, declined, skipped)
    except _InvalidShapes as invalid:
        _trace_untried(match, step, str(invalid))
        return failures.refused(op, str(invalid))
    except _BrokenRegion:
        _trace_untried(match, step, "an operator of its graphs can't be converted")
        return failures.around(op)
    if accepted is not None:
        if accepted.rule.origin:
            _note_replaced(match, accepted.rule, fitting)
        if failures.results is not None:
            new_ops = tuple(current().graph.ops[accepted.ops :])
            notes = tuple(note.text for note in match.report.notes[accepted.notes :])
            failures.results.append(LoweringResult(op.location, op.name, operand_types(op), new_ops, notes))
        return accepted.results
    if op.opset == step.leaves:
        return _copy(match)
    reasons = [type_mismatch(candidates, match)] if candidates and not fitting else []
    return failures.failed(op, [*reasons, *(f"{rule.name}: {reason}" for rule, reason in declined)])


def _in_turn(match: Match, step: RulePass, fitting: Sequence[Rule]) -> Iterator[Rule]:
    """Yields the rules to try; installed packages are asked only when the others declined."""
    yield from fitting
    op, root = match.op, root_of(match.op)
    if op.opset != step.leaves:
        yield from (rule for rule in step.more() if rule.root == root and rule.takes(match))
    if match.options.allow_custom and op.name == CUSTOM:
        from tosa_converter.rewriting.custom import KEPT

        yield KEPT


def _note_replaced(match: Match, rule: Rule, fitting: Sequence[Rule]) -> None:
    """Notes which of our rules a plug-in's rule replaces."""
    ours = [other.name for other in fitting if not other.origin] if rule in fitting else []
    if ours:
        match.note_once(f"{rule.name} of {rule.origin} in place of {', '.join(ours)}")


def _copy(match: Match) -> Sequence[Value]:
    """Returns the results of the same operator on the new operands."""
    copied = clone_op(match.op, [None if value is None else match.translate(value) for value in match.op.inputs])
    current().graph.ops.append(copied)
    return copied.results


def _finish(
    graph: Graph, new: Graph, values: Mapping[Value, Translation], builder: Builder, failures: Failures
) -> None:
    """Gives the outputs tensors of their own under their own names, and drops unused operators."""
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
    arrange(new)


def settled(value: Value, name: str, builder: Builder, seen: set[Value]) -> Value:
    """Returns a graph output under its own name; a constant, or a value of `seen`, gets a tensor of its own."""
    if value.constant is not None or value in seen:
        builder.location = "output"
        value = builder.apart(value)
    value.name = name
    seen.add(value)
    return value
