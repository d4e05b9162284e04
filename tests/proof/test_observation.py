"""Values of both sides, by hand: how a place holds the source's elements, and what a conversion computes from them."""

import math
from pathlib import Path

import numpy as np
import pytest
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, State, TensorType, Value
from tosa_converter.proof.observation import ConversionRun, ObservedRun
from tosa_converter.proof.places import Place
from tosa_converter.schemas.tflite import BuiltinOperator as B


def place(source: DType, target: DType, shape: tuple[int, ...] = (2,), *, flipped: bool = False) -> Place:
    return Place(Value(TensorType(source, (2,)), "x"), Value(TensorType(target, shape), "x"), flipped)


@pytest.mark.parametrize(
    ("location", "array", "elements"),
    [
        (place(DType.FP32, DType.FP32), np.array([1.5, -2], np.float32), [1.5, -2]),
        (place(DType.FP32, DType.FP32, (2, 1)), np.array([1.5, -2], np.float32), [[1.5], [-2]]),
        (place(DType.FP32, DType.FP32, (3,)), np.array([1.5, -2], np.float32), None),
        (place(DType.FP32, DType.I32), np.array([1, -2], np.float32), None),
        (place(DType.I32, DType.FP32), np.array([1, -2], np.int32), None),
        (place(DType.FP32, DType.FP16), np.array([1.5, 1 / 3], np.float32), [1.5, float(np.float16(1 / 3))]),
        (place(DType.UI8, DType.I8), np.array([0, 255], np.uint8), [0, -1]),
        (place(DType.UI8, DType.I8, flipped=True), np.array([0, 255], np.uint8), [-128, 127]),
        (place(DType.I64, DType.I32), np.array([2**31 - 1, -(2**31)], np.int64), [2**31 - 1, -(2**31)]),
        (place(DType.I64, DType.I32), np.array([2**31, 0], np.int64), None),
        (place(DType.I64, DType.I32), np.array([0, -(2**31) - 1], np.int64), None),
    ],
)
def test_elements_of_the_source_at_a_place(location: Place, array: Array, elements: list[float] | None) -> None:
    """And back, but for what fp16 rounds."""
    converted = location.from_source(array)
    if elements is None:
        assert converted is None
        return
    assert converted is not None
    assert (converted.tolist(), converted.dtype) == (elements, location.value.type.dtype.numpy)
    back = location.to_source(converted, array)
    assert back.shape == array.shape
    np.testing.assert_array_equal(back, array.astype(converted.dtype) if converted.dtype == np.float16 else array)
    if converted.dtype.itemsize == array.dtype.itemsize:
        assert back.dtype == array.dtype


def absolutes() -> tuple[tc.Model, list[Value]]:
    """x -> a = |x| -> b = a + a -> c = |b|; the outputs are c and a."""
    x = Value(TensorType(DType.FP32, (2,)), "x")
    with tc.Builder(tc.Graph("main", [x])) as build:
        a = abs(tc.Expr(x))
        b = a + a
        c = abs(b)
    model = build.model(c=c, a=a)
    return model, [x, a.value, b.value, c.value]


X = np.array([1, -3], np.float32)


def test_a_conversions_values_in_a_run_and_from_others() -> None:
    model, (x, a, b, c) = absolutes()
    run = ConversionRun(model, [{"x": X}], [x, a, b, c, a], math.inf)
    assert {value: array.tolist() for value, array in run.values.items()} == {
        x: [1, -3],
        a: [1, 3],
        b: [2, 6],
        c: [2, 6],
    }
    arrays = run.values_from({x: np.array([5, -7], np.float32), b: np.array([-1, -1], np.float32)})
    # What reads x or b reads the arrays; b itself is computed, from a.
    assert {value: array.tolist() for value, array in arrays.items()} == {x: [1, -3], b: [10, 14]}
    arrays = run.values_from({value: np.array([-4, 4], np.float32) for value in (a, b, c)})
    assert {value: array.tolist() for value, array in arrays.items()} == {
        x: [1, -3],
        a: [1, 3],
        b: [-8, 8],
        c: [4, 4],
    }


def test_state_begins_with_its_initial_value_in_a_single_step() -> None:
    model, (*_, c) = absolutes()
    model.states = {"main": (State("x", "c", np.array([-5, 4], np.float32)),)}
    single = ConversionRun(model, [{}], [c], math.inf)
    assert single.values[c].tolist() == [10, 8]
    assert ConversionRun(model, [{}, {}], [c], math.inf).values[c].tolist() == [20, 16]


def test_a_value_of_the_source_is_the_conversions_where_it_has_one() -> None:
    model, (x, a, b, c) = absolutes()
    run = object.__new__(ObservedRun)
    run.conversion = ConversionRun(model, [{"x": X}], [a, b], math.inf)
    source = {value: Value(value.type, "s") for value in (a, b, c)}
    run.places_by_value = {source[value]: [Place(source[value], value)] for value in (a, c)}
    run.values = {source[value]: np.array([9, 9], np.float32) for value in (a, b, c)}
    arrays = [run.conversion_value(source[value]) for value in (a, b, c)]
    assert [None if array is None else array.tolist() for array in arrays] == [[1, 3], [9, 9], [9, 9]]
    assert run.conversion_value(x) is None


@pytest.mark.parametrize("steps", [0, 1, 2, 3])
@pytest.mark.parametrize("numerics", ["reference", "xnnpack"])
def test_every_operator_between_states_is_observed(numerics: str, steps: int) -> None:
    """A single step begins with the states of the file; the last of several with those that the others leave."""
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    path = Path(__file__).parents[2] / "models/small/keywords.int8.tflite"
    verification = tc.verify(path, layers=True, steps=steps, numerics=numerics)
    (operators,) = verification.operators
    assert [row.whole is not None and row.whole.mismatches for row in operators.operators] == [0] * 5


@pytest.mark.parametrize("prefix", ["", "a\x00", "\x00", "\x00\x1b[2J\n", "\u202e"])
def test_names_that_litert_cuts_are_compared(prefix: str, tmp_path: Path) -> None:
    """LiteRT ends a name at its first NUL: all tensors of "a\\0x", "a\\0y" and so on are called "a" there."""
    tensors = [Tensor((4, 8), name=f"{prefix}{letter}") for letter in "xyzw"]
    operators = [Operator(kind, (i,), (i + 1,)) for i, kind in enumerate((B.RELU, B.TANH, B.ABS))]
    source, result = tmp_path / "m.tflite", tmp_path / "m.tosa"
    source.write_bytes(build(tensors, operators, (0,), (3,)))
    tc.save(tc.convert(source), result)
    for written in ("", result):
        (compared,) = tc.verify(source, written, layers=True).operators
        assert compared.sentence == "No operator differs: 3 of 3 results are compared."
        assert [row.tensor for row in compared.operators] == [f"{prefix}{letter}" for letter in "yzw"]
