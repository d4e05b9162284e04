"""Makes state inputs and outputs of a graph: the second half of the pass `state` with `--state io`."""

from collections.abc import Mapping

import numpy as np

from tosa_converter.errors import UnsupportedError
from tosa_converter.ir import NEXT, Array, Graph, Op, State, TensorType, Value
from tosa_converter.ir.edit import replace_values
from tosa_converter.schemas.opsets import TFL_ALIAS, TFL_READ, TFL_STORE, XNN_READ, XNN_STORE

READS, STORES = (TFL_READ, XNN_READ), (TFL_STORE, XNN_STORE)


def move_to_borders(graph: Graph, types: Mapping[str, TensorType], copy: str = TFL_ALIAS) -> tuple[State, ...]:
    """Replaces reads and stores of variables by a graph's inputs and outputs; returns a `State` for each variable.

    Args:
        graph: the graph, which is changed.
        types: the types of variables by name.
        copy: the operator that gives a value its second name, of the graph's opset.
    """
    reads = {op.attributes["name"]: op for op in graph.ops if op.name in READS}
    stores = {op.attributes["name"]: op for op in graph.ops if op.name in STORES}
    taken = {value.name for value in (*graph.inputs, *graph.outputs)}
    moved: dict[Value, Value] = {}
    states = []
    for name in dict.fromkeys((*reads, *stores)):
        free_name = _free_name(name, taken)
        value = Value(types[name], free_name)
        graph.inputs.append(value)
        moved |= {reads[name].result: value} if name in reads else {}
        result = stores[name].operands[0] if name in stores else value
        # A copy gives the output a tensor and a name of its own: `result` may be an input or another output.
        attributes = {"shape": value.type.shape} if copy == TFL_ALIAS else {}
        alias = Op(copy, [result], [value.type], attributes, location=name, result_names=[free_name + NEXT])
        graph.ops.append(alias)
        graph.outputs.append(alias.result)
        initial = _as_int32(name, (reads.get(name) or stores[name]).attributes["initial"])
        states.append(State(free_name, free_name + NEXT, initial, types[name]))
    graph.ops = [op for op in graph.ops if op.name not in (*READS, *STORES)]
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
