"""Gather, scatter and order: special values, refusals and numbers of operators that drawn cases don't show."""

import importlib.util
from typing import Any

import numpy as np
import pytest
from support.legalizing import Const, check, legalized, single
from support.tflite_models import run_litert

import tosa_converter as tc
from tosa_converter.errors import UnsupportedError
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import MirrorPadMode, TensorType

NAN, INF = np.nan, np.inf
REFERENCE_MODEL = importlib.util.find_spec("tosa_reference_model") is not None


def ints(*values: Any) -> Const:
    return Const(np.array(values, np.int32))


def floats(*shape: int) -> Array:
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


@pytest.mark.parametrize("count", [1, 3, 6])
@pytest.mark.parametrize("size", [6, 1100])  # compared all with all, and searched for one after the other
def test_topk_of_special_values_equals_litert(count: int, size: int) -> None:
    x = np.full((2, size), -1, np.float32)
    x[:, [2, 3, 5]] = NAN, -INF if size > count else NAN, INF
    x[1, :2] = 0.0, -0.0
    check(B.TOPK_V2, [x, ints(count)], ["float32", "int32"], version=2)


def test_topk_of_the_lowest_integers_equals_litert() -> None:
    x = np.full((1, 1100), np.iinfo(np.int32).min, np.int32)
    check(B.TOPK_V2, [x, ints(3)], ["int32", "int32"], version=2)


@pytest.mark.parametrize("flow", ["keep", "flatten"])
@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_topk_by_a_network_has_few_operators(flow: str, dtype: str) -> None:
    """Many results of long rows take a loop of few operators, or 91 rounds of at most twelve."""
    x = np.random.default_rng(3).integers(-50, 50, (2, 4500)).astype(dtype)
    x[:, ::7] = -INF if dtype == "float32" else np.iinfo(np.int32).min
    data, arrays = single(B.TOPK_V2, [x, ints(4000)], [dtype, "int32"], version=2)
    model = tc.convert(data, control_flow=flow)
    assert len(model.main.ops) < (50 if flow == "keep" else 12 * 91 + 50)
    engine = "tosa-reference-model" if REFERENCE_MODEL and flow == "keep" else "executor"
    for ours, want in zip(tc.run(model, {"t0": x}, engine=engine).values(), run_litert(data, arrays), strict=True):
        np.testing.assert_array_equal(ours, want)


def test_bucketize_of_special_values_equals_litert() -> None:
    x = np.array([NAN, INF, -INF, -0.0, 0.0, 1.0], np.float32)
    check(B.BUCKETIZE, [x], ["int32"], boundaries=(-INF, 0.0, 1.0, 1.0, INF))


def test_places_without_an_update_are_zero() -> None:
    updates = np.array([NAN, 1.0, INF, -INF], np.float32)
    for indices in (ints([4], [2], [0], [0]), np.array([[4], [2], [0], [0]], np.int32)):
        check(B.SCATTER_ND, [indices, updates, ints(6)])


@pytest.mark.parametrize("kind", ["int8", "uint8"])
def test_narrow_sums_wrap(kind: str) -> None:
    updates = np.full(3, 100, kind)
    for indices in (ints([1], [1], [1]), np.ones((3, 1), np.int32)):
        check(B.SCATTER_ND, [indices, updates, ints(2)], [kind])


@pytest.mark.parametrize("kind", ["float32", "int32", "bool"])
def test_equal_indices_of_many_rows_are_summed(kind: str) -> None:
    random = np.random.default_rng(0)
    updates = random.integers(0, 2, (40, 16)).astype(kind)
    check(B.SCATTER_ND, [random.integers(0, 30, (40, 1)).astype(np.int32), updates, ints(3000, 16)], [kind])


def test_an_ellipsis_takes_at_least_one_dimension_as_in_the_kernel() -> None:
    bounds = [ints(1, 0, 2, 0), ints(3, 0, 4, 1), ints(1, 1, 1, 1)]
    check(B.STRIDED_SLICE, [floats(4, 5, 6), *bounds], ellipsis_mask=2)


