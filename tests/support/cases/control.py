"""Operators that choose between graphs: each does something of its own; `differential.stateful` draws more of them."""

from collections.abc import Sequence

import numpy as np

from support.cases.case import Network, Row, Rows
from support.cases.draw import Draw
from support.tflite_models import Operator, Subgraph, Tensor, build, run_litert
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B

KINDS = (B.ADD, B.SUB, B.MUL, B.MAXIMUM, B.MINIMUM)


def branch(d: Draw, x: Tensor) -> Subgraph:
    """One that computes one or two results of its two operands, gives one back, or gives a constant."""
    first = Operator(d.among(*KINDS), [0, 1], [2])
    second = Operator(d.among(*KINDS), [d.among(0, 1, 2), 2], [3])
    constant = Tensor(x.shape, data=d.values(x.shape, "fp32"))
    outputs = d.among([3], [2], [0], [4])
    return Subgraph([x, x, x, x, constant], [first, second], [0, 1], outputs)


def alone(graph: Subgraph, arrays: Sequence[Array]) -> list[Array]:
    """What LiteRT makes of a branch."""
    return run_litert(build(graph.tensors, graph.operators, graph.inputs, graph.outputs), arrays)


def operands(d: Draw) -> tuple[Tensor, list[Array]]:
    """Of one shape."""
    shape = d.shape(0, 3)
    return Tensor(shape), [d.values(shape, "fp32") for _ in range(2)]


def conditional(d: Draw) -> Network:
    """The condition is fed or constant, of rank 0 or 1."""
    x, arrays = operands(d)
    yes = np.full(d.among((), (1,)), d.coin())
    fed = d.coin()
    condition = Tensor(yes.shape, "bool", None if fed else yes)
    options = {"then_subgraph_index": 1, "else_subgraph_index": 2}
    graphs = [branch(d, x), branch(d, x)]
    inputs = [0] * fed + [1, 2]
    data = build([condition, x, x, x], [Operator(B.IF, [0, 1, 2], [3], options)], inputs, [3], graphs)
    return Network(data, [yes] * fed + arrays)


def case(d: Draw) -> Network:
    """As many graphs as up to four, and numbers of none; LiteRT has no kernel of it, but runs the graph."""
    x, arrays = operands(d)
    graphs = [branch(d, x) for _ in range(d.whole(1, 4))]
    index = np.array(d.whole(-1, len(graphs) + 1), np.int32)
    fed = d.coin()
    number = Tensor((), "int32", None if fed else index)
    chosen = graphs[int(index) if 0 <= index < len(graphs) else -1]
    options = {"branch_subgraph_indices": tuple(range(1, len(graphs) + 1))}
    operator = Operator(B.STABLEHLO_CASE, [0, 1, 2], [3], options)
    data = build([number, x, x, x], [operator], [0] * fed + [1, 2], [3], graphs)
    return Network(data, [index] * fed + arrays, alone(chosen, arrays))


ROWS: Rows = {B.IF: Row(conditional), B.STABLEHLO_CASE: Row(case)}
