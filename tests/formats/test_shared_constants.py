"""One array that several signatures, operators or regions read is in a file once, and comes back once."""

import importlib.util
import io
import json
import os
import random
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.commands import MODELS, command
from support.mlir_texts import tosa_opt
from support.some import some
from support.spirv_tools import binary, spirv_tools, validate

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.engines.vulkan import layer_environment, missing
from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.formats import encode, parse
from tosa_converter.formats.mlir import resources
from tosa_converter.formats.spirv.writer import write_spirv
from tosa_converter.ir import Array, Border, Graph, Model, Op, Signature, TensorType, Value
from tosa_converter.schemas.spirv import MAGIC

SIDE = 64
WEIGHTS = np.random.default_rng(0).normal(size=(1, SIDE, SIDE)).astype(np.float32)
THREE = MODELS / "signatures_int8.tflite"
LLAMA = MODELS / "language" / "llama.float32.tflite"
needs_vgf = pytest.mark.skipif(importlib.util.find_spec("vgfpy") is None, reason="the VGF library is not installed")
ENDINGS = [".tosa", ".mlir", ".mlirbc", pytest.param(".vgf", marks=needs_vgf)]


def graph(name: str, rows: int, weights: Array = WEIGHTS) -> Graph:
    """Returns a graph that multiplies a matrix of so many rows with the weights, and the product once more."""
    x = Value(TensorType(DType.FP32, (1, rows, SIDE)), "x")
    zero = Op("tosa.const", (), [TensorType(DType.FP32, (1,))], {"values": np.zeros(1, np.float32)})
    ops, value = [zero], x
    for _ in range(2):
        constant = Op("tosa.const", (), [TensorType(DType.FP32, weights.shape)], {"values": weights.copy()})
        ops += [constant, Op("tosa.matmul", [value, constant.result, zero.result, zero.result], [x.type])]
        value = ops[-1].result
    value.name = "y"
    return Graph(name, [x], [value], ops)


def model(*names: str) -> Model:
    graphs = {name: graph(name, rows) for rows, name in enumerate(names or ("prefill", "decode"), 3)}
    return Model(graphs, {name: Signature.of(graph) for name, graph in graphs.items()})


def encoded(source: Model, ending: str) -> bytes:
    return b"".join(map(bytes, encode(source, ending)))


def weights_of(read: Model) -> list[Array]:
    ops = [op for graph in read.graphs.values() for op in graph.walk()]
    return [op.attributes["values"] for op in ops if op.name == "tosa.const" and op.result.type.shape == WEIGHTS.shape]


@pytest.mark.parametrize("ending", ENDINGS)
def test_graphs_and_operators_share_weights(ending: str) -> None:
    """Four constants of equal bytes are in the file once, and are one array again when it is read."""
    data = encoded(model(), ending)
    content = WEIGHTS.tobytes()
    assert data.count(content.hex().upper().encode() if ending == ".mlir" else content) == 1
    arrays = weights_of(parse(data))
    assert len(arrays) == 4
    assert all(np.array_equal(array, WEIGHTS) for array in arrays)
    assert len({array.ctypes.data for array in arrays}) == 1
    rewritten = encoded(parse(data), ending)
    assert len(rewritten) <= len(data)


@pytest.mark.parametrize("ending", [".tosa", ".mlir", ".mlirbc"])
def test_regions_share_weights(ending: str) -> None:
    branches = [graph(name, 3) for name in ("then", "else")]
    flag, x = Value(TensorType(DType.BOOL, (1,)), "flag"), Value(branches[0].inputs[0].type, "x")
    branch = Op("tosa.cond_if", [flag, x], [x.type], {}, regions=branches, result_names=["y"])
    data = encoded(Model({"main": Graph("main", [flag, x], [branch.result], [branch])}), ending)
    content = WEIGHTS.tobytes()
    assert data.count(content.hex().upper().encode() if ending == ".mlir" else content) == 1
    arrays = weights_of(parse(data))
    assert len(arrays) == 4
    assert all(np.array_equal(array, WEIGHTS) for array in arrays)


