"""`tflite-to-tosa MODEL --explain OPERATOR`: the rules that were tried at operators, and why each declined."""

from collections.abc import Iterator
from typing import Any

import tosa_converter as tc
from tosa_converter.cli import report
from tosa_converter.cli.columns import wrap
from tosa_converter.cli.failure import failure_figures
from tosa_converter.cli.printing import complain_of
from tosa_converter.cli.report import sequence
from tosa_converter.cli.sources import read_model
from tosa_converter.errors import shortened
from tosa_converter.explanation import ExplainedOperator, Explanation
from tosa_converter.rewriting.reasons import Attempts

# "    accepted" and "    declined" have 12 characters; two blanks more, and the rule's name begins at column 14.
_INDENT = 14  # columns in front of rules and reasons


def explain(path: str, operator: str, json: bool, delegate: int | None = None, **options: Any) -> int:
    """Prints the rules that were tried at operators, and returns the exit status.

    The error of a model that can't be converted is raised behind that text. With `json` it is one of the figures
    instead, and also printed to standard error; then the status is the error's.

    Raises:
        ConverterError: as `tosa_converter.convert`, without `json`.
    """
    model, _ = read_model(path, delegate)
    explanation = tc.explain(model, operator, **options)
    if explanation.refusal is None or not json:
        report.present(explanation.figures, lambda: explanation_lines(explanation), json=json)
        if explanation.refusal is not None:
            raise explanation.refusal
        return 0
    figures = explanation.figures() | {"refusal": failure_figures(explanation.refusal)}
    report.present(lambda: figures, tuple, json=True)
    complain_of(explanation.refusal)
    return explanation.refusal.exit_status


def explanation_lines(explanation: Explanation) -> Iterator[str]:
    """Yields, for each operator, the rules that were tried, by pass, and what it becomes, as lines of text."""
    for op in explanation.operators:
        yield from wrap("", f"{op.location}: {op.name}({op.operands})", 0, hanging=4)
        for attempts in op.attempts:
            yield from _attempts_lines(attempts)
        if not op.attempts:
            ended = "" if op.becomes is not None else "the conversion ended before it, or "
            yield from wrap(
                "  ", f"no rule was tried: {ended}an earlier pass replaced or removed the operator", 2, hanging=2
            )
        if op.becomes is not None:
            yield from wrap("  becomes", _sequence(op), _INDENT)


def _attempts_lines(attempts: Attempts) -> Iterator[str]:
    """Yields lines about the rules that one pass tried: the accepted one, then the others with their reasons."""
    name = attempts.name.partition(".")[2].upper()
    yield f"  {attempts.pass_name}, {name}"
    if attempts.accepted:
        yield from wrap("    accepted", attempts.accepted, _INDENT)
    for label, rules in (("declined", attempts.declined), ("skipped", attempts.skipped)):
        for rule, reason in rules:
            yield from wrap(f"    {label}", f"{rule}: {shortened(reason)}", _INDENT)
    if not attempts.accepted and not attempts.declined:
        reason = attempts.reason or ("" if attempts.skipped else "no rule starts from this operator")
        yield from wrap("    untried", reason or "no rule accepts these types", _INDENT)


def _sequence(op: ExplainedOperator) -> str:
    """Returns the TOSA operators that an operator becomes, in capitals, with repetitions counted."""
    names = [name.partition(".")[2].upper() for name in op.becomes or ()]
    return sequence(names) if names else "no operator of its own"
