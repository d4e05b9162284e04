"""STRIDED_SLICE: masks, negative strides, and strides that don't divide."""

import math
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import MOVED
from tosa_converter.legalize.constant_operands import at_run_time, constant_ints, stated_shape
from tosa_converter.legalize.ops.dynamic_layout import clamped_amount, slice_from
from tosa_converter.legalize.ops.index import BlockRows, gather_rows
from tosa_converter.legalize.ops.layout import take_range
from tosa_converter.rewriting.expr import Expr, const, maximum, minimum, where
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas import tflite


class DimensionIndices(NamedTuple):
    """The indices that STRIDED_SLICE takes along one dimension of the operand.

    `size` is that dimension's; None stands for a dimension of size 1 that is added. A `dropped` one isn't in the
    result.
    """

    size: int | None
    indices: range = range(1)
    dropped: bool = False


def strided_slice(match: Match) -> Expr:
    """Lowers STRIDED_SLICE.

    Begin and end must be constant with two exceptions: begins that index dimensions to drop, where all others are taken
    whole, and any begin or end if the file states the result's shape.
    """
    x = match["input"]
    if match["begin"].constant is None and _masks_settle_dimensions(match):
        x, entries = _gather_at_indices(match, x)
    elif at_run_time(match, "begin") or at_run_time(match, "end"):
        return _slice_to_stated_shape(match, x)
    else:
        entries = _indices_by_dimension(match, x.shape, constant_ints(match, "begin"), constant_ints(match, "end"))
    shape = [len(entry.indices) for entry in entries if not entry.dropped]
    indices_by_axis = [entry.indices for entry in entries if entry.size is not None]
    if x.constant is not None:
        elements = x.constant
        for axis, indices in enumerate(indices_by_axis):
            elements = elements.take(indices, axis)
        return const(elements.reshape(shape), x.dtype)
    for axis, indices in enumerate(indices_by_axis):
        x = take_range(x, axis, indices)
    return x.reshape(shape)


def _masks_settle_dimensions(match: Match) -> bool:
    """Returns whether the masks settle every dimension: it is dropped by an index, taken whole, new, or in an ellipsis.

    The answer is False if ends are relative to begins (`offset`).
    """
    options = match.attributes(tflite.StridedSliceOptions)
    taken_whole = options.begin_mask & options.end_mask
    settled = taken_whole | options.shrink_axis_mask | options.new_axis_mask | options.ellipsis_mask
    every_bit = (1 << match["begin"].size) - 1
    return settled & every_bit == every_bit and not options.offset


def _slice_to_stated_shape(match: Match, x: Expr) -> Expr:
    """Slices x from run-time begins on, to the result shape that the file states; the ends aren't read.

    Begins are clamped so that the result lies inside x. With begin_mask it starts at the first element, or for a
    negative stride at the last.

    Raises:
        Decline: the file states no shape, or one that these strides can't give.
    """
    begin, options = match["begin"], match.attributes(tflite.StridedSliceOptions)
    count, key = begin.size, "begin" if at_run_time(match, "begin") else "end"
    if options.ellipsis_mask or options.offset:
        raise Decline("expected constant begin and end with an ellipsis or an offset, found run-time values")
    entries, strides = _dimensions_by_masks(match, x.shape), constant_ints(match, "strides")
    shape = stated_shape(match, key, sum(not entry.dropped for entry in entries))
    sizes, axis = iter(shape), 0
    for i, entry in enumerate(entries):
        result_size = 1 if entry.dropped else next(sizes)
        if entry.size is None:
            continue
        stride = strides[i] if i < count else 1
        # Dimensions without an index, and those that both masks take whole, aren't sliced.
        if i < count and (entry.dropped or stride != 1 or not options.begin_mask & options.end_mask & 1 << i):
            # The last element may be size - 1, so the first one is at most last: 3 elements with stride 2 of 7 span
            # (3 - 1) * 2 + 1 = 5, and start in [0, 2]; with stride -2 they start in [4, 6].
            last = entry.size - 1 - (result_size - 1) * abs(stride)
            if last < 0:
                raise Decline(
                    f"expected a result size that stride {stride} reaches within "
                    f"{entry.size} elements along axis {axis}, "
                    f"found {result_size}"
                )
            low, high = (0, last) if stride > 0 else (entry.size - 1 - last, entry.size - 1)
            if options.begin_mask >> i & 1 and not entry.dropped:
                start = const([low if stride > 0 else high], DType.I32)
            else:
                start = _run_time_start(begin, i, entry.size, (low, high))
            x = slice_from(x, axis, start, result_size, stride)
        axis += 1
    if x.size != math.prod(shape):
        raise Decline(f"expected the result shape {shape} of the file, found {x.type}")
    return x.reshape(shape)


