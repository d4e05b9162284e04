"""`explain`: the operators that a text names, and the rules tried at them."""

from pathlib import Path

import numpy as np
import pytest
from support.commands import INT8, MODELS
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.schemas.tflite import BuiltinOperator as B


def numbers(text: int | str, model: Path = INT8) -> list[int]:
    operators = tc.explain(model, text).operators
    return [int(op.location.split(" ")[0].rpartition(":")[2]) for op in operators]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("all", list(range(9))),
        (8, [8]),
        ("8", [8]),
        ("main:8", [8]),
        ("SOFTMAX", [8]),
        ("conv_2d", [0, 2, 5]),  # the whole name wins over DEPTHWISE_CONV_2D, which contains it
        ("tfl.mean", [6]),
        ("DEPTHWISE", [1]),
        ("functional_1/add_1", [3]),
        ("ConvOlution", [0, 2, 5]),
    ],
)
def test_a_text_names_these_operators(text: int | str, expected: list[int]) -> None:
    assert numbers(text) == expected


@pytest.mark.parametrize("text", ["", "9", "main:9", "LSTM", "main:88"])
def test_a_text_without_an_operator_is_refused(text: str) -> None:
    with pytest.raises(tc.UsageError, match=f"found {text!r}; there are\nmain:0 CONV_2D\nmain:1 DEPTHWISE_CONV_2D"):
        tc.explain(INT8, text)


def test_every_operator_is_explained_and_becomes_what_a_conversion_has() -> None:
    converted, explanation = tc.convert(INT8), tc.explain(INT8)
    becomes = {op.location: list(op.becomes or ()) for op in explanation.operators}
    assert becomes == {place: [op.name for op in ops] for place, ops in converted.report.source_map.items()}
    assert explanation.refusal is None
    for op in explanation.operators:
        first = op.attempts[0]
        assert (first.pass_name, first.location, first.name, first.reason) == ("legalize", op.location, op.name, "")
        assert first.accepted
    passes = {tried.pass_name for op in explanation.operators for tried in op.attempts}
    assert passes == {"legalize", "simplify"}


def test_numerics_choose_other_rules() -> None:
    (reference,), (delegate,) = (tc.explain(INT8, 0, numerics=name).operators for name in ("reference", "xnnpack"))
    skipped = dict(reference.attempts[0].skipped)
    assert skipped["tflite.delegate.conv_2d"] == "only with --numerics xnnpack"
    assert delegate.attempts[0].accepted == "tflite.delegate.conv_2d"
    assert "tflite.delegate.conv_2d" not in dict(delegate.attempts[0].skipped)


def test_operators_of_a_loop_are_explained_once() -> None:
    model = MODELS / "loop_scan_float32.tflite"
    for form in ("keep", "flatten"):
        operators = tc.explain(model, control_flow=form).operators
        assert len({op.location for op in operators}) == len(operators)
        attempts = [tried for op in operators for tried in op.attempts]
        assert len(set(attempts)) == len(attempts)
        assert any(op.location.startswith("main:") and op.name == "tfl.while" for op in operators)


def test_an_unsupported_operator_shows_the_plug_ins_reason() -> None:
    """A rule of the user is tried first, and its reason is reported."""

    def decline(_: tc.Match) -> tc.Expr:
        raise tc.Decline("not today")

    tensors = [Tensor((2, 3))] * 2
    model = build(tensors, [Operator(B.CUSTOM, (0,), (1,), custom_code="Mystery")], (0,), (1,))
    explanation = tc.explain(model, "mystery", rules=[tc.Rule("custom.Mystery", "fp32", decline)])
    assert isinstance(explanation.refusal, tc.UnsupportedError)
    (op,) = explanation.operators
    assert op.name == "Mystery"
    assert op.becomes is None
    assert [reason for _, reason in op.attempts[0].declined] == ["not today"]


def test_shapes_that_do_not_fit_are_the_reason() -> None:
    """Only a run could add the operands: shapes are checked before rules are tried."""
    tensors = [Tensor((1, 3), signature=(-1, 3)), Tensor((2, 3)), Tensor((2, 3))]
    model = build(tensors, [Operator(B.ADD, (0, 1), (2,))], (0, 1), (2,))
    explanation = tc.explain(model, input_shapes={"t0": (5, 3)})
    assert explanation.refusal is not None
    assert explanation.refusal.exit_status == 4
    assert "5" in explanation.operators[0].attempts[0].reason


def test_options_of_a_conversion_apply() -> None:
    with pytest.raises(tc.UsageError, match="numerics"):
        tc.explain(INT8, numerics="nothing")
    with pytest.raises(tc.UsageError, match=r"--explain .* can't apply to TOSA"):
        tc.explain(tc.convert(INT8))


def test_a_conversion_without_a_trace_is_the_same() -> None:
    trace: list[object] = []
    traced = tc.convert(INT8, trace=trace)  # type: ignore[arg-type]
    assert trace
    inputs = tc.random_inputs(INT8)
    first, second = tc.run(tc.convert(INT8), inputs), tc.run(traced, inputs)
    assert all(np.array_equal(first[name], second[name]) for name in first)
    assert str(traced) == str(tc.convert(INT8))
