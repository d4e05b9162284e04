"""Applies rules that replace operators within their graph."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from itertools import chain
from typing import NamedTuple

from tosa_converter.errors import BrokenPassError, VerifyError
from tosa_converter.ir import Graph, Model, Op, Value, borders_of_moved
from tosa_converter.ir.edit import arrange, inherit_name, substitute
from tosa_converter.rewriting.accepting import apply_first_rule
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.driver import name_output
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pipeline import stop_at_problems
from tosa_converter.rewriting.records import Translation
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rewriting.rule import Rule
from tosa_converter.rules.inference import Forms
from tosa_converter.rules.operator import Known, operator_problems
from tosa_converter.schemas.tosa_target import LEVEL_8K


class InPlacePass:
    """A pass that applies rules to every operator in place, and again to the operators that rules emit.

    An operator that no rule accepts stays as it is, and operators that nothing reads are dropped.

    Args:
        name: the pass's name.
        rules: the rules, in the order to try them.
        builder: returns the builder to which rules append operators.
    """

    __slots__ = ("builder", "by_root", "name", "rules")

    def __init__(self, name: str, rules: Sequence[Rule], builder: Callable[[Graph], Builder] = Builder) -> None:
        """Creates a pass that replaces operators of TOSA inside a graph, by rules in the order to try them.

        `builder` makes the builder of each graph.
        """
        self.name = name
        self.rules = tuple(rules)
        self.builder = builder
        self.by_root: dict[str, list[Rule]] = {}
        for rule in rules:
            for root in rule.roots:
                self.by_root.setdefault(root, []).append(rule)

    def run(self, model: Model, options: Options, report: Report) -> Model:
        """Replaces operators of a model's graphs by the pass's rules, and verifies the new operators of TOSA.

        Returns:
            The same model; or, if rules emitted operators of another opset, a shallow copy, which the caller verifies.

        Raises:
            BrokenPassError: an emitted operator is illegal.
        """
        replacement = _Replacement(self, options, report, new_ops=[], outputs={})
        try:
            for graph in model.graphs.values():
                replacement.replace_in_graph(graph)
        except VerifyError as illegal:
            raise BrokenPassError(f"pass {self.name}", illegal.lines) from illegal
        finish_in_place(model, self.name, replacement.new_ops, replacement.outputs)
        # Another object tells the pipeline that the model still has to be verified.
        return model if all(op.opset == "tosa" for op in replacement.new_ops) else copy(model)


def finish_in_place(model: Model, name: str, new_ops: Sequence[Op], outputs: dict[Value, Value]) -> None:
    """Verifies the new TOSA operators of a pass, and updates signatures and `borders` for outputs that were replaced.

    Args:
        model: the model, which is changed.
        name: the pass's name, for errors.
        new_ops: the operators that the pass emitted; those of other opsets aren't verified.
        outputs: the new values by the outputs that they replace.

    Raises:
        BrokenPassError: an operator is illegal.
        UnsupportedError: an operator exceeds a limit of TOSA's level 8K, or has an empty tensor.
    """
    legal: Forms[bool] = Forms()
    judged = [op for op in new_ops if op.opset == "tosa"]
    stop_at_problems(
        [problem for op in judged for problem in operator_problems(op, LEVEL_8K, None, Known({}, {}), legal)], name
    )
    for signature in model.signatures.values() if outputs else ():
        signature.outputs.update((key, outputs.get(value, value)) for key, value in signature.outputs.items())
    model.borders |= borders_of_moved(model.borders, outputs)


def replace_outputs(
    graph: Graph,
    ops: list[Op],
    replaced: Mapping[Value, Value],
    outputs: dict[Value, Value],
    builder: Callable[[Graph], Builder] = Builder,
) -> None:
    """Sets a graph's operators and outputs after a replacement; outputs remain separate tensors with their names.

    Args:
        graph: the graph, which is changed.
        ops: its old and new operators, in order; operators that nothing reads are dropped.
        replaced: new values by the values that they replace.
        outputs: a dict that gets the graph's new outputs by the old ones.
        builder: returns a builder, which copies a value that can't be an output itself.
    """
    build, before = builder(Graph(graph.name, graph.inputs, (), ops)), graph.outputs
    seen = {*graph.inputs, *(value for value in before if value not in replaced)}
    graph.outputs = build.graph.outputs = [
        name_output(replaced[value], value.name, build, seen) if value in replaced else value for value in before
    ]
    arrange(build.graph)
    graph.ops = build.graph.ops
    outputs.update(zip(before, graph.outputs, strict=True))


class _IdentityMapping(dict[Value, Translation]):
    """A map from source values to new ones that returns every value itself, for a graph that is changed in place."""

    def get(self, value: Value, _default: object = None) -> Value:
        """Returns the value itself: a graph that is changed in place has no other value for it, nor a default."""
        return value


_UNCHANGED = _IdentityMapping()


class _Replacement(NamedTuple):
    """The replacements in one model: `new_ops` are the emitted operators, `outputs` the new outputs by old ones."""

    in_place: InPlacePass
    options: Options
    report: Report
    new_ops: list[Op]
    outputs: dict[Value, Value]

    def replace_in_graph(self, graph: Graph) -> None:
        """Replaces the operators of a graph and its regions for which a rule of `in_place` applies.

        The emitted operators are added to `new_ops`, and replaced outputs to `outputs`.
        """
        readers = Counter(chain(graph.outputs, *[op.inputs for op in graph.ops]))
        in_place, builder = self.in_place, self.in_place.builder(Graph(graph.name, graph.inputs))
        ops = builder.graph.ops
        replaced: dict[Value, Value] = {}
        with builder:
            for op in graph.ops:
                if replaced and not replaced.keys().isdisjoint(op.inputs):
                    op.inputs = substitute(op.inputs, replaced)
                for region in op.regions:
                    self.replace_in_graph(region)
                first_new = len(ops)
                value = self._replace_op(op, builder, readers) if op.name in in_place.by_root else None
                if value is None:
                    ops.append(op)
                    continue
                # A rule may return a value that others read too, as RESHAPE(x) -> x does: then the readers add up.
                readers[value] += readers[op.result]
                inherit_name(value, op.result)
                replaced[op.result] = value
                self.new_ops.extend(ops[first_new:])
        if replaced:
            replace_outputs(graph, ops, replaced, self.outputs, in_place.builder)

    def _replace_op(self, op: Op, builder: Builder, readers: Counter[Value | None]) -> Value | None:
        """Returns the value that replaces an operator's result, or None if no rule applies.

        Rules are tried again on the last operator that a rule emits. `readers`, the number of readers of each value, is
        kept up to date for them.
        """
        rules = self.in_place.by_root[op.name]
        if self.options.trace is None:  # the trace has a reason for rules that can't match, too
            rules = [rule for rule in rules if rule.pattern is None or rule.pattern.may_match(op)]
        if not rules:
            return None
        builder.location = op.location
        ops = builder.graph.ops
        first_new = len(ops)
        match = Match(op, _UNCHANGED, self.options, self.report, readers=readers)
        accepted = apply_first_rule(match, rules, self.in_place.name)
        if accepted is None:
            return None
        value = accepted.results[0]
        assert isinstance(value, Value)
        # Rules ask for values with a single reader, so the counts follow the graph at once: the operator that was
        # replaced reads its operands no more, and the new ones do.
        readers.subtract(op.inputs)
        for new_op in ops[first_new:]:
            readers.update(new_op.inputs)
        # Rules are tried again if the value is the result of the last new operator, which they may replace in turn.
        if len(ops) == first_new or value.producer is not ops[-1] or ops[-1].name not in self.in_place.by_root:
            return value
        last = ops.pop()
        further = self._replace_op(last, builder, readers)
        if further is None:
            ops.append(last)
        return value if further is None else further
