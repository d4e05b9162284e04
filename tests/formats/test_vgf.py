"""The VGF library's own tools read our files, the model converter's files are read, hostile files are refused."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.some import some
from support.spirv_cases import CASES, CASES_BY_NAME, Case
from support.spirv_tools import binary, model_converter, unpacked
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.engines.vulkan import layer_environment, missing
from tosa_converter.errors import FormatError, MissingExtra, UnsupportedError
from tosa_converter.execute.plan import run
from tosa_converter.formats import encode, parse
from tosa_converter.formats.spirv.vgf import _Decoder, _import_library
from tosa_converter.formats.spirv.writer import write_spirv
from tosa_converter.ir import Model, TensorType
from tosa_converter.schemas.tflite import BuiltinOperator

pytest.importorskip("vgfpy", reason="ai-ml-sdk-vgf-library is not installed")

CONV = CASES_BY_NAME["CONV2D_i8_i8_i32_i32_1"]
REFUSALS = (FormatError, UnsupportedError)


def vgf(case: Case) -> bytes:
    return b"".join(map(bytes, encode(Model({"main": case.graph}), ".vgf")))


@pytest.mark.parametrize("case", CASES[::7], ids=lambda case: case.name)
def test_the_librarys_decoders_find_module_and_constants(case: Case) -> None:
    module = write_spirv(case.graph)
    words, constants = unpacked(vgf(case))
    assert words == module.words.tobytes()
    assert constants == {i: some(value.constant).tobytes() for i, value in enumerate(module.constants)}


def test_the_dump_tool_sees_inputs_outputs_and_constants(tmp_path: Path) -> None:
    path = tmp_path / "m.vgf"
    path.write_bytes(vgf(CONV))
    dump = subprocess.run(
        [some(binary("vgf_lib", "vgf_dump")), "-i", path], capture_output=True, text=True, check=True, timeout=120
    )
    dumped = json.loads(dump.stdout)
    resources = [(entry["category"], entry["shape"], entry["vk_format"]) for entry in dumped["resources"]]
    assert resources == [
        ("CONSTANT", [4, 3, 3, 3], "VK_FORMAT_R8_SINT"),
        ("INPUT", [2, 5, 4, 3], "VK_FORMAT_R8_SINT"),
        ("OUTPUT", [2, 4, 5, 4], "VK_FORMAT_R32_SINT"),
    ]
    sequence = dumped["model_sequence"]
    assert [entry["name"] for entry in sequence["inputs"] + sequence["outputs"]] == ["in0", "out0"]
    assert sequence["segments"][0]["type"] == "GRAPH"


@pytest.mark.parametrize("name", ["CONV2D_i8_i8_i32_i32_0", "TABLE_i16_i16_i32_0", "RFFT2D_fp32_0", "ADD_rank0"])
def test_files_are_read_back(name: str, tmp_path: Path) -> None:
    case = CASES_BY_NAME[name]
    tc.save(Model({"main": case.graph}), tmp_path / "m.vgf")
    model = tc.load(tmp_path / "m.vgf")
    expected = run(case.graph, case.inputs)
    outputs = tc.run(model, {key: array.reshape(array.shape or (1,)) for key, array in case.inputs.items()})
    assert {key: array.tobytes() for key, array in outputs.items()} == {k: a.tobytes() for k, a in expected.items()}


@model_converter
def test_files_of_the_model_converter_are_read(tmp_path: Path) -> None:
    tc.save(Model({"main": CONV.graph}), tmp_path / "m.tosa")
    program = some(binary("model_converter", "model-converter"))
    command = [program, "-i", str(tmp_path / "m.tosa"), "-o", str(tmp_path / "m.vgf")]
    subprocess.run(command, capture_output=True, check=True, timeout=120)
    model = tc.load(tmp_path / "m.vgf")
    (output,) = tc.run(model, {model.main.inputs[0].name: CONV.inputs["in0"]}).values()
    assert np.array_equal(output, run(CONV.graph, CONV.inputs)["out0"])


@pytest.mark.skipif(bool(missing()), reason="; ".join(missing()) or "nothing is missing")
def test_the_scenario_runner_executes_what_we_write(tmp_path: Path) -> None:
    (tmp_path / "m.vgf").write_bytes(vgf(CONV))
    np.save(tmp_path / "in0.npy", CONV.inputs["in0"])
    tensors = [
        {"uid": "in0", "dims": [2, 5, 4, 3], "format": "VK_FORMAT_R8_SINT", "shader_access": "readonly"},
        {"uid": "out0", "dims": [2, 4, 5, 4], "format": "VK_FORMAT_R32_SINT", "shader_access": "writeonly"},
    ]
    tensors[0]["src"], tensors[1]["dst"] = "in0.npy", "out0.npy"
    bindings = [{"set": 0, "id": i, "resource_ref": tensor["uid"]} for i, tensor in enumerate(tensors)]
    resources = [{"graph": {"uid": "m", "src": "m.vgf"}}, *({"tensor": tensor} for tensor in tensors)]
    commands = [{"dispatch_vgf": {"graph_ref": "m", "bindings": bindings}}]
    (tmp_path / "s.json").write_text(json.dumps({"commands": commands, "resources": resources}))
    runner = some(binary("scenario_runner", "scenario-runner"))
    environment = {**os.environ, **layer_environment(tmp_path)}
    command = [runner, "--scenario", str(tmp_path / "s.json"), "--output", str(tmp_path)]
    subprocess.run(command, env=environment, capture_output=True, check=True, timeout=120)
    assert np.array_equal(np.load(tmp_path / "out0.npy"), run(CONV.graph, CONV.inputs)["out0"])


def test_graph_constants_are_those_of_the_file() -> None:
    """The only one has the index 0; the next index, a number without one and other sizes are refused."""
    decoder = _Decoder(_import_library(), vgf(CONV))
    values = some(write_spirv(CONV.graph).constants[0].constant)
    type = TensorType(DType.I8, values.shape)
    np.testing.assert_array_equal(decoder._constant_elements(5, 0, type), values)
    for number, index in ((0, None), (6, 1), (7, 2)):
        with pytest.raises(FormatError, match=f"graph constant {number} is missing"):
            decoder._constant_elements(number, index, type)
    for size in (values.size - 1, values.size + 1):
        words = rf"graph constant 5: expected {size} bytes for i8\[{size}\], found {values.size}"
        with pytest.raises(FormatError, match=words):
            decoder._constant_elements(5, 0, TensorType(DType.I8, (size,)))


def test_segments_name_resources_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """They count from 0, so the number of resources is the first that is none."""
    decoder = _Decoder(_import_library(), vgf(CONV))
    decoder._require_independent(0)
    inputs, outputs = decoder._segment_resources(0)
    count = decoder.resources.size()
    assert max(*inputs, *outputs) < count
    for resource in (count, count + 1):
        monkeypatch.setattr(decoder, "_segment_resources", lambda _, resource=resource: [[resource], outputs])
        with pytest.raises(FormatError, match=f"segment 0: resource {resource} is missing"):
            decoder._require_independent(0)


@pytest.mark.parametrize("name", ["ModuleTable", "ModelSequenceTable", "ModelResourceTable", "Constants"])
def test_sections_lie_in_the_file(name: str) -> None:
    """A section may end with the file, and not a byte later."""
    whole = vgf(CONV)
    library = _import_library()
    header = library.CreateHeaderDecoder(whole, library.HeaderSize(), len(whole))
    offset, size = getattr(header, f"Get{name}Offset")(), getattr(header, f"Get{name}Size")()
    decoder = _Decoder(library, whole)
    create = {"ModuleTable": library.CreateModuleTableDecoder, "Constants": library.CreateConstantDecoder}
    create |= {"ModelSequenceTable": library.CreateModelSequenceTableDecoder}
    create |= {"ModelResourceTable": library.CreateModelResourceTableDecoder}
    decoder.raw = whole[: offset + size]
    decoder._section_decoder(create[name], header, name)
    assert decoder.sections[-1] == whole[offset : offset + size]
    decoder.raw = whole[: offset + size - 1]
    words = f"expected {name} of {size} bytes at {offset}, found {offset + size - 1} bytes"
    with pytest.raises(FormatError, match=words):
        decoder._section_decoder(create[name], header, name)


def test_a_file_has_a_header() -> None:
    size = _import_library().HeaderSize()
    with pytest.raises(FormatError, match=f"expected a header of {size} bytes, found {size - 1}"):
        _Decoder(_import_library(), vgf(CONV)[: size - 1])
    with pytest.raises(FormatError, match="expected the header of a VGF of this version"):
        _Decoder(_import_library(), vgf(CONV)[:size])


def test_spoiled_files_are_read_or_refused() -> None:
    whole = vgf(CONV)
    chance = random.Random(4)
    refused = 0
    for _ in range(1500):
        spoiled = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            spoiled[chance.randrange(4, len(spoiled))] = chance.choice((0, 1, 127, 128, 255))
        if chance.random() < 0.2:
            del spoiled[chance.randrange(8, len(spoiled)) :]
        try:
            parse(bytes(spoiled))
        except REFUSALS:
            refused += 1
    assert refused > 500


def test_a_missing_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vgfpy", None)
    with pytest.raises(MissingExtra, match=r"pip install '\.\[vgf\]'"):
        vgf(CONV)


def test_equal_constants_are_written_once(tmp_path: Path) -> None:
    """The library's decoder finds the elements of each, and the library's own file has the same size otherwise."""
    weight = np.random.default_rng(0).normal(size=(64, 64)).astype(np.float32)
    tensors = [Tensor([1, 64]), Tensor([64, 64], data=weight), Tensor([64, 64], data=weight.copy())]
    tensors += [Tensor([1, 64]), Tensor([1, 64])]
    layers = [Operator(BuiltinOperator.FULLY_CONNECTED, [i, 1 + i // 3], [3 + i // 3]) for i in (0, 3)]
    model, path = tc.convert(build(tensors, layers, [0], [4])), tmp_path / "model.vgf"
    tc.save(model, path)
    assert weight.nbytes < path.stat().st_size < 1.5 * weight.nbytes
    x = {model.main.inputs[0].name: np.ones((1, 64), np.float32)}
    (expected,), (y,) = tc.run(model, x).values(), tc.run(path, x).values()
    np.testing.assert_array_equal(y, expected)
