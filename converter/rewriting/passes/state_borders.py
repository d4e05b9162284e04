"""Makes state inputs and outputs of a graph: the second half of the pass `state` with `--state io`."""

from collections.abc import Mapping

import numpy as np

from tosa_converter.errors import UnsupportedError
from tosa_converter.ir import NEXT, Array, Graph, Op, State, TensorType, Value
from tosa_converter.ir.edit import replace_values
from tosa_converter.rewriting.passes.inline_calls import ALIAS

READ, STORE = "tfl.pseudo_read", "tfl.pseudo_store"


def move_to_borders(graph: Graph, types: Mapping[str, TensorType]) -> tuple[State, ...]:
    """Replaces reads and stores of variables by a graph's inputs and outputs; returns a `State` for each variable.

    Args:
        graph: the graph, which is changed.
        types: the types of variables by name.
    """
    reads = {op.attributes["name"]: op for op in graph.ops if op.name == READ}
    stores = {op.attributes["name"]: op for op in graph.ops if op.name == STORE}
    taken = {value.name for value in (*graph.inputs, *graph.outputs)}
    moved: dict[Value, Value] = {}
    states = []
    for name in dict.fromkeys((*reads, *stores)):
        free_name = _free_name(name, taken)
        value = Value(types[name], free_name)
        graph.inputs.append(value)
        moved |= {reads[name].result: value} if name in reads else {}
        result = stores[name].operands[0] if name in stores else value
        # An ALIAS gives the output a tensor and a name of its own: `result` may be an input or another output.
        shape = {"shape": value.type.shape}
        alias = Op(ALIAS, [result], [value.type], shape, location=name, result_names=[free_name + NEXT])
        graph.ops.append(alias)
        graph.outputs.append(alias.result)
        initial = _as_int32(name, (reads.get(name) or stores[name]).attributes["initial"])
        states.append(State(free_name, free_name + NEXT, initial, types[name]))
    graph.ops = [op for op in graph.ops if op.name not in (READ, STORE)]
    replace_values(graph, moved)
    return tuple(states)


def _free_name(name: str, taken: set[str]) -> str:
    """Returns a name such that it and its `.next` are free, and adds both to `taken`."""
    free, i = name, 0
    while {free, free + NEXT} & taken:
        # x, x_0, x_1, ...: `taken` is finite, so one of them and its `.next` are free.
        free, i = f"{name}_{i}", i + 1
    taken.update((free, free + NEXT))
    return free


def _as_int32(name: str, elements: Array | None) -> Array | None:
    """Returns the initial elements of a state, int64 as int32; raises UnsupportedError if one doesn't fit."""
    if elements is None or elements.dtype != np.int64:
        return elements
    if (elements != elements.astype(np.int32)).any():
        raise UnsupportedError(f"state {name!r} begins with 64-bit elements that don't fit 32 bits")
    return elements.astype(np.int32)
