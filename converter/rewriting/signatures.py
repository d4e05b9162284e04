"""Models of several graphs: the one that a signature names as the main one, and graphs that go by their signatures."""

from collections.abc import Iterator
from typing import Any

from tosa_converter.errors import FormatError, UsageError
from tosa_converter.ir import Model, Op, unique_names
from tosa_converter.ir.edit import copy_model
from tosa_converter.schemas.tfl_ops import GRAPHS


def selected(model: Model, name: str) -> Model:
    """The model of one signature: its graph is the main one, behind which those stand that it calls.

    Raises:
        UsageError: the model has no such signature.
        FormatError: an operator calls a graph that isn't there.
    """
    if name not in model.signatures:
        there = ", ".join(map(repr, model.signatures)) or "none"
        raise UsageError(f"{model.source}: no signature is called {name!r}; there are {there}")
    wanted = reached(model, model.signatures[name].graph)
    new = model if wanted == list(model.graphs) else restricted(model, wanted)
    made = new.with_graphs(new.graphs)
    made.signatures = {name: new.signatures[name]}
    made.notes, made.extras, made.edited = new.notes, new.extras, new.edited
    return made


def by_signature(model: Model) -> dict[str, Model]:
    """The model of each graph that is entered from outside, by its first signature; "" is of the main one without."""
    firsts = _firsts(model)
    if not firsts.keys() - {model.main.name}:
        return {"": model}
    own = {} if model.main.name in firsts else {"": model}
    return own | {name: selected(model, name) for name in firsts.values()}


def _firsts(model: Model) -> dict[str, str]:
    """The first signature of each graph that has one."""
    found: dict[str, str] = {}
    for name, signature in model.signatures.items():
        found.setdefault(signature.graph, name)
    return found


def reached(model: Model, name: str) -> list[str]:
    """A graph by its name, and those that it calls by way of others, in the order in which they are met."""
    names, found = list(model.graphs), {name: None}
    queue = [name]
    for one in queue:  # which grows meanwhile
        new = [names[number] for op in model.graphs[one].walk() for number in _calls(op, len(names))]
        queue += [name for name in dict.fromkeys(new) if name not in found]
        found.update(dict.fromkeys(new))
    return list(found)


def restricted(model: Model, names: list[str]) -> Model:
    """A copy of some graphs, the first of which is the main one; they call none but each other."""
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


def _calls(op: Op, count: int) -> Iterator[int]:
    """The numbers of the graphs that an operator of TFLite calls."""
    for key in GRAPHS.get(op.name, ()):
        value: Any = op.attributes[key]
        for number in [value] if isinstance(value, int) else value:
            if not 0 <= number < count:
                raise FormatError(f"{op.location}: no subgraph {number}, there are {count}")
            yield int(number)


def named_by_signatures(model: Model) -> Model:
    """The model, of whose several graphs each one is called as its first signature."""
    if len(model.graphs) == 1:
        return model
    firsts = _firsts(model)
    names = dict(zip(model.graphs, unique_names(firsts.get(name, name) for name in model.graphs), strict=True))
    for graph in model.graphs.values():
        graph.name = names[graph.name]
    model.graphs = {graph.name: graph for graph in model.graphs.values()}
    model.signatures = {name: s._replace(graph=names[s.graph]) for name, s in model.signatures.items()}
    model.states = {names[name]: states for name, states in model.states.items()}
    return model
