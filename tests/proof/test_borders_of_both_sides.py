"""What became of inputs and outputs, as a conversion's notes, `inspect`, `verify` and `diff` tell it."""

import json
import re
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from support.commands import FLOAT, INT8, MODELS, command, unwrapped
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.ir import Border, TensorType
from tosa_converter.ir.borders import BorderRow
from tosa_converter.schemas.tflite import BuiltinOperator as B

pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
UINT8 = MODELS / "small" / "detector.uint8_io.tflite"
STATEFUL = MODELS / "small" / "lstm_stateful.dynamic.tflite"


def absolute(dtype: str = "int8", scale: float = 0.5, zero_point: int = 0, name: str = "x") -> bytes:
    """A model that moves bytes, so that the same bits come out whatever they stand for."""
    tensors = [
        Tensor((1, 4), dtype, scale=scale, zero_point=zero_point, name=name),
        Tensor((2,), "int32", np.array([4, 1])),
        Tensor((4, 1), dtype, scale=scale, zero_point=zero_point, name="y"),
    ]
    return build(tensors, [Operator(B.RESHAPE, (0, 1), (2,), {"new_shape": (4, 1)})], (0,), (2,))


@pytest.mark.parametrize("other", [{"dtype": "uint8", "zero_point": 128}, {"scale": 0.25}, {"zero_point": 1}])
def test_other_numbers_are_another_function(other: dict[str, object]) -> None:
    diff = tc.diff(absolute(), absolute(**other))  # type: ignore[arg-type]
    assert all(output.verdict for output in diff.outputs)
    assert [(border.place, border.meaning) for border in diff.borders] == [("input 'x'", True), ("output 'y'", True)]
    assert not diff.same_function
    (tosa, plain) = tc.convert(absolute()), tc.convert(absolute(**other))  # type: ignore[arg-type]
    assert not tc.diff(tosa, plain).same_function
    plain.borders.clear()
    assert tc.diff(tosa, plain).same_function  # nothing is known of one side


def test_another_name_is_a_difference_of_the_same_function() -> None:
    diff = tc.diff(absolute(), absolute(name="z"))
    assert diff.same_function
    assert [tuple(border) for border in diff.borders] == [("input 'x'", "it is called 'z'", False)]


def test_verify_has_a_line_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("verify", INT8) == 0
    verdict, *_, borders, _ = capsys.readouterr().out.splitlines()
    assert verdict.startswith("PASS  ")
    assert borders == "  inputs and outputs have the source's types and quantization"
    assert command("verify", UINT8, "--json") == 0
    figures = json.loads(capsys.readouterr().out)
    assert len(figures["borders"]) == 3
    assert {row["text"].split(":")[0] for row in figures["borders"]} == {"uint8 became int8"}
    (tmp_path / "same.tflite").write_bytes(absolute())
    (tmp_path / "scaled.tflite").write_bytes(absolute(scale=0.25))
    assert command("verify", tmp_path / "same.tflite", tmp_path / "scaled.tflite") == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "input 'x', output 'y': int8 scale 0.5 zero point 0 became int8 scale 0.25" in text


