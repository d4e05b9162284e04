"""GATHER and what takes elements by index: GATHER_ND, REVERSE_SEQUENCE."""

import math

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import STORED
from tosa_converter.legalize.indexing import named_rows, take
from tosa_converter.legalize.operands import affordable, normalized_axis
from tosa_converter.rewriting.expr import Expr, const, where
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite
from tosa_converter.schemas import tflite


def gather(match: Match) -> Expr:
    """GATHER with batch dimensions: values [batch * outer, K, inner], the indices repeated for every outer one."""
    x, indices = match["params"], match["indices"]
    options = match.attributes(tflite.GatherOptions)
    axis = normalized_axis(options.axis, x.rank)
    batch_dims = options.batch_dims + indices.rank if options.batch_dims < 0 else options.batch_dims
    shape, taken = x.shape, indices.shape
    if not 0 <= batch_dims <= min(axis, len(taken)) or shape[:batch_dims] != taken[:batch_dims]:
        raise Decline(f"{options.batch_dims} batch dimensions with axis {axis} of {x.type} and indices {indices.type}")
    return gathered(x, indices, axis, batch_dims)


def gathered(x: Expr, indices: Expr, axis: int, batch_dims: int = 0) -> Expr:
    """What indices name along an axis, in place of it; batch dimensions are of both."""
    shape, taken = x.shape, indices.shape[batch_dims:]
    result = (*shape[:axis], *taken, *shape[axis + 1 :])
    run = _run(indices) if batch_dims == 0 else None
    if run is not None:
        return _cut_run(x, axis, *run).reshape(result)
    batch, outer = math.prod(shape[:batch_dims]), math.prod(shape[batch_dims:axis])
    rows = x.reshape((batch * outer, shape[axis], math.prod(shape[axis + 1 :])))
    columns = indices.cast(DType.I32).reshape((batch, 1, math.prod(taken)))
    columns = columns.tile((1, outer, 1)).reshape((batch * outer, math.prod(taken)))
    return take(rows, columns).reshape(result)


def _run(indices: Expr) -> tuple[int, int] | None:
    """First index and count of constant indices that ascend by 1."""
    values = indices.constant
    if values is None or not values.size:
        return None
    flat = values.reshape(-1).astype(np.int64)
    return (int(flat[0]), flat.size) if bool(np.all(np.diff(flat) == 1)) else None


def _cut_run(x: Expr, axis: int, first: int, count: int) -> Expr:
    if not 0 <= first <= x.shape[axis] - count:
        raise Decline(f"indices {first} to {first + count - 1} along axis {axis} of {x.type}")
    return x.part(axis, first, count)


def gather_nd(match: Match) -> Expr:
    """GATHER_ND: the rows that vectors of indices into the first dimensions name."""
    x, indices = match["params"], match["indices"]
    *outer, depth = indices.shape or (0,)
    if not 0 < depth <= x.rank:
        raise Decline(f"indices {indices.type} into {x.type}")
    sizes, inner = x.shape[:depth], x.shape[depth:]
    rows = x.reshape((1, math.prod(sizes), math.prod(inner)))
    return take(rows, named_rows(indices, sizes)).reshape((*outer, *inner))


def reverse_sequence(match: Match) -> Expr:
    """REVERSE_SEQUENCE: each row moves by how far its sequence turns it, 0 behind the sequence's length.

    Rows are the dimensions from the first of the two, batch and sequence, to the second.
    """
    x, lengths = match["input"], match["seq_lengths"]
    options, shape = match.attributes(tflite.ReverseSequenceOptions), x.shape
    along, batch = options.seq_dim, options.batch_dim
    if along == batch or min(along, batch) < 0 or max(along, batch) >= x.rank:
        raise Decline(f"sequences along dimension {along}, batches along {batch} of {x.type}")
    if lengths.type.shape != (shape[batch],):
        raise Decline(f"{shape[batch]} sequences, lengths {lengths.type}")
    first, last = min(along, batch), max(along, batch)
    inside = affordable((shape[first], math.prod(shape[first + 1 : last]), shape[last]))
    outer, count, inner = math.prod(shape[:first]), math.prod(inside), math.prod(shape[last + 1 :])
    front = along == first
    turns = _turns(lengths, shape[along], front=front)
    if front and inside[1] * inside[2] > 1:
        turns = turns * (inside[1] * inside[2])
    index = turns + const(np.arange(count).reshape(inside), DType.I32)
    index = index.reshape((1, count)).tile((outer, 1))
    return take(x.reshape((outer, count, inner)), index).reshape(shape)


def _turns(lengths: Expr, size: int, *, front: bool) -> Expr:
    """From each place of a sequence to the one that mirrors it: [size, 1, batch] or, if not in front, the reverse."""
    count = lengths.size
    lengths = lengths.cast(DType.I32).reshape((1, 1, count) if front else (count, 1, 1))
    place = np.arange(size).reshape((size, 1, 1) if front else (1, 1, size))
    inside = lengths > const(place, DType.I32)
    mirrored = lengths - const(2 * place + 1, DType.I32)
    return where(inside, mirrored, 0)


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.gather", STORED, gather),
    Rewrite("tfl.gather_nd", "fp32 fp16 bf16 ui8 i8 i16 i32 i64 bool", gather_nd),
    Rewrite("tfl.reverse_sequence", "fp32 ui8 i16 i32 i64", reverse_sequence),
)
