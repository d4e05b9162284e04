"""The gate: nothing illegal runs or is written, nothing legal is verified twice; and the limits of a run."""

import math
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from support.commands import unwrapped
from support.sketch import Sketch
from support.some import some
from support.tosa_graphs import const, model, shape, tensor, whole

import tosa_converter as tc
from tosa_converter.cli.main import main
from tosa_converter.dtypes import DType
from tosa_converter.engines import ENGINES, engine_named
from tosa_converter.errors import UnpredictableError, UnsupportedError, UsageError, VerifyError
from tosa_converter.execute import limits
from tosa_converter.execute.plan import Executable, run
from tosa_converter.formats import encode
from tosa_converter.formats.tosa.writer import write_tosa
from tosa_converter.ir import Array, Graph, Model, Op, TensorType, Value
from tosa_converter.proof.input_sets import random_inputs
from tosa_converter.rules import gate
from tosa_converter.rules.conditions import Problem
from tosa_converter.rules.graph import find_problems, verify
from tosa_converter.schemas import tosa_ops as ops

F32, I8, I32, BOOL, SHAPE = DType.FP32, DType.I8, DType.I32, DType.BOOL, DType.SHAPE
ONES = np.ones((2, 3), np.float32)


def illegal() -> Model:
    """Returns two operators, each with a violated condition."""
    x = tensor(F32, 2, 3)
    x.name = "x"
    first = Op("tosa.abs", [x], [TensorType(F32, (2, 4))])
    second = Op("tosa.reverse", [first.result], [TensorType(F32, (2, 4))], {"axis": 7})
    return whole([first, second], [x], [second.result])


@pytest.mark.parametrize(
    "use",
    [
        lambda m: Executable(m),
        lambda m: run(m.main, [ONES]),
        lambda m: tc.run(m, {"x": ONES}),
        lambda m: encode(m, ".tosa"),
        lambda m: encode(m, ".mlir"),
        *[
            lambda m, name=name: engine_named(name).run(m, {"x": ONES})
            for name in ENGINES
            if "tosa" in ENGINES[name].opsets
        ],
    ],
)
def test_an_illegal_graph_is_refused_with_every_condition(use: Callable[[Model], object]) -> None:
    with pytest.raises(VerifyError) as caught:
        use(illegal())
    assert len(caught.value.problems) == 2
    assert "axis < 0 || axis >= rank(shape)" in str(caught.value)


