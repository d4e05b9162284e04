"""The verdict on floats: the tolerance, and the second look where a source amplifies rounding beyond it."""

import math
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from longer.faults import FAULTS, Fault, compared
from longer.verdicts import planted
from support.commands import command
from support.networks import mobile_vit
from support.tflite_models import Operator, Subgraph, Tensor, build, run_litert

import tosa_converter as tc
from tosa_converter.cli.printing import plain
from tosa_converter.cli.verification_screen import verification_lines
from tosa_converter.dtypes import DType
from tosa_converter.engines import ENGINES, Arrays, source_engine
from tosa_converter.engines.builtin_form import builtin_form
from tosa_converter.engines.engine import Judge
from tosa_converter.engines.executor import Executor
from tosa_converter.engines.litert import LiteRT
from tosa_converter.errors import ConverterError
from tosa_converter.execute.plan import Executable, Keep
from tosa_converter.ir import Array, Graph, Model, TensorType, Value
from tosa_converter.ir.edit import place_constants
from tosa_converter.proof import source_runs
from tosa_converter.proof.compare import (
    FLOAT_TOLERANCE,
    HALF_TOLERANCE,
    TYPE_TOLERANCES,
    Comparison,
    compare_runs,
    compared_outputs,
)
from tosa_converter.proof.input_sets import random_sets
from tosa_converter.proof.operator_proof import judge_operators
from tosa_converter.proof.rounding import amplifying_outputs, move_floats
from tosa_converter.proof.spread import Distance, SecondLook
from tosa_converter.rewriting.builder import Builder
from tosa_converter.schemas.tflite import ActivationFunctionType, BuiltinOperator, Padding

pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")

Write = Callable[..., Model]
SPREAD, DIFFERS = "within the source's own spread", "differs"
KERNELS = ("litert-xnnpack", "litert-optimized")


@pytest.fixture(name="write")
def _write(tmp_path: Path) -> Write:
    """Writes a TFLite model and loads it: LiteRT reads files."""

    def write(*arguments: Any) -> Model:
        data = arguments[0] if len(arguments) == 1 else build(*arguments)
        path = tmp_path / "m.tflite"
        path.write_bytes(data)
        return tc.load(path)

    return write


def cancelling(dtype: str = "float32") -> tuple[Any, ...]:
    """A network that subtracts two nearly equal branches; its outputs are that, the first branch and its whole part.

    What rounding does to the branches is a hundred times as much of their difference.
    """
    random = np.random.default_rng(1)
    tensors = [Tensor((1, 8, 8, 4), dtype)]
    operators: list[Operator] = []

    def constant(array: Array) -> int:
        tensors.append(Tensor(array.shape, str(array.dtype), array))
        return len(tensors) - 1

    def add(
        builtin: BuiltinOperator, inputs: list[int], shape: tuple[int, ...], dtype: str = "float32", **options: Any
    ) -> int:
        tensors.append(Tensor(shape, dtype))
        operators.append(Operator(builtin, inputs, [len(tensors) - 1], options))
        return len(tensors) - 1

    def floats(*shape: int) -> Array:
        return random.normal(0, 0.3, shape).astype(np.float32)

    def conv(x: int, weight: Array, bias: Array, stride: int = 1, *, depthwise: bool = False, relu: bool = True) -> int:
        builtin = BuiltinOperator.DEPTHWISE_CONV_2D if depthwise else BuiltinOperator.CONV_2D
        more: dict[str, Any] = {"depth_multiplier": 1} if depthwise else {}
        kind = ActivationFunctionType.RELU if relu else ActivationFunctionType.NONE
        more |= {"padding": Padding.SAME, "stride_w": stride, "stride_h": stride, "fused_activation_function": kind}
        return add(builtin, [x, constant(weight), constant(bias)], (1, 4, 4, 8), **more)

    x = 0 if dtype == "float32" else add(BuiltinOperator.CAST, [0], (1, 8, 8, 4))
    first = conv(x, floats(8, 3, 3, 4), floats(8), 2)
    weight, bias = floats(1, 3, 3, 8), floats(8)
    left = conv(first, weight, bias, depthwise=True)
    right = conv(first, weight * (1 + 0.01 * floats(1, 3, 3, 8)), bias, depthwise=True)
    difference = add(BuiltinOperator.SUB, [left, right], (1, 4, 4, 8))
    middle = conv(difference, floats(8, 1, 1, 8), 0.01 * floats(8))
    total = add(BuiltinOperator.ADD, [difference, middle], (1, 4, 4, 8))
    last = conv(total, floats(8, 1, 1, 8), 0.01 * floats(8), relu=False)
    whole = add(BuiltinOperator.CAST, [left], (1, 4, 4, 8), "int32")
    return tensors, operators, [0], [last, left, whole]


