"""Chains over one element run on Python's integers and equal the reference model and the single kernels."""

from typing import Any

import numpy as np
import pytest
from support.kernel_cases import judge
from support.sketch import Sketch

from tosa_converter.dtypes import DType
from tosa_converter.execute.plan import Executable
from tosa_converter.ir import Array, Graph, Value
from tosa_converter.schemas import tosa_ops as ops

EXTREMES = [-(2**31), 2**31 - 1, -1, 0, 1, 31, 32, 46341, -46341, 1 << 30, -(1 << 30), 1515870810]


def chain(shape: tuple[int, ...], shift: int) -> Graph:
    """Returns a chain with every scalar operator, each of which reads earlier values."""
    s = Sketch(x=(DType.I32, shape), y=(DType.I32, shape))
    x, y = s.graph.inputs

    def emit(row: ops.OpDef, a: Value, b: Value) -> Value:
        attributes: dict[str, Any] = {"nan_mode": "PROPAGATE"} if row in (ops.MAXIMUM, ops.MINIMUM) else {}
        return s.builder.emit(row, a, b, *[s.const([shift], DType.I8)] * (row is ops.MUL), **attributes)

    product = emit(ops.MUL, x, y)
    total = emit(ops.ADD, product, emit(ops.SUB, y, x))
    least = emit(ops.MINIMUM, total, emit(ops.MUL, x, total))
    moved = emit(ops.LOGICAL_LEFT_SHIFT, least, s.const(np.full(shape, 3), DType.I32))
    return s.done(emit(ops.MAXIMUM, emit(ops.SUB, moved, product), emit(ops.ADD, least, y)))


@pytest.mark.parametrize("shape", [(), (1,), (1, 1)])
@pytest.mark.parametrize("shift", [0, 1, 31, 62])
def test_integers_wrap_around_as_in_the_kernels(shape: tuple[int, ...], shift: int) -> None:
    graph = chain(shape, shift)
    executable, single = Executable(graph, check=False), Executable(graph, check=False, keep="all")
    assert len(executable._steps) == 1
    assert executable._steps[0].function.__module__ == "tosa_converter.execute.scalars"
    for a in EXTREMES:
        for b in EXTREMES:
            inputs = [np.full(shape, value, np.int32) for value in (a, b)]
            output = executable.run(inputs)["out0"]
            assert (output.shape, output.dtype) == (shape, np.dtype(np.int32))
            assert output == single.run(inputs)["out0"]


@pytest.mark.parametrize("shift", [0, 1, 30, 31, 32, 61, 62, 63])
def test_products_at_every_shift_equal_the_kernels(shift: int) -> None:
    """With a shift of 63, (-2**31)**2 plus half is 2**63: arrays wrap around, which Python's integers don't."""
    s = Sketch(x=(DType.I32, (1,)), y=(DType.I32, (1,)))
    x, y = s.graph.inputs
    product = s.builder.emit(ops.MUL, x, y, s.const([shift], DType.I8))
    values = [product]
    for operand in (x, y, x):
        values.append(s.builder.emit(ops.SUB, operand, values[-1]))
    graph = s.done(values[-1])
    chained, single = Executable(graph, check=False), Executable(graph, check=False, keep=values)
    assert (len(chained._steps), len(single._steps)) == (1, 4)
    for a in EXTREMES:
        for b in EXTREMES:
            inputs = [np.array([number], np.int32) for number in (a, b)]
            assert chained.run(inputs)["out0"] == single.run(inputs)["out0"], (a, b)


@pytest.mark.parametrize("values", [(1000, 7), (-200, 123), (3, -2)])
def test_chains_equal_the_reference_model(values: tuple[int, int]) -> None:
    graph = chain((1, 1), 4)
    inputs = [np.full((1, 1), value, np.int32) for value in values]
    (expected,) = judge(graph, inputs)
    np.testing.assert_array_equal(Executable(graph, check=False).run(inputs)["out0"], expected)


SHIFTS = (-1, 0, 1, 7, 31, 32, 40)  # outside of 0 to 31 the result is undefined: here it is 0


def test_a_shift_as_far_as_the_bits_leaves_nothing() -> None:
    s = Sketch(x=(DType.I32, (1,)), y=(DType.I32, (1,)))
    value, by = s.graph.inputs
    for _ in range(4):
        value = s.builder.emit(ops.LOGICAL_LEFT_SHIFT, value, by)
    executable = Executable(s.done(value), check=False)
    shifted = [executable.run([np.array([-1], np.int32), np.array([n], np.int32)])["out0"][0] for n in SHIFTS]
    assert shifted == [0, -1, -16, -(1 << 28), 0, 0, 0]


@pytest.mark.parametrize("shift", [1, 2, 5])
def test_a_run_time_shift_equals_the_definition(shift: int) -> None:
    """The expected value is (a * b + half) >> shift, four times."""
    s = Sketch(x=(DType.I32, (1,)), y=(DType.I32, (1,)), shift=(DType.I8, (1,)))
    value, y, by = s.graph.inputs
    for _ in range(4):
        value = s.builder.emit(ops.MUL, value, y, by)
    result = 1001
    for _ in range(4):
        result = (result * 7 + (1 << shift - 1)) >> shift
    inputs: list[Array] = [np.array([1001], np.int32), np.array([7], np.int32), np.array([shift], np.int8)]
    assert Executable(s.done(value), check=False).run(inputs)["out0"].tolist() == [result]
