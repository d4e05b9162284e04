"""Records: tensors of a source that the new graph holds as several values."""

import pytest

from tosa_converter.dtypes import DType
from tosa_converter.ir import Graph, Model, Op, TensorType, Value
from tosa_converter.rewriting.driver import RulePass, run_pass
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.records import Complex, TensorRecord
from tosa_converter.rewriting.report import Options
from tosa_converter.rewriting.rule import Rule

F32 = TensorType(DType.FP32, (2,))
PAIR = TensorType(DType.COMPLEX64, (2,))


class Quaternion(TensorRecord):
    __slots__ = ()


def match_of(x: Value) -> tuple[Match, Complex]:
    """Returns a match whose operand is a pair."""
    parts = Value(F32, "real"), Value(F32, "imag")
    pair = Complex(*map(Expr, parts))
    return Match(Op("tfl.real", [x], [F32]), {x: pair}), pair


def test_an_operand_is_taken_as_its_record() -> None:
    match, pair = match_of(Value(PAIR, "x"))
    assert match.record("input", Complex) is pair
    assert match.type("input") == PAIR
    assert {part.name for part in match.translated_operands} == {"real", "imag"}


def test_a_record_cannot_be_taken_as_a_value() -> None:
    match, _ = match_of(Value(PAIR, "x"))
    with pytest.raises(Decline, match=r"'x' of complex64\[2\], which takes 2"):
        match.value("input")
    with pytest.raises(Decline, match="which takes 2"):
        match["input"]
    with pytest.raises(Decline, match=r"operand input \('x'\) to be a quaternion tensor"):
        match.record("input", Quaternion)


def test_a_value_cannot_be_taken_as_a_record() -> None:
    x = Value(F32, "x")
    match = Match(Op("tfl.real", [x], [F32]), {x: x})
    with pytest.raises(Decline, match=r"expected operand input \('x'\) to be a complex tensor, found fp32\[2\]"):
        match.record("input", Complex)


def test_rules_pass_records_on() -> None:
    x = Value(F32, "x")
    first = Op("tfl.cast", [x], [PAIR])
    second = Op("tfl.imag", [first.result], [F32], result_names=["y"])
    rules = (
        Rule("tfl.cast", "", lambda match: Complex(match["input"], match["input"] * 2)),
        Rule("tfl.imag", "", lambda match: match.record(0, Complex).imag),
    )
    model = Model({"main": Graph("main", [x], [second.result], [first, second])}, opset="tfl")
    graph = run_pass(model, RulePass("test", rules), Options()).main
    assert [op.name for op in graph if op.inputs] == ["tosa.mul"]
    assert graph.outputs[0].name == "y"
