"""Estimates of a run's time and memory equal numbers computed by hand."""

import math
from typing import Any

import numpy as np
import pytest
from support.expressions import apply

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError, UsageError
from tosa_converter.execute import limits
from tosa_converter.execute.limits import (
    MAX_NESTING,
    SECONDS,
    peak_bytes,
    require_nesting,
    require_room,
    require_time,
    seconds,
)
from tosa_converter.execute.plan import Executable
from tosa_converter.ir import Graph, Op, TensorType, Value
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.operators import avg_pool2d, conv2d, matmul, transpose_conv2d
from tosa_converter.schemas import tosa_ops as ops


def estimate(name: str, n: int) -> float:
    """Returns the seconds of one operator on `n` images, without those of a call."""
    size, depth, kernel = 32, 4, 3
    shapes = {"fft2d": (n, size, size), "rfft2d": (n, size, size), "matmul": (n, size, depth)}
    x = Value(TensorType(DType.FP32, shapes.get(name, (n, size, size, depth))), "x")
    build = Builder(Graph("main", [x]))
    weight, bias = build.const([[[[1.0]]]], DType.FP32), build.const([0.0], DType.FP32)
    spans: dict[str, Any] = {"pad": (0, 0, 0, 0), "stride": (1, 1)}
    if name == "conv2d":
        weight = build.const([[[[0.5] * depth] * kernel] * kernel] * 4, DType.FP32)
        y = apply(build, conv2d, x, weight, bias, **spans)
    elif name == "depthwise_conv2d":
        weight = build.const([[[[0.5]] * depth] * kernel] * kernel, DType.FP32)
        y = apply(build, conv2d, x, weight, bias, **spans, depthwise=True)
    elif name == "transpose_conv2d":
        weight = build.const([[[[0.5] * depth] * kernel] * kernel] * 4, DType.FP32)
        y = apply(build, transpose_conv2d, x, weight, bias, out_pad=(0, 0, 0, 0), stride=(1, 1))
    elif name == "avg_pool2d":
        y = apply(build, avg_pool2d, x, kernel=(kernel, kernel), **spans)
    elif name == "matmul":
        right = Value(TensorType(DType.FP32, (n, depth, size)), "right")
        build.graph.inputs.append(right)
        y = apply(build, matmul, x, right)
    elif name in ("rfft2d", "fft2d"):
        row, columns = (ops.FFT2D, size) if name == "fft2d" else (ops.RFFT2D, size // 2 + 1)
        result = TensorType(DType.FP32, (n, size, columns))
        op = Op(row, [x] * (2 if name == "fft2d" else 1), [result] * 2, {"inverse": False, "local_bound": False})
        build.graph.ops.append(op)
        y = op.results[0]
    else:
        y = build.add(x, x)
    graph = build.model(y=y).main
    return sum(cost for op, cost in seconds(graph).items() if op.name == f"tosa.{name}") - CALL


CALL = 1e-5
NAMES = ("add", "avg_pool2d", "conv2d", "depthwise_conv2d", "fft2d", "matmul", "rfft2d", "transpose_conv2d")


@pytest.mark.parametrize("name", NAMES)
def test_twice_the_images_take_twice_the_time(name: str) -> None:
    once, more = estimate(name, 3), estimate(name, 6)
    constants = 2 * once - more  # operands that don't grow
    assert -1e-12 <= constants <= 1e-6
    assert once > 2 * constants


@pytest.mark.parametrize("row", [row for row in ops.OPERATORS if row.elementwise == 1 and len(row.inputs) == 1])
def test_operators_of_one_operand_cost_the_same_but_for_erf(row: ops.OpDef) -> None:
    """Each element read or written counts 4 ns; ERF calls the standard library, 100 ns an element."""
    x = Value(TensorType(DType.FP32, (30, 1000)), "x")
    op = Op(row, [x], [x.type])
    (cost,) = seconds(Graph("main", [x], [op.result], [op])).values()
    assert cost == pytest.approx(CALL + 30_000 * (2 * 4e-9 + (1e-7 if row is ops.ERF else 0)))


@pytest.mark.parametrize("limit", [0.0, 1.0, 10.0, math.inf])
def test_a_run_at_the_limit_is_allowed(limit: float) -> None:
    require_time("it", limit, limit)
    require_time("it", 0.0, limit)
    if limit < math.inf:
        with pytest.raises(UsageError, match=f"the limit of {limit:g} s"):
            require_time("it", math.nextafter(limit, math.inf), limit)


def value(*shape: int, dtype: DType = DType.FP32) -> Value:
    return Value(TensorType(dtype, shape), "x")


def cost(row: ops.OpDef, operands: list[Value], *results: tuple[int, ...], **attributes: Any) -> float:
    """Returns the estimate for an operator whose operands are a graph's inputs."""
    op = Op(row, operands, [TensorType(DType.FP32, shape) for shape in results], attributes)
    (op_seconds,) = seconds(Graph("main", operands, list(op.results), [op])).values()
    return op_seconds


WINDOW = {"pad": (0, 0, 0, 0), "stride": (1, 1), "kernel": (2, 5)}


@pytest.mark.parametrize(
    ("row", "shapes", "result", "work", "attributes"),
    [
        # Windows times their positions: 0.4 ns for gathering an element, 0.05 ns for each product with a channel.
        (
            ops.CONV2D,
            [(2, 6, 7, 3), (11, 2, 4, 3), (11,)],
            (2, 5, 4, 11),
            2 * 5 * 4 * 2 * 4 * 3 * (4e-10 + 5.5e-10),
            {},
        ),
        (
            ops.CONV3D,
            [(2, 4, 6, 7, 3), (11, 2, 3, 4, 3), (11,)],
            (2, 3, 4, 4, 11),
            2 * 3 * 4 * 4 * 2 * 3 * 4 * 3 * (4e-10 + 5.5e-10),
            {},
        ),
        (
            ops.TRANSPOSE_CONV2D,
            [(2, 6, 7, 3), (11, 2, 4, 3), (11,)],
            (2, 7, 10, 11),
            2 * 6 * 7 * 2 * 4 * 3 * (4e-10 + 5.5e-10),
            {},
        ),
        (ops.DEPTHWISE_CONV2D, [(2, 6, 7, 3), (2, 4, 3, 5), (15,)], (2, 5, 4, 15), 600 * 2 * 4 * 4e-10, {}),
        (ops.MATMUL, [(2, 6, 7), (2, 7, 3)], (2, 6, 3), 36 * 7 * 2 * 5e-11, {}),
        (ops.ERF, [(2, 3, 5)], (2, 3, 5), 30 * 1e-7, {}),
        (ops.AVG_POOL2D, [(2, 6, 7, 3)], (2, 5, 3, 3), 90 * 7 * 4e-9, WINDOW),
        (ops.MAX_POOL2D, [(2, 6, 7, 3)], (2, 5, 3, 3), 90 * 7 * 4e-9, WINDOW),
        (ops.RFFT2D, [(2, 4, 8)], (2, 4, 5), 2 * 40 * (4 + 8) * 4e-10, {}),
        (ops.FFT2D, [(2, 4, 8), (2, 4, 8)], (2, 4, 8), 2 * 64 * (4 + 8) * 4e-10, {}),
        (ops.ADD, [(2, 3), (1, 3)], (2, 3), 0.0, {}),
        (ops.CONCAT, [(2, 3), (1, 3), (5, 3)], (8, 3), 0.0, {"axis": 0}),
    ],
    ids=lambda item: item.name if isinstance(item, ops.OpDef) else "",
)
def test_seconds_of_an_operator_equal_the_estimate(
    row: ops.OpDef, shapes: list[tuple[int, ...]], result: tuple[int, ...], work: float, attributes: dict[str, Any]
) -> None:
    """The estimate is the computation, 4 ns for each element read or written, and 10 us for the call."""
    results = [result] * (2 if row in (ops.RFFT2D, ops.FFT2D) else 1)
    moved = sum(math.prod(shape) for shape in (*shapes, *results))
    assert cost(row, [value(*shape) for shape in shapes], *results, **attributes) == pytest.approx(
        1e-5 + moved * 4e-9 + work, rel=1e-9
    )


def chain() -> Graph:
    """Returns 100 bytes of input, 400 of its double, 400 of a sum with a constant, and 4 times 25 bytes of the rest."""
    x, weight = value(25), Op("tosa.const", (), [TensorType(DType.FP32, (25,))], {})
    folded = Op(ops.ABS, [weight.result], [TensorType(DType.FP32, (25,))])
    double = Op(ops.CONCAT, [x, x, x, x], [TensorType(DType.FP32, (100,))], {"axis": 0})
    total = Op(ops.ADD, [double.result, folded.result], [TensorType(DType.FP32, (100,))])
    narrow = Op(ops.CAST, [total.result], [TensorType(DType.I8, (100,))])
    return Graph("main", [x], [narrow.result], [weight, folded, double, total, narrow])


@pytest.mark.parametrize(
    ("precise", "keep_all", "peak"),
    [
        (False, False, 100 + 100 + 400 + 400),  # the input and folded values stay, as they may be read again
        (False, True, 100 + 100 + 400 + 400 + 100),
        (True, False, 200 + 200 + 800 + 800),
        (True, True, 200 + 200 + 800 + 800 + 100),
    ],
)
def test_peak_memory_counts_values_that_are_alive(precise: bool, keep_all: bool, peak: int) -> None:
    assert peak_bytes(chain(), precise=precise, keep_all=keep_all) == peak


def test_bytes_of_control_flow_are_those_of_its_larger_graph() -> None:
    inner = value(1000)
    large = Op(ops.CONCAT, [inner, inner], [TensorType(DType.FP32, (2000,))], {"axis": 0})
    regions = [Graph("then", [inner], [large.result], [large]), Graph("else", [], [])]
    x = value(10)
    branch = Op(ops.COND_IF, [x], [TensorType(DType.FP32, (5,))], regions=regions)
    graph = Graph("main", [x], [branch.result], [branch])
    assert peak_bytes(graph) == 4 * (10 + 5 + 1000 + 2000)
    assert limits._most_bytes(graph) == 8 * (10 + 5 + 1000 + 2000)


def test_small_graphs_are_admitted_by_their_element_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each element counts as 8 bytes: 25 of the input, and 25, 100, 100 and 100 computed ones."""
    asked: list[tuple[str, int]] = []
    monkeypatch.setattr(limits, "require_memory", lambda subject, count: asked.append((subject, count)))
    for small, keep_all in ((8 * 350, False), (8 * 350 - 1, False), (0, True)):
        monkeypatch.setattr(limits, "SMALL", small)
        require_room(chain(), keep_all=keep_all)
    assert asked == [("graph 'main'", 1000), ("graph 'main'", 1100)]


def test_control_flow_nests_64_levels_deep() -> None:
    assert (MAX_NESTING, SECONDS) == (64, 10.0)
    graph = Graph("last")
    for _ in range(64):
        graph = Graph("g", [], [], [Op(ops.COND_IF, (), [], regions=[graph])])
    require_nesting(graph)
    with pytest.raises(UnsupportedError, match="expected control flow of at most 64 levels, graph 'last' is at level"):
        require_nesting(Graph("main", [], [], [Op(ops.COND_IF, (), [], regions=[graph])]))


def test_a_refusal_states_the_estimated_time() -> None:
    message = r"^the graph takes an estimated 12\.35 s, more than the limit of 10 s\nnext: a larger --limit allows it$"
    with pytest.raises(UsageError, match=message):
        require_time("the graph", 12.3456, 10.0)


def test_a_loop_over_empty_graphs_meets_its_limit() -> None:
    """Its condition is an input that stays true, and neither graph has an operator that takes time."""
    x = Value(TensorType(DType.BOOL, (1,)), "x")
    regions = []
    for name in ("condition", "body"):
        argument = Value(x.type, "argument")
        regions.append(Graph(name, [argument], [argument]))
    op = Op(ops.WHILE_LOOP, [x], [x.type], regions=regions)
    with pytest.raises(UsageError, match=r"more than the limit of 0\.01 s"):
        Executable(Graph("main", [x], [op.result], [op]), limit=0.01).run([np.array([True])])
