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


class Entry(NamedTuple):
    """The places that are taken of one dimension of the operand; a `size` of None is a dimension that is added."""

    size: int | None
    places: range = range(1)
    dropped: bool = False


def strided_slice(match: Match) -> Expr:
    """Builds STRIDED_SLICE with constant begin, end and strides; at run time into dimensions dropped or stated."""
    x = match["input"]
    if match["begin"].constant is None and _only_dropped(match):
        x, entries = _at_run_time_index(match, x)
    elif at_run_time(match, "begin") or at_run_time(match, "end"):
        return _to_stated_shape(match, x)
    else:
        entries = _entries(match, x.shape, constant_ints(match, "begin"), constant_ints(match, "end"))
    shape = [len(entry.places) for entry in entries if not entry.dropped]
    taken = [entry.places for entry in entries if entry.size is not None]
    if x.constant is not None:
        elements = x.constant
        for axis, places in enumerate(taken):
            elements = elements.take(places, axis)
        return const(elements.reshape(shape), x.dtype)
    for axis, places in enumerate(taken):
        x = take_range(x, axis, places)
    return x.reshape(shape)


def _only_dropped(match: Match) -> bool:
    """Returns whether all dimensions but those that are dropped are taken whole."""
    options = match.attributes(tflite.StridedSliceOptions)
    special = options.shrink_axis_mask | options.new_axis_mask | options.ellipsis_mask
    every_bit = (1 << match["begin"].size) - 1
    return not (~(options.begin_mask & options.end_mask | special) & every_bit or options.offset)


def _to_stated_shape(match: Match, x: Expr) -> Expr:
    """Returns as many elements of each dimension as the file states for the result, from run-time places on.

    Raises:
        Decline: the file states no shape, or one that these strides can't give.
    """
    begin, options = match["begin"], match.attributes(tflite.StridedSliceOptions)
    count, key = begin.size, "begin" if at_run_time(match, "begin") else "end"
    if options.ellipsis_mask or options.offset:
        raise Decline("begin and end must be constants where an ellipsis or an offset counts")
    entries, strides = _entries(match, x.shape, [0] * count, [1] * count), constant_ints(match, "strides")
    shape = stated_shape(match, key, sum(not entry.dropped for entry in entries))
    sizes, axis = iter(shape), 0
    for i, entry in enumerate(entries):
        result_size = 1 if entry.dropped else next(sizes)
        if entry.size is None:
            continue
        stride = strides[i] if i < count else 1
        if i < count and (entry.dropped or stride != 1 or not options.begin_mask & options.end_mask & 1 << i):
            last = entry.size - 1 - (result_size - 1) * abs(stride)
            if last < 0:
                raise Decline(f"{result_size} elements with stride {stride} of the {entry.size} along axis {axis}")
            low, high = (0, last) if stride > 0 else (entry.size - 1 - last, entry.size - 1)
            if options.begin_mask >> i & 1 and not entry.dropped:
                start = const([low if stride > 0 else high], DType.I32)
            else:
                start = _run_time_start(begin, i, entry.size, (low, high))
            x = slice_from(x, axis, start, result_size, stride)
        axis += 1
    if x.size != math.prod(shape):
        raise Decline(f"the file states the shape {shape}, found {x.type}")
    return x.reshape(shape)


def _run_time_start(begin: Expr, i: int, size: int, limits: tuple[int, int]) -> Expr:
    """Returns the first index along a dimension, [1], within limits; one below 0 counts from the end."""
    start = clamped_amount(begin, i, -size, size)
    start = where(start < 0, start + size, start)
    return minimum(maximum(start, limits[0]), limits[1])


def _at_run_time_index(match: Match, x: Expr) -> tuple[Expr, list[Entry]]:
    """Returns the operand at run-time indices, in dimensions of size 1, and the entries that are left to be taken."""
    begin, options = match["begin"], match.attributes(tflite.StridedSliceOptions)
    count, shape = begin.size, x.shape
    entries = _entries(match, shape, [0] * count, [1] * count)
    dropped = [axis for axis, entry in enumerate(e for e in entries if e.size is not None) if entry.dropped]
    indexed_bits = options.shrink_axis_mask & ~(options.new_axis_mask | options.ellipsis_mask)
    dropped_axes = iter(dropped)
    axes = [next(dropped_axes, None) if indexed_bits >> i & 1 else None for i in range(count)]
    sizes = const([0 if axis is None else shape[axis] for axis in axes], DType.I32)
    part = [1 if axis in dropped else size for axis, size in enumerate(shape)]
    block = BlockRows.of(shape, part)
    if block.rows == 1:
        return x, entries
    numbers = block.numbers(where(begin < 0, begin + sizes, begin), axes)
    rows = gather_rows(x.reshape((1, block.rows, block.width)), numbers)
    return rows.reshape(part), [entry._replace(size=1) if entry.dropped else entry for entry in entries]


