"""Shape rules of data layout (2.10), gather and scatter (2.11), data nodes (2.14) and shapes (2.18)."""

from math import prod

from tosa_converter.rules.conditions import Check, Shapes, Sizes, StopCheckError
from tosa_converter.schemas.tosa_ops import MAX_RANK

SAME_RANK = "rank(shape1) != rank(shape)"
SAME_SIZE = "tensor_size(shape1) != tensor_size(shape)"
CONCAT_OUTPUT = "axis_sum != shape[axis]"


def concat(c: Check, *shapes: Sizes) -> Shapes:
    """Checks CONCAT, whose operands may differ along `axis` only; returns the result shape, their sizes added there."""
    if not shapes:
        c.stop("error", "input1 == []", "no input")
    c.level_check(len(shapes), "MAX_TENSOR_LIST_SIZE", "tensor_list_shape(input1)")
    first = shapes[0]
    axis = c.axis(max(1, len(first)), "max(1,rank(shapes1[0]))")
    if not first:
        raise StopCheckError  # the rank is a problem already
    for index, shape in enumerate(shapes):
        if len(shape) != len(first):
            c.stop("error", "rank(shapes1[shape_index]) != rank(shapes1[0])", f"{list(shape)} and {list(first)}")
        c.error_if(
            shape[:axis] != first[:axis] or shape[axis + 1 :] != first[axis + 1 :],
            "shapes1[shape_index][axis_index] != shapes1[0][axis_index]",
            shape_index=index,
            shape=shape,
            first=first,
        )
    return ((*first[:axis], sum(shape[axis] for shape in shapes), *first[axis + 1 :]),)


PAD_OUTPUT = "shape[i] != padding[i * 2] + shape1[i] + padding[(i * 2) + 1]"


def pad(c: Check, shape1: Sizes, padding: Sizes, _pad_const: Sizes) -> Shapes:
    """Checks PAD and returns the result shape: each size plus padding before and after; unknown if not constant."""
    rank = len(shape1)
    _require_length(c, "padding", padding, 2 * rank, "2 * rank(shape1)")
    amounts = c.constant(1)
    if amounts is None:
        return ((None,) * rank,)
    c.error_if(min(amounts) < 0, "padding[i * 2] < 0 || padding[(i * 2) + 1] < 0", padding=tuple(amounts))
    # [4, 5] with padding [1, 2, 0, 3], (before, after) per axis, becomes [1 + 4 + 2, 0 + 5 + 3] = [7, 8].
    return (tuple(amounts[2 * i] + shape1[i] + amounts[2 * i + 1] for i in range(rank)),)


RESHAPE_OUTPUT = "shape of the output != values of the operand shape"


def reshape(c: Check, shape1: Sizes, shape: Sizes) -> Shapes:
    """Checks RESHAPE, which keeps the number of elements; returns the result shape, unknown if not constant."""
    sizes = c.constant(1)
    if sizes is None:
        if shape[0] > MAX_RANK:
            c.stop("operand", "rank of output must be 0 to MAX_RANK", f"a shape of {shape[0]} dimensions")
        return ((None,) * shape[0],)
    c.error_if(prod(shape1) != prod(sizes), SAME_SIZE, shape1=shape1, shape=tuple(sizes))
    return (tuple(sizes),)


def reverse(c: Check, shape: Sizes) -> Shapes:
    """Checks REVERSE, whose axis must exist; returns the result shape, its operand's."""
    c.axis(len(shape), "rank(shape)")
    return (shape,)


SLICE_OUTPUT = "shape[index] != size[index]"


