"""Recurrent operators: their forms, refusals and notes, and states at their limits."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.cases.case import Case
from support.cases.recurrent_cells import BESIDE, BYTES, CELLS, TANH, Y, cell, recurrent, state, states, weights
from support.legalizing import executed
from support.tflite_models import Tensor

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.ir import Array, Graph, Model, TensorType, Value
from tosa_converter.legalize.quant import fixed_point
from tosa_converter.legalize.tflite.recurrent import integer_norm
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.expr import Expr
from tosa_converter.schemas.tflite import ActivationFunctionType
from tosa_converter.schemas.tflite import BuiltinOperator as B

CASES = [*recurrent()]
SEQUENCE = B.UNIDIRECTIONAL_SEQUENCE_LSTM
LONG = Tensor((1, 40, 2)), Tensor((1, 40, CELLS))


def case(builtin: B, dtype: str = "float32", weight: str = "") -> Case:
    """Returns the first case of an operator with this input type and, if given, weight type."""
    return next(
        cell_case
        for cell_case in CASES
        if cell_case.builtin is builtin
        and cell_case.operands[0] is not None
        and cell_case.operands[0].dtype == dtype
        and (not weight or any(t is not None and t.dtype == weight for t in cell_case.operands[1:3]))
    )


def changed(cell_case: Case, index: int, **changes: Any) -> Case:
    """Returns the case with another operand."""
    operands = list(cell_case.operands)
    operand = operands[index]
    assert operand is not None
    operands[index] = replace(operand, **changes)
    return replace(cell_case, operands=tuple(operands))


def counted(model: Model) -> dict[str, int]:
    names = [op.name for op in model.main.walk()]
    return {name: names.count(name) for name in set(names)}


def noted(cell_case: Case) -> list[str]:
    return [note.text for note in tc.convert(cell_case.file()).report.notes]


def test_gates_equal_gemmlowp() -> None:
    """The digest covers gemmlowp's fixedpoint.h for all values: logistic of Q3, tanh of Q0 to Q6."""
    values = np.arange(-32768, 32768)
    gates = [fixed_point.logistic(values, 3), *(fixed_point.tanh(values, bits) for bits in range(7))]
    digest = hashlib.sha256(np.stack(gates).astype(np.int16).tobytes()).hexdigest()
    assert digest == "f581e3c051f4b74d6d0a2e6034f3d7c3e375176e0217c7f2233f5f318867fe2c"


@pytest.mark.parametrize("cell_case", CASES, ids=[f"{i}-{cell_case.builtin.name}" for i, cell_case in enumerate(CASES)])
def test_cells_have_loops_and_states(cell_case: Case) -> None:
    """Each direction has a loop if there are steps and control flow; there are as many states as variable tensors."""
    data = cell_case.file()
    steps = "SEQUENCE" in cell_case.builtin.name
    directions = 2 if cell_case.builtin.name.startswith("BIDIRECTIONAL") else 1
    looped = tc.convert(data, sequence="loop", state="io")
    assert counted(looped).get("tosa.while_loop", 0) == steps * directions
    assert "tosa.while_loop" not in counted(tc.convert(data, sequence="unroll"))
    assert "tosa.while_loop" not in counted(tc.convert(data, sequence="loop", control_flow="flatten"))
    state_count = sum(operand is not None and operand.variable for operand in cell_case.operands)
    assert len(looped.main_states) == state_count


INTEGERS = [
    cell_case for cell_case in CASES if cell_case.operands[0] is not None and cell_case.operands[0].dtype != "float32"
]


@pytest.mark.parametrize(
    "cell_case", INTEGERS, ids=[f"{i}-{cell_case.builtin.name}" for i, cell_case in enumerate(INTEGERS)]
)
def test_integers_need_no_extension(cell_case: Case) -> None:
    data, rng = cell_case.file(), np.random.default_rng(0)
    free, bare = tc.convert(data, state="io"), tc.convert(data, state="io", target="pro-int")
    assert not bare.report.needs.extensions
    shape = free.main.inputs[0].type.static
    steps = [{"t0": rng.integers(-128, 128, shape).astype(np.int8)} for _ in range(4)]
    for a, b in zip(tc.run_steps(free, steps), tc.run_steps(bare, steps), strict=True):
        for x, y in zip(a.values(), b.values(), strict=True):
            np.testing.assert_array_equal(x, y)


def test_a_loop_is_as_large_for_any_number_of_steps() -> None:
    short, long = case(SEQUENCE), replace(changed(case(SEQUENCE), 0, shape=LONG[0].shape), results=LONG[1:])
    sizes = [sum(counted(tc.convert(cell_case.file(), sequence="loop")).values()) for cell_case in (short, long)]
    assert sizes[0] == sizes[1]


