"""Models of several signatures, each alone and all together, by the names of signatures and of tensors."""

import functools
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.commands import INT8, MODELS
from support.tflite_models import Operator, Subgraph, Tensor, build, signed

import tosa_converter as tc
from tosa_converter.cli import main as cli
from tosa_converter.errors import FormatError, UnsupportedError, UsageError
from tosa_converter.formats import encode, parse, paths_of_graphs
from tosa_converter.ir import Array, Signature
from tosa_converter.rewriting.signatures import split_by_signature
from tosa_converter.schemas.tflite import BuiltinOperator as B

THREE = MODELS / "signatures_int8.tflite"
NAMES = ("classify", "encode", "mix")


@functools.cache
def random_arrays(name: str) -> dict[str, Array]:
    """Returns random inputs by the signature's names."""
    inputs = tc.load(THREE).signatures[name].inputs
    rng = np.random.default_rng(5)
    return {key: rng.integers(-128, 128, value.type.static, np.int8) for key, value in inputs.items()}


@functools.cache
def expected(name: str) -> dict[str, Array]:
    """Returns the outputs of LiteRT's signature runner."""
    litert = pytest.importorskip("ai_edge_litert.interpreter", reason="LiteRT is not installed")
    kind = litert.OpResolverType.BUILTIN_REF
    interpreter = litert.Interpreter(model_path=str(THREE), experimental_op_resolver_type=kind)
    outputs: dict[str, Array] = interpreter.get_signature_runner(name)(**random_arrays(name))
    return outputs


def assert_equal(outputs: dict[str, Array], name: str) -> None:
    assert outputs.keys() == expected(name).keys()
    for key, array in expected(name).items():
        np.testing.assert_array_equal(outputs[key], array)


@pytest.mark.parametrize("ending", [".tosa", ".vgf", ".spv"])
@pytest.mark.parametrize("name", NAMES)
def test_each_signature_alone_equals_litert(name: str, ending: str, tmp_path: Path) -> None:
    tosa = tc.convert(THREE, signature=name)
    assert len(tosa.graphs) == 1
    assert tosa.report.source_ops.total() == len([op for op in tc.selected(THREE, name).main if "const" not in op.name])
    path = tmp_path / f"m{ending}"
    if ending == ".vgf":
        pytest.importorskip("vgfpy", reason="the VGF library is not installed")
    tc.save(tosa, path, debug=path.suffix != ".tosa")
    assert_equal(tc.run(path, random_arrays(name)), name)


@pytest.mark.parametrize("ending", [".tosa", ".vgf", ".spv"])
def test_all_signatures_together_are_written_to_their_files(ending: str, tmp_path: Path) -> None:
    tosa = tc.convert(THREE)
    assert tuple(tosa.graphs) == NAMES
    path = tmp_path / f"m{ending}"
    if ending == ".vgf":
        pytest.importorskip("vgfpy", reason="the VGF library is not installed")
    tc.save(tosa, path, debug=path.suffix != ".tosa")
    names = [path.name] if ending != ".spv" else [f"m.{name}{ending}" for name in NAMES]
    assert [os.path.basename(name) for name in paths_of_graphs(tosa, path)] == names
    assert {entry.name for entry in tmp_path.iterdir() if entry.suffix == ending} == set(names)
    for i, name in enumerate(NAMES):
        model = tc.selected(path, name) if ending != ".spv" else tc.load(tmp_path / names[i])
        assert_equal(tc.run(model, random_arrays(name)), name)


def test_all_signatures_are_verified() -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    done = tc.verify(THREE, runs=2, against="litert,tosa-reference-model", layers=True)
    assert [(c.signature, c.engine) for c in done.comparisons] == [
        (name, engine) for name in NAMES for engine in ("executor", "tosa-reference-model")
    ]
    assert done.verdict
    assert not any(output.mismatches for c in done.comparisons for output in c.outputs)
    alone = tc.verify(THREE, signature="mix")
    assert alone.verdict
    assert [c.signature for c in alone.comparisons] == [""]
    borders = tc.verify(THREE, io_types={"x": "uint8", "features": "float32"})
    assert borders.verdict
    assert {note.location for note in borders.notes} == {
        "output 'StatefulPartitionedCall_1:0'",
        *(f"input '{name}_x:0'" for name in NAMES),
        "input 'x'",
    }


