"""Builds sparse constants from dense ones."""

import dataclasses
from typing import Any

import numpy as np

from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import (
    DimensionMetadata,
    DimensionType,
    Int32Vector,
    SparsityParameters,
    Uint8Vector,
    Uint16Vector,
)

WIDTHS = {np.int32: Int32Vector, np.uint16: Uint16Vector, np.uint8: Uint8Vector}


@dataclasses.dataclass
class Layout:
    """The form of a sparse array: order of the levels, block sizes by dimension, and which levels are compressed."""

    order: tuple[int, ...]
    blocks: dict[int, int]
    compressed: tuple[bool, ...]
    width: Any = np.int32


def encode(dense: Array, layout: Layout) -> tuple[Array, SparsityParameters]:
    """Returns the stored elements and the metadata, from a walk over the tree of levels."""
    rank = dense.ndim
    blocks = list(layout.blocks.items())
    split: list[int] = []
    for axis, size in enumerate(dense.shape):
        block = layout.blocks.get(axis, 1)
        split += [size // block, block]
    expanded = dense.reshape(split)
    outer, inner = [2 * axis for axis in range(rank)], [2 * axis + 1 for axis, _ in blocks]
    unused = [2 * axis + 1 for axis in range(rank) if axis not in layout.blocks]
    expanded = expanded.transpose([*outer, *inner, *unused]).reshape([split[i] for i in (*outer, *inner)])
    tree = expanded.transpose(layout.order)
    levels: list[DimensionMetadata] = []
    nodes: list[tuple[int, ...]] = [()]
    for level, size in enumerate(tree.shape):
        children: list[tuple[int, ...]] = []
        segments, indices = [0], []
        for node in nodes:
            stored = [i for i in range(size) if not layout.compressed[level] or tree[(*node, i)].any()]
            children += [(*node, i) for i in stored]
            indices += stored
            segments.append(len(indices))
        nodes = children
        if layout.compressed[level]:
            vector = WIDTHS[layout.width]
            levels.append(
                DimensionMetadata(
                    format=DimensionType.SPARSE_CSR,
                    array_segments=vector(values=np.array(segments, layout.width)),
                    array_indices=vector(values=np.array(indices, layout.width)),
                )
            )
        else:
            levels.append(DimensionMetadata(dense_size=size))
    values = np.array([tree[node] for node in nodes], dense.dtype)
    sparsity = SparsityParameters(
        traversal_order=layout.order, block_map=tuple(axis for axis, _ in blocks), dim_metadata=tuple(levels)
    )
    return values, sparsity


def sparse_array(seed: int, kind: str, shape: tuple[int, ...]) -> Array:
    random = np.random.default_rng(seed)
    return (random.integers(1, 100, shape) * (random.random(shape) < 0.3)).astype(kind)


LAYOUTS = [
    ((6, 8), Layout((0, 1), {}, (False, True))),
    ((6, 8), Layout((1, 0), {}, (False, True), np.uint8)),
    ((6, 8), Layout((0, 1), {}, (True, True), np.uint16)),
    ((6, 8), Layout((0, 1, 2), {1: 4}, (False, True, False), np.uint8)),
    ((6, 8), Layout((0, 1, 2, 3), {0: 2, 1: 4}, (False, True, False, False), np.uint16)),
    ((4, 1, 2, 6), Layout((0, 1, 2, 3), {}, (False, False, False, True), np.uint8)),
    ((4, 3, 2, 6), Layout((3, 0, 1, 2), {}, (False, True, False, True))),
    ((4, 3, 2, 6), Layout((0, 1, 2, 3, 4), {3: 3}, (True, False, False, True, False))),
    ((5,), Layout((0,), {}, (True,))),
]
