"""Run-time paddings, permutations and sizes, where the file states the result's shape, equal LiteRT."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from support.legalizing import Const, Operand, as_signless, executed, legalized, notes, reference_model
from support.tflite_models import Operator, Tensor, build, run_litert

import tosa_converter as tc
from tosa_converter.errors import UnsupportedError
from tosa_converter.formats import parse
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import MirrorPadMode, Padding

TYPES = ["float32", "int8", "int16", "int32", "int64", "bool"]


def stated(
    builtin: B,
    operands: Sequence[Operand],
    shapes: Sequence[Sequence[int]],
    dtypes: Sequence[str] = (),
    version: int = 1,
    **options: Any,
) -> tuple[bytes, list[Array]]:
    """Returns a model of one operator whose file states the results' shapes, and its input arrays."""
    tensors: list[Tensor] = []
    fed = []
    for operand in operands:
        assert operand is not None
        data = operand.data if isinstance(operand, Const) else None
        array = operand.data if isinstance(operand, Const) else operand
        if data is None:
            fed.append(len(tensors))
        tensors.append(Tensor(array.shape, str(array.dtype), data))
    dtypes = dtypes or [tensors[0].dtype] * len(shapes)
    results = [Tensor(tuple(shape), dtype) for shape, dtype in zip(shapes, dtypes, strict=True)]
    places = list(range(len(tensors))), list(range(len(tensors), len(tensors) + len(results)))
    model = build([*tensors, *results], [Operator(builtin, *places, options, version=version)], fed, places[1])
    return model, [operand for operand in operands if isinstance(operand, np.ndarray)]


def compare_with_litert(
    builtin: B,
    operands: Sequence[Operand],
    shapes: Sequence[Sequence[int]],
    dtypes: Sequence[str] = (),
    *,
    by_reference_model: bool = False,
    **options: Any,
) -> None:
    """Asserts that every element equals LiteRT's, and that a note tells the assumption."""
    data, arrays = stated(builtin, operands, shapes, dtypes, **options)
    want = list(map(as_signless, run_litert(data, arrays)))
    assert [array.shape for array in want] == [tuple(shape) for shape in shapes]
    narrow = [as_signless(array) for array in arrays]
    model = legalized(data)
    runs = [executed(model, narrow)] + ([reference_model(model, narrow)] if by_reference_model else [])
    for outputs in runs:
        for ours, theirs in zip(outputs, want, strict=True):
            np.testing.assert_array_equal(ours, theirs, strict=True)
    assert any("is known at run time only: the result has the shape" in note for note in notes(data))


def elements(dtype: str, *shape: int) -> Array:
    return np.random.default_rng(len(shape)).integers(-99, 99, shape).astype(dtype)


def ints(*values: Any, dtype: str = "int32") -> Array:
    return np.array(values, dtype)


@pytest.mark.parametrize("dtype", TYPES[:5])
@pytest.mark.parametrize("amounts", [((0, 0), (1, 2), (3, 0)), ((0, 0), (0, 3), (1, 2)), ((0, 0), (3, 0), (2, 1))])
def test_pad_equals_litert(dtype: str, amounts: Any) -> None:
    """LiteRT's PAD has no bool."""
    x = elements(dtype, 2, 3, 4)
    compare_with_litert(
        B.PAD, [x, ints(*amounts)], [(2, 6, 7)], by_reference_model=dtype == "int8" and amounts[1][0] == 1
    )
    compare_with_litert(B.PAD, [x, ints(*amounts, dtype="int64")], [(2, 6, 7)])
    compare_with_litert(B.PADV2, [x, ints(*amounts), Const(ints(5, dtype=dtype))], [(2, 6, 7)])
    compare_with_litert(B.PADV2, [x, ints(*amounts), ints(7, dtype=dtype)], [(2, 6, 7)])


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("mode", list(MirrorPadMode))
@pytest.mark.parametrize("before", [0, 1, 2])
def test_mirror_pad_equals_litert(dtype: str, mode: MirrorPadMode, before: int) -> None:
    x = elements(dtype, 3, 4)
    compare_with_litert(B.MIRROR_PAD, [x, ints((before, 2 - before), (2, before))], [(5, 6 + before)], mode=mode)


@pytest.mark.parametrize("dtype", TYPES)
def test_transpose_equals_litert(dtype: str) -> None:
    x = elements(dtype, 2, 3, 1, 4)
    compare_with_litert(B.TRANSPOSE, [x, ints(3, 2, 0, 1)], [(4, 1, 2, 3)])
    compare_with_litert(B.TRANSPOSE, [x, ints(0, 2, 1, 3)], [(2, 1, 3, 4)])
    square = elements(dtype, 3, 2, 3)
    for perm in ([0, 1, 2], [2, 1, 0]):
        compare_with_litert(
            B.TRANSPOSE, [square, ints(*perm)], [(3, 2, 3)], by_reference_model=dtype in ("int8", "float32")
        )
    cube = elements(dtype, 2, 2, 1, 2)
    for perm in ([3, 0, 2, 1], [1, 3, 2, 0], [0, 3, 2, 1]):
        compare_with_litert(B.TRANSPOSE, [cube, ints(*perm)], [(2, 2, 1, 2)])


