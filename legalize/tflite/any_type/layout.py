"""Data movement on every type: reshape, transpose, slices, concatenation, padding."""

import math
from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import SIGNLESS, DType
from tosa_converter.legalize.checks import MOVED, STORED, is_quantized, same_quantization
from tosa_converter.legalize.constant_operands import (
    at_run_time,
    constant_int,
    constant_ints,
    result_sizes,
    stated_shape,
)
from tosa_converter.legalize.limits import normalized_axis
from tosa_converter.legalize.ops import layout
from tosa_converter.legalize.ops.dynamic_layout import mirror_pad_to, pad_to, transpose_to
from tosa_converter.legalize.ops.index import clamped_begin, dynamic_slice, room_for
from tosa_converter.rewriting.expr import Expr, where
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.operators import concat
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule, condition
from tosa_converter.schemas import tflite
from tosa_converter.schemas.tflite import ActivationFunctionType

# ** shapes **


def reshape(match: Match) -> Expr:
    """Lowers RESHAPE: the shape is operand 1 if that is a vector of i32, else the attribute; one size may be -1."""
    x = match["input"]
    if match.has("shape") and match["shape"].type.rank == 1 and match.source("shape").type.dtype is DType.I32:
        shape = result_sizes(match, "shape")
    else:
        shape = list(match.attributes(tflite.ReshapeOptions).new_shape)
        shape = [] if shape == [0] else shape  # how old files write a scalar
    if shape.count(-1) == 1:
        # The product has the -1 as a factor: of shape [2, -1, 3] it is -6, so the size is 24 / 6 = 4 for 24 elements.
        count = -math.prod(shape)
        if count == 0 or x.size % count:
            raise Decline(f"expected a shape of {x.size} elements, found {shape}")
        shape[shape.index(-1)] = x.size // count
    if math.prod(shape) != x.size:
        raise Decline(f"expected a shape of {x.size} elements, found {shape}")
    return x.reshape(shape)


def squeeze(match: Match) -> Expr:
    """Lowers SQUEEZE: drops the named dimensions, which must have size 1, or all dimensions of size 1."""
    x = match["input"]
    axes = {normalized_axis(axis, x.rank) for axis in match.attributes(tflite.SqueezeOptions).squeeze_dims}
    sizes = list(enumerate(x.shape))
    if any(size != 1 for axis, size in sizes if axis in axes):
        raise Decline(f"expected dimensions of size 1, found dimensions {sorted(axes)} of {x.type}")
    return x.reshape([size for axis, size in sizes if (axis not in axes if axes else size != 1)])


def expand_dims(match: Match) -> Expr:
    """Lowers EXPAND_DIMS to RESHAPE; for a run-time axis, the file must state the result's shape."""
    x = match["input"]
    if at_run_time(match, "dim"):
        shape = stated_shape(match, "dim", x.rank + 1)
        if all((*x.shape[:axis], 1, *x.shape[axis:]) != tuple(shape) for axis in range(len(shape))):
            raise Decline(f"expected an output shape with one dimension more than {x.type}, found {shape}")
        return x.reshape(shape)
    axis = normalized_axis(constant_int(match, "dim"), x.rank + 1)
    return x.reshape((*x.shape[:axis], 1, *x.shape[axis:]))


def transpose(match: Match) -> Expr:
    """Lowers TRANSPOSE; for a run-time permutation, the file must state the result's shape."""
    x = match["input"]
    if at_run_time(match, "perm"):
        return transpose_to(x, stated_shape(match, "perm", match["perm"].size), match["perm"])
    perms = [normalized_axis(axis, x.rank) for axis in constant_ints(match, "perm")]
    if sorted(perms) != list(range(x.rank)):
        raise Decline(f"expected a permutation of {x.rank} dimensions, found {perms}")
    return x.transpose(perms)


# ** padding and repetition **


def zero_element(match: Match) -> int:
    """Returns the stored element that represents the real 0: the result's zero point.

    It is 0 for floats, for results that aren't quantized, and for those with a zero point for each channel.
    """
    type = match.op.results[0].type
    if type.quant is None or not type.quant.per_tensor or type.dtype.is_float:
        return 0
    return int(np.int64(type.quant.zero_point[0]).astype(SIGNLESS.get(type.dtype, type.dtype).numpy))


def _padding_pairs(match: Match, key: str) -> list[tuple[int, int]]:
    """Returns the constant operand `key`, paddings, as (before, after) for each dimension.

    Raises:
        Decline: the amounts aren't constant, not two for each dimension, or below zero.
    """
    amounts, rank = constant_ints(match, key), match["input"].rank
    if len(amounts) != 2 * rank:
        raise Decline(f"expected {2 * rank} amounts of padding, found {len(amounts)}")
    if min(amounts, default=0) < 0:
        raise Decline(f"expected padding of at least 0, found {amounts}")
    return list(zip(amounts[::2], amounts[1::2], strict=True))


