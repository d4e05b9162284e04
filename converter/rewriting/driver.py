"""Applies rules to all operators: translates a graph into a new one, operands before their readers."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import SIGNLESS, DType
from tosa_converter.ir import CONSTANTS, Array, Graph, Model, Op, Shape, Value, unique_names
from tosa_converter.ir.edit import arrange, clone_op, inherit_name
from tosa_converter.rewriting.accepting import Declined, apply_first_rule, note_replaced_rules
from tosa_converter.rewriting.builder import Builder, current
from tosa_converter.rewriting.failures import Failures, operand_types
from tosa_converter.rewriting.match import CUSTOM, FOREIGN, Match, input_type, root_of, translate_constant
from tosa_converter.rewriting.reasons import Attempts, Decline, LoweringResult, unique_results
from tosa_converter.rewriting.records import TensorRecord, Translation
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rewriting.rule import Family, Rule, type_mismatch

# Operators of graphs of control flow that one pass translates. Loops that are unrolled translate their body every
# round: a body of 100 operators, 300 rounds, is 30,000 operators, still allowed, and 400 rounds are not.
MOST_INNER = 1 << 15


ShapeCheck = Callable[[Op, Sequence[Shape | None]], str | None]


class RulePass:
    """A pass that applies rules: translates a model into another opset.

    Rules are tried in order on every operator.

    Args:
        name: the pass's name.
        members: rules, and families of rules that are imported on demand.
        opset: that of the result; operators of this opset that no rule accepts are copied.
        check: returns why an operator's operands have invalid shapes, or None; its rules are tried only for None.
        plugin_rules: returns the rules of installed packages, for operators that the pass's own rules decline.
        signature_problem: returns why an operator that a rule emits in the source's opset is invalid, or None.
        builder: returns the builder of a new graph.
    """

    def __init__(
        self,
        name: str,
        members: Sequence[Rule | Family],
        opset: str = "tosa",
        check: ShapeCheck | None = None,
        plugin_rules: Callable[[], tuple[Rule, ...]] = tuple,
        builder: Callable[[Graph], Builder] = Builder,
        signature_problem: Callable[[Op], str | None] = lambda _: None,
    ) -> None:
        """Creates a pass that translates into `opset` by rules; families of rules (`members`) are imported on demand.

        `plugin_rules` returns rules to try if these all decline. `check` returns why an operator's shapes are invalid,
        and `signature_problem` why an operator that a rule emits in the source's opset is invalid; both return None
        otherwise. `builder` returns the builder of a new graph.
        """
        self.name = name
        self.opset = opset
        self.check = check
        self.plugin_rules = plugin_rules
        self.builder = builder
        self.signature_problem = signature_problem
        self._members = members
        self._by_root: dict[tuple[str, str], tuple[Rule, ...]] = {}
        self._by_types: dict[tuple[str, str, tuple[DType | None, ...]], tuple[Rule, ...]] = {}

    def with_rules_first(self, rules: Sequence[Rule]) -> "RulePass":
        """Returns the pass with these rules in front of its own."""
        members = (*rules, *self._members)
        return RulePass(
            self.name, members, self.opset, self.check, self.plugin_rules, self.builder, self.signature_problem
        )

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All rules of the pass, in order; every family of rules is imported."""
        return tuple(rule for member in self._members for rule in _load_rules(member))

    def rules_from_root(self, root: str, numerics: str) -> tuple[Rule, ...]:
        """Returns the rules that start from an operator in these numerics; imports only the families that have any."""
        rules = self._by_root.get((root, numerics))
        if rules is None:
            members = [member for member in self._members if _may_apply(member, root, numerics)]
            rules = tuple(rule for member in members for rule in _load_rules(member) if root in rule.roots)
            self._by_root[root, numerics] = rules
        return rules

    def rules_for_types(self, match: Match) -> tuple[Rule, ...]:
        """Returns the rules that start from an operator and accept its operands' types.

        Among them are the rules whose types are about values that their pattern names: those are checked when a rule is
        tried.
        """
        op = match.op
        root, numerics = root_of(op), match.options.numerics
        key = root, numerics, tuple([None if value is None else value.type.dtype for value in op.inputs])
        rules = self._by_types.get(key)
        if rules is None:
            rules = self.rules_from_root(root, numerics)
            # Rules look at element types only, so the selection holds for all operators with such operands: a network
            # of 1000 convolutions has a few selections.
            rules = tuple(rule for rule in rules if rule.types_by_pattern or rule.takes(match))
            self._by_types[key] = rules
        return rules

    def skipped_rules(self, match: Match) -> Iterator[tuple[Rule, str]]:
        """Yields the rules that start from an operator but don't take its types or numerics, with the reason."""
        root = root_of(match.op)
        for member in (member for member in self._members if root in member.roots):
            numerics = "" if isinstance(member, Rule) else member.numerics
            for rule in (rule for rule in _load_rules(member) if root in rule.roots):
                if numerics not in ("", match.options.numerics):
                    yield rule, f"only with --numerics {numerics}"
                elif not rule.types_by_pattern and not rule.takes(match):
                    yield rule, type_mismatch([rule], match)

    def run(self, model: Model, options: Options, report: Report) -> Model:
        """Returns the model with every graph translated.

        Raises:
            UnsupportedError: no rule accepts some operators; lists all of them, each with every rule's reason.
            FormatError: an operator's operands have shapes that don't fit together.
        """
        return run_pass(model, self, options, report)


