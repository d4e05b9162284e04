"""Data movement and shape arithmetic equal LiteRT's reference kernels in every element."""

from typing import Any

import numpy as np
import pytest
from support.legalizing import Const, as_signless, check, compare, executed, legalized, single
from support.tflite_models import Operator, Tensor, build, run_litert

from tosa_converter.errors import UnsupportedError
from tosa_converter.ir import Array
from tosa_converter.rewriting.report import Options
from tosa_converter.schemas.tflite import BuiltinOperator, TensorType

KINDS = ["float32", "int32", "int64", "int8", "uint8", "int16", "bool"]
Random = np.random.Generator


def draw_elements(random: Random, kind: str, *shape: int) -> Array:
    """Returns elements of a type."""
    if kind == "bool":
        return np.asarray(random.random(shape) > 0.5)
    return np.asarray(random.integers(0 if kind == "uint8" else -100, 100, shape)).astype(kind)


def case(seed: int) -> tuple[Random, str, tuple[int, ...], Array, bool]:
    """Draws a tensor of each type in turn; the first of each also runs in the reference model."""
    random = np.random.default_rng(seed)
    kind = KINDS[seed % len(KINDS)]
    shape = tuple(int(size) for size in random.integers(1, 5, int(random.integers(1, 6))))
    return random, kind, shape, draw_elements(random, kind, *shape), seed < len(KINDS)


def ints(*values: int) -> Const:
    return Const(np.array(values, np.int32))


def scalar(value: int) -> Const:
    return Const(np.array(value, np.int32))


@pytest.mark.parametrize("seed", range(21))
def test_reshaping_equals_litert(seed: int) -> None:
    random, kind, shape, x, judge = case(seed)
    rank = len(shape)
    check(BuiltinOperator.TRANSPOSE, [x, ints(*random.permutation(rank))], [kind], by_reference_model=judge)
    check(BuiltinOperator.RESHAPE, [x, ints(-1)], [kind])
    check(BuiltinOperator.RESHAPE, [x, ints(*shape[:-1], -1)], [kind])
    check(BuiltinOperator.RESHAPE, [x], [kind], new_shape=shape[::-1])
    check(BuiltinOperator.SQUEEZE, [x], [kind])
    for axis in (i for i in range(rank) if shape[i] == 1):
        check(BuiltinOperator.SQUEEZE, [x], [kind], squeeze_dims=(axis,))
        check(BuiltinOperator.SQUEEZE, [x], [kind], squeeze_dims=(axis - rank,))
    for axis in range(-rank - 1, rank + 1):
        check(BuiltinOperator.EXPAND_DIMS, [x, scalar(axis)], [kind])


def test_a_scalar_as_the_shape_zero_is_read() -> None:
    check(BuiltinOperator.RESHAPE, [np.ones((1, 1), np.float32)], new_shape=(0,))


@pytest.mark.parametrize("seed", range(21))
def test_padding_and_repeating_equals_litert(seed: int) -> None:
    random, kind, shape, x, judge = case(seed)
    rank = len(shape)
    axis = int(random.integers(-rank, rank))
    check(BuiltinOperator.TILE, [x, ints(*random.integers(1, 3, rank))], [kind], by_reference_model=judge)
    check(BuiltinOperator.REVERSE_V2, [x, ints(axis)], [kind], by_reference_model=judge)
    wide = [size if size > 1 else 3 for size in shape]
    check(BuiltinOperator.BROADCAST_TO, [x, ints(2, *wide)], [kind], version=3)
    if kind != "bool":
        amounts = Const(random.integers(0, 3, (rank, 2)).astype(np.int32 if seed % 2 else np.int64))
        check(BuiltinOperator.PAD, [x, amounts], [kind], by_reference_model=judge)
        check(BuiltinOperator.PADV2, [x, amounts, Const(draw_elements(random, kind))], [kind], by_reference_model=judge)


@pytest.mark.parametrize("seed", range(21))
def test_joining_and_splitting_equals_litert(seed: int) -> None:
    random, kind, shape, x, judge = case(seed)
    rank = len(shape)
    axis = int(random.integers(-rank, rank))

    def sized(size: int) -> tuple[int, ...]:
        return tuple(size if i == axis % rank else other for i, other in enumerate(shape))

    parts: list[Any] = [
        draw_elements(random, kind, *sized(int(random.integers(1, 4)))) for _ in range(int(random.integers(2, 5)))
    ]
    parts[1] = Const(parts[1])
    check(BuiltinOperator.CONCATENATION, parts, [kind], by_reference_model=judge, axis=axis)
    if kind == "bool":
        return  # LiteRT splits and packs no bool
    check(BuiltinOperator.PACK, [x, x.copy()], [kind], by_reference_model=judge, values_count=2, axis=axis)
    if kind != "int64":
        check(BuiltinOperator.UNPACK, [x], [kind] * shape[axis], num=shape[axis], axis=axis)
    whole = draw_elements(random, kind, *sized(6))
    check(BuiltinOperator.SPLIT, [scalar(axis), whole], [kind] * 3, by_reference_model=judge, num_splits=3)
    for sizes in ((1, 3, 2), (1, -1, 2)):
        check(BuiltinOperator.SPLIT_V, [whole, ints(*sizes), scalar(axis)], [kind] * 3, num_splits=3)


