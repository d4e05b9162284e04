"""Run-time operands (EXT-DYNAMIC) give the same results as constants, and outputs belong to the caller.

Every operator, in every row of its type table, gets its operands in all ways that a graph has: constants, inputs,
copies of constants, which are known before the run, variables, custom operators; in the main graph, in a branch and in
a loop; alone and fused with the RESCALE that follows it. The reference model is the judge, of illegal values too.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, combinations

import numpy as np
import pytest
from support.kernel_cases import (
    COMBINATIONS,
    UNFED,
    Case,
    cases_of,
    constant,
    graph_of,
    judge,
    judged,
    seeded,
)
from support.some import some

from tosa_converter.dtypes import DType
from tosa_converter.engines import engine_named
from tosa_converter.errors import UnpredictableError, VerifyError
from tosa_converter.execute.plan import Context, Executable
from tosa_converter.ir import Array, Graph, Model, Op, TensorType, Value
from tosa_converter.proof import precision
from tosa_converter.rules.inference import infer_types
from tosa_converter.rules.types import combinations as type_rows
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

IDS = [f"{row.name}-{types.replace(' ', '-')}" for row, types in COMBINATIONS]
every_row = pytest.mark.parametrize(("row", "types"), COMBINATIONS, ids=IDS)


def subsets(count: int) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(range(count), size) for size in range(count + 1))


def fed(row: OpDef, case: Case) -> list[int]:
    """Returns the positions of operands that may be inputs of a graph, and that the judge takes as such."""
    return [i for i, (dtype, _) in enumerate(case.operands) if dtype not in UNFED and not row.input(i).fixed]


def same(outputs: Sequence[Array], expected: Sequence[Array], label: object) -> None:
    for ours, theirs in zip(outputs, expected, strict=True):
        assert ours.dtype == theirs.dtype
        wide = np.float64 if ours.dtype.kind not in "bi" else ours.dtype  # numpy compares bf16 NaNs as different
        np.testing.assert_array_equal(ours.astype(wide), theirs.astype(wide), err_msg=str(label))


def runs(executable: Executable, feed: Sequence[Array], context: Context | None = None) -> list[Array]:
    """Returns the outputs of a second run, after all arrays of the first one were overwritten."""
    inputs = [x.copy() for x in feed]
    first = executable.run(inputs, context=context)
    before = [x.copy() for x in first.values()]
    for array in (*inputs, *first.values()):
        assert array.flags.owndata
        array.reshape(-1).view(np.uint8)[:] = 0x55
    second = list(executable.run(list(feed), context=context).values())
    same(second, before, "the first run's results were in use")
    return second[: len(executable.graph.outputs)]


@every_row
def test_any_subset_of_operands_may_be_constants(row: OpDef, types: str) -> None:
    for case in cases_of(row, types, seeded(row, types)):
        every = [array for _, array in case.operands]
        graph, op, feed = graph_of(row, case, run_time=())
        expected = list(Executable(graph).run(feed).values())
        for verdict in precision.check(op, every, expected):
            assert verdict.compliant, verdict.message
        for run_time in subsets(len(every)):
            if any(row.input(i).fixed for i in run_time):
                continue
            graph, _, feed = graph_of(row, case, run_time=run_time)
            same(runs(Executable(graph, keep="all"), feed), expected, run_time)


@every_row
def test_the_reference_model_takes_run_time_operands_alike(row: OpDef, types: str) -> None:
    for case in cases_of(row, types, seeded(row, types)):
        run_time = fed(row, case)
        graph, op, feed = graph_of(row, case, run_time=run_time)
        outputs, expected = list(Executable(graph).run(feed).values()), judge(graph, feed)
        if op.results and op.results[0].type.dtype.is_float:
            for verdict in precision.check(op, [array for _, array in case.operands], outputs):
                assert verdict.compliant, verdict.message
        else:
            same(outputs, expected, run_time)


class Arrivals:
    """A graph whose operands arrive in random ways."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.graph = Graph("main")
        self.feed: list[Array] = []
        self.context = Context(custom={("test", "same"): lambda inputs, _attributes: inputs})
        self.ways: list[str] = []

    def value(self, dtype: DType, array: Array) -> Value:
        compile_time_only = dtype.name.lower() in ("shape", "i4", "i48")
        variable = {line.types["in_t"] for line in type_rows(ops.VARIABLE)}
        ways = [self._constant, self._input]
        ways += [] if dtype is DType.SHAPE else [self._folded, self._custom]
        ways += [self._variable] if dtype in variable and not compile_time_only else []
        way: Callable[[DType, Array], Value] = ways[self.rng.integers(len(ways))]
        self.ways.append(way.__name__.strip("_"))
        return way(dtype, array)

    def emit(
        self,
        opcode: str,
        operands: Sequence[Value],
        types: Sequence[TensorType],
        regions: Sequence[Graph] = (),
        /,
        **attributes: object,
    ) -> Op:
        names = [f"v{len(self.graph.ops)}_{i}" for i in range(len(types))]
        op = Op(opcode, operands, types, attributes, regions=regions, result_names=names)
        self.graph.ops.append(op)
        return op

    def _constant(self, dtype: DType, array: Array) -> Value:
        value = constant(dtype, array)
        assert value.producer is not None
        self.graph.ops.append(value.producer)
        return value

    def _input(self, dtype: DType, array: Array) -> Value:
        value = Value(TensorType(dtype, array.shape), f"in{len(self.feed)}")
        self.graph.inputs.append(value)
        self.feed.append(array)
        return value

    def _folded(self, dtype: DType, array: Array) -> Value:
        source = self._constant(dtype, array)
        return self.emit("tosa.identity", [source], [source.type]).result

    def _custom(self, dtype: DType, array: Array) -> Value:
        source = self._input(dtype, array)
        names = {"operator_name": "same", "domain_name": "test", "implementation_attrs": b""}
        return self.emit("tosa.custom", [source], [source.type], **names).result

    def _variable(self, dtype: DType, array: Array) -> Value:
        source, name = self._input(dtype, array), f"variable{len(self.feed)}"
        self.emit("tosa.variable", (), (), name=name, var_shape=array.shape, type=dtype, initial_value=None)
        self.emit("tosa.variable_write", [source], (), name=name)
        return self.emit("tosa.variable_read", (), [source.type], name=name).result

    # ** where the operator stands **

    def apply(self, row: OpDef, case: Case, operands: Sequence[Value], types: Sequence[TensorType]) -> Sequence[Value]:
        # A region has no constants from outside.
        places = 1 if any(operand.fixed for operand in row.inputs) else 3
        where = [self._main, self._branch, self._loop][self.rng.integers(places)]
        self.ways.append(where.__name__.strip("_"))
        return where(row, case, operands, types)

    def _main(self, row: OpDef, case: Case, operands: Sequence[Value], types: Sequence[TensorType]) -> Sequence[Value]:
        return self.emit(row.opcode, operands, types, **case.attributes).results

    def _region(
        self, name: str, row: OpDef, case: Case, operands: Sequence[Value], types: Sequence[TensorType]
    ) -> Graph:
        inputs = [Value(value.type, f"{name}{i}") for i, value in enumerate(operands)]
        op = Op(row.opcode, inputs, types, case.attributes)
        return Graph(name, inputs, op.results, [op])

    def _branch(
        self, row: OpDef, case: Case, operands: Sequence[Value], types: Sequence[TensorType]
    ) -> Sequence[Value]:
        branches = [self._region(f"branch{len(self.graph.ops)}_{i}", row, case, operands, types) for i in range(2)]
        condition = self.value(DType.BOOL, self.rng.random(1) < 0.5)
        return self.emit("tosa.cond_if", [condition, *operands], types, branches).results

    def _loop(self, row: OpDef, case: Case, operands: Sequence[Value], types: Sequence[TensorType]) -> Sequence[Value]:
        """Adds two rounds; the first flag tells whether there is another one, the second becomes the first."""
        flags = [self.value(DType.BOOL, np.full(1, flag)) for flag in (True, True, False)]
        zeros = [self.value(type.dtype, np.zeros(type.static, type.dtype.numpy)) for type in types]
        state = [*flags, *zeros, *operands]
        body = self._region(f"body{len(self.graph.ops)}", row, case, operands, types)
        (first, second, third), old = (
            [Value(v.type, f"{body.name}s{i}") for i, v in enumerate(x)] for x in (flags, zeros)
        )
        body.outputs = [second, third, third, *body.outputs, *body.inputs]
        body.inputs = [first, second, third, *old, *body.inputs]
        inputs = [Value(value.type, f"cond{i}") for i, value in enumerate(state)]
        condition = Graph(f"condition{len(self.graph.ops)}", inputs, inputs[:1])
        done = self.emit("tosa.while_loop", state, [value.type for value in state], [condition, body])
        return done.results[3 : 3 + len(types)]