def _may_apply(member: Rule | Family, root: str, numerics: str) -> bool:
    """Returns whether rules of a pass may apply to operators named `root`, such as "tfl.add".

    A single rule is asked later; a family of rules, whose module isn't imported yet, lists its operators and numerics.
    """
    return isinstance(member, Rule) or (root in member.roots and member.numerics in ("", numerics))


def _load_rules(member: Rule | Family) -> tuple[Rule, ...]:
    """Returns the rules of a family, which is imported, or the rule itself."""
    return (member,) if isinstance(member, Rule) else member.load()


class _Run(NamedTuple):
    """One pass over a model.

    `inputs` and `outputs` map old values to new ones; a value that is both has two new ones. `counts["operators"]` is
    how many operators of control-flow graphs were translated, counted again each time.
    """

    model: Model
    rule_pass: RulePass
    options: Options
    report: Report
    failures: Failures
    inputs: dict[Value, Value]
    outputs: dict[Value, Value]
    counts: Counter[str]


def run_pass(model: Model, rule_pass: RulePass, options: Options | None = None, report: Report | None = None) -> Model:
    """Returns the model after a pass over every graph; raises one error for all operators that no rule accepts."""
    options = options or Options()
    run = _Run(model, rule_pass, options, report or Report(), Failures(), inputs={}, outputs={}, counts=Counter())
    with np.errstate(all="ignore"):  # rules decline overflows that matter
        graphs = {name: _translate_graph(run, graph) for name, graph in model.graphs.items()}
    run.failures.raise_failures(model, run.options)
    return model.with_graphs(graphs, run.inputs, run.outputs, opset=rule_pass.opset)


def lowering_results(model: Model, rule_pass: RulePass, options: Options) -> list[LoweringResult]:
    """Returns the result of lowering each operator of a model, also of those behind one that is refused."""
    results: list[LoweringResult] = []
    failures = Failures(results, model.default_shapes)
    run = _Run(model, rule_pass, options, Report(), failures, inputs={}, outputs={}, counts=Counter())
    with np.errstate(all="ignore"):
        for graph in model.graphs.values():
            _translate_graph(run, graph)
    return unique_results(results)


