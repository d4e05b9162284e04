"""Operators of StableHLO with indices: what is known of them becomes slices, the rest is gathered or looked for."""

import math
from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Value
from tosa_converter.legalize.checks import NUMBERS, STORED, not_quantized
from tosa_converter.legalize.operands import affordable, held_in_32_bits
from tosa_converter.legalize.tflite.stablehlo.movement import distinct
from tosa_converter.legalize.tflite.stablehlo.reductions import REDUCERS, body, identity, reduced
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tflite
from tosa_converter.schemas import tosa_ops as ops


def _starts(match: Match, first: int, room: Sequence[int]) -> Value:
    """The indices of one element each from operand `first` on, cut to what there is room for, as [axes]."""
    builder = match.builder
    indices = [match[key] for key in range(first, len(match.op.inputs))]
    if len(indices) != len(room) or min(room, default=0) < 0 or any(index.type.elements != 1 for index in indices):
        raise Decline(f"indices {[str(index.type) for index in indices]} with room for {list(room)}")
    joined = builder.concat([builder.reshape(index, (1,)) for index in indices], 0)
    return _within(builder, joined, room)


def _within(builder: Builder, starts: Value, room: Sequence[int]) -> Value:
    most = builder.const(np.array(room), DType.I32)
    return builder.minimum(builder.maximum(starts, builder.scalar(0, starts)), most)


def _strides(shape: Sequence[int]) -> Array:
    """How many elements an index along each axis counts for."""
    return np.append(np.cumprod(shape[:0:-1])[::-1], 1)[: len(shape)].astype(np.int64)


def _flat(builder: Builder, indices: Value, strides: Array) -> Value:
    """Indices [.., axes] as one index [.., 1] each."""
    if np.any(strides != 1):
        indices = builder.mul(
            indices, builder.const(strides.reshape((1,) * (indices.type.rank - 1) + (-1,)), DType.I32)
        )
    axis = indices.type.rank - 1
    return builder.reduce(ops.REDUCE_SUM, indices, axis) if indices.type.static[axis] > 1 else indices


def _window(shape: Sequence[int], size: Sequence[int]) -> Array:
    """The flat offsets of a window's elements."""
    affordable(size)
    return np.asarray(np.tensordot(_strides(shape), np.indices(size).reshape(len(size), -1), 1))


