"""What engines do around the packages that they stand on: programs for ExecuTorch, values that Vulkan passes on."""

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.xnnpack_cases import cases

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.engines import vulkan
from tosa_converter.engines.executorch import program_of
from tosa_converter.engines.workers import executorch as worker
from tosa_converter.formats import parse
from tosa_converter.ir import Graph, Op, TensorType, Value
from tosa_converter.schemas import executorch


def names(model: tc.Model) -> list[str]:
    return [op.name for op in model.main]


@pytest.mark.parametrize("label", ["fp32/add.xnn", "networks/layer_norm.pte", "kernels/u_net.pte"])
def test_a_program_is_the_file_or_is_made_around_its_graph(label: str, tmp_path: Path) -> None:
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
    model.edited = True  # the file isn't what it was
    again = program_of(model)
    assert again[4:8] == executorch.IDENTIFIER
    assert names(parse(again)) == names(model)


def test_one_delegate_of_a_program_is_a_program_of_its_own(tmp_path: Path) -> None:
    case = cases("networks")["layer_norm.pte"]
    (tmp_path / case.file).write_bytes(case.data)
    part = tc.load(tmp_path / case.file, delegate=1)
    program = program_of(part)
    assert program != case.data
    assert [str(value.type) for value in parse(program).main.inputs] == [str(value.type) for value in part.main.inputs]
    assert names(parse(program)) == names(part)


def test_of_several_methods_the_first_by_name_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """With stand-ins for the packages: each method of the program gives its name's length."""
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
    package.Runtime = SimpleNamespace(get=lambda: SimpleNamespace(load_program=lambda _: program))
    torch: Any = ModuleType("torch")
    torch.from_numpy = lambda array: array
    monkeypatch.setitem(sys.modules, "executorch", ModuleType("executorch"))
    monkeypatch.setitem(sys.modules, "executorch.runtime", package)
    monkeypatch.setitem(sys.modules, "torch", torch)
    answers: list[Any] = []
    monkeypatch.setattr(worker, "serve", lambda answer: answers.append(answer(b"", [[np.ones(2)], [np.zeros(2)]])))
    worker.main()
    ((arrays, problem),) = answers
    assert loaded == ["decode"]
    assert problem is None
    np.testing.assert_array_equal(arrays, [[[6, 6]], [[0, 0]]])


def test_a_value_is_what_stands_before_operators_that_pass_it_on() -> None:
    x = Value(TensorType(DType.I32, (2,)), "x")
    negated = Op("tosa.negate", [x], [x.type])
    first = Op("tosa.identity", [negated.result], [x.type])
    second = Op("tosa.identity", [first.result], [x.type])
    direct = Op("tosa.identity", [x], [x.type])
    graph = Graph("main", [x], [second.result], [negated, first, second, direct])
    assert [vulkan._source(op.result) for op in graph.ops] == [negated.result, negated.result, negated.result, x]
    assert vulkan._source(x) is x
