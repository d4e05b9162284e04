"""Operators of StableHLO with indices: what is known of them becomes slices, the rest is gathered or looked for."""

import math
from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array
from tosa_converter.legalize.checks import NUMBERS, STORED, not_quantized
from tosa_converter.legalize.operands import affordable, held_in_32_bits
from tosa_converter.legalize.tflite.stablehlo.movement import distinct
from tosa_converter.legalize.tflite.stablehlo.reductions import REDUCERS, body, identity, reduced
from tosa_converter.rewriting import operators
from tosa_converter.rewriting.expr import Expr, const, maximum, minimum, scalar, where
from tosa_converter.rewriting.operators import concat, reduce_all, reduce_max, reduce_sum
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tflite


def _starts(match: Match, first: int, room: Sequence[int]) -> Expr:
    """The indices of one element each from operand `first` on, cut to what there is room for, as [axes]."""
    indices = [match[key] for key in range(first, len(match.op.inputs))]
    if len(indices) != len(room) or min(room, default=0) < 0 or any(index.size != 1 for index in indices):
        raise Decline(f"indices {[str(index.type) for index in indices]} with room for {list(room)}")
    joined = concat([index.reshape((1,)) for index in indices], 0)
    return _within(joined, room)


def _within(starts: Expr, room: Sequence[int]) -> Expr:
    most = const(np.array(room), DType.I32)
    return minimum(maximum(starts, 0), most)


def _strides(shape: Sequence[int]) -> Array:
    """How many elements an index along each axis counts for."""
    return np.append(np.cumprod(shape[:0:-1])[::-1], 1)[: len(shape)].astype(np.int64)


def _flat(indices: Expr, strides: Array) -> Expr:
    """Indices [.., axes] as one index [.., 1] each."""
    if np.any(strides != 1):
        indices = indices * const(strides.reshape((1,) * (indices.rank - 1) + (-1,)), DType.I32)
    axis = indices.rank - 1
    return reduce_sum(indices, axis) if indices.shape[axis] > 1 else indices


def _window(shape: Sequence[int], size: Sequence[int]) -> Array:
    """The flat offsets of a window's elements."""
    affordable(size)
    return np.asarray(np.tensordot(_strides(shape), np.indices(size).reshape(len(size), -1), 1))


