"""Tries rules in order: finds the first one that accepts an operator, and the reasons of those before it."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from tosa_converter.errors import BrokenPassError, UnsupportedError, VerifyError
from tosa_converter.rewriting.builder import current
from tosa_converter.rewriting.failures import operand_types
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Attempts, Decline
from tosa_converter.rewriting.records import Translation
from tosa_converter.rewriting.rule import Rule

Declined: TypeAlias = tuple[Rule, Exception | str]  # a rule with its reason


class Accepted(NamedTuple):
    """The rule that accepted an operator, its results, and the numbers of operators and notes before it."""

    rule: Rule
    results: Sequence[Translation]
    ops: int
    notes: int


def apply_first_rule(
    match: Match,
    rules: Iterable[Rule],
    pass_name: str,
    declined: list[Declined] | None = None,
    skipped: Iterable[Declined] = (),
) -> Accepted | None:
    """Applies the first rule that accepts an operator; operators that declining rules emitted are removed.

    Args:
        match: the operator; its results are appended to the graph of the current builder.
        rules: the rules, in the order to try them.
        pass_name: the name of the pass, for `Options.trace`.
        declined: a list that gets the rules that declined, with their reasons.
        skipped: the rules that aren't tried, with their reasons, for `Options.trace`.

    Returns:
        None if every rule declined.

    Raises:
        BrokenPassError: a rule emitted an illegal operator.
    """
    ops, notes = current().graph.ops, match.report.notes
    tried: list[Declined] = [] if declined is None else declined
    trace = match.options.trace
    accepted = None
    for rule in rules:
        first_op, first_note = len(ops), len(notes)  # that the rule adds
        if not rule.bind(match):
            if trace is not None and rule.pattern is not None:
                tried.append((rule, rule.pattern.mismatch(match.op)))
            continue
        try:
            accepted = Accepted(rule, rule.apply(match), first_op, first_note)
            break
        except Decline as reason:
            tried.append((rule, reason))
        except UnsupportedError as unsupported:
            tried.append((rule, unsupported))
        except VerifyError as illegal:
            if not _is_beyond_tosa(match, illegal):
                place = f"rule {rule.name} of {match.op.name} at {match.op.location}"
                raise BrokenPassError(place, illegal.lines) from None
            tried.append((rule, f"TOSA can't hold it: {illegal}"))
        # Rules only append, and constants aren't in the graph before it is finished: cutting both lists undoes a rule.
        del ops[first_op:], notes[first_note:]
    if trace is not None:
        name = "" if accepted is None else accepted.rule.name
        op = match.op
        attempts = Attempts(
            pass_name,
            op.location,
            op.name,
            operand_types(op),
            name,
            _names_and_reasons(tried),
            _names_and_reasons(skipped),
        )
        trace.append(attempts)
    return accepted


def note_replaced_rules(match: Match, rule: Rule, fitting: Sequence[Rule]) -> None:
    """Adds a note if a plug-in's rule replaces the converter's own rules, which come after it in `fitting`.

    A rule that isn't in `fitting` ran because all of these declined, and replaces none.
    """
    ours = [other.name for other in fitting if not other.origin] if rule in fitting else []
    if ours:
        match.note_once(f"{rule.name} of {rule.origin} in place of {', '.join(ours)}")


def _names_and_reasons(rules: Iterable[Declined]) -> tuple[tuple[str, str], ...]:
    """Returns the names of rules with their reasons as texts."""
    return tuple((rule.name, str(reason)) for rule, reason in rules)


def _is_beyond_tosa(match: Match, illegal: VerifyError) -> bool:
    """Returns whether an illegal operator is the source's fault: it has types that TOSA lacks, or empty tensors."""
    return "type" in illegal.kinds or any(0 in (shape or ()) for shape in match.shapes)
