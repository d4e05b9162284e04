"""Manifests of chains written down by hand, and their limits."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.commands import INT8

import tosa_converter as tc
from tosa_converter.errors import FormatError
from tosa_converter.formats import chain, parse
from tosa_converter.ir import Graph, Model, Op, Value

NAMED = "tosa-converter chain"


def fields(**changes: object) -> dict[str, Any]:
    """Returns a manifest of one input that is the output."""
    tensor = {"name": "x", "type": "i8", "shape": [2, 3]}
    return {
        "format": NAMED,
        "version": 1,
        "numerics": "",
        "inputs": [tensor],
        "steps": [],
        "outputs": ["x"],
        **changes,
    }


def manifest(folder: Path, **changes: object) -> Path:
    path = folder / "manifest.json"
    path.write_text(json.dumps(fields(**changes)))
    return path


def test_version_1_is_read(tmp_path: Path) -> None:
    model = tc.load(manifest(tmp_path, version=1, numerics="reference"))
    assert model.opset == "chain"
    assert model.metadata == {"numerics": "reference"}
    assert [(value.name, str(value.type)) for value in model.main.outputs] == [("x", "i8[2x3]")]


@pytest.mark.parametrize("version", [0, 2, -1, "1", None, [1]])
def test_other_versions_are_refused(tmp_path: Path, version: object) -> None:
    with pytest.raises(FormatError, match="expected a manifest of format 'tosa-converter chain', version 1"):
        tc.load(manifest(tmp_path, version=version))


@pytest.mark.parametrize(
    ("shape", "read"),
    [
        ([], True),
        ([0, 1], True),
        ([None, 2**31 - 1], True),
        ([2**31], False),
        ([2**31, 1], False),
        ([1, -1], False),
        ([-1, 1], False),
        ([1.0], False),
        ([1, True], False),
    ],
)
def test_sizes_of_a_tensor_are_from_0_to_31_bits(tmp_path: Path, shape: list[object], read: bool) -> None:
    path = manifest(tmp_path, inputs=[{"name": "x", "type": "fp32", "shape": shape}])
    if read:
        assert list(tc.load(path).main.inputs[0].type.shape) == shape
    else:
        with pytest.raises(FormatError) as caught:
            tc.load(path)
        assert caught.value.path == "inputs[0]"
        assert f"expected a type and a shape, found 'fp32' and {shape}" in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "path", "reason"),
    [
        ({"inputs": [{"name": "x", "type": "i5", "shape": [1]}]}, "inputs[0]", "expected a type and a shape"),
        ({"inputs": [{"name": "x", "type": "i8"}]}, "inputs[0]", "expected list 'shape', found NoneType"),
        ({"inputs": [{"name": 1, "type": "i8", "shape": []}]}, "inputs[0]", "expected str 'name', found int"),
        ({"inputs": [[]]}, "inputs[0]", "expected str 'name', found NoneType"),
        ({"inputs": [{"name": "x", "type": "i8", "shape": []}] * 2}, "inputs", "tensor 'x' is made twice"),
        ({"outputs": ["x", "y"]}, "outputs", "tensor 'y' is used before any step makes it"),
        ({"outputs": [0]}, "outputs", "tensor 0 is used before any step makes it"),
        ({"outputs": None}, "", "expected list 'outputs', found NoneType"),
        ({"steps": [{"inputs": [], "file": 1}]}, "steps[0]", "expected str 'file', found int"),
        (
            {"steps": [{"inputs": ["z"], "file": "0.tosa"}]},
            "steps[0].inputs",
            "tensor 'z' is used before any step",
        ),
        ({"steps": [{"inputs": [], "file": "0.tosa"}]}, "steps[0].file", "expected a .tosa or .tflite file beside"),
    ],
)
def test_what_a_manifest_lacks(tmp_path: Path, changes: dict[str, Any], path: str, reason: str) -> None:
    with pytest.raises(FormatError) as caught:
        tc.load(manifest(tmp_path, **changes))
    assert (caught.value.path, caught.value.file) == (path, str(tmp_path / "manifest.json"))
    assert reason in str(caught.value)


def test_the_format_is_named_in_the_first_200_bytes(tmp_path: Path) -> None:
    text = json.dumps(fields())
    begin = text.index(NAMED) + len(NAMED)
    for spaces in (200 - begin, 201 - begin):
        assert chain.looks_like_chain((" " * spaces + text).encode()) == (spaces == 200 - begin)
    (tmp_path / "manifest.json").write_text(" " * (200 - begin) + text)
    assert tc.load(tmp_path).opset == "chain"
    assert not chain.looks_like_chain(b"[" + text.encode())
    with pytest.raises(FormatError, match="a manifest has files beside it, so it is read by its path"):
        parse(text.encode())


def test_a_manifest_has_up_to_16_mib(tmp_path: Path) -> None:
    path, text = tmp_path / "manifest.json", json.dumps(fields())
    path.write_text(text + " " * (16 * 2**20 - len(text)))
    assert tc.load(path).opset == "chain"
    path.write_text(text + " " * (16 * 2**20 - len(text) + 1))
    with pytest.raises(FormatError, match="expected a manifest of at most 16777216 bytes, found 16777217"):
        tc.load(path)


def test_files_and_their_sizes_are_told(tmp_path: Path) -> None:
    """Each step has a file of its number; the types between them are those of the files, but for unknown sizes."""
    part = tc.convert(INT8)
    x = Value(part.main.inputs[0].type, "x")
    step = Op(chain.STEP, [x], [part.main.outputs[0].type], {"model": part})
    step.result.name = "y"
    size = chain.save_chain(Model({"main": Graph("main", [x], [step.result], [step])}), tmp_path / "m.json")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0.tosa", "m.json"]
    assert size == sum(path.stat().st_size for path in tmp_path.iterdir())
    root = json.loads((tmp_path / "m.json").read_text())
    assert root == fields(
        inputs=[{"name": "x", "type": "i8", "shape": [1, 8, 8, 1]}],
        steps=[{"file": "0.tosa", "inputs": ["x"], "outputs": [{"name": "y", "type": "i8", "shape": [1, 10]}]}],
        outputs=["y"],
    )

    def read(**changes: object) -> Model:
        (tmp_path / "m.json").write_text(json.dumps(root | changes))
        return tc.load(tmp_path / "m.json")

    model = read()
    (op,) = model.main.ops
    assert (op.name, op.location, model.main.outputs) == (chain.STEP, "0.tosa", list(op.results))
    assert [str(value.type) for value in (*op.operands, *op.results)] == ["i8[1x8x8x1]", "i8[1x10]"]
    assert read(inputs=[{"name": "x", "type": "i8", "shape": [None, 8, 8, 1]}]).main.inputs[0].type.shape[0] is None
    for type, shape in [("i8", [1, 8, 8]), ("i8", [1, 8, 8, 1, 1]), ("i8", [1, 8, None, 2]), ("ui8", [1, 8, 8, 1])]:
        with pytest.raises(FormatError, match=r"'0\.tosa' has .*, the manifest "):
            read(inputs=[{"name": "x", "type": type, "shape": shape}])
    with pytest.raises(FormatError, match=r"expected the 1 tensors of '0\.tosa', found 2"):
        read(steps=[{**root["steps"][0], "inputs": ["x", "x"]}])
    with pytest.raises(FormatError, match=r"expected a separate file for each step, found '0\.tosa' twice"):
        read(steps=[root["steps"][0], {**root["steps"][0], "outputs": []}])
