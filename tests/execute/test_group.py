"""Groups whose members became lookups equal the reference model and the single operators."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.kernel_cases import judge
from support.sketch import Sketch

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnpredictableError
from tosa_converter.execute.plan import Executable, run
from tosa_converter.ir import Array, Graph, Value
from tosa_converter.schemas import tosa_ops as ops

BYTES = np.arange(256, dtype=np.uint8).view(np.int8).reshape(1, 16, 4, 4)


def scaled(s: Sketch, x: Value) -> Value:
    """Converts to i32 and back."""
    wide = s.rescale(x, DType.I32, 24)
    doubled = s.builder.emit(ops.MUL, wide, s.const(np.full((1, 1, 1, 1), 3), DType.I32), s.const([1], DType.I8))
    return s.rescale(doubled, DType.I8, 36)


def squared(s: Sketch, x: Value) -> Value:
    """Multiplies two chains from one source."""
    wide = s.builder.emit(ops.CAST, x, dtype=DType.I32)
    other = s.builder.emit(ops.ARITHMETIC_RIGHT_SHIFT, wide, s.const([[[[1]]]], DType.I32), round=True)
    return s.builder.emit(ops.MUL, wide, other, s.const([0], DType.I8))


def chosen(s: Sketch, x: Value) -> Value:
    """Selects by a bool, with a table."""
    positive = s.builder.emit(ops.GREATER, s.builder.emit(ops.CAST, x, dtype=DType.I32), s.const([[[[0]]]], DType.I32))
    looked_up = s.builder.emit(ops.TABLE, x, s.const(s.rng.integers(-128, 128, 256), DType.I8))
    return s.builder.emit(ops.SELECT, positive, looked_up, x)


def residual(s: Sketch, x: Value) -> Value:
    """Adds two sources: a byte that the group computes itself, and the result of another operator."""
    other = s.builder.emit(ops.REVERSE, x, axis=1)
    total = s.builder.emit(ops.ADD, s.rescale(scaled(s, x), DType.I32, 20), s.rescale(other, DType.I32, 20))
    return s.rescale(total, DType.I8, 42)


def per_channel(s: Sketch, x: Value) -> Value:
    """Rescales per channel, which isn't a function of the byte alone."""
    return s.rescale(s.builder.emit(ops.CAST, x, dtype=DType.I32), DType.I8, 31, 4)


@pytest.mark.parametrize("make", [scaled, squared, chosen, residual, per_channel])
def test_lookups_equal_the_reference_model(make: Callable[[Sketch, Value], Value]) -> None:
    s = Sketch(x=(DType.I8, BYTES.shape))
    graph = s.done(make(s, s.graph.inputs[0]))
    for inputs in ([BYTES], [BYTES[:, ::-1].transpose(0, 1, 3, 2)]):
        (output,), (expected,) = run(graph, inputs).values(), judge(graph, inputs)
        assert output.dtype == expected.dtype
        np.testing.assert_array_equal(output, expected)


I32_ROWS: dict[ops.OpDef, dict[str, Any]] = {
    ops.ADD: {},
    ops.SUB: {},
    ops.ARITHMETIC_RIGHT_SHIFT: {"round": True},
    ops.LOGICAL_LEFT_SHIFT: {},
    ops.LOGICAL_RIGHT_SHIFT: {},
    ops.INTDIV: {},
    ops.BITWISE_AND: {},
    ops.MAXIMUM: {"nan_mode": "PROPAGATE"},
    ops.GREATER: {},
}


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("row", I32_ROWS)
def test_constants_of_one_element_do_not_need_its_rank(row: ops.OpDef, first: bool) -> None:
    s = Sketch(x=(DType.I32, (2, 3, 4)))
    x, three = s.graph.inputs[0], s.const(np.full((1, 1, 1), 3), DType.I32)
    value = s.builder.emit(row, *((three, x) if first else (x, three)), **I32_ROWS[row])
    if row is not ops.GREATER:
        value = s.builder.emit(ops.MUL, value, value, s.const([1], DType.I8))
    graph = s.done(s.builder.emit(ops.SELECT, value, x, three) if row is ops.GREATER else value)
    inputs = [(np.arange(24, dtype=np.int32) % 12 + 1).reshape(2, 3, 4)]
    (expected,) = judge(graph, inputs)
    for check in (False, True):
        (output,) = run(graph, inputs, check=check).values()
        assert output.dtype == expected.dtype
        np.testing.assert_array_equal(output, expected)


def members(graph: Graph, *, check: bool = True) -> int:
    """Returns how many functions the last step runs."""
    return len(Executable(graph, check=check)._steps[-1].function.__self__.members)


def test_chains_shrink_to_lookups() -> None:
    s = Sketch(x=(DType.I8, (1, 300, 40, 4)))
    assert members(s.done(residual(s, s.graph.inputs[0]))) == 4
    s = Sketch(x=(DType.I8, (1, 300, 40, 4)))
    assert members(s.done(per_channel(s, s.graph.inputs[0]))) == 2


def overflowing() -> Graph:
    """Returns a graph whose sum overflows for -128 only."""
    s = Sketch(x=(DType.I8, (4,)))
    wide = s.builder.emit(ops.CAST, s.graph.inputs[0], dtype=DType.I32)
    return s.done(s.builder.emit(ops.ADD, wide, s.const([-(2**31) + 127], DType.I32)))


def test_a_lookup_does_not_hide_a_violation() -> None:
    graph = overflowing()
    executable = Executable(graph)
    assert executable.run([np.array([-127, 0, 1, 127], np.int8)])["out0"][0] == -(2**31)
    with pytest.raises(UnpredictableError, match="apply_add_s"):
        executable.run([np.array([0, 0, -128, 0], np.int8)])


@pytest.mark.parametrize("shape", [(), (1,), (2, 3)])
def test_lookups_of_any_rank_are_arrays(shape: tuple[int, ...]) -> None:
    s = Sketch(x=(DType.I8, shape))
    wide = s.builder.emit(ops.ABS, s.builder.emit(ops.CAST, s.graph.inputs[0], dtype=DType.I32))
    graph = s.done(s.builder.emit(ops.CAST, wide, dtype=DType.FP32))
    output: Array = run(graph, [np.full(shape, -128, np.int8)])["out0"]
    assert isinstance(output, np.ndarray)
    assert (output.shape, output.dtype, output.reshape(-1)[0]) == (shape, np.dtype(np.float32), 128)
