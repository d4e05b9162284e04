"""Data movement on every type: reshape, transpose, slices, concatenation, padding."""

import math
from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import MOVED, STORED, is_quantized, same_quantization
from tosa_converter.legalize.indexing import Block, take
from tosa_converter.legalize.operands import (
    at_run_time,
    constant_int,
    constant_ints,
    normalized_axis,
    pad_element,
    padded,
    padding_pairs,
    result_sizes,
    stated_shape,
)
from tosa_converter.legalize.tflite.any_type.stated import mirrored_to, padded_to, transposed_to
from tosa_converter.rewriting.expr import Expr, const, maximum, minimum, scalar, where
from tosa_converter.rewriting.operators import concat
from tosa_converter.rewriting.rewrite import Decline, Match, Rewrite, condition
from tosa_converter.schemas import tflite
from tosa_converter.schemas.tflite import ActivationFunctionType

# ** RESHAPE and its kin **


def reshape(match: Match) -> Expr:
    """RESHAPE: the shape is operand 1 if that is a vector of i32, else the attribute; one size may be -1."""
    x = match["input"]
    if match.has("shape") and match["shape"].type.rank == 1 and match.source("shape").type.dtype is DType.I32:
        shape = result_sizes(match, "shape")
    else:
        shape = list(match.attributes(tflite.ReshapeOptions).new_shape)
        shape = [] if shape == [0] else shape  # how old files write a scalar
    if shape.count(-1) == 1:
        known = -math.prod(shape)
        if known == 0 or x.size % known:
            raise Decline(f"{x.type} cannot take the shape {shape}")
        shape[shape.index(-1)] = x.size // known
    if math.prod(shape) != x.size:
        raise Decline(f"{x.type} cannot take the shape {shape}")
    return x.reshape(shape)


def squeeze(match: Match) -> Expr:
    """SQUEEZE: the named dimensions, or every one of size 1."""
    x = match["input"]
    axes = {normalized_axis(axis, x.rank) for axis in match.attributes(tflite.SqueezeOptions).squeeze_dims}
    sizes = list(enumerate(x.shape))
    if any(size != 1 for axis, size in sizes if axis in axes):
        raise Decline(f"dimensions {sorted(axes)} of {x.type} are not all of size 1")
    kept = [size for axis, size in sizes if (axis not in axes if axes else size != 1)]
    return x.reshape(kept)


def expand_dims(match: Match) -> Expr:
    """EXPAND_DIMS."""
    x = match["input"]
    if at_run_time(match, "dim"):
        shape = stated_shape(match, "dim", x.rank + 1)
        if all((*x.shape[:axis], 1, *x.shape[axis:]) != tuple(shape) for axis in range(len(shape))):
            raise Decline(f"{x.type} with one more dimension does not have the shape {shape}")
        return x.reshape(shape)
    axis = normalized_axis(constant_int(match, "dim"), x.rank + 1)
    return x.reshape((*x.shape[:axis], 1, *x.shape[axis:]))


def transpose(match: Match) -> Expr:
    """TRANSPOSE; where only dimensions of size 1 move, a RESHAPE."""
    x = match["input"]
    if at_run_time(match, "perm"):
        return transposed_to(x, stated_shape(match, "perm", match["perm"].size), match["perm"])
    perms = [normalized_axis(axis, x.rank) for axis in constant_ints(match, "perm")]
    if sorted(perms) != list(range(x.rank)):
        raise Decline(f"{perms} is no permutation of {x.rank} dimensions")
    moving = [axis for axis in perms if x.shape[axis] != 1]
    if moving == sorted(moving):
        return x.reshape([x.shape[axis] for axis in perms])
    return x.transpose(perms)


# ** PAD, TILE, REVERSE **


def pad(match: Match) -> Expr:
    """PAD with what stands for 0, PADV2 with its third operand."""
    x = match["input"]
    if at_run_time(match, "padding"):
        shape, value = stated_shape(match, "padding", x.rank), match.get("constant_values")
        value = scalar(pad_element(match), x) if value is None else value
        return padded_to(x, shape, match["padding"], value)
    pairs = padding_pairs(match)
    if match.has("constant_values"):
        return padded(x, pairs, match["constant_values"])
    return x.pad(pairs, pad_element(match))


def mirror_pad(match: Match) -> Expr:
    """MIRROR_PAD: what lies at both ends of each dimension, reversed, the outermost element left out or repeated."""
    x = match["input"]
    offset = 1 if match.attributes(tflite.MirrorPadOptions).mode is tflite.MirrorPadMode.REFLECT else 0
    if at_run_time(match, "pad"):
        return mirrored_to(x, stated_shape(match, "pad", x.rank), match["pad"], offset)
    pairs = padding_pairs(match, "pad")
    for axis, (before, after) in enumerate(pairs):
        size = x.shape[axis]
        if max(before, after) > size - offset:
            raise Decline(f"paddings of {before} and {after} mirror more than the {size} elements along axis {axis}")
        front = _mirrored(x, axis, offset, before)
        x = concat([*front, x, *_mirrored(x, axis, size - offset - after, after)], axis)
    return x


