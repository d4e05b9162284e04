"""Runs of a source besides its reference, by hand: which are made, on which inputs, in which order."""

import numpy as np
import pytest

from tosa_converter.dtypes import DType
from tosa_converter.engines import Arrays, Engine
from tosa_converter.engines.executor import Executor
from tosa_converter.engines.litert import LiteRT
from tosa_converter.execute.plan import Keep
from tosa_converter.ir import Array, Graph, Model, Op, TensorType, Value
from tosa_converter.proof.rounding import move_floats
from tosa_converter.proof.source_runs import SourceRuns, litert_engines, other_runs, same_arithmetic
from tosa_converter.schemas.tfl_ops import BOUND


class Doubling(Executor):
    """An engine that doubles its only input."""

    def run(self, _model: Model, inputs: Arrays, *, keep: Keep = ()) -> dict[str, Array]:
        assert keep == ()
        (array,) = inputs.values()
        return {"y": 2 * np.asarray(array)}


def model_of(dtype: DType, shape: tuple[int, ...] = (3,), **attributes: int) -> Model:
    x = Value(TensorType(dtype, shape), "x")
    op = Op("tfl.abs", [x], [x.type], attributes, result_names=["y"])
    return Model({"main": Graph("main", [x], [op.result], [op])}, opset="tfl")


def runs_of(dtype: DType, count: int) -> SourceRuns:
    model = model_of(dtype)
    runs = SourceRuns(model, Doubling(), model)
    runs.add([{"x": np.full(3, i + 1).astype(dtype.numpy)} for i in range(count)])
    return runs


def test_sets_without_further_ones_are_the_given_ones_moved() -> None:
    runs = runs_of(DType.FP32, 3)
    runs.extend(3, 8)
    assert len(runs.inputs) == len(runs.outputs) == 8
    for i in range(3, 8):
        (array,) = runs.inputs[i][0].values()
        expected = move_floats({"x": np.full(3, i % 3 + 1, np.float32)}, 3, i)["x"]
        np.testing.assert_array_equal(array, expected)
        np.testing.assert_array_equal(runs.outputs[i][0], 2 * expected)
    runs.extend(3, 8)
    assert len(runs.inputs) == 8  # there were enough


def test_sets_are_moved_by_the_source_s_names() -> None:
    """A conversion may call its inputs otherwise; each set is kept by both names."""
    source, model = model_of(DType.FP32), model_of(DType.FP32)
    model.main.inputs[0].name = "renamed"
    runs = SourceRuns(source, Doubling(), model)
    runs.add([{"x": np.ones(3, np.float32)}])
    runs.extend(1, 3)
    assert [[*ours, *theirs] for ours, theirs in runs.inputs] == [["x", "renamed"]] * 3
    for i, (ours, theirs) in enumerate(runs.inputs):
        expected = move_floats({"x": np.ones(3, np.float32)}, 1, i)["x"] if i else np.ones(3, np.float32)
        np.testing.assert_array_equal(ours["x"], expected)
        np.testing.assert_array_equal(theirs["renamed"], expected)


def test_integers_are_not_moved() -> None:
    runs = runs_of(DType.I32, 2)
    runs.extend(2, 10)
    assert len(runs.inputs) == 2


@pytest.mark.parametrize("dtype", [DType.FP32, DType.I32])
def test_further_sets_are_made_by_their_numbers(dtype: DType) -> None:
    runs = runs_of(dtype, 2)
    runs.further = lambda i: {"x": np.full(3, 10 * i).astype(dtype.numpy)}
    runs.extend(2, 5)
    assert [arrays["x"][0] for arrays, _ in runs.inputs] == [1, 2, 20, 30, 40]


def test_a_conversion_runs_on_the_sets_that_are_asked_for() -> None:
    runs = runs_of(DType.FP32, 4)
    assert [run[0][0] for run in runs.run_conversion(Doubling(), 1, 3)] == [4, 6]