class Off(Executor):
    """The executor with something added to the outputs."""

    def __init__(self, *more: float) -> None:
        super().__init__()
        self.more = more
        self.random = np.random.default_rng(0)

    def run(self, model: Model, inputs: Arrays, *, keep: Keep = ()) -> dict[str, Array]:
        pairs = zip(super().run(model, inputs, keep=keep).items(), self.more, strict=True)
        signs = self.random.choice((-1, 1))
        return {name: (array + signs * more).astype(array.dtype) for (name, array), more in pairs}


def judged(source: Model, engine: Executor, runs: int = 1) -> Comparison:
    """The comparison of an engine on random inputs."""
    model = tc.convert(source)
    sets = random_sets(source, model, 0)
    inputs = [sets(i) for i in range(runs)]
    (comparison,) = compare_runs(
        source, source_engine(source), model, [engine], inputs, further=sets, operators=judge_operators
    )
    return comparison


def look_of(comparison: Comparison, output: int = 0) -> SecondLook:
    """The second look at an output, which there must be."""
    look = comparison.outputs[output].second_look
    assert look is not None
    return look


def test_an_amplifying_model_is_equal_within_its_own_spread(write: Write) -> None:
    comparison = compared(write(*cancelling()))
    assert comparison.verdict
    assert [output.rule for output in comparison.outputs] == [SPREAD, "within 1e-05", "equal"]
    look = look_of(comparison)
    assert (look.inputs, look.missing, look.refusal) == (1, (), "")
    assert look.sources[:2] == KERNELS
    assert len(look.sources) < 12  # no more runs than it takes
    assert look.operators is not None
    assert look.operators.complete
    assert 8 <= look.operators.compared <= 10
    assert look.operators.error < 1e-5
    assert comparison.runs == 1
    assert all(d <= 2 * s for d, s in zip(look.distance, look.spread, strict=True))


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_broken_conversion_of_it_is_refused(write: Write, fault: Fault) -> None:
    comparison = compared(write(*cancelling()), fault)
    assert not comparison.verdict
    assert comparison.outputs[0].rule == DIFFERS
    assert look_of(comparison).refusal.startswith("First difference at operator ")


def test_an_engine_less_exact_than_the_source_is_refused(write: Write) -> None:
    """Its conversion is right, so every operator is; only the distance of the whole tells."""
    source = write(*cancelling())
    spread = look_of(judged(source, Executor())).spread[1]
    assert judged(source, Off(spread, 0, 0)).verdict
    look = look_of(judged(source, Off(20 * spread, 0, 0)))
    assert look.operators is not None
    assert look.operators.complete
    assert look.refusal == "the error exceeds twice the source's own rounding variation"
    assert len(look.sources) == 12  # all that there are


def test_integers_are_equal_or_wrong(write: Write) -> None:
    comparison = judged(write(*cancelling()), Off(0, 0, 1))
    assert [output.rule for output in comparison.outputs] == [SPREAD, "within 1e-05", DIFFERS]
    assert look_of(comparison, 2).refusal == "the error exceeds twice the source's own rounding variation"
    assert look_of(comparison, 2).spread == (0, 0)
    assert not comparison.verdict