def _taken(x: Expr, indices: Expr, row: int = 1) -> Expr:
    """Elements by flat indices, in the shape of those, or rows of elements, which are then the last axis."""
    held = x.dtype
    x = (x.cast(DType.I8) if held is DType.BOOL else x).reshape((1, x.size // row, row))
    found = operators.gather(x, indices.reshape((1, indices.size)))
    return found.cast(held).reshape((*indices.shape, *[row] * (row > 1)))


def _cut_axes(shape: Sequence[int], size: Sequence[int]) -> int:
    """How many axes there are up to the last of which windows don't take all."""
    return max((axis + 1 for axis, (have, n) in enumerate(zip(shape, size, strict=True)) if n < have), default=1)


def dynamic_slice(match: Match) -> Expr:
    """DYNAMIC_SLICE: SLICE where the indices are known, else GATHER."""
    x = match["operand"]
    shape, size = x.shape, list(match.attributes(tflite.StablehloDynamicSliceOptions).slice_sizes)
    if len(size) != len(shape) or not all(0 < n <= have for n, have in zip(size, shape, strict=True)):
        raise Decline(f"a slice of {size} of {x.type}")
    starts = _starts(match, 1, [have - n for n, have in zip(size, shape, strict=True)])
    if starts.constant is not None:
        return x.slice(starts.constant.tolist(), size)
    cut = _cut_axes(shape, size)
    starts = _flat(starts.slice((0,), (cut,)), _strides(shape[:cut]))
    indices = starts + const(_window(shape[:cut], size[:cut]), DType.I32)
    return _taken(x, indices, math.prod(shape[cut:])).reshape(size)


def dynamic_update_slice(match: Match) -> Expr:
    """DYNAMIC_UPDATE_SLICE: the update where a mask says so."""
    x, update = match["operand"], match["update"]
    shape, size = x.shape, update.shape
    if len(size) != len(shape):
        raise Decline(f"an update of {update.type} in {x.type}")
    starts = _starts(match, 2, [have - n for n, have in zip(size, shape, strict=True)])
    place = const(np.indices(affordable(shape)).reshape(len(shape), -1).T, DType.I32)
    offset = place - starts.reshape((1, len(shape)))
    last = const(np.array(size)[None] - 1, DType.I32)
    inside = (offset >= 0) & (last >= offset)
    inside = reduce_all(inside, 1).reshape(shape)
    offset = minimum(maximum(offset, 0), last)
    indices = _flat(offset, _strides(size))
    return where(inside, _taken(update, indices.reshape(shape)), x)


def _vectors(indices: Expr, axis: int) -> tuple[Expr, tuple[int, ...]]:
    """Index vectors as [vectors, entries], and the shape that they are in; an axis behind the last has one entry."""
    if not 0 <= axis <= indices.rank:
        raise Decline(f"index vectors along axis {axis} of {indices.type}")
    if axis == indices.rank:
        indices = indices.reshape((*indices.shape, 1))
    others = [i for i in range(indices.rank) if i != axis]
    shape = tuple(indices.shape[i] for i in others)
    vectors = indices.transpose((*others, axis))
    return vectors.reshape((math.prod(shape), indices.shape[axis])), shape


def gather(match: Match) -> Expr:
    """GATHER of windows, whose starts are cut to where they fit."""
    x, options = match["operand"], match.attributes(tflite.StablehloGatherOptions)
    shape, size = x.shape, list(options.slice_sizes)
    mapped = distinct(options.start_index_map, len(shape))
    collapsed = distinct(options.collapsed_slice_dims, len(shape))
    if not mapped or len(size) != len(shape) or not all(1 <= n <= have for n, have in zip(size, shape, strict=True)):
        raise Decline(f"slices of {size} of {x.type}")
    if any(size[axis] != 1 for axis in collapsed):
        raise Decline(f"axes {collapsed} of slices of {size} are left out")
    vectors, batch = _vectors(match["start_indices"], options.index_vector_dim)
    if vectors.shape[1] != len(mapped):
        raise Decline(f"{vectors.shape[1]} indices for axes {mapped}")
    starts = _within(vectors, [shape[axis] - size[axis] for axis in mapped])
    cut = max(_cut_axes(shape, size), *(axis + 1 for axis in mapped))
    starts = _flat(starts, _strides(shape[:cut])[mapped])
    window = const(_window(shape[:cut], size[:cut])[None], DType.I32)
    found = _taken(x, starts + window if window.size > 1 else starts, math.prod(shape[cut:]))
    kept = [n for axis, n in enumerate(size) if axis not in collapsed]
    offsets = distinct(options.offset_dims, len(batch) + len(kept), len(kept))
    found = found.reshape((*batch, *kept))
    places = iter(range(len(batch)))
    order = [len(batch) + offsets.index(i) if i in offsets else next(places) for i in range(found.rank)]
    return found.transpose(order)


# ** SCATTER **


def scatter(match: Match) -> Expr:
    """SCATTER: every element of the result looks for the updates that fall on it; those outside fall on none."""
    x, updates = match["inputs"], match["updates"]
    options, shape = match.attributes(tflite.StablehloScatterOptions), x.shape
    inserted = distinct(options.inserted_window_dims, len(shape))
    mapped = distinct(options.scatter_dims_to_operand_dims, len(shape))
    windows = distinct(options.update_window_dims, updates.rank, len(shape) - len(inserted))
    vectors, batch = _vectors(match["scatter_indices"], options.index_vector_dim)
    others = [axis for axis in range(updates.rank) if axis not in windows]
    kept = iter(updates.shape[axis] for axis in windows)
    size = [1 if axis in inserted else next(kept) for axis in range(len(shape))]
    if tuple(updates.shape[axis] for axis in others) != batch or vectors.shape[1] != len(mapped):
        raise Decline(f"updates of {updates.type} by indices {match['scatter_indices'].type}")
    order = [*others, *windows]  # of the axes that places come in; where several fall on one, the last update counts
    places = _update_places(vectors, mapped, shape, size).reshape([updates.shape[axis] for axis in order])
    places = places.transpose([order.index(axis) for axis in range(updates.rank)])
    places, values = (part.reshape((1, updates.size)) for part in (places, updates))
    flat = x.reshape((x.size, 1))
    index = const(np.arange(x.size)[:, None], DType.I32)
    here = index == places
    return held_in_32_bits(match, _updated(match, flat, values, here).reshape(shape))


def _update_places(vectors: Expr, mapped: Sequence[int], shape: Sequence[int], size: Sequence[int]) -> Expr:
    """The flat index of every element of the updates, as [1, elements]; of those outside -1."""
    count = vectors.shape[0]
    offsets = np.indices(affordable(size)).reshape(len(size), -1)
    columns = [const(np.zeros((count, 1)), DType.I32)] * len(shape)
    for entry, axis in enumerate(mapped):
        columns[axis] = vectors.slice((0, entry), (count, 1))
    flat, inside = const(np.zeros((1, 1)), DType.I32), const(np.ones((1, 1)), DType.BOOL)
    for axis, stride in enumerate(_strides(shape)):
        at = columns[axis] + const(offsets[axis][None], DType.I32)
        flat = flat + at * stride
        above = at >= 0
        below = at < shape[axis]
        inside = inside & (above & below)
    places = where(inside, flat, -1)
    return places.reshape((1, places.size))


def _updated(match: Match, x: Expr, values: Expr, here: Expr) -> Expr:
    """The elements [n, 1] with what falls on them of the updates [1, m], by the operator of the body."""
    combine = body(match, "update")
    if combine != "update":
        neutral = scalar(identity(combine, x.dtype), values)
        return REDUCERS[combine].join(x, reduced(combine, where(here, values, neutral), 1))
    turn = const(np.arange(1, values.size + 1)[None], DType.I32)  # the last one counts
    last = reduce_max(where(here, turn, 0), 1, nan_mode="PROPAGATE")
    none = scalar(0, last)
    found = _taken(values, maximum(last - 1, none))
    return where(last > none, found, x)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.stablehlo_dynamic_slice", STORED, dynamic_slice),
    Rewrite("tfl.stablehlo_dynamic_update_slice", STORED, dynamic_update_slice, (not_quantized,)),
    Rewrite("tfl.stablehlo_gather", STORED, gather),
    Rewrite("tfl.stablehlo_scatter", NUMBERS, scatter),
)
