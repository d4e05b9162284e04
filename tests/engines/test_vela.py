"""Vela takes models of the Ethos-U presets, and refuses others by name."""

from pathlib import Path

import pytest
from support.commands import FLOAT, INT8, MODELS

import tosa_converter as tc
from tosa_converter.engines import vela
from tosa_converter.errors import MissingExtra, UnsupportedError

needs_vela = pytest.mark.skipif(bool(vela.missing()), reason="; ".join(vela.missing()))


@needs_vela
@pytest.mark.parametrize("target", vela.ACCELERATORS)
def test_a_network_with_softmax_costs_about_what_its_source_does(target: str, tmp_path: Path) -> None:
    tc.save(tc.convert(INT8, target=target), tmp_path / "digits.tosa")
    direct, ours = vela.compile_file(INT8, target), vela.compile_file(tmp_path / "digits.tosa", target)
    assert direct.whole
    assert ours.whole
    assert ours.cycles - direct.cycles < 1000  # the cost of one softmax, whatever precedes it


@needs_vela
@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("torch_mobilenet_v2_small", "ethos-u85"),
        ("torch_lstm", "ethos-u85"),
        ("lstm", "ethos-u55"),
        ("detector", "ethos-u65"),
        ("detector", "ethos-u85"),
    ],
)
def test_sums_means_images_and_cells_cost_no_more_than_a_tenth(name: str, target: str, tmp_path: Path) -> None:
    source = MODELS / "small" / f"{name}.int8.tflite"
    tc.save(tc.convert(source, target=target), tmp_path / "m.tosa")
    ours = vela.compile_file(tmp_path / "m.tosa", target)
    assert ours.cycles <= 1.1 * vela.compile_file(source, target).cycles


@needs_vela
@pytest.mark.parametrize("name", ["bidirectional.int8", "detector.int16x8"])
def test_vela_takes_networks_of_ours_that_it_refuses_as_tflite(name: str, tmp_path: Path) -> None:
    tc.save(tc.convert(MODELS / "small" / f"{name}.tflite", target="ethos-u65"), tmp_path / "m.tosa")
    assert vela.compile_file(tmp_path / "m.tosa", "ethos-u65").whole


@needs_vela
@pytest.mark.parametrize("signature", ["prefill_8", "decode"])
def test_vela_takes_all_of_a_language_model(signature: str, tmp_path: Path) -> None:
    """Its embedding and positions, which the recipe leaves in floats, are look-ups of integers."""
    source = MODELS / "language" / "llama_hf.static_wi8_ai8.tflite"
    tc.save(tc.convert(source, target="ethos-u85", signature=signature), tmp_path / "m.tosa")
    assert vela.compile_file(tmp_path / "m.tosa", "ethos-u85").whole


@needs_vela
def test_refusals_of_vela_are_reported(tmp_path: Path) -> None:
    tc.save(tc.convert(FLOAT), tmp_path / "m.tosa")
    with pytest.raises(UnsupportedError, match=r"Vela refuses .*\n.*data type not supported"):
        vela.compile_file(tmp_path / "m.tosa", "ethos-u85")
    assert not vela.compile_file(FLOAT, "ethos-u85").whole


def test_missing_vela_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vela, "_command", lambda: None)
    hint = "pip install '.[vela]' in the checkout"
    assert vela.missing() == [f"Python package ethos-u-vela: {hint}"]
    with pytest.raises(MissingExtra):
        vela.compile_file(INT8, "ethos-u85")