def test_subgraphs_of_a_tflite_file_share_weights(tmp_path: Path) -> None:
    """Converted and written back, prefill and decode still read one buffer of each."""
    tc.save(tc.load(LLAMA), tmp_path / "back.tflite")
    assert (tmp_path / "back.tflite").stat().st_size < 1.05 * LLAMA.stat().st_size
    assert tc.verify(LLAMA, tmp_path / "back.tflite").verdict


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("source", [THREE, LLAMA], ids=["signatures", "llama"])
def test_signatures_come_back(source: Path, ending: str, tmp_path: Path) -> None:
    converted, path = tc.convert(source), tmp_path / f"m{ending}"
    tc.save(converted, path)
    read = tc.load(path)
    names = {key: (set(s.inputs), set(s.outputs)) for key, s in converted.signatures.items()}
    assert {key: (set(s.inputs), set(s.outputs)) for key, s in read.signatures.items()} == names
    assert not read.notes
    assert len(read.borders) == len(converted.borders)
    pairs = {key: [state.carried for state in states] for key, states in converted.states.items()}
    assert {key: [state.carried for state in states] for key, states in read.states.items()} == pairs
    done = tc.verify(source, path)
    assert done.verdict
    assert {comparison.signature for comparison in done.comparisons} == set(names)


def test_small_files_of_one_use_are_as_before() -> None:
    """What occurs once stays where it stands, and so do constants that compilers look up."""
    text = encoded(Model({"main": graph("main", 3, WEIGHTS[:, :, :1].repeat(SIDE, 2))}), ".mlir").decode()
    assert text.count("dense_resource") == 2
    converted = tc.convert(MODELS / "language" / "llama.static_wi8_ai8.tflite")
    text = encoded(converted, ".mlir").decode()
    assert "dense_resource" in text
    functions = text.split("func.func")[1:]
    assert '"tosa.rescale"(' in text
    for function in functions:
        own = {line.split(" = ")[0].strip() for line in function.splitlines() if "dense_resource" in line}
        reads = [line for line in function.splitlines() if '"tosa.rescale"(' in line]
        operands = {name for line in reads for name in line.split('rescale"(')[1].split(")")[0].split(", ")[1:]}
        assert own
        assert not own & operands


@tosa_opt
def test_a_resource_is_read_by_tosa_opt(tmp_path: Path) -> None:
    path, flat = tmp_path / "m.mlir", tmp_path / "m.tosa"
    source = Model({"main": graph("main", 3)})
    tc.save(source, path)
    options = ["--tosa-serialize", f"--tosa-flatbuffer-filename={flat}", "-o", os.devnull]
    subprocess.run(["tosa-opt", path, *options], check=True, capture_output=True, timeout=120)
    x = np.random.default_rng(1).normal(size=(1, 3, SIDE)).astype(np.float32)
    read = tc.load(flat)
    (expected,), (y,) = tc.run(source, {"x": x}).values(), tc.run(read, {read.main.inputs[0].name: x}).values()
    np.testing.assert_array_equal(y, expected)
    path = tmp_path / "both.mlir"
    tc.save(model(), path)
    done = subprocess.run(["tosa-opt", path], check=True, capture_output=True, text=True, timeout=120)
    assert len({array.ctypes.data for array in weights_of(parse(done.stdout.encode()))}) == 1