def _mirrored(x: Expr, axis: int, begin: int, size: int) -> list[Expr]:
    if not size:
        return []
    part = x.part(axis, begin, size)
    return [part.reverse(axis) if size > 1 else part]


def tile(match: Match) -> Expr:
    """TILE; the shapes of operand and result tell the multiples."""
    x = match["input"]
    if at_run_time(match, "multiples"):
        shape = stated_shape(match, "multiples", x.rank)
        if any(whole % size for size, whole in zip(x.shape, shape, strict=True)):
            raise Decline(f"{x.type} tiled does not have the shape {shape}")
        return x.tile([whole // size for size, whole in zip(x.shape, shape, strict=True)])
    multiples = constant_ints(match, "multiples")
    if len(multiples) != x.rank or min(multiples, default=0) < 0:
        raise Decline(f"multiples {multiples} for {x.type}")
    return x.tile(multiples)


def broadcast_to(match: Match) -> Expr:
    """BROADCAST_TO."""
    x, shape = match["input"], result_sizes(match, "shape")
    if (
        min(shape, default=0) < 0
        or len(shape) < x.rank
        or any(have not in (1, size) for have, size in zip(x.shape[::-1], shape[::-1], strict=False))
    ):
        raise Decline(f"{x.type} does not broadcast to {shape}")
    return x.broadcast(shape)


def reverse(match: Match) -> Expr:
    """REVERSE_V2."""
    x = match["input"]
    for axis in constant_ints(match, "axis"):
        x = x.reverse(normalized_axis(axis, x.rank))
    return x


# ** joining **


def concatenation(match: Match) -> Expr:
    """CONCATENATION; parts without elements are left out."""
    parts = match.operands
    axis = normalized_axis(match.attributes(tflite.ConcatenationOptions).axis, max(1, parts[0].rank))
    return concat(parts, axis)


@condition("all of the operands and results are quantized, or none")
def _quantized_alike(match: Match) -> str | None:
    """Against quantized tensors among others: the kernel rescales by a scale of 0."""
    kinds = {is_quantized(value) for value in (*match.op.operands, *match.op.results)}
    return "some operands and results are quantized and others are not" if len(kinds) > 1 else None


@condition("no fused activation")
def _no_activation(match: Match) -> str | None:
    kind = match.attributes(tflite.ConcatenationOptions).fused_activation_function
    return None if kind == ActivationFunctionType.NONE else f"a fused {kind.name}"


JOINED = (same_quantization, _quantized_alike, _no_activation)


def pack(match: Match) -> Expr:
    """PACK -> CONCAT along the dimension that follows the new one, and RESHAPE; where none does, RESHAPE and CONCAT."""
    parts = match.operands
    shape = parts[0].shape
    axis = normalized_axis(match.attributes(tflite.PackOptions).axis, len(shape) + 1)
    if axis == len(shape):
        parts = [part.reshape((*shape, 1)) for part in parts]
    joined = concat(parts, axis)
    return joined.reshape((*shape[:axis], len(parts), *shape[axis:]))


# ** taking apart **


def _cut(x: Expr, axis: int, sizes: Sequence[int]) -> list[Expr]:
    """Consecutive slices along an axis."""
    if min(sizes, default=-1) < 0 or sum(sizes) > x.shape[axis]:
        raise Decline(f"sizes {list(sizes)} along axis {axis} of {x.type}")
    return [x.part(axis, begin, size) for begin, size in zip(accumulate([0, *sizes]), sizes, strict=False)]


def split(match: Match) -> list[Expr]:
    """SPLIT into equal parts."""
    x = match["value"]
    axis = normalized_axis(constant_int(match, "split_dim"), x.rank)
    count = len(match.op.results)
    size, rest = divmod(x.shape[axis], count)
    if rest:
        raise Decline(f"{x.type} does not divide into {count} parts along axis {axis}")
    return _cut(x, axis, [size] * count)


def split_v(match: Match) -> list[Expr]:
    """SPLIT_V: one of the sizes may be -1."""
    x = match["value"]
    axis = normalized_axis(constant_int(match, "split_dim"), x.rank)
    if at_run_time(match, "size_splits"):
        shapes = [stated_shape(match, "size_splits", x.rank, i) for i in range(len(match.op.results))]
        sizes = [shape[axis] for shape in shapes]
    else:
        sizes = constant_ints(match, "size_splits")
    if sizes.count(-1) == 1:
        sizes[sizes.index(-1)] = x.shape[axis] - sum(sizes) - 1
    return _cut(x, axis, sizes)


def unpack(match: Match) -> list[Expr]:
    """UNPACK: slices of size 1 without their dimension."""
    x = match["input"]
    axis = normalized_axis(match.attributes(tflite.UnpackOptions).axis, x.rank)
    shape = (*x.shape[:axis], *x.shape[axis + 1 :])
    parts = _cut(x, axis, [1] * len(match.op.results))
    return [part.reshape(shape) for part in parts]


def slice_(match: Match) -> Expr:
    """SLICE: a size of -1 reaches to the end; where only the run knows the start, rows of a GATHER."""
    x = match["input"]
    unknown = at_run_time(match, "size")
    size = stated_shape(match, "size", x.rank) if unknown else constant_ints(match, "size")
    if match["begin"].constant is None:
        if not unknown and -1 in size:
            size = stated_shape(match, "begin", x.rank)
            unknown = True
        return _slice_from(match, x, size, clamped=unknown)
    begin = constant_ints(match, "begin")
    if not len(begin) == len(size) == x.rank:
        raise Decline(f"{len(begin)} starts and {len(size)} sizes for {x.type}")
    size = [x.shape[i] - begin[i] if n == -1 else n for i, n in enumerate(size)]
    if any(not 0 <= b <= b + n <= have for b, n, have in zip(begin, size, x.shape, strict=True)):
        raise Decline(f"starts {begin} and sizes {size} reach outside of {x.type}")
    stated = match.op.results[0].type.shape
    if stated and None not in stated and stated != tuple(size):  # the one kernel that holds files to their word
        raise Decline(f"the file says the result is {list(stated)}, LiteRT refuses to make it {size}")
    return x.slice(begin, size)


def _slice_from(match: Match, x: Expr, size: Sequence[int], *, clamped: bool) -> Expr:
    """A part of constant size, from where a run says; moved so that it lies inside where the size is assumed."""
    begin = match["begin"]
    block = Block.of(x.shape, size)
    if begin.type.shape != (x.rank,):
        raise Decline(f"starts {begin.type} for {x.type}")
    if block.rows == 1:
        return x
    if clamped:
        most = const(np.subtract(x.shape, size), DType.I32)
        begin = begin.cast(DType.I32)
        begin = minimum(maximum(begin, 0), most)
    rows = x.reshape((1, block.rows, block.width))
    return take(rows, block.numbers(begin)).reshape(size)


# ** SELECT **


def select(match: Match) -> Expr:
    """SELECT: a vector as condition chooses among the first dimension's entries."""
    condition, a, b = (match[i] for i in range(3))
    if condition.rank == 1 and a.rank > 1:
        condition = condition.reshape((*condition.shape, *(1,) * (a.rank - 1)))
    return _selected(match, condition, a, b)


def select_v2(match: Match) -> Expr:
    """SELECT_V2: all three broadcast."""
    return _selected(match, match["condition"], match["x"], match["y"])


def _selected(match: Match, condition: Expr, a: Expr, b: Expr) -> Expr:
    """Of single elements the result keeps the shape that the file gives it (SelectPrepare in select.cc)."""
    chosen = where(condition, a, b)
    rank = match.op.results[0].type.rank
    return chosen.reshape((1,) * rank) if chosen.size == 1 else chosen


REWRITES: tuple[Rewrite, ...] = (
    Rewrite("tfl.reshape", MOVED, reshape),
    Rewrite("tfl.squeeze", MOVED, squeeze),
    Rewrite("tfl.expand_dims", MOVED, expand_dims),
    Rewrite("tfl.transpose", MOVED, transpose),
    Rewrite("tfl.pad", STORED, pad),
    Rewrite("tfl.padv2", STORED, pad),
    Rewrite("tfl.mirror_pad", MOVED, mirror_pad),
    Rewrite("tfl.tile", MOVED, tile),
    Rewrite("tfl.broadcast_to", MOVED, broadcast_to),
    Rewrite("tfl.reverse_v2", STORED, reverse),
    Rewrite("tfl.concatenation", f"{STORED} ui32", concatenation, JOINED),
    Rewrite("tfl.pack", "fp32 ui8 i8 i16 i32 i64 ui32", pack, (same_quantization,)),
    Rewrite("tfl.split", "fp32 ui8 i8 i16 i32 i64", split, of=("value",)),
    Rewrite("tfl.split_v", "fp32 ui8 i8 i16 i32 i64", split_v),
    Rewrite("tfl.unpack", "fp32 fp16 bf16 ui8 i8 i16 i32 bool", unpack),
    Rewrite("tfl.slice", MOVED, slice_),
    Rewrite("tfl.select", STORED, select, of=("x",)),
    Rewrite("tfl.select_v2", STORED, select_v2, of=("x",)),
)
