"""Estimates of a run's time."""

import math
from typing import Any

import pytest
from support.expressions import apply

from tosa_converter.dtypes import DType
from tosa_converter.errors import UsageError
from tosa_converter.execute.limits import require_time, seconds
from tosa_converter.ir import Graph, Op, TensorType, Value
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.operators import avg_pool2d, conv2d, matmul, transpose_conv2d
from tosa_converter.schemas import tosa_ops as ops


def estimate(name: str, n: int) -> float:
    """Seconds of one operator on `n` images, but for a call's own."""
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
    """By hand: 4 ns for each element that is read or written; ERF calls the standard library, 100 ns an element."""
    x = Value(TensorType(DType.FP32, (30, 1000)), "x")
    op = Op(row, [x], [x.type])
    (cost,) = seconds(Graph("main", [x], [op.result], [op])).values()
    assert cost == pytest.approx(CALL + 30_000 * (2 * 4e-9 + (1e-7 if row is ops.ERF else 0)))


@pytest.mark.parametrize("limit", [0.0, 1.0, 10.0, math.inf])
def test_the_limit_itself_is_allowed(limit: float) -> None:
    require_time("it", limit, limit)
    require_time("it", 0.0, limit)
    if limit < math.inf:
        with pytest.raises(UsageError, match=f"the limit is {limit:g} s"):
            require_time("it", math.nextafter(limit, math.inf), limit)
