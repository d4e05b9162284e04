"""Top-1 classes: which outputs are scores, ties, NaN, labels that fit none; against numpy's argmax."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.commands import FLOAT, INT8

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.ir import Graph, Model, Quant, TensorType, Value
from tosa_converter.proof.top1 import Top1, holds_scores, top1_of_outputs

STEPS = Quant((0.5,), (3,))
NAN = np.nan


@pytest.mark.parametrize(
    ("type", "scores"),
    [
        (TensorType(DType.FP32, (1, 10)), True),
        (TensorType(DType.FP32, (None, 10)), True),
        (TensorType(DType.FP16, (10,)), True),
        (TensorType(DType.FP32, (4, None)), True),
        (TensorType(DType.I8, (1, 10), STEPS), True),
        (TensorType(DType.UI8, (1, 10)), True),
        (TensorType(DType.I32, (1, 10), STEPS), True),
        (TensorType(DType.I32, (1, 10)), False),
        (TensorType(DType.I64, (10,)), False),
        (TensorType(DType.BOOL, (1, 10)), False),
        (TensorType(DType.FP32, (1, 1)), False),
        (TensorType(DType.FP32, ()), False),
        (TensorType(DType.FP32, (1, 1, 10)), False),
    ],
)
def test_outputs_that_look_like_scores(type: TensorType, scores: bool) -> None:
    assert holds_scores(type) is scores


def counted(reference: Any, result: Any, labels: list[int], dtype: str = "float32") -> Top1 | None:
    """Counts of one output over several runs."""
    graph = Graph("main")
    graph.outputs = [Value(TensorType(DType.FP32, (1, 3)), "scores")]
    runs = [[[np.array([row], dtype)] for row in rows] for rows in (reference, result)]
    (report,) = top1_of_outputs(Model({"main": graph}), runs[0], runs[1], labels)
    return report


def test_the_lowest_of_several_largest_scores_is_the_class() -> None:
    ties = [[1, 1, 0], [0, 2, 2], [3, 3, 3]]
    assert counted(ties, [[1, 0, 0], [0, 2, 0], [3, 0, 0]], [0, 1, 0]) == Top1(3, 3, 3, 3)
    assert counted(ties, [[0, 1, 0], [0, 0, 2], [0, 0, 3]], [0, 1, 0]) == Top1(3, 0, 3, 0)


def test_a_row_with_nan_has_no_class() -> None:
    rows = [[NAN, 1, 0], [0, 1, 0]]
    assert counted(rows, rows, []) == Top1(2, 1)
    assert counted(rows, rows, [0, 1]) == Top1(2, 1, 1, 1)
    assert counted(rows, [[0, 1, 0], [0, 1, NAN]], [1, 1]) == Top1(2, 0, 1, 1)


def test_signless_bytes_are_read_as_the_source_has_them() -> None:
    """TOSA's int8 -56 is the source's uint8 200."""
    graph = Graph("main")
    graph.outputs = [Value(TensorType(DType.UI8, (1, 2)), "scores")]
    reference, result = np.array([[200, 100]], np.uint8), np.array([[-56, 100]], np.int8)
    (report,) = top1_of_outputs(Model({"main": graph}), [[reference]] * 2, [[result]] * 2, [])
    assert report == Top1(2, 2)


def test_one_sample_without_a_label_says_nothing() -> None:
    assert counted([[0, 1, 0]], [[0, 1, 0]], []) is None
    assert counted([[0, 1, 0]], [[0, 1, 0]], [2]) == Top1(1, 1, 0, 0)


def test_runs_of_other_numbers_of_classes_or_shapes_have_no_counts() -> None:
    graph = Graph("main")
    graph.outputs = [Value(TensorType(DType.FP32, (1, None)), "scores")]
    model = Model({"main": graph})
    runs = [[np.zeros((1, size), np.float32)] for size in (3, 4)]
    assert top1_of_outputs(model, runs, runs, []) == [None]
    assert top1_of_outputs(model, runs[:1] * 2, runs[1:] * 2, []) == [None]
    empty = [[np.zeros((1, 0), np.float32)]] * 2
    assert top1_of_outputs(model, empty, empty, []) == [None]
    for pair in (runs, empty):
        with pytest.raises(tc.UsageError, match="expected one number of classes in all runs of output 'scores'"):
            top1_of_outputs(model, pair, pair, [0, 0])


@pytest.mark.parametrize("seed", range(5))
def test_counts_are_those_of_argmax(seed: int) -> None:
    rng = np.random.default_rng(seed)
    reference, result = rng.integers(0, 4, (2, 50, 3))
    labels = rng.integers(0, 3, 50)
    classes = reference.argmax(axis=1), result.argmax(axis=1)
    expected = (50, sum(classes[0] == classes[1]), sum(classes[0] == labels), sum(classes[1] == labels))
    report = counted(reference, result, labels.tolist())
    assert report is not None
    assert (report.count, report.agreement, report.source_top1, report.result_top1) == expected
    assert f"top-1 agreement: {expected[1]} of 50 samples; top-1 accuracy: {expected[2]} of the source" in report.text


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        ([1], "expected a label for each of 2 samples, found 1"),
        ([1, 3], "expected labels from 0 to 2 for 'scores', found 3"),
        ([-1, 0], "expected labels from 0 to 2 for 'scores', found -1"),
    ],
)
def test_labels_that_no_output_can_have(labels: list[int], text: str) -> None:
    with pytest.raises(tc.UsageError, match=rf"--labels \(labels\): {text}"):
        counted([[0, 1, 0]] * 2, [[0, 1, 0]] * 2, labels)


def digits(model: Path, count: int) -> tuple[dict[str, np.ndarray[Any, Any]], list[int]]:
    """The last digits of scikit-learn, in the type of the model's input."""
    datasets = pytest.importorskip("sklearn.datasets", reason="scikit-learn is not installed")
    data = datasets.load_digits()
    images = (data.images[-count:, None, :, :, None] / 16).astype(np.float32)
    (value,) = tc.load(model).main.inputs
    if value.type.quant is not None:
        (scale,), (zero_point,) = value.type.quant.scale, value.type.quant.zero_point
        images = np.clip(np.round(images / scale) + zero_point, -128, 127).astype(np.int8)
    return {value.name: images}, data.target[-count:].tolist()


@pytest.mark.parametrize("model", [FLOAT, INT8], ids=["float32", "int8"])
def test_accuracy_on_digits(model: Path) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    samples, labels = digits(model, 12)
    report = tc.accuracy(model, tc.convert(model), samples, labels)
    (name,) = samples
    outputs = [next(iter(tc.run(model, {name: image}, engine="litert").values())) for image in samples[name]]
    correct = sum(int(scores.argmax()) == label for scores, label in zip(outputs, labels, strict=True))
    assert report == Top1(12, 12, correct, correct)
    assert correct >= 10
    singles = [{name: image} for image in samples[name]]
    assert tc.accuracy(model, tc.convert(model), singles, np.array(labels)) == report  # type: ignore[arg-type]
    with pytest.raises(tc.UsageError, match="output: expected one of 'StatefulPartitionedCall_1:0', found 'nothing'"):
        tc.accuracy(model, tc.convert(model), samples, labels, output="nothing")
    with pytest.raises(tc.UsageError, match="expected numbers of classes, found 'seven'"):
        tc.accuracy(model, tc.convert(model), samples, ["seven"])  # type: ignore[list-item]
    with pytest.raises(tc.UsageError, match="expected inputs that the labels are for"):
        tc.verify(model, labels=labels)
