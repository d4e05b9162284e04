"""Rules that replace operators of a graph where they stand."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from itertools import chain
from typing import NamedTuple

from tosa_converter.errors import BrokenPassError, VerifyError
from tosa_converter.ir import Graph, Model, Op, Value, moved_borders
from tosa_converter.ir.edit import arrange, inherit_name, substituted
from tosa_converter.rewriting.accepting import first_accepting
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.driver import settled
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.pipeline import stop_at
from tosa_converter.rewriting.records import Translation
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rewriting.rule import Rule
from tosa_converter.rules.inference import Forms
from tosa_converter.rules.operator import operator_problems
from tosa_converter.schemas.tosa_target import LEVEL_8K


class InPlacePass:
    """Rules of TOSA operators, tried in order on every operator and again on what they make.

    An operator that no rule accepts stays as it is, and what nobody reads is dropped. `builder` makes the one to which
    rules append operators, `by_root` has the rules by the operators that they start from.
    """

    __slots__ = ("builder", "by_root", "name", "rules")

    def __init__(self, name: str, rules: Sequence[Rule], builder: Callable[[Graph], Builder] = Builder) -> None:
        self.name = name
        self.rules = tuple(rules)
        self.builder = builder
        self.by_root: dict[str, list[Rule]] = {}
        for rule in rules:
            for root in rule.roots:
                self.by_root.setdefault(root, []).append(rule)

    def run(self, model: Model, options: Options, report: Report) -> Model:
        """Changes the graphs of a model, and verifies the operators of TOSA that rules made.

        Returns:
            The model; a new record of its graphs if rules made operators of another opset, for the caller to verify.

        Raises:
            BrokenPassError: one of them is illegal.
        """
        replacement = _Replacement(self, options, report, [], {})
        try:
            for graph in model.graphs.values():
                replacement.sweep(graph)
        except VerifyError as illegal:
            raise BrokenPassError(f"pass {self.name}", illegal.lines) from illegal
        finish_in_place(model, self.name, replacement.new_ops, replacement.outputs)
        return model if all(op.opset == "tosa" for op in replacement.new_ops) else copy(model)


def finish_in_place(model: Model, name: str, new_ops: Sequence[Op], outputs: dict[Value, Value]) -> None:
    """Verifies the new operators of TOSA of a pass, and has signatures and borders name the values that became outputs.

    Raises:
        BrokenPassError, UnsupportedError: an operator is illegal, or TOSA can't hold it.
    """
    legal: Forms[bool] = Forms()
    judged = [op for op in new_ops if op.opset == "tosa"]
    stop_at([problem for op in judged for problem in operator_problems(op, LEVEL_8K, None, {}, legal)], name)
    for signature in model.signatures.values() if outputs else ():
        signature.outputs.update((key, outputs.get(value, value)) for key, value in signature.outputs.items())
    model.borders |= moved_borders(model.borders, outputs)


def replace_outputs(
    graph: Graph,
    ops: list[Op],
    replaced: Mapping[Value, Value],
    outputs: dict[Value, Value],
    builder: Callable[[Graph], Builder] = Builder,
) -> None:
    """Gives a graph its new operators; outputs keep their names, each on a tensor of its own.

    Args:
        graph: is changed.
        ops: what is left of it and what is new, in order; what nobody reads is dropped.
        replaced: what takes the place of values.
        outputs: gets what the graph's outputs became.
        builder: makes the one that gives an output a tensor of its own.
    """
    build, before = builder(Graph(graph.name, graph.inputs, (), ops)), graph.outputs
    seen = {*graph.inputs, *(value for value in before if value not in replaced)}
    graph.outputs = build.graph.outputs = [
        settled(replaced[value], value.name, build, seen) if value in replaced else value for value in before
    ]
    arrange(build.graph)
    graph.ops = build.graph.ops
    outputs.update(zip(before, graph.outputs, strict=True))


class _Unchanged(dict[Value, Translation]):
    """The map from source values to new ones of a graph that is both."""

    def get(self, value: Value, _default: object = None) -> Value:
        """Returns the value itself: the new graph is the old one."""
        return value


_UNCHANGED = _Unchanged()


class _Replacement(NamedTuple):
    """The sweeps over the graphs of one model; `new_ops` are those that rules made, `outputs` what outputs became."""

    in_place: InPlacePass
    options: Options
    report: Report
    new_ops: list[Op]
    outputs: dict[Value, Value]

    def sweep(self, graph: Graph) -> None:
        """Replaces the operators of a graph and of its regions."""
        readers = Counter(chain(graph.outputs, *[op.inputs for op in graph.ops]))
        in_place, builder = self.in_place, self.in_place.builder(Graph(graph.name, graph.inputs))
        ops = builder.graph.ops
        replaced: dict[Value, Value] = {}
        with builder:
            for op in graph.ops:
                if replaced and not replaced.keys().isdisjoint(op.inputs):
                    op.inputs = substituted(op.inputs, replaced)
                for region in op.regions:
                    self.sweep(region)
                mark = len(ops)
                value = self._replaced(op, builder, readers) if op.name in in_place.by_root else None
                if value is None:
                    ops.append(op)
                    continue
                readers[value] += readers[op.result]
                inherit_name(value, op.result)
                replaced[op.result] = value
                self.new_ops.extend(ops[mark:])
        if replaced:
            replace_outputs(graph, ops, replaced, self.outputs, in_place.builder)

    def _replaced(self, op: Op, builder: Builder, readers: Counter[Value | None]) -> Value | None:
        """Returns what takes the place of an operator's result; rules are tried again on what they made."""
        rules = self.in_place.by_root[op.name]
        if self.options.trace is None:
            rules = [rule for rule in rules if rule.pattern is None or rule.pattern.may_be(op)]
        if not rules:
            return None
        builder.location = op.location
        ops = builder.graph.ops
        mark = len(ops)
        match = Match(op, _UNCHANGED, self.options, self.report, readers=readers)
        accepted = first_accepting(match, rules, self.in_place.name)
        if accepted is None:
            return None
        value = accepted.results[0]
        assert isinstance(value, Value)
        readers.subtract(op.inputs)
        for new_op in ops[mark:]:
            readers.update(new_op.inputs)
        if len(ops) == mark or value.producer is not ops[-1] or ops[-1].name not in self.in_place.by_root:
            return value
        last = ops.pop()
        further = self._replaced(last, builder, readers)
        if further is None:
            ops.append(last)
        return value if further is None else further
