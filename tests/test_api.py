"""The facade: the models, targets and engines that it takes, and its errors for anything else."""

import doctest
import importlib
import inspect
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.commands import FLOAT, INT8, MODELS, ROOT
from support.tflite_models import Operator, Tensor, build
from support.xnnpack_cases import cases

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.formats import encode
from tosa_converter.ir import Graph, Model, TensorType, Value
from tosa_converter.schemas.tflite import BuiltinOperator, Padding


def converted_bytes(model: Model | str | Path | bytes) -> bytes:
    return b"".join(map(bytes, encode(tc.convert(model), ".tosa")))


def test_the_version_is_that_of_the_package() -> None:
    from importlib.metadata import version

    assert tc.__version__ == version("tosa-converter")
    with pytest.raises(AttributeError, match="'tosa_converter' has no attribute 'nothing'"):
        _ = tc.nothing


def test_every_public_name_is_there() -> None:
    assert [name for name in tc.__all__ if not hasattr(tc, name)] == []
    assert dir(tc) == sorted(tc.__all__)


def test_a_conversion_reports_its_operators() -> None:
    source = tc.load(INT8)
    tosa = tc.convert(source)
    report = tosa.report
    assert isinstance(tosa, tc.Converted)
    assert (report.numerics, str(report.needs)) == ("reference", "PRO-INT, EXT-DOUBLEROUND")
    assert report.source_ops["tfl.conv_2d"] == 3
    assert report.tosa_ops["tosa.conv2d"] + report.tosa_ops["tosa.depthwise_conv2d"] >= 3
    assert report.passes[0].name == "legalize"
    assert report.passes[-1].ops == len(tosa.main)
    assert sum(step.seconds for step in report.passes) <= report.seconds
    places = [op.location for op in source.main if op.inputs]
    assert list(report.source_map) == places
    assert sum(map(len, report.source_map.values())) == report.tosa_ops.total()
    assert report.source_map[places[0]][0].name == "tosa.conv2d"
    assert "9 -> " in repr(report)


def test_deviations_are_in_the_report() -> None:
    tensors = [Tensor((4,), "int64"), Tensor((4,), "int64"), Tensor((4,), "int64")]
    *_, note = tc.convert(build(tensors, [Operator(BuiltinOperator.ADD, (0, 1), (2,))], (0, 1), (2,))).report.notes
    assert "32" in note.text
    steps: list[str] = []
    tc.convert(INT8, dump=lambda name, model: steps.append(f"{name} {model.opset}"))
    assert steps[0] == "import tfl"
    assert steps[-1].endswith(" tosa")


def test_graphs_and_models_can_be_read() -> None:
    model = tc.convert(INT8)
    graph = model.main
    assert str(graph).startswith('module {\n  func.func @"main"(%arg0: tensor<1x8x8x1xi8>')
    assert str(model) == str(graph)
    assert '"tosa.conv2d"' in str(graph)
    assert len(str(graph)) < 40_000
    assert (len(graph), list(graph)) == (len(graph.ops), graph.ops)
    assert graph["serving_default_image:0"] is graph.inputs[0]
    assert graph["StatefulPartitionedCall_1:0"] is graph.outputs[0]
    with pytest.raises(KeyError, match="nobody"):
        graph["nobody"]
    assert repr(graph).startswith("<Graph 'main', ")
    assert repr(model) == f"<Model of {INT8}, tosa: {graph!r}>"
    assert repr(graph.inputs[0]) == "%serving_default_image:0: i8[1x8x8x1]"
    assert "%0x" not in repr(graph.ops)


def test_intermediate_values_are_kept() -> None:
    model = tc.convert(INT8)
    inputs = tc.random_inputs(model)
    plain, every = tc.run(model, inputs), tc.run(model, inputs, keep="all")
    name = next(op.result.name for op in model.main if op.name == "tosa.rescale" and op.result.name)
    some = tc.run(model, inputs, keep=[name])
    assert list(some) == [*plain, name]
    assert len(every) > 20
    np.testing.assert_array_equal(some[name], every[name])
    with pytest.raises(tc.UsageError, match="asks for value 'nobody'"):
        tc.run(model, inputs, keep=["nobody"])