def _entries(match: Match, shape: Sequence[int], begin: Sequence[int], end: Sequence[int]) -> list[Entry]:
    """Returns an entry for each dimension of the effective shape (BuildStridedSliceParams in strided_slice.cc)."""
    return list(_each_entry(match, shape, begin, end))


def _each_entry(match: Match, shape: Sequence[int], begin: Sequence[int], end: Sequence[int]) -> Iterator[Entry]:
    strides = constant_ints(match, "strides")
    if not len(begin) == len(end) == len(strides):
        raise Decline(f"{len(begin)} starts, {len(end)} ends and {len(strides)} strides")
    indices, options = range(len(begin)), match.attributes(tflite.StridedSliceOptions)
    if options.ellipsis_mask.bit_count() > 1 or options.ellipsis_mask < 0 or options.new_axis_mask >> len(begin):
        raise Decline(f"ellipsis_mask {options.ellipsis_mask} and new_axis_mask {options.new_axis_mask}")
    ellipsis = next((i for i in indices if options.ellipsis_mask >> i & 1), len(begin))
    added = [i for i in indices if options.new_axis_mask >> i & 1 and i != ellipsis]
    if options.offset and (ellipsis < len(begin) or added or len(begin) != len(shape)):
        raise Decline("an offset needs one index for each dimension: else the kernel reads sizes of other dimensions")
    indexed = len(begin) - len(added) - (ellipsis < len(begin))
    if indexed > len(shape):
        raise Decline(f"{indexed} indices into a tensor of rank {len(shape)}")
    # An ellipsis takes a dimension of the kernel even where it stands for none; the kernel stops after as many
    # entries as the result is to have: with 2 dimensions, indices [0, ..., 0] end at the ellipsis.
    sizes, whole = iter(shape), max(len(shape) - indexed, 1)
    extra = whole - 1 if ellipsis < len(begin) else 0
    for i in list(indices)[: len(shape) + len(added) - extra]:
        if i == ellipsis:
            yield from (Entry(size, range(size)) for size in islice(sizes, whole))
        elif i in added:
            yield Entry(None)
        elif (size := next(sizes, None)) is None:
            raise Decline("an ellipsis for no dimension, where the kernel reads sizes behind the last")
        else:
            yield _entry(options, i, size, begin[i], end[i], strides[i])
    yield from (Entry(size, range(size)) for size in sizes)


def _entry(options: tflite.StridedSliceOptions, i: int, size: int, begin: int, end: int, stride: int) -> Entry:
    """Returns the entry of one dimension, clamped as StartForAxis and EndForAxis of strided_slice.h do."""
    if stride == 0:
        raise Decline("a stride of 0")
    low, high = (0, size) if stride > 0 else (-1, size - 1)
    start = min(max(begin + size if begin < 0 else begin, low), high)
    if options.begin_mask >> i & 1:
        start = low if stride > 0 else high
    if options.shrink_axis_mask >> i & 1:
        if stride < 0:
            raise Decline(f"a stride of {stride} on the dropped dimension {i}, where the kernel writes nothing")
        if not 0 <= start < size:
            raise Decline(f"index {begin} into a dimension of size {size}")
        return Entry(size, range(start, start + 1), dropped=True)
    if options.offset:
        if stride < 0 or not 0 < end <= size - start or options.end_mask >> i & 1:
            raise Decline(f"{end} elements from {start} on, of {size}, where the kernel reads something else")
        end += start
    stop = min(max(end + size if end < 0 else end, low), high)
    if options.end_mask >> i & 1:
        stop = high if stride > 0 else low
    return Entry(size, range(start, stop, stride))


RULES: tuple[Rule, ...] = (Rule("tfl.strided_slice", MOVED, strided_slice),)
