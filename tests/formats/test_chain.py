"""Manifests of chains written down by hand."""

import json
from pathlib import Path

import pytest

import tosa_converter as tc
from tosa_converter.errors import FormatError


def manifest(folder: Path, version: object) -> Path:
    """Writes a manifest of one input that is the output."""
    fields = {
        "format": "tosa-converter chain",
        "version": version,
        "numerics": "",
        "inputs": [{"name": "x", "type": "i8", "shape": [2, 3]}],
        "steps": [],
        "outputs": ["x"],
    }
    path = folder / "manifest.json"
    path.write_text(json.dumps(fields))
    return path


def test_version_1_is_read(tmp_path: Path) -> None:
    model = tc.load(manifest(tmp_path, 1))
    assert model.opset == "chain"
    assert [(value.name, str(value.type)) for value in model.main.outputs] == [("x", "i8[2x3]")]


@pytest.mark.parametrize("version", [0, 2, -1, "1", None, [1]])
def test_other_versions_are_refused(tmp_path: Path, version: object) -> None:
    with pytest.raises(FormatError, match="expected a manifest of format 'tosa-converter chain', version 1"):
        tc.load(manifest(tmp_path, version))
