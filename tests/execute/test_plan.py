"""The plan of a run: groups, blocks, states, names and refusals. test_kernels tests single operators."""

import itertools
from collections.abc import Sequence
from time import perf_counter

import numpy as np
import pytest
from support.kernel_cases import judge
from support.sketch import Sketch

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnpredictableError, UnsupportedError, UsageError, VerifyError
from tosa_converter.execute import blas
from tosa_converter.execute.fuse import find_groups
from tosa_converter.execute.plan import Context, Executable, run
from tosa_converter.ir import Array, Graph, Op, TensorType, Value
from tosa_converter.schemas import tosa_ops as ops


def network() -> Graph:
    """Returns convolutions, a residual sum over several blocks, and a branch that is read twice."""
    s = Sketch(x=(DType.I8, (2, 44, 40, 16)))
    first = s.conv(s.graph.inputs[0], 48, 3, 2)
    clamped = s.builder.emit(ops.CLAMP, first, min_val=-100, max_val=90, nan_mode="PROPAGATE")
    deep = s.conv(clamped, 48, 3, 1, depthwise=True)
    narrow = s.conv(deep, 48, 1, 1)
    total = s.builder.emit(ops.ADD, s.rescale(clamped, DType.I32, 12), s.rescale(narrow, DType.I32, 12))
    scaled = s.builder.emit(
        ops.MUL, total, s.const(s.rng.integers(1, 9, (1, 1, 1, 48)), DType.I32), s.const([0], DType.I8)
    )
    return s.done(s.rescale(scaled, DType.I8, 52), deep)


def feed(graph: Graph) -> list[Array]:
    rng = np.random.default_rng(5)
    return [rng.integers(-128, 128, value.type.static).astype(np.int8) for value in graph.inputs]


def test_groups_in_blocks_equal_the_reference_model() -> None:
    graph = network()
    inputs = feed(graph)
    for output, expected in zip(run(graph, inputs).values(), judge(graph, inputs), strict=True):
        np.testing.assert_array_equal(output, expected)


def test_a_group_ends_at_a_value_that_others_read() -> None:
    graph = network()
    ended = [
        [op.name.removeprefix("tosa.") for op in group]
        for group in find_groups(graph.ops, set(graph.outputs))
        if len(group) > 1
    ]
    assert ended == [
        ["conv2d", "rescale", "clamp"],
        ["depthwise_conv2d", "rescale"],
        ["conv2d", "rescale", "rescale", "rescale", "add", "mul", "rescale"],
    ]