FOLLOWED = (DType.I8, DType.I16, DType.I32, DType.I48)


def follow(rng: np.random.Generator, value: TensorType) -> Case:
    """Returns a RESCALE from any integer type to i8."""
    source, rank = value.dtype, len(value.shape)
    scale32 = source is not DType.I48 and bool(rng.integers(2))
    per_channel = rank > 0 and bool(rng.integers(2))
    count = value.static[-1] if per_channel else 1
    least = max(source.bits + 1, source.bits + (31 if scale32 else 15) - 9)
    operands = [
        (DType.I32, rng.integers(1 << 30, 1 << 31, count))
        if scale32
        else (DType.I16, rng.integers(1 << 14, 1 << 15, count)),
        (DType.I8, rng.integers(least, min(least + 4, 63), count)),
        (source, np.full(1, 3 * (source is DType.I8))),
        (DType.I8, rng.integers(-9, 9, 1)),
    ]
    rounding = "DOUBLE_ROUND" if scale32 and rng.integers(2) else "SINGLE_ROUND"
    attributes = {"scale32": scale32, "rounding_mode": rounding, "per_channel": per_channel}
    attributes |= {"input_unsigned": False, "output_unsigned": False}
    return Case([(dtype, array.astype(dtype.numpy)) for dtype, array in operands], attributes, DType.I8)


