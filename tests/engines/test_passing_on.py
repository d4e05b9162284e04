"""The code of engines around their packages: programs for ExecuTorch, values that Vulkan passes on."""

import json
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.commands import INT8
from support.xnnpack_cases import cases

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.engines import vulkan
from tosa_converter.engines.executorch import program_of
from tosa_converter.engines.litert import LiteRT
from tosa_converter.engines.messages import read_message, write_message
from tosa_converter.engines.process import Worker, command
from tosa_converter.engines.workers import executorch as worker
from tosa_converter.engines.workers import vulkan as vulkan_worker
from tosa_converter.formats import encode, parse
from tosa_converter.formats.spirv.writer import write_spirv
from tosa_converter.ir import Graph, Op, TensorType, Value
from tosa_converter.schemas import executorch


def names(model: tc.Model) -> list[str]:
    return [op.name for op in model.main]


@pytest.mark.parametrize("label", ["fp32/add.xnn", "networks/layer_norm.pte", "kernels/u_net.pte"])
def test_a_program_is_the_file_or_wraps_the_graph(label: str, tmp_path: Path) -> None:
    group, file = label.split("/")
    data = cases(group)[file].data
    (tmp_path / file).write_bytes(data)
    model = tc.load(tmp_path / file)
    program = program_of(model)
    assert (program == data) == (group == "kernels" or (file.endswith(".pte") and "delegate" not in model.metadata))
    assert program[4:8] == executorch.IDENTIFIER
    assert names(parse(program)) == names(model)
    if not all(name.startswith("xnn.") for name in names(model)):
        return
    model.edited = True  # the file has changed
    rewritten = program_of(model)
    assert rewritten[4:8] == executorch.IDENTIFIER
    assert names(parse(rewritten)) == names(model)


def test_one_delegate_of_a_program_is_a_program_of_its_own(tmp_path: Path) -> None:
    case = cases("networks")["layer_norm.pte"]
    (tmp_path / case.file).write_bytes(case.data)
    part = tc.load(tmp_path / case.file, delegate=1)
    program = program_of(part)
    assert program != case.data
    assert [str(value.type) for value in parse(program).main.inputs] == [str(value.type) for value in part.main.inputs]
    assert names(parse(program)) == names(part)


def test_the_first_method_by_name_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand-ins replace the packages: each method of the program returns its name's length."""
    loaded: list[str] = []

    class Output(SimpleNamespace):
        def contiguous(self) -> "Output":
            return self

        def numpy(self) -> Any:
            return self.array

    def load_method(name: str) -> Any:
        loaded.append(name)
        return SimpleNamespace(execute=lambda tensors: [Output(array=tensors[0] * len(name))])

    program = SimpleNamespace(method_names={"forward", "encode", "decode"}, load_method=load_method)
    package: Any = ModuleType("executorch.runtime")
    package.Runtime = SimpleNamespace(get=lambda: SimpleNamespace(load_program=lambda _, **__: program))
    torch: Any = ModuleType("torch")
    torch.from_numpy = lambda array: array
    monkeypatch.setitem(sys.modules, "executorch", ModuleType("executorch"))
    monkeypatch.setitem(sys.modules, "executorch.runtime", package)
    monkeypatch.setitem(sys.modules, "torch", torch)
    answers: list[Any] = []
    monkeypatch.setattr(worker, "serve", lambda answer: answers.append(answer(b"", "", [[np.ones(2)], [np.zeros(2)]])))
    worker.main()
    ((arrays, problem),) = answers
    assert loaded == ["decode"]
    assert problem is None
    np.testing.assert_array_equal(arrays, [[[6, 6]], [[0, 0]]])


def test_a_value_is_traced_through_operators_that_pass_it_on() -> None:
    x = Value(TensorType(DType.I32, (2,)), "x")
    negated = Op("tosa.negate", [x], [x.type])
    first = Op("tosa.identity", [negated.result], [x.type])
    second = Op("tosa.identity", [first.result], [x.type])
    direct = Op("tosa.identity", [x], [x.type])
    graph = Graph("main", [x], [second.result], [negated, first, second, direct])
    assert [vulkan._skip_identities(op.result) for op in graph.ops] == [
        negated.result,
        negated.result,
        negated.result,
        x,
    ]
    assert vulkan._skip_identities(x) is x


