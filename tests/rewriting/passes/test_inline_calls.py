"""Called graphs replace their calls, in a graph that the verifier accepts."""

import numpy as np
from support import golden
from support.tflite_models import Operator, Subgraph, Tensor, build

from tosa_converter.formats import parse
from tosa_converter.rewriting.passes.inline_calls import ALIAS, run
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rules.graph import find_problems
from tosa_converter.schemas.tflite import BuiltinOperator as B

X = Tensor((2, 3))
HALF = Tensor((), data=np.float32(0.5))
HALVE = Subgraph([X, HALF, X], [Operator(B.MUL, [0, 1], [2])], [0], [2])


def call(graph: int, x: int, y: int) -> Operator:
    return Operator(B.CALL, [x], [y], {"subgraph": graph})


def test_a_graph_that_is_called_twice_has_its_constants_once() -> None:
    model = parse(build([X] * 3, [call(1, 0, 1), call(1, 1, 2)], [0], [2], [HALVE]))
    text = golden.model_text(model)
    inlined = run(model, Options(), Report())
    assert [op.name for op in inlined.main] == ["tfl.pseudo_const", "tfl.mul", "tfl.mul"]
    assert not find_problems(inlined)
    assert golden.model_text(model) == text


def test_another_quantization_inside_is_an_alias() -> None:
    outer, inner = Tensor((2, 3), "int8", scale=0.5), Tensor((2, 3), "int8", scale=0.25)
    body = Subgraph([inner, inner], [Operator(B.ABS, [0], [1])], [0], [1])
    inlined = run(parse(build([outer, outer], [call(1, 0, 1)], [0], [1], [body])), Options(), Report())
    assert [op.name for op in inlined.main] == [ALIAS, "tfl.abs", ALIAS]
    assert not find_problems(inlined)


def test_graphs_of_control_flow_become_regions() -> None:
    yes = Tensor((), "bool")
    choice = Operator(B.IF, [0, 1], [2], {"then_subgraph_index": 1, "else_subgraph_index": 2})
    same = Subgraph([X, X], [call(1, 0, 1)], [0], [1])
    inlined = run(parse(build([yes, X, X], [choice], [0, 1], [2], [HALVE, same])), Options(), Report())
    assert list(inlined.graphs) == ["main"]
    assert [[op.name for op in region] for region in inlined.main.ops[0].regions] == [
        ["tfl.pseudo_const", "tfl.mul"]
    ] * 2
    assert not find_problems(inlined)
