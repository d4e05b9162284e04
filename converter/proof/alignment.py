"""Pairs the inputs and outputs of an existing file with those of its source, whoever wrote the file."""

from collections.abc import Mapping, Sequence
from copy import copy

from tosa_converter.dtypes import SIGNLESS
from tosa_converter.errors import UsageError
from tosa_converter.ir import Border, Model, Value
from tosa_converter.proof.input_sets import given_inputs, given_outputs


def align_borders(source: Model, model: Model) -> Model:
    """Returns a model whose inputs and outputs are in the order of the source's that they correspond to.

    They correspond by name, else by type and shape, else by position. State follows behind them.

    Raises:
        UsageError: they are fewer or more, or have other types or shapes.
    """
    graph = model.main
    orders = []
    for kind, values in (("inputs", given_inputs), ("outputs", given_outputs)):
        expected, present = values(source), values(model)
        order = _order(expected, present, _names(source, expected) | _names(model, present))
        if order is None:
            expectation = f"expected {kind} {_texts(expected)} as in {source.source or 'the source'}"
            raise UsageError(f"{model.source or 'the model'}: {expectation}, found {_texts(present)}")
        orders.append(order)
    new = copy(graph)
    new.verified = None
    new.inputs = [*orders[0], *(value for value in graph.inputs if value not in orders[0])]
    states = {state.output for state in model.main_states}
    new.outputs = [*orders[1], *(value for value in graph.outputs if value.name in states)]
    if (new.inputs, new.outputs) == (graph.inputs, graph.outputs):
        return model
    aligned = copy(model)
    aligned.graphs = {**model.graphs, graph.name: new}
    aligned.edited = True  # the file has them in another order
    return aligned


def _names(model: Model, values: Sequence[Value]) -> dict[Value, set[str]]:
    """Returns all names that inputs or outputs go by: their own, the source's and those of signatures."""
    callers = model.caller_names(model.main)
    names: dict[Value, set[str]] = {}
    for value in values:
        border = model.borders.get(value)
        names[value] = {value.name, callers.get(value, ""), border.name if border is not None else ""} - {""}
    return names


def _order(expected: Sequence[Value], present: Sequence[Value], names: Mapping[Value, set[str]]) -> list[Value] | None:
    """Returns a file's inputs or outputs in the order of the source's that they correspond to.

    They correspond by name (each value may have several `names`), else by a type that only one has, else by position;
    if one is listed twice, by position only. Returns None if there are more or fewer of them, or types don't fit.
    """
    if len(expected) != len(present):
        return None
    if any(len({*side}) < len(side) for side in (expected, present)):  # an output that is listed twice
        return [*present] if all(map(_fits, expected, present)) else None
    fitting = {old: [new for new in present if _fits(old, new)] for old in expected}
    pairs: dict[Value, Value] = {}
    for old in expected:
        same = [new for new in fitting[old] if names[old] & names[new] and new not in pairs.values()]
        if len(same) == 1:
            pairs[old] = same[0]
    unpaired = {old: [new for new in fitting[old] if new not in pairs.values()] for old in expected if old not in pairs}
    for old, candidates in unpaired.items():
        rivals = [row for row in unpaired.values() if candidates and candidates[0] in row]
        if len(candidates) == len(rivals) == 1:
            pairs[old] = candidates[0]
    rest = iter([new for new in present if new not in pairs.values()])
    for old in expected:
        if old not in pairs:
            pairs[old] = next(rest)
    return [pairs[old] for old in expected] if all(pairs[old] in fitting[old] for old in expected) else None


def _fits(old: Value, new: Value) -> bool:
    """Returns whether a file's value can hold a source's: known sizes agree, and types do apart from sign and width."""
    dtype = new.type.dtype
    return Border.of(old).fits(new.type._replace(dtype=SIGNLESS.get(dtype, dtype)))


def _texts(values: Sequence[Value]) -> str:
    """Returns inputs or outputs with their types, as text."""
    return ", ".join(f"{value.name}: {value.type._replace(quant=None)}" for value in values) or "none"