def test_a_model_that_comes_back_is_the_same_function(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command(UINT8, "-o", tmp_path / "m.tosa")
    assert capsys.readouterr().out.count("(the bits are the same, so read them without sign)") == 3
    command(tmp_path / "m.tosa", "-o", tmp_path / "m.tflite")
    assert capsys.readouterr().out.count("(unchanged)") == 3
    command(UINT8, "-o", tmp_path / "direct.tflite", "--json")
    assert json.loads(capsys.readouterr().out)["notes"] == []
    for name in ("m.tflite", "direct.tflite"):
        assert command("diff", UINT8, tmp_path / name) == 0
        assert "  border " not in capsys.readouterr().out


def test_inspect_shows_both_sides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tc.save(tc.convert(UINT8), tmp_path / "m.tosa")
    assert command("inspect", tmp_path / "m.tosa", "--json") == 0
    (image,) = json.loads(capsys.readouterr().out)["graphs"][0]["inputs"]
    assert (image["dtype"], image["source"]["dtype"], image["source"]["quantization"]["zero_point"]) == (
        "i8",
        "ui8",
        [121],
    )
    assert command("inspect", tmp_path / "m.tosa") == 0
    words = " ".join(capsys.readouterr().out.split())
    assert "image uint8[1,64,64,3] scale 0.0338092 zero point 121 -> int8[1,64,64,3]" in words
    assert "from 'serving_default_image:0'" in words
    damaged = (tmp_path / "m.tosa").read_bytes().replace(b'"type":"ui8"', b'"type":"ui9"')
    (tmp_path / "m.tosa").write_bytes(damaged)
    assert command("inspect", tmp_path / "m.tosa") == 0
    assert "note: graph 'main': its record of the source's borders is ignored" in capsys.readouterr().out


def test_state_layouts_and_files_beside_are_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command(STATEFUL, "-o", tmp_path / "m.tosa", "--state", "io")
    screen = capsys.readouterr().out
    assert "state      feed output NAME.next back into input NAME" in screen
    assert screen.count("(state)") == 4
    command(STATEFUL, "-o", tmp_path / "m.tosa", "--state", "io", "--json")
    figures = json.loads(capsys.readouterr().out)
    assert figures["beside"] == [{"path": str(tmp_path / "m.state.npz"), "content": "initial values of the state"}]
    assert figures["borders"][1]["state"] == "lstm_2/Variable.next"
    assert sum("is the next run's input" in note["text"] for note in figures["notes"]) == 2
    command("inspect", tmp_path / "m.tosa")
    assert "state: output 'lstm_2/Variable.next' is the next run's input 'lstm_2/Variable'" in capsys.readouterr().out
    command(FLOAT, "-o", tmp_path / "m.tosa", "--io-layout", "image=nchw")
    assert "(layout NHWC became NCHW)" in capsys.readouterr().out
    command(INT8, "-o", tmp_path / "m.spv")
    assert "(constants of m.spv: keep both files together)" in capsys.readouterr().out
    command("inspect", tmp_path / "m.spv")
    assert "m.constants.npz" in capsys.readouterr().out
    command(INT8, "-o", tmp_path / "m.vgf")
    assert "constants of" not in capsys.readouterr().out


@pytest.mark.parametrize("order", [*permutations(range(4)), (0, 2, 1), (0, 2, 3, 4, 1)], ids=str)
def test_an_order_of_dimensions_is_called_by_its_layouts(order: tuple[int, ...]) -> None:
    """Dimension i of the result is dimension order[i] of the source; NHWC's H is the third of NCHW."""
    letters = {"".join("NHWCD"[i] for i in order): "NHWC", "".join("NCHWD"[i] for i in order): "NCHW"}
    changes = {"NCHW": "layout NHWC became NCHW", "NHWC": "layout NCHW became NHWC"}
    words = next(
        (changes[new] for new, old in letters.items() if {old, new} == {"NHWC", "NCHW"}),
        f"dimension i is dimension {list(order)}[i] of the source",
    )
    type = TensorType(tc.DType.FP32, tuple(range(2, 2 + len(order))))
    source, stored = Border("x", type), Border("x", type, order)
    row = BorderRow("input", "main", "x", source, type, stored)
    assert row.remark == row.change == words
    assert not row.is_unchanged


def test_an_edited_graph_has_no_false_borders() -> None:
    tosa = tc.convert(INT8)
    part = tc.extract(tosa, outputs=tosa.main.ops[-1].operands[0].name)
    (output,) = part.main.outputs
    assert part.border(output) is None
    border = part.border(part.main.inputs[0])
    assert border is not None
    assert border.type == tc.load(INT8).main.inputs[0].type
    optimized = tc.optimize(tosa)
    assert set(optimized.borders) == {*optimized.main.inputs, *optimized.main.outputs}


def test_state_of_a_file_is_compared_as_inputs_and_outputs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No file of TOSA holds what state begins with, and a TFLite model that is written of one has no variables."""
    source = MODELS / "small" / "keywords.int8.tflite"
    command(source, "-o", tmp_path / "m.tosa", "--state", "io")
    command(tmp_path / "m.tosa", "-o", tmp_path / "m.tflite")
    capsys.readouterr()
    assert command("verify", tmp_path / "m.tosa", tmp_path / "m.tflite", "-v") == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "int16[1,64] 0 of 64 0 0 equal name 't9 at Model.subgraphs[0].tensors[9].next'" in text
    assert command("diff", tmp_path / "m.tosa", tmp_path / "m.tflite") == 0
    assert re.search(r"'t9 at .*9\].next'  int16\[1,64\] +0 of 64", capsys.readouterr().out)
    assert command("verify", tmp_path / "m.tosa", "--against", "executor,tosa-reference-model") == 0
    capsys.readouterr()
    assert command("diff", source, tmp_path / "m.tosa") == 2
    assert "is state without an initial value" in unwrapped(capsys.readouterr().err)


def test_another_state_is_a_difference() -> None:
    conversion = tc.convert(MODELS / "small" / "keywords.int8.tflite", state="io")
    (first, *rest) = conversion.main_states
    assert first.initial is not None
    other = tc.convert(MODELS / "small" / "keywords.int8.tflite", state="io")
    other.states = {"main": (first._replace(initial=first.initial + 100), *rest)}
    assert tc.diff(conversion, conversion).same_function
    assert not tc.diff(conversion, other).same_function
