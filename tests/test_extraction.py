"""Parts of models as models: their results, and refusals."""

from pathlib import Path

import numpy as np
import pytest
from support.commands import MODELS, command

import tosa_converter as tc
from tosa_converter.engines import ENGINES, run_and_keep

SMALL = MODELS / "small"
DETECTOR = SMALL / "detector.int8.tflite"


def results(model: tc.Model) -> list[str]:
    """Returns the names of the operators' results, in order."""
    return [op.results[0].name for op in model.main.ops if not op.name.startswith("tfl.pseudo_")]


@pytest.mark.parametrize(("begin", "end"), [([0], [3]), ([1, 5], [8]), ([], [6, 2]), ([12], [])])
def test_a_part_equals_the_whole_in_litert(begin: list[int], end: list[int], tmp_path: Path) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    model = tc.load(DETECTOR)
    names = results(model)
    part = tc.extract(model, [names[i] for i in begin], [names[i] for i in end])
    tc.save(part, tmp_path / "part.tflite")
    whole = tc.random_inputs(model)
    values = run_and_keep(ENGINES["litert"], model, whole, "all") | whole
    inputs = {value.name: values[value.name] for value in part.main.inputs}
    read = tc.load(tmp_path / "part.tflite")
    assert [value.name for value in read.main.inputs] == ([names[i] for i in begin] or list(whole))
    for name, array in tc.run(read, inputs).items():
        np.testing.assert_array_equal(array, values[name])
    assert tc.verify(tmp_path / "part.tflite").verdict


def test_parts_of_conversions_equal_the_whole(tmp_path: Path) -> None:
    model = tc.convert(DETECTOR)
    names = results(tc.load(DETECTOR))
    part = tc.extract(model, names[0], names[3])
    tc.save(part, tmp_path / "part.tosa")
    tc.check(tc.load(tmp_path / "part.tosa"))
    whole = tc.random_inputs(model)
    values = tc.run(model, whole, keep=[names[0], names[3]])
    np.testing.assert_array_equal(tc.run(part, {names[0]: values[names[0]]})[names[3]], values[names[3]])


@pytest.mark.parametrize(
    ("model", "begin", "end", "message"),
    [
        ("detector.int8", "nix", "", "the main graph has no tensor 'nix'"),
        ("detector.int8", 3, 0, "'serving_default_image:0' is needed, an input of the model"),
        ("detector.int8", 15, 3, "'serving_default_image:0' is needed, an input of the model"),
        ("lstm_stateful.dynamic", "", "", "gives what an earlier run left: begin with what it gives"),
    ],
)
def test_invalid_parts_are_refused(model: str, begin: int | str, end: int | str, message: str) -> None:
    source = tc.load(SMALL / f"{model}.tflite")
    names = [(results(source)[name] if isinstance(name, int) else name,) for name in (begin, end) if name != ""]
    with pytest.raises(tc.UsageError, match=message):
        tc.extract(source, *names)


def test_an_unneeded_input_is_refused() -> None:
    model = tc.load(DETECTOR)
    names = results(model)
    with pytest.raises(tc.UsageError, match="isn't needed for"):
        tc.extract(model, [names[0], names[2]], names[3])


def test_tensors_of_other_graphs_are_told_apart() -> None:
    model = tc.load(SMALL / "rnn.float32.tflite")
    inner = list(model.graphs.values())[1]
    name = next(value.name for op in inner for value in op.results if "pseudo" not in op.name)
    with pytest.raises(tc.UsageError, match=f"it is one of graph {inner.name!r}"):
        tc.extract(model, (), name)


def test_graphs_of_control_flow_come_with_a_part(tmp_path: Path) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    model = tc.load(SMALL / "rnn.float32.tflite")
    loop = next(op for op in model.main.ops if op.name == "tfl.while")
    part = tc.extract(model, (), [value.name for value in loop.results][-1:])
    tc.save(part, tmp_path / "part.tflite")
    assert len(tc.load(tmp_path / "part.tflite").graphs) == 3
    assert tc.verify(tmp_path / "part.tflite").verdict


def test_the_command_writes_a_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = results(tc.load(DETECTOR))
    out = tmp_path / "part.tflite"
    assert command("extract", DETECTOR, "--from", names[0], "--to", names[2], "--to", names[1], "-o", out) == 0
    assert [value.name for value in tc.load(out).main.outputs] == [names[2], names[1]]
    assert repr(names[2]) in capsys.readouterr().out
    assert command("extract", DETECTOR, "--to", "nix", "-o", out) == 2
    assert command("extract", DETECTOR) == 2


def test_a_part_from_a_tensor_to_itself_is_refused() -> None:
    model = tc.load(DETECTOR)
    names = results(model)
    for begin, end in (([names[3]], [names[3]]), ([model.main.inputs[0].name], [names[3], model.main.inputs[0].name])):
        with pytest.raises(tc.UsageError, match="from itself"):
            tc.extract(model, begin, end)
    model.main.outputs = [*model.main.outputs, model.main.inputs[0]]
    with pytest.raises(tc.UsageError, match="from itself"):
        tc.extract(model)
