"""Constant operands, axes, and 64-bit integers, which TOSA holds in 32 bits."""

import math
from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Shape
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.operators import concat
from tosa_converter.rewriting.rewrite import SIGNLESS, Decline, Key, Match

I32 = np.iinfo(np.int32)
MOST_ELEMENTS = 1 << 24  # of a constant that a rewrite makes up: a few bytes of a file must not ask for gigabytes


def affordable(sizes: Sequence[int]) -> list[int]:
    """The shape of a constant that a rewrite may make.

    Raises:
        Decline: it is too large, or no shape at all.
    """
    if min(sizes, default=0) < 0 or math.prod(sizes) > MOST_ELEMENTS:
        raise Decline(f"a constant of shape {list(sizes)}")
    return list(sizes)


def narrowed(values: Array) -> Array:
    """Exact integers in i32.

    Raises:
        Decline: one doesn't fit.
    """
    wrong = values[(values < I32.min) | (values > I32.max)]
    if wrong.size:
        raise Decline(f"the constant {wrong[0]} does not fit 32 bits")
    return values.astype(np.int32)


def held_in_32_bits(match: Match, y: Expr) -> Expr:
    """A result whose 64 bits are 32 now, which the user is told once."""
    if match.op.results[0].type.dtype is DType.I64 and y.constant is None:
        match.note_once("64-bit integers are computed in 32 bits from here on; results beyond are unpredictable")
    return y


def normalized_axis(axis: int, rank: int) -> int:
    """An axis counted from the front.

    Raises:
        Decline: it is out of range.
    """
    if not -rank <= axis < rank:
        raise Decline(f"axis {axis} of a tensor of rank {rank}")
    return axis % rank


def _settled(match: Match, key: Key) -> Array:
    try:
        return match.constant(key)
    except Decline as run_time:
        raise Decline(f"{run_time}: attributes of TOSA and Compile Time Constants come of it") from None


def constant_int(match: Match, key: Key) -> int:
    """The one element of a constant operand.

    Raises:
        Decline: it isn't constant, or has more elements.
    """
    values = _settled(match, key)
    if values.size != 1:
        raise Decline(f"operand {key} must have one element, found shape {list(values.shape)}")
    return int(values.reshape(-1)[0])


def constant_ints(match: Match, key: Key) -> list[int]:
    """The elements of a constant operand as integers.

    Raises:
        Decline: it isn't constant.
    """
    return [int(value) for value in _settled(match, key).reshape(-1)]


def at_run_time(match: Match, key: Key) -> bool:
    """Whether only a run knows an operand."""
    return match.source(key).constant is None and match[key].constant is None


def stated_shape(match: Match, key: Key, rank: int, result: int = 0) -> list[int]:
    """The shape that the file states for a result, in place of an operand that only a run knows; a note tells it.

    Raises:
        Decline: the file states no shape of this rank, or one for operands of other shapes.
    """
    shape, name = match.op.results[result].type.shape, match.source(key).name
    sizes = [size for size in shape if size]
    if len(sizes) != len(shape) or len(sizes) != rank:
        found = "none" if not shape else f"[{', '.join('?' if size is None else str(size) for size in shape)}]"
        raise Decline(
            f"operand {key} ({name!r}) must be constant, or the file must state the result's shape of rank {rank}: "
            f"found {found}"
        )
    for operand, now in zip(match.op.inputs, match.shapes, strict=True):
        if operand is not None and now is not None and not _fits(operand.type.shape, now):
            raise Decline(f"operand {key} ({name!r}) must be constant: the file states the result's shape for others")
    match.note(
        f"{name!r} is known at run time only: the result has the shape that the file states, {sizes}, "
        "also for values that contradict it"
    )
    return sizes


def result_sizes(match: Match, key: Key) -> list[int]:
    """The sizes of the first result that a constant operand holds, or those that the file states for it.

    Raises:
        Decline: neither is known.
    """
    return stated_shape(match, key, match[key].size) if at_run_time(match, key) else constant_ints(match, key)


def size_along(match: Match, key: Key, rank: int, axis: int) -> int:
    """The size of the first result along an axis that a constant operand holds, or that the file states.

    Raises:
        Decline: neither is known.
    """
    if not at_run_time(match, key):
        return constant_int(match, key)
    return stated_shape(match, key, rank)[normalized_axis(axis, rank)]


def _fits(stated: Shape, now: Shape) -> bool:
    """Whether a shape is the one that the file states, if it does."""
    if not stated:
        return True
    return len(stated) == len(now) and all(old in (None, size) for old, size in zip(stated, now, strict=True))


def padding_pairs(match: Match, key: Key = "padding") -> list[tuple[int, int]]:
    """The constant amounts of PAD, PADV2 and MIRROR_PAD, before and after each dimension.

    Raises:
        Decline: they aren't constant, as many as the dimensions, or are below zero.
    """
    amounts, rank = constant_ints(match, key), match["input"].rank
    if len(amounts) != 2 * rank:
        raise Decline(f"expected {2 * rank} amounts of padding, found {len(amounts)}")
    if min(amounts, default=0) < 0:
        raise Decline(f"paddings {amounts} below zero")
    return list(zip(amounts[::2], amounts[1::2], strict=True))


def pad_element(match: Match) -> int:
    """The element that stands for the real 0: the result's zero point, if it has one, in a signless type."""
    type = match.op.results[0].type
    if type.quant is None or not type.quant.per_tensor or type.dtype.is_float:
        return 0
    return int(np.int64(type.quant.zero_point[0]).astype(SIGNLESS.get(type.dtype, type.dtype).numpy))


def padded(x: Expr, pairs: Sequence[tuple[int, int]], value: Expr) -> Expr:
    """PAD; with a value that only the run knows, which PAD doesn't take (its Compile Time Constant Status), CONCAT."""
    if value.constant is not None:
        return x.pad(pairs, value.constant.reshape(-1)[0])
    value = value.reshape((1,) * x.rank)
    for axis, amounts in enumerate(pairs):
        shape = x.shape
        before, after = (value.tile((*shape[:axis], n, *shape[axis + 1 :])) if n else None for n in amounts)
        x = concat([part for part in (before, x, after) if part is not None], axis)
    return x


def image_size(match: Match, key: Key) -> tuple[int, int]:
    """The constant height and width that an operator is to make, or those that the file states for its result.

    Raises:
        Decline: neither is known, or they are not two, or below 1.
    """
    size = stated_shape(match, key, 4)[1:3] if at_run_time(match, key) else constant_ints(match, key)
    if len(size) != 2 or min(size) < 1:
        raise Decline(f"expected a height and a width, found {size}")
    return size[0], size[1]


def joined_axes(x: Expr, axes: Sequence[int]) -> Expr:
    """`x` as [outer, joined, inner], where `joined` runs over `axes` in the order of the elements.

    Only axes that other dimensions separate need a TRANSPOSE.
    """
    shape = x.shape
    joined = sorted(axis for axis in axes if shape[axis] != 1)
    first, last = (joined[0], joined[-1] + 1) if joined else (0, 0)
    size = math.prod(shape[axis] for axis in joined)
    if math.prod(shape[first:last]) == size:
        return x.reshape((math.prod(shape[:first]), size, math.prod(shape[last:])))
    kept = [axis for axis in range(len(shape)) if axis not in joined]
    return x.transpose(kept + joined).reshape((math.prod((shape[axis] for axis in kept)), size, 1))
