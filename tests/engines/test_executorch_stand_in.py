"""The engine `executorch` with stand-ins for both packages: what they are asked, and what becomes of their answers."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.xnnpack_cases import XnnpackCase, cases
from support.xnnpack_graphs import attention, official_graph

import tosa_converter as tc
from tosa_converter.engines.executorch import ExecuTorch
from tosa_converter.errors import ConverterError, UsageError
from tosa_converter.formats import encode, parse
from tosa_converter.ir import Model

TORCH = """
class Tensor:
    def __init__(self, array):
        self.array = array
    def contiguous(self):
        return Tensor(self.array.copy())
    def numpy(self):
        return self.array


def from_numpy(array):
    assert array.flags.writeable
    return Tensor(array)
"""
RUNTIME = """
import json, os
from pathlib import Path

import numpy as np
import torch

FOLDER = Path(os.environ["STAND_IN"])


class Method:
    def __init__(self, name):
        self.name = name
        self.runs = 0
    def execute(self, tensors):
        arrays = [tensor.numpy() for tensor in tensors]
        with (FOLDER / "log.jsonl").open("a") as log:
            print(json.dumps([self.name, [[str(x.dtype), x.tolist()] for x in arrays]]), file=log)
        if (FOLDER / "fails").exists():
            raise RuntimeError("out of breath")
        outputs = np.load(FOLDER / "outputs.npz")
        self.runs += 1
        arrays = [outputs[name] for name in sorted(outputs)]
        return [torch.Tensor(x + (self.runs - 1) if self.runs > 1 else x) for x in arrays]


class Program:
    method_names = {"z", "forward", "y"}
    def load_method(self, name):
        return Method(name)


class Runtime:
    @staticmethod
    def get():
        return Runtime()
    def load_program(self, program, data_path=None):
        if (FOLDER / "refuses").exists():
            raise ValueError("no such program")
        (FOLDER / "program").write_bytes(program)
        return Program()
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of what the stand-ins see, which they take their answers from."""
    for name, text in {"torch.py": TORCH, "executorch/__init__.py": "", "executorch/runtime.py": RUNTIME}.items():
        path = tmp_path / "packages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "packages"), prepend=":")
    monkeypatch.setenv("STAND_IN", str(tmp_path))
    return tmp_path


def loaded(case: XnnpackCase, folder: Path) -> tuple[Model, dict[str, Any]]:
    """The case as a file, with its inputs; its outputs are what the stand-in answers."""
    (folder / case.file).write_bytes(case.data)
    np.savez(folder / "outputs.npz", **{f"{i:03}": array for i, array in enumerate(case.outputs)})
    model = tc.load(folder / case.file)
    return model, {value.name: x for value, x in zip(model.main.inputs, case.inputs, strict=True)}


def log(folder: Path) -> list[Any]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("label", ["fp32/add.xnn", "qint8/conv.xnn", "kernels/copies.pte", "networks/shapes.pte"])
def test_it_is_asked_with_the_inputs_and_answers_the_outputs(label: str, folder: Path) -> None:
    group, file = label.split("/")
    case = cases(group)[file]
    model, inputs = loaded(case, folder)
    results = tc.run(model, inputs, engine=ExecuTorch())
    assert list(results) == [value.name for value in model.main.outputs]
    for expected, result in zip(case.outputs, results.values(), strict=True):
        assert (result.dtype, result.tobytes()) == (expected.dtype, expected.tobytes())
    ((method, arrays),) = log(folder)
    assert method == "forward"  # the first by name
    assert arrays == [[str(x.dtype), x.tolist()] for x in case.inputs]
    program = (folder / "program").read_bytes()
    assert (program == case.data) == file.endswith(".pte")
    read = parse(program)
    assert [op.name for op in read.main] == [op.name for op in model.main]
    assert [value.type for value in read.main.inputs] == [value.type for value in model.main.inputs]


def test_steps_are_runs_of_one_program(folder: Path) -> None:
    case = cases("fp32")["add.xnn"]
    model, inputs = loaded(case, folder)
    results = tc.run_steps(model, [inputs] * 3, engine=ExecuTorch())
    first = next(iter(results[0]))
    for i, result in enumerate(results):
        np.testing.assert_array_equal(result[first], case.outputs[0] + i)
    assert len(log(folder)) == 3


@pytest.mark.parametrize("edited", [False, True])
def test_a_graph_without_a_file_is_written(edited: bool, folder: Path) -> None:
    """Also one that was edited since it was read: its file is another one."""
    if edited:
        (folder / "m.xnn").write_bytes(official_graph())
        model = tc.load(folder / "m.xnn")
        model.main.inputs[0].name = "other"
        model = model.with_graphs(dict(model.graphs))
    else:
        model = attention()
    inputs = tc.random_inputs(model)
    outputs = {value.name: np.zeros(value.type.static, np.float32) for value in model.main.outputs}
    np.savez(folder / "outputs.npz", **outputs)
    assert list(tc.run(model, inputs, engine=ExecuTorch())) == list(outputs)
    written = b"".join(map(bytes, encode(model, ".xnn")))
    assert written in (folder / "program").read_bytes() or edited


@pytest.mark.parametrize("failure", ["refuses", "fails"])
def test_its_errors_are_ours(failure: str, folder: Path) -> None:
    model, inputs = loaded(cases("fp32")["add.xnn"], folder)
    (folder / failure).touch()
    with pytest.raises(ConverterError, match="no such program" if failure == "refuses" else "out of breath"):
        tc.run(model, inputs, engine=ExecuTorch())
    (folder / failure).unlink()
    assert tc.run(model, inputs, engine=ExecuTorch())


def test_kernels_without_a_file_are_refused() -> None:
    model = parse(cases("kernels")["copies.pte"].data)
    inputs = tc.random_inputs(model)
    with pytest.raises(UsageError):
        tc.run(model, inputs, engine=ExecuTorch())


@pytest.mark.parametrize("count", [0, 2])
def test_another_number_of_outputs_is_no_answer(count: int, folder: Path) -> None:
    model, inputs = loaded(cases("fp32")["add.xnn"], folder)
    np.savez(folder / "outputs.npz", **{str(i): np.zeros(3, np.float32) for i in range(count)})
    with pytest.raises(ConverterError):
        tc.run(model, inputs, engine=ExecuTorch())
