"""A part of a model as a model of its own: what lies between tensors of the main graph."""

import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import UsageError
from tosa_converter.ir import Graph, Model, Op, Signature, TensorType, Value
from tosa_converter.ir.edit import clone_ops, cut_out, extras_of_clones
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.expr import Expr, const
from tosa_converter.rewriting.signatures import copy_graphs, reachable_graphs
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tfl_ops import GRAPHS

# Operators that read state, which something outside of a part has written or declared.
STATE_READERS = frozenset({"tfl.read_variable", "tfl.var_handle", ops.VARIABLE_READ.opcode})


def extract(model: Model, inputs: Sequence[str], outputs: Sequence[str]) -> Model:
    """Returns the operators of the main graph that compute some tensors from others, with their constants and graphs.

    Tensors that recurrent operators change, such as an LSTM's states, are copied too; the part begins with their
    initial values.

    Args:
        model: of any opset.
        inputs: names of tensors to begin with; without any, the graph's inputs that are needed.
        outputs: names of tensors to end with; without any, the graph's outputs.

    Raises:
        UsageError: a name that no tensor of the main graph has; a tensor that the outputs need and that doesn't come
            from the inputs, or an input that they don't need or that is one of them; state that is outside.
    """
    graph = model.main
    named = {value.name: value for value in (*graph.inputs, *_results(graph))}
    first = [_named_value(model, named, name) for name in inputs] or graph.inputs
    last = [_named_value(model, named, name) for name in outputs] or graph.outputs
    common = [value.name for value in last if value in first]
    if common:
        raise UsageError(f"nothing computes {common[0]!r} from itself: begin with others, or end with others")
    part = extract_values(model, first, last)
    read = {value.name for value in part.main.inputs}
    unused = [value.name for value in first if value.name not in read]
    if inputs and unused:
        raise UsageError(f"{unused[0]!r} isn't needed for {', '.join(value.name for value in last)}")
    part.signatures = _caller_signature(model, part)
    return part


def _caller_signature(model: Model, part: Model) -> dict[str, Signature]:
    """Returns a signature in which a part's inputs have the names of the model's callers.

    Arrays that were saved for the model then fit the part too. It is {} if these names are the inputs' own, or if two
    inputs would have the same.
    """
    graph, callers = model.main, model.caller_names(model.main)
    names = {value.name: callers[value] for value in graph.inputs}
    inputs = {names.get(value.name, value.name): value for value in part.main.inputs}
    own = [value.name for value in part.main.inputs]
    if list(inputs) == own or len(inputs) < len(own):
        return {}
    name = next(name for name, signature in model.signatures.items() if signature.graph == graph.name)
    outputs = {value.name: value for value in part.main.outputs}
    return {name: Signature(part.main.name, inputs, outputs)}


def extract_values(model: Model, first: Sequence[Value], last: Sequence[Value]) -> Model:
    """Returns the operators of the main graph that compute values from other values, as a model of their own.

    Args:
        model: of any opset.
        first: values to begin with; those that the last ones need are its inputs.
        last: its outputs, none of which is among the first.

    Raises:
        UsageError: the outputs need an input of the model that isn't among the first, or state that is outside.
    """
    between = _ops_between(set(first), last)
    read = {*last, *(operand for op in between for operand in op.operands)}
    part = cut_model(model, between, [value for value in first if value in read], last)
    part.source, part.states = model.source, {}
    return part


def _results(graph: Graph) -> Iterable[Value]:
    """Returns the results of all operators of a graph."""
    return (value for op in graph.ops for value in op.results)


def _named_value(model: Model, named: Mapping[str, Value], name: str) -> Value:
    """Returns the main graph's value of that name; the error says in which other graph there is one."""
    if name in named:
        return named[name]
    graphs = [g.name for g in model.graphs.values() if name in {v.name for op in g.walk() for v in op.results}]
    where = f", it is one of graph {graphs[0]!r}" if graphs else ""
    raise UsageError(
        f"{model.source}: the main graph has no tensor {name!r}{where}",
        f"next: tflite-to-tosa inspect {shlex.quote(model.source or 'MODEL')} --tensors",
    )


def _ops_between(first: Collection[Value], last: Sequence[Value]) -> set[Op]:
    """Returns the operators that compute the tensors `last` from the tensors `first`.

    Raises UsageError if they also need an input of the model, or state that another operator has left.
    """
    between = set[Op]()
    for value in values_behind(last, first):
        if value in first:
            continue
        if value.producer is None:
            raise UsageError(
                f"{value.name!r} is needed, an input of the model that isn't among those to begin with",
                f"next: add --from {shlex.quote(value.name)}",
            )
        if value.producer.name in STATE_READERS:
            place = value.producer.location or value.producer.name
            raise UsageError(f"{place} gives what an earlier run left: begin with what it gives")
        between.add(value.producer)
    return between


def run_operands(op: Op) -> list[Value]:
    """Returns the operands that a run computes or is given: neither constants nor the operator's own state."""
    return [value for value in op.operands if value.producer is None or not value.producer.declares]


