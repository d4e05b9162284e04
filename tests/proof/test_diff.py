"""Two models beside each other."""

import json
from pathlib import Path

import numpy as np
import pytest
from support.commands import FLOAT, INT8, MODELS, command
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.ir import Graph, Model, Op, TensorType, Value
from tosa_converter.proof.diff import STRUCTURE, VALUES, WIRING
from tosa_converter.schemas.tflite import BuiltinOperator as B

pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
X = Tensor((2, 3))


def kinds(diff: tc.Diff) -> list[str]:
    return [change.kind for change in diff.changes]


def test_a_model_and_itself(tmp_path: Path) -> None:
    tc.save(tc.convert(INT8), tmp_path / "a.tosa")
    tc.save(tc.load(tmp_path / "a.tosa"), tmp_path / "b.mlir")
    diff = tc.diff(tmp_path / "a.tosa", tmp_path / "b.mlir", runs=2)
    assert (diff.same_function, diff.same_operators, diff.engines) == (True, True, ("executor", "executor"))
    assert [output.elements for output in diff.outputs] == [20]


def test_formats_of_other_operators_are_run_only() -> None:
    diff = tc.diff(INT8, tc.convert(INT8))
    assert diff.engines == ("litert", "executor")
    assert (diff.same_function, diff.same_operators) == (True, False)
    assert diff.note == "operators of tfl and of tosa aren't compared"


def test_a_weight_is_a_value() -> None:
    model, other = tc.convert(INT8), tc.convert(INT8)
    (op, *_) = [op for op in other.main.ops if op.name == "tosa.conv2d"]
    weights = op.operands[1].producer
    assert weights is not None
    changed = np.array(weights.attributes["values"])
    changed[0, 1, 2, 0] ^= 64
    weights.attributes["values"] = changed
    diff = tc.diff(model, other)
    assert not diff.same_function
    assert kinds(diff) == [VALUES]
    assert diff.changes[0].first == diff.changes[0].second
    assert "operand 1: 1 of 144 elements, at [0, 1, 2, 0]" in diff.changes[0].text


def two(*operators: Operator) -> bytes:
    return build([X, X, X, X], operators, (0, 1), (3,))


def test_operators_and_their_operands() -> None:
    plain = two(Operator(B.ADD, (0, 1), (2,)), Operator(B.ABS, (2,), (3,)))
    assert kinds(tc.diff(plain, two(Operator(B.ADD, (0, 1), (2,)), Operator(B.NEG, (2,), (3,))))) == [
        STRUCTURE,
        STRUCTURE,
        WIRING,
    ]
    turned = tc.diff(plain, two(Operator(B.ADD, (1, 0), (2,)), Operator(B.ABS, (2,), (3,))))
    assert (turned.same_function, kinds(turned)) == (True, [WIRING])
    fused = tc.diff(
        plain, two(Operator(B.ADD, (0, 1), (2,), {"fused_activation_function": 1}), Operator(B.ABS, (2,), (3,)))
    )
    assert (fused.same_function, kinds(fused)) == (False, [VALUES])
    assert "fused_activation_function" in fused.changes[0].text


def test_every_signature_is_run() -> None:
    """Of one opset and of two; what only one side has is none of the same function."""
    source = MODELS / "signatures_int8.tflite"
    model, other = tc.convert(source), tc.convert(source)
    weights = next(op for op in other.graphs["mix"] if op.name == "tosa.conv2d").operands[1].producer
    assert weights is not None
    weights.attributes["values"] = np.array(weights.attributes["values"]) ^ 1
    for first, same in ((model, model), (source, model)):
        assert tc.diff(first, same).same_function
        diff = tc.diff(first, other)
        assert [(output.name.partition(":")[0], output.verdict) for output in diff.outputs] == [
            ("classify", True),
            ("classify", True),
            ("encode", True),
            ("mix", False),
        ]
        assert not diff.same_function
    alone = tc.diff(source, tc.convert(source, signature="encode"))
    assert (alone.same_function, alone.outputs) == (False, ())
    assert "graphs of classify, encode, mix and of encode aren't compared" in alone.note


def test_state_goes_on_from_run_to_run() -> None:
    """In variables of TOSA, in inputs and outputs, and in LiteRT's; one step shows nothing of what is written."""
    source = MODELS / "small" / "keywords.int8.tflite"
    with_variables, handed, wrong = tc.convert(source), tc.convert(source, state="io"), tc.convert(source)
    for models in ((with_variables, handed), (handed, source), (source, source)):
        diff = tc.diff(*models)
        assert diff.same_function
        assert [output.elements for output in diff.outputs] == [60]
    (write, *_) = [op for op in wrong.main if op.name == "tosa.variable_write"]
    type = write.operands[0].type
    elements = {"values": np.full(type.static, 77, np.int8)}
    wrong.main.ops.insert(0, tc.Op("tosa.const", [], [type], elements))
    write.inputs = (wrong.main.ops[0].result,)
    assert tc.diff(source, wrong, steps=1).same_function
    assert [output.step for output in tc.diff(source, wrong).outputs] == [3]
    with pytest.raises(tc.UsageError, match="steps from 0 on"):
        tc.diff(source, wrong, steps=-1)


def test_inputs_that_do_not_fit() -> None:
    diff = tc.diff(FLOAT, two(Operator(B.ADD, (0, 1), (2,)), Operator(B.ABS, (2,), (3,))))
    assert (diff.same_function, diff.outputs) == (False, ())
    assert "aren't compared" in diff.note


def test_inputs_that_are_no_numbers() -> None:
    handle = Tensor((), "resource")
    data = build([handle, X, X], [Operator(B.ABS, (1,), (2,))], (0, 1), (2,))
    assert "aren't compared" in tc.diff(data, data).note


def test_sizes_that_only_one_model_states() -> None:
    model = tc.convert(INT8, input_shapes={"image": (3, 8, 8, 1)})
    diff = tc.diff(INT8, model)
    assert (diff.same_function, diff.outputs[0].elements) == (True, 30)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tc.save(tc.convert(INT8), tmp_path / "a.tosa")
    assert command("diff", INT8, tmp_path / "a.tosa") == 0
    assert ": the same function" in " ".join(capsys.readouterr().out.split())
    assert command("diff", MODELS / "small" / "keywords.int8.tflite", INT8, "--json") == 1
    assert json.loads(capsys.readouterr().out)["same_function"] is False
    assert command("diff", INT8, tmp_path / "none.tosa") == 2
    (tmp_path / "bad.tosa").write_bytes(b"nonsense")
    assert command("diff", INT8, tmp_path / "bad.tosa") == 3


@pytest.mark.parametrize(("location", "name"), [("here", "y"), ("here", ""), ("", "y"), ("", "")])
def test_an_operator_is_named_by_its_place_else_by_its_result(location: str, name: str) -> None:
    x = Value(TensorType(tc.DType.FP32, (2,)), "x")
    ops = [Op(f"tosa.{kind}", [x], [x.type], location=location, result_names=[name]) for kind in ("abs", "exp")]
    models = [Model({"main": Graph("main", [x], [op.result], [op])}) for op in ops]
    changes = tc.diff(*models, runs=1).changes
    place = location or name
    places = {change.first or change.second for change in changes if change.kind == STRUCTURE}
    assert places == {f"tosa.{kind}{f' at {place}' if place else ''}" for kind in ("abs", "exp")}