def _run_time_start(begin: Expr, i: int, size: int, limits: tuple[int, int]) -> Expr:
    """Returns entry i of `begin` as i32 [1], clamped to `limits` (both included); one below 0 counts from the end."""
    start = clamped_amount(begin, i, -size, size)
    start = where(start < 0, start + size, start)
    return minimum(maximum(start, limits[0]), limits[1])


def _gather_at_indices(match: Match, x: Expr) -> tuple[Expr, list[DimensionIndices]]:
    """Gathers the elements at run-time begins of the dimensions that STRIDED_SLICE drops (shrink_axis_mask).

    Returns the gathered elements, in which the dropped dimensions have size 1, and the constant indices that remain to
    be taken of each dimension. If the dropped dimensions have size 1 already, x is returned as it is.
    """
    begin, options = match["begin"], match.attributes(tflite.StridedSliceOptions)
    count, shape = begin.size, x.shape
    entries = _dimensions_by_masks(match, shape)
    dropped = [axis for axis, entry in enumerate(e for e in entries if e.size is not None) if entry.dropped]
    # `axes` has for each begin the dimension that it indexes, or None: those don't count in `block.numbers`.
    indexed_bits = options.shrink_axis_mask & ~(options.new_axis_mask | options.ellipsis_mask)
    dropped_axes = iter(dropped)
    axes = [next(dropped_axes, None) if indexed_bits >> i & 1 else None for i in range(count)]
    sizes = const([0 if axis is None else shape[axis] for axis in axes], DType.I32)
    part = [1 if axis in dropped else size for axis, size in enumerate(shape)]
    block = BlockRows.for_block(shape, part)
    if block.rows == 1:
        return x, entries
    numbers = block.numbers(where(begin < 0, begin + sizes, begin), axes)
    rows = gather_rows(x.reshape((1, block.rows, block.width)), numbers)
    return rows.reshape(part), [entry._replace(size=1) if entry.dropped else entry for entry in entries]


def _dimensions_by_masks(match: Match, shape: Sequence[int]) -> list[DimensionIndices]:
    """Returns the dimensions as the masks and strides treat them, with begin 0 and end 1 for run-time values."""
    count = match["begin"].size
    return _indices_by_dimension(match, shape, [0] * count, [1] * count)


def _indices_by_dimension(
    match: Match, shape: Sequence[int], begin: Sequence[int], end: Sequence[int]
) -> list[DimensionIndices]:
    """Returns which indices are taken of each dimension, as BuildStridedSliceParams in strided_slice.cc."""
    return list(_iterate_dimensions(match, shape, begin, end))