def _translate_graph(run: _Run, graph: Graph) -> Graph:
    """Returns a new graph with a source graph's operators translated; incomplete if `run.failures` isn't empty.

    If the graph is complete, `run.inputs` and `run.outputs` get its inputs and outputs by those of the source.
    """
    new = Graph(graph.name)
    builder = run.rule_pass.builder(new)
    builder.stored_weights = run.options.keeps_weights
    values: dict[Value, Translation] = {}
    for value in graph.inputs:
        type = input_type(value, run.options, run.model.default_shapes)
        values[value] = translated = Value(type, value.name)
        builder.copy_quantization(value, translated)
        new.inputs.append(translated)
        if value.type.dtype in FOREIGN:
            run.failures.note_foreign_type(value, "graph input")
    _translate_operators(run, graph, values, builder)
    if run.failures.is_empty:
        _set_outputs(graph, new, values, builder, run.failures)
    if run.failures.is_empty:
        run.inputs.update(zip(graph.inputs, new.inputs, strict=True))
        run.outputs.update(zip(graph.outputs, new.outputs, strict=True))
    return new


def _translate_operators(run: _Run, graph: Graph, values: dict[Value, Translation], builder: Builder) -> None:
    """Translates the operators of a graph into the builder's graph.

    Args:
        run: the pass over the model.
        graph: the source graph.
        values: the new values by source value: the inputs before, all results afterwards.
        builder: the builder of the new graph.
    """
    inner, evaluation = partial(_translate_region, run), partial(_evaluate, run)
    readers = Counter(chain(graph.outputs, *[op.inputs for op in graph.ops]))

    def match_of(op: Op) -> Match:
        """Returns the match of an operator, on which rules are tried."""
        return Match(op, values, run.options, run.report, inner, readers, evaluation, lowering)

    def lowering(op: Op) -> Sequence[Translation]:
        """Returns the results of a source operator that a rule emits, by the rules for it."""
        return _lower_builtin(match_of(op), run.rule_pass)

    with builder:
        for op in graph.ops:
            if op.name in CONSTANTS:
                continue
            builder.location = op.location
            results = _translate_op(match_of(op), run.rule_pass, run.failures)
            for old, result in zip(op.results, results, strict=True):
                values[old] = result
                if isinstance(result, TensorRecord):
                    continue
                builder.copy_quantization(old, result)
                if result.producer is not None:
                    inherit_name(result, old)


def _lower_builtin(match: Match, rule_pass: RulePass) -> Sequence[Translation]:
    """Returns the results of a source operator that another rule emits, by the first rule that accepts it.

    If that is a plug-in's, the rules that it replaces are noted.

    Raises:
        Decline: no rule accepts it, or its operands or attributes are invalid.
        _InvalidShapes: its operands' shapes don't fit together.
    """
    op = match.op
    problem = rule_pass.signature_problem(op)
    if problem is not None:
        raise Decline(f"{op.name}: {problem}")
    problem = rule_pass.check(op, match.shapes) if rule_pass.check is not None else None
    if problem is not None:
        raise _InvalidShapes(problem)
    fitting = rule_pass.rules_for_types(match)
    declined: list[Declined] = []
    accepted = apply_first_rule(match, _rules_to_try(match, rule_pass, fitting), rule_pass.name, declined)
    if accepted is None:
        candidates = rule_pass.rules_from_root(op.name, match.options.numerics)
        reasons = [type_mismatch(candidates, match)] if candidates and not fitting else []
        raise Decline("; ".join([op.name, *reasons, *(f"{rule.name}: {reason}" for rule, reason in declined)]))
    if accepted.rule.origin:
        note_replaced_rules(match, accepted.rule, fitting)
    return accepted.results


def _translate_region(run: _Run, graph: Graph, inputs: Sequence[Value]) -> list[Value]:
    """Translates a control-flow graph into the one under construction, and returns its outputs.

    Raises:
        Decline: with all unrolled loops and branches, there are too many operators.
        _BrokenRegion: no rule accepts some of its operators.
    """
    # 1 is added for the graph itself, so that a loop with an empty body can't be unrolled without end.
    run.counts["operators"] += len(graph) + 1
    if run.counts["operators"] > MOST_INNER:
        raise Decline(f"expected at most {MOST_INNER} operators in unrolled loops and branches, found more")
    builder, failures = current(), run.failures
    location = builder.location
    before = failures.count
    values: dict[Value, Translation] = dict(zip(graph.inputs, inputs, strict=True))
    _translate_operators(run, graph, values, builder)
    builder.location = location
    if failures.count > before:
        raise _BrokenRegion
    return [_translate_output(value, values, builder) for value in graph.outputs]


