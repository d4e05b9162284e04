"""STRIDED_SLICE whose begin or end only the run knows: every mask, by numpy. The file states the result's shape."""

from itertools import product

import numpy as np
import pytest
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.schemas.tflite import BuiltinOperator as B

X = np.arange(20, dtype=np.float32).reshape(4, 5)
FORWARD, BACKWARD = ((1, 3), (-4, -1)), ((3, 1), (-1, -4))


def ints(values: list[int], *, constant: bool) -> Tensor:
    return Tensor((len(values),), "int32", np.array(values, np.int32) if constant else None)


@pytest.mark.parametrize("stride", [-7, -6, -4, -3, -2, -1, 1, 2, 3, 4, 6, 7])
@pytest.mark.parametrize("size", range(1, 9))
def test_a_result_is_as_long_as_the_stride_reaches(size: int, stride: int) -> None:
    """Of 7 elements; the last one has to be among them."""
    x, begin = np.arange(7, dtype=np.float32), 0 if stride > 0 else 6
    operands = [Tensor((7,)), ints([begin], constant=False), ints([0], constant=True)]
    operands += [ints([stride], constant=True), Tensor((size,))]
    data = build(operands, [Operator(B.STRIDED_SLICE, range(4), (4,), {"end_mask": 1})], (0, 1), (4,))
    if (size - 1) * abs(stride) > 6:
        words = f"expected a result size that stride {stride} reaches within 7 elements along axis 0, found {size}"
        with pytest.raises(tc.UnsupportedError, match=words):
            tc.convert(data)
        return
    model = tc.convert(data)
    for first in (begin, 3, -2):  # one from which the last would lie outside moves as far as needed
        (result,) = tc.run(model, {"t0": x, "t1": np.array([first], np.int32)}).values()
        span = (size - 1) * abs(stride)
        start = min(first % 7, 6 - span) if stride > 0 else max(first % 7, span)
        np.testing.assert_array_equal(result, x[start + stride * np.arange(size)])


@pytest.mark.parametrize("masks", [(0, 2), (2, 0), (2, 2)])
@pytest.mark.parametrize("columns", [4, 5])
def test_a_dimension_that_is_taken_whole_has_its_own_size(columns: int, masks: tuple[int, int]) -> None:
    operands = [Tensor(X.shape), ints([1, 0], constant=False), ints([2, 5], constant=True)]
    operands += [ints([1, 1], constant=True), Tensor((1, columns))]
    options = {"begin_mask": masks[0], "end_mask": masks[1]}
    data = build(operands, [Operator(B.STRIDED_SLICE, range(4), (4,), options)], (0, 1), (4,))
    if masks == (2, 2) and columns == 4:
        with pytest.raises(
            tc.UnsupportedError, match=r"expected the result shape \[1, 4\] of the file, found fp32\[1x5\]"
        ):
            tc.convert(data)
    else:
        (result,) = tc.run(tc.convert(data), {"t0": X, "t1": np.array([1, 0], np.int32)}).values()
        np.testing.assert_array_equal(result, X[1:2, :columns])


@pytest.mark.parametrize("constants", ["begin", "neither"])
@pytest.mark.parametrize("strides", [(1, 2), (-1, 1), (2, -1)])
@pytest.mark.parametrize("masks", list(product(range(4), range(4))), ids=lambda masks: "begin {} end {}".format(*masks))
def test_every_mask(masks: tuple[int, int], strides: tuple[int, int], constants: str) -> None:
    pairs = [FORWARD if stride > 0 else BACKWARD for stride in strides]
    for rows, columns, dropped in product(pairs[0], pairs[1], (0, 1, 2)):
        begin, end = [rows[0], columns[0]], [rows[1], columns[1]]
        if dropped and strides[dropped - 1] < 0:
            continue
        spans = [[None if masks[k] >> i & 1 else (begin, end)[k][i] for k in (0, 1)] for i in (0, 1)]
        slices = tuple(begin[i] if dropped >> i & 1 else slice(spans[i][0], spans[i][1], strides[i]) for i in (0, 1))
        expected = X[slices]
        if not expected.size or (dropped and masks[0] & dropped):
            continue
        operands = [Tensor(X.shape), ints(begin, constant=constants == "begin"), ints(end, constant=constants == "end")]
        operands += [ints(list(strides), constant=True), Tensor(expected.shape)]
        options = {"begin_mask": masks[0], "end_mask": masks[1], "shrink_axis_mask": dropped}
        inputs = [0, *(1,) * (constants != "begin"), *(2,) * (constants != "end")]
        model = tc.convert(build(operands, [Operator(B.STRIDED_SLICE, range(4), (4,), options)], inputs, (4,)))
        fed = {0: X, 1: np.array(begin, np.int32), 2: np.array(end, np.int32)}
        (result,) = tc.run(model, {f"t{i}": fed[i] for i in inputs}).values()
        np.testing.assert_array_equal(result, expected, f"{begin} {end} drop {dropped}")
