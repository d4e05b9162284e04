"""The second reading of TFLite files: all models agree, planted differences are seen, hostile files end in one error.

`tflite` is imported without a way to skip: where it is missing, these tests fail.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

import flatbuffers
import numpy as np
import pytest
import tflite
from support.commands import INT8, MODELS, command
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.formats import flatbuffer
from tosa_converter.formats.tflite import cross_check as checking
from tosa_converter.formats.tflite.reader import read_tflite
from tosa_converter.schemas import flat
from tosa_converter.schemas import tflite as rows
from tosa_converter.schemas.tflite import BuiltinOperator as B

EVERY = sorted(MODELS.rglob("*.tflite"))


@pytest.mark.parametrize("path", EVERY, ids=[path.name for path in EVERY])
def test_every_model_is_read_alike(path: Path) -> None:
    done = tc.cross_check(path)
    assert done.verdict, done.differences
    # The package is older than quantization by blocks: it reads no `details`.
    newer = {"details"} if re.search(r"_wi[24]b(32|64)_", path.name) else set[str]()
    assert {place.rpartition(".")[2] for place in done.newer} == newer
    assert done.fields > done.tables > 30


def test_there_are_models() -> None:
    assert len(EVERY) > 30


def places(**planted: Any) -> dict[str, tuple[str, str]]:
    """Returns the differences of the int8 model by their places."""
    return {row.place: (row.value, row.package_value) for row in tc.cross_check(INT8, **planted).differences}


@pytest.fixture
def unlayered(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Lets a test change rows: what was compiled of them is compiled again, then and afterwards."""
    monkeypatch.setattr(sys.modules[flatbuffer.layout.__module__], "_layouts", {})
    monkeypatch.setattr(flat, "_rows", {})
    return monkeypatch


def test_a_field_of_another_default_is_seen(unlayered: pytest.MonkeyPatch) -> None:
    unlayered.setattr(rows.Conv2DOptions, "dilation_w_factor", 2)
    differences = places()
    assert differences["Model.subgraphs[0].operators[0].builtin_options.dilation_w_factor"] == ("2", "1")
    assert len(differences) == 3


def test_fields_in_another_order_are_seen(unlayered: pytest.MonkeyPatch) -> None:
    names = dict(rows.Conv2DOptions.__annotations__)
    stride = names.pop("stride_w")
    unlayered.setattr(rows.Conv2DOptions, "__annotations__", {"stride_w": stride, **names})
    assert {place.rpartition(".")[2] for place in places()} >= {"stride_w", "padding"}


def test_a_missing_row_is_seen(unlayered: pytest.MonkeyPatch) -> None:
    names = dict(rows.Tensor.__annotations__)
    # The last field that the file has, so that no other one moves.
    del names["shape_signature"], names["has_rank"], names["variant_tensors"], names["external_buffer"]
    unlayered.setattr(rows.Tensor, "__annotations__", names)
    comparison = checking._Comparison(tflite)
    other = tflite.Model.GetRootAs(INT8.read_bytes(), 0).Subgraphs(0).Tensors(0)
    root = flatbuffer.read(rows.Model, INT8.read_bytes(), b"TFL3")
    comparison.compare_tables("tensor", root.subgraphs[0].tensors[0], other)
    assert {row.place for row in comparison.differences} == {"tensor.ShapeSignature", "tensor.HasRank"}


def test_members_of_a_union_in_another_order_are_seen() -> None:
    operator = rows.Operator(builtin_options=rows.Pool2DOptions(stride_w=2))
    comparison = checking._Comparison(tflite)
    data = INT8.read_bytes()
    conv = tflite.Model.GetRootAs(data, 0).Subgraphs(0).Operators(0)
    comparison.compare_tables("op", operator, conv)
    texts = {row.place: (row.value, row.package_value) for row in comparison.differences}
    assert texts["op.builtin_options"] == ("Pool2DOptions", "Conv2DOptions")
    assert texts["op.inputs (length)"] == ("0", "3")


def test_other_weights_names_and_types_are_seen() -> None:
    data = INT8.read_bytes()
    root = flatbuffer.read(rows.Model, data, b"TFL3")
    tensor = root.subgraphs[0].tensors[0]
    tensor.name, tensor.type, tensor.shape = "other", rows.TensorType.FLOAT16, (1, 2)
    assert tensor.quantization is not None
    tensor.quantization.scale = np.array([0.25], np.float32)
    weights = ((i, buffer.data) for i, buffer in enumerate(root.buffers) if buffer.data is not None)
    number, elements = next((i, array) for i, array in weights if array.size > 8)
    root.buffers[number].data = elements ^ np.uint8(1)
    root.signature_defs[0].signature_key = "else"
    comparison = checking._Comparison(tflite)
    comparison.compare_tables("Model", root, tflite.Model.GetRootAs(data, 0))
    texts = {row.place.removeprefix("Model."): row for row in comparison.differences}
    first = "subgraphs[0].tensors[0]"
    assert texts.keys() == {
        f"{first}.name",
        f"{first}.type",
        f"{first}.shape (length)",
        f"{first}.quantization.scale",
        f"buffers[{number}].data",
        "signature_defs[0].signature_key",
    }
    assert "sha256" in texts[f"buffers[{number}].data"].value
    assert texts["signature_defs[0].signature_key"].package_value == "serving_default"


