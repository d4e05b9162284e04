"""Why operators convert as they do: the rules that each pass of a conversion tried at them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from tosa_converter.conversion import Converted
from tosa_converter.errors import (
    ConverterError,
    FormatError,
    PluginError,
    UnsupportedError,
    UsageError,
    did_you_mean,
    listed,
)
from tosa_converter.ir import CONSTANTS, Model, Op
from tosa_converter.rewriting.failures import operand_types
from tosa_converter.rewriting.reasons import Attempts, graph_and_number

EVERY = "all"


class ExplainedOperator(NamedTuple):
    """An operator of a source, and the rules that were tried at it.

    `attempts` are in the order of passes. Those of later passes are at TOSA operators that compute this one. `becomes`
    are the TOSA operators of the conversion; it is None if the model can't be converted.
    """

    location: str
    name: str
    operands: str  # their types
    attempts: tuple[Attempts, ...]
    becomes: tuple[str, ...] | None

    def figures(self) -> dict[str, Any]:
        """Returns the operator as plain data, for JSON."""
        return {**self._asdict(), "attempts": [_attempt_figures(attempts) for attempts in self.attempts]}


class Explanation(NamedTuple):
    """The rules that a conversion tried at operators, and why the model can't be converted, if it can't."""

    source: str
    operators: tuple[ExplainedOperator, ...]
    refusal: ConverterError | None

    def figures(self) -> dict[str, Any]:
        """Returns the explanation as plain data, for JSON."""
        return {
            "source": self.source,
            "operators": [op.figures() for op in self.operators],
            "refusal": None if self.refusal is None else list(self.refusal.lines),
        }


def explain_conversion(source: Model, operator: str, convert: Callable[[list[Attempts]], Converted]) -> Explanation:
    """Returns the rules that a conversion tries at the operators that a text names.

    Args:
        source: the model.
        operator: a number, location or name, or a part of these; "all" for every operator.
        convert: converts the model, and appends what it tries to a list.

    Raises:
        UsageError: there is no such operator; or as `convert`.
    """
    ops = _select_operators(source, operator)
    trace: list[Attempts] = []
    refusal: ConverterError | None = None
    results: dict[str, list[Op]] | None = None
    try:
        results = convert(trace).report.source_map
    except (UnsupportedError, FormatError, PluginError) as error:
        if not trace:
            raise
        refusal = error
    attempts: dict[str, list[Attempts]] = {}
    for tried in trace:
        attempts.setdefault(tried.location, []).append(tried)
    operators = tuple(
        ExplainedOperator(
            op.location,
            op.attributes.get("custom_code") or op.name,
            operand_types(op),
            _unique(attempts.get(op.location, ())),
            None if results is None else tuple(new.name for new in results.get(op.location, ())),
        )
        for op in ops
    )
    return Explanation(source.source, operators, refusal)


def _unique(attempts: Sequence[Attempts]) -> tuple[Attempts, ...]:
    """Returns attempts in their order without repetitions, which differ only in location and operand types."""
    return tuple({tried._replace(operands="", location=""): tried for tried in attempts}.values())


def _select_operators(source: Model, text: str) -> list[Op]:
    """Returns the operators that a text names: by number or location, else by the whole name, else by a part.

    Raises:
        UsageError: there are none.
    """
    ops = list(_operators(source))
    if text == EVERY:
        return ops
    place = f"{source.main.name}:{text}" if text.isdecimal() else text
    word = text.casefold()
    criteria: tuple[Callable[[Op], bool], ...] = (
        lambda op: place in (op.location, graph_and_number(op.location)),
        lambda op: word in (op.name, _short_name(op)),
        lambda op: word in op.location.casefold() or word in _short_name(op),
    )
    if word:
        for matches in criteria[: 1 if text.isdecimal() else None]:
            selected = [op for op in ops if matches(op)]
            if selected:
                return selected
    names = dict.fromkeys(_short_name(op).upper() for op in ops)
    similar = "" if ":" in text else did_you_mean(text, names)
    places = [f"{graph_and_number(op.location)} {_short_name(op).upper()}" for op in ops]
    raise UsageError(
        f"explain: expected {EVERY!r}, or the number, location or name of an operator, or a part of these, "
        f"found {text!r}{f'{similar} There are' if similar else '; there are'}",
        *listed(places),
    )


def _operators(source: Model) -> Iterator[Op]:
    """Yields the operators of a source, without constants and without those that only passes add (pseudo)."""
    for graph in source.graphs.values():
        yield from (op for op in graph.walk() if op.name not in CONSTANTS and ".pseudo_" not in op.name)


def _short_name(op: Op) -> str:
    """Returns an operator's name without its opset, or a custom operator's code, in lower case for searches."""
    name: str = op.attributes.get("custom_code") or op.name.partition(".")[2]
    return name.casefold()


def _attempt_figures(attempts: Attempts) -> dict[str, Any]:
    """Returns the rules tried at an operator as plain data, those that declined as {rule, reason}."""
    figures = attempts._asdict()
    for key in ("declined", "skipped"):
        figures[key] = [{"rule": rule, "reason": reason} for rule, reason in figures[key]]
    return figures