RESOURCES = [
    ('constant_0: "0x10000000', 'constant_1: "0x10000000', "expected a section with resource 'constant_0', found none"),
    ('constant_0: "0x10000000', 'constant_0: "0x1000', "expected 16384 bytes for fp32[1x64x64], found 16382"),
    ('constant_0: "0x', 'constant_0: "', "expected a string of hexadecimal digits behind 0x"),
    ('constant_0: "0x1', 'constant_0: "0x', "expected pairs of hexadecimal digits"),
    (
        'constant_0: "0x',
        'constant_0: "0x00", constant_0: "0x',
        "a resource of another key, found 'constant_0' twice",
    ),
    ("builtin: {", "other: {", "expected a section with resource 'constant_0', found none"),
    ("dialect_resources", "external_resources", "expected a section with resource 'constant_0', found none"),
    ("#-}", "", "expected ',' or '#-}', found the end of the text"),
]


@pytest.mark.parametrize(("old", "new", "message"), RESOURCES)
def test_spoiled_resources(old: str, new: str, message: str) -> None:
    text = encoded(model(), ".mlir").decode()
    assert text.count(old) == 1
    with pytest.raises(FormatError) as raised:
        parse(text.replace(old, new).encode())
    assert message in str(raised.value)


def test_digests_tell_samples_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays with one sample are compared by their hashes; transposed views have the bytes that are written."""
    other = WEIGHTS.copy()
    other[0, 0, 1] += 1
    same = WEIGHTS.transpose(0, 2, 1).copy().transpose(0, 2, 1)
    graphs = {name: graph(name, 3) for name in "abc"}
    for name, values in zip("abc", (WEIGHTS, other, same), strict=True):
        for op in graphs[name].ops:
            if op.name == "tosa.const" and op.result.type.shape == WEIGHTS.shape:
                op.attributes["values"] = values
    text = encoded(Model(graphs), ".mlir").decode()
    assert text.count("dense_resource<constant_0>") == 4
    assert text.count("dense_resource<constant_1>") == 2
    assert text.count(WEIGHTS.tobytes().hex().upper()) == 1
    monkeypatch.setattr(resources, "SMALLEST", WEIGHTS.nbytes + 1)
    assert "dense_resource" not in encoded(Model(graphs), ".mlir").decode()


# ** .vgf **


@needs_vgf
def test_the_dump_tool_sees_a_segment_for_each_graph(tmp_path: Path) -> None:
    tc.save(model(), tmp_path / "m.vgf")
    tool = [some(binary("vgf_lib", "vgf_dump")), "-i", str(tmp_path / "m.vgf")]
    dumped = json.loads(subprocess.run(tool, capture_output=True, text=True, check=True, timeout=120).stdout)
    sequence = dumped["model_sequence"]
    assert [segment["name"] for segment in sequence["segments"]] == ["prefill", "decode"]
    # Equal constants of one module are two, as in a file of one graph; the next module binds one and adds one.
    assert [segment["constants"] for segment in sequence["segments"]] == [[0, 1], [0, 2]]
    names = [(entry["name"], entry["binding"]) for entry in sequence["inputs"] + sequence["outputs"]]
    assert names == [("prefill/x", 0), ("decode/x", 2), ("prefill/y", 1), ("decode/y", 3)]


@needs_vgf
@spirv_tools
def test_the_modules_are_valid(tmp_path: Path) -> None:
    tc.save(tc.convert(THREE), tmp_path / "m.vgf")
    for i in range(3):
        module = tmp_path / f"{i}.spv"
        tool = [
            some(binary("vgf_lib", "vgf_dump")),
            "-i",
            str(tmp_path / "m.vgf"),
            "--dump-spirv",
            str(i),
            "-o",
            str(module),
        ]
        subprocess.run(tool, check=True, capture_output=True, timeout=120)
        assert validate(module) == ""


@needs_vgf
@pytest.mark.skipif(bool(missing()), reason="; ".join(missing()) or "nothing is missing")
def test_the_scenario_runner_executes_all_segments(tmp_path: Path) -> None:
    """It runs the segments one after the other; inputs and outputs are known to it by their bindings."""
    source, tensors = model(), []
    tc.save(source, tmp_path / "m.vgf")
    rng = np.random.default_rng(2)
    inputs = {name: rng.normal(size=(1, rows, SIDE)).astype(np.float32) for rows, name in enumerate(source.graphs, 3)}
    for name, x in inputs.items():
        np.save(tmp_path / f"{name}_x.npy", x)
        for side, access, key in (("x", "readonly", "src"), ("y", "writeonly", "dst")):
            row = {"uid": f"{name}_{side}", "dims": list(x.shape), "format": "VK_FORMAT_R32_SFLOAT"}
            tensors.append(row | {"shader_access": access, key: f"{name}_{side}.npy"})
    bindings = [{"set": 0, "id": i, "resource_ref": tensor["uid"]} for i, tensor in enumerate(tensors)]
    scenario = {
        "commands": [{"dispatch_vgf": {"graph_ref": "m", "bindings": bindings}}],
        "resources": [{"graph": {"uid": "m", "src": "m.vgf"}}, *({"tensor": tensor} for tensor in tensors)],
    }
    (tmp_path / "s.json").write_text(json.dumps(scenario))
    runner = some(binary("scenario_runner", "scenario-runner"))
    environment = {**os.environ, **layer_environment(tmp_path)}
    words = [runner, "--scenario", str(tmp_path / "s.json"), "--output", str(tmp_path)]
    subprocess.run(words, env=environment, capture_output=True, check=True, timeout=300)
    for name, x in inputs.items():
        expected = tc.run(source, {"x": x}, signature=name)["y"]
        np.testing.assert_allclose(np.load(tmp_path / f"{name}_y.npy"), expected, rtol=1e-4, atol=1e-3)


@needs_vgf
def test_commands_take_a_file_of_several_signatures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.vgf"
    assert command(THREE, "-o", path) == 0
    assert [entry.name for entry in tmp_path.iterdir()] == ["m.vgf"]
    assert command("verify", THREE, path) == 0
    assert command("run", path, "--signature", "mix") == 0
    capsys.readouterr()
    assert command("inspect", path) == 0
    printed = capsys.readouterr().out
    assert all(f"signature '{name}'" in printed for name in ("classify", "encode", "mix"))
    assert command("inspect", path, "--asm") == 0
    printed = capsys.readouterr().out
    assert [line for line in printed.splitlines() if line.startswith("; Segment")] == [
        f"; Segment: '{name}'" for name in ("classify", "encode", "mix")
    ]
    assert printed.count("OpGraphEntryPointARM") == 3


def patched(data: bytes, old: bytes, new: bytes) -> bytes:
    assert old in data
    assert len(old) == len(new)
    return data.replace(old, new)


DESCRIBED = (1000460000, 100, [1, 3, SIDE])  # a tensor of fp32 for the VGF library


def library_file(encoder: Any, slots: Sequence[Any]) -> bytes:
    """Returns the file of an encoder whose first slot is the model's input and whose last one is its output."""
    encoder.AddModelSequenceInputsOutputs([slots[0]], ["x"], [slots[-1]], ["y"])
    encoder.Finish()
    stream = io.BytesIO()
    encoder.WriteTo(stream)
    return stream.getvalue()