def test_a_nan_gets_no_second_look(write: Write) -> None:
    output = judged(write(*cancelling()), Off(math.nan, 0, 0)).outputs[0]
    assert (output.max_abs, output.rule, output.second_look) == (math.inf, DIFFERS, None)


def test_kernels_that_refuse_are_named(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_arguments: Any, **_options: Any) -> None:
        raise ConverterError("LiteRT fails on it\n  at length")

    monkeypatch.setattr(ENGINES["litert-xnnpack"], "run", refuses, raising=False)
    look = look_of(compared(write(*cancelling())))
    assert look.sources[0] == "litert-optimized"
    assert look.missing[0] == "litert-xnnpack: LiteRT fails on it"


def test_a_source_without_floats_to_move_has_other_kernels(write: Write) -> None:
    source = write(*cancelling("int32"))
    comparison = compared(source)
    assert comparison.verdict
    look = look_of(comparison)
    assert (look.inputs, look.sources) == (1, KERNELS[: len(look.sources)])
    look = look_of(judged(source, Off(1, 0, 0)))
    assert (look.sources[:2], look.missing) == (KERNELS, ())
    assert all("inputs and constants changed by 1 ulp" in name for name in look.sources[2:])


def test_inputs_of_the_user_are_moved(write: Write) -> None:
    source = write(*cancelling())
    input_set = random_sets(source, tc.convert(source), 5)
    assert compared(source, inputs=[input_set(0)]).verdict
    assert not compared(source, FAULTS["first weight times 1.001"], inputs=[input_set(0)]).verdict


def test_without_operators_ten_sets_are_looked_at(write: Write) -> None:
    """The source's spread is all that there is, so it has to be measured well."""
    source = write(*cancelling())
    model = tc.convert(source)
    sets = random_sets(source, model, 0)
    (comparison,) = compare_runs(source, LiteRT(), model, [Executor()], [sets(0)], further=sets)
    look = look_of(comparison)
    assert (comparison.verdict, look.inputs, look.operators) == (True, 10, None)
    assert look.missing == ("operators: litert gives no values between them",)
    integers = write(*cancelling("int32"))
    (comparison,) = compare_runs(
        integers, LiteRT(), tc.convert(integers), [Executor()], [random_sets(integers, model, 0)(0)]
    )
    assert (
        look_of(comparison).refusal == "expected 10 sets of inputs to measure the source's rounding variation, found 1"
    )


def test_operators_that_fail_leave_the_sets(write: Write) -> None:
    """As where LiteRT can't keep all tensors, or the executor would take too long."""

    def fails(*_arguments: Any) -> Any:
        raise ConverterError("too many tensors\n  at length")

    source = write(*cancelling())
    model = tc.convert(source)
    sets = random_sets(source, model, 0)
    (comparison,) = compare_runs(source, LiteRT(), model, [Executor()], [sets(0)], further=sets, operators=fails)
    look = look_of(comparison)
    assert (comparison.verdict, look.inputs, look.missing) == (True, 10, ("operators: too many tensors",))


def test_a_source_with_one_engine_says_so(write: Write) -> None:
    model = tc.convert(write(*cancelling()))
    sets = random_sets(model, model, 0)
    (comparison,) = compare_runs(model, Executor(), model, [Off(1e-6, 0, 0)], [sets(0)], further=sets)
    look = look_of(comparison)
    assert set(look.sources) == {f"executor, inputs changed by 1 ulp ({i})" for i in range(2)}
    assert look.missing == ("operators: executor gives no values between them", "other kernels: executor has none")


class Judging(LiteRT):
    """An engine that leaves an operator to other kernels."""

    def find_judges(self, model: Model) -> tuple[Judge, ...]:
        """The first operator."""
        return (Judge("CONV_2D", model.main.ops[0].location, "litert-optimized", "zeros of 4 bits by blocks"),)


