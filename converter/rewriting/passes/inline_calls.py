"""The pass that resolves graph numbers: called graphs are put in place of the calls, others become regions."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError
from tosa_converter.ir import CONSTANTS, Graph, Model, Op, Value
from tosa_converter.ir.edit import clone_op, substituted
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.schemas.tfl_ops import CHOICES, GRAPHS, LOOPS

ALIAS = "tfl.pseudo_alias"
INLINED = frozenset({"tfl.call", "tfl.stablehlo_composite"})
DEPTH, MOST = 64, 1 << 18  # of graphs in graphs, and of operators in all: a few bytes must not ask for more


def run(model: Model, _options: Options, _report: Report, /) -> Model:
    """Returns the model with called graphs in place of the calls.

    Raises:
        FormatError: a graph that isn't there, takes or gives other values, or calls itself.
    """
    graphs = list(model.graphs.values())
    called = {n for graph in graphs for op in graph.ops if op.name in GRAPHS for n in _callees(op, graphs)}
    roots = {graphs[0].name, *(signature.graph for signature in model.signatures.values())}
    left = [i for i, graph in enumerate(graphs) if i not in called or graph.name in roots]
    file = _File(graphs, {}, {})
    inlined = {graphs[i].name: file.graph(i, 0) for i in left}
    pairs = [(graphs[i].outputs, inlined[graphs[i].name].outputs) for i in left]
    outputs = {old: new for olds, news in pairs for old, new in zip(olds, news, strict=True)}
    return model.with_graphs(inlined, outputs=outputs)


def _callees(op: Op, graphs: Sequence[Graph]) -> list[int]:
    """Returns the numbers of the graphs that an operator names."""
    numbers: list[int] = []
    for name in GRAPHS[op.name]:
        attribute: Any = op.attributes[name]
        numbers += [attribute] if isinstance(attribute, int) else map(int, attribute)
    for number in numbers:
        if not 0 <= number < len(graphs):
            raise FormatError(f"{op.location}: no subgraph {number}, there are {len(graphs)}")
    return numbers


class _File(NamedTuple):
    """The graphs of a file; those that are done by number, and how many operators each has, those of regions too."""

    graphs: Sequence[Graph]
    done: dict[int, Graph]
    sizes: dict[Graph, int]

    def graph(self, number: int, depth: int) -> Graph:
        """Returns a graph with others in their places; it is made once, however many operators name it."""
        if number not in self.done:
            copy = _Copy(self, {}, {}, [0])
            graph = self.graphs[number]
            copy.add(graph, depth)
            new = Graph(graph.name, graph.inputs, map(copy.now, graph.outputs), copy.ops)
            self.done[number], self.sizes[new] = new, copy.size[0]
        return self.done[number]


class _Copy(NamedTuple):
    """One graph that is being made: values by the ones that they stand for, the operators and their number.

    A graph that is called more than once shares its constants, which stand once among the operators.
    """

    file: _File
    values: dict[Value, Value]
    ops: dict[Op, None]
    size: list[int]

    def now(self, value: Value) -> Value:
        """Returns what a value of the source is in the copy."""
        return self.values.get(value, value)

    def grow(self, count: int, depth: int) -> None:
        """Counts operators; refuses too many, or calls too deep."""
        self.size[0] += count
        if depth > DEPTH or self.size[0] > MOST:
            raise FormatError(f"graphs that call each other more than {DEPTH} deep, or of more than {MOST} operators")

    def add(self, graph: Graph, depth: int) -> None:
        """Adds the operators of a graph, whose inputs have values already."""
        self.grow(len(graph) + 1, depth)
        for op in graph.ops:
            if op.name in CONSTANTS:
                self.ops[op] = None
            elif op.name in INLINED:
                self.call(op, depth)
            else:
                self.ops[self.operator(op, depth)] = None

    def operator(self, op: Op, depth: int) -> Op:
        """Returns a clone of an operator, with the graphs that it names as its regions."""
        regions = []
        if op.name in GRAPHS:
            regions = [self.file.graph(number, depth + 1) for number in _callees(op, self.file.graphs)]
            self.grow(sum(map(self.file.sizes.__getitem__, regions)), depth)
            _require_fit(op, regions)
        new = clone_op(op, substituted(op.inputs, self.values), regions)
        self.values.update(zip(op.results, new.results, strict=True))
        return new

    def call(self, op: Op, depth: int) -> None:
        """Adds the operators of a called graph in place of the call."""
        (number,) = _callees(op, self.file.graphs)
        body = self.file.graphs[number]
        _require(op, op.inputs, op.results, body)
        operands = [self.alias(op, self.now(v), inner) for v, inner in zip(op.operands, body.inputs, strict=True)]
        self.values.update(zip(body.inputs, operands, strict=True))
        self.add(body, depth + 1)
        results = [self.alias(op, self.now(v), result) for v, result in zip(body.outputs, op.results, strict=True)]
        self.values.update(zip(op.results, results, strict=True))

    def alias(self, op: Op, value: Value, named: Value) -> Value:
        """Returns a value under another name: as it is, unless its quantization differs there."""
        if value.type.quant == named.type.quant:
            return value
        new = Op(ALIAS, [value], [named.type], location=op.location, result_names=[named.name])
        self.ops[new] = None
        return new.result


def _require_fit(op: Op, regions: Sequence[Graph]) -> None:
    """Checks that control flow gives its graphs operands of their types, and takes their outputs.

    Raises:
        FormatError: it isn't, or a condition is no bool.
    """
    if op.name in CHOICES:
        for region in regions:
            _require(op, op.inputs[1:], op.results, region)
        if not regions:
            raise FormatError(f"{op.location}: no graph to choose")
    elif op.name in LOOPS:
        test, body = regions
        _require(op, op.inputs, op.inputs, body)
        _require(op, op.inputs, op.results, body)
        _require(op, op.inputs, test.outputs, test)
        if [value.type.dtype for value in test.outputs] != [DType.BOOL]:
            raise FormatError(f"{op.location}: subgraph {test.name!r} gives no condition")


def _require(op: Op, operands: Sequence[Value | None], results: Sequence[Value | None], graph: Graph) -> None:
    """Checks that operands and results have the types of a graph's inputs and outputs."""
    fits = len(operands) == len(graph.inputs) and len(results) == len(graph.outputs)
    pairs = [*zip(operands, graph.inputs, strict=False), *zip(results, graph.outputs, strict=False)]
    if not fits or any(a is None or a.type.dtype is not b.type.dtype for a, b in pairs):
        raise FormatError(f"{op.location}: operands or results that aren't those of subgraph {graph.name!r}")
