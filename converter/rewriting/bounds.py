"""Bounds that the user states for results whose number of rows is known at run time only."""

from collections.abc import Mapping

from tosa_converter.errors import UsageError, did_you_mean, list_names
from tosa_converter.ir import Model, Op
from tosa_converter.ir.edit import copy_model
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.schemas.tfl_ops import BOUND, BOUNDED

MOST_ROWS = 1 << 20  # the largest bound


def with_bounds(model: Model, bounds: Mapping[str, int]) -> Model:
    """Returns a copy of a model in which WHERE, UNIQUE and SEGMENT_SUM have the user's bounds on their rows.

    Args:
        model: the source.
        bounds: the largest number of rows of an operator's first result, by the result's name.

    Raises:
        UsageError: no such operator has a result of that name, or the number is not in 1 to `MOST_ROWS`.
    """
    model, edited = copy_model(model), model.edited
    model.edited = edited  # the copy counts as edited, but bounds aren't written to a file
    operators = {op.results[0].name: op for op in _bounded_operators(model)}
    for name, rows in bounds.items():
        if name not in operators:
            names, similar = list_names(sorted(operators)), did_you_mean(name, operators)
            expected = f"a result of WHERE, UNIQUE or SEGMENT_SUM ({names})"
            raise UsageError(f"bound: expected {expected}, found {name!r}{similar}")
        if not 0 < rows <= MOST_ROWS:
            raise UsageError(f"bound: expected 1 to {MOST_ROWS} rows for {name!r}, found {rows}")
        operators[name].attributes = operators[name].attributes | {BOUND: rows}
    return model


def bound_of(match: Match, count: str) -> int:
    """Returns the largest number of rows that the user stated for an operator's result, and adds a note about it.

    Args:
        match: the operator.
        count: words for the number of rows, for the message, such as "the number of segments".

    Raises:
        Decline: the operator has no bound.
    """
    rows: int | None = match.op.attributes.get(BOUND)
    name = match.op.results[0].name
    if rows is None:
        raise Decline(f"{count} is known at run time only: state a bound with --bound {name!r}=N")
    match.note(f"{name!r} has {rows} rows, as stated: unused rows are zeros, and further rows are dropped")
    return rows


def _bounded_operators(model: Model) -> list[Op]:
    """Returns the operators whose results have a number of rows that is known at run time only."""
    return [op for graph in model.graphs.values() for op in graph.walk() if op.name in BOUNDED]
