"""Sparse constants equal LiteRT's DENSIFY; contradictory metadata is refused."""

import contextlib
import itertools
from typing import Any

import numpy as np
import pytest
from support.legalizing import as_signless, compare, executed, legalized
from support.some import some
from support.sparse import LAYOUTS, Layout, encode, sparse_array
from support.tflite_models import Operator, Tensor, build, run_litert

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError, UnsupportedError
from tosa_converter.formats.tflite.sparse import densify, stored_elements
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import (
    BuiltinOperator,
    DimensionMetadata,
    DimensionType,
    Int32Vector,
    SparsityParameters,
)


@pytest.mark.parametrize("case", range(len(LAYOUTS)))
@pytest.mark.parametrize("kind", ["float32", "float16", "int8"])
def test_sparse_constants_equal_densify(case: int, kind: str) -> None:
    shape, layout = LAYOUTS[case]
    dense = sparse_array(case, kind, shape)
    values, sparsity = encode(dense, layout)
    np.testing.assert_array_equal(densify(values, shape, sparsity), dense)
    tensors = [Tensor(shape, kind, raw=values, sparsity=sparsity), Tensor(shape, kind)]
    data = build(tensors, [Operator(BuiltinOperator.DENSIFY, [0], [1])], [], [1])
    want = run_litert(data, [])
    np.testing.assert_array_equal(want[0], dense)
    compare(executed(legalized(data), []), [as_signless(array) for array in want], 0)


def test_a_sparse_constant_may_store_nothing() -> None:
    dense = np.zeros((3, 4), np.float32)
    np.testing.assert_array_equal(densify(*place(*encode(dense, Layout((0, 1), {}, (False, True))))), dense)


def place(values: Array, sparsity: SparsityParameters) -> tuple[Array, tuple[int, ...], SparsityParameters]:
    return values, (3, 4), sparsity


def level(segments: list[int], indices: list[int]) -> DimensionMetadata:
    return DimensionMetadata(
        format=DimensionType.SPARSE_CSR,
        array_segments=Int32Vector(values=np.array(segments, np.int32)),
        array_indices=Int32Vector(values=np.array(indices, np.int32)),
    )


ROWS = DimensionMetadata(dense_size=3)


@pytest.mark.parametrize(
    ("order", "blocks", "levels", "message"),
    [
        ((0, 1), (), (ROWS,), r"expected 2 levels, found traversal_order \[0, 1\] and 1 levels"),
        ((0, 0), (), (ROWS, ROWS), "expected 2 levels"),
        ((0, 1, 2), (5,), (ROWS,) * 3, r"block_map of different axes of shape .*, found \[5\]"),
        (
            (0, 1, 2),
            (1,),
            (ROWS, level([0] * 4, []), DimensionMetadata(dense_size=3)),
            "blocks that divide a dimension of size 4, found blocks of 3",
        ),
        (
            (0, 1, 2),
            (1,),
            (ROWS, level([0] * 4, []), DimensionMetadata(dense_size=0)),
            "blocks that divide a dimension of size 4, found blocks of 0",
        ),
        (
            (0, 1),
            (),
            (DimensionMetadata(dense_size=4), level([0] * 5, [])),
            r"dim_metadata\[0\]: expected dense_size 3",
        ),
        ((0, 1), (), (ROWS, level([0, 1], [0])), r"dim_metadata\[1\]: expected 4 segments, found 2"),
        ((0, 1), (), (ROWS, level([0, 2, 1, 2], [0, 1])), "segments that ascend"),
        ((0, 1), (), (ROWS, level([0, 1, 2, 9], [0, 1])), "segments that ascend"),
        ((0, 1), (), (ROWS, level([-1, 0, 1, 2], [0, 1])), "segments that ascend"),
        ((0, 1), (), (ROWS, level([0, 1, 2, 2], [0, 4])), "indices from 0 to 4 in a dimension of size 4"),
        ((0, 1), (), (ROWS, level([0, 1, 1, 1], [0])), "describes 1 elements, found 2"),
        ((0, 1), (), (ROWS, DimensionMetadata(format=DimensionType.SPARSE_CSR)), "expected 4 segments, found 0"),
    ],
)
def test_contradictory_metadata_is_refused(order: Any, blocks: Any, levels: Any, message: str) -> None:
    sparsity = SparsityParameters(traversal_order=order, block_map=blocks, dim_metadata=levels)
    with pytest.raises(FormatError, match=message):
        densify(np.ones(2, np.float32), (3, 4), sparsity, "tensor")


