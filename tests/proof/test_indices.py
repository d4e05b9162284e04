"""The ranges of inputs that are indices: LiteRT runs models with random inputs, which it refuses beyond a range."""

from typing import Any

import numpy as np
import pytest
from support.tflite_models import Operator, Tensor, build

import tosa_converter as tc
from tosa_converter.proof.indices import _ARITHMETIC, Range, index_limits
from tosa_converter.schemas.tflite import BuiltinOperator as B

pytest.importorskip("ai_edge_litert", reason="LiteRT is not installed")
TABLE = np.arange(21, dtype=np.float32).reshape(7, 3)


def ints(*values: int) -> Tensor:
    """A constant of int32."""
    return Tensor((len(values),), "int32", np.array(values, np.int32))


def scalar(value: float, dtype: str = "int32") -> Tensor:
    """A constant number."""
    return Tensor((), dtype, np.array(value, dtype))


def index(*shape: int, dtype: str = "int32") -> Tensor:
    """An input of indices, or a value of that type."""
    return Tensor(shape, dtype)


Case = tuple[list[Tensor], list[Operator], int, tuple[float, float]]  # the result's number, the first input's range


def gathering(tensors: list[Tensor], steps: list[Operator], last: int, expected: tuple[int, int]) -> Case:
    """A GATHER of a table of seven rows behind some operators on the first tensor."""
    shape = (*tensors[last].shape, 3)
    more = [Tensor(TABLE.shape, data=TABLE), Tensor(shape)]
    count = len(tensors)
    gather = Operator(B.GATHER, [count, last], [count + 1], {"axis": 0})
    return [*tensors, *more], [*steps, gather], count + 1, expected


CASES: dict[str, Case] = {
    "gather": gathering([index(4)], [], 0, (0, 6)),
    "gather_nd": (
        [index(4, 2), Tensor(TABLE.shape, data=TABLE), Tensor((4,))],
        [Operator(B.GATHER_ND, [1, 0], [2])],
        2,
        (0, 2),
    ),
    "embedding_lookup": (
        [index(4), Tensor(TABLE.shape, data=TABLE), Tensor((4, 3))],
        [Operator(B.EMBEDDING_LOOKUP, [0, 1], [2])],
        2,
        (0, 6),
    ),
    "one_hot": (
        [index(4), scalar(5), scalar(1, "float32"), scalar(0, "float32"), Tensor((4, 5))],
        [Operator(B.ONE_HOT, [0, 1, 2, 3], [4], {"axis": -1})],
        4,
        (0, 4),
    ),
    "dynamic_update_slice": (
        [index(2), Tensor(TABLE.shape, data=TABLE), Tensor((2, 3), data=TABLE[:2]), Tensor(TABLE.shape)],
        [Operator(B.DYNAMIC_UPDATE_SLICE, [1, 2, 0], [3])],
        3,
        (0, 0),
    ),
    "scatter_nd": (
        [index(4, 1), Tensor((4, 3), data=TABLE[:4]), ints(9, 3), Tensor((9, 3))],
        [Operator(B.SCATTER_ND, [0, 1, 2], [3])],
        3,
        (0, 8),
    ),
    "cast": gathering([index(4, dtype="int64"), index(4)], [Operator(B.CAST, [0], [1])], 1, (0, 6)),
    "float": gathering([Tensor((4,)), index(4)], [Operator(B.CAST, [0], [1])], 1, (0, 6)),
    "reshape": gathering(
        [index(2, 2), ints(4), index(4)], [Operator(B.RESHAPE, [0, 1], [2], {"new_shape": (4,)})], 2, (0, 6)
    ),
    "expand_dims": gathering([index(4), ints(0), index(1, 4)], [Operator(B.EXPAND_DIMS, [0, 1], [2])], 2, (0, 6)),
    "concatenation": gathering(
        [index(4), ints(1, 2), index(6)], [Operator(B.CONCATENATION, [0, 1], [2], {"axis": 0})], 2, (0, 6)
    ),
    "pack": gathering(
        [index(4), index(4, 2)], [Operator(B.PACK, [0, 0], [1], {"axis": 1, "values_count": 2})], 1, (0, 6)
    ),
    "split": gathering(
        [index(4), scalar(0), index(2), index(2)],
        [Operator(B.SPLIT, [1, 0], [2, 3], {"num_splits": 2})],
        3,
        (0, 6),
    ),
    "add": gathering([index(4), ints(3), index(4)], [Operator(B.ADD, [0, 1], [2])], 2, (-3, 3)),
    "mul": gathering([index(4), ints(2), index(4)], [Operator(B.MUL, [1, 0], [2])], 2, (0, 3)),
    "sub": gathering([index(4), ints(1), index(4)], [Operator(B.SUB, [0, 1], [2])], 2, (1, 7)),
    "negative ones count from the end": gathering(
        [index(4), ints(0), ints(7), index(4, dtype="bool"), index(4), index(4)],
        [
            Operator(B.LESS, [0, 1], [3]),
            Operator(B.ADD, [0, 2], [4]),
            Operator(B.SELECT_V2, [3, 4, 0], [5]),
        ],
        5,
        (0, 6),
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_range_follows_from_what_reads_the_input(case: Case, tmp_path: Any) -> None:
    tensors, operators, result, expected = case
    path = tmp_path / "m.tflite"
    path.write_bytes(build(tensors, operators, [0], [result]))
    source = tc.load(path)
    assert list(index_limits(source).values()) == [expected]
    done = tc.verify(path, runs=5)
    assert done.verdict
    assert done.reference == "litert"
    (array,) = tc.random_inputs(source, seed=1).values()
    assert expected[0] <= array.min()
    assert array.max() <= expected[1]


def test_a_table_without_rows_says_nothing() -> None:
    table = Tensor((0, 3), data=np.zeros((0, 3), np.float32))
    tensors = [index(4), table, Tensor((4, 3))]
    data = build(tensors, [Operator(B.GATHER, [1, 0], [2], {"axis": 0})], [0], [2])
    assert index_limits(tc.load(data)) == {}


def test_indices_of_tosa_are_rows() -> None:
    tensors, operators, result, _ = CASES["gather"]
    model = tc.convert(tc.load(build(tensors, operators, [0], [result])))
    assert list(index_limits(model).values()) == [(0, 6)]


def test_what_is_no_index_has_no_range() -> None:
    data = build([index(4), ints(3), index(4)], [Operator(B.ADD, [0, 1], [2])], [0], [2])
    assert index_limits(tc.load(data)) == {}


@pytest.mark.parametrize(("low", "high"), [(1, 1), (3, 3), (2, 5), (4, 7)])
@pytest.mark.parametrize("name", ["add", "sub", "mul"])
def test_ranges_behind_arithmetic_are_those_of_all_constants(name: str, low: int, high: int) -> None:
    """Every x whose sum, difference and product with all constants is in the range, and no other: counted out."""
    compute = {"add": int.__add__, "sub": int.__sub__, "mul": int.__mul__}[name]
    for first, last in ((0, 40), (7, 41), (12, 60)):
        operand_range = _ARITHMETIC[name](Range(first, last), low, high)
        constants = (low, high)
        fitting = [x for x in range(-100, 200) if all(first <= compute(x, c) <= last for c in constants)]
        assert [x for x in range(-100, 200) if operand_range.low <= x <= operand_range.high] == fitting
