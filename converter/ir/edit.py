"""The graph editor: clones, cuts and replaces operators and values, and tells whether graphs are equal."""

from collections.abc import Sequence
from typing import Any

from tosa_converter.ir import CONSTANTS, Graph, Model, Op, Value, moved_borders
from tosa_converter.schemas.tosa_ops import RESHAPE


def clone_op(op: Op, inputs: Sequence[Value | None], regions: Sequence[Graph] | None = None) -> Op:
    """An operator once more, with results of its own, on other operands."""
    return Op(
        op.row or op.name,
        inputs,
        [value.type for value in op.results],
        op.attributes,
        regions=op.regions if regions is None else regions,
        location=op.location,
        result_names=[value.name for value in op.results],
    )


def copy_model(model: Model) -> Model:
    """A model of its own: values, operators and graphs anew, constants' elements and attributes shared."""
    moved: dict[Value, Value] = {}
    graphs = {name: _clone_graph(graph, moved) for name, graph in model.graphs.items()}
    signatures = {name: s.moved(moved, moved) for name, s in model.signatures.items()}
    shapes = {moved[value]: shape for value, shape in model.default_shapes.items()}
    new = Model(graphs, signatures, model.metadata, model.source, shapes, model.opset)
    new.notes += model.notes
    new.states = model.states
    new.borders = moved_borders(model.borders, moved)
    pairs = [
        pair for name, graph in model.graphs.items() for pair in zip(graph.walk(), graphs[name].walk(), strict=True)
    ]
    twins: dict[Any, Any] = {**moved, **dict(pairs)}
    new.extras = {twins.get(key, key): extra for key, extra in model.extras.items()}
    return new


def _clone_graph(graph: Graph, moved: dict[Value, Value]) -> Graph:
    moved.update((value, Value(value.type, value.name)) for value in graph.inputs)
    new = Graph(graph.name, [moved[value] for value in graph.inputs])
    for op in graph.ops:
        regions = [_clone_graph(region, moved) for region in op.regions]
        new.ops.append(clone_op(op, [None if value is None else moved[value] for value in op.inputs], regions))
        moved.update(zip(op.results, new.ops[-1].results, strict=True))
    new.outputs = [moved[value] for value in graph.outputs]
    return new


def live_ops(graph: Graph) -> list[Op]:
    """The operators that an output or a side effect depends on; a RESHAPE that goes leaves its name to its operand."""
    needed: set[Value | None] = set(graph.outputs)
    kept: list[Op] = []
    for op in reversed(graph.ops):
        effect = not op.results or (op.row is not None and op.row.effect)
        if effect or not needed.isdisjoint(op.results):
            needed.update(op.inputs)
            for region in op.regions:
                needed.update(value for inner in region.walk() for value in inner.inputs)
            kept.append(op)
        elif op.row is RESHAPE:
            op.operands[0].name = op.operands[0].name or op.result.name
    return kept[::-1]


def place_constants(outputs: Sequence[Value], ops: Sequence[Op]) -> list[Op]:
    """The operators with each constant right before its first user."""
    placed: set[Op] = set()
    ordered: list[Op] = []

    def place(values: Sequence[Value | None]) -> None:
        for value in values:
            op = None if value is None else value.producer
            if op is not None and op not in placed and op.name in CONSTANTS:
                placed.add(op)
                ordered.append(op)

    for op in ops:
        if op.name not in CONSTANTS:
            place(op.inputs)
            placed.add(op)
            ordered.append(op)
    place(outputs)
    return ordered


def same_bits(a: Value, b: Value) -> bool:
    """Returns whether two values are the same, or constants of one type and the same elements to the last bit."""
    if a is b:
        return True
    left, right = a.constant, b.constant
    return left is not None and right is not None and a.type == b.type and left.tobytes() == right.tobytes()