@needs_vgf
def test_segments_that_pass_tensors_on_are_refused() -> None:
    """A model in parts, as a converter writes it that splits one: the second part reads what the first one computes."""
    import vgfpy

    encoder = vgfpy.CreateEncoder(0)
    ends = [encoder.AddInputResource(*DESCRIBED, []), encoder.AddOutputResource(*DESCRIBED, [])]
    between = encoder.AddIntermediateResource(*DESCRIBED, [])
    slots = []
    for name, pair in (("first", (ends[0], between)), ("second", (between, ends[1]))):
        code = encoder.AddModule(vgfpy.ModuleType.Graph, name, name, write_spirv(graph(name, 3)).words)
        reads, writes = (encoder.AddBindingSlot(i, resource) for i, resource in enumerate(pair))
        slots += [reads, writes]
        encoder.AddSegmentInfo(code, name, [encoder.AddDescriptorSetInfo([reads, writes], 0)], [reads], [writes])
    with pytest.raises(UnsupportedError, match="segment 0 passes tensors to other segments"):
        parse(library_file(encoder, slots))


@needs_vgf
def test_a_module_of_two_segments_is_refused() -> None:
    import vgfpy

    encoder = vgfpy.CreateEncoder(0)
    code = encoder.AddModule(vgfpy.ModuleType.Graph, "main", "main", write_spirv(graph("main", 3)).words)
    ends = [encoder.AddInputResource(*DESCRIBED, []), encoder.AddOutputResource(*DESCRIBED, [])]
    reads, writes = (encoder.AddBindingSlot(i, resource) for i, resource in enumerate(ends))
    for name in ("first", "second"):
        encoder.AddSegmentInfo(code, name, [encoder.AddDescriptorSetInfo([reads, writes], 0)], [reads], [writes])
    with pytest.raises(FormatError, match="segment 1: expected a module of its own, found one of another segment"):
        parse(library_file(encoder, [reads, writes]))