def test_what_the_graph_makes_of_an_input_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    read = read_tflite

    def wrong(data: bytes, *, file: str) -> tc.Model:
        model = read(data, file=file)
        value = model.main.inputs[0]
        value.type = value.type._replace(dtype=tc.DType.UI8)
        return model

    monkeypatch.setattr(checking, "read_tflite", wrong)
    (difference,) = tc.cross_check(INT8).differences
    assert difference.place == "subgraph 0 inputs[0]"
    assert "uint8" in difference.value
    assert "int8" in difference.package_value


def test_an_exception_of_the_package_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> int:
        raise struct_error("unpack_from requires a buffer")

    struct_error = type("error", (Exception,), {})
    monkeypatch.setattr(tflite.Tensor, "Type", broken)
    done = tc.cross_check(INT8)
    assert not done.verdict
    assert done.differences[0].package_value == "unreadable: error: unpack_from requires a buffer"
    assert done.count > len(done.differences) / 2
    monkeypatch.setattr(tflite.Model, "GetRootAs", broken)
    (difference,) = tc.cross_check(INT8).differences
    assert difference.place == "Model"


@pytest.mark.parametrize("length", [2**31, -1, 0, "many", None])
def test_whatever_length_the_package_reads_is_bounded(length: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TensorsLength", "OperatorsLength", "InputsLength"):
        monkeypatch.setattr(tflite.SubGraph, name, lambda _: length)
    done = tc.cross_check(INT8)
    assert {row.place for row in done.differences} >= {"Model.subgraphs[0].tensors (length)"}


def test_the_newer_field_of_an_operator_code_is_read_as_it_stands() -> None:
    """ai-edge-quantizer leaves the older field 0, from which the package's function would answer ADD."""
    builder = flatbuffers.Builder()
    tflite.OperatorCodeStart(builder)
    builder.PrependInt32Slot(3, 114, 0)
    builder.Finish(tflite.OperatorCodeEnd(builder))
    code = tflite.OperatorCode.GetRootAs(builder.Output(), 0)
    assert code.BuiltinCode() == 0
    assert checking._builtin_code(code) == 114


def test_fields_that_the_package_lacks_are_told() -> None:
    tensor = rows.Tensor(name="x", external_buffer=7)
    builder = flatbuffers.Builder()
    name = builder.CreateString("x")
    tflite.TensorStart(builder)
    tflite.TensorAddName(builder, name)
    builder.Finish(tflite.TensorEnd(builder))
    comparison = checking._Comparison(tflite)
    comparison.compare_tables("tensor", tensor, tflite.Tensor.GetRootAs(builder.Output(), 0))
    assert (comparison.newer, comparison.differences) == (["tensor.external_buffer"], [])


def test_hostile_names_and_cut_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "x\x1b[31m\n" + "n" * 10_000
    data = build([Tensor((2,), name=name), Tensor((2,))], [Operator(B.RELU, (0,), (1,))], (0,), (1,))
    assert tc.cross_check(data).verdict
    for end in range(0, len(data), 97):
        with pytest.raises(tc.FormatError):
            tc.cross_check(data[:end])
    (tmp_path / "m.tflite").write_bytes(data)
    assert command("inspect", tmp_path / "m.tflite", "--cross-check") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "PASS  both read the same"


@pytest.mark.parametrize("verbose", [False, True])
def test_the_command(verbose: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["inspect", INT8, "--cross-check"]
    assert command(*words) == 0
    assert capsys.readouterr().out.splitlines()[-2:] == ["  98 tables, 613 fields", "PASS  both read the same"]
    monkeypatch.setattr(tflite.Tensor, "Name", lambda _: b"n\x1b[31m" * 1000)
    assert command(*words, *(["-v"] if verbose else [])) == 1
    lines = capsys.readouterr().out.splitlines()
    assert all(line.isprintable() for line in lines)
    assert lines[-1].startswith("FAIL  ")
    assert ("more: -v" in lines[-2]) != verbose
    assert (len(lines) > 50) == verbose
    assert command(*words, "--json") == 1
    figures = json.loads(capsys.readouterr().out)
    assert figures["verdict"] is False
    assert figures["differences"][0]["place"].endswith(".name")


def test_other_files_and_a_missing_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tc.save(tc.convert(INT8), tmp_path / "m.tosa")
    with pytest.raises(tc.UsageError, match="expects a TFLite file, found TOSA"):
        tc.cross_check(tmp_path / "m.tosa")
    assert command("inspect", INT8, "--cross-check", "--check") == 2
    monkeypatch.setitem(sys.modules, "tflite", None)
    with pytest.raises(tc.MissingExtra, match=r"pip install '.\[verify\]'"):
        tc.cross_check(INT8)
