"""How a pass changes graphs in place, and tells a pipeline whether it did."""

from collections.abc import Callable
from copy import copy

from tosa_converter.ir import Graph, Model
from tosa_converter.ir.edit import live_ops, place_constants


def change_graphs(model: Model, change: Callable[[Graph], bool]) -> Model:
    """Change graphs in place, as a pass does that says so.

    `change` returns whether it changed a graph: what nobody reads is dropped then, and constants are placed. The result
    is a new record of the graphs if one was changed.
    """
    changed = [graph for graph in model.graphs.values() if change(graph)]
    for graph in changed:
        graph.ops = place_constants(graph.outputs, live_ops(graph))
    return copy(model) if changed else model
