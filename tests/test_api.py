"""The facade: what it takes for a model, a target and an engine, and what it says of anything else."""

import io
from pathlib import Path

import numpy as np
import pytest
from support.commands import FLOAT, INT8
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.formats import encode
from tosa_converter.ir import Graph, TensorType, Value
from tosa_converter.schemas.tflite import BuiltinOperator


def converted_bytes(model) -> bytes:
    return b"".join(map(bytes, encode(tc.convert(model), ".tosa")))


def test_the_version_is_that_of_the_package():
    from importlib.metadata import version

    assert tc.__version__ == version("tosa-converter")
    with pytest.raises(AttributeError, match="'tosa_converter' has no attribute 'nothing'"):
        _ = tc.nothing


@pytest.mark.parametrize("kind", [str, Path, Path.read_bytes, bytearray, memoryview, io.BytesIO, Path.open])
def test_a_model_from_whatever_holds_one(kind):
    made = INT8.open("rb") if kind is Path.open else kind(INT8.read_bytes() if kind in BUFFERS else INT8)
    with made if hasattr(made, "close") else io.StringIO():
        model = tc.load(made)
    assert converted_bytes(model) == converted_bytes(tc.load(str(INT8)))


BUFFERS = (bytearray, memoryview, io.BytesIO)


def test_weights_do_not_follow_the_memory_that_they_were_read_from():
    content = bytearray(INT8.read_bytes())
    model = tc.load(content)
    content[:] = bytes(len(content))
    assert converted_bytes(model) == converted_bytes(INT8)


@pytest.mark.parametrize("source", [5, None, io.StringIO("text"), [INT8]])
def test_what_is_no_model(source):
    with pytest.raises(tc.UsageError, match="expected a path, bytes or a file of bytes, found"):
        tc.load(source)
    with pytest.raises(tc.FormatError, match="an empty file"):
        tc.load(b"")


def test_convert_takes_what_load_takes_and_a_target_by_its_names():
    expected = converted_bytes(tc.load(INT8))
    assert converted_bytes(str(INT8)) == converted_bytes(INT8) == converted_bytes(INT8.read_bytes()) == expected
    assert tc.convert(INT8, target="pro-int,ext-doubleround").opset == "tosa"
    with pytest.raises(tc.UnsupportedError, match="the target is PRO-INT"):
        tc.convert(FLOAT, target="pro-int")
    with pytest.raises(tc.UsageError, match="found PRO-NOTHING"):
        tc.convert(INT8, target="pro-nothing")


def test_engines_by_name():
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    for against in ("executor", ["executor"]):
        (report,) = tc.compare(INT8, tc.convert(INT8), against=against)
        assert (report.engine, report.verdict) == ("executor", True)
    with pytest.raises(tc.UsageError, match="no engine is called 'nobody'"):
        tc.compare(INT8, tc.convert(INT8), against="executor, nobody")


def test_models_that_are_not_compared():
    source = tc.load(INT8)
    tosa = tc.convert(source)
    with pytest.raises(tc.UsageError, match="found models of tosa, tfl"):
        tc.compare(tosa, source)
    with pytest.raises(tc.UsageError, match="at least one run, found 0"):
        tc.compare(source, tosa, runs=0)
    tensors = [Tensor((4,)), Tensor((4,)), Tensor((4,))]
    other = build(tensors, [Operator(BuiltinOperator.ADD, (0, 1), (2,))], (0, 1), (2,))
    with pytest.raises(tc.UsageError, match=r"inputs and outputs \(1, 1\), \(2, 1\)"):
        tc.compare(source, tc.convert(other))


def test_an_unknown_batch_can_not_be_saved(tmp_path):
    tensors = [Tensor((1, 4), signature=(-1, 4)), Tensor((1, 4), signature=(-1, 4))]
    source = tc.load(build(tensors, [Operator(BuiltinOperator.RELU, (0,), (1,))], (0,), (1,)))
    with pytest.raises(tc.UnsupportedError, match=r"tfl.relu is not an operator of TOSA"):
        tc.save(source, tmp_path / "m.tosa")
    x = Value(TensorType(DType.FP32, (None, 4)), "x")
    with pytest.raises(tc.VerifyError, match=r"every dimension must be known: found %x: fp32\[\?x4\]"):
        tc.save(tc.Model({"main": Graph("main", [x], [x])}), tmp_path / "m.tosa")
    outputs = tc.run(tc.convert(source), {"t0": np.ones((1, 4), np.float32)})
    assert [array.shape for array in outputs.values()] == [(1, 4)]
    assert tc.convert(FLOAT, input_shapes={"image": [3, 8, 8, 1]}).main.inputs[0].type.shape == (3, 8, 8, 1)