def test_a_small_file_gets_no_large_array() -> None:
    sizes = (1 << 20, 1 << 20)
    levels = tuple(DimensionMetadata(dense_size=size) for size in sizes)
    sparsity = SparsityParameters(traversal_order=(0, 1), dim_metadata=levels)
    with pytest.raises(FormatError, match="2 stored elements for a shape of"):
        densify(np.ones(2, np.float32), sizes, sparsity)


def test_every_mutation_of_the_metadata_is_decoded_or_refused() -> None:
    """No other exception is raised, whatever the indices are."""
    dense = sparse_array(0, "float32", (3, 4))
    values, sparsity = encode(dense, Layout((0, 1), {}, (False, True)))
    level = sparsity.dim_metadata[1]
    assert isinstance(level.array_segments, Int32Vector)
    assert isinstance(level.array_indices, Int32Vector)
    segments, indices = some(level.array_segments.values), some(level.array_indices.values)
    for vector, value in itertools.product((segments, indices), (-(1 << 31), -1, 0, 1, 3, 4, 5, (1 << 31) - 1)):
        for i in range(vector.size):
            old_value, vector[i] = vector[i], value
            with contextlib.suppress(FormatError):
                assert densify(values, (3, 4), sparsity).shape == (3, 4)
            vector[i] = old_value


@pytest.mark.parametrize(("kind", "bits"), [("int4", 4), ("int2", 2)])
@pytest.mark.parametrize("stored", range(1, 8))
def test_sparse_elements_of_less_than_a_byte(kind: str, bits: int, stored: int) -> None:
    shape, layout = LAYOUTS[0]
    dense = np.zeros(shape, np.int8)
    dense.reshape(-1)[:: 48 // stored][:stored] = -1
    values, sparsity = encode(dense, layout)
    packed = np.zeros(-(-values.size * bits // 8), np.uint8)
    for i, value in enumerate(values):
        packed[i * bits // 8] |= (int(value) & (1 << bits) - 1) << i * bits % 8
    tensors = [Tensor(shape, kind, raw=packed, sparsity=sparsity, scale=0.5), Tensor(shape, "float32")]
    model = tc.convert(build(tensors, [Operator(BuiltinOperator.DEQUANTIZE, [0], [1])], [], [1]))
    np.testing.assert_array_equal(tc.run(model, {})["t1"], dense * 0.5)


SPARSE_TYPES = ["int64", "int32", "int16", "int8", "uint8", "uint16", "uint32", "float32", "float16", "bool"]


@pytest.mark.parametrize("kind", SPARSE_TYPES)
@pytest.mark.parametrize("shape", [(3, 4), ()])
def test_a_sparse_constant_of_any_type_has_its_shape_and_its_elements(kind: str, shape: tuple[int, ...]) -> None:
    dense = np.zeros(shape, kind)
    dense[(..., *(size - 1 for size in shape))] = 1
    layout = Layout(tuple(range(len(shape))), {}, (False,) * (len(shape) - 1) + (True,) * bool(shape))
    values, sparsity = encode(dense, layout)
    tensors = [Tensor(shape, kind, raw=values, sparsity=sparsity), Tensor((1, *shape), kind)]
    tensors.append(Tensor((1,), "int32", data=np.zeros(1, np.int32)))
    data = build(tensors, [Operator(BuiltinOperator.EXPAND_DIMS, [0, 2], [1])], [], [1])
    (output,) = tc.run(tc.convert(data), {}).values()
    np.testing.assert_array_equal(output, as_signless(dense[None]))


def test_sparse_elements_beyond_32_bits_are_refused() -> None:
    dense = np.array([[0, 1 << 40]], np.int64)
    values, sparsity = encode(dense, Layout((0, 1), {}, (False, True)))
    tensors = [Tensor((1, 2), "int64", raw=values, sparsity=sparsity), Tensor((1, 2), "int64")]
    data = build(tensors, [Operator(BuiltinOperator.NEG, [0], [1])], [], [1])
    with pytest.raises(UnsupportedError, match="64-bit elements that don't fit 32 bits"):
        tc.convert(data)


@pytest.mark.parametrize(("dtype", "bits", "signed"), [(DType.I2, 2, True), (DType.I4, 4, True), (DType.UI4, 4, False)])
def test_every_byte_holds_its_elements(dtype: DType, bits: int, signed: bool) -> None:
    """The first element is in the low bits; an element with its highest bit set is negative in signed types."""
    expected = [byte >> low & (1 << bits) - 1 for byte in range(256) for low in range(0, 8, bits)]
    expected = [x - (1 << bits) if signed and x >> bits - 1 else x for x in expected]
    elements = stored_elements(np.arange(256, dtype=np.uint8), dtype)
    assert elements.dtype == (np.int8 if signed else np.uint8)
    assert elements.tolist() == expected
