"""Random inputs of `verify` give operators the sizes that the file states: else LiteRT refuses nearly every run."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import MirrorPadMode

X = (2, 3, 3)
CASES: dict[str, tuple[B, list[tuple[int, ...] | None], tuple[int, ...], dict[str, Any]]] = {
    # Operands: X itself for None, otherwise an input of i32 of this shape; and the result's shape.
    "RESHAPE": (B.RESHAPE, [None, (2,)], (6, 3), {}),
    "BROADCAST_TO": (B.BROADCAST_TO, [None, (4,)], (5, 2, 3, 3), {}),
    "EXPAND_DIMS": (B.EXPAND_DIMS, [None, (1,)], (2, 1, 3, 3), {}),
    "TRANSPOSE": (B.TRANSPOSE, [None, (3,)], (3, 2, 3), {}),
    "TILE": (B.TILE, [None, (3,)], (2, 6, 9), {}),
    "PAD": (B.PAD, [None, (3, 2)], (2, 4, 6), {}),
    "MIRROR_PAD": (B.MIRROR_PAD, [None, (3, 2)], (2, 5, 4), {"mode": MirrorPadMode.REFLECT}),
    "SLICE": (B.SLICE, [None, (3,), (3,)], (1, 3, 2), {}),
    "TOPK_V2": (B.TOPK_V2, [None, ()], (2, 3, 2), {}),
}


@pytest.mark.parametrize("name", CASES)
def test_verify_needs_no_inputs(name: str, tmp_path: Path) -> None:
    builtin, operands, shape, options = CASES[name]
    tensors = [Tensor(X) if operand is None else Tensor(operand, "int32") for operand in operands]
    results = [Tensor(shape)] + [Tensor(shape, "int32")] * (builtin is B.TOPK_V2)
    places = range(len(tensors)), range(len(tensors), len(tensors) + len(results))
    operator = Operator(builtin, *places, options, version=1 + (builtin is B.BROADCAST_TO))
    path = tmp_path / "m.tflite"
    path.write_bytes(build([*tensors, *results], [operator], places[0], places[1]))
    done = tc.verify(path, runs=2)
    assert done.verdict
    assert [output.elements for output in done.comparisons[0].outputs] == [2 * int(np.prod(shape))] * len(results)
    assert any("is known at run time only" in note.text for note in done.notes)


def test_a_range_of_the_user_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "m.tflite"
    tensors = [Tensor((5,)), Tensor((1,), "int32"), Tensor((1,), "int32"), Tensor((2,))]
    path.write_bytes(build(tensors, [Operator(B.SLICE, (0, 1, 2), (3,))], (0, 1, 2), (3,)))
    assert tc.verify(path).verdict
    with pytest.raises(tc.ConverterError, match="Invalid begin"):
        tc.verify(path, ranges={"t1": (5, 9)})