def _taken(builder: Builder, x: Value, indices: Value, row: int = 1) -> Value:
    """Elements by flat indices, in the shape of those, or rows of elements, which are then the last axis."""
    held = x.type.dtype
    x = builder.reshape(builder.cast(x, DType.I8) if held is DType.BOOL else x, (1, x.type.elements // row, row))
    found = builder.gather(x, builder.reshape(indices, (1, indices.type.elements)))
    return builder.reshape(builder.cast(found, held), (*indices.type.static, *[row] * (row > 1)))


def _cut_axes(shape: Sequence[int], size: Sequence[int]) -> int:
    """How many axes there are up to the last of which windows don't take all."""
    return max((axis + 1 for axis, (have, n) in enumerate(zip(shape, size, strict=True)) if n < have), default=1)


def dynamic_slice(match: Match) -> Value:
    """DYNAMIC_SLICE: SLICE where the indices are known, else GATHER."""
    builder, x = match.builder, match["operand"]
    shape, size = x.type.static, list(match.attributes(tflite.StablehloDynamicSliceOptions).slice_sizes)
    if len(size) != len(shape) or not all(0 < n <= have for n, have in zip(size, shape, strict=True)):
        raise Decline(f"a slice of {size} of {x.type}")
    starts = _starts(match, 1, [have - n for n, have in zip(size, shape, strict=True)])
    if starts.constant is not None:
        return builder.slice(x, starts.constant.tolist(), size)
    cut = _cut_axes(shape, size)
    starts = _flat(builder, builder.slice(starts, (0,), (cut,)), _strides(shape[:cut]))
    indices = builder.add(starts, builder.const(_window(shape[:cut], size[:cut]), DType.I32))
    return builder.reshape(_taken(builder, x, indices, math.prod(shape[cut:])), size)


def dynamic_update_slice(match: Match) -> Value:
    """DYNAMIC_UPDATE_SLICE: the update where a mask says so."""
    builder, x, update = match.builder, match["operand"], match["update"]
    shape, size = x.type.static, update.type.static
    if len(size) != len(shape):
        raise Decline(f"an update of {update.type} in {x.type}")
    starts = _starts(match, 2, [have - n for n, have in zip(size, shape, strict=True)])
    place = builder.const(np.indices(affordable(shape)).reshape(len(shape), -1).T, DType.I32)
    offset = builder.sub(place, builder.reshape(starts, (1, len(shape))))
    last = builder.const(np.array(size)[None] - 1, DType.I32)
    inside = builder.binary(
        ops.LOGICAL_AND,
        builder.binary(ops.GREATER_EQUAL, offset, builder.scalar(0, offset)),
        builder.binary(ops.GREATER_EQUAL, last, offset),
    )
    inside = builder.reshape(builder.reduce(ops.REDUCE_ALL, inside, 1), shape)
    offset = builder.minimum(builder.maximum(offset, builder.scalar(0, offset)), last)
    indices = _flat(builder, offset, _strides(size))
    return builder.select(inside, _taken(builder, update, builder.reshape(indices, shape)), x)


def _vectors(builder: Builder, indices: Value, axis: int) -> tuple[Value, tuple[int, ...]]:
    """Index vectors as [vectors, entries], and the shape that they are in; an axis behind the last has one entry."""
    if not 0 <= axis <= indices.type.rank:
        raise Decline(f"index vectors along axis {axis} of {indices.type}")
    if axis == indices.type.rank:
        indices = builder.reshape(indices, (*indices.type.static, 1))
    others = [i for i in range(indices.type.rank) if i != axis]
    shape = tuple(indices.type.static[i] for i in others)
    vectors = builder.transpose(indices, (*others, axis))
    return builder.reshape(vectors, (math.prod(shape), indices.type.static[axis])), shape


def gather(match: Match) -> Value:
    """GATHER of windows, whose starts are cut to where they fit."""
    builder, x, options = match.builder, match["operand"], match.attributes(tflite.StablehloGatherOptions)
    shape, size = x.type.static, list(options.slice_sizes)
    mapped = distinct(options.start_index_map, len(shape))
    collapsed = distinct(options.collapsed_slice_dims, len(shape))
    if not mapped or len(size) != len(shape) or not all(1 <= n <= have for n, have in zip(size, shape, strict=True)):
        raise Decline(f"slices of {size} of {x.type}")
    if any(size[axis] != 1 for axis in collapsed):
        raise Decline(f"axes {collapsed} of slices of {size} are left out")
    vectors, batch = _vectors(builder, match["start_indices"], options.index_vector_dim)
    if vectors.type.static[1] != len(mapped):
        raise Decline(f"{vectors.type.static[1]} indices for axes {mapped}")
    starts = _within(builder, vectors, [shape[axis] - size[axis] for axis in mapped])
    cut = max(_cut_axes(shape, size), *(axis + 1 for axis in mapped))
    starts = _flat(builder, starts, _strides(shape[:cut])[mapped])
    window = builder.const(_window(shape[:cut], size[:cut])[None], DType.I32)
    found = _taken(
        builder, x, builder.add(starts, window) if window.type.elements > 1 else starts, math.prod(shape[cut:])
    )
    kept = [n for axis, n in enumerate(size) if axis not in collapsed]
    offsets = distinct(options.offset_dims, len(batch) + len(kept), len(kept))
    found = builder.reshape(found, (*batch, *kept))
    places = iter(range(len(batch)))
    order = [len(batch) + offsets.index(i) if i in offsets else next(places) for i in range(found.type.rank)]
    return builder.transpose(found, order)


# ** SCATTER **


def scatter(match: Match) -> Value:
    """SCATTER: every element of the result looks for the updates that fall on it; those outside fall on none."""
    builder, x, updates = match.builder, match["inputs"], match["updates"]
    options, shape = match.attributes(tflite.StablehloScatterOptions), x.type.static
    inserted = distinct(options.inserted_window_dims, len(shape))
    mapped = distinct(options.scatter_dims_to_operand_dims, len(shape))
    windows = distinct(options.update_window_dims, updates.type.rank, len(shape) - len(inserted))
    vectors, batch = _vectors(builder, match["scatter_indices"], options.index_vector_dim)
    others = [axis for axis in range(updates.type.rank) if axis not in windows]
    kept = iter(updates.type.static[axis] for axis in windows)
    size = [1 if axis in inserted else next(kept) for axis in range(len(shape))]
    if tuple(updates.type.static[axis] for axis in others) != batch or vectors.type.static[1] != len(mapped):
        raise Decline(f"updates of {updates.type} by indices {match['scatter_indices'].type}")
    order = [*others, *windows]  # of the axes that places come in; where several fall on one, the last update counts
    places = builder.reshape(
        _update_places(builder, vectors, mapped, shape, size), [updates.type.static[axis] for axis in order]
    )
    places = builder.transpose(places, [order.index(axis) for axis in range(updates.type.rank)])
    places, values = (builder.reshape(part, (1, updates.type.elements)) for part in (places, updates))
    flat = builder.reshape(x, (x.type.elements, 1))
    index = builder.const(np.arange(x.type.elements)[:, None], DType.I32)
    here = builder.binary(ops.EQUAL, index, places)
    return held_in_32_bits(match, builder.reshape(_updated(match, flat, values, here), shape))


def _update_places(
    builder: Builder, vectors: Value, mapped: Sequence[int], shape: Sequence[int], size: Sequence[int]
) -> Value:
    """The flat index of every element of the updates, as [1, elements]; of those outside -1."""
    count = vectors.type.static[0]
    offsets = np.indices(affordable(size)).reshape(len(size), -1)
    columns = [builder.const(np.zeros((count, 1)), DType.I32)] * len(shape)
    for entry, axis in enumerate(mapped):
        columns[axis] = builder.slice(vectors, (0, entry), (count, 1))
    flat, inside = builder.const(np.zeros((1, 1)), DType.I32), builder.const(np.ones((1, 1)), DType.BOOL)
    for axis, stride in enumerate(_strides(shape)):
        at = builder.add(columns[axis], builder.const(offsets[axis][None], DType.I32))
        flat = builder.add(flat, builder.mul(at, builder.scalar(stride, at)))
        above = builder.binary(ops.GREATER_EQUAL, at, builder.scalar(0, at))
        below = builder.binary(ops.GREATER, builder.scalar(shape[axis], at), at)
        inside = builder.binary(ops.LOGICAL_AND, inside, builder.binary(ops.LOGICAL_AND, above, below))
    places = builder.select(inside, flat, builder.scalar(-1, flat))
    return builder.reshape(places, (1, places.type.elements))


def _updated(match: Match, x: Value, values: Value, here: Value) -> Value:
    """The elements [n, 1] with what falls on them of the updates [1, m], by the operator of the body."""
    builder, combine = match.builder, body(match, "update")
    if combine != "update":
        neutral = builder.scalar(identity(combine, x.type.dtype), values)
        return REDUCERS[combine].join(builder, x, reduced(builder, combine, builder.select(here, values, neutral), 1))
    turn = builder.const(np.arange(1, values.type.elements + 1)[None], DType.I32)  # the last one counts
    last = builder.reduce(ops.REDUCE_MAX, builder.select(here, turn, builder.scalar(0, turn)), 1, nan_mode="PROPAGATE")
    none = builder.scalar(0, last)
    found = _taken(builder, values, builder.maximum(builder.sub(last, builder.scalar(1, last)), none))
    return builder.select(builder.binary(ops.GREATER, last, none), found, x)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.stablehlo_dynamic_slice", STORED, dynamic_slice),
    Rewrite("tfl.stablehlo_dynamic_update_slice", STORED, dynamic_update_slice, (not_quantized,)),
    Rewrite("tfl.stablehlo_gather", STORED, gather),
    Rewrite("tfl.stablehlo_scatter", NUMBERS, scatter),
)
