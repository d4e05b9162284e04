"""Variables are read where a graph begins, stored where it ends; tests/legalize/test_state.py compares with LiteRT."""

import numpy as np
from support import golden
from support.passes import rule_pass
from support.tflite_models import Operator, Subgraph, Tensor, build

from tosa_converter.formats import parse
from tosa_converter.ir import Model
from tosa_converter.rewriting.passes import inline_calls
from tosa_converter.rewriting.passes.state import run
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rules.graph import find_problems
from tosa_converter.schemas.opsets import TFL_READ as READ
from tosa_converter.schemas.opsets import TFL_STORE as STORE
from tosa_converter.schemas.tflite import BuiltinOperator as B

X, HANDLE = Tensor((3,)), Tensor((), "resource")
NAMED = {"shared_name": "sum"}


def accumulator() -> Model:
    """Returns a graph that adds its input to a variable, whose initial value is 1 + 1."""
    ones = Tensor((3,), data=np.ones(3, np.float32))
    adding = Operator(B.ADD, [1, 1], [2])
    assigning = [Operator(B.VAR_HANDLE, [], [0], NAMED), adding, Operator(B.ASSIGN_VARIABLE, [0, 2], [])]
    begin = Subgraph([HANDLE, ones, X], assigning, [], [])
    operators = [
        Operator(B.CALL_ONCE, [], [], {"init_subgraph_index": 1}),
        Operator(B.VAR_HANDLE, [], [1], NAMED),
        Operator(B.READ_VARIABLE, [1], [2]),
        Operator(B.ADD, [0, 2], [3]),
        Operator(B.ASSIGN_VARIABLE, [1, 3], []),
    ]
    model = parse(build([X, HANDLE, X, X], operators, [0], [3], [begin]))
    return inline_calls.run(model, Options(), Report())


def test_a_variable_is_read_and_stored() -> None:
    model = accumulator()
    text = golden.model_text(model)
    changed = run(model, Options(), Report(), rule_pass("tfl"))
    assert [op.name for op in changed.main] == [READ, "tfl.pseudo_alias", "tfl.add", STORE]
    np.testing.assert_array_equal(changed.main.ops[0].attributes["initial"], np.full(3, 2, np.float32))
    assert not find_problems(changed)
    assert golden.model_text(model) == text


def test_state_becomes_inputs_and_outputs() -> None:
    changed = run(accumulator(), Options(state="io"), Report(), rule_pass("tfl"))
    (state,) = changed.states["main"]
    assert (state.input, state.output) == ("sum", "sum.next")
    assert [value.name for value in changed.main.inputs] == ["t0", "sum"]
    assert [value.name for value in changed.main.outputs] == ["t3", "sum.next"]
    assert not find_problems(changed)
