"""Tolerances that a user states: numpy's definition, special numbers, names, and who decides then."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.commands import FLOAT, MODELS
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Quant, TensorType, Value
from tosa_converter.proof.compare import OutputReport, compared_outputs
from tosa_converter.proof.tolerances import Tolerance
from tosa_converter.schemas.tflite import BuiltinOperator as B

NAN, INF = np.nan, np.inf


def report(value: Value, reference: Array, result: Array, atol: float, rtol: float) -> OutputReport:
    (output,) = compared_outputs([value], [[reference]], [[result]], 1e-5, 0, stated=[Tolerance(atol, rtol)])
    return output


def of(array: Array, quant: Quant | None = None) -> Value:
    dtypes = {"float32": DType.FP32, "float16": DType.FP16, "int8": DType.I8, "int32": DType.I32, "uint8": DType.UI8}
    return Value(TensorType(dtypes[str(array.dtype)], array.shape, quant), "y")


@pytest.mark.parametrize("seed", range(20))
def test_the_verdict_is_that_of_numpys_allclose(seed: int) -> None:
    rng = np.random.default_rng(seed)
    reference = rng.normal(0, 10, (3, 7)).astype(rng.choice(["float32", "float16", "int8", "int32"]))
    result = (reference + rng.choice([0, 0.5, -1, 2], reference.shape)).astype(reference.dtype)
    for atol, rtol in ((0, 0), (0.4, 0), (1, 0), (0, 0.1), (0.5, 0.05), (2, 0), (3, 1)):
        output = report(of(reference), reference, result, atol, rtol)
        numbers, expected = result.astype(np.float64), reference.astype(np.float64)
        assert output.verdict == np.allclose(numbers, expected, rtol=rtol, atol=atol)
        assert (output.atol, output.rtol) == (atol, rtol)
        assert output.tolerance == pytest.approx(atol + rtol * np.abs(expected).max())
        assert output.mismatches == np.count_nonzero(reference != result)
        if output.mismatches:
            assert output.rule.endswith(f"atol {atol:g}, rtol {rtol:g}")


def test_each_element_has_its_own_bound() -> None:
    """The largest difference may be within 10 % of its element, and a small one beyond that of another."""
    reference = np.array([100, 1], np.float32)
    assert report(of(reference), reference, np.array([109, 1.05], np.float32), 0, 0.1).verdict
    output = report(of(reference), reference, np.array([109, 1.2], np.float32), 0, 0.1)
    assert not output.verdict
    assert output.rule == "differs by more than atol 0, rtol 0.1"
    assert output.tolerance == pytest.approx(10)


@pytest.mark.parametrize(
    ("reference", "result", "verdict"),
    [
        (NAN, NAN, True),
        (INF, INF, True),
        (-INF, -INF, True),
        (NAN, 1.0, False),
        (1.0, NAN, False),
        (INF, 1.0, False),
        (1.0, INF, False),
        (INF, -INF, False),
        (INF, NAN, False),
        (3e38, -3e38, True),
    ],
)
def test_special_numbers_are_equal_to_themselves_alone(reference: float, result: float, verdict: bool) -> None:
    arrays = np.array([1, reference], np.float32), np.array([1, result], np.float32)
    assert report(of(arrays[0]), *arrays, atol=1e300, rtol=1e300).verdict is verdict


def test_a_relative_tolerance_of_bytes_is_of_what_they_stand_for() -> None:
    """-128 with the zero point -128 stands for 0, of which 10 % are 0; 72 for 200 steps, of which 10 % are 20."""
    value = of(np.zeros(2, np.int8), Quant((0.5,), (-128,)))
    reference = np.array([-128, 72], np.int8)
    assert report(value, reference, np.array([-128, 92], np.int8), 0, 0.1).verdict
    assert not report(value, reference, np.array([-127, 72], np.int8), 0, 0.1).verdict
    assert report(value, reference, np.array([-127, 72], np.int8), 1, 0).verdict
    assert not report(value, reference, np.array([-128, 93], np.int8), 0, 0.1).verdict


def test_zero_points_of_an_axis_are_of_its_elements() -> None:
    value = Value(TensorType(DType.I8, (2, 3), Quant((1.0,) * 3, (0, 10, 20), 1)), "y")
    allowed = Tolerance(1, 0.5).bounds(value, np.full((4, 2, 3), 20, np.int8))  # of 4 steps
    np.testing.assert_array_equal(allowed, np.broadcast_to([11, 6, 1], (4, 2, 3)))


def write_two_outputs(folder: Path) -> Path:
    """Floor of x as floats, and whether x is above y."""
    tensors = [Tensor((1, 4), name="x"), Tensor((1, 4), name="y"), Tensor((1, 4), name="floor")]
    tensors += [Tensor((1, 4), "bool", name="above")]
    operators = [Operator(B.FLOOR, (0,), (2,)), Operator(B.GREATER, (0, 1), (3,))]
    (folder / "m.tflite").write_bytes(build(tensors, operators, (0, 1), (2, 3)))
    return folder / "m.tflite"


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (
            {"atol": {"flor": 1}},
            r"--atol \(atol\): expected the name of an output, one of 'above', 'floor', found 'flor'",
        ),
        ({"rtol": {"above": 1}}, r"--rtol \(rtol\) can't apply to output 'above': booleans must be equal"),
        ({"atol": -1}, r"--atol \(atol\): expected a finite number from 0 on, found -1"),
        ({"rtol": {"floor": NAN}}, r"--rtol \(rtol\) of 'floor': expected a finite number from 0 on, found nan"),
        ({"atol": INF}, "expected a finite number from 0 on, found inf"),
        ({"atol": "1"}, "expected a finite number from 0 on, found '1'"),
    ],
)
def test_what_is_no_tolerance_is_refused(tmp_path: Path, options: dict[str, Any], text: str) -> None:
    path = write_two_outputs(tmp_path)
    with pytest.raises(tc.UsageError, match=text):
        tc.verify(path, **options)
    with pytest.raises(tc.UsageError, match=text):
        tc.compare(path, tc.convert(path), **options)


def test_each_output_may_have_its_own_tolerance(tmp_path: Path) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    path = write_two_outputs(tmp_path)
    x, y = np.array([[0.5, 1.5, 2.5, -0.5]], np.float32), np.ones((1, 4), np.float32)
    inputs = [{"x": x, "y": y}]
    floor = np.floor(x)
    device = {"floor": (floor + np.array([0, 0, 0.25, 0])).astype(np.float32), "above": x > y}
    for options, verdict in (
        ({}, False),
        ({"atol": {"floor": 0.25}}, True),
        ({"atol": np.float32(0.25)}, True),
        ({"atol": 0.2}, False),
        ({"rtol": {"floor": 0.125}}, True),  # an eighth of 2
        ({"atol": {"floor": 0.2}, "rtol": {"": 1}}, True),
        ({"atol": {"": 1, "floor": 0.2}}, False),
    ):
        verification = tc.verify(path, inputs=inputs, loaded={"device": device}, **options)
        assert verification.verdict is verdict, options
        result = verification.comparisons[1]
        assert [output.verdict for output in result.outputs] == [verdict, True]
        assert result.outputs[1].atol is None
    device["above"] = ~device["above"]
    verification = tc.verify(path, inputs=inputs, loaded={"device": device}, atol=1)
    assert [output.verdict for output in verification.comparisons[1].outputs] == [True, False]


def test_stated_tolerances_decide_in_place_of_operators() -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    detector, options = MODELS / "small" / "detector.int8.tflite", {"numerics": "compact", "runs": 1}
    plain = tc.verify(detector, **options)  # type: ignore[arg-type]
    assert not plain.verdict
    assert {output.max_abs for output in plain.outputs} == {1}
    for atol in (1, 0.5):
        verification = tc.verify(detector, atol=atol, **options)  # type: ignore[arg-type]
        assert verification.verdict is (atol == 1)
        assert verification.options["--atol"] == {"": atol}
    layered = tc.verify(detector, atol=1, layers=True, **options)  # type: ignore[arg-type]
    assert layered.verdict
    assert not all(row.verdict for row in layered.operators)
    assert layered.figures()["comparisons"][0]["outputs"][0]["atol"] == 1


def test_names_of_one_of_several_signatures() -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    model = tc.load(MODELS / "signatures_int8.tflite")
    outputs = {name: [value.name for value in s.outputs.values()] for name, s in model.signatures.items()}
    name = next(iter(outputs))
    own = next(value for value in outputs[name] if not any(value in rest for n, rest in outputs.items() if n != name))
    verification = tc.verify(model, atol={own: 2})
    stated = {output.name for c in verification.comparisons for output in c.outputs if output.atol == 2}
    assert stated == {own}
    assert {c.signature for c in verification.comparisons if any(o.atol == 2 for o in c.outputs)} == {name}
    with pytest.raises(tc.UsageError, match="expected the name of an output"):
        tc.verify(model, atol={"nothing": 2})


def test_a_stated_tolerance_is_final() -> None:
    """Floats that aren't bit-identical fail a tolerance of 0, without the second look that the default has."""
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    (output,) = tc.verify(FLOAT, runs=5).outputs
    assert output.verdict
    assert output.mismatches
    exact = tc.verify(FLOAT, runs=5, atol=0).outputs[0]
    assert (exact.verdict, exact.second_look, exact.tolerance) == (False, None, 0)
    assert tc.verify(FLOAT, runs=5, atol=output.max_abs).verdict


def test_tolerances_of_a_chain(tmp_path: Path) -> None:
    pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
    path, chain = write_two_outputs(tmp_path), tmp_path / "parts" / "manifest.json"
    chain.parent.mkdir()
    tc.save(tc.convert_partially(path), chain)
    verification = tc.verify(path, partial=chain, atol={"floor": 0.5})
    assert [output.atol for output in verification.outputs] == [0.5, None]
    with pytest.raises(tc.UsageError, match="expected the name of an output, one of 'above', 'floor', found 'out'"):
        tc.verify(path, partial=chain, atol={"out": 0.5})