def test_rows_of_padding_are_cut_where_a_source_has_bounds() -> None:
    for attributes, rows in (({}, 4), ({BOUND: 4}, 2)):
        source, model = model_of(DType.FP32, (2,), **attributes), model_of(DType.FP32, (4,))
        runs = SourceRuns(source, Doubling(), model)
        runs.inputs.append(({"x": np.ones(2, np.float32)}, {"x": np.ones(4, np.float32)}))
        runs.outputs.append([np.ones(2, np.float32)])
        assert runs.has_bounds == bool(attributes)
        assert runs.run_conversion(Doubling(), 0, 1)[0][0].shape == (rows,)


def hybrid(*dtypes: DType) -> Model:
    """Returns a model of a layer that reads values of these types, and of an operator behind it."""
    operands = [Value(TensorType(dtype, (2,)), "x") for dtype in dtypes]
    op = Op("tfl.fully_connected", operands, [TensorType(DType.FP32, (2,))])
    last = Op("tfl.abs", [op.result], [op.result.type])
    return Model({"main": Graph("main", [], [], [op, last])}, opset="tfl")


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("litert", "litert-optimized", True),
        ("litert-xnnpack", "litert-xnnpack", True),
        ("litert", "litert-xnnpack", False),
        ("litert-xnnpack", "litert-optimized", False),
    ],
)
def test_xnnpack_quantizes_dynamic_range_layers_otherwise(a: str, b: str, same: bool) -> None:
    engines: list[Engine] = [LiteRT(a), LiteRT(b)]
    assert same_arithmetic(hybrid(DType.FP32, DType.I8), *engines) == same
    assert same_arithmetic(hybrid(DType.FP32, DType.FP32), *engines)
    assert same_arithmetic(hybrid(DType.I8, DType.I8), *engines)


def test_the_quickest_kernels_come_first() -> None:
    assert [engine.name for engine in litert_engines()] == ["litert-xnnpack", "litert-optimized", "litert"]


@pytest.mark.parametrize(
    ("dtype", "names", "missing"),
    [
        (
            DType.FP32,
            [f"executor, inputs changed by 1 ulp ({i})" for i in range(2)],
            {"other kernels": "executor has none"},
        ),
        (DType.I32, [], {"other kernels": "executor has none", "moved inputs": "no input is a float"}),
        (
            DType.I8,
            [f"executor, inputs and constants changed by 1 ulp ({i})" for i in range(2)],
            {"other kernels": "executor has none"},
        ),
    ],
)
def test_an_engine_without_other_kernels_runs_on_moved_inputs(
    dtype: DType, names: list[str], missing: dict[str, str]
) -> None:
    runs, absent = runs_of(dtype, 1), dict[str, str]()
    assert [run.name for run in other_runs(runs, 0, absent)] == names
    assert absent == missing


def test_one_input_of_floats_is_enough_to_be_moved() -> None:
    x, i = (Value(TensorType(dtype, (3,)), name) for dtype, name in ((DType.FP32, "x"), (DType.I32, "i")))
    op = Op("tfl.add", [x, i], [x.type], result_names=["y"])
    model = Model({"main": Graph("main", [x, i], [op.result], [op])}, opset="tfl")
    runs, absent = SourceRuns(model, Doubling(), model), dict[str, str]()
    runs.inputs.append(({}, {}))
    assert len([*other_runs(runs, 0, absent)]) == 2
    assert "moved inputs" not in absent


def test_each_run_moves_the_inputs_of_its_set_another_way() -> None:
    runs = runs_of(DType.FP32, 2)
    runs.inputs[1] = (runs.inputs[1][0], {"z": np.zeros(3, np.float32)})  # by the names of the conversion
    outputs = [run.run() for run in other_runs(runs, 1, {})]
    for i, arrays in enumerate(outputs):
        assert arrays is not None
        np.testing.assert_array_equal(arrays[0], 2 * move_floats({"x": np.full(3, 2, np.float32)}, i)["x"])