def test_intermediate_values_are_kept_in_every_engine() -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    source = tc.load(INT8)
    inputs = tc.random_inputs(source, input_shapes={"image": (1, 8, 8, 1)})
    name = source.main.ops[2].result.name
    ours = tc.run(tc.convert(source), inputs, keep=[name])
    for kept_values in (tc.run(source, inputs, keep=[name]), tc.run(source, inputs, keep="all")):
        assert kept_values.keys() >= ours.keys()
        assert all(np.array_equal(kept_values[key], ours[key]) for key in ours)
    assert tc.run(source, inputs, engine="litert-optimized").keys() == {source.main.outputs[0].name}
    with pytest.raises(tc.UsageError, match="asks for value 'nobody'"):
        tc.run(source, inputs, keep=["nobody"])
    with pytest.raises(tc.UsageError, match=r"executor runs tosa models, .* is tfl"):
        tc.run(source, inputs, engine="executor")
    with pytest.raises(tc.UsageError, match="tosa-reference-model can't return intermediate values"):
        tc.run(tc.convert(source), inputs, engine="tosa-reference-model", keep="all")


def test_checks_and_inspections_have_their_fields() -> None:
    tosa = tc.convert(INT8)
    tc.check(tosa)
    tc.check(tosa, tc.Target.parse("pro-int,ext-doubleround"))
    with pytest.raises(tc.VerifyError):
        tc.check(tosa, "pro-fp")
    coverage = tc.check(INT8)
    assert coverage is not None
    assert coverage.verdict
    source, converted = tc.inspect(INT8), tc.inspect(tosa)
    assert str(source.needs) == str(converted.needs) == "PRO-INT, EXT-DOUBLEROUND"
    assert source.graphs[0].inputs[0].shape == (None, 8, 8, 1)
    assert (source.bytes, source.file, converted.opset) == (INT8.stat().st_size, str(INT8), "tosa")


def test_a_verification_has_its_fields() -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    proof = tc.verify(INT8, runs=2, layers=True)
    assert (proof.verdict, proof.reference, [c.engine for c in proof.comparisons]) == (True, "litert", ["executor"])
    assert {layer.op for layer in proof.layers} >= {"tosa.conv2d", "tosa.rescale"}
    with pytest.raises(tc.UnsupportedError, match="is a quantized model, but PRO-FP computes floats only"):
        tc.verify(INT8, target="pro-fp")
    with pytest.raises(tc.UsageError, match="expected an engine that executor can be compared with"):
        tc.verify(tc.convert(INT8))


@pytest.mark.parametrize("kind", [str, Path, Path.read_bytes, bytearray, memoryview, io.BytesIO, Path.open])
def test_a_model_is_loaded_from_paths_bytes_and_files(kind: Callable[..., Any]) -> None:
    readable = INT8.open("rb") if kind is Path.open else kind(INT8.read_bytes() if kind in BUFFERS else INT8)
    with readable if hasattr(readable, "close") else io.StringIO():
        model = tc.load(readable)
    assert converted_bytes(model) == converted_bytes(tc.load(str(INT8)))


BUFFERS = (bytearray, memoryview, io.BytesIO)


def test_weights_do_not_follow_the_memory_that_they_were_read_from() -> None:
    content = bytearray(INT8.read_bytes())
    model = tc.load(content)
    content[:] = bytes(len(content))
    assert converted_bytes(model) == converted_bytes(INT8)


@pytest.mark.parametrize("source", [5, None, io.StringIO("text"), [INT8]])
def test_objects_that_are_no_models_are_refused(source: object) -> None:
    with pytest.raises(tc.UsageError, match="expected a path, bytes or a file of bytes, found"):
        tc.load(source)  # type: ignore[arg-type]
    with pytest.raises(tc.FormatError, match="an empty file"):
        tc.load(b"")


def test_convert_takes_what_load_takes_and_a_target_by_its_names() -> None:
    expected = converted_bytes(tc.load(INT8))
    assert converted_bytes(str(INT8)) == converted_bytes(INT8) == converted_bytes(INT8.read_bytes()) == expected
    assert tc.convert(INT8, target="pro-int,ext-doubleround").opset == "tosa"
    with pytest.raises(tc.UnsupportedError, match="is a float model, but PRO-INT computes int8 only"):
        tc.convert(FLOAT, target="pro-int")
    with pytest.raises(tc.UsageError, match="found 'pro-nothing'"):
        tc.convert(INT8, target="pro-nothing")


