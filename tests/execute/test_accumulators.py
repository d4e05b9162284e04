"""Sums reach the largest value of an accumulator; one more violates REQUIRE."""

import numpy as np
import pytest
from support.expressions import apply

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnpredictableError
from tosa_converter.execute.plan import Executable
from tosa_converter.ir import Graph, TensorType, Value
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.operators import conv2d, conv3d, transpose_conv2d

SUMS = {DType.I8: DType.I32, DType.I16: DType.I48}
ROWS = ("conv2d", "depthwise_conv2d", "transpose_conv2d", "conv3d")


def graph(name: str, dtype: DType, bias: int) -> Graph:
    """Returns a convolution with a single weight of 1."""
    x = Value(TensorType(dtype, (1, 1, 2, 2, 1) if name == "conv3d" else (1, 2, 2, 1)), "x")
    build = Builder(Graph("main", [x]))
    added = build.const([bias], SUMS[dtype])
    weight = build.const(np.ones((1, 1, 1, 1, 1) if name == "conv3d" else (1, 1, 1, 1)), DType.I8)
    if name == "conv3d":
        y = apply(build, conv3d, x, weight, added, pad=(0,) * 6, stride=(1, 1, 1), dilation=(1, 1, 1))
    elif name == "transpose_conv2d":
        y = apply(build, transpose_conv2d, x, weight, added, out_pad=(0, 0, 0, 0), stride=(1, 1))
    else:
        y = apply(build, conv2d, x, weight, added, pad=(0, 0, 0, 0), depthwise=name == "depthwise_conv2d")
    return build.model(y=y).main


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("dtype", SUMS)
@pytest.mark.parametrize("name", ROWS)
def test_the_last_sum_is_held_and_the_next_is_refused(name: str, dtype: DType, fast: bool) -> None:
    low, high = SUMS[dtype].limits
    for limit, sign in ((low, -1), (high, 1)):
        run = Executable(graph(name, dtype, limit - 5 * sign), fast=fast).run
        shape = (1, 1, 2, 2, 1) if name == "conv3d" else (1, 2, 2, 1)
        x = np.array([0, 3, 4, 5]).reshape(shape) * sign
        (y,) = run({"x": x.astype(dtype.numpy)}).values()
        assert y.reshape(-1).tolist() == [limit - 5 * sign, limit - 2 * sign, limit - sign, limit]
        x.reshape(-1)[1] = 6 * sign
        with pytest.raises(UnpredictableError, match="apply_add_s"):
            run({"x": x.astype(dtype.numpy)})