def values_behind(values: Iterable[Value], ends: Collection[Value]) -> list[Value]:
    """Returns values and all that they are computed from in a run, nearest first; stops at inputs and `ends`."""
    reached = dict.fromkeys(values)
    queue = list(reached)
    # `reached` lets each value join once, so the queue ends although it grows while it is read.
    for value in queue:  # the loop extends it
        if value.producer is not None and value not in ends:
            operands = dict.fromkeys(operand for operand in run_operands(value.producer) if operand not in reached)
            queue += operands
            reached |= operands
    return queue


def called_graphs(model: Model, op: Op) -> list[Graph]:
    """Returns the graphs that an operator of TFLite calls, directly or through operators of these graphs."""
    graphs, called = list(model.graphs.values()), dict[Graph, None]()
    queue = [op]
    # The operators of a graph join once, when `called` gets it, so graphs that call each other end too.
    for caller in queue:  # the loop extends it
        for name in GRAPHS.get(caller.name, ()):
            for number in np.ravel(caller.attributes[name]):
                if graphs[number] not in called:
                    called[graphs[number]] = None
                    queue += graphs[number].walk()
    return list(called)


def cut_model(
    model: Model,
    part: Collection[Op],
    inputs: Iterable[Value],
    outputs: Sequence[Value],
    types: Mapping[Value, TensorType] = MappingProxyType({}),
) -> Model:
    """Returns operators of a main graph as a model of their own, with the constants and graphs that they need.

    Signatures and metadata are left out.

    Args:
        model: stays as it is.
        part: operators of its main graph.
        inputs: the values that they read besides each other's results and constants, in order.
        outputs: results of theirs, or constants.
        types: of inputs that get another type.
    """
    graph = model.main
    read = {value.producer for value in (*outputs, *(operand for op in part for operand in op.operands))}
    numbers = [i for i, op in enumerate(graph.ops) if op in part or (op in read and op.declares)]
    chosen = [graph.ops[i] for i in numbers]
    piece, values = cut_out(graph.name, chosen, inputs, outputs, types)
    for i, clone in zip(numbers, piece.ops, strict=True):
        clone.location = clone.location or f"{graph.name}:{i} {clone.name}"
    cut = model.with_graphs({**model.graphs, graph.name: piece}, values)
    cut.notes += model.notes
    cut.extras = extras_of_clones(model, {**values, **dict(zip(chosen, piece.ops, strict=True))})
    entries = {value for inner in cut.graphs.values() for value in inner.inputs}
    cut.default_shapes = {value: shape for value, shape in cut.default_shapes.items() if value in entries}
    cut.signatures, cut.metadata, cut.edited = {}, {}, True
    return copy_graphs(cut, reachable_graphs(cut, graph.name))


class SourceForm(NamedTuple):
    """How a source has an input or output of a part of its conversion.

    Attributes:
        name: in the source.
        shape: in the source.
        flipped: the part has int8 for uint8, with the top bit flipped.
        axes: dimension i of the part's is dimension `axes[i]` of the source's; empty where the order is the same.
    """

    name: str
    shape: tuple[int, ...]
    flipped: bool = False
    axes: tuple[int, ...] = ()


def with_source_forms(part: Model, inputs: Sequence[SourceForm], outputs: Sequence[SourceForm]) -> Model:
    """Returns a part of a TOSA model with the names, shapes and bits of inputs and outputs that the source has.

    A form's `axes` permute the source's dimensions to TOSA's; `flipped` elements are uint8 in the source.

    Args:
        part: a model of TOSA operators with static shapes.
        inputs: the source's form of each input.
        outputs: the source's form of each output.
    """
    pairs = list(zip(part.main.inputs, inputs, strict=True))
    borders = [Value(TensorType(value.type.dtype, form.shape), form.name) for value, form in pairs]
    graph = Graph(part.main.name, borders)
    with Builder(graph) as build:
        values: dict[Value, Value] = {}
        for border, (value, form) in zip(borders, pairs, strict=True):
            x = _flip_top_bit(Expr(border)) if form.flipped else Expr(border)
            x = x.transpose(form.axes) if form.axes else x
            values[value] = x.reshape(value.type.static).value
        graph.ops += clone_ops(part.main.ops, values)
        results = {}
        for value, form in zip(part.main.outputs, outputs, strict=True):
            x = Expr(values[value]).reshape(tuple(form.shape[axis] for axis in form.axes or range(len(form.shape))))
            x = x.transpose([int(axis) for axis in np.argsort(form.axes)]) if form.axes else x
            results[form.name] = _flip_top_bit(x) if form.flipped else x
        return build.model(**results)


def _flip_top_bit(x: Expr) -> Expr:
    """Returns int8 for uint8 or back: uint8 200 has the bits 0xC8, flipped 0x48 = 72 = 200 - 128."""
    return x ^ const(np.full((1,) * x.rank, -128, np.int8), DType.I8)