def _iterate_dimensions(
    match: Match, shape: Sequence[int], begin: Sequence[int], end: Sequence[int]
) -> Iterator[DimensionIndices]:
    """Yields the indices that STRIDED_SLICE takes of each dimension, from begin, end, strides and the masks.

    Raises:
        Decline: they don't fit the shape, or LiteRT's kernel reads past it.
    """
    strides = constant_ints(match, "strides")
    if not len(begin) == len(end) == len(strides):
        raise Decline(f"expected as many begins as ends and strides, found {len(begin)}, {len(end)} and {len(strides)}")
    indices, options = range(len(begin)), match.attributes(tflite.StridedSliceOptions)
    if options.ellipsis_mask.bit_count() > 1 or options.ellipsis_mask < 0 or options.new_axis_mask >> len(begin):
        raise Decline(
            f"expected at most one ellipsis and masks of {len(begin)} bits, "
            f"found ellipsis_mask {options.ellipsis_mask} and new_axis_mask {options.new_axis_mask}"
        )
    ellipsis = next((i for i in indices if options.ellipsis_mask >> i & 1), len(begin))
    added = [i for i in indices if options.new_axis_mask >> i & 1 and i != ellipsis]
    if options.offset and (ellipsis < len(begin) or added or len(begin) != len(shape)):
        raise Decline(
            "expected one index for each dimension with an offset: LiteRT's kernel reads sizes of other dimensions"
        )
    indexed = len(begin) - len(added) - (ellipsis < len(begin))
    if indexed > len(shape):
        raise Decline(f"expected at most {len(shape)} indices, found {indexed}")
    # In LiteRT's kernel an ellipsis always takes at least one dimension, even if other indices name all of them. The
    # kernel stops when it has treated all dimensions: of 2 dimensions with indices [0, ..., 0], the last 0 isn't read.
    sizes, ellipsis_rank = iter(shape), max(len(shape) - indexed, 1)
    surplus = ellipsis_rank - 1 if ellipsis < len(begin) else 0  # dimensions of the ellipsis beyond its one index
    for i in list(indices)[: len(shape) + len(added) - surplus]:
        if i == ellipsis:
            yield from (DimensionIndices(size, range(size)) for size in islice(sizes, ellipsis_rank))
        elif i in added:
            yield DimensionIndices(None)
        elif (size := next(sizes, None)) is None:
            raise Decline(
                "expected an ellipsis for 1 dimension or more, found none: LiteRT's kernel reads past the shape"
            )
        else:
            yield _dimension_indices(options, i, size, begin[i], end[i], strides[i])
    yield from (DimensionIndices(size, range(size)) for size in sizes)


def _dimension_indices(
    options: tflite.StridedSliceOptions, i: int, size: int, begin: int, end: int, stride: int
) -> DimensionIndices:
    """Returns which indices [begin:end:stride] takes of dimension i, clamped as StartForAxis and EndForAxis do."""
    if stride == 0:
        raise Decline("expected strides other than 0, found 0")
    # Begin and end are clamped to [0, size] or, backwards, to [-1, size - 1], where -1 lies before the first element.
    # Example: begin 5, end 0 and stride -2 of 4 elements: begin becomes 3, and the indices are 3 and 1.
    low, high = (0, size) if stride > 0 else (-1, size - 1)
    start = min(max(begin + size if begin < 0 else begin, low), high)
    if options.begin_mask >> i & 1:
        start = low if stride > 0 else high
    if options.shrink_axis_mask >> i & 1:
        if stride < 0:
            raise Decline(
                f"expected a positive stride for the dropped dimension {i}, found "
                f"{stride}: LiteRT's kernel writes nothing"
            )
        if not 0 <= start < size:
            raise Decline(f"expected an index in [-{size}, {size}), found {begin}")
        return DimensionIndices(size, range(start, start + 1), dropped=True)
    if options.offset:
        if stride < 0 or not 0 < end <= size - start or options.end_mask >> i & 1:
            raise Decline(
                f"expected an offset of 1 to {size - start} elements from {start} "
                "on, a positive stride and no end mask, "
                f"found offset {end} and stride {stride}: LiteRT's kernel reads other elements"
            )
        end += start
    stop = min(max(end + size if end < 0 else end, low), high)
    if options.end_mask >> i & 1:
        stop = high if stride > 0 else low
    return DimensionIndices(size, range(start, stop, stride))


RULES: tuple[Rule, ...] = (Rule("tfl.strided_slice", MOVED, strided_slice),)