def count_of(builtin: B, inputs: list[Any], **options: Any) -> int:
    """Returns the operators that a conversion emits, without constants."""
    graph = legalized(single(builtin, inputs, ["float32"], **options)[0]).main
    return sum(op.name not in ("tosa.const", "tosa.const_shape") for op in graph.ops)


AMOUNTS = Const(np.array([[0, 0], [1, 1], [1, 1], [0, 0]], np.int32))
BLOCKS = [ints(2, 2), Const(np.zeros((2, 2), np.int32))]
ONE = np.ones(1, np.int32)
FEWEST: list[tuple[int, B, list[Any], dict[str, Any]]] = [
    (3, B.GATHER, [floats(4, 3), ints(3, 1)], {"axis": 0}),
    (1, B.GATHER, [floats(4, 3), ints(1, 2)], {"axis": 0}),
    (3, B.GATHER_ND, [floats(4, 3), ints([3], [1])], {}),
    (3, B.SCATTER_ND, [ints([1], [0]), floats(2, 3), ints(2, 3)], {}),
    (6, B.MIRROR_PAD, [floats(1, 4, 4, 2), AMOUNTS], {"mode": MirrorPadMode.REFLECT}),
    (3, B.SPACE_TO_BATCH_ND, [floats(1, 4, 4, 2), *BLOCKS], {}),
    (3, B.BATCH_TO_SPACE_ND, [floats(4, 2, 2, 3), *BLOCKS], {}),
    (4, B.DILATE, [floats(1, 4, 4, 2), ints(1, 2, 3, 1), Const(np.zeros((), np.float32))], {}),
    (2, B.MATRIX_DIAG, [floats(2, 4)], {}),
    (2, B.MATRIX_SET_DIAG, [floats(2, 4, 4), floats(2, 4)], {}),
]


@pytest.mark.parametrize(("most", "builtin", "inputs", "options"), FEWEST, ids=lambda v: getattr(v, "name", ""))
def test_conversions_have_at_most_this_many_operators(
    most: int, builtin: B, inputs: list[Any], options: dict[str, Any]
) -> None:
    assert count_of(builtin, inputs, **options) <= most


REFUSED: list[tuple[B, list[Any], dict[str, Any], str]] = [
    (B.GATHER, [floats(4), ints(0, 4)], {"axis": 0}, "expected indices inside the operand, found 0 to 4"),
    (B.GATHER_ND, [floats(4, 3), ints([0, 3])], {}, "expected indices inside the operand"),
    (B.SCATTER_ND, [ints([-1]), floats(1), ints(3)], {}, "expected indices inside the operand"),
    (B.UNIQUE, [floats(4)], {"idx_out_type": TensorType.INT32}, "number of different elements is known at run time"),
    (B.TILE, [floats(4), ONE], {}, "or the file must state the result's shape"),
    (B.SLICE, [floats(4), ints(0), ONE], {}, "or the file must state the result's shape"),
    (B.TOPK_V2, [floats(4), ONE], {}, "or the file must state the result's shape"),
    (B.STRIDED_SLICE, [floats(4), ONE, ints(2), ints(1)], {}, "or the file must state the result's shape"),
    (B.BUCKETIZE, [floats(4)], {"boundaries": (2.0, 1.0)}, "expected ascending boundaries"),
]


@pytest.mark.parametrize(("builtin", "inputs", "options", "reason"), REFUSED, ids=lambda v: getattr(v, "name", ""))
def test_refusals_state_the_reason(builtin: B, inputs: list[Any], options: dict[str, Any], reason: str) -> None:
    results = {B.UNIQUE: ["float32", "int32"], B.TOPK_V2: ["float32", "int32"], B.BUCKETIZE: ["int32"]}
    with pytest.raises(UnsupportedError, match=reason):
        legalized(single(builtin, inputs, results.get(builtin, ["float32"]), **options)[0])
