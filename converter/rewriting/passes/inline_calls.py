"""The pass that resolves graph numbers: called graphs are inlined, graphs of control flow become regions."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError
from tosa_converter.ir import CONSTANTS, Form, Graph, Model, Op, Origin, Value
from tosa_converter.ir.edit import clone_op, substitute
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.schemas.tfl_ops import CHOICES, GRAPHS, LOOPS

ALIAS = "tfl.pseudo_alias"
INLINED = frozenset({"tfl.call", "tfl.stablehlo_composite"})
RESHAPES = frozenset({"tfl.expand_dims", "tfl.reshape", "tfl.squeeze"})
# Levels of graphs that call graphs, and operators after inlining. 20 graphs that each call the next one twice are a few
# hundred bytes and 2**20 operators: the limits keep such a file small.
DEPTH, MOST = 64, 1 << 18


def run(model: Model, _options: Options, _report: Report, /) -> Model:
    """Returns the model with called graphs inlined; graphs that only calls used are dropped.

    Raises:
        FormatError: a called graph doesn't exist, has other input or output types, or calls itself.
    """
    graphs = list(model.graphs.values())
    called = {n for graph in graphs for op in graph.ops if op.name in GRAPHS for n in _callees(op, graphs)}
    roots = {graphs[0].name, *(signature.graph for signature in model.signatures.values())}
    left = [i for i, graph in enumerate(graphs) if i not in called or graph.name in roots]
    file = _ResolvedGraphs(graphs, {}, {})
    inlined = {graphs[i].name: file.resolved_graph(i, 0) for i in left}
    pairs = [(graphs[i].outputs, inlined[graphs[i].name].outputs) for i in left]
    outputs = {old: new for olds, news in pairs for old, new in zip(olds, news, strict=True)}
    return model.with_graphs(inlined, outputs=outputs)


def _callees(op: Op, graphs: Sequence[Graph]) -> list[int]:
    """Returns the numbers of the graphs that an operator calls; raises FormatError if the file has no such graph."""
    numbers: list[int] = []
    for name in GRAPHS[op.name]:
        attribute: Any = op.attributes[name]
        numbers += [attribute] if isinstance(attribute, int) else map(int, attribute)
    for number in numbers:
        if not 0 <= number < len(graphs):
            raise FormatError(f"{op.location}: no subgraph {number}, there are {len(graphs)}")
    return numbers


class _ResolvedGraphs(NamedTuple):
    """The graphs of a file: those whose calls are inlined, by number, and their sizes in operators."""

    graphs: Sequence[Graph]
    done: dict[int, Graph]
    sizes: dict[Graph, int]

    def resolved_graph(self, number: int, depth: int) -> Graph:
        """Returns a graph with its calls inlined; several calls of one graph share the result.

        `depth` is the number of calls around it. It is limited, so that a graph that calls itself raises FormatError.
        """
        if number not in self.done:
            copy = _GraphCopy(self, values={}, ops={}, size=[0])
            graph = self.graphs[number]
            copy.add_graph(graph, depth)
            new = Graph(graph.name, graph.inputs, map(copy.current_value, graph.outputs), copy.ops)
            self.done[number], self.sizes[new] = new, copy.size[0]
        return self.done[number]


class _GraphCopy(NamedTuple):
    """A copy of one graph under construction: new values by source values, its operators, and their number.

    A graph that is called several times shares its constants, which are added once.
    """

    file: _ResolvedGraphs
    values: dict[Value, Value]
    ops: dict[Op, None]
    size: list[int]

    def current_value(self, value: Value) -> Value:
        """Returns the copy's value for a value of the source graph; a constant, which both share, for itself."""
        return self.values.get(value, value)

    def count_added_operators(self, count: int, depth: int) -> None:
        """Counts operators that are added; raises FormatError for too many of them or too many levels of calls."""
        self.size[0] += count
        if depth > DEPTH or self.size[0] > MOST:
            raise FormatError(f"expected at most {DEPTH} levels of calls and {MOST} operators with them, found more")

    def add_graph(self, graph: Graph, depth: int) -> None:
        """Adds the operators of a source graph to the copy; its inputs have values already, as calls' operands.

        Calls in it are inlined, at most DEPTH levels deep.
        """
        self.count_added_operators(len(graph) + 1, depth)
        for op in graph.ops:
            if op.name in CONSTANTS:
                self.ops[op] = None
            elif op.name in INLINED:
                self.inline_call(op, depth)
            else:
                self.ops[self.clone_operator(op, depth)] = None

    def clone_operator(self, op: Op, depth: int) -> Op:
        """Returns a clone of an operator, with the graphs that it calls as its regions."""
        regions = []
        if op.name in GRAPHS:
            regions = [self.file.resolved_graph(number, depth + 1) for number in _callees(op, self.file.graphs)]
            self.count_added_operators(sum(map(self.file.sizes.__getitem__, regions)), depth)
            _require_fit(op, regions)
        new = clone_op(op, substitute(op.inputs, self.values), regions)
        self.values.update(zip(op.results, new.results, strict=True))
        return new

    def inline_call(self, op: Op, depth: int) -> None:
        """Adds the operators of a called graph in place of the call."""
        (number,) = _callees(op, self.file.graphs)
        body = self.file.graphs[number]
        _require_types(op, op.inputs, op.results, body)
        operands = [
            self.add_alias(op, self.current_value(v), inner) for v, inner in zip(op.operands, body.inputs, strict=True)
        ]
        self.values.update(zip(body.inputs, operands, strict=True))
        self.add_graph(body, depth + 1)
        results = [
            self.add_alias(op, self.current_value(v), result)
            for v, result in zip(body.outputs, op.results, strict=True)
        ]
        for value, result in zip(results, op.results, strict=True):
            _name_after_result(value, result, operands)
        self.values.update(zip(op.results, results, strict=True))

    def add_alias(self, op: Op, value: Value, named: Value) -> Value:
        """Returns the value that stands for `named` on the other side of a call: `value` itself, or an ALIAS of it.

        `named` is an input of the called graph, or a result of the call. An ALIAS, which copies, is added only where
        the quantization of both differs.
        """
        if value.type.quant == named.type.quant:
            return value
        new = Op(ALIAS, [value], [named.type], location=op.location, result_names=[named.name])
        self.ops[new] = None
        return new.result


