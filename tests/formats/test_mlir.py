"""tosa-opt parses and validates the MLIR text that we write, and reads the same graph from it."""

import subprocess
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from support.commands import MODELS
from support.mlir_texts import tosa_opt
from support.some import some

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.formats import encode, parse
from tosa_converter.formats.mlir.writer import stream_mlir, write_mlir
from tosa_converter.ir import Graph, Model, Op, TensorType, Value
from tosa_converter.rewriting.builder import Builder
from tosa_converter.schemas import tosa_ops as ops


@tosa_opt
@pytest.mark.parametrize("name", ["digits_int8", "digits_float32"])
def test_tosa_opt_parses_and_validates(name: str, tmp_path: Path) -> None:
    model = tc.convert(tc.load(MODELS / f"{name}.tflite"))
    tc.save(model, tmp_path / "m.mlir")
    validate = "--tosa-validate=strict-op-spec-alignment"
    attach = "--tosa-attach-target=profiles=pro_int,pro_fp extensions=doubleround"
    done = subprocess.run(
        ["tosa-opt", tmp_path / "m.mlir", attach, validate], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr


@tosa_opt
def test_the_graph_survives_the_way_through_tosa_opt(tmp_path: Path) -> None:
    model = tc.convert(tc.load(MODELS / "digits_int8.tflite"))
    tc.save(model, tmp_path / "m.mlir")
    command = ["tosa-opt", f"{tmp_path}/m.mlir", "--tosa-serialize", f"--tosa-flatbuffer-filename={tmp_path}/m.tosa"]
    subprocess.run([*command, "-o", "/dev/null"], check=True, capture_output=True, timeout=120)
    reread = tc.load(tmp_path / "m.tosa")
    image = np.arange(64, dtype=np.int8).reshape(1, 8, 8, 1)
    ours = tc.run(model, {model.main.inputs[0].name: image})
    theirs = tc.run(reread, {reread.main.inputs[0].name: image})
    assert np.array_equal(next(iter(ours.values())), next(iter(theirs.values())))


def constants_of_every_type() -> Model:
    """Returns constants of each element type, which are outputs."""
    graph = Graph("types")
    builder = Builder(graph)
    rng = np.random.default_rng(0)
    for dtype in (DType.BOOL, DType.I8, DType.I16, DType.I32, DType.FP16, DType.BF16, DType.FP32, DType.FP8E4M3):
        values = rng.integers(0, 2, (2, 3)) if dtype is DType.BOOL else rng.normal(0, 40, (2, 3))
        graph.outputs.append(builder.emit(ops.IDENTITY, opaque(graph, dtype)))
        graph.outputs.append(builder.const(values.astype(dtype.numpy), dtype))
        graph.ops.append(some(graph.outputs[-1].producer))
    return Model({"types": graph})


def opaque(graph: Graph, dtype: DType) -> Value:
    value = Value(TensorType(dtype, (2, 3)), f"in_{dtype.value}")
    graph.inputs.append(value)
    return value


@tosa_opt
def test_every_element_type_parses(tmp_path: Path) -> None:
    (tmp_path / "t.mlir").write_text(write_mlir(constants_of_every_type()))
    done = subprocess.run(["tosa-opt", tmp_path / "t.mlir"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_large_constants_can_be_left_out() -> None:
    model = tc.load(MODELS / "digits_int8.tflite")
    text = write_mlir(model, elide=16)
    assert "dense_resource<__elided__>" in text
    assert len(text) < 20_000 < len(write_mlir(model))


def test_tosa_files_keep_names_and_locations() -> None:
    model = tc.convert(tc.load(MODELS / "digits_int8.tflite"))
    reread = parse(b"".join(map(bytes, encode(model, ".tosa"))))
    assert reread.main.name == "main"
    assert [v.name for v in reread.main.inputs] == ["image"]  # as the signature has them
    assert [v.name for v in reread.main.outputs] == ["output_0"]
    text = bytes(encode(model, ".mlir")[0]).decode()
    assert 'tensor_name = "image"' in text
    assert 'tensor_name = "output_0"' in text
    assert any("CONV_2D" in op.location for op in reread.main.ops)
    assert [op.name for op in reread.main.ops] == [op.name for op in model.main.ops]


def test_bytes_are_escaped_one_by_one() -> None:
    names = {"operator_name": "op", "domain_name": "example.org", "implementation_attrs": b"a\xff"}
    text = write_mlir(Model({"main": Graph("main", [], [], [Op("tosa.custom", (), (), names)])}))
    assert r'implementation_attrs = "\61\FF"' in text


def test_large_constants_are_written_piece_by_piece(tmp_path: Path) -> None:
    """The text is that of one piece; 64 MB of weights, whose digits are 128 MB, take the memory of a few pieces."""
    values = np.random.default_rng(0).integers(-128, 128, (64, 1 << 20)).astype(np.int8)
    constant = Op("tosa.const", (), [TensorType(DType.I8, values.shape)], {"values": values}, result_names=["\0big\0"])
    model = Model({"main": Graph("main", [], [constant.result], [constant])})
    expected = write_mlir(model, called=True).encode()
    assert b"".join(stream_mlir(model)) == expected
    assert b"".join(stream_mlir(model, names=True)) == write_mlir(model, called=True, names=True).encode()
    tracemalloc.start()
    tc.save(model, tmp_path / "m.mlir")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (tmp_path / "m.mlir").read_bytes() == expected
    assert peak < 24 << 20
