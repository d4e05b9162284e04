"""Files of other tools against their source: values matched by value, faults found at their operators."""

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.existing_files import anonymous, plant
from support.some import some
from support.spirv_tools import binary, model_converter
from support.tflite_models import Operator, Tensor, build
from support.xnnpack_cases import cases

import tosa_converter as tc
from tosa_converter.errors import UsageError
from tosa_converter.ir import Op
from tosa_converter.ir.edit import copy_model
from tosa_converter.proof.tflite_run import can_be_observed
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tosa_ops import CLAMP

MODELS = Path(__file__).parents[2] / "models"
INT8, FLOAT = MODELS / "digits_int8.tflite", MODELS / "digits_float32.tflite"
DETECTOR, ENCODER = MODELS / "small" / "detector.uint8_io.tflite", MODELS / "small" / "encoder.int8.tflite"
STREAM = MODELS / "small" / "keywords.int8.tflite"


@pytest.mark.parametrize("path", [INT8, FLOAT, DETECTOR, ENCODER, STREAM], ids=lambda path: path.stem)
def test_an_equal_file_without_names_has_no_culprit(path: Path) -> None:
    done = tc.verify(path, anonymous(tc.convert(path)), layers=True, bisect=True)
    assert done.verdict
    (operators,) = done.operators
    assert operators.guilty is None
    assert operators.parted is None
    matched = {row.matched for row in operators.operators}
    assert {"output", "equal values"} <= matched <= {"output", "equal values", ""}