def test_a_scenario_has_every_tensor_and_constant(tmp_path: Path) -> None:
    """The scenario runner reads its own names beside the module: inputs, then outputs, are the bindings."""
    x = Value(TensorType(DType.I32, (2, 64)), "x")
    values = np.arange(64, dtype=np.int32)
    const = Op("tosa.const", (), [TensorType(DType.I32, (1, 64))], {"values": values.reshape(1, 64)})
    total = Op("tosa.add", [x, const.result], [x.type])
    module = write_spirv(Graph("main", [x], [total.result], [const, total]))
    vulkan._write_scenario(module, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0.npy", "graph.spv", "scenario.json"]
    np.testing.assert_array_equal(np.load(tmp_path / "0.npy").reshape(-1), values)
    assert (tmp_path / "graph.spv").read_bytes() == module.words.tobytes()
    scenario = json.loads((tmp_path / "scenario.json").read_text())
    shader, *tensors, constant = (next(iter(resource.values())) for resource in scenario["resources"])
    assert (shader["src"], shader["type"]) == ("graph.spv", "SPIR-V")
    assert [(entry["uid"], entry["dims"], entry["shader_access"]) for entry in tensors] == [
        ("in0", [2, 64], "readonly"),
        ("out0", [2, 64], "writeonly"),
    ]
    assert (constant["uid"], constant["dims"], constant["src"]) == ("constant0", [1, 64], "0.npy")
    (command,) = scenario["commands"]
    assert command["dispatch_data_graph"]["graph_constants"] == ["constant0"]
    bindings = command["dispatch_data_graph"]["bindings"]
    assert [(entry["id"], entry["resource_ref"]) for entry in bindings] == [(0, "in0"), (1, "out0")]
    assert {entry["set"] for entry in bindings} == {0}


def test_a_scenario_is_loaded_once_for_runs_in_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in replaces the scenario runner and negates: a request without a folder is for the previous one."""
    tensors: dict[str, Any] = {}
    loaded: list[str] = []

    def run() -> None:
        tensors["out0"] = -tensors["in0"]

    def load_scenario(path: Path, *, work_dir: str, output_dir: str) -> Any:
        loaded.append(str(path))
        assert str(path.parent) == work_dir == output_dir
        return SimpleNamespace(
            get_tensor_id=lambda name: name, upload=tensors.__setitem__, download=tensors.__getitem__, run=run
        )

    runner: Any = ModuleType("scenario_runner_py")
    runner.load_scenario = load_scenario
    monkeypatch.setitem(sys.modules, "scenario_runner_py", runner)
    answers: list[Any] = []

    def serve(answer: Any) -> int:
        answers.extend(answer(folder, {"in0": np.array(x)}, ["out0"]) for folder, x in (("a", 1), (None, 2), ("b", 3)))
        return 0

    monkeypatch.setattr(vulkan_worker, "serve", serve)
    assert vulkan_worker.main() == 0
    assert [(int(arrays["out0"]), problem) for arrays, problem in answers] == [(-1, None), (-2, None), (-3, None)]
    assert loaded == [str(Path("a", "scenario.json")), str(Path("b", "scenario.json"))]


def test_seconds_are_those_of_the_fastest_run_after_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = LiteRT()
    monkeypatch.setattr(engine, "_ask", lambda *_: ([], {}, [0.5, 4.0, 2.0, 3.0]))
    assert engine.seconds(tc.load(INT8), [], 3) == 2.0


def test_seconds_of_a_run_are_a_part_of_those_of_the_call() -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    model = tc.load(INT8)
    inputs = [tc.random_inputs(model)[value.name] for value in model.main.inputs]
    start = perf_counter()
    seconds = LiteRT().seconds(model, inputs, 3)
    assert 0 < seconds < perf_counter() - start


def test_a_job_is_answered_by_a_process_of_its_own() -> None:
    jobs = Worker("job", "job's", "")
    assert jobs.ask("m", "math:comb", [6, 2], form=int) == 15
    jobs.close()


DIGITS = b"".join(map(bytes, encode(tc.convert(INT8), ".tosa")))


@pytest.mark.parametrize(
    ("name", "package", "request_value"),
    [
        ("litert", "ai_edge_litert", ({"model_path": str(INT8)}, "BUILTIN_REF", [], [])),
        ("reference_model", "tosa_reference_model", (DIGITS, [np.zeros((1, 8, 8, 1), np.int8)])),
        ("job", "numpy", ("builtins:len", [[1, 2, 3]])),
    ],
)
def test_a_worker_is_a_module_that_answers_when_it_is_run(name: str, package: str, request_value: object) -> None:
    pytest.importorskip(package, reason=f"{package} is not installed")
    with subprocess.Popen(
        command(name), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        write_message(run.stdin, request_value)
        run.stdin.flush()
        answer = read_message(run.stdout)
    assert isinstance(answer, list | tuple)
    assert len(answer) == 2
    if name == "job":
        assert answer[0] == 3
