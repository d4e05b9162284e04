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
