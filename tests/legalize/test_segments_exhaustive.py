"""SEGMENT_SUM and its relatives with every vector of up to three ids: the numbers of numpy, or refused."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.errors import UnsupportedError
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B

ROWS = np.array([[1, -2], [4, 8], [-16, 32]], np.float32)
EMPTY = {"SUM": 0.0, "PROD": 1.0, "MAX": float(np.finfo(np.float32).min), "MIN": float(np.finfo(np.float32).max)}
REDUCE: dict[str, Callable[..., Array]] = {"SUM": np.sum, "PROD": np.prod, "MAX": np.max, "MIN": np.min}


def converted(builtin: B, ids: tuple[int, ...], count: int, *, stated: bool) -> Array | None:
    """The result, or None where the operator is refused."""
    tensors = [Tensor((len(ids), 2)), Tensor((len(ids),), "int32", np.array(ids, np.int32))]
    tensors += [Tensor((), "int32", np.array(count, np.int32))] * stated + [Tensor((max(count, 0), 2))]
    operator = Operator(builtin, range(2 + stated), (2 + stated,))
    try:
        model = tc.convert(build(tensors, [operator], (0,), (2 + stated,)))
    except UnsupportedError:
        return None
    (result,) = tc.run(model, {model.main.inputs[0].name: ROWS[: len(ids)]}).values()
    return result


@pytest.mark.parametrize("length", [1, 2, 3])
def test_ids_rise_from_0_by_at_most_1(length: int) -> None:
    for ids in product(range(-1, 3), repeat=length):
        result = converted(B.SEGMENT_SUM, ids, max(ids) + 1, stated=False)
        if ids[0] != 0 or set(np.diff(ids)) - {0, 1}:
            assert result is None, ids
            continue
        assert result is not None, ids
        expected = [ROWS[:length][np.array(ids) == i].sum(0) for i in range(max(ids) + 1)]
        np.testing.assert_array_equal(result, expected, str(ids))


@pytest.mark.parametrize("count", [0, 1, 2, 3])
@pytest.mark.parametrize("name", REDUCE)
def test_ids_in_any_order_are_below_their_number(name: str, count: int) -> None:
    """Rows of negative ids are left out, and a segment without rows is what the reduction begins with."""
    for ids in (ids for length in (1, 2, 3) for ids in product(range(-1, 3), repeat=length)):
        result = converted(B[f"UNSORTED_SEGMENT_{name}"], ids, count, stated=True)
        if count < 1 or max(ids) >= count:
            assert result is None, ids
            continue
        assert result is not None, ids
        parts = [ROWS[: len(ids)][np.array(ids) == i] for i in range(count)]
        expected = [REDUCE[name](part, 0) if len(part) else np.full(2, EMPTY[name]) for part in parts]
        np.testing.assert_array_equal(result, np.array(expected, np.float32), str(ids))
