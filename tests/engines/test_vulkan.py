"""Graph modules run on Vulkan: a sample of the single operators (`python -m support.vulkan_cases` runs all)."""

import ctypes
import importlib.util
import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from support.commands import MODELS
from support.some import some
from support.spirv_cases import CASES, CASES_BY_NAME, Case
from support.vulkan_cases import EXCUSED, judge

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.engines import engine_named
from tosa_converter.engines import vulkan as vulkan_engine
from tosa_converter.engines.vulkan import LAYERS, Vulkan, layer_environment, missing
from tosa_converter.errors import ConverterError, UnsupportedError, UsageError, install_hint
from tosa_converter.ir import Graph, Model, Op, TensorType, Value
from tosa_converter.rules.gate import remember_legal

SAMPLE = [case for i, case in enumerate(CASES) if i % 16 == 5 or case.name in EXCUSED]
ADD = CASES_BY_NAME["ADD_i32_0"]

vulkan = pytest.mark.skipif(bool(missing()), reason="; ".join(missing()) or "nothing is missing")


@pytest.fixture(scope="module")
def engine() -> Iterator[Vulkan]:
    engine = Vulkan()
    yield engine
    engine.close()


@vulkan
@pytest.mark.parametrize("case", SAMPLE, ids=lambda case: case.name)
def test_single_operators_equal_the_executor(engine: Vulkan, case: Case) -> None:
    assert judge(case, engine) == ""


@vulkan
@pytest.mark.parametrize("name", ["digits_int8", "digits_float32"])
def test_converted_models_equal_litert(engine: Vulkan, name: str, tmp_path: Path) -> None:
    source = tc.load(MODELS / f"{name}.tflite")
    tc.save(tc.convert(source), tmp_path / "m.spv")
    model = tc.load(tmp_path / "m.spv")
    image = np.random.default_rng(3).integers(-128, 128, (1, 8, 8, 1))
    inputs = {value.name: image.astype(value.type.dtype.numpy) for value in source.main.inputs}
    expected = next(iter(tc.run(source, inputs).values()))
    output = next(iter(engine.run(model, {model.main.inputs[0].name: next(iter(inputs.values()))}).values()))
    if name == "digits_int8":
        assert np.array_equal(output, expected)
    else:
        assert np.max(np.abs(output - expected)) <= 1e-5 * np.max(np.abs(expected))


@vulkan
def test_outputs_may_repeat_and_pass_through(engine: Vulkan) -> None:
    x = Value(TensorType(DType.I32, (2,)), "x")
    double = Op("tosa.add", [x, x], [x.type], result_names=["double"])
    copy = Op("tosa.identity", [double.result], [x.type], result_names=["again"])
    through = Op("tosa.identity", [x], [x.type], result_names=["through"])
    fixed = Op("tosa.const", (), [x.type], {"values": np.array([8, 9], np.int32)}, result_names=["fixed"])
    ops = [fixed, double, copy, through]
    graph = Graph("main", [x], [double.result, copy.result, through.result, fixed.result], ops)
    outputs = engine.run(Model({"main": graph}), {"x": np.array([3, 4], np.int32)})
    assert {name: array.tolist() for name, array in outputs.items()} == {
        "double": [6, 8],
        "again": [6, 8],
        "through": [3, 4],
        "fixed": [8, 9],
    }


@vulkan
def test_a_constant_may_have_rows_of_zeros(engine: Vulkan) -> None:
    x = Value(TensorType(DType.FP16, (2, 2)), "x")
    rows = np.array([[0, 0], [1, 2]], np.float16)
    fixed = Op("tosa.const", (), [x.type], {"values": rows})
    total = Op("tosa.add", [x, fixed.result], [x.type], result_names=["total"])
    model = Model({"main": Graph("main", [x], [total.result], [fixed, total])})
    np.testing.assert_array_equal(engine.run(model, {"x": rows})["total"], 2 * rows)


