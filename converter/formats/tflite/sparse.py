"""Sparse constants of TFLite: the stored elements and the metadata of `SparsityParameters` become a dense array.

The dense dimensions, each of which may be split into blocks, are stored in the order of `traversal_order`. A DENSE
level has all its indices; a SPARSE_CSR level has, for each node of the level above, the run of `array_indices` between
two entries of `array_segments`. The stored elements follow in the order of the leaves.
"""

import math
from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import FormatError
from tosa_converter.formats.elements import unpack_parts
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import DimensionMetadata, DimensionType, SparseIndexVector, SparsityParameters

# A small file must not ask for a large array: at most this many elements, or this many times the stored ones.
MOST_ELEMENTS = 1 << 20
MOST_EXPANSION = 1 << 10


def stored_elements(raw: Array, dtype: DType) -> Array:
    """Returns the elements in a constant's bytes, one-dimensional; a view where each takes whole bytes.

    Elements of less than a byte may be more than the constant has, since all of the last byte is unpacked.

    Raises:
        FormatError: the bytes end within an element.
    """
    if dtype.bits < 8 and dtype is not DType.BOOL:
        # Five stored elements of 4 bits are 3 bytes, which give 6: `densify` drops the one that fills the last byte.
        return unpack_parts(raw, raw.size * 8 // dtype.bits, dtype)
    if raw.size % dtype.numpy.itemsize:
        raise FormatError(f"expected whole elements of {dtype.value}, found {raw.size} bytes")
    return raw != 0 if dtype is DType.BOOL else raw.view(dtype.numpy)


def densify(
    values: Array, shape: Sequence[int], sparsity: SparsityParameters, place: str = "", per_byte: int = 1
) -> Array:
    """Returns the dense array of a sparse constant.

    Args:
        values: the stored elements, one-dimensional, of the tensor's element type.
        shape: the dense shape.
        sparsity: the metadata.
        place: where the tensor lies in the file, for messages.
        per_byte: how many elements a byte holds, 1 or more; surplus elements of a last byte are dropped.

    Raises:
        FormatError: metadata that contradicts itself, the shape or the number of elements.
    """
    elements = math.prod(shape)
    # 1 stored element may stand for 1,048,576 and 10,000 for 10,240,000; more is refused before it is allocated.
    if elements > max(MOST_ELEMENTS, values.size * MOST_EXPANSION):
        raise FormatError(f"{values.size} stored elements for a shape of {list(shape)}", path=place)
    try:
        index = _flat_indices(shape, sparsity)
        values = values[: index.size] if values.size - index.size < per_byte else values
        if index.size != values.size:
            raise FormatError(f"the metadata describes {index.size} elements, found {values.size}")
    except FormatError as error:
        error.inside(f"{place}.sparsity" if place else "sparsity")
        raise
    dense = np.zeros(elements, values.dtype)
    dense[index] = values
    return dense.reshape(shape)


def _flat_indices(shape: Sequence[int], sparsity: SparsityParameters) -> Array:
    """Returns the position of every stored element of a sparse constant in the flattened dense array.

    The levels of its tree are expanded one after the other.
    """
    sizes, strides = _sizes_and_strides(shape, sparsity)
    nodes = flat = np.zeros(1, np.int64)
    for level, (dimension, metadata) in enumerate(zip(sparsity.traversal_order, sparsity.dim_metadata, strict=True)):
        try:
            size = sizes[dimension]
            parent, nodes, index = (
                _expand_dense_level(nodes, size)
                if _is_dense(metadata, size)
                else _expand_compressed_level(nodes, metadata, size)
            )
        except FormatError as error:
            error.inside(f"dim_metadata[{level}]")
            raise
        # A node at index i of a level lies i strides of the level's dimension behind its parent.
        flat = flat[parent] + index * strides[dimension]
    return flat


def _sizes_and_strides(shape: Sequence[int], sparsity: SparsityParameters) -> tuple[list[int], list[int]]:
    """Returns the size and stride, in elements of the dense array, of every dimension of a sparse constant.

    The dimensions of blocks follow the shape's own. Raises FormatError for metadata that doesn't fit the shape.
    """
    order, blocks = sparsity.traversal_order, sparsity.block_map
    rank = len(shape) + len(blocks)
    if sorted(order) != list(range(rank)) or len(sparsity.dim_metadata) != rank:
        raise FormatError(
            f"expected {rank} levels, found traversal_order {list(order)} and {len(sparsity.dim_metadata)} levels"
        )
    if len(set(blocks)) != len(blocks) or any(not 0 <= axis < len(shape) for axis in blocks):
        raise FormatError(f"expected a block_map of different axes of shape {list(shape)}, found {list(blocks)}")
    sizes = list(shape)
    strides = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    # Shape [4, 6] in blocks of [2, 2]: sizes [2, 3, 2, 2], strides [12, 2, 6, 1]. Block (1, 2) begins at element
    # 1 * 12 + 2 * 2 = 16, row 2 and column 4; element (1, 1) in it is 16 + 6 + 1 = 23, the last of 24.
    for i, axis in enumerate(blocks):
        block = sparsity.dim_metadata[order.index(len(shape) + i)].dense_size
        if block < 1 or shape[axis] % block:
            raise FormatError(f"expected blocks that divide a dimension of size {shape[axis]}, found blocks of {block}")
        sizes.append(block)
        strides.append(strides[axis])
        sizes[axis] //= block
        strides[axis] *= block
    return sizes, strides


def _is_dense(metadata: DimensionMetadata, size: int) -> bool:
    """Returns whether a level stores all its indices (DENSE); raises FormatError if its size isn't the dimension's."""
    if metadata.format != DimensionType.DENSE:
        return False
    if metadata.dense_size != size:
        raise FormatError(f"expected dense_size {size}, found {metadata.dense_size}")
    return True


def _expand_dense_level(nodes: Array, size: int) -> tuple[Array, Array, Array]:
    """Returns, for each child of the given nodes in a DENSE level: its parent, its own number, and its index.

    The parent is a position in `nodes`, the number a position in the level; each node has `size` children.
    """
    # Nodes 0 and 2 with 3 children each: parents 0 0 0 1 1 1 (places among the nodes), numbers 0 1 2 6 7 8.
    parent = np.repeat(np.arange(nodes.size), size)
    index = np.tile(np.arange(size), nodes.size)
    return parent, np.repeat(nodes * size, size) + index, index


def _expand_compressed_level(nodes: Array, metadata: DimensionMetadata, size: int) -> tuple[Array, Array, Array]:
    """Returns, for each child of the given nodes in a SPARSE_CSR level: its parent, its own number, and its index.

    The parent is a position in `nodes`, the number a position in the level's storage. The children of node i are the
    indices between segments i and i + 1. Raises FormatError for segments or indices that contradict each other or the
    size.
    """
    segments, indices = _index_entries(metadata.array_segments), _index_entries(metadata.array_indices)
    if nodes.size and int(nodes.max()) + 1 >= segments.size:
        raise FormatError(f"expected {int(nodes.max()) + 2} segments, found {segments.size}")
    child_counts = np.diff(segments)
    if segments.size and (segments[0] < 0 or segments[-1] > indices.size or bool(np.any(child_counts < 0))):
        raise FormatError(f"expected segments that ascend from 0 to {indices.size} at most")
    if indices.size and not 0 <= indices.min() <= indices.max() < size:
        raise FormatError(f"indices from {indices.min()} to {indices.max()} in a dimension of size {size}")
    # Segments 0 2 3 with indices 0 2 1: node 0 has columns 0 and 2, node 1 has column 1;
    # so parents 0 0 1, numbers 0 1 2, columns 0 2 1.
    node_counts = child_counts[nodes]
    parent = np.repeat(np.arange(nodes.size), node_counts)
    first = np.cumsum(node_counts) - node_counts
    child = np.arange(parent.size) - first[parent] + segments[nodes[parent]]
    return parent, child, indices[child]


def _index_entries(vector: SparseIndexVector | None) -> Array:
    """Returns the entries of a sparse index vector, which has 8, 16 or 32 bits, as int64; empty if it is absent."""
    values = None if vector is None else getattr(vector, "values", None)
    return np.zeros(0, np.int64) if values is None else values.astype(np.int64)