@pytest.mark.parametrize("dtype", TYPES)
def test_sizes_and_multiples_equal_litert(dtype: str) -> None:
    x = elements(dtype, 2, 3)
    compare_with_litert(B.RESHAPE, [x, ints(3, 2, 1)], [(3, 2, 1)])
    compare_with_litert(B.RESHAPE, [x, ints(-1, 1)], [(6, 1)])
    if dtype != "int16":
        compare_with_litert(B.TILE, [x, ints(2, 3)], [(4, 9)])
    compare_with_litert(B.BROADCAST_TO, [x, ints(2, 2, 3)], [(2, 2, 3)], version=2)
    compare_with_litert(B.EXPAND_DIMS, [x, ints(1)], [(2, 1, 3)])
    compare_with_litert(B.FILL, [ints(2, 5), ints(3, dtype=dtype).reshape(())], [(2, 5)], [dtype])


@pytest.mark.parametrize("dtype", TYPES)
def test_slices_equal_litert(dtype: str) -> None:
    x = elements(dtype, 5, 6, 2)
    for begin in ([1, 3, 0], [2, 0, 0]):
        compare_with_litert(B.SLICE, [x, ints(*begin), ints(3, 2, 2)], [(3, 2, 2)])
        compare_with_litert(B.SLICE, [x, Const(ints(*begin)), ints(3, 2, 2)], [(3, 2, 2)])
    compare_with_litert(B.SLICE, [x, ints(1, 2, 0), Const(ints(-1, 3, -1))], [(4, 3, 2)])


@pytest.mark.parametrize("dtype", ["float32", "int8", "int16", "int32", "bool"])
def test_strided_slices_equal_litert(dtype: str) -> None:
    x = elements(dtype, 5, 6, 2)
    names = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")

    def of(
        begin: list[int], end: list[int], strides: list[int], shape: list[int], *, constant: bool = False, **masks: int
    ) -> None:
        operand = Const(ints(*begin)) if constant else ints(*begin)
        fields: dict[str, Any] = dict.fromkeys(names, 0) | masks
        compare_with_litert(B.STRIDED_SLICE, [x, operand, ints(*end), Const(ints(*strides))], [shape], **fields)

    of([1, 2, 0], [4, 6, 2], [1, 2, 1], [3, 2, 2])
    of([-4, 1, 0], [-1, 5, 2], [1, 2, 1], [3, 2, 2])
    of([4, 5], [1, 0], [-1, -2], [3, 3, 2])
    of([1, 2], [3, 4], [1, 1], [2, 2, 2], constant=True)
    of([1, -2], [3, 0], [1, 1], [2, 2], shrink_axis_mask=2)
    of([1, 0, 3], [3, 0, 5], [1, 1, 1], [2, 1, 2, 2], new_axis_mask=2)
    of([9, 2], [3, 9], [1, 1], [3, 4, 2], begin_mask=1, end_mask=2)


@pytest.mark.parametrize("stride", [-1, -2, -3, 1, 2, 3])
def test_strided_slices_from_every_index_equal_litert(stride: int) -> None:
    """Indices beyond either end count from there; a masked begin is the end that the stride leaves from."""
    x = elements("int32", 7)
    names = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    masks: dict[str, Any] = dict.fromkeys(names, 0)
    far = ints(-99 if stride < 0 else 99)
    for begin in range(-9, 10):
        for masked in (0, 1):
            count = len(x[None if masked else begin :: stride])
            if count:
                fields = masks | {"begin_mask": masked}
                compare_with_litert(B.STRIDED_SLICE, [x, ints(begin), far, Const(ints(stride))], [(count,)], **fields)


@pytest.mark.parametrize("dtype", ["float32", "int8", "int16", "int32"])
def test_split_v_equals_litert(dtype: str) -> None:
    x = elements(dtype, 6, 2)
    compare_with_litert(B.SPLIT_V, [x, ints(1, 3, 2), Const(ints(0))], [(1, 2), (3, 2), (2, 2)], num_splits=3)


@pytest.mark.parametrize("builtin", [B.RESIZE_BILINEAR, B.RESIZE_NEAREST_NEIGHBOR])
def test_resize_equals_litert(builtin: B) -> None:
    for dtype in ("float32", "int8", "int16") if builtin is B.RESIZE_NEAREST_NEIGHBOR else ("float32",):
        options: dict[str, Any] = {"align_corners": False, "half_pixel_centers": False}
        compare_with_litert(builtin, [elements(dtype, 1, 4, 4, 3), ints(8, 8)], [(1, 8, 8, 3)], **options)


