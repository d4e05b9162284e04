"""Source and conversion operator by operator: what is found where, what isn't claimed, what can be had by itself."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from longer.located import STEPS, draw_inputs, study
from support.commands import MODELS
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.engines.litert import LiteRT
from tosa_converter.figures import as_json
from tosa_converter.ir import Array, Op
from tosa_converter.proof.judgement import Judgement, judge
from tosa_converter.proof.operators import INSIDE, NOTHING, UNSEEN, OperatorReport
from tosa_converter.proof.wording import first_difference
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tflite import BuiltinOperator

pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
SMALL = MODELS / "small"


def test_a_sample_of_faults_is_located() -> None:
    """A fixed part of `python -m longer.located`."""
    verdicts = Counter(verdict for *_, verdict, _ in study(20, seed=4))
    assert verdicts == {"located": 20}


@pytest.mark.parametrize(
    ("name", "judged", "regions"),
    [
        ("detector.uint8_io", 21, 0),
        ("detector.float16", 30, 0),
        ("encoder.dynamic", 62, 0),
        ("detections.float32", 23, 0),  # by XNNPACK, which alone has its operator
        ("keywords.int8", 5, 0),  # two states among them
        ("lstm_stateful.dynamic", 10, 19),
        ("rnn.float32", 7, 9),
    ],
)
def test_unchanged_conversions_agree_everywhere(name: str, judged: int, regions: int) -> None:
    source = tc.load(SMALL / f"{name}.tflite")
    model = tc.convert(source)
    report = tc.compare_layers(source, model, steps=STEPS if model.stateful else 0, bisect=True)
    compared = [row for row in report.operators if row.whole is not None]
    assert (report.verdict, report.guilty, report.parted) == (True, None, None)
    assert (len(compared), report.counts["inside regions"]) == (judged, regions)
    assert all(row.alone is not None and row.alone.verdict for row in compared)
    assert all(row.rule in ("inside", "nothing to compute") for row in report.operators if row.whole is None)


def test_what_is_another_models_conversion_is_not_compared() -> None:
    source = tc.load(MODELS / "digits_int8.tflite")
    report = tc.compare_layers(source, tc.convert(MODELS / "digits_float32.tflite"))
    assert report.sentence.startswith("No operator is compared: the conversion holds no result")


def broken(model: tc.Model, location: str) -> Op:
    """One weight changed of the convolution at a place."""
    op = next(op for op in model.main.ops if op.row is ops.CONV2D and op.location.startswith(location))
    weight = op.operands[1].producer
    assert weight is not None
    weight.attributes["values"] = values = weight.attributes["values"].copy()
    values.reshape(-1)[values.size // 2] ^= 64
    return op


def test_an_error_above_hides_no_other_one_and_blames_nobody() -> None:
    source = tc.load(SMALL / "detector.int8.tflite")
    model = tc.convert(source)
    wrong = [broken(model, f"main:{index} ").location for index in (2, 13)]
    report = tc.compare_layers(source, model)
    assert [row.location for row in report.operators if row.verdict is False] == wrong
    assert report.guilty is report.parted is report.operators[2]
    assert {row.rule for row in report.operators[3:6]} == {"from above"}
    assert report.sentence.startswith("First difference at operator 2, CONV_2D")
    difference = report.operators[2].alone
    assert difference is not None
    assert str(list(difference.first or ())) in report.sentence
    figures = json.loads(as_json(report.figures()))
    assert (figures["guilty"], figures["verdict"]) == (2, False)
    assert figures["operators"][2]["becomes"] == {"tosa.conv2d": 1, "tosa.rescale": 1}
    assert figures["operators"][2]["alone"]["mismatches"] == difference.mismatches > 0


def ran(case: "tc.OperatorComparison") -> dict[str, Array]:
    """What LiteRT makes of a case, in a process that knows nothing of the model that it is from."""
    operator_case = case.case
    assert operator_case is not None
    steps = [
        {name: array[i] if operator_case.steps > 1 else array for name, array in operator_case.inputs.items()}
        for i in range(operator_case.steps)
    ]
    runs = LiteRT().run_steps(operator_case.model, steps)
    return {
        name: np.stack([run[name] for run in runs]) if operator_case.steps > 1 else runs[0][name] for name in runs[0]
    }


@pytest.mark.parametrize("kind", ["int8", "float32"])
@pytest.mark.parametrize("state", ["variables", "io"])
def test_the_operator_by_itself_does_in_litert_what_it_did_in_the_model(state: str, kind: str) -> None:
    source = tc.load(SMALL / f"keywords.{kind}.tflite")
    model = tc.convert(source, state=state)
    op = next(op for op in model.main.ops if op.row is ops.MATMUL and op.location.startswith("main:1 "))
    op.inputs = (op.inputs[0], _other(model, op, 1), *op.inputs[2:])
    report = tc.compare_layers(source, model, inputs=draw_inputs(source, model, 0, STEPS), steps=STEPS)
    assert report.guilty is not None
    assert report.guilty.type == "tfl.svdf"
    assert report.case is not None
    assert [op.name for op in report.case.model.main.ops if "pseudo" not in op.name] == ["tfl.svdf"]
    assert report.case.steps == report.steps
    for name, array in ran(report).items():
        np.testing.assert_array_equal(array, report.case.expected[name])


def _other(model: tc.Model, op: Op, place: int) -> tc.Value:
    """An operand's constant with another sign."""
    old = op.operands[place]
    assert old.constant is not None
    negated = Op(ops.CONST, (), [old.type], {"values": -old.constant})
    model.main.ops.insert(model.main.ops.index(op), negated)
    return negated.result


