"""Operators that compute the same are merged."""

from typing import Any

import numpy as np
import pytest

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Graph, Op, TensorType, Value
from tosa_converter.rewriting.builder import SHARED_CONSTANT
from tosa_converter.rewriting.passes.common_subexpressions import find_repeats
from tosa_converter.schemas import tosa_ops as ops

F32, I32 = DType.FP32, DType.I32


def constant(values: Any, dtype: DType) -> Op:
    array = np.array(values, dtype.numpy)
    return Op(ops.CONST, (), [TensorType(dtype, array.shape)], {"values": array})


def most(last: int) -> Array:
    """Returns an array of the largest size whose elements are compared, ending with `last`."""
    return np.append(np.zeros(SHARED_CONSTANT // 4 - 1, np.int32), last)


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        (constant([1.0], F32), constant([1.0], F32), True),
        (constant([1.0], F32), constant([2.0], F32), False),
        (constant([0.0], F32), constant([-0.0], F32), False),
        (constant([np.nan], F32), constant([np.nan], F32), True),
        (constant([1], I32), constant([[1]], I32), False),
        (constant([1], I32), constant(np.array([1], np.int32).view(np.float32), F32), False),
        (constant(most(0), I32), constant(most(0), I32), True),
        (constant(most(0), I32), constant(most(1), I32), False),
        (constant([*most(0), 0], I32), constant([*most(0), 0], I32), False),  # arrays of this size are not compared
    ],
)
def test_constants_of_the_same_bits_and_type_are_the_same_operand(first: Op, second: Op, same: bool) -> None:
    """Each constant is an operator of its own."""
    x = Value(TensorType(first.result.type.dtype, (1,)), "x")
    sums = [Op(ops.ADD, [x, op.result], [first.result.type]) for op in (first, second)]
    graph = Graph("main", [x], [op.result for op in sums], [first, second, *sums])
    assert find_repeats(graph) == ({sums[1].result: sums[0].result} if same else {})