@pytest.mark.parametrize("ending", ["tosa", "spv", "vgf", "mlir", "tflite"])
def test_every_format_is_compared_without_a_conversion(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tc.convert(INT8)
    tc.save(tc.to_tflite(model) if ending == "tflite" else model, tmp_path / f"m.{ending}")
    monkeypatch.setattr("tosa_converter.api.existing_files.convert", lambda *_, **_options: pytest.fail("it converts"))
    done = tc.verify(INT8, tmp_path / f"m.{ending}")
    assert (done.verdict, done.reference) == (True, "litert")
    (comparison,) = tc.compare(str(INT8), str(tmp_path / f"m.{ending}"))
    assert comparison.verdict


@pytest.mark.parametrize("kind", ["constant", "attribute", "operand"])
@pytest.mark.parametrize("path", [INT8, FLOAT, DETECTOR], ids=lambda path: path.stem)
def test_a_planted_fault_is_found_at_its_operator(path: Path, kind: str) -> None:
    """Of some random faults that move an output, all are named in a file without names."""
    source, conversion, rng = tc.load(path), tc.convert(path), random.Random(f"{path.name} {kind}")
    for _ in range(2):
        fault = next(fault for fault in iter(lambda: plant(conversion, rng, kind), None) if moves(source, fault.model))
        comparison = tc.compare_layers(source, anonymous(fault.model), bisect=True)
        assert comparison.guilty is not None, fault
        assert comparison.guilty.location == fault.location, fault.kind


def moves(source: tc.Model, model: tc.Model) -> bool:
    """Returns whether an output of a faulty model differs; False if it doesn't run."""
    try:
        return not all(comparison.verdict for comparison in tc.compare(source, anonymous(model)))
    except tc.ConverterError:
        return False


@pytest.mark.parametrize("ending", ["tosa", "mlir", "spv"])
def test_state_that_is_inputs_and_outputs_begins_as_in_the_source(ending: str, tmp_path: Path) -> None:
    """A file of TOSA doesn't hold what its states begin with."""
    tc.save(tc.convert(STREAM, state="io"), tmp_path / f"m.{ending}")
    done = tc.verify(STREAM, tmp_path / f"m.{ending}", layers=True)
    assert done.verdict
    assert done.comparisons[0].steps == 10


def test_a_fault_in_a_file_with_state_is_found_in_the_first_step_that_has_it() -> None:
    source, conversion = tc.load(STREAM), tc.convert(STREAM)
    weight = next(op for op in conversion.main.ops if op.name == "tosa.rescale" and "FULLY" in op.location).operands[1]
    op = some(weight.producer)
    op.attributes["values"] = op.attributes["values"] // 2
    comparison = tc.compare_layers(source, anonymous(conversion))
    assert some(comparison.guilty).type == "tfl.fully_connected"
    assert comparison.steps == 1


@pytest.mark.parametrize("path", [INT8, FLOAT, DETECTOR, ENCODER], ids=lambda path: path.stem)
def test_the_part_of_the_file_shows_the_same_difference(path: Path, tmp_path: Path) -> None:
    source, conversion, rng = tc.load(path), tc.convert(path), random.Random(path.name)
    fault = next(fault for fault in iter(lambda: plant(conversion, rng), None) if moves(source, fault.model))
    comparison = tc.compare_layers(source, anonymous(fault.model), bisect=True)
    case, guilty = some(comparison.case), some(some(comparison.guilty).alone)
    tc.save(case.model, tmp_path / "operator.tflite")
    tc.save(some(case.result_model), tmp_path / "operator.tosa")
    done = tc.verify(tmp_path / "operator.tflite", tmp_path / "operator.tosa", inputs=[case.inputs])
    (output,) = done.outputs
    assert (output.mismatches, output.max_abs) == (guilty.mismatches, guilty.max_abs)
    assert not done.verdict


def test_a_source_of_tosa_names_its_own_operator(tmp_path: Path) -> None:
    tc.save(tc.convert(INT8), tmp_path / "m.tosa")
    source, rng = tc.load(tmp_path / "m.tosa"), random.Random(1)
    fault = next(fault for fault in iter(lambda: plant(source, rng, "attribute"), None) if moves(source, fault.model))
    comparison = tc.compare_layers(source, anonymous(fault.model), bisect=True)
    assert comparison.reference == "executor"
    assert some(comparison.guilty).location == fault.location
    assert some(comparison.guilty).type.startswith("tosa.")


def test_the_conversion_stands_for_a_source_that_no_engine_compares() -> None:
    source = tc.load(cases("qint8")["conv.xnn"].data)
    conversion = tc.convert(source)
    done = tc.verify(source, anonymous(conversion), layers=True)
    assert (done.verdict, done.reference) == (True, "executor")
    assert "is the reference" in done.notes[0].text
    rng = random.Random(0)
    fault = plant(conversion, rng, "attribute")
    (operators,) = tc.verify(source, anonymous(fault.model), layers=True).operators
    assert some(operators.guilty).location == fault.location


@model_converter
def test_a_file_of_the_model_converter(tmp_path: Path) -> None:
    """Its `.vgf` has no names; a fault that it compiles is found at its operator."""

    def compiled(model: tc.Model) -> Path:
        tc.save(model, tmp_path / "m.tosa")
        program = some(binary("model_converter", "model-converter"))
        command = [program, "-i", str(tmp_path / "m.tosa"), "-o", str(tmp_path / "theirs.vgf")]
        subprocess.run(command, capture_output=True, check=True, timeout=120)
        return tmp_path / "theirs.vgf"

    model = tc.convert(INT8)
    done = tc.verify(INT8, compiled(model), bisect=True)
    assert done.verdict
    assert done.operators[0].guilty is None
    shift = next(op for op in model.main.ops if "main:5" in op.location and op.name == "tosa.rescale").operands[2]
    values = some(shift.producer).attributes["values"]
    some(shift.producer).attributes["values"] = values - np.int8(1)
    done = tc.verify(INT8, compiled(model), bisect=True)
    assert not done.verdict
    assert some(done.operators[0].guilty).index == 5


def test_a_file_of_tosa_opt(tmp_path: Path) -> None:
    """MLIR's own writer keeps neither names nor locations."""
    program = Path(sys.executable).with_name("tosa-opt")
    if not program.exists():
        pytest.skip("tosa-tools is not installed")
    tc.save(tc.convert(INT8), tmp_path / "m.mlir")
    flag = f"--tosa-flatbuffer-filename={tmp_path / 'theirs.tosa'}"
    command = [str(program), str(tmp_path / "m.mlir"), "--tosa-serialize", flag, "-o", "/dev/null"]
    subprocess.run(command, capture_output=True, check=True, timeout=120)
    done = tc.verify(INT8, tmp_path / "theirs.tosa", layers=True)
    assert done.verdict
    assert sum(row.matched == "equal values" for row in done.operators[0].operators) >= 7


def test_a_file_of_the_peer(tmp_path: Path) -> None:
    """Its text has no names, so equal values match its operators; with an unknown batch it would be refused."""
    program = shutil.which("tosa-converter-for-tflite", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if program is None:
        pytest.skip("tosa-converter-for-tflite is not installed")
    source = MODELS / "small" / "torch_mobilenet_v2_small.int8.tflite"
    command = [program, str(source), "--text", "-o", str(tmp_path / "theirs.mlir")]
    subprocess.run(command, capture_output=True, check=True, timeout=120)
    done = tc.verify(source, tmp_path / "theirs.mlir", bisect=True)
    assert done.verdict
    assert sum(row.matched == "equal values" for row in done.operators[0].operators) >= 20


@pytest.mark.parametrize(
    ("source", "model", "message"),
    [
        (INT8, FLOAT, r"expected inputs .*i8\[\?x8x8x1\] as in .*, found .*fp32\[\?x8x8x1\]"),
        (INT8, DETECTOR, r"expected inputs .*, found .*ui8"),
        (
            MODELS / "signatures_int8.tflite",
            INT8,
            "expected a graph for each of the signatures .*'encode'.*--signature",
        ),
    ],
)
def test_files_of_another_model_are_refused(source: Path, model: Path, message: str) -> None:
    with pytest.raises(tc.UsageError, match=message):
        tc.verify(source, model)


def test_a_signature_picks_the_graph_of_the_source() -> None:
    path = MODELS / "signatures_int8.tflite"
    model = anonymous(tc.convert(tc.selected(path, "encode")))
    done = tc.verify(path, model, signature="encode", layers=True)
    assert done.verdict


def test_a_model_of_many_equal_values_takes_bounded_work() -> None:
    """2,000 operators of the same shape, half of them with the same elements."""
    x = tc.Value(tc.TensorType(tc.DType.I8, (1, 8, 8, 1)), "image")
    source = tc.load(INT8)
    with tc.Builder(tc.Graph("main", [x])) as build:
        y = tc.Expr(x)
        for _ in range(1000):
            y = y ^ y ^ y
        pooled = y.reshape((1, 64)).slice((0, 0), (1, 10))
    comparison = tc.compare_layers(source, build.model(y=pooled), bisect=True)
    assert comparison.guilty is not None


def test_arrays_of_a_single_input_need_no_name() -> None:
    inputs = tc.random_inputs(INT8)
    (array,) = inputs.values()
    for model in (INT8, tc.convert(INT8)):
        expected = tc.run(model, inputs)
        for outputs in (tc.run(model, array), tc.run_steps(model, [array])[0]):
            assert {name: value.tobytes() for name, value in outputs.items()} == {
                name: value.tobytes() for name, value in expected.items()
            }
    with pytest.raises(tc.UsageError, match=r"expected arrays by the names of the inputs \(serving.*\), found list"):
        tc.run(INT8, [array])  # type: ignore[arg-type]  # what a user may try
    with pytest.raises(tc.UsageError, match=r"expected arrays by the names of 2 inputs \(a, b\), found a single array"):
        tc.run(two_inputs(), np.zeros((2, 3), np.float32))


def two_inputs() -> bytes:
    """a - b."""
    a, b, y = (Tensor((2, 3), name=name) for name in "aby")
    return build([a, b, y], [Operator(B.SUB, (0, 1), (2,))], (0, 1), (2,))


@pytest.mark.parametrize("names", ["ab", "xy", "by"])
def test_inputs_correspond_by_name_before_their_order(names: str) -> None:
    """The file subtracts its second input from its first one; only the names say that `b` is the source's second."""
    first, second = (tc.Value(tc.TensorType(tc.DType.FP32, (2, 3)), name) for name in names)
    with tc.Builder(tc.Graph("main", [first, second])) as build_file:
        difference = tc.Expr(first) - tc.Expr(second)
    model = build_file.model(y=difference)
    assert all(comparison.verdict for comparison in tc.compare(two_inputs(), model)) == (names != "by")
    model.main.inputs.reverse()
    swapped = all(comparison.verdict for comparison in tc.compare(two_inputs(), model))
    assert swapped == (names == "ab")


def test_two_tflite_files_with_unknown_sizes() -> None:
    """Neither says how large the batch is: both get the size of the file's own shape."""
    done = tc.verify(INT8, INT8, layers=True)
    assert done.verdict
    assert [row.verdict for row in done.operators[0].operators] == [True] * 9
    assert tc.verify(INT8, INT8, adversarial=True).verdict


LSTM = MODELS / "small" / "lstm_stateful.dynamic.tflite"


@pytest.mark.parametrize(
    ("path", "observed"), [(INT8, True), (STREAM, False), (LSTM, False)], ids=["none", "variables", "lstm"]
)
def test_parts_of_a_tflite_file_are_run_unless_it_keeps_state(path: Path, observed: bool) -> None:
    """Parts would begin with other states: variables of a graph, or variable tensors of recurrent operators."""
    assert can_be_observed(tc.load(path)) is observed
    comparison = tc.compare_layers(path, tc.load(path))
    assert bool(comparison.operators) is observed


def test_a_chain_and_a_file_exclude_each_other(tmp_path: Path) -> None:
    with pytest.raises(tc.UsageError, match="leave out one of them"):
        tc.verify(INT8, INT8, partial=tmp_path)


@pytest.mark.parametrize(
    "option",
    [{"target": "ethos-u85"}, {"rules": ["wrong.py"]}, {"state": "io"}, {"control_flow": "keep"}, {"sequence": "loop"}],
    ids=str,
)
def test_options_of_a_conversion_are_refused(option: dict[str, Any], tmp_path: Path) -> None:
    tc.save(tc.convert(INT8), tmp_path / "m.tosa")
    with pytest.raises(UsageError, match="can't apply: an existing file is compared"):
        tc.verify(INT8, tmp_path / "m.tosa", **option)


def clamped(model: tc.Model, name: str, least: float, most: float) -> tc.Model:
    """Returns a copy in which a value goes through a CLAMP at the end of the operator that gives it."""
    copy = copy_model(model)
    op = next(op for op in copy.main.ops if any(value.name == name for value in op.results))
    attributes = {"min_val": least, "max_val": most, "nan_mode": "PROPAGATE"}
    clamp = Op(CLAMP, [op.result], [op.result.type], attributes, location=op.location)
    position = copy.main.ops.index(op) + 1
    for reader in copy.main.ops[position:]:
        reader.inputs = tuple(clamp.result if value is op.result else value for value in reader.inputs)
    copy.main.ops.insert(position, clamp)
    return copy


@pytest.mark.parametrize(
    ("path", "index", "limit"),
    [
        (STREAM, 0, 20),
        (STREAM, 1, 20),
        (MODELS / "small" / "keywords.float32.tflite", 1, 0.05),
        (MODELS / "small" / "lstm.int8.tflite", 0, 20),
        (MODELS / "small" / "lstm.int8.tflite", 1, 20),  # the state that it leaves has the elements of its last step
    ],
)
def test_a_fault_behind_the_elements_of_a_recurrent_operator_is_its_own(path: Path, index: int, limit: float) -> None:
    """The file holds the operator's elements in front of the fault: they equal the source's, and the next are wrong."""
    source = tc.load(path)
    recurrent = [op for op in source.main if op.name in ("tfl.svdf", "tfl.unidirectional_sequence_lstm")][index]
    model = anonymous(clamped(tc.convert(path), recurrent.result.name, -limit, limit))
    guilty = some(tc.compare_layers(source, model, bisect=True).guilty)
    assert (guilty.index, guilty.type, guilty.location) == (index, recurrent.name, recurrent.location)
