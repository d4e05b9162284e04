"""Arm's adapters for Model Explorer read our files; the test needs the extra `show`."""

from collections import Counter
from pathlib import Path

import pytest
from support.commands import INT8, MODELS

import tosa_converter as tc
from tosa_converter.ir import CONSTANTS
from tosa_converter.pictures import server


@pytest.mark.parametrize("ending", [".tosa", ".vgf", ".spv"])
@pytest.mark.parametrize("path", [INT8, MODELS / "digits_float32.tflite", MODELS / "loop_gru_float32.tflite"])
def test_adapters_read_what_is_written(tmp_path: Path, path: Path, ending: str) -> None:
    pytest.importorskip("model_explorer", reason="the extra show is not installed")
    if ending not in server.ADAPTERS:
        pytest.skip(f"Arm has no adapter of {ending} for this Python")
    converted = tc.convert(path, state="io", control_flow="flatten")
    tc.save(converted, tmp_path / f"m{ending}")
    labels = Counter(server.read_by_adapter(str(tmp_path / f"m{ending}")))
    expected = Counter(op.row.name for op in converted.main if op.name not in CONSTANTS)
    assert {name: labels[name] for name in expected} == dict(expected)
