"""Graphs that operators of StableHLO call: composites become what they are made of, others own the graph they name."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tosa_converter.errors import FormatError
from tosa_converter.ir import CONSTANTS, Graph, Model, Op, Signature, Value
from tosa_converter.rewriting.sweep import rebuilt

COMPOSITE = "tfl.stablehlo_composite"
# The attribute that is the number of the graph.
CALLS = {
    COMPOSITE: "decomposition_subgraph_index",
    "tfl.stablehlo_reduce": "body_subgraph_index",
    "tfl.stablehlo_reduce_window": "body_subgraph_index",
    "tfl.stablehlo_scatter": "update_computation_subgraph_index",
}
DEPTH, MOST = 64, 1 << 20  # of composites in composites, and of operators in all: a few bytes must not ask for more


def inline(model: Model) -> Model:
    """The model with called graphs where they are called.

    Raises:
        FormatError: a graph that isn't there, takes or gives other values, or calls itself.
    """
    graphs = list(model.graphs.values())
    if len(graphs) == 1 or not any(op.name in CALLS for graph in graphs for op in graph.ops):
        return model
    called = {_number(op, graphs) for graph in graphs for op in graph.ops if op.name in CALLS}
    kept = {graphs[0].name, *(signature.graph for signature in model.signatures.values())}
    left = [graph for i, graph in enumerate(graphs) if i not in called or graph.name in kept]
    call = _Call(graphs, {}, [], Counter())
    made = {graph.name: call.graph(graph) for graph in left}
    signatures = {
        name: Signature(s.graph, s.inputs, {key: call.now(value) for key, value in s.outputs.items()})
        for name, s in model.signatures.items()
    }
    return Model(made, signatures, model.metadata, model.source, model.default_shapes, model.empty)


def _number(op: Op, graphs: Sequence[Graph]) -> int:
    number: int = op.attributes[CALLS[op.name]]
    if not 0 <= number < len(graphs):
        raise FormatError(f"{op.location}: no subgraph {number}, there are {len(graphs)}")
    return number


class _Call(NamedTuple):
    """What has been copied so far: values by the ones that they stand for, the operators and their number."""

    graphs: Sequence[Graph]
    values: dict[Value, Value]
    ops: list[Op]
    steps: Counter[str]

    def now(self, value: Value) -> Value:
        """What a value of the source is here."""
        return self.values.get(value, value)

    def graph(self, graph: Graph) -> Graph:
        """A graph that is kept."""
        self.ops.clear()
        self.copy(graph, 0)
        return Graph(graph.name, graph.inputs, map(self.now, graph.outputs), list(self.ops))

    def copy(self, graph: Graph, depth: int) -> None:
        """The operators of a graph, whose inputs have been named."""
        self.steps["ops"] += len(graph) + 1
        if depth > DEPTH or self.steps["ops"] > MOST:
            raise FormatError(f"composites more than {DEPTH} deep, or of more than {MOST} operators")
        for op in graph.ops:
            if op.name in CONSTANTS:
                self.ops.append(op)
            elif op.name == COMPOSITE:
                self.composite(op, depth)
            else:
                body = [self.graphs[_number(op, self.graphs)]] if op.name in CALLS else None
                new = rebuilt(op, [None if value is None else self.now(value) for value in op.inputs], body)
                self.ops.append(new)
                self.values.update(zip(op.results, new.results, strict=True))

    def composite(self, op: Op, depth: int) -> None:
        """What a composite is made of in its place."""
        body = self.graphs[_number(op, self.graphs)]
        given = [None if value is None else self.now(value) for value in op.inputs]
        fits = len(given) == len(body.inputs) and len(op.results) == len(body.outputs)
        pairs = [*zip(given, body.inputs, strict=False), *zip(op.results, body.outputs, strict=False)]
        if not fits or any(a is None or a.type.dtype is not b.type.dtype for a, b in pairs):
            raise FormatError(f"{op.location}: operands or results that aren't those of subgraph {body.name!r}")
        self.values.update((inner, value) for value, inner in zip(given, body.inputs, strict=True) if value)
        self.copy(body, depth + 1)
        self.values.update((result, self.now(made)) for result, made in zip(op.results, body.outputs, strict=True))