def test_no_inputs_are_drawn_for_an_illegal_graph(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file has dimensions below zero, and the verifier names them."""
    x = tensor(F32, -128, 3)
    x.name = "x"
    graph = Graph("main", [x], [x])
    path = tmp_path / "m.tosa"
    path.write_bytes(b"".join(map(bytes, write_tosa(Model({"main": graph})))))
    with pytest.raises(SystemExit) as exit:
        main(["run", str(path)])
    assert exit.value.code == 3
    assert "dimension < 1" in unwrapped(capsys.readouterr().err)
    with pytest.raises(VerifyError, match="dimension < 1"):
        tc.compare(path, Model({"main": graph}))


@pytest.mark.parametrize("ending", ["tosa", "mlir", "spv", "vgf"])
def test_an_illegal_graph_is_not_saved(tmp_path: Path, ending: str) -> None:
    with pytest.raises(VerifyError):
        tc.save(illegal(), tmp_path / f"m.{ending}")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "op",
    [
        Op("tosa.abs", [], [TensorType(F32, (1,))]),
        Op("tosa.const", [tensor(F32, 1)], [TensorType(F32, (1,))], {"values": np.ones(1, np.float32)}),
        Op("tosa.variable_write", [tensor(F32, 1)], [TensorType(F32, (1,))], {"name": "v"}),
        Op("tosa.cond_if", [tensor(BOOL, 2), tensor(F32, 1)], [TensorType(F32, (1,))]),
        Op("tosa.matmul", [tensor(I8, 1, 2, 3)] * 9, [TensorType(I32, (1, 2, 2))]),
    ],
)
def test_operators_without_their_operands_are_refused(op: Op) -> None:
    graph = whole([op], op.operands, list(op.results))
    for use in (Executable, lambda m: encode(m, ".tosa")):
        with pytest.raises(VerifyError):
            use(graph)


def scaled() -> Graph:
    s = Sketch(x=(I8, (1, 6, 6, 4)))
    return s.done(s.conv(s.graph.inputs[0], 8, 3, 1))


def replace_operand(graph: Graph) -> None:
    graph.ops[-1].inputs = (graph.inputs[0], *graph.ops[-1].inputs[1:])


def retype(graph: Graph) -> None:
    graph.outputs[0].type = TensorType(I8, (1, 6, 6, 9))


def set_attribute(graph: Graph) -> None:
    next(op for op in graph.ops if op.name == "tosa.conv2d").attributes["pad"] = (0, 0, 0, 0)


def set_element(graph: Graph) -> None:
    some(graph.ops[-1].operands[3].constant)[0] = 5


@pytest.mark.parametrize(
    "change",
    [
        replace_operand,
        retype,
        set_attribute,
        set_element,
        lambda g: g.ops.pop(0),
        lambda g: g.outputs.append(tensor(I8, 1)),
        lambda g: g.inputs.clear(),
    ],
)
def test_a_change_after_verifying_is_noticed(change: Callable[[Graph], object]) -> None:
    graph = scaled()
    x = random_inputs(graph.inputs, {}, 0)
    run(graph, x)
    change(graph)
    with pytest.raises(VerifyError):
        run(graph, x)


def test_a_legal_graph_is_verified_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[Graph] = []

    def count(graph: Graph, **_: object) -> list[Problem]:
        counted.append(graph)
        return []

    monkeypatch.setattr(gate, "find_problems", count)
    graph = scaled()
    x = random_inputs(graph.inputs, {}, 0)
    for _ in range(2):
        executable = Executable(graph)
        executable.run(x)
        executable.run(x)
        encode(Model({"main": graph}), ".tosa")
    assert len(counted) == 1


def test_a_converted_graph_is_not_verified_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from support.commands import INT8

    converted = tc.convert(tc.load(INT8))
    monkeypatch.setattr(gate, "find_problems", None)
    encode(converted, ".tosa")
    tc.run(converted, random_inputs(converted.main.inputs, {}, 0))


def test_running_needs_no_level() -> None:
    x = tensor(F32, *[1] * 8)
    deep = model(ops.ABS, [x], [x.type])
    with pytest.raises(VerifyError, match="MAX_RANK"):
        verify(deep)
    assert run(deep, [-np.ones([1] * 8, np.float32)])["value_1"].ravel() == [1]
    assert encode(deep, ".tosa")
    with pytest.raises(VerifyError, match=r"MAX_RANK = 32"):
        run(model(ops.ABS, [tensor(F32, *[1] * 33)], [TensorType(F32, (1,) * 33)]), [])


def test_a_require_that_constants_violate_counts_where_it_runs() -> None:
    x = tensor(I32, 1)
    x.name = "x"
    inner = Value(x.type, "inner")
    shifted = Op("tosa.mul", [inner, inner, const([70], I8)], [x.type])
    branch = Graph("wrong", [inner], [shifted.result], [some(shifted.operands[2].producer), shifted])
    other = Value(x.type, "other")
    flag = tensor(BOOL, 1)
    flag.name = "flag"
    choice = model(ops.COND_IF, [flag, x], [x.type], regions=[branch, Graph("right", [other], [other])])
    assert run(choice, {"flag": np.array([False]), "x": np.array([3], np.int32)})["value_2"] == [3]
    with pytest.raises(UnpredictableError, match=r"0 <= shift && shift <= 63"):
        run(choice, {"flag": np.array([True]), "x": np.array([3], np.int32)})


# ** limits **


def grown(rank: int) -> Model:
    """Returns a constant of one element, TILEd to 2 ** 30 elements in `rank` operators."""
    tiles = [Op("tosa.tile", [const([1.0], F32), shape(1 << 30)], [TensorType(F32, (1 << 30,))]) for _ in range(rank)]
    return whole(tiles, [], [op.result for op in tiles])


@pytest.mark.parametrize(
    ("graph", "inputs"),
    [
        (lambda: grown(64), []),
        (lambda: model(ops.ABS, [tensor(F32, 1 << 30, 1 << 30)], [TensorType(F32, (1 << 30, 1 << 30))]), None),
    ],
)
def test_memory_is_checked_before_it_is_taken(graph: Callable[[], Model], inputs: list[Array] | None) -> None:
    started = time.monotonic()
    with pytest.raises(UsageError, match=r"needs \d+ MB of memory, \d+ MB are free"):
        run(graph(), random_inputs(graph().main.inputs, {}, 0) if inputs is None else inputs, limit=math.inf)
    assert time.monotonic() - started < 5


def test_the_peak_counts_values_that_are_alive() -> None:
    x = tensor(F32, 100)
    first = Op("tosa.abs", [x], [x.type])
    second = Op("tosa.exp", [first.result], [x.type])
    third = Op("tosa.tile", [second.result, shape(3)], [TensorType(F32, (300,))])
    graph = whole([first, second, third], [x], [third.result]).main
    assert limits.peak_bytes(graph) == 400 + 1200 + 400  # input, result, and its operand
    assert limits.peak_bytes(graph, precise=True) == 2 * 2000
    assert limits.peak_bytes(graph, keep_all=True) == 400 + 400 + 400 + 1200


def counting(to: int) -> Model:
    """Returns a loop that counts to a number."""
    x = tensor(I32, 1)
    x.name = "x"
    seen, count = Value(x.type, "seen"), Value(x.type, "held")
    below = Op("tosa.greater", [const([to], I32), seen], [TensorType(BOOL, (1,))])
    condition = Graph("condition", [seen], [below.result], [some(below.operands[0].producer), below])
    more = Op("tosa.add", [count, const([1 if to else 0], I32)], [x.type])
    body = Graph("body", [count], [more.result], [some(more.operands[1].producer), more])
    return model(ops.WHILE_LOOP, [x], [x.type], regions=[condition, body])


def test_an_endless_loop_ends() -> None:
    endless = counting(0)
    x = np.array([-1], np.int32)
    with pytest.raises(UsageError, match=r"a loop that may have no end, takes an estimated .* the limit of 1 s"):
        run(endless, [x], limit=1)
    with pytest.raises(UsageError, match="no end"):
        tc.run(endless, {"x": x}, limit=0.1)
    assert run(counting(20_000), [x], limit=math.inf)["value_1"] == [20_000]


def test_every_run_has_the_whole_limit() -> None:
    executable = Executable(counting(1000), limit=0.1)
    for _ in range(20):
        assert executable.run([np.array([0], np.int32)])["value_1"] == [1000]


def test_enormous_work_is_refused_before_it_begins() -> None:
    a = tensor(I8, 1, 8192, 8192)
    zero = const([0], I8)
    product = model(ops.MATMUL, [a, a, zero, zero], [TensorType(I32, (1, 8192, 8192))])
    with pytest.raises(UsageError, match=r"an estimated \d+\.?\d* s, more than the limit of 10 s"):
        Executable(product)
    Executable(product, limit=math.inf)


def nested(depth: int) -> Model:
    inner = Graph("last", [Value(TensorType(F32, (1,)), "x")])
    inner.outputs = list(inner.inputs)
    for level in range(depth):
        x = Value(TensorType(F32, (1,)), "x")
        flag = Op("tosa.const", [], [TensorType(BOOL, (1,))], {"values": np.array([True])})
        other = Graph(f"other{level}", [y := Value(x.type, "y")], [y])
        op = Op("tosa.cond_if", [flag.result, x], [x.type], regions=[inner, other])
        inner = Graph(f"level{level}", [x], [op.result], [flag, op])
    return Model({"main": inner})


def test_control_flow_nests_64_levels_in_a_run() -> None:
    assert run(nested(limits.MAX_NESTING), [np.ones(1, np.float32)]).popitem()[1] == [1]
    with pytest.raises(UnsupportedError, match="at most 64 levels"):
        run(nested(limits.MAX_NESTING + 1), [np.ones(1, np.float32)])
    with pytest.raises(VerifyError, match="MAX_NESTING = 256"):
        run(nested(257), [np.ones(1, np.float32)])


def test_a_file_is_verified_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    looks: list[Model | Graph] = []
    monkeypatch.setattr("tosa_converter.formats.require_legal", lambda model, **_: looks.append(model))
    x = tensor(F32, 2, 3)
    op = Op(ops.ABS, [x], [x.type])
    legal = whole([op], [x], [op.result])
    tc.save(legal, tmp_path / "x.tosa")
    assert looks == [legal]


def test_the_gate_leaves_targets_to_their_own_check() -> None:
    """Operators of every version pass the gate, so those of a later minor version would too."""
    rows = [row for row in vars(ops).values() if isinstance(row, ops.OpDef)]
    assert gate.EVERYTHING.version[0] == max(row.since for row in rows)[0]
    assert max(row.since for row in rows) < gate.EVERYTHING.version
    assert gate.EVERYTHING.version > (1, 100, 0)


@pytest.mark.parametrize("size", [1, 64, 65])
def test_changed_elements_of_small_constants_are_noticed(size: int) -> None:
    """A condition may depend on them; a longer constant isn't compared again."""
    values = np.ones(size, np.int32)
    constant = Op("tosa.const", (), [TensorType(I32, (size,))], {"values": values})
    graph = whole([constant], [], [constant.result]).main
    gate.require_legal(graph)
    assert gate._is_unchanged(graph)
    values[-1] = 2
    assert gate._is_unchanged(graph) == (size > 64)


@pytest.mark.parametrize(
    ("result", "conditions"),
    [
        ((6,), []),
        ((5,), ["shape of the output != values of the operand shape", "tensor_size(shape1) != tensor_size(shape)"]),
        ((3, 2), ["shape of the output != values of the operand shape"]),
        ((7, 1), ["shape of the output != values of the operand shape", "tensor_size(shape1) != tensor_size(shape)"]),
    ],
)
def test_every_violated_condition_of_a_result_is_reported(result: tuple[int, ...], conditions: list[str]) -> None:
    x, flat = tensor(F32, 2, 3), shape(6)
    op = Op("tosa.reshape", [x, flat], [TensorType(F32, result)])
    assert [problem.condition for problem in find_problems(whole([op], [x], [op.result]))] == conditions


def test_unknown_dimensions_are_one_line() -> None:
    """They go on from the input to all that depends on it."""
    x = Value(TensorType(DType.FP32, (None, 4)), "x")
    values, ops = [x], list[Op]()
    for i in range(20):
        ops.append(Op("tosa.abs", [values[-1]], [x.type], result_names=[f"y{i}"]))
        values.append(ops[-1].result)
    with pytest.raises(VerifyError) as error:
        gate.require_legal(Graph("main", [x], [values[-1]], ops))
    first, step = error.value.lines
    assert "every dimension must be known: found %x: fp32[?x4], and 40 more that follow from it" in first
    assert step == "next: convert it with --input-shape (input_shapes), which states the sizes of inputs"
    gate.require_legal(Graph("main", [x], [values[-1]], ops), unknown_dims=True)