@pytest.mark.parametrize("seed", range(21))
def test_slice_equals_litert(seed: int) -> None:
    random, kind, shape, x, judge = case(seed)
    begin = [int(random.integers(0, size)) for size in shape]
    size = [
        -1 if random.random() < 0.3 else int(random.integers(1, n - b + 1)) for n, b in zip(shape, begin, strict=True)
    ]
    check(BuiltinOperator.SLICE, [x, ints(*begin), ints(*size)], [kind], by_reference_model=judge)
    check(BuiltinOperator.SLICE, [x, Const(np.array(begin)), Const(np.array(size))], [kind])


@pytest.mark.parametrize("kind", ["float32", "int8", "int32"])
@pytest.mark.parametrize("shape", [(5,), (3, 4), (2, 3, 4)])
@pytest.mark.parametrize("index", ["int32", "int64"])
def test_a_slice_whose_begin_the_run_knows_equals_litert(kind: str, shape: tuple[int, ...], index: str) -> None:
    """The slice begins at every place; the whole tensor has one place only."""
    x = draw_elements(np.random.default_rng(1), kind, *shape)
    size = tuple(n // 2 for n in shape)
    for begin in np.ndindex(*(n - k + 1 for n, k in zip(shape, size, strict=True))):
        check(BuiltinOperator.SLICE, [x, np.array(begin, index), Const(np.array(size, index))], [kind])
    check(BuiltinOperator.SLICE, [x, np.zeros(len(shape), index), Const(np.array(shape, index))], [kind])


def strided(random: Random, rank: int) -> tuple[list[Const], dict[str, int]]:
    """Draws begin, end, strides and masks; a dropped dimension has a stride of 1, as the kernel needs it."""
    count = int(random.integers(1, rank + 1))
    begin, end = random.integers(-6, 6, count), random.integers(-6, 7, count)
    strides = random.choice([1, 1, 2, 3, -1, -2], count)
    masks = {"begin_mask": int(random.integers(0, 1 << count)), "end_mask": int(random.integers(0, 1 << count))}
    dropped = int(random.integers(0, count))
    if random.random() < 0.4:
        masks["shrink_axis_mask"] = 1 << dropped
        begin[dropped], strides[dropped] = random.integers(-1, 1), 1
    for name in ("ellipsis_mask", "new_axis_mask"):
        if random.random() < 0.3:
            masks[name] = int(1 << random.integers(0, count))
    return [ints(*begin), ints(*end), ints(*strides)], masks


@pytest.mark.parametrize("seed", range(42))
def test_strided_slice_equals_litert(seed: int) -> None:
    """Ten random slices count; those that LiteRT refuses or that select nothing don't."""
    random, kind, _, x, judge = case(seed)
    compared = 0
    for _ in range(10):
        operands, masks = strided(random, x.ndim)
        data, arrays = single(BuiltinOperator.STRIDED_SLICE, [x, *operands], [kind], **masks)
        try:
            (want,) = run_litert(data, arrays)
        except RuntimeError:
            continue
        if want.size:
            compared += 1
            check(BuiltinOperator.STRIDED_SLICE, [x, *operands], [kind], by_reference_model=judge, **masks)
            folded, _ = single(BuiltinOperator.STRIDED_SLICE, [Const(x), *operands], [kind], **masks)
            compare(executed(legalized(folded), []), [want], 0)
    assert compared


def test_a_dropped_dimension_with_a_negative_stride_is_refused() -> None:
    x = np.ones((3, 3), np.float32)
    data, _ = single(BuiltinOperator.STRIDED_SLICE, [x, ints(1), ints(0), ints(-1)], shrink_axis_mask=1)
    with pytest.raises(UnsupportedError, match="LiteRT's kernel writes nothing"):
        legalized(data)


def test_every_second_element_needs_no_padding_where_blocks_fit() -> None:
    x = np.arange(16, dtype=np.float32).reshape(2, 8)
    model = check(BuiltinOperator.STRIDED_SLICE, [x, ints(0, 1), ints(2, 8), ints(1, 2)])
    assert not any(op.name == "tosa.pad" for op in model.main.ops)


@pytest.mark.parametrize("seed", range(28))
def test_gather_equals_litert(seed: int) -> None:
    random, kind, shape, x, judge = case(seed)
    batch = int(random.integers(0, min(2, len(shape) - 1) + 1))
    axis = int(random.integers(batch, len(shape)))
    extra = tuple(random.integers(1, 4, int(random.integers(0, 2))))
    indices = np.asarray(random.integers(0, shape[axis], shape[:batch] + extra))
    indices = indices.astype(np.int32 if seed % 2 else np.int64)
    options = {"axis": axis - len(shape) * (seed % 2), "batch_dims": batch}
    check(BuiltinOperator.GATHER, [x, indices], [kind], by_reference_model=judge, **options)
    check(BuiltinOperator.GATHER, [x, Const(indices)], [kind], by_reference_model=judge, **options)


def test_gathering_a_run_of_constant_indices_is_a_slice() -> None:
    x = np.arange(30, dtype=np.float32).reshape(2, 5, 3)
    model = check(BuiltinOperator.GATHER, [x, ints(1, 2, 3)], axis=1)
    assert not any(op.name == "tosa.gather" for op in model.main.ops)


@pytest.mark.parametrize("kind", KINDS[:-1])
def test_select_equals_litert(kind: str) -> None:
    random = np.random.default_rng(0)
    a, b = draw_elements(random, kind, 3, 4), draw_elements(random, kind, 3, 4)
    for condition in (draw_elements(random, "bool", 3, 4), draw_elements(random, "bool", 3), np.array(True)):
        check(BuiltinOperator.SELECT, [condition, a, b], [kind], by_reference_model=True)
    for condition in (draw_elements(random, "bool", 4), draw_elements(random, "bool", 2, 3, 1)):
        check(BuiltinOperator.SELECT_V2, [condition, a, b], [kind], by_reference_model=True)


@pytest.mark.parametrize("kind", KINDS[:5])
@pytest.mark.parametrize("block", [2, 3])
def test_blocks_equal_litert(kind: str, block: int) -> None:
    random = np.random.default_rng(0)
    deep, flat = (
        draw_elements(random, kind, 2, 3, 2, block * block * 2),
        draw_elements(random, kind, 2, 3 * block, 2 * block, 3),
    )
    check(BuiltinOperator.DEPTH_TO_SPACE, [deep], [kind], by_reference_model=True, block_size=block)
    check(BuiltinOperator.SPACE_TO_DEPTH, [flat], [kind], by_reference_model=True, block_size=block)


# ** shapes as values **


@pytest.mark.parametrize("seed", range(7))
def test_shapes_equal_litert(seed: int) -> None:
    _, kind, _, x, _ = case(seed)
    check(BuiltinOperator.SHAPE, [x], ["int32"], out_type=TensorType.INT32)
    check(BuiltinOperator.SHAPE, [x], ["int64"], out_type=TensorType.INT64)
    check(BuiltinOperator.RANK, [x], ["int32"])
    if kind in ("float32", "int32", "int64"):
        check(BuiltinOperator.ZEROS_LIKE, [x], [kind])


@pytest.mark.parametrize("bounds", [(0, 10, 3), (10, 0, -3), (1, 9, 2)])
@pytest.mark.parametrize("kind", ["int32", "int64", "float32"])
def test_range_equals_litert(bounds: tuple[int, int, int], kind: str) -> None:
    check(BuiltinOperator.RANGE, [Const(np.array(bound, kind)) for bound in bounds], [kind])
    check(BuiltinOperator.RANGE, [Const(np.array(bound, np.float32)) for bound in (0, 1, 0.1)])


def test_fill_equals_litert() -> None:
    for value in (np.array(5, np.float32), Const(np.array(5, np.float32))):
        check(BuiltinOperator.FILL, [ints(2, 3), value])


def flattening_model() -> bytes:
    """Returns reshape(x, [shape(x)[0], prod(shape(x)[1:])]) of an unknown batch, as converters write Flatten."""
    tensors = [
        Tensor((1, 3, 4), signature=(-1, 3, 4)),
        Tensor((3,), "int32"),
        Tensor((1,), "int32", [0]),
        Tensor((1,), "int32", [1]),
        Tensor((1,), "int32", [3]),
        Tensor((), "int32"),
        Tensor((2,), "int32"),
        Tensor((1,), "int32", [0]),
        Tensor((), "int32"),
        Tensor((2,), "int32"),
        Tensor((1, 12), signature=(-1, 12)),
    ]
    dropped = {"shrink_axis_mask": 1}
    operators = [
        Operator(BuiltinOperator.SHAPE, [0], [1], {"out_type": TensorType.INT32}),
        Operator(BuiltinOperator.STRIDED_SLICE, [1, 2, 3, 3], [5], dropped),
        Operator(BuiltinOperator.STRIDED_SLICE, [1, 3, 4, 3], [6]),
        Operator(BuiltinOperator.REDUCE_PROD, [6, 7], [8]),
        Operator(BuiltinOperator.PACK, [5, 8], [9], {"values_count": 2}),
        Operator(BuiltinOperator.RESHAPE, [0, 9], [10]),
    ]
    return build(tensors, operators, [0], [10])


@pytest.mark.parametrize("batch", [None, 5])
def test_shape_arithmetic_folds(batch: int | None) -> None:
    data = flattening_model()
    options = Options(input_shapes={"t0": (batch, 3, 4)} if batch else {})
    model = legalized(data, options)
    assert {op.name for op in model.main.ops} == {"tosa.const_shape", "tosa.reshape"}
    x = np.random.default_rng(0).normal(size=(batch or 1, 3, 4)).astype(np.float32)
    compare(executed(model, [x]), run_litert(data, [x]), 0)


def test_empty_pieces_of_a_shape_vanish() -> None:
    """shape(x)[0:0] is joined with the rest: no TOSA tensor is empty, but a constant may be."""
    tensors = [
        Tensor((2, 3), "float32"),
        Tensor((2,), "int32"),
        Tensor((1,), "int32", [0]),
        Tensor((1,), "int32", [1]),
        Tensor((0,), "int32"),
        Tensor((2,), "int32"),
        Tensor((2, 3), "float32"),
    ]
    operators = [
        Operator(BuiltinOperator.SHAPE, [0], [1], {"out_type": TensorType.INT32}),
        Operator(BuiltinOperator.STRIDED_SLICE, [1, 2, 2, 3], [4]),
        Operator(BuiltinOperator.CONCATENATION, [4, 1], [5]),
        Operator(BuiltinOperator.RESHAPE, [0, 5], [6]),
    ]
    data = build(tensors, operators, [0], [6])
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    compare(executed(legalized(data), [x]), run_litert(data, [x]), 0)


# ** quantization and refusals **


def quantized_pair(builtin: BuiltinOperator, scale: float, options: dict[str, Any]) -> bytes:
    tensors = [Tensor((2, 3), "uint8", scale=0.5, zero_point=3)] * 2 + [Tensor((), "uint8", scale=scale, zero_point=3)]
    return build(tensors, [Operator(builtin, [0, 1], [2], options)], [0, 1], [2])


def test_concatenation_of_one_quantization_moves_bytes() -> None:
    data = quantized_pair(BuiltinOperator.CONCATENATION, 0.5, {"axis": 1})
    arrays = [draw_elements(np.random.default_rng(seed), "uint8", 2, 3) for seed in range(2)]
    compare(executed(legalized(data), [as_signless(array) for array in arrays]), run_litert(data, arrays), 0)


def test_concatenation_of_two_quantizations_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="differ in quantization"):
        legalized(quantized_pair(BuiltinOperator.CONCATENATION, 0.25, {"axis": 1}))