def step_by_step(row: OpDef, case: Case, then: Case | None) -> list[Array]:
    """Returns the results on constants, one operator at a time."""
    graph, op, _ = graph_of(row, case, run_time=())
    results = list(Executable(graph).run([]).values())
    if then is None:
        return results
    rescale_case = Case([(op.result.type.dtype, results[0]), *then.operands], then.attributes, then.out)
    return list(Executable(graph_of(ops.RESCALE, rescale_case, run_time=())[0]).run([]).values())


@every_row
def test_operands_may_come_from_anywhere(row: OpDef, types: str) -> None:
    rng = seeded(row, types)
    for case in cases_of(row, types, rng):
        result = infer_types(row, [constant(*operand) for operand in case.operands], case.attributes, case.out)
        then = follow(rng, result[0]) if result and result[0].dtype in FOLLOWED else None
        expected = step_by_step(row, case, then)
        for _ in range(6):
            arrivals = Arrivals(rng)
            operands = [
                (arrivals._constant if row.input(i).fixed else arrivals.value)(*operand)
                for i, operand in enumerate(case.operands)
            ]
            results = arrivals.apply(row, case, operands, result)
            if then is not None:
                inner = [results[0], *(arrivals.value(*operand) for operand in then.operands)]
                results = [
                    arrivals.emit(
                        "tosa.rescale", inner, [TensorType(DType.I8, result[0].shape)], **then.attributes
                    ).result
                ]
            arrivals.graph.outputs = list(results)
            executable = Executable(arrivals.graph, check=bool(rng.integers(2)))
            same(runs(executable, arrivals.feed, arrivals.context), expected, arrivals.ways)


MOVES = (-70, -9, -2, -1, 1, 2, 9, 70)
DYNAMIC = [(row, types) for row, types in COMBINATIONS if any(x.ctc and not x.fixed for x in row.inputs)]


@pytest.mark.parametrize(("row", "types"), DYNAMIC, ids=[f"{row.name}-{t.replace(' ', '-')}" for row, t in DYNAMIC])
def test_values_that_are_illegal_as_constants_are_judged_at_run_time(row: OpDef, types: str) -> None:
    """One element of one operand is illegal, in a graph whose shapes are those of the legal value."""
    rng = seeded(row, types)
    for case in cases_of(row, types, rng):
        run_time = fed(row, case)
        graph, op, feed = graph_of(row, case, run_time=run_time)
        moved = rng.choice([k for k, i in enumerate(run_time) if row.inputs[i].ctc])
        feed[moved] = feed[moved].copy()
        feed[moved][rng.integers(feed[moved].size)] += np.array(rng.choice(MOVES)).astype(feed[moved].dtype)
        status, expected = judged(graph, feed)
        executable = Executable(graph)
        if status == "VALID":
            with suppress(UnpredictableError):  # the reference model doesn't look at every REQUIRE
                outputs = list(executable.run(feed).values())
                if not op.results[0].type.dtype.is_float:
                    same(outputs, expected, feed[moved])
            continue
        with pytest.raises(VerifyError if status == "ERROR" else UnpredictableError) as caught:
            executable.run(feed)
        words = "ERROR_IF" if status == "ERROR" else "REQUIRE"
        assert f"{words}(" in str(caught.value)
        assert str(caught.value).startswith(row.opcode)


