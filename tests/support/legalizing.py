"""Runs models of one operator through our conversion and executor, and through LiteRT's reference kernels."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import tosa_converter as tc
from support import passes
from support.passes import rule_pass
from support.tflite_models import Operator, Tensor, build, run_litert
from tosa_converter.execute.plan import Executable
from tosa_converter.formats.tflite.reader import read_tflite
from tosa_converter.formats.tosa.writer import write_tosa
from tosa_converter.ir import Array, Model
from tosa_converter.proof.compare import Comparison, OutputReport
from tosa_converter.rewriting.driver import RulePass, run_pass
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rules.target import Target
from tosa_converter.schemas.tflite import BuiltinOperator

# Without the rules of quantized elements and the delegate's rows: the other rules must decline with a reason.
QUANTIZED = re.compile(r"quantized\.|tflite\.delegate\.|.*\.int8\.")
LEGALIZE = RulePass(
    "legalize",
    tuple(rule for rule in rule_pass("tfl").rules if not QUANTIZED.match(rule.name)),
    check=rule_pass("tfl").check,
)


class Const(NamedTuple):
    """A constant operand; every other array is an input of the graph."""

    data: Array


Operand = Array | Const | None


def single(
    builtin: BuiltinOperator,
    operands: Sequence[Operand],
    results: Sequence[str] = ("float32",),
    version: int = 1,
    **options: Any,
) -> tuple[bytes, list[Array]]:
    """Returns a model of one operator, and its input arrays."""
    tensors: list[Tensor] = []
    places: list[int] = []
    fed: list[int] = []
    for operand in operands:
        if operand is None:
            places.append(-1)
            continue
        array = operand.data if isinstance(operand, Const) else operand
        places.append(len(tensors))
        if not isinstance(operand, Const):
            fed.append(len(tensors))
        tensors.append(Tensor(array.shape, str(array.dtype), operand.data if isinstance(operand, Const) else None))
    output_places = list(range(len(tensors), len(tensors) + len(results)))
    tensors += [Tensor((), dtype) for dtype in results]
    data = build(tensors, [Operator(builtin, places, output_places, options, version=version)], fed, output_places)
    return data, [operand for operand in operands if isinstance(operand, np.ndarray)]


def legalized(data: bytes, options: Options | None = None, report: Report | None = None) -> Model:
    """Returns the TOSA model."""
    return run_pass(read_tflite(data), LEGALIZE, options, report)


def executed(model: Model, arrays: Sequence[Array]) -> list[Array]:
    """Returns the results of our executor."""
    return list(Executable(model).run(list(arrays)).values())


def reference_model(model: Model, arrays: Sequence[Array]) -> list[Array]:
    """Returns the results of Arm's reference model."""
    judge = pytest.importorskip("tosa_reference_model", reason="the TOSA reference model is not installed")
    outputs, status = judge.run(b"".join(map(bytes, write_tosa(model))), list(arrays), tosa_level="EIGHTK")
    assert status == judge.GraphStatus.TOSA_VALID
    return list(outputs)


def as_signless(array: Array) -> Array:
    """Returns the array in TOSA's types: 64-bit integers narrowed, unsigned ones reinterpreted."""
    if array.dtype == np.int64:
        return array.astype(np.int32)
    return array.view({np.dtype(np.uint8): np.int8, np.dtype(np.uint16): np.int16}.get(array.dtype, array.dtype))


def compare(got: Sequence[Array], want: Sequence[Array], tolerance: float) -> None:
    """Asserts equal shapes, and elements within `tolerance` of the largest expected one; equal bits if that is 0."""
    assert len(got) == len(want)
    for ours, theirs in zip(got, map(as_signless, want), strict=True):
        assert ours.shape == theirs.shape
        assert ours.dtype == theirs.dtype
        if tolerance and theirs.size:
            finite = np.isfinite(theirs)
            np.testing.assert_array_equal(ours[~finite], theirs[~finite])
            largest = np.abs(theirs[finite]).max(initial=0)
            np.testing.assert_allclose(ours[finite], theirs[finite], rtol=0, atol=tolerance * largest)
        else:
            np.testing.assert_array_equal(ours, theirs)


def check(
    builtin: BuiltinOperator,
    operands: Sequence[Operand],
    results: Sequence[str] = ("float32",),
    tolerance: float = 0.0,
    *,
    by_reference_model: bool = False,
    **options: Any,
) -> Model:
    """Compares one operator with LiteRT's kernel; returns our model."""
    data, arrays = single(builtin, operands, results, **options)
    want = run_litert(data, arrays)
    model = legalized(data)
    narrowed = [as_signless(array) for array in arrays]
    compare(executed(model, narrowed), want, tolerance)
    if by_reference_model:
        compare(reference_model(model, narrowed), want, tolerance)
    return model


def notes(data: bytes) -> list[str]:
    """Returns the notes of the conversion's report."""
    report = Report()
    passes.legalized(read_tflite(data), Options(), report)
    return [note.text for note in report.notes]


def compared(
    path: Path,
    data: bytes,
    arrays: list[Array],
    change: Callable[[Model], None] | None = None,
    target: Target | None = None,
) -> Sequence[OutputReport]:
    """Returns the comparison of a model with its conversion; `change` may break the conversion."""
    path.write_bytes(data)
    source = tc.load(path)
    ours = tc.convert(source, target=target)
    if change:
        change(ours)
    fed = {value.name: array for value, array in zip(source.main.inputs, arrays, strict=True)}
    (comparison,) = tc.compare(source, ours, inputs=[fed])
    assert isinstance(comparison, Comparison)
    return comparison.outputs