@pytest.mark.parametrize(
    ("builtin", "operands", "options", "reason"),
    [
        (BuiltinOperator.RESHAPE, [ints(4, -1)], {}, r"expected a shape of \d+ elements, found \[4, -1\]"),
        (
            BuiltinOperator.SPLIT_V,
            [ints(1, 3), scalar(1)],
            {"num_splits": 2},
            r"expected piece sizes that add up to axis 1 of .*, found \[1, 3\]",
        ),
        (BuiltinOperator.PAD, [Const(np.ones((1, 2), np.int32))], {}, "expected 4 amounts of padding, found 2"),
        (BuiltinOperator.GATHER, [ints(2, 3)], {"axis": 1}, "expected indices inside the operand, found 2 to 3"),
        (BuiltinOperator.STRIDED_SLICE, [ints(0), ints(1), ints(0)], {}, "expected strides other than 0"),
        (
            BuiltinOperator.STRIDED_SLICE,
            [ints(0, 0, 0), ints(1, 1, 1), ints(1, 1, 1)],
            {},
            "expected at most 2 indices, found 3",
        ),
        (BuiltinOperator.STRIDED_SLICE, [ints(1), ints(1), ints(1)], {}, "no empty tensors"),
    ],
)
def test_refusals_state_the_reason(
    builtin: BuiltinOperator, operands: list[Const], options: dict[str, Any], reason: str
) -> None:
    results = ["float32"] * (2 if builtin is BuiltinOperator.SPLIT_V else 1)
    data, _ = single(builtin, [np.ones((2, 3), np.float32), *operands], results, **options)
    with pytest.raises(UnsupportedError, match=reason):
        legalized(data)