@pytest.mark.parametrize("state", ["variables", "io"])
def test_a_state_that_is_wrong_from_above_blames_no_other_operator(state: str) -> None:
    """Alone, the second layer goes on from LiteRT's state of the last run before, not from the conversion's."""
    source = tc.load(SMALL / "keywords.int8.tflite")
    model = tc.convert(source, state=state)
    op = next(op for op in model.main.ops if op.row is ops.MATMUL and op.location.startswith("main:0 "))
    op.inputs = (op.inputs[0], _other(model, op, 1), *op.inputs[2:])
    report = tc.compare_layers(source, model, inputs=draw_inputs(source, model, 0, STEPS), steps=STEPS)
    blamed = [(row.index, row.verdict, row.whole is not None and row.whole.verdict) for row in report.operators]
    assert blamed == [*[(0, False, False)] * 2, *[(1, True, False)] * 2, (2, True, False)]


def test_kernels_of_xnnpack_give_their_values_too() -> None:
    source = tc.load(SMALL / "detector.float32.tflite")
    report = tc.compare_layers(source, tc.convert(source), against="litert-xnnpack")
    assert (report.reference, report.verdict) == ("litert-xnnpack", True)
    assert sum(row.whole is not None for row in report.operators) == 18


def test_xnnpack_numerics_operator_by_operator() -> None:
    """Steps by which XNNPACK's integers are others than the reference kernels' are found at their operators."""
    source = tc.load(SMALL / "torch_mobilenet_v2_small.int8.tflite")
    (report,) = tc.verify(source, numerics="xnnpack", bisect=True).operators
    assert (report.reference, report.verdict, report.parted) == ("litert-xnnpack", True, None)
    assert report.counts["equal"] == 23
    other = tc.compare_layers(source, tc.convert(source), against="litert-xnnpack")
    assert other.guilty is not None
    assert other.guilty.alone is not None
    assert other.guilty.alone.max_abs == 1


def test_weights_that_xnnpack_gives_not_go_along_as_constants() -> None:
    source = tc.load(SMALL / "detector.float16.tflite")
    model = tc.convert(source)
    weight = next(op for op in model.main.ops if op.row is ops.CONV2D).operands[1].producer
    assert weight is not None
    weight.attributes["values"] = weight.attributes["values"] * np.float32(2)
    report = tc.compare_layers(source, model, against="litert-xnnpack")
    assert report.guilty is not None
    assert report.guilty.type == "tfl.conv_2d"
    assert report.counts["not kept"] == 12
    assert report.case is not None
    for name, array in ran(report).items():
        np.testing.assert_allclose(array, report.case.expected[name], rtol=0, atol=1e-5)


def test_what_rounding_alone_leaves_is_nobodys_fault(tmp_path: Path) -> None:
    """A MEAN of zero but for rounding, off by more than 1e-5 of itself, as LiteRT's kernels are from each other."""
    x = np.random.default_rng(0).normal(size=(1, 8, 1, 512)).astype(np.float32)
    x -= x.mean(axis=3, keepdims=True)
    tensors = [Tensor(x.shape), Tensor((1,), "int32", np.array([3], np.int32)), Tensor((1, 8, 1))]
    path = tmp_path / "mean.tflite"
    path.write_bytes(build(tensors, [Operator(BuiltinOperator.MEAN, (0, 1), (2,))], (0,), (2,)))
    source = tc.load(path)
    (report,) = tc.compare_layers(source, tc.convert(source), inputs={source.main.inputs[0].name: x}).operators
    assert report.whole is not None
    assert report.whole.max_abs > 1e-5 * report.whole.reference_max
    assert (report.verdict, report.rule) == (True, "within the source's own spread")