@needs_vgf
def test_signatures_of_one_name_are_refused() -> None:
    source = model()
    first, second = source.graphs.values()
    source.signatures = {"one": Signature.of(first), "two": Signature.of(second)}
    source.borders = {graph.inputs[0]: Border("x", graph.inputs[0].type) for graph in source.graphs.values()}
    data = encoded(source, ".vgf")
    assert set(parse(data).signatures) == {"one", "two"}
    with pytest.raises(FormatError, match="segment 1: another segment has signature 'one'"):
        parse(patched(data, b'"two"', b'"one"'))


@needs_vgf
def test_segments_with_one_name_are_refused() -> None:
    data = encoded(model("first_graph", "other_graph"), ".vgf")
    with pytest.raises(FormatError, match="segment 1: expected one graph with a name of its own, found 'first_graph'"):
        parse(patched(data, b"other_graph", b"first_graph"))


@needs_vgf
def test_constants_are_not_shared_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tosa_converter.formats.spirv.vgf.SPLATS", 0)
    names = [f"graph{i}" for i in range(12)]
    data = encoded(model(*names), ".vgf")
    assert len(parse(data).graphs) == 12
    monkeypatch.setattr("tosa_converter.formats.spirv.vgf.EXPANSION", 1)
    with pytest.raises(FormatError, match="constants are shared so often that"):
        parse(data)


def _spoil(chance: random.Random, whole: bytes, low: int, high: int) -> bytes:
    spoiled = bytearray(whole)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(low, high)
        spoiled[place] = chance.choice((0, 1, 2, 34, 48, 125, 127, 128, 255, spoiled[place] ^ 1))
    if chance.random() < 0.1:
        del spoiled[chance.randrange(8, len(spoiled)) :]
    return bytes(spoiled)


@needs_vgf
def test_spoiled_segments_are_read_or_refused() -> None:
    """Anywhere in a file of three segments; half of the mutants are of the tables behind the modules."""
    whole = encoded(tc.convert(THREE), ".vgf")
    chance, refused = random.Random(5), 0
    tables = whole.rindex(MAGIC.to_bytes(4, "little"))
    for i in range(2500):
        try:
            read = parse(_spoil(chance, whole, tables if i % 2 else 4, len(whole)))
        except (FormatError, UnsupportedError):
            refused += 1
        else:
            assert 1 <= len(read.graphs) <= 3
    assert 300 < refused < 2500


def test_spoiled_sections_are_read_or_refused() -> None:
    whole = encoded(model(), ".mlir")
    section = whole.index(b"{-#")
    chance, refused = random.Random(6), 0
    for i in range(1500):
        end = section + 120 if i % 2 else len(whole)
        try:
            read = parse(_spoil(chance, whole, section, end))
        except (FormatError, UnsupportedError):
            refused += 1
        else:
            assert len(read.graphs) == 2
    assert 100 < refused < 1500
