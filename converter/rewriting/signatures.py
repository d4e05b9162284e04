"""Models of several graphs: one signature as a model of its own, and graphs named by their signatures."""

from collections.abc import Iterator
from typing import Any

from tosa_converter.errors import FormatError, UsageError, did_you_mean, list_names
from tosa_converter.ir import Model, Op, unique_names
from tosa_converter.ir.edit import copy_model
from tosa_converter.schemas.tfl_ops import GRAPHS


def select_signature(model: Model, name: str) -> Model:
    """Returns a model of one signature: with the signature's graph first, then the graphs that it calls.

    Raises:
        UsageError: the model has no such signature.
        FormatError: an operator calls a graph that the model doesn't have.
    """
    if name not in model.signatures:
        names = list_names(map(repr, model.signatures)) + did_you_mean(name, model.signatures)
        raise UsageError(f"{model.source}: no signature is called {name!r}; there are {names}")
    graphs = reachable_graphs(model, model.signatures[name].graph)
    new = model if graphs == list(model.graphs) else copy_graphs(model, graphs)
    selected = new.with_graphs(new.graphs)
    selected.signatures = {name: new.signatures[name]}
    selected.notes, selected.extras, selected.edited = new.notes, new.extras, new.edited
    return selected


def split_by_signature(model: Model) -> dict[str, Model]:
    """Returns a model for each graph with a signature, by the name of the graph's first signature.

    The name of a main graph without signature is "". If no graph but the main one has a signature, the name is "" as
    well, and the model is returned as it is.
    """
    firsts = _first_signatures(model)
    if not firsts.keys() - {model.main.name}:
        return {"": model}
    unnamed = {} if model.main.name in firsts else {"": model}
    return unnamed | {name: select_signature(model, name) for name in firsts.values()}


def _first_signatures(model: Model) -> dict[str, str]:
    """Returns the name of the first signature of each graph, by the graph's name."""
    firsts: dict[str, str] = {}
    for name, signature in model.signatures.items():
        firsts.setdefault(signature.graph, name)
    return firsts


def reachable_graphs(model: Model, name: str) -> list[str]:
    """Returns the names of a graph and of all graphs that it calls, directly or indirectly, breadth first.

    Raises:
        FormatError: an operator calls a graph that the model doesn't have.
    """
    names, queue, visited = list(model.graphs), [name], {name}
    for graph in queue:  # the loop extends it
        called = [
            names[number] for op in model.graphs[graph].walk() for number in _called_graph_numbers(op, len(names))
        ]
        queue += [callee for callee in dict.fromkeys(called) if callee not in visited]
        visited.update(called)
    return queue


def copy_graphs(model: Model, names: list[str]) -> Model:
    """Returns a model with copies of some graphs, the first one as main graph; these must not call any others."""
    # If a model of the graphs 0 to 3 keeps the graphs 2 and 3, they become 0 and 1, and calls must name these numbers.
    numbers = {list(model.graphs).index(name): i for i, name in enumerate(names)}
    new = copy_model(model)
    new.graphs = {name: new.graphs[name] for name in names}
    new.signatures = {name: s for name, s in new.signatures.items() if s.graph in new.graphs}
    new.edited = True
    for op in (op for graph in new.graphs.values() for op in graph.walk()):
        calls = {key: op.attributes[key] for key in GRAPHS.get(op.name, ())}
        moved = {key: numbers[n] if isinstance(n, int) else tuple(numbers[i] for i in n) for key, n in calls.items()}
        op.attributes = op.attributes | moved
    return new


def _called_graph_numbers(op: Op, count: int) -> Iterator[int]:
    """Yields the numbers of the graphs that an operator of TFLite calls.

    Raises:
        FormatError: the model doesn't have a graph of that number.
    """
    for key in GRAPHS.get(op.name, ()):
        value: Any = op.attributes[key]
        for number in [value] if isinstance(value, int) else value:
            if not 0 <= number < count:
                raise FormatError(f"{op.location}: no subgraph {number}, there are {count}")
            yield int(number)


def rename_by_signatures(model: Model) -> Model:
    """Renames the graphs of a model with several graphs after their first signatures, in place; returns the model."""
    if len(model.graphs) == 1:
        return model
    firsts = _first_signatures(model)
    names = dict(zip(model.graphs, unique_names(firsts.get(name, name) for name in model.graphs), strict=True))
    for graph in model.graphs.values():
        graph.name = names[graph.name]
    model.graphs = {graph.name: graph for graph in model.graphs.values()}
    model.signatures = {name: s._replace(graph=names[s.graph]) for name, s in model.signatures.items()}
    model.states = {names[name]: states for name, states in model.states.items()}
    return model