def test_engines_are_chosen_by_name() -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    for against in ("executor", ["executor"]):
        (report,) = tc.compare(INT8, tc.convert(INT8), against=against)
        assert (report.engine, report.verdict) == ("executor", True)
    with pytest.raises(tc.UsageError, match="no engine is called 'nobody'"):
        tc.compare(INT8, tc.convert(INT8), against="executor, nobody")


def test_models_that_cannot_be_compared_are_refused() -> None:
    source = tc.load(INT8)
    tosa = tc.convert(source)
    with pytest.raises(tc.UsageError, match="found models of tosa, xnn"):
        tc.compare(tosa, tc.load(cases("qint8")["conv.xnn"].data))
    (turned,) = tc.compare(tosa, source)
    assert (turned.reference, turned.engine, turned.verdict) == ("executor", "litert", True)
    with pytest.raises(tc.UsageError, match="1 to 100000 runs, found 0"):
        tc.compare(source, tosa, runs=0)
    tensors = [Tensor((4,)), Tensor((4,)), Tensor((4,))]
    other = build(tensors, [Operator(BuiltinOperator.ADD, (0, 1), (2,))], (0, 1), (2,))
    with pytest.raises(tc.UsageError, match=r"inputs and outputs \(1, 1\), \(2, 1\)"):
        tc.compare(source, tc.convert(other))
    none = tc.load(build(tensors, [Operator(BuiltinOperator.ADD, (0, 1), (2,))], (0, 1), ()))
    with pytest.raises(tc.UsageError, match="no output to compare"):
        tc.verify(none)
    with pytest.raises(tc.UsageError, match="seed: expected one from 0 on, found -1"):
        tc.compare(source, tosa, seed=-1)
    (name,) = (value.name for value in source.main.inputs)
    with pytest.raises(tc.UsageError, match=r"found int64\[\]"):
        tc.verify(source, inputs=[{name: 5}])  # type: ignore[dict-item]  # no array


def test_an_unknown_batch_can_not_be_saved(tmp_path: Path) -> None:
    tensors = [Tensor((1, 4), signature=(-1, 4)), Tensor((1, 4), signature=(-1, 4))]
    source = tc.load(build(tensors, [Operator(BuiltinOperator.RELU, (0,), (1,))], (0,), (1,)))
    with pytest.raises(tc.UsageError, match=r"a \.tosa holds a graph of tosa operators, this one is of tfl operators"):
        tc.save(source, tmp_path / "m.tosa")
    x = Value(TensorType(DType.FP32, (None, 4)), "x")
    with pytest.raises(tc.VerifyError, match=r"every dimension must be known: found %x: fp32\[\?x4\]"):
        tc.save(tc.Model({"main": Graph("main", [x], [x])}), tmp_path / "m.spv")
    outputs = tc.run(tc.convert(source), {"t0": np.ones((1, 4), np.float32)})
    assert [array.shape for array in outputs.values()] == [(1, 4)]
    assert tc.convert(FLOAT, input_shapes={"image": [3, 8, 8, 1]}).main.inputs[0].type.shape == (3, 8, 8, 1)


def unpadded(length: int) -> bytes:
    """Returns a window of that length over an input of unknown length."""
    rng = np.random.default_rng(0)
    kernel, bias = rng.standard_normal((3, 1, length, 1)).astype(np.float32), np.zeros(3, np.float32)
    tensors = [
        Tensor((1, 1, 1, 1), signature=(-1, 1, -1, 1)),
        Tensor(kernel.shape, data=kernel),
        Tensor((3,), data=bias),
        Tensor((1, 1, 1, 3), signature=(-1, 1, -1, 3)),
    ]
    window = {"stride_h": 1, "stride_w": 1, "padding": Padding.VALID}
    return build(tensors, [Operator(BuiltinOperator.CONV_2D, (0, 1, 2), (3,), window)], (0,), (3,))


@pytest.mark.parametrize("length", [2, 7, 64, 300])
def test_an_unknown_length_becomes_the_smallest_that_converts(length: int) -> None:
    done = tc.verify(unpadded(length))
    assert done.verdict
    assert [note.text for note in done.notes] == [
        f"unknown dimensions have the smallest sizes that convert: [1x1x{length}x1]; --input-shape sets other sizes"
    ]
    with pytest.raises(tc.UnsupportedError, match="expected a window of"):
        tc.convert(unpadded(length), input_shapes={"t0": [1, 1, length - 1, 1]})


def test_a_search_for_a_length_dumps_once() -> None:
    names: list[str] = []
    tc.convert(unpadded(7), dump=lambda name, _: names.append(name))
    assert names == ["import", "legalize", "reshape-propagation", "simplify", "common-subexpressions"]


