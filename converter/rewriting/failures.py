"""Collects the operators that no rule accepts, for one error that lists all of them with every reason."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tosa_converter.errors import (
    FormatError,
    Refusal,
    UnsupportedError,
    count_names,
    group_refusals,
    listed,
    shortened,
)
from tosa_converter.ir import Model, Op, Value
from tosa_converter.rewriting.match import CUSTOM, signless
from tosa_converter.rewriting.reasons import LoweringResult, graph_and_number
from tosa_converter.rewriting.report import Options


class _Failure(NamedTuple):
    """An operator, or an input or output, that can't be converted."""

    location: str
    name: str  # as the source calls it: CONV_2D, or the code of a custom operator
    text: str  # with the types of its operands
    reason: str


class Failures:
    """The operators of a model that no rule accepts, without those that fail only because of their operands.

    Args:
        results: a list that gets the result of every operator. With it, operators behind a failure are tried too, on
            stand-ins of the types that the file states.
        shapes: shapes for such stand-ins, by source value, in place of shapes with unknown dimensions.
    """

    def __init__(
        self, results: list[LoweringResult] | None = None, shapes: Mapping[Value, tuple[int, ...]] | None = None
    ) -> None:
        """Starts the list of operators that can't be converted, without any.

        If `results` isn't None, it gets the outcome of all operators; `shapes` has sizes for placeholders.
        """
        self.results = results
        self.shapes = shapes or {}
        self.failures: list[_Failure] = []
        self.operators: list[tuple[str, str]] = []  # of each failure, its location and opset-qualified name
        self.malformed: list[str] = []
        self.broken: set[Value] = set()
        self.explainable = ""  # the location of the first operator whose rules declined

    def depends_on_failure(self, op: Op) -> bool:
        """Returns whether an operand is the result of an operator that failed."""
        return bool(self.broken) and not self.broken.isdisjoint(op.operands)

    def broken_results(self, op: Op) -> Sequence[Value]:
        """Returns placeholders for the results of an operator that failed, with which the pass goes on.

        Without `results` they are marked as broken, so that operators that read them aren't tried. With it these are
        tried, on placeholders of a known shape: from `shapes`, or with 1 for unknown sizes.
        """
        if self.results is not None:
            sizes = [tuple(1 if size is None else size for size in value.type.shape) for value in op.results]
            return [
                Value(signless(value.type, self.shapes.get(value) or shape), value.name)
                for value, shape in zip(op.results, sizes, strict=True)
            ]
        self.broken.update(op.results)
        return [Value(value.type, value.name) for value in op.results]

    def _failed_results(self, op: Op, reason: str, name: str = "") -> Sequence[Value]:
        """Returns placeholders for the results of an operator that can't be converted; adds the reason to `results`."""
        if self.results is not None:
            self.results.append(LoweringResult(op.location, name or op.name, operand_types(op), reason=reason))
        return self.broken_results(op)

    def note_failure(self, op: Op, reasons: Sequence[str]) -> Sequence[Value]:
        """Records an operator that no rule accepts, and returns placeholders for its results.

        `reasons` are those of the rules that start from it; there are none if no rule does. The error can advise
        `--explain` for the first operator that has reasons.
        """
        why = "; ".join(reasons).replace("\n", "; ") if reasons else _reason_without_rules(op)
        self.explainable = self.explainable or (op.location if reasons else "")
        name = op.attributes.get("custom_code") or op.name
        self.operators.append((op.location, op.name))
        plain_name = op.attributes.get("custom_code") or op.base_name.upper()
        text = f"{op.location}: {name}({operand_types(op)})"
        self.failures.append(_Failure(op.location, plain_name, text, shortened(why)))
        return self._failed_results(op, shortened(why), name)

    def note_broken_region(self, op: Op) -> Sequence[Value]:
        """Returns placeholders for the results of an operator whose graphs have failures.

        The failures in its graphs are listed by themselves, so the operator isn't; only `results` gets it.
        """
        return self._failed_results(op, "an operator of its graphs can't be converted")

    @property
    def is_empty(self) -> bool:
        """Whether nothing failed so far."""
        return not self.failures and not self.malformed

    @property
    def count(self) -> int:
        """The number of operators that failed so far."""
        return len(self.failures) + len(self.malformed)

    def note_foreign_type(self, value: Value, role: str) -> None:
        """Records a graph input or output (`role`) of a type that TOSA lacks.

        Without `results` the value is marked as broken, so that operators that read it aren't tried. With it they are
        tried, and `results` gets the reason.
        """
        reason = f"TOSA has no type {value.type.dtype.value}"
        self.note_interface(role, value.name, reason, f"type.{value.type.dtype.value}")
        if self.results is None:
            self.broken.add(value)
        else:
            self.results.append(LoweringResult(f"{role} {value.name!r}", role, str(value.type), reason=reason))

    def note_interface(self, role: str, name: str, reason: str, subject: str) -> None:
        """Records why TOSA can't have a graph input or output.

        `role` is "graph input" or "graph output". `subject`, such as "graph.output", stands for an operator's name in
        `operators`.
        """
        place = f"{role} {name!r}"
        self.failures.append(_Failure(place, role, place, reason))
        self.operators.append((place, subject))

    def note_malformed(self, op: Op, problem: str) -> Sequence[Value]:
        """Records an operator whose operands don't fit together, and returns placeholders for its results."""
        self.malformed.append(f"{op.location}: {problem}")
        return self._failed_results(op, problem)

    def raise_failures(self, model: Model, options: Options) -> None:
        """Raises one error for all failures, if there are any.

        Raises:
            FormatError: operands don't fit together.
            UnsupportedError: no rule accepts some operators, or operands don't fit together for the user's input
            shapes.
        """
        if self.malformed:
            if options.input_shapes or model.default_shapes:  # the file isn't to blame
                raise UnsupportedError("with these input shapes:", *listed(self.malformed), places=self.malformed)
            raise FormatError(*listed(self.malformed), file=model.source)
        if not self.failures:
            return
        places = [f"{failure.text}: {failure.reason}" for failure in self.failures]
        if len(self.failures) == 1:
            (failure,) = self.failures
            lines = [f"{_with_place(failure)} can't be converted", failure.reason]
        else:
            names = count_names(failure.name for failure in self.failures)
            lines = [f"{len(places)} operators can't be converted: {names}"]
            lines += group_refusals(
                [Refusal(graph_and_number(row.location), row.name, row.reason) for row in self.failures]
            )
        raise UnsupportedError(*lines, *self._next_step(model, options), places=places, operators=self.operators)

    def _next_step(self, model: Model, options: Options) -> list[str]:
        """Returns a line with the command that explains the first operator whose rules declined.

        The list is empty if there is none, if that command is running, or if the model is of TOSA.
        """
        if not self.explainable or options.trace is not None or model.opset == "tosa":
            return []
        from shlex import quote

        words = ("tflite-to-tosa", model.source or "MODEL", "--explain", graph_and_number(self.explainable))
        return [f"next: {' '.join(map(quote, words))}"]


def _with_place(failure: _Failure) -> str:
    """Returns an operator's name with its location and its tensor: "ADD at main:8 ('sum')"."""
    if failure.location == failure.text:  # an input or output
        return shortened(failure.location)
    place = graph_and_number(failure.location)
    _, _, tensor = failure.location.removeprefix(place).strip().partition(" ")
    return shortened(f"{failure.name} at {place}") + (f" ({shortened(tensor)})" if tensor else "")


def _reason_without_rules(op: Op) -> str:
    """Returns why an operator that no rule starts from can't be converted, for the error message."""
    from tosa_converter.schemas import tfl_refusals, xnn_ops

    if op.name == CUSTOM:
        code = op.attributes.get("custom_code")
        return f"the custom operator {code!r} is not known: add rules with --plugin, or keep it with --allow-custom"
    return (tfl_refusals.REFUSALS | xnn_ops.REFUSALS).get(op.name, "no rule starts from this operator")


def operand_types(op: Op) -> str:
    """Returns the types of an operator's operands, for messages."""
    return shortened(", ".join(str(value.type) for value in op.operands))
