"""Presets state options of a conversion, and options of the user override them."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.commands import INT8, ROOT, command

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError, UsageError
from tosa_converter.options import FLAGS
from tosa_converter.rules.target import Target
from tosa_converter.schemas.presets import PRESETS, Preset

SMALL = ROOT / "models" / "small"


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_rows_hold_values_that_a_conversion_takes(preset: Preset) -> None:
    assert preset.state in FLAGS["state"].choices
    assert preset.control_flow in FLAGS["control_flow"].choices
    assert preset.numerics in ("", *FLAGS["numerics"].choices)
    assert Target.parse(preset.name.upper()).preset is preset
    model = tc.convert(INT8, target=preset.name)
    assert model.report.numerics == (preset.numerics or "reference")


def border_types(model: tc.Model) -> set[DType]:
    return {value.type.dtype for value in (*model.main.inputs, *model.main.outputs)}


def test_borders_of_an_npu_are_integers() -> None:
    floats = tc.with_borders(INT8, io_types="float32")
    assert border_types(floats) == {DType.FP32}
    assert border_types(tc.convert(floats, target="ethos-u85")) == {DType.I8}
    assert border_types(tc.convert(floats)) == {DType.FP32}


def test_state_becomes_inputs_for_targets_without_variables() -> None:
    path = SMALL / "keywords.int8.tflite"
    assert tc.convert(path).report.needs.extensions != ()
    model = tc.convert(path, target="ethos-u85")
    assert model.main_states
    assert "EXT-VARIABLE" not in model.report.needs.extensions


def test_options_override_the_preset() -> None:
    model = tc.convert(INT8, target="ethos-u85", numerics="reference")
    assert model.report.numerics == "reference"
    floats = tc.with_borders(INT8, io_types="float32")
    (image,) = [value.name for value in floats.main.inputs]
    for io_types in ("float32", {image: "float32"}):
        with pytest.raises(UnsupportedError, match="--io-type int8 makes"):
            tc.convert(floats, target="ethos-u85", io_types=io_types)
    with pytest.raises(UnsupportedError, match="EXT-VARIABLE"):
        tc.convert(SMALL / "keywords.int8.tflite", target="ethos-u85", state="variables")


def test_both_sides_of_a_verification_have_the_borders() -> None:
    floats = tc.with_borders(INT8, io_types="float32")
    verification = tc.verify(floats, target="ethos-u85")
    assert verification.verdict
    assert verification.comparisons[0].outputs[0].type.startswith("i8")


def test_an_operator_that_a_target_refuses_is_named() -> None:
    path = SMALL / "lstm.int8.tflite"
    message = "2 UNIDIRECTIONAL_SEQUENCE_LSTM: the target refuses GATHER: the NPU has no look-ups by index\n *at main:0"
    with pytest.raises(UnsupportedError, match=message) as refused:
        tc.convert(path, target="ethos-u55", numerics="reference")
    assert re.fullmatch(
        "tosa.gather at main:0 UNIDIRECTIONAL_SEQUENCE_LSTM .*: needs GATHER: the NPU has no look-ups by index",
        refused.value.places[0],
    )
    coverage = tc.check(path, "ethos-u55", numerics="reference")
    assert coverage is not None
    assert not coverage.verdict
    assert {op.reason for op in coverage.operators if op.reason} == {"GATHER: the NPU has no look-ups by index"}
    tc.convert(path, target="ethos-u85", numerics="reference")


def test_an_unknown_target_is_refused() -> None:
    with pytest.raises(UsageError, match=r"found 'ethos-u99'; did you mean 'ethos-u\d5'\?\npresets: ethos-u55, "):
        tc.convert(INT8, target="ethos-u99")


def test_help_and_chains_know_presets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("convert", "--help") == 0
    assert "ethos-u85" in capsys.readouterr().out
    assert command(INT8, "--partial", tmp_path, "--target", "ethos-u85") == 0


def test_presets_of_iree_have_flags_for_its_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flags_by_run: list[list[str]] = []

    def compiled(_text: str, flags: Sequence[str], _about: str) -> bytes:
        flags_by_run.append(list(flags))
        return b"vmfb"

    monkeypatch.setattr("tosa_converter.formats.vmfb.compile_text", compiled)
    for words in (("iree-cuda",), ("iree-cuda", "--iree-flag", "--iree-x"), ("pro-int,ext-doubleround",)):
        assert command(INT8, "-o", tmp_path / "m.vmfb", "--target", *words) == 0
    cuda = "--iree-hal-target-backends=cuda"
    assert flags_by_run == [[cuda], [cuda, "--iree-x"], []]
