"""The operators of which test_stated_sizes.py has none: LiteRT computes results of the shapes that the file states."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.schemas.tflite import BuiltinOperator as B

INDICES = Tensor((2, 1), "int32", np.array([[1], [3]], np.int32))
ROWS = Tensor((4,), "int32", np.array([0, 2, 1, 0], np.int32))
ONE = Tensor((), data=np.array(1.5, np.float32))
# Operands, of which those of i32 without elements in the file are inputs that hold sizes; the result's shape.
CASES: dict[str, tuple[B, list[Tensor], tuple[int, ...], dict[str, Any]]] = {
    "FILL": (B.FILL, [Tensor((3,), "int32"), Tensor(())], (4, 1, 3), {}),
    "SCATTER_ND": (B.SCATTER_ND, [INDICES, Tensor((2, 3)), Tensor((2,), "int32")], (5, 3), {}),
    "SPARSE_TO_DENSE": (B.SPARSE_TO_DENSE, [INDICES, Tensor((1,), "int32"), Tensor((2,)), ONE], (7,), {}),
    "PADV2": (B.PADV2, [Tensor((2, 3)), Tensor((2, 2), "int32"), ONE], (5, 4), {}),
    "PAD of 0 and 3": (B.PAD, [Tensor((2, 3)), Tensor((2, 2), "int32")], (2, 6), {}),
    "RESIZE_BILINEAR": (B.RESIZE_BILINEAR, [Tensor((1, 2, 3, 2)), Tensor((2,), "int32")], (1, 5, 4, 2), {}),
    "RESIZE_NEAREST_NEIGHBOR": (
        B.RESIZE_NEAREST_NEIGHBOR,
        [Tensor((1, 2, 3, 2)), Tensor((2,), "int32")],
        (1, 3, 7, 2),
        {},
    ),
    "TRANSPOSE of equal sizes": (B.TRANSPOSE, [Tensor((2, 3, 2)), Tensor((3,), "int32")], (2, 2, 3), {}),
    "EXPAND_DIMS behind": (B.EXPAND_DIMS, [Tensor((2, 3)), Tensor((1,), "int32")], (2, 3, 1), {}),
    "EXPAND_DIMS beside a 1": (B.EXPAND_DIMS, [Tensor((1, 3)), Tensor((1,), "int32")], (1, 1, 3), {}),
    "SLICE of one dimension": (B.SLICE, [Tensor((9,)), Tensor((1,), "int32"), Tensor((1,), "int32")], (4,), {}),
    **{
        f"UNSORTED_SEGMENT_{name}": (
            B[f"UNSORTED_SEGMENT_{name}"],
            [Tensor((4, 3)), ROWS, Tensor((), "int32")],
            (3, 3),
            {},
        )
        for name in ("SUM", "PROD", "MAX", "MIN")
    },
}


@pytest.mark.parametrize("name", CASES)
def test_verify_needs_no_inputs(name: str, tmp_path: Path) -> None:
    builtin, operands, shape, options = CASES[name]
    places = range(len(operands))
    inputs = [i for i in places if operands[i].data is None]
    path = tmp_path / "m.tflite"
    operator = Operator(builtin, places, (len(operands),), options)
    path.write_bytes(build([*operands, Tensor(shape)], [operator], inputs, (len(operands),)))
    done = tc.verify(path, runs=2)
    assert done.verdict
    assert [output.elements for output in done.comparisons[0].outputs] == [2 * int(np.prod(shape))]
