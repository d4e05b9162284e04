"""State pairs: which inputs of a model its callers feed with outputs of the run before, such as a decoder's cache.

A file doesn't say so. Three things do: a signature that calls an input and an output by one name, a tensor's name with
a usual ending behind it, and a chain of DYNAMIC_UPDATE_SLICE from an input to an output.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from tosa_converter.ir.graph import Graph, Value
from tosa_converter.ir.model import Model, State
from tosa_converter.ir.types import Array, TensorType

ENDINGS = ("_output", "_out", "_next", "_new", ".next", "_updated")
UPDATE = "tfl.dynamic_update_slice"
# What may be around an update: it changes neither which elements there are nor their order.
FORMS = ("tfl.quantize", "tfl.dequantize", "tfl.reshape", "tfl.cast")


def find_state_pairs(model: Model) -> dict[str, tuple[State, ...]]:
    """Returns the state pairs of a model by the graph's name; graphs without any are left out.

    A TOSA model has them recorded in `states`. A source whose inputs would all be state has none, because it would
    compute from no input.
    """
    if model.opset == "tosa":
        recorded = {name: tuple(s for s in states if s.carried) for name, states in model.states.items()}
        return {name: states for name, states in recorded.items() if states}
    pairs = {}
    for graph in model.graphs.values():
        outputs = _pairs(model, graph)
        if outputs and len(outputs) < len(graph.inputs):
            pairs[graph.name] = tuple(State(begin.name, end.name, None, carried=True) for begin, end in outputs.items())
    return pairs


def zero_state(type: TensorType) -> Array:
    """Returns the elements that state of this type begins with: zeros, or the integers that stand for 0.0."""
    zero = type.quant.zero_point[0] if type.quant is not None and type.quant.per_tensor else 0
    return np.full(type.static, zero, type.dtype.numpy)


def _pairs(model: Model, graph: Graph) -> dict[Value, Value]:
    """Returns a graph's state pairs, the output by its input, in the order of the inputs.

    A signature's names count first, then the tensors' names, then updated slices; each value is in one pair.
    """
    pairs: dict[Value, Value] = {}
    inputs, outputs = set(graph.inputs), set(graph.outputs)
    for begin, end in (*_by_signature(model, graph), *_by_name(graph), *_by_updates(graph)):
        is_free = begin in inputs and end in outputs and begin not in pairs and end not in pairs.values()
        if is_free and begin is not end and _same_elements(begin, end):
            pairs[begin] = end
    return {value: pairs[value] for value in graph.inputs if value in pairs}


def _same_elements(begin: Value, end: Value) -> bool:
    """Returns whether an output can be an input of the next run: both have one element type and known shape."""
    return begin.type.dtype is end.type.dtype and begin.type.shape == end.type.shape and None not in begin.type.shape


def _by_signature(model: Model, graph: Graph) -> Iterator[tuple[Value, Value]]:
    """Yields candidates for state pairs: inputs and outputs that a signature calls by one name."""
    for signature in model.signatures.values():
        if signature.graph == graph.name:
            for name, begin in signature.inputs.items():
                if name in signature.outputs:
                    yield begin, signature.outputs[name]


def _by_name(graph: Graph) -> Iterator[tuple[Value, Value]]:
    """Yields candidates for state pairs: inputs with the output of the same name and a usual ending.

    Examples are `cache` and `cache_output`.
    """
    outputs: Mapping[str, Value] = {value.name: value for value in graph.outputs}
    for begin in graph.inputs:
        for ending in ENDINGS:
            if begin.name + ending in outputs:
                yield begin, outputs[begin.name + ending]


def _by_updates(graph: Graph) -> Iterator[tuple[Value, Value]]:
    """Yields candidates for state pairs: inputs with the output that is the same tensor with some slices replaced."""
    for end in graph.outputs:
        value, updates = end, 0
        while (op := value.producer) is not None and op.name in (UPDATE, *FORMS):
            updates += op.name == UPDATE
            value = op.operands[0]
        if updates:
            yield value, end


def carry_over(source: Model, model: Model) -> None:
    """Adds the state pairs of a source (an input and an output that callers carry from run to run) to its conversion.

    Inputs and outputs are matched by position. Pairs of different types, and graphs that the conversion doesn't have,
    are left out.
    """
    for name, pairs in find_state_pairs(source).items():
        if name not in model.graphs:
            continue
        old, new = source.graphs[name], model.graphs[name]
        ends = zip((*old.inputs,), new.inputs, strict=False), zip((*old.outputs,), new.outputs, strict=False)
        begins, results = ({value.name: converted for value, converted in rows} for rows in ends)
        moved = [(begins[pair.input], results[pair.output]) for pair in pairs]
        states = [State(x.name, y.name, None, carried=True) for x, y in moved if x.type == y.type]
        model.states = {**model.states, name: (*model.states.get(name, ()), *states)}