def pad(match: Match) -> Expr:
    """Lowers PAD, which fills with the element that represents 0, and PADV2, which fills with its third operand.

    Padding known at run time only follows from the result shape that the file states.
    """
    x = match["input"]
    value = match["constant_values"] if match.has("constant_values") else zero_element(match)
    if at_run_time(match, "padding"):
        return pad_to(x, stated_shape(match, "padding", x.rank), match["padding"], value)
    return layout.pad_with(x, _padding_pairs(match, "padding"), value)


def mirror_pad(match: Match) -> Expr:
    """Lowers MIRROR_PAD: pads with mirrored elements; REFLECT doesn't repeat the outermost ones, SYMMETRIC does.

    For padding known at run time only, the file must state the result's shape.
    """
    x = match["input"]
    offset = 1 if match.attributes(tflite.MirrorPadOptions).mode is tflite.MirrorPadMode.REFLECT else 0
    if at_run_time(match, "pad"):
        return mirror_pad_to(x, stated_shape(match, "pad", x.rank), match["pad"], offset)
    return layout.mirror_pad(x, _padding_pairs(match, "pad"), offset)


def tile(match: Match) -> Expr:
    """Lowers TILE; run-time multiples follow from the operand's shape and the result shape that the file states."""
    x = match["input"]
    if at_run_time(match, "multiples"):
        shape = stated_shape(match, "multiples", x.rank)
        if any(whole % size for size, whole in zip(x.shape, shape, strict=True)):
            raise Decline(f"expected an output shape that repeats {x.type}, found {shape}")
        return x.tile([whole // size for size, whole in zip(x.shape, shape, strict=True)])
    multiples = constant_ints(match, "multiples")
    if len(multiples) != x.rank or min(multiples, default=0) < 0:
        raise Decline(f"expected {x.rank} multiples of at least 0, found {multiples}")
    return x.tile(multiples)


def broadcast_to(match: Match) -> Expr:
    """Lowers BROADCAST_TO: repeats the input to the shape that an operand gives."""
    return layout.broadcast_to(match["input"], result_sizes(match, "shape"))


def reverse(match: Match) -> Expr:
    """Lowers REVERSE_V2: reverses the order of elements along each of the constant axes."""
    x = match["input"]
    for axis in constant_ints(match, "axis"):
        x = x.reverse(normalized_axis(axis, x.rank))
    return x


# ** joining **


def concatenation(match: Match) -> Expr:
    """Lowers CONCATENATION of operands with equal quantization to CONCAT; empty operands are left out."""
    parts = match.operands
    axis = normalized_axis(match.attributes(tflite.ConcatenationOptions).axis, max(1, parts[0].rank))
    return concat(parts, axis)


@condition("either all operands and results are quantized or none is")
def _all_or_none_quantized(match: Match) -> str | None:
    """Returns a reason to decline CONCATENATION of quantized and other tensors, or None.

    The kernel would rescale by a scale of 0.
    """
    kinds = {is_quantized(value) for value in (*match.op.operands, *match.op.results)}
    return (
        "expected operands and results that are all quantized or all not, found a mixture" if len(kinds) > 1 else None
    )


@condition("no fused activation")
def _no_activation(match: Match) -> str | None:
    """Returns a reason to decline CONCATENATION with a fused activation, or None."""
    kind = match.attributes(tflite.ConcatenationOptions).fused_activation_function
    return None if kind == ActivationFunctionType.NONE else f"expected no fused activation, found {kind.name}"


CONCATENATION_CHECKS = (same_quantization, _all_or_none_quantized, _no_activation)


def pack(match: Match) -> Expr:
    """Lowers PACK to a CONCAT along the axis that follows the new one, and a RESHAPE."""
    # Three parts [2, 5] along axis 1 are joined to [2, 15], in which element j of part p in row i is number
    # i * 15 + p * 5 + j. That is its number in the result [2, 3, 5] too, so a RESHAPE is all that is left to do.
    parts = match.operands
    shape = parts[0].shape
    axis = normalized_axis(match.attributes(tflite.PackOptions).axis, len(shape) + 1)
    if axis == len(shape):
        parts = [part.reshape((*shape, 1)) for part in parts]
    return concat(parts, axis).reshape((*shape[:axis], len(parts), *shape[axis:]))


# ** parts **


def split(match: Match) -> list[Expr]:
    """Lowers SPLIT: cuts a tensor into equal parts along an axis."""
    x = match["value"]
    axis = normalized_axis(constant_int(match, "split_dim"), x.rank)
    count = len(match.op.results)
    size, rest = divmod(x.shape[axis], count)
    if rest:
        raise Decline(f"expected axis {axis} of {x.type} to divide into {count} equal parts")
    return layout.split(x, axis, [size] * count)


def split_v(match: Match) -> list[Expr]:
    """Lowers SPLIT_V; one of the sizes may be -1, which stands for the rest.

    Sizes known at run time only are those of the result shapes that the file states.
    """
    x = match["value"]
    axis = normalized_axis(constant_int(match, "split_dim"), x.rank)
    if at_run_time(match, "size_splits"):
        shapes = [stated_shape(match, "size_splits", x.rank, i) for i in range(len(match.op.results))]
        sizes = [shape[axis] for shape in shapes]
    else:
        sizes = constant_ints(match, "size_splits")
    if sizes.count(-1) == 1:
        # The sum has the -1 in it: of 10 elements, sizes [2, -1, 3] leave 10 - 4 - 1 = 5.
        sizes[sizes.index(-1)] = x.shape[axis] - sum(sizes) - 1
    return layout.split(x, axis, sizes)


def unpack(match: Match) -> list[Expr]:
    """Lowers UNPACK: splits along an axis and drops it."""
    x = match["input"]
    axis = normalized_axis(match.attributes(tflite.UnpackOptions).axis, x.rank)
    parts = layout.split(x, axis, [1] * len(match.op.results))
    return [part.reshape((*x.shape[:axis], *x.shape[axis + 1 :])) for part in parts]


def slice_(match: Match) -> Expr:
    """Lowers SLICE; a size of -1 reaches to the end.

    Begins known at run time only become a GATHER of rows. Sizes known at run time only, and -1 with such begins, are
    taken from the result shape that the file states.
    """
    x = match["input"]
    is_stated = at_run_time(match, "size")
    size = stated_shape(match, "size", x.rank) if is_stated else constant_ints(match, "size")
    if match["begin"].constant is None:
        if not is_stated and -1 in size:
            size, is_stated = stated_shape(match, "begin", x.rank), True
        return _slice_at_run_time(match, x, size, clamped=is_stated)
    begin = constant_ints(match, "begin")
    if not len(begin) == len(size) == x.rank:
        raise Decline(f"expected {x.rank} starts and sizes, found {len(begin)} and {len(size)}")
    size = [x.shape[i] - begin[i] if n == -1 else n for i, n in enumerate(size)]
    if any(not 0 <= b <= b + n <= whole for b, n, whole in zip(begin, size, x.shape, strict=True)):
        raise Decline(f"expected a slice inside {x.type}, found starts {begin} and sizes {size}")
    result_shape = match.op.results[0].type.shape
    # LiteRT's SLICE compares the declared shape, as no other kernel does.
    if result_shape and None not in result_shape and result_shape != tuple(size):
        raise Decline(
            f"expected the result shape {list(result_shape)} of the file, found {size}: LiteRT refuses the difference"
        )
    return x.slice(begin, size)


def _slice_at_run_time(match: Match, x: Expr, size: Sequence[int], *, clamped: bool) -> Expr:
    """Returns SLICE of x from run-time begins on; `clamped` moves them so that the slice lies inside x.

    Declines another number of begins or sizes than x has dimensions.
    """
    begin = match["begin"]
    if begin.shape != (x.rank,):
        raise Decline(f"expected {x.rank} starts, found {begin.type}")
    if clamped and len(size) == x.rank:  # `dynamic_slice` declines another number of sizes
        begin = clamped_begin(begin, room_for(x.shape, size))
    return dynamic_slice(x, begin, size)


# ** SELECT **


def select(match: Match) -> Expr:
    """Lowers SELECT: a condition of rank 1 chooses among the entries of the first dimension."""
    condition, a, b = (match[i] for i in range(3))
    if condition.rank == 1 and a.rank > 1:
        condition = condition.reshape((*condition.shape, *(1,) * (a.rank - 1)))
    return _choose_elements(match, condition, a, b)


def select_v2(match: Match) -> Expr:
    """Lowers SELECT_V2, whose operands broadcast."""
    return _choose_elements(match, match["condition"], match["x"], match["y"])


def _choose_elements(match: Match, condition: Expr, a: Expr, b: Expr) -> Expr:
    """Returns where(condition, a, b); a single element gets the rank in the file (SelectPrepare, select.cc)."""
    chosen = where(condition, a, b)
    rank = match.op.results[0].type.rank
    return chosen.reshape((1,) * rank) if chosen.size == 1 else chosen


RULES: tuple[Rule, ...] = (
    Rule("tfl.reshape", MOVED, reshape),
    Rule("tfl.squeeze", MOVED, squeeze),
    Rule("tfl.expand_dims", MOVED, expand_dims),
    Rule("tfl.transpose", MOVED, transpose),
    Rule("tfl.pad", STORED, pad),
    Rule("tfl.padv2", STORED, pad),
    Rule("tfl.mirror_pad", MOVED, mirror_pad),
    Rule("tfl.tile", MOVED, tile),
    Rule("tfl.broadcast_to", MOVED, broadcast_to),
    Rule("tfl.reverse_v2", STORED, reverse),
    Rule("tfl.concatenation", f"{STORED} ui32", concatenation, CONCATENATION_CHECKS),
    Rule("tfl.pack", "fp32 ui8 i8 i16 i32 i64 ui32", pack, (same_quantization,)),
    Rule("tfl.split", "fp32 ui8 i8 i16 i32 i64", split, of=("value",)),
    Rule("tfl.split_v", "fp32 ui8 i8 i16 i32 i64", split_v),
    Rule("tfl.unpack", "fp32 fp16 bf16 ui8 i8 i16 i32 bool", unpack),
    Rule("tfl.slice", MOVED, slice_),
    Rule("tfl.select", STORED, select, of=("x",)),
    Rule("tfl.select_v2", STORED, select_v2, of=("x",)),
)
