"""Runs that were saved, or made elsewhere: their arrays are compared with the source's, or refused."""

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from support.commands import FLOAT, INT8, MODELS
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Graph, Model, TensorType, Value
from tosa_converter.proof.saved_runs import loaded_runs
from tosa_converter.schemas.tflite import BuiltinOperator as B

STREAM = MODELS / "small" / "keywords.int8.tflite"


def model_of(*types: TensorType) -> Model:
    graph = Graph("main")
    graph.outputs = [Value(type, f"out{i}") for i, type in enumerate(types)]
    return Model({"main": graph}, opset="tfl")


BYTES = np.array([[1, -2, 3]], np.int8)


@pytest.mark.parametrize(
    ("array", "references", "expected"),
    [
        (BYTES, [BYTES], [BYTES]),
        (BYTES[None], [BYTES], [BYTES]),
        (BYTES.view(np.uint8), [BYTES], [BYTES]),
        (np.stack([BYTES, -BYTES]), [BYTES] * 2, [BYTES, -BYTES]),
        (np.array([7], np.int32), [np.array([8], np.int64)], [np.array([7], np.int32)]),
        (np.array([1.5], ml_dtypes.bfloat16).view("V2"), [np.zeros(1, ml_dtypes.bfloat16)], [np.array([1.5])]),
        (np.array([True]), [np.array([False])], [np.array([True])]),
        (np.array([1.5], ">f4"), [np.zeros(1, "<f4")], [np.array([1.5])]),
    ],
)
def test_arrays_of_runs(array: Array, references: list[Array], expected: list[Array]) -> None:
    model = model_of(TensorType(DType.I8, ()))
    runs = loaded_runs("run", {"out0": array}, model, [[reference] for reference in references])
    assert len(runs) == len(references)
    for (result,), right in zip(runs, expected, strict=True):
        np.testing.assert_array_equal(np.asarray(result, np.float64), np.asarray(right, np.float64))


@pytest.mark.parametrize(
    ("array", "count", "text"),
    [
        (BYTES[0], 1, r"run\[out0\]: expected int8\[1, 3\] of one run, found int8\[3\]"),
        (np.stack([BYTES] * 3), 1, r"of one run, found int8\[3, 1, 3\]"),
        (BYTES, 2, r"expected int8\[2, 1, 3\] of 2 runs, found int8\[1, 3\]"),
        (np.stack([BYTES] * 3), 2, r"of 2 runs, found int8\[3, 1, 3\]"),
        (BYTES.astype(np.float32), 1, r"found float32\[1, 3\]"),
        (BYTES.astype(np.int16), 1, r"found int16\[1, 3\]"),
        (BYTES.astype(bool), 1, r"found bool\[1, 3\]"),
        (BYTES.astype(object), 1, r"found object\[1, 3\]"),
        (BYTES.astype("V1"), 1, r"found \|V1\[1, 3\]"),
        (np.array("text"), 1, r"found <U4\[\]"),
    ],
)
def test_an_array_that_does_not_fit_is_refused(array: Array, count: int, text: str) -> None:
    with pytest.raises(tc.UsageError, match=r"^--load-outputs \(loaded\) .*" + text):
        loaded_runs("run", {"out0": array}, model_of(TensorType(DType.I8, ())), [[BYTES]] * count)


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["out0"], "expected an array for output 'out1', found none"),
        (["out0", "out1", "more"], "expected arrays for outputs 'out0', 'out1', found one for 'more'"),
        (["arr_0", "arr_2"], "found one for 'arr_2'"),
        (["out0", "arr_0", "out1"], "expected one array for output 0, found two, one of them 'arr_0'"),
        (["arr_99999999999"], "found one for 'arr_99999999999'"),
    ],
)
def test_arrays_for_other_outputs_are_refused(names: list[str], text: str) -> None:
    model = model_of(*[TensorType(DType.I8, ())] * 2)
    with pytest.raises(tc.UsageError, match=text):
        loaded_runs("run", dict.fromkeys(names, BYTES), model, [[BYTES, BYTES]])


def test_arrays_by_position() -> None:
    model = model_of(*[TensorType(DType.I8, ())] * 2)
    (run,) = loaded_runs("run", {"arr_1": -BYTES, "arr_0": BYTES}, model, [[BYTES, BYTES]])
    np.testing.assert_array_equal(run, [BYTES, -BYTES])


def saved(model: Path, **options: Any) -> list[tc.RunArrays]:
    arrays: list[tc.RunArrays] = []
    assert tc.verify(model, arrays=arrays, **options).verdict
    return arrays


