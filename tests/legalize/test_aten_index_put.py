"""aten.index_put, x[i, :, j] = values, against numpy, which also keeps the last of several values for one place."""

from collections.abc import Sequence

import numpy as np
import pytest

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.errors import UnsupportedError
from tosa_converter.ir import Array, Graph, Model, Op, TensorType, Value
from tosa_converter.proof.indices import index_limits

SHAPE = (3, 4, 5)
# Indices by dimension, None for a whole one, and the shape of the values.
CASES: dict[str, tuple[tuple[Sequence[int] | None, ...], tuple[int, ...]]] = {
    "one row": (([1],), (1, 4, 5)),
    "rows": (([2, 0],), (2, 4, 5)),
    "one row twice": (([1, 1, 0],), (3, 4, 5)),
    "broadcast values": (([2, 0],), (5,)),
    "from the end": ((None, [-1, 1]), (3, 2, 5)),
    "neighbours": ((None, [3, 0, 3], [1, -2, 1]), (3, 3)),
    "apart": (([0, 2], None, [4, 1]), (2, 4)),
    "all": (([0, 2], [1, 1], [4, 0]), (2,)),
}


def model(
    indices: Sequence[Sequence[int] | None],
    values: Array,
    dtype: DType = DType.FP32,
    *,
    constant: bool,
    accumulate: bool = False,
) -> Model:
    """Returns a graph that writes `values` over x; indices are constants or inputs."""
    x, update = Value(TensorType(dtype, SHAPE), "x"), Value(TensorType(dtype, values.shape), "values")
    operands: list[Value | None] = []
    constants, inputs = [], [x, update]
    for i, numbers in enumerate(indices):
        if numbers is None:
            operands.append(None)
            continue
        type = TensorType(DType.I64, (len(numbers),))
        if constant:
            constants.append(Op("xnn.const", (), [type], {"values": np.array(numbers, np.int64)}))
            operands.append(constants[-1].result)
        else:
            inputs.append(Value(type, f"i{i}"))
            operands.append(inputs[-1])
    op = Op("aten.index_put.out", [x, *operands, update], [x.type], {"accumulate": accumulate}, result_names=["y"])
    return Model({"forward": Graph("forward", inputs, [op.result], [*constants, op])}, opset="xnn")


@pytest.mark.parametrize("dtype", [DType.FP32, DType.I32, DType.BOOL])
@pytest.mark.parametrize("constant", [True, False])
@pytest.mark.parametrize("name", CASES)
def test_values_are_written_as_numpy_writes_them(name: str, constant: bool, dtype: DType) -> None:
    indices, shape = CASES[name]
    rng = np.random.default_rng(29)
    x, values = (rng.integers(0, 2 if dtype is DType.BOOL else 99, size).astype(dtype.numpy) for size in (SHAPE, shape))
    feed = {f"i{i}": np.array(row, np.int32) for i, row in enumerate(indices) if row is not None and not constant}
    (actual,) = tc.run(
        tc.convert(model(indices, values, dtype, constant=constant)), {"x": x, "values": values, **feed}
    ).values()
    expected = x.copy()
    expected[tuple(slice(None) if row is None else np.array(row) for row in indices)] = values
    assert np.array_equal(actual, expected)


@pytest.mark.parametrize(
    ("indices", "shape", "message"),
    [
        (([3],), (1, 4, 5), "expected indices"),
        (([0],), (7, 4, 5), "broadcast"),
        (([0, 1], [0, 1, 2]), (5,), "expected shapes that broadcast"),
        ((None,), (3, 4, 5), "expected 1 to 3 tensors of indices, found 1"),
    ],
)
def test_what_cant_be_written_is_refused(
    indices: tuple[Sequence[int] | None, ...], shape: tuple[int, ...], message: str
) -> None:
    with pytest.raises(UnsupportedError, match=message):
        tc.convert(model(indices, np.zeros(shape, np.float32), constant=True))


def test_sums_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="expected values that replace elements, found a sum"):
        tc.convert(model(([1],), np.zeros((1, 4, 5), np.float32), constant=True, accumulate=True))


def test_random_indices_are_in_range() -> None:
    source = model((None, [0], [0]), np.zeros((3, 1), np.float32), constant=False)
    assert index_limits(source) == {"i1": (0, 3), "i2": (0, 4)}
