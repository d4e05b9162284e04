"""State that callers carry, such as a decoder's cache, as variables inside a TFLite model.

An input and an output of a state pair become READ_VARIABLE and ASSIGN_VARIABLE. The graph stays one of TFLite
operators, so LiteRT runs it too, and a comparison runs both sides step by step. Signatures share a variable that they
call by one name.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from tosa_converter.dtypes import DType
from tosa_converter.errors import UsageError
from tosa_converter.ir import Graph, Model, Op, State, TensorType, Value, unique_names
from tosa_converter.ir.edit import copy_model, replace_values
from tosa_converter.ir.state_pairs import find_state_pairs, zero_state
from tosa_converter.schemas.opsets import TFL_CONSTANT

HANDLE = TensorType(DType.RESOURCE, ())
Ends: TypeAlias = Mapping[str, tuple[Value, Value]]


def with_variables(model: Model) -> Model:
    """Returns a model whose state pairs are variables that begin with zeros; the same one if it has no pairs.

    Raises:
        UsageError: two signatures call state of unlike types by one name.
    """
    states = find_state_pairs(model)
    if not states:
        return model
    new = copy_model(model)
    types: dict[str, TensorType] = {}
    variables = {name: _variables_of(new, new.graphs[name], pairs) for name, pairs in states.items()}
    for name, begin in ((name, begin) for ends in variables.values() for name, (begin, _) in ends.items()):
        other = types.setdefault(name, begin.type)
        if (other.dtype, other.shape) != (begin.type.dtype, begin.type.shape):
            expectation = f"expected state {name!r} of one type in all signatures"
            raise UsageError(f"--state (state): {expectation}, found {other} and {begin.type}")
    number, initial = len(new.graphs), _initial_graph(new, types)
    new.graphs[initial.name] = initial
    for name, ends in variables.items():
        _replace_pairs(new, new.graphs[name], ends, number)
    new.edited = True
    return new


def _variables_of(model: Model, graph: Graph, pairs: Sequence[State]) -> Ends:
    """Maps the caller's name of each state pair's input to the pair of values (input, output)."""
    callers = model.caller_names(graph)
    inputs, outputs = ({value.name: value for value in values} for values in (graph.inputs, graph.outputs))
    return {callers[inputs[pair.input]]: (inputs[pair.input], outputs[pair.output]) for pair in pairs}


def _replace_pairs(model: Model, graph: Graph, variables: Ends, number: int) -> None:
    """Replaces inputs and outputs of a graph by variables, to which the graph of this number assigns zeros first.

    `variables` has the pairs (input, output) by name. The signatures of the graph lose them too.
    """
    front = [Op("tfl.call_once", (), (), {"init_subgraph_index": number}, location=graph.name)]
    back: list[Op] = []
    reads: dict[Value, Value] = {}
    for name, (begin, end) in variables.items():
        handle = _handle(name)
        read = Op("tfl.read_variable", [handle.result], [begin.type], {}, location=name, result_names=[begin.name])
        front += [handle, read]
        reads[begin] = read.result
        back += [Op("tfl.assign_variable", [handle.result, reads.get(end, end)], (), {}, location=name)]
    replace_values(graph, reads)
    graph.ops = [*front, *graph.ops, *back]
    begins, ends = set(reads), {end for _, end in variables.values()}
    graph.inputs = [value for value in graph.inputs if value not in begins]
    graph.outputs = [value for value in graph.outputs if value not in ends]
    for name, signature in model.signatures.items():
        if signature.graph == graph.name:
            inputs = {key: value for key, value in signature.inputs.items() if value not in begins}
            outputs = {key: value for key, value in signature.outputs.items() if value not in ends}
            model.signatures[name] = signature._replace(inputs=inputs, outputs=outputs)


def _initial_graph(model: Model, types: Mapping[str, TensorType]) -> Graph:
    """Returns a graph that assigns zeros to variables; quantized ones get the elements that stand for 0.0."""
    (graph_name,) = unique_names(["initial_state"], model.graphs)
    graph = Graph(graph_name)
    for name, type in types.items():
        constant = Op(
            TFL_CONSTANT, (), [type], {"values": zero_state(type)}, location=name, result_names=[f"{name}_zero"]
        )
        handle = _handle(name)
        store = Op("tfl.assign_variable", [handle.result, constant.result], (), {}, location=name)
        graph.ops += [constant, handle, store]
    return graph


def _handle(name: str) -> Op:
    """Returns the operator that gives the handle of a variable."""
    attributes = {"container": "", "shared_name": name}
    return Op("tfl.var_handle", (), [HANDLE], attributes, location=name, result_names=[f"{name}_handle"])
