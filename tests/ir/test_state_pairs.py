"""State pairs of sources: by signatures, names and updates, and never of unlike types."""

import pytest

from tosa_converter.dtypes import DType
from tosa_converter.ir import Graph, Model, Op, Signature, State, TensorType, Value
from tosa_converter.ir.state_pairs import find_state_pairs

CACHE, ROW, INDEX = TensorType(DType.FP32, (1, 8)), TensorType(DType.FP32, (1, 1)), TensorType(DType.I32, (2,))


def network(begin: str, end: str, *, updates: bool = True, type: TensorType = CACHE) -> Model:
    """A graph whose output is its input with one element replaced, or with all doubled."""
    cache, row, index = Value(CACHE, begin), Value(ROW, "row"), Value(INDEX, "index")
    operands = [cache, row, index] if updates else [cache, cache]
    op = Op("tfl.dynamic_update_slice" if updates else "tfl.add", operands, [type], {}, result_names=[end])
    graph = Graph("main", [cache, row, index], [op.result])
    graph.ops = [op]
    return Model({"main": graph}, {"main": Signature.of(graph)}, opset="tfl")


def pairs(model: Model) -> list[tuple[str, str]]:
    return [(state.input, state.output) for state in find_state_pairs(model).get("main", ())]


def test_updates_make_a_pair_whatever_the_names() -> None:
    model = network("a", "b")
    assert find_state_pairs(model) == {"main": (State("a", "b", None, carried=True),)}


@pytest.mark.parametrize(("end", "expected"), [("a_output", True), ("a.next", True), ("b", False), ("a2", False)])
def test_names_make_a_pair(end: str, *, expected: bool) -> None:
    assert bool(pairs(network("a", end, updates=False))) == expected


def test_one_name_in_a_signature_makes_a_pair() -> None:
    model = network("x", "y", updates=False)
    begin, end = model.main.inputs[0], model.main.outputs[0]
    model.signatures = {"decode": Signature("main", {"cache": begin}, {"cache": end})}
    assert pairs(model) == [("x", "y")]
    model.signatures = {"decode": Signature("main", {"cache": begin}, {"logits": end})}
    assert pairs(model) == []


def test_an_update_inside_makes_none() -> None:
    model = network("a", "b")
    op = Op("tfl.neg", [model.main.outputs[0]], [CACHE], {}, result_names=["c"])
    model.main.ops.append(op)
    model.main.outputs = [op.result]
    model.signatures = {"main": Signature.of(model.main)}
    assert pairs(model) == []


def test_of_two_updates_the_first_makes_a_pair() -> None:
    model = network("a", "b")
    cache, row, index = model.main.inputs
    op = Op("tfl.dynamic_update_slice", [cache, row, index], [CACHE], {}, result_names=["c"])
    model.main.ops.append(op)
    model.main.outputs.append(op.result)
    model.signatures = {"main": Signature.of(model.main)}
    assert pairs(model) == [("a", "b")]


def test_unlike_types_and_graphs_of_one_input_make_none() -> None:
    halves = CACHE._replace(dtype=DType.FP16)
    assert pairs(network("a", "a_output", updates=False, type=halves)) == []
    assert pairs(network("a", "a_output", updates=False, type=CACHE._replace(shape=(1, None)))) == []
    model = network("a", "a_output", updates=False)
    model.main.inputs = model.main.inputs[:1]
    assert pairs(model) == []


def test_an_input_that_is_handed_through_makes_none() -> None:
    model = network("a", "b", updates=False)
    model.main.outputs = [model.main.inputs[0]]
    model.signatures = {"main": Signature.of(model.main)}
    assert pairs(model) == []
