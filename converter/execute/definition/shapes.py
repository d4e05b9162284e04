"""Shape operators of EXT-SHAPE (TOSA 1.1), on shapes as int64 arrays."""

import numpy as np

from tosa_converter.execute.definition.base import Call, require
from tosa_converter.ir import Array
from tosa_converter.rules.shapes.shape_operators import compute_elements, find_violation, shapes_agree


def dim(call: Call, x: Array) -> Array:
    """Computes DIM: the size of the operand along `axis`, as a shape of one element."""
    return np.array([x.shape[call["axis"]]], np.int64)


def elementwise(call: Call, *operands: Array) -> Array:
    """Computes an operator of EXT-SHAPE from one shape, or from two of equal length; REQUIREs are always checked."""
    row, lists = call.op.row, [operand.tolist() for operand in operands]
    for elements in zip(*lists, strict=True):
        condition = find_violation(row, *elements)
        require(call.op, condition, not condition)
    return np.array(compute_elements(row, *lists), np.int64)


def concat_shape(_call: Call, *operands: Array) -> Array:
    """Computes CONCAT_SHAPE: the elements of all operands, in order."""
    return np.concatenate(operands)


def slice_shape(call: Call, x: Array, start: Array, size: Array) -> Array:
    """Computes SLICE_SHAPE: `size` elements from position `start` on."""
    begin, count = int(start[0]), int(size[0])
    require(call.op, "start_value >= 0 && start_value + size_value <= length(input)", 0 <= begin <= x.size - count)
    return x[begin : begin + count]


def assert_equal_shape(call: Call, first: Array, second: Array) -> tuple[Array, ...]:
    """Computes ASSERT_EQUAL_SHAPE, which has no result: shapes that don't agree are always an error."""
    agree = shapes_agree(first.tolist(), second.tolist(), call["allow_broadcast"])
    require(call.op, "input1 and input2 agree", agree)
    return ()
