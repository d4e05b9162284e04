"""`tflite-to-tosa MODEL --explain OPERATOR`: the rules that were tried at operators, and why each declined."""

from collections.abc import Iterator
from textwrap import wrap
from typing import Any

import tosa_converter as tc
from tosa_converter.cli import report
from tosa_converter.cli.failure import failure_figures
from tosa_converter.cli.printing import complain_of
from tosa_converter.cli.report import sequence
from tosa_converter.cli.sources import read_model
from tosa_converter.errors import printable, shortened
from tosa_converter.explanation import ExplainedOperator, Explanation
from tosa_converter.rewriting.reasons import Attempts

WIDTH = 80
# "    accepted" and "    declined" have 12 characters; two blanks more, and the rule's name begins at column 14.
_INDENT = 12  # of reasons


def explain(path: str, operator: str, json: bool, delegate: int | None = None, **options: Any) -> int:
    """Prints the rules that were tried at operators, then the error of a model that can't be converted.

    Raises:
        ConverterError: as `tosa_converter.convert`.
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
    """Yields the rules by operator and pass, as lines of text."""
    for op in explanation.operators:
        yield from _wrapped("", f"{op.location}: {op.name}({op.operands})", 4)
        for attempts in op.attempts:
            yield from _attempts_lines(attempts)
        if not op.attempts:
            ended = "" if op.becomes is not None else "the conversion ended before it, or "
            yield from _wrapped("", f"  no rule was tried: {ended}an earlier pass replaced or removed the operator", 4)
        if op.becomes is not None:
            yield from _wrapped("  becomes", _sequence(op))


def _attempts_lines(attempts: Attempts) -> Iterator[str]:
    """Yields lines about the rules that one pass tried: the accepted one, then the others with their reasons."""
    name = attempts.name.partition(".")[2].upper()
    yield f"  {attempts.pass_name}, {name}"
    if attempts.accepted:
        yield from _wrapped("    accepted", attempts.accepted)
    for label, rules in (("declined", attempts.declined), ("skipped", attempts.skipped)):
        for rule, reason in rules:
            yield from _wrapped(f"    {label}", f"{rule}: {shortened(reason)}")
    if not attempts.accepted and not attempts.declined:
        reason = attempts.reason or ("" if attempts.skipped else "no rule starts from this operator")
        yield from _wrapped("    untried", reason or "no rule accepts these types")


def _sequence(op: ExplainedOperator) -> str:
    """Returns the TOSA operators that an operator becomes, in capitals, with repetitions counted."""
    names = [name.partition(".")[2].upper() for name in op.becomes or ()]
    return sequence(names) if names else "no operator of its own"


def _wrapped(label: str, text: str, indent: int = _INDENT + 2) -> list[str]:
    """Returns a label and a text in lines of 80 columns."""
    head = f"{label:<{indent}}" if label else ""
    lines = wrap(head + printable(text), WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False)
    return lines or [head.rstrip()]