def test_times_of_a_run_are_those_of_its_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every step takes a second by this clock; the operators of a group share it."""
    graph = network()
    executable = Executable(graph)
    monkeypatch.setattr("tosa_converter.execute.plan.perf_counter", itertools.count().__next__)
    outputs, seconds = executable.run_timed(feed(graph))
    computing = [op for op in graph.ops if op.operands]
    assert list(seconds) == computing
    for name, array in executable.run(feed(graph)).items():
        np.testing.assert_array_equal(outputs[name], array)
    for group in find_groups(computing, set(graph.outputs)):
        taken = [seconds[op] for op in group]
        assert sum(taken) == pytest.approx(1)
        assert min(taken) > 0


def test_seconds_are_within_the_run() -> None:
    graph = network()
    executable = Executable(graph)
    start = perf_counter()
    _, seconds = executable.run_timed(feed(graph))
    assert 0 < sum(seconds.values()) <= perf_counter() - start


def test_constant_operators_take_no_time_in_a_run() -> None:
    type = TensorType(DType.I32, (2,))
    x, constant = Value(type, "x"), Op(ops.CONST, (), [type], {"values": np.array([3, 4], np.int32)})
    doubled_constant = Op(ops.ADD, [constant.result, constant.result], [type])
    op = Op(ops.ADD, [x, doubled_constant.result], [type])
    _, seconds = Executable(Graph("main", [x], [op.result], [constant, doubled_constant, op])).run_timed(
        [np.array([1, 1], np.int32)]
    )
    assert list(seconds) == [doubled_constant, op]
    assert seconds[doubled_constant] == 0 < seconds[op]


@pytest.mark.parametrize(
    ("zero_point", "steps"), [(0, ["negate"]), (3, ["identity", "negate", "negate"]), (None, ["negate", "negate"])]
)
def test_operands_known_before_the_run_are_checked_once(zero_point: int | None, steps: list[str]) -> None:
    """A copy of a constant is checked with the plan; an illegal one and an input by a step of each run."""
    x, by = Value(TensorType(DType.I16, (2,)), "x"), Value(TensorType(DType.I16, (1,)), "by")
    zeros = [Op(ops.CONST, (), [by.type], {"values": np.full(1, value, np.int16)}) for value in (0, zero_point or 0)]
    copy = Op(ops.IDENTITY, [zeros[1].result], [by.type])
    negate = Op(ops.NEGATE, [x, by if zero_point is None else copy.result, zeros[0].result], [x.type], location="here")
    inputs, constants = ([x, by], []) if zero_point is None else ([x], [zeros[1], copy])
    executable = Executable(Graph("main", inputs, [negate.result], [zeros[0], *constants, negate]))
    assert [step.ops[0].base_name for step in executable._steps] == steps
    feed = [np.array([5, -7], np.int16), np.zeros(1, np.int16)][: len(inputs)]
    if zero_point:
        with pytest.raises(VerifyError, match="found input1_zp = 3"):
            executable.run(feed)
    else:
        assert [y.tolist() for y in executable.run(feed).values()] == [[-5, 7]]


def test_kept_values_are_those_of_the_plan_without_groups() -> None:
    graph = network()
    inputs = feed(graph)
    every = run(graph, inputs, keep="all")
    computed_ops = [op for op in graph.ops if op.name not in ("tosa.const", "tosa.const_shape")]
    assert len(every) == len(computed_ops)
    last = computed_ops[-2].result
    name = Executable(graph).names[last]
    assert list(run(graph, inputs, keep=[last])) == list(run(graph, inputs, keep=[name])) == ["out0", "out1", name]
    np.testing.assert_array_equal(run(graph, inputs, keep=[last])[name], every[name])
    with pytest.raises(UsageError, match="asks for value 'nothing'"):
        run(graph, inputs, keep=["nothing"])


def test_an_executable_runs_again_and_holds_nothing_of_the_last_run() -> None:
    graph = network()
    executable = Executable(graph)
    first = executable.run(feed(graph))["out0"].copy()
    executable.run([np.zeros_like(x) for x in feed(graph)])
    np.testing.assert_array_equal(executable.run(feed(graph))["out0"], first)


def test_values_are_released_after_their_last_reader() -> None:
    """The first input is released too; outputs and constants stay."""
    s = Sketch(x=(DType.FP32, (4,)))
    (x,) = s.graph.inputs
    first = s.builder.emit(ops.CONCAT, x, x, axis=0)
    second = s.builder.emit(ops.CONCAT, first, s.const([1.0], DType.FP32), axis=0)
    executable = Executable(s.done(second))
    slots = executable._slots
    assert [step.dead for step in executable._steps] == [(slots[x],), (slots[first],)]
    keeping = Executable(executable.graph, keep=[first])
    assert [step.dead for step in keeping._steps] == [(keeping._slots[x],), ()]


def identity() -> Graph:
    s = Sketch(x=(DType.I8, (2, 3)), y=(DType.FP32, (4,)))
    x, y = s.graph.inputs
    return s.done(s.builder.emit(ops.RESHAPE, x, s.const([6], DType.SHAPE)), s.builder.emit(ops.ABS, y))


def test_outputs_share_no_memory_with_inputs() -> None:
    x, y = np.zeros((2, 3), np.int8), np.zeros(4, np.float32)
    outputs = run(identity(), {"x": x, "y": y})
    assert not any(np.shares_memory(output, x) for output in outputs.values())
    assert all(output.flags.writeable for output in outputs.values())


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({"x": np.zeros((2, 3), np.int8)}, r"expected inputs x, y, found x"),
        ({"x": 0, "y": 0, "z": 0}, r"found x, y, z"),
        ([np.zeros((2, 3), np.int8)], "expected 2 inputs"),
        ([np.zeros((3, 2), np.int8), np.zeros(4, np.float32)], r"'x': expected i8\[2x3\], found int8\[3, 2\]"),
        ([np.zeros((2, 3), np.int16), np.zeros(4, np.float32)], r"'x': expected i8\[2x3\], found int16"),
        ([np.zeros((2, 3), np.int8), np.zeros(4, np.float64)], r"'y': expected fp32\[4\], found float64"),
    ],
)
def test_inputs_that_do_not_fit_are_refused(inputs: object, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        run(identity(), inputs)  # type: ignore[arg-type]


def test_unsigned_arrays_are_taken_bit_by_bit() -> None:
    x = np.arange(250, 256, dtype=np.uint8).reshape(2, 3)
    outputs = run(identity(), [x, np.zeros(4, np.float32)])
    np.testing.assert_array_equal(outputs["out0"], x.view(np.int8).reshape(6))


def test_precise_mode_takes_and_returns_fp64() -> None:
    y = np.array([1 + 2.0**-40, -2, 3, 4])
    assert run(identity(), [np.zeros((2, 3), np.int8), y], precise=True)["out1"].tolist() == np.abs(y).tolist()


def test_foreign_operators_are_all_named() -> None:
    graph = Graph("main", ops=[Op("tfl.abs", (), [], location="here"), Op("tfl.sin", (), [])])
    with pytest.raises(UnsupportedError, match=r"tfl.abs \(here\)(.|\n)*tfl.sin"):
        Executable(graph)


def test_a_violation_names_operator_and_place() -> None:
    s = Sketch(x=(DType.I32, (4,)))
    s.builder.location = "model/add"
    graph = s.done(s.builder.emit(ops.ADD, s.graph.inputs[0], s.graph.inputs[0]))
    with pytest.raises(UnpredictableError, match=r"tosa\.add 'out0' \(model/add\): REQUIRE\(c >= minimum_s"):
        run(graph, [np.full(4, 2**30, np.int32)])
    assert run(graph, [np.full(4, 2**30, np.int32)], check=False)["out0"].tolist() == [-(2**31)] * 4


def counter() -> Graph:
    """Returns a variable that every run doubles."""
    read = Op("tosa.variable_read", (), [TensorType(DType.FP32, (2,))], {"name": "v"}, result_names=["old"])
    double = Op("tosa.add", [read.result, read.result], [TensorType(DType.FP32, (2,))])
    write = Op("tosa.variable_write", [double.result], [], {"name": "v"})
    second_read = Op("tosa.variable_read", (), [TensorType(DType.FP32, (2,))], {"name": "v"}, result_names=["new"])
    initial = np.array([1, 2], np.float32)
    declared = Op(
        "tosa.variable", (), [], {"name": "v", "var_shape": (2,), "type": DType.FP32, "initial_value": initial}
    )
    return Graph("main", [], [read.result, second_read.result], [declared, read, double, write, second_read])


def test_variables_live_in_the_context() -> None:
    executable, context = Executable(counter()), Context()
    outputs_by_run = [executable.run([], context=context) for _ in range(3)]
    assert [x["old"].tolist() for x in outputs_by_run] == [[1, 2], [2, 4], [4, 8]]
    assert outputs_by_run[2]["new"].tolist() == context.variables["v"].tolist() == [8, 16]
    assert executable.run([])["old"].tolist() == [1, 2]
    outputs, seconds = executable.run_timed([], context=context)
    assert (outputs["old"].tolist(), context.variables["v"].tolist()) == ([8, 16], [16, 32])
    assert list(seconds) == executable.graph.ops


def test_a_variable_must_have_been_written() -> None:
    graph = counter()
    graph.ops[0].attributes["initial_value"] = None
    with pytest.raises(UnpredictableError, match=r"REQUIRE\(variable_tensor.is_written\)"):
        run(graph, [])


def region(row: str, inputs: int, *operands: int, out: DType = DType.I32) -> Graph:
    """Returns a graph of one operator on its inputs."""
    values = [Value(TensorType(DType.I32, (1,)), f"r{i}") for i in range(inputs)]
    op = Op(row, [values[i] for i in operands], [TensorType(out, (1,))], {})
    return Graph(row, values, [op.result], [op])


def test_cond_if_takes_one_way_only() -> None:
    condition, x, y = (
        Value(TensorType(d, (1,)), n) for d, n in ((DType.BOOL, "c"), (DType.I32, "x"), (DType.I32, "y"))
    )
    ways = region("tosa.add", 2, 0, 1), region("tosa.intdiv", 2, 0, 1)
    op = Op("tosa.cond_if", [condition, x, y], [TensorType(DType.I32, (1,))], regions=ways, result_names=["z"])
    graph = Graph("main", [condition, x, y], [op.result], [op])
    seven, zero = np.array([7], np.int32), np.array([0], np.int32)
    assert run(graph, [np.array([True]), seven, zero])["z"].tolist() == [7]  # a division would have failed
    assert run(graph, [np.array([False]), seven, seven])["z"].tolist() == [1]


def test_while_loop_runs_until_its_condition_fails() -> None:
    body = region("tosa.add", 3, 0, 1)
    body.outputs = [body.outputs[0], *body.inputs[1:]]
    values = [Value(TensorType(DType.I32, (1,)), name) for name in ("i", "step", "end")]
    types = [value.type for value in values]
    loop = Op("tosa.while_loop", values, types, regions=(region("tosa.greater", 3, 2, 0, out=DType.BOOL), body))
    graph = Graph("main", values, [loop.results[0]], [loop])
    inputs = [np.array([n], np.int32) for n in (0, 3, 10)]
    (output,) = run(graph, inputs).values()
    assert output.tolist() == [12]
    (seconds,) = Executable(graph).run_timed(inputs)[1].items()
    assert seconds[0] is loop  # its graphs count as a part of it


def test_custom_operators_come_with_the_context() -> None:
    x = Value(TensorType(DType.FP32, (2,)), "x")
    names = {"operator_name": "twice", "domain_name": "example.org", "implementation_attrs": b"\x02"}
    op = Op("tosa.custom", [x], [x.type], names, result_names=["y"])
    graph = Graph("main", [x], [op.result], [op])
    context = Context(custom={("example.org", "twice"): lambda inputs, attrs: [inputs[0] * attrs[0]]})
    assert run(graph, [np.ones(2, np.float32)], context=context)["y"].tolist() == [2, 2]
    with pytest.raises(
        UnsupportedError, match=r"custom operator example.org:twice has no implementation in the context; it has: none"
    ):
        run(graph, [np.ones(2, np.float32)])


def test_blas_uses_the_requested_number_of_threads() -> None:
    control = blas._find_openblas()
    if control is None:
        pytest.skip("numpy does not stand on OpenBLAS here")
    before = control.get()
    seen: list[int] = []

    def look(inputs: Sequence[Array], _attributes: bytes) -> Sequence[Array]:
        seen.append(control.get())
        return inputs

    x = Value(TensorType(DType.FP32, (2,)), "x")
    names = {"operator_name": "look", "domain_name": "test", "implementation_attrs": b""}
    op = Op("tosa.custom", [x], [x.type], names)
    graph = Graph("main", [x], [op.result], [op])
    context = Context(custom={("test", "look"): look})
    control.set(2)
    try:
        run(graph, [np.ones(2, np.float32)], context=context)
        run(graph, [np.ones(2, np.float32)], context=context, threads=2)
        Executable(graph).run([np.ones(2, np.float32)], context=context)
        assert seen == [1, 2, 1]
        assert control.get() == 2
    finally:
        control.set(before)


def test_a_variable_is_written_as_declared() -> None:
    graph = counter()
    declared = graph.ops[0]
    declared.attributes |= {"var_shape": (3,), "initial_value": None}
    value = Value(TensorType(DType.FP32, (2,)), "x")
    plain = Op("tosa.variable_write", [value], [], {"name": "v"})
    with pytest.raises(UnpredictableError, match=r"REQUIRE\(variable_tensor.shape == shape\)"):
        run(Graph("main", [value], [], [declared, plain]), [np.ones(2, np.float32)])
    with pytest.raises(UnpredictableError, match=r"REQUIRE\(variable_tensor\)"):
        run(Graph("main", [value], [], [plain]), [np.ones(2, np.float32)])