def test_blocks_equal_litert() -> None:
    for dtype in ("float32", "int8", "int32"):
        x, blocks = elements(dtype, 1, 3, 4, 2), Const(ints(2, 2))
        for amounts in ([[0, 1], [2, 0]], [[1, 0], [1, 1]]):
            compare_with_litert(B.SPACE_TO_BATCH_ND, [x, blocks, ints(*amounts)], [(4, 2, 3, 2)])
            y = elements(dtype, 4, 2, 3, 2)
            compare_with_litert(B.BATCH_TO_SPACE_ND, [y, blocks, ints(*amounts)], [(1, 3, 4, 2)])


def test_counts_equal_litert() -> None:
    x = elements("float32", 3, 5)
    compare_with_litert(B.TOPK_V2, [x, ints(2).reshape(())], [(3, 2), (3, 2)], ["float32", "int32"])
    on, off = Const(np.array(1, np.float32)), Const(np.array(0, np.float32))
    compare_with_litert(B.ONE_HOT, [ints(1, 0, 3), ints(4).reshape(()), on, off], [(3, 4)], ["float32"], axis=-1)
    compare_with_litert(B.SCATTER_ND, [ints([1], [3]), elements("float32", 2, 3), ints(5, 3)], [(5, 3)], ["float32"])
    compare_with_litert(B.SPARSE_TO_DENSE, [ints(1, 3), ints(6), ints(7, 8), ints(0).reshape(())], [(6,)], ["int32"])


@pytest.mark.parametrize("name", ["SUM", "PROD", "MAX", "MIN"])
@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_unsorted_segments_equal_litert(name: str, dtype: str) -> None:
    x, ids = elements(dtype, 6, 2), ints(3, 0, -1, 3, 1, 0)
    for segments in (ids, Const(ids)):
        compare_with_litert(B[f"UNSORTED_SEGMENT_{name}"], [x, segments, ints(5).reshape(())], [(5, 2)])


@pytest.mark.parametrize(
    ("builtin", "operands", "shape", "options"),
    [
        (B.PAD, [ints(1, 2, 3), ints((9, -7))], (5,), {}),
        (B.MIRROR_PAD, [ints(1, 2, 3), ints((1 << 30, -(1 << 31)))], (5,), {"mode": MirrorPadMode.REFLECT}),
        (B.TRANSPOSE, [elements("int32", 2, 2), ints(1 << 30, -(1 << 31))], (2, 2), {}),
        (B.SLICE, [ints(1, 2, 3), ints(1 << 30), ints(1)], (2,), {}),
        (B.SLICE, [ints(1, 2, 3), ints(-5), ints(1)], (2,), {}),
        (B.STRIDED_SLICE, [ints(1, 2, 3), ints(-(1 << 31)), ints(1), Const(ints(1))], (2,), {}),
        (B.RESHAPE, [ints(1, 2, 3), ints(7, 7)], (1, 3), {}),
        (B.TILE, [ints(1, 2, 3), ints(7)], (6,), {}),
    ],
)
def test_values_that_contradict_the_file_have_a_result_of_its_shape(
    builtin: B, operands: list[Operand], shape: tuple[int, ...], options: dict[str, Any]
) -> None:
    """The reference model, which detects bad indices and overflows, finds the graph valid."""
    masks = ["begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"]
    options |= dict.fromkeys(masks, 0) if builtin is B.STRIDED_SLICE else {}
    data, arrays = stated(builtin, operands, [shape], **options)
    for (result,) in (executed(legalized(data), arrays), reference_model(legalized(data), arrays)):
        assert result.shape == shape


REFUSAL = (
    "must be constant|expected (a block of at most|a padded shape|a permutation|an operand that|a shape of|"
    "an output shape)"
)


@pytest.mark.parametrize(
    ("builtin", "operands", "shape"),
    [
        (B.PAD, [ints(1, 2, 3), ints((1, 0))], (2,)),
        (B.PAD, [ints(1, 2, 3), ints((1, 0))], ()),
        (B.TRANSPOSE, [elements("int32", 2, 3), ints(1, 0)], (3, 3)),
        (B.TILE, [ints(1, 2, 3), ints(2)], (7,)),
        (B.RESHAPE, [ints(1, 2, 3), ints(1, 3)], (1, 4)),
        (B.BROADCAST_TO, [ints(1, 2, 3), ints(2, 3)], (2, 4)),
        (B.EXPAND_DIMS, [ints(1, 2, 3), ints(0)], (3, 3)),
        (B.SLICE, [ints(1, 2, 3), ints(0), ints(1)], (4,)),
        (B.SLICE, [ints(1, 2, 3), ints(0), ints(1)], (-1,)),
    ],
)
def test_shapes_that_the_operator_cannot_give_are_refused(
    builtin: B, operands: list[Operand], shape: tuple[int, ...]
) -> None:
    data, _ = stated(builtin, operands, [shape])
    with pytest.raises(UnsupportedError, match=REFUSAL):
        legalized(data)