def _name_after_result(value: Value, result: Value, operands: Sequence[Value]) -> None:
    """Gives an inlined value the name of the call's result that it stands for, by which `verify` finds it.

    If RESHAPEs compute it, their operand is named too, as the result in another shape: later passes may move the
    RESHAPEs. Operands that are returned as they are, and constants, which other calls share, keep their names.
    """
    source = value
    while source.producer is not None and source.producer.name in RESHAPES and source not in operands:
        source = source.producer.operands[0]
    if value not in operands and value.producer is not None and value.constant is None:
        value.name = result.name
    if source is not value and source not in operands and source.producer is not None and source.constant is None:
        source.name, source.origin = f"{result.name}{Form.FLAT.value}", Origin(result.name, Form.FLAT)


def _require_fit(op: Op, regions: Sequence[Graph]) -> None:
    """Raises FormatError unless the operands and results of control flow fit the inputs and outputs of its graphs.

    Raises:
        FormatError: a type differs, a condition is not a bool, or there is no graph to choose.
    """
    if op.name in CHOICES:
        for region in regions:
            _require_types(op, op.inputs[1:], op.results, region)
        if not regions:
            raise FormatError(f"{op.location}: expected at least one graph to choose from, found none")
    elif op.name in LOOPS:
        test, body = regions
        _require_types(op, op.inputs, op.inputs, body)
        _require_types(op, op.inputs, op.results, body)
        _require_types(op, op.inputs, test.outputs, test)
        if [value.type.dtype for value in test.outputs] != [DType.BOOL]:
            actual = ", ".join(str(value.type) for value in test.outputs) or "none"
            raise FormatError(f"{op.location}: expected one bool as output of condition {test.name!r}, found {actual}")


def _require_types(op: Op, operands: Sequence[Value | None], results: Sequence[Value | None], graph: Graph) -> None:
    """Raises FormatError unless operands and results have the element types of a graph's inputs and outputs."""
    fits = len(operands) == len(graph.inputs) and len(results) == len(graph.outputs)
    pairs = [*zip(operands, graph.inputs, strict=False), *zip(results, graph.outputs, strict=False)]
    if not fits or any(a is None or a.type.dtype is not b.type.dtype for a, b in pairs):
        raise FormatError(f"{op.location}: operands or results differ from those of subgraph {graph.name!r} in type")
