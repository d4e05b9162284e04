"""`tflite-to-tosa MODEL --explain OPERATOR`: what it prints, and what it refuses."""

import json
from pathlib import Path

import pytest
from support.commands import INT8, MODELS, command, unwrapped
from support.tflite_models import Operator, Tensor, build

from tosa_converter.schemas.tflite import BuiltinOperator as B

HOSTILE = "name\x1b[2J\nforged: line\u202e"


@pytest.fixture
def declined(tmp_path: Path) -> Path:
    """EXP of int16 without quantization, which no rule takes, ABS of its result, and a hostile custom operator."""
    tensors = [Tensor((2, 3)), *[Tensor((2, 3), "int16")] * 3, Tensor((2, 3))]
    operators = [
        Operator(B.EXP, (1,), (2,)),
        Operator(B.ABS, (2,), (3,)),
        Operator(B.CUSTOM, (0,), (4,), custom_code=HOSTILE),
    ]
    path = tmp_path / "my model.tflite"
    path.write_bytes(build(tensors, operators, (0, 1), (3, 4)))
    return path


def test_an_operator_with_its_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(INT8, "--explain", "2") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "main:2 CONV_2D"
    assert lines[1].startswith("    'functional_1/conv2d_1_2/BiasAdd;")
    assert "    accepted  tflite.convolution.int8.conv_2d" in lines
    assert "    skipped   tflite.delegate.conv_2d: only with --numerics xnnpack" in lines
    text = " ".join(" ".join(lines).split())
    assert "skipped tflite.convolution.float.conv_2d: operand input, filter: expected fp32*fp32 or fp16*fp16" in text
    assert "simplify, CONV2D declined passes.simplify.pad_into_convolution: expected PAD(x, padding, fill)" in text
    assert lines[-1] == "  becomes     CONV2D RESCALE"
    assert all(len(line) <= 80 or len(line.split()) == 1 for line in lines)  # a long name stays whole


def test_a_pass_that_a_target_adds(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(INT8, "--explain", "0", "--target", "iree-cpu") == 0
    assert "  conv-to-matmul, CONV2D\n    accepted  passes.conv_to_matmul." in capsys.readouterr().out


def test_an_operator_that_a_preparation_replaces(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(MODELS / "small" / "lstm_stateful.dynamic.tflite", "--explain", "0") == 0
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.startswith("main:0 CALL_ONCE")
    assert rest == [
        "  no rule was tried: an earlier pass replaced or removed the operator",
        "  becomes     no operator of its own",
    ]


def test_a_model_that_is_refused(declined: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(declined, "--explain", "all") == 4
    out, err = capsys.readouterr()
    reason = "expected 't1' to have quantization parameters, found none"
    assert f"declined  quantized.activations.exp_i16: {reason}\n" in out.replace("\n              ", " ")
    assert "  legalize, ABS\n    untried   an operand comes from an operator that can't be converted\n" in out
    assert "  legalize, CUSTOM\n    untried   no rule starts from this operator\n" in out
    assert "becomes" not in out
    assert err.startswith("error: 2 operators can't be converted: 1 EXP, 1 ")
    assert "--explain" not in err


def test_the_refusal_of_a_conversion_names_the_command(declined: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(declined, "-o", declined.with_suffix(".tosa")) == 4
    assert f"\n  next: tflite-to-tosa '{declined}' --explain main:0\n" in unwrapped(capsys.readouterr().err)


def test_names_of_a_file_are_escaped(declined: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command(declined, "--explain", "all")
    for text in capsys.readouterr():
        assert r"name\x1b[2J\nforged:" in text
        assert not {"\x1b", "\u202e"} & set(text)
        assert not any(line.startswith("forged") for line in text.splitlines())


def test_json(declined: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(declined, "--explain", "EXP", "--json") == 4
    figures = json.loads(capsys.readouterr().out)
    (op,) = figures["operators"]
    (attempts,) = op["attempts"]
    assert (op["name"], op["becomes"], attempts["pass_name"], attempts["accepted"]) == ("tfl.exp", None, "legalize", "")
    reason = "expected 't1' to have quantization parameters, found none"
    assert {"rule": "quantized.activations.exp_i16", "reason": reason} in attempts["declined"]
    assert figures["refusal"]["message"].startswith("2 operators can't be converted: 1 EXP, 1 ")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((INT8, "--explain", "22"), "found '22'; there are\n  main:0 CONV_2D\n  main:1 DEPTHWISE_CONV_2D\n"),
        ((INT8, "--explain", "LSTM"), "found 'LSTM'; there are\n  main:0 CONV_2D\n"),
        (
            (INT8, "--explain", "all", "-o", "x.tosa"),
            "expected one of -o, --partial, --explain, found -o and --explain",
        ),
        ((INT8, INT8, "--explain", "all"), "--explain needs a single model"),
        ((INT8, "--explain"), "--explain: expected a value, found none"),
    ],
)
def test_words_that_are_refused(
    words: tuple[object, ...],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert command(*words) == 2
    out, err = map(unwrapped, capsys.readouterr())
    assert out == ""
    assert message in err
    assert not list(tmp_path.iterdir())