def test_kernels_that_judge_an_operator_are_named(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write(*cancelling())
    assert compared(source).judges == ()
    monkeypatch.setitem(ENGINES, "litert", Judging())
    done = tc.verify(source)
    assert [judge.kernels for judge in done.comparisons[0].judges] == ["litert-optimized"]
    assert any(plain(line).startswith("  judged   by litert-optimized: CONV_2D") for line in verification_lines(done))
    assert done.figures()["comparisons"][0]["judges"][0]["reason"] == "zeros of 4 bits by blocks"


SMALL = Path(__file__).parents[2] / "models" / "small"
FLIPS = {"detector.dynamic": 15, "encoder.dynamic": 26, "lstm.dynamic": 39}  # seeds on which a rounding flips


@pytest.mark.parametrize("name", FLIPS)
def test_a_rounding_that_flips_is_the_sources_own(name: str) -> None:
    """A fixed part of `python -m longer.verdicts seeds`."""
    source = tc.load(SMALL / f"{name}.tflite")
    done = tc.verify(source, seed=FLIPS[name], steps=6 if name == "lstm.dynamic" else 0)
    assert done.verdict
    assert SPREAD in {output.rule for output in done.outputs}
    assert done.proof.startswith("every operator by itself computes the same, to ")
    assert 2 < done.digits < 5


def test_fake_quant_flips_too(write: Write) -> None:
    comparison = compared(write(mobile_vit("fake_quant")), seed=93)
    assert comparison.verdict
    assert look_of(comparison).sources == ("litert resumed from the conversion's values",)


def test_small_errors_are_found_where_rounding_is_amplified(write: Write) -> None:
    """A fixed part of `python -m longer.verdicts planted`."""
    errors = list(planted(write(*cancelling()), 6, 0))
    assert all(error.detected for error in errors if error.counts)
    assert sum(error.counts for error in errors) >= 4


def test_the_verdict_says_to_how_many_digits(write: Write) -> None:
    done = tc.verify(write(*cancelling()))
    assert done.digits == min(output.digits for output in done.outputs)
    assert f"{done.digits:.1f} digits" in done.proof
    assert done.figures()["proof"] == done.proof
    exact = tc.verify(SMALL / "detector.int8.tflite")
    assert (exact.proof, exact.digits) == ("every output is bit-identical", math.inf)
    close = tc.verify(SMALL / "detector.float32.tflite")
    assert close.proof == f"every output is within its tolerance: {close.digits:.1f} digits agree"
    assert close.digits > 5


def test_what_is_quantized_on_the_way_is_judged_by_operators_alone(write: Write) -> None:
    """A value next to a tie may flip, but only as far as the source itself does."""
    tensors = [Tensor((1, 16)), Tensor((1, 16), "int8", scale=0.02), Tensor((1, 16))]
    steps = [Operator(BuiltinOperator.QUANTIZE, [0], [1]), Operator(BuiltinOperator.DEQUANTIZE, [1], [2])]
    source = write(tensors, steps, [0], [2])
    assert amplifying_outputs(source) == set()
    output = judged(source, Off(1e-3)).outputs[0]
    assert output.rule == DIFFERS
    weight = np.ones((4, 16), np.int8)
    hybrid = [Tensor((1, 16)), Tensor(weight.shape, "int8", weight, scale=0.02), Tensor((1, 4))]
    product = Operator(BuiltinOperator.FULLY_CONNECTED, [0, 1, -1], [2])
    assert amplifying_outputs(write(hybrid, [product], [0], [2])) == set()
    behind = [*hybrid, Tensor(weight.shape)]
    steps = [
        Operator(BuiltinOperator.DEQUANTIZE, [1], [3]),
        Operator(BuiltinOperator.FULLY_CONNECTED, [0, 3, -1], [2]),
    ]
    assert amplifying_outputs(write(behind, steps, [0], [2])) == {0}


@pytest.mark.parametrize(
    ("distance", "spread", "within"),
    [
        ((2e-3, 2e-4), (1e-3, 1e-4), True),
        ((2.1e-3, 1e-4), (1e-3, 1e-4), False),
        ((1e-3, 2.1e-4), (1e-3, 1e-4), False),
        ((math.nan, 1e-4), (1e-3, 1e-4), False),
        ((math.inf, math.inf), (math.inf, math.inf), False),
        ((1e-9, 1e-9), (0.0, 0.0), False),
    ],
)
def test_twice_the_spread_in_both_figures(
    distance: tuple[float, float], spread: tuple[float, float], within: bool
) -> None:
    assert Distance(*distance).within(Distance(*spread)) is within


def test_inputs_are_moved_by_one_unit_in_the_last_place() -> None:
    x = np.array([1.0, -3.5, 0.0, math.inf, -math.inf, math.nan, np.finfo(np.float32).max], np.float32)
    arrays = {"x": np.resize(x, 700), "i": np.arange(5)}
    moved = move_floats(arrays, 3)
    np.testing.assert_array_equal(moved["i"], arrays["i"])
    finite = np.isfinite(arrays["x"])
    np.testing.assert_array_equal(moved["x"][~finite], arrays["x"][~finite])
    originals, near = arrays["x"][finite], moved["x"][finite]
    inside = np.abs(originals) < np.finfo(np.float32).max
    up, down = (near[inside] == np.nextafter(originals[inside], np.float32(end)) for end in (math.inf, -math.inf))
    assert (up | down).all()
    assert 100 < np.count_nonzero(up) < 200
    assert np.isfinite(near).all()
    np.testing.assert_array_equal(move_floats(arrays, 3)["x"], moved["x"])
    assert np.any(move_floats(arrays, 4)["x"] != moved["x"])


NORMAL = np.random.default_rng(0).normal(0, 1, (1, 70000)).astype(np.float32)


@pytest.mark.parametrize("x", [NORMAL, np.full_like(NORMAL, 0.109)], ids=["normal", "equal"])
def test_a_long_sum_is_judged_by_its_distance_from_fp64(write: Write, x: Array) -> None:
    """LiteRT's reference adds one after the other, which is farther from fp64 than adding in blocks."""
    axis = Tensor((1,), "int32", np.array([1], np.int32))
    source = write([Tensor(x.shape), axis, Tensor((1,))], [Operator(BuiltinOperator.SUM, [0, 1], [2])], [0], [2])
    comparison = compared(source, inputs=[{"t0": x}])
    assert (comparison.verdict, comparison.outputs[0].rule) == (True, SPREAD)
    exact = x.astype(np.float64).sum()
    (theirs,) = run_litert(Path(source.source).read_bytes(), [x])
    (ours,) = Executable(tc.convert(source)).run([x]).values()
    assert 20 * abs(ours[0] - exact) < abs(theirs[0] - exact)
    assert not compared(source, lambda graph: _scale_output(graph, 1.001), inputs=[{"t0": x}]).verdict


def _scale_output(graph: Graph, factor: float) -> None:
    """Multiply the only output by a constant."""
    builder = Builder(graph)
    value = graph.outputs[0]
    graph.outputs = [builder.mul(value, builder.scalar(factor, value))]
    graph.ops = place_constants(graph.outputs, graph.ops)


def test_a_sigmoid_next_to_zero(write: Write) -> None:
    """Its relative error is the absolute one of what it is taken of."""
    random = np.random.default_rng(0)
    weight, x = random.normal(0, 3, (2, 1, 400)).astype(np.float32)
    bias = np.array([-30 - float(weight[0] @ x[0])], np.float32)
    tensors = [Tensor((1, 400)), Tensor(weight.shape, data=weight), Tensor((1,), data=bias), *[Tensor((1, 1))] * 2]
    operators = [
        Operator(BuiltinOperator.FULLY_CONNECTED, [0, 1, 2], [3]),
        Operator(BuiltinOperator.LOGISTIC, [3], [4]),
    ]
    source = write(tensors, operators, [0], [4])
    assert run_litert(Path(source.source).read_bytes(), [x])[0][0, 0] < 1e-10
    comparison = compared(source, inputs=[{"t0": x}])
    assert comparison.verdict
    assert comparison.outputs[0].rule == SPREAD
    assert not compared(source, FAULTS["last weight times 1.001"], inputs=[{"t0": x}]).verdict


def transpose_bias(gain: float) -> bytes:
    """MediaPipe's operator behind two convolutions that nearly cancel, and the cancelling amplified."""
    random = np.random.default_rng(0)

    def floats(*shape: int) -> Array:
        return random.normal(0, 1, shape).astype(np.float32)

    weight = floats(8, 3, 3, 8)
    near = weight * (1 + np.float32(1e-3) * floats(8, 3, 3, 8))
    upscaling = floats(3, 2, 2, 8) * np.float32(gain)
    constants = [Tensor(a.shape, data=a) for a in (weight, near, np.zeros(8, np.float32), upscaling, floats(3))]
    activations = [Tensor((1, 6, 6, 8)) for _ in range(3)]
    tensors = [Tensor((1, 6, 6, 8)), *constants, *activations, Tensor((1, 12, 12, 3))]
    options = {"padding": Padding.SAME, "stride_w": 1, "stride_h": 1}
    operators = [
        Operator(BuiltinOperator.CONV_2D, [0, 1, 3], [6], options),
        Operator(BuiltinOperator.CONV_2D, [0, 2, 3], [7], options),
        Operator(BuiltinOperator.SUB, [6, 7], [8]),
        Operator(
            BuiltinOperator.CUSTOM,
            [8, 4, 5],
            [9],
            custom_code="Convolution2DTransposeBias",
            custom_options=struct.pack("<3i", 1, 2, 2),
        ),
    ]
    return build(tensors, operators, [0], [9])


def test_kernels_without_a_custom_operator_run_its_builtin_form(write: Write) -> None:
    source = write(transpose_bias(1000))
    look = look_of(judged(source, Off(1)))
    assert look.missing == ()
    assert look.sources[:2] == ("litert-optimized", "litert")
    assert judged(source, Off(1e-3)).verdict
    assert not compared(source, FAULTS["last weight times 1.001"]).verdict


def test_a_builtin_form_that_computes_something_else_is_left_out(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    other = builtin_form(transpose_bias(1001))
    monkeypatch.setattr(source_runs, "builtin_form", lambda _data: other)
    look = look_of(judged(write(transpose_bias(1000)), Off(1)))
    why = "litert-xnnpack gives other bits for the custom operator's builtin form"
    assert look.missing == (f"litert-optimized: {why}", f"litert: {why}")


def test_verify_prints_which_rule_decided(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    source = write(*cancelling())
    assert command("verify", source.source, "-v") == 0
    text = " ".join(capsys.readouterr().out.split())
    for part in (SPREAD, "rule: within 1e-05", "rule: equal", "every operator by itself computes the same", "PASS"):
        assert part in text


@pytest.mark.parametrize("edited", [False, True])
def test_the_second_look_takes_models_that_are_no_file(edited: bool, tmp_path: Path) -> None:
    """One from memory, and one whose borders are others than its file's."""
    (tmp_path / "m.tflite").write_bytes(b"another file than the graph")
    tensors = [Tensor((1, 4)), Tensor((1, 4))]
    source = tc.load(build(tensors, [Operator(BuiltinOperator.EXP, (0,), (1,))], (0,), (1,)))
    if edited:
        source.source, source.edited = str(tmp_path / "m.tflite"), True
    model = tc.convert(source)
    (comparison,) = compare_runs(
        source, source_engine(source), model, [Off(1)], [random_sets(source, model, 0)(0)], operators=judge_operators
    )
    assert look_of(comparison).sources[:2] == KERNELS


def test_what_is_quantized_in_a_graph_of_control_flow_gets_no_second_look(write: Write) -> None:
    """Graphs are named by number; what a variable holds may come from anywhere."""
    x, byte, yes = Tensor((1, 4)), Tensor((1, 4), "int8", scale=0.02), Tensor((), "bool")
    steps = [Operator(BuiltinOperator.QUANTIZE, [0], [1]), Operator(BuiltinOperator.DEQUANTIZE, [1], [2])]
    rounds = Subgraph([x, byte, x], steps, [0], [2])
    plain = Subgraph([x, x], [Operator(BuiltinOperator.EXP, [0], [1])], [0], [1])
    behind = Subgraph([x, x, Tensor((), "bool", np.bool_(True))], [either([2, 0], [1], 1, 2)], [0], [1])
    graphs = [rounds, plain, behind]
    for then, otherwise, outputs in ((1, 2, set()), (2, 2, {0}), (2, 3, set())):
        source = write([yes, x, x], [either([0, 1], [2], then, otherwise)], [0, 1], [2], graphs)
        assert amplifying_outputs(source) == outputs
    handle = Tensor((), "resource")
    name = {"shared_name": "v"}
    variable = [
        Operator(BuiltinOperator.VAR_HANDLE, [], [1], name),
        Operator(BuiltinOperator.READ_VARIABLE, [1], [2]),
        Operator(BuiltinOperator.ASSIGN_VARIABLE, [1, 0], []),
    ]
    assert amplifying_outputs(write([x, handle, x], variable, [0], [2], [plain])) == {0}
    assert amplifying_outputs(write([x, handle, x], variable, [0], [2], graphs)) == set()


def either(inputs: list[int], outputs: list[int], then: int, otherwise: int) -> Operator:
    options = {"then_subgraph_index": then, "else_subgraph_index": otherwise}
    return Operator(BuiltinOperator.IF, inputs, outputs, options)


# ** tolerances **


def test_the_tolerances_are_those_that_the_pages_state() -> None:
    """1e-5 of the largest element; fp16 of XNNPACK 2e-3; and 8 steps of each narrower type: 2**-11 is half of one."""
    assert (FLOAT_TOLERANCE, HALF_TOLERANCE) == (1e-5, 2e-3)
    steps = {"fp16": 2.0**-10, "bf16": 2.0**-7}
    assert {"": 1e-5} | {name: 4 * step for name, step in steps.items()} == TYPE_TOLERANCES


@pytest.mark.parametrize(
    ("dtype", "halves", "allowed"),
    [
        (DType.FP32, 0.0, 1e-5),
        (DType.FP32, 0.25, 1e-5),  # of other types
        (DType.FP16, 0.0, 1e-5),
        (DType.FP16, 0.25, 0.25),
        (DType.I8, 0.25, 0.0),
        (DType.I32, 0.0, 0.0),
    ],
)
def test_an_output_may_be_off_by_its_tolerance_and_no_more(dtype: DType, halves: float, allowed: float) -> None:
    """As a part of the largest element, which is the negative one; the least that is more isn't allowed."""
    value = Value(TensorType(dtype, (3,)), "y")
    reference = np.array([1, -8, 0], np.float64)
    for beyond in (0.0, 1e-9):
        result = np.array([1, -8, 8 * allowed + beyond])
        (output,) = compared_outputs([value], [[reference]], [[result]], 1e-5, 0, fp16_tolerance=halves)
        assert output.verdict == (not beyond)
        assert output.tolerance == 8 * allowed
        assert output.reference_max == 8
        assert output.mismatches == int(8 * allowed + beyond > 0)