@vulkan
def test_one_process_serves_runs_of_several_models(engine: Vulkan) -> None:
    sub = CASES_BY_NAME["SUB_i32_0"]
    processes = set()
    for _ in range(3):
        for case, combine in ((ADD, np.add), (sub, np.subtract)):
            inputs = {name: array + 1 for name, array in case.inputs.items()}
            (output,) = engine.run(Model({"main": case.graph}), inputs).values()
            assert np.array_equal(output, combine(*inputs.values()))
            processes.add(some(engine._worker.process).pid)
    assert len(processes) == 1


@vulkan
def test_a_model_is_set_up_once(engine: Vulkan) -> None:
    case = CASES_BY_NAME["CONV2D_i8_i8_i32_i32_0"]
    model = Model({"main": case.graph})
    engine.run(model, case.inputs)
    started = time.perf_counter()
    for _ in range(5):
        engine.run(model, case.inputs)
    assert time.perf_counter() - started < 2.5  # setting up takes 0.1 s and more


@vulkan
def test_a_process_that_dies_is_an_error_and_the_next_run_starts_another(engine: Vulkan) -> None:
    model = Model({"main": ADD.graph})
    engine.run(model, ADD.inputs)
    os.kill(some(engine._worker.process).pid, signal.SIGKILL)
    with pytest.raises(ConverterError, match="ended with status -9"):
        engine.run(model, ADD.inputs)
    (output,) = engine.run(model, ADD.inputs).values()
    assert np.array_equal(output, ADD.inputs["in0"] + ADD.inputs["in1"])


@vulkan
def test_a_refusal_of_the_layer_is_an_error(engine: Vulkan) -> None:
    wrong = TensorType(DType.I32, (2,))
    x = Value(wrong, "x")
    power = Op("tosa.pow", [x, x], [wrong])  # no row of POW's type table
    model = Model({"main": Graph("main", [x], [power.result], [power])})
    remember_legal(model)  # the gate would refuse it first
    with pytest.raises(ConverterError, match="Vulkan"):
        engine.run(model, {"x": np.ones(2, np.int32)})


def test_inputs_that_do_not_fit_are_refused() -> None:
    model = Model({"main": ADD.graph})
    with pytest.raises(UsageError, match="no input for 'in1'"):
        Vulkan().run(model, {"in0": ADD.inputs["in0"]})
    with pytest.raises(UsageError, match=r"input 'in0': expected i32\[2x1x30\], found float64\[2, 1, 30\]"):
        Vulkan().run(model, {"in0": ADD.inputs["in0"].astype(np.float64), "in1": ADD.inputs["in1"]})


def test_operators_without_an_instruction_are_refused() -> None:
    read = Op("tosa.variable_read", (), [TensorType(DType.I8, (2,))], {"name": "v"})
    with pytest.raises(UnsupportedError, match="variable_read"):
        Vulkan().run(Model({"main": Graph("main", [], [read.result], [read])}), {})


def test_the_backend_is_registered() -> None:
    assert isinstance(engine_named("vulkan"), Vulkan)


def test_a_missing_package_names_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def absent(_name: str) -> None:
        raise OSError

    monkeypatch.setattr(ctypes, "CDLL", absent)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    monkeypatch.setattr(vulkan_engine, "DRIVER_FOLDERS", ())
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for name in vulkan_engine.DRIVER_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    assert [text.partition(": ")[2] for text in missing()] == [
        install_hint("vulkan"),
        "apt-get install libvulkan1",
        "apt-get install mesa-vulkan-drivers",
    ]


@vulkan
def test_each_layer_has_a_folder_of_its_own_and_a_library_that_exists(tmp_path: Path) -> None:
    environment = layer_environment(tmp_path)
    folders = [Path(folder) for folder in environment["VK_LAYER_PATH"].split(os.pathsep)]
    layer_names = []
    for folder in folders:
        (manifest,) = folder.iterdir()
        layer = json.loads(manifest.read_text())["layer"]
        assert Path(layer["library_path"]).is_absolute()
        assert Path(layer["library_path"]).exists()
        layer_names.append(layer["name"])
    assert layer_names == [name for name, _ in LAYERS]
