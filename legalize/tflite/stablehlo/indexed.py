"""Operators of StableHLO with indices: DYNAMIC_SLICE, DYNAMIC_UPDATE_SLICE, GATHER, SCATTER."""

import math
from collections.abc import Sequence

from tosa_converter.ir import CONSTANTS
from tosa_converter.legalize.checks import NUMBERS, STORED, not_quantized
from tosa_converter.legalize.constant_operands import held_in_32_bits
from tosa_converter.legalize.ops.index import clamped_begin, gather_windows, room_for
from tosa_converter.legalize.ops.index import dynamic_slice as slice_at
from tosa_converter.legalize.ops.scatter import scatter_at, update_slice, window_numbers
from tosa_converter.legalize.tflite.stablehlo.movement import distinct_axes
from tosa_converter.legalize.tflite.stablehlo.reductions import reduction_of_body
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import concat
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas import tflite


def _begin_indices(match: Match, first: int, rank: int) -> Expr:
    """Returns the scalar operands from operand `first` on, a block's begin indices, as a vector [rank]."""
    indices = [match[key] for key in range(first, len(match.op.inputs))]
    if len(indices) != rank or any(index.size != 1 for index in indices):
        raise Decline(f"expected {rank} indices of one element, found {[str(index.type) for index in indices]}")
    return concat([index.reshape((1,)) for index in indices], 0)


def dynamic_slice(match: Match) -> Expr:
    """Lowers StableHLO's DYNAMIC_SLICE: a block at run-time indices, which are clamped so that it lies inside."""
    x, size = match["operand"], list(match.attributes(tflite.StablehloDynamicSliceOptions).slice_sizes)
    if len(size) != x.rank or not all(0 < n <= whole for n, whole in zip(size, x.shape, strict=True)):
        raise Decline(f"expected a block of at most {list(x.shape)}, found {list(size)}")
    return slice_at(x, clamped_begin(_begin_indices(match, 1, x.rank), room_for(x.shape, size)), size)


def dynamic_update_slice(match: Match) -> Expr:
    """Lowers StableHLO's DYNAMIC_UPDATE_SLICE: replaces a block at run-time indices, clamped so that it lies inside."""
    x = match["operand"]
    return update_slice(x, match["update"], _begin_indices(match, 2, x.rank))


def _index_vectors(indices: Expr, axis: int) -> tuple[Expr, tuple[int, ...]]:
    """Returns the index vectors of GATHER or SCATTER as [vectors, entries], and the shape of the other dimensions.

    `axis` is the dimension of a vector's entries; if it is the rank, each index is a vector of one entry.
    """
    if not 0 <= axis <= indices.rank:
        raise Decline(f"expected an index_vector_dim in [0, {indices.rank}], found {axis}")
    if axis == indices.rank:
        indices = indices.reshape((*indices.shape, 1))
    batch_axes = [i for i in range(indices.rank) if i != axis]
    batch = tuple(indices.shape[i] for i in batch_axes)
    vectors = indices.transpose((*batch_axes, axis))
    return vectors.reshape((math.prod(batch), indices.shape[axis])), batch


def gather(match: Match) -> Expr:
    """Lowers StableHLO's GATHER of windows (blocks of the operand); their begin indices are clamped."""
    x, options = match["operand"], match.attributes(tflite.StablehloGatherOptions)
    size = list(options.slice_sizes)
    indexed = distinct_axes(options.start_index_map, x.rank)
    collapsed = distinct_axes(options.collapsed_slice_dims, x.rank)
    if not indexed or len(size) != x.rank or not all(1 <= n <= whole for n, whole in zip(size, x.shape, strict=True)):
        raise Decline(f"expected indexed axes and slice sizes that fit {x.type}, found axes {indexed} and sizes {size}")
    if any(size[axis] != 1 for axis in collapsed):
        raise Decline(f"expected collapsed axes of size 1, found axes {collapsed} of slices of {size}")
    vectors, batch = _index_vectors(match["start_indices"], options.index_vector_dim)
    if vectors.shape[1] != len(indexed):
        raise Decline(f"expected index vectors of {len(indexed)} entries for axes {indexed}, found {vectors.shape[1]}")
    window = [n for axis, n in enumerate(size) if axis not in collapsed]
    window_axes = distinct_axes(options.offset_dims, len(batch) + len(window), len(window))
    windows = gather_windows(x, vectors, indexed, size).reshape((*batch, *window))
    # Windows come as [batch, window]. With one batch dimension and offset_dims (0,), axis 0 of the result is the
    # window's axis 1, and axis 1 the batch: order [1, 0].
    batch_axes = iter(range(len(batch)))
    order = [len(batch) + window_axes.index(i) if i in window_axes else next(batch_axes) for i in range(windows.rank)]
    return windows.transpose(order)


def scatter(match: Match) -> Expr:
    """Lowers StableHLO's SCATTER: combines elements with the updates at their index; updates outside are dropped.

    If several updates replace one element, the last one in the order of `updates` remains.
    """
    x, updates = match["inputs"], match["updates"]
    options = match.attributes(tflite.StablehloScatterOptions)
    inserted = distinct_axes(options.inserted_window_dims, x.rank)
    indexed = distinct_axes(options.scatter_dims_to_operand_dims, x.rank)
    window_axes = distinct_axes(options.update_window_dims, updates.rank, x.rank - len(inserted))
    vectors, batch = _index_vectors(match["scatter_indices"], options.index_vector_dim)
    batch_axes = [axis for axis in range(updates.rank) if axis not in window_axes]
    window = iter(updates.shape[axis] for axis in window_axes)
    size = [1 if axis in inserted else next(window) for axis in range(x.rank)]
    if tuple(updates.shape[axis] for axis in batch_axes) != batch or vectors.shape[1] != len(indexed):
        raise Decline(f"expected updates that fit the indices {match['scatter_indices'].type}, found {updates.type}")
    # `window_numbers` lists indices window by window; they are brought into the order of `updates`.
    indices = _windows_to_update_order(
        window_numbers(vectors, indexed, x.shape, size), updates, [*batch_axes, *window_axes]
    )
    reduction = None if _updates_replace(match) else reduction_of_body(match)
    return held_in_32_bits(match, scatter_at(x, indices, updates.reshape((1, updates.size)), reduction))


def _windows_to_update_order(indices: Expr, updates: Expr, axes: Sequence[int]) -> Expr:
    """Permutes flat indices [1, W] of SCATTER's windows to the row-major order of `updates`.

    `axes` are the axes of `updates` in the order in which the indices were computed.
    """
    indices = indices.reshape([updates.shape[axis] for axis in axes])
    return indices.transpose([axes.index(axis) for axis in range(updates.rank)]).reshape((1, updates.size))


def _updates_replace(match: Match) -> bool:
    """Returns whether StableHLO's SCATTER replaces elements: its body returns its second argument, the update."""
    graphs = match.op.regions
    operators = [op for graph in graphs for op in graph.ops if op.name not in CONSTANTS]
    return len(graphs) == 1 and not operators and graphs[0].outputs == graphs[0].inputs[1:]


RULES: tuple[Rule, ...] = (
    Rule("tfl.stablehlo_dynamic_slice", STORED, dynamic_slice),
    Rule("tfl.stablehlo_dynamic_update_slice", STORED, dynamic_update_slice, (not_quantized,)),
    Rule("tfl.stablehlo_gather", STORED, gather),
    Rule("tfl.stablehlo_scatter", NUMBERS, scatter),
)