WIDE = [Tensor((2, 3), "int64", name="ids"), Tensor((3,), "int64", np.array([1, 2, 3])), Tensor((2, 3), "int64")]


def test_inputs_of_64_bits_must_fit_32() -> None:
    data = build(WIDE, [Operator(BuiltinOperator.MAXIMUM, (0, 1), (2,))], (0,), (2,))
    source, tosa = tc.load(data), tc.convert(data)
    assert [note.location for note in tosa.report.notes if "int64 became int32" in note.text] == [
        "input 'ids'",
        "output 't2'",
    ]
    edges = np.array([[-(2**31), 2**31 - 1, 0], [1, 2, 3]])
    (got,) = tc.run(tosa, {"ids": edges}).values()
    np.testing.assert_array_equal(got, np.maximum(edges, [1, 2, 3]))
    (comparison,) = tc.compare(source, tosa, inputs=[{"ids": edges}])
    assert comparison.verdict
    words = r"'ids': expected values from -2147483648 to 2147483647, found 2147483648 at \[0, 1\]"
    for call in (
        lambda x: tc.run(tosa, {"ids": x}),
        lambda x: tc.run(tosa, {"ids": x}, engine="tosa-reference-model"),
        lambda x: tc.compare(source, tosa, inputs=[{"ids": x}]),
    ):
        with pytest.raises(tc.UsageError, match=words):
            call(edges + np.eye(2, 3, 1, dtype=np.int64))


def test_an_unsupported_operator_is_refused_at_any_length() -> None:
    tensors = [Tensor((1, 1), signature=(-1, -1)), Tensor((1, 1), signature=(-1, -1))]
    custom = build(tensors, [Operator(BuiltinOperator.CUSTOM, (0,), (1,), custom_code="Mystery")], (0,), (1,))
    with pytest.raises(tc.UnsupportedError, match="'Mystery' is not known"):
        tc.convert(custom)


@pytest.mark.parametrize(("path", "state", "steps", "steps_back"), [
    (INT8, "variables", 0, 0),
    (MODELS / "small" / "keywords.int8.tflite", "variables", 10, 10),
    (MODELS / "small" / "keywords.int8.tflite", "io", 10, 0),
])  # fmt: skip
def test_random_inputs_are_for_steps_where_there_is_state(path: Path, state: str, steps: int, steps_back: int) -> None:
    """State of TOSA as inputs and outputs counts like other state on the way back to TFLite."""
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    source = tc.load(path)
    tosa = tc.convert(source, state=state)
    for pair, expected in (((source, tosa), steps), ((tosa, tc.to_tflite(tosa)), steps_back)):
        (comparison,) = tc.compare(*pair)
        assert (comparison.verdict, comparison.steps) == (True, expected)


def test_a_model_of_another_opset_runs_as_it_is_in_memory() -> None:
    """The file that its source is from isn't read."""
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    tosa = tc.convert(tc.load(INT8))
    written = tc.to_tflite(tosa)
    assert tc.compare(tosa, written)[0].verdict
    weight = next(op for op in written.main.ops if op.name == "tfl.pseudo_const" and op.result.type.rank == 4)
    weight.attributes = {**weight.attributes, "values": weight.attributes["values"] ^ 64}
    assert not tc.compare(tosa, written)[0].verdict


# ** documentation **

EXAMPLES = ("loading", "converting", "inspecting", "running", "comparing", "verifying", "partial")
FUNCTIONS = [name for name in tc.__all__ if inspect.isfunction(getattr(tc, name)) and name not in ("condition", "save")]
OF_FILES = ("image_input", "audio_input", "write_report")  # their examples are on pages


@pytest.mark.parametrize("module", EXAMPLES)
def test_the_examples_run(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    monkeypatch.chdir(ROOT)
    results = doctest.testmod(importlib.import_module(f"tosa_converter.api.{module}"))
    assert (results.failed, results.attempted > 1) == (0, True)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_public_functions_say_what_they_return_and_raise(name: str) -> None:
    text = inspect.getdoc(getattr(tc, name)) or ""
    assert text.startswith("Returns ") or "\nReturns:\n" in text
    assert "\nRaises:\n" in text
    assert len(text.split("\n\n")[0].splitlines()) == 1
    assert ("\nExample:\n" in text) == (name not in OF_FILES)