def test_a_selected_model_runs_in_litert_under_either_name() -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    for name in NAMES:
        model = tc.selected(THREE, name)
        by_signature = list(tc.run(model, random_arrays(name)).values())
        tensors = {model.signatures[name].inputs[key].name: array for key, array in random_arrays(name).items()}
        by_tensor_name = list(tc.run(model, tensors).values())
        outputs = model.signatures[name].outputs
        by_tensor = {value.name: key for key, value in outputs.items()}
        for array, other, value in zip(by_signature, by_tensor_name, model.main.outputs, strict=True):
            np.testing.assert_array_equal(array, other)
            np.testing.assert_array_equal(array, expected(name)[by_tensor[value.name]])


def test_inputs_are_named_by_signature_and_tensor() -> None:
    with pytest.raises(UsageError, match="no signature is called 'nope'; there are 'classify', 'encode', 'mix'"):
        tc.selected(THREE, "nope")
    with pytest.raises(UsageError, match="there are none"):
        tc.selected(build([Tensor((1,))] * 2, [Operator(B.RELU, (0,), (1,))], (0,), (1,)), "x")
    for shape, fitting in (((1, 16, 16, 3), "encode_x:0"), ((1, 4, 4, 8), "mix_x:0")):
        assert tc.convert(THREE, input_shapes={"x": shape}).graphs
        assert tc.convert(THREE, input_shapes={fitting: shape}).graphs
    with pytest.raises(UsageError, match=r"input shape: expected a shape of i8\[1x4x4x8\].* for 'x', found \[2, 2\]"):
        tc.convert(THREE, input_shapes={"x": (2, 2)})
    with pytest.raises(UsageError, match="no input is called 'y'; there are classify_x:0, encode_x:0, mix_weight:0"):
        tc.convert(THREE, input_shapes={"y": (2, 2)})


def nested() -> tc.Model:
    """Returns a model whose main and second graphs call the third; all but the third have a signature."""
    a, b = Tensor((2,)), Tensor((2,))

    def calling(number: int) -> Operator:
        options = {"name": "composite", "decomposition_subgraph_index": number}
        return Operator(B.STABLEHLO_COMPOSITE, (0,), (1,), options)

    graphs = [Subgraph([a, b], [operator], (0,), (1,)) for operator in (calling(2), Operator(B.EXP, (0,), (1,)))]
    data = build(
        [a, b], [calling(2)], (0,), (1,), [*graphs, Subgraph([a, b], [Operator(B.NEG, (0,), (1,))], (0,), (1,))]
    )
    model = parse(data)
    for name in ("main", "called_0", "called_2"):
        graph = model.graphs[name]
        model.signatures[f"of_{name}"] = Signature(name, {"in": graph.inputs[0]}, {"out": graph.outputs[0]})
    return model


def test_called_graphs_come_with_a_selected_signature() -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    model = nested()
    chosen = tc.selected(model, "of_called_0")
    assert list(chosen.graphs) == ["called_0", "called_1"]
    assert chosen.main.ops[0].attributes["decomposition_subgraph_index"] == 1
    assert model.graphs["called_0"].ops[0].attributes["decomposition_subgraph_index"] == 2  # the source is unchanged
    assert list(parse(b"".join(map(bytes, encode(chosen, ".tflite")))).graphs) == ["called_0", "called_1"]
    tosa = tc.convert(model)
    assert list(tosa.graphs) == ["of_main", "of_called_0", "of_called_2"]
    x = np.array([0, 1], np.float32)
    for name, sign in (("of_main", np.exp), ("of_called_0", np.exp), ("of_called_2", np.negative)):
        (output,) = tc.run(tc.selected(tosa, name), {"in": x}).values()
        np.testing.assert_allclose(output, sign(x), rtol=1e-6)
    assert list(split_by_signature(model)) == ["of_main", "of_called_0", "of_called_2"]
    del model.signatures["of_main"], model.signatures["of_called_2"]
    assert list(split_by_signature(model)) == ["", "of_called_0"]
    del model.signatures["of_called_0"]
    assert list(split_by_signature(model)) == [""]
    graph = model.graphs["called_0"]
    model.signatures["bad"] = Signature("called_0", {"in": graph.inputs[0]}, {"out": graph.outputs[0]})
    graph.ops[0].attributes["decomposition_subgraph_index"] = 9
    with pytest.raises(FormatError, match="no subgraph 9, there are 4"):
        tc.selected(model, "bad")


def test_one_graph_keeps_its_name() -> None:
    assert list(tc.convert(INT8).graphs) == ["main"]
    assert tc.selected(INT8, "serving_default").edited is False


def command(capsys: pytest.CaptureFixture[str], *words: Any) -> tuple[int, str]:
    with pytest.raises(SystemExit) as exit:
        cli.main([str(word) for word in words])
    out = capsys.readouterr()
    return int(exit.value.code or 0), out.out + out.err


