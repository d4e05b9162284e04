"""`check` states of a source what a conversion does, operator by operator."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from support.commands import FLOAT, INT8, command
from support.tflite_models import Operator, Subgraph, Tensor, build

import tosa_converter as tc
from tosa_converter.schemas.tflite import BuiltinOperator as B


def mixed() -> bytes:
    """Returns RELU, a custom operator, and EXP of its result."""
    tensors = [Tensor((2, 3)) for _ in range(4)]
    operators = [
        Operator(B.RELU, (0,), (1,)),
        Operator(B.CUSTOM, (1,), (2,), custom_code="Mystery"),
        Operator(B.EXP, (2,), (3,)),
    ]
    return build(tensors, operators, (0,), (3,))


def checked(model: bytes | Path, target: str | None = None) -> tc.Coverage:
    coverage = tc.check(model, target)
    assert coverage is not None
    return coverage


def test_every_operator_has_an_answer() -> None:
    coverage = checked(mixed())
    assert [(op.name, op.becomes, op.exactness) for op in coverage.operators] == [
        ("tfl.relu", ("CLAMP",), "exact"),
        ("Mystery", (), "can't"),
        ("tfl.exp", ("EXP",), "rounded"),
    ]
    assert not coverage.verdict
    assert "'Mystery' is not known" in coverage.refused[0].reason
    assert coverage.kinds[0][0].name == "Mystery"


@pytest.mark.parametrize("model", [INT8, FLOAT])
def test_coverage_equals_the_conversion(model: Path) -> None:
    coverage, converted = checked(model), tc.convert(model)
    assert coverage.verdict
    assert len(coverage.operators) == converted.report.source_ops.total()
    opcodes = {op.name.removeprefix("tosa.").upper() for op in converted.main}
    assert opcodes - {"CONST", "CONST_SHAPE"} <= {name for op in coverage.operators for name in op.becomes}


def test_operators_that_a_target_lacks_are_refused() -> None:
    coverage = checked(INT8, "pro-fp")
    assert not coverage.verdict
    assert coverage.refused[0].reason == "the target lacks PRO-INT for CONV2D, RESCALE, ARITHMETIC_RIGHT_SHIFT"
    assert checked(INT8, "pro-int").verdict


def test_a_note_is_not_exact() -> None:
    quantize = build([Tensor((4,)), Tensor((4,), "int8", scale=0.1)], [Operator(B.QUANTIZE, (0,), (1,))], (0,), (1,))
    (op,) = checked(quantize).operators
    assert op.exactness == "noted"
    assert "NaN gives the lowest value" in op.notes[0]


def test_a_type_that_tosa_lacks_is_refused() -> None:
    double = build([Tensor((4,), "float64"), Tensor((4,))], [Operator(B.CAST, (0,), (1,))], (0,), (1,))
    coverage = checked(double)
    assert ("graph input", "TOSA has no type fp64") in [(op.name, op.reason) for op in coverage.refused]


def test_the_command_prints_the_coverage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "m.tflite").write_bytes(mixed())
    assert command("inspect", str(INT8), "--target", "pro-int") == 0
    assert "9 operators, all can be converted: 9 exact" in capsys.readouterr().out
    assert command("inspect", str(tmp_path / "m.tflite"), "--check") == 4
    lines = capsys.readouterr().out.splitlines()
    assert ["1", "Mystery", "can't:"] in [line.split()[:3] for line in lines]
    assert lines[-1] == "1 of 3 operators can't be converted: 1 exact, 1 can't, 1 rounded"
    assert command("inspect", str(tmp_path / "m.tflite"), "--check", "--json") == 4
    figures = json.loads(capsys.readouterr().out)
    assert figures["counts"] == {"exact": 1, "can't": 1, "rounded": 1}
    assert [op["exactness"] for op in figures["operators"]] == ["exact", "can't", "rounded"]
    assert command("inspect", str(tmp_path / "m.tflite"), "--check", "-v") == 4
    assert "main:1 CUSTOM 't2'  can't: " in capsys.readouterr().out


def test_a_refused_conversion_is_summed_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tensors = [Tensor((2,)) for _ in range(4)]
    operators = [Operator(B.CUSTOM, (0,), (i + 1,), custom_code=code) for i, code in enumerate(("A", "B", "A"))]
    (tmp_path / "m.tflite").write_bytes(build(tensors, operators, (0,), (1, 2, 3)))
    words = [str(tmp_path / "m.tflite"), "-o", str(tmp_path / "m.tosa")]
    assert command(*words) == 4
    # A reason takes two lines of 80 columns.
    lines = re.sub(r"\n {7}(?!at )", " ", capsys.readouterr().err).splitlines()
    assert lines[0] == "error: 3 operators can't be converted: 2 A, 1 B"
    assert [line.split()[:2] for line in lines[1:5:2]] == [["2", "A:"], ["1", "B:"]]
    assert [line.strip() for line in lines[2:5:2]] == ["at main:0, main:2", "at main:1"]
    assert lines[5:] == ["  -v lists every place; inspect --check lists what each operator becomes"]
    assert command(*words, "-v") == 4
    assert re.findall(r"^  main:(\d)", capsys.readouterr().err, re.MULTILINE) == ["0", "1", "2"]


def graphs(inner: Operator) -> bytes:
    """Returns an IF of two graphs, one with a loop of three rounds that contains the operator."""
    x, number, yes = Tensor((2, 3)), Tensor((), "int32"), Tensor((), "bool")
    limit, increment, zero = (Tensor((), "int32", np.int32(i)) for i in (3, 1, 0))
    test = Subgraph([number, x, limit, yes], [Operator(B.LESS, (0, 2), (3,))], (0, 1), (3,))
    step = Subgraph([number, x, increment, number, x], [Operator(B.ADD, (0, 2), (3,)), inner], (0, 1), (3, 4))
    rounds = {"cond_subgraph_index": 1, "body_subgraph_index": 2}
    loop = Subgraph([x, zero, number, x], [Operator(B.WHILE, (1, 0), (2, 3), rounds)], (0,), (3,))
    same = Subgraph([x, x], [Operator(B.NEG, (0,), (1,))], (0,), (1,))
    branches = {"then_subgraph_index": 3, "else_subgraph_index": 4}
    choice = Operator(B.IF, (0, 1), (2,), branches)
    return build([yes, x, x], [choice], (0, 1), (2,), [test, step, loop, same])


@pytest.mark.parametrize(
    ("target", "control", "less"),
    [(None, (("WHILE_LOOP",), ("COND_IF",)), ("GREATER",)), ("pro-int,pro-fp", ((), ("RESHAPE", "SELECT")), ())],
)
def test_operators_of_called_graphs_are_listed_once(
    target: str | None, control: tuple[tuple[str, ...], ...], less: tuple[str, ...]
) -> None:
    coverage = checked(graphs(Operator(B.ABS, (1,), (4,))), target)
    assert {op.name: op.becomes for op in coverage.operators} == {
        "tfl.less": less,
        "tfl.add": ("ADD",) if target is None else (),
        "tfl.abs": ("ABS",),
        "tfl.neg": ("NEGATE",),
        "tfl.while": control[0],
        "tfl.if": control[1],
    }
    assert len(coverage.operators) == 6
    assert coverage.verdict


def test_control_flow_around_an_unsupported_operator_is_unsupported() -> None:
    coverage = checked(graphs(Operator(B.CUSTOM, (1,), (4,), custom_code="Mystery")))
    assert [op.name for op in coverage.refused] == ["Mystery", "tfl.while", "tfl.if"]
    assert {op.reason for op in coverage.refused[1:]} == {"an operator of its graphs can't be converted"}
