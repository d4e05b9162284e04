"""Inverse rules, which turn TOSA back into a source format: propose an operator, lower it to TOSA, compare.

A proposed operator is taken if its lowering makes the very TOSA operators that it would replace. Inverse rules are rows
of tables: a pattern of TOSA operators, and a function that proposes operators of the source format in their place.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.ir import Graph, Model, Op, TensorType, Value
from tosa_converter.ir.edit import clone_op, equal_values
from tosa_converter.legalize.pipelines import TFLITE_TO_TOSA
from tosa_converter.rewriting.builder import current
from tosa_converter.rewriting.match import Key, Match
from tosa_converter.rewriting.pattern import Pattern
from tosa_converter.rewriting.pipeline import Pass, apply_passes
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.report import Options
from tosa_converter.rewriting.rule import Rule


class InverseRule(NamedTuple):
    """A rule back from TOSA: the source operators that a pattern of TOSA operators may be the lowering of.

    A proposed operator replaces the matched ones only if lowering it gives them back.

    * `name` is that of the rule.
    * `pattern` and `types` are those of the TOSA operators.
    * `propose` appends operators one by one, as they are asked for, and yields their results.
    * `operands` returns the values of TOSA that the proposed operators may read, besides constants.
    """

    name: str
    pattern: Pattern
    types: str
    propose: Callable[[Match], Iterable[Value]]
    operands: Callable[[Match], Sequence[Value]] = lambda m: [m.source("x")]
    of: tuple[Key, ...] = ("x",)


class LoweringCheck(NamedTuple):
    """The passes from a source format to TOSA, and the comparison of their result with operators of a TOSA graph.

    * `opset` is that of the proposed operators, and `passes` lower it with these `options`.
    * `equal` compares a lowered value with one of the graph. It gets the pairs of values that are equal already.
    * `complete_type` returns the type that the lowering needs in place of one that has no scale yet.
    """

    opset: str
    passes: tuple[Pass, ...]
    options: Options = Options()
    equal: Callable[[Value, Value, dict[Value, Value]], bool] = equal_values
    complete_type: Callable[[TensorType], TensorType] = lambda type: type

    def rules(self, module: str, inverse_rules: Iterable[InverseRule]) -> tuple[Rule, ...]:
        """Returns the driver's rules for a table of inverse rules, which propose source operators for TOSA operators.

        A rule takes the first proposal that lowers to the matched TOSA operators again.

        Args:
            module: the module that has the table, as part of the rules' names.
            inverse_rules: the table.
        """
        return tuple(self._rule(module, inverse_rule) for inverse_rule in inverse_rules)

    def _rule(self, module: str, inverse_rule: InverseRule) -> Rule:
        """Returns the driver's `Rule` of an inverse rule, which turns TOSA operators into a source operator.

        It takes the first proposal that lowers to the matched operators again.
        """

        def build(m: Match) -> Value:
            """Returns the result of the first proposed source operator that lowers to the matched TOSA operators."""
            return self.first_confirmed(m, inverse_rule.propose(m), inverse_rule.operands(m), inverse_rule.name)

        build.__doc__ = f"{inverse_rule.pattern} -> {inverse_rule.name}, if its conversion makes the same operators."
        root = inverse_rule.pattern.operators[0]
        return Rule(
            root,
            inverse_rule.types,
            build,
            of=inverse_rule.of,
            label=inverse_rule.name,
            family=module,
            pattern=inverse_rule.pattern,
        )

    def first_confirmed(self, m: Match, candidates: Iterable[Value], operands: Sequence[Value], name: str) -> Value:
        """Returns the first candidate that lowers to the matched TOSA operators; removes the others from the graph.

        A candidate is the result of a source operator (TFLite's or XNNPACK's) that may replace the TOSA operators.

        Args:
            m: the last of the TOSA operators that a candidate would replace.
            candidates: results of proposed operators, appended to the current builder's graph when they are asked
                for.
            operands: the values of TOSA that the candidates may read, besides constants.
            name: what the operators are, for the reason.

        Raises:
            Decline: no candidate is confirmed.
        """
        new_ops = current().graph.ops
        mark = len(new_ops)
        for y in candidates:
            if self.lowers_to(y, m.op.result, operands):
                return y
            del new_ops[mark:]
        raise Decline(f"the conversion of {name} makes other operators")

    def lowers_to(self, y: Value, result: Value, operands: Sequence[Value]) -> bool:
        """Returns whether source operators from `operands` to `y` lower to the TOSA operators that compute `result`."""
        if y.type.shape != result.type.shape:
            return False
        graph = self.lower(y, operands)
        return graph is not None and self.equal(
            graph.outputs[0], result, dict(zip(graph.inputs, operands, strict=True))
        )

    def lower(self, y: Value, operands: Sequence[Value]) -> Graph | None:
        """Returns the TOSA graph to which source operators from `operands` to `y` lower; None if they don't convert.

        `operands` are its inputs, and `y` its output.
        """
        values = {x: Value(self.complete_type(x.type), x.name) for x in operands}
        ops: list[Op] = []
        graph = Graph("main", [values[x] for x in operands], [self._clone_value(y, values, ops)], ops)
        try:
            return apply_passes(Model({"main": graph}, opset=self.opset), self.passes, self.options).main
        except (FormatError, UnsupportedError):
            return None

    def _clone_value(self, value: Value, values: dict[Value, Value], ops: list[Op]) -> Value:
        """Returns a copy of a value; the operators that compute it are copied to `ops` in order.

        `values` has the copies made so far.
        """
        if value not in values:
            producer = value.producer
            assert producer is not None
            op = clone_op(
                producer, [operand and self._clone_value(operand, values, ops) for operand in producer.inputs]
            )
            for clone in op.results:
                clone.type = self.complete_type(clone.type)
            values.update(zip(producer.results, op.results, strict=True))
            ops.append(op)
        return values[value]


TFLITE_LOWERING = LoweringCheck("tfl", TFLITE_TO_TOSA)