def test_the_commands_take_a_signature(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    monkeypatch.chdir(tmp_path)
    status, text = command(capsys, THREE, "-o", "m.spv")
    assert status == 0
    assert " ".join(text.split()).startswith(f"{THREE} -> m.classify.spv, m.encode.spv, m.mix.spv operators ")
    status, text = command(capsys, THREE, "-o", "m.tosa", "--signature", "mix", "--json")
    assert (status, json.loads(text)["files"]) == (0, ["m.tosa"])
    for name, array in random_arrays("mix").items():
        np.save(f"{name}.npy", array)
    for model, chosen in ((THREE, ["--signature", "mix"]), ("m.tosa", []), ("m.mix.spv", [])):
        words = ("-i", "x=x.npy", "-i", "weight=weight.npy", "-o", "out.npy")
        tensors = ("-i", "mix_x:0=x.npy", "-i", "mix_weight:0=weight.npy", "-o", "out.npy")
        for input_options in (words, tensors) if model is THREE else (words,):
            status, text = command(capsys, "run", model, *chosen, *input_options)
            assert status == 0, text
            np.testing.assert_array_equal(np.load("out.npy"), expected("mix")["mixed"])
    status, text = command(capsys, "inspect", THREE, "--signature", "mix")
    assert status == 0
    assert "graph 'encode'" not in text
    status, text = command(capsys, "verify", THREE)
    assert status == 0
    assert text.count("signature '") == 3
    status, text = command(capsys, "verify", THREE, "--signature", "nope")
    assert (status, text.startswith("error: ")) == (2, True)


# ** signatures that name what the subgraph doesn't list, as ai-edge-quantizer 0.10 writes them **


def dequantized() -> bytes:
    """Returns a graph whose original output 0 a quantizer extended: 0 -> 1 (i8) -> 2; 3 is constant."""
    quantized = Tensor((1, 4), "int8", scale=0.1, zero_point=3)
    tensors = [
        Tensor((1, 4)),
        quantized,
        Tensor((1, 4)),
        Tensor((1, 2), data=np.array([[7, 8]], np.float32)),
        Tensor((1, 4)),
    ]
    return build(tensors, [Operator(B.QUANTIZE, (0,), (1,)), Operator(B.DEQUANTIZE, (1,), (2,))], (0,), (2,))


@pytest.mark.parametrize("outputs", [{"y": 1}, {"y": 2, "z": 1}, {"y": 3}, {"y": 0}, {"y": 1, "z": 1}])
def test_tensors_that_a_signature_names_are_outputs(outputs: dict[str, int], tmp_path: Path) -> None:
    """LiteRT's signature runner judges, with separate memory for every tensor."""
    litert = pytest.importorskip("ai_edge_litert.interpreter", reason="LiteRT is not installed")
    path = tmp_path / "m.tflite"
    path.write_bytes(signed(dequantized(), {"x": 0}, outputs))
    kind = litert.OpResolverType.BUILTIN_REF
    interpreter = litert.Interpreter(
        model_path=str(path), experimental_op_resolver_type=kind, experimental_preserve_all_tensors=True
    )
    x = np.array([[-1, 0.5, 0.25, 1]], np.float32)
    want = interpreter.get_signature_runner("serving_default")(x=x)
    tosa = tc.convert(path)
    results = tc.run(tosa, {"x": x})
    values = tosa.signatures["serving_default"].outputs
    assert values.keys() == want.keys()
    for name, value in values.items():
        np.testing.assert_array_equal(results[value.name], want[name])
    texts = [note.text for note in tosa.report.notes]
    listed = len({index for index in outputs.values() if index != 2})
    assert sum("signature 'serving_default' names it as" in text for text in texts) == listed
    assert len(tosa.main.outputs) == 1 + listed
    done = tc.verify(path, runs=2)
    assert done.verdict
    assert len(done.comparisons[0].outputs) == 1 + listed


@pytest.mark.parametrize("index", [4, 9])
def test_a_signature_of_a_missing_tensor_is_malformed(index: int) -> None:
    with pytest.raises(FormatError, match=rf"outputs: tensor {index} is neither an input nor made by an operator"):
        parse(signed(dequantized(), {"x": 0}, {"y": index}))


@pytest.mark.parametrize("index", [1, 3])
def test_a_signature_that_writes_inside_a_graph_is_unsupported(index: int) -> None:
    with pytest.raises(UnsupportedError, match=rf"takes 't{index}' as 'x', which is no input of its graph"):
        parse(signed(dequantized(), {"x": index}, {"y": 2}))
