"""Guess, lower, compare: a guessed operator is taken if its lowering to TOSA makes the operators that it stands for.

Guesses are rows of tables: a pattern of TOSA operators, and what proposes operators of a source format in their place.
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


class Guess(NamedTuple):
    """A guess of a source operator that TOSA operators may be the lowering of; it is confirmed by lowering it.

    * `name` is that of the rule.
    * `pattern` and `types` are those of the TOSA operators that the guess stands for.
    * `propose` appends operators one by one, as they are asked for, and yields their results.
    * `operands` returns the values of TOSA that the proposed operators may read, besides constants.
    """

    name: str
    pattern: Pattern
    types: str
    propose: Callable[[Match], Iterable[Value]]
    operands: Callable[[Match], Sequence[Value]] = lambda m: [m.source("x")]
    of: tuple[Key, ...] = ("x",)


class Lowering(NamedTuple):
    """The passes from a source format to TOSA, and the comparison of their result with operators of a TOSA graph.

    * `opset` is that of the guesses, and `passes` lower it with these `options`.
    * `equal` compares a lowered value with one of the graph. It gets the pairs of values that are equal already.
    * `completed` returns the type that the lowering needs in place of one that has no scale yet.
    """

    opset: str
    passes: tuple[Pass, ...]
    options: Options = Options()
    equal: Callable[[Value, Value, dict[Value, Value]], bool] = equal_values
    completed: Callable[[TensorType], TensorType] = lambda type: type

    def rules(self, module: str, guesses: Iterable[Guess]) -> tuple[Rule, ...]:
        """Returns rules that replace the operators of each guess by the first proposed operator that is confirmed.

        Args:
            module: the one that has the table, for the rules' names.
            guesses: the table's rows.
        """
        return tuple(self._rule(module, guess) for guess in guesses)

    def _rule(self, module: str, guess: Guess) -> Rule:
        """Returns the rule of one guess, whose build function takes the first proposed operator that is confirmed."""

        def build(m: Match) -> Value:
            """Returns the result of the first proposed operator whose lowering equals the matched operators."""
            return self.first_confirmed(m, guess.propose(m), guess.operands(m), guess.name)

        build.__doc__ = f"{guess.pattern} -> {guess.name}, if its conversion makes the same operators."
        root = guess.pattern.operators[0]
        return Rule(root, guess.types, build, of=guess.of, label=guess.name, family=module, pattern=guess.pattern)

    def first_confirmed(self, m: Match, guesses: Iterable[Value], operands: Sequence[Value], name: str) -> Value:
        """Returns the first guess whose lowering equals the match's operators; removes the other ones.

        Args:
            m: the last of the operators that the guess stands for.
            guesses: results of operators, which are appended to the current builder's graph when they are asked for.
            operands: the values of TOSA that the guesses may read, besides constants.
            name: what the operators are, for the reason.

        Raises:
            Decline: there is no such guess.
        """
        new_ops = current().graph.ops
        mark = len(new_ops)
        for y in guesses:
            if self.confirms(y, m.op.result, operands):
                return y
            del new_ops[mark:]
        raise Decline(f"the conversion of {name} makes other operators")

    def confirms(self, y: Value, result: Value, operands: Sequence[Value]) -> bool:
        """Returns whether lowering the operators from `operands` to y gives the operators that compute `result`."""
        if y.type.shape != result.type.shape:
            return False
        graph = self.lowered(y, operands)
        return graph is not None and self.equal(
            graph.outputs[0], result, dict(zip(graph.inputs, operands, strict=True))
        )

    def lowered(self, y: Value, operands: Sequence[Value]) -> Graph | None:
        """Returns a TOSA graph that computes y from `operands`, its inputs, or None if the lowering declines."""
        values = {x: Value(self.completed(x.type), x.name) for x in operands}
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
                clone.type = self.completed(clone.type)
            values.update(zip(producer.results, op.results, strict=True))
            ops.append(op)
        return values[value]


TFLITE = Lowering("tfl", TFLITE_TO_TOSA)
