"""Cases of operators that choose between graphs; `differential.stateful` draws larger ones."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from support.cases.case import Network, Row, Rows
from support.cases.draw import Draw
from support.tflite_models import Operator, Subgraph, Tensor, build, run_litert
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B

KINDS = (B.ADD, B.SUB, B.MUL, B.MAXIMUM, B.MINIMUM)


def branch(d: Draw, x: Tensor) -> Subgraph:
    """Draws a graph that computes one or two results of its two operands, returns one of them, or a constant."""
    first = Operator(d.among(*KINDS), [0, 1], [2])
    second = Operator(d.among(*KINDS), [d.among(0, 1, 2), 2], [3])
    constant = Tensor(x.shape, data=d.values(x.shape, "fp32"))
    outputs = d.among([3], [2], [0], [4])
    return Subgraph([x, x, x, x, constant], [first, second], [0, 1], outputs)


def run_branch(graph: Subgraph, arrays: Sequence[Array]) -> list[Array]:
    """Returns what LiteRT computes for a branch alone."""
    return run_litert(build(graph.tensors, graph.operators, graph.inputs, graph.outputs), arrays)


def operands(d: Draw) -> tuple[Tensor, list[Array]]:
    """Draws two operands of one shape."""
    shape = d.shape(0, 3)
    return Tensor(shape), [d.values(shape, "fp32") for _ in range(2)]


def conditional(d: Draw) -> Network:
    """Draws IF; the condition is fed or constant, of rank 0 or 1."""
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
    """Draws CASE with up to four graphs, and indices without a graph. LiteRT has no kernel, but runs the graph."""
    x, arrays = operands(d)
    graphs = [branch(d, x) for _ in range(d.whole(1, 4))]
    index = np.array(d.whole(-1, len(graphs) + 1), np.int32)
    fed = d.coin()
    number = Tensor((), "int32", None if fed else index)
    chosen = graphs[int(index) if 0 <= index < len(graphs) else -1]
    options = {"branch_subgraph_indices": tuple(range(1, len(graphs) + 1))}
    operator = Operator(B.STABLEHLO_CASE, [0, 1, 2], [3], options)
    data = build([number, x, x, x], [operator], [0] * fed + [1, 2], [3], graphs)
    return Network(data, [index] * fed + arrays, run_branch(chosen, arrays))


# ** fixed models **

X, FLAG, COUNT = Tensor((2, 3)), Tensor((), "bool"), Tensor((), "int32")
DOUBLE = Subgraph([X, X], [Operator(B.ADD, [0, 0], [1])], [0], [1])
NEGATIVE = Subgraph([X, X], [Operator(B.NEG, [0], [1])], [0], [1])


def fixed_conditional() -> bytes:
    """Returns an IF that doubles or negates."""
    branches = {"then_subgraph_index": 1, "else_subgraph_index": 2}
    return build([FLAG, X, X], [Operator(B.IF, [0, 1], [2], branches)], [0, 1], [2], [DOUBLE, NEGATIVE])


def fixed_case() -> bytes:
    """Returns a CASE that doubles, negates, or returns its operand."""
    graphs = [DOUBLE, NEGATIVE, Subgraph([X], [], [0], [0])]
    operator = Operator(B.STABLEHLO_CASE, [0, 1], [2], {"branch_subgraph_indices": (1, 2, 3)})
    return build([COUNT, X, X], [operator], [0, 1], [2], graphs)


def fixed_loop(builtin: B) -> bytes:
    """Returns a WHILE that doubles until the count is 4."""
    limit, increment = Tensor((), "int32", np.int32(4)), Tensor((), "int32", np.int32(1))
    test = Subgraph([COUNT, X, limit, FLAG], [Operator(B.LESS, [0, 2], [3])], [0, 1], [3])
    counting = [Operator(B.ADD, [0, 2], [3]), Operator(B.ADD, [1, 1], [4])]
    step = Subgraph([COUNT, X, increment, COUNT, X], counting, [0, 1], [3, 4])
    loop = Operator(builtin, [0, 1], [2, 3], {"cond_subgraph_index": 1, "body_subgraph_index": 2})
    return build([COUNT, X, COUNT, X], [loop], [0, 1], [3], [test, step])


ROWS: Rows = {  # loops are drawn by `differential.stateful`
    B.IF: Row(conditional, networks={"control.0": fixed_conditional}),
    B.STABLEHLO_CASE: Row(case, networks={"control.1": fixed_case}),
    B.WHILE: Row(networks={"control.2": partial(fixed_loop, B.WHILE)}),
    B.STABLEHLO_WHILE: Row(networks={"control.3": partial(fixed_loop, B.STABLEHLO_WHILE)}),
}
