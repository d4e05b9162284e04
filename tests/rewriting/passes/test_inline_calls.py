"""Called graphs replace their calls, in a graph that the verifier accepts."""

import numpy as np
from support import golden
from support.tflite_models import Operator, Subgraph, Tensor, build

from tosa_converter.formats import parse
from tosa_converter.ir import CONSTANTS, Form, Origin
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


def test_results_of_calls_keep_their_names() -> None:
    """Also in front of a RESHAPE inside, which may move away; what a graph returns unchanged keeps its own."""
    x, flat = Tensor((2, 3), name="x"), Tensor((6,), name="y")
    shape = Tensor((1,), "int32", data=np.array([6], np.int32), name="shape")
    body = Subgraph(
        [Tensor((2, 3), name="in"), shape, Tensor((2, 3), name="inner"), Tensor((6,), name="out")],
        [Operator(B.ABS, [0], [2]), Operator(B.RESHAPE, [2, 1], [3])],
        [0],
        [3, 0],
    )
    calls = [Operator(B.CALL, [0], [1, 2], {"subgraph": 1}), Operator(B.CALL, [0], [3, 4], {"subgraph": 1})]
    tensors = [x, flat, Tensor((2, 3), name="same"), Tensor((6,), name="z"), Tensor((2, 3), name="also")]
    main = run(parse(build(tensors, calls, [0], [1, 2, 3, 4], [body])), Options(), Report()).main
    computed = [value for op in main for value in op.results if op.name not in CONSTANTS]
    assert [value.name for value in computed] == ["y_flat", "y", "z_flat", "z"]
    assert [value.origin for value in computed] == [Origin("y", Form.FLAT), None, Origin("z", Form.FLAT), None]
    assert [value.name for value in main.outputs] == ["y", "x", "z", "x"]


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