@pytest.mark.parametrize("state", ["variables", "io"])
def test_a_graph_with_a_fault_that_only_later_steps_show(state: str) -> None:
    """A loop's body is judged by what the loop gives, in the first step that shows it; states are LiteRT's by then."""
    source = tc.load(SMALL / "lstm_stateful.dynamic.tflite")
    model = tc.convert(source, state=state)
    loop = next(op for op in model.main.ops if op.row is ops.WHILE_LOOP)
    add = next(op for op in loop.regions[1].ops if op.row is ops.TANH)
    add.name = ops.SIGMOID.opcode
    report = tc.compare_layers(source, model, inputs=draw_inputs(source, model, 0, STEPS), steps=STEPS)
    assert report.guilty is not None
    assert (report.guilty.type, report.guilty.regions) == ("tfl.while", 19)
    assert "WHILE" in report.sentence


def test_smaller_floats_are_held_to_their_own_tolerance() -> None:
    source = tc.load(SMALL / "torch_convnext_small.float32.tflite")
    model = tc.convert(source, float_type="fp16")
    assert tc.compare_layers(source, model, float_type="fp16").verdict
    assert not tc.compare_layers(source, model).verdict


def test_what_keeps_no_values_is_said() -> None:
    source = tc.load(SMALL / "detector.int8.tflite")
    chain = tc.Model({"main": source.main}, opset="chain")
    chain.graphs = {"main": type(source.main)("main", source.main.inputs, source.main.outputs)}
    report = tc.compare_layers(source, chain)
    assert (report.operators, report.verdict) == ((), True)
    assert (
        report.note == "a chain has its steps, not its operators: outputs are compared only, and no operator is timed"
    )


def test_figures_of_a_difference() -> None:
    """By hand: 1.0 and its next neighbour but one are two units apart; NaN equals NaN only."""
    unit = np.float32(1)
    next_but_one = np.nextafter(np.nextafter(unit, np.float32(2)), np.float32(2))
    reference = np.array([[1, -4], [np.nan, 0]], np.float32)
    output = np.array([[next_but_one, -4], [np.nan, 0]], np.float32)
    difference = judge(reference, output, 1e-5)
    assert difference == Judgement(
        4, 1, 2.0**-22, 4.0, difference.sqnr_db, 2.0, 4e-5, True, 0, (0, 0), 1.0, float(next_but_one)
    )
    assert judge(reference, output, 1e-9).verdict is False
    left_out = judge(reference, output, 0, np.array([[True, False], [False, False]]))
    assert (left_out.mismatches, left_out.undefined, left_out.verdict) == (0, 1, True)
    assert judge(np.array([3], np.uint8), np.array([4], np.uint8), 1.0).verdict is False  # integers must be equal
    smallest = judge(np.array([-1e-45], np.float32), np.array([1e-45], np.float32), 1.0)
    assert smallest.ulp == 2  # from one side of zero to the other


def test_noise_is_of_what_is_finite() -> None:
    """An infinity that both sides have is none of the signal: 10 log10(1 / 0.01), by hand."""
    reference = np.array([np.inf, 1.0, np.nan], np.float32)
    assert judge(reference, np.array([np.inf, 1.1, np.nan], np.float32), 1e-5).sqnr_db == pytest.approx(20, abs=1e-5)


@pytest.mark.parametrize("factor", [1.0001, 1.01])
def test_wrong_scales_of_a_dynamic_range_layer_are_found(factor: float) -> None:
    """XNNPACK quantizes the layer's floats otherwise than the reference, by 0.5 %, which explains no error."""
    source = tc.load(MODELS / "small" / "torch_bert_small.dynamic.tflite")
    model = tc.convert(source)
    scales = next(
        op
        for op in model.main.ops
        if op.name == "tosa.const" and op.location.startswith("main:119 ") and op.result.type.dtype is tc.DType.FP32
    )
    assert tc.compare(source, model)[0].verdict
    scales.attributes = {**scales.attributes, "values": scales.attributes["values"] * np.float32(factor)}
    (comparison,) = tc.compare(source, model)
    assert not comparison.verdict
    (output,) = comparison.outputs
    assert output.second_look is not None
    assert "First difference at operator 119" in output.second_look.refusal


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (["compared"] * 2, "2 of 2 results are compared."),
        (["compared", INSIDE, NOTHING], "1 of 3 results are compared, 2 are parts of these."),
        (["compared", UNSEEN], "1 of 2 results are compared, 1 can't be."),
        (["compared", INSIDE, UNSEEN, UNSEEN], "1 of 4 results are compared, 1 is a part of these, 2 can't be."),
    ],
)
def test_a_sentence_counts_what_can_not_be_compared(rules: list[str], words: str) -> None:
    same = Judgement(4, 0, 0.0, 1.0, np.inf, None, 0.0, True)
    rows = [
        OperatorReport(i, "tfl.add", "", "y", "", {}, same if rule == "compared" else None, None, True, rule)
        for i, rule in enumerate(rules)
    ]
    assert first_difference(rows, 1) == f"No operator differs: {words}"
