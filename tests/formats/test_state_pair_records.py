"""Records of states that callers carry: as written, and malformed."""

import pytest

from tosa_converter.dtypes import DType
from tosa_converter.formats.borders import MARK, attach_borders, encode_borders
from tosa_converter.ir import Border, Graph, Model, Op, Signature, State, TensorType, Value

TYPE = TensorType(DType.FP32, (2, 3))


def network() -> Model:
    """A TOSA graph of one input and one output of one type, whose source is known."""
    x = Value(TYPE, "x")
    op = Op("tosa.abs", [x], [TYPE], {}, result_names=["y"])
    graph = Graph("main", [x], [op.result])
    graph.ops = [op]
    model = Model({"main": graph}, {"main": Signature.of(graph)})
    model.borders = {x: Border("x", TYPE), op.result: Border("y", TYPE)}
    return model


@pytest.mark.parametrize("carried", [False, True])
def test_a_record_says_who_carries_a_state(*, carried: bool) -> None:
    model = network()
    model.states = {"main": (State("x", "y", None, carried=carried),)}
    text = encode_borders(model, model.main, {})
    assert ('["x","y","carried"]' in text) == carried
    other = network()
    attach_borders(other, other.main, text)
    assert other.states == model.states
    assert other.notes == []
    assert bool(other.main_states) != carried


@pytest.mark.parametrize(
    "row",
    ['["x","y","other"]', '["x","y",1]', '["x","y","carried",0]', '["x","carried"]', '"carried"', '["x",2,"carried"]'],
)
def test_malformed_rows_are_ignored_with_a_note(row: str) -> None:
    model = network()
    model.states = {"main": (State("x", "y", None, carried=True),)}
    text = encode_borders(model, model.main, {}).replace('["x","y","carried"]', row)
    assert text.startswith(MARK)
    other = network()
    other.borders = {}
    attach_borders(other, other.main, text)
    assert other.states == {}
    assert len(other.notes) == 1