def _evaluate(run: _Run, ops: Sequence[Op], constants: Mapping[Value, Array]) -> tuple[Array, frozenset[str]]:
    """Lowers operators on constants, and returns the constant result of the last one and the notes of their rules.

    Raises:
        Decline: no rule accepts an operator, or the result isn't constant.
    """
    rule_pass, options, report = run.rule_pass, run.options._replace(trace=None), Report()
    builder = rule_pass.builder(Graph("constants"))
    values: dict[Value, Translation] = {
        value: builder.const(elements, SIGNLESS.get(value.type.dtype, value.type.dtype))
        for value, elements in constants.items()
    }
    with builder:
        for op in ops:
            match = Match(op, values, options, report, readers=Counter())  # no readers: no rule merges operators
            rules = _rules_to_try(match, rule_pass, rule_pass.rules_for_types(match))
            accepted = apply_first_rule(match, rules, rule_pass.name)
            if accepted is None:
                raise Decline(f"{op.name} at {op.location} can't be computed on constants: no rule accepts it")
            values.update(zip(op.results, accepted.results, strict=True))
    result = values[ops[-1].results[0]]
    if isinstance(result, TensorRecord) or result.constant is None:
        raise Decline(f"{ops[-1].name} at {ops[-1].location} can't be computed on constants: its result isn't constant")
    return result.constant, frozenset(note.text for note in report.notes)


def _translate_output(value: Value, values: Mapping[Value, Translation], builder: Builder) -> Value:
    """Returns an output of a graph as a value of the new graph.

    Raises:
        Decline: TOSA holds the output as several values, or it is a constant of a type that TOSA lacks.
    """
    translation = values[value] if value in values else translate_constant(value, builder)
    if isinstance(translation, TensorRecord):
        actual = f"{value.type}, which takes {len(translation.parts)}"
        raise Decline(f"expected an output that one TOSA tensor holds, found {value.name!r} of {actual}")
    return translation


class _BrokenRegion(Exception):  # control flow, not an error: the failures have been noted
    """Raised where some operators of an operator's graph can't be converted; the failures are recorded already."""


class _InvalidShapes(Exception):  # control flow, not an error
    """Raised where the operands of an operator that a rule emits don't fit together; the argument is the reason."""


def _trace_untried(match: Match, rule_pass: RulePass, reason: str) -> None:
    """Adds to `Options.trace` why no rule was tried at an operator."""
    if match.options.trace is not None:
        op = match.op
        match.options.trace.append(Attempts(rule_pass.name, op.location, op.name, operand_types(op), "", reason=reason))


