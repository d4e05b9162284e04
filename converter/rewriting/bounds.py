"""Results whose number of rows only a run knows: the user states how many there are at most."""

from collections.abc import Mapping

from tosa_converter.errors import UsageError
from tosa_converter.ir import Model, Op
from tosa_converter.ir.edit import copy_model
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.schemas.tfl_ops import BOUND, BOUNDED

MOST_ROWS = 1 << 20


def with_bounds(model: Model, bounds: Mapping[str, int]) -> Model:
    """A copy of the model whose operators know the most rows of their first result, by its name.

    Raises:
        UsageError: no such operator has a result of that name, or the number is none of rows.
    """
    model, edited = copy_model(model), model.edited
    model.edited = edited
    operators = {op.results[0].name: op for op in _operators(model)}
    for name, rows in bounds.items():
        if name not in operators:
            there = ", ".join(sorted(operators)) or "none"
            raise UsageError(f"bound: no result of WHERE, UNIQUE or SEGMENT_SUM is called {name!r}; there are {there}")
        if not 0 < rows <= MOST_ROWS:
            raise UsageError(f"bound: expected 1 to {MOST_ROWS} rows for {name!r}, found {rows}")
        operators[name].attributes = operators[name].attributes | {BOUND: rows}
    return model


def bound_of(match: Match, count: str) -> int:
    """The most rows of an operator's result, which a note tells.

    Raises:
        Decline: the user states none.
    """
    rows: int | None = match.op.attributes.get(BOUND)
    name = match.op.results[0].name
    if rows is None:
        raise Decline(f"{count} is known at run time only: state at most how many there are, --bound {name!r}=N")
    match.note(f"{name!r} has {rows} rows: behind the last of a run are zeros, further ones are left out")
    return rows


def _operators(model: Model) -> list[Op]:
    return [op for graph in model.graphs.values() for op in graph.walk() if op.name in BOUNDED]