def negated(zero: int) -> Graph:
    """Returns NEGATE of i16 with a zero point that is known before the run, though no constant operator gives it."""
    x = Value(TensorType(DType.I16, (2,)), "x")
    point, nothing = (constant(DType.I16, np.full(1, value, np.int16)) for value in (zero, 0))
    copy = Op("tosa.identity", [point], [point.type])
    op = Op("tosa.negate", [x, copy.result, nothing], [x.type], result_names=["y"])
    return Graph("main", [x], [op.result], [some(point.producer), some(nothing.producer), copy, op])


def test_a_zero_point_known_before_the_run_counts_when_the_operator_runs() -> None:
    condition, x = Value(TensorType(DType.BOOL, (1,)), "c"), Value(TensorType(DType.I16, (2,)), "x")
    op = Op("tosa.cond_if", [condition, x], [x.type], regions=[negated(3), negated(0)], result_names=["y"])
    executable = Executable(Graph("main", [condition, x], [op.result], [op]))
    value = np.array([5, -7], np.int16)
    assert executable.run([np.array([False]), value])["y"].tolist() == [-5, 7]
    words = r"tosa.negate at y: ERROR_IF\(!is_same<in_out_t,i8_t>\(\) && input1_zp != 0\): found input1_zp = 3"
    for check in (True, False):
        with pytest.raises(VerifyError, match=words):
            Executable(negated(3), check=check).run([value])
    with pytest.raises(VerifyError, match=words):
        executable.run([np.array([True]), value])


def test_outputs_belong_to_the_caller() -> None:
    """The outputs are constants, variables, a custom operator's array, and one value under two names."""
    arrivals, table = Arrivals(np.random.default_rng(0)), np.arange(3, dtype=np.int8)
    fixed = arrivals._constant(DType.I8, table)
    names = {"operator_name": "same", "domain_name": "test", "implementation_attrs": b""}
    custom_result = arrivals.emit("tosa.custom", [fixed], [fixed.type], **names).result
    arrivals.emit("tosa.variable", (), (), name="v", var_shape=(3,), type=DType.I8, initial_value=table.copy())
    read = arrivals.emit("tosa.variable_read", (), [fixed.type], name="v").result
    copied = arrivals.emit("tosa.identity", [read], [read.type]).result
    arrivals.graph.outputs = [fixed, custom_result, read, copied]
    custom, context = np.arange(3, dtype=np.int8), arrivals.context
    context.custom["test", "same"] = lambda _inputs, _attributes: [custom]
    executable = Executable(arrivals.graph)
    for _ in range(2):
        for output in executable.run([], context=context).values():
            assert output.tolist() == [0, 1, 2]
            output[:] = 7
    arrivals.graph.outputs = [fixed, read, copied]
    arrivals.graph.ops = [op for op in arrivals.graph.ops if op.name != "tosa.custom"]
    for _ in range(2):
        for output in engine_named("executor").run(Model({"main": arrivals.graph}), {}).values():
            assert output.tolist() == [0, 1, 2]
            output[:] = 7


def test_a_custom_operator_cannot_write_to_its_inputs() -> None:
    arrivals = Arrivals(np.random.default_rng(0))
    arrivals.graph.outputs = [arrivals._custom(DType.I8, np.zeros(2, np.int8))]

    def fill(inputs: Sequence[Array], _attributes: bytes) -> Sequence[Array]:
        inputs[0].fill(1)
        return inputs

    arrivals.context.custom["test", "same"] = fill
    with pytest.raises(ValueError, match="read-only"):
        Executable(arrivals.graph).run(arrivals.feed, context=arrivals.context)