def _translate_op(match: Match, rule_pass: RulePass, failures: Failures) -> Sequence[Translation]:
    """Returns the results of the first rule that accepts an operator; after a failure, placeholders to go on with.

    An operator of the pass's own opset that no rule replaces is copied. `failures` gets the reasons of an operator that
    can't be translated, and `failures.results`, unless it is None, the outcome of every operator.
    """
    op = match.op
    candidates = rule_pass.rules_from_root(root_of(op), match.options.numerics)
    if failures.depends_on_failure(op):
        _trace_untried(match, rule_pass, "an operand comes from an operator that can't be converted")
        has_rules = candidates or op.opset == rule_pass.opset
        return failures.broken_results(op) if has_rules else failures.note_failure(op, ())
    problem = rule_pass.check(op, match.shapes) if rule_pass.check is not None else None
    if problem is not None:
        _trace_untried(match, rule_pass, problem)
        return failures.note_malformed(op, problem)
    fitting = rule_pass.rules_for_types(match)
    skipped = () if match.options.trace is None else rule_pass.skipped_rules(match)
    declined: list[Declined] = []
    try:
        accepted = apply_first_rule(match, _rules_to_try(match, rule_pass, fitting), rule_pass.name, declined, skipped)
    except _InvalidShapes as invalid:
        _trace_untried(match, rule_pass, str(invalid))
        return failures.note_malformed(op, str(invalid))
    except _BrokenRegion:
        _trace_untried(match, rule_pass, "an operator of its graphs can't be converted")
        return failures.note_broken_region(op)
    if accepted is not None:
        if accepted.rule.origin:
            note_replaced_rules(match, accepted.rule, fitting)
        if failures.results is not None:
            new_ops = tuple(current().graph.ops[accepted.ops :])
            notes = tuple(note.text for note in match.report.notes[accepted.notes :])
            failures.results.append(LoweringResult(op.location, op.name, operand_types(op), new_ops, notes))
        return accepted.results
    if op.opset == rule_pass.opset:
        return _copy_operator(match)
    reasons = [type_mismatch(candidates, match)] if candidates and not fitting else []
    return failures.note_failure(op, [*reasons, *(f"{rule.name}: {reason}" for rule, reason in declined)])


def _rules_to_try(match: Match, rule_pass: RulePass, fitting: Sequence[Rule]) -> Iterator[Rule]:
    """Yields the rules to try in order: the pass's own, those of installed packages, and the rule for CUSTOM.

    Installed packages are asked about operators of the source only, and CUSTOM needs the option `allow_custom`.
    """
    yield from fitting
    op, root = match.op, root_of(match.op)
    if op.opset != rule_pass.opset:
        yield from (rule for rule in rule_pass.plugin_rules() if rule.root == root and rule.takes(match))
    if match.options.allow_custom and op.name == CUSTOM:
        from tosa_converter.rewriting.custom import KEEP_AS_CUSTOM

        yield KEEP_AS_CUSTOM


def _copy_operator(match: Match) -> Sequence[Value]:
    """Copies an operator to the new graph, on the new operands, and returns its results."""
    copied = clone_op(match.op, [None if value is None else match.translate(value) for value in match.op.inputs])
    current().graph.ops.append(copied)
    return copied.results


def _set_outputs(
    graph: Graph, new: Graph, values: Mapping[Value, Translation], builder: Builder, failures: Failures
) -> None:
    """Sets the outputs of a translated graph, separate tensors with the source's names, and drops dead operators.

    An output is left out, and added to `failures`, if TOSA lacks its type, holds it as several values, or it is empty.
    """
    seen: set[Value] = set(new.inputs)  # and the outputs so far: `name_output` copies a value that is among them
    names = unique_names((old.name for old in graph.outputs), (value.name for value in graph.inputs))
    for old, name in zip(graph.outputs, names, strict=True):
        if old.type.dtype in FOREIGN:
            failures.note_foreign_type(old, "graph output")
            continue
        try:
            value = _translate_output(old, values, builder)
        except Decline as declined:
            failures.note_interface("graph output", name, str(declined), "graph.output")
            continue
        if 0 in value.type.shape:
            reason = f"{value.type} has no elements, and TOSA has no empty tensors"
            failures.note_interface("graph output", name, reason, "graph.output")
            continue
        new.outputs.append(name_output(value, name, builder, seen))
    arrange(new)


def name_output(value: Value, name: str, builder: Builder, seen: set[Value]) -> Value:
    """Returns a graph output with its name set; a constant, or a value of `seen`, is copied to a separate tensor.

    Args:
        value: the value of the output.
        name: the output's name.
        builder: the builder of the graph.
        seen: the graph's inputs and earlier outputs; gets the output.
    """
    if value.constant is not None or value in seen:
        builder.location = "output"
        value = builder.copy_tensor(value)
    value.name = name
    seen.add(value)
    return value
