"""Shape rules and type inference, on shapes computed by hand from the pseudocode of chapter 2."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from support.tosa_graphs import RESCALE, const, shape, tensor

from tosa_converter.dtypes import DType
from tosa_converter.errors import VerifyError
from tosa_converter.ir import Graph, TensorType, Value
from tosa_converter.rules.inference import SHAPE_RULES, infer_shapes, infer_types
from tosa_converter.rules.partial_shapes import infer_partial_shapes
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.tosa_ops import OpDef

I8, I16, I32, I48, F16, F32, BOOL = DType.I8, DType.I16, DType.I32, DType.I48, DType.FP16, DType.FP32, DType.BOOL
ZERO = const([0], I8)
CONV = {"pad": (1, 1, 0, 2), "stride": (2, 1), "dilation": (1, 2), "acc_type": "INT32"}
POOL = {"kernel": (3, 2), "stride": (2, 2), "pad": (1, 1, 0, 0)}


def scale(
    *,
    dtype: DType = I32,
    out: DType = I8,
    zero: int = 0,
    multiplier: int = 1 << 30,
    shift: int = 30,
    multipliers: int = 1,
) -> list[Value]:
    values = [const([multiplier] * multipliers, dtype), const([shift] * multipliers, I8)]
    return [*values, const([zero], I8), const([0], out)]


def test_every_operator_has_a_rule() -> None:
    assert tuple(SHAPE_RULES) == ops.OPERATORS


SHAPES = [
    (ops.ARGMAX, [tensor(I8, 2, 3, 4)], {"axis": 1}, [(2, 4)]),
    (ops.ARGMAX, [tensor(I8, 5)], {"axis": 0}, [()]),
    (ops.AVG_POOL2D, [tensor(I8, 1, 9, 6, 3), ZERO, ZERO], POOL | {"acc_type": "INT32"}, [(1, 5, 3, 3)]),
    (ops.MAX_POOL2D, [tensor(I8, 1, 9, 6, 3)], POOL, [(1, 5, 3, 3)]),
    # OH = (9 - 1 + 1 + 1 - 2 * 1) / 2 + 1 = 5, OW = 7 - 1 + 2 - 2 * 2 + 1 = 5
    (ops.CONV2D, [tensor(I8, 1, 9, 7, 3), tensor(I8, 4, 3, 3, 3), tensor(I32, 4), ZERO, ZERO], CONV, [(1, 5, 5, 4)]),
    (
        ops.DEPTHWISE_CONV2D,
        [tensor(I8, 1, 9, 7, 3), tensor(I8, 3, 3, 3, 2), tensor(I32, 1), ZERO, ZERO],
        CONV,
        [(1, 5, 5, 6)],
    ),
    (
        ops.CONV3D,
        [tensor(I8, 1, 4, 5, 6, 2), tensor(I8, 7, 2, 3, 1, 2), tensor(I32, 7), ZERO, ZERO],
        {"pad": (0, 1, 1, 1, 0, 0), "stride": (1, 2, 5), "dilation": (2, 1, 1), "acc_type": "INT32"},
        [(1, 3, 3, 2, 7)],
    ),
    (
        ops.TRANSPOSE_CONV2D,
        [tensor(I8, 1, 4, 5, 2), tensor(I8, 3, 3, 2, 2), tensor(I32, 3), ZERO, ZERO],
        {"out_pad": (-1, 2, 2, -1), "stride": (2, 3), "acc_type": "INT32"},
        [(1, 10, 15, 3)],
    ),
    (ops.FFT2D, [tensor(F32, 2, 4, 8), tensor(F32, 2, 4, 8)], {"inverse": False}, [(2, 4, 8), (2, 4, 8)]),
    (ops.RFFT2D, [tensor(F32, 2, 4, 8)], {}, [(2, 4, 5), (2, 4, 5)]),
    (ops.MATMUL, [tensor(I8, 2, 3, 4), tensor(I8, 2, 4, 5), ZERO, ZERO], {}, [(2, 3, 5)]),
    (ops.ADD, [tensor(I32, 3, 1, 5), tensor(I32, 1, 4, 5)], {}, [(3, 4, 5)]),
    (ops.SELECT, [tensor(BOOL, 1, 1, 5), tensor(I8, 3, 1, 1), tensor(I8, 1, 4, 1)], {}, [(3, 4, 5)]),
    (ops.MUL, [tensor(I32, 2, 1), tensor(I32, 1, 3), const([31], I8)], {}, [(2, 3)]),
    (ops.REDUCE_SUM, [tensor(I32, 2, 3, 4)], {"axis": 1}, [(2, 1, 4)]),
    (ops.CONCAT, [tensor(I8, 2, 3), tensor(I8, 2, 1), tensor(I8, 2, 4)], {"axis": 1}, [(2, 8)]),
    (ops.PAD, [tensor(I8, 2, 3), shape(1, 0, 2, 5), ZERO], {}, [(3, 10)]),
    (ops.RESHAPE, [tensor(I8, 2, 3), shape(3, 1, 2)], {}, [(3, 1, 2)]),
    (ops.RESHAPE, [tensor(I8, 1, 1), shape()], {}, [()]),
    (ops.SLICE, [tensor(I8, 4, 5), shape(1, 0), shape(2, 5)], {}, [(2, 5)]),
    (ops.TILE, [tensor(I8, 2, 3), shape(1, 4)], {}, [(2, 12)]),
    (ops.TRANSPOSE, [tensor(I8, 2, 3, 4)], {"perms": (2, 0, 1)}, [(4, 2, 3)]),
    (ops.GATHER, [tensor(I8, 2, 9, 4), tensor(I32, 2, 5)], {}, [(2, 5, 4)]),
    (ops.SCATTER, [tensor(I8, 2, 9, 4), tensor(I32, 2, 5), tensor(I8, 2, 5, 4)], {}, [(2, 9, 4)]),
    # OH = ((4 - 1) * 4 - 1 + 1) / 2 + 1 = 7, OW = ((5 - 1) * 2 - 0 + 1) / 1 + 1 = 10
    (ops.RESIZE, [tensor(I8, 1, 4, 5, 3), shape(4, 2, 2, 1), shape(1, 0), shape(1, 1)], {}, [(1, 7, 10, 3)]),
    (ops.RESCALE, [tensor(I8, 2, 3), *scale()], RESCALE, [(2, 3)]),
    (ops.CONST, [], {"values": np.zeros((2, 3), np.int8)}, [(2, 3)]),
]


@pytest.mark.parametrize(("row", "inputs", "attributes", "expected"), SHAPES, ids=lambda x: getattr(x, "name", None))
def test_shapes_are_inferred(
    row: OpDef, inputs: list[Value], attributes: dict[str, Any], expected: list[tuple[int, ...]]
) -> None:
    assert infer_shapes(row, inputs, attributes) == tuple(expected)


def test_run_time_dimensions_are_none() -> None:
    sizes = tensor(DType.SHAPE, 3)
    assert infer_shapes(ops.RESHAPE, [tensor(I8, 2, 3), sizes], {}) == ((None, None, None),)
    scale_offset_border = [tensor(DType.SHAPE, 4), tensor(DType.SHAPE, 2), tensor(DType.SHAPE, 2)]
    shapes = [shape(4, 2, 2, 1), shape(1, 0), shape(1, 1)]
    for i in range(3):
        operands = [tensor(I8, 1, 4, 5, 3), *shapes[:i], scale_offset_border[i], *shapes[i + 1 :]]
        assert infer_shapes(ops.RESIZE, operands, {}) == ((1, None, None, 3),)
    x, pair = tensor(I8, 2, 3), tensor(DType.SHAPE, 2)
    assert infer_shapes(ops.PAD, [x, tensor(DType.SHAPE, 4), ZERO], {}) == ((None, None),)
    assert infer_shapes(ops.TILE, [x, pair], {}) == ((None, None),)
    assert infer_shapes(ops.SLICE, [x, shape(1, 2), pair], {}) == ((None, None),)
    assert infer_shapes(ops.SLICE, [x, pair, shape(1, 2)], {}) == ((1, 2),)


RESIZED = [tensor(I8, 1, 4, 5, 3)]
REFUSED = [
    (
        ops.ARGMAX,
        [tensor(I8, 2, 3)],
        {"axis": 2},
        "axis < 0 || axis >= rank(shape1)): found axis = 2, rank(shape1) = 2",
    ),
    (ops.ADD, [tensor(I32, 2, 3), tensor(I32, 3)], {}, "rank(shape1) != rank(shape2)"),
    (ops.ADD, [tensor(I32, 2, 3), tensor(I32, 2, 2)], {}, "shape2[i] != 1 && shape2[i] != shape[i]"),
    (ops.ADD, [tensor(I32, 2, 3)], {}, "the operator must have 2 inputs: found 1"),
    (ops.ADD, [tensor(I32, 2, None), tensor(I32, 2, 3)], {}, "every dimension of input1 must be known: found i32[2x?]"),
    (ops.MATMUL, [tensor(I8, 2, 3), tensor(I8, 2, 4, 5), ZERO, ZERO], {}, "rank of A must be 3: found rank 2"),
    (ops.MATMUL, [tensor(I8, 2, 3, 4), tensor(I8, 2, 4, 5), const([0, 0], I8), ZERO], {}, "shape of A_zp must be [1]"),
    (
        ops.CONV2D,
        [tensor(I8, 1, 8, 7, 3), tensor(I8, 4, 3, 3, 3), tensor(I32, 4), ZERO, ZERO],
        CONV,
        "OH != idiv_check(IH - 1 + pad_top + pad_bottom - (KH - 1) * dilation_y, stride_y) + 1): found 7 is not",
    ),
    (
        ops.CONV2D,
        [tensor(I8, 1, 9, 7, 3), tensor(I8, 4, 3, 3, 3), tensor(I32, 2), ZERO, ZERO],
        CONV,
        "BC != OC && BC != 1): found BC = 2, OC = 4",
    ),
    (ops.MAX_POOL2D, [tensor(I8, 1, 9, 6, 3)], POOL | {"pad": (3, 0, 0, 0)}, "pad_top >= kernel_y || pad_bottom"),
    (ops.MAX_POOL2D, [tensor(I8, 1, 9, 6, 3)], POOL | {"pad": (0, 0)}, "attribute pad must have 4 elements"),
    (ops.MAX_POOL2D, [tensor(I8, 1, 9, 6, 3)], {}, "attribute kernel must be given"),
    (ops.RESHAPE, [tensor(I8, 2, 3), shape(5)], {}, "tensor_size(shape1) != tensor_size(shape)"),
    (ops.SLICE, [tensor(I8, 4), shape(3), shape(2)], {}, "start[index] + size[index] > shape1[index]"),
    (ops.TRANSPOSE, [tensor(I8, 4, 2)], {"perms": (1, 1)}, "indexes_used[index] == true"),
    (ops.RESIZE, [*RESIZED, shape(2049, 2, 2, 1), shape(0, 0), shape(0, 0)], {}, "scale_y_n > (1 << 11)"),
    (ops.RESIZE, [*RESIZED, shape(1, 16, 2, 1), shape(0, 0), shape(0, 0)], {}, "scale_y_d >= 16 * scale_y_n"),
    (ops.RESIZE, [*RESIZED, shape(1, 1, 0, 1), shape(0, 0), shape(0, 0)], {}, "scale_x_n <= 0 || scale_x_d <= 0"),
    (ops.MUL, [tensor(I8, 2), tensor(I8, 2), const([1], I8)], {}, "REQUIRE(is_same<in_t,int32_t>() || shift == 0)"),
    (ops.TABLE, [tensor(I16, 2), const(np.zeros(512), I16)], {}, "REQUIRE(length(table) == TABLE_SIZE)"),
    (ops.RESCALE, [tensor(I8, 2), *scale(shift=1)], RESCALE, "REQUIRE(2 <= shift && shift <= 62)"),
    (ops.RESCALE, [tensor(I8, 2), *scale(multiplier=-1)], RESCALE, "REQUIRE(multiplier >= 0)"),
    (ops.RESCALE, [tensor(I8, 2), *scale(multipliers=2)], RESCALE, "length(multiplier) != NC"),
    (ops.RESCALE, [tensor(I8), *scale()], RESCALE | {"per_channel": True}, "per_channel && rank(input) < 1"),
    (ops.VARIABLE_READ, [], {"name": "v"}, "they can't be inferred"),
    (ops.CUSTOM, [], {}, "they can't be inferred"),
]


@pytest.mark.parametrize(("row", "inputs", "attributes", "message"), REFUSED, ids=lambda x: getattr(x, "name", None))
def test_refusals_name_the_condition_and_the_values(
    row: OpDef, inputs: list[Value], attributes: dict[str, Any], message: str
) -> None:
    with pytest.raises(VerifyError) as caught:
        infer_shapes(row, inputs, attributes)
    assert message in str(caught.value)
    assert row.opcode in str(caught.value)


TYPES = [
    (ops.ADD, [tensor(F16, 2), tensor(F16, 2)], {}, None, [F16]),
    (ops.EQUAL, [tensor(F32, 2), tensor(F32, 2)], {}, None, [BOOL]),
    (ops.MATMUL, [tensor(I16, 1, 2, 3), tensor(I16, 1, 3, 4), const([0], I16), const([0], I16)], {}, None, [I48]),
    (ops.MATMUL, [tensor(F16, 1, 2, 3), tensor(F16, 1, 3, 4), const([0], F16), const([0], F16)], {}, F32, [F32]),
    (ops.CAST, [tensor(I32, 2)], {}, F16, [F16]),
    (ops.RESCALE, [tensor(I8, 2, 3), *scale(out=I16)], RESCALE, None, [I16]),
    (ops.FFT2D, [tensor(F32, 2, 4, 8), tensor(F32, 2, 4, 8)], {"inverse": False}, None, [F32, F32]),
    (ops.CONST, [], {"values": np.zeros(2, np.int8)}, DType.I4, [DType.I4]),
    (ops.CONST_SHAPE, [], {"values": np.zeros(2, np.int64)}, None, [DType.SHAPE]),
]


@pytest.mark.parametrize(
    ("row", "inputs", "attributes", "out", "expected"), TYPES, ids=lambda x: getattr(x, "name", "")
)
def test_result_types_are_inferred(
    row: OpDef, inputs: list[Value], attributes: dict[str, Any], out: DType | None, expected: list[DType]
) -> None:
    assert [result.dtype for result in infer_types(row, inputs, attributes, out)] == expected


@pytest.mark.parametrize(("mode", "dtype", "out"), [("BILINEAR", I8, I32), ("NEAREST_NEIGHBOR", I16, I16)])
def test_the_mode_of_resize_decides_its_type(mode: str, dtype: DType, out: DType) -> None:
    inputs = [tensor(dtype, 1, 4, 5, 3), shape(4, 2, 2, 1), shape(1, 0), shape(1, 1)]
    assert infer_types(ops.RESIZE, inputs, {"mode": mode})[0].dtype is out


@pytest.mark.parametrize(
    ("row", "inputs", "out", "message"),
    [
        (ops.ADD, [tensor(I8, 2), tensor(I8, 2)], None, "found input1 i8, input2 i8"),
        (
            ops.ADD,
            [tensor(I32, 2), tensor(F32, 2)],
            None,
            "in_out_t i32 (PRO-INT|PRO-FP): found input1 i32, input2 fp32",
        ),
        (ops.CAST, [tensor(I32, 2)], None, "which fits several"),
        (ops.CAST, [tensor(I32, 2)], F32, None),
        (ops.CAST, [tensor(DType.I4, 2)], I8, "found input i4"),
    ],
)
def test_types_without_a_row_are_refused(
    row: OpDef, inputs: list[Value], out: DType | None, message: str | None
) -> None:
    if message is None:
        assert infer_types(row, inputs, {}, out)[0].dtype is out
        return
    with pytest.raises(VerifyError, match="types must be one of") as caught:
        infer_types(row, inputs, {}, out)
    assert message in str(caught.value)


def test_results_of_control_flow_are_those_of_its_graphs() -> None:
    x, y, flag = tensor(I32, 2), tensor(I32, 2), tensor(BOOL)
    branch = Graph("branch", [x], [x])
    loop = [Graph("cond", [y], [tensor(BOOL, 1)]), Graph("body", [y], [y])]
    assert infer_types(ops.COND_IF, [flag, x], {}, regions=[branch, branch]) == (TensorType(I32, (2,)),)
    assert infer_types(ops.WHILE_LOOP, [x], {}, regions=loop) == (TensorType(I32, (2,)),)


def test_a_variable_is_read_as_it_was_declared() -> None:
    declared = {"state": TensorType(F32, (1, 4))}
    assert infer_types(ops.VARIABLE_READ, [], {"name": "state"}, variables=declared) == (declared["state"],)
    with pytest.raises(VerifyError, match="they can't be inferred"):
        infer_types(ops.VARIABLE_READ, [], {"name": "other"}, variables=declared)


@pytest.mark.parametrize(("row", "inputs", "attributes", "expected"), SHAPES, ids=lambda x: getattr(x, "name", None))
def test_what_is_known_beside_unknown_dimensions_is_right(
    row: OpDef, inputs: list[Value], attributes: dict[str, Any], expected: list[tuple[int, ...]]
) -> None:
    """Every single dimension, every pair and all of them are unknown in turn; the whole shapes are the judge."""
    dims = [(i, j) for i, value in enumerate(inputs) if value.constant is None for j in range(value.type.rank)]
    for unknown in [(), *combinations(dims, 1), *combinations(dims, 2), tuple(dims)]:
        operands = list(inputs)
        for i in {i for i, _ in unknown}:
            sizes = [None if (i, j) in unknown else size for j, size in enumerate(inputs[i].type.shape)]
            operands[i] = tensor(inputs[i].type.dtype, *sizes)
        shapes = infer_partial_shapes(row, operands, attributes)
        assert shapes is not None, unknown
        for partial, whole in zip(shapes, expected, strict=True):
            assert len(partial) == len(whole)
            assert all(size in (None, whole_size) for size, whole_size in zip(partial, whole, strict=True)), unknown


def test_dimensions_follow_that_no_unknown_one_changes() -> None:
    z = const([0], I8)
    cases: list[tuple[OpDef, list[Value], dict[str, Any], tuple[int | None, ...]]] = [
        (ops.ADD, [tensor(I32, None, 4), tensor(I32, 3, 1)], {}, (3, 4)),
        (ops.ADD, [tensor(I32, None, 4), tensor(I32, 1, 1)], {}, (None, 4)),
        (ops.MATMUL, [tensor(I8, 1, None, 4), tensor(I8, 1, 4, 5), z, z], {}, (1, None, 5)),
        (ops.CONCAT, [tensor(I8, 2, None), tensor(I8, 2, 4)], {"axis": 1}, (2, None)),
        (ops.CONV2D, [tensor(I8, None, 9, 7, 3), tensor(I8, 4, 3, 3, 3), tensor(I32, 4), z, z], CONV, (None, 5, 5, 4)),
        (ops.RESHAPE, [tensor(I8, None, 6), shape(-1, 3)], {}, (None, 3)),
        (ops.ARGMAX, [tensor(I8, None, 3)], {"axis": 1}, (None,)),
    ]
    for row, inputs, attributes, expected in cases:
        assert infer_partial_shapes(row, inputs, attributes) == (expected,), row.name


def test_nothing_follows_without_a_rule_or_against_one() -> None:
    assert infer_partial_shapes(ops.CUSTOM, [tensor(I8, 2)], {}) is None
    assert infer_partial_shapes(ops.ADD, [tensor(I8, None), tensor(I8, 2, 2)], {}) is None