@pytest.mark.parametrize(
    "cell_case", [case(SEQUENCE, weight="int8"), case(B.RNN, weight="int8"), case(B.SVDF, weight="int8")]
)
def test_compact_numerics_compute_in_floats(cell_case: Case) -> None:
    data, arrays = cell_case.model()
    exact, compact = (tc.convert(data, numerics=numerics) for numerics in ("reference", "compact"))
    assert "tosa.reduce_max" in counted(exact)
    assert not counted(compact).keys() & {"tosa.reduce_max", "tosa.rescale"}
    a, b = (next(iter(tc.run(model, {"t0": arrays[0]}).values())) for model in (exact, compact))
    np.testing.assert_allclose(a, b, atol=0.02)


@pytest.mark.parametrize(
    ("cell_case", "problem"),
    [
        (changed(case(SEQUENCE), 18, variable=False), "operand input_activation_state: expected a variable tensor"),
        (changed(case(B.RNN), 4, variable=False), "operand hidden_state: expected a variable tensor"),
        (changed(case(B.SVDF), 4, shape=(1, 11)), r"expected B\*F\*M elements .*, found shape 1x11"),
        (changed(case(B.SVDF), 2, dtype="float16"), "operand time_weights: expected fp32, found fp16"),
        (changed(case(SEQUENCE), 5, shape=(CELLS, CELLS + 1), data=np.ones((3, 4), np.float32)), "expected 3, not 4"),
        (replace(case(SEQUENCE), options={**TANH, "cell_clip": -1.0}), "expected clips of 0 or more, found -1.0"),
        (replace(case(SEQUENCE), options={**TANH, "proj_clip": np.nan}), "expected clips of 0 or more, found nan"),
        (replace(case(SEQUENCE, "int8"), intermediates=BESIDE[:4]), "expected 5 intermediates, found 4"),
        (replace(case(B.SVDF, "int8"), options={**TANH, "rank": 2}), "expected a fused RELU, found TANH"),
        (replace(case(B.SVDF), options={**TANH, "rank": 0}), "expected a rank of 1 or more, found 0"),
        (
            replace(case(B.LSTM, "uint8"), results=case(B.LSTM, "uint8").results[:3]),
            "expected 5 operands and 4 results",
        ),
        (changed(case(B.LSTM, "uint8"), 4, scale=2.0**-11, dtype="int8"), "has no operands and results of these types"),
        (replace(case(B.BIDIRECTIONAL_SEQUENCE_RNN), results=(Y,)), "expected 2 results, found 1"),
        (changed(case(SEQUENCE), 0, shape=(1, 0, 2)), "an empty tensor of shape 1x0x2"),
    ],
)
def test_unchecked_conditions_of_litert_are_checked(cell_case: Case, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        tc.convert(cell_case.file())


def test_a_variable_tensor_has_no_data() -> None:
    cell_case = changed(case(B.RNN), 4, data=np.zeros((1, CELLS), np.float32))
    with pytest.raises(FormatError, match="expected no data for a variable tensor, found 12 bytes"):
        tc.load(cell_case.file())


@pytest.mark.parametrize(
    ("cell_case", "reason"),
    [
        (changed(case(SEQUENCE, "int8"), 19, scale=2.0**-8), "LiteRT's kernel has a tanh, found 0.00390625"),
        (
            replace(case(B.LSTM, "int8"), intermediates=(*BESIDE, *BESIDE, *BESIDE[:2])),
            "expected sums of 16 bits .*, found sums of 8 bits, whose fp32 rounding TOSA can't reproduce",
        ),
        (
            changed(case(SEQUENCE, weight="int8"), 1, scale=np.array([0.1, 0.2, 0.3])),
            "expected one scale of 't1', found a scale per channel",
        ),
        (
            replace(case(B.LSTM, "int8"), intermediates=(*BESIDE[:4], Tensor((), "int8"))),
            "expected quantization parameters of intermediate tensor 4, found none",
        ),
    ],
)
def test_refusals_state_the_reason(cell_case: Case, reason: str) -> None:
    with pytest.raises(UnsupportedError, match=reason):
        tc.convert(cell_case.file())


def test_deviations_are_noted() -> None:
    none = {"fused_activation_function": ActivationFunctionType.NONE}
    assert "the cell gate and the cell state are used without one" in noted(replace(case(SEQUENCE), options=none))[0]
    bidirectional = case(B.BIDIRECTIONAL_SEQUENCE_RNN)
    weight = [
        weights(*t.shape, dtype="int8") if t is not None and len(t.shape) == 2 and t.data is not None else t
        for t in bidirectional.operands
    ]
    hybrid = replace(bidirectional, operands=tuple(weight), options={**TANH, "time_major": True})
    hybrid = changed(changed(hybrid, 4, shape=(2, CELLS)), 8, shape=(2, CELLS))
    assert noted(hybrid) == [
        "the sequence runs as many times as it has steps, each run from the last states, as LiteRT's kernel does"
    ]
    aux = (Tensor((1, 2, 4)), weights(CELLS, 4), weights(CELLS, 4))
    more = replace(bidirectional, operands=(*bidirectional.operands[:9], *aux))
    assert "at wrong offsets" in noted(more)[0]


def test_sums_of_all_filters_of_a_unit_may_overflow() -> None:
    """Features up to 2**15 are multiplied by weights with a sum of at least 2**16; one filter has less."""
    integer = case(B.SVDF, "int8")
    noted_sums = {
        weight: any("overflow int32" in text for text in noted(changed(integer, 2, data=time_weights)))
        for weight in (10000, 12000)
        for time_weights in [np.full((4, 3), weight, np.int16)]
    }
    assert noted_sums == {10000: False, 12000: True}


def test_state_at_its_limits_equals_litert() -> None:
    """A 16-bit cell state reaches both ends within 50 runs of 4 steps, as in LiteRT."""
    pytest.importorskip("ai_edge_litert.interpreter", reason="LiteRT is not installed")
    cell_case = saturating_cell()
    source, rng = tc.load(cell_case.file()), np.random.default_rng(0)
    steps = [{"t0": rng.choice([-128, 127], (1, 4, 2)).astype(np.int8)} for _ in range(25)]
    steps += [{"t0": np.full((1, 4, 2), end, np.int8)} for end in (-128, 127) for _ in range(13)]
    want = tc.run_steps(source, steps)
    reached: list[Array] = []
    for form in ({"state": "variables"}, {"state": "io", "sequence": "loop"}):
        model = tc.convert(source, **form)  # type: ignore[arg-type]  # words of options
        got = tc.run_steps(model, steps)
        for a, b in zip(want, got, strict=True):
            np.testing.assert_array_equal(a["t15"], b["t15"])
        reached += [array for outputs in got for array in outputs.values() if array.dtype == np.int16]
    assert min(array.min() for array in reached) == -32768
    assert max(array.max() for array in reached) == 32767


def responsive_cell(cell_case: Case, **options: Any) -> Case:
    """Returns an integer cell with a projection and large weights, whose outputs follow the input."""
    operands = list(cell_case.operands)
    for i, data, scale in [
        *((i, np.array([9000, -16000, 20000], np.int16), 2.0**-13) for i in (9, 10, 11, 20, 21, 22, 23)),
        *((i, np.array([3000, -200, 40000], np.int32), None) for i in (12, 13, 14, 15)),
        (16, np.array([[90, -127, 60], [-110, 33, 127], [127, 120, -80]], np.int8), 1 / 64),
    ]:
        operand = operands[i] if i < len(operands) else None
        if operand is not None:
            operands[i] = replace(operand, data=data, scale=scale)
    return replace(cell_case, operands=tuple(operands), options={**TANH, **options})


def runs_as_litert(cell_case: Case, *targets: str) -> None:
    """Asserts that ten runs of random bytes equal LiteRT in every form."""
    pytest.importorskip("ai_edge_litert.interpreter", reason="LiteRT is not installed")
    source, rng = tc.load(cell_case.file()), np.random.default_rng(5)
    shape = source.main.inputs[0].type.static
    steps = [{"t0": rng.integers(-128, 128, shape).astype(np.int8)} for _ in range(10)]
    want = tc.run_steps(source, steps)
    for target in targets:
        got = tc.run_steps(tc.convert(source, state="io", target=target), steps)
        name = source.main.outputs[0].name
        np.testing.assert_array_equal([outputs[name] for outputs in got], [outputs[name] for outputs in want])
    assert len({outputs[name].tobytes() for outputs in want}) > 1


@pytest.mark.parametrize("zero_point", [-128, -127, 0, 3, 127])
@pytest.mark.parametrize("number", [1, 2])
def test_zero_points_of_projected_states_equal_litert(number: int, zero_point: int) -> None:
    """The negative of -128 is no zero point of int8. The cells have peepholes and normalization, or neither."""
    cell_case = [case for case in INTEGERS if case.builtin in (B.UNIDIRECTIONAL_SEQUENCE_LSTM, B.LSTM)][number]
    beside = (*cell_case.intermediates[:4], replace(cell_case.intermediates[4], zero_point=zero_point))
    runs_as_litert(responsive_cell(replace(cell_case, intermediates=beside)), "pro-int", "pro-int,ext-int16")


@pytest.mark.parametrize("clip", [0.0, 0.01, 0.1, 1.0])
@pytest.mark.parametrize("option", ["cell_clip", "proj_clip"])
@pytest.mark.parametrize("number", [1, 2])
def test_clips_of_integers_equal_litert(number: int, option: str, clip: float) -> None:
    cell_case = [case for case in INTEGERS if case.builtin in (B.UNIDIRECTIONAL_SEQUENCE_LSTM, B.LSTM)][number]
    runs_as_litert(responsive_cell(cell_case, **{option: clip}), "pro-int", "pro-int,ext-int16")


def saturating_cell() -> Case:
    """Returns an LSTM whose forget gate is open and whose cell gate follows the input."""
    data = np.full((CELLS, 2), 127, np.int8)
    gates: list[Tensor | None] = list(cell("integer"))
    for i, value in enumerate((20, 0, 127, 20)):
        gates[i] = Tensor((CELLS, 2), "int8", data // 127 * value, scale=1 / 16)
    for i, value in enumerate((8000, 200000, 0, 8000)):
        gates[11 + i] = Tensor((CELLS,), "int32", np.full(CELLS, value, np.int32))
    x = Tensor((1, 4, 2), "int8", **BYTES)
    y = Tensor((1, 4, CELLS), "int8", scale=1 / 128, zero_point=3)
    hidden_state: Sequence[Tensor | None] = states(integer=True)[:1]
    cell_state = state(1, CELLS, dtype="int16", scale=2.0**-13)
    return Case(
        SEQUENCE, (x, *gates, *hidden_state, cell_state), (y,), {**TANH, "time_major": False}, intermediates=BESIDE
    )


LSTMS = [cell_case for cell_case in INTEGERS if cell_case.builtin in (B.LSTM, SEQUENCE) and len(cell_case.operands) > 8]


@pytest.mark.parametrize("exponent", [0, 6, 13, 15, 17])
@pytest.mark.parametrize("cell_case", LSTMS, ids=[f"{i}-{cell_case.builtin.name}" for i, cell_case in enumerate(LSTMS)])
def test_sums_of_gates_are_predictable_for_all_scales(cell_case: Case, exponent: int) -> None:
    """Weights are at the ends of int8, with larger scales: results equal LiteRT's, or a note tells of the overflow."""
    operands = list(cell_case.operands)
    for i, operand in enumerate(operands[:9]):
        if operand is not None and operand.dtype == "int8" and operand.data is not None:
            scales = (np.atleast_1d(operand.scale).astype(np.float64) * 2.0**exponent).tolist()
            ends = np.where(operand.data < 0, -127, 127).astype(np.int8)
            operands[i] = replace(operand, scale=scales, data=ends)
    data = replace(cell_case, operands=tuple(operands)).file()
    overflows = any("overflow" in note.text for note in tc.convert(data).report.notes)
    assert tc.verify(data).verdict or (overflows and exponent > 13)


@pytest.mark.parametrize(("time", "batch"), [(3, 2), (2, 3), (4, 1)])
def test_a_hybrid_sequence_runs_as_often_as_it_has_steps(time: int, batch: int) -> None:
    """The number of batches doesn't matter."""
    source = case(B.BIDIRECTIONAL_SEQUENCE_RNN)
    operands = [
        weights(*operand.shape, dtype="int8") if operand and operand.data is not None and operand.data.ndim == 2
        else operand
        for operand in source.operands
    ]  # fmt: skip
    hybrid = replace(source, operands=tuple(operands), options={**TANH, "time_major": True})
    hybrid = changed(changed(hybrid, 4, shape=(batch, CELLS)), 8, shape=(batch, CELLS))
    hybrid = changed(hybrid, 0, shape=(time, batch, 2))
    results = tuple(replace(result, shape=(time, batch, CELLS)) for result in hybrid.results)
    data = replace(hybrid, results=results).file()
    model, x = tc.load(data), np.random.default_rng(0).standard_normal((time, batch, 2)).astype(np.float32)
    expected = tc.run(model, {"t0": x})
    for name, array in tc.run(tc.convert(model), {"t0": x}).items():
        np.testing.assert_allclose(array, expected[name], atol=1e-5)


@pytest.mark.parametrize("size", [1, 3, 7, 8, 64, 100])
@pytest.mark.parametrize("reach", [1, 5, 40, 1000, 32768])
def test_moments_equal_those_of_64_bits(reach: int, size: int) -> None:
    """Variances of a few units are covered, in which the lowest digits of the squares count."""
    x = np.random.default_rng(size).integers(-reach, reach, (6, 4, size))
    x[0] = x[0, :, :1]  # all alike
    x[1:3] += [[[200]], [[-200]]]
    x = x.clip(-32768, 32767)
    graph = Graph("main")
    value = Value(TensorType(DType.I32, x.shape), "x")
    graph.inputs = [value]
    with Builder(graph) as builder:
        mean, variance = (part.value for part in integer_norm.moments(Expr(value)))
    means, variances = executed(builder.model(mean=mean, variance=variance), [x.astype(np.int32)])
    for row, computed, moment in zip(x.reshape(-1, size), means.reshape(-1), variances.reshape(-1), strict=True):
        total = sum(map(int, row))
        truncated = abs(total) * 1024 // size * (1 if total >= 0 else -1)
        assert computed == truncated
        squares = sum(int(element) ** 2 for element in row) * ((1 << 20) // size)
        assert moment == (squares - truncated**2) >> 20


def peephole_cell(scale: float) -> Case:
    """Returns an LSTM with peepholes of this scale, in which no other sum exceeds 32 bits."""
    source = case(SEQUENCE, "int8", "int8")
    peepholed = replace(
        source, operands=(source.operands[0], *cell("integer", parts=("peephole",)), *source.operands[18:])
    )
    peepholed = changed(changed(peepholed, 0, scale=0.005), 19, scale=2.0**-13)
    for i in range(9, 12):
        peepholed = changed(peepholed, i, scale=scale)
    return peepholed


@pytest.mark.parametrize(("scale", "is_noted"), [(1.5, False), (3.0, False), (6.0, True)])
def test_peepholes_that_leave_32_bits_are_noted(scale: float, is_noted: bool) -> None:
    """Products of 16 bits have up to 30 bits, and exceed 32 with a multiplier from 2 on: the state has 2**-13."""
    assert any("overflow" in note for note in noted(peephole_cell(scale))) == is_noted


@pytest.mark.parametrize("exponent", [10, 20, 26])
def test_a_run_time_bias_equals_a_constant_one(exponent: int) -> None:
    """RESCALE takes a part of the possible sums only, whether the bias is constant or not."""
    pytest.importorskip("ai_edge_litert.interpreter", reason="LiteRT is not installed")
    stated = saturating_cell()
    bias = (np.array([1, -1, 3]) << (exponent - 1)).clip(-(2**31), 2**31 - 1).astype(np.int32)
    for i in range(12, 16):
        stated = changed(stated, i, data=bias)
    at_run_time = stated
    for i in range(12, 16):
        at_run_time = changed(at_run_time, i, data=None)
    x = np.random.default_rng(0).integers(-128, 128, (1, 4, 2)).astype(np.int8)
    source = tc.load(stated.file())
    (expected,) = tc.run(source, {"t0": x}).values()
    model = tc.convert(at_run_time.file())
    feed = {value.name: x if value.name == "t0" else bias for value in model.main.inputs}
    assert len(feed) == 5
    (output,) = tc.run(model, feed).values()
    np.testing.assert_array_equal(output, expected)


def interpolated(values: Array) -> Array:
    """Returns the results of TABLE for every 128th of 65536 values, rounded."""
    ends = np.append(values[::128], values[-1]).astype(np.int64)
    step, place = np.repeat(np.diff(ends), 128), np.tile(np.arange(128), 512)
    return np.asarray((np.repeat(ends[:-1], 128) * 128 + place * step + 64) >> 7)


@pytest.mark.parametrize("power", [-13, -11, -10, -9])
def test_the_note_of_interpolated_gates_has_the_largest_difference(power: int) -> None:
    """The note states the larger error of the cell gate's tanh and the cell state's."""
    values = np.arange(-32768, 32768)
    functions = [fixed_point.logistic(values, 3), fixed_point.tanh(values, 3), fixed_point.tanh(values, 15 + power)]
    exact = [np.clip(np.asarray(function), -32768, 32767).astype(np.int64) for function in functions]
    off = [int(np.abs(interpolated(function) - function).max()) for function in exact]
    assert off[0] < off[1] <= off[2]
    data = changed(case(SEQUENCE, "int8", "int8"), 19, scale=2.0**power).file()
    texts = [note.text for note in tc.convert(data, target="ethos-u85", numerics="compact").report.notes]
    assert sum(f"may differ by {off[2]} of 32768" in text for text in texts) == 1