def slice_(c: Check, shape1: Sizes, start: Sizes, size: Sizes) -> Shapes:
    """Checks SLICE, which must stay within its operand; returns the result shape: `size`, unknown if not constant."""
    rank = len(shape1)
    if start[0] != rank or size[0] != rank:
        finding = f"rank(shape1) = {rank}, length(start) = {start[0]}, length(size) = {size[0]}"
        c.stop("error", "rank(shape1) != length(start) || rank(shape1) != length(size)", finding)
    starts, sizes = c.constant(1), c.constant(2)
    if starts is not None:
        c.error_if(min(starts) < 0, "start[index] < 0", start=tuple(starts))
    if sizes is None:
        return ((None,) * rank,)
    c.error_if(min(sizes) <= 0, "size[index] <= 0", size=tuple(sizes))
    if starts is not None:
        c.error_if(
            any(begin + count > limit for begin, count, limit in zip(starts, sizes, shape1, strict=True)),
            "start[index] + size[index] > shape1[index]",
            start=tuple(starts),
            size=tuple(sizes),
            shape1=shape1,
        )
    return (tuple(sizes),)


TILE_OUTPUT = "shape1[i] * multiples[i] != shape[i]"


def tile(c: Check, shape1: Sizes, multiples: Sizes) -> Shapes:
    """Checks TILE and returns the result shape: each size times its multiple; unknown if not constant."""
    _require_length(c, "multiples", multiples, len(shape1), "rank(shape1)")
    counts = c.constant(1)
    if counts is None:
        return ((None,) * len(shape1),)
    return (tuple(size * count for size, count in zip(shape1, counts, strict=True)),)


TRANSPOSE_OUTPUT = "shape1[perms[i]] != shape[i]"


def transpose(c: Check, shape1: Sizes) -> Shapes:
    """Checks TRANSPOSE, whose perms must be a permutation; returns the result shape, its operand's permuted."""
    rank = len(shape1)
    perms = c.sizes("perms", rank)
    if any(not 0 <= index < rank for index in perms):
        c.stop("error", "index >= rank(shape1) || index < 0", f"perms = {list(perms)}, rank(shape1) = {rank}")
    if len(set(perms)) != rank:
        c.stop("error", "indexes_used[index] == true", f"perms = {list(perms)}")
    return (tuple(shape1[index] for index in perms),)


def gather(c: Check, values: Sizes, indices: Sizes) -> Shapes:
    """Checks GATHER of values [N,K,C] by indices [N,W]; returns the result shape, [N,W,C]."""
    c.same_dimension("N", values[0], indices[0])
    return ((values[0], indices[1], values[2]),)


def row_gather(c: Check, values: Sizes, indices: Sizes, _row_count: Sizes) -> Shapes:
    """Checks ROW_GATHER of values [N,K,C] by indices [N,W]; returns the result shape, [N,W*row_count,C].

    Its second size is unknown if row_count isn't constant.
    """
    c.same_dimension("N", values[0], indices[0])
    row_count = c.constant(2)
    if row_count is None:
        return ((values[0], None, values[2]),)
    if row_count[0] < 1:
        c.stop("error", "row_count < 1", f"row_count = {row_count[0]}")
    return ((values[0], indices[1] * row_count[0], values[2]),)


def scatter(c: Check, values_in: Sizes, indices: Sizes, x: Sizes) -> Shapes:
    """Checks SCATTER of input [N,W,C] into values_in [N,K,C] by indices [N,W]; returns the result shape, [N,K,C]."""
    c.same_dimension("N", values_in[0], indices[0])
    c.same_dimension("N", values_in[0], x[0])
    c.same_dimension("W", indices[1], x[1])
    c.same_dimension("C", values_in[2], x[2])
    return (values_in,)


def const(c: Check) -> Shapes:
    """Returns the result shape of CONST or CONST_SHAPE: that of its attribute `values`."""
    return (tuple(c.attribute("values").shape),)


def _require_length(c: Check, name: str, shape: Sizes, expected: int, words: str) -> None:
    """Ends the check unless operand `name`, a vector, has the expected length; `words` says that length in the text."""
    if shape[0] != expected:
        c.stop("error", f"{words} != length({name})", f"length({name}) = {shape[0]}, {words} = {expected}")