@pytest.mark.parametrize(
    ("model", "options", "lead"),
    [
        (INT8, {}, ()),
        (INT8, {"runs": 3}, (3,)),
        (INT8, {"runs": 2, "adversarial": True}, (2,)),
        (FLOAT, {"runs": 2, "seed": 5}, (2,)),
        (STREAM, {"steps": 3}, (3,)),
        (STREAM, {"runs": 2, "steps": 4}, (2, 4)),
        (STREAM, {"numerics": "xnnpack"}, (10,)),
    ],
)
def test_what_one_verification_saves_another_compares(model: Path, options: Any, lead: tuple[int, ...]) -> None:
    """Identical outputs are equal; with one element changed, the output that has it is named."""
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    (arrays,) = saved(model, **options)
    reference, *_ = arrays.outputs.values()
    source = tc.load(model)
    assert list(arrays.inputs) == [value.name for value in source.main.inputs]
    assert list(reference) == [value.name for value in source.main.outputs]
    for value, array in zip(source.main.inputs, arrays.inputs.values(), strict=True):
        assert array.shape[: len(lead)] == lead
        assert array.ndim == len(lead) + value.type.rank
    outputs = arrays.outputs["executor"]
    plain = tc.verify(model, loaded={"device": outputs}, **options)
    assert plain.verdict
    assert [c.engine for c in plain.comparisons][-1] == "device"
    last = {name: array.copy() for name, array in outputs.items()}
    name = list(last)[-1]
    last[name].reshape(-1)[-1] += 1
    changed = tc.verify(model, loaded={"same": outputs, "device": last}, **options)
    assert not changed.verdict
    assert [c.engine for c in changed.comparisons if not c.verdict] == ["device"]
    assert [(o.name, o.mismatches >= 1) for o in changed.comparisons[-1].outputs if not o.verdict] == [(name, True)]
    if len(lead) + (not options.get("steps")) > 1 and model == STREAM:
        assert changed.comparisons[-1].outputs[-1].step == lead[-1] - 1


def test_the_saved_inputs_are_inputs_again() -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    (arrays,) = saved(INT8, runs=3)
    (reread,) = saved(INT8, inputs=[arrays.inputs], loaded={"first": arrays.outputs["executor"]})
    for name, array in arrays.outputs["litert"].items():
        np.testing.assert_array_equal(reread.outputs["litert"][name], array)


def test_each_signature_has_its_own_arrays() -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    path = MODELS / "signatures_int8.tflite"
    arrays = saved(path)
    names = [part.signature for part in arrays]
    assert names == list(tc.load(path).signatures)
    for part in arrays:
        loaded = {"device": part.outputs["executor"]}
        assert tc.verify(path, signature=part.signature, loaded=loaded).verdict
    with pytest.raises(tc.UsageError, match=f"signature that the outputs or labels are for, one of {', '.join(names)}"):
        tc.verify(path, loaded={"device": arrays[0].outputs["executor"]})


@pytest.fixture(name="amplifying", scope="module")
def _amplifying(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The difference of two nearly equal layers: rounding is a hundred times as much of it as of them."""
    rng = np.random.default_rng(0)
    weights = rng.normal(0, 1, (8, 512)).astype(np.float32)
    near = (weights * (1 + 0.01 * rng.normal(0, 1, weights.shape))).astype(np.float32)
    tensors = [Tensor((1, 512)), Tensor((8, 512), "float32", weights), Tensor((8, 512), "float32", near)]
    tensors += [Tensor((8,), "float32", np.zeros(8, np.float32)), *[Tensor((1, 8))] * 3]
    layers = [Operator(B.FULLY_CONNECTED, (0, i, 3), (3 + i,)) for i in (1, 2)]
    path = tmp_path_factory.mktemp("amplifying") / "m.tflite"
    path.write_bytes(build(tensors, [*layers, Operator(B.SUB, (4, 5), (6,))], (0,), (6,)))
    return path


@pytest.mark.parametrize(("runs", "verdict"), [(3, False), (10, True)])
def test_a_device_may_differ_as_far_as_the_source_from_itself(amplifying: Path, runs: int, verdict: bool) -> None:
    """What LiteRT's optimized kernels give is beyond the tolerance, and accepted on ten sets of inputs."""
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    (arrays,) = saved(amplifying, runs=runs)
    model = tc.load(amplifying)
    ((name, inputs),) = arrays.inputs.items()
    device = np.stack([next(iter(tc.run(model, {name: x}, engine="litert-xnnpack").values())) for x in inputs])
    (output,) = tc.verify(amplifying, runs=runs, loaded={"device": {"arr_0": device}}).comparisons[-1].outputs
    assert output.max_abs > output.tolerance
    assert output.verdict is verdict
    if output.second_look is not None:
        assert output.second_look.missing[0] == "operators: a run made elsewhere has no values between them"
    wrong = tc.verify(amplifying, runs=runs, loaded={"device": {"arr_0": device * np.float32(1.02)}})
    assert not wrong.verdict


def test_integers_of_a_device_must_be_equal() -> None:
    """LiteRT's own kernels are a step apart, but operators that round can't be compared here."""
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    path = MODELS / "small" / "detector.int8.tflite"
    (arrays,) = saved(path, runs=10)
    ((name, inputs),) = arrays.inputs.items()
    runs = [list(tc.run(path, {name: x}, engine="litert-xnnpack").values()) for x in inputs]
    device = {f"arr_{i}": np.stack([run[i] for run in runs]) for i in range(len(runs[0]))}
    verification = tc.verify(path, runs=10, loaded={"device": device})
    assert not verification.verdict
    assert {output.max_abs for output in verification.comparisons[-1].outputs} <= {0, 1, 2}
    assert all(output.second_look is None for output in verification.comparisons[-1].outputs)
