"""Graphs that few exporters write: shared and repeated outputs, equal names, several signatures, no operators."""

from pathlib import Path

import numpy as np
import pytest
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.engines import source_engine
from tosa_converter.engines.reference_model import ReferenceModel
from tosa_converter.formats import flatbuffer
from tosa_converter.proof.input_sets import random_inputs, rename_inputs
from tosa_converter.schemas import tflite
from tosa_converter.schemas.tflite import BuiltinOperator as B

F = Tensor((2, 3))
ROW = Tensor((3,), "float32", np.arange(3, dtype=np.float32))
RELU, TANH = Operator(B.RELU, (0,), (1,)), Operator(B.TANH, (0,), (2,))
SAME = Operator(B.RESHAPE, (0, 1), (2,))
SHAPE = Tensor((2,), "int32", np.array([2, 3], np.int32))


def named(data: bytes, names: tuple[str, ...] = (), signatures: dict[str, dict[str, int]] | None = None) -> bytes:
    """Returns the model with other tensor names, and a signature for each output of the one input."""
    root = flatbuffer.read(tflite.Model, data, tflite.IDENTIFIER)
    for tensor, name in zip(root.subgraphs[0].tensors, names, strict=False):
        tensor.name = name
    root.signature_defs = tuple(
        tflite.SignatureDef(
            signature_key=key,
            inputs=(tflite.TensorMap(name="x", tensor_index=0),),
            outputs=tuple(tflite.TensorMap(name=name, tensor_index=index) for name, index in outputs.items()),
        )
        for key, outputs in (signatures or {}).items()
    )
    return b"".join(map(bytes, flatbuffer.write(root, tflite.IDENTIFIER)))


BOTH = build([F, F, F], [RELU, TANH], (0,), (1, 2))
ADDED = build([F, F, F], [Operator(B.ADD, (0, 1), (2,))], (0, 1), (2,))
MODELS = {
    "two signatures": named(BOTH, signatures={"a": {"y": 1}, "b": {"z": 2}}),
    "one name for all": named(BOTH, ("t", "t", "t")),
    "names that others get": named(BOTH, ("t_2", "t", "t")),
    "no names": named(BOTH, ("", "", "")),
    "inputs of one name": named(ADDED, ("t", "t")),
    "output is input": named(build([F, F], [RELU], (0,), (0, 1)), signatures={"a": {"x": 0, "y": 1}}),
    "nothing but an input": named(build([F], [], (0,), (0,)), signatures={"a": {"y": 0}}),
    "constant output": named(build([F, F, ROW], [RELU], (0,), (1, 2)), signatures={"a": {"y": 1, "c": 2}}),
    "output twice": named(build([F, F], [RELU], (0,), (1, 1)), signatures={"a": {"y": 1, "z": 1}}),
    "input as output twice": build([F, F], [RELU], (0,), (0, 0, 1)),
    "constant twice": build([F, F, ROW], [RELU], (0,), (2, 2, 1)),
    "unused input": build([F, F, F], [RELU], (0, 2), (1,)),
    "unused operator": build([F, F, F], [RELU, TANH], (0,), (1,)),
    "identity": build([F, SHAPE, F], [SAME], (0,), (2,)),
    "no inputs": build([ROW, Tensor((3,))], [RELU], (), (1,)),
    "no outputs": build([F, F], [RELU], (0,), ()),
    "scalar": build([Tensor(()), Tensor(())], [RELU], (0,), (1,)),
}


@pytest.mark.parametrize("name", MODELS)
def test_odd_graphs_run_in_every_engine(tmp_path: Path, name: str) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    pytest.importorskip("tosa_reference_model", reason="the TOSA reference model is not installed")
    (tmp_path / "m.tflite").write_bytes(MODELS[name])
    source = tc.load(tmp_path / "m.tflite")
    tc.save(tc.convert(source), tmp_path / "m.tosa")
    tosa = tc.load(tmp_path / "m.tosa")
    assert len({value.name for value in source.main.inputs}) == len(source.main.inputs)
    assert len({value.name for value in tosa.main.outputs}) == len(source.main.outputs)
    fed = random_inputs(source.main.inputs, {}, 0)
    want = source_engine(source).run(source, fed).values()
    assert len(want) == len(source.main.outputs)
    engines = [source_engine(tosa), ReferenceModel()] if want else [source_engine(tosa)]
    for engine in engines:
        for ours, theirs in zip(engine.run(tosa, rename_inputs(source, tosa, fed)).values(), want, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-6)
    if want:
        assert all(comparison.verdict for comparison in tc.compare(source, tosa))


def test_signatures_follow_inputs_that_are_outputs(tmp_path: Path) -> None:
    (tmp_path / "m.tflite").write_bytes(MODELS["output is input"])
    tosa = tc.convert(tc.load(tmp_path / "m.tflite"))
    (signature,) = tosa.signatures.values()
    assert signature.inputs["x"] is tosa.main.inputs[0]
    assert list(signature.outputs.values()) == tosa.main.outputs