@pytest.mark.parametrize("dtype", ["int32", "int64"])
@pytest.mark.parametrize(("start", "limit", "delta"), [(0, 4, 1), (7, 14, 2), (5, -3, -2)])
def test_range_equals_litert(dtype: str, start: int, limit: int, delta: int) -> None:
    first, last, step = (ints(number, dtype=dtype).reshape(()) for number in (start, limit, delta))
    compare_with_litert(B.RANGE, [first, last, step], [(4,)])
    compare_with_litert(B.RANGE, [Const(first), last, Const(step)], [(4,)], [dtype])


def test_transpose_conv_equals_litert() -> None:
    x, weight = elements("float32", 1, 3, 3, 2), Const(elements("float32", 4, 2, 2, 2))
    options: dict[str, Any] = {"padding": Padding.VALID, "stride_h": 2, "stride_w": 2}
    compare_with_litert(B.TRANSPOSE_CONV, [ints(1, 6, 6, 4), weight, x], [(1, 6, 6, 4)], ["float32"], **options)


@pytest.mark.parametrize("dtype", ["int8", "int16"])
def test_quantized_operators_equal_litert(dtype: str) -> None:
    x = elements(dtype, 1, 4, 4, 2)
    quantized: dict[str, Any] = {"scale": 0.5, "zero_point": 3 if dtype == "int8" else 0}
    cases = [
        (B.RESIZE_BILINEAR, ints(7, 9), (1, 7, 9, 2), {"align_corners": False, "half_pixel_centers": False}),
        (B.PAD, ints((0, 0), (1, 2), (2, 0), (0, 0)), (1, 7, 6, 2), {}),
    ]
    if dtype == "int8":  # LiteRT has no other
        cases.append((B.SPACE_TO_BATCH_ND, ints((1, 1), (0, 2)), (4, 3, 3, 2), {}))
    for builtin, operand, shape, options in cases:
        tensors = [
            Tensor(x.shape, dtype, **quantized),
            Tensor(operand.shape, "int32"),
            Tensor(shape, dtype, **quantized),
        ]
        places = [0, 1]
        if builtin is B.SPACE_TO_BATCH_ND:
            tensors.append(Tensor((2,), "int32", np.array([2, 2], np.int32)))
            places = [0, 3, 1]
        data = build(tensors, [Operator(builtin, places, [2], options)], [0, 1], [2])
        (want,) = run_litert(data, [x, operand])
        (output,) = tc.run(tc.convert(parse(data)), {"t0": x, "t1": operand}).values()
        np.testing.assert_array_equal(output, want, strict=True)


def test_a_shape_stated_for_another_batch_is_ignored() -> None:
    """The file's inner shapes have a batch of 1, as converters write them for an unknown batch."""
    tensors = [Tensor((1, 3), signature=(-1, 3)), Tensor((1, 3)), Tensor((2, 2), "int32"), Tensor((2, 5))]
    operators = [Operator(B.ABS, (0,), (1,)), Operator(B.PAD, (1, 2), (3,))]
    data = build(tensors, operators, (0, 2), (3,))
    assert tc.convert(parse(data), input_shapes={"t0": (1, 3)}).main.outputs[0].type.shape == (2, 5)
    with pytest.raises(UnsupportedError, match="states the result's shape for operands of other"):
        tc.convert(parse(data), input_shapes={"t0": (2, 3)})


@pytest.mark.parametrize(
    ("builtin", "operands", "shape"),
    [
        (B.TRANSPOSE, [Tensor((1 << 30, 1 << 30)), Tensor((2,), "int32")], (1 << 30, 1 << 30)),
        (B.PAD, [Tensor((3,)), Tensor((1, 2), "int32")], (1 << 30,)),
        (B.MIRROR_PAD, [Tensor((1 << 30,)), Tensor((1, 2), "int32")], ((1 << 31) - 1,)),
        (B.SLICE, [Tensor((1 << 30,)), Tensor((1,), "int32"), Tensor((1,), "int32")], (1 << 29,)),
        (B.FILL, [Tensor((2,), "int32"), Tensor(())], (1 << 30, 1 << 30)),
    ],
)
def test_huge_stated_shapes_are_refused(builtin: B, operands: list[Tensor], shape: tuple[int, ...]) -> None:
    places = range(len(operands)), [len(operands)]
    data = build([*operands, Tensor(shape)], [Operator(builtin, *places)], places[0], places[1])
    with pytest.raises(UnsupportedError, match="expected a constant of at most"):
        legalized(data)
