"""The networks in `models/small`, in every kind of quantization: as their manifest says, and converted into equals."""

import hashlib
from pathlib import Path

import pytest
from support.commands import MODELS
from support.xnnpack_cases import ON_X86

import tosa_converter as tc
from tosa_converter.legalize.quant.elements import LEFT
from tosa_converter.proof.input_sets import random_inputs
from tosa_converter.proof.zoo import read_manifest

FOLDER = MODELS / "small"
FILES = {Path(model.path): model for model in read_manifest(FOLDER / "models.toml")}
INTEGERS = ("int8", "uint8_io", "int16x8")
KINDS = {"float32", "float16", "dynamic", "dynamic4", *INTEGERS}
CUSTOM = ("detections.float32",)  # whose custom operators LiteRT's reference kernels lack


def test_the_manifest_names_every_file_and_kind() -> None:
    assert {path for path in FOLDER.iterdir() if path.suffix == ".tflite"} == set(FILES)
    assert {model.kind for model in FILES.values()} == KINDS
    assert all((MODELS / model.note).exists() for model in FILES.values())
    sizes = [path.stat().st_size for path in FILES]
    assert max(sizes) < 200_000
    assert sum(sizes) < 2_000_000


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_conversions_are_equal(path: Path) -> None:
    """Every integer, and floats within the tolerance of `compare`."""
    assert hashlib.sha256(path.read_bytes()).hexdigest() == FILES[path].sha256
    source = tc.load(path)
    model = tc.convert(source)
    if model.stateful:
        (report,) = tc.compare(source, model, runs=2, steps=6)
    else:
        (report,) = tc.compare(source, model, runs=3)
    assert report.reference == ("litert-xnnpack" if FILES[path].name in CUSTOM else "litert")
    assert report.verdict, report.outputs
    if FILES[path].kind in INTEGERS:
        assert [output.mismatches for output in report.outputs] == [0] * len(report.outputs)


BYTES = [path for path, model in FILES.items() if model.kind in ("int8", "uint8_io")]


@ON_X86
@pytest.mark.parametrize("path", BYTES, ids=lambda path: path.stem)
def test_in_xnnpack_numerics_they_are_what_litert_computes_by_default(path: Path) -> None:
    source = tc.load(path)
    model = tc.convert(source, numerics="xnnpack")
    engines = ("executor", "litert-xnnpack")
    if model.stateful:
        (report,) = tc.compare(source, model, runs=2, steps=6, against=engines)
    else:
        (report,) = tc.compare(source, model, runs=3, against=engines)
    assert [output.mismatches for output in report.outputs] == [0] * len(report.outputs)


def test_in_xnnpack_numerics_verify_takes_litert_with_its_delegate() -> None:
    """Unless another engine is named; the notes are the operators that the delegate leaves to others."""
    path = MODELS / "digits_int8.tflite"
    done = tc.verify(path, numerics="xnnpack")
    assert [comparison.reference for comparison in done.comparisons] == ["litert-xnnpack"]
    assert [(note.location.split()[1], note.text) for note in done.notes] == [("SOFTMAX", LEFT)]
    assert str(done.needs) == "PRO-INT, PRO-FP"
    done = tc.verify(path, numerics="xnnpack", against="litert")
    assert [comparison.reference for comparison in done.comparisons] == ["litert"]


STATES = [path for path in FILES if path.name.startswith(("keywords", "lstm"))]


@pytest.mark.parametrize("path", STATES, ids=lambda path: path.stem)
@pytest.mark.parametrize("sequence", ["unroll", "loop"])
def test_state_goes_on_through_inputs_and_outputs(path: Path, sequence: str) -> None:
    source = tc.load(path)
    (report,) = tc.compare(source, tc.convert(source, state="io", sequence=sequence), steps=6)
    assert report.verdict, report.outputs
    assert report.steps == 6


@pytest.mark.parametrize("state", ["variables", "io"])
def test_state_in_every_comparison(state: str) -> None:
    """Inputs that the user gives are a step each, and layers are judged from where a run begins."""
    source = tc.load(FOLDER / "keywords.int8.tflite")
    model = tc.convert(source, state=state)
    (report,) = tc.compare(source, model, inputs=[tc.random_inputs(source, seed=seed) for seed in range(2)])
    assert (report.verdict, report.runs, report.steps) == (True, 2, 1)
    layers = tc.verify(source, state=state, layers=True, runs=1, steps=2).layers
    assert layers
    assert all(layer.compliant for layer in layers)


@pytest.mark.parametrize("state", ["variables", "io"])
def test_state_in_halves(state: str) -> None:
    report = tc.verify(FOLDER / "keywords.float32.tflite", state=state, float_type="fp16", runs=1, steps=3)
    assert report.verdict


@pytest.mark.parametrize("flow", ["keep", "flatten"])
def test_detections_in_both_forms(flow: str) -> None:
    """What no detection fills is whatever LiteRT's memory was, and counted apart; the rest is equal."""
    source = tc.load(FOLDER / "detections.float32.tflite")
    model = tc.convert(source, control_flow=flow)
    assert ("tosa.while_loop" in {op.name for op in model.main.ops}) == (flow == "keep")
    (report,) = tc.compare(source, model, runs=6)
    assert report.verdict, report.outputs
    classes, number, corners, scores = report.outputs
    assert number.undefined == 0
    counts = [int(tc.run(model, random_inputs(source.main.inputs, {}, seed))[number.name][0]) for seed in range(6)]
    assert 0 < sum(counts) < 60
    assert max(output.undefined for output in (classes, scores)) <= 60 - sum(counts)
    assert corners.undefined <= 4 * (60 - sum(counts))
